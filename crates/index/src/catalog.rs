//! The catalog: which files there are and what is known of each. SQLite.

use std::{
    borrow::Cow,
    hash::BuildHasher,
    path::Path,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode::DatabaseBusy, OptionalExtension, Transaction, TransactionBehavior, params};
use rustc_hash::FxBuildHasher;
use source::{SkipReason, Stat};

use crate::{
    error::StoreErrorKind,
    file_system::FileSystem,
    file_table::FileTable,
    packed::Packed,
    vectors::{SegmentChanges, SegmentRow},
};

/// What a note begins with that says why a file is not parsed, and what stands between the notes on a file.
pub const TEXT_ONLY: &str = "searched as text only: ";
pub const NOTES: &str = "; ";

/// One file of the workspace, indexed or skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// Stands for this content of this path: a changed file gets a new id, ids are never used again.
    pub id: u64,
    pub path: Box<str>,
    pub lang: &'static str,
    /// Which extraction of the language its facts are from, see `syntax::Lang::extraction`.
    pub extraction: u32,
    /// Whether this build extracts other facts from such a file than the index has of it.
    pub is_outdated: bool,
    pub stat: Stat,
    /// When `stat` was taken, in the clock of `stat.mtime_ns`.
    pub checked_ns: i64,
    pub hash: [u8; 32],
    pub state: FileState,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// `note` tells what a reader should know, such as a guessed encoding.
    Indexed {
        lines: u32,
        chunks: u32,
        note: Option<Box<str>>,
    },
    Skipped {
        reason: SkipReason,
    },
}

impl FileRow {
    pub fn is_indexed(&self) -> bool {
        matches!(self.state, FileState::Indexed { .. })
    }

    pub fn chunks(&self) -> u32 {
        match self.state {
            FileState::Indexed { chunks, .. } => chunks,
            FileState::Skipped { .. } => 0,
        }
    }

    /// Whether these are the bytes that were indexed.
    pub fn is_content(&self, bytes: &[u8]) -> bool {
        content_hash(self.lang, self.extraction, bytes) == self.hash
    }

    /// Tells whether a row that was read is the one that was written. Without `extraction`: where that is wrong, the file is
    /// read again.
    fn seal(&self) -> i64 {
        let mut hasher = blake3::Hasher::new();
        let Stat {
            size,
            mtime_ns,
            ctime_ns,
            inode,
        } = self.stat;
        let numbers = [
            self.id as i64,
            size as i64,
            mtime_ns,
            ctime_ns,
            inode as i64,
            self.checked_ns,
        ];
        for number in numbers {
            hasher.update(&number.to_le_bytes());
        }
        let state = match &self.state {
            FileState::Indexed { lines, chunks, note } => {
                hasher.update(&lines.to_le_bytes()).update(&chunks.to_le_bytes());
                note.as_deref().map(Cow::Borrowed)
            }
            FileState::Skipped { reason } => Some(Cow::Owned(reason.to_string())),
        };
        for text in [&*self.path, self.lang, &*state.unwrap_or_default()] {
            hasher.update(text.as_bytes()).update(&[0]);
        }
        hasher.update(&self.hash);
        let hash = hasher.finalize();
        i64::from_le_bytes(
            hash.as_bytes()[..8]
                .try_into()
                .expect("a hash has more than eight bytes"),
        )
    }

    /// Why it could not be parsed, if it is searched as text for that reason.
    pub fn unparsed_reason(&self) -> Option<&str> {
        match &self.state {
            FileState::Indexed { note: Some(note), .. } => {
                note.split(NOTES).find_map(|part| part.strip_prefix(TEXT_ONLY))
            }
            _ => None,
        }
    }

    pub(crate) fn is_unparsed(&self) -> bool {
        self.unparsed_reason().is_some()
    }

    /// Stands for its path and content.
    pub(crate) fn digest(&self) -> u64 {
        FxBuildHasher.hash_one((&self.path, &self.hash))
    }

    pub fn skip_reason(&self) -> Option<&SkipReason> {
        match &self.state {
            FileState::Skipped { reason } => Some(reason),
            FileState::Indexed { .. } => None,
        }
    }
}

