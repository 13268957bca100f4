; Elements inside code: a component is called by its tag.
((jsx_opening_element name: (identifier) @ignore) (#match? @ignore "^[a-z_]"))
(jsx_opening_element name: (identifier) @reference.call)
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
((jsx_self_closing_element name: (identifier) @ignore) (#match? @ignore "^[a-z_]"))
(jsx_self_closing_element name: (identifier) @reference.call)
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
; Where it ends it is named again.
((jsx_closing_element name: (identifier) @ignore) (#match? @ignore "^[a-z_]"))
(jsx_closing_element name: (identifier) @reference.variable)
(jsx_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.member))
(jsx_namespace_name) @skip
