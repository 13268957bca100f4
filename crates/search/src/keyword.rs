//! Ranked keyword search: a query expression becomes index queries, the best chunks come back.
//!
//! What matches is exactly what the expression says; ranking only orders it.

use std::sync::Arc;

use index::{FileRow, Reader, token};
use rustc_hash::FxHashMap;
use source::PathGlobs;
use syntax::SymbolKind;
use tantivy::{
    DocAddress, DocId, DocSet, Score, SegmentReader, TERMINATED, TantivyError, Term,
    collector::{Collector, Count, FilterCollector, TopDocs},
    index::SegmentId,
    query::{
        AllQuery, Bm25StatisticsProvider, BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, Occur, PhraseQuery,
        Query, TermQuery, TermSetQuery,
    },
    schema::{Field as IndexField, IndexRecordOption},
};

use crate::{
    filter::{Filter, is_of_lang},
    lengths::Lengths,
    query::{Expr, Field, Leaf},
    symbol::{KindFilter, SymbolName},
};

/// Scores are told apart in steps of one in so many.
const SCORE_STEPS: f32 = 4096.0;

/// Names of the columns that say which chunk a document is.
const FILE: &str = "file";
const CHUNK: &str = "chunk";

/// How much each way of matching counts.
mod weight {
    /// The whole word, in any spelling.
    pub const WHOLE: f32 = 1.0;
    /// A part of a longer identifier.
    pub const PART: f32 = 0.6;
    /// All parts of the word, apart from each other.
    pub const SPLIT: f32 = 0.5;
    /// The very same spelling, on top of the above.
    pub const CASED: f32 = 1.0;
    /// The word is in the path, on top of the above and the more the rarer that is.
    pub const PATH: f32 = 0.8;
    /// A symbol of that name is defined here, on top of the above; and once more in the very same spelling.
    pub const SYMBOL: f32 = 1.0;
    /// A symbol whose name has it as a part.
    pub const SYMBOL_PART: f32 = 0.3;
    /// The item of which the name is all that is asked for, on top of the above.
    pub const SYMBOL_ALONE: f32 = 3.0;
    /// Words side by side.
    pub const PHRASE: f32 = 1.5;
}

/// What someone who types nothing but a name looks for, rather than a variable or a field of that name.
pub(crate) const ITEMS: &[SymbolKind] = &[
    SymbolKind::Function,
    SymbolKind::Method,
    SymbolKind::Class,
    SymbolKind::Struct,
    SymbolKind::Enum,
    SymbolKind::Interface,
    SymbolKind::Trait,
    SymbolKind::Type,
    SymbolKind::Union,
    SymbolKind::Object,
    SymbolKind::Constant,
    SymbolKind::Macro,
    SymbolKind::Module,
    SymbolKind::Namespace,
];

/// One chunk that matches.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub file: u64,
    pub chunk: u32,
    pub score: f32,
}

