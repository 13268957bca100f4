//! How many files there are of each language.

use std::{cmp::Reverse, collections::BTreeMap};

use syntax::{LANGS, LangId, lang_id};

/// Files by language. Those with an extension that two languages share (`.h`) are of the one that more sources are of.
#[derive(Debug, Default)]
pub struct LangCounts {
    files: BTreeMap<&'static str, usize>,
    /// Of the first language, by how they are read, or of the second.
    shared: BTreeMap<(LangId, LangId), usize>,
}

impl LangCounts {
    pub fn add(&mut self, lang: &'static str, path: &str) {
        *self.files.entry(lang).or_default() += 1;
        let read_as = lang_id(lang);
        let sharing = LANGS.iter().filter(|other| !other.shared_extensions.is_empty());
        for other in sharing.filter(|other| other.id != read_as && other.includes(read_as, path)) {
            *self.shared.entry((read_as, other.id)).or_default() += 1;
        }
    }

    /// Most files first.
    pub fn most_first(&self) -> Vec<(&'static str, usize)> {
        let mut files = self.files.clone();
        for ((read_as, other), n_shared) in &self.shared {
            let n_files = |lang: &LangId| files.get(lang.name()).copied().unwrap_or_default();
            let (own, others) = (n_files(read_as) - n_shared, n_files(other));
            if others > own {
                files.insert(other.name(), others + n_shared);
                files.insert(read_as.name(), own);
            }
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
