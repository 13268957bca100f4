//! What is read here is what git reads: every answer is compared with the program's.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use git::{Change, Error, Repository};
use tempfile::TempDir;

/// A repository made by git, with nothing of this machine's configuration in it.
struct Made {
    dir: TempDir,
}

impl Made {
    /// Three commits on `main`, one on `side`, a tag, and a file that changes a little each time.
    fn new() -> Made {
        let made = Made {
            dir: TempDir::with_prefix("git-").unwrap(),
        };
        made.git(&["init", "-q", "-b", "main"]);
        made.write("a.txt", "one\n");
        made.write("sub/b.txt", "two\n");
        made.write("sub/deep/c.txt", "");
        made.write("long.txt", &long(0));
        made.commit("first");
        made.git(&["tag", "-a", "v1", "-m", "first"]);
        made.git(&["checkout", "-q", "-b", "side/line"]);
        made.write("sub/b.txt", "two and a half\n");
        made.commit("aside");
        made.git(&["checkout", "-q", "main"]);
        made.write("long.txt", &long(1));
        made.write("new.txt", "new\n");
        made.commit("second");
        fs::remove_file(made.root().join("a.txt")).unwrap();
        made.write("long.txt", &long(2));
        made.commit("third");
        made
    }

    fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    fn git(&self, arguments: &[&str]) -> String {
        git_in(&self.root(), arguments)
    }

    fn open(&self) -> Repository {
        Repository::find(&self.root()).unwrap().expect("a repository")
    }
}

