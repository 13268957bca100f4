//! What resolution is meant to find: `tests/resolution/kotlin.fixture` states, for one small case after the other, which
//! marked uses belong to which marked definitions, and that they belong to no other marked one.
//!
//! | label | states |
//! |---|---|
//! | `def NAME` | a definition, or a local name, that the case calls so |
//! | `ref NAME` | a use of it, found by the rules of the language |
//! | `may NAME` | a call that may reach it, since it overrides what is called |
//! | `guess NAME` | a use that no rule decides and that is most likely of it |
//! | `impl NAME` | a definition that implements or overrides it |
//! | `other` | a use of none of the marked definitions |
//!
//! Without a name, the marked text is the name. A title that begins with `FIXME` says what is wrong: its labels state
//! what is found today.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::PathBuf,
};

use graph::{FileIdx, LIKELY, Meaning, Origin, Resolver, SymbolId, World, memory::InMemory};
use syntax::RefIdx;
use test_fixture::{Case, Fixture, cases, labels};

macro_rules! languages {
    ($($name:ident,)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        const LISTED: &[&str] = &[$(stringify!($name)),*];
    };
}

languages! {
    bash,
    c,
    cpp,
    csharp,
    dart,
    elixir,
    erlang,
    go,
    haskell,
    java,
    javascript,
    julia,
    kotlin,
    lua,
    objc,
    ocaml,
    pascal,
    perl,
    php,
    python,
    ruby,
    rust,
    scala,
    solidity,
    swift,
    typescript,
    zig,
}

fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/resolution")
}

fn check(lang: &str) {
    let text = fs::read_to_string(dir().join(format!("{lang}.fixture"))).unwrap();
    let failures: Vec<String> = cases(&text).iter().flat_map(failures).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

type Place = (FileIdx, u32);

/// What is stated of a place, or found there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    Resolved,
    Dispatched,
    Guessed,
    Implements,
}

struct Found(BTreeSet<(Relation, String)>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.iter().map(|(relation, name)| {
            let word = match relation {
                Relation::Resolved => "ref",
                Relation::Dispatched => "may",
                Relation::Guessed => "guess",
                Relation::Implements => "impl",
            };
            format!("{word} {name}")
        });
        match self.0.is_empty() {
            true => f.write_str("other"),
            false => f.write_str(&shown.collect::<Vec<_>>().join(", ")),
        }
    }
}

/// What the labels of a case state.
#[derive(Default)]
struct Stated {
    definitions: BTreeMap<String, Place>,
    /// Of every marked place.
    relations: BTreeMap<Place, BTreeSet<(Relation, String)>>,
    others: BTreeSet<Place>,
}

impl Stated {
    fn add(&mut self, place: Place, marked: &str, states: &str) {
        let relations = self.relations.entry(place).or_default();
        for one in states.split(',').map(str::trim) {
            let (word, name) = one.split_once(' ').unwrap_or((one, marked));
            let relation = match word {
                "def" => {
                    let before = self.definitions.insert(name.to_owned(), place);
                    assert!(before.is_none(), "two definitions are called {name:?}");
                    continue;
                }
                "other" => {
                    self.others.insert(place);
                    continue;
                }
                "ref" => Relation::Resolved,
                "may" => Relation::Dispatched,
                "guess" => Relation::Guessed,
                "impl" => Relation::Implements,
                _ => panic!("no label: {one:?}"),
            };
            relations.insert((relation, name.to_owned()));
        }
    }
}

fn failures(case: &Case) -> Vec<String> {
    let files = Fixture::parse(case.fixture).revisions.remove(0);
    let mut stated = Stated::default();
    let mut texts = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let (text, labels) = labels(&file.text);
        for label in labels {
            stated.add((FileIdx(index as u32), label.at), &label.marked, &label.states);
        }
        texts.push((file.path.as_str(), text));
    }
    let texts: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let world = InMemory::new(&texts);
    let mut found: BTreeMap<Place, BTreeSet<(Relation, String)>> = BTreeMap::new();
    for (name, place) in &stated.definitions {
        for (at, relation) in relations_to(&world, *place) {
            found.entry(at).or_default().insert((relation, name.clone()));
        }
    }
    let shown = |(file, at): Place| {
        let (path, text) = texts[file.0 as usize];
        let start = text[..at as usize].rfind('\n').map_or(0, |end| end + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        let column = text[start..at as usize].chars().count();
        format!("  {path}\n    {line}\n    {}^", " ".repeat(column))
    };
    let mut failures = Vec::new();
    for (place, stated) in stated.relations {
        let found = Found(found.remove(&place).unwrap_or_default());
        let stated = Found(stated);
        if stated.0 != found.0 {
            failures.push(format!("{} stated: {stated}; found: {found}", shown(place)));
        }
    }
    let is_use = |(file, at): &Place| world.view(*file).unwrap().reference_at(*at).is_some();
    let no_uses = stated.others.into_iter().filter(|place| !is_use(place));
    failures.extend(no_uses.map(|place| format!("{} no use of a name is known here", shown(place))));
    if !failures.is_empty() {
        failures.insert(0, case.title.to_owned());
    }
    failures
}

/// The places that belong to the definition at a place.
fn relations_to(world: &InMemory, (file, at): Place) -> Vec<(Place, Relation)> {
    let resolver = Resolver::new(world, &world.modules);
    let view = world.view(file).unwrap();
    let Some(symbol) = view.symbol_named_at(at) else {
        return uses_of_local(&resolver, (file, at));
    };
    let targets = resolver.same_thing(SymbolId { file, symbol });
    let uses = resolver.uses(&targets).uses.into_iter().filter_map(|used| {
        let relation = match used.origin {
            Origin::Resolved(_) => Relation::Resolved,
            Origin::Dispatch => Relation::Dispatched,
            Origin::Name if used.confidence >= LIKELY => Relation::Guessed,
            Origin::Name => return None,
        };
        Some(((used.file, used.at), relation))
    });
    let implementations = resolver.implementations(&targets).into_iter().map(|one| {
        let view = world.view(one.symbol.file).unwrap();
        let name_at = view.facts.symbols[one.symbol.symbol].name_at;
        ((one.symbol.file, name_at), Relation::Implements)
    });
    uses.chain(implementations).collect()
}

fn uses_of_local(resolver: &Resolver, (file, at): Place) -> Vec<(Place, Relation)> {
    let view = resolver.view(file).unwrap();
    let bindings = &view.facts.bindings;
    let is_known = bindings.iter().any(|binding| binding.at == at);
    assert!(
        is_known,
        "neither a definition nor a local name is at byte {at} of file {}",
        file.0
    );
    let references = RefIdx::enumerate(&view.facts.references);
    let uses = references.filter(|(index, _)| match resolver.meaning(file, *index) {
        Meaning::Local(binding) => bindings[binding].at == at,
        _ => false,
    });
    uses.map(|(_, used)| ((file, used.at), Relation::Resolved)).collect()
}

#[test]
fn every_file_is_listed() {
    let names = fs::read_dir(dir()).unwrap().map(|entry| entry.unwrap().file_name());
    let found: BTreeSet<String> = names.map(|name| name.into_string().unwrap()).collect();
    let listed: BTreeSet<String> = LISTED.iter().map(|name| format!("{name}.fixture")).collect();
    assert_eq!(found, listed, "one line in `languages!` for each file");
}
