//! What `checkpoint`, `recall` and `plan` share: memories as rows, times as people give them, and memories as Markdown.

use std::fmt::Write;

use queries::{LinkState, Snapshot};
use serde_json::{Value, json};
use workspace::{Memories, Memory, MemoryFilter, MemoryLink};

use crate::machinery::{
    answer::{Answer, Body, Row},
    error::{ErrorCode, ToolError},
    tool::Ctx,
    toolbox::Toolbox,
    units::first_few,
    visible::visible_name,
};

pub(crate) const NO_HOME: &str = "set PORTOLAN_HOME to a directory that can be written to";

/// What it speaks of that is shown.
const MAX_LINKS: usize = 8;

/// `2026-01-31T10:00:00Z`.
pub(crate) fn time(ms: i64) -> String {
    let second = jiff::Timestamp::from_second(ms.div_euclid(1000));
    second.map_or_else(|_| ms.to_string(), |time| time.to_string())
}

/// Milliseconds since 1970 of what a caller means by a time: `2026-01-31`, `2026-01-31T10:00:00Z`, or how long ago:
/// `3h`, `2d`, `1w`. A day means its beginning, or its end.
pub(crate) fn parse_time(name: &str, text: &str, end_of_day: bool) -> Result<i64, ToolError> {
    let text = text.trim();
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Ok(time.as_millisecond());
    }
    if let Ok(date) = text.parse::<jiff::civil::Date>()
        && let Ok(start) = date.to_zoned(jiff::tz::TimeZone::UTC)
    {
        let day = if end_of_day { 86_400_000 } else { 0 };
        return Ok(start.timestamp().as_millisecond() + day);
    }
    let unit = text.chars().next_back().and_then(|unit| match unit {
        'm' => Some(60_000),
        'h' => Some(3_600_000),
        'd' => Some(86_400_000),
        'w' => Some(7 * 86_400_000),
        _ => None,
    });
    let number = text
        .get(..text.len().saturating_sub(1))
        .and_then(|number| number.parse::<i64>().ok());
    match (unit, number) {
        (Some(unit), Some(number)) if (0..100_000).contains(&number) => {
            Ok(jiff::Timestamp::now().as_millisecond() - unit * number)
        }
        _ => Err(ToolError {
            hint: "times are `2026-01-31`, `2026-01-31T10:00:00Z`, or how long ago: `3h`, `2d`, `1w`".into(),
            ..ToolError::invalid(format!("`{name}` is not a valid time: `{}`", visible_name(text)))
        }),
    }
}

/// Says that memories were damaged, as long as the file lies there.
pub(crate) fn damage(memories: &Memories) -> Option<String> {
    let damaged = memories.damaged();
    (!damaged.is_empty()).then(|| {
        let paths: Vec<String> = damaged.iter().map(|path| path.display().to_string()).collect();
        format!(
            "WARNING: a memory file could not be read and was moved aside, with all that was in it: {}. Repair it or take it away.",
            paths.join(", ")
        )
    })
}

/// Says that what is noted does not stay, where the home cannot be written to.
pub(crate) fn fleeting(ctx: &Ctx<'_>) -> Option<String> {
    let reason = ctx.workspaces.temporary()?;
    Some(format!(
        "WARNING: what is noted here is kept only until this process ends, and nothing earlier can be seen: {reason}."
    ))
}

/// Refuses to note what would be lost at once.
pub(crate) fn may_note(ctx: &Ctx<'_>) -> Result<(), ToolError> {
    let is_server = ctx.workspace()?.is_server();
    match ctx.workspaces.temporary().filter(|_| !is_server) {
        None => Ok(()),
        Some(reason) => Err(ToolError::new(
            ErrorCode::Config,
            format!("nothing would be kept: {reason}"),
            NO_HOME,
        )),
    }
}

/// Puts what is wrong with the memories into an answer.
pub(crate) fn warn(answer: &mut Answer, warnings: &[Option<String>]) {
    let warnings: Vec<&str> = warnings.iter().flatten().map(String::as_str).collect();
    if !warnings.is_empty() {
        let text = warnings.join("\n");
        answer.fact("warning", text.as_str());
        answer.tail = text;
    }
}

/// The text in its place: branch, commit, and what it speaks of.
pub(crate) fn noted(ctx: &Ctx<'_>, text: &str) -> Result<Memory, ToolError> {
    let workspace = ctx.workspace()?;
    let (branch, commit) = workspace.checked_out();
    let links = ctx.ask(|snapshot| Ok(snapshot.links_in(text)?))?;
    Ok(Memory {
        branch,
        commit,
        links,
        ..Memory::default()
    })
}

pub(crate) fn row(snapshot: &Snapshot, memory: &Memory, score: Option<f32>) -> Result<Row, ToolError> {
    let states = memory.links.iter().map(|link| snapshot.link_state(link));
    Ok(row_with(memory, &states.collect::<Result<Vec<_>, _>>()?, score))
}

