//! The members that the body of a macro declares, for types that are put together of such macros:
//! `#define HANDLE_FIELDS void *data; int flags;`.

use std::ops::Range;

use super::{
    MadeMember,
    macro_body::{end_of_line, is_word},
};

/// Words that begin or are in what is no member.
const OTHERS: &[&str] = &[
    "asm",
    "break",
    "case",
    "continue",
    "default",
    "delete",
    "do",
    "else",
    "extern",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "namespace",
    "new",
    "operator",
    "return",
    "static",
    "switch",
    "template",
    "throw",
    "typedef",
    "using",
    "virtual",
    "while",
];

/// The members of a body that is nothing but a list of them; none where anything else is in it.
pub(super) fn members(text: &str) -> Vec<MadeMember> {
    let mut found = Vec::new();
    // Most bodies are values.
    if !text.contains(';') {
        return found;
    }
    let mut declaration = Declaration::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b'\\' => at += 1,
            b'/' if next == Some(&b'/') => at = end_of_line(bytes, at),
            b'/' if next == Some(&b'*') => at = text[at..].find("*/").map_or(bytes.len(), |end| at + end + 2),
            b';' => {
                at += 1;
                match declaration.member(text, at) {
                    Some(member) => found.extend(member),
                    None => return Vec::new(),
                }
                declaration = Declaration::default();
            }
            b'(' | b'[' | b'{' => {
                let Some(end) = end_of_group(bytes, at) else {
                    return Vec::new();
                };
                declaration.parts.push((Part::Group(byte), at..end));
                at = end;
            }
            b'*' => {
                declaration.parts.push((Part::Pointer, at..at + 1));
                at += 1;
            }
            b':' if next != Some(&b':') => {
                declaration.parts.push((Part::Width, at..at + 1));
                at += 1;
            }
            byte if is_word(byte) => {
                let rest = &bytes[at..];
                let end = at + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
                if OTHERS.binary_search(&&text[at..end]).is_ok() {
                    return Vec::new();
                }
                declaration.parts.push((Part::Word, at..end));
                at = end;
            }
            _ => return Vec::new(),
        }
    }
    // Whoever uses it may write the last `;`, or it ends with another such macro.
    match declaration.member(text, bytes.len()) {
        Some(member) => found.extend(member),
        None if declaration.parts.is_empty() => {}
        None => return Vec::new(),
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Word,
    Pointer,
    /// By its opening bracket.
    Group(u8),
    /// `: 3`
    Width,
}

/// What has been read since the last `;`.
#[derive(Default)]
struct Declaration {
    parts: Vec<(Part, Range<usize>)>,
}

impl Declaration {
    /// The member that it declares, which may be none if it is but a macro; `None` if it is no declaration.
    fn member(&self, text: &str, end: usize) -> Option<Option<MadeMember>> {
        let is_loud = |part: &Range<usize>| {
            let word = &text[part.clone()];
            word.len() > 1 && !word.contains(char::is_lowercase)
        };
        let mut parts = &self.parts[..];
        // Macros before it: `OTHER_FIELDS`, `BASE(Type)`.
        while let [(Part::Word, word), rest @ ..] = parts
            && is_loud(word)
        {
            let behind = match rest {
                [(Part::Group(b'('), _), behind @ ..] => behind,
                [] | [(Part::Word, _), (Part::Word | Part::Pointer, _), ..] => rest,
                _ => break,
            };
            if behind.is_empty() {
                return Some(None);
            }
            parts = behind;
        }
        let first = parts.first()?;
        if first.0 != Part::Word {
            return None;
        }
        let until = parts.iter().position(|(part, _)| *part == Part::Width);
        let parts = &parts[..until.unwrap_or(parts.len())];
        // Behind the name are only the sizes of arrays.
        let sizes = parts.iter().rev().take_while(|(part, _)| *part == Part::Group(b'['));
        let parts = &parts[..parts.len() - sizes.count()];
        let mut type_end = None;
        let name = match parts {
            // `void (*close)(struct handle *)`
            [before @ .., (Part::Group(b'('), inner), (Part::Group(b'('), _)] if !before.is_empty() => {
                let inside = text[inner.start + 1..inner.end - 1].trim();
                let name = inside.strip_prefix('*')?.trim();
                type_end = Some(inner.start);
                let start = name.as_ptr() as usize - text.as_ptr() as usize;
                name.bytes().all(is_word).then_some(start..start + name.len())?
            }
            [_, .., (Part::Word, name)] => name.clone(),
            _ => return None,
        };
        let ty = first.1.start..type_end.unwrap_or(name.start);
        let is_plain = parts.iter().all(|(part, span)| match part {
            Part::Group(b'(') => span.end > name.start,
            Part::Group(b'[') => false,
            _ => true,
        });
        (is_plain && !text[name.clone()].starts_with(|c: char| c.is_ascii_digit())).then_some(Some(MadeMember {
            ty,
            name,
            end,
        }))
    }
}

fn end_of_group(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_in_order() {
        assert!(OTHERS.is_sorted());
    }

    #[test]
    fn members_in_macros() {
        for (body, expected) in [
            ("void *data; \\\n  int flags;", "void *: data, int: flags"),
            ("T *next; unsigned refs : 3", "T *: next, unsigned: refs"),
            (
                "struct handle *up; char name[16][2];",
                "struct handle *: up, char: name",
            ),
            ("void (*close)(struct handle *h); int n;", "void: close, int: n"),
            (
                "union { int fd; void *rest[4]; } u; OTHERS",
                "union { int fd; void *rest[4]; }: u",
            ),
            ("BASE(x) int a; OTHER_FIELDS int b;", "int: a, int: b"),
            ("/* both */ int a; // last", "int: a"),
            ("int a; a = 1;", ""),
            ("f(a); g(b);", ""),
            ("return a;", ""),
            ("int a", ""),
            ("do { int a; } while (0)", ""),
            ("static int a; int b;", ""),
            ("a##b c; int d;", ""),
            ("a->b; int c;", ""),
            ("int a, b;", ""),
        ] {
            let found = members(body).into_iter();
            let found = found.map(|one| format!("{}: {}", body[one.ty].trim(), &body[one.name]));
            assert_eq!(found.collect::<Vec<_>>().join(", "), expected, "{body}");
        }
    }
}
