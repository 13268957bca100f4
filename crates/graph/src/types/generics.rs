//! What parameters of type stand for: what a type is given where it is written or made, what a type gives to those that
//! it is derived from, and what a call gives to its function.

use syntax::{
    ArgValue, LocalKind, NameId, Qualifier, RefIdx, Reference, Role, Step, Symbol, SymbolKind, TypeExpr, TypeRef,
};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    types::{
        function_type::function_type,
        ty::{Base, Ty, UNKNOWN},
        type_names::last_part,
    },
    view::{SymbolId, View},
};

/// The name of a parameter of type, and what it stands for.
pub(crate) type StandsFor = (String, Ty);

/// Longer chains of types that are derived from each other are not followed for what they give.
const MAX_LEVELS: u32 = 12;

impl Resolver<'_> {
    /// What a call gives back, or makes, if that depends on what it or its type is given.
    pub(crate) fn result_of_call(&self, id: SymbolId, on: Option<&Ty>, file: FileIdx, call: RefIdx) -> Option<Ty> {
        let kind = self.kind_of(id)?;
        if kind.has_members() {
            return self.made(id, file, call);
        }
        if kind == SymbolKind::Constructor {
            let Base::Symbol(owner) = self.owner(id) else {
                return None;
            };
            return self.made(owner, file, call);
        }
        if !kind.is_function() {
            return None;
        }
        let view = self.view(id.file)?;
        let symbol = &view.facts.symbols[id.symbol];
        self.written_in_call(id, view.type_expr(symbol.type_expr()?), on, file, call)
    }

    /// What a part of what a function gives back is, if that depends on what a call gives it.
    pub(crate) fn written_in_call(
        &self,
        id: SymbolId,
        ty: TypeRef<'_>,
        on: Option<&Ty>,
        file: FileIdx,
        call: RefIdx,
    ) -> Option<Ty> {
        let view = self.view(id.file)?;
        let mut known = self.type_arguments_in_call(id, on, file, call);
        let symbol = &view.facts.symbols[id.symbol];
        if self.semantics(id.file).has_function_types {
            let owner = symbol.owner.map(|owner| view.facts.names.get(owner).to_owned());
            // `fun <T> T.also(..): T`
            let owner = owner.filter(|owner| self.parameters_of_type(id).contains(owner));
            known.extend(owner.zip(on.cloned()));
            known.extend(self.type_arguments_by_callbacks(id, file, call));
        }
        if let Some(spelled) = self.rules(id.file).with_literal_types(self, id, ty, (file, call)) {
            let place = At::signature(id.file, &view, symbol);
            let ty = self
                .trail
                .deeper(UNKNOWN, || self.type_with(place, spelled.root(), &known));
            return (ty != UNKNOWN).then_some(ty);
        }
        self.written_with(id, &view, symbol, ty, &known)
    }

    /// What parameters of type stand for in a call: by what it writes and gives, and by what it is asked of.
    pub(crate) fn type_arguments_in_call(
        &self,
        id: SymbolId,
        on: Option<&Ty>,
        file: FileIdx,
        call: RefIdx,
    ) -> Vec<StandsFor> {
        let names = self.parameters_of_type(id);
        let mut known = self.explicit_type_arguments(file, call, &names);
        let open: Vec<String> = names.into_iter().skip(known.len()).collect();
        known.extend(self.inferred(id, &open, file, call));
        if let Some(on) = on {
            known.extend(self.seen_from(on, id));
        }
        known
    }

    /// What parameters of type stand for by what functions give back that a call is given: `map { it.name }`.
    fn type_arguments_by_callbacks(&self, id: SymbolId, file: FileIdx, call: RefIdx) -> Vec<StandsFor> {
        let (Some(callee), Some(view)) = (self.view(id.file), self.view(file)) else {
            return Vec::new();
        };
        let names = self.parameters_of_type(id);
        let Some(made) = view.also(view.facts.references[call].at).next() else {
            return Vec::new();
        };
        if names.is_empty() {
            return Vec::new();
        }
        let made = self.trail.deeper(UNKNOWN, || self.value(file, made));
        let symbol = &callee.facts.symbols[id.symbol];
        let types = callee
            .parameters(symbol)
            .filter_map(|one| Some(callee.type_expr(one.type_expr()?)));
        let results = types.filter_map(|ty| function_type(ty)?.result);
        let known = results.flat_map(|result| {
            let open = names.iter().filter(move |name| result.has_name(name));
            open.filter_map(|name| Some((name.clone(), self.matched(id.file, result, name, &made)?)))
                .collect::<Vec<_>>()
        });
        known.collect()
    }

    /// What a function from elsewhere gives back that is given types: something of them. `text.parse::<Shape>()`
    pub(crate) fn library_result_by_type_arguments(&self, file: FileIdx, call: RefIdx) -> Option<Ty> {
        let view = self.view(file)?;
        let (given, _) = self.behind(file, &view, call, &[]);
        let rest: Vec<SymbolId> = given.iter().flat_map(Ty::heads).collect();
        let head = Base::External;
        (!rest.is_empty()).then(|| Ty {
            given,
            ..Ty::holding(head, rest)
        })
    }

    /// The type of a member of a value, if that depends on what the value's type is given.
    pub(crate) fn of_value(&self, id: SymbolId, on: &Ty) -> Option<Ty> {
        let view = self.view(id.file)?;
        let symbol = &view.facts.symbols[id.symbol];
        let ty = view.type_expr(symbol.type_expr()?);
        self.written_with(id, &view, symbol, ty, &self.seen_from(on, id))
    }

    pub(crate) fn written_with(
        &self,
        id: SymbolId,
        view: &View,
        symbol: &Symbol,
        ty: TypeRef<'_>,
        known: &[StandsFor],
    ) -> Option<Ty> {
        let is_meant = |path: &str| known.iter().any(|(name, ty)| name == path && *ty != UNKNOWN);
        if known.is_empty() {
            return None;
        }
        let place = At::signature(id.file, view, symbol);
        if !ty.names().any(is_meant) {
            return self.rules(id.file).member_alias(self, id, ty, known);
        }
        let ty = self.trail.deeper(UNKNOWN, || self.type_with(place, ty, known));
        (ty != UNKNOWN).then_some(ty)
    }

    /// A type, with what it is given where it is made.
    fn made(&self, own: SymbolId, file: FileIdx, call: RefIdx) -> Option<Ty> {
        let names = self.parameters_of_type(own);
        if names.is_empty() {
            return None;
        }
        let mut known = self.explicit_type_arguments(file, call, &names);
        if known.is_empty() {
            let type_name = self.name_of(own);
            let constructors = self.semantics(own.file).constructors.iter().copied();
            let constructors = constructors.chain([type_name.as_str()]);
            let constructors = constructors.flat_map(|name| self.members(own, name)).chain([own]);
            let mut found = constructors.map(|id| self.inferred(id, &names, file, call));
            known = found.find(|found| !found.is_empty()).unwrap_or_default();
        }
        if known.is_empty() {
            return None;
        }
        let given = names.iter().map(|name| {
            let known = known.iter().find(|(known, _)| known == name);
            known.map_or(UNKNOWN, |(_, ty)| ty.clone())
        });
        let given: Vec<Ty> = given.collect();
        let rest = given.iter().filter_map(|ty| match ty.head {
            Base::Symbol(own) => Some(own),
            _ => None,
        });
        let ty = Ty::holding(Base::Symbol(own), rest.collect());
        Some(Ty { given, ..ty })
    }

    /// What the parameters of the type of a member stand for, asked of a value.
    pub(crate) fn seen_from(&self, on: &Ty, member: SymbolId) -> Vec<StandsFor> {
        let (Base::Symbol(own), Base::Symbol(owner)) = (&on.head, self.owner(member)) else {
            return Vec::new();
        };
        let names = self.symbol(member, |view, symbol| {
            // `func (b *Box[T]) Get() T`
            let arguments = view.type_expr(symbol.owner?).arguments();
            let names: Vec<String> = arguments.map(|argument| argument.text().to_owned()).collect();
            (!names.is_empty()).then_some(names)
        });
        let names = names.flatten().unwrap_or_else(|| self.parameters_of_type(owner));
        if names.is_empty() {
            return Vec::new();
        }
        let given = self
            .type_arguments_for_base(*own, &on.given, owner, MAX_LEVELS)
            .unwrap_or_default();
        names.into_iter().zip(given).collect()
    }

    /// What a type that another is derived from is given by it.
    fn type_arguments_for_base(&self, own: SymbolId, given: &[Ty], outer: SymbolId, levels: u32) -> Option<Vec<Ty>> {
        if own == outer || self.same_thing(own).contains(&outer) {
            return Some(given.to_vec());
        }
        let levels = levels.checked_sub(1)?;
        let supertypes = self.supertypes(own);
        let is_on_the_way = |one: &&SymbolId| **one == outer || self.is_derived(**one, outer);
        let next = *supertypes.known.iter().find(is_on_the_way)?;
        let view = self.view(own.file)?;
        let names = self.parameters_of_type(own);
        let known: Vec<StandsFor> = names.into_iter().zip(given.iter().cloned()).collect();
        let mut clauses = self.clauses(own, &view).into_iter();
        let clause = clauses.find(|clause| match self.meaning(own.file, *clause) {
            Meaning::Symbols(symbols, _) => symbols.contains(&next),
            _ => false,
        })?;
        let given = self
            .trail
            .deeper(Vec::new(), || self.behind(own.file, &view, clause, &known).0);
        self.type_arguments_for_base(next, &given, outer, levels)
    }

    /// A type as the one from elsewhere that it is derived from: `class Jobs(Queue[Job])`.
    pub(crate) fn as_library_base(&self, own: SymbolId) -> Ty {
        let given = self.type_arguments_for_library_base(own);
        let ty = Ty::holding(Base::External, given.iter().flat_map(Ty::heads).collect());
        Ty { given, ..ty }
    }

    /// What a type gives to one from elsewhere that it is derived from.
    fn type_arguments_for_library_base(&self, own: SymbolId) -> Vec<Ty> {
        let Some(view) = self.view(own.file) else {
            return Vec::new();
        };
        let mut clauses = self.clauses(own, &view).into_iter();
        let Some(clause) = clauses.find(|clause| !self.meaning(own.file, *clause).is_found()) else {
            return Vec::new();
        };
        let file = own.file;
        self.trail.deeper(Vec::new(), || {
            let (given, _) = self.behind(file, &view, clause, &[]);
            let references = &view.facts.references;
            let end = view.facts.symbols[own.symbol].signature.end;
            // What the language itself has is no name: `Map<string, Shape>`.
            match references.get(clause.next().as_usize()) {
                Some(last) if given.is_empty() && last.role == Role::Type && last.at < end => {
                    let at = last.at;
                    let meaning = self.meaning(file, clause.next());
                    vec![UNKNOWN, self.ty_of(At { file, view: &view, at }, &meaning)]
                }
                _ => given,
            }
        })
    }

    /// What a call writes for parameters of type: `make<Shape>()`.
    fn explicit_type_arguments(&self, file: FileIdx, call: RefIdx, names: &[String]) -> Vec<StandsFor> {
        if names.is_empty() {
            return Vec::new();
        }
        let Some(view) = self.view(file) else { return Vec::new() };
        names
            .iter()
            .cloned()
            .zip(self.behind(file, &view, call, &[]).0)
            .collect()
    }

    /// The types that are written in brackets behind a name, as far as nothing but names of types is there, and where
    /// that ends. The text is not at hand: each begins where the one before leaves off.
    pub(crate) fn behind(&self, file: FileIdx, view: &View, index: RefIdx, known: &[StandsFor]) -> (Vec<Ty>, u32) {
        let references = &view.facts.references;
        let end_of = |reference: &Reference| reference.at + view.facts.names.get(reference.name).len() as u32;
        let mut end = end_of(&references[index]);
        let is_call = references[index].role == Role::Call;
        let (of_types, of_calls) = self.semantics(file).type_argument_openers;
        let openers = if is_call { of_calls } else { of_types };
        let mut given = Vec::new();
        let mut is_indexed = false;
        let mut next = index.next();
        while let Some(reference) = references.get(next.as_usize()) {
            // A bracket or a comma, perhaps with a space or a mark of a pointer.
            let gap = reference.at.wrapping_sub(end);
            let is_first = given.is_empty();
            if gap == 0 && is_first && reference.step == Some(Step::Index) {
                is_indexed = true;
                next = next.next();
                continue;
            }
            let is_type = reference.role == Role::Type || (is_indexed && reference.role == Role::Variable);
            // A quote or the mark of a pointer may be before the type.
            let is_opened = match is_first && !is_indexed {
                true => openers.iter().any(|opener| opener.len() as u32 == gap),
                false => matches!(gap, 1 | 2),
            };
            if !is_opened || !is_type {
                break;
            }
            let name = view.facts.names.get(reference.name);
            let stands_for = known.iter().find(|(known, _)| known == name);
            // `Option[themes.Theme]` is given the last of a path.
            let goes_on = |named: &RefIdx| {
                let inner = references.get(named.next().as_usize())?;
                let is_next = inner.at == end_of(&references[*named]) + 1;
                (is_indexed && is_next && inner.role == Role::Member && inner.on == Qualifier::Value(*named))
                    .then_some(named.next())
            };
            let named = std::iter::successors(Some(next), goes_on).last().unwrap_or(next);
            let (inner, after) = self.behind(file, view, named, known);
            let mut ty = match stands_for {
                Some((_, ty)) => ty.clone(),
                None => {
                    let at = references[named].at;
                    let meaning = self.meaning(file, named);
                    self.trail
                        .deeper(UNKNOWN, || self.ty_of(At { file, view, at }, &meaning))
                }
            };
            let held = inner.iter().filter_map(|inner| match inner.head {
                Base::Symbol(own) => Some(own),
                _ => None,
            });
            ty.rest.extend(held);
            if !inner.is_empty() {
                ty.given = inner;
            }
            given.push(ty);
            end = after;
            while references.get(next.as_usize()).is_some_and(|other| other.at < end) {
                next = next.next();
            }
        }
        // Past the bracket that closes.
        (given.clone(), end + u32::from(!given.is_empty()))
    }

    /// What a function's parameters of type stand for by what a call gives it.
    fn inferred(&self, id: SymbolId, names: &[String], file: FileIdx, call: RefIdx) -> Vec<StandsFor> {
        let mut known: Vec<StandsFor> = Vec::new();
        let (Some(callee), Some(view)) = (self.view(id.file), self.view(file)) else {
            return known;
        };
        if names.is_empty() {
            return known;
        }
        let symbol = &callee.facts.symbols[id.symbol];
        // What a method is called on is not among what a call gives it.
        let own_type = self.semantics(id.file).own_type;
        let is_own = |name: &str| symbol.kind != SymbolKind::Function && own_type.contains(&name);
        let parameters = callee.parameters(symbol).filter(|parameter| {
            parameter.kind != LocalKind::Generic && !is_own(callee.facts.names.get(parameter.name))
        });
        let mut parameters: Vec<(u32, Option<NameId>)> = parameters.map(|one| (one.at, one.type_expr())).collect();
        // `class Box<T>(val held: T)`
        let inside = callee.facts.symbols[id.symbol.next().as_usize()..].iter();
        let inside = inside.take_while(|inner| inner.name_at < symbol.signature.end);
        parameters.extend(inside.map(|inner| (inner.name_at, inner.type_expr())));
        parameters.sort_by_key(|(at, _)| *at);
        parameters.dedup_by_key(|(at, _)| *at);
        let given = view
            .facts
            .given(call)
            .filter(|given| !matches!(given, ArgValue::Labels(_)));
        for ((_, ty), given) in parameters.into_iter().zip(given) {
            let Some(written) = ty.map(|ty| callee.type_expr(ty)) else {
                continue;
            };
            let open = names.iter().filter(|name| written.has_name(name));
            for name in open {
                if known.iter().any(|(known, _)| known == name) {
                    continue;
                }
                let ty = match given {
                    ArgValue::Value(value) | ArgValue::Pointed(value) | ArgValue::Address(value) => {
                        self.value(file, value)
                    }
                    ArgValue::This => {
                        let at = view.facts.references[call].at;
                        self.this(At { file, view: &view, at })
                    }
                    ArgValue::Written(ty) if view.type_expr(ty).string().is_none() => {
                        let at = view.facts.references[call].at;
                        self.type_from(At { file, view: &view, at }, view.type_expr(ty))
                    }
                    _ => UNKNOWN,
                };
                if let Some(ty) = self.matched(id.file, written, name, &ty) {
                    known.push((name.clone(), ty));
                }
            }
        }
        known
    }

    /// What a type parameter must be for a value to be of a type that is written with it.
    pub(crate) fn matched(&self, file: FileIdx, written: TypeRef<'_>, name: &str, value: &Ty) -> Option<Ty> {
        let wrappers = self.semantics(file).wrappers;
        let found = written.alternatives(|path| wrappers.contains(&last_part(path)));
        found.into_iter().find_map(|one| {
            let head = one.first_name().map(last_part);
            let is_alone = one.only_name() == Some(name);
            // `Callable[..., T]`, `() => T`, `new () => T`: what returns or makes one stands for it.
            let result = match head {
                Some("Callable") => one.arguments().last(),
                _ => std::iter::successors(one.result_of_fat_arrow(), |result| result.result_of_fat_arrow()).last(),
            };
            let is_maker = result.is_some_and(|result| result.text() == name);
            let ty = if is_maker || (is_alone && one.is_flat()) {
                value.clone()
            } else if is_alone && one.element().is_some() {
                // Where nothing can be asked of a list, it counts as one of its elements.
                self.one_of(value).or_else(|| value.is_known().then(|| value.clone()))?
            } else if matches!(head, Some("Class" | "KClass" | "type" | "Type")) {
                self.one_of(value)
                    .filter(|_| value.head == Base::External)
                    .unwrap_or_else(|| value.clone())
            } else {
                let nth = one
                    .arguments()
                    .position(|argument| argument.only_name() == Some(name))?;
                match value.given.get(nth) {
                    Some(given) => given.clone(),
                    None if one.arguments().count() == 1 => self.one_of(value)?,
                    None => return None,
                }
            };
            (ty != UNKNOWN && ty != Ty::new(Base::External)).then_some(ty)
        })
    }

    /// One of what a value holds.
    fn one_of(&self, value: &Ty) -> Option<Ty> {
        match (&value.given[..], &value.rest[..]) {
            ([one], _) => Some(one.clone()),
            ([], [one]) => Some(Ty::new(Base::Symbol(*one))),
            _ => None,
        }
    }

    /// The type of an alias with the string literals among its type arguments put in, if there are any: `Events[K]` is
    /// `Events['close']` for `Handler<'close'>`.
    pub(crate) fn with_string_arguments(
        &self,
        alias: SymbolId,
        aliased: TypeRef<'_>,
        expression: TypeRef<'_>,
    ) -> Option<TypeExpr> {
        let names = self.parameters_of_type(alias);
        let arguments = names.iter().map(String::as_str).zip(expression.arguments());
        let literals: Vec<(&str, TypeRef<'_>)> =
            arguments.filter(|(_, argument)| argument.string().is_some()).collect();
        aliased.substituted(&literals)
    }

    /// The names of a definition's parameters of type, in their order.
    pub(crate) fn parameters_of_type(&self, id: SymbolId) -> Vec<String> {
        let Some(view) = self.view(id.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[id.symbol];
        let name = |name| view.facts.names.get(name);
        let bindings = &view.facts.bindings;
        let first = bindings.partition_point(|binding| binding.at < symbol.span.start);
        let end = self.rules(id.file).end_of_type_parameters(symbol);
        let inside = bindings[first..].iter();
        let inside = inside.take_while(|binding| binding.at < end);
        // Not those of a function type in the alias: `type Handler<T> = <U>(from: U) => T`.
        let is_alias = symbol.kind == SymbolKind::Type;
        let inside = inside.filter(|binding| !is_alias || binding.scope.end + 1 >= end);
        let own = inside.filter(|binding| binding.kind == LocalKind::Generic);
        let own: Vec<String> = own.map(|binding| name(binding.name).to_owned()).collect();
        match own.is_empty() {
            true => self.rules(id.file).type_variables(self, id),
            false => own,
        }
    }
}
