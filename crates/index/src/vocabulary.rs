//! Finding words by a piece of them, for searches that do not look for whole words.

use std::{
    path::Path,
    str::from_utf8,
    sync::{Arc, OnceLock},
};

use memchr::{memchr, memchr2, memmem, memrchr};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::SymbolKind;
use tantivy::{
    DocSet, Searcher, SegmentReader, TERMINATED, Term,
    directory::OwnedBytes,
    postings::{Postings, TermInfo},
    schema::{Field, IndexRecordOption},
};

use crate::{
    aside::laid_aside,
    doc_files::DocFiles,
    reader::Reader,
    token::{self, FIRST_WORD, Piece},
};

/// A piece that more words have is in most files anyway.
const MAX_WORDS: usize = 4096;

/// Between two words. The most common byte of all in the eyes of `memmem`, which looks for rare ones first.
const SEPARATOR: u8 = b' ';

/// The folded words of a segment, side by side: a substring of thousands of words is found by reading through them.
pub(crate) struct Vocabulary {
    words: OwnedBytes,
}

/// Every name and kind of a segment's symbols, a line each and in the order of bytes: see `token::name_and_kind`.
struct SymbolNames {
    lines: OwnedBytes,
    /// Where lines begin that are not plain ASCII.
    other: Vec<u32>,
}

impl SymbolNames {
    fn read(segment: &SegmentReader, field: Field, dir: &Path) -> tantivy::Result<SymbolNames> {
        let index = segment.inverted_index(field)?;
        let mut terms = index.terms().range().ge(token::first_named()).into_stream()?;
        let (mut lines, mut other) = (Vec::new(), Vec::new());
        while let Some(name) = terms.next().and_then(|(term, _)| token::of_named_term(term)) {
            if !name.is_ascii() {
                other.push(lines.len() as u32);
            }
            lines.extend_from_slice(name.as_bytes());
            lines.push(b'\n');
        }
        lines.shrink_to_fit();
        let lines = laid_aside(dir, lines);
        Ok(SymbolNames { lines, other })
    }

    fn line_at(&self, start: usize) -> &str {
        lines(&self.lines[start..]).next().unwrap_or_default()
    }

    /// The lines that begin with a byte.
    fn beginning(&self, first: u8) -> impl Iterator<Item = &str> {
        let bytes = &*self.lines;
        // The beginning of the first line that is not before one.
        let place = |is_before: &dyn Fn(u8) -> bool| {
            let (mut low, mut high) = (0, bytes.len());
            while low < high {
                let middle = low + (high - low) / 2;
                let start = memrchr(b'\n', &bytes[..middle]).map_or(0, |at| at + 1);
                match is_before(bytes[start]) {
                    true => low = memchr(b'\n', &bytes[middle..]).map_or(bytes.len(), |at| middle + at + 1),
                    false => high = start,
                }
            }
            low
        };
        let (from, to) = (place(&|byte| byte < first), place(&|byte| byte <= first));
        lines(&self.lines[from..to])
    }

    /// The lines in which an ASCII text is but for case and underscores, or that begin with its first letter, and some others.
    /// Some come twice.
    fn like<'n>(&'n self, folded: &'n [u8]) -> impl Iterator<Item = &'n str> {
        let first = folded[0];
        let mut letters = vec![first, first.to_ascii_uppercase(), b'_'];
        letters.dedup();
        let beginning = letters.into_iter().flat_map(|letter| self.beginning(letter));
        let other = self.other.iter().map(|start| self.line_at(*start as usize));
        beginning.chain(other).chain(self.having(folded))
    }

    fn having<'n>(&'n self, folded: &'n [u8]) -> impl Iterator<Item = &'n str> {
        let bytes = &*self.lines;
        let (anchor, letter) = (0..)
            .zip(folded)
            .min_by_key(|(_, letter)| commonness(**letter))
            .unwrap_or((0, &b'_'));
        let upper = letter.to_ascii_uppercase();
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                let found = at + memchr2(*letter, upper, &bytes[at..])?;
                at = found + 1;
                let before = bytes[..found].iter().rev();
                if !has_folded(before, folded[..anchor].iter().rev())
                    || !has_folded(bytes[at..].iter(), folded[anchor + 1..].iter())
                {
                    continue;
                }
                let start = memrchr(b'\n', &bytes[..found]).map_or(0, |at| at + 1);
                let line = self.line_at(start);
                // What is behind the name is its kind.
                if token::name_and_kind(line).is_some_and(|(name, _)| found < start + name.len()) {
                    at = start + line.len();
                    return Some(line);
                }
            }
        })
    }
}

