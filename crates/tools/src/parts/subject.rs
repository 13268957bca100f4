//! What a question about the graph is about: a symbol by name, or by the place where it is defined or used.

use std::{cmp::Reverse, collections::BTreeSet};

use queries::{
    CodeGraph, FileIdx, FilterSpec, LIKELY, Package, Rule, Snapshot, Subject, SymbolHit, SymbolKind, SymbolLocator,
    SymbolName, SymbolQuery, UndefinedName, UndefinedUse, Use, UseOrigin, Uses, Visibility, lang_id,
};
use rename::Local;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    machinery::{
        answer::{Answer, Row},
        error::{ErrorCode, ToolError},
        units::{first_few, plural, rounded},
        visible::visible_name,
    },
    parts::definition::{self, symbol_name},
};

/// The parameters of every tool that is about one symbol.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct SymbolSelector {
    /// `name` or `Owner::name`
    #[schemars(length(min = 1, max = 500))]
    pub symbol: Option<String>,
    /// With line, instead of symbol
    #[schemars(length(min = 1))]
    pub file: Option<String>,
    #[schemars(range(min = 1))]
    pub line: Option<u32>,
    #[schemars(range(min = 1))]
    pub column: Option<u32>,
}

/// Other spellings of these parameters, and of those that several of the tools have besides.
pub(crate) const ALIASES: &[(&str, &str)] = &[
    ("include_declaration", "include_definition"),
    ("limit", "max_results"),
    ("k", "max_results"),
    ("top_k", "max_results"),
    ("count", "max_results"),
    ("symbol_name", "symbol"),
    ("name", "symbol"),
    ("function", "symbol"),
    ("interface", "symbol"),
    ("file_path", "file"),
    ("path", "file"),
    ("context_file", "file"),
    ("line_number", "line"),
    ("col", "column"),
    ("character", "column"),
    ("max_depth", "depth"),
    ("kind", "reference_kind"),
    ("range", "diff"),
    ("revision", "diff"),
    ("base", "diff"),
    ("since", "diff"),
];

/// Candidates that are listed for an ambiguous name.
const MAX_CANDIDATES: usize = 30;

/// Definitions of one name that are answered side by side; of others the places are listed.
pub(crate) const MAX_GROUPS: usize = 5;

/// Places of uses that are listed for each of them.
const SHOWN_USES: usize = 5;

/// The one subject, or the answer that there is none or several.
pub(crate) enum Found {
    One(Box<Subject>),
    Other(Box<Answer>),
}

/// The same where a parameter or local variable may be asked for.
pub(crate) enum ResolvedTarget {
    Symbol(Subject),
    Local(Local),
    /// Nothing has the name; the answer says so.
    Undefined(Answer),
    Other(Answer),
}

/// The same where several definitions are answered side by side.
pub(crate) enum Each {
    One(Subject),
    Local(Local),
    Several(Several),
    /// Nothing has the name; the answer says so.
    Undefined(Answer),
    Other(Answer),
}

/// The definitions that have the requested name.
pub(crate) struct Several {
    /// The name or place as it was given.
    pub asked: String,
    /// Most used first.
    pub subjects: Vec<Subject>,
    /// Those that are not answered.
    pub further: Vec<SymbolHit>,
    pub total: usize,
}

/// Either what was meant, or all definitions that it can mean.
enum Candidates {
    Resolved(Box<ResolvedTarget>),
    Several(Vec<Subject>, usize),
}

impl From<ResolvedTarget> for Candidates {
    fn from(meant: ResolvedTarget) -> Candidates {
        Candidates::Resolved(Box::new(meant))
    }
}

impl SymbolSelector {
    pub fn is_empty(&self) -> bool {
        self.symbol.is_none() && self.file.is_none() && self.line.is_none()
    }

    /// Finds the symbol that is asked about.
    pub fn find(&self, snapshot: &Snapshot, graph: &CodeGraph<'_>, key: &'static str) -> Result<Found, ToolError> {
        self.find_of(snapshot, graph, key, |_| true)
    }

    /// The same where it is called: what cannot be is not meant if something of the name can.
    pub fn find_called(
        &self,
        snapshot: &Snapshot,
        graph: &CodeGraph<'_>,
        key: &'static str,
    ) -> Result<Found, ToolError> {
        self.find_of(snapshot, graph, key, |kind| kind.is_function() || kind.is_type())
    }

