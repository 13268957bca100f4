//! Queries that are one token of several words: what a file or module is called, or text that stands somewhere as it is.

use index::{Reader, token};

use crate::{
    filter::Filter,
    keyword::{KeywordError, side_by_side},
};

/// Chunks with the token that are looked at.
const MAX_PLACES: usize = 100;

/// A query that is one token of several words: `abr-controller`, `cmd/names.c`, `a.b.c`.
pub(super) fn token_of(text: &str) -> Option<&str> {
    let text = text.trim();
    let is_token = !text.contains(char::is_whitespace) && token::words(text).nth(1).is_some();
    is_token.then_some(text)
}

/// The chunks that have the token as it is.
pub(super) fn places(reader: &Reader, token: &str, filter: &Filter) -> Result<Vec<(u64, u32)>, KeywordError> {
    let found = side_by_side(reader, token, filter, MAX_PLACES)?;
    Ok(found.hits.iter().map(|hit| (hit.file, hit.chunk)).collect())
}

/// Whether people call a file by this token: by the end of its path, with or without what is behind a dot, or as a module.
pub fn is_called(path: &str, token: &str) -> bool {
    let token = token.trim_start_matches("./").trim_matches('/');
    let (dir, name) = path
        .rsplit_once('/')
        .map_or((None, path), |(dir, name)| (Some(dir), name));
    // Nothing is allocated for the many files that have another name.
    let last = token.rsplit(['/', '\\', ':', '.']).next().unwrap_or(token);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let stands_for_dir = matches!(stem, "__init__" | "index" | "mod" | "lib" | "init");
    let ends = |text: &str, with: &str| {
        let at = text.len().checked_sub(with.len());
        at.and_then(|at| text.get(at..))
            .is_some_and(|end| end.eq_ignore_ascii_case(with))
    };
    let is_by_name = ends(name, last) || ends(stem, last);
    if token.is_empty() || !(is_by_name || (stands_for_dir && dir.is_some_and(|dir| ends(dir, last)))) {
        return false;
    }
    let is_end_of = |path: &str, token: &str| {
        let before = path.len().checked_sub(token.len()).map(|at| &path.as_bytes()[..at]);
        ends(path, token) && before.is_some_and(|before| matches!(before.last(), None | Some(b'/')))
    };
    let without_ending = |cut: Option<usize>| cut.map_or(path, |at| &path[..path.len() - name.len() + at]);
    let stems = [without_ending(name.rfind('.')), without_ending(name.find('.'))];
    let module = token.replace("::", "/").replace(['.', '\\'], "/");
    is_end_of(path, token)
        || stems
            .iter()
            .any(|stem| is_end_of(stem, token) || is_end_of(stem, &module))
        || (stands_for_dir && dir.is_some_and(|dir| is_end_of(dir, &module)))
}

#[cfg(test)]
mod tests {
    use super::{is_called, token_of};

    #[test]
    fn one_token_of_several_words() {
        for (text, is) in [
            ("abr-controller", true),
            (" src/names.c ", true),
            ("names", false),
            ("read_file", false),
            ("read the file", false),
        ] {
            assert_eq!(token_of(text).is_some(), is, "{text}");
        }
    }

    #[test]
    fn files_are_called_by_ends_of_their_paths() {
        for (path, token) in [
            ("src/exp-golomb.ts", "exp-golomb"),
            ("src/exp-golomb.ts", "Exp-Golomb.ts"),
            ("src/exp-golomb.d.ts", "exp-golomb"),
            ("src/cmd/names.c", "./cmd/names.c"),
            ("src/cmd/names.c", "cmd/names"),
            ("names.c", "names.c"),
            ("scrapy/utils/request.py", "scrapy.utils.request"),
            ("scrapy/utils/__init__.py", "scrapy.utils"),
            ("crates/search/src/rank/mod.rs", "src::rank"),
        ] {
            assert!(is_called(path, token), "{path} {token}");
        }
        for (path, token) in [
            ("src/my-exp-golomb.ts", "exp-golomb"),
            ("src/names.c", "cmd/names.c"),
            ("src/names.c", "names.cc"),
            ("src/scrapy/request.py", "scrapy.utils.request"),
            ("src/foo.rs", "foo.bar()"),
            ("src/bar.rs", "foo.bar"),
            ("é.rs", "a/é"),
        ] {
            assert!(!is_called(path, token), "{path} {token}");
        }
    }
}
