//! How long an answer is. One documented measure, used everywhere a budget is kept.
//!
//! Language models cut text into tokens, each differently. Portolan counts in a way that is at least what the common
//! byte-pair vocabularies need for source code, and takes no vocabulary with it:
//! - a run of lower-case letters (with one capital before it): one token for each four letters begun;
//! - a run of capitals, of digits, or of punctuation: one for each two begun;
//! - a run of punctuation that joins values of JSON, such as `","` and `":"`: one;
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

/// What stands between the values of JSON: one token each in every vocabulary that was looked at, and half of what an answer
/// in JSON would be counted for otherwise.
const JOINTS: &[&[u8]] = &[b"\":\"", b"\",\"", b"\":[", b"\":{\"", b"],\"", b"},{\""];

/// An upper bound, by the rule above, on the tokens of a text.
pub fn count(text: &str) -> u64 {
    let mut total = 0;
    let mut run: Option<(Class, u64, u8)> = None;
    let bytes = text.as_bytes();
    let close = |run: Option<(Class, u64, u8)>, end: usize| match run {
        None => 0,
        Some((Class::Lower, length, _)) => length.div_ceil(4),
        Some((Class::Mark, length @ 3..=4, _)) if JOINTS.contains(&&bytes[end - length as usize..end]) => 1,
        Some((Class::Upper | Class::Digit | Class::Mark, length, _)) => length.div_ceil(2),
        Some((Class::Space, 1, b' ')) if bytes.get(end).is_some_and(u8::is_ascii_alphanumeric) => 0,
        Some((Class::Space, ..)) => 1,
    };
    for (at, byte) in text.bytes().enumerate() {
        let class = match byte {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b' ' | b'\t' | b'\n' | b'\r' => Class::Space,
            b'!'..=b'~' => Class::Mark,
            _ => {
                total += close(run.take(), at) + 1;
                continue;
            }
        };
        run = match run {
            Some((same, length, first)) if same == class => Some((class, length + 1, first)),
            // One capital begins a word.
            Some((Class::Upper, 1, first)) if class == Class::Lower => Some((class, 2, first)),
            other => {
                total += close(other, at);
                Some((class, 1, byte))
            }
        };
    }
    total + close(run, bytes.len())
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
            (
                r#"{"a":"b","c":[{"d":1},{"d":2}]}"#,
                1 + 1 + 1 + 1 + 1 + 1 + 3 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 2,
            ),
        ] {
            assert_eq!(count(text), expected, "{text:?}");
        }
    }
}
