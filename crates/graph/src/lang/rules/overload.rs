//! Which of several functions a call means.

use syntax::{ArgValue, Qualifier, Reference};

use crate::lang::{Language, Semantics};
use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    overload::{
        arg_type::{ArgType, Shape},
        candidates::Candidate,
        rank::{ConversionRank, Phase},
    },
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};

/// Which of several functions a call means.
pub(crate) trait OverloadRules: Language {
    /// The functions whose parameters have the labels that a call gives its arguments: `remove(at: 3)`.
    fn narrow_by_labels(&self, _: &Resolver<'_>, found: Vec<SymbolId>, _: FileIdx, _call: u32) -> Vec<SymbolId> {
        found
    }

    /// The parameter of each argument of a call, where labels say so.
    fn labelled_parameters(&self, _: &Resolver<'_>, _: FileIdx, _call: u32, _: SymbolId) -> Option<Vec<usize>> {
        None
    }

    /// Whether a function may be called with so many arguments.
    fn accepts_count(&self, resolver: &Resolver<'_>, id: SymbolId, count: usize) -> bool {
        resolver.takes_count(id, count)
    }

    /// Whether the receiver of a call is passed as the first argument: to an extension method.
    fn passes_receiver(&self, _: &Resolver<'_>, _: SymbolId, _: FileIdx, _: &Reference) -> bool {
        false
    }

    /// How many arguments a constructor call passes that has no list of them: `new Point { X = 1 }`.
    fn arguments_of_bare_constructor(&self) -> Option<u8> {
        None
    }

    /// Whether an argument may be converted to a parameter's type in a way that the ranks do not know: by a user-defined
    /// conversion.
    fn may_convert(&self, _: &Resolver<'_>, _: &ArgType, _: &ArgType) -> bool {
        false
    }

    /// Whether so many arguments may be passed to so many parameters by other means than one for each: as a tuple.
    fn may_adapt_arguments(&self, _: usize, _: usize) -> bool {
        false
    }

    /// The phase of overload resolution in which a candidate is applicable.
    fn applicability_phase(&self, _: &Resolver<'_>, _: FileIdx, _: &[ArgType], _: &Candidate<'_>) -> Phase {
        Phase::FixedArity
    }

    /// How an argument converts to a parameter; `None` if it cannot be passed.
    fn conversion_rank(
        &self,
        resolver: &Resolver<'_>,
        file: FileIdx,
        argument: &ArgType,
        parameter: &ArgType,
    ) -> Option<ConversionRank> {
        resolver.subtype_conversion(file, argument, parameter)
    }

    /// A written type as that of an argument or parameter, where that is not what most languages make of it.
    fn arg_type_of_text(&self, _: &Resolver<'_>, _: At<'_>, _text: &str) -> Option<ArgType> {
        None
    }

    /// A type of the language or its library as that of an argument.
    fn arg_type_of_library_type(&self, name: &str) -> ArgType {
        ArgType {
            is_array: name.ends_with("[]"),
            ..ArgType::plain(Shape::Named(name.trim_end_matches("[]").to_owned()))
        }
    }

    /// An element of an array, where the types of arguments say what is one.
    fn arg_type_of_element(&'static self, array: ArgType) -> Option<ArgType> {
        self.semantics().has_bare_arrays.then(|| array.element())
    }

    /// The argument that a call of a macro expands to.
    fn expanded_argument(&self, _: &Resolver<'_>, _: (FileIdx, &View), _call: u32) -> Option<ArgValue> {
        None
    }

    /// Whether a call gives type arguments whose number is not known.
    fn gives_type_arguments(&self, _: &Resolver<'_>, _: (FileIdx, &View), _call: u32) -> bool {
        false
    }

    /// Whether one type parameter can stand for the types of two arguments.
    fn may_deduce_one(&self, _: &Resolver<'_>, _: &ArgType, _: &ArgType) -> bool {
        true
    }

    /// Whether two parameters may have one type, as far as that is known.
    fn may_be_one_type(&self, _: &Resolver<'_>, one: &ArgType, other: &ArgType) -> bool {
        let is_open = |one: &ArgType| matches!(one.shape, Shape::Generic | Shape::Unknown);
        one == other || is_open(one) || is_open(other)
    }

    /// Of overloads that take the same arguments those for a receiver.
    fn narrow_by_receiver(
        &self,
        _: &Resolver<'_>,
        _: At<'_>,
        found: Vec<SymbolId>,
        _receiver: Qualifier,
    ) -> Vec<SymbolId> {
        found
    }

    /// The type of the result of an operator.
    fn operator_type(&self, _: &Resolver<'_>, _: (FileIdx, &View), _step: u32) -> Ty {
        Ty::new(Base::External)
    }

    /// The result of an operator as an argument, where `Semantics::calculated` does not tell it.
    fn arg_type_of_operation(
        &self,
        _: &Resolver<'_>,
        _: (FileIdx, &View),
        _step: u32,
        _operands: &[ArgType],
    ) -> Option<ArgType> {
        None
    }

    /// Whether a member may override one of a supertype that has its name and takes the same.
    fn may_override(&self, _: &Resolver<'_>, _: SymbolId, _: SymbolId) -> bool {
        true
    }

    /// Whether several functions of one name are told apart by their arguments.
    fn counts_arguments(&'static self) -> bool {
        self.semantics().has_overloads()
    }
}

impl OverloadRules for Semantics {}
