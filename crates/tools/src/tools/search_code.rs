//! `search_code`: the places that a query is about, or every line of an exact text.

mod places;

use std::collections::BTreeSet;

use queries::{
    Expr, Field, FilterSpec, Leaf, Likeness, LiteralLine, Snapshot, SymbolHit, SymbolName, SymbolQuery, Versions,
    check_query, parse_query,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::{NoVector, QueryProblem};

use crate::{
    machinery::{
        alias::{Alias, PLAIN},
        answer::{Answer, Row},
        error::ToolError,
        tokens,
        tool::{Ctx, Effect, Engine, Tool, Toolset},
        units::{count, plural, rounded},
        visible::{clip_around, clip_line, visible_name},
    },
    parts::{
        chunk, definition,
        filter::{language, looked_at, no_files, of_paths},
    },
};

pub(crate) struct SearchCode;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// Words, "phrases", AND/OR/NOT, (groups), path: lang: symbol: kind:
    #[schemars(length(min = 1, max = 20000))]
    query: String,
    /// auto: a name's definitions first
    #[serde(default)]
    mode: Mode,
    /// Exact substring; no hit is missed
    #[serde(default)]
    literal: bool,
    /// Files, by default 10; lines with literal, by default 50
    #[schemars(range(min = 1, max = 100))]
    k: Option<u32>,
    language: Option<String>,
    /// Globs or directories
    path: Option<Vec<String>>,
    /// Globs
    exclude: Option<Vec<String>>,
    #[serde(default)]
    exclude_tests: bool,
    #[serde(default)]
    #[schemars(range(min = 0, max = 50))]
    context_lines: u32,
    /// List what each result was ranked by
    #[serde(default)]
    explain: bool,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Mode {
    #[default]
    Auto,
    Hybrid,
    Keyword,
    Semantic,
    Definitions,
}

/// The documents that profiles are made after allow so many characters.
const MAX_QUERY_OF_SEEDS: usize = 500;

/// Results where nobody says how many.
const FILES: u32 = 10;
const LITERAL_LINES: u32 = 50;

impl Params {
    fn n_files(&self) -> u32 {
        self.k.unwrap_or(FILES)
    }
}

impl Tool for SearchCode {
    const NAME: &'static str = "search_code";
    const TITLE: &'static str = "Search code";
    const DOC: &'static str = "Where something is: the functions and sections that a question, an issue, a name or an exact string is about, with line numbers and code. Use first, instead of grep; code needs no escaping.";
    const GUIDE: Option<&'static str> = Some(include_str!("search_code/guide.md").trim_ascii_end());
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"query": "parse a query"}"#;
    const ALWAYS_LOADED: bool = true;
    const CLI: Option<&'static str> = Some("search");
    const DEFAULT_TOKENS: u64 = 2000;
    const POSITIONAL: &'static [&'static str] = &["query", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("keyword", "query"),
        ("pattern", "query"),
        ("q", "query"),
        ("text", "query"),
        ("limit", "k"),
        ("max_results", "k"),
        ("exact", "literal"),
        ("lang", "language"),
        ("include", "path"),
        ("file_pattern", "path"),
        ("paths", "path"),
        ("file", "path"),
        ("file_path", "path"),
        ("glob", "path"),
    ];
    const VERBATIM: &'static [&'static str] = &["query"];
    const OTHER_NAMES: &'static [Alias] = &[
        Alias {
            name: "search",
            to: Self::NAME,
            when: Some("keyword"),
            rename: &[("keyword", "query"), ("limit", "k")],
            fixed: &[("mode", "hybrid")],
            ..PLAIN
        },
        Alias {
            name: "search",
            to: Self::NAME,
            rename: &[("limit", "k")],
            fixed: &[("mode", "semantic")],
            ..PLAIN
        },
        Alias {
            name: "fast_search",
            to: Self::NAME,
            rename: &[("search_target", "mode"), ("file_pattern", "path"), ("limit", "k")],
            values: &[("mode", "content", "auto")],
            ..PLAIN
        },
    ];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("results", "array"),
        ("total", "integer"),
        ("definitions", "array"),
        ("definitions_total", "integer"),
        ("note", "string"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn instead_of(parameter: &str) -> Option<&'static str> {
        match parameter {
            "include_tests" => Some("exclude_tests: true leaves tests out"),
            "regex" | "regexp" | "is_regex" => Some("grep takes regular expressions"),
            _ => None,
        }
    }

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        if params.query.trim().is_empty() && !params.literal {
            return Err(ToolError {
                hint: "give a non-empty `query`".into(),
                ..ToolError::invalid("`query` is empty")
            });
        }
        let length = params.query.chars().count();
        if ctx.profile.is_some() && length > MAX_QUERY_OF_SEEDS {
            return Err(ToolError::invalid(format!(
                "the query has {length} characters, at most {MAX_QUERY_OF_SEEDS} are allowed"
            )));
        }
        ctx.answer(|snapshot| {
            let filter = filter(snapshot, &params)?;
            if params.literal {
                return literal(ctx, snapshot, &params, &filter, None);
            }
            let query = params.query.as_str();
            if ctx.profile.is_some_and(|profile| profile.checks_queries) {
                check_query(query).map_err(|error| workspace::Error::Query(QueryProblem::from(error)))?;
            }
            if params.mode != Mode::Keyword && params.mode != Mode::Definitions && is_prose(query) {
                return ranked(ctx, snapshot, &params, &filter, None);
            }
            let expr = parse_query(query).map_err(|error| workspace::Error::Query(QueryProblem::from(error)))?;
            match expr.filter(has_words) {
                Some(expr) if params.mode == Mode::Definitions => definitions(ctx, snapshot, &params, &filter, &expr),
                Some(expr) if params.mode != Mode::Keyword && is_plain(snapshot, &params.query, &expr) => {
                    ranked(ctx, snapshot, &params, &filter, Some(&expr))
                }
                Some(expr) => keyword(ctx, snapshot, &params, &filter, &expr),
                // Nothing but punctuation: the text itself is what can be found.
                None => literal(
                    ctx,
                    snapshot,
                    &params,
                    &filter,
                    Some("no words in the query, so it is taken literally"),
                ),
            }
        })
    }
}

