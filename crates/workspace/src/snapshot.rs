//! One moment of a workspace, and reading from it. Every file that an answer cites is checked against the disk. What else can
//! be asked of it is the business of the crates above.

use std::sync::Arc;

use index::{FileRow, Reader};
use refresh::{MissedFiles, Progress, SkippedFile, is_content};
use sandbox::Undone;

use crate::{
    error::Error,
    exact::{ExactCoverage, ExactUse},
    session::Session,
    unparsed::NotLookedInto,
    workspace::Workspace,
};

pub struct IndexSnapshot {
    pub(crate) reader: Arc<Reader>,
    pub(crate) workspace: Arc<Workspace>,
    /// How far indexing is, if the index is behind the disk.
    pub(crate) pending: Option<Progress>,
    /// Why the index could not be brought up to date, if so.
    pub(crate) behind: Option<String>,
    pub(crate) exact_use: ExactUse,
    pub(crate) not_looked_into: NotLookedInto,
}

/// What an answer has looked at.
#[derive(Debug, Clone)]
pub struct Coverage {
    pub generation: u64,
    /// The same where the files and what is in them are the same.
    pub digest: u64,
    pub complete: bool,
    /// How many files are indexed, of how many that have to be, while that goes on.
    pub pending: Option<Progress>,
    /// Why the index could not be brought up to date: the answer is about an earlier state of the disk.
    pub behind: Option<String>,
    pub missed: MissedFiles,
    /// Files that could not be parsed and may define or use what was asked about.
    pub unparsed: MissedFiles,
    /// How many chunks have vectors, and of how many, while some have none that should.
    pub vectors: Option<(u64, u64)>,
    /// How exact it is; nothing where that was not asked for.
    pub exact: Option<ExactCoverage>,
    /// A rename that was cut off earlier.
    pub undone: Option<Arc<Undone>>,
    /// Where the root is in its repository, if it is not all of it: `packages/a`.
    pub part: Option<String>,
    /// There are files, and none of them counts.
    pub all_left_out: bool,
}

impl IndexSnapshot {
    pub fn session(&self) -> &Session {
        self.workspace.session()
    }

    /// Why the index could not be brought up to date, if so.
    pub fn behind(&self) -> Option<&str> {
        self.behind.as_deref()
    }

    /// The commit that it is of.
    pub fn reader(&self) -> &Arc<Reader> {
        &self.reader
    }

    pub fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// Whether every file is indexed as it is on disk.
    pub fn is_complete(&self) -> bool {
        self.reader.complete() && self.pending.is_none() && self.behind.is_none()
    }

    pub fn coverage(&self) -> Coverage {
        let rows = self.reader.files().rows();
        Coverage {
            generation: self.reader.generation(),
            digest: self.reader.files().digest(),
            complete: self.is_complete(),
            pending: self.pending,
            behind: self.behind.clone(),
            missed: MissedFiles::of_skipped(rows.filter_map(|row| Some((&*row.path, row.skip_reason()?)))),
            unparsed: self.not_looked_into(),
            vectors: self.vector_progress(),
            exact: self.exact_coverage(),
            undone: self.workspace.undone().cloned(),
            part: self.workspace.path_in_repo().map(str::to_owned),
            all_left_out: self.leaves_out_all(),
        }
    }

    /// Whether there is something in the directory, and none of it counts.
    pub fn leaves_out_all(&self) -> bool {
        if !self.reader.complete() || !self.reader.files().is_empty() {
            return false;
        }
        let mut entries = std::fs::read_dir(self.workspace.root().path())
            .into_iter()
            .flatten()
            .flatten();
        entries.any(|entry| entry.file_name() != ".git")
    }

    /// How many files are searched.
    pub fn file_count(&self) -> usize {
        self.reader.files().indexed().count()
    }

    /// Every file that was found and is not searched.
    pub fn skipped(&self) -> Vec<SkippedFile> {
        let rows = self.reader.files().rows();
        rows.filter_map(|row| {
            Some(SkippedFile {
                path: row.path.to_string(),
                reason: row.skip_reason()?.to_string(),
            })
        })
        .collect()
    }

    /// The file's bytes, if they are still the ones that were indexed.
    pub fn current_bytes(&self, row: &FileRow) -> Result<Vec<u8>, Error> {
        let limit = self.session().config.max_file_bytes;
        match self.workspace.root().read(&row.path, limit) {
            Ok((bytes, stat)) if is_content(row, &bytes, stat) => Ok(bytes),
            _ => Err(Error::Stale),
        }
    }

    pub fn row(&self, id: u64) -> Result<&FileRow, Error> {
        self.reader.files().by_id(id).ok_or(Error::Stale)
    }

    /// The same state of the workspace, for work beside the answers.
    pub fn detached(&self) -> IndexSnapshot {
        IndexSnapshot {
            reader: self.reader.clone(),
            workspace: self.workspace.clone(),
            pending: None,
            behind: None,
            exact_use: ExactUse::default(),
            not_looked_into: NotLookedInto::default(),
        }
    }

    /// What takes long is not gone on with once the workspace is closed.
    pub fn check_open(&self) -> Result<(), Error> {
        match self.workspace.background.is_stopped() {
            true => Err(Error::Closed),
            false => Ok(()),
        }
    }
}
