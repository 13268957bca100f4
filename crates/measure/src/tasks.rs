//! Tokens: what an agent reads to do a task with Portolan, and with `grep -w` and a look at the files.
//!
//! The reader of grep's output is a thrifty one. It searches once for a name, takes paths once a file, cuts long lines,
//! reads a definition from its first to its last line and nothing else of the file, and stops at limits that agents'
//! tools have, even where that means not to know.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::Path,
};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use syntax::SymbolKind;

use crate::{
    grep::{Line, Pattern, grep},
    product::Server,
    sample::Sample,
    sources::{Source, Sources},
};

/// Matching lines that are read of one search.
const MOST_LINES: usize = 250;
/// Characters of one that are read.
const MOST_COLUMNS: usize = 200;
/// Matches whose surroundings are read.
const MOST_PLACES: usize = 20;
/// Lines before and after each.
const AROUND: u64 = 5;
/// Functions around them that are searched for in turn.
const MOST_NAMES: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    Definition,
    Understand,
    Callers,
    Breaks,
}

impl Task {
    pub const ALL: [Task; 4] = [Task::Definition, Task::Understand, Task::Callers, Task::Breaks];

    pub fn as_str(self) -> &'static str {
        match self {
            Task::Definition => "find a definition",
            Task::Understand => "understand a symbol",
            Task::Callers => "who calls it",
            Task::Breaks => "what breaks",
        }
    }

    /// The call that does it, as a reader would write it.
    pub fn call(self) -> &'static str {
        match self {
            Task::Definition => "find_definition",
            Task::Understand => "deep_dive, depth context",
            Task::Callers => "find_callers",
            Task::Breaks => "impact_analysis, depth 2",
        }
    }

    /// What is read without Portolan: by somebody thrifty.
    pub fn baseline(self) -> String {
        match self {
            Task::Definition => format!("the lines of `grep -w`, the first {MOST_LINES}"),
            Task::Understand => "those, and the definition with its comments".to_owned(),
            Task::Callers => {
                format!(
                    "those, and {AROUND} lines either side of the first {MOST_PLACES} matches outside of the definition"
                )
            }
            Task::Breaks => {
                format!("that, and the lines of `grep -w` for the first {MOST_NAMES} functions around these matches")
            }
        }
    }

    fn is_about(self, sample: &Sample) -> bool {
        self != Task::Callers || sample.kind.is_function()
    }

    fn ask(self, sample: &Sample) -> (&'static str, Value) {
        let mut arguments = sample.place();
        match self {
            // Where it is, is the question.
            Task::Definition => ("find_definition", json!({ "symbol": sample.name })),
            Task::Understand => {
                arguments["depth"] = "context".into();
                ("deep_dive", arguments)
            }
            Task::Callers => ("find_callers", arguments),
            Task::Breaks => {
                arguments["depth"] = 2.into();
                ("impact_analysis", arguments)
            }
        }
    }
}

/// Tokens of one task over all samples.
pub struct Tokens {
    pub task: Task,
    /// One for each sample that the task is about.
    pub ours: Vec<u64>,
    pub baseline: Vec<u64>,
    /// Where our answer has another page, which was not asked for.
    pub n_paged: usize,
    /// Where the baseline came to one of its limits, and read less than there was.
    pub n_cut: usize,
    /// What we had no answer to.
    pub failures: Vec<String>,
}

impl Tokens {
    /// How many times more the baseline reads, of all samples together.
    pub fn saved(&self) -> f64 {
        let sum = |tokens: &[u64]| tokens.iter().sum::<u64>() as f64;
        sum(&self.baseline) / sum(&self.ours).max(1.0)
    }
}

/// What a client pays for knowing the tools of a toolset: how many there are, and tokens.
pub fn listing(server: &mut Server) -> Result<(usize, u64)> {
    let (_, listed) = server.request("tools/list", json!({}))?;
    let n_tools = listed["tools"].as_array().context("no list of tools")?.len();
    Ok((n_tools, tools::count_tokens(&listed.to_string())))
}

