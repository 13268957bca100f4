//! What a use of a name means: the definition that the rules of its language lead to.
//!
//! Everything is found on demand and remembered for as long as the `Resolver` lives. Where no rule decides, nothing is
//! guessed here: that is `references`' business, which says how sure it is.

mod memo;
mod outside;
mod overloads;
mod types;

use std::{borrow::Cow, cell::RefCell, rc::Rc, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{ELEMENT, Import, LocalKind, On, Reference, Role, Symbol, SymbolKind, Visibility};

use self::{
    memo::{Remembered, Trail},
    types::{alternatives, is_nested, last_part, type_paths, without_braces},
};
use crate::{
    files::FileIdx,
    modules::{Modules, Target},
    semantics::{self, Semantics, related},
    view::{SymbolId, View, World},
};

/// The way from a name to its definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// In a scope around it, or in the same file.
    Scope,
    Import,
    /// In another file of the same package.
    Package,
    /// By a path that is written before it.
    Path,
    /// A member of the type of what it stands on.
    Member,
    /// A member of a type that the type is derived from.
    Inherited,
    /// Visible to all files of the program.
    Global,
    /// An import takes everything from where it is.
    Wildcard,
    /// A member of what the value on the left holds or gives: an element, what a wrapper wraps.
    Element,
    /// An import leads to one of several files by its name.
    Likely,
}

impl Rule {
    /// How often such a conclusion is right; `cargo xtask eval refs` compares.
    pub fn confidence(self) -> f32 {
        match self {
            Rule::Scope | Rule::Import | Rule::Package | Rule::Path => 0.98,
            Rule::Member => 0.95,
            Rule::Inherited | Rule::Global | Rule::Wildcard => 0.93,
            Rule::Element => 0.85,
            Rule::Likely => 0.8,
        }
    }

    /// For people: "by its import".
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::Scope => "scope",
            Rule::Import => "import",
            Rule::Package => "package",
            Rule::Path => "path",
            Rule::Member => "receiver's type",
            Rule::Inherited => "inherited",
            Rule::Global => "global",
            Rule::Wildcard => "wildcard import",
            Rule::Element => "element's type",
            Rule::Likely => "likely import",
        }
    }
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// Definitions in the workspace; several if they share the name in one place, as overloads do.
    Symbols(Vec<SymbolId>, Rule),
    /// A local name of its file: a place in the list of bindings.
    Local(u32),
    /// A module that is one file, or a package of several.
    Files(Vec<FileIdx>),
    /// Nothing in this workspace.
    External,
    /// The type that it is asked of is known, and has no such member.
    Missing,
    Unknown,
}

impl Meaning {
    fn is_found(&self) -> bool {
        matches!(self, Meaning::Symbols(..) | Meaning::Local(_) | Meaning::Files(_))
    }

    fn of(symbols: Vec<SymbolId>, rule: Rule) -> Option<Meaning> {
        (!symbols.is_empty()).then_some(Meaning::Symbols(symbols, rule))
    }
}

/// What members are looked for in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Base {
    /// A type, a block that adds to one, or a namespace.
    Symbol(SymbolId),
    /// One of several types, as what is declared to be one or the other.
    Any(Vec<SymbolId>),
    Files(Vec<FileIdx>),
    External,
    Unknown,
}

/// What is known of a value's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ty {
    pub head: Base,
    /// Other types of the workspace in its description: arguments, alternatives, what a function takes.
    pub rest: Vec<SymbolId>,
}

impl Ty {
    fn new(head: Base) -> Ty {
        Ty { head, rest: Vec::new() }
    }

    /// This or the other.
    fn or(mut self, mut other: Ty) -> Ty {
        self.rest.append(&mut other.rest);
        self.head = match (self.head, other.head) {
            (Base::Symbol(one), Base::Symbol(other)) => Base::Any(vec![one, other]),
            (Base::Any(mut all), Base::Symbol(one)) | (Base::Symbol(one), Base::Any(mut all)) => {
                all.push(one);
                Base::Any(all)
            }
            (known @ (Base::Symbol(_) | Base::Any(_)), _) | (_, known @ (Base::Symbol(_) | Base::Any(_))) => known,
            (Base::Unknown, _) | (_, Base::Unknown) => Base::Unknown,
            (head, _) => head,
        };
        self
    }

    /// With members that are written where it is; perhaps, if it is not sure that they are its own.
    fn with(mut self, literal: SymbolId, perhaps: bool) -> Ty {
        if perhaps {
            self.rest.push(literal);
        } else {
            if let Base::Symbol(also) = self.head {
                self.rest.insert(0, also);
            }
            self.head = Base::Symbol(literal);
        }
        self
    }
}

const UNKNOWN: Ty = Ty {
    head: Base::Unknown,
    rest: Vec::new(),
};

/// A name that more files define is no use as a way to a type's member.
const MANY_FILES: usize = 200;

/// Views that are held at a time; those in use stay beyond that.
const MAX_VIEWS: usize = 512;

#[derive(Default)]
struct Memo {
    views: FxHashMap<FileIdx, Option<Arc<View>>>,
    defining: FxHashMap<Box<str>, Rc<[FileIdx]>>,
    reach: FxHashMap<FileIdx, Rc<FxHashSet<FileIdx>>>,
    added: FxHashMap<Box<str>, Option<SymbolId>>,
}

/// What leads from name to name, and may come back to where it began.
#[derive(Default)]
struct Known {
    meanings: Remembered<(FileIdx, u32), Meaning>,
    imports: Remembered<(FileIdx, u32), Meaning>,
    values: Remembered<(FileIdx, u32), Ty>,
    bindings: Remembered<(FileIdx, u32), Ty>,
    exported: Remembered<(FileIdx, Box<str>), Meaning>,
    members: Remembered<(SymbolId, Box<str>), Vec<SymbolId>>,
    supertypes: Remembered<SymbolId, Rc<Supertypes>>,
    same: Remembered<SymbolId, Vec<SymbolId>>,
    owners: Remembered<SymbolId, Base>,
    pieces: Remembered<SymbolId, Rc<[SymbolId]>>,
    types: Remembered<SymbolId, Ty>,
}

/// What a type is derived from.
#[derive(Debug, Default)]
pub(crate) struct Supertypes {
    pub known: Vec<SymbolId>,
    /// Some are not of this workspace, or not found.
    pub has_others: bool,
}

pub struct Resolver<'w> {
    pub(crate) world: &'w dyn World,
    pub(crate) modules: &'w Modules,
    memo: RefCell<Memo>,
    known: Known,
    trail: Trail,
}

/// A place in a file.
#[derive(Clone, Copy)]
pub(crate) struct At<'v> {
    pub file: FileIdx,
    pub view: &'v View,
    pub at: u32,
}

