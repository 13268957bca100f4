; Definitions
; `class MACRO Name : Base { .. };` looks like a function without parameters.
(function_definition type: (class_specifier !body) declarator: (identifier) @declarator @reference.implementation
  body: (_) @body) @definition.class
(function_definition type: (struct_specifier !body) declarator: (identifier) @declarator @reference.implementation
  body: (_) @body) @definition.struct
(function_definition type: (union_specifier !body) declarator: (identifier) @declarator @reference.implementation
  body: (_) @body) @definition.union
((function_definition declarator: (function_declarator
    declarator: (identifier) @_macro @reference.call parameters: (parameter_list) @declarator) body: (_) @body) @definition.test
  (#match? @_macro "^[A-Z_]*TEST[A-Z_]*$"))
((expression_statement (call_expression function: (identifier) @_macro @reference.call
    arguments: (argument_list . (string_literal) @name) @body)) @definition.test
  (#any-of? @_macro "TEST_CASE" "SCENARIO" "TEST_CASE_METHOD"))
(function_definition
  declarator: (function_declarator (trailing_return_type (type_descriptor) @type)) @declarator
  [(field_initializer_list) (default_method_clause) (delete_method_clause)]? @body body: (_)? @body) @definition.function
(function_definition type: (_)? @type declarator: (_) @declarator
  [(field_initializer_list) (default_method_clause) (delete_method_clause)]? @body body: (_)? @body) @definition.function

; Prototypes. With arguments that may be types or values it is a variable if it stands in a function.
; Annotations for the analysis of locks are no methods.
((declaration !type declarator: (function_declarator declarator: (identifier) @_macro @reference.call))
  (#any-of? @_macro "GUARDED_BY" "PT_GUARDED_BY" "ABSL_GUARDED_BY" "ABSL_PT_GUARDED_BY" "TSA_GUARDED_BY"
    "ACQUIRED_AFTER" "ACQUIRED_BEFORE"))
(declaration !type declarator: [(function_declarator) (operator_cast)] @declarator) @definition.function
(declaration declarator: (function_declarator (trailing_return_type (type_descriptor) @type)) @declarator) @definition.function
(declaration type: (_) @type declarator: (function_declarator
  declarator: [(identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function) (parenthesized_declarator (identifier))]
  parameters: (parameter_list [
    (optional_parameter_declaration)
    (variadic_parameter_declaration)
    (parameter_declaration (type_qualifier))
    (parameter_declaration type: [(primitive_type) (sized_type_specifier) (template_type) (struct_specifier) (placeholder_type_specifier)])
    (parameter_declaration declarator: [(identifier) (pointer_declarator) (reference_declarator) (array_declarator)
      (function_declarator) (abstract_pointer_declarator) (abstract_reference_declarator)])
  ])) @declarator) @definition.function
(declaration type: [
    (type_identifier) @type @reference.type
    (template_type name: (type_identifier) @reference.type) @type
    (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.type
      (template_type name: (type_identifier) @reference.type)
    ]) @type
    (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.type
      (template_type name: (type_identifier) @reference.type)
    ])) @type
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.type
      (template_type name: (type_identifier) @reference.type)
    ]))) @type
  ]
  declarator: (function_declarator
  declarator: (identifier)
  parameters: (parameter_list [
    (parameter_declaration type: (type_identifier) @reference.call
      declarator: (abstract_function_declarator parameters: (parameter_list [
        (parameter_declaration type: (type_identifier) @reference.call declarator: (abstract_function_declarator))
        (parameter_declaration type: (type_identifier) @reference.variable)
      ]*)))
    (parameter_declaration type: (type_identifier) @reference.variable)
    (parameter_declaration type: (qualified_identifier
      scope: (_) @qualifier name: (type_identifier) @reference.call) declarator: (abstract_function_declarator))
    (parameter_declaration type: (qualified_identifier scope: (_) @qualifier name: (type_identifier) @reference.variable))
  ]+) @arguments)
  declarator: [
    (identifier) @declarator
    (pointer_declarator declarator: (identifier) @declarator)
    (init_declarator declarator: [(identifier) @declarator (pointer_declarator declarator: (identifier) @declarator)])
    (function_declarator declarator: (identifier) @declarator
      parameters: (parameter_list (parameter_declaration type: (type_identifier) @reference.variable)*))
  ]*) @definition.variable
