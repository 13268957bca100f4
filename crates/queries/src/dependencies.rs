//! What a file imports, and which files import it.

use std::{
    cell::RefCell,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use graph::{FileIdx, Files, Modules, Outline, Surface, Surfaces, Target};
use index::FileRow;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use syntax::{FileFacts, Import, NameId, lang_id};
use workspace::Error;

use crate::snapshot::Snapshot;

/// One name that a file takes from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    pub line: u32,
    /// As written: `crate::shapes`, `./util`; `mod a` for a module that Rust declares.
    pub path: String,
    pub item: Option<String>,
    pub alias: Option<String>,
    pub wildcard: bool,
    pub reexport: bool,
    pub target: DependencyTarget,
    /// The files that define it, if those that it is imported from only hand it on.
    pub defined_in: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DependencyTarget {
    /// Files of this workspace.
    Local(Vec<String>),
    /// Files whose names fit; no rule decides.
    Candidates(Vec<String>),
    /// A package or library from elsewhere.
    External(String),
    /// Files of this workspace that do not have the name which is taken from them.
    Missing(Vec<String>),
    Unknown,
}

/// A file and imports of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDependencies {
    pub path: String,
    pub lang: &'static str,
    pub imports: Vec<Dependency>,
    /// Why imports are not known, if they are not.
    pub problem: Option<&'static str>,
}

/// Who imports a file, or what is in a directory.
pub struct Dependents<'s> {
    pub path: String,
    /// Empty where there are several files.
    pub lang: &'static str,
    pub is_dir: bool,
    snapshot: &'s Snapshot,
    graph: Arc<ImportGraph>,
    /// The imports of it, file by file and by path.
    imports: Vec<Importer>,
}

/// A file that imports another one.
pub struct Dependent<'d> {
    of: &'d Dependents<'d>,
    imports: &'d [Importer],
}

/// How the files of one generation import each other.
pub(crate) struct ImportGraph {
    generation: u64,
    pub modules: Arc<Modules>,
    /// The ids and contents of the files, in the order of the modules' files.
    ids: Vec<u64>,
    contents: Vec<[u8; 32]>,
    by_id: FxHashMap<u64, FileIdx>,
    /// The texts of manifests, by content: the next generation's are mostly the same.
    manifests: Arc<Manifests>,
    importers: OnceLock<Importers>,
    /// What files include, as far as that was asked for.
    pub included: Mutex<Included>,
}

impl ImportGraph {
    /// A file by the id of its row.
    pub fn file_of(&self, id: u64) -> Option<FileIdx> {
        self.by_id.get(&id).copied()
    }
}

/// The graph of the generation that was last asked about. It is built without the lock that readers need: they go on with
/// what there is, and those of a generation that is being built wait for that alone.
#[derive(Default)]
pub(crate) struct ImportGraphs {
    last: Mutex<Option<Arc<ImportGraph>>>,
    /// By generation, for whoever builds its graph.
    turns: Mutex<FxHashMap<u64, Arc<Mutex<()>>>>,
}

impl ImportGraphs {
    fn last(&self) -> Option<Arc<ImportGraph>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn publish(&self, graph: Arc<ImportGraph>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let old = last.replace(graph);
        drop(last);
        // Large, and maybe nobody else's.
        drop(old);
    }

    fn turn(&self, generation: u64) -> Arc<Mutex<()>> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        turns.entry(generation).or_default().clone()
    }
}

pub(crate) type Included = FxHashMap<FileIdx, Arc<[FileIdx]>>;

/// The texts of manifests, by content.
type Manifests = FxHashMap<[u8; 32], String>;

/// For each file who imports it.
pub(crate) type Importers = FxHashMap<FileIdx, Vec<Importer>>;

/// An import by its file and its place in that file's list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Importer {
    pub file: FileIdx,
    pub at: u32,
    /// A rule decides, not the name of the file alone.
    pub is_sure: bool,
    /// It names the file, and not one that hands on what is in it.
    is_direct: bool,
}

