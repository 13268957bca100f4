//! Who uses a definition: every mention of its name, each resolved, and what is left weighed.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;
use syntax::{On, Reference, Role, SymbolKind};

use crate::{
    files::{FileIdx, Files},
    resolve::{At, Base, Meaning, Resolver, Rule, Spot, is_fixture, sorted, type_paths},
    semantics::related,
    view::{SymbolId, View},
    weigh::{Weigh, is_on_value},
};

/// How a use is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Origin {
    /// By the rules of the language.
    Resolved(Rule),
    /// Through a definition that the wanted one stands in for: a call of the interface's method.
    Dispatch,
    /// It has the name, and no rule says what it means.
    Name,
}

/// A place where a definition is used.
#[derive(Debug, Clone, PartialEq)]
pub struct Use {
    pub file: FileIdx,
    /// The place in the file's list of references; a parameter that is given something by its name is in none.
    pub reference: Option<u32>,
    pub at: u32,
    pub role: Role,
    /// The symbol that it is written in.
    pub enclosing: Option<u32>,
    pub origin: Origin,
    pub confidence: f32,
}

/// The type whose declaration a place is part of.
pub(crate) fn type_around(view: &View, at: u32) -> Option<u32> {
    let around = view.declaring(at)?;
    let kind = view.facts.symbols[around as usize].kind;
    (kind.has_members() || kind == SymbolKind::Module).then_some(around)
}

/// What is less sure is told apart: it is as likely about something else.
pub const LIKELY: f32 = 0.5;

/// The uses of a definition, by file and place.
#[derive(Debug, Default)]
pub struct Uses {
    pub uses: Vec<Use>,
    /// Mentions of the name that mean something else: another definition, or something outside of the workspace.
    pub others: usize,
    /// Those among them that mean another definition, by which.
    pub of_others: BTreeMap<SymbolId, usize>,
    /// Files that mention the name, which is a common one, and do not mention the type that it belongs to: they were not
    /// looked at.
    pub unseen: usize,
}

/// A member whose name is in more files is looked for where its type is named too.
const COMMON: usize = 300;

/// What gives back a type is no help in finding its uses if more files name it, or something else that does.
const MANY_GIVEN: usize = 1_000;

/// A type, or a member of one, that stands in for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Implementation {
    /// The type, the block that says that it implements, or the member.
    pub symbol: SymbolId,
    /// 1 if it says so itself, more if through others.
    pub distance: u32,
    /// How it is known.
    pub rule: Rule,
}

/// References of a file that have a name which may mean what is looked for.
pub(crate) struct Mention {
    pub file: FileIdx,
    name: String,
    pub spots: Vec<Spot>,
}

/// Definitions whose uses are looked for, with what tells those from others.
struct Wanted<'r, 'w> {
    targets: &'r [SymbolId],
    /// What they stand in for.
    bases: Vec<SymbolId>,
    name: String,
    /// What they are called in other languages.
    across: Vec<String>,
    /// Variables that are another name for them: what they are called by.
    aliases: Vec<SymbolId>,
    weigh: Weigh<'r, 'w>,
}

/// Names that something may go by, and files that are it as a whole: every place that hands it on adds to them.
struct Trace {
    names: Vec<String>,
    wholes: Vec<FileIdx>,
    /// How many of both have been looked for.
    names_done: usize,
    wholes_done: usize,
}

impl Trace {
    /// What to look for next: a name, or that of a file.
    fn next(&mut self, files: &Files) -> Option<(String, Option<FileIdx>)> {
        if let Some(name) = self.names.get(self.names_done) {
            self.names_done += 1;
            return Some((name.clone(), None));
        }
        let whole = *self.wholes.get(self.wholes_done)?;
        self.wholes_done += 1;
        Some((files.word(whole).to_owned(), Some(whole)))
    }

