//! The vectors of chunks: files that are written once, each with the rows of some commits.
//!
//! The catalog says which files count. One that it does not know is left over from a commit that did not happen, or was
//! merged into another, and is deleted by whoever writes next. A row is known by its file's id and the first of the chunks that
//! it is of: it goes as far as the next row of the file. Where the catalog has no such file, the row is old. All rows of a file
//! are in one segment.

use std::{
    cell::Cell,
    fs::File,
    io::{self, BufWriter},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use embed::{Encoder, Model, Segment, SegmentError, SegmentInfo, Vector, Written};
use rustc_hash::FxHashSet;
use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

use crate::{
    error::StoreErrorKind,
    file_table::FileTable,
    heads::{Heads, passages},
    reader::Reader,
    segment::{FileWords, NewText},
};

/// The bits of a row's key that say which chunk is its first; those above say which file.
const CHUNK_BITS: u32 = 24;
/// Up to here a file is read and compared with its hash when it is opened, larger ones when they are merged.
const VERIFIED_BYTES: usize = 4 << 20;
/// Segments with fewer rows are rewritten by each commit: that is quicker than having many.
const SMALL: u64 = 500;
const MAX_SEGMENTS: usize = 8;
/// Asked for beyond what is wanted, since of equal rows a segment cuts off other ones than the order of answers would.
const SPARE: usize = 16;

/// A file of vectors as the catalog knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SegmentRow {
    pub name: String,
    pub rows: u32,
    pub generation: u64,
    pub hash: [u8; 32],
}

/// What a commit changes.
#[derive(Debug, Default)]
pub(crate) struct SegmentChanges {
    pub dropped: Vec<String>,
    pub added: Option<SegmentRow>,
}

#[derive(Debug, thiserror::Error)]
enum Unusable {
    #[error(transparent)]
    Open(#[from] tantivy::directory::error::OpenReadError),
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Segment(#[from] SegmentError),
    #[error("it is not the file that was written")]
    Other,
    #[error("it is of another model")]
    Model,
}

fn key(file: u64, chunk: u32) -> u64 {
    file << CHUNK_BITS | u64::from(chunk)
}

fn file_of(key: u64) -> u64 {
    key >> CHUNK_BITS
}

fn chunk_of(key: u64) -> u32 {
    (key & ((1 << CHUNK_BITS) - 1)) as u32
}

/// Chunks that have one vector, and how near it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    pub file: u64,
    pub chunks: Range<u32>,
    /// From -1 to 1.
    pub score: f32,
}

/// Where vectors come from.
#[derive(Clone)]
pub enum VectorSource {
    /// Made of each file that is added: no file is committed without.
    Model(Arc<Model>),
    /// Made elsewhere, by the model of that id, and brought later with `Writer::add_vectors`: some files may have none.
    Later { id: String },
}

impl VectorSource {
    pub(crate) fn id(&self) -> &str {
        match self {
            VectorSource::Model(model) => model.id(),
            VectorSource::Later { id } => id,
        }
    }

    /// `None` if only the vectors tell.
    fn dim(&self) -> Option<usize> {
        match self {
            VectorSource::Model(model) => Some(model.dim()),
            VectorSource::Later { .. } => None,
        }
    }

    pub(crate) fn is_later(&self) -> bool {
        matches!(self, VectorSource::Later { .. })
    }
}

/// An open file of vectors.
pub(crate) struct VectorSegment {
    row: SegmentRow,
    rows: Segment<OwnedBytes>,
    /// Each file that has rows here, with the first of them, in the order of ids.
    files: Vec<(u64, u32)>,
}

impl VectorSegment {
    fn open(dir: &MmapDirectory, row: &SegmentRow, source: &VectorSource) -> Result<VectorSegment, Unusable> {
        let bytes = dir.open_read(Path::new(&row.name))?.read_bytes()?;
        let rows = Segment::open(bytes)?;
        if rows.hash() != row.hash || rows.n_rows() != row.rows {
            return Err(Unusable::Other);
        }
        if !rows.is_of(source.id()) || source.dim().is_some_and(|dim| rows.dim() != dim) {
            return Err(Unusable::Model);
        }
        if rows.size() <= VERIFIED_BYTES {
            rows.verify()?;
        }
        let mut files: Vec<(u64, u32)> = Vec::new();
        for n in 0..rows.n_rows() {
            let file = file_of(rows.key(n));
            if files.last().is_none_or(|(last, _)| *last != file) {
                files.push((file, n));
            }
        }
        Ok(VectorSegment {
            row: row.clone(),
            rows,
            files,
        })
    }

