//! A file of vectors, written once, and the search for the nearest of them.
//!
//! Rows lie in columns: the vectors' bytes, then their signs as bits, one through their lengths, the callers' keys. A
//! footer of fixed size says what they are, so that a file can be written in one go and a file that ends early is never
//! taken for a whole one. Numbers are little-endian.
//!
//! Any kind of bytes will do. A mapping is best: a thousand vectors take about 300 KB, which several processes then share
//! and the system can drop; `tantivy`'s directory makes one without code of ours that is unsafe. A segment is never
//! changed, so no mapping of it can lose its pages.
//!
//! Comparing everything costs as much as reading it, and the memory of a common machine gives a few gigabytes a second to
//! one core. So a large segment is read twice: all of the signs, an eighth of the whole, against the sizes of the
//! question's components; then the rows that did best. Signs against signs alone would lose ten times as many.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::io::{self, Write};

use crate::Vector;
use crate::kernel::{Signs, distances, products, products_at};

/// The last character is the version of the format.
const MAGIC: &[u8; 8] = b"PTLNVEC1";

/// Magic, dimensions, rows, generation, hash of the model's id, hash of the rows, hash of all that.
const FOOTER: usize = 8 + 4 + 4 + 8 + 32 + 32 + 32;

/// Up to here every row is looked at in full; with more, first at the signs only.
const ALL_IN_FULL: usize = 20_000;

/// How many rows are looked at in full for each one that is wanted, after a look at the signs: with these
/// `cargo bench -p embed` finds more than 99 of the nearest 100.
const CANDIDATES: usize = 30;
const MIN_CANDIDATES: usize = 2_000;

/// Rows whose distances are looked at this many at a time.
const PASSED_OVER: usize = 64;

/// Rows are measured this many at a time.
const BLOCK: usize = 512;

#[derive(Debug, PartialEq, thiserror::Error)]
pub enum SegmentError {
    #[error("not a file of vectors, or one of another version")]
    Foreign,
    #[error("a file of vectors that is damaged")]
    Damaged,
}

/// What all rows of a segment have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentInfo<'a> {
    pub dim: usize,
    pub generation: u64,
    /// See [`crate::Model::id`].
    pub model: &'a str,
}

/// What was written: how many rows, and [`Segment::hash`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    pub n_rows: u32,
    pub hash: [u8; 32],
}

/// A row that is like the question: its number, and how alike they are, from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub row: u32,
    pub score: f32,
}

/// A file of vectors. Rows are numbered from zero in the order in which they were written.
#[derive(Debug)]
pub struct Segment<B> {
    bytes: B,
    dim: usize,
    n_rows: usize,
    generation: u64,
    model: [u8; 32],
    rows_hash: [u8; 32],
}

