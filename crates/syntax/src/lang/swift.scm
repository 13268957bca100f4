; Definitions
(protocol_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @definition.enum
(class_declaration declaration_kind: "extension" name: (_) @declarator body: (_) @body) @definition.impl
; An actor is a class too.
(class_declaration name: (_) @name body: (_) @body) @definition.class
(enum_entry name: (simple_identifier)* @name) @definition.variant
(function_declaration
  name: [(simple_identifier) (custom_operator) (bang) "+" "-" "*" "/" "%" "==" "!=" "===" "!==" "<" ">" "<=" ">=" "&" "^" "|" "~" "<<" ">>" "+=" "-=" "*=" "/=" "%=" "++" "--"] @name
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type) (metatype)]? @type
  body: (_) @body) @definition.function
(protocol_function_declaration
  name: [(simple_identifier) (custom_operator) (bang) "+" "-" "*" "/" "%" "==" "!=" "===" "!==" "<" ">" "<=" ">="] @name
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type) (metatype)]? @type) @definition.function
(init_declaration name: "init" @name body: (_)? @body) @definition.constructor
(deinit_declaration "deinit" @name body: (_) @body) @definition.function
(subscript_declaration "subscript" @name
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type)]? @type
  (computed_property) @body) @definition.function
; What computes runs like a function; `kind` calls it a property.
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation (_) @type)?
  computed_value: (_) @body) @definition.function
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation (_) @type)? value: (_)? @value
  (willset_didset_block) @body) @definition.function
(property_declaration
  name: [
    (pattern bound_identifier: (simple_identifier) @name)
    (pattern (pattern (simple_identifier) @name)*)
  ]*
  (type_annotation (_) @type)? value: (_)? @value) @definition.variable
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation (_) @type)?
  (protocol_property_requirements)? @body) @definition.property
(protocol_body) @scope
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(typealias_declaration name: (type_identifier) @name
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type) (protocol_composition_type)]? @type) @definition.type
(macro_declaration . (simple_identifier) @name) @definition.macro
(macro_declaration (modifiers) (simple_identifier) @name) @definition.macro

; Imports
(import_declaration) @import

; Local names
(parameter external_name: (simple_identifier)? @ignore name: (simple_identifier) @local
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type) (opaque_type) (existential_type) (metatype)]? @type)
(lambda_parameter name: (simple_identifier) @local
  [(user_type) (optional_type) (array_type) (dictionary_type) (tuple_type) (function_type)] @type)
(lambda_parameter name: (simple_identifier) @passed)
(for_statement item: (pattern bound_identifier: (simple_identifier) @local) collection: (_) @element @element) @branch @scope
(for_statement item: (pattern (pattern (simple_identifier) @local)*)) @branch @scope
(for_statement) @branch @scope
; Names and what they are given stand side by side: `if let a = f(), let b = g()`.
(if_statement condition: "case" "." (simple_identifier) @reference.member "=" (_) @receiver condition: (pattern . (simple_identifier) @local)* bound_identifier: (simple_identifier)* @local (if_statement)? @flat) @branch @scope
(if_statement bound_identifier: (simple_identifier)* @local "=" (_) @value "=" (_) @value "=" (_) @value (if_statement)? @flat) @branch @scope
(if_statement bound_identifier: (simple_identifier)* @local "=" (_) @value "=" (_) @value (if_statement)? @flat) @branch @scope
(if_statement bound_identifier: (simple_identifier)* @local "=" (_) @value (if_statement)? @flat) @branch @scope
(if_statement bound_identifier: (simple_identifier)* @local (if_statement)? @flat) @branch @scope
(while_statement condition: "case" "." (simple_identifier) @reference.member "=" (_) @receiver condition: (pattern . (simple_identifier) @local)* bound_identifier: (simple_identifier)* @local) @branch @scope
(while_statement bound_identifier: (simple_identifier)* @local "=" (_) @value "=" (_) @value "=" (_) @value) @branch @scope
(while_statement bound_identifier: (simple_identifier)* @local "=" (_) @value "=" (_) @value) @branch @scope
(while_statement bound_identifier: (simple_identifier)* @local "=" (_) @value) @branch @scope
(while_statement bound_identifier: (simple_identifier)* @local) @branch @scope
(repeat_while_statement) @branch @scope
; Its names live on behind it, and its `else` counts for it.
(guard_statement
  condition: "case" "." (simple_identifier) @reference.member
  condition: (pattern . (simple_identifier) @local)*
  "=" (_) @receiver
  bound_identifier: (simple_identifier)* @local) @case
(guard_statement
  condition: "case"
  condition: (pattern . (simple_identifier) @local)*
  bound_identifier: (simple_identifier)* @local) @case
