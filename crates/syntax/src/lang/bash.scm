; Definitions
(function_definition name: (word) @name body: (_) @body) @definition.function
(declaration_command ["local" "declare" "typeset" "readonly"]
  [(variable_name) @name (variable_assignment name: (variable_name) @name)]*) @definition.variable
(declaration_command "export" (variable_assignment name: (variable_name) @name)*) @definition.variable
(variable_assignment name: (variable_name) @declarator) @definition.variable
((command name: (command_name (word) @_test) argument: [(string) (raw_string)] @name
  (#eq? @_test "@test")) @definition.test)

; Imports
((command name: (command_name (word) @_source) argument: [(word) (string) (raw_string) (concatenation) (simple_expansion)] @path @wildcard
  (#any-of? @_source "source" ".")) @import)

; Local names
(for_statement variable: (variable_name) @local) @branch
(c_style_for_statement) @branch

; Uses
((command name: (command_name (word) @_trap) argument: (word) @reference.call
  (#any-of? @_trap "trap" "command" "builtin" "exec" "sudo" "time")))
(command name: (command_name (word) @reference.call))
((variable_name) @_special
  (#any-of? @_special "0" "1" "2" "3" "4" "5" "6" "7" "8" "9"))
(variable_name) @reference.variable
(comment) @comment

; Complexity
(if_statement) @branch
(elif_clause) @elif
(else_clause) @else
(while_statement) @branch
(ternary_expression) @branch
(case_statement) @switch
((case_item value: (_) @_default) (#eq? @_default "*"))
(case_item) @case
(list ["&&" "||"]) @logical
(binary_expression operator: ["&&" "||"]) @logical
