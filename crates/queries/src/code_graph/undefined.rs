//! Uses of names that nothing in the workspace defines: of libraries, and of the language itself.

use graph::{FileIdx, Meaning, Origin, Rule, Target, Use, View, World};
use search::SymbolName;
use syntax::{Import, LangId, Qualifier, RefIdx, Reference, Role};
use workspace::Error;

use super::CodeGraph;

/// A use of a name that has no definition in the workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct UndefinedUse {
    pub used: Use,
    /// The module that the name comes from, as the file writes it: `std::collections`, `react`. Nothing where no import and no
    /// path says so.
    pub module: Option<String>,
}

/// A name that a file uses and nothing in the workspace defines.
#[derive(Debug, Clone, PartialEq)]
pub struct UndefinedName {
    /// With the module that it comes from.
    pub name: SymbolName,
    /// The same as its language writes it: `std::collections::HashMap`.
    pub shown: String,
}

/// Where a name in one file comes from.
enum Source {
    /// An import or a path says so.
    Module(String),
    /// The only library that everything is imported from.
    Wildcard(String),
    Unknown,
    /// It is not of the module that the name was asked for with.
    Other,
}

impl CodeGraph<'_> {
    /// Uses of a name that is not defined here, those with a known module first, by file and place. `std::fs::read` asks for
    /// those that come from a module with that path at its end; how many of the bare name may be of it besides is the second
    /// result.
    pub fn undefined_uses(&self, name: &SymbolName) -> (Vec<UndefinedUse>, usize) {
        let mut found = Vec::new();
        let mut unsure = 0;
        for file in self.stored.mentioning(&name.name) {
            let Some(view) = self.resolver.view(file) else { continue };
            let renamed = view.facts.imports.iter().filter(|import| {
                let item = import.item.map(|item| view.facts.names.get(item));
                item == Some(name.name.as_str())
            });
            let renamed = renamed.filter_map(|import| Some(view.facts.names.get(import.alias?)));
            let mut spellings: Vec<&str> = renamed.chain([name.name.as_str()]).collect();
            spellings.sort_unstable();
            spellings.dedup();
            let mut spots: Vec<RefIdx> = spellings
                .iter()
                .flat_map(|one| view.references_named(one).iter().copied())
                .collect();
            spots.sort_unstable();
            for index in spots {
                let reference = &view.facts.references[index];
                if !self.is_undefined(file, index) {
                    continue;
                }
                let is_renamed = view.facts.names.get(reference.name) != name.name;
                // `use a::b as c;` names it once.
                if is_renamed && reference.role == Role::Import {
                    continue;
                }
                let (module, origin, confidence) = match self.source_of(file, &view, reference, name) {
                    Source::Module(module) => {
                        let rule = match reference.on {
                            Qualifier::Path(_) if reference.role != Role::Import => Rule::Path,
                            _ => Rule::Import,
                        };
                        (Some(module), Origin::Resolved(rule), rule.confidence())
                    }
                    Source::Other => continue,

                    _ if is_renamed => continue,
                    Source::Wildcard(module) => (Some(module), Origin::Name, FROM_WILDCARD),
                    Source::Unknown if !name.owners.is_empty() => {
                        unsure += 1;
                        continue;
                    }
                    Source::Unknown => (None, Origin::Name, by_its_looks(reference)),
                };
                found.push(UndefinedUse {
                    used: Use {
                        file,
                        reference: Some(index),
                        at: reference.at,
                        role: reference.role,
                        enclosing: view.facts.enclosing(reference.at),
                        origin,
                        confidence,
                    },
                    module,
                });
            }
        }
        // `use a::{b, b as c}` names a place twice.
        found.sort_by_key(|one| (one.used.file, one.used.at, one.module.is_none()));
        found.dedup_by_key(|one| (one.used.file, one.used.at));
        (found, unsure)
    }

    /// The name at a place, or that is used anywhere in the file where no line is given, if nothing in the workspace defines it
    /// and the place is of no other name like that.
    pub fn undefined_name(
        &self,
        path: &str,
        line: Option<u32>,
        column: Option<u32>,
        name: Option<&str>,
    ) -> Result<Option<UndefinedName>, Error> {
        let file = self.file_at(path)?;
        let source = self.source(file)?;
        let Some(view) = self.resolver.view(file) else {
            return Ok(None);
        };
        let places: Vec<RefIdx> = match (line, name) {
            (Some(line), name) => {
                source.check_line(line)?;
                let spots = source.spots_meant(line, column, name).into_iter();
                spots.filter_map(|spot| spot.reference()).collect()
            }
            (None, Some(name)) => view.references_named(name).to_vec(),
            (None, None) => Vec::new(),
        };
        let mut found: Vec<UndefinedName> = Vec::new();
        for index in places {
            if !self.is_undefined(file, index) {
                continue;
            }
            let reference = &view.facts.references[index];
            let Some(mut name) = SymbolName::parse(view.facts.names.get(reference.name)) else {
                continue;
            };
            let mut shown = name.name.clone();
            if let Source::Module(module) = self.source_of(file, &view, reference, &name) {
                shown = format!("{module}{}{shown}", separator(self.graph.modules.files().lang(file)));
                name.owners = parts_of(&module).map(str::to_owned).collect();
            } else if !self.stored.defining(&name.name).is_empty() {
                // It may be of one of those.
                continue;
            }
            // An import names its module's parts too.
            if line.is_some() && reference.role == Role::Import && name.owners.is_empty() {
                continue;
            }
            let new = UndefinedName { name, shown };
            if !found.contains(&new) {
                found.push(new);
            }
        }
        Ok(found.pop().filter(|_| found.is_empty() || line.is_none()))
    }

    fn is_undefined(&self, file: FileIdx, reference: RefIdx) -> bool {
        let meaning = self.resolver.meaning(file, reference);
        matches!(meaning, Meaning::External | Meaning::Missing | Meaning::Unknown)
    }

    fn source_of(&self, file: FileIdx, view: &View, reference: &Reference, name: &SymbolName) -> Source {
        let names = &view.facts.names;
        let own = names.get(reference.name);
        let separator = separator(self.graph.modules.files().lang(file));
        let module = match reference.on {
            // `use std::{collections::HashMap, fs};` writes only the end of the path beside the name.
            Qualifier::Path(path) if reference.role == Role::Import => {
                let written = names.get(path);
                let mut imports = view.facts.imports.iter();
                let import = imports.find(|import| {
                    let item = import.item.map(|item| names.get(item));
                    item == Some(own) && names.get(import.path).ends_with(written)
                });
                Some(import.map_or(written, |import| names.get(import.path)).to_owned())
            }
            Qualifier::Path(path) => Some(expanded(view, names.get(path), separator)),
            Qualifier::Nothing => view
                .facts
                .imports
                .iter()
                .find(|import| {
                    let item = import.item.map(|item| names.get(item));
                    bound_by(view, import) == Some(own) || (reference.role == Role::Import && item == Some(own))
                })
                .map(|import| names.get(import.path).to_owned()),
            Qualifier::Value(value) => {
                let on = &view.facts.references[value];
                let on_name = names.get(on.name);
                let mut imports = view.facts.imports.iter();
                let import =
                    imports.find(|import| on.on == Qualifier::Nothing && bound_by(view, import) == Some(on_name));
                import.map(|import| whole_path(view, import, separator))
            }
            _ => None,
        };
        let is_meant = |module: &str| {
            let parts: Vec<&str> = parts_of(module).collect();
            let owners: Vec<&str> = name.owners.iter().map(String::as_str).collect();
            parts.ends_with(&owners)
        };
        match module.filter(|module| !module.is_empty()) {
            Some(module) if is_meant(&module) => Source::Module(module),
            Some(_) => Source::Other,
            None if reference.on == Qualifier::Nothing => match self.only_wildcard(file, view) {
                Some(module) if is_meant(&module) => Source::Wildcard(module),
                _ => Source::Unknown,
            },
            None => Source::Unknown,
        }
    }

    /// The library that a file imports everything from, if it is the only one.
    fn only_wildcard(&self, file: FileIdx, view: &View) -> Option<String> {
        let is_library = |import: &&Import| {
            import.wildcard
                && matches!(
                    self.graph.modules.resolve(file, &view.facts, import),
                    Target::External(_)
                )
        };
        let mut imports = view.facts.imports.iter().filter(is_library);
        let only = imports.next().filter(|_| imports.next().is_none())?;
        Some(view.facts.names.get(only.path).to_owned())
    }
}

