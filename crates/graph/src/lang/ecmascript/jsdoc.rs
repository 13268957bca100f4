//! Types that JSDoc comments name: `/** @param {Shape} shape */`.

use syntax::{ImportIdx, NameId, RefIdx};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver, ids},
    },
    lang::ecmascript::is_ecmascript,
    types::ty::{Base, Ty, UNKNOWN},
};

/// Types of the language: a comment that names one means no type of the workspace.
const BUILT_IN: &[&str] = &[
    "Array", "Iterable", "Map", "Promise", "Set", "WeakMap", "bigint", "boolean", "number", "string", "symbol",
];

impl Resolver<'_> {
    /// What any import of the file says a name is, also one inside of another function.
    fn imported_anywhere(&self, place: At<'_>, path: &str) -> Option<Meaning> {
        let facts = &place.view.facts;
        let is_it = |name: Option<NameId>| name.is_some_and(|name| facts.names.get(name) == path);
        let import = facts
            .imports
            .iter()
            .position(|one| is_it(one.item) || is_it(one.alias))?;
        Some(self.import(place.file, ImportIdx::new(import)))
    }

    /// Whether a local variable's type is only named in a comment and not imported: then the only type of that name is a
    /// guess.
    pub(super) fn is_guessed(&self, place: At<'_>, value: RefIdx) -> bool {
        let At { file, view, .. } = place;
        let Meaning::Local(binding) = self.meaning(file, value) else {
            return false;
        };
        let binding = &view.facts.bindings[binding];
        let declared = binding.type_expr().map(|ty| view.type_expr(ty));
        let Some(path) = declared.and_then(|ty| ty.first_name()) else {
            return false;
        };
        let at = binding.at;
        self.type_meaning(At { at, ..place }, path) == Meaning::External
            && self.imported_anywhere(place, path).is_none()
    }

    /// A type that a comment names. It need not be in scope: the only type of that name is meant.
    pub(super) fn documented_type(&self, place: At<'_>, path: &str) -> Ty {
        match self.imported_anywhere(place, path) {
            Some(Meaning::Symbols(found, _)) => {
                return found.first().map_or(UNKNOWN, |id| Ty::new(Base::Symbol(*id)));
            }
            Some(Meaning::External) => return Ty::new(Base::External),
            _ if BUILT_IN.contains(&path) => return Ty::new(Base::External),
            _ => {}
        }
        let mut found = Vec::new();
        for file in self.defining(path).iter().copied() {
            let Some(view) = self.view(file).filter(|_| is_ecmascript(self.lang(file))) else {
                continue;
            };
            let types = view.symbols_named(path).filter(|(_, symbol)| {
                symbol.kind.has_members() || (symbol.kind.is_function() && path.starts_with(char::is_uppercase))
            });
            found.extend(ids(file, types));
        }
        match found[..] {
            [one] => Ty::new(Base::Symbol(one)),
            _ => UNKNOWN,
        }
    }
}
