//! `index_repository`: index a directory, or bring its index up to date.

use std::{path::Path, sync::Arc, time::Duration};

use queries::Snapshot;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::{Report, VectorState, Workspace};

use crate::{
    machinery::{
        alias::{Alias, PLAIN},
        answer::Answer,
        error::ToolError,
        tool::{Ctx, Effect, Tool, Toolset},
        units::{bytes, count, duration},
        visible::visible_name,
    },
    parts::coverage::ALL_LEFT_OUT,
    tools::index_status::vectors_text,
};

pub(crate) struct IndexRepository;

#[derive(Deserialize, JsonSchema, Default)]
pub(crate) struct Params {
    /// Directory
    pub path: Option<String>,
    /// Name, 1-64 of [A-Za-z0-9_-]
    pub session: Option<String>,
    /// Globs
    pub include_patterns: Option<Vec<String>>,
    /// Globs, besides node_modules and caches; []: nothing at all
    pub exclude_patterns: Option<Vec<String>>,
    /// Characters per chunk, default 512
    #[schemars(range(min = 100, max = 2000))]
    pub chunk_size: Option<u32>,
    /// Default 64, less than chunk_size
    #[schemars(range(min = 0, max = 1999))]
    pub overlap: Option<u32>,
    /// Read every file again
    #[serde(default)]
    pub force: bool,
    /// Return at once
    #[serde(default)]
    pub background: bool,
}

/// Skipped files that the answer names.
const SKIPPED_SHOWN: usize = 20;

impl Tool for IndexRepository {
    const NAME: &'static str = "index_repository";
    const TITLE: &'static str = "Index a repository";
    const DOC: &'static str = "Index a directory or refresh its index. Other tools do this by themselves: use it for a named session, patterns, chunk sizes or a rebuild.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::WritesIndex;
    const EXAMPLE: &'static str = r#"{"session": "example"}"#;
    const CLI: Option<&'static str> = Some("index");
    const POSITIONAL: &'static [&'static str] = &["path"];
    const SCOPED: bool = false;
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("directory", "path"),
        ("workspace", "path"),
        ("name", "session"),
        ("include", "include_patterns"),
        ("exclude", "exclude_patterns"),
    ];
    const OTHER_NAMES: &'static [Alias] = &[
        Alias {
            name: "reindex",
            to: Self::NAME,
            fixed: &[("force", "true"), ("background", "true")],
            ..PLAIN
        },
        Alias {
            name: "index_codebase",
            to: Self::NAME,
            rename: &[("directory", "path"), ("force_reindex", "force")],
            ..PLAIN
        },
    ];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("session", "string"),
        ("root", "string"),
        ("files_indexed", "integer"),
        ("chunks_created", "integer"),
        ("unchanged", "integer"),
        ("skipped", "array"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let root = match &params.path {
            Some(path) if !Path::new(path).is_absolute() => {
                let error = ToolError::invalid(format!("`path` must be absolute, not `{path}`"));
                return Err(ToolError {
                    hint: "give the absolute path of the directory, or no `path` for the server's own root".into(),
                    ..error
                });
            }
            Some(path) => Path::new(path).to_owned(),
            None => ctx.workspaces.default_root()?,
        };
        let configure = |own: &mut config::OwnConfig| {
            own.chunk_size = params.chunk_size.or(own.chunk_size);
            own.overlap = params.overlap.or(own.overlap);
            own.include = params.include_patterns.clone().or(own.include.take());
            own.exclude = params.exclude_patterns.clone().or(own.exclude.take());
        };
        let workspace = ctx.workspaces.create(&root, params.session.as_deref(), configure)?;
        if params.background && workspace.is_server() {
            workspace.index_in_background(params.force)?;
            let session = workspace.session();
            let head = format!(
                "Indexing {} in the background as `{}`; index_status shows how far it is.",
                session.root.display(),
                session.name
            );
            return Ok(Answer::of(
                head,
                json!({ "session": session.name, "root": session.root, "background": true }),
            ));
        }
        index(ctx, &workspace, params.force)
    }
}

/// Brings a workspace up to date and reports.
pub(crate) fn index(ctx: &Ctx<'_>, workspace: &Arc<Workspace>, force: bool) -> Result<Answer, ToolError> {
    let patience = Duration::from_secs(ctx.workspaces.config().request_timeout_secs);
    let session = workspace.session();
    match workspace.index(force, &ctx.control, patience)? {
        Ok(report) => report_answer(workspace, &report),
        Err(progress) => {
            let total = progress.total.map_or("?".into(), count);
            let head = format!(
                "Still indexing `{}` after {}: {} of {total} files. It goes on in the background; index_status shows how far it is.",
                session.name,
                duration(patience),
                count(progress.done),
            );
            Ok(Answer::of(
                head,
                json!({ "session": session.name, "root": session.root, "background": true }),
            ))
        }
    }
}

fn report_answer(workspace: &Arc<Workspace>, report: &Report) -> Result<Answer, ToolError> {
    let session = workspace.session();
    let snapshot = Snapshot::new(workspace.committed()?);
    let stats = workspace.stats()?;
    let skipped = snapshot.skipped();
    let seconds = report.duration.as_secs_f64().max(1e-6);
    let per_second = (report.indexed as f64 / seconds) as u64;
    let mut head = format!(
        "Indexed {} as `{}` in {}\n- files: {} ({} indexed now, {} unchanged, {} removed, {} skipped)\n- chunks: {} ({} created now)\n- index size: {}",
        session.root.display(),
        session.name,
        duration(report.duration),
        count(stats.files as u64),
        count(report.indexed as u64),
        count(report.unchanged as u64),
        count(report.removed as u64),
        count(skipped.len() as u64),
        count(stats.chunks),
        count(report.chunks as u64),
        bytes(stats.index_bytes),
    );
    if report.indexed > 0 {
        head.push_str(&format!("\n- throughput: {} files/s", count(per_second)));
    }
    if snapshot.leaves_out_all() {
        head.push_str(&format!("\n- {ALL_LEFT_OUT}"));
    }
    let vectors = snapshot.vectors();
    if matches!(vectors, VectorState::Partial { .. }) {
        head.push_str(&format!("\n- {}", vectors_text(&vectors)));
    }
    if !skipped.is_empty() {
        head.push_str("\nSkipped:");
        for file in skipped.iter().take(SKIPPED_SHOWN) {
            head.push_str(&format!("\n- {}: {}", visible_name(&file.path), file.reason));
        }
        if skipped.len() > SKIPPED_SHOWN {
            head.push_str(&format!(
                "\n- and {} more; index_status lists them all",
                skipped.len() - SKIPPED_SHOWN
            ));
        }
    }
    let listed: Vec<_> = skipped
        .iter()
        .take(SKIPPED_SHOWN)
        .map(|file| json!({ "path": file.path, "reason": file.reason }))
        .collect();
    Ok(Answer::of(
        head,
        json!({
            "session": session.name,
            "root": session.root,
            "files_indexed": report.indexed,
            "chunks_created": report.chunks,
            "unchanged": report.unchanged,
            "removed": report.removed,
            "files": stats.files,
            "chunks": stats.chunks,
            "skipped": listed,
            "skipped_total": skipped.len(),
            "duration_ms": (seconds * 1e3).round(),
            "files_per_second": per_second,
            "index_bytes": stats.index_bytes,
            "generation": stats.generation,
        }),
    ))
}
