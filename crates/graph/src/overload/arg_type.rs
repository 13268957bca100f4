//! The types of arguments and parameters, as far as overload resolution needs them: library types by name, without type
//! arguments. `arg_type_of_argument` and `arg_type_of_parameter` are where to start; `conversions` compares them.

use syntax::{
    ArgValue, Binding, Literal, LocalKind, Qualifier, RefIdx, Reference, Role, Step, Symbol, SymbolKind, TypeKind,
    TypeRef, TypeSource,
};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    lang::Overloads,
    types::ty::Base,
    view::{SymbolId, View},
};

/// What a type is, apart from how it is stored or passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A type of the workspace.
    Type(SymbolId),
    /// A built-in or library type, by the last part of its name.
    Named(String),
    /// A type parameter.
    Generic,
    /// The type of `null`.
    Null,
    /// A lambda, a function that is passed, or a function type.
    Function,
    Unknown,
}

/// The type of an argument or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ArgType {
    pub shape: Shape,
    /// An array of the shape; also a rest parameter, in its function.
    pub is_array: bool,
    /// A rest parameter: it takes any number of arguments.
    pub is_rest: bool,
    /// Only a spelling suggests the type: `Locale.ROOT` is likely a `Locale`.
    pub is_guess: bool,
    /// The number of pointer levels in C: 2 for `char**`. None in other languages and where it is not known.
    pub depth: Option<u8>,
    pub is_const: bool,
    /// The number of a function's parameters, where it is known: 2 for `(a, b) -> a`.
    pub takes: Option<usize>,
}

impl ArgType {
    pub const UNKNOWN: ArgType = ArgType {
        shape: Shape::Unknown,
        is_array: false,
        is_rest: false,
        is_guess: false,
        depth: None,
        is_const: false,
        takes: None,
    };

    pub fn plain(shape: Shape) -> ArgType {
        ArgType {
            shape,
            ..ArgType::UNKNOWN
        }
    }

    pub fn is_known(&self) -> bool {
        self.shape != Shape::Unknown
    }

    /// The type of an element of an array.
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
            _ => ArgType::UNKNOWN,
        }
    }
}

/// Keywords that are types by themselves.
const NUMBERS: &[&str] = &["long", "short", "signed", "unsigned"];

/// The longest chain of values and aliases that is followed: `let a = b; let b = c;`.
pub(crate) const MAX_STEPS: u32 = 8;

