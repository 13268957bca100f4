; Definitions
(unit (moduleName) @name) @definition.module
(program (moduleName) @name) @definition.module
(library (moduleName) @name) @definition.module
(declType name: (_) @declarator type: (declClass (kRecord))) @definition.struct
(declType name: (_) @declarator type: (declClass)) @definition.class
(declType name: (_) @declarator type: (declIntf)) @definition.interface
(declType name: (_) @declarator type: (declHelper)) @definition.class
(declType name: (_) @declarator type: (type (declEnum))) @definition.enum
(declType name: (_) @declarator type: (_) @type) @definition.type
(declEnumValue name: (identifier) @name) @definition.variant
(declField name: (identifier)* @name type: (type) @type) @definition.field
(declProp name: (identifier) @name type: (type)? @type
  getter: (identifier)? @reference.variable setter: (identifier)? @reference.variable) @definition.property
(declConst name: (identifier) @name type: (type)? @type defaultValue: (_)? @value) @definition.constant
(defProc header: (declProc name: (_) @declarator type: (_)? @type) local: (_)? @body body: (_) @body) @definition.function
(declProc name: (_) @declarator type: (_)? @type) @definition.function
(declVar name: (identifier)* @name type: (type)? @type defaultValue: (_)? @value) @definition.variable
(genericArg name: (identifier)* @generic)

; Imports
(declUses) @import

; Local names
(declArg name: (identifier)* @local type: (type)? @type defaultValue: (_)? @optional)
(varDef (identifier) @local type: (_) @type)
(varAssignDef (identifier) @local type: (_)? @type)
(exceptionHandler variable: (identifier) @local exception: (_) @type)
(lambda body: (_)) @scope @closure

; Inheritance
(declClass parent: (typeref [(identifier) @reference.implementation (typerefTpl entity: (identifier) @reference.implementation)])*)
(declIntf parent: (typeref [(identifier) @reference.implementation (typerefTpl entity: (identifier) @reference.implementation)])*)

; Uses
(exprCall entity: (identifier) @reference.call args: (_)? @arguments)
(exprCall entity: (exprDot lhs: (_) @receiver rhs: (identifier) @reference.call) args: (_)? @arguments)
(exprCall entity: (_) @through)
(statement . (identifier) @reference.call)
(statement . (exprDot lhs: (_) @receiver rhs: (identifier) @reference.call))
(inherited (kInherited) @receiver (identifier) @reference.call)
(kInherited) @super
(exprDot lhs: (_) @receiver rhs: (identifier) @reference.member)
(typerefDot lhs: (_) @qualifier rhs: (identifier) @reference.type)
(typeref (identifier) @reference.type)
(typerefTpl entity: (identifier) @reference.type)
(typerefPtr operand: (identifier) @reference.type)
(typerefArgs (identifier) @reference.type)
(declProcRef) @inner
(genericDot lhs: (identifier) @reference.type)
(recInitializerField name: (identifier) @reference.member)
((identifier) @this (#eq? @this "Self"))
((identifier) @this (#eq? @this "self"))
(identifier) @reference.variable

; Values that pass through
(exprBinary operator: (kAs) rhs: (_) @through)
(exprParens (_) @through)
(exprSubscript entity: (_) @through)
(exprUnary operand: (_) @through)
(defaultValue (_) @through)

[(literalNumber) (literalString) (kNil) (kTrue) (kFalse)] @literal @skip
(rttiAttributes) @attribute
(pp) @skip
(guid) @skip
(asmBody) @skip
(comment) @comment

; Complexity
(if) @branch
(ifElse else: (ifElse)? @flat) @branch
(kElse) @else
[(while) (repeat) (for) (foreach) (exceptionHandler)] @branch
(case) @switch
(caseCase) @case
(exprBinary operator: [(kAnd) (kOr)]) @logical
