//! Text from repositories is shown so that it cannot pretend to be anything else: control characters, terminal
//! escapes, and characters that reorder or hide text appear as escapes.

use std::borrow::Cow;

use serde_json::Value;

fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        // Zero-width and direction marks, embeddings and isolates, the byte order mark, tags, and the selectors of
        // variants that can carry a text of their own. That of coloured emoji is not one of them.
        '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2069}'
        | '\u{FEFF}'
        | '\u{00AD}'
        | '\u{061C}'
        | '\u{180E}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{E0000}'..='\u{E01EF}' => true,
        _ => false,
    }
}

/// The text with every hidden character written as `\u{..}`. Lines end with `\n`, whatever they end with in the file.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'));
    if plain || !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\r' && chars.peek() == Some(&'\n') {
            continue;
        }
        if is_hidden(c) {
            out.extend(c.escape_unicode())
        } else {
            out.push(c)
        }
    }
    Cow::Owned(out)
}

/// The first characters of a text; dots stand for the rest.
pub(crate) fn clip(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}...", text[..at].trim_end()),
    }
}

/// What is shown of a line; lines of minified code have no end.
const LINE_CHARS: usize = 240;

/// At most `LINE_CHARS` characters of a line, from a little before the byte `at`.
pub(crate) fn clip_line(line: &str, at: usize) -> String {
    clip_around(line, at, 0)
}

/// The same for a match at `at` of so many bytes, which is shown as far as possible.
pub(crate) fn clip_around(line: &str, at: usize, length: usize) -> String {
    if line.chars().count() <= LINE_CHARS {
        return line.to_owned();
    }
    let chars_before = |at: usize| line.get(..at).unwrap_or(line).chars().count();
    let (begin, end) = (chars_before(at), chars_before(at + length));
    let skip = if end + MARGIN > LINE_CHARS {
        begin.saturating_sub(MARGIN)
    } else {
        0
    };
    let middle: String = line.chars().skip(skip).take(LINE_CHARS).collect();
    let (left, right) = (skip > 0, line.chars().count() > skip + LINE_CHARS);
    format!(
        "{}{middle}{}",
        if left { "..." } else { "" },
        if right { "..." } else { "" }
    )
}

/// Characters that are shown around a match.
const MARGIN: usize = 40;

/// A name on one line: line breaks in file names are hidden characters too, and none begins or ends a fence.
pub(crate) fn visible_name(name: &str) -> String {
    let name = visible(&name.replace('\r', "\\u{d}"))
        .replace('\n', "\\n")
        .replace('\t', "\\t");
    match ["```", "~~~"].iter().any(|fence| name.contains(fence)) {
        true => name.replace('`', "\\u{60}").replace('~', "\\u{7e}"),
        false => name,
    }
}

pub(crate) fn make_visible(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(shown) = visible(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_visible),
        Value::Object(fields) => fields.values_mut().for_each(make_visible),
        _ => {}
    }
}

/// A fenced block that its content cannot close.
pub(crate) fn fenced(lang: &str, text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    let lang = if lang == "plaintext" { "" } else { lang };
    format!("{fence}{lang}\n{}\n{fence}", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays_hidden() {
        assert_eq!(
            visible("a\x1b[31m\u{202e}b\u{200b}\tc\n"),
            "a\\u{1b}[31m\\u{202e}b\\u{200b}\tc\n"
        );
        assert_eq!(visible("one\r\ntwo\rthree"), "one\ntwo\\u{d}three");
        assert_eq!(visible_name("a\nb"), "a\\nb");
        assert_eq!(visible_name("a\r\nb"), "a\\u{d}\\nb");
        assert_eq!(fenced("rust", "x\n```\n"), "````rust\nx\n```\n````");
    }
}
