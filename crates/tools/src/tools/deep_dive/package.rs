//! A package: what it offers, what its files import, and who imports them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use queries::{CodeGraph, DependencyTarget, FileIdx, Package, Snapshot, SymbolId, Visibility};

use super::{Depth, Dive, Entry};
use crate::machinery::{
    error::ToolError,
    units::{first_few, plural},
    visible::visible_name,
};

/// Libraries that are named.
const MAX_LIBRARIES: usize = 8;

impl<'d> Dive<'d> {
    pub fn of_package(
        snapshot: &'d Snapshot,
        graph: &'d CodeGraph<'d>,
        package: &'d Package,
        depth: Depth,
    ) -> Result<Dive<'d>, ToolError> {
        let mut dive = Dive::empty(snapshot, graph, &package.subject, depth);
        let (tests, files): (Vec<FileIdx>, Vec<FileIdx>) =
            package.files.iter().partition(|file| graph.is_in_tests(**file, None));
        let mut dirs: BTreeMap<&str, usize> = BTreeMap::new();
        for file in &files {
            *dirs.entry(dir_of(graph.path(*file))).or_default() += 1;
        }
        let shown = dirs
            .iter()
            .map(|(dir, count)| format!("{} in {}", plural(*count, "file"), shown_dir(dir)));
        dive.dir = dirs.keys().next().copied().filter(|dir| dirs.len() == 1 && *dir != ".");
        let in_tests = match tests.len() {
            0 => String::new(),
            count => format!("; {} of tests", plural(count, "file")),
        };
        dive.heading = format!(
            "{} (package)\n  {}{in_tests}",
            visible_name(&package.name),
            first_few(shown, 3)
        );
        dive.facts.insert("package".to_owned(), package.name.as_str().into());
        dive.facts.insert("files_total".to_owned(), package.files.len().into());
        dive.exports_of(package);
        // A package that only tests have is looked at all the same.
        let looked_at = if files.is_empty() { &package.files } else { &files };
        dive.imports_of(package, looked_at)?;
        dive.importers_of(package)?;
        Ok(dive)
    }

    /// What others can name, types first; what is declared and defined once.
    fn exports_of(&mut self, package: &Package) {
        let graph = self.graph;
        let is_offered = |id: &SymbolId| {
            let visibility = graph.symbol(*id, |symbol| symbol.visibility).flatten();
            matches!(visibility, None | Some(Visibility::Public))
        };
        let mut inside: Vec<SymbolId> = graph.in_package(package).into_iter().filter(is_offered).collect();
        let is_declaration = |id: &SymbolId| graph.symbol(*id, |symbol| symbol.is_declaration) == Some(true);
        inside.sort_by_cached_key(|id| {
            (
                !self.kind(*id).is_type(),
                !self.kind(*id).is_function(),
                is_declaration(id),
            )
        });
        let mut names = BTreeSet::new();
        inside.retain(|id| graph.hit(*id).is_ok_and(|hit| names.insert(hit.qualified_name)));
        let exports = inside.into_iter().map(Entry::Export).collect();
        self.list("exports", "Public exports", exports);
    }

    /// Packages, by directory, and libraries.
    fn imports_of(&mut self, package: &Package, files: &[FileIdx]) -> Result<(), ToolError> {
        let own: BTreeSet<&str> = package.files.iter().map(|file| self.graph.path(*file)).collect();
        let mut needed: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut libraries: BTreeMap<String, usize> = BTreeMap::new();
        for file in files {
            let mut outside = BTreeSet::new();
            for import in self.snapshot.dependencies(self.graph.path(*file))?.imports {
                let paths = match import.target {
                    DependencyTarget::Local(paths) if import.defined_in.is_empty() => paths,
                    DependencyTarget::Local(_) => import.defined_in,
                    DependencyTarget::External(library) => {
                        outside.insert(library);
                        continue;
                    }
                    _ => continue,
                };
                for path in paths.iter().filter(|path| !own.contains(path.as_str())) {
                    let names = needed.entry(dir_of(path).to_owned()).or_default();
                    let name = import.item.iter().filter(|name| !names.contains(name)).cloned();
                    let name: Vec<String> = name.collect();
                    names.extend(name);
                }
            }
            for library in outside {
                *libraries.entry(library).or_default() += 1;
            }
        }
        let needed = needed.into_iter();
        let needed = needed.map(|(path, names)| Entry::Dependency { path, names }).collect();
        self.list("dependencies", "Dependencies", needed);
        if !libraries.is_empty() {
            let mut libraries: Vec<(String, usize)> = libraries.into_iter().collect();
            libraries.sort_by_key(|(_, files)| Reverse(*files));
            let names = libraries.iter().map(|(name, _)| visible_name(name));
            self.notes
                .push(format!("Imported from outside: {}", first_few(names, MAX_LIBRARIES)));
        }
        Ok(())
    }

    fn importers_of(&mut self, package: &Package) -> Result<(), ToolError> {
        let mut importing: BTreeSet<FileIdx> = BTreeSet::new();
        for file in &package.files {
            importing.extend(self.snapshot.dependents(self.graph.path(*file))?.importing());
        }
        let mut dirs: BTreeMap<&str, usize> = BTreeMap::new();
        for file in importing.iter().filter(|file| !package.files.contains(file)) {
            *dirs.entry(dir_of(self.graph.path(*file))).or_default() += 1;
        }
        let mut dirs: Vec<(&str, usize)> = dirs.into_iter().collect();
        dirs.sort_by_key(|(dir, files)| (source::is_test_path(&format!("{dir}/")), Reverse(*files)));
        let dependents = dirs.into_iter().map(|(dir, files)| Entry::Dependent {
            dir: dir.to_owned(),
            files,
        });
        self.list("dependents", "Dependents", dependents.collect());
        Ok(())
    }
}

fn dir_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(dir, _)| dir)
}

fn shown_dir(dir: &str) -> String {
    match dir {
        "." => "the root".to_owned(),
        dir => visible_name(dir),
    }
}
