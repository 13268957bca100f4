//! What memories speak of: the files and symbols that a text names, and where they are now.

use index::MemoryLink;
use search::{FilterSpec, SymbolName};
use workspace::Error;

use crate::{snapshot::Snapshot, symbols::SymbolQuery};

/// Where something is that a memory speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkState {
    /// In the file that it was in, at this line now.
    There(u32),
    /// In another file.
    Moved(String, u32),
    Gone,
}

/// Names and paths of a text that are looked up.
const MAX_CANDIDATES: usize = 60;
const MAX_LINKS: usize = 20;
/// A name with more definitions says little about which is meant.
const MAX_DEFINITIONS: usize = 3;
impl Snapshot {
    /// The files and symbols of this workspace that a text speaks of.
    pub fn links_in(&self, text: &str) -> Result<Vec<MemoryLink>, Error> {
        let mut links: Vec<MemoryLink> = Vec::new();
        for word in code_words(text).into_iter().take(MAX_CANDIDATES) {
            if links.len() >= MAX_LINKS {
                break;
            }
            let (path, line) = place(word);
            if let Some(row) = self.reader().files().by_path(path).filter(|row| row.is_indexed()) {
                links.push(MemoryLink {
                    symbol: None,
                    path: row.path.to_string(),
                    line,
                });
                continue;
            }
            let hits = self.defined(word)?;
            let is_few = (1..=MAX_DEFINITIONS).contains(&hits.len());
            links.extend(hits.into_iter().filter(|_| is_few).map(|(path, line)| MemoryLink {
                symbol: Some(word.to_owned()),
                path,
                line,
            }));
        }
        let mut seen = Vec::new();
        links.retain(|link| {
            let is_new = !seen.contains(link);
            seen.push(link.clone());
            is_new
        });
        Ok(links)
    }

    /// Where a name of code is defined.
    fn defined(&self, word: &str) -> Result<Vec<(String, u32)>, Error> {
        let Some(name) = SymbolName::parse(word) else {
            return Ok(Vec::new());
        };
        let query = SymbolQuery {
            name: &name,
            exact: true,
            filter: &FilterSpec::default(),
        };
        let found = self.find_symbols(&query, 0, MAX_DEFINITIONS + 1)?;
        let code = found.hits.into_iter().filter(|hit| hit.is_code());
        Ok(code.map(|hit| (hit.path, hit.line)).collect())
    }

    /// Where something is now that a memory speaks of.
    pub fn link_state(&self, link: &MemoryLink) -> Result<LinkState, Error> {
        let Some(symbol) = &link.symbol else {
            let is_there = self.reader().files().by_path(&link.path).is_some();
            return Ok(if is_there {
                LinkState::There(link.line)
            } else {
                LinkState::Gone
            });
        };
        let mut hits = self.defined(symbol)?;
        hits.sort_by_key(|(path, line)| (*path != link.path, line.abs_diff(link.line)));
        Ok(match hits.into_iter().next() {
            Some((path, line)) if path == link.path => LinkState::There(line),
            Some((path, line)) => LinkState::Moved(path, line),
            None => LinkState::Gone,
        })
    }
}

/// The words of a text that look like code: in backticks, paths, and names that no prose has.
fn code_words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, piece) in text.split('`').enumerate() {
        let is_quoted = at % 2 == 1;
        for word in
            piece.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '\'' | '[' | ']' | '{' | '}'))
        {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '/' | '.'));
            let word = word.trim_end_matches(['.', '(', ')', ':', '!', '?']);
            let is_camel = || {
                let mut letters = word.chars().skip(1).zip(word.chars());
                letters.any(|(later, earlier)| later.is_uppercase() && earlier.is_lowercase())
            };
            let is_code = is_quoted || word.contains(['_', '/', ':', '#', '.']) || is_camel();
            if is_code && word.len() > 1 && !found.contains(&word) {
                found.push(word);
            }
        }
    }
    found
}

/// `src/a.rs:12` is a path and a line.
fn place(word: &str) -> (&str, u32) {
    let word = word.trim_start_matches("./");
    match word.rsplit_once(':') {
        Some((path, line)) => line.parse().map_or((word, 1), |line| (path, line)),
        None => (word, 1),
    }
}
