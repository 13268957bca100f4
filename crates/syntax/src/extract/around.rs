//! What stands around code: comments before it, decisions inside it, places to cut it.

use source::Span;

use super::{Lead, Passage, Walk};
use crate::{chunk::Cut, facts::SymbolIdx, query::Capture, tree::Node};

impl<'t> Walk<'t> {
    /// Comments count as lines, and as documentation of what follows if they have their lines to themselves.
    pub(super) fn comment<'n>(&mut self, node: Node<'n>, span: Span, passage: &mut Passage<'n>) {
        let first = node.row();
        let last = node.last_row();
        let counted = self.last_comment_row.map_or(first, |row| first.max(row + 1));
        if last >= counted {
            self.comment_lines += (last - counted) as u32 + 1;
            self.last_comment_row = Some(last);
        }
        self.lead(node, span, Some(span), passage);
        if let Some(read) = self.hooks.comment
            && let text = &self.text[span.range()]
            && text.starts_with("/**")
            && text.contains('@')
        {
            let around = passage.frames.iter().rev().find_map(|frame| frame.symbol);
            read(node, around, self);
        }
    }

    pub(super) fn lead<'n>(&mut self, node: Node<'n>, span: Span, doc: Option<Span>, passage: &mut Passage<'n>) {
        let row = node.row();
        let line_start = self.lines.span(row as u32 + 1).start;
        let own_line = self.text[line_start as usize..span.start as usize].trim().is_empty();
        let goes_on = passage.lead.last_row.is_some_and(|last| row <= last + 1);
        if !own_line && !goes_on {
            return;
        }

        if goes_on {
            let lead = &mut passage.lead;
            lead.doc = match (lead.doc, doc) {
                (Some(before), Some(doc)) => Some(Span {
                    start: before.start,
                    end: doc.end,
                }),
                (before, doc) => before.or(doc),
            };
        } else {
            passage.lead = Lead {
                start: span.start,
                last_row: None,
                doc,
            };
        }
        passage.lead.last_row = Some(node.last_row());
    }

    pub(super) fn decision(&mut self, capture: Capture, passage: &Passage<'_>) {
        let Some((at, function)) = self.function_around(passage) else {
            return;
        };
        let nesting = passage.frames[at..].iter().filter(|frame| frame.nests).count() as u32;
        let complexity = &mut self.symbols[function.as_usize()].complexity;
        match capture {
            Capture::Branch => {
                complexity.cyclomatic += 1;
                complexity.cognitive += 1 + nesting;
            }
            Capture::Switch => complexity.cognitive += 1 + nesting,
            Capture::Case => complexity.cyclomatic += 1,
            Capture::Else => complexity.cognitive += 1,
            Capture::Elif => {
                complexity.cyclomatic += 1;
                complexity.cognitive += 1;
            }
            _ => {}
        }
    }

    /// Each operator is a path; only a change of operators makes a condition harder to follow.
    pub(super) fn logical<'n>(&mut self, node: Node<'n>, span: Span, passage: &mut Passage<'n>)
    where
        't: 'n,
    {
        let Some((_, function)) = self.function_around(passage) else {
            return;
        };
        let operator = node.child_by_field_name("operator").or_else(|| node.child(1));
        let operator = operator.map_or("", |operator| &self.text[operator.byte_range()]);
        let goes_on = passage
            .logical
            .is_some_and(|(outer, end)| span.start < end && outer == operator);
        let complexity = &mut self.symbols[function.as_usize()].complexity;
        complexity.cyclomatic += 1;
        if !goes_on {
            complexity.cognitive += 1;
        }
        passage.logical = Some((operator, span.end));
    }

    /// The innermost function, and which frame it is.
    pub(super) fn function_around(&self, passage: &Passage<'_>) -> Option<(usize, SymbolIdx)> {
        let frames = passage.frames.iter().enumerate().rev();
        let mut symbols = frames.filter_map(|(at, frame)| Some((at, frame.symbol?)));
        symbols.find(|(_, symbol)| self.symbols[*symbol].runs())
    }

    /// Remembers where a chunk may begin: at nodes on lines of their own inside nodes that are too large for one.
    pub(super) fn consider_cut(&mut self, node: Node<'_>, span: Span, depth: u32, passage: &mut Passage<'_>) {
        if span.end - span.start > self.chunk_bytes {
            passage.big_depth = depth;
        } else {
            passage.big_depth = passage.big_depth.min(depth.saturating_sub(1));
        }
        let line_start = self.lines.span(node.row() as u32 + 1).start;
        let is_known = line_start < self.whole_until || self.cuts.last().is_some_and(|cut| cut.at >= line_start);
        if !is_known && self.text[line_start as usize..span.start as usize].trim().is_empty() {
            self.cuts.push(Cut {
                at: line_start,
                depth,
                is_definition: false,
            });
        }
    }

    /// A definition begins with its comments; there is no cut between the two.
    pub(super) fn definition_cut(&mut self, lead: u32, depth: u32) {
        let line_start = self.lines.span(self.lines.line(lead)).start;
        while self.cuts.last().is_some_and(|cut| cut.at > line_start) {
            self.cuts.pop();
        }
        match self.cuts.last_mut().filter(|cut| cut.at == line_start) {
            Some(cut) => {
                cut.is_definition = true;
                cut.depth = cut.depth.min(depth);
            }
            None => {
                if self.text[line_start as usize..lead as usize].trim().is_empty() {
                    self.cuts.push(Cut {
                        at: line_start,
                        depth,
                        is_definition: true,
                    });
                }
            }
        }
    }
}
