//! Paths inside a workspace, and what a path alone tells about a file.

use std::{fmt, path::Path};

/// A path relative to the workspace root: UTF-8, `/` between components, no `.` or `..`, never empty.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Box<str>);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    #[error("the path is empty")]
    Empty,
    #[error("the path leaves the workspace")]
    Escapes,
    #[error("the path is not valid UTF-8")]
    NotUtf8,
    #[error("the path contains a NUL character")]
    Nul,
}

impl RepoPath {
    /// Normalises separators and `.`; refuses what is absolute or climbs out of the root.
    pub fn new(text: &str) -> Result<RepoPath, PathError> {
        if text.contains('\0') {
            return Err(PathError::Nul);
        }
        if text.starts_with('/') {
            return Err(PathError::Escapes);
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop().ok_or(PathError::Escapes)?;
                }
                part => parts.push(part),
            }
        }
        if parts.is_empty() {
            return Err(PathError::Empty);
        }
        Ok(RepoPath(parts.join("/").into()))
    }

    /// From a relative path of the operating system.
    pub fn from_relative(path: &Path) -> Result<RepoPath, PathError> {
        let text = path.to_str().ok_or(PathError::NotUtf8)?;
        if cfg!(windows) {
            return RepoPath::new(&text.replace('\\', "/"));
        }
        RepoPath::new(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether the path is of what stands beside a program: examples, documents, benchmarks.
pub fn is_beside_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (dir, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let in_dir = dir.split('/').any(|part| {
        matches!(
            part,
            "example"
                | "examples"
                | "bench"
                | "benches"
                | "benchmark"
                | "benchmarks"
                | "fixtures"
                | "fixture"
                | "doc"
                | "docs"
                | "demo"
                | "demos"
                | "samples"
                | "scripts"
                | "fuzz"
                | "mocks"
                | "__mocks__"
                | "playground"
                | "playgrounds"
                | "migrations"
        )
    });
    in_dir || name.contains(".stories.") || name.contains(".bench.")
}

/// Whether the path follows a common convention for tests.
pub fn is_test_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (dir, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let is_test_dir = |part: &str| {
        matches!(
            part,
            "test"
                | "tests"
                | "__tests__"
                | "spec"
                | "specs"
                | "testing"
                | "testdata"
                | "e2e"
                | "cypress"
                | "__fixtures__"
                | "__snapshots__"
        )
    };
    let mut parts = dir.split('/').enumerate();
    let in_test_dir = parts.any(|(at, part)| is_test_dir(part) && !is_shipped(dir, at, name));
    let stem = name.split('.').next().unwrap_or(name);
    in_test_dir
        // As Perl has them, and git.
        || dir == "t"
        || dir.starts_with("t/")
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("-test")
        || stem.ends_with("-tests")
        || stem.ends_with("_spec")
        || stem.ends_with("-spec")
        || stem == "tests"
        || [".test.", ".spec.", ".test-d.", ".e2e.", ".cy."].iter().any(|mark| name.contains(mark))
        || java_like_test(path)
}

/// Whether a directory for tests, the one after so many others, is a part of the product: what helps its users to test.
fn is_shipped(dir: &str, at: usize, name: &str) -> bool {
    let before = || dir.split('/').take(at);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    match extension {
        // All that a gem or an application ships is below `lib`, and its tests are beside that.
        "rb" | "ex" => before().any(|part| part == "lib"),
        // Discovery tells tests by the names of their modules: what is called otherwise and is in a package is imported.
        "py" | "pyi" => {
            let in_package = before()
                .last()
                .is_some_and(|part| !matches!(part, "src" | "lib" | "python"));
            let is_test = stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest";
            let is_part = matches!(dir.split('/').nth(at), Some("test" | "testing"));
            in_package && is_part && !is_test
        }
        // By the layout of Maven, which Gradle and sbt share.
        "java" | "kt" | "scala" | "groovy" => before().zip(before().skip(1)).any(|pair| pair == ("src", "main")),
        _ => false,
    }
}

/// What the name of a test says that it tests, without its ending: `atlas` of `line/atlas.test.ts`.
pub fn tested_stem(path: &str) -> Option<&str> {
    if !is_test_path(path) {
        return None;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let ends = [
        "_test", "_tests", "_spec", "-test", "-tests", "-spec", "Tests", "Test", "Spec",
    ];
    let begins = ["test_", "test-", "Test"];
    let tested = ends.iter().find_map(|end| stem.strip_suffix(end));
    let tested = tested.or_else(|| begins.iter().find_map(|begin| stem.strip_prefix(begin)));
    tested.or(Some(stem)).filter(|tested| !tested.is_empty())
}

/// Whether the path follows a common convention for code that others wrote, or that a program did.
pub fn is_vendored_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (dir, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let in_vendor_dir = dir.split('/').any(|part| {
        matches!(
            part,
            "vendor"
                | "vendors"
                | "vendored"
                | "third_party"
                | "third-party"
                | "thirdparty"
                | "3rdparty"
                | "3rd_party"
                | "3rd-party"
                | "external"
                | "extern"
                | "node_modules"
                | "bower_components"
                | "site-packages"
                | ".yarn"
                | "generated"
                | "__generated__"
                | "gen"
                | "dist"
        )
    });
    const BEFORE_DOT: [&str; 11] = [
        ".pnp",
        ".min",
        ".gen",
        ".generated",
        ".g",
        ".pb",
        "_pb2",
        "_pb2_grpc",
        "_generated",
        ".designer",
        "-lock",
    ];
    in_vendor_dir
        // Elsewhere they may be what a module is about.
        || ["deps/", "dependencies/"].iter().any(|first| dir.starts_with(first) || dir == &first[..first.len() - 1])
        || name.match_indices('.').any(|(dot, _)| {
            let (before, after) = (&name[..dot], &name[dot + 1..]);
            after.starts_with("lock") || BEFORE_DOT.iter().any(|mark| before.ends_with(mark))
        })
}

/// `FooTest.java`, `FooTests.cs`, `TestFoo.kt`: camel case is what tells these from `latest.java`.
fn java_like_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    // What is built into the product is no test, whatever it is called.
    let is_main = path.starts_with("src/main/") || path.contains("/src/main/");
    // Java's specifications are of other things than behaviour.
    let is_spec = stem.ends_with("Spec") && !matches!(extension, "java" | "cs");
    matches!(extension, "java" | "kt" | "scala" | "cs" | "swift" | "groovy" | "php")
        && !is_main
        && (stem.ends_with("Test") || stem.ends_with("Tests") || is_spec || stem.starts_with("Test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalised_and_never_leave_the_root() {
        let ok = |text: &str| RepoPath::new(text).map(|path| path.to_string());
        assert_eq!(ok("./a//b/../c.rs"), Ok("a/c.rs".into()));
        assert_eq!(ok("a/.."), Err(PathError::Empty));
        assert_eq!(ok("../a"), Err(PathError::Escapes));
        assert_eq!(ok("a/../../b"), Err(PathError::Escapes));
        assert_eq!(ok("/etc/passwd"), Err(PathError::Escapes));
        assert_eq!(ok("a\0b"), Err(PathError::Nul));
        assert_eq!(ok(""), Err(PathError::Empty));
    }

    #[test]
    fn a_test_is_named_after_what_it_tests() {
        for (path, expected) in [
            ("line/atlas.test.ts", Some("atlas")),
            ("pkg/store_test.go", Some("store")),
            ("tests/test_views.py", Some("views")),
            ("src/test/java/a/ParserTest.java", Some("Parser")),
            ("spec/user_spec.rb", Some("user")),
            ("tests/parse.rs", Some("parse")),
            ("tests/Test.php", None),
            ("src/atlas.ts", None),
        ] {
            assert_eq!(tested_stem(path), expected, "{path}");
        }
    }

    #[test]
    fn tests_and_the_work_of_others_are_recognised_by_path() {
        for path in [
            "tests/a.rs",
            "src/foo_test.go",
            "a/test_x.py",
            "web/x.spec.ts",
            "web/x.test-d.ts",
            "web/x.cy.ts",
            "app/x-test.js",
            "web/__fixtures__/x.js",
            "src/rank/tests.rs",
            "src/FooTest.java",
            "django/test/test_client.py",
            "django/tests/client.py",
            "test/support/client.py",
            "src/test/client.py",
            "test/lib/helper.rb",
            "src/test/java/org/acme/Context.java",
        ] {
            assert!(is_test_path(path), "{path}");
        }
        for path in [
            "web/Button.stories.tsx",
            "web/x.bench.ts",
            "web/__mocks__/fs.js",
            "docs/a.md",
        ] {
            assert!(is_beside_path(path), "{path}");
        }
        assert!(!is_beside_path("src/stories.ts"));
        for path in [
            "vendor/a/b.go",
            "web/node_modules/x.js",
            "api/user.pb.go",
            "api/user_pb2.py",
            "a.min.js",
            "Cargo.lock",
            ".yarn/releases/yarn-4.1.0.cjs",
            ".pnp.cjs",
            "deps/hiredis/dict.c",
            "deps/lua.c",
            "src/3rdparty/zlib.c",
        ] {
            assert!(is_vendored_path(path), "{path}");
        }
        for path in [
            "src/vendors.rs",
            "src/gen.rs",
            "src/lock.rs",
            "src/minimal.js",
            "src/deps/tree.rs",
        ] {
            assert!(!is_vendored_path(path), "{path}");
        }
        for path in [
            "src/latest.rs",
            "src/contest.py",
            "attest/a.c",
            "src/Latest.java",
            "lib/MethodSpec.java",
            "src/main/java/TestRule.java",
            "django/test/client.py",
            "numpy/testing/_private/utils.py",
            "src/main/java/org/acme/test/Context.java",
            "activesupport/lib/active_support/testing/time_helpers.rb",
            "lib/phoenix/test/channel.ex",
        ] {
            assert!(!is_test_path(path), "{path}");
        }
    }
}
