//! Which declarations are of one entity, where files include each other: prototypes, forward declarations, `extern`,
//! specialisations of a template. What only one translation unit sees is an entity of its own.

use std::rc::Rc;

use syntax::{LangId, Modifier, Symbol, SymbolKind, Visibility};

use crate::{
    engine::resolver::{Resolver, sorted},
    files::FileIdx,
    lang::{
        c_family::{conversions::canonical_spelling, includes::is_header},
        related,
    },
    scope::paths::{ends_alike, qualified_parts},
    types::ty::Base,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The declarations and the definition of one thing, in a language where files include each other.
    pub(crate) fn declarations_of(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return vec![id];
        };
        let symbol = &view.facts.symbols[id.symbol as usize];
        let name = view.facts.name(symbol);
        // A test is called like what it tests, and is not that.
        if symbol.kind == SymbolKind::Test {
            return vec![id];
        }
        // Every program has a `main` of its own.
        let is_main = name == "main" && symbol.kind == SymbolKind::Function && symbol.parent.is_none();
        let own = self.declared(id, &view, symbol);
        let all = match is_main || own.is_hidden {
            true => self.declared_near(id.file, name, is_main),
            false => self.declared_by_all(self.lang(id.file), name),
        };
        // A tag is completed anywhere: `typedef struct node node;` in a header that never sees the members.
        let n_whole = all.iter().filter(|one| one.is_whole && one.kind.has_members()).count();
        let completes = |one: &Declaration, other: &Declaration| one.is_tag && n_whole == 1 && other.is_whole;
        let is_same = |one: &&Declaration| {
            let file = one.id.file;
            let is_included = || {
                self.transitive_includes(id.file).contains(&file) || self.transitive_includes(file).contains(&id.file)
            };
            // A template goes on wherever it is written for some types.
            let is_template = one.is_specialised || own.is_specialised;
            let is_other = file != id.file
                && (one.is_hidden != own.is_hidden
                    || (one.is_whole && own.is_whole && !is_template)
                    || ((own.is_unit_local || one.is_unit_local)
                        && !completes(one, &own)
                        && !completes(&own, one)
                        && !is_included()));
            comparable(one.kind, own.kind)
                && one.kind != SymbolKind::Test
                && !is_other
                && ((own.is_alone && one.is_alone) || self.is_in_same(id, one.id))
        };
        let mut found: Vec<SymbolId> = all.iter().filter(is_same).map(|one| one.id).collect();
        // Programs that live side by side declare the same names.
        let others = found.iter().filter(|other| other.file != id.file).count();
        if (2..64).contains(&others) {
            let own = self.transitive_includes(id.file);
            let is_near =
                |other: &SymbolId| own.contains(&other.file) || self.transitive_includes(other.file).contains(&id.file);
            if found.iter().any(|other| other.file != id.file && is_near(other)) {
                found.retain(is_near);
            }
        }
        if symbol.kind.is_function() && symbol.kind != SymbolKind::Macro && found.len() > 1 {
            found = self.of_one_signature(id, found);
        }
        sorted(found)
    }

    fn declared(&self, id: SymbolId, view: &View, symbol: &Symbol) -> Declaration {
        Declaration {
            id,
            kind: symbol.kind,
            is_hidden: symbol.visibility == Some(Visibility::Private) && !view.is_member(symbol),
            is_whole: is_whole(symbol),
            is_specialised: is_specialised(view, symbol),
            is_unit_local: self.is_unit_local(id.file, view, symbol),
            is_tag: is_tag(view, symbol),
            is_alone: symbol.owner.is_none() && (symbol.parent.is_none() || is_said_again(view, symbol)),
        }
    }

    /// The definitions of a name in a file.
    fn declared_by_file(&self, file: FileIdx, name: &str) -> Vec<Declaration> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let named = view.symbols_named(name);
        let all = named.map(|(index, symbol)| self.declared(SymbolId { file, symbol: index }, &view, symbol));
        all.collect()
    }

    /// The same of what is a file's own: in itself, in what it includes, and for a header in what includes it.
    fn declared_near(&self, file: FileIdx, name: &str, is_alone: bool) -> Rc<[Declaration]> {
        let included = self.direct_includes(file);
        let is_shared = !is_alone && is_header(self.modules.files().path(file));
        let is_near = |other: &FileIdx| {
            let includes = || included.contains(other) || (is_shared && self.direct_includes(*other).contains(&file));
            *other == file || (!is_alone && includes())
        };
        let defining = self.defining(name);
        let near = defining.iter().copied().filter(is_near);
        near.flat_map(|file| self.declared_by_file(file, name)).collect()
    }

    /// The same in all files of related languages. Each of them is asked which of the others it is one thing with.
    fn declared_by_all(&self, lang: LangId, name: &str) -> Rc<[Declaration]> {
        let known = self
            .memo
            .borrow()
            .c_family
            .declarations
            .get(&lang)
            .and_then(|names| names.get(name).cloned());
        if let Some(known) = known {
            return known;
        }
        let defining = self.defining(name);
        let files = defining.iter().copied().filter(|file| related(lang, self.lang(*file)));
        let all: Rc<[Declaration]> = self
            .in_turn(files)
            .flat_map(|file| self.declared_by_file(file, name))
            .collect();
        let declarations = &mut self.memo.borrow_mut().c_family.declarations;
        declarations.entry(lang).or_default().insert(name.into(), all.clone());
        all
    }

    /// Means something in the files that include it and in no others: another name of a type, a constant of C++. Another
    /// one of that name is another thing.
    pub(crate) fn is_unit_local(&self, file: FileIdx, view: &View, symbol: &Symbol) -> bool {
        let is_const = || {
            let ty = symbol.ty.map(|ty| view.facts.names.get(ty));
            matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant)
                && self.lang(file) == LangId::Cpp
                && ty.is_some_and(|ty| ty.starts_with("const "))
        };
        !view.is_member(symbol) && (symbol.kind == SymbolKind::Type || is_const())
    }

    /// Whether two definitions of one name are in the same type or namespace.
    pub(crate) fn is_in_same(&self, one: SymbolId, other: SymbolId) -> bool {
        if one == other {
            return true;
        }
        let type_around = |id| match self.owner(id) {
            _ if self.symbol(id, is_friend) == Some(true) => None,
            Base::Symbol(owner) if self.kind_of(owner).is_some_and(SymbolKind::is_type) => Some(owner),
            _ => None,
        };
        // Neither inside of something nor said to belong to it; a namespace that a macro opens is not seen.
        let is_free = |id| {
            let free = |view: &View, symbol: &Symbol| {
                symbol.owner.is_none() && (!view.is_member(symbol) || is_friend(view, symbol))
            };
            self.symbol(id, free).unwrap_or(false)
        };
        match (type_around(one), type_around(other)) {
            (Some(one), Some(other)) => one == other || self.same_thing(one).contains(&other),
            (Some(_), None) if is_free(other) => false,
            (None, Some(_)) if is_free(one) => false,
            _ => {
                let path = |id| {
                    self.symbol(id, |view, symbol| {
                        let path = declared_parts(view, symbol);
                        let path: Vec<String> = path.into_iter().map(str::to_owned).collect();
                        (path, symbol.owner.is_some())
                    })
                };
                let (Some((one, one_is_outside)), Some((other, other_is_outside))) = (path(one), path(other)) else {
                    return false;
                };
                // A definition outside of its namespace's block may leave namespaces out.
                one == other || ((one_is_outside || other_is_outside) && ends_alike(&one, &other))
            }
        }
    }

    /// Of functions of one name those with the same parameters; what says less of its parameters goes with what has no
    /// counterpart.
    pub(crate) fn of_one_signature(&self, id: SymbolId, all: Vec<SymbolId>) -> Vec<SymbolId> {
        struct Function {
            id: SymbolId,
            /// The types of its parameters, and whether it is `const`.
            signature: (Vec<Option<String>>, Option<Modifier>),
            is_declaration: bool,
            is_inside: bool,
            /// Whether it is a template; not told of what stands outside of its type, which may be one.
            takes_types: Option<bool>,
        }
        let types_of = |view: &View, symbol: &Symbol| {
            let parameters = view.parameters(symbol);
            let types = parameters.map(|parameter| Some(canonical_spelling(view.facts.names.get(parameter.ty?))));
            types.collect()
        };
        let functions = all.iter().filter_map(|id| {
            self.symbol(*id, |view, symbol| Function {
                id: *id,
                signature: (types_of(view, symbol), self.modifier_of(*id)),
                is_declaration: symbol.is_declaration,
                is_inside: symbol.owner.is_none() && view.is_member(symbol) && !is_friend(view, symbol),
                takes_types: symbol.owner.is_none().then(|| !self.parameters_of_type(*id).is_empty()),
            })
        });
        let functions: Vec<Function> = functions.collect();
        let has_counterpart = |one: &Function| {
            (one.is_inside && !one.is_declaration)
                || functions
                    .iter()
                    .any(|other| other.is_declaration != one.is_declaration && other.signature == one.signature)
        };
        let Some(own) = functions.iter().find(|one| one.id == id) else {
            return all;
        };
        let is_paired = has_counterpart(own) || functions.len() > 64;
        // One that says nothing of its parameters may have any.
        let is_only = |other: &Function| {
            let mut both = [own, other].into_iter();
            both.any(|one| self.lang(one.id.file) == LangId::C)
        };
        // Two bodies are two functions, and so are two that one type declares, or that take different types.
        let may_be = |other: &Function| {
            let declared = [own, other].map(|one| one.is_declaration);
            let taken = [own, other].map(|one| one.signature.0.len() + usize::from(one.signature.1.is_some()));
            let is_only = is_only(other);
            // Nobody declares one function twice in a file with types of other names.
            let is_beside = own.id.file == other.id.file;
            let are_apart = || own.is_inside && other.is_inside || is_beside || !self.takes_the_same(own.id, other.id);
            (taken[0] == taken[1] || taken.contains(&0) || is_only)
                && declared != [false; 2]
                && !(declared == [true; 2] && !is_only && are_apart())
        };
        let is_like = |other: &Function| {
            own.takes_types
                .zip(other.takes_types)
                .is_none_or(|(own, other)| own == other)
        };
        let same = functions.iter().filter(|other| is_like(other)).filter(|other| {
            let is_open = is_only(other) || (!is_paired && !has_counterpart(other));
            other.signature == own.signature || (is_open && may_be(other))
        });
        same.map(|other| other.id).collect()
    }
}

