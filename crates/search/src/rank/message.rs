//! Messages that were pasted: what a program printed stands in its text, but for what was put into it.

use std::cmp::Reverse;

use index::{Reader, token};

use crate::{
    filter::Filter,
    keyword::{Hit, KeywordError, side_by_side},
};

/// Words of messages that hardly begin or fill a question.
const TELLING: &[&str] = &[
    "already",
    "cannot",
    "can't",
    "couldn't",
    "denied",
    "didn't",
    "doesn't",
    "error",
    "exceeded",
    "exception",
    "expected",
    "failed",
    "fatal",
    "forbidden",
    "illegal",
    "invalid",
    "isn't",
    "missing",
    "must",
    "panicked",
    "refused",
    "unable",
    "undefined",
    "unexpected",
    "unknown",
    "unsupported",
    "warning",
];

/// With one of these first somebody asks.
const ASKING: &[&str] = &[
    "are", "can", "do", "does", "find", "how", "is", "list", "show", "what", "when", "where", "which", "who", "why",
];

/// Fewer words side by side are anywhere.
const MIN_WORDS: usize = 3;
/// So many words that stand in a program as they were asked for are no coincidence, even if they do not look like a message.
const QUOTED_WORDS: usize = 5;
/// Text that is in more places does not tell where a message comes from.
const MAX_PLACES: usize = 20;
/// Translations have it as well, once in every language.
const MAX_COPIES: usize = 500;
/// Pieces of a message that are looked for.
const MAX_PIECES: usize = 8;

/// The chunks that have the longest piece of a message word by word, if the text is one. Those of code, if there are any.
pub(super) fn places(reader: &Reader, text: &str, filter: &Filter) -> Result<Vec<(u64, u32)>, KeywordError> {
    let is_code = |hit: &&Hit| {
        let row = reader.files().by_id(hit.file);
        let lang = row.and_then(|row| syntax::lang_by_name(row.lang));
        lang.is_some_and(|lang| !lang.is_data())
    };
    for piece in pieces(text).iter().take(MAX_PIECES) {
        let found = side_by_side(reader, piece, filter, MAX_COPIES)?;
        if found.total > MAX_COPIES {
            continue;
        }
        let mut hits: Vec<&Hit> = found.hits.iter().filter(is_code).collect();
        if hits.is_empty() {
            hits.extend(&found.hits);
        }
        if (1..=MAX_PLACES).contains(&hits.len()) {
            return Ok(hits.iter().map(|hit| (hit.file, hit.chunk)).collect());
        }
    }
    Ok(Vec::new())
}

/// What of a message may stand in a program as it is, longest first; nothing for other texts.
fn pieces(text: &str) -> Vec<&str> {
    let text = text.trim();
    let n_words = |text: &str| token::words(text).count();
    let first = token::words(text).next().unwrap_or_default();
    let is_asking = text.ends_with('?') || ASKING.iter().any(|word| word.eq_ignore_ascii_case(first));
    let is_put_in = |word: &str| word.contains(|c: char| c.is_ascii_digit() || "'\"`<>{}[]()/\\=".contains(c));
    let has_signs = text.contains(": ") || text.split_whitespace().any(is_put_in);
    let is_telling = |word: &str| TELLING.iter().any(|telling| telling.eq_ignore_ascii_case(word));
    if is_asking || n_words(text) < MIN_WORDS {
        return Vec::new();
    }
    if !(has_signs || text.split_whitespace().any(is_telling)) {
        return if n_words(text) >= QUOTED_WORDS {
            vec![text]
        } else {
            Vec::new()
        };
    }
    // Between what looks like values.
    let mut runs = Vec::new();
    let (mut start, mut at) = (0, 0);
    for word in text.split_inclusive(char::is_whitespace) {
        if is_put_in(word) {
            runs.push(text[start..at].trim());
            start = at + word.len();
        }
        at += word.len();
    }
    runs.push(text[start..].trim());
    let mut pieces = vec![text];
    for run in &runs {
        pieces.push(run);
        // Without what is put before a message, or the reason behind it: `Error: ...`.
        pieces.extend(run.split_once(": ").map(|(_, message)| message));
        pieces.extend(run.rsplit_once(": ").map(|(message, _)| message));
    }
    // A value that does not look like one stands at the end as a rule, or at the beginning.
    let longest = runs.into_iter().max_by_key(|run| run.len()).unwrap_or(text);
    pieces.extend(longest.rsplit_once(char::is_whitespace).map(|(most, _)| most));
    pieces.extend(longest.split_once(char::is_whitespace).map(|(_, most)| most));
    pieces.retain(|piece| n_words(piece) >= MIN_WORDS);
    pieces.sort_by_key(|piece| (Reverse(piece.len()), *piece));
    pieces.dedup();
    pieces
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn messages_are_told_from_questions() {
        let table: &[(&str, &[&str])] = &[
            ("how are invalid tokens refused", &[]),
            ("is the cache already full?", &[]),
            ("request routing and dispatch", &[]),
            ("not found", &[]),
            (
                "the name that was chosen is taken",
                &["the name that was chosen is taken"],
            ),
            (
                "cannot open the journal",
                &["cannot open the journal", "open the journal", "cannot open the"],
            ),
            (
                "key must be a string at line 3 column 5",
                &[
                    "key must be a string at line 3 column 5",
                    "key must be a string at line",
                    "must be a string at line",
                    "key must be a string at",
                ],
            ),
            (
                "TypeError: Cannot read properties of undefined (reading 'x')",
                &[
                    "TypeError: Cannot read properties of undefined (reading 'x')",
                    "TypeError: Cannot read properties of undefined",
                    "TypeError: Cannot read properties of",
                    "Cannot read properties of undefined",
                ],
            ),
        ];
        for (text, expected) in table {
            assert_eq!(&pieces(text), expected, "{text}");
        }
    }
}
