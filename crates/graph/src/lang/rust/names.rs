//! What Rust alone does with the definitions that a reference may mean.

use syntax::{LocalKind, NameId, Qualifier, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, ids},
    },
    scope::paths::without_arguments,
    types::ty::Base,
    view::SymbolId,
};

impl Resolver<'_> {
    /// `impl Trait for Foreign { fn m(&self) { self.m() } }`: the inner call is the inherent method of `Foreign`, or it would
    /// recurse for ever. In an `impl<T> Trait for T` it is the method of whatever `T` is.
    pub(crate) fn inherent_member(&self, place: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        let semantics = self.semantics(place.file);
        let is_own = match reference.on {
            Qualifier::This => true,
            Qualifier::Path(path) => semantics.own_type.contains(&place.view.facts.names.get(path)),
            _ => false,
        };
        if !is_own || reference.role != Role::Call {
            return found;
        }
        let Meaning::Symbols(symbols, rule) = &found else {
            return found;
        };
        let Some(method) = symbols.iter().copied().find(|id| self.is_around(place, *id)) else {
            return found;
        };
        let block = match self.owner(method) {
            Base::Symbol(block) if self.kind_of(block) == Some(SymbolKind::Impl) => block,
            _ => return found,
        };
        let implemented = self.block_of(method).unwrap_or_default();
        let is_any = self.symbol(block, |view, symbol| {
            let local = view.binding_at(view.facts.name(symbol), symbol.end_of_signature());
            local.is_some_and(|(_, local)| local.kind == LocalKind::Generic)
        });
        let name = place.view.facts.names.get(reference.name);
        match (implemented.known.first(), is_any) {
            (None, _) if !implemented.has_others => found,
            (Some(outer), Some(true)) => Meaning::of(self.members(*outer, name), *rule).unwrap_or(found),
            _ => Meaning::External,
        }
    }

    /// A constant where a type may stand: `Buffer<SIZE>`.
    pub(crate) fn const_argument(&self, place: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        let name = place.view.facts.names.get(reference.name);
        let may_be = reference.role == Role::Type && reference.on == Qualifier::Nothing && !found.is_found();
        if !may_be || name.contains(char::is_lowercase) {
            return found;
        }
        match self.lookup(place, name, Role::Variable) {
            Meaning::Symbols(constants, rule)
                if constants
                    .iter()
                    .all(|id| self.kind_of(*id) == Some(SymbolKind::Constant)) =>
            {
                Meaning::Symbols(constants, rule)
            }
            _ => found,
        }
    }

    /// A call without `!` is one of a function, where macros share its name.
    pub(super) fn function_not_macro(&self, reference: &Reference, mut found: Meaning) -> Meaning {
        let is_other = |id: &SymbolId| self.kind_of(*id) != Some(SymbolKind::Macro);
        if reference.role == Role::Call
            && reference.on == Qualifier::Nothing
            && let Meaning::Symbols(symbols, _) = &mut found
            && symbols.iter().any(is_other)
        {
            symbols.retain(is_other);
        }
        found
    }

    /// A macro by the mark beside its name: `area!(..)`, `#[area]`. A procedural macro is a function, which is in another crate
    /// and so in another file; only such are attributes.
    pub(super) fn macro_by_mark(&self, place: At<'_>, reference: &Reference, mark: NameId) -> Option<Meaning> {
        let names = &place.view.facts.names;
        let mark = Some(names.get(mark)).filter(|mark| matches!(*mark, "!" | "#"))?;
        Some(match self.lookup(place, names.get(reference.name), reference.role) {
            Meaning::Symbols(mut symbols, rule) => {
                symbols.retain(|id| match self.kind_of(*id) {
                    Some(SymbolKind::Macro) => mark == "!",
                    _ => id.file != place.file,
                });
                Meaning::of(symbols, rule).unwrap_or(Meaning::External)
            }
            found => found,
        })
    }

    /// A field that a struct expression or pattern names behind a type or a variant: `Shape::Circle { radius }`.
    pub(super) fn struct_field(&self, place: At<'_>, reference: &Reference, ty: NameId) -> Meaning {
        let names = &place.view.facts.names;
        let (path, name) = (names.get(ty), names.get(reference.name));
        let bare = without_arguments(path);
        let named = match bare.trim_end_matches(':').rsplit_once("::") {
            Some((outer, last)) => self.at_path(place, outer, last, Role::Type),
            None => Meaning::Unknown,
        };
        if let Meaning::Symbols(symbols, _) = &named {
            let variants = symbols
                .iter()
                .filter(|id| self.kind_of(**id) == Some(SymbolKind::Variant));
            let fields = variants.flat_map(|id| self.fields_of_variant(*id, name));
            if let Some(found) = Meaning::of(fields.collect(), Rule::Path) {
                return found;
            }
        }
        self.member_of(&self.type_from(place, place.view.type_expr(ty)), name)
    }

    fn fields_of_variant(&self, variant: SymbolId, name: &str) -> Vec<SymbolId> {
        self.view(variant.file).map_or_else(Vec::new, |view| {
            let named = view.symbols_named(name);
            ids(
                variant.file,
                named.filter(|(_, field)| field.parent == Some(variant.symbol)),
            )
        })
    }
}

/// Whether a definition of some kind is in the namespace that a role asks for: of types, of values, or of members.
pub(super) fn is_in_namespace(kind: SymbolKind, role: Role, is_member: bool) -> bool {
    let is_field = matches!(kind, SymbolKind::Field | SymbolKind::Property);
    match role {
        Role::Import => true,
        Role::Member => is_field,
        Role::Call if is_member => kind.is_function(),
        Role::Call => !is_field && !matches!(kind, SymbolKind::Module | SymbolKind::Trait),
        Role::Type | Role::Implementation => {
            kind.is_type() || matches!(kind, SymbolKind::Module | SymbolKind::Variant | SymbolKind::Impl)
        }
        Role::Variable => !is_field,
    }
}
