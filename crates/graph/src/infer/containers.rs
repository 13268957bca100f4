//! Types of parts of values: elements of lists and maps, values inside options, tuple components, parts bound by
//! patterns.

use syntax::{ArgValue, BindingIdx, Qualifier, RefIdx, Reference, Role, SymbolKind, TypeKind, TypeRef};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    infer::symbol::MAX_VALUES,
    lang::{Library, LibraryResult},
    types::{
        ty::{Base, Ty, UNKNOWN},
        type_names::last_part,
    },
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The first type argument of a value's declared type, if that type is one of `holders`: `Circle` for
    /// `Option<Circle>`.
    pub(crate) fn held(&self, file: FileIdx, value: RefIdx, holders: &[&str]) -> Option<Ty> {
        if holders.is_empty() {
            return None;
        }
        let view = self.view(file)?;
        let reference = view.facts.references.get(value.as_usize())?;
        let library = &self.semantics(file).library;
        let used = At {
            file,
            view: &view,
            at: reference.at,
        };
        self.trail.deeper(None, || match self.meaning(file, value) {
            Meaning::Symbols(symbols, _) => symbols.iter().find_map(|id| {
                let view = self.view(id.file)?;
                let symbol = &view.facts.symbols[id.symbol];
                let place = At::signature(id.file, &view, symbol);
                let inner = first_argument(view.type_expr(symbol.type_expr()?), holders)?;
                let known = self.type_from(place, inner);
                if !known.is_known() && reference.role == Role::Call && symbol.kind.is_function() {
                    let on = match reference.on {
                        Qualifier::Value(on) => Some(self.value(file, on)),
                        _ => None,
                    };
                    return self
                        .written_in_call(*id, inner, on.as_ref(), file, value)
                        .or(Some(known));
                }
                if known == UNKNOWN && symbol.kind == SymbolKind::Field {
                    return Some(self.parameter(used, inner));
                }
                Some(known)
            }),
            Meaning::Local(index) => {
                let binding = &view.facts.bindings[index];
                let place = At {
                    file,
                    view: &view,
                    at: binding.at,
                };
                match (binding.ty, binding.value) {
                    (Some(ty), _) => {
                        let ty = Some(view.type_expr(ty.expr()?)).filter(|ty| !ty.has_name("_"))?;
                        Some(self.type_from(place, first_argument(ty, holders)?))
                    }
                    (None, Some(value)) => self.held(file, value, holders),
                    _ => None,
                }
            }
            _ => {
                let Qualifier::Value(on) = reference.on else {
                    return None;
                };
                let name = view.facts.names.get(reference.name);
                if library.may_return(name, LibraryResult::Receiver) {
                    self.held(file, on, holders)
                } else if library.may_return(name, LibraryResult::OptionalElement) && holders == library.option_types {
                    self.held(file, on, library.container_types)
                } else {
                    None
                }
            }
        })
    }

    /// The type of a tuple component by its index: `pair.0`.
    pub(crate) fn nth(&self, file: FileIdx, reference: &Reference, nth: usize, on: Ty) -> Ty {
        if let Some(part) = self.rules(file).constant_subscript(self, &on, nth) {
            return part;
        }
        let named = match reference.on {
            Qualifier::Value(value) => self.meaning(file, value),
            _ => Meaning::Unknown,
        };
        let known = match (&named, &on.head) {
            (Meaning::Symbols(symbols, _), _) => symbols.iter().find_map(|id| self.component(*id, nth)),
            _ => None,
        };
        let known = known.or_else(|| match on.head {
            Base::Symbol(own) => self.component(own, nth),
            _ => None,
        });
        let known = known.or_else(|| match on.head {
            Base::External => on.given.get(nth).cloned(),
            _ => None,
        });
        known.unwrap_or_else(|| {
            let own = match on.head {
                Base::Symbol(own) => Some(own),
                _ => None,
            };
            Ty::holding(Base::Unknown, own.into_iter().chain(on.rest).collect())
        })
    }

    /// A component of the tuple type that a definition is declared with: `B` is 1 in `(A, B)`.
    pub(crate) fn component(&self, id: SymbolId, nth: usize) -> Option<Ty> {
        let view = self.view(id.file)?;
        let symbol = &view.facts.symbols[id.symbol];
        let part = nth_part(view.type_expr(symbol.type_expr()?), nth)?;
        let place = At::signature(id.file, &view, symbol);
        Some(self.type_from(place, part))
    }

    /// The type of a `range` variable: of the key (0) or the value (1) in `for key, value := range all`.
    pub(crate) fn range_variable_type(&self, file: FileIdx, value: Option<RefIdx>, index: u8) -> Ty {
        let ty = value.map_or(UNKNOWN, |value| self.value(file, value));
        let ty = self.underlying_type(&ty).unwrap_or(ty);
        match index {
            1 => self.indexed(ty),
            _ => key_of(&ty),
        }
    }

    /// The type of a name bound by a pattern: a component of the variant that the pattern names (`Circle(center)`), or
    /// of the matched value.
    pub(crate) fn part(&self, place: At<'_>, pattern: &str, nth: Option<usize>, value: Option<RefIdx>) -> Ty {
        let named = match pattern.rsplit_once("::") {
            Some((outer, last)) => self.at_path(place, outer, last, Role::Call),
            None if pattern.is_empty() => Meaning::Unknown,
            None => self.lookup(place, pattern, Role::Call),
        };
        if let (Meaning::Symbols(symbols, _), Some(nth)) = (named, nth) {
            return symbols
                .iter()
                .find_map(|id| self.component(*id, nth))
                .unwrap_or(UNKNOWN);
        }
        let Some(value) = value else { return UNKNOWN };
        if let (true, Some(nth), Meaning::Symbols(symbols, _)) =
            (pattern.is_empty(), nth, self.meaning(place.file, value))
            && let Some(known) = symbols.iter().find_map(|id| self.component(*id, nth))
        {
            return known;
        }
        let library = &self.semantics(place.file).library;
        let held = match (pattern, nth) {
            ("", None) => self.held(place.file, value, library.container_types),
            (pattern, _) if library.option_patterns.contains(&pattern) => {
                self.held(place.file, value, library.option_types)
            }
            _ => None,
        };
        held.unwrap_or_else(|| {
            let ty = self.value(place.file, value);
            match pattern.is_empty() {
                true => self.rules(place.file).destructured_part(self, ty, nth),
                false => ty,
            }
        })
    }

    /// The type of a library container in a local variable, inferred from what is inserted:
    /// `const all = []; all.push(shape)`.
    pub(crate) fn container_type_by_inserts(&self, file: FileIdx, view: &View, index: BindingIdx) -> Option<Ty> {
        let inserting = self.semantics(file).library.inserting;
        let facts = &view.facts;
        let binding = &facts.bindings[index];
        let calls = inserting.iter().flat_map(|name| view.references_named(name)).copied();
        let mut calls = calls.filter(|call| {
            let Qualifier::Value(on) = facts.references[*call].on else {
                return false;
            };
            let on = &facts.references[on];
            let is_own = || view.binding_at(facts.names.get(on.name), on.at).map(|(at, _)| at) == Some(index);
            on.name == binding.name && on.on == Qualifier::Nothing && is_own()
        });
        calls.by_ref().take(MAX_VALUES).find_map(|call| {
            let mut given: Vec<ArgValue> = facts.given(call).collect();
            given.extend(view.also(facts.references[call].at).map(ArgValue::Value));
            let (ArgValue::Value(value) | ArgValue::Address(value)) = *given.last()? else {
                return None;
            };
            let held = self.trail.deeper(UNKNOWN, || self.value(file, value));
            let mut rest: Vec<SymbolId> = held.heads().collect();
            rest.extend(&held.rest);
            let given = match given.len() {
                1 => vec![held],
                _ => vec![UNKNOWN, held],
            };
            let head = Base::External;
            (!rest.is_empty()).then(|| Ty {
                given,
                ..Ty::holding(head, rest)
            })
        })
    }

    /// The type of a list literal. `first` is the type of its first element; the facts keep the other elements under
    /// the offset of the literal's end, which is `place.at`.
    pub(crate) fn list_literal_type(&self, place: At<'_>, first: Ty) -> Ty {
        let others = place.view.also(place.at).take(MAX_VALUES);
        let one = others.fold(first, |known, other| {
            known.or_new(self.trail.deeper(UNKNOWN, || self.value(place.file, other)))
        });
        let mut rest: Vec<SymbolId> = one.heads().collect();
        rest.extend(&one.rest);
        let head = Base::External;
        let given = vec![one];
        Ty {
            given,
            ..Ty::holding(head, rest)
        }
    }

    /// The type of a map literal, of which only the value type is inferred. Arguments as for `list_literal_type`.
    pub(crate) fn map_literal_type(&self, place: At<'_>, first: Ty) -> Ty {
        let mut given = self.list_literal_type(place, first).given;
        given.insert(0, UNKNOWN);
        Ty {
            given,
            ..Ty::new(Base::External)
        }
    }

    /// The types of the arguments of a call, or of the operands of a step.
    pub(crate) fn argument_types(&self, place: At<'_>, index: RefIdx) -> Vec<Ty> {
        let given = place.view.facts.given(index).take(MAX_VALUES);
        let types = given.map(|given| match given {
            ArgValue::Value(value) => self.trail.deeper(UNKNOWN, || self.value(place.file, value)),
            ArgValue::This => self.this(place),
            ArgValue::Literal(_) | ArgValue::Written(_) => Ty::new(Base::External),
            _ => UNKNOWN,
        });
        types.collect()
    }

    /// The underlying type of a defined type, if it has elements: `type Tokens []*Token`.
    fn underlying_type(&self, ty: &Ty) -> Option<Ty> {
        let Base::Symbol(own) = ty.head else { return None };
        self.rules(own.file).underlying_type(self, own, &ty.given)
    }

    /// The type of an indexed value: `all[0]`.
    pub(crate) fn indexed(&self, ty: Ty) -> Ty {
        if let Some(underlying) = self.underlying_type(&ty) {
            return self.indexed(underlying);
        }
        match (&ty.head, &ty.rest[..]) {
            (Base::External, _) if matches!(&ty.given[..], [_, value] if value.is_known() || !value.given.is_empty()) => {
                ty.given[1].clone()
            }
            // The element type is unknown, so it may be a type of this workspace: `External` would be wrong.
            (Base::External, []) if matches!(&ty.given[..], [one] if *one == UNKNOWN) => UNKNOWN,
            (Base::External | Base::Unknown, _) => single_element(ty),
            // A type that declares an indexer: `Node this[int i]`.
            (Base::Symbol(own), _) if self.semantics(own.file).indexer.is_some() => {
                let name = self.semantics(own.file).indexer.unwrap_or_default();
                let given = self.members(*own, name).into_iter();
                let mut given = given.map(|id| self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, Some(&ty))));
                given.find(|given| matches!(given.head, Base::Symbol(_))).unwrap_or(ty)
            }
            (Base::Symbol(own), _) => self.rules(own.file).indexed_type(self, *own, &ty).unwrap_or(ty),
            _ => ty,
        }
    }

    /// The result of a library member whose return type is not in the tables: something the receiver contains. Type
    /// arguments are dropped unless the member is known to keep them.
    pub(crate) fn something_of(&self, mut receiver: Ty, library: &Library, name: &str) -> Ty {
        let returns = |result| library.may_return(name, result);
        match &receiver.given[..] {
            [_, values] if returns(LibraryResult::Values) => receiver.given = vec![values.clone()],
            _ if returns(LibraryResult::Values) || returns(LibraryResult::SameElements) => {}
            _ if !library.lists(LibraryResult::SameElements) => {}
            _ => receiver.given.clear(),
        }
        receiver
    }

    /// The element type of a value, as far as it is known.
    pub(crate) fn element_of(&self, ty: Ty) -> Ty {
        if let Some(one) = list_element(&ty) {
            return one;
        }
        if let Base::Symbol(own) = ty.head {
            if let Some(element) = self.rules(own.file).element_type(self, own, &ty) {
                return element;
            }
            // `class Jobs(list[Job])`
            if self.kind_of(own).is_some_and(SymbolKind::has_members)
                && self.has_other_supertypes(own)
                && let Some(one) = list_element(&self.as_library_base(own))
            {
                return one;
            }
        }
        Ty::holding(Base::Unknown, ty.rest)
    }
}