/// A definition, with what tells whether another of its name is the same thing.
pub(crate) struct Declaration {
    id: SymbolId,
    kind: SymbolKind,
    /// Nobody else sees it.
    is_hidden: bool,
    is_whole: bool,
    /// It is a template for some types.
    is_specialised: bool,
    is_unit_local: bool,
    /// It calls a struct by the name that this has.
    is_tag: bool,
    /// It is in nothing.
    is_alone: bool,
}

/// Is no mere declaration, nor another name of something: there can be only one in a program.
pub(crate) fn is_whole(symbol: &Symbol) -> bool {
    if symbol.kind.is_function() {
        !symbol.is_declaration
    } else {
        symbol.kind.has_members()
    }
}

/// A template that is written for some types: `template <> struct traits<Point> {`.
fn is_specialised(view: &View, symbol: &Symbol) -> bool {
    let ty = symbol.ty.map(|ty| view.facts.names.get(ty));
    symbol.kind.has_members() && ty.is_some_and(|ty| ty.ends_with('>'))
}

/// Another name of a struct that is the struct's own: `typedef struct node node;`.
fn is_tag(view: &View, symbol: &Symbol) -> bool {
    let mut words = symbol.ty.map_or("", |ty| view.facts.names.get(ty)).split_whitespace();
    symbol.kind == SymbolKind::Type
        && matches!(words.next(), Some("struct" | "union"))
        && words.next() == Some(view.facts.name(symbol))
        && words.next().is_none()
}

