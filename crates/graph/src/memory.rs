//! A workspace that is held in memory as a whole: for tests, and for working on the rules.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use syntax::{ChunkOptions, SymbolKind, detect, file_facts};

use crate::{
    files::{FileIdx, Files},
    modules::{Modules, is_manifest, needs_outline},
    outline::Outline,
    view::{View, World},
};

pub struct InMemory {
    pub modules: Modules,
    views: Vec<Arc<View>>,
    defining: FxHashMap<String, Vec<FileIdx>>,
    extending: FxHashMap<String, Vec<FileIdx>>,
}

impl InMemory {
    /// Paths relative to the root, with `/`, and texts.
    pub fn new(texts: &[(&str, &str)]) -> InMemory {
        let mut views = Vec::new();
        let mut files = Vec::new();
        let mut defining: FxHashMap<String, Vec<FileIdx>> = FxHashMap::default();
        let mut extending: FxHashMap<String, Vec<FileIdx>> = FxHashMap::default();
        for (index, (path, text)) in texts.iter().enumerate() {
            let name = path.rsplit('/').next().unwrap_or(path);
            let lang = detect(name, text.as_bytes());
            let facts = file_facts(lang, text, ChunkOptions { size: 512, overlap: 64 });
            let outline = if needs_outline(lang.id) {
                Outline::of(&facts)
            } else {
                Outline::default()
            };
            files.push((*path, lang.id, outline));
            let file = FileIdx(index as u32);
            for symbol in &facts.symbols {
                let map = match symbol.kind {
                    SymbolKind::Impl => &mut extending,
                    _ => &mut defining,
                };
                let list = map.entry(facts.name(symbol).to_owned()).or_default();
                if list.last() != Some(&file) {
                    list.push(file);
                }
            }
            views.push(Arc::new(View::new(Arc::new(facts))));
        }
        let manifests = texts.iter().copied().filter(|(path, _)| is_manifest(path));
        let manifests: Vec<(&str, &str)> = manifests.collect();
        InMemory {
            modules: Modules::new(Files::new(files), &manifests),
            views,
            defining,
            extending,
        }
    }
}

impl World for InMemory {
    fn view(&self, file: FileIdx) -> Option<Arc<View>> {
        self.views.get(file.0 as usize).cloned()
    }

    fn defining(&self, name: &str) -> Vec<FileIdx> {
        self.defining.get(name).cloned().unwrap_or_default()
    }

    fn extending(&self, name: &str) -> Vec<FileIdx> {
        self.extending.get(name).cloned().unwrap_or_default()
    }

    fn mentioning(&self, name: &str) -> Vec<FileIdx> {
        let all = (0..self.views.len() as u32).map(FileIdx);
        let mentions = |view: &View| {
            let paths = view
                .facts
                .imports
                .iter()
                .map(|import| view.facts.names.get(import.path));
            let mut words = paths.flat_map(|path| path.split(|c: char| !(c.is_alphanumeric() || c == '_')));
            view.has_name(name) || words.any(|word| word == name)
        };
        all.filter(|file| mentions(&self.views[file.0 as usize])).collect()
    }
}
