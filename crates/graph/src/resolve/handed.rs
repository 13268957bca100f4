//! What objects and functions are held against that are written where others take them: `run({ retries: 3 })`,
//! `on((event) => ..)`.

use syntax::{Binding, LocalKind, On, Role, Symbol, SymbolKind, TAG};

use super::{
    At, Base, Meaning, Resolver, Rule, Ty, UNKNOWN,
    elements::nth_part,
    generics::StandsFor,
    library::function_type,
    types::{alternatives, is_nested, split_at_top, type_arguments, type_paths},
};
use crate::view::{SymbolId, View};

/// Uses behind a call's name among which keys of an object are looked for.
const MAX_KEYS: usize = 200;

impl Resolver<'_> {
    /// A key of an object, by the type that the object is held against.
    pub(super) fn key_of_literal(&self, place: At<'_>, path: &str, name: &str) -> Meaning {
        let held_against = self.with_all_keys(place, path, self.held_against(place, path));
        match self.member_of(&held_against, name) {
            found @ Meaning::Symbols(_, Rule::Member | Rule::Inherited) => found,
            // `{ name }`: a variable, if nothing else.
            _ if place.view.is_shorthand(place.at) => Meaning::External,
            _ => Meaning::Unknown,
        }
    }

    /// Of several types that an object may be of, those that have all of its keys.
    fn with_all_keys(&self, place: At<'_>, path: &str, ty: Ty) -> Ty {
        if !matches!(ty.head, Base::Any(_)) {
            return ty;
        }
        let facts = &place.view.facts;
        let tags = place.view.bindings_over(TAG, place.at);
        let tags = tags.map(|(_, tags)| tags).max_by_key(|tags| tags.scope.start);
        let begins = match (tags, syntax::taken_by(path)) {
            (Some(tags), _) => tags.scope.start,
            (None, Some((call, _))) => call,
            (None, None) => return ty,
        };
        let ends = tags.map_or(u32::MAX, |tags| tags.scope.end);
        let first = facts.references.partition_point(|reference| reference.at < begins);
        let inside = facts.references[first..].iter().take(MAX_KEYS);
        let inside = inside.take_while(|reference| reference.at < ends);
        let keys = inside.filter(|reference| {
            let is_of = matches!(reference.on, On::Path(of) if facts.names.get(of) == path);
            is_of && reference.role == Role::Member
        });
        let keys: Vec<&str> = keys.map(|reference| facts.names.get(reference.name)).collect();
        let has_all = |own: SymbolId| keys.iter().all(|key| !self.members(own, key).is_empty());
        let ty = only(ty, has_all);
        let tags = tags.and_then(|tags| tags.ty).map_or("", |tags| facts.names.get(tags));
        tags.split(',').fold(ty, |ty, tag| self.tagged(ty, tag, true))
    }

    /// Of several types those whose member can be what a test or a literal says, or anything but that: `.kind=circle`.
    pub(super) fn tagged(&self, ty: Ty, tag: &str, holds: bool) -> Ty {
        let Some((key, values)) = syntax::tag_from(tag) else {
            return ty;
        };
        let values: Vec<&str> = values.collect();
        let is_said = |tag: &String| values.contains(&tag.as_str());
        only(ty, |own| {
            let tags = self.tags_of(own, key);
            tags.is_none_or(|tags| tags.iter().any(|tag| is_said(tag) == holds))
        })
    }

    /// What a member of a type can be, if its type says that by nothing but values: `kind: "circle" | "disc"`.
    fn tags_of(&self, own: SymbolId, key: &str) -> Option<Vec<String>> {
        // A union that is written out has several.
        let members = self.members(own, key);
        let mut tags = Vec::new();
        for member in &members {
            let text = self.symbol(*member, |view, symbol| {
                Some(view.facts.names.get(symbol.ty?).to_owned())
            });
            for value in text
                .flatten()?
                .split('|')
                .map(str::trim)
                .filter(|value| !value.is_empty())
            {
                let bare = value.trim_matches(['"', '\'']);
                // A member of an enumeration has an outer name.
                let is_value = bare.len() < value.len()
                    || matches!(value, "true" | "false")
                    || value.starts_with(|c: char| c.is_ascii_digit())
                    || value.contains('.');
                if !is_value {
                    return None;
                }
                tags.push(bare.to_owned());
            }
        }
        (!members.is_empty()).then_some(tags)
    }

    /// The type that an object is held against.
    pub(super) fn held_against(&self, place: At<'_>, path: &str) -> Ty {
        if let Some(handed) = syntax::handed_from(path) {
            return self.taken_apart(place, handed);
        }
        if let Some((key, of)) = syntax::part_within_from(path) {
            let of = self.trail.deeper(UNKNOWN, || self.held_against(place, of));
            return match key {
                "" => self.indexed(of),
                key => self.type_of_member(&of, key),
            };
        }
        if let Some(at) = syntax::assigned_at(path) {
            let named = place.view.reference_at(at);
            return named.map_or(UNKNOWN, |named| self.value(place.file, named));
        }
        match syntax::taken_by(path) {
            Some((call, nth)) => self.taken_as(place, call, nth),
            None => self.type_from(place, path),
        }
    }

    /// What a member of a type is.
    pub(super) fn type_of_member(&self, of: &Ty, name: &str) -> Ty {
        let Meaning::Symbols(members, Rule::Member | Rule::Inherited) = self.member_of(of, name) else {
            // Any name is a key of a map: `Record<string, Shape>`.
            return match of.head {
                Base::External => self.indexed(of.clone()),
                _ => UNKNOWN,
            };
        };
        let types = members.iter().map(|id| self.value_of_symbol(*id, Some(of)));
        types.reduce(Ty::or).unwrap_or(UNKNOWN)
    }

    /// What a pattern takes apart that a function has for a parameter.
    fn taken_apart(&self, place: At<'_>, handed: (&str, usize, &str)) -> Ty {
        let (key, nth, path) = handed;
        let call = syntax::taken_by(path).and_then(|(call, _)| called_at(place.view, call));
        let known = self.handed_to(place, handed);
        if known != UNKNOWN || !key.is_empty() {
            return known;
        }
        let call = call.filter(|call| self.meaning(place.file, *call).is_told());
        call.map_or(UNKNOWN, |call| self.passed_by(place.file, place.view, call, Some(nth)))
    }

    /// What a function is handed, by the type of the function that is wanted where it stands.
    pub(super) fn handed_to(&self, place: At<'_>, (key, nth, path): (&str, usize, &str)) -> Ty {
        if key.is_empty() {
            let known = match (syntax::taken_by(path), syntax::assigned_at(path)) {
                (Some((call, which)), _) => self.handed_by_call(place, call, which, nth),
                (None, Some(at)) => self.handed_to_assigned(place, at, nth),
                (None, None) => self.parameter_of_type(place, path, nth, &[]),
            };
            let known = known.or_else(|| self.props_handed(place, path).filter(|_| nth == 0));
            return known.unwrap_or(UNKNOWN);
        }
        let Meaning::Symbols(members, _) = self.member_of(&self.held_against(place, path), key) else {
            return UNKNOWN;
        };
        let types = members.iter().filter_map(|id| {
            self.trail.deeper(None, || {
                let view = self.view(id.file)?;
                let symbol = view.facts.symbols.get(id.symbol as usize)?;
                let member = At {
                    file: id.file,
                    view: &view,
                    at: symbol.end_of_signature(),
                };
                match symbol.kind.is_function() {
                    true => self.parameter_type(*id, nth, &[]),
                    false => self.parameter_of_type(member, view.facts.names.get(symbol.ty?), nth, &[]),
                }
            })
        });
        types.reduce(Ty::or).unwrap_or(UNKNOWN)
    }

    /// What is handed to a function that is given to a variable or a member.
    fn handed_to_assigned(&self, place: At<'_>, at: u32, nth: usize) -> Option<Ty> {
        let named = place.view.reference_at(at)?;
        match self.meaning(place.file, named) {
            Meaning::Symbols(symbols, _) => symbols.iter().find_map(|id| {
                let view = self.view(id.file)?;
                let symbol = &view.facts.symbols[id.symbol as usize];
                let file = id.file;
                let declared = At {
                    file,
                    view: &view,
                    at: symbol.end_of_signature(),
                };
                self.parameter_of_type(declared, view.facts.names.get(symbol.ty?), nth, &[])
            }),
            Meaning::Local(binding) => {
                let binding = &place.view.facts.bindings[binding as usize];
                let declared = At {
                    at: binding.at,
                    ..place
                };
                self.parameter_of_type(declared, place.view.facts.names.get(binding.ty?), nth, &[])
            }
            _ => None,
        }
    }

    /// The type of a parameter of a function by the function's type: `(shape: Shape) => void`, or what stands for that.
    /// `known` are parameters of type that stand for something.
    fn parameter_of_type(&self, place: At<'_>, text: &str, nth: usize, known: &[StandsFor]) -> Option<Ty> {
        if self.semantics(place.file).has_function_types
            && let Some(function) = function_type(text)
        {
            let taken = function.takes.get(nth)?;
            let ty = self.type_with(place, taken, known);
            // What is known of one of others is that it is none of ours.
            return (ty != UNKNOWN).then_some(ty);
        }
        alternatives(text, |_| false).into_iter().find_map(|one| {
            let mut arrows = one.match_indices("=>").map(|(at, _)| at);
            if let Some(end) = arrows.find(|end| !is_nested(one, *end)) {
                let parameters = one[..end].trim();
                let parameters = &parameters[behind_generics(parameters)..];
                let parameters = &parameters[parameters.find('(')?..];
                let first = nth_part(parameters, 0).and_then(|first| first.split_once(':'));
                let has_this = first.is_some_and(|(name, _)| name.trim() == "this");
                let parameter = nth_part(parameters, nth + usize::from(has_this))?;
                let (_, ty) = parameter.split_once(':')?;
                let first = type_paths(ty).next().unwrap_or(ty);
                if let Some(bound) = bound_of(one, first) {
                    return Some(self.type_from(place, bound)).filter(Ty::is_known);
                }
                // What stands for any type says nothing.
                let local = place.view.binding_at(first, place.at);
                let is_open = local.is_some_and(|(_, binding)| binding.kind == LocalKind::Generic);
                if is_open && !known.iter().any(|(name, _)| name == first) {
                    return None;
                }
                let ty = self.type_with(place, ty.trim(), known);
                return ty.is_known().then_some(ty);
            }
            let named = type_paths(one).next()?;
            let Meaning::Symbols(symbols, _) = self.lookup(place, named, Role::Type) else {
                return None;
            };
            symbols.iter().find_map(|id| {
                self.trail.deeper(None, || {
                    let view = self.view(id.file)?;
                    let symbol = view.facts.symbols.get(id.symbol as usize)?;
                    let written = symbol.ty.filter(|_| symbol.kind == SymbolKind::Type);
                    let written = written.map(|written| view.facts.names.get(written));
                    let Some(written) = written.filter(|text| !text.starts_with('{')) else {
                        return self.taken_when_called(&self.type_with(place, one, known), nth);
                    };
                    let alias = At {
                        file: id.file,
                        view: &view,
                        at: symbol.end_of_signature(),
                    };
                    let names = self.parameters_of_type(*id).into_iter();
                    let given = type_arguments(one).map(|given| self.type_with(place, given, known));
                    let given: Vec<StandsFor> = names.zip(given).collect();
                    self.parameter_of_type(alias, written, nth, &given)
                })
            })
        })
    }

    /// What a value takes that is called like a function, where its type says so.
    fn taken_when_called(&self, ty: &Ty, nth: usize) -> Option<Ty> {
        let types = ty.heads().flat_map(|own| {
            let called = self.semantics(own.file).call_member;
            let called = called.map_or_else(Vec::new, |name| self.members(own, name));
            let head = Base::Symbol(own);
            let one = Ty { head, ..ty.clone() };
            called.into_iter().filter_map(move |id| {
                let known = self.seen_from(&one, id);
                let taken = self.trail.deeper(None, || self.parameter_type(id, nth, &known));
                taken.filter(Ty::is_known)
            })
        });
        types.reduce(Ty::or)
    }

    /// What a call hands to a function that it is given, as one of that function's parameters.
    fn handed_by_call(&self, place: At<'_>, call: u32, which: usize, nth: usize) -> Option<Ty> {
        let functions = self.functions_called(place, call);
        let index = called_at(place.view, call);
        let types = functions.into_iter().filter_map(|id| {
            self.trail.deeper(None, || {
                let view = self.view(id.file)?;
                if self.kind_of(id) == Some(SymbolKind::Interface) {
                    return self.parameter_of_method(&Ty::new(Base::Symbol(id)), nth);
                }
                let which = self.place_of_argument(place, index, id, which);
                let Parameter::Written(at, text) = nth_parameter(&view, id, which)? else {
                    return None;
                };
                let known = match index.filter(|_| self.semantics(id.file).has_function_types) {
                    Some(index) => self.known_where_called(place, index, id),
                    None => Vec::new(),
                };
                let file = id.file;
                let ty = self.parameter_of_type(At { file, view: &view, at }, text, nth, &known);
                ty.or_else(|| self.parameter_of_only_method(At { file, view: &view, at }, text, nth))
            })
        });
        types.reduce(Ty::or)
    }

    /// What parameters of type stand for in a call, by what it is asked of and given.
    pub(super) fn known_where_called(&self, place: At<'_>, call: u32, id: SymbolId) -> Vec<StandsFor> {
        let reference = &place.view.facts.references[call as usize];
        let on = match reference.on {
            On::Value(value) => Some(self.value(place.file, value)),
            On::This | On::Nothing => Some(self.this(At {
                at: reference.at,
                ..place
            })),
            _ => None,
        };
        let mut known = self.known_in_call(id, on.as_ref(), place.file, call);
        // `fun <T> T.with(..)`
        if let Some(on) = on {
            let owner = self.symbol(id, |view, symbol| Some(view.facts.names.get(symbol.owner?).to_owned()));
            let names = self.parameters_of_type(id);
            if let Some(owner) = owner.flatten().filter(|owner| names.contains(owner)) {
                known.insert(0, (owner, on));
            }
        }
        known.retain(|(_, ty)| *ty != UNKNOWN);
        known
    }

    /// Which parameter takes an argument of a call: what is added to a type takes what it is asked of first.
    fn place_of_argument(&self, place: At<'_>, call: Option<u32>, id: SymbolId, which: usize) -> usize {
        let is_asked = call.is_some_and(|call| {
            let on = place.view.facts.references[call as usize].on;
            matches!(on, On::Value(value) if !self.is_type_named(place, value))
        });
        let is_added = self.symbol(id, |_, symbol| symbol.owner.is_some()) == Some(true);
        let takes_it = is_asked && is_added && self.semantics(id.file).has_parts;
        which.saturating_add(usize::from(takes_it))
    }

    fn is_type_named(&self, place: At<'_>, value: u32) -> bool {
        match self.meaning(place.file, value) {
            Meaning::Symbols(symbols, _) => symbols
                .iter()
                .all(|id| self.kind_of(*id).is_some_and(SymbolKind::is_type)),
            _ => false,
        }
    }

    /// The same of an interface that a function can stand in for.
    fn parameter_of_only_method(&self, place: At<'_>, text: &str, nth: usize) -> Option<Ty> {
        if !self.semantics(place.file).has_functional_interfaces {
            return None;
        }
        self.parameter_of_method(&self.type_from(place, text), nth)
    }

    fn parameter_of_method(&self, ty: &Ty, nth: usize) -> Option<Ty> {
        let Base::Symbol(own) = ty.head else { return None };
        if !self.semantics(own.file).has_functional_interfaces {
            return None;
        }
        let view = self.view(own.file)?;
        let methods = (0..).zip(&view.facts.symbols);
        let mut methods = methods.filter(|(_, one)| one.parent == Some(own.symbol) && one.kind == SymbolKind::Method);
        let (symbol, _) = methods.next()?;
        if methods.next().is_some() || self.kind_of(own) == Some(SymbolKind::Class) {
            return None;
        }
        let file = own.file;
        let id = SymbolId { file, symbol };
        self.parameter_type(id, nth, &self.seen_from(ty, id))
    }

    /// The functions that a call, by where its name is, may mean.
    fn functions_called(&self, place: At<'_>, call: u32) -> Vec<SymbolId> {
        let call = called_at(place.view, call);
        let Some(Meaning::Symbols(symbols, _)) = call.map(|call| self.meaning(place.file, call)) else {
            return Vec::new();
        };
        let constructors = symbols
            .iter()
            .filter(|id| self.kind_of(**id).is_some_and(SymbolKind::has_members));
        let names = self
            .semantics(place.file)
            .constructors
            .iter()
            .copied()
            .chain(["constructor"]);
        let constructors = constructors.flat_map(|id| names.clone().flat_map(|name| self.members(*id, name)));
        symbols.iter().copied().chain(constructors).collect()
    }

    /// The type of what a call takes as one of its arguments.
    pub(super) fn taken_as(&self, place: At<'_>, call: u32, nth: usize) -> Ty {
        let index = called_at(place.view, call);
        // An element is a call without arguments that is given something nonetheless.
        let called = index.map(|index| &place.view.facts.references[index as usize]);
        let is_element = self.semantics(place.file).has_elements && called.is_some_and(|call| call.arguments.is_none());
        let functions = self.functions_called(place, call);
        let functions = match index {
            Some(index) => self.by_labels(functions, place.file, index),
            None => functions,
        };
        let types = functions.into_iter().filter_map(|id| {
            let places = index.and_then(|index| self.labelled(place.file, index, id));
            let nth = places.map_or(Some(nth), |places| places.get(nth).copied())?;
            self.trail.deeper(None, || match is_element {
                true => self.taken_by_component(id),
                false => self.parameter_in_call(id, nth, place, index),
            })
        });
        let known = types.reduce(Ty::or);
        known
            .or_else(|| self.taken_by_value(place, index?, nth))
            .unwrap_or(UNKNOWN)
    }

    /// The same of what is no function that is defined somewhere: a value that is called, by its type; what a list of
    /// others takes, by what it holds.
    fn taken_by_value(&self, place: At<'_>, call: u32, nth: usize) -> Option<Ty> {
        let facts = &place.view.facts;
        let called = &facts.references[call as usize];
        match (self.meaning(place.file, call), called.on) {
            (Meaning::Local(index), On::Nothing) => {
                // What a test says of it does not change what it takes.
                let is_test = |(_, binding): &(u32, &Binding)| {
                    let ty = binding.ty.map(|ty| facts.names.get(ty));
                    ty.is_some_and(|ty| ty.starts_with(['!', '?', '.']))
                };
                let first = Some((index, &facts.bindings[index as usize]));
                let mut all = std::iter::successors(first, |(index, _)| self.beneath(place.view, *index));
                let (index, binding) = all.find(|one| !is_test(one))?;
                let at = binding.at;
                match binding.ty {
                    Some(ty) => self.parameter_of_type(At { at, ..place }, facts.names.get(ty), nth, &[]),
                    None => self.taken_when_called(&self.binding(place.file, index), nth),
                }
            }
            (Meaning::Symbols(symbols, _), _) => symbols.iter().find_map(|id| {
                let view = self.view(id.file)?;
                let symbol = &view.facts.symbols[id.symbol as usize];
                let at = symbol.end_of_signature();
                let written = symbol.ty.filter(|_| !symbol.kind.is_function())?;
                let file = id.file;
                self.parameter_of_type(At { file, view: &view, at }, view.facts.names.get(written), nth, &[])
            }),
            (Meaning::External | Meaning::Missing, On::Value(on)) => {
                let name = facts.names.get(called.name);
                let holder = self.value(place.file, on);
                // `map.TryGetValue(key, out var value)`
                let takes_out = name.starts_with("Try") && self.semantics(place.file).has_parts;
                if takes_out && holder.head == Base::External {
                    return Some(self.indexed(holder)).filter(Ty::is_known);
                }
                let puts = self.semantics(place.file).putting.contains(&name) && holder.head == Base::External;
                puts.then(|| self.indexed(holder)).filter(Ty::is_known)
            }
            _ => None,
        }
    }

    /// The type of a function's parameter in a call, which may say what parameters of type stand for.
    fn parameter_in_call(&self, id: SymbolId, nth: usize, place: At<'_>, call: Option<u32>) -> Option<Ty> {
        let view = self.view(id.file)?;
        let Some((call, Parameter::Written(at, text))) = call.zip(nth_parameter(&view, id, nth)) else {
            return self.parameter_type(id, nth, &[]);
        };
        let is_open = |name: &str| {
            let local = view.binding_at(name, at);
            local.is_some_and(|(_, binding)| binding.kind == LocalKind::Generic)
        };
        // What is given here is no more than its bound: `<T extends Options>(options: T)`.
        let is_whole = self.parameters_of_type(id).iter().any(|name| name == text);
        if is_whole || !type_paths(text).any(is_open) {
            return self.parameter_type(id, nth, &[]);
        }
        let on = match place.view.facts.references[call as usize].on {
            On::Value(on) => Some(self.value(place.file, on)),
            On::This => Some(self.this(place)),
            _ => None,
        };
        let mut known = self.known_in_call(id, on.as_ref(), place.file, call);
        if self.kind_of(id) == Some(SymbolKind::Constructor) {
            let made = self.value(place.file, call);
            known.extend(self.seen_from(&made, id));
        }
        known.retain(|(_, ty)| *ty != UNKNOWN);
        self.parameter_type(id, nth, &known)
    }

    /// The type of a function's parameter, where it is known what some parameters of type stand for.
    pub(super) fn parameter_type(&self, id: SymbolId, nth: usize, known: &[StandsFor]) -> Option<Ty> {
        let view = self.view(id.file)?;
        match nth_parameter(&view, id, nth)? {
            Parameter::Written(at, text) => {
                let file = id.file;
                let place = At { file, view: &view, at };
                Some(self.type_with(place, text, known))
            }
            Parameter::TakenApart(of) => Some(self.value(id.file, of)),
        }
    }
}

