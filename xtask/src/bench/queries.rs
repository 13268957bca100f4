//! Searches in a warm server: how long they take, and whether they find exactly what `rg` finds.

use std::{collections::BTreeSet, time::Duration};

use anyhow::{Context, Result};
use measure::{Server, median, ms, ratio, show_ms, show_times};
use serde_json::{Value, json};

use super::{
    Bench,
    floor::{Place, Searcher},
    sample::Sampler,
    say,
    table::{Row, Table, Target},
};

const N_KEYWORD: usize = 200;
const N_LITERAL: usize = 50;

/// The most that one page may hold: pages are joined here, not read.
const PAGE_TOKENS: u64 = 20_000;

/// Shown for each answer that differs.
const N_EXAMPLES: usize = 3;

/// Anchors, classes, alternations, Unicode, and one without any literal.
const REGEXES: &[&str] = &[
    r"fn \w+_str\(",
    r"(?i)fixme|xxx\b",
    r"impl<[^>]+> Drop for \w+",
    r"^pub mod \w+;$",
    r"\bunsafe\s+impl\b",
    r"\b(19|20)\d\d-\d\d-\d\d\b",
    r"\.unwrap_or_else\(\|_\|",
    r"assert_eq!\(.*\.len\(\), 0\);\s*$",
    r"[^\x00-\x7F]{3,}",
    r"return (None|Err\(.*Error)",
    r"^\s*\}\s*else\s+if\s+let\b",
    r"\p{Greek}",
];

pub fn keyword(bench: &Bench<'_>, server: &mut Server, table: &mut Table) -> Result<()> {
    say("searching for words");
    let mut sampler = Sampler::new(&bench.corpus, 3);
    let queries = (0..N_KEYWORD)
        .map(|number| sampler.keyword_query(number))
        .collect::<Result<Vec<_>>>()?;
    let mut times = Vec::new();
    let mut n_empty = 0;
    for query in &queries {
        let (elapsed, answer) = server.call("search_code", &json!({ "query": query, "mode": "keyword" }))?;
        times.push(elapsed);
        // Whatever was drawn from the corpus is there, unless a NOT takes it away.
        if answer["total"] == 0 && !query.contains(" NOT ") {
            n_empty += 1;
            table.note(format!("nothing found for `{query}`, which is in the corpus"));
        }
    }
    let p50 = median(&times);
    table.push(Row::new("search_code, words", show_times(&times)).must(Target::AtMost(2.0, " ms"), ms(p50)));
    table.push(Row::new(
        "search_code, words: queries without a hit",
        format!("{n_empty} of {N_KEYWORD}"),
    ));
    Ok(())
}

/// Words of the corpus as a question, which is answered by words, names, paths and vectors.
pub fn question(bench: &Bench<'_>, server: &mut Server, table: &mut Table) -> Result<()> {
    say("asking questions");
    let mut sampler = Sampler::new(&bench.corpus, 4);
    let mut times = Vec::new();
    for number in 0..N_KEYWORD {
        let words = sampler.words(3 + number % 4)?.join(" ");
        let question = json!({ "query": format!("how does {words} work"), "mode": "hybrid" });
        times.push(server.call("search_code", &question)?.0);
    }
    let p50 = median(&times);
    table.push(Row::new("search_code, a question", show_times(&times)).must(Target::AtMost(3.0, " ms"), ms(p50)));
    Ok(())
}

pub fn literal(bench: &Bench<'_>, server: &mut Server, table: &mut Table) -> Result<()> {
    let mut sampler = Sampler::new(&bench.corpus, 4);
    let texts = (0..N_LITERAL).map(|_| sampler.literal()).collect::<Result<Vec<_>>>()?;
    let search = Search {
        name: "search_code, literal",
        tool: "search_code",
        key: "results",
        literal: true,
    };
    let (row, faster) = search.next_to_rg(bench, server, table, &texts)?;
    table.push(row.must(Target::AtLeast(10.0, "x"), faster));
    Ok(())
}

