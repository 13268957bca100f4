//! How the directories of a workspace import each other.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use source::is_test_path;
use workspace::Error;

use crate::snapshot::Snapshot;

/// The parts of a directory and what they import from each other.
#[derive(Debug, Clone, PartialEq)]
pub struct ModuleMap {
    /// The directory, empty for the root.
    pub path: String,
    /// How many levels of directories below it the modules are; `None` if they are files.
    pub level: Option<usize>,
    /// Those that are linked, by how many imports they have in common with others, most first.
    pub modules: Vec<Module>,
    /// Most imports first.
    pub links: Vec<ModuleLink>,
    /// Modules that have no link.
    pub without_links: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// A directory, or a file.
    pub path: String,
    pub files: usize,
    pub is_file: bool,
    pub is_test: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleLink {
    /// Indices of modules.
    pub from: usize,
    pub to: usize,
    pub imports: usize,
    /// Files that they are in.
    pub files: usize,
    /// At least one import is resolved, and not only by the name of a file.
    pub is_sure: bool,
}

/// A map with fewer linked modules tells little; then those a level deeper are taken.
const ENOUGH: usize = 6;

impl Snapshot {
    /// The map of a directory, its modules so many levels of directories deep: by default as many as it takes to have
    /// some that are linked. Where no level has, the modules are files, and directories of tests.
    pub fn module_map(&self, path: &str, level: Option<usize>) -> Result<ModuleMap, Error> {
        let (path, files) = self.files_at(path)?;
        let links = self.file_links(&files)?;
        let is_code: FxHashSet<usize> = links.iter().flat_map(|link| [link.from, link.to]).collect();
        let at = |level: Option<usize>| group(&path, &files, &is_code, &links, level);
        if let Some(level) = level {
            return Ok(at(Some(level)));
        }
        let below = |file: &String| file.matches('/').count() - path.matches('/').count();
        let deepest = files.iter().map(below).max().unwrap_or(0);
        let mut best = at(Some(1));
        for level in (2..=deepest).map(Some).chain([None]) {
            if best.modules.len() >= ENOUGH {
                break;
            }
            let deeper = at(level);
            if deeper.modules.len() > best.modules.len() {
                best = deeper;
            }
        }
        Ok(best)
    }

    /// Who imports whom among these files; one for each import and file that it means.
    fn file_links(&self, files: &[String]) -> Result<Vec<FileLink>, Error> {
        let graph = self.import_graph()?;
        let of_graph = |path: &String| graph.modules.files().at(path);
        let places: FxHashMap<_, usize> = files
            .iter()
            .enumerate()
            .filter_map(|(at, path)| Some((of_graph(path)?, at)))
            .collect();
        let mut links = Vec::new();
        for (target, importers) in self.importers(&graph)? {
            let Some(to) = places.get(target) else { continue };
            for importer in importers {
                if let Some(from) = places.get(&importer.file) {
                    links.push(FileLink {
                        from: *from,
                        to: *to,
                        import: importer.at,
                        is_sure: importer.is_sure,
                    });
                }
            }
        }
        Ok(links)
    }
}

struct FileLink {
    from: usize,
    to: usize,
    import: u32,
    is_sure: bool,
}

/// The module of a file: the path of its directory, at most so many levels deep.
fn module_of<'f>(dir: &str, file: &'f str, level: Option<usize>) -> &'f str {
    let own_dir = file.rsplit_once('/').map_or("", |(own, _)| own);
    let level = match level {
        Some(level) => level,
        None if is_test_path(file) && !own_dir.is_empty() => usize::MAX,
        None => return file,
    };
    let begin = if dir.is_empty() { 0 } else { dir.len() + 1 };
    match own_dir.get(begin..) {
        None => own_dir,
        Some(below) => match below.match_indices('/').nth(level.max(1) - 1) {
            Some((end, _)) => &file[..begin + end],
            None => own_dir,
        },
    }
}

/// What one link between modules is made of.
#[derive(Default)]
struct Bundle {
    /// Files, and the places of imports in them: an import of a package means many files.
    imports: FxHashSet<(usize, u32)>,
    is_sure: bool,
}

fn group(
    dir: &str,
    files: &[String],
    is_code: &FxHashSet<usize>,
    links: &[FileLink],
    level: Option<usize>,
) -> ModuleMap {
    let module = |file: usize| module_of(dir, &files[file], level);
    let mut bundles: BTreeMap<(&str, &str), Bundle> = BTreeMap::new();
    for link in links {
        let ends = (module(link.from), module(link.to));
        if ends.0 != ends.1 {
            let bundle = bundles.entry(ends).or_default();
            bundle.imports.insert((link.from, link.import));
            bundle.is_sure |= link.is_sure;
        }
    }
    let mut weights: BTreeMap<&str, usize> = BTreeMap::new();
    for ((from, to), bundle) in &bundles {
        for end in [from, to] {
            *weights.entry(end).or_default() += bundle.imports.len();
        }
    }
    let mut sizes: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for (at, file) in files.iter().enumerate() {
        let size = sizes.entry(module(at)).or_insert((0, true));
        size.0 += 1;
        size.1 &= is_test_path(file) || !is_code.contains(&at);
    }
    let has_code: FxHashSet<&str> = is_code.iter().map(|file| module(*file)).collect();
    let mut linked: Vec<(&str, usize)> = weights.into_iter().collect();
    linked.sort_by_key(|(path, weight)| (std::cmp::Reverse(*weight), *path));
    let place = |path: &str| linked.iter().position(|(other, _)| *other == path);
    let mut map = ModuleMap {
        path: dir.to_owned(),
        level,
        modules: Vec::with_capacity(linked.len()),
        links: Vec::with_capacity(bundles.len()),
        without_links: has_code.len() - linked.len(),
    };
    for ((from, to), bundle) in &bundles {
        let importing: FxHashSet<usize> = bundle.imports.iter().map(|(file, _)| *file).collect();
        if let (Some(from), Some(to)) = (place(from), place(to)) {
            map.links.push(ModuleLink {
                from,
                to,
                imports: bundle.imports.len(),
                files: importing.len(),
                is_sure: bundle.is_sure,
            });
        }
    }
    map.links
        .sort_by_key(|link| (std::cmp::Reverse(link.imports), link.from, link.to));
    for (path, _) in &linked {
        let (files_here, is_test) = sizes[path];
        map.modules.push(Module {
            path: (*path).to_owned(),
            files: files_here,
            is_file: files.binary_search_by(|file| file.as_str().cmp(path)).is_ok(),
            is_test,
        });
    }
    map
}