pub fn median_tokens(tokens: &[u64]) -> u64 {
    let mut sorted = tokens.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

/// What every task costs, for samples of a corpus that the server has indexed.
pub fn tokens(server: &mut Server, dir: &Path, sources: &Sources, samples: &[Sample]) -> Result<Vec<Tokens>> {
    let by_path: BTreeMap<&str, &Source> = sources.0.iter().map(|source| (source.path.as_str(), source)).collect();
    let reader = Reader { dir, by_path };
    let mut all: Vec<Tokens> = Task::ALL.map(Tokens::of).into();
    for sample in samples {
        let read = reader.read(sample)?;
        for (tokens, read) in all.iter_mut().zip(read) {
            if !tokens.task.is_about(sample) {
                continue;
            }
            let (tool, arguments) = tokens.task.ask(sample);
            let answer = server.ask(tool, &arguments)?;
            if answer.is_error {
                let first = answer.text.lines().next().unwrap_or_default();
                tokens.failures.push(format!("{tool} {arguments}: {first}"));
            }
            tokens.ours.push(tools::count_tokens(&answer.text));
            tokens.baseline.push(tools::count_tokens(&read.text));
            tokens.n_paged += usize::from(!answer.structured["next_cursor"].is_null());
            tokens.n_cut += usize::from(read.is_cut);
        }
    }
    Ok(all)
}

impl Tokens {
    fn of(task: Task) -> Tokens {
        Tokens {
            task,
            ours: Vec::new(),
            baseline: Vec::new(),
            n_paged: 0,
            n_cut: 0,
            failures: Vec::new(),
        }
    }
}

/// An agent with grep.
struct Reader<'s> {
    dir: &'s Path,
    by_path: BTreeMap<&'s str, &'s Source>,
}

/// What it has read for one task.
#[derive(Clone, Default)]
struct Read {
    text: String,
    is_cut: bool,
}

impl Reader<'_> {
    /// For each of `Task::ALL`.
    fn read(&self, sample: &Sample) -> Result<[Read; 4]> {
        let (_, lines) = grep(self.dir, Pattern::Word(&sample.name))?;
        let mut definition = Read::default();
        definition.search(&lines);

        let mut understand = definition.clone();
        self.lines_of(&sample.path, sample.first_line, sample.last_line, &mut understand.text);

        let own = u64::from(sample.first_line)..=u64::from(sample.last_line);
        let elsewhere = |line: &&Line| line.path != sample.path || !own.contains(&line.number);
        let (first, rest) = {
            let mut places: Vec<&Line> = lines.iter().take(MOST_LINES).filter(elsewhere).collect();
            let rest = places.split_off(places.len().min(MOST_PLACES));
            (places, rest)
        };
        let mut callers = definition.clone();
        callers.is_cut |= !rest.is_empty();
        self.surroundings(&first, &mut callers.text);

        let mut breaks = callers.clone();
        let names = self.around(&first, &sample.name);
        breaks.is_cut |= names.len() > MOST_NAMES;
        for name in names.iter().take(MOST_NAMES) {
            breaks.search(&grep(self.dir, Pattern::Word(name))?.1);
        }
        Ok([definition, understand, callers, breaks])
    }

    /// The lines around each match; what overlaps is read once.
    fn surroundings(&self, places: &[&Line], into: &mut String) {
        let mut read: Option<(&str, u64)> = None;
        for place in places {
            let mut from = place.number.saturating_sub(AROUND).max(1);
            if let Some((_, to)) = read.filter(|(path, _)| *path == place.path) {
                from = from.max(to + 1);
            }
            let to = place.number + AROUND;
            self.lines_of(&place.path, from as u32, to as u32, into);
            read = Some((&place.path, to));
        }
    }

    fn lines_of(&self, path: &str, from: u32, to: u32, into: &mut String) {
        let Some(source) = self.by_path.get(path) else { return };
        let wanted = source.text.lines().enumerate();
        let wanted = wanted.skip(from.saturating_sub(1) as usize);
        for (at, line) in wanted.take((to + 1).saturating_sub(from) as usize) {
            let _ = writeln!(into, "{}\t{line}", at + 1);
        }
    }

    /// Names of the functions that matches are in, in the order of the matches, each once.
    fn around(&self, places: &[&Line], but: &str) -> Vec<String> {
        let mut facts_of = BTreeMap::new();
        let (mut seen, mut names) = (BTreeSet::from([but.to_owned()]), Vec::new());
        for place in places {
            let Some(source) = self.by_path.get(place.path.as_str()) else {
                continue;
            };
            let facts = &*facts_of.entry(place.path.as_str()).or_insert_with(|| source.facts());
            let line = |at: u32| u64::from(facts.lines.line(at));
            let around = facts.symbols.iter().rev().find(|symbol| {
                let is_function = symbol.kind.is_function() && symbol.kind != SymbolKind::Macro;
                is_function
                    && (line(symbol.span.start)..=line(symbol.span.end.saturating_sub(1))).contains(&place.number)
            });
            let name = around.map(|symbol| facts.name(symbol).to_owned());
            if let Some(name) = name.filter(|name| seen.insert(name.clone())) {
                names.push(name);
            }
        }
        names
    }
}

impl Read {
    /// Matching lines, below a heading for each file.
    fn search(&mut self, lines: &[Line]) {
        self.is_cut |= lines.len() > MOST_LINES;
        let mut path = "";
        for line in lines.iter().take(MOST_LINES) {
            if line.path != path {
                path = &line.path;
                self.text.push_str(path);
                self.text.push('\n');
            }
            let shown: String = line.text.chars().take(MOST_COLUMNS).collect();
            let _ = writeln!(self.text, "{}:{shown}", line.number);
        }
    }
}
