//! `rename_symbol`: another name for a definition, everywhere it is used. Shows what would change, and changes it when told.

use std::time::Duration;

use queries::{CodeGraph, LIKELY, MentionPlace, Snapshot, Subject};
use rename::{LeftUse, PROVEN, RenameCheck, RenameRequest, RenameScope, RenamedFile, Renaming};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use source::PathGlobs;
use workspace::Error;

use crate::{
    machinery::{
        answer::{Answer, Body, PagingMode, Row},
        error::{Cause, ErrorCode, ToolError},
        tool::{Ctx, Effect, Engine, GRAPH, Tool, Toolset, yes},
        units::{first_few, plural, rounded},
        visible::visible_name,
    },
    parts::subject::{self, ResolvedTarget, SymbolSelector, TOO_COMMON_IN_TEXT},
};

pub(crate) struct RenameSymbol;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// `name` or `Owner::name`
    #[schemars(length(min = 1, max = 500))]
    old_name: Option<String>,
    #[schemars(length(min = 1, max = 200))]
    new_name: String,
    /// With line, where it is defined or used: the only way to a parameter or local variable
    #[schemars(length(min = 1))]
    file: Option<String>,
    #[schemars(range(min = 1))]
    line: Option<u32>,
    #[schemars(range(min = 1))]
    column: Option<u32>,
    /// workspace, file, or a glob: files that may change
    #[serde(default = "everywhere")]
    scope: String,
    /// false writes
    #[serde(default = "yes")]
    dry_run: bool,
    /// Also uses that are not proven, from this confidence in percent
    #[schemars(range(min = 1, max = 100))]
    include_candidates: Option<u32>,
    /// Write in spite of conflicts
    #[serde(default)]
    force: bool,
}

fn everywhere() -> String {
    "workspace".to_owned()
}

/// Rows of what is left as it is that are shown.
const MAX_LEFT: usize = 20;
/// Those of them that are likely to be meant are told before anything else, so many by their place.
const MAX_LIKELY: usize = 5;
/// And behind it, all of them as far as anybody reads.
const MAX_PLACES: usize = 200;
const MAX_CONFLICTS: usize = 20;
/// Sites of a file that are listed; the difference shows them all.
const MAX_SITES: usize = 100;
/// Files change between looking and writing only where something else writes too.
const ATTEMPTS: usize = 3;

impl Tool for RenameSymbol {
    const NAME: &'static str = "rename_symbol";
    const TITLE: &'static str = "Rename a symbol";
    const DOC: &'static str = "Rename a symbol, parameter or local variable and every proven use of it, imports and overrides included: a diff first; \
         dry_run: false writes all files or none and checks the result. Unproven uses and mentions in text are listed apart.";
    const TOOLSET: Toolset = Toolset::Refactor;
    const EFFECT: Effect = Effect::WritesRepository;
    const EXAMPLE: &'static str = r#"{"old_name": "parse_query", "new_name": "read_query"}"#;
    const ENGINES: &'static [Engine] = GRAPH;
    const CLI: Option<&'static str> = Some("rename");
    const POSITIONAL: &'static [&'static str] = &["old_name", "new_name", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("symbol", "old_name"),
        ("symbol_name", "old_name"),
        ("name", "old_name"),
        ("file_path", "file"),
        ("path", "file"),
        ("line_number", "line"),
    ];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("files", "array"),
        ("total", "integer"),
        ("symbol", "object"),
        ("new_name", "string"),
        ("applied", "boolean"),
        ("sites", "integer"),
        ("conflicts", "array"),
        ("candidates", "array"),
        ("left", "array"),
        ("mentions", "array"),
        ("notes", "array"),
        ("check", "object"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn instead_of(parameter: &str) -> Option<&'static str> {
        match parameter {
            "apply" | "write" | "confirm" => Some("dry_run: false writes it"),
            _ => None,
        }
    }

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let scope = || match params.scope.as_str() {
            "workspace" => Ok(RenameScope::Workspace),
            "file" => Ok(RenameScope::File),
            glob => PathGlobs::new(&[glob]).map(RenameScope::Paths).map_err(Error::from),
        };
        let request = RenameRequest {
            name: params.new_name.trim(),
            scope: scope()?,
            least: params
                .include_candidates
                .map_or(PROVEN + 0.01, |percent| percent as f32 / 100.0),
        };
        if params.dry_run {
            return ctx.answer(|snapshot| match planned(snapshot, &params, &request)? {
                Planned::Rename(subject, renaming) => Ok(shown(ctx, &subject, &renaming, &params, &Outcome::Planned)),
                Planned::Other(answer) => Ok(answer),
            });
        }
        let workspace = ctx.workspace()?;
        let mut attempt = 1;
        loop {
            let snapshot = Snapshot::new(workspace.snapshot(&ctx.control)?);
            let written = planned(&snapshot, &params, &request).and_then(|planned| match planned {
                Planned::Rename(subject, renaming) => {
                    may_write(&snapshot, &renaming, &params)?;
                    rename::apply(&snapshot, &renaming)?;
                    Ok(Planned::Rename(subject, renaming))
                }
                other => Ok(other),
            });
            match written {
                Err(error) if error.cause == Cause::Stale && attempt < ATTEMPTS => {
                    workspace.distrust_watch();
                    attempt += 1;
                }
                Err(error) => return Err(error),
                Ok(Planned::Other(answer)) => {
                    return Ok(answer.by(ctx.engines).covering(&snapshot));
                }
                Ok(Planned::Rename(subject, renaming)) => {
                    let told = |outcome: &Outcome| shown(ctx, &subject, &renaming, &params, outcome);
                    let patience = Duration::from_secs(ctx.workspaces.config().request_timeout_secs);
                    let checked = ctx.look_afterwards(|| {
                        if !workspace.catch_up_with_disk(&ctx.control, patience)? {
                            let hint = "ask again when index_status says that it is complete";
                            return Err(ToolError::new(ErrorCode::Index, "files are still being indexed", hint));
                        }
                        ctx.answer(|after| {
                            let check = after.graph(|graph| rename::check(graph, &renaming))?;
                            Ok(told(&Outcome::Checked(check)))
                        })
                    });
                    return Ok(checked.unwrap_or_else(|error| told(&Outcome::Unchecked(error)).by(ctx.engines)));
                }
            }
        }
    }
}

