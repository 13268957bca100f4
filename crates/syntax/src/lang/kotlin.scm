; Definitions
(package_header (qualified_identifier) @name) @definition.namespace @skip
(class_declaration "interface" name: (identifier) @name [(class_body) (enum_class_body)]? @body) @definition.interface @scope
(class_declaration name: (identifier) @name (enum_class_body) @body) @definition.enum @scope
(class_declaration name: (identifier) @name (class_body)? @body) @definition.class @scope
(object_declaration name: (identifier) @name (class_body)? @body) @definition.object
(companion_object name: (identifier) @name (class_body)? @body) @definition.object
; `name` makes it the name that the language gives it.
(companion_object "object" @name (class_body)? @body) @definition.object
(enum_entry (identifier) @name (class_body)? @body) @definition.variant
(type_alias type: (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type)] @type) @definition.type @scope
; With a receiver before the name: `declared` tells the two types apart.
(function_declaration "." (function_value_parameters)
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type (function_body)? @body) @definition.function @declarator
(function_declaration name: (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type
  (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (block) @body) @definition.constructor
(secondary_constructor "constructor" @name (constructor_delegation_call) @value) @definition.constructor
(secondary_constructor "constructor" @name) @definition.constructor
; A property with code of its own has locals and paths like a function; one without is a variable or a field.
(property_declaration [(user_type) (nullable_type) (parenthesized_type)]
  (variable_declaration [(user_type) (nullable_type) (function_type) (parenthesized_type)]? @type)
  [(getter) (setter)] @body) @definition.function @declarator
(property_declaration [(user_type) (nullable_type) (parenthesized_type)]
  (variable_declaration [(user_type) (nullable_type) (function_type) (parenthesized_type)]? @type)) @definition.variable @declarator
(property_declaration
  (variable_declaration (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type)
  [(getter) (setter)] @body) @definition.function
((property_declaration (variable_declaration (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type)]? @type)
  (property_delegate (call_expression . (identifier) @_lazy (annotated_lambda (lambda_literal (_) @value))))) @definition.variable (#eq? @_lazy "lazy"))
(property_declaration
  (variable_declaration (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)]? @type)
  [(call_expression) (navigation_expression) (identifier) (as_expression) (index_expression) (unary_expression) (parenthesized_expression)
   (this_expression) (object_literal) (binary_expression) (infix_expression) (if_expression) (when_expression) (try_expression)]? @value) @definition.variable
(property_declaration (multi_variable_declaration (variable_declaration (identifier) @name)*)) @definition.variable
(class_parameter ["val" "var"] (identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type)] @type) @definition.field
(class_parameter (identifier) @local [(user_type) (nullable_type) (function_type) (parenthesized_type)] @type)

; Kotest: a test is a call with its name and its code.
((call_expression . (call_expression . (identifier) @_test (value_arguments (value_argument . (string_literal) @name))) (annotated_lambda) @body) @definition.test
  (#any-of? @_test "test" "it" "describe" "context" "expect" "feature" "scenario" "should" "given" "Given" "When" "Then" "xtest" "xit" "xdescribe"))

; Imports
(import) @import

; Local names
(parameter (identifier) @local [(user_type) (nullable_type) (function_type) (parenthesized_type)]? @type)
(function_type) @scope
(getter) @scope
(setter (identifier)? @local) @scope
(lambda_literal (lambda_parameters [
  (variable_declaration (identifier) @passed [(user_type) (nullable_type) (function_type) (parenthesized_type)]? @type)
  (multi_variable_declaration (variable_declaration (identifier) @local)*)
]*)) @nest @scope
; `name` makes it the name that the language gives it: `it`.
(lambda_literal "{" @passed) @nest @scope
(anonymous_function) @nest @scope
(for_statement (variable_declaration (identifier) @local [(user_type) (nullable_type)] @type)) @branch @scope
(for_statement (variable_declaration (identifier) @local) "in" (_) @element) @branch @scope
(for_statement (multi_variable_declaration (variable_declaration (identifier) @local)*)) @branch @scope
(for_statement) @branch @scope
(when_subject (variable_declaration (identifier) @local)
  [(call_expression) (navigation_expression) (identifier)]? @value)
(catch_block (identifier) @local (user_type) @type) @branch @scope
(type_parameter (identifier) @generic [(user_type) (nullable_type)]? @type)
(object_literal) @scope
(anonymous_initializer) @scope
(block) @scope

; Uses
(delegation_specifier) @tokens
(constructor_invocation (user_type . (identifier) @whole . (type_arguments)? .))
(call_expression . (call_expression . (identifier) @reference.call @whole (value_arguments)? @arguments) (annotated_lambda) @arguments)
(call_expression . (call_expression . (navigation_expression . (_) @receiver (identifier) @reference.call) @whole (value_arguments)? @arguments)
  (annotated_lambda) @arguments)
(call_expression . (identifier) @reference.call @whole (value_arguments)? @arguments (annotated_lambda)? @arguments)
(call_expression . (navigation_expression . (_) @receiver (identifier) @reference.call) @whole (value_arguments)? @arguments (annotated_lambda)? @arguments)
; The grammar reads `!valid()` as a call of `!valid`.
(call_expression . (unary_expression argument: (identifier) @reference.call) @whole (value_arguments) @arguments)
(call_expression . (_) @through @whole)
; `produce<Int> { .. }` reads like two comparisons.
(binary_expression left: (binary_expression left: (identifier) @reference.call operator: "<") operator: ">" right: (lambda_literal))
(binary_expression left: (binary_expression left: (navigation_expression . (_) @receiver (identifier) @reference.call) operator: "<")
  operator: ">" right: (lambda_literal))
; So does `ArrayList<Shape>(3)`.
(binary_expression left: (binary_expression left: (identifier) @reference.call operator: "<" right: (identifier) @reference.type) operator: ">"
  right: (parenthesized_expression) @arguments)
(binary_expression left: (binary_expression left: (navigation_expression . (_) @receiver (identifier) @reference.call) operator: "<"
  right: (identifier) @reference.type) operator: ">" right: (parenthesized_expression) @arguments)
(navigation_expression (identifier)* @reference.member) @tokens
(callable_reference) @tokens
(infix_expression . (_) @receiver (identifier) @reference.call (_) @arguments)
(value_argument . (identifier) @reference.member "=" (_) @through)
(value_argument (_) @through)
(function_body "=" (_) @return)
(user_type (identifier)* @reference.type) @tokens
(type_constraint (identifier) @reference.type)
(is_expression left: [(identifier) (navigation_expression)] @narrowed right: (user_type) @value)
(annotated_expression . (annotation) [(parenthesized_expression) (call_expression)]) @attribute
(this_expression (identifier) @reference.type)
(this_expression) @this @skip
(super_expression) @super
((identifier) @literal (#any-of? @literal "true" "false" "null"))
((identifier) @skip (#any-of? @skip "break" "continue"))
(identifier) @reference.variable
(label) @skip

; Values that pass through
(parenthesized_expression (_) @through)
(unary_expression argument: (_) @through)
(index_expression . (_) @receiver "[" @reference.member)
(annotated_expression (annotation) (_) @through)

[(number_literal) (float_literal) (character_literal)] @literal @skip
[(string_literal) (multiline_string_literal)] @literal @text
(collection_literal) @literal
[(line_comment) (block_comment)] @comment

; Complexity
; The word alone would count that of `when` too.
(if_expression "else" (if_expression) @flat) @branch @else
(if_expression "else") @branch @else
(if_expression) @branch
(while_statement) @branch
(do_while_statement) @branch
(when_expression (when_subject . (identifier) @subject @narrowed)) @switch @scope
(when_expression (when_subject (variable_declaration (identifier) @subject @narrowed))) @switch @scope
(when_expression) @switch @scope
(when_entry condition: (type_test "is" (user_type) @type)+) @case @scope @narrow
(when_entry condition: (_)) @case @scope
(when_entry) @scope
(binary_expression operator: ["&&" "||"]) @logical
(binary_expression left: (_) @through operator: "?:") @logical
