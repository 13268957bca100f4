//! Which files a file of C includes, directly and by way of others: what decides which of several definitions it sees.

use std::{rc::Rc, sync::Arc};

use rustc_hash::FxHashSet;

use crate::{
    engine::resolver::{MANY_FILES, Resolver, sorted},
    files::FileIdx,
    modules::Target,
    view::SymbolId,
};

/// Files that one file includes transitively, as far as they are looked at.
const MAX_TRANSITIVE: usize = 4000;

/// Files that include a header, as far as they are asked what else they include.
const MAX_INCLUDERS: usize = 16;

/// Sets of transitive includes that are kept at a time.
const MAX_KEPT: usize = 1024;

impl Resolver<'_> {
    /// Of several candidates those in files that a file includes, with their other declarations; all if it includes none.
    pub(crate) fn seen_through_includes(&self, file: FileIdx, found: Vec<SymbolId>) -> Vec<SymbolId> {
        if found.len() < 2 {
            return found;
        }
        let includes = self.transitive_includes(file);
        let mut near: Vec<SymbolId> = found.iter().copied().filter(|id| includes.contains(&id.file)).collect();
        // A header may rely on its includers to include what it uses.
        if near.is_empty() {
            let includers = self.includers(file);
            let includers = includers.iter().take(MAX_INCLUDERS);
            let theirs: Vec<_> = includers.map(|one| self.transitive_includes(*one)).collect();
            let is_near = |id: &&SymbolId| theirs.iter().any(|includes| includes.contains(&id.file));
            near.extend(found.iter().filter(is_near));
        }
        if near.is_empty() {
            return found;
        }
        let all: Vec<SymbolId> = near.iter().flat_map(|id| self.same_thing(*id)).collect();
        sorted(all)
    }

    /// A file and all files that it includes, directly or through others.
    pub(crate) fn transitive_includes(&self, file: FileIdx) -> Rc<FxHashSet<FileIdx>> {
        if let Some(known) = self.memo.borrow().c_family.transitive_includes.get(&file) {
            return known.clone();
        }
        let mut visited = std::mem::take(&mut self.memo.borrow_mut().c_family.visited);
        let mut all = vec![file];
        visited.begin(self.modules.files().len());
        visited.insert(file);
        // Breadth first, so that the limit leaves out what is included by the longest way.
        let mut level = 0;
        while level < all.len() && all.len() < MAX_TRANSITIVE {
            let end = all.len();
            for at in level..end {
                let included = self.direct_includes(all[at]);
                all.extend(included.iter().filter(|file| visited.insert(**file)));
            }
            level = end;
        }
        let all = Rc::new(all.into_iter().collect::<FxHashSet<FileIdx>>());
        let memo = &mut self.memo.borrow_mut().c_family;
        memo.visited = visited;
        // One query may visit every file.
        if memo.transitive_includes.len() >= MAX_KEPT {
            memo.transitive_includes.clear();
        }
        memo.transitive_includes.insert(file, all.clone());
        all
    }

    /// The files that the `#include`s of a file name.
    pub(crate) fn direct_includes(&self, file: FileIdx) -> Arc<[FileIdx]> {
        if let Some(known) = self.memo.borrow().c_family.direct_includes.get(&file) {
            return known.clone();
        }
        let included = self.world.included(file, &|| self.resolve_includes(file));
        self.memo
            .borrow_mut()
            .c_family
            .direct_includes
            .insert(file, included.clone());
        included
    }

    /// The files that include a file directly. None where so many files mention its name that checking them costs too much;
    /// the limit is low for a source file, which is seldom included.
    fn includers(&self, file: FileIdx) -> Rc<[FileIdx]> {
        if let Some(known) = self.memo.borrow().c_family.includers.get(&file) {
            return known.clone();
        }
        let files = self.modules.files();
        let most = match is_header(files.path(file)) {
            true => MANY_FILES,
            false => MAX_INCLUDERS,
        };
        let mut including = self.world.mentioning(files.stem(file));
        if including.len() > most {
            including.clear();
        }
        including.retain(|other| *other != file && self.direct_includes(*other).contains(&file));
        let including: Rc<[FileIdx]> = including.into();
        self.memo
            .borrow_mut()
            .c_family
            .includers
            .insert(file, including.clone());
        including
    }

    /// Whether a file sees the definitions of another: it includes it, or a third file includes both, the other first:
    /// `#include "table.c"`, then `#include "lookup.c"`.
    pub(crate) fn is_included(&self, file: FileIdx, other: FileIdx) -> bool {
        if file == other
            || self.direct_includes(file).contains(&other)
            || self.transitive_includes(file).contains(&other)
        {
            return true;
        }
        let includes = |one: FileIdx, included| self.direct_includes(one).contains(&included);
        match is_header(self.modules.files().path(file)) {
            true => includes(other, file) && *self.includers(file) == [other],
            false => includes(other, file) || self.includers(file).iter().any(|one| includes(*one, other)),
        }
    }

    /// Resolves the `#include`s of a file.
    fn resolve_includes(&self, file: FileIdx) -> Vec<FileIdx> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let imports = view.facts.imports.iter().filter(|import| import.wildcard);
        let included = imports.flat_map(|import| match self.modules.resolve(file, &view.facts, import) {
            Target::Local(files) | Target::Candidates(files) => files,
            _ => Vec::new(),
        });
        let mut included: Vec<FileIdx> = included.collect();
        included.sort_unstable();
        included.dedup();
        included
    }
}

/// A set of visited files that is cleared by counting up: a traversal visits a thousand headers, each dozens of times, and
/// there is one traversal for each file.
#[derive(Default)]
pub(crate) struct VisitedFiles {
    /// The number of the traversal that visited each file last.
    last: Vec<u32>,
    traversal: u32,
}

impl VisitedFiles {
    fn begin(&mut self, n_files: usize) {
        if self.last.len() != n_files || self.traversal == u32::MAX {
            *self = VisitedFiles {
                last: vec![0; n_files],
                traversal: 0,
            };
        }
        self.traversal += 1;
    }

    /// Whether this is the first visit of the traversal.
    fn insert(&mut self, file: FileIdx) -> bool {
        std::mem::replace(&mut self.last[file.0 as usize], self.traversal) != self.traversal
    }
}

pub(crate) fn is_header(path: &str) -> bool {
    let made = path.strip_suffix(syntax::TEMPLATE).unwrap_or(path);
    let extension = made.rsplit('.').next().unwrap_or_default();
    matches!(
        extension,
        "h" | "hh" | "hpp" | "hxx" | "inc" | "inl" | "ipp" | "tcc" | "tpp" | "txx" | "def"
    )
}