/// The identity of a file's facts: they follow from the bytes, the language, and how it is extracted.
pub(crate) fn content_hash(lang: &str, extraction: u32, bytes: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(lang.as_bytes()).update(&[0]);
    hasher.update(&extraction.to_le_bytes()).update(bytes);
    hasher.finalize().into()
}

/// Which commit it is. The number alone does not tell: after a power failure the text index may hold a commit that the
/// catalog lost, and the next commit gets the same number with other content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CommitId {
    pub generation: u64,
    /// Random, so that no two commits share it; 0 where nothing was ever committed.
    pub token: u64,
}

impl CommitId {
    /// The id of a new commit with this number.
    pub fn new(generation: u64) -> CommitId {
        CommitId {
            generation,
            token: random().max(1),
        }
    }
}

/// As the payload of the text index's commit has it.
impl std::fmt::Display for CommitId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:016x}", self.generation, self.token)
    }
}

impl std::str::FromStr for CommitId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<CommitId, Self::Err> {
        let (generation, token) = text.split_once(' ').unwrap_or((text, "0"));
        Ok(CommitId {
            generation: generation.parse()?,
            token: u64::from_str_radix(token, 16)?,
        })
    }
}

fn random() -> u64 {
    std::hash::RandomState::new().hash_one(0)
}

/// The last commit and what belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Head {
    pub id: CommitId,
    /// False while a first or large indexing run is under way or was interrupted.
    pub complete: bool,
    /// When the commit was made, in seconds since 1970; 0 if there is none.
    pub committed_at: i64,
}

/// What a stored commit holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// What the settings are called that it was made with.
    pub fingerprint: Option<String>,
    pub generation: u64,
    /// False while a first or large indexing run is under way or was interrupted.
    pub complete: bool,
    /// In seconds since 1970.
    pub committed_at: i64,
    /// It has no file, not even a skipped one.
    pub is_empty: bool,
    /// Indexed files, and their chunks and bytes.
    pub files: usize,
    pub chunks: u64,
    pub source_bytes: u64,
}

/// What one commit does.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub id: CommitId,
    pub removed: Vec<u64>,
    pub touched: Vec<(u64, Stat, i64)>,
    pub added: Vec<(FileRow, Packed)>,
    pub next_id: u64,
    pub complete: bool,
    pub committed_at: i64,
}

/// Facts of contents that no file has any more may take this part of what those of all files take. They save parsing when
/// a content comes back, as with a change of branches and back.
const ORPHAN_SHARE: i64 = 4;

/// A catalog is rewritten when this part of it is unused, and so many bytes are.
const UNUSED_SHARE: i64 = 4;
const MIN_UNUSED_BYTES: i64 = 1 << 20;

pub(crate) struct Catalog {
    conn: Connection,
    /// Which file it is, where the system tells.
    file: Option<(u64, u64)>,
}

