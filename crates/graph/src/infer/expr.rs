//! Infers the type of an expression from the reference that it ends in: from the definition that the reference resolves
//! to, from its receiver, and from its role (read, call, index, `await`).

use syntax::{ArgValue, Qualifier, RefIdx, Reference, Role, Step, SymbolKind, TypeRef};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    infer::containers::single_element,
    lang::{LibraryResult, Semantics},
    types::ty::{Base, Ty, UNKNOWN},
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// The inferred type of the expression that ends in a reference.
    pub(crate) fn value(&self, file: FileIdx, reference: RefIdx) -> Ty {
        self.known.values.get(&self.trail, (file, reference), UNKNOWN, || {
            let Some(view) = self.view(file) else { return UNKNOWN };
            let found = view.facts.references.get(reference.as_usize());
            found.map_or(UNKNOWN, |found| {
                self.use_inference(file, &view, reference, found).value().bounded()
            })
        })
    }

    fn use_inference<'a>(
        &'a self,
        file: FileIdx,
        view: &'a View,
        index: RefIdx,
        reference: &'a Reference,
    ) -> UseInference<'a> {
        let at = reference.at;
        let place = At { file, view, at };
        let on = match reference.on {
            Qualifier::Value(value) => Some(self.value(file, value)),
            Qualifier::This => Some(self.this(place)),
            _ => None,
        };
        UseInference {
            resolver: self,
            semantics: self.semantics(file),
            place,
            index,
            reference,
            name: view.facts.names.get(reference.name),
            on,
        }
    }
}

/// A reference whose type is inferred.
struct UseInference<'a> {
    resolver: &'a Resolver<'a>,
    semantics: &'static Semantics,
    place: At<'a>,
    index: RefIdx,
    reference: &'a Reference,
    name: &'a str,
    /// The type of the receiver.
    on: Option<Ty>,
}

