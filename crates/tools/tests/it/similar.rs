//! Code like other code, and the vectors that it is found by: they outlive processes, edits, damage and models.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

const REPO: &str = r#"
//- /src/config.rs
/// Reads the configuration file and parses it.
pub fn read_config(path: &Path) -> Result<Config, Error> {
    let text = std::fs::read_to_string(path)?;
    let config: Config = toml::from_str(&text)?;
    config.validate()?;
    Ok(config)
}
//- /app/settings.py
import json

def load_settings(file_name):
    """Load the settings from a configuration file."""
    with open(file_name) as file:
        settings = json.load(file)
    return settings
//- /web/color.ts
export function mixColors(first: Color, second: Color, ratio: number): Color {
    const red = first.red * (1 - ratio) + second.red * ratio;
    const green = first.green * (1 - ratio) + second.green * ratio;
    return new Color(red, green);
}
//- /net/retry.go
package net

func RetryWithBackoff(attempts int, delay time.Duration, call func() error) error {
	for attempt := 0; attempt < attempts; attempt++ {
		if err := call(); err == nil {
			return nil
		}
		time.Sleep(delay << attempt)
	}
	return errors.New("too many attempts")
}
"#;

const MIXING: &str = "function blend(a, b, ratio) { return new Color(a.red * ratio + b.red, a.green + b.green); }";

fn similar(kit: &Kit, arguments: Value) -> Vec<Value> {
    kit.rows("find_similar", &arguments, "results")
}

fn paths(kit: &Kit, arguments: Value) -> Vec<String> {
    similar(kit, arguments).iter().map(|row| string(&row["path"])).collect()
}

fn engine(kit: &Kit) -> String {
    string(&kit.json("find_similar", json!({ "code": MIXING }))["engine"])
}

fn vector_files(kit: &Kit) -> Vec<PathBuf> {
    let dir = fs::read_dir(kit.index_dir().join("vectors")).unwrap();
    let mut files: Vec<PathBuf> = dir.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "vec"));
    files.sort();
    files
}

#[test]
fn what_is_like_it_comes_first() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let reading = "def parse_configuration(path):\n    with open(path) as file:\n        return toml.load(file)\n";
    for (arguments, expected) in [
        (json!({ "code": MIXING }), "web/color.ts"),
        (json!({ "code": reading }), "src/config.rs"),
        (json!({ "code": reading, "language": "python" }), "app/settings.py"),
        (json!({ "code": reading, "language": "rust" }), "src/config.rs"),
        (
            json!({ "code": "try again after waiting when a call fails" }),
            "net/retry.go",
        ),
        (json!({ "file": "src/config.rs", "line": 4 }), "app/settings.py"),
        (json!({ "filePath": "app/settings.py", "line": "6" }), "src/config.rs"),
    ] {
        let answer = kit.json("find_similar", arguments.clone());
        let rows = answer["results"].as_array().unwrap();
        assert_eq!(rows[0]["path"], expected, "{arguments}");
        let scores: Vec<f64> = rows.iter().map(|row| row["score"].as_f64().unwrap()).collect();
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        assert_eq!(answer["coverage"]["engines"], json!(["vectors"]));
        assert_ne!(answer["engine"], "keywords");
        assert_eq!(similar(&kit, arguments), *rows);
    }
    assert_eq!(paths(&kit, json!({ "code": MIXING, "limit": 1 })), ["web/color.ts"]);
    let waiting = json!({ "code": "retry a call with a delay", "language": "go", "limit": 100 });
    assert_eq!(paths(&kit, waiting), ["net/retry.go"]);
    let alias = kit.json(
        "get_similar_code",
        json!({ "query": "mix two colors", "directory": repo.root() }),
    );
    assert_eq!(alias["results"][0]["path"], "web/color.ts");
}

