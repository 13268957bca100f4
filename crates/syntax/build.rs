//! Compiles `src/flatten.c` with the headers of the parser's library.

use std::{env, path::PathBuf};

fn main() {
    let include = env::var_os("DEP_TREE_SITTER_INCLUDE").expect("tree-sitter says where its headers are");
    let include = PathBuf::from(include);
    let private = include.parent().expect("they are in its package").join("src");
    println!("cargo:rerun-if-changed=src/flatten.c");
    cc::Build::new()
        .std("c11")
        // Every test that indexes runs it.
        .opt_level(3)
        .warnings(false)
        .include(private)
        .include(include)
        .file("src/flatten.c")
        .compile("portolan-flatten");
}
