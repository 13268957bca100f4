(snippet_statement (snippet_start (snippet_name) @name)
  [(element) (text) (expression) (if_statement) (each_statement) (await_statement) (key_statement) (render_tag) (html_tag) (const_tag)]? @body)
  @definition.function
(element (start_tag) @declarator) @definition.element
(element (self_closing_tag) @declarator) @definition.element

; Tags that are not HTML's are components
((start_tag (tag_name) @reference.call)
  (#not-any-of? @reference.call "a" "abbr" "address" "area" "article" "aside" "audio" "b" "base" "blockquote" "body" "br" "button" "canvas" "caption" "cite" "code" "col" "colgroup" "dd" "del" "details" "dialog" "div" "dl" "dt" "em" "embed" "fieldset" "figcaption" "figure" "footer" "form" "h1" "h2" "h3" "h4" "h5" "h6" "head" "header" "hr" "html" "i" "iframe" "img" "input" "ins" "kbd" "label" "legend" "li" "link" "main" "map" "mark" "menu" "meta" "meter" "nav" "noscript" "object" "ol" "optgroup" "option" "output" "p" "picture" "pre" "progress" "q" "s" "samp" "script" "section" "select" "slot" "small" "source" "span" "strong" "style" "sub" "summary" "sup" "table" "tbody" "td" "template" "textarea" "tfoot" "th" "thead" "time" "title" "tr" "track" "u" "ul" "var" "video" "wbr" "svg" "path" "g" "circle" "rect" "line" "text" "defs" "use" "component" "transition" "keep-alive" "teleport" "suspense"))
((self_closing_tag (tag_name) @reference.call)
  (#not-any-of? @reference.call "a" "abbr" "address" "area" "article" "aside" "audio" "b" "base" "blockquote" "body" "br" "button" "canvas" "caption" "cite" "code" "col" "colgroup" "dd" "del" "details" "dialog" "div" "dl" "dt" "em" "embed" "fieldset" "figcaption" "figure" "footer" "form" "h1" "h2" "h3" "h4" "h5" "h6" "head" "header" "hr" "html" "i" "iframe" "img" "input" "ins" "kbd" "label" "legend" "li" "link" "main" "map" "mark" "menu" "meta" "meter" "nav" "noscript" "object" "ol" "optgroup" "option" "output" "p" "picture" "pre" "progress" "q" "s" "samp" "script" "section" "select" "slot" "small" "source" "span" "strong" "style" "sub" "summary" "sup" "table" "tbody" "td" "template" "textarea" "tfoot" "th" "thead" "time" "title" "tr" "track" "u" "ul" "var" "video" "wbr" "svg" "path" "g" "circle" "rect" "line" "text" "defs" "use" "component" "transition" "keep-alive" "teleport" "suspense"))

(raw_text) @embed
; Expressions use the names of the script.
(svelte_raw_text) @embed
(comment) @comment