/// The element type of a library list, if its type argument is known.
pub(crate) fn list_element(ty: &Ty) -> Option<Ty> {
    match (&ty.head, &ty.given[..]) {
        (Base::External, [one]) if one.is_known() || *one == Ty::new(Base::External) => Some(one.clone()),
        // A list of tuples.
        (Base::External, [one]) if one.given.len() > 1 => Some(one.clone()),
        // `Generator[Shape, None, None]`
        (Base::External, [one, _, last]) if (one.is_known() || one.given.len() > 1) && *last == UNKNOWN => {
            Some(one.clone())
        }
        _ => None,
    }
}

/// A component of a tuple, which is a library type with several type arguments.
pub(crate) fn part_of_tuple(ty: &Ty, nth: usize) -> Option<Ty> {
    match (&ty.head, &ty.given[..]) {
        (Base::External, [_, _, ..]) => ty.given.get(nth).filter(|part| **part != UNKNOWN).cloned(),
        _ => None,
    }
}

/// The type of a tuple. If all components have the same type it is treated as a list.
pub(crate) fn tuple_type(parts: Vec<Ty>) -> Ty {
    match &parts[..] {
        [first, others @ ..] if first.is_known() && others.iter().all(|other| other == first) => {
            Ty::list(vec![first.clone()])
        }
        _ => Ty {
            given: parts,
            ..Ty::new(Base::External)
        },
    }
}