/// An import before it is made into text.
struct Found<'f> {
    at: u32,
    path: &'f str,
    is_declared: bool,
    item: Option<NameId>,
    alias: Option<NameId>,
    wildcard: bool,
    reexport: bool,
    target: Target,
}

fn found<'f>(modules: &Modules, file: FileIdx, facts: &'f FileFacts) -> Vec<Found<'f>> {
    let declared = modules.declared(file, facts).into_iter().map(|declared| Found {
        at: declared.at,
        path: declared.name,
        is_declared: true,
        item: None,
        alias: None,
        wildcard: false,
        reexport: false,
        target: Target::Local(vec![declared.file]),
    });
    let imports = facts.imported().map(|import| Found {
        at: import.at,
        path: facts.names.get(import.path),
        is_declared: false,
        item: import.item,
        alias: import.alias.filter(|_| !import.inline),
        wildcard: import.wildcard,
        reexport: import.reexport,
        target: modules.resolve(file, facts, import),
    });
    let mut all: Vec<Found<'f>> = declared.chain(imports).collect();
    all.sort_by_key(|found| found.at);
    all
}

/// Where a name comes from in the end, if its target hands it on.
fn origin(modules: &Modules, surfaces: &dyn Surfaces, target: &Target, item: Option<&str>) -> Vec<FileIdx> {
    match (target, item) {
        (Target::Local(files), Some(item)) if files.len() == 1 => {
            let origin = modules.origin(surfaces, files[0], item);
            if origin == *files { Vec::new() } else { origin }
        }
        _ => Vec::new(),
    }
}

impl Snapshot {
    /// What a file imports, in the order of its text.
    pub fn dependencies(&self, path: &str) -> Result<FileDependencies, Error> {
        let source = self.source_file(path)?;
        let graph = self.import_graph()?;
        let file = graph.modules.files().at(&source.path).ok_or(Error::Stale)?;
        let surfaces = OnDemand::new(self, &graph.modules);
        let all = found(&graph.modules, file, &source.facts);
        let lost = self.graph(|graph| Ok::<_, Error>(graph.lost_imports(file)))?;
        let shown = all.iter().map(|found| {
            let mut shown = graph.shown(&surfaces, &source.facts, found);
            let is_it =
                |import: &Import| import.at == found.at && (import.item, import.alias) == (found.item, found.alias);
            if !found.is_declared && lost.iter().any(is_it) {
                shown.target = match shown.target {
                    DependencyTarget::Local(files) => DependencyTarget::Missing(files),
                    _ => DependencyTarget::Unknown,
                };
            }
            shown
        });
        let imports = shown.collect();
        let problem = match source.facts.problem {
            Some(problem) => Some(problem.as_str()),
            None if !source.lang.has_symbols() || !self.session().config.symbols => Some("read as text only"),
            None => None,
        };
        Ok(FileDependencies {
            path: source.path,
            lang: source.lang.name,
            imports,
            problem,
        })
    }

