//! Which files can contain a match at all: every match of a pattern holds certain three bytes in a row.

use index::{Reader, trigram_term};
use regex_syntax::hir::{Class, Hir, HirKind};
use rustc_hash::FxHashSet;
use tantivy::{
    Term,
    collector::DocSetCollector,
    query::{BooleanQuery, Occur, Query, TermQuery},
    schema::IndexRecordOption,
};

/// More required trigrams than this do not narrow the candidates further in practice.
const MAX_GRAMS: usize = 12;

/// What every match must contain. An over-estimate of the files is fine, an under-estimate never.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing is known: every file is a candidate.
    Anything,
    All(Vec<[u8; 3]>),
    And(Vec<Need>),
    Or(Vec<Need>),
}

impl Need {
    pub(crate) fn literal(bytes: &[u8]) -> Need {
        let lower = bytes.to_ascii_lowercase();
        let grams: Vec<[u8; 3]> = lower
            .windows(3)
            .map(|window| [window[0], window[1], window[2]])
            .collect();
        if grams.is_empty() {
            Need::Anything
        } else {
            Need::All(grams)
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
    let Some(query) = query(reader, need)? else {
        return Ok(None);
    };
    let searcher = reader.searcher();
    let mut ids = FxHashSet::default();
    let columns = searcher
        .segment_readers()
        .iter()
        .map(|segment| segment.fast_fields().u64("grams_file"))
        .collect::<tantivy::Result<Vec<_>>>()?;
    for address in searcher.search(&query, &DocSetCollector)? {
        ids.extend(columns[address.segment_ord as usize].first(address.doc_id));
    }
    Ok(Some(ids))
}

fn query(reader: &Reader, need: &Need) -> tantivy::Result<Option<Box<dyn Query>>> {
    let field = reader.fields().grams;
    Ok(match need {
        Need::Anything => None,
        Need::All(grams) => {
            let mut terms = Vec::new();
            let indexed = grams.iter().collect::<std::collections::BTreeSet<_>>();
            for text in indexed.into_iter().filter_map(|gram| trigram_term(*gram)) {
                let term = Term::from_field_text(field, &text);
                terms.push((reader.searcher().doc_freq(&term)?, term));
            }
            terms.sort();
            let rarest = terms.into_iter().take(MAX_GRAMS);
            let clauses: Vec<_> = rarest.map(|(_, term)| (Occur::Must, term_query(term))).collect();
            (!clauses.is_empty()).then(|| Box::new(BooleanQuery::new(clauses)) as Box<dyn Query>)
        }
        Need::And(items) => {
            let mut clauses = Vec::new();
            for item in items {
                clauses.extend(query(reader, item)?.map(|query| (Occur::Must, query)));
            }
            (!clauses.is_empty()).then(|| Box::new(BooleanQuery::new(clauses)) as Box<dyn Query>)
        }
        Need::Or(items) => {
            let mut clauses = Vec::new();
            for item in items {
                match query(reader, item)? {
                    Some(query) => clauses.push((Occur::Should, query)),
                    None => return Ok(None),
                }
            }
            Some(Box::new(BooleanQuery::new(clauses)))
        }
    })
}

fn term_query(term: Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
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
        assert_eq!(need("(abc|d)x"), Need::Anything);
        assert_eq!(need("a.b"), Need::Anything);
        assert_eq!(need(".*"), Need::Anything);
    }

    #[test]
    fn letters_with_relatives_beyond_ascii_are_not_required() {
        // `(?i)k` also matches the Kelvin sign, `(?i)s` the long s.
        assert_eq!(need("(?i)mask"), Need::Anything);
        assert_eq!(need("(?i)unmap_key"), all("unmap_"));
    }
}