(declaration type: (_) @type declarator: (function_declarator
  declarator: (identifier)
  parameters: (parameter_list [
    (parameter_declaration type: (type_identifier) @reference.call
      declarator: (abstract_function_declarator parameters: (parameter_list [
        (parameter_declaration type: (type_identifier) @reference.call declarator: (abstract_function_declarator))
        (parameter_declaration type: (type_identifier) @reference.variable)
      ]*)))
    (parameter_declaration type: (type_identifier) @reference.variable)
    (parameter_declaration type: (qualified_identifier
      scope: (_) @qualifier name: (type_identifier) @reference.call) declarator: (abstract_function_declarator))
    (parameter_declaration type: (qualified_identifier scope: (_) @qualifier name: (type_identifier) @reference.variable))
  ]+))
  declarator: [
    (identifier) @declarator
    (pointer_declarator declarator: (identifier) @declarator)
    (init_declarator declarator: [(identifier) @declarator (pointer_declarator declarator: (identifier) @declarator)])
    (function_declarator declarator: (identifier) @declarator
      parameters: (parameter_list (parameter_declaration type: (type_identifier) @reference.variable)*))
  ]*) @definition.variable
(declaration type: (_) @type declarator: [
  (function_declarator declarator: [(identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function) (parenthesized_declarator (identifier))])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator))))
  (function_declarator declarator: (function_declarator declarator: (identifier)))
  (pointer_declarator declarator: (function_declarator declarator: [(identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function) (parenthesized_declarator (identifier))]))
  (reference_declarator (function_declarator declarator: [(identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function) (parenthesized_declarator (identifier))]))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function) (parenthesized_declarator (identifier))])))
  (pointer_declarator declarator: (reference_declarator (function_declarator declarator: [(identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function) (parenthesized_declarator (identifier))])))
] @declarator) @definition.function
(declaration type: (_) @type declarator: (init_declarator declarator: [
  (function_declarator declarator: (identifier))
  (pointer_declarator declarator: (function_declarator declarator: (identifier)))
  (reference_declarator (function_declarator declarator: (identifier)))
] @declarator value: (number_literal))) @definition.function
((field_declaration type: (_) @type declarator: [
    (function_declarator declarator: (field_identifier) @_macro @declarator @reference.call)
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @_macro @declarator @reference.call))
  ]) @definition.field
  (#any-of? @_macro "GUARDED_BY" "PT_GUARDED_BY" "ABSL_GUARDED_BY" "ABSL_PT_GUARDED_BY" "TSA_GUARDED_BY"
    "ACQUIRED_AFTER" "ACQUIRED_BEFORE"))
(field_declaration declarator: (function_declarator
  declarator: [(field_identifier) (operator_name) (destructor_name) (template_method) (identifier)] (trailing_return_type (type_descriptor) @type)) @declarator) @definition.function
(field_declaration type: (_) @type declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name) (template_method) (identifier)])
  (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name) (template_method) (identifier)]))
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name) (template_method) (identifier)]))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name) (template_method) (identifier)])))
  (pointer_declarator declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name) (template_method) (identifier)])))
] @declarator) @definition.function

; A type and what is declared with it: both are defined here.
(type_definition type: (struct_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.struct
(type_definition type: (union_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.union
(type_definition type: (enum_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.enum
(declaration type: (class_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.class
(declaration type: (struct_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.struct
(declaration type: (union_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.union
(declaration type: (enum_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_)* @declarator) @definition.enum
(field_declaration type: (class_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_) declarator: (_)* @declarator) @definition.class
(field_declaration type: (struct_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_) declarator: (_)* @declarator) @definition.struct
(field_declaration type: (union_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_) declarator: (_)* @declarator) @definition.union
(field_declaration type: (enum_specifier name: (type_identifier) @name @type body: (_) @body)
  declarator: (_) declarator: (_)* @declarator) @definition.enum
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (_)* @declarator) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (_)* @declarator) @definition.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (_)* @declarator) @definition.enum
(type_definition type: (_) @type declarator: (_)* @declarator) @definition.type @scope

(class_specifier name: [
    (template_type) @declarator @type
    (qualified_identifier name: (template_type) @type) @declarator
    (_) @declarator
  ]
  (base_class_clause [
    (type_identifier) @reference.implementation
    (template_type name: (type_identifier) @reference.implementation)
    (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.implementation
      (template_type name: (type_identifier) @reference.implementation)
    ])
    (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.implementation
      (template_type name: (type_identifier) @reference.implementation)
    ]))
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.implementation
      (template_type name: (type_identifier) @reference.implementation)
    ])))
  ]*)?
  body: (_) @body) @definition.class
(struct_specifier name: [
    (template_type) @declarator @type
    (qualified_identifier name: (template_type) @type) @declarator
    (_) @declarator
  ]
  (base_class_clause [
    (type_identifier) @reference.implementation
    (template_type name: (type_identifier) @reference.implementation)
    (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.implementation
      (template_type name: (type_identifier) @reference.implementation)
    ])
    (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.implementation
      (template_type name: (type_identifier) @reference.implementation)
    ]))
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.implementation
      (template_type name: (type_identifier) @reference.implementation)
    ])))
  ]*)?
  body: (_) @body) @definition.struct
