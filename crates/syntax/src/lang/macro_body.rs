//! The names in the body of a macro, which the grammars of C leave as text.

use std::ops::Range;

use super::{Before, WordSink};
use crate::facts::{RefIdx, Role};

/// Words that name nothing.
const KEYWORDS: &[&str] = &[
    "_Bool",
    "__VA_ARGS__",
    "__VA_OPT__",
    "alignof",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "const_cast",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "defined",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "restrict",
    "return",
    "self",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "super",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
];

/// One pair of brackets, or all that is outside of any.
#[derive(Default)]
struct Level {
    /// The reference that ended last, if what comes next can be asked of its value.
    value: Option<RefIdx>,
    /// What stands before a value makes it one of this type.
    cast: Option<RefIdx>,
    /// It is more than one value.
    is_mixed: bool,
    /// The last thing was a value; brackets behind it are arguments.
    is_behind: bool,
    /// The last thing was in parentheses; a value behind it is cast.
    is_group: bool,
}

impl Level {
    fn whole(&self) -> Option<RefIdx> {
        self.cast.or(self.value).filter(|_| !self.is_mixed)
    }

    fn operator(&mut self) {
        self.is_mixed = true;
        self.end();
    }

    fn end(&mut self) {
        self.value = None;
        self.is_behind = false;
        self.is_group = false;
    }

    fn begin_value(&mut self) {
        if self.is_group {
            self.cast = self.cast.or(self.value);
        } else if self.is_behind {
            // Two values in a row are no expression.
            self.is_mixed = true;
        }
        self.is_behind = true;
        self.is_group = false;
    }

    /// A value that nothing can be asked of.
    fn begin_unnamed(&mut self) {
        self.begin_value();
        self.value = None;
    }
}

/// Finds the names in the body of a macro; the reference whose value all of it is, if it is one.
pub(super) fn words(text: &str, found: &mut WordSink<'_>) -> Option<RefIdx> {
    let mut body = Body {
        text,
        bytes: text.as_bytes(),
        at: 0,
        levels: vec![Level::default()],
        is_member: false,
        is_pasted: false,
        is_tag: false,
        path: None,
    };
    while body.at < body.bytes.len() {
        body.next(found)?;
    }
    body.levels.first().and_then(Level::whole)
}

/// The body of a macro, as far as it has been read.
struct Body<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    levels: Vec<Level>,
    /// The next word is asked of a value: behind a dot or an arrow.
    is_member: bool,
    /// The next word is part of one, or becomes a text.
    is_pasted: bool,
    /// The next word names a structure.
    is_tag: bool,
    /// What the next word is in.
    path: Option<Range<usize>>,
}

impl Body<'_> {
    fn next(&mut self, found: &mut WordSink<'_>) -> Option<()> {
        let (at, bytes) = (self.at, self.bytes);
        let level = self.levels.last_mut()?;
        let next = bytes.get(at + 1);
        match bytes[at] {
            b' ' | b'\t' | b'\r' | b'\n' | b'\\' => self.at += 1,
            b'/' if next == Some(&b'/') => self.at = end_of_line(bytes, at),
            b'/' if next == Some(&b'*') => {
                let end = self.text[at..].find("*/");
                self.at = end.map_or(bytes.len(), |end| at + end + 2);
            }
            b'"' | b'\'' => {
                level.begin_unnamed();
                self.at = end_of_quoted(bytes, at);
            }
            b'#' => {
                self.is_pasted = true;
                self.at += 1;
            }
            byte if byte.is_ascii_digit() => {
                level.begin_unnamed();
                self.at = end_of(bytes, at, |byte| is_word(byte) || byte == b'.');
            }
            byte if is_word(byte) => self.word(found)?,
            byte @ (b'(' | b'[' | b'{') => {
                // What is called or indexed is what the brackets are behind of.
                if !level.is_behind || byte == b'{' {
                    level.begin_unnamed();
                    level.is_behind = false;
                }
                self.levels.push(Level::default());
                self.at += 1;
            }
            byte @ (b')' | b']' | b'}') => {
                let whole = level.whole();
                if self.levels.len() > 1 {
                    self.levels.pop();
                }
                let level = self.levels.last_mut()?;
                if byte == b')' && !level.is_behind {
                    level.value = whole;
                    level.is_group = true;
                }
                level.is_behind = true;
                self.at += 1;
            }
            b'.' => {
                self.is_member = true;
                self.at += 1;
            }
            b'-' if next == Some(&b'>') => {
                self.is_member = true;
                self.at += 2;
            }
            // What is pointed to is as good as the pointer.
            b'*' | b'&' if !level.is_behind || ends_type(bytes, at) => self.at += 1,
            b'*' | b'&' if level.is_group => {
                level.cast = level.cast.or(level.value);
                level.is_group = false;
                level.is_behind = false;
                self.at += 1;
            }
            b':' if next == Some(&b':') => self.at += 2,
            _ => {
                level.operator();
                self.at += 1;
            }
        }
        Some(())
    }

    fn word(&mut self, found: &mut WordSink<'_>) -> Option<()> {
        let (start, bytes) = (self.at, self.bytes);
        let end = end_of(bytes, start, is_word);
        self.at = end;
        let level = self.levels.last_mut()?;
        let word = &self.text[start..end];
        let behind = skip_space(bytes, end);
        let was_pasted = std::mem::take(&mut self.is_pasted);
        let was_member = std::mem::take(&mut self.is_member);
        let was_tag = std::mem::take(&mut self.is_tag);
        if KEYWORDS.binary_search(&word).is_ok() {
            self.is_tag = matches!(word, "struct" | "union" | "enum" | "class");
            if !matches!(word, "struct" | "union" | "const" | "volatile") {
                level.operator();
            }
            return Some(());
        }
        if was_pasted || bytes[behind..].starts_with(b"##") {
            level.begin_unnamed();
            return Some(());
        }
        let is_path = bytes[behind..].starts_with(b"::");
        let role = match bytes.get(behind) {
            _ if is_path || was_tag => Role::Type,
            Some(b'(') => Role::Call,
            _ if was_member => Role::Member,
            Some(b'*') if ends_type(bytes, behind) => Role::Type,
            _ => Role::Variable,
        };
        let before = match self.path.take() {
            Some(path) => Before::Path(path),
            None if was_member => Before::Value(level.value),
            None => Before::Nothing,
        };
        if is_path {
            let first = match &before {
                Before::Path(outer) => outer.start,
                _ => start,
            };
            self.path = Some(first..end);
            self.at = behind + 2;
        }
        let reference = found(start..end, role, before);
        if !is_path {
            if !was_member {
                level.begin_value();
            }
            level.value = reference;
        }
        Some(())
    }
}