/// That a name is of the only library whose names are all imported: it may be the language's own.
const FROM_WILDCARD: f32 = 0.75;

/// How likely a bare name means what was asked for, by how it is used.
fn by_its_looks(reference: &Reference) -> f32 {
    match (reference.role, reference.on) {
        (Role::Import, _) => 0.9,
        (Role::Call, Qualifier::Nothing) => 0.95,
        (Role::Call, _) => 0.92,
        (Role::Type | Role::Implementation, _) => 0.85,
        _ => 0.6,
    }
}

/// The name that an import brings into its file.
fn bound_by<'v>(view: &'v View, import: &Import) -> Option<&'v str> {
    let names = &view.facts.names;
    if import.wildcard {
        return import.alias.map(|alias| names.get(alias));
    }
    let name = import.alias.or(import.item).map(|name| names.get(name));
    let last = || names.get(import.path).rsplit(['.', ':', '/', '\\']).next();
    name.or_else(last)
}

fn parts_of(module: &str) -> impl Iterator<Item = &str> {
    module.split(['.', ':', '/', '\\']).filter(|part| !part.is_empty())
}

/// What stands between the parts of a path.
pub(super) fn separator(lang: LangId) -> &'static str {
    match lang {
        LangId::Rust | LangId::Cpp | LangId::C | LangId::Ruby => "::",
        LangId::Php => "\\",
        _ => ".",
    }
}

/// The path of what an import brings in.
fn whole_path(view: &View, import: &Import, separator: &str) -> String {
    let path = view.facts.names.get(import.path);
    match import.item.map(|item| view.facts.names.get(item)) {
        Some(item) => format!("{path}{separator}{item}"),
        None => path.to_owned(),
    }
}

/// A path as it would be without imports: `fs::read` is `std::fs::read` where `std::fs` is imported.
fn expanded(view: &View, path: &str, separator: &str) -> String {
    let end = path.find([':', '.', '\\', '/']).unwrap_or(path.len());
    let (first, rest) = path.split_at(end);
    let import = view
        .facts
        .imports
        .iter()
        .find(|import| bound_by(view, import) == Some(first));
    match import.map(|import| whole_path(view, import, separator)) {
        Some(whole) => format!("{whole}{rest}"),
        None => path.to_owned(),
    }
}
