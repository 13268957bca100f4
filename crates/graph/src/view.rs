//! The view of a file that resolution reads: its facts, indexed by name. `World` is the interface to the rest of the
//! workspace.

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

/// A definition: a file, and the index of one of its symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId {
    pub file: FileIdx,
    pub symbol: SymbolIdx,
}

/// The facts of one file, indexed by name. Depends on the content of the file alone.
#[derive(Debug)]
pub struct View {
    pub facts: Arc<FileFacts>,
    names: NameTable,
    symbols: ByName<SymbolIdx>,
    bindings: ByName<BindingIdx>,
    references: ByName<RefIdx>,
    /// The type expressions among the names, parsed on first use.
    types: OnceLock<Box<[OnceLock<Box<TypeExpr>>]>>,
}

/// The id of each name, as a hash table. A query may read thousands of files, and sorting their names would take as
/// long as reading them.
#[derive(Debug)]
struct NameTable {
    /// Open addressing with linear probing. The size is a power of two, at least twice the number of names.
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

    /// The probe sequence of a name.
    fn places(count: usize, name: &str) -> impl Iterator<Item = usize> {
        let first = FxBuildHasher.hash_one(name) as usize;
        (0..count).map(move |step| first.wrapping_add(step) & (count - 1))
    }
}

/// The indices of the entries with each name. Compact, for a query may read thousands of files.
#[derive(Debug)]
struct ByName<Index> {
    /// The index in `places` of the first entry of each name id; one more at the end.
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

/// What resolution needs from the workspace.
pub trait World {
    fn view(&self, file: FileIdx) -> Option<Arc<View>>;

    /// Reads the first of some files in parallel, which are needed one after the other; returns how many.
    fn fetch(&self, next: &[FileIdx]) -> usize {
        next.len()
    }

    /// The files that define a symbol with exactly this name, in order.
    fn defining(&self, name: &str) -> Vec<FileIdx>;

    /// The files with a block that extends a type of this name: `impl Shape`, `extension Shape`.
    fn extending(&self, name: &str) -> Vec<FileIdx>;

    /// The files that contain the name as a word.
    fn mentioning(&self, name: &str) -> Vec<FileIdx>;

    /// The files that a file includes, directly or not: possibly thousands. Cached until the file or the set of paths
    /// changes.
    fn included(&self, _file: FileIdx, work_out: &dyn Fn() -> Vec<FileIdx>) -> Arc<[FileIdx]> {
        work_out().into()
    }

    /// What the name at an offset means according to an exact engine (such as a language server), if there is one for
    /// the file.
    fn exact(&self, _file: FileIdx, _at: u32) -> Option<Exact> {
        None
    }

    /// Announces offsets of a file for which `exact` will be called.
    fn expect(&self, _file: FileIdx, _places: &mut dyn Iterator<Item = u32>) {}
}

/// What an exact engine resolved a name to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exact {
    /// Definitions, by the offsets of their names.
    Names(Vec<(FileIdx, u32)>),
    /// A definition outside of the workspace.
    Elsewhere,
}

/// Arrow functions that are checked at the beginning of a member: those in default values of its parameters come before
/// its own.
const ARROWS: usize = 4;