fn has_words(expr: &Expr) -> bool {
    match expr {
        Expr::Leaf(leaf) => leaf.field != Field::Content || !leaf.words().is_empty(),
        Expr::Not(item) => has_words(item),
        Expr::And(items) | Expr::Or(items) | Expr::Seq(items) => items.iter().any(has_words),
    }
}

fn filter(snapshot: &Snapshot, params: &Params) -> Result<FilterSpec, ToolError> {
    Ok(FilterSpec {
        lang: params.language.as_deref().map(language).transpose()?,
        exclude_tests: params.exclude_tests,
        ..of_paths(snapshot, params.path.as_deref(), params.exclude.as_deref())?
    })
}

/// Words of a sentence, or a name. Quotes, fields and operators, and code like `foo.bar()`, say what must match.
fn is_plain(snapshot: &Snapshot, query: &str, expr: &Expr) -> bool {
    let is_name = |token: &str| is_hyphenated(token) || snapshot.has_file_called(token);
    let is_code = matches!(expr, Expr::Leaf(leaf) if leaf.words().len() > 1 && !is_name(&leaf.text));
    let has_field = query.split_whitespace().any(|word| word.starts_with("content:"));
    expr.is_plain() && !query.contains('"') && !has_field && !is_code
}

/// Words with hyphens between them, as files, packages and options are named.
fn is_hyphenated(token: &str) -> bool {
    let mut words = token.split('-');
    words.all(|word| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

/// Whether a query is a description or a pasted issue rather than an expression. Quotes, colons and dashes are punctuation
/// there.
fn is_prose(query: &str) -> bool {
    let words = || query.split_whitespace();
    let is_operator = |word: &str| matches!(word, "AND" | "OR" | "NOT");
    let has_field = words().any(|word| {
        let word = word.trim_start_matches(['(', '-', '!']);
        word.split_once(':')
            .is_some_and(|(field, value)| !value.is_empty() && Field::from_word(field).is_some())
    });
    let n_words = words().count();
    let text = query.trim();
    let is_one_phrase = text.len() > 1 && text.starts_with('"') && text[1..].find('"') == Some(text.len() - 2);
    !has_field && !is_one_phrase && (n_words >= PROSE || (n_words >= LONG && !words().any(is_operator)))
}

/// Nobody writes an expression of so many words without an operator, or with some.
const LONG: usize = 10;
const PROSE: usize = 40;

/// Characters of a question that are looked at: a pasted issue says what it is about before that.
const MAX_QUESTION: usize = 2000;

fn ranked(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    params: &Params,
    filter: &FilterSpec,
    expr: Option<&Expr>,
) -> Result<Answer, ToolError> {
    let mut notes = Vec::new();
    let end = params.query.char_indices().nth(MAX_QUESTION).map(|(at, _)| at);
    let question = &params.query[..end.unwrap_or(params.query.len())];
    if end.is_some() {
        notes.push(format!("ranked by its first {MAX_QUESTION} characters"));
    }
    let n_files = params
        .k
        .unwrap_or_else(|| FILES.min(files_shown(ctx.paging.max_tokens)));
    let found = snapshot.rank(
        question,
        params.mode == Mode::Semantic,
        filter,
        (ctx.paging.offset, n_files as usize),
        params.context_lines,
    )?;
    if let Some(reason) = &found.no_meaning {
        let is_wanted = matches!(params.mode, Mode::Semantic | Mode::Hybrid);
        // A model that is wanted and does not work is never passed over in silence.
        if is_wanted || matches!(reason, NoVector::Because(_)) {
            notes.push(format!("answered by keywords: {reason}"));
        }
    }
    if found.is_guess && found.total > 0 {
        notes.push("none of these words is in the index: the nearest in meaning".to_owned());
    }
    let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
    let mut answer = list(ctx, snapshot, params, filter, (found.total, Counted::Ranked), &notes);
    if found.no_meaning.is_none() {
        answer.engines = match params.mode {
            Mode::Semantic => &[Engine::Vectors],
            _ => &[Engine::Text, Engine::Vectors],
        };
    }
    if ctx.paging.offset == 0 && found.total > 0 {
        lead_with_unknown(snapshot, found.question.unknown_names(), &mut answer)?;
    }
    if let Some(expr) = expr {
        promote(ctx, snapshot, params, filter, expr, &mut answer)?;
    }
    answer.rows = places::rows(ctx, snapshot, params, &found)?;
    Ok(answer)
}

/// Says first which names of the question nothing has, with the nearest that there are.
fn lead_with_unknown(snapshot: &Snapshot, names: &[String], answer: &mut Answer) -> Result<(), ToolError> {
    if names.is_empty() {
        return Ok(());
    }
    let mut told = Vec::new();
    for name in names.iter().take(NAMES_TOLD) {
        let mut text = format!("Nothing is called or contains `{}`", visible_name(name));
        let nearest = match SymbolName::parse(name) {
            Some(name) => snapshot.similar_symbols(&name, NAMES_TOLD)?,
            None => Vec::new(),
        };
        if !nearest.is_empty() {
            let places: Vec<String> = nearest.iter().map(definition::place).collect();
            text.push_str(&format!(". Nearest names:\n  {}", places.join("\n  ")));
        }
        told.push(text);
    }
    answer.head = format!("{}\n{}", told.join("\n"), answer.head);
    answer.fact("unknown_names", names.to_vec());
    Ok(())
}

/// Names that are told as unknown, and the nearest of each.
const NAMES_TOLD: usize = 3;

/// With less room there are fewer files, each with as much code: a name alone has to be looked up.
fn files_shown(max_tokens: u64) -> u32 {
    (max_tokens / TOKENS_OF_FILE).clamp(MIN_FILES, u64::from(u32::MAX)) as u32
}

const TOKENS_OF_FILE: u64 = 300;
const MIN_FILES: u64 = 5;

/// That no file is where an expression looks, which is another thing than that no file has its words.
fn path_without_files(snapshot: &Snapshot, expr: &Expr) -> Result<Option<String>, ToolError> {
    for leaf in expr.positive_leaves() {
        let of_path = Expr::Leaf(leaf.clone());
        if leaf.field == Field::Path && snapshot.search(&of_path, &FilterSpec::default(), 0, 1, 0)?.total == 0 {
            let text = visible_name(&leaf.text);
            return Ok(Some(format!(
                "no indexed file matches `path:{text}`; paths begin at the root, `**/` leads anywhere"
            )));
        }
    }
    Ok(None)
}

fn keyword(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    params: &Params,
    filter: &FilterSpec,
    expr: &Expr,
) -> Result<Answer, ToolError> {
    let mut found = snapshot.search(
        expr,
        filter,
        ctx.paging.offset,
        params.n_files() as usize,
        params.context_lines,
    )?;
    let mut notes = Vec::new();
    if found.relaxed && expr.is_quoted() && ctx.profile.is_some_and(|profile| profile.checks_queries) {
        (found.hits, found.total, found.relaxed) = (Vec::new(), 0, false);
        notes.push("no chunk has these words side by side");
    }
    if found.relaxed {
        notes.push("no chunk has these words side by side; showing chunks with any of them");
    }
    if matches!(params.mode, Mode::Semantic | Mode::Hybrid) {
        notes.push("answered by keywords, as operators, fields and quotes are");
    }
    let nowhere = match found.total {
        0 => path_without_files(snapshot, expr)?,
        _ => None,
    };
    notes.extend(nowhere.as_deref());
    let mut answer = list(ctx, snapshot, params, filter, (found.total, Counted::Chunks), &notes);
    promote(ctx, snapshot, params, filter, expr, &mut answer)?;
    answer.rows = found
        .hits
        .into_iter()
        .map(|(score, view)| chunk::row(score, view))
        .collect();
    Ok(answer)
}

/// The name that a query consists of: an identifier, qualified or not, and nothing else but the word that declares it.
fn identifier(query: &str, expr: &Expr) -> Option<SymbolName> {
    let words: Vec<&str> = query.split_whitespace().collect();
    if let ([_, word], Expr::Seq(items)) = (words.as_slice(), expr)
        && let [_, last] = items.as_slice()
    {
        let name = SymbolName::parse(query).filter(|name| name.kind.is_some() && !query.contains('#'))?;
        return identifier(word, last).map(|own| SymbolName { kind: name.kind, ..own });
    }
    let Expr::Leaf(Leaf {
        field: Field::Content,
        text,
        ..
    }) = expr
    else {
        return None;
    };
    // Some languages have `parse-query` and `empty?`.
    let is_word = |part: &String| {
        let word = part.strip_suffix(['?', '!']).unwrap_or(part);
        let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
        word.chars().all(is_inside) && !word.starts_with(|c: char| c.is_numeric() || c == '-')
    };
    // In quotes or behind a field it is not the whole query.
    let name = SymbolName::parse(text).filter(|_| text == query.trim() && !text.contains('/'))?;
    (is_word(&name.name) && name.owners.iter().all(is_word)).then_some(name)
}

/// Definitions that lead an answer.
const PROMOTED: usize = 5;

/// Puts the definitions of the name that was asked for before everything else: on the first page only, and in no more
/// than a quarter of the budget.
fn promote(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    params: &Params,
    filter: &FilterSpec,
    expr: &Expr,
    answer: &mut Answer,
) -> Result<(), ToolError> {
    if params.mode != Mode::Auto || ctx.paging.offset > 0 {
        return Ok(());
    }
    let Some(name) = identifier(&params.query, expr) else {
        return Ok(());
    };
    let query = SymbolQuery {
        name: &name,
        exact: true,
        filter,
    };
    let found = snapshot.definitions_of(&query, 8 * PROMOTED)?;
    let hits = most_meant(&name, &found.hits);
    let Some(first) = hits.first() else {
        return Ok(());
    };
    let (mut shown, mut json) = (String::new(), Vec::new());
    let mut budget = ctx.paging.max_tokens / 4;
    for hit in hits.iter().take(PROMOTED) {
        let text = format!("\n  {}\n    {}", definition::place(hit), definition::signature(hit));
        let fields = definition::json(hit);
        let cost = tokens::count(&text).max(tokens::count(&fields.to_string()));
        if cost > budget {
            break;
        }
        budget -= cost;
        shown.push_str(&text);
        json.push(fields);
    }
    if json.is_empty() {
        return Ok(());
    }
    let more = if found.total > json.len() {
        format!(
            " ({} of {}; find_symbol lists all)",
            json.len(),
            count(found.total as u64)
        )
    } else {
        String::new()
    };
    let definitions = format!("Definition found: {}{more}{shown}", visible_name(&first.name));
    let others = match answer.head.strip_prefix(BEST_PLACES) {
        Some(_) => "Other matches:".to_owned(),
        None => format!("Other matches: {}", answer.head),
    };
    answer.head = format!("{definitions}\n\n{others}");
    answer.fact("definitions", json);
    answer.fact("definitions_total", found.total);
    Ok(())
}

/// Definitions of a name that are worth being shown first, one of a file: what people mean by it before the rest.
fn most_meant<'h>(name: &SymbolName, found: &'h [SymbolHit]) -> Vec<&'h SymbolHit> {
    // A test is for where there is nothing else, as is a member; who writes a name like a type means no field of it.
    let is_type = name.name.starts_with(char::is_uppercase);
    let mut hits: Vec<&SymbolHit> = found.iter().filter(|hit| hit.is_code()).collect();
    hits.retain(|hit| hit.is_item() || !is_type);
    for matters in [|hit: &SymbolHit| !hit.is_test, SymbolHit::is_item] {
        if hits.iter().any(|hit| matters(hit)) {
            hits.retain(|hit| matters(hit));
        }
    }
    // Those that come in the order of paths are told apart by what people mean: what is current and what its file is
    // named after, a type where the name is written like one, what is not inside of something else.
    let versions = Versions::of(found.iter().map(|hit| hit.path.as_str()));
    hits.sort_by_cached_key(|hit| {
        let file = hit.path.rsplit('/').next().unwrap_or(&hit.path);
        let stem = file.split('.').next().unwrap_or(file).replace(['_', '-'], "");
        let depth = hit
            .qualified_name
            .split([':', '.', '\\', '/', '#'])
            .filter(|part| !part.is_empty())
            .count();
        (
            source::is_vendored_path(&hit.path),
            versions.is_legacy(&hit.path),
            hit.is_declaration,
            is_type && !hit.kind.is_type(),
            !stem.eq_ignore_ascii_case(&name.name.replace('_', "")),
            depth,
        )
    });
    let mut files = BTreeSet::new();
    hits.retain(|hit| files.insert(hit.path.as_str()));
    hits
}

