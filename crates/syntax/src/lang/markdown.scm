; A section begins with its heading and holds the sections of the levels below.
(section . (atx_heading heading_content: (inline) @name)) @definition.heading
; Underlined headings have no sections.
(setext_heading heading_content: (paragraph (inline) @name)) @definition.heading