/// What stands in a catalog file that was there before.
pub(crate) enum Found {
    Current(Catalog),
    Older(Catalog, u32),
}

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS files (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, lang TEXT NOT NULL, extraction INTEGER NOT NULL,
        size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,
        inode INTEGER NOT NULL, checked_ns INTEGER NOT NULL,
        hash BLOB NOT NULL, lines INTEGER NOT NULL, chunks INTEGER NOT NULL, note TEXT, skipped TEXT,
        seal INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS files_hash ON files (hash);
    CREATE TABLE IF NOT EXISTS facts (
        hash BLOB NOT NULL PRIMARY KEY, chunks BLOB NOT NULL, facts BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS orphan_facts (
        hash BLOB PRIMARY KEY, since INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS orphan_facts_since ON orphan_facts (since, hash);
    CREATE TABLE IF NOT EXISTS vectors (
        name TEXT PRIMARY KEY, rows INTEGER NOT NULL, generation INTEGER NOT NULL, hash BLOB NOT NULL) WITHOUT ROWID;
";

/// How long one process waits for another's transaction.
const PATIENCE: Duration = Duration::from_secs(5);

/// With the format, what kind of file it is: a format that is said twice is not one that damage has made up.
const MARK: u32 = 0x504f_0000;

impl Catalog {
    /// Opens or creates the catalog. The caller decides what to do with an older format.
    pub fn open(path: &Path, format: u32) -> Result<Found, StoreErrorKind> {
        let conn = Connection::open(path)?;
        conn.busy_timeout(PATIENCE)?;
        let found: u32 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if found > format {
            let id: u32 = conn.query_row("PRAGMA application_id", [], |row| row.get(0))?;
            return Err(if id == MARK | found {
                StoreErrorKind::Newer { found, known: format }
            } else {
                StoreErrorKind::Damaged { what: "the catalog" }
            });
        }
        set_journal_mode(&conn, path, PATIENCE)?;
        // Durable when it returns: files that a commit no longer names are deleted right after it, and after a power failure
        // no earlier commit must come back that names them.
        conn.execute_batch("PRAGMA synchronous = FULL; PRAGMA cache_size = -4096;")?;
        let file = identity(path);
        let catalog = Catalog { conn, file };
        match found {
            0 => {
                catalog.create(format)?;
                Ok(Found::Current(catalog))
            }
            found if found == format => Ok(Found::Current(catalog)),
            older => Ok(Found::Older(catalog, older)),
        }
    }

    /// One that holds nothing, in place of one that is to be closed.
    pub fn nowhere() -> Result<Catalog, StoreErrorKind> {
        let conn = Connection::open_in_memory()?;
        Ok(Catalog { conn, file: None })
    }

    /// The catalog of another store, if it is of this format.
    pub fn open_to_read(path: &Path, format: u32) -> Option<Catalog> {
        let conn = Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
        conn.busy_timeout(Duration::from_secs(1)).ok()?;
        let found: u32 = conn.query_row("PRAGMA user_version", [], |row| row.get(0)).ok()?;
        (found == format).then_some(Catalog { conn, file: None })
    }

    pub fn format_of(path: &Path) -> Result<u32, StoreErrorKind> {
        let conn = Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        Ok(conn.query_row("PRAGMA user_version", [], |row| row.get(0))?)
    }

    /// Whether the file is still the one at `path`: another process may have begun anew.
    pub fn is_at(&self, path: &Path) -> bool {
        self.file == identity(path)
    }

    /// Reads everything, and compares facts with their seals.
    pub fn verify(&mut self) -> Result<(), StoreErrorKind> {
        let sound: String = self.conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if sound != "ok" {
            return Err(StoreErrorKind::Damaged { what: "the catalog" });
        }
        self.load()?;
        let lacking: bool = self.conn.query_row(
            "SELECT EXISTS (SELECT 1 FROM files WHERE skipped IS NULL AND hash NOT IN (SELECT hash FROM facts))",
            [],
            |row| row.get(0),
        )?;
        if lacking {
            return Err(StoreErrorKind::Damaged {
                what: "what is known of a file",
            });
        }
        let mut select = self.conn.prepare("SELECT chunks, facts FROM facts")?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            packed(row)?.facts()?;
        }
        Ok(())
    }

    fn create(&self, format: u32) -> Result<(), StoreErrorKind> {
        self.conn.execute_batch(&format!(
            "BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {format}; PRAGMA application_id = {}; COMMIT;",
            MARK | format
        ))?;
        Ok(())
    }

    /// Forgets everything but the generation, which goes on, so that other readers notice.
    pub fn reset(&mut self, format: u32, fingerprint: &str) -> Result<(), StoreErrorKind> {
        // A store that never held anything begins where an empty text index does.
        let id = match self.head() {
            Ok(head) if head.id == CommitId::default() => head.id,
            Ok(head) => CommitId::new(head.id.generation + 1),
            Err(_) => CommitId::new(1),
        };
        let next_id = self.next_id().unwrap_or(1);
        let transaction = self.conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction
            .execute_batch("DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS facts; DROP TABLE IF EXISTS spare; DROP TABLE IF EXISTS orphan_facts; DROP TABLE IF EXISTS vectors; DROP TABLE IF EXISTS exact; DROP TABLE IF EXISTS meta;")?;
        transaction.execute_batch(SCHEMA)?;
        set(&transaction, "commit", &id.to_string())?;
        set(&transaction, "next_id", &next_id.to_string())?;
        set(&transaction, "fingerprint", fingerprint)?;
        set(&transaction, "beginning", &random().to_string())?;
        transaction.pragma_update(None, "user_version", format)?;
        transaction.pragma_update(None, "application_id", MARK | format)?;
        transaction.commit()?;
        Ok(())
    }

    /// For what belongs to no commit.
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.conn
    }

    pub fn fingerprint(&self) -> Result<Option<String>, StoreErrorKind> {
        get(&self.conn, "fingerprint")
    }

    /// Another one after each `reset`, whoever did it.
    pub fn beginning(&self) -> Result<Option<String>, StoreErrorKind> {
        get(&self.conn, "beginning")
    }

    pub fn head(&self) -> Result<Head, StoreErrorKind> {
        head_of(&self.conn)
    }

    /// What the last commit holds, without reading its rows one by one.
    pub fn counts(&self) -> Result<Counts, StoreErrorKind> {
        let head = self.head()?;
        let fingerprint = self.fingerprint()?;
        let counts = self.conn.query_row(
            "SELECT COUNT(*), COUNT(*) FILTER (WHERE skipped IS NULL), \
             COALESCE(SUM(chunks) FILTER (WHERE skipped IS NULL), 0), \
             COALESCE(SUM(size) FILTER (WHERE skipped IS NULL), 0) FROM files",
            [],
            |row| {
                Ok(Counts {
                    fingerprint,
                    generation: head.id.generation,
                    complete: head.complete,
                    committed_at: head.committed_at,
                    is_empty: row.get::<_, i64>(0)? == 0,
                    files: row.get::<_, i64>(1)? as usize,
                    chunks: row.get::<_, i64>(2)? as u64,
                    source_bytes: row.get::<_, i64>(3)? as u64,
                })
            },
        )?;
        Ok(counts)
    }

    /// The commit before the last.
    pub fn parent(&self) -> Result<CommitId, StoreErrorKind> {
        commit_id(&self.conn, "parent")
    }

    pub fn next_id(&self) -> Result<u64, StoreErrorKind> {
        Ok(number(&self.conn, "next_id")?.max(1) as u64)
    }

    /// The head and every file, as of one commit.
    pub fn load(&mut self) -> Result<(Head, FileTable), StoreErrorKind> {
        let transaction = self.conn.transaction()?;
        let head = head_of(&transaction)?;
        let sealed = {
            let mut select = transaction.prepare_cached(
                "SELECT id, path, lang, size, mtime_ns, ctime_ns, inode, checked_ns, hash, lines, chunks, note, skipped, extraction, seal FROM files",
            )?;
            let rows = select.query_map([], |row| Ok((row_from_sql(row)?, row.get::<_, i64>(14)?)))?;
            rows.collect::<Result<Vec<_>, _>>()?
        };
        let all = sealed.iter().fold(0, |all: i64, (_, seal)| all.wrapping_add(*seal));
        let is_whole = all == number(&transaction, "seals")? && sealed.iter().all(|(row, seal)| row.seal() == *seal);
        transaction.commit()?;
        if !is_whole {
            return Err(StoreErrorKind::Damaged {
                what: "the list of files",
            });
        }
        Ok((head, FileTable::new(sealed.into_iter().map(|(row, _)| row).collect())))
    }

    /// The files of vectors, in the order of their names, and the commit that has them.
    pub fn vectors(&mut self) -> Result<(CommitId, Vec<SegmentRow>), StoreErrorKind> {
        let transaction = self.conn.transaction()?;
        let id = head_of(&transaction)?.id;
        let rows = {
            let mut select =
                transaction.prepare_cached("SELECT name, rows, generation, hash FROM vectors ORDER BY name")?;
            let rows = select.query_map([], |row| {
                Ok(SegmentRow {
                    name: row.get(0)?,
                    rows: row.get(1)?,
                    generation: row.get::<_, i64>(2)? as u64,
                    // A hash of another length belongs to no file.
                    hash: row.get::<_, Vec<u8>>(3)?.try_into().unwrap_or([0; 32]),
                })
            })?;
            rows.collect::<Result<Vec<_>, _>>()?
        };
        transaction.commit()?;
        Ok((id, rows))
    }

    /// The chunks of a file as they are stored.
    pub fn chunks(&self, hash: &[u8; 32]) -> Result<Option<Vec<u8>>, StoreErrorKind> {
        let mut select = self.conn.prepare_cached("SELECT chunks FROM facts WHERE hash = ?")?;
        Ok(select.query_row([hash.as_slice()], |row| row.get(0)).optional()?)
    }

    /// A file's facts as they are stored.
    pub fn facts(&self, hash: &[u8; 32]) -> Result<Option<Packed>, StoreErrorKind> {
        let mut select = self
            .conn
            .prepare_cached("SELECT chunks, facts FROM facts WHERE hash = ?")?;
        Ok(select.query_row([hash.as_slice()], packed).optional()?)
    }

    /// Gives room that nothing takes any more back to the file system, if it is much: the pages of what was deleted are
    /// used again, but a catalog that has become small stays large. Whoever is reading goes on meanwhile.
    pub fn shrink(&self) -> Result<(), StoreErrorKind> {
        let pragma = |name: &str| {
            self.conn
                .query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0))
        };
        let (unused, pages) = (pragma("freelist_count")?, pragma("page_count")?);
        if unused > pages / UNUSED_SHARE && unused * pragma("page_size")? > MIN_UNUSED_BYTES {
            self.conn.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")?;
        }
        Ok(())
    }

    /// Writes the changes and returns them uncommitted: all of them become true with `commit`, or none if dropped.
    pub fn stage(&mut self, changes: &Changes, vectors: &SegmentChanges) -> Result<Transaction<'_>, StoreErrorKind> {
        let transaction = self.conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut sums = Sums::read(&transaction)?;
        let unused = remove_files(&transaction, &changes.removed, &mut sums)?;
        touch_files(&transaction, &changes.touched, &mut sums)?;
        add_files(&transaction, &changes.added, &mut sums)?;
        keep_orphans(&transaction, &unused, changes.id.generation, &mut sums)?;
        drop_oldest_orphans(&transaction, &mut sums)?;
        sums.write(&transaction)?;
        for name in &vectors.dropped {
            transaction.execute("DELETE FROM vectors WHERE name = ?", [name])?;
        }
        if let Some(row) = &vectors.added {
            transaction.execute(
                "INSERT INTO vectors (name, rows, generation, hash) VALUES (?, ?, ?, ?)",
                params![row.name, row.rows, row.generation as i64, row.hash.as_slice()],
            )?;
        }
        let parent = head_of(&transaction)?.id;
        set(&transaction, "parent", &parent.to_string())?;
        set(&transaction, "commit", &changes.id.to_string())?;
        set(&transaction, "complete", if changes.complete { "1" } else { "0" })?;
        set(&transaction, "next_id", &changes.next_id.to_string())?;
        set(&transaction, "committed_at", &changes.committed_at.to_string())?;
        Ok(transaction)
    }
}

