//! Type literals, types that are defined as others, and constants that repeat a type.

use syntax::{Symbol, SymbolKind, TypeKind, TypeRef};

use crate::{
    engine::resolver::{At, Resolver},
    infer::symbol::has_anonymous_struct,
    types::{
        generics::StandsFor,
        ty::{Base, Ty, UNKNOWN},
    },
    view::SymbolId,
};

impl Resolver<'_> {
    /// A type literal: `map[Key]Shape`, `[]Shape`, `<-chan Shape`, `func() Shape`.
    pub(super) fn type_literal(&self, place: At<'_>, whole: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        let of = |ty: TypeRef<'_>| self.type_with(place, ty, known);
        let ty = whole.inside_of(|kind| matches!(kind, TypeKind::Pointer | TypeKind::Reference));
        match ty.kind() {
            TypeKind::Map | TypeKind::Slice => return Some(Ty::list(ty.items().map(of).collect())),
            TypeKind::Channel => {
                let element = ty.item().map_or(UNKNOWN, of);
                // What a loop over a channel names first is what comes out of it.
                return Some(Ty::list(vec![element.clone(), element]));
            }
            // A function type stands for its result.
            TypeKind::Callable if ty.text().starts_with("func") => {
                return Some(ty.result().map_or_else(|| Ty::new(Base::External), of));
            }
            TypeKind::Tuple => return ty.items().map(of).reduce(with_others),
            _ => {}
        }
        if let Some(head) = self.written_out(place, ty) {
            let named = ty.names().map(|path| self.named_type(place, path));
            return Some(Ty::holding(
                head,
                named.flat_map(|ty| ty.heads().collect::<Vec<_>>()).collect(),
            ));
        }
        // A named result: `(shape *Shape, err error)`.
        let mut parts = ty.items();
        if ty.is(TypeKind::Sequence)
            && let (Some(name), Some(ty), None) = (parts.next(), parts.next(), parts.next())
            && name.is_name()
            && !ty.is(TypeKind::Object)
            && !self.semantics(place.file).type_keywords.contains(&name.text())
        {
            return Some(of(ty));
        }
        // `Set[struct{ Shape }]`: what has fields is none of their types.
        has_anonymous_struct(whole).then(|| {
            let mut ty = self.type_by_names(place, whole, known);
            if let Base::Symbol(first) = ty.head {
                ty.rest.insert(0, first);
            }
            ty.head = Base::Any(Vec::new());
            ty
        })
    }

    /// What a type is defined as, if that has elements: `type nodes []*node`.
    pub(super) fn type_of_definition(&self, own: SymbolId, arguments: &[Ty]) -> Option<Ty> {
        let view = self.view(own.file)?;
        let symbol = &view.facts.symbols[own.symbol];
        let is_defined = symbol.kind == SymbolKind::Type;
        let ty = view.type_expr(symbol.type_expr().filter(|_| is_defined)?);
        let names = self.parameters_of_type(own).into_iter();
        let known: Vec<StandsFor> = names.zip(arguments.iter().cloned()).collect();
        let place = At::signature(own.file, &view, symbol);
        let underlying = self.trail.deeper(UNKNOWN, || self.type_with(place, ty, &known));
        match underlying.head {
            Base::External => Some(underlying).filter(|list| !list.given.is_empty()),
            Base::Symbol(other) if other != own => {
                let arguments = &underlying.given;
                self.trail.deeper(None, || self.type_of_definition(other, arguments))
            }
            _ => None,
        }
    }

    /// The type of a constant that repeats the one before it: `const ( Black Color = iota; Red )`.
    pub(super) fn repeated_constant(&self, id: SymbolId, constant: &Symbol) -> Ty {
        let Some(view) = self.view(id.file) else { return UNKNOWN };
        let all = &view.facts.symbols;
        let mut before = id.symbol.all_before().rev().take_while(|at| {
            let one = &all[*at];
            one.kind == SymbolKind::Constant && one.parent == constant.parent
        });
        let repeated = before.find(|at| {
            let one = &all[*at];
            one.ty.is_some() || one.value.is_some()
        });
        repeated.map_or(UNKNOWN, |symbol| {
            let first = SymbolId { symbol, ..id };
            self.trail.deeper(UNKNOWN, || self.value_of_symbol(first, None))
        })
    }
}

/// The first of several results, which tells what a call returns, with the types of the others.
fn with_others(first: Ty, other: Ty) -> Ty {
    let others: Vec<SymbolId> = other.heads().chain(other.rest.iter().copied()).collect();
    let rest = first.rest.iter().copied().chain(others).collect();
    Ty { rest, ..first }
}
