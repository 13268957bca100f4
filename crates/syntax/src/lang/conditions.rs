//! Branches of `#if` that the grammars take for code that follows each other.

use std::ops::Range;

/// The text without the lines of `#if` and its like, for languages where each branch is whole. With `only_plain`, those
/// that have an `#else` stay: one of their branches may go on where the other ended.
pub(super) fn without_conditions(text: &str, only_plain: bool) -> Option<String> {
    if !text.contains("#if") {
        return None;
    }
    let mut blanked: Vec<Range<usize>> = Vec::new();
    let mut open: Vec<(Range<usize>, bool)> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.trim_end().len();
        start += line.len();
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            continue;
        };
        let directive = directive.trim_start();
        if directive.starts_with("if") {
            open.push((range, false));
        } else if directive.starts_with("el") {
            if let Some((_, has_else)) = open.last_mut() {
                *has_else = true;
            }
            blanked.extend((!only_plain).then_some(range));
        } else if directive.starts_with("endif")
            && let Some((condition, has_else)) = open.pop()
            && !(only_plain && has_else)
        {
            blanked.extend([condition, range]);
        }
    }
    let mut masked = text.as_bytes().to_vec();
    for range in &blanked {
        masked[range.clone()].fill(b' ');
    }
    // Whole lines were overwritten, so that no character is cut.
    (!blanked.is_empty()).then(|| String::from_utf8(masked).ok()).flatten()
}

/// The text with one branch of each condition whose branches are no whole pieces of code: they open a block that is closed
/// elsewhere, or are a part of a statement. `None` if there is no such condition.
pub(super) fn with_whole_branches(text: &str) -> Option<String> {
    if !text.contains("#if") && !text.contains("# if") {
        return None;
    }
    let mut scan = Branches {
        bytes: text.as_bytes(),
        depth: Depth::default(),
        last: 0,
        open: Vec::new(),
        unclosed: Vec::new(),
        blanked: Vec::new(),
        declared: Vec::new(),
    };
    scan.run();
    if scan.blanked.is_empty() {
        return None;
    }
    let mut masked = text.as_bytes().to_vec();
    for range in scan.blanked {
        for byte in &mut masked[range] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    scan.declared.into_iter().for_each(|at| masked[at] = b';');
    // Whole lines were overwritten, so that no character is cut.
    String::from_utf8(masked).ok()
}

/// How many braces and parentheses are open.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Depth {
    braces: i32,
    parentheses: i32,
}

struct Condition {
    before: Depth,
    /// The last byte of code before it.
    last_before: u8,
    /// It goes on with what an `if` before it does otherwise.
    is_else: bool,
    /// The lines that begin and end its branches.
    directives: Vec<Range<usize>>,
    /// What is open behind each of them, and the last byte of code there.
    behind: Vec<(Depth, u8)>,
}

/// A condition without another branch that opens a block.
struct Unclosed {
    before: Depth,
    directives: [Range<usize>; 2],
}

struct Branches<'t> {
    bytes: &'t [u8],
    depth: Depth,
    /// The last byte of code; 0 where there is none yet.
    last: u8,
    open: Vec<Condition>,
    unclosed: Vec<Unclosed>,
    blanked: Vec<Range<usize>>,
    /// Where a declaration ends in place of a directive.
    declared: Vec<usize>,
}

/// Whether a statement or declaration can begin behind a byte.
fn ends_statement(byte: u8) -> bool {
    matches!(byte, 0 | b';' | b'{' | b'}' | b':')
}

/// Whether an expression goes on behind a byte.
fn is_operator(byte: u8) -> bool {
    !ends_statement(byte) && byte.is_ascii_punctuation() && !matches!(byte, b')' | b']' | b'_' | b'"' | b'\'')
}

impl Condition {
    /// Whether what it holds is part of a statement around it. Outside of braces a macro may stand for a declaration, and
    /// nothing but parentheses tells.
    fn is_inside_statement(&self, next: u8) -> bool {
        let ends_inside = || self.behind.iter().all(|(_, last)| !ends_statement(*last));
        let has_other = self.directives.len() > 2;
        match self.before {
            Depth { parentheses: 1.., .. } => true,
            Depth { braces: ..=0, .. } => has_other && next == b'{' && ends_inside(),
            // Values in a list may differ from branch to branch.
            _ if has_other && self.behind.iter().any(|(_, last)| *last == b',') => false,
            // Behind a macro that has no semicolon there may be whole statements.
            _ if has_other => self.is_else || ends_inside() || is_operator(self.last_before),
            _ => self.is_else || !ends_statement(self.last_before) || ends_inside(),
        }
    }

    /// By how many braces a branch without another one changes what is open, if it changes nothing else.
    fn opened(&self) -> Option<i32> {
        let [(behind, _)] = self.behind.as_slice() else {
            return None;
        };
        let is_block = behind.parentheses == self.before.parentheses && self.before.braces > 0;
        is_block.then_some(behind.braces - self.before.braces)
    }
}

