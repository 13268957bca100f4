//! Types as far as they tell functions apart: of parameters, and of what calls give.

use syntax::{ArgValue, Binding, Literal, LocalKind, Qualifier, Reference, Role, Step, Symbol, SymbolKind, TypeSource};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    lang::Overloads,
    types::{
        ty::Base,
        type_text::{is_string_literal, split_at_top, type_paths},
    },
    view::{SymbolId, View},
};

/// A type, as far as it tells functions apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
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
pub(crate) struct ArgType {
    pub shape: Shape,
    pub is_array: bool,
    /// A parameter that takes any number of them.
    pub is_rest: bool,
    /// Its type is likely this one, and nothing is known otherwise.
    pub is_guess: bool,
    /// How many pointers lead to it, where a language tells that apart and it is known.
    pub depth: Option<u8>,
    pub is_const: bool,
    /// How many values a function takes, where that is written.
    pub takes: Option<usize>,
}

impl ArgType {
    pub fn plain(shape: Shape) -> ArgType {
        ArgType { shape, ..UNKNOWN }
    }

    pub fn is_known(&self) -> bool {
        self.shape != Shape::Unknown
    }

    /// One of an array of such.
    pub fn element(self) -> ArgType {
        match &self.shape {
            // An array of arrays.
            Shape::Named(name) if self.is_array && name.ends_with("[]") => {
                let shape = Shape::Named(name.trim_end_matches("[]").to_owned());
                ArgType { shape, ..self }
            }
            _ if self.is_array => ArgType {
                is_array: false,
                is_rest: false,
                ..self
            },
            _ => UNKNOWN,
        }
    }
}

const UNKNOWN: ArgType = ArgType {
    shape: Shape::Unknown,
    is_array: false,
    is_rest: false,
    is_guess: false,
    depth: None,
    is_const: false,
    takes: None,
};

/// Longer ways from value to value say nothing new.
pub(crate) const MAX_STEPS: u32 = 8;

