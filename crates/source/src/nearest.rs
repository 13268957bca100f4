//! Which of several names was probably meant by one that there is not: what "did you mean" says everywhere.

/// Names that are no more alike than this are not offered.
pub const ALIKE: f64 = 0.8;

/// How much alike two names are, from 0 to 1. The case of letters does not matter.
pub fn likeness(one: &str, other: &str) -> f64 {
    strsim::jaro_winkler(&one.to_lowercase(), &other.to_lowercase())
}

/// The name that was probably meant, if any is alike.
pub fn nearest<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    nearest_few(wanted, names, 1).pop()
}

/// The names that may have been meant, the likeliest first; of equals the first in the alphabet.
pub fn nearest_few<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>, most: usize) -> Vec<&'n str> {
    let scored = names.into_iter().map(|name| (likeness(name, wanted), name));
    let mut alike: Vec<(f64, &str)> = scored.filter(|(score, _)| *score > ALIKE).collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    alike.dedup();
    alike.into_iter().take(most).map(|(_, name)| name).collect()
}

/// How much a path is like one that was meant, if it is: by the names at their ends, then as a whole.
pub fn path_likeness(path: &str, wanted: &str) -> Option<f64> {
    let name = |path: &'_ str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let (own, wanted_name) = (name(path), name(wanted));
    let of_names = likeness(&own, &wanted_name);
    let is_same = if own == wanted_name { 1.0 } else { 0.0 };
    (of_names > ALIKE).then(|| is_same + of_names + likeness(path, wanted) / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alike_is_offered() {
        let names = ["max_tokens", "max_results", "cursor"];
        assert_eq!(nearest("max_token", names), Some("max_tokens"));
        assert_eq!(nearest("MAX_RESULT", names), Some("max_results"));
        assert_eq!(nearest("qqq", names), None);
        assert_eq!(nearest_few("max", names, 2), ["max_tokens", "max_results"]);
    }

    #[test]
    fn paths_are_alike_by_their_ends() {
        assert!(path_likeness("src/deep/urls.py", "src/url.py").is_some());
        assert!(path_likeness("src/deep/urls.py", "src/deep/main.rs").is_none());
        assert!(path_likeness("a/store.rs", "b/store.rs") > path_likeness("b/stores.rs", "b/store.rs"));
    }
}
