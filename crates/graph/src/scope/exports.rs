//! What a file hands on to those that import it.

use syntax::{Import, Symbol, SymbolKind, Visibility};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{Resolver, ids},
    },
    files::FileIdx,
    modules::Target,
    scope::bare_names::can_be_named,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// What a file is as a whole where that is one definition: `module.exports = Shape`. Nothing if it is an object with
    /// the file's names.
    pub(crate) fn whole_of(&self, files: &[FileIdx]) -> Vec<SymbolId> {
        match files {
            [file] if self.semantics(*file).has_export_object => {
                let mut found = self.exported(*file, "exports");
                found.retain(|id| {
                    let is_object = self.symbol(*id, |view, symbol| {
                        view.facts.name(symbol) == "exports" && symbol.value.is_none() && !symbol.kind.is_type()
                    });
                    is_object == Some(false) || self.kind_of(*id).is_some_and(SymbolKind::is_function)
                });
                found
            }
            _ => Vec::new(),
        }
    }

    /// The type in a file that a path ends with; it may be inside of others.
    pub(crate) fn path_end(&self, file: FileIdx, path: &str) -> Vec<SymbolId> {
        let mut parts = path.rsplit(['.', ':', '\\', '/']).filter(|part| !part.is_empty());
        let mut inner: Vec<&str> = Vec::new();
        // A few types inside of types; what is before them is the module's path.
        while let Some(outer) = parts.next().filter(|_| inner.len() < 4) {
            let mut found = self.exported(file, outer);
            for name in inner.iter().rev() {
                found = found.into_iter().flat_map(|owner| self.members(owner, name)).collect();
            }
            if !found.is_empty() {
                return found;
            }
            inner.push(outer);
        }
        Vec::new()
    }

    /// The symbols that others can take from a file under a name, followed to where they are defined.
    pub(crate) fn exported(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        match self.offered(file, name) {
            Meaning::Symbols(found, _) => found,
            _ => Vec::new(),
        }
    }

    /// What others can take from a file under a name: definitions, or another file as a whole.
    pub(crate) fn offered(&self, file: FileIdx, name: &str) -> Meaning {
        let key = (file, Box::from(name));
        self.known
            .exported
            .get(&self.trail, key, Meaning::Unknown, || self.offered_by(file, name))
    }

    /// Leaves out what is private to a file, where its language does not let others import that.
    pub(crate) fn retain_importable(&self, file: FileIdx, symbols: &mut Vec<SymbolId>) {
        if self.semantics(file).hides_private {
            let is_private = |_: &View, symbol: &Symbol| symbol.visibility == Some(Visibility::Private);
            symbols.retain(|id| self.symbol(*id, is_private) != Some(true));
        }
    }

    pub(crate) fn offered_by(&self, file: FileIdx, name: &str) -> Meaning {
        let semantics = self.semantics(file);
        let mut own = self.outer_symbols(file, name);
        self.retain_importable(file, &mut own);
        // A module and a function of one name can come from different places.
        let is_whole = own.iter().any(|id| self.kind_of(*id) != Some(SymbolKind::Module));
        if is_whole && !semantics.has_export_object && !semantics.imports_are_exports {
            return Meaning::Symbols(own, Rule::Import);
        }
        let Some(view) = self.view(file) else {
            return Meaning::Unknown;
        };
        self.handed_on_by_name(file, &view, name, own)
            .or_else(|| self.handed_on_whole(file, &view, name))
            .or_else(|| self.member_of_exports(file, name))
            .unwrap_or(Meaning::Unknown)
    }

    /// What a file defines under a name or imports and hands on under it.
    fn handed_on_by_name(&self, file: FileIdx, view: &View, name: &str, mut own: Vec<SymbolId>) -> Option<Meaning> {
        let facts = &view.facts;
        let semantics = self.semantics(file);
        let all = semantics.imports_are_exports;
        let mut is_others = false;
        for (index, import) in self.handed_on(file, view, name) {
            let local = import.alias.or(import.item).map(|local| facts.names.get(local));
            if local != Some(name) || import.wildcard || (all && facts.enclosing(import.at).is_some()) {
                continue;
            }
            match self.import(file, index) {
                // Any of several in one place may be the one that counts.
                Meaning::Symbols(found, _) if all => {
                    own.extend(found.into_iter().filter(|id| !own.contains(id)).collect::<Vec<_>>());
                }
                Meaning::Symbols(found, rule) => {
                    if semantics.has_export_object {
                        own.clear();
                    }
                    own.extend(found);
                    return Some(Meaning::Symbols(own, rule));
                }
                found @ Meaning::Files(_) if semantics.has_export_object => return Some(found),
                // What is from elsewhere is handed on, too.
                Meaning::External => is_others |= all,
                _ => {}
            }
        }
        Meaning::of(own, Rule::Import).or(is_others.then_some(Meaning::External))
    }

    /// The imports of a file by which it may offer a name to others.
    fn handed_on<'v>(&self, file: FileIdx, view: &'v View, name: &str) -> impl Iterator<Item = (u32, &'v Import)> {
        let semantics = self.semantics(file);
        let all = semantics.imports_are_exports || (semantics.lists_exports && view.lists(name));
        let imports = (0..).zip(&view.facts.imports);
        imports.filter(move |(_, import)| all || import.reexport)
    }

    /// The same of all that another file offers.
    fn handed_on_whole(&self, file: FileIdx, view: &View, name: &str) -> Option<Meaning> {
        // Everything but what the other file calls its own.
        if name == "default" {
            return None;
        }
        let has_export_object = self.semantics(file).has_export_object;
        let mut private = None;
        for (_, import) in self.handed_on(file, view, name).filter(|(_, import)| import.wildcard) {
            let Target::Local(files) = self.modules.resolve(file, &view.facts, import) else {
                continue;
            };
            for other in files.into_iter().filter(|other| *other != file) {
                // What a file does not export is not handed on, if it can be helped.
                let is_private = |id: &SymbolId| {
                    let visibility = self.symbol(*id, |_, symbol| symbol.visibility);
                    id.file == other && visibility == Some(Some(Visibility::Private))
                };
                match self.offered(other, name) {
                    Meaning::Symbols(found, rule) if has_export_object && found.iter().all(is_private) => {
                        private.get_or_insert(Meaning::Symbols(found, rule));
                    }
                    found if found.is_found() => return Some(found),
                    _ => {}
                }
            }
        }
        private
    }

    /// A member of the object that a file is as a whole.
    fn member_of_exports(&self, file: FileIdx, name: &str) -> Option<Meaning> {
        if !self.semantics(file).has_export_object || name == "exports" {
            return None;
        }
        let mut whole = self.outer_symbols(file, "exports");
        if whole.is_empty() {
            // `module.exports = keys`
            whole = self.exported(file, "exports");
            whole.retain(|id| matches!(self.kind_of(*id), Some(SymbolKind::Constant | SymbolKind::Variable)));
        }
        let members = whole.iter().flat_map(|whole| self.own_members(*whole, name));
        Meaning::of(members.collect(), Rule::Import)
    }

    /// The definitions of a name in a file that are in no type or function.
    pub(crate) fn outer_symbols(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        let Some(view) = self.view(file) else {
            return Vec::new();
        };
        let semantics = self.semantics(file);
        // What a namespace holds is taken from the namespace.
        let nests = semantics.has_export_object || semantics.nests_modules;
        let is_inner = |symbol: &Symbol| !can_be_named(symbol) || (nests && symbol.parent.is_some());
        let outer = view.symbols_named(name).filter(|(_, symbol)| {
            let adds = semantics.has_extensions && symbol.owner.is_some() && symbol.parent.is_none();
            adds || (view.is_outer(symbol) && !is_inner(symbol)) || self.rules(file).is_open_inside(&view, symbol)
        });
        ids(file, outer)
    }
}
