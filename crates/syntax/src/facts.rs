//! What is known of one file from its text alone.

mod index;
mod text;
mod type_source;

use source::{LineIndex, Span};

use crate::{
    chunk::{Chunk, ChunkOptions},
    extract,
    lang::Lang,
};

pub use self::index::{BindingIdx, ImportIdx, RefIdx, SymbolIdx};
pub use self::type_source::{
    ArgumentSlot, CallbackParameter, Context, ContextId, Pattern, PatternId, PatternStep, Tag, TagId, TypeSource,
};

/// Everything derived from one file. A record of the index format: a change of its shape is a change of format.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileFacts {
    pub lines: LineIndex,
    pub chunks: Vec<Chunk>,
    /// Every name that the records below speak of, once each.
    pub names: Names,
    /// In the order of their beginnings; a parent comes before its children.
    pub symbols: Vec<Symbol>,
    /// Uses of names, in the order of the text.
    pub references: Vec<Reference>,
    /// What calls are given, call by call, where functions of one name are told apart by it.
    pub arguments: Vec<Argument>,
    pub imports: Vec<Import>,
    /// Names that live inside a function: parameters and local variables. In the order of the text.
    pub bindings: Vec<Binding>,
    /// What is known of places and scopes beside the names that they declare and use. In the order of the text.
    pub annotations: Vec<Annotation>,
    /// What tells which type is expected at a place, once each; one that is part of another comes before it.
    pub contexts: Vec<Context>,
    /// How names are taken out of values by destructuring.
    pub patterns: Vec<Pattern>,
    /// The values of members that are tested for, where such a value tells the type of what has the member.
    pub tags: Vec<Tag>,
    pub comment_lines: u32,
    pub blank_lines: u32,
    /// Why there are no facts but lines and chunks, although the language has a grammar.
    pub problem: Option<Problem>,
}

/// A name in `FileFacts::names`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    pub(crate) text: String,
    pub(crate) ends: Vec<u32>,
}

impl Names {
    pub fn get(&self, id: NameId) -> &str {
        let at = id.0 as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start as usize..self.ends[at] as usize]
    }

    pub fn find(&self, name: &str) -> Option<NameId> {
        let ids = (0..self.ends.len() as u32).map(NameId);
        ids.into_iter().find(|id| self.get(*id) == name)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    pub name: NameId,
    pub kind: SymbolKind,
    pub visibility: Option<Visibility>,
    /// The symbol that this one is written inside of.
    pub parent: Option<SymbolIdx>,
    /// The type that it belongs to by its own words, written elsewhere: a Go receiver, C++'s `Type::` before a name.
    pub owner: Option<NameId>,
    pub name_at: u32,
    /// The whole definition, with decorators or an `export` around it.
    pub span: Span,
    /// Where its leading comments and attributes begin; `span.start` if there are none.
    pub lead: u32,
    pub doc: Option<Span>,
    pub signature: Span,
    /// Where the type is known from that it has or returns.
    pub ty: Option<TypeSource>,
    /// The reference whose value it is given, or gives back without saying its type.
    pub value: Option<RefIdx>,
    pub is_test: bool,
    /// Says that something exists without giving its body: a prototype, an abstract method.
    pub is_declaration: bool,
    pub complexity: Complexity,
}

impl Symbol {
    /// The type expression that it is declared with.
    pub fn type_expr(&self) -> Option<NameId> {
        self.ty.and_then(TypeSource::expr)
    }

    /// A place at the end of its signature, where its parameters are known.
    pub fn end_of_signature(&self) -> u32 {
        self.signature.end.saturating_sub(1).max(self.name_at)
    }

    /// Has code that runs when it is called or read: a function, or a property that computes.
    pub fn runs(&self) -> bool {
        self.complexity.cyclomatic > 0
    }
}

/// Of a function: how many paths lead through it, and how hard it is to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Complexity {
    /// Decisions plus one; 0 for what is no function.
    pub cyclomatic: u32,
    pub cognitive: u32,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$about])* $variant),* }

        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// As users write and read it.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }

            pub fn from_word(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|one| one.as_str() == word)
            }
        }
    };
}

