//! A graph with a place for everything: what SVG, HTML and the explorer show.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::{
    graph::{Graph, Node},
    layout::{self, Input, Segment, Size},
};

/// Widths of a letter. The fonts have letters of one width, so that texts can be measured without them.
pub(crate) const NAME_LETTER: f64 = 7.9;
pub(crate) const DETAIL_LETTER: f64 = 6.7;
/// Columns of letters that are shown; the tip has the whole.
const NAME_COLUMNS: usize = 36;
const DETAIL_COLUMNS: usize = 44;

const BOX_HEIGHT: f64 = 42.0;
const BOX_PADDING: f64 = 11.0;
const LEAST_WIDTH: f64 = 90.0;

/// Parts of the workspace that have a colour of their own; the classes are `part0` and so on.
const PARTS: usize = 6;

/// A graph, laid out.
#[derive(Debug)]
pub struct Drawing {
    pub(crate) title: String,
    pub(crate) notes: Vec<String>,
    pub(crate) boxes: Vec<Boxed>,
    pub(crate) arrows: Vec<Arrow>,
    /// A class, and what it stands for.
    pub(crate) legend: Vec<(&'static str, String)>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

#[derive(Debug)]
pub(crate) struct Boxed {
    pub node: Node,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub class: String,
    /// As far as they fit.
    pub name: String,
    pub detail: String,
    pub tip: String,
}

#[derive(Debug)]
pub(crate) struct Arrow {
    pub from: usize,
    pub to: usize,
    /// In the words of SVG's `d`.
    pub path: String,
    pub class: &'static str,
    pub thickness: f64,
    pub tip: String,
}

impl Drawing {
    pub fn new(graph: &Graph) -> Drawing {
        let labels: Vec<(String, String)> = graph.nodes.iter().map(label).collect();
        let sizes: Vec<Size> = labels.iter().map(|(name, detail)| size(name, detail)).collect();
        let edges: Vec<(usize, usize)> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let mut roots = (0..graph.nodes.len()).filter(|node| graph.nodes[*node].is_root);
        let placed = layout::place(&Input {
            sizes: &sizes,
            edges: &edges,
            root: roots.next().filter(|_| roots.next().is_none()),
        });
        let palette = Palette::new(&graph.nodes);
        let mut boxes = Vec::with_capacity(sizes.len());
        for (at, (name, detail)) in labels.into_iter().enumerate() {
            let (node, size, (x, y)) = (&graph.nodes[at], sizes[at], placed.corners[at]);
            let root = if node.is_root { " root" } else { "" };
            boxes.push(Boxed {
                x,
                y,
                width: size.width,
                height: size.height,
                class: format!("node {}{root}", palette.class(node)),
                name,
                detail,
                tip: tip(node),
                node: node.clone(),
            });
        }
        let heaviest = graph.edges.iter().map(|edge| edge.weight).max().unwrap_or(1).max(2) as f64;
        let arrows = graph.edges.iter().zip(&placed.paths).map(|(edge, path)| {
            let [from, to] = [edge.from, edge.to].map(|node| graph.nodes[node].name.as_str());
            Arrow {
                from: edge.from,
                to: edge.to,
                path: words(path),
                class: if edge.is_sure { "edge" } else { "edge guess" },
                thickness: 1.2 + 1.8 * (edge.weight.max(1) as f64).ln() / heaviest.ln(),
                tip: format!("{from} → {to}: {}", edge.what),
            }
        });
        let mut legend = palette.legend;
        if graph.edges.iter().any(|edge| !edge.is_sure) {
            legend.push(("guess", graph.guess.to_owned()));
        }
        Drawing {
            title: graph.title.clone(),
            notes: graph.notes.clone(),
            arrows: arrows.collect(),
            boxes,
            legend,
            width: placed.width,
            height: placed.height,
        }
    }

    /// For a page that draws it by itself.
    pub fn to_json(&self) -> Value {
        let boxes = self.boxes.iter().map(|one| {
            json!({
                "x": rounded(one.x), "y": rounded(one.y), "width": rounded(one.width), "height": rounded(one.height),
                "class": one.class, "label": one.name, "detail": one.detail, "tip": one.tip,
                "name": one.node.name, "kind": one.node.kind, "path": one.node.path, "line": one.node.line,
            })
        });
        let arrows = self.arrows.iter().map(|one| {
            json!({
                "from": one.from, "to": one.to, "d": one.path, "class": one.class,
                "thickness": rounded(one.thickness), "tip": one.tip,
            })
        });
        let legend = self
            .legend
            .iter()
            .map(|(class, text)| json!({ "class": class, "text": text }));
        json!({
            "title": self.title,
            "notes": self.notes,
            "width": rounded(self.width),
            "height": rounded(self.height),
            "boxes": boxes.collect::<Vec<_>>(),
            "arrows": arrows.collect::<Vec<_>>(),
            "legend": legend.collect::<Vec<_>>(),
        })
    }
}

/// Which part of the workspace has which colour.
struct Palette {
    parts: Vec<String>,
    legend: Vec<(&'static str, String)>,
}

const CLASSES: [&str; PARTS] = ["part0", "part1", "part2", "part3", "part4", "part5"];

impl Palette {
    fn new(nodes: &[Node]) -> Palette {
        let mut counted: Vec<(&str, usize)> = Vec::new();
        let own = nodes.iter().find(|node| node.is_root).map(|root| root.part.as_str());
        for node in nodes.iter().filter(|node| !node.is_test && !node.path.is_empty()) {
            match counted.iter_mut().find(|(part, _)| *part == node.part) {
                Some((_, count)) => *count += 1,
                None => counted.push((&node.part, 1)),
            }
        }
        counted.sort_by(|a, b| {
            let is_other = |part: &str| Some(part) != own;
            (is_other(a.0), b.1, a.0).cmp(&(is_other(b.0), a.1, b.0))
        });
        let mut palette = Palette {
            parts: counted.iter().take(PARTS).map(|(part, _)| (*part).to_owned()).collect(),
            legend: Vec::new(),
        };
        let named = palette.parts.iter().map(|part| match part.as_str() {
            "" => "(root)".to_owned(),
            part => shortened(part, DETAIL_COLUMNS),
        });
        // One colour alone tells nothing.
        if counted.len() > 1 {
            palette.legend = CLASSES.into_iter().zip(named).collect();
        }
        if counted.len() > PARTS {
            let others = counted.len() - PARTS;
            palette.legend.push(("parts", format!("{others} other parts")));
        }
        if nodes.iter().any(|node| node.is_test) {
            palette.legend.push(("test", "tests".to_owned()));
        }
        if nodes.iter().any(|node| node.path.is_empty()) {
            palette.legend.push(("elsewhere", "external".to_owned()));
        }
        palette
    }

    fn class(&self, node: &Node) -> &'static str {
        let part = self.parts.iter().position(|part| *part == node.part);
        match part {
            _ if node.path.is_empty() => "elsewhere",
            _ if node.is_test => "test",
            Some(part) => CLASSES[part],
            None => "parts",
        }
    }
}

fn label(node: &Node) -> (String, String) {
    let (name, detail) = (
        shortened(&node.name, NAME_COLUMNS),
        ending(&node.detail, DETAIL_COLUMNS),
    );
    match node.is_test {
        true => (name, detail + ", test"),
        false => (name, detail),
    }
}

fn tip(node: &Node) -> String {
    let mut tip = match node.kind.as_str() {
        "" => node.name.clone(),
        kind => format!("{kind} {}", node.name),
    };
    let _ = write!(tip, ", {}", node.detail);
    if node.is_test {
        tip.push_str(", test");
    }
    tip
}

fn size(name: &str, detail: &str) -> Size {
    let text = (columns(name) as f64 * NAME_LETTER).max(columns(detail) as f64 * DETAIL_LETTER);
    Size {
        width: (text + 2.0 * BOX_PADDING).max(LEAST_WIDTH),
        height: BOX_HEIGHT,
    }
}

/// Letters of other scripts can be twice as wide; which are is not known without the font.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() || c == '…' { 1 } else { 2 }).sum()
}

/// The beginning that fits.
fn beginning(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += if c.is_ascii() { 1 } else { 2 };
        if used > room {
            return &text[..at];
        }
    }
    text
}

fn last(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices().rev() {
        used += if c.is_ascii() { 1 } else { 2 };
        if used > room {
            return &text[at + c.len_utf8()..];
        }
    }
    text
}

/// Beginning and end, where it is too long.
fn shortened(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let half = room / 2;
    format!("{}…{}", beginning(text, half), last(text, room - half - 1))
}

/// A path is known by its end.
fn ending(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    format!("…{}", last(text, room - 1))
}

fn words(path: &[Segment]) -> String {
    let mut out = String::new();
    for (at, Segment([(x, y), a, b, end])) in path.iter().enumerate() {
        if at == 0 {
            let _ = write!(out, "M{} {}", rounded(*x), rounded(*y));
        }
        let [a, b, end] = [a, b, end].map(|(x, y)| format!("{} {}", rounded(*x), rounded(*y)));
        let _ = write!(out, "C{a} {b} {end}");
    }
    out
}

/// A tenth of a pixel is enough, and the same everywhere.
pub(crate) fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
