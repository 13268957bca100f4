//! The fixture language of the test suites: many files in one text.
//!
//! ```text
//! //- /src/lib.rs lang:rust    a file; its header is no part of it
//! fn main() {}
//! //- edit                     what follows overlays the tree
//! //- /src/lib.rs deleted      ... by taking a file away
//! //- /src/main.rs             ... or by writing one
//! fn main() {}
//! ```
//!
//! Headers begin in the first column and mean the same in every language. Nothing here knows what the files are for,
//! so that any crate's tests can use it. `labels` reads what is stated of places in a file, `cases` a text that holds
//! several fixtures.

mod labels;

use std::{collections::BTreeMap, fs, io, path::Path};

use tempfile::TempDir;

pub use labels::{Label, labels};

/// The repository of the examples that tools give in their definitions.
pub const EXAMPLE: &str = r#"
//- /src/query.rs
//! Reads queries.

/// A query.
pub struct Query {
    pub words: Vec<String>,
}

/// Reads one.
pub fn parse_query(text: &str) -> Query {
    Query { words: split(text) }
}

fn split(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

pub trait Shown {
    fn shown(&self) -> String;
}

impl Shown for Query {
    fn shown(&self) -> String {
        self.words.join(" ")
    }
}
//- /src/main.rs
mod query;

use query::{Shown, parse_query};

fn main() {
    println!("{}", parse_query("a b").shown());
}
//- /README.md
# Example

`parse_query` reads a query.
"#;

const HEADER: &str = "//- ";
const TITLE: &str = "//= ";

/// One file of a revision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// Relative to the root, with `/`.
    pub path: String,
    pub text: String,
    /// `key:value` behind the path; a word without a colon has an empty value.
    pub meta: BTreeMap<String, String>,
}

impl File {
    /// Whether this revision takes the file away.
    pub fn is_deleted(&self) -> bool {
        self.meta.contains_key("deleted")
    }
}

/// What a fixture says: the first tree, then what each `edit` changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    pub revisions: Vec<Vec<File>>,
}

impl Fixture {
    /// Panics on a fixture that cannot be meant: text before the first header, or a path that is not below the root.
    pub fn parse(text: &str) -> Fixture {
        let mut revisions = vec![Vec::new()];
        for line in text.split_inclusive('\n') {
            let revision = revisions.last_mut().expect("there is a first revision");
            match line.strip_prefix(HEADER).map(str::trim) {
                Some("edit") => revisions.push(Vec::new()),
                Some(header) => revision.push(file_of(header)),
                None => match revision.last_mut() {
                    Some(file) => file.text.push_str(line),
                    None => assert!(line.trim().is_empty(), "text before the first file: {line:?}"),
                },
            }
        }
        Fixture { revisions }
    }
}

fn file_of(header: &str) -> File {
    let mut words = header.split_whitespace();
    let path = words.next().and_then(|path| path.strip_prefix('/'));
    let path = path.unwrap_or_else(|| panic!("not a path from the root: {header:?}"));
    let below = !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    assert!(below, "not a path below the root: {header:?}");
    let meta = words.map(|word| word.split_once(':').unwrap_or((word, "")));
    File {
        path: path.to_owned(),
        text: String::new(),
        meta: meta.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
    }
}

/// One of several fixtures in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case<'t> {
    /// The sentence that says what it shows.
    pub title: &'t str,
    pub fixture: &'t str,
}

/// The fixtures of a text, each behind a line `//= What it shows.`. Panics on a text that begins without one.
pub fn cases(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let begun = cases.last_mut().map(|case| &mut case.fixture);
        match (line.strip_prefix(TITLE), begun) {
            (Some(title), _) => cases.push(Case {
                title: title.trim(),
                fixture: &text[end..end],
            }),
            (None, Some(fixture)) => *fixture = &text[start - fixture.len()..end],
            (None, None) => panic!("text before the first title: {line:?}"),
        }
        start = end;
    }
    cases
}

