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

/// The text with one branch of each condition whose branches are no whole pieces of code: both of them open a block, which is
/// closed once. `None` if there is no such condition.
pub(super) fn with_whole_branches(text: &str) -> Option<String> {
    if !text.contains("#el") && !text.contains("# el") {
        return None;
    }
    let mut scan = Branches {
        bytes: text.as_bytes(),
        depth: Depth::default(),
        open: Vec::new(),
        blanked: Vec::new(),
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
    /// The lines that begin and end its branches.
    directives: Vec<Range<usize>>,
    /// What is open behind each of them.
    behind: Vec<Depth>,
}

struct Branches<'t> {
    bytes: &'t [u8],
    depth: Depth,
    open: Vec<Condition>,
    blanked: Vec<Range<usize>>,
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
                (b'"' | b'\'', _) => self.end_of_quoted(at),
                _ => {
                    match byte {
                        b'{' => self.depth.braces += 1,
                        b'}' => self.depth.braces -= 1,
                        b'(' => self.depth.parentheses += 1,
                        b')' => self.depth.parentheses -= 1,
                        _ => {}
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
            self.open.push(Condition {
                before: self.depth,
                directives: vec![line],
                behind: Vec::new(),
            });
            return;
        }
        let is_end = word.starts_with(b"endif");
        let Some(condition) = self.open.last_mut().filter(|_| is_end || word.starts_with(b"el")) else {
            return;
        };
        condition.directives.push(line);
        condition.behind.push(self.depth);
        if !is_end {
            self.depth = condition.before;
            return;
        }
        let Some(condition) = self.open.pop() else { return };
        self.depth = condition.behind[0];
        let is_whole = condition.behind.iter().all(|behind| *behind == condition.before);
        if let [first, second, .., last] = condition.directives.as_slice()
            && !is_whole
        {
            self.blanked.push(first.clone());
            self.blanked.push(second.start..last.end);
        }
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
        ] {
            assert_eq!(with_whole_branches(whole), None, "{whole}");
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
