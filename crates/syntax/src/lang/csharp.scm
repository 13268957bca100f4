; Definitions
(namespace_declaration name: (_) @name @skip body: (_) @body) @definition.namespace
(file_scoped_namespace_declaration name: (_) @name) @definition.namespace @skip
(class_declaration name: (identifier) @name body: (_)? @body) @definition.class @scope
(struct_declaration name: (identifier) @name body: (_)? @body) @definition.struct @scope
(record_declaration "struct" name: (identifier) @name body: (_)? @body) @definition.struct @scope
(record_declaration name: (identifier) @name body: (_)? @body) @definition.class @scope
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface @scope
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(enum_member_declaration name: (identifier) @name value: (_)? @value) @definition.variant
; A delegate is a type, but its parameters are those of a function.
(delegate_declaration type: [(identifier) @type @reference.type (_) @type] name: (identifier) @name) @definition.function
; An extension method belongs to the type of its first parameter.
((method_declaration returns: [(identifier) @type @reference.type (_) @type] name: (identifier) @name
  parameters: (parameter_list . (parameter (modifier) @_this type: [
    (identifier) @owner
    (generic_name . (identifier) @owner)
    (nullable_type type: (identifier) @owner)
    (nullable_type type: (generic_name . (identifier) @owner))
    (qualified_name name: (identifier) @owner)
    (predefined_type) @owner
    (array_type)
    (nullable_type)
    (qualified_name)
    (tuple_type)
  ])) body: (_)? @body) @definition.method (#eq? @_this "this"))
(method_declaration returns: [(identifier) @type @reference.type (_) @type] name: (identifier) @name body: (_)? @body) @definition.method
(local_function_statement type: [(identifier) @type @reference.type (_) @type] name: (identifier) @name body: (_)? @body) @definition.function
(constructor_declaration name: (identifier) @name body: (_)? @body) @definition.constructor
(constructor_initializer ["base" "this"] @reference.call (argument_list) @arguments)
(destructor_declaration name: (identifier) @name body: (_)? @body) @definition.method
(operator_declaration type: [(identifier) @type @reference.type (_) @type]
  operator: ["+" "-" "*" "/" "%" "!" "~" "++" "--" "true" "false" "&" "|" "^" "<<" ">>" ">>>" "==" "!=" "<" ">" "<=" ">="] @name
  body: (_)? @body) @definition.method
(conversion_operator_declaration ["implicit" "explicit"] @name type: [(identifier) @type @reference.type (_) @type] body: (_)? @body) @definition.method
(indexer_declaration type: [(identifier) @type @reference.type (_) @type] "this" @name [(accessor_list) (arrow_expression_clause)] @body) @definition.method
; A property with code of its own has locals and paths like a function; one without is like a field.
(property_declaration type: [(identifier) @type @reference.type (_) @type] name: (identifier) @name value: (arrow_expression_clause) @body) @definition.method
(property_declaration type: [(identifier) @type @reference.type (_) @type] name: (identifier) @name
  accessors: (accessor_list (accessor_declaration body: (_))) @body) @definition.method
(property_declaration type: [(identifier) @type @reference.type (_) @type] name: (identifier) @name accessors: (_)? value: (_)? @value) @definition.property
(event_declaration type: [(identifier) @type @reference.type (_) @type] name: (identifier) @name accessors: (_) @body) @definition.event
(event_field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name)*)) @definition.event
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name
  [(invocation_expression) (object_creation_expression) (member_access_expression) (await_expression) (cast_expression)]? @value)*)) @definition.variable
; A parameter, or a property of a record: what is around it decides.
(parameter type: [(identifier) @type @reference.type (_) @type] name: (identifier) @name "=" @optional) @definition.variable
(parameter type: [(identifier) @type @reference.type (_) @type] name: (identifier) @name) @definition.variable
(parameter !type name: (identifier) @passed)
(parameter_list type: [(identifier) @type @reference.type (_) @type] name: (identifier) @local) @rest

; Imports
(using_directive) @import
(extern_alias_directive) @import

; Local names
(local_declaration_statement (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @local
  [(invocation_expression) (object_creation_expression) (member_access_expression) (await_expression) (cast_expression) (as_expression)
   (element_access_expression) (parenthesized_expression) (postfix_unary_expression) (with_expression) (conditional_access_expression)
   (conditional_expression) (binary_expression) (switch_expression) (query_expression) (implicit_array_creation_expression)]? @value)*))
