//! `tests/fixtures/kotlin-java.fixture` goes in; the uses and implementations of each definition in it come out as
//! `kotlin-java.fixture.uses`. `UPDATE_EXPECT=1` writes the latter, and `cargo test -p graph fixtures::kotlin_java` runs
//! this one alone.
//!
//! These files show everything that is found, intended or not. `resolution` states what is intended.

use std::{collections::BTreeSet, fmt::Write, fs, path::PathBuf};

use graph::{FileIdx, Origin, Resolver, SymbolId, World, is_manifest, memory::InMemory};
use syntax::{SymbolIdx, SymbolKind};
use test_fixture::Fixture;

/// One module per fixture, so that each of them passes or fails alone.
macro_rules! fixtures {
    ($($name:ident,)*) => {
        $(mod $name {
            #[test]
            fn uses() {
                super::check_uses(stringify!($name));
            }

            #[test]
            fn order_of_questions() {
                crate::order::check(&super::world(stringify!($name)));
            }
        })*

        const LISTED: &[&str] = &[$(stringify!($name)),*];
    };
}

fixtures! {
    branches,
    c,
    c_included,
    c_macros,
    c_programs,
    classes_given,
    classes_themselves,
    clojure,
    cpp,
    cpp_declarations,
    cpp_friends,
    cpp_macros,
    cpp_overloads,
    csharp,
    csharp_alike,
    csharp_casts,
    csharp_delegates,
    csharp_lambdas,
    csharp_library,
    csharp_parts,
    dart,
    elixir,
    elm,
    erlang,
    generics,
    go,
    go_interfaces,
    go_main,
    go_types,
    haskell,
    java,
    java_overloads,
    java_records,
    javascript,
    javascript_comments,
    javascript_given,
    javascript_later,
    javascript_objects,
    julia,
    kotlin,
    kotlin_given,
    kotlin_java,
    kotlin_lambdas,
    kotlin_parts,
    kotlin_scopes,
    left_to_derived,
    lua,
    mixed,
    objc,
    ocaml,
    outside_bases,
    overridden_properties,
    pascal,
    perl,
    php,
    php_callables,
    php_comments,
    php_loops,
    python,
    python_aliases,
    python_declared_late,
    python_flow,
    python_given,
    python_parts,
    python_values,
    receivers,
    ruby,
    ruby_given,
    ruby_symbols,
    rust,
    rust_types,
    scala,
    scala_imports,
    scala_lambdas,
    scala_parts,
    scripts,
    several_values,
    solidity,
    stand_ins,
    swift,
    swift_closures,
    swift_parts,
    typescript,
    typescript_components,
    typescript_computed,
    typescript_flow,
    typescript_intersections,
    typescript_literals,
    typescript_merged,
    typescript_objects,
    typescript_parts,
    zig,
}

fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn world(name: &str) -> InMemory {
    let path = dir().join(format!("{}.fixture", name.replace('_', "-")));
    let files = Fixture::parse(&fs::read_to_string(path).unwrap()).revisions.remove(0);
    let texts: Vec<(&str, &str)> = files
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    InMemory::new(&texts)
}

fn check_uses(name: &str) {
    let golden = dir().join(format!("{}.fixture.uses", name.replace('_', "-")));
    expect_test::expect_file![golden].assert_eq(&rendered_uses(&world(name)));
}

/// Every definition of a tree, with its uses and implementations.
fn rendered_uses(world: &InMemory) -> String {
    let resolver = Resolver::new(world, &world.modules);
    let mut out = String::new();
    for file in world.modules.files().all() {
        if is_manifest(world.modules.files().path(file)) {
            continue;
        }
        let view = world.view(file).unwrap();
        for (at, symbol) in SymbolIdx::enumerate(&view.facts.symbols) {
            if symbol.kind == SymbolKind::Impl {
                continue;
            }
            let place = |file: FileIdx, at: u32| {
                let line = world.view(file).unwrap().facts.lines.line(at);
                format!("{}:{line}", world.modules.files().path(file))
            };
            let id = SymbolId { file, symbol: at };
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
                let symbol = &view.facts.symbols[one.symbol.symbol];
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
fn every_fixture_is_listed_and_every_golden_file_has_a_fixture() {
    let names = fs::read_dir(dir()).unwrap().map(|entry| entry.unwrap().file_name());
    let found: BTreeSet<String> = names.map(|name| name.into_string().unwrap()).collect();
    let listed = LISTED.iter().flat_map(|name| {
        let fixture = format!("{}.fixture", name.replace('_', "-"));
        [format!("{fixture}.uses"), fixture]
    });
    let listed: BTreeSet<String> = listed.collect();
    let differing: Vec<&String> = found.symmetric_difference(&listed).collect();
    assert!(
        differing.is_empty(),
        "a fixture is two files and one line in `fixtures!`; not so: {differing:?}"
    );
}
