//! Any byte sequence is survivable: each file is indexed, or skipped with a reason, and the run goes on.

use std::fs;

use serde_json::json;
use test_fixture::Repo;

use crate::kit::Kit;

/// What becomes of a file.
#[derive(Debug, PartialEq)]
enum Fate {
    /// Found by this text.
    Indexed(&'static str),
    /// Listed with a reason that begins like this.
    Skipped(&'static str),
    /// Neither: it is not part of the workspace.
    Absent,
}

use Fate::{Absent, Indexed, Skipped};

fn check(repo: &Repo, kit: &Kit, expected: &[(&str, Fate)]) {
    repo.write("ordinary.rs", "fn ordinary() {}\n");
    assert_eq!(kit.paths_with("ordinary"), ["ordinary.rs"]);
    let (files, skipped) = (kit.files(), kit.skipped());
    for (path, fate) in expected {
        let listed = files.iter().any(|file| file == path);
        let reason = skipped
            .iter()
            .find(|(file, _)| file == path)
            .map(|(_, reason)| reason.as_str());
        match fate {
            Indexed(text) => {
                assert!(listed && reason.is_none(), "{path:?} is skipped: {reason:?}");
                if !text.is_empty() {
                    let found = kit.paths_with(text);
                    assert!(
                        found.iter().any(|found| found == path),
                        "{text:?} is not in {path:?}: {found:?}"
                    );
                }
            }
            Skipped(beginning) => {
                let reason = reason.unwrap_or_else(|| panic!("{path:?} is not listed: {skipped:?}"));
                assert!(reason.starts_with(beginning), "{path:?}: {reason}");
                assert!(!listed, "{path:?} is skipped and listed");
            }
            Absent => assert!(!listed && reason.is_none(), "{path:?}: {reason:?}"),
        }
    }
    let expected = expected.iter().filter(|(_, fate)| matches!(fate, Skipped(_))).count();
    assert_eq!(skipped.len(), expected, "{skipped:?}");
    let status = kit.json("index_status", json!({}));
    assert_eq!(status["state"], "ready");
}

#[test]
fn contents() {
    let repo = Repo::new("");
    let utf16: Vec<u8> = [0xFEFF]
        .into_iter()
        .chain("wide text".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    repo.write("utf16.txt", utf16);
    repo.write("latin1.txt", b"caf\xE9 latin");
    repo.write("bom.txt", b"\xEF\xBB\xBFmarked text");
    repo.write("nul.txt", b"before\0after");
    repo.write("only_nul", [0; 100]);
    repo.write("empty.rs", "");
    repo.write("white.txt", "\n\n   \n");
    repo.write("no_newline.txt", "lonely line");
    repo.write("returns.txt", "one\rtwo\r\nthree crlf\r\n");
    repo.write("control.txt", "bell\x07 and escape\x1b[0m");
    repo.write("one_line.js", "x=1;".repeat(250_000) + "endOfLine");
    repo.write("one_word.txt", "w".repeat(1_000_000));
    repo.write("too_large.txt", "a line of text\n".repeat(80_000));
    repo.write("cut_utf8.txt", &"日本".as_bytes()[..5]);
    repo.write("surrogate.txt", b"lone \xED\xA0\x80 surrogate");
    let kit = Kit::with(&repo.root(), false, &[("indexing.max_file_size_mb", "1")]);
    check(
        &repo,
        &kit,
        &[
            ("utf16.txt", Indexed("wide text")),
            ("latin1.txt", Indexed("latin")),
            ("bom.txt", Indexed("marked")),
            ("nul.txt", Skipped("binary")),
            ("only_nul", Skipped("binary")),
            ("empty.rs", Indexed("")),
            ("white.txt", Indexed("")),
            ("no_newline.txt", Indexed("lonely line")),
            ("returns.txt", Indexed("three crlf")),
            ("control.txt", Indexed("\x07 and")),
            ("one_line.js", Indexed("endOfLine")),
            ("one_word.txt", Indexed("wwwww")),
            ("too_large.txt", Skipped("too large: 1.1 MB, the limit is 1 MB")),
            ("cut_utf8.txt", Indexed("日")),
            ("surrogate.txt", Indexed("lone")),
        ],
    );
}

/// Pictures before it in the order of paths do not hide a file that is missed, nor do they count among those that are.
#[test]
fn what_is_missed_is_named() {
    let repo = Repo::new("");
    for n in 0..8 {
        repo.write(&format!("art/{n}.png"), b"\x89PNG\0\0");
    }
    repo.write("notes.txt", "a line of text\n");
    repo.write("two\nlines.txt", "a line of text\n".repeat(80_000));
    let kit = Kit::with(&repo.root(), false, &[("indexing.max_file_size_mb", "1")]);
    let found = kit.text("grep", json!({ "pattern": "line of" }));
    let last = found.lines().last();
    let expected = "Not searched: two\\nlines.txt (too large: 1.1 MB, the limit is 1 MB).";
    assert_eq!(last, Some(expected), "{found}");
}

#[test]
fn names() {
    let repo = Repo::new("");
    for name in [
        "with space.txt",
        "ünïcödé.txt",
        "new\nline.txt",
        "quote\"'.txt",
        "glob[*?].txt",
        "-dash.txt",
        "tab\there.txt",
        "percent%20.txt",
        "back\\slash.txt",
    ] {
        repo.write(name, "oddly named");
    }
    repo.write("a.rs/inner.rs", "inside a directory");
    repo.write(&format!("{}/deep.txt", ["d"; 60].join("/")), "deeply nested");
    repo.write(&"n".repeat(255), "long name");
    repo.write(".hidden/x.txt", "hidden");
    repo.write(".env", "hidden");
    for secret in ["server.pem", "id_rsa", "credentials.json", "x.KEY"] {
        repo.write(secret, "hush");
    }
    repo.write("id_rsa.pub", "public knowledge");
    repo.write("node_modules/m/index.js", "oddly named");
    repo.write("cache/__pycache__/x.py", "oddly named");
    let kit = Kit::new(&repo.root());
    check(
        &repo,
        &kit,
        &[
            ("with space.txt", Indexed("oddly")),
            ("ünïcödé.txt", Indexed("oddly")),
            ("quote\"'.txt", Indexed("oddly")),
            ("glob[*?].txt", Indexed("oddly")),
            ("-dash.txt", Indexed("oddly")),
            ("percent%20.txt", Indexed("oddly")),
            ("back\\slash.txt", Indexed("oddly")),
            ("a.rs", Absent),
            ("a.rs/inner.rs", Indexed("inside a directory")),
            (&format!("{}/deep.txt", ["d"; 60].join("/")), Indexed("deeply")),
            (&"n".repeat(255), Indexed("long name")),
            (".hidden/x.txt", Absent),
            (".env", Absent),
            ("server.pem", Skipped("may hold secrets")),
            ("id_rsa", Skipped("may hold secrets")),
            ("credentials.json", Skipped("may hold secrets")),
            ("x.KEY", Skipped("may hold secrets")),
            ("id_rsa.pub", Indexed("public knowledge")),
            ("node_modules/m/index.js", Absent),
            ("cache/__pycache__/x.py", Absent),
        ],
    );
    assert_eq!(kit.paths_with("hush"), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn kinds() {
    use std::os::unix::{
        ffi::OsStrExt,
        fs::{PermissionsExt, symlink},
        net::UnixListener,
    };
    let repo = Repo::new("//- /real/file.txt\nreal\n");
    let outside = repo.beside("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("loot.txt"), "loot").unwrap();
    symlink("..", repo.path("real/loop")).unwrap();
    symlink("self", repo.path("self")).unwrap();
    symlink("nowhere", repo.path("dangling")).unwrap();
    symlink(&outside, repo.path("out_dir")).unwrap();
    symlink(outside.join("loot.txt"), repo.path("out_file.txt")).unwrap();
    symlink("real/file.txt", repo.path("inside.txt")).unwrap();
    let mut expected = vec![
        ("real/file.txt", Indexed("real")),
        ("real/loop", Skipped("a symbolic link")),
        ("self", Skipped("a symbolic link")),
        ("dangling", Skipped("a symbolic link")),
        ("out_dir", Skipped("a symbolic link")),
        ("out_file.txt", Skipped("a symbolic link")),
        ("inside.txt", Skipped("a symbolic link")),
    ];
    let socket = UnixListener::bind(repo.path("socket"));
    if socket.is_ok() {
        expected.push(("socket", Skipped("not a regular file")));
    }
    let pipe = std::process::Command::new("mkfifo").arg(repo.path("pipe.txt")).status();
    if pipe.is_ok_and(|status| status.success()) {
        expected.push(("pipe.txt", Skipped("not a regular file")));
        // Reading these rules would never end.
        repo.write("piped/x.txt", "piped");
        let rules = std::process::Command::new("mkfifo")
            .arg(repo.path("piped/.gitignore"))
            .status();
        assert!(rules.is_ok_and(|status| status.success()));
        expected.push(("piped", Skipped("its ignore rules are not in a regular file")));
    }
    let name = std::ffi::OsStr::from_bytes(b"bad\xFFname.txt");
    if fs::write(repo.root().join(name), "unnameable").is_ok() {
        expected.push(("bad\u{FFFD}name.txt", Skipped("its name is not valid UTF-8")));
    }
    repo.write("locked.txt", "locked");
    repo.write("locked_dir/x.txt", "locked");
    let set_mode = |path: &str, mode| fs::set_permissions(repo.path(path), fs::Permissions::from_mode(mode)).unwrap();
    set_mode("locked.txt", 0);
    set_mode("locked_dir", 0);
    // Some users may read whatever they like.
    let privileged = fs::read(repo.path("locked.txt")).is_ok();
    if privileged {
        expected.push(("locked.txt", Indexed("locked")));
        expected.push(("locked_dir/x.txt", Indexed("locked")));
    } else {
        expected.push(("locked.txt", Skipped("permission denied")));
        expected.push(("locked_dir", Skipped("cannot be listed")));
    }
    let kit = Kit::new(&repo.root());
    check(&repo, &kit, &expected);
    assert_eq!(kit.paths_with("loot"), Vec::<String>::new());
    // What could not be read is looked at again.
    set_mode("locked.txt", 0o600);
    set_mode("locked_dir", 0o700);
    assert_eq!(kit.paths_with("locked"), ["locked.txt", "locked_dir/x.txt"]);
}

/// A file that stays unreadable does not make every call write the index anew.
#[test]
fn skipped_files_settle() {
    let repo = Repo::new("//- /a.rs\nfn a() {}\n");
    repo.write("nul.bin", b"\0");
    repo.write("x.pem", "hush");
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    std::thread::sleep(std::time::Duration::from_millis(150));
    let settled = kit.json("index_repository", json!({}))["generation"].clone();
    for _ in 0..3 {
        let again = kit.json("index_repository", json!({}));
        assert_eq!(again["generation"], settled);
        assert_eq!(again["files_indexed"], 0);
    }
}

#[cfg(unix)]
#[test]
fn endless_rules_at_the_root_do_not_hang() {
    let repo = Repo::new("//- /a.txt\nfindable\n");
    let made = std::process::Command::new("mkfifo")
        .arg(repo.path(".gitignore"))
        .status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let kit = Kit::new(&repo.root());
    check(
        &repo,
        &kit,
        &[
            ("a.txt", Indexed("findable")),
            (".gitignore", Skipped("its ignore rules are not in a regular file")),
        ],
    );
}

#[test]
fn a_directory_of_which_nothing_counts_says_so() {
    let repo = Repo::new("//- /.gitignore\n/*\n//- /a.c\nint answer;\n");
    let kit = Kit::new(&repo.root());
    let calls = [
        ("index_repository", json!({})),
        ("index_status", json!({})),
        ("search_code", json!({ "query": "answer" })),
        ("find_references", json!({ "symbol": "answer" })),
    ];
    for (tool, arguments) in calls {
        let text = kit.text(tool, arguments);
        assert!(
            text.contains("Nothing here is indexed: every file is ignored"),
            "{tool}: {text}"
        );
    }
    repo.remove(".gitignore");
    assert!(!kit.text("index_status", json!({})).contains("Nothing here"));
    repo.remove("a.c");
    assert!(!kit.text("index_status", json!({})).contains("Nothing here"));
}