    fn add_name(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    fn add_whole(&mut self, file: FileIdx) {
        if !self.wholes.contains(&file) {
            self.wholes.push(file);
        }
    }
}

/// Whether it makes a value of a type: a call of it, one that derives a class without a name from it at once, or the
/// declaration of a variable or the beginning of a constructor that gives it what it takes: `Shape shape(1);`, `: Base(1)`.
fn makes(reference: &Reference) -> bool {
    reference.role == Role::Call
        || (reference.role == Role::Implementation && reference.arguments.is_some())
        || begins(reference)
}

/// The latter of those.
fn begins(reference: &Reference) -> bool {
    let may_begin = match reference.role {
        Role::Type => true,
        Role::Member => reference.on == On::Nothing,
        _ => false,
    };
    may_begin && reference.arguments.is_some()
}

/// Whether a value is asked for or given where it is kept.
pub(crate) fn is_access(role: Role) -> bool {
    matches!(role, Role::Member | Role::Variable)
}

/// The names of what is imported without a name.
fn is_whole(name: &str) -> bool {
    matches!(name, "default" | "exports")
}

/// So many types are asked whether they have a constructor of their own.
const MAX_DERIVED: usize = 200;

/// Types derived from types derived from types.
const MAX_DISTANCE: u32 = 12;

impl Resolver<'_> {
    /// The uses of a definition, or of several that are one thing.
    pub fn uses(&self, targets: &[SymbolId]) -> Uses {
        let Some(first) = targets.first() else {
            return Uses::default();
        };
        let mut found = Uses::default();
        let aliases = self.variables_named_for(targets);
        let mut names = self.names_in_uses(*first);
        names.extend(aliases.iter().map(|alias| self.name_of(*alias)));
        names.dedup();
        let meant = [targets, &aliases].concat();
        let mut mentions = self.mentions(&meant, names, Some(&mut found.unseen));
        // In another language it may go by another name, and is meant there or not.
        let across = self.accessor_names(*first);
        let is_other = |mention: &Mention| self.lang(mention.file) != self.lang(first.file);
        let in_others = self.mentions(targets, across.clone(), None);
        mentions.extend(in_others.into_iter().filter(is_other));
        self.expect(&mentions);
        let mut wanted = Wanted {
            targets,
            bases: self.overridden(targets),
            name: self.name_of(*first),
            across,
            aliases,
            weigh: Weigh::new(self, targets),
        };
        let mut done = FxHashSet::default();
        let mut files = self.in_turn(mentions.iter().map(|mention| mention.file).collect::<Vec<_>>());
        for Mention { file, name, spots } in &mentions {
            files.next();
            let file = *file;
            let Some(view) = self.view(file) else { continue };
            for Spot { index, .. } in spots.iter().copied() {
                if !done.insert((file, index)) {
                    continue;
                }
                let reference = &view.facts.references[index as usize];
                match self.told_to_be(&mut wanted, (file, &view, index), name) {
                    Some((origin, confidence)) => {
                        self.noted_caller(file, &view, reference.at);
                        found.uses.push(Use {
                            file,
                            reference: Some(index),
                            at: reference.at,
                            role: self.role_of(file, reference, targets),
                            enclosing: view.facts.enclosing(reference.at),
                            origin,
                            confidence,
                        });
                    }
                    None if view.facts.names.get(reference.name) == wanted.name => {
                        found.others += 1;
                        if let Meaning::Symbols(symbols, _) = self.meaning(file, index)
                            && let [other] = symbols[..]
                        {
                            *found.of_others.entry(other).or_default() += 1;
                        }
                    }
                    None => {}
                }
            }
        }
        self.add_delegations(targets, &mut found);
        self.add_constants(targets, &mut found);
        found.uses.extend(self.injections(targets, false));
        found.uses.sort_by_key(|used| (used.file, used.at));
        found
    }

    /// What a use of some definitions does with them.
    fn role_of(&self, file: FileIdx, reference: &Reference, targets: &[SymbolId]) -> Role {
        let is_call = self.is_written(file, reference, targets)
            || (makes(reference) && targets.first().is_some_and(|first| self.constructed(*first).is_some()))
            || (begins(reference) && targets.iter().any(|target| self.has_constructor(*target)));
        if is_call { Role::Call } else { reference.role }
    }

    /// Whether a reference has something run: it is a call, makes a value by a constructor that is written, or asks for a
    /// property that computes.
    pub(crate) fn is_call(&self, file: FileIdx, view: &View, index: u32) -> bool {
        let reference = &view.facts.references[index as usize];
        let computes = |id: &SymbolId| {
            self.kind_of(*id) == Some(SymbolKind::Property) && self.symbol(*id, |_, symbol| symbol.runs()) == Some(true)
        };
        reference.role == Role::Call
            || (is_access(reference.role)
                && matches!(self.meaning(file, index), Meaning::Symbols(asked, _) if asked.iter().any(computes)))
            || (begins(reference)
                && matches!(self.meaning(file, index), Meaning::Symbols(made, _)
                    if made.iter().any(|made| self.has_constructor(*made))))
    }

    fn has_constructor(&self, id: SymbolId) -> bool {
        let has_members = self.kind_of(id).is_some_and(SymbolKind::has_members);
        let own = || self.own_members(id, &self.name_of(id));
        has_members && own().iter().any(|member| self.is_constructor(*member))
    }

    /// What uses of a definition are written as in its own language.
    fn names_in_uses(&self, id: SymbolId) -> Vec<String> {
        let mut names = vec![self.name_of(id)];
        // Who constructs a type calls its constructor.
        if let Some(owner) = self.constructed(id) {
            names.push(self.name_of(owner));
            names.extend(self.constructing(id, owner).map(|id| self.name_of(id)));
            names.sort();
            names.dedup();
        }
        if let Some(suffix) = self.semantics(id.file).implied_suffix
            && let Some(short) = names[0].strip_suffix(suffix).filter(|short| !short.is_empty())
        {
            names.push(short.to_owned());
        }
        names
    }

    /// The variables that are another name for one of some definitions, or for what those construct.
    fn variables_named_for(&self, targets: &[SymbolId]) -> Vec<SymbolId> {
        let made = |target: &SymbolId| self.constructed(*target).unwrap_or(*target);
        let meant: Vec<SymbolId> = targets.iter().map(made).collect();
        let is_outer = |id: &SymbolId| self.brief(*id).is_some_and(|brief| brief.is_alone());
        let Some(first) = meant.first().filter(|first| is_outer(first)) else {
            return Vec::new();
        };
        if !self.semantics(first.file).names_again {
            return Vec::new();
        }
        let name = self.name_of(*first);
        let mut found = Vec::new();
        for (file, known) in self.spots(&name, self.world.mentioning(&name)) {
            for spot in known.spots.iter().filter(|spot| spot.is_value) {
                let Some(view) = self.view(file) else { continue };
                let alias = view.facts.enclosing(spot.at).map(|symbol| SymbolId { file, symbol });
                let is_it = |alias: &SymbolId| self.named_again(*alias).iter().any(|id| meant.contains(id));
                found.extend(alias.filter(is_it));
            }
        }
        found
    }

    /// Tells who knows a language exactly what will be asked, all at once.
    fn expect(&self, mentions: &[Mention]) {
        for mention in mentions {
            let mut places = mention.spots.iter().map(|spot| spot.at);
            self.world.expect(mention.file, &mut places);
        }
    }

