; Imports
(import_statement) @import
(export_statement source: (_)) @import
((variable_declarator name: [(identifier) (object_pattern)]
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string)))) @import
  (#eq? @_require "require"))
((variable_declarator name: (identifier)
  value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string))) property: (_))) @import
  (#eq? @_require "require"))
(variable_declarator name: [(identifier) (object_pattern)]
  value: (await_expression (call_expression function: (import) arguments: (arguments (string))))) @import

; Definitions
(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(class name: (identifier) @name body: (_) @body) @definition.class
(class_heritage [
  (identifier) @reference.implementation
  (member_expression object: (_) @receiver property: (property_identifier) @reference.implementation)
  (call_expression arguments: (arguments (identifier)* @reference.implementation))
])
(method_definition name: (_) @name body: (_) @body) @definition.method
(field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(field_definition property: (_) @name value: (_)? @value) @definition.field
(pair key: [(property_identifier) (string)] @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) @definition.method
; The keys of a constant: `const Colors = { red: 1 }`
(pair key: [(property_identifier) (string)] @name @reference.member value: (_) @value) @definition.property

(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) @definition.function
; Wrappers of components and callbacks give back what they are given
((variable_declarator name: (identifier) @name value: (call_expression function: (_) @_wrap
    arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)])))
  @definition.function
  (#any-of? @_wrap "memo" "forwardRef" "React.memo" "React.forwardRef" "useCallback" "React.useCallback" "asyncHandler" "debounce" "throttle"))
(variable_declarator name: (identifier) @name value: (class !name body: (_) @body)) @definition.class
(variable_declarator name: (identifier) @name value: (_)? @value) @definition.variable
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

(export_statement "default" @name value: [
  (arrow_function body: (_) @body)
  (function_expression !name body: (_) @body)
  (generator_function !name body: (_) @body)
]) @definition.function
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class
(export_statement "default" @name value: [(object) (call_expression) (new_expression) (array)] @value) @definition.constant
(export_statement) @export @offer

; CommonJS
((assignment_expression left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])
  @definition.function
  (#any-of? @_exports "exports" "module.exports"))
((assignment_expression left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: (class !name body: (_) @body)) @definition.class
  (#any-of? @_exports "exports" "module.exports"))
((assignment_expression left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: [(object) (array) (string) (number) (template_string) (true) (false) (regex) (call_expression) (new_expression)] @value)
  @definition.constant
  (#any-of? @_exports "exports" "module.exports"))
((assignment_expression left: (member_expression) @_exports
  right: (function_expression name: (identifier) @name body: (_) @body)) @definition.function @offer
  (#eq? @_exports "module.exports"))
((assignment_expression left: (member_expression) @_exports right: (class name: (identifier))) @offer
  (#eq? @_exports "module.exports"))
((assignment_expression left: (member_expression object: (_) @_exports) right: (class name: (identifier))) @offer
  (#any-of? @_exports "exports" "module.exports"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.function
  (#eq? @_module "module") (#eq? @name "exports"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: (class !name body: (_) @body)) @definition.class
  (#eq? @_module "module") (#eq? @name "exports"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: (object [(pair) (method_definition)])) @definition.constant @offer
  (#eq? @_module "module") (#eq? @name "exports"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: (call_expression function: (identifier) @_require)) @offer
  (#eq? @_module "module") (#eq? @name "exports") (#eq? @_require "require"))
((assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [(call_expression) (new_expression)] @value) @definition.constant
  (#eq? @_module "module") (#eq? @name "exports"))
((assignment_expression left: (member_expression object: (_) @_exports)
  right: [(identifier) (object) (assignment_expression) (member_expression)]) @offer
  (#any-of? @_exports "module" "exports" "module.exports"))

; A class that has the name of what it is given to
(assignment_expression left: (identifier) @name right: (class !name body: (_) @body)) @definition.class
((assignment_expression left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: (class !name body: (_) @body)) @definition.class
  (#not-any-of? @owner "module" "exports" "window" "global" "globalThis" "self"))
((assignment_expression
  left: (member_expression object: (member_expression property: (property_identifier) @owner) property: (property_identifier) @name)
  right: (class !name body: (_) @body)) @definition.class
  (#not-any-of? @owner "exports" "prototype"))

; Members from before there were classes
((assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @owner property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])
  @definition.method
  (#eq? @_prototype "prototype"))
((assignment_expression left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])
  @definition.method
  (#not-any-of? @owner "module" "exports" "window" "global" "globalThis" "self"))
((assignment_expression
  left: (member_expression object: (member_expression property: (property_identifier) @owner) property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])
  @definition.method
  (#not-eq? @owner "exports"))
((assignment_expression left: (member_expression object: (identifier) @name property: (property_identifier) @_prototype)
  right: (object) @body) @definition.impl
  (#eq? @_prototype "prototype"))
; What the values of a function are derived from
((assignment_expression left: (member_expression object: (identifier) @name property: (property_identifier) @_prototype)
  right: (new_expression constructor: (identifier) @reference.implementation)) @definition.impl
  (#eq? @_prototype "prototype"))
((assignment_expression left: (member_expression object: (identifier) @name property: (property_identifier) @_prototype)
  right: (call_expression function: (member_expression property: (property_identifier) @_create)
    arguments: (arguments . (member_expression object: (identifier) @reference.implementation)))) @definition.impl
  (#eq? @_prototype "prototype") (#eq? @_create "create"))
((assignment_expression
  left: (member_expression object: (member_expression object: (identifier) @name) property: (property_identifier) @_prototype)
  right: (member_expression object: (identifier) @reference.implementation)) @definition.impl
  (#eq? @_prototype "__proto__"))
((call_expression function: (member_expression object: (_) @receiver property: (property_identifier) @reference.call @_derive)
  arguments: (arguments . (identifier) @name (identifier) @reference.implementation)) @definition.impl
  (#eq? @_derive "inherits"))
((call_expression function: (identifier) @reference.call @_derive
  arguments: (arguments . (identifier) @name (identifier) @reference.implementation)) @definition.impl
  (#eq? @_derive "inherits"))
((call_expression function: (member_expression object: (_) @receiver property: (property_identifier) @reference.call @_derive)
  arguments: (arguments . (member_expression object: (identifier) @name property: (property_identifier) @_prototype)
    (member_expression object: (identifier) @reference.implementation))) @definition.impl
  (#eq? @_derive "setPrototypeOf") (#eq? @_prototype "prototype"))
((assignment_expression left: (member_expression object: (identifier) @_owner property: (property_identifier) @_prototype)
  right: (_))
  (#match? @_owner "^[A-Z]") (#eq? @_prototype "prototype"))
((assignment_expression left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: (_) @value @through) @definition.field
  (#not-any-of? @owner "module" "exports" "window" "global" "globalThis" "self"))
((assignment_expression left: (member_expression object: (identifier) @_global property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.function
  (#any-of? @_global "window" "global" "globalThis" "self"))
(assignment_expression left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(assignment_expression left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @name)
  right: (_) @value @through) @definition.field

; Parameters
(formal_parameters . (identifier) @passed [
  (identifier) @local
  (assignment_pattern left: (identifier) @local)
  (rest_pattern (identifier) @local)
  (object_pattern [
    (shorthand_property_identifier_pattern) @local
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
    (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
    (rest_pattern (identifier) @local)
  ]*)
  (assignment_pattern left: (object_pattern [
    (shorthand_property_identifier_pattern) @local
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
    (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
    (rest_pattern (identifier) @local)
  ]*))
  (array_pattern [(identifier) @local (assignment_pattern left: (identifier) @local) (rest_pattern (identifier) @local)]*)
]*)
(formal_parameters [
  (identifier) @local
  (assignment_pattern left: (identifier) @local)
  (rest_pattern (identifier) @local)
  (object_pattern [
    (shorthand_property_identifier_pattern) @local
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
    (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
    (rest_pattern (identifier) @local)
  ]*)
  (assignment_pattern left: (object_pattern [
    (shorthand_property_identifier_pattern) @local
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
    (pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
    (rest_pattern (identifier) @local)
  ]*))
  (array_pattern [(identifier) @local (assignment_pattern left: (identifier) @local) (rest_pattern (identifier) @local)]*)
]*)
(using_declaration) @wrapper

; What a component is told by those around it, and what it keeps.
((call_expression function: [
    (identifier) @reference.call @_hook
    (member_expression object: (_) @receiver property: (property_identifier) @reference.call @_hook)
  ] arguments: (arguments . (_) @through) @arguments)
  (#any-of? @_hook "useContext" "useMemo"))
