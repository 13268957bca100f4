//! `find_callers`: which functions call a symbol, level by level.

use queries::{Caller, CodeGraph, LIKELY, Role, Subject, SymbolId, SymbolKind, UndefinedUse, Use, UseOrigin, Uses};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    machinery::{
        answer::{Answer, Row},
        error::ToolError,
        tool::{Ctx, Effect, Engine, GRAPH, Tool, Toolset, number},
        units::{count, plural},
        visible::visible_name,
    },
    parts::{
        completeness::Completeness,
        definition,
        groups::{self, Fields, Part},
        subject::{self, Each, SymbolSelector, level, origin_json, origin_text},
    },
    tools::find_references::undefined,
};

pub(crate) struct FindCallers;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[serde(flatten)]
    target: SymbolSelector,
    #[serde(default = "number::<1>")]
    #[schemars(range(min = 1, max = 10))]
    depth: u32,
    #[serde(default)]
    exclude_tests: bool,
    #[serde(default = "number::<20>")]
    #[schemars(range(min = 1, max = 200))]
    max_results: u32,
}

impl Tool for FindCallers {
    const NAME: &'static str = "find_callers";
    const TITLE: &'static str = "Find callers";
    const DOC: &'static str = "Which functions call a symbol, by level, with signatures and call lines; apart from those, which may reach it by \
                               dispatch.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"symbol": "parse_query"}"#;
    const ENGINES: &'static [Engine] = GRAPH;
    const CLI: Option<&'static str> = Some("callers");
    const POSITIONAL: &'static [&'static str] = &["symbol", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = subject::ALIASES;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("callers", "array"),
        ("groups", "array"),
        ("total", "integer"),
        ("direct_total", "integer"),
        ("dispatch_total", "integer"),
        ("completeness", "string"),
        ("symbol", "object"),
        ("modules", "array"),
        ("handed_on", "array"),
        ("candidates", "array"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn instead_of(parameter: &str) -> Option<&'static str> {
        match parameter {
            "include_tests" => Some("exclude_tests: true leaves tests out"),
            _ => None,
        }
    }

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            snapshot.graph(|graph| match params.target.each_called(snapshot, graph, "callers")? {
                Each::One(subject) => Callers::new(graph, &subject, &params).answer(ctx),
                Each::Local(local) => Err(params.target.local_refused(graph, &local)),
                Each::Several(several) => {
                    let all = several.subjects.iter();
                    let all: Vec<Callers<'_>> = all.map(|subject| Callers::new(graph, subject, &params)).collect();
                    let parts: Vec<Part<'_>> = all.iter().map(Callers::part).collect();
                    let max_rows = params.max_results as usize;
                    groups::answer(ctx, &several, &parts, Fields::Key("callers"), max_rows)
                }
                Each::Undefined(none) => Ok(of_undefined(ctx, graph, &params)?.unwrap_or(none)),
                Each::Other(answer) => Ok(answer),
            })
        })
    }
}

/// The callers of a name that nothing here defines: a library's. Nothing if nothing calls it.
fn of_undefined(ctx: &Ctx<'_>, graph: &CodeGraph<'_>, params: &Params) -> Result<Option<Answer>, ToolError> {
    let (symbol, all, unsure) = params.target.undefined_uses(graph)?;
    let symbol = symbol.as_str();
    let is_asked = |one: &&UndefinedUse| {
        let in_tests = || graph.is_in_tests(one.used.file, graph.container(&one.used));
        one.used.role == Role::Call && !(params.exclude_tests && in_tests())
    };
    let uses: Vec<UndefinedUse> = all.iter().filter(is_asked).cloned().collect();
    if all.is_empty() {
        return Ok(None);
    }
    if uses.is_empty() {
        let modules = undefined::modules(&all);
        let head = undefined::head(symbol, "reference", all.len(), &modules, unsure);
        let mut answer = Answer {
            head: format!("{head}. None is a call; find_references lists them."),
            key: "callers",
            ..Answer::default()
        };
        answer.fact("symbol", json!({ "name": symbol, "external": true }));
        answer.fact("modules", undefined::modules_json(&modules));
        return Ok(Some(answer));
    }
    let modules = undefined::modules(&uses);
    let mut callers: Vec<(Option<SymbolId>, Vec<&UndefinedUse>)> = Vec::new();
    for one in &uses {
        let container = graph.container(&one.used);
        match callers
            .iter_mut()
            .find(|(known, uses)| *known == container && uses[0].used.file == one.used.file)
        {
            Some((_, uses)) => uses.push(one),
            None => callers.push((container, vec![one])),
        }
    }
    callers.sort_by_cached_key(|(container, uses)| {
        (
            uses.iter().all(|one| one.module.is_none()),
            graph.is_aside(uses[0].used.file, *container),
        )
    });
    let head = undefined::head(symbol, "call", uses.len(), &modules, unsure);
    let mut answer = Answer {
        head: format!("{head}; {}", plural(callers.len(), "caller")),
        key: "callers",
        total: callers.len(),
        narrower: "raise max_results".into(),
        ..Answer::default()
    };
    let rows = callers.iter().skip(ctx.paging.offset).take(params.max_results as usize);
    for (container, uses) in rows {
        answer.rows.push(undefined_row(graph, *container, uses)?);
    }
    answer.fact("symbol", json!({ "name": symbol, "external": true }));
    answer.fact("modules", undefined::modules_json(&modules));
    answer.tail = undefined::IN_TEXT.to_owned();
    Ok(Some(answer))
}

