//! The namespaces that a file declares and the names in them, for languages whose imports name a namespace rather than
//! a path.

use rustc_hash::FxHashMap;
use syntax::{FileFacts, LangId, Symbol, SymbolKind};

use crate::files::{FileIdx, Files};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Qualified names of its packages, namespaces and modules, with `.` between their parts.
    pub(crate) spaces: Vec<Box<str>>,
    /// Qualified names of the definitions directly in one of them, or in none.
    pub(crate) names: Vec<Box<str>>,
}

impl Outline {
    pub fn of(facts: &FileFacts) -> Outline {
        let is_space = |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Namespace | SymbolKind::Module);
        let mut has_inside = vec![false; facts.symbols.len()];
        for parent in facts.symbols.iter().filter_map(|symbol| symbol.parent) {
            has_inside[parent.as_usize()] = true;
        }
        let mut outline = Outline::default();
        // The qualified name of each symbol that is a namespace.
        let mut full: Vec<Option<String>> = vec![None; facts.symbols.len()];
        // The namespace declared for the rest of the file: `package a;`.
        let mut of_file = String::new();
        let mut last_was_of_file = false;
        for (at, symbol) in facts.symbols.iter().enumerate() {
            let around = match symbol.parent {
                None => Some(of_file.as_str()),
                Some(parent) => full[parent.as_usize()].as_deref(),
            };
            let Some(around) = around else { continue };
            let mut name = facts.name(symbol).to_owned();
            if let Some(owner) = symbol.owner {
                // An extension member is imported by its own name, without the type's.
                outline.names.push(joined(around, &name).into());
                name = format!("{}.{name}", facts.names.get(owner));
            }
            let name = dotted(&name);
            let is_of_file = is_space(symbol) && symbol.parent.is_none() && !has_inside[at];
            // In Scala `package a` followed by `package b` is `a.b`; elsewhere the second replaces the first.
            let begins_anew = match symbol.kind {
                SymbolKind::Module => symbol.parent.is_none(),
                _ => is_of_file && !last_was_of_file,
            };
            let around = if begins_anew { "" } else { around };
            let whole = joined(around, &name);
            if is_space(symbol) {
                outline.spaces.push(whole.as_str().into());
                if is_of_file {
                    of_file.clone_from(&whole);
                }
                full[at] = Some(whole);
            } else {
                outline.names.push(whole.into());
            }
            last_was_of_file = is_of_file;
        }
        outline
    }
}

fn joined(around: &str, name: &str) -> String {
    match around {
        "" => name.to_owned(),
        around => format!("{around}.{name}"),
    }
}

/// A qualified name of any language with `.` between its parts.
pub(crate) fn dotted(name: &str) -> String {
    let name = name.replace("::", ".").replace(['\\', '/'], ".");
    name.trim_matches('.').to_owned()
}

/// The namespaces of all files of some languages, and the names in them.
#[derive(Debug, Default)]
pub(crate) struct Spaces {
    spaces: FxHashMap<Box<str>, Vec<FileIdx>>,
    names: FxHashMap<Box<str>, Vec<FileIdx>>,
}

impl Spaces {
    pub fn new(files: &Files, languages: &[LangId]) -> Spaces {
        let mut all = Spaces::default();
        let add = |map: &mut FxHashMap<Box<str>, Vec<FileIdx>>, name: &str, file: FileIdx| match map.get_mut(name) {
            Some(known) if known.last() == Some(&file) => {}
            Some(known) => known.push(file),
            None => {
                map.insert(name.into(), vec![file]);
            }
        };
        for file in files.all().filter(|file| languages.contains(&files.lang(*file))) {
            let outline = files.outline(file);
            for space in &outline.spaces {
                add(&mut all.spaces, space, file);
            }
            for name in &outline.names {
                add(&mut all.names, name, file);
            }
        }
        all
    }

    /// The files that declare a namespace.
    pub fn space(&self, name: &str) -> &[FileIdx] {
        self.spaces.get(name).map_or(&[], Vec::as_slice)
    }

    /// The files that define a qualified name.
    pub fn name(&self, name: &str) -> &[FileIdx] {
        self.names.get(name).map_or(&[], Vec::as_slice)
    }

    /// The files of the longest prefix of a qualified name that is a definition: for `a.Outer.Inner` those of
    /// `a.Outer`.
    pub fn around(&self, name: &str) -> &[FileIdx] {
        let mut name = name;
        loop {
            let found = self.name(name);
            match name.rsplit_once('.') {
                _ if !found.is_empty() => return found,
                Some((outer, _)) => name = outer,
                None => return &[],
            }
        }
    }
}
