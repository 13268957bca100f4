; Definitions. Each clause of a function is a form of its own.
(module_attribute name: (_) @name) @definition.module
(fun_decl clause: (function_clause name: (_) @name body: (_) @body)) @definition.function
(pp_define lhs: (macro_lhs name: (_) @name) replacement: (_)? @value) @definition.macro
(record_decl name: (_) @name) @definition.struct
(record_field name: (_) @reference.member ty: (field_type expr: (_) @type)?) @declarator @definition.field
(type_alias name: (type_name name: (_) @name) ty: (_) @type) @definition.type @tokens
(opaque name: (type_name name: (_) @name) ty: (_) @type) @definition.type @tokens
(nominal name: (type_name name: (_) @name) ty: (_) @type) @definition.type @tokens
(callback fun: (_) @name) @definition.function @tokens
(spec) @attribute @tokens
(wild_attribute) @attribute

; Imports
(pp_include) @import
(pp_include_lib) @import
(import_attribute) @import

; Local names
(function_clause args: (expr_args args: [
  (var) @local
  (tuple expr: (var)* @local)
  (match_expr lhs: (record_expr fields: (record_field expr: (field_expr expr: (var) @local))*) rhs: (var) @local)
  (match_expr lhs: (var) @local)
  (match_expr rhs: (var) @local)
  (record_expr fields: (record_field expr: (field_expr expr: (var) @local))*)
]*))
(fun_clause args: (expr_args args: (var)* @local)) @scope
(macro_lhs args: (var_args args: (var)* @local))
(match_expr lhs: (var) @local rhs: (_) @value)
(match_expr lhs: (tuple expr: (var)* @local) rhs: (_) @value)
(generator lhs: (var) @local)
(generator lhs: (tuple expr: (var)* @local))
[(list_comprehension) (binary_comprehension) (map_comprehension)] @scope
(anonymous_fun) @nest @scope

; Uses
(behaviour_attribute name: (_) @reference.implementation)
((macro_call_expr name: (var) @_own) @this (#eq? @_own "MODULE"))
(remote module: (remote_module module: (macro_call_expr) @receiver) fun: (call expr: (atom) @reference.call))
(external_fun module: (module name: (macro_call_expr) @receiver) fun: (atom) @reference.variable)
(remote module: (remote_module module: (_) @qualifier) fun: (call expr: (atom) @reference.call))
(call expr: (atom) @reference.call)
(internal_fun fun: (atom) @reference.variable)
(external_fun module: (module name: (_) @qualifier) fun: (atom) @reference.variable)
(macro_call_expr name: (_) @reference.call args: (_))
(macro_call_expr name: (_) @reference.variable)
(record_name name: (_) @reference.type)
(record_field_name name: (_) @reference.member)
(field_type) @tokens
(fa fun: (atom) @reference.import)
(export_type_attribute) @skip
(paren_expr expr: (_) @through)
((var) @_any (#eq? @_any "_"))
(var) @reference.variable
[(string) (integer) (float) (char)] @literal
(comment) @comment

; Complexity
(case_expr) @switch
(if_expr) @switch
(receive_expr) @switch
(cr_clause pat: (var) @_any (#eq? @_any "_")) @scope
(cr_clause pat: (var) @local) @case @scope
(cr_clause pat: (tuple expr: (var)* @local)) @case @scope
(cr_clause) @case @scope
(if_clause guard: (guard clauses: (guard_clause exprs: (atom) @_true)) (#eq? @_true "true"))
(if_clause) @case
(catch_clause pat: (var)? @local) @branch @scope
(binary_op_expr ["andalso" "orelse"]) @logical
