//! An answer reflects every change that was finished before the call, watched or not.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use serde_json::json;
use test_fixture::Repo;

use crate::{impact::git, kit::Kit};

const REPO: &str = "
//- /a.txt
apple
//- /dir/b.txt
banana
//- /c.txt
cherry
";

/// A change, and for each text the files that hold it afterwards.
type Step = (
    &'static str,
    fn(&Repo),
    &'static [(&'static str, &'static [&'static str])],
);

const STEPS: &[Step] = &[
    ("nothing", |_| {}, &[("apple", &["a.txt"]), ("banana", &["dir/b.txt"])]),
    (
        "edit",
        |repo| repo.write("a.txt", "apricot"),
        &[("apple", &[]), ("apricot", &["a.txt"])],
    ),
    (
        "create",
        |repo| repo.write("new/deep/d.txt", "date"),
        &[("date", &["new/deep/d.txt"])],
    ),
    (
        "edit in a new directory",
        |repo| repo.write("new/deep/d.txt", "dragonfruit"),
        &[("date", &[]), ("dragonfruit", &["new/deep/d.txt"])],
    ),
    ("delete", |repo| repo.remove("c.txt"), &[("cherry", &[])]),
    (
        "rename",
        |repo| fs::rename(repo.path("dir/b.txt"), repo.path("dir/e.txt")).unwrap(),
        &[("banana", &["dir/e.txt"])],
    ),
    (
        "rename of a directory",
        |repo| fs::rename(repo.path("dir"), repo.path("moved")).unwrap(),
        &[("banana", &["moved/e.txt"])],
    ),
    (
        "replace by rename",
        |repo| {
            repo.write("tmp.txt", "blackberry");
            fs::rename(repo.path("tmp.txt"), repo.path("moved/e.txt")).unwrap();
        },
        &[("banana", &[]), ("blackberry", &["moved/e.txt"])],
    ),
    (
        "same size",
        |repo| repo.write("a.txt", "avocado"),
        &[("apricot", &[]), ("avocado", &["a.txt"])],
    ),
    (
        "same size and time",
        |repo| {
            let path = repo.path("a.txt");
            let time = fs::metadata(&path).unwrap().modified().unwrap();
            fs::write(&path, "acerola").unwrap();
            File::options()
                .write(true)
                .open(&path)
                .unwrap()
                .set_modified(time)
                .unwrap();
        },
        &[("avocado", &[]), ("acerola", &["a.txt"])],
    ),
    (
        "a file becomes a directory",
        |repo| {
            repo.remove("a.txt");
            repo.write("a.txt/inner.txt", "almond");
        },
        &[("acerola", &[]), ("almond", &["a.txt/inner.txt"])],
    ),
    (
        "a directory becomes a file",
        |repo| {
            fs::remove_dir_all(repo.path("a.txt")).unwrap();
            repo.write("a.txt", "anise");
        },
        &[("almond", &[]), ("anise", &["a.txt"])],
    ),
    (
        "ignored from now on",
        |repo| repo.write(".gitignore", "a.txt\n/moved/\n"),
        &[("anise", &[]), ("blackberry", &[])],
    ),
    (
        "changed while ignored",
        |repo| repo.write("moved/e.txt", "blueberry"),
        &[("blueberry", &[])],
    ),
    (
        "no longer ignored",
        |repo| repo.remove(".gitignore"),
        &[("anise", &["a.txt"]), ("blueberry", &["moved/e.txt"])],
    ),
    (
        "becomes binary",
        |repo| repo.write("a.txt", b"anise\0"),
        &[("anise", &[])],
    ),
    (
        "becomes text again",
        |repo| repo.write("a.txt", "anise"),
        &[("anise", &["a.txt"])],
    ),
    (
        "excluded by the repository's own settings",
        |repo| repo.write(".portolan.toml", "[index]\nexclude = [\"moved\"]\n"),
        &[("blueberry", &[]), ("anise", &["a.txt"])],
    ),
    (
        "created where rules of the directory, of its parent and of git hold",
        |repo| {
            repo.write(".git/info/exclude", "*.own\n");
            repo.write(".git/HEAD", "ref: refs/heads/main\n");
            repo.write(".gitignore", "*.log\n");
            repo.write("ruled/.gitignore", "*.out\n!kept.log\n");
            repo.write("ruled/fig.txt", "fig");
        },
        &[("fig", &["ruled/fig.txt"])],
    ),
    (
        "created beside",
        |repo| {
            for name in ["x.log", "x.own", "x.out", "kept.log", "plain.txt"] {
                repo.write(&format!("ruled/{name}"), "grape");
            }
        },
        &[("grape", &["ruled/kept.log", "ruled/plain.txt"])],
    ),
    (
        "renamed out of what is ignored, and into it",
        |repo| {
            fs::rename(repo.path("ruled/x.out"), repo.path("ruled/in.txt")).unwrap();
            fs::rename(repo.path("ruled/plain.txt"), repo.path("ruled/plain.out")).unwrap();
        },
        &[("grape", &["ruled/in.txt", "ruled/kept.log"])],
    ),
    (
        "directories change places",
        |repo| {
            repo.write("left/same.txt", "kiwi");
            repo.write("right/same.txt", "lime");
            fs::rename(repo.path("left"), repo.path("between")).unwrap();
            fs::rename(repo.path("right"), repo.path("left")).unwrap();
            fs::rename(repo.path("between"), repo.path("right")).unwrap();
        },
        &[("kiwi", &["right/same.txt"]), ("lime", &["left/same.txt"])],
    ),
    (
        "directories change places once more",
        |repo| {
            fs::rename(repo.path("left"), repo.path("between")).unwrap();
            fs::rename(repo.path("right"), repo.path("left")).unwrap();
            fs::rename(repo.path("between"), repo.path("right")).unwrap();
        },
        &[("kiwi", &["left/same.txt"]), ("lime", &["right/same.txt"])],
    ),
    (
        "edit in one that was moved",
        |repo| repo.write("left/same.txt", "mango"),
        &[("kiwi", &[]), ("mango", &["left/same.txt"])],
    ),
    (
        "marked as a cache",
        |repo| repo.write("left/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"),
        &[("mango", &[])],
    ),
    (
        "everything is gone",
        |repo| {
            for entry in fs::read_dir(repo.root()).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    fs::remove_dir_all(path)
                } else {
                    fs::remove_file(path)
                }
                .unwrap();
            }
        },
        &[("anise", &[]), ("dragonfruit", &[])],
    ),
];