/// Makes a directory equal to a revision laid over what is there.
pub fn write_to(dir: &Path, revision: &[File]) -> io::Result<()> {
    for file in revision {
        let path = dir.join(&file.path);
        if file.is_deleted() {
            fs::remove_file(&path)?;
            continue;
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, &file.text)?;
    }
    Ok(())
}

/// A fixture as a directory, gone with the value.
#[derive(Debug)]
pub struct Repo {
    dir: TempDir,
    later: std::vec::IntoIter<Vec<File>>,
}

impl Repo {
    /// The directory's name is always the same, so that answers which show it are too.
    pub fn new(fixture: &str) -> Repo {
        let dir = TempDir::with_prefix("fixture-").expect("a temporary directory can be made");
        let mut repo = Repo {
            dir,
            later: Fixture::parse(fixture).revisions.into_iter(),
        };
        fs::create_dir(repo.root()).expect("the directory is new");
        assert!(repo.edit(), "there is a first revision");
        repo
    }

    /// The root, its links resolved.
    pub fn root(&self) -> std::path::PathBuf {
        let dir = self.dir.path().canonicalize().expect("the directory exists");
        dir.join("repo")
    }

    /// A path below the directory that holds the root: for what must be outside of it.
    pub fn beside(&self, name: &str) -> std::path::PathBuf {
        self.root().with_file_name(name)
    }

    pub fn path(&self, path: &str) -> std::path::PathBuf {
        self.root().join(path)
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        let parent = path.parent().expect("a file is in a directory");
        fs::create_dir_all(parent).expect("directories can be made");
        fs::write(path, bytes).expect("files can be written");
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).expect("the file exists");
    }

    /// Applies the next revision; false if there was none.
    pub fn edit(&mut self) -> bool {
        let revision = self.later.next();
        if let Some(revision) = &revision {
            write_to(&self.root(), revision).expect("the revision can be written");
        }
        revision.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXTURE: &str = "
//- /a.py lang:python generated
print('//- not a header')
  //- neither is this
//- /src/b.rs
//- edit
//- /a.py deleted
//- /src/b.rs
fn b() {}
";

    #[test]
    fn headers_are_stripped_and_read() {
        let fixture = Fixture::parse(FIXTURE);
        let [first, second] = fixture.revisions.as_slice() else {
            panic!("two revisions, not {:?}", fixture.revisions);
        };
        assert_eq!(first[0].path, "a.py");
        assert_eq!(first[0].text, "print('//- not a header')\n  //- neither is this\n");
        assert_eq!(first[0].meta["lang"], "python");
        assert_eq!(first[0].meta["generated"], "");
        assert_eq!((first[1].path.as_str(), first[1].text.as_str()), ("src/b.rs", ""));
        assert!(second[0].is_deleted() && !second[1].is_deleted());
    }

    #[test]
    fn revisions_overlay_each_other() {
        let mut repo = Repo::new(FIXTURE);
        let text = |repo: &Repo, path: &str| fs::read_to_string(repo.path(path)).ok();
        assert_eq!(text(&repo, "src/b.rs").as_deref(), Some(""));
        assert!(repo.edit());
        assert_eq!(text(&repo, "a.py"), None);
        assert_eq!(text(&repo, "src/b.rs").as_deref(), Some("fn b() {}\n"));
        assert!(!repo.edit());
    }

    #[test]
    fn a_text_holds_several_fixtures() {
        let found = cases("//= One.\n//- /a\nx\n//= Two.\n//= Three.\n\n//- /b\n");
        let case = |title, fixture| Case { title, fixture };
        assert_eq!(
            found,
            [
                case("One.", "//- /a\nx\n"),
                case("Two.", ""),
                case("Three.", "\n//- /b\n")
            ]
        );
        assert!(std::panic::catch_unwind(|| cases("x\n//= One.\n")).is_err());
    }

    #[test]
    fn mistakes_in_a_fixture_are_loud() {
        for fixture in ["x\n//- /a", "//- a.rs", "//- /../a", "//- /a//b"] {
            let parsed = std::panic::catch_unwind(|| Fixture::parse(fixture));
            assert!(parsed.is_err(), "{fixture}");
        }
    }
}