impl Segment<Vec<u8>> {
    /// Writes a file of vectors, each with a key by which the caller knows it. Whoever else has the file open must not
    /// see it change: write another one and rename it.
    pub fn write<V: Borrow<Vector>>(
        mut out: impl Write,
        info: SegmentInfo,
        rows: impl IntoIterator<Item = (u64, V)>,
    ) -> io::Result<Written> {
        let mut hash = blake3::Hasher::new();
        let mut put = |bytes: &[u8]| {
            hash.update(bytes);
            out.write_all(bytes)
        };
        let (mut signs, mut norms, mut keys, mut bytes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (key, vector) in rows {
            let vector = vector.borrow();
            assert_eq!(vector.values().len(), info.dim, "vectors of one model have one length");
            bytes.clear();
            bytes.extend(vector.values().iter().map(|x| *x as u8));
            put(&bytes)?;
            signs.extend(vector.signs().flat_map(|signs| signs.above.to_le_bytes()));
            norms.extend(vector.inverse_norm().to_le_bytes());
            keys.extend(key.to_le_bytes());
        }
        let n_rows = u32::try_from(keys.len() / 8).map_err(|_| io::ErrorKind::FileTooLarge)?;
        put(&signs)?;
        put(&norms)?;
        put(&keys)?;

        let mut footer = Vec::with_capacity(FOOTER);
        footer.extend(MAGIC);
        footer.extend((info.dim as u32).to_le_bytes());
        footer.extend(n_rows.to_le_bytes());
        footer.extend(info.generation.to_le_bytes());
        footer.extend(blake3::hash(info.model.as_bytes()).as_bytes());
        let hash = *hash.finalize().as_bytes();
        footer.extend(hash);
        footer.extend(*blake3::hash(&footer).as_bytes());
        out.write_all(&footer)?;
        out.flush()?;
        Ok(Written { n_rows, hash })
    }
}

impl<B: AsRef<[u8]>> Segment<B> {
    /// Checks the footer, and that the file has the length it should have. The rows are not read: see
    /// [`Segment::verify`].
    pub fn open(bytes: B) -> Result<Segment<B>, SegmentError> {
        let (rows, footer) = bytes
            .as_ref()
            .split_last_chunk::<FOOTER>()
            .ok_or(SegmentError::Foreign)?;
        let (said, hash) = footer.split_at(FOOTER - 32);
        if !said.starts_with(MAGIC) {
            return Err(SegmentError::Foreign);
        }
        let dim = u32::from_le_bytes(array(said, 8)) as usize;
        let n_rows = u32::from_le_bytes(array(said, 12)) as usize;
        let generation = u64::from_le_bytes(array(said, 16));
        let (model, rows_hash) = (array(said, 24), array(said, 56));
        let row_len = dim + dim.div_ceil(64) * 8 + 4 + 8;
        if blake3::hash(said).as_bytes() != hash || dim == 0 || n_rows.checked_mul(row_len) != Some(rows.len()) {
            return Err(SegmentError::Damaged);
        }
        Ok(Segment {
            bytes,
            dim,
            n_rows,
            generation,
            model,
            rows_hash,
        })
    }

    /// Reads everything and compares it with what was written.
    pub fn verify(&self) -> Result<(), SegmentError> {
        let bytes = self.bytes.as_ref();
        let hash = blake3::hash(&bytes[..bytes.len() - FOOTER]);
        (hash == self.rows_hash).then_some(()).ok_or(SegmentError::Damaged)
    }

    pub fn n_rows(&self) -> u32 {
        self.n_rows as u32
    }

    pub fn dim(&self) -> usize {
        self.dim
    }

    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Of the rows and their keys, as they were written.
    pub fn hash(&self) -> [u8; 32] {
        self.rows_hash
    }

    /// Bytes of the whole file.
    pub fn size(&self) -> usize {
        self.bytes.as_ref().len()
    }

    /// Whether the vectors come from the model of that id.
    pub fn is_of(&self, model: &str) -> bool {
        blake3::hash(model.as_bytes()) == self.model
    }

    pub fn key(&self, row: u32) -> u64 {
        u64::from_le_bytes(array(self.column(3), row as usize * 8))
    }

    pub fn vector(&self, row: u32) -> Vector {
        Vector::from_bytes(&self.column(0)[row as usize * self.dim..][..self.dim])
    }

    /// The `k` rows most like a vector, of those that pass the filter; see [`scan`].
    pub fn scan(&self, query: &Vector, k: usize, filter: impl Fn(u32) -> bool) -> Vec<Hit> {
        let found = scan(&[self], query, k, |_, row| filter(row));
        found.into_iter().map(|(_, hit)| hit).collect()
    }

    /// As [`Segment::scan`], and nothing is missing.
    pub fn scan_in_full(&self, query: &Vector, k: usize, filter: impl Fn(u32) -> bool) -> Vec<Hit> {
        let mut nearest = Nearest::new(k);
        let search = Search::new(self, query);
        let mut block = [0; BLOCK];
        for (first, values) in (0u32..).step_by(BLOCK).zip(search.values.chunks(BLOCK * self.dim)) {
            products(&search.query, values, &mut block);
            for (row, product) in (first..).zip(&block[..values.len() / self.dim]) {
                let score = search.score(row, *product);
                if score > nearest.least && filter(row) {
                    nearest.offer(row, score);
                }
            }
        }
        nearest.finish()
    }

