; Modules
((call target: (identifier) @_def (arguments . (alias) @name)
  (do_block . (unary_operator operand: (call target: (identifier) @_doc (arguments [(string) (sigil)] @doc)))) @body
  (#eq? @_def "defmodule") (#eq? @_doc "moduledoc")) @definition.module)
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body
  (#eq? @_def "defmodule")) @definition.module)
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body
  (#eq? @_def "defprotocol")) @definition.interface)
((call target: (identifier) @_def
  (arguments . (alias) @reference.implementation (keywords (pair value: (alias) @name)))
  (do_block) @body
  (#eq? @_def "defimpl")) @definition.impl)
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body
  (#eq? @_def "defimpl")) @definition.impl)

; Functions
((call target: (identifier) @_def (arguments . [
    (call (arguments [
      (identifier) @local
      (binary_operator left: (identifier) @local operator: "\\\\")
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*))
    (binary_operator left: (call (arguments [
      (identifier) @local
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*)) operator: "when")
    (_)
  ] @declarator) (do_block) @body
  (#any-of? @_def "def" "defp")) @definition.function)
((call target: (identifier) @_def (arguments . [
    (call (arguments [
      (identifier) @local
      (binary_operator left: (identifier) @local operator: "\\\\")
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*))
    (binary_operator left: (call (arguments [
      (identifier) @local
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*)) operator: "when")
    (_)
  ] @declarator (keywords) @body)
  (#any-of? @_def "def" "defp" "defdelegate")) @definition.function)
((call target: (identifier) @_def (arguments . [
    (call (arguments [
      (identifier) @local
      (binary_operator left: (identifier) @local operator: "\\\\")
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*))
    (binary_operator left: (call (arguments [
      (identifier) @local
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*)) operator: "when")
    (_)
  ] @declarator)
  (#any-of? @_def "def" "defp")) @definition.function)
((call target: (identifier) @_def (arguments . [
    (call (arguments [
      (identifier) @local
      (binary_operator left: (identifier) @local operator: "\\\\")
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*))
    (binary_operator left: (call (arguments [
      (identifier) @local
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*)) operator: "when")
    (_)
  ] @declarator) (do_block) @body
  (#any-of? @_def "defmacro" "defmacrop")) @definition.macro)
((call target: (identifier) @_def (arguments . [
    (call (arguments [
      (identifier) @local
      (binary_operator left: (identifier) @local operator: "\\\\")
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*))
    (binary_operator left: (call (arguments [
      (identifier) @local
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*)) operator: "when")
    (_)
  ] @declarator (keywords) @body)
  (#any-of? @_def "defmacro" "defmacrop")) @definition.macro)
((call target: (identifier) @_def (arguments . [
    (call (arguments [
      (identifier) @local
      (binary_operator left: (identifier) @local operator: "\\\\")
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*))
    (binary_operator left: (call (arguments [
      (identifier) @local
      (binary_operator left: (_) operator: "=" right: (identifier) @local)
      (tuple (identifier)* @local)
    ]*)) operator: "when")
    (_)
  ] @declarator)
  (#any-of? @_def "defmacro" "defmacrop")) @definition.macro)
((call target: (identifier) @_def (arguments . (binary_operator right: (_) @value) @declarator)
  (#any-of? @_def "defguard" "defguardp")) @definition.macro)

; The keys of a struct
((call target: (identifier) @_def
  (arguments . (list [(atom) @name (keywords (pair key: (keyword) @name)*)]*))
  (#eq? @_def "defstruct")) @definition.field)
((call target: (identifier) @_def (arguments . (keywords (pair key: (keyword) @name)*))
  (#eq? @_def "defstruct")) @definition.field)

; Tests
((call target: (identifier) @reference.call (arguments . (string) @name) (do_block) @body
  (#any-of? @reference.call "test" "describe" "property")) @definition.test)

; Attributes of modules
((unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments [(string) (sigil)] @doc))
  (#any-of? @_doc "doc" "typedoc")) @attribute @skip)
((unary_operator operator: "@" operand: (call target: (identifier) @_doc)
  (#any-of? @_doc "doc" "typedoc" "moduledoc" "impl" "deprecated" "since")) @attribute @skip)
((unary_operator operator: "@" operand: (call target: (identifier) @_spec) (#eq? @_spec "spec")) @attribute @tokens)
((unary_operator operator: "@" operand: (call target: (identifier) @_spec)
  (#any-of? @_spec "tag" "describetag" "moduletag" "dialyzer" "derive" "enforce_keys" "compile"
    "before_compile" "after_compile" "on_definition" "on_load" "external_resource" "optional_callbacks" "vsn")) @attribute)
((unary_operator operator: "@" operand: (call target: (identifier) @_behaviour (arguments . (alias) @reference.implementation))
  (#any-of? @_behaviour "behaviour" "protocol")))
((unary_operator operator: "@" operand: (call target: (identifier) @_type
  (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)] right: (_) @type)))
  (#any-of? @_type "type" "typep" "opaque")) @definition.type)
((unary_operator operator: "@" operand: (call target: (identifier) @_callback
  (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)] right: (_) @type)))
  (#any-of? @_callback "callback" "macrocallback")) @definition.function)
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments . (_) @value))) @definition.constant
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @reference.call operator: "/"))

; Imports
((call target: (identifier) @_import (arguments . [(alias) (dot) (identifier)])
  (#any-of? @_import "alias" "import" "use" "require")) @import)

; Complexity
((call target: (identifier) @_if) @branch @scope
  (#any-of? @_if "if" "unless" "for" "case" "cond" "receive" "with"))
(else_block) @else
(rescue_block) @branch @scope
(catch_block) @branch @scope
(binary_operator operator: ["&&" "||" "and" "or"]) @logical

; Local names
(binary_operator left: (identifier) @local operator: "=" right: (_) @value)
(binary_operator left: [(tuple (identifier)* @local) (list (identifier)* @local)] operator: "=" right: (_) @value)
(binary_operator left: [(identifier) @local (tuple (identifier)* @local)] operator: "<-" right: (_) @value)
((stab_clause left: (arguments . (identifier) @_any)) @scope (#eq? @_any "_"))
(stab_clause left: (arguments [(identifier) @local (tuple (identifier)* @local) (list (identifier)* @local)]*)) @scope
(stab_clause) @scope
(anonymous_function) @nest @scope

; Uses
((call target: (identifier) @_attribute)
  (#any-of? @_attribute "behaviour" "typep" "opaque" "callback" "macrocallback" "spec" "derive"))
(call target: (identifier) @reference.call)
(call target: (dot left: (alias) @qualifier right: (identifier) @reference.call))
(call target: (dot left: (_) @receiver right: (identifier) @reference.call) (arguments))
(call target: (dot left: (_) @receiver right: (identifier) @reference.member))
(struct (alias) @reference.type)
(alias) @reference.type
((identifier) @this (#eq? @this "__MODULE__"))
((identifier) @_word (#any-of? @_word "if" "unless" "for" "case" "cond" "receive" "with" "try" "quote" "def" "defp"
  "defmodule" "defmacro" "defmacrop" "defprotocol" "defimpl" "defguard" "defguardp" "defdelegate" "defstruct"
  "alias" "import" "use" "require" "behaviour" "typep" "opaque" "callback" "macrocallback" "spec" "derive" "_"))
(identifier) @reference.variable

(sigil) @literal
[(string) (charlist) (list) (map) (tuple)] @literal
[(integer) (float) (boolean) (nil) (atom)] @literal @skip
(comment) @comment
