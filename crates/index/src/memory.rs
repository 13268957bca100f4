//! Memories: what was noted about a workspace, in a SQLite file of its own that no indexing touches.
//!
//! Many processes may write: each call is one transaction, and waits for others. A file that cannot be read is moved aside
//! whole, and that it was is told for as long as it lies there.

use std::{
    fs::File,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};

use crate::{
    catalog,
    error::{StoreError, StoreErrorKind},
    store::create_private_dir,
    token,
};

/// One note.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Memory {
    pub id: String,
    /// `checkpoint`, `decision`, `plan` and so on.
    pub kind: String,
    /// Milliseconds since 1970.
    pub created_ms: i64,
    pub updated_ms: i64,
    pub title: String,
    pub body: String,
    pub tags: Vec<String>,
    pub branch: Option<String>,
    pub commit: Option<String>,
    /// Of a plan: how far it is, and whether it is the one that is worked on.
    pub status: Option<String>,
    pub is_active: bool,
    pub links: Vec<MemoryLink>,
    /// The model's id and the vector that it made of the text.
    pub vector: Option<(String, Vec<i8>)>,
}

/// Something in the workspace that a memory speaks of, as it was when it was noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryLink {
    /// Nothing for a file.
    pub symbol: Option<String>,
    pub path: String,
    pub line: u32,
}

/// Which memories are wanted.
#[derive(Debug, Clone, Default)]
pub struct MemoryFilter {
    /// All kinds if there are none.
    pub kinds: Vec<String>,
    pub since_ms: Option<i64>,
    pub until_ms: Option<i64>,
}

pub const MEMORY_FILE: &str = "memory.db";

/// How each version of the format is made of the one before. The file's `user_version` says how many were applied.
const UPGRADES: &[&str] = &[
    // 1: memories, their links, and an index of their words.
    "CREATE TABLE memory (
        rowid INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL,
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        tags TEXT NOT NULL,
        branch TEXT,
        commit_id TEXT,
        status TEXT,
        is_active INTEGER NOT NULL DEFAULT 0,
        model TEXT,
        vector BLOB
    );
    CREATE INDEX memory_created ON memory (created_ms);
    CREATE TABLE link (memory INTEGER NOT NULL, symbol TEXT, path TEXT NOT NULL, line INTEGER NOT NULL);
    CREATE INDEX link_memory ON link (memory);
    CREATE VIRTUAL TABLE memory_words USING fts5 (text, tokenize = \"unicode61 remove_diacritics 0 tokenchars '_'\");",
];

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(10);

/// Between tags; no tag has it.
const TAG_END: char = '\n';

pub struct MemoryStore {
    connection: Connection,
    dir: PathBuf,
}

impl MemoryStore {
    /// How many memories a directory holds, without making any.
    pub fn count_in(dir: &Path) -> Result<usize, StoreError> {
        if !dir.join(MEMORY_FILE).exists() {
            return Ok(0);
        }
        MemoryStore::open(dir)?.count()
    }

    /// Opens the memories in a directory, which may have none yet. A damaged file is moved aside.
    pub fn open(dir: &Path) -> Result<MemoryStore, StoreError> {
        let fail = |kind: StoreErrorKind| kind.at(dir);
        create_private_dir(dir).map_err(|error| fail(error.into()))?;
        // Making, upgrading and moving aside are one process' work at a time.
        let lock = File::create(dir.join("memory.lock")).map_err(|error| fail(error.into()))?;
        lock.lock().map_err(|error| fail(error.into()))?;
        let connection = match connect(dir) {
            Err(StoreErrorKind::Catalog { error }) if is_damage(&error) => {
                move_aside(dir).map_err(|error| fail(error.into()))?;
                connect(dir)
            }
            other => other,
        };
        Ok(MemoryStore {
            connection: connection.map_err(fail)?,
            dir: dir.to_owned(),
        })
    }

    /// Files that could not be read and were moved aside.
    pub fn damaged(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let is_one = |name: &str| {
            name.strip_prefix(MEMORY_FILE)
                .is_some_and(|rest| is_number(rest, ".damaged-"))
        };
        let mut found: Vec<PathBuf> = entries
            .filter(|entry| entry.file_name().to_str().is_some_and(is_one))
            .map(|entry| entry.path())
            .collect();
        found.sort();
        found
    }

