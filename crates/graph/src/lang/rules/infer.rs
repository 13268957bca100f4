//! The types of values.

use syntax::{BindingIdx, Context, NameId, RefIdx, Reference, Symbol, SymbolKind, TypeRef};

use crate::lang::{Language, Semantics};
use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    infer::contextual::ParameterIndex,
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};

/// The types of values.
pub(crate) trait InferRules: Language {
    /// The type of a parameter of a callback that takes the parts of an element: `pairs.forEach { key, value in .. }`.
    fn element_part(&self, _element: &Ty, _nth: usize) -> Option<Ty> {
        None
    }

    /// Whether types of one name differ by the number of their type arguments.
    fn distinguishes_arity(&self) -> bool {
        false
    }

    /// Whether a definition with a declared type is an alias of that type: `typealias Shapes = List<Shape>`.
    fn is_alias(&self, resolver: &Resolver<'_>, id: SymbolId) -> bool {
        resolver.kind_of(id) == Some(SymbolKind::Type)
    }

    /// The type of the variable of a loop: `for shape in shapes`. The binding is the variable, the reference the iterated
    /// value.
    fn loop_variable(&self, resolver: &Resolver<'_>, place: At<'_>, _binding: BindingIdx, value: RefIdx) -> Ty {
        let iterable = resolver.value(place.file, value);
        match resolver.semantics(place.file).has_function_types {
            true => resolver.each_of(iterable),
            false => resolver.element_of(iterable),
        }
    }

    /// The type of a use of a library definition, where that is not just a library type: in PHP it may be any.
    fn library_value(&self, _: &Reference) -> Option<Ty> {
        None
    }

    /// Whether the name of a function alone is a call: `shape.area`.
    fn calls_without_parentheses(&self) -> bool {
        false
    }

    /// The type of an expression by a rule of this language alone, asked before the common ones: `await`, `zip(..)`,
    /// `new static`. The index is that of the reference, the type that of its receiver.
    fn special_type(&self, _: &Resolver<'_>, _: At<'_>, _index: RefIdx, _receiver: Option<&Ty>) -> Option<Ty> {
        None
    }

    /// The type of a local name that has neither a declared type nor a value: a fixture, a name in `case .circle(let center)`.
    fn undeclared_type(&self, _: &Resolver<'_>, _: At<'_>, _name: &str) -> Option<Ty> {
        None
    }

    /// The type of a variable after a test for a library type: `isinstance(shapes, list)`.
    fn narrowed_to_library(&self, _: &Resolver<'_>, _: At<'_>, _binding: BindingIdx, known: Ty) -> Ty {
        known
    }

