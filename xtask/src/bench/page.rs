//! `docs/benchmarks.md` and the figures of the README. A section that was not measured keeps what it had, and says so.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::{Context, Result};

/// A part of the page.
pub struct Kind {
    /// As `--only` takes it.
    pub name: &'static str,
    title: &'static str,
    /// What the figures mean.
    about: &'static str,
}

pub const INDEXING: &str = "indexing";
pub const FIRST: &str = "first";
pub const FRESHNESS: &str = "freshness";
pub const ANSWERS: &str = "answers";
pub const SERVER: &str = "server";
pub const PROMISED: &str = "promised";
pub const GROWTH: &str = "growth";
pub const REPOSITORIES: &str = "repositories";
pub const TOKENS: &str = "tokens";
pub const RELEVANCE: &str = "relevance";
pub const GRAPH: &str = "graph";

/// All parts, in their order.
pub const KINDS: &[Kind] = &[
    Kind {
        name: INDEXING,
        title: "Indexing",
        about: "From nothing. The floor is tree-sitter's parse of the same files on all cores, with trees made and dropped. Of several runs, in turns, the quickest.",
    },
    Kind {
        name: FIRST,
        title: "First answer",
        about: "Of a server that was just started in a repository that was never indexed: for the name of a function, and until \
                everything is indexed. Files that have the words of the question are indexed first. Each time another name; \
                the median. `--large DIR` measures a repository where it lies, as well as the files above.",
    },
    Kind {
        name: FRESHNESS,
        title: "Freshness",
        about: "Before each answer Portolan makes sure that its index is what is on disk.",
    },
    Kind {
        name: ANSWERS,
        title: "Answers",
        about: "Of a warm server, through its pipe. Median, and what 95 of 100 stay below. The corpus has UTF-8 files only: others \
                are searched as they are shown, which is not how rg sees them.",
    },
    Kind {
        name: SERVER,
        title: "Memory and start",
        about: "Own memory is what is anonymous: pages of the mapped index belong to the system's cache.",
    },
    Kind {
        name: PROMISED,
        title: "Promises",
        about: "What the documents behind the profiles promise of speed and memory, as they state it, with ten sessions of which \
                one has all files, most of them Rust. Of a server that has none of them open before. Shebe was measured with \
                repositories of 5,605 files (Go) and 6,364 (PHP), rust-code-mcp with one of 131 files (Rust), and Probe asks \
                for its times in any repository: with as many files as the largest of them it is at least as hard. How much \
                memory an index takes Shebe leaves open.",
    },
    Kind {
        name: GROWTH,
        title: "Growth",
        about: "The same with a tenth, three tenths and all of the files.",
    },
    Kind {
        name: REPOSITORIES,
        title: "Repositories",
        about: "Real ones with all their files, data and vendored packages too; large files that the index leaves out are left \
                out. `apt-get source kubernetes mediawiki` and the package `linux-source` are what was measured here. Must hold: \
                the whole index takes at most 1.7 times what reading all files and parsing those of a known language takes, and \
                an edit is found within 50 ms (7,000 files), 100 ms (27,000) or 200 ms.",
    },
    Kind {
        name: TOKENS,
        title: "Tokens",
        about: "What an agent reads for four tasks, with Portolan and without.",
    },
    Kind {
        name: RELEVANCE,
        title: "Relevance",
        about: "NDCG@10 of `search_code` for sentences and names, by the ranks in `xtask/src/eval/search/golden.tsv`.",
    },
    Kind {
        name: GRAPH,
        title: "Truth of the graph",
        about: "F1 next to what compilers and language servers say of the same symbols.",
    },
];

/// Rows of the page that the README shows.
const FIGURES: &[&str] = &[
    "whole index from nothing",
    "size of the index",
    "nothing changed: without the start of a process",
    "one file changed until it is found",
    "search_code, a question",
    "search_code, literal: how many times faster",
    "find_references",
    "own memory of a server after the questions",
    "start to first answer: initialize, with an index",
    "the program",
];

