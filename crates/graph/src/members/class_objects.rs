//! Whether a value is a class itself, or one that was made of it, where classes are handed around like other values.

use syntax::{Qualifier, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    infer::symbol::MAX_VALUES,
    view::SymbolId,
};

/// What gives values of the class or function that it is told: `InstanceType<typeof Shape>`.
const MAKING: &[&str] = &["InstanceType", "ReturnType"];

/// What a class is under in its values: `T["constructor"]`.
const UNDER: &[&str] = &["['constructor']", "[\"constructor\"]"];

/// Whether a name is that under which a value has its class: `shape.constructor`.
pub(crate) fn is_class_of_value(name: &str) -> bool {
    name == "constructor"
}

impl Resolver<'_> {
    /// Whether something is asked of a class itself: of its name, of `shape.constructor`, or of what is said to be one.
    pub(crate) fn is_class_itself(&self, file: FileIdx, value: u32) -> bool {
        let Some(view) = self.view(file) else { return false };
        let mut value = value;
        for _ in 0..MAX_VALUES {
            let reference = &view.facts.references[value as usize];
            // What is made of a class is one of its values, and so is what is said to be of it: `value as Shape`.
            if matches!(reference.role, Role::Call | Role::Type) {
                return false;
            }
            let is_member = matches!(reference.on, Qualifier::Value(_) | Qualifier::This);
            if is_member && is_class_of_value(view.facts.names.get(reference.name)) {
                return true;
            }
            let binding = match self.meaning(file, value) {
                Meaning::Symbols(on, _) => return on.iter().any(|id| self.holds_class(*id)),
                Meaning::Local(binding) => &view.facts.bindings[binding as usize],
                _ => return false,
            };
            let at = binding.at;
            match (binding.ty, binding.value) {
                (Some(ty), _) => return self.says_class(At { file, view: &view, at }, view.facts.names.get(ty)),
                (None, Some(given)) => value = given,
                (None, None) => return false,
            }
        }
        false
    }

    /// Whether a definition is a class, or holds one.
    fn holds_class(&self, id: SymbolId) -> bool {
        let Some(view) = self.view(id.file) else { return false };
        let symbol = &view.facts.symbols[id.symbol as usize];
        match (symbol.kind, symbol.ty, symbol.value) {
            (SymbolKind::Class, ..) => true,
            (kind, ..) if kind.is_function() || kind.is_type() => false,
            (_, Some(ty), _) => self.says_class(At::signature(id.file, &view, symbol), view.facts.names.get(ty)),
            (_, None, Some(value)) => self.trail.deeper(false, || self.is_class_itself(id.file, value)),
            _ => false,
        }
    }

    /// Whether a type is one of classes: `typeof Shape`, `new () => Shape`, `T["constructor"]`, or another name for that.
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
                let text = symbol.ty.map(|ty| view.facts.names.get(ty));
                text.is_some_and(|text| self.is_written_class(At::signature(id.file, view, symbol), text))
            });
            is_alias && said == Some(true)
        })
    }

    fn is_written_class(&self, place: At<'_>, text: &str) -> bool {
        let text = text.trim_start_matches(['(', '|', '&', ' ', '\n']);
        let is_made = MAKING.iter().any(|making| text.starts_with(making));
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
        makes || UNDER.iter().any(|under| text.contains(under)) || named.any(|name| self.is_class_name(place, name))
    }

    fn is_class_name(&self, place: At<'_>, name: &str) -> bool {
        match self.lookup(place, name, Role::Variable) {
            Meaning::Symbols(found, _) => found.iter().any(|id| self.kind_of(*id) == Some(SymbolKind::Class)),
            _ => false,
        }
    }
}
