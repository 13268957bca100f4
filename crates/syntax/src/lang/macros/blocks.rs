//! Macros that stand for a statement: loops, conditions and blocks.

use std::ops::Range;

use super::{
    QUIET, Scan,
    words::{is_keyword, is_loop, is_loud, is_test, is_word},
};

impl Scan<'_> {
    /// Ends a loop that a macro makes as if it were a call, so that what is done in it is a statement of its own:
    /// `for_each_item(item) use(item);`, `list_for_each(item, list) {`.
    pub(super) fn is_loop_ended(&mut self, word: Range<usize>) -> bool {
        let is_inside = word.start > 0 && matches!(self.bytes[word.start - 1], b' ' | b'\t');
        let is_behind = self.begins() || self.before == b')' || self.bytes[self.last.clone()] == *b"else";
        let Some(end) = self.end_of_arguments(word.end).filter(|_| is_inside && is_behind) else {
            return false;
        };
        // One that declares its variable is read as a function with parameters: `foreach (Shape *shape, shapes) {`.
        let (first, _) = self.next(word.end);
        let declares = self.declares(self.next(first + 1).0);
        let (at, next) = self.next(end);
        let is_done = is_word(next) || matches!(next, b'{' | b'*' | b'(' | b'+' | b'-');
        let has_room = matches!(self.bytes[at - 1], b' ' | b'\t');
        if declares || !is_done || !has_room {
            return false;
        }
        self.write(at - 1, b";");
        self.at = end;
        self.token(b';');
        self.is_first = self.bytes[end..at].contains(&b'\n');
        true
    }

    /// Writes a macro that has a block behind it, in a function, as what it reads like: `IF_SOME(a, b) {` as a condition,
    /// `FOREACH(Shape *shape, shapes) {` as a loop, `forever {` as nothing.
    pub(super) fn is_block(&mut self, word: Range<usize>) -> bool {
        let is_behind = self.begins() || self.before == b')' || self.bytes[self.last.clone()] == *b"else";
        let (open, next) = self.next(word.end);
        if !is_behind || !matches!(next, b'(' | b'{') || self.bytes[..word.start].ends_with(b"::") {
            return false;
        }
        let end = match next {
            b'{' => open,
            _ => self.end_of_arguments(word.end).unwrap_or(open),
        };
        let name = &self.bytes[word.clone()];
        if self.next(end).1 != b'{' || is_keyword(name) || is_test(name) {
            return false;
        }
        if end == open {
            let is_apart = open > word.end && self.begins();
            if is_apart {
                self.hide_quiet(word);
            }
            return is_apart;
        }
        let (first, inner) = self.next(open + 1);
        let has_room = word.len() >= b"for".len() && inner != b')';
        match self.is_declared_first(first) {
            true if has_room && self.has_ranges && (is_loop(name) || is_loud(name)) => self.range(word, open..end),
            false if has_room => {
                self.mark(word.clone(), b"if");
                self.hide_types(word.end, b'{');
                true
            }
            _ => false,
        }
    }

    /// A type and a name begin the arguments of a macro.
    fn is_declared_first(&self, at: usize) -> bool {
        let word = &self.bytes[at..self.end_of_word(at)];
        matches!(word, b"const" | b"auto" | b"struct") || self.is_declared(at)
    }

    /// A loop over a range, if the arguments are its variable and the range.
    pub(super) fn range(&mut self, word: Range<usize>, arguments: Range<usize>) -> bool {
        let mut depth = 0;
        let mut commas = arguments.clone().filter(|at| {
            depth += match self.bytes[*at] {
                b'(' | b'[' | b'<' => 1,
                b')' | b']' => -1,
                b'>' if self.bytes[*at - 1] != b'-' => -1,
                _ => 0,
            };
            depth == 1 && self.bytes[*at] == b','
        });
        let (Some(comma), None) = (commas.next(), commas.next()) else {
            return false;
        };
        if self.is_declared(self.next(comma + 1).0) {
            return false;
        }
        self.mark(word, b"for");
        self.write(comma, b":");
        true
    }

    /// Writes a keyword in place of a macro, whose use is told by what stands behind it.
    pub(super) fn mark(&mut self, word: Range<usize>, keyword: &[u8]) {
        self.write(word.start, keyword);
        self.write(word.start + keyword.len(), &vec![QUIET; word.len() - keyword.len()]);
    }
}
