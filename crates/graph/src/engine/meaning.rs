//! What a name means, and by which way that was found.

use crate::{files::FileIdx, view::SymbolId};

/// The way from a name to its definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// In a scope around it, or in the same file.
    Scope,
    Import,
    /// In another file of the same package.
    Package,
    /// By a path that is written before it.
    Path,
    /// A member of the type of what it stands on.
    Member,
    /// A member of a type that the type is derived from.
    Inherited,
    /// Visible to all files of the program.
    Global,
    /// An import takes everything from where it is.
    Wildcard,
    /// A member of what the value on the left holds or gives: an element, what a wrapper wraps.
    Element,
    /// A parameter of its name is given what it makes.
    Injected,
    /// A variable of its name is given what an object has under it.
    TakenOut,
    /// A variable is another name for it.
    Alias,
    /// An import leads to one of several files by its name.
    Likely,
    /// It is imported from where it is no more, and nothing else has the name.
    Moved,
    /// Known as the compiler knows it.
    Exact,
}

impl Rule {
    /// How often such a conclusion is right; `cargo xtask eval refs` compares.
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

    /// For people: "by its import".
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

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// Definitions in the workspace; several if they share the name in one place, as overloads do.
    Symbols(Vec<SymbolId>, Rule),
    /// A local name of its file: a place in the list of bindings.
    Local(u32),
    /// A module that is one file, or a package of several.
    Files(Vec<FileIdx>),
    /// Nothing in this workspace.
    External,
    /// The type that it is asked of is known, and has no such member.
    Missing,
    Unknown,
}

impl Meaning {
    pub(crate) fn is_found(&self) -> bool {
        matches!(self, Meaning::Symbols(..) | Meaning::Local(_) | Meaning::Files(_))
    }

    /// Whether it is a definition here, or known to be none.
    pub(crate) fn is_told(&self) -> bool {
        matches!(self, Meaning::Symbols(..) | Meaning::External | Meaning::Missing)
    }

    pub(crate) fn of(symbols: Vec<SymbolId>, rule: Rule) -> Option<Meaning> {
        (!symbols.is_empty()).then_some(Meaning::Symbols(symbols, rule))
    }
}