impl<'w> Resolver<'w> {
    pub fn new(world: &'w dyn World, modules: &'w Modules) -> Resolver<'w> {
        Resolver {
            world,
            modules,
            memo: RefCell::default(),
            known: Known::default(),
            trail: Trail::default(),
        }
    }

    pub fn view(&self, file: FileIdx) -> Option<Arc<View>> {
        if let Some(known) = self.memo.borrow().views.get(&file) {
            return known.clone();
        }
        let view = self.world.view(file);
        let views = &mut self.memo.borrow_mut().views;
        // One answer may look at every file; it must not keep them all.
        if views.len() >= MAX_VIEWS {
            views.clear();
        }
        views.insert(file, view.clone());
        view
    }

    pub(crate) fn defining(&self, name: &str) -> Rc<[FileIdx]> {
        if let Some(known) = self.memo.borrow().defining.get(name) {
            return known.clone();
        }
        let files: Rc<[FileIdx]> = self.world.defining(name).into();
        self.memo.borrow_mut().defining.insert(name.into(), files.clone());
        files
    }

    pub(crate) fn lang(&self, file: FileIdx) -> &'static str {
        self.modules.files().lang(file)
    }

    pub(crate) fn semantics(&self, file: FileIdx) -> &'static Semantics {
        semantics::of(self.lang(file))
    }

    /// A definition, with its file.
    pub(crate) fn symbol<T>(&self, id: SymbolId, read: impl FnOnce(&View, &Symbol) -> T) -> Option<T> {
        let view = self.view(id.file)?;
        let symbol = view.facts.symbols.get(id.symbol as usize)?;
        Some(read(&view, symbol))
    }

    pub(crate) fn name_of(&self, id: SymbolId) -> String {
        self.symbol(id, |view, symbol| view.facts.name(symbol).to_owned())
            .unwrap_or_default()
    }

    pub(crate) fn kind_of(&self, id: SymbolId) -> Option<SymbolKind> {
        self.symbol(id, |_, symbol| symbol.kind)
    }

    /// What a reference means.
    pub fn meaning(&self, file: FileIdx, reference: u32) -> Meaning {
        self.known
            .meanings
            .get(&self.trail, (file, reference), Meaning::Unknown, || {
                let Some(view) = self.view(file) else {
                    return Meaning::Unknown;
                };
                match view.facts.references.get(reference as usize) {
                    Some(found) => self.meaning_of(file, &view, found, reference),
                    None => Meaning::Unknown,
                }
            })
    }

    fn meaning_of(&self, file: FileIdx, view: &View, reference: &Reference, index: u32) -> Meaning {
        let name = view.facts.names.get(reference.name);
        let place = At {
            file,
            view,
            at: reference.at,
        };
        let semantics = self.semantics(file);
        let found = match (reference.role, reference.on) {
            (Role::Import, _) => self.imported_at(place, reference, name),
            (_, On::Literal) => Meaning::External,
            (_, On::Other) => Meaning::Unknown,
            (_, On::This) => self.member_of(&Ty::new(self.own_type(place)), name),
            (_, On::Super) => self.of_supertypes(place, name),
            (_, On::Value(value)) => match self.member_of(&self.value(file, value), name) {
                // Asked of what an option holds, behind a mark that says so.
                Meaning::External if !semantics.options.is_empty() && !semantics.option_members.contains(&name) => {
                    let held = self.held(file, value, semantics.options);
                    held.map_or(Meaning::External, |held| self.member_of(&held, name))
                }
                found @ (Meaning::External | Meaning::Unknown) if semantics.dotted_packages => {
                    self.in_package(place, value, name).unwrap_or(found)
                }
                found => found,
            },
            (Role::Member, On::Path(path)) if semantics.has_literals => {
                self.member_of_literal(place, view.facts.names.get(path), name)
            }
            (_, On::Path(path)) => self.at_path(place, view.facts.names.get(path), name, reference.role),
            (Role::Member, On::Nothing) if semantics.names_members => self.given_by_name(place, index, name),
            (Role::Member, On::Nothing) => match self.semantics(file).field_mark {
                Some(mark) if name.starts_with(mark) => self.member_of(&Ty::new(self.own_type(place)), name),
                _ => self.initialised(place, name),
            },
            (role, On::Nothing) => self.lookup(place, name, role),
        };
        let found = match found {
            Meaning::Missing if semantics.has_views => self.of_view(place, reference.on, name).unwrap_or(found),
            Meaning::External | Meaning::Unknown | Meaning::Missing
                if semantics.has_extensions && !matches!(reference.on, On::Nothing | On::Path(_) | On::Super) =>
            {
                self.extension(place, reference.on, name).unwrap_or(found)
            }
            found => found,
        };
        match found {
            // What is in a container is a guess, which the call must bear out.
            Meaning::Symbols(symbols, Rule::Element) if !self.some_takes(&symbols, reference) => Meaning::External,
            Meaning::Symbols(symbols, rule) => {
                let is_member = matches!(reference.on, On::Value(_) | On::This | On::Super);
                let fitting = self.fitting(file, symbols, reference.role, is_member);
                Meaning::of(self.by_arguments(fitting, file, view, index), rule).unwrap_or(Meaning::Missing)
            }
            // A type from elsewhere may have been given it here.
            Meaning::External
                if matches!(reference.on, On::Value(_) | On::Literal)
                    && self.semantics(file).extends_others
                    && self.is_added(file, name) =>
            {
                Meaning::Unknown
            }
            found => found,
        }
    }

    /// Whether some block adds a member of this name to a type that is not of this workspace.
    fn is_added(&self, file: FileIdx, name: &str) -> bool {
        self.members_named(file, name)
            .iter()
            .any(|(_, owner)| self.kind_of(*owner) == Some(SymbolKind::Impl))
    }

    /// A member that is given a value where its type is made: `new Point { X = 1 }`, `@Column(name = "x")`.
    fn given_by_name(&self, place: At<'_>, index: u32, name: &str) -> Meaning {
        let references = &place.view.facts.references;
        let around = place.view.facts.enclosing(place.at);
        let before = (0..index).rev().take(64);
        let types = before.filter(|at| matches!(references[*at as usize].role, Role::Call | Role::Type));
        for at in types {
            if place.view.facts.enclosing(references[at as usize].at) != around {
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

    /// What stands before its value: a member of the type around, or a type that it is derived from.
    fn initialised(&self, place: At<'_>, name: &str) -> Meaning {
        if !self.semantics(place.file).has_headers {
            return Meaning::Unknown;
        }
        let Base::Symbol(own) = self.own_type(place) else {
            return Meaning::Unknown;
        };
        let found = self.members(own, name);
        let found = if found.is_empty() {
            let mut outer = self.supertypes(own).known.clone();
            outer.retain(|outer| self.name_of(*outer) == name);
            outer
        } else {
            found
        };
        Meaning::of(found, Rule::Scope).unwrap_or(Meaning::Unknown)
    }

    /// Those of several definitions of one name that can be used like this.
    pub(crate) fn fitting(
        &self,
        file: FileIdx,
        mut symbols: Vec<SymbolId>,
        role: Role,
        is_member: bool,
    ) -> Vec<SymbolId> {
        if self.semantics(file).has_namespaces {
            symbols.retain(|id| self.kind_of(*id).is_none_or(|kind| fits(kind, role, is_member)));
        }
        symbols
    }

    // Names by themselves.

    /// What a bare name means at a place.
    pub(crate) fn lookup(&self, place: At<'_>, name: &str, role: Role) -> Meaning {
        let At { file, view, at } = place;
        let semantics = self.semantics(file);
        // A path never begins with a variable where types have names of their own.
        let is_variable = semantics.has_namespaces && role == Role::Type && name.starts_with(char::is_lowercase);
        let is_apart = semantics.has_separate_names;
        let has_types_apart = is_apart || semantics.has_separate_types;
        let local = view.binding_at(name, at);
        let local = local.filter(|(_, binding)| match role {
            _ if is_variable => false,
            Role::Call => !is_apart,
            Role::Type | Role::Implementation => !has_types_apart || binding.kind == LocalKind::Generic,
            _ => true,
        });
        if let Some((index, _)) = local {
            return Meaning::Local(index);
        }
        // A constructor is asked of its type, whose name it may have. Functions, values and types of one name may be
        // not in each other's way.
        let belongs = |kind: SymbolKind| match role {
            _ if kind == SymbolKind::Constructor => false,
            Role::Type | Role::Implementation if has_types_apart => kind.is_type(),
            _ if !is_apart => true,
            Role::Call => kind.is_function() || kind.is_type(),
            Role::Variable => !kind.is_function(),
            _ => true,
        };
        let of = |symbols: Vec<SymbolId>, rule| Meaning::of(self.fitting(file, symbols, role, false), rule);
        if semantics.own_type.contains(&name) {
            return match self.own_type(place) {
                Base::Symbol(own) => Meaning::Symbols(vec![own], Rule::Scope),
                _ => Meaning::Unknown,
            };
        }
        if let Some(found) = self.of_block(place, name) {
            return found;
        }
        let mut innermost = true;
        let mut in_module = false;
        for (index, outer) in view.around(at) {
            // Decorators are written outside of what they decorate.
            if at < outer.signature.start && at < outer.name_at {
                continue;
            }
            let inner = SymbolId { file, symbol: index };
            let sees_members = semantics.implicit_this || (semantics.body_scope && innermost);
            let has_members = self.has_members(file, outer.kind);
            // What a type is derived from is looked for outside of it.
            let is_clause = role == Role::Implementation && at < outer.signature.end;
            if (has_members || outer.owner.is_some())
                && sees_members
                && !is_clause
                && let Base::Symbol(own) = self.type_of_body(inner)
            {
                let mut found = self.in_type(own, name);
                found.retain(|id| self.kind_of(*id).is_some_and(belongs));
                if let Some(found) = of(found, Rule::Scope) {
                    return found;
                }
            }
            if !has_members {
                let children = view.symbols_named(name).filter(|(_, symbol)| {
                    symbol.parent == Some(index) && !view.is_member(symbol) && can_be_named(symbol)
                });
                if let Some(found) = of(ids(file, children), Rule::Scope) {
                    return found;
                }
                // A module of a file sees nothing of what is around it.
                if semantics.has_namespaces && outer.kind == SymbolKind::Module {
                    in_module = true;
                    break;
                }
            }
            innermost = false;
        }
        let outer = view.symbols_named(name).filter(|(_, symbol)| {
            symbol.owner.is_none()
                && can_be_named(symbol)
                && (symbol.parent.is_none() || is_open_variant(view, symbol, self.lang(file)))
        });
        let outer = if in_module { Vec::new() } else { ids(file, outer) };
        if let Some(found) = of(self.own_file(place, outer), Rule::Scope) {
            return found;
        }
        let mut leads_out = false;
        match self.by_import(place, name) {
            Meaning::Unknown => {}
            Meaning::External => return Meaning::External,
            Meaning::Symbols(found, rule) => {
                if let Some(found) = of(found, rule) {
                    return found;
                }
            }
            found => return found,
        }
        let defining = self.defining(name);
        let package = defining.iter().copied().filter(|other| {
            *other != file
                && related(self.lang(file), self.lang(*other))
                && (semantics.shares_scope)(self.modules.files(), file, *other)
        });
        let says_same = |other: &FileIdx| {
            let other = self.view(*other).filter(|_| semantics.names_package);
            other.is_none_or(|other| other.package() == view.package())
        };
        let package = package.filter(says_same);
        let package: Vec<SymbolId> = package.flat_map(|other| self.outer_symbols(other, name)).collect();
        if let Some(found) = of(package, Rule::Package) {
            return found;
        }
        if role == Role::Call {
            let global = defining.iter().copied().filter(|other| {
                related(self.lang(file), self.lang(*other)) && (semantics.is_everywhere)(self.modules.files(), *other)
            });
            let global = global.flat_map(|other| self.outer_symbols(other, name));
            let functions = global.filter(|id| self.kind_of(*id) == Some(SymbolKind::Function));
            if let Some(found) = Meaning::of(functions.collect(), Rule::Global) {
                return found;
            }
        }
        match self.by_wildcard(place, name) {
            Meaning::Unknown => {}
            Meaning::External => leads_out = true,
            Meaning::Symbols(found, rule) => {
                if let Some(found) = of(found, rule) {
                    return found;
                }
            }
            found => return found,
        }
        if semantics.has_views
            && let Some(found) = self.of_package_object(place, name)
        {
            return found;
        }
        // In some other namespace of the same file.
        let elsewhere = view.symbols_named(name).filter(|(_, symbol)| view.is_outer(symbol));
        let is_kept_apart = semantics.has_namespaces || semantics.reopens;
        if let Some(found) = of(ids(file, elsewhere), Rule::Scope).filter(|_| !is_kept_apart) {
            return found;
        }
        if semantics.is_global {
            let found = self.global(place, name);
            if let Some(found) = Meaning::of(found, Rule::Global) {
                return found;
            }
        } else if role == Role::Call {
            // Macros are not bound by modules.
            if let Some(found) = Meaning::of(self.macros(file, name), Rule::Global) {
                return found;
            }
        }
        if let Some(suffix) = semantics.implied_suffix
            && role == Role::Type
            && !name.ends_with(suffix)
        {
            let longer = format!("{name}{suffix}");
            if !self.defining(&longer).is_empty() {
                return self.lookup(place, &longer, role);
            }
        }
        // A type around may be derived from one that is given it here.
        let is_added = semantics.extends_others && role == Role::Call && self.is_added(file, name);
        let is_open = semantics.open_variables && role == Role::Variable;
        let is_strict = semantics.is_strict && !is_added && !is_open;
        if is_strict || leads_out || self.is_out_of_sight(place, name) {
            Meaning::External
        } else {
            Meaning::Unknown
        }
    }

    /// What a name means inside of a type: one of its members, or itself; inside of what is written outside of its type,
    /// what it means there.
    fn in_type(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let mut inner = own;
        for _ in 0..8 {
            let mut found = self.members(inner, name);
            if !self.semantics(own.file).has_headers {
                return found;
            }
            found.retain(|id| self.kind_of(*id) != Some(SymbolKind::Constructor));
            // What a property of Objective-C is kept in.
            if let (true, Some(property)) = (found.is_empty(), name.strip_prefix('_')) {
                found = self.members(inner, property);
                found.retain(|id| self.kind_of(*id) == Some(SymbolKind::Property));
            }
            if !found.is_empty() {
                return found;
            }
            let is_itself = self.symbol(inner, |view, symbol| {
                view.facts.name(symbol) == name && symbol.kind.has_members()
            });
            if is_itself == Some(true) {
                return vec![inner];
            }
            match self.owner(inner) {
                Base::Symbol(outer) if outer != inner => inner = outer,
                _ => break,
            }
        }
        Vec::new()
    }

    /// The macros of a name, wherever they are defined.
    fn macros(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        let files = self.defining(name);
        let files = files.iter().filter(|other| self.lang(**other) == self.lang(file));
        let macros = files.flat_map(|other| self.outer_symbols(*other, name));
        macros
            .filter(|id| self.kind_of(*id) == Some(SymbolKind::Macro))
            .collect()
    }

    /// Whether nothing of this workspace can be meant by a name that no rule finds: a constant where constants are seen
    /// from inside of their modules only, unless a file mixes such a module into everything.
    fn is_out_of_sight(&self, place: At<'_>, name: &str) -> bool {
        if !self.semantics(place.file).reopens || !name.starts_with(char::is_uppercase) {
            return false;
        }
        let view = place.view;
        let is_in_type = |at: u32| {
            view.around(at)
                .any(|(_, outer)| self.has_members(place.file, outer.kind))
        };
        let mut mixes = view.references_named("include").iter();
        mixes.all(|mixin| is_in_type(view.facts.references[*mixin as usize].at))
    }

    /// A declaration in this file stands for what it declares, wherever that is defined.
    fn own_file(&self, place: At<'_>, found: Vec<SymbolId>) -> Vec<SymbolId> {
        if found.is_empty() || !self.semantics(place.file).is_global {
            return found;
        }
        let all: Vec<SymbolId> = found.iter().flat_map(|id| self.same_thing(*id)).collect();
        sorted(all)
    }

    /// What an import brings in under a name.
    fn by_import(&self, place: At<'_>, name: &str) -> Meaning {
        let At { file, view, at } = place;
        let facts = &view.facts;
        let exports_apart = self.semantics(file).exports_apart;
        let named = facts.imports.iter().enumerate().filter(|(_, import)| {
            let binds = match import.reexport {
                false => true,
                true => !exports_apart && (import.alias.is_some() || !facts.names.get(import.path).is_empty()),
            };
            binds && !import.wildcard && {
                let local = import.alias.or(import.item);
                match local {
                    Some(local) => facts.names.get(local) == name,
                    None => self.path_binds(file, facts.names.get(import.path), name),
                }
            }
        });
        // One inside a function is for that function.
        let covers = |import: &Import| match facts.enclosing(import.at) {
            None => Some(0),
            Some(around) => {
                let span = facts.symbols[around as usize].span;
                (span.start <= at && at < span.end).then_some(span.start + 1)
            }
        };
        let mut named: Vec<(u32, usize)> = named
            .filter_map(|(index, import)| Some((covers(import)?, index)))
            .collect();
        named.sort_unstable_by(|a, b| b.cmp(a));
        let mut result = Meaning::Unknown;
        for (_, index) in named {
            match self.import(file, index as u32) {
                Meaning::Unknown => {}
                Meaning::External => result = Meaning::External,
                found => return found,
            }
        }
        result
    }

    /// Whether importing a path as a whole gives a name.
    fn path_binds(&self, file: FileIdx, path: &str, name: &str) -> bool {
        match self.lang(file) {
            "python" => path.split('.').next() == Some(name),
            "go" => {
                let mut parts = path.rsplit('/');
                let last = parts.next().unwrap_or(path);
                let is_version =
                    last.len() > 1 && last.starts_with('v') && last[1..].bytes().all(|byte| byte.is_ascii_digit());
                let last = if is_version { parts.next().unwrap_or(last) } else { last };
                let bare = last.split(".v").next().unwrap_or(last);
                bare == name || bare.trim_start_matches("go-").trim_end_matches("-go").replace('-', "") == name
            }
            _ => path.rsplit(['.', ':', '\\', '/']).next() == Some(name),
        }
    }

    /// What an import stands for.
    pub(crate) fn import(&self, file: FileIdx, index: u32) -> Meaning {
        self.known
            .imports
            .get(&self.trail, (file, index), Meaning::Unknown, || {
                let Some(view) = self.view(file) else {
                    return Meaning::Unknown;
                };
                match view.facts.imports.get(index as usize) {
                    Some(import) => self.import_of(file, &view, import),
                    None => Meaning::Unknown,
                }
            })
    }

    fn import_of(&self, file: FileIdx, view: &View, import: &Import) -> Meaning {
        let facts = &view.facts;
        let path = facts.names.get(import.path);
        let item = import.item.map(|item| facts.names.get(item));
        // Something of this file, under another name: `export { a as b }`.
        if path.is_empty() {
            return item.map_or(Meaning::Unknown, |item| {
                let own = view.symbols_named(item).filter(|(_, symbol)| symbol.parent.is_none());
                Meaning::of(ids(file, own), Rule::Import).unwrap_or_else(|| {
                    let place = At {
                        file,
                        view,
                        at: import.at,
                    };
                    self.by_import(place, item)
                })
            });
        }
        let (files, rule) = match self.modules.resolve(file, facts, import) {
            Target::Local(files) => (files, Rule::Import),
            Target::Candidates(files) => (files, Rule::Likely),
            Target::External(_) => return Meaning::External,
            Target::Unknown => {
                let parts: Vec<&str> = path.split([':', '.']).filter(|part| !part.is_empty()).collect();
                let found = match item {
                    Some(item) if self.semantics(file).has_headers => self.qualified(file, &parts, item),
                    _ => Vec::new(),
                };
                return Meaning::of(found, Rule::Import).unwrap_or(Meaning::Unknown);
            }
        };
        match item {
            None if self.lang(file) == "python" && import.alias.is_none() && path.contains('.') => {
                let first = path.split('.').next().unwrap_or(path);
                match self.modules.resolve_path(file, facts, first, None, import.at) {
                    Target::Local(files) | Target::Candidates(files) => Meaning::Files(files),
                    _ => Meaning::Files(files),
                }
            }
            None => match self.whole_of(&files) {
                whole if whole.is_empty() => Meaning::Files(files),
                whole => Meaning::Symbols(whole, rule),
            },
            Some(item) => {
                let place = At {
                    file,
                    view,
                    at: import.at,
                };
                self.taken_from(&files, (place, path), item, rule)
            }
        }
    }

    /// An item of some files: one of their outer names, a member of the type that the path ends with, or a module.
    fn taken_from(&self, files: &[FileIdx], (place, path): (At<'_>, &str), item: &str, rule: Rule) -> Meaning {
        let found: Vec<SymbolId> = files.iter().flat_map(|file| self.exported(*file, item)).collect();
        let found = self.in_module(sorted(found), place, path);
        if let Some(found) = Meaning::of(found, rule) {
            return found;
        }
        if let [file] = files
            && self.semantics(*file).exports_apart
        {
            return match self.offered(*file, item) {
                Meaning::Unknown if item == "default" => match self.whole_of(files) {
                    whole if whole.is_empty() => Meaning::Files(files.to_vec()),
                    whole => Meaning::Symbols(whole, rule),
                },
                offered => offered,
            };
        }
        for file in files {
            for owner in self.path_end(*file, path) {
                let mut members = self.members(owner, item);
                members.retain(|id| self.kind_of(*id) != Some(SymbolKind::Constructor));
                if let Some(found) = Meaning::of(members, rule) {
                    return found;
                }
            }
        }
        let is_module = files.iter().any(|file| {
            let own = self.modules.files();
            let dir = own.dir(*file);
            own.stem(*file) == item || crate::files::name_of(dir) == item
        });
        if is_module {
            Meaning::Files(files.to_vec())
        } else {
            Meaning::Unknown
        }
    }

    /// Of several definitions of a file those in the module that a path leads to, for a file may hold more than one.
    fn in_module(&self, found: Vec<SymbolId>, place: At<'_>, path: &str) -> Vec<SymbolId> {
        if found.len() < 2 {
            return found;
        }
        let modules = |id: Option<u32>, view: &View| -> Vec<String> {
            let around = view.outwards(id).filter(|(_, outer)| outer.kind == SymbolKind::Module);
            let mut names: Vec<String> = around.map(|(_, outer)| view.facts.name(outer).to_owned()).collect();
            names.reverse();
            names
        };
        let mut wanted = modules(place.view.facts.enclosing(place.at), place.view);
        for part in path.split("::") {
            match part {
                "self" => {}
                "super" => drop(wanted.pop()),
                "crate" => wanted.clear(),
                part => wanted.push(part.to_owned()),
            }
        }
        // The first parts of a path are files; the more of its end a definition is inside of, the better it fits.
        let depth = |id: &SymbolId| {
            let own = self.symbol(*id, |view, symbol| modules(symbol.parent, view))?;
            wanted.ends_with(&own).then_some(own.len())
        };
        let deepest = found.iter().filter_map(depth).max();
        let inside: Vec<SymbolId> = found.iter().copied().filter(|id| depth(id) == deepest).collect();
        if deepest.is_none() { found } else { inside }
    }

    /// What a file is as a whole where that is one definition: `module.exports = Shape`. Nothing if it is an object with
    /// the file's names.
    fn whole_of(&self, files: &[FileIdx]) -> Vec<SymbolId> {
        match files {
            [file] if self.semantics(*file).exports_apart => {
                let mut found = self.exported(*file, "exports");
                found.retain(|id| {
                    let is_object = self.symbol(*id, |view, symbol| {
                        view.facts.name(symbol) == "exports" && symbol.value.is_none() && !symbol.kind.is_type()
                    });
                    is_object == Some(false) || self.kind_of(*id).is_some_and(SymbolKind::is_function)
                });
                found
            }
            _ => Vec::new(),
        }
    }

    /// The type in a file that a path ends with; it may be inside of others.
    pub(crate) fn path_end(&self, file: FileIdx, path: &str) -> Vec<SymbolId> {
        let mut parts = path.rsplit(['.', ':', '\\', '/']).filter(|part| !part.is_empty());
        let mut inner: Vec<&str> = Vec::new();
        // A few types inside of types; what is before them is the module's path.
        while let Some(outer) = parts.next().filter(|_| inner.len() < 4) {
            let mut found = self.exported(file, outer);
            for name in inner.iter().rev() {
                found = found.into_iter().flat_map(|owner| self.members(owner, name)).collect();
            }
            if !found.is_empty() {
                return found;
            }
            inner.push(outer);
        }
        Vec::new()
    }

    /// The symbols that others can take from a file under a name, followed to where they are defined.
    pub(crate) fn exported(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        match self.offered(file, name) {
            Meaning::Symbols(found, _) => found,
            _ => Vec::new(),
        }
    }

    /// What others can take from a file under a name: definitions, or another file as a whole.
    fn offered(&self, file: FileIdx, name: &str) -> Meaning {
        let key = (file, Box::from(name));
        self.known
            .exported
            .get(&self.trail, key, Meaning::Unknown, || self.offered_by(file, name))
    }

    fn offered_by(&self, file: FileIdx, name: &str) -> Meaning {
        let semantics = self.semantics(file);
        let mut own = self.outer_symbols(file, name);
        // A module and a function of one name can come from different places.
        let is_whole = !semantics.has_namespaces || own.iter().any(|id| self.kind_of(*id) != Some(SymbolKind::Module));
        if !own.is_empty() && is_whole && !semantics.exports_apart {
            return Meaning::Symbols(own, Rule::Import);
        }
        let Some(view) = self.view(file) else {
            return Meaning::Unknown;
        };
        let facts = &view.facts;
        let all = semantics.imports_are_exports;
        let handed_on = facts.imports.iter().enumerate();
        let handed_on: Vec<(usize, &Import)> = handed_on.filter(|(_, import)| all || import.reexport).collect();
        for (index, import) in &handed_on {
            let local = import.alias.or(import.item).map(|local| facts.names.get(local));
            if local != Some(name) || import.wildcard {
                continue;
            }
            match self.import(file, *index as u32) {
                Meaning::Symbols(found, rule) => {
                    if semantics.exports_apart {
                        own.clear();
                    }
                    own.extend(found);
                    return Meaning::Symbols(own, rule);
                }
                found @ Meaning::Files(_) if semantics.exports_apart => return found,
                _ => {}
            }
        }
        if let Some(own) = Meaning::of(own, Rule::Import) {
            return own;
        }
        // Everything but what the other file calls its own.
        let wildcards = handed_on
            .iter()
            .filter(|(_, import)| import.wildcard && name != "default");
        for (_, import) in wildcards {
            let Target::Local(files) = self.modules.resolve(file, facts, import) else {
                continue;
            };
            for other in files.into_iter().filter(|other| *other != file) {
                let found = self.offered(other, name);
                if found.is_found() {
                    return found;
                }
            }
        }
        // The members of the object that the file is as a whole.
        if semantics.exports_apart && name != "exports" {
            let whole = self.outer_symbols(file, "exports");
            let members = whole.iter().flat_map(|whole| self.own_members(*whole, name));
            return Meaning::of(members.collect(), Rule::Import).unwrap_or(Meaning::Unknown);
        }
        Meaning::Unknown
    }

    /// The definitions of a name in a file that are in no type or function.
    fn outer_symbols(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        let Some(view) = self.view(file) else {
            return Vec::new();
        };
        let lang = self.lang(file);
        // What a namespace holds is taken from the namespace.
        let is_inner =
            |symbol: &Symbol| !can_be_named(symbol) || (self.semantics(file).exports_apart && symbol.parent.is_some());
        let has_extensions = self.semantics(file).has_extensions;
        let outer = view.symbols_named(name).filter(|(_, symbol)| {
            let adds = has_extensions && symbol.owner.is_some() && symbol.parent.is_none();
            adds || (view.is_outer(symbol) && !is_inner(symbol)) || is_open_variant(&view, symbol, lang)
        });
        ids(file, outer)
    }

    fn by_wildcard(&self, place: At<'_>, name: &str) -> Meaning {
        let At { file, view, .. } = place;
        if self.semantics(file).is_global && !matches!(self.lang(file), "swift" | "ruby") {
            return Meaning::Unknown;
        }
        let facts = &view.facts;
        let mut leads_out = false;
        let defining = self.defining(name);
        // One inside a module or function is for that one.
        let is_seen = |import: &&Import| {
            let around = facts.enclosing(import.at).map(|around| &facts.symbols[around as usize]);
            import.wildcard && around.is_none_or(|around| around.span.start <= place.at && place.at < around.span.end)
        };
        for import in facts.imports.iter().filter(is_seen) {
            let written = At { at: import.at, ..place };
            let files = match self.modules.resolve(file, facts, import) {
                Target::Local(files) | Target::Candidates(files) => files,
                Target::External(_) => {
                    leads_out = true;
                    continue;
                }
                Target::Unknown => continue,
            };
            // A package may be many files; only those matter that have the name, or hand others' names on.
            let hands_on = files.len() <= 4;
            let with_name = files.iter().filter(|other| hands_on || defining.contains(other));
            for other in with_name {
                if *other == file {
                    // `use super::*` in a module of the same file.
                    let own = view.symbols_named(name).filter(|(_, symbol)| view.is_outer(symbol));
                    let own = self.in_module(ids(file, own), written, facts.names.get(import.path));
                    if let Some(found) = Meaning::of(own, Rule::Wildcard) {
                        return found;
                    }
                }
                let mut found = self.exported(*other, name);
                if found.is_empty() {
                    let owners = self.path_end(*other, facts.names.get(import.path));
                    found = owners.into_iter().flat_map(|owner| self.members(owner, name)).collect();
                }
                // A module of the same crate passes on what it imported itself: `use super::*`.
                if found.is_empty() && self.lang(file) == "rust" && facts.names.get(import.path).contains("super") {
                    let other_view = self.view(*other);
                    let handed = other_view.map(|view| {
                        let place = At {
                            file: *other,
                            view: &view,
                            at: 0,
                        };
                        self.by_import(place, name)
                    });
                    match handed {
                        Some(found @ (Meaning::Symbols(..) | Meaning::Files(_))) => return found,
                        Some(Meaning::External) => return Meaning::External,
                        _ => {}
                    }
                }
                if let Some(found) = Meaning::of(found, Rule::Wildcard) {
                    return found;
                }
            }
        }
        if leads_out { Meaning::External } else { Meaning::Unknown }
    }

    /// A definition anywhere in the program: nearest ones first, where files say what they include.
    fn global(&self, place: At<'_>, name: &str) -> Vec<SymbolId> {
        let file = place.file;
        let lang = self.lang(file);
        let has_headers = self.semantics(file).has_headers;
        let mut found = Vec::new();
        for other in self
            .defining(name)
            .iter()
            .filter(|other| related(lang, self.lang(**other)))
        {
            let Some(view) = self.view(*other) else { continue };
            let hidden = |symbol: &Symbol| {
                has_headers
                    && *other != file
                    && symbol.visibility == Some(Visibility::Private)
                    && !is_header(self.modules.files().path(*other))
            };
            let visible = view.symbols_named(name).filter(|(_, symbol)| {
                (view.is_outer(symbol) || is_open_variant(&view, symbol, lang)) && !hidden(symbol)
            });
            found.extend(ids(*other, visible));
        }
        if self.semantics(file).reopens {
            return self.in_nesting(place, found);
        }
        if found.len() < 2 || !has_headers {
            return found;
        }
        let found = self.in_scope(place, found);
        self.included(file, found)
    }

    /// Of several definitions those that a file includes, and what they declare; all if it includes none.
    fn included(&self, file: FileIdx, found: Vec<SymbolId>) -> Vec<SymbolId> {
        if found.len() < 2 {
            return found;
        }
        let reach = self.reach(file);
        let near: Vec<SymbolId> = found.iter().copied().filter(|id| reach.contains(&id.file)).collect();
        if near.is_empty() {
            return found;
        }
        let all: Vec<SymbolId> = near.iter().flat_map(|id| self.same_thing(*id)).collect();
        sorted(all)
    }

    /// Of definitions in namespaces those in the innermost one around a place; all if none is.
    fn in_nesting(&self, place: At<'_>, found: Vec<SymbolId>) -> Vec<SymbolId> {
        let view = place.view;
        let around = view
            .around(place.at)
            .find(|(_, outer)| self.has_members(place.file, outer.kind));
        let around = around.map_or_else(Vec::new, |(_, outer)| qualified_parts(view, outer));
        let depth = |id: &SymbolId| {
            let depth = self.symbol(*id, |view, symbol| {
                let path = qualified_parts(view, symbol);
                let outer = &path[..path.len() - 1];
                around.starts_with(outer).then_some(outer.len())
            });
            depth.flatten()
        };
        let deepest = found.iter().filter_map(depth).max();
        found
            .into_iter()
            .filter(|id| deepest.is_some() && depth(id) == deepest)
            .collect()
    }

    fn in_scope(&self, place: At<'_>, found: Vec<SymbolId>) -> Vec<SymbolId> {
        let around: Vec<&str> = place
            .view
            .around(place.at)
            .filter(|(_, outer)| outer.kind == SymbolKind::Namespace)
            .flat_map(|(_, outer)| place.view.facts.name(outer).rsplit("::"))
            .collect();
        let depth = |id: &SymbolId| {
            self.symbol(*id, |view, symbol| {
                let spaces = view
                    .outwards(symbol.parent)
                    .filter(|(_, outer)| outer.kind == SymbolKind::Namespace);
                let spaces: Vec<&str> = spaces
                    .flat_map(|(_, outer)| view.facts.name(outer).rsplit("::"))
                    .collect();
                around.ends_with(&spaces).then_some(spaces.len())
            })
            .flatten()
        };
        let Some(deepest) = found.iter().filter_map(depth).max() else {
            return found;
        };
        found.into_iter().filter(|id| depth(id) == Some(deepest)).collect()
    }

    /// The files that a file includes, directly or not, and itself.
    fn reach(&self, file: FileIdx) -> Rc<FxHashSet<FileIdx>> {
        if let Some(known) = self.memo.borrow().reach.get(&file) {
            return known.clone();
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![file];
        while let Some(next) = open.pop() {
            if !seen.insert(next) || seen.len() > 2000 {
                continue;
            }
            let Some(view) = self.view(next) else { continue };
            for import in view.facts.imports.iter().filter(|import| import.wildcard) {
                if let Target::Local(files) | Target::Candidates(files) =
                    self.modules.resolve(next, &view.facts, import)
                {
                    open.extend(files);
                }
            }
        }
        let seen = Rc::new(seen);
        self.memo.borrow_mut().reach.insert(file, seen.clone());
        seen
    }

    /// What a name in an import statement means.
    fn imported_at(&self, place: At<'_>, reference: &Reference, name: &str) -> Meaning {
        let At { file, view, .. } = place;
        let facts = &view.facts;
        let says = |import: &Import| {
            import.alias.is_some_and(|alias| facts.names.get(alias) == name)
                || import.item.is_some_and(|item| facts.names.get(item) == name)
        };
        let near = facts.imports.iter().enumerate().filter(|(_, import)| says(import));
        let nearest = near.min_by_key(|(_, import)| {
            let distance = reference.at.abs_diff(import.at);
            (import.at > reference.at, distance)
        });
        if let Some((index, _)) = nearest {
            return self.import(file, index as u32);
        }
        if self.semantics(file).has_headers {
            return self.lookup(place, name, Role::Type);
        }
        // A part of a path on the way.
        let Some((_, import)) = facts.imports.iter().enumerate().find(|(_, import)| {
            let path = facts.names.get(import.path);
            path.split(['.', ':', '\\', '/']).any(|part| part == name)
        }) else {
            return Meaning::Unknown;
        };
        let path = facts.names.get(import.path);
        let Some(until) = path.find(name).map(|at| at + name.len()) else {
            return Meaning::Unknown;
        };
        match self.modules.resolve_path(file, facts, &path[..until], None, import.at) {
            Target::Local(files) => match self.taken_from(&files, (place, &path[..until]), name, Rule::Import) {
                Meaning::Unknown => {
                    let found = files.iter().flat_map(|file| self.path_end(*file, &path[..until]));
                    Meaning::of(sorted(found.collect()), Rule::Import).unwrap_or(Meaning::Unknown)
                }
                found => found,
            },
            Target::External(_) => Meaning::External,
            _ => Meaning::Unknown,
        }
    }

    // Names behind a path or a value.

    /// A member that a literal or a pattern of a type names.
    fn member_of_literal(&self, place: At<'_>, path: &str, name: &str) -> Meaning {
        let bare = without_arguments(path);
        let named = match bare.trim_end_matches(':').rsplit_once("::") {
            Some((outer, last)) => self.at_path(place, outer, last, Role::Type),
            None => Meaning::Unknown,
        };
        if let Meaning::Symbols(symbols, _) = &named {
            let variants = symbols
                .iter()
                .filter(|id| self.kind_of(**id) == Some(SymbolKind::Variant));
            let fields = variants.flat_map(|id| {
                let view = self.view(id.file);
                let fields = view.map(|view| {
                    let fields = view
                        .symbols_named(name)
                        .filter(|(_, field)| field.parent == Some(id.symbol));
                    ids(id.file, fields)
                });
                fields.unwrap_or_default()
            });
            if let Some(found) = Meaning::of(fields.collect(), Rule::Path) {
                return found;
            }
        }
        let found = self.member_of(&self.type_from(place, path), name);
        if found.is_found() || self.semantics(place.file).has_namespaces {
            return found;
        }
        // The key of a map, or the index of an array.
        self.lookup(place, name, Role::Variable)
    }

    /// A name behind a path.
    fn at_path(&self, place: At<'_>, path: &str, name: &str, role: Role) -> Meaning {
        let At { file, view, at } = place;
        let bare = without_arguments(path);
        let mut parts: Vec<&str> = bare.split([':', '.', '\\']).filter(|part| !part.is_empty()).collect();
        let semantics = self.semantics(file);
        if semantics.has_headers {
            self.expand_alias(place, &mut parts);
        }
        let Some((first, rest)) = parts.split_first() else {
            return self.lookup(place, name, role);
        };
        let is_rust = self.lang(file) == "rust";
        let mut found = Meaning::Unknown;
        let relative = is_rust && matches!(*first, "crate" | "self" | "super" | "$crate");
        if !relative {
            let mut base = if semantics.own_type.contains(first) {
                Ty::new(self.own_type(place))
            } else if matches!(*first, "super" | "parent" | "base") {
                return self.of_supertypes(place, name);
            } else {
                let first = self.lookup(place, first, Role::Type);
                if first == Meaning::External && rest.is_empty() && !semantics.is_global {
                    found = Meaning::External;
                }
                self.ty_of(place, &first)
            };
            for part in rest {
                let next = self.member_of(&base, part);
                base = self.ty_of(place, &next);
            }
            // A namespace is in many files.
            let is_space = |id: SymbolId| self.kind_of(id) == Some(SymbolKind::Namespace);
            let member = match base.head {
                Base::Symbol(own) if semantics.has_headers && is_space(own) => Meaning::Unknown,
                _ => self.member_of(&base, name),
            };
            if member.is_found() {
                return match member {
                    Meaning::Symbols(symbols, Rule::Member) => Meaning::Symbols(symbols, Rule::Path),
                    member => member,
                };
            }
            if matches!(base.head, Base::Symbol(_)) && member == Meaning::Missing {
                found = Meaning::Missing;
            }
        }
        match self.modules.resolve_path(file, &view.facts, &bare, Some(name), at) {
            Target::Local(files) => {
                let taken = self.taken_from(&files, (place, &bare), name, Rule::Path);
                if taken.is_found() {
                    return taken;
                }
                // A macro for others is at the root of its crate, wherever it is written.
                if role == Role::Call
                    && rest.is_empty()
                    && semantics.has_namespaces
                    && let Some(found) = Meaning::of(self.macros(file, name), Rule::Path)
                {
                    return found;
                }
            }
            Target::External(_) if found == Meaning::Unknown => found = Meaning::External,
            _ => {}
        }
        let mut qualified = self.qualified(file, &parts, name);
        if semantics.has_headers {
            qualified = self.included(file, qualified);
        }
        if let Some(found) = Meaning::of(qualified, Rule::Path) {
            return found;
        }
        if found == Meaning::Unknown && semantics.is_strict && !relative {
            let known = self
                .defining(first)
                .iter()
                .any(|other| related(self.lang(file), self.lang(*other)));
            if !known {
                return Meaning::External;
            }
        }
        found
    }

    /// Puts the namespace in the place of a name that the file has given it: `namespace fs = std::filesystem`.
    fn expand_alias<'v>(&self, place: At<'v>, parts: &mut Vec<&'v str>) {
        let facts = &place.view.facts;
        let Some(first) = parts.first() else { return };
        let is_it = |import: &&Import| import.alias.is_some_and(|alias| facts.names.get(alias) == *first);
        if let Some(import) = facts.imports.iter().find(is_it) {
            let path = facts.names.get(import.path);
            parts.splice(..1, path.split(':').filter(|part| !part.is_empty()));
        }
    }

    /// A name behind a package that is written as if it were a value: `org.example.Point.of(1)`.
    fn in_package(&self, place: At<'_>, value: u32, name: &str) -> Option<Meaning> {
        let facts = &place.view.facts;
        let mut parts = Vec::new();
        let mut next = Some(value);
        while let Some(index) = next {
            let reference = &facts.references[index as usize];
            parts.push(facts.names.get(reference.name));
            next = match (reference.role, reference.on) {
                (Role::Variable | Role::Type, On::Nothing) => None,
                (Role::Member, On::Value(value)) if parts.len() < 16 => Some(value),
                _ => return None,
            };
        }
        parts.reverse();
        let path = parts.join(".");
        match self
            .modules
            .resolve_path(place.file, facts, &path, Some(name), place.at)
        {
            Target::Local(files) => {
                Some(self.taken_from(&files, (place, &path), name, Rule::Path)).filter(Meaning::is_found)
            }
            _ => None,
        }
    }

    /// The definitions of a name inside of others, given as a path or the end of one.
    fn qualified(&self, file: FileIdx, parts: &[&str], name: &str) -> Vec<SymbolId> {
        let lang = self.lang(file);
        if lang == "rust" {
            return Vec::new();
        }
        let has_headers = self.semantics(file).has_headers;
        let defining = self.defining(name);
        let files = defining.iter().filter(|other| related(lang, self.lang(**other)));
        let mut found = Vec::new();
        for other in files.take(MANY_FILES) {
            let Some(view) = self.view(*other) else { continue };
            let fitting = view.symbols_named(name).filter(|(_, symbol)| {
                let path = view.facts.path_of(symbol);
                // A namespace that is stated for the whole file.
                let stated =
                    view.facts.symbols.iter().find(|symbol| {
                        symbol.kind == SymbolKind::Namespace && symbol.parent.is_none() && path.len() > 1
                    });
                let space = stated.filter(|_| !has_headers);
                let space = space
                    .map(|space| view.facts.name(space))
                    .filter(|space| path[0] != *space);
                let whole = space.into_iter().chain(path[..path.len() - 1].iter().copied());
                let whole: Vec<&str> = whole
                    .flat_map(|part| part.split([':', '.', '\\']))
                    .filter(|part| !part.is_empty())
                    .collect();
                let without_enum = &whole[..whole.len().saturating_sub(1)];
                (whole.ends_with(parts) && !whole.is_empty())
                    || (is_open_variant(&view, symbol, lang) && without_enum.ends_with(parts))
            });
            found.extend(ids(*other, fitting));
        }
        if found.is_empty() && has_headers {
            return self.without_spaces(file, parts, name);
        }
        found
    }

    /// Definitions whose namespace is not seen, because a macro opens it: those that are in the end of the path, or in
    /// nothing at all.
    fn without_spaces(&self, file: FileIdx, parts: &[&str], name: &str) -> Vec<SymbolId> {
        let lang = self.lang(file);
        let defining = |name: &str| -> Vec<FileIdx> {
            let files = self.defining(name);
            let files = files.iter().copied().filter(|other| related(lang, self.lang(*other)));
            files.take(MANY_FILES).collect()
        };
        let is_space = |part: &&str| {
            defining(part).into_iter().any(|other| {
                self.view(other).is_some_and(|view| {
                    let mut named = view.symbols_named(part);
                    named.any(|(_, symbol)| symbol.kind == SymbolKind::Namespace)
                })
            })
        };
        if !parts.first().is_some_and(is_space) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for other in defining(name) {
            let Some(view) = self.view(other) else { continue };
            let outer = view.symbols_named(name).filter(|(_, symbol)| {
                let path = qualified_parts(&view, symbol);
                view.is_outer(symbol) && parts.ends_with(&path[..path.len() - 1])
            });
            found.extend(ids(other, outer));
        }
        found
    }

    fn of_supertypes(&self, place: At<'_>, name: &str) -> Meaning {
        let Base::Symbol(own) = self.own_type(place) else {
            return Meaning::Unknown;
        };
        let supertypes = self.supertypes(own);
        let mut found = supertypes.known.iter().map(|outer| self.members(*outer, name));
        let found = found.find(|found| !found.is_empty()).unwrap_or_default();
        Meaning::of(found, Rule::Inherited).unwrap_or(if supertypes.has_others {
            Meaning::External
        } else {
            Meaning::Unknown
        })
    }

    /// A member of a value, by what is known of its type.
    pub(crate) fn member_of(&self, ty: &Ty, name: &str) -> Meaning {
        let of_rest = || {
            let found = ty.rest.iter().flat_map(|other| self.members(*other, name));
            Meaning::of(sorted(found.collect()), Rule::Element)
        };
        match &ty.head {
            Base::Symbol(own) => {
                let found = self.members(*own, name);
                if found.is_empty() {
                    if self.semantics(own.file).own_type.contains(&name) {
                        return Meaning::Symbols(vec![*own], Rule::Member);
                    }
                    let held = of_rest().or_else(|| self.of_held(ty, *own, name));
                    return held.unwrap_or_else(|| self.without_member(*own));
                }
                let is_own = found.iter().any(|id| self.owner(*id) == Base::Symbol(*own))
                    || matches!(self.kind_of(*own), Some(SymbolKind::Module | SymbolKind::Namespace));
                Meaning::Symbols(found, if is_own { Rule::Member } else { Rule::Inherited })
            }
            Base::Any(all) => {
                let found = all.iter().flat_map(|one| self.members(*one, name));
                let is_missing = || all.iter().all(|one| self.without_member(*one) == Meaning::Missing);
                Meaning::of(sorted(found.collect()), Rule::Member)
                    .or_else(of_rest)
                    .unwrap_or_else(|| {
                        if is_missing() {
                            Meaning::Missing
                        } else {
                            Meaning::Unknown
                        }
                    })
            }
            Base::Files(files) => self.in_files(files, name),
            Base::External => {
                let common = ty.rest.first().is_some_and(|other| {
                    let semantics = self.semantics(other.file);
                    let members = semantics.container_members.unwrap_or(semantics.common_members);
                    members.contains(&name)
                });
                if common {
                    return Meaning::External;
                }
                of_rest().unwrap_or(Meaning::External)
            }
            Base::Unknown => of_rest().unwrap_or(Meaning::Unknown),
        }
    }

    /// A member of what a value holds.
    fn of_held(&self, ty: &Ty, own: SymbolId, name: &str) -> Option<Meaning> {
        let semantics = self.semantics(own.file);
        if semantics.holders.contains(&name) {
            return None;
        }
        let holders = semantics.holders.iter().flat_map(|holder| self.members(own, holder));
        let mut held = holders.map(|id| self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, Some(ty))));
        held.find_map(|held| {
            let all = match held.head {
                Base::Symbol(head) if head != own => vec![head],
                Base::Symbol(_) => Vec::new(),
                _ => held.rest,
            };
            let found = all.iter().flat_map(|held| self.members(*held, name));
            Meaning::of(sorted(found.collect()), Rule::Element)
        })
    }

    fn without_member(&self, own: SymbolId) -> Meaning {
        match self.kind_of(own) {
            Some(SymbolKind::Module | SymbolKind::Namespace) => Meaning::Unknown,
            Some(SymbolKind::Impl) if self.semantics(own.file).extends_others => Meaning::External,
            _ if self.supertypes(own).has_others => Meaning::Unknown,
            _ => Meaning::Missing,
        }
    }

    fn in_files(&self, files: &[FileIdx], name: &str) -> Meaning {
        let found: Vec<SymbolId> = files.iter().flat_map(|file| self.exported(*file, name)).collect();
        if let Some(found) = Meaning::of(sorted(found), Rule::Path) {
            return found;
        }
        for file in files {
            if self.semantics(*file).exports_apart {
                match self.offered(*file, name) {
                    Meaning::Unknown => continue,
                    offered => return offered,
                }
            }
            let Some(view) = self.view(*file) else { continue };
            // A module of a package that is one file itself.
            if self.lang(*file) == "python" {
                let sub = self.modules.resolve_path(*file, &view.facts, ".", Some(name), 0);
                if let Target::Local(sub) = sub
                    && sub != [*file]
                {
                    return Meaning::Files(sub);
                }
            }
            // What the file imported for itself can be named through it where there is nothing like `export`.
            let place = At {
                file: *file,
                view: &view,
                at: u32::MAX,
            };
            if let found @ Meaning::Files(_) = self.by_import(place, name) {
                return found;
            }
        }
        Meaning::External
    }

    // Types.

    /// What is known of the type of a reference's value.
    pub(crate) fn value(&self, file: FileIdx, reference: u32) -> Ty {
        self.known.values.get(&self.trail, (file, reference), UNKNOWN, || {
            self.value_of(file, reference)
        })
    }

    fn value_of(&self, file: FileIdx, index: u32) -> Ty {
        let Some(view) = self.view(file) else { return UNKNOWN };
        let Some(reference) = view.facts.references.get(index as usize) else {
            return UNKNOWN;
        };
        let place = At {
            file,
            view: &view,
            at: reference.at,
        };
        let on = match reference.on {
            On::Value(value) => Some(self.value(file, value)),
            On::This => Some(Ty::new(self.own_type(place))),
            _ => None,
        };
        if let Ok(nth) = view.facts.names.get(reference.name).parse::<usize>() {
            return self.nth(file, reference, nth, on.unwrap_or(UNKNOWN));
        }
        let semantics = self.semantics(file);
        let name = view.facts.names.get(reference.name);
        if let On::Value(value) = reference.on
            && semantics.unwrapping.contains(&name)
            && let Some(held) = self.held(file, value, semantics.options)
        {
            return held;
        }
        match self.meaning(file, index) {
            Meaning::Symbols(symbols, _) => {
                let symbols = self.in_position(symbols, reference.role);
                // What gives back a value of its own type is asked of one: `Circle::make()`.
                let on = on.or_else(|| match reference.on {
                    On::Path(path) if symbols.iter().any(|id| self.gives_own_type(*id)) => {
                        Some(self.type_from(place, view.facts.names.get(path)))
                    }
                    _ => None,
                });
                let mut types = symbols.iter().map(|id| self.value_of_symbol(*id, on.as_ref()));
                let first = types.next().unwrap_or(UNKNOWN);
                let known = types.fold(first, |known, other| if known == UNKNOWN { other } else { known });
                match symbols.first() {
                    Some(id) if known == UNKNOWN => self.bounded(place, *id),
                    _ => known,
                }
            }
            Meaning::Local(binding) => self.binding(file, binding),
            Meaning::Files(files) => Ty::new(Base::Files(files)),
            Meaning::External
                if reference.on == On::Nothing
                    && self.added_to(file, view.facts.names.get(reference.name)).is_some() =>
            {
                let added = self.added_to(file, view.facts.names.get(reference.name));
                added.map_or(UNKNOWN, |block| Ty::new(Base::Symbol(block)))
            }
            // What is not ours often gives back what it was asked of, or something of it: `x.iter().next()`.
            Meaning::External | Meaning::Missing | Meaning::Unknown => match on {
                Some(Ty {
                    head: Base::Symbol(own),
                    mut rest,
                }) => {
                    // Of others' types that are added to here it is not known what they hold.
                    if self.kind_of(own) == Some(SymbolKind::Impl) {
                        return UNKNOWN;
                    }
                    if semantics.passing.contains(&name) {
                        return Ty {
                            head: Base::Symbol(own),
                            rest,
                        };
                    }
                    rest.insert(0, own);
                    Ty {
                        head: if self.without_member(own) == Meaning::Missing {
                            Base::Unknown
                        } else {
                            Base::External
                        },
                        rest: if reference.role == Role::Call { rest } else { Vec::new() },
                    }
                }
                Some(on) if !on.rest.is_empty() => on,
                // What every type may have without saying so gives one of its kind: `Type::default()`.
                None if reference.role == Role::Call && semantics.has_namespaces => self.made_by(place, reference),
                // A variable that is nowhere to be seen comes from a macro.
                _ if reference.role == Role::Variable && semantics.has_headers => UNKNOWN,
                _ if self.meaning(file, index) == Meaning::External => Ty::new(Base::External),
                _ => UNKNOWN,
            },
        }
    }

    /// What an associated function that nobody wrote gives back: one of its type, or something with one in it.
    fn made_by(&self, place: At<'_>, reference: &Reference) -> Ty {
        let On::Path(path) = reference.on else {
            return UNKNOWN;
        };
        match self.type_from(place, place.view.facts.names.get(path)) {
            Ty {
                head: Base::Symbol(own),
                mut rest,
            } if self.kind_of(own).is_some_and(SymbolKind::is_type) => {
                rest.insert(0, own);
                Ty {
                    head: Base::Unknown,
                    rest,
                }
            }
            Ty { head, .. } => Ty::new(head),
        }
    }

    /// The type of a field whose type is a parameter of its struct, by what the block around knows of that parameter.
    fn bounded(&self, place: At<'_>, field: SymbolId) -> Ty {
        let text = self.symbol(field, |view, symbol| {
            let ty = symbol.ty.filter(|_| symbol.kind == SymbolKind::Field)?;
            Some(view.facts.names.get(ty).to_owned())
        });
        text.flatten().map_or(UNKNOWN, |text| self.parameter(place, &text))
    }

    /// What a type's parameter is known to be at a place.
    fn parameter(&self, place: At<'_>, text: &str) -> Ty {
        match self.lookup(place, text.trim_start_matches(['&', '*']), Role::Type) {
            Meaning::Local(binding) => self.binding(place.file, binding),
            _ => UNKNOWN,
        }
    }

    /// What a value that is written to be one of these types holds: `Circle` if it is an `Option<Circle>`.
    fn held(&self, file: FileIdx, value: u32, holders: &[&str]) -> Option<Ty> {
        if holders.is_empty() {
            return None;
        }
        let view = self.view(file)?;
        let reference = view.facts.references.get(value as usize)?;
        let semantics = self.semantics(file);
        let used = At {
            file,
            view: &view,
            at: reference.at,
        };
        self.trail.deeper(None, || match self.meaning(file, value) {
            Meaning::Symbols(symbols, _) => symbols.iter().find_map(|id| {
                let view = self.view(id.file)?;
                let symbol = &view.facts.symbols[id.symbol as usize];
                let place = At {
                    file: id.file,
                    view: &view,
                    at: symbol.signature.end.saturating_sub(1).max(symbol.name_at),
                };
                let inner = first_argument(view.facts.names.get(symbol.ty?), holders)?;
                let known = self.type_from(place, inner);
                if known == UNKNOWN && symbol.kind == SymbolKind::Field {
                    return Some(self.parameter(used, inner));
                }
                Some(known)
            }),
            Meaning::Local(index) => {
                let binding = &view.facts.bindings[index as usize];
                let place = At {
                    file,
                    view: &view,
                    at: binding.at,
                };
                match (binding.ty.map(|ty| view.facts.names.get(ty)), binding.value) {
                    (Some(text), _) if !text.contains(['#', '_']) => {
                        Some(self.type_from(place, first_argument(text, holders)?))
                    }
                    (None, Some(value)) => self.held(file, value, holders),
                    _ => None,
                }
            }
            _ => {
                let On::Value(on) = reference.on else { return None };
                let name = view.facts.names.get(reference.name);
                if semantics.passing.contains(&name) {
                    self.held(file, on, holders)
                } else if semantics.picking.contains(&name) && holders == semantics.options {
                    self.held(file, on, semantics.containers)
                } else {
                    None
                }
            }
        })
    }

    /// A part of a value by its number: `pair.0`.
    fn nth(&self, file: FileIdx, reference: &Reference, nth: usize, on: Ty) -> Ty {
        let named = match reference.on {
            On::Value(value) => self.meaning(file, value),
            _ => Meaning::Unknown,
        };
        let known = match (&named, &on.head) {
            (Meaning::Symbols(symbols, _), _) => symbols.iter().find_map(|id| self.component(*id, nth)),
            _ => None,
        };
        let known = known.or_else(|| match on.head {
            Base::Symbol(own) => self.component(own, nth),
            _ => None,
        });
        known.unwrap_or_else(|| {
            let own = match on.head {
                Base::Symbol(own) => Some(own),
                _ => None,
            };
            Ty {
                head: Base::Unknown,
                rest: own.into_iter().chain(on.rest).collect(),
            }
        })
    }

    /// The type of one of several things that a definition holds or gives back: `(A, B)`.
    fn component(&self, id: SymbolId, nth: usize) -> Option<Ty> {
        let view = self.view(id.file)?;
        let symbol = &view.facts.symbols[id.symbol as usize];
        let part = nth_part(view.facts.names.get(symbol.ty?), nth)?;
        let place = At {
            file: id.file,
            view: &view,
            at: symbol.signature.end.saturating_sub(1).max(symbol.name_at),
        };
        Some(self.type_from(place, part))
    }

    /// What a name in a pattern stands for: a part of what the pattern names, or of the value it is held against.
    fn part(&self, place: At<'_>, pattern: &str, nth: Option<usize>, value: Option<u32>) -> Ty {
        let named = match pattern.rsplit_once("::") {
            Some((outer, last)) => self.at_path(place, outer, last, Role::Call),
            None if pattern.is_empty() => Meaning::Unknown,
            None => self.lookup(place, pattern, Role::Call),
        };
        if let (Meaning::Symbols(symbols, _), Some(nth)) = (named, nth) {
            return symbols
                .iter()
                .find_map(|id| self.component(*id, nth))
                .unwrap_or(UNKNOWN);
        }
        let Some(value) = value else { return UNKNOWN };
        if let (true, Some(nth), Meaning::Symbols(symbols, _)) =
            (pattern.is_empty(), nth, self.meaning(place.file, value))
            && let Some(known) = symbols.iter().find_map(|id| self.component(*id, nth))
        {
            return known;
        }
        let semantics = self.semantics(place.file);
        let held = match (pattern, nth) {
            ("", None) => self.held(place.file, value, semantics.containers),
            (pattern, _) if semantics.option_patterns.contains(&pattern) => {
                self.held(place.file, value, semantics.options)
            }
            _ => None,
        };
        held.unwrap_or_else(|| self.value(place.file, value))
    }

    /// Of several definitions of one name those that a use can mean: a type has no value, and a value is no type.
    fn in_position(&self, symbols: Vec<SymbolId>, role: Role) -> Vec<SymbolId> {
        if symbols.len() < 2 || matches!(role, Role::Import | Role::Member) {
            return symbols;
        }
        let wants_type = matches!(role, Role::Type | Role::Implementation);
        let fits = |kind: SymbolKind| match kind {
            SymbolKind::Interface | SymbolKind::Type => wants_type,
            kind if kind.is_type() => true,
            SymbolKind::Module | SymbolKind::Namespace => true,
            _ => !wants_type,
        };
        let fitting = symbols.iter().copied();
        let fitting: Vec<SymbolId> = fitting.filter(|id| self.kind_of(*id).is_some_and(fits)).collect();
        if fitting.is_empty() { symbols } else { fitting }
    }

    fn gives_own_type(&self, id: SymbolId) -> bool {
        let own = self.semantics(id.file).own_type;
        let gives = self.symbol(id, |view, symbol| {
            symbol.ty.is_some_and(|ty| own.contains(&view.facts.names.get(ty)))
        });
        gives == Some(true)
    }

    /// The type of what a definition is, holds or gives back.
    fn value_of_symbol(&self, id: SymbolId, on: Option<&Ty>) -> Ty {
        match on {
            Some(_) => self.type_of_symbol(id, on),
            // Types are made of types; each is looked at once.
            None => self
                .known
                .types
                .get(&self.trail, id, UNKNOWN, || self.type_of_symbol(id, None)),
        }
    }

    fn type_of_symbol(&self, id: SymbolId, on: Option<&Ty>) -> Ty {
        let Some(view) = self.view(id.file) else { return UNKNOWN };
        let symbol = &view.facts.symbols[id.symbol as usize];
        let kind = symbol.kind;
        if kind == SymbolKind::Module
            && let Some(held) = self.module_file(id.file, &view, symbol)
        {
            return Ty::new(Base::Files(vec![held]));
        }
        if (kind.is_type() && kind != SymbolKind::Type)
            || matches!(kind, SymbolKind::Module | SymbolKind::Namespace | SymbolKind::Impl)
        {
            return Ty::new(Base::Symbol(self.first_piece(id)));
        }
        if kind == SymbolKind::Variant {
            let owner = symbol.parent.map(|symbol| SymbolId { symbol, ..id });
            return Ty::new(owner.map_or(Base::Unknown, Base::Symbol));
        }
        if kind == SymbolKind::Constructor {
            return Ty::new(self.owner(id));
        }
        let place = At {
            file: id.file,
            view: &view,
            at: symbol.name_at,
        };
        let declared = symbol.ty.map(|ty| view.facts.names.get(ty));
        // Written out where it is: `const a = { run() {} }`, `type A = { run(): void }`.
        if kind == SymbolKind::Type || declared.is_none_or(|text| text.starts_with('{')) {
            let members = view.literal_members(id.symbol);
            if members.is_some() {
                let signature_end = symbol.signature.end.max(symbol.name_at);
                let also = match (declared, symbol.value) {
                    (Some(text), _) => self.type_from(
                        At {
                            at: signature_end,
                            ..place
                        },
                        &without_braces(text),
                    ),
                    (None, Some(value)) => self.value(id.file, value),
                    (None, None) => UNKNOWN,
                };
                return also.with(id, kind.is_function() || symbol.value.is_some());
            }
        }
        let ty = match declared {
            Some(ELEMENT) => {
                let value = symbol.value.map_or(UNKNOWN, |value| self.value(id.file, value));
                self.element_of(value)
            }
            Some(text)
                if self
                    .semantics(id.file)
                    .own_type
                    .contains(&last_part(text.trim_matches(['&', '*', '"', '\'']))) =>
            {
                on.cloned().unwrap_or_else(|| Ty::new(self.owner(id)))
            }
            // Inside of its own signature a function's parameters of type are known.
            Some(text) => {
                let inside = At {
                    at: symbol.signature.end.saturating_sub(1).max(symbol.name_at),
                    ..place
                };
                // One of the type stands for what the value's type was given.
                match on {
                    Some(on) if !on.rest.is_empty() && view.binding_at(text, inside.at).is_some() => UNKNOWN,
                    _ => self.type_from(inside, text),
                }
            }
            None => match (symbol.value, self.semantics(id.file).field_mark) {
                (Some(value), _) => self.value(id.file, value),
                // `attr_reader :name` reads `@name`.
                (None, Some(mark)) if kind == SymbolKind::Property => {
                    let field = format!("{mark}{}", view.facts.name(symbol));
                    let fields = match self.owner(id) {
                        Base::Symbol(owner) => self.members(owner, &field),
                        _ => Vec::new(),
                    };
                    let field = fields.first();
                    field.map_or(UNKNOWN, |field| {
                        self.trail.deeper(UNKNOWN, || self.value_of_symbol(*field, on))
                    })
                }
                _ => UNKNOWN,
            },
        };
        // What it is made of gives it elements, and no methods.
        if kind == SymbolKind::Type && symbol.value.is_none() && self.semantics(id.file).has_defined_types {
            let other = match ty.head {
                Base::Symbol(other) => Some(other),
                _ => None,
            };
            return Ty {
                head: Base::Symbol(id),
                rest: other.into_iter().chain(ty.rest).collect(),
            };
        }
        match ty {
            // An alias of something that is not known has no members, and is a type all the same.
            Ty {
                head: Base::Unknown | Base::External,
                ref rest,
            } if kind == SymbolKind::Type && rest.is_empty() => Ty::new(Base::Symbol(id)),
            Ty {
                head: Base::Unknown,
                rest,
            } if rest.is_empty() => match on {
                Some(on) if !on.rest.is_empty() => Ty {
                    head: Base::Symbol(on.rest[0]),
                    rest: on.rest[1..].to_vec(),
                },
                _ => UNKNOWN,
            },
            ty => ty,
        }
    }

    /// The file that a module which is declared here is in.
    fn module_file(&self, file: FileIdx, view: &View, symbol: &Symbol) -> Option<FileIdx> {
        let declared = self.modules.declared(file, &view.facts);
        let here = declared.into_iter().find(|declared| declared.at == symbol.name_at);
        here.map(|declared| declared.file)
    }

    pub(crate) fn binding(&self, file: FileIdx, index: u32) -> Ty {
        self.known.bindings.get(&self.trail, (file, index), UNKNOWN, || {
            let Some(view) = self.view(file) else { return UNKNOWN };
            let binding = &view.facts.bindings[index as usize];
            let place = At {
                file,
                view: &view,
                at: binding.at,
            };
            let ty = binding.ty.map(|ty| view.facts.names.get(ty));
            if let Some(text) = ty.filter(|ty| *ty != ELEMENT) {
                if let Some((pattern, nth)) = text.split_once('#') {
                    return self.part(place, pattern, nth.parse().ok(), binding.value);
                }
                // What is left open is as the value says: `let all: Vec<_> = ..`.
                let is_open = type_paths(text).any(|path| path == "_");
                match binding.value.filter(|_| is_open) {
                    Some(value) => return self.value(file, value),
                    None => return self.type_from(place, text),
                }
            }
            let Some(value) = binding.value else {
                return self.undeclared(place, view.facts.names.get(binding.name));
            };
            let given = &view.facts.references[value as usize];
            // The parameter of a function that is handed to a call, which is written around it.
            let hands_over = self.semantics(file).hands_over;
            let is_handed = hands_over && given.role == Role::Call && given.at < binding.at;
            match self.meaning(file, value) {
                _ if ty == Some(ELEMENT) => self.element_of(self.value(file, value)),
                Meaning::Symbols(symbols, _) if is_handed => self.handed_by(&symbols, file, value),
                Meaning::External | Meaning::Missing if is_handed => {
                    let semantics = self.semantics(file);
                    let held = match given.on {
                        On::Value(on) => self
                            .held(file, on, semantics.containers)
                            .or_else(|| self.held(file, on, semantics.options)),
                        _ => None,
                    };
                    // Something of what the call is on, and not that itself.
                    held.unwrap_or_else(|| Ty {
                        head: Base::Unknown,
                        ..self.value(file, value)
                    })
                }
                _ => self.value(file, value),
            }
        })
    }

    /// What is known of a part of a value.
    fn element_of(&self, ty: Ty) -> Ty {
        let mut rest = Vec::new();
        if let Base::Symbol(own) = ty.head {
            let holders = self.semantics(own.file).holders.iter();
            let given = holders.flat_map(|holder| self.members(own, holder));
            let given = given.map(|id| self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, Some(&ty))));
            for given in given {
                if let Base::Symbol(head) = given.head
                    && head != own
                {
                    rest.push(head);
                }
                rest.extend(given.rest);
            }
        }
        rest.extend(ty.rest);
        Ty {
            head: Base::Unknown,
            rest,
        }
    }

    /// The type of a local name that says neither its type nor its value.
    fn undeclared(&self, place: At<'_>, name: &str) -> Ty {
        let semantics = self.semantics(place.file);
        if semantics.own_type.contains(&name) {
            return Ty::new(self.own_type(place));
        }
        if semantics.rebinds {
            let outer = self.lookup(place, name, Role::Variable);
            return self.trail.deeper(UNKNOWN, || self.ty_of(place, &outer));
        }
        let Some(fixtures) = semantics.fixtures else {
            return UNKNOWN;
        };
        let around = place.view.around(place.at).next();
        let is_parameter = around.is_some_and(|(_, symbol)| place.at < symbol.signature.end);
        if !is_parameter {
            return UNKNOWN;
        }
        for file in fixtures(self.modules.files(), place.file) {
            let Some(view) = self.view(file) else { continue };
            let mut given = view.symbols_named(name).filter(|(_, symbol)| is_fixture(&view, symbol));
            if let Some((symbol, _)) = given.next() {
                return self.value_of_symbol(SymbolId { file, symbol }, None);
            }
        }
        UNKNOWN
    }

    /// What a function hands to the functions it is given: one of the types in its signature, or what it is asked of.
    fn handed_by(&self, symbols: &[SymbolId], file: FileIdx, call: u32) -> Ty {
        let mut rest = Vec::new();
        // What the result is declared to be says more: `const a: Box<Point> = boxed((point) => ..)`.
        if let Some(view) = self.view(file) {
            let at = view.facts.references[call as usize].at;
            let around = view.around(at).next().map(|(_, symbol)| symbol);
            let declared = around.filter(|symbol| symbol.value == Some(call) && !symbol.kind.is_function());
            if let Some(ty) = declared.and_then(|symbol| symbol.ty) {
                let place = At { file, view: &view, at };
                rest = self.type_from(place, view.facts.names.get(ty)).rest;
            }
        }
        if !rest.is_empty() {
            return Ty {
                head: Base::Unknown,
                rest,
            };
        }
        for id in symbols {
            let Some(view) = self.view(id.file) else { continue };
            let signature = view.facts.symbols[id.symbol as usize].signature;
            let references = &view.facts.references;
            let first = references.partition_point(|reference| reference.at < signature.start);
            let inside = references[first..].iter().enumerate();
            for (offset, reference) in inside.take_while(|(_, reference)| reference.at < signature.end) {
                if reference.role == Role::Type
                    && let Meaning::Symbols(types, _) = self.meaning(id.file, (first + offset) as u32)
                {
                    rest.extend(self.in_position(types, Role::Type));
                }
            }
        }
        let on = self
            .view(file)
            .and_then(|view| match view.facts.references[call as usize].on {
                On::Value(value) => Some(self.value(file, value)),
                _ => None,
            });
        if let Some(on) = on {
            if let Base::Symbol(own) = on.head {
                rest.push(own);
            }
            rest.extend(on.rest);
        }
        Ty {
            head: Base::Unknown,
            rest,
        }
    }

    /// A type as it is written at a place.
    pub(crate) fn type_from(&self, place: At<'_>, text: &str) -> Ty {
        let semantics = self.semantics(place.file);
        let is_wrapper = |path: &str| {
            semantics.wrappers.contains(&last_part(path))
                && !matches!(self.named_type(place, path).head, Base::Symbol(_))
        };
        let parts = alternatives(text, is_wrapper).into_iter();
        let types = parts.map(|part| self.one_type(place, part));
        types.reduce(Ty::or).unwrap_or(UNKNOWN)
    }

    /// One of a type's alternatives.
    fn one_type(&self, place: At<'_>, text: &str) -> Ty {
        // What a function is counts as what it gives back.
        if let Some(at) = text.rfind("=>").filter(|at| !is_nested(text, *at)) {
            return self.type_from(place, text[at + 2..].trim());
        }
        // Both at once.
        let mut joints = text.match_indices(" & ").map(|(at, _)| at);
        if let Some(at) = joints.find(|at| !is_nested(text, *at)) {
            return self
                .one_type(place, &text[..at])
                .or(self.one_type(place, &text[at + 3..]));
        }
        if let Some((outer, member)) = text.strip_suffix("\"]").and_then(|rest| rest.rsplit_once("[\"")) {
            let outer = self.type_from(place, outer);
            return match self.member_of(&outer, member) {
                Meaning::Symbols(found, _) => found
                    .first()
                    .map_or(UNKNOWN, |id| self.value_of_symbol(*id, Some(&outer))),
                _ => UNKNOWN,
            };
        }
        let (text, is_list) = match text.strip_suffix("[]") {
            // Where arrays have no members to speak of, what is asked is asked of an element.
            Some(element) => (element, !self.semantics(place.file).has_bare_arrays),
            None => (text, false),
        };
        let mut ty: Option<Ty> = None;
        let semantics = self.semantics(place.file);
        let text = arguments_last(text);
        if semantics.lists_in_brackets && text.starts_with('[') {
            ty = Some(Ty::new(Base::External));
        }
        for path in type_paths(&text) {
            if ty.is_none() && semantics.shapes.contains(&path) {
                ty = Some(UNKNOWN);
                continue;
            }
            let found = self.named_type(place, path);
            // A type of one's own of that name is none of them.
            let is_own = semantics.is_strict && matches!(found.head, Base::Symbol(_));
            if semantics.wrappers.contains(&last_part(path)) && !is_own {
                continue;
            }
            match &mut ty {
                None => ty = Some(found),
                Some(ty) => {
                    match found.head {
                        Base::Symbol(other) => ty.rest.push(other),
                        Base::Any(others) => ty.rest.extend(others),
                        _ => {}
                    }
                    ty.rest.extend(found.rest);
                }
            }
        }
        let mut ty = ty.unwrap_or(UNKNOWN);
        // The members of a list are the language's own.
        if is_list {
            match std::mem::replace(&mut ty.head, Base::External) {
                Base::Symbol(element) => ty.rest.insert(0, element),
                Base::Any(elements) => ty.rest.splice(0..0, elements).for_each(drop),
                _ => {}
            }
        }
        ty
    }

    fn named_type(&self, place: At<'_>, path: &str) -> Ty {
        let semantics = self.semantics(place.file);
        if semantics.own_type.contains(&last_part(path)) {
            return Ty::new(self.own_type(place));
        }
        let split = path.rfind(['.', ':', '\\']);
        let meaning = self.trail.deeper(Meaning::Unknown, || match split {
            Some(at) => {
                let outer = path[..at].trim_end_matches(':');
                self.at_path(place, outer, &path[at + 1..], Role::Type)
            }
            None => self.lookup(place, path, Role::Type),
        });
        if !meaning.is_found()
            && let Some(block) = self.added_to(place.file, last_part(path))
        {
            return Ty::new(Base::Symbol(block));
        }
        self.trail.deeper(UNKNOWN, || self.ty_of(place, &meaning))
    }

    /// What members of a meaning are looked for in.
    fn ty_of(&self, place: At<'_>, meaning: &Meaning) -> Ty {
        match meaning {
            Meaning::Symbols(symbols, _) => {
                // A type before a value of its name, and the type itself before another name of it.
                let is_type = |id: &&SymbolId| self.kind_of(**id).is_some_and(SymbolKind::is_type);
                let is_itself = |id: &&SymbolId| self.kind_of(**id).is_some_and(SymbolKind::has_members);
                let best = symbols.iter().find(is_itself);
                let best = best.or_else(|| symbols.iter().find(is_type)).or(symbols.first());
                best.map_or(UNKNOWN, |id| self.value_of_symbol(*id, None))
            }
            Meaning::Local(binding) => self.binding(place.file, *binding),
            Meaning::Files(files) => Ty::new(Base::Files(files.clone())),
            Meaning::External => Ty::new(Base::External),
            Meaning::Missing | Meaning::Unknown => UNKNOWN,
        }
    }

    fn has_members(&self, file: FileIdx, kind: SymbolKind) -> bool {
        kind.has_members() || (kind == SymbolKind::Module && self.semantics(file).reopens)
    }

    /// The pieces that a type is written in, where there may be several.
    fn pieces(&self, id: SymbolId) -> Rc<[SymbolId]> {
        self.known.pieces.get(&self.trail, id, Rc::from([id]), || {
            let Some(view) = self.view(id.file) else {
                return Rc::from([id]);
            };
            let symbol = &view.facts.symbols[id.symbol as usize];
            let (name, path) = (view.facts.name(symbol), qualified_parts(&view, symbol));
            let defining = self.defining(name);
            // A name that this many files go on with is a namespace.
            let defining = if defining.len() > MANY_FILES {
                &[id.file][..]
            } else {
                &defining
            };
            let mut found = Vec::new();
            for other in defining.iter().filter(|other| self.lang(**other) == self.lang(id.file)) {
                let Some(view) = self.view(*other) else { continue };
                let same = view.symbols_named(name).filter(|(_, one)| {
                    (one.kind.is_type() || one.kind == SymbolKind::Module) && qualified_parts(&view, one) == path
                });
                found.extend(ids(*other, same));
            }
            sorted(found).into()
        })
    }

    fn first_piece(&self, id: SymbolId) -> SymbolId {
        let is_piece = self.semantics(id.file).reopens
            && self
                .kind_of(id)
                .is_some_and(|kind| kind.is_type() || kind == SymbolKind::Module);
        match is_piece {
            true => self.pieces(id).first().copied().unwrap_or(id),
            false => id,
        }
    }

    /// The type that a place is inside of.
    pub(crate) fn own_type(&self, place: At<'_>) -> Base {
        for (index, outer) in place.view.around(place.at) {
            if self.has_members(place.file, outer.kind) || outer.owner.is_some() {
                return self.type_of_body(SymbolId {
                    file: place.file,
                    symbol: index,
                });
            }
            if let Some(literal) = place.view.literal_of(outer) {
                return Base::Symbol(SymbolId {
                    file: place.file,
                    symbol: literal,
                });
            }
        }
        Base::Unknown
    }

    /// The type whose members are written in a block, or that a function belongs to.
    fn type_of_body(&self, id: SymbolId) -> Base {
        let is_plain = self.symbol(id, |_, symbol| {
            self.has_members(id.file, symbol.kind) && symbol.kind != SymbolKind::Impl
        });
        match is_plain {
            Some(true) => Base::Symbol(self.first_piece(id)),
            Some(false) => self.extended(id),
            None => Base::Unknown,
        }
    }

    /// The type that a definition belongs to.
    pub(crate) fn owner(&self, id: SymbolId) -> Base {
        let Some(view) = self.view(id.file) else {
            return Base::Unknown;
        };
        let symbol = &view.facts.symbols[id.symbol as usize];
        if symbol.owner.is_some() {
            return self.extended(id);
        }
        match symbol.parent {
            Some(parent) if self.has_members(id.file, view.facts.symbols[parent as usize].kind) => {
                self.type_of_body(SymbolId {
                    file: id.file,
                    symbol: parent,
                })
            }
            _ => view.literal_of(symbol).map_or(Base::Unknown, |literal| {
                Base::Symbol(SymbolId {
                    file: id.file,
                    symbol: literal,
                })
            }),
        }
    }

    /// The type that an `impl` adds to, or that a definition names as its owner. The block itself if that type is not
    /// of this workspace.
    pub(crate) fn extended(&self, id: SymbolId) -> Base {
        self.known.owners.get(&self.trail, id, Base::Unknown, || {
            let Some(view) = self.view(id.file) else {
                return Base::Unknown;
            };
            let symbol = &view.facts.symbols[id.symbol as usize];
            let name = view.facts.names.get(symbol.owner.unwrap_or(symbol.name));
            let name = type_paths(name).next().unwrap_or(name);
            let last = name.rsplit(['.', ':', '\\']).next().unwrap_or(name);
            // From outside of itself, so that it does not find its own members.
            let at = symbol.span.start.saturating_sub(1);
            let outer = symbol.parent.map(|parent| view.facts.symbols[parent as usize].span);
            let at = outer.map_or(at, |outer| at.max(outer.start));
            let place = At {
                file: id.file,
                view: &view,
                at,
            };
            let outer = name[..name.len() - last.len()].trim_end_matches(['.', ':', '\\']);
            let meaning = if outer.is_empty() || !self.semantics(id.file).has_headers {
                self.lookup(place, last, Role::Type)
            } else {
                self.at_path(place, outer, last, Role::Type)
            };
            let found = match meaning {
                Meaning::Symbols(found, _) => found,
                _ => Vec::new(),
            };
            let is_type = |found: &&SymbolId| {
                self.kind_of(**found)
                    .is_some_and(|kind| kind.is_type() || matches!(kind, SymbolKind::Module | SymbolKind::Namespace))
            };
            // A Go package may have the name of a type in it.
            let is_own = |found: &&SymbolId| self.kind_of(**found).is_some_and(SymbolKind::is_type);
            match found.iter().find(is_own).or_else(|| found.iter().find(is_type)) {
                Some(found) => self.canonical(*found),
                None if symbol.kind == SymbolKind::Impl => Base::Symbol(self.added_to(id.file, last).unwrap_or(id)),
                None => Base::Unknown,
            }
        })
    }

    /// What stands for a type from elsewhere that is given members here: the first of the blocks that do so.
    fn added_to(&self, file: FileIdx, name: &str) -> Option<SymbolId> {
        if !self.semantics(file).extends_others {
            return None;
        }
        if let Some(known) = self.memo.borrow().added.get(name) {
            return *known;
        }
        let is_ours = self.defining(name).iter().any(|other| {
            self.view(*other)
                .is_some_and(|view| view.symbols_named(name).any(|(_, symbol)| symbol.kind.is_type()))
        });
        let files = self.world.extending(name).into_iter();
        let mut blocks = files
            .filter(|other| self.lang(*other) == self.lang(file))
            .filter_map(|other| {
                let view = self.view(other)?;
                let symbol = view.impls_of(name).next()?.0;
                Some(SymbolId { file: other, symbol })
            });
        let found = blocks.next().filter(|_| !is_ours);
        self.memo.borrow_mut().added.insert(name.into(), found);
        found
    }

    /// The type that an alias stands for, or that a forward declaration declares.
    fn canonical(&self, id: SymbolId) -> Base {
        match self.kind_of(id) {
            Some(SymbolKind::Type) => match self.value_of_symbol(id, None).head {
                Base::Symbol(other) => Base::Symbol(other),
                _ => Base::Symbol(id),
            },
            _ => Base::Symbol(self.first_piece(id)),
        }
    }

    // Members.

    /// The members of a type that have a name: its own, or else those of the nearest types that it is derived from.
    pub(crate) fn members(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let key = (own, Box::from(name));
        self.known.members.get(&self.trail, key, Vec::new(), || {
            let mut found = self.own_members(own, name);
            let has_overloads = self.semantics(own.file).has_overloads;
            if !found.is_empty() && !has_overloads {
                return found;
            }
            let supertypes = self.supertypes(own);
            if has_overloads {
                // A function hides those that it stands in for, and nothing else; a value or type hides its like.
                for outer in &supertypes.known {
                    for inherited in self.members(*outer, name) {
                        let is_hidden = |known: &SymbolId| {
                            let of = |id| self.kind_of(id).is_some_and(SymbolKind::is_function);
                            of(*known) == of(inherited) && self.takes_the_same(*known, inherited)
                        };
                        let is_constructor = self.kind_of(inherited) == Some(SymbolKind::Constructor);
                        if !is_constructor && !found.iter().any(is_hidden) {
                            found.push(inherited);
                        }
                    }
                }
                if found.is_empty() && self.semantics(own.file).has_companions {
                    return self.of_companion(own, name);
                }
                return found;
            }
            let inherited = supertypes.known.iter().map(|outer| self.members(*outer, name));
            let mut inherited = inherited.filter(|found| !found.is_empty());
            inherited.next().unwrap_or_default()
        })
    }

    /// The members that a type has by its own words.
    pub(crate) fn own_members(&self, own: SymbolId, name: &str) -> Vec<SymbolId> {
        let Some(view) = self.view(own.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[own.symbol as usize];
        if self.semantics(own.file).reopens {
            return self.members_of_pieces(own, &qualified_parts(&view, symbol), name);
        }
        let type_name = view.facts.name(symbol);
        let belongs = |view: &View, member: &Symbol, in_own_file: bool| {
            if let Some(owner) = member.owner
                && !(in_own_file && member.parent == Some(own.symbol))
            {
                let owner = view.facts.names.get(owner);
                let owner = type_paths(owner).next().unwrap_or(owner);
                return owner.rsplit(['.', ':', '\\']).next() == Some(type_name);
            }
            match member.parent {
                Some(parent) if in_own_file && parent == own.symbol => true,
                Some(parent) => {
                    let parent = &view.facts.symbols[parent as usize];
                    (parent.kind == SymbolKind::Impl || (parent.kind.is_type() && !in_own_file))
                        && view.facts.name(parent) == type_name
                }
                None => false,
            }
        };
        let here = view
            .symbols_named(name)
            .filter(|(_, member)| belongs(&view, member, true));
        let mut found = ids(own.file, here);
        let semantics = self.semantics(own.file);
        // Types in different namespaces or types may share their names.
        let is_ours = |id: &SymbolId| match self.owner(*id) {
            Base::Symbol(owner) => owner == own || self.same_thing(owner).contains(&own),
            _ => true,
        };
        if semantics.has_headers {
            found.retain(is_ours);
        }
        let is_whole = symbol.kind == SymbolKind::Impl && !semantics.extends_others;
        if is_whole || !semantics.has_open_types {
            return found;
        }
        let is_in_parts = semantics.has_parts && self.defining(type_name).len() > 1;
        if !found.is_empty() && !semantics.is_global && !is_in_parts {
            return found;
        }
        let defining = self.defining(name);
        if defining.len() > MANY_FILES {
            return found;
        }
        let is_only = self.defining(type_name).len() < 2;
        for other in defining.iter().filter(|other| **other != own.file) {
            if !related(self.lang(own.file), self.lang(*other)) {
                continue;
            }
            let Some(view) = self.view(*other) else { continue };
            let here = view
                .symbols_named(name)
                .filter(|(_, member)| belongs(&view, member, false));
            let ours = ids(*other, here);
            found.extend(ours.into_iter().filter(|id| {
                if is_only {
                    !semantics.has_headers || is_ours(id)
                } else {
                    self.is_of(*id, own)
                }
            }));
        }
        found
    }

    /// The members of a type that is written in several pieces.
    fn members_of_pieces(&self, own: SymbolId, path: &[&str], name: &str) -> Vec<SymbolId> {
        let defining = self.defining(name);
        let defining = if defining.len() > MANY_FILES {
            &[own.file][..]
        } else {
            &defining
        };
        let mut found = Vec::new();
        for other in defining
            .iter()
            .filter(|other| self.lang(**other) == self.lang(own.file))
        {
            let Some(view) = self.view(*other) else { continue };
            let ours = view.symbols_named(name).filter(|(_, member)| {
                let of = qualified_parts(&view, member);
                of.len() == path.len() + 1 && of.starts_with(path)
            });
            found.extend(ids(*other, ours));
        }
        found
    }

    fn is_of(&self, member: SymbolId, own: SymbolId) -> bool {
        match self.owner(member) {
            Base::Symbol(owner) => owner == own || self.same_thing(owner).contains(&own),
            _ => false,
        }
    }

    /// What a type is derived from, directly.
    pub(crate) fn supertypes(&self, own: SymbolId) -> Rc<Supertypes> {
        self.known
            .supertypes
            .get(&self.trail, own, Rc::default(), || Rc::new(self.supertypes_of(own)))
    }

    fn supertypes_of(&self, own: SymbolId) -> Supertypes {
        let mut found = Supertypes::default();
        let Some(view) = self.view(own.file) else {
            return found;
        };
        self.add_clauses(own, &view, &mut found);
        if self.semantics(own.file).reopens {
            for piece in self.pieces(own).iter().filter(|piece| **piece != own) {
                if let Some(view) = self.view(piece.file) {
                    self.add_clauses(*piece, &view, &mut found);
                }
            }
        }
        let name = view.facts.name(&view.facts.symbols[own.symbol as usize]);
        if self.semantics(own.file).has_parts {
            for part in self.same_thing(own).into_iter().filter(|part| *part != own) {
                if let Some(view) = self.view(part.file) {
                    self.add_clauses(part, &view, &mut found);
                }
            }
        }
        if self.semantics(own.file).has_open_types {
            let mut files = self.world.extending(name);
            files.retain(|other| related(self.lang(own.file), self.lang(*other)));
            for other in files {
                let Some(view) = self.view(other) else { continue };
                let blocks: Vec<u32> = view.impls_of(name).map(|(index, _)| index).collect();
                for block in blocks {
                    let block = SymbolId {
                        file: other,
                        symbol: block,
                    };
                    if self.extended(block) == Base::Symbol(own) {
                        self.add_clauses(block, &view, &mut found);
                    }
                }
            }
        }
        // In the order in which they are asked.
        let mut seen = FxHashSet::from_iter([own]);
        found.known.retain(|known| seen.insert(*known));
        found
    }

    /// The types that a definition's own clauses name.
    fn add_clauses(&self, id: SymbolId, view: &View, found: &mut Supertypes) {
        for reference in self.clauses(id, view) {
            match self.meaning(id.file, reference) {
                Meaning::Symbols(symbols, _) => {
                    for symbol in self.in_position(symbols, Role::Implementation) {
                        // An alias may stand for several.
                        let ty = match self.kind_of(symbol) {
                            Some(SymbolKind::Type) => self.value_of_symbol(symbol, None),
                            _ => Ty::new(Base::Symbol(symbol)),
                        };
                        let heads = match ty.head {
                            Base::Symbol(head) => vec![head],
                            Base::Any(heads) => heads,
                            _ => {
                                found.has_others = true;
                                continue;
                            }
                        };
                        for outer in heads {
                            let kind = self.kind_of(outer);
                            let has_members = kind.is_some_and(|kind| {
                                kind.has_members()
                                    || matches!(kind, SymbolKind::Module | SymbolKind::Type)
                                    || self.semantics(outer.file).has_defined_types
                            });
                            if has_members {
                                found.known.push(outer);
                            } else {
                                found.has_others = true;
                            }
                        }
                    }
                }
                _ => {
                    found.has_others = true;
                    let name = view.facts.references[reference as usize].name;
                    found.known.extend(self.added_to(id.file, view.facts.names.get(name)));
                }
            }
        }
    }

    /// The references by which a type says what it is derived from.
    pub(crate) fn clauses(&self, id: SymbolId, view: &View) -> Vec<u32> {
        let facts = &view.facts;
        let span = facts.symbols[id.symbol as usize].span;
        let first = facts.references.partition_point(|reference| reference.at < span.start);
        let inside = facts.references[first..].iter().enumerate();
        let inside = inside.take_while(|(_, reference)| reference.at < span.end);
        let clauses = inside.filter(|(_, reference)| {
            reference.role == Role::Implementation && view.declaring(reference.at) == Some(id.symbol)
        });
        clauses.map(|(offset, _)| (first + offset) as u32).collect()
    }

    /// A definition and its other declarations: a prototype, another part of it, further signatures.
    pub fn same_thing(&self, id: SymbolId) -> Vec<SymbolId> {
        if self.semantics(id.file).has_headers {
            let same = &self.known.same;
            return same.get(&self.trail, id, vec![id], || self.declared_elsewhere(id));
        }
        let Some(view) = self.view(id.file) else {
            return vec![id];
        };
        let symbol = &view.facts.symbols[id.symbol as usize];
        let name = view.facts.name(symbol);
        let has_overloads = self.semantics(id.file).has_overloads;
        let alike = |other: &Symbol| {
            other.parent == symbol.parent
                && other.owner == symbol.owner
                && (other.name_at == symbol.name_at
                    || !has_overloads
                    || !(symbol.kind.is_function() || other.kind.is_function()))
        };
        let here = view.symbols_named(name).filter(|(_, other)| alike(other));
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
                found.extend(ids(*other, parts));
            }
        }
        sorted(found)
    }

    /// The declarations and the definition of one thing, in a language where files include each other.
    fn declared_elsewhere(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return vec![id];
        };
        let symbol = &view.facts.symbols[id.symbol as usize];
        let name = view.facts.name(symbol);
        let is_hidden =
            |view: &View, symbol: &Symbol| symbol.visibility == Some(Visibility::Private) && !view.is_member(symbol);
        let is_own = is_hidden(&view, symbol);
        let mut found = Vec::new();
        for other in self.defining(name).iter() {
            let is_here = *other == id.file;
            if !related(self.lang(id.file), self.lang(*other)) || (is_own && !is_here) {
                continue;
            }
            let Some(other_view) = self.view(*other) else { continue };
            let same = other_view.symbols_named(name).filter(|(index, one)| {
                let is_other = !is_here && (is_hidden(&other_view, one) || (is_whole(one) && is_whole(symbol)));
                comparable(one.kind, symbol.kind)
                    && !is_other
                    && self.is_in_same(
                        id,
                        SymbolId {
                            file: *other,
                            symbol: *index,
                        },
                    )
            });
            found.extend(ids(*other, same));
        }
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

    /// Whether two definitions of one name are in the same type or namespace.
    fn is_in_same(&self, one: SymbolId, other: SymbolId) -> bool {
        if one == other {
            return true;
        }
        let type_around = |id| match self.owner(id) {
            Base::Symbol(owner) if self.kind_of(owner).is_some_and(SymbolKind::is_type) => Some(owner),
            _ => None,
        };
        match (type_around(one), type_around(other)) {
            (Some(one), Some(other)) => one == other || self.same_thing(one).contains(&other),
            _ => {
                let path = |id| {
                    self.symbol(id, |view, symbol| {
                        let path = qualified_parts(view, symbol);
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
    fn of_one_signature(&self, id: SymbolId, all: Vec<SymbolId>) -> Vec<SymbolId> {
        struct Function {
            id: SymbolId,
            parameters: Vec<Option<String>>,
            is_declaration: bool,
            is_inside: bool,
        }
        let functions = all.iter().filter_map(|id| {
            self.symbol(*id, |view, symbol| Function {
                id: *id,
                parameters: view
                    .parameters(symbol)
                    .map(|parameter| Some(view.facts.names.get(parameter.ty?).to_owned()))
                    .collect(),
                is_declaration: symbol.is_declaration,
                is_inside: symbol.owner.is_none() && view.is_member(symbol),
            })
        });
        let functions: Vec<Function> = functions.collect();
        let has_counterpart = |one: &Function| {
            (one.is_inside && !one.is_declaration)
                || functions
                    .iter()
                    .any(|other| other.is_declaration != one.is_declaration && other.parameters == one.parameters)
        };
        let Some(own) = functions.iter().find(|one| one.id == id) else {
            return all;
        };
        let is_paired = has_counterpart(own) || functions.len() > 64;
        let same = functions
            .iter()
            .filter(|other| other.parameters == own.parameters || (!is_paired && !has_counterpart(other)));
        same.map(|other| other.id).collect()
    }
}

/// Is no mere declaration, nor another name of something: there can be only one in a program.
fn is_whole(symbol: &Symbol) -> bool {
    if symbol.kind.is_function() {
        !symbol.is_declaration
    } else {
        symbol.kind.has_members()
    }
}

/// Whether something of a kind can be used like this where names of types, of values and of methods are kept apart.
fn fits(kind: SymbolKind, role: Role, is_member: bool) -> bool {
    let is_field = matches!(kind, SymbolKind::Field | SymbolKind::Property);
    match role {
        Role::Import => true,
        Role::Member => is_field,
        Role::Call if is_member => kind.is_function(),
        Role::Call => !is_field && !matches!(kind, SymbolKind::Module | SymbolKind::Trait),
        Role::Type | Role::Implementation => {
            kind.is_type() || matches!(kind, SymbolKind::Module | SymbolKind::Variant | SymbolKind::Impl)
        }
        Role::Variable => !is_field,
    }
}

/// One of the types in parentheses: `B` is 1 in `(A, B)`.
fn nth_part(text: &str, nth: usize) -> Option<&str> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut place, mut start) = (0, 0, 0);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            // Not that of an arrow.
            b'>' if at > 0 && matches!(inner.as_bytes()[at - 1], b'-' | b'=') => {}
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b',' if depth == 0 => {
                if place == nth {
                    return Some(visible(&inner[start..at]));
                }
                place += 1;
                start = at + 1;
            }
            _ => {}
        }
    }
    (place == nth).then(|| visible(&inner[start..]))
}

/// What the first argument of a type is, if it is one of these: `A` in `Option<A>`, `Result<A, B>`.
fn first_argument<'t>(text: &'t str, holders: &[&str]) -> Option<&'t str> {
    let mut text = text.trim_start_matches(['&', '*', ' ']);
    if text.starts_with('\'') {
        text = text.split_once(' ')?.1;
    }
    let text = text.strip_prefix("mut ").unwrap_or(text);
    let (holder, rest) = text.split_once('<')?;
    if !holders.contains(&last_part(holder.trim())) {
        return None;
    }
    let mut depth = 0;
    let end = rest.char_indices().find(|(_, c)| {
        let is_end = depth == 0 && matches!(c, ',' | '>');
        depth += i32::from(matches!(c, '<' | '(' | '[')) - i32::from(matches!(c, '>' | ')' | ']'));
        is_end
    });
    end.map(|(end, _)| rest[..end].trim())
}