#[test]
fn the_place_itself_is_left_out() {
    let repo = Repo::new(REPO);
    repo.write(
        "long.rs",
        format!("fn long() {{\n{}}}\n", "    let colour = mix(red, green);\n".repeat(40)),
    );
    let kit = Kit::with_small_chunks(&repo.root());
    let answer = kit.json("find_similar", json!({ "file": "long.rs", "line": 20, "limit": 100 }));
    assert_eq!(
        answer["asked"],
        json!({ "path": "long.rs", "start_line": 1, "end_line": 42 })
    );
    let rows = answer["results"].as_array().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|row| row["path"] != "long.rs"));
    // A function that is there twice is like itself, as a whole however many chunks it has.
    fs::copy(repo.path("long.rs"), repo.path("copy.rs")).unwrap();
    let rows = similar(&kit, json!({ "file": "long.rs", "line": 20, "limit": 3 }));
    let shown = |row: &Value| {
        json!([
            row["path"],
            row["start_line"],
            row["end_line"],
            row["symbol"],
            row["score"]
        ])
    };
    assert_eq!(shown(&rows[0]), json!(["copy.rs", 1, 42, "long", 1.0]));
    assert!(rows[1..].iter().all(|row| row["path"] != "copy.rs"), "{rows:?}");
}

/// Functions so short that they have one vector together, and chunks of their own.
#[test]
fn a_function_among_others_is_found_as_itself() {
    let repo = Repo::new("");
    let filler =
        |what: &str| format!("    check_{what}(input)?;\n    let {what} = input.{what}_of(state, {what});\n").repeat(5);
    let function = |name: &str, body: &str| format!("fn {name}(input: &Input) {{\n{body}}}\n\n");
    let wanted =
        "    let compressed = deflate(input.bytes(), Level::Best);\n    archive.write_compressed(compressed);\n";
    let text = [
        function("walk_tree", &filler("node")),
        function("shrink", &wanted.repeat(4)),
        function("open_door", &filler("door")),
    ];
    repo.write("all.rs", text.concat());
    let kit = Kit::new(&repo.root());
    let place = |row: &Value| json!([row["start_line"], row["end_line"], row["symbol"]]);
    let rows = similar(
        &kit,
        json!({ "code": format!("fn pack() {{\n{wanted}}}"), "language": "rust" }),
    );
    assert_eq!(place(&rows[0]), json!([14, 23, "shrink"]), "{rows:?}");
    let question = json!({ "query": "zip bytes deflated for the archive", "mode": "semantic" });
    let row = &kit.rows("search_code", &question, "results")[0];
    assert_eq!(row["symbol"], "shrink", "{row}");
    let status = kit.json("index_status", json!({}));
    assert_eq!(
        (&status["chunks"], &status["vectors"]["vectors"]),
        (&json!(3), &json!(1))
    );
}

#[test]
fn a_place_or_a_name_instead_of_code() {
    let repo = Repo::new(
        "//- /src/a.rs\nfn load(n: u32) -> u32 {\n    n + 1\n}\n\nfn add(n: u32) -> u32 {\n    n + 1\n}\n//- /src/b.rs\nfn add() {}\n",
    );
    let kit = Kit::new(&repo.root());
    let asked = |code: &str| kit.json("find_similar", json!({ "code": code }))["asked"].clone();
    let load = json!({ "path": "src/a.rs", "start_line": 1, "end_line": 3 });
    for code in ["src/a.rs:2", "a.rs:2", "load", "src/a.rs#load"] {
        assert_eq!(asked(code), load, "{code}");
    }
    assert_eq!(asked("src/b.rs#add")["path"], "src/b.rs");
    // Code, or what nothing is called, or several things are.
    for code in ["load(n)", "n + 1", "nothing", "add", "src/c.rs:2"] {
        assert_eq!(asked(code), Value::Null, "{code}");
    }
}

#[test]
fn arguments_that_say_nothing() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    for (arguments, message) in [
        (json!({}), "give `code`, or `file` and `line`"),
        (json!({ "file": "src/config.rs" }), "`line` is missing"),
        (json!({ "line": 3 }), "`file` is missing"),
        (json!({ "file": "src/config.rs", "code": "x" }), "not both"),
        (json!({ "file": "src/config.rs", "line": 99 }), "has no line 99"),
        (json!({ "file": "src/confg.rs", "line": 1 }), "does not exist"),
        (json!({ "code": "x", "language": "rsut" }), "unknown language"),
    ] {
        let outcome = kit.call("find_similar", arguments.clone());
        assert!(
            outcome.is_error() && outcome.text.contains(message),
            "{arguments}: {}",
            outcome.text
        );
    }
}

#[test]
fn vectors_outlive_the_process() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    let before = similar(&kit, json!({ "code": MIXING }));
    let files = vector_files(&kit);
    assert_eq!(files.len(), 1);
    let kit = kit.reopened();
    assert_eq!(similar(&kit, json!({ "code": MIXING })), before);
    assert_eq!(vector_files(&kit), files);
}

