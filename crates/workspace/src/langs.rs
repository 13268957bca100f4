//! How many files there are of each language.

use std::{cmp::Reverse, collections::BTreeMap};

/// Files by language. Headers are read as C++, and are of the language that more of the sources are of.
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
        let n_files = |lang: &str| files.get(lang).copied().unwrap_or_default();
        let (c, cpp) = (n_files("c"), n_files("cpp") - self.headers);
        if c > cpp {
            files.insert("c", c + self.headers);
            files.insert("cpp", cpp);
        }
        let mut files: Vec<(&'static str, usize)> = files.into_iter().filter(|(_, files)| *files > 0).collect();
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
        assert_eq!(
            counted(&[("c", "a.c"), ("c", "b.c"), ("cpp", "a.h"), ("cpp", "b.cc")]),
            [("c", 3), ("cpp", 1)]
        );
    }
}
