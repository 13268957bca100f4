//! What `rename_symbol` refuses, leaves, keeps and never does by halves.

use std::fs;

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::{
    kit::Kit,
    rename::{check, tree},
};

/// What a call says that must not write, as text.
#[track_caller]
fn check_refused(fixture: &str, asked: Value, expected: Expect) {
    let repo = Repo::new(fixture);
    let kit = Kit::new(&repo.root());
    let before = tree(&repo.root());
    let mut arguments = asked;
    arguments["dry_run"] = false.into();
    let outcome = kit.call("rename_symbol", arguments);
    assert!(outcome.is_error(), "{}", outcome.text);
    expected.assert_eq(&format!("{}\n", kit.steady(&outcome.text)));
    assert!(tree(&repo.root()) == before);
}

#[test]
fn what_would_be_refused_is_not_shown_at_length() {
    let repo = Repo::new("//- /lib.rs\npub fn load() {}\npub fn read() { load() }\n");
    let kit = Kit::new(&repo.root());
    let mut asked = json!({ "old_name": "load", "new_name": "read" });
    expect![[r#"
        `load` -> `read`: 2 sites in 1 file
        Nothing is written yet, and this would be refused for 1 conflict:
        - lib.rs:2 `read` is defined here already
        lib.rs: 2 sites"#]]
    .assert_eq(&kit.text("rename_symbol", asked.clone()));
    asked["force"] = true.into();
    let text = kit.text("rename_symbol", asked);
    assert!(
        text.contains("force: true passes over 1 conflict") && text.contains("+pub fn read() {}"),
        "{text}"
    );
}

#[test]
fn names_that_cannot_be() {
    let fixture = r#"
//- /lib.rs
pub fn load() {}
pub fn read() { load() }
//- /a.py
def fetch(): pass
def store(): fetch()
"#;
    for (old, new, expected) in [
        (
            "load",
            "load",
            expect![[r#"
            Error: `load` cannot be the new name: it is called that already.
            Hint: choose another name.
        "#]],
        ),
        (
            "load",
            "two words",
            expect![[r#"
            Error: `two words` cannot be the new name: ` ` cannot be part of a name.
            Hint: choose another name.
        "#]],
        ),
        (
            "load",
            "1st",
            expect![[r#"
            Error: `1st` cannot be the new name: a name does not begin with a digit.
            Hint: choose another name.
        "#]],
        ),
        (
            "load",
            "match",
            expect![[r#"
                Error: `match` cannot be the new name: it is a reserved word in rust.
                Hint: choose another name.
            "#]],
        ),
        (
            "load",
            "fn",
            expect![[r#"
                Error: `fn` cannot be the new name: it is a reserved word in rust.
                Hint: choose another name.
            "#]],
        ),
        (
            "fetch",
            "class",
            expect![[r#"
                Error: `class` cannot be the new name: it is a reserved word in python.
                Hint: choose another name.
            "#]],
        ),
        (
            "load",
            "read",
            expect![[r#"
            Error: nothing was changed, for 1 reason:
            - lib.rs:2 `read` is defined here already.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
        ),
        (
            "fetch",
            "store",
            expect![[r#"
            Error: nothing was changed, for 1 reason:
            - a.py:2 `store` is defined here already.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
        ),
    ] {
        check_refused(fixture, json!({ "old_name": old, "new_name": new }), expected);
    }
}

#[test]
fn names_that_are_taken_somewhere() {
    // A local name would stand before it, another definition would be hidden, something else would be meant.
    check_refused(
        r#"
//- /a.py
def fetch(): pass
def use(get):
    return get(fetch())
"#,
        json!({ "old_name": "fetch", "new_name": "get" }),
        expect![[r#"
            Error: nothing was changed, for 1 reason:
            - a.py:3 `get` means something else here.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
    check_refused(
        r#"
//- /a.js
export function fetchAll() { return fetch("x"); }
"#,
        json!({ "old_name": "fetchAll", "new_name": "fetch" }),
        expect![[r#"
            Error: nothing was changed, for 1 reason:
            - a.js:1 `fetch` is used here for something else, and would mean the renamed one.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
    check_refused(
        r#"
//- /a.go
package a

func load() {}
//- /b.go
package a

func read() { load() }
"#,
        json!({ "old_name": "load", "new_name": "read" }),
        expect![[r#"
            Error: nothing was changed, for 1 reason:
            - b.go:3 `read` means something else here.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
    check_refused(
        r#"
//- /Base.java
class Base { void run() {} }
class Derived extends Base { void walk() { run(); } }
"#,
        json!({ "old_name": "Derived.walk", "new_name": "run" }),
        expect![[r#"
            Error: nothing was changed, for 2 reasons:
            - Base.java:1 `run` is defined here already
            - Base.java:2 `run` is used here for something else, and would mean the renamed one.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
}

#[test]
fn what_others_have_named() {
    check_refused(
        r#"
//- /lib.rs
pub mod inner;
pub struct Circle;
impl std::fmt::Display for Circle {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { Ok(()) }
}
//- /inner.rs
pub fn f() {}
"#,
        json!({ "old_name": "Circle::fmt", "new_name": "show" }),
        expect![[r#"
            Error: nothing was changed, for 1 reason:
            - lib.rs:4 it stands in for something that is not of this workspace.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
    check_refused(
        r#"
//- /src/lib.rs
pub mod inner;
//- /src/inner.rs
pub fn f() {}
"#,
        json!({ "old_name": "inner", "new_name": "outer" }),
        expect![[r#"
            Error: nothing was changed, for 1 reason:
            - src/lib.rs:1 it is a file: move that to `outer`, and this with it.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
    check_refused(
        r#"
//- /Circle.java
public class Circle extends java.util.ArrayList {
    @Override public int size() { return 0; }
    public int width() { return size(); }
}
"#,
        json!({ "old_name": "Circle", "new_name": "Disc" }),
        expect![[r#"
            Error: nothing was changed, for 1 reason:
            - Circle.java:1 the file of a public type is named after it: it must become `Disc.java`.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
    check_refused(
        r#"
//- /Circle.java
public class Circle extends java.util.ArrayList {
    @Override public int size() { return 0; }
}
"#,
        json!({ "old_name": "Circle.size", "new_name": "length" }),
        expect![[r#"
            Error: nothing was changed, for 1 reason:
            - Circle.java:2 it overrides something that is not of this workspace.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
    check_refused(
        r#"
//- /a.py
class A:
    def __init__(self): pass
"#,
        json!({ "old_name": "A.__init__", "new_name": "start" }),
        expect![[r#"
            Error: nothing was changed, for 1 reason:
            - a.py:2 the language, or the type that is constructed, gives it its name.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
}

#[test]
fn a_preview_writes_nothing() {
    let repo = Repo::new(
        r#"
//- /a.py
def fetch():
    """fetch things"""
def use(thing):
    return fetch(), thing.fetch()
//- /notes.md
Call `fetch` first.
"#,
    );
    let kit = Kit::new(&repo.root());
    let before = tree(&repo.root());
    let text = kit.text("rename_symbol", json!({ "old_name": "fetch", "new_name": "load" }));
    expect![[r#"
        `fetch` -> `load`: 2 sites in 1 file
        Nothing is written yet: dry_run: false applies it.

        a.py: 2 sites
        ```diff
        --- a/a.py
        +++ b/a.py
        @@ -1,4 +1,4 @@
        -def fetch():
        +def load():
             """fetch things"""
         def use(thing):
        -    return fetch(), thing.fetch()
        +    return load(), thing.fetch()
        ```

        Not proven and left as they are (include_candidates takes those from a percentage on): a.py:4 10%
        Also in text, left as it is: a.py:2 (comment), notes.md:1 (document)
    "#]]
    .assert_eq(&format!("{text}\n"));
    assert!(tree(&repo.root()) == before);
    // No match and several are told as everywhere.
    let text = kit.text("rename_symbol", json!({ "old_name": "fetsh", "new_name": "load" }));
    expect![[r#"
        No definition of `fetsh` (2 files indexed). Nearest names:
        - a.py:1:5 fetch (function, public)
    "#]]
    .assert_eq(&format!("{text}\n"));
}

#[test]
fn what_is_not_proven_is_left_unless_told() {
    let fixture = r#"
//- /a.py
class Store:
    def fetch(self): pass

def use(store):
    return store.fetch()
"#;
    check(
        fixture,
        json!({ "old_name": "Store.fetch", "new_name": "load" }),
        expect![[r#"
        a.py:2 def load(self): pass
        left a.py:5
        1 sites, 1 of 1 resolved
    "#]],
    );
    check(
        fixture,
        json!({ "old_name": "Store.fetch", "new_name": "load", "include_candidates": 50 }),
        expect![[r#"
            a.py:2 def load(self): pass
            a.py:5 return store.load()
            2 sites, 1 of 1 resolved
        "#]],
    );
}

#[test]
fn a_scope_must_hold_every_site() {
    let fixture = r#"
//- /a/a.py
def fetch(): pass
//- /b/b.py
from a.a import fetch
fetch()
"#;
    check_refused(
        fixture,
        json!({ "old_name": "fetch", "new_name": "load", "scope": "file" }),
        expect![[r#"
            Error: nothing was changed, for 1 reason:
            - b/b.py:1 2 uses lie outside the scope; this is the first.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
    check_refused(
        fixture,
        json!({ "old_name": "fetch", "new_name": "load", "scope": "a/**" }),
        expect![[r#"
            Error: nothing was changed, for 1 reason:
            - b/b.py:1 2 uses lie outside the scope; this is the first.
            Hint: choose another name or resolve them; force: true renames in spite of them.
        "#]],
    );
    check(
        fixture,
        json!({ "old_name": "fetch", "new_name": "load", "scope": "**/*.py" }),
        expect![[r#"
            a/a.py:1 def load(): pass
            b/b.py:1 from a.a import load
            b/b.py:2 load()
            3 sites, 3 of 3 resolved
        "#]],
    );
}

#[test]
fn encodings_line_ends_and_permissions_stay() {
    let repo = Repo::new("//- /keep.txt\n");
    let root = repo.root();
    let utf16: Vec<u8> = std::iter::once(0xFEFF)
        .chain("from a import fetch\r\nfetch()\r\n".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let files: &[(&str, &[u8])] = &[
        ("a.py", b"\xEF\xBB\xBFdef fetch():\r\n    pass\r\n"),
        ("b.py", &utf16),
        ("c.py", b"# caf\xE9\nfrom a import fetch\nfetch() # \xE9"),
    ];
    for (path, bytes) in files {
        fs::write(root.join(path), bytes).expect("the file can be written");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(root.join("a.py"), mode).expect("permissions can be set");
    }
    let kit = Kit::new(&root);
    let renamed = kit.json(
        "rename_symbol",
        json!({ "old_name": "fetch", "new_name": "load", "dry_run": false }),
    );
    assert_eq!(renamed["sites"], 5, "{renamed}");
    let read = |path: &str| fs::read(root.join(path)).expect("the file can be read");
    assert_eq!(read("a.py"), b"\xEF\xBB\xBFdef load():\r\n    pass\r\n");
    assert_eq!(read("c.py"), b"# caf\xE9\nfrom a import load\nload() # \xE9");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(root.join("a.py"))
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o755);
    }
    kit.json(
        "rename_symbol",
        json!({ "old_name": "load", "new_name": "fetch", "dry_run": false }),
    );
    for (path, bytes) in files {
        assert_eq!(read(path), *bytes, "{path}");
    }
}

#[test]
fn a_file_that_cannot_be_written_stops_all() {
    let repo = Repo::new(
        r#"
//- /a.py
def fetch(): pass
//- /b.py
from a import fetch
fetch()
"#,
    );
    let kit = Kit::new(&repo.root());
    let before = tree(&repo.root());
    let locked = repo.root().join("b.py");
    let mut permissions = fs::metadata(&locked).expect("it is there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&locked, permissions).expect("permissions can be set");
    let asked = json!({ "old_name": "fetch", "new_name": "load", "dry_run": false });
    let outcome = kit.call("rename_symbol", asked);
    expect![[r#"
        Error: nothing was changed: `b.py` cannot be written: it is read-only.
        Hint: see to the file and call again.
    "#]]
    .assert_eq(&format!("{}\n", outcome.text));
    assert!(tree(&repo.root()) == before);
}

/// A rename that was written is told as such, however little may be said.
#[test]
fn what_was_written_is_never_an_error() {
    let repo = Repo::new("//- /a.py\nclass Box:\n    def open_it(self):\n        return self.open_it()\n");
    let kit = Kit::new(&repo.root());
    let arguments = json!({ "old_name": "Box.open_it", "new_name": "unlock", "dry_run": false, "max_tokens": 5 });
    let text = kit.text("rename_symbol", arguments);
    assert!(text.contains("2 sites in 1 file"), "{text}");
    assert!(text.contains("raise max_tokens"), "{text}");
    let written = fs::read_to_string(repo.path("a.py")).unwrap();
    assert_eq!(written.matches("unlock").count(), 2);
}

/// What was renamed cannot be renamed again to see the rest.
#[test]
fn a_rename_that_was_written_has_no_next_page() {
    let repo = Repo::new("//- /base.py\ndef fetch(): pass\n");
    for n in 0..20 {
        repo.write(
            &format!("m{n:02}.py"),
            format!("from base import fetch\nfetch()  # {n}\n"),
        );
    }
    let kit = Kit::new(&repo.root());
    let mut asked = json!({ "old_name": "fetch", "new_name": "load", "max_tokens": 400 });
    assert!(kit.text("rename_symbol", asked.clone()).contains("cursor"));
    asked["dry_run"] = false.into();
    let text = kit.text("rename_symbol", asked);
    assert!(text.contains("more; a diff of the working tree shows them"), "{text}");
    assert!(!text.contains("cursor"), "{text}");
    assert_eq!(
        fs::read_to_string(repo.path("m19.py")).unwrap(),
        "from base import load\nload()  # 19\n"
    );
}

/// A method of a class itself is not in the way of one of its values, nor renamed with it.
#[test]
fn static_methods_live_beside_others() {
    let repo = Repo::new(
        "//- /a.js\nexport class Box {\n  join(...all) { return Box.concat(this, ...all); }\n  static concat(first) { return first; }\n}\nnew Box().join();\n",
    );
    let kit = Kit::new(&repo.root());
    kit.text(
        "rename_symbol",
        json!({ "old_name": "Box.join", "new_name": "concat", "dry_run": false }),
    );
    let text = kit.text(
        "rename_symbol",
        json!({ "file": "a.js", "line": 3, "column": 10, "new_name": "glue", "dry_run": false }),
    );
    let written = fs::read_to_string(repo.path("a.js")).unwrap();
    assert!(
        written.contains("  concat(...all) { return Box.glue(this"),
        "{text}\n{written}"
    );
    assert!(
        written.contains("static glue(") && written.contains("new Box().concat()"),
        "{written}"
    );
}

#[test]
fn words_of_a_language_are_no_names() {
    let repo = Repo::new(
        "
//- /A.java
class A { void inJava() {} }
//- /a.cpp
struct S { void inCpp() {} };
//- /a.cs
class C { void InCsharp() {} }
//- /a.rb
def in_ruby; end
//- /a.swift
func inSwift() {}
//- /a.kt
fun inKotlin() {}
//- /a.go
package a
func inGo() {}
",
    );
    let kit = Kit::new(&repo.root());
    for (symbol, word) in [
        ("inJava", "class"),
        ("inCpp", "class"),
        ("InCsharp", "class"),
        ("in_ruby", "end"),
        ("inSwift", "let"),
        ("inKotlin", "when"),
        ("inGo", "func"),
    ] {
        let arguments = json!({ "symbol": symbol, "new_name": word, "dry_run": false });
        let answer = kit.call("rename_symbol", arguments).text;
        assert!(answer.contains("cannot be the new name"), "{symbol}: {answer}");
    }
    assert!(
        fs::read_to_string(repo.path("A.java"))
            .expect("it is there")
            .contains("inJava")
    );
}

#[test]
fn classes_without_a_name_are_renamed_too() {
    let repo = Repo::new(
        "
//- /Visitor.java
interface Visitor { void head(String name); }
//- /Use.java
class Use {
    void go(Visitor visitor) { visitor.head(\"a\"); }
    void anon() {
        go(new Visitor() {
            @Override public void head(String name) {}
        });
    }
    void head() {}
}
//- /State.java
enum State {
    A { boolean step(int by) { return true; } };
    abstract boolean step(int by);
}
",
    );
    let kit = Kit::new(&repo.root());
    for (symbol, name) in [("Visitor.head", "enter"), ("State.step", "move1")] {
        kit.text(
            "rename_symbol",
            json!({ "symbol": symbol, "new_name": name, "dry_run": false }),
        );
    }
    let text = fs::read_to_string(repo.path("Use.java")).expect("it is there");
    assert!(text.contains("@Override public void enter("), "{text}");
    assert!(
        text.contains("visitor.enter(") && text.contains("void head() {}"),
        "{text}"
    );
    let text = fs::read_to_string(repo.path("State.java")).expect("it is there");
    assert_eq!(text.matches("boolean move1(").count(), 2, "{text}");
}

#[test]
fn a_name_that_a_file_imports_already() {
    let fixture = r#"
//- /a.py
def alpha(): return 1
//- /b.py
from a import alpha
def beta(): return alpha()
//- /c.py
def delta(): return 2
//- /u.py
from a import alpha
from c import delta
print(alpha(), delta())
//- /a.ts
export function alef() { return 1; }
//- /c.ts
export function bet() { return 2; }
//- /u.ts
import { alef } from './a';
import { bet } from './c';
console.log(alef(), bet());
"#;
    for (old, new, place) in [
        ("beta", "alpha", "b.py:1"),
        ("delta", "alpha", "u.py:1"),
        ("bet", "alef", "u.ts:1"),
    ] {
        let repo = Repo::new(fixture);
        let kit = Kit::new(&repo.root());
        let before = tree(&repo.root());
        let arguments = json!({ "old_name": old, "new_name": new, "dry_run": false });
        let outcome = kit.call("rename_symbol", arguments);
        let reason = format!("{place} `{new}` is imported here already");
        assert!(outcome.is_error() && outcome.text.contains(&reason), "{}", outcome.text);
        assert!(tree(&repo.root()) == before);
    }
    // What is imported under the new name already is the same thing.
    let repo = Repo::new("//- /a.py\ndef one(): return 1\n//- /b.py\nfrom a import one as two\nprint(two())\n");
    let kit = Kit::new(&repo.root());
    kit.text(
        "rename_symbol",
        json!({ "old_name": "one", "new_name": "two", "dry_run": false }),
    );
    let after = fs::read_to_string(repo.root().join("b.py")).unwrap();
    assert_eq!(after, "from a import two as two\nprint(two())\n");
}

#[test]
fn a_key_that_is_written_out_is_no_other_reading() {
    check(
        "//- /a.ts\nexport function beta() { return 1; }\nexport const api = { beta, other: 1 };\n",
        json!({ "old_name": "beta", "new_name": "gamma" }),
        expect![[r#"
            a.ts:1 export function gamma() { return 1; }
            a.ts:2 export const api = { beta: gamma, other: 1 };
            2 sites, 2 of 2 resolved
        "#]],
    );
}

/// A rename that leaves what is likely to be meant breaks the build: nothing is told before that, however small the answer.
#[test]
fn what_is_likely_and_left_is_told_first() {
    let repo = Repo::new(
        r#"
//- /a.py
class Store:
    def fetch(self): pass

def use(store):
    return store.fetch()
def again(store):
    store.fetch()
    store.fetch()
"#,
    );
    let kit = Kit::new(&repo.root());
    let asked = json!({ "old_name": "Store.fetch", "new_name": "load" });
    let left = "3 likely uses are not proven and keep the old name: a.py:5, a.py:7, a.py:8. include_candidates: 85";
    for max_tokens in [100, 4000] {
        let mut asked = asked.clone();
        asked["max_tokens"] = max_tokens.into();
        let text = kit.text("rename_symbol", asked);
        assert_eq!(
            text.lines().nth(1).map(|line| line.starts_with(left)),
            Some(true),
            "{text}"
        );
    }
    let mut written = asked;
    written["dry_run"] = false.into();
    let text = kit.text("rename_symbol", written);
    assert!(text.contains(left) && !text.contains("newly unresolved"), "{text}");
    assert!(text.contains("1 of 1 proven site lead"), "{text}");
}
