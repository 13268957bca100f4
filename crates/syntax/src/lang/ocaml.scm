; Definitions
(value_definition) @wrapper
(let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) type: (_)? @type body: (_) @body) @definition.function
(let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)]
  body: [(fun_expression) (function_expression) (let_expression)] @body) @definition.function
(let_binding pattern: (unit) @name body: (_) @body) @definition.function
(let_binding pattern: (string) @name body: (_) @body) @definition.test
(let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] type: (_)? @type body: (_) @value) @definition.constant
(value_specification [(value_name) @name (parenthesized_operator (_) @name)] type: (_) @type) @definition.function
(external [(value_name) @name (parenthesized_operator (_) @name)] type: (_) @type) @definition.function
(module_definition) @wrapper
(module_binding (module_name) @name body: (module_path) @body) @definition.module @import
(module_binding (module_name) @name
  module_type: [
    (module_type_path (module_type_name) @reference.implementation)
    (module_type_constraint module_type: (module_type_path (module_type_name) @reference.implementation))
  ]?
  body: (_)? @body) @definition.module
(module_type_definition (module_type_name) @name body: (_)? @body) @definition.interface
(type_definition) @wrapper
(type_binding name: (type_constructor) @name body: (variant_declaration) @body) @definition.enum
(type_binding name: (type_constructor) @name body: (record_declaration) @body) @definition.struct
(type_binding name: (type_constructor) @name) @definition.type
(exception_definition) @wrapper
(constructor_declaration (constructor_name) @name) @definition.variant
(field_declaration (field_name) @name type: (_) @type) @definition.field
(class_definition) @wrapper
(class_binding (class_name) @name body: (_)? @body) @definition.class @scope
(class_type_definition) @wrapper
(class_type_binding (class_type_name) @name body: (_)? @body) @definition.interface
(method_definition (method_name) @name type: (_)? @type body: (_)? @body) @definition.function
(method_specification (method_name) @name type: (_)? @type) @definition.function
(instance_variable_definition (instance_variable_name) @name body: (_)? @value) @definition.field
(inheritance_definition class: (class_path (module_path)? @qualifier (class_name) @reference.implementation))
(inheritance_specification (class_type_path (extended_module_path)? @qualifier (class_type_name) @reference.implementation))

; Imports
(open_module) @import
(open_module_signature) @import
(include_module) @import
(include_module_type) @import

; Local names
(value_pattern) @local
(let_expression) @scope
(fun_expression) @nest @scope

; Uses
(application_expression function: (value_path (module_path)? @qualifier (value_name) @reference.call))
(application_expression function: (constructor_path (module_path)? @qualifier (constructor_name) @reference.call))
(application_expression function: (_) @through)
((infix_expression operator: (rel_operator) @_pipe right: (value_path (module_path)? @qualifier (value_name) @reference.call))
  (#eq? @_pipe "|>"))
(infix_expression operator: [(and_operator) (or_operator)]) @logical
((value_path (value_name) @_self) @this (#eq? @_self "self"))
(value_path (module_path) @qualifier (value_name) @reference.variable)
(value_path (value_name) @reference.variable)
(constructor_path (module_path)? @qualifier (constructor_name) @reference.variable)
(type_constructor_path (extended_module_path)? @qualifier (type_constructor) @reference.type)
(module_type_path (extended_module_path)? @qualifier (module_type_name) @reference.type)
(field_get_expression record: (_) @receiver field: (field_path (field_name) @reference.member))
(field_path (field_name) @reference.member)
(method_invocation object: (_) @receiver method: (method_name) @reference.call)
(new_expression (class_path (module_path)? @qualifier (class_name) @reference.call))
(instance_variable_name) @reference.variable
(module_path (module_path) @qualifier (module_name) @reference.variable)
(module_name) @reference.variable
(parenthesized_expression expression: (_) @through)

[(number) (character) (boolean) (unit)] @literal @skip
(string) @literal
(comment) @comment
(item_attribute) @attribute

; Complexity
(if_expression (else_clause expression: (if_expression) @flat)?) @branch
(else_clause) @else
(for_expression) @branch @scope
(while_expression) @branch
(match_expression) @switch
(function_expression) @switch @scope
(try_expression) @branch
(match_case pattern: (any_pattern)) @scope
(match_case) @case @scope
