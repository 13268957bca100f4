//! Answers the questions of a truth set about one directory with nothing but parsing and resolving: for working on the
//! rules. `refs DIR QUERIES.jsonl REPO` prints one line of results for each question, as the set's scorer reads them.
//! `cargo xtask eval refs` asks the whole program.

use std::{collections::HashMap, env, fs, path::Path, sync::Arc};

use graph::{FileIdx, Files, LIKELY, Modules, Origin, Outline, Resolver, SymbolId, View, World};
use serde_json::{Value, json};
use syntax::{ChunkOptions, Role, SymbolKind, detect, file_facts};

struct InMemory {
    views: Vec<Arc<View>>,
    defining: HashMap<String, Vec<FileIdx>>,
    extending: HashMap<String, Vec<FileIdx>>,
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
        all.filter(|file| self.views[file.0 as usize].has_name(name)).collect()
    }
}

fn walk(dir: &Path, root: &Path, out: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, root, out);
        } else if let Ok(text) = fs::read_to_string(&path) {
            let relative = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            out.push((relative, text));
        }
    }
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let [_, dir, queries, repo] = arguments.as_slice() else {
        panic!("usage: refs DIR QUERIES.jsonl REPO");
    };
    let mut texts = Vec::new();
    walk(Path::new(dir), Path::new(dir), &mut texts);
    let options = ChunkOptions { size: 512, overlap: 64 };
    let mut world = InMemory {
        views: Vec::new(),
        defining: HashMap::new(),
        extending: HashMap::new(),
    };
    let mut files = Vec::new();
    for (index, (path, text)) in texts.iter().enumerate() {
        let lang = detect(path.rsplit('/').next().unwrap(), text.as_bytes());
        let facts = file_facts(lang, text, options);
        let outline = if graph::needs_outline(lang.name) {
            Outline::of(&facts)
        } else {
            Outline::default()
        };
        files.push((path.as_str(), lang.name, outline));
        for symbol in &facts.symbols {
            let map = if symbol.kind == SymbolKind::Impl {
                &mut world.extending
            } else {
                &mut world.defining
            };
            let list = map.entry(facts.name(symbol).to_owned()).or_default();
            if list.last() != Some(&FileIdx(index as u32)) {
                list.push(FileIdx(index as u32));
            }
        }
        world.views.push(Arc::new(View::new(Arc::new(facts))));
    }
    let manifests: Vec<(&str, &str)> = texts
        .iter()
        .filter(|(path, _)| graph::is_manifest(path))
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let modules = Modules::new(Files::new(files), &manifests);
    let resolver = Resolver::new(&world, &modules);
    let explain = env::var("EXPLAIN").ok();
    for line in fs::read_to_string(queries).unwrap().lines() {
        let query: Value = serde_json::from_str(line).unwrap();
        if query["repo"] != **repo || explain.as_ref().is_some_and(|id| query["id"] != **id) {
            continue;
        }
        let file = modules.files().at(query["def"]["path"].as_str().unwrap()).unwrap();
        let view = world.view(file).unwrap();
        let wanted = query["def"]["line"].as_u64().unwrap() as u32;
        let here = view
            .symbols_named(query["symbol"].as_str().unwrap())
            .find(|(_, symbol)| view.facts.lines.line(symbol.name_at) == wanted);
        let mut result = json!({"repo": repo, "id": query["id"], "definition": null});
        if let Some((symbol, _)) = here {
            let targets = resolver.same_thing(SymbolId { file, symbol });
            let place = |file: FileIdx, at: u32| {
                let line = world.views[file.0 as usize].facts.lines.line(at);
                (modules.files().path(file).to_owned(), line)
            };
            let uses = resolver.uses(&targets);
            let sure = uses
                .uses
                .iter()
                .filter(|used| used.confidence >= LIKELY && used.origin != Origin::Dispatch);
            let references: Vec<Value> = sure
                .clone()
                .map(|used| {
                    let (path, line) = place(used.file, used.at);
                    let origin = match used.origin {
                        Origin::Resolved(rule) => rule.as_str(),
                        Origin::Dispatch => "dispatch",
                        Origin::Name => "name",
                    };
                    json!({"path": path, "line": line, "confidence": used.confidence, "origin": origin})
                })
                .collect();
            let mut callers = Vec::new();
            for used in sure.filter(|used| used.role == Role::Call) {
                let view = &world.views[used.file.0 as usize];
                let function = view
                    .outwards(used.enclosing)
                    .find(|(_, symbol)| symbol.kind.is_function() || symbol.parent.is_none());
                let (path, line) = place(used.file, function.map_or(used.at, |(_, symbol)| symbol.name_at));
                let name = function.map_or("", |(_, symbol)| view.facts.name(symbol));
                let caller = json!({"path": path, "line": line, "name": name});
                if !callers.contains(&caller) {
                    callers.push(caller);
                }
            }
            let implementations: Vec<Value> = resolver
                .implementations(&targets)
                .iter()
                .map(|one| {
                    let view = &world.views[one.symbol.file.0 as usize];
                    let symbol = &view.facts.symbols[one.symbol.symbol as usize];
                    let (path, line) = place(one.symbol.file, symbol.name_at);
                    json!({"path": path, "line": line, "name": view.facts.name(symbol)})
                })
                .collect();
            if explain.is_some() {
                for used in &uses.uses {
                    eprintln!(
                        "{:?} {:?} {:.2} {:?}",
                        place(used.file, used.at),
                        used.origin,
                        used.confidence,
                        used.role
                    );
                }
                for file in world.mentioning(query["symbol"].as_str().unwrap()) {
                    let view = &world.views[file.0 as usize];
                    for index in view.references_named(query["symbol"].as_str().unwrap()) {
                        let reference = &view.facts.references[*index as usize];
                        eprintln!(
                            "{:?} {:?} {:?}",
                            place(file, reference.at),
                            reference.on,
                            resolver.meaning(file, *index)
                        );
                    }
                }
            }
            result["definition"] = json!([{"path": query["def"]["path"], "line": wanted}]);
            result["references"] = references.into();
            result["callers"] = callers.into();
            result["implementations"] = implementations.into();
        }
        println!("{result}");
    }
}
