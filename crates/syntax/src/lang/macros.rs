//! Macros of the C family that stand where the grammars expect none.

use std::ops::Range;

use super::{c, conditions, cpp};

/// What a macro is looked up ahead for: arguments, and white space up to the next word.
const AHEAD: usize = 400;

/// Before the name of one type.
const MACROS: usize = 4;

/// Words of a function's type and its name.
const MAX_WORDS: usize = 6;

/// As far as comments go before what comes next.
const AHEAD_COMMENTS: usize = 4000;

/// What stands in place of a macro that is not written like one, so that its use is told from other text that is gone.
pub(crate) const QUIET: u8 = b'\t';

/// The text with macros blanked out that would tear a declaration apart: `class EXPORT Name : Base {`, `Q_OBJECT`,
/// `API type name(..);`, `typedef NS_ENUM(type, Name) {`. As long as the text, and with the same lines. `None` if there is
/// nothing to blank.
pub(super) fn masked(text: &str) -> Option<String> {
    let whole = conditions::with_whole_branches(text);
    without_macros(whole.as_deref().unwrap_or(text), false).or(whole)
}

/// The same for C++, which has loops over ranges.
pub(super) fn masked_with_ranges(text: &str) -> Option<String> {
    let whole = conditions::with_whole_branches(text);
    without_macros(whole.as_deref().unwrap_or(text), true).or(whole)
}

fn without_macros(text: &str, has_ranges: bool) -> Option<String> {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: 0,
        before: 0,
        last: 0..0,
        is_first: true,
        has_ranges,
        around: Around::default(),
        masked: None,
    };
    scan.run();
    // Only whole words and what stands between them were overwritten, by ASCII.
    scan.masked.and_then(|masked| String::from_utf8(masked).ok())
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The last byte that is neither space nor comment; 0 at the beginning and behind a preprocessor line.
    before: u8,
    /// The last word, if nothing but space has followed it; else empty.
    last: Range<usize>,
    /// Nothing but space has come on this line.
    is_first: bool,
    has_ranges: bool,
    around: Around,
    masked: Option<Vec<u8>>,
}

