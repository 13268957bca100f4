; Definitions
(schema_definition "schema" @name) @definition.block
(object_type_definition (description (string_value) @doc)? (name) @name (fields_definition)? @body) @definition.class
(interface_type_definition (description (string_value) @doc)? (name) @name (fields_definition)? @body) @definition.interface
(input_object_type_definition (description (string_value) @doc)? (name) @name (input_fields_definition)? @body) @definition.struct
(enum_type_definition (description (string_value) @doc)? (name) @name (enum_values_definition)? @body) @definition.enum
(union_type_definition (description (string_value) @doc)? (name) @name) @definition.union
(scalar_type_definition (description (string_value) @doc)? (name) @name) @definition.type
(directive_definition (description (string_value) @doc)? (name) @name (directive_locations) @value) @definition.macro
(field_definition (description (string_value) @doc)? (name) @name (type) @type) @definition.field
(input_value_definition (description (string_value) @doc)? (type) @type) @declarator @definition.field
(enum_value_definition (description (string_value) @doc)? (enum_value (name) @name)) @definition.variant
(object_type_extension (name) @name (fields_definition)? @body) @definition.impl
(interface_type_extension (name) @name (fields_definition)? @body) @definition.impl
(input_object_type_extension (name) @name (input_fields_definition)? @body) @definition.impl
(enum_type_extension (name) @name (enum_values_definition)? @body) @definition.impl
(union_type_extension (name) @name) @definition.impl
(operation_definition (name) @name (selection_set) @body) @definition.function
(fragment_definition (fragment_name (name) @name) (selection_set) @body) @definition.block

; Uses
(implements_interfaces (named_type (name) @reference.implementation)*)
(named_type (name) @reference.type)
(fragment_spread (fragment_name (name) @reference.variable))
(directive (name) @reference.call)
(field (name) @reference.member)
(variable_definition (variable (name) @local) (type) @type)
(variable (name) @reference.variable)
(comment) @comment
