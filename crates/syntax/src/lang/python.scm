; Definitions
(function_definition name: (identifier) @name return_type: (_)? @type
  body: (block . (expression_statement . (string) @doc)) @body) @definition.function
(function_definition name: (identifier) @name return_type: (_)? @type body: (_) @body) @definition.function
(class_definition name: (identifier) @name
  superclasses: (argument_list [
    (identifier) @reference.implementation
    (attribute object: (_) @qualifier attribute: (identifier) @reference.implementation)
    (subscript value: (identifier) @reference.implementation)
    (subscript value: (attribute attribute: (identifier) @reference.implementation))
  ]*)
  body: (block . (expression_statement . (string) @doc)?) @body) @definition.class
(class_definition name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)?) @body) @definition.class
(decorated_definition) @wrapper
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name) type: (_)? @type right: (_)? @value
  (#any-of? @_self "self" "cls")) @definition.field
(assignment left: (identifier) @name type: (_)? @type right: (_)? @value) @definition.variable
(assignment left: (pattern_list (identifier)* @name) right: (_)? @value) @definition.variable
(type_alias_statement left: (type (identifier) @name) right: (_) @type) @definition.type
(named_expression name: (identifier) @local value: (_) @value)

; Imports
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import

; Local names
(parameters [(identifier) @local (list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)]*)
(lambda_parameters (identifier)* @local)
(typed_parameter . (identifier) @local type: (_) @type)
(typed_default_parameter name: (identifier) @local type: (_) @type value: (_) @value)
(default_parameter name: (identifier) @local value: (_) @value)
(for_in_clause left: [(identifier) @local (pattern_list (identifier)* @local) (tuple_pattern (identifier)* @local)]) @case
(for_statement left: [(identifier) @local (pattern_list (identifier)* @local) (tuple_pattern (identifier)* @local)]) @branch
(as_pattern (_) @value alias: (as_pattern_target (identifier) @local))
(lambda) @nest @scope
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope
(global_statement (identifier)* @reference.variable)

; Uses
((call function: (identifier) @_super) @super (#eq? @_super "super"))
(call function: (identifier) @reference.call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(attribute object: (_) @receiver attribute: (identifier) @reference.member)
(keyword_argument name: (identifier) @ignore)
(type (identifier) @reference.type)
(type (attribute object: (_) @qualifier attribute: (identifier) @reference.type))
(generic_type (identifier) @reference.type)
(decorator (identifier) @reference.call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))
((identifier) @this (#any-of? @this "self" "cls"))
(identifier) @reference.variable

; Values that pass through
(parenthesized_expression (_) @through)
(await (_) @through)
(subscript value: (_) @through)

[(string) (concatenated_string) (integer) (float) (true) (false) (none)] @literal
[(list) (dictionary) (set) (tuple)] @literal
(comment) @comment

; Complexity
(if_statement) @branch
(elif_clause) @elif
(else_clause) @else
(while_statement) @branch
(except_clause) @branch
(conditional_expression) @branch
(case_clause !guard (case_pattern "_"))
(case_clause) @case
(if_clause) @case
(match_statement) @switch
(boolean_operator) @logical
