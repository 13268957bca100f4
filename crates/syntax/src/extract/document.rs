//! What comments say of types, where a language reads them: see `Hooks::comment` and `Hooks::doc_type`.

use std::ops::Range;

use source::Span;

use super::{Passage, Value, Walk, apply::Matched};
use crate::{
    facts::{
        Complexity, NameId, Qualifier, RefIdx, Reference, Role, Symbol, SymbolIdx, SymbolKind, TypeSource, Visibility,
    },
    tree::Node,
};

/// Longer comments are not searched for where they begin.
const MAX_COMMENT: usize = 4 << 10;

/// A type that a comment defines, or a member of one.
pub(crate) struct Documented<'d> {
    pub name: Range<usize>,
    pub kind: SymbolKind,
    pub start: usize,
    pub doc: Span,
    pub ty: Option<&'d str>,
    /// The definition that the comment is inside of.
    pub around: Option<SymbolIdx>,
    /// The type whose member it is.
    pub of: Option<SymbolIdx>,
}

/// What a comment says of the value behind it.
#[derive(Clone, Copy)]
pub(super) struct Cast {
    /// Where the comment ends.
    end: u32,
    on: Qualifier,
}

impl<'t> Walk<'t> {
    /// A name in a comment; which reference it is.
    pub(crate) fn refer_to(&mut self, name: Range<usize>, role: Role, on: Qualifier) -> RefIdx {
        let at = name.start as u32;
        let name = self.intern(&self.text[name]);
        self.add_reference(Reference {
            name,
            at,
            role,
            step: None,
            on,
            arguments: None,
            arity: 0,
        })
    }

    /// What a name stands on that is written behind a path.
    pub(crate) fn path_on(&mut self, path: Range<usize>) -> Qualifier {
        Qualifier::Path(self.intern(&self.text[path]))
    }

    /// A name that stands for any type in the comments that follow.
    pub(crate) fn stands_for_type(&mut self, name: Range<usize>) {
        self.type_parameters.insert(&self.text[name]);
    }

    pub(crate) fn is_type_parameter(&self, name: &str) -> bool {
        self.type_parameters.contains(name)
    }

    /// What a comment says that the value behind it is: `/** @type {Suite} */ (value)`.
    pub(crate) fn cast(&mut self, end: u32, on: Option<Qualifier>) {
        self.cast = on.map(|on| Cast { end, on });
    }

    /// Whether a comment before a value in parentheses says what it is.
    pub(super) fn is_cast(&mut self, matched: &Matched<'_, '_>) -> bool {
        let Some(Cast { end, on }) = self.cast else {
            return false;
        };
        let start = matched.span.start;
        let is_behind = end <= start && self.text[end as usize..start as usize].trim().is_empty();
        let is_it = is_behind && matched.node.kind() == "parenthesized_expression";
        if is_it {
            self.values.insert(matched.node.id(), Value::Known(on));
            self.cast = None;
        }
        is_it
    }

    /// The comment that ends right before a place.
    fn comment_before(&self, at: u32) -> Option<Span> {
        let before = self.text[..at as usize].trim_end().strip_suffix("*/")?;
        let near = before.ceil_char_boundary(before.len().saturating_sub(MAX_COMMENT));
        let start = near + before[near..].rfind("/*")?;
        let is_whole = before[start..].starts_with("/**") && !before[start..].contains("*/");
        is_whole.then_some(Span {
            start: start as u32,
            end: before.len() as u32,
        })
    }

    /// What a comment says of a parameter: before it, `(/** @type {Suite} */ suite) => {}`, or before its function, which has
    /// no name.
    pub(super) fn documented_beside(
        &mut self,
        span: Span,
        name: NameId,
        ty: Option<TypeSource>,
        passage: &Passage<'_>,
    ) -> Option<TypeSource> {
        self.hooks.comment?;
        if let Some(own) = self.comment_before(span.start) {
            let before = self.text[..own.start as usize].trim_end();
            let said = || self.documented(own, None, ty);
            return before.ends_with(['(', ',']).then(said).flatten();
        }
        let around = passage.frames.iter().rev().find(|frame| frame.is_scope)?;
        let doc = self.comment_before(around.start).filter(|_| around.is_closure)?;
        let name = self.names.get(name).to_owned();
        self.documented(doc, Some(&name), ty)
    }

    /// The comment before a declaration of local names.
    pub(super) fn doc_of_locals(&self, node: Node<'_>, depth: u32, passage: &Passage<'_>) -> Option<Span> {
        self.hooks.comment?;
        let wrapper = passage.wrapper?;
        let is_inside = wrapper.depth + 1 == depth && (node.start_byte() as u32) < wrapper.end && !wrapper.used;
        let row = self.lines.line(wrapper.start) as usize - 1;
        let lead = wrapper.lead;
        let is_near = lead.last_row.is_some_and(|last| last <= row && row <= last + 1) && lead.start < wrapper.start;
        lead.doc.filter(|_| is_inside && is_near)
    }

    pub(crate) fn define_documented(&mut self, documented: Documented<'_>) -> SymbolIdx {
        let Documented {
            name,
            kind,
            start,
            doc,
            ty,
            around,
            of,
        } = documented;
        let span = Span {
            start: start as u32,
            end: name.end as u32,
        };
        if let Some(of) = of {
            self.symbols[of.as_usize()].span.end = span.end;
        }
        let name_at = name.start as u32;
        let name = self.intern(&self.text[name]);
        let ty = ty.map(|ty| {
            let words: Vec<&str> = ty.split_whitespace().filter(|word| *word != "*").collect();
            TypeSource::Expr(self.intern_made(&words.join(" ")))
        });
        self.symbols.push(Symbol {
            name,
            kind,
            visibility: (around.is_none() && of.is_none()).then_some(Visibility::Public),
            parent: of.or(around),
            owner: None,
            name_at,
            span,
            lead: span.start,
            doc: Some(doc),
            signature: span,
            ty,
            value: None,
            is_test: false,
            is_declaration: false,
            complexity: Complexity::default(),
        });
        SymbolIdx::new(self.symbols.len() - 1)
    }
}