(union_specifier name: [
    (template_type) @declarator @type
    (qualified_identifier name: (template_type) @type) @declarator
    (_) @declarator
  ] body: (_) @body) @definition.union
(enum_specifier name: (_) @declarator body: (_) @body) @definition.enum
(enumerator name: (identifier) @name value: (_)? @value) @definition.variant
(namespace_definition name: (_) @name body: (_) @body) @definition.namespace
(alias_declaration name: (type_identifier) @name type: (_) @type) @definition.type @scope
(concept_definition name: (identifier) @name) @definition.trait
(field_declaration type: (_ body: (_) @body) declarator: (_)* @declarator) @definition.field @scope
(field_declaration type: (placeholder_type_specifier) declarator: (_)* @declarator default_value: (_)? @value) @definition.field @scope
(field_declaration type: (_) @type declarator: (_)* @declarator default_value: (_)? @value) @definition.field @scope
(declaration declarator: (init_declarator declarator: [
    (structured_binding_declarator (identifier)* @local)
    (reference_declarator (structured_binding_declarator (identifier)* @local))
  ] value: (_) @value))
; A variable that is made by a constructor: `Shape shape(1, 2);`, `Shape shape{1, 2};`, `Shape shape;`.
(declaration type: [
    (type_identifier) @type @reference.type
    (template_type name: (type_identifier) @reference.type) @type
    (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.type
      (template_type name: (type_identifier) @reference.type)
    ]) @type
    (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.type
      (template_type name: (type_identifier) @reference.type)
    ])) @type
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.type
      (template_type name: (type_identifier) @reference.type)
    ]))) @type
  ]
  declarator: (init_declarator declarator: (identifier) @declarator value: [(argument_list) (initializer_list)] @value @arguments)
  declarator: [(init_declarator declarator: (_) @declarator value: (_) @value) (_) @declarator]*) @definition.variable @scope
(declaration type: [
    (type_identifier) @type @reference.type
    (template_type name: (type_identifier) @reference.type) @type
    (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.type
      (template_type name: (type_identifier) @reference.type)
    ]) @type
    (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.type
      (template_type name: (type_identifier) @reference.type)
    ])) @type
    (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
      (type_identifier) @reference.type
      (template_type name: (type_identifier) @reference.type)
    ]))) @type
  ]
  declarator: (identifier) @declarator @arguments
  declarator: [(init_declarator declarator: (_) @declarator value: (_) @value) (_) @declarator]*) @definition.variable @scope
; `if (auto *shape = find())`
(declaration type: [(_ body: (_) @body) (placeholder_type_specifier)] declarator: (_) @declarator value: (_) @value) @definition.variable @scope
(declaration type: (_) @type declarator: (_) @declarator value: (_) @value) @definition.variable @scope
(declaration type: [(_ body: (_) @body) (placeholder_type_specifier)]
  declarator: [(init_declarator declarator: (_) @declarator value: (_) @value) (_) @declarator]*) @definition.variable @scope
(declaration type: (_) @type
  declarator: [(init_declarator declarator: (_) @declarator value: (_) @value) (_) @declarator]*) @definition.variable @scope
(preproc_function_def name: (identifier) @name value: (_) @body @value) @definition.macro
(preproc_function_def name: (identifier) @name @value) @definition.macro
(preproc_def name: (identifier) @declarator value: (_) @value) @definition.macro @offer
(preproc_def name: (identifier) @declarator @value) @definition.macro
(template_declaration) @wrapper @scope
[(linkage_specification) (friend_declaration)] @wrapper

; Imports
[(preproc_include) (using_declaration) (namespace_alias_definition)] @import

