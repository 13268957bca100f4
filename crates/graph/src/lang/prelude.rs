//! What every language's folder imports: the rules, their tables, and the types of their parameters and results.

pub(crate) use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver},
    },
    files::{FileIdx, Files},
    lang::{
        DEFAULT, Exports, FieldNames, InferRules, Language, Library, LibraryResult, MemberRules, Namespaces,
        OverloadRules, Overloads, QueryRules, ScopeRules, Semantics, TypeRules, Visibility,
    },
    overload::conversions::Conversions,
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};
