//! Who uses a definition: every mention of its name, each resolved, and what is left weighed.

pub(crate) mod constructors;
pub(crate) mod implementations;
pub(crate) mod mentions;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;
use syntax::{Modifier, Qualifier, RefIdx, Reference, Role, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        occurrences::Occurrence,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    lang::related,
    queries::{
        likelihood::{Likelihood, is_on_value},
        references::mentions::Mention,
    },
    types::ty::Base,
    view::{SymbolId, View},
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
    /// A parameter that is given something by its name is no reference.
    pub reference: Option<RefIdx>,
    pub at: u32,
    pub role: Role,
    /// The symbol that it is written in.
    pub enclosing: Option<SymbolIdx>,
    pub origin: Origin,
    pub confidence: f32,
}

/// The type whose declaration a place is part of.
pub(crate) fn type_around(view: &View, at: u32) -> Option<SymbolIdx> {
    let around = view.declaring(at)?;
    let kind = view.facts.symbols[around].kind;
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
    /// Where those are: files, and places in their lists of references.
    pub other_uses: Vec<(FileIdx, RefIdx)>,
    /// Those among them that mean another definition, by which.
    pub of_others: BTreeMap<SymbolId, usize>,
    /// Files that mention the name, which is a common one, and do not mention the type that it belongs to: they were not
    /// looked at.
    pub unseen: usize,
}

/// A member whose name is in more files is looked for where its type is named too.
pub(crate) const COMMON: usize = 300;

/// What gives back a type is no help in finding its uses if more files name it, or something else that does.
const MANY_GIVEN: usize = 1_000;

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
    weigh: Likelihood<'r, 'w>,
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
        Role::Member => reference.on == Qualifier::Nothing,
        _ => false,
    };
    may_begin && reference.arguments.is_some()
}

/// Whether a value is asked for or given where it is kept.
pub(crate) fn is_access(role: Role) -> bool {
    matches!(role, Role::Member | Role::Variable)
}

