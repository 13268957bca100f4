//! What imports bring in.

use syntax::{Import, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, ids, sorted},
    },
    files::FileIdx,
    modules::Target,
    scope::bare_names::can_be_named,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// What an import brings in under a name.
    pub(crate) fn by_import(&self, place: At<'_>, name: &str) -> Meaning {
        let At { file, view, at } = place;
        let facts = &view.facts;
        let named = self.imports_named(place, name);
        // One inside a function is for that function.
        let covers = |import: &Import| match view.around_import(import) {
            None => Some(0),
            Some(around) => {
                let span = facts.symbols[around as usize].span;
                (span.start <= at && at < span.end).then_some(span.start + 1)
            }
        };
        let mut named: Vec<(u32, usize)> = named
            .filter_map(|(index, import)| Some((covers(import)?, index)))
            .collect();
        named.sort_unstable_by(|a, b| b.cmp(a));
        let mut result = Meaning::Unknown;
        let mut depth = None;
        for (scope, index) in named {
            if depth.is_some_and(|depth| depth != scope) {
                break;
            }
            match (self.import(file, index as u32), &mut result) {
                (Meaning::Unknown, _) => {}
                (Meaning::External, Meaning::Unknown) => result = Meaning::External,
                // Of several in one place any may be the one that counts: `except ImportError: from slow import run`.
                (Meaning::Symbols(more, _), Meaning::Symbols(found, _)) => {
                    found.extend(more.into_iter().filter(|id| !found.contains(id)).collect::<Vec<_>>());
                }
                (found @ (Meaning::Symbols(..) | Meaning::Files(_)), Meaning::Unknown | Meaning::External) => {
                    depth = Some(scope);
                    result = found;
                }
                _ => {}
            }
        }
        result
    }

    /// The imports of a file that bring in a name, wherever they are.
    pub(crate) fn imports_named<'v>(
        &self,
        place: At<'v>,
        name: &'v str,
    ) -> impl Iterator<Item = (usize, &'v Import)> + use<'v> {
        let facts = &place.view.facts;
        let semantics = self.semantics(place.file);
        facts.imports.iter().enumerate().filter(move |(_, import)| {
            let binds = match import.reexport {
                false => true,
                true => {
                    !semantics.exports_apart && (import.alias.is_some() || !facts.names.get(import.path).is_empty())
                }
            };
            binds && !import.wildcard && {
                let local = import.alias.or(import.item);
                match local {
                    // `use shapes::Area as _` names nothing.
                    Some(local) => facts.names.get(local) == name && !(name == "_" && semantics.has_namespaces),
                    None => (semantics.path_binds)(facts.names.get(import.path), name),
                }
            }
        })
    }

    /// Whether a function around a place imports a name for itself.
    pub(crate) fn is_imported_inside(&self, place: At<'_>, name: &str) -> bool {
        let facts = &place.view.facts;
        facts.imports.iter().any(|import| {
            let local = import.alias.or(import.item);
            import.at < place.at
                && local.is_some_and(|local| facts.names.get(local) == name)
                && facts.enclosing(import.at).is_some_and(|around| {
                    let around = &facts.symbols[around as usize];
                    around.kind.is_function() && around.span.start <= place.at && place.at < around.span.end
                })
        })
    }

    /// What an import stands for.
    pub(crate) fn import(&self, file: FileIdx, index: u32) -> Meaning {
        self.known
            .imports
            .get(&self.trail, (file, index), Meaning::Unknown, || {
                let Some(view) = self.view(file) else {
                    return Meaning::Unknown;
                };
                match view.facts.imports.get(index as usize) {
                    Some(import) => self.import_of(file, &view, import),
                    None => Meaning::Unknown,
                }
            })
    }

    pub(crate) fn import_of(&self, file: FileIdx, view: &View, import: &Import) -> Meaning {
        let name = |id| view.facts.names.get(id);
        match self.import_by_path(file, view, import) {
            // A package may describe itself.
            found @ (Meaning::Unknown | Meaning::External | Meaning::Missing) => {
                let declared = self.declared_module(file, name(import.path), import.item.map(name));
                // `pub use area;` gives a macro a place among what can be imported.
                let is_bare = import.item.is_none() && self.semantics(file).has_marked_macros;
                let macros = || Meaning::of(self.macros(file, name(import.path)), Rule::Import);
                let declared = declared.or_else(|| is_bare.then(macros).flatten());
                declared.unwrap_or(found)
            }
            found => found,
        }
    }

    fn import_by_path(&self, file: FileIdx, view: &View, import: &Import) -> Meaning {
        let facts = &view.facts;
        let path = facts.names.get(import.path);
        let item = import.item.map(|item| facts.names.get(item));
        let place = At {
            file,
            view,
            at: import.at,
        };
        // Something of this file, under another name: `export { a as b }`.
        if path.is_empty() {
            return item.map_or(Meaning::Unknown, |item| {
                let own = view.symbols_named(item).filter(|(_, symbol)| symbol.parent.is_none());
                Meaning::of(ids(file, own), Rule::Import).unwrap_or_else(|| self.by_import(place, item))
            });
        }
        // The same where what stands beside it is named like a path: `pub use Circle as Round;`.
        if item.is_none() && import.alias.is_some() && !import.wildcard && self.semantics(file).has_namespaces {
            let found = self.taken_beside(place, path);
            if found.is_found() {
                return found;
            }
        }
        let (files, rule) = match self.modules.resolve(file, facts, import) {
            Target::Local(files) => (files, Rule::Import),
            Target::Candidates(files) => (files, Rule::Likely),
            Target::External(_) => {
                let place = At {
                    file,
                    view,
                    at: import.at,
                };
                // A package that is there no more looks like one of others.
                let is_moved =
                    self.semantics(file).dotted_packages && item.is_some_and(|item| self.is_beside(place, path, item));
                return if is_moved { Meaning::Unknown } else { Meaning::External };
            }
            Target::Unknown => {
                let parts: Vec<&str> = path.split([':', '.']).filter(|part| !part.is_empty()).collect();
                let found = match item {
                    Some(item) => self.rules(file).unresolved_import(self, file, &parts, item),
                    None => Vec::new(),
                };
                return Meaning::of(found, Rule::Import).unwrap_or(Meaning::Unknown);
            }
        };
        if let Some(module) = self.rules(file).imported_module(self, place, import, &files, rule) {
            return module;
        }
        match item {
            None => match self.whole_of(&files) {
                whole if whole.is_empty() => Meaning::Files(files),
                whole => Meaning::Symbols(whole, rule),
            },
            Some(item) => self.taken_from(&files, (place, path), item, rule),
        }
    }

    /// What has a name in the module that an import is in. A module that has a file is not: its path is followed.
    fn taken_beside(&self, place: At<'_>, name: &str) -> Meaning {
        let view = place.view;
        let module = |at: Option<u32>| view.outwards(at).find(|(_, outer)| outer.kind == SymbolKind::Module);
        let own = module(view.facts.enclosing(place.at)).map(|(at, _)| at);
        let beside = view.symbols_named(name).filter(|(_, symbol)| {
            can_be_named(symbol)
                && view.is_outer(symbol)
                && symbol.kind != SymbolKind::Module
                && module(symbol.parent).map(|(at, _)| at) == own
        });
        Meaning::of(ids(place.file, beside), Rule::Import).unwrap_or_else(|| self.by_import(place, name))
    }

    /// What a module from elsewhere has that is described here: `declare module "shapes" { .. }`.
    fn declared_module(&self, file: FileIdx, path: &str, item: Option<&str>) -> Option<Meaning> {
        if !self.semantics(file).exports_apart || path.is_empty() {
            return None;
        }
        let defining = self.defining(path);
        let mut found = Vec::new();
        for other in defining.iter() {
            let view = self.view(*other)?;
            let modules = view.symbols_named(path).filter(|(_, symbol)| {
                symbol.parent.is_none() && matches!(symbol.kind, SymbolKind::Module | SymbolKind::Namespace)
            });
            for (module, _) in modules {
                match item {
                    Some(item) => {
                        let inside = view.symbols_named(item).filter(|(_, one)| one.parent == Some(module));
                        found.extend(ids(*other, inside));
                    }
                    None => found.push(SymbolId {
                        file: *other,
                        symbol: module,
                    }),
                }
            }
        }
        Meaning::of(found, Rule::Import)
    }

    /// Whether a file is the module that a path leads to by its last name.
    fn is_module_of(&self, file: FileIdx, path: &str, item: &str) -> bool {
        self.is_named(file, item) && path.rsplit("::").next() != Some(item)
    }

    /// Whether a file is a module of a name.
    fn is_named(&self, file: FileIdx, name: &str) -> bool {
        let files = self.modules.files();
        match files.stem(file) {
            "mod" => crate::files::name_of(files.dir(file)) == name,
            stem => stem == name,
        }
    }

    /// What is behind the name of a type is a member of it, and none of what is beside it: `crate::Shape::Circle`.
    fn behind_type(&self, file: FileIdx, path: &str, item: &str, rule: Rule) -> Option<Meaning> {
        let last = path.rsplit("::").next()?;
        if !self.semantics(file).has_namespaces || self.is_named(file, last) {
            return None;
        }
        let mut types = self.exported(file, last);
        types.retain(|id| self.kind_of(*id).is_some_and(SymbolKind::is_type));
        let members = types.iter().flat_map(|owner| self.members(*owner, item));
        Meaning::of(members.collect(), rule)
    }

    /// An item of some files: one of their outer names, a member of the type that the path ends with, or a module.
    pub(crate) fn taken_from(
        &self,
        files: &[FileIdx],
        (place, path): (At<'_>, &str),
        item: &str,
        rule: Rule,
    ) -> Meaning {
        let is_inside = |file: &&FileIdx| {
            // What a module holds is not what the module is.
            !(self.semantics(**file).has_namespaces && self.is_module_of(**file, path, item))
        };
        // What another crate's module is called here has nothing of what is beside that name.
        if let [file] = files
            && self.semantics(*file).has_namespaces
            && let Some(last) = path.rsplit("::").next()
            && !self.is_named(*file, last)
            && self.brings_others(*file, last)
        {
            return Meaning::External;
        }
        if let [file] = files
            && let Some(found) = self.behind_type(*file, path, item, rule)
        {
            return found;
        }
        let inside = files.iter().filter(is_inside);
        let found: Vec<SymbolId> = inside.flat_map(|file| self.exported(*file, item)).collect();
        let found = self.in_module(sorted(found), place, path);
        if let Some(found) = Meaning::of(found, rule) {
            return found;
        }
        if let [file] = files
            && self.semantics(*file).exports_apart
        {
            return match self.offered(*file, item) {
                Meaning::Unknown if item == "default" => match self.whole_of(files) {
                    whole if whole.is_empty() => Meaning::Files(files.to_vec()),
                    whole => Meaning::Symbols(whole, rule),
                },
                offered => offered,
            };
        }
        if let [file] = files
            && self.semantics(*file).imports_are_exports
            && self.offered(*file, item) == Meaning::External
        {
            return Meaning::External;
        }
        // A module is none of what is in it. A function or macro of its name may be beside it: `pub use shape::shape;`.
        if let [file] = files
            && self.semantics(*file).has_namespaces
            && self.is_module_of(*file, path, item)
        {
            let beside = self.beside_module(place, path, item);
            return Meaning::of(beside, rule).unwrap_or(Meaning::Files(files.to_vec()));
        }
        for file in files {
            for owner in self.path_end(*file, path) {
                let mut members = self.members(owner, item);
                members.retain(|id| self.kind_of(*id) != Some(SymbolKind::Constructor));
                if let Some(found) = Meaning::of(members, rule) {
                    return found;
                }
            }
        }
        if let [file] = files
            && let Some(found) = self.imported_around(place, *file, path, item)
            && found != Meaning::Unknown
        {
            return found;
        }
        if let [file] = files
            && let Some(found) = self.behind_import(*file, (place, path), item, rule)
        {
            return found;
        }
        let is_module = files.iter().any(|file| {
            let own = self.modules.files();
            let dir = own.dir(*file);
            own.stem(*file) == item || crate::files::name_of(dir) == item
        });
        if is_module {
            Meaning::Files(files.to_vec())
        } else {
            Meaning::Unknown
        }
    }

    /// An item of a module or type that a file imports under the last name of a path: `pub use crate::shapes::round;`,
    /// then `crate::round::Circle`.
    fn behind_import(&self, file: FileIdx, (place, path): (At<'_>, &str), item: &str, rule: Rule) -> Option<Meaning> {
        let last = path.rsplit("::").next().filter(|last| !self.is_named(file, last))?;
        let view = self.view(file).filter(|_| self.semantics(file).has_namespaces)?;
        let outside = At {
            file,
            view: &view,
            at: 0,
        };
        let imported = match self.by_import(outside, last) {
            Meaning::Unknown => self.imported_around(place, file, path, last)?,
            found => found,
        };
        match imported {
            Meaning::Files(inner) if !inner.contains(&file) => {
                Some(self.taken_from(&inner, (place, last), item, rule)).filter(Meaning::is_found)
            }
            Meaning::Symbols(types, _) => {
                let members = types.into_iter().flat_map(|own| self.members(own, item));
                Meaning::of(sorted(members.collect()), rule)
            }
            _ => None,
        }
    }

    /// What a path leads to under the name of a module, if that is more than the module.
    fn beside_module(&self, place: At<'_>, path: &str, item: &str) -> Vec<SymbolId> {
        let facts = &place.view.facts;
        let Target::Local(around) = self.modules.resolve_path(place.file, facts, path, None, place.at) else {
            return Vec::new();
        };
        let found: Vec<SymbolId> = around.iter().flat_map(|file| self.exported(*file, item)).collect();
        let found = self.in_module(sorted(found), place, path);
        match found.iter().all(|id| self.kind_of(*id) == Some(SymbolKind::Module)) {
            true => Vec::new(),
            false => found,
        }
    }

    /// Whether a name of a file is an import of something from elsewhere and nothing else.
    fn brings_others(&self, file: FileIdx, name: &str) -> bool {
        self.view(file).is_some_and(|view| {
            let outside = At {
                file,
                view: &view,
                at: 0,
            };
            view.symbols_named(name).next().is_none() && self.by_import(outside, name) == Meaning::External
        })
    }

    /// Of several definitions of a file those in the module that a path leads to, for a file may hold more than one.
    pub(crate) fn in_module(&self, found: Vec<SymbolId>, place: At<'_>, path: &str) -> Vec<SymbolId> {
        if found.len() < 2 {
            return found;
        }
        let modules = |id: Option<u32>, view: &View| -> Vec<String> {
            let around = view.outwards(id).filter(|(_, outer)| outer.kind == SymbolKind::Module);
            let mut names: Vec<String> = around.map(|(_, outer)| view.facts.name(outer).to_owned()).collect();
            names.reverse();
            names
        };
        let mut wanted = modules(place.view.facts.enclosing(place.at), place.view);
        for part in path.split("::") {
            match part {
                "self" => {}
                "super" => drop(wanted.pop()),
                "crate" => wanted.clear(),
                part => wanted.push(part.to_owned()),
            }
        }
        // The first parts of a path are files; the more of its end a definition is inside of, the better it fits.
        let depth = |id: &SymbolId| {
            let own = self.symbol(*id, |view, symbol| modules(symbol.parent, view))?;
            wanted.ends_with(&own).then_some(own.len())
        };
        let deepest = found.iter().filter_map(depth).max();
        let inside: Vec<SymbolId> = found.iter().copied().filter(|id| depth(id) == deepest).collect();
        if deepest.is_none() { found } else { inside }
    }

    /// What a module imports for itself, as those inside of it see it, too. A path leads from one of them to the module.
    pub(crate) fn imported_around(&self, place: At<'_>, outer: FileIdx, path: &str, name: &str) -> Option<Meaning> {
        let is_inside = self.semantics(outer).sees_imports_of?;
        if !is_inside(self.modules.files(), place.file, outer) && !path.starts_with("super") {
            return None;
        }
        let key = (outer, Box::from(name));
        Some(self.known.private.get(&self.trail, key, Meaning::Unknown, || {
            let Some(view) = self.view(outer) else {
                return Meaning::Unknown;
            };
            let outside = At {
                file: outer,
                view: &view,
                at: 0,
            };
            match self.by_import(outside, name) {
                Meaning::Unknown => self.by_wildcard(outside, name, false),
                found => found,
            }
        }))
    }

    /// What a module has from those that it is derived from.
    pub(crate) fn of_modules_above(&self, file: FileIdx, name: &str) -> Meaning {
        let Some(view) = self.view(file) else {
            return Meaning::Unknown;
        };
        let facts = &view.facts;
        let bases = facts.references.iter().filter(|one| one.role == Role::Implementation);
        let mut leads_out = false;
        for base in bases {
            let path = facts.names.get(base.name);
            match self.modules.resolve_path(file, facts, path, Some(name), base.at) {
                Target::Local(files) => {
                    let found: Vec<SymbolId> = files.iter().flat_map(|other| self.exported(*other, name)).collect();
                    if let Some(found) = Meaning::of(found, Rule::Inherited) {
                        return found;
                    }
                    let above = files.iter().filter(|other| **other != file);
                    let above = above.map(|other| {
                        self.trail
                            .deeper(Meaning::Unknown, || self.of_modules_above(*other, name))
                    });
                    match above.into_iter().find(|found| *found != Meaning::Unknown) {
                        Some(Meaning::External) => leads_out = true,
                        Some(found) => return found,
                        None => {}
                    }
                }
                Target::External(_) => leads_out = true,
                _ => {}
            }
        }
        if leads_out { Meaning::External } else { Meaning::Unknown }
    }

    /// What a name in an import statement means.
    pub(crate) fn imported_at(&self, place: At<'_>, reference: &Reference, name: &str) -> Meaning {
        let At { file, view, .. } = place;
        let facts = &view.facts;
        if let Some(found) = self.rules(file).imported_from_value(self, place, name) {
            return found;
        }
        let says = |import: &Import| {
            let is_bare = self.semantics(file).has_marked_macros && import.item.is_none() && !import.wildcard;
            (is_bare && facts.names.get(import.path) == name && !self.macros(file, name).is_empty())
                || import.alias.is_some_and(|alias| facts.names.get(alias) == name)
                || import.item.is_some_and(|item| facts.names.get(item) == name)
        };
        let near = facts.imports.iter().enumerate().filter(|(_, import)| says(import));
        let nearest = near.min_by_key(|(_, import)| {
            let distance = reference.at.abs_diff(import.at);
            (import.at > reference.at, distance)
        });
        if let Some((index, _)) = nearest {
            return self.import(file, index as u32);
        }
        if let Some(found) = self.rules(file).name_in_import(self, place, name) {
            return found;
        }
        // What a module offers in its head, or says something of.
        if self.semantics(file).lists_exports
            && let found @ Meaning::Symbols(..) = self.lookup(place, name, Role::Call)
        {
            return found;
        }
        // A part of a path on the way.
        let Some((_, import)) = facts.imports.iter().enumerate().find(|(_, import)| {
            let path = facts.names.get(import.path);
            path.split(['.', ':', '\\', '/']).any(|part| part == name)
        }) else {
            return Meaning::Unknown;
        };
        let path = facts.names.get(import.path);
        let Some(until) = path.find(name).map(|at| at + name.len()) else {
            return Meaning::Unknown;
        };
        match self.modules.resolve_path(file, facts, &path[..until], None, import.at) {
            // What is on the way is a module or a type.
            Target::Local(files)
                if self.semantics(file).has_namespaces && files.iter().any(|file| self.is_named(*file, name)) =>
            {
                Meaning::Files(files)
            }
            Target::Local(files) => match self.taken_from(&files, (place, &path[..until]), name, Rule::Import) {
                Meaning::Unknown => {
                    let found = files.iter().flat_map(|file| self.path_end(*file, &path[..until]));
                    Meaning::of(sorted(found.collect()), Rule::Import).unwrap_or(Meaning::Unknown)
                }
                found => found,
            },
            Target::External(_) => Meaning::External,
            _ => Meaning::Unknown,
        }
    }

    // Names behind a path or a value.
}
