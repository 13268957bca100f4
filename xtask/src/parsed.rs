//! The files of a directory as `syntax` understands them, for comparing it with other tools.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use syntax::{ChunkOptions, Lang, SymbolKind};

/// Facts do not depend on it.
const CHUNKS: ChunkOptions = ChunkOptions { size: 512, overlap: 64 };

/// What to compare, and how much of it to tell.
pub struct Options {
    pub dir: PathBuf,
    pub lang: Option<&'static Lang>,
    /// How many disagreements of each kind to list.
    pub n_shown: usize,
}

/// One file whose language has symbols.
pub struct Parsed {
    /// Below the directory, with `/`.
    pub path: String,
    pub lang: &'static Lang,
    pub text: String,
    pub definitions: Vec<Definition>,
    pub has_problem: bool,
}

pub struct Definition {
    pub name: String,
    pub kind: SymbolKind,
    /// Of the name.
    pub line: u32,
    /// Where it begins, decorators included.
    pub first_line: u32,
    pub last_line: u32,
    pub cyclomatic: u32,
    pub cognitive: u32,
}

/// Every file below `dir` that has symbols, in the order of their paths; of one language only, if it is named.
pub fn parse_dir(dir: &Path, only: Option<&Lang>) -> Result<Vec<Parsed>> {
    let mut paths = Vec::new();
    collect(dir, &mut paths)?;
    let mut parsed = Vec::new();
    for path in paths {
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let lang = syntax::detect(&name, &bytes);
        if !lang.has_symbols() || only.is_some_and(|only| only != lang) {
            continue;
        }
        let Some(decoded) = source::decode(&bytes) else {
            continue;
        };
        let facts = syntax::file_facts(lang, &decoded.text, CHUNKS);
        let definitions = facts.symbols.iter().map(|symbol| Definition {
            name: facts.name(symbol).to_owned(),
            kind: symbol.kind,
            line: facts.lines.line(symbol.name_at),
            first_line: facts.lines.line(symbol.span.start),
            last_line: facts.lines.line(symbol.span.end.saturating_sub(1)),
            cyclomatic: symbol.complexity.cyclomatic,
            cognitive: symbol.complexity.cognitive,
        });
        let below = path.strip_prefix(dir).unwrap_or(&path);
        parsed.push(Parsed {
            path: below.to_string_lossy().replace('\\', "/"),
            lang,
            definitions: definitions.collect(),
            text: decoded.text.into_owned(),
            has_problem: facts.problem.is_some(),
        });
    }
    Ok(parsed)
}

/// Plain files, sorted; hidden directories and links are left out.
fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let kind = entry.file_type()?;
        if kind.is_dir() && !entry.file_name().to_string_lossy().starts_with('.') {
            collect(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// The last part of a qualified name, without what tools decorate it with: `b` of `a::b`, `A\b`, `a.b`; `operator==` of
/// `operator ==`; `f` of `f<int>`.
pub fn bare(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_whitespace() && *c != '`').collect();
    // An operator's own characters are no separators.
    if let Some(at) = name.rfind("operator") {
        return name[at..].to_owned();
    }
    let last = name.rsplit(['.', '\\', ':', '#']).next().unwrap_or_default();
    let arguments = last.find('<').filter(|at| *at > 0);
    let last = arguments.map_or(last, |at| &last[..at]);
    if last.is_empty() { name } else { last.to_owned() }
}

/// `97.3%`, or `-` of nothing.
pub fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.1}%", 100.0 * part as f64 / whole as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_is_the_last_part() {
        for (name, expected) in [
            ("a::b", "b"),
            ("A\\B\\c", "c"),
            ("a.b", "b"),
            ("A::operator ==", "operator=="),
            ("a::f<int>", "f"),
            ("<=>", "<=>"),
            ("~A", "~A"),
            ("`when it works`", "whenitworks"),
            ("::", "::"),
        ] {
            assert_eq!(bare(name), expected);
        }
    }
}