    fn find_of(
        &self,
        snapshot: &Snapshot,
        graph: &CodeGraph<'_>,
        key: &'static str,
        is_kind: impl Fn(SymbolKind) -> bool,
    ) -> Result<Found, ToolError> {
        match self.resolve_of(snapshot, graph, key, is_kind)? {
            ResolvedTarget::Symbol(subject) => Ok(Found::One(Box::new(subject))),
            ResolvedTarget::Undefined(answer) | ResolvedTarget::Other(answer) => Ok(Found::Other(Box::new(answer))),
            ResolvedTarget::Local(local) => Err(self.local_refused(graph, &local)),
        }
    }

    /// Finds what is asked about. `symbol` with `file` and no line narrows to that file.
    pub fn resolve(
        &self,
        snapshot: &Snapshot,
        graph: &CodeGraph<'_>,
        key: &'static str,
    ) -> Result<ResolvedTarget, ToolError> {
        self.resolve_of(snapshot, graph, key, |_| true)
    }

    /// The same, where several have the name by their kind.
    pub fn resolve_of(
        &self,
        snapshot: &Snapshot,
        graph: &CodeGraph<'_>,
        key: &'static str,
        is_kind: impl Fn(SymbolKind) -> bool,
    ) -> Result<ResolvedTarget, ToolError> {
        if let Some(placed) = self.placed(graph) {
            return placed.resolve_of(snapshot, graph, key, is_kind);
        }
        let (subjects, total) = match self.candidates(snapshot, graph, key, &is_kind)? {
            Candidates::Resolved(meant) => return Ok(*meant),
            Candidates::Several(subjects, total) => (subjects, total),
        };
        let name = self.symbol.as_deref().map(symbol_name).transpose()?;
        let mut uses = graph.uses_of_each(&subjects).into_iter();
        let mut all: Vec<(Subject, Option<Uses>)> =
            subjects.into_iter().map(|subject| (subject, uses.next())).collect();
        // What stands on one line has an order of its own.
        if let Some(name) = name.as_ref().filter(|_| self.line.is_none()) {
            all.sort_by_cached_key(|(subject, uses)| likeliest(subject, uses.as_ref(), name));
        }
        let mut answer = self.several(all.iter().map(|(subject, _)| &subject.hit), total);
        for (row, (_, uses)) in answer.rows.iter_mut().zip(&all) {
            if let Some(uses) = uses {
                tell_uses(graph, row, &uses.uses);
            }
        }
        Ok(ResolvedTarget::Other(answer))
    }

    /// All definitions that are asked about: those of an ambiguous name are answered side by side.
    pub fn each(&self, snapshot: &Snapshot, graph: &CodeGraph<'_>, key: &'static str) -> Result<Each, ToolError> {
        self.each_of(snapshot, graph, key, |_| true)
    }

    /// The same without what cannot be called, if something of the name can.
    pub fn each_called(
        &self,
        snapshot: &Snapshot,
        graph: &CodeGraph<'_>,
        key: &'static str,
    ) -> Result<Each, ToolError> {
        self.each_of(snapshot, graph, key, |kind| kind.is_function() || kind.is_type())
    }

    /// The same, where several have the name by their kind.
    pub fn each_of(
        &self,
        snapshot: &Snapshot,
        graph: &CodeGraph<'_>,
        key: &'static str,
        is_kind: impl Fn(SymbolKind) -> bool,
    ) -> Result<Each, ToolError> {
        if let Some(placed) = self.placed(graph) {
            return placed.each_of(snapshot, graph, key, is_kind);
        }
        let (subjects, total) = match self.candidates(snapshot, graph, key, &is_kind)? {
            Candidates::Resolved(meant) => {
                return Ok(match *meant {
                    ResolvedTarget::Symbol(subject) => Each::One(subject),
                    ResolvedTarget::Local(local) => Each::Local(local),
                    ResolvedTarget::Undefined(answer) => Each::Undefined(answer),
                    ResolvedTarget::Other(answer) => Each::Other(answer),
                });
            }
            Candidates::Several(subjects, total) => (subjects, total),
        };
        if !subjects.iter().any(|subject| is_kind(subject.hit.kind)) {
            let hits = subjects.iter().map(|subject| &subject.hit);
            return Ok(Each::Other(self.several(hits, total)));
        }
        let name = self.symbol.as_deref().map(symbol_name).transpose()?;
        let counts = graph.use_counts(&subjects);
        let mut all: Vec<(Subject, usize)> = subjects.into_iter().zip(counts).collect();
        // Definitions on one line stay in the order of the text.
        if let Some(name) = name.as_ref().filter(|_| self.line.is_none()) {
            all.sort_by_cached_key(|(subject, uses)| most_used(subject, *uses, name));
        }
        let further = all.split_off(all.len().min(MAX_GROUPS));
        Ok(Each::Several(Several {
            asked: self.asked(),
            subjects: all.into_iter().map(|(subject, _)| subject).collect(),
            further: further.into_iter().map(|(subject, _)| subject.hit).collect(),
            total,
        }))
    }

