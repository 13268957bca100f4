//! Macros of C that use names of the place where they are expanded: members that are passed by name, and local values.

use syntax::{ArgValue, Qualifier, RefIdx, Role, Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    infer::symbol::MAX_VALUES,
    types::ty::{Ty, UNKNOWN},
    view::{SymbolId, View},
};

/// How many arguments before a name are searched for the call that has it.
const MAX_BACK: usize = 64;

impl Resolver<'_> {
    /// The type of what a macro expands to: of a cast that it makes, or of its value where it is used.
    pub(super) fn type_of_expansion(&self, place: At<'_>, index: RefIdx, macros: &[SymbolId]) -> Option<Ty> {
        let is_call = place.view.facts.references[index].role == Role::Call;
        let cast = || macros.iter().find_map(|id| self.cast_type(*id, place, index));
        let cast = is_call.then(cast).flatten();
        cast.or_else(|| macros.iter().find_map(|id| self.expansion_type(*id, place)))
    }

    /// The type of a macro's value, with its names resolved where it is used: `#define STACK (state->stack)`.
    fn expansion_type(&self, id: SymbolId, place: At<'_>) -> Option<Ty> {
        let value = self.symbol(id, |_, symbol| {
            symbol.value.filter(|_| symbol.kind == SymbolKind::Macro)
        });
        let value = value.flatten()?;
        let ty = self.trail.deeper(UNKNOWN, || self.type_in_macro(place, id, value));
        ty.is_known().then_some(ty)
    }

    /// The type of a macro's value that is a cast to its argument: `#define container_of(ptr, type, member) ((type *)..)`.
    fn cast_type(&self, id: SymbolId, place: At<'_>, call: RefIdx) -> Option<Ty> {
        let is_cast = self.symbol(id, |view, symbol| {
            let value = symbol.value.filter(|_| symbol.kind == SymbolKind::Macro)?;
            let cast = &view.facts.references[value];
            let (parameter, _) = view.binding_at(view.facts.names.get(cast.name), cast.at)?;
            let mut parameters = view.facts.parameters(symbol);
            let is_own = parameters.any(|one| one.at == view.facts.bindings[parameter].at);
            Some(is_own && cast.role == Role::Type && cast.on == Qualifier::Nothing)
        });
        is_cast.flatten().filter(|is_cast| *is_cast)?;
        // Arguments are not told apart in C: it is the first that names a type.
        let references = &place.view.facts.references;
        let behind = RefIdx::enumerate_from(references, call.next().as_usize());
        let names = behind.filter(|(_, one)| one.on == Qualifier::Nothing);
        for (index, one) in names.take(MAX_VALUES) {
            let meaning = self.meaning(place.file, index);
            if let Meaning::Local(_) = meaning {
                continue;
            }
            let named = At { at: one.at, ..place };
            match self.lookup(named, place.view.facts.names.get(one.name), Role::Type) {
                Meaning::Symbols(types, rule)
                    if types
                        .iter()
                        .any(|id| self.kind_of(*id).is_some_and(SymbolKind::is_type)) =>
                {
                    let ty = Meaning::Symbols(types, rule);
                    return Some(self.trail.deeper(UNKNOWN, || self.ty_of(place, &ty)));
                }
                _ if meaning.is_found() => {}
                _ => return None,
            }
        }
        None
    }

    /// The member that an argument of a macro names: `FIELD(node, next)`. `Meaning::Unknown` if it may be one of a type
    /// that is not known; `None` if the macro does not use it as a member.
    pub(crate) fn member_for_macro_argument(&self, place: At<'_>, index: RefIdx, name: &str) -> Option<Meaning> {
        let At { file, view, .. } = place;
        let call = call_with_argument(view, index)?;
        if self.members_named(file, name).is_empty() {
            return None;
        }
        let called = &view.facts.references[call];
        let (at, called) = (called.at, view.facts.names.get(called.name));
        let found = self.global(At { at, ..place }, called);
        // One of a library: `TAILQ_INSERT_TAIL(head, node, next)`.
        if found.is_empty() {
            let is_macro = !called.contains(char::is_lowercase);
            return is_macro.then(|| self.member_of_other_argument(place, call, name));
        }
        found
            .iter()
            .find_map(|id| self.member_accessed(place, call, *id, index))
    }

    /// The member that a macro's body accesses by the name of an argument.
    fn member_accessed(&self, place: At<'_>, call: RefIdx, id: SymbolId, index: RefIdx) -> Option<Meaning> {
        let view = self.view(id.file)?;
        let facts = &view.facts;
        let symbol = facts.symbols.get(id.symbol.as_usize())?;
        if symbol.kind != SymbolKind::Macro {
            return None;
        }
        let given = &place.view.facts;
        let nth = given.given(call).position(|one| one == ArgValue::Value(index))?;
        let parameter = facts.names.get(facts.parameters(symbol).nth(nth)?.name);
        let is_inside = |at: &RefIdx| {
            let at = facts.references[*at].at;
            symbol.span.start <= at && at < symbol.span.end
        };
        let named = |name| view.references_named(name).iter().copied().filter(is_inside);
        let mut asked = named(parameter).map(|at| facts.references[at].on);
        let asks = asked.find(|on| !matches!(on, Qualifier::Nothing | Qualifier::Path(_) | Qualifier::Context(_)));
        // `((type *)((char *)(pointer) - offsetof(type, member)))`
        let asks = asks.or_else(|| named("offsetof").next().map(|_| Qualifier::Other))?;
        let name = given.names.get(given.references[index].name);
        // What it is given is nothing where it is defined.
        let Qualifier::Value(asked) = asks else {
            return Some(self.member_of_other_argument(place, call, name));
        };
        let ty = self.trail.deeper(UNKNOWN, || self.type_in_macro(place, id, asked));
        match self.member_of(&ty, name) {
            found @ Meaning::Symbols(..) => Some(found),
            _ => Some(Meaning::Unknown),
        }
    }

    /// The macros in the body of a type that declare members of it: `struct handle { HANDLE_FIELDS };`.
    pub(crate) fn member_macros(&self, own: SymbolId, view: &View) -> Vec<SymbolId> {
        let facts = &view.facts;
        let span = facts.symbols[own.symbol].span;
        let first = facts.references.partition_point(|reference| reference.at < span.start);
        let inside = facts.references[first..]
            .iter()
            .take_while(|reference| reference.at < span.end);
        // A type may have another name in the same place: `typedef struct stream { .. } stream_t;`.
        let is_around = |at: u32| {
            let around = facts.enclosing(at).map(|around| facts.symbols[around].span);
            around == Some(span)
        };
        let used = inside.filter(|reference| {
            reference.on == Qualifier::Nothing
                && matches!(reference.role, Role::Variable | Role::Call)
                && is_around(reference.at)
        });
        let has_members = |id: &SymbolId| {
            let is_member = |view: &View, symbol: &Symbol| {
                let next = view.facts.symbols.get(id.symbol.next().as_usize());
                symbol.kind == SymbolKind::Macro && next.is_some_and(|next| next.parent == Some(id.symbol))
            };
            self.symbol(*id, is_member) == Some(true)
        };
        let found = used.flat_map(|reference| {
            let (file, at) = (own.file, reference.at);
            self.global(At { file, view, at }, facts.names.get(reference.name))
        });
        found.filter(has_members).collect()
    }

    /// A member of another argument of the macro.
    fn member_of_other_argument(&self, place: At<'_>, call: RefIdx, name: &str) -> Meaning {
        let facts = &place.view.facts;
        let is_itself = |at: &RefIdx| facts.references[*at].at == place.at;
        let mut given = facts
            .given(call)
            .filter_map(ArgValue::reference)
            .filter(|at| !is_itself(at));
        let found = given.find_map(|at| {
            let ty = self.trail.deeper(UNKNOWN, || self.value(place.file, at));
            let found = ty.is_known().then(|| self.member_of(&ty, name));
            found.filter(|found| matches!(found, Meaning::Symbols(..)))
        });
        found.unwrap_or(Meaning::Unknown)
    }

    /// The type of a value in the body of a macro, whose names may be of the place where it is used.
    fn type_in_macro(&self, place: At<'_>, id: SymbolId, value: RefIdx) -> Ty {
        let Some(view) = self.view(id.file) else { return UNKNOWN };
        let asked = &view.facts.references[value];
        let name = view.facts.names.get(asked.name);
        match (asked.role, asked.on) {
            (Role::Variable, Qualifier::Nothing) => self.ty_of(place, &self.lookup(place, name, Role::Variable)),
            (Role::Member, Qualifier::Value(outer)) => {
                let ty = self.type_in_macro(place, id, outer);
                self.ty_of(place, &self.member_of(&ty, name))
            }
            _ => self.value(id.file, value),
        }
    }
}

/// The call that has a reference as an argument.
fn call_with_argument(view: &View, index: RefIdx) -> Option<RefIdx> {
    let arguments = &view.facts.arguments;
    let until = arguments.partition_point(|argument| argument.call < index);
    let before = arguments[..until].iter().rev().take(MAX_BACK);
    let mut taking = before.filter(|argument| argument.value == ArgValue::Value(index));
    taking.next().map(|argument| argument.call)
}
