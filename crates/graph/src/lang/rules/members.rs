//! What types have.

use syntax::{Reference, Role, Symbol, SymbolKind};

use crate::lang::{Language, Semantics};
use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::{FileIdx, Files},
    types::ty::Ty,
    view::{SymbolId, View},
};

/// What types have.
pub(crate) trait MemberRules: Language {
    /// The first of the extensions of a library type, which stands for the type: `extension Int { .. }`.
    fn library_extension(&self, _: &Resolver<'_>, _: FileIdx, _name: &str) -> Option<SymbolId> {
        None
    }

    /// Whether a definition of this kind may be such an extension.
    fn may_extend_library(&self, _: SymbolKind) -> bool {
        false
    }

    /// Whether an extension adds a member of a name to a library type.
    fn adds_to_library(&self, _: &Resolver<'_>, _: FileIdx, _name: &str) -> bool {
        false
    }

    /// The type that an extension is written for, where its head has a path: `extension Outer.Inner`.
    fn extended_type(&self, _: &Resolver<'_>, _: At<'_>, _extension: &Symbol, _path: &str) -> Option<Meaning> {
        None
    }

    /// The other declarations of something that may be declared in several places: `partial class Shape`, `shape.mli` beside
    /// `shape.ml`. The declaration itself may be among them.
    fn partial_declarations(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// All declarations whose supertypes and members a type has; none where that is only its own.
    fn declarations_of_type(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// How many type parameters a definition has, where that is part of its identity: `List` and `List<T>`.
    fn generic_arity(&self, _: &Resolver<'_>, _: SymbolId) -> usize {
        0
    }

    /// The definitions of one name that have so many type parameters.
    fn narrow_by_arity(&self, _: &Resolver<'_>, found: Vec<SymbolId>, _: usize) -> Vec<SymbolId> {
        found
    }

    /// Whether definitions of a kind have members.
    fn has_members(&self, kind: SymbolKind) -> bool {
        kind.has_members()
    }

    /// The declaration that stands for a type which may be declared in several places.
    fn first_piece(&self, _: &Resolver<'_>, id: SymbolId) -> SymbolId {
        id
    }

    /// Members that a type neither declares nor inherits, and has by a convention.
    fn members_by_convention(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Puts supertypes, which are in the order of the text, in the order in which members are looked for.
    fn order_supertypes(&self, _: &Resolver<'_>, _: &mut [SymbolId]) {}

    /// The fields that the value of a property is kept in, where only its name says so.
    fn backing_fields(&self, _: &Resolver<'_>, _property: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Puts the supertypes that have a member in the order in which `super` looks for it, which is that of declaration in
    /// most languages.
    fn order_for_super(&self, _: &mut [Vec<SymbolId>]) {}

    /// The definition in a supertype that an assignment of a field belongs to.
    fn inherited_field(&self, _: &Resolver<'_>, _: SymbolId, _: &Symbol) -> Option<SymbolId> {
        None
    }

    /// The declaration in a supertype that the members of a name, which are found in a type, repeat without saying as much.
    fn inherited_declaration(
        &self,
        _: &Resolver<'_>,
        _own: SymbolId,
        _found: &[SymbolId],
        _name: &str,
    ) -> Option<Vec<SymbolId>> {
        None
    }

    /// Of the members of one name that several supertypes have, in the order of those, the ones that are inherited.
    fn first_inherited(&self, _: &Resolver<'_>, found: Vec<Vec<SymbolId>>) -> Vec<SymbolId> {
        found.into_iter().next().unwrap_or_default()
    }

    /// A member of what a value holds, where its type has none of the name.
    fn member_of_element(&self, _: &Resolver<'_>, _: &Ty, _own: SymbolId, _name: &str) -> Option<Meaning> {
        None
    }

    /// The functions or types that a variable is another name for.
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

    /// The members of a type that it has neither itself nor from its supertypes.
    fn delegated_members(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Whether a file may have members of a type that another file defines.
    fn may_add_members(&self, _: &Files, _own: FileIdx, _other: FileIdx) -> bool {
        true
    }

    /// Whether definitions of these kinds that have one name and one scope can be declarations of one thing.
    fn may_be_one(&self, _: SymbolKind, _: SymbolKind) -> bool {
        true
    }

    /// The type of an alias with type arguments among the supertypes of a type.
    fn alias_in_clause(&self, _: &Resolver<'_>, _own: (SymbolId, &View), _clause: u32, _alias: SymbolId) -> Option<Ty> {
        None
    }

    /// The members of a name that a definition itself declares, where the language has rules of its own for that.
    fn own_members(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Option<Vec<SymbolId>> {
        None
    }

    /// Members of the library's containers, which are not members of what they hold.
    fn container_members(&'static self) -> &'static [&'static str] {
        self.semantics().common_members
    }

    /// Whether a function makes instances that have the members assigned to `this` in it.
    fn is_constructor_function(&self, _: &Resolver<'_>, _: SymbolId) -> bool {
        false
    }

    /// A definition with its other declarations, where those are not found by their name and place alone.
    fn declaration_group(&self, _: &Resolver<'_>, _: SymbolId) -> Option<Vec<SymbolId>> {
        None
    }

    /// Whether a member that has the name of a type as its owner is of this type.
    fn is_member_of(&self, _: &Resolver<'_>, _member: SymbolId, _own: SymbolId) -> bool {
        true
    }

    /// Whether a type has what it inherits under a name beside its own members of that name.
    fn keeps_inherited(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> bool {
        false
    }

    /// Macros in the body of a type whose members are the type's.
    fn macros_in_body(&self, _: &Resolver<'_>, _own: SymbolId, _: &View) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The type that a definition outside of it names as its owner: a qualifier and a name.
    fn named_owner(&self, resolver: &Resolver<'_>, place: At<'_>, (_, name): (&str, &str)) -> Meaning {
        resolver.lookup(place, name, Role::Type)
    }
}

impl MemberRules for Semantics {}