(local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local
  [(invocation_expression) (object_creation_expression) (member_access_expression) (await_expression)]? @value)*))
(using_statement (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @local
  [(invocation_expression) (object_creation_expression) (member_access_expression) (await_expression)]? @value)*)) @scope
(using_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)*)) @scope
(fixed_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)*)) @scope
(for_statement initializer: (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)*)) @branch @scope
(for_statement) @branch @scope
(foreach_statement type: (implicit_type) left: (identifier) @local right: (_) @element) @branch @scope
(foreach_statement left: (tuple_pattern name: (identifier)* @local)) @branch @scope
(foreach_statement type: [(identifier) @type @reference.type (_) @type] left: (identifier) @local) @branch @scope
(foreach_statement) @branch @scope
(tuple_pattern name: (identifier)* @local)
(declaration_expression type: (implicit_type) name: (identifier) @local) @implied
(declaration_expression type: [(identifier) @type @reference.type (_) @type] name: (identifier) @local)
(declaration_pattern type: (implicit_type) name: (identifier) @local)
(declaration_pattern type: [(identifier) @type @reference.type (_) @type] name: (identifier) @local)
(recursive_pattern type: [(identifier) @type @reference.type (_) @type] name: (identifier)? @local)
(recursive_pattern name: (identifier) @local)
(var_pattern name: (identifier) @local)
(list_pattern name: (identifier) @local)
(parenthesized_variable_designation name: (identifier)* @local)
(catch_declaration type: [(identifier) @type @reference.type (_) @type] name: (identifier)? @local)
(from_clause type: [(identifier) @type @reference.type (_) @type] name: (identifier) @local)
(from_clause name: (identifier) @local "in" (_) @element)
(let_clause . (identifier) @local (_) @value)
(join_clause . (identifier) @local)
(join_into_clause (identifier) @local)
(query_expression) @scope
(is_pattern_expression expression: (_) @subject)
(lambda_expression parameters: (implicit_parameter) @passed) @nest @scope
(lambda_expression) @nest @scope
(anonymous_method_expression) @nest @scope
(type_parameter name: (identifier) @generic)
(type_parameter_constraints_clause . (identifier) @generic @reference.type
  (type_parameter_constraint type: [(identifier) (generic_name) (qualified_name) (alias_qualified_name)] @type))
(type_parameter_constraints_clause . (identifier) @reference.type)
(labeled_statement . (identifier) @ignore)
(goto_statement (identifier)) @skip
(block) @scope
(switch_section "case") @case @scope
(switch_section) @scope

; Uses
(base_list [
  (identifier) @reference.implementation
  (generic_name . (identifier) @reference.implementation)
  (qualified_name qualifier: (_) @qualifier name: [(identifier) @reference.implementation (generic_name . (identifier) @reference.implementation)])
  (alias_qualified_name alias: (_) @qualifier name: [(identifier) @reference.implementation (generic_name . (identifier) @reference.implementation)])
  (primary_constructor_base_type type: [
    (identifier) @reference.implementation
    (generic_name . (identifier) @reference.implementation)
    (qualified_name qualifier: (_) @qualifier name: [(identifier) @reference.implementation (generic_name . (identifier) @reference.implementation)])
  ])
]*)
(invocation_expression function: (identifier) @reference.call arguments: (_) @arguments)
(invocation_expression function: (generic_name . (identifier) @reference.call) arguments: (_) @arguments)
(invocation_expression function: (member_access_expression expression: [(_) "this" "base"] @receiver
  name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)]) arguments: (_) @arguments)
(invocation_expression function: (conditional_access_expression condition: [(_) "this" "base"] @receiver
  (member_binding_expression name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)])) arguments: (_) @arguments)
(invocation_expression function: (member_binding_expression name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)])
  arguments: (_) @arguments)
(invocation_expression function: (_) @through)
(object_creation_expression "new" @qualifier type: [
  (identifier) @reference.call
  (generic_name . (identifier) @reference.call)
  (qualified_name qualifier: (_) @qualifier name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)])
  (alias_qualified_name alias: (_) @qualifier name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)])
  (nullable_type)
] arguments: (_)? @arguments)
(conditional_access_expression condition: [(_) "this" "base"] @receiver
  (member_binding_expression name: [(identifier) @reference.member (generic_name . (identifier) @reference.member)]))
