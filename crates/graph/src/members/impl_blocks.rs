//! Selects among implementations of one generic trait by the type of the argument: `impl From<A> for Shape`,
//! `impl From<B> for Shape`.

use syntax::{ArgValue, Literal, LocalKind, Qualifier, RefIdx, SymbolKind};

use crate::{
    engine::resolver::{At, Resolver},
    files::FileIdx,
    infer::contextual::written_parameter,
    types::ty::{Base, Ty, UNKNOWN},
    view::{SymbolId, View},
};

/// Whether an argument matches a parameter, as far as their types are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// The parameter is generic, or a type is unknown.
    Any,
    Yes,
    No,
}

impl Resolver<'_> {
    /// Of the methods that several blocks define for one trait, those whose parameter matches the first argument.
    pub(crate) fn select_by_block(
        &self,
        symbols: Vec<SymbolId>,
        file: FileIdx,
        view: &View,
        index: RefIdx,
    ) -> Vec<SymbolId> {
        if symbols.len() < 2 || !self.semantics(file).has_impl_blocks || !self.are_of_blocks(&symbols) {
            return symbols;
        }
        let Some(given) = view.facts.given(index).next() else {
            return symbols;
        };
        let at = view.facts.references[index].at;
        let place = At { file, view, at };
        let ty = match given {
            ArgValue::Value(value) | ArgValue::Pointed(value) | ArgValue::Address(value) => self.value(file, value),
            ArgValue::This => self.this(place),
            _ => UNKNOWN,
        };
        let fits: Vec<Fit> = symbols.iter().map(|id| self.fit_of_block(*id, given, &ty)).collect();
        let of = |wanted: Fit| -> Vec<SymbolId> {
            let fitting = symbols.iter().zip(&fits).filter(|(_, fit)| **fit == wanted);
            fitting.map(|(id, _)| *id).collect()
        };
        let (sure, open) = (of(Fit::Yes), of(Fit::Any));
        match (sure.is_empty(), open.is_empty()) {
            (false, _) => sure,
            (true, false) => open,
            (true, true) => symbols,
        }
    }

    /// Whether all are functions of trait implementations.
    pub(crate) fn are_of_blocks(&self, symbols: &[SymbolId]) -> bool {
        symbols.iter().all(|id| {
            let block = self.block_of(*id);
            let implements = block.is_some_and(|block| block.has_others || !block.known.is_empty());
            implements && self.kind_of(*id).is_some_and(SymbolKind::is_function)
        })
    }

    /// The first inherent block (`impl Shape`) of a type without a definition in sight, such as one that a macro
    /// defines. Inherent blocks are only legal in the crate of the type, so it is a type of this workspace.
    pub(crate) fn undefined_type(&self, file: FileIdx, name: &str) -> Option<SymbolId> {
        if let Some(known) = self.memo.borrow().undefined.get(name) {
            return *known;
        }
        let files: Vec<FileIdx> = self.world.extending(name);
        let files = files.into_iter().filter(|other| self.lang(*other) == self.lang(file));
        let mut blocks = files.filter_map(|other| {
            let view = self.view(other)?;
            let mut blocks = view.impls_of(name).map(|(symbol, _)| SymbolId { file: other, symbol });
            blocks.find(|block| self.is_inherent(*block, &view))
        });
        let is_defined = || {
            self.defining(name).iter().any(|other| {
                let view = self.view(*other);
                view.is_some_and(|view| view.symbols_named(name).any(|(_, symbol)| symbol.kind.is_type()))
            })
        };
        let found = blocks.next().filter(|_| !is_defined());
        self.memo.borrow_mut().undefined.insert(name.into(), found);
        found
    }

    /// Whether a block is inherent, and for a type rather than a type parameter: `impl Shape`.
    fn is_inherent(&self, block: SymbolId, view: &View) -> bool {
        let symbol = &view.facts.symbols[block.symbol];
        let local = view.binding_at(view.facts.name(symbol), symbol.end_of_signature());
        let named = view.reference_at(symbol.name_at);
        let is_bare = named.is_none_or(|named| view.facts.references[named].on == Qualifier::Nothing);
        local.is_none() && is_bare && self.clauses(block, view).is_empty()
    }

    fn fit_of_block(&self, id: SymbolId, given: ArgValue, ty: &Ty) -> Fit {
        let Some(view) = self.view(id.file) else {
            return Fit::Any;
        };
        let Some((at, written)) = written_parameter(&view, id, 0) else {
            return Fit::Any;
        };
        let paths: Vec<&str> = written.names().collect();
        let is_open = |path: &str| {
            let local = view.binding_at(path, at);
            local.is_some_and(|(_, local)| local.kind == LocalKind::Generic)
        };
        if paths.first().is_some_and(|first| is_open(first)) {
            return Fit::Any;
        }
        let told = |is_it: bool| if is_it { Fit::Yes } else { Fit::No };
        let is_one_of = |names: &[&str]| told(matches!(paths[..], [one] if names.contains(&one)));
        match given {
            ArgValue::Literal(Literal::Text) => is_one_of(&["str"]),
            ArgValue::Literal(Literal::Character) => is_one_of(&["char"]),
            ArgValue::Literal(Literal::Boolean) => is_one_of(&["bool"]),
            ArgValue::Literal(Literal::Float) => is_one_of(&["f32", "f64"]),
            ArgValue::Literal(Literal::Integer | Literal::Long) => is_one_of(&[
                "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
            ]),
            _ => {
                let file = id.file;
                let wanted = self.type_from(At { file, view: &view, at }, written);
                match (&ty.head, &wanted.head) {
                    (Base::Symbol(own), Base::Symbol(wanted)) => told(own == wanted),
                    (Base::External, Base::External) => match ty.rest.is_empty() && wanted.rest.is_empty() {
                        true => Fit::Any,
                        false => told(ty.rest == wanted.rest),
                    },
                    (Base::Symbol(_), Base::External) | (Base::External, Base::Symbol(_)) => Fit::No,
                    _ => Fit::Any,
                }
            }
        }
    }
}
