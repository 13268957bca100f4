//! The types of definitions: a class is itself, a variable has its declared or inferred type, a function its return
//! type.

use syntax::{BindingIdx, Qualifier, RefIdx, Role, Symbol, SymbolKind, TypeKind, TypeRef, TypeSource};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver},
    },
    files::FileIdx,
    types::{
        ty::{Base, Ty, UNKNOWN},
        type_names::last_part,
    },
    view::{SymbolId, View},
};

/// At most this many values of one definition are inferred.
pub(crate) const MAX_VALUES: usize = 8;

impl Resolver<'_> {
    /// The functions that a local name refers to because it is destructured from an object with those members:
    /// `const { run } = runner();`.
    pub(crate) fn destructured_functions_here(&self, file: FileIdx, binding: BindingIdx) -> Vec<SymbolId> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let binding = &view.facts.bindings[binding];
        self.destructured_functions_at(file, &view, binding.at, binding.value)
    }

    /// The same for a variable or constant outside of functions.
    pub(crate) fn destructured_functions_of(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[id.symbol];
        match symbol.kind {
            SymbolKind::Constant | SymbolKind::Variable => {
                self.destructured_functions_at(id.file, &view, symbol.name_at, symbol.value)
            }
            _ => Vec::new(),
        }
    }

    fn destructured_functions_at(&self, file: FileIdx, view: &View, at: u32, value: Option<RefIdx>) -> Vec<SymbolId> {
        let member = value.filter(|value| {
            let member = &view.facts.references[*value];
            member.at == at && member.role == Role::Member
        });
        match member.map(|member| self.meaning(file, member)) {
            Some(Meaning::Symbols(found, _))
                if found
                    .iter()
                    .all(|id| self.kind_of(*id).is_some_and(SymbolKind::is_function)) =>
            {
                found
            }
            _ => Vec::new(),
        }
    }

    /// Replaces a variable that is an alias of a definition by the definition: `const draw = drawShape;`.
    pub(crate) fn resolve_alias(&self, symbols: Vec<SymbolId>, rule: Rule) -> (Vec<SymbolId>, Rule) {
        match &symbols[..] {
            [one] => match self.rules(one.file).alias_target(self, *one) {
                found if found.is_empty() => (symbols, rule),
                found => (found, Rule::Alias),
            },
            _ => (symbols, rule),
        }
    }

    /// The type of a field that is declared with a type parameter, by the bound that the enclosing block has for it:
    /// `impl<S: Shape> Scene<S>`.
    pub(crate) fn bounded(&self, place: At<'_>, field: SymbolId) -> Ty {
        let known = self.symbol(field, |view, symbol| {
            let ty = symbol.type_expr().filter(|_| symbol.kind == SymbolKind::Field)?;
            Some(self.parameter(place, view.type_expr(ty)))
        });
        known.flatten().unwrap_or(UNKNOWN)
    }

    /// The bound of a type parameter at a place.
    pub(crate) fn parameter(&self, place: At<'_>, ty: TypeRef<'_>) -> Ty {
        let name = ty.inside_of(|kind| matches!(kind, TypeKind::Pointer | TypeKind::Reference));
        match self.lookup(place, name.text(), Role::Type) {
            Meaning::Local(binding) => self.binding(place.file, binding),
            _ => UNKNOWN,
        }
    }

    /// Keeps those definitions of a name that fit the position of the reference: an interface is no value, and a
    /// variable is no type.
    pub(crate) fn in_position(&self, symbols: Vec<SymbolId>, role: Role) -> Vec<SymbolId> {
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

    pub(crate) fn returns_own_type(&self, id: SymbolId) -> bool {
        let gives = self.symbol(id, |view, symbol| {
            symbol
                .type_expr()
                .is_some_and(|ty| self.is_own_word(id.file, view.facts.names.get(ty)))
        });
        gives == Some(true)
    }

    /// Whether a type expression is the language's `Self`, or `this`, which the facts have as the return type of a
    /// function that returns its receiver.
    fn is_own_word(&self, file: FileIdx, text: &str) -> bool {
        text == "this" || self.semantics(file).own_type.contains(&text)
    }

    /// The type of a definition: of a class itself, of a variable its type, of a function its return type. `on` is the
    /// type of the receiver.
    pub(crate) fn value_of_symbol(&self, id: SymbolId, on: Option<&Ty>) -> Ty {
        match on {
            Some(_) => self.type_of_symbol(id, on),
            // Without a receiver the type is the same for every reference.
            None => self
                .known
                .types
                .get(&self.trail, id, UNKNOWN, || self.type_of_symbol(id, None).bounded()),
        }
    }

    pub(crate) fn type_of_symbol(&self, id: SymbolId, on: Option<&Ty>) -> Ty {
        let Some(view) = self.view(id.file) else { return UNKNOWN };
        let symbol = &view.facts.symbols[id.symbol];
        if let Some(own) = self.type_by_kind(id, &view, symbol) {
            return own;
        }
        if let Some(literal) = self.type_written_out(id, &view, symbol) {
            return literal;
        }
        let ty = match symbol.ty {
            Some(TypeSource::Expr(expr)) => self.type_declared(id, &view, view.type_expr(expr), on),
            Some(TypeSource::Element) => {
                let value = symbol.value.map_or(UNKNOWN, |value| self.value(id.file, value));
                self.element_of(value)
            }
            Some(TypeSource::Destructured(pattern)) => {
                self.type_by_pattern_steps(At::signature(id.file, &view, symbol), pattern, symbol.value)
            }
            Some(_) => UNKNOWN,
            None => self.inferred_type(id, &view, on),
        };
        let kind = symbol.kind;
        if kind == SymbolKind::Field
            && let Some(read) = self.rules(id.file).read_type(self, &ty)
        {
            return read;
        }
        if let Some(defined) = self.rules(id.file).defined_type(id, symbol, &ty) {
            return defined;
        }
        match ty {
            // An alias of an unknown type or library type has no members, but is still a type.
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

    /// The type of a definition if its kind decides it: a class is itself, a variant is of its enumeration, a
    /// constructor makes an instance of its class.
    fn type_by_kind(&self, id: SymbolId, view: &View, symbol: &Symbol) -> Option<Ty> {
        let kind = symbol.kind;
        if kind == SymbolKind::Module
            && let Some(held) = self.module_file(id.file, view, symbol)
        {
            return Some(Ty::new(Base::Files(vec![held])));
        }
        let head = match kind {
            SymbolKind::Type => return None,
            SymbolKind::Module | SymbolKind::Namespace | SymbolKind::Impl => {
                Base::Symbol(self.rules(id.file).canonical_declaration(self, id))
            }
            kind if kind.is_type() => Base::Symbol(self.rules(id.file).canonical_declaration(self, id)),
            SymbolKind::Variant => {
                let owner = symbol.parent.map(|symbol| SymbolId { symbol, ..id });
                owner.map_or(Base::Unknown, Base::Symbol)
            }
            SymbolKind::Constructor => self.owner(id),
            _ => return None,
        };
        Some(Ty::new(head))
    }

    /// The anonymous type of an object literal or object type, `const a = { run() {} }`, `type A = { run(): void }`, or
    /// of a value with assigned members: `a.run = function () {}`.
    fn type_written_out(&self, id: SymbolId, view: &View, symbol: &Symbol) -> Option<Ty> {
        let kind = symbol.kind;
        let declared = symbol.type_expr().map(|ty| view.type_expr(ty));
        if symbol.ty.is_some() && declared.is_none() {
            return None;
        }
        let is_unnamed = |ty: TypeRef<'_>| ty.begins_with(TypeKind::Object) || has_anonymous_struct(ty);
        if kind != SymbolKind::Type && !declared.is_none_or(is_unnamed) {
            return None;
        }
        // A constructor function: `function Shape() { this.size = 0; }`.
        let is_maker = kind.is_function() && view.facts.name(symbol).starts_with(char::is_uppercase);
        let is_table = || (!kind.is_function() || is_maker) && view.has_members_added(id.symbol);
        let gives_object = self.rules(id.file).returns_object(view, symbol);
        if !gives_object && view.literal_members(id.symbol).is_none() && !is_table() {
            return None;
        }
        let behind = At {
            file: id.file,
            view,
            at: symbol.signature.end.max(symbol.name_at),
        };
        let also = match (declared, symbol.value) {
            // An object type that is a type argument is not part of the type itself: `Partial<{ at: number }>`.
            (Some(ty), _) => match has_object_in_brackets(ty) {
                true => self.type_from(behind, ty),
                false => self.type_from(behind, ty.without_objects().root()),
            },
            (None, Some(value)) => self.value(id.file, value),
            (None, None) => UNKNOWN,
        };
        // `type Rows = { at: number }[]`: the elements have the members.
        if kind == SymbolKind::Type && declared.is_some_and(is_list_of_braces) {
            return Some(Ty::list(vec![Ty::new(Base::Symbol(id))]));
        }
        let is_perhaps = kind.is_function() || symbol.value.is_some();
        Some(also.with(id, is_perhaps && !gives_object && !(is_maker && is_table())))
    }

    /// The declared type of a definition; `Self` is the type of the receiver.
    fn type_declared(&self, id: SymbolId, view: &View, ty: TypeRef<'_>, on: Option<&Ty>) -> Ty {
        let symbol = &view.facts.symbols[id.symbol];
        let is_mark = |kind| {
            matches!(
                kind,
                TypeKind::Modified | TypeKind::Pointer | TypeKind::Reference | TypeKind::Quoted
            )
        };
        let bare = ty.inside_of(is_mark);
        if (bare.items().next().is_none() && self.is_own_word(id.file, last_part(bare.text())))
            || self.rules(id.file).is_receiver_type(view, symbol, bare.text())
        {
            return on.cloned().unwrap_or_else(|| Ty::new(self.owner(id)));
        }
        // The type parameters of a function are in scope in its signature.
        let inside = At::signature(id.file, view, symbol);
        // A type parameter is replaced by a type argument of the receiver in `type_of_symbol`.
        let ty = match on {
            Some(on) if !on.rest.is_empty() && view.binding_at(ty.text(), inside.at).is_some() => UNKNOWN,
            _ => self.type_from(inside, ty),
        };
        match ty == UNKNOWN {
            true => self.rules(id.file).type_without_declared(self, id).unwrap_or(ty),
            false => ty,
        }
    }

    /// The type of a definition without a declared type, by its value.
    fn inferred_type(&self, id: SymbolId, view: &View, on: Option<&Ty>) -> Ty {
        let symbol = &view.facts.symbols[id.symbol];
        if let Some(value) = symbol.value {
            return match on {
                Some(on) if self.is_of_own_type(id.file, view, value) => on.clone(),
                _ => self.type_of_all_values(id.file, view, value, symbol.name_at),
            };
        }
        if let Some(ty) = self.rules(id.file).implied_constant(self, id, symbol) {
            return ty;
        }
        // `attr_reader :name` reads `@name`.
        if symbol.kind == SymbolKind::Property
            && let Some(field) = self.rules(id.file).backing_fields(self, id).first()
        {
            return self.trail.deeper(UNKNOWN, || self.value_of_symbol(*field, on));
        }
        UNKNOWN
    }

    /// Whether a value is an instance of the receiver's class, which may be a subclass of the enclosing one:
    /// `cls(name)`.
    fn is_of_own_type(&self, file: FileIdx, view: &View, value: RefIdx) -> bool {
        let mut next = Some(value);
        for _ in 0..MAX_VALUES {
            let Some(value) = next else { break };
            let reference = &view.facts.references[value];
            let name = view.facts.names.get(reference.name);
            if self.semantics(file).own_type.contains(&name) && reference.role == Role::Call {
                return true;
            }
            let local = view.binding_at(name, reference.at);
            let local = local.filter(|(_, binding)| reference.on == Qualifier::Nothing && binding.ty.is_none());
            next = local.and_then(|(_, binding)| binding.value);
        }
        false
    }

    /// The file of a declared module: `mod shapes;`.
    pub(crate) fn module_file(&self, file: FileIdx, view: &View, symbol: &Symbol) -> Option<FileIdx> {
        let declared = self.modules.declared(file, &view.facts);
        let here = declared.into_iter().find(|declared| declared.at == symbol.name_at);
        here.map(|declared| declared.file)
    }

    /// The union of the types of a name's value, of its other values and of its further declared types.
    pub(crate) fn type_of_all_values(&self, file: FileIdx, view: &View, value: RefIdx, name_at: u32) -> Ty {
        let place = At {
            file,
            view,
            at: name_at,
        };
        let declared = view.also_of_type(name_at).take(MAX_VALUES);
        let declared = declared.map(|ty| self.type_from(place, ty));
        let first = declared.fold(self.value(file, value), |known, declared| match declared.is_known() {
            true => known.or(declared),
            false => known,
        });
        view.also(name_at)
            .take(MAX_VALUES)
            .fold(first, |known, other| known.or_new(self.value(file, other)))
    }

    /// The result type of the first of the named members whose result is known.
    pub(crate) fn member_result_type(&self, ty: &Ty, names: &[&str]) -> Option<Ty> {
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
}

/// Whether a type is a list of an object type: `{ at: number }[]`, `Array<{ at: number }>`.
fn is_list_of_braces(ty: TypeRef<'_>) -> bool {
    let list = ty.inside_of(|kind| kind == TypeKind::Modified);
    let is_list = list.is(TypeKind::Array) || matches!(list.path(), Some("Array" | "ReadonlyArray"));
    is_list && list.item().is_some_and(|held| held.is(TypeKind::Object))
}

/// Whether the first object type in a type is a type argument: `Partial<{ at: number }>`.
fn has_object_in_brackets(ty: TypeRef<'_>) -> bool {
    let first = ty.descendants().find(|one| one.is(TypeKind::Object));
    first.is_some_and(|first| !ty.unbracketed().any(|one| one == first))
}

/// Whether a type contains an anonymous struct: `[]struct { name string }`.
pub(crate) fn has_anonymous_struct(ty: TypeRef<'_>) -> bool {
    let is_struct = |one: TypeRef<'_>| {
        let object = one
            .item()
            .filter(|_| one.is(TypeKind::Modified) && one.text().starts_with("struct"));
        object.is_some_and(|object| object.is(TypeKind::Object))
    };
    !ty.is(TypeKind::Map) && ty.descendants().any(is_struct)
}
