//! `index_status`: what is indexed, how fresh it is, what was left out and why.

use queries::Snapshot;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use workspace::{
    ChangeDetection, ExactState, FileSystem, IndexState, Session, Stats, VectorState, WalkReason, Workspace,
};

use crate::{
    machinery::{
        answer::{Answer, Row},
        error::ToolError,
        tool::{Ctx, Effect, Tool, Toolset},
        units::{bytes, count, first_few, plural, time},
        visible::visible_name,
    },
    parts::coverage::ALL_LEFT_OUT,
};

pub(crate) struct IndexStatus;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {}

impl Tool for IndexStatus {
    const NAME: &'static str = "index_status";
    const TITLE: &'static str = "Index status";
    const DOC: &'static str = "What is indexed and how fresh: counts, languages, progress, skipped files and why.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = "{}";
    const CLI: Option<&'static str> = Some("status");
    const POSITIONAL: &'static [&'static str] = &["workspace"];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("session", "string"),
        ("state", "string"),
        ("files", "integer"),
        ("chunks", "integer"),
        ("languages", "object"),
        ("vectors", "object"),
        ("skipped", "array"),
        ("sessions", "array"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, _params: Params) -> Result<Answer, ToolError> {
        let workspace = ctx.workspace()?;
        // Counts are brought up to date where that is quick; a first index is not started just for being asked about.
        let snapshot = match workspace.is_ready()? {
            true => Snapshot::new(workspace.snapshot(&ctx.control)?),
            false => Snapshot::new(workspace.committed()?),
        };
        let status = Status {
            stats: workspace.stats()?,
            vectors: snapshot.vectors(),
            exact: workspace.exact(),
            all_left_out: snapshot.leaves_out_all(),
            others: other_sessions(ctx, &workspace.session().name),
        };
        let (skipped, unparsed) = (snapshot.skipped(), snapshot.unparsed());
        let n_skipped = skipped.len();
        let not_looked_into = skipped.iter().chain(&unparsed);
        let rows = not_looked_into.enumerate().skip(ctx.paging.offset).map(|(at, file)| {
            let mut json = json!({ "path": file.path, "reason": file.reason });
            if at >= n_skipped {
                json["text_only"] = true.into();
            }
            Row {
                text: format!("- {}: {}", visible_name(&file.path), file.reason),
                json,
                body: None,
            }
        });
        let titles = [
            (0, "Skipped", n_skipped),
            (n_skipped, "Searched as text only", unparsed.len()),
        ];
        let titles = titles.into_iter().filter(|(.., files)| *files > 0);
        Ok(Answer {
            head: status.text(ctx, &workspace),
            key: "skipped",
            rows: rows.collect(),
            titles: titles
                .map(|(at, title, files)| (at, format!("{title} ({}):", plural(files, "file"))))
                .collect(),
            total: n_skipped + unparsed.len(),
            facts: status.facts(workspace.session()),
            ..Answer::default()
        })
    }
}

fn other_sessions(ctx: &Ctx<'_>, own: &str) -> Vec<String> {
    let sessions = ctx.workspaces.sessions().into_iter();
    let names = sessions.map(|session| session.name);
    names.filter(|name| name != own).collect()
}

/// What is known of one workspace, and what else there is.
struct Status {
    stats: Stats,
    vectors: VectorState,
    exact: Option<(&'static str, ExactState)>,
    all_left_out: bool,
    others: Vec<String>,
}

impl Status {
    fn text(&self, ctx: &Ctx<'_>, workspace: &Workspace) -> String {
        let session = workspace.session();
        let mut text = format!("{} ({}): ", session.name, session.root.display());
        text.push_str(&describe(&self.stats));
        if let Some(storage) = storage_text(&self.stats) {
            text.push_str(&format!("\n- {storage}"));
        }
        if self.all_left_out {
            text.push_str(&format!("\n- {ALL_LEFT_OUT}"));
        }
        if self.stats.state != IndexState::Empty {
            text.push_str(&format!("\n- {}", vectors_text(&self.vectors)));
        }
        if let Some((name, state)) = &self.exact {
            text.push_str(&format!("\n- {name}: {}", exact_text(state)));
        }
        if let Some(reason) = ctx.workspaces.temporary() {
            text.push_str(&format!("\n- temporary: {reason}; the index ends with this process"));
        }
        let refused = workspace.refused_settings();
        if !refused.is_empty() {
            let shown: Vec<&str> = refused.iter().take(SHOWN_REFUSED).map(String::as_str).collect();
            text.push_str(&format!(
                "\n- .portolan.toml: {} ignored; a repository can only leave files out, the rest is the user's to set",
                visible_name(&shown.join(", "))
            ));
        }
        let roots = ctx.workspaces.other_roots();
        if !roots.is_empty() {
            let roots: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
            let roots = visible_name(&roots.join(", "));
            text.push_str(&format!(
                "\nOther roots of the client: {roots}; asked about with `workspace`, or by an absolute path"
            ));
        }
        if !self.others.is_empty() {
            text.push_str(&format!("\nOther sessions: {}", self.others.join(", ")));
        }
        text
    }

