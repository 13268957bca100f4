//! Type expressions and what they mean.

use std::borrow::Cow;

use syntax::Symbol;

use crate::lang::{Language, Semantics};
use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    types::{generics::StandsFor, ty::Ty},
    view::SymbolId,
};

/// Type expressions and what they mean.
pub(crate) trait TypeRules: Language {
    /// The type of a type expression that decides between others, before it is split into alternatives.
    fn conditional_type(&self, _: &Resolver<'_>, _: At<'_>, _text: &str, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// The type of an alias with type arguments. `text` is the type expression that begins with the alias at `path`.
    fn expanded_alias(&self, _: &Resolver<'_>, _: At<'_>, (_path, _text): (&str, &str), _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// Whether a type expression is a type without a name whose members are definitions: `{ width: number }`.
    fn is_anonymous_type(&self, _text: &str) -> bool {
        false
    }

    /// The type that a name means in a type expression although it is not in scope.
    fn type_out_of_scope(&self, _: &Resolver<'_>, _: At<'_>, _path: &str) -> Option<Ty> {
        None
    }

    /// The end of the text in which a definition declares its type parameters.
    fn end_of_type_parameters(&self, symbol: &Symbol) -> u32 {
        symbol.signature.end
    }

    /// A type expression of a function's signature with the literals of a call in place of the type parameters that they
    /// decide.
    fn with_literal_types<'t>(
        &self,
        _: &Resolver<'_>,
        _: SymbolId,
        text: &'t str,
        _call: (FileIdx, u32),
    ) -> Cow<'t, str> {
        text.into()
    }

    /// The type that an operator on types gives.
    fn type_operator(&self, _: &Resolver<'_>, _: At<'_>, _text: &str, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// The type that a path names inside of a generic type, by that one's type arguments.
    fn nested_type(&self, _: &Resolver<'_>, _: At<'_>, (_path, _text): (&str, &str), _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// The type of a member that is written as an alias of its type, by the type's type arguments.
    fn member_alias(&self, _: &Resolver<'_>, _member: SymbolId, _text: &str, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// Whether the first type argument of a library container is the element, and the others say how it is kept.
    fn holds_first_argument(&self, _container: &str) -> bool {
        false
    }
}

impl TypeRules for Semantics {}