    /// Reads all of it and compares it with what was written.
    pub fn verify(&self) -> Result<(), SegmentError> {
        self.rows.verify()
    }

    fn files(&self) -> impl Iterator<Item = u64> {
        self.files.iter().map(|(file, _)| *file)
    }

    /// The first row of a file, and how many there are.
    fn rows_of(&self, file: u64) -> Option<(u32, u32)> {
        let at = self.files.binary_search_by_key(&file, |(file, _)| *file).ok()?;
        let first = self.files[at].1;
        let end = self.files.get(at + 1).map_or(self.rows.n_rows(), |(_, next)| *next);
        Some((first, end - first))
    }

    fn vector(&self, file: u64, chunk: u32) -> Option<Vector> {
        let (first, n) = self.rows_of(file)?;
        let row = (first..first + n)
            .rev()
            .find(|row| self.rows.key(*row) <= key(file, chunk))?;
        Some(self.rows.vector(row))
    }

    /// The chunks of a row, of a file that has so many.
    fn chunks(&self, row: u32, n_chunks: u32) -> Range<u32> {
        let key = self.rows.key(row);
        let next = (row + 1 < self.rows.n_rows()).then(|| self.rows.key(row + 1));
        let next = next.filter(|next| file_of(*next) == file_of(key));
        chunk_of(key)..next.map_or(n_chunks, chunk_of)
    }
}

/// The vectors of a store: where they come from, and the files that are open.
pub(crate) struct Vectors {
    pub source: VectorSource,
    path: PathBuf,
    dir: MmapDirectory,
    open: Mutex<Vec<Arc<VectorSegment>>>,
    live: Mutex<LiveRows>,
}

/// How many rows of each segment were of files that were there, when that was last counted.
#[derive(Default)]
struct LiveRows {
    files: Arc<FileTable>,
    segments: Vec<(Arc<VectorSegment>, u64)>,
}

/// What became of the files that the catalog names.
#[derive(Default)]
pub(crate) struct Opened {
    pub usable: Vec<Arc<VectorSegment>>,
    pub unusable: Vec<String>,
}

impl Vectors {
    pub fn open(path: PathBuf, source: VectorSource) -> Result<Vectors, StoreErrorKind> {
        std::fs::create_dir_all(&path)?;
        let dir = MmapDirectory::open(&path)?;
        Ok(Vectors {
            source,
            path,
            dir,
            open: Mutex::new(Vec::new()),
            live: Mutex::default(),
        })
    }

    /// Opens what the catalog names, as far as it is not open already.
    pub fn segments(&self, rows: &[SegmentRow]) -> Opened {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut opened = Opened::default();
        for row in rows {
            let known = open.iter().find(|segment| segment.row == *row).cloned();
            match known.map_or_else(|| VectorSegment::open(&self.dir, row, &self.source).map(Arc::new), Ok) {
                Ok(segment) => opened.usable.push(segment),
                Err(error) => {
                    tracing::warn!(file = %self.path.join(&row.name).display(), %error, "a file of vectors cannot be used");
                    opened.unusable.push(row.name.clone());
                }
            }
        }
        // A model whose vectors have another length is another model, whatever it calls itself: the last one counts.
        let newest = opened.usable.iter().max_by_key(|segment| segment.row.generation);
        if let Some(dim) = newest.map(|segment| segment.rows.dim()) {
            let (same, other) = opened.usable.into_iter().partition(|segment| segment.rows.dim() == dim);
            opened.usable = same;
            let other: Vec<Arc<VectorSegment>> = other;
            opened
                .unusable
                .extend(other.iter().map(|segment| segment.row.name.clone()));
        }
        open.clone_from(&opened.usable);
        opened
    }

    /// The files of these segments.
    pub fn paths(&self, segments: &[Arc<VectorSegment>]) -> Vec<PathBuf> {
        segments
            .iter()
            .map(|segment| self.path.join(&segment.row.name))
            .collect()
    }

    /// Whether a file is what was written; `None` if it is none of these.
    pub fn is_sound(&self, path: &Path) -> Option<bool> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let segment = open.iter().find(|segment| self.path.join(&segment.row.name) == path)?;
        Some(segment.verify().is_ok())
    }

