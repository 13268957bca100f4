//! Which files a call is about, as callers say it: languages and globs.

use queries::{FilterSpec, Snapshot, lang_by_name};
use source::PathGlobs;

use crate::machinery::{error::ToolError, units::plural};

/// A language by any of its names.
pub(crate) fn language(name: &str) -> Result<&'static str, ToolError> {
    let found = lang_by_name(name).map(|lang| lang.name);
    let nearest = queries::nearest_lang(name);
    Ok(found.ok_or_else(|| workspace::Error::UnknownLang {
        name: name.to_owned(),
        nearest,
    })?)
}

/// Which files a call looks at: what paths name, without what is excluded, also by `!` before a path. Globs are as users
/// write them: relative to the root, or absolute below it. The root itself means everything.
pub(crate) fn of_paths(
    snapshot: &Snapshot,
    paths: Option<&[String]>,
    exclude: Option<&[String]>,
) -> Result<FilterSpec, ToolError> {
    let (without, within): (Vec<&str>, Vec<&str>) = paths
        .unwrap_or_default()
        .iter()
        .map(String::as_str)
        .partition(|path| path.starts_with('!'));
    let without = without.into_iter().map(|path| &path[1..]);
    let exclude = exclude.unwrap_or_default().iter().map(String::as_str);
    let within = relative(snapshot, within.into_iter())?;
    Ok(FilterSpec {
        include: match within.iter().any(|pattern| pattern == EVERYTHING) {
            true => None,
            false => compiled(&within)?,
        },
        exclude: compiled(&relative(snapshot, exclude.chain(without))?)?,
        ..FilterSpec::default()
    })
}

const EVERYTHING: &str = "**";

fn relative<'p>(snapshot: &Snapshot, patterns: impl Iterator<Item = &'p str>) -> Result<Vec<String>, ToolError> {
    let root = snapshot.session().root.to_string_lossy().into_owned();
    let relative = patterns.map(|pattern| {
        let pattern = &with_slashes(pattern);
        let inside = pattern
            .strip_prefix(root.as_str())
            .filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let inside = inside.map_or(pattern.as_str(), |rest| rest.trim_start_matches('/'));
        if inside.starts_with("..") {
            return Err(workspace::Error::Outside { path: pattern.clone() }.into());
        }
        Ok(match inside.trim_end_matches('/') {
            "" | "." | "**" | "**/*" => EVERYTHING.to_owned(),
            _ => inside.to_owned(),
        })
    });
    relative.collect()
}

/// A path as Windows writes it, `src\web\*.ts`, with slashes. Before brackets and braces a backslash takes their meaning away.
fn with_slashes(pattern: &str) -> String {
    let is_step = |at: usize| {
        let next = pattern[at + 1..].chars().next();
        next.is_none_or(|next| next.is_alphanumeric() || matches!(next, '_' | '.' | '-' | '*'))
    };
    match pattern.match_indices('\\').any(|(at, _)| at > 0 && is_step(at)) {
        true => pattern.replace('\\', "/"),
        false => pattern.to_owned(),
    }
}

fn compiled(patterns: &[String]) -> Result<Option<PathGlobs>, ToolError> {
    match patterns {
        [] => Ok(None),
        patterns => Ok(Some(PathGlobs::new(patterns).map_err(workspace::Error::from)?)),
    }
}

/// Among what nothing was found: a path that no file has is not the same as a word that no file has.
pub(crate) fn looked_at(snapshot: &Snapshot, filter: &FilterSpec) -> String {
    no_files(snapshot, filter).unwrap_or_else(|| format!("{} indexed", plural(snapshot.file_count(), "file")))
}

/// Why a filter leaves nothing to look at, where it does.
pub(crate) fn no_files(snapshot: &Snapshot, filter: &FilterSpec) -> Option<String> {
    let of_language = FilterSpec {
        lang: filter.lang,
        ..FilterSpec::default()
    };
    let of_path = FilterSpec {
        include: filter.include.clone(),
        ..of_language.clone()
    };
    match filter.lang {
        Some(lang) if !snapshot.has_files(&of_language) => Some(format!("no {lang} file is indexed")),
        _ if filter.include.is_none() || snapshot.has_files(filter) => None,
        _ if snapshot.has_files(&of_path) && filter.exclude_tests => {
            Some("all files that match the path are tests, or excluded".to_owned())
        }
        _ if snapshot.has_files(&of_path) => Some("all files that match the path are excluded".to_owned()),
        Some(lang) => Some(format!("no indexed {lang} file matches the path")),
        None => Some("no indexed file matches the path".to_owned()),
    }
}