/// The lines of a text, which has a line break behind each.
fn lines(text: &[u8]) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (line, behind) = rest.split_at(memchr(b'\n', rest)?);
        rest = &behind[1..];
        // They were texts when they were laid aside.
        Some(from_utf8(line).unwrap_or_default())
    })
}

/// Whether some bytes begin with others, but for case and underscores.
fn has_folded<'b>(bytes: impl Iterator<Item = &'b u8>, folded: impl Iterator<Item = &'b u8>) -> bool {
    let mut own = bytes.filter(|byte| **byte != b'_').map(u8::to_ascii_lowercase);
    let mut folded = folded;
    folded.all(|letter| own.next() == Some(*letter))
}

/// How often a letter is in names, roughly: who looks for a rare one has fewer places to look at.
fn commonness(letter: u8) -> usize {
    let rarest = b"qjzxkwyvhgbfumpldconairste";
    rarest.iter().position(|one| *one == letter).unwrap_or(0)
}

/// A name and its kind, of a line that tells one.
fn named(line: &str) -> Option<(&str, SymbolKind)> {
    token::name_and_kind(line).filter(|(_, kind)| *kind != SymbolKind::Impl)
}

/// What is read from a segment once and kept in memory.
#[derive(Default)]
pub(crate) struct SegmentMemo {
    vocabulary: OnceLock<Vocabulary>,
    symbol_names: OnceLock<SymbolNames>,
    files: OnceLock<DocFiles>,
    /// The files in which a word may not be known whole.
    cut: OnceLock<Box<[u64]>>,
}

/// The memos of a searcher's segments, which do not change: what was known stays known.
pub(crate) fn of_segments(searcher: &Searcher, previous: Option<&Reader>) -> Vec<Arc<SegmentMemo>> {
    let known = |segment: &SegmentReader| {
        let previous = previous?;
        let mut segments = previous.searcher.segment_readers().iter();
        let at = segments.position(|known| known.segment_id() == segment.segment_id())?;
        Some(previous.memos[at].clone())
    };
    let segments = searcher.segment_readers().iter();
    segments.map(|segment| known(segment).unwrap_or_default()).collect()
}

impl Vocabulary {
    fn read(segment: &SegmentReader, field: Field, dir: &Path) -> tantivy::Result<Vocabulary> {
        let index = segment.inverted_index(field)?;
        let mut terms = index.terms().range().ge(FIRST_WORD).into_stream()?;
        let mut words = vec![SEPARATOR];
        while terms.advance() {
            words.extend_from_slice(terms.key());
            words.push(SEPARATOR);
        }
        words.shrink_to_fit();
        let words = laid_aside(dir, words);
        Ok(Vocabulary { words })
    }

    fn words_with(&self, piece: &Piece) -> impl Iterator<Item = &[u8]> {
        let mut wanted = Vec::new();
        wanted.extend(piece.begins.then_some(SEPARATOR));
        wanted.extend_from_slice(piece.folded.as_bytes());
        wanted.extend(piece.ends.then_some(SEPARATOR));
        let offset = usize::from(piece.begins);
        let finder = memmem::Finder::new(&wanted).into_owned();
        let mut at = 0;
        std::iter::from_fn(move || {
            let found = at + finder.find(&self.words[at..])? + offset;
            let start = memrchr(SEPARATOR, &self.words[..found])? + 1;
            at = found + memchr(SEPARATOR, &self.words[found..])?;
            Some(&self.words[start..at])
        })
    }
}

/// The documents of some words.
pub struct Places {
    field: Field,
    /// For each word, its segment's number and where its documents are listed.
    lists: Vec<(usize, TermInfo)>,
}

impl Places {
    /// Documents with several of the words are counted several times.
    pub fn n_documents(&self) -> usize {
        self.lists.iter().map(|(_, list)| list.doc_freq as usize).sum()
    }
}

/// The term of a word as it is written.
fn spelled(word: &str) -> String {
    if token::is_folded(word) {
        word.to_owned()
    } else {
        token::cased_term(word)
    }
}

/// What is kept, read if it is not there yet. If two come here at once both read it, and one result is kept.
fn known<T>(kept: &OnceLock<T>, read: impl FnOnce() -> tantivy::Result<T>) -> tantivy::Result<&T> {
    match kept.get() {
        Some(known) => Ok(known),
        None => {
            let new = read()?;
            Ok(kept.get_or_init(|| new))
        }
    }
}

