//! Members declared outside of a type's body: extension functions, and members of companion objects.

use syntax::{Modifier, Qualifier, RefIdx, Role, Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, MANY_FILES, Resolver, ids},
    },
    files::FileIdx,
    lang::related,
    modules::Target,
    types::ty::Base,
    view::SymbolId,
};

impl Resolver<'_> {
    /// The extension function for a receiver, if it is in scope at a place: `fun Shape.area()`.
    pub(crate) fn extension(&self, place: At<'_>, on: Qualifier, name: &str) -> Option<Meaning> {
        // The import may rename it: `import shapes.area as shapeArea`.
        let facts = &place.view.facts;
        let alias = facts
            .imports
            .iter()
            .find(|import| import.alias.is_some_and(|alias| facts.names.get(alias) == name));
        let alias = alias.and_then(|import| import.item);
        let name = alias.map_or(name, |item| facts.names.get(item));
        let defining = self.defining(name);
        if defining.len() > MANY_FILES {
            return None;
        }
        let mut receiver = None;
        let mut found = Vec::new();
        for other in defining.iter() {
            if !related(self.lang(place.file), self.lang(*other)) {
                continue;
            }
            let Some(view) = self.view(*other) else { continue };
            let adds = view.symbols_named(name).filter(|(_, symbol)| symbol.owner.is_some());
            let adds: Vec<(SymbolIdx, &Symbol)> = adds.collect();
            if adds.is_empty() || !self.sees(place, *other, name) {
                continue;
            }
            let receiver = receiver.get_or_insert_with(|| self.arg_type_of_receiver(place, on));
            let fitting = adds.into_iter().filter(|(_, symbol)| {
                let at = symbol.end_of_signature();
                let owner = symbol.owner.map(|owner| view.type_expr(owner));
                let place = At {
                    file: *other,
                    view: &view,
                    at,
                };
                owner.is_some_and(|owner| {
                    // If the receiver's type is unknown, an extension of one particular workspace type is no match.
                    let is_open = receiver.is_known() || !matches!(self.type_from(place, owner).head, Base::Symbol(_));
                    is_open && self.is_convertible(place, receiver, owner)
                })
            });
            found.extend(ids(*other, fitting));
        }
        let is_known = receiver.is_some_and(|receiver| receiver.is_known());
        let is_member = |(_, owner): &(SymbolId, SymbolId)| self.kind_of(*owner).is_some_and(SymbolKind::is_type);
        // The receiver's unknown type may have a member of this name, which would win.
        if !is_known && !matches!(on, Qualifier::Literal) && self.members_named(place.file, name).iter().any(is_member)
        {
            return (!found.is_empty()).then_some(Meaning::Unknown);
        }
        Meaning::of(found, if is_known { Rule::Member } else { Rule::Likely })
    }

    /// The same, if it accepts the arguments of a call. If the type has a member of this name (`has_own`), the
    /// arguments must be known to convert; otherwise it is enough that they may.
    pub(crate) fn fitting_extension(&self, place: At<'_>, index: RefIdx, name: &str, has_own: bool) -> Option<Meaning> {
        let reference = &place.view.facts.references[index];
        let found = self.extension(place, reference.on, name)?;
        match &found {
            Meaning::Symbols(added, _) if reference.role == Role::Call => {
                let fits = match has_own {
                    true => self.some_converts(added, place.file, place.view, index),
                    false => self.some_may_convert(added, place.file, place.view, index),
                };
                fits.then_some(found)
            }
            _ => Some(found),
        }
    }

    /// Whether a top-level symbol of another file is in scope by its plain name: same package, or imported.
    pub(crate) fn sees(&self, place: At<'_>, other: FileIdx, name: &str) -> bool {
        let At { file, view, .. } = place;
        let facts = &view.facts;
        if file == other || (self.semantics(file).shares_scope)(self.modules.files(), file, other) {
            return true;
        }
        facts.imports.iter().any(|import| {
            let is_it = import.wildcard || import.item.is_some_and(|item| facts.names.get(item) == name);
            is_it
                && match self.modules.resolve(file, facts, import) {
                    Target::Local(files) | Target::Candidates(files) => files.contains(&other),
                    _ => false,
                }
        })
    }

    /// The members of a type's companion object: inside of the type (`companion object`), or beside it under its name.
    pub(crate) fn of_companion(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let Some(view) = self.view(own.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[own.symbol];
        let inside = SymbolIdx::enumerate(&view.facts.symbols).filter(|(at, one)| {
            let is_inside = one.kind == SymbolKind::Object && one.parent == Some(own.symbol);
            is_inside && view.facts.modifier(*at) == Some(Modifier::Static)
        });
        let beside = view
            .symbols_named(view.facts.name(symbol))
            .filter(|(at, one)| one.kind == SymbolKind::Object && one.parent == symbol.parent && *at != own.symbol);
        let all = ids(own.file, inside).into_iter().chain(ids(own.file, beside));
        all.flat_map(|object| self.own_members(object, name)).collect()
    }
}
