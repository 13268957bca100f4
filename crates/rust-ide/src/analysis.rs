//! A loaded workspace: kept up to date file by file, and asked place by place.

use std::{collections::BTreeMap, panic::AssertUnwindSafe};

use cargo_platform::Cfg;
use ra_ap_base_db::{
    AbsPathBuf, FileId,
    salsa::{Cancelled, Database},
};
use ra_ap_hir::{ChangeWithProcMacros, Semantics, attach_db};
use ra_ap_ide_db::{
    RootDatabase,
    defs::{Definition, IdentClass},
    helpers::pick_best_token,
};
use ra_ap_syntax::{AstNode, SyntaxKind, SyntaxNode, TextSize};

use crate::{
    checkouts::Checkouts,
    crates, depth, docs,
    files::Files,
    outside::{self, Outside, Registry},
    project::{self, Project},
    told::Told,
};

/// A name in a file of the workspace: its path from the root, and where it begins, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub path: String,
    pub at: u32,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// Definitions in the workspace; several where one name stands for them all, as `Point { x }` does for a field and a
    /// variable.
    Definitions(Vec<Place>),
    /// Something that is written nowhere in the workspace: of a library, of the language, made by a macro.
    Elsewhere,
    /// No answer: the file is in no crate, the code is switched off, or a type is not known.
    Unknown,
}

/// What was loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Of the workspace, tests and examples among them.
    pub crates: usize,
    pub files: usize,
    /// Files of dependencies and of the standard library.
    pub library_files: usize,
    /// All texts together.
    pub bytes: u64,
    /// Dependencies whose sources are not on this machine.
    pub missing: Vec<String>,
    pub has_standard_library: bool,
    /// Manifests that cannot be read.
    pub broken: Vec<String>,
}

pub struct Analysis {
    db: RootDatabase,
    files: Files,
    /// Manifests and lock files, by path.
    manifests: BTreeMap<String, String>,
    registry: Registry,
    checkouts: Checkouts,
    told: Option<Told>,
    cfgs: Vec<Cfg>,
    /// Bytes that may still be read outside of the workspace.
    left: u64,
    nowhere: AbsPathBuf,
    summary: Summary,
}

/// How far loading has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loading {
    StandardLibrary,
    /// So many of so many packages that are not of the workspace.
    Libraries(usize, usize),
    Sources,
}

/// Ends what an analysis is doing, from another thread.
#[derive(Clone)]
pub struct Stop(ra_ap_base_db::salsa::CancellationToken);

impl Stop {
    pub fn stop(&self) {
        self.0.cancel();
    }
}

fn is_manifest(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("Cargo.toml" | "Cargo.lock"))
}

impl Analysis {
    /// Whether a file matters, by its path.
    pub fn reads(path: &str) -> bool {
        path.ends_with(".rs") || is_manifest(path)
    }

    /// Loads a workspace from the paths and texts of its Rust files, manifests and lock files.
    pub fn load(files: impl IntoIterator<Item = (String, String)>, outside: &Outside) -> Analysis {
        Analysis::load_told(files, outside, None, &|_| {})
    }

    /// The same with what cargo has said of it, if it was asked; tells how far it is.
    pub fn load_told(
        files: impl IntoIterator<Item = (String, String)>,
        outside: &Outside,
        told: Option<Told>,
        progress: &dyn Fn(Loading),
    ) -> Analysis {
        let mut analysis = Analysis {
            db: RootDatabase::new(None),
            files: Files::default(),
            manifests: BTreeMap::new(),
            registry: Registry::open(&outside.registries),
            checkouts: Checkouts::open(&outside.checkouts),
            told,
            cfgs: crates::platform_cfgs(),
            left: outside.max_bytes,
            nowhere: AbsPathBuf::assert_utf8(if cfg!(windows) { "C:\\" } else { "/" }.into()),
            summary: Summary::default(),
        };
        let files: Vec<(String, Option<String>)> = files.into_iter().map(|(path, text)| (path, Some(text))).collect();
        let own: usize = files.iter().filter_map(|(_, text)| Some(text.as_ref()?.len())).sum();
        analysis.left = analysis.left.saturating_sub(own as u64);
        let mut change = ChangeWithProcMacros::default();
        progress(Loading::StandardLibrary);
        let standard = outside::standard_library(&outside.sysroots, &mut analysis.left);
        analysis.summary.has_standard_library = standard.is_some();
        for (path, text) in standard.into_iter().flatten() {
            analysis.summary.bytes += text.len() as u64;
            change.change_file(analysis.files.add_standard(&path), Some(text));
        }
        analysis.update(change, files, true, progress);
        analysis
    }