impl Branches<'_> {
    fn run(&mut self) {
        let (mut at, mut is_first) = (0, true);
        while let Some(&byte) = self.bytes.get(at) {
            at = match (byte, self.bytes.get(at + 1)) {
                (b'#', _) if is_first => {
                    let end = self.end_of_directive(at);
                    self.directive(at..end);
                    end
                }
                (b'/', Some(b'/')) => self.find(at, b"\n"),
                (b'/', Some(b'*')) => (self.find(at + 2, b"*/") + 2).min(self.bytes.len()),
                (b'"' | b'\'', _) => {
                    self.last = byte;
                    self.end_of_quoted(at)
                }
                _ => {
                    match byte {
                        b'{' => self.depth.braces += 1,
                        b'}' => self.depth.braces -= 1,
                        b'(' => self.depth.parentheses += 1,
                        b')' => self.depth.parentheses -= 1,
                        _ => {}
                    }
                    if !byte.is_ascii_whitespace() {
                        self.last = byte;
                    }
                    at + 1
                }
            };
            is_first = byte == b'\n' || (is_first && byte.is_ascii_whitespace());
        }
    }

    fn directive(&mut self, line: Range<usize>) {
        let word = self.bytes[line.start + 1..line.end].trim_ascii_start();
        if word.starts_with(b"if") {
            let code = &self.bytes[self.next(line.end)..];
            self.open.push(Condition {
                before: self.depth,
                last_before: self.last,
                is_else: code.strip_prefix(b"else").is_some_and(|rest| !rest.starts_with(b"_")),
                directives: vec![line],
                behind: Vec::new(),
            });
            return;
        }
        let is_end = word.starts_with(b"endif");
        let Some(condition) = self.open.last_mut().filter(|_| is_end || word.starts_with(b"el")) else {
            return;
        };
        let end = line.end;
        condition.directives.push(line);
        condition.behind.push((self.depth, self.last));
        if !is_end {
            (self.depth, self.last) = (condition.before, condition.last_before);
            return;
        }
        let Some(condition) = self.open.pop() else { return };
        (self.depth, self.last) = condition.behind[0];
        let next = self.bytes.get(self.next(end)).copied();
        self.close(&condition, next.unwrap_or(0));
    }

    /// Leaves one branch of a condition that is over, if it must be.
    fn close(&mut self, condition: &Condition, next: u8) {
        let [first, second, .., last] = condition.directives.as_slice() else {
            // A condition without another branch: either its lines are in the way, or they are not.
            return self.close_plain(condition, next);
        };
        let is_whole = condition.behind.iter().all(|(behind, _)| *behind == condition.before);
        let is_inside = condition.is_inside_statement(next);
        if is_whole && is_inside && condition.before == Depth::default() {
            // Several heads of one function: all but the last only declare it.
            let heads = &condition.directives[1..condition.directives.len() - 1];
            self.declared.extend(heads.iter().map(|directive| directive.start));
            self.blanked.extend(condition.directives.iter().cloned());
        } else if !is_whole || is_inside {
            self.blanked.push(first.clone());
            self.blanked.push(second.start..last.end);
        }
    }

    fn close_plain(&mut self, condition: &Condition, next: u8) {
        let [first, last] = condition.directives.as_slice() else {
            return;
        };
        match condition.opened() {
            Some(0) if condition.is_inside_statement(next) => match self.is_never(first) {
                true => self.blanked.push(first.start..last.end),
                false => self.blanked.extend([first.clone(), last.clone()]),
            },
            Some(1) => self.unclosed.push(Unclosed {
                before: condition.before,
                directives: [first.clone(), last.clone()],
            }),
            Some(-1) => {
                let is_other = |unclosed: &&Unclosed| {
                    self.condition(&unclosed.directives[0]) == self.condition(first)
                        && unclosed.before.braces + 1 == condition.before.braces
                };
                if let Some(unclosed) = self.unclosed.last().filter(is_other) {
                    self.blanked.extend(unclosed.directives.clone());
                    self.blanked.extend([first.clone(), last.clone()]);
                    self.unclosed.pop();
                }
            }
            None if condition.is_inside_statement(next) && condition.behind[0].0 == condition.before => {
                self.blanked.extend([first.clone(), last.clone()]);
            }
            _ => {}
        }
    }

    /// What is tested, without comments.
    fn condition(&self, directive: &Range<usize>) -> &[u8] {
        let line = &self.bytes[directive.clone()];
        let comments = [memchr::memmem::find(line, b"/*"), memchr::memmem::find(line, b"//")];
        let end = comments.into_iter().flatten().min().unwrap_or(line.len());
        line[1..end.max(1)].trim_ascii()
    }

    fn is_never(&self, directive: &Range<usize>) -> bool {
        self.condition(directive) == b"if 0"
    }

    /// Where the next code behind a place begins.
    fn next(&self, mut at: usize) -> usize {
        while let Some(&byte) = self.bytes.get(at) {
            at = match (byte, self.bytes.get(at + 1)) {
                (b'/', Some(b'/')) => self.find(at, b"\n"),
                (b'/', Some(b'*')) => (self.find(at + 2, b"*/") + 2).min(self.bytes.len()),
                _ if byte.is_ascii_whitespace() => at + 1,
                _ => return at,
            };
        }
        self.bytes.len()
    }

    fn find(&self, from: usize, wanted: &[u8]) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        memchr::memmem::find(rest, wanted).map_or(self.bytes.len(), |at| from + at)
    }

    fn end_of_directive(&self, start: usize) -> usize {
        let mut end = self.find(start, b"\n");
        while self.bytes[..end].trim_ascii_end().ends_with(b"\\") && end < self.bytes.len() {
            end = self.find(end + 1, b"\n");
        }
        // A comment that begins there may end in another line.
        let line = &self.bytes[start..end];
        match memchr::memmem::rfind(line, b"/*") {
            Some(open) if memchr::memmem::find(&line[open..], b"*/").is_none() => {
                let close = self.find(start + open, b"*/");
                self.find(close, b"\n")
            }
            _ => end,
        }
    }

    /// Quotes end with their line, if nothing else does.
    fn end_of_quoted(&self, start: usize) -> usize {
        // The separators of `1'000`.
        if self.bytes[start] == b'\'' && start > 0 && self.bytes[start - 1].is_ascii_alphanumeric() {
            return start + 1;
        }
        let mut at = start + 1;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\n' => return at,
                _ if byte == self.bytes[start] => return at + 1,
                _ => {}
            }
            at += 1;
        }
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_branch_is_kept_where_both_open_what_is_closed_once() {
        let text = "f() {\n#ifdef A\n if (a) {\n#else\n if (b) {\n#endif\n c();\n }\n}\n";
        assert_eq!(
            with_whole_branches(text).as_deref(),
            Some("f() {\n        \n if (a) {\n     \n         \n      \n c();\n }\n}\n")
        );
        for whole in [
            "#if A\nf() {}\n#else\nf() { '{'; \"{\"; /* { */ } // {\n#endif\n",
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
            "#else\n{\n#endif\n",
            "#if A\n{\n#else\n",
            "#if A\nf();\n#else /* (a ||\n b)) { */\ng();\n#endif /* (\n */\n",
            "f() {\n#if A\n a();\n#endif\n}\n",
            "f() {\n TRACE()\n#if A\n a();\n#else\n b();\n#endif\n}\n",
            "#if A\nMACRO(a)\n#endif\nf() {}\n",
            "x = {\n#if A\n a,\n#else\n b,\n#endif\n};\n",
            "f() {\n#if A\n if (a) {\n#endif\n#if B\n }\n#endif\n}\n",
        ] {
            assert_eq!(with_whole_branches(whole), None, "{whole}");
        }
    }

    #[test]
    fn conditions_inside_of_statements_are_not_seen() {
        for (text, expected) in [
            ("f(a\n#if X\n , b\n#endif\n) {}\n", "f(a\n     \n , b\n      \n) {}\n"),
            (
                "f() {\n#if X\n if (a)\n  b();\n else\n#endif\n c();\n}\n",
                "f() {\n     \n if (a)\n  b();\n else\n      \n c();\n}\n",
            ),
            (
                "f() {\n#if X\n if (a) b(); else {\n#endif // X\n c();\n#if X /* again */\n }\n#endif\n}\n",
                "f() {\n     \n if (a) b(); else {\n           \n c();\n                 \n }\n      \n}\n",
            ),
            (
                "f() {\n if (a) b();\n#if X\n else if (c) d();\n#endif\n else e();\n}\n",
                "f() {\n if (a) b();\n     \n else if (c) d();\n      \n else e();\n}\n",
            ),
            (
                "f() {\n a = b +\n#if 0\n old +\n#endif\n c;\n}\n",
                "f() {\n a = b +\n     \n      \n      \n c;\n}\n",
            ),
            (
                "#if X\nint f(int a)\n#else\nint f(void)\n#endif\n{\n}\n",
                "     \nint f(int a)\n;    \nint f(void)\n      \n{\n}\n",
            ),
        ] {
            assert_eq!(with_whole_branches(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn conditions_are_blanked_where_their_branches_are_whole() {
        let text = "a\n#if X\nb\n#endif\n #if Y\nc\n#else\nd\n#endif\n";
        assert_eq!(
            without_conditions(text, true).as_deref(),
            Some("a\n     \nb\n      \n #if Y\nc\n#else\nd\n#endif\n")
        );
        assert_eq!(
            without_conditions(text, false).as_deref(),
            Some("a\n     \nb\n      \n      \nc\n     \nd\n      \n")
        );
        assert_eq!(without_conditions("#if X\n", false), None);
    }
}
