//! Tells the crate which compiler builds it.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told = Command::new(rustc).arg("-V").output();
    let told = told.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    // `rustc 1.91.0 (f8297e351 2025-10-28)`
    let version = told.as_deref().and_then(|told| told.split_whitespace().nth(1));
    println!("cargo::rustc-env=COMPILER_VERSION={}", version.unwrap_or("unknown"));
}
