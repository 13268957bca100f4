//! The overloads of one name: which of them a call means (`by_arguments`), and which override one another.

use syntax::{
    ArgValue, Binding, LocalKind, NameId, Qualifier, RefIdx, Reference, Role, Symbol, SymbolKind, Visibility,
};

use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    lang::Namespaces,
    lang::Overloads,
    overload::{
        arg_type::{ArgType, Shape},
        rank::{ArityMatch, CandidateRank, ConversionRank, OWN_MEMBER},
    },
    types::ty::Base,
    view::{SymbolId, View},
};

/// A function that a call may mean, with the parameters that take the call's arguments.
pub(crate) struct Candidate<'v> {
    pub id: SymbolId,
    pub view: &'v View,
    pub symbol: &'v Symbol,
    pub parameters: Vec<&'v Binding>,
}

impl Resolver<'_> {
    /// Overload resolution: of several definitions of one name, those that a call or another use means.
    pub(crate) fn by_arguments(
        &self,
        symbols: Vec<SymbolId>,
        file: FileIdx,
        view: &View,
        index: RefIdx,
    ) -> Vec<SymbolId> {
        let symbols = self.rules(file).narrow_by_labels(self, symbols, file, index);
        if symbols.len() < 2 {
            return symbols;
        }
        let reference = &view.facts.references[index];
        let symbols = self.by_role(symbols, reference.role);
        let symbols = self.by_access(symbols, file, view, reference.at);
        let (Some(count), true) = (reference.arguments, symbols.len() > 1 && self.counts_arguments(file)) else {
            return symbols;
        };
        let count = usize::from(count);
        let symbols = self.by_type_arguments(symbols, file, view, index);
        // A macro takes any arguments.
        let is_macro = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Macro);
        let has_types = !symbols.iter().any(is_macro);
        let given: Vec<ArgValue> = view.facts.given(index).filter(|_| has_types).collect();
        let mut shapes: Option<Vec<ArgType>> = None;
        let mut best: Vec<SymbolId> = Vec::new();
        let mut best_rank = None;
        for id in &symbols {
            let Some(callee) = self.view(id.file) else { continue };
            let symbol = &callee.facts.symbols[id.symbol];
            if !symbol.kind.is_function() {
                best.push(*id);
                continue;
            }
            let mut candidate = Candidate {
                id: *id,
                view: &callee,
                symbol,
                parameters: parameters(&callee, symbol).collect(),
            };
            let mut receiver = OWN_MEMBER;
            if self.rules(id.file).passes_receiver(self, *id, file, reference) && !candidate.parameters.is_empty() {
                let first = candidate.parameters.remove(0);
                if let Qualifier::Value(on) = reference.on {
                    let given = self.arg_type_of_argument(file, view, index, ArgValue::Value(on));
                    let wanted = self.arg_type_of_parameter(id.file, &callee, symbol, first);
                    let rank = self.conversion_rank(id.file, &given, &wanted);
                    receiver = rank.map_or(0, ConversionRank::score);
                }
            }
            let arity = self.accepts_call(*id, file, index, count, &mut candidate.parameters);
            let Some(arity) = arity else { continue };
            let shapes = shapes.get_or_insert_with(|| {
                let arg_type = given
                    .iter()
                    .map(|given| self.arg_type_of_argument(file, view, index, *given));
                arg_type.collect()
            });
            let Some(conversions) = self.score_of_arguments(&candidate, shapes) else {
                continue;
            };
            let rank = Some(CandidateRank {
                phase: self.rules(file).applicability_phase(self, file, shapes, &candidate),
                score: receiver + conversions + arity.score(),
            });
            if rank > best_rank {
                best.clear();
            }
            if rank >= best_rank {
                best_rank = rank;
                best.push(*id);
            }
        }
        let best = if best.is_empty() { symbols } else { best };
        let at = reference.at;
        self.rules(file)
            .narrow_by_receiver(self, At { file, view, at }, best, reference.on)
    }

    /// The declared types of a function's parameters.
    pub fn parameter_types(&self, id: SymbolId) -> Vec<Option<String>> {
        let types = self.symbol(id, |view, symbol| {
            let types = parameters(view, symbol).map(Binding::type_expr);
            types
                .map(|ty| ty.map(|ty| view.facts.names.get(ty).to_owned()))
                .collect()
        });
        types.unwrap_or_default()
    }

    /// Whether the arguments of a call convert to the parameters of one of some functions.
    pub(crate) fn some_converts(&self, symbols: &[SymbolId], file: FileIdx, view: &View, index: RefIdx) -> bool {
        self.some_accepts(symbols, file, view, index, |callee, given, wanted| {
            self.conversion_rank(callee, given, wanted).is_some()
        })
    }

    /// Whether one of some functions may take the arguments of a call, as far as the types are known.
    pub(crate) fn some_may_convert(&self, symbols: &[SymbolId], file: FileIdx, view: &View, index: RefIdx) -> bool {
        self.some_accepts(symbols, file, view, index, |callee, given, wanted| {
            !self.is_inconvertible(callee, given, wanted)
        })
    }

    fn some_accepts(
        &self,
        symbols: &[SymbolId],
        file: FileIdx,
        view: &View,
        index: RefIdx,
        accepts: impl Fn(FileIdx, &ArgType, &ArgType) -> bool,
    ) -> bool {
        let reference = &view.facts.references[index];
        let Some(count) = reference.arguments.map(usize::from) else {
            return true;
        };
        let given: Vec<ArgType> = view
            .facts
            .given(index)
            .map(|given| self.arg_type_of_argument(file, view, index, given))
            .collect();
        symbols.iter().any(|id| {
            let Some(callee) = self.view(id.file) else { return true };
            let symbol = &callee.facts.symbols[id.symbol];
            if !symbol.kind.is_function() {
                return true;
            }
            let mut parameters: Vec<&Binding> = parameters(&callee, symbol).collect();
            if self.rules(id.file).passes_receiver(self, *id, file, reference) && !parameters.is_empty() {
                parameters.remove(0);
            }
            if self.rules(id.file).may_adapt_arguments(count, parameters.len()) {
                return true;
            }
            let is_taken = self.accepts_call(*id, file, index, count, &mut parameters).is_some();
            let mut all = given.iter().enumerate();
            is_taken
                && all.all(|(at, given)| {
                    let parameter = parameters.get(at).or(parameters.last());
                    parameter.is_none_or(|parameter| {
                        let wanted = self.arg_type_of_parameter(id.file, &callee, symbol, parameter);
                        accepts(id.file, given, &wanted)
                    })
                })
        })
    }

    /// How the number of a call's arguments fits a function. Where labels say which parameters the arguments are for, only
    /// those parameters are left.
    fn accepts_call(
        &self,
        id: SymbolId,
        file: FileIdx,
        call: RefIdx,
        count: usize,
        parameters: &mut Vec<&Binding>,
    ) -> Option<ArityMatch> {
        match self.rules(file).labelled_parameters(self, file, call, id) {
            // Each argument has its parameter, and the others have defaults.
            Some(places) => {
                *parameters = places.iter().filter_map(|at| parameters.get(*at).copied()).collect();
                Some(ArityMatch::WithDefaults)
            }
            None => arity_match(parameters, count).or_else(|| self.declared_to_accept(id, count)),
        }
    }

    /// Of several functions the generic ones, where a call has type arguments: `make<Shape>(..)`. Where the number of type
    /// arguments is known, those with as many type parameters.
    fn by_type_arguments(&self, symbols: Vec<SymbolId>, file: FileIdx, view: &View, index: RefIdx) -> Vec<SymbolId> {
        let count = usize::from(view.facts.references[index].arity);
        let gives_some = || self.rules(file).gives_type_arguments(self, (file, view), index);
        if count == 0 && !gives_some() {
            return symbols;
        }
        let takes = |id: &SymbolId| match self.parameters_of_type(*id).len() {
            taken if count > 0 => taken == count,
            taken => taken > 0,
        };
        let taking: Vec<SymbolId> = symbols.iter().copied().filter(takes).collect();
        if taking.is_empty() { symbols } else { taking }
    }

    /// Whether functions of one name in a file's language differ by their parameters.
    fn counts_arguments(&self, file: FileIdx) -> bool {
        crate::lang::counts_arguments(self.lang(file))
    }

    /// Whether one of some functions takes as many arguments as a call has.
    pub(crate) fn any_accepts_count(&self, symbols: &[SymbolId], reference: &Reference) -> bool {
        let bare = || {
            let mut counts = symbols.iter().map(|id| {
                let count = self.semantics(id.file).arguments_of_bare_constructor?;
                self.is_constructor(*id).then_some(count)
            });
            counts.next()?.filter(|_| counts.all(|count| count.is_some()))
        };
        let Some(count) = reference.arguments.or_else(bare) else {
            return true;
        };
        symbols.iter().any(|id| {
            !self.counts_arguments(id.file)
                || self
                    .rules(id.file)
                    .accepts_argument_count(self, *id, usize::from(count))
        })
    }

    /// Whether a definition is a function that takes so many arguments, or no function.
    pub(crate) fn takes_argument_count(&self, id: SymbolId, count: usize) -> bool {
        let takes = self.symbol(id, |view, symbol| {
            let parameters: Vec<&Binding> = parameters(view, symbol).collect();
            !symbol.kind.is_function() || arity_match(&parameters, count).is_some()
        });
        takes != Some(false) || self.declared_to_accept(id, count).is_some()
    }

    /// The same by another declaration of a function, for defaults are in one of them: `void draw(int width = 1);`.
    fn declared_to_accept(&self, id: SymbolId, count: usize) -> Option<ArityMatch> {
        let others = self.same_thing(id).into_iter().filter(|other| *other != id);
        let mut others = others.filter_map(|other| {
            self.symbol(other, |view, symbol| {
                let parameters: Vec<&Binding> = parameters(view, symbol).collect();
                arity_match(&parameters, count)
            })
        });
        others.find_map(|arity| arity)
    }

    /// The definitions whose kind fits the role of a use: a call means a function rather than a variable of its name.
    fn by_role(&self, symbols: Vec<SymbolId>, role: Role) -> Vec<SymbolId> {
        // An import binds a module and the function of its name.
        let has_module = || {
            let is_module = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Module);
            symbols.iter().any(is_module)
        };
        if role == Role::Import && has_module() {
            return symbols;
        }
        let is_interface = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Interface);
        let has_constructor_function = symbols.iter().any(is_interface)
            && symbols
                .iter()
                .any(|id| self.kind_of(*id).is_some_and(SymbolKind::is_function));
        let fits = |id: &SymbolId| {
            let kind = self.kind_of(*id);
            kind.is_none_or(|kind| match role {
                // An interface has no constructor: a function of its name is called.
                Role::Call if has_constructor_function && is_interface(id) => false,
                Role::Call => kind.is_function() || kind.is_type(),
                Role::Type | Role::Implementation => kind.is_type(),
                _ => !kind.is_function(),
            })
        };
        let fitting: Vec<SymbolId> = symbols.iter().copied().filter(fits).collect();
        if fitting.is_empty() { symbols } else { fitting }
    }

    /// Of several definitions those that are not private to a type that the place is outside of.
    fn by_access(&self, symbols: Vec<SymbolId>, file: FileIdx, view: &View, at: u32) -> Vec<SymbolId> {
        if symbols.len() < 2 || self.semantics(file).overloads != Overloads::OfVisible {
            return symbols;
        }
        let is_seen = |id: &SymbolId| {
            let outermost = |view: &View, at: u32| view.around(at).last().map(|(outer, _)| outer);
            let home = self.symbol(*id, |callee, symbol| {
                let is_private = symbol.visibility == Some(Visibility::Private) && callee.is_member(symbol);
                // A private extension outside of all types is visible in its file.
                let home = || outermost(callee, symbol.name_at).filter(|_| symbol.parent.is_some());
                is_private.then(home)
            });
            home.flatten().is_none_or(|home| match id.file == file {
                true => home.is_none() || outermost(view, at) == home,
                false if home.is_none() => false,
                // Another part of a partial type.
                false => match self.own_type(At { file, view, at }) {
                    Base::Symbol(own) => self.is_of(*id, own),
                    _ => false,
                },
            })
        };
        let seen: Vec<SymbolId> = symbols.iter().copied().filter(is_seen).collect();
        if seen.is_empty() { symbols } else { seen }
    }

    /// The sum of the scores of a candidate's arguments. None if one of them cannot be passed.
    fn score_of_arguments(&self, candidate: &Candidate<'_>, given: &[ArgType]) -> Option<u32> {
        let Candidate {
            id,
            view,
            symbol,
            parameters,
        } = candidate;
        let rules = self.rules(id.file);
        let mut sum = 0;
        let mut bound_to: Vec<(Option<NameId>, &ArgType)> = Vec::new();
        for (at, given) in given.iter().enumerate() {
            let Some(parameter) = parameters.get(at).or(parameters.last()) else {
                break;
            };
            let wanted = self.arg_type_of_parameter(id.file, view, symbol, parameter);
            sum += self.conversion_rank(id.file, given, &wanted)?.score();
            // A type parameter is bound to one type.
            if wanted.shape == Shape::Generic && !wanted.is_array {
                if bound_to.iter().any(|(ty, known)| {
                    *ty == parameter.type_expr() && rules.types_differ(self, known, given) == Some(true)
                }) {
                    return None;
                }
                bound_to.push((parameter.type_expr(), given));
            }
        }
        Some(sum)
    }

    /// Whether a member overrides one of a supertype that has its name.
    pub(crate) fn overrides(&self, member: SymbolId, base: SymbolId) -> bool {
        if !self.rules(member.file).may_override(self, member, base) {
            return false;
        }
        let is_function = |id| self.kind_of(id).is_some_and(SymbolKind::is_function);
        let is_apart = self.semantics(member.file).namespaces == Namespaces::ByUse;
        self.has_same_parameter_types(member, base) && !(is_apart && is_function(member) != is_function(base))
    }

    /// Whether two functions of one name have the same parameters: as many, of types that may be the same.
    pub(crate) fn has_same_parameter_types(&self, one: SymbolId, other: SymbolId) -> bool {
        if !self.counts_arguments(one.file) {
            return true;
        }
        let (Some(view), Some(other_view)) = (self.view(one.file), self.view(other.file)) else {
            return false;
        };
        let symbol = &view.facts.symbols[one.symbol];
        let other_symbol = &other_view.facts.symbols[other.symbol];
        if !symbol.kind.is_function() || !other_symbol.kind.is_function() {
            return true;
        }
        let mut own = parameters(&view, symbol);
        let mut others = parameters(&other_view, other_symbol);
        loop {
            match (own.next(), others.next()) {
                (None, None) => return true,
                // `fn merge(&self, other: Self)`: in the overriding type, `Self` is that type.
                (Some(_), Some(others)) if self.is_own_type(other.file, &other_view, others) => {}
                (Some(own), Some(others)) => {
                    let own = self.arg_type_of_parameter(one.file, &view, symbol, own);
                    let others = self.arg_type_of_parameter(other.file, &other_view, other_symbol, others);
                    let is_open = |one: &ArgType| matches!(one.shape, Shape::Generic | Shape::Unknown);
                    let differ = self.rules(one.file).types_differ(self, &own, &others);
                    if differ.unwrap_or_else(|| own != others && !is_open(&own) && !is_open(&others)) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }

    fn is_own_type(&self, file: FileIdx, view: &View, parameter: &Binding) -> bool {
        let ty = parameter.type_expr().map(|ty| view.facts.names.get(ty));
        ty.is_some_and(|ty| self.semantics(file).own_type.contains(&ty))
    }
}

/// The value parameters of a function.
pub(crate) fn parameters<'v>(view: &'v View, symbol: &'v Symbol) -> impl Iterator<Item = &'v Binding> {
    view.parameters(symbol)
        .filter(|binding| binding.kind != LocalKind::Generic)
}

/// How a number of arguments fits some parameters; `None` if that many cannot be passed.
pub(crate) fn arity_match(parameters: &[&Binding], count: usize) -> Option<ArityMatch> {
    let has_rest = parameters.iter().any(|parameter| parameter.kind == LocalKind::Rest);
    let needed = parameters
        .iter()
        .filter(|parameter| parameter.kind == LocalKind::Plain)
        .count();
    if count < needed || (count > parameters.len() && !has_rest) {
        return None;
    }
    Some(match (has_rest, count == parameters.len()) {
        (true, _) => ArityMatch::Variadic,
        (false, true) => ArityMatch::Exact,
        (false, false) => ArityMatch::WithDefaults,
    })
}
