//! Properties between Java and Kotlin: in Kotlin `shape.name` calls Java's `getName()`, and in Java `shape.getName()` reads
//! Kotlin's `name`. For Java, top-level functions of Kotlin are in a class that is named after their file.

use syntax::{LangId, Qualifier, RefIdx, Reference, Role, Symbol, SymbolKind, Visibility};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, sorted},
    },
    types::ty::Base,
    view::SymbolId,
};

impl Resolver<'_> {
    /// Kotlin: a property that is read may be a getter of Java's.
    pub(crate) fn read_getter(&self, place: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        let Qualifier::Value(receiver) = reference.on else {
            return found;
        };
        let is_visible =
            |id: &SymbolId| self.symbol(*id, |_, symbol| symbol.visibility) != Some(Some(Visibility::Private));
        let is_member = matches!(&found, Meaning::Symbols(symbols, _) if symbols.iter().any(is_visible));
        if reference.role != Role::Member || is_member {
            return found;
        }
        let name = place.view.facts.names.get(reference.name);
        let types = self.types_of_other_language(place, receiver).into_iter();
        let getters = types.flat_map(|own| self.getters(own, name)).collect();
        Meaning::of(sorted(getters), Rule::Member).unwrap_or(found)
    }

    /// Java: a method that is called may be a property of Kotlin's, or a top-level function.
    pub(crate) fn called_property(&self, place: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        let Qualifier::Value(receiver) = reference.on else {
            return found;
        };
        if reference.role != Role::Call || matches!(found, Meaning::Symbols(..)) {
            return found;
        }
        let name = place.view.facts.names.get(reference.name);
        let types = self.types_of_other_language(place, receiver).into_iter();
        let properties = types.flat_map(|own| self.properties(own, name)).collect();
        Meaning::of(sorted(properties), Rule::Member)
            .or_else(|| self.of_file_facade(place, receiver, name))
            .unwrap_or(found)
    }

    fn types_of_other_language(&self, place: At<'_>, receiver: RefIdx) -> Vec<SymbolId> {
        let types = self.value(place.file, receiver);
        let other = types.heads().filter(|own| self.lang(own.file) != self.lang(place.file));
        other.collect()
    }

    /// The components of a record among some members: each has a method of its name.
    pub(crate) fn record_components(&self, members: &[SymbolId]) -> Vec<SymbolId> {
        let is_component = |id: &SymbolId| {
            let is_in_head = self.symbol(*id, |view, symbol| {
                let is_in = |record: &Symbol| symbol.name_at < record.signature.end;
                symbol.kind == SymbolKind::Field && view.parent(symbol).is_some_and(is_in)
            });
            is_java(self.lang(id.file)) && is_in_head == Some(true)
        };
        members.iter().copied().filter(is_component).collect()
    }

    /// The methods that reading a property calls.
    fn getters(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let mut found = self.members(own, &accessor("get", name));
        if name.starts_with("is") {
            found.extend(self.members(own, name));
        }
        found.retain(|id| self.kind_of(*id).is_some_and(SymbolKind::is_function));
        found
    }

    /// The properties that a method reads or writes.
    fn properties(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let mut found = self.members(own, name);
        for property in properties_of(name) {
            found.extend(self.members(own, &property));
        }
        found.retain(|id| !self.kind_of(*id).is_some_and(SymbolKind::is_function));
        found
    }

    /// A top-level function, called on the class of its file: `ShapesKt.draw()`.
    fn of_file_facade(&self, place: At<'_>, receiver: RefIdx, name: &str) -> Option<Meaning> {
        let facts = &place.view.facts;
        let class = facts.names.get(facts.references[receiver].name);
        let stem = class.strip_suffix("Kt")?;
        let files = self.modules.files();
        let defining = self.defining(name);
        let here = defining
            .iter()
            .filter(|file| self.lang(**file) == LangId::Kotlin && files.stem(**file) == stem);
        let found = here.flat_map(|file| self.outer_symbols(*file, name));
        Meaning::of(found.collect(), Rule::Path)
    }

    /// The properties of Kotlin's that a method of Java's is used as.
    pub(crate) fn property_names(&self, id: SymbolId) -> Vec<String> {
        let is_method = self.kind_of(id).is_some_and(SymbolKind::is_function);
        match is_method && self.is_member_used_in(id, |lang| lang == LangId::Kotlin) {
            true => properties_of(&self.name_of(id)),
            false => Vec::new(),
        }
    }

    /// The methods of Java's that a property of Kotlin's is used as.
    pub(crate) fn accessor_names(&self, id: SymbolId) -> Vec<String> {
        let is_property = self.kind_of(id).is_some_and(|kind| !kind.is_function());
        if !is_property || !self.is_member_used_in(id, is_java) {
            return Vec::new();
        }
        let name = self.name_of(id);
        let bare = name
            .strip_prefix("is")
            .filter(|rest| rest.starts_with(char::is_uppercase));
        let mut names = vec![accessor("set", bare.unwrap_or(&name))];
        names.extend(bare.is_none().then(|| accessor("get", &name)));
        names
    }

    /// Whether a definition is a member of a type, and the workspace has files in another language: otherwise nobody looks
    /// for uses in that.
    fn is_member_used_in(&self, id: SymbolId, is_other: impl Fn(LangId) -> bool) -> bool {
        matches!(self.owner(id), Base::Symbol(_)) && self.modules.files().all().any(|file| is_other(self.lang(file)))
    }
}

fn is_java(lang: LangId) -> bool {
    matches!(lang, LangId::Java | LangId::Groovy)
}

/// `getName` for `name`.
fn accessor(word: &str, name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    first.fold(word.to_owned(), |made, letter| format!("{made}{letter}")) + letters.as_str()
}

/// The properties that a method reads or writes by its name: `name` for `getName`, `isOpen` for `setOpen`.
fn properties_of(name: &str) -> Vec<String> {
    let rest = name.strip_prefix("get").or_else(|| name.strip_prefix("set"));
    let Some(rest) = rest.filter(|rest| rest.starts_with(char::is_uppercase)) else {
        return Vec::new();
    };
    let mut letters = rest.chars();
    let first = letters.next().map(char::to_lowercase).into_iter().flatten();
    let property = first.collect::<String>() + letters.as_str();
    match name.starts_with("set") {
        true => vec![property, format!("is{rest}")],
        false => vec![property],
    }
}
