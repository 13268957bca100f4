//! The types that are written in a text, and those that places and definitions belong to.

use std::borrow::Cow;

use syntax::{Qualifier, Role, SymbolKind};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    infer::library::function_type,
    types::{
        generics::StandsFor,
        ty::{Base, Ty, UNKNOWN},
        type_text::{alternatives, is_nested, last_part, split_at_top, type_arguments, type_paths},
    },
    view::SymbolId,
};

impl Resolver<'_> {
    /// A type as it is written at a place.
    pub(crate) fn type_from(&self, place: At<'_>, text: &str) -> Ty {
        self.type_with(place, text, &[])
    }

    /// The same, where it is known what some parameters of type stand for.
    pub(crate) fn type_with(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Ty {
        let read = || self.any_alternative(place, text, known).bounded();
        self.trail.reading(UNKNOWN, read)
    }

    fn any_alternative(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Ty {
        let rules = self.rules(place.file);
        if let Some(decided) = rules.conditional_type(self, place, text, known) {
            return decided;
        }
        let semantics = rules.semantics();
        if semantics.has_function_types
            && let Some(ty) = self.compound_type(place, text, known)
        {
            return ty;
        }
        let is_wrapper = |path: &str| {
            semantics.wrappers.contains(&last_part(path))
                && !matches!(self.named_type(place, path).head, Base::Symbol(_))
        };
        let parts = alternatives(text, is_wrapper).into_iter();
        let types = parts.map(|part| self.one_type(place, part, known));
        types.reduce(Ty::or).unwrap_or(UNKNOWN)
    }

    /// One of a type's alternatives.
    fn one_type(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Ty {
        if let Some(worked_out) = self.worked_out(place, text, known) {
            return worked_out;
        }
        match text.strip_suffix("[]") {
            // Where arrays have no members to speak of, what is asked is asked of an element.
            Some(element) if self.semantics(place.file).has_array_types => self.type_by_names(place, element, known),
            // The members of a list are the language's own.
            Some(element) => Ty::list(vec![self.type_by_names(place, element, known)]),
            None => self.type_by_names(place, text, known),
        }
    }

    /// A type that says by more than names what it is: `A extends B ? C : D`, `() => A`, `A & B`, `A["b"]`.
    fn worked_out(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Option<Ty> {
        let rules = self.rules(place.file);
        if let Some(decided) = rules.conditional_type(self, place, text, known) {
            return Some(decided);
        }
        // What a function is counts as what it gives back.
        if let Some(at) = text.rfind("=>").filter(|at| !is_nested(text, *at)) {
            return Some(self.type_with(place, text[at + 2..].trim(), known));
        }
        // Both at once.
        let mut joints = text.match_indices(" &").map(|(at, _)| at);
        let is_joint = |at: &usize| text[at + 2..].starts_with([' ', '\n', '\r']) && !is_nested(text, *at);
        if let Some(at) = joints.find(is_joint) {
            let left = self.type_with(place, &text[..at], known);
            return Some(left.and(self.type_with(place, &text[at + 3..], known)));
        }
        if let Some(ty) = rules.type_operator(self, place, text, known) {
            return Some(ty);
        }
        if let Some((outer, member)) = indexed_by(text) {
            let outer = self.type_with(place, outer, known);
            let found = match self.member_of(&outer, member) {
                Meaning::Symbols(found, _) => found.first().copied(),
                _ => None,
            };
            // A member may be said to be of its own type, by way of others: `{ size: T["size"] }`.
            let value = |id| self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, Some(&outer)));
            return Some(found.map_or(UNKNOWN, value));
        }
        None
    }

    /// What the names in a type say: the first what it is, the others what it may hold.
    pub(crate) fn type_by_names(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Ty {
        let text = arguments_last(text);
        let (mut ty, is_wrapped) = self.named_first(place, &text, known);
        if ty.given.is_empty() {
            let mut given = type_arguments(&text).map(|text| self.type_with(place, text, known));
            ty.given = match is_wrapped {
                true => given.next().map_or_else(Vec::new, |inner| inner.given),
                false => given.collect(),
            };
        }
        // How they are kept is no matter of what is kept: `std::set<Shape, Less>`.
        let holder = last_part(type_paths(&text).next().unwrap_or_default());
        if ty.given.len() > 1 && ty.head == Base::External && self.rules(place.file).holds_first_argument(holder) {
            ty.given.truncate(1);
            ty = Ty::list(ty.given);
        }
        ty
    }

    /// The type that is named first, with the others that are named, and whether it is inside of a wrapper.
    fn named_first(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> (Ty, bool) {
        let semantics = self.semantics(place.file);
        let in_brackets = semantics.lists_in_brackets && text.starts_with('[');
        let mut first = in_brackets.then(|| Ty::new(Base::External));
        let written = self.written_out(place, text).map(Ty::new);
        let paths = match written.is_some() {
            true => "",
            false => text,
        };
        first = first.or(written);
        let mut is_wrapped = false;
        for path in type_paths(paths) {
            if first.is_none() && semantics.type_keywords.contains(&path) {
                first = Some(UNKNOWN);
                continue;
            }
            let stands_for = known.iter().find(|(name, _)| name == path);
            let found = match stands_for {
                Some((_, ty)) => ty.clone(),
                None => self.type_at_path(place, path, text, known, first.is_none()),
            };
            // A type of one's own of that name is none of them.
            let is_own = semantics.is_strict && matches!(found.head, Base::Symbol(_));
            if semantics.wrappers.contains(&last_part(path)) && !is_own {
                is_wrapped |= first.is_none();
                continue;
            }
            match &mut first {
                None => first = Some(found),
                Some(first) => {
                    first.rest.extend(found.heads());
                    first.rest.extend(found.rest);
                }
            }
        }
        (first.unwrap_or(UNKNOWN), is_wrapped)
    }

    /// One of the names in a type. Only what the first of them is an alias of, or is inside of, says what the whole is.
    fn type_at_path(&self, place: At<'_>, path: &str, text: &str, known: &[StandsFor], is_first: bool) -> Ty {
        let seen_through = match is_first {
            true => self
                .rules(place.file)
                .path_with_arguments(self, place, (path, text), known),
            false => None,
        };
        seen_through.unwrap_or_else(|| {
            let arity = self.rules(place.file).written_arity(text, path);
            self.type_of_arity(place, path, arity)
        })
    }

    /// A function, which counts as what it gives back, several values at once, or a list: `(A) -> B`, `(A, B)`, `[A]`.
    fn compound_type(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Option<Ty> {
        let text = text.trim().trim_end_matches(['?', '!']);
        if let Some(function) = function_type(text) {
            return Some(self.type_with(place, function.gives, known));
        }
        let of = |text: &str| self.type_with(place, text.trim(), known);
        let inside = |open, close| {
            let inside: &str = text.strip_prefix(open)?.strip_suffix(close)?;
            (split_at_top(inside, close).count() == 1).then_some(inside)
        };
        if let Some(inside) = inside('(', ')') {
            let parts: Vec<&str> = split_at_top(inside, ',').collect();
            if parts.len() > 1 {
                // With names before or behind: `(a: A, b: B)`, `(A a, B b)`.
                let parts = parts.into_iter().map(|part| {
                    let ty = split_at_top(part, ':').nth(1).unwrap_or(part);
                    of(split_at_top(ty.trim(), ' ').next().unwrap_or(ty))
                });
                let mut ty = Ty::list(parts.collect());
                ty.rest = ty.given.iter().flat_map(Ty::heads).collect();
                return Some(ty);
            }
        }
        let inside = inside('[', ']').filter(|_| self.semantics(place.file).lists_in_brackets)?;
        Some(Ty::list(split_at_top(inside, ':').map(of).collect()))
    }

    pub(crate) fn named_type(&self, place: At<'_>, path: &str) -> Ty {
        self.type_of_arity(place, path, 0)
    }

    /// The same, with so many types that it is given.
    fn type_of_arity(&self, place: At<'_>, path: &str, arity: usize) -> Ty {
        // A type as a value has the members of the type.
        let metatypes = self.semantics(place.file).metatypes.iter();
        let mut types = metatypes.filter_map(|name| path.strip_suffix(name)?.strip_suffix('.'));
        let path = types.next().unwrap_or(path);
        if self.semantics(place.file).own_type.contains(&last_part(path)) {
            return Ty::new(self.own_type(place));
        }
        let meaning = match self.type_meaning(place, path) {
            Meaning::Symbols(symbols, rule) => {
                let mut symbols = self.rules(place.file).narrow_by_arity(self, symbols, arity);
                // An object beside the type is none.
                if self.semantics(place.file).has_companions {
                    symbols.sort_by_key(|id| self.kind_of(*id) == Some(SymbolKind::Object));
                }
                Meaning::Symbols(symbols, rule)
            }
            meaning => meaning,
        };
        if !meaning.is_found()
            && let Some(block) = self.added_to(place.file, last_part(path))
        {
            return Ty::new(Base::Symbol(block));
        }
        if meaning == Meaning::External
            && let Some(ty) = self.rules(place.file).type_out_of_scope(self, place, path)
        {
            return ty;
        }
        self.trail.deeper(UNKNOWN, || self.ty_of(place, &meaning))
    }

    /// What a path in a type leads to.
    pub(crate) fn type_meaning(&self, place: At<'_>, path: &str) -> Meaning {
        let split = path.rfind(['.', ':', '\\']);
        self.trail.deeper(Meaning::Unknown, || match split {
            // A backslash at the end tells a namespace from a class.
            Some(at) if path.as_bytes()[at] == b'\\' => self.at_path(place, &path[..=at], &path[at + 1..], Role::Type),
            Some(at) => {
                let outer = path[..at].trim_end_matches(':');
                self.at_path(place, outer, &path[at + 1..], Role::Type)
            }
            None => self.lookup(place, path, Role::Type),
        })
    }

    /// What members of a meaning are looked for in.
    pub(crate) fn ty_of(&self, place: At<'_>, meaning: &Meaning) -> Ty {
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

    pub(crate) fn has_members(&self, file: FileIdx, kind: SymbolKind) -> bool {
        kind.has_members() || self.semantics(file).kinds_with_members.contains(&kind)
    }

    /// The type that a place is inside of.
    pub(crate) fn own_type(&self, place: At<'_>) -> Base {
        let at = self.rules(place.file).receiver_at(place);
        for (index, outer) in place.view.around(at) {
            if self.has_members(place.file, outer.kind) || outer.owner.is_some() {
                return self.type_of_body(SymbolId {
                    file: place.file,
                    symbol: index,
                });
            }
            if let Some(literal) = place.view.literal_of(outer).filter(|_| !place.view.is_arrow(outer)) {
                return Base::Symbol(SymbolId {
                    file: place.file,
                    symbol: literal,
                });
            }
            let id = SymbolId {
                file: place.file,
                symbol: index,
            };
            if !place.view.is_arrow(outer) && self.rules(place.file).is_constructor_function(self, id) {
                return Base::Symbol(id);
            }
        }
        Base::Unknown
    }

    /// The type whose members are written in a block, or that a function belongs to.
    pub(crate) fn type_of_body(&self, id: SymbolId) -> Base {
        let is_plain = self.symbol(id, |_, symbol| {
            self.has_members(id.file, symbol.kind) && symbol.kind != SymbolKind::Impl
        });
        match is_plain {
            Some(true) => Base::Symbol(self.rules(id.file).canonical_declaration(self, id)),
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
            let path_before = || {
                let named = view.reference_at(symbol.name_at)?;
                match view.facts.references[named].on {
                    Qualifier::Path(path) => Some(view.facts.names.get(path)),
                    _ => None,
                }
            };
            let rules = self.rules(id.file);
            let meaning = if rules.semantics().has_impl_blocks
                && symbol.kind == SymbolKind::Impl
                && let Some(path) = path_before()
            {
                // `impl From<Kind> for other::Kind`
                self.at_path(place, path, last, Role::Type)
            } else {
                rules.named_owner(self, place, symbol, name)
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
            let is_table = |found: &&SymbolId| found.file == id.file && self.is_table(**found);
            match found.iter().find(is_own).or_else(|| found.iter().find(is_type)) {
                Some(found) => self.canonical(*found),
                None if symbol.kind == SymbolKind::Impl => {
                    let is_block = |found: &&SymbolId| self.kind_of(**found) == Some(SymbolKind::Impl);
                    let first = found.iter().find(is_block).copied();
                    Base::Symbol(first.or_else(|| self.added_to(id.file, last)).unwrap_or(id))
                }
                None => found
                    .iter()
                    .find(is_table)
                    .map_or(Base::Unknown, |table| Base::Symbol(*table)),
            }
        })
    }

    /// Whether members are added to a variable or a function.
    pub(crate) fn is_table(&self, id: SymbolId) -> bool {
        self.view(id.file).is_some_and(|view| view.has_members_added(id.symbol))
    }

    /// What stands for a library type to which an extension here adds members.
    pub(crate) fn added_to(&self, file: FileIdx, name: &str) -> Option<SymbolId> {
        self.rules(file).library_extension(self, file, name)
    }

    /// The type that an alias stands for, or that a forward declaration declares.
    pub(crate) fn canonical(&self, id: SymbolId) -> Base {
        match self.kind_of(id) {
            Some(SymbolKind::Type) => match self.value_of_symbol(id, None).head {
                Base::Symbol(other) => Base::Symbol(other),
                _ => Base::Symbol(id),
            },
            _ => Base::Symbol(self.rules(id.file).canonical_declaration(self, id)),
        }
    }
}

/// A type inside of one with arguments, the arguments behind it: `Map<K, V>::Entry` is `Map::Entry<K, V>`.
pub(crate) fn arguments_last(text: &str) -> Cow<'_, str> {
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

/// A type and the name of its member: `Shape["kind"]`.
pub(crate) fn indexed_by(text: &str) -> Option<(&str, &str)> {
    let (outer, member) = text.strip_suffix(']')?.rsplit_once('[')?;
    let bare = member.trim_matches(['"', '\'', '`']);
    (bare.len() + 2 == member.len() && !outer.is_empty()).then_some((outer, bare))
}
