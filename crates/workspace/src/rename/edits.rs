//! Edits of one text: how a name is written where it is renamed, and where everything is afterwards.

use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};
use source::Edit;

use super::SiteKind;

/// An edit of a file with what it is about.
pub(super) struct Site {
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
pub(super) enum Written {
    /// As the name, so many bytes behind its place: a sigil, a quote.
    Name(u32),
    /// Without a suffix that goes without saying.
    Short,
    /// Otherwise: an alias.
    Other,
}

/// Where places of a text are once it is edited.
pub(super) struct Moved {
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
pub(super) fn written(text: &str, at: u32, name: &str, suffix: Option<&str>) -> Written {
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

pub(super) fn unified(before: &str, after: &str) -> String {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let printer = BasicLineDiffPrinter(&input.interner);
    diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input)
        .to_string()
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
