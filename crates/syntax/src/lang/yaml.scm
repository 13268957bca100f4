; The outline: keys of the upper levels, chosen by `declared`.
(block_mapping_pair key: (_) @_key (#not-eq? @_key "<<")) @declarator @definition.key
(flow_pair key: (_) @_key (#not-eq? @_key "<<")) @declarator @definition.key
(alias_name) @reference.variable
(comment) @comment
