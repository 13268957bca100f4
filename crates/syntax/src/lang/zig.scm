; Imports
((variable_declaration (identifier) @alias
  (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @path)))
  (#any-of? @_import "@import" "@cImport") (#not-eq? @alias "_")) @import @skip)
((variable_declaration (identifier) @alias
  (field_expression object: (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @path)))
    member: (identifier) @item)
  (#eq? @_import "@import")) @import @skip)
((using_namespace_declaration (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @path @wildcard)))
  (#eq? @_import "@import")) @import @skip)
((builtin_function (builtin_identifier) @_import (arguments (string (string_content) @path)))
  @import (#eq? @_import "@import"))

; Definitions
(function_declaration name: (identifier) @name type: [(identifier) @reference.type (_)]? @type body: (_) @body) @definition.function
(function_declaration name: (identifier) @name type: [(identifier) @reference.type (_)]? @type) @definition.function
(variable_declaration . (identifier) @name (struct_declaration)) @definition.struct
(variable_declaration . (identifier) @name (enum_declaration)) @definition.enum
(variable_declaration . (identifier) @name (union_declaration)) @definition.union
(variable_declaration . (identifier) @name (opaque_declaration)) @definition.struct
(variable_declaration . (identifier) @name (error_set_declaration)) @definition.enum
((variable_declaration . (identifier) @_nothing) (#eq? @_nothing "_"))
(variable_declaration "const" . (identifier) @name type: [(identifier) @reference.type (_)] @type) @definition.constant
(variable_declaration "const" . (identifier) @name
  [(call_expression) (try_expression) (field_expression) (struct_initializer) (catch_expression)] @value) @definition.constant
(variable_declaration "const" . (identifier) @name) @definition.constant
(variable_declaration "var" . (identifier) @name type: [(identifier) @reference.type (_)] @type) @definition.variable
(variable_declaration "var" . (identifier) @name
  [(call_expression) (try_expression) (field_expression) (struct_initializer) (catch_expression)] @value) @definition.variable
(variable_declaration "var" . (identifier) @name) @definition.variable
((container_field name: (identifier) @_rest) (#eq? @_rest "_"))
(container_field name: (identifier) @name type: [(identifier) @reference.type (_)]? @type) @definition.property
(error_set_declaration (identifier)* @name) @definition.variant
(test_declaration [(string) (identifier)] @name (block) @body) @definition.test

; Local names
(parameter name: (identifier) @local type: [(identifier) @reference.type (_)]? @type)
(payload (identifier)* @local)
(block) @scope
(for_statement) @branch @scope
(for_expression) @branch @scope
(while_statement) @branch @scope
(while_expression) @branch @scope

; Uses
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression object: (_) @receiver member: (identifier) @reference.call))
(call_expression function: (field_expression member: (identifier) @reference.call))
(field_expression object: (_) @receiver member: (identifier) @reference.member)
(field_expression member: (identifier) @reference.member)
(field_initializer . (identifier) @reference.member)
(struct_initializer . (identifier) @reference.type)
(struct_initializer . (field_expression object: (_) @receiver member: (identifier) @reference.type))
(pointer_type (identifier) @reference.type)
(slice_type (identifier) @reference.type)
(array_type (identifier) @reference.type)
(nullable_type (identifier) @reference.type)
(error_union_type ok: (identifier) @reference.type)
(error_type (identifier) @reference.member)
(break_label) @skip
(block_label) @skip
((identifier) @_nothing (#eq? @_nothing "_"))
((identifier) @this (#eq? @this "self"))
(identifier) @reference.variable

; Values that pass through
(parenthesized_expression (_) @through)
(try_expression (_) @through)
(await_expression (_) @through)
(catch_expression . (_) @through) @branch @scope
(index_expression object: (_) @through)
(dereference_expression (_) @through)
(null_coercion_expression (_) @through)
(unary_expression (_) @through)

[(string) (multiline_string) (integer) (float) (boolean) (character)] @literal @skip
(comment) @comment

; Complexity
(if_statement (else_clause alternative: (if_statement) @flat)?) @branch @scope
(if_expression (if_expression)? @flat) @branch @scope
(else_clause) @else
(switch_expression) @switch
(switch_case "else") @scope
(switch_case) @case @scope
(binary_expression operator: ["and" "or"]) @logical