    /// Files that should have vectors and have none.
    pub fn lost(&self, files: &FileTable, segments: &[Arc<VectorSegment>]) -> FxHashSet<u64> {
        if self.source.is_later() {
            FxHashSet::default()
        } else {
            without_vectors(files, segments)
        }
    }

    /// Whether there are such files. Only what came since an earlier commit is looked at, which had none.
    pub fn have_lost(&self, files: &FileTable, segments: &[Arc<VectorSegment>], earlier: Option<&Reader>) -> bool {
        let earlier = earlier.and_then(|reader| Some((&reader.files, reader.vectors.as_ref()?)));
        let Some((earlier_files, earlier)) = earlier.filter(|_| !self.source.is_later()) else {
            return !self.lost(files, segments).is_empty();
        };
        let dropped = earlier.segments.iter().filter(|segment| !is_among(segment, segments));
        let moved = dropped
            .flat_map(|segment| segment.files())
            .filter_map(|id| files.by_id(id));
        let mut unsure = files.since(earlier_files).chain(moved);
        unsure.any(|row| row.chunks() > 0 && segments.iter().all(|segment| segment.rows_of(row.id).is_none()))
    }

    /// How many rows of each segment are of files that are there.
    fn live_rows(&self, files: &Arc<FileTable>, segments: &[Arc<VectorSegment>]) -> Vec<u64> {
        let mut counted = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        let gone: Vec<u64> = counted.files.since(files).map(|row| row.id).collect();
        let gone: Vec<u64> = gone.into_iter().filter(|id| files.by_id(*id).is_none()).collect();
        let live = segments.iter().map(|segment| {
            let before = counted.segments.iter().find(|(known, _)| Arc::ptr_eq(known, segment));
            match before {
                Some((_, live)) => {
                    let rows = gone.iter().filter_map(|id| segment.rows_of(*id));
                    live - rows.map(|(_, n)| u64::from(n)).sum::<u64>()
                }
                None => live_rows(segment, |id| files.by_id(id).is_some()),
            }
        });
        let live: Vec<u64> = live.collect();
        *counted = LiveRows {
            files: files.clone(),
            segments: segments.iter().cloned().zip(live.iter().copied()).collect(),
        };
        live
    }

    /// Deletes files that no commit names. A file that someone has mapped may stay until later, on some systems.
    pub fn sweep(&self, rows: &[SegmentRow]) {
        let Ok(entries) = std::fs::read_dir(&self.path) else {
            return;
        };
        for entry in entries.flatten() {
            let is_known = rows.iter().any(|row| entry.file_name() == *row.name);
            // The directory's own files begin with a dot.
            let is_ours = entry.file_name().to_string_lossy().ends_with(".vec");
            if is_ours && !is_known {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Writes a segment of rows in the order of their keys.
    fn write(
        &self,
        generation: u64,
        dim: usize,
        rows: impl IntoIterator<Item = (u64, Vector)>,
    ) -> Result<SegmentRow, StoreErrorKind> {
        let info = SegmentInfo {
            dim,
            generation,
            model: self.source.id(),
        };
        // The index may be deleted at any time, also while this process has it open.
        std::fs::create_dir_all(&self.path)?;
        let unnamed = self.path.join("new.vec");
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&unnamed)?);
        let Written { n_rows, hash } = Segment::write(&mut out, info, rows)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        drop(file);
        let short: String = hash[..6].iter().map(|byte| format!("{byte:02x}")).collect();
        // Never the name of an earlier file, which someone may still have open.
        let name = format!("{generation}-{short}.vec");
        std::fs::rename(&unnamed, self.path.join(&name))?;
        // The catalog will name it: its own name must last too.
        self.dir.sync_directory()?;
        Ok(SegmentRow {
            name,
            rows: n_rows,
            generation,
            hash,
        })
    }
}

/// Indexed files whose chunks have no vectors.
pub(crate) fn without_vectors(files: &FileTable, segments: &[Arc<VectorSegment>]) -> FxHashSet<u64> {
    let known: FxHashSet<u64> = segments.iter().flat_map(|segment| segment.files()).collect();
    let wanted = files.indexed().filter(|row| row.chunks() > 0).map(|row| row.id);
    wanted.filter(|id| !known.contains(id)).collect()
}

/// The vectors of one commit.
pub(crate) struct ReaderVectors {
    pub source: VectorSource,
    pub segments: Vec<Arc<VectorSegment>>,
}

impl ReaderVectors {
    pub fn vector(&self, file: u64, chunk: u32) -> Option<Vector> {
        self.segments.iter().find_map(|segment| segment.vector(file, chunk))
    }

