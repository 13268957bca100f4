//! `analyze_complexity`: how large and how tangled a file or directory is, worst functions first.

use std::{
    cmp::{self, Reverse},
    sync::atomic::Ordering,
};

use queries::{FileFacts, Lang, Role, Snapshot, Symbol, SymbolKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::Error;

use crate::machinery::{
    answer::{Answer, Row},
    error::ToolError,
    tool::{Ctx, Effect, Engine, SYNTAX, Tool, Toolset, number},
    units::{and_more, count, first_few, plural},
    visible::visible_name,
};

pub(crate) struct AnalyzeComplexity;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// File or directory; default all
    file_path: Option<String>,
    #[serde(default = "number::<20>")]
    #[schemars(range(min = 1, max = 500))]
    limit: u32,
}

/// Files of a directory that are named.
const WORST_FILES: usize = 10;

impl Tool for AnalyzeComplexity {
    const NAME: &'static str = "analyze_complexity";
    const TITLE: &'static str = "Analyze complexity";
    const DOC: &'static str = "Lines, symbols, calls, cyclomatic and cognitive complexity; worst functions first.";
    const TOOLSET: Toolset = Toolset::Graph;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"file_path": "src/query.rs"}"#;
    const ENGINES: &'static [Engine] = SYNTAX;
    const CLI: Option<&'static str> = Some("complexity");
    const POSITIONAL: &'static [&'static str] = &["file_path"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("path", "file_path"),
        ("file", "file_path"),
        ("directory", "file_path"),
        ("dir", "file_path"),
        ("max_results", "limit"),
        ("top", "limit"),
    ];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("functions", "array"),
        ("total", "integer"),
        ("lines", "object"),
        ("symbols", "object"),
        ("complexity", "object"),
        ("calls", "integer"),
        ("files", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            let (path, files) = snapshot.files_at(params.file_path.as_deref().unwrap_or_default())?;
            let is_file = files.first() == Some(&path);
            let (offset, limit) = (ctx.paging.offset, params.limit as usize);
            let mut survey = Survey::showing(offset.saturating_add(limit));
            for file in files {
                if ctx.control.cancelled.load(Ordering::Relaxed) {
                    return Err(Error::Cancelled.into());
                }
                let lang = snapshot.lang_of(&file)?;
                // Text and data have lines but nothing that runs; they count only if asked for.
                let is_code = lang.has_symbols() && !lang.is_data();
                if is_file || is_code {
                    survey.add(snapshot, file, lang)?;
                } else {
                    survey.other_files += 1;
                }
            }
            survey.answer(&path, is_file, offset, limit)
        })
    }
}

/// Counts of a file or of many.
#[derive(Default, Clone)]
struct Counts {
    lines: u64,
    blank: u64,
    comment: u64,
    functions: u64,
    structs: u64,
    enums: u64,
    traits: u64,
    cyclomatic: u64,
    cognitive: u64,
    calls: u64,
}

struct Function {
    name: String,
    path: String,
    kind: SymbolKind,
    line: u32,
    lines: u32,
    cyclomatic: u32,
    cognitive: u32,
}

/// The first of many in an order, as many as are shown: there may be a million, and nobody asks for the others.
struct First<T> {
    rows: Vec<T>,
    shown: usize,
    total: usize,
    order: fn(&T, &T) -> cmp::Ordering,
}

impl<T> First<T> {
    fn new(shown: usize, order: fn(&T, &T) -> cmp::Ordering) -> First<T> {
        First {
            rows: Vec::new(),
            shown,
            total: 0,
            order,
        }
    }

    fn add(&mut self, row: T) {
        self.total += 1;
        self.rows.push(row);
        if self.rows.len() >= self.shown.saturating_mul(2) {
            self.settle();
        }
    }

    /// Puts them in order and drops the rest. Of equal ones the first to come stays.
    fn settle(&mut self) {
        self.rows.sort_by(self.order);
        self.rows.truncate(self.shown);
    }
}

struct Survey {
    all: Counts,
    files: First<(String, Counts)>,
    functions: First<Function>,
    /// Of languages without functions.
    other_files: usize,
    /// Path and reason of files whose text could not be understood.
    problems: First<(String, &'static str)>,
}

impl Survey {
    /// With so many functions.
    fn showing(functions: usize) -> Survey {
        Survey {
            all: Counts::default(),
            files: First::new(WORST_FILES, |a, b| {
                a.1.worse().cmp(&b.1.worse()).then_with(|| a.0.cmp(&b.0))
            }),
            functions: First::new(functions, |a, b| {
                let key = |one: &Function| Reverse((one.cyclomatic, one.cognitive, one.lines));
                key(a)
                    .cmp(&key(b))
                    .then_with(|| (&a.path, a.line).cmp(&(&b.path, b.line)))
            }),
            other_files: 0,
            problems: First::new(WORST_FILES, |_, _| cmp::Ordering::Equal),
        }
    }

