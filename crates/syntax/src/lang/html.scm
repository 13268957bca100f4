((element (start_tag (tag_name) @_heading) (text) @name) @definition.heading
  (#any-of? @_heading "h1" "h2" "h3" "h4" "h5" "h6"))
(element (start_tag) @declarator) @definition.element
(element (self_closing_tag) @declarator) @definition.element
(raw_text) @embed
(comment) @comment
