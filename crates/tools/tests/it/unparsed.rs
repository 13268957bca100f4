//! Files that could not be parsed are searched as text: of what they define and use nothing is known, and answers say so.

use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::Kit;

const REPO: &str = r#"
//- /s.py
def small():
    return 1


def lone():
    return other()


def unused():
    return 2


class Base:
    pass
//- /b.py
from s import lone
lone()
"#;

/// More than is parsed, most of it blank.
fn large(code: &str) -> String {
    let blank = " ".repeat(4000) + "\n";
    format!("{code}\n{}", blank.repeat(1100))
}

fn indexed() -> (Repo, Kit) {
    let repo = Repo::new(REPO);
    let code = "from s import small\ndef hidden(): return small()\ndef other(): pass\nclass Derived(Base): pass";
    repo.write("large.py", large(code));
    repo.write("large.json", large("{ \"small\": 1 }"));
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    (repo, kit)
}

const LINE: &str = "Not parsed: 1 file that mentions the name, so what it defines and uses is not known (grep shows the \
                    lines): large.py (too large to parse).";

#[test]
fn what_they_may_hold_is_not_denied() {
    let (_repo, kit) = indexed();
    let asked: &[(&str, Value, &str)] = &[
        (
            "find_callers",
            json!({ "symbol": "small" }),
            "0 callers: no call of it in the files that are parsed",
        ),
        (
            "find_references",
            json!({ "symbol": "small" }),
            "Nothing in the files that are parsed uses it",
        ),
        (
            "impact_analysis",
            json!({ "symbol": "small" }),
            "Risk medium: 1 file with its name not parsed; nothing that is parsed uses it",
        ),
        (
            "deep_dive",
            json!({ "symbol": "small" }),
            "risk medium (1 file with its name not parsed; nothing that is parsed uses it",
        ),
        (
            "rename_symbol",
            json!({ "old_name": "small", "new_name": "tiny" }),
            "large.py:2 (not parsed)",
        ),
        ("find_symbol", json!({ "name": "hidden" }), "No symbol like `hidden`"),
        ("find_symbol", json!({ "name": "hidd" }), "No symbol like `hidd`"),
        (
            "find_definition",
            json!({ "symbol": "hidden" }),
            "No definition of `hidden`",
        ),
        (
            "find_callers",
            json!({ "symbol": "hidden" }),
            "No definition of `hidden`",
        ),
        ("find_callees", json!({ "symbol": "lone" }), "other (external)"),
        (
            "find_implementations",
            json!({ "symbol": "Base" }),
            "0 implementations: none in the files that are parsed",
        ),
        (
            "find_path",
            json!({ "from": "lone", "to": "small" }),
            "No path from lone",
        ),
        (
            "get_dependencies",
            json!({ "file_path": "s.py", "reverse": true }),
            "1 file imports s.py",
        ),
    ];
    for (tool, arguments, told) in asked {
        let text = kit.text(tool, arguments.clone());
        assert!(text.contains(told), "{tool} {arguments}: {text}");
        assert!(text.contains(LINE), "{tool} {arguments}: {text}");
        let coverage = &kit.json(tool, arguments.clone())["coverage"];
        assert_eq!(coverage["complete"], false, "{tool} {arguments}");
        let skipped = json!([{ "path": "large.py", "reason": "too large to parse" }]);
        assert_eq!(coverage["skipped"], skipped, "{tool} {arguments}");
    }
}

/// Only those count that mention the name, in a language that can name it.
#[test]
fn what_they_do_not_mention_is_known() {
    let (_repo, kit) = indexed();
    for (tool, arguments, told) in [
        (
            "find_callers",
            json!({ "symbol": "unused" }),
            "0 callers: no call of it in this workspace",
        ),
        ("find_symbol", json!({ "name": "nowhere" }), "No symbol like `nowhere`"),
        ("search_code", json!({ "query": "small" }), "Definition found: small"),
    ] {
        let text = kit.text(tool, arguments.clone());
        assert!(text.contains(told) && !text.contains("Not parsed"), "{tool}: {text}");
        assert_eq!(kit.json(tool, arguments)["coverage"]["complete"], true, "{tool}");
    }
}

#[test]
fn a_rename_that_is_written_tells_what_it_leaves() {
    let (_repo, kit) = indexed();
    let text = kit.text(
        "rename_symbol",
        json!({ "old_name": "small", "new_name": "tiny", "dry_run": false }),
    );
    let note = "Not parsed, and left as it is: large.py (too large to parse); what uses `small` there has to be renamed \
                by hand.";
    assert!(text.starts_with("Renamed") && text.contains(note), "{text}");
}

#[test]
fn they_are_listed_with_the_reason() {
    let (_repo, kit) = indexed();
    let status = kit.json("index_status", json!({}));
    assert_eq!(
        status["skipped"],
        json!([
            { "path": "large.json", "reason": "too large to parse", "text_only": true },
            { "path": "large.py", "reason": "too large to parse", "text_only": true },
        ])
    );
    let text = kit.text("index_status", json!({}));
    let list = "Searched as text only (2 files):\n- large.json: too large to parse\n- large.py: too large to parse";
    assert!(text.ends_with(list), "{text}");
    let map = kit.text("map_code", json!({}));
    assert!(map.contains("\nlarge.py (not parsed: too large to parse)\n"), "{map}");
}

#[test]
fn what_is_asked_of_one_says_so() {
    let (_repo, kit) = indexed();
    for (tool, arguments) in [
        ("find_callers", json!({ "file": "large.py", "line": 2 })),
        ("find_definition", json!({ "file": "large.py", "line": 2 })),
        ("get_call_graph", json!({ "file_path": "large.py" })),
    ] {
        let outcome = kit.call(tool, arguments);
        let told = "`large.py` is not parsed (too large to parse), so no names are known in it";
        assert!(
            outcome.is_error() && outcome.text.contains(told),
            "{tool}: {}",
            outcome.text
        );
    }
}
