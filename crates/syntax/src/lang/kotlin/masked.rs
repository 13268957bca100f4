//! Texts that Kotlin's grammar misreads, with what it stumbles over blanked.

use std::ops::Range;

use super::super::places;
use super::without_modifiers;

/// How far before a class its annotations are looked for.
const LOOK_BACK: usize = 300;

/// `annotation` is a word of the language only before `class`; behind another annotation the grammar takes the two for an
/// expression.
pub(super) fn masked(text: &str) -> Option<String> {
    let word = "annotation";
    let mut masked: Option<Vec<u8>> = None;
    for at in places(text, "constructor") {
        if !text[at + "constructor".len()..].trim_start().starts_with('(') {
            continue;
        }
        let around = text.floor_char_boundary(at.saturating_sub(LOOK_BACK));
        let before = without_modifiers(&text[around..at]);
        let marks = around + before.len()..at;
        let is_apart =
            text[marks.clone()].contains('@') && text[marks.clone()].trim_start_matches(' ').starts_with('\n');
        if is_apart && before.ends_with(|c: char| c.is_alphanumeric() || c == '>') {
            let masked = masked.get_or_insert_with(|| text.as_bytes().to_vec());
            let bytes = masked[marks].iter_mut().filter(|byte| !byte.is_ascii_whitespace());
            bytes.for_each(|byte| *byte = b' ');
        }
    }
    for at in places(text, "annotation class ") {
        let mut before = text[text.floor_char_boundary(at.saturating_sub(LOOK_BACK))..at].trim_end();
        for modifier in ["public", "internal", "private", "actual", "expect"] {
            before = before.strip_suffix(modifier).unwrap_or(before).trim_end();
        }
        let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
        if line.starts_with('@') || before.ends_with(')') {
            let masked = masked.get_or_insert_with(|| text.as_bytes().to_vec());
            masked[at..at + word.len()].fill(b' ');
        }
    }
    for (at, byte) in made_clear(text) {
        masked.get_or_insert_with(|| text.as_bytes().to_vec())[at] = byte;
    }
    masked.and_then(|masked| String::from_utf8(masked).ok())
}

