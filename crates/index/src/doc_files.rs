//! Which file the documents of a segment are of.
//!
//! `NewSegment` takes the chunks of a file together, so its documents follow each other in the order of the chunks, and do so
//! after segments were merged.

use std::ops::Range;

use tantivy::{DocId, SegmentReader, TantivyError};

/// The files of a segment in the order of their documents; those that are gone among them.
pub struct DocFiles {
    ids: Vec<u64>,
    /// Where the documents of each begin, and where those of the last one end.
    starts: Vec<DocId>,
    /// The positions in `ids` by the ids.
    by_id: Vec<u32>,
}

impl DocFiles {
    pub(crate) fn read(segment: &SegmentReader) -> tantivy::Result<DocFiles> {
        let columns = segment.fast_fields();
        let (file, chunk) = (columns.u64("file")?, columns.u64("chunk")?);
        let mut files = DocFiles {
            ids: Vec::new(),
            starts: Vec::new(),
            by_id: Vec::new(),
        };
        let (mut ids, mut chunks) = ([0; 256], [0; 256]);
        for start in (0..segment.max_doc()).step_by(ids.len()) {
            let n = ids.len().min((segment.max_doc() - start) as usize);
            file.values.get_range(u64::from(start), &mut ids[..n]);
            chunk.values.get_range(u64::from(start), &mut chunks[..n]);
            for ((doc, id), chunk) in (start..).zip(&ids[..n]).zip(&chunks[..n]) {
                if *chunk == 0 {
                    files.ids.push(*id);
                    files.starts.push(doc);
                }
                let follows = files
                    .starts
                    .last()
                    .is_some_and(|first| u64::from(doc - first) == *chunk);
                if !follows || files.ids.last() != Some(id) {
                    return Err(TantivyError::InternalError("the chunks of a file are apart".to_owned()));
                }
            }
        }
        files.starts.push(segment.max_doc());
        files.by_id = (0..files.ids.len() as u32).collect();
        files.by_id.sort_unstable_by_key(|at| files.ids[*at as usize]);
        for list in [&mut files.starts, &mut files.by_id] {
            list.shrink_to_fit();
        }
        files.ids.shrink_to_fit();
        Ok(files)
    }

    pub fn ids(&self) -> &[u64] {
        &self.ids
    }

    /// The documents of the file at a position.
    pub fn docs(&self, at: usize) -> Range<DocId> {
        self.starts[at]..self.starts[at + 1]
    }

    /// The position of a file.
    pub fn position(&self, id: u64) -> Option<usize> {
        let found = self.by_id.binary_search_by_key(&id, |at| self.ids[*at as usize]);
        found.ok().map(|found| self.by_id[found] as usize)
    }

    /// Tells the positions of documents that are asked about in their order.
    pub fn in_order(&self) -> InOrder<'_> {
        InOrder { files: self, at: 0 }
    }
}

pub struct InOrder<'f> {
    files: &'f DocFiles,
    at: usize,
}

impl InOrder<'_> {
    /// The position of the file of a document, which is not before the last one that was asked about.
    pub fn position(&mut self, doc: DocId) -> usize {
        let starts = &self.files.starts;
        let is_behind = |at: usize| starts.get(at).is_some_and(|start| *start <= doc);
        // The next file or one nearby, mostly; of a rare word it is anywhere.
        let mut step = 1;
        while is_behind(self.at + step) {
            self.at += step;
            step *= 2;
        }
        while step > 0 {
            if is_behind(self.at + step) {
                self.at += step;
            }
            step /= 2;
        }
        self.at
    }
}