/// How far a renaming has come.
enum Outcome {
    Planned,
    Checked(RenameCheck),
    /// Written, and why that could not be checked.
    Unchecked(ToolError),
}

enum Planned {
    Rename(Subject, Renaming),
    /// There is none, or there are several.
    Other(Answer),
}

fn planned(snapshot: &Snapshot, params: &Params, request: &RenameRequest<'_>) -> Result<Planned, ToolError> {
    let target = SymbolSelector {
        symbol: params.old_name.clone(),
        file: params.file.clone(),
        line: params.line,
        column: params.column,
    };
    snapshot.graph(|graph: &CodeGraph<'_>| {
        // What a line declares for itself is meant before what it uses.
        let local = match (&target.file, target.line) {
            (Some(file), Some(_)) => target.local(graph, file)?,
            _ => None,
        };
        let meant = local.map_or_else(|| target.resolve(snapshot, graph, "files"), Ok)?;
        Ok(match meant {
            ResolvedTarget::Symbol(subject) => {
                let renaming = rename::plan(graph, &subject, request)?;
                Planned::Rename(subject, renaming)
            }
            ResolvedTarget::Local(local) => {
                let renaming = rename::plan_local(graph, &local, request)?;
                Planned::Rename(local.subject, renaming)
            }
            ResolvedTarget::Undefined(answer) | ResolvedTarget::Other(answer) => Planned::Other(answer),
        })
    })
}

/// Nothing is written that is known to be wrong, nor from half of the files.
fn may_write(snapshot: &Snapshot, renaming: &Renaming, params: &Params) -> Result<(), ToolError> {
    if !snapshot.is_complete() {
        let hint = "ask again when index_status says that it is complete";
        return Err(ToolError::new(
            ErrorCode::Index,
            "nothing was changed: not every file is indexed yet",
            hint,
        ));
    }
    if renaming.conflicts.is_empty() || params.force {
        return Ok(());
    }
    let message = format!(
        "nothing was changed, for {}:\n{}",
        plural(renaming.conflicts.len(), "reason"),
        conflict_lines(renaming)
    );
    let hint = "choose another name or resolve them; force: true renames in spite of them";
    Err(ToolError::new(ErrorCode::NotFound, message, hint))
}

fn conflict_lines(renaming: &Renaming) -> String {
    let shown = renaming.conflicts.iter().take(MAX_CONFLICTS);
    let lines: Vec<String> = shown
        .map(|one| format!("- {}:{} {}", visible_name(&one.path), one.line, one.reason))
        .collect();
    lines.join("\n")
}

