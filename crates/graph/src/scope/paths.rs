//! Lookup of qualified names, whose qualifier is a path: a module, namespace, type or object.

use syntax::{Import, LocalKind, Qualifier, RefIdx, Role, Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, MANY_FILES, Resolver, ids, sorted},
    },
    files::FileIdx,
    lang::related,
    members::own::is_bare_variant,
    modules::Target,
    scope::{imports::PathItem, lookup::Lookup},
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};

/// A qualified name: `geo::Shape::area`.
#[derive(Clone, Copy)]
pub(crate) struct Qualified<'n> {
    pub path: &'n str,
    pub name: &'n str,
    /// The role of the name.
    pub role: Role,
}

/// The result of following a path from member to member.
pub(crate) enum Along {
    /// The name was found, or is external.
    Leads(Meaning),
    /// The name was not found. `told`: the meaning as far as it is known; `is_seen`: the first part of the path is a
    /// definition.
    Ends { told: Meaning, is_seen: bool },
}

impl Resolver<'_> {
    /// The definitions of a meaning that can be assigned to: all but functions.
    pub(crate) fn without_functions(&self, meaning: Meaning) -> Option<Meaning> {
        let Meaning::Symbols(mut symbols, rule) = meaning else {
            return None;
        };
        symbols.retain(|id| !self.kind_of(*id).is_some_and(SymbolKind::is_function));
        Meaning::of(symbols, rule)
    }

    /// A name qualified by a path.
    pub(crate) fn at_path(&self, place: At<'_>, path: &str, name: &str, role: Role) -> Meaning {
        let found = self.at_whole_path(place, path, name, role);
        match found.is_found() {
            true => found,
            false => self
                .rules(place.file)
                .path_fallback(&Lookup::new(self, place, name, role), path, found),
        }
    }

    pub(crate) fn at_whole_path(&self, place: At<'_>, path: &str, name: &str, role: Role) -> Meaning {
        let qualified = Qualified { path, name, role };
        self.rules(place.file).qualified_name(self, place, &qualified)
    }

    /// A qualified name. The first part of the path is looked up from the place; failing that, it is any namespace,
    /// module or type of that name.
    pub(crate) fn by_path(&self, place: At<'_>, qualified: &Qualified<'_>) -> Meaning {
        let Qualified { path, name, role } = *qualified;
        let file = place.file;
        let semantics = self.semantics(file);
        let bare = without_arguments(path);
        let mut parts: Vec<&str> = bare.split([':', '.', '\\']).filter(|part| !part.is_empty()).collect();
        self.rules(file).expand_path(self, place, &mut parts);
        let bare = match semantics.dotted_packages {
            true => parts.join("."),
            false => bare.clone(),
        };
        let Some(first) = parts.first() else {
            return self.at_outermost(place, name, role);
        };
        if semantics.nests_modules {
            let found = self.in_nested_module(place, &parts, name);
            return found.unwrap_or(match semantics.is_strict {
                true => Meaning::External,
                false => Meaning::Unknown,
            });
        }
        let (told, is_seen) = match self.along_members(place, &parts, name) {
            Along::Leads(found) => return found,
            Along::Ends { told, is_seen } => (told, is_seen),
        };
        let told = match self.at_modules(place, &bare, name) {
            found if found.is_found() => return found,
            Meaning::External if told == Meaning::Unknown => Meaning::External,
            _ => told,
        };
        if is_seen && semantics.has_export_object() {
            return told;
        }
        let qualified = self.qualified(file, &parts, name);
        let qualified = self.rules(file).visible_qualified(self, file, qualified);
        if let Some(found) = Meaning::of(qualified, Rule::Path) {
            return found;
        }
        match told {
            Meaning::Unknown if semantics.is_strict && self.is_defined_nowhere(place, first) => Meaning::External,
            told => told,
        }
    }

    /// Whether nothing in the workspace defines the first part of a path. A type parameter may stand for any type.
    pub(crate) fn is_defined_nowhere(&self, place: At<'_>, first: &str) -> bool {
        let local = place.view.binding_at(first, place.at);
        if local.is_some_and(|(_, local)| local.kind == LocalKind::Generic) {
            return false;
        }
        let own = self.lang(place.file);
        let defining = self.defining(first);
        !defining.iter().any(|other| related(own, self.lang(*other)))
    }

    /// `::name`: a name in the global namespace, whatever is nearer.
    pub(crate) fn at_outermost(&self, place: At<'_>, name: &str, role: Role) -> Meaning {
        self.rules(place.file)
            .global_name(&Lookup::new(self, place, name, role))
    }

    /// Looks up the first part of a path from the place, then each further part as a member of the one before.
    pub(crate) fn along_members(&self, place: At<'_>, parts: &[&str], name: &str) -> Along {
        let semantics = self.semantics(place.file);
        let (first, rest) = (parts[0], &parts[1..]);
        let mut told = Meaning::Unknown;
        let mut is_seen = false;
        let mut base = if semantics.own_type.contains(&first) {
            Ty::new(self.own_type(place))
        } else if semantics.super_words.contains(&first) {
            return Along::Leads(self.of_supertypes(place, name));
        } else {
            let first = self.lookup(place, first, Role::Type);
            if first == Meaning::External && rest.is_empty() && !semantics.is_global() {
                told = Meaning::External;
            }
            is_seen = matches!(first, Meaning::Symbols(..));
            self.space_or_type(place, &first)
        };
        for part in rest {
            let next = self.member_of(&base, part);
            base = self.space_or_type(place, &next);
        }
        match self.rules(place.file).member_in_path(self, &base, name) {
            Some(Meaning::Symbols(symbols, Rule::Member)) => Along::Leads(Meaning::Symbols(symbols, Rule::Path)),
            Some(Meaning::Missing) if matches!(base.head, Base::Symbol(_)) => {
                let told = Meaning::Missing;
                Along::Ends { told, is_seen }
            }
            Some(Meaning::Missing) | None => Along::Ends { told, is_seen },
            Some(found) => Along::Leads(found),
        }
    }

    /// A name qualified by nested modules, of which some are files and others are declared inside of files.
    fn in_nested_module(&self, place: At<'_>, parts: &[&str], name: &str) -> Option<Meaning> {
        let is_module = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Module);
        let (first, rest) = parts.split_first()?;
        // A module alias is not visible in its own definition: `module List = List`.
        let is_new = |id: &SymbolId| {
            let span = self.symbol(*id, |_, symbol| symbol.span);
            !(id.file == place.file && span.is_some_and(|span| span.range().contains(&(place.at as usize))))
        };
        if let Meaning::Symbols(modules, _) = self.lookup(place, first, Role::Type)
            && let Some(module) = modules.into_iter().filter(is_new).find(is_module)
        {
            return self.inside_of_module(module, rest, name);
        }
        // A library is a module without a declaration: `Stdune.Path` is `path.ml`.
        let (files, rest) = (0..parts.len().min(2)).find_map(|at| {
            let facts = &place.view.facts;
            match self.modules.resolve_path(place.file, facts, parts[at], None, place.at) {
                Target::Local(files) | Target::Candidates(files) => Some((files, &parts[at + 1..])),
                _ => None,
            }
        })?;
        let found = files.iter().filter_map(|file| {
            let view = self.view(*file)?;
            let there = At {
                file: *file,
                view: &view,
                at: u32::MAX,
            };
            match rest {
                [] => Meaning::of(self.exported(*file, name), Rule::Path),
                rest => self.trail.deeper(None, || self.in_nested_module(there, rest, name)),
            }
        });
        let found: Vec<Meaning> = found.collect();
        // Ambiguous if several files match.
        <[Meaning; 1]>::try_from(found).ok().map(|[found]| found)
    }

    /// The same below a module that is declared inside of a file, or that is an alias of another one.
    fn inside_of_module(&self, module: SymbolId, rest: &[&str], name: &str) -> Option<Meaning> {
        let view = self.view(module.file)?;
        let facts = &view.facts;
        let symbol = &facts.symbols[module.symbol];
        let mut path = facts.path_of(symbol);
        path.extend(rest);
        let inside = view.symbols_named(name).filter(|(_, one)| {
            let inner = facts.path_of(one);
            inner[..inner.len() - 1] == path
        });
        if let Some(found) = Meaning::of(ids(module.file, inside), Rule::Path) {
            return Some(found);
        }
        let is_in = |import: &&Import| symbol.span.range().contains(&(import.at as usize)) && import.reexport;
        let mut imports = facts.imports.iter().filter(is_in);
        imports.find_map(|import| {
            let there = At {
                file: module.file,
                view: &view,
                at: import.at,
            };
            let path = facts.names.get(import.path).split('.');
            let parts: Vec<&str> = path.chain(rest.iter().copied()).collect();
            self.trail.deeper(None, || self.in_nested_module(there, &parts, name))
        })
    }

    /// A name in the module that a path resolves to.
    pub(crate) fn at_modules(&self, place: At<'_>, path: &str, name: &str) -> Meaning {
        let At { file, view, at } = place;
        match self.modules.resolve_path(file, &view.facts, path, Some(name), at) {
            Target::Local(files) => {
                let item = PathItem {
                    files: &files,
                    path,
                    name,
                    rule: Rule::Path,
                };
                Some(self.path_item(place, &item))
                    .filter(Meaning::is_found)
                    .unwrap_or(Meaning::Unknown)
            }
            Target::External(_) => Meaning::External,
            _ => Meaning::Unknown,
        }
    }

    /// The type or namespace in which the next part of a path is looked up. A namespace may have the name of a
    /// function.
    fn space_or_type(&self, place: At<'_>, meaning: &Meaning) -> Ty {
        let space = match meaning {
            Meaning::Symbols(symbols, _) if symbols.len() > 1 => symbols
                .iter()
                .find(|id| self.kind_of(**id) == Some(SymbolKind::Namespace)),
            _ => None,
        };
        match space {
            Some(space) => Ty::new(Base::Symbol(*space)),
            None => self.ty_of(place, meaning),
        }
    }

    /// The top-level definitions of a name, in all files of related languages.
    pub(crate) fn outermost_named(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        let others = self.defining(name);
        let others = others
            .iter()
            .filter(|other| related(self.lang(file), self.lang(**other)));
        let found = others.filter_map(|other| {
            let view = self.view(*other)?;
            Some(ids(
                *other,
                view.symbols_named(name).filter(|(_, symbol)| is_outermost(symbol)),
            ))
        });
        found.flatten().collect()
    }

    pub(crate) fn is_outermost(&self, id: SymbolId) -> bool {
        self.symbol(id, |_, symbol| is_outermost(symbol)).unwrap_or(false)
    }

    /// Replaces an alias at the start of a path by the namespace that it stands for: `namespace fs = std::filesystem`.
    pub(crate) fn expand_alias<'v>(&self, place: At<'v>, parts: &mut Vec<&'v str>, root: Option<&str>) {
        let facts = &place.view.facts;
        let Some(first) = parts.first() else { return };
        let is_it = |import: &&Import| import.alias.is_some_and(|alias| facts.names.get(alias) == *first);
        if let Some(import) = facts.imports.iter().find(is_it) {
            let path = facts.names.get(import.path).split([':', '.']);
            let item = import.item.map(|item| facts.names.get(item));
            let whole = path.chain(item).filter(|part| !part.is_empty() && Some(*part) != root);
            parts.splice(..1, whole);
        }
    }

    /// A name qualified by a package whose parts parse as member accesses: `org.example.Point.of(1)`.
    pub(crate) fn in_package(&self, place: At<'_>, value: RefIdx, name: &str) -> Option<Meaning> {
        let facts = &place.view.facts;
        let mut parts = Vec::new();
        let mut next = Some(value);
        while let Some(index) = next {
            let reference = &facts.references[index];
            parts.push(facts.names.get(reference.name));
            next = match (reference.role, reference.on) {
                (Role::Variable | Role::Type, Qualifier::Nothing) => None,
                (Role::Member, Qualifier::Value(value)) if parts.len() < 16 => Some(value),
                _ => return None,
            };
        }
        parts.reverse();
        self.rules(place.file).expand_path(self, place, &mut parts);
        let path = parts.join(".");
        match self
            .modules
            .resolve_path(place.file, facts, &path, Some(name), place.at)
        {
            Target::Local(files) => {
                let item = PathItem {
                    files: &files,
                    path: &path,
                    name,
                    rule: Rule::Path,
                };
                Some(self.path_item(place, &item)).filter(Meaning::is_found)
            }
            _ => None,
        }
    }

    /// The definitions of a name inside of others, given by a path or the end of one.
    pub(crate) fn qualified(&self, file: FileIdx, parts: &[&str], name: &str) -> Vec<SymbolId> {
        let lang = self.lang(file);
        let semantics = self.semantics(file);
        let rules = self.rules(file);
        let defining = self.defining(name);
        let files = defining.iter().filter(|other| related(lang, self.lang(**other)));
        let mut found = Vec::new();
        for other in files.take(MANY_FILES) {
            let Some(view) = self.view(*other) else { continue };
            let fitting = view.symbols_named(name).filter(|(_, symbol)| {
                let path = view.facts.path_of(symbol);
                // A namespace that is declared for the whole file.
                let stated =
                    view.facts.symbols.iter().find(|symbol| {
                        symbol.kind == SymbolKind::Namespace && symbol.parent.is_none() && path.len() > 1
                    });
                let space = stated.filter(|_| rules.has_file_namespaces());
                let space = space
                    .map(|space| view.facts.name(space))
                    .filter(|space| path[0] != *space);
                let whole = space.into_iter().chain(path[..path.len() - 1].iter().copied());
                let whole: Vec<&str> = whole
                    .flat_map(|part| part.split([':', '.', '\\']))
                    .filter(|part| !part.is_empty())
                    .collect();
                let without_enum = &whole[..whole.len().saturating_sub(1)];
                (whole.ends_with(parts) && !whole.is_empty())
                    || (is_bare_variant(symbol, semantics) && without_enum.ends_with(parts))
            });
            found.extend(ids(*other, fitting));
        }
        match found.is_empty() {
            true => rules.qualified_fallback(self, file, parts, name),
            false => found,
        }
    }

    pub(crate) fn in_files(&self, files: &[FileIdx], name: &str) -> Meaning {
        let found: Vec<SymbolId> = files.iter().flat_map(|file| self.exported(*file, name)).collect();
        if let Some(found) = Meaning::of(sorted(found), Rule::Path) {
            return found;
        }
        for file in files {
            if self.semantics(*file).has_export_object() {
                match self.offered(*file, name) {
                    Meaning::Unknown => continue,
                    offered => return offered,
                }
            }
            let Some(view) = self.view(*file) else { continue };
            if let Some(submodule) = self.rules(*file).submodule(self, *file, name) {
                return Meaning::Files(submodule);
            }
            // Where there is no `export`, the imports of a file are members of its module.
            let place = At {
                file: *file,
                view: &view,
                at: u32::MAX,
            };
            if let found @ Meaning::Files(_) = self.by_import(place, name) {
                return found;
            }
        }
        Meaning::External
    }
}

/// The parts of a definition's qualified name.
pub(crate) fn qualified_parts<'v>(view: &'v View, symbol: &Symbol) -> Vec<&'v str> {
    let path = view.facts.path_of(symbol);
    let parts = path.into_iter().flat_map(|part| part.split([':', '.']));
    parts.filter(|part| !part.is_empty()).collect()
}

/// Whether two paths can name the same entity, so that one is the end of the other: a definition outside of its
/// namespace's block leaves out the namespace.
pub(crate) fn ends_alike(one: &[String], other: &[String]) -> bool {
    one.ends_with(other) || other.ends_with(one)
}

/// A path without type arguments.
pub(crate) fn without_arguments(path: &str) -> String {
    let mut depth = 0;
    let mut bare = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            c if depth <= 0 && !c.is_whitespace() => bare.push(c),
            _ => {}
        }
    }
    bare
}

/// Whether a definition is top-level and names no owner.
fn is_outermost(symbol: &Symbol) -> bool {
    symbol.parent.is_none() && symbol.owner.is_none()
}
