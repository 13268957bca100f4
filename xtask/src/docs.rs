//! `cargo xtask docs`: the documents that are made from the code.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, bail};

pub fn write() -> Result<()> {
    let path = tools_md();
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    fs::write(&path, tools::tools_md()).with_context(|| format!("cannot write {}", path.display()))
}

pub fn check() -> Result<()> {
    let path = tools_md();
    let written = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    if written != tools::tools_md() {
        bail!("docs/tools.md is out of date; run `cargo xtask docs`");
    }
    Ok(())
}

fn tools_md() -> PathBuf {
    crate::workspace_root().join("docs").join("tools.md")
}
