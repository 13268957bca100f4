//! `plan`: what is being worked on, kept from session to session. One plan can be the active one.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::{Memories, Memory, MemoryFilter};

use crate::{
    machinery::{
        answer::{Answer, PagingMode, Row},
        error::{ErrorCode, Hint, ToolError},
        tool::{Ctx, Effect, Engine, Tool, Toolset, yes},
        visible::visible_name,
    },
    parts::memory,
};

pub(crate) struct Plan;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    action: Action,
    #[schemars(length(min = 1, max = 200))]
    title: Option<String>,
    /// Default: the active plan
    #[schemars(length(min = 1, max = 100))]
    id: Option<String>,
    /// Markdown
    #[schemars(length(max = 50000))]
    content: Option<String>,
    /// To set, or to list
    status: Option<Status>,
    /// Make what is saved the active plan
    #[serde(default = "yes")]
    activate: bool,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Action {
    Save,
    Get,
    List,
    Activate,
    Update,
    Complete,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Status {
    Active,
    Completed,
    Archived,
}

impl Status {
    fn as_str(self) -> &'static str {
        match self {
            Status::Active => "active",
            Status::Completed => "completed",
            Status::Archived => "archived",
        }
    }
}

impl Tool for Plan {
    const NAME: &'static str = "plan";
    const TITLE: &'static str = "Plans";
    const DOC: &'static str =
        "Keep a working plan from session to session: save, get, list, activate, update or complete one.";
    const TOOLSET: Toolset = Toolset::Memory;
    const EFFECT: Effect = Effect::WritesMemory;
    const EXAMPLE: &'static str = r#"{"action": "save", "title": "Phrases", "content": "Read quotes."}"#;
    const POSITIONAL: &'static [&'static str] = &["action", "title", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[("plan_id", "id"), ("description", "content")];
    const VERBATIM: &'static [&'static str] = &["content"];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("plans", "array"),
        ("total", "integer"),
        ("warning", "string"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        if !matches!(params.action, Action::Get | Action::List) {
            memory::may_note(ctx)?;
        }
        let mut memories = ctx.workspace()?.memories()?;
        let (head, plans) = match params.action {
            Action::Save => save(ctx, &mut memories, &params)?,
            Action::List => {
                let mut plans = all(&memories)?;
                let status = params.status.map(Status::as_str);
                plans.retain(|plan| status.is_none_or(|status| plan.status.as_deref() == Some(status)));
                plans.sort_by_key(|plan| !plan.is_active);
                let head = match plans.len() {
                    0 => "No plans.".to_owned(),
                    1 => "1 plan".to_owned(),
                    n => format!("{n} plans"),
                };
                (head, plans)
            }
            Action::Get => ("Plan".to_owned(), vec![wanted(&memories, &params)?]),
            Action::Activate => {
                let plan = wanted(&memories, &params)?;
                let status = Some(Status::Active.as_str().to_owned());
                let plan = Memory {
                    is_active: true,
                    status,
                    ..plan
                };
                ("Activated".to_owned(), vec![memories.put(plan)?])
            }
            Action::Update | Action::Complete => change(ctx, &mut memories, &params)?,
        };
        let warnings = [memory::fleeting(ctx), memory::damage(&memories)];
        let answer = |rows: Vec<Row>| {
            let mut answer = Answer {
                mode: PagingMode::Body,
                head: head.clone(),
                key: "plans",
                rows,
                total: plans.len(),
                narrower: "a status".into(),
                engines: &[Engine::Memory],
                ..Answer::default()
            };
            memory::warn(&mut answer, &warnings);
            answer
        };
        let shown = plans.iter().skip(ctx.paging.offset);
        let shown: Vec<Memory> = match params.action {
            Action::Get => shown.cloned().collect(),
            _ => shown.map(brief).collect(),
        };
        let look = || {
            ctx.answer(|snapshot| {
                let rows = shown.iter().map(|plan| memory::row(snapshot, plan, None));
                Ok(answer(rows.collect::<Result<_, _>>()?))
            })
        };
        match params.action {
            Action::Get | Action::List => look(),
            // It is kept by now, whatever can be told of what it speaks of.
            _ => Ok(ctx
                .look_afterwards(look)
                .unwrap_or_else(|_| answer(shown.iter().map(memory::row_as_noted).collect()))),
        }
    }
}

