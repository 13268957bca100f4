; The outline: tables and their keys, chosen by `declared`.
[(table) (table_array_element)] @declarator @definition.table
(pair) @declarator @definition.key
(comment) @comment