impl Reader {
    /// The places of all words that have the piece; `None` if these are so many that it tells nothing.
    pub fn places_of_piece(&self, piece: &Piece) -> tantivy::Result<Option<Places>> {
        let field = self.fields.content;
        let mut lists = Vec::new();
        if !(piece.begins && piece.ends) {
            // The first time they take a while: side by side.
            (0..self.memos.len())
                .into_par_iter()
                .try_for_each(|segment| self.vocabulary(segment).map(drop))?;
        }
        for (number, segment) in self.searcher.segment_readers().iter().enumerate() {
            let index = segment.inverted_index(field)?;
            if piece.begins && piece.ends {
                lists.extend(index.terms().get(&piece.folded)?.map(|list| (number, list)));
                continue;
            }
            let words: Vec<&[u8]> = self.vocabulary(number)?.words_with(piece).take(MAX_WORDS).collect();
            if words.len() == MAX_WORDS {
                return Ok(None);
            }
            for word in words {
                lists.extend(index.terms().get(word)?.map(|list| (number, list)));
            }
        }
        Ok(Some(Places { field, lists }))
    }

    /// The places of the files in which a word may not be known whole: no piece tells that one of these lacks it.
    pub fn places_of_cuts(&self) -> tantivy::Result<Places> {
        let field = self.fields.cut;
        let term = Term::from_field_bool(field, true);
        let mut lists = Vec::new();
        for (number, segment) in self.searcher.segment_readers().iter().enumerate() {
            let list = segment.inverted_index(field)?.get_term_info(&term)?;
            lists.extend(list.map(|list| (number, list)));
        }
        Ok(Places { field, lists })
    }

    /// The ids of the files at some places; old ones among them.
    pub fn files_at(&self, places: &Places) -> tantivy::Result<FxHashSet<u64>> {
        let mut files = FxHashSet::default();
        for lists in places.lists.chunk_by(|a, b| a.0 == b.0) {
            let segment = self.searcher.segment_reader(lists[0].0 as u32);
            let index = segment.inverted_index(places.field)?;
            let of = self.doc_files(lists[0].0)?;
            for (_, list) in lists {
                let mut documents = index.read_block_postings_from_terminfo(list, IndexRecordOption::Basic)?;
                let (mut positions, mut last) = (of.in_order(), None);
                while documents.block_len() > 0 {
                    for doc in documents.docs() {
                        let at = positions.position(*doc);
                        if last.replace(at) != Some(at) {
                            files.insert(of.ids()[at]);
                        }
                    }
                    documents.advance();
                }
            }
        }
        Ok(files)
    }

    fn vocabulary(&self, segment: usize) -> tantivy::Result<&Vocabulary> {
        let segment_reader = self.searcher.segment_reader(segment as u32);
        let read = || Vocabulary::read(segment_reader, self.fields.content, &self.dir);
        known(&self.memos[segment].vocabulary, read)
    }

    /// The files of a segment of the searcher's.
    pub fn doc_files(&self, segment: usize) -> tantivy::Result<&DocFiles> {
        let read = || DocFiles::read(self.searcher.segment_reader(segment as u32));
        known(&self.memos[segment].files, read)
    }

    fn symbol_names(&self, segment: usize) -> tantivy::Result<&SymbolNames> {
        let segment_reader = self.searcher.segment_reader(segment as u32);
        let read = || SymbolNames::read(segment_reader, self.fields.symbol, &self.dir);
        known(&self.memos[segment].symbol_names, read)
    }

    /// Every name and kind that a symbol of a segment has or had.
    fn names_of_segment(&self, segment: usize) -> tantivy::Result<impl Iterator<Item = (&str, SymbolKind)>> {
        Ok(lines(&self.symbol_names(segment)?.lines).filter_map(named))
    }

    /// What `find` tells of each name and kind that a symbol has or had, by the number of the segment; the same one may come
    /// several times, in several segments.
    pub fn each_symbol_name<T: Send>(
        &self,
        find: impl Fn(u32, &mut dyn Iterator<Item = (&str, SymbolKind)>) -> T + Sync,
    ) -> tantivy::Result<Vec<T>> {
        let segments = (0..self.memos.len()).into_par_iter();
        let found = segments.map(|segment| Ok(find(segment as u32, &mut self.names_of_segment(segment)?)));
        found.collect()
    }

