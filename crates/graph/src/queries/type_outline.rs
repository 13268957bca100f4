//! The outline of a definition: the members and supertypes of a type, the types in a signature.

use rustc_hash::FxHashSet;
use syntax::{RefIdx, Role, Symbol, SymbolIdx, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::Resolver,
    },
    files::FileIdx,
    lang::related,
    queries::references::{LIKELY, Origin},
    types::ty::Base,
    view::{SymbolId, View},
};

/// A name in a definition's signature or supertype list, with what it resolves to.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    pub name: String,
    /// Empty if it is external or was not resolved.
    pub symbols: Vec<SymbolId>,
    pub origin: Origin,
    pub confidence: f32,
}

/// Members outside of a type are searched in its own file only if more files than this mention the type.
const MAX_FILES: usize = 300;

impl Resolver<'_> {
    /// All members of a type: in its body, in blocks that extend it (`impl`, `extension`), and definitions that name it
    /// as their owner (`void Shape::draw()`). The type's own file first, then by file and offset.
    pub fn all_members(&self, targets: &[SymbolId]) -> Vec<SymbolId> {
        let mut found = Vec::new();
        for target in targets {
            let Some(view) = self.view(target.file) else { continue };
            found.extend(children(target.file, &view, target.symbol));
        }
        let declared: FxHashSet<String> = found.iter().map(|id| self.name_of(*id)).collect();
        for target in targets {
            let semantics = self.semantics(target.file);
            if !semantics.has_open_types {
                continue;
            }
            let name = self.name_of(*target);
            // C++: `void Shape::draw()` is declared in the class as well.
            let is_declared = |member: SymbolId| semantics.is_global() && declared.contains(&self.name_of(member));
            let mut files = self.world.extending(&name);
            let mentioning = self.world.mentioning(&name);
            if mentioning.len() <= MAX_FILES {
                files.extend(mentioning);
            } else {
                files.push(target.file);
            }
            files.sort_unstable_by_key(|file| (*file != target.file, *file));
            files.dedup();
            for file in files {
                if !related(self.lang(target.file), self.lang(file)) {
                    continue;
                }
                let Some(view) = self.view(file) else { continue };
                let blocks: Vec<SymbolIdx> = view.impls_of(&name).map(|(index, _)| index).collect();
                for block in blocks {
                    if self.adds_to(SymbolId { file, symbol: block }, targets) {
                        found.extend(children(file, &view, block));
                    }
                }
                let named = |symbol: &Symbol| {
                    symbol
                        .owner
                        .is_some_and(|owner| view.facts.names.get(owner).contains(&*name))
                };
                for (index, _) in SymbolIdx::enumerate(&view.facts.symbols).filter(|(_, symbol)| named(symbol)) {
                    let member = SymbolId { file, symbol: index };
                    if !is_declared(member) && matches!(self.owner(member), Base::Symbol(own) if targets.contains(&own))
                    {
                        found.push(member);
                    }
                }
            }
        }
        let mut seen = FxHashSet::default();
        found.retain(|id| seen.insert(*id));
        found
    }

    /// The members with a name of a type (with inherited ones) or of a variable's type. Empty if they are merely
    /// likely.
    pub fn members_under(&self, owner: SymbolId, name: &str) -> Vec<SymbolId> {
        // The members of a function's result are not members of the function.
        if self.kind_of(owner).is_none_or(SymbolKind::is_function) {
            return Vec::new();
        }
        let ty = self.value_of_symbol(owner, None);
        match self.member_of(&ty, name) {
            Meaning::Symbols(found, Rule::Member | Rule::Inherited) if ty.is_known() => found,
            _ => Vec::new(),
        }
    }

    /// The type that a definition is a member of, or that a block extends.
    pub fn type_around(&self, id: SymbolId) -> Option<SymbolId> {
        let own = match self.brief(id)? {
            brief if brief.is_alone() => return None,
            brief if brief.kind == SymbolKind::Impl => self.extended(id),
            _ => self.owner(id),
        };
        match own {
            Base::Symbol(own) => Some(own),
            _ => None,
        }
    }

    fn adds_to(&self, block: SymbolId, targets: &[SymbolId]) -> bool {
        matches!(self.extended(block), Base::Symbol(own) if targets.contains(&own))
    }

    /// The declared supertypes of a type, with those of blocks that extend it.
    pub fn bases(&self, targets: &[SymbolId]) -> Vec<Named> {
        let mut saying: Vec<SymbolId> = targets.to_vec();
        for target in targets
            .iter()
            .filter(|target| self.semantics(target.file).has_open_types)
        {
            let name = self.name_of(*target);
            for file in self.world.extending(&name) {
                let Some(view) = self.view(file) else { continue };
                let blocks = view.impls_of(&name).map(|(symbol, _)| SymbolId { file, symbol });
                saying.extend(blocks.filter(|block| self.adds_to(*block, targets)));
            }
        }
        let mut found = Vec::new();
        for id in saying {
            let Some(view) = self.view(id.file) else { continue };
            for reference in self.clauses(id, &view) {
                self.add_named(id.file, &view, reference, &mut found);
            }
        }
        found
    }

    /// The interfaces that types satisfy implicitly; `None` where types declare their supertypes.
    pub fn interfaces(&self, targets: &[SymbolId]) -> Option<Vec<Named>> {
        let mut found = Vec::new();
        for target in targets {
            found.extend(self.interfaces_of(*target)?);
        }
        let named = found.into_iter().map(|interface| Named {
            name: self.name_of(interface),
            symbols: vec![interface],
            origin: Origin::Resolved(Rule::Member),
            confidence: Rule::Member.confidence(),
        });
        Some(named.collect())
    }

    /// The types that a definition's signature mentions, in order.
    pub fn named_types(&self, id: SymbolId) -> Vec<Named> {
        let mut found = Vec::new();
        let Some(view) = self.view(id.file) else { return found };
        let span = view.facts.symbols[id.symbol].signature;
        let references = &view.facts.references;
        let first = references.partition_point(|reference| reference.at < span.start);
        let inside = RefIdx::enumerate_from(references, first);
        for (index, reference) in inside.take_while(|(_, reference)| reference.at < span.end) {
            if reference.role == Role::Type {
                self.add_named(id.file, &view, index, &mut found);
            }
        }
        found
    }

    fn add_named(&self, file: FileIdx, view: &View, reference: RefIdx, found: &mut Vec<Named>) {
        let name = view.facts.names.get(view.facts.references[reference].name);
        let (symbols, origin, confidence) = match self.meaning(file, reference) {
            Meaning::Symbols(symbols, rule) => (symbols, Origin::Resolved(rule), rule.confidence()),
            Meaning::Local(_) => return,
            _ => (Vec::new(), Origin::Name, LIKELY),
        };
        let known = |one: &Named| one.name == name && one.symbols == symbols;
        if !found.iter().any(known) {
            found.push(Named {
                name: name.to_owned(),
                symbols,
                origin,
                confidence,
            });
        }
    }

    /// The top-level definitions of a module: of its block, or of the file that a declaration like `mod a;` refers to.
    pub fn inside_module(&self, id: SymbolId) -> (FileIdx, Vec<SymbolId>) {
        let Some(view) = self.view(id.file) else {
            return (id.file, Vec::new());
        };
        let at = view.facts.symbols[id.symbol].name_at;
        let declared = self.modules.declared(id.file, &view.facts);
        match declared.iter().find(|declared| declared.at == at) {
            Some(declared) => (declared.file, self.outermost(declared.file)),
            None => {
                let mut found = children(id.file, &view, id.symbol);
                // `package a;` applies to the rest of its file.
                if found.is_empty() && view.facts.symbols[id.symbol].parent.is_none() {
                    found = self.outermost(id.file);
                    found.retain(|other| *other != id);
                }
                (id.file, found)
            }
        }
    }

    /// The top-level definitions of a file.
    pub fn outermost(&self, file: FileIdx) -> Vec<SymbolId> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let outer = SymbolIdx::enumerate(&view.facts.symbols)
            .filter(|(_, symbol)| symbol.parent.is_none() && symbol.owner.is_none() && symbol.kind != SymbolKind::Impl);
        outer.map(|(symbol, _)| SymbolId { file, symbol }).collect()
    }
}

/// The direct children of a symbol.
fn children(file: FileIdx, view: &View, parent: SymbolIdx) -> Vec<SymbolId> {
    let children = SymbolIdx::enumerate(&view.facts.symbols);
    let children = children.filter(|(_, symbol)| symbol.parent == Some(parent) && symbol.kind != SymbolKind::Impl);
    children.map(|(symbol, _)| SymbolId { file, symbol }).collect()
}