/// Answers from the names of symbols. Words side by side are one name; an expression with operators or fields is taken
/// to be about symbols.
fn definitions(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    params: &Params,
    filter: &FilterSpec,
    expr: &Expr,
) -> Result<Answer, ToolError> {
    definition::needs_symbols(snapshot)?;
    let Some(text) = words(expr) else {
        return keyword(ctx, snapshot, params, filter, &about_symbols(expr));
    };
    let name = definition::symbol_name(&text)?;
    let query = SymbolQuery {
        name: &name,
        exact: false,
        filter,
    };
    let found = snapshot.find_symbols(&query, ctx.paging.offset, params.n_files() as usize)?;
    let wanted = visible_name(&params.query);
    if found.total == 0 {
        let head = no_files(snapshot, filter).map_or_else(
            || format!("No definition like `{wanted}`"),
            |why| format!("No definition like `{wanted}`: {why}"),
        );
        return definition::none(snapshot, &name, &head, "results");
    }
    let mut answer = list(ctx, snapshot, params, filter, (found.total, Counted::Chunks), &[]);
    answer.head = match found.exact {
        0 => format!("{} like `{wanted}`", plural(found.total, "definition")),
        exact => format!(
            "Definition found: {} ({} exact{})",
            visible_name(&name.name),
            count(exact as u64),
            match found.total - exact {
                0 => String::new(),
                similar => format!(", {} similar", count(similar as u64)),
            }
        ),
    };
    answer.narrower = "narrow with path, language or `name#kind`".into();
    let first = ctx.paging.offset;
    if found.exact > 0 && found.exact < found.total {
        answer.titles.push((found.exact, "Other matches:".to_owned()));
    }
    for (at, hit) in (first..).zip(&found.hits) {
        let score = match hit.likeness {
            Likeness::Exact => 1.0,
            Likeness::Spelling => 0.9,
            Likeness::Prefix => 0.8,
            Likeness::Humps => 0.7,
            Likeness::Substring => 0.6,
        };
        let view = snapshot.view_definition(hit, params.context_lines)?;
        let mut row = chunk::row(score, view);
        row.text = definition::place(hit);
        // The code of the first is worth its room.
        if at > 0 && params.context_lines == 0 {
            row.text = format!("{}\n  {}", row.text, definition::signature(hit));
            row.body = None;
        }
        if let (Some(fields), Value::Object(more)) = (row.json.as_object_mut(), definition::json(hit)) {
            // Where both have a field it is the place that differs: what is shown, and where the name is.
            more.into_iter().for_each(|(key, value)| {
                fields.entry(key).or_insert(value);
            });
        }
        answer.rows.push(row);
    }
    Ok(answer)
}

