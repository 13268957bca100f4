//! Steps of the lookup of unqualified names that look at other files: package, program, macros, ambient declarations.

use std::rc::Rc;

use syntax::{LangId, RefIdx, Role, Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Global, Resolver, ids, sorted},
    },
    files::FileIdx,
    lang::related,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The members of an anonymous class and its base that one of its methods sees: `new Task() { .. }`.
    pub(crate) fn in_unnamed(&self, place: At<'_>, method: SymbolIdx, name: &str) -> Option<Vec<SymbolId>> {
        let At { file, view, .. } = place;
        let facts = &view.facts;
        let symbol = &facts.symbols[method];
        let around = view.literal_of(symbol)?;
        let start = symbol.span.start;
        let before = facts.references.partition_point(|reference| reference.at < start);
        let inside = facts.symbols[around].span;
        // The last supertype before the method is the base of its class.
        let mut before = RefIdx::new(before)
            .all_before()
            .rev()
            .take_while(|at| inside.start <= facts.references[*at].at);
        let clause = before.find(|at| {
            let reference = &facts.references[*at];
            reference.role == Role::Implementation && facts.enclosing(reference.at) == Some(around)
        })?;
        let begins = facts.references[clause].at;
        let beside = view
            .symbols_named(name)
            .filter(|(_, other)| other.parent == Some(around) && begins < other.name_at && view.is_member(other));
        let beside = ids(file, beside);
        if !beside.is_empty() {
            return Some(beside);
        }
        let Meaning::Symbols(bases, _) = self.meaning(file, clause) else {
            return None;
        };
        let bases = self.in_position(bases, Role::Implementation).into_iter();
        let found = bases.flat_map(|base| self.rules(base.file).members_in_body(self, base, name));
        Some(found.collect()).filter(|found: &Vec<SymbolId>| !found.is_empty())
    }

    /// Definitions in enclosing namespaces without those that a definition of the same kind further inside hides.
    pub(crate) fn innermost(&self, place: At<'_>, name: &str, found: Vec<SymbolId>) -> Vec<SymbolId> {
        if found.len() < 2 {
            return found;
        }
        let files = self.modules.files();
        let view = place.view;
        let around = view
            .around(place.at)
            .filter(|(_, outer)| outer.kind == SymbolKind::Namespace);
        let around: Vec<&str> = around.map(|(_, outer)| view.facts.name(outer)).collect();
        let around = around.into_iter().rev().collect::<Vec<_>>().join(".");
        // A namespace that is declared for the whole file encloses nothing in the text.
        let own = files
            .outline(place.file)
            .spaces
            .iter()
            .rev()
            .find(|space| space.ends_with(&around));
        let Some(own) = own else { return found };
        let depth = |id: &SymbolId| {
            let names = &files.outline(id.file).names;
            let mut spaces = std::iter::successors(Some(&**own), |space| Some(space.rsplit_once('.')?.0));
            spaces.find_map(|space| {
                let is_there = |whole: &str| {
                    let inside = whole.strip_prefix(space).and_then(|rest| rest.strip_prefix('.'));
                    inside == Some(name)
                };
                names.iter().any(|whole| is_there(whole)).then_some(space.len())
            })
        };
        let kinds = found.iter().map(|id| {
            let kind = self.kind_of(*id);
            let is_object = kind == Some(SymbolKind::Object);
            (
                is_object,
                kind.is_some_and(SymbolKind::is_type),
                self.rules(id.file).generic_arity(self, *id),
            )
        });
        let known: Vec<_> = kinds.zip(found.iter().map(depth)).collect();
        let is_hidden =
            |(kind, depth): &(_, Option<usize>)| known.iter().any(|(other, deeper)| other == kind && deeper > depth);
        let kept = found.iter().zip(&known).filter(|(_, known)| !is_hidden(known));
        kept.map(|(id, _)| *id).collect()
    }

    /// The macros of a name in all files of the language.
    pub(crate) fn macros(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        let files = self.defining(name);
        let files = files.iter().filter(|other| self.lang(**other) == self.lang(file));
        let macros = files.flat_map(|other| self.outer_symbols(*other, name));
        macros
            .filter(|id| self.kind_of(*id) == Some(SymbolKind::Macro))
            .collect()
    }

    /// The declarations of a file with the definitions in other files that they declare.
    pub(crate) fn own_file(&self, place: At<'_>, found: Vec<SymbolId>) -> Vec<SymbolId> {
        if found.is_empty() || !self.semantics(place.file).is_global() {
            return found;
        }
        let all: Vec<SymbolId> = found.iter().flat_map(|id| self.same_thing(*id)).collect();
        sorted(all)
    }

    /// The definitions of a name in the whole program that a place sees.
    pub(crate) fn global(&self, place: At<'_>, name: &str) -> Vec<SymbolId> {
        let file = place.file;
        let lang = self.lang(file);
        let semantics = self.semantics(file);
        let globals = self.globals(lang, name);
        let found = self.rules(file).visible_globals(self, place, &globals);
        if semantics.nests_modules {
            return self.in_own_module(place, found);
        }
        found
    }

    /// Definitions in the enclosing module, and those in no module, which any module may include.
    fn in_own_module(&self, place: At<'_>, mut found: Vec<SymbolId>) -> Vec<SymbolId> {
        let module_of = |view: &View, parent: Option<SymbolIdx>| {
            let mut outer = view.outwards(parent);
            let module = outer.find(|(_, outer)| outer.kind == SymbolKind::Module);
            module.map(|(_, module)| view.facts.name(module).to_owned())
        };
        let around = place.view.around(place.at).next().map(|(around, _)| around);
        let Some(own) = module_of(place.view, around) else {
            return found;
        };
        found.retain(|id| {
            let module = self.symbol(*id, |view, symbol| module_of(view, symbol.parent));
            module.flatten().is_none_or(|module| module == own)
        });
        found
    }

    /// The definitions of a name that other files may see, in all files of related languages.
    fn globals(&self, lang: LangId, name: &str) -> Rc<[Global]> {
        let known = self
            .memo
            .borrow()
            .globals
            .get(&lang)
            .and_then(|names| names.get(name).cloned());
        if let Some(known) = known {
            return known;
        }
        let mut found = Vec::new();
        let defining = self.defining(name);
        let files = defining.iter().copied().filter(|file| related(lang, self.lang(*file)));
        for file in self.in_turn(files) {
            let Some(view) = self.view(file) else { continue };
            let rules = self.rules(file);
            let is_global = |symbol: &Symbol| {
                view.is_outer(symbol)
                    || rules.is_visible_outside_type(&view, symbol)
                    || rules.is_in_named_namespace(self, &view, symbol)
            };
            let named = view.symbols_named(name).filter(|(_, symbol)| is_global(symbol));
            found.extend(named.map(|(index, symbol)| Global {
                id: SymbolId { file, symbol: index },
                needs_include: rules.needs_include(self, file, &view, symbol),
            }));
        }
        let found: Rc<[Global]> = found.into();
        let globals = &mut self.memo.borrow_mut().globals;
        globals.entry(lang).or_default().insert(name.into(), found.clone());
        found
    }
}

/// Whether code can name a definition. The name of a test or a block is a description.
pub(crate) fn can_be_named(symbol: &Symbol) -> bool {
    !matches!(symbol.kind, SymbolKind::Test | SymbolKind::Block)
}