impl UseInference<'_> {
    fn value(&self) -> Ty {
        if let Ok(nth) = self.name.parse::<usize>() {
            return self.resolver.nth(self.place.file, self.reference, nth, self.on());
        }
        self.special()
            .or_else(|| self.of_step())
            .or_else(|| self.of_accessor())
            .or_else(|| self.taken_from_container())
            .or_else(|| self.narrowed_member_type())
            .or_else(|| self.unwrapped())
            .unwrap_or_else(|| self.by_meaning())
    }

    fn on(&self) -> Ty {
        self.on.clone().unwrap_or(UNKNOWN)
    }

    fn is_call(&self) -> bool {
        self.reference.role == Role::Call
    }

    fn meaning(&self) -> Meaning {
        self.resolver.meaning(self.place.file, self.index)
    }

    /// A use whose type the language itself defines: a tuple, `await`, `zip(..)`.
    fn special(&self) -> Option<Ty> {
        let rules = self.resolver.rules(self.place.file);
        rules.special_type(self.resolver, self.place, self.index, self.on.as_ref())
    }

    /// A step that has no name: indexing, an operator, `await`, a list or map literal.
    fn of_step(&self) -> Option<Ty> {
        let (resolver, semantics) = (self.resolver, self.semantics);
        let At { file, view, .. } = self.place;
        Some(match self.reference.step? {
            // An array is already inferred as the type of its elements.
            Step::Index if semantics.has_array_types && semantics.indexer.is_none() => self.on(),
            Step::Index => resolver
                .rules(file)
                .subscript_type(resolver, file, self.reference, self.on()),
            Step::Operator => resolver.operator_type(file, view, self.index),
            Step::First | Step::Receive => resolver.indexed(self.on()),
            Step::List | Step::Collect => resolver.list_literal_type(self.place, self.on()),
            Step::Map => resolver.map_literal_type(self.place, self.on()),
            Step::Tuple => return None,
            Step::Await => single_element(self.on()),
        })
    }

    /// An implicit name in a property's accessor, which has the type of the property: `set { newValue.draw() }`.
    fn of_accessor(&self) -> Option<Ty> {
        let property = self.resolver.accessor_around(self.place, self.name);
        let property = property.filter(|_| self.reference.on == Qualifier::Nothing)?;
        Some(self.resolver.value_of_symbol(property, None))
    }

    /// The element that a member of a library container returns: `shapes.pop()`.
    fn taken_from_container(&self) -> Option<Ty> {
        let receiver = self.on.as_ref().filter(|on| on.head == Base::External)?;
        let is_element = self.is_call() && self.semantics.library.may_return(self.name, LibraryResult::Element);
        is_element.then(|| self.resolver.indexed(receiver.clone()))
    }

    /// The type that a test narrows a member to: `if isinstance(self.shape, Circle):`.
    fn narrowed_member_type(&self) -> Option<Ty> {
        let At { file, view, at } = self.place;
        let facts = &view.facts;
        if self.reference.role == Role::Variable && self.reference.on == Qualifier::Nothing {
            let rules = self.resolver.rules(file);
            return rules.narrowed_member(self.resolver, self.place, self.reference);
        }
        if self.reference.role != Role::Member {
            return None;
        }
        let outer = match self.reference.on {
            Qualifier::This => self.semantics.own_type,
            Qualifier::Value(on) if facts.references[on].on == Qualifier::Nothing => {
                &[facts.names.get(facts.references[on].name)]
            }
            _ => return None,
        };
        let mut found = outer.iter().filter_map(|outer| {
            let (binding, _) = view.narrowed_member(&format!("{outer}.{}", self.name), at)?;
            Some(self.resolver.binding(file, binding))
        });
        found.find(|found| *found != UNKNOWN)
    }

    /// The type of an unwrapped option: `Circle` for `found.unwrap()` where `found` is an `Option<Circle>`.
    fn unwrapped(&self) -> Option<Ty> {
        let Qualifier::Value(value) = self.reference.on else {
            return None;
        };
        let library = &self.semantics.library;
        let unwraps = library.may_return(self.name, LibraryResult::OptionValue);
        unwraps.then(|| self.resolver.held(self.place.file, value, library.option_types))?
    }

    fn by_meaning(&self) -> Ty {
        let resolver = self.resolver;
        let file = self.place.file;
        let meaning = self.meaning();
        if self.is_call()
            && !meaning.is_found()
            && let Some(given) = resolver.rules(file).unresolved_call(resolver, self.place, self.index)
        {
            return given;
        }
        if !meaning.is_found()
            && let Some(given) = resolver.library_result_type(file, self.place.view, self.index, self.on.as_ref())
        {
            return given;
        }
        if !meaning.is_found()
            && let Some(given) = self.type_by_class_argument().or_else(|| self.type_by_first_argument())
        {
            return given;
        }
        match meaning {
            Meaning::Symbols(symbols, _) => self.of_symbols(symbols),
            Meaning::Local(binding) if self.is_call() => self.result_of_called_value(resolver.binding(file, binding)),
            Meaning::Local(binding) => resolver.binding(file, binding),
            Meaning::Files(files) => Ty::new(Base::Files(files)),
            Meaning::External => self
                .added()
                .or_else(|| self.mapped())
                .or_else(|| resolver.field_of_anonymous(self.on.as_ref()?, self.name))
                .unwrap_or_else(|| self.type_of_library_value()),
            Meaning::Missing | Meaning::Unknown => self.mapped().unwrap_or_else(|| self.type_of_library_value()),
        }
    }

    /// A library function that takes a class returns an instance of it, or a wrapper of one: `mock(Shape.class)`.
    fn type_by_class_argument(&self) -> Option<Ty> {
        let view = self.place.view;
        let mut given = view.facts.given(self.index).filter(|_| self.is_call());
        given.find_map(|given| {
            let ArgValue::Written(ty) = given else { return None };
            let resolver = self.resolver;
            let ty = view.type_expr(ty);
            // `Shape.self` is of the type `Shape.Type`.
            let metatype = ty.path().and_then(|path| path.strip_suffix(".Type"));
            let ty = resolver.trail.deeper(UNKNOWN, || match (metatype, class_argument(ty)) {
                (Some(path), _) => resolver.type_of_text(self.place, path),
                (None, Some(class)) => resolver.type_from(self.place, class),
                (None, None) => UNKNOWN,
            });
            ty.is_known().then(|| Ty::list(vec![ty]))
        })
    }

    /// A library function may return its first argument or a wrapper of it: `verify(shape)`, `WeakReference(shape)`. A
    /// call on a receiver instead returns something of the receiver.
    fn type_by_first_argument(&self) -> Option<Ty> {
        let At { file, view, .. } = self.place;
        let references = &view.facts.references;
        let is_type = |on: RefIdx| {
            view.facts
                .names
                .get(references[on].name)
                .starts_with(char::is_uppercase)
        };
        let is_free = match self.reference.on {
            Qualifier::Nothing | Qualifier::Path(_) | Qualifier::Context(_) => true,
            Qualifier::Value(on) => references[on].role != Role::Call && is_type(on),
            _ => false,
        };
        if !self.is_call() || !is_free || !self.semantics.has_overloads() {
            return None;
        }
        let Some(ArgValue::Value(value)) = view.facts.given(self.index).next() else {
            return None;
        };
        let ty = self.resolver.trail.deeper(UNKNOWN, || self.resolver.value(file, value));
        ty.is_known().then(|| Ty::list(vec![ty]))
    }

    /// The type of a reference by the definitions it resolves to: a class itself, a variable's type, a function's
    /// return type.
    fn of_symbols(&self, symbols: Vec<SymbolId>) -> Ty {
        let (resolver, place, index) = (self.resolver, self.place, self.index);
        let Reference { role, on: before, .. } = *self.reference;
        let mut symbols = resolver.in_position(symbols, role);
        if self.is_call() {
            symbols = resolver.fitting_signatures(symbols, place.file, index);
        }
        if let Some(expanded) = resolver
            .rules(place.file)
            .expansion_type(resolver, place, index, &symbols)
        {
            return expanded;
        }
        // A function that members are assigned to is an object when it is not called: `draw.defaults`.
        if matches!(role, Role::Variable | Role::Member)
            && let Some(id) = symbols.iter().find(|id| resolver.is_table(**id))
            && resolver.kind_of(*id).is_some_and(SymbolKind::is_function)
        {
            return Ty::new(Base::Symbol(*id));
        }
        // A function that returns `Self` returns the type before it in the path: `Circle::make()`.
        let on = self.on.clone().or_else(|| match before {
            Qualifier::Path(path) if symbols.iter().any(|id| resolver.returns_own_type(*id)) => {
                Some(resolver.type_from(place, place.view.type_expr(path)))
            }
            Qualifier::Context(_) if symbols.iter().any(|id| resolver.returns_own_type(*id)) => Some(UNKNOWN),
            _ => None,
        });
        // Of the signatures of one function, one whose return type depends on the arguments is the most precise.
        let implied = || {
            let is_bare = before == Qualifier::Nothing && self.semantics.implicit_this;
            is_bare.then(|| resolver.this(place))
        };
        let asked = on.clone().or_else(implied);
        let given_back = symbols.iter().find_map(|id| match role {
            Role::Call | Role::Type => resolver.result_of_call(*id, asked.as_ref(), place.file, index),
            _ => asked.as_ref().and_then(|on| resolver.of_value(*id, on)),
        });
        if let Some(given_back) = given_back {
            return given_back;
        }
        // Calling an object calls its call member: `Shape(1)` is `Shape.apply(1)`.
        if let [object] = symbols[..]
            && self.is_call()
            && resolver.kind_of(object) == Some(SymbolKind::Object)
            && let Some(given) =
                resolver.member_result_type(&Ty::new(Base::Symbol(object)), self.semantics.call_member.as_slice())
        {
            return given;
        }
        let mut types = symbols.iter().map(|id| resolver.value_of_symbol(*id, on.as_ref()));
        let first = types.next().unwrap_or(UNKNOWN);
        let is_any = matches!(&on, Some(Ty { head: Base::Any(_), .. }));
        let is_any = is_any || resolver.rules(place.file).are_alternatives(resolver, &symbols);
        let known = types.fold(first, |known, other| match known == UNKNOWN {
            true => other,
            // On a union the result is the union of each alternative's result.
            false if is_any && other.is_known() => known.or(other),
            false => known,
        });
        let is_value = |id: &SymbolId| {
            let kind = resolver.kind_of(*id);
            kind.is_some_and(|kind| !kind.is_function() && !kind.is_type())
        };
        match symbols.first() {
            Some(id) if known == UNKNOWN => resolver.bounded(place, *id),
            Some(id) if self.is_call() && is_value(id) => self.result_of_called_value(known),
            _ => known,
        }
    }

    /// The result of calling a value, by the call member of its type.
    fn result_of_called_value(&self, ty: Ty) -> Ty {
        if ty.head == Base::External {
            // `shapes(0)` is `shapes.apply(0)`.
            let result = self
                .semantics
                .call_member
                .and_then(|name| self.semantics.library.result(name));
            return match result {
                Some(LibraryResult::Value) => self.resolver.indexed(ty),
                _ => ty,
            };
        }
        let Base::Symbol(own) = ty.head else { return ty };
        let Some(name) = self.resolver.semantics(own.file).call_member else {
            return ty;
        };
        self.resolver.member_result_type(&ty, &[name]).unwrap_or(ty)
    }

    /// A library type that this workspace extends, as the block that extends it: `extension Array { .. }`.
    fn added(&self) -> Option<Ty> {
        let is_bare = self.reference.on == Qualifier::Nothing;
        let added = is_bare.then(|| self.resolver.added_to(self.place.file, self.name))?;
        added.map(|block| Ty::new(Base::Symbol(block)))
    }

    /// The result of mapping a library container, by what the callback returns: `shapes.iter().map(Shape::name)`.
    fn mapped(&self) -> Option<Ty> {
        if !self.is_call() || !self.semantics.library.maps_elements(self.name) {
            return None;
        }
        let At { file, view, at } = self.place;
        let resolver = self.resolver;
        let given_back = view.also(at).next()?;
        let made = resolver.trail.deeper(UNKNOWN, || resolver.value(file, given_back));
        let made = Some(made).filter(|made| *made != UNKNOWN)?;
        let is_flat = self
            .semantics
            .library
            .may_return(self.name, LibraryResult::CallbackResult);
        Some(if is_flat { made } else { Ty::list(vec![made]) })
    }

    /// A library member often returns its receiver or something contained in it: `x.iter().next()`.
    fn type_of_library_value(&self) -> Ty {
        let (resolver, semantics) = (self.resolver, self.semantics);
        let rules = resolver.rules(self.place.file);
        if self.is_call()
            && self.on.is_none()
            && let Some(ty) = rules.generated_function(resolver, self.place, self.reference)
        {
            return ty;
        }
        match &self.on {
            Some(
                on @ Ty {
                    head: Base::Symbol(own),
                    ..
                },
            ) => self.type_of_library_member(*own, on),
            Some(on) if !on.rest.is_empty() || on.given.iter().any(Ty::is_known) => {
                resolver.something_of(on.clone(), &semantics.library, self.name)
            }
            _ => self.type_of_unresolved(),
        }
    }

    /// The type of a reference that resolves to a library, or not at all.
    fn type_of_unresolved(&self) -> Ty {
        if let Some(known) = self.resolver.rules(self.place.file).library_value(self.reference) {
            return known;
        }
        // A variable without a visible binding is bound by a macro.
        let is_of_macro = self.reference.role == Role::Variable && self.semantics.binds_in_macros;
        match !is_of_macro && self.meaning() == Meaning::External {
            true => Ty::new(Base::External),
            false => UNKNOWN,
        }
    }

    /// The type of a member that a workspace type inherits from a library type.
    fn type_of_library_member(&self, own: SymbolId, on: &Ty) -> Ty {
        let (resolver, semantics, name) = (self.resolver, self.semantics, self.name);
        if let Some(value) = resolver.rules(own.file).type_of_undeclared(resolver, own, name) {
            return value;
        }
        // A block that extends a library type does not say what elements the type has.
        if resolver.kind_of(own) == Some(SymbolKind::Impl) {
            return UNKNOWN;
        }
        if self.is_call() && (semantics.library.result_type)(name).is_some() {
            return Ty::new(Base::External);
        }
        // `class Shapes extends Map<string, Shape>`: the type arguments of the library class say what `get` returns.
        if semantics.keeps_base_arguments
            && resolver.kind_of(own).is_some_and(SymbolKind::has_members)
            && resolver.has_other_supertypes(own)
        {
            let known = resolver.as_library_base(own);
            return match semantics.library.may_return(name, LibraryResult::Element) {
                true => resolver.indexed(known),
                false => resolver.something_of(known, &semantics.library, name),
            };
        }
        if semantics.library.may_return(name, LibraryResult::Receiver) {
            return on.clone();
        }
        let head = match resolver.result_without_member(own) {
            Meaning::Missing => Base::Unknown,
            _ => Base::External,
        };
        if !self.is_call() {
            return Ty::new(head);
        }
        let item = match resolver.rules(own.file).iterator_item(resolver, own) {
            Some(Ty {
                head: Base::Symbol(item),
                ..
            }) => Some(item),
            _ => None,
        };
        let held = item.into_iter().chain([own]).chain(on.rest.iter().copied());
        Ty::holding(head, held.collect())
    }
}

impl Resolver<'_> {
    /// The property whose accessor encloses a place, if `name` is an implicit name of accessors: `field`, `newValue`.
    pub(crate) fn accessor_around(&self, place: At<'_>, name: &str) -> Option<SymbolId> {
        let semantics = self.semantics(place.file);
        let is_word = semantics.accessor_words.contains(&name);
        let (symbol, around) = is_word.then(|| place.view.around(place.at).next()).flatten()?;
        let is_property = matches!(
            around.kind,
            SymbolKind::Property | SymbolKind::Field | SymbolKind::Variable | SymbolKind::Constant
        );
        let is_accessor = is_property || place.view.facts.name(around) == semantics.indexer.unwrap_or_default();
        let file = place.file;
        is_accessor.then_some(SymbolId { file, symbol })
    }
}

/// The class in the type of a class object: `Shape` in `Class<Shape>`.
fn class_argument(ty: TypeRef<'_>) -> Option<TypeRef<'_>> {
    matches!(ty.path(), Some("Class" | "KClass")).then(|| ty.item())?
}
