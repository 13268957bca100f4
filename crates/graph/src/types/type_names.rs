//! The types that are written in a text, and those that places and definitions belong to.

use std::borrow::Cow;

use syntax::{Qualifier, Role, SymbolKind, TypeExpr, TypeKind, TypeRef};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    types::{
        function_type::function_type,
        generics::StandsFor,
        ty::{Base, Ty, UNKNOWN},
    },
    view::SymbolId,
};

impl Resolver<'_> {
    /// The type that a type expression means at a place.
    pub(crate) fn type_from(&self, place: At<'_>, ty: TypeRef<'_>) -> Ty {
        self.type_with(place, ty, &[])
    }

    /// The same of a text that facts do not have as a type: the path before a member, the owner of an extension.
    pub(crate) fn type_of_text(&self, place: At<'_>, text: &str) -> Ty {
        self.type_from(place, TypeExpr::parse(text).root())
    }

    /// The same, where it is known what some type parameters stand for.
    pub(crate) fn type_with(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Ty {
        let read = || self.any_alternative(place, ty, known).bounded();
        self.trail.reading(UNKNOWN, read)
    }

    fn any_alternative(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Ty {
        let rules = self.rules(place.file);
        if let Some(decided) = rules.conditional_type(self, place, ty, known) {
            return decided;
        }
        let semantics = rules.semantics();
        if semantics.has_function_types
            && let Some(ty) = self.compound_type(place, ty, known)
        {
            return ty;
        }
        let is_wrapper = |path: &str| {
            semantics.wrappers.contains(&last_part(path))
                && !matches!(self.named_type(place, path).head, Base::Symbol(_))
        };
        let parts = ty.alternatives(is_wrapper).into_iter();
        let types = parts.map(|part| self.one_type(place, part, known));
        types.reduce(Ty::or).unwrap_or(UNKNOWN)
    }

    /// One of a type's alternatives.
    fn one_type(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Ty {
        if let Some(worked_out) = self.worked_out(place, ty, known) {
            return worked_out;
        }
        let list = ty.inside_of(|kind| kind == TypeKind::Modified);
        match list.item().filter(|_| list.is(TypeKind::Array)) {
            // Where arrays have no members to speak of, what is asked is asked of an element.
            Some(element) if self.semantics(place.file).has_array_types => self.type_by_names(place, element, known),
            // The members of a list are the language's own.
            Some(element) => Ty::list(vec![self.type_by_names(place, element, known)]),
            None => self.type_by_names(place, ty, known),
        }
    }

    /// A type that says by more than names what it is: `A extends B ? C : D`, `() => A`, `A & B`, `A["b"]`.
    fn worked_out(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        let rules = self.rules(place.file);
        if let Some(decided) = rules.conditional_type(self, place, ty, known) {
            return Some(decided);
        }
        // A function type stands for its result.
        if let Some(result) = ty.result_of_fat_arrow() {
            return Some(self.type_with(place, result, known));
        }
        if ty.is(TypeKind::Intersection) {
            let parts = ty.items().map(|part| self.type_with(place, part, known));
            let parts: Vec<Ty> = parts.collect();
            return parts.into_iter().rev().reduce(|right, left| left.and(right));
        }
        if let Some(ty) = rules.type_operator(self, place, ty, known) {
            return Some(ty);
        }
        if let Some((outer, member)) = ty.member_by_name() {
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
    pub(crate) fn type_by_names(&self, place: At<'_>, written: TypeRef<'_>, known: &[StandsFor]) -> Ty {
        let names = written.names_with_arity();
        let (mut ty, is_wrapped) = self.named_first(place, (written, &names), known);
        if ty.given.is_empty() {
            let arguments = written.outer_type().unwrap_or(written).arguments();
            let mut given = arguments.map(|argument| self.type_with(place, argument, known));
            ty.given = match is_wrapped {
                true => given.next().map_or_else(Vec::new, |inner| inner.given),
                false => given.collect(),
            };
        }
        // How they are kept is no matter of what is kept: `std::set<Shape, Less>`.
        let holder = names.first().map_or("", |(path, _)| last_part(path));
        if ty.given.len() > 1 && ty.head == Base::External && self.rules(place.file).holds_first_argument(holder) {
            ty.given.truncate(1);
            ty = Ty::list(ty.given);
        }
        ty
    }

    /// The type that is named first, with the others that are named, and whether it is inside of a wrapper.
    fn named_first(
        &self,
        place: At<'_>,
        (written, names): (TypeRef<'_>, &[(Cow<'_, str>, usize)]),
        known: &[StandsFor],
    ) -> (Ty, bool) {
        let semantics = self.semantics(place.file);
        let list = written.inside_of(|kind| kind == TypeKind::Optional);
        let in_brackets = semantics.lists_in_brackets && list.is(TypeKind::List);
        let mut first = in_brackets.then(|| Ty::new(Base::External));
        let anonymous = self.written_out(place, written).map(Ty::new);
        let names = match anonymous.is_some() {
            true => &[],
            false => names,
        };
        first = first.or(anonymous);
        let mut is_wrapped = false;
        for (path, arity) in names {
            let path = &**path;
            if first.is_none() && semantics.type_keywords.contains(&path) {
                first = Some(UNKNOWN);
                continue;
            }
            let stands_for = known.iter().find(|(name, _)| name == path);
            let found = match stands_for {
                Some((_, ty)) => ty.clone(),
                None => {
                    // Only what the first of them is an alias of, or is inside of, says what the whole is.
                    let rules = self.rules(place.file);
                    let whole = first
                        .is_none()
                        .then(|| rules.path_with_arguments(self, place, (path, written), known));
                    whole
                        .flatten()
                        .unwrap_or_else(|| self.type_of_arity(place, path, *arity))
                }
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

    /// A function, which counts as its result, several values at once, or a list: `(A) -> B`, `(A, B)`, `[A]`.
    fn compound_type(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        let ty = ty.inside_of(|kind| kind == TypeKind::Optional);
        if let Some(function) = function_type(ty) {
            return Some(
                function
                    .result
                    .map_or(UNKNOWN, |result| self.type_with(place, result, known)),
            );
        }
        match ty.kind() {
            TypeKind::Tuple if ty.items().nth(1).is_some() => {
                // With names before or behind: `(a: A, b: B)`, `(A a, B b)`.
                let parts = ty.items().map(|part| {
                    let part = part.unlabelled();
                    match part.kind() {
                        TypeKind::Sequence => part.items().next().unwrap_or(part),
                        _ => part,
                    }
                });
                let mut ty = Ty::list(parts.map(|part| self.type_with(place, part, known)).collect());
                ty.rest = ty.given.iter().flat_map(Ty::heads).collect();
                Some(ty)
            }
            TypeKind::List if self.semantics(place.file).lists_in_brackets => {
                let parts = ty
                    .items()
                    .flat_map(|part| part.label().into_iter().chain([part.unlabelled()]));
                Some(Ty::list(parts.map(|part| self.type_with(place, part, known)).collect()))
            }
            _ => None,
        }
    }

    pub(crate) fn named_type(&self, place: At<'_>, path: &str) -> Ty {
        self.type_of_arity(place, path, 0)
    }

    /// The same, with so many type arguments.
    fn type_of_arity(&self, place: At<'_>, path: &str, arity: usize) -> Ty {
        // A type as a value has the members of the type.
        let metatypes = self.semantics(place.file).metatypes.iter();
        let mut types = metatypes.filter_map(|name| path.strip_suffix(name)?.strip_suffix('.'));
        let path = types.next().unwrap_or(path);
        if self.semantics(place.file).own_type.contains(&last_part(path)) {
            return Ty::new(self.own_type(place));
        }
        let rules = self.rules(place.file);
        let arity = if rules.distinguishes_arity() { arity } else { 0 };
        let meaning = match self.type_meaning(place, path) {
            Meaning::Symbols(symbols, rule) => {
                let mut symbols = rules.narrow_by_arity(self, symbols, arity);
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
            && let Some(ty) = rules.type_out_of_scope(self, place, path)
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
        let symbol = &view.facts.symbols[id.symbol];
        if symbol.owner.is_some() {
            return self.extended(id);
        }
        match symbol.parent {
            Some(parent) if self.has_members(id.file, view.facts.symbols[parent].kind) => self.type_of_body(SymbolId {
                file: id.file,
                symbol: parent,
            }),
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
            let symbol = &view.facts.symbols[id.symbol];
            let name = view.type_expr(symbol.owner.unwrap_or(symbol.name));
            let name = name.first_name().unwrap_or(name.text());
            let last = name.rsplit(['.', ':', '\\']).next().unwrap_or(name);
            // From outside of itself, so that it does not find its own members.
            let at = symbol.span.start.saturating_sub(1);
            let outer = symbol.parent.map(|parent| view.facts.symbols[parent].span);
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

/// The last name of a path.
pub(crate) fn last_part(path: &str) -> &str {
    path.rsplit(['.', ':', '\\', ' ']).next().unwrap_or(path).trim()
}