    /// How far the signs of each row are from a vector's.
    fn distances(&self, query: &[Signs]) -> Vec<u16> {
        let mut found = vec![0; self.n_rows];
        distances(query, self.column(1), &mut found);
        found
    }

    /// Vectors, signs, one through lengths, or keys.
    fn column(&self, column: usize) -> &[u8] {
        let lens = [self.dim, self.dim.div_ceil(64) * 8, 4, 8];
        let start: usize = lens[..column].iter().sum();
        &self.bytes.as_ref()[start * self.n_rows..(start + lens[column]) * self.n_rows]
    }
}

/// The `k` rows of some segments that are most like a vector, of those that pass the filter: the number of the segment and
/// the row, the best first, of equal ones the first first.
///
/// With many rows some of the `k` may be missing, about one in a few hundred, as only those are compared in full whose
/// signs agree best. What is found has its exact score. Which rows are found does not depend on how they are spread over
/// segments, and the same comes out every time.
pub fn scan<B: AsRef<[u8]>>(
    segments: &[&Segment<B>],
    query: &Vector,
    k: usize,
    filter: impl Fn(usize, u32) -> bool,
) -> Vec<(usize, Hit)> {
    let n_rows: usize = segments.iter().map(|segment| segment.n_rows).sum();
    let mut all: Vec<(usize, Hit)> = Vec::new();
    let mut of_segment = |number: usize, hits: Vec<Hit>| all.extend(hits.into_iter().map(|hit| (number, hit)));
    if n_rows <= ALL_IN_FULL {
        for (number, segment) in segments.iter().enumerate() {
            of_segment(number, segment.scan_in_full(query, k, |row| filter(number, row)));
        }
    } else {
        let signs: Vec<Signs> = query.signs().collect();
        let far: Vec<Vec<u16>> = segments.iter().map(|segment| segment.distances(&signs)).collect();
        let wanted = MIN_CANDIDATES.max(k.saturating_mul(CANDIDATES));
        for (number, rows) in candidates(&far, wanted, filter).into_iter().enumerate() {
            let segment = segments[number];
            let mut nearest = Nearest::new(k);
            let search = Search::new(segment, query);
            let mut products = vec![0; rows.len()];
            products_at(&search.query, search.values, &rows, &mut products);
            for (row, product) in rows.into_iter().zip(products) {
                nearest.offer(row, search.score(row, product));
            }
            of_segment(number, nearest.finish());
        }
    }
    all.sort_unstable_by(|(a, one), (b, other)| {
        other
            .score
            .total_cmp(&one.score)
            .then((a, one.row).cmp(&(b, other.row)))
    });
    all.truncate(k);
    all
}

/// The rows of each segment that are worth a closer look, by how far they are: as many as are wanted, and those that are no
/// farther. Few rows are put to the filter, which costs more than a comparison.
fn candidates(far: &[Vec<u16>], wanted: usize, filter: impl Fn(usize, u32) -> bool) -> Vec<Vec<u32>> {
    let all = Counts::of(far);
    let mut limit = all.within(wanted);
    loop {
        let passing = |(number, far): (usize, &Vec<u16>)| -> Vec<u32> {
            let mut near = Vec::new();
            // Most rows are far; many at a time are passed over.
            for (first, far) in (0u32..).step_by(PASSED_OVER).zip(far.chunks(PASSED_OVER)) {
                if far.iter().fold(u16::MAX, |least, distance| least.min(*distance)) <= limit {
                    let rows = (first..).zip(far).filter(|(_, distance)| **distance <= limit);
                    near.extend(rows.map(|(row, _)| row).filter(|row| filter(number, *row)));
                }
            }
            near
        };
        let mut found: Vec<Vec<u32>> = far.iter().enumerate().map(passing).collect();
        let n_found: usize = found.iter().map(Vec::len).sum();
        if n_found < wanted && limit < all.farthest() {
            // The filter lets little pass: so many more must be looked at, at the least.
            limit = all
                .within(all.up_to(limit).saturating_mul(4))
                .max(limit.saturating_add(1));
            continue;
        }
        let distances = |(rows, far): (&Vec<u32>, &Vec<u16>)| rows.iter().map(|row| far[*row as usize]).collect();
        let distances: Vec<Vec<u16>> = found.iter().zip(far).map(distances).collect();
        let limit = Counts::of(&distances).within(wanted);
        for (rows, far) in found.iter_mut().zip(far) {
            rows.retain(|row| far[*row as usize] <= limit);
        }
        return found;
    }
}

/// How many rows there are at each distance.
struct Counts(Vec<usize>);

impl Counts {
    fn of(rows: &[Vec<u16>]) -> Counts {
        // Neighbours are often equally far, and counting the same twice in a row has to wait: so four count.
        let farthest = rows.iter().flatten().copied().fold(0, u16::max);
        let mut counts = vec![[0usize; 4]; usize::from(farthest) + 1];
        for rows in rows {
            for four in rows.chunks(4) {
                for (counter, distance) in four.iter().enumerate() {
                    counts[usize::from(*distance)][counter] += 1;
                }
            }
        }
        Counts(counts.iter().map(|four| four.iter().sum()).collect())
    }

