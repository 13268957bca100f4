; The outline: keys of the upper levels, chosen by `declared`.
(pair) @declarator @definition.key
(comment) @comment
