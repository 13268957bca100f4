//! What types have.

use syntax::{RefIdx, Reference, Role, Symbol};

use crate::lang::{Language, Semantics};
use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::{FileIdx, Files},
    types::{ty::Ty, type_names::last_part},
    view::{SymbolId, View},
};

/// What types have.
pub(crate) trait MemberRules: Language {
    /// The first extension of a library type, which stands for the type: `extension Int { .. }`.
    fn library_extension(&self, _: &Resolver<'_>, _: FileIdx, _name: &str) -> Option<SymbolId> {
        None
    }

    /// Whether an extension of some library type has a member of a name.
    fn adds_to_library(&self, _: &Resolver<'_>, _: FileIdx, _name: &str) -> bool {
        false
    }

    /// The other declarations of a definition that has several: `partial class Shape`, `shape.mli` beside `shape.ml`. The
    /// declaration itself may be among them.
    fn partial_declarations(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The declarations whose supertypes and members a type has; none if that is only its own.
    fn declarations_of_type(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// How many type parameters a definition has, where that is part of its identity: `List` and `List<T>`.
    fn generic_arity(&self, _: &Resolver<'_>, _: SymbolId) -> usize {
        0
    }

    /// Of the types of one name those with so many type parameters.
    fn narrow_by_arity(&self, _: &Resolver<'_>, found: Vec<SymbolId>, _: usize) -> Vec<SymbolId> {
        found
    }

    /// The declaration that stands for a type with several declarations.
    fn canonical_declaration(&self, _: &Resolver<'_>, id: SymbolId) -> SymbolId {
        id
    }

    /// Members that a type neither declares nor inherits: of what it dereferences to, of what a framework adds.
    fn members_by_convention(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Sorts the supertypes of a type, which are in source order, to the order in which members are looked up in them.
    fn order_supertypes(&self, _: &Resolver<'_>, _: &mut [SymbolId]) {}

    /// The fields that a property reads and writes by convention: `@name` of `attr_reader :name`.
    fn backing_fields(&self, _: &Resolver<'_>, _property: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The declaration in a supertype that members found in a type redefine without a type of their own: `self.shape = None`.
    fn inherited_declaration(
        &self,
        _: &Resolver<'_>,
        _own: SymbolId,
        _found: &[SymbolId],
        _name: &str,
    ) -> Option<Vec<SymbolId>> {
        None
    }

    /// Of the members of one name that several supertypes have, in the order of those, the ones that are inherited; or that
    /// `super` means, which in Scala is the last.
    fn first_inherited(&self, _: &Resolver<'_>, found: Vec<Vec<SymbolId>>, _by_super: bool) -> Vec<SymbolId> {
        found.into_iter().next().unwrap_or_default()
    }

    /// A member of what a value manages, where its class has no member of the name: what `__enter__` returns.
    fn member_of_element(&self, _: &Resolver<'_>, _: &Ty, _own: SymbolId, _name: &str) -> Option<Meaning> {
        None
    }

    /// The functions or types that a variable is an alias of: `make = Shape`.
    fn alias_target(&self, _: &Resolver<'_>, _variable: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// A member that a related language declares under another name: Kotlin's `shape.name` is Java's `getName()`.
    fn related_language_member(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, found: Meaning) -> Meaning {
        found
    }

    /// The names that related languages use for a member.
    fn names_in_related_languages(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<String> {
        Vec::new()
    }

    /// The fields among some members that have an implicit method of their name: `record Point(int x)` has `x()`.
    fn fields_with_accessors(&self, _: &Resolver<'_>, _: &[SymbolId]) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Whether a file may declare members of a type that another file defines: in Go, in the same package.
    fn may_add_members(&self, _: &Files, _own: FileIdx, _other: FileIdx) -> bool {
        true
    }

    /// The type of an alias with type arguments in the list of a type's supertypes: `extends Picked<Shape>`.
    fn alias_in_clause(
        &self,
        _: &Resolver<'_>,
        _own: (SymbolId, &View),
        _clause: RefIdx,
        _alias: SymbolId,
    ) -> Option<Ty> {
        None
    }

    /// The members of a name that a definition declares; None if they are found by the common rules.
    fn own_members(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Option<Vec<SymbolId>> {
        None
    }

    /// Whether a function is a constructor by what it does: `function Shape() { this.name = "" }`.
    fn is_constructor_function(&self, _: &Resolver<'_>, _: SymbolId) -> bool {
        false
    }

    /// A definition with its other declarations, where those are not found by their name and place alone.
    fn declaration_group(&self, _: &Resolver<'_>, _: SymbolId) -> Option<Vec<SymbolId>> {
        None
    }

    /// Whether a member whose qualifier is the name of a type belongs to that type, and not to a namesake.
    fn is_member_of(&self, _: &Resolver<'_>, _member: SymbolId, _own: SymbolId) -> bool {
        true
    }

    /// Whether inherited members of a name stay visible beside a type's own: `using Base::draw;`.
    fn keeps_inherited(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> bool {
        false
    }

    /// Macros in the body of a type that expand to members of it.
    fn macros_in_body(&self, _: &Resolver<'_>, _own: SymbolId, _: &View) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The type whose members a definition has or is, by the path that the definition names it with:
    /// `void shapes::Circle::draw() {}`, `extension Outer.Inner { .. }`.
    fn named_owner(&self, resolver: &Resolver<'_>, place: At<'_>, _definition: &Symbol, path: &str) -> Meaning {
        resolver.lookup(place, last_part(path), Role::Type)
    }
}

impl MemberRules for Semantics {}
