; Definitions
(namespace_definition name: (namespace_name) @name body: (_)? @body) @definition.namespace
(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(enum_case name: (name) @name) @definition.variant
(function_definition name: (name) @name return_type: (_)? @type body: (_) @body) @definition.function
(method_declaration name: (name) @name return_type: (_)? @type body: (_)? @body) @definition.function
(const_declaration type: (_)? @type (const_element . (name) @name)*) @definition.constant
(property_declaration type: (_)? @type (property_element name: (variable_name (name) @name)) (property_hook_list) @body) @definition.property
(property_declaration type: (_)? @type (property_element name: (variable_name (name) @name) default_value: (_)? @value)*) @definition.field
(property_promotion_parameter type: (_)? @type name: (variable_name (name) @name)) @definition.field
(property_hook) @scope
((function_call_expression function: (name) @_define @reference.call
  arguments: (arguments . (argument [(string) (encapsed_string)] @name))) @definition.constant
  (#eq? @_define "define"))
((assignment_expression left: (member_access_expression object: (variable_name) @_this name: (name) @name) right: (_) @value)
  @definition.field (#eq? @_this "$this"))
(assignment_expression left: (variable_name (name) @name) right: (_) @value) @definition.variable

; Pest: `it('adds', function () { .. })`
((function_call_expression function: (name) @_test @reference.call
  arguments: (arguments . (argument [(string) (encapsed_string)] @name)
    (argument [(anonymous_function) (arrow_function)] @body))) @definition.test
  (#any-of? @_test "it" "test" "describe"))

; Imports
(namespace_use_declaration) @import
[(include_expression) (include_once_expression) (require_expression) (require_once_expression)] @import

; Local names
(formal_parameters (property_promotion_parameter name: (variable_name (name) @local))*)
(simple_parameter type: (_)? @type name: (variable_name (name) @local) default_value: (_)? @value)
(variadic_parameter type: (_)? @type name: (variable_name (name) @local))
(static_variable_declaration name: (variable_name (name) @local) value: (_)? @value)
(catch_clause type: (type_list . (named_type) @type) name: (variable_name (name) @local)) @branch
(catch_clause) @branch
(list_literal [(variable_name (name) @local) (by_ref (variable_name (name) @local))]*)
(foreach_statement . (_) @element (pair . (_) [(variable_name (name) @local) (by_ref (variable_name (name) @local))])) @branch
(foreach_statement . (_) (pair)) @branch
(pair . (variable_name (name) @local))
(foreach_statement . (_) @element (by_ref (variable_name (name) @local))) @branch
(foreach_statement . (_) (list_literal)) @branch
(foreach_statement . (_) @element (variable_name (name) @local)) @branch
(foreach_statement) @branch
(anonymous_function) @nest @scope @closure
(arrow_function body: (_) @return) @nest @scope @closure
(return_statement (_) @return)

; Inheritance
(base_clause [(name) @reference.implementation (qualified_name "\\" @qualifier (name) @reference.implementation) (relative_name "\\" @qualifier (name) @reference.implementation)]*)
(class_interface_clause [(name) @reference.implementation (qualified_name "\\" @qualifier (name) @reference.implementation) (relative_name "\\" @qualifier (name) @reference.implementation)]*)
(use_declaration [(name) @reference.implementation (qualified_name "\\" @qualifier (name) @reference.implementation) (relative_name "\\" @qualifier (name) @reference.implementation)]*)

; Uses
(object_creation_expression [(name) @reference.call (qualified_name "\\" @qualifier (name) @reference.call) (relative_name "\\" @qualifier (name) @reference.call)])
; What comes out is one of what goes in.
((function_call_expression function: (name) @_first @reference.call arguments: (arguments "(" @key @through . (argument (_) @value)))
  (#any-of? @_first "array_pop" "array_shift" "current" "end" "next" "prev" "reset"))
; A function is handed over by its name: `array_map('clean', $all)`.
((function_call_expression function: (name) @_taking @reference.call arguments: (arguments . (argument (string) @reference.call)))
  (#any-of? @_taking "array_map" "call_user_func" "call_user_func_array" "function_exists" "is_callable" "ob_start"
    "register_shutdown_function" "set_error_handler" "set_exception_handler" "spl_autoload_register"))
((function_call_expression function: (name) @_taking @reference.call arguments: (arguments . (argument) . (argument (string) @reference.call)))
  (#any-of? @_taking "array_filter" "array_reduce" "array_walk" "array_walk_recursive" "iterator_apply" "preg_replace_callback" "uasort"
    "uksort" "usort"))
(function_call_expression function: (name) @reference.call arguments: (arguments) @arguments)
(function_call_expression function: [(qualified_name "\\" @qualifier (name) @reference.call) (relative_name "\\" @qualifier (name) @reference.call)])
; A stand-in is as good as what it stands in for.
((member_call_expression object: (_) @receiver name: (name) @_made @reference.call
    arguments: (arguments . (argument (class_constant_access_expression . (_) @through))))
  (#any-of? @_made "createMock" "createStub" "createPartialMock" "createConfiguredMock" "getMockForAbstractClass"
    "getMockBuilder" "prophesize"))
; A method that is handed over to be called: `[$this, 'name']`, `[Shape::class, 'name']`, and to a call `[$shape, 'name']`.
((array_creation_expression (array_element_initializer . (variable_name) @receiver @_this .)
    (array_element_initializer . (string) @reference.call .))
  (#eq? @_this "$this"))
(argument (array_creation_expression . (array_element_initializer . (variable_name) @receiver .)
  (array_element_initializer . (string) @reference.call .) .))
(array_creation_expression (array_element_initializer . (object_creation_expression) @receiver .)
  (array_element_initializer . (string) @reference.call .))
(array_creation_expression (array_element_initializer . (class_constant_access_expression . (name) @qualifier) .)
  (array_element_initializer . (string) @reference.call .))
(array_creation_expression (array_element_initializer . (class_constant_access_expression . (relative_scope) @receiver) .)
  (array_element_initializer . (string) @reference.call .))
(member_call_expression object: (_) @receiver name: (name) @reference.call arguments: (arguments) @arguments)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @reference.call arguments: (arguments) @arguments)
(scoped_call_expression scope: (name) @reference.type @qualifier name: (name) @reference.call arguments: (arguments) @arguments)
(scoped_call_expression scope: (qualified_name) @qualifier name: (name) @reference.call)
(scoped_call_expression scope: (_) @receiver name: (name) @reference.call)
(member_access_expression object: (_) @receiver name: (name) @reference.member)
(nullsafe_member_access_expression object: (_) @receiver name: (name) @reference.member)
(scoped_property_access_expression scope: (name) @reference.type @qualifier name: (variable_name (name) @reference.member))
(scoped_property_access_expression scope: (qualified_name) @qualifier name: (variable_name (name) @reference.member))
(scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @reference.member))
((class_constant_access_expression . (name) @reference.type (name) @_class @ignore) (#eq? @_class "class"))
((class_constant_access_expression . (_) (name) @_class @ignore) (#eq? @_class "class"))
(class_constant_access_expression . (name) @reference.type @qualifier (name) @reference.member)
(class_constant_access_expression . (qualified_name) @qualifier (name) @reference.member)
(class_constant_access_expression . (_) @receiver (name) @reference.member)
(argument name: (name) @ignore)
(binary_expression left: (variable_name (name) @narrowed) operator: "instanceof" right: (name) @value @reference.type)
(binary_expression left: (variable_name (name) @narrowed) operator: "instanceof" right: (qualified_name "\\" @qualifier (name) @reference.type) @value)
(binary_expression operator: "instanceof" right: (name) @reference.type)
((named_type) @_self @skip (#any-of? @_self "self" "static" "parent"))
(named_type (name) @reference.type)
(attribute [(name) @reference.call (qualified_name "\\" @qualifier (name) @reference.call) (relative_name "\\" @qualifier (name) @reference.call)])
(qualified_name "\\" @qualifier (name) @reference.type)
(relative_name "\\" @qualifier (name) @reference.type)
(namespace_name) @skip
((variable_name) @this @skip (#eq? @this "$this"))
(variable_name (name) @reference.variable)
((relative_scope) @super (#eq? @super "parent"))
(relative_scope) @this
((name) @_word (#any-of? @_word "self" "static" "parent" "class" "get" "set"
  "__DIR__" "__FILE__" "__LINE__" "__CLASS__" "__FUNCTION__" "__METHOD__" "__NAMESPACE__" "__TRAIT__"))
(name) @reference.variable

; Values that pass through
(parenthesized_expression (_) @through)
(subscript_expression . (_) @through)
(clone_expression (_) @through)

[(encapsed_string) (heredoc) (array_creation_expression)] @literal
[(string) (nowdoc) (integer) (float) (boolean) (null)] @literal @skip
(comment) @comment
(text) @skip

; Complexity
(if_statement (else_clause body: (if_statement) @flat)?) @branch
(else_if_clause) @elif
(else_clause) @else
[(for_statement) (while_statement) (do_statement)] @branch
(conditional_expression body: (null) alternative: (_) @through) @branch
(conditional_expression body: (_)? @through) @branch
(switch_statement) @switch
(match_expression) @switch
(case_statement) @case
(match_conditional_expression) @case
(binary_expression operator: ["&&" "||" "??" "and" "or" "xor"]) @logical
