; Definitions
(module_declaration name: (upper_case_qid) @name) @definition.module
(value_declaration functionDeclarationLeft: (function_declaration_left) body: (_) @body) @declarator @definition.function @scope
(type_alias_declaration name: (upper_case_identifier) @name typeExpression: (type_expression part: (record_type)) @body) @definition.struct
(type_alias_declaration name: (upper_case_identifier) @name typeExpression: (_) @type) @definition.type
(type_declaration name: (upper_case_identifier) @name) @definition.enum
(union_variant name: (upper_case_identifier) @name) @definition.variant
(field_type name: (lower_case_identifier) typeExpression: (_) @type) @declarator @definition.field
(port_annotation name: (lower_case_identifier) @name typeExpression: (_) @type) @definition.function
(type_annotation) @attribute

; Imports
(import_clause) @import

; Local names
(let_in_expr valueDeclaration: (value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @local))*) @scope
(lower_pattern (lower_case_identifier) @local)
(anonymous_function_expr) @nest @scope
(case_of_branch pattern: (pattern child: (anything_pattern))) @scope
(case_of_branch) @case @scope

; Uses
(exposed_value (lower_case_identifier) @reference.import)
(value_expr name: (value_qid) @through)
(value_qid (lower_case_identifier) @through) @tokens
(upper_case_qid) @tokens
(function_call_expr target: (_) @through)
(field_access_expr target: (_) @receiver (lower_case_identifier) @reference.member)
(record_base_identifier (lower_case_identifier) @reference.variable)
(field name: (lower_case_identifier) @reference.member)
(exposed_type (upper_case_identifier) @reference.type)
(exposed_value (lower_case_identifier) @reference.variable)
(parenthesized_expr expression: (_) @through)
[(number_constant_expr) (string_constant_expr) (char_constant_expr)] @literal @skip
[(line_comment) (block_comment)] @comment

; Complexity
(if_else_expr) @branch
(case_of_expr) @switch
(operator (operator_identifier) @_operator (#any-of? @_operator "&&" "||")) @logical
