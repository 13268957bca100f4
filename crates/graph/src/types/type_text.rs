//! Types as they are written, in any language: the names in them, in order. Of `Map<String, &[Point]>` those are `Map`,
//! `String` and `Point`; the first says what it is, the others what it holds.

use std::borrow::Cow;

/// Words in types that name none.
const WORDS: &[&str] = &[
    "__owned",
    "__shared",
    "as",
    "async",
    "async_trait",
    "await",
    "borrowing",
    "class",
    "co",
    "const",
    "constexpr",
    "consuming",
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
    "inout",
    "is",
    "isolated",
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
    "sending",
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

/// Whether a place in a type is inside of brackets.
pub(crate) fn is_nested(text: &str, at: usize) -> bool {
    let mut before = ' ';
    let mut depth = 0;
    for c in text[..at].chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if before != '=' && before != '-' => depth -= 1,
            _ => {}
        }
        before = c;
    }
    depth > 0
}

/// A type without what is written in braces, unless that has the members of another: `{ [K in keyof T]: .. }`.
pub(crate) fn without_braces(text: &str) -> String {
    let mut depth = 0;
    let mut is_kept = false;
    let outside = text.char_indices().filter(|(at, c)| {
        if *c == '{' {
            is_kept |= depth == 0 && is_mapped(&text[at + 1..]);
            depth += 1;
        }
        let is_outside = depth == 0 || is_kept;
        if *c == '}' {
            depth -= 1;
            is_kept &= depth > 0;
        }
        is_outside
    });
    outside.map(|(_, c)| c).collect()
}

/// Whether what is behind a brace goes through the keys of a type.
fn is_mapped(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '+' | '-'));
    let text = text.strip_prefix("readonly").unwrap_or(text).trim_start();
    let key = text.strip_prefix('[').and_then(|key| key.split_once(']'));
    key.is_some_and(|(key, _)| key.contains(" in keyof "))
}

/// The paths in a type, in the order of the text.
pub(crate) fn type_paths(text: &str) -> impl Iterator<Item = &str> {
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
            // `any Sequence`
            let behind = text[at..].trim_start();
            let is_any = path == "any" && behind.len() < text.len() - at && behind.starts_with(char::is_alphabetic);
            let is_any = is_any && !behind.starts_with("extends ");
            if !is_label && !is_number && !is_any && !WORDS.contains(&path) {
                return Some(path);
            }
        }
    })
}

/// Values of which nothing can be asked.
const NOTHING: &[&str] = &["None", "null", "undefined", "never", "nil", "void"];

/// The types that a value of a type may have: of `Optional["Shape | Box"]` those are `Shape` and `Box`, where `Optional`
/// is one of those that stand for what they are given.
pub(crate) fn alternatives(text: &str, is_wrapper: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open = vec![text];
    while let Some(text) = open.pop() {
        let mut text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\''));
        if text.starts_with('(')
            && text.ends_with(')')
            && split_at_top(&text[1..], ')').next() == Some(&text[1..text.len() - 1])
        {
            text = &text[1..text.len() - 1];
        }
        let parts: Vec<&str> = split_at_top(text, '|').collect();
        // What a function gives back may be one or the other; the function is one.
        let is_function = parts[0].contains("=>") && text.rfind("=>").is_some_and(|at| !is_nested(text, at));
        if parts.len() > 1 && !is_function {
            open.extend(parts.into_iter().rev());
            continue;
        }
        if NOTHING.contains(&text) {
            continue;
        }
        let arguments = text.find(['[', '<']).filter(|_| text.ends_with([']', '>']));
        match arguments {
            Some(at) if is_wrapper(&text[..at]) => {
                open.extend(
                    split_at_top(&text[at + 1..text.len() - 1], ',')
                        .collect::<Vec<_>>()
                        .into_iter()
                        .rev(),
                );
            }
            _ => found.push(text),
        }
    }
    found
}

