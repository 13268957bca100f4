; Definitions
(header module: (module) @name) @definition.module
(signature name: (variable) @name) @definition.function
(signature names: (binding_list name: (variable)+ @name)) @definition.function
(signature name: (prefix_id (operator) @name)) @definition.function
(function name: (variable) @name match: (_) @body) @definition.function
(function name: (prefix_id (operator) @name) match: (_) @body) @definition.function
(function (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (_) @body) @definition.function
(bind name: (variable) @name match: (match expression: [(do) (lambda) (lambda_case)]) @body) @definition.function
(bind name: (variable) @name match: (match expression: (_) @value)) @definition.variable
(bind name: (variable) @name) @definition.variable
(class context: (context (apply constructor: (name) @reference.implementation)) name: (name) @name) @definition.trait
(class name: (name) @name) @definition.trait
(instance name: [(name) @reference.implementation (qualified id: (name) @reference.implementation)]
  patterns: (type_patterns . [
    (name) @name
    (parens (apply constructor: (name) @name))
    (apply constructor: (name) @name)
    (_) @name
  ])) @definition.impl
(data_type name: (name) @name) @definition.enum
(newtype name: (name) @name) @definition.struct
(data_constructor constructor: [
  (record name: (constructor) @name)
  (prefix name: (constructor) @name)
]) @definition.variant
(newtype_constructor name: (constructor) @name) @definition.variant
(gadt_constructor name: (constructor) @name) @definition.variant
(field name: (field_name (variable) @name) type: (_) @type) @definition.field
(type_synonym name: (name) @name type: (_) @type) @definition.type
(type_family name: (name) @name) @definition.type
(data_family name: (name) @name) @definition.type
(pattern_synonym (equation synonym: (constructor) @name)) @definition.variant
(pattern_synonym (signature)) @attribute
((infix left_operand: (apply function: (variable) @_test argument: (literal (string) @name))
  operator: (operator) @_apply right_operand: (_) @body
  (#any-of? @_test "it" "describe" "context" "specify" "prop" "testCase" "testProperty" "testGroup")
  (#eq? @_apply "$")) @definition.test)

; Imports, and what is offered
(import) @import
(export variable: (variable) @reference.import)

; Local names
(patterns [
  (variable) @local
  (as bind: (variable) @local)
  (strict (variable) @local)
  (tuple (variable)* @local)
  (parens pattern: (apply
    function: [
      (apply
        function: [(apply argument: (variable)? @local) (constructor)]
        argument: (variable)? @local)
      (constructor)
    ]
    argument: (variable)? @local))
  (parens pattern: (infix left_operand: (variable)? @local right_operand: (variable)? @local))
]*)
(bind pattern: (variable) @local expression: (_) @value)
(bind pattern: (tuple (variable)* @local) expression: (_) @value)
(alternative pattern: (wildcard)) @scope
(alternative pattern: [
  (variable) @local
  (tuple (variable)* @local)
  (apply
    function: [
      (apply
        function: [(apply argument: (variable)? @local) (constructor)]
        argument: (variable)? @local)
      (constructor)
    ]
    argument: (variable)? @local)
]) @case @scope
(alternative) @case @scope
(lambda) @nest @scope
(let_in) @scope
(do) @scope

; Uses
(apply function: (variable) @reference.call)
(apply function: (constructor) @reference.call)
(apply function: (qualified module: (module . (module_id) @qualifier) id: [(variable) (constructor)] @reference.call))
(apply function: (apply) @through)
(infix_id (variable) @reference.call)
(infix_id (qualified module: (module . (module_id) @qualifier) id: (variable) @reference.call))
((infix operator: (operator) @_operator) @logical (#any-of? @_operator "&&" "||"))
((infix left_operand: (variable) @reference.call operator: (operator) @_apply) (#eq? @_apply "$"))
((infix operator: (operator) @reference.call)
  (#not-any-of? @reference.call "+" "-" "*" "/" "^" "$" "." "==" "/=" "<" ">" "<=" ">=" "++" ":" "<>" "<$>" "<*>" ">>=" ">>" "!!"))
(qualified module: (module . (module_id) @qualifier) id: (name) @reference.type)
(qualified module: (module . (module_id) @qualifier) id: (_) @reference.variable)
(deriving classes: (name) @reference.implementation)
(deriving classes: (tuple (name)* @reference.implementation))
(name) @reference.type
(constructor) @reference.variable
(variable) @reference.variable
(parens expression: (_) @through)
(type_params) @skip
(literal) @literal @skip
[(comment) (haddock)] @comment
(pragma) @attribute @skip

; Complexity
(conditional) @branch
(case) @switch
(lambda_case) @switch
((match guards: (guards guard: (boolean (variable) @_default))) @scope (#eq? @_default "otherwise"))
(match guards: (_)) @case @scope
