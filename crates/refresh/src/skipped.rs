//! Files that are not searched, and why.

use source::SkipReason;

/// A file that was found and is not searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedFile {
    pub path: String,
    pub reason: String,
}

/// Skipped files that could have held what was asked for: the first few, and how many there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissedFiles {
    pub shown: Vec<SkippedFile>,
    pub total: usize,
}

/// Missed files that an answer names.
const MISSED_SHOWN: usize = 2;

impl MissedFiles {
    /// Those among skipped files that could have held what was asked for.
    pub fn of_skipped<'f>(skipped: impl Iterator<Item = (&'f str, &'f SkipReason)>) -> MissedFiles {
        MissedFiles::of(skipped.filter(|(_, reason)| reason.is_missed()))
    }

    /// All of these, each with why it was not looked into.
    pub fn of<'f>(missed: impl Iterator<Item = (&'f str, impl ToString)>) -> MissedFiles {
        let mut files = MissedFiles::default();
        for (path, reason) in missed {
            files.total += 1;
            if files.shown.len() < MISSED_SHOWN {
                files.shown.push(SkippedFile {
                    path: path.to_owned(),
                    reason: reason.to_string(),
                });
            }
        }
        files
    }
}
