//! Members of classes: attributes that methods assign, the method resolution order, aliases of functions and classes.

use syntax::{RefIdx, Role, Symbol, SymbolKind};

use crate::{
    engine::{meaning::Meaning, resolver::Resolver},
    files::FileIdx,
    lang::python::scope::defined_in_body,
    types::ty::Base,
    view::SymbolId,
};

/// The attribute of a base class that a method of a derived one assigns: `self.size = 1`, where the base defines `size`.
pub(super) fn inherited_field(resolver: &Resolver<'_>, id: SymbolId, symbol: &Symbol) -> Option<SymbolId> {
    if symbol.kind != SymbolKind::Field || symbol.ty.is_some() {
        return None;
    }
    let Base::Symbol(own) = resolver.owner(id) else {
        return None;
    };
    let found = resolver.members(own, &resolver.name_of(id));
    found.first().copied().filter(|_| !found.contains(&id))
}

/// Where methods assign an attribute that the body of the class does not define: the base class's definition of it that has
/// a type, or is a property.
pub(super) fn inherited_declaration(
    resolver: &Resolver<'_>,
    own: SymbolId,
    found: &[SymbolId],
    name: &str,
) -> Option<Vec<SymbolId>> {
    let is_untyped = |id: &SymbolId| {
        let is_untyped = resolver.symbol(*id, |_, symbol| symbol.kind == SymbolKind::Field && symbol.ty.is_none());
        is_untyped == Some(true)
    };
    if !found.iter().all(is_untyped) || !defined_in_body(resolver, own, name).is_empty() {
        return None;
    }
    let is_declared = |id: &SymbolId| {
        let is_declared = resolver.symbol(*id, |_, symbol| match symbol.kind {
            SymbolKind::Field => symbol.ty.is_some(),
            kind => kind == SymbolKind::Property,
        });
        is_declared == Some(true)
    };
    let supertypes = resolver.supertypes(own);
    let mut above = supertypes.known.iter().map(|outer| resolver.members(*outer, name));
    above.find(|found| found.iter().any(is_declared))
}

/// The method resolution order: a class that two bases are derived from comes after both of them.
pub(super) fn first_in_resolution_order(resolver: &Resolver<'_>, found: Vec<Vec<SymbolId>>) -> Vec<SymbolId> {
    let owner = |found: &[SymbolId]| found.first().map(|id| resolver.owner(*id));
    let is_derived = |other: &[SymbolId], from: &[SymbolId]| match (owner(other), owner(from)) {
        (Some(Base::Symbol(other)), Some(Base::Symbol(from))) => other != from && resolver.is_derived(other, from),
        _ => false,
    };
    let mut order = (0..found.len()).filter(|at| {
        let mut later = found[at + 1..].iter();
        !later.any(|other| is_derived(other, &found[*at]))
    });
    let first = order.next().unwrap_or(0);
    found.into_iter().nth(first).unwrap_or_default()
}

/// Whether an assignment defines the attribute that it names: the first `self.size = 1` of a class. Where a base class has
/// the attribute, it is a use of that.
pub(super) fn is_declaration(resolver: &Resolver<'_>, file: FileIdx, reference: RefIdx) -> bool {
    let Some(view) = resolver.view(file) else { return false };
    let at = view.facts.references[reference].at;
    let name = view.facts.names.get(view.facts.references[reference].name);
    let own = view.symbols_named(name).find(|(_, symbol)| symbol.name_at == at);
    own.is_some_and(|(symbol, _)| match resolver.meaning(file, reference) {
        Meaning::Symbols(found, _) => found.contains(&SymbolId { file, symbol }),
        _ => true,
    })
}

/// The functions or classes that a variable of a module is another name for: `Old = New`.
pub(super) fn alias_target(resolver: &Resolver<'_>, id: SymbolId) -> Vec<SymbolId> {
    let value = resolver.symbol(id, |view, symbol| {
        let is_variable = matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable);
        let value = symbol.value.filter(|_| is_variable && symbol.parent.is_none())?;
        let role = view.facts.references[value].role;
        matches!(role, Role::Variable | Role::Member).then_some(value)
    });
    let is_callable = |id: &SymbolId| {
        let kind = resolver.kind_of(*id);
        kind.is_some_and(|kind| kind.is_function() || kind.has_members())
    };
    match value.flatten().map(|value| resolver.meaning(id.file, value)) {
        Some(Meaning::Symbols(found, _)) if found.iter().all(is_callable) => found,
        _ => Vec::new(),
    }
}

/// The variables that are another name for one of some definitions, or for the class that those construct.
pub(super) fn alias_variables(resolver: &Resolver<'_>, targets: &[SymbolId]) -> Vec<SymbolId> {
    let class = |target: &SymbolId| resolver.constructed(*target).unwrap_or(*target);
    let meant: Vec<SymbolId> = targets.iter().map(class).collect();
    let is_outer = |id: &SymbolId| resolver.brief(*id).is_some_and(|brief| brief.is_alone());
    let Some(first) = meant.first().filter(|first| is_outer(first)) else {
        return Vec::new();
    };
    let name = resolver.name_of(*first);
    let mut found = Vec::new();
    for (file, known) in resolver.spots(&name, resolver.world.mentioning(&name)) {
        for spot in known.spots.iter().filter(|spot| spot.is_value) {
            let Some(view) = resolver.view(file) else { continue };
            let alias = view.facts.enclosing(spot.at).map(|symbol| SymbolId { file, symbol });
            let is_it = |alias: &SymbolId| alias_target(resolver, *alias).iter().any(|id| meant.contains(id));
            found.extend(alias.filter(is_it));
        }
    }
    found
}
