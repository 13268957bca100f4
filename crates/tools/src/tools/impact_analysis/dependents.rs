//! What depends on a change: directly, through others, and which tests reach it.

use std::collections::{BTreeMap, BTreeSet};

use queries::{Bounds, Caller, CodeGraph, FileIdx, Reach, Role, SymbolId, Use, UseOrigin};

use super::{
    change::{Change, TargetUse, Urgency},
    diff::Effort,
    subsystem::{self, TESTS},
};

/// How far tests are looked for.
const TEST_DEPTH: u32 = 6;

pub(super) struct Dependents {
    /// By subsystem.
    pub direct: Vec<Direct>,
    /// Direct uses by tests, which are shown with the test.
    pub in_tests: BTreeMap<SymbolId, Direct>,
    /// Those that use it through others.
    pub callers: Vec<Caller>,
    pub tests: Vec<Caller>,
    /// Imports that are not listed.
    pub imports: usize,
    /// Dependents whose own users were not looked for.
    pub unexplored: usize,
    pub functions: usize,
    /// Files with code that depends on it, and those with anything that is listed.
    pub files: usize,
    pub listed_files: usize,
}

/// The uses in one function, or outside of any in one file.
pub(super) struct Direct {
    pub file: FileIdx,
    pub symbol: Option<SymbolId>,
    pub uses: Vec<TargetUse>,
    pub subsystem: String,
}

impl Direct {
    fn is_only(&self, role: Role) -> bool {
        self.uses.iter().all(|one| one.used.role == role)
    }
}

/// How many uses there are in some places.
pub(super) fn count_uses<'d>(places: impl IntoIterator<Item = &'d Direct>) -> usize {
    places.into_iter().map(|one| one.uses.len()).sum()
}

impl Dependents {
    /// With callers up to a level.
    pub fn of(change: &Change<'_>, depth: u32, effort: Effort) -> Dependents {
        let graph = change.graph;
        let mut direct = by_function(change);
        let mut files: BTreeSet<FileIdx> = direct.iter().map(|one| one.file).collect();
        let imports = drop_idle_imports(change, &mut direct);
        // Implementations have a list of their own.
        direct.retain(|one| change.implementations.is_empty() || !one.is_only(Role::Implementation));

        let bounds = Bounds {
            depth: depth.max(TEST_DEPTH),
            lookups: effort.lookups,
            files: effort.files,
        };
        let uses: Vec<Use> = change.uses.iter().map(|one| one.used.clone()).collect();
        let reach = graph.reach(&change.ids, &uses, bounds);
        let tests = tests_to_run(change, &reach);
        let is_near = |one: &Caller| one.depth <= depth && one.symbol.is_some_and(|id| !graph.is_test(id));
        let near: Vec<Caller> = reach.dependents.into_iter().filter(is_near).collect();
        let is_function = |one: &&Caller| one.symbol.is_some_and(|id| graph.is_function(id));
        let functions = near.iter().filter(is_function).count();

        files.extend(near.iter().map(|one| one.file));
        let n_files = files.len();
        files.extend(tests.iter().map(|test| test.file));
        files.extend(change.implementations.iter().map(|one| one.symbol.file));

        subsystem::assign(graph, &mut direct);
        let (mut direct, in_tests) = apart_from_tests(graph, direct, &tests);
        sort_direct(change, &mut direct);
        Dependents {
            direct,
            in_tests,
            callers: near.into_iter().filter(|one| one.depth > 1).collect(),
            tests,
            imports,
            unexplored: reach.unexplored.len(),
            functions,
            files: n_files,
            listed_files: files.len(),
        }
    }
}

/// By subsystem, those that what became of something matters to most first.
fn sort_direct(change: &Change<'_>, direct: &mut [Direct]) {
    let urgency = |one: &Direct| one.uses.iter().map(|one| change.urgencies[one.target]).min();
    let mut most: BTreeMap<String, Option<Urgency>> = BTreeMap::new();
    for one in direct.iter() {
        let known = most.entry(one.subsystem.clone()).or_insert(urgency(one));
        *known = (*known).min(urgency(one));
    }
    direct.sort_by_cached_key(|one| {
        let is_tests = one.subsystem == TESTS;
        let name = one.subsystem.clone();
        (most[&one.subsystem], is_tests, name, urgency(one), one.file)
    });
}