/// A field's type without who may see it.
fn visible(part: &str) -> &str {
    let part = part.trim();
    match part.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')').map_or(part, |(_, ty)| ty.trim()),
        Some(rest) if rest.starts_with(' ') => rest.trim(),
        _ => part,
    }
}

/// Whether a function says that it gives tests their values.
fn is_fixture(view: &View, symbol: &Symbol) -> bool {
    let marks = view.references_named("fixture").iter();
    let mut marks = marks.map(|at| view.facts.references[*at as usize].at);
    symbol.kind.is_function() && marks.any(|at| symbol.span.start <= at && at < symbol.name_at)
}

/// A test has what it is about for a name, which is nothing to call it by.
fn can_be_named(symbol: &Symbol) -> bool {
    symbol.kind != SymbolKind::Test
}

/// Kinds of which one can be the declaration of another.
fn comparable(one: SymbolKind, other: SymbolKind) -> bool {
    let is_code = |kind: SymbolKind| kind.is_function() && kind != SymbolKind::Macro;
    one == other
        || (is_code(one) && is_code(other))
        || (one.is_type() && other.is_type())
        || (!one.is_function() && !one.is_type() && !other.is_function() && !other.is_type())
}

/// As `qualified_parts`, with the namespace that a file declares for all that is in it.
fn whole_path<'v>(view: &'v View, symbol: &Symbol) -> Vec<&'v str> {
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

