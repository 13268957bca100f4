; Elements inside code: a component is called by its tag, with an object of its attributes.
((jsx_opening_element name: (identifier) @ignore) @whole (#match? @ignore "^[a-z]"))
(jsx_opening_element name: (identifier) @reference.call) @whole
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call)) @whole
((jsx_self_closing_element name: (identifier) @ignore) @whole (#match? @ignore "^[a-z]"))
(jsx_self_closing_element name: (identifier) @reference.call) @whole
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call)) @whole
; Where it ends it is named again.
((jsx_closing_element name: (identifier) @ignore) (#match? @ignore "^[a-z]"))
(jsx_closing_element name: (identifier) @reference.variable)
(jsx_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.member))
(jsx_namespace_name) @skip
(jsx_attribute (property_identifier) @reference.member)
