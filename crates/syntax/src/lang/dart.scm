; Definitions
(class_declaration name: (_) @name body: (_)? @body) @definition.class
(mixin_declaration name: (identifier) @name body: (_) @body) @definition.trait
(mixin_application_class . (identifier) @name) @definition.class
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_entry name: (identifier) @name) @definition.variant
(extension_declaration name: (identifier) @name class: (type . (type_identifier) @owner) body: (_) @body) @definition.impl
(extension_declaration class: (type . (type_identifier) @name) body: (_) @body) @definition.impl
(extension_type_declaration name: (extension_type_name (identifier) @name) body: (_)? @body) @definition.struct
(extension_type_representation type: (_) @type name: (identifier) @name) @definition.field
(type_alias (type_identifier) @name) @definition.type @scope
(function_declaration signature: (function_signature return_type: (_)? @type name: (identifier) @name) body: (_) @body) @definition.function
(local_function_declaration (function_signature return_type: (_)? @type name: (identifier) @name) (function_body) @body) @definition.function
(getter_declaration signature: (getter_signature return_type: (_)? @type name: (identifier) @name) body: (_) @body) @definition.function
(setter_declaration signature: (setter_signature name: (identifier) @name) body: (_) @body) @definition.function
(external_function_declaration (function_signature return_type: (_)? @type name: (identifier) @name)) @definition.function
(method_declaration signature: (method_signature [
    (function_signature return_type: (_)? @type name: (identifier) @name)
    (getter_signature return_type: (_)? @type name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (operator_signature return_type: (_)? @type operator: [(binary_operator) "[]" "[]=" "~"] @name)
  ]) body: (_) @body) @definition.function
(method_declaration signature: (method_signature [(constructor_signature) (factory_constructor_signature)] @declarator)
  body: (_) @body) @definition.constructor
; A constructor without a body is complete all the same: what it is made of counts as its value.
(declaration [(constructor_signature) (constant_constructor_signature) (factory_constructor_signature) (redirecting_factory_constructor_signature)] @declarator @value) @definition.constructor
(declaration [
    (function_signature return_type: (_)? @type name: (identifier) @name)
    (getter_signature return_type: (_)? @type name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (operator_signature return_type: (_)? @type operator: [(binary_operator) "[]" "[]=" "~"] @name)
  ]) @definition.function
(declaration (type)? @type [
    (initialized_identifier_list (initialized_identifier name: (identifier) @name value: (_)? @value)*)
    (static_final_declaration_list (static_final_declaration name: (identifier) @name value: (_)? @value)*)
    (identifier_list (identifier)* @name)
  ]) @definition.variable
(top_level_variable_declaration type: (_)? @type [
    (initialized_identifier_list (initialized_identifier name: (identifier) @name value: (_)? @value)*)
    (static_final_declaration_list (static_final_declaration name: (identifier) @name value: (_)? @value)*)
  ]) @definition.variable

; Tests
((call_expression function: (identifier) @_test @reference.call
  arguments: (arguments . (string_literal) @name (function_expression) @body)) @definition.test
  (#any-of? @_test "test" "testWidgets" "blocTest"))
((call_expression function: (identifier) @_group @reference.call
  arguments: (arguments . (string_literal) @name (function_expression) @body)) @definition.block
  (#eq? @_group "group"))

; Imports
(import_or_export) @import
(part_directive) @import
(part_of_directive) @import

; Local names
(initialized_variable_declaration (type)? @type name: (identifier) @local value: (_)? @value)
(formal_parameter (type)? @type name: (identifier) @local)
(formal_parameter . (identifier) @local)
(field_formal_parameter name: (identifier) @reference.member)
(for_statement name: (identifier) @local value: (_) @value) @branch @scope
(for_statement) @branch @scope
(for_element name: (identifier) @local value: (_) @value) @branch @scope
(catch_clause exception: (identifier) @local stack_trace: (identifier)? @local) @branch
(variable_pattern name: (identifier) @local)
(function_expression) @nest @scope
(block) @scope

; Inheritance
(superclass) @tokens
(mixins) @tokens
(interfaces) @tokens
(type) @tokens

; Uses
(call_expression function: (identifier) @reference.call)
(call_expression function: [
    (member_expression object: [(_) "this" "super"] @receiver property: (identifier) @reference.call)
    (null_aware_member_expression object: [(_) "this" "super"] @receiver property: (identifier) @reference.call)
  ])
(call_expression function: (_) @through)
(cascade_call_expression property: (identifier) @reference.call)
(new_expression type: (type . (type_identifier) @reference.call))
(const_object_expression type: (type . (type_identifier) @reference.call))
(annotation name: (identifier) @reference.call)
(member_expression object: [(_) "this" "super"] @receiver property: (identifier) @reference.member)
(null_aware_member_expression object: [(_) "this" "super"] @receiver property: (identifier) @reference.member)
(assignable_expression object: [(_) "this" "super"] @receiver property: (identifier) @reference.member)
(label) @skip
(library_name) @skip
(type_identifier) @reference.type
(identifier_dollar_escaped) @reference.variable
(identifier) @reference.variable
"this" @this
"super" @super

; Values that pass through
(parenthesized_expression (_) @through)
(await_expression (_) @through)
(unary_expression (_) @through)
(null_assertion_expression value: (_) @through)
(index_expression object: (_) @through)
(cascade . (_) @through)

[(string_literal) (list_literal) (set_or_map_literal) (record_literal)] @literal
[(decimal_integer_literal) (decimal_floating_point_literal) (hex_integer_literal) (true) (false) (null_literal)] @literal @skip
[(comment) (block_comment) (documentation_comment) (documentation_block_comment)] @comment

; Complexity
(if_statement alternative: (if_statement) @flat) @branch
(if_statement) @branch
(if_element) @branch
"else" @else
[(while_statement) (do_statement) (conditional_expression)] @branch
[(switch_statement) (switch_expression)] @switch
[(switch_statement_case) (switch_expression_case)] @case
[(logical_and_expression) (logical_or_expression)] @logical