(conditional_access_expression (invocation_expression) @through)
(conditional_access_expression (member_access_expression) @through)
(member_access_expression expression: [(_) "this" "base"] @receiver
  name: [(identifier) @reference.member (generic_name . (identifier) @reference.member)])
(member_binding_expression name: (identifier) @reference.member)
(attribute name: [
  (identifier) @reference.type
  (generic_name . (identifier) @reference.type)
  (qualified_name qualifier: (_) @qualifier name: (identifier) @reference.type)
])
(attribute_argument name: (identifier) @reference.member)
(argument name: (identifier) @ignore (_) @through)
(argument [(_) "this"] @through)
(subpattern . (identifier) @reference.member)
(with_initializer . (identifier) @reference.member)
(initializer_expression (assignment_expression left: (identifier) @reference.member)*) @literal
(assignment_expression left: (_) @through)
(anonymous_object_creation_expression) @tokens
(explicit_interface_specifier (identifier) @reference.type)
; What is in no other namespace
((alias_qualified_name alias: (identifier) @ignore @_root name: (identifier) @reference.variable) (#eq? @_root "global"))
(alias_qualified_name alias: (_) @qualifier name: [(identifier) @reference.type (generic_name . (identifier) @reference.type)])
(qualified_name qualifier: (_) @qualifier name: [(identifier) @reference.type (generic_name . (identifier) @reference.type)])
(generic_name . (identifier) @reference.type)
(type_argument_list (identifier)* @reference.type)
(type_parameter_constraint type: (identifier) @reference.type)
(variable_declaration type: (identifier) @reference.type)
(nullable_type type: (identifier) @reference.type)
(array_type type: (identifier) @reference.type)
(pointer_type type: (identifier) @reference.type)
(ref_type type: (identifier) @reference.type)
(scoped_type type: (identifier) @reference.type)
(function_pointer_type returns: (identifier) @reference.type)
(function_pointer_parameter type: (identifier) @reference.type)
(tuple_element type: (identifier) @reference.type name: (identifier)? @_name)
(type_pattern type: (identifier) @reference.type)
(typeof_expression type: (identifier) @reference.type) @literal
(sizeof_expression type: (identifier) @reference.type) @literal
(default_expression type: (identifier) @reference.type)
(is_expression right: (identifier) @reference.type)
(as_expression right: [(identifier) @reference.type (generic_name . (identifier) @reference.type)])
(cast_expression type: [(identifier) @reference.type (generic_name . (identifier) @reference.type)])
; The grammar reads `(IShape)new Box<Shape>(size)` as two comparisons.
(binary_expression
  left: (binary_expression left: (cast_expression value: (object_creation_expression)) @through operator: "<" right: (identifier) @reference.type)
  operator: ">" right: [(parenthesized_expression) (tuple_expression)])
(predefined_type) @literal @skip
(identifier) @reference.variable
"this" @this
"base" @super

; Values that pass through
(parenthesized_expression (_) @through)
(await_expression "await" @key @through (_) @value)
(postfix_unary_expression (_) @through)
(element_access_expression expression: [(_) "this" "base"] @receiver subscript: (bracketed_argument_list "[" @reference.member))
(with_expression "this" @through)
(with_expression . (_) @through)
(cast_expression value: (_) @through)

[(integer_literal) (real_literal) (boolean_literal) (null_literal) (character_literal) (string_literal) (verbatim_string_literal)
 (raw_string_literal)] @literal @skip
[(interpolated_string_expression) (collection_expression)] @literal
(comment) @comment

; Complexity
(if_statement alternative: (if_statement)? @flat) @branch
"else" @else
(while_statement) @branch
(do_statement) @branch
(catch_clause) @branch @scope
(conditional_expression consequence: (null_literal) alternative: (_) @through) @branch
(conditional_expression consequence: (_) @through) @branch
(switch_statement value: (_) @subject) @switch
(switch_statement) @switch
(switch_expression . (_) @subject) @switch
(switch_expression_arm . (discard)) @scope
(switch_expression_arm) @case @scope
(binary_expression left: (_) @through operator: "??") @logical
(binary_expression operator: ["&&" "||"]) @logical
[(and_pattern) (or_pattern)] @logical
