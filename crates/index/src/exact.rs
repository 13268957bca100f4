//! What an exact analysis has said, kept for the contents that it was about. Belongs to no commit: losing it costs time
//! and nothing else.

use std::time::Duration;

use rusqlite::{TransactionBehavior, params};

use crate::{
    catalog::{get, set},
    error::{StoreError, StoreErrorKind},
    store::{Store, lock},
};

/// What a name at a place means: a place of a definition, or a number without one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactRow {
    pub path: String,
    pub at: u32,
    /// Empty where it is no definition of the workspace; `target_at` then says what it is.
    pub target: String,
    pub target_at: u32,
}

/// The key of the contents that the rows are about.
const KEY: &str = "exact_key";

const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS exact (
    path TEXT NOT NULL, at INTEGER NOT NULL, target TEXT NOT NULL, target_at INTEGER NOT NULL,
    PRIMARY KEY (path, at, target, target_at)) WITHOUT ROWID;";

impl Store {
    /// What is kept for these contents.
    pub fn exact(&self, key: &str) -> Result<Vec<ExactRow>, StoreError> {
        let read = || -> Result<Vec<ExactRow>, StoreErrorKind> {
            let mut catalog = self.catalog();
            let conn = catalog.connection();
            if get(conn, KEY)?.as_deref() != Some(key) {
                return Ok(Vec::new());
            }
            let mut select = conn.prepare_cached("SELECT path, at, target, target_at FROM exact")?;
            let rows = select.query_map([], |row| {
                Ok(ExactRow {
                    path: row.get(0)?,
                    at: row.get(1)?,
                    target: row.get(2)?,
                    target_at: row.get(3)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        read().map_err(|kind| kind.at(self.dir()))
    }

    /// Adds to what is kept for these contents; what was kept for others goes. Fails while a commit is being written.
    pub fn keep_exact(&self, key: &str, rows: &[ExactRow]) -> Result<(), StoreError> {
        let write = || -> Result<(), StoreErrorKind> {
            // A connection of its own: readers would wait if theirs waited for SQLite's write lock.
            let _held = lock(&self.dir, Duration::ZERO)?;
            let mut catalog = self.write_catalog()?;
            let conn = catalog.connection();
            let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute_batch(SCHEMA)?;
            if get(&transaction, KEY)?.as_deref() != Some(key) {
                transaction.execute("DELETE FROM exact", [])?;
                set(&transaction, KEY, key)?;
            }
            {
                let mut insert = transaction
                    .prepare_cached("INSERT OR REPLACE INTO exact (path, at, target, target_at) VALUES (?, ?, ?, ?)")?;
                for row in rows {
                    insert.execute(params![row.path, row.at, row.target, row.target_at])?;
                }
            }
            transaction.commit()?;
            Ok(())
        };
        write().map_err(|kind| kind.at(self.dir()))
    }
}
