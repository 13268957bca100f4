//! Compiles `src/flatten.c` and, unless the feature `plain-parser` is on, `src/parse.c` against the private sources and headers
//! of the `tree-sitter` crate.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

/// What `src/parse.c` takes in.
const TAKEN: &[&str] = &[
    "language.c",
    "lexer.c",
    "parser.c",
    "stack.c",
    "subtree.c",
    "wasm_store.c",
];

fn main() {
    let include = env::var_os("DEP_TREE_SITTER_INCLUDE").expect("tree-sitter says where its headers are");
    let include = PathBuf::from(include);
    let library = include.parent().expect("they are in its package").join("src");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    fs::write(out.join("names.h"), names(&library)).expect("cargo's own directory can be written to");
    let mut ours = vec!["src/flatten.c"];
    if env::var_os("CARGO_FEATURE_PLAIN_PARSER").is_none() {
        ours.push("src/parse.c");
    }
    for file in &ours {
        println!("cargo:rerun-if-changed={file}");
    }
    let mut build = cc::Build::new();
    build
        .std("c11")
        // Every test that indexes runs it.
        .opt_level(3)
        // Functions that no other library can replace may be inlined.
        .flag_if_supported("-fvisibility=hidden")
        // The same as tree-sitter's own build script: its sources need them on Linux, the BSDs and macOS.
        .define("_POSIX_C_SOURCE", "200112L")
        .define("_DEFAULT_SOURCE", None)
        .define("_BSD_SOURCE", None)
        .define("_DARWIN_C_SOURCE", None)
        .include(out)
        .files(ours);
    // Our files are compiled with warnings. tree-sitter's are included from system directories, where there are none.
    if build.get_compiler().is_like_msvc() {
        build.warnings(false).include(library).include(include);
    } else {
        build.warnings(true).extra_warnings(true);
        for dir in [library, include] {
            build.flag("-isystem").flag(dir);
        }
    }
    build.compile("portolan-parser");
}

/// A header that gives the functions of the library that are compiled anew a name of their own: the library is linked too.
fn names(library: &Path) -> String {
    let mut names = BTreeSet::new();
    for file in TAKEN {
        let text = fs::read_to_string(library.join(file)).expect("the library comes with its sources");
        let is_public = |line: &&str| line.starts_with(char::is_alphabetic) && !line.starts_with("static");
        for line in text.lines().filter(is_public) {
            let head = line.split('(').next().unwrap_or(line);
            let name = head.rsplit([' ', '*']).next().unwrap_or(head);
            if name.starts_with("ts_") && head.len() < line.len() {
                names.insert(name.to_owned());
            }
        }
    }
    names
        .iter()
        .map(|name| format!("#define {name} portolan_{name}\n"))
        .collect()
}
