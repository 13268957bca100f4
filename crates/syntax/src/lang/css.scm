; Definitions: each selector of a rule by itself
(rule_set (selectors (_)* @name) (block) @body) @definition.selector
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.block
(media_statement . (_) @name (block) @body) @definition.block
(supports_statement . (_) @name (block) @body) @definition.block
(scope_statement "@scope" @name (block) @body) @definition.block
(at_rule [(keyword_query) (parenthesized_query) (feature_query) (binary_query)] @name (block) @body) @definition.block
(at_rule (at_keyword) @name (block) @body) @definition.block
(declaration (property_name) @name) @definition.variable

; Imports
(import_statement [
  (string_value) @path
  (call_expression (arguments [(string_value) (plain_value)] @path))
]) @import

; Uses
(call_expression (function_name) @_var (arguments . (plain_value) @reference.variable) (#eq? @_var "var"))
[(comment) (js_comment)] @comment
