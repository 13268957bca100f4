//! Globs over paths of a repository.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Globs over repository paths, in the manner of `.gitignore`: a pattern without `/` matches a name at any depth, one
/// with `/` is anchored at the root, and a pattern that matches a directory takes all that is in it.
#[derive(Debug, Clone)]
pub struct PathGlobs {
    /// `**/name/**`: everything in directories of these names.
    below: Vec<String>,
    /// `**/*.end`: everything with such an ending, be it a directory.
    endings: Vec<String>,
    /// All others.
    set: GlobSet,
}

#[derive(Debug, thiserror::Error)]
#[error("bad glob `{glob}`: {reason}")]
pub struct GlobError {
    pub glob: String,
    pub reason: String,
}

impl PathGlobs {
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> Result<PathGlobs, GlobError> {
        let mut set = GlobSetBuilder::new();
        let (mut below, mut endings) = (Vec::new(), Vec::new());
        let is_plain = |text: &str| !text.is_empty() && !text.contains(['/', '*', '?', '[', ']', '{', '}', '\\', '!']);
        for pattern in patterns {
            let pattern = pattern.as_ref();
            // What nearly every rule looks like needs no automaton.
            if let Some(name) = pattern.strip_prefix("**/").and_then(|rest| rest.strip_suffix("/**"))
                && is_plain(name)
            {
                below.push(name.to_owned());
                continue;
            }
            if let Some(ending) = pattern.strip_prefix("**/*")
                && is_plain(ending)
            {
                endings.push(ending.to_owned());
                continue;
            }
            let fail = |error: globset::Error| GlobError {
                glob: pattern.to_owned(),
                reason: error.kind().to_string(),
            };
            let trimmed = pattern.trim_start_matches("./").trim_end_matches('/');
            let anchored = match trimmed.strip_prefix('/') {
                Some(rest) => rest.to_owned(),
                None if trimmed.contains('/') => trimmed.to_owned(),
                None => format!("**/{trimmed}"),
            };
            // `app/[slug]/page.tsx` is the name of a file to some, and is meant so where there is such a file.
            let mut spellings = vec![anchored.clone()];
            if anchored.contains('[') {
                let bracket = |c: char| match c {
                    '[' | ']' => format!("[{c}]"),
                    c => c.to_string(),
                };
                spellings.push(anchored.chars().map(bracket).collect());
            }
            for glob in spellings.iter().flat_map(|glob| [glob.clone(), format!("{glob}/**")]) {
                set.add(GlobBuilder::new(&glob).literal_separator(true).build().map_err(fail)?);
            }
        }
        let fail = |error: globset::Error| GlobError {
            glob: String::new(),
            reason: error.kind().to_string(),
        };
        Ok(PathGlobs {
            below,
            endings,
            set: set.build().map_err(fail)?,
        })
    }

    pub fn matches(&self, path: &str) -> bool {
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        (!self.below.is_empty() && dir.split('/').any(|name| self.below.iter().any(|below| below == name)))
            || (!self.endings.is_empty()
                && path
                    .split('/')
                    .any(|name| self.endings.iter().any(|ending| name.ends_with(ending.as_str()))))
            || (!self.set.is_empty() && self.set.is_match(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_read_like_gitignore() {
        for (pattern, path, expected) in [
            ("*.rs", "src/deep/a.rs", true),
            ("*.rs", "src/a.rs.txt", false),
            ("src/*.rs", "src/a.rs", true),
            ("src/*.rs", "src/deep/a.rs", false),
            ("src/**/*.ts", "src/a.ts", true),
            ("src/**/*.ts", "src/x/y/a.ts", true),
            ("**/test_*.py", "a/b/test_x.py", true),
            ("tests", "crate/tests/a.rs", true),
            ("src/", "src/a.rs", true),
            ("/src", "lib/src/a.rs", false),
            ("**/target/**", "target/debug/x", true),
            ("**/target/**", "a/target/x", true),
            ("**/target/**", "a/target", false),
            ("**/target/**", "a/targets/x", false),
            ("**/*.pyc", "a/b.pyc", true),
            ("**/*.pyc", "b.pyc/inner", true),
            ("**/*.pyc", "a/b.pycx", false),
            ("*.{js,ts}", "a/b.ts", true),
        ] {
            let globs = PathGlobs::new(&[pattern]).unwrap();
            assert_eq!(globs.matches(path), expected, "{pattern} on {path}");
        }
        assert_eq!(PathGlobs::new(&["a[b"]).unwrap_err().glob, "a[b");
    }
}
