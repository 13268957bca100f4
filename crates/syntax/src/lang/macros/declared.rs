//! What a macro stands before or behind: a function, a variable or another declaration.

use std::ops::Range;

use super::{
    MACROS, Scan,
    words::{is_keyword, is_loud, is_plain_type, is_primitive, is_specifier, is_statement_word, is_word},
};

/// Words of a function's type and its name.
const MAX_WORDS: usize = 6;

impl Scan<'_> {
    /// A method of a mock reads like any other: `MOCK_METHOD(int, size, (), (const));`, `MOCK_METHOD1(resize, void(int));`.
    pub(super) fn declares_mock(&mut self, name: Range<usize>, end: usize) -> bool {
        let open = self.next(name.end).0;
        let mut commas = Vec::new();
        let mut depth = 0;
        for at in open + 1..end - 1 {
            match self.bytes[at] {
                b'(' | b'<' | b'[' | b'{' => depth += 1,
                b')' | b'>' | b']' | b'}' => depth -= 1,
                b',' if depth == 0 => commas.push(at),
                _ => {}
            }
        }
        let is_numbered = self.bytes[name.end - 1].is_ascii_digit();
        match (commas.as_slice(), is_numbered) {
            ([comma], true) => {
                let parameters = self.bytes[*comma..end].iter().position(|byte| *byte == b'(');
                let Some(parameters) = parameters.map(|at| comma + at) else {
                    return false;
                };
                self.blank(name.start..open + 1);
                self.blank(*comma..parameters);
            }
            ([first, second, rest @ ..], false) => {
                let is_wrapped = self.next(open + 1).1 == b'(';
                let begin = if is_wrapped { self.next(open + 1).0 } else { open };
                self.blank(name.start..begin + 1);
                let result_end = if is_wrapped { first - 1 } else { *first };
                self.blank(result_end..first + 1);
                self.blank(*second..second + 1);
                if let Some(third) = rest.first() {
                    self.blank(*third..end - 1);
                }
            }
            _ => return false,
        }
        self.blank(end - 1..end)
    }

    /// Whether a type comes, and the name of a parameter.
    pub(super) fn is_declared(&self, start: usize) -> bool {
        let mut end = self.end_of_word(start);
        if matches!(
            &self.bytes[start..end],
            b"const" | b"volatile" | b"and" | b"or" | b"not" | b"xor" | b"bitand" | b"bitor"
        ) {
            return false;
        }
        while self.is_path(end) {
            end = self.end_of_word(self.next(end).0 + 2);
        }
        let (mut at, mut next) = self.next(end);
        while matches!(next, b'*' | b'&') {
            (at, next) = self.next(at + 1);
        }
        let is_apart = at > end;
        is_apart && is_word(next) && matches!(self.next(self.end_of_word(at)).1, b',' | b')' | b'=' | b'[')
    }

    /// Whether a function with its type follows, or a constructor or destructor that is written outside of its class.
    pub(super) fn is_function_behind(&self, start: usize) -> bool {
        self.function_behind(start).is_some()
    }

    /// Whether a variable follows whose type is written with a path or with arguments.
    pub(super) fn is_variable_behind(&self, start: usize) -> bool {
        let mut at = start;
        while is_specifier(&self.bytes[at..self.end_of_word(at)]) {
            at = self.next(self.end_of_word(at)).0;
        }
        let (end, _) = self.end_of_path(at);
        let (mut name, mut next) = self.next(end);
        while matches!(next, b'*' | b'&') {
            (name, next) = self.next(name + 1);
        }
        let is_named = end > self.end_of_word(at) && is_word(next);
        is_named && matches!(self.next(self.end_of_word(name)).1, b';' | b'=' | b'{' | b'[')
    }

    /// What is behind macros, if they are behind the name of a variable outside of types and functions:
    /// `static Graph *graph GUARDED_BY(lock) PT_GUARDED_BY(lock);`.
    pub(super) fn behind_variable(&self, mut end: usize) -> Option<u8> {
        for _ in 0..MACROS {
            let (at, next) = self.next(end);
            let word = at..self.end_of_word(at);
            if !is_loud(&self.bytes[word.clone()]) {
                let is_behind = self.before == b'a' && self.around.is_outside() && self.is_name_of_value();
                return Some(next).filter(|next| is_behind && matches!(next, b';' | b'='));
            }
            end = self.end_of_arguments(word.end)?;
        }
        None
    }

    /// Writes what a macro behind a variable is given as if it were given to the variable, so that its names are used, where
    /// that has no value.
    pub(super) fn give(&mut self, word: Range<usize>, end: usize, has_none: bool) -> bool {
        let open = self.next(word.end).0;
        self.blank(word.start..end);
        if has_none && !self.around.head.is_alias && !self.bytes[open..end].contains(&b',') {
            self.write(word.start, b"=");
            let given = self.bytes[open + 1..end - 1].to_vec();
            self.write(open + 1, &given);
        }
        true
    }

    /// Whether a type stands before the last word.
    fn is_name_of_value(&self) -> bool {
        let name = &self.bytes[self.last.clone()];
        let before = self.bytes[..self.last.start].trim_ascii_end();
        let end = before
            .iter()
            .rposition(|byte| !matches!(byte, b'*' | b'&'))
            .map_or(0, |at| at + 1);
        let before = before[..end].trim_ascii_end();
        let start = before.iter().rposition(|byte| !is_word(*byte)).map_or(0, |at| at + 1);
        let ty = &before[start..];
        let is_type = match ty {
            [] => before.ends_with(b">"),
            _ => !is_specifier(ty) && !is_loud(ty) && (is_primitive(ty) || !is_keyword(ty)),
        };
        is_type && !name.is_empty() && !is_primitive(name) && !is_keyword(name)
    }

    /// Where the name of such a function begins, with all that is before it.
    pub(super) fn function_behind(&self, start: usize) -> Option<usize> {
        let mut at = start;
        for words in 1..=MAX_WORDS {
            let (end, is_made) = self.end_of_path(at);
            let word = &self.bytes[at..self.end_of_word(at)];
            // Behind a type stands how a function is called: `LONG WINAPI run(..)`.
            if end == at || is_statement_word(word) || (words == 1 && is_loud(word)) {
                return None;
            }
            let (mut behind, mut next) = self.next(end);
            if next == b'(' {
                return (words > 1 || is_made).then_some(at);
            }
            while matches!(next, b'*' | b'&') {
                (behind, next) = self.next(behind + 1);
            }
            if !is_word(next) {
                return None;
            }
            at = behind;
        }
        None
    }

    /// An attribute that names no function stands behind a variable, and its value follows.
    pub(super) fn is_between_name_and_value(&self, end: usize) -> bool {
        let Some(behind) = self.end_of_arguments(end) else {
            return false;
        };
        let opens = self.bytes[end..behind].iter().filter(|byte| **byte == b'(').count();
        let (at, next) = self.next(behind);
        let is_value = next == b'=' && self.bytes.get(at + 1) != Some(&b'=');
        matches!(self.before, b'a' | b']') && opens == 2 && is_value
    }

    /// Leaves of a macro that is given the head of a function what it is given: `ALWAYS_INLINE(void run(int)) {`.
    pub(super) fn is_wrapped(&mut self, word: Range<usize>) -> bool {
        let begins = self.begins() || is_specifier(&self.bytes[self.last.clone()]);
        if !begins || self.around.is_code() || !is_loud(&self.bytes[word.clone()]) {
            return false;
        }
        let Some(end) = self.end_of_arguments(word.end) else {
            return false;
        };
        let (open, _) = self.next(word.end);
        let first = self.next(open + 1).0;
        let inner = self.bytes[first..end - 1].trim_ascii_end();
        let is_head = inner.ends_with(b")") && self.is_function_behind(first);
        if !is_head || self.next(end).1 != b'{' {
            return false;
        }
        self.blank(end - 1..end);
        self.blank(word.start..open + 1);
        self.at = open + 1;
        true
    }

    /// Leaves of a macro behind the name of a function, for compilers of old, the parameters: `int size OF((void));`.
    pub(super) fn is_prototype(&mut self, word: Range<usize>) -> bool {
        let (open, _) = self.next(word.end);
        let last = &self.bytes[self.last.clone()];
        if !self.bytes[open..].starts_with(b"((") || last.is_empty() || is_primitive(last) || is_keyword(last) {
            return false;
        }
        let Some(end) = self.end_of_arguments(word.end) else {
            return false;
        };
        let inner = self.bytes[open + 2..end - 1].trim_ascii_end();
        let Some(inner) = inner.strip_suffix(b")") else {
            return false;
        };
        let is_list = inner.first().is_some_and(u8::is_ascii_alphabetic)
            && (is_plain_type(inner) || inner.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'*'));
        if !is_list || is_keyword(&self.bytes[word.clone()]) || !matches!(self.next(end).1, b';' | b',') {
            return false;
        }
        self.blank(end - 1..end);
        self.blank(word.start..open + 1);
        self.at = open + 1;
        true
    }
}