fn undefined_row(graph: &CodeGraph<'_>, container: Option<SymbolId>, uses: &[&UndefinedUse]) -> Result<Row, ToolError> {
    // The surest use tells how the caller is known.
    let best = uses
        .iter()
        .max_by(|a, b| a.used.confidence.total_cmp(&b.used.confidence));
    let best = best.unwrap_or(&uses[0]);
    let mut sites: Vec<u32> = uses.iter().map(|one| graph.line(one.used.file, one.used.at)).collect();
    sites.dedup();
    let lines: Vec<String> = sites.iter().map(u32::to_string).collect();
    let from = match &best.module {
        Some(module) => format!(", from {}", visible_name(module)),
        None => String::new(),
    };
    let how = format!(
        "calls in line {} [{}{from}]",
        lines.join(", "),
        origin_text(best.used.origin, best.used.confidence)
    );
    let (text, mut json) = caller_row(graph, container, graph.path(best.used.file), &sites, &how)?;
    if let Some(module) = &best.module {
        json["module"] = module.as_str().into();
    }
    json["sites"] = sites.into();
    json["depth"] = 1.into();
    origin_json(&mut json, best.used.origin, best.used.confidence);
    Ok(Row { text, json, body: None })
}

/// The function that calls, or the top level of its file.
fn caller_row(
    graph: &CodeGraph<'_>,
    caller: Option<SymbolId>,
    path: &str,
    sites: &[u32],
    how: &str,
) -> Result<(String, Value), ToolError> {
    let Some(id) = caller else {
        let line = sites.first().copied().unwrap_or(1);
        let json = json!({ "name": "", "path": path, "line": line, "signature": "" });
        return Ok((format!("{}:{line} (top level) {how}", visible_name(path)), json));
    };
    let hit = graph.hit(id)?;
    let mut json = definition::short_json(&hit);
    if hit.is_test {
        json["test"] = true.into();
    }
    let text = format!(
        "{}:{} {} {how}\n  {}",
        visible_name(&hit.path),
        hit.line,
        visible_name(&hit.qualified_name),
        definition::signature(&hit)
    );
    Ok((text, json))
}

/// The callers of one definition.
struct Callers<'c> {
    graph: &'c CodeGraph<'c>,
    subject: &'c Subject,
    params: &'c Params,
    uses: Uses,
    /// By level, those that call it before those that may reach it by dispatch, and those in tests last.
    found: Vec<Caller>,
    in_tests: usize,
}

