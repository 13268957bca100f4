//! What a diff has changed, definition by definition.

use std::collections::{BTreeMap, BTreeSet};

use queries::{
    ChangeKind, ChangeSet, ChangedFile, ChangedSymbol, CodeGraph, FileIdx, Gone, LIKELY, Role, Rule, SymbolId,
    SymbolKind, Use, UseOrigin, Visibility,
};

use super::change::{Change, RemovedReexport, Urgency};
use crate::machinery::error::ToolError;

/// How far the users of a change are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Files that are looked at for the users of changed definitions. One is looked for whatever it costs.
    weight: usize,
    /// Definitions whose users are looked for.
    definitions: usize,
    /// What may be looked up on the way to tests.
    pub lookups: usize,
    pub files: usize,
}

impl Effort {
    /// An answer is due in a fraction of a second.
    pub const QUICK: Effort = Effort {
        weight: 500,
        definitions: 80,
        lookups: 400,
        files: 500,
    };
    /// A test that is left out costs more than some seconds.
    pub const THOROUGH: Effort = Effort {
        weight: 20_000,
        definitions: 4_000,
        lookups: 8_000,
        files: 10_000,
    };
}

/// Files that are gone, and names that are not handed on any more, whose importers are looked for.
const MAX_IMPORTED: usize = 20;

/// A definition that was changed.
pub(super) struct Changed {
    pub path: String,
    pub symbol: ChangedSymbol,
    urgency: Urgency,
    /// How often it is used, where that was looked for.
    pub used: Option<usize>,
    /// How many further uses may be of it.
    pub possible: usize,
    /// Where what is gone is still used.
    pub left: Vec<(FileIdx, u32)>,
    /// Where what is gone has come up again.
    pub moved_to: Option<(String, u32)>,
    /// How often it is used from there.
    pub found_there: usize,
    /// What it does not stand in for any more.
    pub no_longer_overridden: Vec<SymbolId>,
}

/// What is known of the users of one.
struct Users {
    used: Option<usize>,
    possible: usize,
    left: Vec<(FileIdx, u32)>,
    no_longer_overridden: Vec<SymbolId>,
}

impl Users {
    const NOT_LOOKED_FOR: Users = Users::counted(None);
    const NONE: Users = Users::counted(Some(0));

    const fn counted(used: Option<usize>) -> Users {
        Users {
            used,
            possible: 0,
            left: Vec::new(),
            no_longer_overridden: Vec::new(),
        }
    }
}

impl Changed {
    /// What is gone and missed comes first, then what is asked for in another way, then what does something else.
    fn urgency(&self) -> (bool, Urgency) {
        let urgency = match self.urgency {
            Urgency::Gone if self.used == Some(0) => Urgency::Body,
            urgency => urgency,
        };
        (self.symbol.is_test, urgency)
    }
}

impl<'g> Change<'g> {
    /// All that a diff has changed.
    pub fn of_diff(graph: &'g CodeGraph<'g>, set: &ChangeSet, effort: Effort) -> Result<Change<'g>, ToolError> {
        let mut diff = Diff {
            change: Change::new(graph),
            set,
            broken: BTreeSet::new(),
            effort,
            weight_left: effort.weight,
            looked_for: 0,
        };
        diff.take_files();
        diff.take_removed_reexports();
        diff.take_symbols()?;
        let mut change = diff.change;
        change.changed.sort_by_key(Changed::urgency);
        change.unread = set.unread + set.unindexed;
        change.unread_submodules = set.unread_submodules;
        change.is_nothing = set.files.is_empty() && set.is_all_read();
        change.implementations.sort_by_key(|one| (one.symbol, one.distance));
        change.implementations.dedup_by_key(|one| one.symbol);
        change.sort_uses();
        Ok(change)
    }
}