#[test]
fn what_is_gone_is_like_nothing() {
    let repo = Repo::new(REPO);
    for watch in [false, true] {
        let repo_of = |text: &str| repo.write("web/color.ts", text);
        let kit = Kit::with(&repo.root(), watch, &[]);
        let color = || similar(&kit, json!({ "code": MIXING, "language": "typescript" }));
        let original = fs::read_to_string(repo.path("web/color.ts")).unwrap();
        assert_eq!(color().len(), 1);
        repo_of("export function openDoor(door: Door) {\n    door.unlock();\n}\n");
        assert!(color().iter().all(|row| string(&row["snippet"]).contains("openDoor")));
        repo_of(&original);
        assert_eq!(color()[0]["symbol"], "mixColors");
        fs::rename(repo.path("web/color.ts"), repo.path("web/mix.ts")).unwrap();
        assert_eq!(
            paths(&kit, json!({ "code": MIXING, "language": "typescript" })),
            ["web/mix.ts"]
        );
        repo.remove("web/mix.ts");
        assert_eq!(color(), [] as [Value; 0]);
        repo_of(&original);
    }
}

/// More rows than are rewritten by each commit, so that there are several files of vectors and some are merged.
#[test]
fn merging_changes_no_answer() {
    let repo = Repo::new("");
    let file = |n: usize, of: &str| {
        let line = |k: usize| format!("let {of}_{n} = color_{k}.mix(config_{n}, retry_{k}); // {of} number {k}\n");
        repo.write(&format!("{n:02}.rs"), (0..500).map(line).collect::<String>());
    };
    (0..40).for_each(|n| file(n, "first"));
    let kit = Kit::new(&repo.root());
    let questions = [
        json!({ "code": "let third = color.mix(config, retry);", "limit": 100, "max_tokens": 20000 }),
        json!({ "file": "03.rs", "line": 7, "limit": 30, "max_tokens": 20000 }),
    ];
    let ask = |kit: &Kit| questions.clone().map(|question| similar(kit, question));
    ask(&kit);
    let mut most = 0;
    for round in 0..12 {
        // The last rounds leave most of the first file old.
        let files = if round < 6 {
            round..round + 1
        } else {
            round * 3..round * 3 + 3
        };
        files.for_each(|n| file(n, ["second", "third"][round % 2]));
        ask(&kit);
        most = most.max(vector_files(&kit).len());
    }
    assert!((2..=8).contains(&most), "{most} files of vectors");
    let updated = ask(&kit);
    assert!(updated.iter().all(|rows| rows.len() >= 30));
    assert_eq!(updated, ask(&Kit::new(&repo.root())));
    assert_eq!(updated, ask(&kit.reopened()));
}

/// The built-in model under another name, which makes it another model.
fn other_model(repo: &Repo) -> String {
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/../embed/model.bin");
    let mut bytes = fs::read(built_in).unwrap();
    let name = b"\"name\"";
    let at = bytes.windows(name.len()).position(|window| window == name).unwrap();
    let value = at + name.len() + bytes[at + name.len()..].iter().position(|byte| *byte == b'"').unwrap() + 1;
    bytes[value] = b'Z';
    let path = repo.beside("other.model");
    fs::write(&path, bytes).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn another_model_makes_other_vectors() {
    let repo = Repo::new(REPO);
    let other = other_model(&repo);
    let kit = Kit::new(&repo.root());
    let built_in = engine(&kit);
    let before = similar(&kit, json!({ "code": MIXING }));
    let kit = kit.reopened_with(&[("search.model", &other)]);
    assert!(engine(&kit).starts_with('Z'), "{}", engine(&kit));
    assert_eq!(similar(&kit, json!({ "code": MIXING })), before);
    assert_eq!(vector_files(&kit).len(), 1);
    let status = kit.json("index_status", json!({}));
    assert_eq!(status["vectors"]["chunks"], status["chunks"]);
    let kit = kit.reopened_with(&[]);
    assert_eq!(engine(&kit), built_in);
    assert_eq!(similar(&kit, json!({ "code": MIXING })), before);
}

/// Files that came while there was no model get their vectors when there is one.
#[test]
fn a_model_that_comes_back() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    engine(&kit);
    let kit = kit.reopened_with(&[("search.model", "none")]);
    assert_eq!(engine(&kit), "keywords");
    repo.remove("web/color.ts");
    repo.write(
        "paint.py",
        "def blend(a, b, ratio):\n    return Color(a.red * ratio + b.red)\n",
    );
    assert_eq!(paths(&kit, json!({ "code": MIXING }))[0], "paint.py");
    let kit = kit.reopened_with(&[]);
    assert_ne!(engine(&kit), "keywords");
    assert_eq!(paths(&kit, json!({ "code": MIXING }))[0], "paint.py");
    let fresh = Kit::new(&repo.root());
    assert_eq!(
        similar(&kit, json!({ "code": MIXING })),
        similar(&fresh, json!({ "code": MIXING }))
    );
}

