//! How text becomes searchable words. Indexing and querying both go through here, so they cannot disagree.
//!
//! A word is a run of letters, digits and `_`. It is found by its folded form (lower case, no underscores: the same
//! for `parseQuery`, `parse_query` and `PARSE_QUERY`), by each of its parts (`parse`, `query`), and, to rank exact
//! spelling first, by its cased form where that differs.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Longer words (encoded data, mostly) are known by their beginning.
const MAX_WORD_BYTES: usize = 128;

/// The words of a text in their order, as written.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = 0;
    std::iter::from_fn(move || next_word(text, &mut rest))
}

/// Whether a byte is part of a word; bytes beyond ASCII are looked at as characters.
static WORD_BYTE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// The next word at or after `*at`. Words of underscores alone are passed over: there is nothing to find them by.
fn next_word<'a>(text: &'a str, at: &mut usize) -> Option<&'a str> {
    let bytes = text.as_bytes();
    loop {
        let start = word_edge(text, bytes, *at, true)?;
        let end = word_edge(text, bytes, start, false).unwrap_or(bytes.len());
        *at = end;
        let word = &text[start..end];
        if word.bytes().any(|byte| byte != b'_') {
            return Some(clip(word));
        }
    }
}

/// The first offset from `at` on whose character is (`wanted`) or is not part of a word.
fn word_edge(text: &str, bytes: &[u8], mut at: usize, wanted: bool) -> Option<usize> {
    while at < bytes.len() {
        let byte = bytes[at];
        if byte.is_ascii() {
            if WORD_BYTE[byte as usize] == wanted {
                return Some(at);
            }
            at += 1;
        } else {
            // `at` only ever stops on character boundaries.
            let c = text[at..].chars().next()?;
            if c.is_alphanumeric() == wanted {
                return Some(at);
            }
            at += c.len_utf8();
        }
    }
    None
}

fn clip(word: &str) -> &str {
    if word.len() <= MAX_WORD_BYTES {
        return word;
    }
    let mut end = MAX_WORD_BYTES;
    while !word.is_char_boundary(end) {
        end -= 1;
    }
    &word[..end]
}

/// The form under which all spellings of a word meet.
pub fn fold(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    fold_into(word, &mut out);
    out
}

fn fold_into(word: &str, out: &mut String) {
    out.clear();
    if word
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    {
        out.push_str(word);
        return;
    }
    for c in word.chars() {
        match c {
            '_' => {}
            c if c.is_ascii() => out.push(c.to_ascii_lowercase()),
            c => out.extend(c.to_lowercase()),
        }
    }
}

/// Whether a word is written as it is folded.
pub fn is_folded(word: &str) -> bool {
    let ascii = word
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    ascii || word.chars().all(|c| c != '_' && !c.is_uppercase())
}

/// Whether a word obviously has no parts: most words, told without looking at characters.
fn is_simple(word: &str) -> bool {
    word.bytes()
        .skip(1)
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// The parts of a word, as written: `parseHTTPQuery_v2` is `parse`, `HTTP`, `Query`, `v2`.
pub fn parts(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = 0;
    std::iter::from_fn(move || next_part(word, &mut rest))
}

fn next_part<'a>(word: &'a str, at: &mut usize) -> Option<&'a str> {
    let skipped = word[*at..].bytes().take_while(|byte| *byte == b'_').count();
    let start = *at + skipped;
    if start >= word.len() {
        *at = word.len();
        return None;
    }
    let mut chars = word[start..].char_indices().peekable();
    let mut previous: Option<char> = None;
    let mut end = word.len();
    while let Some((offset, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let hump = previous.is_some_and(|previous| {
            c.is_uppercase() && (!previous.is_uppercase() || next.is_some_and(char::is_lowercase))
        });
        if c == '_' || hump {
            end = start + offset;
            break;
        }
        previous = Some(c);
    }
    *at = end;
    Some(&word[start..end])
}