    /// The same for those names whose folded form has `folded` in it or begins with its first letter, and some others.
    pub fn each_symbol_name_like<T: Send>(
        &self,
        folded: &str,
        find: impl Fn(u32, &mut dyn Iterator<Item = (&str, SymbolKind)>) -> T + Sync,
    ) -> tantivy::Result<Vec<T>> {
        if folded.is_empty() || !folded.is_ascii() {
            return self.each_symbol_name(find);
        }
        let segments = (0..self.memos.len()).into_par_iter();
        let found = segments.map(|segment| {
            let names = self.symbol_names(segment)?;
            Ok(find(
                segment as u32,
                &mut names.like(folded.as_bytes()).filter_map(named),
            ))
        });
        found.collect()
    }

    /// In how many chunks a word is written exactly so, and in how many a symbol of exactly this name begins, counted for
    /// each kind.
    pub fn spread(&self, word: &str) -> tantivy::Result<(u64, u64)> {
        let mentioned = Term::from_field_text(self.fields.content, &spelled(word));
        let (defining, _) = self.places_naming(word)?;
        Ok((self.searcher.doc_freq(&mentioned)?, defining.n_documents() as u64))
    }

    /// Whether a symbol of exactly this name and kind is or was defined.
    pub fn defines(&self, name: &str, kind: SymbolKind) -> tantivy::Result<bool> {
        Ok(!self.segments_defining(name, kind)?.is_empty())
    }

    /// The segments that have a symbol of exactly this name and kind.
    pub fn segments_defining(&self, name: &str, kind: SymbolKind) -> tantivy::Result<Vec<u32>> {
        let term = Term::from_field_text(self.fields.symbol, &token::named_term(name, kind));
        let mut segments = Vec::new();
        for (number, segment) in (0..).zip(self.searcher.segment_readers()) {
            if segment.inverted_index(self.fields.symbol)?.doc_freq(&term)? > 0 {
                segments.push(number);
            }
        }
        Ok(segments)
    }

    /// Whether a symbol has, or had, this folded word in its name.
    pub fn defines_word(&self, folded: &str) -> tantivy::Result<bool> {
        let term = Term::from_field_text(self.fields.symbol, folded);
        Ok(self.searcher.doc_freq(&term)? > 0)
    }

    /// The files in whose text a word is written exactly so, and those in which it may be cut. In no order.
    pub fn files_mentioning(&self, word: &str) -> tantivy::Result<FxHashSet<u64>> {
        let mut files = self.files_with_word(word)?;
        for segment in 0..self.memos.len() {
            files.extend(self.cut_files(segment)?);
        }
        Ok(files)
    }

    /// The files of a segment in which a word may not be known whole: every question about a word asks for them.
    fn cut_files(&self, segment: usize) -> tantivy::Result<&[u64]> {
        let read = || {
            let mut places = self.places_of_cuts()?;
            places.lists.retain(|(number, _)| *number == segment);
            Ok(self.files_at(&places)?.into_iter().collect())
        };
        known(&self.memos[segment].cut, read).map(|files| &**files)
    }

    /// The files in whose text a word is written exactly so. In no order.
    pub fn files_with_word(&self, word: &str) -> tantivy::Result<FxHashSet<u64>> {
        let term = spelled(word);
        let field = self.fields.content;
        let mut lists = Vec::new();
        for (number, segment) in self.searcher.segment_readers().iter().enumerate() {
            let list = segment.inverted_index(field)?.terms().get(&term)?;
            lists.extend(list.map(|list| (number, list)));
        }
        self.files_at(&Places { field, lists })
    }

    /// The files that define a symbol of exactly this name, and those with a block that adds to a type of this name. In no
    /// order; old ones among them.
    pub fn files_naming(&self, name: &str) -> tantivy::Result<(FxHashSet<u64>, FxHashSet<u64>)> {
        let (defining, extending) = self.places_naming(name)?;
        Ok((self.files_at(&defining)?, self.files_at(&extending)?))
    }

