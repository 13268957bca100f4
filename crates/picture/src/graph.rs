//! What is drawn, read from an answer of `get_call_graph` or, of a directory, `get_dependencies`.

use std::collections::BTreeMap;

use serde_json::Value;

/// An edge below this confidence is drawn as a guess.
const SURE: f64 = 0.8;
/// Edges of a map of modules that are drawn, the heaviest; more of them are a carpet.
const MAX_LINKS: usize = 120;

/// A graph with all that is told of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graph {
    pub title: String,
    /// How much there is, and how much of it is not drawn.
    pub notes: Vec<String>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// What a dashed edge means here.
    pub guess: &'static str,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Node {
    pub name: String,
    /// Below the name: where it is, or how much it is.
    pub detail: String,
    pub kind: String,
    /// Empty for what is not of this workspace.
    pub path: String,
    pub line: Option<u64>,
    /// The part of the workspace that it belongs to; nodes of one part have one colour.
    pub part: String,
    pub is_root: bool,
    pub is_test: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub is_sure: bool,
    /// How many calls or imports it stands for.
    pub weight: u64,
    /// In words: `lines 4, 9`.
    pub what: String,
}

impl Graph {
    /// The graph of an answer of `get_call_graph`; `None` if it has none, because a name is not known or ambiguous.
    pub fn of_calls(answer: &Value) -> Option<Graph> {
        let listed = answer.get("nodes")?.as_array()?;
        let mut graph = Graph {
            guess: "a likely call, not a proven one",
            ..Graph::default()
        };
        let mut index = BTreeMap::new();
        for node in listed {
            index.insert(text(node, "id"), graph.nodes.len());
            let (path, line) = (text(node, "path"), node["line"].as_u64());
            let kind = text(node, "kind");
            graph.nodes.push(Node {
                name: text(node, "name"),
                detail: match line {
                    Some(line) => format!("{path}:{line}"),
                    None => kind.clone(),
                },
                kind,
                path,
                line,
                part: String::new(),
                is_root: node["root"] == true,
                is_test: node["test"] == true,
            });
        }
        for edge in answer.get("edges")?.as_array()? {
            let ends = (index.get(&text(edge, "from")), index.get(&text(edge, "to")));
            let (Some(from), Some(to)) = ends else { continue };
            let lines: Vec<String> = edge["sites"]
                .as_array()
                .into_iter()
                .flatten()
                .map(Value::to_string)
                .collect();
            let confidence = edge["confidence"].as_f64().unwrap_or(1.0);
            let mut what = match lines.len() {
                1 => format!("called in line {}", lines[0]),
                _ => format!("called in lines {}", lines.join(", ")),
            };
            if confidence < SURE {
                what += &format!("; confidence {confidence:.2}");
            }
            graph.edges.push(Edge {
                from: *from,
                to: *to,
                is_sure: confidence >= SURE,
                weight: lines.len() as u64,
                what,
            });
        }
        graph.tell_parts();
        let roots: Vec<&Node> = graph.nodes.iter().filter(|node| node.is_root).collect();
        let path = roots.first().map_or("", |root| root.path.as_str());
        graph.title = match roots.as_slice() {
            [] => "Calls".to_owned(),
            [root] => format!("Calls around {}", root.name),
            roots if roots.iter().all(|root| root.path == path) => format!("Calls in {path}"),
            _ => "Calls".to_owned(),
        };
        let shown = [(graph.nodes.len(), "function"), (graph.edges.len(), "edge")];
        let hidden = [number(answer, "/hidden/nodes"), number(answer, "/hidden/edges")];
        graph.count(shown, hidden);
        if answer["complete"] == false {
            graph
                .notes
                .push("Not all calls were followed: there are more.".to_owned());
        }
        let elsewhere = number(answer, "/elsewhere");
        if elsewhere > 0 && !graph.nodes.iter().any(|node| node.path.is_empty()) {
            graph
                .notes
                .push(format!("Left out: {}.", plural(elsewhere, "external callee")));
        }
        graph.tell_coverage(answer);
        Some(graph)
    }

