//! Pictures as a viewer gets them.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use picture::{Drawing, Edge, Graph, Node};
use serde_json::{Value, json};

fn node(name: &str, path: &str) -> Node {
    Node {
        name: name.to_owned(),
        detail: format!("{path}:1"),
        kind: "function".to_owned(),
        path: path.to_owned(),
        line: Some(1),
        ..Node::default()
    }
}

fn edge(from: usize, to: usize) -> Edge {
    Edge {
        from,
        to,
        is_sure: true,
        weight: 1,
        what: "called in line 1".to_owned(),
    }
}

/// Which boxes are in which column, from the left, and in which order.
fn columns(drawing: &Value) -> String {
    let boxes = drawing["boxes"].as_array().expect("boxes");
    let middle = |one: &Value| (one["x"].as_f64().unwrap() + one["width"].as_f64().unwrap() / 2.0) as i64;
    let mut columns: Vec<(i64, Vec<(i64, &str)>)> = Vec::new();
    for one in boxes {
        let (x, y) = (middle(one), one["y"].as_f64().unwrap() as i64);
        let entry = (y, one["name"].as_str().unwrap());
        match columns.iter_mut().find(|(other, _)| (other - x).abs() < 3) {
            Some((_, column)) => column.push(entry),
            None => columns.push((x, vec![entry])),
        }
    }
    columns.sort();
    let column = |(_, column): (i64, Vec<(i64, &str)>)| {
        let mut column = column;
        column.sort();
        column.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(" ")
    };
    columns.into_iter().map(column).collect::<Vec<_>>().join(" | ")
}

/// A graph of names, seen from one of them if that is given.
fn graph<S: AsRef<str>>(nodes: &[S], edges: &[(usize, usize)], root: Option<usize>) -> Graph {
    let mut graph = Graph {
        nodes: nodes.iter().map(|name| node(name.as_ref(), "a.rs")).collect(),
        edges: edges.iter().map(|(from, to)| edge(*from, *to)).collect(),
        ..Graph::default()
    };
    if let Some(root) = root {
        graph.nodes[root].is_root = true;
    }
    graph
}

#[track_caller]
fn check(nodes: &[&str], edges: &[(usize, usize)], root: Option<usize>, expect: Expect) {
    let graph = graph(nodes, edges, root);
    expect.assert_eq(&columns(&Drawing::new(&graph).to_json()));
}

#[test]
fn boxes_are_in_columns() {
    // Callers to the left of what is asked about, callees to the right, by distance; a call back changes nothing.
    check(
        &["f", "a", "b", "c", "d"],
        &[(1, 0), (2, 1), (0, 3), (3, 4), (4, 3), (0, 0)],
        Some(0),
        expect!["b | a | f | c | d"],
    );
    // What is imported is to the right of all that import it; a cycle has to begin somewhere.
    check(
        &["app", "lib", "base", "x", "y"],
        &[(0, 1), (1, 2), (0, 2), (3, 4), (4, 3)],
        None,
        expect!["app x | lib y | base"],
    );
    // The order has no crossings where none are needed.
    check(
        &["f", "p", "q", "r", "to q", "to p", "to r"],
        &[(0, 1), (0, 2), (0, 3), (2, 4), (1, 5), (3, 6)],
        Some(0),
        expect!["f | p q r | to p to q to r"],
    );
    // Many callers are several columns.
    let names: Vec<String> = (0..61).map(|n| format!("f{n}")).collect();
    let calls: Vec<(usize, usize)> = (1..61).map(|caller| (caller, 0)).collect();
    let graph = graph(&names, &calls, Some(0));
    let columns = columns(&Drawing::new(&graph).to_json());
    let sizes: Vec<usize> = columns.split(" | ").map(|column| column.split(' ').count()).collect();
    assert_eq!(sizes, [20, 20, 20, 1], "{columns}");
    check(&["alone"], &[], Some(0), expect!["alone"]);
    check(&[], &[], None, expect![""]);
}

