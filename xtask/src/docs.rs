//! `cargo xtask docs`: the documents that are made from the code.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, bail};

/// File name below `docs`, and what must be in it.
fn documents() -> [(&'static str, String); 3] {
    [
        ("tools.md", tools::tools_md()),
        ("profiles.md", tools::profiles_md()),
        ("languages.md", syntax::languages_md(graph::has_rules)),
    ]
}

pub fn write() -> Result<()> {
    fs::create_dir_all(path_of(""))?;
    for (name, text) in documents() {
        let path = path_of(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

pub fn check() -> Result<()> {
    for (name, text) in documents() {
        let path = path_of(name);
        let written = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if written != text {
            bail!("docs/{name} is out of date; run `cargo xtask docs`");
        }
    }
    Ok(())
}

fn path_of(name: &str) -> PathBuf {
    crate::workspace_root().join("docs").join(name)
}
