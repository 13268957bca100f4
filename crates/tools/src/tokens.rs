//! How long an answer is. One documented measure, used everywhere a budget is kept.
//!
//! Language models cut text into tokens, each differently. Portolan counts in a way that is at least what the common
//! byte-pair vocabularies need for source code, and takes no vocabulary with it:
//! - a run of lower-case letters (with one capital before it): one token for each four letters begun;
//! - a run of capitals, of digits, or of punctuation: one for each two begun;
//! - white space: nothing for one space before a word, else one token a run;
//! - any other character: one for each of its bytes.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Space,
    Mark,
}

/// An upper bound, by the rule above, on the tokens of a text.
pub fn count(text: &str) -> u64 {
    let mut total = 0;
    let mut run: Option<(Class, u64, u8)> = None;
    let close = |run: Option<(Class, u64, u8)>, next: Option<u8>| match run {
        None => 0,
        Some((Class::Lower, length, _)) => length.div_ceil(4),
        Some((Class::Upper | Class::Digit | Class::Mark, length, _)) => length.div_ceil(2),
        Some((Class::Space, 1, b' ')) if next.is_some_and(|next| next.is_ascii_alphanumeric()) => 0,
        Some((Class::Space, ..)) => 1,
    };
    for byte in text.bytes() {
        let class = match byte {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b' ' | b'\t' | b'\n' | b'\r' => Class::Space,
            b'!'..=b'~' => Class::Mark,
            _ => {
                total += close(run.take(), Some(byte)) + 1;
                continue;
            }
        };
        run = match run {
            Some((same, length, first)) if same == class => Some((class, length + 1, first)),
            // One capital begins a word.
            Some((Class::Upper, 1, first)) if class == Class::Lower => Some((class, 2, first)),
            other => {
                total += close(other, Some(byte));
                Some((class, 1, byte))
            }
        };
    }
    total + close(run, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_the_documented_rule() {
        for (text, expected) in [
            ("", 0),
            ("the", 1),
            ("tokens", 2),
            ("Parse Query", 4),
            ("walk", 1),
            ("HTTP", 2),
            ("fn main() {\n    x\n}", 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1),
            ("12345", 3),
            ("é", 2),
            ("a::b", 3),
        ] {
            assert_eq!(count(text), expected, "{text:?}");
        }
    }
}
