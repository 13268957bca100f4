//! The types of values.

use syntax::{Context, NameId, Reference, Symbol, SymbolKind};

use crate::lang::{Language, Semantics};
use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    infer::contextual::Which,
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};

/// The types of values.
pub(crate) trait InferRules: Language {
    /// The type of a parameter of a callback that is passed one value after the other, where it may take a value apart.
    fn spread_element(&self, _element: &Ty, _nth: usize) -> Option<Ty> {
        None
    }

    /// How many type arguments a path in the text of a type has, where that tells types of one name apart.
    fn written_arity(&self, _: &str, _: &str) -> usize {
        0
    }

    /// Whether a type is another name of the type that it is declared with.
    fn is_alias(&self, resolver: &Resolver<'_>, id: SymbolId) -> bool {
        resolver.kind_of(id) == Some(SymbolKind::Type)
    }

    /// The type of the variable of a loop over a value; binding and value by their places in the file's lists.
    fn loop_variable(&self, resolver: &Resolver<'_>, place: At<'_>, _binding: u32, value: u32) -> Ty {
        let iterable = resolver.value(place.file, value);
        match resolver.semantics(place.file).has_function_types {
            true => resolver.each_of(iterable),
            false => self.iterated_type(resolver, iterable),
        }
    }

    /// The type of a use that leads out of the workspace, where that is another than the library's.
    fn foreign_value(&self, _: &Reference) -> Option<Ty> {
        None
    }

    /// Whether a name of a function calls it, so that its value is the function's result: `shape.area`.
    fn calls_without_parentheses(&self) -> bool {
        false
    }

    /// The type of a call of a value whose type is the library's.
    fn type_of_called_library_value(&self, _: &Resolver<'_>, ty: Ty) -> Ty {
        ty
    }

    /// The type of an expression that the language itself defines, asked before anything else; with the type of its
    /// receiver.
    fn built_in_value(&self, _: &Resolver<'_>, _: At<'_>, _reference: u32, _on: Option<&Ty>) -> Option<Ty> {
        None
    }

    /// The type of a local name that has neither a type nor a value: a parameter to which a framework gives a value by its
    /// name, a name in a pattern.
    fn undeclared_type(&self, _: &Resolver<'_>, _: At<'_>, _name: &str) -> Option<Ty> {
        None
    }

    /// The type of a variable that a test has found to be of a library's type.
    fn narrowed_to_library(&self, _: &Resolver<'_>, _: At<'_>, _binding: u32, known: Ty) -> Ty {
        known
    }

