//! Which of several functions a call means.

use syntax::{ArgValue, Qualifier, RefIdx, Reference, TypeRef};

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
    /// Of several functions those whose parameters have the argument labels of a call: `remove(at: 3)`.
    fn narrow_by_labels(&self, _: &Resolver<'_>, found: Vec<SymbolId>, _: FileIdx, _call: RefIdx) -> Vec<SymbolId> {
        found
    }

    /// The index of the parameter of each argument of a call, where labels decide that.
    fn labelled_parameters(&self, _: &Resolver<'_>, _: FileIdx, _call: RefIdx, _: SymbolId) -> Option<Vec<usize>> {
        None
    }

    /// Whether a function can be called with so many arguments.
    fn accepts_argument_count(&self, resolver: &Resolver<'_>, id: SymbolId, count: usize) -> bool {
        resolver.takes_argument_count(id, count)
    }

    /// Whether the receiver of a call is passed as the first argument: to an extension method.
    fn passes_receiver(&self, _: &Resolver<'_>, _: SymbolId, _: FileIdx, _: &Reference) -> bool {
        false
    }

    /// Whether an argument may convert to a parameter's type by a conversion that has no rank: an implicit conversion in Scala.
    fn may_convert(&self, _: &Resolver<'_>, _: &ArgType, _: &ArgType) -> bool {
        false
    }

    /// Whether so many arguments may become fewer: in Scala, `draw(1, 2)` may pass a tuple.
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

    /// The type of an argument or parameter, by a type expression of this language alone: `const char*`, `[Shape]`.
    fn arg_type_of_type(&self, _: &Resolver<'_>, _: At<'_>, _: TypeRef<'_>, _steps: u32) -> Option<ArgType> {
        None
    }

    /// A built-in or library type, by its name, as the type of an argument.
    fn arg_type_of_library_type(&self, name: &str) -> ArgType {
        ArgType {
            is_array: name.ends_with("[]"),
            ..ArgType::plain(Shape::Named(name.trim_end_matches("[]").to_owned()))
        }
    }

    /// The type of an element of an array or of what a pointer points to, where arguments' types tell that.
    fn arg_type_of_element(&'static self, array: ArgType) -> Option<ArgType> {
        self.semantics().has_array_types.then(|| array.element())
    }

    /// The argument that a macro call expands to.
    fn expanded_argument(&self, _: &Resolver<'_>, _: (FileIdx, &View), _call: RefIdx) -> Option<ArgValue> {
        None
    }

    /// Whether a call has type arguments, where facts do not count them: `make<Shape>()`.
    fn gives_type_arguments(&self, _: &Resolver<'_>, _: (FileIdx, &View), _call: RefIdx) -> bool {
        false
    }

    /// Whether two types certainly differ, where more than their names says so. None if only their names can be compared.
    fn types_differ(&self, _: &Resolver<'_>, _: &ArgType, _: &ArgType) -> Option<bool> {
        None
    }

    /// Of overloads that take the same arguments those for a receiver: a `const` method for a `const` value.
    fn narrow_by_receiver(
        &self,
        _: &Resolver<'_>,
        _: At<'_>,
        found: Vec<SymbolId>,
        _receiver: Qualifier,
    ) -> Vec<SymbolId> {
        found
    }

    /// The type of an operator's result.
    fn operator_type(&self, _: &Resolver<'_>, _: (FileIdx, &View), _step: RefIdx) -> Ty {
        Ty::new(Base::External)
    }

    /// The result of an operator as the type of an argument; None if `Semantics::operator_result_type` says it.
    fn arg_type_of_operation(
        &self,
        _: &Resolver<'_>,
        _: (FileIdx, &View),
        _step: RefIdx,
        _operands: &[ArgType],
    ) -> Option<ArgType> {
        None
    }

    /// Whether a member overrides one of a supertype with the same name and parameters: a static one does not.
    fn may_override(&self, _: &Resolver<'_>, _: SymbolId, _: SymbolId) -> bool {
        true
    }

    /// Whether functions of one name differ by their parameters.
    fn distinguishes_overloads(&'static self) -> bool {
        self.semantics().has_overloads()
    }
}

impl OverloadRules for Semantics {}