/// Nothing but `*` up to the end of a type.
fn ends_type(bytes: &[u8], mut at: usize) -> bool {
    while let Some(b'*' | b'&' | b' ' | b'\t') = bytes.get(at) {
        at += 1;
    }
    matches!(bytes.get(at), Some(b')' | b',' | b'>'))
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    end_of(bytes, at, |byte| matches!(byte, b' ' | b'\t'))
}

pub(super) fn end_of_line(bytes: &[u8], at: usize) -> usize {
    end_of(bytes, at, |byte| byte != b'\n')
}

/// Where a run of such bytes ends.
fn end_of(bytes: &[u8], at: usize, is_part: impl Fn(u8) -> bool) -> usize {
    let rest = &bytes[at..];
    at + rest.iter().position(|byte| !is_part(*byte)).unwrap_or(rest.len())
}

fn end_of_quoted(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            byte if *byte == bytes[start] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let mut found: Vec<String> = Vec::new();
        let whole = words(text, &mut |range, role, before| {
            let before = match before {
                Before::Nothing => String::new(),
                Before::Path(path) => format!("{}::", &text[path]),
                Before::Value(None) => "?.".to_owned(),
                Before::Value(Some(value)) => format!("{}.", value.as_usize()),
            };
            found.push(format!("{} {before}{}", role.as_str(), &text[range]));
            Some(RefIdx::new(found.len() - 1))
        });
        let whole = whole.map_or(String::new(), |whole| format!(" = {}", whole.as_usize()));
        found.join("; ") + &whole
    }

    #[test]
    fn keywords_are_in_order() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn names_in_macros() {
        for (body, expected) in [
            ("12", ""),
            ("\"text\" 'c' 0x1fUL", ""),
            ("f(a, NULL)", "call f; variable_ref a; variable_ref NULL = 0"),
            ("(limit)", "variable_ref limit = 0"),
            (
                "((Node *)(x))->next",
                "type_usage Node; variable_ref x; member_access 0.next = 2",
            ),
            (
                "((struct node *)x)->next",
                "type_usage node; variable_ref x; member_access 0.next = 2",
            ),
            ("(a)->b.c", "variable_ref a; member_access 0.b; member_access 1.c = 2"),
            (
                "g(L)->top[1].val",
                "call g; variable_ref L; member_access 0.top; member_access 2.val = 3",
            ),
            ("a + b.c", "variable_ref a; variable_ref b; member_access 1.c"),
            (
                "ns::Type::make(x)",
                "type_usage ns; type_usage ns::Type; call ns::Type::make; variable_ref x = 2",
            ),
            ("pre_##name(x) #x", "variable_ref x"),
            ("do { f(x); } \\\n while (0) /* no */ // no", "call f; variable_ref x"),
            ("&(o)->h", "variable_ref o; member_access 0.h = 1"),
            ("*(Type *)p", "type_usage Type; variable_ref p = 0"),
            ("= {", ""),
            ("))(", ""),
        ] {
            assert_eq!(read(body), expected, "{body}");
        }
    }
}