/// The key type of a library map.
fn key_of(ty: &Ty) -> Ty {
    match (&ty.head, &ty.given[..]) {
        (Base::External, [key, _]) => key.clone(),
        _ => UNKNOWN,
    }
}

/// The element type of a container if there is one candidate for it, or else the type itself: `Shape` for
/// `Promise<Shape>`.
pub(crate) fn single_element(ty: Ty) -> Ty {
    if let (Base::External, [one]) = (&ty.head, &ty.given[..])
        && (one.is_known() || !one.rest.is_empty())
    {
        return one.clone();
    }
    match (&ty.head, &ty.rest[..]) {
        (Base::External | Base::Unknown, [one]) => Ty::new(Base::Symbol(*one)),
        _ => ty,
    }
}

/// An item of a tuple type: `B` is 1 in `(A, B)`. A field of a tuple may have a visibility: `(pub A, B)`.
fn nth_part(ty: TypeRef<'_>, nth: usize) -> Option<TypeRef<'_>> {
    let mut parts = ty.items();
    let part = matches!(ty.kind(), TypeKind::Parenthesized | TypeKind::Tuple).then(|| parts.nth(nth))??;
    let is_visibility = |word: TypeRef<'_>| word.first_name() == Some("pub");
    match part.items().next().is_some_and(is_visibility) && part.is(TypeKind::Sequence) {
        true => part.items().last(),
        false => Some(part),
    }
}

/// The first type argument of a type, if its name is one of `holders`: `A` in `Option<A>`, `Result<A, B>`.
pub(crate) fn first_argument<'t>(ty: TypeRef<'t>, holders: &[&str]) -> Option<TypeRef<'t>> {
    let is_mark = |kind| matches!(kind, TypeKind::Modified | TypeKind::Pointer | TypeKind::Reference);
    let holder = ty.inside_of(is_mark);
    let is_one = holder.path().is_some_and(|path| holders.contains(&last_part(path)));
    is_one.then(|| holder.arguments().next())?
}
