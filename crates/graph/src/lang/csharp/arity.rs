//! Definitions of one name that differ by their number of type parameters: `List` and `List<T>`.

use syntax::{Binding, LocalKind, SymbolKind};

use crate::{
    engine::resolver::{Resolver, ids},
    lang::related,
    members::declaration_groups::whole_path,
    view::SymbolId,
};

impl Resolver<'_> {
    /// How many type parameters a definition has.
    pub(crate) fn type_parameter_count(&self, id: SymbolId) -> usize {
        let arity = self.symbol(id, |view, symbol| {
            let takes = view.parameters(symbol);
            let is_type = |taken: &&Binding| taken.kind == LocalKind::Generic;
            // A constraint repeats the name: `where T : Shape`.
            let mut names: Vec<_> = takes.filter(is_type).map(|taken| taken.name).collect();
            names.sort_unstable();
            names.dedup();
            names.len()
        });
        arity.unwrap_or_default()
    }

    /// The other types of a type's name in its namespace, in all files.
    fn namesakes_in_namespace(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[id.symbol];
        let (name, path) = (view.facts.name(symbol), whole_path(&view, symbol));
        let others = self.defining(name);
        let others = others
            .iter()
            .filter(|other| related(self.lang(id.file), self.lang(**other)));
        let beside = others.filter_map(|other| {
            let view = self.view(*other)?;
            let alike = view
                .symbols_named(name)
                .filter(|(_, one)| one.kind.has_members() && whole_path(&view, one) == path);
            Some(ids(*other, alike))
        });
        beside.flatten().filter(|other| *other != id).collect()
    }

    /// The definitions of one name that have so many type parameters; all if none has.
    pub(crate) fn of_arity(&self, mut symbols: Vec<SymbolId>, given: usize) -> Vec<SymbolId> {
        let Some(first) = symbols.first().copied() else {
            return symbols;
        };
        // A nearer type of another arity hides none: `List` here, `List<T>` in another file of the namespace.
        if self.kind_of(first).is_some_and(SymbolKind::has_members)
            && symbols.iter().all(|id| self.type_parameter_count(*id) != given)
        {
            symbols.extend(self.namesakes_in_namespace(first));
        }
        if symbols.len() < 2 {
            return symbols;
        }
        let is_function = |id: SymbolId| self.kind_of(id).is_some_and(SymbolKind::is_function);
        // Type arguments of a function may be inferred.
        let fits = |id: &SymbolId| self.type_parameter_count(*id) == given || (given == 0 && is_function(*id));
        let fitting: Vec<SymbolId> = symbols.iter().copied().filter(fits).collect();
        if fitting.is_empty() { symbols } else { fitting }
    }
}