/// Git tracks files in a directory that it ignores, and some whose names begin with a dot.
const TRACKED: &str = "
//- /.gitignore
out/
*.gen
//- /a.txt
apple
//- /out/deep/kept.txt
banana
//- /out/deep/made.txt
banana
//- /x.gen
banana
//- /.config/c.txt
cherry
//- /.local/c.txt
cherry
//- /.env
cherry
//- /node_modules/c.txt
cherry
";

const TRACKED_STEPS: &[Step] = &[
    (
        "nothing",
        |_| {},
        &[("banana", &["out/deep/kept.txt"]), ("cherry", &[".config/c.txt"])],
    ),
    (
        "edit",
        |repo| {
            repo.write("out/deep/kept.txt", "blueberry");
            repo.write("out/deep/made.txt", "blueberry");
            repo.write(".config/c.txt", "coconut");
        },
        &[
            ("banana", &[]),
            ("blueberry", &["out/deep/kept.txt"]),
            ("coconut", &[".config/c.txt"]),
        ],
    ),
    (
        "delete, and create beside",
        |repo| {
            repo.remove("out/deep/kept.txt");
            repo.write("out/deep/new.txt", "blueberry");
            repo.write(".config/new.txt", "coconut");
            repo.write(".hidden", "coconut");
        },
        &[("blueberry", &[]), ("coconut", &[".config/c.txt"])],
    ),
    (
        "create what is tracked",
        |repo| {
            repo.write("out/deep/kept.txt", "blueberry");
            repo.write("x.txt", "blueberry");
        },
        &[("blueberry", &["out/deep/kept.txt", "x.txt"])],
    ),
    (
        "track more",
        |repo| git(repo, &["add", "-f", "out/deep/made.txt", ".hidden", "x.gen"]),
        &[
            ("blueberry", &["out/deep/kept.txt", "out/deep/made.txt", "x.txt"]),
            ("coconut", &[".config/c.txt", ".hidden"]),
            ("banana", &["x.gen"]),
        ],
    ),
    (
        "replace by rename",
        |repo| {
            repo.write("out/tmp", "breadfruit");
            fs::rename(repo.path("out/tmp"), repo.path("out/deep/made.txt")).unwrap();
        },
        &[("breadfruit", &["out/deep/made.txt"])],
    ),
    (
        "track no longer",
        |repo| git(repo, &["rm", "-qrf", "--cached", "out", ".hidden"]),
        &[
            ("breadfruit", &[]),
            ("blueberry", &["x.txt"]),
            ("coconut", &[".config/c.txt"]),
        ],
    ),
    (
        "ignored by what is meant for others than git",
        |repo| repo.write(".ignore", ".config/\n"),
        &[("coconut", &[]), ("banana", &["x.gen"])],
    ),
    (
        "the repository is none",
        |repo| fs::remove_dir_all(repo.path(".git")).unwrap(),
        &[("banana", &[]), ("apple", &["a.txt"])],
    ),
];