    /// The name that nothing in the workspace defines: as it was given, or the one at the place that was asked about.
    fn undefined(&self, graph: &CodeGraph<'_>) -> Result<Option<UndefinedName>, ToolError> {
        let name = self.symbol.as_deref().map(symbol_name).transpose()?;
        Ok(match (name, &self.file) {
            (Some(name), None) => Some(UndefinedName {
                shown: self.symbol.clone().unwrap_or_default(),
                name,
            }),
            (name, Some(file)) => {
                let name = name.as_ref().map(|name| name.name.as_str());
                graph.undefined_name(file, self.line, self.column, name)?
            }
            (None, None) => None,
        })
    }

    /// The uses of such a name, and how it is shown; how many others may be of it is the last.
    pub fn undefined_uses(&self, graph: &CodeGraph<'_>) -> Result<(String, Vec<UndefinedUse>, usize), ToolError> {
        Ok(match self.undefined(graph)? {
            Some(undefined) => {
                let (uses, unsure) = graph.undefined_uses(&undefined.name);
                (undefined.shown, uses, unsure)
            }
            None => (String::new(), Vec::new(), 0),
        })
    }

    /// What tools say that do not answer about the names of libraries.
    fn of_library(&self, undefined: &UndefinedName, key: &'static str) -> ResolvedTarget {
        ResolvedTarget::Undefined(Answer {
            head: format!(
                "`{}` is not defined in this workspace; find_references and find_callers tell where it is used",
                visible_name(&undefined.shown)
            ),
            key,
            ..Answer::default()
        })
    }

    /// The error for a tool that does not answer about local names.
    pub fn local_refused(&self, graph: &CodeGraph<'_>, local: &Local) -> ToolError {
        let hit = &local.subject.hit;
        let place = format!("{}:{}", visible_name(&hit.path), hit.line);
        ToolError::new(
            ErrorCode::InvalidParams,
            format!(
                "`{}` at {place} is a local name, and no symbol",
                visible_name(&hit.name)
            ),
            self.hint_around(graph, &hit.path, hit.line) + "; find_references lists the uses of a local name",
        )
    }

    /// The same with the name in the case in which it is defined, if that is one spelling: `Parser::parse` for
    /// `parser.PARSE`.
    fn in_other_case(
        &self,
        snapshot: &Snapshot,
        graph: &CodeGraph<'_>,
        name: &SymbolName,
    ) -> Result<Option<SymbolSelector>, ToolError> {
        if self.line.is_some() {
            return Ok(None);
        }
        let bare = SymbolName {
            owners: Vec::new(),
            ..name.clone()
        };
        let query = SymbolQuery {
            name: &bare,
            exact: true,
            filter: &FilterSpec::default(),
        };
        let mut hits = snapshot.similar_symbols(&bare, MAX_CANDIDATES)?;
        if !name.owners.is_empty() {
            hits.extend(snapshot.find_symbols(&query, 0, MAX_CANDIDATES)?.hits);
        }
        let is_same = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
        let mut spellings = BTreeSet::new();
        for hit in hits.iter().filter(|hit| is_same(&hit.name, &name.name)) {
            let parts = hit.qualified_name.split(['.', ':', '#']);
            let mut owners: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
            owners.pop();
            let owners = owners.split_off(owners.len().saturating_sub(name.owners.len()));
            let is_owner = owners.len() == name.owners.len()
                && owners.iter().zip(&name.owners).all(|(own, given)| is_same(own, given));
            // What is not an owner may be a package or a directory.
            let mut spelled: Vec<&str> = match is_owner {
                true => owners,
                false => name.owners.iter().map(String::as_str).collect(),
            };
            spelled.push(&hit.name);
            spellings.insert(spelled.join("::"));
        }
        let mut found = Vec::new();
        for spelled in spellings {
            let parsed = symbol_name(&spelled)?;
            if (&parsed.name, &parsed.owners) == (&name.name, &name.owners) {
                continue;
            }
            let asked = SymbolLocator::Name {
                name: &parsed,
                path: self.file.as_deref(),
            };
            if graph.subjects(asked, 1)?.1 > 0 {
                found.push(spelled);
            }
        }
        Ok(match found.len() {
            1 => Some(SymbolSelector {
                symbol: found.pop(),
                file: self.file.clone(),
                line: None,
                column: self.column,
            }),
            _ => None,
        })
    }

