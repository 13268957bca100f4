; Definitions
(contract_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(library_declaration name: (identifier) @name body: (_) @body) @definition.class
(struct_declaration name: (identifier) @name body: (_) @body) @definition.struct
(struct_member type: (_) @type name: (identifier) @name) @definition.field
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_value) @name @definition.variant
(event_definition name: (identifier) @name) @definition.event
(error_declaration name: (identifier) @name) @definition.type
(event_parameter type: (_) @type name: (identifier) @name) @definition.field
(error_parameter type: (_) @type name: (identifier) @name) @definition.field
(user_defined_type_definition name: (identifier) @name (primitive_type) @type) @definition.type
(function_definition name: (identifier) @name return_type: (return_type_definition (parameter type: (_) @type))? body: (_)? @body) @definition.function
(modifier_definition name: (identifier) @name body: (_)? @body) @definition.function
(constructor_definition "constructor" @name body: (_) @body) @definition.constructor
(fallback_receive_definition ["receive" "fallback" "function"] @name body: (_)? @body) @definition.function
(state_variable_declaration type: (_) @type name: (identifier) @name value: (_)? @value) @definition.variable
(constant_variable_declaration type: (_) @type name: (identifier) @name value: (_)? @value) @definition.constant

; Imports
(import_directive) @import

; Local names
(parameter type: (_) @type name: (identifier) @local)
(variable_declaration_statement (variable_declaration type: (_) @type name: (identifier) @local) value: (_)? @value)
(variable_declaration_statement (variable_declaration_tuple (variable_declaration name: (identifier) @local)*))
(yul_variable_declaration left: (yul_identifier (identifier) @local))
(block_statement) @scope
(for_statement) @branch @scope

; Inheritance
(inheritance_specifier) @tokens
(user_defined_type) @tokens

; Uses
(call_expression function: (expression (identifier) @reference.call))
(call_expression function: (expression (member_expression object: (_) @receiver property: (identifier) @reference.call)))
(call_expression function: (expression (struct_expression type: (expression (member_expression object: (_) @receiver property: (identifier) @reference.call)))))
(call_expression function: (expression (struct_expression type: (expression (identifier) @reference.call))))
(call_expression function: (expression (new_expression name: (type_name (user_defined_type . (identifier) @reference.call)))))
(call_expression function: (_) @through)
(emit_statement name: (expression (identifier) @reference.call))
(emit_statement name: (expression (member_expression object: (_) @receiver property: (identifier) @reference.call)))
(revert_statement error: (expression (identifier) @reference.call))
(revert_statement error: (expression (member_expression object: (_) @receiver property: (identifier) @reference.call)))
(modifier_invocation (identifier) @reference.call)
(using_directive (type_alias (identifier) @reference.type))
(using_alias (user_defined_type (identifier) @reference.variable))
(member_expression object: (_) @receiver property: (identifier) @reference.member)
(call_struct_argument name: (identifier) @reference.member)
(struct_field_assignment name: (identifier) @reference.member)
((identifier) @this (#eq? @this "this"))
((identifier) @super (#eq? @super "super"))
((identifier) @_word (#any-of? @_word "_" "now"))
(identifier) @reference.variable

; Values that pass through
(expression (_) @through)
(parenthesized_expression (_) @through)
(array_access base: (_) @through)

[(number_literal) (string_literal) (hex_string_literal) (unicode_string_literal) (boolean_literal)] @literal @skip
(pragma_directive) @skip
(comment) @comment

; Complexity
(if_statement body: (statement (if_statement) @flat)*) @branch
"else" @else
[(while_statement) (do_while_statement) (catch_clause) (ternary_expression)] @branch
(binary_expression operator: ["&&" "||"]) @logical
