//! Classes as values: whether a value is a class or an instance of one, and which of its members a receiver has.

use syntax::{Qualifier, RefIdx, Reference, Role, Symbol, SymbolKind, TypeKind, TypeRef};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    infer::symbol::MAX_VALUES,
    types::ty::{Base, UNKNOWN},
    view::{SymbolId, View},
};

/// Utility types whose values are instances or results, although their argument names a class: `InstanceType<typeof Shape>`.
const INSTANCES: &[&str] = &["InstanceType", "ReturnType"];

/// The member of an instance that is its class: `shape.constructor`.
pub(super) const CLASS_MEMBER: &str = "constructor";

impl Resolver<'_> {
    /// Of static and instance methods that have one name, those that the receiver has. None if it has none of them: a static
    /// method is never called on an instance.
    pub(super) fn of_class_or_instance(
        &self,
        place: At<'_>,
        reference: &Reference,
        mut symbols: Vec<SymbolId>,
    ) -> Option<Vec<SymbolId>> {
        // The receiver's class may have got a namesake from a library's class that it is derived from.
        let may_inherit =
            |id: &SymbolId| matches!(self.owner(*id), Base::Symbol(own) if self.has_other_supertypes(own));
        let is_open = || matches!(reference.on, Qualifier::Value(_)) && symbols.iter().all(may_inherit);
        let has_static = symbols.iter().any(|id| self.is_static(*id));
        if !has_static || (symbols.iter().all(|id| self.is_static(*id)) && !is_open()) {
            return Some(symbols);
        }
        let on_class = match reference.on {
            // `new Shape().draw()`
            Qualifier::Value(value) if place.view.facts.references[value].role == Role::Call => false,
            Qualifier::Value(value) => self.is_class_itself(place.file, value),
            Qualifier::This | Qualifier::Super => self.is_in_static(place, false),
            _ => return Some(symbols),
        };
        symbols.retain(|id| self.is_static(*id) == on_class);
        Some(symbols).filter(|symbols| !symbols.is_empty())
    }

    /// Whether a function is a constructor function: `function Shape() { this.size = 1 }`.
    pub(super) fn makes_instances(&self, id: SymbolId) -> bool {
        let is_named = |view: &View, symbol: &Symbol| {
            symbol.kind.is_function() && view.facts.name(symbol).starts_with(char::is_uppercase)
        };
        self.symbol(id, is_named) == Some(true)
            && self.trail.deeper(UNKNOWN, || self.value_of_symbol(id, None)).head == Base::Symbol(id)
    }

    /// Whether a receiver is a class: its name, `shape.constructor`, or a value with the type of a class.
    fn is_class_itself(&self, file: FileIdx, value: RefIdx) -> bool {
        let Some(view) = self.view(file) else { return false };
        let mut value = value;
        for _ in 0..MAX_VALUES {
            let reference = &view.facts.references[value];
            // `new Shape()` and `value as Shape` are instances.
            if matches!(reference.role, Role::Call | Role::Type) {
                return false;
            }
            let is_member = matches!(reference.on, Qualifier::Value(_) | Qualifier::This);
            if is_member && view.facts.names.get(reference.name) == CLASS_MEMBER {
                return true;
            }
            let binding = match self.meaning(file, value) {
                Meaning::Symbols(on, _) => return on.iter().any(|id| self.holds_class(*id)),
                Meaning::Local(binding) => &view.facts.bindings[binding],
                _ => return false,
            };
            let at = binding.at;
            match (binding.ty, binding.value) {
                (Some(ty), _) => {
                    let says = |ty| self.says_class(At { file, view: &view, at }, view.type_expr(ty));
                    return ty.expr().is_some_and(says);
                }
                (None, Some(given)) => value = given,
                (None, None) => return false,
            }
        }
        false
    }

    /// Whether a definition is a class or a variable that holds one.
    fn holds_class(&self, id: SymbolId) -> bool {
        let Some(view) = self.view(id.file) else { return false };
        let symbol = &view.facts.symbols[id.symbol];
        match (symbol.kind, symbol.ty, symbol.value) {
            (SymbolKind::Class, ..) => true,
            (kind, ..) if kind.is_function() || kind.is_type() => false,
            (_, Some(ty), _) => {
                let says = |ty| self.says_class(At::signature(id.file, &view, symbol), view.type_expr(ty));
                ty.expr().is_some_and(says)
            }
            (_, None, Some(value)) => self.trail.deeper(false, || self.is_class_itself(id.file, value)),
            _ => false,
        }
    }

    /// Whether the values of a type are classes: `typeof Shape`, `new () => Shape`, `T["constructor"]`, or an alias of such.
    fn says_class(&self, place: At<'_>, ty: TypeRef<'_>) -> bool {
        if self.is_written_class(place, ty) {
            return true;
        }
        let name = ty.first_name().filter(|_| ty.begins_with(TypeKind::Named));
        let Some(Meaning::Symbols(named, _)) = name.map(|name| self.type_meaning(place, name)) else {
            return false;
        };
        named.iter().any(|id| {
            let is_alias = self.kind_of(*id) == Some(SymbolKind::Type);
            let said = self.symbol(*id, |view, symbol| {
                let aliased = symbol.type_expr().map(|ty| view.type_expr(ty));
                aliased.is_some_and(|ty| self.is_written_class(At::signature(id.file, view, symbol), ty))
            });
            is_alias && said == Some(true)
        })
    }

    fn is_written_class(&self, place: At<'_>, ty: TypeRef<'_>) -> bool {
        let is_made = ty.function().is_none() && ty.first_name().is_some_and(|name| INSTANCES.contains(&name));
        let decides = |one: TypeRef<'_>| matches!(one.kind(), TypeKind::Conditional | TypeKind::Bounded);
        if is_made && !ty.descendants().any(decides) {
            return false;
        }
        let is_class = |one: TypeRef<'_>| {
            let named = one.operand_of("typeof").and_then(TypeRef::first_name);
            let named = named.and_then(|path| path.split('.').next());
            let key = one.member_by_name().map(|(_, key)| key);
            key == Some(CLASS_MEMBER) || named.is_some_and(|name| self.is_class_name(place, name))
        };
        is_constructor_type(ty) || ty.descendants().any(is_class)
    }

    fn is_class_name(&self, place: At<'_>, name: &str) -> bool {
        match self.lookup(place, name, Role::Variable) {
            Meaning::Symbols(found, _) => found.iter().any(|id| self.kind_of(*id) == Some(SymbolKind::Class)),
            _ => false,
        }
    }
}

/// Whether a type is that of constructors: `new () => Shape`, `abstract new () => Shape`.
fn is_constructor_type(ty: TypeRef<'_>) -> bool {
    let top = ty.alternatives(|_| false).into_iter();
    let mut parts = top.flat_map(|one| one.unbracketed().map(TypeRef::unparenthesized).collect::<Vec<_>>());
    parts.any(|one| one.is(TypeKind::Modified) && one.modifier() == "new")
}
