; Definitions
(function_statement (function_name) @name "{" @body) @definition.function
(class_statement . (simple_name) @name (simple_name)* @reference.implementation "{" @body) @definition.class
(class_property_definition (type_literal (type_spec) @type)? (variable) @name) @definition.field
(class_method_definition (type_literal (type_spec) @type)? (simple_name) @name "{" @body) @definition.function
(enum_statement . (simple_name) @name "{" @body) @definition.enum
(enum_member . (simple_name) @name) @definition.variant
(assignment_expression (left_assignment_expression) @declarator value: (_) @value) @definition.variable
((command command_name: (command_name) @reference.call
  command_elements: (command_elements
    (array_literal_expression (unary_expression (string_literal) @name))
    (array_literal_expression (unary_expression (script_block_expression) @body)))
  (#any-of? @reference.call "Describe" "Context" "It" "describe" "context" "it")) @definition.test)

; Imports
((command (command_invokation_operator) @_dot command_name: (_)) @import @skip (#eq? @_dot "."))
((command command_name: (command_name) @_import command_elements: (_))
  @import @skip (#any-of? @_import "using" "Using" "Import-Module" "import-module" "ipmo"))

; Local names
(script_parameter (attribute_list (attribute (type_literal (type_spec) @type)))? (variable) @local)
(class_method_parameter (type_literal (type_spec) @type)? (variable) @local)
(foreach_statement (variable) @local) @branch
(script_block_expression) @nest @scope

; Uses
((command command_name: (command_name) @_new
  command_elements: (command_elements (generic_token) @reference.call))
  (#any-of? @_new "New-Object" "new-object"))
(command command_name: (command_name) @reference.call)
(invokation_expression . (_) @receiver (member_name (simple_name) @reference.call))
(member_access . (_) @receiver (member_name (simple_name) @reference.member))
(type_literal (type_spec) @through)
(type_spec (type_name) @through)
(type_name (type_identifier) @through)
(type_identifier) @reference.type
((variable) @this (#any-of? @this "$this" "$This"))
((variable) @literal (#any-of? @literal "$_" "$true" "$false" "$null" "$True" "$False" "$Null" "$args" "$PSItem"))
(variable) @reference.variable

(parenthesized_expression (_) @through)
[(integer_literal) (real_literal)] @literal @skip
(string_literal) @literal
(comment) @comment

; Complexity
(if_statement) @branch
(elseif_clause) @elif
(else_clause) @else
(for_statement) @branch
(while_statement) @branch
(do_statement) @branch
(switch_statement) @switch
((switch_clause (switch_clause_condition) @_default) (#any-of? @_default "default" "Default"))
(switch_clause) @case
(catch_clause) @branch
(trap_statement) @branch
(logical_expression ["-and" "-or"]) @logical
