//! The repository that a path outside of every workspace is in.

use std::path::{Path, PathBuf};

/// Directories that only the root of a working tree has.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".jj", ".svn"];

/// Files that stand at the root of a package.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "PKG-INFO",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "CMakeLists.txt",
    "composer.json",
    "Gemfile",
    "Package.swift",
    "mix.exs",
    "pubspec.yaml",
];

/// The repository of a file or directory: a working tree, else a package, else the directory itself. Of what does not exist
/// only a working tree or a package can be told. `None` where that would be no project: a home, a system's directory.
pub(crate) fn project_of(path: &Path) -> Option<PathBuf> {
    let (existing, is_itself) = nearest_existing(path)?;
    let dir = if existing.is_dir() {
        existing.as_path()
    } else {
        existing.parent()?
    };
    let may_be_root = |dir: &&Path| !is_unlikely(dir);
    let likely: Vec<&Path> = dir.ancestors().take_while(may_be_root).collect();
    let has_one_of = |dir: &&&Path, names: &[&str]| names.iter().any(|name| dir.join(name).exists());
    let tree = likely.iter().find(|dir| has_one_of(dir, VERSION_CONTROL));
    let package = || likely.iter().find(|dir| has_one_of(dir, MANIFESTS));
    let itself = || likely.first().filter(|_| is_itself);
    tree.or_else(package).or_else(itself).map(|dir| (*dir).to_owned())
}

/// Whether a directory is the root of what version control keeps.
pub(crate) fn is_working_tree(dir: &Path) -> bool {
    VERSION_CONTROL.iter().any(|name| dir.join(name).exists())
}

/// The part of a path that exists, and whether that is all of it. `src/a.rs:10` and `src/a.rs#name` are places in a file.
fn nearest_existing(path: &Path) -> Option<(PathBuf, bool)> {
    let text = path.to_str()?;
    let file = text.split('#').next().unwrap_or(text);
    let file = file.rsplit_once(':').map_or(file, |(file, _)| file);
    let whole = [text, file]
        .into_iter()
        .find_map(|text| Path::new(text).canonicalize().ok());
    match whole {
        Some(whole) => Some((whole, true)),
        None => path
            .ancestors()
            .find_map(|path| path.canonicalize().ok())
            .map(|path| (path, false)),
    }
}

/// What holds projects and is none: the root of the disk and what is directly below it, homes and what they are in, the
/// directory for temporary files.
fn is_unlikely(dir: &Path) -> bool {
    let holds = |other: PathBuf| other.canonicalize().unwrap_or(other).starts_with(dir);
    dir.ancestors().count() <= 2 || std::env::home_dir().is_some_and(holds) || holds(std::env::temp_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_of_a_path() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        for file in [
            "tree/.git/HEAD",
            "tree/src/a.rs",
            "tree/package/Cargo.toml",
            "package/Cargo.toml",
            "package/src/a.rs",
            "plain/src/a.rs",
        ] {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let cases = [
            ("tree/src/a.rs", Some("tree")),
            ("tree/src/a.rs:10-20", Some("tree")),
            ("tree/src/a.rs#name", Some("tree")),
            ("tree/src/missing.rs", Some("tree")),
            ("tree/package", Some("tree")),
            ("package/src/a.rs:3", Some("package")),
            ("package/missing/b.rs", Some("package")),
            ("plain/src/a.rs", Some("plain/src")),
            ("plain/src/a.rs:3", Some("plain/src")),
            ("plain", Some("plain")),
            ("plain/src/missing.rs", None),
            ("missing/src/a.rs", None),
        ];
        for (path, wanted) in cases {
            let found = project_of(&root.join(path));
            assert_eq!(found, wanted.map(|wanted| root.join(wanted)), "{path}");
        }
        assert_eq!(project_of(Path::new("/")), None);
        assert_eq!(project_of(Path::new("/etc/hosts")), None);
        assert_eq!(project_of(&std::env::temp_dir().join("missing.rs")), None);
    }
}