/// With what it speaks of as it was noted.
pub(crate) fn row_as_noted(memory: &Memory) -> Row {
    let states = memory.links.iter().map(|link| LinkState::There(link.line));
    row_with(memory, &states.collect::<Vec<_>>(), None)
}

fn row_with(memory: &Memory, states: &[LinkState], score: Option<f32>) -> Row {
    let mut text = format!(
        "[{}] {} {}",
        visible_name(&memory.id),
        memory.kind,
        time(memory.created_ms)
    );
    if let Some(score) = score {
        let _ = write!(text, ", score {score:.2}");
    }
    text.push_str(&circumstances(memory));
    if !memory.title.is_empty() {
        let _ = write!(text, "\n{}", visible_name(&memory.title));
    }
    let mut links = Vec::new();
    let mut shown = Vec::new();
    for (link, state) in memory.links.iter().zip(states) {
        shown.push(link_text(link, state));
        links.push(link_json(link, state));
    }
    if !shown.is_empty() {
        let _ = write!(text, "\nabout: {}", first_few(shown.into_iter(), MAX_LINKS));
    }
    let mut json = json(memory, links);
    if let Some(score) = score {
        json["score"] = ((f64::from(score) * 1000.0).round() / 1000.0).into();
    }
    Row {
        text,
        json,
        body: Some(Body {
            field: "text",
            first_line: None,
            is_continued: false,
            numbered_in: None,
            lang: "markdown",
            text: memory.body.clone(),
        }),
    }
}

fn circumstances(memory: &Memory) -> String {
    let mut out = String::new();
    let commit = memory.commit.as_deref().map(|id| &id[..id.len().min(8)]);
    match (&memory.branch, commit) {
        (Some(branch), Some(commit)) => out = format!(", {}@{commit}", visible_name(branch)),
        (Some(branch), None) => out = format!(", {}", visible_name(branch)),
        (None, Some(commit)) => out = format!(", {commit}"),
        (None, None) => {}
    }
    if let Some(status) = &memory.status {
        let _ = write!(
            out,
            ", {status}{}",
            if memory.is_active { ", the active one" } else { "" }
        );
    }
    if !memory.tags.is_empty() {
        let _ = write!(out, ", #{}", visible_name(&memory.tags.join(" #")));
    }
    out
}

fn link_text(link: &MemoryLink, state: &LinkState) -> String {
    let name = match &link.symbol {
        Some(symbol) => format!("`{}` ", visible_name(symbol)),
        None => String::new(),
    };
    let path = visible_name(&link.path);
    match state {
        LinkState::There(_) if link.symbol.is_none() => format!("{name}{path}"),
        LinkState::There(line) => format!("{name}{path}:{line}"),
        LinkState::Moved(path, line) => format!("{name}{}:{line} (moved)", visible_name(path)),
        LinkState::Gone => format!("{name}{path} (gone)"),
    }
}

fn link_json(link: &MemoryLink, state: &LinkState) -> Value {
    let (path, line, word) = match state {
        LinkState::There(line) => (&link.path, *line, "there"),
        LinkState::Moved(path, line) => (path, *line, "moved"),
        LinkState::Gone => (&link.path, link.line, "gone"),
    };
    let mut json = json!({ "path": path, "line": line, "state": word });
    if let Some(symbol) = &link.symbol {
        json["symbol"] = symbol.as_str().into();
    }
    json
}

fn json(memory: &Memory, links: Vec<Value>) -> Value {
    let mut json = json!({
        "id": memory.id,
        "type": memory.kind,
        "created": time(memory.created_ms),
        "updated": time(memory.updated_ms),
        "tags": memory.tags,
        "links": links,
    });
    let mut add = |key: &str, value: &Option<String>| {
        if let Some(value) = value {
            json[key] = value.as_str().into();
        }
    };
    add("branch", &memory.branch);
    add("commit", &memory.commit);
    add("status", &memory.status);
    if memory.kind == "plan" {
        json["title"] = memory.title.as_str().into();
        json["active"] = memory.is_active.into();
    }
    json
}

/// What a record begins with, in Markdown.
const MARK: &str = "<!-- portolan-memory ";

/// Memories as one document, oldest first: a comment with what a reader need not see, then the text.
pub(crate) fn to_markdown(memories: &[Memory]) -> String {
    let mut out = "# Memories\n".to_owned();
    for memory in memories.iter().rev() {
        let links = memory
            .links
            .iter()
            .map(|link| json!([link.symbol, link.path, link.line]));
        let about = json!({
            "id": memory.id,
            "type": memory.kind,
            "created_ms": memory.created_ms,
            "updated_ms": memory.updated_ms,
            "title": memory.title,
            "tags": memory.tags,
            "branch": memory.branch,
            "commit": memory.commit,
            "status": memory.status,
            "active": memory.is_active,
            "links": links.collect::<Vec<_>>(),
        });
        // Nothing in the comment may end it.
        let about = about.to_string().replace("--", "-\\u002d");
        // One line: the text begins at the fifth.
        let heading = match memory.title.as_str() {
            "" => visible_name(&memory.kind),
            title => visible_name(title),
        };
        let body = memory.body.replace(MARK, &format!("\\{MARK}"));
        let _ = write!(
            out,
            "\n{MARK}{about} -->\n## {heading}\n\n{}{}\n\n{body}\n",
            time(memory.created_ms),
            circumstances(memory)
        );
    }
    out
}