impl Resolver<'_> {
    /// The uses of a definition, or of several that are one thing.
    pub fn uses(&self, targets: &[SymbolId]) -> Uses {
        let Some(first) = targets.first() else {
            return Uses::default();
        };
        let mut found = Uses::default();
        let aliases = self.rules(first.file).alias_variables(self, targets);
        let mut names = self.names_in_uses(*first);
        names.extend(aliases.iter().map(|alias| self.name_of(*alias)));
        names.dedup();
        let meant = [targets, &aliases].concat();
        let mut mentions = self.mentions(&meant, names, Some(&mut found.unseen));
        // In another language it may go by another name, and is meant there or not.
        let across = self.rules(first.file).names_in_related_languages(self, *first);
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
            weigh: Likelihood::new(self, targets),
        };
        let mut done = FxHashSet::default();
        let mut files = self.in_turn(mentions.iter().map(|mention| mention.file).collect::<Vec<_>>());
        for Mention { file, name, spots } in &mentions {
            files.next();
            let file = *file;
            let Some(view) = self.view(file) else { continue };
            for Occurrence { index, .. } in spots.iter().copied() {
                if !done.insert((file, index)) {
                    continue;
                }
                let reference = &view.facts.references[index];
                match self.classify_mention(&mut wanted, (file, &view, index), name) {
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
                        found.other_uses.push((file, index));
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
        found
            .uses
            .extend(self.rules(first.file).injections(self, targets, false));
        found.uses.sort_by_key(|used| (used.file, used.at));
        found
    }

    /// Whether something is asked of the value itself that its own type does not have and one derived from it has: what a
    /// mixin calls is written in the classes that it is mixed into.
    fn is_left_to_derived(&self, (file, view): (FileIdx, &View), reference: &Reference, targets: &[SymbolId]) -> bool {
        if !self.rules(file).has_self_receiver(reference)
            || !targets
                .iter()
                .all(|target| self.kind_of(*target).is_some_and(SymbolKind::is_function))
        {
            return false;
        }
        let at = reference.at;
        let Base::Symbol(own) = self.this(At { file, view, at }).head else {
            return false;
        };
        let pieces = self.same_thing(own);
        targets.iter().any(|target| match self.owner(*target) {
            Base::Symbol(owner) => !pieces.contains(&owner) && pieces.iter().any(|own| self.is_derived(owner, *own)),
            _ => false,
        })
    }

    /// What a use of some definitions does with them.
    fn role_of(&self, file: FileIdx, reference: &Reference, targets: &[SymbolId]) -> Role {
        let is_call = self.rules(file).is_setter_call(self, reference, targets)
            || (makes(reference) && targets.first().is_some_and(|first| self.constructed(*first).is_some()))
            || (begins(reference) && targets.iter().any(|target| self.has_constructor(*target)));
        if is_call { Role::Call } else { reference.role }
    }

    /// Whether a reference has something run: it is a call, makes a value by a constructor that is written, or asks for a
    /// property that computes.
    pub(crate) fn is_call(&self, file: FileIdx, view: &View, index: RefIdx) -> bool {
        let reference = &view.facts.references[index];
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

    /// Tells who knows a language exactly what will be asked, all at once.
    fn expect(&self, mentions: &[Mention]) {
        for mention in mentions {
            let mut places = mention.spots.iter().map(|spot| spot.at);
            self.world.expect(mention.file, &mut places);
        }
    }

    /// How a mention is known to be a use of what is wanted, and how surely; nothing where it means something else.
    fn classify_mention(
        &self,
        wanted: &mut Wanted<'_, '_>,
        (file, view, index): (FileIdx, &View, RefIdx),
        name: &str,
    ) -> Option<(Origin, f32)> {
        let targets = wanted.targets;
        let reference = &view.facts.references[index];
        let by = |rule: Rule| (Origin::Resolved(rule), rule.confidence());
        let moved = || {
            let may_be = name == wanted.name && !self.fitting(file, targets.to_vec(), reference.role, false).is_empty();
            let confidence = may_be.then(|| self.likelihood_of_stale_use((file, view), reference, name, targets));
            let confidence = confidence.flatten()?;
            Some((Origin::Resolved(Rule::Moved), confidence))
        };
        let is_target = |id: &SymbolId| targets.contains(id);
        match self.meaning(file, index) {
            Meaning::Symbols(symbols, rule) => {
                if self.are_targets(&symbols, targets, file, view, index) {
                    let all = self.with_constructors(&symbols, targets, file, index);
                    let confidence = rule.confidence() / self.alternatives(&all, targets, reference.role);
                    return Some((Origin::Resolved(rule), confidence));
                }
                if symbols.iter().any(|symbol| wanted.bases.contains(symbol)) {
                    let may_reach = self.may_reach(file, view, index, targets);
                    return may_reach.then_some((Origin::Dispatch, LIKELY));
                }
                let mut taken_out = symbols.iter().flat_map(|id| self.destructured_functions_of(*id));
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
                let at = view.facts.bindings[binding].at;
                let name_at = |id: &SymbolId| view.facts.symbols[id.symbol].name_at;
                if targets
                    .iter()
                    .any(|target| target.file == file && name_at(target) == at)
                {
                    return Some(by(Rule::Scope));
                }
                let taken_out = self.destructured_functions_here(file, binding);
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
                if self.is_left_to_derived((file, view), reference, targets) {
                    return Some((Origin::Dispatch, LIKELY));
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
            // `bind(from).to(into)`
            if !self.rules(target.file).uses_unnamed_types() {
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
        let (outer, own) = self.semantics(owner.file).constructor_words;
        if outer.is_empty() && own.is_empty() {
            return;
        }
        let derived = self.derived(owner).into_iter().filter(|one| one.distance == 1);
        let mut files: Vec<FileIdx> = derived.map(|one| one.symbol.file).chain([owner.file]).collect();
        files.extend(self.rules(owner.file).constructor_callers(self, owner));
        files.sort_unstable();
        files.dedup();
        for file in files {
            let Some(view) = self.view(file) else { continue };
            let words = outer.iter().chain(own);
            for index in words.flat_map(|word| view.references_named(word)) {
                let reference = &view.facts.references[*index];
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
        if self.kind_of(owner) != Some(SymbolKind::Enum) || !semantics.enumerators_call_constructors {
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

    /// The functions in some files that give back one of some types.
    fn givers(&self, types: &[String], files: &FxHashSet<FileIdx>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for file in files.iter().filter(|_| files.len() <= COMMON) {
            let Some(view) = self.view(*file) else { continue };
            let functions = view.facts.symbols.iter().filter(|symbol| symbol.kind.is_function());
            for function in functions {
                let gives = |ty| {
                    view.type_expr(ty)
                        .names()
                        .any(|path| types.iter().any(|one| one == path))
                };
                if function.type_expr().is_some_and(gives) {
                    found.insert(view.facts.name(function).to_owned());
                }
            }
        }
        found
    }

    /// What a use that no rule resolves may mean, most likely first.
    pub fn candidates(&self, file: FileIdx, reference: RefIdx) -> Vec<(SymbolId, f32)> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let used = &view.facts.references[reference];
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
                let confidence = Likelihood::new(self, &[id]).confidence(file, &view, used, name, is_missing);
                found.push((id, confidence));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    fn are_targets(
        &self,
        symbols: &[SymbolId],
        targets: &[SymbolId],
        file: FileIdx,
        view: &View,
        index: RefIdx,
    ) -> bool {
        if symbols.iter().any(|symbol| targets.contains(symbol)) {
            return true;
        }
        // Of a type's constructors a call means the one that takes what it gives.
        makes(&view.facts.references[index])
            && targets.iter().any(|target| {
                self.constructed(*target).is_some_and(|owner| {
                    let is_owner = symbols.contains(&owner)
                        || self
                            .rules(owner.file)
                            .declarations_of_type(self, owner)
                            .iter()
                            .any(|other| symbols.contains(other));
                    let is_made = is_owner && {
                        let constructors = self.own_members(owner, &self.name_of(*target));
                        let reference = &view.facts.references[index];
                        let is_taken = self.any_accepts_count(&[*target], reference);
                        is_taken && self.by_arguments(constructors, file, view, index).contains(target)
                    };
                    is_made
                        || symbols
                            .iter()
                            .any(|made| self.is_constructed_by(*made, *target, owner, (file, index)))
                })
            })
    }

    /// Among how many functions of one name that all could be meant the wanted one is.
    fn alternatives(&self, symbols: &[SymbolId], targets: &[SymbolId], role: Role) -> f32 {
        // An import brings all of them.
        if role == Role::Import {
            return 1.0;
        }
        // A declaration of the same function is no alternative to it.
        let is_other = |symbol: &SymbolId| {
            let semantics = self.semantics(symbol.file);
            let is_overload = self.rules(symbol.file).distinguishes_overloads()
                && !targets.iter().any(|target| self.same_thing(*target).contains(symbol));
            is_overload || (semantics.has_impl_blocks && self.are_of_blocks(symbols))
        };
        let known: FxHashSet<SymbolId> = targets.iter().copied().collect();
        let others = symbols.iter().filter(|symbol| {
            !known.contains(*symbol) && self.kind_of(**symbol).is_some_and(SymbolKind::is_function) && is_other(symbol)
        });
        match (others.count(), targets.first()) {
            (0, _) => 1.0,
            (others, target) => {
                let most = target.map_or(f32::INFINITY, |target| self.semantics(target.file).max_open_overloads);
                (1.0 + 0.7 * others as f32).min(most)
            }
        }
    }

    fn is_module(&self, target: SymbolId, files: &[FileIdx]) -> bool {
        if !matches!(self.kind_of(target), Some(SymbolKind::Module | SymbolKind::Namespace)) {
            return false;
        }
        let Some(view) = self.view(target.file) else {
            return false;
        };
        let declared = self.modules.declared(target.file, &view.facts);
        let at = view.facts.symbols[target.symbol].name_at;
        declared
            .iter()
            .any(|declared| declared.at == at && files.contains(&declared.file))
    }

    /// Whether a method is of a class itself, where its values may have one of the same name.
    pub fn is_static(&self, id: SymbolId) -> bool {
        self.semantics(id.file).separates_static_members && self.modifier_of(id) == Some(Modifier::Static)
    }

    /// Whether a name that was written with a mark can mean a method: `Job#run` is of values, and `Job.run` of the class where
    /// that is how its language is written about.
    pub fn fits_mark(&self, id: SymbolId, mark: char) -> bool {
        match mark {
            '#' | '.' => self.rules(id.file).fits_separator(self, id, mark),
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

    /// What tells a function apart from others of its name: the labels of its parameters, or the types in its signature.
    pub(crate) fn signature_of(&self, id: SymbolId) -> Option<String> {
        let view = self.view(id.file)?;
        view.facts.signature_of(id.symbol).map(str::to_owned)
    }

    pub(crate) fn modifier_of(&self, id: SymbolId) -> Option<Modifier> {
        self.view(id.file)?.facts.modifier(id.symbol)
    }
}
