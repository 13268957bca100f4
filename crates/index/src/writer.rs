//! One commit, being made.

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use embed::Vector;
use source::{SkipReason, Stat};
use syntax::{FileFacts, Lang};
use tantivy::{IndexWriter, Term, indexer::LogMergePolicy};

use crate::{
    catalog::{self, Catalog, Changes, CommitId, FileRow, FileState},
    error::{StoreError, StoreErrorKind},
    file_table::FileTable,
    packed::Packed,
    segment::{NewSegment, NewText},
    store::{FORMAT, Store, WriteLock},
    text,
    vectors::{NewVectors, SegmentChanges},
};

/// The share of deleted documents at which a segment is rewritten: the index may be so much larger than a fresh one.
const MAX_DELETED: f32 = 0.2;

/// Holds the lock. Files may be added from several threads; nothing is visible before `commit`, and dropping the
/// writer without it leaves the last commit in force.
pub struct Writer<'s> {
    store: &'s Store,
    catalog: Mutex<Catalog>,
    text: IndexWriter,
    /// Segments that files were added to; a thread takes one for each file.
    segments: Mutex<Vec<NewSegment>>,
    files: Arc<FileTable>,
    /// Nothing was committed yet: `files` are still the newest.
    first: bool,
    generation: u64,
    next_id: AtomicU64,
    changes: Mutex<Changes>,
    vectors: Option<NewVectors<'s>>,
    /// Catalogs of other stores that may know contents which this one does not.
    kin: Vec<Mutex<Catalog>>,
    /// Whether facts of any content may be found.
    may_know: bool,
    _held: WriteLock,
}

/// A file as it was found on disk.
pub struct NewFile<'a> {
    /// From `Writer::reserve_ids`.
    pub id: u64,
    pub path: &'a str,
    pub lang: &'static Lang,
    pub stat: Stat,
    pub checked_ns: i64,
    pub hash: [u8; 32],
    pub body: Result<(&'a str, &'a FileFacts, Option<String>), SkipReason>,
}

/// The identity of the facts that this build extracts from a file.
pub fn content_hash(lang: &Lang, bytes: &[u8]) -> [u8; 32] {
    catalog::content_hash(lang.name, lang.extraction(), bytes)
}

