//! The types of operators' results.

use syntax::RefIdx;

use crate::{
    engine::resolver::Resolver,
    files::FileIdx,
    overload::arg_type::{ArgType, Shape},
    types::ty::Ty,
    view::View,
};

impl Resolver<'_> {
    /// The type of the result of an operator.
    pub(crate) fn operator_type(&self, file: FileIdx, view: &View, step: RefIdx) -> Ty {
        match self.semantics(file).has_function_types {
            true => self.operator_result(file, view, step),
            false => self.rules(file).operator_type(self, (file, view), step),
        }
    }

    /// The result of an operator as an argument.
    pub(crate) fn arg_type_of_operation(&self, file: FileIdx, view: &View, step: RefIdx, steps: u32) -> ArgType {
        let unknown = ArgType::plain(Shape::Unknown);
        let operands = self.operands(file, view, step, steps);
        let [left, right] = &operands[..] else {
            return unknown;
        };
        if let Some(result) = self
            .rules(file)
            .arg_type_of_operation(self, (file, view), step, &operands)
        {
            return result;
        }
        let plain = |one: &ArgType| match &one.shape {
            Shape::Named(name) if !one.is_array && !one.is_guess => Some(name.clone()),
            _ => None,
        };
        let (left, right) = (plain(left), plain(right));
        let operator = view.facts.names.get(view.facts.references[step].name);
        let result = (self.semantics(file).operator_result_type)(operator, left.as_deref(), right.as_deref());
        result.map_or(unknown, |name| self.arg_type_of_library_type(file, name))
    }

    /// The operands of an operator as arguments.
    pub(crate) fn operands(&self, file: FileIdx, view: &View, step: RefIdx, steps: u32) -> Vec<ArgType> {
        let operands = view.facts.given(step);
        operands
            .map(|operand| self.arg_type_of_arg_value(file, view, step, operand, steps + 1))
            .collect()
    }
}
