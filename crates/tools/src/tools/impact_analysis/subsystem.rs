//! Which part of the workspace a use is in.

use std::collections::BTreeSet;

use queries::{CodeGraph, FileIdx};

use super::dependents::Direct;

/// The subsystem of what belongs to tests.
pub(super) const TESTS: &str = "tests";

/// Says of each use which subsystem it is in: its package, or its directory below the one that all are in.
pub(super) fn assign(graph: &CodeGraph<'_>, direct: &mut [Direct]) {
    let is_test = |one: &Direct| graph.is_in_tests(one.file, one.symbol);
    let code: Vec<FileIdx> = direct.iter().filter(|one| !is_test(one)).map(|one| one.file).collect();
    let packages: BTreeSet<&str> = code.iter().map(|file| graph.package(*file)).collect();
    let paths: Vec<&str> = code.iter().map(|file| graph.path(*file)).collect();
    let around = common_dir(&paths);
    for one in direct {
        let package = graph.package(one.file);
        one.subsystem = if is_test(one) {
            TESTS.to_owned()
        } else if packages.len() > 1 && !package.is_empty() {
            package.to_owned()
        } else if packages.len() > 1 {
            dir_below("", graph.path(one.file))
        } else {
            dir_below(&around, graph.path(one.file))
        };
    }
}

/// What lies beside all directories has a name too.
pub(super) fn named(subsystem: &str) -> &str {
    match subsystem {
        "" => "(root)",
        name => name,
    }
}

/// The directory that all paths are below, with a slash behind it.
fn common_dir(paths: &[&str]) -> String {
    let mut dirs = paths
        .iter()
        .map(|path| path.rsplit_once('/').map_or("", |(dir, _)| dir));
    let Some(first) = dirs.next() else {
        return String::new();
    };
    let mut common: Vec<&str> = first.split_terminator('/').collect();
    for dir in dirs {
        let same = common
            .iter()
            .zip(dir.split_terminator('/'))
            .take_while(|(a, b)| **a == *b)
            .count();
        common.truncate(same);
    }
    common.iter().map(|part| format!("{part}/")).collect()
}

/// The first directory of a path below the one that is `around`, or that one.
fn dir_below(around: &str, path: &str) -> String {
    let below = path.strip_prefix(around).unwrap_or(path);
    match below.split_once('/') {
        Some((dir, _)) => format!("{around}{dir}"),
        None => around.trim_end_matches('/').to_owned(),
    }
}