    fn facts(&self, session: &Session) -> Map<String, Value> {
        let stats = &self.stats;
        let languages: Map<String, Value> = stats
            .languages
            .iter()
            .map(|(lang, files)| ((*lang).to_owned(), json!(files)))
            .collect();
        let mut answer = Answer::of(
            "",
            json!({
                "session": session.name,
                "root": session.root,
                "state": state_name(stats.state),
                "files": stats.files,
                "chunks": stats.chunks,
                "lines": stats.lines,
                "source_bytes": stats.source_bytes,
                "index_bytes": stats.index_bytes,
                "generation": stats.generation,
                "indexed_at": indexed_at(stats.generation, stats.committed_at),
                "freshness": freshness(stats),
                "change_detection": stats.change_detection.as_str(),
                "index_file_system": stats.index_file_system.name(),
                "languages": languages,
                "vectors": vectors_json(&self.vectors),
                "sessions": self.others,
            }),
        );
        if let Some((name, state)) = &self.exact {
            answer.fact("exact", exact_json(name, state));
        }
        if let IndexState::Indexing(progress) = stats.state {
            answer.fact("done", progress.done);
            answer.fact("to_do", json!(progress.total));
        }
        answer.facts
    }
}

fn describe(stats: &Stats) -> String {
    if stats.state == IndexState::Empty {
        return "not indexed yet; the first search does it, or index_repository.".to_owned();
    }
    let languages: Vec<String> = stats
        .languages
        .iter()
        .take(12)
        .map(|(lang, files)| format!("{lang} {}", count(*files as u64)))
        .collect();
    format!(
        "{}\n- {}, {}, {}, {} of source; index {}\n- generation {}, {}; {}\n- languages: {}",
        state_text(stats.state),
        plural(stats.files, "file"),
        plural(stats.chunks as usize, "chunk"),
        plural(stats.lines as usize, "line"),
        bytes(stats.source_bytes),
        bytes(stats.index_bytes),
        stats.generation,
        indexed_at(stats.generation, stats.committed_at)
            .map_or("nothing committed yet".to_owned(), |time| format!("committed {time}")),
        freshness(stats),
        languages.join(", ")
    )
}

/// When the index was last written; `None` while the first is being made.
/// When the last commit was made, if there is one.
pub(crate) fn indexed_at(generation: u64, committed_at: i64) -> Option<String> {
    (generation > 0).then(|| time(committed_at))
}

pub(crate) fn vectors_text(vectors: &VectorState) -> String {
    match vectors {
        VectorState::Off => "no vectors: search.model is none".to_owned(),
        VectorState::Failed(reason) => format!("no vectors: {reason}"),
        VectorState::Pending => "no vectors yet: another process is at work".to_owned(),
        VectorState::Partial {
            model,
            chunks,
            of,
            reason,
        } => {
            let why = match reason {
                Some(reason) => reason.clone(),
                None => format!("the others are being made by {model}"),
            };
            format!("vectors: {} of {} chunks; {why}", count(*chunks), count(*of))
        }
        VectorState::Ready { model, vectors, .. } => {
            format!("{} of {model}", plural(*vectors as usize, "vector"))
        }
    }
}

fn vectors_json(vectors: &VectorState) -> Value {
    match vectors {
        VectorState::Off => json!({ "state": "off" }),
        VectorState::Failed(reason) => json!({ "state": "failed", "reason": reason }),
        VectorState::Pending => json!({ "state": "pending" }),
        VectorState::Partial {
            model,
            chunks,
            of,
            reason,
        } => {
            let mut json = json!({ "state": "partial", "model": model, "chunks": chunks, "of": of });
            if let Some(reason) = reason {
                json["reason"] = reason.clone().into();
            }
            json
        }
        VectorState::Ready { model, chunks, vectors } => {
            json!({ "state": "ready", "model": model, "chunks": chunks, "vectors": vectors })
        }
    }
}

/// Dependencies that are named where they are missing.
const SHOWN_MISSING: usize = 8;
/// Settings that are named where they are refused.
const SHOWN_REFUSED: usize = 8;

pub(crate) fn exact_text(state: &ExactState) -> String {
    let loaded = match state {
        ExactState::Idle => return "not loaded; the first question about Rust does it".to_owned(),
        ExactState::Loading(doing) => return format!("loading: {doing}"),
        ExactState::Failed(reason) => return format!("not available: {reason}"),
        ExactState::Ready(loaded) => loaded,
    };
    let mut text = format!(
        "ready, {} of {} and {} of libraries, about {} of memory",
        plural(loaded.crates, "crate"),
        plural(loaded.files, "file"),
        count(loaded.library_files as u64),
        bytes(loaded.memory)
    );
    let standard = (!loaded.has_standard_library).then_some("the standard library");
    let missing: Vec<&str> = standard
        .into_iter()
        .chain(loaded.missing.iter().map(String::as_str))
        .collect();
    if !missing.is_empty() {
        text.push_str(&format!(
            "; sources not on this machine: {}",
            first_few(missing.iter().map(|name| visible_name(name)), SHOWN_MISSING)
        ));
    }
    for note in &loaded.notes {
        text.push_str(&format!("; {}", visible_name(note)));
    }
    text
}

fn exact_json(name: &str, state: &ExactState) -> Value {
    match state {
        ExactState::Idle => json!({ "engine": name, "state": "idle" }),
        ExactState::Loading(doing) => json!({ "engine": name, "state": "loading", "doing": doing }),
        ExactState::Failed(reason) => {
            json!({ "engine": name, "state": "failed", "reason": reason })
        }
        ExactState::Ready(loaded) => json!({
            "engine": name,
            "state": "ready",
            "crates": loaded.crates,
            "files": loaded.files,
            "library_files": loaded.library_files,
            "memory_bytes": loaded.memory,
            "missing": loaded.missing,
            "notes": loaded.notes,
            "standard_library": loaded.has_standard_library,
        }),
    }
}

/// How changes are noticed, for people.
pub(crate) fn freshness(stats: &Stats) -> String {
    match stats.change_detection {
        ChangeDetection::Events => "changes are watched".to_owned(),
        ChangeDetection::Walk(WalkReason::OneShot) => "every call looks at every file".to_owned(),
        ChangeDetection::Walk(reason) => format!("every call looks at every file: {reason}"),
    }
}

/// Where the index is, if not on a disk of this machine.
fn storage_text(stats: &Stats) -> Option<String> {
    match stats.index_file_system {
        FileSystem::Local => None,
        FileSystem::Shared { name } => Some(format!(
            "the index is on {name}, without SQLite's WAL: a commit waits for readers; PORTOLAN_HOME on a local disk is faster"
        )),
    }
}

pub(crate) fn state_name(state: IndexState) -> &'static str {
    match state {
        IndexState::Empty => "empty",
        IndexState::Indexing(_) => "indexing",
        IndexState::Interrupted => "interrupted",
        IndexState::Ready => "ready",
    }
}

pub(crate) fn state_text(state: IndexState) -> String {
    match state {
        IndexState::Empty => "Not indexed".to_owned(),
        IndexState::Indexing(progress) => match progress.total {
            Some(total) => format!("Indexing: {} of {} files", count(progress.done), count(total)),
            None => "Indexing: looking for files".to_owned(),
        },
        IndexState::Interrupted => "Incomplete: indexing was interrupted and goes on with the next call".to_owned(),
        IndexState::Ready => "Ready".to_owned(),
    }
}