/// What is kept up to date with each row, so that a commit costs what it changes.
struct Sums {
    /// Of the seals of all files.
    seals: i64,
    /// Bytes of all facts, and of those that no file has.
    facts: i64,
    orphans: i64,
}

impl Sums {
    fn read(conn: &Connection) -> Result<Sums, StoreErrorKind> {
        Ok(Sums {
            seals: number(conn, "seals")?,
            facts: number(conn, "facts_bytes")?,
            orphans: number(conn, "orphan_bytes")?,
        })
    }

    fn write(&self, conn: &Connection) -> Result<(), StoreErrorKind> {
        set(conn, "seals", &self.seals.to_string())?;
        set(conn, "facts_bytes", &self.facts.to_string())?;
        set(conn, "orphan_bytes", &self.orphans.to_string())
    }
}

/// Takes files out. Returns the hashes of their contents.
fn remove_files(
    transaction: &Transaction<'_>,
    removed: &[u64],
    sums: &mut Sums,
) -> Result<Vec<Vec<u8>>, StoreErrorKind> {
    let mut delete = transaction.prepare_cached("DELETE FROM files WHERE id = ? RETURNING hash, seal")?;
    let mut unused = Vec::new();
    for id in removed {
        let gone = delete.query_row([*id as i64], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)));
        if let Some((hash, seal)) = gone.optional()? {
            unused.push(hash);
            sums.seals = sums.seals.wrapping_sub(seal);
        }
    }
    Ok(unused)
}

