//! The references that may mean a definition: those with its name, and those with an alias that an import or re-export
//! gives it.

use syntax::{ImportIdx, Qualifier, RefIdx, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        occurrences::Occurrence,
        resolver::{At, Resolver},
    },
    files::{FileIdx, Files},
    lang::related,
    queries::references::{COMMON, is_access},
    scope::exports::is_unnamed_export,
    types::ty::Base,
    view::{SymbolId, View},
};

/// The references of one file that have a name of the targets.
pub(crate) struct Mention {
    pub file: FileIdx,
    pub(crate) name: String,
    pub spots: Vec<Occurrence>,
}

/// The work list of names of the targets. Each re-export under an alias adds a name; each file whose unnamed export is
/// a target (`export default`, `module.exports = Shape`) is added itself, for importers choose the name.
struct Trace {
    names: Vec<String>,
    files: Vec<FileIdx>,
    /// How many of each list have been searched.
    names_done: usize,
    files_done: usize,
}

impl Trace {
    /// The next name to search for: an alias, or the word by which imports refer to a file.
    fn next(&mut self, files: &Files) -> Option<(String, Option<FileIdx>)> {
        if let Some(name) = self.names.get(self.names_done) {
            self.names_done += 1;
            return Some((name.clone(), None));
        }
        let whole = *self.files.get(self.files_done)?;
        self.files_done += 1;
        Some((files.word(whole).to_owned(), Some(whole)))
    }