/// A diff on its way to a change.
struct Diff<'d, 'g> {
    change: Change<'g>,
    set: &'d ChangeSet,
    /// Files that are gone, each with one that imports it.
    broken: BTreeSet<(&'d str, FileIdx)>,
    effort: Effort,
    /// What may still be looked at.
    weight_left: usize,
    /// Definitions whose users were looked for.
    looked_for: usize,
}

impl<'d> Diff<'d, '_> {
    /// Takes files that are gone as targets of those who import them. What a file does when it is loaded concerns those as
    /// well.
    fn take_files(&mut self) {
        let is_target = |file: &&ChangedFile| file.kind == ChangeKind::Removed || file.is_loose;
        for (at, file) in self.set.files.iter().filter(is_target).enumerate() {
            if at >= MAX_IMPORTED {
                self.change.unasked += 1;
                continue;
            }
            let imports = self.change.graph.imports_of(&file.path, file.lang).unwrap_or_default();
            if imports.is_empty() {
                continue;
            }
            let is_gone = file.kind == ChangeKind::Removed;
            if is_gone {
                let broken = imports.iter().map(|used| (file.path.as_str(), used.file));
                self.broken.extend(broken);
            }
            self.change.imports_matter.insert(self.change.targets.len());
            self.change.urgency = if is_gone { Urgency::Gone } else { Urgency::Body };
            let taken = self.change.take_target(&file.path, imports).likely;
            self.change.left_over += if is_gone { taken } else { 0 };
        }
    }

    /// Takes the names that files do not hand on any more, each as something that is gone from there.
    fn take_removed_reexports(&mut self) {
        let removed_reexports = self.set.files.iter().flat_map(|file| {
            let names = file.removed_reexports.iter();
            names.map(move |(name, line)| (file, name, *line))
        });
        for (at, (file, name, line)) in removed_reexports.enumerate() {
            if at >= MAX_IMPORTED {
                self.change.unasked += 1;
                continue;
            }
            let missing = self.imports_missing(file, name);
            if missing.is_empty() {
                continue;
            }
            self.change.imports_matter.insert(self.change.targets.len());
            self.change.urgency = Urgency::Gone;
            let uses = self.change.take_target(name, missing).likely;
            self.change.left_over += uses;
            self.change.removed_reexports.push(RemovedReexport {
                path: file.path.clone(),
                line,
                name: name.clone(),
                uses,
            });
        }
    }

    /// Imports that ask a file for a name that it does not hand on any more.
    fn imports_missing(&self, file: &ChangedFile, name: &str) -> Vec<Use> {
        let graph = self.change.graph;
        let uses = graph.left_over(&Gone {
            name,
            owner: None,
            path: &file.path,
            lang: queries::lang_id(file.lang),
        });
        // Who has the name from elsewhere does not miss it.
        let imports = graph.imports_of(&file.path, file.lang).unwrap_or_default();
        let place = |used: &Use| (used.file, graph.line(used.file, used.at));
        let imports: BTreeSet<(FileIdx, u32)> = imports.iter().map(place).collect();
        let misses_it = |used: &Use| imports.contains(&place(used)) || !graph.is_from_outside(used);
        let uses = uses.into_iter().flatten();
        uses.filter(|used| used.role == Role::Import && used.confidence >= LIKELY && misses_it(used))
            .collect()
    }

    fn take_symbols(&mut self) -> Result<(), ToolError> {
        let files = self.set.files.iter();
        let mut all: Vec<(&ChangedFile, &ChangedSymbol)> = files
            .flat_map(|file| file.symbols.iter().map(move |symbol| (file, symbol)))
            .collect();
        all.sort_by_key(|(_, symbol)| (symbol.is_test, symbol.change));
        let moves = moves(&all);
        let arrived: BTreeSet<usize> = moves.values().copied().collect();
        let gone: BTreeSet<(&str, &str)> = all
            .iter()
            .filter(|(_, symbol)| symbol.change == ChangeKind::Removed)
            .map(|(file, symbol)| (file.path.as_str(), symbol.qualified_name.as_str()))
            .collect();
        let urgency = |at: usize| {
            let (file, symbol) = all[at];
            let is_part = || owner_of(symbol).is_some_and(|owner| gone.contains(&(file.path.as_str(), owner)));
            match Urgency::of(symbol) {
                Urgency::Gone if moves.contains_key(&at) => Urgency::Moved,
                Urgency::Gone if is_part() => Urgency::Part,
                urgency => urgency,
            }
        };
        // What was moved is one row: where it was.
        let mut order: Vec<usize> = (0..all.len()).filter(|at| !arrived.contains(at)).collect();
        order.sort_by_key(|at| (all[*at].1.is_test, urgency(*at)));
        for at in order {
            let (file, symbol) = all[at];
            self.change.urgency = urgency(at);
            let moved_to = moves.get(&at).map(|to| all[*to]);
            let there = moved_to.and_then(|(_, symbol)| symbol.id);
            let found_there = there.map_or(Some(0), |id| self.take_moved(symbol, id));
            let Users {
                used,
                possible,
                left,
                no_longer_overridden,
            } = self.take_symbol(file, symbol)?;
            self.change.changed.push(Changed {
                path: file.path.clone(),
                symbol: symbol.clone(),
                urgency: self.change.urgency,
                used: used.filter(|used| *used > 0 || found_there.is_some()),
                possible,
                left,
                moved_to: moved_to.map(|(file, symbol)| (file.path.clone(), symbol.line)),
                found_there: found_there.unwrap_or_default(),
                no_longer_overridden,
            });
        }
        Ok(())
    }

