//! Type expressions and what they mean.

use std::borrow::Cow;

use syntax::{RefIdx, Symbol};

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
    fn conditional_type(&self, _: &Resolver<'_>, _: At<'_>, _text: &str, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// The type of a path with type arguments that the path alone does not name: an alias (`Picked<Shape>`), a type inside of
    /// a template (`Map<Key, Shape>::Entry`). `text` is the type expression that has the path.
    fn path_with_arguments(
        &self,
        _: &Resolver<'_>,
        _: At<'_>,
        (_path, _text): (&str, &str),
        _: &[StandsFor],
    ) -> Option<Ty> {
        None
    }

    /// Whether a type expression is a type without a name that declares members: `{ width: number }`.
    fn is_anonymous_type(&self, _text: &str) -> bool {
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
    /// they bind: `Events["click"]`.
    fn with_literal_types<'t>(
        &self,
        _: &Resolver<'_>,
        _: SymbolId,
        text: &'t str,
        _call: (FileIdx, RefIdx),
    ) -> Cow<'t, str> {
        text.into()
    }

    /// The type of a type expression with an operator of this language: `keyof Shape`.
    fn type_operator(&self, _: &Resolver<'_>, _: At<'_>, _text: &str, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// The type of a member whose declared type is an alias in its type, by the receiver's type arguments: `value_type`.
    fn member_alias(&self, _: &Resolver<'_>, _member: SymbolId, _text: &str, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// Whether only the first type argument of a library container is a type of its elements: `std::set<Shape, Less>`.
    fn holds_first_argument(&self, _container: &str) -> bool {
        false
    }
}

impl TypeRules for Semantics {}
