//! `find_definition`: where a name, or what is used at a place, is defined.

use queries::{Definition, Evidence, FilterSpec, Snapshot, SymbolQuery};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    machinery::{
        answer::{Answer, Row},
        error::{ErrorCode, ToolError},
        tool::{Ctx, Effect, Engine, GRAPH, Tool, Toolset},
        units::plural,
        visible::visible_name,
        within::Within,
    },
    parts::{
        definition::{self, symbol_name},
        subject::{self, Found, SymbolSelector, missing},
    },
};

pub(crate) struct FindDefinition;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[serde(flatten)]
    target: SymbolSelector,
}

/// Rows made for one page; more never fit the budget.
const MAX_ROWS: usize = 500;

impl Tool for FindDefinition {
    const NAME: &'static str = "find_definition";
    const TITLE: &'static str = "Find a definition";
    const DOC: &'static str = "Definitions of exactly this symbol, or of what is used at file and line.";
    const TOOLSET: Toolset = Toolset::Graph;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"symbol": "parse_query"}"#;
    const ENGINES: &'static [Engine] = GRAPH;
    const POSITIONAL: &'static [&'static str] = &["symbol", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = subject::ALIASES;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("definitions", "array"),
        ("total", "integer"),
        ("nearest", "array"),
        ("undefined", "array"),
        ("imported", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            definition::needs_symbols(snapshot)?;
            let target = &params.target;
            let placed = snapshot.graph(|graph| Ok::<_, ToolError>(target.placed(graph)))?;
            let target = placed.as_ref().unwrap_or(target);
            match (&target.file, target.line, &target.symbol) {
                (Some(file), Some(line), _) => at_place(ctx, snapshot, file, line, target),
                (Some(_), None, Some(_)) => in_file(snapshot, target),
                (None, None, Some(symbol)) if target.column.is_none() => by_name(ctx, snapshot, symbol),
                (None, None, None) => Err(missing("give `symbol`, or `file` and `line`")),
                (Some(_), None, None) => Err(missing("`line` is missing: where in the file is the name used?")),
                _ => Err(missing("`file` is missing: which file is the position in?")),
            }
        })
    }
}

/// What a file defines under a name, or means by it.
fn in_file(snapshot: &Snapshot, target: &SymbolSelector) -> Result<Answer, ToolError> {
    snapshot.graph(|graph| {
        let subject = match target.find(snapshot, graph, "definitions")? {
            Found::One(subject) => subject,
            Found::Other(answer) => return Ok(*answer),
        };
        let wanted = visible_name(target.symbol.as_deref().unwrap_or_default());
        let hits = std::iter::once(&subject.hit).chain(&subject.others);
        let rows: Vec<Row> = hits.map(|hit| definition::row(hit, Some(Evidence::Resolved))).collect();
        Ok(Answer {
            head: format!("{} of `{wanted}`", plural(rows.len(), "definition")),
            key: "definitions",
            definitions: &["definitions"],
            total: rows.len(),
            rows,
            narrower: "give `line` too".into(),
            ..Answer::default()
        })
    })
}

fn by_name(ctx: &Ctx<'_>, snapshot: &Snapshot, symbol: &str) -> Result<Answer, ToolError> {
    let name = symbol_name(symbol)?;
    let find = |filter: &FilterSpec| {
        let query = SymbolQuery {
            name: &name,
            exact: true,
            filter,
        };
        snapshot.find_symbols(&query, ctx.paging.offset, MAX_ROWS)
    };
    let mut found = find(&ctx.within.map(Within::filter).unwrap_or_default())?;
    let mut outside = "";
    if found.total == 0 && ctx.within.is_some() {
        found = find(&FilterSpec::default())?;
        outside = ", outside of it";
    }
    let wanted = visible_name(symbol);
    if found.total == 0 {
        let head = format!("No definition of `{wanted}`");
        return definition::none(snapshot, &name, &head, "definitions");
    }
    let rows = found
        .hits
        .iter()
        .map(|hit| definition::row(hit, Some(Evidence::Resolved)));
    Ok(Answer {
        head: format!("{} of `{wanted}`{outside}", plural(found.total, "definition")),
        key: "definitions",
        definitions: &["definitions"],
        rows: rows.collect(),
        total: found.total,
        narrower: "give a qualified name".into(),
        ..Answer::default()
    })
}

fn at_place(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    file: &str,
    line: u32,
    target: &SymbolSelector,
) -> Result<Answer, ToolError> {
    let name = target.symbol.as_deref().map(symbol_name).transpose()?;
    let name = name.as_ref().map(|name| name.name.as_str());
    let found = snapshot.definitions_at(file, line, target.column, name)?;
    if !found.is_parsed {
        definition::needs_parsed(snapshot, &found.path)?;
        let message = format!(
            "`{}` is not parsed, so no names are known in it",
            visible_name(&found.path)
        );
        let hint = "give `symbol` alone, or find the text with search_code or grep";
        return Err(ToolError::new(ErrorCode::NotFound, message, hint));
    }
    let mut place = format!("{}:{line}", visible_name(&found.path));
    if let Some(column) = target.column {
        place.push_str(&format!(":{column}"));
    }
    let asked = found.definitions.len() + found.undefined.len();
    if asked == 0 {
        let on_line: Vec<String> = found
            .on_line
            .iter()
            .map(|(name, column)| format!("{} (column {column})", visible_name(name)))
            .collect();
        let hint = match on_line.as_slice() {
            [] => "there is no name on that line: take another, or give `symbol` alone".to_owned(),
            names => format!("the names on that line are {}", names.join(", ")),
        };
        let message = match name {
            Some(name) => format!("`{name}` is not used at {place}"),
            None => format!("no name is used at {place}"),
        };
        return Err(ToolError::new(ErrorCode::InvalidParams, message, hint));
    }
    let mut head = match found.definitions.len() {
        0 => format!("No definition in this workspace for what is used at {place}"),
        n => format!("{} for what is used at {place}", plural(n, "definition")),
    };
    if !found.undefined.is_empty() {
        let names: Vec<String> = found
            .undefined
            .iter()
            .map(|name| {
                let from = found.imported.iter().find(|(imported, ..)| imported == name);
                let from = from.map(|(_, from, line)| format!(" (from `{}`, line {line})", visible_name(from)));
                format!("`{}`{}", visible_name(name), from.unwrap_or_default())
            })
            .collect();
        head.push_str(&format!("\nNot defined in this workspace: {}", names.join(", ")));
    }
    let row = |found: &Definition| definition::row(&found.hit, Some(found.evidence));
    let mut answer = Answer {
        head,
        key: "definitions",
        definitions: &["definitions"],
        total: found.definitions.len(),
        rows: found.definitions.iter().skip(ctx.paging.offset).map(row).collect(),
        narrower: "give a column".into(),
        ..Answer::default()
    };
    if !found.undefined.is_empty() {
        answer.fact("undefined", found.undefined);
    }
    if !found.imported.is_empty() {
        let imported = found.imported.iter();
        let imported = imported.map(|(name, from, line)| json!({ "name": name, "from": from, "line": line }));
        answer.fact("imported", imported.collect::<Vec<_>>());
    }
    Ok(answer)
}