/// Around them in the README.
const BEGIN: &str = "<!-- figures of docs/benchmarks.md, written by cargo xtask bench -->\n";
const END: &str = "<!-- end of figures -->\n";

/// What was measured of one part.
pub struct Section {
    pub kind: &'static str,
    pub body: String,
    /// The command that makes it, and with what.
    pub made: String,
}

/// When, by which version, on what kind of machine.
pub struct Stamp {
    pub version: &'static str,
    pub date: String,
    pub machine: String,
}

const HEAD: &str = "# Benchmarks

Written by `cargo xtask bench`, section by section; each says with which command, version and files, and when. Machines differ
and are noisy: what counts are the ratios, of things that were measured in turns. `portolan bench DIR` measures your own
repository. [How useful the answers are](agents.md) to agents, and how true the graph is, have commands and a page of their own.
";

/// The page with what was measured, and the rest as it was.
pub fn page(before: &str, sections: &[Section], stamp: &Stamp) -> String {
    let mut page = HEAD.to_owned();
    for kind in KINDS {
        let heading = format!("## {}\n", kind.title);
        let _ = write!(page, "\n{heading}\n");
        if let Some(section) = sections.iter().find(|section| section.kind == kind.name) {
            let Stamp { version, date, machine } = stamp;
            let _ = writeln!(
                page,
                "*{}: {version}, {date}, {machine}.*\n\n{}\n",
                section.made, kind.about
            );
            let _ = writeln!(page, "{}", section.body.trim_end());
            continue;
        }
        match before.split_once(&heading) {
            Some((_, rest)) => page.push_str(&kept(rest, stamp)),
            None => page.push_str("Not measured yet.\n"),
        }
    }
    page
}

/// A section as it was, its first line marked as not being of this run.
fn kept(rest: &str, stamp: &Stamp) -> String {
    let own = rest.split("\n## ").next().unwrap_or_default().trim();
    let (first, rest) = own.split_once('\n').unwrap_or((own, ""));
    let first = first.split(NOT_AGAIN).next().unwrap_or_default();
    match first.starts_with('*') {
        true => format!("{first}{NOT_AGAIN} ({}, {}).**\n{rest}\n", stamp.version, stamp.date),
        false => format!("{own}\n"),
    }
}

const NOT_AGAIN: &str = " **Not measured in the last run";

/// The figures of the README, as the page has them.
pub fn figures(page: &str) -> String {
    let mut text = "| | Portolan | next to | ratio |\n|---|---|---|---|\n".to_owned();
    for figure in FIGURES {
        let row = page
            .lines()
            .find_map(|line| line.strip_prefix(&format!("| {figure} |")));
        let cells: Vec<&str> = row
            .into_iter()
            .flat_map(|row| row.split('|').map(str::trim))
            .take(3)
            .collect();
        if let [ours, next_to, ratio] = cells[..] {
            let _ = writeln!(text, "| {figure} | {ours} | {next_to} | {ratio} |");
        }
    }
    text
}

/// Writes the page, and its figures into the README.
pub fn write(path: &Path, readme: Option<&Path>, sections: &[Section], stamp: &Stamp) -> Result<String> {
    let before = fs::read_to_string(path).unwrap_or_default();
    let page = page(&before, sections, stamp);
    fs::write(path, &page).with_context(|| format!("cannot write {}", path.display()))?;
    if let Some(readme) = readme {
        let text = fs::read_to_string(readme)?;
        let (head, _, tail) = around_figures(&text).context("the README has no place for figures")?;
        fs::write(readme, format!("{head}{BEGIN}\n{}\n{END}{tail}", figures(&page)))?;
    }
    Ok(page)
}