    /// How a mention is known to be a use of what is wanted, and how surely; nothing where it means something else.
    fn told_to_be(
        &self,
        wanted: &mut Wanted<'_, '_>,
        (file, view, index): (FileIdx, &View, u32),
        name: &str,
    ) -> Option<(Origin, f32)> {
        let targets = wanted.targets;
        let reference = &view.facts.references[index as usize];
        let by = |rule: Rule| (Origin::Resolved(rule), rule.confidence());
        let moved = || {
            let may_be = name == wanted.name && !self.fitting(file, targets.to_vec(), reference.role, false).is_empty();
            let confidence = may_be.then(|| self.asked_where_it_was((file, view), reference, name, targets));
            let confidence = confidence.flatten()?;
            Some((Origin::Resolved(Rule::Moved), confidence))
        };
        let is_target = |id: &SymbolId| targets.contains(id);
        match self.meaning(file, index) {
            Meaning::Symbols(symbols, rule) => {
                if self.are_meant(&symbols, targets, file, view, index) {
                    let all = self.with_constructors(&symbols, targets, file, view, index);
                    let confidence = rule.confidence() / self.alternatives(&all, targets, reference.role);
                    return Some((Origin::Resolved(rule), confidence));
                }
                if symbols.iter().any(|symbol| wanted.bases.contains(symbol)) {
                    let may_reach = self.may_reach(file, view, index, targets);
                    return may_reach.then_some((Origin::Dispatch, LIKELY));
                }
                let mut taken_out = symbols.iter().flat_map(|id| self.taken_out(*id));
                if taken_out.any(|id| is_target(&id)) {
                    return Some(by(Rule::TakenOut));
                }
                let is_alias = makes(reference) && symbols.iter().any(|id| wanted.aliases.contains(id));
                is_alias.then(|| by(Rule::Alias))
            }
            Meaning::Files(files) => {
                let is_it = targets.iter().any(|target| self.is_module(*target, &files));
                is_it.then(|| by(Rule::Import))
            }
            // A parameter that is a member too: `constructor(private seats: number)`.
            Meaning::Local(binding) => {
                let at = view.facts.bindings[binding as usize].at;
                let name_at = |id: &SymbolId| view.facts.symbols[id.symbol as usize].name_at;
                if targets
                    .iter()
                    .any(|target| target.file == file && name_at(target) == at)
                {
                    return Some(by(Rule::Scope));
                }
                let taken_out = self.taken_out_here(file, binding);
                taken_out.iter().any(is_target).then(|| by(Rule::TakenOut))
            }
            Meaning::External => moved(),
            unknown @ (Meaning::Missing | Meaning::Unknown) => {
                if let Some(moved) = moved() {
                    return Some(moved);
                }
                let is_across = wanted.across.iter().any(|one| one == name) && name != wanted.name;
                let fitting = || self.fitting(file, targets.to_vec(), reference.role, is_on_value(reference));
                if is_across || fitting().is_empty() {
                    return None;
                }
                let is_missing = unknown == Meaning::Missing;
                let confidence = wanted.weigh.confidence(file, view, reference, name, is_missing);
                Some((Origin::Name, confidence))
            }
        }
    }

    /// Keeps the files that name the type of a member, or one derived from it, or what gives back one of those, or are
    /// next to it; how many were dropped. A function that belongs to no type is found by its imports, which name it.
    fn keep_knowing(&self, files: &mut Vec<FileIdx>, targets: &[SymbolId]) -> usize {
        let mut knowing: FxHashSet<FileIdx> = FxHashSet::default();
        for target in targets {
            let Base::Symbol(owner) = self.owner(*target) else {
                return 0;
            };
            let derived = self.derived(owner).into_iter().take(64).map(|one| one.symbol);
            let mut names: Vec<String> = derived.chain([owner]).map(|id| self.name_of(id)).collect();
            names.extend(self.other_names(owner));
            names.sort();
            names.dedup();
            for name in &names {
                knowing.extend(self.world.mentioning(name));
            }
            // `bind(from).to(into)`. Where types are written in paths, whoever uses one names it.
            if self.semantics(target.file).has_namespaces {
                continue;
            }
            for name in self.givers(&names, &knowing) {
                let others = self.world.mentioning(&name);
                if others.len() + knowing.len() <= MANY_GIVEN {
                    knowing.extend(others);
                }
            }
        }
        let paths = self.modules.files();
        let is_near = |file: FileIdx| targets.iter().any(|target| paths.dir(target.file) == paths.dir(file));
        let before = files.len();
        files.retain(|file| knowing.contains(file) || is_near(*file));
        before - files.len()
    }

    /// Calls of a constructor by others that leave their work to it.
    fn add_delegations(&self, targets: &[SymbolId], found: &mut Uses) {
        let owner = targets.iter().find_map(|target| self.constructed(*target));
        let Some(owner) = owner else { return };
        let (outer, own) = self.semantics(owner.file).delegates;
        if outer.is_empty() && own.is_empty() {
            return;
        }
        let derived = self.derived(owner).into_iter().filter(|one| one.distance == 1);
        let mut files: Vec<FileIdx> = derived.map(|one| one.symbol.file).chain([owner.file]).collect();
        if self.semantics(owner.file).reopens {
            let others = self.world.mentioning(&self.name_of(owner));
            files.extend(others.into_iter().take(COMMON));
        }
        files.sort_unstable();
        files.dedup();
        for file in files {
            let Some(view) = self.view(file) else { continue };
            let words = outer.iter().chain(own);
            for index in words.flat_map(|word| view.references_named(word)) {
                let reference = &view.facts.references[*index as usize];
                let Meaning::Symbols(symbols, rule) = self.meaning(file, *index) else {
                    continue;
                };
                if reference.role != Role::Call || !symbols.iter().any(|id| targets.contains(id)) {
                    continue;
                }
                found.uses.push(Use {
                    file,
                    reference: Some(*index),
                    at: reference.at,
                    role: reference.role,
                    enclosing: view.facts.enclosing(reference.at),
                    origin: Origin::Resolved(rule),
                    confidence: rule.confidence() / self.alternatives(&symbols, targets, reference.role),
                });
            }
        }
    }

