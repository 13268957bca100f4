; Definitions
(package_clause name: (package_identifier) @name body: (_) @body) @definition.namespace
(package_clause name: (package_identifier) @name) @definition.namespace @skip
(package_identifier) @skip
(package_object name: (identifier) @name body: (_)? @body) @definition.object
(object_definition name: (_) @name body: (_)? @body) @definition.object
(class_definition name: (_) @name body: (_)? @body) @definition.class @scope
(trait_definition name: (_) @name body: (_)? @body) @definition.trait @scope
(enum_definition name: (_) @name body: (_) @body) @definition.enum @scope
(enum_case_definitions) @wrapper
(simple_enum_case name: (_) @name) @definition.variant
(full_enum_case name: (_) @name) @definition.variant
(function_definition name: (_) @name return_type: (_)? @type body: (_) @body @return) @definition.function
(function_declaration name: (_) @name return_type: (_)? @type) @definition.function
(type_definition name: (type_identifier) @name type: (_)? @type) @definition.type @scope
; An instance with a name is a value; one without is known by its type.
(given_definition name: (_) @name
  return_type: [(generic_type type: (type_identifier) @reference.implementation) @type (type_identifier) @reference.implementation @type (_) @type]
  body: [(with_template_body) (template_body)] @body) @definition.object
(given_definition name: (_) @name return_type: (_)? @type body: (_) @body) @definition.constant
(given_definition return_type: [(generic_type type: (type_identifier) @name @reference.implementation) (type_identifier) @name @reference.implementation]
  body: (_) @body) @definition.impl
(extension_definition
  parameters: (parameters (parameter type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (stable_type_identifier (type_identifier) @name)
    (generic_type type: (stable_type_identifier (type_identifier) @name))
    (_) @name
  ]))
  body: (_) @body) @definition.impl @scope
(val_definition pattern: (identifier) @name type: (_)? @type value: (_) @value) @definition.variable
(val_definition pattern: (identifiers (identifier)* @name) type: (_)? @type value: (_) @value) @definition.variable
(val_definition pattern: (typed_pattern pattern: (identifier) @name type: (_) @type) value: (_) @value) @definition.variable
(val_declaration name: (_)* @name type: (_) @type) @definition.variable
(var_definition pattern: (identifier) @name type: (_)? @type value: (_) @value) @definition.variable
(var_definition pattern: (identifiers (identifier)* @name) type: (_)? @type value: (_) @value) @definition.variable
(var_declaration name: (_)* @name type: (_) @type) @definition.variable
(class_parameter name: (_) @name type: (_)? @type default_value: (_)? @value) @definition.variable