fn shown(ctx: &Ctx<'_>, subject: &Subject, renaming: &Renaming, params: &Params, outcome: &Outcome) -> Answer {
    let sites: usize = renaming.files.iter().map(|file| file.sites.len()).sum();
    let others = subject::not_namesakes(subject).map(|others| format!("; {others}"));
    let what = format!(
        "`{}` -> `{}`: {} in {}{}",
        visible_name(&subject.hit.qualified_name),
        visible_name(params.new_name.trim()),
        plural(sites, "site"),
        plural(renaming.files.len(), "file"),
        others.unwrap_or_default(),
    );
    let is_refused = !renaming.conflicts.is_empty() && !params.force;
    let likely: Vec<&LeftUse> = renaming.left.iter().filter(|one| one.confidence >= LIKELY).collect();
    let told = match outcome {
        Outcome::Planned => unwritten(renaming, is_refused),
        Outcome::Checked(check) => checked(check, likely.is_empty()),
        Outcome::Unchecked(error) => format!(
            "All of them are written. Whether they lead to the renamed definition could not be checked: {}.",
            error.message
        ),
    };
    let told = match left_behind(&likely) {
        Some(left) => format!("{left}\n{told}"),
        None => told,
    };
    let files = renaming.files.iter().skip(ctx.paging.offset);
    // What will not be done need not be read.
    let rows = files.map(|file| file_row(file, !is_refused));
    let is_done = !matches!(outcome, Outcome::Planned);
    let verb = if is_done { "Renamed " } else { "" };
    let mut answer = Answer {
        mode: match is_done {
            true => PagingMode::Report,
            false => PagingMode::Body,
        },
        head: format!("{verb}{what}\n{told}"),
        key: "files",
        rows: rows.collect(),
        total: renaming.files.len(),
        engines: &[Engine::Graph],
        narrower: if is_done {
            "a diff of the working tree shows them".into()
        } else {
            "a narrower scope".into()
        },
        ..Answer::default()
    };
    answer.fact("symbol", subject::json_of(subject));
    answer.fact("new_name", params.new_name.trim());
    answer.fact("applied", is_done);
    answer.fact("sites", sites);
    let conflicts = renaming.conflicts.iter().take(MAX_CONFLICTS);
    let conflicts = conflicts.map(|one| json!({ "path": one.path, "line": one.line, "reason": one.reason }));
    answer.fact("conflicts", conflicts.collect::<Vec<_>>());
    match outcome {
        Outcome::Planned => {}
        Outcome::Checked(check) => {
            let unresolved = json!(check.unresolved.iter().take(MAX_LEFT).collect::<Vec<_>>());
            let json = json!({ "sites": check.known, "resolved": check.resolved, "unresolved": unresolved });
            answer.fact("check", json);
        }
        Outcome::Unchecked(error) => answer.fact("check", json!({ "failed": error.message })),
    }
    let mut tail: Vec<String> = left(&mut answer, renaming).into_iter().collect();
    tail.extend(mentioned(&mut answer, renaming));
    tail.extend(renaming.notes.iter().cloned());
    answer.fact("notes", renaming.notes.clone());
    answer.tail = tail.join("\n");
    answer
}

fn file_row(file: &RenamedFile, with_diff: bool) -> Row {
    let path = &file.change.path;
    let sites = file.sites.iter().take(MAX_SITES).map(|site| {
        json!({
            "line": site.line,
            "column": site.column,
            "role": site.kind.as_str(),
            "confidence": rounded(site.confidence),
        })
    });
    Row {
        text: format!("{}: {}", visible_name(path), plural(file.sites.len(), "site")),
        json: json!({ "path": path, "sites": sites.collect::<Value>(), "sites_total": file.sites.len() }),
        body: with_diff.then(|| Body {
            field: "diff",
            first_line: None,
            is_continued: false,
            numbered_in: None,
            lang: "diff",
            text: format!("--- a/{path}\n+++ b/{path}\n{}", file.diff),
        }),
    }
}

/// What would come of it.
fn unwritten(renaming: &Renaming, is_refused: bool) -> String {
    if renaming.conflicts.is_empty() {
        return "Nothing is written yet: dry_run: false applies it.".to_owned();
    }
    let verb = if is_refused {
        "this would be refused for"
    } else {
        "force: true passes over"
    };
    format!(
        "Nothing is written yet, and {verb} {}:\n{}",
        plural(renaming.conflicts.len(), "conflict"),
        conflict_lines(renaming)
    )
}

