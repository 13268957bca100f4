//! The phases of overload resolution: an invocation with an array for a variable-arity parameter comes before one whose
//! arguments become the array.

use crate::{
    engine::resolver::Resolver,
    files::FileIdx,
    overload::{
        arg_type::{ArgType, Shape},
        candidates::Candidate,
        rank::Phase,
    },
};

/// `draw(Shape... shapes)` is called with fixed arity by `draw(array)` and `draw(null)`.
pub(super) fn applicability_phase(
    resolver: &Resolver<'_>,
    file: FileIdx,
    arguments: &[ArgType],
    candidate: &Candidate<'_>,
) -> Phase {
    let Some(last) = candidate.parameters.last() else {
        return Phase::FixedArity;
    };
    let last = resolver.arg_type_of_parameter(candidate.id.file, candidate.view, candidate.symbol, last);
    let is_fixed = !last.is_rest
        || (arguments.len() == candidate.parameters.len()
            && arguments.last().is_some_and(|argument| {
                argument.shape == Shape::Null || (argument.is_array && !resolver.boxes_array(file, argument, &last))
            }));
    match is_fixed {
        true => Phase::FixedArity,
        false => Phase::VariableArity,
    }
}