/// What stands before, between and behind the marks.
fn around_figures(readme: &str) -> Option<(&str, &str, &str)> {
    let (head, rest) = readme.split_once(BEGIN)?;
    let (figures, tail) = rest.split_once(END)?;
    Some((head, figures, tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(kind: &'static str, body: &str) -> Section {
        Section {
            kind,
            body: body.to_owned(),
            made: format!("`cargo xtask bench --only {kind}`"),
        }
    }

    fn stamp(date: &str) -> Stamp {
        Stamp {
            version: "1.0.0",
            date: date.to_owned(),
            machine: "2 cores".to_owned(),
        }
    }

    fn part<'p>(page: &'p str, title: &str) -> &'p str {
        let rest = page
            .split_once(&format!("## {title}\n\n"))
            .expect("the part is there")
            .1;
        rest.split("\n## ").next().unwrap_or_default().trim_end()
    }

    #[test]
    fn what_is_not_measured_keeps_its_figures_and_its_date() {
        let first = page(
            "",
            &[section(INDEXING, "one"), section(TOKENS, "two")],
            &stamp("2026-01-01"),
        );
        assert_eq!(part(&first, "Growth"), "Not measured yet.");
        let second = page(&first, &[section(INDEXING, "three")], &stamp("2026-01-02"));
        assert!(part(&second, "Indexing").ends_with("\n\nthree"));
        assert!(
            part(&second, "Indexing")
                .starts_with("*`cargo xtask bench --only indexing`: 1.0.0, 2026-01-02, 2 cores.*\n")
        );
        let kept = |date: &str| {
            part(&first, "Tokens").replacen(
                "2 cores.*\n",
                &format!("2 cores.* **Not measured in the last run (1.0.0, {date}).**\n"),
                1,
            )
        };
        assert_eq!(part(&second, "Tokens"), kept("2026-01-02"));
        let third = page(&second, &[section(GROWTH, "four")], &stamp("2026-01-03"));
        assert_eq!(part(&third, "Tokens"), kept("2026-01-03"));
        assert_eq!(page(&third, &[section(GROWTH, "four")], &stamp("2026-01-03")), third);
        let fresh = page(&third, &[section(TOKENS, "five")], &stamp("2026-01-04"));
        assert!(!part(&fresh, "Tokens").contains("last run"));
    }

    #[test]
    fn figures_are_rows_of_the_page() {
        let body = "| | Portolan | next to | ratio | target | |\n|---|\n| the program | 9 MB |  |  |  |  |\n\
                    | size of the index | 2 MB | files 1 MB | 2.00 | <= 1.2x | FAIL |";
        let page = page("", &[section(INDEXING, body)], &stamp("2026-01-01"));
        let expected = "| size of the index | 2 MB | files 1 MB | 2.00 |\n| the program | 9 MB |  |  |\n";
        assert_eq!(
            figures(&page).split_once("|---|---|---|---|\n").map(|(_, rows)| rows),
            Some(expected)
        );
    }

    /// Users of a profile are told where a promise is measured.
    #[test]
    fn promises_name_sections_that_there_are() {
        let dir = crate::workspace_root().join("crates/tools/src/profile/promises");
        for table in fs::read_dir(dir).expect("the tables of promises").flatten() {
            let rows = fs::read_to_string(table.path()).expect("a table of promises");
            let rows: Vec<serde_json::Value> = serde_json::from_str(&rows).expect("rows of promises");
            for section in rows.iter().filter_map(|row| row["measured"].as_str()) {
                assert!(KINDS.iter().any(|kind| kind.title == section), "{section}");
            }
        }
    }

    /// No figure in the README that the benchmarks do not print.
    #[test]
    fn the_readme_has_the_figures_of_the_page() {
        let root = crate::workspace_root();
        let read = |path: &str| {
            fs::read_to_string(root.join(path))
                .expect("a document")
                .replace("\r\n", "\n")
        };
        let (readme, page) = (read("README.md"), read("docs/benchmarks.md"));
        let (_, shown, _) = around_figures(&readme).expect("the README has a place for figures");
        assert_eq!(shown.trim(), figures(&page).trim());
        assert!(shown.lines().count() > 2, "the README shows no figures");
        for kind in KINDS {
            assert!(page.contains(&format!("\n## {}\n", kind.title)), "{}", kind.title);
        }
    }
}