    fn add(&mut self, snapshot: &Snapshot, path: String, lang: &Lang) -> Result<(), ToolError> {
        let facts = snapshot.facts_of(&path)?;
        match facts.problem {
            Some(problem) => self.problems.add((path.clone(), problem.as_str())),
            None if !lang.has_symbols() || !snapshot.session().config.symbols => {
                self.problems.add((path.clone(), "read as text only"))
            }
            None => {}
        }
        let mut counts = Counts {
            lines: u64::from(facts.lines.count()),
            blank: u64::from(facts.blank_lines),
            comment: u64::from(facts.comment_lines),
            calls: facts.references.iter().filter(|one| one.role == Role::Call).count() as u64,
            ..Counts::default()
        };
        for symbol in &facts.symbols {
            match symbol.kind {
                SymbolKind::Struct | SymbolKind::Class | SymbolKind::Union | SymbolKind::Object => counts.structs += 1,
                SymbolKind::Enum => counts.enums += 1,
                SymbolKind::Trait | SymbolKind::Interface => counts.traits += 1,
                _ => {}
            }
            if symbol.complexity.cyclomatic > 0 && !symbol.is_declaration {
                counts.functions += 1;
                counts.cyclomatic += u64::from(symbol.complexity.cyclomatic);
                counts.cognitive += u64::from(symbol.complexity.cognitive);
                self.functions.add(function(&path, &facts, symbol, lang));
            }
        }
        self.all.add(&counts);
        self.files.add((path, counts));
        Ok(())
    }

    fn answer(mut self, path: &str, is_file: bool, offset: usize, limit: usize) -> Result<Answer, ToolError> {
        self.functions.settle();
        self.files.settle();
        self.problems.settle();
        let page = self.functions.rows.iter().skip(offset).take(limit);
        let mut answer = Answer {
            head: self.head(path, is_file, offset),
            key: "functions",
            rows: page.map(|one| one.row(is_file)).collect(),
            total: self.functions.total,
            narrower: "narrow with file_path".into(),
            ..Answer::default()
        };
        if is_file && self.problems.total > 0 {
            // Neither comments nor functions are known.
            answer.fact(
                "lines",
                json!({ "total": self.all.lines, "non_empty": self.all.filled() }),
            );
        } else {
            answer.facts.extend(self.all.json());
        }
        if !is_file {
            answer.fact("files_total", self.files.total);
            answer.fact("other_files", self.other_files);
            if offset == 0 {
                let files = self.files.rows.iter().map(|(path, counts)| {
                    json!({
                        "path": path,
                        "cyclomatic": counts.cyclomatic,
                        "cognitive": counts.cognitive,
                        "functions": counts.functions,
                        "code_lines": counts.code(),
                    })
                });
                answer.fact("files", files.collect::<Vec<Value>>());
            }
        } else if let Some((path, _)) = self.files.rows.first() {
            answer.fact("path", path.clone());
        }
        if self.problems.total > 0 && offset == 0 {
            let shown = &self.problems.rows;
            let json = shown
                .iter()
                .map(|(path, reason)| json!({ "path": path, "reason": reason }));
            answer.fact("not_parsed", json.collect::<Vec<Value>>());
            answer.fact("not_parsed_total", self.problems.total);
            let named = shown
                .iter()
                .map(|(path, reason)| format!("{} ({reason})", visible_name(path)));
            let named = first_few(named, WORST_FILES) + &and_more(self.problems.total - shown.len());
            answer.tail = format!("Comments and functions not known: {named}.");
        }
        Ok(answer)
    }

