//! What is known of a place, and how much each of it counts.

use syntax::SymbolKind;

use super::{Candidate, Likeness, Names, PlaceFile};
use crate::{
    platform,
    rank::{Known, Question, damping, saturated},
};

macro_rules! features {
    ($($(#[$about:meta])* $name:ident: $weight:literal,)*) => {
        /// The features of a place, each about 0 to 1.
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct PlaceFeatures {
            $($(#[$about])* pub $name: f32,)*
        }

        /// The names of the features and their weights: `cargo xtask eval locate --tune` finds them.
        pub const PLACE_FEATURES: &[(&str, f32)] = &[$((stringify!($name), $weight),)*];

        impl PlaceFeatures {
            /// In the order of the table.
            pub fn values(&self) -> Vec<f32> {
                vec![$(self.$name,)*]
            }

            pub fn score(&self) -> f32 {
                let values = [$(self.$name,)*];
                let weighed = values.into_iter().zip(PLACE_FEATURES).map(|(value, (_, weight))| value * weight);
                weighed.sum()
            }
        }
    };
}

features! {
    /// Score of its file next to that of the first, by the index.
    file: 1.84,
    /// Share of the question's weight that it has.
    covers: 0.39,
    /// BM25 of its words next to the best place. What counts is how few of these places have a word.
    words: 1.41,
    /// Share of the weight of the first words that one of its lines has: a title says most.
    title: 2.99,
    /// Share of the pairs of words that it has side by side.
    pairs: 3.79,
    /// Words of its name are asked for.
    name: 0.65,
    /// Name of the type that it is in is asked for.
    owner: 7.55,
    /// Its name is in the question as an identifier.
    is_identifier: 0.25,
    /// Its name is all of the question. The commits that the other weights are fitted to have no such question: this weight
    /// is set by hand.
    is_question: 8.0,
    /// Cosine with the question.
    meaning: 2.22,
    /// What the index knows of its chunks: how near they are in meaning, and their words.
    chunk_meaning: 0.80,
    chunk_words: 0.39,
    /// How well the best place that mentions it matches.
    mentioned: 0.51,
    function: 0.86,
    type_header: -0.05,
    /// Not inside of any symbol.
    outside: 1.22,
    /// Begins its file, before any symbol.
    head: -1.52,
    test: -1.94,
    /// The share of its lines that document something, for a question that describes a change: that is made in code. Set by
    /// hand.
    documentation: -1.50,
    /// The file's feature of the same name, as are the next three: a later version of it exists, or its path says deprecated.
    legacy: -1.14,
    /// An example, a template or a document.
    beside: -0.82,
    /// Text or data rather than code.
    prose: -1.18,
    /// Third-party or generated code.
    vendored: -1.71,
    /// 1 if its path names the operating system in the question, -1 if it names another one. Set by hand: no open request names
    /// an operating system.
    platform: 1.5,
    /// How many lines it has.
    size: 1.64,
    /// How many lines its file has: a long one has more places.
    file_size: -2.79,
    /// Some of these once more, the more so the shorter the question is: one that describes a function is answered by its
    /// meaning, one that describes a change by what it mentions.
    short_title: -3.20,
    short_pairs: -3.32,
    short_owner: -4.44,
    short_meaning: 2.27,
    short_chunk_meaning: 1.54,
    short_function: 1.33,
}

/// Length of a region in words at which a match counts as much as in the average text.
const REGION_WORDS: f32 = 80.0;
/// Regions that are compared by meaning: the best by their words. Each takes about ten microseconds.
const COMPARED: usize = 32;
/// The most that the words of a chunk count.
const MAX_CHUNK_WORDS: f32 = 4.0;

/// The features of candidates. `masks` are the concepts of each line, by file and line number.
pub(super) fn describe(
    question: &Question,
    files: &[PlaceFile<'_>],
    candidates: &[Candidate<'_>],
    masks: &[Vec<u32>],
    names: &Names<'_>,
    likeness: Option<Likeness<'_>>,
) -> Vec<PlaceFeatures> {
    let relevances = relevances(question, candidates);
    let top = relevances.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let (best, least) = files
        .iter()
        .map(|file| file.score)
        .fold((f32::MIN, f32::MAX), |(best, least), score| {
            (best.max(score), least.min(score))
        });
    let spread = (best - least).max(1.0);
    let mut known = Known::default();
    let mut features: Vec<PlaceFeatures> = candidates
        .iter()
        .zip(&relevances)
        .map(|(one, relevance)| PlaceFeatures {
            file: (files[one.file].score - best) / spread,
            words: relevance / top,
            ..of_one(question, &files[one.file], one, &masks[one.file], &mut known)
        })
        .collect();
    let matches: Vec<f32> = features
        .iter()
        .map(|of| of.words + of.name + of.is_identifier + of.title)
        .collect();
    for (at, one) in candidates.iter().enumerate() {
        for name in &one.mentions {
            for other in &names.candidates[*name as usize] {
                features[*other].mentioned = features[*other].mentioned.max(matches[at]);
            }
        }
    }
    if let Some(likeness) = likeness {
        compare(files, candidates, &mut features, likeness);
    }
    let short = 1.0 - question.weight_of_places();
    for of in &mut features {
        of.short_title = short * of.title;
        of.short_pairs = short * of.pairs;
        of.short_owner = short * of.owner;
        of.short_meaning = short * of.meaning;
        of.short_chunk_meaning = short * of.chunk_meaning;
        of.short_function = short * of.function;
    }
    features
}

/// BM25 of the regions' words. A word is rare if few regions have it: the files were found by it, so that the index says
/// less about that.
fn relevances(question: &Question, candidates: &[Candidate<'_>]) -> Vec<f32> {
    let n = candidates.len() as f32;
    let idf: Vec<f32> = (0..question.n_concepts())
        .map(|at| {
            let with = candidates.iter().filter(|one| one.counts[at] > 0.0).count() as f32;
            (1.0 + (n - with + 0.5) / (with + 0.5)).ln()
        })
        .collect();
    let relevance = |one: &Candidate<'_>| {
        let damping = damping(one.n_words / REGION_WORDS);
        let counts = one.counts.iter().zip(&idf).filter(|(count, _)| **count > 0.0);
        counts.map(|(count, idf)| idf * saturated(*count, damping)).sum()
    };
    candidates.iter().map(relevance).collect()
}

fn of_one(
    question: &Question,
    file: &PlaceFile<'_>,
    one: &Candidate<'_>,
    masks: &[u32],
    known: &mut Known,
) -> PlaceFeatures {
    let (region, facts) = (one.region, file.facts);
    let masks = &masks[region.first_line as usize..=region.last_line as usize];
    let mask = masks.iter().fold(0, |mask, line| mask | line);
    let of_title = |mask: u32| question.weight_of(mask & question.title());
    let title = masks.iter().map(|mask| of_title(*mask)).fold(0.0, f32::max);
    let mut agreement = |name: &str| match name {
        name if !question.has_word_of(name) => (0.0, 0.0),
        name => question.agreement_of_name(known, name, &one.counts),
    };
    let (_, name) = agreement(one.name);
    let owner = one.symbol.and_then(|symbol| {
        let outer = symbol.parent.map(|parent| facts.name(&facts.symbols[parent]));
        outer.or(symbol.owner.map(|owner| facts.names.get(owner)))
    });
    let (owner, _) = agreement(owner.unwrap_or_default());
    let (mut chunk_meaning, mut chunk_words) = (0.0f32, 0.0f32);
    for fitting in file.chunks {
        let chunk = facts.chunks.get(fitting.chunk as usize);
        if chunk.is_some_and(|chunk| chunk.first_line <= region.last_line && region.first_line <= chunk.last_line) {
            chunk_meaning = chunk_meaning.max(fitting.meaning);
            chunk_words = chunk_words.max(fitting.words.min(MAX_CHUNK_WORDS));
        }
    }
    let kind = one.symbol.map(|symbol| symbol.kind);
    let first_symbol = facts.symbols.first().map_or(0, |symbol| facts.lines.line(symbol.lead));
    let is_test = file.is_test || one.symbol.is_some_and(|symbol| symbol.is_test);
    let yes = |is: bool| f32::from(u8::from(is));
    let documented = file.documented.iter();
    let documented = documented.map(|lines| {
        let (first, last) = (
            region.first_line.max(*lines.start()),
            region.last_line.min(*lines.end()),
        );
        (last + 1).saturating_sub(first)
    });
    let n_documented: u32 = documented.sum();
    PlaceFeatures {
        documentation: question.weight_of_places() * n_documented as f32
            / (region.last_line - region.first_line + 1) as f32,
        covers: question.weight_of(mask),
        title: title / of_title(u32::MAX).max(0.01),
        pairs: question.weight_of_pairs(one.pairs),
        name,
        owner,
        is_identifier: yes(question.has_identifier(one.name)),
        is_question: yes(question.is_name_of(one.name)),
        chunk_meaning,
        chunk_words,
        function: yes(kind.is_some_and(SymbolKind::is_function)),
        type_header: yes(kind.is_some_and(SymbolKind::is_type)),
        outside: yes(kind.is_none()),
        head: yes(kind.is_none() && region.last_line < first_symbol),
        test: yes(!question.asks_tests() && is_test),
        legacy: file.features.legacy,
        beside: file.features.beside,
        prose: file.features.prose,
        vendored: file.features.vendored,
        platform: platform::agreement(question.platforms(), file.platforms),
        size: ((region.last_line - region.first_line + 1) as f32).ln() / 4.0,
        file_size: (facts.lines.count() as f32).ln() / 8.0,
        ..PlaceFeatures::default()
    }
}

/// Compares the best regions with the question by meaning.
fn compare(
    files: &[PlaceFile<'_>],
    candidates: &[Candidate<'_>],
    features: &mut [PlaceFeatures],
    likeness: Likeness<'_>,
) {
    let mut order: Vec<(f32, usize)> = features.iter().map(PlaceFeatures::score).zip(0..).collect();
    let by_score = |a: &(f32, usize), b: &(f32, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if order.len() > COMPARED {
        order.select_nth_unstable_by(COMPARED, by_score);
        order.truncate(COMPARED);
    }
    let mut head = String::new();
    for (_, at) in order {
        let (one, file) = (&candidates[at], &files[candidates[at].file]);
        let lines = &file.facts.lines;
        let body = lines.span(one.region.first_line).start..lines.span(one.region.last_line).end;
        let signature = one.symbol.and_then(|symbol| file.text.get(symbol.signature.range()));
        head.clear();
        head.push_str(file.path);
        head.push(' ');
        head.push_str(signature.unwrap_or_default());
        features[at].meaning = likeness(&head, &file.text[body.start as usize..body.end as usize]);
    }
}
