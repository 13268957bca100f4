//! Functions of one name: which of them a call means, and which stand in for one another.

use syntax::{
    Binding, CONST, Given, INDEX, Literal, LocalKind, NameId, On, Reference, Role, SHAPE, STATIC, Symbol, SymbolKind,
    is_operator,
};

use super::{At, Base, Meaning, Resolver, computed::is_literal, conversions::library_type, type_paths};
use crate::{
    files::FileIdx,
    semantics::Semantics,
    view::{SymbolId, View},
};

/// A type, as far as it tells functions apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    Type(SymbolId),
    /// Of the language or a library, by its last name.
    Named(String),
    /// A parameter of type, which stands for any.
    Generic,
    Null,
    Function,
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Described {
    pub shape: Shape,
    pub is_array: bool,
    /// A parameter that takes any number of them.
    pub is_rest: bool,
    /// Its type is likely this one, and nothing is known otherwise.
    pub is_guess: bool,
    /// How many pointers lead to it, where a language tells that apart and it is known.
    pub depth: Option<u8>,
    pub is_const: bool,
}

impl Described {
    pub fn plain(shape: Shape) -> Described {
        Described { shape, ..UNKNOWN }
    }

    pub fn is_known(&self) -> bool {
        self.shape != Shape::Unknown
    }

    /// One of an array of such.
    fn element(self) -> Described {
        match &self.shape {
            // An array of arrays.
            Shape::Named(name) if self.is_array && name.ends_with("[]") => {
                let shape = Shape::Named(name.trim_end_matches("[]").to_owned());
                Described { shape, ..self }
            }
            _ if self.is_array => Described {
                is_array: false,
                is_rest: false,
                ..self
            },
            _ => UNKNOWN,
        }
    }
}

const UNKNOWN: Described = Described {
    shape: Shape::Unknown,
    is_array: false,
    is_rest: false,
    is_guess: false,
    depth: None,
    is_const: false,
};

/// How well an argument fits a parameter. What does not fit has none.
pub(super) type Fit = u32;

const ANY: Fit = 8;
const DERIVED: Fit = 24;
const EXACT: Fit = 32;

/// Better than anything that is only found by giving a list one by one.
const NOT_ONE_BY_ONE: Fit = 1 << 20;

/// Longer ways from value to value say nothing new.
const MAX_STEPS: u32 = 8;