/// What a type is given for its parameters: `A` and `B<C>` in `&Map<A, B<C>>`.
pub(crate) fn type_arguments(text: &str) -> impl Iterator<Item = &str> {
    let is_around = |c: char| c.is_whitespace() || matches!(c, '&' | '*' | '?' | '"' | '\'');
    let text = text.trim_matches(is_around);
    let open = text
        .find(['<', '['])
        .filter(|open| *open > 0 && text.ends_with(['>', ']']));
    let inside = open.map_or("", |open| &text[open + 1..text.len() - 1]);
    // The last bracket closes the first one.
    let is_whole = inside
        .char_indices()
        .all(|(at, c)| !matches!(c, '>' | ']') || is_nested(&inside[..=at], at) || inside[..at].ends_with(['=', '-']));
    let all = split_at_top(inside, ',').map(str::trim);
    let is_lifetime = |one: &&str| one.starts_with('\'') && !one.ends_with('\'');
    all.filter(move |one| is_whole && !one.is_empty() && !is_lifetime(one))
}

/// The last name of a path.
pub(crate) fn last_part(path: &str) -> &str {
    path.rsplit(['.', ':', '\\', ' ']).next().unwrap_or(path).trim()
}

/// The parts of a text between separators that no bracket is around.
pub(crate) fn split_at_top(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    let mut before = ' ';
    text.split(move |c: char| {
        let is_cut = depth <= 0 && c == separator;
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            // Not the end of an arrow.
            '>' if !matches!(before, '-' | '=') => depth -= 1,
            _ => {}
        }
        before = c;
        is_cut
    })
}

/// Whether a type expression is a string literal type: `'close'`.
pub(crate) fn is_string_literal(text: &str) -> bool {
    text.len() > 1 && text.starts_with(['"', '\'']) && text[1..].find(['"', '\'']) == Some(text.len() - 2)
}

/// A type expression with other expressions in place of some of its names: `Events[K]` with `K` as `'close'`.
pub(crate) fn substituted<'t>(text: &'t str, substitutes: &[(&str, Cow<'_, str>)]) -> Cow<'t, str> {
    let mut result = String::new();
    let mut done = 0;
    for path in type_paths(text) {
        let Some((_, with)) = substitutes.iter().find(|(name, _)| *name == path) else {
            continue;
        };
        let start = path.as_ptr() as usize - text.as_ptr() as usize;
        result.push_str(&text[done..start]);
        result.push_str(with);
        done = start + path.len();
    }
    if done == 0 {
        return text.into();
    }
    result.push_str(&text[done..]);
    result.into()
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
            ("any Sequence<Int>", "Sequence Int"),
            ("any | Shape", "any Shape"),
            ("inout Shape", "Shape"),
            ("\\App\\Model", "App\\Model"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(type_paths(text).collect::<Vec<_>>().join(" "), expected, "{text}");
        }
    }

    #[test]
    fn arguments_of_types() {
        let cases = [
            ("Box<Val>", "Val"),
            ("const ns::Map<A, B<C, D>>&", "A; B<C, D>"),
            ("Dict[str, List[\"A\"]]", "str; List[\"A\"]"),
            ("Cow<'a, Shape>", "Shape"),
            ("Run<(a: A) => B>", "(a: A) => B"),
            ("map[string]*Base", ""),
            ("A<B>::C<D>", ""),
            ("[Shape]", ""),
            ("Shape", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(type_arguments(text).collect::<Vec<_>>().join("; "), expected, "{text}");
        }
    }

    #[test]
    fn types_to_choose_from() {
        let cases = [
            ("Shape", "Shape"),
            ("Shape | None", "Shape"),
            ("None | Shape", "Shape"),
            ("t.Optional[\"Shape\"]", "Shape"),
            ("Union[Shape, list[Box]]", "Shape, list[Box]"),
            ("type[Shape | Box] | None", "Shape, Box"),
            ("dict[str, A | B] | C", "dict[str, A | B], C"),
            ("(A | B)[]", "(A | B)[]"),
            ("(A | (B))", "A, B"),
            ("(a: A) => B | C", "(a: A) => B | C"),
            ("A | ((b: B) => C)", "A, (b: B) => C"),
            ("", ""),
        ];
        for (text, expected) in cases {
            let found = alternatives(text, |path| ["Optional", "Union", "type"].contains(&last_part(path)));
            assert_eq!(found.join(", "), expected, "{text}");
        }
    }
}
