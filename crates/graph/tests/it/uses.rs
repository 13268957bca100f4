//! `tests/fixtures/python.fixture` goes in; who uses and who implements each definition in it comes out as
//! `python.fixture.uses`. `UPDATE_EXPECT=1` writes the latter.

use std::{fmt::Write, fs, path::Path};

use graph::{FileIdx, Origin, Resolver, SymbolId, World, memory::InMemory};
use syntax::SymbolKind;
use test_fixture::Fixture;

/// Every definition of a tree, with its uses and implementations. The only place that knows the interface.
fn described(fixture: &str) -> String {
    let files = Fixture::parse(fixture).revisions.remove(0);
    let texts: Vec<(&str, &str)> = files
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let world = InMemory::new(&texts);
    let resolver = Resolver::new(&world, &world.modules);
    let mut out = String::new();
    for file in world.modules.files().all() {
        let view = world.view(file).unwrap();
        for (at, symbol) in view.facts.symbols.iter().enumerate() {
            if symbol.kind == SymbolKind::Impl || graph::is_manifest(world.modules.files().path(file)) {
                continue;
            }
            let place = |file: FileIdx, at: u32| {
                let line = world.view(file).unwrap().facts.lines.line(at);
                format!("{}:{line}", world.modules.files().path(file))
            };
            let id = SymbolId {
                file,
                symbol: at as u32,
            };
            let targets = resolver.same_thing(id);
            let _ = writeln!(
                out,
                "{} {} {}",
                place(file, symbol.name_at),
                symbol.kind.as_str(),
                view.facts.path_of(symbol).join(".")
            );
            for used in resolver.uses(&targets).uses {
                let known = match used.origin {
                    Origin::Resolved(rule) => rule.as_str().to_owned(),
                    Origin::Dispatch => "may reach it".to_owned(),
                    Origin::Name => format!("name {:.2}", used.confidence),
                };
                let _ = writeln!(out, "  {} {} ({known})", place(used.file, used.at), used.role.as_str());
            }
            for one in resolver.implementations(&targets) {
                let view = world.view(one.symbol.file).unwrap();
                let symbol = &view.facts.symbols[one.symbol.symbol as usize];
                let _ = writeln!(
                    out,
                    "  implemented by {} at {}, distance {}",
                    view.facts.path_of(symbol).join("."),
                    place(one.symbol.file, symbol.name_at),
                    one.distance
                );
            }
        }
    }
    out
}

#[test]
fn uses_are_found_as_each_language_means_them() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut paths: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "fixture"));
    assert!(!paths.is_empty());
    for path in paths {
        let fixture = fs::read_to_string(&path).unwrap();
        let mut golden = path.into_os_string();
        golden.push(".uses");
        expect_test::expect_file![Path::new(&golden)].assert_eq(&described(&fixture));
    }
}

#[test]
fn the_list_of_languages_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/languages.md");
    let written = fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == syntax::languages_md(graph::has_rules),
        "docs/languages.md is old: run `cargo xtask docs`"
    );
}