    fn has_room(&self) -> bool {
        self.looked_for < self.effort.definitions
    }

    fn take_symbol(&mut self, file: &ChangedFile, symbol: &ChangedSymbol) -> Result<Users, ToolError> {
        if symbol.is_layout {
            return Ok(Users::NONE);
        }
        if symbol.is_test {
            let test = symbol.id.filter(|id| self.change.graph.runs_as_test(*id));
            self.change.ids.extend(test);
        }
        if symbol.change != ChangeKind::Added && !symbol.is_test {
            self.change.graph.depends_on_name(&symbol.name, file.lang);
        }
        match (symbol.change, symbol.id) {
            (ChangeKind::Added, id) => {
                if let Some(id) = id.filter(|_| self.has_room()) {
                    self.take_added(symbol, id)?;
                }
                Ok(Users::NONE)
            }
            _ if symbol.is_test => Ok(Users::NONE),
            _ if !self.has_room() => Ok(Users::NOT_LOOKED_FOR),
            (_, Some(id)) => self.take_present(symbol, id),
            // Of a member that is gone nothing can be told by its name alone.
            (_, None) if symbol.kind == SymbolKind::Field => Ok(Users::NONE),
            // Where the change leads it is there, and so are its users.
            (ChangeKind::Modified, None) => Ok(Users::NONE),
            (ChangeKind::Removed, None) => Ok(self.take_gone(file, symbol)),
        }
    }

    /// Whether the users of a definition can still be looked for; then they count as that. One always can.
    fn can_look_for(&mut self, id: SymbolId) -> bool {
        let weight = self.change.graph.weight(id);
        if !self.has_room() || (weight > self.weight_left && self.looked_for > 0) {
            return false;
        }
        self.weight_left = self.weight_left.saturating_sub(weight);
        self.looked_for += 1;
        true
    }

    /// Takes the uses of what was moved from where it is now, and tells how many there are.
    fn take_moved(&mut self, symbol: &ChangedSymbol, id: SymbolId) -> Option<usize> {
        if !self.can_look_for(id) {
            return None;
        }
        let (ids, mut uses) = self.change.graph.uses_of(id);
        self.change.ids.extend(ids);
        // Who still asks for it where it was uses what is gone.
        uses.uses.retain(|used| used.origin != UseOrigin::Resolved(Rule::Moved));
        Some(self.change.take_target(&symbol.name, uses.uses).likely)
    }

    /// Who uses what is new is new or changed as well; who has to have it may be neither.
    fn take_added(&mut self, symbol: &ChangedSymbol, id: SymbolId) -> Result<(), ToolError> {
        let lacking = self.change.graph.lacking(id)?;
        let undone = lacking
            .iter()
            .map(|one| (one.symbol, format!("has no {}", symbol.name)));
        self.change.undone.extend(undone);
        self.change.implementations.extend(lacking);
        Ok(())
    }

    /// Takes what still uses something that is gone, and tells how often.
    fn take_gone(&mut self, file: &ChangedFile, symbol: &ChangedSymbol) -> Users {
        let owner = owner_of(symbol).and_then(|owner| owner.rsplit(SEPARATORS).next());
        let uses = self.change.graph.left_over(&Gone {
            name: &symbol.name,
            owner: owner.filter(|owner| !owner.is_empty()),
            path: &file.path,
            lang: queries::lang_id(file.lang),
        });
        let is_known = uses.is_some();
        self.looked_for += 1;
        let mut uses = uses.unwrap_or_default();
        // An import of the file that it was in is told as that.
        uses.retain(|used| used.role != Role::Import || !self.broken.contains(&(file.path.as_str(), used.file)));
        if is_known {
            self.change.imports_matter.insert(self.change.targets.len());
        }
        let left = likely_places(&uses);
        let taken = self.change.take_target(&symbol.name, uses);
        self.change.left_over += taken.likely;
        Users {
            possible: taken.possible,
            left,
            ..Users::counted(is_known.then_some(taken.likely))
        }
    }

