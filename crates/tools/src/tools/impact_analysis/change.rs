//! What is changed, and who uses it.

use std::collections::{BTreeMap, BTreeSet};

use queries::{
    ChangeKind, ChangedSymbol, CodeGraph, FileIdx, Implementation, LIKELY, Subject, SymbolId, Use, UseOrigin,
    Visibility,
};

use super::diff::Changed;
use crate::machinery::error::ToolError;

/// Implementations whose own users are looked for.
const MAX_THROUGH: usize = 20;

/// A symbol that is to be changed, or all that a diff has changed.
pub(super) struct Change<'g> {
    pub graph: &'g CodeGraph<'g>,
    /// What uses are looked for of: names of definitions, and paths of files.
    pub targets: Vec<String>,
    /// How much what became of each matters to who uses it, most first.
    pub urgencies: Vec<Urgency>,
    /// That of the targets that are taken next.
    pub urgency: Urgency,
    /// Those of them whose imports have to be looked at, not only the code that goes on with what they import.
    pub imports_matter: BTreeSet<usize>,
    pub ids: Vec<SymbolId>,
    /// The likely ones, by place.
    pub uses: Vec<TargetUse>,
    /// Uses of the name that may be of it, by place.
    possible: BTreeSet<(FileIdx, u32)>,
    pub implementations: Vec<Implementation>,
    /// What a change leaves to be done in some of them.
    pub undone: BTreeMap<SymbolId, String>,
    pub removed_reexports: Vec<RemovedReexport>,
    /// The definitions of a diff.
    pub changed: Vec<Changed>,
    pub is_public: bool,
    pub is_type: bool,
    /// Uses of what is gone.
    pub left_over: usize,
    /// Uses of implementations that are not among the uses.
    pub through: usize,
    /// Files that were not looked at.
    pub unseen: usize,
    /// Files that are gone and names that are not handed on any more whose importers were not looked for.
    pub unasked: usize,
    /// Files of a diff that were not looked into.
    pub unread: usize,
    pub unread_submodules: usize,
    /// There is nothing that differs.
    pub is_nothing: bool,
}

/// What became of something, by what it does to who uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Urgency {
    Gone,
    /// It is asked for in another way.
    Signature,
    Body,
    /// It is gone with what it is inside of.
    Part,
    /// It is elsewhere now.
    Moved,
    /// Nobody else can use it yet.
    New,
    /// Nothing differs but comments and white space.
    Layout,
}

impl Urgency {
    pub fn of(symbol: &ChangedSymbol) -> Urgency {
        match (symbol.change, symbol.has_new_signature) {
            _ if symbol.is_layout => Urgency::Layout,
            (ChangeKind::Removed, _) => Urgency::Gone,
            (ChangeKind::Modified, Some(true)) => Urgency::Signature,
            (ChangeKind::Modified, _) => Urgency::Body,
            (ChangeKind::Added, _) => Urgency::New,
        }
    }
}

/// A use, with the number of the target that is used.
#[derive(Clone)]
pub(super) struct TargetUse {
    pub used: Use,
    pub target: usize,
}

/// How many uses of a target there are.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    pub likely: usize,
    pub possible: usize,
}

/// A name that a file does not hand on any more.
pub(super) struct RemovedReexport {
    pub path: String,
    pub line: u32,
    pub name: String,
    /// How many imports ask for it there.
    pub uses: usize,
}