    /// Files that are new or have another text, and those that are gone.
    pub fn change(&mut self, files: Vec<(String, Option<String>)>) {
        self.update(ChangeWithProcMacros::default(), files, false, &|_| {});
    }

    /// What cargo says now, if that may have changed with the manifests; counts from the next change of one.
    pub fn tell(&mut self, told: Option<Told>) {
        self.told = told;
    }

    /// Whether a file is one that the model of the workspace is made from.
    pub fn is_manifest(path: &str) -> bool {
        is_manifest(path)
    }

    fn update(
        &mut self,
        mut change: ChangeWithProcMacros,
        files: Vec<(String, Option<String>)>,
        mut is_other: bool,
        progress: &dyn Fn(Loading),
    ) {
        for (path, text) in files {
            match text {
                Some(text) if is_manifest(&path) => {
                    is_other |= self.manifests.get(&path) != Some(&text);
                    self.manifests.insert(path, text);
                }
                None if is_manifest(&path) => is_other |= self.manifests.remove(&path).is_some(),
                Some(text) => {
                    // It is there, so that nobody wonders where it is, and has nothing in it.
                    let text = if depth::is_deep(&text) { String::new() } else { text };
                    let (id, is_new) = self.files.add_local(path);
                    is_other |= is_new;
                    self.summary.bytes += if is_new { text.len() as u64 } else { 0 };
                    change.change_file(id, Some(text));
                }
                None => {
                    if let Some(id) = self.files.remove_local(&path) {
                        is_other = true;
                        change.change_file(id, None);
                    }
                }
            }
        }
        if is_other {
            let project = self.project(&mut change, progress);
            change.set_roots(self.files.roots(&project));
            let (graph, n_local) = crates::build(&project, &self.files, self.nowhere.clone());
            change.set_crate_graph(graph);
            self.summary.crates = n_local;
            self.summary.missing = project.missing.into_iter().collect();
            self.summary.broken = project.broken;
            self.summary.files = self.files.n_local();
            self.summary.library_files = self.files.n_others();
        }
        progress(Loading::Sources);
        self.db.apply_change(change);
    }

    /// Reads the manifests, and the sources of libraries that are new among the dependencies.
    fn project(&mut self, change: &mut ChangeWithProcMacros, progress: &dyn Fn(Loading)) -> Project {
        let manifests = self.manifests.iter();
        let manifests = manifests.map(|(path, text)| (path.as_str(), text.as_str()));
        let mut project = project::read(
            manifests,
            (&self.registry, &self.checkouts),
            self.told.as_ref(),
            &self.cfgs,
        );
        let n_libraries = project.packages.iter().filter(|package| !package.is_local()).count();
        let libraries = project.packages.iter().filter(|package| !package.is_local());
        for (n_read, package) in libraries.enumerate() {
            progress(Loading::Libraries(n_read, n_libraries));
            let project::Home::Library(dir) = &package.home else {
                continue;
            };
            let Some(number) = self.files.add_library(&package.home) else {
                continue;
            };
            let sources = outside::sources(dir, &mut self.left);
            if sources.is_empty() {
                project.missing.insert(package.manifest.name.clone());
            }
            for (path, text) in sources {
                self.summary.bytes += text.len() as u64;
                change.change_file(self.files.add_of_library(number, &path), Some(text));
            }
        }
        project
    }

    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// To end a question that takes too long.
    pub fn stop(&self) -> Stop {
        Stop(self.db.cancellation_token())
    }