/// The words of a query that has nothing else, as one name.
fn words(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Leaf(leaf) => (leaf.field == Field::Content).then(|| leaf.text.clone()),
        Expr::Seq(items) => {
            let words: Option<Vec<String>> = items.iter().map(words).collect();
            words.map(|words| words.join("_"))
        }
        _ => None,
    }
}

fn about_symbols(expr: &Expr) -> Expr {
    let all = |items: &[Expr]| items.iter().map(about_symbols).collect();
    match expr {
        Expr::Leaf(leaf) if leaf.field == Field::Content => Expr::Leaf(Leaf {
            field: Field::Symbol,
            ..leaf.clone()
        }),
        Expr::Leaf(leaf) => Expr::Leaf(leaf.clone()),
        Expr::Not(item) => Expr::Not(Box::new(about_symbols(item))),
        Expr::And(items) => Expr::And(all(items)),
        Expr::Or(items) => Expr::Or(all(items)),
        Expr::Seq(items) => Expr::Seq(all(items)),
    }
}

fn literal(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    params: &Params,
    filter: &FilterSpec,
    note: Option<&str>,
) -> Result<Answer, ToolError> {
    let (offset, context) = (ctx.paging.offset, params.context_lines);
    let limit = params.k.unwrap_or(LITERAL_LINES) as usize;
    let text = params.query.as_str();
    let found = snapshot.search_literal(text, filter, offset, limit, context, ctx.control.cancelled)?;
    let files = match found.total {
        0 => None,
        _ => Some(format!("in {}", plural(found.files, "file"))),
    };
    let notes: Vec<&str> = files.as_deref().into_iter().chain(note).collect();
    let mut answer = list(ctx, snapshot, params, filter, (found.total, Counted::Lines), &notes);
    answer.fact("lines_total", found.total);
    answer.fact("files_total", found.files);
    let mut printed: Option<(String, u32)> = None;
    for line in found.lines {
        answer.rows.push(literal_row(line, text, &mut printed));
    }
    Ok(answer)
}

