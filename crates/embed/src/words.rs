//! A text as words: runs of letters, cut at the humps of camelCase and lowercased, and short runs of digits.

const LONGEST_WORD: usize = 64;
const LONGEST_NUMBER: usize = 4;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Other,
    Digit,
    Lower,
    Upper,
    /// A letter without case, such as a Chinese one.
    Letter,
}

fn kind(c: char) -> Kind {
    match c {
        _ if c.is_ascii() => ASCII[c as usize],
        _ if c.is_lowercase() => Kind::Lower,
        _ if c.is_uppercase() => Kind::Upper,
        _ if c.is_alphabetic() => Kind::Letter,
        _ if c.is_numeric() => Kind::Digit,
        _ => Kind::Other,
    }
}

/// The kinds of the first 128 characters: most texts have no others.
static ASCII: [Kind; 128] = {
    let mut kinds = [Kind::Other; 128];
    let mut at = 0;
    while at < 128 {
        kinds[at] = match at as u8 {
            b'a'..=b'z' => Kind::Lower,
            b'A'..=b'Z' => Kind::Upper,
            b'0'..=b'9' => Kind::Digit,
            _ => Kind::Other,
        };
        at += 1;
    }
    kinds
};

/// The kind of the character at an offset, and where the next one begins. Behind the last one there is no word.
fn kind_at(text: &str, at: usize) -> (Kind, usize) {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => (ASCII[*byte as usize], at + 1),
        _ => match text[at..].chars().next() {
            Some(c) => (kind(c), at + c.len_utf8()),
            None => (Kind::Other, at + 1),
        },
    }
}

/// Calls `found` with each word of a text, in order. `word` is where words are made.
pub(crate) fn words(text: &str, word: &mut String, mut found: impl FnMut(&str)) {
    let (mut start, mut before, mut last, mut last_at) = (0, Kind::Other, Kind::Other, 0);
    let mut at = 0;
    while at <= text.len() {
        let (kind, next) = kind_at(text, at);
        let cut = match (last, kind) {
            (Kind::Other, Kind::Other) => None,
            (Kind::Other | Kind::Digit, Kind::Digit) => (last == Kind::Other).then_some(at),
            (Kind::Other | Kind::Digit, _) | (_, Kind::Other | Kind::Digit) => Some(at),
            (Kind::Lower, Kind::Upper) => Some(at),
            (Kind::Upper, Kind::Lower) if before == Kind::Upper => Some(last_at),
            _ => None,
        };
        if let Some(cut) = cut {
            // What ends here is a word if it was one: between words `last` is `Other`.
            if last != Kind::Other && keep(&text[start..cut], last, word) {
                found(word);
            }
            start = cut;
        }
        (before, last, last_at) = (if cut == Some(at) { Kind::Other } else { last }, kind, at);
        at = match kind {
            // Nothing is cut inside of such a run, which is most of a text.
            Kind::Lower | Kind::Other => end_of_run(text, next, kind),
            _ => next,
        };
    }
}

/// Where the characters of a kind end that begin at an offset, as far as they are ASCII.
fn end_of_run(text: &str, at: usize, kind: Kind) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let is_same = |byte: &u8| byte.is_ascii() && ASCII[*byte as usize] == kind;
    at + rest.iter().take_while(|byte| is_same(byte)).count()
}

/// Whether the model looks at such a word, which is then lowercased in `word`.
fn keep(text: &str, kind: Kind, word: &mut String) -> bool {
    let longest = if kind == Kind::Digit {
        LONGEST_NUMBER
    } else {
        LONGEST_WORD
    };
    word.clear();
    if text.is_ascii() {
        word.push_str(text);
        word.make_ascii_lowercase();
        return text.len() <= longest;
    }
    word.extend(text.chars().flat_map(char::to_lowercase));
    text.chars().nth(longest).is_none()
}
