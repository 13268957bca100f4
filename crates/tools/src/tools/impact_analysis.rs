//! `impact_analysis`: what a change of a symbol, or a change that was made, reaches.

mod change;
mod dependents;
mod diff;
mod report;
mod rows;
mod subsystem;

use queries::{ChangeKind, ChangeSet, ChangedSymbol, CodeGraph, Revisions, Snapshot, Subject};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use self::{change::Change, diff::Effort, report::Report};
use crate::{
    machinery::{
        answer::Answer,
        error::{ErrorCode, ToolError},
        tool::{Ctx, Effect, Engine, GRAPH, Tool, Toolset, number},
        units::{first_few, plural},
        visible::visible_name,
    },
    parts::{
        definition,
        groups::{self, Fields, Part},
        subject::{self, Each, Overrides, Several, SymbolSelector},
    },
};

pub(crate) struct ImpactAnalysis;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[serde(flatten)]
    target: SymbolSelector,
    /// Instead of a symbol: uncommitted, staged, or a git revision or range
    #[schemars(length(min = 1, max = 500))]
    diff: Option<String>,
    /// Instead of a symbol: any change of these files
    #[serde(default)]
    files: Vec<String>,
    /// Only the paths of the tests to run, one per line, for hooks and CI; of `files` or `diff` (by default uncommitted)
    #[serde(default)]
    tests_only: bool,
    /// Levels of callers
    #[serde(default = "number::<1>")]
    #[schemars(range(min = 1, max = 5))]
    depth: u32,
}

/// The lists of an answer about symbols.
const LISTS: [&str; 5] = ["direct", "callers", "types", "implementations", "tests"];

/// Rows on one page about several definitions.
const GROUP_ROWS: usize = 60;

/// Changed files that are named one by one; their definitions are anyway.
const MAX_FILES: usize = 20;
/// Those that are named in passing: to who asks about another, or since nothing else tells of them.
const SHOWN_CHANGED: usize = 5;

impl Tool for ImpactAnalysis {
    const NAME: &'static str = "impact_analysis";
    const TITLE: &'static str = "Impact analysis";
    const DOC: &'static str = "What changing a symbol, or a given diff, could break: uses by subsystem, callers, \
                               implementations, tests to run, risk.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"symbol": "parse_query"}"#;
    const ENGINES: &'static [Engine] = GRAPH;
    const CLI: Option<&'static str> = Some("impact");
    const POSITIONAL: &'static [&'static str] = &["symbol", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = subject::ALIASES;
    const VALUE_WORDS: &'static [(&'static str, &'static str, &'static str)] =
        &[("diff", "true", "uncommitted"), ("diff", "false", "false")];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("summary", "object"),
        ("groups", "array"),
        ("symbol", "object"),
        ("diff", "object"),
        ("changed", "array"),
        ("direct", "array"),
        ("callers", "array"),
        ("types", "array"),
        ("implementations", "array"),
        ("tests", "array"),
        ("total", "integer"),
        ("candidates", "array"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn instead_of(parameter: &str) -> Option<&'static str> {
        match parameter {
            "commit" | "sha" => Some("diff takes revisions: `HEAD^!` is one commit"),
            _ => None,
        }
    }

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let diff = params.diff.as_deref().map(str::trim).filter(|diff| *diff != "false");
        if diff.is_some() && (params.target.symbol.is_some() || params.target.line.is_some()) {
            return Err(ToolError {
                hint: "leave one of them out; with `diff`, `file` narrows to one file".into(),
                ..ToolError::invalid("`diff` and a symbol are two questions")
            });
        }
        if !params.files.is_empty() && (diff.is_some() || !params.target.is_empty()) {
            return Err(ToolError {
                hint: "leave out all but one".into(),
                ..ToolError::invalid("`files`, `diff` and a symbol are different questions")
            });
        }
        if params.tests_only {
            return tests_only(ctx, diff, &params);
        }
        if !params.files.is_empty() {
            return ctx.answer(|snapshot| snapshot.graph(|graph| of_files(ctx, snapshot, graph, &params)));
        }
        if diff.is_none() && params.target.is_empty() {
            return Err(ToolError::invalid(
                "give `symbol`, `file` and `line`, `files`, or `diff`",
            ));
        }
        ctx.answer(|snapshot| {
            snapshot.graph(|graph| match diff {
                Some(diff) => of_diff(ctx, snapshot, graph, diff, &params),
                None => match params.target.each(snapshot, graph, "direct")? {
                    Each::One(subject) => of_symbol(ctx, snapshot, graph, &subject, params.depth),
                    Each::Local(local) => Err(params.target.local_refused(graph, &local)),
                    Each::Several(several) => of_several(ctx, snapshot, graph, &several, params.depth),
                    Each::Undefined(answer) | Each::Other(answer) => Ok(answer),
                },
            })
        })
    }
}

fn of_symbol(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    graph: &CodeGraph<'_>,
    subject: &Subject,
    depth: u32,
) -> Result<Answer, ToolError> {
    let report = Report::new(Change::of_symbol(graph, subject)?, depth, Effort::QUICK);
    let overrides = Overrides::of(graph, subject)?;
    let head = subject::heading(subject) + &overrides.text();
    report.answer(ctx, snapshot, &head, |answer| {
        let mut json = subject::json_of(subject);
        overrides.tell(&mut json);
        answer.fact("symbol", json);
    })
}

