; Imports
(import_statement) @import
(import_alias) @import
(export_statement source: (_)) @import
((variable_declarator name: [(identifier) (object_pattern)]
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string)))) @import
  (#eq? @_require "require"))
((variable_declarator name: (identifier)
  value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string))) property: (_))) @import
  (#eq? @_require "require"))
(variable_declarator name: [(identifier) (object_pattern)]
  value: (await_expression (call_expression function: (import) arguments: (arguments (string))))) @import

; Functions
(function_declaration name: (identifier) @name return_type: (_)? @type body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name return_type: (_)? @type body: (_) @body) @definition.function
(function_signature name: (identifier) @name return_type: (_)? @type) @definition.function
(variable_declarator name: (identifier) @name value: [
  (arrow_function return_type: (_)? @type body: (_) @body)
  (function_expression return_type: (_)? @type body: (_) @body)
  (generator_function return_type: (_)? @type body: (_) @body)
]) @definition.function
; Wrappers of components and callbacks give back what they are given
((variable_declarator name: (identifier) @name value: (call_expression function: (_) @_wrap
    arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)])))
  @definition.function
  (#any-of? @_wrap "memo" "forwardRef" "React.memo" "React.forwardRef" "useCallback" "React.useCallback" "asyncHandler" "debounce" "throttle"))

; Types
(class_declaration name: (type_identifier) @name body: (_) @body) @definition.class @scope
(abstract_class_declaration name: (type_identifier) @name body: (_) @body) @definition.class @scope
(class name: (type_identifier) @name body: (_) @body) @definition.class @scope
(variable_declarator name: (identifier) @name value: (class !name body: (_) @body)) @definition.class @scope
(assignment_expression left: (identifier) @name right: (class !name body: (_) @body)) @definition.class @scope
(interface_declaration name: (type_identifier) @name body: (_) @body) @definition.interface @scope
(type_alias_declaration name: (type_identifier) @name value: (_) @type) @definition.type @scope
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_assignment name: (_) @name value: (_) @value) @definition.variant
(enum_body name: [(property_identifier) (string)]* @definition.variant)
(module name: (string) @name body: (_)? @body) @definition.module
[(internal_module name: (_) @name body: (_)? @body) (module name: (_) @name body: (_)? @body)] @definition.namespace
(ambient_declaration "global" @name (statement_block) @body) @definition.namespace
(ambient_declaration) @wrapper

; Inheritance
(extends_clause value: [
  (identifier) @reference.implementation
  (member_expression object: (_) @receiver property: (property_identifier) @reference.implementation)
  (call_expression arguments: (arguments (identifier)* @reference.implementation))
])
(implements_clause [
  (type_identifier) @reference.implementation
  (generic_type name: (type_identifier) @reference.implementation)
  (nested_type_identifier module: (_) @qualifier name: (type_identifier) @reference.implementation)
  (generic_type name: (nested_type_identifier module: (_) @qualifier name: (type_identifier) @reference.implementation))
]*)
(extends_type_clause type: [
  (type_identifier) @reference.implementation
  (generic_type name: (type_identifier) @reference.implementation)
  (nested_type_identifier module: (_) @qualifier name: (type_identifier) @reference.implementation)
  (generic_type name: (nested_type_identifier module: (_) @qualifier name: (type_identifier) @reference.implementation))
]*)

; Members
(method_definition name: (_) @name @reference.member return_type: (_)? @type body: (_) @body) @definition.method
(method_signature name: (_) @name return_type: (_)? @type) @definition.method
(abstract_method_signature name: (_) @name return_type: (_)? @type) @definition.method
(public_field_definition name: (_) @name value: [
  (arrow_function return_type: (_)? @type body: (_) @body)
  (function_expression return_type: (_)? @type body: (_) @body)
]) @definition.method
(public_field_definition name: (_) @name type: (_)? @type value: (_)? @value) @definition.field
(assignment_expression left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @name)
  right: (_) @value @through) @definition.field
; What is added to a function: `render.defaults = { .. }`
(assignment_expression left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [(arrow_function return_type: (_)? @type body: (_) @body) (function_expression return_type: (_)? @type body: (_) @body)])
  @definition.method
(assignment_expression left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: (_) @value @through) @definition.field
(property_signature name: (_) @name type: (_)? @type) @definition.property
; A parameter of the constructor that is a field too
(required_parameter (accessibility_modifier) pattern: (identifier) @name @local type: (_)? @type) @definition.field
(required_parameter "readonly" pattern: (identifier) @name @local type: (_)? @type) @definition.field
(optional_parameter (accessibility_modifier) pattern: (identifier) @name @local type: (_)? @type) @definition.field
(optional_parameter "readonly" pattern: (identifier) @name @local type: (_)? @type) @definition.field
(pair key: [(property_identifier) (string)] @name @reference.member value: [
  (arrow_function return_type: (_)? @type body: (_) @body)
  (function_expression return_type: (_)? @type body: (_) @body)
  (generator_function return_type: (_)? @type body: (_) @body)
]) @definition.method
; The keys of a constant: `const Colors = { red: 1 }`
(pair key: [(property_identifier) (string)] @name @reference.member value: (_) @value) @definition.property

; Variables
(variable_declarator name: (identifier) @name value: (as_expression . (_) (function_type) @type)) @definition.variable
(variable_declarator name: (identifier) @name type: (_)? @type value: (_)? @value) @definition.variable
(variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name @key
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name @key)
  (pair_pattern key: (property_identifier) @key value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
  (pair_pattern key: (property_identifier) @key value: (object_pattern))
  (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
  (rest_pattern (identifier) @name)
]*) value: (_) @value) @definition.variable
(variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
  (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
  (rest_pattern (identifier) @name)
]*)) @definition.variable
(variable_declarator name: (array_pattern [
  (identifier) @name
  (assignment_pattern left: (identifier) @name)
  (rest_pattern (identifier) @name)
]*) value: (_) @element) @definition.variable

