//! Which declarations are of one and the same thing.

use std::rc::Rc;

use syntax::{Binding, LangId, LocalKind, Modifier, Symbol, SymbolKind, Visibility};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, MANY_FILES, Resolver, ids, sorted},
    },
    files::FileIdx,
    lang::related,
    modules::Target,
    overload::conversions::spelled,
    scope::paths::{ends_alike, qualified_parts},
    types::ty::Base,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The field that a method of a derived class gives a value: `self.size = 1`, where a base says what `size` is.
    fn field_above(&self, id: SymbolId, symbol: &Symbol, name: &str) -> Option<SymbolId> {
        if symbol.kind != SymbolKind::Field || symbol.ty.is_some() || !self.semantics(id.file).body_scope {
            return None;
        }
        let Base::Symbol(own) = self.owner(id) else { return None };
        let found = self.members(own, name);
        found.first().copied().filter(|_| !found.contains(&id))
    }

    /// A definition and its other declarations: a prototype, another part of it, further signatures.
    pub fn same_thing(&self, id: SymbolId) -> Vec<SymbolId> {
        if self.semantics(id.file).has_headers {
            let same = &self.known.same;
            return same.get(&self.trail, id, vec![id], || self.declared_elsewhere(id));
        }
        // What files add to from outside is looked for in all of them.
        if self.semantics(id.file).merges && self.kind_of(id).is_some_and(is_added_to) {
            let same = &self.known.same;
            return same.get(&self.trail, id, vec![id], || self.same_by_name(id));
        }
        self.same_by_name(id)
    }

    /// What its package defines under the name for other programs: `open_linux.go`, `open_windows.go`.
    pub fn built_instead(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file).filter(|_| self.semantics(id.file).names_package) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[id.symbol as usize];
        let name = view.facts.name(symbol);
        let (files, semantics) = (self.modules.files(), self.semantics(id.file));
        // A package has as many of these as it likes.
        if matches!(name, "init" | "_") || symbol.kind == SymbolKind::Namespace {
            return Vec::new();
        }
        let own = (files.path(id.file), view.condition());
        let path = whole_path(&view, symbol);
        let defining = self.defining(name);
        let others = defining.iter().filter(|other| {
            **other != id.file
                && related(self.lang(id.file), self.lang(**other))
                && (semantics.shares_scope)(files, id.file, **other)
        });
        let instead = others.filter_map(|other| {
            let view = self.view(*other)?;
            let is_excluded = (semantics.excludes)(own, (files.path(*other), view.condition()));
            let alike = view.symbols_named(name).filter(|(_, one)| {
                is_excluded
                    && one.kind.is_function() == symbol.kind.is_function()
                    && one.kind.is_type() == symbol.kind.is_type()
                    && whole_path(&view, one) == path
            });
            Some(ids(*other, alike))
        });
        instead.flatten().collect()
    }

    fn same_by_name(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return vec![id];
        };
        let symbol = &view.facts.symbols[id.symbol as usize];
        let name = view.facts.name(symbol);
        if let Some(declared) = self.field_above(id, symbol, name) {
            return self.trail.deeper(vec![id], || self.same_thing(declared));
        }
        let has_overloads = self.semantics(id.file).has_overloads;
        // A method of a class itself is none of its values', whatever it is called.
        let is_static = |symbol: u32| self.is_static(SymbolId { symbol, ..id });
        let has_separate_names = self.semantics(id.file).has_separate_names;
        let has_marked_macros = self.semantics(id.file).has_marked_macros;
        let is_macro = |kind: SymbolKind| kind == SymbolKind::Macro;
        // Where a file says which package it is part of, that is none of what the package holds.
        let merges = self.semantics(id.file).merges;
        let is_package = |kind: SymbolKind| kind == SymbolKind::Namespace && !merges;
        let arity = self.arity(id);
        let alike = |index: u32, other: &Symbol| {
            other.parent == symbol.parent
                && !(has_marked_macros && is_macro(other.kind) != is_macro(symbol.kind))
                && is_package(other.kind) == is_package(symbol.kind)
                && !(has_separate_names && other.kind.is_function() != symbol.kind.is_function())
                && is_static(index) == is_static(id.symbol)
                && other.owner == symbol.owner
                && self.arity(SymbolId { symbol: index, ..id }) == arity
                && (other.name_at == symbol.name_at
                    || !has_overloads
                    || !(symbol.kind.is_function() || other.kind.is_function()))
        };
        let here = view.symbols_named(name).filter(|(index, other)| alike(*index, other));
        let mut found = ids(id.file, here);
        if self.semantics(id.file).reopens && (symbol.kind.is_type() || symbol.kind == SymbolKind::Module) {
            found.extend(self.pieces(id).iter().copied());
        }
        if self.semantics(id.file).has_parts && symbol.kind.has_members() {
            let path = whole_path(&view, symbol);
            for other in self.defining(name).iter().filter(|other| **other != id.file) {
                let Some(other_view) = self.view(*other) else { continue };
                let parts = other_view
                    .symbols_named(name)
                    .filter(|(_, one)| one.kind == symbol.kind && whole_path(&other_view, one) == path);
                let parts = ids(*other, parts).into_iter().filter(|part| self.arity(*part) == arity);
                found.extend(parts);
            }
        }
        found.extend(self.declared_beside(id, &view, symbol, name));
        if merges && is_added_to(symbol.kind) {
            found.extend(self.augmenting(id, &view, symbol, name));
        }
        sorted(found)
    }

    /// The same in the file of that name which declares what this one defines, or the other way round.
    fn declared_beside(&self, id: SymbolId, view: &View, symbol: &Symbol, name: &str) -> Vec<SymbolId> {
        let Some((defines, declares)) = self.semantics(id.file).declares_in else {
            return Vec::new();
        };
        let files = self.modules.files();
        let Some((stem, ending)) = files.path(id.file).rsplit_once('.') else {
            return Vec::new();
        };
        let other = if ending == defines { declares } else { defines };
        let Some(other) = files.at(&format!("{stem}.{other}")) else {
            return Vec::new();
        };
        let Some(other_view) = self.view(other) else {
            return Vec::new();
        };
        let path = view.facts.path_of(symbol);
        let alike = other_view
            .symbols_named(name)
            .filter(|(_, one)| one.kind.is_type() == symbol.kind.is_type() && other_view.facts.path_of(one) == path);
        ids(other, alike)
    }

    /// The other parts of a type or namespace that files add to from outside: `declare module "./shape" { interface Shape
    /// { .. } }`, `declare global { namespace Shapes { .. } }`.
    fn augmenting(&self, id: SymbolId, view: &View, symbol: &Symbol, name: &str) -> Vec<SymbolId> {
        let defining = self.defining(name);
        if defining.len() < 2 || defining.len() > MANY_FILES {
            return Vec::new();
        }
        if let Some(path) = self.ambient_path(id.file, view, symbol) {
            let mut parts = self.ambient_at(&path);
            parts.retain(|part| self.kind_of(*part).is_some_and(is_added_to));
            return parts;
        }
        let base = match self.augmented(id.file, view, symbol) {
            Some(base) => base,
            None if symbol.parent.is_none() => id,
            None => return Vec::new(),
        };
        let others = defining.iter().filter(|other| **other != base.file).flat_map(|other| {
            let Some(view) = self.view(*other) else {
                return Vec::new();
            };
            let parts = view
                .symbols_named(name)
                .filter(|(_, one)| self.augmented(*other, &view, one) == Some(base));
            ids(*other, parts)
        });
        others.chain([base]).collect()
    }

    /// The type that a part in a module of another name adds to.
    fn augmented(&self, file: FileIdx, view: &View, part: &Symbol) -> Option<SymbolId> {
        let module = &view.facts.symbols[part.parent? as usize];
        if module.kind != SymbolKind::Module || !is_added_to(part.kind) {
            return None;
        }
        let (path, name) = (view.facts.name(module), view.facts.name(part));
        let target = self
            .modules
            .resolve_path(file, &view.facts, path, Some(name), module.span.start);
        let (Target::Local(files) | Target::Candidates(files)) = target else {
            return None;
        };
        let place = At {
            file,
            view,
            at: module.span.start,
        };
        match self.taken_from(&files, (place, path), name, Rule::Path) {
            Meaning::Symbols(symbols, _) => symbols.into_iter().find(|id| self.kind_of(*id) == Some(part.kind)),
            _ => None,
        }
    }

    /// How many types a definition takes, where that is part of what it is called.
    pub(crate) fn arity(&self, id: SymbolId) -> usize {
        if !self.semantics(id.file).has_arity {
            return 0;
        }
        let arity = self.symbol(id, |view, symbol| {
            let takes = view.parameters(symbol);
            let is_type = |taken: &&Binding| taken.kind == LocalKind::Generic;
            // What is asked of one is said behind them.
            let mut names: Vec<_> = takes.filter(is_type).map(|taken| taken.name).collect();
            names.sort_unstable();
            names.dedup();
            names.len()
        });
        arity.unwrap_or_default()
    }

    /// Types of one name in one place, in all files.
    fn beside(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[id.symbol as usize];
        let (name, path) = (view.facts.name(symbol), whole_path(&view, symbol));
        let others = self.defining(name);
        let others = others
            .iter()
            .filter(|other| related(self.lang(id.file), self.lang(**other)));
        let beside = others.filter_map(|other| {
            let view = self.view(*other)?;
            let alike = view
                .symbols_named(name)
                .filter(|(_, one)| one.kind.has_members() && whole_path(&view, one) == path);
            Some(ids(*other, alike))
        });
        beside.flatten().filter(|other| *other != id).collect()
    }

    /// Of definitions of one name those that take so many types; all if none says so.
    pub(crate) fn of_arity(&self, mut symbols: Vec<SymbolId>, given: usize) -> Vec<SymbolId> {
        let Some(first) = symbols.first().copied().filter(|id| self.semantics(id.file).has_arity) else {
            return symbols;
        };
        // One that is nearer and takes others is not meant.
        if self.kind_of(first).is_some_and(SymbolKind::has_members) && symbols.iter().all(|id| self.arity(*id) != given)
        {
            symbols.extend(self.beside(first));
        }
        if symbols.len() < 2 {
            return symbols;
        }
        let is_function = |id: SymbolId| self.kind_of(id).is_some_and(SymbolKind::is_function);
        // What a function is given may be left out.
        let fits = |id: &SymbolId| self.arity(*id) == given || (given == 0 && is_function(*id));
        let fitting: Vec<SymbolId> = symbols.iter().copied().filter(fits).collect();
        if fitting.is_empty() { symbols } else { fitting }
    }

    /// The declarations and the definition of one thing, in a language where files include each other.
    pub(crate) fn declared_elsewhere(&self, id: SymbolId) -> Vec<SymbolId> {
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
        let completes = |one: &Declared, other: &Declared| one.is_tag && n_whole == 1 && other.is_whole;
        let is_same = |one: &&Declared| {
            let file = one.id.file;
            let is_included = || self.reach(id.file).contains(&file) || self.reach(file).contains(&id.file);
            // A template goes on wherever it is written for some types.
            let is_template = one.is_specialised || own.is_specialised;
            let is_other = file != id.file
                && (one.is_hidden != own.is_hidden
                    || (one.is_whole && own.is_whole && !is_template)
                    || ((own.is_by_file || one.is_by_file)
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
            let own = self.reach(id.file);
            let is_near = |other: &SymbolId| own.contains(&other.file) || self.reach(other.file).contains(&id.file);
            if found.iter().any(|other| other.file != id.file && is_near(other)) {
                found.retain(is_near);
            }
        }
        if symbol.kind.is_function() && symbol.kind != SymbolKind::Macro && found.len() > 1 {
            found = self.of_one_signature(id, found);
        }
        sorted(found)
    }

    fn declared(&self, id: SymbolId, view: &View, symbol: &Symbol) -> Declared {
        Declared {
            id,
            kind: symbol.kind,
            is_hidden: symbol.visibility == Some(Visibility::Private) && !view.is_member(symbol),
            is_whole: is_whole(symbol),
            is_specialised: is_specialised(view, symbol),
            is_by_file: self.is_by_file(id.file, view, symbol),
            is_tag: is_tag(view, symbol),
            is_alone: symbol.owner.is_none() && (symbol.parent.is_none() || is_said_again(view, symbol)),
        }
    }

    /// The definitions of a name in a file.
    fn declared_by_file(&self, file: FileIdx, name: &str) -> Vec<Declared> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let named = view.symbols_named(name);
        let all = named.map(|(index, symbol)| self.declared(SymbolId { file, symbol: index }, &view, symbol));
        all.collect()
    }

    /// The same of what is a file's own: in itself, in what it includes, and for a header in what includes it.
    fn declared_near(&self, file: FileIdx, name: &str, is_alone: bool) -> Rc<[Declared]> {
        let included = self.directly_included(file);
        let is_shared = !is_alone && is_header(self.modules.files().path(file));
        let is_near = |other: &FileIdx| {
            let includes = || included.contains(other) || (is_shared && self.directly_included(*other).contains(&file));
            *other == file || (!is_alone && includes())
        };
        let defining = self.defining(name);
        let near = defining.iter().copied().filter(is_near);
        near.flat_map(|file| self.declared_by_file(file, name)).collect()
    }

    /// The same in all files of related languages. Each of them is asked which of the others it is one thing with.
    fn declared_by_all(&self, lang: LangId, name: &str) -> Rc<[Declared]> {
        let known = self
            .memo
            .borrow()
            .declared
            .get(&lang)
            .and_then(|names| names.get(name).cloned());
        if let Some(known) = known {
            return known;
        }
        let defining = self.defining(name);
        let files = defining.iter().copied().filter(|file| related(lang, self.lang(*file)));
        let all: Rc<[Declared]> = self
            .in_turn(files)
            .flat_map(|file| self.declared_by_file(file, name))
            .collect();
        let declared = &mut self.memo.borrow_mut().declared;
        declared.entry(lang).or_default().insert(name.into(), all.clone());
        all
    }

    /// Means something in the files that include it and in no others: another name of a type, a constant of C++. Another
    /// one of that name is another thing.
    pub(crate) fn is_by_file(&self, file: FileIdx, view: &View, symbol: &Symbol) -> bool {
        let is_const = || {
            let ty = symbol.ty.map(|ty| view.facts.names.get(ty));
            matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant)
                && self.semantics(file).has_constants_by_file
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
            let types = parameters.map(|parameter| Some(spelled(view.facts.names.get(parameter.ty?))));
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
            both.any(|one| self.semantics(one.id.file).has_one_of_a_name)
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
pub(crate) struct Declared {
    id: SymbolId,
    kind: SymbolKind,
    /// Nobody else sees it.
    is_hidden: bool,
    is_whole: bool,
    /// It is a template for some types.
    is_specialised: bool,
    is_by_file: bool,
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

/// Whether files may go on with what another begins, where declarations merge.
pub(crate) fn is_added_to(kind: SymbolKind) -> bool {
    kind.has_members() || kind == SymbolKind::Namespace
}

/// As `qualified_parts`, with the namespace that a file declares for all that is in it.
pub(crate) fn whole_path<'v>(view: &'v View, symbol: &Symbol) -> Vec<&'v str> {
    let path = view.facts.path_of(symbol);
    let mut outer = view.facts.symbols.iter();
    let space = outer.find(|symbol| symbol.kind == SymbolKind::Namespace && symbol.parent.is_none());
    let space = space.map(|space| view.facts.name(space));
    let space = space.filter(|space| path[0] != *space);
    let whole = space
        .into_iter()
        .chain(path)
        .flat_map(|part| part.split([':', '.', '\\']));
    whole.filter(|part| !part.is_empty()).collect()
}

/// A function that another function declares for itself: `extern int run(void);`.
fn is_said_again(view: &View, symbol: &Symbol) -> bool {
    let is_free = |outer: &Symbol| outer.kind.is_function() && outer.parent.is_none() && outer.owner.is_none();
    symbol.is_declaration && symbol.kind.is_function() && view.parent(symbol).is_some_and(is_free)
}

pub(crate) fn is_header(path: &str) -> bool {
    let made = path.strip_suffix(syntax::TEMPLATE).unwrap_or(path);
    let extension = made.rsplit('.').next().unwrap_or_default();
    matches!(
        extension,
        "h" | "hh" | "hpp" | "hxx" | "inc" | "inl" | "ipp" | "tcc" | "tpp" | "txx" | "def"
    )
}