    /// The type that a `with` statement binds, by that of its value: what `__enter__` returns.
    fn entered_type(&self, _: &Resolver<'_>, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type that reading a field of a type results in, if the field is a descriptor: what `__get__` returns.
    fn read_type(&self, _: &Resolver<'_>, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of an item by its constant index: `pair[1]`.
    fn constant_subscript(&self, _: &Resolver<'_>, _on: &Ty, _nth: usize) -> Option<Ty> {
        None
    }

    /// The type of one target of an unpacking: `a, b = pair`, or `for a, b in pairs`.
    fn unpacked(&self, _: &Resolver<'_>, _whole: &Ty, _nth: usize, _is_loop: bool) -> Option<Ty> {
        None
    }

    /// The type of a component that a value of a class is destructured to, by its number: `val (name, area) = shape`.
    fn component_type(&self, resolver: &Resolver<'_>, whole: &Ty, own: SymbolId, nth: usize) -> Option<Ty> {
        resolver.field_in_head(whole, own, nth)
    }

    /// The type of a component of a pattern with a name, by that name and the component's number: `Circle(center, radius)`.
    fn named_component(&self, _: &Resolver<'_>, _: At<'_>, _whole: &Ty, (_pattern, _nth): (&str, usize)) -> Option<Ty> {
        None
    }

    /// The type that iterating over a value of a class results in: what `__iter__` says.
    fn element_type(&self, _: &Resolver<'_>, _own: SymbolId, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of `value[index]`, by that of the value.
    fn subscript_type(&self, resolver: &Resolver<'_>, _: FileIdx, _: &Reference, value: Ty) -> Ty {
        resolver.indexed(value)
    }

    /// The type of a macro call, by the macro's body.
    fn expansion_type(&self, _: &Resolver<'_>, _: At<'_>, _reference: RefIdx, _macros: &[SymbolId]) -> Option<Ty> {
        None
    }

    /// The type of `value[index]` for a value of a class: what `__getitem__` returns.
    fn indexed_type(&self, _: &Resolver<'_>, _own: SymbolId, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type parameters of a definition that declares none in brackets: `T = TypeVar("T")`.
    fn type_variables(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<String> {
        Vec::new()
    }

    /// Whether a name in a method's signature is the type of the receiver: `S` in `def copy(self: S) -> S`.
    fn is_receiver_type(&self, _: &View, _: &Symbol, _name: &str) -> bool {
        false
    }

    /// The type of `this` where it is not the enclosing type: in `shape.apply { this.area() }`.
    fn type_of_this(&self, _: &Resolver<'_>, _: At<'_>) -> Option<Ty> {
        None
    }

    /// The type of a member that is named without `this`, after a test of it: `if (shape is Circle) shape.radius()`.
    fn narrowed_member(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference) -> Option<Ty> {
        None
    }

    /// Whether an anonymous type may have a member of a type that it embeds: `struct { Shape }`.
    fn may_embed_member(&self, _: TypeRef<'_>, _name: &str) -> bool {
        false
    }

    /// The type that a type is defined as, with that one's type arguments, if it has elements: `type Shapes []Shape`.
    fn underlying_type(&self, _: &Resolver<'_>, _own: SymbolId, _arguments: &[Ty]) -> Option<Ty> {
        None
    }

    /// The type of a definition that makes a new type of another, which is given: `type Meters float64`. None if it is an
    /// alias.
    fn defined_type(&self, _: SymbolId, _: &Symbol, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of a constant that has neither a type nor a value: a repeated `iota`.
    fn implied_constant(&self, _: &Resolver<'_>, _: SymbolId, _: &Symbol) -> Option<Ty> {
        None
    }

    /// The type of a rest parameter in its function, by the declared one.
    fn rest_parameter(&self, written: Ty) -> Ty {
        written
    }

    /// The type of a target of an assignment to several, by its number: `shape, ok := shapes[name]`.
    fn destructured_part(&self, resolver: &Resolver<'_>, value: Ty, nth: Option<usize>) -> Ty {
        match value.head {
            Base::Symbol(own) if nth.is_none() => self.iterator_item(resolver, own).unwrap_or(value),
            _ => value,
        }
    }

    /// The bounds of a type parameter, of which the binding declares one: `where T: Area`.
    fn type_parameter_bounds(&self, _: &Resolver<'_>, _: At<'_>, _binding: BindingIdx) -> Option<Ty> {
        None
    }

    /// The type that iterating over a type's values results in: `type Item = Shape`.
    fn iterator_item(&self, _: &Resolver<'_>, _own: SymbolId) -> Option<Ty> {
        None
    }

    /// The type of the parameter of a closure that is an argument of a call.
    fn callback_parameter(&self, _: &Resolver<'_>, _: At<'_>, _call: RefIdx) -> Option<Ty> {
        None
    }

    /// The type of a call of a function that is not in the workspace, asked before all guesses: `text.parse::<Shape>()`.
    fn unresolved_call(&self, _: &Resolver<'_>, _: At<'_>, _call: RefIdx) -> Option<Ty> {
        None
    }

    /// The type of a call without a receiver of a function that a macro or derive makes: `Shape::default()`.
    fn generated_function(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference) -> Option<Ty> {
        None
    }

    /// The type of a member of a workspace type that is no definition: a key of an object that a function returns.
    fn type_of_undeclared(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Option<Ty> {
        None
    }

    /// The type of a definition whose declared type is not known, as by its value.
    fn type_without_declared(&self, _: &Resolver<'_>, _: SymbolId) -> Option<Ty> {
        None
    }

    /// Whether a function without a declared result returns an object that has members.
    fn returns_object(&self, _: &View, _: &Symbol) -> bool {
        false
    }

    /// Whether the definitions that a use means are members of alternatives (`Circle | Square`), so that it has any of their
    /// types.
    fn are_alternatives(&self, _: &Resolver<'_>, _: &[SymbolId]) -> bool {
        false
    }

    /// The type of a parameter of a callback, by the library function that takes it: `shapes.map((shape) => shape.area())`.
    fn callback_argument(&self, _: &Resolver<'_>, _: FileIdx, _call: RefIdx, _nth: usize) -> Option<Ty> {
        None
    }

    /// The type of a parameter of a callback by its context: it is the value of a key of an object, or an argument.
    fn contextual_parameter(
        &self,
        _: &Resolver<'_>,
        _: At<'_>,
        (_key, _context): (Option<NameId>, Context),
        _: ParameterIndex,
    ) -> Option<Ty> {
        None
    }

    /// The types of the properties of the components that an element may be of: `<Box dense />`. None if the call is no
    /// element.
    fn element_properties(&self, _: &Resolver<'_>, _: At<'_>, _call: RefIdx, _: &[SymbolId]) -> Option<Vec<Ty>> {
        None
    }
}

impl InferRules for Semantics {}
