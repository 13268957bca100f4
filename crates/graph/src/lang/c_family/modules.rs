//! C, C++ and Objective-C: included files, looked for from the file's directory upwards, then by how paths end.

use syntax::{LangId, TEMPLATE};

use crate::{
    files::{joined, upwards},
    modules::{Resolve, Rules, Site, Target},
};

pub(crate) const RULES: Rules = Rules {
    languages: &[LangId::C, LangId::Cpp, LangId::ObjC],
    is_manifest: |_| false,
    outline: false,
    directory_files: &[],
    new: |_, _| Box::new(C),
};

struct C;

impl Resolve for C {
    fn resolve(&self, site: &Site<'_>) -> Target {
        // `using a::b`, `namespace c = a::b`, `@import A.B` bring in names, not files.
        let is_name = site.item.is_some() || !site.wildcard || site.path.contains("::");
        let path = site.path.trim();
        if is_name || path == "std" {
            return match path.split("::").next() {
                Some("std") => Target::External("std".to_owned()),
                _ => Target::Unknown,
            };
        }
        // A header that a build makes is known by what it is made of.
        match included(site, path) {
            otherwise @ (Target::External(_) | Target::Unknown) => match included(site, &format!("{path}{TEMPLATE}")) {
                Target::External(_) | Target::Unknown => otherwise,
                found => found,
            },
            found => found,
        }
    }
}

/// The files that an include can mean.
fn included(site: &Site<'_>, path: &str) -> Target {
    if let Some(found) = joined(site.dir(), path).and_then(|path| site.files.at(&path)) {
        return Target::Local(vec![found]);
    }
    // The usual include directories: those around the file, and what they keep headers in.
    if !path.starts_with('.') {
        for dir in upwards(site.dir()) {
            for inner in ["", "include", "inc", "src"] {
                let found = joined(dir, inner).and_then(|dir| site.files.at(&joined(&dir, path)?));
                if let Some(found) = found {
                    return Target::Local(vec![found]);
                }
            }
        }
    }
    let end = path.trim_start_matches("./").trim_start_matches("../");
    // `<Kit/Header.h>` of a framework is just `Header.h` on disk.
    let mut found = site.files.ending(end);
    let is_objc = site.files.lang(site.file) == LangId::ObjC;
    if let (true, true, Some((_, name))) = (found.is_empty(), is_objc, end.split_once('/')) {
        found = site.files.ending(name);
    }
    let otherwise = if path.starts_with('.') {
        Target::Unknown
    } else {
        Target::External(path.to_owned())
    };
    site.candidates(found, otherwise)
}
