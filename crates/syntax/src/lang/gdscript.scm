; Definitions
(class_name_statement name: (name) @name) @definition.class
(class_definition name: (name) @name body: (_) @body) @definition.class
(function_definition name: (name) @name return_type: (_)? @type body: (_) @body) @definition.function
(constructor_definition "_init" @name body: (_) @body) @definition.constructor
(signal_statement name: (name) @name) @definition.event @scope
(enum_definition name: (name) @name body: (_) @body) @definition.enum
(enumerator left: (identifier) @name) @definition.variant
(const_statement name: (name) @name type: (type)? @type value: (_)? @value) @definition.constant
(variable_statement name: (name) @name type: (type)? @type value: (_)? @value) @definition.variable
(export_variable_statement name: (name) @name type: (type)? @type value: (_)? @value) @definition.variable
(onready_variable_statement name: (name) @name type: (type)? @type value: (_)? @value) @definition.variable

; Imports
(extends_statement (string) @path) @import
(call . (identifier) @_load arguments: (arguments . (string) @path) (#any-of? @_load "preload" "load")) @import

; Local names
(parameters (identifier)* @local)
(typed_parameter . (identifier) @local type: (_) @type)
(typed_default_parameter . (identifier) @local type: (_)? @type value: (_) @value)
(default_parameter . (identifier) @local value: (_) @value)
(variadic_parameter . (identifier) @local)
(for_statement left: (identifier) @local) @branch @scope
(pattern_binding (identifier) @local)
(lambda) @nest @scope
[(set_body) (get_body)] @scope

; Uses
(extends_statement (type (identifier) @reference.implementation))
(annotation . (identifier) @reference.call) @attribute
(attribute) @tokens
(attribute_call . (identifier) @reference.call)
(attribute_subscript . (identifier) @reference.member)
(call . (identifier) @reference.call)
(base_call . (identifier) @reference.call)
(type (identifier) @reference.type)
(type (subscript . (identifier) @reference.type arguments: (subscript_arguments (identifier)* @reference.type)))
(subscript . (_) @through)
(parenthesized_expression (_) @through)
(await_expression (_) @through)
((identifier) @_any (#eq? @_any "_"))
((identifier) @this (#eq? @this "self"))
((identifier) @super (#eq? @super "super"))
(identifier) @reference.variable
[(string) (integer) (float) (true) (false) (null) (array) (dictionary)] @literal
(comment) @comment

; Complexity
(if_statement) @branch
(elif_clause) @elif
(else_clause) @else
(while_statement) @branch @scope
(conditional_expression) @branch
(match_statement) @switch
(pattern_section . (identifier) @_any (#eq? @_any "_")) @scope
(pattern_section) @case @scope
(binary_operator op: ["and" "or" "&&" "||"]) @logical
