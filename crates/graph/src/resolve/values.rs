//! The types of values: of references, local names and what definitions give back.

use syntax::{
    AWAIT, ELEMENT, FIRST, Given, INDEX, LIST, On, RECEIVED, Reference, Role, Symbol, SymbolKind, is_operator,
};

use super::{
    At, Base, Meaning, Resolver, Ty, UNKNOWN,
    elements::only_one,
    named::is_picking,
    types::{is_nested, last_part, without_braces},
};
use crate::{
    files::FileIdx,
    view::{SymbolId, View},
};

/// Values of one definition that are looked at.
pub(super) const MAX_VALUES: usize = 8;

impl Resolver<'_> {
    /// What is known of the type of a reference's value.
    pub(crate) fn value(&self, file: FileIdx, reference: u32) -> Ty {
        self.known.values.get(&self.trail, (file, reference), UNKNOWN, || {
            self.value_of(file, reference)
        })
    }

    pub(super) fn value_of(&self, file: FileIdx, index: u32) -> Ty {
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
            On::This => Some(self.this(place)),
            _ => None,
        };
        if let Ok(nth) = view.facts.names.get(reference.name).parse::<usize>() {
            return self.nth(file, reference, nth, on.unwrap_or(UNKNOWN));
        }
        let semantics = self.semantics(file);
        let name = view.facts.names.get(reference.name);
        let is_others = matches!(
            on,
            Some(Ty {
                head: Base::External,
                ..
            })
        );
        match (name, reference.role) {
            // What is asked of an array is asked of an element already.
            (INDEX, _) if semantics.has_bare_arrays && semantics.indexer.is_none() => return on.unwrap_or(UNKNOWN),
            (INDEX, _) if semantics.has_headers => return self.subscripted(file, reference, on.unwrap_or(UNKNOWN)),
            (name, _) if is_operator(reference, name) => return self.calculated(file, &view, index),
            (INDEX | FIRST | RECEIVED, _) => return self.indexed(on.unwrap_or(UNKNOWN)),
            (LIST, _) => return self.listed(place, on.unwrap_or(UNKNOWN)),
            // A component derived from a library's has what it is given there.
            ("props", Role::Member) if reference.on == On::This && semantics.has_elements => {
                if let Base::Symbol(own) = self.own_type(place)
                    && let Some(props) = self.props_of(own)
                {
                    return props;
                }
            }
            // `require("./runner").Runner`
            ("require", Role::Import) if semantics.exports_apart => {
                let imports = &view.facts.imports;
                let first = imports.partition_point(|import| import.at < reference.at);
                let here = imports[first..].iter().zip(first as u32..);
                let mut whole = here.take_while(|(import, _)| import.at == reference.at);
                let whole = whole.find(|(import, _)| import.item.is_none());
                return whole.map_or(UNKNOWN, |(_, import)| self.ty_of(place, &self.import(file, import)));
            }
            // What all values of a class have: `Shape.prototype.draw`.
            ("prototype", Role::Member)
                if semantics.exports_apart && matches!(&on, Some(on) if matches!(on.head, Base::Symbol(_))) =>
            {
                return on.unwrap_or(UNKNOWN);
            }
            // `value as Readonly<Shape>`
            (name, Role::Type)
                if semantics.exports_apart
                    && (semantics.wrappers.contains(&name) || is_picking(name))
                    && !self.meaning(file, index).is_found() =>
            {
                let (given, _) = self.behind(file, &view, index, &[]);
                return given.into_iter().next().unwrap_or(UNKNOWN);
            }
            // What the file offers, where it is offered.
            ("exports", Role::Variable | Role::Member)
                if semantics.exports_apart
                    && !self.meaning(file, index).is_found()
                    && self.is_own_exports(&view, reference) =>
            {
                return Ty::new(Base::Files(vec![file]));
            }
            (name, Role::Call)
                if reference.on == On::Nothing
                    && semantics.block_parameter.is_some()
                    && semantics.passing.contains(&name)
                    && !self.meaning(file, index).is_found() =>
            {
                return self.this(place);
            }
            // `with pytest.raises(Failure) as caught: ..`
            (name, Role::Call) if semantics.catching.contains(&name) && !self.meaning(file, index).is_found() => {
                let first = view.facts.given(index).next();
                if let Some(Given::Value(failure)) = first {
                    let rest: Vec<SymbolId> = self.value(file, failure).heads().collect();
                    return Ty::holding(Base::External, rest);
                }
            }
            (AWAIT, Role::Member) => {
                let on = on.unwrap_or(UNKNOWN);
                let waited = self.given_by_member(&on, semantics.waiting.as_slice());
                let waited = waited
                    .and_then(|waited| waited.given.last().cloned())
                    .filter(Ty::is_known);
                return waited.unwrap_or_else(|| only_one(on));
            }
            // `new` without saying of what.
            (_, Role::Call)
                if on.is_none()
                    && (semantics.reopens || semantics.has_uses)
                    && semantics.delegates.1.contains(&name) =>
            {
                return Ty::new(self.made_here(place));
            }
            (_, Role::Call) if is_others && semantics.taking_out.contains(&name) => {
                return self.indexed(on.unwrap_or(UNKNOWN));
            }
            _ => {}
        }
        if reference.role == Role::Member
            && let Some(found) = self.found_by_test(place, reference.on, name)
        {
            return found;
        }
        if let On::Value(value) = reference.on
            && semantics.unwrapping.contains(&name)
            && let Some(held) = self.held(file, value, semantics.options)
        {
            return held;
        }
        let meaning = self.meaning(file, index);
        if semantics.has_namespaces
            && reference.role == Role::Call
            && !meaning.is_found()
            && let Some(given) = self.given_types(file, index)
        {
            return given;
        }
        match meaning {
            Meaning::Symbols(symbols, _) => {
                let mut symbols = self.in_position(symbols, reference.role);
                if reference.role == Role::Call {
                    symbols = self.taking(symbols, file, index);
                }
                if semantics.has_headers
                    && reference.role == Role::Call
                    && let Some(cast) = symbols.iter().find_map(|id| self.cast_by_macro(*id, place, index))
                {
                    return cast;
                }
                // A function that has members of its own, not what it gives back.
                if matches!(reference.role, Role::Variable | Role::Member)
                    && let Some(id) = symbols.iter().find(|id| self.is_table(**id))
                    && self.kind_of(*id).is_some_and(SymbolKind::is_function)
                {
                    return Ty::new(Base::Symbol(*id));
                }
                // What gives back a value of its own type is asked of one: `Circle::make()`.
                let on = on.or_else(|| match reference.on {
                    On::Path(path) if symbols.iter().any(|id| self.gives_own_type(*id)) => {
                        Some(self.type_from(place, view.facts.names.get(path)))
                    }
                    _ => None,
                });
                // What depends on what is given says more than the other signatures of one function.
                let implied = || {
                    let is_bare = reference.on == On::Nothing && semantics.implicit_this;
                    is_bare.then(|| self.this(place))
                };
                let asked = on.clone().or_else(implied);
                let given_back = symbols.iter().find_map(|id| match reference.role {
                    Role::Call | Role::Type => self.given_back(*id, asked.as_ref(), file, index),
                    _ => asked.as_ref().and_then(|on| self.of_value(*id, on)),
                });
                if let Some(given_back) = given_back {
                    return given_back;
                }
                let mut types = symbols.iter().map(|id| self.value_of_symbol(*id, on.as_ref()));
                let first = types.next().unwrap_or(UNKNOWN);
                let is_any = matches!(&on, Some(Ty { head: Base::Any(_), .. }));
                let known = types.fold(first, |known, other| match known == UNKNOWN {
                    true => other,
                    // Of one of several types, what any of them gives.
                    false if is_any && other.is_known() => known.or(other),
                    false => known,
                });
                let is_value = |id: &SymbolId| {
                    let kind = self.kind_of(*id);
                    kind.is_some_and(|kind| !kind.is_function() && !kind.is_type())
                };
                match symbols.first() {
                    Some(id) if known == UNKNOWN => self.bounded(place, *id),
                    Some(id) if reference.role == Role::Call && is_value(id) => self.given_when_called(known),
                    _ => known,
                }
            }
            Meaning::Local(binding) if reference.role == Role::Call => {
                self.given_when_called(self.binding(file, binding))
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
            Meaning::External | Meaning::Missing | Meaning::Unknown
                if reference.role == Role::Call && self.mapped(file, &view, reference).is_some() =>
            {
                self.mapped(file, &view, reference).unwrap_or(UNKNOWN)
            }
            // A field of a type that is written out.
            Meaning::External
                if semantics.has_defined_types && matches!(&on, Some(on) if matches!(on.head, Base::Written(_))) =>
            {
                on.map_or(UNKNOWN, |on| self.field_written(&on, name))
            }
            // What is not ours often gives back what it was asked of, or something of it: `x.iter().next()`.
            Meaning::External | Meaning::Missing | Meaning::Unknown => match on {
                Some(Ty {
                    head: Base::Symbol(own),
                    mut rest,
                    given,
                }) => {
                    if let Some(value) = self.value_under(own, name) {
                        return value;
                    }
                    // Of others' types that are added to here it is not known what they hold.
                    if self.kind_of(own) == Some(SymbolKind::Impl) {
                        return UNKNOWN;
                    }
                    if reference.role == Role::Call && (semantics.result_type)(name).is_some() {
                        return Ty::new(Base::External);
                    }
                    // What a class of others does gives back what the class is given, and says nothing of who asks.
                    if (semantics.exports_apart || semantics.body_scope)
                        && self.kind_of(own).is_some_and(SymbolKind::has_members)
                        && self.has_other_supertypes(own)
                    {
                        let known = self.as_others(own);
                        return match semantics.taking_out.contains(&name) {
                            true => self.indexed(known),
                            false => self.passed_on(known, semantics.keeping, name),
                        };
                    }
                    if semantics.passing.contains(&name) {
                        return Ty {
                            head: Base::Symbol(own),
                            rest,
                            given,
                        };
                    }
                    rest.insert(0, own);
                    if let Some(Ty {
                        head: Base::Symbol(item),
                        ..
                    }) = self.item_of(own)
                    {
                        rest.insert(0, item);
                    }
                    let head = match self.without_member(own) {
                        Meaning::Missing => Base::Unknown,
                        _ => Base::External,
                    };
                    Ty::holding(head, if reference.role == Role::Call { rest } else { Vec::new() })
                }
                Some(on) if !on.rest.is_empty() || on.given.iter().any(Ty::is_known) => {
                    self.passed_on(on, semantics.keeping, name)
                }
                // What every type may have without saying so gives one of its kind: `Type::default()`.
                None if reference.role == Role::Call && semantics.has_namespaces => self.made_by(place, reference),
                // A variable that is nowhere to be seen comes from a macro.
                _ if reference.role == Role::Variable && semantics.binds_in_macros => UNKNOWN,
                _ if self.meaning(file, index) == Meaning::External => Ty::new(Base::External),
                _ => UNKNOWN,
            },
        }
    }

    /// What the object that a function gives back has under a name that is one of the function's variables: `return { pool }`.
    fn value_under(&self, own: SymbolId, name: &str) -> Option<Ty> {
        let view = self.view(own.file).filter(|_| self.semantics(own.file).exports_apart)?;
        let symbol = &view.facts.symbols[own.symbol as usize];
        if symbol.kind.is_type() {
            return None;
        }
        let value = view.given_under(symbol, name)?;
        let is_both = view.is_shorthand(view.facts.references[value as usize].at);
        let value = is_both.then(|| self.trail.deeper(UNKNOWN, || self.value(own.file, value)));
        value.filter(|value| *value != UNKNOWN)
    }

    /// What a test has found a member to be: `if isinstance(self.shape, Circle):`.
    fn found_by_test(&self, place: At<'_>, on: On, name: &str) -> Option<Ty> {
        let facts = &place.view.facts;
        let outer = match on {
            On::This => self.semantics(place.file).own_type,
            On::Value(on) if facts.references[on as usize].on == On::Nothing => {
                &[facts.names.get(facts.references[on as usize].name)]
            }
            _ => return None,
        };
        let mut found = outer.iter().filter_map(|outer| {
            let tested = syntax::tested(&format!("{outer}.{name}"));
            let (binding, _) = place.view.binding_at(&tested, place.at)?;
            Some(self.binding(place.file, binding))
        });
        found.find(|found| *found != UNKNOWN)
    }

    /// The functions that a local name stands for because an object has them under it: `const { run } = runner();`.
    pub(crate) fn taken_out_here(&self, file: FileIdx, binding: u32) -> Vec<SymbolId> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let binding = &view.facts.bindings[binding as usize];
        self.taken_out_at(file, &view, binding.at, binding.value)
    }

    /// The same of a variable of a file.
    pub(crate) fn taken_out(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[id.symbol as usize];
        match symbol.kind {
            SymbolKind::Constant | SymbolKind::Variable => {
                self.taken_out_at(id.file, &view, symbol.name_at, symbol.value)
            }
            _ => Vec::new(),
        }
    }

    fn taken_out_at(&self, file: FileIdx, view: &View, at: u32, value: Option<u32>) -> Vec<SymbolId> {
        let member = value.filter(|value| {
            let member = &view.facts.references[*value as usize];
            member.at == at && member.role == Role::Member
        });
        match member.map(|member| self.meaning(file, member)) {
            Some(Meaning::Symbols(found, _))
                if self.semantics(file).exports_apart
                    && found
                        .iter()
                        .all(|id| self.kind_of(*id).is_some_and(SymbolKind::is_function)) =>
            {
                found
            }
            _ => Vec::new(),
        }
    }

    /// What a macro gives that casts to the type which it is given: `#define container_of(ptr, type, member) ((type *)..)`.
    fn cast_by_macro(&self, id: SymbolId, place: At<'_>, call: u32) -> Option<Ty> {
        let is_cast = self.symbol(id, |view, symbol| {
            let value = symbol.value.filter(|_| symbol.kind == SymbolKind::Macro)?;
            let cast = &view.facts.references[value as usize];
            let (parameter, _) = view.binding_at(view.facts.names.get(cast.name), cast.at)?;
            let mut parameters = view.facts.parameters(symbol);
            let is_own = parameters.any(|one| one.at == view.facts.bindings[parameter as usize].at);
            Some(is_own && cast.role == Role::Type && cast.on == On::Nothing)
        });
        is_cast.flatten().filter(|is_cast| *is_cast)?;
        // Arguments are not told apart in C: it is the first that names a type.
        let references = &place.view.facts.references;
        let behind = references.iter().zip(0..).skip(call as usize + 1);
        let names = behind.filter(|(one, _)| one.on == On::Nothing);
        for (one, index) in names.take(MAX_VALUES) {
            let meaning = self.meaning(place.file, index);
            if let Meaning::Local(_) = meaning {
                continue;
            }
            let named = At { at: one.at, ..place };
            match self.lookup(named, place.view.facts.names.get(one.name), Role::Type) {
                Meaning::Symbols(types, rule)
                    if types
                        .iter()
                        .any(|id| self.kind_of(*id).is_some_and(SymbolKind::is_type)) =>
                {
                    let ty = Meaning::Symbols(types, rule);
                    return Some(self.trail.deeper(UNKNOWN, || self.ty_of(place, &ty)));
                }
                _ if meaning.is_found() => {}
                _ => return None,
            }
        }
        None
    }

    /// What others' types give back that hand each thing they hold to a function: `shapes.iter().map(Shape::name)`.
    fn mapped(&self, file: FileIdx, view: &View, call: &Reference) -> Option<Ty> {
        let semantics = self.semantics(file);
        let name = view.facts.names.get(call.name);
        let is_flat = semantics.mapping_flat.contains(&name);
        if !semantics.makes_of_each(name) {
            return None;
        }
        let given_back = view.also(call.at).next()?;
        let made = self.trail.deeper(UNKNOWN, || self.value(file, given_back));
        let made = Some(made).filter(|made| *made != UNKNOWN)?;
        Some(if is_flat { made } else { Ty::list(vec![made]) })
    }

    /// `exports`, `module.exports`.
    fn is_own_exports(&self, view: &View, reference: &Reference) -> bool {
        match reference.on {
            On::Nothing => true,
            On::Value(on) => view.facts.names.get(view.facts.references[on as usize].name) == "module",
            _ => false,
        }
    }

    /// What an associated function that nobody wrote gives back: one of its type, or something with one in it.
    pub(super) fn made_by(&self, place: At<'_>, reference: &Reference) -> Ty {
        let On::Path(path) = reference.on else {
            return UNKNOWN;
        };
        match self.type_from(place, place.view.facts.names.get(path)) {
            Ty {
                head: Base::Symbol(own),
                mut rest,
                ..
            } if self.kind_of(own).is_some_and(SymbolKind::is_type) => {
                rest.insert(0, own);
                Ty::holding(Base::Unknown, rest)
            }
            Ty { head, .. } => Ty::new(head),
        }
    }

    /// The type of a field whose type is a parameter of its struct, by what the block around knows of that parameter.
    pub(super) fn bounded(&self, place: At<'_>, field: SymbolId) -> Ty {
        let text = self.symbol(field, |view, symbol| {
            let ty = symbol.ty.filter(|_| symbol.kind == SymbolKind::Field)?;
            Some(view.facts.names.get(ty).to_owned())
        });
        text.flatten().map_or(UNKNOWN, |text| self.parameter(place, &text))
    }

    /// What a type's parameter is known to be at a place.
    pub(super) fn parameter(&self, place: At<'_>, text: &str) -> Ty {
        match self.lookup(place, text.trim_start_matches(['&', '*']), Role::Type) {
            Meaning::Local(binding) => self.binding(place.file, binding),
            _ => UNKNOWN,
        }
    }

    /// Of several definitions of one name those that a use can mean: a type has no value, and a value is no type.
    pub(super) fn in_position(&self, symbols: Vec<SymbolId>, role: Role) -> Vec<SymbolId> {
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

    pub(super) fn gives_own_type(&self, id: SymbolId) -> bool {
        let own = self.semantics(id.file).own_type;
        let gives = self.symbol(id, |view, symbol| {
            symbol.ty.is_some_and(|ty| own.contains(&view.facts.names.get(ty)))
        });
        gives == Some(true)
    }

    /// The type of what a definition is, holds or gives back.
    pub(super) fn value_of_symbol(&self, id: SymbolId, on: Option<&Ty>) -> Ty {
        match on {
            Some(_) => self.type_of_symbol(id, on),
            // Types are made of types; each is looked at once.
            None => self
                .known
                .types
                .get(&self.trail, id, UNKNOWN, || self.type_of_symbol(id, None)),
        }
    }

    pub(super) fn type_of_symbol(&self, id: SymbolId, on: Option<&Ty>) -> Ty {
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
        // Written out where it is: `const a = { run() {} }`, `type A = { run(): void }`; or added to: `a.run = function () {}`.
        let is_unnamed = |text: &str| text.starts_with('{') || without_name(text);
        if kind == SymbolKind::Type || declared.is_none_or(is_unnamed) {
            // A function from before there were classes makes values of itself.
            let is_maker = kind.is_function() && view.facts.name(symbol).starts_with(char::is_uppercase);
            let is_table = || (!kind.is_function() || is_maker) && view.has_members_added(id.symbol);
            let gives_object = self.semantics(id.file).exports_apart && view.gives_object(symbol);
            if gives_object || view.literal_members(id.symbol).is_some() || is_table() {
                let signature_end = symbol.signature.end.max(symbol.name_at);
                let also = match (declared, symbol.value) {
                    // What another type is given is not beside it: `Partial<{ at: number }>`.
                    (Some(text), _) => {
                        let at = signature_end;
                        let is_given = text.find('{').is_some_and(|brace| is_nested(text, brace));
                        match is_given {
                            true => self.type_from(At { at, ..place }, text),
                            false => self.type_from(At { at, ..place }, &without_braces(text)),
                        }
                    }
                    (None, Some(value)) => self.value(id.file, value),
                    (None, None) => UNKNOWN,
                };
                let is_perhaps = kind.is_function() || symbol.value.is_some();
                return also.with(id, is_perhaps && !gives_object && !(is_maker && is_table()));
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
                    at: symbol.end_of_signature(),
                    ..place
                };
                // One of the type stands for what the value's type was given.
                let ty = match on {
                    Some(on) if !on.rest.is_empty() && view.binding_at(text, inside.at).is_some() => UNKNOWN,
                    _ => self.type_from(inside, text),
                };
                // A comment that names nothing known says less than the code.
                match symbol.value {
                    Some(value) if ty == UNKNOWN && self.semantics(id.file).documented.is_some() => {
                        self.any_of(id.file, &view, value, symbol.name_at)
                    }
                    _ => ty,
                }
            }
            None => match (symbol.value, self.semantics(id.file).field_mark) {
                (Some(value), _) => match on {
                    Some(on) if self.is_of_own_type(id.file, &view, value) => on.clone(),
                    _ => self.any_of(id.file, &view, value, symbol.name_at),
                },
                // `const ( Black Color = iota; Red )`
                _ if kind == SymbolKind::Constant && self.semantics(id.file).has_defined_types => {
                    let all = &view.facts.symbols;
                    let before = (0..id.symbol).rev().take_while(|at| {
                        let one = &all[*at as usize];
                        one.kind == SymbolKind::Constant && one.parent == symbol.parent
                    });
                    let given = before.into_iter().find(|at| {
                        let one = &all[*at as usize];
                        one.ty.is_some() || one.value.is_some()
                    });
                    given.map_or(UNKNOWN, |symbol| {
                        let first = SymbolId { symbol, ..id };
                        self.trail.deeper(UNKNOWN, || self.value_of_symbol(first, None))
                    })
                }
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
        // What is read of a class is what its value says that it gives.
        if kind == SymbolKind::Field
            && let Some(reader) = self.semantics(id.file).reader
            && let Base::Symbol(own) = ty.head
        {
            // Asked of the class itself, it may be what is read.
            let given = self.members(own, reader).into_iter().map(|reader| {
                self.trail.deeper(UNKNOWN, || {
                    let given = self.of_value(reader, &ty);
                    given.unwrap_or_else(|| self.value_of_symbol(reader, None))
                })
            });
            let mut given: Vec<Ty> = given.collect();
            if let Some(other) = given.iter().position(|given| given.is_known() && given.head != ty.head) {
                return given.swap_remove(other);
            }
            if let Some(first) = given.into_iter().next() {
                return first;
            }
        }
        // What it is made of gives it elements, and no methods.
        if kind == SymbolKind::Type && symbol.value.is_none() && self.semantics(id.file).has_defined_types {
            let other = match ty.head {
                Base::Symbol(other) => Some(other),
                _ => None,
            };
            return Ty::holding(Base::Symbol(id), other.into_iter().chain(ty.rest).collect());
        }
        match ty {
            // An alias of something that is not known has no members, and is a type all the same.
            Ty {
                head: Base::Unknown | Base::External,
                ref rest,
                ..
            } if kind == SymbolKind::Type && rest.is_empty() => Ty::new(Base::Symbol(id)),
            Ty {
                head: Base::Unknown,
                rest,
                ..
            } if rest.is_empty() => match on {
                Some(on) if !on.rest.is_empty() => Ty::holding(Base::Symbol(on.rest[0]), on.rest[1..].to_vec()),
                _ => UNKNOWN,
            },
            ty => ty,
        }
    }

    /// Whether a value is made of the type around, whichever that is for the one who asks: `cls(name)`.
    fn is_of_own_type(&self, file: FileIdx, view: &View, value: u32) -> bool {
        let mut next = Some(value);
        for _ in 0..MAX_VALUES {
            let Some(value) = next else { break };
            let reference = &view.facts.references[value as usize];
            let name = view.facts.names.get(reference.name);
            if self.semantics(file).own_type.contains(&name) && reference.role == Role::Call {
                return true;
            }
            let local = view.binding_at(name, reference.at);
            let local = local.filter(|(_, binding)| reference.on == On::Nothing && binding.ty.is_none());
            next = local.and_then(|(_, binding)| binding.value);
        }
        false
    }

    /// The file that a module which is declared here is in.
    pub(super) fn module_file(&self, file: FileIdx, view: &View, symbol: &Symbol) -> Option<FileIdx> {
        let declared = self.modules.declared(file, &view.facts);
        let here = declared.into_iter().find(|declared| declared.at == symbol.name_at);
        here.map(|declared| declared.file)
    }

    /// The type of a value, or of others that the same name may have.
    pub(super) fn any_of(&self, file: FileIdx, view: &View, value: u32, name_at: u32) -> Ty {
        let place = At {
            file,
            view,
            at: name_at,
        };
        let declared = view.also_of_type(name_at).take(MAX_VALUES);
        let declared = declared.map(|text| self.type_from(place, text));
        let first = declared.fold(self.value(file, value), |known, declared| match declared.is_known() {
            true => known.or(declared),
            false => known,
        });
        view.also(name_at)
            .take(MAX_VALUES)
            .fold(first, |known, other| known.or_new(self.value(file, other)))
    }

    /// What one of some members of a value's type says that it gives back.
    pub(super) fn given_by_member(&self, ty: &Ty, names: &[&str]) -> Option<Ty> {
        let Base::Symbol(own) = ty.head else { return None };
        let members = names.iter().flat_map(|name| self.members(own, name));
        let mut given = members.map(|id| {
            self.trail.deeper(UNKNOWN, || {
                let given = self.of_value(id, ty);
                given.unwrap_or_else(|| self.value_of_symbol(id, Some(ty)))
            })
        });
        given.find(|given| *given != UNKNOWN)
    }

    /// What a value gives back that is called like a function, where its type says so.
    fn given_when_called(&self, ty: Ty) -> Ty {
        let Base::Symbol(own) = ty.head else { return ty };
        let Some(name) = self.semantics(own.file).call_member else {
            return ty;
        };
        self.given_by_member(&ty, &[name]).unwrap_or(ty)
    }
}

/// Whether a type is written out where it is used: `[]struct { name string }`.
pub(super) fn without_name(text: &str) -> bool {
    !text.starts_with("map") && (text.contains("struct {") || text.contains("struct{"))
}
