//! How text becomes searchable words. Indexing and querying both go through here, so they cannot disagree.
//!
//! A word is a run of letters, digits and `_`. It is found by its folded form (lower case, no underscores: the same
//! for `parseQuery`, `parse_query` and `PARSE_QUERY`), by each of its parts (`parse`, `query`), and, to rank exact
//! spelling first, by its cased form where that differs.

use std::ops::Range;

use syntax::SymbolKind;

/// Longer words (encoded data, mostly) are known by their beginning.
const MAX_WORD_BYTES: usize = 128;

/// Whether a character is part of a word.
pub fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The words of a text in their order, as written.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    places_of_words(text).map(|place| &text[place])
}

/// Where the words of a text are, in their order.
pub(crate) fn places_of_words(text: &str) -> impl Iterator<Item = Range<usize>> {
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
fn next_word(text: &str, at: &mut usize) -> Option<Range<usize>> {
    loop {
        let Range { start, end } = next_run(text, at)?;
        let word = &text[start..end];
        if word.bytes().any(|byte| byte != b'_') {
            return Some(start..start + clip(word).len());
        }
    }
}

/// The next run of word characters at or after `*at`.
fn next_run(text: &str, at: &mut usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = word_edge(text, bytes, *at, true)?;
    let end = word_edge(text, bytes, start, false).unwrap_or(bytes.len());
    *at = end;
    Some(start..end)
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

/// Whether any word of a text is clipped. Looks at few of its bytes: those around each of a row of places so close to
/// each other that no long word fits in between.
pub(crate) fn has_clipped_word(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_outside = |byte: &u8| byte.is_ascii() && !WORD_BYTE[*byte as usize];
    let mut at = MAX_WORD_BYTES;
    while at < bytes.len() {
        let start = bytes[..at].iter().rposition(is_outside).map_or(0, |edge| edge + 1);
        let end = bytes[at..].iter().position(is_outside).map_or(bytes.len(), |n| at + n);
        // Beyond ASCII there can be several words in between.
        let mut rest = 0;
        let mut runs = std::iter::from_fn(|| next_run(&text[start..end], &mut rest));
        if end - start > MAX_WORD_BYTES && runs.any(|run| run.len() > MAX_WORD_BYTES) {
            return true;
        }
        at = end + MAX_WORD_BYTES;
    }
    false
}

/// A run of word characters in a text that is looked for, folded. Each place where the text is found has a word that
/// contains it, begins with it or ends with it: folding goes character by character.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    pub folded: String,
    pub begins: bool,
    pub ends: bool,
}

/// The pieces of words that a text holds. Where a piece touches an end of the text, or bytes that are only a part of a
/// character, the word may go on.
pub fn pieces(text: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for chunk in text.utf8_chunks() {
        let (text, mut at) = (chunk.valid(), 0);
        while let Some(run) = next_run(text, &mut at) {
            let folded = fold(&text[run.clone()]);
            if !folded.is_empty() {
                let (begins, ends) = (run.start > 0, run.end < text.len());
                pieces.push(Piece { folded, begins, ends });
            }
        }
    }
    pieces
}

/// The form under which all spellings of a word meet.
pub fn fold(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    fold_onto(word, &mut out);
    out
}

/// Whether the folded form of a word is this, told without making it.
pub fn folds_to(word: &str, folded: &str) -> bool {
    let lower = word.chars().filter(|c| *c != '_').flat_map(char::to_lowercase);
    lower.eq(folded.chars())
}

/// Writes the folded form behind what is there.
pub fn fold_onto(word: &str, out: &mut String) {
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

/// A hash of the folded form of a word, made without the form.
pub fn fold_hash(word: &str) -> u64 {
    // FNV-1a, with its halves mixed at the end: its lowest bits alone are poor.
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    if word.is_ascii() {
        let bytes = word.bytes().filter(|byte| *byte != b'_');
        bytes.for_each(|byte| add(byte.to_ascii_lowercase()));
    } else {
        let mut bytes = [0; 4];
        for c in word.chars().filter(|c| *c != '_').flat_map(char::to_lowercase) {
            c.encode_utf8(&mut bytes).bytes().for_each(&mut add);
        }
    }
    hash ^ (hash >> 32)
}

/// Whether a word may consist of several parts.
pub fn has_parts(word: &str) -> bool {
    !is_simple(word)
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

/// Marks the terms of parts and of cased words, which share a field with folded words. No word contains it.
const PART: char = '\u{1}';
const CASED: char = '\u{2}';

/// Sorts before all folded words and after the terms with a mark.
pub(crate) const FIRST_WORD: &str = "\u{3}";

/// The term under which a word is found that has this part, given folded.
pub fn part_term(folded_part: &str) -> String {
    format!("{PART}{folded_part}")
}

/// The term under which a word that is not written as it is folded is found in its own spelling.
pub fn cased_term(word: &str) -> String {
    let mut term = String::from(CASED);
    write_key(word, &mut term);
    term
}

/// Shorter texts are their own keys.
const HASHED_FROM: usize = 8;
/// Before a key that is a hash. No word contains it.
const HASHED: char = '\u{6}';
const HASH_LETTERS: u32 = 10;

/// Writes what stands for a text in a term that is only ever looked up: the dictionary takes its time and room for every
/// letter of a term that the one before it does not begin with. Of ten million words, two have the same 60 bits once in
/// 20,000 indexes: nobody checks what a key has found.
fn write_key(text: &str, out: &mut String) {
    if text.len() < HASHED_FROM {
        return out.push_str(text);
    }
    // FNV-1a, whose last bits depend on everything once its first are mixed in.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mixed = hash ^ (hash >> 32);
    out.push(HASHED);
    out.extend((0..HASH_LETTERS).map(|letter| char::from(b'0' + (mixed >> (6 * letter) & 63) as u8)));
}

/// Gives the terms of a word: its folded form, then its own spelling and its parts where they differ.
pub(crate) fn each_term(word: &str, mut give: impl FnMut(&str)) {
    let mut term = fold(word);
    give(&term);
    if is_folded(word) {
        return;
    }
    term.clear();
    term.push(CASED);
    write_key(word, &mut term);
    give(&term);
    if is_simple(word) {
        return;
    }
    // A word between underscores is its own only part.
    let letters = word.bytes().filter(|byte| *byte != b'_').count();
    for part in parts(word).take_while(|part| part.len() < letters) {
        term.clear();
        term.push(PART);
        fold_onto(part, &mut term);
        give(&term);
    }
}

/// Marks the terms of definitions: of a member with its owner, of a name with its kind, and of a kind.
const MEMBER: char = '\u{3}';
const NAMED: char = '\u{4}';
const KIND: char = '\u{5}';

/// The term under which a member of that name is found that belongs to that owner.
pub fn member_term(owner: &str, name: &str) -> String {
    let mut term = String::from(MEMBER);
    write_key(&format!("{}.{}", fold(owner), fold(name)), &mut term);
    term
}

/// Between a name and the letter of its kind.
const OF_KIND: char = '#';
const FIRST_KIND: u8 = b'A';

/// The term under which a symbol of exactly this name and kind is found.
pub fn named_term(name: &str, kind: SymbolKind) -> String {
    format!("{NAMED}{name}{OF_KIND}{}", kind_letter(kind))
}

/// Stands for a kind.
fn kind_letter(kind: SymbolKind) -> char {
    char::from(FIRST_KIND + kind as u8)
}

/// The terms of all kinds of a name, and few others.
pub(crate) fn terms_named(name: &str) -> Range<String> {
    let after = char::from(OF_KIND as u8 + 1);
    format!("{NAMED}{name}{OF_KIND}")..format!("{NAMED}{name}{after}")
}

/// Where the terms of names begin.
pub(crate) fn first_named() -> String {
    NAMED.to_string()
}

/// What a term of `named_term` says behind its mark.
pub(crate) fn of_named_term(term: &[u8]) -> Option<&str> {
    std::str::from_utf8(term).ok()?.strip_prefix(NAMED)
}

/// The name and the kind that `of_named_term` has.
pub(crate) fn name_and_kind(named: &str) -> Option<(&str, SymbolKind)> {
    let (name, letter) = named.rsplit_once(OF_KIND)?;
    let [letter] = letter.as_bytes() else { return None };
    let kind = SymbolKind::ALL.get(usize::from(letter.checked_sub(FIRST_KIND)?))?;
    Some((name, *kind))
}

/// The term under which symbols of a kind are found.
pub fn kind_term(kind: SymbolKind) -> String {
    format!("{KIND}{}", kind.as_str())
}

/// Gives the terms of a symbol: the name with its kind, the words of the name, the member with its owner, the kind.
pub(crate) fn each_symbol_term(name: &str, kind: SymbolKind, owner: Option<&str>, mut give: impl FnMut(&str)) {
    // `Vocabulary` keeps names line by line.
    let name = name.replace('\n', " ");
    give(&named_term(&name, kind));
    // A block that adds to a type defines nothing of that name, but tells where the type has more.
    if kind == SymbolKind::Impl {
        return;
    }
    for word in words(&name) {
        each_term(word, |term| {
            // The term of the name and its kind tells how it is spelled.
            if !term.starts_with(CASED) {
                give(term);
            }
        });
    }
    if let Some(owner) = owner.filter(|owner| !owner.is_empty()) {
        give(&member_term(owner, &name));
    }
    give(&kind_term(kind));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        for (at, word) in words(text).enumerate() {
            each_term(word, |term| {
                let term = term
                    .replace(PART, "part ")
                    .replace(CASED, "cased ")
                    .replace(HASHED, "key ");
                out.push(format!("{at} {term}"));
            });
        }
        out
    }

    #[test]
    fn words_have_several_terms() {
        assert_eq!(terms("let x = größe;"), ["0 let", "1 x", "2 größe"]);
        assert_eq!(
            terms("parseHTTPQuery_v2(__init__, _, Ok)"),
            [
                "0 parsehttpqueryv2",
                "0 cased key O;AE?jPNee",
                "0 part parse",
                "0 part http",
                "0 part query",
                "0 part v2",
                "1 init",
                "1 cased key W@QflcYIGK",
                "2 ok",
                "2 cased Ok",
            ]
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

    #[test]
    fn clipped_words_are_noticed_wherever_they_stand() {
        for (long, expected) in [
            ("a".repeat(129), true),
            ("a".repeat(128), false),
            ("é、".repeat(200), false),
        ] {
            for before in 0..300 {
                let text = format!("{}{long} b", ". ".repeat(before));
                assert_eq!(has_clipped_word(&text), expected, "{before} {long}");
            }
        }
    }

    #[test]
    fn pieces_know_which_of_their_ends_are_closed() {
        let shown = |text: &[u8]| {
            let shown = pieces(text).into_iter().map(|piece| {
                let (left, right) = (if piece.begins { "|" } else { "" }, if piece.ends { "|" } else { "" });
                format!("{left}{}{right}", piece.folded)
            });
            shown.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(b"get_Name(_self, __)."), "getname| |self|");
        assert_eq!(shown("(größe".as_bytes()), "|größe");
        // The second byte of a letter: whatever it belongs to may go on.
        assert_eq!(shown(b"\xA9foo bar\xC3"), "foo| |bar");
        assert_eq!(shown(b"-> _"), "");
    }
}