    /// The name or place as it was given.
    fn asked(&self) -> String {
        match (&self.symbol, &self.file, self.line) {
            (Some(symbol), ..) => format!("`{}`", visible_name(symbol)),
            (None, Some(file), Some(line)) => format!("{}:{line}", visible_name(file)),
            _ => String::new(),
        }
    }

    fn candidates(
        &self,
        snapshot: &Snapshot,
        graph: &CodeGraph<'_>,
        key: &'static str,
        is_kind: &dyn Fn(SymbolKind) -> bool,
    ) -> Result<Candidates, ToolError> {
        definition::needs_symbols(snapshot)?;
        let name = self.symbol.as_deref().map(symbol_name).transpose()?;
        let (mut subjects, mut total) = match (&self.file, self.line, &name) {
            (Some(file), Some(line), name) => {
                let asked = SymbolLocator::At {
                    path: file,
                    line,
                    column: self.column,
                    name: name.as_ref().map(|name| name.name.as_str()),
                };
                let mut found = graph.subjects(asked, MAX_CANDIDATES)?;
                if found.1 == 0 {
                    definition::needs_parsed(snapshot, graph.path(graph.file_at(file)?))?;
                    if let Some(local) = self.local(graph, file)? {
                        return Ok(local.into());
                    }
                    let is_pointed_at = name.is_some() || self.column.is_some();
                    if !is_pointed_at {
                        found = self.near(graph, file, line)?;
                    }
                    if found.1 == 0
                        && let Some(undefined) = self.undefined(graph)?
                    {
                        return Ok(self.of_library(&undefined, key).into());
                    }
                    if is_pointed_at {
                        found = self.near(graph, file, line)?;
                    }
                }
                if found.1 == 0 {
                    return Err(self.nothing_at(graph, file, line));
                }
                found
            }
            (file, None, Some(name)) => {
                if file.is_none() && name.owners.is_empty() && graph.is_everywhere(name) {
                    let query = SymbolQuery {
                        name,
                        exact: true,
                        filter: &FilterSpec::default(),
                    };
                    let found = snapshot.find_symbols(&query, 0, MAX_CANDIDATES)?;
                    return Ok(ResolvedTarget::Other(self.several(found.hits.iter(), found.total)).into());
                }
                let path = file.as_deref();
                let (mut found, mut total) = graph.subjects(SymbolLocator::Name { name, path }, MAX_CANDIDATES)?;
                // What is somewhere below the first part of a module's name is not what the whole of it names.
                if path.is_none() && total == found.len() && graph.file_called(name).is_some() {
                    found.retain(|subject| is_spelled_out(&subject.hit, name));
                    total = found.len();
                }
                (found, total)
            }
            (None, Some(_), _) => {
                return Err(missing("`file` is missing: which file is the line in?"));
            }
            (Some(file), None, None) => {
                return Err(whole_file(file, "`line` or `symbol` is missing".to_owned()));
            }
            (None, None, None) => return Err(missing("give `symbol`, or `file` and `line`")),
        };
        if total > 1 && total == subjects.len() && subjects.iter().any(|subject| is_kind(subject.hit.kind)) {
            subjects.retain(|subject| is_kind(subject.hit.kind));
            total = subjects.len();
        }
        match total {
            1 => Ok(ResolvedTarget::Symbol(subjects.remove(0)).into()),
            0 => {
                if let Some(file) = self.symbol.as_deref().filter(|symbol| graph.file_at(symbol).is_ok()) {
                    return Err(whole_file(
                        file,
                        format!("`{}` is a file, and no symbol", visible_name(file)),
                    ));
                }
                if let Some(file) = name.as_ref().and_then(|name| graph.file_called(name)) {
                    let module = visible_name(self.symbol.as_deref().unwrap_or_default());
                    return Err(whole_file(
                        file,
                        format!("`{module}` is a module, the file {}, and no symbol", visible_name(file)),
                    ));
                }
                if let Some(file) = &self.file
                    && let Some(local) = self.local(graph, file)?
                {
                    return Ok(local.into());
                }
                let name = name.as_ref().expect("a position that finds nothing is an error");
                // `Read` that is imported from a library is not the function `read`.
                let is_imported = || graph.undefined_uses(name).0.iter().any(|one| one.module.is_some());
                if let Some(spelled) = self.in_other_case(snapshot, graph, name)?
                    && !is_imported()
                {
                    return spelled.candidates(snapshot, graph, key, is_kind);
                }
                let wanted = visible_name(self.symbol.as_deref().unwrap_or_default());
                let head = format!("No definition of `{wanted}`");
                Ok(ResolvedTarget::Undefined(definition::none(snapshot, name, &head, key)?).into())
            }
            _ => Ok(Candidates::Several(subjects, total)),
        }
    }