impl<'g> Change<'g> {
    pub fn new(graph: &'g CodeGraph<'g>) -> Change<'g> {
        Change {
            graph,
            targets: Vec::new(),
            urgencies: Vec::new(),
            urgency: Urgency::Gone,
            imports_matter: BTreeSet::new(),
            ids: Vec::new(),
            uses: Vec::new(),
            possible: BTreeSet::new(),
            implementations: Vec::new(),
            undone: BTreeMap::new(),
            removed_reexports: Vec::new(),
            changed: Vec::new(),
            is_public: false,
            is_type: false,
            left_over: 0,
            through: 0,
            unseen: 0,
            unasked: 0,
            unread: 0,
            unread_submodules: 0,
            is_nothing: false,
        }
    }

    /// Any change of one symbol.
    pub fn of_symbol(graph: &'g CodeGraph<'g>, subject: &Subject) -> Result<Change<'g>, ToolError> {
        let uses = graph.uses(subject);
        let mut change = Change::new(graph);
        change.ids.clone_from(&subject.ids);
        change.is_public = subject.hit.visibility == Some(Visibility::Public);
        change.is_type = subject.hit.kind.is_type();
        change.unseen = uses.unseen;
        change.implementations = graph.implementations(subject);
        change.take_target(&subject.hit.name, uses.uses);
        let standing_in = change.implementations.clone();
        change.take_through(&uses.of_others, &standing_in)?;
        change.sort_uses();
        Ok(change)
    }

    /// Takes a further target with its uses, and tells how many of them are likely, and how many others are possible.
    pub fn take_target(&mut self, name: &str, uses: Vec<Use>) -> Taken {
        let target = self.targets.len();
        let (likely, possible): (Vec<Use>, Vec<Use>) = uses.into_iter().partition(|used| used.confidence >= LIKELY);
        let taken = Taken {
            likely: likely.len(),
            possible: possible.len(),
        };
        self.possible.extend(possible.iter().map(|used| (used.file, used.at)));
        let likely = likely.into_iter().map(|used| TargetUse { used, target });
        self.uses.extend(likely);
        self.targets.push(name.to_owned());
        self.urgencies.push(self.urgency);
        taken
    }

    /// Takes the uses of what implements or overrides something: what it takes, they give.
    pub fn take_through(
        &mut self,
        of_others: &BTreeMap<SymbolId, usize>,
        standing_in: &[Implementation],
    ) -> Result<(), ToolError> {
        let is_used = |one: &&Implementation| of_others.contains_key(&one.symbol);
        for (at, one) in standing_in.iter().filter(is_used).enumerate() {
            if at >= MAX_THROUGH {
                self.through += of_others[&one.symbol];
                continue;
            }
            let (_, uses) = self.graph.uses_of(one.symbol);
            let name = self.graph.hit(one.symbol)?.qualified_name;
            let mut uses = uses.uses;
            uses.retain(|used| used.origin != UseOrigin::Dispatch);
            self.take_target(&name, uses);
        }
        Ok(())
    }

    /// Brings the uses into the order of the text, each once: a declaration and its definition have the same uses.
    pub fn sort_uses(&mut self) {
        let targets = &self.targets;
        let key = |one: &TargetUse| (one.used.file, one.used.at, targets.get(one.target));
        self.uses.sort_by(|one, other| key(one).cmp(&key(other)));
        self.uses.dedup_by(|one, other| key(one) == key(other));
    }

    /// How many of the uses are of what is overridden, and may reach what is changed.
    pub fn dispatched(&self) -> usize {
        let is_dispatched = |one: &&TargetUse| one.used.origin == UseOrigin::Dispatch;
        self.uses.iter().filter(is_dispatched).count()
    }

    /// Where uses may be of what is changed, on lines that have none which is likely to be.
    pub fn possible(&self) -> Vec<(FileIdx, u32)> {
        let line = |file: FileIdx, at: u32| (file, self.graph.line(file, at));
        let files: BTreeSet<FileIdx> = self.possible.iter().map(|(file, _)| *file).collect();
        let near = self.uses.iter().filter(|one| files.contains(&one.used.file));
        let likely: BTreeSet<(FileIdx, u32)> = near.map(|one| line(one.used.file, one.used.at)).collect();
        let possible = self.possible.iter().copied();
        possible
            .filter(|(file, at)| !likely.contains(&line(*file, *at)))
            .collect()
    }

    /// Whether a diff changes comments and white space alone.
    pub fn is_layout(&self) -> bool {
        let mut changed = self.changed.iter();
        !self.changed.is_empty() && self.targets.is_empty() && changed.all(|one| one.symbol.is_layout)
    }

    /// Members that do not fit what they are to stand in for.
    pub fn unfit(&self) -> usize {
        let no_longer_overridden = self.changed.iter().filter(|one| !one.no_longer_overridden.is_empty());
        self.undone.len() + no_longer_overridden.count()
    }
}