fn touch_files(
    transaction: &Transaction<'_>,
    touched: &[(u64, Stat, i64)],
    sums: &mut Sums,
) -> Result<(), StoreErrorKind> {
    let mut select = transaction.prepare_cached(
        "SELECT id, path, lang, size, mtime_ns, ctime_ns, inode, checked_ns, hash, lines, chunks, note, skipped, extraction FROM files WHERE id = ?",
    )?;
    let mut touch = transaction.prepare_cached(
        "UPDATE files SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5, checked_ns = ?6, seal = ?7 WHERE id = ?1",
    )?;
    for (id, stat, checked_ns) in touched {
        let Some(mut row) = select.query_row([*id as i64], row_from_sql).optional()? else {
            continue;
        };
        sums.seals = sums.seals.wrapping_sub(row.seal());
        (row.stat, row.checked_ns) = (*stat, *checked_ns);
        sums.seals = sums.seals.wrapping_add(row.seal());
        touch.execute(params![
            *id as i64,
            stat.size as i64,
            stat.mtime_ns,
            stat.ctime_ns,
            stat.inode as i64,
            checked_ns,
            row.seal()
        ])?;
    }
    Ok(())
}

fn add_files(
    transaction: &Transaction<'_>,
    added: &[(FileRow, Packed)],
    sums: &mut Sums,
) -> Result<(), StoreErrorKind> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO files
             (id, path, lang, size, mtime_ns, ctime_ns, inode, checked_ns, hash, lines, chunks, note, skipped, extraction, seal)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    let mut keep = transaction.prepare_cached("INSERT OR IGNORE INTO facts (hash, chunks, facts) VALUES (?, ?, ?)")?;
    let mut adopt = transaction.prepare_cached("DELETE FROM orphan_facts WHERE hash = ? RETURNING bytes")?;
    for (row, packed) in added {
        let (lines, chunks, note, skipped) = match &row.state {
            FileState::Indexed { lines, chunks, note } => (*lines, *chunks, note.as_deref(), None),
            FileState::Skipped { reason } => (0, 0, None, Some(reason.to_string())),
        };
        insert.execute(params![
            row.id as i64,
            row.path,
            row.lang,
            row.stat.size as i64,
            row.stat.mtime_ns,
            row.stat.ctime_ns,
            row.stat.inode as i64,
            row.checked_ns,
            row.hash.as_slice(),
            lines,
            chunks,
            note,
            skipped,
            row.extraction,
            row.seal()
        ])?;
        sums.seals = sums.seals.wrapping_add(row.seal());
        if row.is_indexed() {
            if keep.execute(params![row.hash.as_slice(), packed.chunks, packed.facts])? > 0 {
                sums.facts += (packed.chunks.len() + packed.facts.len()) as i64;
            }
            let adopted = adopt.query_row([row.hash.as_slice()], |row| row.get::<_, i64>(0));
            sums.orphans -= adopted.optional()?.unwrap_or(0);
        }
    }
    Ok(())
}

