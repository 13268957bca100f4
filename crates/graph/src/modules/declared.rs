//! Languages whose files declare the name of their module: Elixir, Haskell, Elm, Erlang, Clojure, Perl, OCaml, Fortran,
//! Julia. The name of a module that no file declares is looked for among paths.

use crate::{
    files::{FileIdx, joined, upwards},
    modules::{Resolve, Rules, Site, Target},
    outline::{Spaces, dotted},
};
use syntax::LangId;

/// How a language names its modules.
struct Naming {
    lang: LangId,
    /// The paths, or ends of them, that the file of a module of this name has by convention.
    by_convention: fn(&str) -> Vec<String>,
    /// Whether an import names a file and no module: `include("a.jl")`, `-include("a.hrl")`.
    is_file: fn(&str) -> bool,
    /// A file is the module of its own name, and sees the files of its directory: `shape.ml` is `Shape`.
    is_by_file: bool,
    /// The first directory of a file that is not in the workspace is its library: `-include_lib("kernel/include/file.hrl")`.
    has_libraries: bool,
    /// A prefix of qualified names: `Elixir.Shapes`.
    root: &'static str,
}

const DEFAULT: Naming = Naming {
    lang: LangId::Plaintext,
    by_convention: |_| Vec::new(),
    is_file: |_| false,
    is_by_file: false,
    has_libraries: false,
    root: "",
};

/// One a language.
const NAMINGS: &[Naming] = &[
    Naming {
        lang: LangId::Clojure,
        by_convention: |name| with_endings(&name.replace('-', "_"), &["clj", "cljs", "cljc"]),
        ..DEFAULT
    },
    Naming {
        lang: LangId::Elixir,
        root: "Elixir.",
        ..DEFAULT
    },
    Naming {
        lang: LangId::Elm,
        by_convention: |name| with_endings(name, &["elm"]),
        ..DEFAULT
    },
    Naming {
        lang: LangId::Erlang,
        by_convention: |name| with_endings(name, &["erl"]),
        is_file: |path| path.contains('.'),
        has_libraries: true,
        ..DEFAULT
    },
    Naming {
        lang: LangId::Fortran,
        is_file: |path| path.contains('.'),
        ..DEFAULT
    },
    Naming {
        lang: LangId::Haskell,
        by_convention: |name| with_endings(name, &["hs"]),
        ..DEFAULT
    },
    Naming {
        lang: LangId::Julia,
        by_convention: |name| with_endings(name, &["jl"]),
        is_file: |path| path.ends_with(".jl"),
        ..DEFAULT
    },
    Naming {
        lang: LangId::OCaml,
        by_convention: |name| {
            let module = name.split('.').next().unwrap_or(name);
            let mut letters = module.chars();
            let lower: String = letters
                .next()
                .into_iter()
                .flat_map(char::to_lowercase)
                .chain(letters)
                .collect();
            vec![format!("{lower}.ml"), format!("{module}.ml")]
        },
        is_by_file: true,
        ..DEFAULT
    },
    Naming {
        lang: LangId::Pascal,
        by_convention: |name| {
            vec![
                format!("{name}.pas"),
                format!("{name}.pp"),
                format!("{}.pas", name.to_lowercase()),
                format!("{}.pp", name.to_lowercase()),
            ]
        },
        has_libraries: true,
        ..DEFAULT
    },
    Naming {
        lang: LangId::Perl,
        by_convention: |name| with_endings(name, &["pm"]),
        is_file: |path| path.contains('/') || path.ends_with(".pl") || path.ends_with(".pm"),
        ..DEFAULT
    },
];

const LANGUAGES: [LangId; NAMINGS.len()] = {
    let mut languages = [LangId::Plaintext; NAMINGS.len()];
    let mut at = 0;
    while at < languages.len() {
        languages[at] = NAMINGS[at].lang;
        at += 1;
    }
    languages
};

fn with_endings(module: &str, endings: &[&str]) -> Vec<String> {
    let path = module.replace('.', "/");
    endings.iter().map(|ending| format!("{path}.{ending}")).collect()
}

pub(crate) const RULES: Rules = Rules {
    languages: &LANGUAGES,
    is_manifest: |_| false,
    outline: true,
    directory_files: &[],
    new: |files, _| {
        let known = NAMINGS
            .iter()
            .map(|naming| (naming, Spaces::new(files, &[naming.lang])));
        Box::new(DeclaredModules(known.collect()))
    },
};

/// Each language with the modules that its files declare.
struct DeclaredModules(Vec<(&'static Naming, Spaces)>);

impl Resolve for DeclaredModules {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let lang = site.files.lang(site.file);
        let Some((naming, spaces)) = self.0.iter().find(|(naming, _)| naming.lang == lang) else {
            return Target::Unknown;
        };
        if (naming.is_file)(site.path) {
            return included(site, naming);
        }
        let path = dotted(site.path.strip_prefix(naming.root).unwrap_or(site.path));
        let paths = (naming.by_convention)(&path);
        let mut found = paths.iter().map(|path| site.files.ending(path));
        let by_file = found.find(|found| !found.is_empty()).unwrap_or_default();
        if naming.is_by_file {
            let beside = by_file.iter().find(|found| site.files.dir(**found) == site.dir());
            if let Some(found) = beside.or(by_file.first().filter(|_| by_file.len() == 1)) {
                return Target::Local(vec![*found]);
            }
        }
        let whole = site.item.map(|item| format!("{path}.{item}"));
        for name in whole.iter().chain([&path]) {
            let files = spaces.space(name);
            if let [_, ..] = files {
                return nearest_module(site, files);
            }
        }
        // Modules that are declared inside of another, or nowhere.
        site.candidates(by_file, Target::External(site.path.to_owned()))
    }
}

/// The file of a module; of several files with one name the nearest are candidates.
fn nearest_module(site: &Site<'_>, files: &[FileIdx]) -> Target {
    match files {
        [only] => Target::Local(vec![*only]),
        several => match site.files.nearest(site.file, several).as_slice() {
            [] => Target::Local(vec![site.file]),
            [only] => Target::Local(vec![*only]),
            // Perl and Elixir spread a module over files; Haskell's programs each have a `Main`.
            several => Target::Candidates(several.to_vec()),
        },
    }
}

/// A file that is named by a path: from the directory of the import upwards, or below `include` and `lib` there.
fn included(site: &Site<'_>, naming: &Naming) -> Target {
    for dir in upwards(site.dir()) {
        for inner in ["", "include", "lib"] {
            let found = joined(dir, inner).and_then(|dir| site.files.at(&joined(&dir, site.path)?));
            if let Some(found) = found {
                return Target::Local(vec![found]);
            }
        }
    }
    let otherwise = match site.path.split_once('/') {
        Some((library, _)) if naming.has_libraries => Target::External(library.to_owned()),
        _ => Target::Unknown,
    };
    site.candidates(site.files.ending(site.path), otherwise)
}
