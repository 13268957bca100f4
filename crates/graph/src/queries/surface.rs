//! The names that files export, and where re-exported names are defined.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use syntax::{FileFacts, SymbolKind};

use crate::{
    files::{FileIdx, dir_of, name_of},
    lang::imports_are_exports,
    modules::{Modules, Target, is_directory_file},
};

/// The names that a file defines or re-exports.
#[derive(Debug, Default)]
pub struct Surface {
    defines: FxHashSet<Box<str>>,
    reexports: Vec<Reexport>,
}

#[derive(Debug)]
struct Reexport {
    /// The exported name; `None` for a wildcard.
    name: Option<Box<str>>,
    /// Its name in the file that it is imported from: `Shape` in `export { Shape as Form } from "./shape"`.
    inner: Option<Box<str>>,
    from: Vec<FileIdx>,
}

/// A source of surfaces: read on demand, or all at once.
pub trait Surfaces {
    fn surface(&self, file: FileIdx) -> Option<Arc<Surface>>;
}

/// The longest chain of re-exports that is followed.
const MAX_STEPS: usize = 16;

impl Surface {
    pub fn of(modules: &Modules, file: FileIdx, facts: &FileFacts) -> Surface {
        let is_outer = |kind: SymbolKind| matches!(kind, SymbolKind::Module | SymbolKind::Namespace);
        let defined = facts.symbols.iter().filter(|symbol| {
            let parent = symbol.parent.map(|parent| facts.symbols[parent].kind);
            parent.is_none_or(is_outer) && symbol.kind != SymbolKind::Impl
        });
        let all = imports_are_exports(modules.files().lang(file));
        let mut reexports = Vec::new();
        for import in facts.imports.iter().filter(|import| all || import.reexport) {
            let Target::Local(from) = modules.resolve(file, facts, import) else {
                continue;
            };
            let text = |id| Box::from(facts.names.get(id));
            let inner: Option<Box<str>> = import.item.map(text);
            let name = import.alias.map(text).or_else(|| inner.clone());
            if (name.is_some() || import.wildcard) && from != [file] {
                reexports.push(Reexport { name, inner, from });
            }
        }
        Surface {
            defines: defined.map(|symbol| facts.name(symbol).into()).collect(),
            reexports,
        }
    }
}

impl Modules {
    /// The files that define a name which others import from `file`: the file itself, unless it re-exports the name.
    pub fn origin(&self, surfaces: &dyn Surfaces, file: FileIdx, name: &str) -> Vec<FileIdx> {
        let path = self.files().path(file);
        let is_inner = is_directory_file(self.files().stem(file));
        let own = if is_inner {
            name_of(dir_of(path))
        } else {
            self.files().stem(file)
        };
        // The name of the module itself.
        if own == name {
            return vec![file];
        }
        let mut seen = FxHashSet::default();
        let found = self.follow_reexports(surfaces, file, name, &mut seen);
        found.unwrap_or_else(|| vec![file])
    }

    fn follow_reexports(
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
            .reexports
            .iter()
            .find(|reexport| reexport.name.as_deref() == Some(name));
        if let Some(reexport) = named {
            let inner = reexport.inner.as_deref().unwrap_or(name);
            return match reexport.from.as_slice() {
                [from] => self
                    .follow_reexports(surfaces, *from, inner, seen)
                    .or_else(|| Some(vec![*from])),
                several => Some(several.to_vec()),
            };
        }
        let mut all = surface.reexports.iter().filter(|reexport| reexport.name.is_none());
        all.find_map(|reexport| match reexport.from.as_slice() {
            [from] => self.follow_reexports(surfaces, *from, name, seen),
            _ => None,
        })
    }
}