/// What a change of each of several definitions reaches.
fn of_several(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    graph: &CodeGraph<'_>,
    several: &Several,
    depth: u32,
) -> Result<Answer, ToolError> {
    let mut reports = Vec::new();
    for subject in &several.subjects {
        reports.push((
            subject,
            Report::new(Change::of_symbol(graph, subject)?, depth, Effort::QUICK),
        ));
    }
    let is_partial = !snapshot.is_complete();
    let parts = reports.iter().map(|(subject, report)| report.part(subject, is_partial));
    let parts: Vec<Part<'_>> = parts.collect();
    groups::answer(ctx, several, &parts, Fields::Lists(LISTS.to_vec()), GROUP_ROWS)
}

fn of_diff(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    graph: &CodeGraph<'_>,
    diff: &str,
    params: &Params,
) -> Result<Answer, ToolError> {
    let Asked { revisions, what, range } = Asked::checked(snapshot, diff)?;
    let mut set = graph.changes(&revisions)?;
    let elsewhere = params.target.file.as_deref().and_then(|file| narrow(&mut set, file));
    let change = Change::of_diff(graph, &set, Effort::QUICK)?;
    let is_partial = !snapshot.is_complete();
    let head = format!(
        "{what}: {}{}",
        diff_heading(&set, &change, is_partial),
        elsewhere.unwrap_or_default()
    );
    Report::new(change, params.depth, Effort::QUICK).answer(ctx, snapshot, &head, |answer| {
        let files = set.files.iter().take(MAX_FILES);
        let files: Vec<Value> = files
            .map(|file| json!({ "path": file.path, "change": file.kind.as_str() }))
            .collect();
        answer.fact(
            "diff",
            json!({ "range": range, "files_total": set.files.len() + set.unread + set.unindexed, "files": files }),
        );
    })
}

/// What any change of some files reaches.
fn of_files(ctx: &Ctx<'_>, snapshot: &Snapshot, graph: &CodeGraph<'_>, params: &Params) -> Result<Answer, ToolError> {
    definition::needs_symbols(snapshot)?;
    let (set, unknown) = graph.changes_of_files(&params.files)?;
    if set.files.is_empty() {
        return Err(ToolError {
            hint: "give paths as list_files shows them".into(),
            ..ToolError::invalid(format!("not indexed: {}", named_files(&unknown)))
        });
    }
    let change = Change::of_diff(graph, &set, Effort::QUICK)?;
    let mut head = format!(
        "Any change of {}: {}",
        plural(set.files.len(), "file"),
        plural(change.changed.len(), "definition")
    );
    if !unknown.is_empty() {
        head.push_str(&format!("\nNot indexed: {}", named_files(&unknown)));
    }
    Report::new(change, params.depth, Effort::QUICK).answer(ctx, snapshot, &head, |answer| {
        let files = set.files.iter().take(MAX_FILES);
        let files: Vec<Value> = files.map(|file| json!({ "path": file.path })).collect();
        answer.fact("diff", json!({ "files_total": set.files.len(), "files": files }));
    })
}

fn named_files(paths: &[String]) -> String {
    first_few(paths.iter().map(|path| visible_name(path)), SHOWN_CHANGED)
}

/// The paths of the tests to run, and nothing else: programs read them.
fn tests_only(ctx: &Ctx<'_>, diff: Option<&str>, params: &Params) -> Result<Answer, ToolError> {
    ctx.ask(|snapshot| {
        if !snapshot.is_complete() {
            return Err(ToolError::new(
                ErrorCode::Index,
                "files are still being indexed, so tests may be missing",
                "ask again when index_status says that it is complete",
            ));
        }
        let mut unknown = Vec::new();
        let paths = snapshot.graph(|graph| {
            definition::needs_symbols(snapshot)?;
            let change = if params.files.is_empty() && !params.target.is_empty() && diff.is_none() {
                match params.target.each(snapshot, graph, "direct")? {
                    Each::One(subject) => Change::of_symbol(graph, &subject)?,
                    Each::Local(local) => return Err(params.target.local_refused(graph, &local)),
                    Each::Several(several) => {
                        return Err(ToolError {
                            hint: "give `file` and `line`, or a qualified name".into(),
                            ..ToolError::invalid(format!("{} has several definitions", several.asked))
                        });
                    }
                    Each::Undefined(answer) | Each::Other(answer) => {
                        return Err(ToolError::new(ErrorCode::NotFound, answer.head, "check the name"));
                    }
                }
            } else {
                let set = match params.files.as_slice() {
                    [] => graph.changes(&Asked::checked(snapshot, diff.unwrap_or("uncommitted"))?.revisions)?,
                    files => {
                        let (set, not_indexed) = graph.changes_of_files(files)?;
                        unknown = not_indexed;
                        set
                    }
                };
                Change::of_diff(graph, &set, Effort::THOROUGH)?
            };
            let report = Report::new(change, params.depth, Effort::THOROUGH);
            Ok(report
                .test_files()
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<String>>())
        })?;
        let lines: Vec<String> = paths.iter().map(|path| visible_name(path)).collect();
        let tests: Vec<Value> = paths.iter().map(|path| json!({ "path": path })).collect();
        let mut answer = Answer::of(lines.join("\n"), json!({ "tests": tests, "total": paths.len() }));
        if !unknown.is_empty() {
            answer.fact("not_indexed", unknown);
        }
        let mut answer = answer.by(ctx.engines).covering(snapshot);
        // What was not looked at is in the JSON: the text has paths only.
        answer.warning.clear();
        answer.tail.clear();
        Ok(answer)
    })
}