/// Of several types that a value may have those that fit, if any does.
fn only(ty: Ty, fits: impl Fn(SymbolId) -> bool) -> Ty {
    let Base::Any(all) = &ty.head else { return ty };
    let (fitting, others): (Vec<SymbolId>, Vec<SymbolId>) = all.iter().partition(|own| fits(**own));
    let head = match fitting[..] {
        [] => return ty,
        [one] => Base::Symbol(one),
        _ => Base::Any(fitting),
    };
    let mut rest = ty.rest;
    rest.retain(|other| !others.contains(other));
    Ty { head, rest, ..ty }
}

/// Where the parameters of type end that a function's type begins with.
fn behind_generics(text: &str) -> usize {
    let mut depth = 0;
    let mut before = ' ';
    let end = text.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '<') - i32::from(*c == '>' && before != '=');
        before = *c;
        depth == 0
    });
    end.map_or(0, |(end, _)| end)
}

/// What a parameter of type of a function's type is derived from: `Shape` for `T` in `<T extends Shape>(shape: T) => void`.
fn bound_of<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let generics = text[..behind_generics(text)].strip_prefix('<')?;
    let mut parameters = split_at_top(generics, ',');
    parameters.find_map(|one| {
        let (own, bound) = one.split_once(" extends ")?;
        (own.trim() == name).then(|| bound.trim())
    })
}