/// The distance from a key to its value: a colon, and a space or two.
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

    /// The parsed form of a type expression, which facts store as text.
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

    /// The definitions with a name, without blocks that extend a type of that name.
    pub fn symbols_named(&self, name: &str) -> impl Iterator<Item = (SymbolIdx, &Symbol)> {
        let all = self.places(&self.symbols, name).iter();
        let all = all.map(|at| (*at, &self.facts.symbols[*at]));
        all.filter(|(_, symbol)| symbol.kind != SymbolKind::Impl)
    }

    /// The definition whose name is at an offset.
    pub fn symbol_named_at(&self, at: u32) -> Option<SymbolIdx> {
        let is_it = |symbol: &Symbol| symbol.name_at == at && symbol.kind != SymbolKind::Impl;
        let found = self.facts.symbols.iter().position(is_it);
        found.map(SymbolIdx::new)
    }

    /// The blocks that extend a type of this name: `impl Shape`.
    pub fn impls_of(&self, name: &str) -> impl Iterator<Item = (SymbolIdx, &Symbol)> {
        let all = self.places(&self.symbols, name).iter();
        let all = all.map(|at| (*at, &self.facts.symbols[*at]));
        all.filter(|(_, symbol)| symbol.kind == SymbolKind::Impl)
    }

    pub fn references_named(&self, name: &str) -> &[RefIdx] {
        self.places(&self.references, name)
    }

    /// The bindings of a name, as indices in the facts.
    pub fn bindings_named(&self, name: &str) -> &[BindingIdx] {
        self.places(&self.bindings, name)
    }

    /// The binding of a name whose scope is the innermost around an offset; of several in one scope, the last one
    /// before it.
    pub fn binding_at(&self, name: &str, at: u32) -> Option<(BindingIdx, &Binding)> {
        let all = self.places(&self.bindings, name).iter();
        let all = all.map(|index| (*index, &self.facts.bindings[*index]));
        let covering = all.filter(|(_, binding)| binding.scope.start <= at && at < binding.scope.end);
        covering.max_by_key(|(_, binding)| (binding.scope.start, binding.at))
    }

    /// A binding of an enclosing function that comes after the offset of a nested function: `def outer(): def inner():
    /// return size; size = 1`. It is assigned by the time the nested function runs.
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

    /// The bindings of a name in whose scope an offset is, innermost first.
    pub fn bindings_over(&self, name: &str, at: u32) -> impl Iterator<Item = (BindingIdx, &Binding)> {
        let all = self.places(&self.bindings, name).iter().rev();
        let all = all.map(|index| (*index, &self.facts.bindings[*index]));
        all.filter(move |(_, binding)| binding.scope.start <= at && at < binding.scope.end)
    }

    /// The first reference at an offset.
    pub fn reference_at(&self, at: u32) -> Option<RefIdx> {
        let references = &self.facts.references;
        let first = references.partition_point(|reference| reference.at < at);
        let is_here = references.get(first).is_some_and(|reference| reference.at == at);
        is_here.then(|| RefIdx::new(first))
    }

    /// Whether a name is a shorthand property, which references a member and a variable: `{ name }`.
    pub fn is_shorthand(&self, at: u32) -> bool {
        let next = self
            .reference_at(at)
            .and_then(|first| self.facts.references.get(first.next().as_usize()));
        next.is_some_and(|next| next.at == at)
    }

    /// The symbols that enclose an offset, innermost first.
    pub fn around(&self, at: u32) -> impl Iterator<Item = (SymbolIdx, &Symbol)> {
        let inner = self.facts.enclosing(at);
        self.outwards(inner)
    }

    /// A symbol and its ancestors.
    pub fn outwards(&self, from: Option<SymbolIdx>) -> impl Iterator<Item = (SymbolIdx, &Symbol)> {
        let of = |index: SymbolIdx| (index, &self.facts.symbols[index]);
        std::iter::successors(from.map(of), move |(_, symbol)| symbol.parent.map(of))
    }

    pub fn parent(&self, symbol: &Symbol) -> Option<&Symbol> {
        symbol.parent.map(|parent| &self.facts.symbols[parent])
    }

    /// The innermost symbol around an offset, other than a field whose name is at it: an embedded type is both a field
    /// and a supertype of the type around it.
    pub fn declaring(&self, at: u32) -> Option<SymbolIdx> {
        let inner = self.facts.enclosing(at)?;
        let symbol = &self.facts.symbols[inner];
        match symbol.kind {
            SymbolKind::Field if symbol.name_at == at => symbol.parent,
            _ => Some(inner),
        }
    }

    /// The package that the file declares.
    pub fn package(&self) -> Option<&str> {
        let mut outer = self.facts.symbols.iter().filter(|symbol| symbol.parent.is_none());
        let package = outer.find(|symbol| symbol.kind == SymbolKind::Namespace)?;
        Some(self.facts.name(package))
    }

    /// The condition under which the file is compiled: `//go:build linux`.
    pub fn condition(&self) -> Option<&str> {
        let mut conditions = self.facts.annotations.iter().filter_map(|one| match one.note {
            Note::FileCondition(condition) => Some(self.facts.names.get(condition)),
            _ => None,
        });
        conditions.next()
    }

    /// The definition whose value is the literal that contains a member: for a method of an object literal, the
    /// constant that is initialised with it.
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
            // A field of an anonymous type: `struct { int width; } config;`.
            SymbolKind::Field => matches!(around, SymbolKind::Constant | SymbolKind::Field | SymbolKind::Variable),
            _ => false,
        };
        is_member.then_some(parent)
    }

    /// The first member of the literal that a definition is initialised with.
    pub fn literal_members(&self, of: SymbolIdx) -> Option<SymbolIdx> {
        let end = self.facts.symbols[of].span.end;
        let inside = SymbolIdx::enumerate_from(&self.facts.symbols, of.next().as_usize());
        let mut inside = inside.take_while(|(_, symbol)| symbol.span.start < end);
        let found = inside.find(|(_, symbol)| symbol.parent == Some(of) && self.literal_of(symbol).is_some());
        found.map(|(index, _)| index)
    }

    /// Whether a function returns an object literal: `() => ({ run })`.
    pub fn returns_object_literal(&self, symbol: &Symbol) -> bool {
        let returned = Context::ReturnedFrom(symbol.name_at);
        let references = &self.facts.references;
        let first = references.partition_point(|reference| reference.at < symbol.span.start);
        let mut inside = references[first..]
            .iter()
            .take_while(|reference| reference.at < symbol.span.end);
        inside.any(|reference| self.is_key_of(reference, returned))
    }

    /// The value of a key of the object literal that a function returns, if it is a plain name: `{ run }`, `{ run:
    /// start }`.
    pub fn returned_member(&self, symbol: &Symbol, name: &str) -> Option<RefIdx> {
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

    /// Whether a reference is a key of the object literal in a context.
    fn is_key_of(&self, reference: &Reference, context: Context) -> bool {
        let is_key = reference.role == Role::Member;
        is_key && matches!(reference.on, Qualifier::Context(id) if self.facts.context(id) == context)
    }

    /// Whether a member of a literal is an arrow function, which has no `this` of its own.
    pub fn is_arrow(&self, symbol: &Symbol) -> bool {
        let behind = self.annotations_from(symbol.span.start);
        let mut arrows = behind.filter(|one| one.note == Note::ArrowFunction).take(ARROWS);
        arrows.any(|arrow| arrow.scope.end == symbol.span.end)
    }

    /// Further values assigned to the definition whose name is at an offset.
    pub fn also(&self, at: u32) -> impl Iterator<Item = RefIdx> {
        self.facts.notes_at(at).filter_map(|note| match note {
            Note::FurtherValue(value) => Some(value),
            _ => None,
        })
    }

    /// Further types of the definition whose name is at an offset.
    pub fn also_of_type(&self, at: u32) -> impl Iterator<Item = TypeRef<'_>> {
        self.facts.notes_at(at).filter_map(|note| match note {
            Note::FurtherType(ty) => Some(self.type_expr(ty)),
            _ => None,
        })
    }

    /// The annotations from an offset on.
    fn annotations_from(&self, at: u32) -> impl Iterator<Item = &Annotation> {
        let first = self.facts.annotations.partition_point(|one| one.at < at);
        self.facts.annotations[first..].iter()
    }

    /// The namespaces that macros in the file open.
    pub fn opened_namespaces(&self) -> impl Iterator<Item = &str> {
        self.facts.annotations.iter().filter_map(|one| match one.note {
            Note::OpensNamespace(name) => Some(self.facts.names.get(name)),
            _ => None,
        })
    }

    /// The fields of a name in anonymous types, with offset and type.
    pub fn unnamed_type_fields(&self, name: &str) -> impl DoubleEndedIterator<Item = (u32, NameId)> {
        let wanted = self.name(name);
        self.facts.annotations.iter().filter_map(move |one| match one.note {
            Note::UnnamedTypeField { name, ty } if Some(name) == wanted => Some((one.at, ty)),
            _ => None,
        })
    }

    /// The innermost literal around an offset with discriminant members, and those with their values: `{ kind:
    /// "circle", radius: 1 }`.
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

    /// The innermost narrowing of a member access around an offset: `if (shape.size != null) { .. }` for the path
    /// `shape.size`.
    pub fn narrowed_member(&self, path: &str, at: u32) -> Option<(BindingIdx, &Binding)> {
        let all = self.places(&self.bindings, path).iter();
        let all = all.map(|index| (*index, &self.facts.bindings[*index]));
        let covering = all.filter(|(_, binding)| {
            let is_member = binding.role == BindingRole::NarrowedMember;
            is_member && binding.scope.start <= at && at < binding.scope.end
        });
        covering.max_by_key(|(_, binding)| (binding.scope.start, binding.at))
    }

    /// Whether members are assigned to a variable or function after its definition: `const a = {}; a.run = function ()
    /// {};`.
    pub fn has_members_added(&self, to: SymbolIdx) -> bool {
        let symbol = &self.facts.symbols[to];
        let can_have = symbol.kind.is_function() || matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable);
        let mut behind = self.facts.symbols.iter().skip(to.next().as_usize());
        can_have && symbol.owner.is_none() && behind.any(|one| one.owner == Some(symbol.name))
    }

    /// Whether a definition is a member of a type.
    pub fn is_member(&self, symbol: &Symbol) -> bool {
        symbol.owner.is_some()
            || self.literal_of(symbol).is_some()
            || self.parent(symbol).is_some_and(|parent| match parent.kind {
                // A mixin module.
                SymbolKind::Module => matches!(
                    symbol.kind,
                    SymbolKind::Method | SymbolKind::Property | SymbolKind::Field
                ),
                // A field that a macro declares in the types that use it.
                SymbolKind::Macro => symbol.kind == SymbolKind::Field,
                kind => kind.has_members() || kind == SymbolKind::Variant,
            })
    }

    /// Whether a definition is enclosed by modules and namespaces alone.
    pub fn is_outer(&self, symbol: &Symbol) -> bool {
        symbol.owner.is_none()
            && !self.is_member(symbol)
            && self
                .outwards(symbol.parent)
                .all(|(_, outer)| matches!(outer.kind, SymbolKind::Module | SymbolKind::Namespace))
    }

    /// The offsets of a definition's name in its further clauses: each equation of a Haskell function repeats it.
    pub fn clauses(&self, symbol: &Symbol) -> impl Iterator<Item = u32> {
        let inside = self.annotations_from(symbol.span.start);
        let inside = inside.take_while(|one| one.at < symbol.span.end);
        let clauses = inside.filter(|one| one.note == Note::FurtherClause(symbol.name));
        clauses.map(|clause| clause.at)
    }

    /// Whether the module declaration of the file mentions a name before its end: `module Shapes exposing (area)`.
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

    /// The definition that an import is scoped to; `None` if it applies to the whole file. `namespace Geo;` encloses
    /// nothing in the text.
    pub fn around_import(&self, import: &Import) -> Option<SymbolIdx> {
        let around = self.facts.enclosing(import.at)?;
        // Children follow their parent in the list.
        let next = self.facts.symbols.get(around.next().as_usize());
        let is_empty = self.facts.symbols[around].kind == SymbolKind::Namespace
            && next.is_none_or(|next| next.parent != Some(around));
        (!is_empty).then_some(around)
    }

    /// The parameters of a function, without type parameters.
    pub fn parameters(&self, symbol: &Symbol) -> impl Iterator<Item = &Binding> {
        self.facts.parameters(symbol)
    }
}
