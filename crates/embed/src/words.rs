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
        'a'..='z' => Kind::Lower,
        'A'..='Z' => Kind::Upper,
        '0'..='9' => Kind::Digit,
        _ if c.is_ascii() => Kind::Other,
        _ if c.is_lowercase() => Kind::Lower,
        _ if c.is_uppercase() => Kind::Upper,
        _ if c.is_alphabetic() => Kind::Letter,
        _ if c.is_numeric() => Kind::Digit,
        _ => Kind::Other,
    }
}

/// Calls `found` with each word of a text, in order. `word` is where words are made.
pub(crate) fn words(text: &str, word: &mut String, mut found: impl FnMut(&str)) {
    let (mut start, mut before, mut last, mut last_at) = (0, Kind::Other, Kind::Other, 0);
    for (at, kind) in text
        .char_indices()
        .map(|(at, c)| (at, kind(c)))
        .chain([(text.len(), Kind::Other)])
    {
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
    }
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
