//! The direct and indirect supertypes of types.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use syntax::{RefIdx, Role, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{Resolver, Supertypes},
    },
    files::FileIdx,
    lang::related,
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The direct supertypes of a type.
    pub(crate) fn supertypes(&self, own: SymbolId) -> Rc<Supertypes> {
        self.known
            .supertypes
            .get(&self.trail, own, Rc::default(), || Rc::new(self.supertypes_of(own)))
    }

    pub(crate) fn supertypes_of(&self, own: SymbolId) -> Supertypes {
        let mut found = Supertypes::default();
        let Some(view) = self.view(own.file) else {
            return found;
        };
        self.add_clauses(own, &view, &mut found);
        let name = view.facts.name(&view.facts.symbols[own.symbol]);
        for other in self.rules(own.file).declarations_of_type(self, own) {
            let view = self.view(other.file).filter(|_| other != own);
            if let Some(view) = view {
                self.add_clauses(other, &view, &mut found);
            }
        }
        if self.semantics(own.file).has_open_types {
            let mut files = self.world.extending(name);
            files.retain(|other| related(self.lang(own.file), self.lang(*other)));
            for other in files {
                let Some(view) = self.view(other) else { continue };
                let blocks: Vec<SymbolIdx> = view.impls_of(name).map(|(index, _)| index).collect();
                for block in blocks {
                    let block = SymbolId {
                        file: other,
                        symbol: block,
                    };
                    if self.extended(block) == Base::Symbol(own) {
                        self.add_clauses(block, &view, &mut found);
                    }
                }
            }
        }
        found
            .known
            .extend(self.rules(own.file).macros_in_body(self, own, &view));
        // Duplicates are removed before ordering: the order decides which supertype's member wins.
        let mut seen = FxHashSet::from_iter([own]);
        found.known.retain(|known| seen.insert(*known));
        self.rules(own.file).order_supertypes(self, &mut found.known);
        found
    }

    /// Adds the supertypes named in a declaration's own clauses: `extends Shape`, `implements Area`.
    pub(crate) fn add_clauses(&self, id: SymbolId, view: &View, found: &mut Supertypes) {
        for reference in self.clauses(id, view) {
            let reference = self.inside_wrapper(id.file, view, reference);
            match self.meaning(id.file, reference) {
                Meaning::Symbols(symbols, _) => {
                    for symbol in self.in_position(symbols, Role::Implementation) {
                        let heads = self.heads_in_clause(id, view, reference, symbol);
                        found.has_others |= heads.is_empty();
                        for outer in heads {
                            let kind = self.kind_of(outer);
                            let has_members = kind.is_some_and(|kind| {
                                kind.has_members()
                                    || matches!(kind, SymbolKind::Module | SymbolKind::Type)
                                    || self.rules(outer.file).is_constructor_function(self, outer)
                            });
                            if has_members {
                                found.known.push(outer);
                            } else {
                                found.has_others = true;
                            }
                        }
                    }
                }
                _ => {
                    found.has_others = true;
                    let name = view.facts.references[reference].name;
                    found.known.extend(self.added_to(id.file, view.facts.names.get(name)));
                }
            }
        }
    }

    /// The types that a name in a clause refers to: an alias may be of several types, and a variable may hold a class.
    fn heads_in_clause(&self, id: SymbolId, view: &View, clause: RefIdx, named: SymbolId) -> Vec<SymbolId> {
        let ty = match self.kind_of(named) {
            Some(SymbolKind::Type) => {
                let given = self.rules(id.file).alias_in_clause(self, (id, view), clause, named);
                given.unwrap_or_else(|| self.value_of_symbol(named, None))
            }
            // `if TYPE_CHECKING: Base = Command`, and another class otherwise.
            Some(SymbolKind::Constant | SymbolKind::Variable) => match self.rules(named.file).alias_target(self, named)
            {
                found if found.is_empty() => Ty::new(Base::Symbol(named)),
                found => return found,
            },
            _ => Ty::new(Base::Symbol(named)),
        };
        match ty.head {
            Base::Symbol(head) => vec![head],
            Base::Any(heads) => heads,
            _ => Vec::new(),
        }
    }

    /// The type argument of a utility type in a clause: `Options` in `interface Full extends Required<Options>`.
    fn inside_wrapper(&self, file: FileIdx, view: &View, clause: RefIdx) -> RefIdx {
        let references = &view.facts.references;
        let name = view.facts.names.get(references[clause].name);
        let behind = references[clause].at + name.len() as u32 + 1;
        let inner = references.get(clause.next().as_usize());
        let is_inside = inner.is_some_and(|inner| inner.role == Role::Type && inner.at == behind);
        match is_inside && self.semantics(file).wrappers.contains(&name) && !self.meaning(file, clause).is_found() {
            true => clause.next(),
            false => clause,
        }
    }

    /// The references to supertypes in a type's declaration.
    pub(crate) fn clauses(&self, id: SymbolId, view: &View) -> Vec<RefIdx> {
        let facts = &view.facts;
        let span = facts.symbols[id.symbol].span;
        let first = facts.references.partition_point(|reference| reference.at < span.start);
        let inside = RefIdx::enumerate_from(&facts.references, first);
        let inside = inside.take_while(|(_, reference)| reference.at < span.end);
        let clauses = inside.filter(|(_, reference)| {
            reference.role == Role::Implementation && view.declaring(reference.at) == Some(id.symbol)
        });
        clauses.map(|(index, _)| index).collect()
    }

    /// Whether a type is a direct or indirect subtype of another.
    pub(crate) fn is_derived(&self, own: SymbolId, from: SymbolId) -> bool {
        self.any_supertype(own, |outer, _| outer == from)
    }

    /// Whether a direct or indirect supertype is not of this workspace.
    pub(crate) fn has_other_supertypes(&self, own: SymbolId) -> bool {
        self.supertypes(own).has_others || self.any_supertype(own, |_, has_others| has_others)
    }

    /// Whether values of a type may be callable: it has a call member, or a supertype that may be a function type.
    pub(crate) fn may_be_function(&self, own: SymbolId) -> bool {
        let member = self.semantics(own.file).call_member;
        let is_alias = |outer: SymbolId, has_others: bool| has_others || self.kind_of(outer) == Some(SymbolKind::Type);
        self.supertypes(own).has_others
            || self.any_supertype(own, is_alias)
            || member.is_some_and(|name| !self.members(own, name).is_empty())
    }

    /// The names of the direct and indirect supertypes that are not of this workspace.
    pub(crate) fn library_supertypes(&self, own: SymbolId) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![own];
        let mut seen = Vec::new();
        while let Some(one) = open.pop() {
            let Some(view) = self.view(one.file).filter(|_| !seen.contains(&one) && seen.len() < 64) else {
                continue;
            };
            seen.push(one);
            open.extend(&self.supertypes(one).known);
            for clause in self.clauses(one, &view) {
                if !self.meaning(one.file, clause).is_found() {
                    let name = view.facts.references[clause].name;
                    found.push(view.facts.names.get(name).to_owned());
                }
            }
        }
        found
    }

    fn any_supertype(&self, own: SymbolId, is_it: impl Fn(SymbolId, bool) -> bool) -> bool {
        let mut open = self.supertypes(own).known.clone();
        let mut seen = Vec::new();
        while let Some(outer) = open.pop() {
            let supertypes = self.supertypes(outer);
            if is_it(outer, supertypes.has_others) {
                return true;
            }
            if !seen.contains(&outer) && seen.len() < 64 {
                seen.push(outer);
                open.extend(&supertypes.known);
            }
        }
        false
    }
}