words!(SymbolKind {
    Function = "function",
    Method = "method",
    Constructor = "constructor",
    Class = "class",
    Struct = "struct",
    Enum = "enum",
    Interface = "interface",
    Trait = "trait",
    Union = "union",
    Object = "object",
    Type = "type",
    Module = "module",
    Namespace = "namespace",
    Constant = "constant",
    Variable = "variable",
    Field = "field",
    Property = "property",
    Variant = "variant",
    Macro = "macro",
    Event = "event",
    Test = "test",
    /// A block that adds to a type defined elsewhere: `impl`, `extension`.
    Impl = "impl",
    Heading = "heading",
    Key = "key",
    Selector = "selector",
    Element = "element",
    Table = "table",
    View = "view",
    Index = "index",
    Target = "target",
    Stage = "stage",
    Block = "block",
});

impl SymbolKind {
    /// Has a body that runs.
    pub fn is_function(self) -> bool {
        matches!(
            self,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Macro | SymbolKind::Test
        )
    }

    /// Can be the type of a value, and can have members.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            SymbolKind::Class
                | SymbolKind::Struct
                | SymbolKind::Enum
                | SymbolKind::Interface
                | SymbolKind::Trait
                | SymbolKind::Union
                | SymbolKind::Object
                | SymbolKind::Type
        )
    }

    /// Functions inside are methods, variables are fields.
    pub fn has_members(self) -> bool {
        self == SymbolKind::Impl || (self.is_type() && self != SymbolKind::Type)
    }
}

words!(Visibility {
    Public = "public",
    Protected = "protected",
    /// The crate, package or module.
    Internal = "internal",
    Private = "private",
});

words!(
    /// What a name is used for.
    Role {
        Call = "call",
        Type = "type_usage",
        Import = "import",
        Member = "member_access",
        Variable = "variable_ref",
        /// In an inheritance or implementation clause.
        Implementation = "implementation",
    }
);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    pub name: NameId,
    pub at: u32,
    pub role: Role,
    /// What it does with the value of its qualifier, if it is no name but a token: `[` in `all[0]`.
    pub step: Option<Step>,
    pub on: Qualifier,
    /// Of a call in a language that tells functions of one name apart by them: how many arguments it has.
    pub arguments: Option<u8>,
    /// How many types it is given, where that is part of what it is called: `Box<int>` is none of `Box`.
    pub arity: u8,
}

words!(
    /// An operation on a value that is written with a token in place of a member's name: a reference of the role
    /// `Member` at that token.
    Step {
        /// To an element: `all[0]`.
        Index = "index",
        /// From a container to the element that a function picks: `next(all)`.
        First = "first",
        /// From a channel to what is received: `<-all`.
        Receive = "receive",
        /// From the first element of a list literal to the list. The other elements are further values at the token.
        List = "list",
        /// From the first value of a map literal to the map. The other values are further values at the token.
        Map = "map",
        /// From the elements of a generator to the container that they are collected into: `list(make() for _ in all)`.
        Collect = "collect",
        /// To a tuple of the arguments: `left, right`.
        Tuple = "tuple",
        /// From a promise to its result.
        Await = "await",
        /// To the result of a binary operator, whose operands are the arguments. The name says which operator.
        Operator = "operator",
    }
);

impl Step {
    /// The step that a token is written for, where it stands in place of a member's name.
    pub(crate) fn of_token(token: &str) -> Option<Step> {
        Some(match token {
            "[" => Step::Index,
            "(" => Step::First,
            "<-" => Step::Receive,
            "]" => Step::List,
            "}" => Step::Map,
            ")" => Step::Collect,
            "," => Step::Tuple,
            "await" => Step::Await,
            _ => return None,
        })
    }
}

/// What stands before a name and says where to look for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Qualifier {
    Nothing,
    /// A path: `std::fs` in `std::fs::read`.
    Path(NameId),
    /// The value of another reference: `a` in `a.b`, `f` in `f(x).b`.
    Value(RefIdx),
    /// `self`, `this`.
    This,
    Super,
    /// A literal: what is on it is the language's own.
    Literal,
    /// What is expected where it stands: the object of a key in an object literal, the type of `.none`.
    Context(ContextId),
    /// Some expression that is not looked into.
    Other,
}

/// One argument of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    pub call: RefIdx,
    pub value: ArgValue,
}

