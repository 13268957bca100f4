//! `find_references`: every use of a symbol, and how each is known.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::{
    CodeGraph, Error, Implementation, LIKELY, Mention, Role, Rule, Subject, SymbolKind, Use, UseOrigin, Uses,
};

use crate::{
    answer::{Answer, Body, Row},
    error::ToolError,
    impact,
    subject::{self, Meant, Target, origin_json, origin_text, rounded},
    tool::{Ctx, Effect, GRAPH, Tool, Toolset},
    units::plural,
    visible::{clip_line, visible_name},
};

pub(crate) struct FindReferences;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[serde(flatten)]
    target: Target,
    #[serde(default)]
    symbol_type: SymbolType,
    #[serde(default)]
    include_definition: bool,
    /// Comments, strings, documents
    #[serde(default = "yes")]
    include_text: bool,
    /// Rows below confidence 0.5 too
    #[serde(default)]
    include_unsure: bool,
    /// File to leave out
    defined_in: Option<String>,
    reference_kind: Option<ReferenceKind>,
    /// 2 by default; the line alone where there are many rows
    #[schemars(range(max = 10))]
    context_lines: Option<u32>,
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 200))]
    max_results: u32,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, Default, PartialEq)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum SymbolType {
    Function,
    Type,
    Variable,
    Constant,
    #[default]
    Any,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum ReferenceKind {
    Call,
    TypeUsage,
    Import,
    MemberAccess,
    VariableRef,
    Implementation,
}

impl ReferenceKind {
    fn role(self) -> Role {
        match self {
            ReferenceKind::Call => Role::Call,
            ReferenceKind::TypeUsage => Role::Type,
            ReferenceKind::Import => Role::Import,
            ReferenceKind::MemberAccess => Role::Member,
            ReferenceKind::VariableRef => Role::Variable,
            ReferenceKind::Implementation => Role::Implementation,
        }
    }
}

impl SymbolType {
    fn allows(self, kind: SymbolKind) -> bool {
        match self {
            SymbolType::Any => true,
            SymbolType::Function => kind.is_function(),
            SymbolType::Type => kind.is_type(),
            SymbolType::Variable => {
                matches!(kind, SymbolKind::Variable | SymbolKind::Field | SymbolKind::Property)
            }
            SymbolType::Constant => matches!(kind, SymbolKind::Constant | SymbolKind::Variant),
        }
    }
}

fn yes() -> bool {
    true
}

fn fifty() -> u32 {
    50
}

/// More rows than these are shown without context, unless it is asked for: to see all of them is worth more.
const FEW_ROWS: usize = 12;
/// Rows of comments and documents that are shown.
const MAX_MENTIONS: usize = 10;
/// Files that are named for who changes the symbol.
const MAX_FILES: usize = 40;
/// Uses that are less sure are counted, and this many of them shown.
const MAX_POSSIBLE: usize = 10;

impl Tool for FindReferences {
    const NAME: &'static str = "find_references";
    const TITLE: &'static str = "Find references";
    const DOC: &'static str = "Every use of a symbol (by file and line: of a local name too), resolved by the rules of its language, with role \
         and confidence; files to update.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const ENGINES: &'static [&'static str] = GRAPH;
    const CLI: Option<&'static str> = Some("refs");
    const POSITIONAL: &'static [&'static str] = &["symbol", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = subject::ALIASES;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("references", "array"),
        ("total", "integer"),
        ("symbol", "object"),
        ("files", "array"),
        ("possible", "array"),
        ("mentions", "array"),
        ("summary", "object"),
        ("candidates", "array"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            snapshot.graph(|graph| match params.target.meant(snapshot, graph, "references")? {
                Meant::Symbol(subject) => references(ctx, graph, &subject, &graph.uses(&subject), &params),
                Meant::Local(local) => references(ctx, graph, &local.subject, &graph.local_uses(&local)?, &params),
                Meant::Other(answer) => Ok(answer),
            })
        })
    }
}