/// The files that are left in the end.
fn check(fixture: &str, steps: &[Step], watch: bool) -> Vec<String> {
    let repo = Repo::new(fixture);
    if fixture == TRACKED {
        git(&repo, &["init", "-q"]);
        let tracked = [
            ".gitignore",
            "a.txt",
            "out/deep/kept.txt",
            ".config/c.txt",
            ".env",
            "node_modules/c.txt",
        ];
        git(&repo, &[&["add", "-f"][..], &tracked].concat());
    }
    let kit = Kit::with(&repo.root(), watch, &[]);
    for (what, change, expected) in steps {
        change(&repo);
        for (text, paths) in *expected {
            assert_eq!(kit.paths_with(text), *paths, "{what}: {text}, literally");
            let arguments = json!({ "query": text });
            let rows = kit.rows("search_code", &arguments, "results");
            let mut found: Vec<&str> = rows.iter().filter_map(|row| row["path"].as_str()).collect();
            found.sort_unstable();
            assert_eq!(found, *paths, "{what}: {text}, by keyword");
            let found: Vec<String> = kit
                .files()
                .into_iter()
                .filter(|path| paths.contains(&path.as_str()))
                .collect();
            assert_eq!(found, *paths, "{what}: listed");
        }
    }
    kit.files()
}

#[test]
fn every_call_looks_at_the_disk() {
    assert_eq!(check(REPO, STEPS, false), Vec::<String>::new());
}

#[test]
fn a_watched_tree_is_as_fresh() {
    assert_eq!(check(REPO, STEPS, true), Vec::<String>::new());
}

#[test]
fn what_git_tracks_is_not_ignored() {
    for watch in [false, true] {
        let left = check(TRACKED, TRACKED_STEPS, watch);
        assert_eq!(left, ["a.txt", "x.txt"], "watch: {watch}");
    }
}

/// What git keeps for itself may hold passwords, whatever a list says that someone else wrote.
#[test]
fn what_is_gits_own_is_never_tracked() {
    let repo = Repo::new("//- /agit/config\n[core]\n//- /a.txt\napple\n");
    git(&repo, &["init", "-q"]);
    git(&repo, &["add", "-A"]);
    let mut index = fs::read(repo.path(".git/index")).unwrap();
    let path = b"agit/config";
    let at = index.windows(path.len()).position(|bytes| bytes == path).unwrap();
    index[at] = b'.';
    fs::write(repo.path(".git/index"), index).unwrap();
    let kit = Kit::new(&repo.root());
    let indexed = kit.json("index_repository", json!({ "exclude_patterns": ["none"] }));
    assert_eq!(indexed["files_indexed"], 2);
    assert_eq!(kit.files(), ["a.txt", "agit/config"]);
}

