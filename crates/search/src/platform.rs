//! Which operating systems a question or a path is about: who asks about Linux does not mean what is built for Windows.

use index::token;

/// A set of systems, a bit each.
pub(crate) type Platforms = u8;

const LINUX: Platforms = 1;
const MAC: Platforms = 1 << 1;
const BSD: Platforms = 1 << 2;
const WINDOWS: Platforms = 1 << 3;
const ANDROID: Platforms = 1 << 4;
const IOS: Platforms = 1 << 5;
const UNIX: Platforms = LINUX | MAC | BSD | ANDROID | IOS;

const NAMES: &[(&str, Platforms)] = &[
    ("android", ANDROID),
    ("bsd", BSD),
    ("darwin", MAC | IOS),
    ("epoll", LINUX),
    ("freebsd", BSD),
    ("ios", IOS),
    ("iphone", IOS),
    ("kqueue", MAC | BSD | IOS),
    ("linux", LINUX | ANDROID),
    ("macos", MAC),
    ("mingw", WINDOWS),
    ("msvc", WINDOWS),
    ("netbsd", BSD),
    ("openbsd", BSD),
    ("osx", MAC),
    ("posix", UNIX),
    ("unix", UNIX),
    ("win32", WINDOWS),
    ("windows", WINDOWS),
];

/// Names of systems in paths only: in a sentence they are ordinary words.
const IN_PATHS: &[(&str, Platforms)] = &[("mac", MAC), ("win", WINDOWS), ("win64", WINDOWS)];

fn named(names: &[(&str, Platforms)], word: &str) -> Option<Platforms> {
    let is = |(name, _): &&(&str, Platforms)| name.eq_ignore_ascii_case(word);
    names.iter().find(is).map(|(_, systems)| *systems)
}

/// The operating systems that are named in a question; 0 if none is.
pub(crate) fn of_question<'w>(words: impl Iterator<Item = &'w str>) -> Platforms {
    words
        .filter_map(|word| named(NAMES, word))
        .fold(0, |all, one| all | one)
}

/// The operating systems that the code at a path is for: the intersection of those that its parts name, so that
/// `src/unix/linux.c` is for Linux only. 0 if no part names one.
pub(crate) fn of_path(path: &str) -> Platforms {
    let words = token::words(path).flat_map(|word| std::iter::once(word).chain(token::parts(word)));
    let found = words.filter_map(|word| named(NAMES, word).or_else(|| named(IN_PATHS, word)));
    found.reduce(|all, one| all & one).unwrap_or(0)
}

/// 1 if a question and a path share an operating system, -1 if they name different ones, 0 if either names none.
pub(crate) fn agreement(question: Platforms, path: Platforms) -> f32 {
    match (question, path) {
        (0, _) | (_, 0) => 0.0,
        (question, path) if question & path != 0 => 1.0,
        _ => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{agreement, of_path, of_question};

    #[test]
    fn paths_are_for_systems() {
        for (question, path, expected) in [
            ("linux,udp: report errors", "src/unix/udp.c", 1.0),
            ("linux,udp: report errors", "src/unix/linux.c", 1.0),
            ("linux,udp: report errors", "src/unix/darwin.c", -1.0),
            ("linux,udp: report errors", "src/win/udp.c", -1.0),
            ("report errors of udp", "src/win/udp.c", 0.0),
            ("who can win", "src/win/udp.c", 0.0),
            ("on Windows", "os/file_windows.go", 1.0),
            ("on Windows", "os/file_posix.go", -1.0),
            ("on macOS", "src/window.rs", 0.0),
            ("unix sockets", "net/sock_linux.go", 1.0),
        ] {
            let words = question.split([' ', ',', ':']);
            assert_eq!(
                agreement(of_question(words), of_path(path)),
                expected,
                "{question}: {path}"
            );
        }
    }
}