fn references(
    ctx: &Ctx<'_>,
    graph: &CodeGraph<'_>,
    subject: &Subject,
    uses: &Uses,
    params: &Params,
) -> Result<Answer, ToolError> {
    if !params.symbol_type.allows(subject.hit.kind) {
        let kind = subject.hit.kind.as_str();
        return Err(ToolError {
            hint: "leave symbol_type out, or ask for another symbol".into(),
            ..ToolError::invalid(format!("`{}` is a {kind}", visible_name(&subject.hit.qualified_name)))
        });
    }
    let left_out = match &params.defined_in {
        Some(file) => Some(graph.file_at(file)?),
        None => None,
    };
    let wanted =
        |used: &&Use| left_out != Some(used.file) && params.reference_kind.is_none_or(|kind| kind.role() == used.role);
    // What is given by its name is not written there as a use of it.
    let is_given = |used: &&Use| used.origin == UseOrigin::Resolved(Rule::Injected);
    let given: Vec<&Use> = uses.uses.iter().filter(wanted).filter(is_given).collect();
    let (mut sure, possible): (Vec<&Use>, Vec<&Use>) = uses
        .uses
        .iter()
        .filter(|used| wanted(used) && !is_given(used))
        .partition(|used| (used.confidence >= LIKELY || params.include_unsure) && used.origin != UseOrigin::Dispatch);
    // High before medium before low, each in the order of the files.
    sure.sort_by_key(|used| (used.confidence < HIGH, used.confidence < LIKELY));
    let mut rows = Vec::new();
    let total = sure.len() + usize::from(params.include_definition);
    let offset = ctx.paging.offset;
    if params.include_definition && offset == 0 {
        rows.push(definition_row(subject));
    }
    let skipped = offset.saturating_sub(usize::from(params.include_definition));
    let context = params.context_lines.unwrap_or(if total > FEW_ROWS { 0 } else { 2 });
    for used in sure.iter().skip(skipped).take(params.max_results as usize - rows.len()) {
        rows.push(row(graph, used, context)?);
    }
    let mut files: Vec<&str> = sure.iter().map(|used| graph.path(used.file)).collect();
    files.sort_unstable();
    files.dedup();
    let high = sure.iter().filter(|used| used.confidence >= HIGH).count();
    let low = sure.iter().filter(|used| used.confidence < LIKELY).count();
    let low_text = if low > 0 { format!(", {low} low") } else { String::new() };
    let is_local = subject.ids.is_empty();
    let mut head = subject::heading(subject);
    head.push_str(&match (sure.len(), possible.len()) {
        (0, 0) if !given.is_empty() => "\nNothing in this workspace names it but those that it is given to".to_owned(),
        (0, 0) if !uses.uses.is_empty() => format!(
            "\nNo such reference; {} that the filter leaves out",
            plural(uses.uses.len(), "use")
        ),
        (0, 0) if subject::is_operator(&subject.hit) => format!("\n{}", capitalised(subject::AS_OPERATOR)),
        (0, 0) if is_local => "\nNothing uses it".to_owned(),
        (0, 0) => "\nNothing in this workspace uses it".to_owned(),
        (0, _) => "\nNo reference is sure".to_owned(),
        (count, _) => format!(
            "\n{} in {} ({high} high, {} medium{low_text} confidence)",
            plural(count, "reference"),
            plural(files.len(), "file"),
            count - high - low,
        ),
    });
    let mut answer = Answer {
        head,
        key: "references",
        rows,
        total,
        narrower: "narrow with reference_kind or raise max_results",
        ..Answer::default()
    };
    answer.fact("symbol", subject::json_of(subject));
    // What is known of all of them was said on the first page.
    if offset > 0 {
        return Ok(answer);
    }
    // A change goes on where it is declared as well, and where others stand in for it.
    let mut also: Vec<&str> = vec![&subject.hit.path];
    also.extend(given.iter().map(|used| graph.path(used.file)));
    also.extend(subject.others.iter().map(|other| other.path.as_str()));
    if !subject.hit.kind.is_type() {
        let standing_in = graph.implementations(subject);
        also.extend(standing_in.iter().map(|one| graph.path(one.symbol.file)));
    }
    also.sort_unstable();
    also.dedup();
    also.retain(|path| !files.contains(path));
    if !files.is_empty() || also != [subject.hit.path.as_str()] {
        files.extend(also);
    }
    let listed = files.iter().take(ctx.share(MAX_FILES)).map(|path| Value::from(*path));
    answer.fact("files", listed.collect::<Vec<Value>>());
    answer.fact("files_total", files.len());
    tail(
        ctx,
        graph,
        &mut answer,
        subject,
        params,
        uses,
        (&possible, &given),
        &files,
    )?;
    Ok(answer)
}