    /// Who imports a file, or something that it defines; or, from outside, what is in a directory.
    pub fn dependents(&self, path: &str) -> Result<Dependents<'_>, Error> {
        let (path, paths) = self.files_at(path)?;
        let graph = self.import_graph()?;
        let files = graph.modules.files();
        let targets = paths.iter().map(|path| files.at(path).ok_or(Error::Stale));
        let targets: Vec<FileIdx> = targets.collect::<Result<_, Error>>()?;
        let importers = self.importers(&graph)?;
        let imports = targets.iter().filter_map(|target| importers.get(target)).flatten();
        let is_outside = |import: &&Importer| targets.binary_search(&import.file).is_err();
        let mut imports: Vec<Importer> = imports.filter(is_outside).copied().collect();
        // One that names several of the files is one.
        imports.sort_by_key(|import| (import.file, import.at, !import.is_direct));
        imports.dedup_by_key(|import| (import.file, import.at));
        for target in &targets {
            let (own, lang) = (files.path(*target), files.lang(*target));
            self.depends_on(files.word(*target), |other| {
                &*other.path != own && graph::related(lang, lang_id(other.lang))
            });
        }
        Ok(Dependents {
            lang: match targets.as_slice() {
                [only] => files.lang(*only).name(),
                _ => "",
            },
            is_dir: paths != [path.as_str()],
            path,
            snapshot: self,
            graph: graph.clone(),
            imports,
        })
    }

    /// Whether the modules of this generation are made.
    pub(crate) fn has_import_graph(&self) -> bool {
        let last = self.caches.import_graphs.last();
        last.is_some_and(|graph| graph.generation == self.reader().generation())
    }

    /// The modules of this generation, made when first asked for.
    pub(crate) fn import_graph(&self) -> Result<Arc<ImportGraph>, Error> {
        let generation = self.reader().generation();
        let graphs = &self.caches.import_graphs;
        let of_generation = || graphs.last().filter(|graph| graph.generation == generation);
        if let Some(graph) = of_generation() {
            return Ok(graph);
        }
        let turn = graphs.turn(generation);
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        // Who had the turn before has built it.
        if let Some(graph) = of_generation() {
            return Ok(graph);
        }
        let known = graphs.last();
        let rows: Vec<&FileRow> = self.reader().files().indexed().collect();
        let mut included = Included::default();
        let (modules, manifests) = match known.as_deref() {
            Some(known) if self.has_same_modules(known, &rows)? => {
                included = known.included.lock().unwrap_or_else(PoisonError::into_inner).clone();
                included.retain(|file, _| rows[file.0 as usize].hash == known.contents[file.0 as usize]);
                (known.modules.clone(), known.manifests.clone())
            }
            known => self.new_modules(known, &rows, &FxHashMap::default())?,
        };
        let graph = Arc::new(ImportGraph {
            generation,
            modules,
            by_id: (0..)
                .map(FileIdx)
                .zip(&rows)
                .map(|(file, row)| (row.id, file))
                .collect(),
            ids: rows.iter().map(|row| row.id).collect(),
            contents: rows.iter().map(|row| row.hash).collect(),
            manifests,
            importers: OnceLock::new(),
            included: Mutex::new(included),
        });
        graphs.publish(graph.clone());
        Ok(graph)
    }

    /// The modules as they would be with other outlines of some files, by their ids.
    pub(crate) fn modules_with(
        &self,
        known: &ImportGraph,
        changed: &FxHashMap<u64, Outline>,
    ) -> Result<Arc<Modules>, Error> {
        let rows: Vec<&FileRow> = self.reader().files().indexed().collect();
        Ok(self.new_modules(Some(known), &rows, changed)?.0)
    }

    /// Whether files have changed in nothing that modules are made of: their paths, what they declare, manifests.
    fn has_same_modules(&self, known: &ImportGraph, rows: &[&FileRow]) -> Result<bool, Error> {
        let files = known.modules.files();
        if files.len() != rows.len() {
            return Ok(false);
        }
        for ((file, row), content) in files.all().zip(rows).zip(&known.contents) {
            if *files.path(file) != *row.path || files.lang(file).name() != row.lang {
                return Ok(false);
            }
            if row.hash != *content {
                let declares_other = graph::needs_outline(lang_id(row.lang))
                    && Outline::of(&self.facts_at(row)?) != *files.outline(file);
                if declares_other || graph::is_manifest(&row.path) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn new_modules(
        &self,
        known: Option<&ImportGraph>,
        rows: &[&FileRow],
        changed: &FxHashMap<u64, Outline>,
    ) -> Result<(Arc<Modules>, Arc<Manifests>), Error> {
        let before = known.iter().flat_map(|known| {
            let outlines = known.modules.files().all();
            let outlines = outlines.map(|file| known.modules.files().outline(file));
            known.contents.iter().zip(outlines)
        });
        let before: FxHashMap<&[u8; 32], &Outline> = before.collect();
        let mut files = Vec::with_capacity(rows.len());
        let mut manifests = Manifests::default();
        for row in rows {
            self.check_open()?;
            let outline = match changed.get(&row.id).or(before.get(&row.hash).copied()) {
                _ if !graph::needs_outline(lang_id(row.lang)) => Outline::default(),
                Some(outline) => outline.clone(),
                None => Outline::of(&self.facts_at(row)?),
            };
            files.push((&*row.path, lang_id(row.lang), outline));
            if graph::is_manifest(&row.path) && !manifests.contains_key(&row.hash) {
                let text = match known.and_then(|known| known.manifests.get(&row.hash)) {
                    Some(text) => Some(text.clone()),
                    None => source::decode(&self.current_bytes(row)?).map(|text| text.text.into_owned()),
                };
                manifests.extend(text.map(|text| (row.hash, text)));
            }
        }
        let is_manifest = |row: &&&FileRow| graph::is_manifest(&row.path);
        let texts: Vec<(&str, &str)> = rows
            .iter()
            .filter(is_manifest)
            .filter_map(|row| Some((&*row.path, manifests.get(&row.hash)?.as_str())))
            .collect();
        let modules = Modules::new(Files::new(files), &texts);
        Ok((Arc::new(modules), Arc::new(manifests)))
    }

    pub(crate) fn importers<'g>(&self, graph: &'g ImportGraph) -> Result<&'g Importers, Error> {
        if let Some(importers) = graph.importers.get() {
            return Ok(importers);
        }
        let modules = &graph.modules;
        let rows: Vec<(FileIdx, &FileRow)> = modules.files().all().zip(self.reader().files().indexed()).collect();
        let read = |(file, row): &(FileIdx, &FileRow)| -> Result<_, Error> {
            let facts = self.facts_at(row)?;
            let targets = found(modules, *file, &facts).into_iter().map(|found| {
                let item: Option<Box<str>> = found.item.map(|item| facts.names.get(item).into());
                (found.target, item)
            });
            Ok((
                Arc::new(Surface::of(modules, *file, &facts)),
                targets.collect::<Vec<_>>(),
            ))
        };
        let all: Vec<_> = rows.par_iter().map(read).collect::<Result<_, Error>>()?;
        let (surfaces, targets): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let surfaces = AtOnce(surfaces);
        let mut importers = Importers::default();
        let targets = modules.files().all().zip(targets);
        let targets = targets.flat_map(|(file, targets)| {
            let numbered = (0..).zip(targets);
            numbered.map(move |(at, (target, item))| (file, at, target, item))
        });
        for (file, at, target, item) in targets {
            let origin = origin(modules, &surfaces, &target, item.as_deref());
            let is_sure = matches!(target, Target::Local(_));
            let (Target::Local(files) | Target::Candidates(files)) = target else {
                continue;
            };
            let direct = files.iter().map(|target| (target, true));
            let handed_on = origin.iter().map(|target| (target, false));
            for (target, is_direct) in direct.chain(handed_on).filter(|(target, _)| **target != file) {
                importers.entry(*target).or_default().push(Importer {
                    file,
                    at,
                    is_sure,
                    is_direct,
                });
            }
        }
        Ok(graph.importers.get_or_init(|| importers))
    }

    pub(crate) fn facts_at(&self, row: &FileRow) -> Result<FileFacts, Error> {
        self.reader().facts(row)?.ok_or(Error::Stale)
    }
}

