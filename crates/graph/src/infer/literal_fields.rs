//! Resolves field names where a value is created or copied: `new Point { X = 1 }`, `Point(x=1)`, `point.copy(x = 1)`.

use syntax::{ArgValue, Qualifier, RefIdx, Role, SymbolKind};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, sorted},
    },
    types::ty::Base,
    view::SymbolId,
};

impl Resolver<'_> {
    /// The member that an object initialiser or an annotation assigns: `new Point { X = 1 }`, `@Column(name = "x")`.
    pub(crate) fn member_in_initialiser(&self, place: At<'_>, index: RefIdx, name: &str) -> Meaning {
        let references = &place.view.facts.references;
        let around = place.view.facts.enclosing(place.at);
        let before = index.all_before().rev().take(64);
        let types = before.filter(|at| matches!(references[*at].role, Role::Call | Role::Type));
        for at in types {
            if place.view.facts.enclosing(references[at].at) != around {
                break;
            }
            if let Meaning::Symbols(symbols, _) = self.meaning(place.file, at) {
                let types = symbols
                    .iter()
                    .filter(|id| self.kind_of(**id).is_some_and(SymbolKind::has_members));
                let found = types.flat_map(|id| self.members(*id, name));
                if let Some(found) = Meaning::of(sorted(found.collect()), Rule::Member) {
                    return found;
                }
            }
        }
        Meaning::Unknown
    }

    /// The field that a named argument of a constructor assigns: `Point(x=1)`.
    pub(crate) fn field_by_named_argument(&self, place: At<'_>, called: &str, name: &str) -> Meaning {
        let made = match called.rsplit_once('.') {
            Some((outer, last)) => self.at_path(place, outer, last, Role::Call),
            None => self.lookup(place, called, Role::Call),
        };
        let Meaning::Symbols(made, _) = made else {
            // A copy with some fields replaced: `point.copy(x = 1)`.
            let last = called.rsplit('.').next().unwrap_or(called);
            return match self.semantics(place.file).library.copying.contains(&last) {
                true => self.field_replaced(place, called, last, name),
                false => Meaning::External,
            };
        };
        let takes = |own: SymbolId| {
            let mut constructors = self.semantics(own.file).constructors.iter();
            constructors.any(|constructor| !self.members(own, constructor).is_empty())
        };
        // The class may be created by its companion object's call member, whose parameters need not be the fields.
        let is_object = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Object);
        let member = self.semantics(place.file).call_member;
        let makes = |id: &SymbolId| is_object(id) && member.is_some_and(|name| !self.own_members(*id, name).is_empty());
        if made.iter().any(makes) {
            return Meaning::Unknown;
        }
        let classes = made.into_iter().filter(|id| {
            let is_class = self.kind_of(*id).is_some_and(SymbolKind::has_members);
            is_class && !is_object(id) && !takes(*id)
        });
        let found = classes.flat_map(|own| self.fields(own, name));
        Meaning::of(found.collect(), Rule::Member).unwrap_or(Meaning::External)
    }

    pub(crate) fn fields(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let mut found = self.members(own, name);
        found.retain(|id| self.kind_of(*id) == Some(SymbolKind::Field));
        found
    }

    /// The field that a named argument of a copying function replaces: `point.copy(x = 1)`, `replace(point, x=1)`.
    fn field_replaced(&self, place: At<'_>, called: &str, last: &str, name: &str) -> Meaning {
        let At { file, view, at } = place;
        let references = &view.facts.references;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let first = called.split(|c| !is_word(c)).next().unwrap_or(called);
        // The first word of the qualifier tells the call from enclosing and preceding calls of the same name.
        let is_it = |call: &&RefIdx| {
            let call = &references[**call];
            let start = (call.at as usize + last.len()).checked_sub(called.len());
            let begins = start.and_then(|start| view.reference_at(start as u32));
            let begins = begins.map(|begins| view.facts.names.get(references[begins].name));
            call.role == Role::Call && call.at < at && begins == Some(first)
        };
        let call = view.references_named(last).iter().rev().find(is_it);
        let Some(call) = call.copied() else {
            return Meaning::Unknown;
        };
        let asked = match references[call].on {
            Qualifier::Value(on) => self.value(file, on).head,
            _ => Base::Unknown,
        };
        // `replace(point, x=1)`
        let whole = match (asked, view.facts.given(call).next()) {
            (own @ Base::Symbol(_), _) => own,
            (_, Some(ArgValue::Value(first))) => self.value(file, first).head,
            (_, Some(ArgValue::This)) => self.own_type(place),
            _ => Base::Unknown,
        };
        match whole {
            Base::Symbol(own) if !self.meaning(file, call).is_found() => {
                Meaning::of(self.fields(own, name), Rule::Member).unwrap_or(Meaning::Unknown)
            }
            _ => Meaning::Unknown,
        }
    }
}