/// A page of hits, best first, and how many there are in all.
#[derive(Debug, Default)]
pub struct Hits {
    pub hits: Vec<Hit>,
    pub total: usize,
    /// Nothing matched the words side by side, so chunks with any of them are shown.
    pub relaxed: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum KeywordError {
    #[error("unknown language `{0}`")]
    UnknownLang(String),
    #[error("`{0}` is not a kind of symbol")]
    UnknownKind(String),
    #[error("`{0}` holds no word to search for")]
    NoWord(String),
    #[error(transparent)]
    Glob(#[from] source::GlobError),
    #[error("the index cannot be read: {0}")]
    Index(#[from] TantivyError),
}

/// The hits from `offset` on, at most `limit` of them. Order is total: by score, then path, then position.
pub fn keyword(
    reader: &Reader,
    expr: &Expr,
    filter: &Filter,
    offset: usize,
    limit: usize,
) -> Result<Hits, KeywordError> {
    let words = ranking_words(expr);
    let in_paths = InPaths::new(reader, &words)?;
    let build = Build { reader, relaxed: false };
    let hits = run(reader, build.ranked(expr, &words)?, &in_paths, filter, offset, limit)?;
    if hits.total > 0 || expr.is_structured() {
        return Ok(hits);
    }
    let build = Build { reader, relaxed: true };
    let hits = run(reader, build.ranked(expr, &words)?, &in_paths, filter, offset, limit)?;
    Ok(Hits {
        relaxed: hits.total > 0,
        ..hits
    })
}

/// The chunks that have the words of a text side by side.
pub(crate) fn side_by_side(reader: &Reader, text: &str, filter: &Filter, limit: usize) -> Result<Hits, KeywordError> {
    let phrase = Leaf::of_content(text);
    let query = Build { reader, relaxed: false }.leaf(&phrase)?;
    run(reader, query, &InPaths::default(), filter, 0, limit)
}

/// The words of an expression that raise what has them in its path or in the names of what it defines.
fn ranking_words(expr: &Expr) -> Vec<String> {
    let leaves = expr.positive_leaves();
    let leaves = leaves.iter().filter(|leaf| leaf.field == Field::Content);
    leaves.flat_map(|leaf| leaf.words()).map(str::to_owned).collect()
}

/// What it adds to the score of each document that the path of its file has words of the query, by segment. Empty if none has.
#[derive(Default)]
struct InPaths(FxHashMap<SegmentId, Arc<[f32]>>);

impl InPaths {
    fn new(reader: &Reader, words: &[String]) -> Result<InPaths, TantivyError> {
        let lengths = Lengths::of(reader);
        let mut raised: FxHashMap<SegmentId, Vec<f32>> = FxHashMap::default();
        let folded = words.iter().map(|word| token::fold(word));
        for text in folded.flat_map(|word| [token::part_term(&word), word]) {
            let term = Term::from_field_text(reader.fields().path, &text);
            let n = lengths.doc_freq(&term)? as f32;
            if n == 0.0 {
                continue;
            }
            let rarity = (1.0 + (lengths.files as f32 - n + 0.5).max(0.0) / (n + 0.5)).ln();
            for (number, segment) in reader.searcher().segment_readers().iter().enumerate() {
                let inverted = segment.inverted_index(term.field())?;
                let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic)? else {
                    continue;
                };
                let files = reader.doc_files(number)?;
                let mut positions = files.in_order();
                let scores = raised
                    .entry(segment.segment_id())
                    .or_insert_with(|| vec![0.0; segment.max_doc() as usize]);
                while postings.doc() != TERMINATED {
                    let docs = files.docs(positions.position(postings.doc()));
                    for score in &mut scores[docs.start as usize..docs.end as usize] {
                        *score += weight::PATH * rarity;
                    }
                    postings.advance();
                }
            }
        }
        let raised = raised.into_iter().map(|(segment, scores)| (segment, scores.into()));
        Ok(InPaths(raised.collect()))
    }
}

fn run(
    reader: &Reader,
    query: Box<dyn Query>,
    in_paths: &InPaths,
    filter: &Filter,
    offset: usize,
    limit: usize,
) -> Result<Hits, KeywordError> {
    let wanted = offset.saturating_add(limit);
    // A few more than wanted, so that most ties at the end of the page are seen at once.
    let mut fetch = wanted.saturating_add(32);
    loop {
        let (total, found) = best(reader, &*query, in_paths, filter, fetch.max(1))?;
        let last_score = found.last().map(|(score, _)| *score);
        let cut = found.get(wanted.saturating_sub(1)).map(|(score, _)| *score);
        if found.len() < total && cut.is_some() && cut == last_score {
            // The page may end inside a group of equals of which not all were seen.
            fetch = fetch.saturating_mul(4).min(total);
            continue;
        }
        let mut hits = located(reader, &found)?;
        let path = |hit: &Hit| reader.files().by_id(hit.file).map(|row| &*row.path);
        hits.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then_with(|| path(a).cmp(&path(b)))
                .then(a.chunk.cmp(&b.chunk))
        });
        let hits = hits.into_iter().skip(offset).take(limit).collect();
        return Ok(Hits {
            hits,
            total,
            relaxed: false,
        });
    }
}

type Scored = Vec<(f32, DocAddress)>;

/// How many documents match, and the best of them.
fn best(
    reader: &Reader,
    query: &dyn Query,
    in_paths: &InPaths,
    filter: &Filter,
    limit: usize,
) -> Result<(usize, Scored), KeywordError> {
    let top = TopDocs::with_limit(limit);
    if in_paths.0.is_empty() {
        return collected(reader, query, filter, (Count, top.order_by_score()));
    }
    let in_paths = in_paths.0.clone();
    let raised = move |segment: &SegmentReader| {
        let scores = in_paths.get(&segment.segment_id()).cloned();
        move |doc: DocId, score: Score| score + scores.as_ref().map_or(0.0, |scores| scores[doc as usize])
    };
    collected(reader, query, filter, (Count, top.tweak_score(raised)))
}

