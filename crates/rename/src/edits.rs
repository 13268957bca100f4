//! Edits of one text: how a name is written where it is renamed, and where everything is afterwards.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};
use source::Edit;

use crate::plan::SiteKind;

/// An edit of a file with what it is about.
pub(crate) struct Site {
    pub edit: Edit,
    /// Where the name is in the edit's text.
    pub offset: u32,
    pub was_at: u32,
    pub kind: SiteKind,
    pub confidence: f32,
}

impl Site {
    /// One name for two things becomes two.
    pub fn writes_out(&self) -> bool {
        self.edit.text.contains(": ")
    }
}

/// How a place is written that is to be renamed.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Written {
    /// As the name, so many bytes behind its place: a sigil, a quote.
    Name(u32),
    /// Without a suffix that goes without saying.
    Short,
    /// Otherwise: an alias.
    Other,
}

/// Where places of a text are once it is edited.
pub(crate) struct Moved {
    edits: Vec<MovedEdit>,
}

struct MovedEdit {
    from: u32,
    until: u32,
    /// The place in it that is renamed, and where the new name is.
    was_at: u32,
    now_at: u32,
    /// By how much what is behind it has moved.
    by: i64,
}

impl Moved {
    pub fn new(sites: &[Site]) -> Moved {
        let mut by = 0;
        let edits = sites.iter().map(|site| {
            let now_at = (i64::from(site.edit.at) + by) as u32 + site.offset;
            by += site.edit.text.len() as i64 - i64::from(site.edit.len);
            MovedEdit {
                from: site.edit.at,
                until: site.edit.at + site.edit.len,
                was_at: site.was_at,
                now_at,
                by,
            }
        });
        Moved { edits: edits.collect() }
    }

    fn last_before(&self, at: u32) -> Option<&MovedEdit> {
        let behind = self.edits.partition_point(|edit| edit.from <= at);
        behind.checked_sub(1).map(|last| &self.edits[last])
    }

    pub fn to(&self, at: u32) -> u32 {
        match self.last_before(at) {
            None => at,
            Some(edit) if at < edit.until => edit.now_at,
            Some(edit) => (i64::from(at) + edit.by) as u32,
        }
    }

    /// Whether a name is one with a renamed one now.
    pub fn is_joined(&self, at: u32) -> bool {
        self.last_before(at)
            .is_some_and(|edit| at < edit.until && at != edit.was_at)
    }
}

/// How a name is written at a place.
pub(crate) fn written(text: &str, at: u32, name: &str, suffix: Option<&str>) -> Written {
    let ends = |rest: &str| !rest.starts_with(index::token::is_word_char);
    let is = |at: u32, name: &str| {
        let rest = text.get(at as usize..).and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(ends)
    };
    let short = suffix.and_then(|suffix| name.strip_suffix(suffix));
    match (0..=1).find(|offset| is(at + offset, name)) {
        Some(offset) => Written::Name(offset),
        None if short.is_some_and(|short| is(at, short)) => Written::Short,
        None => Written::Other,
    }
}

/// Lines of both texts around what differs.
const CONTEXT: usize = 3;

/// The difference of two texts, as `git apply` takes it.
pub(crate) fn unified(before: &str, after: &str) -> String {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let before: Vec<&str> = before.split_inclusive('\n').collect();
    let after: Vec<&str> = after.split_inclusive('\n').collect();
    let hunks = diff.hunks().map(|hunk| {
        let lines = |range: Range<u32>| range.start as usize..range.end as usize;
        (lines(hunk.before), lines(hunk.after))
    });
    let hunks: Vec<(Range<usize>, Range<usize>)> = hunks.collect();
    let mut text = String::new();
    let add = |text: &mut String, mark: char, line: &str| {
        text.push(mark);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    };
    // What is no further apart than what is shown around it is shown together.
    for near in hunks.chunk_by(|one, next| next.0.start - one.0.end <= 2 * CONTEXT) {
        let (Some((first, first_after)), Some((last, last_after))) = (near.first(), near.last()) else {
            continue;
        };
        let above = first.start.min(CONTEXT);
        let below = (before.len() - last.end).min(CONTEXT);
        let (start, end) = (first.start - above, last.end + below);
        let (start_after, end_after) = (first_after.start - above, last_after.end + below);
        // A side without lines is named by the line before it.
        let side = |start: usize, end: usize| format!("{},{}", start + usize::from(end > start), end - start);
        text += &format!("@@ -{} +{} @@\n", side(start, end), side(start_after, end_after));
        let mut shown = start;
        for (removed, added) in near {
            before[shown..removed.start]
                .iter()
                .for_each(|line| add(&mut text, ' ', line));
            before[removed.clone()]
                .iter()
                .for_each(|line| add(&mut text, '-', line));
            after[added.clone()].iter().for_each(|line| add(&mut text, '+', line));
            shown = removed.end;
        }
        before[shown..end].iter().for_each(|line| add(&mut text, ' ', line));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_move_by_what_is_edited_before_them() {
        let site = |at: u32, text: &str, offset: u32| Site {
            edit: Edit {
                at,
                len: 3,
                text: text.into(),
            },
            offset,
            was_at: at,
            kind: SiteKind::Definition,
            confidence: 1.0,
        };
        let moved = Moved::new(&[site(4, "longer", 0), site(10, "old: new", 5)]);
        assert_eq!([0, 4, 8, 10, 14].map(|at| moved.to(at)), [0, 4, 11, 18, 22]);
        assert_eq!([4, 5, 8].map(|at| moved.is_joined(at)), [false, true, false]);
    }

    #[test]
    fn differences_say_where_they_begin() {
        let lines = |count: usize| (1..=count).map(|line| format!("line {line}\n")).collect::<String>();
        let cases = [
            (lines(3), 2, "@@ -1,3 +1,3 @@"),
            (lines(20), 5, "@@ -2,7 +2,7 @@"),
            (lines(20), 7, "@@ -4,7 +4,7 @@"),
            (lines(20), 20, "@@ -17,4 +17,4 @@"),
        ];
        for (before, line, expected) in cases {
            let after = before.replace(&format!("line {line}\n"), "other\n");
            let diff = unified(&before, &after);
            assert_eq!(diff.lines().next(), Some(expected), "{diff}");
            assert!(diff.contains(&format!("-line {line}\n+other\n")), "{diff}");
        }
        let before = lines(30).replace("line 9\n", "").replace("line 30\n", "end");
        let after = before
            .replace("line 2\n", "2\n")
            .replace("line 8\n", "8\n")
            .replace("end", "END");
        let diff = unified(&before, &after);
        let heads: Vec<&str> = diff.lines().filter(|line| line.starts_with("@@")).collect();
        assert_eq!(heads, ["@@ -1,11 +1,11 @@", "@@ -26,4 +26,4 @@"], "{diff}");
        assert!(
            diff.ends_with("-end\n\\ No newline at end of file\n+END\n\\ No newline at end of file\n"),
            "{diff}"
        );
    }

    #[test]
    fn a_name_may_have_a_sigil() {
        let cases = [
            ("foo(1)", 0, Written::Name(0)),
            ("$foo;", 0, Written::Name(1)),
            ("\"foo\"", 0, Written::Name(1)),
            ("food", 0, Written::Other),
            ("[Fast]", 1, Written::Short),
        ];
        for (text, at, expected) in cases {
            let (name, suffix) = match expected {
                Written::Short => ("FastAttribute", Some("Attribute")),
                _ => ("foo", None),
            };
            assert!(written(text, at, name, suffix) == expected, "{text}");
        }
    }
}
