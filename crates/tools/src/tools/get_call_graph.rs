//! `get_call_graph`: who calls whom around a symbol or in a file, as text, Mermaid, DOT or JSON.

use std::fmt::Write;

use queries::{CallGraph, CodeGraph, Drawing, Edge, Node, Rule, Snapshot, UseOrigin};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::Coverage;

use crate::{
    machinery::{
        answer::Answer,
        error::ToolError,
        paging::most_below,
        tool::{Ctx, Effect, Engine, GRAPH, Tool, Toolset, default_tokens, number},
        units::{first_few, plural},
        visible::{fenced, visible_name},
    },
    parts::{
        definition,
        subject::{Found, SymbolSelector, left_open, origin_json, origin_text},
    },
};

pub(crate) struct GetCallGraph;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// Alone: the graph of the whole file
    #[schemars(length(min = 1))]
    file_path: Option<String>,
    #[schemars(length(min = 1, max = 500))]
    symbol: Option<String>,
    #[schemars(range(min = 1))]
    line: Option<u32>,
    /// out: callees; in: callers
    #[serde(default)]
    direction: Direction,
    #[serde(default = "number::<1>")]
    #[schemars(range(min = 1, max = 10))]
    depth: u32,
    #[serde(default)]
    output: Output,
    /// Also callees from outside the workspace
    #[serde(default)]
    external: bool,
    #[expect(dead_code, reason = "the dispatcher takes it; there is no cursor to go with it")]
    #[schemars(range(min = 1, max = 20000))]
    #[serde(default = "default_tokens")]
    max_tokens: u64,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Direction {
    #[default]
    Out,
    In,
    Both,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Output {
    #[default]
    Text,
    Mermaid,
    Dot,
    Json,
}

/// Functions whose calls are followed for one answer.
const MAX_NODES: usize = 500;
/// Names from elsewhere, and functions without calls, that are named where they are only counted.
const NAMED: usize = 10;
const LABEL_CHARS: usize = 80;

impl Tool for GetCallGraph {
    const NAME: &'static str = "get_call_graph";
    const TITLE: &'static str = "Call graph";
    const DOC: &'static str = "Who calls whom around a symbol, or in a file.";
    const TOOLSET: Toolset = Toolset::Graph;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"symbol": "parse_query"}"#;
    const ENGINES: &'static [Engine] = GRAPH;
    const CLI: Option<&'static str> = Some("graph");
    const POSITIONAL: &'static [&'static str] = &["symbol", "file_path"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("symbol_name", "symbol"),
        ("name", "symbol"),
        ("file", "file_path"),
        ("path", "file_path"),
        ("line_number", "line"),
        ("max_depth", "depth"),
    ];
    const PAGED: bool = false;
    const VALUE_WORDS: &'static [(&'static str, &'static str, &'static str)] = &[
        ("direction", "callers", "in"),
        ("direction", "incoming", "in"),
        ("direction", "callees", "out"),
        ("direction", "outgoing", "out"),
    ];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("nodes", "array"),
        ("edges", "array"),
        ("total", "object"),
        ("hidden", "object"),
        ("elsewhere", "integer"),
        ("complete", "boolean"),
        ("diagram", "string"),
        ("candidates", "array"),
        ("nearest", "array"),
        ("coverage", "object"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let drawing = Drawing {
            down: params.direction != Direction::In,
            up: params.direction != Direction::Out,
            depth: params.depth,
            elsewhere: params.external,
            limit: MAX_NODES,
        };
        let target = SymbolSelector {
            symbol: params.symbol.clone(),
            file: params.file_path.clone(),
            line: params.line,
            column: None,
        };
        if target.symbol.is_none() && target.file.is_none() {
            return Err(ToolError {
                hint: "`file_path` alone gives the graph of a file, `symbol` that of a function or type".into(),
                ..ToolError::invalid("give `file_path`, `symbol` or both")
            });
        }
        ctx.answer(|snapshot| {
            snapshot.graph(|graph| {
                let file = target
                    .file
                    .as_deref()
                    .filter(|_| target.symbol.is_none() && target.line.is_none());
                let (title, drawn) = match file {
                    Some(path) => {
                        definition::needs_symbols(snapshot)?;
                        let file = graph.file_at(path)?;
                        definition::needs_parsed(snapshot, graph.path(file))?;
                        (visible_name(graph.path(file)), graph.call_graph_of_file(file, drawing))
                    }
                    None => match target.find_called(snapshot, graph, "nodes")? {
                        Found::One(subject) => {
                            let hit = &subject.hit;
                            let place = format!("{}:{}", visible_name(&hit.path), hit.line);
                            let title = format!("{} {place}", visible_name(&hit.qualified_name));
                            (title, graph.call_graph(&subject, drawing))
                        }
                        Found::Other(answer) => return Ok(*answer),
                    },
                };
                let picture = Picture::new(graph, &drawn, title, &params)?;
                Ok(picture.largest(ctx, snapshot))
            })
        })
    }
}