/// The time of a file that was not just written tells nothing if it is set back.
#[test]
fn an_old_file_edited_behind_the_clock() {
    for watch in [false, true] {
        let repo = Repo::new("//- /a.txt\nbefore\n");
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        let set_back = || {
            let file = File::options().write(true).open(repo.path("a.txt")).unwrap();
            file.set_modified(old).unwrap();
        };
        set_back();
        let kit = Kit::with(&repo.root(), watch, &[]);
        assert_eq!(kit.paths_with("before"), ["a.txt"]);
        fs::write(repo.path("a.txt"), "behind\n").unwrap();
        set_back();
        assert_eq!(kit.paths_with("behind"), ["a.txt"], "watch: {watch}");
        let rows = kit.rows("search_code", &json!({ "query": "behind" }), "results");
        assert_eq!(rows.len(), 1, "watch: {watch}");
        assert_eq!(kit.paths_with("before"), Vec::<String>::new(), "watch: {watch}");
    }
}

#[test]
fn rules_outside_of_the_tree() {
    for watch in [false, true] {
        let repo =
            Repo::new("//- /here/a.txt\nword\n//- /here/.git/HEAD\nref: refs/heads/main\n//- /here/.git/info/x\n\n");
        let kit = Kit::with(&repo.path("here"), watch, &[]);
        assert_eq!(kit.paths_with("word"), ["a.txt"]);
        for rules in ["here/.git/info/exclude", ".ignore"] {
            repo.write(rules, "a.txt\n");
            assert_eq!(kit.paths_with("word"), Vec::<String>::new(), "watch: {watch}, {rules}");
            repo.remove(rules);
            assert_eq!(kit.paths_with("word"), ["a.txt"], "watch: {watch}, {rules}");
        }
    }
}

#[test]
fn a_root_that_is_replaced() {
    for watch in [false, true] {
        let repo = Repo::new("//- /here/a.txt\nbefore\n");
        let root = repo.path("here");
        let kit = Kit::with(&root, watch, &[]);
        assert_eq!(kit.paths_with("before"), ["a.txt"]);
        fs::rename(&root, repo.path("away")).unwrap();
        assert!(kit.call("search_code", json!({ "query": "before" })).is_error());
        for text in ["another", "edited"] {
            repo.write("here/b.txt", text);
            assert_eq!(kit.paths_with(text), ["b.txt"], "watch: {watch}");
            assert_eq!(kit.paths_with("before"), Vec::<String>::new(), "watch: {watch}");
        }
    }
}

/// What is set, what `get_config` says and what is indexed are the same from the next call on, whatever was set before.
#[test]
fn settings_that_change() {
    let repo = Repo::new(
        "
//- /src/a.py
def f(): pass
//- /generated/g.py
def g(): pass
//- /node_modules/x/i.js
function x() {}
",
    );
    let (own, made, all) = (
        &["src/a.py"][..],
        &["generated/g.py", "src/a.py"][..],
        &["generated/g.py", "node_modules/x/i.js", "src/a.py"][..],
    );
    let mut kit = Kit::new(&repo.root());
    let patterns = |kit: &Kit, key: &str| {
        let settings = kit.json("get_config", json!({ "detailed": true }))["settings"].clone();
        let setting = settings
            .as_array()
            .unwrap()
            .iter()
            .find(|setting| setting["key"] == key);
        setting.unwrap()["items"].clone()
    };
    for (name, value, expected) in [
        ("PORTOLAN_READ_ONLY", "false", made),
        ("PORTOLAN_EXCLUDE_PATTERNS", "**/generated/**", own),
        ("PORTOLAN_READ_ONLY", "false", made),
        ("PORTOLAN_EXCLUDE_PATTERNS", "", all),
        ("PORTOLAN_INCLUDE_PATTERNS", "src/**", own),
        ("PORTOLAN_CHUNK_SIZE", "100", made),
    ] {
        kit = kit.reopened_with_env(&[(name, value)]);
        assert_eq!(kit.files(), expected, "{name}={value}");
        let session = kit.json("index_status", json!({}))["session"].clone();
        let info = kit.json("get_session_info", json!({ "session": session }));
        assert_eq!(info["chunk_size"] == 100, name == "PORTOLAN_CHUNK_SIZE", "{info}");
        for list in ["exclude_patterns", "include_patterns"] {
            assert_eq!(
                info[list],
                patterns(&kit, &format!("indexing.{list}")),
                "{name}={value}"
            );
        }
    }
    // What a session is given goes before what is set, and nothing else does.
    kit.json("index_repository", json!({ "exclude_patterns": ["src/**"] }));
    assert_eq!(kit.files(), ["generated/g.py"]);
    kit = kit.reopened_with_env(&[("PORTOLAN_EXCLUDE_PATTERNS", "**/generated/**")]);
    assert_eq!(kit.files(), ["generated/g.py"]);
    kit = kit.reopened_with_env(&[("PORTOLAN_INCLUDE_PATTERNS", "src/**")]);
    assert_eq!(kit.files(), Vec::<String>::new());
}

