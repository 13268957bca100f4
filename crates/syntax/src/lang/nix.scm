; Definitions: which bindings are is for `declared`
(binding expression: (function_expression body: (_) @body)) @declarator @definition.function @scope
(binding expression: (_) @value) @declarator @definition.property

; Imports
(apply_expression function: (variable_expression name: (identifier) @_import) argument: [(path_expression) (spath_expression) (hpath_expression)] @path
  (#any-of? @_import "import" "callPackage")) @import
(apply_expression function: (select_expression attrpath: (attrpath attr: (identifier) @_import)) argument: [(path_expression) (spath_expression) (hpath_expression)] @path
  (#any-of? @_import "import" "callPackage")) @import

; Local names
(let_expression (binding_set binding: [
  (binding attrpath: (attrpath . (identifier) @local))
  (inherit_from attrs: (inherited_attrs attr: (identifier)* @local))
]*)) @scope
(rec_attrset_expression (binding_set binding: [
  (binding attrpath: (attrpath . (identifier) @local))
  (inherit_from attrs: (inherited_attrs attr: (identifier)* @local))
]*)) @scope
(function_expression universal: (identifier)? @local) @scope
(formal name: (identifier) @local default: (_)? @value)

; Uses
(apply_expression function: (variable_expression name: (identifier) @reference.call))
(apply_expression function: (select_expression expression: (_) @receiver attrpath: (attrpath attr: (identifier) @reference.call)))
(select_expression expression: (_) @receiver attrpath: (attrpath . (identifier) @reference.member))
(variable_expression name: (identifier) @reference.variable)
(inherited_attrs attr: (identifier)* @reference.variable)
(parenthesized_expression expression: (_) @through)
[(integer_expression) (float_expression) (string_expression) (list_expression)] @literal
(comment) @comment

; Complexity
(if_expression) @branch
(binary_expression operator: ["&&" "||" "->"]) @logical