/// What is known of an argument without looking anything up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgValue {
    /// The value of a reference.
    Value(RefIdx),
    /// What the value of a reference points to: `*shape`.
    Pointed(RefIdx),
    /// A pointer to the value of a reference: `&shape`.
    Address(RefIdx),
    This,
    Literal(Literal),
    /// Not one of them, but what all are called, in languages where that is part of what is called: `at,_`.
    Labels(NameId),
    /// Something whose type is written there: `new int[3]`, `(byte) size`.
    Written(NameId),
    /// A function that is written there: a lambda, a reference to a method.
    Function,
    /// Some expression that is not looked into.
    Other,
}

impl ArgValue {
    /// The reference that it is the value of, or has to do with.
    pub fn reference(self) -> Option<RefIdx> {
        match self {
            ArgValue::Value(at) | ArgValue::Pointed(at) | ArgValue::Address(at) => Some(at),
            ArgValue::This
            | ArgValue::Labels(_)
            | ArgValue::Written(_)
            | ArgValue::Literal(_)
            | ArgValue::Function
            | ArgValue::Other => None,
        }
    }

    pub(crate) fn of(self, reference: RefIdx) -> ArgValue {
        match self {
            ArgValue::Value(_) | ArgValue::Other => ArgValue::Value(reference),
            ArgValue::Pointed(_) => ArgValue::Pointed(reference),
            ArgValue::Address(_) => ArgValue::Address(reference),
            ArgValue::This | ArgValue::Labels(_) | ArgValue::Written(_) | ArgValue::Literal(_) | ArgValue::Function => {
                self
            }
        }
    }
}

words!(
    /// What is told from how it is written.
    Literal {
        Text = "text",
        /// A text with something added.
        Joined = "joined text",
        Character = "character",
        Integer = "integer",
        Long = "long",
        Float = "float",
        Boolean = "boolean",
        Null = "null",
        /// A type itself: `String.class`.
        Class = "class",
    }
);

/// One name that an import brings in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Import {
    /// As written: `std::fs`, `./util`, `os.path`. Empty for something of the file itself that others can take under
    /// another name: `export { a as b }`.
    pub path: NameId,
    /// What is taken from it; nothing if it is the module itself.
    pub item: Option<NameId>,
    pub alias: Option<NameId>,
    /// Everything in it.
    pub wildcard: bool,
    /// What is brought in is offered to others too.
    pub reexport: bool,
    /// It is written in a type, in the place of a name: `import("./shape").Shape`. The alias is made up.
    pub inline: bool,
    pub at: u32,
}

impl Import {
    /// What is taken: an item, or what the whole path names.
    pub fn taken(&self) -> NameId {
        self.item.unwrap_or(self.path)
    }
}

words!(
    /// What a local name is to the function that it belongs to.
    LocalKind {
        /// A variable, or a parameter that must be given.
        Plain = "plain",
        /// A parameter that need not be given.
        Optional = "optional",
        /// A parameter that takes any number of arguments.
        Rest = "rest",
        /// A parameter that stands for a type.
        Generic = "generic",
    }
);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    pub name: NameId,
    pub at: u32,
    /// Where the name means this.
    pub scope: Span,
    pub ty: Option<TypeSource>,
    /// The reference whose value it is given; or, for the parameter of a function that is handed to a call, that call.
    pub value: Option<RefIdx>,
    pub kind: LocalKind,
    pub role: BindingRole,
}

impl Binding {
    /// The type expression that it is declared with or tested for.
    pub fn type_expr(&self) -> Option<NameId> {
        self.ty.and_then(TypeSource::expr)
    }
}

/// What a binding's name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingRole {
    /// A local name.
    Local,
    /// A member, by the path that leads to it, of which a test says more in the scope: `self.size`.
    NarrowedMember,
}

/// Something that is known of a place or a scope, and declares no name there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotation {
    pub at: u32,
    /// Where it holds. Empty if it is about what is named at `at`.
    pub scope: Span,
    pub note: Note,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// The definition that is named here has this modifier.
    Modifier(Modifier),
    /// What tells the function that is named here apart from others of its name: the labels of its parameters, or the
    /// types that it takes and returns.
    Signature(NameId),
    /// A further value of what is named here, of the elements of a literal that ends here, or of the function that is
    /// passed to the call whose name is here.
    FurtherValue(RefIdx),
    /// A further type of what is named here.
    FurtherType(NameId),
    /// The function that the scope belongs to has no `this` of its own.
    ArrowFunction,
    /// The literal that the scope is has a member with this value, which may tell its type: `kind: "circle"`.
    LiteralTag { member: NameId, value: NameId },
    /// A macro is defined here that opens a namespace.
    OpensNamespace(NameId),
    /// The file is part of the program under this condition only.
    FileCondition(NameId),
    /// The function of this name that is defined before goes on with a further clause.
    FurtherClause(NameId),
    /// A field of a type without a name, where the field is no definition: `[]struct{ at time.Time }`.
    UnnamedTypeField { name: NameId, ty: NameId },
}

