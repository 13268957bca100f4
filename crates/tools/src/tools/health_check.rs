//! `health_check`: does each part work, and how fast.

use std::time::Instant;

use queries::{FilterSpec, Snapshot, parse_query};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::{ExactState, IndexState, VectorState};

use crate::{
    machinery::{
        answer::Answer,
        error::ToolError,
        tool::{Ctx, Effect, Tool, Toolset},
        units::count,
        visible::visible_name,
    },
    tools::index_status::{exact_text, freshness, state_text, vectors_text},
};

pub(crate) struct HealthCheck;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {}

/// One part of the system.
struct Part {
    name: &'static str,
    status: Status,
    message: String,
    latency_ms: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Healthy,
    Degraded,
    Unhealthy,
    /// Not part of this build, or switched off; says nothing about health.
    Absent,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Status::Healthy => "healthy",
            Status::Degraded => "degraded",
            Status::Unhealthy => "unhealthy",
            Status::Absent => "absent",
        }
    }
}

impl Tool for HealthCheck {
    const NAME: &'static str = "health_check";
    const TITLE: &'static str = "Health check";
    const DOC: &'static str = "Whether the text index, vectors, change tracking and graph work, with latencies.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = "{}";
    const CLI: Option<&'static str> = Some("health");
    const POSITIONAL: &'static [&'static str] = &["workspace"];
    const PAGED: bool = false;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[("overall", "string"), ("parts", "object")];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, _params: Params) -> Result<Answer, ToolError> {
        let mut parts = vec![text_index(ctx), change_tracking(ctx), vector_index(ctx), graph(ctx)];
        parts.extend(exact(ctx));
        parts.extend(undone(ctx));
        let worst = |status| parts.iter().any(|part| part.status == status);
        let overall = match (worst(Status::Unhealthy), worst(Status::Degraded)) {
            (true, _) => Status::Unhealthy,
            (_, true) => Status::Degraded,
            _ => Status::Healthy,
        };
        let mut head = format!("System status: {}", overall.name().to_uppercase());
        let mut json = serde_json::Map::new();
        for part in &parts {
            let latency = part.latency_ms.map(|ms| format!(" ({ms:.1} ms)")).unwrap_or_default();
            head.push_str(&format!(
                "\n- {}: {}, {}{latency}",
                part.name,
                part.status.name(),
                part.message
            ));
            let mut fields = json!({ "status": part.status.name(), "message": part.message });
            if let Some(ms) = part.latency_ms {
                fields["latency_ms"] = json!((ms * 10.0).round() / 10.0);
            }
            json.insert(part.name.to_owned(), fields);
        }
        Ok(Answer::of(
            head,
            json!({ "overall": overall.name(), "parts": Value::Object(json) }),
        ))
    }
}

fn timed(name: &'static str, check: impl FnOnce() -> Result<(Status, String), ToolError>) -> Part {
    let started = Instant::now();
    let (status, message) = check().unwrap_or_else(|error| (Status::Unhealthy, error.message));
    Part {
        name,
        status,
        message,
        latency_ms: Some(started.elapsed().as_secs_f64() * 1e3),
    }
}

fn text_index(ctx: &Ctx<'_>) -> Part {
    timed("text_index", || {
        let workspace = ctx.workspace()?;
        if workspace.mend()? {
            let message = "it was damaged and thrown away; the next search makes it anew";
            return Ok((Status::Degraded, message.to_owned()));
        }
        let snapshot = Snapshot::new(workspace.committed()?);
        // A real query reads the dictionary, postings, catalog and a file.
        if let Ok(Some(query)) = parse_query("the OR return OR import") {
            snapshot
                .search(&query, &FilterSpec::default(), 0, 1, 0)
                .or_else(|error| match error {
                    workspace::Error::Stale => Ok(queries::SearchHits {
                        hits: Vec::new(),
                        total: 0,
                        relaxed: false,
                    }),
                    error => Err(error),
                })?;
        }
        if let Some(reason) = ctx.workspaces.temporary() {
            return Ok((Status::Degraded, format!("{reason}; the index ends with this process")));
        }
        let stats = workspace.stats()?;
        Ok(match stats.state {
            IndexState::Ready => (
                Status::Healthy,
                format!("{} chunks of {} files", count(stats.chunks), count(stats.files as u64)),
            ),
            IndexState::Empty => (
                Status::Degraded,
                "nothing is indexed yet; the first search does it".to_owned(),
            ),
            state => (Status::Degraded, state_text(state)),
        })
    })
}

/// A rename that was cut off before this process came.
fn undone(ctx: &Ctx<'_>) -> Option<Part> {
    let workspace = ctx.workspace().ok()?;
    let undone = workspace.undone()?;
    Some(Part {
        name: "rename",
        status: match undone.others.is_empty() && undone.failed.is_empty() {
            true => Status::Healthy,
            false => Status::Degraded,
        },
        message: visible_name(&undone.text()),
        latency_ms: None,
    })
}

fn graph(ctx: &Ctx<'_>) -> Part {
    timed("graph", || {
        let snapshot = Snapshot::new(ctx.workspace()?.committed()?);
        if !snapshot.session().config.symbols {
            return Ok((Status::Absent, "indexing.symbols is false".to_owned()));
        }
        // What every question about the graph begins with.
        snapshot.graph(|_| Ok::<_, ToolError>(()))?;
        Ok((Status::Healthy, "names are resolved when asked for".to_owned()))
    })
}

/// Only where there is something that could be well or not.
fn exact(ctx: &Ctx<'_>) -> Option<Part> {
    let (_, state) = ctx.workspace().ok()?.exact()?;
    let status = match state {
        ExactState::Failed(_) => Status::Degraded,
        _ => Status::Healthy,
    };
    Some(timed("exact", || Ok((status, exact_text(&state)))))
}

fn vector_index(ctx: &Ctx<'_>) -> Part {
    timed("vector_index", || {
        let workspace = ctx.workspace()?;
        let snapshot = Snapshot::new(workspace.committed()?);
        Ok(match snapshot.vectors() {
            VectorState::Partial { .. } | VectorState::Ready { .. } if workspace.has_lost_vectors() => (
                Status::Degraded,
                "a file of vectors was missing or damaged; the next search makes it anew".to_owned(),
            ),
            VectorState::Ready { .. } if workspace.stats()?.state == IndexState::Empty => (
                Status::Degraded,
                "no vectors yet; the first search makes them".to_owned(),
            ),
            VectorState::Off => (
                Status::Absent,
                "search.model is none; keywords answer every search".to_owned(),
            ),
            VectorState::Failed(reason) => (Status::Degraded, format!("{reason}; keywords answer every search")),
            VectorState::Pending => (
                Status::Degraded,
                "another process is at work; keywords answer until that is done".to_owned(),
            ),
            state @ VectorState::Partial { .. } => (Status::Degraded, vectors_text(&state)),
            state @ VectorState::Ready { .. } => match snapshot.verify_model() {
                Ok(()) => (Status::Healthy, vectors_text(&state)),
                Err(reason) => (Status::Degraded, format!("{reason}; keywords answer every search")),
            },
        })
    })
}

fn change_tracking(ctx: &Ctx<'_>) -> Part {
    timed("change_tracking", || {
        let workspace = ctx.workspace()?;
        let stats = workspace.stats()?;
        if !workspace.session().root.is_dir() {
            return Ok((Status::Unhealthy, "the directory is gone".to_owned()));
        }
        Ok((Status::Healthy, freshness(&stats)))
    })
}
