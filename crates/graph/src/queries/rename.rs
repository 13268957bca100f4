//! The definitions that must be renamed together, and those that conflict with the new name.

use syntax::{Import, NameId, RefIdx, Role, Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{Resolver, Supertypes, sorted},
    },
    files::FileIdx,
    lang::Namespaces,
    queries::references::{Origin, Use, Uses},
    scope::exports::is_unnamed_export,
    types::ty::Base,
    view::{SymbolId, View},
};

/// Definitions that can only be renamed together: the declarations of one entity, overrides and the members that they
/// override, the constructors of a type.
#[derive(Debug, Default)]
pub struct Family {
    pub ids: Vec<SymbolId>,
    /// Those that implement a member of an external trait or interface.
    pub foreign: Vec<SymbolId>,
    /// Those that may do so: their types have a supertype that is external or was not resolved.
    pub perhaps_foreign: Vec<SymbolId>,
    /// Those whose name the language prescribes: constructors, operators.
    pub fixed: Vec<SymbolId>,
    /// Modules that are files.
    pub files: Vec<SymbolId>,
}

/// The largest family that is collected: nobody could review a larger rename.
const MAX_FAMILY: usize = 2000;

impl Resolver<'_> {
    pub fn family(&self, targets: &[SymbolId]) -> Family {
        let mut family = Family::default();
        let mut open: Vec<SymbolId> = targets.to_vec();
        while let Some(id) = open.pop() {
            if family.ids.contains(&id) || family.ids.len() >= MAX_FAMILY {
                continue;
            }
            family.ids.push(id);
            open.extend(self.same_thing(id));
            open.extend(self.built_instead(id));
            let Some(kind) = self.kind_of(id) else { continue };
            if kind.is_type() {
                open.extend(self.named_constructors(id));
            } else if kind == SymbolKind::Constructor {
                // A constructor that is named after its type.
                if let Base::Symbol(owner) = self.owner(id)
                    && self.name_of(owner) == self.name_of(id)
                {
                    open.push(owner);
                }
            } else {
                let (bases, has_others) = self.overridden_members(id);
                match self.semantics(id.file).has_impl_blocks {
                    _ if !bases.is_empty() || !has_others => {}
                    true => family.foreign.push(id),
                    false => family.perhaps_foreign.push(id),
                }
                open.extend(bases);
                open.extend(self.implementations(&[id]).into_iter().map(|one| one.symbol));
            }
            open.extend(self.rules(id.file).renamed_together(self, id));
            open.extend(self.implicit_backing_fields(id));
            if self.is_fixed(id) {
                family.fixed.push(id);
            }
            if self.is_file(id) {
                family.files.push(id);
            }
        }
        family.ids.sort_unstable();
        family
    }

    /// The uses of a whole family. `Shape(1)` is a use of the type, not of its constructor.
    pub fn uses_of_family(&self, family: &Family) -> Uses {
        // A destructor is not called by its name.
        let named = family
            .ids
            .iter()
            .copied()
            .filter(|id| !self.name_of(*id).starts_with('~'));
        let (constructors, others): (Vec<SymbolId>, Vec<SymbolId>) = named.partition(|id| self.is_constructor(*id));
        // `@size` is what `attr_reader :size` reads.
        let backing = others
            .iter()
            .flat_map(|id| self.rules(id.file).backing_fields(self, *id));
        let backing: Vec<SymbolId> = backing.collect();
        let (fields, others): (Vec<SymbolId>, Vec<SymbolId>) = others.into_iter().partition(|id| backing.contains(id));
        let mut found = self.uses(&others);
        let is_resolved = |used: &Use| matches!(used.origin, Origin::Resolved(_)) && used.reference.is_some();
        for more in [self.uses(&constructors), self.uses(&fields)] {
            found.uses.extend(more.uses.into_iter().filter(is_resolved));
        }
        if let Some(first) = others.first() {
            found
                .uses
                .extend(self.rules(first.file).injections(self, &others, true));
        }
        found.uses.sort_by(|a, b| {
            (a.file, a.at)
                .cmp(&(b.file, b.at))
                .then(b.confidence.total_cmp(&a.confidence))
        });
        found.uses.dedup_by_key(|used| (used.file, used.at));
        // `const { area } = shape` and aliases bind further variables, whose uses keep their own name.
        found.uses.retain(|used| {
            let rules = [Rule::TakenOut, Rule::Alias].map(Origin::Resolved);
            !rules.contains(&used.origin)
        });
        // `super(..)` does not contain the name.
        found.uses.retain(|used| {
            let delegates = self.view(used.file).zip(used.reference).map(|(view, reference)| {
                let reference = &view.facts.references[reference];
                self.delegates(used.file, view.facts.names.get(reference.name))
            });
            delegates != Some(true)
        });
        found
    }

    /// The suffix that uses may leave out: `[Serializable]` names `SerializableAttribute`.
    pub fn implied_suffix(&self, id: SymbolId) -> Option<&'static str> {
        self.semantics(id.file).implied_suffix
    }

    /// Definitions that the new name would conflict with: in the same scope, in supertypes, and in subtypes.
    pub fn in_the_way(&self, family: &Family, name: &str) -> Vec<SymbolId> {
        let mut found = Vec::new();
        for id in &family.ids {
            let Some(view) = self.view(id.file) else { continue };
            let symbol = &view.facts.symbols[id.symbol];
            let beside = view
                .symbols_named(name)
                .filter(|(_, other)| other.parent == symbol.parent && other.owner == symbol.owner)
                .map(|(other, _)| SymbolId {
                    file: id.file,
                    symbol: other,
                });
            found.extend(beside.filter(|other| self.collides_with(*id, *other)));
            let Base::Symbol(owner) = self.owner(*id) else { continue };
            // A nested type may hide an inherited one.
            if symbol.kind.is_type() {
                continue;
            }
            let derived = self.derived(owner).into_iter();
            let derived = derived.flat_map(|one| self.own_members(one.symbol, name));
            let members = self.members(owner, name).into_iter().chain(derived);
            found.extend(members.filter(|other| self.collides_with(*id, *other)));
        }
        let mut found = sorted(found);
        found.retain(|id| !family.ids.contains(id));
        found
    }

    /// The offset of an import that binds the new name to something else, if the file defines a member of the family in
    /// the same scope, or imports it at an offset that passes `is_site`. With two bindings of one name, the last one
    /// wins or the file does not compile.
    pub fn imported_already(
        &self,
        family: &Family,
        file: FileIdx,
        [old, new]: [&str; 2],
        is_site: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let view = self.view(file)?;
        let facts = &view.facts;
        let is = |name: Option<NameId>, wanted: &str| name.is_some_and(|name| facts.names.get(name) == wanted);
        let other = facts
            .imports
            .iter()
            .find(|import| is(import.alias.or(import.item), new) && !is(import.item, old))?;
        let scope = facts.enclosing(other.at);
        let imports = |name: &str| {
            let named = view.references_named(name).iter().copied();
            named.filter(|index| facts.references[*index].role == Role::Import)
        };
        let is_beside =
            |import: &Import| is(import.item, old) && import.alias.is_none() && facts.enclosing(import.at) == scope;
        let is_imported =
            facts.imports.iter().any(is_beside) && imports(old).any(|index| is_site(facts.references[index].at));
        let mut own = family.ids.iter().filter(|id| id.file == file);
        let is_defined = own.any(|id| facts.symbols[id.symbol].parent == scope);
        if !is_imported && !is_defined {
            return None;
        }
        let one = *family.ids.first()?;
        let may_share = |index: RefIdx| match self.meaning(file, index) {
            Meaning::Symbols(others, _) => !others.iter().any(|other| self.collides_with(one, *other)),
            _ => false,
        };
        (!imports(new).any(may_share)).then_some(other.at)
    }

    /// Whether two definitions cannot have the same name in one scope.
    fn collides_with(&self, one: SymbolId, other: SymbolId) -> bool {
        let semantics = self.semantics(one.file);
        let (Some(kind), Some(other_kind)) = (self.kind_of(one), self.kind_of(other)) else {
            return false;
        };
        if self.is_static(one) != self.is_static(other) {
            return false;
        }
        let are_functions = kind.is_function() && other_kind.is_function();
        if are_functions && let Some(collide) = self.rules(one.file).functions_collide(self, one, other) {
            return collide;
        }
        let has_apart = semantics.namespaces == Namespaces::ByUse || semantics.has_overloads();
        let is_apart = kind.is_function() != other_kind.is_function() || kind.is_type() != other_kind.is_type();
        !(is_apart && has_apart || self.rules(one.file).may_coexist(kind, other_kind))
    }

    /// The members that a member overrides, and whether its type has a supertype that is external or was not resolved.
    fn overridden_members(&self, id: SymbolId) -> (Vec<SymbolId>, bool) {
        let Some(view) = self.view(id.file) else {
            return (Vec::new(), false);
        };
        let symbol = &view.facts.symbols[id.symbol];
        let name = view.facts.name(symbol);
        let block = symbol.parent.filter(|_| self.semantics(id.file).has_impl_blocks);
        let (mut open, mut has_others) = match block {
            Some(block) => {
                let mut found = Supertypes::default();
                let block = SymbolId {
                    file: id.file,
                    symbol: block,
                };
                if view.facts.symbols[block.symbol].kind == SymbolKind::Impl {
                    self.add_clauses(block, &view, &mut found);
                }
                (found.known, found.has_others)
            }
            None => match self.owner(id) {
                Base::Symbol(owner) => (self.implemented_by(id, owner), self.supertypes(owner).has_others),
                _ => (self.unnamed_bases(id), false),
            },
        };
        let mut found = Vec::new();
        let mut seen = Vec::new();
        while let Some(outer) = open.pop() {
            if seen.contains(&outer) || seen.len() >= 64 {
                continue;
            }
            seen.push(outer);
            let members = self.own_members(outer, name).into_iter();
            found.extend(members.filter(|member| self.overrides(id, *member)));
            if block.is_none() {
                let supertypes = self.supertypes(outer);
                has_others |= supertypes.has_others;
                open.extend(supertypes.known.iter().copied());
            }
        }
        (found, has_others)
    }

    /// The backing field of a property without a getter body: `attr_reader :size` reads `@size`.
    fn implicit_backing_fields(&self, id: SymbolId) -> Vec<SymbolId> {
        let is_bare = self.symbol(id, |_, symbol| symbol.kind == SymbolKind::Property && !symbol.runs());
        match is_bare {
            Some(true) => self.rules(id.file).backing_fields(self, id),
            _ => Vec::new(),
        }
    }

    /// The constructors and destructors that are named after the type.
    fn named_constructors(&self, id: SymbolId) -> Vec<SymbolId> {
        let name = self.name_of(id);
        let members = self.all_members(&[id]).into_iter();
        let is_one = |member: &SymbolId| {
            let is_of_type = self.rules(id.file).follows_type_name(self, *member);
            is_of_type && self.name_of(*member) == name || self.name_of(*member).strip_prefix('~') == Some(&name)
        };
        members.filter(is_one).collect()
    }

    /// Whether the language or the constructed type prescribes a definition's name.
    fn is_fixed(&self, id: SymbolId) -> bool {
        let of_type = || match self.owner(id) {
            Base::Symbol(owner) => {
                let name = self.name_of(owner);
                self.name_of(id).trim_start_matches('~') != name
            }
            _ => true,
        };
        let is_special = |view: &View, symbol: &Symbol| {
            let name = view.facts.name(symbol);
            is_unnamed_export(name) || self.rules(id.file).is_reserved_name(name)
        };
        (self.is_constructor(id) && of_type())
            || (self.kind_of(id).is_some_and(SymbolKind::is_function) && self.symbol(id, is_special) == Some(true))
    }

    /// Whether a module is a file of its own.
    fn is_file(&self, id: SymbolId) -> bool {
        self.kind_of(id) == Some(SymbolKind::Module)
            && self.view(id.file).is_some_and(|view| {
                let at = view.facts.symbols[id.symbol].name_at;
                let declared = self.modules.declared(id.file, &view.facts);
                declared.iter().any(|declared| declared.at == at)
            })
    }
}