/// Keeps facts of contents that no file has any more for a while.
fn keep_orphans(
    transaction: &Transaction<'_>,
    unused: &[Vec<u8>],
    generation: u64,
    sums: &mut Sums,
) -> Result<(), StoreErrorKind> {
    let mut keep = transaction.prepare_cached(
        "INSERT OR IGNORE INTO orphan_facts (hash, since, bytes)
         SELECT hash, ?2, length(chunks) + length(facts) FROM facts
         WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM files WHERE hash = ?1)
         RETURNING bytes",
    )?;
    for hash in unused {
        let kept = keep.query_row(params![hash, generation as i64], |row| row.get::<_, i64>(0));
        sums.orphans += kept.optional()?.unwrap_or(0);
    }
    Ok(())
}

fn drop_oldest_orphans(transaction: &Transaction<'_>, sums: &mut Sums) -> Result<(), StoreErrorKind> {
    let too_many = |sums: &Sums| sums.orphans > (sums.facts - sums.orphans) / ORPHAN_SHARE;
    let mut oldest = transaction.prepare_cached("SELECT hash, bytes FROM orphan_facts ORDER BY since, hash LIMIT 1")?;
    let mut drop_facts = transaction.prepare_cached("DELETE FROM facts WHERE hash = ?")?;
    let mut drop_orphan = transaction.prepare_cached("DELETE FROM orphan_facts WHERE hash = ?")?;
    while too_many(sums) {
        let oldest = oldest.query_row([], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, i64>(1)?)));
        let Some((hash, bytes)) = oldest.optional()? else {
            break;
        };
        drop_facts.execute([&hash])?;
        drop_orphan.execute([&hash])?;
        sums.facts -= bytes;
        sums.orphans -= bytes;
    }
    Ok(())
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = path.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// WAL where SQLite supports it: readers and the writer do not wait for each other then. On a shared file system the
/// processes cannot share the memory that it needs; there, changes stay in memory until the commit, since a writer that
/// runs out of it would lock readers out.
pub(crate) fn set_journal_mode(conn: &Connection, path: &Path, patience: Duration) -> Result<(), StoreErrorKind> {
    let dir = path.parent().unwrap_or(path);
    let pragmas = match FileSystem::of(dir) {
        FileSystem::Local => "PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 4194304;",
        FileSystem::Shared { .. } => "PRAGMA journal_mode = TRUNCATE; PRAGMA cache_spill = OFF;",
    };
    // SQLite does not wait for others here: two that meet at a new file would fail.
    let deadline = Instant::now() + patience;
    loop {
        match conn.execute_batch(pragmas) {
            Err(error) if error.sqlite_error_code() == Some(DatabaseBusy) && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(2));
            }
            outcome => return Ok(outcome?),
        }
    }
}

