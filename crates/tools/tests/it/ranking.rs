//! The order of `map_code`: by what the files of a workspace refer to, computed beside the answers where it takes long.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::{Kit, string};

/// Both files define what everyone else mentions; only one of them is meant.
const REPO: &str = r#"
//- /lib/alpha.py
def shared(text):
    return text

def lonely(text):
    return text
//- /lib/beta.py
def shared(text):
    return text
//- /lib/one.py
from lib.beta import shared
import lib.beta

def one():
    return shared("a") + lib.beta.shared("b")
//- /lib/two.py
from lib.beta import shared as other

def two():
    return other("a")
//- /lib/three.py
from lib.beta import shared

def three():
    return shared("a")
//- /web/a.ts
export function render(): string { return "" }
//- /web/b.ts
export function render(): string { return "" }
//- /web/c.ts
import { render } from "./b";
export const page = () => render();
//- /web/d.ts
import { render } from "./b";
export const main = () => render();
"#;

/// The first symbols that are shown of a directory: those for which a budget just suffices.
fn first(kit: &Kit, path: &str) -> Vec<String> {
    for max_tokens in 60..400 {
        let answer = kit.call("map_code", json!({ "path": path, "max_tokens": max_tokens }));
        let shown = symbols(&answer.structured);
        if !shown.is_empty() {
            return shown;
        }
    }
    panic!("no symbol is ever shown");
}

/// Each symbol that an answer shows, with its file.
fn symbols(answer: &Value) -> Vec<String> {
    let files = answer["files"].as_array().into_iter().flatten();
    let symbols = files.flat_map(|file| {
        let symbols = file["symbols"].as_array().into_iter().flatten();
        symbols.map(|symbol| format!("{}: {}", string(&file["path"]), string(symbol)))
    });
    symbols.collect()
}

#[test]
fn what_is_referred_to_comes_first_of_many_files() {
    let repo = Repo::new("//- /lib/zz_last.py\ndef shared(text):\n    return text\n");
    for n in 0..300 {
        let text = format!("from lib.zz_last import shared\n\ndef own_{n}():\n    return shared(1)\n");
        repo.write(&format!("lib/f{n}.py"), text);
    }
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    assert_eq!(first(&kit, "lib"), ["lib/zz_last.py: def shared(text)"]);
    // Of files that are not read it is still known how much they have.
    let answer = kit.json("map_code", json!({ "max_tokens": 200 }));
    let (shown, hidden) = (&answer["shown"], &answer["hidden"]);
    let all = |key: &str| shown[key].as_u64().unwrap() + hidden[key].as_u64().unwrap();
    assert_eq!((all("files"), all("symbols")), (301, 301));
}

#[test]
fn what_is_referred_to_comes_first() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    assert_eq!(first(&kit, "lib"), ["lib/beta.py: def shared(text)"]);
    assert_eq!(first(&kit, "web"), ["web/b.ts: export function render(): string"]);
    // A small workspace is ranked at once, also after a change.
    repo.write(
        "lib/one.py",
        "from lib.alpha import lonely\n\ndef one():\n    return lonely('a')\n",
    );
    repo.write(
        "lib/two.py",
        "from lib.alpha import lonely\n\ndef two():\n    return lonely('a')\n",
    );
    repo.write("lib/three.py", "def three():\n    return 3\n");
    assert_eq!(first(&kit, "lib"), ["lib/alpha.py: def lonely(text)"]);
    assert_eq!(kit.json("map_code", json!({})).get("order_generation"), None);
}

/// Asks until an answer is as wanted, and returns those before it.
fn until(kit: &Kit, arguments: &Value, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
    let started = Instant::now();
    let mut before = Vec::new();
    loop {
        let answer = kit.json("map_code", arguments.clone());
        if wanted(&answer) {
            return before;
        }
        before.push(answer);
        assert!(started.elapsed() < Duration::from_secs(60), "it never comes");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_large_workspace_is_ranked_beside_the_answers() {
    let repo = Repo::new("");
    for n in 0..30 {
        repo.write(&format!("lib/def{n:02}.py"), "def shared(text):\n    return text\n");
    }
    let use_all = |of: &str| {
        for n in 0..400 {
            let text = format!("from lib.{of} import shared\n\ndef use_{n}():\n    return shared('a')\n");
            repo.write(&format!("lib/use/u{n:03}.py"), text);
        }
    };
    use_all("def17");
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    let few = json!({ "path": "lib", "max_tokens": 150 });
    let shows = |answer: &Value, file: &str| symbols(answer).contains(&format!("lib/{file}.py: def shared(text)"));
    // Until then by mentions, which do not tell one from the others.
    until(&kit, &few, |answer| shows(answer, "def17"));
    use_all("def23");
    let older = until(&kit, &few, |answer| answer.get("order_generation").is_none());
    // An answer that does not wait so long has the one before, and says so.
    for answer in older {
        assert!(shows(&answer, "def17") && !shows(&answer, "def23"), "{answer}");
        assert!(answer["order_generation"].as_u64() < answer["coverage"]["generation"].as_u64());
    }
    let newer = kit.json("map_code", few.clone());
    assert!(shows(&newer, "def23") && !shows(&newer, "def17"), "{newer}");
    // Computed once more it is the same.
    let again = Kit::new(&repo.root());
    again.json("index_repository", json!({}));
    until(&again, &few, |answer| answer["files"] == newer["files"]);
}
