//! Which files a search may answer from. Applied before ranking, so that `k` results are `k` wanted results.

use std::sync::Arc;

use index::{FileRow, Reader};
use rustc_hash::FxHashSet;
use source::{PathGlobs, is_test_path};

/// What the caller asked to be left out.
#[derive(Debug, Clone, Default)]
pub struct FilterSpec {
    pub lang: Option<&'static str>,
    pub include: Option<PathGlobs>,
    pub exclude: Option<PathGlobs>,
    pub exclude_tests: bool,
}

impl FilterSpec {
    pub fn allows(&self, row: &FileRow) -> bool {
        self.lang.is_none_or(|lang| is_of_lang(lang, row.lang, &row.path))
            && self.include.as_ref().is_none_or(|globs| globs.matches(&row.path))
            && self.exclude.as_ref().is_none_or(|globs| !globs.matches(&row.path))
            && !(self.exclude_tests && is_test_path(&row.path))
    }

    fn allows_all(&self) -> bool {
        self.lang.is_none() && self.include.is_none() && self.exclude.is_none() && !self.exclude_tests
    }
}

/// Whether a file is one of a language. A header is read as C++, and is C as well.
pub fn is_of_lang(wanted: &str, lang: &str, path: &str) -> bool {
    wanted == lang || syntax::lang_id(wanted).lang().includes(syntax::lang_id(lang), path)
}

/// The ids of the allowed files; `None` is all of them.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub(crate) allowed: Option<Arc<FxHashSet<u64>>>,
}

impl Filter {
    pub fn new(reader: &Reader, spec: &FilterSpec) -> Filter {
        if spec.allows_all() {
            return Filter::default();
        }
        let allowed = reader
            .files()
            .indexed()
            .filter(|row| spec.allows(row))
            .map(|row| row.id);
        Filter {
            allowed: Some(Arc::new(allowed.collect())),
        }
    }

    pub(crate) fn allows_all(&self) -> bool {
        self.allowed.is_none()
    }

    pub fn allows(&self, id: u64) -> bool {
        self.allowed.as_ref().is_none_or(|allowed| allowed.contains(&id))
    }
}
