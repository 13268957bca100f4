//! Labels: what a test states about a place, written below it.
//!
//! ```text
//! fn area() {}
//! // ^^^^ def
//! fn main() { area(area()) }
//! //          ^^^^ ref area   ^^^^ ...
//! main()
//! //<- ref main
//! ```
//!
//! A label is a comment of its own line: carets below the text that it is about, then what it states. Several may be on a
//! line, and several lines below one. The arrow marks the word above the beginning of the comment, where no caret can be.

/// What a label states of a place in the text without its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The byte where the marked text begins.
    pub at: u32,
    pub marked: String,
    /// What is written behind the carets.
    pub states: String,
}

/// Takes the lines with labels out of a text. Panics on carets that do not mark whole words of the line above.
pub fn labels(text: &str) -> (String, Vec<Label>) {
    let mut without = String::new();
    let mut found = Vec::new();
    let mut above = 0..0;
    for line in text.split_inclusive('\n') {
        let marks = marks(line.trim_end());
        if marks.is_empty() {
            above = without.len()..without.len() + line.len();
            without.push_str(line);
        }
        for Mark { column, width, states } in marks {
            let (start, marked) = marked(without[above.clone()].trim_end(), column, width);
            assert!(!states.is_empty(), "a label that states nothing: {line:?}");
            found.push(Label {
                at: (above.start + start) as u32,
                marked: marked.to_owned(),
                states: states.to_owned(),
            });
        }
    }
    (without, found)
}

/// A run of carets, or an arrow, in characters.
struct Mark<'l> {
    column: usize,
    /// Nothing for the word that begins there.
    width: Option<usize>,
    states: &'l str,
}

/// The marks of a line; none unless it is a comment that begins with one.
fn marks(line: &str) -> Vec<Mark<'_>> {
    let comment = line.trim_start();
    let opener = comment.find(|c: char| c == '^' || c == '<' || c.is_whitespace() || c.is_alphanumeric());
    let opener = opener.filter(|end| *end > 0).unwrap_or(comment.len());
    let body = &comment[opener..];
    if let Some(states) = body.strip_prefix("<-") {
        return vec![Mark {
            column: line.chars().count() - comment.chars().count(),
            width: None,
            states: states.trim(),
        }];
    }
    if !body.trim_start().starts_with('^') {
        return Vec::new();
    }
    let mut marks = Vec::new();
    let mut rest = body;
    while let Some(start) = rest.find('^') {
        let run = &rest[start..];
        let behind = run.trim_start_matches('^');
        let end = behind.find('^').unwrap_or(behind.len());
        marks.push(Mark {
            column: line.chars().count() - run.chars().count(),
            width: Some(run.len() - behind.len()),
            states: behind[..end].trim(),
        });
        rest = &behind[end..];
    }
    marks
}

/// The marked part of a line, and the byte where it begins.
fn marked(line: &str, column: usize, width: Option<usize>) -> (usize, &str) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = line.char_indices().nth(column).map(|(at, _)| at);
    let start = start.unwrap_or_else(|| panic!("nothing is above column {column}: {line:?}"));
    let text = &line[start..];
    let end = match width {
        Some(width) => text.char_indices().nth(width).map_or(text.len(), |(at, _)| at),
        None => text.find(|c| !is_word(c)).unwrap_or(text.len()),
    };
    let marked = &text[..end];
    let splits =
        |before: Option<char>, behind: Option<char>| before.is_some_and(is_word) && behind.is_some_and(is_word);
    let is_whole = !splits(line[..start].chars().next_back(), marked.chars().next())
        && !splits(marked.chars().next_back(), text[end..].chars().next());
    assert!(
        is_whole && !marked.trim().is_empty(),
        "{marked:?} is no whole word of {line:?}"
    );
    (start, marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_taken_out() {
        let text = "fn ä() { area(xy, bcdefghi) }\n//       ^^^^ ref ^^^^^^^^ ref x, y\n  #    ^ def\nb\n//<- def z\n";
        let (without, found) = labels(text);
        assert_eq!(without, "fn ä() { area(xy, bcdefghi) }\nb\n");
        let found: Vec<_> = found
            .iter()
            .map(|label| {
                (
                    label.marked.as_str(),
                    label.states.as_str(),
                    &without[label.at as usize..],
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                ("area", "ref", "area(xy, bcdefghi) }\nb\n"),
                ("bcdefghi", "ref x, y", "bcdefghi) }\nb\n"),
                ("{", "def", "{ area(xy, bcdefghi) }\nb\n"),
                ("b", "def z", "b\n")
            ]
        );
    }

    #[test]
    fn other_comments_and_code_stay() {
        for text in ["// a ^ b\n", "x ^ y\n", "a\n// text\n", "^x\n", "-- <- a\n", "<div>\n"] {
            assert_eq!(labels(text), (text.to_owned(), Vec::new()));
        }
    }

    #[test]
    fn labels_that_mark_no_word_are_loud() {
        for text in [
            "area\n// ^ def\n",
            "a\n//  ^^ def\n",
            "area\n//^^ ref\n",
            "    area\n//  ^^^^\n",
        ] {
            assert!(std::panic::catch_unwind(|| labels(text)).is_err(), "{text}");
        }
    }
}
