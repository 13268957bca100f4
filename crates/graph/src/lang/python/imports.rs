//! Imports of modules, of submodules and of parts of their paths.

use syntax::{Import, Role};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, sorted},
    },
    files::{self, FileIdx},
    lang::python::PACKAGE,
    modules::Target,
    view::View,
};

/// What an import stands for that brings in a module; nothing where it brings in a name of a module.
pub(super) fn imported_module(
    resolver: &Resolver<'_>,
    place: At<'_>,
    import: &Import,
    files: &[FileIdx],
    rule: Rule,
) -> Option<Meaning> {
    let facts = &place.view.facts;
    let path = facts.names.get(import.path);
    let resolve = |path: &str| resolver.modules.resolve_path(place.file, facts, path, None, import.at);
    let Some(item) = import.item.map(|item| facts.names.get(item)) else {
        // `import a.b` binds `a`.
        let (first, _) = path.split_once('.').filter(|_| import.alias.is_none())?;
        return Some(match resolve(first) {
            Target::Local(files) | Target::Candidates(files) => Meaning::Files(files),
            _ => Meaning::Files(files.to_vec()),
        });
    };
    let [module] = *files else { return None };
    if !is_submodule(resolver, module, path, item) {
        return None;
    }
    // `from shapes import area`: what the package itself defines as `area` comes before the submodule.
    let own = match resolve(path) {
        Target::Local(package) => package.iter().flat_map(|file| resolver.exported(*file, item)).collect(),
        _ => Vec::new(),
    };
    Some(Meaning::of(sorted(own), rule).unwrap_or(Meaning::Files(vec![module])))
}

/// Whether a file is the submodule of this name below the module at a path, and not that module itself.
fn is_submodule(resolver: &Resolver<'_>, file: FileIdx, path: &str, item: &str) -> bool {
    let files = resolver.modules.files();
    let name = match files.stem(file) {
        PACKAGE => files::name_of(files.dir(file)),
        stem => stem,
    };
    name == item && path.rsplit('.').next() != Some(name)
}

/// A part of the path in an import is the module at the path so far: `a` and `b` in `import a.b`.
pub(super) fn part_of_path(resolver: &Resolver<'_>, place: At<'_>) -> Option<Meaning> {
    let path = path_until(place.view, place.at)?;
    let facts = &place.view.facts;
    let target = resolver.modules.resolve_path(place.file, facts, &path, None, place.at);
    Some(match target {
        Target::Local(files) | Target::Candidates(files) => Meaning::Files(files),
        Target::External(_) => Meaning::External,
        Target::Unknown => Meaning::Unknown,
    })
}

/// The path of an import up to the part that is written at a place; nothing for what is imported from the path.
fn path_until(view: &View, at: u32) -> Option<String> {
    let facts = &view.facts;
    let last = facts.imports.partition_point(|import| import.at <= at).checked_sub(1)?;
    let Import { path, at: start, .. } = facts.imports[last];
    let first = facts.imports.partition_point(|import| import.at < start);
    let of_one = &facts.imports[first..=last];
    // `import a.b, c`: facts do not say in which of the paths the place is.
    let is_whole = |import: &Import| import.item.is_none() && !import.wildcard;
    if of_one.iter().any(|import| import.path != path) || (of_one.len() > 1 && of_one.iter().any(is_whole)) {
        return None;
    }
    let before = facts.references.partition_point(|reference| reference.at < start);
    let before = facts.references[before..]
        .iter()
        .take_while(|reference| reference.at < at);
    let before = before.filter(|reference| reference.role == Role::Import).count();
    let path = facts.names.get(path);
    let inner = path.trim_start_matches('.');
    let parts: Vec<&str> = inner.split('.').filter(|part| !part.is_empty()).collect();
    let parts = parts.get(..=before)?;
    Some(format!("{}{}", &path[..path.len() - inner.len()], parts.join(".")))
}
