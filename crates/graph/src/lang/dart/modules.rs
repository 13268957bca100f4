//! Dart: relative files, and packages by `pubspec.yaml`.

use rustc_hash::FxHashMap;
use syntax::LangId;

use crate::{
    files::joined,
    modules::{Resolve, Rules, Site, Target},
};

pub(crate) const RULES: Rules = Rules {
    languages: &[LangId::Dart],
    is_manifest: |name| name == "pubspec.yaml",
    outline: false,
    directory_files: &[],
    new: |_, manifests| {
        let mut packages = FxHashMap::default();
        for (dir, text) in manifests.named("pubspec.yaml") {
            let name = text.lines().find_map(|line| line.strip_prefix("name:"));
            if let Some(name) = name {
                let name = name.split('#').next().unwrap_or(name).trim().trim_matches(['"', '\'']);
                packages.insert(name.into(), dir.into());
            }
        }
        Box::new(Dart { packages })
    },
};

struct Dart {
    /// The directory of each package.
    packages: FxHashMap<Box<str>, Box<str>>,
}

impl Resolve for Dart {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let local = |path: Option<String>| match path.and_then(|path| site.files.at(&path)) {
            Some(found) => Target::Local(vec![found]),
            // Mostly generated: `a.g.dart`.
            None => Target::Unknown,
        };
        if let Some(path) = site.path.strip_prefix("package:") {
            let (package, inner) = path.split_once('/').unwrap_or((path, ""));
            return match self.packages.get(package) {
                Some(dir) => local(joined(dir, &format!("lib/{inner}"))),
                None => Target::External(package.to_owned()),
            };
        }
        if site.path.starts_with("dart:") {
            return Target::External(site.path.to_owned());
        }
        local(joined(site.dir(), site.path))
    }
}