impl<'c> Callers<'c> {
    fn new(graph: &'c CodeGraph<'c>, subject: &'c Subject, params: &'c Params) -> Callers<'c> {
        let uses = graph.uses(subject);
        let mut found = match params.depth {
            1 => graph.direct_callers(subject, &uses),
            depth => graph.callers(subject, depth),
        };
        let all = found.len();
        if params.exclude_tests {
            found.retain(|caller| !graph.is_in_tests(caller.file, caller.symbol));
        }
        found.sort_by_cached_key(|caller| {
            let is_aside = graph.is_aside(caller.file, caller.symbol);
            (caller.depth, is_dispatched(caller), is_aside)
        });
        // What calls it is looked for by its own name.
        for id in found
            .iter()
            .filter(|caller| caller.depth < params.depth)
            .filter_map(|caller| caller.symbol)
        {
            graph.depends_on(id);
        }
        Callers {
            in_tests: all - found.len(),
            graph,
            subject,
            params,
            uses,
            found,
        }
    }

    fn dispatched(&self) -> usize {
        self.found.iter().filter(|caller| is_dispatched(caller)).count()
    }

    fn answer(&self, ctx: &Ctx<'_>) -> Result<Answer, ToolError> {
        let mut rows = Vec::new();
        for at in (ctx.paging.offset..self.found.len()).take(self.params.max_results as usize) {
            rows.push(self.row(at)?);
        }
        let mut answer = Answer {
            head: format!("{}\n{}", subject::heading(self.subject), self.counted_lines()),
            key: "callers",
            total: self.found.len(),
            rows,
            titles: self.titles(),
            narrower: "raise max_results".into(),
            ..Answer::default()
        };
        answer.fact("symbol", subject::json_of(self.subject));
        self.tell(&mut answer.facts);
        Ok(answer)
    }

    /// The same as one of several definitions.
    fn part(&self) -> Part<'_> {
        let total = self.found.len();
        let counted = (total, plural(total, "caller"));
        let mut part = Part::new(self.subject, counted, &self.counted_lines(), total, |at| {
            Ok((self.row(at)?, None))
        });
        part.titles = self.titles();
        self.tell(&mut part.facts);
        part
    }

    fn row(&self, at: usize) -> Result<Row, ToolError> {
        row(self.graph, self.subject, &self.found[at], self.params.depth > 1)
    }

    /// A title above those that may reach it by dispatch.
    fn titles(&self) -> Vec<(usize, String)> {
        let first = self.found.iter().position(is_dispatched);
        let first = first.filter(|_| self.params.depth == 1);
        let title = |at| (at, format!("May reach it by dispatch ({}):", self.dispatched()));
        first.map(title).into_iter().collect()
    }

    /// How many there are, and what is known besides.
    fn counted_lines(&self) -> String {
        let Callers {
            graph, subject, found, ..
        } = self;
        let dispatched = self.dispatched();
        let in_tests = match self.in_tests {
            0 => String::new(),
            n => format!("; {n} in tests left out"),
        };
        let possible = possible_calls(graph, subject, &self.uses);
        let levels: Vec<String> = (1..=self.params.depth)
            .map(|depth| (depth, found.iter().filter(|caller| caller.depth == depth).count()))
            .filter(|(_, count)| *count > 0 && self.params.depth > 1)
            .map(|(depth, count)| format!("level {depth}: {count}"))
            .collect();
        let levels = if levels.is_empty() {
            String::new()
        } else {
            format!(" ({})", levels.join(", "))
        };
        let none = none_text(graph, subject, &self.uses, found.len() + self.in_tests, &possible);
        let mut handed = handed_on(subject, &self.uses);
        let is_never = handed.is_empty() && subject.hit.kind.is_function() && !graph.is_partial();
        // `error.code` may be anyone's: a name alone does not tell that a function is handed on.
        handed.retain(|used| used.origin != UseOrigin::Name);
        let handed_text = match handed.len() {
            0 if found.len() + self.in_tests == 0 && is_never => ", and it is not handed on as a value".to_owned(),
            0 => String::new(),
            n => format!(
                "; handed on as a value in {}: {}",
                plural(n, "place"),
                subject::use_places(graph, &handed, MAX_HANDED)
            ),
        };
        let counted = match (found.len() - dispatched, dispatched) {
            (direct, 0) => plural(direct, "caller"),
            (0, _) => format!(
                "No function calls it; {} of what it overrides may reach it",
                plural(dispatched, "caller")
            ),
            (direct, _) => format!(
                "{}; {} more of what it overrides may reach it",
                plural(direct, "caller"),
                dispatched
            ),
        };
        let known = self.completeness().text(found.len());
        let known = known.map(|known| format!("\n{known}")).unwrap_or_default();
        format!("{counted}{levels}{in_tests}{none}{handed_text}{known}")
    }

    fn completeness(&self) -> Completeness {
        let mut known = Completeness::of(self.graph, &self.subject.hit, &self.uses);
        let unproven = possible_calls(self.graph, self.subject, &self.uses);
        known.unproven(unproven.iter().map(|used| used.confidence));
        let mut handed = handed_on(self.subject, &self.uses);
        handed.retain(|used| used.origin != UseOrigin::Name);
        if !handed.is_empty() {
            known.add("whoever it is handed on to may call it");
        }
        known
    }

    /// The fields besides the callers.
    fn tell(&self, facts: &mut Map<String, Value>) {
        let dispatched = self.dispatched();
        facts.insert("direct_total".to_owned(), (self.found.len() - dispatched).into());
        facts.insert("dispatch_total".to_owned(), dispatched.into());
        self.completeness().tell(facts);
        let possible = possible_calls(self.graph, self.subject, &self.uses);
        if !possible.is_empty() {
            facts.insert("possible_total".to_owned(), possible.len().into());
        }
        let mut handed = handed_on(self.subject, &self.uses);
        handed.retain(|used| used.origin != UseOrigin::Name);
        if !handed.is_empty() {
            let shown = handed.iter().take(MAX_HANDED);
            let shown: Vec<Value> = shown.map(|used| subject::use_place_json(self.graph, used)).collect();
            facts.insert("handed_on".to_owned(), shown.into());
            facts.insert("handed_on_total".to_owned(), handed.len().into());
        }
    }
}