    fn head(&self, path: &str, is_file: bool, offset: usize) -> String {
        let all = &self.all;
        let name = match self.files.rows.first() {
            Some((file, _)) if is_file => visible_name(file),
            _ => {
                let name = match path {
                    "" => "workspace".to_owned(),
                    path => visible_name(path),
                };
                let others = match self.other_files {
                    0 => String::new(),
                    n => format!(" (and {} of text or data, not counted)", count(n as u64)),
                };
                format!("{name}: {}{others}", plural(self.files.total, "code file"))
            }
        };
        if offset > 0 {
            return format!("{name}, functions from number {}", count(offset as u64 + 1));
        }
        if is_file && self.problems.total > 0 {
            let (all, filled) = (count(all.lines), count(all.filled()));
            return format!("{name}\nLines: {all} total, {filled} non-empty");
        }
        let mut lines = vec![
            name,
            format!(
                "Lines: {} total, {} non-empty, {} comment, {} code",
                count(all.lines),
                count(all.filled()),
                count(all.comment),
                count(all.code())
            ),
            format!(
                "Symbols: {} functions, {} structs/classes, {} enums, {} traits/interfaces",
                count(all.functions),
                count(all.structs),
                count(all.enums),
                count(all.traits)
            ),
            format!(
                "Cyclomatic: {} total, {:.2} average; cognitive: {} total, {:.2} average",
                count(all.cyclomatic),
                all.average(all.cyclomatic),
                count(all.cognitive),
                all.average(all.cognitive)
            ),
            format!("Calls: {}", count(all.calls)),
        ];
        if !is_file && self.files.total > 1 {
            lines.push("\nWorst files (cyclomatic, cognitive, functions, code lines)".to_owned());
            for (path, counts) in &self.files.rows {
                lines.push(format!(
                    "{}: {}, {}, {}, {}",
                    visible_name(path),
                    count(counts.cyclomatic),
                    count(counts.cognitive),
                    count(counts.functions),
                    count(counts.code())
                ));
            }
        }
        if self.functions.total == 0 {
            lines.push("No functions.".to_owned());
        } else {
            lines.push("\nWorst functions (cyclomatic, cognitive, lines)".to_owned());
        }
        lines.join("\n")
    }
}

fn function(path: &str, facts: &FileFacts, symbol: &Symbol, lang: &Lang) -> Function {
    let first = facts.lines.line(symbol.span.start);
    let last = facts.lines.line(symbol.span.end.max(1) - 1);
    Function {
        name: lang.qualified_name(facts, symbol),
        path: path.to_owned(),
        kind: symbol.kind,
        line: facts.lines.line(symbol.name_at),
        lines: last - first + 1,
        cyclomatic: symbol.complexity.cyclomatic,
        cognitive: symbol.complexity.cognitive,
    }
}

impl Function {
    fn row(&self, is_file: bool) -> Row {
        let place = match is_file {
            true => format!("line {}", self.line),
            false => format!("{}:{}", visible_name(&self.path), self.line),
        };
        Row {
            text: format!(
                "{} {place}: {}, {}, {}",
                visible_name(&self.name),
                self.cyclomatic,
                self.cognitive,
                self.lines
            ),
            json: json!({
                "name": self.name,
                "kind": self.kind.as_str(),
                "path": self.path,
                "line": self.line,
                "lines": self.lines,
                "cyclomatic": self.cyclomatic,
                "cognitive": self.cognitive,
            }),
            body: None,
        }
    }
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.lines += other.lines;
        self.blank += other.blank;
        self.comment += other.comment;
        self.functions += other.functions;
        self.structs += other.structs;
        self.enums += other.enums;
        self.traits += other.traits;
        self.cyclomatic += other.cyclomatic;
        self.cognitive += other.cognitive;
        self.calls += other.calls;
    }

    /// Less for what is more tangled.
    fn worse(&self) -> Reverse<(u64, u64, u64)> {
        Reverse((self.cyclomatic, self.cognitive, self.lines))
    }

    fn filled(&self) -> u64 {
        self.lines.saturating_sub(self.blank)
    }

    /// Lines that hold more than a comment; those with code and a comment count as comments.
    fn code(&self) -> u64 {
        self.filled().saturating_sub(self.comment)
    }

    /// Per function.
    fn average(&self, sum: u64) -> f64 {
        match self.functions {
            0 => 0.0,
            functions => (100.0 * sum as f64 / functions as f64).round() / 100.0,
        }
    }

    fn json(&self) -> serde_json::Map<String, Value> {
        let json = json!({
            "lines": {
                "total": self.lines,
                "non_empty": self.filled(),
                "comment": self.comment,
                "code": self.code(),
            },
            "symbols": {
                "functions": self.functions,
                "structs": self.structs,
                "enums": self.enums,
                "traits": self.traits,
            },
            "complexity": {
                "cyclomatic": self.cyclomatic,
                "cyclomatic_average": self.average(self.cyclomatic),
                "cognitive": self.cognitive,
                "cognitive_average": self.average(self.cognitive),
            },
            "calls": self.calls,
        });
        match json {
            Value::Object(json) => json,
            _ => serde_json::Map::new(),
        }
    }
}
