//! Type expressions and what they mean.

use syntax::{RefIdx, Symbol, TypeExpr, TypeRef};

use crate::lang::{Language, Semantics};
use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    types::{generics::StandsFor, ty::Ty},
    view::SymbolId,
};

/// Type expressions and what they mean.
pub(crate) trait TypeRules: Language {
    /// The type of a conditional type expression: `A extends B ? C : D`.
    fn conditional_type(&self, _: &Resolver<'_>, _: At<'_>, _: TypeRef<'_>, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// The type of a path with type arguments that the path alone does not name: an alias (`Picked<Shape>`), a type inside of
    /// a template (`Map<Key, Shape>::Entry`). The path is the first in the type expression.
    fn path_with_arguments(
        &self,
        _: &Resolver<'_>,
        _: At<'_>,
        (_path, _written): (&str, TypeRef<'_>),
        _: &[StandsFor],
    ) -> Option<Ty> {
        None
    }

    /// Whether a type expression is a type without a name that declares members: `{ width: number }`.
    fn is_anonymous_type(&self, _: TypeRef<'_>) -> bool {
        false
    }

    /// The type that a name in a type expression means although it is not in scope: in a JSDoc comment.
    fn type_out_of_scope(&self, _: &Resolver<'_>, _: At<'_>, _path: &str) -> Option<Ty> {
        None
    }

    /// The end of the text that declares the type parameters of a definition.
    fn end_of_type_parameters(&self, symbol: &Symbol) -> u32 {
        symbol.signature.end
    }

    /// A type expression of a function's signature, with the string arguments of a call in place of the type parameters that
    /// they bind: `Events["click"]`. None, if it has none of those.
    fn with_literal_types(
        &self,
        _: &Resolver<'_>,
        _: SymbolId,
        _: TypeRef<'_>,
        _call: (FileIdx, RefIdx),
    ) -> Option<TypeExpr> {
        None
    }

    /// The type of a type expression with an operator of this language: `keyof Shape`.
    fn type_operator(&self, _: &Resolver<'_>, _: At<'_>, _: TypeRef<'_>, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// The type of a member whose declared type is an alias in its type, by the receiver's type arguments: `value_type`.
    fn member_alias(&self, _: &Resolver<'_>, _member: SymbolId, _: TypeRef<'_>, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// Whether only the first type argument of a library container is a type of its elements: `std::set<Shape, Less>`.
    fn holds_first_argument(&self, _container: &str) -> bool {
        false
    }
}

impl TypeRules for Semantics {}