    /// How many components they have, if there are any.
    pub fn dim(&self) -> Option<usize> {
        let first = self.segments.first().map(|segment| segment.rows.dim());
        first.or(self.source.dim())
    }

    pub fn n_rows(&self, files: &FileTable) -> u64 {
        let live = |segment: &VectorSegment| live_rows(segment, |id| files.by_id(id).is_some());
        self.segments.iter().map(|segment| live(segment)).sum()
    }

    /// See `Reader::similar`.
    pub fn similar(&self, files: &FileTable, query: &Vector, allowed: &dyn Fn(u64) -> bool, k: usize) -> Vec<Near> {
        if k == 0 || query.is_zero() || Some(query.values().len()) != self.dim() {
            return Vec::new();
        }
        let segments: Vec<&Segment<OwnedBytes>> = self.segments.iter().map(|segment| &segment.rows).collect();
        // Rows of one file follow each other: its answer is worth keeping.
        let last = Cell::new((u64::MAX, false));
        let passes = |segment: usize, row: u32| {
            let file = file_of(segments[segment].key(row));
            if last.get().0 != file {
                last.set((file, files.by_id(file).is_some() && allowed(file)));
            }
            last.get().1
        };
        let mut wanted = k.saturating_add(SPARE);
        let found = loop {
            let found = embed::scan(&segments, query, wanted, passes);
            let is_all = found.len() < wanted;
            // Rows just as good as the last one that counts must all be there: the path decides between them.
            if is_all || found[wanted - 1].1.score < found[k - 1].1.score {
                break found;
            }
            wanted = wanted.saturating_mul(4);
        };
        let mut hits: Vec<(&str, Near)> = Vec::with_capacity(found.len());
        for (at, hit) in found {
            if let Some(file) = files.by_id(file_of(segments[at].key(hit.row))) {
                let near = Near {
                    file: file.id,
                    chunks: self.segments[at].chunks(hit.row, file.chunks()),
                    score: hit.score,
                };
                hits.push((&file.path, near));
            }
        }
        let order = |near: &Near| near.chunks.start;
        hits.sort_unstable_by(|(path, a), (other, b)| {
            let same = || (path, order(a)).cmp(&(other, order(b)));
            b.score.total_cmp(&a.score).then_with(same)
        });
        hits.truncate(k);
        hits.into_iter().map(|(_, near)| near).collect()
    }
}

fn is_among(segment: &Arc<VectorSegment>, segments: &[Arc<VectorSegment>]) -> bool {
    segments.iter().any(|other| Arc::ptr_eq(segment, other))
}

fn live_rows(segment: &VectorSegment, is_live: impl Fn(u64) -> bool) -> u64 {
    let ends = segment.files.iter().skip(1).map(|(_, first)| *first);
    let ends = ends.chain([segment.rows.n_rows()]);
    segment
        .files
        .iter()
        .zip(ends)
        .filter(|((file, _), _)| is_live(*file))
        .map(|((_, first), end)| u64::from(end - first))
        .sum()
}

/// The vectors of a file.
struct Added {
    file: u64,
    /// The first chunk of each.
    firsts: Vec<u32>,
    /// One after the other.
    values: Vec<i8>,
}

/// The vectors of a commit that is being made.
pub(crate) struct NewVectors<'s> {
    vectors: &'s Vectors,
    /// One for each thread that adds files.
    encoders: Mutex<Vec<Encoder<'s>>>,
    added: Mutex<Vec<Added>>,
    /// Those of the last commit, and how many of their rows are not old.
    segments: Vec<(Arc<VectorSegment>, u64)>,
    /// To be dropped by the next commit.
    unusable: Vec<String>,
    /// Files from here on are this writer's own.
    first_id: u64,
    removed: FxHashSet<u64>,
    /// Of those that are there or were added.
    dim: Option<usize>,
}