    /// The module that is asked about by its name, if nothing is defined under that: it is a file.
    pub fn module(&self, graph: &CodeGraph<'_>) -> Result<Option<Subject>, ToolError> {
        let (Some(symbol), None, None) = (&self.symbol, &self.file, self.line) else {
            return Ok(None);
        };
        let name = symbol_name(symbol)?;
        let Some(module) = graph.module_called(&name)? else {
            return Ok(None);
        };
        let asked = SymbolLocator::Name {
            name: &name,
            path: None,
        };
        let (found, total) = graph.subjects(asked, MAX_CANDIDATES)?;
        let is_defined = total > found.len() || found.iter().any(|subject| is_spelled_out(&subject.hit, &name));
        Ok((!is_defined).then_some(module))
    }

    /// The packages that are asked about by name, if nothing else is meant: what has the name of a package and is no part of
    /// one comes first, unless the name says that a package is meant: `parser#package`, `example.com/shop/parser`.
    pub fn packages(&self, graph: &CodeGraph<'_>) -> Result<Vec<Package>, ToolError> {
        let (Some(symbol), None, None) = (&self.symbol, &self.file, self.line) else {
            return Ok(Vec::new());
        };
        let name = symbol_name(symbol)?;
        let packages = graph.packages_called(&name)?;
        if packages.is_empty() || name.kind.is_some() || symbol.contains('/') {
            return Ok(packages);
        }
        let asked = SymbolLocator::Name {
            name: &name,
            path: None,
        };
        let (found, _) = graph.subjects(asked, MAX_CANDIDATES)?;
        // What builds the code is mostly called after it: `project(leveldb)`.
        let is_of_build = |subject: &Subject| matches!(subject.hit.kind, SymbolKind::Module | SymbolKind::Target);
        let is_package = |subject: &Subject| subject.hit.kind == SymbolKind::Namespace || is_of_build(subject);
        Ok(match found.iter().all(is_package) {
            true => packages,
            false => Vec::new(),
        })
    }

