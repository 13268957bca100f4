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

/// A direct or indirect caller of the target of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Caller {
    pub file: FileIdx,
    /// `None` if the calls are at the top level of the file.
    pub symbol: Option<SymbolId>,
    /// The offsets of the call sites.
    pub sites: Vec<u32>,
    /// 1 for direct callers.
    pub depth: u32,
    /// The definition called at the sites: the target, or a caller one level nearer to it.
    pub calls: SymbolId,
    pub origin: Origin,
    pub confidence: f32,
}

/// A definition that a function calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Callee {
    pub name: String,
    /// Its definitions; empty if it is external or was not resolved.
    pub symbols: Vec<SymbolId>,
    /// It is known to be external to the workspace.
    pub is_external: bool,
    /// The function that contains the call sites: the root of the query, or one of its callees.
    pub caller: SymbolId,
    pub sites: Vec<u32>,
    pub depth: u32,
    pub origin: Origin,
    pub confidence: f32,
}

/// One step of a path through the graph of uses: a definition, and where it uses the next one.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub symbol: SymbolId,
    /// The offset of the use. `None` for the last step, and for steps without a use: from a declaration to its
    /// implementation, and from a type to its constructor.
    pub site: Option<u32>,
    pub role: Option<Role>,
    /// How the use was resolved.
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

/// A search for a path from one definition to another.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    pub from: &'a [SymbolId],
    pub to: &'a [SymbolId],
    /// The maximum number of uses on the path.
    pub hops: u32,
    /// Definitions that the path must not pass through.
    pub avoids: &'a dyn Fn(SymbolId) -> bool,
}

/// The result of a search for a path.
#[derive(Debug, Default)]
pub struct Way {
    /// The path from the first to the last definition, if there is one.
    pub steps: Option<Vec<Step>>,
    /// Every step is a call.
    pub by_calls: bool,
    /// The number of definitions whose outgoing uses were state.
    pub looked_at: usize,
    /// The search reached its limit before it was exhausted.
    pub is_cut: bool,
    /// Called names that were not state: several definitions have them, and none is likely enough.
    pub open: BTreeSet<String>,
}

/// State shared by the stages of one search.
#[derive(Default)]
struct SearchState {
    /// `Way::open`
    open: BTreeSet<String>,
    /// The overrides of each member that has a body.
    overriding: FxHashMap<SymbolId, Rc<[SymbolId]>>,
}

/// Definitions that one query visits; a graph beyond that is too large to show.
const MAX_NODES: usize = 2000;

/// Definitions that each of the first two stages of a path search visits: forward from the start, then backward from
/// the end.
const FEW_NODES: usize = 200;

/// The backward search skips a definition whose name is in more files than this: its callers would take too long to
/// find.
const MANY_MENTIONS: usize = 200;

