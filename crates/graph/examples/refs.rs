//! Answers questions about one directory with nothing but parsing and resolving: for working on the rules.
//!
//! `refs DIR QUERIES.jsonl REPO` prints a line of results for each question of a truth set, as its scorer reads them.
//! `refs DIR NAME` explains every definition of a name: its uses, and what each mention of it is taken for.
//! `cargo xtask eval refs` asks the whole program.

use std::{env, fs, path::Path};

use graph::{FileIdx, LIKELY, Origin, Resolver, SymbolId, Use, World, memory::InMemory};
use serde_json::{Value, json};
use syntax::Role;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some(dir) = arguments.first() else {
        panic!("usage: refs DIR QUERIES.jsonl REPO | refs DIR NAME");
    };
    let mut texts = Vec::new();
    walk(Path::new(dir), Path::new(dir), &mut texts);
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let world = InMemory::new(&texts);
    let asked = Asked {
        resolver: Resolver::new(&world, &world.modules),
        world: &world,
    };
    match &arguments[1..] {
        [name] => asked.explain(name),
        [queries, repo] => {
            for line in fs::read_to_string(queries).unwrap().lines() {
                let query: Value = serde_json::from_str(line).unwrap();
                if query["repo"] == **repo {
                    println!("{}", asked.answer(&query));
                }
            }
        }
        _ => panic!("a name, or a file of questions and the name of a repository"),
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

struct Asked<'w> {
    resolver: Resolver<'w>,
    world: &'w InMemory,
}

impl Asked<'_> {
    fn place(&self, file: FileIdx, at: u32) -> (String, u32) {
        let line = self.world.view(file).unwrap().facts.lines.line(at);
        (self.world.modules.files().path(file).to_owned(), line)
    }

    fn answer(&self, query: &Value) -> Value {
        let mut result = json!({"repo": query["repo"], "id": query["id"], "definition": null});
        let path = query["def"]["path"].as_str().unwrap();
        let file = self.world.modules.files().at(path).unwrap();
        let view = self.world.view(file).unwrap();
        let here = view
            .symbols_named(query["symbol"].as_str().unwrap())
            .find(|(_, symbol)| query["def"]["line"] == view.facts.lines.line(symbol.name_at));
        let Some((symbol, _)) = here else { return result };
        let targets = self.resolver.same_thing(SymbolId { file, symbol });
        let uses = self.resolver.uses(&targets).uses;
        let sure = uses
            .iter()
            .filter(|used| used.confidence >= LIKELY && used.origin != Origin::Dispatch);
        let references = sure.clone().map(|used| {
            let (path, line) = self.place(used.file, used.at);
            json!({"path": path, "line": line, "confidence": used.confidence, "origin": origin(used)})
        });
        let mut callers = Vec::new();
        for used in sure.clone().filter(|used| used.role == Role::Call) {
            let view = self.world.view(used.file).unwrap();
            let function = view
                .outwards(used.enclosing)
                .find(|(_, symbol)| symbol.runs() || symbol.parent.is_none());
            let (path, line) = self.place(used.file, function.map_or(used.at, |(_, symbol)| symbol.name_at));
            let name = function.map_or("", |(_, symbol)| view.facts.name(symbol));
            let caller = json!({"path": path, "line": line, "name": name});
            if !callers.contains(&caller) {
                callers.push(caller);
            }
        }
        let implementations = self.resolver.implementations(&targets).into_iter().map(|one| {
            let view = self.world.view(one.symbol.file).unwrap();
            let symbol = &view.facts.symbols[one.symbol.symbol];
            let (path, line) = self.place(one.symbol.file, symbol.name_at);
            json!({"path": path, "line": line, "name": view.facts.name(symbol)})
        });
        result["definition"] = json!([query["def"]]);
        result["references"] = references.collect();
        result["implementations"] = implementations.collect();
        result["callers"] = callers.into();
        result
    }

    fn explain(&self, name: &str) {
        for file in self.world.defining(name) {
            let view = self.world.view(file).unwrap();
            for (symbol, found) in view.symbols_named(name) {
                let (path, line) = self.place(file, found.name_at);
                println!(
                    "{path}:{line} {} {}",
                    found.kind.as_str(),
                    view.facts.path_of(found).join(".")
                );
                let targets = self.resolver.same_thing(SymbolId { file, symbol });
                for used in self.resolver.uses(&targets).uses {
                    let (path, line) = self.place(used.file, used.at);
                    println!("  {path}:{line} {} {:.2}", origin(&used), used.confidence);
                }
            }
        }
        println!("every mention");
        for file in self.world.mentioning(name) {
            let view = self.world.view(file).unwrap();
            for index in view.references_named(name) {
                let reference = &view.facts.references[*index];
                let (path, line) = self.place(file, reference.at);
                let meaning = self.resolver.meaning(file, *index);
                println!("  {path}:{line} {:?} {:?}: {meaning:?}", reference.role, reference.on);
            }
        }
    }
}

fn origin(used: &Use) -> &'static str {
    match used.origin {
        Origin::Resolved(rule) => rule.as_str(),
        Origin::Dispatch => "dispatch",
        Origin::Name => "name",
    }
}
