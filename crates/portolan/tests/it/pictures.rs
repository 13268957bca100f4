//! `portolan graph` with pictures.

use std::{fs, path::Path, process::Output};

use test_fixture::Repo;

use crate::server::{home, portolan};

const REPO: &str = r##"
//- /src/app.py
from shop import total
def main():
    return total("tea")
//- /src/shop.py
from prices import price
def total(name):
    return price(name)
//- /src/prices.py
def price(name):
    return 1
//- /web/<script>boom()<b>.js
import { draw } from "./draw.js";
export class Page { "<img src=x onerror=boom()>"() { draw(); } }
//- /web/draw.js
export function draw() {}
//- /one/x.py
def twice(): pass
//- /two/x.py
def twice(): pass
"##;

fn graph(home: &Path, repo: &Repo, arguments: &[&str]) -> Output {
    let mut command = portolan(home);
    let command = command.current_dir(repo.root()).arg("graph").args(arguments);
    command.output().expect("the binary starts")
}

#[cfg(unix)]
#[test]
fn a_picture_is_written_where_it_was_asked_for() {
    let (repo, home) = (Repo::new(REPO), home());
    let to = repo.beside("pictures");
    fs::create_dir(&to).expect("a directory can be made");
    let at = |name: &str| to.join(name).to_string_lossy().into_owned();
    for (arguments, name, told, drawn) in [
        (
            &["total", "--direction", "both"][..],
            "a.svg",
            "Calls around total. 3 functions, 2 edges.",
            ">main</text>",
        ),
        (
            &["total", "--direction=both"],
            "a.html",
            "Calls around total. 3 functions, 2 edges.",
            ">price</text>",
        ),
        (
            &["total", "src/shop.py"],
            "b.SVG",
            "Calls around total. 2 functions, 1 edge.",
            ">price</text>",
        ),
        (
            &["src/shop.py"],
            "c.svg",
            "Calls around total. 2 functions, 1 edge.",
            ">price</text>",
        ),
        (
            &["draw", "--direction", "in"],
            "d.html",
            "Calls around draw.",
            "&lt;img src=x onerror=boom()&gt;",
        ),
        (
            &["--modules"],
            "e.svg",
            "Modules and their imports. 5 modules, 3 links.",
            "&lt;script&gt;boom()&lt;b&gt;.js",
        ),
        (
            &["--modules", "src"],
            "f.html",
            "Modules of src and their imports. 3 modules, 2 links.",
            ">src/app.py</text>",
        ),
    ] {
        // What is there is replaced.
        fs::write(at(name), "old").expect("a file can be written");
        let output = graph(home.path(), &repo, &[arguments, &["--output", &at(name)]].concat());
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        assert!(said.contains(told), "{arguments:?}: {said}");
        let text = fs::read_to_string(at(name)).expect("the picture is there");
        assert!(text.contains(drawn), "{arguments:?}: {text}");
        assert!(
            !text.contains("<img") && !text.contains("<script>boom"),
            "{arguments:?}: {text}"
        );
        assert_eq!(text.contains("<script>"), name.ends_with("html"), "{arguments:?}");
        let again = graph(home.path(), &repo, &[arguments, &["-o", &at(name)]].concat());
        assert!(again.status.success());
        assert_eq!(
            fs::read_to_string(at(name)).expect("the picture is there"),
            text,
            "{arguments:?}"
        );
    }
    let mut names: Vec<String> = fs::read_dir(&to)
        .expect("the directory can be read")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["a.html", "a.svg", "b.SVG", "c.svg", "d.html", "e.svg", "f.html"]
    );
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let (repo, home) = (
        Repo::new("//- /one/x.py\ndef twice(): pass\n//- /two/x.py\ndef twice(): pass\n"),
        home(),
    );
    for (arguments, code, said) in [
        (
            &["twice", "-o", "x.png"][..],
            2,
            "`x.png` ends in neither .svg nor .html",
        ),
        (&["twice", "-o", "x"], 2, "ends in neither"),
        (&["twice", "-o", "x.svg"], 1, "`twice` is ambiguous: 2 definitions"),
        (&["nowhere", "-o", "x.svg"], 1, "No definition of `nowhere`"),
        (&["-o", "x.svg"], 1, "give `file_path`, `symbol` or both"),
        (&["--modules", "one/x.py", "-o", "x.svg"], 1, "one/x.py is a file"),
        (&["--modules", "none", "-o", "x.svg"], 1, "none"),
        (
            &["--modules", "-o", "dot"],
            2,
            "--modules has text, json, .svg and .html",
        ),
        (&["twice", "one/x.py", "-o", "no/such/dir/x.svg"], 1, "cannot write"),
    ] {
        let output = graph(home.path(), &repo, arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
        assert!(!repo.path("x.svg").exists(), "{arguments:?}");
    }
}

#[test]
fn what_was_printed_still_is() {
    let (repo, home) = (
        Repo::new("//- /a.py\ndef f(): g()\ndef g(): pass\n//- /b.py\nimport a\n"),
        home(),
    );
    for (arguments, said) in [
        (&["f"][..], "Call graph of f a.py:1 (out, depth 1): 2 nodes, 1 edge"),
        (&["f", "a.py"], "Call graph of f a.py:1"),
        (&["a.py", "f"], "Call graph of f a.py:1"),
        (&["a.py"], "Call graph of a.py (out, depth 1): 2 nodes, 1 edge"),
        (&["f", "-o", "mermaid"], "flowchart LR"),
        (&["f", "--output", "dot"], "digraph calls"),
        (&["f", "--output=json"], r#""nodes":[{"id":"n0","name":"f""#),
        (&["--modules"], "b.py -> a.py: 1 import in 1 file"),
        (
            &["--modules", "-o", "json"],
            r#""links":[{"from":"b.py","to":"a.py","imports":1,"files":1}]"#,
        ),
    ] {
        let output = graph(home.path(), &repo, arguments);
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{arguments:?}");
        assert!(stdout.contains(said), "{arguments:?}: {stdout}");
    }
}
