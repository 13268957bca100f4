//! The uses of a definition. Every reference with one of its names is resolved; those that no rule resolves are weighed
//! (`likelihood`). Start at `uses`; `classify_mention` decides about one reference.

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

/// How a use was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Origin {
    /// By the rules of the language.
    Resolved(Rule),
    /// By dynamic dispatch: the reference resolves to a definition that the target overrides.
    Dispatch,
    /// By name alone: no rule resolves the reference.
    Name,
}

/// A place where a definition is used.
#[derive(Debug, Clone, PartialEq)]
pub struct Use {
    pub file: FileIdx,
    /// Its index in the references of the file. Facts have none for a named argument or an enum constant that calls a
    /// constructor.
    pub reference: Option<RefIdx>,
    pub at: u32,
    pub role: Role,
    /// The innermost symbol around it.
    pub enclosing: Option<SymbolIdx>,
    pub origin: Origin,
    pub confidence: f32,
}

/// The type whose declaration contains an offset.
pub(crate) fn type_around(view: &View, at: u32) -> Option<SymbolIdx> {
    let around = view.declaring(at)?;
    let kind = view.facts.symbols[around].kind;
    (kind.has_members() || kind == SymbolKind::Module).then_some(around)
}

/// Uses with less confidence are reported separately: they are as likely uses of something else.
pub const LIKELY: f32 = 0.5;

/// The uses of a definition, by file and offset.
#[derive(Debug, Default)]
pub struct Uses {
    pub uses: Vec<Use>,
    /// References with the target's name that resolve to another definition or to a library.
    pub others: usize,
    /// Those references: files, and indices in their references.
    pub other_uses: Vec<(FileIdx, RefIdx)>,
    /// Their number by the definition that they resolve to, where it is a single one.
    pub of_others: BTreeMap<SymbolId, usize>,
    /// The number of files not searched: the name is a common one, and they do not mention the type that the target
    /// belongs to.
    pub unseen: usize,
}

/// If more files than this contain the name of a member, only those are searched that may know its type
/// (`keep_files_knowing_owner`).
pub(crate) const COMMON: usize = 300;

/// Functions that return a type lead to its uses only if no more files than this contain their names.
const MAX_FILES_OF_RETURNING: usize = 1_000;

/// A search for the uses of some definitions.
struct Wanted<'r, 'w> {
    targets: &'r [SymbolId],
    /// The definitions that they override.
    bases: Vec<SymbolId>,
    name: String,
    /// Their names in related languages: `setSize` in Java is `size` in Kotlin.
    across: Vec<String>,
    /// Variables that are aliases of them, by which they are called.
    aliases: Vec<SymbolId>,
    weigh: Likelihood<'r, 'w>,
}

/// Whether a reference to a type constructs a value: a call (`Shape(1)`), an anonymous subclass (`new Shape() { .. }`),
/// or an initialiser (`Shape shape(1);`, `: Base(1)`).
fn is_construction(reference: &Reference) -> bool {
    reference.role == Role::Call
        || (reference.role == Role::Implementation && reference.arguments.is_some())
        || is_initialiser(reference)
}

/// Whether a reference to a type is a declaration or member initialiser with arguments: `Shape shape(1);`, `: Base(1)`.
fn is_initialiser(reference: &Reference) -> bool {
    let may_initialise = match reference.role {
        Role::Type => true,
        Role::Member => reference.on == Qualifier::Nothing,
        _ => false,
    };
    may_initialise && reference.arguments.is_some()
}

/// Whether a role reads or writes a variable or member.
pub(crate) fn is_access(role: Role) -> bool {
    matches!(role, Role::Member | Role::Variable)
}

