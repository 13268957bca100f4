//! Which of several functions of C++ a call means beyond conversions: `const` methods, template arguments, and literals in
//! macros.

use syntax::{ArgValue, Binding, Literal, Modifier, Qualifier, RefIdx, Role, SymbolKind, TypeKind, TypeRef};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    lang::c_family::conversions::begins_with_const,
    overload::arg_type::MAX_STEPS,
    types::ty::Base,
    view::{SymbolId, View},
};

impl Resolver<'_> {
    /// Of two methods that differ in being `const`, the one for the receiver.
    pub(super) fn by_constness(&self, place: At<'_>, symbols: Vec<SymbolId>, on: Qualifier) -> Vec<SymbolId> {
        if symbols.len() < 2 || !symbols.iter().any(|id| self.is_const(*id)) {
            return symbols;
        }
        let Some(is_const) = self.is_on_const(place, on, 0) else {
            return symbols;
        };
        let types = |id: SymbolId| self.parameter_types(id);
        let mut kept = symbols.clone();
        kept.retain(|id| {
            let is_other = |other: &SymbolId| self.is_const(*other) == is_const && types(*other) == types(*id);
            self.is_const(*id) == is_const || !symbols.iter().any(is_other)
        });
        kept
    }

    fn is_const(&self, id: SymbolId) -> bool {
        self.modifier_of(id) == Some(Modifier::Const)
    }

    /// Whether a receiver is `const`; unknown if its type is not written.
    fn is_on_const(&self, place: At<'_>, on: Qualifier, steps: u32) -> Option<bool> {
        let At { file, view, .. } = place;
        let own = || {
            let mut around = view.around(place.at).filter(|(_, symbol)| symbol.kind.is_function());
            around
                .next()
                .map(|(symbol, _)| self.is_const(SymbolId { file, symbol }))
        };
        let says = |ty: TypeRef<'_>| (ty.text() != "auto").then(|| begins_with_const(ty));
        match on {
            Qualifier::This | Qualifier::Nothing => own(),
            Qualifier::Value(value) if steps < MAX_STEPS => match self.meaning(file, value) {
                Meaning::Local(binding) => {
                    let ty = view.facts.bindings[binding].type_expr()?;
                    says(view.type_expr(ty))
                }
                Meaning::Symbols(symbols, _) => {
                    let (is_const, is_field) = self.symbol(*symbols.first()?, |view, symbol| {
                        let ty = symbol.type_expr().map(|ty| view.type_expr(ty))?;
                        // What is pointed to is not part of it.
                        let is_mark = |one: TypeRef<'_>| matches!(one.kind(), TypeKind::Pointer | TypeKind::Reference);
                        let is_held = !ty.unbracketed().any(is_mark);
                        Some((says(ty)?, symbol.kind == SymbolKind::Field && is_held))
                    })??;
                    let outer = view.facts.references[value].on;
                    Some(is_const || (is_field && self.is_on_const(place, outer, steps + 1) == Some(true)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether two functions are written with the same parameters.
    pub(super) fn has_same_parameters(&self, one: SymbolId, other: SymbolId) -> bool {
        let types = |id: SymbolId| {
            self.symbol(id, |view, symbol| {
                let types = view.parameters(symbol).map(Binding::type_expr);
                let types = types.map(|ty| ty.map(|ty| view.facts.names.get(ty).to_owned()));
                types.collect::<Vec<Option<String>>>()
            })
        };
        self.modifier_of(one) == self.modifier_of(other) && types(one) == types(other)
    }

    /// Whether a method overrides another as far as `const` goes. A macro that declares one does not say `const`; then it
    /// overrides unless one of the two has an overload beside it that differs in that alone.
    pub(super) fn overrides_constness(&self, member: SymbolId, base: SymbolId) -> bool {
        let has_overload = |id: SymbolId, wanted: SymbolId| match self.owner(id) {
            Base::Symbol(own) => {
                let beside = self.own_members(own, &self.name_of(id)).into_iter();
                let mut beside = beside.filter(|other| self.is_const(*other) == self.is_const(wanted));
                beside.any(|other| self.has_same_parameter_types(other, wanted))
            }
            _ => false,
        };
        self.is_const(member) == self.is_const(base) || !(has_overload(member, base) || has_overload(base, member))
    }

    /// The literal that a macro is applied to, as what that expands to: `_T("text")`.
    pub(super) fn literal_in_macro(&self, file: FileIdx, view: &View, value: RefIdx) -> Option<ArgValue> {
        if view.facts.references[value].role != Role::Call {
            return None;
        }
        let mut given = view.facts.given(value);
        let text = given.next().filter(|one| *one == ArgValue::Literal(Literal::Text))?;
        let is_alone = given.next().is_none();
        let is_macro = || match self.meaning(file, value) {
            Meaning::Symbols(symbols, _) => symbols.iter().any(|id| self.kind_of(*id) == Some(SymbolKind::Macro)),
            _ => false,
        };
        (is_alone && is_macro()).then_some(text)
    }
}