words!(
    /// What a definition says of itself that decides where it can be used.
    Modifier {
        /// A method that leaves its value as it is.
        Const = "const",
        /// Belongs to the class, whose values may have a member of the same name.
        Static = "static",
        /// An attribute without a setter.
        ReadOnly = "read only",
        /// An attribute without a getter.
        WriteOnly = "write only",
    }
);

/// What tells a definition apart from others of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    Modifier(Modifier),
    Signature(String),
}

/// The name for an import that is written in a type: one word for a path and what is taken from it.
pub(crate) fn inline_import(path: &str, item: Option<&str>) -> String {
    let mut name = "import$".to_owned();
    for c in path.chars() {
        match c {
            _ if c.is_alphanumeric() => name.push(c),
            '_' => name.push_str("__"),
            _ => name.push_str(&format!("_{:x}_", c as u32)),
        }
    }
    name.extend(item.iter().flat_map(|item| ["$", *item]));
    name
}

/// What a type begins with whose values stay as they are.
pub(crate) const CONST: &str = "const";

/// The modifier of what belongs to a class itself, in the languages that have it.
pub(crate) const STATIC: &str = "static";

/// The label of a function that is given behind a call, which its last parameter takes.
pub const BEHIND: &str = "{";

pub(crate) const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>", "->"];

words!(Problem {
    TooLarge = "too large to parse",
    TooComplex = "parsing took too long",
});

pub fn file_facts(lang: &'static Lang, text: &str, options: ChunkOptions) -> FileFacts {
    extract::file_facts(lang, text, options)
}

impl FileFacts {
    pub fn name(&self, symbol: &Symbol) -> &str {
        self.names.get(symbol.name)
    }

    /// The imports that are from elsewhere: not what the file offers of its own under other names.
    pub fn imported(&self) -> impl Iterator<Item = &Import> {
        let is_own = |import: &&Import| self.names.get(import.path).is_empty();
        self.imports.iter().filter(move |import| !is_own(import))
    }

    pub fn context(&self, id: ContextId) -> Context {
        self.contexts[id.0 as usize]
    }

    pub fn pattern(&self, id: PatternId) -> &Pattern {
        &self.patterns[id.0 as usize]
    }

    pub fn tag(&self, id: TagId) -> &Tag {
        &self.tags[id.0 as usize]
    }

    /// What a call is given; nothing is known if its arguments are only counted.
    pub fn given(&self, call: RefIdx) -> impl Iterator<Item = ArgValue> {
        self.said_of(call).filter(|given| !matches!(given, ArgValue::Labels(_)))
    }

    /// What the arguments of a call are called, where that is part of what is called; `_` is no name.
    pub fn labels(&self, call: RefIdx) -> Option<&str> {
        self.said_of(call).find_map(|given| match given {
            ArgValue::Labels(labels) => Some(self.names.get(labels)),
            _ => None,
        })
    }

    fn said_of(&self, call: RefIdx) -> impl Iterator<Item = ArgValue> {
        let first = self.arguments.partition_point(|argument| argument.call < call);
        let of_call = self.arguments[first..].iter();
        of_call
            .take_while(move |argument| argument.call == call)
            .map(|argument| argument.value)
    }

    /// The innermost symbol whose span holds the offset.
    pub fn enclosing(&self, at: u32) -> Option<SymbolIdx> {
        let before = self.symbols.partition_point(|symbol| symbol.span.start <= at);
        let mut inner = (before > 0).then(|| SymbolIdx::new(before - 1));
        while let Some(index) = inner {
            let symbol = &self.symbols[index];
            // What decorates a definition is written outside of it.
            let is_before = at < symbol.signature.start && at < symbol.name_at;
            if at < symbol.span.end && !is_before {
                return Some(self.method_around(index, at).unwrap_or(index));
            }
            // A field may be written inside a method and yet belong to the class; a macro in a function belongs to nobody.
            inner = match symbol.kind {
                SymbolKind::Field | SymbolKind::Macro => index.previous(),
                _ => symbol.parent,
            };
        }
        None
    }

