//! A file as resolution sees it: its facts, and where each name is in them.

use std::{
    hash::BuildHasher,
    sync::{Arc, OnceLock},
};

use rustc_hash::FxBuildHasher;
use source::Span;
use syntax::{
    Annotation, Binding, BindingIdx, BindingRole, Context, FileFacts, Import, NameId, Names, Note, Qualifier, RefIdx,
    Reference, Role, Symbol, SymbolIdx, SymbolKind, TypeExpr, TypeRef,
};

use crate::files::FileIdx;

/// A definition: a file, and which of its symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId {
    pub file: FileIdx,
    pub symbol: SymbolIdx,
}

/// The facts of one file with an index of names. Depends on nothing but the file's content.
#[derive(Debug)]
pub struct View {
    pub facts: Arc<FileFacts>,
    names: NameTable,
    symbols: ByName<SymbolIdx>,
    bindings: ByName<BindingIdx>,
    references: ByName<RefIdx>,
    /// The types among the names, parsed when they are first asked for.
    types: OnceLock<Box<[OnceLock<Box<TypeExpr>>]>>,
}

/// Which number a name has. Thousands of files may be looked at for one answer: putting their names into an order would
/// take as long as reading them.
#[derive(Debug)]
struct NameTable {
    /// By hash; a name whose place is taken is at the next that was free. Twice as many as names, and a power of two.
    slots: Box<[u32]>,
}

const FREE: u32 = u32::MAX;

impl NameTable {
    fn new(names: &Names) -> NameTable {
        let mut slots = vec![FREE; (2 * names.len()).next_power_of_two()].into_boxed_slice();
        for id in 0..names.len() as u32 {
            let places = NameTable::places(slots.len(), names.get(NameId(id)));
            if let Some(free) = places.into_iter().find(|place| slots[*place] == FREE) {
                slots[free] = id;
            }
        }
        NameTable { slots }
    }

    fn find(&self, names: &Names, name: &str) -> Option<NameId> {
        let taken = NameTable::places(self.slots.len(), name).map(|place| self.slots[place]);
        let mut ids = taken.take_while(|id| *id != FREE).map(NameId);
        ids.find(|id| names.get(*id) == name)
    }

    /// Where a name may be, in turn.
    fn places(count: usize, name: &str) -> impl Iterator<Item = usize> {
        let first = FxBuildHasher.hash_one(name) as usize;
        (0..count).map(move |step| first.wrapping_add(step) & (count - 1))
    }
}

/// The places of each name in a list. Thousands of files may be looked at for one answer: this is as small as it gets.
#[derive(Debug)]
struct ByName<Index> {
    /// Where the places of each name begin, and the end.
    starts: Box<[u32]>,
    places: Box<[Index]>,
}