    /// The same where `symbol` or `file` is written as places are: `src/a.rs:12`, `src/a.rs#Parser::parse`.
    pub fn placed(&self, graph: &CodeGraph<'_>) -> Option<SymbolSelector> {
        let given = match (&self.symbol, &self.file) {
            (Some(symbol), None) => symbol,
            (_, Some(file)) if self.line.is_none() => file,
            _ => return None,
        };
        let ends = given.match_indices([':', '#']).map(|(at, _)| at);
        let (file, rest) = ends
            .map(|at| given.split_at(at))
            .find(|(file, _)| file.contains(['/', '.']) && graph.file_at(file).is_ok())?;
        let rest = rest.trim_start_matches([':', '#']);
        let mut numbers = rest.split(':').map(str::parse::<u32>);
        let mut placed = SymbolSelector {
            symbol: self.symbol.clone().filter(|_| self.file.is_some()),
            file: Some(file.to_owned()),
            line: None,
            column: self.column,
        };
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(line)), None, None) => placed.line = Some(line),
            (Some(Ok(line)), Some(Ok(column)), None) => (placed.line, placed.column) = (Some(line), Some(column)),
            _ if rest.is_empty() || placed.symbol.is_some() => return None,
            _ => placed.symbol = Some(rest.to_owned()),
        }
        Some(placed)
    }

    /// What is defined around a line at which nothing of the name is.
    fn near(&self, graph: &CodeGraph<'_>, file: &str, line: u32) -> Result<(Vec<Subject>, usize), ToolError> {
        if self.column.is_some() {
            return Ok((Vec::new(), 0));
        }
        let name = self.symbol.as_deref().map(symbol_name).transpose()?;
        let near = SymbolLocator::Near {
            path: file,
            line,
            name: name.as_ref().map(|name| name.name.as_str()),
        };
        Ok(graph.subjects(near, MAX_CANDIDATES)?)
    }

    /// The local name at the line, or the only one of that name in the file.
    pub fn local(&self, graph: &CodeGraph<'_>, file: &str) -> Result<Option<ResolvedTarget>, ToolError> {
        let mut locals = rename::locals(graph, file, self.line, self.column, self.symbol.as_deref())?;
        Ok(match locals.len() {
            0 => None,
            1 => Some(ResolvedTarget::Local(locals.remove(0))),
            total => {
                let hits = locals.iter().map(|local| &local.subject.hit);
                Some(ResolvedTarget::Other(self.several(hits, total)))
            }
        })
    }

    fn nothing_at(&self, graph: &CodeGraph<'_>, file: &str, line: u32) -> ToolError {
        let place = format!("{}:{line}", visible_name(file));
        let message = match &self.symbol {
            Some(symbol) => format!("`{}` is not defined or used at {place}", visible_name(symbol)),
            None => format!("nothing of this workspace is defined or used at {place}"),
        };
        ToolError::new(ErrorCode::InvalidParams, message, self.hint_around(graph, file, line))
    }

    fn hint_around(&self, graph: &CodeGraph<'_>, file: &str, line: u32) -> String {
        if let Some(name) = self.symbol.as_deref().and_then(|symbol| symbol_name(symbol).ok()) {
            let path = Some(file);
            let defined = graph
                .subjects(SymbolLocator::Name { name: &name, path }, 1)
                .unwrap_or_default()
                .0;
            if let [subject] = defined.as_slice() {
                return format!("the name means {}; ask without `line`", named_place(&subject.hit));
            }
        }
        match graph.around(file, line) {
            Some(around) => format!("the line is in {}; ask about that with its line", named_place(&around)),
            None => "find_definition with file and line lists the names there; or give `symbol` alone".to_owned(),
        }
    }

    /// Several things have the name: which is meant is the caller's to say.
    pub fn several<'h>(&self, hits: impl Iterator<Item = &'h SymbolHit>, total: usize) -> Answer {
        let what = self.asked();
        let hits: Vec<&SymbolHit> = hits.take(MAX_CANDIDATES).collect();
        // What has one name in one file is told apart by how it is declared.
        let is_same = |one: &SymbolHit, other: &SymbolHit| {
            (&one.path, &one.qualified_name) == (&other.path, &other.qualified_name)
        };
        let rows = hits.iter().map(|hit| {
            let is_alone = hits.iter().filter(|other| is_same(hit, other)).count() == 1;
            let signature = match is_alone || hit.signature.is_empty() {
                true => String::new(),
                false => format!("\n  {}", definition::signature(hit)),
            };
            Row {
                text: format!("- {}{signature}", definition::place(hit)),
                json: definition::json(hit),
                body: None,
            }
        });
        let is_one_name = hits
            .windows(2)
            .all(|pair| pair[0].qualified_name == pair[1].qualified_name);
        let otherwise = match self.line {
            Some(_) => "with `symbol` or `column` too",
            None if is_one_name => "with file and line",
            None => "with a qualified name, or with file and line",
        };
        let mut answer = Answer {
            head: format!(
                "{what} is ambiguous: {}. Ask again {otherwise}.",
                plural(total, "definition")
            ),
            key: "candidates",
            definitions: &["candidates"],
            rows: rows.collect(),
            ..Answer::default()
        };
        answer.total = answer.rows.len();
        answer.fact("candidates_total", total);
        if total > answer.total {
            answer.tail = format!("{} more: find_symbol lists them all.", total - answer.total);
        }
        answer
    }
}

/// Whether a name with what it is inside of says all that is between its first part and the definition. In Python a file
/// is a part of that; elsewhere it may be.
fn is_spelled_out(hit: &SymbolHit, name: &SymbolName) -> bool {
    if matches!(hit.kind, SymbolKind::Module | SymbolKind::Namespace) {
        return true;
    }
    let path = hit.path.rsplit_once('.').map_or(hit.path.as_str(), |(path, _)| path);
    let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
    let outer = match lang_id(hit.lang).lang().conventions.file_is_module {
        true => vec![path.strip_suffix("/__init__").unwrap_or(path)],
        false => vec![path, dir],
    };
    let asked = || name.owners.iter().chain([&name.name]).rev();
    outer.into_iter().any(|outer| {
        let own = hit
            .qualified_name
            .split(['.', ':', '#'])
            .filter(|part| !part.is_empty());
        let own: Vec<&str> = outer.split('/').chain(own).collect();
        own.len() >= asked().count() && asked().zip(own.iter().rev()).all(|(asked, own)| asked == own)
    })
}

/// The order of several things of a name: tests and what stands beside the sources last, what the name spells out first,
/// then by how many uses are sure, and what others can name.
fn likeliest(subject: &Subject, uses: Option<&Uses>, name: &SymbolName) -> impl Ord + use<> {
    let hit = &subject.hit;
    let sure = uses.map_or(0, |uses| uses.uses.iter().filter(|used| is_sure(used)).count());
    let is_hidden = hit
        .visibility
        .is_some_and(|visibility| visibility != Visibility::Public);
    (hit.is_aside(), !is_spelled_out(hit, name), Reverse(sure), is_hidden)
}

