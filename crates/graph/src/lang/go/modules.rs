//! Go: a package is a directory below its module; `go.mod` names the module.

use crate::{
    files::{FileIdx, Files, joined},
    lang::go::is_left_out,
    modules::{Manifests, Resolve, Rules, Site, Target},
};
use syntax::LangId;

pub(crate) const RULES: Rules = Rules {
    languages: &[LangId::Go],
    is_manifest: |name| name == "go.mod",
    outline: false,
    directory_files: &[],
    new: |_, manifests| Box::new(Go::new(manifests)),
};

struct Go {
    /// Path and directory of each module, the longest path first.
    modules: Vec<(String, String)>,
}

impl Go {
    fn new(manifests: &Manifests<'_>) -> Go {
        let mut modules = Vec::new();
        for (dir, text) in manifests.named("go.mod") {
            for line in text
                .lines()
                .map(|line| line.split("//").next().unwrap_or_default().trim())
            {
                if let Some(path) = line.strip_prefix("module ") {
                    modules.push((path.trim().trim_matches('"').to_owned(), dir.to_owned()));
                }
                // `replace a.org/b => ../b`, with or without its keyword.
                if let Some((old, new)) = line.split_once("=>") {
                    let old = old.trim().trim_start_matches("replace ").split_whitespace().next();
                    let new = new.trim().trim_matches('"');
                    if let (Some(old), true) = (old, new.starts_with('.'))
                        && let Some(new) = joined(dir, new)
                    {
                        modules.push((old.trim_matches('"').to_owned(), new));
                    }
                }
            }
        }
        modules.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        modules.dedup();
        Go { modules }
    }
}

impl Resolve for Go {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let path = site.path;
        if path.starts_with('.') {
            let files = joined(site.dir(), path).map_or(Vec::new(), |dir| package(site.files, &dir));
            return if files.is_empty() {
                Target::Unknown
            } else {
                Target::Local(files)
            };
        }
        let mut is_ours = false;
        for (module, dir) in &self.modules {
            let rest = path.strip_prefix(module.as_str());
            if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
                is_ours = true;
                let files = joined(dir, rest).map_or(Vec::new(), |dir| package(site.files, &dir));
                if !files.is_empty() {
                    return Target::Local(files);
                }
            }
        }
        if is_ours {
            return Target::Unknown;
        }
        // Copies of other modules, and trees from before modules, in which the path is the directory.
        let first = path.split('/').next().unwrap_or(path);
        if first.contains('.') || self.modules.is_empty() {
            let vendored = site.files.dirs_ending(&format!("vendor/{path}"));
            let same = if path.contains('/') {
                site.files.dirs_ending(path)
            } else {
                &[]
            };
            // Vendored copies stand for the module for everything beside and below the directory.
            let own = vendored.iter().find(|dir| {
                let around = dir.strip_suffix(path).unwrap_or_default().trim_end_matches("vendor/");
                site.dir().starts_with(around.trim_end_matches('/'))
            });
            if let Some(dir) = own {
                return Target::Local(package(site.files, dir));
            }
            let files: Vec<FileIdx> = vendored
                .iter()
                .chain(same)
                .flat_map(|dir| package(site.files, dir))
                .collect();
            return site.candidates(&files, Target::External(path.to_owned()));
        }
        Target::External(path.to_owned())
    }

    fn packages(&self) -> Vec<(&str, &str)> {
        let modules = self.modules.iter();
        modules.map(|(path, dir)| (path.as_str(), dir.as_str())).collect()
    }
}

/// The files of a package, without its tests.
fn package(files: &Files, dir: &str) -> Vec<FileIdx> {
    let in_dir = files.in_dir(dir).iter().copied();
    in_dir
        .filter(|file| {
            files.lang(*file) == LangId::Go && !files.stem(*file).ends_with("_test") && !is_left_out(files, *file)
        })
        .collect()
}
