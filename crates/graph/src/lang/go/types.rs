//! Type literals, types that are defined as others, and constants that repeat a type.

use syntax::{Symbol, SymbolKind};

use crate::{
    engine::resolver::{At, Resolver},
    types::{
        generics::StandsFor,
        ty::{Base, Ty, UNKNOWN},
        type_text::type_paths,
    },
    view::SymbolId,
};

impl Resolver<'_> {
    /// A type literal: `map[Key]Shape`, `[]Shape`, `<-chan Shape`, `func() Shape`.
    pub(super) fn type_literal(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Option<Ty> {
        let whole = text;
        let text = text.trim_start_matches(['*', '&', ' ']);
        let of = |text: &str| self.type_with(place, text.trim(), known);
        if let Some(inner) = text.strip_prefix("map[") {
            let (key, value) = split_behind(inner, ']')?;
            return Some(Ty::list(vec![of(key), of(value)]));
        }
        if let Some(inner) = text.strip_prefix('[') {
            let (_, element) = split_behind(inner, ']')?;
            return Some(Ty::list(vec![of(element)]));
        }
        let channel = text.strip_prefix("<-").unwrap_or(text).strip_prefix("chan");
        if let Some(element) = channel.filter(|behind| behind.starts_with([' ', '<', '('])) {
            let element = of(element.trim_start_matches("<-"));
            // What a loop over a channel names first is what comes out of it.
            return Some(Ty::list(vec![element.clone(), element]));
        }
        // A function type stands for its result.
        if let Some(inner) = text.strip_prefix("func(") {
            let (_, result) = split_behind(inner, ')')?;
            return Some(match result.trim() {
                "" => Ty::new(Base::External),
                result => of(result),
            });
        }
        if let Some(head) = self.written_out(place, text) {
            let named = type_paths(text).map(|path| self.named_type(place, path));
            return Some(Ty::holding(
                head,
                named.flat_map(|ty| ty.heads().collect::<Vec<_>>()).collect(),
            ));
        }
        // A named result: `(shape *Shape, err error)`.
        if let Some((name, ty)) = text.split_once(' ')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !self.semantics(place.file).type_keywords.contains(&name)
        {
            return Some(of(ty));
        }
        // `Set[struct{ Shape }]`: what has fields is none of their types.
        let has_struct = whole.contains("struct {") || whole.contains("struct{");
        has_struct.then(|| {
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
        let symbol = &view.facts.symbols[own.symbol as usize];
        let is_defined = symbol.kind == SymbolKind::Type;
        let text = view.facts.names.get(symbol.type_expr().filter(|_| is_defined)?);
        let names = self.parameters_of_type(own).into_iter();
        let known: Vec<StandsFor> = names.zip(arguments.iter().cloned()).collect();
        let place = At::signature(own.file, &view, symbol);
        let underlying = self.trail.deeper(UNKNOWN, || self.type_with(place, text, &known));
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
        let mut before = (0..id.symbol).rev().take_while(|at| {
            let one = &all[*at as usize];
            one.kind == SymbolKind::Constant && one.parent == constant.parent
        });
        let repeated = before.find(|at| {
            let one = &all[*at as usize];
            one.ty.is_some() || one.value.is_some()
        });
        repeated.map_or(UNKNOWN, |symbol| {
            let first = SymbolId { symbol, ..id };
            self.trail.deeper(UNKNOWN, || self.value_of_symbol(first, None))
        })
    }
}

/// What is before the bracket that closes what a text is inside of, and what is behind it.
fn split_behind(text: &str, close: char) -> Option<(&str, &str)> {
    let mut depth = 0;
    let end = text.char_indices().find(|(_, c)| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        depth < 0
    });
    end.filter(|(_, c)| *c == close)
        .map(|(end, c)| (&text[..end], &text[end + c.len_utf8()..]))
}
