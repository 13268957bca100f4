; What is left out, and what only names forms
(dis_expr) @skip
(kwd_lit) @literal @skip

; Imports are the clauses of `ns`
(list_lit . (kwd_lit name: (kwd_name) @_clause)
  (#any-of? @_clause "require" "use" "import" "require-macros" "use-macros")) @import
(list_lit . (sym_lit name: (sym_name) @_clause)
  (#any-of? @_clause "require" "use" "import")) @import

; Definitions: `declared` finds the name behind the first word
(list_lit . (sym_lit name: (sym_name) @_def) (str_lit)? @doc (#any-of? @_def "ns" "in-ns")) @declarator @definition.namespace
(list_lit . (sym_lit name: (sym_name) @_def) (str_lit)? @doc
  [(list_lit) (num_lit) (kwd_lit) (map_lit) (set_lit) (nil_lit) (bool_lit) (anon_fn_lit) (quoting_lit) (derefing_lit)] @body
  (#any-of? @_def "defn" "defn-" "definline" "defmulti" "defmethod")) @declarator @definition.function
(list_lit . (sym_lit name: (sym_name) @_def) (str_lit)? @doc (vec_lit)? @value
  (#any-of? @_def "defn" "defn-" "definline" "defmulti" "defmethod")) @declarator @definition.function
(list_lit . (sym_lit name: (sym_name) @_def) (str_lit)? @doc
  [(list_lit) (syn_quoting_lit)] @body (#any-of? @_def "defmacro" "defmacro-")) @declarator @definition.macro
(list_lit . (sym_lit name: (sym_name) @_def) (str_lit)? @doc (vec_lit)? @value
  (#any-of? @_def "defmacro" "defmacro-")) @declarator @definition.macro
(list_lit . (sym_lit name: (sym_name) @_def) (list_lit)? @body
  (#any-of? @_def "deftest" "deftest-" "defspec")) @declarator @definition.test
(list_lit . (sym_lit name: (sym_name) @_def) (list_lit)? @value
  (#any-of? @_def "def" "defonce" "defstate")) @declarator @definition.variable
(list_lit . (sym_lit name: (sym_name) @_def) (str_lit)? @doc (list_lit)? @body
  (#any-of? @_def "defprotocol" "definterface")) @declarator @definition.interface
(list_lit . (sym_lit name: (sym_name) @_def) (sym_lit) (sym_lit name: (sym_name) @reference.implementation)*
  (#any-of? @_def "defrecord" "deftype" "defstruct")) @declarator @definition.class
(list_lit . (sym_lit name: (sym_name) @_def) (list_lit)? @body
  (#any-of? @_def "extend-type" "extend-protocol")) @declarator @definition.impl
; Complexity
(list_lit . (sym_lit name: (sym_name) @_form)
  (#any-of? @_form "if" "if-not" "if-let" "if-some" "when" "when-not" "when-let" "when-some" "when-first" "while" "loop" "for" "doseq" "dotimes" "catch")) @branch @scope
(list_lit . (sym_lit name: (sym_name) @_form)
  (#any-of? @_form "cond" "condp" "case" "cond->" "cond->>")) @branch
(list_lit . (sym_lit name: (sym_name) @_form) (#any-of? @_form "and" "or")) @logical

; Local names
(list_lit . (sym_lit name: (sym_name) @_form) (vec_lit (sym_lit name: (sym_name) @local)*)
  (#any-of? @_form "fn" "fn*" "bound-fn")) @nest @scope
(list_lit . (vec_lit (sym_lit name: (sym_name) @local)*)) @scope
(list_lit . (sym_lit name: (sym_name) @_form) (#any-of? @_form "let" "letfn" "binding" "with-open" "with-redefs")) @scope
(anon_fn_lit . (sym_lit namespace: (sym_ns) @qualifier name: (sym_name) @reference.call)) @nest @scope
(anon_fn_lit . (sym_lit name: (sym_name) @reference.call)) @nest @scope

; What a protocol asks for and a record gives; anywhere else it is a call, says `is_definition`
(list_lit . (sym_lit !namespace name: (sym_name) @name @reference.call) (vec_lit (sym_lit name: (sym_name) @local)*) (str_lit)? @doc (list_lit)? @body) @definition.function

; Uses
(list_lit . (sym_lit namespace: (sym_ns) @qualifier name: (sym_name) @reference.call))
(list_lit . (sym_lit name: (sym_name) @reference.call))
(sym_lit name: (sym_name) @_form (#any-of? @_form
  "&" "%" "%1" "%2" "_" "." "def" "defn" "defn-" "defonce" "defmacro" "defmulti" "defmethod" "defprotocol" "defrecord" "deftype" "deftest"
  "definterface" "definline" "defspec" "extend-type" "extend-protocol" "ns" "in-ns" "if" "if-not" "if-let" "if-some" "when" "when-not" "when-let" "when-some"
  "when-first" "while" "loop" "recur" "for" "doseq" "dotimes" "try" "catch" "finally" "throw" "cond" "condp" "case" "cond->" "cond->>"
  "and" "or" "fn" "fn*" "let" "letfn" "do" "quote" "var" "new" "set!")) @skip
(sym_lit namespace: (sym_ns) @qualifier name: (sym_name) @reference.variable)
(sym_lit name: (sym_name) @reference.variable)
[(str_lit) (num_lit) (char_lit) (regex_lit) (nil_lit) (bool_lit)] @literal
(comment) @comment
