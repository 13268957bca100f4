//! Files that are searched as text and were not parsed: what is defined and used in them is not known.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use index::{FileRow, token};
use syntax::lang_by_name;

use crate::{
    snapshot::Snapshot,
    walk::{MissedFiles, SkippedFile},
};

/// Those that an answer should have looked into, by path; noted while it is made.
#[derive(Debug, Default)]
pub(crate) struct NotLookedInto(Mutex<BTreeMap<String, String>>);

impl Snapshot {
    /// Every file that is searched as text only since it could not be parsed.
    pub fn unparsed(&self) -> Vec<SkippedFile> {
        let rows = self.reader.files().unparsed();
        rows.map(|(row, reason)| SkippedFile {
            path: row.path.to_string(),
            reason: reason.to_owned(),
        })
        .collect()
    }

    /// Notes that an answer depends on who defines or uses a name: in files that were not parsed and mention it, that is
    /// not known.
    pub(crate) fn depends_on(&self, name: &str, may_name: impl Fn(&FileRow) -> bool) {
        let is_code = |row: &FileRow| lang_by_name(row.lang).is_some_and(|lang| !lang.is_data());
        let unparsed = self.reader.files().unparsed();
        let mut unparsed = unparsed.filter(|(row, _)| is_code(row) && may_name(row)).peekable();
        // `empty?`, `#items`: the word in it.
        let word = token::words(name).max_by_key(|word| word.len());
        let (Some(_), Some(word)) = (unparsed.peek(), word) else {
            return;
        };
        // Where the index cannot tell, each of them may.
        let mentioning = self.reader.files_mentioning(word).ok();
        for (row, reason) in unparsed {
            if mentioning.as_ref().is_none_or(|files| files.contains(&row.id)) {
                self.note_unparsed(row, reason);
            }
        }
    }

    fn note_unparsed(&self, row: &FileRow, reason: &str) {
        let mut noted = self.not_looked_into.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.insert(row.path.to_string(), reason.to_owned());
    }

    /// What was noted so far.
    pub(crate) fn not_looked_into(&self) -> MissedFiles {
        let noted = self.not_looked_into.0.lock().unwrap_or_else(PoisonError::into_inner);
        MissedFiles::among(noted.iter().map(|(path, reason)| (path.as_str(), reason.as_str())))
    }
}