; Exports
(export_statement "default" @name value: [
  (arrow_function return_type: (_)? @type body: (_) @body)
  (function_expression !name return_type: (_)? @type body: (_) @body)
  (generator_function !name return_type: (_)? @type body: (_) @body)
]) @definition.function
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class @scope
(export_statement "default" @name value: [(object) (call_expression) (new_expression) (array) (satisfies_expression) (as_expression)] @value) @definition.constant
(export_statement) @export @offer
((assignment_expression left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.function
  (#any-of? @_exports "exports" "module.exports"))
((assignment_expression left: (member_expression object: (_) @_exports)
  right: [(identifier) (object) (call_expression)]) @offer
  (#any-of? @_exports "module" "exports" "module.exports"))

; What a part of a tuple is called is for readers alone.
(required_parameter name: [(identifier) @ignore (rest_pattern (identifier) @ignore)])
(optional_parameter name: (identifier) @ignore)

; Parameters and type parameters
(required_parameter pattern: (this) @local type: (_) @type)
(required_parameter pattern: (identifier) @passed !type !value)
(required_parameter pattern: [(identifier) @local (rest_pattern (identifier) @local)] type: (_)? @type value: (_)? @value)
(optional_parameter pattern: (identifier) @local type: (_)? @type value: (_)? @value)
(required_parameter pattern: (object_pattern [
  (shorthand_property_identifier_pattern) @local @key
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local @key)
  (pair_pattern key: (property_identifier) @key value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (pair_pattern key: (property_identifier) @key value: (object_pattern))
  (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (rest_pattern (identifier) @local)
]*) type: (type_annotation [(object_type) (intersection_type) (union_type) (lookup_type) (parenthesized_type)] @whole))
(required_parameter pattern: (object_pattern [
  (shorthand_property_identifier_pattern) @local @key
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local @key)
  (pair_pattern key: (property_identifier) @key value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (pair_pattern key: (property_identifier) @key value: (object_pattern))
  (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (rest_pattern (identifier) @local)
]*) type: (_) @value)
(required_parameter pattern: (object_pattern [
  (shorthand_property_identifier_pattern) @local @key
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local @key)
  (pair_pattern key: (property_identifier) @key value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (pair_pattern key: (property_identifier) @key value: (object_pattern))
  (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (rest_pattern (identifier) @local)
]*) @handed !type)
(required_parameter pattern: (object_pattern [
  (shorthand_property_identifier_pattern) @local
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
  (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
  (rest_pattern (identifier) @local)
]*))
(required_parameter pattern: (array_pattern [
  (identifier) @local
  (assignment_pattern left: (identifier) @local)
  (rest_pattern (identifier) @local)
]*))
(type_parameter name: (type_identifier) @generic constraint: (constraint (_) @type))
(type_parameter name: (type_identifier) @generic)
(infer_type . (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)
(index_signature name: (identifier) @local) @scope
(construct_signature "new" @name type: (_)? @type) @definition.constructor
(call_signature parameters: (formal_parameters "(" @name) return_type: (_)? @type) @definition.method
[(index_signature) (function_type) (constructor_type) (call_signature) (construct_signature) (conditional_type)] @scope
(type_predicate name: (identifier) @reference.variable)

; Types in use
(nested_type_identifier module: (_) @qualifier name: (type_identifier) @reference.type)
(nested_identifier object: (_) @receiver property: (property_identifier) @reference.member)
(type_query (identifier) @reference.variable)
; `Options['size']`
(lookup_type . (_) @qualifier [(literal_type) (template_literal_type (string_fragment))] @reference.member)
(type_identifier) @reference.type
(type_annotation (_) @through)

; What a component is told by those around it, and what it keeps.
((call_expression function: [
    (identifier) @reference.call @_hook
    (member_expression object: (_) @receiver property: (property_identifier) @reference.call @_hook)
  ] !type_arguments arguments: (arguments . (_) @through) @arguments)
  (#any-of? @_hook "useContext" "useMemo"))

; Values that pass through
; A cast says what the value is, or that nothing is known of it.
(as_expression (_) [(type_identifier) (generic_type) (nested_type_identifier)] @through)
(as_expression (_) (predefined_type))
(as_expression . (_) @through)
((generic_type name: (type_identifier) @_same type_arguments: (type_arguments . (_) @through))
  (#any-of? @_same "Awaited" "NonNullable" "Omit" "Partial" "Pick" "Readonly" "Required"))
(generic_type name: (_) @through)
(satisfies_expression . (_) @through)
; The grammar takes `a + b!` for `(a + b)!`.
(non_null_expression (binary_expression right: (_) @through))
(non_null_expression (_) @through)
(instantiation_expression . (_) @through)
; `await get<T>(key)` is read as a call of `await get`.
(call_expression function: (await_expression (identifier) @reference.call) @through
  type_arguments: (_) arguments: (arguments)? @arguments)
(call_expression function: (await_expression (member_expression object: (_) @receiver
  property: [(property_identifier) (private_property_identifier)] @reference.call)) @through
  type_arguments: (_) arguments: (arguments)? @arguments)

(decorator (identifier) @reference.call) @attribute
(decorator (member_expression object: (_) @receiver property: (property_identifier) @reference.call)) @attribute
(decorator) @attribute
[(accessibility_modifier) (override_modifier) (predefined_type) (literal_type)] @skip
