//! `cargo xtask dist`: the packages of one platform, from one binary: an archive, the npm packages, a wheel and an MCP
//! bundle. What they say is in `dist/`; versions come from the manifest.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::json;
use sha2::{Digest, Sha256};
use zip::{ZipWriter, write::SimpleFileOptions};

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Default)]
pub struct Options {
    pub binary: Option<PathBuf>,
    pub out: Option<PathBuf>,
    /// Of the binary; by default this machine's.
    pub target: Option<String>,
}

/// What registries call a target.
struct Platform {
    target: &'static str,
    node: (&'static str, &'static str),
    wheel: Wheel,
}

enum Wheel {
    Tag(&'static str),
    /// The oldest glibc that the binary starts with is part of the tag.
    Glibc(&'static str),
}

const PLATFORMS: &[Platform] = &[
    Platform {
        target: "x86_64-unknown-linux-gnu",
        node: ("linux", "x64"),
        wheel: Wheel::Glibc("x86_64"),
    },
    Platform {
        target: "aarch64-unknown-linux-gnu",
        node: ("linux", "arm64"),
        wheel: Wheel::Glibc("aarch64"),
    },
    Platform {
        target: "x86_64-apple-darwin",
        node: ("darwin", "x64"),
        wheel: Wheel::Tag("macosx_10_12_x86_64"),
    },
    Platform {
        target: "aarch64-apple-darwin",
        node: ("darwin", "arm64"),
        wheel: Wheel::Tag("macosx_11_0_arm64"),
    },
    Platform {
        target: "x86_64-pc-windows-msvc",
        node: ("win32", "x64"),
        wheel: Wheel::Tag("win_amd64"),
    },
    Platform {
        target: "aarch64-pc-windows-msvc",
        node: ("win32", "arm64"),
        wheel: Wheel::Tag("win_arm64"),
    },
];

/// A file of a package.
struct Entry {
    name: String,
    bytes: Vec<u8>,
    executable: bool,
}

impl Entry {
    fn text(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry {
            name: name.into(),
            bytes: bytes.into(),
            executable: false,
        }
    }

    fn program(name: impl Into<String>, bytes: &[u8]) -> Entry {
        Entry {
            executable: true,
            ..Entry::text(name, bytes)
        }
    }
}

pub fn run(options: &Options) -> Result<()> {
    let binary = crate::bench::built(options.binary.as_deref())?;
    let target = match &options.target {
        Some(target) => target.clone(),
        None => host()?,
    };
    let known = PLATFORMS.iter().find(|platform| platform.target == target);
    let platform = known.with_context(|| format!("there are no packages for {target}"))?;
    let out = options
        .out
        .clone()
        .unwrap_or_else(|| crate::workspace_root().join("target/dist"));
    fs::create_dir_all(&out)?;
    let program = fs::read(&binary).with_context(|| format!("cannot read {}", binary.display()))?;
    let suffix = if platform.node.0 == "win32" { ".exe" } else { "" };

    archive(&out, platform, &program, suffix, &binary)?;
    npm(&out, platform, &program, suffix)?;
    wheel(&out, platform, &program, suffix)?;
    bundle(&out, platform, &program, suffix)?;
    fs::copy(ours("dist/server.json"), out.join("server.json"))?;
    println!(
        "{}: {:.1} MB, packages in {}",
        binary.display(),
        program.len() as f64 / 1e6,
        out.display()
    );
    Ok(())
}

fn host() -> Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .context("rustc does not start")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not tell its host")?.to_owned())
}

fn ours(path: &str) -> PathBuf {
    crate::workspace_root().join(path)
}

fn read(path: &str) -> Result<Vec<u8>> {
    fs::read(ours(path)).with_context(|| format!("cannot read {path}"))
}

fn licences() -> Result<Vec<Entry>> {
    let read = |name: &str| Ok(Entry::text(name, read(name)?));
    ["LICENSE-APACHE", "LICENSE-MIT"].into_iter().map(read).collect()
}

/// What cargo-binstall and people download: the program with its manual and completions.
fn archive(out: &Path, platform: &Platform, program: &[u8], suffix: &str, binary: &Path) -> Result<()> {
    let name = format!("portolan-{VERSION}-{}", platform.target);
    let mut entries = licences()?;
    entries.push(Entry::program(format!("portolan{suffix}"), program));
    entries.push(Entry::text("README.md", read("README.md")?));
    // A binary for another machine cannot be asked here.
    if host()? == platform.target {
        let printed = |arguments: &[&str]| -> Result<Vec<u8>> {
            let output = Command::new(binary).args(arguments).output()?;
            if !output.status.success() {
                bail!("{} {} fails", binary.display(), arguments.join(" "));
            }
            Ok(output.stdout)
        };
        entries.push(Entry::text("portolan.1", printed(&["man"])?));
        for (shell, file) in [
            ("bash", "portolan.bash"),
            ("zsh", "_portolan"),
            ("fish", "portolan.fish"),
        ] {
            entries.push(Entry::text(
                format!("completions/{file}"),
                printed(&["completions", shell])?,
            ));
        }
    }
    for entry in &mut entries {
        entry.name = format!("{name}/{}", entry.name);
    }
    write_zip(&out.join(format!("{name}.zip")), &entries)
}

/// Directories for `npm pack`: the wrapper, and the package of this platform.
fn npm(out: &Path, platform: &Platform, program: &[u8], suffix: &str) -> Result<()> {
    let (os, cpu) = platform.node;
    let name = format!("portolan-mcp-{os}-{cpu}");
    let manifest = json!({
        "name": name,
        "version": VERSION,
        "description": format!("Portolan for {os} on {cpu}; install portolan-mcp"),
        "license": "MIT OR Apache-2.0",
        "os": [os],
        "cpu": [cpu],
        "files": ["bin"],
    });
    let mut wrapper = licences()?;
    for file in ["package.json", "README.md"] {
        wrapper.push(Entry::text(file, read(&format!("dist/npm/{file}"))?));
    }
    wrapper.push(Entry::program("bin/portolan.js", &read("dist/npm/bin/portolan.js")?));
    write_dir(&out.join("npm/portolan-mcp"), &wrapper)?;
    let mut own = licences()?;
    own.push(Entry::text("package.json", format!("{manifest:#}\n")));
    own.push(Entry::text(
        "README.md",
        format!("Portolan for {os} on {cpu}. Install `portolan-mcp`.\n"),
    ));
    own.push(Entry::program(format!("bin/portolan{suffix}"), program));
    write_dir(&out.join("npm").join(name), &own)
}

/// A wheel whose only script is the program itself.
fn wheel(out: &Path, platform: &Platform, program: &[u8], suffix: &str) -> Result<()> {
    let tag = match platform.wheel {
        Wheel::Tag(tag) => tag.to_owned(),
        Wheel::Glibc(arch) => format!("manylinux_2_{}_{arch}", newest_glibc(program)?),
    };
    let name = format!("portolan_mcp-{VERSION}");
    let info = format!("{name}.dist-info");
    let metadata = String::from_utf8(read("dist/pypi/METADATA")?)?.replace("{version}", VERSION);
    let about = format!("Wheel-Version: 1.0\nGenerator: portolan\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n");
    let mut entries = vec![
        Entry::program(format!("{name}.data/scripts/portolan{suffix}"), program),
        Entry::text(format!("{info}/METADATA"), metadata),
        Entry::text(format!("{info}/WHEEL"), about),
    ];
    for licence in licences()? {
        entries.push(Entry::text(format!("{info}/licenses/{}", licence.name), licence.bytes));
    }
    let mut record = String::new();
    for entry in &entries {
        let hash = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&entry.bytes));
        record += &format!("{},sha256={hash},{}\n", entry.name, entry.bytes.len());
    }
    record += &format!("{info}/RECORD,,\n");
    entries.push(Entry::text(format!("{info}/RECORD"), record));
    write_zip(&out.join(format!("{name}-py3-none-{tag}.whl")), &entries)
}