impl<'s> Writer<'s> {
    pub(crate) fn begin(store: &'s Store, held: WriteLock) -> Result<Writer<'s>, StoreErrorKind> {
        let text = text::writer(&store.text)?;
        let mut merging = LogMergePolicy::default();
        // A file that is edited often leaves its former versions behind; merging takes them away.
        merging.set_del_docs_ratio_before_merge(MAX_DELETED);
        text.set_merge_policy(Box::new(merging));
        let (head, files) = store.files()?;
        let mut catalog = store.write_catalog()?;
        let next_id = catalog.next_id()?;
        let vectors = match &store.vectors {
            None => None,
            Some(vectors) => {
                let (_, rows) = catalog.vectors()?;
                Some(NewVectors::begin(vectors, &rows, &files, next_id))
            }
        };
        let generation = head.id.generation;
        let may_know = generation > 0;
        let next_id = AtomicU64::new(next_id);
        let changes = Mutex::new(Changes::default());
        Ok(Writer {
            store,
            catalog: Mutex::new(catalog),
            text,
            segments: Mutex::default(),
            files,
            first: true,
            generation,
            next_id,
            changes,
            vectors,
            kin: Vec::new(),
            may_know,
            _held: held,
        })
    }

    /// The files of the commit that was the last when this began, or when they were reloaded.
    pub fn files(&self) -> &FileTable {
        &self.files
    }

    /// Takes the own commits into account: the files are then those of the last one.
    pub fn reload_files(&mut self) -> Result<(), StoreError> {
        let (_, files) = self.store.files().map_err(|kind| kind.at(&self.store.dir))?;
        self.files = files;
        Ok(())
    }

    /// Ids for the next `n` files. Taken in the order of paths they make equal repositories equal indexes, whichever
    /// thread adds which file.
    pub fn reserve_ids(&self, n: usize) -> u64 {
        self.next_id.fetch_add(n as u64, Ordering::Relaxed)
    }

    /// Takes facts from the stores in these directories too, which must have been made with the same settings. One that
    /// cannot be read knows nothing.
    pub fn learn_from(&mut self, dirs: &[PathBuf]) {
        let catalogs = dirs
            .iter()
            .filter_map(|dir| Catalog::open_to_read(&dir.join("catalog.db"), FORMAT));
        self.kin = catalogs.map(Mutex::new).collect();
        self.may_know |= !self.kin.is_empty();
    }

    /// The facts of a content that was seen before. What cannot be read is not known.
    pub fn known_facts(&self, hash: &[u8; 32]) -> Option<FileFacts> {
        if !self.may_know {
            return None;
        }
        let in_catalog = |catalog: &Mutex<Catalog>| {
            let stored = locked(catalog).facts(hash);
            stored.ok()??.facts().ok()
        };
        in_catalog(&self.catalog).or_else(|| self.kin.iter().find_map(in_catalog))
    }

    pub fn remove(&self, row: &FileRow) {
        self.text
            .delete_term(Term::from_field_u64(self.store.fields.file, row.id));
        locked(&self.changes).removed.push(row.id);
    }

    /// Same content, other stat.
    pub fn touch(&self, row: &FileRow, stat: Stat, checked_ns: i64) {
        locked(&self.changes).touched.push((row.id, stat, checked_ns));
    }

    pub fn add(&self, file: NewFile<'_>) -> Result<(), StoreError> {
        self.add_inner(file).map_err(|kind| kind.at(&self.store.dir))
    }

    fn add_inner(&self, file: NewFile<'_>) -> Result<(), StoreErrorKind> {
        let id = file.id;
        let (state, facts) = match file.body {
            Ok((text, facts, note)) => {
                self.add_text(&NewText {
                    file: id,
                    lang: file.lang.name,
                    path: file.path,
                    text,
                    facts,
                })?;
                let chunks = facts.chunks.len() as u32;
                let state = FileState::Indexed {
                    lines: facts.lines.count(),
                    chunks,
                    note: note.map(Into::into),
                };
                (state, Packed::new(facts))
            }
            Err(reason) => (FileState::Skipped { reason }, Packed::default()),
        };
        let NewFile {
            path,
            lang,
            stat,
            checked_ns,
            hash,
            ..
        } = file;
        let row = FileRow {
            id,
            path: path.into(),
            lang: lang.name,
            extraction: lang.extraction(),
            is_outdated: false,
            stat,
            checked_ns,
            hash,
            state,
        };
        locked(&self.changes).added.push((row, facts));
        Ok(())
    }

    fn add_text(&self, new: &NewText<'_>) -> Result<(), StoreErrorKind> {
        let taken = locked(&self.segments).pop();
        let vectors = self.vectors.as_ref();
        let mut segment = taken.unwrap_or_else(|| {
            let model = vectors.and_then(NewVectors::model);
            NewSegment::new(self.store.fields, model.cloned())
        });
        let words = segment.add(new);
        if let Some(vectors) = vectors {
            vectors.add(new, &words);
        }
        if segment.is_full() {
            text::add_segment(&self.text, &mut segment)?;
        }
        locked(&self.segments).push(segment);
        Ok(())
    }

    /// Takes the vectors of all chunks of a file, in their order, for a store that has them made elsewhere. They are not
    /// kept if the file is not what it was any more.
    pub fn add_vectors(&mut self, file: &FileRow, vectors: &[Vector]) {
        let known = self.files.by_id(file.id);
        let is_same = known.is_some_and(|known| known.hash == file.hash && known.chunks() as usize == vectors.len());
        if let Some(new) = self.vectors.as_mut().filter(|_| is_same) {
            new.give(file.id, vectors);
        }
    }

    pub fn has_changes(&self) -> bool {
        let changes = locked(&self.changes);
        !(changes.added.is_empty() && changes.removed.is_empty() && changes.touched.is_empty())
    }

    /// Makes everything since the last commit visible as a new generation. `complete` says that nothing is left to do,
    /// `now` is the time in seconds since 1970.
    pub fn commit(&mut self, complete: bool, now: i64) -> Result<u64, StoreError> {
        let id = CommitId::new(self.generation + 1);
        let mut changes = std::mem::take(&mut *locked(&self.changes));
        let segments = std::mem::take(&mut *locked(&self.segments));
        changes.id = id;
        changes.complete = complete;
        changes.committed_at = now;
        changes.next_id = self.next_id.load(Ordering::Relaxed);
        // One of many batches is not worth a table of everything.
        let files = (self.first && complete).then_some(&*self.files);
        let (before, new) = (&self.files, &mut self.vectors);
        let write_vectors = || match new {
            Some(new) => new.write(&changes.removed, before, id.generation),
            None => Ok(SegmentChanges::default()),
        };
        let store = self.store;
        let catalog = self.catalog.get_mut().unwrap_or_else(PoisonError::into_inner);
        let segments = store
            .commit_all(catalog, &mut self.text, segments, files, &changes, write_vectors)
            .map_err(|kind| kind.at(&store.dir))?;
        if let Some(new) = &mut self.vectors {
            let rows = catalog.vectors().map_err(|kind| kind.at(&store.dir))?.1;
            new.committed(&segments, &rows);
        }
        self.first = false;
        self.generation = id.generation;
        Ok(id.generation)
    }

    /// Ends the writer, letting segment merges that the commits caused run to their end.
    pub fn finish(self) -> Result<(), StoreError> {
        let dir = self.store.dir.clone();
        // A catalog that stays larger than it must is no reason to fail: the next writer tries again.
        if let Err(error) = locked(&self.catalog).shrink() {
            tracing::debug!(dir = %dir.display(), %error, "the catalog is not made smaller");
        }
        self.text
            .wait_merging_threads()
            .map_err(|error| StoreErrorKind::from(error).at(&dir))
    }

    /// Whether the head says complete although this writer has nothing to change.
    pub fn was_complete(&self) -> bool {
        self.store.head().is_ok_and(|head| head.complete)
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    /// A reader gets an answer while the parts of a commit are being written.
    #[test]
    fn readers_do_not_wait_for_a_writer() {
        const PATIENCE: Duration = Duration::from_secs(60);
        let dir = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(dir.path(), "it", None).unwrap());
        let mut writer = store.writer(PATIENCE).unwrap();
        let (reading, (tell, told)) = (store.clone(), mpsc::channel());
        let write_vectors = || {
            std::thread::spawn(move || tell.send(reading.reader().is_ok()));
            assert_eq!(told.recv_timeout(PATIENCE), Ok(true), "a reader waits, or fails");
            Ok(SegmentChanges::default())
        };
        let changes = Changes {
            id: CommitId::new(1),
            ..Changes::default()
        };
        let catalog = writer.catalog.get_mut().unwrap();
        store
            .commit_all(catalog, &mut writer.text, Vec::new(), None, &changes, write_vectors)
            .unwrap();
        assert_eq!(store.reader().unwrap().generation(), 1);
    }
}
