//! Files that are searched as text and were not parsed: what is defined and used in them is not known.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use index::{FileRow, token};
use refresh::{MissedFiles, SkippedFile};
use rustc_hash::FxHashSet;
use syntax::lang_by_name;

use crate::snapshot::IndexSnapshot;

/// Those that an answer should have looked into, by path; noted while it is made.
#[derive(Debug, Default)]
pub(crate) struct NotLookedInto(Mutex<BTreeMap<String, String>>);

impl IndexSnapshot {
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
    pub fn depends_on(&self, name: &str, may_name: impl Fn(&FileRow) -> bool) {
        // `empty?`, `#items`: the word in it.
        let Some(word) = token::words(name).max_by_key(|word| word.len()) else {
            return;
        };
        self.note_unparsed(may_name, || self.reader.files_mentioning(word).ok());
    }

    /// The same of all names that have something in them.
    pub fn depends_on_names_with(&self, part: &str, may_name: impl Fn(&FileRow) -> bool) {
        let pieces = token::pieces(part.as_bytes());
        let Some(piece) = pieces.iter().max_by_key(|piece| piece.folded.len()) else {
            return;
        };
        let files = || {
            let places = self.reader.places_of_piece(piece).ok()??;
            self.reader.files_at(&places).ok()
        };
        self.note_unparsed(may_name, files);
    }

    /// Notes those that have something; each, where the index cannot tell.
    fn note_unparsed(&self, may_name: impl Fn(&FileRow) -> bool, having: impl FnOnce() -> Option<FxHashSet<u64>>) {
        let is_code = |row: &FileRow| lang_by_name(row.lang).is_some_and(|lang| !lang.is_data());
        let unparsed = self.reader.files().unparsed();
        let mut unparsed = unparsed.filter(|(row, _)| is_code(row) && may_name(row)).peekable();
        if unparsed.peek().is_none() {
            return;
        }
        let having = having();
        let mut noted = self.not_looked_into.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (row, reason) in unparsed {
            if having.as_ref().is_none_or(|files| files.contains(&row.id)) {
                noted.insert(row.path.to_string(), reason.to_owned());
            }
        }
    }

    /// What was noted so far.
    pub fn not_looked_into(&self) -> MissedFiles {
        let noted = self.not_looked_into.0.lock().unwrap_or_else(PoisonError::into_inner);
        MissedFiles::of(noted.iter().map(|(path, reason)| (path.as_str(), reason)))
    }
}
