//! Which files can contain a match at all: every match of a pattern holds certain words, or pieces of words.

use index::{
    Places, Reader,
    token::{self, Piece},
};
use regex_syntax::hir::{Class, Hir, HirKind};
use rustc_hash::FxHashSet;

/// More required pieces than this do not narrow the candidates further in practice.
const MAX_PIECES: usize = 8;
/// So few files are sooner looked at than told apart.
const FEW: usize = 8;

/// What every match must contain. An over-estimate of the files is fine, an under-estimate never.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing is known: every file is a candidate.
    Anything,
    All(Vec<Piece>),
    And(Vec<Need>),
    Or(Vec<Need>),
}

impl Need {
    pub(crate) fn literal(bytes: &[u8]) -> Need {
        let mut pieces = token::pieces(bytes);
        pieces.sort();
        pieces.dedup();
        if pieces.is_empty() {
            Need::Anything
        } else {
            Need::All(pieces)
        }
    }

    pub(crate) fn regex(hir: &Hir) -> Need {
        let mut concat = Concat::default();
        concat.push(hir);
        concat.finish()
    }

    fn or(items: Vec<Need>) -> Need {
        if items.contains(&Need::Anything) {
            Need::Anything
        } else {
            Need::Or(items)
        }
    }
}

/// A sequence being read from left to right: bytes that stand side by side join into longer literals.
#[derive(Default)]
struct Concat {
    run: Vec<u8>,
    needs: Vec<Need>,
}

impl Concat {
    fn push(&mut self, hir: &Hir) {
        match hir.kind() {
            // Zero-width: what stands around it is still side by side.
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => self.run.extend_from_slice(&literal.0),
            HirKind::Class(class) => match only_byte(class) {
                Some(byte) => self.run.push(byte),
                None => self.cut(),
            },
            HirKind::Capture(capture) => self.push(&capture.sub),
            HirKind::Concat(items) => items.iter().for_each(|item| self.push(item)),
            HirKind::Repetition(repetition) => {
                self.cut();
                if repetition.min > 0 {
                    self.needs.push(Need::regex(&repetition.sub));
                }
            }
            HirKind::Alternation(items) => {
                self.cut();
                self.needs.push(Need::or(items.iter().map(Need::regex).collect()));
            }
        }
    }

    fn cut(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.needs.push(Need::literal(&run));
    }

    fn finish(mut self) -> Need {
        self.cut();
        self.needs.retain(|need| *need != Need::Anything);
        match self.needs.len() {
            0 => Need::Anything,
            1 => self.needs.swap_remove(0),
            _ => Need::And(self.needs),
        }
    }
}

/// The one byte, in lower case, that all members of a class fold to: `[Aa]` is `a`. Classes with any other member,
/// such as the Kelvin sign next to `k`, have none.
fn only_byte(class: &Class) -> Option<u8> {
    let mut folded = None;
    let mut check = |byte: u8| {
        let lower = byte.to_ascii_lowercase();
        *folded.get_or_insert(lower) == lower
    };
    let same = match class {
        Class::Unicode(class) => class.ranges().iter().all(|range| {
            range.end().is_ascii() && range.len() <= 2 && (range.start()..=range.end()).all(|c| check(c as u8))
        }),
        Class::Bytes(class) => class
            .ranges()
            .iter()
            .all(|range| range.end().is_ascii() && range.len() <= 2 && (range.start()..=range.end()).all(&mut check)),
    };
    folded.filter(|_| same)
}

/// The ids of the files that can match; `None` when any file can.
pub(crate) fn candidates(reader: &Reader, need: &Need) -> tantivy::Result<Option<FxHashSet<u64>>> {
    let Some(mut files) = files_with(reader, need)? else {
        return Ok(None);
    };
    files.extend(reader.files_at(&reader.places_of_cuts()?)?);
    Ok(Some(files))
}

fn files_with(reader: &Reader, need: &Need) -> tantivy::Result<Option<FxHashSet<u64>>> {
    match need {
        Need::Anything => Ok(None),
        Need::All(pieces) => files_with_all(reader, pieces),
        Need::And(items) => {
            let mut files = None;
            for item in items {
                if let Some(others) = files_with(reader, item)? {
                    narrow(&mut files, others);
                }
            }
            Ok(files)
        }
        Need::Or(items) => {
            let mut files = FxHashSet::default();
            for item in items {
                match files_with(reader, item)? {
                    Some(others) => files.extend(others),
                    None => return Ok(None),
                }
            }
            Ok(Some(files))
        }
    }
}

/// Whole words first, the rarest before all others: looking them up costs next to nothing.
fn files_with_all(reader: &Reader, pieces: &[Piece]) -> tantivy::Result<Option<FxHashSet<u64>>> {
    let (whole, open): (Vec<&Piece>, Vec<&Piece>) = pieces.iter().partition(|piece| piece.begins && piece.ends);
    let n_documents = reader.searcher().num_docs() as usize;
    let mut files = None;
    for pieces in [whole, open] {
        let mut all_places = Vec::new();
        for piece in pieces {
            if is_few(&files) {
                return Ok(files);
            }
            let places = reader.places_of_piece(piece)?;
            all_places.extend(places.filter(|places| places.n_documents() < n_documents));
        }
        all_places.sort_by_key(Places::n_documents);
        for places in all_places.iter().take(MAX_PIECES) {
            if is_few(&files) {
                return Ok(files);
            }
            narrow(&mut files, reader.files_at(places)?);
        }
    }
    Ok(files)
}

fn is_few(files: &Option<FxHashSet<u64>>) -> bool {
    files.as_ref().is_some_and(|files| files.len() <= FEW)
}

fn narrow(files: &mut Option<FxHashSet<u64>>, others: FxHashSet<u64>) {
    match files {
        Some(files) => files.retain(|id| others.contains(id)),
        None => *files = Some(others),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(pattern: &str) -> Need {
        Need::regex(&regex_syntax::parse(pattern).unwrap())
    }

    fn all(literal: &str) -> Need {
        Need::literal(literal.as_bytes())
    }

    #[test]
    fn patterns_need_their_literals() {
        assert_eq!(need("foobar"), all("foobar"));
        assert_eq!(need("(?i)FooBar"), all("foobar"));
        assert_eq!(need(r"^foo\bbar$"), all("foobar"));
        assert_eq!(need("foo.*bar"), Need::And(vec![all("foo"), all("bar")]));
        assert_eq!(need("foo(one|two)?"), all("foo"));
        assert_eq!(need("(abc|def)+"), Need::Or(vec![all("abc"), all("def")]));
        assert_eq!(need("(abc|-)x"), all("x"));
        assert_eq!(need("(abc|-)"), Need::Anything);
        assert_eq!(need(".*"), Need::Anything);
    }

    #[test]
    fn letters_with_relatives_beyond_ascii_are_not_required() {
        // `(?i)k` also matches the Kelvin sign, `(?i)s` the long s.
        assert_eq!(need("(?i)sk"), Need::Anything);
        assert_eq!(need("(?i)unmap_key"), Need::And(vec![all("unmap_"), all("ey")]));
    }
}
