//! The types of values: of references, local names and what definitions give back.

use syntax::{AWAIT, ELEMENT, FIRST, Given, INDEX, On, Reference, Role, Symbol, SymbolKind};

use super::{
    At, Base, Meaning, Resolver, Ty, UNKNOWN,
    scopes::{is_fixture, visible},
    types::{alternatives, last_part, type_paths, without_braces},
};
use crate::{
    files::FileIdx,
    view::{SymbolId, View},
};

/// The type of what goes through a map, or of its keys: `for key, value := range all`.
const RANGE: &str = "range";

/// The type of what a block is entered with.
const WITH: &str = "as";

/// As far as a name in a pattern is behind what the pattern names.
const PATTERN: u32 = 120;

/// Values of one definition that are looked at.
const MAX_VALUES: usize = 8;

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
            (INDEX | FIRST, _) => return self.indexed(on.unwrap_or(UNKNOWN)),
            // A component derived from a library's has what it is given there.
            ("props", Role::Member) if reference.on == On::This && semantics.has_elements => {
                if let Base::Symbol(own) = self.own_type(place)
                    && let Some(props) = self.props_of(own)
                {
                    return props;
                }
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
            (AWAIT, Role::Member) => return only_one(on.unwrap_or(UNKNOWN)),
            // `new` without saying of what.
            (_, Role::Call)
                if on.is_none()
                    && (semantics.reopens || semantics.has_uses)
                    && semantics.delegates.1.contains(&name) =>
            {
                return Ty::new(self.made_here(place));
            }
            (_, Role::Call) if is_others && semantics.taking_out.contains(&name) => {
                return only_one(on.unwrap_or(UNKNOWN));
            }
            _ => {}
        }
        if let On::Value(value) = reference.on
            && semantics.unwrapping.contains(&name)
            && let Some(held) = self.held(file, value, semantics.options)
        {
            return held;
        }
        match self.meaning(file, index) {
            Meaning::Symbols(symbols, _) => {
                let mut symbols = self.in_position(symbols, reference.role);
                if reference.role == Role::Call {
                    symbols = self.taking(symbols, file, index);
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
            // What is not ours often gives back what it was asked of, or something of it: `x.iter().next()`.
            Meaning::External | Meaning::Missing | Meaning::Unknown => match on {
                Some(Ty {
                    head: Base::Symbol(own),
                    mut rest,
                    given,
                }) => {
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
                        let held = self.given_to_others(own);
                        let known = Ty {
                            head: Base::External,
                            rest: held.iter().flat_map(Ty::heads).collect(),
                            given: held,
                        };
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
                Some(on) if !on.rest.is_empty() => self.passed_on(on, semantics.keeping, name),
                // What every type may have without saying so gives one of its kind: `Type::default()`.
                None if reference.role == Role::Call && semantics.has_namespaces => self.made_by(place, reference),
                // A variable that is nowhere to be seen comes from a macro.
                _ if reference.role == Role::Variable && semantics.binds_in_macros => UNKNOWN,
                _ if self.meaning(file, index) == Meaning::External => Ty::new(Base::External),
                _ => UNKNOWN,
            },
        }
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

    /// What a value that is written to be one of these types holds: `Circle` if it is an `Option<Circle>`.
    pub(super) fn held(&self, file: FileIdx, value: u32, holders: &[&str]) -> Option<Ty> {
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
                    at: symbol.end_of_signature(),
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
    pub(super) fn nth(&self, file: FileIdx, reference: &Reference, nth: usize, on: Ty) -> Ty {
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
            Ty::holding(Base::Unknown, own.into_iter().chain(on.rest).collect())
        })
    }

    /// The type of one of several things that a definition holds or gives back: `(A, B)`.
    pub(super) fn component(&self, id: SymbolId, nth: usize) -> Option<Ty> {
        let view = self.view(id.file)?;
        let symbol = &view.facts.symbols[id.symbol as usize];
        let part = nth_part(view.facts.names.get(symbol.ty?), nth)?;
        let place = At {
            file: id.file,
            view: &view,
            at: symbol.end_of_signature(),
        };
        Some(self.type_from(place, part))
    }

    /// What a name in a pattern stands for: a part of what the pattern names, or of the value it is held against.
    pub(super) fn part(&self, place: At<'_>, pattern: &str, nth: Option<usize>, value: Option<u32>) -> Ty {
        if pattern == RANGE {
            let ty = value.map_or(UNKNOWN, |value| self.value(place.file, value));
            return match nth {
                Some(1) => self.indexed(ty),
                _ => key_of(&ty),
            };
        }
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
        held.unwrap_or_else(|| match self.value(place.file, value) {
            // `for _, token := range tokens`
            ty if pattern.is_empty() && semantics.has_defined_types => self.indexed(ty),
            Ty {
                head: Base::Symbol(own),
                rest,
                given,
            } if pattern.is_empty() && nth.is_none() => self.item_of(own).unwrap_or(Ty {
                head: Base::Symbol(own),
                rest,
                given,
            }),
            ty => ty,
        })
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
            let is_table = || !kind.is_function() && view.has_members_added(id.symbol);
            if view.literal_members(id.symbol).is_some() || is_table() {
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
                    at: symbol.end_of_signature(),
                    ..place
                };
                // One of the type stands for what the value's type was given.
                match on {
                    Some(on) if !on.rest.is_empty() && view.binding_at(text, inside.at).is_some() => UNKNOWN,
                    _ => self.type_from(inside, text),
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
            && let [reader, ..] = self.members(own, reader)[..]
        {
            return self.trail.deeper(UNKNOWN, || self.value_of_symbol(reader, None));
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
            if ty == Some("this") {
                return self.this(place);
            }
            let handed = ty.and_then(syntax::handed_from);
            let known = handed.map_or(UNKNOWN, |handed| self.handed_to(place, handed));
            if known != UNKNOWN {
                return known;
            }
            let ty = ty.filter(|ty| syntax::handed_from(ty).is_none());
            if let Some((call, nth)) = ty.and_then(syntax::taken_by) {
                return self.taken_as(place, call, nth);
            }
            if let Some(text) = ty.filter(|ty| *ty != ELEMENT) {
                if let Some((pattern, nth)) = text.split_once('#') {
                    return self.part(place, pattern, nth.parse().ok(), binding.value);
                }
                if text == RANGE {
                    return self.part(place, text, None, binding.value);
                }
                // `with session() as s`: what a function hands out one by one.
                if let (WITH, Some(value)) = (text, binding.value) {
                    let ty = self.value(file, value);
                    return of_list(&ty).unwrap_or(ty);
                }
                if text.starts_with(['!', '?']) {
                    return self.tested(place, index, text);
                }
                // What is left open is as the value says: `let all: Vec<_> = ..`.
                let is_open = type_paths(text).any(|path| path == "_");
                match binding.value.filter(|_| is_open) {
                    Some(value) => return self.value(file, value),
                    None => {
                        let known = self.type_from(place, text);
                        return match known.head {
                            Base::External if known.rest.is_empty() => self.narrowed_to_other(place, index, known),
                            _ => known,
                        };
                    }
                }
            }
            let Some(value) = binding.value else {
                let known = self.undeclared(place, view.facts.names.get(binding.name));
                return match known == UNKNOWN {
                    true => self.put_in(file, &view, index).unwrap_or(known),
                    false => known,
                };
            };
            let given = &view.facts.references[value as usize];
            // The parameter of a function that is handed to a call, which is written around it.
            let hands_over = self.semantics(file).hands_over;
            let is_handed = hands_over && given.role == Role::Call && given.at < binding.at;
            match ty {
                Some(ELEMENT) if self.semantics(file).has_headers => self.indexed(self.value(file, value)),
                Some(ELEMENT) => self.element_of(self.value(file, value)),
                _ if is_handed && self.meaning(file, value).is_told() => {
                    self.passed_by(file, &view, value, handed.map(|(_, nth, _)| nth))
                }
                _ => {
                    let known = self.any_of(file, &view, value, binding.at);
                    let is_open = matches!(known.head, Base::External | Base::Unknown) && known.rest.is_empty();
                    if !is_open {
                        return known;
                    }
                    let put_in = self.put_in(file, &view, index);
                    put_in.or_else(|| self.declared_before(place, index)).unwrap_or(known)
                }
            }
        })
    }

    /// What a name was declared to be that is given something else here, of which nothing is known.
    fn declared_before(&self, place: At<'_>, index: u32) -> Option<Ty> {
        let facts = &place.view.facts;
        let binding = &facts.bindings[index as usize];
        let before = place.view.bindings_named(facts.names.get(binding.name)).iter().rev();
        let mut before = before.map(|at| &facts.bindings[*at as usize]);
        let declared = before.find(|one| {
            let is_declared = one.ty.is_some() && place.view.reference_at(one.at).is_none();
            is_declared && one.at < binding.at && one.scope.end == binding.scope.end
        })?;
        let text = facts.names.get(declared.ty?);
        let is_type = text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '"'));
        let written = At {
            at: declared.at,
            ..place
        };
        is_type.then(|| self.type_from(written, text))
    }

    /// A name that was found to be of a type of others: those of its types that may be derived from that.
    fn narrowed_to_other(&self, place: At<'_>, index: u32, known: Ty) -> Ty {
        // A test is where the name is used.
        if !self.semantics(place.file).body_scope || place.view.reference_at(place.at).is_none() {
            return known;
        }
        let Some((outer, _)) = self.beneath(place.view, index) else {
            return known;
        };
        // It may have been said to be of just that.
        let facts = &place.view.facts;
        let text_of = |ty| facts.names.get(ty);
        let tested = facts.bindings[index as usize].ty.map(text_of).unwrap_or_default();
        let is_named = |ty: &str| type_paths(ty).any(|path| last_part(path) == last_part(tested));
        let mut over = place
            .view
            .bindings_over(text_of(facts.bindings[index as usize].name), place.at);
        if over.any(|(_, one)| place.view.reference_at(one.at).is_none() && one.ty.map(text_of).is_some_and(is_named)) {
            return known;
        }
        let outer = self.trail.deeper(UNKNOWN, || self.binding(place.file, outer));
        let may_be: Vec<SymbolId> = outer.heads().filter(|own| self.has_other_supertypes(*own)).collect();
        let head = match may_be[..] {
            [] => return known,
            [one] => Base::Symbol(one),
            _ => Base::Any(may_be),
        };
        Ty { head, ..outer }
    }

    /// A local name for something of others that holds what is put into it: `const all = []; all.push(shape)`.
    fn put_in(&self, file: FileIdx, view: &View, index: u32) -> Option<Ty> {
        let putting = self.semantics(file).putting;
        let facts = &view.facts;
        let binding = &facts.bindings[index as usize];
        let calls = putting.iter().flat_map(|name| view.references_named(name)).copied();
        let mut calls = calls.filter(|call| {
            let On::Value(on) = facts.references[*call as usize].on else {
                return false;
            };
            let on = &facts.references[on as usize];
            let is_own = || view.binding_at(facts.names.get(on.name), on.at).map(|(at, _)| at) == Some(index);
            on.name == binding.name && on.on == On::Nothing && is_own()
        });
        calls.by_ref().take(MAX_VALUES).find_map(|call| {
            let given: Vec<Given> = facts.given(call).collect();
            let (Given::Value(value) | Given::Address(value)) = *given.last()? else {
                return None;
            };
            let held = self.trail.deeper(UNKNOWN, || self.value(file, value));
            let mut rest: Vec<SymbolId> = held.heads().collect();
            rest.extend(&held.rest);
            let given = match given.len() {
                1 => vec![held],
                _ => vec![UNKNOWN, held],
            };
            let head = Base::External;
            (!rest.is_empty()).then_some(Ty { head, rest, given })
        })
    }

    /// What a call passes to a function that it is given, as one of its parameters.
    pub(super) fn passed_by(&self, file: FileIdx, view: &View, call: u32, nth: Option<usize>) -> Ty {
        let semantics = self.semantics(file);
        let given = &view.facts.references[call as usize];
        let name = view.facts.names.get(given.name);
        let is_one = |(each, count): &&(&str, usize)| *each == name && nth.is_some_and(|nth| nth < *count);
        if let (On::Value(on), Some(_)) = (given.on, semantics.each.iter().find(is_one))
            && let Some(one) = of_list(&self.value(file, on))
        {
            return one;
        }
        match (self.meaning(file, call), given.on) {
            (Meaning::Symbols(symbols, _), _) => self.handed_by(&symbols, file, call),
            (Meaning::External | Meaning::Missing, On::Value(on)) => {
                let held = self.held(file, on, semantics.containers);
                let held = held.or_else(|| self.held(file, on, semantics.options));
                // What is taken out is one of what the function is handed.
                let takes_out = semantics.taking_out.contains(&name);
                let held = held.or_else(|| takes_out.then(|| self.element_of(self.value(file, on))));
                // Something of what the call is on, and not that itself.
                held.unwrap_or_else(|| Ty::holding(Base::Unknown, self.value(file, call).rest))
            }
            _ => Ty::holding(Base::Unknown, self.value(file, call).rest),
        }
    }

    /// The type of a value, or of others that the same name may have.
    fn any_of(&self, file: FileIdx, view: &View, value: u32, name_at: u32) -> Ty {
        let first = self.value(file, value);
        view.also(name_at).take(MAX_VALUES).fold(first, |known, other| {
            let other = self.value(file, other);
            let is_new = other.is_known() && !known.heads().any(|head| other.heads().any(|one| one == head));
            if is_new { known.or(other) } else { known }
        })
    }

    /// What a name is after a test, which is a binding of its own: one of its types without some, or what a function's
    /// signature says of it.
    fn tested(&self, place: At<'_>, index: u32, text: &str) -> Ty {
        if let Some(function) = text.strip_prefix('?')
            && let Meaning::Symbols(symbols, _) = self.lookup(place, function, Role::Call)
        {
            let says = symbols.iter().find_map(|id| {
                let view = self.view(id.file)?;
                let symbol = &view.facts.symbols[id.symbol as usize];
                let (_, ty) = view.facts.names.get(symbol.ty?).rsplit_once(" is ")?;
                let signature = At {
                    file: id.file,
                    view: &view,
                    at: symbol.end_of_signature(),
                };
                Some(self.type_from(signature, ty))
            });
            if let Some(says) = says {
                return says;
            }
        }
        let view = place.view;
        let mut around = self.beneath(view, index);
        let mut without: Vec<&str> = text.strip_prefix('!').into_iter().collect();
        while let Some((outer, binding)) = around {
            match binding.ty.map(|ty| view.facts.names.get(ty)) {
                Some(text) if text.starts_with('?') => {}
                Some(text) if text.starts_with('!') => without.push(&text[1..]),
                Some(text) if !without.is_empty() => {
                    let is_wrapper = |name: &str| self.semantics(place.file).wrappers.contains(&last_part(name));
                    let all = alternatives(text, is_wrapper);
                    let gone: Vec<&str> = without.iter().flat_map(|not| alternatives(not, |_| false)).collect();
                    let named = |one: &str| last_part(type_paths(one).next().unwrap_or(one)).to_owned();
                    let is_left = |one: &&str| !gone.iter().any(|gone| named(gone) == named(one));
                    let left: Vec<&str> = all.iter().copied().filter(is_left).collect();
                    let declared = At {
                        at: binding.at,
                        ..place
                    };
                    return match left.is_empty() || left.len() == all.len() {
                        true => self.trail.deeper(UNKNOWN, || self.binding(place.file, outer)),
                        false => self.type_from(declared, &left.join(" | ")),
                    };
                }
                _ => return self.trail.deeper(UNKNOWN, || self.binding(place.file, outer)),
            }
            around = self.beneath(view, outer);
        }
        UNKNOWN
    }

    /// The binding of the same name that one is inside of.
    fn beneath<'v>(&self, view: &'v View, index: u32) -> Option<(u32, &'v syntax::Binding)> {
        let inner = &view.facts.bindings[index as usize];
        let all = view.bindings_over(view.facts.names.get(inner.name), inner.scope.start);
        let key = |at: u32, binding: &syntax::Binding| (binding.scope.start, binding.at, at);
        let own = key(index, inner);
        all.filter(|(at, binding)| key(*at, binding) < own)
            .max_by_key(|(at, binding)| key(*at, binding))
    }

    /// What a value gives back that is called like a function, where its type says so.
    fn given_when_called(&self, ty: Ty) -> Ty {
        let Base::Symbol(own) = ty.head else { return ty };
        let Some(name) = self.semantics(own.file).call_member else {
            return ty;
        };
        let given = self.members(own, name).into_iter();
        let mut given = given.map(|id| self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, Some(&ty))));
        given.find(|given| *given != UNKNOWN).unwrap_or(ty)
    }

    /// One element of a value: `all[0]`.
    pub(super) fn indexed(&self, ty: Ty) -> Ty {
        match (&ty.head, &ty.rest[..]) {
            (Base::External, _) if matches!(&ty.given[..], [_, value] if value.is_known()) => ty.given[1].clone(),
            (Base::External | Base::Unknown, _) => only_one(ty),
            // What says itself what its elements are: `Node this[int i]`.
            (Base::Symbol(own), _) if self.semantics(own.file).indexer.is_some() => {
                let name = self.semantics(own.file).indexer.unwrap_or_default();
                let given = self.members(*own, name).into_iter();
                let mut given = given.map(|id| self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, Some(&ty))));
                given.find(|given| matches!(given.head, Base::Symbol(_))).unwrap_or(ty)
            }
            // `type Tokens []*Token`
            (Base::Symbol(own), [.., last])
                if self.kind_of(*own) == Some(SymbolKind::Type) && self.semantics(own.file).has_defined_types =>
            {
                Ty::new(Base::Symbol(*last))
            }
            // `Frames::iterator begin();`
            (Base::Symbol(own), _) if self.semantics(own.file).has_headers => {
                let given = self.members(*own, "begin").into_iter();
                let mut given = given.map(|id| self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, None)));
                given.find(|given| matches!(given.head, Base::Symbol(_))).unwrap_or(ty)
            }
            // What a key leads to is not what has it.
            (Base::Symbol(own), _)
                if self.semantics(own.file).exports_apart
                    && self.kind_of(*own).is_some_and(SymbolKind::has_members) =>
            {
                UNKNOWN
            }
            (Base::Symbol(own), _) => {
                let holders = self.semantics(own.file).holders.iter();
                match holders
                    .map(|holder| self.members(*own, holder))
                    .any(|found| !found.is_empty())
                {
                    true => self.element_of(ty),
                    false => ty,
                }
            }
            _ => ty,
        }
    }

    /// What a member of others' types gives back that is not known: something of what it is asked of.
    fn passed_on(&self, mut on: Ty, keeping: &[&str], name: &str) -> Ty {
        match (keeping.contains(&name), &on.given[..]) {
            // Of a map its values.
            (true, [_, values]) if name == "values" => on.given = vec![values.clone()],
            (true, _) => {}
            (false, _) if keeping.is_empty() => {}
            (false, _) => on.given.clear(),
        }
        on
    }

    /// What is known of a part of a value.
    pub(super) fn element_of(&self, ty: Ty) -> Ty {
        if let Some(one) = of_list(&ty) {
            return one;
        }
        let mut rest = Vec::new();
        if let Base::Symbol(own) = ty.head {
            let holders = self.semantics(own.file).holders;
            let given: Vec<SymbolId> = holders.iter().flat_map(|holder| self.members(own, holder)).collect();
            // What cannot be asked for elements is one, of what a function hands out one by one.
            let is_class = self.kind_of(own).is_some_and(SymbolKind::has_members);
            if given.is_empty() && !holders.is_empty() && is_class && self.without_member(own) == Meaning::Missing {
                return ty;
            }
            let given = given.into_iter();
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
        Ty::holding(Base::Unknown, rest)
    }

    /// The type of a local name that says neither its type nor its value.
    pub(super) fn undeclared(&self, place: At<'_>, name: &str) -> Ty {
        let semantics = self.semantics(place.file);
        if semantics.own_type.contains(&name) {
            return Ty::new(self.own_type(place));
        }
        if semantics.has_labels
            && let Some(payload) = self.payload(place)
        {
            return payload;
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

    /// What a name in a pattern takes out of a variant, whose name is before it: `case .ok(let person)`.
    fn payload(&self, place: At<'_>) -> Option<Ty> {
        let facts = &place.view.facts;
        let before = facts
            .references
            .partition_point(|reference| reference.at < place.at)
            .checked_sub(1)?;
        let variant = &facts.references[before];
        if variant.role == Role::Call || place.at - variant.at > PATTERN {
            return None;
        }
        let Meaning::Symbols(found, _) = self.meaning(place.file, before as u32) else {
            return None;
        };
        let id = found
            .into_iter()
            .find(|id| self.kind_of(*id) == Some(SymbolKind::Variant))?;
        let first = facts.bindings.partition_point(|binding| binding.at < variant.at);
        let names = facts.bindings[first..]
            .iter()
            .take_while(|binding| binding.at < place.at);
        let nth = names.count();
        // The types behind its name, up to that of the next variant.
        let view = self.view(id.file)?;
        let symbol = &view.facts.symbols[id.symbol as usize];
        let behind = view.facts.symbols.iter().skip(id.symbol as usize + 1);
        let next = behind.map(|next| next.name_at).find(|next| *next < symbol.span.end);
        let end = next.unwrap_or(symbol.span.end);
        let types = (0..).zip(&view.facts.references).filter(|(_, reference)| {
            reference.role == Role::Type && symbol.name_at < reference.at && reference.at < end
        });
        let (index, _) = types.into_iter().nth(nth)?;
        match self.meaning(id.file, index) {
            Meaning::Symbols(types, _) => types.first().map(|id| self.value_of_symbol(*id, None)),
            _ => None,
        }
    }

    /// What a function hands to the functions it is given: one of the types in its signature, or what it is asked of.
    pub(super) fn handed_by(&self, symbols: &[SymbolId], file: FileIdx, call: u32) -> Ty {
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
            return Ty::holding(Base::Unknown, rest);
        }
        // What makes a type hands on what its constructor says.
        let constructors = symbols
            .iter()
            .filter(|id| self.kind_of(**id).is_some_and(SymbolKind::has_members));
        let constructors = constructors.flat_map(|id| {
            let names = self.semantics(id.file).constructors.iter();
            names.flat_map(|name| self.members(*id, name))
        });
        let constructors: Vec<SymbolId> = constructors.collect();
        for id in symbols.iter().chain(&constructors) {
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
        Ty::holding(Base::Unknown, rest)
    }
}

/// Whether a type is written out where it is used: `[]struct { name string }`.
pub(super) fn without_name(text: &str) -> bool {
    !text.starts_with("map") && (text.contains("struct {") || text.contains("struct{"))
}

/// One of what others' list holds, if the list says what that is.
fn of_list(ty: &Ty) -> Option<Ty> {
    match (&ty.head, &ty.given[..]) {
        (Base::External, [one]) if is_own(one) => Some(one.clone()),
        // `Generator[Shape, None, None]`
        (Base::External, [one, .., last]) if ty.given.len() == 3 && is_own(one) && *last == UNKNOWN => {
            Some(one.clone())
        }
        _ => None,
    }
}

fn is_own(ty: &Ty) -> bool {
    matches!(ty.head, Base::Symbol(_) | Base::Any(_))
}

/// The keys of others' map.
fn key_of(ty: &Ty) -> Ty {
    match (&ty.head, &ty.given[..]) {
        (Base::External, [key, _]) => key.clone(),
        _ => UNKNOWN,
    }
}

/// What something holds, if that can be but one thing.
pub(super) fn only_one(ty: Ty) -> Ty {
    if let (Base::External, [one]) = (&ty.head, &ty.given[..])
        && (matches!(one.head, Base::Symbol(_) | Base::Any(_)) || !one.rest.is_empty())
    {
        return one.clone();
    }
    match (&ty.head, &ty.rest[..]) {
        (Base::External | Base::Unknown, [one]) => Ty::new(Base::Symbol(*one)),
        _ => ty,
    }
}

/// One of the types in parentheses: `B` is 1 in `(A, B)`.
pub(super) fn nth_part(text: &str, nth: usize) -> Option<&str> {
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
pub(super) fn first_argument<'t>(text: &'t str, holders: &[&str]) -> Option<&'t str> {
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
