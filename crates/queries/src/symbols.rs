//! The symbols of a snapshot: found by name, and file by file.

use std::{collections::BTreeMap, sync::Arc};

use index::FileRow;
use search::{Filter, FilterSpec, KindFilter, Likeness, NameMatch, SymbolName};
use syntax::{FileFacts, Lang, PLAINTEXT, Symbol, SymbolKind, Visibility, lang_by_name};
use workspace::{Error, QueryProblem};

use crate::{
    chunk_view::{ChunkView, lines_between},
    code_graph::CodeGraph,
    snapshot::Snapshot,
};

/// A definition, ready to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolHit {
    pub likeness: Likeness,
    pub name: String,
    /// With what it is inside of, in the language's spelling.
    pub qualified_name: String,
    pub kind: SymbolKind,
    pub visibility: Option<Visibility>,
    pub signature: String,
    pub path: String,
    pub lang: &'static str,
    /// Where the name is: from 1, the column in characters.
    pub line: u32,
    pub column: u32,
    /// The whole definition.
    pub first_line: u32,
    pub last_line: u32,
    /// Is a test or belongs to tests.
    pub is_test: bool,
    pub is_declaration: bool,
    pub doc: Option<String>,
    pub(crate) rank: u8,
}

/// A page of definitions, and how many there are.
#[derive(Debug, Default)]
pub struct SymbolHits {
    pub hits: Vec<SymbolHit>,
    pub total: usize,
    /// Those whose name is written as it was asked for.
    pub exact: usize,
}

/// A file's text and facts, as it is on disk.
#[derive(Debug)]
pub struct SourceFile {
    pub path: String,
    pub lang: &'static Lang,
    pub text: String,
    pub facts: Arc<FileFacts>,
}

/// Which definitions are wanted.
#[derive(Debug, Clone)]
pub struct SymbolQuery<'a> {
    pub name: &'a SymbolName,
    /// Only names that are written the same.
    pub exact: bool,
    pub filter: &'a FilterSpec,
}

/// A name that more files define is a common word.
const MANY_FILES: usize = 500;

/// Types whose members are looked at for who has mistyped what a member belongs to.
const SIMILAR_OWNERS: usize = 2;

/// Lines of a definition that are shown; who wants all of it reads the file.
const SHOWN_LINES: u32 = 12;

/// A symbol of a file; places of a name are sorted by file before they are by order.
struct Place<'s> {
    order: (bool, bool, u8),
    row: &'s FileRow,
    symbol: usize,
    /// Only its path has the owners that were asked for.
    by_path: bool,
}

/// What people mean by a name first: code, then the members of types, then data and prose.
pub(crate) fn rank(facts: &FileFacts, symbol: &Symbol) -> u8 {
    use SymbolKind::*;
    let parent = symbol.parent.map(|parent| facts.symbols[parent].kind);
    match symbol.kind {
        Variable | Field | Property | Variant | Impl => 1,
        // An associated type is a name for another.
        Type if parent.is_some_and(SymbolKind::has_members) => 1,
        Heading | Key | Selector | Element | Index | Target | Stage | Block => 2,
        _ => 0,
    }
}

/// A name alone means what has none around it first, and a type rather than how one is made.
fn ownership(facts: &FileFacts, symbol: &Symbol) -> u8 {
    let parent = symbol.parent.map(|parent| facts.symbols[parent].kind);
    match symbol.kind {
        SymbolKind::Constructor => 2,
        _ => u8::from(symbol.owner.is_some() || parent.is_some_and(SymbolKind::has_members)),
    }
}

/// Whether a file is not of the product's own sources.
fn is_aside_path(path: &str) -> bool {
    source::is_test_path(path) || source::is_vendored_path(path)
}

/// Whether a file is none that people mean first: a test, an example, what others wrote.
pub(crate) fn is_beside_sources(path: &str) -> bool {
    is_aside_path(path) || source::is_beside_path(path)
}

/// Whether a symbol is a test or inside of one.
pub(crate) fn in_test(facts: &FileFacts, symbol: &Symbol) -> bool {
    let outer = std::iter::successors(Some(symbol), |inner| inner.parent.map(|parent| &facts.symbols[parent]));
    outer.into_iter().any(|symbol| symbol.is_test)
}

impl SymbolHit {
    /// Something that code can name, other than a member of a type.
    pub fn is_item(&self) -> bool {
        self.rank == 0
    }

    /// Whether it is nothing that people mean first: a test, an example, what others wrote.
    pub fn is_aside(&self) -> bool {
        self.is_test || is_beside_sources(&self.path)
    }

    /// Something that code can name.
    pub fn is_code(&self) -> bool {
        self.rank < 2
    }
}