#[test]
fn without_a_model_words_answer_and_it_is_said() {
    let repo = Repo::new(REPO);
    let garbage = repo.beside("garbage.model");
    fs::write(&garbage, "garbage").unwrap();
    for (model, health, reason) in [
        ("none", "absent", "search.model is none"),
        ("/nowhere/at/all.model", "degraded", "cannot be read"),
        (&garbage.to_string_lossy(), "degraded", "not a model file"),
        ("/models/code.onnx", "degraded", "no ONNX runtime"),
        (
            "bulit-in",
            "degraded",
            "neither `built-in`, `none`, the address of a server nor an absolute path",
        ),
    ] {
        let kit = Kit::with(&repo.root(), false, &[("search.model", model)]);
        let answer = kit.json("find_similar", json!({ "code": MIXING }));
        assert_eq!(answer["engine"], "keywords", "{model}");
        assert_eq!(answer["coverage"]["engines"], json!(["text"]), "{model}");
        assert_eq!(answer["results"][0]["path"], "web/color.ts", "{model}");
        let note = string(&answer["note"]);
        assert!(note.contains(reason), "{model}: {note}");
        let text = kit.text("find_similar", json!({ "code": MIXING }));
        assert!(text.contains(reason), "{model}: {text}");
        let checked = kit.json("health_check", json!({}));
        assert_eq!(checked["parts"]["vector_index"]["status"], health, "{model}");
        assert!(
            string(&checked["parts"]["vector_index"]["message"]).contains(reason),
            "{model}"
        );
        assert!(kit.text("index_status", json!({})).contains(reason), "{model}");
        assert_eq!(kit.paths_with("mixColors"), ["web/color.ts"], "{model}");
        let place = kit.json("find_similar", json!({ "file": "src/config.rs", "line": 3 }));
        assert_ne!(place["results"][0]["path"], "src/config.rs", "{model}");
    }
}

/// One long function is not all of a page.
#[test]
fn long_places_are_shown_by_their_beginning() {
    let lines: String = (0..90).map(|n| format!("    total += weigh(items[{n}])\n")).collect();
    let repo = Repo::new("");
    for name in ["first", "second", "third"] {
        repo.write(
            &format!("{name}.py"),
            format!("def weigh_all_{name}(items):\n    total = 0\n{lines}    return total\n"),
        );
    }
    let kit = Kit::new(&repo.root());
    let answer = kit.call("find_similar", json!({ "file": "first.py", "line": 3 }));
    for name in ["second", "third"] {
        assert!(answer.text.contains(&format!("{name}.py:1-93")), "{}", answer.text);
    }
    assert!(answer.text.contains("... (53 more lines)"), "{}", answer.text);
}

#[test]
fn a_language_leaves_the_order_as_it_is() {
    let repo = Repo::new(REPO);
    for (name, verb) in [("save", "write"), ("fetch", "get"), ("store", "dump")] {
        repo.write(
            &format!("app/{name}.py"),
            format!("import json\n\ndef {name}_settings(path):\n    with open(path) as file:\n        return json.{verb}(file)\n"),
        );
    }
    let kit = Kit::new(&repo.root());
    let code =
        "# Reads it.\ndef parse_configuration(path):\n    with open(path) as file:\n        return toml.load(file)\n";
    for language in ["python", "rust", "go"] {
        let of_language = |row: &Value| row["language"] == language;
        let all = similar(&kit, json!({ "code": code, "limit": 100 }));
        let expected: Vec<Value> = all.into_iter().filter(of_language).collect();
        let found = similar(&kit, json!({ "code": code, "limit": 100, "language": language }));
        let told = |rows: &[Value]| -> Vec<(String, Value)> {
            rows.iter()
                .map(|row| (string(&row["path"]), row["score"].clone()))
                .collect()
        };
        assert_eq!(told(&found), told(&expected), "{language}");
    }
}