    /// What the names at some places of a file mean, one by one; `None` if the question was stopped. Code that the analysis
    /// was not made for may make it panic.
    pub fn meanings(&self, path: &str, places: &[u32]) -> Option<Vec<Meaning>> {
        let Some(file) = self.files.local(path) else {
            return Some(vec![Meaning::Unknown; places.len()]);
        };
        let asked = AssertUnwindSafe(|| attach_db(&self.db, || self.meanings_in(file, places)));
        match Cancelled::catch(asked) {
            Ok(meanings) => Some(meanings),
            Err(Cancelled::Local | Cancelled::PendingWrite) => None,
            Err(cancelled) => panic!("{cancelled}"),
        }
    }

    fn meanings_in(&self, file: FileId, places: &[u32]) -> Vec<Meaning> {
        let sema = &Semantics::new(&self.db);
        if sema.file_to_module_def(file).is_none() {
            return vec![Meaning::Unknown; places.len()];
        }
        let tree = sema.parse_guess_edition(file);
        places
            .iter()
            .map(|at| self.meaning_at(sema, tree.syntax(), TextSize::from(*at)))
            .collect()
    }

    fn meaning_at(&self, sema: &Semantics<'_, RootDatabase>, tree: &SyntaxNode, at: TextSize) -> Meaning {
        if at > tree.text_range().end() {
            return Meaning::Unknown;
        }
        let token = pick_best_token(tree.token_at_offset(at), |kind| match kind {
            SyntaxKind::IDENT | SyntaxKind::COMMENT => 2,
            kind if kind.is_trivia() => 0,
            _ => 1,
        });
        let Some(token) = token else { return Meaning::Unknown };
        let mut found = Vec::new();
        if token.kind() == SyntaxKind::COMMENT {
            found.extend(docs::linked(sema, &token, at));
        } else if let Some((_, _, _, resolution)) = sema.check_for_format_args_template(token.clone(), at) {
            found.extend(resolution.map(Definition::from));
        } else {
            for token in sema.descend_into_macros_no_opaque(token, false) {
                let class = token
                    .value
                    .parent()
                    .and_then(|node| IdentClass::classify_node(sema, &node));
                found.extend(class.into_iter().flat_map(IdentClass::definitions_no_ops));
            }
        }
        let mut places = Vec::new();
        let mut is_elsewhere = false;
        for definition in found {
            match self.place(sema, definition) {
                Meaning::Definitions(mut one) => places.append(&mut one),
                Meaning::Elsewhere => is_elsewhere = true,
                Meaning::Unknown => {}
            }
        }
        places.sort();
        places.dedup();
        match (places.is_empty(), is_elsewhere) {
            (false, _) => Meaning::Definitions(places),
            (true, true) => Meaning::Elsewhere,
            (true, false) => Meaning::Unknown,
        }
    }

    /// Where the name of a definition is written.
    fn place(&self, sema: &Semantics<'_, RootDatabase>, definition: Definition<'_>) -> Meaning {
        // A module is a file as much as it is a declaration, and `Self` any name of a type: files and names tell more.
        if matches!(
            definition,
            Definition::Module(_)
                | Definition::Crate(_)
                | Definition::ExternCrateDecl(_)
                | Definition::SelfType(_)
                | Definition::TupleField(_)
        ) {
            return Meaning::Unknown;
        }
        let is_local = definition
            .krate(&self.db)
            .map(|krate| krate.origin(&self.db).is_local());
        if is_local != Some(true) {
            return Meaning::Elsewhere;
        }
        let Some(range) = definition.range_for_rename(sema) else {
            return Meaning::Elsewhere;
        };
        match self.files.local_path(range.file_id.file_id(&self.db)) {
            Some(path) => Meaning::Definitions(vec![Place {
                path: path.to_owned(),
                at: range.range.start().into(),
            }]),
            None => Meaning::Elsewhere,
        }
    }
}