fn git_in(dir: &Path, arguments: &[&str]) -> String {
    let done = Command::new("git")
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(arguments)
        .current_dir(dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .expect("git makes the repositories of these tests");
    let text = String::from_utf8_lossy(&done.stdout).trim().to_owned();
    assert!(
        done.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    text
}

/// Long enough that git stores versions of it as differences.
fn long(version: usize) -> String {
    let lines = (0..2000).map(|n| {
        let number = if n % 500 == 0 { n + version } else { n };
        format!("line {number} of a text that is {}\n", number * 7919 % 1000)
    });
    lines.collect()
}

/// Everything that is asked of a repository, compared with what git says.
#[track_caller]
fn assert_like_git(made: &Made) {
    let repository = made.open();
    let revisions = [
        "HEAD",
        "@",
        "main",
        "refs/heads/main",
        "heads/main",
        "side/line",
        "v1",
        "v1^{}",
        "v1^{commit}",
        "HEAD~1",
        "HEAD~",
        "main~2",
        "main^^",
        "main^1~1",
        "HEAD^0",
    ];
    for revision in revisions {
        let expected = made.git(&["rev-parse", &format!("{revision}^{{commit}}")]);
        assert_eq!(
            repository.resolve(revision).unwrap().to_string(),
            expected,
            "{revision}"
        );
        let short = &expected[..9];
        assert_eq!(repository.resolve(short).unwrap().to_string(), expected, "{short}");
    }
    for revision in ["HEAD", "HEAD~2", "side/line"] {
        let tree = repository.tree(repository.resolve(revision).unwrap()).unwrap();
        let files: Vec<String> = repository
            .files(tree)
            .unwrap()
            .iter()
            .map(|file| {
                let expected = made.git(&["cat-file", "-p", &file.id.to_string()]);
                let blob = String::from_utf8(repository.blob(file.id).unwrap()).unwrap();
                assert_eq!(blob.trim(), expected, "{}", file.path);
                format!("{} {}", file.id, file.path)
            })
            .collect();
        let expected = made.git(&["ls-tree", "-r", "--format=%(objectname) %(path)", revision]);
        assert_eq!(files.join("\n"), expected, "{revision}");
    }
    for (from, to) in [("HEAD~2", "HEAD"), ("HEAD", "side/line"), ("main", "main")] {
        let expected = made.git(&["diff", "--name-status", "--no-renames", from, to]);
        assert_eq!(
            shown(&repository, from, to),
            expected.replace('\t', " "),
            "{from}..{to}"
        );
    }
    let of = |name: &str| repository.resolve(name).unwrap();
    let base = repository.merge_base(of("main"), of("side/line")).unwrap().unwrap();
    assert_eq!(base.to_string(), made.git(&["merge-base", "main", "side/line"]));
    let index = repository.index().unwrap();
    let entries: Vec<String> = index
        .entries
        .iter()
        .map(|entry| format!("{} {}", entry.id, entry.path))
        .collect();
    assert_eq!(
        entries.join("\n"),
        made.git(&["ls-files", "--format=%(objectname) %(path)"])
    );
}

fn shown(repository: &Repository, from: &str, to: &str) -> String {
    let tree = |name: &str| repository.tree(repository.resolve(name).unwrap()).unwrap();
    let changes = repository.changes(tree(from), tree(to)).unwrap();
    let line = |change: &Change| {
        let letter = match (change.old, change.new) {
            (None, _) => 'A',
            (_, None) => 'D',
            _ => 'M',
        };
        format!("{letter} {}", change.path)
    };
    changes.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn loose_objects() {
    assert_like_git(&Made::new());
}

#[test]
fn packed_objects_and_references() {
    let made = Made::new();
    made.git(&["gc", "-q", "--aggressive"]);
    let loose = fs::read_dir(made.root().join(".git/objects/pack")).unwrap().count();
    assert!(loose > 0 && made.root().join(".git/packed-refs").exists());
    assert_like_git(&made);
    // Some of both.
    made.write("long.txt", &long(3));
    made.commit("fourth");
    assert_like_git(&made);
}

#[test]
fn differences_by_name() {
    let made = Made::new();
    made.git(&[
        "-c",
        "repack.useDeltaBaseOffset=false",
        "repack",
        "-a",
        "-d",
        "-q",
        "-f",
    ]);
    assert_like_git(&made);
}

#[test]
fn every_version_of_the_index() {
    let made = Made::new();
    for version in ["2", "3", "4"] {
        made.git(&["update-index", "--index-version", version]);
        assert_like_git(&made);
    }
    made.git(&["update-index", "--index-version", "4"]);
    made.git(&["add", "-A", "-N", "."]);
    assert_like_git(&made);
}

#[test]
fn what_is_checked_out_is_known_by_size_and_time() {
    let made = Made::new();
    let repository = made.open();
    let index = repository.index().unwrap();
    assert_eq!(
        index.tree,
        Some(repository.tree(repository.resolve("HEAD").unwrap()).unwrap())
    );
    let entry = index.entries.iter().find(|entry| entry.path == "new.txt").unwrap();
    let (size, mtime) = (
        u64::from(entry.size),
        i64::from(entry.seconds) * 1_000_000_000 + i64::from(entry.nanoseconds),
    );
    assert_eq!(size, 4);
    let younger = git::Index {
        written_ns: mtime + 1,
        ..git::Index::default()
    };
    assert!(entry.is_as_on_disk(&younger, size, mtime));
    assert!(!entry.is_as_on_disk(&younger, size + 1, mtime));
    assert!(!entry.is_as_on_disk(&younger, size, mtime + 1));
    // Written in the same moment: it may have changed since.
    let same = git::Index {
        written_ns: mtime,
        ..git::Index::default()
    };
    assert!(!entry.is_as_on_disk(&same, size, mtime));
    made.git(&["rm", "-q", "--cached", "new.txt"]);
    assert_eq!(made.open().index().unwrap().tree, None);
}

#[test]
fn a_directory_inside_the_working_tree() {
    let made = Made::new();
    let repository = Repository::find(&made.root().join("sub/deep")).unwrap().unwrap();
    assert_eq!(repository.prefix(), "sub/deep/");
    let tree = repository.tree(repository.resolve("HEAD").unwrap()).unwrap();
    let paths = |repository: &Repository| -> Vec<String> {
        repository
            .files(tree)
            .unwrap()
            .into_iter()
            .map(|file| file.path)
            .collect()
    };
    assert_eq!(paths(&repository), ["c.txt"]);
    let sub = Repository::find(&made.root().join("sub")).unwrap().unwrap();
    assert_eq!(paths(&sub), ["b.txt", "deep/c.txt"]);
    assert_eq!(sub.index().unwrap().entries.len(), 2);
    assert_eq!(shown(&sub, "HEAD", "side/line"), "M b.txt");
}

#[test]
fn working_trees_and_submodules_are_found() {
    let made = Made::new();
    let beside = TempDir::with_prefix("git-").unwrap();
    let tree = beside.path().canonicalize().unwrap().join("tree");
    made.git(&["worktree", "add", "-q", "--detach", tree.to_str().unwrap(), "HEAD~1"]);
    let repository = Repository::find(&tree).unwrap().unwrap();
    assert_eq!(
        repository.resolve("HEAD").unwrap(),
        made.open().resolve("main~1").unwrap()
    );
    assert_eq!(
        repository.resolve("side/line").unwrap(),
        made.open().resolve("side/line").unwrap()
    );

    let outer = Made::new();
    let from = made.root();
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        from.to_str().unwrap(),
        "inner",
    ];
    outer.git(&add);
    let inner = Repository::find(&outer.root().join("inner")).unwrap().unwrap();
    assert_eq!(inner.resolve("HEAD").unwrap(), made.open().resolve("HEAD").unwrap());
    let entries = outer.open().index().unwrap().entries;
    let inner: Vec<&str> = entries
        .iter()
        .filter(|entry| entry.is_repository)
        .map(|entry| entry.path.as_str())
        .collect();
    assert_eq!(inner, ["inner"]);
    outer.git(&["commit", "-q", "-m", "with another"]);
    let outer = outer.open();
    let tree = outer.tree(outer.resolve("HEAD").unwrap()).unwrap();
    let links = outer.submodule_changes(None, Some(tree)).unwrap();
    assert_eq!(links.len(), 1);
    let commit = made.open().resolve("HEAD").unwrap();
    assert_eq!((links[0].path.as_str(), links[0].new), ("inner", Some(commit)));
}

#[test]
fn another_repository_is_not_read_through_a_pointer() {
    let secret = Made::new();
    for trick in ["file", "link"] {
        let dir = TempDir::with_prefix("git-").unwrap();
        let marker = dir.path().join(".git");
        let target = secret.root().join(".git");
        match trick {
            "file" => fs::write(&marker, format!("gitdir: {}\n", target.display())).unwrap(),
            _ => std::os::unix::fs::symlink(&target, &marker).unwrap(),
        }
        let found = Repository::find(dir.path());
        assert!(matches!(found, Err(Error::Foreign { .. })), "{trick}");
    }
    // A working tree that claims to share the objects of another repository.
    let dir = TempDir::with_prefix("git-").unwrap();
    fs::create_dir(dir.path().join(".git")).unwrap();
    fs::write(dir.path().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(
        dir.path().join(".git/commondir"),
        secret.root().join(".git").to_str().unwrap(),
    )
    .unwrap();
    assert!(matches!(Repository::find(dir.path()), Err(Error::Foreign { .. })));
    // Objects behind a link.
    let made = Made::new();
    let objects = made.root().join(".git/objects");
    fs::remove_dir_all(&objects).unwrap();
    std::os::unix::fs::symlink(secret.root().join(".git/objects"), &objects).unwrap();
    let repository = made.open();
    assert!(repository.resolve("HEAD").is_err());
}

#[test]
fn a_directory_without_history_has_none() {
    let dir = TempDir::with_prefix("git-").unwrap();
    assert!(Repository::find(dir.path()).unwrap().is_none());
    // A directory of that name alone is none either.
    fs::create_dir(dir.path().join(".git")).unwrap();
    assert!(Repository::find(dir.path()).unwrap().is_none());
}

#[test]
fn names_that_are_no_revisions() {
    let made = Made::new();
    fs::write(made.root().join("HEAD2"), made.git(&["rev-parse", "HEAD"])).unwrap();
    let repository = made.open();
    let names = [
        "",
        "nope",
        "--output=x",
        "-h",
        "../../HEAD2",
        "refs/../../HEAD2",
        "/etc/passwd",
        "HEAD@{1}",
        "HEAD:a.txt",
        ":/third",
        "HEAD~99",
        "HEAD^7",
        "HEAD^{tree}",
        "HEAD~99999999999999999999",
        "$(touch x)",
        "a b",
        "refs/heads",
        "deadbeef",
        "v1^{",
    ];
    for name in names {
        let found = repository.resolve(name);
        assert!(matches!(found, Err(Error::NoSuchRevision { .. })), "{name}: {found:?}");
    }
}

#[test]
fn before_the_first_commit() {
    let dir = TempDir::with_prefix("git-").unwrap();
    git_in(dir.path(), &["init", "-q"]);
    let repository = Repository::find(dir.path()).unwrap().unwrap();
    assert!(matches!(repository.resolve("HEAD"), Err(Error::NoSuchRevision { .. })));
    assert!(repository.index().unwrap().entries.is_empty());
}

#[test]
fn other_formats_are_refused_and_not_misread() {
    let dir = TempDir::with_prefix("git-").unwrap();
    git_in(dir.path(), &["init", "-q", "--object-format=sha256"]);
    fs::write(dir.path().join("a"), "a").unwrap();
    git_in(dir.path(), &["add", "a"]);
    git_in(dir.path(), &["commit", "-q", "-m", "a"]);
    let repository = Repository::find(dir.path()).unwrap().unwrap();
    assert!(matches!(repository.resolve("HEAD"), Err(Error::Unsupported { .. })));
}

/// Whatever stands in git's files, the answer is right or an error, and soon there.
#[test]
fn damage_is_an_error() {
    let made = Made::new();
    made.git(&["gc", "-q"]);
    let dir = made.root().join(".git");
    let mut files: Vec<PathBuf> = ["index", "packed-refs", "HEAD"]
        .iter()
        .map(|name| dir.join(name))
        .collect();
    let packs = fs::read_dir(dir.join("objects/pack")).unwrap();
    let packs = packs.map(|entry| entry.unwrap().path());
    files.extend(packs.filter(|path| path.extension().is_some_and(|kind| kind == "idx" || kind == "pack")));
    let ask = || -> Result<(), Error> {
        let Some(repository) = Repository::find(&made.root())? else {
            return Ok(());
        };
        let index = repository.index();
        for name in ["HEAD~2", "v1", "side/line"] {
            let tree = repository.tree(repository.resolve(name)?)?;
            for file in repository.files(tree)? {
                repository.blob(file.id)?;
            }
        }
        index.map(|_| ())
    };
    ask().unwrap();
    let mut failed = 0;
    for path in files {
        let whole = fs::read(&path).unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        #[expect(clippy::permissions_set_readonly_false, reason = "a file of this test alone")]
        permissions.set_readonly(false);
        fs::set_permissions(&path, permissions).unwrap();
        for n in 0..150 {
            let mut bytes = whole.clone();
            let at = n * 7919 % bytes.len().min(4000);
            match n % 3 {
                0 => bytes[at] ^= 1 << (n % 8),
                1 => bytes[at] = 0xff,
                _ => bytes.truncate(at),
            }
            fs::write(&path, &bytes).unwrap();
            failed += usize::from(ask().is_err());
        }
        fs::write(&path, &whole).unwrap();
    }
    ask().unwrap();
    assert!(failed > 100, "{failed}");
}
