//! Resolution of imports: what a name that an import binds means.

use syntax::{Import, ImportIdx, Role, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, ids, sorted},
    },
    files::FileIdx,
    modules::Target,
    scope::exports::DEFAULT_EXPORT,
    view::{SymbolId, View},
};

/// The target of an import path: the files that all parts but the last resolve to, and the last part.
#[derive(Clone, Copy)]
pub(crate) struct PathItem<'n> {
    pub files: &'n [FileIdx],
    /// The path without the last part.
    pub path: &'n str,
    pub name: &'n str,
    /// The rule of the resulting meaning.
    pub rule: Rule,
}

impl Resolver<'_> {
    /// The meaning of a name that an import binds.
    pub(crate) fn by_import(&self, place: At<'_>, name: &str) -> Meaning {
        let At { file, view, at } = place;
        let facts = &view.facts;
        let named = self.imports_named(place, name);
        // An import inside of a function is visible in that function only.
        let covers = |import: &Import| match view.around_import(import) {
            None => Some(0),
            Some(around) => {
                let span = facts.symbols[around].span;
                (span.start <= at && at < span.end).then_some(span.start + 1)
            }
        };
        let mut named: Vec<(u32, ImportIdx)> = named
            .filter_map(|(index, import)| Some((covers(import)?, index)))
            .collect();
        named.sort_unstable_by(|a, b| b.cmp(a));
        let mut result = Meaning::Unknown;
        let mut depth = None;
        for (scope, index) in named {
            if depth.is_some_and(|depth| depth != scope) {
                break;
            }
            match (self.import(file, index), &mut result) {
                (Meaning::Unknown, _) => {}
                (Meaning::External, Meaning::Unknown) => result = Meaning::External,
                // Of several in one scope, any may be the one that is executed: `except ImportError: from slow import
                // run`.
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

    /// The imports of a file that bind a name, in any scope.
    pub(crate) fn imports_named<'v>(
        &self,
        place: At<'v>,
        name: &'v str,
    ) -> impl Iterator<Item = (ImportIdx, &'v Import)> + use<'v> {
        let facts = &place.view.facts;
        let semantics = self.semantics(place.file);
        ImportIdx::enumerate(&facts.imports).filter(move |(_, import)| {
            let binds = match import.reexport {
                false => true,
                true => {
                    !semantics.has_export_object()
                        && (import.alias.is_some() || !facts.names.get(import.path).is_empty())
                }
            };
            binds && !import.wildcard && {
                let local = import.alias.or(import.item);
                match local {
                    Some(local) => facts.names.get(local) == name && semantics.blank_name != Some(name),
                    None => (semantics.path_binds)(facts.names.get(import.path), name),
                }
            }
        })
    }

    /// Whether an enclosing function has an import of its own that binds a name.
    pub(crate) fn is_imported_inside(&self, place: At<'_>, name: &str) -> bool {
        let facts = &place.view.facts;
        facts.imports.iter().any(|import| {
            let local = import.alias.or(import.item);
            import.at < place.at
                && local.is_some_and(|local| facts.names.get(local) == name)
                && facts.enclosing(import.at).is_some_and(|around| {
                    let around = &facts.symbols[around];
                    around.kind.is_function() && around.span.start <= place.at && place.at < around.span.end
                })
        })
    }

    /// The meaning of an import, memoised.
    pub(crate) fn import(&self, file: FileIdx, index: ImportIdx) -> Meaning {
        self.known
            .imports
            .get(&self.trail, (file, index), Meaning::Unknown, || {
                let Some(view) = self.view(file) else {
                    return Meaning::Unknown;
                };
                match view.facts.imports.get(index.as_usize()) {
                    Some(import) => {
                        let at = import.at;
                        self.rules(file)
                            .imported_meaning(self, At { file, view: &view, at }, import)
                    }
                    None => Meaning::Unknown,
                }
            })
    }

    /// The meaning of an import, by its path.
    pub(crate) fn imported_by(&self, place: At<'_>, import: &Import) -> Meaning {
        let At { file, view, .. } = place;
        let facts = &view.facts;
        let path = facts.names.get(import.path);
        let item = import.item.map(|item| facts.names.get(item));
        // A definition of this file, exported under an alias: `export { a as b }`.
        if path.is_empty() {
            return item.map_or(Meaning::Unknown, |item| {
                let own = view.symbols_named(item).filter(|(_, symbol)| symbol.parent.is_none());
                Meaning::of(ids(file, own), Rule::Import).unwrap_or_else(|| self.by_import(place, item))
            });
        }
        let (files, rule) = match self.modules.resolve(file, facts, import) {
            Target::Local(files) => (files, Rule::Import),
            Target::Candidates(files) => (files, Rule::Likely),
            Target::External(_) => {
                // A removed package of this workspace looks like an external one.
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
            None => match self.export_object(&files) {
                whole if whole.is_empty() => Meaning::Files(files),
                whole => Meaning::Symbols(whole, rule),
            },
            Some(item) => {
                let item = PathItem {
                    files: &files,
                    path,
                    name: item,
                    rule,
                };
                self.path_item(place, &item)
            }
        }
    }

    /// The meaning of the last part of a path in the files that the other parts resolve to.
    pub(crate) fn path_item(&self, place: At<'_>, item: &PathItem<'_>) -> Meaning {
        self.rules(place.file).path_item(self, place, item)
    }

    /// A top-level definition of the files, a member of the type that the path ends with, or a module.
    pub(crate) fn item_of_files(&self, place: At<'_>, item: &PathItem<'_>) -> Meaning {
        let PathItem {
            files,
            path,
            name,
            rule,
        } = *item;
        let found: Vec<SymbolId> = files.iter().flat_map(|file| self.exported(*file, name)).collect();
        let found = self.in_module(sorted(found), place, path);
        if let Some(found) = Meaning::of(found, rule) {
            return found;
        }
        if let [file] = files
            && self.semantics(*file).has_export_object()
        {
            return match self.offered(*file, name) {
                Meaning::Unknown if name == DEFAULT_EXPORT => match self.export_object(files) {
                    whole if whole.is_empty() => Meaning::Files(files.to_vec()),
                    whole => Meaning::Symbols(whole, rule),
                },
                offered => offered,
            };
        }
        if let [file] = files
            && self.semantics(*file).imports_are_exports()
            && self.offered(*file, name) == Meaning::External
        {
            return Meaning::External;
        }
        self.member_of_path(item).unwrap_or_else(|| self.module_of_name(item))
    }

    /// A member of the type that a path ends with.
    pub(crate) fn member_of_path(&self, item: &PathItem<'_>) -> Option<Meaning> {
        let owners = item.files.iter().flat_map(|file| self.path_end(*file, item.path));
        owners.into_iter().find_map(|owner| {
            let mut members = self.members(owner, item.name);
            members.retain(|id| self.kind_of(*id) != Some(SymbolKind::Constructor));
            Meaning::of(members, item.rule)
        })
    }

    /// The files themselves, if they are the module with the name.
    pub(crate) fn module_of_name(&self, item: &PathItem<'_>) -> Meaning {
        let paths = self.modules.files();
        let is_module = item.files.iter().any(|file| {
            let dir = paths.dir(*file);
            paths.stem(*file) == item.name || crate::files::name_of(dir) == item.name
        });
        match is_module {
            true => Meaning::Files(item.files.to_vec()),
            false => Meaning::Unknown,
        }
    }

    /// The candidates in the module that a path names, where a file may declare several modules.
    pub(crate) fn in_module(&self, found: Vec<SymbolId>, place: At<'_>, path: &str) -> Vec<SymbolId> {
        if found.len() < 2 {
            return found;
        }
        let mut module = modules_around(place.view, place.view.facts.enclosing(place.at));
        module.extend(path.split("::").map(str::to_owned));
        self.in_module_of(found, &module)
    }

    /// The candidates in a module, given by the parts of its path. The first parts may be directories and files:
    /// candidates that match most of the last parts win.
    pub(crate) fn in_module_of(&self, found: Vec<SymbolId>, module: &[String]) -> Vec<SymbolId> {
        let depth = |id: &SymbolId| {
            let own = self.symbol(*id, |view, symbol| modules_around(view, symbol.parent))?;
            module.ends_with(&own).then_some(own.len())
        };
        let deepest = found.iter().filter_map(depth).max();
        let inside: Vec<SymbolId> = found.iter().copied().filter(|id| depth(id) == deepest).collect();
        if deepest.is_none() { found } else { inside }
    }

    /// A name that a module inherits from the modules that it is derived from.
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

    /// The meaning of a name in an import statement.
    pub(crate) fn imported_at(&self, place: At<'_>, name: &str) -> Meaning {
        let At { file, view, .. } = place;
        if let Some(found) = self.rules(file).imported_from_value(self, place, name) {
            return found;
        }
        let says = |import: &Import| names_item(view, import, name);
        if let Some(index) = nearest_import(place, says) {
            return self.import(file, index);
        }
        if let Some(found) = self.rules(file).name_in_import(self, place, name) {
            return found;
        }
        // A name in an export list: `module Shapes (area) where`.
        if self.semantics(file).lists_exports()
            && let found @ Meaning::Symbols(..) = self.lookup(place, name, Role::Call)
        {
            return found;
        }
        self.part_of_import(place, name, |_| false)
    }

    /// The meaning of an inner part of an import's path: a module or a type. `is_module`: files that are modules
    /// themselves.
    pub(crate) fn part_of_import(&self, place: At<'_>, name: &str, is_module: impl Fn(FileIdx) -> bool) -> Meaning {
        let At { file, view, .. } = place;
        let facts = &view.facts;
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
        let path = &path[..until];
        match self.modules.resolve_path(file, facts, path, None, import.at) {
            Target::Local(files) if files.iter().any(|file| is_module(*file)) => Meaning::Files(files),
            Target::Local(files) => {
                let item = PathItem {
                    files: &files,
                    path,
                    name,
                    rule: Rule::Import,
                };
                match self.path_item(place, &item) {
                    Meaning::Unknown => {
                        let found = files.iter().flat_map(|file| self.path_end(*file, path));
                        Meaning::of(sorted(found.collect()), Rule::Import).unwrap_or(Meaning::Unknown)
                    }
                    found => found,
                }
            }
            Target::External(_) => Meaning::External,
            _ => Meaning::Unknown,
        }
    }
}

/// The nearest import that passes a test, preferably before the place.
pub(crate) fn nearest_import(place: At<'_>, test: impl Fn(&Import) -> bool) -> Option<ImportIdx> {
    let imports = ImportIdx::enumerate(&place.view.facts.imports);
    let nearest = imports.filter(|(_, import)| test(import)).min_by_key(|(_, import)| {
        let distance = place.at.abs_diff(import.at);
        (import.at > place.at, distance)
    });
    nearest.map(|(index, _)| index)
}

/// Whether an import has this name as its item or its alias.
pub(crate) fn names_item(view: &View, import: &Import, name: &str) -> bool {
    let is_it = |id| view.facts.names.get(id) == name;
    import.alias.is_some_and(is_it) || import.item.is_some_and(is_it)
}

/// The names of the modules that enclose a definition, outermost first.
pub(crate) fn modules_around(view: &View, inner: Option<SymbolIdx>) -> Vec<String> {
    let around = view
        .outwards(inner)
        .filter(|(_, outer)| outer.kind == SymbolKind::Module);
    let mut names: Vec<String> = around.map(|(_, outer)| view.facts.name(outer).to_owned()).collect();
    names.reverse();
    names
}
