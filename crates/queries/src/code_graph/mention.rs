//! Where a name is only mentioned: in comments, strings and documents.

use graph::{Exact, FileIdx, SymbolId, World};
use syntax::{Content, FileFacts};
use workspace::Error;

use super::{CodeGraph, Subject};
use crate::symbols::SourceFile;

/// A word in a comment, a string or a document that is the name of what was asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub place: MentionPlace,
    pub confidence: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MentionPlace {
    /// A link to it, in a comment.
    Link,
    /// A value that is put into a string where it is named.
    Interpolation,
    /// A string, or a setting, that is the path to it and nothing else: `"shop.tasks.Send"`.
    Path,
    Comment,
    String,
    Document,
    /// It is in a file that could not be parsed: most of it is code.
    Unparsed,
    Text,
}

impl MentionPlace {
    /// Whether it is known that the name means what was asked about.
    pub fn is_exact(self) -> bool {
        matches!(self, MentionPlace::Link | MentionPlace::Interpolation)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            MentionPlace::Link => "link",
            MentionPlace::Interpolation => "interpolation",
            MentionPlace::Path => "path",
            MentionPlace::Comment => "comment",
            MentionPlace::String => "string",
            MentionPlace::Document => "document",
            MentionPlace::Unparsed => "not parsed",
            MentionPlace::Text => "text",
        }
    }
}

/// Names that are in more files are common words; reading all of them for a comment tells nobody anything.
const MAX_MENTIONING: usize = 300;

impl CodeGraph<'_> {
    fn is_meant(&self, meant: &Exact, subject: &Subject) -> bool {
        let Exact::Names(names) = meant else { return false };
        names.iter().any(|(file, at)| {
            self.symbol_named_at(*file, *at)
                .is_some_and(|id| subject.ids.contains(&id))
        })
    }

    fn symbol_named_at(&self, file: FileIdx, at: u32) -> Option<SymbolId> {
        let symbol = self.resolver.view(file)?.symbol_named_at(at)?;
        Some(SymbolId { file, symbol })
    }

    /// What a word of a comment links to.
    pub(crate) fn linked(&self, file: FileIdx, at: u32) -> Vec<SymbolId> {
        match self.stored.exact(file, at) {
            Some(Exact::Names(names)) => names
                .iter()
                .filter_map(|(file, at)| self.symbol_named_at(*file, *at))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The words in comments, strings and documents that are the subject's name; nothing if the name is so common that
    /// they would tell nothing.
    pub fn mentions(&self, subject: &Subject) -> Result<Option<Vec<Mention>>, Error> {
        let name = subject.hit.name.as_str();
        let files = self.stored.mentioning(name);
        if files.len() > MAX_MENTIONING {
            return Ok(None);
        }
        // Of several things of one name a comment does not say which it is about.
        let namesakes = self.stored.defining(name).len().max(1);
        let mut found = Vec::new();
        let full = FullName::of(subject);
        for file in files {
            let source = self.source(file)?;
            for at in places_of(&source.text, name) {
                if is_code(&source.facts, at) {
                    continue;
                }
                let mut place = mention_place(&source, at);
                let known = match place {
                    MentionPlace::Comment => MentionPlace::Link,
                    MentionPlace::String => MentionPlace::Interpolation,
                    other => other,
                };
                if known != place
                    && let Some(meant) = self.stored.exact(file, at)
                {
                    if !self.is_meant(&meant, subject) {
                        continue;
                    }
                    place = known;
                }
                if !place.is_exact() && place != MentionPlace::Comment && full.is_at(&source, at) {
                    place = MentionPlace::Path;
                }
                let mut confidence: f32 = match place {
                    MentionPlace::Link | MentionPlace::Interpolation => 1.0,
                    MentionPlace::Path => 0.75,
                    MentionPlace::Comment => 0.3,
                    MentionPlace::String => 0.4,
                    MentionPlace::Document => 0.35,
                    MentionPlace::Unparsed => 0.45,
                    MentionPlace::Text => 0.3,
                };
                if source::is_test_path(&source.path) && !place.is_exact() {
                    confidence += 0.05;
                }
                if namesakes > 1 && !place.is_exact() && place != MentionPlace::Path {
                    confidence /= 2.0;
                }
                found.push(Mention {
                    path: source.path.clone(),
                    line: source.facts.lines.line(at),
                    column: source.column(at),
                    place,
                    confidence,
                });
            }
        }
        Ok(Some(found))
    }
}

/// What a path is made of, in whatever language.
const SEPARATORS: [char; 5] = ['.', ':', '/', '\\', '#'];

/// A name with all that may be written before it to say where it is.
struct FullName<'s> {
    name: &'s str,
    /// The directories and the file, as a module.
    module: Vec<&'s str>,
    /// What it is part of in there.
    owners: Vec<&'s str>,
}

