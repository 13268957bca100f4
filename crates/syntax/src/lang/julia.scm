; Definitions
(module_definition name: (identifier) @name) @definition.module
(function_definition (signature (identifier) @name)) @definition.function
; The grammar has no node for a body; the value only says that there is one.
(function_definition (signature) @declarator @value) @definition.function
(macro_definition (signature) @declarator @value) @definition.macro
(assignment . [
  (call_expression (argument_list [
    (identifier) @local
    (named_argument . (identifier) @local)
    (splat_expression (identifier) @local)
  ]*))
  (where_expression)
] @declarator (operator) @body) @definition.function
(assignment . (typed_expression . [(call_expression) (where_expression)]) @declarator (operator) @body) @definition.function
(assignment . (identifier) @name (operator) @body (arrow_function_expression)) @definition.function
(assignment . (identifier) @name
  [(call_expression) (field_expression) (parenthesized_expression) (broadcast_call_expression)] @value) @definition.variable
(assignment . (identifier) @name) @definition.variable
(assignment . [(open_tuple (identifier)* @name) (tuple_expression (identifier)* @name)]) @definition.variable
; A field of a struct, a parameter of a function, a variable of a module: each is what it stands in.
(typed_expression . (identifier) @name [(identifier) @reference.type (_)] @type) @definition.variable
(struct_definition
  (type_head [
    (binary_expression . [(identifier) (parametrized_type_expression)] [
      (identifier) @reference.implementation
      (parametrized_type_expression . (identifier) @reference.implementation)
    ])
    (_)
  ]) @declarator) @definition.struct
(abstract_definition
  (type_head [
    (binary_expression . [(identifier) (parametrized_type_expression)] [
      (identifier) @reference.implementation
      (parametrized_type_expression . (identifier) @reference.implementation)
    ])
    (_)
  ]) @declarator) @definition.interface
(primitive_definition (type_head) @declarator) @definition.type
((macrocall_expression (macro_identifier (identifier) @reference.call) (macro_argument_list . (identifier) @name))
  @definition.enum (#eq? @reference.call "enum"))
((macrocall_expression (macro_identifier (identifier) @reference.call)
  (macro_argument_list (string_literal) @name (compound_statement) @body))
  @definition.test (#eq? @reference.call "testset"))
(macrocall_expression (macro_identifier (identifier) @reference.call)) @wrapper
(macro_argument_list) @wrapper
(const_statement) @wrapper
(global_statement) @wrapper
(local_statement) @wrapper
; Documentation stands before what it describes.
(string_literal) @attribute @doc @literal

; Imports
(using_statement) @import
(import_statement) @import
((call_expression . (identifier) @_include (argument_list . (string_literal)))
  @import (#eq? @_include "include"))

; Local names
(signature [
  (call_expression (argument_list [
    (identifier) @local
    (named_argument . (identifier) @local)
    (splat_expression (identifier) @local)
  ]*))
  (typed_expression (call_expression (argument_list [
    (identifier) @local
    (named_argument . (identifier) @local)
    (splat_expression (identifier) @local)
  ]*)))
  (where_expression (call_expression (argument_list [
    (identifier) @local
    (named_argument . (identifier) @local)
    (splat_expression (identifier) @local)
  ]*)))
  (where_expression (typed_expression (call_expression (argument_list [
    (identifier) @local
    (named_argument . (identifier) @local)
    (splat_expression (identifier) @local)
  ]*))))
])
(for_binding . [(identifier) @local (tuple_expression (identifier)* @local)])
(let_binding . (identifier) @local)
(arrow_function_expression . [(identifier) @local (argument_list (identifier)* @local)]) @nest @scope
(arrow_function_expression) @nest @scope
(do_clause (argument_list (identifier)* @local)) @nest @scope
(do_clause) @nest @scope
(let_statement) @scope
(comprehension_expression) @scope

; Uses
(call_expression . (identifier) @reference.call)
(call_expression . (parametrized_type_expression . (identifier) @reference.call))
(call_expression . (field_expression)) @tokens
(broadcast_call_expression . (identifier) @reference.call)
(broadcast_call_expression . (field_expression)) @tokens
(field_expression) @tokens
(named_argument . (identifier) @reference.member)
(parametrized_type_expression . (identifier) @reference.type)
(curly_expression (identifier)* @reference.type)
(identifier) @reference.variable
(parenthesized_expression (_) @through)
(index_expression . (_) @through)

[(integer_literal) (float_literal) (boolean_literal) (character_literal) (command_literal)] @literal @skip
[(vector_expression) (tuple_expression)] @literal
[(line_comment) (block_comment)] @comment

; Complexity
(if_statement) @branch
(elseif_clause) @elif
(else_clause) @else
(for_statement) @branch @scope
(for_clause) @branch
(while_statement) @branch @scope
(catch_clause . (identifier) @local) @branch @scope
(catch_clause) @branch @scope
(ternary_expression) @branch
((binary_expression (operator) @_operator) @logical (#any-of? @_operator "&&" "||"))