/// What keeps the old name though it is likely to mean what gets the new one.
fn left_behind(likely: &[&LeftUse]) -> Option<String> {
    let least = likely.iter().map(|one| one.confidence).reduce(f32::min)?;
    let places = likely
        .iter()
        .map(|one| format!("{}:{}", visible_name(&one.path), one.line));
    let (what, keeps) = match likely.len() {
        1 => ("1 likely use is".to_owned(), "keeps"),
        many => (format!("{many} likely uses are"), "keep"),
    };
    Some(format!(
        "{what} not proven and {keeps} the old name: {}. include_candidates: {:.0} renames all of them.",
        first_few(places, MAX_LIKELY),
        (least * 100.0).floor()
    ))
}

/// Whether every place leads where it should.
fn checked(check: &RenameCheck, is_all: bool) -> String {
    let all = format!(
        "Checked afterwards: {} of {} lead to the renamed definition",
        check.resolved,
        plural(check.known, "proven site")
    );
    if check.unresolved.is_empty() {
        return match is_all {
            true => format!("{all}; no name is newly unresolved."),
            // What was left may lead nowhere now.
            false => format!("{all}."),
        };
    }
    let shown: Vec<&str> = check.unresolved.iter().take(MAX_LEFT).map(String::as_str).collect();
    format!("{all}; newly unresolved: {}", visible_name(&shown.join(", ")))
}

/// Uses that are not proven and stay as they are.
fn left(answer: &mut Answer, renaming: &Renaming) -> Option<String> {
    let rows = renaming.left.iter().take(MAX_LEFT).map(|one| {
        json!({
            "path": one.path,
            "line": one.line,
            "column": one.column,
            "role": one.kind.as_str(),
            "confidence": rounded(one.confidence),
        })
    });
    answer.fact("left", rows.collect::<Vec<_>>());
    answer.fact("left_total", renaming.left.len());
    let n_likely = renaming.left.iter().filter(|one| one.confidence >= LIKELY).count();
    answer.fact("left_likely", n_likely);
    let places = renaming.left.iter().map(|one| {
        let percent = one.confidence * 100.0;
        format!("{}:{} {percent:.0}%", visible_name(&one.path), one.line)
    });
    (!renaming.left.is_empty()).then(|| {
        format!(
            "Not proven and left as they are (include_candidates takes those from a percentage on): {}",
            first_few(places, n_likely.clamp(MAX_LEFT, MAX_PLACES))
        )
    })
}

/// The name in comments, strings and documents: what is the path to it first, which another name breaks, then what stands
/// in code that is not understood.
fn mentioned(answer: &mut Answer, renaming: &Renaming) -> Vec<String> {
    let Some(mentions) = &renaming.mentions else {
        return vec![TOO_COMMON_IN_TEXT.to_owned()];
    };
    let mut mentions: Vec<_> = mentions.iter().collect();
    mentions.dedup_by(|one, other| (&one.path, one.line) == (&other.path, other.line));
    mentions.sort_by_key(|mention| match mention.place {
        MentionPlace::Path => 0,
        MentionPlace::Text | MentionPlace::Unparsed => 1,
        _ => 2,
    });
    let rows = mentions.iter().take(MAX_LEFT).map(
        |one| json!({ "path": one.path, "line": one.line, "column": one.column, "role": one.place.as_str(), "origin": "text" }),
    );
    answer.fact("mentions", rows.collect::<Vec<_>>());
    answer.fact("mentions_total", mentions.len());
    let (named, others) = mentions.split_at(mentions.partition_point(|one| one.place == MentionPlace::Path));
    let mut told = Vec::new();
    if !named.is_empty() {
        let places = named
            .iter()
            .map(|one| format!("{}:{}", visible_name(&one.path), one.line));
        told.push(format!(
            "Named by its path in strings or settings, left as it is: {}",
            first_few(places, MAX_LEFT)
        ));
    }
    if !others.is_empty() {
        let places = others
            .iter()
            .map(|one| format!("{}:{} ({})", visible_name(&one.path), one.line, one.place.as_str()));
        told.push(format!("Also in text, left as it is: {}", first_few(places, MAX_LEFT)));
    }
    told
}