/// The memories of such a document.
pub(crate) fn from_markdown(text: &str) -> Result<Vec<Memory>, ToolError> {
    let bad = |number: usize, reason: &str| ToolError {
        hint: "import what `portolan memory export` has written".into(),
        ..ToolError::invalid(format!("memory {number} of the document cannot be read: {reason}"))
    };
    let mut found = Vec::new();
    let mark = format!("\n{MARK}");
    let records = text.split(&mark).skip(1);
    for (number, record) in (1..).zip(records) {
        let (about, rest) = record
            .split_once(" -->\n")
            .ok_or_else(|| bad(number, "its comment has no end"))?;
        let about: Value = serde_json::from_str(about).map_err(|error| bad(number, &error.to_string()))?;
        // The heading and the circumstances are for people; they are in the comment too.
        let body = rest.splitn(5, '\n').nth(4).unwrap_or_default();
        let body = body.strip_suffix('\n').unwrap_or(body);
        let text = |key: &str| about[key].as_str().map(str::to_owned);
        let list = |key: &str| about[key].as_array().cloned().unwrap_or_default();
        let id = text("id")
            .filter(|id| !id.is_empty())
            .ok_or_else(|| bad(number, "it has no id"))?;
        found.push(Memory {
            id,
            kind: text("type").ok_or_else(|| bad(number, "it has no type"))?,
            created_ms: about["created_ms"].as_i64().unwrap_or_default(),
            updated_ms: about["updated_ms"].as_i64().unwrap_or_default(),
            title: text("title").unwrap_or_default(),
            body: body.replace(&format!("\\{MARK}"), MARK),
            tags: list("tags")
                .iter()
                .filter_map(|tag| tag.as_str().map(str::to_owned))
                .collect(),
            branch: text("branch"),
            commit: text("commit"),
            status: text("status"),
            is_active: about["active"].as_bool().unwrap_or_default(),
            links: list("links")
                .iter()
                .filter_map(|link| {
                    Some(MemoryLink {
                        symbol: link[0].as_str().map(str::to_owned),
                        path: link[1].as_str()?.to_owned(),
                        line: u32::try_from(link[2].as_u64()?).ok()?,
                    })
                })
                .collect(),
            vector: None,
        });
    }
    Ok(found)
}

impl Toolbox {
    /// All memories of a workspace as one Markdown document.
    pub fn export_memories(&self, workspace: Option<&str>) -> Result<String, String> {
        let export = || -> Result<String, ToolError> {
            let memories = self.workspaces.memories(workspace)?;
            Ok(to_markdown(&memories.list(&MemoryFilter::default())?))
        };
        export().map_err(|error| error.text())
    }

    /// Adds the memories of such a document; those that are there already are replaced. How many there are.
    pub fn import_memories(&self, workspace: Option<&str>, text: &str) -> Result<usize, String> {
        let import = || -> Result<usize, ToolError> {
            let found = from_markdown(text)?;
            let mut memories = self.workspaces.memories(workspace)?;
            if let Some(reason) = self.workspaces.temporary() {
                return Err(ToolError::new(
                    ErrorCode::Config,
                    format!("nothing would be kept: {reason}"),
                    NO_HOME,
                ));
            }
            let count = found.len();
            for memory in found {
                memories.put(memory)?;
            }
            Ok(count)
        };
        import().map_err(|error| error.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_holds_everything() {
        let memory = Memory {
            id: "1".into(),
            kind: "decision".into(),
            created_ms: 5,
            updated_ms: 6,
            title: String::new(),
            body: format!("# a\n{MARK}x -->\n\nlast\n"),
            tags: vec!["--> a".into(), "b".into()],
            branch: Some("main".into()),
            commit: Some("abc".into()),
            status: None,
            is_active: false,
            links: vec![MemoryLink {
                symbol: Some("f".into()),
                path: "a--b.rs".into(),
                line: 3,
            }],
            vector: None,
        };
        let plan = Memory {
            id: "2".into(),
            kind: "plan".into(),
            created_ms: 7,
            updated_ms: 7,
            title: "A\nplan".into(),
            status: Some("active".into()),
            is_active: true,
            ..Memory::default()
        };
        let text = to_markdown(&[plan.clone(), memory.clone()]);
        assert_eq!(from_markdown(&text).unwrap(), [memory, plan], "{text}");
        assert!(from_markdown(&text.replace("\"id\":\"2\"", "\"id\":")).is_err());
    }
}
