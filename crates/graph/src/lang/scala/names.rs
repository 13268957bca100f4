//! Where Scala finds names that other languages do not: in self-types, values that are imported from, package objects, and
//! the wrappers of implicit conversions.

use syntax::{ImportIdx, LocalKind, Qualifier, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver},
    },
    files::FileIdx,
    modules::Target,
    types::ty::{Base, Ty, UNKNOWN},
    view::SymbolId,
};

impl Resolver<'_> {
    pub(crate) fn in_self_type(&self, id: SymbolId, name: &str) -> Vec<SymbolId> {
        let found = self.self_type(id).map(|ty| self.member_of(&ty, name));
        match found {
            Some(Meaning::Symbols(found, _)) => found,
            _ => Vec::new(),
        }
    }

    /// The self-type of a type: `trait Parsing { this: Compiler => .. }`.
    fn self_type(&self, id: SymbolId) -> Option<Ty> {
        let view = self.view(id.file)?;
        let symbol = view.facts.symbols.get(id.symbol.as_usize())?;
        let first = view
            .facts
            .bindings
            .partition_point(|binding| binding.at < symbol.signature.end);
        let binding = view.facts.bindings.get(first)?;
        let inner = view.facts.symbols.get(id.symbol.next().as_usize());
        let is_first = inner.is_none_or(|inner| binding.at < inner.span.start) && binding.at < symbol.span.end;
        let ty = binding
            .type_expr()
            .filter(|_| is_first && binding.kind == LocalKind::Plain)?;
        let at = symbol.span.start.saturating_sub(1);
        let place = At {
            file: id.file,
            view: &view,
            at,
        };
        Some(self.trail.deeper(UNKNOWN, || self.type_from(place, view.type_expr(ty))))
    }

    /// The type of the value whose members an import names, if its path leads to a value.
    fn imported_value(&self, file: FileIdx, index: ImportIdx) -> Ty {
        self.known.opened.get(&self.trail, (file, index), UNKNOWN, || {
            let Some(view) = self.view(file) else { return UNKNOWN };
            let import = &view.facts.imports[index];
            let mut parts = view.facts.names.get(import.path).split('.').peekable();
            let place = At {
                file,
                view: &view,
                at: import.at,
            };
            let first = parts.next().map(|first| self.lookup(place, first, Role::Variable));
            let is_object = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Object);
            let goes_on = parts.peek().is_some();
            let mut ty = match first {
                Some(Meaning::Local(binding)) => self.binding(file, binding),
                Some(Meaning::Symbols(found, _)) => {
                    // `import Shapes.default._`: the object is a module, and `default` in it a value.
                    let mut found = found
                        .iter()
                        .filter(|id| self.is_value(**id) || (goes_on && is_object(id)));
                    found.next().map_or(UNKNOWN, |id| self.value_of_symbol(*id, None))
                }
                _ => UNKNOWN,
            };
            for part in parts {
                ty = match self.member_of(&ty, part) {
                    Meaning::Symbols(found, _) => {
                        let member = found.first();
                        member.map_or(UNKNOWN, |id| self.value_of_symbol(*id, Some(&ty)))
                    }
                    _ => UNKNOWN,
                };
            }
            ty
        })
    }

    fn is_value(&self, id: SymbolId) -> bool {
        let kind = self.kind_of(id);
        kind.is_some_and(|kind| !kind.is_type() && !matches!(kind, SymbolKind::Namespace | SymbolKind::Module))
    }

    /// A name in an import from a value: the value itself, or one of the members.
    pub(crate) fn in_import_of_value(&self, place: At<'_>, name: &str) -> Option<Meaning> {
        let At { file, view, at } = place;
        let facts = &view.facts;
        let before = facts.imports.partition_point(|import| import.at <= at);
        let last = facts.imports[..before].last()?;
        let same = (0..before)
            .rev()
            .take_while(|index| facts.imports[*index].at == last.at);
        let mut found = same.filter_map(|index| {
            let import = &facts.imports[index];
            if facts.names.get(import.path).split('.').next() == Some(name) {
                let place = At { at: import.at, ..place };
                return Some(self.lookup(place, name, Role::Variable)).filter(|found| match found {
                    Meaning::Symbols(found, _) => found.iter().any(|id| self.is_value(*id)),
                    found => matches!(found, Meaning::Local(_)),
                });
            }
            let is_item = import.item.is_some_and(|item| facts.names.get(item) == name);
            let ty = is_item
                .then(|| self.imported_value(file, ImportIdx::new(index)))
                .filter(Ty::is_known)?;
            Some(self.member_of(&ty, name)).filter(Meaning::is_found)
        });
        found.next()
    }

    /// A member of a value, brought in by an import before the place: `import service._`, `import service.run`.
    pub(crate) fn of_imported_value(&self, place: At<'_>, wanted: &str) -> Option<Meaning> {
        let At { file, view, at } = place;
        let facts = &view.facts;
        if self.defining(wanted).is_empty() {
            return None;
        }
        let before = facts.imports.partition_point(|import| import.at < at);
        (0..before).rev().find_map(|index| {
            let import = &facts.imports[index];
            let name = |id| facts.names.get(id);
            let member = match (import.item.map(name), import.alias.map(name)) {
                _ if import.wildcard => wanted,
                (Some(item), None) if item == wanted => item,
                (Some(item), Some(alias)) if alias == wanted => item,
                _ => return None,
            };
            let around = view.around_import(import).map(|around| &facts.symbols[around]);
            let is_seen = around.is_none_or(|around| around.span.start <= at && at < around.span.end);
            let ty = is_seen.then(|| self.imported_value(file, ImportIdx::new(index)))?;
            match self.member_of(&ty, member) {
                Meaning::Symbols(found, _) if ty.is_known() => Meaning::of(found, Rule::Wildcard),
                _ => None,
            }
        })
    }

    /// A member of the object of a package around: `package object shapes { .. }`.
    pub(crate) fn of_package_object(&self, place: At<'_>, name: &str) -> Option<Meaning> {
        if self.defining(name).is_empty() {
            return None;
        }
        let spaces = &self.modules.files().outline(place.file).spaces;
        spaces.iter().rev().find_map(|space| {
            let facts = &place.view.facts;
            match self
                .modules
                .resolve_path(place.file, facts, space, Some(name), place.at)
            {
                Target::Local(files) => {
                    let owners = files.iter().flat_map(|file| self.path_end(*file, space));
                    let found: Vec<SymbolId> = owners.flat_map(|owner| self.members(owner, name)).collect();
                    Meaning::of(found, Rule::Package)
                }
                _ => None,
            }
        })
    }

    /// A member that a value has by an implicit conversion to a wrapper: `implicit class Rich(circle: Circle)`.
    pub(crate) fn of_implicit_wrapper(&self, place: At<'_>, reference: &Reference) -> Option<Meaning> {
        let Qualifier::Value(value) = reference.on else {
            return None;
        };
        let Base::Symbol(own) = self.value(place.file, value).head else {
            return None;
        };
        let name = place.view.facts.names.get(reference.name);
        let wraps = |owner: SymbolId| {
            let view = self.view(owner.file)?;
            let symbol = &view.facts.symbols[owner.symbol];
            let inside = view.facts.symbols[owner.symbol.next().as_usize()..].iter();
            let mut inside = inside.take_while(|inner| inner.span.start < symbol.signature.end);
            let wrapped = inside.find(|inner| inner.parent == Some(owner.symbol) && inner.kind == SymbolKind::Field)?;
            let ty = view.type_expr(wrapped.type_expr()?);
            let place = At {
                file: owner.file,
                view: &view,
                at: wrapped.name_at,
            };
            match self.type_from(place, ty).head {
                Base::Symbol(wanted) => Some(own == wanted || self.is_derived(own, wanted)),
                _ => None,
            }
        };
        let members = self.members_named(place.file, name);
        let found = members
            .iter()
            .filter(|(_, owner)| wraps(*owner) == Some(true))
            .map(|(member, _)| *member);
        Meaning::of(found.collect(), Rule::Likely)
    }
}
