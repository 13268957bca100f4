//! Who calls whom, and how one definition is reached from another.

use std::{
    collections::{BTreeSet, VecDeque},
    rc::Rc,
};

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{RefIdx, Role, Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::Resolver,
    },
    files::FileIdx,
    queries::{
        likelihood::Namesakes,
        references::{LIKELY, Origin, Use, is_access},
    },
    types::ty::Base,
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
    /// Where the next one is used; nothing for the last, where the next stands in for this one, and where the next makes
    /// values of this one.
    pub site: Option<u32>,
    pub role: Option<Role>,
    /// How it is known that the next one is meant.
    pub origin: Origin,
    pub confidence: f32,
}

impl Step {
    fn last(symbol: SymbolId) -> Step {
        Step {
            symbol,
            site: None,
            role: None,
            origin: Origin::Resolved(Rule::Scope),
            confidence: Rule::Scope.confidence(),
        }
    }
}

/// Which way is looked for.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    pub from: &'a [SymbolId],
    pub to: &'a [SymbolId],
    /// How long it may be.
    pub hops: u32,
    /// What it may not lead through.
    pub avoids: &'a dyn Fn(SymbolId) -> bool,
}

/// What a search for a way found.
#[derive(Debug, Default)]
pub struct Way {
    /// From the first to the last, if there is one.
    pub steps: Option<Vec<Step>>,
    /// All of its steps are calls.
    pub by_calls: bool,
    /// Definitions whose uses of others were followed.
    pub looked_at: usize,
    /// There were more to look at than are looked at for one answer.
    pub is_cut: bool,
    /// Names that were called on the way and several definitions have, where nothing tells which is meant.
    pub open: BTreeSet<String>,
}

/// What a search for a way has come to know.
#[derive(Default)]
struct Followed {
    /// `Way::open`
    open: BTreeSet<String>,
    /// By a member that has code of its own, those that stand in for it.
    overriding: FxHashMap<SymbolId, Rc<[SymbolId]>>,
}

/// Definitions that are looked at for one answer; a graph that goes on beyond is not drawn.
const MAX_NODES: usize = 2000;

/// Definitions that are looked at before a way is looked for from its end, and those that are looked at from there.
const FEW_NODES: usize = 200;

/// A name that more files have is not gone back from.
const MANY_MENTIONS: usize = 200;

