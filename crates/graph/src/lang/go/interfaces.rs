//! Interfaces that types have by their method sets alone.

use rustc_hash::FxHashSet;
use syntax::{Qualifier, RefIdx, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{Resolver, sorted},
    },
    lang::ImplicitInterfaces,
    view::{SymbolId, View},
};

/// A type implements an interface by having its methods.
pub(super) struct MethodSets;

impl ImplicitInterfaces for MethodSets {
    fn implementers(&self, resolver: &Resolver<'_>, interface: SymbolId, except: Option<&str>) -> Vec<SymbolId> {
        resolver.implementers(interface, except)
    }

    fn interfaces_of(&self, resolver: &Resolver<'_>, own: SymbolId) -> Vec<SymbolId> {
        resolver.implicitly_implemented(own)
    }

    fn conforms(&self, resolver: &Resolver<'_>, own: SymbolId, interface: SymbolId, except: Option<&str>) -> bool {
        resolver.conforms(own, interface, except)
    }

    fn formerly_alike(
        &self,
        resolver: &Resolver<'_>,
        member: SymbolId,
        was: Option<&str>,
    ) -> Vec<(SymbolId, SymbolId)> {
        resolver.formerly_alike(member, was)
    }
}

/// Interfaces of the library that others often embed, by package and name, with their methods.
const LIBRARY: &[(&str, &str, &[&str])] = &[
    ("", "error", &["Error"]),
    ("context", "Context", &["Deadline", "Done", "Err", "Value"]),
    ("driver", "Valuer", &["Value"]),
    ("encoding", "BinaryMarshaler", &["MarshalBinary"]),
    ("encoding", "BinaryUnmarshaler", &["UnmarshalBinary"]),
    ("encoding", "TextMarshaler", &["MarshalText"]),
    ("encoding", "TextUnmarshaler", &["UnmarshalText"]),
    ("flag", "Value", &["String", "Set"]),
    ("fmt", "Formatter", &["Format"]),
    ("fmt", "GoStringer", &["GoString"]),
    ("fmt", "Stringer", &["String"]),
    ("fs", "File", &["Stat", "Read", "Close"]),
    ("fs", "FS", &["Open"]),
    ("hash", "Hash", &["Write", "Sum", "Reset", "Size", "BlockSize"]),
    ("heap", "Interface", &["Len", "Less", "Swap", "Push", "Pop"]),
    ("http", "Handler", &["ServeHTTP"]),
    ("http", "ResponseWriter", &["Header", "Write", "WriteHeader"]),
    ("http", "RoundTripper", &["RoundTrip"]),
    ("io", "ByteReader", &["ReadByte"]),
    ("io", "ByteWriter", &["WriteByte"]),
    ("io", "Closer", &["Close"]),
    ("io", "ReadCloser", &["Read", "Close"]),
    ("io", "ReadSeeker", &["Read", "Seek"]),
    ("io", "ReadWriteCloser", &["Read", "Write", "Close"]),
    ("io", "ReadWriteSeeker", &["Read", "Write", "Seek"]),
    ("io", "ReadWriter", &["Read", "Write"]),
    ("io", "Reader", &["Read"]),
    ("io", "ReaderAt", &["ReadAt"]),
    ("io", "ReaderFrom", &["ReadFrom"]),
    ("io", "Seeker", &["Seek"]),
    ("io", "StringWriter", &["WriteString"]),
    ("io", "WriteCloser", &["Write", "Close"]),
    ("io", "WriteSeeker", &["Write", "Seek"]),
    ("io", "Writer", &["Write"]),
    ("io", "WriterAt", &["WriteAt"]),
    ("io", "WriterTo", &["WriteTo"]),
    ("json", "Marshaler", &["MarshalJSON"]),
    ("json", "Unmarshaler", &["UnmarshalJSON"]),
    ("net", "Addr", &["Network", "String"]),
    (
        "net",
        "Conn",
        &[
            "Read",
            "Write",
            "Close",
            "LocalAddr",
            "RemoteAddr",
            "SetDeadline",
            "SetReadDeadline",
            "SetWriteDeadline",
        ],
    ),
    ("net", "Error", &["Error", "Timeout", "Temporary"]),
    ("net", "Listener", &["Accept", "Close", "Addr"]),
    ("os", "FileInfo", &["Name", "Size", "Mode", "ModTime", "IsDir", "Sys"]),
    ("sort", "Interface", &["Len", "Less", "Swap"]),
    ("sql", "Scanner", &["Scan"]),
    ("sync", "Locker", &["Lock", "Unlock"]),
];