; Local names
(parameter_declaration type: (_) @type declarator: [
  (identifier) @local
  (reference_declarator [(identifier) @local (variadic_declarator (identifier) @local)])
  (pointer_declarator declarator: (identifier) @local)
  (pointer_declarator declarator: (reference_declarator (identifier) @local))
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local))
  (pointer_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local)))
  (array_declarator declarator: (identifier) @local)
  (array_declarator declarator: (array_declarator declarator: (identifier) @local))
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @local))
  (function_declarator declarator: (identifier) @local)
  (function_declarator declarator: (parenthesized_declarator [
    (pointer_declarator declarator: (identifier) @local)
    (reference_declarator (identifier) @local)
  ]))
  (array_declarator declarator: (parenthesized_declarator [
    (pointer_declarator declarator: (identifier) @local)
    (reference_declarator (identifier) @local)
  ]))
])
(optional_parameter_declaration type: (_) @type declarator: [
  (identifier) @local
  (reference_declarator [(identifier) @local (variadic_declarator (identifier) @local)])
  (pointer_declarator declarator: (identifier) @local)
  (pointer_declarator declarator: (reference_declarator (identifier) @local))
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local))
  (pointer_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local)))
  (array_declarator declarator: (identifier) @local)
  (array_declarator declarator: (array_declarator declarator: (identifier) @local))
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @local))
  (function_declarator declarator: (identifier) @local)
  (function_declarator declarator: (parenthesized_declarator [
    (pointer_declarator declarator: (identifier) @local)
    (reference_declarator (identifier) @local)
  ]))
  (array_declarator declarator: (parenthesized_declarator [
    (pointer_declarator declarator: (identifier) @local)
    (reference_declarator (identifier) @local)
  ]))
]) @optional
(abstract_function_declarator parameters: (_) @inner)
(function_declarator declarator: (parenthesized_declarator [(pointer_declarator) (abstract_pointer_declarator)]) parameters: (_) @inner)
((parameter_declaration type: (_) @type @nameless !declarator) (#not-eq? @nameless "void"))
(parameter_declaration type: (_) @type @nameless declarator: [(abstract_pointer_declarator) (abstract_reference_declarator) (abstract_array_declarator) (abstract_function_declarator)])
(optional_parameter_declaration type: (_) @type @nameless !declarator) @optional
(optional_parameter_declaration type: (_) @type @nameless declarator: [(abstract_pointer_declarator) (abstract_reference_declarator)]) @optional
(parameter_list "..." @type @nameless @rest)
(variadic_parameter_declaration type: (_) @type declarator: [
  (variadic_declarator (identifier) @local)
  (reference_declarator (variadic_declarator (identifier) @local))
]) @rest
(for_range_loop declarator: [
    (structured_binding_declarator (identifier)* @local)
    (reference_declarator (structured_binding_declarator (identifier)* @local))
  ]) @branch @scope
(for_range_loop type: (placeholder_type_specifier) declarator: [
    (identifier) @local
    (reference_declarator (identifier) @local)
    (pointer_declarator declarator: (identifier) @local)
  ] right: (_) @element) @branch @scope
(for_range_loop type: (_) @type declarator: [
    (identifier) @local
    (reference_declarator (identifier) @local)
    (pointer_declarator declarator: (identifier) @local)
  ]) @branch @scope
(for_range_loop) @branch @scope
(lambda_capture_initializer left: (identifier) @local right: (_) @value)
(type_parameter_declaration (type_identifier) @generic)
(variadic_type_parameter_declaration (type_identifier) @generic)
(optional_type_parameter_declaration name: (type_identifier) @generic default_type: (_) @type)
(preproc_params (identifier)* @local)
(lambda_expression) @nest @scope
(requires_expression) @scope
(type_descriptor) @scope
(compound_statement) @scope

; Uses
; What is cast is as good as its type.
((call_expression function: (template_function name: (identifier) @_cast
    arguments: (template_argument_list . (type_descriptor type: [
      (type_identifier) @reference.type
      (template_type name: (type_identifier) @reference.type)
      (qualified_identifier scope: (_) @qualifier name: [
        (type_identifier) @reference.type
        (template_type name: (type_identifier) @reference.type)
      ])
      (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
        (type_identifier) @reference.type
        (template_type name: (type_identifier) @reference.type)
      ]))
      (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
        (type_identifier) @reference.type
        (template_type name: (type_identifier) @reference.type)
      ])))
    ]))))
  (#any-of? @_cast "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast"))
((call_expression function: (template_function name: (identifier) @_cast) arguments: (argument_list . (_) @through))
  (#any-of? @_cast "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast"))
; What is made for somebody to hold is as good as its type too, and so is what holds it.
((call_expression function: [
    (template_function name: (identifier) @_make @reference.call
      arguments: (template_argument_list . (type_descriptor type: [
        (type_identifier) @reference.call
        (template_type name: (type_identifier) @reference.call)
        (qualified_identifier scope: (_) @qualifier name: (type_identifier) @reference.call)
      ])))
    (qualified_identifier scope: (_) @qualifier name: (template_function name: (identifier) @_make @reference.call
      arguments: (template_argument_list . (type_descriptor type: [
        (type_identifier) @reference.call
        (template_type name: (type_identifier) @reference.call)
        (qualified_identifier scope: (_) @qualifier name: (type_identifier) @reference.call)
      ]))))
  ] arguments: (_) @arguments)
  (#any-of? @_make "make_unique" "make_shared" "MakeUnique" "MakeShared" "WrapUnique" "make_intrusive" "make_scoped_refptr"))
((call_expression function: [
    (template_function name: (identifier) @_cast @reference.call
      arguments: (template_argument_list . (type_descriptor type: [
        (type_identifier) @reference.type
        (template_type name: (type_identifier) @reference.type)
        (qualified_identifier scope: (_) @qualifier name: (type_identifier) @reference.type)
      ])))
    (qualified_identifier scope: (_) @qualifier name: (template_function name: (identifier) @_cast @reference.call
      arguments: (template_argument_list . (type_descriptor type: [
        (type_identifier) @reference.type
        (template_type name: (type_identifier) @reference.type)
        (qualified_identifier scope: (_) @qualifier name: (type_identifier) @reference.type)
      ]))))
  ] arguments: (_) @arguments)
  (#any-of? @_cast "static_pointer_cast" "dynamic_pointer_cast" "const_pointer_cast" "reinterpret_pointer_cast"
    "any_cast" "bit_cast" "down_cast" "checked_cast" "implicit_cast" "dyn_cast" "dyn_cast_or_null" "cast"
    "QPointer" "QScopedPointer" "QSharedPointer" "RefPtr" "auto_ptr" "com_ptr" "intrusive_ptr" "not_null" "optional"
    "reference_wrapper" "scoped_ptr" "scoped_refptr" "shared_ptr" "unique_ptr" "weak_ptr"))
; What comes out is what goes in.
((call_expression function: (qualified_identifier scope: (_) @qualifier @_library name: [
    (identifier) @reference.call @_same
    (template_function name: (identifier) @reference.call @_same)
  ]) arguments: (argument_list . (_) @through .))
  (#eq? @_library "std")
  (#any-of? @_same "as_const" "cref" "forward" "launder" "move" "move_if_noexcept" "ref"))
(call_expression function: [
  (identifier) @reference.call
  (template_function name: (identifier) @reference.call)
] arguments: (_) @arguments)
(call_expression function: (qualified_identifier scope: (_) @qualifier name: [(identifier) @reference.call (template_function name: (identifier) @reference.call)]) arguments: (_) @arguments)
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [(identifier) @reference.call (template_function name: (identifier) @reference.call)])) arguments: (_) @arguments)
(call_expression function: (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [(identifier) @reference.call (template_function name: (identifier) @reference.call)]))) arguments: (_) @arguments)
(call_expression function: (qualified_identifier name: (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [(identifier) @reference.call (template_function name: (identifier) @reference.call)])))) arguments: (_) @arguments)
(call_expression function: (qualified_identifier "::" @qualifier name: [(identifier) @reference.call (template_function name: (identifier) @reference.call)]) arguments: (_) @arguments)
(call_expression function: (field_expression argument: (_) @receiver field: [
  (field_identifier) @reference.call
  (template_method name: (field_identifier) @reference.call)
  (qualified_identifier scope: (_) @qualifier name: [
    (field_identifier) @reference.call
    (template_method name: (field_identifier) @reference.call)
  ])
  (dependent_name (template_method name: (field_identifier) @reference.call))
]) arguments: (_) @arguments)
(call_expression function: (parenthesized_expression (pointer_expression argument: (identifier) @reference.call)) arguments: (_) @arguments)
(call_expression function: (primitive_type)) @literal
(new_expression type: (type_identifier) @reference.call @arguments !arguments)
(new_expression type: [(type_identifier) @reference.call (template_type name: (type_identifier) @reference.call)] arguments: (_)? @arguments)
(new_expression type: (qualified_identifier scope: (_) @qualifier name: [(type_identifier) @reference.call (template_type name: (type_identifier) @reference.call)]) arguments: (_)? @arguments)
(new_expression type: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [(type_identifier) @reference.call (template_type name: (type_identifier) @reference.call)])) arguments: (_)? @arguments)
(new_expression type: (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [(type_identifier) @reference.call (template_type name: (type_identifier) @reference.call)]))) arguments: (_)? @arguments)
(compound_literal_expression type: [(type_identifier) @reference.call (template_type name: (type_identifier) @reference.call)])
(compound_literal_expression type: (qualified_identifier scope: (_) @qualifier name: [(type_identifier) @reference.call (template_type name: (type_identifier) @reference.call)]))
(compound_literal_expression type: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [(type_identifier) @reference.call (template_type name: (type_identifier) @reference.call)])))
(compound_literal_expression type: (qualified_identifier name: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [(type_identifier) @reference.call (template_type name: (type_identifier) @reference.call)]))))
(cast_expression type: (type_descriptor type: [
  (type_identifier) @reference.type
  (struct_specifier name: (type_identifier) @reference.type)
  (qualified_identifier scope: (_) @qualifier name: (type_identifier) @reference.type)
  (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: (type_identifier) @reference.type))
]))
(cast_expression value: (_) @through)
(compound_literal_expression type: (type_descriptor type: [
  (type_identifier) @reference.type
  (struct_specifier name: (type_identifier) @reference.type)
]))
(field_initializer [
  (field_identifier) @reference.member
  (template_method name: (field_identifier) @reference.member)
] [(argument_list) (initializer_list)]? @arguments)
; Only what it is derived from has a path.
(field_initializer (qualified_identifier scope: (_) @qualifier name: [
  (field_identifier) @reference.call
  (template_method name: (field_identifier) @reference.call)
]) (argument_list)? @arguments)
(field_initializer (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: [
  (field_identifier) @reference.call
  (template_method name: (field_identifier) @reference.call)
])) (argument_list)? @arguments)
(field_expression argument: (_) @receiver field: [
  (field_identifier) @reference.member
  (template_method name: (field_identifier) @reference.member)
])
(qualified_identifier scope: (_) @qualifier name: [
  (type_identifier) @reference.type
  (template_type name: (type_identifier) @reference.type)
  (identifier) @reference.variable
  (template_function name: (identifier) @reference.variable)
])
(qualified_identifier scope: (_) @qualifier name: (qualified_identifier scope: [
  (namespace_identifier) @reference.type
  (template_type name: (type_identifier) @reference.type)
]))
(qualified_identifier !scope "::" @qualifier name: [
  (type_identifier) @reference.type
  (template_type name: (type_identifier) @reference.type)
  (identifier) @reference.variable
  (template_function name: (identifier) @reference.variable)
])
(destructor_name (identifier) @reference.type)
(operator_cast type: [
  (type_identifier) @reference.type
  (template_type name: (type_identifier) @reference.type)
  (qualified_identifier scope: (_) @qualifier name: (type_identifier) @reference.type)
])
(operator_name) @skip
(nested_namespace_specifier) @skip
(namespace_identifier) @reference.type
(type_identifier) @reference.type
(field_designator (field_identifier) @reference.member)
(initializer_pair designator: (field_identifier) @reference.member)
(field_identifier) @reference.member
((identifier) @_cast (#any-of? @_cast "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast"))
(identifier) @reference.variable
(this) @this

((preproc_call directive: (_) @_directive) @skip (#not-eq? @_directive "#undef"))
(preproc_arg) @text

; Values that pass through
(parenthesized_expression (_) @through)
(pointer_expression argument: (_) @through)
(update_expression argument: (_) @through)
(assignment_expression left: (_) @through)
(subscript_expression argument: (_) @receiver indices: (subscript_argument_list "[" @reference.member))
(co_await_expression argument: (_) @through)

[(string_literal) (raw_string_literal) (char_literal) (number_literal) (true) (false) (null)] @literal @skip
[(concatenated_string) (user_defined_literal)] @literal
(initializer_list) @literal @whole
[(attribute_specifier) (attribute_declaration) (ms_declspec_modifier)] @skip
(comment) @comment

; Complexity
(if_statement alternative: (else_clause (if_statement) @flat)?) @branch @scope
(else_clause) @else
(while_statement) @branch @scope
(do_statement) @branch @scope
(for_statement) @branch @scope
(catch_clause) @branch @scope
(switch_statement) @switch @scope
(case_statement value: (_)) @case
(conditional_expression consequence: [(null) (number_literal)] alternative: (_) @through) @branch
(conditional_expression consequence: (_) @through) @branch
(binary_expression operator: ["&&" "||" "and" "or"]) @logical