/// What a collector has of the documents that match and are allowed.
fn collected<C: Collector + Send + Sync>(
    reader: &Reader,
    query: &dyn Query,
    filter: &Filter,
    collector: C,
) -> Result<C::Fruit, KeywordError> {
    let searcher = reader.searcher();
    let lengths = Lengths::of(reader);
    if filter.allows_all() {
        return Ok(searcher.search_with_statistics_provider(query, &collector, &lengths)?);
    }
    let filter = filter.clone();
    let allowed = move |id: u64| filter.allows(id);
    let collector = FilterCollector::new(FILE.to_owned(), allowed, collector);
    Ok(searcher.search_with_statistics_provider(query, &collector, &lengths)?)
}

/// The files and chunks that documents stand for. Opening a column costs more than reading it, so each is opened once.
fn located(reader: &Reader, found: &Scored) -> Result<Vec<Hit>, KeywordError> {
    let segments = reader.searcher().segment_readers().iter();
    let columns = segments
        .map(|segment| Ok((segment.fast_fields().u64(FILE)?, segment.fast_fields().u64(CHUNK)?)))
        .collect::<tantivy::Result<Vec<_>>>()?;
    let hits = found.iter().map(|(score, address)| {
        let (file, chunk) = &columns[address.segment_ord as usize];
        Hit {
            file: file.first(address.doc_id).unwrap_or(0),
            chunk: chunk.first(address.doc_id).unwrap_or(0) as u32,
            // In which order a score was added up depends on what else is in the segment.
            score: (score * SCORE_STEPS).round() / SCORE_STEPS,
        }
    });
    Ok(hits.collect())
}

struct Build<'r> {
    reader: &'r Reader,
    /// Words that stand side by side in the query may stand apart in the text.
    relaxed: bool,
}

type Clause = (Occur, Box<dyn Query>);

fn should(query: Box<dyn Query>) -> Clause {
    (Occur::Should, query)
}

fn must(query: Box<dyn Query>) -> Clause {
    (Occur::Must, query)
}

fn bool_query(clauses: Vec<Clause>) -> Box<dyn Query> {
    Box::new(BooleanQuery::new(clauses))
}

fn boost(query: Box<dyn Query>, weight: f32) -> Box<dyn Query> {
    Box::new(BoostQuery::new(query, weight))
}

/// Every chunk; the index holds other documents too.
fn all_chunks() -> Box<dyn Query> {
    Box::new(ConstScoreQuery::new(Box::new(AllQuery), 0.0))
}

/// Everything but what `excluded` matches.
fn all_but(excluded: Box<dyn Query>) -> Box<dyn Query> {
    bool_query(vec![must(all_chunks()), (Occur::MustNot, excluded)])
}

