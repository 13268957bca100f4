; Definitions
(package (full_ident) @name) @definition.namespace
(message (message_name (identifier) @name) (message_body) @body) @definition.struct
(enum (enum_name (identifier) @name) (enum_body) @body) @definition.enum
(enum_field . (identifier) @name) @definition.variant
(field (type) @type (identifier) @name) @definition.field
(map_field (type) @type (identifier) @name) @definition.field
(group (message_name (identifier) @name) (message_body) @body) @definition.struct
(oneof . (identifier) @name) @definition.union
(oneof_field (type) @type (identifier) @name) @definition.field
(service (service_name (identifier) @name)) @definition.interface
(rpc (rpc_name (identifier) @name)) @definition.function
(extend (full_ident) @name (message_body) @body) @definition.impl

; Imports
(import) @import

; Uses
(message_or_enum_type) @tokens
(comment) @comment
