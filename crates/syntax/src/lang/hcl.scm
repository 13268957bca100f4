; Definitions: which blocks and attributes are, and their names, is for `declared`
(block (body)? @body) @declarator @definition.block
; Where a module comes from
(attribute . (identifier) @_source (expression (literal_value (string_lit) @path)) (#eq? @_source "source")) @import
(attribute) @declarator @definition.key

; Uses
(function_call (identifier) @reference.call)
(variable_expr (identifier) @reference.variable)
(get_attr (identifier) @reference.member)
(for_intro (identifier)* @local)
[(for_tuple_expr) (for_object_expr)] @scope
(comment) @comment
