; Definitions: a stage without a name of its own is known by its image
(from_instruction as: (image_alias) @name) @definition.stage
(from_instruction (image_spec) @name) @definition.stage
(arg_pair name: (_) @name default: (_)? @value) @definition.variable
(env_pair name: (_) @name value: (_)? @value) @definition.variable
[(arg_instruction) (env_instruction)] @wrapper

; Uses
(image_name) @reference.variable
(variable) @reference.variable
(comment) @comment