impl Scan<'_> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => {
                    self.is_first = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'#' if self.is_first && self.hides_condition() => {}
                b'#' if self.is_first => {
                    let end = self.end_of_directive();
                    self.hide_comments(self.at..end);
                    self.at = end;
                    self.before = 0;
                    self.last = 0..0;
                }
                b'/' if self.bytes.get(self.at + 1) == Some(&b'/') => self.at = self.end_of_line(self.at),
                b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => self.at = self.end_of_comment(self.at),
                b'"' | b'\'' => {
                    self.at = self.end_of_quoted(byte);
                    self.token(byte);
                }
                b'0'..=b'9' => {
                    // With the separators of `1'000`.
                    while self
                        .bytes
                        .get(self.at)
                        .is_some_and(|byte| is_word(*byte) || matches!(byte, b'\'' | b'.'))
                    {
                        self.at += 1;
                    }
                    self.token(b'0');
                }
                _ if is_word(byte) => self.word(),
                _ => {
                    self.around.token(byte, self.before, &self.bytes[self.last.clone()]);
                    self.at += 1;
                    self.token(byte);
                }
            }
        }
    }

    /// Conditions that the grammar does not expect where they are. `int size()`, then `const` between `#if` and `#endif`,
    /// then the body: which of them hold is not known, and the function is the same. In a list of values that members begin
    /// with, what is in the first branch stays.
    fn hides_condition(&mut self) -> bool {
        if !matches!(self.before, b')' | b',' | b'}') {
            return false;
        }
        let start = self.at;
        let limit = self.bytes.len().min(start + AHEAD);
        let mut at = start;
        let mut branch: Option<Range<usize>> = None;
        let mut inside = start;
        while at < limit {
            let end = self.end_of_line(at);
            let line = self.bytes[at..end].trim_ascii();
            if let Some(word) = line.strip_prefix(b"#").map(<[u8]>::trim_ascii_start) {
                let is_first = at == start;
                if is_first != word.starts_with(b"if") {
                    return false;
                }
                if is_first {
                    inside = end;
                } else if branch.is_none() {
                    branch = Some(inside..at);
                }
                if word.starts_with(b"endif") {
                    let kept = branch.unwrap_or(inside..inside);
                    return self.hides_all_but(start..end, kept);
                }
            }
            at = end + 1;
        }
        false
    }

    fn hides_all_but(&mut self, whole: Range<usize>, kept: Range<usize>) -> bool {
        let content = self.bytes[kept.clone()].trim_ascii();
        let are_words = content.iter().all(|byte| is_word(*byte) || byte.is_ascii_whitespace());
        if self.before == b')' && are_words && self.next(whole.end).1 == b'{' {
            return self.blank(whole);
        }
        let first = content.iter().take_while(|byte| is_word(**byte)).count();
        let is_item = first > 0 && content.ends_with(b",") && matches!(content.get(first), Some(b'(' | b'{'));
        let is_list = match self.before {
            b',' => is_item,
            b')' | b'}' => content.starts_with(b",") && !content.ends_with(b","),
            _ => false,
        };
        if is_list && !content.contains(&b';') {
            self.blank(whole.start..kept.start);
            self.blank(kept.end..whole.end);
            self.at = kept.start;
        }
        is_list
    }

    /// A method of a mock reads like any other: `MOCK_METHOD(int, size, (), (const));`, `MOCK_METHOD1(resize, void(int));`.
    fn declares_mock(&mut self, name: Range<usize>, end: usize) -> bool {
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
    fn is_declared(&self, start: usize) -> bool {
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
    fn is_function_behind(&self, start: usize) -> bool {
        self.function_behind(start).is_some()
    }

    /// Whether a variable follows whose type is written with a path or with arguments.
    fn is_variable_behind(&self, start: usize) -> bool {
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
    fn behind_variable(&self, mut end: usize) -> Option<u8> {
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
    fn give(&mut self, word: Range<usize>, end: usize, has_none: bool) -> bool {
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
    fn function_behind(&self, start: usize) -> Option<usize> {
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

    /// Behind a name with all that is before it, and whether it is that of a constructor or destructor: `Shape::~Shape`.
    fn end_of_path(&self, start: usize) -> (usize, bool) {
        let (mut at, mut is_made) = (start, false);
        loop {
            let end = self.end_of_word(at);
            let mut behind = end;
            if self.bytes.get(end) == Some(&b'<') {
                let limit = self.bytes.len().min(end + AHEAD);
                let mut depth = 0;
                let close = self.bytes[end..limit].iter().position(|byte| {
                    depth += i32::from(*byte == b'<') - i32::from(*byte == b'>');
                    depth == 0
                });
                let Some(close) = close else { return (end, false) };
                behind = end + close + 1;
            }
            if !self.bytes[behind..].starts_with(b"::") {
                return (behind, is_made);
            }
            let is_destroyed = self.bytes.get(behind + 2) == Some(&b'~');
            let next = behind + 2 + usize::from(is_destroyed);
            is_made = self.bytes[at..end] == self.bytes[next..self.end_of_word(next)];
            at = next;
        }
    }

    fn token(&mut self, byte: u8) {
        self.before = byte;
        self.last = 0..0;
        self.is_first = false;
    }

    fn word(&mut self) {
        let start = self.at;
        let end = self.end_of_word(start);
        self.at = end;
        let word = &self.bytes[start..end];
        self.around.word(word, self.before);
        match word {
            b"signals" | b"Q_SIGNALS" if self.begins() && self.next(end).1 == b':' && !self.is_path(end) => {
                self.write(start, b"public");
                self.blank(start + 6..end);
            }
            b"slots" | b"Q_SLOTS"
                if matches!(&self.bytes[self.last.clone()], b"public" | b"protected" | b"private")
                    && self.next(end).1 == b':' =>
            {
                self.blank(start..end);
                return;
            }
            // `bool done __attribute__((unused)) = run();`
            b"__attribute__" | b"__attribute" if self.is_between_name_and_value(end) => {
                let behind = self.end_of_arguments(end).unwrap_or(end);
                self.blank(start..behind);
                return;
            }
            // `__suppress__("overflow") bool check(..)`
            _ if word.starts_with(b"__") && word.ends_with(b"__") && self.begins() => {
                let text = self.next(end).1 == b'(' && self.next(self.next(end).0 + 1).1 == b'"';
                if let Some(behind) = self.end_of_arguments(end).filter(|_| text)
                    && is_word(self.next(behind).1)
                {
                    self.blank(start..behind);
                    return;
                }
            }
            // `void printflike(1, 2) report(const char *, ...);`
            _ if matches!(self.before, b'a' | b'*') && self.next(end).1 == b'(' && self.is_attribute(start..end) => {
                return;
            }
            _ if self.is_first && is_loop(word) && self.is_loop_ended(start..end) => return,
            _ if self.before == b'a' && self.is_prototype(start..end) => return,
            _ if self.around.is_code() && self.is_block(start..end) => {}
            _ if self.is_wrapped(start..end) => return,
            _ if self.is_between(start..end) || self.is_before_type(start..end) => return self.hide_quiet(start..end),
            _ if is_loud(word) && self.is_blanked(start..end) => return,
            _ if is_loud(word) && self.is_type_of_many(end) => {}
            _ if is_loud(word) && self.begins() => self.hide_types(end, b';'),
            _ => {}
        }
        self.before = b'a';
        self.last = start..end;
        self.is_first = false;
    }

    /// An attribute that names no function stands behind a variable, and its value follows.
    fn is_between_name_and_value(&self, end: usize) -> bool {
        let Some(behind) = self.end_of_arguments(end) else {
            return false;
        };
        let opens = self.bytes[end..behind].iter().filter(|byte| **byte == b'(').count();
        let (at, next) = self.next(behind);
        let is_value = next == b'=' && self.bytes.get(at + 1) != Some(&b'=');
        matches!(self.before, b'a' | b']') && opens == 2 && is_value
    }

    /// Ends a loop that a macro makes as if it were a call, so that what is done in it is a statement of its own:
    /// `for_each_item(item) use(item);`, `list_for_each(item, list) {`.
    fn is_loop_ended(&mut self, word: Range<usize>) -> bool {
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
    fn is_block(&mut self, word: Range<usize>) -> bool {
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
    fn range(&mut self, word: Range<usize>, arguments: Range<usize>) -> bool {
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
    fn mark(&mut self, word: Range<usize>, keyword: &[u8]) {
        self.write(word.start, keyword);
        self.write(word.start + keyword.len(), &vec![QUIET; word.len() - keyword.len()]);
    }

    /// Leaves of a macro that is given the head of a function what it is given: `ALWAYS_INLINE(void run(int)) {`.
    fn is_wrapped(&mut self, word: Range<usize>) -> bool {
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

    /// Blanks a macro out that is given numbers, before the name of a function.
    fn is_attribute(&mut self, word: Range<usize>) -> bool {
        let Some(end) = self.end_of_arguments(word.end) else {
            return false;
        };
        let (at, next) = self.next(end);
        let is_before_name = is_word(next) && self.next(self.end_of_word(at)).1 == b'(';
        is_before_name && is_given_numbers(&self.bytes[word.end..end]) && self.blank(word.start..end)
    }

    /// A macro that says how a function is called, between its type and its name: `char * libcall\nname(..)`. Nowhere else
    /// do two names follow each other behind a type of the language, or a `*`.
    fn is_between(&self, word: Range<usize>) -> bool {
        let name = &self.bytes[word.clone()];
        let last = &self.bytes[self.last.clone()];
        let is_behind_type = match self.before {
            b'*' | b'&' => true,
            b'a' => is_primitive(last) || (is_calling(name) && !last.is_empty() && !is_keyword(last)),
            _ => false,
        };
        let (at, next) = self.next(word.end);
        if !is_behind_type || !is_word(next) || next.is_ascii_digit() {
            return false;
        }
        let (end, _) = self.end_of_path(at);
        let behind = &self.bytes[at..self.end_of_word(at)];
        // `int size GUARDED_BY(mutex);`, `int size OF((void));`: the other one is the macro.
        let (open, next) = self.next(end);
        let is_other = (is_loud(behind) && !is_loud(name)) || self.bytes[open..].starts_with(b"((");
        next == b'(' && !is_other && !is_keyword(name) && !is_keyword(behind)
    }

    /// A macro that is not written like one, before the type of a function: `static my_inline node *first(..)`.
    fn is_before_type(&self, word: Range<usize>) -> bool {
        let name = &self.bytes[word.clone()];
        let last = &self.bytes[self.last.clone()];
        let begins = match self.before {
            b':' => !self.bytes[..word.start].ends_with(b"::"),
            _ => self.begins(),
        };
        let (mut at, mut next) = self.next(word.end);
        if !is_word(next) || !(begins || is_specifier(last)) || is_loud(name) || is_keyword(name) {
            return false;
        }
        while matches!(&self.bytes[at..self.end_of_word(at)], b"const" | b"volatile") {
            (at, next) = self.next(self.end_of_word(at));
        }
        let end = self.end_of_word(at);
        let is_type = is_word(next) && !next.is_ascii_digit() && !is_calling(&self.bytes[at..end]);
        let is_name = |name: usize| {
            let end = self.end_of_word(name);
            !is_loud(&self.bytes[name..end]) && !self.bytes[self.next(end).0..].starts_with(b"((")
        };
        is_type && self.function_behind(at).is_some_and(is_name)
    }

    /// Leaves of a macro behind the name of a function, for compilers of old, the parameters: `int size OF((void));`.
    fn is_prototype(&mut self, word: Range<usize>) -> bool {
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

    fn hide_quiet(&mut self, word: Range<usize>) {
        let is_quiet = !is_loud(&self.bytes[word.clone()]);
        self.blank(word.clone());
        if is_quiet {
            self.write(word.start, &vec![QUIET; word.len()]);
        }
    }

    /// Blanks a macro out where it stands in the way.
    fn is_blanked(&mut self, word: Range<usize>) -> bool {
        let name = &self.bytes[word.clone()];
        let arguments = self.end_of_arguments(word.end);
        let whole = word.start..arguments.unwrap_or(word.end);
        let last = &self.bytes[self.last.clone()];
        if matches!(last, b"class" | b"struct" | b"union" | b"enum") {
            return self.names_type(whole.end, MACROS) && self.blank(whole);
        }
        if let Some(end) = arguments
            && (name.starts_with(b"MOCK_METHOD") || name.starts_with(b"MOCK_CONST_METHOD"))
        {
            return self.declares_mock(word, end);
        }
        if is_enum(name) {
            return arguments.is_some() && self.enumeration(word.start, whole.end);
        }
        let begins = self.begins() || matches!(self.before, b'"' | b'>' | b']') || is_specifier(last);
        let (at, next) = self.next(whole.end);
        if let Some(end) = arguments
            && matches!(self.before, b'<' | b',')
            && matches!(next, b'>' | b',')
        {
            self.hide_reason(word.end..end);
            return false;
        }
        if begins && is_qualifier(name) && (is_word(next) || next == b'~') {
            // A variable of a type with such a name has its end behind the next word.
            let (_, behind) = self.next(self.end_of_word(at));
            let is_type = !self.is_first_pair(at) && matches!(behind, b';' | b'=' | b',' | b'[' | b')' | b'{');
            if let Some(end) = arguments
                && behind == b'('
            {
                // `API(type) name(..);`
                let inner = &self.bytes[word.end..end];
                let is_wrapped = !inner.iter().any(|byte| matches!(byte, b'"' | b','));
                let open = inner.iter().position(|byte| *byte == b'(').unwrap_or(0);
                return is_wrapped && self.blank(word.start..word.end + open + 1) && self.blank(end - 1..end);
            }
            return !is_type && self.blank(whole);
        }
        // `FAST_FN Shape* make(..)`, `FAST_FN Shape::Shape()`: no type is followed by another, or by what makes one.
        if begins && arguments.is_none() && is_word(next) && self.is_function_behind(at) {
            return self.blank(whole);
        }
        // `CONST_INIT std::atomic<bool> flag{false};`: the grammar takes the macro for the type.
        if begins && arguments.is_none() && is_word(next) && self.is_variable_behind(at) {
            return self.blank(whole);
        }
        if let Some(end) = arguments
            && let Some(behind) = self.behind_variable(end)
        {
            return self.give(word, end, behind == b';');
        }
        // `void run(MAYBE_UNUSED Face &face)`: a type of such a name would have one name behind it.
        if matches!(self.before, b'(' | b',') && is_word(next) && arguments.is_none() && self.is_declared(at) {
            return self.blank(whole);
        }
        if is_convention(name) {
            let is_between = (self.before == b'a' || matches!(self.before, b'*' | b'&' | b'(')) && is_word(next);
            return (is_between || (self.before == b'(' && next == b'*')) && self.blank(whole);
        }
        // `void API_INLINE space::Type<T>::method(..)`
        if self.before == b'a' && is_inline(name) && is_word(next) && arguments.is_none() {
            return self.blank(whole);
        }
        if is_trailing(name) && (matches!(self.before, b')' | b'a') && matches!(next, b';' | b'{' | b'=' | b':')) {
            return self.blank(whole);
        }
        // `enum Kind OF_BYTES {`, `class Name FINAL_CLASS : Base {`
        if self.before == b'a' && (next == b'{' || (next == b':' && !self.is_path(whole.end))) && self.is_type_named() {
            return self.blank(whole);
        }
        // The last thing in a class.
        if (matches!(self.before, b';' | b'}' | b':') || (self.before == b'{' && self.is_type_opened(whole.start)))
            && self.is_first
            && self.is_line(whole.end)
            && self.ends_type(whole.end)
        {
            return self.blank(whole);
        }
        // `BEGIN_TRY {`, with the brace on a line of its own: the block is one like any other.
        let is_inside = word.start > 0 && matches!(self.bytes[word.start - 1], b' ' | b'\t');
        if self.begins() && self.is_first && is_inside && arguments.is_none() && self.is_line(word.end) && next == b'{'
        {
            return self.blank(whole);
        }
        if self.begins() && self.is_first && self.is_line(whole.end) {
            let is_known = arguments.is_none() || is_statement(name) || self.declares(at);
            // A type may have a line to itself before the name of a function.
            let is_type = is_word(next) && self.next(self.end_of_word(at)).1 == b'(';
            let is_before = is_word(next) || matches!(next, 0 | b'#' | b'@' | b'[' | b'~');
            let word = &self.bytes[at..self.end_of_word(at)];
            let is_access = matches!(word, b"public" | b"protected" | b"private");
            // No type stands before a statement: `TRY`, then `return make();`.
            let is_apart = is_access || (is_inside && arguments.is_none() && is_statement_word(word));
            return is_known
                && is_before
                && (!is_type || is_statement(name))
                && (name.contains(&b'_') || is_apart)
                && self.blank(whole);
        }
        false
    }

    /// The end of a type follows, with nothing but macros on lines of their own before it.
    fn ends_type(&self, mut from: usize) -> bool {
        for _ in 0..MACROS {
            let (at, next) = self.next(from);
            if next == b'}' {
                return self.next(at + 1).1 == b';';
            }
            let end = self.end_of_word(at);
            from = self.end_of_arguments(end).unwrap_or(end);
            if !is_loud(&self.bytes[at..end]) || !self.is_line(from) {
                return false;
            }
        }
        false
    }

    /// Blanks a text out that says why a template has a condition, which the grammar takes for a parameter:
    /// `template <class T, REQUIRES("a number", is_number<T>)>`.
    fn hide_reason(&mut self, arguments: Range<usize>) {
        let before = &self.bytes[arguments.start.saturating_sub(AHEAD)..arguments.start];
        let start = before.iter().rposition(|byte| matches!(byte, b';' | b'{' | b'}'));
        let head = &before[start.map_or(0, |start| start + 1)..];
        let (quote, first) = self.next(self.next(arguments.start).0 + 1);
        if first != b'"' || memchr::memmem::find(head, b"template").is_none() {
            return;
        }
        let text = &self.bytes[quote + 1..arguments.end];
        let Some(close) = text.iter().position(|byte| *byte == b'"').map(|at| quote + 1 + at) else {
            return;
        };
        let (comma, behind) = self.next(close + 1);
        if behind == b',' {
            let at = self.at;
            self.blank(quote..comma + 1);
            self.at = at;
        }
    }

    /// Leaves only the last argument of a macro that is the type of what is declared, since the grammar takes one:
    /// `TAILQ_HEAD(, item) items;`, `TAILQ_HEAD(list, item) items;`. That of C++ takes none, but knows templates.
    fn is_type_of_many(&mut self, at: usize) -> bool {
        if !self.begins() && !is_specifier(&self.bytes[self.last.clone()]) {
            return false;
        }
        let Some(end) = self.end_of_arguments(at) else {
            return false;
        };
        let (name, next) = self.next(end);
        if !is_word(next) || !matches!(self.next(self.end_of_word(name)).1, b';' | b'=' | b'[') {
            return false;
        }
        let (mut depth, mut open, mut comma) = (0, end, None);
        for at in at..end {
            match self.bytes[at] {
                b'(' => {
                    open = open.min(at);
                    depth += 1;
                }
                b')' => depth -= 1,
                b',' if depth == 1 => comma = Some(at),
                _ => {}
            }
        }
        let as_template = self.has_ranges && !self.around.is_code() && end > open + 2;
        if comma.is_none() && !as_template {
            return false;
        }
        let behind = self.at;
        if let Some(comma) = comma {
            self.blank(open + 1..comma + 1);
        }
        if as_template {
            self.write(open, b"<");
            self.write(end - 1, b">");
        }
        self.at = behind;
        true
    }

    /// Types of the language that a macro is given where a statement stands are hidden behind a number: they are no
    /// expressions, and would make a declaration of it that goes on behind its end: `DEFINE_FLAG(int, size, 8);`.
    fn hide_types(&mut self, at: usize, behind: u8) {
        let Some(end) = self.end_of_arguments(at).filter(|end| self.next(*end).1 == behind) else {
            return;
        };
        let Some(open) = self.bytes[at..end].iter().position(|byte| *byte == b'(') else {
            return;
        };
        let first = at + open + 1;
        let (mut start, mut depth) = (first, 0);
        for at in first..end {
            match self.bytes[at] {
                b'(' | b'[' | b'<' => depth += 1,
                b',' | b')' if depth == 0 => {
                    let argument = start..at;
                    let written = &self.bytes[argument.clone()];
                    let space = written.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                    if is_plain_type(written) {
                        let behind = self.at;
                        self.blank(argument.clone());
                        self.write(argument.start + space, b"0");
                        self.at = behind;
                    }
                    start = at + 1;
                }
                b')' | b']' | b'>' => depth -= 1,
                _ => {}
            }
        }
    }

    /// The word is a keyword of a declaration, which no variable is called.
    fn is_first_pair(&self, at: usize) -> bool {
        let word = &self.bytes[at..self.end_of_word(at)];
        matches!(
            word,
            b"operator" | b"explicit" | b"virtual" | b"static" | b"inline" | b"constexpr"
        )
    }

    /// A type and a name follow, or a keyword and a name.
    fn declares(&self, at: usize) -> bool {
        let end = self.end_of_word(at);
        let (_, behind) = self.next(end);
        end > at
            && !is_statement_word(&self.bytes[at..end])
            && (is_word(behind) || matches!(behind, b'<' | b':' | b'*' | b'&'))
    }

    /// A statement or declaration may begin here.
    fn begins(&self) -> bool {
        matches!(self.before, 0 | b';' | b'{' | b'}' | b':')
    }

    /// A name and the beginning of its body follow, as in `class MACRO Name : Base {`.
    fn names_type(&self, at: usize, macros: usize) -> bool {
        let (at, first) = self.next(at);
        if !is_word(first) || first.is_ascii_digit() {
            return false;
        }
        let end = self.end_of_word(at);
        if &self.bytes[at..end] == b"final" {
            return false;
        }
        // Another macro may come first.
        if macros > 0 && is_loud(&self.bytes[at..end]) {
            let behind = self.end_of_arguments(end).unwrap_or(end);
            if is_word(self.next(behind).1) && self.names_type(behind, macros - 1) {
                return true;
            }
        }
        let (at, next) = self.next(end);
        match next {
            b'{' | b':' | b'<' => true,
            _ => self.bytes[at..].starts_with(b"final"),
        }
    }

    /// The last word is the name behind the keyword of a type.
    fn is_type_named(&self) -> bool {
        let before = self.bytes[..self.last.start].trim_ascii_end();
        let start = before.iter().rposition(|byte| !is_word(*byte)).map_or(0, |at| at + 1);
        !self.last.is_empty() && matches!(&before[start..], b"class" | b"struct" | b"union" | b"enum")
    }

    /// `typedef NS_ENUM(type, Name) {` becomes `enum Name {`.
    fn enumeration(&mut self, start: usize, end: usize) -> bool {
        let inner = &self.bytes[start..end - 1];
        let name_end = inner.iter().rposition(|byte| is_word(*byte)).map_or(0, |at| at + 1);
        let name = inner[..name_end]
            .iter()
            .rposition(|byte| !is_word(*byte))
            .map_or(0, |at| at + 1);
        // Behind `enum`, the parenthesis and a comma.
        if name < 6 || name_end <= name {
            return false;
        }
        if &self.bytes[self.last.clone()] == b"typedef" {
            self.blank(self.last.clone());
        }
        self.blank(start..start + name);
        self.blank(start + name_end..end);
        self.write(start, b"enum");
        true
    }

    /// Whether the brace before a place opens a type: `struct shape {`.
    fn is_type_opened(&self, at: usize) -> bool {
        let Some(brace) = memchr::memrchr(b'{', &self.bytes[..at]) else {
            return false;
        };
        let head = &self.bytes[brace.saturating_sub(200)..brace];
        let start = head
            .iter()
            .rposition(|byte| matches!(byte, b';' | b'{' | b'}' | b'/' | b'\\'));
        let head = &head[start.map_or(0, |start| start + 1)..];
        let mut words = head.split(|byte| !is_word(*byte));
        words.any(|word| matches!(word, b"struct" | b"union" | b"class")) && !head.contains(&b'=')
    }

    /// Comments in a macro of several lines, where the grammar would end it.
    fn hide_comments(&mut self, directive: Range<usize>) {
        let bytes = self.bytes;
        let text = &bytes[directive.clone()];
        let is_macro = text[1..].trim_ascii_start().starts_with(b"define");
        if !is_macro || !text.contains(&b'\n') {
            return;
        }
        let mut at = directive.start;
        while let Some(open) = memchr::memmem::find(&bytes[at..directive.end], b"/*") {
            let start = at + open;
            let Some(length) = memchr::memmem::find(&bytes[start + 2..directive.end], b"*/") else {
                return;
            };
            at = start + 2 + length + 2;
            let masked = self.masked.get_or_insert_with(|| bytes.to_vec());
            for place in start..at {
                // What joins the lines stays.
                let joins = bytes[place] == b'\\' && matches!(bytes.get(place + 1), Some(b'\n' | b'\r'));
                if !joins && !matches!(bytes[place], b'\n' | b'\r') {
                    masked[place] = b' ';
                }
            }
        }
    }

    fn blank(&mut self, range: Range<usize>) -> bool {
        self.at = self.at.max(range.end);
        let bytes = self.bytes;
        let masked = self.masked.get_or_insert_with(|| bytes.to_vec());
        for byte in &mut masked[range] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        true
    }

    fn write(&mut self, at: usize, word: &[u8]) {
        let bytes = self.bytes;
        let masked = self.masked.get_or_insert_with(|| bytes.to_vec());
        masked[at..at + word.len()].copy_from_slice(word);
    }

    /// Where something comes behind space and comments, and its first byte; 0 at the end, and far away.
    fn next(&self, from: usize) -> (usize, u8) {
        let mut at = from;
        let limit = self.bytes.len().min(from + AHEAD_COMMENTS);
        while at < limit {
            match self.bytes[at] {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                b'/' if self.bytes.get(at + 1) == Some(&b'/') => at = self.end_of_line(at),
                b'/' if self.bytes.get(at + 1) == Some(&b'*') => at = self.end_of_comment(at),
                byte => return (at, byte),
            }
        }
        (at.min(self.bytes.len()), 0)
    }

    fn is_path(&self, at: usize) -> bool {
        let (at, _) = self.next(at);
        self.bytes[at..].starts_with(b"::")
    }

    /// Nothing else is on the line.
    fn is_line(&self, at: usize) -> bool {
        let rest = self.bytes[at..]
            .iter()
            .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        matches!(rest, None | Some(b'\n' | b'/'))
    }

    fn end_of_word(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
    }

    /// Behind the arguments of a macro, if it has any.
    fn end_of_arguments(&self, at: usize) -> Option<usize> {
        let limit = self.bytes.len().min(at + AHEAD);
        let open = (at..limit).find(|at| !matches!(self.bytes[*at], b' ' | b'\t'))?;
        if self.bytes[open] != b'(' {
            return None;
        }
        let mut depth = 0;
        let mut at = open;
        while at < limit {
            match self.bytes[at] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b';' | b'{' => return None,
                // What is in quotes means nothing here.
                b'"' => {
                    let mut inner = at + 1;
                    while inner < limit && !matches!(self.bytes[inner], b'"' | b'\n') {
                        inner += 1 + usize::from(self.bytes[inner] == b'\\');
                    }
                    at = inner;
                }
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    fn end_of_line(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
    }

    /// Of a preprocessor line, with those that it goes on in.
    fn end_of_directive(&self) -> usize {
        let mut at = self.at;
        loop {
            let end = self.end_of_line(at);
            let line = self.bytes[at..end].trim_ascii_end();
            if !line.ends_with(b"\\") || end == self.bytes.len() {
                return end;
            }
            at = end + 1;
        }
    }

    fn end_of_comment(&self, start: usize) -> usize {
        let rest = &self.bytes[start..];
        let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
        start + end.map_or(rest.len(), |at| at + 4)
    }

    fn end_of_quoted(&self, quote: u8) -> usize {
        let rest = &self.bytes[self.at + 1..];
        let is_raw =
            quote == b'"' && !self.last.is_empty() && self.last.end == self.at && self.bytes[self.at - 1] == b'R';
        if is_raw && let Some(open) = rest.iter().take(20).position(|byte| *byte == b'(') {
            let mut close = vec![b')'];
            close.extend_from_slice(&rest[..open]);
            close.push(b'"');
            let end = rest[open..].windows(close.len()).position(|end| end == close);
            return end.map_or(self.bytes.len(), |end| self.at + 1 + open + end + close.len());
        }
        let mut at = 0;
        while let Some(&byte) = rest.get(at) {
            match byte {
                b'\\' => at += 1,
                // Unfinished: an apostrophe in some text.
                b'\n' => break,
                _ if byte == quote => {
                    at += 1;
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        (self.at + 1 + at).min(self.bytes.len())
    }
}

/// What a place is inside of, as far as braces tell.
#[derive(Debug, Default)]
struct Around {
    open: Vec<Brace>,
    head: Head,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brace {
    /// Of a type or a list of values: definitions, or no statements.
    Other,
    /// Of a namespace.
    Space,
    /// Of a function.
    Code,
}

/// What has come since the last statement or block.
#[derive(Debug, Default)]
struct Head {
    names_type: bool,
    names_space: bool,
    /// `typedef`
    is_alias: bool,
    has_parameters: bool,
}

impl Around {
    fn is_code(&self) -> bool {
        self.open.last() == Some(&Brace::Code)
    }

    /// Outside of types and functions.
    fn is_outside(&self) -> bool {
        self.open.iter().all(|brace| *brace == Brace::Space)
    }

    fn word(&mut self, word: &[u8], before: u8) {
        // Those of parameters say nothing of what is defined.
        let is_outer = !matches!(before, b'(' | b',' | b'<');
        let is_type = matches!(word, b"class" | b"struct" | b"union" | b"enum");
        self.head.names_type |= is_outer && is_type;
        self.head.names_space |= is_outer && word == b"namespace";
        self.head.is_alias |= word == b"typedef";
    }

    fn token(&mut self, byte: u8, before: u8, last: &[u8]) {
        match byte {
            b'{' => {
                let brace = self.brace(before, last);
                self.open.push(brace);
                self.head = Head::default();
            }
            b'}' => {
                self.open.pop();
                self.head = Head::default();
            }
            b';' => self.head = Head::default(),
            b')' => self.head.has_parameters = true,
            _ => {}
        }
    }

    /// What a brace opens, by what stands before it.
    fn brace(&self, before: u8, last: &[u8]) -> Brace {
        // `extern "C" {`
        if self.head.names_space || before == b'"' {
            return Brace::Space;
        }
        let is_code = match before {
            b')' | b']' => true,
            b'=' | b',' | b'(' => false,
            // Behind the values that members begin with: `: size{1} {`.
            b'}' => true,
            _ if matches!(
                last,
                b"const" | b"noexcept" | b"override" | b"mutable" | b"try" | b"volatile"
            ) =>
            {
                true
            }
            _ if last == b"return" || self.head.names_type => false,
            _ => self.is_code() || self.head.has_parameters,
        };
        if is_code { Brace::Code } else { Brace::Other }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// `const char*`, `unsigned short`: words of the language, and nothing else.
fn is_plain_type(text: &[u8]) -> bool {
    let mut words = text
        .split(|byte| !is_word(*byte))
        .filter(|word| !word.is_empty())
        .peekable();
    let is_type = |word: &[u8]| is_primitive(word) || word == b"const";
    let is_between = |byte: &u8| is_word(*byte) || byte.is_ascii_whitespace() || matches!(byte, b'*' | b'&');
    words.peek().is_some() && words.all(is_type) && text.iter().all(is_between)
}

fn is_primitive(word: &[u8]) -> bool {
    matches!(
        word,
        b"bool" | b"char" | b"double" | b"float" | b"int" | b"long" | b"short" | b"signed" | b"unsigned" | b"void"
    )
}

/// Of the languages, or of compilers as far as the grammars know them.
fn is_keyword(word: &[u8]) -> bool {
    const OF_COMPILERS: &str = "\
        _Alignas _Atomic _Nonnull _Noreturn _Nullable _Thread_local __asm __asm__ __attribute __attribute__ __based \
        __block __cdecl __clrcall __const __declspec __extension__ __fastcall __forceinline __inline __inline__ \
        __except __finally __leave __restrict __restrict__ __stdcall __strong __thiscall __thread __try __unaligned \
        __unsafe_unretained __vectorcall __volatile __volatile__ __weak in noreturn";
    [c::RESERVED, cpp::RESERVED, OF_COMPILERS]
        .iter()
        .any(|words| words.split(' ').any(|keyword| keyword.as_bytes() == word))
}

/// `(1, 2)`: no function takes that where it is declared.
fn is_given_numbers(arguments: &[u8]) -> bool {
    let mut inner = arguments.iter().filter(|byte| !byte.is_ascii_whitespace());
    inner.clone().any(u8::is_ascii_digit)
        && inner.all(|byte| byte.is_ascii_digit() || matches!(byte, b'(' | b',' | b')'))
}

/// Written like a macro.
pub(crate) fn is_loud(word: &[u8]) -> bool {
    word.len() >= 3
        && word
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
        && word.iter().any(u8::is_ascii_uppercase)
}

/// By one of its parts a macro that qualifies a declaration: `LIBRARY_EXPORT`, `FMT_CONSTEXPR`.
fn is_qualifier(word: &[u8]) -> bool {
    if matches!(
        word,
        b"JNIEXPORT" | b"NODISCARD" | b"FORCEINLINE" | b"DLLEXPORT" | b"EXPORT"
    ) {
        return true;
    }
    let mut parts = word.split(|byte| *byte == b'_');
    word.contains(&b'_')
        && parts.any(|part| {
            matches!(
                part,
                b"API"
                    | b"EXPORT"
                    | b"EXPORTS"
                    | b"IMPORT"
                    | b"EXTERN"
                    | b"INLINE"
                    | b"FORCEINLINE"
                    | b"NOINLINE"
                    | b"CONSTEXPR"
                    | b"CONSTEXPR20"
                    | b"CONSTEVAL"
                    | b"EXPLICIT"
                    | b"NODISCARD"
                    | b"DEPRECATED"
                    | b"NORETURN"
                    | b"DLL"
                    | b"VISIBLE"
                    | b"VISIBILITY"
                    | b"UNUSED"
                    | b"COLD"
                    | b"FUNC"
                    | b"PUBLIC"
            )
        })
}

/// Says how a function is called, between its type and its name.
fn is_convention(word: &[u8]) -> bool {
    matches!(
        word,
        b"WINAPI" | b"JNICALL" | b"STDMETHODCALLTYPE" | b"CALLBACK" | b"APIENTRY" | b"STDAPICALLTYPE" | b"APIPRIVATE"
    )
}

/// Says by one of its parts how a function is called: `my_cdecl`.
fn is_calling(word: &[u8]) -> bool {
    is_convention(word)
        || word.split(|byte| *byte == b'_').any(|part| {
            let part = part.to_ascii_lowercase();
            matches!(
                &part[..],
                b"cdecl" | b"stdcall" | b"fastcall" | b"thiscall" | b"vectorcall" | b"pascal"
            )
        })
}

/// Says that a function is put where it is called.
fn is_inline(name: &[u8]) -> bool {
    name.ends_with(b"_INLINE") || name == b"INLINE"
}

/// Stands behind a declaration.
fn is_trailing(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| *byte == b'_');
    word.contains(&b'_')
        && parts.any(|part| {
            matches!(
                part,
                b"NOEXCEPT"
                    | b"OVERRIDE"
                    | b"FINAL"
                    | b"DEPRECATED"
                    | b"AVAILABLE"
                    | b"UNAVAILABLE"
                    | b"DESIGNATED"
                    | b"SWIFT"
                    | b"REQUIRES"
                    | b"REQUIRED"
                    | b"EXCLUDED"
                    | b"RETAINED"
                    | b"APPEARANCE"
                    | b"NONNULL"
                    | b"NULLABLE"
                    | b"NOESCAPE"
            )
        })
}

/// Declares an enum, or a set of flags, with its type and name as arguments.
fn is_enum(word: &[u8]) -> bool {
    matches!(
        word,
        b"NS_ENUM"
            | b"NS_OPTIONS"
            | b"NS_CLOSED_ENUM"
            | b"NS_ERROR_ENUM"
            | b"CF_ENUM"
            | b"CF_OPTIONS"
            | b"CF_CLOSED_ENUM"
    )
}

/// Says of itself that it is a loop.
fn is_loop(word: &[u8]) -> bool {
    if word.len() < b"foreach".len() {
        return false;
    }
    let letters = word.iter().filter(|byte| **byte != b'_').map(u8::to_ascii_lowercase);
    let letters: Vec<u8> = letters.collect();
    memchr::memmem::find(&letters, b"foreach").is_some()
}

/// Defines a test: `TEST_F(Suite, Name) {`.
fn is_test(word: &[u8]) -> bool {
    is_loud(word) && memchr::memmem::find(word, b"TEST").is_some()
}

/// Makes declarations of its own and needs nothing behind.
fn is_statement(word: &[u8]) -> bool {
    word.starts_with(b"Q_")
        || word.starts_with(b"GENERATED_")
        || matches!(
            word,
            b"UCLASS" | b"USTRUCT" | b"UENUM" | b"UINTERFACE" | b"UPROPERTY" | b"UFUNCTION" | b"UPARAM"
        )
}

/// Begins something that declares nothing.
fn is_statement_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"return"
            | b"if"
            | b"else"
            | b"for"
            | b"while"
            | b"do"
            | b"switch"
            | b"case"
            | b"goto"
            | b"new"
            | b"delete"
            | b"throw"
            | b"sizeof"
            | b"operator"
    )
}

fn is_specifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"static" | b"inline" | b"virtual" | b"explicit" | b"extern" | b"friend" | b"constexpr" | b"template"
    )
}

#[cfg(test)]
mod tests {
    use super::{masked, masked_with_ranges};

    #[test]
    fn macros_in_declarations_are_blanked() {
        for (text, expected) in [
            ("class API_X Foo : Bar {", "class       Foo : Bar {"),
            ("struct ALIGN(16) Foo final {", "struct           Foo final {"),
            ("struct FILE_INFO info;", ""),
            ("enum { FOO_A\n};", ""),
            (
                "class A {\n  Q_OBJECT\n public slots:\n signals:\n  int a;",
                "class A {\n          \n public      :\n public :\n  int a;",
            ),
            ("LIB_API int *f(int);", "        int *f(int);"),
            (
                "class A {\n  int a;\n  ATTACH(A)\n};",
                "class A {\n  int a;\n           \n};",
            ),
            ("int a[] = {\n  FOO(1)\n};", ""),
            ("class A {\n  ATTACH(A)\npublic:\n", "class A {\n           \npublic:\n"),
            ("enum Kind OF_BYTES { A };", "enum Kind          { A };"),
            ("class A FINAL_CLASS : B {", "class A             : B {"),
            ("struct Foo BAR = {};", ""),
            ("__quiet__(\"x\") bool f();", "               bool f();"),
            ("__attribute__((a)) bool f();", ""),
            (
                "{ bool a __attribute__((unused)) = b(); C d __attribute__((e(f))) = 0; }",
                "{ bool a                         = b(); C d __attribute__((e(f))) = 0; }",
            ),
            ("SOME_API api;", ""),
            (
                "FMT_BEGIN_NAMESPACE\nnamespace a {",
                "                   \nnamespace a {",
            ),
            ("PROCESS_INFO\nget(void)", ""),
            (
                "typedef NS_ENUM(NSInteger, Mode) { A };",
                "        enum               Mode  { A };",
            ),
            ("void f() const FMT_NOEXCEPT {", "void f() const              {"),
            ("if (a) RETURN_X(b);", ""),
            ("#define LIB_API class LIB_API X {\n", ""),
            ("R\"(LIB_API int f();)\"; \"LIB_API int f(\" // LIB_API int f();", ""),
            ("A_B_END\n/* x */\nclass C {", "       \n/* x */\nclass C {"),
            ("LIB_API_(a::B) f(int);", "         a::B  f(int);"),
            ("{\n A_METHOD(X, 1)\n void x();", "{\n               \n void x();"),
            ("{\n A_CHECK(x)\n return y;", ""),
            ("LONG WINAPI run(int);", "LONG        run(int);"),
            ("void printf_like(1, 2) run(int);", "void                   run(int);"),
            ("int run(1, 2);", ""),
            (
                "{\n\tfor_each_cpu(cpu)\n\t\tuse(cpu);",
                "{\n\tfor_each_cpu(cpu)\n\t;use(cpu);",
            ),
            ("{\n  LIST_FOREACH(a, &b, c) {", "{\n  LIST_FOREACH(a, &b, c);{"),
            (
                "{\n  if (a)\n    for_each_a(b)\n      for_each_c(d)\n        *e = 1;",
                "{\n  if (a)\n    for_each_a(b)\n     ;for_each_c(d)\n       ;*e = 1;",
            ),
            ("{\n  idr_for_each(a, b);\n  c();", ""),
            ("int\nfor_each_a(b)\n int b;\n{", ""),
            ("{\n  foreach (Shape *a, b) {", ""),
            ("{\n  LIST_HEAD(, item) a;", "{\n  LIST_HEAD(  item) a;"),
            ("static A_LIST(b, c) d = 1;", "static A_LIST(   c) d = 1;"),
            ("{\n  A_CHECK(b, c);\n  d();", ""),
            ("char * lib_call\nname(int);", "char * \t\t\t\t\t\t\t\t\nname(int);"),
            ("int ZEXPORT name(int);", "int         name(int);"),
            ("size_t lib_cdecl name(int);", "size_t \t\t\t\t\t\t\t\t\t name(int);"),
            (
                "static in_line node *name(int);",
                "static \t\t\t\t\t\t\t node *name(int);",
            ),
            (
                "in_line const char *name(int);",
                "\t\t\t\t\t\t\t const char *name(int);",
            ),
            ("Node const *name(int); const Node name(1); a = b * c(d);", ""),
            (
                "int size GUARDED_BY(lock); Node *node GUARDED_BY(lock) = 0; Lock lock AFTER(other);",
                "int size =          lock ; Node *node                  = 0; Lock lock =     other ;",
            ),
            (
                "static Node *node GUARDED_BY(lock)\n  BEFORE(one, two);",
                "static Node *node =          lock \n                  ;",
            ),
            ("struct Node { int size GUARDED_BY(lock); };", ""),
            ("typedef int size A_TYPE(16);", "typedef int size           ;"),
            (
                "static Node NODE(lock); unsigned int NODE(lock); struct node NODE(a); Node *NODE(a);",
                "",
            ),
            (
                "A_INIT static std::atomic<bool> flag{false}; A_INIT a::B *b = 0;",
                "       static std::atomic<bool> flag{false};        a::B *b = 0;",
            ),
            ("A_TYPE flag{false}; A_TYPE const *b = 0; A_CALL(b) c;", ""),
            (
                "struct node *name(int); x = a && not name(1); T *operator new(int);",
                "",
            ),
            (
                "struct a {\n  int b;\n  A_BEGIN(2)\n  A_END\n};",
                "struct a {\n  int b;\n            \n       \n};",
            ),
        ] {
            assert_eq!(masked(text).as_deref().unwrap_or_default(), expected, "{text}");
        }
    }

    #[test]
    fn macros_with_a_block_are_what_they_read_like() {
        for (text, expected) in [
            (
                "void f() { IF_SOME(a, b) { } else { } }",
                "void f() { if\t\t\t\t\t(a, b) { } else { } }",
            ),
            (
                "void f() { if (a) { } else when(b) { } }",
                "void f() { if (a) { } else if\t\t(b) { } }",
            ),
            ("void f() { CASE(a, int) { } }", "void f() { if\t\t(a, 0  ) { } }"),
            (
                "void f() { EACH(int i, list) { } }",
                "void f() { for\t(int i: list) { } }",
            ),
            ("void f() { forever { } }", "void f() { \t\t\t\t\t\t\t { } }"),
            (
                "void f() { auto a = [](int b) { when(b) { } }; }",
                "void f() { auto a = [](int b) { if\t\t(b) { } }; }",
            ),
            (
                "struct A { A(B) { } void f() const { when(b) { } } };",
                "struct A { A(B) { } void f() const { if\t\t(b) { } } };",
            ),
            ("void f() { struct A { A(B) { } }; }", ""),
            ("namespace a { TEST(b, c) { } main(a) { } }", ""),
            ("A a{1}; B::B() : c{1}, d{e} { } A::A(b) { }", ""),
            (
                "struct A { static INLINED(void f(int a)) { } };",
                "struct A { static         void f(int a)  { } };",
            ),
        ] {
            assert_eq!(
                masked_with_ranges(text).as_deref().unwrap_or_default(),
                expected,
                "{text}"
            );
        }
    }
}