impl Build<'_> {
    /// The expression decides what matches; words in the names of definitions raise the score of what does.
    fn ranked(&self, expr: &Expr, words: &[String]) -> Result<Box<dyn Query>, KeywordError> {
        let mut clauses = vec![must(self.expr(expr)?)];
        let alone = words.len() == 1;
        let fields = self.reader.fields();
        for word in words {
            let folded = token::fold(word);
            let part = token::part_term(&folded);

            let mut terms = vec![
                (fields.symbol, folded, weight::SYMBOL),
                (fields.symbol, part, weight::SYMBOL_PART),
            ];
            if alone {
                let kinds = SymbolKind::ALL.iter().filter(|kind| **kind != SymbolKind::Impl);
                terms.extend(kinds.map(|kind| {
                    let alone = if ITEMS.contains(kind) {
                        weight::SYMBOL_ALONE
                    } else {
                        0.0
                    };
                    (fields.symbol, token::named_term(word, *kind), weight::SYMBOL + alone)
                }));
            }
            for (field, text, weight) in terms {
                // Every clause costs something at each match, also one for a term that is nowhere.
                let term = Term::from_field_text(field, &text);
                if self.reader.searcher().doc_freq(&term)? > 0 {
                    let term = TermQuery::new(term, IndexRecordOption::Basic);
                    clauses.push(should(boost(Box::new(term), weight)));
                }
            }
        }
        Ok(bool_query(clauses))
    }

    fn expr(&self, expr: &Expr) -> Result<Box<dyn Query>, KeywordError> {
        Ok(match expr {
            Expr::Leaf(leaf) => self.leaf(leaf)?,
            Expr::And(items) => {
                let clauses = items
                    .iter()
                    .map(|item| Ok(must(self.expr(item)?)))
                    .collect::<Result<_, KeywordError>>()?;
                bool_query(clauses)
            }
            Expr::Or(items) => {
                let clauses = items
                    .iter()
                    .map(|item| Ok(should(self.expr(item)?)))
                    .collect::<Result<_, KeywordError>>()?;
                bool_query(clauses)
            }
            Expr::Not(item) => all_but(self.expr(item)?),
            Expr::Seq(items) => self.side_by_side(items)?,
        })
    }

    fn side_by_side(&self, items: &[Expr]) -> Result<Box<dyn Query>, KeywordError> {
        let mut any = Vec::new();
        let mut clauses = Vec::new();
        let mut is_quoted = false;
        for item in items {
            match item {
                Expr::Not(item) => clauses.push((Occur::MustNot, self.expr(item)?)),
                Expr::Leaf(leaf) if leaf.field != Field::Content => clauses.push(must(self.leaf(leaf)?)),
                // Among other words, punctuation is decoration.
                Expr::Leaf(leaf) if leaf.words().is_empty() => {}
                Expr::Leaf(leaf) if leaf.is_quoted && !self.relaxed => {
                    is_quoted = true;
                    clauses.push(must(self.leaf(leaf)?));
                }
                item => any.push(should(self.expr(item)?)),
            }
        }
        if any.is_empty() && clauses.is_empty() {
            return Err(KeywordError::NoWord(Expr::Seq(items.to_vec()).to_string()));
        }
        // Words beside something in quotes are no more than wished for.
        clauses.push(match (any.is_empty(), is_quoted) {
            (true, _) => must(all_chunks()),
            (false, true) => should(bool_query(any)),
            (false, false) => must(bool_query(any)),
        });
        Ok(bool_query(clauses))
    }

    fn leaf(&self, leaf: &Leaf) -> Result<Box<dyn Query>, KeywordError> {
        match leaf.field {
            Field::Content => self.content(leaf),
            Field::Path => self.path(&leaf.text),
            Field::Lang => {
                let lang =
                    syntax::lang_by_name(&leaf.text).ok_or_else(|| KeywordError::UnknownLang(leaf.text.clone()))?;
                let term = Term::from_field_text(self.reader.fields().lang, lang.name);
                let own: Box<dyn Query> = Box::new(TermQuery::new(term, IndexRecordOption::Basic));
                // What is read as another language and is of this one too: headers.
                let also = |row: &FileRow| row.lang != lang.name && is_of_lang(lang.name, row.lang, &row.path);
                let query = match self.files(also) {
                    Some(also) => bool_query(vec![should(own), should(also)]),
                    None => own,
                };
                Ok(Box::new(ConstScoreQuery::new(query, 0.0)))
            }
            Field::Symbol => self.symbol(&leaf.text),
            Field::Kind => {
                let kind = KindFilter::parse(&leaf.text).ok_or_else(|| KeywordError::UnknownKind(leaf.text.clone()))?;
                Ok(self.any_symbol_term(kind.kinds().iter().map(|kind| token::kind_term(*kind))))
            }
        }
    }

    /// Chunks in which a symbol of this name is defined: any spelling of the whole name or a part of it, as with words of
    /// the text. With an owner or a kind it is the whole name.
    fn symbol(&self, text: &str) -> Result<Box<dyn Query>, KeywordError> {
        let wanted = SymbolName::parse(text).ok_or_else(|| KeywordError::NoWord(text.to_owned()))?;
        if let Some(kind) = wanted.kind {
            let kinds = kind.kinds().iter();
            let terms = kinds.flat_map(|kind| {
                let names = wanted.spellings();
                names.map(|name| token::named_term(name, *kind))
            });
            return Ok(self.any_symbol_term(terms));
        }
        if let Some(owner) = wanted.owners.last() {
            let names = wanted.spellings();
            return Ok(self.any_symbol_term(names.map(|name| token::member_term(owner, name))));
        }
        let words: Vec<&str> = token::words(&wanted.name).collect();
        if words.is_empty() {
            return Err(KeywordError::NoWord(text.to_owned()));
        }
        let every = words.iter().map(|word| {
            let folded = token::fold(word);
            must(self.any_symbol_term([token::part_term(&folded), folded].into_iter()))
        });
        Ok(bool_query(every.collect()))
    }

    fn any_symbol_term(&self, terms: impl Iterator<Item = String>) -> Box<dyn Query> {
        let field = self.reader.fields().symbol;
        bool_query(
            terms
                .map(|term| should(self.term(field, &term, IndexRecordOption::Basic)))
                .collect(),
        )
    }

    fn content(&self, leaf: &Leaf) -> Result<Box<dyn Query>, KeywordError> {
        let words = leaf.words();
        let field = self.reader.fields().content;
        Ok(match words.as_slice() {
            [] => return Err(KeywordError::NoWord(leaf.text.clone())),
            [word] => self.word(word),
            words if self.relaxed => bool_query(words.iter().map(|word| should(self.word(word))).collect()),
            words => {
                let terms = words
                    .iter()
                    .map(|word| Term::from_field_text(field, &token::fold(word)))
                    .collect();
                let mut clauses = vec![must(boost(Box::new(PhraseQuery::new(terms)), weight::PHRASE))];
                clauses.extend(words.iter().map(|word| should(self.cased(word))));
                bool_query(clauses)
            }
        })
    }

    /// A word matches the same word in any spelling, a part of a longer one, or, if it has parts itself, all of them.
    fn word(&self, word: &str) -> Box<dyn Query> {
        let folded = token::fold(word);
        let parts: Vec<String> = token::parts(word).map(token::fold).collect();
        let whole = boost(self.scored(&folded), weight::WHOLE);
        let other = match parts.as_slice() {
            [_, _, ..] => {
                let each = parts.iter().map(|part| must(self.single(part))).collect();
                boost(bool_query(each), weight::SPLIT)
            }
            _ => boost(self.scored(&token::part_term(&folded)), weight::PART),
        };
        let matching = bool_query(vec![should(whole), should(other)]);
        bool_query(vec![must(matching), should(self.cased(word))])
    }

    fn single(&self, folded: &str) -> Box<dyn Query> {
        let part = boost(self.scored(&token::part_term(folded)), weight::PART);
        bool_query(vec![should(self.scored(folded)), should(part)])
    }

    /// The very same spelling. For a word in lower case, which has no cased term, that is the word without its usual
    /// other spellings.
    fn cased(&self, word: &str) -> Box<dyn Query> {
        let content = self.reader.fields().content;
        let cased = |word: &str| self.term(content, &token::cased_term(word), IndexRecordOption::Basic);
        if !token::is_folded(word) {
            return boost(cased(word), weight::CASED);
        }
        let mut rest = word.chars();
        let capital: String = rest
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .chain(rest)
            .collect();
        let clauses = vec![
            must(self.term(content, word, IndexRecordOption::Basic)),
            (Occur::MustNot, cased(&capital)),
            (Occur::MustNot, cased(&word.to_uppercase())),
        ];
        boost(bool_query(clauses), weight::CASED)
    }

    fn scored(&self, text: &str) -> Box<dyn Query> {
        self.term(self.reader.fields().content, text, IndexRecordOption::WithFreqs)
    }

    fn term(&self, field: IndexField, text: &str, record: IndexRecordOption) -> Box<dyn Query> {
        Box::new(TermQuery::new(Term::from_field_text(field, text), record))
    }

    /// Files whose path contains the text, or matches it as a glob; in any case.
    fn path(&self, text: &str) -> Result<Box<dyn Query>, KeywordError> {
        let wanted = text.to_lowercase();
        let globs = text
            .contains(['*', '?', '[', '{'])
            .then(|| PathGlobs::new(&[text]))
            .transpose()?;
        let matches = |path: &str| match &globs {
            Some(globs) => globs.matches(path),
            None => path.to_lowercase().contains(&wanted),
        };
        Ok(match self.files(|row| matches(&row.path)) {
            Some(files) => Box::new(ConstScoreQuery::new(files, 1.0)),
            None => Box::new(EmptyQuery),
        })
    }

    /// All chunks of some files; nothing if there are no such files.
    fn files(&self, is_one: impl Fn(&FileRow) -> bool) -> Option<Box<dyn Query>> {
        let files = self.reader.files().indexed().filter(|row| is_one(row));
        let terms: Vec<Term> = files
            .map(|row| Term::from_field_u64(self.reader.fields().file, row.id))
            .collect();
        (!terms.is_empty()).then(|| Box::new(TermSetQuery::new(terms)) as Box<dyn Query>)
    }
}