/// The call whose name is at a place.
pub(super) fn called_at(view: &View, at: u32) -> Option<u32> {
    let references = &view.facts.references;
    let first = references.partition_point(|reference| reference.at < at);
    let calls = references[first..].iter().take_while(|reference| reference.at == at);
    let mut calls = calls.zip(first as u32..);
    calls.find_map(|(reference, call)| (reference.role == Role::Call).then_some(call))
}

/// What a parameter says of its type.
enum Parameter<'v> {
    /// What, and where.
    Written(u32, &'v str),
    /// It is taken apart, and is the value of a reference.
    TakenApart(u32),
}

/// The first of a function's parameters, as it is written.
pub(super) fn first_parameter<'v>(view: &'v View, symbol: &Symbol) -> Option<&'v Binding> {
    let mut taken = view.facts.parameters(symbol);
    taken.find(|one| one.kind != LocalKind::Generic && view.facts.names.get(one.name) != view.facts.name(symbol))
}

/// A parameter of a function. One that is taken apart is as many names.
fn nth_parameter(view: &View, id: SymbolId, nth: usize) -> Option<Parameter<'_>> {
    let symbol = view.facts.symbols.get(id.symbol as usize);
    let symbol = symbol.filter(|symbol| symbol.kind.is_function())?;
    if nth == syntax::LAST as usize {
        let last = view
            .parameters(symbol)
            .filter(|one| one.kind != LocalKind::Generic)
            .last()?;
        return Some(Parameter::Written(last.at, view.facts.names.get(last.ty?)));
    }
    let (mut whole, mut at) = (None, 0);
    for binding in view.parameters(symbol).filter(|one| one.kind != LocalKind::Generic) {
        let on = binding.value.map(|value| view.facts.references[value as usize].on);
        let on = on.filter(|on| binding.ty.is_none() && matches!(on, On::Value(_) | On::Path(_)));
        if view.facts.names.get(binding.name) == "this" || (on.is_some() && on == whole) {
            continue;
        }
        whole = on;
        let (of, whole) = match on {
            Some(On::Value(of)) => (Some(of), None),
            // `{ width }: { width: number }`
            Some(On::Path(whole)) => (None, Some(whole)),
            _ => (None, None),
        };
        if at == nth {
            let written = binding.ty.or(whole).map(|ty| view.facts.names.get(ty));
            let written = written.filter(|ty| syntax::handed_from(ty).is_none());
            return match (written, of) {
                (Some(text), _) => Some(Parameter::Written(binding.at, text)),
                (None, Some(of)) => Some(Parameter::TakenApart(of)),
                _ => None,
            };
        }
        at += 1;
    }
    None
}