impl<'s> FullName<'s> {
    fn of(subject: &'s Subject) -> FullName<'s> {
        let hit = &subject.hit;
        let parts = |path: &'s str| -> Vec<&'s str> {
            let parts = path.split(SEPARATORS).filter(|part| !part.is_empty());
            parts.collect()
        };
        let owners = parts(hit.qualified_name.strip_suffix(hit.name.as_str()).unwrap_or_default());
        let (dirs, file) = hit.path.rsplit_once('/').unwrap_or(("", &hit.path));
        let stem = file.split('.').next().unwrap_or(file);
        let mut module = parts(dirs);
        // A file may stand for its directory, or for the type that is in it.
        let outermost = owners.first().copied().unwrap_or(&hit.name);
        if !matches!(stem, "__init__" | "index" | "mod") && stem != outermost {
            module.push(stem);
        }
        FullName {
            name: &hit.name,
            module,
            owners,
        }
    }

    /// Whether a path to it, or by way of it to one of its members, is all that is said at a place.
    fn is_at(&self, source: &SourceFile, at: u32) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-') || SEPARATORS.contains(&c);
        let (before, rest) = source.text.split_at(at as usize);
        let outside = before.trim_end_matches(is_part);
        let goes_on = &rest[self.name.len()..];
        let behind = goes_on.trim_start_matches(is_part);
        let ends = goes_on.len() == behind.len() || goes_on.starts_with(SEPARATORS);
        let behind = behind.chars().next();
        let is_quoted = behind.is_some_and(|c| matches!(c, '"' | '\'' | '`')) && outside.chars().next_back() == behind;
        let path = before[outside.len()..].split(SEPARATORS);
        let path: Vec<&str> = path.filter(|part| !part.is_empty()).collect();
        // What is written for readers is no setting.
        ends && !source.lang.is_prose() && (is_quoted || source.lang.is_data()) && self.ends_with(&path)
    }

    /// Whether a path leads to it from where paths begin: two modules at least, or one in a directory of sources.
    fn ends_with(&self, path: &[&str]) -> bool {
        let Some(modules) = path.strip_suffix(&self.owners[..]) else {
            return false;
        };
        let Some(before) = self.module.strip_suffix(modules) else {
            return false;
        };
        let is_root = before.last().is_none_or(|dir| matches!(*dir, "src" | "lib"));
        modules.len() > 1 || (modules.len() == 1 && is_root)
    }
}

/// Where a name is a word of its own.
pub fn places_of<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = u32> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let is_word = |c: Option<char>| c.is_some_and(index::token::is_word_char);
        (!is_word(before) && !is_word(after)).then_some(at as u32)
    })
}

/// Whether the facts know of a name at a place.
pub fn is_code(facts: &FileFacts, at: u32) -> bool {
    facts
        .references
        .binary_search_by_key(&at, |reference| reference.at)
        .is_ok()
        || facts.symbols.iter().any(|symbol| symbol.name_at == at)
        || facts.bindings.binary_search_by_key(&at, |binding| binding.at).is_ok()
}

/// What a word that is no code is part of, by the line that it is in.
pub fn mention_place(source: &SourceFile, at: u32) -> MentionPlace {
    if matches!(source.lang.content, Content::Prose | Content::Markup) || !source.lang.has_symbols() {
        return MentionPlace::Document;
    }
    if source.facts.problem.is_some() {
        return MentionPlace::Unparsed;
    }
    let line = source.facts.lines.span(source.facts.lines.line(at));
    let before = &source.text[line.start as usize..at as usize];
    let begins = before.trim_start();
    let marks = ["//", "#", "/*", "*", "--", ";", "%", "'''", "\"\"\"", "<!--"];
    if marks.iter().any(|mark| begins.starts_with(mark)) || before.contains("//") || before.contains(" # ") {
        return MentionPlace::Comment;
    }
    let quotes = before
        .bytes()
        .filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))
        .count();
    if quotes % 2 == 1 {
        MentionPlace::String
    } else {
        MentionPlace::Text
    }
}
