; Definitions
(package_statement name: (package) @name (block)? @body) @definition.module
(class_statement name: (package) @name (block)? @body) @definition.class
(role_statement name: (package) @name (block)? @body) @definition.interface
(subroutine_declaration_statement name: (bareword) @name body: (_) @body) @definition.function
(subroutine_declaration_statement name: (bareword) @name) @definition.function
(method_declaration_statement name: (bareword) @name body: (_) @body) @definition.method
((use_statement module: (package) @_constant (list_expression . (autoquoted_bareword) @name (_) @value))
  @definition.constant (#eq? @_constant "constant"))
((use_statement module: (package) @_constant
  (anonymous_hash_expression (list_expression (autoquoted_bareword)* @name)))
  @definition.constant (#eq? @_constant "constant"))
(variable_declaration variable: [(scalar (varname) @name) (array (varname) @name) (hash (varname) @name)]) @definition.variable
(variable_declaration variables: [(scalar (varname) @name) (array (varname) @name) (hash (varname) @name)]*) @definition.variable
((ambiguous_function_call_expression function: (function) @reference.call
  arguments: (list_expression . [(string_literal content: (_) @name) (interpolated_string_literal content: (_) @name)]
    (anonymous_subroutine_expression body: (_) @body))
  (#any-of? @reference.call "subtest" "describe" "it")) @definition.test)
((function_call_expression function: (function) @reference.call
  arguments: (list_expression . [(string_literal content: (_) @name) (interpolated_string_literal content: (_) @name)]
    (anonymous_subroutine_expression body: (_) @body))
  (#any-of? @reference.call "subtest" "describe" "it")) @definition.test)

; Imports
((use_statement module: (package) @_parent
  [
    (list_expression (string_literal content: (_) @reference.implementation)*)
    (string_literal content: (_) @reference.implementation)
    (quoted_word_list)
  ])
  @import (#any-of? @_parent "parent" "base"))
(use_statement) @import
(require_expression [(bareword) (string_literal) (interpolated_string_literal)]) @import

; Local names
(mandatory_parameter (scalar (varname) @local))
(optional_parameter (scalar (varname) @local))
(slurpy_parameter [(array (varname) @local) (hash (varname) @local)])
(for_statement variable: (scalar (varname) @local)) @branch @scope
(for_statement) @branch @scope
(cstyle_for_statement) @branch @scope
(loop_statement) @branch @scope
(block) @scope
(anonymous_subroutine_expression) @nest @scope

; Uses
(function_call_expression function: (function (varname) @reference.call))
(function_call_expression function: (function) @reference.call)
(ambiguous_function_call_expression function: (function) @reference.call)
(method_call_expression invocant: (bareword) @qualifier method: (method) @reference.call)
(method_call_expression invocant: (_) @receiver method: (method) @reference.call)
(scalar (varname) @through)
(array (varname) @through)
(hash (varname) @through)
(varname (_))
((varname) @this (#any-of? @this "self" "class" "this"))
((varname) @_special (#any-of? @_special "_" "@" "!" "0" "1" "2" "3"))
(varname) @reference.variable
(bareword) @reference.variable
(package) @reference.variable
(parenthesized_expression (_) @through)

(number) @literal @skip
[(string_literal) (quoted_word_list)] @literal
[(interpolated_string_literal) (anonymous_hash_expression) (anonymous_array_expression)] @literal
[(comment) (pod)] @comment
(data_section) @skip

; Complexity
(conditional_statement) @branch
(elsif) @elif
(else) @else
(postfix_conditional_expression) @branch
(postfix_loop_expression) @branch
(postfix_for_expression) @branch
(conditional_expression) @branch
(binary_expression operator: ["&&" "||" "//"]) @logical
(lowprec_logical_expression operator: ["and" "or"]) @logical
