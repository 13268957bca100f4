//! Members of a type: its own, those in other parts and blocks, and inherited ones.

use std::rc::Rc;

use syntax::{LocalKind, Modifier, RefIdx, Role, Symbol, SymbolKind, TypeRef};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, MANY_FILES, Resolver, Supertypes, ids, sorted},
    },
    files::FileIdx,
    lang::{Semantics, related},
    scope::bare_names::can_be_named,
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// A member of the enclosing type's supertypes: `super.draw()`.
    pub(crate) fn of_supertypes(&self, place: At<'_>, name: &str) -> Meaning {
        let Base::Symbol(own) = self.own_type(place) else {
            return Meaning::Unknown;
        };
        let supertypes = self.supertypes(own);
        let found = supertypes.known.iter().map(|outer| self.members(*outer, name));
        let found = found.filter(|found| !found.is_empty()).collect();
        let found = self.rules(own.file).first_inherited(self, found, true);
        Meaning::of(found, Rule::Inherited).unwrap_or_else(|| match self.has_other_supertypes(own) {
            true => Meaning::External,
            false => Meaning::Missing,
        })
    }

    /// The same for a named supertype: `super<Shape>.draw()`, `super[Shape].draw()`.
    pub(crate) fn of_named_supertype(&self, place: At<'_>, index: RefIdx, name: &str) -> Option<Meaning> {
        let facts = &place.view.facts;
        let before = index.previous()?;
        let named = &facts.references[before];
        let end = named.at + facts.names.get(named.name).len() as u32;
        // `>.` or `].` is between the supertype and the member.
        if named.role != Role::Type || end + 2 != place.at {
            return None;
        }
        match self.meaning(place.file, before) {
            Meaning::Symbols(types, _) => {
                let found = types.iter().flat_map(|outer| self.members(*outer, name));
                Meaning::of(found.collect(), Rule::Inherited)
            }
            Meaning::External => Some(Meaning::External),
            _ => None,
        }
    }

    /// Looks up a member by the receiver's type.
    pub(crate) fn member_of(&self, ty: &Ty, name: &str) -> Meaning {
        let beside = ty
            .beside
            .as_ref()
            .and_then(|written| self.member_written(written, name));
        if let Some(beside) = beside {
            return Meaning::Symbols(vec![beside], Rule::Member);
        }
        let of_rest = || {
            let found = ty.rest.iter().flat_map(|other| self.members(*other, name));
            let written = ty.given.iter().filter_map(|given| match &given.head {
                Base::Anon(written) => self.member_written(written, name),
                _ => None,
            });
            Meaning::of(sorted(found.chain(written).collect()), Rule::Element)
        };
        match &ty.head {
            Base::Symbol(own) => {
                let found = self.inherent_first(self.members(*own, name));
                if found.is_empty() {
                    if self.semantics(own.file).own_type.contains(&name) {
                        return Meaning::Symbols(vec![*own], Rule::Member);
                    }
                    let held = of_rest().or_else(|| self.rules(own.file).member_of_element(self, ty, *own, name));
                    let held = held.or_else(|| self.exported_on_module(*own, name));
                    return held.unwrap_or_else(|| self.result_without_member(*own));
                }
                let is_own = found.iter().any(|id| self.owner(*id) == Base::Symbol(*own))
                    || matches!(self.kind_of(*own), Some(SymbolKind::Module | SymbolKind::Namespace));
                Meaning::Symbols(found, if is_own { Rule::Member } else { Rule::Inherited })
            }
            Base::Any(all) => {
                let found = all.iter().flat_map(|one| self.members(*one, name));
                let is_missing = || {
                    all.iter()
                        .all(|one| self.result_without_member(*one) == Meaning::Missing)
                };
                Meaning::of(sorted(found.collect()), Rule::Member)
                    .or_else(of_rest)
                    .unwrap_or_else(|| {
                        if is_missing() {
                            Meaning::Missing
                        } else {
                            Meaning::Unknown
                        }
                    })
            }
            Base::Files(files) => self.in_files(files, name),
            Base::Anon(written) => match self.member_written(written, name) {
                Some(found) => Meaning::Symbols(vec![found], Rule::Member),
                // A field of an embedded type, or one that has no definition of its own.
                None if self.may_embed(written, name) => of_rest().unwrap_or(Meaning::Missing),
                None if self.has_field(written, name) => Meaning::External,
                None => Meaning::Missing,
            },
            Base::External => {
                let common = ty
                    .rest
                    .first()
                    .is_some_and(|other| self.semantics(other.file).container_members().contains(&name));
                if common {
                    return Meaning::External;
                }
                of_rest().unwrap_or(Meaning::External)
            }
            Base::Unknown => of_rest().unwrap_or(Meaning::Unknown),
        }
    }

    /// An export of a file as a member of its export object: `module.exports = Shape; module.exports.draw = draw`.
    fn exported_on_module(&self, own: SymbolId, name: &str) -> Option<Meaning> {
        let is_whole = self.export_object(&[own.file]).contains(&own);
        let offered = is_whole.then(|| self.offered(own.file, name));
        offered.filter(Meaning::is_found)
    }

    /// Drops trait methods where the type has an inherent method of the same name.
    fn inherent_first(&self, mut found: Vec<SymbolId>) -> Vec<SymbolId> {
        let in_block = |id: &SymbolId| {
            let block = self.block_of(*id);
            block.map(|block| block.known.is_empty() && !block.has_others)
        };
        if found.len() > 1 && found.iter().any(|id| in_block(id) == Some(true)) {
            found.retain(|id| in_block(id) != Some(false));
        }
        found
    }

    /// The supertypes of the `impl` block that a member is in, for languages with such blocks.
    pub(crate) fn block_of(&self, member: SymbolId) -> Option<Supertypes> {
        if !self.semantics(member.file).has_impl_blocks {
            return None;
        }
        let view = self.view(member.file)?;
        let symbol = view.facts.symbols[member.symbol].parent?;
        let block = SymbolId { symbol, ..member };
        let mut found = Supertypes::default();
        let is_block = view.facts.symbols[symbol].kind == SymbolKind::Impl;
        is_block.then(|| {
            self.add_clauses(block, &view, &mut found);
            found
        })
    }

    /// The result for a member that a type does not have: missing, unless a supertype of a library may have it.
    pub(crate) fn result_without_member(&self, own: SymbolId) -> Meaning {
        match self.kind_of(own) {
            Some(SymbolKind::Module | SymbolKind::Namespace) => Meaning::Unknown,
            Some(kind) if self.semantics(own.file).library_extension == Some(kind) => Meaning::External,
            _ if self.supertypes(own).has_others => Meaning::Unknown,
            _ => Meaning::Missing,
        }
    }

    /// The members of a type with a name: its own, or else those of the nearest supertypes.
    pub(crate) fn members(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let key = (own, Box::from(name));
        self.known.members.get(&self.trail, key, Vec::new(), || {
            let mut found = self.own_members(own, name);
            let has_overloads = self.semantics(own.file).has_overloads();
            if !found.is_empty() && !has_overloads && !self.rules(own.file).keeps_inherited(self, own, name) {
                let declared = self.rules(own.file).inherited_declaration(self, own, &found, name);
                return declared.unwrap_or(found);
            }
            let supertypes = self.supertypes(own);
            if has_overloads || !found.is_empty() {
                // A function hides the ones it overrides, and no other overloads; a field or type hides its like.
                for outer in &supertypes.known {
                    let before = found.len();
                    for inherited in self.members(*outer, name) {
                        let is_hidden = |known: &SymbolId| {
                            let of = |id| self.kind_of(id).is_some_and(SymbolKind::is_function);
                            of(*known) == of(inherited) && self.has_same_parameter_types(*known, inherited)
                        };
                        let is_constructor = self.kind_of(inherited) == Some(SymbolKind::Constructor);
                        match found[..before].iter().position(is_hidden) {
                            _ if is_constructor => {}
                            None => found.push(inherited),
                            // Inherited by two paths: the override wins.
                            Some(at) if self.is_member_below(inherited, found[at]) => found[at] = inherited,
                            Some(_) => {}
                        }
                    }
                }
                // Static members of a Java superclass cannot be accessed by the name of a Kotlin subclass.
                let is_static = |id: &SymbolId| self.modifier_of(*id) == Some(Modifier::Static);
                if self.semantics(own.file).has_companions && found.iter().all(is_static) {
                    let beside = self.of_companion(own, name);
                    return if beside.is_empty() { found } else { beside };
                }
                return found;
            }
            let inherited = supertypes.known.iter().map(|outer| self.members(*outer, name));
            let found = self.rules(own.file).first_inherited(
                self,
                inherited.filter(|found| !found.is_empty()).collect(),
                false,
            );
            match found.is_empty() {
                true => self.rules(own.file).members_by_convention(self, own, name),
                false => found,
            }
        })
    }

    /// Whether a member's type is a subtype of the type of another member.
    fn is_member_below(&self, member: SymbolId, other: SymbolId) -> bool {
        match (self.owner(member), self.owner(other)) {
            (Base::Symbol(own), Base::Symbol(other)) => own != other && self.is_derived(own, other),
            _ => false,
        }
    }

    /// The members that a type declares itself, in all of its parts and blocks.
    pub(crate) fn own_members(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let Some(view) = self.view(own.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[own.symbol];
        let semantics = self.semantics(own.file);
        if let Some(found) = self.rules(own.file).own_members(self, own, name) {
            return found;
        }
        let holder = Holder::of(own, &view, symbol, semantics);
        let here = view.symbols_named(name);
        let mut found = ids(
            own.file,
            here.filter(|(_, member)| holder.has_member_in_same_file(&view, member)),
        );
        let rules = self.rules(own.file);
        found.retain(|id| rules.is_member_of(self, *id, own));
        let is_whole = symbol.kind == SymbolKind::Impl && semantics.library_extension.is_none();
        if is_whole || !semantics.has_open_types {
            return found;
        }
        let rules = self.rules(own.file);
        if found.is_empty() || semantics.is_global() || !rules.partial_declarations(self, own).is_empty() {
            found.extend(self.members_in_other_files(&holder, name));
        }
        found
    }

    fn members_in_other_files(&self, holder: &Holder<'_>, name: &str) -> Vec<SymbolId> {
        let own = holder.id;
        let defining = self.defining(name);
        let mut found = Vec::new();
        if defining.len() > MANY_FILES {
            return found;
        }
        let is_only = self.defining(holder.name).len() < 2;
        let rules = self.rules(own.file);
        for other in defining.iter().filter(|other| **other != own.file) {
            if !related(self.lang(own.file), self.lang(*other)) {
                continue;
            }
            if !rules.may_add_members(self.modules.files(), own.file, *other) {
                continue;
            }
            let Some(view) = self.view(*other) else { continue };
            let there = view.symbols_named(name);
            let there = ids(*other, there.filter(|(_, member)| holder.has_elsewhere(&view, member)));
            found.extend(there.into_iter().filter(|id| match is_only {
                true => self.rules(own.file).is_member_of(self, *id, own),
                false => self.is_of(*id, own),
            }));
        }
        found
    }

    /// The members with a name and the types that declare them, in languages related to that of a file; none if the
    /// name is too common (`is_everywhere`).
    pub(crate) fn members_named(&self, file: FileIdx, name: &str) -> Rc<[(SymbolId, SymbolId)]> {
        let key = (self.lang(file), name.into());
        if let Some(known) = self.memo.borrow().members.get(&key) {
            return known.clone();
        }
        let found: Rc<[_]> = match self.is_everywhere(name) {
            true => Rc::new([]),
            false => self.all_members_named(file, name).into(),
        };
        self.memo.borrow_mut().members.insert(key, found.clone());
        found
    }

    /// Whether too many files define a name for a lookup by name alone.
    pub(crate) fn is_everywhere(&self, name: &str) -> bool {
        self.defining(name).len() > MANY_FILES
    }

    /// The same without that limit.
    pub(crate) fn all_members_named(&self, file: FileIdx, name: &str) -> Vec<(SymbolId, SymbolId)> {
        let mut found = Vec::new();
        let defining = self.defining(name);
        let files = defining
            .iter()
            .filter(|other| related(self.lang(file), self.lang(**other)));
        for other in files {
            let Some(view) = self.view(*other) else { continue };
            for (index, symbol) in view.symbols_named(name) {
                if !view.is_member(symbol) {
                    continue;
                }
                let id = SymbolId {
                    file: *other,
                    symbol: index,
                };
                if let Base::Symbol(owner) = self.owner(id) {
                    found.push((id, owner));
                }
            }
        }
        found
    }

    pub(crate) fn is_of(&self, member: SymbolId, own: SymbolId) -> bool {
        match self.owner(member) {
            Base::Symbol(owner) => owner == own || self.same_thing(owner).contains(&own),
            _ => false,
        }
    }
}

