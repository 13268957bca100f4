//! What one language does and no other, by the room of shared code that asks.
//!
//! Every method has a default, which is what most languages do. A language overrides those in which it differs, in its own
//! folder; what several languages do alike is a capability in `Semantics`.

mod infer;
mod members;
mod overload;
mod queries;
mod scope;
mod types;

pub(crate) use self::{
    infer::InferRules, members::MemberRules, overload::OverloadRules, queries::QueryRules, scope::ScopeRules,
    types::TypeRules,
};
use crate::lang::Semantics;

/// A language, or a family that shares its rules.
pub(crate) trait Language: Sync {
    /// The capabilities.
    fn semantics(&'static self) -> &'static Semantics;
}

/// A language that needs no rules beyond its capabilities.
impl Language for Semantics {
    fn semantics(&'static self) -> &'static Semantics {
        self
    }
}

/// All rules of one language.
pub(crate) trait LanguageRules:
    ScopeRules + TypeRules + MemberRules + InferRules + OverloadRules + QueryRules
{
}

impl<L: ScopeRules + TypeRules + MemberRules + InferRules + OverloadRules + QueryRules> LanguageRules for L {}
