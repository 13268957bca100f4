; Definitions
(function_definition name: (identifier) @name return_type: (_)? @type
  body: (block . (expression_statement . (string) @doc)) @body) @definition.function
(function_definition name: (identifier) @name return_type: (_)? @type body: (_) @body) @definition.function
(class_definition name: (identifier) @name
  superclasses: (argument_list [
    (identifier) @reference.implementation
    (attribute object: (_) @qualifier attribute: (identifier) @reference.implementation)
    (subscript value: (identifier) @reference.implementation)
    (subscript value: (attribute object: (_) @qualifier attribute: (identifier) @reference.implementation))
  ]*)
  body: (block . (expression_statement . (string) @doc)?) @body) @definition.class
(class_definition name: (identifier) @name
  body: (block . (expression_statement . (string) @doc)?) @body) @definition.class
(decorated_definition) @wrapper
; `size: Final = 1` is what its value is.
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name) type: (type (identifier) @_bare) right: (_) @value
  (#any-of? @_self "self" "cls") (#any-of? @_bare "ClassVar" "Final")) @definition.field
(assignment left: (identifier) @name type: (type (identifier) @_bare) right: (_) @value
  (#any-of? @_bare "ClassVar" "Final")) @definition.variable
; A name for a type is that type: `Node = Union[Leaf, Tree]`, `Node = Leaf | Tree`.
(assignment left: (identifier) @name type: (type [(identifier) @_bare (attribute attribute: (identifier) @_bare)])
  right: [(string (string_content) @quoted) (parenthesized_expression (string (string_content) @quoted)) (_)] @type
  (#eq? @_bare "TypeAlias")) @definition.variable
(assignment left: (identifier) @name
  right: (subscript value: [(identifier) @_of (attribute attribute: (identifier) @_of)] subscript: (string (string_content) @quoted)*) @type
  (#any-of? @_of "AbstractSet" "Annotated" "AsyncGenerator" "AsyncIterable" "AsyncIterator" "Awaitable" "Callable" "ChainMap"
    "Collection" "Coroutine" "DefaultDict" "Deque" "Dict" "FrozenSet" "Generator" "Iterable" "Iterator" "List" "Mapping"
    "MutableMapping" "MutableSequence" "MutableSet" "Optional" "OrderedDict" "Sequence" "Set" "Tuple" "Type" "Union")) @definition.variable
(assignment left: (identifier) @name
  right: (subscript value: (identifier) @_of subscript: (string (string_content) @quoted)*) @type
  (#any-of? @_of "dict" "frozenset" "list" "set" "tuple" "type") (#not-match? @name "^[a-z]")) @definition.variable
(assignment left: (identifier) @name
  right: (binary_operator left: [(identifier) (attribute) (string (string_content) @quoted) (none) (binary_operator)] operator: "|"
    right: [(identifier) (attribute) (string (string_content) @quoted) (none)]) @type
  (#match? @name "^[A-Z]")) @definition.variable
(assignment left: (attribute object: (identifier) @_self @receiver attribute: (identifier) @name @reference.member) type: (_)? @type right: (_)? @value @through
  (#any-of? @_self "self" "cls")) @definition.field
; `first, self.last = ends()`
((pattern_list (attribute object: (identifier) @_self attribute: (identifier) @name)+) @definition.field @element
  (#any-of? @_self "self" "cls"))
; `T = TypeVar("T", bound=Shape)`
(assignment left: (identifier) @name
  right: (call
    function: [(identifier) @_maker (attribute attribute: (identifier) @_maker)]
    arguments: (argument_list (keyword_argument name: (identifier) @_bound value: (_) @type)))
  (#eq? @_maker "TypeVar") (#eq? @_bound "bound")) @definition.type
(assignment left: (identifier) @name
  right: (call function: [(identifier) @_maker (attribute attribute: (identifier) @_maker)])
  (#any-of? @_maker "ParamSpec" "TypeVar" "TypeVarTuple")) @definition.variable
; `Point = namedtuple("Point", ["x", "y"])`
(assignment left: (identifier) @name
  right: (call
    function: [(identifier) @_maker @reference.implementation
      (attribute object: (_) @qualifier attribute: (identifier) @_maker @reference.implementation)]
    arguments: (argument_list . (string) [
      (list (string (string_content) @definition.field)*)
      (tuple (string (string_content) @definition.field)*)
    ]))
  (#eq? @_maker "namedtuple")) @definition.class
; What a module offers is named in texts.
(assignment left: (identifier) @name @_all
  right: [(list (string (string_content) @reference.variable)*) (tuple (string (string_content) @reference.variable)*)]
  (#eq? @_all "__all__")) @definition.variable
(assignment left: (identifier) @name type: (_)? @type right: (_)? @value @through) @definition.variable
(assignment left: [
    (pattern_list [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern (identifier)* @name)]*)
    (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name) (tuple_pattern (identifier)* @name)]*)
  ] right: (_)? @element @element) @definition.variable
(type_alias_statement left: (type (identifier) @name) right: (_) @type) @definition.type
(named_expression name: (identifier) @local value: (_) @value @through)

; Imports
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import

; Local names
(parameters [(identifier) @local (list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)]*)
(lambda_parameters (identifier)* @local)
(typed_parameter . (identifier) @local type: (_) @type)
(typed_parameter . [(list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])
(typed_default_parameter name: (identifier) @local type: (_) @type value: (_) @value)
(default_parameter name: (identifier) @local value: (_) @value)
(constrained_type . (type (identifier) @local) (type) @type)
; Of several names the first two are told what they are elements of.
(for_in_clause left: (identifier) @throughout right: (_) @element) @case
(for_in_clause left: [
    (pattern_list [(identifier) @throughout (list_splat_pattern (identifier) @throughout) (tuple_pattern (identifier)* @throughout)]*)
    (tuple_pattern [(identifier) @throughout (list_splat_pattern (identifier) @throughout) (tuple_pattern (identifier)* @throughout)]*)
  ] right: (_) @element @element) @case
(for_statement left: (identifier) @local right: (_) @element) @branch
(for_statement left: [
    (pattern_list [(identifier) @local (list_splat_pattern (identifier) @local) (tuple_pattern (identifier)* @local)]*)
    (tuple_pattern [(identifier) @local (list_splat_pattern (identifier) @local) (tuple_pattern (identifier)* @local)]*)
  ] right: (_) @element @element) @branch
(as_pattern (_) @value "as" @type alias: (as_pattern_target (identifier) @local))
(as_pattern (case_pattern (class_pattern (dotted_name) @value)) (identifier) @local)
(as_pattern (_) @element @element alias: (as_pattern_target [(tuple (identifier)* @local) (list (identifier)* @local)]))
; A path in a pattern is a value or a class, a name by itself is given what is there.
(case_pattern (dotted_name . (identifier) @receiver (identifier) @reference.member @receiver (identifier) @reference.member))
(case_pattern (dotted_name . (identifier) @receiver (identifier) @reference.member))
(case_pattern (dotted_name (identifier) @local))
(union_pattern (dotted_name . (identifier) @receiver (identifier) @reference.member)*)
(class_pattern . (dotted_name . (identifier) @receiver (identifier) @reference.member @receiver (identifier) @reference.member) @whole)
(class_pattern . (dotted_name . (identifier) @receiver (identifier) @reference.member) @whole)
(class_pattern . (dotted_name) @whole)
(keyword_pattern . (identifier) @reference.member (dotted_name . (identifier) @receiver (identifier) @reference.member))
(keyword_pattern . (identifier) @reference.member (dotted_name (identifier) @local))
(keyword_pattern . (identifier) @reference.member)
(return_statement (_) @return)
(yield (_) @return)
(lambda) @nest @scope
(list_comprehension body: [(identifier) (attribute) (call)] @value "]" @key @through) @scope
(dictionary_comprehension body: (pair value: [(identifier) (attribute) (call)] @value) "}" @key @through) @scope
[(list_comprehension) (set_comprehension) (dictionary_comprehension)] @scope
(global_statement (identifier)* @outer @reference.variable)
(nonlocal_statement (identifier)* @outer @reference.variable)

; Uses
((call function: (identifier) @_is @reference.call @whole arguments: (argument_list . [(identifier) (attribute)] @narrowed [(identifier) (attribute) (tuple)] @value))
  (#eq? @_is "isinstance"))
((call function: (identifier) @_super) @super (#eq? @_super "super"))
; What comes out is one of what goes in.
((call function: (identifier) @_first @reference.call @whole arguments: (argument_list "(" @key @through . (_) @value . [(keyword_argument) (none)]? .))
  (#any-of? @_first "max" "min" "next"))
((call function: (identifier) @_first @reference.call @whole arguments: (generator_expression body: (_) @through))
  (#any-of? @_first "max" "min" "next"))
; What comes out has what is made one by one.
((call function: (identifier) @_all @reference.call @whole arguments: (generator_expression body: [(identifier) (attribute) (call)] @value ")" @key @through))
  (#any-of? @_all "frozenset" "list" "set" "sorted" "tuple"))
; What comes out is what goes in, or has its elements.
((call function: (identifier) @_same @reference.call @whole arguments: (argument_list . (_) @through))
  (#any-of? @_same "copy" "deepcopy" "enumerate" "filter" "iter" "list" "max" "min" "next" "reversed" "set" "sorted" "tuple" "type"))
((call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call @_awaits) @whole arguments: (argument_list . (_) @through))
  (#any-of? @_awaits "create_task" "ensure_future" "enter_async_context" "enter_context" "run_until_complete" "shield" "wait_for"))
((call function: (attribute object: (identifier) @_asyncio @receiver attribute: (identifier) @reference.call @_run) @whole arguments: (argument_list . (_) @through))
  (#any-of? @_asyncio "anyio" "asyncio" "trio") (#eq? @_run "run"))
((call function: [(identifier) @reference.call @_around (attribute object: (_) @receiver attribute: (identifier) @reference.call @_around)] @whole
  arguments: (argument_list . (_) @through))
  (#any-of? @_around "cache" "lru_cache" "partial"))
((call function: (identifier) @reference.call @_other @whole arguments: (argument_list . (_) @through (keyword_argument)) @arguments)
  (#any-of? @_other "evolve" "replace"))
((call function: (attribute object: (identifier) @_dataclasses @receiver attribute: (identifier) @reference.call @_other) @whole
  arguments: (argument_list . (_) @through) @arguments)
  (#any-of? @_dataclasses "attr" "attrs" "dataclasses") (#any-of? @_other "evolve" "replace"))
((call function: (attribute object: (_) @receiver @through attribute: (identifier) @reference.call @_replace) @whole)
  (#eq? @_replace "_replace"))
((call function: (attribute object: (identifier) @_copy @receiver attribute: (identifier) @reference.call) @whole arguments: (argument_list . (_) @through))
  (#eq? @_copy "copy"))
((call function: [(identifier) @reference.call @_cast (attribute object: (_) @receiver attribute: (identifier) @reference.call @_cast)] @whole
  arguments: (argument_list . [(string (string_content) @quoted @through) (subscript) (_) @through]))
  (#eq? @_cast "cast"))
(call function: (identifier) @reference.call @whole arguments: (argument_list)? @arguments)
(call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call) @whole arguments: (argument_list)? @arguments)
(call function: (_) @through @whole)
(attribute object: (_) @receiver attribute: (identifier) @reference.member)
((keyword_argument name: (identifier) @ignore @_bound value: (string (string_content) @quoted)) (#eq? @_bound "bound"))
(keyword_argument name: (identifier) @reference.member value: (_) @through)
; A path with something added is one.
(binary_operator left: (_) @through operator: "/")
(type (identifier) @reference.type)
(type (attribute object: (_) @qualifier attribute: (identifier) @reference.type))
(type (string (string_content) @quoted))
(type (subscript
  value: [(identifier) @_of (attribute attribute: (identifier) @_of)]
  subscript: (string (string_content) @quoted)*)
  (#not-eq? @_of "Literal"))
(type (binary_operator left: (string (string_content) @quoted)? right: (string (string_content) @quoted)?))
((generic_type (identifier) @reference.type @_of (type_parameter (type)* @ignore)) (#eq? @_of "Literal"))
(generic_type (identifier) @reference.type)
(decorator (identifier) @reference.call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))
((identifier) @this (#any-of? @this "self" "cls"))
(identifier) @reference.variable

; Values that pass through
(parenthesized_expression (_) @through)
(generator_expression body: (_) @through) @scope
(await "await" @key @through (_) @value)
(subscript value: (_) @receiver subscript: (integer) @reference.member)
(subscript value: (_) @receiver "[" @reference.member)
(dotted_name . (identifier) (identifier) (identifier) @through)
(dotted_name . (identifier) (identifier) @through)
(dotted_name . (identifier) @through)
; Nothing, or nothing in it, tells less than the other.
(conditional_expression . [(none) (list) (dictionary)] (_) (_) @through .) @branch
(conditional_expression . (_) @through) @branch
(boolean_operator right: (call) @through) @logical
(boolean_operator left: (_) @through) @logical

[(string) (concatenated_string) (integer) (float) (true) (false)] @literal
(list . [(identifier) (attribute) (call)] @value "]" @key @through)
(dictionary . (pair value: [(identifier) (attribute) (call)] @value) "}" @key @through)
; Several values keep their places, which a list among them takes away.
(tuple (list_splat)) @literal
(tuple [(identifier) (attribute) (call)] "," @reference.member) @arguments
(tuple "," @reference.member [(identifier) (attribute) (call)]) @arguments
(expression_list (list_splat))
(expression_list [(identifier) (attribute) (call)] "," @reference.member) @arguments
(expression_list "," @reference.member [(identifier) (attribute) (call)]) @arguments
[(list) (dictionary) (set) (tuple)] @literal
(comment) @comment

; Complexity
(if_statement) @branch
(elif_clause) @elif
(else_clause) @else
(while_statement) @branch
(except_clause) @branch
(case_clause !guard (case_pattern "_"))
(case_clause) @case
(if_clause) @case
(match_statement) @switch
