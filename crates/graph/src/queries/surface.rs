//! What others can take from a file, and where that is really defined: names are often handed on.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use syntax::{FileFacts, SymbolKind};

use crate::{
    files::{FileIdx, dir_of, name_of},
    lang::imports_are_exports,
    modules::{Modules, Target, is_directory_file},
};

/// The names that a file defines for others or hands on.
#[derive(Debug, Default)]
pub struct Surface {
    defines: FxHashSet<Box<str>>,
    passes_on: Vec<PassedOn>,
}

#[derive(Debug)]
struct PassedOn {
    /// Under which name; everything if there is none.
    name: Option<Box<str>>,
    /// What it is called where it comes from.
    inner: Option<Box<str>>,
    from: Vec<FileIdx>,
}

/// Where surfaces come from: read on demand, or all at once.
pub trait Surfaces {
    fn surface(&self, file: FileIdx) -> Option<Arc<Surface>>;
}

/// Longer chains are circles.
const MAX_STEPS: usize = 16;

impl Surface {
    pub fn of(modules: &Modules, file: FileIdx, facts: &FileFacts) -> Surface {
        let is_outer = |kind: SymbolKind| matches!(kind, SymbolKind::Module | SymbolKind::Namespace);
        let defined = facts.symbols.iter().filter(|symbol| {
            let parent = symbol.parent.map(|parent| facts.symbols[parent].kind);
            parent.is_none_or(is_outer) && symbol.kind != SymbolKind::Impl
        });
        let all = imports_are_exports(modules.files().lang(file));
        let mut passes_on = Vec::new();
        for import in facts.imports.iter().filter(|import| all || import.reexport) {
            let Target::Local(from) = modules.resolve(file, facts, import) else {
                continue;
            };
            let text = |id| Box::from(facts.names.get(id));
            let inner: Option<Box<str>> = import.item.map(text);
            let name = import.alias.map(text).or_else(|| inner.clone());
            if (name.is_some() || import.wildcard) && from != [file] {
                passes_on.push(PassedOn { name, inner, from });
            }
        }
        Surface {
            defines: defined.map(|symbol| facts.name(symbol).into()).collect(),
            passes_on,
        }
    }
}

impl Modules {
    /// The files that define a name which is imported from a file: itself, unless it only hands the name on.
    pub fn origin(&self, surfaces: &dyn Surfaces, file: FileIdx, name: &str) -> Vec<FileIdx> {
        let path = self.files().path(file);
        let is_inner = is_directory_file(self.files().stem(file));
        let own = if is_inner {
            name_of(dir_of(path))
        } else {
            self.files().stem(file)
        };
        // The module itself, under its own name.
        if own == name {
            return vec![file];
        }
        let mut seen = FxHashSet::default();
        let found = self.origin_of(surfaces, file, name, &mut seen);
        found.unwrap_or_else(|| vec![file])
    }

    fn origin_of(
        &self,
        surfaces: &dyn Surfaces,
        file: FileIdx,
        name: &str,
        seen: &mut FxHashSet<FileIdx>,
    ) -> Option<Vec<FileIdx>> {
        if seen.len() > MAX_STEPS || !seen.insert(file) {
            return None;
        }
        let surface = surfaces.surface(file)?;
        if surface.defines.contains(name) {
            return Some(vec![file]);
        }
        let named = surface
            .passes_on
            .iter()
            .find(|passed| passed.name.as_deref() == Some(name));
        if let Some(passed) = named {
            let inner = passed.inner.as_deref().unwrap_or(name);
            return match passed.from.as_slice() {
                [from] => self
                    .origin_of(surfaces, *from, inner, seen)
                    .or_else(|| Some(vec![*from])),
                several => Some(several.to_vec()),
            };
        }
        let mut all = surface.passes_on.iter().filter(|passed| passed.name.is_none());
        all.find_map(|passed| match passed.from.as_slice() {
            [from] => self.origin_of(surfaces, *from, name, seen),
            _ => None,
        })
    }
}