    /// Where symbols of exactly this name begin, and blocks that add to a type of this name.
    fn places_naming(&self, name: &str) -> tantivy::Result<(Places, Places)> {
        let field = self.fields.symbol;
        let wanted = token::terms_named(name);
        let (mut defining, mut extending) = (Vec::new(), Vec::new());
        for (number, segment) in self.searcher.segment_readers().iter().enumerate() {
            let index = segment.inverted_index(field)?;
            let terms = index.terms().range().ge(&wanted.start).lt(&wanted.end);
            let mut terms = terms.into_stream()?;
            while let Some((term, list)) = terms.next() {
                let lists = match token::of_named_term(term).and_then(token::name_and_kind) {
                    Some((named, SymbolKind::Impl)) if named == name => &mut extending,
                    Some((named, _)) if named == name => &mut defining,
                    _ => continue,
                };
                lists.push((number, list.clone()));
            }
        }
        let places = |lists| Places { field, lists };
        Ok((places(defining), places(extending)))
    }

    /// The files that define a member of that name and owner, but for case and underscores. In no order; old ones among
    /// them.
    pub fn files_with_member(&self, owner: &str, name: &str) -> tantivy::Result<FxHashSet<u64>> {
        let field = self.fields.symbol;
        let term = token::member_term(owner, name);
        let mut lists = Vec::new();
        for (number, segment) in self.searcher.segment_readers().iter().enumerate() {
            let list = segment.inverted_index(field)?.terms().get(&term)?;
            lists.extend(list.map(|list| (number, list)));
        }
        self.files_at(&Places { field, lists })
    }

    /// The files that define a symbol of exactly this name and kind, and how many each does, in some segments. In no order.
    pub fn files_defining(
        &self,
        name: &str,
        kind: SymbolKind,
        segments: &[u32],
    ) -> tantivy::Result<FxHashMap<u64, u32>> {
        let term = Term::from_field_text(self.fields.symbol, &token::named_term(name, kind));
        let mut files = FxHashMap::default();
        for number in segments {
            let segment = self.searcher.segment_reader(*number);
            let index = segment.inverted_index(self.fields.symbol)?;
            let Some(mut documents) = index.read_postings(&term, IndexRecordOption::WithFreqs)? else {
                continue;
            };
            let of = self.doc_files(*number as usize)?;
            let mut positions = of.in_order();
            while documents.doc() != TERMINATED {
                let doc = documents.doc();
                if !segment.is_deleted(doc) {
                    let file = of.ids()[positions.position(doc)];
                    *files.entry(file).or_insert(0) += documents.term_freq();
                }
                documents.advance();
            }
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_can_be_meant_are_found() {
        use SymbolKind::{Constant, Field, Function, Macro, Struct};
        let symbols = [
            ("Kmalloc", Struct),
            ("_kmem", Function),
            ("__k_malloc_node", Function),
            ("devm_kmalloc", Function),
            ("dev_KMalloc_x", Macro),
            ("kfree", Function),
            ("k_m", Constant),
            ("malloc", Function),
            ("zkmallo", Function),
            ("#items", Field),
            ("parse\u{212a}malloc", Function),
            ("\u{212a}malloc", Function),
        ];
        let terms = symbols.map(|(name, kind)| token::named_term(name, kind));
        let mut lines: Vec<&str> = terms
            .iter()
            .filter_map(|term| token::of_named_term(term.as_bytes()))
            .collect();
        lines.sort_unstable();
        let (mut text, mut other) = (String::new(), Vec::new());
        for line in &lines {
            if !line.is_ascii() {
                other.push(text.len() as u32);
            }
            text.push_str(line);
            text.push('\n');
        }
        let lines_of_all = OwnedBytes::new(text.into_bytes());
        let names = SymbolNames {
            lines: lines_of_all,
            other,
        };
        for wanted in ["kmalloc", "k", "m", "dev", "items", "mallo", "zz", "x", "e"] {
            let found: FxHashSet<&str> = names.like(wanted.as_bytes()).collect();
            for line in &lines {
                let (name, _) = named(line).expect("a name and a kind");
                let folded = token::fold(name);
                let is_one = folded.contains(wanted) || folded.starts_with(&wanted[..1]);
                assert!(!is_one || found.contains(line), "{wanted} in {line}");
            }
        }
        // What stands for a kind is no part of a name.
        let letter = token::named_term("", Function).to_ascii_lowercase();
        let letter = letter.as_bytes().last().expect("the letter of a kind");
        let is_in_name =
            |line: &&&str| named(line).is_some_and(|(name, _)| token::fold(name).as_bytes().contains(letter));
        assert_eq!(
            names.having(&[*letter]).count(),
            lines.iter().filter(is_in_name).count()
        );
    }
}