/// Each process has what it is set to, also where another one indexes the same directory otherwise, and neither makes the
/// other begin anew.
#[test]
fn processes_with_other_settings() {
    let repo = Repo::new("//- /a.py\nword\n//- /b.txt\nword\n");
    let server = Kit::watching(&repo.root());
    let home = server.home().display().to_string();
    let flags = [("storage.home", home.as_str()), ("indexing.include_patterns", "*.txt")];
    let other = Kit::with(&repo.root(), false, &flags);
    for _ in 0..2 {
        assert_eq!(server.paths_with("word"), ["a.py", "b.txt"]);
        assert_eq!(other.paths_with("word"), ["b.txt"]);
    }
    repo.write("b.txt", "another word\n");
    assert_eq!(server.paths_with("another"), ["b.txt"]);
    assert_eq!(other.paths_with("another"), ["b.txt"]);

    let apart = || -> Vec<PathBuf> {
        let beside = server.index_dir();
        let dirs = std::fs::read_dir(beside.parent().unwrap()).unwrap();
        let dirs = dirs.map(|dir| dir.unwrap().path());
        let is_apart = |dir: &PathBuf| dir.file_name().unwrap().to_string_lossy().starts_with("index-");
        dirs.filter(is_apart).collect()
    };
    let forget = |dir: &Path| {
        let used = File::options().write(true).open(dir.join("used")).unwrap();
        used.set_modified(SystemTime::now() - Duration::from_secs(30 * 24 * 3600))
            .unwrap();
    };
    let look = || drop(Kit::with(&repo.root(), false, &[("storage.home", home.as_str())]).paths_with("word"));
    // What nobody has used for long is deleted, what somebody uses is not.
    let [dir] = &apart()[..] else { panic!("{:?}", apart()) };
    forget(dir);
    look();
    assert_eq!(apart().len(), 1);
    drop(other);
    // A thread of it may still be at its last step.
    for _ in 0..200 {
        look();
        if apart().is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(apart().is_empty(), "{:?}", apart());
    assert_eq!(server.paths_with("word"), ["a.py", "b.txt"]);
}

#[test]
fn another_process_sees_what_this_one_indexed() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({}));
    let kit = kit.reopened();
    let again = kit.json("index_repository", json!({}));
    assert_eq!((&again["files_indexed"], &again["unchanged"]), (&json!(0), &json!(3)));
    repo.write("a.txt", "changed while nobody looked");
    let kit = kit.reopened();
    assert_eq!(kit.paths_with("nobody"), ["a.txt"]);
}

#[test]
fn callers_at_the_same_time_all_get_whole_answers() {
    let repo = Repo::new(REPO);
    let kit = Kit::watching(&repo.root());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (repo, kit) = (&repo, &kit);
            scope.spawn(move || {
                for round in 0..8 {
                    let (path, text) = (format!("own{thread}.txt"), format!("thread{thread}round{round}"));
                    repo.write(&path, &text);
                    assert_eq!(kit.paths_with(&text), [path]);
                    assert_eq!(kit.paths_with("banana"), ["dir/b.txt"]);
                }
            });
        }
    });
    assert_eq!(kit.files().len(), 7);
}

/// How many callers have looked at the disk and wait for whoever holds the lock: each has asked it for files then.
fn n_waiting(kit: &Kit) -> usize {
    let asked = kit.index_dir().with_file_name("asked");
    let entries = fs::read_dir(asked).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .filter(|path| path.extension().is_some_and(|end| end == "paths"))
        .count()
}