fn capitalised(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}

/// From here on a row counts as sure.
const HIGH: f32 = 0.8;

/// What is known besides the references: who may mean it too, where it is only mentioned, what a change reaches.
#[expect(clippy::too_many_arguments, reason = "what one answer is made of")]
fn tail(
    ctx: &Ctx<'_>,
    graph: &CodeGraph<'_>,
    answer: &mut Answer,
    subject: &Subject,
    params: &Params,
    uses: &Uses,
    (possible, given): (&[&Use], &[&Use]),
    files: &[&str],
) -> Result<(), ToolError> {
    let mut tail = Vec::new();
    if !given.is_empty() {
        let place = |used: &&Use| json!({"path": graph.path(used.file), "line": graph.line(used.file, used.at)});
        let shown: Vec<Value> = given.iter().take(ctx.share(MAX_POSSIBLE)).map(place).collect();
        tail.push(format!(
            "Given by its name to {}: {}",
            plural(given.len(), "parameter"),
            places(ctx, graph, given)
        ));
        answer.fact("given_to", shown);
        answer.fact("given_to_total", given.len());
    }
    let dispatched = possible
        .iter()
        .filter(|used| used.origin == UseOrigin::Dispatch)
        .count();
    if dispatched > 0 {
        tail.push(format!(
            "{} of what it overrides may reach it; ask for references of that.",
            plural(dispatched, "use")
        ));
    }
    let by_name: Vec<&Use> = possible
        .iter()
        .filter(|used| used.origin != UseOrigin::Dispatch)
        .copied()
        .collect();
    if !by_name.is_empty() {
        let shown = by_name.iter().take(ctx.share(MAX_POSSIBLE)).map(|used| {
            let mut json = json!({
                "path": graph.path(used.file),
                "line": graph.line(used.file, used.at),
                "kind": used.role.as_str(),
            });
            origin_json(&mut json, used.origin, used.confidence);
            json
        });
        let shown: Vec<Value> = shown.collect();
        tail.push(format!(
            "{} of that name below confidence 0.5, where the receiver's type or the overload is not known: {}{}",
            plural(by_name.len(), "further use"),
            places(ctx, graph, &by_name),
            if by_name.len() > ctx.share(5) {
                "; include_unsure lists them"
            } else {
                ""
            }
        ));
        answer.fact("possible", shown);
        answer.fact("possible_total", by_name.len());
    }
    if uses.unseen > 0 {
        tail.push(format!(
            "Not looked at: {} with that common name in which its type is not named.",
            plural(uses.unseen, "file")
        ));
        answer.fact("unseen_files", uses.unseen);
    }
    let of_one = |one: &Implementation| uses.of_others.get(&one.symbol).copied().unwrap_or(0);
    let through: usize = graph.implementations(subject).iter().map(of_one).sum();
    if through > 0 {
        tail.push(impact::through_text(through));
        answer.fact("through_implementations", through);
    }
    if uses.others > through {
        tail.push(format!(
            "Uses of the name that mean something else: {}",
            uses.others - through
        ));
    }
    let is_local = subject.ids.is_empty();
    if params.include_text && params.reference_kind.is_none() && !is_local {
        match graph.mentions(subject)? {
            Some(mentions) if !mentions.is_empty() => tail.push(text_mentions(ctx, answer, &mentions)),
            Some(_) => {}
            None => tail.push("The name is too common to look for it in comments and documents.".to_owned()),
        }
    }
    if !is_local {
        let summary = impact::summary(graph, subject, uses);
        tail.push(summary.text());
        answer.fact("summary", summary.json());
    }
    if !files.is_empty() && (!is_local || files != [subject.hit.path.as_str()]) {
        let shown: Vec<String> = files
            .iter()
            .take(ctx.share(MAX_FILES))
            .map(|path| visible_name(path))
            .collect();
        let more = files.len() - shown.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        tail.push(format!("Files to update: {}{more}", shown.join(", ")));
    }
    answer.tail = tail.join("\n");
    answer.says_age = true;
    Ok(())
}

