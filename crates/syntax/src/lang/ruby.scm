; Definitions
(method name: (_) @name body: (_) @body) @definition.function
(method name: (_) @name "end" @body) @definition.function
; `declared` tells whether the object before the name is the class around it.
(singleton_method body: (_) @body) @declarator @definition.function
(singleton_method "end" @body) @declarator @definition.function
(class
  name: [(constant) @name (scope_resolution scope: (_) @owner name: (constant) @name) (scope_resolution name: (constant) @name)]
  superclass: (superclass [
    (constant) @reference.implementation
    (scope_resolution scope: (_) @qualifier name: (constant) @reference.implementation)
    (scope_resolution "::" @qualifier name: (constant) @reference.implementation)
    (_)
  ])?
  body: (_)? @body) @definition.class
(module
  name: [(constant) @name (scope_resolution scope: (_) @owner name: (constant) @name) (scope_resolution name: (constant) @name)]
  body: (_)? @body) @definition.module

; `Point = Struct.new(:x)`, `Failed = Class.new(Error)`
((assignment left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_made block: (_)? @body)) @definition.struct
  (#any-of? @_maker "Struct" "Data") (#any-of? @_made "new" "define"))
((assignment left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_made
    arguments: (argument_list [
      (constant) @reference.implementation
      (scope_resolution scope: (_) @qualifier name: (constant) @reference.implementation)
    ]*)? block: (_)? @body)) @definition.class
  (#eq? @_maker "Class") (#eq? @_made "new"))
((assignment left: (constant) @name
  right: (call receiver: (constant) @_maker method: (identifier) @_made block: (_)? @body)) @definition.module
  (#eq? @_maker "Module") (#eq? @_made "new"))
((call receiver: (constant) @_maker @receiver method: (identifier) @_made @reference.call
  arguments: (argument_list (simple_symbol)* @name) !block) @definition.field
  (#any-of? @_maker "Struct" "Data") (#any-of? @_made "new" "define"))

(assignment left: (constant) @name right: (_) @value) @definition.constant
(assignment left: (scope_resolution scope: (_) @owner name: (constant) @name) right: (_) @value) @definition.constant
(assignment left: (left_assignment_list . (constant) (constant)* @name)) @definition.constant
(operator_assignment left: (constant) @name right: (_) @value) @definition.constant
(assignment left: [(instance_variable) (class_variable)] @name right: (_) @value @through) @definition.field
(assignment left: (left_assignment_list . [(instance_variable) (class_variable)] [(instance_variable) (class_variable)]* @name)) @definition.field
(operator_assignment left: [(instance_variable) (class_variable)] @name right: (_) @value @through) @definition.field
(assignment left: (global_variable) @name right: (_) @value) @definition.variable

(alias name: (_) @name alias: (_) @reference.call @value) @definition.function
((call !receiver method: (identifier) @_alias @reference.call
  arguments: (argument_list . [(simple_symbol) (string)] @name (simple_symbol)? @reference.call @value)) @definition.function
  (#eq? @_alias "alias_method"))
((call !receiver method: (identifier) @_define @reference.call
  arguments: (argument_list . [(simple_symbol) (string)] @name) block: (_) @body) @definition.function
  (#any-of? @_define "define_method" "define_singleton_method" "let" "let!" "subject" "subject!"))
((call !receiver method: (identifier) @_attr @reference.call
  arguments: (argument_list [(simple_symbol) @name (string) @name]*)) @definition.property
  (#any-of? @_attr "attr_accessor" "attr_reader" "attr_writer" "attr" "cattr_accessor" "mattr_accessor" "class_attribute"))
; What is handed on to what another method gives, by the same name.
((call !receiver method: (identifier) @_delegate
  arguments: (argument_list (simple_symbol)* @name @reference.call (pair key: (hash_key_symbol) @_to value: (simple_symbol) @qualifier))) @definition.property
  (#eq? @_delegate "delegate") (#eq? @_to "to"))
((call !receiver method: (identifier) @_delegate @reference.call
  arguments: (argument_list [(simple_symbol) @name (string) @name]*)) @definition.property
  (#eq? @_delegate "delegate"))
((call !receiver method: (identifier) @_relation @reference.call
  arguments: (argument_list . (simple_symbol) @name)) @definition.property
  (#any-of? @_relation "belongs_to" "has_many" "has_one" "has_and_belongs_to_many" "attribute" "scope"))

; Tests: `describe Circle do`, `it "works" do`, `test "works" do`
((call receiver: (constant)? @receiver method: (identifier) @_group @reference.call
  arguments: (argument_list . [(string) @name (constant) @name @reference.type (scope_resolution scope: (_) @qualifier name: (constant) @name @reference.type)])
  block: (_) @body) @definition.block
  (#any-of? @_group "describe" "context" "feature" "shared_examples" "shared_context" "shared_examples_for"))
((call !receiver method: (identifier) @_example @reference.call
  arguments: (argument_list . (string) @name) block: (_) @body) @definition.test
  (#any-of? @_example "it" "specify" "example" "scenario" "test" "should"))

; Rake
((call !receiver method: (identifier) @_task @reference.call
  arguments: (argument_list . [(simple_symbol) @name (string) @name (pair key: (_) @name)]) block: (_) @body) @definition.target
  (#any-of? @_task "task" "multitask" "file"))
((call !receiver method: (identifier) @_namespace @reference.call
  arguments: (argument_list . [(simple_symbol) (string)] @name) block: (_) @body) @definition.namespace
  (#eq? @_namespace "namespace"))

; Imports
((call !receiver method: (identifier) @_require arguments: (argument_list (string))) @import
  (#any-of? @_require "require" "require_relative" "load" "autoload"))

; Local names. Ruby's variables belong to the body that they are written in, so that nothing but constants,
; `@fields` and `$globals` is seen from elsewhere.
(assignment left: (identifier) @local right: (_) @value @through)
(assignment left: (left_assignment_list [
  (identifier) @local
  (rest_assignment (identifier) @local)
  (destructured_left_assignment (identifier)* @local)
]*))
(operator_assignment left: (identifier) @local operator: "||=" right: (_) @value)
(method_parameters (identifier)* @local)
(block_parameters (identifier)* @passed)
(return (argument_list . (_) @return))
(lambda_parameters (identifier)* @local)
(destructured_parameter (identifier)* @local)
(optional_parameter name: (identifier) @local value: (_) @value)
(keyword_parameter name: (identifier) @local value: (_)? @value)
[(splat_parameter name: (identifier) @local) (hash_splat_parameter name: (identifier) @local) (block_parameter name: (identifier) @local)]
(for pattern: [(identifier) @local (left_assignment_list (identifier)* @local)]) @branch
(rescue variable: (exception_variable (identifier) @local)) @branch
(rescue) @branch
(array_pattern (identifier)* @local)
(find_pattern (identifier)* @local)
(keyword_pattern key: (hash_key_symbol) @local !value)
(keyword_pattern value: (identifier) @local)
(keyword_pattern value: (constant) @reference.type)
(as_pattern value: (constant)? @reference.type name: (identifier) @local)
(lambda) @nest @scope
(do_block) @nest @scope
(block) @nest @scope

; Uses
((call receiver: (_)? @receiver method: (identifier) @_mixin @reference.call
  arguments: (argument_list [
    (constant) @reference.implementation
    (scope_resolution scope: (_) @qualifier name: (constant) @reference.implementation)
    (scope_resolution "::" @qualifier name: (constant) @reference.implementation)
  ]*)) (#any-of? @_mixin "include" "extend" "prepend"))
; `Circle.new` makes a Circle.
((call receiver: (constant) @reference.call method: (identifier) @_new @ignore) (#eq? @_new "new"))
((call receiver: (scope_resolution scope: (_) @qualifier name: (constant) @reference.call) method: (identifier) @_new @ignore) (#eq? @_new "new"))
((call receiver: (scope_resolution "::" @qualifier name: (constant) @reference.call) method: (identifier) @_new @ignore) (#eq? @_new "new"))
; `new`, `self.new` and `self.class.new` make one of the class around.
((call !receiver method: (identifier) @_new @reference.call) (#eq? @_new "new"))
((call receiver: (self) method: (identifier) @_new @reference.call) (#eq? @_new "new"))
; `described_class.new`: of the class that a group of tests is about.
((call receiver: (identifier) @_described @ignore method: (identifier) @_new @reference.call)
  (#eq? @_described "described_class") (#eq? @_new "new"))
((call receiver: (call receiver: (self) method: (identifier) @_class) method: (identifier) @_new @reference.call)
  (#eq? @_class "class") (#eq? @_new "new"))
; Methods that are given by name.
((call !receiver method: (identifier) @_hook @reference.call arguments: (argument_list (simple_symbol)* @reference.call))
  (#any-of? @_hook "before_action" "after_action" "around_action" "skip_before_action" "before_save" "after_save" "before_create"
    "after_create" "after_commit" "before_validation" "after_validation" "after_initialize" "before_destroy" "after_destroy"
    "before_update" "after_update" "around_save" "around_create" "around_update" "around_destroy" "after_rollback" "after_touch"
    "after_find" "before_enqueue" "after_enqueue" "before_perform" "after_perform" "validate" "helper_method"
    "private" "protected" "public" "module_function" "private_class_method" "public_class_method" "method"))
; It says how the method is compiled.
((call !receiver method: (identifier) @_compiled @reference.call arguments: (argument_list (simple_symbol)* @ignore))
  (#eq? @_compiled "ruby2_keywords"))
((call !receiver method: (identifier) @_hide @reference.call arguments: (argument_list (simple_symbol)* @reference.variable))
  (#any-of? @_hide "private_constant" "public_constant"))
((call receiver: (_) @receiver method: (identifier) @_send @reference.call arguments: (argument_list . (simple_symbol) @reference.call))
  (#any-of? @_send "send" "public_send" "__send__" "respond_to?" "method" "instance_method" "try"))
; `assert_predicate shape, :round?`
((call !receiver method: (identifier) @_predicate arguments: (argument_list . (_) @receiver (simple_symbol) @reference.call))
  (#any-of? @_predicate "assert_predicate" "assert_not_predicate" "refute_predicate" "assert_respond_to" "assert_not_respond_to"
    "refute_respond_to"))
(block_argument (simple_symbol) @reference.call) @receiver
((pair key: (hash_key_symbol) @_when value: (simple_symbol) @reference.call @qualifier) (#any-of? @_when "if" "unless" "to" "with"))
; Other symbols that calls are given may be the names of methods here.
(argument_list) @tokens
(assignment left: (call receiver: (_) @receiver method: (_) @reference.member))
(operator_assignment left: (call receiver: (_) @receiver method: (_) @reference.member))
(call receiver: (_) @receiver method: [(identifier) (constant) (operator)] @reference.call)
(call !receiver method: [(identifier) (constant)] @reference.call)
(call method: (super) @reference.call @super)
(scope_resolution scope: (_) @qualifier name: (constant) @reference.variable)
(scope_resolution "::" @qualifier name: (constant) @reference.variable)
(exceptions [(constant) @reference.type (scope_resolution scope: (_) @qualifier name: (constant) @reference.type)]*)
(pattern (constant) @reference.type)
(setter) @skip
(pair key: (hash_key_symbol) @reference.variable !value)
; Words of the language as far as a reader is concerned.
((identifier) @_word (#any-of? @_word "private" "protected" "public" "module_function" "require" "require_relative" "autoload"))
(identifier) @reference.variable
(constant) @reference.variable
[(instance_variable) (class_variable)] @reference.member
(global_variable) @reference.variable
(self) @this
(super) @reference.call @super

; Values that pass through
(parenthesized_statements (_) @through)
(element_reference object: (_) @through)
(rescue_modifier body: (_) @through) @branch
; Nothing tells less than the other.
(conditional consequence: (nil) alternative: (_) @through) @branch
(conditional consequence: (_) @through) @branch

[(string) (chained_string) (subshell) (regex) (heredoc_beginning) (array) (hash) (string_array) (symbol_array) (delimited_symbol)] @literal
[(integer) (float) (rational) (complex) (character) (true) (false) (nil) (simple_symbol)] @literal @skip
(comment) @comment

; Complexity
[(if) (unless) (while) (until) (if_modifier) (unless_modifier) (while_modifier) (until_modifier)] @branch
(elsif) @elif
(else) @else
(case) @switch
(case_match) @switch
(when) @case
(in_clause) @case
(binary operator: ["&&" "||" "and" "or"]) @logical
(binary left: (_) @receiver operator: "<<" @reference.call)