impl<'s> NewVectors<'s> {
    pub fn begin(vectors: &'s Vectors, rows: &[SegmentRow], files: &Arc<FileTable>, first_id: u64) -> NewVectors<'s> {
        vectors.sweep(rows);
        let Opened { usable, unusable } = vectors.segments(rows);
        let first = usable.first().map(|segment| segment.rows.dim());
        let dim = first.or(vectors.source.dim());
        let live = vectors.live_rows(files, &usable);
        NewVectors {
            vectors,
            encoders: Mutex::new(Vec::new()),
            added: Mutex::new(Vec::new()),
            segments: usable.into_iter().zip(live).collect(),
            unusable,
            first_id,
            removed: FxHashSet::default(),
            dim,
        }
    }

    /// The model that makes them, unless they are made elsewhere.
    pub fn model(&self) -> Option<&'s Arc<Model>> {
        match &self.vectors.source {
            VectorSource::Model(model) => Some(model),
            VectorSource::Later { .. } => None,
        }
    }

    /// Makes the vectors of a file's passages, unless they are made elsewhere.
    pub fn add(&self, new: &NewText<'_>, words: &FileWords<'_>) {
        let Some(model) = self.model() else {
            return;
        };
        let NewText {
            file,
            path,
            text,
            facts,
            ..
        } = *new;
        let encoder = self.encoders.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut encoder = encoder.unwrap_or_else(|| model.encoder());
        let heads = Heads::new(path, facts, text);
        let chunks = &facts.chunks[..facts.chunks.len().min(1 << CHUNK_BITS)];
        let passages = passages(chunks);
        let mut values = Vec::with_capacity(passages.len() * model.dim());
        for passage in &passages {
            let body = chunks[passage.start].range().start..chunks[passage.end - 1].range().end;
            let head = heads.of(passage.clone());
            values.extend_from_slice(encoder.code_of(&head, words.tokens(body)).values());
        }
        self.encoders
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(encoder);
        let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
        added.push(Added {
            file,
            firsts: passages.iter().map(|passage| passage.start as u32).collect(),
            values,
        });
    }

    /// Takes the vectors of a file's chunks that were made elsewhere. If they are of another length than those that are
    /// there, the model has changed, and the others are dropped.
    pub fn give(&mut self, file: u64, vectors: &[Vector]) {
        let Some(dim) = vectors.first().map(|vector| vector.values().len()) else {
            return;
        };
        let added = self.added.get_mut().unwrap_or_else(PoisonError::into_inner);
        if self.dim != Some(dim) {
            added.clear();
            self.unusable
                .extend(self.segments.drain(..).map(|(segment, _)| segment.row.name.clone()));
            self.dim = Some(dim);
        }
        let is_there = self.segments.iter().any(|(segment, _)| segment.rows_of(file).is_some());
        if !is_there {
            added.push(Added {
                file,
                firsts: (0..vectors.len() as u32).collect(),
                values: vectors.iter().flat_map(Vector::values).copied().collect(),
            });
        }
    }

