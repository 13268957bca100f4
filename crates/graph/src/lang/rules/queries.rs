//! Answers about definitions: references, renames, implementations.

use syntax::{Qualifier, Reference, Role, SymbolKind};

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

    /// The definitions that stand in for one in other builds of the program, as for another operating system.
    fn build_variants(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Definitions that always have the name of another: a field has that of the type which it embeds.
    fn renamed_together(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// How many functions a call may mean, if so many overloads remain beside the wanted one: as a divisor of its
    /// likelihood.
    fn weight_of_overloads(&self, others: usize) -> f32 {
        1.0 + 0.7 * others as f32
    }

    /// The type that a block is a part of, where all its blocks are one definition.
    fn type_of_block(&self, _: &Resolver<'_>, _block: SymbolId) -> Base {
        Base::Unknown
    }

    /// The types that a clause may name to derive from a type: its declarations, and aliases.
    fn names_of_base(&'static self, resolver: &Resolver<'_>, declarations: Vec<SymbolId>) -> Vec<SymbolId> {
        match self.semantics().has_overloads() {
            true => resolver.with_aliases(&declarations),
            false => declarations,
        }
    }

    /// Whether two functions cannot have one name in one place; unknown where that is no matter of their parameters.
    fn functions_collide(&'static self, resolver: &Resolver<'_>, one: SymbolId, other: SymbolId) -> Option<bool> {
        let has_overloads = self.semantics().has_overloads();
        has_overloads.then(|| resolver.has_same_parameter_types(one, other))
    }

    /// The type that a qualifier names, where that excludes members of other types.
    fn type_of_qualifier(&self, _: &Resolver<'_>, _: At<'_>, _path: &str) -> Base {
        Base::Unknown
    }

    /// Whether a reference is asked of the current object.
    fn is_asked_of_self(&self, reference: &Reference) -> bool {
        reference.on == Qualifier::This
    }

    /// Whether a use that is no call in form calls some definitions: `shape.size = 3`.
    fn is_setter_call(&self, _: &Resolver<'_>, _: &Reference, _targets: &[SymbolId]) -> bool {
        false
    }

    /// Files beside those of a type and its subtypes in which a word, not the type's name, calls its constructor.
    fn constructor_callers(&self, _: &Resolver<'_>, _owner: SymbolId) -> Vec<FileIdx> {
        Vec::new()
    }

    /// The name of a receiver that is written as a symbol, and is no reference itself.
    fn symbolic_receiver<'v>(&self, _: &'v View, _: &Reference) -> Option<&'v str> {
        None
    }

    /// Whether the spelling of a receiver says that it is a class.
    fn is_class_name(&self, _receiver: &str) -> bool {
        false
    }

    /// Whether the mark before a method's name, as people write it, can stand for this one: `Job#run` is one of values.
    fn fits_mark(&self, resolver: &Resolver<'_>, id: SymbolId, mark: char) -> bool {
        mark != '#' || !resolver.is_static(id)
    }

    /// The variables that are another name for some definitions.
    fn alias_variables(&self, _: &Resolver<'_>, _targets: &[SymbolId]) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The parameters that a framework gives what some functions return; on request with the uses of those parameters.
    fn injections(&self, _: &Resolver<'_>, _targets: &[SymbolId], _with_uses: bool) -> Vec<Use> {
        Vec::new()
    }

    /// Whether a use only defines what it names.
    fn is_declaration(&self, _: &Resolver<'_>, _: FileIdx, _reference: u32) -> bool {
        false
    }

    /// Whether a type has the constructor of one of its supertypes.
    fn inherits_constructor(&self, resolver: &Resolver<'_>, own: SymbolId, constructor: SymbolId) -> bool {
        let name = resolver.name_of(constructor);
        resolver.members(own, &name).contains(&constructor)
    }

    /// Whether a call of a type that inherits a constructor means that one.
    fn calls_inherited(
        &self,
        _: &Resolver<'_>,
        _own: SymbolId,
        _constructor: SymbolId,
        _: FileIdx,
        _call: u32,
    ) -> bool {
        true
    }

    /// The functions that a call of a type means, as far as it may mean a constructor.
    fn constructors_called(
        &self,
        _: &Resolver<'_>,
        found: &[SymbolId],
        _constructor: SymbolId,
        _: FileIdx,
        _call: u32,
    ) -> Vec<SymbolId> {
        found.to_vec()
    }

    /// Whether a qualifier before a name in this role is no path, but a place in the code that implies the receiver.
    fn implies_receiver(&self, _: Role) -> bool {
        false
    }

    /// Whether the language gives functions of this name a meaning, so that they cannot be renamed: `__init__`, `operator+`.
    fn is_reserved_name(&self, _name: &str) -> bool {
        false
    }

    /// Whether a member that has the name of its type is renamed with it, as constructors are.
    fn follows_type_name(&self, resolver: &Resolver<'_>, member: SymbolId) -> bool {
        resolver.kind_of(member) == Some(SymbolKind::Constructor)
    }

    /// How likely a use of a member that its receiver's type does not have is one of some definitions.
    fn likelihood_of_missing(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, _: &[SymbolId]) -> Option<f32> {
        None
    }

    /// Whether a local name that is declared again in one scope is another variable.
    fn shadows_in_scope(&self, _name: &str) -> bool {
        false
    }

    /// Whether code often works with values of a type that it never names: `bind(from).to(into)`.
    fn uses_unnamed_types(&self) -> bool {
        true
    }

    /// Whether definitions of two kinds may have one name in one scope.
    fn may_coexist(&self, _: SymbolKind, _: SymbolKind) -> bool {
        false
    }

    /// Literals that implement an interface, or a member of one, at a distance from it.
    fn implementing_objects(&self, _: &Resolver<'_>, _: SymbolId, _distance: u32) -> Vec<Implementation> {
        Vec::new()
    }

    /// Where literals that are no definitions implement an interface or a member of one.
    fn unnamed_implementing(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<(FileIdx, u32)> {
        Vec::new()
    }

    /// How likely an unresolved key of a literal is a field of a type of the workspace.
    fn likelihood_of_key(&self, _: &View, _: &Reference) -> f32 {
        1.0
    }
}

impl QueryRules for Semantics {}