/// Which form of the words a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One token a word.
    Folded,
    /// The parts of words that have several, folded.
    Parts,
    /// The word as written, if that is not its folded form.
    Cased,
    /// Folded words and their parts: for short texts such as paths.
    FoldedAndParts,
}

#[derive(Debug, Clone)]
pub(crate) struct WordTokenizer {
    form: Form,
    token: Token,
}

impl WordTokenizer {
    pub(crate) fn new(form: Form) -> WordTokenizer {
        WordTokenizer {
            form,
            token: Token::default(),
        }
    }
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        self.token.reset();
        WordStream {
            text,
            at: 0,
            word: "",
            part_at: 0,
            form: self.form,
            token: &mut self.token,
        }
    }
}

pub(crate) struct WordStream<'a> {
    text: &'a str,
    at: usize,
    word: &'a str,
    /// Where in `word` the next part begins.
    part_at: usize,
    form: Form,
    token: &'a mut Token,
}

impl WordStream<'_> {
    fn next_word(&mut self) -> bool {
        let Some(word) = next_word(self.text, &mut self.at) else {
            return false;
        };
        self.word = word;
        self.part_at = 0;
        // The first word gets position 0 by wrapping around from the reset state.
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    /// The next part of the current word, unless the word is its own only part.
    fn next_part(&mut self) -> bool {
        if is_simple(self.word) {
            return false;
        }
        let Some(part) = next_part(self.word, &mut self.part_at) else {
            return false;
        };
        let whole = part.len() == self.word.bytes().filter(|byte| *byte != b'_').count();
        if whole {
            return false;
        }
        fold_into(part, &mut self.token.text);
        true
    }
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        match self.form {
            Form::Folded => {
                let found = self.next_word();
                if found {
                    fold_into(self.word, &mut self.token.text);
                }
                found
            }
            Form::Cased => {
                while self.next_word() {
                    if !is_folded(self.word) {
                        self.token.text.clear();
                        self.token.text.push_str(self.word);
                        return true;
                    }
                }
                false
            }
            Form::Parts => loop {
                if self.next_part() {
                    return true;
                }
                if !self.next_word() {
                    return false;
                }
            },
            Form::FoldedAndParts => {
                if self.next_part() {
                    return true;
                }
                let found = self.next_word();
                if found {
                    fold_into(self.word, &mut self.token.text);
                }
                found
            }
        }
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(form: Form, text: &str) -> Vec<String> {
        let mut tokenizer = WordTokenizer::new(form);
        let mut stream = tokenizer.token_stream(text);
        let mut out = Vec::new();
        while stream.advance() {
            out.push(format!("{}@{}", stream.token().text, stream.token().position));
        }
        out
    }

    #[test]
    fn words_have_three_forms() {
        let text = "let parseHTTPQuery_v2 = __init__(x, _, größe2Bar);";
        assert_eq!(
            tokens(Form::Folded, text),
            ["let@0", "parsehttpqueryv2@1", "init@2", "x@3", "größe2bar@4"]
        );
        assert_eq!(
            tokens(Form::Parts, text),
            ["parse@1", "http@1", "query@1", "v2@1", "größe2@4", "bar@4"]
        );
        assert_eq!(
            tokens(Form::Cased, text),
            ["parseHTTPQuery_v2@1", "__init__@2", "größe2Bar@4"]
        );
        assert_eq!(
            tokens(Form::FoldedAndParts, "src/fileWalk.rs"),
            ["src@0", "filewalk@1", "file@1", "walk@1", "rs@2"]
        );
    }

    #[test]
    fn spellings_meet_in_the_folded_form() {
        for word in ["parseQuery", "parse_query", "ParseQuery", "PARSE_QUERY"] {
            assert_eq!(fold(word), "parsequery");
        }
        assert_eq!(parts("XMLHttpRequest").collect::<Vec<_>>(), ["XML", "Http", "Request"]);
        assert_eq!(parts("__a__b").collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn endless_words_are_clipped() {
        let text = "é".repeat(10_000);
        assert_eq!(words(&text).map(str::len).collect::<Vec<_>>(), [128]);
    }
}