/// The order in which several definitions of a name are answered: what the name spells out first, then most used first.
fn most_used(subject: &Subject, uses: usize, name: &SymbolName) -> impl Ord + use<> {
    let hit = &subject.hit;
    let is_hidden = hit
        .visibility
        .is_some_and(|visibility| visibility != Visibility::Public);
    (!is_spelled_out(hit, name), Reverse(uses), hit.is_aside(), is_hidden)
}

fn is_sure(used: &Use) -> bool {
    used.confidence >= LIKELY && used.origin != UseOrigin::Dispatch
}

/// Who uses one of several things of a name: that mostly tells which is meant, and often is what was asked.
fn tell_uses(graph: &CodeGraph<'_>, row: &mut Row, uses: &[Use]) {
    let (sure, possible): (Vec<&Use>, Vec<&Use>) = uses.iter().partition(|used| is_sure(used));
    let counted = match (sure.len(), possible.len()) {
        (0, 0) => "no use".to_owned(),
        (0, count) => format!("no sure use, {count} possible"),
        (count, _) => format!("{}: {}", plural(count, "use"), use_places(graph, &sure, SHOWN_USES)),
    };
    row.text.push_str(&format!("\n  {counted}"));
    row.json["uses_total"] = sure.len().into();
    let shown = sure.iter().take(SHOWN_USES);
    row.json["uses"] = shown.map(|used| use_place_json(graph, used)).collect();
}

/// A file is asked about, and not what is in it.
fn whole_file(file: &str, message: String) -> ToolError {
    let file = visible_name(file);
    ToolError {
        hint: format!("get_symbols lists what {file} defines; get_dependencies with reverse tells who imports it")
            .into(),
        ..ToolError::invalid(message)
    }
}

/// Neither a name nor a whole position is given.
pub(crate) fn missing(message: &str) -> ToolError {
    ToolError {
        hint: "a symbol is `parse` or `Parser::parse`; a position is `file` and `line`, and `column` if known".into(),
        ..ToolError::invalid(message)
    }
}

/// Whether a definition is used by a sign as well, or instead of its name: `operator fun plus`, `__add__`, what is called
/// itself.
pub(crate) fn is_operator(hit: &SymbolHit) -> bool {
    let is_special = hit.name.len() > 4 && hit.name.starts_with("__") && hit.name.ends_with("__");
    let says_so = hit
        .signature
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| word == "operator");
    hit.kind.is_function() && (is_special || says_so || hit.name == "()")
}

/// What is said of one of those where nothing names it.
pub(crate) const AS_OPERATOR: &str =
    "no use by its name; where it is used as an operator, or by the language, is not looked for";

/// Where something was looked for: not in files that are not indexed yet, or could not be parsed.
pub(crate) fn looked_at(graph: &CodeGraph<'_>) -> &'static str {
    match graph.n_unparsed() {
        _ if graph.is_partial() => "the files that are indexed so far",
        0 => "this workspace",
        _ => "the files that are parsed",
    }
}

/// What is said of calls that were not followed since several definitions have the name.
pub(crate) fn left_open(names: &BTreeSet<String>) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    Some(format!(
        "Not followed, since several definitions have the name and nothing tells which is called: {}",
        first_few(names.iter().map(|name| visible_name(name)), 8)
    ))
}

/// `level 2, `, where there are several.
pub(crate) fn level(depth: u32, by_level: bool) -> String {
    if by_level {
        format!("level {depth}, ")
    } else {
        String::new()
    }
}

/// `resolved` or `name`, with what tells: `[receiver's type]`, `[by name, 0.65]`.
pub(crate) fn origin_text(origin: UseOrigin, confidence: f32) -> String {
    match origin {
        UseOrigin::Resolved(rule @ Rule::Moved) => format!("{}, {confidence:.2}", rule.as_str()),
        UseOrigin::Resolved(rule) => rule.as_str().to_owned(),
        UseOrigin::Dispatch => "may reach it through what it overrides".to_owned(),
        UseOrigin::Name => format!("by name, {confidence:.2}"),
    }
}

/// The same in brackets; what is known by more than its name needs no mark.
pub(crate) fn origin_mark(origin: UseOrigin, confidence: f32) -> String {
    match origin {
        UseOrigin::Resolved(rule) if rule != Rule::Moved => String::new(),
        origin => format!(" [{}]", origin_text(origin, confidence)),
    }
}

pub(crate) fn origin_json(json: &mut Value, origin: UseOrigin, confidence: f32) {
    origin_word_json(json, origin, confidence);
    match origin {
        UseOrigin::Resolved(Rule::Exact) | UseOrigin::Name => {}
        UseOrigin::Resolved(rule) => json["rule"] = rule.as_str().into(),
        UseOrigin::Dispatch => json["rule"] = "dispatch".into(),
    }
}

