//! How long and how many things are, told by the files that are there.
//!
//! The index counts what was deleted until its segment is merged. Ranking by that would make answers depend on history.

use index::{Reader, Totals};
use tantivy::{
    DocSet, TERMINATED, Term,
    query::Bm25StatisticsProvider,
    schema::{Field, IndexRecordOption},
};

/// Bytes for each term of a text, roughly.
const BYTES_PER_WORD: f32 = 6.0;
/// Terms of the names that a chunk defines, roughly.
pub(crate) const NAMES: f32 = 12.0;

pub(crate) struct Lengths<'r> {
    reader: &'r Reader,
    pub files: u64,
    pub chunks: u64,
    /// Terms of an average chunk.
    pub words: f32,
    /// Bytes of an average file.
    pub file: f32,
}

impl Lengths<'_> {
    pub fn of(reader: &Reader) -> Lengths<'_> {
        let Totals { files, chunks, bytes } = reader.files().totals();
        let per = |n: u64| (bytes as f32 / n.max(1) as f32).max(1.0);
        Lengths {
            reader,
            files,
            chunks,
            words: (per(chunks) / BYTES_PER_WORD).max(1.0),
            file: per(files),
        }
    }
}

impl Bm25StatisticsProvider for Lengths<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        let each = if field == self.reader.fields().content {
            self.words
        } else {
            NAMES
        };
        Ok((self.total_num_docs()? as f32 * each) as u64)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.reader.searcher().num_docs())
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let mut n = 0;
        for segment in self.reader.searcher().segment_readers() {
            let inverted = segment.inverted_index(term.field())?;
            let Some(info) = inverted.get_term_info(term)? else {
                continue;
            };
            let Some(alive) = segment.alive_bitset() else {
                n += u64::from(info.doc_freq);
                continue;
            };
            let mut postings = inverted.read_postings_from_terminfo(&info, IndexRecordOption::Basic)?;
            while postings.doc() != TERMINATED {
                n += u64::from(alive.is_alive(postings.doc()));
                postings.advance();
            }
        }
        Ok(n)
    }
}