; ScalaTest, MUnit, specs2, ZIO: a test is a call with its name and its code.
((call_expression function: (call_expression function: (identifier) @_test arguments: (arguments . (string) @name))
  arguments: [(block) (colon_argument)] @body) @definition.test
  (#any-of? @_test "test" "it" "describe" "they" "feature" "scenario" "Feature" "Scenario" "property" "suite" "testAsync" "ignore"))
((infix_expression left: [(string) @name (infix_expression right: (string) @name)] operator: (identifier) @_test @reference.call right: (block) @body) @definition.test
  (#any-of? @_test "in" "should" "must" "when" "can" ">>"))

; Imports
(import_declaration) @import
(export_declaration) @import

; Local names, and those of patterns wherever they stand
(parameter name: (identifier) @local type: (repeated_parameter_type type: (_) @type) @rest)
(parameter name: (identifier) @local type: (_)? @type default_value: (_) @optional)
(parameter name: (identifier) @local type: (_)? @type)
(binding name: (identifier) @local type: (_) @type)
(binding name: (identifier) @passed)
(lambda_expression parameters: (identifier) @passed) @nest @scope
(lambda_expression) @nest @scope
(self_type . (identifier) @local (_) @type)
(self_type . (identifier) @local)
((tuple_pattern (identifier)* @name) @definition.variable (#match? @name "^[a-z_]"))
((tuple_pattern (identifier) @name (identifier) @_constant) @definition.variable (#match? @name "^[a-z_]") (#match? @_constant "^[A-Z]"))
((tuple_pattern (identifier) @_constant (identifier)* @name) @definition.variable (#match? @name "^[a-z_]") (#match? @_constant "^[A-Z]"))
((case_class_pattern type: [(type_identifier) @reference.type (_)] pattern: (identifier)* @name) @definition.variable (#match? @name "^[a-z_]"))
(case_class_pattern type: (type_identifier) @reference.type)
((infix_pattern left: (identifier)? @name right: (identifier)? @name) @definition.variable (#match? @name "^[a-z_]"))
((infix_pattern left: (identifier) @name) @definition.variable (#match? @name "^[a-z_]"))
((infix_pattern right: (identifier) @name) @definition.variable (#match? @name "^[a-z_]"))
(capture_pattern name: (identifier) @local pattern: (_))
(typed_pattern pattern: (identifier) @local type: (_) @type)
(enumerator . (identifier) @local "<-" (_) @element)
(enumerator . (identifier) @local (_) @value)
(enumerator . (identifier) @local)
(for_expression) @branch @scope
; A bare name in a case is new if it begins with a small letter, else a use of a constant.
((case_clause pattern: (identifier) @local (guard)) @case @scope (#match? @local "^[a-z_]"))
((case_clause pattern: (identifier) @local) @scope (#match? @local "^[a-z_]"))
(case_clause pattern: (wildcard)) @scope
(case_clause) @case @scope
(case_block) @scope
; A function in braces is all there is: `items.foreach { item => .. }`.
(block . (lambda_expression) @_only)
(block) @scope
(indented_block) @scope
(type_parameters . (identifier) @generic bound: (upper_bound type: (_) @type))
(type_parameters name: (identifier)* @generic)
[(covariant_type_parameter name: (identifier) @generic) (contravariant_type_parameter name: (identifier) @generic)]

; Uses
(extends_clause type: [
  (type_identifier) @reference.implementation
  (generic_type type: (type_identifier) @reference.implementation)
  (stable_type_identifier . (_) @qualifier (type_identifier) @reference.implementation)
  (generic_type type: (stable_type_identifier . (_) @qualifier (type_identifier) @reference.implementation))
  (applied_constructor_type [
    (type_identifier) @reference.implementation
    (generic_type type: (type_identifier) @reference.implementation)
  ])
  (compound_type base: [
      (type_identifier) @reference.implementation
      (generic_type type: (type_identifier) @reference.implementation)
      (applied_constructor_type [(type_identifier) @reference.implementation (generic_type type: (type_identifier) @reference.implementation)])
      (_)
    ] extra: [
      (type_identifier) @reference.implementation
      (generic_type type: (type_identifier) @reference.implementation)
    ]*)
]*)
(derives_clause type: (type_identifier)* @reference.implementation)
((call_expression function: (identifier) @_this @whole) (#any-of? @_this "this" "super"))
(call_expression function: (identifier) @reference.call @whole arguments: (_) @arguments)
(call_expression function: (field_expression value: (wildcard) @hole @receiver field: (identifier) @reference.call) @whole arguments: (_) @arguments)
(call_expression function: (field_expression value: (_) @receiver field: (identifier) @reference.call) @whole arguments: (_) @arguments)
(call_expression function: (generic_function function: (identifier) @reference.call @whole) arguments: (_) @arguments)
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (identifier) @reference.call) @whole) arguments: (_) @arguments)
(call_expression function: (_) @through @whole)
(instance_expression [(type_identifier) @reference.implementation (generic_type type: (type_identifier) @reference.implementation)
  (stable_type_identifier . (_) @qualifier (type_identifier) @reference.implementation)] (template_body)) @scope
(instance_expression (compound_type base: [
    (type_identifier) @reference.implementation
    (generic_type type: (type_identifier) @reference.implementation)
    (applied_constructor_type [(type_identifier) @reference.implementation (generic_type type: (type_identifier) @reference.implementation)])
    (_)
  ] extra: [
    (type_identifier) @reference.implementation
    (generic_type type: (type_identifier) @reference.implementation)
  ]*)) @scope
(instance_expression [(type_identifier) @reference.call @whole (generic_type type: (type_identifier) @reference.call @whole)
  (stable_type_identifier . (_) @qualifier (type_identifier) @reference.call) @whole
  (generic_type type: (stable_type_identifier . (_) @qualifier (type_identifier) @reference.call) @whole)] arguments: (_)? @arguments)
(instance_expression) @scope
(infix_expression operator: (operator_identifier) @_operator (#any-of? @_operator "&&" "||")) @logical
(infix_expression left: (wildcard) @hole @receiver operator: (identifier) @reference.call right: (_) @arguments)
(infix_expression left: (_) @receiver operator: (identifier) @reference.call right: (_) @arguments)
(field_expression value: (wildcard) @hole @receiver field: (identifier) @reference.member)
(field_expression value: (_) @receiver field: (identifier) @reference.member)
(stable_identifier . (_) @receiver (identifier) @reference.member)
((generic_function function: (identifier) @_given type_arguments: (type_arguments . (_) @through)) (#any-of? @_given "implicitly" "summon"))
((generic_function function: (field_expression field: (identifier) @_cast) type_arguments: (type_arguments . (_) @through)) (#eq? @_cast "asInstanceOf"))
(generic_function function: (_) @through)
(arguments (assignment_expression left: (identifier) @reference.member)*)
(stable_type_identifier . (_) @qualifier (type_identifier) @reference.type)
(annotation name: (type_identifier) @reference.type)
(access_qualifier) @skip
(interpolated_string_expression interpolator: (identifier) @reference.call) @literal
(ascription_expression type: (_) @through)
(generic_type type: (_) @through)
((identifier) @this (#eq? @this "this"))
((identifier) @super (#eq? @super "super"))
(type_identifier) @reference.type
(identifier) @reference.variable

; Values that pass through
(parenthesized_expression (_) @through)

[(integer_literal) (floating_point_literal) (boolean_literal) (null_literal) (character_literal) (string) (unit)] @literal @skip
[(tuple_expression)] @literal
[(comment) (block_comment)] @comment
(end_marker) @skip

; Complexity
(if_expression consequence: (_) @through alternative: (if_expression)? @flat) @branch
"else" @else
(while_expression) @branch
(do_while_expression) @branch
(catch_clause) @switch
(match_expression value: (_) @subject) @switch
(match_expression) @switch
(guard) @logical