fn until_waiting(kit: &Kit, callers: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while n_waiting(kit) < callers {
        assert!(Instant::now() < deadline, "{} of {callers} wait", n_waiting(kit));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Who looked before a file was made, and writes after another has indexed it, must not take it for one that is gone.
#[test]
fn who_has_looked_earlier_does_not_remove_what_is_new() {
    let repo = Repo::new(REPO);
    // A one-shot process sends its request to the writer only after `limits.first_answer_secs`.
    let early = Kit::with(&repo.root(), false, &[("limits.first_answer_secs", "5")]);
    let late = early.beside(true);
    assert_eq!((early.files().len(), late.files().len()), (3, 3));
    let lock = File::options()
        .write(true)
        .open(early.index_dir().join("lock"))
        .unwrap();
    for round in 0..2 {
        let (edit, new) = (format!("edit{round}"), format!("new{round}"));
        assert_eq!(n_waiting(&early), 0, "round {round}");
        std::thread::scope(|scope| {
            lock.lock().unwrap();
            repo.write("a.txt", &edit);
            scope.spawn(|| assert_eq!(early.paths_with(&edit), ["a.txt"]));
            until_waiting(&early, 1);
            repo.write(&format!("{new}.txt"), &new);
            scope.spawn(|| assert_eq!(late.paths_with(&new), [format!("{new}.txt")]));
            until_waiting(&early, 2);
            lock.unlock().unwrap();
        });
        assert_eq!(late.paths_with(&new), [format!("{new}.txt")], "round {round}");
    }
}

/// Directories that are gone leave no index behind for ever, and one that comes back has lost nothing else.
#[test]
fn indexes_of_directories_that_are_gone_are_deleted_in_the_end() {
    let (gone, other) = (Repo::new(REPO), Repo::new(REPO));
    let kit = Kit::new(&gone.root());
    kit.json("checkpoint", json!({ "description": "Remember the drive." }));
    assert!(!kit.paths_with("apple").is_empty());
    let index = kit.index_dir();
    let session = index.parent().unwrap().to_owned();
    // Those of earlier formats and with other settings, one of them from before their last use was noted.
    for name in ["index-31", "index-0a1b2c3d"] {
        std::fs::create_dir(session.join(name)).unwrap();
        std::fs::write(session.join(name).join("catalog.db"), "of an earlier version").unwrap();
    }
    let home = kit.home().to_owned();
    let keep = kit.beside(false);
    drop(kit);
    let grow_old = |path: PathBuf| {
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(30 * 24 * 3600))
            .unwrap();
    };
    let swept = home.join(".swept");
    let look = || {
        let flags = [("storage.home", home.to_str().unwrap())];
        drop(Kit::with(&other.root(), false, &flags).paths_with("apple"));
    };
    let aside = gone.root().with_extension("unmounted");
    std::fs::rename(gone.root(), &aside).unwrap();

    grow_old(swept.clone());
    look();
    assert!(index.exists(), "it was used a moment ago");
    for dir in ["index/used", "index-31/catalog.db", "index-0a1b2c3d/catalog.db"] {
        grow_old(session.join(dir));
    }
    look();
    assert!(index.exists(), "they are looked for once a day");
    grow_old(swept);
    look();
    for dir in ["index", "index-31", "index-0a1b2c3d"] {
        assert!(!session.join(dir).exists(), "{dir}");
    }
    assert!(session.join("session.json").exists());
    std::fs::rename(&aside, gone.root()).unwrap();
    assert!(!keep.paths_with("apple").is_empty());
    assert!(
        keep.text("recall", json!({ "query": "drive" }))
            .contains("Remember the drive.")
    );
}

/// Where the user says so, or events cannot be relied on, every call looks at every file, and says why.
#[test]
fn changes_are_noticed_without_events() {
    let repo = Repo::new(REPO);
    let kit = Kit::with(&repo.root(), true, &[("indexing.watch", "false")]);
    for round in 0..3 {
        repo.write("a.txt", format!("round{round}\n"));
        assert_eq!(kit.paths_with(&format!("round{round}")), ["a.txt"]);
    }
    let status = kit.json("index_status", json!({}));
    assert_eq!(status["change_detection"], "walk");
    assert_eq!(
        status["freshness"],
        "every call looks at every file: indexing.watch is off"
    );
    assert_eq!(status["index_file_system"], "local");
    assert!(kit.text("index_status", json!({})).contains("indexing.watch is off"));
}