impl Dependents<'_> {
    /// The files that import it.
    pub fn importing(&self) -> impl Iterator<Item = FileIdx> {
        self.imports.iter().map(|import| import.file)
    }

    /// The files that import it, by path. None is read before it is asked for.
    pub fn files(&self) -> impl Iterator<Item = Dependent<'_>> {
        let by_file = self.imports.chunk_by(|a, b| a.file == b.file);
        by_file.map(|imports| Dependent { of: self, imports })
    }
}

impl Dependent<'_> {
    pub fn n_imports(&self) -> usize {
        self.imports.len()
    }

    /// Whether it gets something by way of another file.
    pub fn is_behind_another(&self) -> bool {
        self.imports.iter().any(|import| !import.is_direct)
    }

    /// The imports that mean the file or something that it defines.
    pub fn read(&self) -> Result<FileDependencies, Error> {
        let (snapshot, graph) = (self.of.snapshot, &self.of.graph);
        let importer = self.imports[0].file;
        let source = snapshot.source_file(graph.modules.files().path(importer))?;
        let surfaces = OnDemand::new(snapshot, &graph.modules);
        let all = found(&graph.modules, importer, &source.facts);
        let own = self.imports.iter().filter_map(|import| all.get(import.at as usize));
        let imports = own.map(|found| graph.shown(&surfaces, &source.facts, found)).collect();
        Ok(FileDependencies {
            path: source.path,
            lang: source.lang.name,
            imports,
            problem: None,
        })
    }
}

