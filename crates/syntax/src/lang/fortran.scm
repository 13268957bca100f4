; Definitions. A procedure has no node for its body; its last statement, taken for a value, tells that it has one.
(module (module_statement (name) @name)) @definition.module
(submodule (submodule_statement (name) @name)) @definition.module
(program (program_statement (name) @name) (end_program_statement) @value) @definition.function
(function (function_statement type: (_)? @type name: (name) @name) (end_function_statement) @value) @definition.function
(subroutine (subroutine_statement name: (name) @name) (end_subroutine_statement) @value) @definition.function
(module_procedure (module_procedure_statement name: (name) @name) (end_module_procedure_statement) @value) @definition.function
(interface (interface_statement (name) @name)) @definition.interface
(derived_type_definition (derived_type_statement base: (base_type_specifier (identifier) @reference.implementation)? (type_name) @name)) @definition.struct
(variable_declaration type: [(derived_type name: (type_name) @type) (_) @type] declarator: [
  (identifier) @name
  (sized_declarator . (identifier) @name)
  (init_declarator left: (identifier) @name)
  (init_declarator left: (sized_declarator . (identifier) @name))
  (pointer_init_declarator left: (identifier) @name)
  (coarray_declarator . (identifier) @name)
]*) @definition.variable
(enumerator_statement declarator: [(identifier) @name (init_declarator left: (identifier) @name)]*) @definition.variant
(procedure_statement (procedure_kind) @_kind declarator: (method_name)* @reference.call
  (#any-of? @_kind "module procedure" "MODULE PROCEDURE" "Module Procedure"))
(procedure_statement (procedure_attribute) @_deferred declarator: (method_name)* @name (#any-of? @_deferred "deferred" "DEFERRED")) @definition.function
(procedure_statement declarator: [
  (binding (binding_name (identifier) @name) (method_name) @reference.call @value)
  (method_name) @name @value
]*) @definition.function
(preproc_def name: (_) @name value: (_)? @body) @definition.macro
(preproc_function_def name: (_) @name value: (_)? @body) @definition.macro

; Imports
(use_statement) @import
(include_statement path: (_) @path) @import
(preproc_include path: (_) @path) @import

; Local names
(parameters (identifier)* @local)
(function_result (identifier) @local)
(association name: (_) @local selector: (_)? @value)
(block_construct) @scope

; Uses
(subroutine_call subroutine: (identifier) @reference.call)
(subroutine_call subroutine: (derived_type_member_expression . (_) @receiver (type_member) @reference.call))
(call_expression . (identifier) @reference.call)
(call_expression . (derived_type_member_expression . (_) @receiver (type_member) @reference.call))
(derived_type_member_expression . (_) @receiver (type_member) @reference.member)
(derived_type name: (type_name) @reference.type)
(procedure_interface) @reference.type
(final_statement declarator: (method_name)* @reference.call)
(language_binding) @skip
(private_statement) @skip
(public_statement) @skip
(parenthesized_expression (_) @through)
(identifier) @reference.variable
[(number_literal) (string_literal) (boolean_literal) (complex_literal) (array_literal)] @literal
(comment) @comment

; Complexity
(if_statement) @branch
(elseif_clause) @elif
(else_clause) @else
(do_loop) @branch @scope
(where_statement) @branch
(elsewhere_clause) @else
[(select_case_statement) (select_type_statement) (select_rank_statement)] @switch
(case_statement (default))
(case_statement) @case
[(type_statement) (rank_statement)] @case
(logical_expression left: (_)) @logical
