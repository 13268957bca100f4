//! A repository that would like to be run.

use std::fs;

use rust_ide::{Analysis, Meaning, Outside};

use crate::kit::meaning;

const HOSTILE: &str = r#"
//- /Cargo.toml
[package]
name = "hostile"
edition = "2021"
build = "build.rs"
links = "canary"
[dependencies]
evil = { path = "evil" }
//- /build.rs
fn main() { std::fs::write("CANARY", "build script").unwrap(); }
//- /.cargo/config.toml
[build]
rustc-wrapper = "./canary.sh"
rustc = "./canary.sh"
[env]
RUSTC = "./canary.sh"
[alias]
metadata = "run --bin canary"
//- /rust-toolchain.toml
[toolchain]
path = "."
//- /bin/rustc
#!/bin/sh
echo rustc > CANARY
//- /canary.sh
#!/bin/sh
echo wrapper > CANARY
//- /evil/Cargo.toml
[package]
name = "evil"
edition = "2021"
[lib]
proc-macro = true
//- /evil/src/lib.rs
extern crate proc_macro;
use proc_macro::TokenStream;
#[proc_macro]
pub fn bang(input: TokenStream) -> TokenStream { std::fs::write("CANARY", "macro").unwrap(); input }
#[proc_macro_attribute]
pub fn attribute(_: TokenStream, item: TokenStream) -> TokenStream { std::fs::write("CANARY", "attribute").unwrap(); item }
#[proc_macro_derive(Derived)]
pub fn derived(_: TokenStream) -> TokenStream { std::fs::write("CANARY", "derive").unwrap(); TokenStream::new() }
//- /src/lib.rs
include!(concat!(env!("OUT_DIR"), "/made.rs"));
include!("../../../../etc/passwd");
const SECRET: &str = include_str!("/etc/passwd");
#[derive(evil::Derived)]
pub struct Plain;
impl Plain { pub fn touch(&self) {} }
#[evil::attribute]
pub fn decorated(plain: Plain) { plain.touch(); evil::bang!(plain.touch()); }
fn last(plain: Plain) { decorated(plain) }
"#;

#[test]
fn nothing_is_run() {
    let mut repo = test_fixture::Repo::new(HOSTILE);
    assert!(!repo.edit());
    #[cfg(unix)]
    for script in ["canary.sh", "bin/rustc"] {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(repo.path(script), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let files = test_fixture::Fixture::parse(HOSTILE).revisions.remove(0);
    let files = files.into_iter().filter(|file| Analysis::reads(&file.path));
    let files: Vec<(String, String)> = files.map(|file| (file.path, file.text)).collect();
    let before = children();
    let analysis = Analysis::load(files.clone(), &Outside::default());
    let mut known = 0;
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
        // Every place of every file: what can be expanded is.
        known += (0..text.len() as u32)
            .filter(|at| text.is_char_boundary(*at as usize) && meaning(&analysis, path, *at) != Meaning::Unknown)
            .count();
    }
    assert!(known > 50, "{known} places are known");
    let text = &files.iter().find(|(path, _)| path == "src/lib.rs").unwrap().1;
    let at = text.find("decorated(plain) }").unwrap() as u32;
    let meant = meaning(&analysis, "src/lib.rs", at);
    assert!(
        matches!(meant, Meaning::Definitions(_)),
        "an attribute that is not run hides nothing: {meant:?}"
    );
    let canaries = ["CANARY", "evil/CANARY", "src/CANARY"].map(|name| repo.path(name).exists());
    assert_eq!(canaries, [false; 3]);
    assert!(!std::path::Path::new("CANARY").exists());
    assert_eq!(children(), before, "no process was started");
}

/// The processes that this one has started and not yet forgotten.
fn children() -> Vec<String> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let mut found: Vec<String> = tasks
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    found.sort();
    found
}

/// Code that is deeper than a stack, or nearly; whatever else is in the workspace is still known.
#[test]
fn nothing_is_too_deep() {
    // As the thread has it that answers users.
    let thread = std::thread::Builder::new().stack_size(256 << 20);
    let checks = || [200, 1_900, 50_000].into_iter().for_each(check_depth);
    thread.spawn(checks).expect("a thread").join().expect("all is known");
}

fn check_depth(n: usize) {
    let codes = [
        format!("fn f() {{ {}1{} }}", "(".repeat(n), ")".repeat(n)),
        "[".repeat(n),
        format!("fn f() {}{}", "{".repeat(n), "}".repeat(n)),
        format!("fn f() -> u32 {{ 1{} }}", " + 1".repeat(n)),
        format!("fn f(a: A) {{ a{} }}", ".b()".repeat(n)),
        format!("fn f() -> bool {{ {}true }}", "!".repeat(n)),
        format!("type T = {}u8{};", "Vec<".repeat(n), ">".repeat(n)),
        format!("type T = {}u8;", "&".repeat(n)),
        format!("fn f() {{ {}1; }}", "|| ".repeat(n)),
        format!("fn f() {{ {}1; }}", "return ".repeat(n)),
        format!("fn f(a: bool) {{ {} {{}} }}", vec!["if a {}"; n].join(" else ")),
        format!("{}{}", "mod m {".repeat(n), "}".repeat(n)),
        format!("m! {{ {}{} }}", "(".repeat(n), ")".repeat(n)),
    ];
    for code in codes {
        let files = [
            ("Cargo.toml", "[package]\nname = \"deep\"\nedition = \"2021\"\n"),
            ("src/lib.rs", "mod deep;\nfn g() {}\nfn h() { g() }\n"),
            ("src/deep.rs", &code),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let analysis = Analysis::load(files, &Outside::default());
        for at in [3, 12, code.len() as u32 / 2, code.len() as u32 - 1] {
            meaning(&analysis, "src/deep.rs", at);
        }
        let known = meaning(&analysis, "src/lib.rs", 29);
        assert!(
            matches!(known, Meaning::Definitions(_)),
            "{n} of {}: {known:?}",
            &code[..10]
        );
    }
}