    /// The constants of an enumeration, each of which is made by one of its constructors: `LOW(1)`.
    fn add_constants(&self, targets: &[SymbolId], found: &mut Uses) {
        let Some((target, owner)) = targets.iter().find_map(|id| Some((*id, self.constructed(*id)?))) else {
            return;
        };
        let semantics = self.semantics(owner.file);
        if self.kind_of(owner) != Some(SymbolKind::Enum) || !semantics.makes_constants {
            return;
        }
        let Some(view) = self.view(owner.file) else { return };
        let constructors = self.own_members(owner, &self.name_of(target));
        let all = view.facts.symbols.iter();
        let constants = all.filter(|one| one.kind == SymbolKind::Variant && one.parent == Some(owner.symbol));
        found.uses.extend(constants.map(|constant| Use {
            file: owner.file,
            reference: None,
            at: constant.name_at,
            role: Role::Call,
            enclosing: Some(owner.symbol),
            origin: Origin::Resolved(Rule::Member),
            confidence: Rule::Member.confidence() / self.alternatives(&constructors, targets, Role::Call),
        }));
    }

    /// The parameters that are given what a function makes because they have its name, as those of tests are; on request
    /// with the uses of those parameters.
    pub(crate) fn injections(&self, targets: &[SymbolId], with_uses: bool) -> Vec<Use> {
        let mut found = Vec::new();
        for target in targets {
            let Some(sources) = self.semantics(target.file).fixtures else {
                continue;
            };
            let is_given = self.symbol(*target, is_fixture);
            if is_given != Some(true) {
                continue;
            }
            let name = self.name_of(*target);
            for file in self.world.mentioning(&name) {
                let mut nearest = sources(self.modules.files(), file).into_iter().filter(|source| {
                    self.view(*source).is_some_and(|view| {
                        let mut named = view.symbols_named(&name);
                        named.any(|(_, symbol)| is_fixture(&view, symbol))
                    })
                });
                let Some(view) = self.view(file).filter(|_| nearest.next() == Some(target.file)) else {
                    continue;
                };
                let functions = view.facts.symbols.iter().enumerate();
                let takers = functions.filter(|(_, symbol)| {
                    let is_test = symbol.is_test || view.facts.name(symbol).starts_with("test");
                    symbol.kind.is_function() && (is_test || is_fixture(&view, symbol))
                });
                for (index, taker) in takers {
                    let mut parameters = view.parameters(taker);
                    let Some(given) = parameters.find(|binding| view.facts.names.get(binding.name) == name) else {
                        continue;
                    };
                    let used = |reference: Option<u32>, at: u32| Use {
                        file,
                        reference,
                        at,
                        role: Role::Variable,
                        enclosing: Some(index as u32),
                        origin: Origin::Resolved(Rule::Injected),
                        confidence: Rule::Injected.confidence(),
                    };
                    found.push(used(None, given.at));
                    let inside = view.references_named(&name).iter().filter(|_| with_uses);
                    found.extend(inside.filter_map(|at| {
                        let reference = &view.facts.references[*at as usize];
                        let is_it = matches!(self.meaning(file, *at), Meaning::Local(binding)
                            if view.facts.bindings[binding as usize].at == given.at);
                        is_it.then(|| used(Some(*at), reference.at))
                    }));
                }
            }
        }
        found
    }

    /// The functions in some files that give back one of some types.
    fn givers(&self, types: &[String], files: &FxHashSet<FileIdx>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for file in files.iter().filter(|_| files.len() <= COMMON) {
            let Some(view) = self.view(*file) else { continue };
            let functions = view.facts.symbols.iter().filter(|symbol| symbol.kind.is_function());
            for function in functions {
                let gives = |ty| type_paths(view.facts.names.get(ty)).any(|path| types.iter().any(|one| one == path));
                if function.ty.is_some_and(gives) {
                    found.insert(view.facts.name(function).to_owned());
                }
            }
        }
        found
    }

