//! Where a name is only mentioned: in comments, strings and documents.

use graph::{Exact, FileIdx, SymbolId, World};
use syntax::FileFacts;

use super::{CodeGraph, Subject};
use crate::{error::Error, symbols::SourceFile};

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
                let mut confidence: f32 = match place {
                    MentionPlace::Link | MentionPlace::Interpolation => 1.0,
                    MentionPlace::Comment => 0.3,
                    MentionPlace::String => 0.4,
                    MentionPlace::Document => 0.35,
                    MentionPlace::Unparsed => 0.45,
                    MentionPlace::Text => 0.3,
                };
                if source::is_test_path(&source.path) && !place.is_exact() {
                    confidence += 0.05;
                }
                if namesakes > 1 && !place.is_exact() {
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

/// Where a name is a word of its own.
pub(crate) fn places_of<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = u32> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let is_word = |c: Option<char>| c.is_some_and(index::token::is_word_char);
        (!is_word(before) && !is_word(after)).then_some(at as u32)
    })
}

/// Whether the facts know of a name at a place.
pub(crate) fn is_code(facts: &FileFacts, at: u32) -> bool {
    facts
        .references
        .binary_search_by_key(&at, |reference| reference.at)
        .is_ok()
        || facts.symbols.iter().any(|symbol| symbol.name_at == at)
        || facts.bindings.binary_search_by_key(&at, |binding| binding.at).is_ok()
}

/// What a word that is no code is part of, by the line that it is in.
pub(crate) fn mention_place(source: &SourceFile, at: u32) -> MentionPlace {
    if matches!(source.lang.name, "markdown" | "plaintext" | "html") || !source.lang.has_symbols() {
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