impl Resolver<'_> {
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

    /// Whether a use has something run: a call, or any access to a property.
    pub fn runs(&self, used: &Use, of: SymbolId) -> bool {
        used.role == Role::Call || (is_access(used.role) && self.kind_of(of) == Some(SymbolKind::Property))
    }

    /// The calls among some uses, by the function that they are in.
    pub fn grouped(&self, uses: &[Use], calls: SymbolId, depth: u32) -> Vec<Caller> {
        let mut callers: Vec<Caller> = Vec::new();
        let mut places: FxHashMap<(FileIdx, Option<SymbolId>), usize> = FxHashMap::default();
        let made = uses
            .iter()
            .filter(|used| used.confidence >= LIKELY && self.runs(used, calls));
        for used in made {
            let symbol = self.caller_of(used);
            let place = *places.entry((used.file, symbol)).or_insert(callers.len());
            match callers.get_mut(place) {
                Some(caller) => {
                    caller.sites.push(used.at);
                    let is_first_direct = caller.origin == Origin::Dispatch && used.origin != Origin::Dispatch;
                    if used.confidence > caller.confidence || is_first_direct {
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
                    // What the fields of a type are given is done where a value of it is made.
                    let made = fresh.iter().filter_map(|id| self.constructed(*id));
                    let made: Vec<SymbolId> = made.filter(|made| seen.insert(*made)).collect();
                    next.extend(fresh.into_iter().chain(made));
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

    pub(crate) fn direct_callees(&self, caller: SymbolId, depth: u32) -> Vec<Callee> {
        let Some(view) = self.view(caller.file) else {
            return Vec::new();
        };
        let own = inside(&view, caller.symbol);
        let own = own.filter(|index| belongs(&view, caller.symbol, view.facts.references[*index].at));
        self.called(&view, caller, own, depth)
    }

    /// What a file calls outside of any definition.
    pub(crate) fn called_at_top_level(&self, file: FileIdx) -> Vec<Callee> {
        let Some(view) = self.view(file) else {
            return Vec::new();
        };
        let at_top = |index: &RefIdx| running(&view, view.facts.references[*index].at).is_none();
        let own = RefIdx::all(&view.facts.references).filter(at_top);
        // There is no symbol to name as the caller; nobody asks for it.
        let symbol = SymbolIdx::new(0);
        self.called(&view, SymbolId { file, symbol }, own, 1)
    }

    fn called(
        &self,
        view: &View,
        caller: SymbolId,
        references: impl Iterator<Item = RefIdx>,
        depth: u32,
    ) -> Vec<Callee> {
        let mut found: Vec<Callee> = Vec::new();
        let of = |index: &RefIdx| &view.facts.references[*index];
        let calls: Vec<RefIdx> = references
            .filter(|index| self.is_call(caller.file, view, *index))
            .collect();
        self.world
            .expect(caller.file, &mut calls.iter().map(|index| of(index).at));
        for index in calls {
            let reference = of(&index);
            let name = view.facts.names.get(reference.name);
            let (symbols, is_external, origin, confidence) = match self.meaning(caller.file, index) {
                Meaning::Symbols(symbols, rule) => {
                    let (symbols, rule) = self.resolve_alias(symbols, rule);
                    let symbols = self.with_constructor(symbols, caller.file, view, index);
                    (symbols, false, Origin::Resolved(rule), rule.confidence())
                }
                Meaning::External => (Vec::new(), true, Origin::Name, 0.9),
                // A parameter or variable that holds a function.
                Meaning::Local(binding) => match self.destructured_functions_here(caller.file, binding) {
                    functions if functions.is_empty() => continue,
                    functions => {
                        let rule = Rule::TakenOut;
                        (functions, false, Origin::Resolved(rule), rule.confidence())
                    }
                },
                Meaning::Files(_) => continue,
                Meaning::Missing | Meaning::Unknown => match self.namesakes(caller.file, view, index) {
                    Namesakes::Likely(likely, confidence) => (likely, false, Origin::Name, confidence),
                    Namesakes::None => (Vec::new(), true, Origin::Name, BY_NAME),
                    Namesakes::Several => (Vec::new(), false, Origin::Name, 0.3),
                },
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

    /// Of a call that names a type, the constructors that it may mean; the type where none is written.
    fn with_constructor(&self, symbols: Vec<SymbolId>, file: FileIdx, view: &View, index: RefIdx) -> Vec<SymbolId> {
        let is_type = |id: &SymbolId| self.kind_of(*id).is_some_and(SymbolKind::is_type);
        if !symbols.iter().all(is_type) {
            return symbols;
        }
        let reference = &view.facts.references[index];
        let mut made: Vec<SymbolId> = symbols.iter().flat_map(|id| self.called_with(*id)).collect();
        made.retain(|id| self.is_constructor(*id) && self.any_accepts_count(&[*id], reference));
        let made = self.by_arguments(made, file, view, index);
        if made.is_empty() { symbols } else { made }
    }

    /// The shortest way of calls from one definition to another, or else one that leans on names, or else one of any
    /// uses.
    pub fn way(&self, wanted: &Wanted<'_>) -> Way {
        let mut followed = Followed::default();
        let mut way = self.way_among(wanted, &mut followed);
        way.open = followed.open;
        way
    }

    fn way_among(&self, wanted: &Wanted<'_>, followed: &mut Followed) -> Way {
        let mut way = Way::default();
        let (steps, looked_at, is_cut) = self.way_by(wanted, By::Calls, FEW_NODES, followed);
        way.looked_at = looked_at;
        // Where calls fan out, those that lead to the end are mostly few.
        way.steps = match steps {
            None if is_cut => self.way_from_end(wanted),
            steps => steps,
        };
        if way.steps.is_some() {
            way.by_calls = true;
            return way;
        }
        let others = [By::CallsByName, By::Uses].into_iter();
        for by in is_cut.then_some(By::Calls).into_iter().chain(others) {
            let (steps, looked_at, is_cut) = self.way_by(wanted, by, MAX_NODES, followed);
            way.looked_at = way.looked_at.max(looked_at);
            way.is_cut |= is_cut;
            if steps.is_some() {
                way.steps = steps;
                way.by_calls = by != By::Uses;
                break;
            }
        }
        way
    }

    fn way_by(
        &self,
        wanted: &Wanted<'_>,
        by: By,
        limit: usize,
        followed: &mut Followed,
    ) -> (Option<Vec<Step>>, usize, bool) {
        let Wanted { from, to, hops, avoids } = *wanted;
        let mut before: FxHashMap<SymbolId, Option<Step>> = FxHashMap::default();
        let mut open: VecDeque<(SymbolId, u32)> = VecDeque::new();
        let (mut looked_at, mut is_cut) = (0, false);
        for start in from {
            before.insert(*start, None);
            open.push_back((*start, 0));
        }
        while let Some((symbol, distance)) = open.pop_front() {
            if looked_at == limit {
                is_cut = true;
                break;
            }
            looked_at += 1;
            for (next, step) in self.neighbours(symbol, by, followed) {
                // To what stands in for a definition it is no way.
                let distance = distance + u32::from(step.site.is_some());
                if distance > hops || (before.contains_key(&next) && !to.contains(&next)) {
                    continue;
                }
                if to.contains(&next) {
                    let mut way = vec![Step::last(next), step];
                    way.extend(way_back(&before, symbol));
                    way.reverse();
                    return (Some(way), looked_at, false);
                }
                if avoids(next) {
                    continue;
                }
                let is_hop = step.site.is_some();
                before.insert(next, Some(step));
                if is_hop {
                    open.push_back((next, distance));
                } else {
                    open.push_front((next, distance));
                }
            }
        }
        (None, looked_at, is_cut)
    }

    /// A way of calls that is looked for from its end: who calls that, and who calls those.
    fn way_from_end(&self, wanted: &Wanted<'_>) -> Option<Vec<Step>> {
        let Wanted { from, to, hops, avoids } = *wanted;
        let is_definition = |id: &&SymbolId| self.symbol(**id, |_, symbol| !symbol.is_declaration) == Some(true);
        let end = *to.iter().find(is_definition).or(to.first())?;
        let mut ahead: FxHashMap<SymbolId, (Step, SymbolId)> = FxHashMap::default();
        let mut seen: FxHashSet<SymbolId> = to.iter().copied().collect();
        let mut level = vec![(end, to.to_vec())];
        let mut looked_at = 0;
        for _ in 0..hops {
            let mut next = Vec::new();
            for (called, targets) in std::mem::take(&mut level) {
                let name = self.symbol(called, |view, symbol| view.facts.name(symbol).to_owned())?;
                // What is called everywhere would take as long as all calls that lead on.
                if self.world.mentioning(&name).len() > MANY_MENTIONS {
                    continue;
                }
                looked_at += 1;
                if looked_at > FEW_NODES {
                    return None;
                }
                let uses = self.uses(&targets).uses;
                for caller in self.grouped(&uses, called, 1) {
                    let Some(symbol) = caller.symbol.filter(|symbol| seen.insert(*symbol)) else {
                        continue;
                    };
                    let step = Step {
                        symbol,
                        site: caller.sites.first().copied(),
                        role: Some(Role::Call),
                        origin: caller.origin,
                        confidence: caller.confidence,
                    };
                    ahead.insert(symbol, (step, called));
                    let same = self.same_thing(symbol);
                    if same.iter().chain([&symbol]).any(|one| from.contains(one)) {
                        return Some(way_ahead(&ahead, symbol));
                    }
                    if !avoids(symbol) {
                        next.push((symbol, same));
                    }
                }
            }
            level = next;
        }
        None
    }

    /// Whether a reference asks for a property, whose code may be that of what stands in for it.
    fn reads_property(&self, file: FileIdx, view: &View, index: RefIdx) -> bool {
        let is_property = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Property);
        is_access(view.facts.references[index].role)
            && matches!(self.meaning(file, index), Meaning::Symbols(asked, _) if asked.iter().any(is_property))
    }

    /// What overrides a member. What is only declared leads on to those by itself.
    fn overriding(&self, base: SymbolId, followed: &mut Followed) -> Rc<[SymbolId]> {
        if let Some(known) = followed.overriding.get(&base) {
            return known.clone();
        }
        let may_be = self.symbol(base, |view, symbol| {
            let is_run = symbol.kind.is_function() || symbol.kind == SymbolKind::Property;
            let name = view.facts.name(symbol).to_owned();
            (is_run && !symbol.is_declaration).then_some(name)
        });
        let found: Rc<[SymbolId]> = match (may_be.flatten(), self.owner(base)) {
            (Some(name), Base::Symbol(owner)) => self.overriding_in(base, owner, &name).into(),
            _ => Rc::new([]),
        };
        followed.overriding.insert(base, found.clone());
        found
    }

    /// The members of a name that stand in for one of a type.
    fn overriding_in(&self, base: SymbolId, owner: SymbolId, name: &str) -> Vec<SymbolId> {
        let is_implicit = self.rules(base.file).implicit_interfaces().is_some();
        let says_bases = !is_implicit && !self.semantics(base.file).has_impl_blocks;
        if !says_bases || self.is_everywhere(name) {
            let found = self.implementations(&self.same_thing(base));
            return found.into_iter().map(|one| one.symbol).collect();
        }
        // Members of one name are known together, and of each type what it is derived from.
        let named = self.members_named(base.file, name);
        let overriding = named.iter().filter(|(member, of)| {
            *member != base && *of != owner && self.is_derived(*of, owner) && self.overrides(*member, base)
        });
        overriding.map(|(member, _)| *member).collect()
    }

    /// What a definition leads to: what it uses, and what stands in for it.
    fn neighbours(&self, symbol: SymbolId, by: By, followed: &mut Followed) -> Vec<(SymbolId, Step)> {
        let mut found = Vec::new();
        let Some(view) = self.view(symbol.file) else {
            return found;
        };
        let own = &view.facts.symbols[symbol.symbol];
        let is_type = own.kind.has_members();
        for index in inside(&view, symbol.symbol) {
            let reference = &view.facts.references[index];
            let wanted = by == By::Uses
                || self.is_call(symbol.file, &view, index)
                || (by == By::CallsByName && self.reads_property(symbol.file, &view, index));
            // Who makes a value of a type does not call all that its methods call.
            let all = is_type && by == By::Uses;
            if !wanted || !(all || belongs(&view, symbol.symbol, reference.at)) {
                continue;
            }
            // A module is named to reach one of the types in it; what those use is theirs.
            let mut types = view.around(reference.at).filter(|(_, outer)| outer.kind.has_members());
            if own.kind == SymbolKind::Module && types.next().is_none_or(|(nearest, _)| nearest != symbol.symbol) {
                continue;
            }
            found.extend(self.steps_from(symbol, &view, index, by, followed));
        }
        let step = Step {
            site: None,
            role: None,
            ..Step::last(symbol)
        };
        if own.is_declaration {
            let same = self.same_thing(symbol);
            let others = same.iter().copied().filter(|other| *other != symbol);
            let instead = self.implementations(&same).into_iter().map(|one| one.symbol);
            let step = Step {
                origin: Origin::Dispatch,
                confidence: LIKELY,
                ..step.clone()
            };
            found.extend(others.chain(instead).map(|next| (next, step.clone())));
        }
        if is_type {
            for (index, member) in SymbolIdx::enumerate(&view.facts.symbols) {
                let id = SymbolId {
                    file: symbol.file,
                    symbol: index,
                };
                if member.parent == Some(symbol.symbol) && self.is_constructor(id) {
                    found.push((id, step.clone()));
                }
            }
        }
        found
    }

    /// What a reference inside of a definition leads to.
    fn steps_from(
        &self,
        symbol: SymbolId,
        view: &View,
        index: RefIdx,
        by: By,
        followed: &mut Followed,
    ) -> Vec<(SymbolId, Step)> {
        let reference = &view.facts.references[index];
        let mut found = Vec::new();
        let step = |origin: Origin, confidence: f32| Step {
            symbol,
            site: Some(reference.at),
            role: Some(reference.role),
            origin,
            confidence,
        };
        match self.meaning(symbol.file, index) {
            Meaning::Symbols(symbols, rule) => {
                let (symbols, rule) = match reference.role {
                    Role::Call => self.resolve_alias(symbols, rule),
                    _ => (symbols, rule),
                };
                let known = step(Origin::Resolved(rule), rule.confidence());
                found.extend(symbols.iter().map(|next| (*next, known.clone())));
                if by != By::Calls && (reference.role == Role::Call || is_access(reference.role)) {
                    let overriding = symbols
                        .iter()
                        .flat_map(|base| self.overriding(*base, followed).to_vec());
                    let reached = overriding.filter(|next| self.may_reach(symbol.file, view, index, &[*next]));
                    found.extend(reached.map(|next| (next, step(Origin::Dispatch, LIKELY))));
                }
            }
            Meaning::Missing | Meaning::Unknown if by != By::Calls && reference.role == Role::Call => {
                let name = view.facts.names.get(reference.name);
                match self.namesakes(symbol.file, view, index) {
                    Namesakes::Likely(likely, confidence) => {
                        let step = step(Origin::Name, confidence);
                        found.extend(likely.into_iter().map(|next| (next, step.clone())));
                    }
                    Namesakes::Several => {
                        followed.open.insert(name.to_owned());
                    }
                    Namesakes::None => {}
                }
            }
            _ => {}
        }
        found
    }
}

/// What a way may be made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Calls,
    /// Also calls of which only the name tells what is called, and those of what overrides it.
    CallsByName,
    Uses,
}

/// How sure it is that a name which no member has is of something else.
const BY_NAME: f32 = 0.7;

/// The steps that lead on from a definition, by what each of them calls.
fn way_ahead(ahead: &FxHashMap<SymbolId, (Step, SymbolId)>, first: SymbolId) -> Vec<Step> {
    let mut way = Vec::new();
    let mut at = first;
    while let Some((step, called)) = ahead.get(&at) {
        way.push(step.clone());
        at = *called;
    }
    way.push(Step::last(at));
    way
}

/// The steps that lead to a definition, last first.
fn way_back(before: &FxHashMap<SymbolId, Option<Step>>, last: SymbolId) -> Vec<Step> {
    let mut way = Vec::new();
    let mut at = last;
    while let Some(Some(step)) = before.get(&at) {
        at = step.symbol;
        way.push(step.clone());
    }
    way
}

/// The function that does what is at a place, or else the outermost symbol around it.
pub(crate) fn running(view: &View, at: u32) -> Option<SymbolIdx> {
    function_at(view, at).or_else(|| {
        let around = view.around(at);
        let parts = around.filter(|(_, symbol)| !matches!(symbol.kind, SymbolKind::Module | SymbolKind::Namespace));
        parts.last().map(|(index, _)| index)
    })
}

/// The innermost function around a place.
fn function_at(view: &View, at: u32) -> Option<SymbolIdx> {
    // A property may have code of its own.
    let is_code = |symbol: &Symbol| symbol.kind.is_function() || symbol.runs();
    let around = view.around(at).find(|(_, symbol)| is_code(symbol));
    if around.is_some() {
        return around.map(|(index, _)| index);
    }
    // A field that is made where a function first sets it belongs to the type, and its value is still the function's.
    let is_field = |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Field | SymbolKind::Property);
    view.around(at).next().filter(|(_, symbol)| is_field(symbol))?;
    let functions = SymbolIdx::enumerate(&view.facts.symbols)
        .filter(|(_, symbol)| is_code(symbol) && symbol.span.start <= at && at < symbol.span.end);
    functions
        .max_by_key(|(_, symbol)| symbol.span.start)
        .map(|(index, _)| index)
}

/// Whether what is at a place is done by a symbol, and not by a function inside of it.
fn belongs(view: &View, symbol: SymbolIdx, at: u32) -> bool {
    let function = function_at(view, at);
    function == Some(symbol) || !view.outwards(function).any(|(outer, _)| outer == symbol)
}

/// The references inside of a symbol.
fn inside(view: &View, symbol: SymbolIdx) -> impl Iterator<Item = RefIdx> + use<> {
    let span = view.facts.symbols[symbol].span;
    let references = &view.facts.references;
    let first = references.partition_point(|reference| reference.at < span.start);
    let last = references.partition_point(|reference| reference.at < span.end);
    (first..last).map(RefIdx::new)
}