/// A file that is open cannot be replaced there.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

fn head_of(conn: &Connection) -> Result<Head, StoreErrorKind> {
    Ok(Head {
        id: commit_id(conn, "commit")?,
        complete: number(conn, "complete")? == 1,
        committed_at: number(conn, "committed_at")?,
    })
}

fn commit_id(conn: &Connection, key: &str) -> Result<CommitId, StoreErrorKind> {
    match get(conn, key)? {
        Some(id) => id.parse().map_err(|_| DAMAGED_HEAD),
        None => Ok(CommitId::default()),
    }
}

/// 0 if it was never set.
fn number(conn: &Connection, key: &str) -> Result<i64, StoreErrorKind> {
    let Some(value) = get(conn, key)? else { return Ok(0) };
    value.parse().map_err(|_| DAMAGED_HEAD)
}

const DAMAGED_HEAD: StoreErrorKind = StoreErrorKind::Damaged {
    what: "the catalog's head",
};

pub(crate) fn get(conn: &Connection, key: &str) -> Result<Option<String>, StoreErrorKind> {
    let mut select = conn.prepare_cached("SELECT value FROM meta WHERE key = ?")?;
    Ok(select.query_row([key], |row| row.get(0)).optional()?)
}

pub(crate) fn set(conn: &Connection, key: &str, value: &str) -> Result<(), StoreErrorKind> {
    let mut insert = conn.prepare_cached("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)")?;
    insert.execute([key, value])?;
    Ok(())
}

fn row_from_sql(row: &rusqlite::Row<'_>) -> rusqlite::Result<FileRow> {
    let lang: String = row.get(2)?;
    let lang = syntax::lang_by_name(&lang).unwrap_or(&syntax::PLAINTEXT);
    let extraction = row.get(13)?;
    let hash: Vec<u8> = row.get(8)?;
    let skipped: Option<String> = row.get(12)?;
    let state = match skipped {
        Some(reason) => FileState::Skipped {
            reason: SkipReason::parse(&reason),
        },
        None => FileState::Indexed {
            lines: row.get(9)?,
            chunks: row.get(10)?,
            note: row.get::<_, Option<String>>(11)?.map(Into::into),
        },
    };
    Ok(FileRow {
        id: row.get::<_, i64>(0)? as u64,
        path: row.get::<_, String>(1)?.into(),
        lang: lang.name,
        extraction,
        is_outdated: extraction < lang.extraction(),
        stat: Stat {
            size: row.get::<_, i64>(3)? as u64,
            mtime_ns: row.get(4)?,
            ctime_ns: row.get(5)?,
            inode: row.get::<_, i64>(6)? as u64,
        },
        checked_ns: row.get(7)?,
        // A hash of another length belongs to no content: the file is then read again.
        hash: hash.try_into().unwrap_or([0; 32]),
        state,
    })
}
/// Of a row with both columns.
fn packed(row: &rusqlite::Row<'_>) -> rusqlite::Result<Packed> {
    Ok(Packed {
        chunks: row.get(0)?,
        facts: row.get(1)?,
    })
}