    fn farthest(&self) -> u16 {
        self.0.len().saturating_sub(1) as u16
    }

    fn up_to(&self, distance: u16) -> usize {
        self.0.iter().take(distance as usize + 1).sum()
    }

    /// The least distance within which there are so many, or all.
    fn within(&self, wanted: usize) -> u16 {
        let mut n = 0;
        let enough = self.0.iter().position(|count| {
            n += count;
            n >= wanted
        });
        enough.map_or(self.farthest(), |distance| distance as u16)
    }
}

/// What a comparison with each row needs.
struct Search<'s> {
    query: Vec<i16>,
    inverse_norm: f32,
    values: &'s [u8],
    inverse_norms: &'s [u8],
}

impl<'s> Search<'s> {
    fn new<B: AsRef<[u8]>>(segment: &'s Segment<B>, query: &Vector) -> Search<'s> {
        assert_eq!(
            query.values().len(),
            segment.dim,
            "a question is put to vectors of its own model"
        );
        Search {
            query: query.values().iter().map(|x| i16::from(*x)).collect(),
            inverse_norm: query.inverse_norm(),
            values: segment.column(0),
            inverse_norms: segment.column(2),
        }
    }

    fn score(&self, row: u32, product: i32) -> f32 {
        product as f32 * self.inverse_norm * f32::from_le_bytes(array(self.inverse_norms, row as usize * 4))
    }
}

/// Keeps the best of what it is offered in the order of rows.
struct Nearest {
    k: usize,
    hits: Vec<Hit>,
    /// What is not better than this is not among the best.
    least: f32,
}

impl Nearest {
    fn new(k: usize) -> Nearest {
        Nearest {
            k,
            hits: Vec::new(),
            least: if k == 0 { f32::INFINITY } else { f32::NEG_INFINITY },
        }
    }

    fn offer(&mut self, row: u32, score: f32) {
        if score > self.least {
            self.hits.push(Hit { row, score });
            if self.hits.len() >= 2 * self.k.max(BLOCK) {
                self.hits.select_nth_unstable_by(self.k - 1, Hit::order);
                self.hits.truncate(self.k);
                self.least = self.hits[self.k - 1].score;
            }
        }
    }

    fn finish(mut self) -> Vec<Hit> {
        self.hits.sort_unstable_by(Hit::order);
        self.hits.truncate(self.k);
        self.hits
    }
}

impl Hit {
    fn order(&self, other: &Hit) -> Ordering {
        other.score.total_cmp(&self.score).then(self.row.cmp(&other.row))
    }
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}