impl Resolver<'_> {
    /// What a parameter wants.
    pub(crate) fn arg_type_of_parameter(
        &self,
        file: FileIdx,
        view: &View,
        symbol: &Symbol,
        parameter: &Binding,
    ) -> ArgType {
        let Some(ty) = parameter.type_expr() else {
            return UNKNOWN;
        };
        let arg_type = self.arg_type_of_text(At::signature(file, view, symbol), view.facts.names.get(ty));
        ArgType {
            is_array: arg_type.is_array || parameter.kind == LocalKind::Rest,
            is_rest: parameter.kind == LocalKind::Rest,
            ..arg_type
        }
    }

    pub(crate) fn arg_type_of_text(&self, place: At<'_>, text: &str) -> ArgType {
        let own = self.rules(place.file).arg_type_of_text(self, place, text);
        own.unwrap_or_else(|| self.arg_type_within(place, text, 0))
    }

    /// The same of a type that is the other name of so many.
    fn arg_type_within(&self, place: At<'_>, text: &str, steps: u32) -> ArgType {
        let semantics = self.semantics(place.file);
        // What is given is worked out when it is asked for; or is several things at once.
        if text.starts_with("=>") || (semantics.lists_in_brackets && split_at_top(text, '&').count() > 1) {
            return UNKNOWN;
        }
        if let Some(inside) = in_brackets(text).filter(|_| semantics.lists_in_brackets) {
            return match split_at_top(inside, ':').count() {
                1 => ArgType {
                    is_array: true,
                    ..self.arg_type_within(place, inside, steps)
                },
                _ => ArgType::plain(Shape::Named("Dictionary".to_owned())),
            };
        }
        if text.contains("->") || text.contains("=>") {
            // `(_, _) ->`
            let written = text.strip_suffix("->");
            return ArgType {
                takes: written.map(|parameters| parameters.matches('_').count()),
                ..ArgType::plain(Shape::Function)
            };
        }
        let is_array = text.trim_end().ends_with("[]");
        // An array of arrays.
        if text.trim_end().ends_with("[][]") {
            let element = text.trim_end().trim_end_matches("[]").len();
            let shape = Shape::Named(text[..element + 2].to_owned());
            return ArgType {
                is_array,
                ..ArgType::plain(shape)
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
            return ArgType {
                is_array,
                ..ArgType::plain(shape)
            };
        };
        let local = place.view.binding_at(path, place.at);
        if local.is_some_and(|(_, binding)| binding.kind == LocalKind::Generic) {
            return ArgType {
                is_array,
                ..ArgType::plain(Shape::Generic)
            };
        }
        let shape = match self.named_type(place, path).head {
            Base::Symbol(id) if semantics.has_overloads() && self.rules(place.file).is_alias(self, id) => {
                let arg_type = self.arg_type_of_alias(id, steps);
                let is_array = is_array || arg_type.is_array;
                return ArgType { is_array, ..arg_type };
            }
            Base::Symbol(id) => self.shape_of_type(id),
            _ => Shape::Named(path.rsplit(['.', ':', '\\']).next().unwrap_or(path).to_owned()),
        };
        ArgType {
            is_array,
            ..ArgType::plain(shape)
        }
    }

    /// What another name of a type stands for.
    fn arg_type_of_alias(&self, alias: SymbolId, steps: u32) -> ArgType {
        let Some(view) = self.view(alias.file).filter(|_| steps < MAX_STEPS) else {
            return UNKNOWN;
        };
        let symbol = &view.facts.symbols[alias.symbol as usize];
        symbol.type_expr().map_or(UNKNOWN, |ty| {
            let place = At::signature(alias.file, &view, symbol);
            self.arg_type_within(place, view.facts.names.get(ty), steps + 1)
        })
    }

    fn shape_of_type(&self, id: SymbolId) -> Shape {
        let declarations = self.rules(id.file).declarations_of_type(self, id);
        Shape::Type(declarations.first().copied().unwrap_or(id))
    }

    pub(crate) fn arg_type_of_argument(&self, file: FileIdx, view: &View, call: u32, given: ArgValue) -> ArgType {
        self.arg_type_of_arg_value(file, view, call, given, 0)
    }

    pub(crate) fn arg_type_of_arg_value(
        &self,
        file: FileIdx,
        view: &View,
        call: u32,
        given: ArgValue,
        steps: u32,
    ) -> ArgType {
        match given {
            ArgValue::Value(value) => match self.rules(file).expanded_argument(self, (file, view), value) {
                Some(inner) => self.arg_type_of_arg_value(file, view, call, inner, steps),
                None => self.arg_type_of_value(file, value, steps),
            },
            ArgValue::Pointed(value) => self.arg_type_of_value(file, value, steps).pointed(),
            ArgValue::Address(value) => self.arg_type_of_value(file, value, steps).address(),
            ArgValue::This => {
                let at = view.facts.references[call as usize].at;
                match self.own_type(At { file, view, at }) {
                    Base::Symbol(own) => ArgType::plain(Shape::Type(own)),
                    _ => UNKNOWN,
                }
            }
            ArgValue::Literal(Literal::Null) => ArgType::plain(Shape::Null),
            ArgValue::Literal(literal) => {
                let name = (self.semantics(file).literal_type)(literal);
                name.map_or(UNKNOWN, |name| self.arg_type_of_library_type(file, name))
            }
            ArgValue::Written(ty) if is_string_literal(view.facts.names.get(ty)) => {
                self.arg_type_of_arg_value(file, view, call, ArgValue::Literal(Literal::Text), steps)
            }
            ArgValue::Written(ty) => {
                let at = view.facts.references[call as usize].at;
                self.arg_type_of_text(At { file, view, at }, view.facts.names.get(ty))
            }
            ArgValue::Function => ArgType::plain(Shape::Function),
            ArgValue::Labels(_) | ArgValue::Other => UNKNOWN,
        }
    }

    /// A type of the language or its library, by its name.
    pub(crate) fn arg_type_of_library_type(&self, file: FileIdx, name: &str) -> ArgType {
        self.rules(file).arg_type_of_library_type(name)
    }

    /// The type of a reference's value, by its name where it is not of this workspace.
    pub(crate) fn arg_type_of_value(&self, file: FileIdx, index: u32, steps: u32) -> ArgType {
        let Some(view) = self.view(file).filter(|_| steps < MAX_STEPS) else {
            return UNKNOWN;
        };
        let reference = &view.facts.references[index as usize];
        let name = view.facts.names.get(reference.name);
        if reference.step == Some(Step::Operator) {
            return self.arg_type_of_operation(file, &view, index, steps);
        }
        let place = At {
            file,
            view: &view,
            at: reference.at,
        };
        if let Some(length) = self.arg_type_of_length(place, reference, steps) {
            return length;
        }
        if let Some(property) = self
            .accessor_around(place, name)
            .filter(|_| reference.on == Qualifier::Nothing)
        {
            return self.arg_type_of_definition(place, property, steps + 1);
        }
        let found = self.meaning(file, index);
        let is_element = reference.step == Some(Step::Index) && !found.is_found();
        let element = is_element.then(|| self.arg_type_of_qualifier(file, reference.on, steps));
        let element = element.and_then(|on| self.rules(file).arg_type_of_element(on));
        let arg_type = element.unwrap_or_else(|| self.arg_type_of_meaning(place, reference, found, steps));
        match (&arg_type.shape, self.value(file, index).head) {
            (Shape::Unknown, Base::Symbol(own)) => ArgType::plain(self.shape_of_type(own)),
            _ => arg_type,
        }
    }

    /// The same of what the reference means.
    fn arg_type_of_meaning(&self, place: At<'_>, reference: &Reference, found: Meaning, steps: u32) -> ArgType {
        let At { file, view, .. } = place;
        match found {
            Meaning::Local(binding) => self.arg_type_of_local(place, &view.facts.bindings[binding as usize], steps),
            Meaning::Symbols(symbols, _) if reference.role != Role::Call && self.are_functions_themselves(&symbols) => {
                ArgType::plain(Shape::Function)
            }
            Meaning::Symbols(symbols, _) => symbols
                .first()
                .map_or(UNKNOWN, |first| self.arg_type_of_definition(place, *first, steps)),
            Meaning::External => self.arg_type_of_library_value(place, reference),
            _ => match (self.semantics(file).library.result_type)(view.facts.names.get(reference.name)) {
                Some(known) if reference.role == Role::Call => self.arg_type_of_library_type(file, known),
                _ => UNKNOWN,
            },
        }
    }

    /// Whether names mean functions where they are not called, and not what those give back.
    fn are_functions_themselves(&self, symbols: &[SymbolId]) -> bool {
        let mut symbols = symbols.iter();
        symbols.all(|id| {
            let semantics = self.semantics(id.file);
            let is_function = matches!(self.kind_of(*id), Some(SymbolKind::Function | SymbolKind::Method));
            is_function && semantics.has_overloads() && !self.rules(id.file).calls_without_parentheses()
        })
    }

    fn arg_type_of_qualifier(&self, file: FileIdx, on: Qualifier, steps: u32) -> ArgType {
        match on {
            Qualifier::Value(on) => self.arg_type_of_value(file, on, steps + 1),
            _ => UNKNOWN,
        }
    }

    /// `all.length`
    fn arg_type_of_length(&self, place: At<'_>, reference: &Reference, steps: u32) -> Option<ArgType> {
        let At { file, view, .. } = place;
        let semantics = self.semantics(file);
        if !semantics.has_bare_arrays || reference.role != Role::Member {
            return None;
        }
        let known = (semantics.library.result_type)(view.facts.names.get(reference.name))?;
        let is_of_array = self.arg_type_of_qualifier(file, reference.on, steps).is_array;
        is_of_array.then(|| self.arg_type_of_library_type(file, known))
    }

    pub(crate) fn arg_type_of_local(&self, used: At<'_>, binding: &Binding, steps: u32) -> ArgType {
        let At { file, view, .. } = used;
        match (binding.ty, binding.value) {
            (Some(TypeSource::Expr(ty)), _) => {
                let declared = At { at: binding.at, ..used };
                let arg_type = self.arg_type_as_declared(used, declared, view.facts.names.get(ty));
                let is_array = arg_type.is_array || binding.kind == LocalKind::Rest;
                ArgType { is_array, ..arg_type }
            }
            // The parameter of a lambda is not what its call gives.
            (None, Some(value)) if view.facts.references[value as usize].at > binding.at => {
                self.arg_type_of_value(file, value, steps + 1)
            }
            _ => UNKNOWN,
        }
    }

    fn arg_type_of_definition(&self, used: At<'_>, id: SymbolId, steps: u32) -> ArgType {
        let Some(view) = self.view(id.file) else {
            return UNKNOWN;
        };
        let symbol = &view.facts.symbols[id.symbol as usize];
        match (symbol.ty, symbol.value) {
            _ if symbol.kind.has_members() => ArgType::plain(Shape::Type(id)),
            (Some(TypeSource::Expr(ty)), _) => {
                let declared = At::signature(id.file, &view, symbol);
                self.arg_type_as_declared(used, declared, view.facts.names.get(ty))
            }
            (None, Some(value)) => self.arg_type_of_value(id.file, value, steps + 1),
            _ => UNKNOWN,
        }
    }

    /// What is declared to be of a type, where it is used.
    fn arg_type_as_declared(&self, used: At<'_>, declared: At<'_>, text: &str) -> ArgType {
        let arg_type = self.arg_type_of_text(declared, text);
        let semantics = self.semantics(used.file);
        if arg_type.shape != Shape::Generic || arg_type.depth.is_some() {
            return arg_type;
        }
        // What it stands for is known elsewhere; where it is declared it is nothing but itself.
        let unbounded = |place: At<'_>| {
            let (index, binding) = place.view.binding_at(type_paths(text).next()?, place.at)?;
            binding.ty.is_none().then_some((place.file, index))
        };
        let own = unbounded(declared);
        match semantics.has_bare_arrays && own.is_some() && own == unbounded(used) {
            true => arg_type,
            false => UNKNOWN,
        }
    }

    /// What a name gives that is not of this workspace, by what it is called and stands on.
    fn arg_type_of_library_value(&self, place: At<'_>, reference: &Reference) -> ArgType {
        let At { file, view, .. } = place;
        let semantics = self.semantics(file);
        let name = view.facts.names.get(reference.name);
        let guess = |class: String| ArgType {
            is_guess: true,
            ..ArgType::plain(Shape::Named(class))
        };
        // `datetime(2018, 7, 22)`
        if semantics.overloads == Overloads::Signatures
            && reference.role == Role::Call
            && reference.on == Qualifier::Nothing
        {
            return guess(name.to_owned());
        }
        // `Character.valueOf(c)`
        if semantics.conversions.boxing_method == Some(name) {
            let on = match reference.on {
                Qualifier::Value(on) => Some(view.facts.names.get(view.facts.references[on as usize].name)),
                Qualifier::Path(path) => Some(view.facts.names.get(path)),
                _ => None,
            };
            let on = on.filter(|on| on.starts_with(char::is_uppercase));
            return ArgType::plain(on.map_or(Shape::Unknown, |on| Shape::Named(on.to_owned())));
        }
        let known = (semantics.library.result_type)(name);
        // `Locale.ROOT`, `Pattern.compile(text)`: of the class itself, if anything takes one.
        if semantics.has_bare_arrays
            && matches!(reference.role, Role::Member | Role::Call)
            && known.is_none()
            && let Some(class) = self.outer_class(file, view, reference)
        {
            return guess(class);
        }
        // A cast, or what is made of a type: `new StringReader(text)`.
        if matches!(reference.role, Role::Type | Role::Call) {
            let is_type = name.starts_with(char::is_uppercase) && !matches!(reference.on, Qualifier::Value(_));
            let name = known.or(is_type.then_some(name));
            return name.map_or(UNKNOWN, |name| self.arg_type_of_library_type(file, name));
        }
        UNKNOWN
    }

    /// The class from elsewhere that a name stands on.
    fn outer_class(&self, file: FileIdx, view: &View, reference: &Reference) -> Option<String> {
        let Qualifier::Value(on) = reference.on else {
            return None;
        };
        let class = &view.facts.references[on as usize];
        let name = view.facts.names.get(class.name);
        // Not of one that is made there: `new File(name).toPath()`.
        let is_class = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
        let is_class = is_class && class.role != Role::Call;
        (is_class && self.meaning(file, on) == Meaning::External).then(|| name.to_owned())
    }

    /// What a name stands on.
    pub(crate) fn arg_type_of_receiver(&self, place: At<'_>, on: Qualifier) -> ArgType {
        match on {
            Qualifier::Value(value) => self.arg_type_of_value(place.file, value, 0),
            Qualifier::This => match self.own_type(place) {
                Base::Symbol(own) => ArgType::plain(Shape::Type(own)),
                _ => UNKNOWN,
            },
            _ => UNKNOWN,
        }
    }
}

/// What is in the brackets that are around all of a type: `[Shape]?`.
fn in_brackets(text: &str) -> Option<&str> {
    let text = text.trim().trim_end_matches(['?', '!']);
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    (split_at_top(&text[1..], ']').next() == Some(inside)).then_some(inside)
}