/// Of a long plan its beginning: whoever wrote it knows it, and who does not asks for it.
fn brief(plan: &Memory) -> Memory {
    const SHOWN: usize = 6;
    const CHARS: usize = 400;
    let mut body: String = plan.body.lines().take(SHOWN).collect::<Vec<_>>().join("\n");
    if body.chars().count() > CHARS {
        body = body.chars().take(CHARS).collect();
    }
    if body.len() < plan.body.len() {
        let lines = plan.body.lines().count();
        body.push_str(&format!("\n[{lines} lines in all: action get, id {}]", plan.id));
    }
    Memory { body, ..plan.clone() }
}

fn all(memories: &Memories) -> Result<Vec<Memory>, ToolError> {
    let filter = MemoryFilter {
        kinds: vec!["plan".to_owned()],
        ..MemoryFilter::default()
    };
    Ok(memories.list(&filter)?)
}

/// The plan that a call is about: by id, by title, or the active one. An update may give the active one a new title.
fn wanted(memories: &Memories, params: &Params) -> Result<Memory, ToolError> {
    let plans = all(memories)?;
    let names = || plans.iter().map(|plan| plan.id.as_str());
    let is_title = |title: &&str| plans.iter().any(|plan| plan.title == *title);
    let by_title = params.title.as_deref();
    let by_title = by_title.filter(|title| params.action != Action::Update || is_title(title));
    let Some(asked) = params.id.as_deref().or(by_title) else {
        let hint = "give its id, or activate it; plan with action list shows all".to_owned();
        let active = plans.iter().find(|plan| plan.is_active).cloned();
        return active.ok_or_else(|| ToolError::new(ErrorCode::NotFound, "there is no active plan", hint));
    };
    let found = plans.iter().find(|plan| plan.id == asked || plan.title == asked);
    found.cloned().ok_or_else(|| {
        let nearest = source::nearest(asked, names()).map(visible_name);
        let hint = Hint::did_you_mean(nearest).unwrap_or_else(|| "plan with action list shows all".into());
        ToolError::new(
            ErrorCode::NotFound,
            format!("there is no plan `{}`", visible_name(asked)),
            hint,
        )
    })
}

fn save(ctx: &Ctx<'_>, memories: &mut Memories, params: &Params) -> Result<(String, Vec<Memory>), ToolError> {
    let Some(title) = params.title.as_deref().map(str::trim).filter(|title| !title.is_empty()) else {
        return Err(ToolError {
            hint: "give the plan a title".into(),
            ..ToolError::invalid("`title` is missing")
        });
    };
    let content = params.content.as_deref().unwrap_or_default().trim();
    let id = free_id(memories, params.id.as_deref().unwrap_or(title))?;
    let status = params.status.unwrap_or(Status::Active);
    let plan = Memory {
        id,
        kind: "plan".to_owned(),
        title: title.to_owned(),
        body: content.to_owned(),
        status: Some(status.as_str().to_owned()),
        is_active: params.activate && status == Status::Active,
        ..memory::noted(ctx, &format!("{title}\n{content}"))?
    };
    let plan = memories.put(plan)?;
    Ok(("Saved".to_owned(), vec![plan]))
}

/// An id from a title that no plan has.
fn free_id(memories: &Memories, title: &str) -> Result<String, ToolError> {
    let words = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let slug = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    let slug: String = slug.chars().take(60).collect();
    let slug = if slug.is_empty() { "plan".to_owned() } else { slug };
    let mut id = slug.clone();
    for number in 2.. {
        if memories.get(&id)?.is_none() {
            break;
        }
        id = format!("{slug}-{number}");
    }
    Ok(id)
}

fn change(ctx: &Ctx<'_>, memories: &mut Memories, params: &Params) -> Result<(String, Vec<Memory>), ToolError> {
    let plan = wanted(memories, params)?;
    let is_complete = params.action == Action::Complete;
    if !is_complete && params.content.is_none() && params.title.is_none() && params.status.is_none() {
        return Err(ToolError {
            hint: "give `content`, `title` or `status`".into(),
            ..ToolError::invalid("there is nothing to update")
        });
    }
    let status = if is_complete {
        Some(Status::Completed)
    } else {
        params.status
    };
    let title = params.title.clone().filter(|_| !is_complete).unwrap_or(plan.title);
    let body = params
        .content
        .as_deref()
        .map_or(plan.body, |content| content.trim().to_owned());
    let noted = memory::noted(ctx, &format!("{title}\n{body}"))?;
    let plan = Memory {
        status: status.map_or(plan.status, |status| Some(status.as_str().to_owned())),
        is_active: plan.is_active && status.is_none_or(|status| status == Status::Active),
        updated_ms: jiff::Timestamp::now().as_millisecond(),
        title,
        body,
        links: noted.links,
        ..plan
    };
    let head = if is_complete { "Completed" } else { "Updated" };
    Ok((head.to_owned(), vec![memories.put(plan)?]))
}