/// Numbers that look random and are the same each time.
fn noise(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

#[test]
fn boxes_do_not_touch_and_the_same_graph_is_the_same_picture() {
    let mut state = 7;
    for case in 0..60 {
        let count = 1 + noise(&mut state) % 40;
        let mut graph = Graph::default();
        for at in 0..count {
            let name = "n".repeat(1 + noise(&mut state) % 60);
            graph.nodes.push(node(&format!("{name}{at}"), "src/file.rs"));
        }
        for _ in 0..noise(&mut state) % 90 {
            graph
                .edges
                .push(edge(noise(&mut state) % count, noise(&mut state) % count));
        }
        graph.nodes[0].is_root = case % 2 == 0;
        let drawing = Drawing::new(&graph);
        let json = drawing.to_json();
        let number = |one: &Value, key: &str| one[key].as_f64().expect("a number");
        let boxes = json["boxes"].as_array().expect("boxes");
        for (at, a) in boxes.iter().enumerate() {
            for b in &boxes[..at] {
                let apart = |key: &str, size: &str| {
                    number(a, key) + number(a, size) <= number(b, key)
                        || number(b, key) + number(b, size) <= number(a, key)
                };
                assert!(apart("x", "width") || apart("y", "height"), "case {case}: {a} {b}");
            }
            assert!(number(a, "x") >= 0.0 && number(a, "x") + number(a, "width") <= number(&json, "width") + 0.2);
            assert!(number(a, "y") >= -0.1 && number(a, "y") + number(a, "height") <= number(&json, "height") + 0.2);
        }
        assert_eq!(json["arrows"].as_array().map(Vec::len), Some(graph.edges.len()));
        let again = Drawing::new(&graph);
        assert_eq!(drawing.to_svg(), again.to_svg());
        assert_eq!(drawing.to_html(), again.to_html());
    }
}

/// The names of all tags; fails where one is not closed. Quotes are only in attributes, as they are escaped elsewhere.
fn tags(text: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let mut quoted = false;
        let end = rest.find(|c| {
            quoted ^= c == '"';
            c == '>' && !quoted
        });
        let tag = &rest[..end.expect("a tag ends")];
        assert!(!tag.contains('<'), "a tag in a tag: {tag}");
        rest = &rest[tag.len() + 1..];
        let name: String = tag
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || "/!".contains(*c))
            .collect();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop().as_deref(), Some(name)),
            None => {
                seen.insert(name.clone());
                let is_void = tag.ends_with('/') || ["!doctype", "meta"].contains(&name.as_str());
                if !is_void {
                    open.push(name.clone());
                }
                // Their content is not markup.
                if ["script", "style"].contains(&name.as_str()) {
                    rest = &rest[rest.find(&format!("</{name}>")).expect("it ends")..];
                }
            }
        }
    }
    assert_eq!(open, Vec::<String>::new());
    seen
}

