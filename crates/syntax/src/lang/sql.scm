; Definitions
(create_table (object_reference schema: (identifier)? @owner name: (identifier) @name) (column_definitions)? @body) @definition.table
(create_view (object_reference schema: (identifier)? @owner name: (identifier) @name) (create_query)? @body) @definition.view
(create_materialized_view (object_reference schema: (identifier)? @owner name: (identifier) @name) (create_query)? @body) @definition.view
(create_index column: (identifier) @name (object_reference schema: (identifier)? @qualifier name: (identifier) @reference.type)) @definition.index
(create_function (object_reference schema: (identifier)? @owner name: (identifier) @name) (function_body)? @body) @definition.function
(create_trigger (keyword_trigger) (object_reference name: (identifier) @name) (keyword_on) @body) @definition.event
(create_type (object_reference schema: (identifier)? @owner name: (identifier) @name) (enum_elements)) @definition.enum
(create_type (object_reference schema: (identifier)? @owner name: (identifier) @name)) @definition.type
(create_sequence (object_reference schema: (identifier)? @owner name: (identifier) @name)) @definition.variable
(create_schema (identifier) @name) @definition.namespace
(create_database (identifier) @name) @definition.namespace
(column_definition name: (identifier) @name type: (_) @type (object_reference name: (identifier) @reference.type)*) @definition.field
(column_definition name: (identifier) @name custom_type: (object_reference) @type (object_reference name: (identifier) @reference.type)*) @definition.field
(column_definition name: (identifier) @name) @definition.field
(statement (cte)) @scope
(cte . (identifier) @local)
(function_argument . (identifier) @local)

; Uses
(invocation (object_reference schema: (identifier)? @qualifier name: (identifier) @reference.call))
(relation (object_reference schema: (identifier)? @qualifier name: (identifier) @reference.type))
[
  (from (object_reference schema: (identifier)? @qualifier name: (identifier) @reference.type))
  (insert (object_reference schema: (identifier)? @qualifier name: (identifier) @reference.type))
  (alter_table (object_reference schema: (identifier)? @qualifier name: (identifier) @reference.type))
  (drop_table (object_reference schema: (identifier)? @qualifier name: (identifier) @reference.type))
  (drop_view (object_reference schema: (identifier)? @qualifier name: (identifier) @reference.type))
]
[(comment) (marginalia)] @comment

; Complexity
(when_clause) @branch