    pub fn count(&self) -> Result<usize, StoreError> {
        let count = self
            .connection
            .query_row("SELECT count(*) FROM memory", [], |row| row.get::<_, i64>(0));
        self.told(count.map(|count| count as usize))
    }

    /// Adds a memory, or replaces the one of its id.
    pub fn put(&mut self, memory: &Memory) -> Result<(), StoreError> {
        let result = put(&mut self.connection, memory);
        self.told(result)
    }

    pub fn get(&self, id: &str) -> Result<Option<Memory>, StoreError> {
        let found = self
            .connection
            .query_row(&format!("{SELECT} WHERE id = ?1"), [id], read)
            .optional();
        let found = self.told(found)?;
        found.map(|memory| self.with_links(memory)).transpose()
    }

    /// All that a filter allows, the newest first.
    pub fn list(&self, filter: &MemoryFilter) -> Result<Vec<Memory>, StoreError> {
        let listed = || {
            let sql = format!(
                "{SELECT} WHERE created_ms >= ?1 AND created_ms < ?2 ORDER BY created_ms DESC, memory.rowid DESC"
            );
            let mut statement = self.connection.prepare(&sql)?;
            let bounds = params![filter.since_ms.unwrap_or(i64::MIN), filter.until_ms.unwrap_or(i64::MAX)];
            statement.query_map(bounds, read)?.collect::<Result<Vec<_>, _>>()
        };
        let mut found = self.told(listed())?;
        found.retain(|(_, memory)| filter.kinds.is_empty() || filter.kinds.contains(&memory.kind));
        found.into_iter().map(|memory| self.with_links(memory)).collect()
    }

    /// The ids of memories with some of a query's words, best first.
    pub fn with_words(&self, query: &str) -> Result<Vec<String>, StoreError> {
        let words: Vec<String> = words_of(query)
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(|word| format!("\"{word}\""))
            .collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let found = || {
            let sql = "SELECT memory.id FROM memory_words JOIN memory ON memory.rowid = memory_words.rowid
                WHERE memory_words MATCH ?1 ORDER BY bm25(memory_words), memory.created_ms DESC";
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([words.join(" OR ")], |row| row.get(0))?;
            rows.collect::<Result<Vec<String>, _>>()
        };
        self.told(found())
    }