/// Whether it calls what the definition overrides, and may reach it so.
fn is_dispatched(caller: &Caller) -> bool {
    caller.origin == UseOrigin::Dispatch
}

/// Calls that may be of it that are shown.
const MAX_POSSIBLE: usize = 5;

/// The calls of which it is not sure that they are of it, those of tests last.
fn possible_calls<'u>(graph: &CodeGraph<'_>, subject: &Subject, uses: &'u Uses) -> Vec<&'u Use> {
    let is_possible = |used: &&Use| used.confidence < LIKELY && graph.runs(used, subject.ids[0]);
    let mut possible: Vec<&Use> = uses.uses.iter().filter(is_possible).collect();
    possible.sort_by_key(|used| source::is_test_path(graph.path(used.file)));
    possible
}

/// What is said behind the number of callers: why there is none, or which calls may be further ones.
fn none_text(graph: &CodeGraph<'_>, subject: &Subject, uses: &Uses, found: usize, possible: &[&Use]) -> String {
    let kind = subject.hit.kind;
    let what = if kind == SymbolKind::Property { "use" } else { "call" };
    let places = subject::use_places(graph, possible, MAX_POSSIBLE);
    let text = match (found, possible.len()) {
        (0, 0) if subject::is_operator(&subject.hit) => format!(": {}", subject::AS_OPERATOR),
        (0, 0) if !kind.is_function() && !kind.is_type() => {
            let likely: Vec<&Use> = uses.uses.iter().filter(|used| used.confidence >= LIKELY).collect();
            match likely.len() {
                0 => format!(": nothing in {} uses it", subject::looked_at(graph)),
                n => format!(
                    ": it is not called, but used in {}: {}; find_references lists them",
                    plural(n, "place"),
                    subject::use_places(graph, &likely, MAX_HANDED)
                ),
            }
        }
        (0, 0) => format!(": no call of it in {}", subject::looked_at(graph)),
        (_, 0) => String::new(),
        (0, n) => format!(": no {what} is sure to be of it, {} may be: {places}", count(n as u64)),
        (_, n) => {
            let further = plural(n, &format!("further {what}"));
            format!("; {further} of that name may be of it too: {places}")
        }
    };
    match possible.len() > MAX_POSSIBLE {
        true => format!("{text} (find_references with include_unsure lists them)"),
        false => text,
    }
}

/// Places of a function as a value that are shown.
const MAX_HANDED: usize = 5;

/// Where a function is named and not called: in a table, as an argument. Whoever gets it may call it.
fn handed_on<'u>(subject: &Subject, uses: &'u Uses) -> Vec<&'u Use> {
    let is_value = |used: &&Use| {
        matches!(used.role, Role::Variable | Role::Member)
            && used.confidence >= LIKELY
            && used.origin != UseOrigin::Dispatch
    };
    match subject.hit.kind.is_function() {
        true => uses.uses.iter().filter(is_value).collect(),
        false => Vec::new(),
    }
}

fn row(graph: &CodeGraph<'_>, subject: &Subject, caller: &Caller, by_level: bool) -> Result<Row, ToolError> {
    let sites: Vec<u32> = caller.sites.iter().map(|at| graph.line(caller.file, *at)).collect();
    let mut lines: Vec<String> = sites.iter().map(u32::to_string).collect();
    lines.dedup();
    let path = graph.path(caller.file);
    let calls = if caller.depth > 1 && !subject.ids.contains(&caller.calls) {
        let called = graph.hit(caller.calls)?;
        format!(" {}", visible_name(&called.qualified_name))
    } else {
        String::new()
    };
    let level = level(caller.depth, by_level);
    let verb = match graph.is_property(caller.calls) {
        true => "accesses",
        false => "calls",
    };
    let how = format!(
        "{level}{verb}{calls} in line {} [{}]",
        lines.join(", "),
        origin_text(caller.origin, caller.confidence)
    );
    let (text, mut json) = caller_row(graph, caller.symbol, path, &sites, &how)?;
    json["sites"] = sites.into_iter().map(Value::from).collect();
    json["depth"] = caller.depth.into();
    if is_dispatched(caller) {
        json["via"] = "dispatch".into();
    }
    origin_json(&mut json, caller.origin, caller.confidence);
    Ok(Row { text, json, body: None })
}