    /// The map of an answer of `get_dependencies` about a directory; `None` if the answer is about a file.
    pub fn of_modules(answer: &Value) -> Option<Graph> {
        let listed = answer.get("modules")?.as_array()?;
        let mut graph = Graph {
            guess: "imports that are likely, not proven",
            ..Graph::default()
        };
        let mut index = BTreeMap::new();
        for module in listed {
            let path = text(module, "path");
            index.insert(path.clone(), graph.nodes.len());
            let files = number(module, "/files");
            graph.nodes.push(Node {
                name: path.clone(),
                detail: plural(files, "file"),
                kind: if module["is_file"] == true { "file" } else { "directory" }.to_owned(),
                path,
                is_test: module["test"] == true,
                ..Node::default()
            });
        }
        let links = answer.get("links")?.as_array()?;
        for link in links.iter().take(MAX_LINKS) {
            let ends = (index.get(&text(link, "from")), index.get(&text(link, "to")));
            let (Some(from), Some(to)) = ends else { continue };
            let imports = number(link, "/imports");
            graph.edges.push(Edge {
                from: *from,
                to: *to,
                is_sure: link["resolved"] != "candidates",
                weight: imports as u64,
                what: format!(
                    "{} in {}",
                    plural(imports, "import"),
                    plural(number(link, "/files"), "file")
                ),
            });
        }
        let drawn = |node: usize| graph.edges.iter().any(|edge| edge.from == node || edge.to == node);
        let kept: Vec<bool> = (0..graph.nodes.len()).map(drawn).collect();
        graph.keep(&kept);
        graph.tell_parts();
        let path = text(answer, "path");
        graph.title = match path.as_str() {
            "" | "." => "Modules and their imports".to_owned(),
            path => format!("Modules of {path} and their imports"),
        };
        let [modules, all_links] = [number(answer, "/modules_total"), number(answer, "/links_total")];
        let shown = [(graph.nodes.len(), "module"), (graph.edges.len(), "link")];
        let hidden = [
            modules.saturating_sub(graph.nodes.len()),
            all_links.saturating_sub(graph.edges.len()),
        ];
        graph.count(shown, hidden);
        let alone = number(answer, "/without_links");
        if alone > 0 {
            graph
                .notes
                .push(format!("Without such imports: {}.", plural(alone, "more module")));
        }
        graph.tell_coverage(answer);
        Some(graph)
    }

    fn keep(&mut self, kept: &[bool]) {
        let mut places = Vec::with_capacity(kept.len());
        let mut next = 0;
        for keep in kept {
            places.push(next);
            next += usize::from(*keep);
        }
        let mut at = 0;
        self.nodes.retain(|_| {
            at += 1;
            kept[at - 1]
        });
        for edge in &mut self.edges {
            (edge.from, edge.to) = (places[edge.from], places[edge.to]);
        }
    }

    /// The first directory below the one that all have in common.
    fn tell_parts(&mut self) {
        let dir = |path: &str| path.rsplit_once('/').map_or(String::new(), |(dir, _)| dir.to_owned());
        let of = |node: &Node| dir(&node.path);
        let dirs: Vec<String> = self.nodes.iter().filter(|node| !node.path.is_empty()).map(of).collect();
        let mut common: Vec<&str> = dirs.first().map_or("", String::as_str).split('/').collect();
        for dir in &dirs {
            let same = common.iter().zip(dir.split('/')).take_while(|(a, b)| **a == *b).count();
            common.truncate(same);
        }
        let parts: Vec<String> = self
            .nodes
            .iter()
            .map(|node| {
                let own = of(node);
                own.split('/').take(common.len() + 1).collect::<Vec<_>>().join("/")
            })
            .collect();
        for (node, part) in self.nodes.iter_mut().zip(parts) {
            node.part = part;
        }
    }

    fn count(&mut self, shown: [(usize, &str); 2], hidden: [usize; 2]) {
        let words: Vec<String> = shown.iter().map(|(count, noun)| plural(*count, noun)).collect();
        self.notes.push(format!("{}.", words.join(", ")));
        let words: Vec<String> = shown
            .iter()
            .zip(hidden)
            .filter(|(_, hidden)| *hidden > 0)
            .map(|((_, noun), hidden)| plural(hidden, &format!("more {noun}")))
            .collect();
        if !words.is_empty() {
            self.notes.push(format!("Not drawn: {}.", words.join(", ")));
        }
    }

    fn tell_coverage(&mut self, answer: &Value) {
        let coverage = &answer["coverage"];
        let unparsed = number(coverage, "/unparsed");
        if unparsed > 0 {
            let files = plural(unparsed, "file");
            self.notes
                .push(format!("{files} that may belong to it could not be parsed."));
        }
        if coverage["complete"] == false && (unparsed == 0 || !coverage["pending"].is_null()) {
            self.notes
                .push("The index is not complete yet: this is a part.".to_owned());
        }
    }
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value, pointer: &str) -> usize {
    let number = value.pointer(pointer).and_then(Value::as_u64);
    usize::try_from(number.unwrap_or(0)).unwrap_or(usize::MAX)
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