impl Resolver<'_> {
    /// Of several definitions of one name those that a call or another use can mean.
    pub(crate) fn by_arguments(&self, symbols: Vec<SymbolId>, file: FileIdx, view: &View, index: u32) -> Vec<SymbolId> {
        let symbols = self.by_labels(symbols, file, index);
        if symbols.len() < 2 {
            return symbols;
        }
        let reference = &view.facts.references[index as usize];
        let symbols = self.by_role(symbols, reference.role);
        let (Some(count), true) = (reference.arguments, symbols.len() > 1 && self.counts_arguments(file)) else {
            return symbols;
        };
        let count = usize::from(count);
        let symbols = self.by_arguments_of_type(symbols, file, view, index);
        // A macro takes whatever it is given.
        let is_macro = |id: &SymbolId| self.kind_of(*id) == Some(SymbolKind::Macro);
        let is_told = !symbols.iter().any(is_macro);
        let given: Vec<Given> = view.facts.given(index).filter(|_| is_told).collect();
        let mut shapes: Option<Vec<Described>> = None;
        let mut best: Vec<SymbolId> = Vec::new();
        let mut best_fit = 0;
        for id in &symbols {
            let Some(callee) = self.view(id.file) else { continue };
            let symbol = &callee.facts.symbols[id.symbol as usize];
            if !symbol.kind.is_function() {
                best.push(*id);
                continue;
            }
            let mut parameters: Vec<&Binding> = parameters(&callee, symbol).collect();
            if self.is_on_first(*id, file, reference) && !parameters.is_empty() {
                parameters.remove(0);
            }
            let fit = self.taken_by_call(*id, file, index, count, &mut parameters);
            let Some(mut fit) = fit else { continue };
            let shapes = shapes.get_or_insert_with(|| {
                let described = given
                    .iter()
                    .map(|given| self.described_argument(file, view, index, *given));
                described.collect()
            });
            if self.semantics(file).lists_last {
                let last = parameters.last();
                let last = last.map(|last| self.described_parameter(id.file, &callee, symbol, last));
                let is_rest = last.as_ref().is_some_and(|last| last.is_rest);
                let is_list = count == parameters.len()
                    && shapes.last().zip(last).is_some_and(|(given, wanted)| {
                        given.shape == Shape::Null || (given.is_array && !self.is_of_numbers(file, given, &wanted))
                    });
                if !is_rest || is_list {
                    fit += NOT_ONE_BY_ONE;
                }
            }
            let Some(fit) = self
                .all_fit(*id, &callee, symbol, &parameters, shapes)
                .map(|sum| sum + fit)
            else {
                continue;
            };
            if fit > best_fit {
                best.clear();
            }
            if fit >= best_fit {
                best_fit = fit;
                best.push(*id);
            }
        }
        let best = if best.is_empty() { symbols } else { best };
        self.by_constness(best, file, view, reference)
    }

    /// Whether one of some functions can take what a call gives.
    pub(super) fn some_fits(&self, symbols: &[SymbolId], file: FileIdx, view: &View, index: u32) -> bool {
        let reference = &view.facts.references[index as usize];
        let Some(count) = reference.arguments.map(usize::from) else {
            return true;
        };
        let given: Vec<Described> = view
            .facts
            .given(index)
            .map(|given| self.described_argument(file, view, index, given))
            .collect();
        symbols.iter().any(|id| {
            let Some(callee) = self.view(id.file) else { return true };
            let symbol = &callee.facts.symbols[id.symbol as usize];
            if !symbol.kind.is_function() {
                return true;
            }
            let mut parameters: Vec<&Binding> = parameters(&callee, symbol).collect();
            if self.is_on_first(*id, file, reference) && !parameters.is_empty() {
                parameters.remove(0);
            }
            let is_taken = self.taken_by_call(*id, file, index, count, &mut parameters).is_some();
            is_taken && self.all_fit(*id, &callee, symbol, &parameters, &given).is_some()
        })
    }

    /// Whether a function takes as many arguments as a call gives; where their labels say which parameters they are for,
    /// only those are left.
    fn taken_by_call(
        &self,
        id: SymbolId,
        file: FileIdx,
        call: u32,
        count: usize,
        parameters: &mut Vec<&Binding>,
    ) -> Option<Fit> {
        match self.labelled(file, call, id) {
            // What each of them is for is known, and what is left out may be.
            Some(places) => {
                *parameters = places.iter().filter_map(|at| parameters.get(*at).copied()).collect();
                Some(1)
            }
            None => taken(parameters, count).or_else(|| self.declared_to_take(id, count)),
        }
    }

    /// Of several functions those that can be given types, where a call gives some: `make<Shape>(..)`.
    fn by_arguments_of_type(&self, symbols: Vec<SymbolId>, file: FileIdx, view: &View, index: u32) -> Vec<SymbolId> {
        if !self.semantics(file).has_headers || self.behind(file, view, index, &[]).0.is_empty() {
            return symbols;
        }
        let taking: Vec<SymbolId> = symbols
            .iter()
            .copied()
            .filter(|id| !self.parameters_of_type(*id).is_empty())
            .collect();
        if taking.is_empty() { symbols } else { taking }
    }

    /// Of two methods that differ in whether they leave their object as it is, the one for what the call stands on.
    fn by_constness(&self, symbols: Vec<SymbolId>, file: FileIdx, view: &View, reference: &Reference) -> Vec<SymbolId> {
        if symbols.len() < 2 || !self.semantics(file).has_headers || !symbols.iter().any(|id| self.is_const(*id)) {
            return symbols;
        }
        let place = At {
            file,
            view,
            at: reference.at,
        };
        let Some(is_const) = self.is_on_const(place, reference.on, 0) else {
            return symbols;
        };
        let types = |id: SymbolId| {
            self.symbol(id, |view, symbol| -> Vec<Option<String>> {
                let types = parameters(view, symbol).map(|parameter| parameter.ty);
                types
                    .map(|ty| ty.map(|ty| view.facts.names.get(ty).to_owned()))
                    .collect()
            })
        };
        let mut kept = symbols.clone();
        kept.retain(|id| {
            let is_other = |other: &SymbolId| self.is_const(*other) == is_const && types(*other) == types(*id);
            self.is_const(*id) == is_const || !symbols.iter().any(is_other)
        });
        kept
    }

    fn is_const(&self, id: SymbolId) -> bool {
        let is_const = self.symbol(id, |view, symbol| {
            let name = |id| view.facts.names.get(id);
            let mut given = view.parameters(symbol);
            given.any(|one| name(one.name) == SHAPE && one.ty.is_some_and(|ty| name(ty) == CONST))
        });
        is_const == Some(true)
    }

    /// Whether what a call stands on stays as it is; not told of what says nothing of its type.
    fn is_on_const(&self, place: At<'_>, on: On, steps: u32) -> Option<bool> {
        let At { file, view, .. } = place;
        let own = || {
            let mut around = view.around(place.at).filter(|(_, symbol)| symbol.kind.is_function());
            around
                .next()
                .map(|(symbol, _)| self.is_const(SymbolId { file, symbol }))
        };
        let says = |text: &str| (text != "auto").then(|| text.starts_with("const "));
        match on {
            On::This | On::Nothing => own(),
            On::Value(value) if steps < MAX_STEPS => match self.meaning(file, value) {
                Meaning::Local(binding) => {
                    let ty = view.facts.bindings[binding as usize].ty?;
                    says(view.facts.names.get(ty))
                }
                Meaning::Symbols(symbols, _) => {
                    let (ty, is_field) = self.symbol(*symbols.first()?, |view, symbol| {
                        let ty = symbol.ty.map(|ty| view.facts.names.get(ty).to_owned());
                        (ty, symbol.kind == SymbolKind::Field)
                    })?;
                    let ty = ty?;
                    let is_const = says(&ty)?;
                    // What is pointed to is not part of it.
                    let is_field = is_field && !ty.ends_with(['*', '&']);
                    let outer = view.facts.references[value as usize].on;
                    Some(is_const || (is_field && self.is_on_const(place, outer, steps + 1) == Some(true)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether functions of one name are told apart by what they are given.
    fn counts_arguments(&self, file: FileIdx) -> bool {
        let semantics = self.semantics(file);
        semantics.has_overloads || semantics.has_headers
    }

    /// Whether one of some functions can be given as many arguments as a call gives.
    pub(crate) fn some_takes(&self, symbols: &[SymbolId], reference: &Reference) -> bool {
        let count = match reference.arguments {
            // `new Point { X = 1 }`
            None if symbols
                .iter()
                .all(|id| self.is_constructor(*id) && self.semantics(id.file).has_arity) =>
            {
                0
            }
            None => return true,
            Some(count) => count,
        };
        symbols.iter().any(|id| {
            if !self.counts_arguments(id.file) || self.semantics(id.file).has_labels {
                return true;
            }
            let takes = self.symbol(*id, |view, symbol| {
                let parameters: Vec<&Binding> = parameters(view, symbol).collect();
                !symbol.kind.is_function() || taken(&parameters, usize::from(count)).is_some()
            });
            takes != Some(false) || self.declared_to_take(*id, usize::from(count)).is_some()
        })
    }

    /// The same by another declaration of a function: what can be left out is said in one of them.
    fn declared_to_take(&self, id: SymbolId, count: usize) -> Option<Fit> {
        if !self.semantics(id.file).has_headers {
            return None;
        }
        let others = self.same_thing(id).into_iter().filter(|other| *other != id);
        let mut others = others.filter_map(|other| {
            self.symbol(other, |view, symbol| {
                let parameters: Vec<&Binding> = parameters(view, symbol).collect();
                taken(&parameters, count)
            })
        });
        others.find_map(|taken| taken)
    }

    /// Whether a call stands on what its function takes first: a static function that adds to a type.
    fn is_on_first(&self, id: SymbolId, file: FileIdx, reference: &Reference) -> bool {
        let adds = self.symbol(id, |view, symbol| {
            symbol.owner.is_some() && view.parent(symbol).is_some_and(|parent| parent.kind.has_members())
        });
        let is_type = match reference.on {
            On::Nothing | On::Path(_) => true,
            On::Value(value) => match self.meaning(file, value) {
                Meaning::Symbols(symbols, _) => {
                    let mut kinds = symbols.iter().filter_map(|id| self.kind_of(*id));
                    kinds.any(SymbolKind::is_type)
                }
                _ => false,
            },
            _ => false,
        };
        adds == Some(true) && !is_type
    }

    /// A call means a function before a value of its name, and the other way round.
    fn by_role(&self, symbols: Vec<SymbolId>, role: Role) -> Vec<SymbolId> {
        let has_module = symbols
            .iter()
            .any(|id| self.kind_of(*id) == Some(SymbolKind::Module) && self.semantics(id.file).has_namespaces);
        let fits = |id: &SymbolId| {
            let kind = self.kind_of(*id);
            kind.is_none_or(|kind| match role {
                Role::Call => kind.is_function() || kind.is_type(),
                Role::Type | Role::Implementation => kind.is_type(),
                // It brings a module and the function of its name.
                Role::Import if has_module => true,
                _ => !kind.is_function(),
            })
        };
        let fitting: Vec<SymbolId> = symbols.iter().copied().filter(fits).collect();
        if fitting.is_empty() { symbols } else { fitting }
    }

    fn all_fit(
        &self,
        id: SymbolId,
        view: &View,
        symbol: &Symbol,
        parameters: &[&Binding],
        given: &[Described],
    ) -> Option<Fit> {
        let mut sum = 0;
        let mut stand_for: Vec<(Option<NameId>, &Described)> = Vec::new();
        for (at, given) in given.iter().enumerate() {
            let Some(parameter) = parameters.get(at).or(parameters.last()) else {
                break;
            };
            let wanted = self.described_parameter(id.file, view, symbol, parameter);
            sum += self.fit(id.file, given, &wanted)?;
            // One parameter of type stands for one type.
            if self.semantics(id.file).has_headers && wanted.shape == Shape::Generic && !wanted.is_array {
                if stand_for
                    .iter()
                    .any(|(ty, known)| *ty == parameter.ty && self.are_apart(known, given))
                {
                    return None;
                }
                stand_for.push((parameter.ty, given));
            }
        }
        Some(sum)
    }

    /// Whether a member of a type can stand in for one of a type that it is derived from.
    pub(crate) fn stands_in(&self, member: SymbolId, base: SymbolId) -> bool {
        if self.is_explicit(member) && !self.is_explicit_for(member, base) {
            return false;
        }
        let bare = |id| self.shape_of(id).map(|shape| shape.replace(['?', '*'], ""));
        if self.semantics(member.file).has_labels && bare(member) != bare(base) {
            return false;
        }
        let is_own = |id| self.shape_of(id).as_deref() == Some(STATIC);
        if self.semantics(member.file).has_arity && is_own(member) && !is_own(base) {
            return false;
        }
        if self.semantics(member.file).hides_statics && (is_own(member) || is_own(base)) {
            return false;
        }
        if self.semantics(member.file).has_headers && self.is_const(member) != self.is_const(base) {
            // What a macro makes does not say; but of two the one that says the same does it.
            let has_beside = |id: SymbolId, wanted: SymbolId| match self.owner(id) {
                Base::Symbol(own) => {
                    let beside = self.own_members(own, &self.name_of(id)).into_iter();
                    let mut beside = beside.filter(|other| self.is_const(*other) == self.is_const(wanted));
                    beside.any(|other| self.takes_the_same(other, wanted))
                }
                _ => false,
            };
            if has_beside(member, base) || has_beside(base, member) {
                return false;
            }
        }
        let is_function = |id| self.kind_of(id).is_some_and(SymbolKind::is_function);
        let is_apart = self.semantics(member.file).has_separate_names;
        self.takes_the_same(member, base) && !(is_apart && is_function(member) != is_function(base))
    }

    /// A member that can be asked through an interface only: `void IShape.Draw()`.
    pub(crate) fn is_explicit(&self, id: SymbolId) -> bool {
        if !self.semantics(id.file).has_arity {
            return false;
        }
        let is_explicit = self.symbol(id, |view, symbol| {
            let is_in_type = view
                .parent(symbol)
                .is_some_and(|parent| matches!(parent.kind, SymbolKind::Class | SymbolKind::Struct));
            let is_code = symbol.kind.is_function() || symbol.kind == SymbolKind::Property;
            is_in_type && is_code && symbol.visibility.is_none() && symbol.owner.is_none()
        });
        is_explicit == Some(true)
    }

    /// Whether the interface that is written before such a member is that of another.
    fn is_explicit_for(&self, member: SymbolId, base: SymbolId) -> bool {
        let named = self.symbol(member, |view, symbol| {
            let before = view.facts.references.partition_point(|one| one.at < symbol.name_at);
            before.checked_sub(1).map(|at| at as u32)
        });
        let Some(named) = named.flatten() else { return true };
        match (self.meaning(member.file, named), self.owner(base)) {
            (Meaning::Symbols(symbols, _), Base::Symbol(owner)) => {
                symbols.contains(&owner) || symbols.iter().any(|one| self.is_derived(*one, owner))
            }
            _ => true,
        }
    }

    /// Whether one function takes the same as another of its name: as many parameters, of the same types.
    pub(crate) fn takes_the_same(&self, one: SymbolId, other: SymbolId) -> bool {
        if !self.counts_arguments(one.file) {
            return true;
        }
        let (Some(view), Some(other_view)) = (self.view(one.file), self.view(other.file)) else {
            return false;
        };
        let symbol = &view.facts.symbols[one.symbol as usize];
        let other_symbol = &other_view.facts.symbols[other.symbol as usize];
        if !symbol.kind.is_function() || !other_symbol.kind.is_function() {
            return true;
        }
        let mut own = parameters(&view, symbol);
        let mut others = parameters(&other_view, other_symbol);
        loop {
            match (own.next(), others.next()) {
                (None, None) => return true,
                // Whatever type it is that stands in.
                (Some(_), Some(others)) if self.is_own_type(other.file, &other_view, others) => {}
                (Some(own), Some(others)) => {
                    let own = self.described_parameter(one.file, &view, symbol, own);
                    let others = self.described_parameter(other.file, &other_view, other_symbol, others);
                    let is_open = |shape: &Shape| matches!(shape, Shape::Generic | Shape::Unknown);
                    let same = own == others || is_open(&own.shape) || is_open(&others.shape);
                    let same = match self.semantics(one.file).has_headers {
                        true => !self.are_apart(&own, &others),
                        false => same,
                    };
                    if !same {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }

    fn is_own_type(&self, file: FileIdx, view: &View, parameter: &Binding) -> bool {
        let ty = parameter.ty.map(|ty| view.facts.names.get(ty));
        ty.is_some_and(|ty| self.semantics(file).own_type.contains(&ty))
    }

    pub(super) fn described_parameter(
        &self,
        file: FileIdx,
        view: &View,
        symbol: &Symbol,
        parameter: &Binding,
    ) -> Described {
        let Some(ty) = parameter.ty else { return UNKNOWN };
        let at = symbol.end_of_signature();
        let place = At { file, view, at };
        let described = self.described_type(place, view.facts.names.get(ty));
        Described {
            is_array: described.is_array || parameter.kind == LocalKind::Rest,
            is_rest: parameter.kind == LocalKind::Rest,
            ..described
        }
    }

    pub(super) fn described_type(&self, place: At<'_>, text: &str) -> Described {
        if self.semantics(place.file).has_headers {
            return self.described_pointer(place, text, 0);
        }
        if text.contains("->") || text.contains("=>") {
            return Described::plain(Shape::Function);
        }
        let is_array = text.trim_end().ends_with("[]");
        // An array of arrays.
        if text.trim_end().ends_with("[][]") {
            let element = text.trim_end().trim_end_matches("[]").len();
            let shape = Shape::Named(text[..element + 2].to_owned());
            return Described {
                is_array,
                ..Described::plain(shape)
            };
        }
        let Some(path) = type_paths(text).next() else {
            // Words of other types, and types by themselves: `long`, `unsigned short`.
            let word = text.trim_end_matches(|c: char| !c.is_alphanumeric());
            let word = word.rsplit(' ').next().unwrap_or(word);
            let is_type = matches!(word, "long" | "short" | "signed" | "unsigned");
            let shape = match is_type {
                true => Shape::Named(word.to_owned()),
                false => Shape::Unknown,
            };
            return Described {
                is_array,
                ..Described::plain(shape)
            };
        };
        let local = place.view.binding_at(path, place.at);
        if local.is_some_and(|(_, binding)| binding.kind == LocalKind::Generic) {
            return Described {
                is_array,
                ..Described::plain(Shape::Generic)
            };
        }
        let shape = match self.named_type(place, path).head {
            // A type in parts is one.
            Base::Symbol(id) if self.semantics(id.file).has_parts => {
                Shape::Type(self.same_thing(id).first().copied().unwrap_or(id))
            }
            Base::Symbol(id) => Shape::Type(id),
            _ => Shape::Named(path.rsplit(['.', ':', '\\']).next().unwrap_or(path).to_owned()),
        };
        Described {
            is_array,
            ..Described::plain(shape)
        }
    }

    pub(super) fn described_argument(&self, file: FileIdx, view: &View, call: u32, given: Given) -> Described {
        self.described_given(file, view, call, given, 0)
    }

    pub(super) fn described_given(&self, file: FileIdx, view: &View, call: u32, given: Given, steps: u32) -> Described {
        match given {
            Given::Value(value) => match self.given_to_macro(file, view, value) {
                Some(inner) => self.described_given(file, view, call, inner, steps),
                None => self.described_value(file, value, steps),
            },
            Given::Pointed(value) => self.described_value(file, value, steps).pointed(),
            Given::Address(value) => self.described_value(file, value, steps).address(),
            Given::This => {
                let at = view.facts.references[call as usize].at;
                match self.own_type(At { file, view, at }) {
                    Base::Symbol(own) => Described::plain(Shape::Type(own)),
                    _ => UNKNOWN,
                }
            }
            Given::Literal(Literal::Null) => Described::plain(Shape::Null),
            Given::Literal(literal) => {
                let name = (self.semantics(file).literal_type)(literal);
                name.map_or(UNKNOWN, |name| self.described_library(file, name))
            }
            Given::Written(ty) if is_literal(view.facts.names.get(ty)) => {
                self.described_given(file, view, call, Given::Literal(Literal::Text), steps)
            }
            Given::Written(ty) => {
                let at = view.facts.references[call as usize].at;
                self.described_type(At { file, view, at }, view.facts.names.get(ty))
            }
            Given::Function => Described::plain(Shape::Function),
            Given::Labels(_) | Given::Other => UNKNOWN,
        }
    }

    /// The text that a macro is given as its only argument: it makes one of another kind of it, or the same: `_T("text")`.
    fn given_to_macro(&self, file: FileIdx, view: &View, value: u32) -> Option<Given> {
        if !self.semantics(file).has_headers || view.facts.references[value as usize].role != Role::Call {
            return None;
        }
        let mut given = view.facts.given(value);
        let text = given.next().filter(|one| *one == Given::Literal(Literal::Text))?;
        let is_alone = given.next().is_none();
        let is_macro = || match self.meaning(file, value) {
            Meaning::Symbols(symbols, _) => symbols.iter().any(|id| self.kind_of(*id) == Some(SymbolKind::Macro)),
            _ => false,
        };
        (is_alone && is_macro()).then_some(text)
    }

    /// A type of the language or its library, by its name.
    pub(super) fn described_library(&self, file: FileIdx, name: &str) -> Described {
        match self.semantics(file).has_headers {
            true => library_type(name),
            false => Described {
                is_array: name.ends_with("[]"),
                ..Described::plain(Shape::Named(name.trim_end_matches("[]").to_owned()))
            },
        }
    }

    /// The type of a reference's value, by its name where it is not of this workspace.
    pub(super) fn described_value(&self, file: FileIdx, index: u32, steps: u32) -> Described {
        let Some(view) = self.view(file).filter(|_| steps < MAX_STEPS) else {
            return UNKNOWN;
        };
        let reference = &view.facts.references[index as usize];
        let name = view.facts.names.get(reference.name);
        let declared = |other: FileIdx, there: &View, at: u32, text: &str| {
            let described = self.described_type(
                At {
                    file: other,
                    view: there,
                    at,
                },
                text,
            );
            if described.shape != Shape::Generic || self.semantics(file).has_headers {
                return described;
            }
            // What it stands for is known elsewhere; where it is declared it is nothing but itself.
            let own = |view: &View, at: u32| {
                let (index, binding) = view.binding_at(type_paths(text).next()?, at)?;
                Some((index, binding.ty.is_none()))
            };
            let is_itself = other == file && own(there, at).is_some() && own(there, at) == own(&view, reference.at);
            match is_itself
                && own(there, at).is_some_and(|(_, is_bare)| is_bare)
                && self.semantics(file).has_bare_arrays
            {
                true => described,
                false => UNKNOWN,
            }
        };
        if is_operator(reference, name) {
            return self.described_operation(file, &view, index, steps);
        }
        let semantics = self.semantics(file);
        let is_of_array = || match reference.on {
            On::Value(on) => self.described_value(file, on, steps + 1).is_array,
            _ => false,
        };
        // `all.length`
        if semantics.has_bare_arrays
            && reference.role == Role::Member
            && let Some(known) = (semantics.result_type)(name)
            && is_of_array()
        {
            return self.described_library(file, known);
        }
        let is_pointing = name == INDEX && (semantics.has_headers || semantics.has_bare_arrays);
        let described = match self.meaning(file, index) {
            Meaning::External | Meaning::Missing | Meaning::Unknown if is_pointing => {
                let on = match reference.on {
                    On::Value(on) => self.described_value(file, on, steps + 1),
                    _ => UNKNOWN,
                };
                match semantics.has_headers {
                    true => on.pointed(),
                    false => on.element(),
                }
            }
            Meaning::Local(binding) => {
                let binding = &view.facts.bindings[binding as usize];
                match (binding.ty, binding.value) {
                    (Some(ty), _) => {
                        let described = declared(file, &view, binding.at, view.facts.names.get(ty));
                        let is_array = described.is_array || binding.kind == LocalKind::Rest;
                        Described { is_array, ..described }
                    }
                    // The parameter of a lambda is not what its call gives.
                    (None, Some(value)) if view.facts.references[value as usize].at > binding.at => {
                        self.described_value(file, value, steps + 1)
                    }
                    _ => UNKNOWN,
                }
            }
            Meaning::Symbols(symbols, _) => {
                let Some(first) = symbols.first() else { return UNKNOWN };
                let Some(other) = self.view(first.file) else {
                    return UNKNOWN;
                };
                let symbol = &other.facts.symbols[first.symbol as usize];
                let at = symbol.end_of_signature();
                match (symbol.ty, symbol.value) {
                    _ if symbol.kind.has_members() => Described::plain(Shape::Type(*first)),
                    (Some(ty), _) => declared(first.file, &other, at, other.facts.names.get(ty)),
                    (None, Some(value)) => self.described_value(first.file, value, steps + 1),
                    _ => UNKNOWN,
                }
            }
            // `datetime(2018, 7, 22)`
            Meaning::External
                if self.semantics(file).has_signatures
                    && reference.role == Role::Call
                    && reference.on == On::Nothing =>
            {
                Described {
                    is_guess: true,
                    ..Described::plain(Shape::Named(name.to_owned()))
                }
            }
            // A cast, or what is made of a type: `new StringReader(text)`.
            // `Character.valueOf(c)`
            Meaning::External if name == "valueOf" => {
                let on = match reference.on {
                    On::Value(on) => Some(view.facts.names.get(view.facts.references[on as usize].name)),
                    On::Path(path) => Some(view.facts.names.get(path)),
                    _ => None,
                };
                let on = on.filter(|on| on.starts_with(char::is_uppercase));
                Described::plain(on.map_or(Shape::Unknown, |on| Shape::Named(on.to_owned())))
            }
            // `Locale.ROOT`, `Pattern.compile(text)`: of the class itself, if anything takes one.
            Meaning::External
                if self.semantics(file).has_bare_arrays
                    && matches!(reference.role, Role::Member | Role::Call)
                    && (self.semantics(file).result_type)(name).is_none()
                    && self.outer_class(file, &view, reference).is_some() =>
            {
                let class = self.outer_class(file, &view, reference);
                Described {
                    is_guess: true,
                    ..Described::plain(class.map_or(Shape::Unknown, Shape::Named))
                }
            }
            Meaning::External if matches!(reference.role, Role::Type | Role::Call) => {
                let known = (self.semantics(file).result_type)(name);
                let is_type = name.starts_with(char::is_uppercase) && !matches!(reference.on, On::Value(_));
                let name = known.or(is_type.then_some(name));
                name.map_or(UNKNOWN, |name| self.described_library(file, name))
            }
            _ => match (self.semantics(file).result_type)(name) {
                Some(known) if reference.role == Role::Call => self.described_library(file, known),
                _ => UNKNOWN,
            },
        };
        match (&described.shape, self.value(file, index).head) {
            (Shape::Unknown, Base::Symbol(own)) if self.semantics(file).has_parts => {
                Described::plain(Shape::Type(self.same_thing(own).first().copied().unwrap_or(own)))
            }
            (Shape::Unknown, Base::Symbol(own)) => Described::plain(Shape::Type(own)),
            _ => described,
        }
    }

    /// The class from elsewhere that a name stands on.
    fn outer_class(&self, file: FileIdx, view: &View, reference: &Reference) -> Option<String> {
        let On::Value(on) = reference.on else { return None };
        let class = &view.facts.references[on as usize];
        let name = view.facts.names.get(class.name);
        // Not of one that is made there: `new File(name).toPath()`.
        let is_class = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
        let is_class = is_class && class.role != Role::Call;
        (is_class && self.meaning(file, on) == Meaning::External).then(|| name.to_owned())
    }

    /// What a name stands on.
    pub(super) fn described_receiver(&self, place: At<'_>, on: On) -> Described {
        match on {
            On::Value(value) => self.described_value(place.file, value, 0),
            On::This => match self.own_type(place) {
                Base::Symbol(own) => Described::plain(Shape::Type(own)),
                _ => UNKNOWN,
            },
            _ => UNKNOWN,
        }
    }

    /// Whether a value can be one of a type as it is written at a place.
    pub(super) fn fits_type(&self, place: At<'_>, given: &Described, text: &str) -> bool {
        let wanted = self.described_type(place, text);
        self.fit(place.file, given, &wanted).is_some()
    }

    pub(super) fn fit(&self, file: FileIdx, given: &Described, wanted: &Described) -> Option<Fit> {
        let semantics = self.semantics(file);
        if semantics.has_headers {
            return match (wanted.is_array, &wanted.shape) {
                // `...` takes what nothing else does.
                (true, Shape::Unknown) => Some(0),
                (true, _) => Some(ANY),
                (false, _) => self.converted(given, wanted),
            };
        }
        if given.is_guess {
            let is_it = match (&given.shape, &wanted.shape) {
                (Shape::Named(given), Shape::Named(wanted)) => {
                    given == wanted
                        || semantics.primitives.contains(&wanted.as_str()) && boxed(given) == wanted.as_str()
                }
                _ => false,
            };
            return Some(if is_it && !wanted.is_array { EXACT } else { ANY });
        }
        let is_any = matches!(&wanted.shape, Shape::Named(name) if semantics.any_type.contains(&name.as_str()));
        if given.shape == Shape::Unknown || wanted.shape == Shape::Unknown {
            return Some(ANY);
        }
        if given.shape == Shape::Null && wanted.is_array {
            return Some(ANY);
        }
        // What an array is made of is no array, unless any number of them is taken.
        let is_one = !given.is_array && !matches!(given.shape, Shape::Null | Shape::Generic);
        if wanted.is_array && !wanted.is_rest && is_one && semantics.has_bare_arrays {
            return None;
        }
        if given.shape == Shape::Generic && !given.is_array && !wanted.is_array {
            return match wanted.shape {
                Shape::Generic => Some(DERIVED),
                _ => is_any.then_some(ANY),
            };
        }
        if is_any || wanted.shape == Shape::Generic {
            let is_of_numbers = self.is_of_numbers(file, given, wanted);
            if is_of_numbers && !wanted.is_rest {
                return None;
            }
            return Some(if wanted.is_array && given.is_array && !is_of_numbers {
                DERIVED
            } else {
                ANY
            });
        }
        if wanted.is_array && !given.is_array && given.shape != Shape::Null {
            return self.fit_element(semantics, given, wanted);
        }
        if given.is_array && !wanted.is_array {
            return None;
        }
        // An array of numbers is one of those and of no others.
        let is_number =
            |one: &Described| matches!(&one.shape, Shape::Named(name) if semantics.primitives.contains(&name.as_str()));
        if given.is_array && wanted.is_array && (is_number(given) || is_number(wanted)) {
            return (given.shape == wanted.shape).then_some(EXACT);
        }
        self.fit_element(semantics, given, wanted)
    }

    /// Whether it is an array of numbers that an array of anything is asked for: nothing stands for a number in all of it.
    fn is_of_numbers(&self, file: FileIdx, given: &Described, wanted: &Described) -> bool {
        let semantics = self.semantics(file);
        let is_any = match &wanted.shape {
            Shape::Generic => true,
            Shape::Named(name) => semantics.any_type.contains(&name.as_str()),
            _ => false,
        };
        let is_number = matches!(&given.shape, Shape::Named(name) if semantics.primitives.contains(&name.as_str()));
        semantics.has_bare_arrays && wanted.is_array && given.is_array && is_any && is_number
    }

    fn fit_element(&self, semantics: &Semantics, given: &Described, wanted: &Described) -> Option<Fit> {
        let is_plain = |name: &str| semantics.widening.iter().any(|chain| chain[0] == name);
        match (&given.shape, &wanted.shape) {
            (Shape::Null, Shape::Named(name)) => (!semantics.primitives.contains(&name.as_str())).then_some(ANY),
            (Shape::Null, _) => Some(ANY),
            (Shape::Function, Shape::Function) => Some(DERIVED),
            (Shape::Function, Shape::Type(id)) => match self.kind_of(*id) {
                Some(SymbolKind::Interface | SymbolKind::Trait | SymbolKind::Type) => Some(DERIVED),
                _ => None,
            },
            (Shape::Function, Shape::Named(name)) => (!is_plain(name)).then_some(ANY),
            (Shape::Type(given), Shape::Type(wanted)) if given == wanted => Some(EXACT),
            (Shape::Type(given), Shape::Type(wanted)) => self.is_derived(*given, *wanted).then_some(DERIVED),
            (Shape::Type(given), Shape::Named(name)) => {
                let kind = self.kind_of(*given);
                let mut implied = semantics.implied.iter();
                if implied.any(|(of, implied)| kind == Some(*of) && implied == name) {
                    return Some(DERIVED);
                }
                let others = self.others_of(*given);
                if others.contains(name) {
                    return Some(DERIVED + 1);
                }
                if others.iter().any(|other| is_of_library(semantics, other, name)) {
                    return Some(DERIVED);
                }
                let is_root = |other: &String| semantics.roots.contains(&other.as_str());
                let is_open = others.is_empty() || !others.iter().all(is_root);
                (!is_plain(name) && is_open && self.has_other_supertypes(*given)).then_some(ANY)
            }
            (Shape::Named(_), Shape::Type(_)) => None,
            (Shape::Named(given), Shape::Named(wanted)) if given == wanted => Some(EXACT),
            (Shape::Named(given), Shape::Named(wanted)) => {
                let chain = semantics.widening.iter().find(|chain| chain[0] == given);
                match chain {
                    // The nearer the better.
                    // What has to be unwrapped is taken as it is before.
                    Some(chain)
                        if semantics.lists_last
                            && chain[0].starts_with(char::is_uppercase)
                            && semantics.primitives.contains(&wanted.as_str()) =>
                    {
                        chain.contains(&wanted.as_str()).then_some(ANY / 2)
                    }
                    Some(chain) => {
                        let at = chain.iter().position(|one| *one == wanted.as_str())?;
                        Some(DERIVED - 1 - (at as Fit).min(8))
                    }
                    // Of what may be anything nothing is known that a type could ask for.
                    None if semantics.any_type.first() == Some(&given.as_str()) => None,
                    None if is_of_library(semantics, given, wanted) => Some(DERIVED),
                    None if semantics.roots.contains(&given.as_str()) => None,
                    None => (!is_plain(wanted)).then_some(ANY),
                }
            }
            (Shape::Named(name), Shape::Function) => (!is_plain(name)).then_some(ANY),
            (_, Shape::Function) => None,
            _ => Some(ANY),
        }
    }

    /// Whether a type is derived from another, at any distance.
    pub(crate) fn is_derived(&self, own: SymbolId, from: SymbolId) -> bool {
        self.any_supertype(own, |outer, _| outer == from)
    }

    /// Whether something that a type is derived from is not of this workspace.
    pub(super) fn has_other_supertypes(&self, own: SymbolId) -> bool {
        self.supertypes(own).has_others || self.any_supertype(own, |_, has_others| has_others)
    }

    /// The names of what a type is derived from, at any distance, that is not of this workspace.
    fn others_of(&self, own: SymbolId) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![own];
        let mut seen = Vec::new();
        while let Some(one) = open.pop() {
            let Some(view) = self.view(one.file).filter(|_| !seen.contains(&one) && seen.len() < 64) else {
                continue;
            };
            seen.push(one);
            open.extend(&self.supertypes(one).known);
            for clause in self.clauses(one, &view) {
                if !self.meaning(one.file, clause).is_found() {
                    let name = view.facts.references[clause as usize].name;
                    found.push(view.facts.names.get(name).to_owned());
                }
            }
        }
        found
    }

    fn any_supertype(&self, own: SymbolId, is_it: impl Fn(SymbolId, bool) -> bool) -> bool {
        let mut open = self.supertypes(own).known.clone();
        let mut seen = Vec::new();
        while let Some(outer) = open.pop() {
            let supertypes = self.supertypes(outer);
            if is_it(outer, supertypes.has_others) {
                return true;
            }
            if !seen.contains(&outer) && seen.len() < 64 {
                seen.push(outer);
                open.extend(&supertypes.known);
            }
        }
        false
    }
}

/// Whether a type of the library is derived from another, by what they are called: a `StringReader` is a `Reader`.
fn is_of_library(semantics: &Semantics, given: &str, wanted: &str) -> bool {
    match semantics.library.iter().find(|(name, _)| *name == wanted) {
        Some((_, others)) => others.iter().any(|other| given.ends_with(other)),
        None => !semantics.library.is_empty() && given.ends_with(wanted),
    }
}

/// The primitive type that a class of the library holds one of.
fn boxed(class: &str) -> &'static str {
    match class {
        "Boolean" => "boolean",
        "Byte" => "byte",
        "Character" => "char",
        "Double" => "double",
        "Float" => "float",
        "Integer" => "int",
        "Long" => "long",
        "Short" => "short",
        _ => "",
    }
}

/// The parameters of a function that are given something.
pub(super) fn parameters<'v>(view: &'v View, symbol: &'v Symbol) -> impl Iterator<Item = &'v Binding> {
    view.parameters(symbol)
        .filter(|binding| binding.kind != LocalKind::Generic)
}

/// Whether so many arguments can be given, and better so than by leaving some out or giving a list one by one.
pub(super) fn taken(parameters: &[&Binding], count: usize) -> Option<Fit> {
    let has_rest = parameters.iter().any(|parameter| parameter.kind == LocalKind::Rest);
    let needed = parameters
        .iter()
        .filter(|parameter| parameter.kind == LocalKind::Plain)
        .count();
    if count < needed || (count > parameters.len() && !has_rest) {
        return None;
    }
    Some(if has_rest {
        0
    } else {
        1 + Fit::from(count == parameters.len())
    })
}
