//! `Meaning`, the result of resolving a reference, and `Rule`, how it was found.

use syntax::BindingIdx;

use crate::{files::FileIdx, view::SymbolId};

/// The rule of the language that led from a reference to its definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// In an enclosing scope, or in the same file.
    Scope,
    Import,
    /// In another file of the same package.
    Package,
    /// By the path before the name: `shapes::area`.
    Path,
    /// A member of the receiver's type.
    Member,
    /// A member of a supertype.
    Inherited,
    /// Visible to all files of the program.
    Global,
    /// By a wildcard import.
    Wildcard,
    /// A member of an element of the receiver, or of what the receiver wraps.
    Element,
    /// A parameter of the function's name receives its result: a fixture of pytest.
    Injected,
    /// A variable that destructuring gives the member of its name: `const { area } = shape`.
    TakenOut,
    /// A variable that is an alias of it.
    Alias,
    /// By an import that may lead to one of several files.
    Likely,
    /// By a stale import: the name was moved, and has no other definition.
    Moved,
    /// By the exact engine.
    Exact,
}

impl Rule {
    /// How often such a result is right; `cargo xtask eval refs` measures it.
    pub fn confidence(self) -> f32 {
        match self {
            Rule::Scope | Rule::Import | Rule::Package | Rule::Path => 0.98,
            Rule::Member => 0.95,
            Rule::Inherited | Rule::Global | Rule::Wildcard => 0.93,
            Rule::Injected | Rule::TakenOut | Rule::Alias => 0.95,
            Rule::Element => 0.85,
            Rule::Likely => 0.8,
            Rule::Moved => 0.7,
            Rule::Exact => 1.0,
        }
    }

    /// The name of the rule in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::Scope => "scope",
            Rule::Import => "import",
            Rule::Package => "package",
            Rule::Path => "path",
            Rule::Member => "receiver's type",
            Rule::Inherited => "inherited",
            Rule::Global => "global",
            Rule::Wildcard => "wildcard import",
            Rule::Element => "element's type",
            Rule::Injected => "given by name",
            Rule::TakenOut => "taken out of an object",
            Rule::Alias => "by another name",
            Rule::Likely => "likely",
            Rule::Moved => "imported from where it was",
            Rule::Exact => "exact",
        }
    }
}

/// The result of resolving a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// Definitions in the workspace; several for overloads, or where the rules do not decide.
    Symbols(Vec<SymbolId>, Rule),
    /// A local variable, by its index in the bindings of the file.
    Local(BindingIdx),
    /// A module of one file, or a package of several.
    Files(Vec<FileIdx>),
    /// A definition outside of the workspace: of the language or a library.
    External,
    /// The receiver's type is known and has no such member.
    Missing,
    /// No rule decides.
    Unknown,
}

impl Meaning {
    pub(crate) fn is_found(&self) -> bool {
        matches!(self, Meaning::Symbols(..) | Meaning::Local(_) | Meaning::Files(_))
    }

    /// Whether it is a definition of the workspace, or known to be none.
    pub(crate) fn is_decided(&self) -> bool {
        matches!(self, Meaning::Symbols(..) | Meaning::External | Meaning::Missing)
    }

    pub(crate) fn of(symbols: Vec<SymbolId>, rule: Rule) -> Option<Meaning> {
        (!symbols.is_empty()).then_some(Meaning::Symbols(symbols, rule))
    }
}
