; Definitions
(function_item name: (identifier) @name return_type: (_)? @type body: (_) @body) @definition.function
(function_signature_item name: (identifier) @name return_type: (_)? @type) @definition.function
(struct_item name: (type_identifier) @name body: (_)? @body) @definition.struct
(union_item name: (type_identifier) @name body: (_) @body) @definition.union
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum
(enum_variant name: (identifier) @name) @definition.variant
(trait_item name: (type_identifier) @name
  bounds: (trait_bounds [
    (type_identifier) @reference.implementation
    (generic_type type: (type_identifier) @reference.implementation)
    (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.implementation)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @reference.implementation))
  ]*)?
  body: (_) @body) @definition.trait
(impl_item
  trait: [
    (type_identifier) @reference.implementation
    (generic_type type: (type_identifier) @reference.implementation)
    (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.implementation)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @reference.implementation))
  ]?
  type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
    (reference_type type: (type_identifier) @name)
    (reference_type type: (generic_type type: (type_identifier) @name))
    (_) @name
  ]
  body: (_)? @body) @definition.impl
(mod_item name: (identifier) @name body: (_)? @body) @definition.module
(macro_definition name: (identifier) @name) @definition.macro
(const_item name: (identifier) @name type: (_) @type value: (_)? @value) @definition.constant
(static_item name: (identifier) @name type: (_) @type value: (_)? @value) @definition.variable
(type_item name: (type_identifier) @name type: (_) @type) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field

; Imports
(use_declaration) @import
(extern_crate_declaration) @import

; Local names
(parameter pattern: [(identifier) @local (mut_pattern (identifier) @local) (reference_pattern (identifier) @local)] type: (_) @type)
(parameter pattern: (tuple_pattern (identifier)* @local))
(let_declaration alternative: (_)) @elif
(let_declaration pattern: [(identifier) @local (mut_pattern (identifier) @local)] type: (_)? @type value: (_)? @value)
(let_declaration pattern: (tuple_pattern [(identifier) @local (mut_pattern (identifier) @local)]*) value: (_)? @value)
(let_declaration pattern: (tuple_struct_pattern type: [(identifier) @reference.type (scoped_identifier)] (identifier)* @local))
(let_condition pattern: (tuple_struct_pattern type: [(identifier) @reference.type (scoped_identifier)] (identifier)* @local))
(let_condition pattern: (identifier) @local value: (_) @value)
(tuple_struct_pattern type: [(identifier) @reference.type (scoped_identifier)] [(identifier) @local (mut_pattern (identifier) @local)]*)
(captured_pattern (identifier) @local)
(field_pattern name: (field_identifier) @reference.member pattern: (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(closure_parameters (identifier)* @local)
(closure_expression) @nest @scope
(block) @scope
(for_expression pattern: (identifier) @local value: (_) @value) @branch @scope
(for_expression pattern: (tuple_pattern (identifier)* @local)) @branch @scope
(for_expression) @branch @scope

; Uses
(call_expression function: (identifier) @reference.call)
(call_expression function: (scoped_identifier path: (_) @qualifier name: (identifier) @reference.call))
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call))
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @qualifier name: (identifier) @reference.call)))
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call)))
(token_tree) @tokens
(macro_invocation macro: (identifier) @reference.call)
(macro_invocation macro: (scoped_identifier path: (_) @qualifier name: (identifier) @reference.call))
(struct_expression name: [(type_identifier) @reference.type (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.type) (generic_type_with_turbofish type: (type_identifier) @reference.type)])
(field_expression value: (_) @receiver field: (field_identifier) @reference.member)
(scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.type)
(scoped_identifier path: (_) @qualifier name: (identifier) @reference.variable)
(scoped_identifier name: (identifier) @reference.variable)
(field_initializer field: (field_identifier) @reference.member)
(shorthand_field_initializer (identifier) @reference.variable)
(type_identifier) @reference.type
(field_identifier) @reference.member
(identifier) @reference.variable
(self) @this
(super) @super

; Values that pass through
(parenthesized_expression (_) @through)
(try_expression (_) @through)
(await_expression (_) @through)
(reference_expression value: (_) @through)
(unary_expression (_) @through)
(index_expression . (_) @through)
(type_cast_expression type: (type_identifier) @reference.type)

[(string_literal) (raw_string_literal) (integer_literal) (float_literal) (boolean_literal) (char_literal)] @literal @skip
[(line_comment) (block_comment)] @comment
(attribute_item) @attribute
(lifetime) @skip

; Complexity
(if_expression alternative: (else_clause (if_expression) @flat)? ) @branch @scope
(else_clause) @else
(while_expression) @branch @scope
(loop_expression) @branch @scope
(match_expression) @switch
(match_arm pattern: (match_pattern !condition "_")) @scope
(match_arm) @case @scope
(binary_expression operator: ["&&" "||"]) @logical
(let_chain) @logical
