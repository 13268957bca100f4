//! Who calls whom, and how one definition is reached from another.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{Role, Symbol, SymbolKind};

use crate::{
    files::FileIdx,
    references::{LIKELY, Origin, Use},
    resolve::{Meaning, Resolver},
    view::{SymbolId, View},
};

/// A function that calls what was asked about, or calls one that does.
#[derive(Debug, Clone, PartialEq)]
pub struct Caller {
    pub file: FileIdx,
    /// Nothing if the calls are outside of any definition.
    pub symbol: Option<SymbolId>,
    /// Where in it.
    pub sites: Vec<u32>,
    /// 1 for who calls it directly.
    pub depth: u32,
    /// What is called there: the target, or a caller one level nearer to it.
    pub calls: SymbolId,
    pub origin: Origin,
    pub confidence: f32,
}

/// What a function calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Callee {
    pub name: String,
    /// Its definitions; none if it is not of this workspace or not known.
    pub symbols: Vec<SymbolId>,
    /// It is known that it is not of this workspace.
    pub is_external: bool,
    /// The function that calls it: the one asked about, or one that it calls.
    pub caller: SymbolId,
    pub sites: Vec<u32>,
    pub depth: u32,
    pub origin: Origin,
    pub confidence: f32,
}

/// One step of a way: who uses the next, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub symbol: SymbolId,
    /// Where the next one is used; nothing for the last, and where the next stands in for this one.
    pub site: Option<u32>,
    pub role: Option<Role>,
}

/// Definitions that are looked at for one answer; a graph that goes on beyond is not drawn.
const MAX_NODES: usize = 2000;

