//! The types of definitions: what they are, hold or give back.

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

/// Values of one definition that are looked at.
pub(crate) const MAX_VALUES: usize = 8;

impl Resolver<'_> {
    /// The functions that a local name stands for because an object has them under it: `const { run } = runner();`.
    pub(crate) fn destructured_functions_here(&self, file: FileIdx, binding: BindingIdx) -> Vec<SymbolId> {
        let Some(view) = self.view(file) else { return Vec::new() };
        let binding = &view.facts.bindings[binding];
        self.destructured_functions_at(file, &view, binding.at, binding.value)
    }

    /// The same of a variable of a file.
    pub(crate) fn taken_out(&self, id: SymbolId) -> Vec<SymbolId> {
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

    /// What is called by a name: not the variable that is another name for it.
    pub(crate) fn behind_names(&self, symbols: Vec<SymbolId>, rule: Rule) -> (Vec<SymbolId>, Rule) {
        match &symbols[..] {
            [one] => match self.rules(one.file).alias_target(self, *one) {
                found if found.is_empty() => (symbols, rule),
                found => (found, Rule::Alias),
            },
            _ => (symbols, rule),
        }
    }

    /// The type of a field whose type is a parameter of its struct, by what the block around knows of that parameter.
    pub(crate) fn bounded(&self, place: At<'_>, field: SymbolId) -> Ty {
        let known = self.symbol(field, |view, symbol| {
            let ty = symbol.type_expr().filter(|_| symbol.kind == SymbolKind::Field)?;
            Some(self.parameter(place, view.type_expr(ty)))
        });
        known.flatten().unwrap_or(UNKNOWN)
    }

    /// What a type's parameter is known to be at a place.
    pub(crate) fn parameter(&self, place: At<'_>, ty: TypeRef<'_>) -> Ty {
        let name = ty.inside_of(|kind| matches!(kind, TypeKind::Pointer | TypeKind::Reference));
        match self.lookup(place, name.text(), Role::Type) {
            Meaning::Local(binding) => self.binding(place.file, binding),
            _ => UNKNOWN,
        }
    }

    /// Of several definitions of one name those that a use can mean: a type has no value, and a value is no type.
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

    /// Whether a type expression means the enclosing type, or the receiver's: a word of the language, or `this`, which facts
    /// have for a function that returns its receiver.
    fn is_own_word(&self, file: FileIdx, text: &str) -> bool {
        text == "this" || self.semantics(file).own_type.contains(&text)
    }

    /// The type of what a definition is, holds or gives back.
    pub(crate) fn value_of_symbol(&self, id: SymbolId, on: Option<&Ty>) -> Ty {
        match on {
            Some(_) => self.type_of_symbol(id, on),
            // Types are made of types; each is looked at once.
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

    /// The type that a definition is, makes or is one of, whatever is written behind its name.
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

    /// AnonType out where it is: `const a = { run() {} }`, `type A = { run(): void }`; or added to: `a.run = function () {}`.
    fn type_written_out(&self, id: SymbolId, view: &View, symbol: &Symbol) -> Option<Ty> {
        let kind = symbol.kind;
        let declared = symbol.type_expr().map(|ty| view.type_expr(ty));
        if symbol.ty.is_some() && declared.is_none() {
            return None;
        }
        let is_unnamed = |ty: TypeRef<'_>| ty.begins_with(TypeKind::Object) || without_name(ty);
        if kind != SymbolKind::Type && !declared.is_none_or(is_unnamed) {
            return None;
        }
        // A function from before there were classes makes values of itself.
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
            // What another type is given is not beside it: `Partial<{ at: number }>`.
            (Some(ty), _) => match has_object_in_brackets(ty) {
                true => self.type_from(behind, ty),
                false => self.type_from(behind, ty.without_objects().root()),
            },
            (None, Some(value)) => self.value(id.file, value),
            (None, None) => UNKNOWN,
        };
        // `type Rows = { at: number }[]`: it is each of them that has the members.
        if kind == SymbolKind::Type && declared.is_some_and(is_list_of_braces) {
            return Some(Ty::list(vec![Ty::new(Base::Symbol(id))]));
        }
        let is_perhaps = kind.is_function() || symbol.value.is_some();
        Some(also.with(id, is_perhaps && !gives_object && !(is_maker && is_table())))
    }

    /// The type that a definition says it has.
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
        // Inside of its own signature a function's parameters of type are known.
        let inside = At::signature(id.file, view, symbol);
        // One of the type stands for what the value's type was given.
        let ty = match on {
            Some(on) if !on.rest.is_empty() && view.binding_at(ty.text(), inside.at).is_some() => UNKNOWN,
            _ => self.type_from(inside, ty),
        };
        match ty == UNKNOWN {
            true => self.rules(id.file).type_without_declared(self, id).unwrap_or(ty),
            false => ty,
        }
    }

    /// The type of a definition that says none, by what it is given.
    fn inferred_type(&self, id: SymbolId, view: &View, on: Option<&Ty>) -> Ty {
        let symbol = &view.facts.symbols[id.symbol];
        if let Some(value) = symbol.value {
            return match on {
                Some(on) if self.is_of_own_type(id.file, view, value) => on.clone(),
                _ => self.any_of(id.file, view, value, symbol.name_at),
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

    /// Whether a value is made of the type around, whichever that is for the one who asks: `cls(name)`.
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

    /// The file that a module which is declared here is in.
    pub(crate) fn module_file(&self, file: FileIdx, view: &View, symbol: &Symbol) -> Option<FileIdx> {
        let declared = self.modules.declared(file, &view.facts);
        let here = declared.into_iter().find(|declared| declared.at == symbol.name_at);
        here.map(|declared| declared.file)
    }

    /// The type of a value, or of others that the same name may have.
    pub(crate) fn any_of(&self, file: FileIdx, view: &View, value: RefIdx, name_at: u32) -> Ty {
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

    /// What one of some members of a value's type says that it gives back.
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

/// Whether a type is a list of what is written in braces: `{ at: number }[]`, `Array<{ at: number }>`.
fn is_list_of_braces(ty: TypeRef<'_>) -> bool {
    let list = ty.inside_of(|kind| kind == TypeKind::Modified);
    let is_list = list.is(TypeKind::Array) || matches!(list.path(), Some("Array" | "ReadonlyArray"));
    is_list && list.item().is_some_and(|held| held.is(TypeKind::Object))
}

/// Whether the first object in a type is inside of brackets: `Partial<{ at: number }>`.
fn has_object_in_brackets(ty: TypeRef<'_>) -> bool {
    let first = ty.descendants().find(|one| one.is(TypeKind::Object));
    first.is_some_and(|first| !ty.unbracketed().any(|one| one == first))
}

/// Whether a type is written out where it is used: `[]struct { name string }`.
pub(crate) fn without_name(ty: TypeRef<'_>) -> bool {
    let is_struct = |one: TypeRef<'_>| {
        let object = one
            .item()
            .filter(|_| one.is(TypeKind::Modified) && one.text().starts_with("struct"));
        object.is_some_and(|object| object.is(TypeKind::Object))
    };
    !ty.is(TypeKind::Map) && ty.descendants().any(is_struct)
}
