; Definitions
; `struct MACRO name { .. };` looks like a function without parameters.
(function_definition type: (struct_specifier !body) declarator: (identifier) @declarator body: (_) @body) @definition.struct
(function_definition type: (union_specifier !body) declarator: (identifier) @declarator body: (_) @body) @definition.union
; Declarations between the parameters and the body are of the oldest style.
(function_definition type: (_) @type declarator: (_) @declarator (declaration)? @body body: (_) @body) @definition.function
(declaration type: (_) @type declarator: [
  (function_declarator declarator: (identifier))
  (function_declarator declarator: (parenthesized_declarator (identifier)))
  (function_declarator declarator: (function_declarator declarator: (identifier)))
  (pointer_declarator declarator: (function_declarator declarator: (identifier)))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier))))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator))))
] @declarator) @definition.function

; A type and what is declared with it: both are defined here.
(type_definition type: (struct_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.struct
(type_definition type: (union_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.union
(type_definition type: (enum_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.enum
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (_)* @declarator) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (_)* @declarator) @definition.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (_)* @declarator) @definition.enum
(type_definition type: (_) @type declarator: (_)* @declarator) @definition.type @scope
(declaration type: (struct_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.struct
(declaration type: (union_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.union
(declaration type: (enum_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.enum
(field_declaration type: (struct_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_) declarator: (_)* @declarator) @definition.struct
(field_declaration type: (union_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_) declarator: (_)* @declarator) @definition.union
(field_declaration type: (enum_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_) declarator: (_)* @declarator) @definition.enum

(struct_specifier name: (_) @declarator body: (_) @body) @definition.struct
(union_specifier name: (_) @declarator body: (_) @body) @definition.union
(enum_specifier name: (_) @declarator body: (_) @body) @definition.enum
(enumerator name: (identifier) @name value: (_)? @value) @definition.variant
(field_declaration type: (_ body: (_) @body) declarator: (_)* @declarator) @definition.field @scope
(field_declaration type: (_) @type declarator: (_)* @declarator) @definition.field @scope
(declaration type: (_ body: (_) @body)
  declarator: [(init_declarator declarator: (_) @declarator value: (_) @value) (_) @declarator]*) @definition.variable @scope
(declaration type: (_) @type
  declarator: [(init_declarator declarator: (_) @declarator value: (_) @value) (_) @declarator]*) @definition.variable @scope
(preproc_function_def name: (identifier) @name value: (_) @body @value) @definition.macro
(preproc_function_def name: (identifier) @name @value) @definition.macro
(preproc_def name: (identifier) @declarator value: (_) @value) @definition.macro
(preproc_def name: (identifier) @declarator @value) @definition.macro
(linkage_specification) @wrapper

; Imports
(preproc_include) @import

; Local names
(parameter_declaration type: (_) @type declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local))
  (pointer_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local)))
  (array_declarator declarator: (identifier) @local)
  (array_declarator declarator: (array_declarator declarator: (identifier) @local))
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @local))
  (function_declarator declarator: (identifier) @local)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))
])
(abstract_function_declarator parameters: (_) @inner)
(function_declarator declarator: (parenthesized_declarator [(pointer_declarator) (abstract_pointer_declarator)]) parameters: (_) @inner)
((parameter_declaration type: (_) @type @nameless !declarator) (#not-eq? @nameless "void"))
(parameter_declaration type: (_) @type @nameless declarator: [(abstract_pointer_declarator) (abstract_array_declarator) (abstract_function_declarator)])
(parameter_list (identifier)* @local)
(preproc_params (identifier)* @local)
(type_descriptor) @scope
(compound_statement) @scope

; Uses
; What is given to a macro may be the name of a member.
((call_expression function: (identifier) @_macro @reference.call arguments: (_) @arguments) (#match? @_macro "^[A-Z]"))
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @reference.call))
(call_expression function: (parenthesized_expression (pointer_expression argument: (identifier) @reference.call)))
(call_expression function: (parenthesized_expression (pointer_expression
  argument: (field_expression argument: (_) @receiver field: (field_identifier) @reference.call))))
(field_expression argument: (_) @receiver field: (field_identifier) @reference.member)
(macro_type_specifier name: (identifier) @reference.call)
(type_identifier) @reference.type
(field_designator (field_identifier) @reference.member)
(initializer_pair designator: (field_identifier) @reference.member)
(field_identifier) @reference.member
(identifier) @reference.variable

((preproc_call directive: (_) @_directive) @skip (#not-eq? @_directive "#undef"))
(preproc_arg) @text

; Values that pass through; what is cast is as good as its type.
(cast_expression type: (type_descriptor type: [
  (type_identifier) @reference.type
  (struct_specifier name: (type_identifier) @reference.type)
]))
(cast_expression value: (_) @through)
(compound_literal_expression type: (type_descriptor type: [
  (type_identifier) @reference.type
  (struct_specifier name: (type_identifier) @reference.type)
]))
(parenthesized_expression (_) @through)
(pointer_expression argument: (_) @through)
(subscript_expression argument: (_) @through)

[(string_literal) (char_literal) (number_literal) (true) (false) (null)] @literal @skip
(concatenated_string) @literal
(initializer_list) @literal @whole
[(attribute_specifier) (attribute_declaration) (ms_declspec_modifier)] @skip
(comment) @comment

; Complexity
(if_statement alternative: (else_clause (if_statement) @flat)?) @branch @scope
(else_clause) @else
(while_statement) @branch @scope
(do_statement) @branch @scope
(for_statement) @branch @scope
(switch_statement) @switch @scope
(case_statement value: (_)) @case
(conditional_expression consequence: [(null) (number_literal)] alternative: (_) @through) @branch
(conditional_expression consequence: (_) @through) @branch
(binary_expression operator: ["&&" "||"]) @logical
