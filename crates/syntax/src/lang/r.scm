; Definitions
(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]
  rhs: (function_definition body: (_) @body)) @definition.function
((binary_operator lhs: (identifier) @name operator: ["<-" "="]
  rhs: (call function: [(identifier) @_class (namespace_operator rhs: (identifier) @_class)]
    arguments: (arguments (argument name: (identifier) @_inherit value: (identifier) @reference.implementation)))
  (#any-of? @_class "R6Class" "setRefClass" "new_class") (#any-of? @_inherit "inherit" "parent" "contains")) @definition.class)
((binary_operator lhs: (identifier) @name operator: ["<-" "="]
  rhs: (call function: [(identifier) @_class (namespace_operator rhs: (identifier) @_class)])
  (#any-of? @_class "R6Class" "setRefClass" "new_class")) @definition.class)
(binary_operator lhs: (identifier) @name operator: ["<-" "="] rhs: (_) @value) @definition.variable
(binary_operator lhs: (_) @value operator: ["->"] rhs: (identifier) @name) @definition.variable
((call function: (identifier) @reference.call arguments: (arguments . (argument value: (string) @name))
  (#any-of? @reference.call "setClass" "setClassUnion")) @definition.class)
((call function: (identifier) @reference.call
  arguments: (arguments . (argument value: (string) @name) (argument value: (function_definition body: (_) @body)))
  (#any-of? @reference.call "setGeneric" "setMethod" "setReplaceMethod")) @definition.function)
((call function: (identifier) @reference.call
  arguments: (arguments . (argument value: (string) @name) (argument value: (braced_expression) @body))
  (#any-of? @reference.call "test_that" "describe" "it")) @definition.test)
; Methods of R6 and reference classes are functions in lists; so are handlers that are passed to a call.
((argument name: (identifier) @reference.member value: (function_definition))
  (#any-of? @reference.member "FUN" ".f" ".fn" "f" "fn" "fun" "error" "warning" "message" "condition" "interrupt" "finally" "handler" "exit"))
(argument name: (identifier) @name value: (function_definition body: (_) @body)) @definition.function

; Imports
((call function: (identifier) @_library arguments: (arguments . (argument value: [(identifier) (string)] @path @wildcard))
  (#any-of? @_library "library" "require")) @import)
((call function: (identifier) @_source arguments: (arguments . (argument value: (string) @path @wildcard))
  (#eq? @_source "source")) @import)
((call function: (identifier) @_source arguments: (arguments . (argument value: (string) @path))
  (#any-of? @_source "requireNamespace" "loadNamespace")) @import)

; Local names
(parameter name: (identifier) @local default: (_)? @value)
(for_statement variable: (identifier) @local) @branch
(function_definition) @scope

; Uses
((call function: (identifier) @_switch) @switch (#eq? @_switch "switch"))
(call function: (identifier) @reference.call)
(call function: (namespace_operator lhs: (identifier) @qualifier rhs: (identifier) @reference.call))
(call function: (extract_operator lhs: (_) @receiver rhs: (identifier) @reference.call))
(namespace_operator lhs: (identifier) @qualifier rhs: (identifier) @reference.variable)
(extract_operator lhs: (_) @receiver rhs: (identifier) @reference.member)
(argument name: (identifier) @reference.member)
((identifier) @this (#any-of? @this "self" "private" ".self"))
((identifier) @super (#eq? @super "super"))
((identifier) @_switch (#eq? @_switch "switch"))
(identifier) @reference.variable
(parenthesized_expression body: (_) @through)
(subset function: (_) @through)
(subset2 function: (_) @through)

[(string) (float) (integer) (complex) (true) (false) (null) (na) (inf) (nan)] @literal @skip
(comment) @comment

; Complexity
(if_statement alternative: (if_statement)? @flat) @branch
"else" @else
(while_statement) @branch
(repeat_statement) @branch
(binary_operator operator: ["&&" "||"]) @logical