/// The same without the rule, for answers of many rows that do not show it.
pub(crate) fn origin_word_json(json: &mut Value, origin: UseOrigin, confidence: f32) {
    let word = match origin {
        UseOrigin::Resolved(Rule::Exact) => "exact",
        UseOrigin::Resolved(Rule::Moved) => "name",
        UseOrigin::Resolved(_) | UseOrigin::Dispatch => "resolved",
        UseOrigin::Name => "name",
    };
    json["origin"] = word.into();
    json["confidence"] = rounded(confidence).into();
}

/// The first places of some uses: `a.c:3, b.c:4, ...`.
pub(crate) fn use_places(graph: &CodeGraph<'_>, uses: &[&Use], most: usize) -> String {
    places(graph, uses.iter().map(|used| (used.file, used.at)), most)
}

/// The first lines of some places, each once.
pub(crate) fn places(graph: &CodeGraph<'_>, all: impl Iterator<Item = (FileIdx, u32)>, most: usize) -> String {
    let mut lines: Vec<(FileIdx, u32)> = all.map(|(file, at)| (file, graph.line(file, at))).collect();
    lines.dedup();
    let place = |(file, line): &(FileIdx, u32)| format!("{}:{line}", visible_name(graph.path(*file)));
    let shown: Vec<String> = lines.iter().take(most).map(place).collect();
    let more = if lines.len() > shown.len() { ", ..." } else { "" };
    format!("{}{more}", shown.join(", "))
}

pub(crate) fn use_place_json(graph: &CodeGraph<'_>, used: &Use) -> Value {
    json!({ "path": graph.path(used.file), "line": graph.line(used.file, used.at) })
}

/// What is said where a name is not looked for in text.
pub(crate) const TOO_COMMON_IN_TEXT: &str = "The name is too common to look for it in comments and documents.";

/// The subject's own line at the head of an answer, and its other declarations.
pub(crate) fn heading(subject: &Subject) -> String {
    let mut head = format!(
        "{}\n  {}",
        definition::place(&subject.hit),
        definition::signature(&subject.hit)
    );
    if !subject.others.is_empty() {
        let others = subject.others.iter();
        let places = others.map(|other| format!("{}:{}", visible_name(&other.path), other.line));
        head.push_str(&format!("\n  also {}", first_few(places, 3)));
    }
    if let Some(others) = not_namesakes(subject) {
        head.push_str(&format!("\n  {others}"));
    }
    head
}

/// `not Other.parse b.rs:3, nor ..`: what else has the name and was not meant.
pub(crate) fn not_namesakes(subject: &Subject) -> Option<String> {
    if subject.namesakes.is_empty() {
        return None;
    }
    let names: Vec<String> = subject.namesakes.iter().map(named_place).collect();
    let more = match subject.namesakes_total - names.len() {
        0 => String::new(),
        more => format!(", nor {more} more of that name"),
    };
    Some(format!("not {}{more}", names.join(", nor ")))
}

pub(crate) fn json_of(subject: &Subject) -> Value {
    let mut json = definition::json(&subject.hit);
    if !subject.others.is_empty() {
        let others = subject
            .others
            .iter()
            .take(20)
            .map(|other| json!({ "path": other.path, "line": other.line }));
        json["also"] = others.collect();
    }
    if !subject.namesakes.is_empty() {
        let names = subject.namesakes.iter();
        json["namesakes"] = names.map(|other| other.qualified_name.as_str()).collect();
        json["namesakes_total"] = subject.namesakes_total.into();
    }
    json
}

/// What a subject stands in for: a line for the heading, and the same for `symbol`.
pub(crate) struct Overrides(Vec<SymbolHit>);

impl Overrides {
    pub fn of(graph: &CodeGraph<'_>, subject: &Subject) -> Result<Overrides, ToolError> {
        Ok(Overrides(graph.overridden(subject)?))
    }

    pub fn text(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let shown = first_few(self.0.iter().map(named_place), 3);
        format!("\n  stands in for {shown}")
    }

    pub fn tell(&self, symbol: &mut Value) {
        if !self.0.is_empty() {
            let shown = self.0.iter().take(20);
            let shown =
                shown.map(|hit| json!({ "qualified_name": hit.qualified_name, "path": hit.path, "line": hit.line }));
            symbol["overrides"] = shown.collect();
        }
    }
}

/// `Saver.Save store.go:4`
pub(crate) fn named_place(hit: &SymbolHit) -> String {
    format!(
        "{} {}:{}",
        visible_name(&hit.qualified_name),
        visible_name(&hit.path),
        hit.line
    )
}
