//! Answers about definitions: references, renames, implementations.

use syntax::{Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::lang::{ImplicitInterfaces, Language, Semantics};
use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    queries::references::{Use, implementations::Implementation},
    types::ty::Base,
    view::{SymbolId, View},
};

/// Answers about definitions: references, renames, implementations.
pub(crate) trait QueryRules: Language {
    /// How types implement interfaces that they do not name. None where they declare their supertypes.
    fn implicit_interfaces(&self) -> Option<&'static dyn ImplicitInterfaces> {
        None
    }

    /// The definitions that replace one in other builds of the program: `open_windows.go` beside `open_linux.go`.
    fn build_variants(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Definitions whose name is that of another: a field has the name of the type that it embeds.
    fn renamed_together(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The type that a block adds to, where all blocks of a type are one definition: `@implementation Shape`.
    fn type_of_block(&self, _: &Resolver<'_>, _block: SymbolId) -> Base {
        Base::Unknown
    }

    /// The definitions by which a clause can name a supertype: its declarations and aliases.
    fn names_of_base(&'static self, resolver: &Resolver<'_>, declarations: Vec<SymbolId>) -> Vec<SymbolId> {
        match self.semantics().has_overloads() {
            true => resolver.with_aliases(&declarations),
            false => declarations,
        }
    }

    /// Whether two functions cannot have one name in one scope. None if their parameters do not matter.
    fn functions_collide(&'static self, resolver: &Resolver<'_>, one: SymbolId, other: SymbolId) -> Option<bool> {
        let has_overloads = self.semantics().has_overloads();
        has_overloads.then(|| resolver.has_same_parameter_types(one, other))
    }

    /// The type that a qualifier names, if a use behind it can be no member of other types: `Kind::Round`.
    fn type_of_qualifier(&self, _: &Resolver<'_>, _: At<'_>, _path: &str) -> Base {
        Base::Unknown
    }

    /// Whether the receiver of a use is the current object.
    fn has_self_receiver(&self, reference: &Reference) -> bool {
        reference.on == Qualifier::This
    }

    /// Whether a use that is no call in form calls one of some definitions: `shape.size = 3`.
    fn is_setter_call(&self, _: &Resolver<'_>, _: &Reference, _targets: &[SymbolId]) -> bool {
        false
    }

    /// Files that call a type's constructor by a word instead of the type's name, beside those of its subtypes.
    fn constructor_callers(&self, _: &Resolver<'_>, _owner: SymbolId) -> Vec<FileIdx> {
        Vec::new()
    }

    /// The name of a receiver that is no reference: `:shape.name`.
    fn symbolic_receiver<'v>(&self, _: &'v View, _: &Reference) -> Option<&'v str> {
        None
    }

    /// Whether a receiver is a class by its spelling: `Shape.make`.
    fn is_class_name(&self, _receiver: &str) -> bool {
        false
    }

    /// Whether the separator in a name that a person wrote fits a method: `Job#run` is an instance method.
    fn fits_separator(&self, resolver: &Resolver<'_>, id: SymbolId, mark: char) -> bool {
        mark != '#' || !resolver.is_static(id)
    }

    /// The variables that are aliases of some definitions.
    fn alias_variables(&self, _: &Resolver<'_>, _targets: &[SymbolId]) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The parameters to which a framework passes what some functions return (fixtures), with their uses if wanted.
    fn injections(&self, _: &Resolver<'_>, _targets: &[SymbolId], _with_uses: bool) -> Vec<Use> {
        Vec::new()
    }

    /// Whether a reference only declares its name.
    fn is_declaration(&self, _: &Resolver<'_>, _: FileIdx, _reference: RefIdx) -> bool {
        false
    }

    /// Whether a type has the constructor of one of its supertypes, and a call of the type with this index means that one.
    fn inherits_constructor(
        &self,
        resolver: &Resolver<'_>,
        own: SymbolId,
        constructor: SymbolId,
        _call: Option<(FileIdx, RefIdx)>,
    ) -> bool {
        let name = resolver.name_of(constructor);
        resolver.members(own, &name).contains(&constructor)
    }

    /// The functions that a call of a type means, if the wanted constructor may be among them.
    fn constructors_called(
        &self,
        _: &Resolver<'_>,
        found: &[SymbolId],
        _constructor: SymbolId,
        _: FileIdx,
        _call: RefIdx,
    ) -> Vec<SymbolId> {
        found.to_vec()
    }

    /// Whether the path before a name in this role is the context that implies the receiver: `.none`, `{ width: 3 }`.
    fn implies_receiver(&self, _: Role) -> bool {
        false
    }

    /// Whether the language gives functions of this name a meaning, so that they cannot be renamed: `__init__`, `operator+`.
    fn is_reserved_name(&self, _name: &str) -> bool {
        false
    }

    /// Whether a member with its type's name is renamed with the type, as a constructor is.
    fn follows_type_name(&self, resolver: &Resolver<'_>, member: SymbolId) -> bool {
        resolver.kind_of(member) == Some(SymbolKind::Constructor)
    }

    /// The likelihood that a use means one of some definitions though its receiver's type has no such member.
    fn likelihood_of_missing(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, _: &[SymbolId]) -> Option<f32> {
        None
    }

    /// Whether a second declaration of a local name in one scope is another variable: `let shape = shape.scaled();`.
    fn shadows_in_scope(&self, _name: &str) -> bool {
        false
    }

    /// Whether files often use values of types that they do not name: `bind(from).to(into)`.
    fn uses_unnamed_types(&self) -> bool {
        true
    }

    /// Whether definitions of these kinds can have one name in one scope.
    fn may_coexist(&self, _: SymbolKind, _: SymbolKind) -> bool {
        false
    }

    /// Object literals that implement an interface or a member of it, with their distance from it.
    fn implementing_objects(&self, _: &Resolver<'_>, _: SymbolId, _distance: u32) -> Vec<Implementation> {
        Vec::new()
    }

    /// The places of literals without a definition that implement an interface or a member of it.
    fn unnamed_implementing(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<(FileIdx, u32)> {
        Vec::new()
    }

    /// The likelihood that an unresolved key of a literal is a field of a workspace type.
    fn likelihood_of_key(&self, _: &View, _: &Reference) -> f32 {
        1.0
    }
}

impl QueryRules for Semantics {}