impl<Index: Copy> ByName<Index> {
    fn new(count: usize, names: impl Iterator<Item = NameId> + Clone, index: impl Fn(usize) -> Index) -> ByName<Index> {
        let mut starts = vec![0; count + 1];
        for name in names.clone() {
            starts[name.0 as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut places = vec![index(0); starts[count] as usize];
        for (at, name) in names.enumerate() {
            let place = &mut next[name.0 as usize];
            places[*place as usize] = index(at);
            *place += 1;
        }
        ByName {
            starts: starts.into(),
            places: places.into(),
        }
    }

    fn of(&self, name: NameId) -> &[Index] {
        let at = name.0 as usize;
        &self.places[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// What resolution asks of a workspace.
pub trait World {
    fn view(&self, file: FileIdx) -> Option<Arc<View>>;

    /// Reads the first of some files, which will be asked for one after the other, side by side; tells how many.
    fn fetch(&self, next: &[FileIdx]) -> usize {
        next.len()
    }

    /// The files that define a symbol of exactly this name, in their order.
    fn defining(&self, name: &str) -> Vec<FileIdx>;

    /// The files with a block that adds to a type of this name.
    fn extending(&self, name: &str) -> Vec<FileIdx>;

    /// The files in whose text the name is written as a word.
    fn mentioning(&self, name: &str) -> Vec<FileIdx>;

    /// The files that a file includes. They are worked out once for as long as the file and all paths are the same: a file may
    /// include a thousand others by way of others.
    fn included(&self, _file: FileIdx, work_out: &dyn Fn() -> Vec<FileIdx>) -> Arc<[FileIdx]> {
        work_out().into()
    }

    /// What the name at a place means, where something knows the language better than the rules here do.
    fn exact(&self, _file: FileIdx, _at: u32) -> Option<Exact> {
        None
    }

    /// Places of a file that will be asked about.
    fn expect(&self, _file: FileIdx, _places: &mut dyn Iterator<Item = u32>) {}
}

/// What a name is known to mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exact {
    /// Definitions, by the places of their names.
    Names(Vec<(FileIdx, u32)>),
    /// Nothing that is written in this workspace.
    Elsewhere,
}

/// Arrows that may be written in a member before its own: in what its parameters are if they are not given.
const ARROWS: usize = 4;

/// What is between a key and its value: a colon, and a space or two.
const MAX_JOINT: u32 = 3;

impl View {
    pub fn new(facts: Arc<FileFacts>) -> View {
        let count = facts.names.len();
        View {
            names: NameTable::new(&facts.names),
            symbols: ByName::new(count, facts.symbols.iter().map(|symbol| symbol.name), SymbolIdx::new),
            bindings: ByName::new(
                count,
                facts.bindings.iter().map(|binding| binding.name),
                BindingIdx::new,
            ),
            references: ByName::new(
                count,
                facts.references.iter().map(|reference| reference.name),
                RefIdx::new,
            ),
            types: OnceLock::new(),
            facts,
        }
    }

    /// A type expression that facts have as text.
    pub fn type_expr(&self, text: NameId) -> TypeRef<'_> {
        let count = self.facts.names.len();
        let types = self
            .types
            .get_or_init(|| std::iter::repeat_with(OnceLock::new).take(count).collect());
        let parse = || Box::new(TypeExpr::parse(self.facts.names.get(text)));
        types[text.0 as usize].get_or_init(parse).root()
    }

    fn name(&self, name: &str) -> Option<NameId> {
        self.names.find(&self.facts.names, name)
    }

    pub fn has_name(&self, name: &str) -> bool {
        self.name(name).is_some()
    }

    fn places<'v, Index: Copy>(&'v self, of: &'v ByName<Index>, name: &str) -> &'v [Index] {
        self.name(name).map_or(&[], |id| of.of(id))
    }

    /// The definitions of a name, blocks that add to a type of that name not among them.
    pub fn symbols_named(&self, name: &str) -> impl Iterator<Item = (SymbolIdx, &Symbol)> {
        let all = self.places(&self.symbols, name).iter();
        let all = all.map(|at| (*at, &self.facts.symbols[*at]));
        all.filter(|(_, symbol)| symbol.kind != SymbolKind::Impl)
    }

    /// The definition whose name is at a place.
    pub fn symbol_named_at(&self, at: u32) -> Option<SymbolIdx> {
        let is_it = |symbol: &Symbol| symbol.name_at == at && symbol.kind != SymbolKind::Impl;
        let found = self.facts.symbols.iter().position(is_it);
        found.map(SymbolIdx::new)
    }

    /// The blocks that add to a type of this name.
    pub fn impls_of(&self, name: &str) -> impl Iterator<Item = (SymbolIdx, &Symbol)> {
        let all = self.places(&self.symbols, name).iter();
        let all = all.map(|at| (*at, &self.facts.symbols[*at]));
        all.filter(|(_, symbol)| symbol.kind == SymbolKind::Impl)
    }

    pub fn references_named(&self, name: &str) -> &[RefIdx] {
        self.places(&self.references, name)
    }

    /// The places of a local name in the file's list of bindings.
    pub fn bindings_named(&self, name: &str) -> &[BindingIdx] {
        self.places(&self.bindings, name)
    }

    /// The innermost local name that covers a place; of several in one scope the last one before it.
    pub fn binding_at(&self, name: &str, at: u32) -> Option<(BindingIdx, &Binding)> {
        let all = self.places(&self.bindings, name).iter();
        let all = all.map(|index| (*index, &self.facts.bindings[*index]));
        let covering = all.filter(|(_, binding)| binding.scope.start <= at && at < binding.scope.end);
        covering.max_by_key(|(_, binding)| (binding.scope.start, binding.at))
    }

    /// A local name of a function around that is given something behind the place, in a function inside of it: by the time
    /// that one runs there is one.
    pub fn binding_later(&self, name: &str, at: u32) -> Option<(BindingIdx, &Binding)> {
        let all = self.places(&self.bindings, name).iter();
        let mut all = all.map(|index| (*index, &self.facts.bindings[*index]));
        all.find(|(_, binding)| {
            let mut around = self.around(binding.at).filter(|(_, outer)| outer.kind.is_function());
            let function = around.next().map(|(_, outer)| outer);
            let is_inside = |outer: &Symbol| {
                let mut inner = self.around(at).filter(|(_, inner)| inner.kind.is_function());
                inner
                    .next()
                    .is_some_and(|(_, inner)| outer.span.start < inner.span.start && inner.span.end <= outer.span.end)
            };
            binding.at > at && function.is_some_and(is_inside)
        })
    }

    /// The local names that cover a place, innermost first.
    pub fn bindings_over(&self, name: &str, at: u32) -> impl Iterator<Item = (BindingIdx, &Binding)> {
        let all = self.places(&self.bindings, name).iter().rev();
        let all = all.map(|index| (*index, &self.facts.bindings[*index]));
        all.filter(move |(_, binding)| binding.scope.start <= at && at < binding.scope.end)
    }

    /// The first reference at a place.
    pub fn reference_at(&self, at: u32) -> Option<RefIdx> {
        let references = &self.facts.references;
        let first = references.partition_point(|reference| reference.at < at);
        let is_here = references.get(first).is_some_and(|reference| reference.at == at);
        is_here.then(|| RefIdx::new(first))
    }

    /// Whether a variable and a member have one name here: `{ name }`.
    pub fn is_shorthand(&self, at: u32) -> bool {
        let next = self
            .reference_at(at)
            .and_then(|first| self.facts.references.get(first.next().as_usize()));
        next.is_some_and(|next| next.at == at)
    }

    /// The symbols around a place, innermost first.
    pub fn around(&self, at: u32) -> impl Iterator<Item = (SymbolIdx, &Symbol)> {
        let inner = self.facts.enclosing(at);
        self.outwards(inner)
    }

    /// A symbol and those that it is inside of.
    pub fn outwards(&self, from: Option<SymbolIdx>) -> impl Iterator<Item = (SymbolIdx, &Symbol)> {
        let of = |index: SymbolIdx| (index, &self.facts.symbols[index]);
        std::iter::successors(from.map(of), move |(_, symbol)| symbol.parent.map(of))
    }

    pub fn parent(&self, symbol: &Symbol) -> Option<&Symbol> {
        symbol.parent.map(|parent| &self.facts.symbols[parent])
    }

    /// The type in whose body something is written: an embedded type is a field too.
    pub fn declaring(&self, at: u32) -> Option<SymbolIdx> {
        let inner = self.facts.enclosing(at)?;
        let symbol = &self.facts.symbols[inner];
        match symbol.kind {
            SymbolKind::Field if symbol.name_at == at => symbol.parent,
            _ => Some(inner),
        }
    }

    /// The package that the file says it is of.
    pub fn package(&self) -> Option<&str> {
        let mut outer = self.facts.symbols.iter().filter(|symbol| symbol.parent.is_none());
        let package = outer.find(|symbol| symbol.kind == SymbolKind::Namespace)?;
        Some(self.facts.name(package))
    }

    /// What must hold for the file to be part of the program.
    pub fn condition(&self) -> Option<&str> {
        let mut conditions = self.facts.annotations.iter().filter_map(|one| match one.note {
            Note::FileCondition(condition) => Some(self.facts.names.get(condition)),
            _ => None,
        });
        conditions.next()
    }

    /// What a member is written in that is no type: an object's method the constant that is given the object.
    pub fn literal_of(&self, symbol: &Symbol) -> Option<SymbolIdx> {
        let is_literal = |kind: SymbolKind| {
            (kind.is_function() && kind != SymbolKind::Test)
                || matches!(
                    kind,
                    SymbolKind::Constant
                        | SymbolKind::Variable
                        | SymbolKind::Field
                        | SymbolKind::Property
                        | SymbolKind::Type
                )
        };
        let parent = symbol.parent?;
        let around = self.facts.symbols[parent].kind;
        let is_member = match symbol.kind {
            SymbolKind::Method | SymbolKind::Property => is_literal(around),
            // Of a type without a name: `struct { int width; } config;`.
            SymbolKind::Field => matches!(around, SymbolKind::Constant | SymbolKind::Field | SymbolKind::Variable),
            _ => false,
        };
        is_member.then_some(parent)
    }

    /// The first member that is written in something that is no type.
    pub fn literal_members(&self, of: SymbolIdx) -> Option<SymbolIdx> {
        let end = self.facts.symbols[of].span.end;
        let inside = SymbolIdx::enumerate_from(&self.facts.symbols, of.next().as_usize());
        let mut inside = inside.take_while(|(_, symbol)| symbol.span.start < end);
        let found = inside.find(|(_, symbol)| symbol.parent == Some(of) && self.literal_of(symbol).is_some());
        found.map(|(index, _)| index)
    }

    /// Whether a function, or one that is called where it is written, gives back an object that it writes out.
    pub fn gives_object(&self, symbol: &Symbol) -> bool {
        let returned = Context::ReturnedFrom(symbol.name_at);
        let references = &self.facts.references;
        let first = references.partition_point(|reference| reference.at < symbol.span.start);
        let mut inside = references[first..]
            .iter()
            .take_while(|reference| reference.at < symbol.span.end);
        inside.any(|reference| self.is_key_of(reference, returned))
    }

    /// The value that such an object has under a name, if that is a name again: `{ run }`, `{ run: start }`.
    pub fn given_under(&self, symbol: &Symbol, name: &str) -> Option<RefIdx> {
        let returned = Context::ReturnedFrom(symbol.name_at);
        let mut keys = self.references_named(name).iter().copied();
        let key = keys.find(|key| self.is_key_of(&self.facts.references[*key], returned))?;
        let at = self.facts.references[key].at;
        let end = at + name.len() as u32;
        let is_value = |one: &Reference| {
            let is_near = one.at == at || (one.at > at && one.at <= end + MAX_JOINT);
            is_near && one.role == Role::Variable && one.on == Qualifier::Nothing
        };
        let near = [key.previous(), Some(key.next())].into_iter().flatten();
        near.into_iter()
            .find(|one| self.facts.references.get(one.as_usize()).is_some_and(is_value))
    }

    /// Whether a reference is a key of an object literal in a context.
    fn is_key_of(&self, reference: &Reference, context: Context) -> bool {
        let is_key = reference.role == Role::Member;
        is_key && matches!(reference.on, Qualifier::Context(id) if self.facts.context(id) == context)
    }

    /// Whether a member of a literal is a function that has no `this` of its own.
    pub fn is_arrow(&self, symbol: &Symbol) -> bool {
        let behind = self.annotations_from(symbol.span.start);
        let mut arrows = behind.filter(|one| one.note == Note::ArrowFunction).take(ARROWS);
        arrows.any(|arrow| arrow.scope.end == symbol.span.end)
    }

    /// Further values of what is named at a place.
    pub fn also(&self, at: u32) -> impl Iterator<Item = RefIdx> {
        self.facts.notes_at(at).filter_map(|note| match note {
            Note::FurtherValue(value) => Some(value),
            _ => None,
        })
    }

    /// Further types of what is named at a place.
    pub fn also_of_type(&self, at: u32) -> impl Iterator<Item = TypeRef<'_>> {
        self.facts.notes_at(at).filter_map(|note| match note {
            Note::FurtherType(ty) => Some(self.type_expr(ty)),
            _ => None,
        })
    }

    /// The annotations from a place on.
    fn annotations_from(&self, at: u32) -> impl Iterator<Item = &Annotation> {
        let first = self.facts.annotations.partition_point(|one| one.at < at);
        self.facts.annotations[first..].iter()
    }

    /// The namespaces that macros of the file open.
    pub fn opened_namespaces(&self) -> impl Iterator<Item = &str> {
        self.facts.annotations.iter().filter_map(|one| match one.note {
            Note::OpensNamespace(name) => Some(self.facts.names.get(name)),
            _ => None,
        })
    }

    /// The fields of a name that types without a name have, with the place and the type of each.
    pub fn unnamed_type_fields(&self, name: &str) -> impl DoubleEndedIterator<Item = (u32, NameId)> {
        let wanted = self.name(name);
        self.facts.annotations.iter().filter_map(move |one| match one.note {
            Note::UnnamedTypeField { name, ty } if Some(name) == wanted => Some((one.at, ty)),
            _ => None,
        })
    }

    /// The members of the innermost literal around a place that tell its type, with their values; and the literal.
    pub fn literal_tags(&self, at: u32) -> Option<(Span, Vec<(&str, &str)>)> {
        let name = |id| self.facts.names.get(id);
        let all = &self.facts.annotations;
        let around = all[..all.partition_point(|one| one.at <= at)]
            .iter()
            .filter_map(|one| match one.note {
                Note::LiteralTag { member, value } if at < one.scope.end => {
                    Some((one.scope, (name(member), name(value))))
                }
                _ => None,
            });
        let around: Vec<_> = around.collect();
        let literal = around.iter().map(|(scope, _)| *scope).max_by_key(|scope| scope.start)?;
        let tags = around.into_iter().filter(|(scope, _)| *scope == literal);
        Some((literal, tags.map(|(_, tag)| tag).collect()))
    }

    /// What tests have found of a member at a place, by the path that leads to it: the innermost of them.
    pub fn narrowed_member(&self, path: &str, at: u32) -> Option<(BindingIdx, &Binding)> {
        let all = self.places(&self.bindings, path).iter();
        let all = all.map(|index| (*index, &self.facts.bindings[*index]));
        let covering = all.filter(|(_, binding)| {
            let is_member = binding.role == BindingRole::NarrowedMember;
            is_member && binding.scope.start <= at && at < binding.scope.end
        });
        covering.max_by_key(|(_, binding)| (binding.scope.start, binding.at))
    }

    /// Whether members are written for a variable or function behind it: `const a = {}; a.run = function () {};`.
    pub fn has_members_added(&self, to: SymbolIdx) -> bool {
        let symbol = &self.facts.symbols[to];
        let can_have = symbol.kind.is_function() || matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable);
        let mut behind = self.facts.symbols.iter().skip(to.next().as_usize());
        can_have && symbol.owner.is_none() && behind.any(|one| one.owner == Some(symbol.name))
    }

    /// Whether a definition belongs to a type.
    pub fn is_member(&self, symbol: &Symbol) -> bool {
        symbol.owner.is_some()
            || self.literal_of(symbol).is_some()
            || self.parent(symbol).is_some_and(|parent| match parent.kind {
                // A module that is mixed into types.
                SymbolKind::Module => matches!(
                    symbol.kind,
                    SymbolKind::Method | SymbolKind::Property | SymbolKind::Field
                ),
                // What a macro declares for the types that it is used in.
                SymbolKind::Macro => symbol.kind == SymbolKind::Field,
                kind => kind.has_members() || kind == SymbolKind::Variant,
            })
    }

    /// Whether a definition is in nothing but modules.
    pub fn is_outer(&self, symbol: &Symbol) -> bool {
        symbol.owner.is_none()
            && !self.is_member(symbol)
            && self
                .outwards(symbol.parent)
                .all(|(_, outer)| matches!(outer.kind, SymbolKind::Module | SymbolKind::Namespace))
    }

    /// Where else a definition says its name, which it does once for each clause.
    pub fn clauses(&self, symbol: &Symbol) -> impl Iterator<Item = u32> {
        let inside = self.annotations_from(symbol.span.start);
        let inside = inside.take_while(|one| one.at < symbol.span.end);
        let clauses = inside.filter(|one| one.note == Note::FurtherClause(symbol.name));
        clauses.map(|clause| clause.at)
    }

    /// Whether the head of the module that the file is names something.
    pub fn lists(&self, name: &str) -> bool {
        let module = self
            .facts
            .symbols
            .iter()
            .find(|symbol| symbol.kind == SymbolKind::Module);
        module.is_some_and(|module| {
            let inside = |reference: &&Reference| module.span.range().contains(&(reference.at as usize));
            let mut listed = self.facts.references.iter().take_while(inside);
            listed.any(|reference| self.facts.names.get(reference.name) == name)
        })
    }

    /// The definition that an import is for, if it is not for all of the file: what a namespace that holds nothing says is.
    pub fn around_import(&self, import: &Import) -> Option<SymbolIdx> {
        let around = self.facts.enclosing(import.at)?;
        // What is inside of a definition follows it.
        let next = self.facts.symbols.get(around.next().as_usize());
        let is_empty = self.facts.symbols[around].kind == SymbolKind::Namespace
            && next.is_none_or(|next| next.parent != Some(around));
        (!is_empty).then_some(around)
    }

    /// The parameters of a function, without those of its type.
    pub fn parameters(&self, symbol: &Symbol) -> impl Iterator<Item = &Binding> {
        self.facts.parameters(symbol)
    }
}