impl Snapshot {
    /// Definitions by name, best first: by likeness, then for each name what is neither a test nor generated or vendored
    /// before what is, definitions before declarations, code before data and prose, what has no owner before members, then
    /// by path and line. A qualified name says which symbol is meant: names that are only like it are for when there is none.
    pub fn find_symbols(&self, query: &SymbolQuery<'_>, offset: usize, limit: usize) -> Result<SymbolHits, Error> {
        let found = self.symbols_found(query, offset, limit)?;
        let (name, allows) = (&query.name.name, |row: &FileRow| query.filter.allows(row));
        match query.exact || found.total > 0 {
            true => self.depends_on(name, allows),
            false => self.depends_on_names_with(name, allows),
        }
        Ok(found)
    }

    fn symbols_found(&self, query: &SymbolQuery<'_>, offset: usize, limit: usize) -> Result<SymbolHits, Error> {
        if query.exact || !query.name.owners.is_empty() {
            if !query.name.owners.is_empty() {
                let public = self.listed(query, offset, limit, |graph| graph.meant_publicly(query.name))?;
                if public.total > 0 {
                    return Ok(public);
                }
            }
            let found = self.symbols_within(query, Likeness::Exact, offset, limit)?;
            if found.total > 0 {
                return Ok(found);
            }
            for name in query.name.as_modules() {
                let query = SymbolQuery { name: &name, ..*query };
                let found = self.symbols_within(&query, Likeness::Exact, offset, limit)?;
                if found.total > 0 {
                    return Ok(found);
                }
            }
            let indirect = self.listed(query, offset, limit, |graph| graph.meant_indirectly(query.name))?;
            if query.exact || indirect.total > 0 {
                return Ok(indirect);
            }
        }
        self.symbols_within(query, Likeness::Substring, offset, limit)
    }

