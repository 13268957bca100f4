//! Names bound by wildcard imports: `from shapes import *`.

use syntax::{Import, Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, ids},
    },
    files::FileIdx,
    lang::Visibility,
    modules::Target,
    view::SymbolId,
};

impl Resolver<'_> {
    /// The meaning of a name that a wildcard import binds; those of the file, or of the functions around the place.
    pub(crate) fn by_wildcard(&self, place: At<'_>, name: &str, in_function: bool) -> Meaning {
        let At { file, view, .. } = place;
        let semantics = self.semantics(file);
        if semantics.visibility == Visibility::Global {
            return Meaning::Unknown;
        }
        let facts = &view.facts;
        let mut leads_out = false;
        // An import inside of a module or function is visible there only.
        let is_seen = |import: &&Import| {
            if !import.wildcard {
                return false;
            }
            let around = view.around_import(import).map(|around| &facts.symbols[around]);
            let is_inside = |around: &Symbol| around.span.start <= place.at && place.at < around.span.end;
            match around {
                Some(around) => is_inside(around) && (!in_function || around.kind.is_function()),
                None => !in_function,
            }
        };
        let mut seen: Vec<&Import> = facts.imports.iter().filter(is_seen).collect();
        // The innermost scope first.
        seen.sort_by_key(|import| std::cmp::Reverse(view.around_import(import)));
        let rules = self.rules(file);
        for import in seen {
            match rules.wildcard_meaning(self, place, import, name) {
                found @ (Meaning::Symbols(..) | Meaning::Files(_)) => return found,
                Meaning::External => leads_out = true,
                _ => {}
            }
        }
        if leads_out { Meaning::External } else { Meaning::Unknown }
    }

    /// The meaning of a name in the files that a wildcard import leads to.
    pub(crate) fn by_files(
        &self,
        place: At<'_>,
        import: &Import,
        name: &str,
        in_file: impl Fn(FileIdx) -> Meaning,
    ) -> Meaning {
        let files = match self.modules.resolve(place.file, &place.view.facts, import) {
            Target::Local(files) | Target::Candidates(files) => files,
            Target::External(_) => return Meaning::External,
            Target::Unknown => return Meaning::Unknown,
        };
        let defining = self.defining(name);
        // A package may consist of many files: only those matter that have the name, or re-export names of others.
        let may_reexport = files.len() <= 4;
        let mut leads_out = false;
        for other in files.iter().filter(|other| may_reexport || defining.contains(other)) {
            match in_file(*other) {
                found @ (Meaning::Symbols(..) | Meaning::Files(_)) => return found,
                Meaning::External => leads_out = true,
                _ => {}
            }
        }
        if leads_out { Meaning::External } else { Meaning::Unknown }
    }

    /// The meaning of a name in one of the files that a wildcard import leads to.
    pub(crate) fn wildcard_in_file(&self, place: At<'_>, other: FileIdx, import: &Import, name: &str) -> Meaning {
        let At { file, view, .. } = place;
        let path = view.facts.names.get(import.path);
        if other == file {
            // A wildcard import of a module declared in the same file.
            let written = At { at: import.at, ..place };
            let own = view.symbols_named(name).filter(|(_, symbol)| view.is_outer(symbol));
            let own = self.in_module(ids(file, own), written, path);
            if let Some(found) = Meaning::of(own, Rule::Wildcard) {
                return found;
            }
        }
        // The members of a type, not its siblings: `using static Geo.Shapes;`.
        let mut found = match self.rules(file).imports_members_only(self, other, path) {
            true => Vec::new(),
            false => self.exported(other, name),
        };
        if found.is_empty() {
            let owners = self.path_end(other, path).into_iter();
            found = owners.flat_map(|owner| self.members(owner, name)).collect();
            self.retain_importable(other, &mut found);
        }
        Meaning::of(found, Rule::Wildcard).unwrap_or(Meaning::Unknown)
    }

    /// Whether a path that resolves to a file names a type in it, rather than its package or namespace.
    pub(crate) fn is_path_of_type(&self, file: FileIdx, path: &str) -> bool {
        let spaces = &self.modules.files().outline(file).spaces;
        let is_type = |id: &SymbolId| self.kind_of(*id).is_some_and(SymbolKind::has_members);
        !spaces.iter().any(|space| **space == *path) && self.path_end(file, path).iter().any(is_type)
    }
}