impl Resolver<'_> {
    /// The declared type of a parameter.
    pub(crate) fn arg_type_of_parameter(
        &self,
        file: FileIdx,
        view: &View,
        symbol: &Symbol,
        parameter: &Binding,
    ) -> ArgType {
        let Some(ty) = parameter.type_expr() else {
            return ArgType::UNKNOWN;
        };
        let arg_type = self.arg_type_of_type(At::signature(file, view, symbol), view.type_expr(ty));
        ArgType {
            is_array: arg_type.is_array || parameter.kind == LocalKind::Rest,
            is_rest: parameter.kind == LocalKind::Rest,
            ..arg_type
        }
    }

    /// The type that a type expression says.
    pub(crate) fn arg_type_of_type(&self, place: At<'_>, ty: TypeRef<'_>) -> ArgType {
        self.arg_type_within(place, ty, 0)
    }

    /// The same of a type that is an alias of an alias, and so on.
    pub(crate) fn arg_type_within(&self, place: At<'_>, ty: TypeRef<'_>, steps: u32) -> ArgType {
        let semantics = self.semantics(place.file);
        if let Some(own) = self.rules(place.file).arg_type_of_type(self, place, ty, steps) {
            return own;
        }
        // A parameter by name is evaluated where it is used: `=> Shape`.
        if ty.text().starts_with("=>") {
            return ArgType::UNKNOWN;
        }
        if let Some(function) = ty.function() {
            // `(_, _) ->`: a lambda, whose parameters are counted.
            let takes = function.result.is_none().then_some(function.parameters.len());
            return ArgType {
                takes,
                ..ArgType::plain(Shape::Function)
            };
        }
        let array = ty.inside_of(|kind| kind == TypeKind::Modified);
        let element = array.item().filter(|_| array.is(TypeKind::Array));
        // The type of `new[] { one }` in C# is `[]`.
        let is_array = element.is_some() || (array.is(TypeKind::List) && array.items().next().is_none());
        // An array of arrays.
        if let Some(element) = element.filter(|element| element.is(TypeKind::Array)) {
            let inner = element.inside_of(|kind| kind == TypeKind::Array);
            return ArgType {
                is_array,
                ..ArgType::plain(Shape::Named(format!("{}[]", inner.text())))
            };
        }
        let Some(path) = ty.first_name() else {
            // `long` and `unsigned short` are modifiers of other types, and types by themselves.
            let word = ty.descendants().filter(|one| one.is(TypeKind::Opaque)).last();
            let word = word.map(TypeRef::text).filter(|word| NUMBERS.contains(word));
            let shape = word.map_or(Shape::Unknown, |word| Shape::Named(word.to_owned()));
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

    /// The type that an alias is declared as.
    fn arg_type_of_alias(&self, alias: SymbolId, steps: u32) -> ArgType {
        let Some(view) = self.view(alias.file).filter(|_| steps < MAX_STEPS) else {
            return ArgType::UNKNOWN;
        };
        let symbol = &view.facts.symbols[alias.symbol];
        symbol.type_expr().map_or(ArgType::UNKNOWN, |ty| {
            let place = At::signature(alias.file, &view, symbol);
            self.arg_type_within(place, view.type_expr(ty), steps + 1)
        })
    }

    fn shape_of_type(&self, id: SymbolId) -> Shape {
        let declarations = self.rules(id.file).declarations_of_type(self, id);
        Shape::Type(declarations.first().copied().unwrap_or(id))
    }

    /// The type of an argument of a call.
    pub(crate) fn arg_type_of_argument(&self, file: FileIdx, view: &View, call: RefIdx, given: ArgValue) -> ArgType {
        self.arg_type_of_arg_value(file, view, call, given, 0)
    }

    pub(crate) fn arg_type_of_arg_value(
        &self,
        file: FileIdx,
        view: &View,
        call: RefIdx,
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
                let at = view.facts.references[call].at;
                match self.own_type(At { file, view, at }) {
                    Base::Symbol(own) => ArgType::plain(Shape::Type(own)),
                    _ => ArgType::UNKNOWN,
                }
            }
            ArgValue::Literal(Literal::Null) => ArgType::plain(Shape::Null),
            ArgValue::Literal(literal) => {
                let name = (self.semantics(file).literal_type)(literal);
                name.map_or(ArgType::UNKNOWN, |name| self.arg_type_of_library_type(file, name))
            }
            ArgValue::Written(ty) if view.type_expr(ty).string().is_some() => {
                self.arg_type_of_arg_value(file, view, call, ArgValue::Literal(Literal::Text), steps)
            }
            ArgValue::Written(ty) => {
                let at = view.facts.references[call].at;
                self.arg_type_of_type(At { file, view, at }, view.type_expr(ty))
            }
            ArgValue::Function => ArgType::plain(Shape::Function),
            ArgValue::Labels(_) | ArgValue::Other => ArgType::UNKNOWN,
        }
    }

    /// The type of a built-in or library type's name.
    pub(crate) fn arg_type_of_library_type(&self, file: FileIdx, name: &str) -> ArgType {
        self.rules(file).arg_type_of_library_type(name)
    }

    /// The type of a reference's value.
    pub(crate) fn arg_type_of_value(&self, file: FileIdx, index: RefIdx, steps: u32) -> ArgType {
        let Some(view) = self.view(file).filter(|_| steps < MAX_STEPS) else {
            return ArgType::UNKNOWN;
        };
        let reference = &view.facts.references[index];
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

    /// The type of a reference's value, by what the reference means.
    fn arg_type_of_meaning(&self, place: At<'_>, reference: &Reference, found: Meaning, steps: u32) -> ArgType {
        let At { file, view, .. } = place;
        match found {
            Meaning::Local(binding) => self.arg_type_of_local(place, &view.facts.bindings[binding], steps),
            Meaning::Symbols(symbols, _) if reference.role != Role::Call && self.are_function_values(&symbols) => {
                ArgType::plain(Shape::Function)
            }
            Meaning::Symbols(symbols, _) => symbols.first().map_or(ArgType::UNKNOWN, |first| {
                self.arg_type_of_definition(place, *first, steps)
            }),
            Meaning::External => self.arg_type_of_library_value(place, reference),
            _ => match (self.semantics(file).library.result_type)(view.facts.names.get(reference.name)) {
                Some(known) if reference.role == Role::Call => self.arg_type_of_library_type(file, known),
                _ => ArgType::UNKNOWN,
            },
        }
    }

    /// Whether uses of some definitions that are no calls are function values, and not the functions' results.
    fn are_function_values(&self, symbols: &[SymbolId]) -> bool {
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
            _ => ArgType::UNKNOWN,
        }
    }

    /// `all.length`
    fn arg_type_of_length(&self, place: At<'_>, reference: &Reference, steps: u32) -> Option<ArgType> {
        let At { file, view, .. } = place;
        let semantics = self.semantics(file);
        if !semantics.has_array_types || reference.role != Role::Member {
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
                let arg_type = self.arg_type_as_declared(used, declared, view.type_expr(ty));
                let is_array = arg_type.is_array || binding.kind == LocalKind::Rest;
                ArgType { is_array, ..arg_type }
            }
            // A parameter of a lambda has the call that takes the lambda as its value, and not that call's type.
            (None, Some(value)) if view.facts.references[value].at > binding.at => {
                self.arg_type_of_value(file, value, steps + 1)
            }
            _ => ArgType::UNKNOWN,
        }
    }

    fn arg_type_of_definition(&self, used: At<'_>, id: SymbolId, steps: u32) -> ArgType {
        let Some(view) = self.view(id.file) else {
            return ArgType::UNKNOWN;
        };
        let symbol = &view.facts.symbols[id.symbol];
        match (symbol.ty, symbol.value) {
            _ if symbol.kind.has_members() => ArgType::plain(Shape::Type(id)),
            (Some(TypeSource::Expr(ty)), _) => {
                let declared = At::signature(id.file, &view, symbol);
                self.arg_type_as_declared(used, declared, view.type_expr(ty))
            }
            (None, Some(value)) => self.arg_type_of_value(id.file, value, steps + 1),
            _ => ArgType::UNKNOWN,
        }
    }

    /// The type of a definition with a declared type, at a use of it.
    fn arg_type_as_declared(&self, used: At<'_>, declared: At<'_>, ty: TypeRef<'_>) -> ArgType {
        let arg_type = self.arg_type_of_type(declared, ty);
        let semantics = self.semantics(used.file);
        if arg_type.shape != Shape::Generic || arg_type.depth.is_some() {
            return arg_type;
        }
        // A type parameter is itself in its own scope, and any type in others.
        let unbounded = |place: At<'_>| {
            let (index, binding) = place.view.binding_at(ty.first_name()?, place.at)?;
            binding.ty.is_none().then_some((place.file, index))
        };
        let own = unbounded(declared);
        match semantics.has_array_types && own.is_some() && own == unbounded(used) {
            true => arg_type,
            false => ArgType::UNKNOWN,
        }
    }

    /// The type of a use of a library definition, by its name and its receiver's.
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
                Qualifier::Value(on) => Some(view.facts.names.get(view.facts.references[on].name)),
                Qualifier::Path(path) => Some(view.facts.names.get(path)),
                _ => None,
            };
            let on = on.filter(|on| on.starts_with(char::is_uppercase));
            return ArgType::plain(on.map_or(Shape::Unknown, |on| Shape::Named(on.to_owned())));
        }
        let known = (semantics.library.result_type)(name);
        // `Locale.ROOT`, `Pattern.compile(text)`: likely of the class itself.
        if semantics.has_array_types
            && matches!(reference.role, Role::Member | Role::Call)
            && known.is_none()
            && let Some(class) = self.static_receiver(file, view, reference)
        {
            return guess(class);
        }
        // A cast or a constructor call: `new StringReader(text)`.
        if matches!(reference.role, Role::Type | Role::Call) {
            let is_type = name.starts_with(char::is_uppercase) && !matches!(reference.on, Qualifier::Value(_));
            let name = known.or(is_type.then_some(name));
            return name.map_or(ArgType::UNKNOWN, |name| self.arg_type_of_library_type(file, name));
        }
        ArgType::UNKNOWN
    }

    /// The library class that is the receiver of a static member.
    fn static_receiver(&self, file: FileIdx, view: &View, reference: &Reference) -> Option<String> {
        let Qualifier::Value(on) = reference.on else {
            return None;
        };
        let class = &view.facts.references[on];
        let name = view.facts.names.get(class.name);
        // In `new File(name).toPath()` the receiver is an instance.
        let is_class = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
        let is_class = is_class && class.role != Role::Call;
        (is_class && self.meaning(file, on) == Meaning::External).then(|| name.to_owned())
    }

    /// The type of a receiver.
    pub(crate) fn arg_type_of_receiver(&self, place: At<'_>, on: Qualifier) -> ArgType {
        match on {
            Qualifier::Value(value) => self.arg_type_of_value(place.file, value, 0),
            Qualifier::This => match self.own_type(place) {
                Base::Symbol(own) => ArgType::plain(Shape::Type(own)),
                _ => ArgType::UNKNOWN,
            },
            _ => ArgType::UNKNOWN,
        }
    }
}
