//! Uses of the name that are no references: where they are, by what they resolve to.

use std::collections::BTreeMap;

use queries::{CodeGraph, FileIdx, RefIdx, ResolvesTo, SymbolHit, SymbolId, Use};
use serde_json::json;

use crate::{
    machinery::{answer::Row, error::ToolError, visible::visible_name},
    parts::subject::named_place,
};

/// Why a use of the name is no reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Category {
    /// It may be one: nothing tells whose the name is.
    Unproven,
    /// It is of what the definition overrides.
    Dispatch,
    /// It is of another definition.
    Definition,
    Local,
    External,
    /// What it is of is not known, and cannot be the definition.
    Unresolved,
}

impl Category {
    fn as_str(self) -> &'static str {
        match self {
            Category::Unproven => "unproven",
            Category::Dispatch => "dispatch",
            Category::Definition => "definition",
            Category::Local => "local",
            Category::External => "external",
            Category::Unresolved => "unresolved",
        }
    }
}

/// Uses that resolve to one thing.
pub(super) struct OtherUses {
    pub category: Category,
    pub id: Option<SymbolId>,
    /// The definition, if it is one.
    hit: Option<SymbolHit>,
    pub count: usize,
    /// The lines, by file.
    pub files: Vec<(String, Vec<u32>)>,
}

impl OtherUses {
    /// `of Cache.get cache.py:9`, `outside of this workspace`
    pub fn label(&self) -> String {
        match (&self.hit, self.category) {
            (Some(hit), _) => format!("of {}", named_place(hit)),
            (None, Category::Unproven) => "not proven".to_owned(),
            (None, Category::Dispatch) => "of what it overrides".to_owned(),
            (None, Category::Definition) => "of several definitions".to_owned(),
            (None, Category::Local) => "of local names".to_owned(),
            (None, Category::External) => "outside of this workspace".to_owned(),
            (None, Category::Unresolved) => "not resolved, and of another kind".to_owned(),
        }
    }

    /// The line above its rows.
    pub fn title(&self) -> String {
        let what = match self.category {
            Category::Unproven => "Not proven to be of it".to_owned(),
            Category::Dispatch => format!("May reach it: {}", self.label()),
            _ => format!("Something else: {}", self.label()),
        };
        format!("{what} ({}):", self.count)
    }

    /// `path: 12, 45, 78`
    pub fn row(&self, path: &str, lines: &[u32]) -> Row {
        let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
        let mut json = json!({ "category": self.category.as_str(), "path": path, "lines": lines });
        if let Some(hit) = &self.hit {
            json["resolves_to"] = json!({
                "qualified_name": hit.qualified_name,
                "path": hit.path,
                "line": hit.line,
            });
        }
        Row {
            text: format!("  {}: {}", visible_name(path), numbers.join(", ")),
            json: json!({ "other": json }),
            body: None,
        }
    }
}

/// Some uses, those of one definition together.
pub(super) fn of_uses<'u>(
    graph: &CodeGraph<'_>,
    category: Category,
    uses: impl Iterator<Item = &'u Use>,
) -> Result<Vec<OtherUses>, ToolError> {
    let mut found = Found::default();
    for used in uses {
        let line = graph.line(used.file, used.at);
        let id = match (category, used.reference) {
            (Category::Dispatch, Some(reference)) => match graph.resolves_to(used.file, reference) {
                ResolvesTo::Symbols(symbols) => symbols.first().copied(),
                _ => None,
            },
            _ => None,
        };
        found.add(category, id, used.file, line);
    }
    found.listed(graph)
}

/// Uses of the name by places in the lists of references, most of one definition first.
pub(super) fn of_places(graph: &CodeGraph<'_>, places: &[(FileIdx, RefIdx)]) -> Result<Vec<OtherUses>, ToolError> {
    let mut found = Found::default();
    for (file, reference) in places {
        let (category, id) = match graph.resolves_to(*file, *reference) {
            ResolvesTo::Symbols(symbols) => match symbols[..] {
                [id] => (Category::Definition, Some(id)),
                // Declarations of one thing, or overloads in one place.
                [id, ..] if symbols.iter().all(|other| other.file == id.file) => (Category::Definition, Some(id)),
                _ => (Category::Definition, None),
            },
            ResolvesTo::Files => (Category::Definition, None),
            ResolvesTo::Local => (Category::Local, None),
            ResolvesTo::External => (Category::External, None),
            ResolvesTo::Unknown => (Category::Unresolved, None),
        };
        found.add(category, id, *file, graph.line_of(*file, *reference));
    }
    found.listed(graph)
}

/// How many uses there are, and their lines by file.
type Lines = (usize, BTreeMap<FileIdx, Vec<u32>>);

#[derive(Default)]
struct Found(BTreeMap<(Category, Option<SymbolId>), Lines>);

impl Found {
    fn add(&mut self, category: Category, id: Option<SymbolId>, file: FileIdx, line: u32) {
        let (count, files) = self.0.entry((category, id)).or_default();
        *count += 1;
        let lines = files.entry(file).or_default();
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }

    fn listed(self, graph: &CodeGraph<'_>) -> Result<Vec<OtherUses>, ToolError> {
        let mut all = Vec::new();
        for ((category, id), (count, files)) in self.0 {
            let mut files: Vec<(String, Vec<u32>)> = files
                .into_iter()
                .map(|(file, lines)| (graph.path(file).to_owned(), lines))
                .collect();
            files.sort();
            all.push(OtherUses {
                category,
                id,
                hit: id.map(|id| graph.hit(id)).transpose()?,
                count,
                files,
            });
        }
        all.sort_by_key(|one| (one.category, std::cmp::Reverse(one.count)));
        Ok(all)
    }
}