/// The uses of a change by where they are.
fn by_function(change: &Change<'_>) -> Vec<Direct> {
    let changed: BTreeSet<SymbolId> = change.changed.iter().filter_map(|one| one.symbol.id).collect();
    let mut direct: Vec<Direct> = Vec::new();
    let mut places: BTreeMap<(FileIdx, Option<SymbolId>), usize> = BTreeMap::new();
    for one in &change.uses {
        let file = one.used.file;
        let symbol = match one.used.role {
            Role::Import => None,
            _ => change.graph.function_around(&one.used),
        };
        // What is used inside of itself was changed with it.
        if symbol.is_some_and(|symbol| changed.contains(&symbol) && change.ids.contains(&symbol)) {
            continue;
        }
        let at = *places.entry((file, symbol)).or_insert(direct.len());
        if at == direct.len() {
            direct.push(Direct {
                file,
                symbol,
                uses: Vec::new(),
                subsystem: String::new(),
            });
        }
        direct[at].uses.push(one.clone());
    }
    direct
}

/// An import says nothing where the name is used as well, unless it has to be mended. Tells how many are dropped.
fn drop_idle_imports(change: &Change<'_>, direct: &mut Vec<Direct>) -> usize {
    let with_code = direct.iter().filter(|one| one.symbol.is_some());
    let with_code: BTreeSet<FileIdx> = with_code.map(|one| one.file).collect();
    let before = count_uses(&*direct);
    for one in direct.iter_mut() {
        if one.is_only(Role::Import) && with_code.contains(&one.file) {
            one.uses.retain(|one| change.imports_matter.contains(&one.target));
        }
    }
    direct.retain(|one| !one.uses.is_empty());
    before - count_uses(&*direct)
}

/// The tests that reach a change, and those that are part of it.
fn tests_to_run(change: &Change<'_>, reach: &Reach) -> Vec<Caller> {
    let graph = change.graph;
    let mut tests = graph.tests_among(reach);
    let own = change.ids.iter().filter(|id| graph.runs_as_test(**id));
    tests.extend(own.map(|id| Caller {
        file: id.file,
        symbol: Some(*id),
        sites: Vec::new(),
        depth: 0,
        calls: *id,
        origin: UseOrigin::Name,
        confidence: 1.0,
    }));
    tests.sort_by_key(|one| (one.depth, one.file, one.symbol));
    if !change.changed.is_empty() {
        tests = in_turn(change, reach, tests);
    }
    tests
}

/// Some tests of each changed thing before more of any, those of the most urgent one first.
fn in_turn(change: &Change<'_>, reach: &Reach, tests: Vec<Caller>) -> Vec<Caller> {
    let graph = change.graph;
    let test_of = |symbol: SymbolId| graph.test_around(symbol).unwrap_or(symbol);
    // What each dependent uses in the end.
    let mut used: BTreeMap<SymbolId, (Urgency, usize)> = BTreeMap::new();
    for one in &change.uses {
        if let Some(symbol) = graph.function_around(&one.used) {
            let target = (change.urgencies[one.target], one.target);
            for user in [symbol, test_of(symbol)] {
                let known = used.entry(user).or_insert(target);
                *known = target.min(*known);
            }
        }
    }
    for one in reach.dependents.iter().filter(|one| one.depth > 1) {
        if let (Some(symbol), Some(target)) = (one.symbol, used.get(&one.calls).copied()) {
            for user in [symbol, test_of(symbol)] {
                used.entry(user).or_insert(target);
            }
        }
    }
    let mut turns: BTreeMap<usize, usize> = BTreeMap::new();
    let mut order: Vec<_> = tests
        .into_iter()
        .map(|test| {
            let target = test.symbol.and_then(|symbol| used.get(&symbol).copied());
            let (urgency, target) = target.unwrap_or((Urgency::Layout, usize::MAX));
            let turn = turns.entry(target).or_default();
            *turn += 1;
            // What was changed itself is to be run whatever it reaches.
            let place = if test.depth == 0 { 0 } else { *turn };
            ((place, urgency, target), test)
        })
        .collect();
    order.sort_by_key(|(place, _)| *place);
    order.into_iter().map(|(_, test)| test).collect()
}

/// Tells the uses in tests that are listed, by test, from all others.
fn apart_from_tests(
    graph: &CodeGraph<'_>,
    direct: Vec<Direct>,
    tests: &[Caller],
) -> (Vec<Direct>, BTreeMap<SymbolId, Direct>) {
    let tests: BTreeSet<SymbolId> = tests.iter().filter_map(|test| test.symbol).collect();
    let (mut others, mut in_tests) = (Vec::new(), BTreeMap::<SymbolId, Direct>::new());
    for one in direct {
        let test = one.symbol.map(|symbol| graph.test_around(symbol).unwrap_or(symbol));
        match test.filter(|test| tests.contains(test)) {
            Some(test) => match in_tests.get_mut(&test) {
                Some(known) => known.uses.extend(one.uses),
                None => drop(in_tests.insert(test, one)),
            },
            None => others.push(one),
        }
    }
    (others, in_tests)
}