impl ImportGraph {
    /// The id of a file in the catalog.
    pub fn id(&self, file: FileIdx) -> Option<u64> {
        self.ids.get(file.0 as usize).copied()
    }

    /// The file of an id; the catalog's order of ids is not that of paths.
    pub fn file(&self, id: u64) -> Option<FileIdx> {
        self.by_id.get(&id).copied()
    }

    fn shown(&self, surfaces: &dyn Surfaces, facts: &FileFacts, found: &Found<'_>) -> Dependency {
        let text = |id: NameId| facts.names.get(id).to_owned();
        let paths = |files: &[FileIdx]| -> Vec<String> {
            let files = files.iter().map(|file| self.modules.files().path(*file).to_owned());
            files.collect()
        };
        let item = found.item.map(text);
        let defined_in = origin(&self.modules, surfaces, &found.target, item.as_deref());
        Dependency {
            line: facts.lines.line(found.at),
            path: if found.is_declared {
                format!("mod {}", found.path)
            } else {
                found.path.to_owned()
            },
            item,
            alias: found.alias.map(text),
            wildcard: found.wildcard,
            reexport: found.reexport,
            defined_in: paths(&defined_in),
            target: match &found.target {
                Target::Local(files) => DependencyTarget::Local(paths(files)),
                Target::Candidates(files) => DependencyTarget::Candidates(paths(files)),
                Target::External(package) => DependencyTarget::External(package.clone()),
                Target::Unknown => DependencyTarget::Unknown,
            },
        }
    }
}

/// The surfaces of all files, in their order.
struct AtOnce(Vec<Arc<Surface>>);

impl Surfaces for AtOnce {
    fn surface(&self, file: FileIdx) -> Option<Arc<Surface>> {
        self.0.get(file.0 as usize).cloned()
    }
}

/// The surfaces of the few files that one answer needs.
struct OnDemand<'s> {
    snapshot: &'s Snapshot,
    modules: &'s Modules,
    known: RefCell<FxHashMap<FileIdx, Option<Arc<Surface>>>>,
}

impl<'s> OnDemand<'s> {
    fn new(snapshot: &'s Snapshot, modules: &'s Modules) -> OnDemand<'s> {
        OnDemand {
            snapshot,
            modules,
            known: RefCell::default(),
        }
    }
}

impl Surfaces for OnDemand<'_> {
    fn surface(&self, file: FileIdx) -> Option<Arc<Surface>> {
        let mut known = self.known.borrow_mut();
        let made = known.entry(file).or_insert_with(|| {
            let row = self
                .snapshot
                .reader()
                .files()
                .by_path(self.modules.files().path(file))?;
            let facts = self.snapshot.facts_at(row).ok()?;
            Some(Arc::new(Surface::of(self.modules, file, &facts)))
        });
        made.clone()
    }
}
