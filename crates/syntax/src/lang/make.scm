; Targets that only speak to make itself
(rule (targets . (word) @_special) (#any-of? @_special
  ".PHONY" ".SUFFIXES" ".DEFAULT" ".PRECIOUS" ".INTERMEDIATE" ".NOTINTERMEDIATE" ".SECONDARY" ".SECONDEXPANSION"
  ".DELETE_ON_ERROR" ".IGNORE" ".LOW_RESOLUTION_TIME" ".SILENT" ".EXPORT_ALL_VARIABLES" ".NOTPARALLEL" ".ONESHELL" ".POSIX")) @skip

; Definitions
(rule (targets [(word) (variable_reference)]* @name) (recipe)? @body) @definition.target
(variable_assignment name: (_) @reference.variable operator: "+=")
(variable_assignment name: (_) @name value: (_)? @value) @definition.variable
(shell_assignment name: (_) @name) @definition.variable
(define_directive name: (_) @name value: (_)? @body) @definition.macro

; Imports
(include_directive filenames: (list (word)* @path)) @import

; Uses: what a target needs is built for it
(prerequisites (word)* @reference.call)
(variable_reference (word) @reference.variable)
(substitution_reference text: (word) @reference.variable)
(ifdef_directive variable: (word) @reference.variable)
(ifndef_directive variable: (word) @reference.variable)
(comment) @comment