/// The first of some places.
fn places(ctx: &Ctx<'_>, graph: &CodeGraph<'_>, uses: &[&Use]) -> String {
    let place = |used: &&Use| {
        let line = graph.line(used.file, used.at);
        format!("{}:{line}", visible_name(graph.path(used.file)))
    };
    let shown: Vec<String> = uses.iter().take(ctx.share(5)).map(place).collect();
    let more = if uses.len() > shown.len() { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn text_mentions(ctx: &Ctx<'_>, answer: &mut Answer, mentions: &[Mention]) -> String {
    let mut by_file: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for mention in mentions {
        by_file.entry(&mention.path).or_default().push(mention.line);
    }
    let shown: Vec<String> = by_file
        .iter()
        .take(ctx.share(10))
        .map(|(path, lines)| {
            let more = if lines.len() > 5 { ",..." } else { "" };
            let lines: Vec<String> = lines.iter().take(5).map(u32::to_string).collect();
            format!("{}:{}{more}", visible_name(path), lines.join(","))
        })
        .collect();
    let rows: Vec<Value> = mentions
        .iter()
        .take(ctx.share(MAX_MENTIONS))
        .map(|mention| {
            json!({
                "path": mention.path,
                "line": mention.line,
                "column": mention.column,
                "role": mention.place.as_str(),
                "origin": if mention.place.is_exact() { "exact" } else { "text" },
                "confidence": rounded(mention.confidence),
            })
        })
        .collect();
    answer.fact("mentions", rows);
    answer.fact("mentions_total", mentions.len());
    let more = by_file.len() - shown.len();
    let more = if more > 0 {
        format!(" and {more} more files")
    } else {
        String::new()
    };
    format!(
        "Also in text (comments, strings, documents; low confidence), {}: {}{more}",
        plural(mentions.len(), "place"),
        shown.join("; ")
    )
}

fn definition_row(subject: &Subject) -> Row {
    let hit = &subject.hit;
    Row {
        text: format!("{}:{}:{} definition", visible_name(&hit.path), hit.line, hit.column),
        json: json!({
            "path": hit.path,
            "line": hit.line,
            "column": hit.column,
            "role": "definition",
            "origin": "resolved",
            "confidence": 1.0,
        }),
        body: None,
    }
}

fn row(graph: &CodeGraph<'_>, used: &Use, context: u32) -> Result<Row, Error> {
    let hit = graph.use_hit(used)?;
    let mut json = json!({
        "path": hit.path,
        "line": hit.line,
        "column": hit.column,
        "role": hit.role_text,
        "kind": hit.role.as_str(),
    });
    if let Some((name, ..)) = &hit.enclosing {
        json["enclosing"] = name.clone().into();
    }
    if hit.is_test {
        json["test"] = true.into();
    }
    origin_json(&mut json, used.origin, used.confidence);
    let (first, lines) = graph.lines_around(used.file, hit.line, context)?;
    let mut text = format!(
        "{}:{}:{} {} [{}]",
        visible_name(&hit.path),
        hit.line,
        hit.column,
        visible_name(&hit.role_text),
        origin_text(used.origin, used.confidence)
    );
    let body = match context {
        0 => {
            let line = lines.first().map_or("", |line| line.trim_end());
            let indent = line.len() - line.trim_start().len();
            let line = clip_line(line.trim_start(), (hit.column as usize).saturating_sub(1 + indent));
            // Columns of declarations are of no use in a list.
            let line = line
                .split('\t')
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ");
            text.push_str(&format!("\n  {}", visible_name(&line)));
            json["text"] = line.into();
            None
        }
        _ => Some(Body {
            field: "context",
            is_numbered: true,
            lang: graph.source(used.file)?.lang.name,
            text: (first..)
                .zip(&lines)
                .map(|(number, line)| {
                    let at = if number == hit.line { hit.column as usize - 1 } else { 0 };
                    format!("{number}: {}", clip_line(line, at))
                })
                .collect::<Vec<_>>()
                .join("\n"),
        }),
    };
    Ok(Row { text, json, body })
}
