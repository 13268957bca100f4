//! Compiles `src/parse.c` and `src/flatten.c` with the sources and headers of the parser's library.

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
    for ours in ["parse.c", "flatten.c"] {
        println!("cargo:rerun-if-changed=src/{ours}");
    }
    cc::Build::new()
        .std("c11")
        // Every test that indexes runs it.
        .opt_level(3)
        .warnings(false)
        // What nobody outside can replace may be put in where it is called.
        .flag_if_supported("-fvisibility=hidden")
        .define("_POSIX_C_SOURCE", "200112L")
        .define("_DEFAULT_SOURCE", None)
        .include(out)
        .include(library)
        .include(include)
        .files(["src/parse.c", "src/flatten.c"])
        .compile("portolan-parser");
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