/// A line, below the path of its file. `printed` is the path and the last line of the row before it.
fn literal_row(found: LiteralLine, needle: &str, printed: &mut Option<(String, u32)>) -> Row {
    let mut text = Vec::new();
    let last = match printed {
        Some((path, line)) if *path == found.path => *line,
        _ => {
            text.push(visible_name(&found.path));
            0
        }
    };
    let shown = |line: u32, code: &str| match line == found.line {
        true => clip_around(code, found.column as usize - 1, needle.len()),
        false => clip_line(code, 0),
    };
    let new = found.lines.iter().filter(|(line, _)| **line > last);
    text.extend(new.map(|(line, code)| format!("  {line}: {}", shown(*line, code))));
    let mut json = json!({
        "path": found.path,
        "start_line": found.line,
        "end_line": found.line,
        "score": rounded(found.score),
        "language": found.lang,
    });
    if let Some((name, kind)) = &found.symbol {
        json["symbol"] = name.clone().into();
        json["kind"] = kind.as_str().into();
    }
    let lines = found.lines.iter();
    let lines = lines.map(|(line, code)| json!({ "line": line, "text": shown(*line, code) }));
    json["lines"] = lines.collect();
    json["chunk_index"] = found.chunk.into();
    let end = found.lines.last_key_value().map_or(found.line, |(line, _)| *line);
    *printed = Some((found.path, end.max(last)));
    Row {
        text: text.join("\n"),
        json,
        body: None,
    }
}

