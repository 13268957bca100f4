//! The model of overload resolution: how an argument converts to a parameter, and how candidates compare.
//!
//! Every language ranks its conversions by `ConversionRank`: most by `Resolver::subtype_conversion`, C++ by its own rules.
//! A candidate's arguments are rated together, because much is unknown without a compiler: a candidate that is exact in one
//! argument and unknown in another is better than one that is unknown in both.

/// How an argument converts to the type of a parameter, best first. An argument that cannot be passed has no rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConversionRank {
    /// One type.
    Exact,
    /// The types differ in `const`: `char*` to `const char*`.
    Qualification,
    /// A parameter whose type is a type parameter, by how much its declaration says beside that.
    Template(Specialization),
    /// A class to a supertype that it names and whose declaration is not in the workspace.
    DeclaredSupertype,
    /// A class to a supertype.
    Subtype,
    /// To a wider type that does not change the value: `short` to `int`.
    Promotion,
    /// To a wider primitive type, by the number of steps: three from `int` by `long` and `float` to `double`.
    Widening(u8),
    /// One of the types is not known, or every value has the parameter's type: `Object`.
    Unknown,
    /// To another arithmetic or string type: `double` to `int`.
    Conversion,
    /// `Integer` to `int`.
    Unboxing,
    /// By a constructor or conversion operator of a class.
    UserDefined,
    /// The types differ and no conversion is known, but one of them may have another name.
    Unproven,
    /// To the `...` of a C function.
    Ellipsis,
}

/// How much the type of a template's parameter says. The more specialised template is the better candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Specialization {
    /// `T*` for an argument of the same constness.
    PointerOfSameConst,
    /// `const T*` for `char*`.
    Pointer,
    /// `T`
    Plain,
    /// `T...`
    Pack,
}

impl ConversionRank {
    /// What the argument adds to the rating of a candidate.
    pub fn score(self) -> u32 {
        match self {
            ConversionRank::Exact => 32,
            ConversionRank::Qualification => 29,
            ConversionRank::Template(Specialization::PointerOfSameConst) => 28,
            ConversionRank::Template(Specialization::Pointer | Specialization::Pack) => 27,
            ConversionRank::Template(Specialization::Plain) => 26,
            ConversionRank::DeclaredSupertype => 25,
            ConversionRank::Subtype | ConversionRank::Promotion => 24,
            ConversionRank::Widening(steps) => 23 - u32::from(steps.min(8)),
            ConversionRank::Unknown => 8,
            ConversionRank::Conversion => 6,
            ConversionRank::Unboxing => 4,
            ConversionRank::UserDefined => 2,
            ConversionRank::Unproven | ConversionRank::Ellipsis => 0,
        }
    }
}

/// How the number of a call's arguments fits the parameters of a function. Of candidates whose arguments convert alike, the
/// one with fewer implied parameters is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArityMatch {
    /// One argument for each parameter.
    Exact,
    /// Parameters that have a default are left out, or may be.
    WithDefaults,
    /// The function takes any number of arguments.
    Variadic,
}

impl ArityMatch {
    pub fn score(self) -> u32 {
        match self {
            ArityMatch::Exact => 2,
            ArityMatch::WithDefaults => 1,
            ArityMatch::Variadic => 0,
        }
    }
}

/// The phase of Java's overload resolution in which a candidate is applicable. Later phases are only tried if the earlier
/// ones find nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Several arguments become the array of the last parameter.
    VariableArity,
    FixedArity,
}

/// The rank of a candidate for a call; the greatest is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CandidateRank {
    pub phase: Phase,
    /// The sum of the scores of receiver, arguments and arity.
    pub score: u32,
}

/// The score of a receiver of which the candidate is a member. An extension is rated by its conversion instead, and is
/// never better than a member.
pub(crate) const OWN_MEMBER: u32 = 33;

#[cfg(test)]
mod tests {
    use super::{ArityMatch, ConversionRank, OWN_MEMBER, Specialization};

    #[test]
    fn ranks_are_ordered() {
        let best_first = [
            ConversionRank::Exact,
            ConversionRank::Qualification,
            ConversionRank::Template(Specialization::Plain),
            ConversionRank::DeclaredSupertype,
            ConversionRank::Subtype,
            ConversionRank::Widening(0),
            ConversionRank::Widening(8),
            ConversionRank::Unknown,
            ConversionRank::Conversion,
            ConversionRank::Unboxing,
            ConversionRank::UserDefined,
            ConversionRank::Unproven,
        ];
        assert!(best_first.is_sorted_by(|one, next| one.score() > next.score()));
        assert!(OWN_MEMBER > ConversionRank::Exact.score());
    }

    #[test]
    fn arity_decides_between_equal_conversions_only() {
        let gap = ConversionRank::Unknown.score() - ConversionRank::Conversion.score();
        assert!(ArityMatch::Exact.score() <= gap);
    }
}
