//! Namespaces of C++: which ones a definition is in, which one a name means, and those that only a macro opens.

use std::rc::Rc;

use syntax::{Symbol, SymbolKind};

use crate::{
    engine::resolver::{At, MANY_FILES, Resolver, ids},
    files::FileIdx,
    lang::related,
    scope::paths::qualified_parts,
    types::ty::Base,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// Whether the qualifier of a type is a namespace: `class shapes::circle {`. Otherwise it is an enclosing type.
    pub(crate) fn is_of_namespace(&self, view: &View, symbol: &Symbol) -> bool {
        let owner = symbol.owner.filter(|_| symbol.kind.is_type());
        let Some(owner) = owner.map(|owner| view.facts.names.get(owner)) else {
            return false;
        };
        let name = owner.rsplit("::").next().unwrap_or(owner);
        let mut outer = view.outwards(symbol.parent);
        let defining = self.defining(name);
        let mut spaces = defining.iter().filter_map(|file| self.view(*file));
        let is_space = |view: &View| {
            let named = |one: &Symbol| one.kind == SymbolKind::Namespace;
            view.symbols_named(name).any(|(_, one)| named(one))
        };
        outer.all(|(_, outer)| outer.kind == SymbolKind::Namespace) && spaces.any(|view| is_space(&view))
    }

    pub(crate) fn in_nearest_namespace(&self, place: At<'_>, found: Vec<SymbolId>) -> Vec<SymbolId> {
        let view = place.view;
        let mut around = Vec::new();
        for (index, outer) in view.around(place.at) {
            // What is written outside of its type is as if it were inside.
            if outer.owner.is_some()
                && let Base::Symbol(own) = self.type_of_body(SymbolId {
                    file: place.file,
                    symbol: index,
                })
            {
                around = self.namespaces_of(own).to_vec();
                break;
            }
            if outer.kind == SymbolKind::Namespace {
                around.extend(view.facts.name(outer).rsplit("::").map(str::to_owned));
            }
        }
        let depth = |id: &SymbolId| {
            let spaces = self.namespaces_of(*id);
            around.ends_with(&spaces).then_some(spaces.len())
        };
        let deepest = found.iter().filter_map(depth).max();
        // What stands in no namespace is not what is meant if there is one in a namespace that is opened here.
        if deepest.is_none_or(|depth| depth == 0) {
            let opened = view
                .facts
                .imports
                .iter()
                .filter(|import| import.wildcard && import.item.is_none());
            let opened: Vec<Vec<&str>> = opened
                .map(|import| view.facts.names.get(import.path).rsplit("::").collect())
                .collect();
            let is_opened = |id: &&SymbolId| {
                let spaces = self.namespaces_of(**id);
                let is = |path: &Vec<&str>| path.len() <= spaces.len() && path.iter().eq(&spaces[..path.len()]);
                !spaces.is_empty() && opened.iter().any(is)
            };
            let open: Vec<SymbolId> = found.iter().filter(is_opened).copied().collect();
            // Of a namespace there is what the file includes.
            let reach = self.transitive_includes(place.file);
            let is_seen = |id: &SymbolId| reach.contains(&id.file);
            let is_outer = |id: &SymbolId| is_seen(id) && depth(id) == Some(0);
            if open.iter().any(is_seen) || (!open.is_empty() && !found.iter().any(is_outer)) {
                return open;
            }
        }
        let Some(deepest) = deepest else { return found };
        found.into_iter().filter(|id| depth(id) == Some(deepest)).collect()
    }

    /// The names of the namespaces around a definition, the innermost first.
    fn namespaces_of(&self, id: SymbolId) -> Rc<[String]> {
        if let Some(known) = self.memo.borrow().c_family.namespaces.get(&id) {
            return known.clone();
        }
        let spaces = self.symbol(id, |view, symbol| {
            let outer = view.outwards(symbol.parent);
            let spaces = outer.filter(|(_, outer)| outer.kind == SymbolKind::Namespace);
            let names = spaces.flat_map(|(_, outer)| view.facts.name(outer).rsplit("::"));
            let own = symbol.owner.filter(|_| self.is_of_namespace(view, symbol));
            let own = own.into_iter().flat_map(|own| view.facts.names.get(own).rsplit("::"));
            own.chain(names).map(str::to_owned).collect()
        });
        let spaces: Rc<[String]> = spaces.unwrap_or_default();
        self.memo.borrow_mut().c_family.namespaces.insert(id, spaces.clone());
        spaces
    }

    /// Whether a name is a macro, or that of a namespace which a macro opens in a file that this one includes.
    pub(crate) fn is_namespace_of_macro(&self, file: FileIdx, name: &str) -> bool {
        let is_macro = |other: &FileIdx| {
            let view = self.view(*other);
            view.is_some_and(|view| view.symbols_named(name).any(|(_, one)| one.kind == SymbolKind::Macro))
        };
        if self.defining(name).iter().any(is_macro) {
            return true;
        }
        let opening = self.files_with_namespace_macro(name);
        opening.contains(&file)
            || (!opening.is_empty()
                && self
                    .transitive_includes(file)
                    .iter()
                    .any(|other| opening.contains(other)))
    }

    /// The files in which a macro opens a namespace of this name. Kept, because every path that is not found asks for them.
    fn files_with_namespace_macro(&self, name: &str) -> Rc<[FileIdx]> {
        if let Some(known) = self.memo.borrow().c_family.namespace_macros.get(name) {
            return known.clone();
        }
        let opens = |view: &View| view.opened_namespaces().any(|namespace| namespace == name);
        let files = self.world.mentioning(name).into_iter().take(MANY_FILES);
        let opening = files.filter(|other| self.view(*other).is_some_and(|view| opens(&view)));
        let opening: Rc<[FileIdx]> = opening.collect();
        self.memo
            .borrow_mut()
            .c_family
            .namespace_macros
            .insert(name.into(), opening.clone());
        opening
    }

    /// Definitions whose namespace is not seen, because a macro opens it: those that are in the end of the path, or in
    /// nothing at all.
    pub(crate) fn without_macro_namespaces(&self, file: FileIdx, parts: &[&str], name: &str) -> Vec<SymbolId> {
        let lang = self.lang(file);
        let defining = |name: &str| -> Vec<FileIdx> {
            let files = self.defining(name);
            let files = files.iter().copied().filter(|other| related(lang, self.lang(*other)));
            files.take(MANY_FILES).collect()
        };
        let is_space = |part: &&str| {
            defining(part).into_iter().any(|other| {
                self.view(other).is_some_and(|view| {
                    let mut named = view.symbols_named(part);
                    named.any(|(_, symbol)| symbol.kind == SymbolKind::Namespace)
                })
            })
        };
        if !parts.first().is_some_and(is_space) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for other in defining(name) {
            let Some(view) = self.view(other) else { continue };
            let outer = view.symbols_named(name).filter(|(_, symbol)| {
                let path = qualified_parts(&view, symbol);
                view.is_outer(symbol) && parts.ends_with(&path[..path.len() - 1])
            });
            found.extend(ids(other, outer));
        }
        found
    }
}
