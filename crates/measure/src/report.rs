//! What was measured of one repository, as a page and as JSON.

use std::{fmt::Write as _, time::Duration};

use serde_json::{Value, json};

use crate::{
    sample::{Sample, Stratum},
    serving::Changes,
    sources::n_threads,
    stats::{median, ms, percentile, ratio, show_mb, show_ms, show_times},
    table::Table,
    tasks::{Task, Tokens, median_tokens},
};

pub struct Report {
    /// Of the repository's directory.
    pub name: String,
    pub seed: u64,
    /// All that would be indexed.
    pub n_files: usize,
    /// Those that were measured with.
    pub n_copied: usize,
    /// What the index says that it has.
    pub n_indexed: u64,
    pub n_bytes: u64,
    /// Name, files, bytes.
    pub languages: Vec<(&'static str, usize, usize)>,
    pub n_definitions: usize,
    pub samples: Vec<Sample>,
    pub indexing: Indexing,
    pub starts: Vec<Duration>,
    pub grep: Vec<Duration>,
    pub tools: Vec<ToolTimes>,
    pub tokens: Vec<Tokens>,
    /// The core toolset, and what its list costs.
    pub n_tools: usize,
    pub listing_tokens: u64,
    /// Where the system tells.
    pub anonymous_bytes: Option<u64>,
    pub changes: Changes,
}

pub struct Indexing {
    pub walls: Vec<Duration>,
    /// Bare parses, in turns with the indexes.
    pub parses: Vec<Duration>,
    /// Where the system tells.
    pub peak_bytes: Option<u64>,
    pub index_bytes: u64,
}

pub struct ToolTimes {
    pub name: &'static str,
    pub times: Vec<Duration>,
}

/// Languages that the page names.
const SHOWN_LANGUAGES: usize = 5;

impl Report {
    pub fn to_text(&self, version: &str) -> String {
        let sections = [
            self.head(version),
            self.costs().to_string(),
            self.answers().to_string(),
            format!(
                "`grep -w` runs on {} threads inside this process, by ripgrep's libraries: it has no process to start.\n",
                n_threads()
            ),
            tokens_text(&self.tokens),
            self.notes(),
        ];
        sections.join("\n")
    }

    fn head(&self, version: &str) -> String {
        let mut text = format!("# Portolan {version} on `{}`\n\n", self.name);
        let which = if self.n_copied < self.n_files {
            format!("{} of {} files", self.n_copied, self.n_files)
        } else {
            format!("{} files", self.n_files)
        };
        let total: usize = self.languages.iter().map(|(.., bytes)| bytes).sum();
        let share = |bytes: usize| 100.0 * bytes as f64 / total.max(1) as f64;
        let languages = self.languages.iter().take(SHOWN_LANGUAGES);
        let languages: Vec<String> = languages
            .map(|(name, _, bytes)| format!("{name} {:.0}%", share(*bytes)))
            .collect();
        let strata = Stratum::ALL.map(|stratum| {
            let of_it = self.samples.iter().filter(|sample| sample.stratum == stratum);
            format!("{} {}", of_it.count(), stratum.as_str())
        });
        let _ = writeln!(
            text,
            "{which}, {}: {}. {} definitions; asked about {} (seed {}): {}.",
            show_mb(self.n_bytes),
            languages.join(", "),
            self.n_definitions,
            self.samples.len(),
            self.seed,
            strata.join(", ")
        );
        let _ = writeln!(
            text,
            "Measured with a copy in a temporary directory and default settings on {} cores.",
            n_threads()
        );
        text
    }

    fn costs(&self) -> Table {
        let mut table = Table::new(["", "Portolan", "next to", "ratio"]);
        let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
        let (index, parse) = (median(&self.indexing.walls), median(&self.indexing.parses));
        table.row([
            "whole index from nothing".into(),
            seconds(index),
            format!("bare parse {}", seconds(parse)),
            format!("{:.1}", ratio(index, parse)),
        ]);
        table.row([
            "size of the index".into(),
            show_mb(self.indexing.index_bytes),
            format!("files {}", show_mb(self.n_bytes)),
            format!("{:.1}", self.size_ratio()),
        ]);
        let mut row = |what: &str, figure: String| table.row([what.into(), figure, String::new(), String::new()]);
        row("one file changed until it is found", show_times(&self.changes.times));
        row("start of a server to its first answer", show_ms(median(&self.starts)));
        if let Some(peak) = self.indexing.peak_bytes {
            row("memory: peak while indexing", show_mb(peak));
        }
        if let Some(own) = self.anonymous_bytes {
            row("memory: a server's own after the questions", show_mb(own));
        }
        table
    }

    fn size_ratio(&self) -> f64 {
        self.indexing.index_bytes as f64 / self.n_bytes.max(1) as f64
    }

