//! Languages whose imports are paths of files: relative to the file, to a directory above it, or by the end of a path.

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
    directory_files: &["init"],
    new: |_, _| Box::new(Paths),
};

struct Paths;

/// How a language abbreviates the path of a file.
struct Abbreviation {
    /// Endings that the path may leave out.
    endings: &'static [&'static str],
    /// A directory stands for all its files of the language.
    has_directories: bool,
    /// A path that leads to no file is a library's.
    has_libraries: bool,
}

fn abbreviation(lang: LangId) -> Abbreviation {
    let (endings, has_directories, has_libraries): (&'static [&'static str], bool, bool) = match lang {
        LangId::Lua => (&["", ".lua", "/init.lua"], false, true),
        LangId::Nix => (&["", "/default.nix"], false, false),
        LangId::Cmake => (&["", ".cmake", "/CMakeLists.txt"], false, true),
        LangId::Css | LangId::Scss => (&["", ".css", ".scss", ".sass", ".less", "/_index.scss"], false, false),
        LangId::Hcl => (&[""], true, true),
        LangId::PowerShell => (&["", ".psm1", ".psd1", ".ps1"], false, true),
        LangId::Zig | LangId::R | LangId::Solidity | LangId::Protobuf | LangId::Thrift => (&[""], false, true),
        _ => (&[""], false, false),
    };
    Abbreviation {
        endings,
        has_directories,
        has_libraries,
    }
}

impl Resolve for Paths {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let lang = site.files.lang(site.file);
        let abbreviation = abbreviation(lang);
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
            let found = self.file(site.files, &base, &abbreviation);
            if let Some(found) = found.filter(|found| *found != site.file) {
                return made(vec![found]);
            }
            if abbreviation.has_directories {
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
        let external = || match abbreviation.has_libraries && !is_relative && is_sure {
            true => Target::External(library(lang, written).to_owned()),
            false => Target::Unknown,
        };
        let end = path.trim_start_matches("./");
        if end.starts_with("../") || (is_relative && is_sure) {
            return external();
        }
        let ends = abbreviation.endings.iter().map(|ending| format!("{end}{ending}"));
        let found = ends
            .map(|end| site.files.ending(&end).to_vec())
            .find(|found| !found.is_empty());
        site.candidates(&found.unwrap_or_default(), external())
    }
}

impl Paths {
    fn file(&self, files: &Files, base: &str, abbreviation: &Abbreviation) -> Option<FileIdx> {
        let whole = abbreviation
            .endings
            .iter()
            .find_map(|ending| files.at(&format!("{base}{ending}")));
        // Sass leaves out the `_` of a file that is only a part.
        whole.or_else(|| {
            let (dir, name) = base.rsplit_once('/').unwrap_or(("", base));
            let part = joined(dir, &format!("_{name}"))?;
            let mut endings = abbreviation.endings.iter().filter(|ending| ending.starts_with(".s"));
            endings.find_map(|ending| files.at(&format!("{part}{ending}")))
        })
    }
}

/// A path without variables and commands, and whether it had none.
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

/// The name of the library that a path leads into.
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