impl Resolver<'_> {
    /// The function that a use is in, or else the outermost definition around it.
    pub fn caller_of(&self, used: &Use) -> Option<SymbolId> {
        let view = self.view(used.file)?;
        let symbol = running(&view, used.enclosing)?;
        Some(SymbolId {
            file: used.file,
            symbol,
        })
    }

    /// Who calls a definition, and who calls those, up to `depth` levels. Nearest first, then by file and place.
    pub fn callers(&self, targets: &[SymbolId], depth: u32) -> Vec<Caller> {
        let mut found: Vec<Caller> = Vec::new();
        let mut seen: FxHashSet<SymbolId> = targets.iter().copied().collect();
        let mut level: Vec<Vec<SymbolId>> = vec![targets.to_vec()];
        for depth in 1..=depth {
            let mut next = Vec::new();
            for targets in std::mem::take(&mut level) {
                let uses = self.uses(&targets).uses;
                for caller in self.grouped(&uses, targets[0], depth) {
                    match caller.symbol {
                        // Who calls itself is a caller, and known already.
                        Some(symbol) if !seen.insert(symbol) => {
                            if depth == 1 {
                                found.push(caller);
                            }
                        }
                        Some(symbol) => {
                            next.push(self.same_thing(symbol));
                            found.push(caller);
                        }
                        None => found.push(caller),
                    }
                }
                if seen.len() > MAX_NODES {
                    return found;
                }
            }
            level = next;
        }
        found
    }

    /// The calls among some uses, by the function that they are in.
    pub fn grouped(&self, uses: &[Use], calls: SymbolId, depth: u32) -> Vec<Caller> {
        let mut callers: Vec<Caller> = Vec::new();
        let mut places: FxHashMap<(FileIdx, Option<SymbolId>), usize> = FxHashMap::default();
        let made = uses
            .iter()
            .filter(|used| used.role == Role::Call && used.confidence >= LIKELY);
        for used in made {
            let symbol = self.caller_of(used);
            let place = *places.entry((used.file, symbol)).or_insert(callers.len());
            match callers.get_mut(place) {
                Some(caller) => {
                    caller.sites.push(used.at);
                    if used.confidence > caller.confidence {
                        caller.confidence = used.confidence;
                        caller.origin = used.origin;
                    }
                }
                None => callers.push(Caller {
                    file: used.file,
                    symbol,
                    sites: vec![used.at],
                    depth,
                    calls,
                    origin: used.origin,
                    confidence: used.confidence,
                }),
            }
        }
        callers
    }

    /// What a definition calls, and what those call, up to `depth` levels; in the order of the text at each level.
    pub fn callees(&self, targets: &[SymbolId], depth: u32) -> Vec<Callee> {
        let mut found: Vec<Callee> = Vec::new();
        let mut seen: FxHashSet<SymbolId> = targets.iter().copied().collect();
        let mut level: Vec<SymbolId> = targets.to_vec();
        for depth in 1..=depth {
            let mut next = Vec::new();
            for caller in std::mem::take(&mut level) {
                for callee in self.direct_callees(caller, depth) {
                    let fresh: Vec<SymbolId> = callee.symbols.iter().copied().filter(|id| seen.insert(*id)).collect();
                    if depth > 1 && fresh.is_empty() {
                        continue;
                    }
                    next.extend(fresh);
                    found.push(callee);
                }
                if seen.len() > MAX_NODES {
                    return found;
                }
            }
            level = next;
        }
        found
    }

    fn direct_callees(&self, caller: SymbolId, depth: u32) -> Vec<Callee> {
        let mut found: Vec<Callee> = Vec::new();
        let Some(view) = self.view(caller.file) else {
            return found;
        };
        for index in inside(&view, caller.symbol) {
            let reference = &view.facts.references[index as usize];
            if reference.role != Role::Call || !belongs(&view, caller.symbol, reference.at) {
                continue;
            }
            let name = view.facts.names.get(reference.name);
            let (symbols, is_external, origin, confidence) = match self.meaning(caller.file, index) {
                Meaning::Symbols(symbols, rule) => (symbols, false, Origin::Resolved(rule), rule.confidence()),
                Meaning::External => (Vec::new(), true, Origin::Name, 0.9),
                // A parameter or variable that holds a function.
                Meaning::Local(_) | Meaning::Files(_) => continue,
                Meaning::Missing | Meaning::Unknown => {
                    let named = self.members_named(caller.file, name);
                    let is_common = self.semantics(caller.file).common_members.contains(&name);
                    match named.as_slice() {
                        [(only, _)] if !is_common => (vec![*only], false, Origin::Name, 0.7),
                        [] => (Vec::new(), true, Origin::Name, 0.7),
                        _ => (Vec::new(), false, Origin::Name, 0.3),
                    }
                }
            };
            let known = found
                .iter_mut()
                .find(|callee| callee.name == name && callee.symbols == symbols);
            match known {
                Some(callee) => {
                    callee.sites.push(reference.at);
                    callee.confidence = callee.confidence.max(confidence);
                }
                None => found.push(Callee {
                    name: name.to_owned(),
                    symbols,
                    is_external,
                    caller,
                    sites: vec![reference.at],
                    depth,
                    origin,
                    confidence,
                }),
            }
        }
        found
    }

    /// The shortest way of calls from one definition to another, or else of any uses; no longer than `hops`.
    pub fn way(&self, from: &[SymbolId], to: &[SymbolId], hops: u32) -> Option<Vec<Step>> {
        self.way_by(from, to, hops, true)
            .or_else(|| self.way_by(from, to, hops, false))
    }

    fn way_by(&self, from: &[SymbolId], to: &[SymbolId], hops: u32, calls_only: bool) -> Option<Vec<Step>> {
        let mut before: FxHashMap<SymbolId, Option<Step>> = FxHashMap::default();
        let mut open: VecDeque<(SymbolId, u32)> = VecDeque::new();
        for start in from {
            before.insert(*start, None);
            open.push_back((*start, 0));
        }
        while let Some((symbol, distance)) = open.pop_front() {
            if to.contains(&symbol) && (distance > 0 || !from.contains(&symbol)) {
                return Some(way_back(&before, symbol));
            }
            if distance >= hops || before.len() > MAX_NODES {
                continue;
            }
            for (next, step) in self.neighbours(symbol, calls_only) {
                if let std::collections::hash_map::Entry::Vacant(entry) = before.entry(next) {
                    entry.insert(Some(step));
                    open.push_back((next, distance + 1));
                }
            }
        }
        None
    }

    /// What a definition leads to: what it uses, and what stands in for it.
    fn neighbours(&self, symbol: SymbolId, calls_only: bool) -> Vec<(SymbolId, Step)> {
        let mut found = Vec::new();
        let Some(view) = self.view(symbol.file) else {
            return found;
        };
        let is_type = view.facts.symbols[symbol.symbol as usize].kind.has_members();
        for index in inside(&view, symbol.symbol) {
            let reference = &view.facts.references[index as usize];
            let wanted = !calls_only || reference.role == Role::Call;
            if !wanted || !(is_type || belongs(&view, symbol.symbol, reference.at)) {
                continue;
            }
            if let Meaning::Symbols(symbols, _) = self.meaning(symbol.file, index) {
                let step = Step {
                    symbol,
                    site: Some(reference.at),
                    role: Some(reference.role),
                };
                found.extend(symbols.into_iter().map(|next| (next, step.clone())));
            }
        }
        let stands_alone = view.facts.symbols[symbol.symbol as usize].is_declaration;
        if stands_alone {
            let same = self.same_thing(symbol);
            let others = same.iter().copied().filter(|other| *other != symbol);
            let instead = self.implementations(&same).into_iter().map(|one| one.symbol);
            let step = Step {
                symbol,
                site: None,
                role: None,
            };
            found.extend(others.chain(instead).map(|next| (next, step.clone())));
        }
        found
    }
}

fn way_back(before: &FxHashMap<SymbolId, Option<Step>>, last: SymbolId) -> Vec<Step> {
    let mut way = vec![Step {
        symbol: last,
        site: None,
        role: None,
    }];
    let mut at = last;
    while let Some(Some(step)) = before.get(&at) {
        at = step.symbol;
        way.push(step.clone());
    }
    way.reverse();
    way
}

/// The innermost function at or around a symbol, or else the outermost symbol.
fn running(view: &View, from: Option<u32>) -> Option<u32> {
    let mut outermost = None;
    for (index, symbol) in view.outwards(from) {
        if runs(symbol) {
            return Some(index);
        }
        if !matches!(symbol.kind, SymbolKind::Module | SymbolKind::Namespace) {
            outermost = Some(index);
        }
    }
    outermost
}

fn runs(symbol: &Symbol) -> bool {
    symbol.kind.is_function()
}

/// Whether what is at a place is done by a symbol, and not by a function inside of it.
fn belongs(view: &View, symbol: u32, at: u32) -> bool {
    let inner = view.facts.enclosing(at);
    let mut around = view.outwards(inner).take_while(|(index, _)| *index != symbol);
    !around.any(|(_, inner)| runs(inner))
}

/// The references inside of a symbol.
fn inside(view: &View, symbol: u32) -> std::ops::Range<u32> {
    let span = view.facts.symbols[symbol as usize].span;
    let references = &view.facts.references;
    let first = references.partition_point(|reference| reference.at < span.start);
    let last = references.partition_point(|reference| reference.at < span.end);
    first as u32..last as u32
}
