//! pytest: a parameter of a test is given what the fixture of its name returns.

use syntax::{RefIdx, Role, Symbol, SymbolIdx};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver},
    },
    files::{FileIdx, Files, joined, upwards},
    queries::references::{Origin, Use},
    types::ty::Ty,
    view::{SymbolId, View},
};

/// The files that a fixture is looked for in: the test's own, then each `conftest.py` on the way up.
fn sources(files: &Files, file: FileIdx) -> impl Iterator<Item = FileIdx> {
    let shared = upwards(files.dir(file)).filter_map(|dir| files.at(&joined(dir, "conftest.py")?));
    std::iter::once(file).chain(shared.filter(move |shared| *shared != file))
}

/// Whether a function is decorated as a fixture: `@pytest.fixture`.
fn is_fixture(view: &View, symbol: &Symbol) -> bool {
    let marks = view.references_named("fixture").iter();
    let mut marks = marks.map(|at| view.facts.references[*at].at);
    symbol.kind.is_function() && marks.any(|at| symbol.span.start <= at && at < symbol.name_at)
}

/// The type of a parameter that a fixture gives its value.
pub(super) fn injected_type(resolver: &Resolver<'_>, place: At<'_>, name: &str) -> Option<Ty> {
    let around = place.view.around(place.at).next();
    let is_parameter = around.is_some_and(|(_, symbol)| place.at < symbol.signature.end);
    let files = resolver.modules.files();
    let mut fixtures = sources(files, place.file)
        .take_while(|_| is_parameter)
        .filter_map(|file| {
            let view = resolver.view(file)?;
            let mut fixtures = view.symbols_named(name).filter(|(_, symbol)| is_fixture(&view, symbol));
            fixtures.next().map(|(symbol, _)| SymbolId { file, symbol })
        });
    fixtures.next().map(|fixture| resolver.value_of_symbol(fixture, None))
}

/// The parameters that some fixtures give their values; on request with the uses of those parameters.
pub(super) fn injections(resolver: &Resolver<'_>, targets: &[SymbolId], with_uses: bool) -> Vec<Use> {
    let fixtures = targets
        .iter()
        .filter(|target| resolver.symbol(**target, is_fixture) == Some(true));
    let mut found = Vec::new();
    for fixture in fixtures {
        let name = resolver.name_of(*fixture);
        for file in resolver.world.mentioning(&name) {
            let mut nearest = sources(resolver.modules.files(), file).filter(|source| {
                resolver.view(*source).is_some_and(|view| {
                    let mut named = view.symbols_named(&name);
                    named.any(|(_, symbol)| is_fixture(&view, symbol))
                })
            });
            if nearest.next() == Some(fixture.file) {
                add_injected(resolver, file, &name, with_uses, &mut found);
            }
        }
    }
    found
}

/// The parameters of a name in the tests and fixtures of a file.
fn add_injected(resolver: &Resolver<'_>, file: FileIdx, name: &str, with_uses: bool, found: &mut Vec<Use>) {
    let Some(view) = resolver.view(file) else { return };
    let takers = SymbolIdx::enumerate(&view.facts.symbols).filter(|(_, symbol)| {
        let is_test = symbol.is_test || view.facts.name(symbol).starts_with("test");
        symbol.kind.is_function() && (is_test || is_fixture(&view, symbol))
    });
    for (index, taker) in takers {
        let mut parameters = view.parameters(taker);
        let Some(parameter) = parameters.find(|binding| view.facts.names.get(binding.name) == name) else {
            continue;
        };
        let used = |reference: Option<RefIdx>, at: u32| Use {
            file,
            reference,
            at,
            role: Role::Variable,
            enclosing: Some(index),
            origin: Origin::Resolved(Rule::Injected),
            confidence: Rule::Injected.confidence(),
        };
        found.push(used(None, parameter.at));
        let inside = view.references_named(name).iter().filter(|_| with_uses);
        found.extend(inside.filter_map(|at| {
            let reference = &view.facts.references[*at];
            let is_it = matches!(resolver.meaning(file, *at), Meaning::Local(binding)
                if view.facts.bindings[binding].at == parameter.at);
            is_it.then(|| used(Some(*at), reference.at))
        }));
    }
}