const BEST_PLACES: &str = "Best places for";

/// What the total of an answer counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// Files, ranked: how many there are is no part of the answer.
    Ranked,
    Chunks,
    Lines,
}

impl Counted {
    fn word(self) -> &'static str {
        match self {
            Counted::Ranked => "file",
            Counted::Chunks => "chunk",
            Counted::Lines => "line",
        }
    }
}

fn list(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    params: &Params,
    filter: &FilterSpec,
    (total, counted): (usize, Counted),
    notes: &[&str],
) -> Answer {
    let query = clip_line(&visible_name(&params.query), 0);
    let offset = ctx.paging.offset;
    let mut head = match total {
        0 => format!("No match for `{query}` ({})", looked_at(snapshot, filter)),
        // How many files have some word says nothing: what matters is the order.
        _ if counted == Counted::Ranked => match offset {
            0 => format!("{BEST_PLACES} `{query}`"),
            _ => format!("Further places for `{}`, from file {}", query, count(offset as u64 + 1)),
        },
        total => {
            let all = plural(total, counted.word());
            match offset {
                0 => format!("{all} for `{query}`"),
                _ => format!("{all} for `{query}`, from number {}", count(offset as u64 + 1)),
            }
        }
    };
    for note in notes {
        head.push_str(&format!(" ({note})"));
    }
    let mut answer = Answer {
        head,
        key: "results",
        total,
        is_ranked: counted == Counted::Ranked,
        narrower: "narrow with path, language or AND".into(),
        ..Answer::default()
    };
    if !notes.is_empty() {
        answer.fact("note", notes.join("; "));
    }
    answer
}
