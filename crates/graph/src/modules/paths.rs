//! Languages that name files, more or less: relative to the file, to the root, or by how a path ends.

use crate::{
    files::{FileIdx, Files, joined, upwards},
    modules::{Resolve, Rules, Site, Target},
};
use syntax::LangId;

pub(crate) const RULES: Rules = Rules {
    languages: &[
        LangId::Bash,
        LangId::Css,
        LangId::Scss,
        LangId::Protobuf,
        LangId::Lua,
        LangId::R,
        LangId::Zig,
        LangId::Nix,
        LangId::Solidity,
        LangId::GdScript,
        LangId::Hcl,
        LangId::Make,
        LangId::Cmake,
        LangId::PowerShell,
        LangId::Thrift,
        LangId::GraphQl,
    ],
    is_manifest: |_| false,
    outline: false,
    new: |_, _| Box::new(Paths),
};

struct Paths;

/// What a language leaves out when it names a file.
struct Habits {
    /// Added to what is written.
    endings: &'static [&'static str],
    /// Whether a directory stands for all its files of the language.
    directories: bool,
    /// Whether a name that is no file is a library's.
    libraries: bool,
}

fn habits(lang: LangId) -> Habits {
    let (endings, directories, libraries): (&'static [&'static str], bool, bool) = match lang {
        LangId::Lua => (&["", ".lua", "/init.lua"], false, true),
        LangId::Nix => (&["", "/default.nix"], false, false),
        LangId::Cmake => (&["", ".cmake", "/CMakeLists.txt"], false, true),
        LangId::Css | LangId::Scss => (&["", ".css", ".scss", ".sass", ".less", "/_index.scss"], false, false),
        LangId::Hcl => (&[""], true, true),
        LangId::PowerShell => (&["", ".psm1", ".psd1", ".ps1"], false, true),
        LangId::Zig | LangId::R | LangId::Solidity | LangId::Protobuf | LangId::Thrift => (&[""], false, true),
        _ => (&[""], false, false),
    };
    Habits {
        endings,
        directories,
        libraries,
    }
}

impl Resolve for Paths {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let lang = site.files.lang(site.file);
        let habits = habits(lang);
        let written = site.path.trim();
        if written.contains("://") && !written.starts_with("res://") || written.starts_with('<') {
            return Target::External(written.trim_matches(['<', '>']).to_owned());
        }
        let (path, is_sure) = plain(lang, written);
        if path.is_empty() {
            return Target::Unknown;
        }
        let made = |files: Vec<FileIdx>| {
            if is_sure {
                Target::Local(files)
            } else {
                Target::Candidates(files)
            }
        };
        let is_relative = path.starts_with("./") || path.starts_with("../");
        for dir in upwards(site.dir()) {
            let Some(base) = joined(dir, &path) else { break };
            let found = self.file(site.files, &base, &habits);
            if let Some(found) = found.filter(|found| *found != site.file) {
                return made(vec![found]);
            }
            if habits.directories {
                let files: Vec<FileIdx> = (site.files.in_dir(&base).iter().copied())
                    .filter(|file| site.files.lang(*file) == lang)
                    .collect();
                if is_relative && !files.is_empty() {
                    return made(files);
                }
            }
            // Only a path without dots is also looked for from the directories above.
            if is_relative {
                break;
            }
        }
        let external = || match habits.libraries && !is_relative && is_sure {
            true => Target::External(library(lang, written).to_owned()),
            false => Target::Unknown,
        };
        let end = path.trim_start_matches("./");
        if end.starts_with("../") || (is_relative && is_sure) {
            return external();
        }
        let ends = habits.endings.iter().map(|ending| format!("{end}{ending}"));
        let found = ends
            .map(|end| site.files.ending(&end).to_vec())
            .find(|found| !found.is_empty());
        site.candidates(&found.unwrap_or_default(), external())
    }
}

impl Paths {
    fn file(&self, files: &Files, base: &str, habits: &Habits) -> Option<FileIdx> {
        let whole = habits
            .endings
            .iter()
            .find_map(|ending| files.at(&format!("{base}{ending}")));
        // Sass leaves out the `_` of a file that is only a part.
        whole.or_else(|| {
            let (dir, name) = base.rsplit_once('/').unwrap_or(("", base));
            let part = joined(dir, &format!("_{name}"))?;
            let mut endings = habits.endings.iter().filter(|ending| ending.starts_with(".s"));
            endings.find_map(|ending| files.at(&format!("{part}{ending}")))
        })
    }
}

/// A path without what only a running program knows, and whether nothing was lost.
fn plain(lang: LangId, written: &str) -> (String, bool) {
    let path = match lang {
        LangId::Lua if !written.contains('/') => written.replace('.', "/"),
        LangId::PowerShell => written.replace('\\', "/"),
        LangId::GdScript => written.trim_start_matches("res://").to_owned(),
        _ => written.to_owned(),
    };
    let path = path
        .strip_prefix("$PSScriptRoot/")
        .map(|inner| format!("./{inner}"))
        .unwrap_or(path);
    // `$DIR/a.sh`, `"$(dirname "$0")"/a.sh`, `${BASH_SOURCE%/*}/a.sh`, `$(ROOT)/rules.mk`
    if !path.starts_with(['$', '"', '`', '~']) {
        return (path, true);
    }
    let closed = path.rfind(['}', ')', '"', '`']).map_or(0, |at| at + 1);
    let rest = &path[closed..];
    let inner = rest.split_once('/').map_or("", |(_, inner)| inner);
    if inner.is_empty() || inner.contains('$') {
        return (String::new(), false);
    }
    (inner.to_owned(), false)
}

/// The library's own name in a path into it.
fn library(lang: LangId, path: &str) -> &str {
    match lang {
        LangId::Lua => path.split('.').next().unwrap_or(path),
        LangId::Solidity if path.starts_with('@') => {
            let end = path.match_indices('/').nth(1).map_or(path.len(), |(at, _)| at);
            &path[..end]
        }
        LangId::Solidity => path.split('/').next().unwrap_or(path),
        _ => path,
    }
}