    /// For a field that is written inside a method and yet belongs to the class: the method.
    fn method_around(&self, field: SymbolIdx, at: u32) -> Option<SymbolIdx> {
        let of = self.symbols[field].parent?;
        if self.symbols[field].kind != SymbolKind::Field {
            return None;
        }
        let before = field.all_before().rev().take_while(|index| *index > of).take(64);
        before.into_iter().find(|index| {
            let symbol = &self.symbols[*index];
            symbol.runs() && symbol.span.start <= at && at < symbol.span.end
        })
    }

    /// The names of the symbols that this one is inside of, outermost first, and its own.
    pub fn path_of(&self, symbol: &Symbol) -> Vec<&str> {
        self.path_by(symbol, |outer| self.name(outer))
    }

    /// The same for people: a block for any type of some form says which form that is, `Box<T>`.
    pub(crate) fn shown_path_of(&self, symbol: &Symbol) -> Vec<&str> {
        self.path_by(symbol, |outer| {
            let ty = outer
                .type_expr()
                .filter(|_| outer.kind == SymbolKind::Impl && self.is_parameter(outer));
            ty.map_or(self.name(outer), |ty| self.names.get(ty))
        })
    }

    /// Whether a definition is called like a parameter of type that it declares.
    fn is_parameter(&self, symbol: &Symbol) -> bool {
        let first = self.bindings.partition_point(|binding| binding.at < symbol.span.start);
        let mut declared = self.bindings[first..]
            .iter()
            .take_while(|binding| binding.at < symbol.name_at);
        declared.any(|binding| binding.kind == LocalKind::Generic && binding.name == symbol.name)
    }

    fn path_by<'f>(&'f self, symbol: &Symbol, name: impl Fn(&Symbol) -> &'f str) -> Vec<&'f str> {
        let mut path = vec![name(symbol)];
        path.extend(symbol.owner.map(|owner| self.names.get(owner)));
        let mut parent = symbol.parent;
        while let Some(index) = parent {
            let outer = &self.symbols[index];
            // What a function adds to something else is not the function's.
            if symbol.owner.is_none() || !outer.runs() {
                path.push(name(outer));
            }
            // `class Outer::Inner`
            if !outer.runs() {
                path.extend(outer.owner.map(|owner| self.names.get(owner)));
            }
            parent = outer.parent;
        }
        path.reverse();
        path
    }

    /// What a definition takes: the local names of its signature.
    pub fn parameters(&self, symbol: &Symbol) -> impl Iterator<Item = &Binding> {
        let (from, until) = (symbol.name_at, symbol.signature.end);
        let first = self.bindings.partition_point(|binding| binding.at <= from);
        self.bindings[first..]
            .iter()
            .take_while(move |binding| binding.at < until)
    }

    /// What is known of the definition or the local name at a place, or of what ends there.
    pub fn notes_at(&self, at: u32) -> impl Iterator<Item = Note> {
        let first = self.annotations.partition_point(|one| one.at < at);
        let here = self.annotations[first..].iter().take_while(move |one| one.at == at);
        here.map(|one| one.note)
    }

    /// What the signature of a definition says beside its parameters.
    fn notes_of(&self, symbol: SymbolIdx) -> impl Iterator<Item = Note> {
        let symbol = &self.symbols[symbol];
        let (from, until) = (symbol.name_at, symbol.signature.end);
        let first = self.annotations.partition_point(|one| one.at <= from);
        let inside = self.annotations[first..].iter().take_while(move |one| one.at < until);
        inside.map(|one| one.note)
    }

    /// What tells a definition apart from others of its name, where its language has that: the labels of its parameters,
    /// or the types that it takes and returns.
    pub fn signature_of(&self, symbol: SymbolIdx) -> Option<&str> {
        let mut signatures = self.notes_of(symbol).filter_map(|note| match note {
            Note::Signature(text) => Some(self.names.get(text)),
            _ => None,
        });
        signatures.next()
    }

    pub fn modifier(&self, symbol: SymbolIdx) -> Option<Modifier> {
        self.notes_of(symbol).find_map(|note| match note {
            Note::Modifier(modifier) => Some(modifier),
            _ => None,
        })
    }
}
