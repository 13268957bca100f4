//! The files of one commit, in memory.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{
    catalog::{Changes, FileRow},
    leaves::{Change, Keyed, SortedLeaves},
};

/// Every file of one generation, ordered by path. A table after a commit shares with the one before what did not change.
#[derive(Debug, Default)]
pub struct FileTable {
    by_path: SortedLeaves<Arc<FileRow>>,
    by_id: SortedLeaves<(u64, Arc<FileRow>)>,
    /// In the order of their paths: hardly ever any.
    unparsed: Vec<Arc<FileRow>>,
    totals: Totals,
    digest: u64,
}

/// Sums over the files that search looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    pub files: u64,
    pub chunks: u64,
    pub bytes: u64,
}

impl Totals {
    fn of(row: &FileRow) -> Totals {
        match row.is_indexed() {
            true => Totals {
                files: 1,
                chunks: row.chunks().into(),
                bytes: row.stat.size,
            },
            false => Totals::default(),
        }
    }

    fn plus(self, other: Totals) -> Totals {
        Totals {
            files: self.files + other.files,
            chunks: self.chunks + other.chunks,
            bytes: self.bytes + other.bytes,
        }
    }

    fn minus(self, other: Totals) -> Totals {
        Totals {
            files: self.files - other.files,
            chunks: self.chunks - other.chunks,
            bytes: self.bytes - other.bytes,
        }
    }
}

impl Keyed for Arc<FileRow> {
    type Key = str;

    fn key(&self) -> &str {
        &self.path
    }
}

impl Keyed for (u64, Arc<FileRow>) {
    type Key = u64;

    fn key(&self) -> &u64 {
        &self.0
    }
}

impl FileTable {
    pub(crate) fn new(rows: Vec<FileRow>) -> FileTable {
        let rows: Vec<Arc<FileRow>> = rows.into_iter().map(Arc::new).collect();
        let mut unparsed: Vec<Arc<FileRow>> = rows.iter().filter(|row| row.is_unparsed()).cloned().collect();
        unparsed.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        FileTable {
            unparsed,
            totals: rows
                .iter()
                .map(|row| Totals::of(row))
                .fold(Totals::default(), Totals::plus),
            digest: rows.iter().map(|row| row.digest()).fold(0, u64::wrapping_add),
            by_id: SortedLeaves::new(rows.iter().map(|row| (row.id, row.clone())).collect()),
            by_path: SortedLeaves::new(rows),
        }
    }

    /// The same for the same files with the same contents, however they came to be there.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The table after a commit, without asking the catalog for what is known already.
    pub(crate) fn after(&self, changes: &Changes) -> FileTable {
        let removed = changes.removed.iter().filter_map(|id| self.row(*id)).cloned();
        let touched = changes.touched.iter().filter_map(|(id, stat, checked_ns)| {
            let mut row = FileRow::clone(self.row(*id)?);
            (row.stat, row.checked_ns) = (*stat, *checked_ns);
            Some(Arc::new(row))
        });
        let added = changes.added.iter().map(|(row, _)| Arc::new(row.clone()));
        let mut after = FileTable {
            by_path: SortedLeaves::default(),
            by_id: SortedLeaves::default(),
            unparsed: self.unparsed.clone(),
            totals: self.totals,
            digest: self.digest,
        };
        let removed: FxHashMap<u64, Arc<FileRow>> = removed.map(|row| (row.id, row)).collect();
        // What was touched and then read again is gone.
        let touched = touched.filter(|row| !removed.contains_key(&row.id));
        let put: Vec<Arc<FileRow>> = touched.chain(added).collect();
        let replaced = put.iter().filter_map(|row| self.row(row.id));
        for gone in removed.values().chain(replaced) {
            after.totals = after.totals.minus(Totals::of(gone));
            after.digest = after.digest.wrapping_sub(gone.digest());
            after.unparsed.retain(|row| row.id != gone.id);
        }
        for row in &put {
            after.totals = after.totals.plus(Totals::of(row));
            after.digest = after.digest.wrapping_add(row.digest());
            if row.is_unparsed() {
                let at = after.unparsed.partition_point(|other| other.path < row.path);
                after.unparsed.insert(at, row.clone());
            }
        }
        // A file that is read again has the path of the row that is removed: what is put counts.
        let by_path = removed.values().cloned().map(Change::Remove);
        after.by_path = self
            .by_path
            .with(by_path.chain(put.iter().cloned().map(Change::Put)).collect());
        let by_id = removed.into_iter().map(Change::Remove);
        let put = put.into_iter().map(|row| Change::Put((row.id, row)));
        after.by_id = self.by_id.with(by_id.chain(put).collect());
        after
    }

    fn row(&self, id: u64) -> Option<&Arc<FileRow>> {
        self.by_id.get(&id).map(|(_, row)| row)
    }

    /// How many files there are, indexed or skipped.
    pub fn len(&self) -> usize {
        self.by_path.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_path.len() == 0
    }

    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Every file, indexed or skipped.
    pub fn rows(&self) -> impl Iterator<Item = &FileRow> {
        self.by_path.iter().map(|row| &**row)
    }

    pub fn by_id(&self, id: u64) -> Option<&FileRow> {
        self.row(id).map(|row| &**row)
    }

    pub fn by_path(&self, path: &str) -> Option<&FileRow> {
        self.by_path.get(path).map(|row| &**row)
    }

    /// The files right in a directory, without those in its subdirectories; `dir` is empty or has no slash at its end.
    pub fn in_dir(&self, dir: &str) -> impl Iterator<Item = &FileRow> {
        let prefix = match dir {
            "" => String::new(),
            dir => format!("{dir}/"),
        };
        let mut from = prefix.clone();
        std::iter::from_fn(move || {
            loop {
                let row = self.by_path.first_from(&from)?;
                let name = row.path.strip_prefix(&*prefix)?;
                match name.find('/') {
                    // On to what is behind the subdirectory: the next character after the slash.
                    Some(end) => from = format!("{}0", &row.path[..prefix.len() + end]),
                    None => {
                        from = format!("{}\0", row.path);
                        return Some(&**row);
                    }
                }
            }
        })
    }

    /// The files that could not be parsed, each with the reason.
    pub fn unparsed(&self) -> impl Iterator<Item = (&FileRow, &str)> {
        self.unparsed
            .iter()
            .filter_map(|row| Some((&**row, row.unparsed_reason()?)))
    }

    /// The files that search looks at.
    pub fn indexed(&self) -> impl Iterator<Item = &FileRow> {
        self.rows().filter(|row| row.is_indexed())
    }

    /// The files that an earlier table does not have as they are here, and perhaps some that it has.
    pub(crate) fn since<'t>(&'t self, earlier: &FileTable) -> impl Iterator<Item = &'t FileRow> {
        self.by_id.unshared(&earlier.by_id).map(|(_, row)| &**row)
    }
}