/// A call graph with all that is shown of it.
struct Picture<'g> {
    drawn: &'g CallGraph,
    nodes: Vec<Shown>,
    edges: Vec<Line>,
    title: String,
    output: Output,
    /// `out, depth 1`
    how: String,
    /// It is about a file, or a type with its methods: those without calls are only named.
    many: bool,
}

/// A node as it is shown.
struct Shown {
    name: String,
    path: String,
    line: u32,
    kind: &'static str,
    is_test: bool,
}

/// What fits of a graph.
struct Part {
    /// How many of the edges, from the first on.
    edges: usize,
    /// The nodes that they need, and those that all edges do.
    nodes: Vec<usize>,
    all: Vec<usize>,
}

/// The lines of the calls of one edge.
struct Line {
    sites: Vec<u32>,
}

impl<'g> Picture<'g> {
    fn new(
        graph: &CodeGraph<'_>,
        drawn: &'g CallGraph,
        title: String,
        params: &Params,
    ) -> Result<Picture<'g>, ToolError> {
        let mut nodes = Vec::with_capacity(drawn.nodes.len());
        for node in &drawn.nodes {
            nodes.push(match node {
                Node::Symbol(id) => {
                    let hit = graph.hit(*id)?;
                    Shown {
                        name: visible_name(&hit.qualified_name),
                        path: hit.path,
                        line: hit.line,
                        kind: hit.kind.as_str(),
                        is_test: hit.is_test,
                    }
                }
                Node::TopLevel(file) => Shown {
                    name: "(top level)".to_owned(),
                    path: graph.path(*file).to_owned(),
                    line: 1,
                    kind: "file",
                    is_test: false,
                },
                Node::Elsewhere { name, is_external } => Shown {
                    name: visible_name(name),
                    path: String::new(),
                    line: 0,
                    kind: if *is_external { "external" } else { "unresolved" },
                    is_test: false,
                },
            });
        }
        let edges = drawn.edges.iter().map(|edge| {
            let file = match &drawn.nodes[edge.from] {
                Node::Symbol(id) => Some(id.file),
                Node::TopLevel(file) => Some(*file),
                Node::Elsewhere { .. } => None,
            };
            let line = |at: &u32| file.map_or(0, |file| graph.line(file, *at));
            let mut sites: Vec<u32> = edge.sites.iter().map(line).collect();
            sites.dedup();
            Line { sites }
        });
        let direction = match params.direction {
            Direction::Out => "out",
            Direction::In => "in",
            Direction::Both => "both",
        };
        Ok(Picture {
            drawn,
            edges: edges.collect(),
            nodes,
            title,
            output: params.output,
            how: format!("{direction}, depth {}", params.depth),
            many: drawn.roots != 1,
        })
    }

    /// With as many calls as fit, those nearest to what was asked about.
    fn largest(&self, ctx: &Ctx<'_>, snapshot: &Snapshot) -> Answer {
        let coverage: Coverage = snapshot.coverage();
        let fits = |edges: usize| {
            ctx.paging
                .fits_whole(&self.answer(edges).by(ctx.engines).covered_by(&coverage))
        };
        let all = self.edges.len();
        if fits(all) {
            return self.answer(all);
        }
        self.answer(most_below(all, fits))
    }

    /// The nodes of the first edges; and of a symbol's graph the symbol itself.
    fn chosen(&self, edges: usize) -> Vec<usize> {
        let ends = self.drawn.edges[..edges].iter().flat_map(|edge| [edge.from, edge.to]);
        let own = (0..self.drawn.roots).filter(|_| !self.many);
        let mut nodes: Vec<usize> = ends.chain(own).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// With so many of the edges.
    fn answer(&self, edges: usize) -> Answer {
        let part = Part {
            edges,
            nodes: self.chosen(edges),
            all: self.chosen(self.edges.len()),
        };
        let mut head = self.head(&part);
        let diagram = match self.output {
            Output::Text => {
                self.text(edges, &mut head);
                None
            }
            Output::Json => None,
            Output::Mermaid => Some(("mermaid", self.mermaid(edges, &part.nodes))),
            Output::Dot => Some(("dot", self.dot(edges, &part.nodes))),
        };
        if let Some((lang, diagram)) = &diagram {
            let _ = write!(head, "\n{}", fenced(lang, diagram));
        }
        let without_calls = self.without_calls(&part);
        let mut facts = json!({
            "nodes": part.nodes.iter().map(|node| self.node_json(*node)).collect::<Vec<Value>>(),
            "edges": (0..edges).map(|edge| self.edge_json(edge)).collect::<Vec<Value>>(),
            "total": { "nodes": part.all.len(), "edges": self.edges.len() },
            "hidden": { "nodes": part.all.len() - part.nodes.len(), "edges": self.edges.len() - edges },
            "elsewhere": self.n_elsewhere(),
            "complete": !self.drawn.is_cut,
        });
        if !self.drawn.open.is_empty() {
            facts["open"] = json!(self.drawn.open);
        }
        if !without_calls.is_empty() {
            facts["without_calls"] = without_calls.len().into();
        }
        if let Some((_, diagram)) = diagram {
            facts["diagram"] = diagram.into();
        }
        let mut answer = Answer::of(head, facts);
        answer.tail = self.notes(&without_calls).join("\n");
        answer.only_json = self.output == Output::Json;
        answer
    }

    fn head(&self, part: &Part) -> String {
        let at_least = if self.drawn.is_cut { "at least " } else { "" };
        let mut head = format!(
            "Call graph of {} ({}): {at_least}{}, {}",
            self.title,
            self.how,
            plural(part.all.len(), "node"),
            plural(self.edges.len(), "edge"),
        );
        if part.edges < self.edges.len() {
            let _ = write!(
                head,
                "; shown {} and {}: for the rest give symbol, a smaller depth or a larger max_tokens",
                part.nodes.len(),
                part.edges
            );
        }
        if self.edges.is_empty() {
            head.push_str(match self.drawn.open.is_empty() {
                true => ": no call within this workspace",
                false => ": no call that is known",
            });
        }
        head
    }

    fn notes(&self, without_calls: &[&str]) -> Vec<String> {
        let mut notes: Vec<String> = left_open(&self.drawn.open).into_iter().collect();
        let named: usize = self.named_elsewhere().map(|(_, names)| names.len()).sum();
        let others = self.n_elsewhere().saturating_sub(named);
        if others > 0 {
            notes.push(format!(
                "{} left out; `external: true` shows them",
                plural(others, "external callee")
            ));
        }
        if !without_calls.is_empty() {
            notes.push(format!(
                "{} without such calls: {}",
                without_calls.len(),
                first_few(without_calls.iter().map(|name| (*name).to_owned()), NAMED)
            ));
        }
        if self.drawn.is_cut {
            notes.push(format!(
                "Calls of {MAX_NODES} functions were followed, and there are more."
            ));
        }
        notes
    }

    /// The names of what is asked about and has no edge.
    fn without_calls(&self, part: &Part) -> Vec<&str> {
        let alone = (0..self.drawn.roots).filter(|node| part.all.binary_search(node).is_err());
        alone.map(|node| self.nodes[node].name.as_str()).collect()
    }

    fn n_elsewhere(&self) -> usize {
        self.drawn.elsewhere.values().map(Vec::len).sum()
    }

    /// Who is asked about itself is shown with the names from elsewhere that it calls.
    fn named_elsewhere(&self) -> impl Iterator<Item = (usize, &Vec<String>)> {
        let own = (0..self.drawn.roots).filter(|_| !self.many && self.output == Output::Text);
        own.filter_map(|node| Some((node, self.drawn.elsewhere.get(&node)?)))
    }

    fn path(&self, node: usize) -> String {
        visible_name(&self.nodes[node].path)
    }

    /// Each caller with what it calls; on the way up each callee with who calls it.
    fn text(&self, edges: usize, out: &mut String) {
        for upwards in [true, false] {
            let own = |edge: &Edge| if upwards { edge.to } else { edge.from };
            let other = |edge: &Edge| if upwards { edge.from } else { edge.to };
            let here = |at: &usize| self.drawn.edges[*at].upwards == upwards;
            let mut shown: Vec<usize> = (0..edges).filter(here).collect();
            shown.sort_by_key(|at| (own(&self.drawn.edges[*at]), *at));
            let mut header = None;
            for at in shown {
                let edge = &self.drawn.edges[at];
                if header.replace(own(edge)) != Some(own(edge)) {
                    let node = &self.nodes[own(edge)];
                    let _ = write!(out, "\n{} {}:{}", node.name, self.path(own(edge)), node.line);
                }
                let node = &self.nodes[other(edge)];
                let place = match node.path.as_str() {
                    "" => format!("({})", node.kind),
                    path if path == self.nodes[own(edge)].path => format!(":{}", node.line),
                    _ => format!("{}:{}", self.path(other(edge)), node.line),
                };
                let sites: Vec<String> = self.edges[at].sites.iter().map(u32::to_string).collect();
                let known = if node.path.is_empty() {
                    String::new()
                } else {
                    format!(" [{}]", origin_text(edge.origin, edge.confidence))
                };
                let arrow = if upwards { "<-" } else { "->" };
                let test = if node.is_test { ", test" } else { "" };
                let _ = write!(
                    out,
                    "\n  {arrow} {} {place} at {}{test}{known}",
                    node.name,
                    sites.join(",")
                );
            }
        }
        for (node, names) in self.named_elsewhere() {
            let _ = write!(
                out,
                "\n{} also calls external functions: {}",
                self.nodes[node].name,
                first_few(names.iter().map(|name| visible_name(name)), NAMED)
            );
        }
    }

    /// A node's name, and its file where that is not the graph's own.
    fn label(&self, node: usize, escape: impl Fn(&str) -> String, line_break: &str) -> String {
        let shown = &self.nodes[node];
        let clipped: String = shown.name.chars().take(LABEL_CHARS).collect();
        let mut label = escape(&clipped);
        let own = self.nodes.first().map(|first| first.path.as_str());
        if !shown.path.is_empty() && own != Some(shown.path.as_str()) {
            let _ = write!(label, "{line_break}{}:{}", escape(&self.path(node)), shown.line);
        }
        label
    }

    fn mermaid(&self, edges: usize, chosen: &[usize]) -> String {
        let mut out = "flowchart LR".to_owned();
        for node in chosen {
            let _ = write!(out, "\n  n{node}[\"{}\"]", self.label(*node, mermaid_text, "<br/>"));
        }
        for edge in &self.drawn.edges[..edges] {
            let arrow = if is_sure(edge) { "-->" } else { "-.->" };
            let _ = write!(out, "\n  n{} {arrow} n{}", edge.from, edge.to);
        }
        out
    }

    fn dot(&self, edges: usize, chosen: &[usize]) -> String {
        let mut out = "digraph calls {\n  rankdir=LR;\n  node [shape=box];".to_owned();
        for node in chosen {
            let _ = write!(out, "\n  n{node} [label=\"{}\"];", self.label(*node, dot_text, "\\n"));
        }
        for edge in &self.drawn.edges[..edges] {
            let style = if is_sure(edge) { "" } else { " [style=dashed]" };
            let _ = write!(out, "\n  n{} -> n{}{style};", edge.from, edge.to);
        }
        out.push_str("\n}");
        out
    }

    fn node_json(&self, at: usize) -> Value {
        let node = &self.nodes[at];
        let mut json = json!({ "id": format!("n{at}"), "name": node.name, "kind": node.kind });
        if !node.path.is_empty() {
            json["path"] = node.path.clone().into();
            json["line"] = node.line.into();
        }
        for (is_so, word) in [(at < self.drawn.roots, "root"), (node.is_test, "test")] {
            if is_so {
                json[word] = true.into();
            }
        }
        if let Some(names) = self.drawn.elsewhere.get(&at) {
            json["elsewhere"] = names.len().into();
        }
        json
    }

    fn edge_json(&self, at: usize) -> Value {
        let edge = &self.drawn.edges[at];
        let mut json = json!({
            "from": format!("n{}", edge.from),
            "to": format!("n{}", edge.to),
            "sites": self.edges[at].sites,
        });
        origin_json(&mut json, edge.origin, edge.confidence);
        json
    }
}

fn is_sure(edge: &Edge) -> bool {
    matches!(edge.origin, UseOrigin::Resolved(rule) if rule != Rule::Moved)
}

/// In quotes, what Mermaid would read as markup is written as a code.
fn mermaid_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '#' | '<' | '>' | '&' | ';' | '`' | '\\' | '|' | '%' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

fn dot_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