impl Resolver<'_> {
    /// The callers of a definition, and theirs, up to `depth` levels. Nearest first, then by file and offset.
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
                        // A recursive function is its own caller, though already in `seen`.
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

    /// Whether a use executes the definition: a call, or any access to a property.
    pub fn runs(&self, used: &Use, of: SymbolId) -> bool {
        used.role == Role::Call || (is_access(used.role) && self.kind_of(of) == Some(SymbolKind::Property))
    }

    /// The calls among some uses, grouped by the function that contains them.
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

    /// The callees of a definition, and theirs, up to `depth` levels; each level in the order of the text.
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
                    // A constructor also runs the field initialisers, whose calls belong to the type.
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
        let own = references_inside(&view, caller.symbol);
        let own = own.filter(|index| runs_directly_in(&view, caller.symbol, view.facts.references[*index].at));
        self.resolve_calls(&view, caller, own, depth)
    }

    /// The calls at the top level of a file.
    pub(crate) fn called_at_top_level(&self, file: FileIdx) -> Vec<Callee> {
        let Some(view) = self.view(file) else {
            return Vec::new();
        };
        let at_top = |index: &RefIdx| running(&view, view.facts.references[*index].at).is_none();
        let own = RefIdx::all(&view.facts.references).filter(at_top);
        // Top-level code has no symbol; callers of this function ignore `Callee::caller`.
        let symbol = SymbolIdx::new(0);
        self.resolve_calls(&view, SymbolId { file, symbol }, own, 1)
    }

    fn resolve_calls(
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

    /// Replaces types by those of their constructors that accept the call; keeps the types if none is declared.
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

    /// The shortest path of resolved calls from one definition to another; else of calls that may be dynamic or are
    /// matched by name; else of any uses.
    pub fn way(&self, wanted: &Wanted<'_>) -> Way {
        let mut state = SearchState::default();
        let mut way = self.search_in_stages(wanted, &mut state);
        way.open = state.open;
        way
    }

    fn search_in_stages(&self, wanted: &Wanted<'_>, state: &mut SearchState) -> Way {
        let mut way = Way::default();
        let (steps, looked_at, is_cut) = self.search_forward(wanted, EdgeKinds::Calls, FEW_NODES, state);
        way.looked_at = looked_at;
        // Few functions call the end even where the start calls many: try from there.
        way.steps = match steps {
            None if is_cut => self.search_backward(wanted),
            steps => steps,
        };
        if way.steps.is_some() {
            way.by_calls = true;
            return way;
        }
        let others = [EdgeKinds::CallsByName, EdgeKinds::Uses].into_iter();
        for kinds in is_cut.then_some(EdgeKinds::Calls).into_iter().chain(others) {
            let (steps, looked_at, is_cut) = self.search_forward(wanted, kinds, MAX_NODES, state);
            way.looked_at = way.looked_at.max(looked_at);
            way.is_cut |= is_cut;
            if steps.is_some() {
                way.steps = steps;
                way.by_calls = kinds != EdgeKinds::Uses;
                break;
            }
        }
        way
    }

    fn search_forward(
        &self,
        wanted: &Wanted<'_>,
        kinds: EdgeKinds,
        limit: usize,
        state: &mut SearchState,
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
            for (next, step) in self.neighbours(symbol, kinds, state) {
                // A step from a declaration to its implementation is no use, and costs nothing.
                let distance = distance + u32::from(step.site.is_some());
                if distance > hops || (before.contains_key(&next) && !to.contains(&next)) {
                    continue;
                }
                if to.contains(&next) {
                    let mut way = vec![Step::last(next), step];
                    way.extend(path_from_start(&before, symbol));
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

    /// Searches backward from the end, through the callers of the end and theirs.
    fn search_backward(&self, wanted: &Wanted<'_>) -> Option<Vec<Step>> {
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
                // The callers of a common name would take as long as the rest of the search.
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
                        return Some(path_to_end(&ahead, symbol));
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

    /// Whether a reference accesses a property, whose getter may be overridden.
    fn reads_property(&self, file: FileIdx, view: &View, index: RefIdx) -> bool {
        let is_property = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Property);
        is_access(view.facts.references[index].role)
            && matches!(self.meaning(file, index), Meaning::Symbols(asked, _) if asked.iter().any(is_property))
    }

    /// The overrides of a member with a body. For one without, `neighbours` adds the implementations itself.
    fn overriding(&self, base: SymbolId, state: &mut SearchState) -> Rc<[SymbolId]> {
        if let Some(known) = state.overriding.get(&base) {
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
        state.overriding.insert(base, found.clone());
        found
    }

    /// The members of subtypes of `owner` that override `base`.
    fn overriding_in(&self, base: SymbolId, owner: SymbolId, name: &str) -> Vec<SymbolId> {
        let is_implicit = self.rules(base.file).implicit_interfaces().is_some();
        let says_bases = !is_implicit && !self.semantics(base.file).has_impl_blocks;
        if !says_bases || self.is_everywhere(name) {
            let found = self.implementations(&self.same_thing(base));
            return found.into_iter().map(|one| one.symbol).collect();
        }
        // Cheaper than `implementations`: the members of one name and the supertypes of each type are memoised.
        let named = self.members_named(base.file, name);
        let overriding = named.iter().filter(|(member, of)| {
            *member != base && *of != owner && self.is_derived(*of, owner) && self.overrides(*member, base)
        });
        overriding.map(|(member, _)| *member).collect()
    }

    /// The next steps from a definition: what it uses, its implementations, and the constructors of a type.
    fn neighbours(&self, symbol: SymbolId, kinds: EdgeKinds, state: &mut SearchState) -> Vec<(SymbolId, Step)> {
        let mut found = Vec::new();
        let Some(view) = self.view(symbol.file) else {
            return found;
        };
        let own = &view.facts.symbols[symbol.symbol];
        let is_type = own.kind.has_members();
        for index in references_inside(&view, symbol.symbol) {
            let reference = &view.facts.references[index];
            let wanted = kinds == EdgeKinds::Uses
                || self.is_call(symbol.file, &view, index)
                || (kinds == EdgeKinds::CallsByName && self.reads_property(symbol.file, &view, index));
            // Constructing a type does not run the calls in all its methods.
            let all = is_type && kinds == EdgeKinds::Uses;
            if !wanted || !(all || runs_directly_in(&view, symbol.symbol, reference.at)) {
                continue;
            }
            // A path goes through a module only to reach one of its types; the uses inside of those types are theirs.
            let mut types = view.around(reference.at).filter(|(_, outer)| outer.kind.has_members());
            if own.kind == SymbolKind::Module && types.next().is_none_or(|(nearest, _)| nearest != symbol.symbol) {
                continue;
            }
            found.extend(self.steps_from(symbol, &view, index, kinds, state));
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

    /// The steps that one reference inside of a definition allows.
    fn steps_from(
        &self,
        symbol: SymbolId,
        view: &View,
        index: RefIdx,
        kinds: EdgeKinds,
        state: &mut SearchState,
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
                if kinds != EdgeKinds::Calls && (reference.role == Role::Call || is_access(reference.role)) {
                    let overriding = symbols.iter().flat_map(|base| self.overriding(*base, state).to_vec());
                    let reached = overriding.filter(|next| self.may_reach(symbol.file, view, index, &[*next]));
                    found.extend(reached.map(|next| (next, step(Origin::Dispatch, LIKELY))));
                }
            }
            Meaning::Missing | Meaning::Unknown if kinds != EdgeKinds::Calls && reference.role == Role::Call => {
                let name = view.facts.names.get(reference.name);
                match self.namesakes(symbol.file, view, index) {
                    Namesakes::Likely(likely, confidence) => {
                        let step = step(Origin::Name, confidence);
                        found.extend(likely.into_iter().map(|next| (next, step.clone())));
                    }
                    Namesakes::Several => {
                        state.open.insert(name.to_owned());
                    }
                    Namesakes::None => {}
                }
            }
            _ => {}
        }
        found
    }
}

/// The uses that a path may consist of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EdgeKinds {
    Calls,
    /// Also calls that are matched by name alone, and calls of overrides.
    CallsByName,
    Uses,
}

/// Confidence that a called name which no member in the workspace has is external.
const BY_NAME: f32 = 0.7;

/// The path from a definition to the end of the search; `ahead` maps each definition to what it calls.
fn path_to_end(ahead: &FxHashMap<SymbolId, (Step, SymbolId)>, first: SymbolId) -> Vec<Step> {
    let mut way = Vec::new();
    let mut at = first;
    while let Some((step, called)) = ahead.get(&at) {
        way.push(step.clone());
        at = *called;
    }
    way.push(Step::last(at));
    way
}

/// The path from the start of the search to a definition, in reverse order.
fn path_from_start(before: &FxHashMap<SymbolId, Option<Step>>, last: SymbolId) -> Vec<Step> {
    let mut way = Vec::new();
    let mut at = last;
    while let Some(Some(step)) = before.get(&at) {
        at = step.symbol;
        way.push(step.clone());
    }
    way
}

/// The function that executes the code at an offset; for code outside of functions, the outermost definition around it.
pub(crate) fn running(view: &View, at: u32) -> Option<SymbolIdx> {
    function_at(view, at).or_else(|| {
        let around = view.around(at);
        let parts = around.filter(|(_, symbol)| !matches!(symbol.kind, SymbolKind::Module | SymbolKind::Namespace));
        parts.last().map(|(index, _)| index)
    })
}

/// The innermost function around an offset.
fn function_at(view: &View, at: u32) -> Option<SymbolIdx> {
    // A property may have a getter with a body.
    let is_code = |symbol: &Symbol| symbol.kind.is_function() || symbol.runs();
    let around = view.around(at).find(|(_, symbol)| is_code(symbol));
    if around.is_some() {
        return around.map(|(index, _)| index);
    }
    // `self.size = f()` in a method declares the field `size` of the type, but it is the method that calls `f`.
    let is_field = |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Field | SymbolKind::Property);
    view.around(at).next().filter(|(_, symbol)| is_field(symbol))?;
    let functions = SymbolIdx::enumerate(&view.facts.symbols)
        .filter(|(_, symbol)| is_code(symbol) && symbol.span.start <= at && at < symbol.span.end);
    functions
        .max_by_key(|(_, symbol)| symbol.span.start)
        .map(|(index, _)| index)
}

/// Whether the code at an offset is executed by a symbol, and not by a function nested in it.
fn runs_directly_in(view: &View, symbol: SymbolIdx, at: u32) -> bool {
    let function = function_at(view, at);
    function == Some(symbol) || !view.outwards(function).any(|(outer, _)| outer == symbol)
}

/// The references in the span of a symbol.
fn references_inside(view: &View, symbol: SymbolIdx) -> impl Iterator<Item = RefIdx> + use<> {
    let span = view.facts.symbols[symbol].span;
    let references = &view.facts.references;
    let first = references.partition_point(|reference| reference.at < span.start);
    let last = references.partition_point(|reference| reference.at < span.end);
    (first..last).map(RefIdx::new)
}