    /// What a name means by something other than where it is written, as a page.
    fn listed(
        &self,
        query: &SymbolQuery<'_>,
        offset: usize,
        limit: usize,
        meant: impl Fn(&CodeGraph<'_>) -> Result<Vec<SymbolHit>, Error>,
    ) -> Result<SymbolHits, Error> {
        let is_allowed = |hit: &SymbolHit| {
            let row = self.reader().files().by_path(&hit.path);
            row.is_some_and(|row| query.filter.allows(row))
        };
        let mut hits = self.graph(meant)?;
        hits.retain(is_allowed);
        let total = hits.len();
        Ok(SymbolHits {
            hits: hits.into_iter().skip(offset).take(limit).collect(),
            total,
            exact: total,
        })
    }

    /// The definitions of a name: as it is written, or else but for case and underscores unless it is qualified.
    pub fn definitions_of(&self, query: &SymbolQuery<'_>, limit: usize) -> Result<SymbolHits, Error> {
        let found = self.symbols_within(query, Likeness::Exact, 0, limit)?;
        if found.total > 0 || !query.name.owners.is_empty() {
            return Ok(found);
        }
        self.symbols_within(query, Likeness::Spelling, 0, limit)
    }

    /// How many files have a word, whatever it is there.
    pub fn count_with_word(&self, word: &str) -> Result<usize, Error> {
        let found = self.reader().files_with_word(word);
        let found = found.map_err(|error| QueryProblem::Scan(error.to_string()))?;
        let files = self.reader().files();
        Ok(found.iter().filter(|id| files.by_id(**id).is_some()).count())
    }

    /// What may have been meant by a name that is not defined: what it was looked for in, and what that has of a similar
    /// name; the same name elsewhere or of another kind; then names that are written similarly. One definition of each.
    pub fn similar_symbols(&self, name: &SymbolName, limit: usize) -> Result<Vec<SymbolHit>, Error> {
        let types = KindFilter::parse("type");
        // Names of the past are among them.
        let alike = |wanted: &str, kind: Option<KindFilter>| {
            search::similar_names(self.reader(), wanted, kind, 4 * limit)
                .map_err(|error| QueryProblem::Scan(error.to_string()))
        };
        let mut similar = alike(&name.name, name.kind)?;
        similar.retain(|similar| *similar != name.name);
        let mut hits = Vec::new();
        if let Some(owner) = name.owners.last() {
            // A type rather than what else is called like it.
            for kind in [types, None] {
                hits = self.named(&[], owner, kind, 1)?;
                if !hits.is_empty() {
                    break;
                }
            }
            let owners = match hits.is_empty() {
                true => alike(owner, types)?.into_iter().take(SIMILAR_OWNERS).collect(),
                false => vec![owner.clone()],
            };
            let members = std::iter::once(&name.name).chain(&similar);
            for (owner, member) in members.flat_map(|member| owners.iter().map(move |owner| (owner, member))) {
                if hits.len() < limit {
                    let named = self.named(std::slice::from_ref(owner), member, None, 1)?;
                    // Not what only its file is called like.
                    hits.extend(named.into_iter().filter(|hit| hit.qualified_name.contains(owner)));
                }
            }
        }
        hits.extend(self.named(&[], &name.name, None, limit.saturating_sub(hits.len()))?);
        for similar in &similar {
            if hits.len() >= limit {
                break;
            }
            let named = self.named(&[], similar, name.kind, 1)?;
            hits.extend(named.into_iter().find(|hit| !hits.contains(hit)));
        }
        Ok(hits)
    }

    /// Definitions of exactly this name, inside of something of another.
    fn named(
        &self,
        owners: &[String],
        name: &str,
        kind: Option<KindFilter>,
        limit: usize,
    ) -> Result<Vec<SymbolHit>, Error> {
        let name = SymbolName {
            name: name.to_owned(),
            owners: owners.to_vec(),
            kind,
            mark: None,
            parameters: None,
        };
        let query = SymbolQuery {
            name: &name,
            exact: true,
            filter: &FilterSpec::default(),
        };
        let found = match owners.is_empty() {
            true => self.symbols_found(&query, 0, limit)?,
            false => self.symbols_within(&query, Likeness::Exact, 0, limit)?,
        };
        Ok(found.hits)
    }

    /// The beginning of a definition, with `context` more lines before and after.
    pub fn view_definition(&self, hit: &SymbolHit, context: u32) -> Result<ChunkView, Error> {
        let file = self.source_file(&hit.path)?;
        let facts = &file.facts;
        let name_at = facts.lines.span(hit.line).start;
        let chunk = facts.chunks.partition_point(|chunk| chunk.end <= name_at);
        let last = hit.last_line.min(hit.first_line + SHOWN_LINES - 1).max(hit.line);
        let shown_from = hit.first_line.saturating_sub(context).max(1);
        let shown_to = last.saturating_add(context).min(facts.lines.count());
        let span = |line: u32| facts.lines.span(line);
        Ok(ChunkView {
            path: file.path.clone(),
            lang: file.lang.name,
            chunk: chunk.min(facts.chunks.len().saturating_sub(1)) as u32,
            chunk_count: facts.chunks.len() as u32,
            first_line: hit.first_line,
            last_line: last,
            start_byte: span(hit.first_line).start,
            end_byte: span(last).end,
            symbol: Some((hit.qualified_name.clone(), hit.kind)),
            shown_from,
            lines: lines_between(&file.text, &facts.lines, shown_from, shown_to),
        })
    }

    fn symbols_within(
        &self,
        query: &SymbolQuery<'_>,
        farthest: Likeness,
        offset: usize,
        limit: usize,
    ) -> Result<SymbolHits, Error> {
        let names = search::symbol_names(self.reader(), &query.name.name, query.name.kind, farthest)
            .map_err(|error| QueryProblem::Scan(error.to_string()))?;
        let filter = Filter::new(self.reader(), query.filter);
        let mut found = SymbolHits::default();
        for group in names.chunk_by(|a, b| (a.likeness, &a.name) == (b.likeness, &b.name)) {
            let mut files = self.files_defining(group, &filter)?;
            let counted = query.name.owners.is_empty();
            // The order of answers needs the facts of all files; of a name that is everywhere only tests are told apart.
            let batch = if counted && files.len() > MANY_FILES {
                files.sort_by_cached_key(|(row, _)| is_aside_path(&row.path));
                1
            } else {
                files.len().max(1)
            };
            for files in files.chunks(batch) {
                // How many each file has is known without reading its facts, unless owners must be looked at.
                let count: usize = files.iter().map(|(_, count)| *count as usize).sum();
                let on_page = found.total < offset + limit && found.total + count > offset;
                let count = if counted && !on_page {
                    count
                } else {
                    let places = self.places(files, group, query.name)?;
                    let page = places.iter().skip(offset.saturating_sub(found.total));
                    let page: Vec<&Place<'_>> = page.take(limit - found.hits.len()).collect();
                    for of_file in page.chunk_by(|a, b| a.row.path == b.row.path) {
                        let file = self.source_file(&of_file[0].row.path)?;
                        for place in of_file {
                            let symbol = file.facts.symbols.get(place.symbol).ok_or(Error::Stale)?;
                            found.hits.push(file.hit(symbol, group[0].likeness));
                        }
                    }
                    places.len()
                };
                found.total += count;
                if group[0].likeness == Likeness::Exact {
                    found.exact += count;
                }
            }
        }
        Ok(found)
    }

    /// The files that define a name of some kinds, and how often each does, by path.
    fn files_defining(&self, names: &[NameMatch], filter: &Filter) -> Result<Vec<(&FileRow, u32)>, Error> {
        let mut files = BTreeMap::new();
        for name in names {
            let found = self.reader().files_defining(&name.name, name.kind, &name.segments);
            for (id, count) in found.map_err(|error| QueryProblem::Scan(error.to_string()))? {
                if filter.allows(id)
                    && let Some(row) = self.reader().files().by_id(id)
                {
                    files.entry(&row.path).or_insert((row, 0)).1 += count;
                }
            }
        }
        Ok(files.into_values().collect())
    }

    /// The definitions of one name, in the order of answers.
    fn places<'s>(
        &'s self,
        files: &[(&'s FileRow, u32)],
        names: &[NameMatch],
        wanted: &SymbolName,
    ) -> Result<Vec<Place<'s>>, Error> {
        let mut places = Vec::new();
        for (row, _) in files {
            let facts = self.reader().definitions(row)?.ok_or(Error::Stale)?;
            let is_aside = is_aside_path(&row.path);
            for (at, symbol) in facts.symbols.iter().enumerate() {
                let is_named = names
                    .iter()
                    .any(|name| name.kind == symbol.kind && name.name == facts.name(symbol));
                if !is_named {
                    continue;
                }
                let fits = wanted.fits_symbol(&facts, symbol, &row.path);
                let by_path = !fits || wanted.fits_by_path(&facts, symbol);
                let opens = by_path && self.opens(row, &facts, symbol, wanted)?;
                if fits || opens {
                    places.push(Place {
                        order: (
                            is_aside || in_test(&facts, symbol),
                            symbol.is_declaration,
                            3 * rank(&facts, symbol) + ownership(&facts, symbol),
                        ),
                        row,
                        symbol: at,
                        by_path: by_path && !opens,
                    });
                }
            }
        }
        if places.iter().any(|place| !place.by_path) {
            places.retain(|place| !place.by_path);
        }
        places.sort_by_key(|place| place.order);
        Ok(places)
    }

    /// Whether a file opens the namespaces that a definition in it leaves out: `using namespace Crypto;`.
    fn opens(&self, row: &FileRow, facts: &FileFacts, symbol: &Symbol, wanted: &SymbolName) -> Result<bool, Error> {
        let Some(outer) = wanted.left_out_by(facts, symbol) else {
            return Ok(false);
        };
        let facts = self.reader().facts(row)?.ok_or(Error::Stale)?;
        let mut imports = facts.imports.iter();
        Ok(imports.any(|import| import.wildcard && facts.names.get(import.path) == outer))
    }

    /// A file's text and facts; an error if the file is not indexed, `Stale` if it has changed since.
    pub fn source_file(&self, path: &str) -> Result<SourceFile, Error> {
        let row = self.indexed_row(path)?;
        let facts = self.reader().facts(row)?.ok_or(Error::Stale)?;
        let bytes = self.current_bytes(row)?;
        let text = source::decode(&bytes).ok_or(Error::Stale)?.text.into_owned();
        Ok(SourceFile {
            path: row.path.to_string(),
            lang: lang_by_name(row.lang).unwrap_or(&PLAINTEXT),
            text,
            facts: Arc::new(facts),
        })
    }

    /// A file's facts without its text.
    pub fn facts_of(&self, path: &str) -> Result<FileFacts, Error> {
        let row = self.indexed_row(path)?;
        self.reader().facts(row)?.ok_or(Error::Stale)
    }
}

impl SourceFile {
    pub fn hit(&self, symbol: &Symbol, likeness: Likeness) -> SymbolHit {
        let lines = &self.facts.lines;
        let line = lines.line(symbol.name_at);
        let before = lines.span(line).start as usize..symbol.name_at as usize;
        SymbolHit {
            likeness,
            name: self.facts.name(symbol).to_owned(),
            qualified_name: self.lang.qualified_name(&self.facts, symbol),
            kind: symbol.kind,
            visibility: symbol.visibility,
            signature: self.facts.signature(symbol, &self.text),
            path: self.path.clone(),
            lang: self.lang.name,
            line,
            column: self.text.get(before).map_or(0, |before| before.chars().count()) as u32 + 1,
            first_line: lines.line(symbol.span.start),
            last_line: lines.line(symbol.span.end.max(1) - 1),
            is_test: source::is_test_path(&self.path) || in_test(&self.facts, symbol),
            is_declaration: symbol.is_declaration,
            doc: self.facts.doc(symbol, &self.text),
            rank: rank(&self.facts, symbol),
        }
    }
}