/// Leaves what a change does to one file, or below one directory; where that is nothing, says what is changed instead.
fn narrow(set: &mut ChangeSet, file: &str) -> Option<String> {
    let wanted = file.trim_start_matches("./").trim_end_matches('/');
    let is_wanted = |path: &str| {
        let rest = path.strip_prefix(wanted);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let changed = set.files.iter().map(|changed| visible_name(&changed.path));
    let changed = first_few(changed, SHOWN_CHANGED);
    set.files.retain(|changed| is_wanted(&changed.path));
    (set.files.is_empty() && !changed.is_empty())
        .then(|| format!("\n`{}` is not changed; changed are {changed}", visible_name(wanted)))
}

/// Which diff is asked about.
struct Asked<'p> {
    revisions: Revisions,
    /// `Staged change`
    what: String,
    /// As it is told in JSON.
    range: &'p str,
}

impl Asked<'_> {
    fn checked<'p>(snapshot: &Snapshot, diff: &'p str) -> Result<Asked<'p>, ToolError> {
        definition::needs_symbols(snapshot)?;
        if diff.contains('\n') {
            return Err(ToolError {
                hint:
                    "give `uncommitted`, `staged` or a git range; extract_code shows the code at the lines of a pasted \
                       diff"
                        .into(),
                ..ToolError::invalid("`diff` names a change, and this is the text of one")
            });
        }
        Ok(Asked::parse(diff))
    }

    fn parse(diff: &str) -> Asked<'_> {
        let (revisions, what, range) = match diff.to_ascii_lowercase().trim_start_matches("--") {
            "true" | "uncommitted" | "yes" | "1" | "working tree" | "worktree" => {
                (Revisions::Uncommitted, "Uncommitted change".to_owned(), "uncommitted")
            }
            "staged" | "cached" => (Revisions::Staged, "Staged change".to_owned(), "staged"),
            _ => {
                let revisions = Revisions::parse(diff);
                let shown = visible_name(diff);
                let what = match revisions {
                    Revisions::Since(_) => format!("Change from {shown} to the working tree"),
                    _ => format!("Change {shown}"),
                };
                (revisions, what, diff)
            }
        };
        Asked { revisions, what, range }
    }
}

/// `2 files (+3 -1 lines), 4 definitions`, and what was not looked at.
fn diff_heading(set: &ChangeSet, change: &Change<'_>, is_partial: bool) -> String {
    let mut head = format!(
        "{} (+{} -{} lines), {}",
        plural(set.files.len(), "file"),
        set.files.iter().map(|file| file.added_lines).sum::<u32>(),
        set.files.iter().map(|file| file.removed_lines).sum::<u32>(),
        plural(change.changed.len(), "definition"),
    );
    head.push_str(match (set.files.is_empty(), is_partial) {
        (true, true) => ": nothing differs in what is indexed so far",
        (false, true) => " in what is indexed so far",
        (true, false) if set.is_all_read() => ": nothing differs",
        (_, false) => "",
    });
    let unknown = change.changed.iter().filter(|one| one.used.is_none()).count();
    if unknown > 0 {
        head.push_str(&format!(
            "; users of {unknown} not looked for: too many, or names that are everywhere"
        ));
    }
    if set.unread > 0 {
        head.push_str(&format!("; {} not looked into", plural(set.unread, "further file")));
    }
    if set.unindexed > 0 {
        let files = plural(set.unindexed, "further file");
        head.push_str(&format!("; {files} not looked into: not in the index"));
    }
    if set.unread_submodules > 0 {
        let submodules = plural(set.unread_submodules, "submodule");
        head.push_str(&format!("; {submodules} not looked into: its history is not here"));
    }
    let without = set.files.iter().filter(|file| file.symbols.is_empty());
    let without: Vec<String> = without.map(|file| visible_name(&file.path)).collect();
    if !without.is_empty() {
        let shown = first_few(without.into_iter(), SHOWN_CHANGED);
        head.push_str(&format!("\nNo definition changed in {shown}"));
    }
    // What is told of either would be news to who looks at the other.
    let is_apart = |symbol: &ChangedSymbol| (symbol.change == ChangeKind::Removed) == symbol.id.is_some();
    if set.is_elsewhere && set.files.iter().flat_map(|file| &file.symbols).any(is_apart) {
        head.push_str(
            "\nThe working tree is another: what is changed is told by the change, who uses it by the working tree",
        );
    }
    head
}
