//! What a text says to its language: its words and how they belong together, without comments and layout.

use source::Span;

use crate::{
    extract::{span_of, with_tree},
    facts::FileFacts,
    lang::Lang,
    query::{Capture, Captured, Rules},
    tree::Node,
};

/// The code of a text, part by part in its order.
#[derive(Debug)]
pub struct Code {
    parts: Vec<Part>,
}

/// A node of the tree, or text of one that is part of none of those inside.
#[derive(Debug, Clone, Copy)]
struct Part {
    span: Span,
    depth: u32,
    kind: u16,
    /// What is written there counts; otherwise what it consists of.
    is_word: bool,
}

/// The kind of text that no node stands for.
const UNNAMED: u16 = u16::MAX;

/// A node that the walk is inside of.
struct Open {
    end: u32,
    depth: u32,
    /// Where the next of its parts begins that is not looked at yet.
    next: u32,
    /// How many parts there were with it.
    parts: usize,
    /// Spaces in it are part of a literal.
    is_quoted: bool,
}

impl Code {
    /// Nothing if the text has no tree. What the facts call documentation is left out where it is a node of its own, as
    /// Python's is.
    pub fn new(lang: &'static Lang, text: &str, facts: &FileFacts) -> Option<Code> {
        let rules = &lang.syntax?.for_text(text).compiled().rules;
        let mut docs: Vec<Span> = facts.symbols.iter().filter_map(|symbol| symbol.doc).collect();
        docs.sort_unstable_by_key(|doc| (doc.start, doc.end));
        with_tree(lang, text, |tree| {
            let mut reading = Reading {
                text,
                open: Vec::new(),
                parts: Vec::new(),
            };
            let mut captured = Captured::default();
            let mut skipped = None;
            for node in tree.nodes() {
                if skipped.is_some_and(|depth| node.depth() > depth) {
                    continue;
                }
                let span = span_of(node);
                let is_doc = || {
                    docs.binary_search_by_key(&(span.start, span.end), |doc| (doc.start, doc.end))
                        .is_ok()
                };
                let is_left_out = is_comment(rules, node, text, &mut captured) || is_doc();
                skipped = is_left_out.then(|| node.depth());
                reading.enter(node, span, is_left_out);
            }
            reading.close(0);
            Code { parts: reading.parts }
        })
    }

    /// Whether a part of this text says the same as a part of another, but for what is apart inside of each. Nothing says
    /// so of text that the tree does not reach into.
    pub fn is_same(&self, own: &Region<'_>, other: &Code, others: &Region<'_>) -> bool {
        let (mut left, mut right) = (self.within(own).peekable(), other.within(others).peekable());
        let (Some(first), Some(other_first)) = (left.peek(), right.peek()) else {
            return false;
        };
        let (depth, other_depth) = (first.depth, other_first.depth);
        let is_same = |one: &Part, two: &Part| {
            (one.kind, one.is_word) == (two.kind, two.is_word)
                && one.depth.wrapping_sub(depth) == two.depth.wrapping_sub(other_depth)
                && (!one.is_word || own.text(one.span) == others.text(two.span))
        };
        loop {
            match (left.next(), right.next()) {
                (None, None) => return true,
                (Some(one), Some(two)) if is_same(one, two) => {}
                _ => return false,
            }
        }
    }

    fn within<'c>(&'c self, region: &'c Region<'c>) -> impl Iterator<Item = &'c Part> {
        let inside = |span: Span, outer: &Span| outer.start <= span.start && span.end <= outer.end;
        let first = self.parts.partition_point(|part| part.span.start < region.span.start);
        let near = self.parts[first..]
            .iter()
            .take_while(|part| part.span.start < region.span.end);
        near.filter(move |part| {
            inside(part.span, &region.span) && !region.apart.iter().any(|apart| inside(part.span, apart))
        })
    }
}

/// Part of a text, less what is apart inside of it.
#[derive(Debug)]
pub struct Region<'r> {
    pub text: &'r str,
    pub span: Span,
    pub apart: Vec<Span>,
}

impl Region<'_> {
    fn text(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }
}

/// A walk over a tree that notes what counts.
struct Reading<'t> {
    text: &'t str,
    open: Vec<Open>,
    parts: Vec<Part>,
}

impl Reading<'_> {
    /// Goes on to a node, which is left out or noted.
    fn enter(&mut self, node: Node<'_>, span: Span, is_left_out: bool) {
        let depth = node.depth();
        self.close(depth);
        if let Some(outer) = self.open.last() {
            let between = Span {
                start: outer.next,
                end: span.start,
            };
            self.between(between);
        }
        if let Some(outer) = self.open.last_mut() {
            outer.next = outer.next.max(span.end);
        }
        if is_left_out {
            return;
        }
        let is_word = node.child_count() == 0;
        // A line break that ends a statement says no more than that the next one begins.
        let is_literal = self.open.last().is_some_and(|outer| outer.is_quoted);
        if is_word && !is_literal && is_line_break(&self.text[span.range()]) {
            return;
        }
        self.parts.push(Part {
            span,
            depth,
            kind: node.kind_id(),
            is_word,
        });
        if !is_word {
            self.open.push(Open {
                end: span.end,
                depth,
                next: span.start,
                parts: self.parts.len(),
                is_quoted: is_quoted(&self.text[span.range()]),
            });
        }
    }

    /// Leaves the nodes that are not around one of this depth. One of which nothing counts does not count itself.
    fn close(&mut self, depth: u32) {
        while let Some(last) = self.open.last().filter(|last| last.depth >= depth) {
            let rest = Span {
                start: last.next,
                end: last.end,
            };
            self.between(rest);
            let Some(last) = self.open.pop() else { return };
            if self.parts.len() == last.parts {
                self.parts.pop();
            }
        }
    }

    /// Text of the innermost node that no node inside of it has.
    fn between(&mut self, span: Span) {
        let Some(outer) = self.open.last().filter(|_| span.start < span.end) else {
            return;
        };
        let is_blank = self.text[span.range()].trim().is_empty();
        if !is_blank || outer.is_quoted {
            self.parts.push(Part {
                span,
                depth: outer.depth + 1,
                kind: UNNAMED,
                is_word: true,
            });
        }
    }
}

fn is_comment<'t>(rules: &Rules, node: Node<'t>, text: &str, captured: &mut Captured<'t>) -> bool {
    rules.apply(node, node.kind_id(), text, captured)
        && captured
            .nodes
            .iter()
            .any(|(what, whole)| *what == Capture::Comment && *whole == node)
}

fn is_line_break(text: &str) -> bool {
    text.contains('\n') && text.trim().is_empty()
}

/// Whether a text is between quotes, perhaps behind what says which kind of literal it is: `r"a b"`.
fn is_quoted(text: &str) -> bool {
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`');
    let bare = text.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '@' | '$' | '#' | '%'));
    bare.starts_with(is_quote) && text.trim_end_matches('#').ends_with(is_quote)
}
