; Definitions
(function_declaration name: (identifier) @name result: (_)? @type body: (_)? @body) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (pointer_type (type_identifier) @owner)
    (generic_type type: (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))
    (parenthesized_type (type_identifier) @owner)
    (parenthesized_type (pointer_type (type_identifier) @owner))
  ]))
  name: (field_identifier) @name result: (_)? @type body: (_)? @body) @definition.method
(method_declaration name: (field_identifier) @name result: (_)? @type body: (_)? @body) @definition.method
(method_elem name: (field_identifier) @name result: (_)? @type) @definition.method
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct @scope
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface @scope
(type_spec name: (type_identifier) @name type: (_) @type) @definition.type @scope
; What it is given tells an alias from a type of its own.
(type_alias name: (type_identifier) @name type: (_) @type @value) @definition.type @scope
(field_declaration name: (field_identifier)* @name
  type: (struct_type (field_declaration_list) @body) @type) @definition.field
(field_declaration name: (field_identifier) name: (field_identifier)* @name type: (_) @type) @definition.field
; An embedded type gives its methods to the struct.
(field_declaration !name type: [
  (type_identifier) @name @type @reference.implementation
  (qualified_type package: (_) @qualifier name: (type_identifier) @name @reference.implementation) @type
  (generic_type type: (type_identifier) @name @reference.implementation) @type
  (generic_type type: (qualified_type package: (_) @qualifier name: (type_identifier) @name @reference.implementation)) @type
]) @definition.field
(interface_type (type_elem . [
  (type_identifier) @reference.implementation
  (qualified_type package: (_) @qualifier name: (type_identifier) @reference.implementation)
  (generic_type type: (type_identifier) @reference.implementation)
])*)
; `_` has no meaning to anyone: `var _ Interface = (*Type)(nil)`.
((const_spec name: (identifier) @_blank) (#eq? @_blank "_"))
((var_spec name: (identifier) @_blank) (#eq? @_blank "_"))
(const_spec name: (identifier)* @name type: (_)? @type value: (expression_list (_)* @value)?) @definition.constant
(var_spec name: (identifier)* @name type: (_)? @type value: (expression_list (_)* @value)?) @definition.variable

; In a group each definition begins with its own name, alone it begins with its keyword.
(type_declaration "(")
(type_declaration) @wrapper
(const_declaration "(")
(const_declaration) @wrapper
(var_declaration (var_spec)) @wrapper
(package_clause (package_identifier) @name) @definition.namespace @skip

; Imports
(import_spec name: (dot) @wildcard path: (_) @path) @import
(import_spec name: (_)? @alias path: (_) @path) @import

; Local names
(parameter_declaration name: (identifier)* @local type: (_) @type)
(variadic_parameter_declaration name: (identifier)? @local type: (_) @type) @rest
(type_parameter_declaration name: (identifier)* @generic type: (_) @type)
(short_var_declaration left: (expression_list (identifier)* @local) right: (expression_list (_)* @value))
; What is written out where it is gone through says what it holds: the cases of a table of tests.
(range_clause left: (expression_list . (identifier) @local (identifier) @local) ":=" right: (composite_literal type: [
  (slice_type element: (_) @type)
  (array_type element: (_) @type)
  (implicit_length_array_type element: (_) @type)
  (map_type value: (struct_type) @type)
]))
(range_clause left: (expression_list . (identifier) @local (identifier) @local) ":=" "range" @type right: (_) @value)
(range_clause left: (expression_list . (identifier) @local .) ":=" "range" @type right: (_) @value)
(range_clause left: (expression_list (identifier)* @local) ":=")
(receive_statement left: (expression_list (identifier)* @local) ":=" right: (_) @value)
(type_switch_statement alias: (expression_list (identifier) @local @subject) value: (_) @value) @switch @scope
(type_switch_statement value: (_) @subject) @switch @scope
(type_case type: (_)* @type) @case @scope @narrow
(func_literal) @nest @scope
(function_type) @scope
(block) @scope

; Uses
; What is made is of the type that it is made from.
((call_expression function: (identifier) @reference.call @_make arguments: (argument_list . [
  (type_identifier) @reference.type
  (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type)
  (slice_type element: [
    (type_identifier) @reference.type
    (pointer_type (type_identifier) @reference.type)
    (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type)
    (pointer_type (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type))
  ])
  (map_type value: [
    (type_identifier) @reference.type
    (pointer_type (type_identifier) @reference.type)
    (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type)
    (pointer_type (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type))
  ])
  (channel_type value: [
    (type_identifier) @reference.type
    (pointer_type (type_identifier) @reference.type)
    (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type)
    (pointer_type (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type))
  ])
])) (#any-of? @_make "make" "new"))
((call_expression function: (identifier) @reference.call @_append arguments: (argument_list . (_) @through)) (#eq? @_append "append"))
(call_expression function: (identifier) @reference.call arguments: (_) @arguments)
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @reference.call) arguments: (_) @arguments)
(call_expression function: (index_expression operand: (identifier) @reference.call))
(call_expression function: (index_expression
  operand: (selector_expression operand: (_) @receiver field: (field_identifier) @reference.call)))
(call_expression function: (type_instantiation_expression type: (type_identifier) @reference.call))
(call_expression function: (type_instantiation_expression
  type: (qualified_type package: (_) @qualifier name: (type_identifier) @reference.call)))
(type_conversion_expression type: (generic_type type: (type_identifier) @reference.call))
(call_expression function: (parenthesized_expression (unary_expression operand: (identifier) @reference.type)))
(composite_literal type: [
  (type_identifier) @reference.type
  (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type)
  (generic_type type: (type_identifier) @reference.type)
  (slice_type element: [
    (type_identifier) @reference.type
    (pointer_type (type_identifier) @reference.type)
    (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type)
    (pointer_type (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type))
  ])
  (map_type value: [
    (type_identifier) @reference.type
    (pointer_type (type_identifier) @reference.type)
    (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type)
    (pointer_type (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type))
  ])
] @whole)
(composite_literal type: (_) @whole) @literal
; What is known to be of a type is as good as that type.
(type_assertion_expression type: [
  (type_identifier) @reference.type
  (pointer_type (type_identifier) @reference.type)
  (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type)
  (pointer_type (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type))
])
(type_assertion_expression operand: (_) @through)
(keyed_element key: (literal_element (identifier) @reference.member))
(selector_expression operand: (_) @receiver field: (field_identifier) @reference.member)
(qualified_type package: (_) @qualifier name: (type_identifier) @reference.type)
((type_identifier) @_builtin (#any-of? @_builtin
  "string" "int" "bool" "error" "byte" "any" "int64" "uint64" "float64" "int32" "uint32" "rune" "uint8" "uint"
  "float32" "int8" "int16" "uint16" "uintptr" "complex64" "complex128" "comparable"))
(type_identifier) @reference.type
(field_identifier) @reference.member
(package_identifier) @reference.variable
((identifier) @_blank (#eq? @_blank "_"))
(identifier) @reference.variable

; Values that pass through
(parenthesized_expression (_) @through)
(unary_expression operator: "<-" @reference.member operand: (_) @receiver)
(unary_expression operand: (_) @through)
; A number that is written out is of the type of the other one.
(binary_expression left: [(int_literal) (float_literal) (imaginary_literal) (rune_literal)]
  operator: ["+" "-" "*" "/" "%" "&" "|" "^" "&^"] right: (_) @through)
(binary_expression left: (_) @through operator: ["+" "-" "*" "/" "%" "&" "|" "^" "&^" "<<" ">>"])
(index_expression operand: (_) @receiver "[" @reference.member)
(slice_expression operand: (_) @through)

[(interpreted_string_literal) (raw_string_literal) (rune_literal) (int_literal) (float_literal) (imaginary_literal)
  (true) (false) (nil) (iota)] @literal @skip
(comment) @comment

; Complexity
(if_statement alternative: (if_statement) @flat) @branch @scope
(if_statement) @branch @scope
"else" @else
(for_statement) @branch @scope
(expression_switch_statement) @switch @scope
(select_statement) @switch
[(expression_case) (communication_case)] @case @scope
(default_case) @scope
(binary_expression operator: ["&&" "||"]) @logical
