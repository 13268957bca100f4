//! Which symbols are asked about: drawn from all definitions, the same for the same seed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use syntax::{FileFacts, Symbol, SymbolKind};

use crate::sources::{Source, Sources};

/// As many definitions of one name make it a common one.
const COMMON: usize = 4;

/// Why a symbol was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stratum {
    /// A function whose name several have, where grep finds all of them.
    CommonName,
    /// A function whose name no other definition has.
    UniqueName,
    Method,
    Type,
}

impl Stratum {
    pub const ALL: [Stratum; 4] = [Stratum::CommonName, Stratum::UniqueName, Stratum::Method, Stratum::Type];

    pub fn as_str(self) -> &'static str {
        match self {
            Stratum::CommonName => "common name",
            Stratum::UniqueName => "unique name",
            Stratum::Method => "method",
            Stratum::Type => "type",
        }
    }
}

/// A definition and where it is.
#[derive(Debug, Clone)]
pub struct Sample {
    pub stratum: Stratum,
    pub name: String,
    pub kind: SymbolKind,
    pub language: &'static str,
    pub path: String,
    /// Of the name.
    pub line: u32,
    /// The definition with its comments.
    pub first_line: u32,
    pub last_line: u32,
}

impl Sample {
    /// The symbol by its place, as tools take it.
    pub fn place(&self) -> Value {
        json!({ "symbol": self.name, "file": self.path, "line": self.line })
    }
}

/// Every function and type of a corpus that could be asked about, and how many definitions there are in all.
pub struct Definitions {
    /// By language, then in an order that the seed decides.
    candidates: Vec<Candidate>,
    by_name: BTreeMap<String, usize>,
    pub n_all: usize,
}

struct Candidate {
    order: [u8; 32],
    sample: Sample,
}

impl Definitions {
    pub fn of(sources: &Sources, seed: u64) -> Definitions {
        let (_, files) = sources.each(|source| of_file(source, seed));
        let mut all = Definitions {
            candidates: Vec::new(),
            by_name: BTreeMap::new(),
            n_all: 0,
        };
        for (names, candidates) in files {
            all.n_all += names.len();
            for name in names {
                *all.by_name.entry(name).or_default() += 1;
            }
            all.candidates.extend(candidates);
        }
        let key = |one: &Candidate| (one.sample.language, one.order);
        all.candidates.sort_by(|a, b| key(a).cmp(&key(b)));
        all
    }

    /// So many symbols of each stratum if there are. Each language has the share that it has of the candidates.
    pub fn sample(&self, of_each: usize) -> Vec<Sample> {
        let mut taken = BTreeSet::new();
        let mut samples = Vec::new();
        for stratum in Stratum::ALL {
            let fitting: Vec<&Sample> = self
                .candidates
                .iter()
                .map(|one| &one.sample)
                .filter(|sample| self.fits(sample, stratum))
                .filter(|sample| !taken.contains(&(sample.path.as_str(), sample.line)))
                .collect();
            let n = fitting.len().min(of_each);
            for i in 0..n {
                let sample = fitting[i * fitting.len() / n];
                taken.insert((sample.path.as_str(), sample.line));
                samples.push(Sample {
                    stratum,
                    ..sample.clone()
                });
            }
        }
        samples
    }

    fn fits(&self, sample: &Sample, stratum: Stratum) -> bool {
        let n = self.by_name.get(&sample.name).copied().unwrap_or(0);
        match stratum {
            Stratum::CommonName => sample.kind.is_function() && n >= COMMON,
            Stratum::UniqueName => sample.kind.is_function() && n == 1,
            Stratum::Method => sample.kind == SymbolKind::Method,
            Stratum::Type => sample.kind.is_type(),
        }
    }
}

/// The names of all definitions, and those that could be asked about.
fn of_file(source: &Source, seed: u64) -> (Vec<String>, Vec<Candidate>) {
    if source.lang.is_data() {
        return (Vec::new(), Vec::new());
    }
    let facts = source.facts();
    let names = facts.symbols.iter().map(|symbol| facts.name(symbol).to_owned());
    let candidates = facts.symbols.iter().filter(|symbol| is_asked_about(&facts, symbol));
    let candidates = candidates.map(|symbol| candidate(source, &facts, symbol, seed));
    (names.collect(), candidates.collect())
}

/// Functions and types with a body and a name that a reader would look for. Tests are called by nobody.
fn is_asked_about(facts: &FileFacts, symbol: &Symbol) -> bool {
    let name = facts.name(symbol);
    let is_plain = name.len() > 2 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_wanted = symbol.kind.is_function() || (symbol.kind.is_type() && symbol.kind != SymbolKind::Type);
    is_wanted && is_plain && !symbol.is_declaration && !symbol.is_test
}

fn candidate(source: &Source, facts: &FileFacts, symbol: &Symbol, seed: u64) -> Candidate {
    let name = facts.name(symbol);
    let line = facts.lines.line(symbol.name_at);
    let order = blake3::hash(format!("{seed}\0{}\0{name}\0{line}", source.path).as_bytes());
    Candidate {
        order: *order.as_bytes(),
        sample: Sample {
            // Of no meaning until it is drawn.
            stratum: Stratum::UniqueName,
            name: name.to_owned(),
            kind: symbol.kind,
            language: source.lang.name,
            path: source.path.clone(),
            line,
            first_line: facts.lines.line(symbol.lead),
            last_line: facts.lines.line(symbol.span.end.saturating_sub(1)),
        },
    }
}