    fn answers(&self) -> Table {
        let grep = median(&self.grep);
        let mut table = Table::new(["answer of a warm server", "p50", "p95", "grep -w / p50"]);
        let mut row = |name: &str, times: &[Duration], next: String| {
            let p95 = percentile(times, 0.95);
            table.row([name.into(), show_ms(median(times)), show_ms(p95), next]);
        };
        for tool in &self.tools {
            row(
                tool.name,
                &tool.times,
                format!("{:.1}", ratio(grep, median(&tool.times))),
            );
        }
        row("(grep -w)", &self.grep, String::new());
        table
    }

    fn notes(&self) -> String {
        let mut text = format!(
            "The list of the {} core tools costs a client {} tokens, once.\n",
            self.n_tools, self.listing_tokens
        );
        for (word, file) in &self.changes.missed {
            let _ = writeln!(text, "- NOT FOUND: `{word}`, just appended to `{file}`");
        }
        for failure in self.tokens.iter().flat_map(|tokens| &tokens.failures) {
            let _ = writeln!(text, "- NO ANSWER: {failure}");
        }
        text
    }

    /// `times`, `memory` and `size` differ from run to run, the rest does not.
    pub fn to_json(&self, version: &str) -> Value {
        let times = |times: &[Duration]| json!({ "p50_ms": ms(median(times)), "p95_ms": ms(percentile(times, 0.95)), "count": times.len() });
        let (index, parse) = (median(&self.indexing.walls), median(&self.indexing.parses));
        let grep = median(&self.grep);
        let tools = self.tools.iter().map(|tool| {
            let mut row = times(&tool.times);
            row["tool"] = tool.name.into();
            row["grep_ratio"] = ratio(grep, median(&tool.times)).into();
            row
        });
        let languages = self.languages.iter();
        let languages =
            languages.map(|(name, files, bytes)| json!({ "language": name, "files": files, "bytes": bytes }));
        let samples = self.samples.iter().map(|sample| {
            json!({
                "symbol": sample.name, "kind": sample.kind.as_str(), "stratum": sample.stratum.as_str(),
                "language": sample.language, "file": sample.path, "line": sample.line,
            })
        });
        let tokens = self.tokens.iter().map(|tokens| {
            json!({
                "task": tokens.task.as_str(), "call": tokens.task.call(), "count": tokens.ours.len(),
                "portolan": {
                    "median": median_tokens(&tokens.ours), "total": tokens.ours.iter().sum::<u64>(),
                    "more_pages": tokens.n_paged,
                },
                "grep": {
                    "reads": tokens.task.baseline(), "median": median_tokens(&tokens.baseline),
                    "total": tokens.baseline.iter().sum::<u64>(), "cut": tokens.n_cut,
                },
                "ratio": tokens.saved(), "failures": tokens.failures,
            })
        });
        json!({
            "version": version,
            "repository": {
                "name": self.name, "files": self.n_files, "measured_files": self.n_copied, "indexed_files": self.n_indexed,
                "bytes": self.n_bytes, "definitions": self.n_definitions, "languages": languages.collect::<Vec<_>>(),
            },
            "seed": self.seed,
            "samples": samples.collect::<Vec<_>>(),
            "tokens": tokens.collect::<Vec<_>>(),
            "listing": { "tools": self.n_tools, "tokens": self.listing_tokens },
            "changes_not_found": self.changes.missed.len(),
            "times": {
                "cores": n_threads(),
                "index_s": index.as_secs_f64(), "parse_s": parse.as_secs_f64(), "index_ratio": ratio(index, parse),
                "change": times(&self.changes.times), "start": times(&self.starts), "grep": times(&self.grep),
                "tools": tools.collect::<Vec<_>>(),
            },
            "memory": { "index_peak_bytes": self.indexing.peak_bytes, "server_anonymous_bytes": self.anonymous_bytes },
            "size": { "index_bytes": self.indexing.index_bytes, "ratio": self.size_ratio() },
        })
    }
}

/// A row for each task, and what is compared.
pub fn tokens_text(all: &[Tokens]) -> String {
    let mut table = Table::new([
        "tokens, median",
        "Portolan",
        "grep -w and reading",
        "grep / Portolan, all together",
        "Portolan: more pages",
        "grep: cut",
    ]);
    for tokens in all {
        let of_all = |n: usize| format!("{n} of {}", tokens.ours.len());
        table.row([
            format!("{} ({})", tokens.task.as_str(), tokens.task.call()),
            median_tokens(&tokens.ours).to_string(),
            median_tokens(&tokens.baseline).to_string(),
            format!("{:.1}", tokens.saved()),
            of_all(tokens.n_paged),
            of_all(tokens.n_cut),
        ]);
    }
    let mut text = format!("{table}\nWithout Portolan a thrifty reader reads:\n\n");
    for task in Task::ALL {
        let _ = writeln!(text, "- {}: {}", task.as_str(), task.baseline());
    }
    text.push_str(
        "\nIt stops there even if that is not the whole answer: `cut` says how often. Of an answer of Portolan the first page \
         counts, as text.\n",
    );
    text
}
