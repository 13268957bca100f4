//! Classes as values: whether a value is a class or an instance of one, and which of its members a receiver has.

use syntax::{Qualifier, RefIdx, Reference, Role, Symbol, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    infer::symbol::MAX_VALUES,
    types::ty::{Base, UNKNOWN},
    view::{SymbolId, View},
};

/// Utility types whose values are instances or results, although their argument names a class: `InstanceType<typeof Shape>`.
const INSTANCES: &[&str] = &["InstanceType", "ReturnType"];

/// The key under which an instance has its class: `T["constructor"]`.
const CLASS_KEYS: &[&str] = &["['constructor']", "[\"constructor\"]"];

/// The member of an instance that is its class: `shape.constructor`.
pub(super) const CLASS_MEMBER: &str = "constructor";

impl Resolver<'_> {
    /// Of static and instance methods that have one name, those that the receiver has. None if it has none of them: a static
    /// method is never called on an instance.
    pub(super) fn of_class_or_instance(
        &self,
        place: At<'_>,
        reference: &Reference,
        mut symbols: Vec<SymbolId>,
    ) -> Option<Vec<SymbolId>> {
        // The receiver's class may have got a namesake from a library's class that it is derived from.
        let may_inherit =
            |id: &SymbolId| matches!(self.owner(*id), Base::Symbol(own) if self.has_other_supertypes(own));
        let is_open = || matches!(reference.on, Qualifier::Value(_)) && symbols.iter().all(may_inherit);
        let has_static = symbols.iter().any(|id| self.is_static(*id));
        if !has_static || (symbols.iter().all(|id| self.is_static(*id)) && !is_open()) {
            return Some(symbols);
        }
        let on_class = match reference.on {
            // `new Shape().draw()`
            Qualifier::Value(value) if place.view.facts.references[value].role == Role::Call => false,
            Qualifier::Value(value) => self.is_class_itself(place.file, value),
            Qualifier::This | Qualifier::Super => self.is_in_static(place, false),
            _ => return Some(symbols),
        };
        symbols.retain(|id| self.is_static(*id) == on_class);
        Some(symbols).filter(|symbols| !symbols.is_empty())
    }

    /// Whether a function is a constructor function: `function Shape() { this.size = 1 }`.
    pub(super) fn makes_instances(&self, id: SymbolId) -> bool {
        let is_named = |view: &View, symbol: &Symbol| {
            symbol.kind.is_function() && view.facts.name(symbol).starts_with(char::is_uppercase)
        };
        self.symbol(id, is_named) == Some(true)
            && self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, None)).head == Base::Symbol(id)
    }

    /// Whether a receiver is a class: its name, `shape.constructor`, or a value with the type of a class.
    fn is_class_itself(&self, file: FileIdx, value: RefIdx) -> bool {
        let Some(view) = self.view(file) else { return false };
        let mut value = value;
        for _ in 0..MAX_VALUES {
            let reference = &view.facts.references[value];
            // `new Shape()` and `value as Shape` are instances.
            if matches!(reference.role, Role::Call | Role::Type) {
                return false;
            }
            let is_member = matches!(reference.on, Qualifier::Value(_) | Qualifier::This);
            if is_member && view.facts.names.get(reference.name) == CLASS_MEMBER {
                return true;
            }
            let binding = match self.meaning(file, value) {
                Meaning::Symbols(on, _) => return on.iter().any(|id| self.holds_class(*id)),
                Meaning::Local(binding) => &view.facts.bindings[binding],
                _ => return false,
            };
            let at = binding.at;
            match (binding.ty, binding.value) {
                (Some(ty), _) => {
                    let says = |ty| self.says_class(At { file, view: &view, at }, view.facts.names.get(ty));
                    return ty.expr().is_some_and(says);
                }
                (None, Some(given)) => value = given,
                (None, None) => return false,
            }
        }
        false
    }

    /// Whether a definition is a class or a variable that holds one.
    fn holds_class(&self, id: SymbolId) -> bool {
        let Some(view) = self.view(id.file) else { return false };
        let symbol = &view.facts.symbols[id.symbol];
        match (symbol.kind, symbol.ty, symbol.value) {
            (SymbolKind::Class, ..) => true,
            (kind, ..) if kind.is_function() || kind.is_type() => false,
            (_, Some(ty), _) => {
                let says = |ty| self.says_class(At::signature(id.file, &view, symbol), view.facts.names.get(ty));
                ty.expr().is_some_and(says)
            }
            (_, None, Some(value)) => self.trail.deeper(false, || self.is_class_itself(id.file, value)),
            _ => false,
        }
    }

    /// Whether the values of a type are classes: `typeof Shape`, `new () => Shape`, `T["constructor"]`, or an alias of such.
    fn says_class(&self, place: At<'_>, text: &str) -> bool {
        if self.is_written_class(place, text) {
            return true;
        }
        let name: &str = text
            .split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '.'))
            .next()
            .unwrap_or_default();
        let Meaning::Symbols(named, _) = self.type_meaning(place, name) else {
            return false;
        };
        named.iter().any(|id| {
            let is_alias = self.kind_of(*id) == Some(SymbolKind::Type);
            let said = self.symbol(*id, |view, symbol| {
                let text = symbol.type_expr().map(|ty| view.facts.names.get(ty));
                text.is_some_and(|text| self.is_written_class(At::signature(id.file, view, symbol), text))
            });
            is_alias && said == Some(true)
        })
    }

    fn is_written_class(&self, place: At<'_>, text: &str) -> bool {
        let text = text.trim_start_matches(['(', '|', '&', ' ', '\n']);
        let is_made = INSTANCES.iter().any(|utility| text.starts_with(utility));
        if is_made && !text.contains(" extends ") {
            return false;
        }
        let text = text.strip_prefix("abstract ").unwrap_or(text);
        let makes = text
            .strip_prefix("new")
            .is_some_and(|rest| rest.starts_with([' ', '(', '<']));
        let mut named = text.match_indices("typeof ").map(|(at, word)| {
            let name = text[at + word.len()..].trim_start();
            let end = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$'));
            &name[..end.unwrap_or(name.len())]
        });
        makes || CLASS_KEYS.iter().any(|key| text.contains(key)) || named.any(|name| self.is_class_name(place, name))
    }

    fn is_class_name(&self, place: At<'_>, name: &str) -> bool {
        match self.lookup(place, name, Role::Variable) {
            Meaning::Symbols(found, _) => found.iter().any(|id| self.kind_of(*id) == Some(SymbolKind::Class)),
            _ => false,
        }
    }
}
