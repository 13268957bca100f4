//! Types as they are written, in any language: the names in them, in order. Of `Map<String, &[Point]>` those are `Map`,
//! `String` and `Point`; the first says what it is, the others what it holds.

/// Words in types that name none.
const WORDS: &[&str] = &[
    "as",
    "async",
    "async_trait",
    "await",
    "class",
    "co",
    "const",
    "constexpr",
    "dyn",
    "enum",
    "extends",
    "extern",
    "final",
    "fn",
    "for",
    "friend",
    "func",
    "impl",
    "in",
    "infer",
    "inline",
    "is",
    "keyof",
    "long",
    "mut",
    "mutable",
    "new",
    "out",
    "override",
    "params",
    "readonly",
    "ref",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "some",
    "static",
    "struct",
    "suspend",
    "template",
    "throws",
    "typename",
    "typeof",
    "union",
    "unique",
    "unsafe",
    "unsigned",
    "var",
    "vararg",
    "virtual",
    "volatile",
    "where",
];

/// The paths in a type, in the order of the text.
pub(super) fn type_paths(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80;
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            while at < bytes.len() && !is_word(bytes[at]) && bytes[at] != b'\'' {
                at += 1;
            }
            if at >= bytes.len() {
                return None;
            }
            // A lifetime; or a type in quotes, as Python writes them.
            let is_lifetime = bytes[at] == b'\'';
            if is_lifetime {
                at += 1;
                let end = bytes[at..]
                    .iter()
                    .position(|byte| !is_word(*byte))
                    .map_or(bytes.len(), |end| at + end);
                if bytes.get(end) != Some(&b'\'') {
                    at = end;
                }
                continue;
            }
            let start = at;
            loop {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                let joint = if bytes[at..].starts_with(b"::") {
                    2
                } else {
                    usize::from(at < bytes.len() && matches!(bytes[at], b'.' | b'\\'))
                };
                match bytes.get(at + joint) {
                    Some(next) if joint > 0 && is_word(*next) => at += joint,
                    _ => break,
                }
            }
            let path = &text[start..at];
            // The name of a parameter in a function's type: `(item: Shape) => void`.
            let is_label = text[at..]
                .trim_start()
                .strip_prefix(':')
                .is_some_and(|rest| !rest.starts_with(':'));
            let is_number = path.starts_with(|c: char| c.is_ascii_digit());
            if !is_label && !is_number && !WORDS.contains(&path) {
                return Some(path);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_types() {
        let cases = [
            ("Option<Circle<f64>>", "Option Circle f64"),
            ("&'a mut dyn shapes::Area", "shapes::Area"),
            ("map[string]*Base", "map string Base"),
            ("const std::vector<T>&", "std::vector T"),
            ("(item: Shape) => Promise<void>", "Shape Promise void"),
            ("\"Shape | None\"", "Shape None"),
            ("'Shape'", "Shape"),
            ("struct node", "node"),
            ("[u8; 32]", "u8"),
            ("\\App\\Model", "App\\Model"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(type_paths(text).collect::<Vec<_>>().join(" "), expected, "{text}");
        }
    }
}
