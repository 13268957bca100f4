//! Groups the declarations of one definition: prototypes, parts of a partial class, signatures.

use syntax::{Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::resolver::{Resolver, ids, sorted},
    lang::Namespaces,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// A definition and its other declarations: a prototype, another part of a partial class, further signatures.
    pub fn same_thing(&self, id: SymbolId) -> Vec<SymbolId> {
        if let Some(group) = self.rules(id.file).declaration_group(self, id) {
            return group;
        }
        self.same_by_name(id)
    }

    /// The variants of a definition in other build configurations: `open_linux.go`, `open_windows.go`.
    pub fn built_instead(&self, id: SymbolId) -> Vec<SymbolId> {
        self.rules(id.file).build_variants(self, id)
    }

    fn same_by_name(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return vec![id];
        };
        let symbol = &view.facts.symbols[id.symbol];
        let name = view.facts.name(symbol);
        let has_overloads = self.semantics(id.file).has_overloads();
        // A static method and an instance method of one name are different definitions.
        let is_static = |symbol: SymbolIdx| self.is_static(SymbolId { symbol, ..id });
        let has_separate_names = self.semantics(id.file).namespaces == Namespaces::ByUse;
        let rules = self.rules(id.file);
        // `package shapes;` is not a declaration of a symbol `shapes`.
        let is_package = |kind: SymbolKind| kind == SymbolKind::Namespace;
        let is_macro = |kind: SymbolKind| kind == SymbolKind::Macro;
        let arity = rules.generic_arity(self, id);
        let alike = |index: SymbolIdx, other: &Symbol| {
            other.parent == symbol.parent
                && is_macro(other.kind) == is_macro(symbol.kind)
                && is_package(other.kind) == is_package(symbol.kind)
                && !(has_separate_names && other.kind.is_function() != symbol.kind.is_function())
                && is_static(index) == is_static(id.symbol)
                && other.owner == symbol.owner
                && rules.generic_arity(self, SymbolId { symbol: index, ..id }) == arity
                && (other.name_at == symbol.name_at
                    || !has_overloads
                    || !(symbol.kind.is_function() || other.kind.is_function()))
        };
        let here = view.symbols_named(name).filter(|(index, other)| alike(*index, other));
        let mut found = ids(id.file, here);
        found.extend(rules.partial_declarations(self, id));
        sorted(found)
    }
}

/// The qualified name of a symbol in parts, with the namespace that the file declares for all of its symbols.
pub(crate) fn whole_path<'v>(view: &'v View, symbol: &Symbol) -> Vec<&'v str> {
    let path = view.facts.path_of(symbol);
    let mut outer = view.facts.symbols.iter();
    let space = outer.find(|symbol| symbol.kind == SymbolKind::Namespace && symbol.parent.is_none());
    let space = space.map(|space| view.facts.name(space));
    let space = space.filter(|space| path[0] != *space);
    let whole = space
        .into_iter()
        .chain(path)
        .flat_map(|part| part.split([':', '.', '\\']));
    whole.filter(|part| !part.is_empty()).collect()
}