impl Resolver<'_> {
    /// Members of a member's name, with their types, that had its signature when that was another one.
    fn formerly_alike(&self, member: SymbolId, was: Option<&str>) -> Vec<(SymbolId, SymbolId)> {
        let mut found = match was {
            Some(_) => self.all_members_named(member.file, &self.name_of(member)),
            None => Vec::new(),
        };
        found.retain(|(other, _)| self.signature_of(*other).as_deref() == was && !self.are_alike(*other, member));
        found
    }

    /// The types that have all methods of an interface, but for one.
    fn implementers(&self, interface: SymbolId, except: Option<&str>) -> Vec<SymbolId> {
        let mut methods = self.methods_of(interface, 0);
        methods.retain(|name| Some(name.as_str()) != except);
        // What comes from elsewhere is defined by nobody who embeds it.
        methods.sort_by_cached_key(|name| (self.members(interface, name).is_empty(), self.defining(name).len()));
        let Some(rarest) = methods.first() else {
            return Vec::new();
        };
        // Who has it with other parameters has another method, and so has who embeds that one.
        let wanted = self.members(interface, rarest).first().copied();
        let has_it = |member: SymbolId| wanted.is_none_or(|wanted| member == wanted || self.are_alike(member, wanted));
        let having = self.all_members_named(interface.file, rarest).into_iter();
        let having = having.filter(|(member, _)| has_it(*member));
        let mut owners = sorted(having.map(|(_, owner)| owner).collect());
        // Who embeds one that has the method has it too.
        let mut next = 0;
        while let Some(owner) = owners.get(next).copied() {
            next += 1;
            if owners.len() > 2000 {
                break;
            }
            for embedding in self.declared_with(owner) {
                if !owners.contains(&embedding) {
                    owners.push(embedding);
                }
            }
        }
        let is_type = |owner: SymbolId| self.kind_of(owner).is_some_and(SymbolKind::is_type);
        owners.retain(|owner| *owner != interface && is_type(*owner) && self.conforms(*owner, interface, except));
        owners
    }

    /// The types that are declared with another in them.
    fn declared_with(&self, embedded: SymbolId) -> Vec<SymbolId> {
        let name = self.name_of(embedded);
        let mut found = Vec::new();
        for file in self.world.mentioning(&name) {
            let Some(view) = self.view(file) else { continue };
            for index in view.references_named(&name) {
                let reference = &view.facts.references[*index];
                if reference.role == Role::Implementation
                    && let Some(around) = view.declaring(reference.at)
                    && let Meaning::Symbols(symbols, _) = self.meaning(file, *index)
                    && symbols.contains(&embedded)
                {
                    found.push(SymbolId { file, symbol: around });
                }
            }
        }
        found
    }

    fn implicitly_implemented(&self, own: SymbolId) -> Vec<SymbolId> {
        let is_interface = |id: &SymbolId| *id != own && self.kind_of(*id) == Some(SymbolKind::Interface);
        let mut open: Vec<SymbolId> = Vec::new();
        for name in self.method_names(own) {
            let others = self.members_named(own.file, &name);
            open.extend(others.iter().map(|(_, of)| *of).filter(is_interface));
        }
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(interface) = open.pop() {
            if seen.insert(interface) && self.conforms(own, interface, None) {
                found.push(interface);
                // One may be made of others alone.
                open.extend(self.declared_with(interface).into_iter().filter(is_interface));
            }
        }
        sorted(found)
    }

    /// The names of a type's methods, with those of what it embeds.
    fn method_names(&self, own: SymbolId) -> Vec<String> {
        let mut types = vec![own];
        let mut next = 0;
        while let Some(one) = types.get(next).copied().filter(|_| types.len() < 64) {
            next += 1;
            let embedded = self.supertypes(one).known.clone();
            types.extend(
                embedded
                    .into_iter()
                    .filter(|one| !types.contains(one))
                    .collect::<Vec<_>>(),
            );
        }
        let members = self.all_members(&types).into_iter();
        let methods = members.filter(|id| self.kind_of(*id).is_some_and(SymbolKind::is_function));
        let mut names: Vec<String> = methods.map(|id| self.name_of(id)).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The names of an interface's methods, with those of the interfaces in it.
    fn methods_of(&self, interface: SymbolId, depth: u32) -> Vec<String> {
        let Some(view) = self.view(interface.file) else {
            return Vec::new();
        };
        let own = view
            .facts
            .symbols
            .iter()
            .filter(|symbol| symbol.parent == Some(interface.symbol) && symbol.kind.is_function());
        let mut names: Vec<String> = own.map(|symbol| view.facts.name(symbol).to_owned()).collect();
        if depth < 8 {
            for outer in &self.supertypes(interface).known {
                names.extend(self.methods_of(*outer, depth + 1));
            }
        }
        names.extend(self.methods_of_library(interface, &view));
        names
    }

    /// The methods that a type has of what it embeds from elsewhere, itself or in what it embeds.
    fn embedded_methods(&self, own: SymbolId, depth: u32) -> Vec<String> {
        let Some(view) = self.view(own.file) else {
            return Vec::new();
        };
        let mut names = self.methods_of_library(own, &view);
        if depth < 8 {
            for embedded in &self.supertypes(own).known {
                names.extend(self.embedded_methods(*embedded, depth + 1));
            }
        }
        names
    }

    /// The methods of interfaces from elsewhere that are in an interface, as far as they are known: `io.Writer`.
    fn methods_of_library(&self, interface: SymbolId, view: &View) -> Vec<String> {
        let known = LIBRARY;
        let facts = &view.facts;
        let span = facts.symbols[interface.symbol].span;
        let first = facts.references.partition_point(|reference| reference.at < span.start);
        let inside = facts.references[first..].iter();
        let inside = inside.take_while(|reference| reference.at < span.end);
        let embedded = inside.filter_map(|reference| match reference.on {
            Qualifier::Path(package) if reference.role == Role::Implementation => {
                Some((facts.names.get(package), facts.names.get(reference.name)))
            }
            Qualifier::Nothing if reference.role == Role::Implementation => Some(("", facts.names.get(reference.name))),
            _ => None,
        });
        let methods = embedded.filter_map(|embedded| {
            let is_it = |(package, name, _): &&(&str, &str, _)| (*package, *name) == embedded;
            known.iter().find(is_it).map(|(_, _, methods)| methods.iter())
        });
        methods.flatten().map(|name| (*name).to_owned()).collect()
    }

    fn conforms(&self, own: SymbolId, interface: SymbolId, except: Option<&str>) -> bool {
        let methods = self.methods_of(interface, 0);
        let embedded = self.embedded_methods(own, 0);
        !methods.is_empty()
            && methods.iter().filter(|name| Some(name.as_str()) != except).all(|name| {
                let is_method = |id: &&SymbolId| self.kind_of(**id).is_some_and(SymbolKind::is_function);
                let found = self.members(own, name);
                if found.is_empty() && embedded.contains(name) {
                    return true;
                }
                let wanted = self.members(interface, name);
                match (found.iter().find(is_method), wanted.first()) {
                    (Some(found), Some(wanted)) => found == wanted || self.are_alike(*found, *wanted),
                    (found, _) => found.is_some(),
                }
            })
    }

    /// Whether two methods take and give the same types, as far as they are named.
    fn are_alike(&self, one: SymbolId, other: SymbolId) -> bool {
        if let (Some(one), Some(other)) = (self.signature_of(one), self.signature_of(other)) {
            let (one, other) = (one.split([';', '(', ')']), other.split([';', '(', ')']));
            let is_same = one.clone().count() == other.clone().count()
                && one
                    .zip(other)
                    .all(|(one, other)| one == other || one == "?" || other == "?");
            if !is_same {
                return false;
            }
        }
        let (mut one, mut other) = (self.types_in_signature(one), self.types_in_signature(other));
        // Several parameters may share a type that is written once.
        one.dedup();
        other.dedup();
        one.len() == other.len()
            && one
                .iter()
                .zip(&other)
                .all(|((name, meaning), (other_name, other_meaning))| {
                    let is_parameter = |meaning: &Meaning| matches!(meaning, Meaning::Local(_));
                    // Two packages may have a type of one name.
                    let is_apart = match (meaning, other_meaning) {
                        (Meaning::Symbols(one, _), Meaning::Symbols(other, _)) => {
                            let own = |all: &[SymbolId]| all.first().map(|id| self.canonical(*id));
                            own(one) != own(other)
                        }
                        (Meaning::Symbols(..), Meaning::External) | (Meaning::External, Meaning::Symbols(..)) => true,
                        _ => false,
                    };
                    let is_known = matches!(meaning, Meaning::Symbols(..));
                    (name == other_name && !is_apart)
                        || (is_known && meaning == other_meaning)
                        || is_parameter(meaning)
                        || is_parameter(other_meaning)
                })
    }

    /// The types that a method's signature names, in their order; those of the language are not among them.
    fn types_in_signature(&self, id: SymbolId) -> Vec<(String, Meaning)> {
        let Some(view) = self.view(id.file) else {
            return Vec::new();
        };
        let facts = &view.facts;
        let symbol = &facts.symbols[id.symbol];
        let end = match symbol.is_declaration {
            true => symbol.span.end,
            false => symbol.signature.end,
        };
        let first = facts
            .references
            .partition_point(|reference| reference.at <= symbol.name_at);
        let inside = RefIdx::enumerate_from(&facts.references, first);
        let inside = inside.take_while(|(_, reference)| reference.at < end);
        let types = inside.filter(|(_, reference)| reference.role == Role::Type);
        types
            .map(|(index, reference)| {
                let name = facts.names.get(reference.name).to_owned();
                (name, self.meaning(id.file, index))
            })
            .collect()
    }
}
