//! Expressions that the language or its library defines: `a, b`, `await job`, `zip(lefts, rights)`, `raises(Failure)`.

use syntax::{ArgValue, RefIdx, Role, Step};

use crate::{
    engine::resolver::{At, Resolver},
    infer::containers::tuple_type,
    lang::python::protocols::awaited_type,
    types::ty::{Base, Ty},
};

/// Functions of unittest and pytest whose result holds the exception that was raised: `with raises(Failure) as caught`.
const CATCHING: &[&str] = &["assertRaises", "assertRaisesRegex", "assertWarns", "raises", "warns"];

pub(super) fn built_in_value(resolver: &Resolver<'_>, place: At<'_>, index: RefIdx, on: Option<&Ty>) -> Option<Ty> {
    let facts = &place.view.facts;
    let reference = &facts.references[index];
    match reference.step {
        Some(Step::Tuple) => return Some(tuple_type(resolver.argument_types(place, index))),
        Some(Step::Await) => return awaited_type(resolver, on?),
        Some(_) => return None,
        None => {}
    }
    let name = facts.names.get(reference.name);
    let is_zip = on.is_none() && name == "zip";
    let is_known = reference.role == Role::Call && (is_zip || CATCHING.contains(&name));
    if !is_known || resolver.meaning(place.file, index).is_found() {
        return None;
    }
    if is_zip {
        let iterables = resolver.argument_types(place, index).into_iter();
        let elements = iterables.map(|iterable| resolver.element_of(iterable));
        return Some(Ty::list(vec![tuple_type(elements.collect())]));
    }
    match facts.given(index).next() {
        Some(ArgValue::Value(exception)) => {
            let types = resolver.value(place.file, exception).heads().collect();
            Some(Ty::holding(Base::External, types))
        }
        _ => None,
    }
}
