//! Expressions with a type that only ECMAScript knows: `require(..)`, `prototype`, `value as Readonly<Shape>`, callbacks of
//! arrays.

use syntax::{ArgValue, ImportIdx, Qualifier, RefIdx, Role, SymbolKind};

use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    infer::containers::list_element,
    lang::ecmascript::{class_objects::CLASS_MEMBER, type_operators::is_filter},
    types::ty::{Base, Ty, UNKNOWN},
    view::{SymbolId, View},
};

/// Functions that return a container of their first argument: Vue's `ref` and `shallowRef`, React's `useRef` and `useState`.
const WRAPPING: &[&str] = &["ref", "shallowRef", "useRef", "useState"];

/// Methods of arrays and promises that call a function with one of the values, by which of the function's parameters get it.
const CALLBACKS: &[(&str, &[usize])] = &[
    ("every", &[0]),
    ("filter", &[0]),
    ("find", &[0]),
    ("findIndex", &[0]),
    ("findLast", &[0]),
    ("findLastIndex", &[0]),
    ("flatMap", &[0]),
    ("forEach", &[0]),
    ("map", &[0]),
    ("reduce", &[1]),
    ("reduceRight", &[1]),
    ("some", &[0]),
    ("sort", &[0, 1]),
    ("then", &[0]),
    ("toSorted", &[0, 1]),
];

impl Resolver<'_> {
    /// The type of a use whose name has a meaning of its own.
    pub(super) fn type_of_special_use(&self, place: At<'_>, index: RefIdx, receiver: Option<&Ty>) -> Option<Ty> {
        let At { file, view, at } = place;
        let facts = &view.facts;
        let reference = &facts.references[index];
        let is_found = || self.meaning(file, index).is_found();
        match (facts.names.get(reference.name), reference.role) {
            // `this.props` in a class component
            ("props", Role::Member) if reference.on == Qualifier::This => {
                if let Base::Symbol(own) = self.own_type(place) {
                    return self.props_of(own);
                }
                None
            }
            // `require("./runner").Runner`
            ("require", Role::Import) => {
                let first = facts.imports.partition_point(|import| import.at < at);
                let here = ImportIdx::enumerate_from(&facts.imports, first);
                let mut whole = here.take_while(|(_, import)| import.at == at);
                let whole = whole.find(|(_, import)| import.item.is_none());
                Some(whole.map_or(UNKNOWN, |(import, _)| self.ty_of(place, &self.import(file, import))))
            }
            // `Shape.prototype.draw`, `shape.constructor.make`: static and instance members are told apart by `of_receiver`.
            ("prototype" | CLASS_MEMBER, Role::Member) => receiver
                .filter(|receiver| matches!(receiver.head, Base::Symbol(_)))
                .cloned(),
            // `value as Readonly<Shape>`
            (name, Role::Type) if (self.semantics(file).wrappers.contains(&name) || is_filter(name)) && !is_found() => {
                let (arguments, _) = self.behind(file, view, index, &[]);
                Some(arguments.into_iter().next().unwrap_or(UNKNOWN))
            }
            ("exports", Role::Variable | Role::Member) if is_module_exports(view, index) && !is_found() => {
                Some(Ty::new(Base::Files(vec![file])))
            }
            // `useRef<Shape>(null)`
            (_, Role::Call) if !is_found() => self.library_result_by_type_arguments(file, index),
            _ => None,
        }
    }

    /// The type of a call of an external function that keeps its first argument: `useRef(shape)`.
    pub(super) fn wrapped_argument(&self, place: At<'_>, index: RefIdx) -> Option<Ty> {
        let At { file, view, .. } = place;
        let called = &view.facts.references[index];
        if !WRAPPING.contains(&view.facts.names.get(called.name)) || self.meaning(file, index).is_found() {
            return None;
        }
        let Some(ArgValue::Value(value)) = view.facts.given(index).next() else {
            return None;
        };
        let ty = self.trail.deeper(UNKNOWN, || self.value(file, value));
        ty.is_known().then(|| Ty::list(vec![ty]))
    }

    /// The type of a callback's parameter in a call of a method of an array or promise: `shapes.map((shape) => ..)`.
    pub(super) fn element_for_callback(&self, file: FileIdx, call: RefIdx, nth: usize) -> Option<Ty> {
        let view = self.view(file)?;
        let facts = &view.facts;
        let called = &facts.references[call];
        let Qualifier::Value(on) = called.on else { return None };
        let name = facts.names.get(called.name);
        let gets_value = |(method, which): &(&str, &[usize])| *method == name && which.contains(&nth);
        if !CALLBACKS.iter().any(gets_value) {
            return None;
        }
        let mut list = self.value(file, on);
        // Elements of an external list are external. A variable without a type may hold anything.
        let is_external = list == Ty::new(Base::External) && facts.references[on].role != Role::Variable;
        if let Base::Symbol(own) = list.head
            && self.has_other_supertypes(own)
        {
            list = self.as_library_base(own);
        }
        // Of a map its values.
        if let [_, value] = &list.given[..] {
            list.given = vec![value.clone()];
        }
        list_element(&list).or_else(|| is_external.then(|| Ty::new(Base::External)))
    }

    /// Whether definitions of one name are properties, as those of the alternatives of a union are:
    /// `{ kind: "a"; at: Shape } | { kind: "b"; at: Box }`.
    pub(super) fn are_properties(&self, symbols: &[SymbolId]) -> bool {
        let is_property = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Property);
        symbols.iter().all(is_property)
    }

    /// The type of a key of a returned object that is shorthand for a local variable: `return { pool }`.
    pub(super) fn type_of_returned_key(&self, own: SymbolId, name: &str) -> Option<Ty> {
        let view = self.view(own.file)?;
        let symbol = &view.facts.symbols[own.symbol];
        if symbol.kind.is_type() {
            return None;
        }
        let value = view.returned_member(symbol, name)?;
        let is_both = view.is_shorthand(view.facts.references[value].at);
        let value = is_both.then(|| self.trail.deeper(UNKNOWN, || self.value(own.file, value)));
        value.filter(|value| *value != UNKNOWN)
    }
}

/// `exports`, `module.exports`.
fn is_module_exports(view: &View, index: RefIdx) -> bool {
    let facts = &view.facts;
    match facts.references[index].on {
        Qualifier::Nothing => true,
        Qualifier::Value(on) => facts.names.get(facts.references[on].name) == "module",
        _ => false,
    }
}

/// The type of a value of an array pattern: `const [first, second] = shapes`. Entries of a map count as what is in them.
pub(super) fn part_of_array(whole: &Ty, nth: usize) -> Ty {
    match whole.head {
        Base::Symbol(_) if nth == 0 => UNKNOWN,
        Base::Symbol(_) => whole.clone(),
        _ => match whole.given.get(nth) {
            Some(part) => part.clone(),
            None => Ty::holding(Base::Unknown, whole.rest.clone()),
        },
    }
}
