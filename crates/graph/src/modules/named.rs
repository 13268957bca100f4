//! Languages whose files say the name of their module: Elixir, Haskell, Elm, Erlang, Clojure, Perl, OCaml, Fortran,
//! Julia. Where a file does not, its path tells.

use super::{Resolve, Rules, Site, Target};
use crate::{
    files::{FileIdx, joined, upwards},
    outline::{Spaces, dotted},
};

const LANGUAGES: &[&str] = &[
    "elixir", "haskell", "elm", "erlang", "clojure", "perl", "ocaml", "fortran", "julia",
];

pub(super) const RULES: Rules = Rules {
    languages: LANGUAGES,
    is_manifest: |_| false,
    outline: true,
    new: |files, _| {
        let spaces = LANGUAGES.iter().map(|lang| (*lang, Spaces::new(files, &[*lang])));
        Box::new(Named {
            spaces: spaces.collect(),
        })
    },
};

struct Named {
    spaces: Vec<(&'static str, Spaces)>,
}

impl Resolve for Named {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let lang = site.files.lang(site.file);
        if is_file(lang, site.path) {
            return included(site);
        }
        let path = dotted(site.path.trim_start_matches("Elixir."));
        let whole = site.item.map(|item| format!("{path}.{item}"));
        let file = |name: &str| -> Option<&[FileIdx]> {
            let path = by_convention(lang, name)?;
            let found = path.iter().map(|path| site.files.ending(path));
            found.into_iter().find(|found| !found.is_empty())
        };
        let by_file = file(&path).unwrap_or_default();
        // A file is the module of its name, whatever modules others have inside; of those beside it a file sees all.
        if lang == "ocaml" {
            let beside = by_file.iter().find(|found| site.files.dir(**found) == site.dir());
            if let Some(found) = beside.or(by_file.first().filter(|_| by_file.len() == 1)) {
                return Target::Local(vec![*found]);
            }
        }
        let found = self.spaces.iter().find(|(own, _)| *own == lang);
        if let Some((_, spaces)) = found {
            for name in whole.iter().chain([&path]) {
                let files = spaces.space(name);
                if let [_, ..] = files {
                    return one_of(site, files);
                }
            }
        }
        // Modules that a file does not name, or that are inside of one.
        site.candidates(by_file, Target::External(site.path.to_owned()))
    }
}

/// A module of one file is certain; of several with its name the nearest are candidates.
fn one_of(site: &Site<'_>, files: &[FileIdx]) -> Target {
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

/// Where the file of a module usually is.
fn by_convention(lang: &str, name: &str) -> Option<Vec<String>> {
    let path = name.replace('.', "/");
    Some(match lang {
        "haskell" => vec![format!("{path}.hs")],
        "elm" => vec![format!("{path}.elm")],
        "perl" => vec![format!("{path}.pm")],
        "erlang" => vec![format!("{path}.erl")],
        "julia" => vec![format!("{path}.jl")],
        "clojure" => {
            let path = path.replace('-', "_");
            ["clj", "cljs", "cljc"]
                .iter()
                .map(|extension| format!("{path}.{extension}"))
                .collect()
        }
        "ocaml" => {
            let module = name.split('.').next().unwrap_or(name);
            let mut letters = module.chars();
            let lower: String = letters.next()?.to_lowercase().chain(letters).collect();
            vec![format!("{lower}.ml"), format!("{module}.ml")]
        }
        _ => return None,
    })
}

/// Whether a file is named, and no module: `include("a.jl")`, `-include("a.hrl")`.
fn is_file(lang: &str, path: &str) -> bool {
    match lang {
        "erlang" | "fortran" => path.contains('.'),
        "julia" => path.ends_with(".jl"),
        "perl" => path.contains('/') || path.ends_with(".pl") || path.ends_with(".pm"),
        _ => false,
    }
}

fn included(site: &Site<'_>) -> Target {
    for dir in upwards(site.dir()) {
        for inner in ["", "include", "lib"] {
            let found = joined(dir, inner).and_then(|dir| site.files.at(&joined(&dir, site.path)?));
            if let Some(found) = found {
                return Target::Local(vec![found]);
            }
        }
    }
    let otherwise = match site.path.split_once('/') {
        Some((library, _)) if site.files.lang(site.file) == "erlang" => Target::External(library.to_owned()),
        _ => Target::Unknown,
    };
    site.candidates(site.files.ending(site.path), otherwise)
}
