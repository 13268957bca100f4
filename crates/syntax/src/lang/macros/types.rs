//! Macros that make types, and types that macros are given.

use super::{
    MACROS, Scan,
    words::{is_loud, is_plain_type, is_specifier, is_statement_word, is_word},
};

impl Scan<'_> {
    /// The end of a type follows, with nothing but macros on lines of their own before it.
    pub(super) fn ends_type(&self, mut from: usize) -> bool {
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

    /// Leaves only the last argument of a macro that is the type of what is declared, since the grammar takes one:
    /// `TAILQ_HEAD(, item) items;`, `TAILQ_HEAD(list, item) items;`. That of C++ takes none, but knows templates.
    pub(super) fn is_type_of_many(&mut self, at: usize) -> bool {
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
    pub(super) fn hide_types(&mut self, at: usize, behind: u8) {
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
    pub(super) fn is_first_pair(&self, at: usize) -> bool {
        let word = &self.bytes[at..self.end_of_word(at)];
        matches!(
            word,
            b"operator" | b"explicit" | b"virtual" | b"static" | b"inline" | b"constexpr"
        )
    }

    /// A type and a name follow, or a keyword and a name.
    pub(super) fn declares(&self, at: usize) -> bool {
        let end = self.end_of_word(at);
        let (_, behind) = self.next(end);
        end > at
            && !is_statement_word(&self.bytes[at..end])
            && (is_word(behind) || matches!(behind, b'<' | b':' | b'*' | b'&'))
    }

    /// A name and the beginning of its body follow, as in `class MACRO Name : Base {`.
    pub(super) fn names_type(&self, at: usize, macros: usize) -> bool {
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
    pub(super) fn is_type_named(&self) -> bool {
        let before = self.bytes[..self.last.start].trim_ascii_end();
        let start = before.iter().rposition(|byte| !is_word(*byte)).map_or(0, |at| at + 1);
        !self.last.is_empty() && matches!(&before[start..], b"class" | b"struct" | b"union" | b"enum")
    }

    /// `typedef NS_ENUM(type, Name) {` becomes `enum Name {`.
    pub(super) fn enumeration(&mut self, start: usize, end: usize) -> bool {
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
    pub(super) fn is_type_opened(&self, at: usize) -> bool {
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
}