    /// Takes a definition that the working tree has, with what uses it and what stands in for it.
    fn take_present(&mut self, symbol: &ChangedSymbol, id: SymbolId) -> Result<Users, ToolError> {
        if !self.can_look_for(id) {
            return Ok(Users::NOT_LOOKED_FOR);
        }
        let graph = self.change.graph;
        let (ids, uses) = graph.uses_through(self.set, symbol, id);
        let standing_in = graph.implementations_of(&ids);
        self.change.implementations.extend(standing_in.iter().copied());
        let mut no_longer_overridden = Vec::new();
        if symbol.has_new_signature != Some(false) {
            let was = symbol.old_shape.as_deref();
            let behind = graph.left_behind(&ids, was)?;
            let undone = behind
                .iter()
                .map(|one| (one.symbol, "does not fit any more".to_owned()));
            self.change.undone.extend(undone);
            self.change.implementations.extend(behind);
            no_longer_overridden = graph.no_longer_overridden(&ids, was)?;
        }
        self.change.is_public |= graph.symbol(id, |symbol| symbol.visibility) == Some(Some(Visibility::Public));
        self.change.unseen += uses.unseen;
        self.change.ids.extend(ids);
        let concerned = self.concerned(symbol, id, uses.uses);
        let left = match symbol.change {
            ChangeKind::Removed => likely_places(&concerned),
            _ => Vec::new(),
        };
        let taken = self.change.take_target(&symbol.name, concerned);
        if symbol.change == ChangeKind::Removed {
            self.change.left_over += taken.likely;
        }
        if symbol.has_new_signature == Some(true) {
            self.change.take_through(&uses.of_others, &standing_in)?;
        }
        Ok(Users {
            used: Some(taken.likely),
            possible: taken.possible,
            left,
            no_longer_overridden,
        })
    }

    /// The uses that the change of a definition concerns.
    fn concerned(&self, symbol: &ChangedSymbol, id: SymbolId, mut uses: Vec<Use>) -> Vec<Use> {
        if symbol.change == ChangeKind::Removed {
            uses.retain(|used| !self.has_let_go(used, &symbol.name));
        }
        if symbol.kind == SymbolKind::Constructor && symbol.has_new_signature == Some(true) {
            // What was given before may fit none any more.
            uses.extend(self.change.graph.constructions(id));
            uses.sort_by_key(|used| (used.file, used.at));
            uses.dedup_by_key(|used| (used.file, used.at));
        }
        uses
    }

    /// Whether a change that leads elsewhere takes a use of a name away too.
    fn has_let_go(&self, used: &Use, name: &str) -> bool {
        let path = self.change.graph.path(used.file);
        let changed = self.set.files.iter().find(|file| file.path == path);
        changed.is_some_and(|file| file.uses.as_ref().is_some_and(|uses| !uses.contains(name)))
    }
}

const SEPARATORS: [char; 4] = ['.', ':', '#', '\\'];

/// What a definition is inside of, as it is written.
fn owner_of(symbol: &ChangedSymbol) -> Option<&str> {
    let owner = symbol.qualified_name.strip_suffix(&symbol.name)?;
    Some(owner.trim_end_matches(SEPARATORS)).filter(|owner| !owner.is_empty())
}

fn likely_places(uses: &[Use]) -> Vec<(FileIdx, u32)> {
    let likely = uses.iter().filter(|used| used.confidence >= LIKELY);
    likely.map(|used| (used.file, used.at)).collect()
}

/// What is gone in one place and new in another, of the same name and kind, was moved: from which of the list to which.
fn moves(all: &[(&ChangedFile, &ChangedSymbol)]) -> BTreeMap<usize, usize> {
    type Places = (Vec<usize>, Vec<usize>);
    let mut places: BTreeMap<(&str, &str, bool), Places> = BTreeMap::new();
    for (at, (_, symbol)) in all.iter().enumerate() {
        let key = (symbol.qualified_name.as_str(), symbol.kind.as_str(), symbol.is_test);
        let (gone, new) = places.entry(key).or_default();
        match symbol.change {
            ChangeKind::Removed => gone.push(at),
            ChangeKind::Added => new.push(at),
            ChangeKind::Modified => {}
        }
    }
    let moves = places
        .into_values()
        .filter_map(|(gone, new)| match (&gone[..], &new[..]) {
            ([from], [to]) => Some((*from, *to)),
            _ => None,
        });
    moves.collect()
}
