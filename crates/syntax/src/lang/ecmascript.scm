; What JavaScript and TypeScript share: tests, uses, control flow. Comes after the definitions of each.

; Tests: `describe`, `it`, `test` and their variants, named by their strings
((call_expression function: (identifier) @reference.call
  arguments: (arguments . [(string) (template_string)] @name
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @reference.call "describe" "it" "test" "suite" "context" "specify" "fdescribe" "fit" "xdescribe" "xit" "xtest" "bench")) @definition.test)
((call_expression function: (member_expression object: (identifier) @receiver @_runner property: (property_identifier) @reference.call)
  arguments: (arguments . [(string) (template_string)] @name
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_runner "describe" "it" "test" "suite" "context" "specify" "Deno" "QUnit" "t" "tap" "ava")
  (#any-of? @reference.call "only" "skip" "describe" "test" "step" "concurrent" "serial" "sequential" "parallel" "module" "failing" "fails" "fixme" "slow" "bench")) @definition.test)
((call_expression function: (member_expression
    object: (member_expression object: (identifier) @_runner) @receiver property: (property_identifier) @reference.call)
  arguments: (arguments . [(string) (template_string)] @name
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_runner "describe" "it" "test" "suite")
  (#any-of? @reference.call "only" "skip" "parallel" "serial" "concurrent" "sequential")) @definition.test)
((call_expression function: (call_expression function: (member_expression object: (identifier) @_runner property: (property_identifier) @_each))
  arguments: (arguments . [(string) (template_string)] @name
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_runner "describe" "it" "test" "suite")
  (#any-of? @_each "each" "for" "skipIf" "runIf")) @definition.test)

; Imports that are calls
((call_expression function: (identifier) @_require @through arguments: (arguments . (string))) @import (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments (string))) @import

; Uses
; What these give back holds what they are given
((call_expression function: (member_expression object: (identifier) @receiver @_library property: (property_identifier) @reference.call @_holding)
  arguments: (arguments . (_) @through))
  (#any-of? @_library "Object" "Array" "Promise")
  (#any-of? @_holding "all" "allSettled" "entries" "freeze" "from" "race" "seal" "values"))
; What is copied into an empty object.
((call_expression function: (member_expression object: (identifier) @receiver @_library property: (property_identifier) @reference.call @_copying)
  arguments: (arguments . (object) (_) @through))
  (#eq? @_library "Object") (#eq? @_copying "assign"))
; What comes of a function for each of many.
((call_expression function: (member_expression object: (_) @receiver property: (property_identifier) @reference.call @_each)
  arguments: (arguments . [(arrow_function) (function_expression)] @mapped) @arguments)
  (#any-of? @_each "flatMap" "map"))
(call_expression function: (identifier) @reference.call @guard arguments: (arguments . (identifier) @narrowed) @arguments)
(call_expression function: (member_expression object: (_) @receiver property: (property_identifier) @reference.call @guard)
  arguments: (arguments . (identifier) @narrowed) @arguments)
(call_expression function: (identifier) @reference.call arguments: (arguments)? @arguments)
(call_expression function: (member_expression object: (_) @receiver
  property: [(property_identifier) (private_property_identifier)] @reference.call) arguments: (arguments)? @arguments)
(call_expression function: (super) @reference.call arguments: (arguments)? @arguments)
(call_expression function: (_) @through)
(new_expression constructor: (identifier) @reference.call arguments: (arguments)? @arguments)
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @reference.call)
  arguments: (arguments)? @arguments)
(member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @reference.member)
; A name that is the value of another: `[Symbol.iterator]() {}`
(computed_property_name (identifier) @reference.variable)
(computed_property_name (member_expression object: (_) @receiver property: (property_identifier) @reference.member))
(decorator [
  (identifier) @reference.call
  (member_expression object: (_) @receiver property: (property_identifier) @reference.call)
  (call_expression)
])
(export_specifier name: (identifier) @reference.variable alias: (identifier) @reference.import)
(this) @this
(super) @super

; Local names
(arrow_function parameter: (identifier) @passed "=>" @arrow body: (_) @return @through) @scope @closure
(arrow_function "=>" @arrow body: (_) @return @through) @scope @closure
(function_expression name: (identifier) @local body: (_) @through) @scope @closure
(function_expression body: (_) @through) @scope @closure
(generator_function) @scope @closure
; What a function without a name gives back in the end.
(statement_block (return_statement (_) @through))
(catch_clause parameter: (identifier) @local) @branch @scope
(catch_clause parameter: (object_pattern [
  (shorthand_property_identifier_pattern) @local
  (pair_pattern value: (identifier) @local)
]*)) @branch @scope
(catch_clause) @branch @scope
(for_in_statement kind: ["const" "let" "var"] left: (identifier) @local operator: "of" right: (_) @element) @branch @scope
(for_in_statement kind: ["const" "let" "var"] left: (identifier) @local) @branch @scope
(for_in_statement kind: ["const" "let" "var"] left: (array_pattern [
  (identifier) @local
  (assignment_pattern left: (identifier) @local)
  (rest_pattern (identifier) @local)
]*) operator: "of" right: (_) @element) @branch @scope
(for_in_statement kind: ["const" "let" "var"] left: (array_pattern [
  (identifier) @local
  (assignment_pattern left: (identifier) @local)
  (rest_pattern (identifier) @local)
]*)) @branch @scope
(for_in_statement kind: ["const" "let" "var"] left: (object_pattern [
  (shorthand_property_identifier_pattern) @local @key
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local @key)
  (pair_pattern key: (property_identifier) @key value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (pair_pattern key: (property_identifier) @key value: (object_pattern))
  (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (rest_pattern (identifier) @local)
]*) operator: "of" right: (_) @value) @branch @scope
(for_in_statement kind: ["const" "let" "var"] left: (object_pattern [
  (shorthand_property_identifier_pattern) @local
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
  (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (rest_pattern (identifier) @local)
]*)) @branch @scope
(for_in_statement) @branch @scope
; Patterns inside patterns
(pair_pattern key: (property_identifier) @value value: (object_pattern [
  (shorthand_property_identifier_pattern) @local @key
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local @key)
  (pair_pattern key: (property_identifier) @key value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (pair_pattern key: (property_identifier) @key value: (object_pattern))
  (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (rest_pattern (identifier) @local)
]*))
(pair_pattern value: [
  (object_pattern [
    (shorthand_property_identifier_pattern) @local
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
    (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
    (rest_pattern (identifier) @local)
  ]*)
  (array_pattern [(identifier) @local (assignment_pattern left: (identifier) @local) (rest_pattern (identifier) @local)]*)
])
(array_pattern (object_pattern [
  (shorthand_property_identifier_pattern) @local
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
  (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (rest_pattern (identifier) @local)
]*))

; Values that pass through
(parenthesized_expression (_) @through)
(await_expression "await" @key @through (_) @value)
(subscript_expression object: (_) @receiver "[" @reference.member)
(assignment_expression left: (identifier) @given right: (_) @value @through)
(assignment_expression right: (_) @through)

[(string) (number) (true) (false) (null) (undefined) (regex)] @literal @skip
(array . (spread_element (_) @through) .)
(array . [(identifier) (member_expression) (call_expression) (new_expression)] @value "]" @key @through)
[(template_string) (array)] @literal
; What is copied from one other has its members.
(object (spread_element) (spread_element)) @literal @whole
(object . (spread_element (_) @through)) @literal @whole
(object) @literal @whole
(pair key: (property_identifier) @reference.member)
[(comment) (html_comment)] @comment

; Statements around definitions
[(lexical_declaration) (variable_declaration) (expression_statement)] @wrapper

; What a test says of a name
(binary_expression left: [(identifier) (member_expression)] @narrowed operator: "instanceof" right: [(identifier) (member_expression)] @value)
(binary_expression left: (member_expression object: (identifier) @narrowed property: (property_identifier) @tag)
  operator: ["===" "!==" "==" "!="] right: [(string) (number) (true) (false) (member_expression)] @value)

; Complexity
(if_statement alternative: (else_clause (if_statement) @flat)?) @branch @scope
(else_clause) @else @scope
[(for_statement) (while_statement) (do_statement)] @branch @scope
[(try_statement) (finally_clause) (class_static_block)] @scope
(switch_statement value: (parenthesized_expression (member_expression object: (identifier) @narrowed property: (property_identifier) @tag))) @switch @scope
(switch_statement) @switch @scope
(switch_case) @case
(ternary_expression consequence: [(null) (undefined) (array)] alternative: (_) @through) @branch
(ternary_expression consequence: (_) @through) @branch
(binary_expression operator: "&&" right: (_) @through) @logical
(binary_expression left: (_) @through operator: ["||" "??"]) @logical
; A function that is handed over nests. One without parameters behind a string is the body of a test.
(arguments . [(string) (template_string)] [
  (arrow_function parameters: (formal_parameters (_)))
  (arrow_function parameter: (_))
  (function_expression parameters: (formal_parameters (_)))
]) @nest
(arguments . [(string) (template_string)] [(arrow_function) (function_expression)]) @_body
(arguments [(arrow_function) (function_expression) (generator_function)]) @nest
(return_statement [(arrow_function) (function_expression)]) @nest
(return_statement (_) @return)

; Names on their own
[(identifier) (shorthand_property_identifier_pattern)] @reference.variable
; The variable, and the member that is given it
(shorthand_property_identifier) @reference.variable @reference.member
[(property_identifier) (private_property_identifier)] @reference.member