    fn with_links(&self, (rowid, mut memory): (i64, Memory)) -> Result<Memory, StoreError> {
        let links = || {
            let sql = "SELECT symbol, path, line FROM link WHERE memory = ?1 ORDER BY rowid";
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map([rowid], |row| {
                Ok(MemoryLink {
                    symbol: row.get(0)?,
                    path: row.get(1)?,
                    line: row.get(2)?,
                })
            })?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        memory.links = self.told(links())?;
        Ok(memory)
    }

    fn told<T>(&self, result: Result<T, rusqlite::Error>) -> Result<T, StoreError> {
        result.map_err(|error| StoreErrorKind::from(error).at(&self.dir))
    }
}

const SELECT: &str = "SELECT memory.rowid, id, kind, created_ms, updated_ms, title, body, tags, branch, commit_id, status, \
    is_active, model, vector FROM memory";

fn read(row: &Row<'_>) -> rusqlite::Result<(i64, Memory)> {
    let tags: String = row.get(7)?;
    let model: Option<String> = row.get(12)?;
    let vector: Option<Vec<u8>> = row.get(13)?;
    let memory = Memory {
        id: row.get(1)?,
        kind: row.get(2)?,
        created_ms: row.get(3)?,
        updated_ms: row.get(4)?,
        title: row.get(5)?,
        body: row.get(6)?,
        tags: tags
            .split(TAG_END)
            .filter(|tag| !tag.is_empty())
            .map(str::to_owned)
            .collect(),
        branch: row.get(8)?,
        commit: row.get(9)?,
        status: row.get(10)?,
        is_active: row.get(11)?,
        links: Vec::new(),
        vector: model.zip(vector.map(|bytes| bytes.into_iter().map(u8::cast_signed).collect())),
    };
    Ok((row.get(0)?, memory))
}

fn put(connection: &mut Connection, memory: &Memory) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let (model, vector) = match &memory.vector {
        Some((model, vector)) => {
            let bytes: Vec<u8> = vector.iter().map(|value| value.cast_unsigned()).collect();
            (Some(model), Some(bytes))
        }
        None => (None, None),
    };
    let rowid: i64 = transaction.query_row(
        "INSERT INTO memory (id, kind, created_ms, updated_ms, title, body, tags, branch, commit_id, status, is_active,
            model, vector) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, created_ms = excluded.created_ms,
            updated_ms = excluded.updated_ms, title = excluded.title, body = excluded.body, tags = excluded.tags,
            branch = excluded.branch, commit_id = excluded.commit_id, status = excluded.status,
            is_active = excluded.is_active, model = excluded.model, vector = excluded.vector
         RETURNING rowid",
        params![
            memory.id,
            memory.kind,
            memory.created_ms,
            memory.updated_ms,
            memory.title,
            memory.body,
            memory.tags.join("\n"),
            memory.branch,
            memory.commit,
            memory.status,
            memory.is_active,
            model,
            vector,
        ],
        |row| row.get(0),
    )?;
    if memory.is_active {
        transaction.execute(
            "UPDATE memory SET is_active = FALSE WHERE is_active AND id != ?1",
            [&memory.id],
        )?;
    }
    transaction.execute("DELETE FROM link WHERE memory = ?1", [rowid])?;
    for link in &memory.links {
        transaction.execute(
            "INSERT INTO link (memory, symbol, path, line) VALUES (?1, ?2, ?3, ?4)",
            params![rowid, link.symbol, link.path, link.line],
        )?;
    }
    let text = format!("{}\n{}\n{}", memory.title, memory.body, memory.tags.join(" "));
    transaction.execute("DELETE FROM memory_words WHERE rowid = ?1", [rowid])?;
    transaction.execute(
        "INSERT INTO memory_words (rowid, text) VALUES (?1, ?2)",
        params![rowid, words_of(&text)],
    )?;
    transaction.commit()
}

/// The words of a text and the parts of those that have some, as code is searched.
fn words_of(text: &str) -> String {
    let mut out = String::new();
    for word in token::words(text) {
        let parts = token::parts(word).filter(|part| *part != word);
        for word in std::iter::once(word).chain(parts) {
            out.push_str(&token::fold(word));
            out.push(' ');
        }
    }
    out
}

fn connect(dir: &Path) -> Result<Connection, StoreErrorKind> {
    let mut connection = Connection::open(dir.join(MEMORY_FILE))?;
    connection.busy_timeout(PATIENCE)?;
    catalog::set_journal_mode(&connection, &dir.join(MEMORY_FILE), PATIENCE)?;
    let check: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if check != "ok" {
        let damage = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        return Err(rusqlite::Error::SqliteFailure(damage, Some(check)).into());
    }
    let version = |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get::<_, u32>(0));
    let (found, known) = (version(&connection)?, UPGRADES.len() as u32);
    if found > known {
        return Err(StoreErrorKind::Newer { found, known });
    }
    if found < known {
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        // Another process may have done so meanwhile.
        let found = version(&transaction)?;
        for upgrade in UPGRADES.iter().skip(found as usize) {
            transaction.execute_batch(upgrade)?;
        }
        transaction.pragma_update(None, "user_version", known.max(found))?;
        transaction.commit()?;
    }
    Ok(connection)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
    )
}

fn is_number(rest: &str, prefix: &str) -> bool {
    rest.strip_prefix(prefix)
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Gives the file and what belongs to it another name.
fn move_aside(dir: &Path) -> std::io::Result<()> {
    let aside = |number: u32, suffix: &str| dir.join(format!("{MEMORY_FILE}.damaged-{number}{suffix}"));
    let number = (1..).find(|number| !aside(*number, "").exists()).unwrap_or(1);
    for suffix in ["-wal", "-shm", ""] {
        let from = dir.join(format!("{MEMORY_FILE}{suffix}"));
        match std::fs::rename(&from, aside(number, suffix)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