    /// The type of what a block binds that is entered with a value.
    fn entered_type(&self, _: &Resolver<'_>, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of a field that is read, where the value in the field decides that.
    fn read_type(&self, _: &Resolver<'_>, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of a part of a value by a constant index.
    fn subscript(&self, _: &Resolver<'_>, _on: &Ty, _nth: usize) -> Option<Ty> {
        None
    }

    /// The type of one of several targets that a value is unpacked to, or each of its elements by a loop.
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

    /// The type of an element of a value whose type is a definition.
    fn element_type(&self, _: &Resolver<'_>, _own: SymbolId, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of `value[0]`.
    fn subscript_type(&self, resolver: &Resolver<'_>, _: FileIdx, _: &Reference, value: Ty) -> Ty {
        resolver.indexed(value)
    }

    /// The type of a loop's variable, by that of the value that it iterates over.
    fn iterated_type(&self, resolver: &Resolver<'_>, value: Ty) -> Ty {
        resolver.element_of(value)
    }

    /// The type of what a macro expands to where it is used.
    fn expansion_type(&self, _: &Resolver<'_>, _: At<'_>, _reference: u32, _macros: &[SymbolId]) -> Option<Ty> {
        None
    }

    /// The type of what an index gives of such a value.
    fn indexed_type(&self, _: &Resolver<'_>, _own: SymbolId, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type parameters of a definition that declares none in brackets.
    fn type_variables(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<String> {
        Vec::new()
    }

    /// Whether a name is what a method calls the type of its receiver.
    fn is_receiver_type(&self, _: &View, _: &Symbol, _name: &str) -> bool {
        false
    }

    /// The type of `this` where that is not the enclosing type.
    fn type_of_this(&self, _: &Resolver<'_>, _: At<'_>) -> Option<Ty> {
        None
    }

    /// The type that a test around a place has given to a member that is named without its receiver.
    fn narrowed_member(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference) -> Option<Ty> {
        None
    }

    /// The type of a call of a library function that no table describes. The receiver's type is given, if it has one.
    fn library_call_type(&self, _: &Resolver<'_>, _: At<'_>, _: u32, _: Option<&Ty>) -> Option<Ty> {
        None
    }

    /// The type of a field of a library type that has the name of a method in `library_results`.
    fn library_field_type(&self, _: &str, _: &Ty) -> Option<Ty> {
        None
    }

    /// Whether such a type may have a member of a type that is embedded in it.
    fn may_embed_member(&self, _text: &str, _name: &str) -> bool {
        false
    }

    /// The type that a type is defined as, with the type arguments of that, if it has elements.
    fn underlying_type(&self, _: &Resolver<'_>, _own: SymbolId, _arguments: &[Ty]) -> Option<Ty> {
        None
    }

    /// The type of a definition that makes a new type of another, whose type is given. None where it is an alias of that.
    fn defined_type(&self, _: SymbolId, _: &Symbol, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of a constant that has neither a type nor a value of its own.
    fn implied_constant(&self, _: &Resolver<'_>, _: SymbolId, _: &Symbol) -> Option<Ty> {
        None
    }

    /// The type of a rest parameter whose written type is given.
    fn rest_parameter(&self, written: Ty) -> Ty {
        written
    }

    /// The type of a name that is given a value together with others, at its place among them, or an item of the value.
    fn destructured_part(&self, resolver: &Resolver<'_>, value: Ty, nth: Option<usize>) -> Ty {
        match value.head {
            Base::Symbol(own) if nth.is_none() => self.iterator_item(resolver, own).unwrap_or(value),
            _ => value,
        }
    }

    /// What may stand between the name of a function or type and its first type argument: a bracket, and marks.
    fn type_argument_openers(&self, _is_call: bool) -> &'static [&'static str] {
        &["<"]
    }

    /// What a type parameter must be, by all that says so. The binding is where one of those is.
    fn type_parameter_bounds(&self, _: &Resolver<'_>, _: At<'_>, _binding: u32) -> Option<Ty> {
        None
    }

    /// The type of what a type's values yield when they are iterated.
    fn iterator_item(&self, _: &Resolver<'_>, _own: SymbolId) -> Option<Ty> {
        None
    }

    /// The type of what a call passes to the function that it is given.
    fn callback_parameter(&self, _: &Resolver<'_>, _: At<'_>, _call: u32) -> Option<Ty> {
        None
    }

    /// The type of a call of a function that is not in the workspace, before all that is guessed of such.
    fn unresolved_call(&self, _: &Resolver<'_>, _: At<'_>, _call: u32) -> Option<Ty> {
        None
    }

    /// The type of a call without a receiver whose function nobody wrote, because the compiler or a library makes it.
    fn generated_function(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference) -> Option<Ty> {
        None
    }

    /// The type of a use whose name has a meaning of its own in the language.
    fn type_of_use(&self, _: &Resolver<'_>, _: At<'_>, _index: u32, _receiver: Option<&Ty>) -> Option<Ty> {
        None
    }

    /// The type of a member of a workspace type that is no definition.
    fn type_of_undeclared(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Option<Ty> {
        None
    }

    /// The type of a definition whose declared type is not known.
    fn instead_of_unknown(&self, _: &Resolver<'_>, _: SymbolId) -> Option<Ty> {
        None
    }

    /// Whether a function without a declared result returns an object that has members.
    fn returns_object(&self, _: &View, _: &Symbol) -> bool {
        false
    }

    /// Whether definitions that a use means are of different alternatives of its receiver's type, so that its type is that
    /// of any of them.
    fn are_alternatives(&self, _: &Resolver<'_>, _: &[SymbolId]) -> bool {
        false
    }

    /// The type of a parameter of a callback, by what the called function of the library passes.
    fn callback_argument(&self, _: &Resolver<'_>, _: FileIdx, _call: u32, _nth: usize) -> Option<Ty> {
        None
    }

    /// The type of a parameter of a callback, by where it stands: under a key of the object in a context, or in the context.
    fn contextual_parameter(
        &self,
        _: &Resolver<'_>,
        _: At<'_>,
        (_key, _context): (Option<NameId>, Context),
        _: Which,
    ) -> Option<Ty> {
        None
    }

    /// The types that components of a user interface take, for an element that lists their attributes: `<Box dense />`. None
    /// if the call is no element.
    fn taken_by_element(&self, _: &Resolver<'_>, _: At<'_>, _call: u32, _: &[SymbolId]) -> Option<Vec<Ty>> {
        None
    }
}

impl InferRules for Semantics {}