/// The names around a definition and its own, one by one.
fn qualified_parts<'v>(view: &'v View, symbol: &Symbol) -> Vec<&'v str> {
    let path = view.facts.path_of(symbol);
    let parts = path.into_iter().flat_map(|part| part.split([':', '.']));
    parts.filter(|part| !part.is_empty()).collect()
}

/// Whether two paths can be of one thing: a definition outside of its namespace's block leaves the namespace out.
fn ends_alike(one: &[String], other: &[String]) -> bool {
    one.ends_with(other) || other.ends_with(one)
}

fn is_header(path: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default();
    matches!(extension, "h" | "hh" | "hpp" | "hxx" | "inc" | "inl" | "ipp" | "def")
}

/// The values of C's enumerations are named without the enumeration.
fn is_open_variant(view: &View, symbol: &Symbol, lang: &str) -> bool {
    symbol.kind == SymbolKind::Variant
        && matches!(lang, "c" | "cpp" | "objc")
        && view
            .parent(symbol)
            .is_some_and(|parent| view.is_outer(parent) || view.is_member(parent))
}

fn ids<'v>(file: FileIdx, symbols: impl Iterator<Item = (u32, &'v Symbol)>) -> Vec<SymbolId> {
    symbols.map(|(symbol, _)| SymbolId { file, symbol }).collect()
}

pub(crate) fn sorted(mut symbols: Vec<SymbolId>) -> Vec<SymbolId> {
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}

/// A type inside of one with arguments, the arguments behind it: `Map<K, V>::Entry` is `Map::Entry<K, V>`.
fn arguments_last(text: &str) -> Cow<'_, str> {
    let Some(end) = text.find(">::") else {
        return Cow::Borrowed(text);
    };
    let mut depth = 0;
    let open = text[..=end].char_indices().rev().find(|(_, c)| {
        depth += i32::from(*c == '>') - i32::from(*c == '<');
        depth == 0
    });
    let Some((open, _)) = open else {
        return Cow::Borrowed(text);
    };
    let inner = &text[end + 1..];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let until = inner.find(|c| !is_part(c)).unwrap_or(inner.len());
    let (name, rest) = inner.split_at(until);
    Cow::Owned(format!("{}{name}{}{rest}", &text[..open], &text[open..=end]))
}

/// A path without what stands in angle brackets.
fn without_arguments(path: &str) -> String {
    let mut depth = 0;
    let mut bare = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            c if depth <= 0 && !c.is_whitespace() => bare.push(c),
            _ => {}
        }
    }
    bare
}
