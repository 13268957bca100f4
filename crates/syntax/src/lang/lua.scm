; Imports
((variable_declaration (assignment_statement
  (variable_list . name: (identifier) @alias)
  (expression_list . value: (function_call name: (identifier) @_require
    arguments: (arguments . (string content: (_) @path)))))
  (#eq? @_require "require")) @import @skip)
((function_call name: (identifier) @_require arguments: (arguments . (string content: (_) @path))
  (#any-of? @_require "require" "dofile")) @import)

(return_statement) @offer

; Definitions
(function_declaration name: (identifier) @name body: (_)? @body) @definition.function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name) body: (_)? @body) @definition.function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name) body: (_)? @body) @definition.function
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body)))) @definition.function
(variable_declaration (assignment_statement
  (variable_list name: (identifier)* @name)
  (expression_list . value: (_) @value))) @definition.variable
(variable_declaration (variable_list name: (identifier)* @name)) @definition.variable
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name))
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (identifier) @declarator)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression) @declarator)
  (expression_list . value: (_) @value)) @definition.field
(assignment_statement
  (variable_list name: (identifier)* @declarator)
  (expression_list . value: (_) @value)) @definition.variable
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @definition.function
((function_call name: (identifier) @reference.call
  arguments: (arguments . (string content: (_) @name) (function_definition body: (_)? @body))
  (#any-of? @reference.call "describe" "context" "it" "test" "spec")) @definition.test)

; Local names
(parameters name: (identifier)* @local)
(for_statement clause: [
  (for_generic_clause (variable_list name: (identifier)* @local))
  (for_numeric_clause name: (identifier) @local)
]) @branch @scope
(function_definition) @scope
(do_statement) @scope

; Uses
(function_call name: (identifier) @reference.call)
(function_call name: (dot_index_expression table: (_) @receiver field: (identifier) @reference.call))
(function_call name: (method_index_expression table: (_) @receiver method: (identifier) @reference.call))
(dot_index_expression table: (_) @receiver field: (identifier) @reference.member)
(method_index_expression table: (_) @receiver method: (identifier) @reference.member)
(field name: (identifier) @reference.member)
(goto_statement) @skip
(label_statement) @skip
(attribute) @skip
((identifier) @this (#eq? @this "self"))
(identifier) @reference.variable

; Values that pass through
((function_call name: (identifier) @reference.call arguments: (arguments (_) . (identifier) @through @reference.variable))
  (#eq? @reference.call "setmetatable"))
(return_statement (expression_list . (_) @return))
(parenthesized_expression (_) @through)
(bracket_index_expression table: (_) @through)

[(string) (number) (true) (false) (nil) (table_constructor)] @literal
(comment) @comment

; Complexity
(if_statement) @branch @scope
(elseif_statement) @elif
(else_statement) @else
(while_statement) @branch @scope
(repeat_statement) @branch @scope
(binary_expression operator: ["and" "or"]) @logical
