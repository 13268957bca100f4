//! Operators of C++: overloaded ones, which are functions named `operator+`, and built-in ones.

use syntax::{Binding, Qualifier, RefIdx, Reference, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver, sorted},
    },
    files::FileIdx,
    lang::c_family::conversions::library_type,
    overload::{
        arg_type::{ArgType, Shape},
        candidates::parameters,
        rank::ConversionRank,
    },
    types::ty::{Base, Ty, UNKNOWN},
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The type of the result of an operator: what an overloaded one returns.
    pub(super) fn type_of_overloaded_operator(&self, file: FileIdx, view: &View, step: RefIdx) -> Ty {
        let operands = self.operands(file, view, step, 0);
        let called = self.overloaded_operator(file, view, step, &operands);
        called.map_or(UNKNOWN, |id| {
            self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, None))
        })
    }

    /// The result of an operator as an argument: of pointer arithmetic, an overloaded operator, or arithmetic on numbers
    /// and enumerators.
    pub(super) fn operation_result(
        &self,
        (file, view): (FileIdx, &View),
        step: RefIdx,
        operands: &[ArgType],
    ) -> ArgType {
        let unknown = ArgType::plain(Shape::Unknown);
        let [left, right] = operands else { return unknown };
        let operator = view.facts.names.get(view.facts.references[step].name);
        let is_pointer = |one: &ArgType| matches!(one.depth, Some(1..));
        match (is_pointer(left), is_pointer(right)) {
            (true, true) if operator == "-" => return library_type("ptrdiff_t"),
            (true, false) => return left.clone(),
            (false, true) if left.is_number() => return right.clone(),
            _ => {}
        }
        if let Some(called) = self.overloaded_operator(file, view, step, operands) {
            return match self.arg_type_of_result(called) {
                generic if generic.shape == Shape::Generic => unknown,
                known => known,
            };
        }
        let built_in = |one: &ArgType| match &one.shape {
            Shape::Named(name) if !one.is_array && !one.is_guess && !is_pointer(one) => Some(name.clone()),
            Shape::Type(id) if self.kind_of(*id) == Some(SymbolKind::Enum) => Some("int".to_owned()),
            _ => None,
        };
        let (left, right) = (built_in(left), built_in(right));
        let result = (self.semantics(file).operator_result_type)(operator, left.as_deref(), right.as_deref());
        result.map_or(unknown, library_type)
    }

    /// The function that an operator calls: a member of the left operand, or a free function that is visible or in the
    /// namespace of an operand's type.
    fn overloaded_operator(&self, file: FileIdx, view: &View, step: RefIdx, given: &[ArgType]) -> Option<SymbolId> {
        let [left, right] = given else { return None };
        let class = |one: &ArgType| match one.shape {
            Shape::Type(id) if !matches!(one.depth, Some(1..)) => Some(id),
            _ => None,
        };
        if class(left).is_none() && class(right).is_none() {
            return None;
        }
        let reference = &view.facts.references[step];
        let operator = view.facts.names.get(reference.name);
        let mut best: Option<(u32, SymbolId)> = None;
        let mut is_decided = true;
        for name in [format!("operator{operator}"), format!("operator {operator}")] {
            if self.defining(&name).is_empty() {
                continue;
            }
            let members = class(left).map_or_else(Vec::new, |own| self.members(own, &name));
            let at = reference.at;
            let mut beside = self.named_beside(At { file, view, at }, &name);
            for own in [class(left), class(right)].into_iter().flatten() {
                let Some(view) = self.view(own.file) else { continue };
                let at = view.facts.symbols[own.symbol].span.start;
                let (file, view) = (own.file, &view);
                beside.extend(self.named_beside(At { file, view, at }, &name));
            }
            let members = members.into_iter().map(|id| (id, &given[1..]));
            let beside = sorted(beside).into_iter().map(|id| (id, given));
            for (id, given) in members.chain(beside) {
                let Some(score) = self.score_of_operator(id, given) else {
                    continue;
                };
                match best {
                    Some((other, _)) if other > score => {}
                    Some((other, known)) if other == score => {
                        is_decided &= self.arg_type_of_result(known) == self.arg_type_of_result(id);
                    }
                    _ => {
                        best = Some((score, id));
                        is_decided = true;
                    }
                }
            }
        }
        best.filter(|_| is_decided).map(|(_, id)| id)
    }

    /// The element type of a class with iterators: `Frames::iterator begin();`.
    pub(super) fn type_of_begin(&self, own: SymbolId, value: &Ty) -> Option<Ty> {
        let returned = self.members(own, "begin").into_iter().map(|id| {
            self.trail.deeper(UNKNOWN, || {
                let returned = self.of_value(id, value);
                returned.unwrap_or_else(|| self.value_of_symbol(id, None))
            })
        });
        let mut returned = returned.filter(|returned| matches!(returned.head, Base::Symbol(_)));
        returned.next()
    }

    /// The free functions of a name that are visible at a place.
    fn named_beside(&self, place: At<'_>, name: &str) -> Vec<SymbolId> {
        let Meaning::Symbols(mut found, _) = self.lookup(place, name, Role::Call) else {
            return Vec::new();
        };
        found.retain(|id| !matches!(self.owner(*id), Base::Symbol(_)));
        found
    }

    /// The mean score of the operands' conversions to a function's parameters, doubled. None if one of them is unproven.
    fn score_of_operator(&self, id: SymbolId, given: &[ArgType]) -> Option<u32> {
        let view = self.view(id.file)?;
        let symbol = &view.facts.symbols[id.symbol];
        let parameters: Vec<&Binding> = parameters(&view, symbol).collect();
        if parameters.len() != given.len() || !symbol.kind.is_function() {
            return None;
        }
        let mut sum = 0;
        for (parameter, given) in parameters.iter().zip(given) {
            let wanted = self.arg_type_of_parameter(id.file, &view, symbol, parameter);
            let rank = self.conversion_rank(id.file, given, &wanted)?;
            if rank == ConversionRank::Unproven {
                return None;
            }
            sum += rank.score();
        }
        Some(2 * sum / given.len() as u32)
    }

    /// The declared return type of a function.
    fn arg_type_of_result(&self, id: SymbolId) -> ArgType {
        let view = self.view(id.file);
        let arg_type = view.as_ref().and_then(|view| {
            let symbol = &view.facts.symbols[id.symbol];
            let at = symbol.end_of_signature();
            let (file, ty) = (id.file, view.type_expr(symbol.type_expr()?));
            Some(self.arg_type_of_type(At { file, view, at }, ty))
        });
        arg_type.unwrap_or(ArgType::plain(Shape::Unknown))
    }

    /// The type of `all[0]`: what `operator[]` returns, or an element. A pointer to a class with that operator is not
    /// what has it.
    pub(super) fn subscript_type(&self, file: FileIdx, reference: &Reference, on: Ty) -> Ty {
        let is_pointer = || match reference.on {
            Qualifier::Value(value) => matches!(self.arg_type_of_value(file, value, 0).depth, Some(1..)),
            _ => false,
        };
        match self.member_result_type(&on, &["operator[]", "operator []"]) {
            Some(_) if is_pointer() => on,
            Some(given) => given,
            None => self.indexed(on),
        }
    }
}