/// The minor version of the newest glibc that a symbol of the program asks for.
fn newest_glibc(program: &[u8]) -> Result<u32> {
    const PREFIX: &[u8] = b"GLIBC_2.";
    let minors = program.windows(PREFIX.len() + 2).filter_map(|window| {
        let digits = window.strip_prefix(PREFIX)?;
        let n = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        std::str::from_utf8(&digits[..n]).ok()?.parse().ok()
    });
    minors.max().context("the program does not say which glibc it needs")
}

fn bundle(out: &Path, platform: &Platform, program: &[u8], suffix: &str) -> Result<()> {
    let manifest = String::from_utf8(read("dist/mcpb/manifest.json")?)?;
    let manifest = manifest.replace("server/portolan\"", &format!("server/portolan{suffix}\""));
    let mut entries = licences()?;
    entries.push(Entry::text("manifest.json", manifest));
    entries.push(Entry::program(format!("server/portolan{suffix}"), program));
    let (os, cpu) = platform.node;
    write_zip(&out.join(format!("portolan-mcp-{VERSION}-{os}-{cpu}.mcpb")), &entries)
}

fn write_zip(path: &Path, entries: &[Entry]) -> Result<()> {
    let file = fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut zip = ZipWriter::new(file);
    for entry in entries {
        let mode = if entry.executable { 0o755 } else { 0o644 };
        zip.start_file(entry.name.as_str(), SimpleFileOptions::default().unix_permissions(mode))?;
        zip.write_all(&entry.bytes)?;
    }
    zip.finish()?;
    Ok(())
}

fn write_dir(dir: &Path, entries: &[Entry]) -> Result<()> {
    for entry in entries {
        let path = dir.join(&entry.name);
        fs::create_dir_all(path.parent().unwrap_or(dir))?;
        fs::write(&path, &entry.bytes).with_context(|| format!("cannot write {}", path.display()))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = if entry.executable { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
        }
    }
    Ok(())
}
