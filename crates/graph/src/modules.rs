//! Resolution of imports to files, by the rules of each language.
//!
//! Each language or family has its own `Resolve`, listed in `RULES`.

pub(crate) mod declared;
pub(crate) mod paths;

use rustc_hash::FxHashMap;
use syntax::{FileFacts, Import, LangId};

use crate::{
    files::{FileIdx, Files},
    lang::{c_family, csharp, dart, ecmascript, go, jvm, php, python, ruby, rust, swift},
};

/// The target of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// These files, by the rules of the language; several where a package consists of several files.
    Local(Vec<FileIdx>),
    /// Probably one or all of these: their names match, and no rule decides.
    Candidates(Vec<FileIdx>),
    /// External: the name of the package, library or module.
    External(String),
    Unknown,
}

/// The rules of a language for one workspace.
pub(crate) trait Resolve: Send + Sync {
    fn resolve(&self, site: &Site<'_>) -> Target;

    /// Files that a file includes as modules other than by imports: `mod a;`.
    fn declared<'f>(&self, _files: &Files, _file: FileIdx, _facts: &'f FileFacts) -> Vec<Declared<'f>> {
        Vec::new()
    }

    /// Name and directory of each package, where qualified names begin with a package.
    fn packages(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    /// Name and root file of each package, where paths begin at one.
    fn roots(&self) -> Vec<(&str, FileIdx)> {
        Vec::new()
    }
}

/// A module that is declared in one file and defined in another: `mod a;`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared<'f> {
    pub name: &'f str,
    pub at: u32,
    pub file: FileIdx,
}

/// The rules that some languages share.
pub(crate) struct Rules {
    pub languages: &'static [LangId],
    /// Whether a file of this name is a manifest that the rules read.
    pub is_manifest: fn(&str) -> bool,
    /// Whether the rules need the outlines of files.
    pub outline: bool,
    /// The names, without endings, of files that stand for their directory as a module: `mod.rs`, `__init__.py`.
    pub directory_files: &'static [&'static str],
    pub new: fn(&Files, &Manifests<'_>) -> Box<dyn Resolve>,
}

/// The rules of all languages with imports.
const RULES: &[Rules] = &[
    rust::modules::RULES,
    python::modules::RULES,
    ecmascript::modules::RULES,
    go::modules::RULES,
    jvm::RULES,
    csharp::modules::RULES,
    c_family::modules::RULES,
    ruby::modules::RULES,
    php::modules::RULES,
    swift::modules::RULES,
    dart::modules::RULES,
    declared::RULES,
    paths::RULES,
];

/// An import and its place.
pub(crate) struct Site<'a> {
    pub files: &'a Files,
    pub file: FileIdx,
    pub facts: &'a FileFacts,
    pub path: &'a str,
    pub item: Option<&'a str>,
    pub wildcard: bool,
    pub at: u32,
}

impl<'a> Site<'a> {
    pub fn dir(&self) -> &'a str {
        self.files.dir(self.file)
    }

    /// Candidates found by name alone; `otherwise` if there are none.
    pub fn candidates(&self, found: &[FileIdx], otherwise: Target) -> Target {
        let nearest = self.files.nearest(self.file, found);
        if nearest.is_empty() {
            otherwise
        } else {
            Target::Candidates(nearest)
        }
    }
}

/// The paths and texts of the manifests.
pub(crate) struct Manifests<'a>(pub &'a [(&'a str, &'a str)]);

impl<'a> Manifests<'a> {
    /// The manifests of a name: directory and text.
    pub fn named(&self, name: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let named = self
            .0
            .iter()
            .filter(move |(path, _)| crate::files::name_of(path) == name);
        named.map(|(path, text)| (crate::files::dir_of(path), *text))
    }
}

/// Whether the text of a file is needed to resolve imports.
pub fn is_manifest(path: &str) -> bool {
    let name = crate::files::name_of(path);
    RULES.iter().any(|rules| (rules.is_manifest)(name))
}

/// Whether a file of this name, without its ending, stands for its directory as a module.
pub(crate) fn is_directory_file(stem: &str) -> bool {
    RULES.iter().any(|rules| rules.directory_files.contains(&stem))
}

/// Whether the files of a language need an `Outline` for imports to be resolved.
pub fn needs_outline(lang: LangId) -> bool {
    RULES
        .iter()
        .any(|rules| rules.outline && rules.languages.contains(&lang))
}

/// The modules of a workspace.
pub struct Modules {
    files: Files,
    rules: FxHashMap<LangId, usize>,
    resolvers: Vec<Option<Box<dyn Resolve>>>,
}

impl Modules {
    /// `manifests`: the paths and texts of the files that `is_manifest` accepts. Without them fewer imports resolve.
    pub fn new(files: Files, manifests: &[(&str, &str)]) -> Modules {
        let rules: FxHashMap<LangId, usize> = RULES
            .iter()
            .enumerate()
            .flat_map(|(at, rules)| rules.languages.iter().map(move |lang| (*lang, at)))
            .collect();
        let mut present = vec![false; RULES.len()];
        for file in files.all() {
            if let Some(at) = rules.get(&files.lang(file)) {
                present[*at] = true;
            }
        }
        let manifests = Manifests(manifests);
        let resolvers = RULES.iter().zip(present);
        let resolvers = resolvers.map(|(rules, present)| present.then(|| (rules.new)(&files, &manifests)));
        let resolvers = resolvers.collect();
        Modules {
            files,
            rules,
            resolvers,
        }
    }

    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Name and directory of each package: `shop` of Rust, `example.com/shop` of Go.
    pub fn packages(&self) -> Vec<(&str, &str)> {
        let resolvers = self.resolvers.iter().flatten();
        resolvers.flat_map(|rules| rules.packages()).collect()
    }

    /// The name and root file of each package that paths lead into from one file: a crate.
    pub fn roots(&self) -> Vec<(&str, FileIdx)> {
        let resolvers = self.resolvers.iter().flatten();
        resolvers.flat_map(|rules| rules.roots()).collect()
    }

    fn rules_of(&self, file: FileIdx) -> Option<&dyn Resolve> {
        let at = *self.rules.get(&self.files.lang(file))?;
        self.resolvers[at].as_deref()
    }

    /// The modules that a file declares and other files define; `facts` are those of the file.
    pub fn declared<'f>(&self, file: FileIdx, facts: &'f FileFacts) -> Vec<Declared<'f>> {
        let rules = self.rules_of(file);
        rules.map_or(Vec::new(), |rules| rules.declared(&self.files, file, facts))
    }

    /// The target of an import of a file; `facts` are those of the file.
    pub fn resolve(&self, file: FileIdx, facts: &FileFacts, import: &Import) -> Target {
        let path = facts.names.get(import.path);
        let item = import.item.map(|item| facts.names.get(item));
        self.target(file, facts, (path, item), import.wildcard, import.at)
    }

    /// The target of a path in a file, as if it were imported at that offset.
    pub fn resolve_path(&self, file: FileIdx, facts: &FileFacts, path: &str, item: Option<&str>, at: u32) -> Target {
        self.target(file, facts, (path, item), false, at)
    }

    fn target(
        &self,
        file: FileIdx,
        facts: &FileFacts,
        (path, item): (&str, Option<&str>),
        wildcard: bool,
        at: u32,
    ) -> Target {
        let Some(rules) = self.rules_of(file).filter(|_| !path.is_empty()) else {
            return Target::Unknown;
        };
        rules.resolve(&Site {
            files: &self.files,
            file,
            facts,
            path,
            item,
            wildcard,
            at,
        })
    }
}
