//! What is known about a file that was found, and how much each of it counts.

use std::ops::Range;

use index::{FileRow, token};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{is_beside_path, is_test_path, is_vendored_path, tested_stem};
use syntax::{LangId, lang_id};

use super::{
    FileFound, beside, damping, saturated,
    words::{Known, Question},
};
use crate::lengths::Lengths;

macro_rules! features {
    ($($(#[$about:meta])* $name:ident: $weight:literal,)*) => {
        /// The features of a file, each about 0 to 1.
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct Features {
            $($(#[$about])* pub $name: f32,)*
        }

        /// The names of the features and their weights: `cargo xtask eval search --tune` finds them.
        pub const FEATURES: &[(&str, f32)] = &[$((stringify!($name), $weight),)*];

        impl Features {
            /// In the order of the table.
            pub fn values(&self) -> Vec<f32> {
                vec![$(self.$name,)*]
            }

            /// How well the file fits.
            pub fn score(&self) -> f32 {
                let values = [$(self.$name,)*];
                let weighed = values.into_iter().zip(FEATURES).map(|(value, (_, weight))| value * weight);
                weighed.sum()
            }
        }
    };
}

features! {
    /// The words in its best chunk.
    best_chunk: -0.31,
    /// The words in its best chunks together.
    chunks: 0.44,
    /// How many of its chunks are among the best of all.
    spread: 0.37,
    /// The words in all of it.
    file: 1.52,
    /// How many of the words, by what they say, it has at all.
    covers: 0.08,
    /// The words of its name are asked for, and are what is asked for.
    name: 2.11,
    /// The words of its name are asked for.
    name_precision: 1.36,
    /// Its directories are asked for.
    directory: 0.80,
    /// It defines a name that is asked for.
    defines: 1.64,
    /// It has the whole of a compound name, not only the parts.
    whole: 0.98,
    /// It has a name that is asked for in this very spelling.
    spelled: 0.55,
    /// It defines what words of the query are the name of.
    defines_phrase: 0.69,
    /// The names of what a chunk defines have the words.
    symbols: 0.22,
    /// The same, and more where a chunk defines little else.
    symbols_dense: 1.09,
    /// The words in how the file begins.
    head: 1.06,
    /// A test.
    test: -3.2,
    /// Text or data rather than code.
    prose: -4.4,
    /// An example, a document, a benchmark.
    beside: -0.32,
    /// Of somebody else, or made by a program. The open queries have no such files: this weight is set by hand.
    vendored: -2.5,
    /// There is a later version of it.
    legacy: -1.65,
    /// Declares what is defined elsewhere.
    declarations: -0.74,
    /// It has the text of a message, a token like `dry-run` or a name that is all of the query, word by word. The open
    /// queries have few of these: this weight is set by hand, as is the next.
    verbatim: 12.0,
    /// The query is what people call it: `rank/words.rs`, `exp-golomb`.
    called: 18.0,
    /// It defines the compound name that is all of the query, and is no prototype, no test and not on its way out: whoever
    /// mentions it comes behind, however its file is called. Set by hand too.
    defines_all: 3.0,
    /// By how much its test fits better than itself.
    tested: 1.0,
    /// How large it is.
    size: 0.36,
    /// How near the meaning of its best chunk is.
    meaning: 1.11,
    /// How near the meanings of its best chunks are together.
    meanings: 1.82,
}

/// Directories beside `src` in which a build puts what it makes.
const BUILT: &[&str] = &["build", "cjs", "compiled", "es", "esm", "lib", "out", "umd"];

/// So many chunks are the best of all.
const AMONG_THE_BEST: usize = 100;

/// The features of files that were found, and whether they are tests. `reach` is from the farthest in meaning to the nearest:
/// how near that is differs from query to query.
pub(super) fn describe(
    lengths: &Lengths<'_>,
    reach: (f32, f32),
    question: &Question,
    found: &[(f32, &FileRow, FileFound)],
) -> (Vec<Features>, Vec<bool>) {
    let most = |of: &dyn Fn(&FileFound) -> f32| {
        let all = found.iter().map(|(_, _, file)| of(file));
        all.fold(0.0, f32::max).max(f32::MIN_POSITIVE)
    };
    let top_chunk = most(&|file| file.best());
    let all_of = |of: &dyn Fn(&FileRow, &FileFound) -> f32| -> (Vec<f32>, f32) {
        let all: Vec<f32> = found.iter().map(|(_, row, file)| of(row, file)).collect();
        let most = all.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        (all, most)
    };
    let (together, top_chunks) = all_of(&|_, file| decayed(file.chunks.iter().map(|chunk| chunk.score)));
    let top_dense = most(&|file| file.most(|names| names.symbols_dense));
    let mut scores: Vec<f32> = found
        .iter()
        .flat_map(|(_, _, file)| file.chunks.iter().map(|chunk| chunk.score))
        .collect();
    let among = match scores.len() > AMONG_THE_BEST {
        true => *scores.select_nth_unstable_by(AMONG_THE_BEST, |a, b| b.total_cmp(a)).1,
        false => 0.0,
    };
    let whole = |row: &FileRow, file: &FileFound| -> f32 {
        let damping = damping(row.stat.size as f32 / lengths.file);
        let each = question
            .concepts
            .iter()
            .zip(&file.counts)
            .map(|(concept, count)| concept.idf * saturated(*count, damping));
        each.sum()
    };
    let (whole, top_whole) = all_of(&whole);
    let (far, near) = reach;
    let nearness = |cosine: f32| (cosine - far) / (near - far).max(f32::MIN_POSITIVE);
    let alike = |file: &FileFound| file.likened.iter().map(|near| nearness(near.score)).fold(0.0, f32::max);
    let (all_alike, top_all_alike) = all_of(&|_, file| decayed(file.likened.iter().map(|near| nearness(near.score))));
    let versions = Versions::of(found.iter().map(|(_, row, _)| &*row.path));
    let versions = versions.asked_for(question.version, question.asks_old);
    // A header tells what its source file defines.
    let sources: FxHashSet<&str> = found
        .iter()
        .map(|(_, row, _)| stem_and_ending(&row.path))
        .filter(|(_, ending)| matches!(*ending, "c" | "cc" | "cpp" | "cxx" | "m" | "mm"))
        .map(|(stem, _)| stem)
        .collect();
    let declares = |path: &str| match stem_and_ending(path) {
        (stem, "h" | "hh" | "hpp" | "hxx") => sources.contains(stem),
        (stem, "ts" | "cts" | "mts") => stem.ends_with(".d"),
        (_, ending) => ending == "pyi",
    };
    let sources_of_builds: FxHashSet<(&str, &str)> = found
        .iter()
        .filter_map(|(_, row, _)| under(&row.path, &["src"]))
        .collect();
    // `parser.c` is what was made of `parser.y`.
    let grammars: FxHashSet<(&str, LangId)> = found
        .iter()
        .flat_map(|(_, row, _)| {
            let generated = lang_id(row.lang).lang().conventions.generates;
            generated.iter().map(|lang| (stem_of(&row.path), *lang))
        })
        .collect();
    // What a build has made of a source that is there too.
    let is_built = |row: &FileRow| {
        let of_grammar = !grammars.is_empty() && grammars.contains(&(stem_of(&row.path), lang_id(row.lang)));
        let built = under(&row.path, BUILT).filter(|_| under(&row.path, &["src"]).is_none());
        of_grammar || built.is_some_and(|built| sources_of_builds.contains(&built))
    };
    let share = 1.0 / question.weight.max(f32::MIN_POSITIVE);
    let one = |known: &mut Known, at: usize, (_, row, file): &(f32, &FileRow, FileFound)| {
        let (dir, name) = row.path.rsplit_once('/').unwrap_or(("", &row.path));
        let stem = name
            .split_once('.')
            .map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
        let last = dir.rsplit('/').next().unwrap_or(dir);
        // A file that stands for its directory is named after it.
        let named_after = match stem {
            "mod" | "lib" | "index" | "init" | "__init__" | "main" => last,
            _ => "",
        };
        let mut agreement = |names: [&str; 2]| {
            let words = names.into_iter().flat_map(token::words);
            question.agreement(known, words.flat_map(token::parts), &file.counts)
        };
        let (covered, precision) = agreement([stem, named_after]);
        let mut outer = dir.rsplit('/');
        let (directory, _) = agreement([outer.next().unwrap_or(""), outer.next().unwrap_or("")]);
        let lang = syntax::lang_by_name(row.lang);
        let is_code = lang.is_some_and(|lang| !lang.is_data());
        let yes = |is: bool| f32::from(u8::from(is));
        let covers: f32 = question
            .concepts
            .iter()
            .zip(&file.counts)
            .filter(|(_, n)| **n > 0.0)
            .map(|(one, _)| one.idf)
            .sum();
        let is_test = is_test_path(&row.path);
        let mut counted = question.concepts.iter().zip(&file.counts);
        let has_whole = counted.any(|(one, n)| one.is_whole && *n > 0.0);
        let features = Features {
            best_chunk: file.best() / top_chunk,
            chunks: together[at] / top_chunks,
            spread: (1.0 + file.chunks.iter().filter(|chunk| chunk.score > among).count() as f32).ln(),
            file: whole[at] / top_whole,
            covers: covers * share,
            name: covered * precision,
            name_precision: precision,
            directory,
            defines: file.most(|names| names.defines),
            whole: yes(has_whole),
            spelled: yes(file.spelled),
            defines_phrase: file.most(|names| names.defines_phrase),
            symbols: file.most(|names| names.symbols) * share,
            symbols_dense: file.most(|names| names.symbols_dense) / top_dense,
            head: file
                .chunks
                .iter()
                .find(|chunk| chunk.chunk == 0)
                .map_or(0.0, |chunk| chunk.score)
                / top_chunk,
            test: yes(!question.asks_tests && is_test),
            prose: yes(!is_code && !question.asks_beside),
            beside: yes(!question.asks_beside && is_beside_path(&row.path)),
            vendored: yes(!question.asks_beside && (is_vendored_path(&row.path) || is_built(row))),
            legacy: yes(versions.is_legacy(&row.path)),
            // Where what is asked for is a declaration, it is meant: a class in a header.
            declarations: yes(declares(&row.path) && file.most(|names| names.defines) < 1.0),
            verbatim: yes(file.verbatim.is_some() || (question.is_name && has_whole)),
            called: yes(file.is_called),
            defines_all: yes(question.is_compound
                && file.most(|names| names.defines) >= 1.0
                && !declares(&row.path)
                && !is_test
                && !versions.is_legacy(&row.path)),
            tested: 0.0,
            size: (1.0 + row.stat.size as f32).ln() / 12.0,
            meaning: alike(file),
            meanings: all_alike[at] / top_all_alike,
        };
        (features, is_test)
    };
    // Many paths are looked at: half of them beside.
    let half = found.len() / 2;
    let some = |part: Range<usize>| -> Vec<_> {
        let mut known = Known::default();
        let files = part.clone().zip(&found[part]);
        files.map(|(at, file)| one(&mut known, at, file)).collect()
    };
    let (first, second) = beside(|| some(half..found.len()), || some(0..half));
    first.into_iter().chain(second).unzip()
}

/// What a test is about is nearer to the question than the test.
pub(super) fn lift_tested(described: &mut [Features], paths: &[&str], are_tests: &[bool]) {
    let mut by_stem: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (at, path) in paths.iter().enumerate() {
        if !are_tests[at] && described[at].prose == 0.0 {
            by_stem.entry(first_stem(path)).or_default().push(at);
        }
    }
    for (at, path) in paths.iter().enumerate().filter(|(at, _)| are_tests[*at]) {
        let tested = tested_stem(path).and_then(|stem| by_stem.get(&stem.to_ascii_lowercase()));
        // The nearest of several.
        let shared = |other: &&usize| {
            let (one, other) = (path.split('/'), paths[**other].split('/'));
            one.zip(other).take_while(|(a, b)| a == b).count()
        };
        let Some(tested) = tested.and_then(|all| all.iter().rev().max_by_key(shared)) else {
            continue;
        };
        let lift = described[at].score() + 0.01 - described[*tested].score();
        described[*tested].tested += lift.max(0.0);
    }
}

fn first_stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name).to_ascii_lowercase()
}

/// The best of some scores, and each next one for half as much.
fn decayed(scores: impl Iterator<Item = f32>) -> f32 {
    let mut best = [0.0; 8];
    for mut score in scores {
        for place in &mut best {
            if score > *place {
                std::mem::swap(place, &mut score);
            }
        }
    }
    let halves = std::iter::successors(Some(1.0), |weight| Some(weight * 0.5));
    best.iter().zip(halves).map(|(score, weight)| score * weight).sum()
}

/// The directories that are versions of something, `v3`, by what they are in, with the highest one there.
#[derive(Debug, Default)]
pub struct Versions<'p> {
    highest: FxHashMap<&'p str, u32>,
    paths: FxHashSet<&'p str>,
    /// What is asked for, if it is there.
    question: Option<u32>,
    /// What is on its way out is asked for.
    wants_old: bool,
}

impl<'p> Versions<'p> {
    pub fn of(paths: impl Iterator<Item = &'p str>) -> Versions<'p> {
        let mut versions = Versions::default();
        for path in paths {
            versions.paths.insert(path);
            for (outer, version) in versions_in(path) {
                let known = versions.highest.entry(outer).or_default();
                *known = version.max(*known);
            }
        }
        versions
    }

    /// For a question that names a version, or what is on its way out.
    fn asked_for(self, version: Option<u32>, wants_old: bool) -> Versions<'p> {
        let is_there = |version: &u32| {
            let all = self.paths.iter().flat_map(|path| versions_in(path));
            all.into_iter().any(|(_, known)| known == *version)
        };
        Versions {
            question: version.filter(is_there),
            wants_old,
            ..self
        }
    }

    /// Whether there is a later version of a file, or its path says that it is on its way out, and nobody asks for that.
    pub fn is_legacy(&self, path: &str) -> bool {
        let is_old = |part: &str| {
            let part = part.trim_start_matches('_');
            let begins = |with: &str| {
                part.get(..with.len())
                    .is_some_and(|begin| begin.eq_ignore_ascii_case(with))
            };
            let is = |what: &str| part.eq_ignore_ascii_case(what);
            begins("deprecated") || begins("legacy") || is("compat") || is("old") || is("obsolete")
        };
        let is_marked = path
            .split('/')
            .any(|part| is_old(part.split('.').next().unwrap_or(part)));
        let is_other = |(outer, version): (&str, u32)| match self.question {
            Some(question) => version != question,
            None => {
                let is_passed = self.highest.get(outer).is_some_and(|highest| *highest > version);
                is_passed || (version == 1 && self.has_outside(path, outer))
            }
        };
        (is_marked && !self.wants_old) || versions_in(path).any(is_other)
    }

    /// Whether what is below a first version is also without it: what a package has of its former self.
    fn has_outside(&self, path: &str, outer: &str) -> bool {
        let rest = path[outer.len()..].trim_start_matches('/').strip_prefix("v1/");
        rest.is_some_and(|rest| match outer {
            "" => self.paths.contains(rest),
            _ => self.paths.contains(&*format!("{outer}/{rest}")),
        })
    }
}

fn versions_in(path: &str) -> impl Iterator<Item = (&str, u32)> {
    path.match_indices('/').filter_map(move |(end, _)| {
        let (outer, name) = path[..end].rsplit_once('/').unwrap_or(("", &path[..end]));
        Some((outer, name.strip_prefix('v')?.parse().ok()?))
    })
}

/// What the outermost of some directories is in, and the file's name up to the first dot.
fn under<'p>(path: &'p str, dirs: &[&str]) -> Option<(&'p str, &'p str)> {
    let (dir, name) = path.rsplit_once('/')?;
    let mut begins = 0;
    for part in dir.split('/') {
        if dirs.contains(&part) {
            return Some((&path[..begins], name.split('.').next().unwrap_or(name)));
        }
        begins += part.len() + 1;
    }
    None
}

/// A path without its ending.
fn stem_of(path: &str) -> &str {
    let (_, ending) = stem_and_ending(path);
    path[..path.len() - ending.len()].trim_end_matches('.')
}

/// The name of a file and its ending.
fn stem_and_ending(path: &str) -> (&str, &str) {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').unwrap_or((name, ""))
}