    fn add_name(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    fn add_file(&mut self, file: FileIdx) {
        if !self.files.contains(&file) {
            self.files.push(file);
        }
    }
}

impl Resolver<'_> {
    /// The names that references to a definition have in its own language.
    pub(crate) fn names_in_uses(&self, id: SymbolId) -> Vec<String> {
        let mut names = vec![self.name_of(id)];
        // `new Shape()` runs the constructor.
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

    /// The references that may mean the targets: by their names, or by aliases from imports. Aliases that are
    /// re-exported are searched in all files. If `unseen` is given, a common name is searched only in files that may
    /// know the targets' owner, and the other files are counted.
    pub(crate) fn mentions(
        &self,
        targets: &[SymbolId],
        mut names: Vec<String>,
        mut unseen: Option<&mut usize>,
    ) -> Vec<Mention> {
        let Some(first) = targets.first() else {
            return Vec::new();
        };
        // An importer names an unnamed export as it likes: `const Shape = require("./shape")`.
        let is_outer = self.symbol(*first, |_, symbol| symbol.parent.is_none()) == Some(true);
        let may_be_whole = self.semantics(first.file).has_export_object() && is_outer;
        let named = names.len();
        names.retain(|name| !(may_be_whole && is_unnamed_export(name)));
        let exporting = match names.len() < named {
            true => targets.iter().map(|target| target.file).collect(),
            false => Vec::new(),
        };
        let mut trace = Trace {
            names,
            files: exporting,
            names_done: 0,
            files_done: 0,
        };
        // `new Shape()` runs the constructor.
        let constructed = targets.iter().filter_map(|target| self.constructed(*target));
        let meant: Vec<SymbolId> = targets.iter().copied().chain(constructed).collect();
        let paths = self.modules.files();
        let mut found = Vec::new();
        while let Some((name, whole)) = trace.next(paths) {
            let mut files = self.world.mentioning(&name);
            // Files of the directory import `index.js` as `.`, which does not contain its name.
            files.extend(whole.into_iter().flat_map(|whole| paths.around(whole)));
            files.sort_unstable();
            files.dedup();
            files.retain(|file| related(self.lang(first.file), self.lang(*file)));
            if let Some(unseen) = unseen
                .as_deref_mut()
                .filter(|_| files.len() > COMMON && whole.is_none())
            {
                *unseen += self.keep_files_knowing_owner(&mut files, targets);
            }
            for (file, known) in self.spots(&name, files) {
                let is_whole = whole.is_some();
                let named = known.spots.iter().copied().filter(|_| !is_whole);
                let mut spots: Vec<Occurrence> = named
                    .filter(|spot| !self.rules(file).is_declaration(self, file, spot.index))
                    .collect();
                if (is_whole || known.is_renamed)
                    && let Some(view) = self.view(file)
                {
                    let renamed = self.renamed_by_imports(file, &view, (&name, is_whole), &meant, &mut trace);
                    spots.extend(renamed.into_iter().map(|index| Occurrence::of(&view, index)));
                }
                if !spots.is_empty() {
                    let name = name.clone();
                    found.push(Mention { file, name, spots });
                }
            }
        }
        found
    }

    /// The references by aliases that the imports of a file give the targets; aliases that the file re-exports are
    /// added to the work list. `name` is a name of the targets, or the word for a file that exports one unnamed
    /// (`is_file`).
    fn renamed_by_imports(
        &self,
        file: FileIdx,
        view: &View,
        (name, is_file): (&str, bool),
        meant: &[SymbolId],
        trace: &mut Trace,
    ) -> Vec<RefIdx> {
        let facts = &view.facts;
        let semantics = self.semantics(file);
        let mut references = Vec::new();
        for (index, import) in ImportIdx::enumerate(&facts.imports) {
            let item = import.item.map(|item| facts.names.get(item));
            let taken = facts.names.get(import.taken());
            let Some(alias) = import.alias.or(import.item).map(|alias| facts.names.get(alias)) else {
                continue;
            };
            let may_be = match is_file {
                false => taken == name && import.alias.is_some() && alias != name,
                true => {
                    let path = facts.names.get(import.path);
                    item.is_none_or(is_unnamed_export)
                        && (path.contains(name) || path.trim_matches(['.', '/']).is_empty())
                }
            };
            let is_it = || match self.import(file, index) {
                Meaning::Symbols(symbols, _) => symbols.iter().any(|symbol| meant.contains(symbol)),
                _ => false,
            };
            let is_moved = || !is_file && self.is_moved((file, view), index, name, meant);
            if may_be && is_moved() {
                references.extend_from_slice(view.references_named(alias));
            }
            if !may_be || !is_it() {
                continue;
            }
            references.extend_from_slice(view.references_named(alias));
            references.extend_from_slice(item.map_or(&[], |item| view.references_named(item)));
            // Re-exported by the import itself, or by a later statement: `export { Alias }`.
            let is_reexported = import.reexport || semantics.imports_are_exports();
            let reexports = facts.imports.iter().filter(|other| {
                let is_alias = |item| facts.names.get(item) == alias;
                other.reexport && facts.names.get(other.path).is_empty() && other.item.is_some_and(is_alias)
            });
            let reexports = reexports.filter_map(|other| other.alias.or(other.item));
            let reexports = reexports.map(|exported| facts.names.get(exported));
            for exported in is_reexported.then_some(alias).into_iter().chain(reexports) {
                match semantics.has_export_object() && is_unnamed_export(exported) {
                    true => trace.add_file(file),
                    false => trace.add_name(exported),
                }
            }
        }
        references
    }

    /// Whether a call of an overridden member can dispatch to one of the targets, given the receiver's type.
    pub(crate) fn may_reach(&self, file: FileIdx, view: &View, index: RefIdx, targets: &[SymbolId]) -> bool {
        let reference = &view.facts.references[index];
        let on = match reference.on {
            // `super.area()` is not dispatched.
            Qualifier::Super => return false,
            Qualifier::Value(value) if self.names_type(file, view, value) => return false,
            Qualifier::Value(value) => self.value(file, value),
            Qualifier::This => self.this(At {
                file,
                view,
                at: reference.at,
            }),
            _ => return true,
        };
        let is_class = |id: SymbolId| matches!(self.kind_of(id), Some(SymbolKind::Class | SymbolKind::Struct));
        let says_bases = self.rules(file).implicit_interfaces().is_none();
        let Base::Symbol(on) = on.head else { return true };
        targets.iter().any(|target| match self.owner(*target) {
            Base::Symbol(owner) if says_bases && is_class(on) && is_class(owner) => {
                owner == on || self.is_derived(owner, on) || self.is_derived(on, owner)
            }
            _ => true,
        })
    }

    /// Whether an expression names a type and not a value: `Base` in `Base.size`, but not in `((Base) shape).size`.
    pub(crate) fn names_type(&self, file: FileIdx, view: &View, reference: RefIdx) -> bool {
        let is_type = |id: &SymbolId| self.kind_of(*id).is_some_and(SymbolKind::is_type);
        let role = view.facts.references[reference].role;
        is_access(role)
            && matches!(self.meaning(file, reference), Meaning::Symbols(found, _) if found.iter().all(is_type))
    }
}