pub fn regex(bench: &Bench<'_>, server: &mut Server, table: &mut Table) -> Result<()> {
    let patterns: Vec<String> = REGEXES.iter().map(|regex| (*regex).to_owned()).collect();
    let search = Search {
        name: "grep, a regular expression",
        tool: "grep",
        key: "matches",
        literal: false,
    };
    let (row, _) = search.next_to_rg(bench, server, table, &patterns)?;
    table.push(row);
    Ok(())
}

/// A tool that answers the question that `rg` answers.
struct Search {
    name: &'static str,
    tool: &'static str,
    /// The field of its rows.
    key: &'static str,
    literal: bool,
}

impl Search {
    /// Asks both in turns. The row of times, without a target, and how many times faster than `rg` we are.
    fn next_to_rg(
        &self,
        bench: &Bench<'_>,
        server: &mut Server,
        table: &mut Table,
        patterns: &[String],
    ) -> Result<(Row, f64)> {
        let searcher = Searcher::found();
        say(&format!("{} next to {}", self.name, searcher.as_str()));
        let skipped = server.skipped_files()?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let (mut n_different, mut n_places) = (0, 0);
        for pattern in patterns {
            // The call as it is usually made: its first page has the exact totals, so everything was looked at.
            ours.push(server.call(self.tool, &self.arguments(pattern))?.0);
            let (elapsed, mut expected) = searcher.places(&bench.corpus.dir, pattern, self.literal)?;
            theirs.push(elapsed);
            expected.retain(|(path, _)| !skipped.contains(path));
            n_places += expected.len();
            let found = self.places(server, pattern)?;
            if found != expected {
                n_different += 1;
                table.note(difference(self.name, pattern, &found, &expected));
            }
        }
        let row = Row::new(
            format!("{}: answers that differ from {}", self.name, searcher.as_str()),
            format!("{n_different} of {} ({n_places} lines)", patterns.len()),
        );
        table.push(row.must(Target::AtMost(0.0, ""), f64::from(n_different)));
        Ok(self.times(searcher, &ours, &theirs))
    }

    fn times(&self, searcher: Searcher, ours: &[Duration], theirs: &[Duration]) -> (Row, f64) {
        let faster = ratio(median(theirs), median(ours));
        let row = Row::new(format!("{}: how many times faster", self.name), show_times(ours));
        let floor = format!("{} {}", searcher.as_str(), show_ms(median(theirs)));
        (row.next_to(floor, faster), faster)
    }

    fn arguments(&self, pattern: &str) -> Value {
        match self.literal {
            true => json!({ "query": pattern, "literal": true }),
            false => json!({ "pattern": pattern }),
        }
    }

    /// Every place on all pages.
    fn places(&self, server: &mut Server, pattern: &str) -> Result<BTreeSet<Place>> {
        let mut arguments = self.arguments(pattern);
        arguments["max_tokens"] = PAGE_TOKENS.into();
        if self.literal {
            arguments["k"] = 100.into();
        }
        let mut places = BTreeSet::new();
        for row in server.all_rows(self.tool, &arguments, self.key)? {
            let path = row["path"].as_str().context("a row without a path")?;
            let one = row["line"].as_u64();
            let many = row["lines"].as_array().into_iter().flatten().filter_map(Value::as_u64);
            places.extend(one.into_iter().chain(many).map(|line| (path.to_owned(), line)));
        }
        Ok(places)
    }
}

fn difference(name: &str, pattern: &str, found: &BTreeSet<Place>, expected: &BTreeSet<Place>) -> String {
    let examples = |places: Vec<&Place>| {
        let shown: Vec<String> = places
            .iter()
            .take(N_EXAMPLES)
            .map(|(path, line)| format!("{path}:{line}"))
            .collect();
        format!("{} ({})", places.len(), shown.join(", "))
    };
    format!(
        "{name} {pattern:?}: only rg {}; only portolan {}",
        examples(expected.difference(found).collect()),
        examples(found.difference(expected).collect())
    )
}