    /// What a use that no rule resolves may mean, most likely first.
    pub fn candidates(&self, file: FileIdx, reference: u32) -> Vec<(SymbolId, f32)> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let used = &view.facts.references[reference as usize];
        let name = view.facts.names.get(used.name);
        let is_missing = self.meaning(file, reference) == Meaning::Missing;
        let mut found = Vec::new();
        for other in self.defining(name).iter() {
            if !related(self.lang(file), self.lang(*other)) {
                continue;
            }
            let Some(other_view) = self.view(*other) else { continue };
            for (symbol, _) in other_view.symbols_named(name) {
                let id = SymbolId { file: *other, symbol };
                let confidence = Weigh::new(self, &[id]).confidence(file, &view, used, name, is_missing);
                found.push((id, confidence));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    fn are_meant(&self, symbols: &[SymbolId], targets: &[SymbolId], file: FileIdx, view: &View, index: u32) -> bool {
        if symbols.iter().any(|symbol| targets.contains(symbol)) {
            return true;
        }
        // Of a type's constructors a call means the one that takes what it gives.
        makes(&view.facts.references[index as usize])
            && targets.iter().any(|target| {
                self.constructed(*target).is_some_and(|owner| {
                    let is_owner = symbols.contains(&owner)
                        || (self.semantics(owner.file).has_parts
                            && self.same_thing(owner).iter().any(|part| symbols.contains(part)));
                    let is_made = is_owner && {
                        let constructors = self.own_members(owner, &self.name_of(*target));
                        let reference = &view.facts.references[index as usize];
                        let is_taken = self.some_takes(&[*target], reference);
                        is_taken && self.by_arguments(constructors, file, view, index).contains(target)
                    };
                    is_made
                        || self
                            .constructing(*target, owner)
                            .filter(|derived| symbols.contains(derived))
                            .any(|derived| {
                                let has_labels = self.semantics(owner.file).has_labels;
                                !has_labels || self.made_as_base(derived, *target, file, index)
                            })
                })
            })
    }

    /// Whether what is given a value is a method that takes it: `shape.size = 3`.
    fn is_written(&self, file: FileIdx, reference: &Reference, targets: &[SymbolId]) -> bool {
        let is_function = |id: &SymbolId| self.kind_of(*id).is_some_and(SymbolKind::is_function);
        reference.role == Role::Member && self.semantics(file).reopens && targets.iter().all(is_function)
    }

    /// Types that can be made by the constructor of what they are derived from.
    fn constructing(&self, constructor: SymbolId, owner: SymbolId) -> impl Iterator<Item = SymbolId> {
        let name = self.name_of(constructor);
        let is_inherited = self.semantics(owner.file).constructors.contains(&name.as_str());
        let derived = if is_inherited { self.derived(owner) } else { Vec::new() };
        let derived = derived.into_iter().take(MAX_DERIVED).map(|one| one.symbol);
        // Where constructors go by what their arguments are called, one does not hide another.
        let has_labels = self.semantics(owner.file).has_labels;
        derived.filter(move |id| has_labels || self.members(*id, &name).contains(&constructor))
    }

    /// The functions that a call of a type may mean, where what its arguments are called leaves several.
    fn with_constructors(
        &self,
        symbols: &[SymbolId],
        targets: &[SymbolId],
        file: FileIdx,
        view: &View,
        index: u32,
    ) -> Vec<SymbolId> {
        let target = targets
            .first()
            .filter(|target| self.semantics(target.file).has_labels && !symbols.contains(target));
        let made = target.and_then(|target| Some((target, self.constructed(*target)?)));
        made.map_or(symbols.to_vec(), |(target, owner)| {
            let constructors = self.own_members(owner, &self.name_of(*target));
            self.by_arguments(constructors, file, view, index)
        })
    }

    /// Among how many functions of one name that all could be meant the wanted one is.
    fn alternatives(&self, symbols: &[SymbolId], targets: &[SymbolId], role: Role) -> f32 {
        // An import brings all of them.
        if role == Role::Import {
            return 1.0;
        }
        // What is only declared in one place and defined in another is one function.
        let is_other = |symbol: &SymbolId| {
            let semantics = self.semantics(symbol.file);
            semantics.has_overloads
                || (semantics.implements_in_blocks && self.are_of_blocks(symbols))
                || (semantics.has_headers && !targets.iter().any(|target| self.same_thing(*target).contains(symbol)))
        };
        let known: FxHashSet<SymbolId> = targets.iter().copied().collect();
        let others = symbols.iter().filter(|symbol| {
            !known.contains(*symbol) && self.kind_of(**symbol).is_some_and(SymbolKind::is_function) && is_other(symbol)
        });
        match (others.count(), targets.first()) {
            (0, _) => 1.0,
            // Conversions leave many more undecided there; it is still one of them.
            (_, Some(target)) if self.semantics(target.file).has_headers => 1.7,
            (others, _) => 1.0 + 0.7 * others as f32,
        }
    }

    /// What takes the arguments of a call: a function, or the constructors of a type.
    pub fn called_with(&self, called: SymbolId) -> Vec<SymbolId> {
        if !self.kind_of(called).is_some_and(SymbolKind::has_members) {
            return vec![called];
        }
        let own_name = self.name_of(called);
        let names = self.semantics(called.file).constructors.iter().copied();
        let names = names.chain([own_name.as_str()]);
        names.flat_map(|name| self.members(called, name)).collect()
    }

    /// The type that a constructor makes values of.
    pub fn constructed(&self, id: SymbolId) -> Option<SymbolId> {
        match self.owner(id) {
            Base::Symbol(owner) if self.is_constructor(id) => Some(owner),
            _ => None,
        }
    }

    pub(crate) fn is_constructor(&self, id: SymbolId) -> bool {
        let is_so = self.symbol(id, |view, symbol| {
            let name = view.facts.name(symbol);
            symbol.kind == SymbolKind::Constructor
                || (symbol.kind.is_function() && self.semantics(id.file).constructors.contains(&name))
        });
        is_so == Some(true)
    }

    fn is_module(&self, target: SymbolId, files: &[FileIdx]) -> bool {
        if !matches!(self.kind_of(target), Some(SymbolKind::Module | SymbolKind::Namespace)) {
            return false;
        }
        let Some(view) = self.view(target.file) else {
            return false;
        };
        let declared = self.modules.declared(target.file, &view.facts);
        let at = view.facts.symbols[target.symbol as usize].name_at;
        declared
            .iter()
            .any(|declared| declared.at == at && files.contains(&declared.file))
    }

    /// Whether a use is where a field is set first, and means that field: `self.size = 1`. In a class that is derived from
    /// one that has the field, it is a use of that.
    fn declares_itself(&self, file: FileIdx, reference: u32) -> bool {
        if !self.semantics(file).body_scope {
            return false;
        }
        let Some(view) = self.view(file) else { return false };
        let at = view.facts.references[reference as usize].at;
        let name = view.facts.names.get(view.facts.references[reference as usize].name);
        let own = view.symbols_named(name).find(|(_, symbol)| symbol.name_at == at);
        own.is_some_and(|(symbol, _)| match self.meaning(file, reference) {
            Meaning::Symbols(found, _) => found.contains(&SymbolId { file, symbol }),
            _ => true,
        })
    }

    /// Where the targets may be meant: where one of their names is, or another name that an import gives them. One that is
    /// handed on is looked for everywhere. Of a common name only files that know of the targets, if the rest is counted.
    pub(crate) fn mentions(
        &self,
        targets: &[SymbolId],
        mut names: Vec<String>,
        mut unseen: Option<&mut usize>,
    ) -> Vec<Mention> {
        let Some(first) = targets.first() else {
            return Vec::new();
        };
        // Those that are something as a whole: who imports them calls it as he likes.
        let is_outer = self.symbol(*first, |_, symbol| symbol.parent.is_none()) == Some(true);
        let may_be_whole = self.semantics(first.file).exports_apart && is_outer;
        let named = names.len();
        names.retain(|name| !(may_be_whole && is_whole(name)));
        let wholes = match names.len() < named {
            true => targets.iter().map(|target| target.file).collect(),
            false => Vec::new(),
        };
        let mut trace = Trace {
            names,
            wholes,
            names_done: 0,
            wholes_done: 0,
        };
        // Who constructs a type calls its constructor.
        let constructed = targets.iter().filter_map(|target| self.constructed(*target));
        let meant: Vec<SymbolId> = targets.iter().copied().chain(constructed).collect();
        let paths = self.modules.files();
        let mut found = Vec::new();
        while let Some((name, whole)) = trace.next(paths) {
            let mut files = self.world.mentioning(&name);
            // One that stands for its directory is just a dot to its neighbours.
            files.extend(whole.into_iter().flat_map(|whole| paths.around(whole)));
            files.sort_unstable();
            files.dedup();
            files.retain(|file| related(self.lang(first.file), self.lang(*file)));
            if let Some(unseen) = unseen
                .as_deref_mut()
                .filter(|_| files.len() > COMMON && whole.is_none())
            {
                *unseen += self.keep_knowing(&mut files, targets);
            }
            for (file, known) in self.spots(&name, files) {
                let is_whole = whole.is_some();
                let named = known.spots.iter().copied().filter(|_| !is_whole);
                let mut spots: Vec<Spot> = named.filter(|spot| !self.declares_itself(file, spot.index)).collect();
                if (is_whole || known.is_renamed)
                    && let Some(view) = self.view(file)
                {
                    let renamed = self.renamed_by_imports(file, &view, (&name, is_whole), &meant, &mut trace);
                    spots.extend(renamed.into_iter().map(|index| Spot::of(&view, index)));
                }
                if !spots.is_empty() {
                    let name = name.clone();
                    found.push(Mention { file, name, spots });
                }
            }
        }
        found
    }

    /// The mentions of what a file's imports give another name, which is looked for too where the file hands it on. What is
    /// looked for is a name, or a file as a whole, by the word for it.
    fn renamed_by_imports(
        &self,
        file: FileIdx,
        view: &View,
        (name, as_whole): (&str, bool),
        meant: &[SymbolId],
        trace: &mut Trace,
    ) -> Vec<u32> {
        let facts = &view.facts;
        let semantics = self.semantics(file);
        let mut references = Vec::new();
        for (index, import) in (0..).zip(&facts.imports) {
            let item = import.item.map(|item| facts.names.get(item));
            let taken = facts.names.get(import.taken());
            let Some(alias) = import.alias.or(import.item).map(|alias| facts.names.get(alias)) else {
                continue;
            };
            let may_be = match as_whole {
                false => taken == name && import.alias.is_some() && alias != name,
                true => {
                    let path = facts.names.get(import.path);
                    item.is_none_or(is_whole) && (path.contains(name) || path.trim_matches(['.', '/']).is_empty())
                }
            };
            let is_it = || match self.import(file, index) {
                Meaning::Symbols(symbols, _) => symbols.iter().any(|symbol| meant.contains(symbol)),
                _ => false,
            };
            let is_moved = || !as_whole && self.is_moved((file, view), index, name, meant);
            if may_be && is_moved() {
                references.extend_from_slice(view.references_named(alias));
            }
            if !may_be || !is_it() {
                continue;
            }
            references.extend_from_slice(view.references_named(alias));
            references.extend_from_slice(item.map_or(&[], |item| view.references_named(item)));
            // Handed on at once, or by a statement of its own: `export { Alias }`.
            let is_handed_on = import.reexport || semantics.imports_are_exports;
            let offers = facts.imports.iter().filter(|other| {
                let is_alias = |item| facts.names.get(item) == alias;
                other.reexport && facts.names.get(other.path).is_empty() && other.item.is_some_and(is_alias)
            });
            let offers = offers.filter_map(|other| other.alias.or(other.item));
            let offers = offers.map(|offered| facts.names.get(offered));
            for offered in is_handed_on.then_some(alias).into_iter().chain(offers) {
                match semantics.exports_apart && is_whole(offered) {
                    true => trace.add_whole(file),
                    false => trace.add_name(offered),
                }
            }
        }
        references
    }

    /// Whether a use of what is overridden can end at one of the targets: by the type of what it stands on.
    pub(crate) fn may_reach(&self, file: FileIdx, view: &View, index: u32, targets: &[SymbolId]) -> bool {
        let reference = &view.facts.references[index as usize];
        let on = match reference.on {
            // That one, and no other.
            On::Super => return false,
            On::Value(value) if self.names_type(file, view, value) => return false,
            On::Value(value) => self.value(file, value),
            On::This => self.this(At {
                file,
                view,
                at: reference.at,
            }),
            _ => return true,
        };
        let is_class = |id: SymbolId| matches!(self.kind_of(id), Some(SymbolKind::Class | SymbolKind::Struct));
        let says_bases = !self.semantics(file).implicit_interfaces;
        let Base::Symbol(on) = on.head else { return true };
        targets.iter().any(|target| match self.owner(*target) {
            Base::Symbol(owner) if says_bases && is_class(on) && is_class(owner) => {
                owner == on || self.is_derived(owner, on) || self.is_derived(on, owner)
            }
            _ => true,
        })
    }

    /// Whether a type itself is written there, and no value of it: `Base.size`, and not `((Base) shape).size`.
    fn names_type(&self, file: FileIdx, view: &View, reference: u32) -> bool {
        let is_type = |id: &SymbolId| self.kind_of(*id).is_some_and(SymbolKind::is_type);
        let role = view.facts.references[reference as usize].role;
        is_access(role)
            && matches!(self.meaning(file, reference), Meaning::Symbols(found, _) if found.iter().all(is_type))
    }

    /// What implements or is derived from a definition: types of a type, members of a member.
    pub fn implementations(&self, targets: &[SymbolId]) -> Vec<Implementation> {
        let mut found = Vec::new();
        for target in targets {
            let Some(kind) = self.kind_of(*target) else { continue };
            if kind.is_type() || kind == SymbolKind::Module {
                found.extend(self.derived(*target));
                found.extend(self.written_as(*target));
            } else if let Base::Symbol(owner) = self.owner(*target) {
                let name = self.name_of(*target);
                let promotes = self.semantics(owner.file).implicit_interfaces;
                let all_derived = self.derived(owner);
                found.extend(self.unnamed_members(*target, owner, &all_derived));
                for derived in all_derived {
                    // A type has what the types embedded in it have.
                    let mut members = if promotes {
                        self.members(derived.symbol, &name)
                    } else {
                        self.own_members(derived.symbol, &name)
                    };
                    // What one block says, another may do.
                    if let (true, Base::Symbol(own)) = (members.is_empty(), self.extended_type(derived.symbol)) {
                        members = self.own_members(own, &name);
                    }
                    members.retain(|member| !targets.contains(member) && self.stands_in(*member, *target));
                    // A method of the type itself beside the trait's is none of them.
                    members.retain(|member| self.block_of(*member).is_none_or(|block| block.known.contains(&owner)));
                    let members = self.effective(members);
                    for member in &members {
                        found.extend(self.written_members(*member, derived.distance + 1));
                    }
                    found.extend(members.into_iter().map(|symbol| Implementation { symbol, ..derived }));
                }
                found.extend(self.written_members(*target, 1));
            }
        }
        found.retain(|one| !targets.contains(&one.symbol));
        found.sort_by_key(|one| (one.symbol, one.distance));
        found.dedup_by_key(|one| one.symbol);
        self.drop_declared(&mut found);
        found.sort_by_key(|one| (one.distance, one.symbol));
        found
    }

    /// Objects that are written to be of an interface: `const memory: Store = { load() {} }`.
    pub(crate) fn written_as(&self, interface: SymbolId) -> Vec<Implementation> {
        let mut found = Vec::new();
        if !self.semantics(interface.file).exports_apart || self.kind_of(interface) != Some(SymbolKind::Interface) {
            return found;
        }
        let name = self.name_of(interface);
        for file in self.world.mentioning(&name) {
            let Some(view) = self.view(file) else { continue };
            for (symbol, written) in (0..).zip(&view.facts.symbols) {
                let Some(ty) = written.ty.map(|ty| view.facts.names.get(ty)) else {
                    continue;
                };
                let is_object = !written.kind.is_type() && type_paths(ty).any(|path| path.ends_with(name.as_str()));
                if !is_object || view.literal_members(symbol).is_none() {
                    continue;
                }
                let at = written.end_of_signature();
                let place = At { file, view: &view, at };
                if self.type_from(place, ty).head == Base::Symbol(interface) {
                    found.push(Implementation {
                        symbol: SymbolId { file, symbol },
                        distance: 1,
                        rule: Rule::Member,
                    });
                }
            }
        }
        found
    }

    /// The type that a block adds to, in a language where all its blocks are one.
    fn extended_type(&self, block: SymbolId) -> Base {
        match self.kind_of(block) {
            Some(SymbolKind::Impl) if self.semantics(block.file).has_headers => self.extended(block),
            _ => Base::Unknown,
        }
    }

    /// One of a declaration and its definition is enough: the definition.
    fn drop_declared(&self, found: &mut Vec<Implementation>) {
        let is_declaration = |id: SymbolId| self.symbol(id, |_, symbol| symbol.is_declaration) == Some(true);
        let all: Vec<SymbolId> = found.iter().map(|one| one.symbol).collect();
        found.retain(|one| {
            let is_defined = |other: &SymbolId| all.contains(other) && !is_declaration(*other);
            !is_declaration(one.symbol) || !self.same_thing(one.symbol).iter().any(is_defined)
        });
    }

    /// Of several definitions of one name in one place those that count: the last, where they are no overloads.
    fn effective(&self, members: Vec<SymbolId>) -> Vec<SymbolId> {
        let place = |id: SymbolId| (id.file, self.symbol(id, |_, symbol| symbol.parent));
        let is_replaced = |at: usize, id: SymbolId| {
            !self.semantics(id.file).has_overloads && members[at + 1..].iter().any(|later| place(*later) == place(id))
        };
        let members_at = members.iter().copied().enumerate();
        members_at
            .filter(|(at, id)| !is_replaced(*at, *id))
            .map(|(_, id)| id)
            .collect()
    }

    /// The types derived from a type, near ones first.
    pub(crate) fn derived(&self, target: SymbolId) -> Vec<Implementation> {
        let mut found: Vec<Implementation> = Vec::new();
        let mut seen = FxHashSet::from_iter([target]);
        let mut open = vec![target];
        for distance in 1..=MAX_DISTANCE {
            let mut next = Vec::new();
            for outer in std::mem::take(&mut open) {
                for (symbol, rule) in self.directly_derived(outer) {
                    if !seen.insert(symbol) {
                        continue;
                    }
                    found.push(Implementation { symbol, distance, rule });
                    let own = match self.kind_of(symbol) {
                        Some(SymbolKind::Impl) => self.extended(symbol),
                        _ => Base::Symbol(symbol),
                    };
                    if let Base::Symbol(own) = own {
                        next.push(own);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            open = next;
        }
        found
    }

    fn directly_derived(&self, target: SymbolId) -> Vec<(SymbolId, Rule)> {
        let same = self.same_thing(target);
        let is_interface = self.kind_of(target) == Some(SymbolKind::Interface);
        let implicit = self.semantics(target.file).implicit_interfaces;
        let mut found = Vec::new();
        if implicit {
            if is_interface {
                let derived = sorted(self.implicitly_derived(target, None));
                found.extend(derived.into_iter().map(|symbol| (symbol, Rule::Member)));
            }
            return found;
        }
        let semantics = self.semantics(target.file);
        let same = match semantics.has_headers || semantics.has_overloads {
            true => self.with_aliases(&same),
            false => same,
        };
        self.each_clause(&same, |file, view, index, rule| {
            let at = view.facts.references[index as usize].at;
            found.extend(type_around(view, at).map(|symbol| (SymbolId { file, symbol }, rule)));
        });
        found.sort_unstable();
        found.dedup_by_key(|(symbol, _)| *symbol);
        found
    }

    /// Types, and what else they are called, alone or with others: `typedef SetOf<int> Set;`, `typealias Both = A & B`.
    fn with_aliases(&self, types: &[SymbolId]) -> Vec<SymbolId> {
        let mut all = types.to_vec();
        if let Some(first) = types.first() {
            let aliases = self.known_aliases(*first, || self.aliases_of(types));
            all.extend(aliases.iter().copied());
        }
        all
    }

    fn aliases_of(&self, types: &[SymbolId]) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let Some(name) = types.first().map(|id| self.name_of(*id)) else {
            return found;
        };
        for (file, known) in self.spots(&name, self.world.mentioning(&name)) {
            for spot in known.spots.iter().filter(|spot| spot.is_in_alias) {
                let Some(view) = self.view(file) else { continue };
                let Some(symbol) = view.facts.enclosing(spot.at) else {
                    continue;
                };
                let alias = &view.facts.symbols[symbol as usize];
                let ty = alias.ty.filter(|_| alias.kind == SymbolKind::Type);
                let Some(ty) = ty.map(|ty| view.facts.names.get(ty)) else {
                    continue;
                };
                let place = At {
                    file,
                    view: &view,
                    at: alias.end_of_signature(),
                };
                let id = SymbolId { file, symbol };
                let is_of = || self.type_from(place, ty).heads().any(|own| types.contains(&own));
                if !types.contains(&id) && !found.contains(&id) && is_of() {
                    found.push(id);
                }
            }
        }
        found
    }

    /// Where something says that it is derived from one of some types that are one thing.
    pub(crate) fn each_clause(&self, same: &[SymbolId], mut take: impl FnMut(FileIdx, &View, u32, Rule)) {
        let mut names: Vec<String> = same.iter().map(|id| self.name_of(*id)).collect();
        names.sort();
        names.dedup();
        if names.is_empty() {
            return;
        }
        for mention in self.mentions(same, names, None) {
            let file = mention.file;
            for Spot { index, role, .. } in mention.spots {
                if role == Role::Implementation
                    && let Meaning::Symbols(symbols, rule) = self.meaning(file, index)
                    && symbols.iter().any(|symbol| same.contains(symbol))
                    && let Some(view) = self.view(file)
                {
                    take(file, &view, index, rule);
                }
            }
        }
    }

    /// Whether a method is of a class itself, where its values may have one of the same name.
    pub fn is_static(&self, id: SymbolId) -> bool {
        self.semantics(id.file).has_class_methods && self.shape_of(id).as_deref() == Some(syntax::STATIC)
    }

    /// Whether a name that was written with a mark can mean a method: `Job#run` is of values, and `Job.run` of the class where
    /// that is how its language is written about.
    pub fn fits_mark(&self, id: SymbolId, mark: char) -> bool {
        let semantics = self.semantics(id.file);
        match mark {
            '#' if semantics.has_class_methods => !self.is_static(id),
            '.' if semantics.has_marked_methods => self.is_static(id),
            // Nothing is taken by an interface.
            '*' => match self.owner(id) {
                Base::Symbol(owner) => self.kind_of(owner) != Some(SymbolKind::Interface),
                _ => true,
            },
            _ => true,
        }
    }

    /// Whether two types are one, in several pieces or declarations.
    pub(crate) fn is_one_type(&self, one: SymbolId, other: SymbolId) -> bool {
        one == other || self.same_thing(one).contains(&other)
    }

    /// What a method takes and gives, where that decides.
    pub(crate) fn shape_of(&self, id: SymbolId) -> Option<String> {
        let view = self.view(id.file)?;
        view.facts.shape(id.symbol).map(str::to_owned)
    }
}