impl Resolver<'_> {
    /// The uses of some declarations of one entity.
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
        // Related languages may use another name for it: a Kotlin property is `getSize` in Java.
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

    /// Whether `self.area()` in a mixin can only mean a member of the classes that include it: the mixin has none, and
    /// a subtype of it owns a target.
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

    /// The role of a use of some definitions: initialisers and setters count as calls.
    fn role_of(&self, file: FileIdx, reference: &Reference, targets: &[SymbolId]) -> Role {
        let is_call = self.rules(file).is_setter_call(self, reference, targets)
            || (is_construction(reference) && targets.first().is_some_and(|first| self.constructed(*first).is_some()))
            || (is_initialiser(reference) && targets.iter().any(|target| self.has_constructor(*target)));
        if is_call { Role::Call } else { reference.role }
    }

    /// Whether a reference executes code: a call, an initialiser that runs a declared constructor, or an access to a
    /// property with a getter.
    pub(crate) fn is_call(&self, file: FileIdx, view: &View, index: RefIdx) -> bool {
        let reference = &view.facts.references[index];
        let computes = |id: &SymbolId| {
            self.kind_of(*id) == Some(SymbolKind::Property) && self.symbol(*id, |_, symbol| symbol.runs()) == Some(true)
        };
        reference.role == Role::Call
            || (is_access(reference.role)
                && matches!(self.meaning(file, index), Meaning::Symbols(asked, _) if asked.iter().any(computes)))
            || (is_initialiser(reference)
                && matches!(self.meaning(file, index), Meaning::Symbols(made, _)
                    if made.iter().any(|made| self.has_constructor(*made))))
    }

    /// Announces all places to the exact engine, so that it can resolve them in one batch.
    fn expect(&self, mentions: &[Mention]) {
        for mention in mentions {
            let mut places = mention.spots.iter().map(|spot| spot.at);
            self.world.expect(mention.file, &mut places);
        }
    }

    /// How a reference was found to be a use of the targets, with the confidence; `None` if it means something else.
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
                let is_alias = is_construction(reference) && symbols.iter().any(|id| wanted.aliases.contains(id));
                is_alias.then(|| by(Rule::Alias))
            }
            Meaning::Files(files) => {
                let is_it = targets.iter().any(|target| self.is_module(*target, &files));
                is_it.then(|| by(Rule::Import))
            }
            // A parameter that also declares a member: `constructor(private seats: number)`.
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

    /// Keeps the files that may hold a value of the targets' type: they mention the type, a subtype, or a function that
    /// returns one of those, or are in the same directory. Returns how many were dropped. Keeps everything for
    /// functions without an owner, which are found by imports that name them.
    fn keep_files_knowing_owner(&self, files: &mut Vec<FileIdx>, targets: &[SymbolId]) -> usize {
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
            // The type need not be mentioned: `bind(from).to(into)` calls a method of what `bind` returns.
            if !self.rules(target.file).uses_unnamed_types() {
                continue;
            }
            for name in self.functions_returning(&names, &knowing) {
                let others = self.world.mentioning(&name);
                if others.len() + knowing.len() <= MAX_FILES_OF_RETURNING {
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

    /// Adds calls of a constructor by other constructors: `super(1)`, `this(1)`.
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

    /// Adds enum constants, which call a constructor of their enum: `LOW(1)`.
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

    /// The names of the functions in some files whose return type mentions one of some types.
    fn functions_returning(&self, types: &[String], files: &FxHashSet<FileIdx>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for file in files.iter().filter(|_| files.len() <= COMMON) {
            let Some(view) = self.view(*file) else { continue };
            let functions = view.facts.symbols.iter().filter(|symbol| symbol.kind.is_function());
            for function in functions {
                let returns_one = |ty| {
                    view.type_expr(ty)
                        .names()
                        .any(|path| types.iter().any(|one| one == path))
                };
                if function.type_expr().is_some_and(returns_one) {
                    found.insert(view.facts.name(function).to_owned());
                }
            }
        }
        found
    }

    /// The candidates of an unresolved reference, most likely first.
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
        // A call of a type means the constructor that accepts its arguments.
        is_construction(&view.facts.references[index])
            && targets.iter().any(|target| {
                self.constructed(*target).is_some_and(|owner| {
                    let is_owner = symbols.contains(&owner)
                        || self
                            .rules(owner.file)
                            .declarations_of_type(self, owner)
                            .iter()
                            .any(|other| symbols.contains(other));
                    let is_called = is_owner && {
                        let constructors = self.own_members(owner, &self.name_of(*target));
                        let reference = &view.facts.references[index];
                        let accepts = self.any_accepts_count(&[*target], reference);
                        accepts && self.by_arguments(constructors, file, view, index).contains(target)
                    };
                    is_called
                        || symbols
                            .iter()
                            .any(|made| self.is_constructed_by(*made, *target, owner, (file, index)))
                })
            })
    }

    /// The divisor of the confidence: grows with the number of other overloads that the reference may mean.
    fn alternatives(&self, symbols: &[SymbolId], targets: &[SymbolId], role: Role) -> f32 {
        // An import binds all overloads.
        if role == Role::Import {
            return 1.0;
        }
        // A further declaration of the same function is no alternative.
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

    /// Whether a method is static in a language where an instance method may have the same name.
    pub fn is_static(&self, id: SymbolId) -> bool {
        self.semantics(id.file).separates_static_members && self.modifier_of(id) == Some(Modifier::Static)
    }

    /// Whether a definition matches the separator of a query: `Job#run` is an instance method, `Job.run` a class method
    /// in languages that are documented like that.
    pub fn fits_mark(&self, id: SymbolId, mark: char) -> bool {
        match mark {
            '#' | '.' => self.rules(id.file).fits_separator(self, id, mark),
            // `(*Job).run`: an interface has no pointer receivers.
            '*' => match self.owner(id) {
                Base::Symbol(owner) => self.kind_of(owner) != Some(SymbolKind::Interface),
                _ => true,
            },
            _ => true,
        }
    }

    /// Whether two symbols declare the same type: partial classes, a forward declaration and its definition.
    pub(crate) fn is_one_type(&self, one: SymbolId, other: SymbolId) -> bool {
        one == other || self.same_thing(one).contains(&other)
    }

    /// What distinguishes overloads: argument labels, or the parameter types as written.
    pub(crate) fn signature_of(&self, id: SymbolId) -> Option<String> {
        let view = self.view(id.file)?;
        view.facts.signature_of(id.symbol).map(str::to_owned)
    }

    pub(crate) fn modifier_of(&self, id: SymbolId) -> Option<Modifier> {
        self.view(id.file)?.facts.modifier(id.symbol)
    }
}