    /// Writes what was added since the last commit, together with segments that are worth merging. Nothing counts
    /// before the catalog says so, and `committed` is called.
    pub fn write(
        &mut self,
        removed: &[u64],
        files: &FileTable,
        generation: u64,
    ) -> Result<SegmentChanges, StoreErrorKind> {
        for id in removed {
            // What is not known was old before.
            let was_live = files.by_id(*id).is_some() && self.removed.insert(*id);
            for (segment, live) in self.segments.iter_mut().filter(|_| was_live) {
                *live -= segment.rows_of(*id).map_or(0, |(_, n)| u64::from(n));
            }
        }
        let mut added = std::mem::take(self.added.get_mut().unwrap_or_else(PoisonError::into_inner));
        added.sort_unstable_by_key(|added| added.file);
        let dim = self.dim.unwrap_or(1);
        let n_added = added.iter().map(|added| added.firsts.len()).sum::<usize>();
        let sizes: Vec<(u64, u64)> = self
            .segments
            .iter()
            .map(|(segment, live)| (*live, u64::from(segment.rows.n_rows())))
            .collect();
        let merged = to_merge(&sizes, n_added as u64);
        let mut changes = SegmentChanges {
            dropped: std::mem::take(&mut self.unusable),
            added: None,
        };
        // The rows to be written: the segment or else the file that was added which has them, and where they are in it.
        let mut kept: Vec<(u64, Result<usize, usize>, u32)> = Vec::new();
        let is_live = |id: u64| !self.removed.contains(&id) && (id >= self.first_id || files.by_id(id).is_some());
        for at in &merged {
            let segment = &self.segments[*at].0;
            changes.dropped.push(segment.row.name.clone());
            if self.segments[*at].1 == 0 {
                continue;
            }
            // What is not as it was written is dropped here; its files then have no vectors, which the next reader sees.
            if let Err(error) = segment.rows.verify() {
                tracing::warn!(file = segment.row.name, %error, "a file of vectors cannot be merged");
                continue;
            }
            let keys = (0..segment.rows.n_rows()).map(|row| (segment.rows.key(row), Ok(*at), row));
            kept.extend(keys.filter(|(key, ..)| is_live(file_of(*key))));
        }
        for (at, added) in added.iter().enumerate() {
            let keys = added.firsts.iter().map(|first| key(added.file, *first));
            kept.extend(keys.zip(0..).map(|(key, row)| (key, Err(at), row)));
        }
        kept.sort_unstable();
        if !kept.is_empty() {
            let rows = kept.iter().map(|(key, at, row)| {
                let vector = match at {
                    Ok(at) => self.segments[*at].0.rows.vector(*row),
                    Err(at) => Vector::from_values(&added[*at].values[*row as usize * dim..][..dim]),
                };
                (*key, vector)
            });
            changes.added = Some(self.vectors.write(generation, dim, rows)?);
        }
        Ok(changes)
    }

    /// The catalog has the changes now.
    pub fn committed(&mut self, changes: &SegmentChanges, rows: &[SegmentRow]) {
        self.segments
            .retain(|(segment, _)| !changes.dropped.contains(&segment.row.name));
        if let Some(added) = &changes.added {
            let Opened { usable, unusable } = self.vectors.segments(rows);
            self.unusable = unusable;
            let new = usable.into_iter().find(|segment| segment.row == *added);
            self.segments
                .extend(new.map(|segment| (segment, u64::from(added.rows))));
        }
        if !changes.dropped.is_empty() {
            self.vectors.sweep(rows);
        }
    }
}

/// Which segments to rewrite together with so many new rows, given how many rows of each are not old, and how many there
/// are. A row is rewritten when as many have come after it, so about as often as the number of rows has doubled since;
/// what a commit does is bounded by what it adds, except where most of a segment is old.
fn to_merge(sizes: &[(u64, u64)], new: u64) -> Vec<usize> {
    let mut by_size: Vec<usize> = (0..sizes.len()).collect();
    by_size.sort_by_key(|at| (sizes[*at].0, *at));
    let mut total = new;
    let mut left = sizes.len();
    let mut merged = Vec::new();
    for at in by_size {
        let (live, rows) = sizes[at];
        let is_old = live * 2 < rows;
        let is_small = new > 0 && live <= total.max(SMALL);
        let are_many = new > 0 && left >= MAX_SEGMENTS;
        if is_old || is_small || are_many {
            merged.push(at);
            total += live;
            left -= 1;
        }
    }
    merged.sort_unstable();
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten thousand small commits to a large index: there are few segments at any time, and little is rewritten.
    #[test]
    fn merging_is_bounded() {
        let mut sizes = vec![(400_000, 400_000)];
        let mut written = 0;
        let mut worst = 0;
        for _ in 0..10_000 {
            let merged = to_merge(&sizes, 10);
            let total = 10 + merged.iter().map(|at| sizes[*at].0).sum::<u64>();
            written += total;
            worst = worst.max(total);
            let mut at = 0;
            sizes.retain(|_| {
                at += 1;
                !merged.contains(&(at - 1))
            });
            sizes.push((total, total));
            assert!(sizes.len() <= MAX_SEGMENTS, "{sizes:?}");
        }
        assert!(written / 10_000 < 3_000, "{written}");
        assert!(worst < 100_000, "{worst}");
    }

    #[test]
    fn what_is_mostly_old_is_rewritten() {
        assert_eq!(to_merge(&[(49_000, 100_000), (60_000, 100_000)], 0), [0]);
        assert_eq!(to_merge(&[(60_000, 100_000), (100, 100)], 0), [] as [usize; 0]);
        assert_eq!(to_merge(&[(0, 100), (60_000, 100_000)], 0), [0]);
    }
}