(guard_statement bound_identifier: (simple_identifier)* @local "=" (_) @value "=" (_) @value "=" (_) @value) @case
(guard_statement bound_identifier: (simple_identifier)* @local "=" (_) @value "=" (_) @value) @case
(guard_statement bound_identifier: (simple_identifier)* @local "=" (_) @value) @case
(guard_statement bound_identifier: (simple_identifier)* @local) @case
(catch_block) @branch @scope
(do_statement) @scope
(pattern (value_binding_pattern) bound_identifier: (simple_identifier) @local)
(pattern (value_binding_pattern) (pattern bound_identifier: (simple_identifier) @local) name: (user_type))
(pattern (value_binding_pattern) "." (simple_identifier) @reference.member (pattern . (simple_identifier) @local)*)
(pattern "." (simple_identifier) @reference.member)
; `{ $0.name }`: what is handed over has no name.
((simple_identifier) @hole @reference.variable (#any-of? @hole "$1" "$2" "$3"))
(lambda_literal type: (_)) @nest @scope
(lambda_literal "{" @passed) @nest @scope
(type_parameter . (type_identifier) @generic (_)? @type)
(computed_setter) @scope
(computed_getter) @scope

; Uses
(inheritance_specifier) @tokens
(user_type) @tokens
(call_expression . (_) @receiver (call_suffix (value_arguments "[" @reference.member)))
; A function behind the parentheses is an argument too.
(call_expression . (simple_identifier) @reference.call (call_suffix (lambda_literal) (lambda_literal)))
(call_expression . (simple_identifier) @reference.call (call_suffix (value_arguments) @arguments (lambda_literal)))
(call_expression . (simple_identifier) @reference.call (call_suffix (lambda_literal) @arguments))
(call_expression . (simple_identifier) @reference.call (call_suffix (value_arguments) @arguments))
(call_expression . (simple_identifier) @reference.call)
(call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
  (call_suffix (lambda_literal) (lambda_literal)))
(call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
  (call_suffix (value_arguments) @arguments (lambda_literal)))
(call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
  (call_suffix (lambda_literal) @arguments))
(call_expression
  . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
  (call_suffix (value_arguments) @arguments))
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.call)))
(equality_expression lhs: (_) @receiver rhs: (prefix_expression operation: "." target: (simple_identifier) @reference.member))
(assignment target: (_) @receiver result: (prefix_expression operation: "." target: (simple_identifier) @reference.member))
(call_expression . (prefix_expression operation: "." target: (simple_identifier) @reference.call) @implied (call_suffix (lambda_literal)))
(call_expression . (prefix_expression operation: "." target: (simple_identifier) @reference.call) @implied (call_suffix (value_arguments) @arguments))
(call_expression . (prefix_expression operation: "." target: (simple_identifier) @reference.call) @implied)
(call_expression . (_) @through)
(constructor_expression constructed_type: (user_type . (type_identifier) @reference.call))
(macro_invocation (simple_identifier) @reference.call)
(navigation_expression target: (key_path_expression) @hole @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.member))
(navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: [(simple_identifier) (integer_literal)] @reference.member))
(prefix_expression operation: "." target: (simple_identifier) @reference.member) @implied
(inheritance_constraint constrained_type: (identifier (simple_identifier) @reference.type (simple_identifier) @reference.type))
(inheritance_constraint constrained_type: (identifier . (simple_identifier) @generic @reference.type) (user_type) @type)
(equality_constraint constrained_type: (identifier . (simple_identifier) @reference.type))
[(operator_declaration) (precedence_group_declaration)] @skip
(key_path_expression (type_identifier) @reference.type)
((attribute (user_type (type_identifier) @_word)) @skip
  (#any-of? @_word "objc" "objcMembers" "main" "testable" "discardableResult" "available" "escaping" "autoclosure" "inlinable" "unknown" "frozen"
    "usableFromInline" "IBOutlet" "IBAction" "IBDesignable" "IBInspectable" "NSManaged" "UIApplicationMain" "Sendable" "nonobjc" "convention"
    "_exported" "preconcurrency" "dynamicMemberLookup" "propertyWrapper" "resultBuilder" "globalActor" "unchecked" "Test" "Suite"))
; What wraps a property is made where it is declared: `@Option(name: "x") var y: Int`.
(attribute (user_type . (type_identifier) @reference.call) "(" (simple_identifier)* @ignore) @arguments
(value_argument_label) @skip
(value_argument value: (_) @through)
(availability_condition) @skip
(directive) @skip
(type_identifier) @reference.type
((simple_identifier) @this (#eq? @this "Self"))
((simple_identifier) @_word (#eq? @_word "_"))
(simple_identifier) @reference.variable
(self_expression) @this
(super_expression) @super

; Values that pass through
(directly_assignable_expression (_) @through)
(postfix_expression target: (_) @through)
(try_expression expr: (_) @through)
(await_expression expr: (_) @through)
(tuple_expression . (_) @through)

(array_literal . (_) @value "]" @key @through)
(dictionary_literal value: (_) @value "]" @key @through)
[(line_string_literal) (multi_line_string_literal) (raw_string_literal) (array_literal) (dictionary_literal)] @literal
[(integer_literal) (real_literal) (boolean_literal) (hex_literal) (bin_literal) (oct_literal) (nil_literal) (regex_literal)] @literal @skip
[(comment) (multiline_comment)] @comment

; Complexity
(else) @else
; A case of the type that is switched on goes by its bare name.
(switch_statement expr: (_) @value (switch_entry (switch_pattern (pattern "." (simple_identifier) @key))*)*) @switch
(switch_statement) @switch
(switch_entry (default_keyword)) @scope
(switch_entry) @case @scope
(ternary_expression if_true: (_) @through) @branch
(conjunction_expression) @logical
(disjunction_expression) @logical
(nil_coalescing_expression value: (_) @through) @logical