/// A type or `impl` block whose members are looked up.
struct Holder<'v> {
    id: SymbolId,
    name: &'v str,
    semantics: &'static Semantics,
    /// A blanket implementation: `impl<T> Area for T`.
    is_any: bool,
}

impl<'v> Holder<'v> {
    fn of(id: SymbolId, view: &'v View, symbol: &'v Symbol, semantics: &'static Semantics) -> Holder<'v> {
        let name = view.facts.name(symbol);
        let is_any = symbol.kind == SymbolKind::Impl && {
            let local = view.binding_at(name, symbol.end_of_signature());
            local.is_some_and(|(_, local)| local.kind == LocalKind::Generic)
        };
        Holder {
            id,
            name,
            semantics,
            is_any,
        }
    }

    /// Whether a symbol of the same file is a member of it.
    fn has_member_in_same_file(&self, view: &View, member: &Symbol) -> bool {
        // Code cannot refer to a test that a macro declares: `TEST_F(Suite, Run) { Run(); }`.
        if !can_be_named(member) {
            return false;
        }
        // All blanket implementations for `T` have the same name, so only the parent tells their members apart.
        if self.is_any || member.parent == Some(self.id.symbol) {
            return member.parent == Some(self.id.symbol);
        }
        if let Some(owner) = member.owner {
            return self.is_called(view.type_expr(owner));
        }
        let Some(parent) = view.parent(member) else {
            return false;
        };
        if is_bare_variant(member, self.semantics) {
            return parent.parent == Some(self.id.symbol);
        }
        parent.kind == SymbolKind::Impl && view.facts.name(parent) == self.name
    }

    /// Whether a symbol of another file may be a member of it.
    fn has_elsewhere(&self, view: &View, member: &Symbol) -> bool {
        let is_outer = |parent: &Symbol| {
            (parent.kind == SymbolKind::Impl || parent.kind.is_type()) && view.facts.name(parent) == self.name
        };
        match member.owner {
            _ if self.is_any || !can_be_named(member) => false,
            Some(owner) => self.is_called(view.type_expr(owner)),
            None => view.parent(member).is_some_and(is_outer),
        }
    }

    fn is_called(&self, owner: TypeRef<'_>) -> bool {
        is_owner(owner, self.name)
    }
}

/// Whether the owner that a member names has this name: `shapes.Circle` has the name `Circle`.
pub(crate) fn is_owner(owner: TypeRef<'_>, name: &str) -> bool {
    let path = owner.first_name().unwrap_or(owner.text());
    path.rsplit(['.', ':', '\\']).next() == Some(name)
}

/// Whether a variant or member can be referred to without its type wherever the file is in scope.
pub(crate) fn is_open_inside(view: &View, symbol: &Symbol, semantics: &Semantics) -> bool {
    let is_bare_member = |parent: &Symbol| {
        semantics.has_bare_members
            && match symbol.kind {
                SymbolKind::Method => matches!(parent.kind, SymbolKind::Trait | SymbolKind::Interface),
                SymbolKind::Field => parent.kind.is_type() || parent.kind == SymbolKind::Variant,
                _ => false,
            }
    };
    view.parent(symbol).is_some_and(|parent| {
        (is_bare_variant(symbol, semantics) || is_bare_member(parent))
            && (view.is_outer(parent) || view.is_member(parent))
    })
}

/// Whether a variant is in scope, unqualified, wherever its enumeration is.
pub(crate) fn is_bare_variant(symbol: &Symbol, semantics: &Semantics) -> bool {
    symbol.kind == SymbolKind::Variant && semantics.has_bare_variants
}
