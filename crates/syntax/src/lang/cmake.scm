; Names that are only known when it runs
(normal_command (identifier) @reference.call (argument_list . (argument (unquoted_argument (variable_ref)))))
(normal_command (identifier) @reference.call (argument_list . (argument (quoted_argument (quoted_element (variable_ref))))))

; Definitions
(function_def (function_command (argument_list . (argument (_) @name))) (body)? @body) @definition.function
(macro_def (macro_command (argument_list . (argument (_) @name))) (body)? @body) @definition.macro
(normal_command (identifier) @_command (argument_list . (argument (_) @name))
  (#any-of? @_command "add_library" "add_executable" "add_custom_target" "ADD_LIBRARY" "ADD_EXECUTABLE" "ADD_CUSTOM_TARGET")) @definition.target
(normal_command (identifier) @_command (argument_list . (argument (_) @name))
  (#any-of? @_command "set" "option" "SET" "OPTION")) @definition.variable
(normal_command (identifier) @_command (argument_list . (argument (_) @name))
  (#any-of? @_command "project" "PROJECT")) @definition.module
(normal_command (identifier) @_command (argument_list . (argument (_) @_first)) @declarator @value
  (#any-of? @_command "add_test" "ADD_TEST") (#eq? @_first "NAME")) @definition.test
(normal_command (identifier) @_command (argument_list . (argument (_) @name)) @value
  (#any-of? @_command "add_test" "ADD_TEST")) @definition.test

; Imports
(normal_command (identifier) @_command (argument_list . (argument (_) @path))
  (#any-of? @_command "include" "find_package" "add_subdirectory" "INCLUDE" "FIND_PACKAGE" "ADD_SUBDIRECTORY")) @import

; Uses
(normal_command (identifier) @_command (argument_list (argument (unquoted_argument) @reference.variable)*)
  (#any-of? @_command "target_link_libraries" "add_dependencies" "TARGET_LINK_LIBRARIES" "ADD_DEPENDENCIES"))
(normal_command (identifier) @reference.call)
(function_command (argument_list . (argument) (argument (unquoted_argument) @local)*))
(macro_command (argument_list . (argument) (argument (unquoted_argument) @local)*))
(foreach_command (argument_list . (argument (unquoted_argument) @local)))
(variable) @reference.variable
[(line_comment) (bracket_comment)] @comment

; Complexity
(if_condition) @branch
(elseif_command) @elif
(else_command) @else
(foreach_loop) @branch @scope
(while_loop) @branch
