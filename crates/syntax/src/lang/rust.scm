; Definitions
(function_item name: (identifier) @name return_type: (_)? @type body: (_) @body) @definition.function
(function_signature_item name: (identifier) @name return_type: (_)? @type) @definition.function
(struct_item name: (type_identifier) @name body: (ordered_field_declaration_list) @type @body) @definition.struct @scope
(struct_item name: (type_identifier) @name body: (_)? @body) @definition.struct @scope
(union_item name: (type_identifier) @name body: (_) @body) @definition.union @scope
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum @scope
(enum_variant name: (identifier) @name body: (ordered_field_declaration_list)? @type) @definition.variant
(trait_item name: (type_identifier) @name
  bounds: (trait_bounds [
    (type_identifier) @reference.implementation
    (generic_type type: (type_identifier) @reference.implementation)
    (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.implementation)
    (generic_type type: (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.implementation))
  ]*)?
  body: (_) @body) @definition.trait @scope
(impl_item
  trait: [
    (type_identifier) @reference.implementation
    (generic_type type: (type_identifier) @reference.implementation)
    (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.implementation)
    (generic_type type: (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.implementation))
  ]?
  type: (generic_type type: (type_identifier) @_wrap type_arguments: (type_arguments . (type_identifier) @name .)) @type
  body: (_)? @body
  (#any-of? @_wrap "Arc" "Box" "Pin" "Rc")) @definition.impl @scope
(impl_item
  trait: [
    (type_identifier) @reference.implementation
    (generic_type type: (type_identifier) @reference.implementation)
    (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.implementation)
    (generic_type type: (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.implementation))
  ]?
  type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
    (reference_type type: (type_identifier) @name)
    (reference_type type: (generic_type type: (type_identifier) @name))
    (dynamic_type trait: [
      (type_identifier) @name
      (generic_type type: (type_identifier) @name)
      (scoped_type_identifier name: (type_identifier) @name)
    ])
    (_) @name
  ] @type
  body: (_)? @body) @definition.impl @scope
(mod_item name: (identifier) @name body: (_)? @body) @definition.module
(macro_definition name: (identifier) @name) @definition.macro
(const_item name: (identifier) @name type: (_) @type value: (_)? @value) @definition.constant
(static_item name: (identifier) @name type: (_) @type value: (_)? @value) @definition.variable
(type_item name: (type_identifier) @name type: (_) @type) @definition.type @scope
(associated_type name: (type_identifier) @name bounds: (_)? @type) @definition.type @scope
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field

; Imports
(use_declaration) @import
(extern_crate_declaration) @import

; Local names
(type_parameter name: (type_identifier) @generic bounds: (_)? @type)
(where_predicate left: (type_identifier) @local bounds: (_) @type)
(parameter pattern: [(identifier) @local (mut_pattern (identifier) @local) (reference_pattern (identifier) @local)] type: (_) @type)
(parameter) @passed
(let_declaration pattern: (_) value: (_) @subject alternative: (_)) @elif
(let_declaration pattern: (identifier) @local !type value: (closure_expression return_type: (_) @type))
(let_declaration pattern: (identifier) @local type: (_)? @type value: (_)? @value)
(let_declaration pattern: (tuple_pattern [(identifier) @local (mut_pattern (identifier) @local)]*) type: (_)? @type value: (_)? @value)
(let_declaration pattern: (_) value: (_)? @subject)
(let_condition pattern: (_) value: (_) @subject)
(tuple_struct_pattern type: [(identifier) @reference.type (scoped_identifier)] @type [
  (identifier) @part
  (mut_pattern (identifier) @part)
  (ref_pattern [(identifier) @part (mut_pattern (identifier) @part)])
  (reference_pattern (identifier) @part)
  (captured_pattern . (identifier) @part)
]*)
(struct_pattern type: [(type_identifier) @reference.type (scoped_type_identifier)] @whole)
(field_pattern name: (field_identifier) @reference.member @value pattern: (identifier) @local)
(field_pattern name: (field_identifier) @reference.member @subject pattern: (_))
(field_pattern name: (shorthand_field_identifier) @reference.member @local @value)
(match_pattern (identifier) @part)
(tuple_pattern (identifier)* @part)
(slice_pattern (identifier)* @part)
(or_pattern (identifier)* @part)
(mut_pattern (identifier) @part)
(ref_pattern (identifier) @part)
(reference_pattern (identifier) @part)
(captured_pattern . (identifier) @part)
(closure_parameters (identifier)* @part) @passed
(closure_expression body: [
  (identifier) (call_expression) (field_expression) (reference_expression) (struct_expression)
] @through) @nest @scope
(closure_expression body: (block [
  (identifier) (call_expression) (field_expression) (reference_expression) (struct_expression)
] @through)) @nest @scope
(closure_expression) @nest @scope
(block) @scope
(for_expression pattern: (identifier) @part value: (_) @subject) @branch @scope
(for_expression value: (_) @subject) @branch @scope

; Uses
; A value in a box is used like the value itself.
((call_expression
  function: (scoped_identifier path: (identifier) @qualifier @_box name: (identifier) @reference.call @_new)
  arguments: (arguments . (_) @through))
  (#any-of? @_box "Arc" "Box" "Cell" "LazyLock" "Mutex" "OnceCell" "Pin" "Rc" "RefCell" "RwLock") (#any-of? @_new "new" "pin" "clone" "from"))
((call_expression function: (scoped_identifier path: [(identifier) @_mem (scoped_identifier name: (identifier) @_mem)] name: (identifier) @reference.call @_taken)
  arguments: (arguments . (_) @through))
  (#eq? @_mem "mem") (#any-of? @_taken "replace" "take"))
((call_expression function: (identifier) @reference.call @_some arguments: (arguments . (_) @through))
  (#any-of? @_some "Some" "Ok"))
(call_expression function: (identifier) @reference.call)
; A type may be made of several others: which of them it is tells what is called.
((call_expression function: (scoped_identifier path: (_) @qualifier name: (identifier) @reference.call @_from)
  arguments: (arguments) @arguments)
  (#any-of? @_from "from" "try_from"))
(call_expression function: (scoped_identifier path: (_) @qualifier name: (identifier) @reference.call))
; What comes of a function for each of many, and what is put into many.
((call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call @_each)
  arguments: (arguments . [(closure_expression) (identifier) (scoped_identifier)] @mapped))
  (#any-of? @_each "and_then" "filter_map" "find_map" "flat_map" "map" "map_while"))
((call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call @_put)
  arguments: (arguments . (_) (_) @mapped)) (#eq? @_put "insert"))
((call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call @_put)
  arguments: (arguments . (_) @mapped)) (#any-of? @_put "insert" "push" "push_back" "push_front"))
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call))
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @qualifier name: (identifier) @reference.call)))
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call)))
(token_tree) @embed @tokens
; Macros have names of their own: the mark stands for where they are.
((macro_invocation macro: (identifier) @reference.call @_vec "!" @qualifier (token_tree) @through) (#eq? @_vec "vec"))
(macro_invocation macro: (identifier) @reference.call "!" @qualifier)
(macro_invocation macro: (scoped_identifier path: (_) @qualifier name: (identifier) @reference.call))
(struct_expression name: [(type_identifier) @reference.type (scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.type) (generic_type_with_turbofish type: (type_identifier) @reference.type)] @whole)
(struct_expression name: (_) @whole)
(field_expression value: (_) @receiver field: [(field_identifier) (integer_literal)] @reference.member)
; A type that is said of a trait is the trait's: `Iterator<Item = Shape>`.
(type_binding name: (type_identifier) @reference.type @implied)
(scoped_type_identifier path: (_) @qualifier name: (type_identifier) @reference.type)
(scoped_identifier path: (_) @qualifier name: (identifier) @reference.variable)
(scoped_identifier name: (identifier) @reference.variable)
(field_initializer field: (field_identifier) @reference.member)
(shorthand_field_initializer (identifier) @reference.member)
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
(index_expression . (_) @receiver "[" @reference.member)
; What is added gives one of its kind, as a rule.
(binary_expression left: (_) @through operator: ["+" "-" "*" "/"])
(array_expression . [(identifier) (scoped_identifier) (field_expression) (call_expression) (reference_expression) (struct_expression)] @value "]" @key @through)
(array_expression . (_) @through)
(type_cast_expression type: (type_identifier) @reference.type)

[(string_literal) (raw_string_literal) (integer_literal) (float_literal) (boolean_literal) (char_literal)] @literal @skip
[(line_comment) (block_comment)] @comment
; What is derived is a macro, which no definition has the name of; a type or trait of that name is something else.
((attribute . (identifier) @_word arguments: (token_tree) @skip)
  (#any-of? @_word "allow" "cfg" "cfg_attr" "deny" "deprecated" "derive" "doc" "expect" "feature" "forbid" "inline" "must_use" "repr" "warn"))
(attribute_item "#" @qualifier (attribute . (identifier) @reference.variable)) @attribute
(attribute_item) @attribute
(lifetime) @skip

; Complexity
(if_expression consequence: (block [
  (identifier) (call_expression) (field_expression) (reference_expression) (struct_expression)
] @through) alternative: (else_clause (if_expression) @flat)?) @branch @scope
(if_expression alternative: (else_clause (if_expression) @flat)? ) @branch @scope
(else_clause) @else
(while_expression) @branch @scope
(loop_expression) @branch @scope
(match_expression value: (_) @subject body: (match_block (match_arm value: [
  (identifier) (call_expression) (field_expression) (reference_expression) (struct_expression)
] @through))) @switch
(match_expression value: (_) @subject) @switch
(match_arm pattern: (match_pattern !condition "_")) @scope
(match_arm) @case @scope
(binary_expression operator: ["&&" "||"]) @logical
(let_chain) @logical
