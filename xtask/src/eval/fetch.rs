//! Packages from the registries, by name and version and with the registry's own client. Nothing of what is fetched is
//! built or run, but for what pip runs to read the metadata of a source distribution.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// A package's files, and what it was packed in.
pub struct Fetched {
    /// Archives of sources hold one directory with everything in it: that directory.
    pub dir: PathBuf,
    /// Of the archive as the registry has it.
    pub sha256: String,
}

/// Fetches into `dir`, which is made. Registries are
/// - `crates.io`
/// - `PyPI`: the source distribution, and `PyPI wheel`
/// - `npm`
/// - `Debian`: the upstream archive of a source package, as apt is set up (needs a `deb-src` line); `Debian trixie` from
///   that suite, `Debian trixie binary` the files of a binary package. `apt` is where what apt knows of suites is kept.
pub fn fetch(registry: &str, name: &str, version: &str, dir: &Path, apt: &Path) -> Result<Fetched> {
    let packed = dir.join("packed");
    fs::create_dir_all(&packed)?;
    let words: Vec<&str> = registry.split(' ').collect();
    match words.as_slice() {
        ["crates.io"] => return vendored(name, version, dir),
        ["PyPI"] => pip(&packed, name, version, &["--no-binary", ":all:"])?,
        // The wheels of one platform, so that it is the same file everywhere.
        ["PyPI", "wheel"] => pip(
            &packed,
            name,
            version,
            &["--only-binary", ":all:", "--platform", "manylinux_2_12_x86_64"],
        )?,
        ["npm"] => run(Command::new("npm")
            .args(["pack", "--silent", "--pack-destination"])
            .arg(&packed)
            .arg(format!("{name}@{version}")))?,
        ["Debian", suite @ ..] => {
            let mut command = Command::new("apt-get");
            command.arg("--quiet=2").current_dir(&packed);
            match suite {
                [] => {}
                [suite] | [suite, "binary"] => of_suite(&mut command, suite, apt)?,
                _ => bail!("no way to fetch from {registry}"),
            }
            if suite.contains(&"binary") {
                command.arg("download");
            } else {
                command.args(["source", "--download-only", "--tar-only", "--only-source"]);
            }
            run(command.arg(name))?;
        }
        _ => bail!("no way to fetch from {registry}"),
    }
    let mut archives: Vec<PathBuf> = fs::read_dir(&packed)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    archives.sort();
    let is_source = |path: &&PathBuf| {
        let name = path.to_string_lossy();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        name.contains(".orig.tar") || (words[0] != "Debian" && ends(&[".tgz", ".tar.gz", ".whl"])) || ends(&[".deb"])
    };
    let archive = archives.iter().find(is_source).context("no archive came")?;
    let unpacked = dir.join("unpacked");
    unpack(archive, &unpacked)?;
    Ok(Fetched {
        dir: only_dir(&unpacked)?,
        sha256: sha256(archive)?,
    })
}

/// Cargo fetches what it is to build: a project that depends on nothing else.
fn vendored(name: &str, version: &str, dir: &Path) -> Result<Fetched> {
    let project = dir.join("project");
    fs::create_dir_all(project.join("src"))?;
    fs::write(project.join("src/lib.rs"), "")?;
    let dependency = format!("[package]\nname = \"fetch\"\n[workspace]\n[dependencies]\n{name} = \"={version}\"\n");
    fs::write(project.join("Cargo.toml"), dependency)?;
    let vendor = dir.join("vendor");
    run(Command::new("cargo")
        .args(["vendor", "--quiet", "--versioned-dirs"])
        .arg(&vendor)
        .current_dir(&project))?;
    let dir = vendor.join(format!("{name}-{version}"));
    let checksums: Value = serde_json::from_slice(&fs::read(dir.join(".cargo-checksum.json"))?)?;
    Ok(Fetched {
        sha256: checksums["package"].as_str().unwrap_or_default().to_owned(),
        dir,
    })
}

fn pip(packed: &Path, name: &str, version: &str, kind: &[&str]) -> Result<()> {
    run(Command::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(kind)
        .arg("--dest")
        .arg(packed)
        .arg(format!("{name}=={version}")))
}

/// Has apt work with one suite, from the mirror that it is set up with, whatever suite the machine itself is on.
fn of_suite(command: &mut Command, suite: &str, apt: &Path) -> Result<()> {
    let dir = apt.join(suite);
    let list = dir.join("sources.list");
    let options = |command: &mut Command| {
        for (option, value) in [
            ("Dir::Etc::sourcelist", list.as_path()),
            ("Dir::Etc::sourceparts", Path::new("-")),
            ("Dir::State::lists", &dir.join("lists")),
            ("Dir::Cache", &dir.join("cache")),
        ] {
            command.arg("-o").arg(format!("{option}={}", value.display()));
        }
    };
    if !list.exists() {
        let known = Command::new("apt-get")
            .args(["indextargets", "--format", "$(REPO_URI)"])
            .output()
            .context("apt-get does not run")?;
        let known = String::from_utf8_lossy(&known.stdout).into_owned();
        let mirror = known.lines().find(|uri| uri.ends_with("/debian/"));
        let mirror = mirror.context("apt knows no mirror of Debian: `apt-get update` may be missing")?;
        let keys = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]";
        for dir in ["lists/partial", "cache/archives/partial"].map(|part| dir.join(part)) {
            fs::create_dir_all(dir)?;
        }
        let lines = format!("deb {keys} {mirror} {suite} main\ndeb-src {keys} {mirror} {suite} main\n");
        fs::write(&list, lines)?;
        let mut update = Command::new("apt-get");
        options(&mut update);
        if let Err(error) = run(update.args(["--quiet=2", "update"])) {
            // The list stands for having been read.
            fs::remove_file(&list)?;
            return Err(error);
        }
    }
    options(command);
    Ok(())
}

pub fn unpack(archive: &Path, dir: &Path) -> Result<()> {
    fs::create_dir_all(dir)?;
    match archive.extension().and_then(|extension| extension.to_str()) {
        Some("whl") => run(Command::new("python3")
            .args(["-m", "zipfile", "-e"])
            .arg(archive)
            .arg(dir)),
        Some("deb") => run(Command::new("dpkg-deb").arg("-x").arg(archive).arg(dir)),
        _ => run(Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(dir)),
    }
}

fn sha256(file: &Path) -> Result<String> {
    let output = Command::new("sha256sum").arg(file).output();
    let output = output.context("sha256sum does not run")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let sum = text.split_whitespace().next();
    Ok(sum.context("sha256sum says nothing")?.to_owned())
}

/// What the clients print is not ours to print on stdout.
fn run(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .with_context(|| format!("{} does not run", command.get_program().display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = said.lines().rev().find(|line| !line.trim().is_empty());
        bail!(
            "{} fails: {}",
            command.get_program().display(),
            last.unwrap_or("without a word")
        );
    }
    Ok(())
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
