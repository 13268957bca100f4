; Definitions
(class_declaration name: (identifier) @name
  superclass: (superclass [(type_identifier) @reference.implementation (generic_type (type_identifier) @reference.implementation) (scoped_type_identifier)])?
  interfaces: (super_interfaces (type_list [(type_identifier) @reference.implementation (generic_type (type_identifier) @reference.implementation) (scoped_type_identifier)]*))?
  body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name
  (extends_interfaces (type_list [(type_identifier) @reference.implementation (generic_type (type_identifier) @reference.implementation) (scoped_type_identifier)]*))?
  body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name
  interfaces: (super_interfaces (type_list (type_identifier)* @reference.implementation))?
  body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.variant
(record_declaration name: (identifier) @name body: (_) @body) @definition.class
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(method_declaration type: (_) @type @_def name: (identifier) @name body: (_)? @body (#not-eq? @_def "def")) @definition.function
(method_declaration name: (identifier) @name body: (_)? @body) @definition.function
(function_definition type: (_)? @type name: (identifier) @name body: (_)? @body) @definition.function
(field_declaration type: (_)? @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value)*) @definition.field
(constant_declaration type: (_)? @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value)*) @definition.constant
(local_variable_declaration type: (_)? @type declarator: (variable_declarator name: (identifier) @name value: (_)? @value)*) @definition.variable

; Build scripts and pipelines; the grammar takes a trait for a call
(juxt_function_call name: (identifier) @_trait args: (argument_list . (identifier) @name) (#eq? @_trait "trait")) @definition.trait
(juxt_function_call name: (identifier) @_task args: (argument_list . (identifier) @name) (#eq? @_task "task")) @definition.target
(method_invocation object: (identifier) @_tasks name: (identifier) @_register @reference.call arguments: (argument_list . [(string_literal) (character_literal)] @name)
  (#eq? @_tasks "tasks") (#any-of? @_register "register" "create" "named")) @definition.target
(method_invocation !object name: (identifier) @_stage @reference.call arguments: (argument_list . [(string_literal) (character_literal)] @name) body: (closure) @body
  (#eq? @_stage "stage")) @definition.stage
(method_invocation !object !arguments name: (identifier) @reference.call body: (closure) @body) @declarator @definition.block

; Imports
(import_declaration) @import
(package_declaration) @skip

; Local names
(formal_parameter type: (_)? @type name: (identifier) @local)
(catch_formal_parameter (catch_type) @type name: (identifier) @local)
(enhanced_for_statement type: (_)? @type name: (identifier) @local) @branch @scope
(lambda_expression parameters: (identifier) @local) @nest @scope
(lambda_expression parameters: (inferred_parameters (identifier)* @local)) @nest @scope
(lambda_expression) @nest @scope
(block) @scope
(closure) @nest @scope

; Uses
(object_creation_expression type: [(type_identifier) @reference.call (generic_type (type_identifier) @reference.call) (scoped_type_identifier)])
(method_invocation object: (_) @receiver name: (identifier) @reference.call)
(method_invocation name: (identifier) @reference.call)
(juxt_function_call name: (identifier) @reference.call)
(field_access object: (_) @receiver field: (identifier) @reference.member)
(marker_annotation name: (identifier) @reference.call)
(annotation name: (identifier) @reference.call)
(map_item key: (identifier))
(parenthesized_expression (_) @through)
((type_identifier) @_def (#eq? @_def "def"))
(type_identifier) @reference.type
(identifier) @reference.variable
(this) @this
(super) @super
[(decimal_integer_literal) (decimal_floating_point_literal) (hex_integer_literal) (character_literal) (true) (false) (null_literal)] @literal @skip
[(string_literal) (array_literal) (map_literal)] @literal
[(line_comment) (block_comment) (shebang)] @comment

; Complexity
(if_statement alternative: (if_statement) @flat) @branch
(if_statement) @branch
"else" @else
(for_statement) @branch @scope
(while_statement) @branch
(do_statement) @branch
(catch_clause) @branch @scope
(ternary_expression) @branch
(switch_expression) @switch
(switch_label "default")
(switch_label) @case
(binary_expression operator: ["&&" "||"]) @logical
