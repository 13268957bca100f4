//! The phases of overload resolution: an invocation with an array for a variable-arity parameter comes before one whose
//! arguments become the array.

use crate::{
    engine::resolver::Resolver,
    files::FileIdx,
    overload::{
        arg_type::{ArgType, Shape},
        candidates::Candidate,
        rank::Fit,
    },
};

/// More than the ranks of all arguments together.
const FIXED_ARITY: Fit = 1 << 20;

/// `draw(Shape... shapes)` is called with fixed arity by `draw(array)` and `draw(null)`.
pub(super) fn phase_rank(
    resolver: &Resolver<'_>,
    file: FileIdx,
    arguments: &[ArgType],
    candidate: &Candidate<'_>,
) -> Fit {
    let Some(last) = candidate.parameters.last() else {
        return FIXED_ARITY;
    };
    let last = resolver.described_parameter(candidate.id.file, candidate.view, candidate.symbol, last);
    let is_fixed = !last.is_rest
        || (arguments.len() == candidate.parameters.len()
            && arguments.last().is_some_and(|argument| {
                argument.shape == Shape::Null || (argument.is_array && !resolver.is_of_numbers(file, argument, &last))
            }));
    if is_fixed { FIXED_ARITY } else { 0 }
}
