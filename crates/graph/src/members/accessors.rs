//! Between Java and Kotlin a property is a pair of methods: `shape.name` calls `getName()`, and `shape.getName()` reads
//! `name`. What stands in no class of Kotlin is in one that is named after its file.

use syntax::{Qualifier, Reference, Role, Symbol, SymbolKind, Visibility};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, sorted},
    },
    types::ty::Base,
    view::SymbolId,
};

impl Resolver<'_> {
    /// What a name means that is asked of something which is written in the other language.
    pub(crate) fn across(&self, place: At<'_>, reference: &Reference, name: &str, found: Meaning) -> Meaning {
        let semantics = self.semantics(place.file);
        let Qualifier::Value(value) = reference.on else {
            return found;
        };
        let is_read = semantics.reads_accessors && reference.role == Role::Member;
        let is_called = semantics.calls_accessors && reference.role == Role::Call;
        if !is_read && !is_called {
            return found;
        }
        let is_seen =
            |id: &SymbolId| self.symbol(*id, |_, symbol| symbol.visibility) != Some(Some(Visibility::Private));
        match &found {
            Meaning::Symbols(symbols, _) if is_called || symbols.iter().any(is_seen) => return found,
            _ => {}
        }
        let ty = self.value(place.file, value);
        let others = ty.heads().filter(|own| self.lang(own.file) != self.lang(place.file));
        let symbols: Vec<SymbolId> = match is_read {
            true => others.flat_map(|own| self.readers(own, name)).collect(),
            false => others.flat_map(|own| self.properties(own, name)).collect(),
        };
        let known = Meaning::of(sorted(symbols), Rule::Member);
        let facade = || is_called.then(|| self.of_facade(place, value, name)).flatten();
        known.or_else(facade).unwrap_or(found)
    }

    /// Those of some members that a call reads: the components of a record have methods of their names.
    pub(crate) fn components(&self, members: &[SymbolId], role: Role) -> Vec<SymbolId> {
        let is_component = |id: &SymbolId| {
            let is_in_head = self.symbol(*id, |view, symbol| {
                let is_in = |record: &Symbol| symbol.name_at < record.signature.end;
                symbol.kind == SymbolKind::Field && view.parent(symbol).is_some_and(is_in)
            });
            self.semantics(id.file).calls_accessors && is_in_head == Some(true)
        };
        let is_called = role == Role::Call;
        let components = members.iter().filter(|id| is_called && is_component(id));
        components.copied().collect()
    }

    /// The methods that reading a property calls.
    fn readers(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
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

    /// A function of a file, asked of the class that stands for the file: `ShapesKt.draw()`.
    fn of_facade(&self, place: At<'_>, value: u32, name: &str) -> Option<Meaning> {
        let facts = &place.view.facts;
        let class = facts.names.get(facts.references[value as usize].name);
        let stem = class.strip_suffix("Kt")?;
        let files = self.modules.files();
        let defining = self.defining(name);
        let here = defining
            .iter()
            .filter(|file| self.semantics(**file).reads_accessors && files.stem(**file) == stem);
        let found = here.flat_map(|file| self.outer_symbols(*file, name));
        Meaning::of(found.collect(), Rule::Path)
    }

    /// What a member is called in the other language.
    pub(crate) fn accessor_names(&self, id: SymbolId) -> Vec<String> {
        let semantics = self.semantics(id.file);
        if !semantics.reads_accessors && !semantics.calls_accessors {
            return Vec::new();
        }
        let (Base::Symbol(_), Some(kind)) = (self.owner(id), self.kind_of(id)) else {
            return Vec::new();
        };
        // Nobody goes through the files of the other language where there are none.
        let is_other = |file| {
            let other = self.semantics(file);
            (other.reads_accessors || other.calls_accessors) && other.reads_accessors != semantics.reads_accessors
        };
        if !self.modules.files().all().any(is_other) {
            return Vec::new();
        }
        let name = self.name_of(id);
        match kind.is_function() {
            true if semantics.calls_accessors => properties_of(&name),
            false if semantics.reads_accessors => {
                let bare = name
                    .strip_prefix("is")
                    .filter(|rest| rest.starts_with(char::is_uppercase));
                let mut names = vec![accessor("set", bare.unwrap_or(&name))];
                names.extend(bare.is_none().then(|| accessor("get", &name)));
                names
            }
            _ => Vec::new(),
        }
    }
}

/// `getName` for `name`.
fn accessor(word: &str, name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    first.fold(word.to_owned(), |made, letter| format!("{made}{letter}")) + letters.as_str()
}

/// What a method reads or writes by its name: `name` for `getName`, `isOpen` for `setOpen`.
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