#[test]
fn names_stay_text() {
    let names = [
        "</script><script>alert(1)</script>",
        "</title></svg><img src=x onerror=alert(1)>",
        "\" onload=\"alert(1)",
        "' onclick='alert(1)",
        "]]><!-- -->",
        "<!--<style>*{display:none}</style>",
        "&lt;b&gt; &#60;",
        "\u{0}\u{1b}[31m\u{202e}\u{fffe}",
        "a\nb\tc",
    ];
    let mut graph = Graph {
        title: names[0].to_owned(),
        notes: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Graph::default()
    };
    for name in names {
        let mut hostile = node(name, name);
        hostile.kind = name.to_owned();
        hostile.part = name.to_owned();
        graph.nodes.push(hostile);
        let last = graph.nodes.len() - 1;
        let mut called = edge(last, 0);
        called.what = name.to_owned();
        graph.edges.push(called);
    }
    let drawing = Drawing::new(&graph);
    let (svg, html) = (drawing.to_svg(), drawing.to_html());
    let of_svg = ["defs", "g", "marker", "path", "rect", "style", "svg", "text", "title"];
    let of_html = [
        "!doctype", "body", "button", "div", "footer", "h1", "head", "header", "html", "li", "main", "meta", "p",
        "script", "span", "ul",
    ];
    let wanted = |tags: &[&[&str]]| -> BTreeSet<String> { tags.concat().iter().map(|tag| (*tag).to_owned()).collect() };
    assert_eq!(tags(&svg), wanted(&[&of_svg]));
    assert_eq!(tags(&html), wanted(&[&of_svg, &of_html]));
    assert_eq!(html.matches("<script>").count(), 1);
    for text in [&svg, &html] {
        assert!(text.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(text.contains("&amp;lt;b&amp;gt;"));
        let control = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(control, None);
    }
}

#[test]
fn a_page_runs_its_own_script_and_nothing_else() {
    let mut graph = Graph::default();
    graph.nodes.push(node("f", "a.rs"));
    let html = Drawing::new(&graph).to_html();
    let policy = html
        .split("Content-Security-Policy\" content=\"")
        .nth(1)
        .expect("a policy");
    let policy = policy.split('"').next().expect("it ends");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(policy.contains("script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    for text in [html.clone(), Drawing::new(&graph).to_svg()] {
        let loads = ["src=", "href=", "@import", "url(http", "<use", "<image"];
        assert_eq!(loads.iter().find(|load| text.contains(**load)), None);
        let elsewhere = text
            .split("http")
            .filter(|rest| rest.starts_with("://") || rest.starts_with("s://"));
        assert_eq!(
            elsewhere
                .filter(|rest| !rest.starts_with("://www.w3.org/2000/svg"))
                .count(),
            0
        );
    }
}

#[test]
fn long_names_are_shortened_and_told_in_full() {
    let mut graph = Graph::default();
    let name = format!("Owner::{}_the_end", "very_long_".repeat(12));
    graph
        .nodes
        .push(node(&name, &format!("{}last.rs", "directory/".repeat(12))));
    graph.nodes.push(node(&"名前".repeat(40), "b.rs"));
    let json = Drawing::new(&graph).to_json();
    let first = &json["boxes"][0];
    let label = first["label"].as_str().expect("a label");
    assert!(label.starts_with("Owner::very_long_"), "{label}");
    assert!(label.ends_with("_the_end") && label.chars().count() <= 36, "{label}");
    assert!(
        first["detail"]
            .as_str()
            .is_some_and(|detail| detail.starts_with('…') && detail.ends_with("/last.rs:1"))
    );
    assert!(first["tip"].as_str().is_some_and(|tip| tip.contains(&name)));
    assert!(first["width"].as_f64().is_some_and(|width| width < 340.0));
    assert!(
        json["boxes"][1]["label"]
            .as_str()
            .is_some_and(|label| label.chars().count() <= 18)
    );
}

#[test]
fn an_answer_is_read_with_what_it_leaves_out() {
    let answer = json!({
        "nodes": [
            { "id": "n0", "name": "f", "kind": "function", "path": "src/a/x.rs", "line": 3, "root": true },
            { "id": "n4", "name": "g", "kind": "function", "path": "src/b/y.rs", "line": 9, "test": true },
            { "id": "n5", "name": "h", "kind": "function", "path": "src/c/y.rs", "line": 1 },
        ],
        "edges": [
            { "from": "n4", "to": "n0", "sites": [10, 12], "confidence": 1.0 },
            { "from": "n0", "to": "n5", "sites": [4], "confidence": 0.55 },
            { "from": "n0", "to": "n99", "sites": [5], "confidence": 1.0 },
        ],
        "hidden": { "nodes": 2, "edges": 1 },
        "elsewhere": 3,
        "complete": false,
        "coverage": { "complete": false },
    });
    let graph = Graph::of_calls(&answer).expect("a graph");
    assert_eq!(graph.title, "Calls around f");
    assert_eq!(
        graph.notes,
        [
            "3 functions, 2 edges.",
            "Not drawn: 2 more functions, 1 more edge.",
            "Not all calls were followed: there are more.",
            "Left out: 3 external callees.",
            "The index is not complete yet: this is a part.",
        ]
    );
    let drawing = Drawing::new(&graph).to_json();
    let classes: Vec<&str> = drawing["boxes"]
        .as_array()
        .expect("boxes")
        .iter()
        .filter_map(|one| one["class"].as_str())
        .collect();
    assert_eq!(classes, ["node part0 root", "node test", "node part1"]);
    assert_eq!(drawing["arrows"][0]["class"], "edge");
    assert_eq!(drawing["arrows"][1]["class"], "edge guess");
    let legend: Vec<&str> = drawing["legend"]
        .as_array()
        .expect("a legend")
        .iter()
        .filter_map(|one| one["text"].as_str())
        .collect();
    assert_eq!(legend, ["src/a", "src/c", "tests", "a likely call, not a proven one"]);
    for no_graph in [
        json!({}),
        json!({ "candidates": [] }),
        json!({ "nodes": [], "total": 0, "nearest": [] }),
    ] {
        assert_eq!(Graph::of_calls(&no_graph), None);
        assert_eq!(Graph::of_modules(&no_graph), None);
    }

    let links: Vec<Value> = (0..130)
        .map(|at| json!({ "from": format!("m{at}"), "to": "base", "imports": 200 - at, "files": 1 }))
        .collect();
    let modules = (0..130).map(|at| json!({ "path": format!("m{at}"), "files": 1 }));
    let modules: Vec<Value> = modules.chain([json!({ "path": "base", "files": 9 })]).collect();
    let answer = json!({
        "path": ".", "modules": modules, "modules_total": 140, "links": links, "links_total": 150, "without_links": 2,
    });
    let graph = Graph::of_modules(&answer).expect("a map");
    assert_eq!(
        graph.notes,
        [
            "121 modules, 120 links.",
            "Not drawn: 19 more modules, 30 more links.",
            "Without such imports: 2 more modules.",
        ]
    );
}