/// What to put where so that the grammar takes things for what they are. Before a brace that closes a type's body on the
/// line of its last member it wants something that ends the member, which the language does not. Several annotations of
/// what is in no other definition are an expression to it, and what they are of with them: they become statements.
fn made_clear(text: &str) -> Vec<(usize, u8)> {
    #[derive(Default)]
    struct Group {
        is_type: bool,
        has_words: bool,
        /// The last word that begins a declaration or statement begins a type.
        begins_type: bool,
        begins_enum: bool,
        /// What comes next are the constants of an `enum`, which may have bodies too.
        has_constants: bool,
    }
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let mut found = Vec::new();
    let mut groups = vec![Group::default()];
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        let is_outer = groups.len() == 1;
        let Some(group) = groups.last_mut() else { break };
        match byte {
            b'@' if is_outer => {
                let (statements, behind) = misread_annotations(bytes, at);
                for annotation in statements {
                    found.extend([(annotation.start, b' '), (annotation.end, b';')]);
                }
                at = behind;
                continue;
            }
            b'/' | b'"' | b'\'' | b'`' => {
                at = behind_text(bytes, at);
                continue;
            }
            b'{' | b'(' => {
                let is_type = byte == b'{' && (std::mem::take(&mut group.begins_type) || group.has_constants);
                let has_constants = is_type && std::mem::take(&mut group.begins_enum);
                groups.push(Group {
                    is_type,
                    has_constants,
                    ..Group::default()
                });
            }
            b'}' | b')' => {
                let is_body = byte == b'}' && group.is_type && group.has_words;
                let before = bytes[..at].trim_ascii_end();
                let is_apart = at > 0 && matches!(bytes[at - 1], b' ' | b'\t');
                if is_body && is_apart && !bytes[before.len()..at].contains(&b'\n') && !before.ends_with(b";") {
                    found.push((at - 1, b';'));
                }
                if groups.len() > 1 {
                    groups.pop();
                }
            }
            b';' => group.has_constants = false,
            _ if is_word(byte) => {
                let end = bytes[at..].iter().position(|byte| !is_word(*byte));
                let end = end.map_or(bytes.len(), |end| at + end);
                group.has_words = true;
                // `Shape::class` is a value.
                let is_value = at > 0 && bytes[at - 1] == b':';
                if is_modifier_as_name(bytes, at..end) {
                    found.push((at, b'_'));
                }
                match &bytes[at..end] {
                    b"class" | b"interface" | b"object" if !is_value => group.begins_type = true,
                    b"enum" => group.begins_enum = true,
                    b"fun" | b"val" | b"var" | b"init" | b"constructor" | b"if" | b"else" | b"when" | b"for"
                    | b"while" | b"do" | b"try" | b"catch" | b"finally" | b"get" | b"set" | b"return" => {
                        group.begins_type = false;
                    }
                    _ => {}
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Whether a word that could say something of a declaration is a name: it says nothing of what stands behind it.
fn is_modifier_as_name(bytes: &[u8], word: Range<usize>) -> bool {
    let text = &bytes[word.clone()];
    if !matches!(
        text,
        b"abstract"
            | b"crossinline"
            | b"dynamic"
            | b"external"
            | b"final"
            | b"infix"
            | b"inline"
            | b"internal"
            | b"lateinit"
            | b"noinline"
            | b"open"
            | b"override"
            | b"private"
            | b"protected"
            | b"public"
            | b"sealed"
            | b"suspend"
            | b"tailrec"
            | b"vararg"
    ) {
        return false;
    }
    let before = bytes[..word.start].trim_ascii_end().last();
    // A type of the language's own.
    if text == b"dynamic" && matches!(before, Some(b':' | b'<' | b'>')) {
        return false;
    }
    let rest = &bytes[word.end..];
    let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match &rest[blank..] {
        // `suspend () -> Unit`
        [b'(', ..] => text != b"suspend" || before == Some(&b'.'),
        [b'/', b'/' | b'*', ..] => false,
        [b'\n' | b'\r', ..] => matches!(before, Some(b'=' | b'(' | b',' | b'.')),
        [next, ..] => b".?,):=![]};+-*/%<>&|".contains(next),
        [] => false,
    }
}

/// Words before a declaration that the grammar takes for names.
const MODIFIERS: &[&[u8]] = &[
    b"abstract",
    b"actual",
    b"annotation",
    b"const",
    b"data",
    b"enum",
    b"expect",
    b"external",
    b"final",
    b"infix",
    b"inline",
    b"internal",
    b"lateinit",
    b"open",
    b"operator",
    b"private",
    b"protected",
    b"public",
    b"sealed",
    b"suspend",
    b"tailrec",
    b"value",
];

/// Those of the annotations that begin at a place which the grammar would not take for a declaration's; and where to go on.
fn misread_annotations(bytes: &[u8], at: usize) -> (Vec<Range<usize>>, usize) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.') || !byte.is_ascii();
    let behind_word = |at: usize| at + bytes[at..].iter().take_while(|byte| is_word(byte)).count();
    let behind_blank = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) || matches!(bytes[at..], [b'/', b'/' | b'*', ..]) {
            at = behind_text(bytes, at);
        }
        at
    };
    let mut found = Vec::new();
    let mut next = at;
    while bytes.get(next) == Some(&b'@') {
        let mut end = behind_word(next + 1);
        if bytes.get(end) == Some(&b'(') {
            end = behind_parentheses(bytes, end);
        }
        // `@file:A` is of the file, and none where there is one.
        if end == next + 1 || !bytes.get(end).is_some_and(u8::is_ascii_whitespace) {
            return (Vec::new(), next + 1);
        }
        found.push(next..end);
        next = behind_blank(end);
    }
    let behind = next;
    let first = &bytes[next..behind_word(next)];
    while MODIFIERS.contains(&&bytes[next..behind_word(next)]) {
        next = behind_blank(behind_word(next));
    }
    let keyword = &bytes[next..behind_word(next)];
    let is_one_enough = match first {
        b"actual" | b"const" | b"expect" => true,
        b"data" => keyword == b"object",
        _ => false,
    };
    match keyword {
        b"class" | b"fun" | b"interface" | b"object" | b"typealias" | b"val" | b"var" => {
            found.truncate(found.len() - usize::from(!is_one_enough));
        }
        _ => found.clear(),
    }
    (found, behind)
}

/// What an annotation is given is not longer.
const MAX_GIVEN: usize = 4096;

/// Where the parentheses end that begin at a place.
fn behind_parentheses(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0;
    let last = at + MAX_GIVEN;
    while let Some(byte) = bytes.get(at).filter(|_| at < last) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'/' | b'"' | b'\'' | b'`' => {
                at = behind_text(bytes, at);
                continue;
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Where a comment, a text or a quoted name ends that may begin at a place.
fn behind_text(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let behind = |mark: &[u8], from: usize| {
        let rest = rest.get(from..).unwrap_or_default();
        let found = rest.windows(mark.len()).position(|window| window == mark);
        found.map_or(bytes.len(), |found| at + from + found + mark.len())
    };
    match rest {
        [b'/', b'/', ..] => behind(b"\n", 2),
        [b'/', b'*', ..] => behind(b"*/", 2),
        [b'"', b'"', b'"', ..] => behind(b"\"\"\"", 3),
        [b'"', ..] => {
            let mut inside = at + 1;
            while let Some(byte) = bytes.get(inside) {
                match byte {
                    b'"' | b'\n' => return inside + 1,
                    b'\\' => inside += 2,
                    // What is in the braces may have texts of its own.
                    b'$' if bytes.get(inside + 1) == Some(&b'{') => inside = behind_braces(bytes, inside + 2),
                    _ => inside += 1,
                }
            }
            inside
        }
        [b'\'', b'\\', ..] => behind(b"'", 3),
        [b'\'', ..] => behind(b"'", 2),
        [b'`', ..] => behind(b"`", 1),
        _ => at + 1,
    }
}

/// Where the braces end that a place is inside of.
fn behind_braces(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'\n' => return at,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}