/// A function that a class speaks of without having it: `friend void draw(const Shape&);`.
fn is_friend(view: &View, symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Function
        && symbol.owner.is_none()
        && view.parent(symbol).is_some_and(|outer| outer.kind.has_members())
}

/// As `qualified_parts`; what a class befriends is in the namespace around it.
fn declared_parts<'v>(view: &'v View, symbol: &Symbol) -> Vec<&'v str> {
    if !is_friend(view, symbol) {
        return qualified_parts(view, symbol);
    }
    let around = view
        .outwards(symbol.parent)
        .find(|(_, outer)| !outer.kind.has_members());
    let around = around.map(|(_, outer)| qualified_parts(view, outer));
    around.into_iter().flatten().chain([view.facts.name(symbol)]).collect()
}

/// Kinds of which one can be the declaration of another.
pub(crate) fn comparable(one: SymbolKind, other: SymbolKind) -> bool {
    let is_code = |kind: SymbolKind| kind.is_function() && kind != SymbolKind::Macro;
    one == other
        || (is_code(one) && is_code(other))
        || (one.is_type() && other.is_type())
        || (!one.is_function() && !one.is_type() && !other.is_function() && !other.is_type())
}

/// A function that another function declares for itself: `extern int run(void);`.
fn is_said_again(view: &View, symbol: &Symbol) -> bool {
    let is_free = |outer: &Symbol| outer.kind.is_function() && outer.parent.is_none() && outer.owner.is_none();
    symbol.is_declaration && symbol.kind.is_function() && view.parent(symbol).is_some_and(is_free)
}
