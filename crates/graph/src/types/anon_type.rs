//! Types without a name, written out where they are used: `options: { scale: number }`, `Map<string, { at: number }>`.

use std::rc::Rc;

use syntax::{NameId, Symbol, SymbolIdx, SymbolKind, TypeExpr, TypeRef};

use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    types::ty::{Base, Ty, UNKNOWN},
    view::{SymbolId, View},
};

/// Such a type. Its members are definitions in the function that it is in, and nothing there says to which of several such
/// types they belong: those nearest to where it is needed are its own.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AnonType {
    file: FileIdx,
    /// The function that it is in.
    function: SymbolIdx,
    at: u32,
    /// It is behind that place, and not before it.
    is_behind: bool,
    written: TypeExpr,
}

impl Resolver<'_> {
    /// The type that one in braces is. Members of what is no function are found in it as they are in a type.
    pub(crate) fn written_out(&self, place: At<'_>, ty: TypeRef<'_>) -> Option<Base> {
        if !self.rules(place.file).is_anonymous_type(ty) {
            return None;
        }
        let facts = &place.view.facts;
        let (around, symbol) = place.view.around(place.at).next()?;
        if !symbol.kind.is_function() {
            let file = place.file;
            let own = SymbolId { file, symbol: around };
            return place.view.literal_members(around).map(|_| Base::Symbol(own));
        }
        let is_local = facts.bindings.binary_search_by_key(&place.at, |binding| binding.at);
        Some(Base::Anon(Rc::new(AnonType {
            file: place.file,
            function: around,
            at: place.at,
            is_behind: is_local.is_ok(),
            written: ty.to_expr(),
        })))
    }

    /// A member of such a type.
    pub(crate) fn member_written(&self, of: &AnonType, name: &str) -> Option<SymbolId> {
        let symbol = of
            .member(&*self.view(of.file)?, name)
            .filter(|_| of.written.root().declares(name))?;
        Some(SymbolId { file: of.file, symbol })
    }

    /// Whether such a type may have a member of what is written into it without a name of its own.
    pub(crate) fn may_embed(&self, of: &AnonType, name: &str) -> bool {
        self.rules(of.file).may_embed_member(of.written.root(), name)
    }

    /// Whether such a type has a field that is no definition: `[]struct{ at time.Time }`.
    pub(crate) fn has_field(&self, of: &AnonType, name: &str) -> bool {
        self.view(of.file).is_some_and(|view| of.field(&view, name).is_some())
    }

    /// The type of such a field.
    pub(crate) fn field_of_anonymous(&self, of: &Ty, name: &str) -> Option<Ty> {
        let Base::Anon(of) = &of.head else { return None };
        let view = self.view(of.file)?;
        let field = of.field(&view, name)?;
        let (file, (at, ty)) = (of.file, field);
        let ty = view.type_expr(ty);
        let place = At { file, view: &view, at };
        Some(self.trail.deeper(UNKNOWN, || self.type_from(place, ty)))
    }
}

impl AnonType {
    /// The place and the type of a field that is no definition.
    fn field(&self, view: &View, name: &str) -> Option<(u32, NameId)> {
        let mut fields = view.unnamed_type_fields(name);
        match self.is_behind {
            true => fields.find(|(at, _)| *at > self.at),
            false => fields.rfind(|(at, _)| *at < self.at),
        }
    }

    fn member(&self, view: &View, name: &str) -> Option<SymbolIdx> {
        let is_member = |one: &Symbol| {
            one.parent == Some(self.function) && matches!(one.kind, SymbolKind::Property | SymbolKind::Method)
        };
        let mut named = view.symbols_named(name).filter(|(_, one)| is_member(one));
        match self.is_behind {
            true => named.find(|(_, one)| one.name_at > self.at),
            false => named.filter(|(_, one)| one.name_at < self.at).last(),
        }
        .map(|(symbol, _)| symbol)
    }
}
