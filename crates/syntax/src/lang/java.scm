; Definitions
(package_declaration [(identifier) (scoped_identifier)] @name) @definition.namespace @skip
(module_declaration name: (_) @name body: (_) @body) @definition.module
(class_declaration name: (identifier) @name body: (_) @body) @definition.class @scope
(record_declaration name: (identifier) @name body: (_) @body) @definition.class @scope
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface @scope
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name body: (_)? @body) @definition.variant
(method_declaration type: (_) @type name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(annotation_type_element_declaration type: (_) @type name: (identifier) @name value: (_)? @value) @definition.method
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value)*) @definition.variable
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value)*) @definition.constant
; A parameter, or a record's component: what is around it decides.
(formal_parameter type: (_) @type name: (identifier) @name) @definition.variable
(spread_parameter
  [(type_identifier) (generic_type) (scoped_type_identifier) (array_type) (integral_type) (floating_point_type) (boolean_type)]? @type
  (variable_declarator name: (identifier) @name)) @definition.variable @rest

; Imports
(import_declaration) @import
(requires_module_directive) @import

; Local names
((local_variable_declaration type: (type_identifier) @_var declarator: (variable_declarator name: (identifier) @local value: (_)? @value)*)
  (#eq? @_var "var"))
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @local value: (_)? @value)*)
((resource type: (type_identifier) @_var name: (identifier) @local value: (_) @value) (#eq? @_var "var"))
(resource type: (_) @type name: (identifier) @local value: (_) @value)
(catch_formal_parameter (catch_type) @type name: (identifier) @local)
((enhanced_for_statement type: (type_identifier) @_var name: (identifier) @local value: (_) @element) @branch @scope (#eq? @_var "var"))
(enhanced_for_statement type: (_) @type name: (identifier) @local) @branch @scope
(lambda_expression parameters: [(identifier) @passed (inferred_parameters (identifier)* @passed)]) @nest @scope
(lambda_expression) @nest @scope
(instanceof_expression right: (_) @type name: (identifier) @local)
((record_pattern_component . (type_identifier) @_var (identifier) @local) (#eq? @_var "var"))
(record_pattern_component . (_) @type (identifier) @local)
(type_pattern . (_) @type (identifier) @local)
(record_pattern . (identifier) @reference.type)
(type_parameter (type_identifier) @generic (type_bound . (_) @type)?)
(labeled_statement . (identifier) @ignore)
[(break_statement) (continue_statement)] @skip
(block) @scope
(constructor_body) @scope
(switch_block) @scope
(switch_rule) @scope

; Uses
(superclass) @tokens
(super_interfaces) @tokens
(extends_interfaces) @tokens
; What these give back is what they are given, or holds it
((method_invocation object: (identifier) @receiver @_library name: (identifier) @reference.call @_holding arguments: (argument_list . (_) @through))
  (#any-of? @_library "Arrays" "Collections" "ImmutableList" "ImmutableSet" "Iterators" "List" "Lists" "Objects" "Optional" "Preconditions" "Set" "Sets" "Stream")
  (#any-of? @_holding "asList" "checkNotNull" "copyOf" "of" "ofNullable" "requireNonNull" "requireNonNullElse" "singleton" "singletonList" "stream"
    "unmodifiableCollection" "unmodifiableList" "unmodifiableSet"))
(method_invocation object: (_) @receiver name: (identifier) @reference.call arguments: (_) @arguments)
(method_invocation name: (identifier) @reference.call arguments: (_) @arguments)
(explicit_constructor_invocation constructor: [(this) (super)] @reference.call arguments: (_) @arguments)
(method_reference) @tokens
(object_creation_expression type: [(type_identifier) @reference.implementation (generic_type (type_identifier) @reference.implementation)]
  arguments: (_) @arguments (class_body)) @scope
(object_creation_expression type: (_) @through (class_body)) @scope @tokens
(object_creation_expression . [(identifier) (field_access) (method_invocation) (parenthesized_expression) (this) (array_access)] @receiver
  type: [(type_identifier) @reference.call (generic_type (type_identifier) @reference.call)] arguments: (_) @arguments)
(object_creation_expression type: [(type_identifier) @reference.call (generic_type (type_identifier) @reference.call)] arguments: (_) @arguments)
(object_creation_expression type: (scoped_type_identifier
  [(type_identifier) (scoped_type_identifier) (generic_type)] @qualifier (type_identifier) @reference.call) arguments: (_) @arguments)
(object_creation_expression type: (generic_type (scoped_type_identifier
  [(type_identifier) (scoped_type_identifier) (generic_type)] @qualifier (type_identifier) @reference.call)) arguments: (_) @arguments)
(object_creation_expression type: (_) @through) @tokens
(field_access object: (_) @through field: (this))
(field_access object: (_) @receiver field: (identifier) @reference.member)
(marker_annotation name: [(identifier) @reference.type (scoped_identifier scope: (_) @qualifier name: (identifier) @reference.type)])
(annotation name: [(identifier) @reference.type @whole (scoped_identifier scope: (_) @qualifier name: (identifier) @reference.type) @whole])
(element_value_pair key: (identifier) @reference.member)
(scoped_type_identifier (type_identifier)* @reference.type) @tokens
(scoped_identifier scope: (_) @qualifier name: (identifier) @reference.variable)
(generic_type [(type_identifier) @reference.type (scoped_type_identifier) @through])
(cast_expression type: (_) @through)
(assignment_expression left: (_) @through)
((type_identifier) @skip (#eq? @skip "var"))
((identifier) @skip (#eq? @skip "default"))
(type_identifier) @reference.type
(identifier) @reference.variable
(this) @this
(super) @super

; Values that pass through
(parenthesized_expression (_) @through)
(update_expression (_) @through)
(array_access array: (_) @receiver "[" @reference.member)

[(decimal_integer_literal) (hex_integer_literal) (octal_integer_literal) (binary_integer_literal) (decimal_floating_point_literal)
 (hex_floating_point_literal) (character_literal) (true) (false) (null_literal)] @literal @skip
[(string_literal) (class_literal)] @literal
[(line_comment) (block_comment)] @comment

; Complexity
(if_statement alternative: (if_statement)? @flat) @branch
"else" @else
(for_statement) @branch @scope
(while_statement) @branch
(do_statement) @branch
(catch_clause) @branch @scope
(try_with_resources_statement) @scope
(ternary_expression consequence: (null_literal) alternative: (_) @through) @branch
(ternary_expression consequence: (_) @through) @branch
; A constant of the type that is switched on goes by its bare name.
(switch_expression condition: (_) @value body: (switch_block [
  (switch_block_statement_group (switch_label (identifier) @key)*)
  (switch_rule (switch_label (identifier)* @key))
]*)) @switch
(switch_label "case") @case
(binary_expression operator: ["&&" "||"]) @logical
