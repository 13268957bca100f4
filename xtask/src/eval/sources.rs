//! The sources that a truth set is about: unpacked from its own archive, or fetched by name and version.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The archive of a truth set that has its sources with it: a directory for each repository.
const ARCHIVE: &str = "corpora.tar.xz";

/// A directory with the sources of one repository, checked to be the version that the truth is about.
pub fn of(repo: &str, manifest: &Value, truth: &Path, scratch: &Path) -> Result<PathBuf> {
    let archive = truth.join(ARCHIVE);
    let root = if archive.is_file() {
        let dir = scratch.join("sources");
        if !dir.is_dir() {
            unpack(&archive, &dir)?;
        }
        dir.join(repo)
    } else {
        let version = manifest["version"].as_str().context("a repository without a version")?;
        let fetched = fetch(version, &scratch.join(repo)).with_context(|| format!("{version} cannot be fetched"))?;
        only_dir(&fetched)?
    };
    check(&root, manifest)?;
    Ok(root)
}

fn unpack(archive: &Path, dir: &Path) -> Result<()> {
    fs::create_dir_all(dir)?;
    run(Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(dir))
}

fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("{} does not run", command.get_program().display()))?;
    if !status.success() {
        bail!("{command:?} fails");
    }
    Ok(())
}

/// `crates.io bat 0.25.0`, by the registry's own client. Nothing of what is fetched is built or run, but for what pip runs
/// to read a package's metadata.
fn fetch(version: &str, dir: &Path) -> Result<PathBuf> {
    let mut words = version.split_whitespace();
    let (Some(registry), Some(name), Some(version)) = (words.next(), words.next(), words.next()) else {
        bail!("no registry, name and version");
    };
    let packed = dir.join("packed");
    fs::create_dir_all(&packed)?;
    match registry {
        "crates.io" => {
            let project = dir.join("project");
            fs::create_dir_all(project.join("src"))?;
            fs::write(project.join("src/lib.rs"), "")?;
            let dependency =
                format!("[package]\nname = \"fetch\"\n[workspace]\n[dependencies]\n{name} = \"={version}\"\n");
            fs::write(project.join("Cargo.toml"), dependency)?;
            let vendored = dir.join("vendor");
            run(Command::new("cargo")
                .arg("vendor")
                .arg("--versioned-dirs")
                .arg(&vendored)
                .current_dir(&project))?;
            return Ok(vendored.join(format!("{name}-{version}")));
        }
        "PyPI" => run(Command::new("python3")
            .args(["-m", "pip", "download", "--no-deps", "--no-binary", ":all:", "--dest"])
            .arg(&packed)
            .arg(format!("{name}=={version}")))?,
        "npm" => run(Command::new("npm")
            .args(["pack", "--pack-destination"])
            .arg(&packed)
            .arg(format!("{name}@{version}")))?,
        // Needs a `deb-src` line in the sources of apt.
        "Debian" => run(Command::new("apt-get")
            .args(["source", "--download-only", name])
            .current_dir(&packed))?,
        other => bail!("no way to fetch from {other}"),
    }
    let mut archives: Vec<PathBuf> = fs::read_dir(&packed)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    archives.sort();
    let is_source = |path: &&PathBuf| {
        let name = path
            .file_name()
            .map_or(String::new(), |name| name.to_string_lossy().into_owned());
        name.contains(".orig.tar") || (registry != "Debian" && (name.ends_with(".tgz") || name.ends_with(".tar.gz")))
    };
    let archive = archives.iter().find(is_source).context("no archive came")?;
    let unpacked = dir.join("unpacked");
    unpack(archive, &unpacked)?;
    Ok(unpacked)
}

/// Archives hold one directory with everything in it.
fn only_dir(dir: &Path) -> Result<PathBuf> {
    let entries: Vec<PathBuf> = fs::read_dir(dir)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    match entries.as_slice() {
        [only] if only.is_dir() => Ok(only.clone()),
        _ => Ok(dir.to_owned()),
    }
}

/// Lines are what the truth speaks of: each file must be there and have as many as it had.
fn check(root: &Path, manifest: &Value) -> Result<()> {
    for (path, known) in manifest["files"].as_object().into_iter().flatten() {
        let text = fs::read(root.join(path)).with_context(|| format!("{path} is missing"))?;
        let breaks = text.iter().filter(|byte| **byte == b'\n').count() as u64;
        let wanted = known[0].as_u64().unwrap_or(0);
        if breaks.abs_diff(wanted) > 1 {
            bail!("{path} has {breaks} lines where the truth has {wanted}: another version");
        }
    }
    Ok(())
}
