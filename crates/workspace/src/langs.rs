//! How many files there are of each language.

use std::{cmp::Reverse, collections::BTreeMap};

/// Files by language. Headers are read as C++, and are C where nothing else is C++.
#[derive(Debug, Default)]
pub(crate) struct LangCounts {
    files: BTreeMap<&'static str, usize>,
    headers: usize,
}

impl LangCounts {
    pub fn add(&mut self, lang: &'static str, path: &str) {
        *self.files.entry(lang).or_default() += 1;
        self.headers += usize::from(lang == "cpp" && path.ends_with(".h"));
    }

    /// Most files first.
    pub fn most_first(&self) -> Vec<(&'static str, usize)> {
        let mut files = self.files.clone();
        let is_cpp = files.get("cpp").is_some_and(|files| *files > self.headers);
        if let Some(c) = files.get_mut("c").filter(|_| !is_cpp) {
            *c += self.headers;
            files.remove("cpp");
        }
        let mut files: Vec<(&'static str, usize)> = files.into_iter().collect();
        files.sort_by_key(|(lang, files)| (Reverse(*files), *lang));
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_of_the_language_that_the_sources_are_of() {
        let counted = |files: &[(&'static str, &str)]| {
            let mut counts = LangCounts::default();
            files.iter().for_each(|(lang, path)| counts.add(lang, path));
            counts.most_first()
        };
        assert_eq!(counted(&[("c", "a.c"), ("cpp", "a.h")]), [("c", 2)]);
        assert_eq!(counted(&[("cpp", "a.h")]), [("cpp", 1)]);
        assert_eq!(
            counted(&[("c", "a.c"), ("cpp", "a.h"), ("cpp", "b.cc")]),
            [("cpp", 2), ("c", 1)]
        );
    }
}
