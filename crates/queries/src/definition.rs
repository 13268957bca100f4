//! What a name means where it is used.

use graph::{FileIdx, Meaning, Rule, SymbolId};
use index::token::is_word_char;
use search::{Likeness, unmarked};
use source::Span;
use syntax::{
    Binding, BindingIdx, BindingRole, Import, Qualifier, RefIdx, Role, SymbolIdx, SymbolKind, named_arguments,
};
use workspace::Error;

use crate::{
    code_graph::CodeGraph,
    snapshot::Snapshot,
    symbols::{SourceFile, SymbolHit},
};

/// How an answer is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Evidence {
    /// As the compiler knows it.
    Exact,
    /// By the rules of the language.
    Resolved,
    /// It has the name; how likely it is to be meant, from 0 to 1.
    Name(f32),
}

/// What a name may mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    pub hit: SymbolHit,
    pub evidence: Evidence,
}

/// What the names at a position mean.
#[derive(Debug, Default)]
pub struct DefinitionsAt {
    pub path: String,
    /// Whether anything is known of the file but its text.
    pub is_parsed: bool,
    pub definitions: Vec<Definition>,
    /// Names at the position that nothing in the workspace defines.
    pub undefined: Vec<String>,
    /// Which of them come from elsewhere, where from, and the line that says so.
    pub imported: Vec<(String, String, u32)>,
    /// Every name on the line, with its column.
    pub on_line: Vec<(String, u32)>,
}

/// Definitions of one name that are looked at; more tell nothing.
const MAX_CANDIDATES: usize = 50;

/// A name at a place.
#[derive(Clone, Copy)]
pub struct Spot<'f> {
    pub name: &'f str,
    pub at: u32,
    pub what: What,
}

/// The place in the file's list of that.
#[derive(Clone, Copy)]
pub enum What {
    Symbol(SymbolIdx),
    Binding(BindingIdx),
    Reference(RefIdx),
}

impl Spot<'_> {
    /// The use of a name that it is, if it is one.
    pub fn reference(&self) -> Option<RefIdx> {
        match self.what {
            What::Reference(reference) => Some(reference),
            What::Symbol(_) | What::Binding(_) => None,
        }
    }
}

impl Snapshot {
    /// The definitions of what is named on a line, or at a column (in characters, from 1) of it. With a `name`, only of
    /// that one.
    pub fn definitions_at(
        &self,
        path: &str,
        line: u32,
        column: Option<u32>,
        name: Option<&str>,
    ) -> Result<DefinitionsAt, Error> {
        self.graph(|graph| {
            let file = graph.file_at(path)?;
            let source = graph.source(file)?;
            source.check_line(line)?;
            let mut answer = DefinitionsAt {
                path: source.path.clone(),
                is_parsed: source.lang.has_symbols() && source.facts.problem.is_none(),
                ..DefinitionsAt::default()
            };
            for spot in source.spots(source.facts.lines.span(line)) {
                let entry = (spot.name.to_owned(), source.column(spot.at));
                if !answer.on_line.contains(&entry) {
                    answer.on_line.push(entry);
                }
            }
            for spot in source.spots_meant(line, column, name) {
                let found = graph.definitions_of(file, &source, &spot)?;
                if found.is_empty() && !answer.undefined.iter().any(|name| name == spot.name) {
                    answer.undefined.push(spot.name.to_owned());
                    let from = source.imported_from(&spot).into_iter();
                    answer
                        .imported
                        .extend(from.map(|(from, line)| (spot.name.to_owned(), from, line)));
                }
                for definition in found {
                    if !answer.definitions.iter().any(|known| known.hit == definition.hit) {
                        answer.definitions.push(definition);
                    }
                }
            }
            // Names are also written in comments, as links.
            if answer.definitions.is_empty() && answer.undefined.is_empty() {
                let words = source.words_meant(line, column, name).into_iter();
                for id in words.flat_map(|at| graph.linked(file, at)) {
                    let hit = graph.hit(id)?;
                    answer.definitions.push(Definition {
                        hit,
                        evidence: Evidence::Exact,
                    });
                }
            }
            let defined = |name: &String| answer.definitions.iter().any(|definition| definition.hit.name == *name);
            answer.undefined.retain(|name| !defined(name));
            let is_undefined = |name: &String| answer.undefined.contains(name);
            answer.imported.retain(|(name, ..)| is_undefined(name));
            Ok(answer)
        })
    }
}

impl SourceFile {
    /// Where the file says that a name which stands alone comes from, and on which line.
    fn imported_from(&self, spot: &Spot<'_>) -> Option<(String, u32)> {
        let facts = &self.facts;
        let What::Reference(reference) = spot.what else {
            return None;
        };
        let reference = &facts.references[reference];
        if reference.role != Role::Import && reference.on != Qualifier::Nothing {
            return None;
        }
        let brings = |import: &&Import| {
            let name = import.alias.or(import.item);
            name.is_some_and(|name| facts.names.get(name) == spot.name)
        };
        let import = facts.imports.iter().find(brings)?;
        let path = facts.names.get(import.path);
        (!path.is_empty()).then(|| (path.to_owned(), facts.lines.line(import.at)))
    }
}

impl CodeGraph<'_> {
    /// What declares a member that is written for it: `const shape: Shape = { draw() {} }`, `self.size = 1` in a class whose
    /// base has it. Itself, if nothing else does.
    fn declared_for(&self, file: FileIdx, source: &SourceFile, at: u32, own: SymbolId) -> Vec<SymbolId> {
        let references = &source.facts.references;
        let first = references.partition_point(|reference| reference.at < at);
        let here = RefIdx::enumerate_from(references, first).take_while(|(_, reference)| reference.at == at);
        let mut meanings = here.map(|(index, _)| self.resolver().meaning(file, index));
        let declared = meanings.find_map(|meaning| match meaning {
            Meaning::Symbols(symbols, _) if !symbols.contains(&own) => Some(symbols),
            _ => None,
        });
        declared.unwrap_or_else(|| vec![own])
    }

    fn definitions_of(&self, file: FileIdx, source: &SourceFile, spot: &Spot<'_>) -> Result<Vec<Definition>, Error> {
        let resolved = |hit: SymbolHit| Definition {
            hit,
            evidence: Evidence::Resolved,
        };
        let reference = match spot.what {
            // A type that is embedded is named there, and is a field by that.
            What::Symbol(symbol) => match self.embedded_at(file, source, spot.at) {
                Some(ty) => return Ok(vec![resolved(self.hit(ty)?)]),
                None => {
                    let own = SymbolId { file, symbol };
                    let declared = self.declared_for(file, source, spot.at, own);
                    let hits = declared.into_iter().map(|id| Ok(resolved(self.hit(id)?)));
                    return hits.collect();
                }
            },
            // `const { name } = shape` takes a member, and gives a variable its name.
            What::Binding(at) => {
                let mut found: Vec<Definition> = Vec::new();
                for id in self.taken_at(file, source, spot.at) {
                    found.push(resolved(self.hit(id)?));
                }
                found.push(resolved(source.local(source.declaration(at))));
                return Ok(found);
            }
            What::Reference(reference) => reference,
        };
        let mut found = self.meant_by(file, source, spot, reference)?;
        // `{ name }` reads a variable, and gives its value to a member of the type that is wanted there.
        for other in self.others_at(file, source, reference) {
            let other = resolved(self.hit(other)?);
            let is_known = found.iter().any(|one| {
                (&one.hit.path, one.hit.line, one.hit.column) == (&other.hit.path, other.hit.line, other.hit.column)
            });
            if !is_known {
                found.push(other);
            }
        }
        Ok(found)
    }

    /// What another use of the same name at the same place means: a shorthand is two.
    fn others_at(&self, file: FileIdx, source: &SourceFile, reference: RefIdx) -> Vec<SymbolId> {
        let references = &source.facts.references;
        let first = &references[reference];
        let from = references.partition_point(|one| one.at < first.at);
        let here = RefIdx::enumerate_from(references, from).take_while(|(_, one)| one.at == first.at);
        let others = here.filter(|(at, one)| *at != reference && one.name == first.name);
        let meant = others.filter_map(|(at, _)| match self.resolver().meaning(file, at) {
            Meaning::Symbols(symbols, _) => Some(symbols),
            _ => None,
        });
        meant.flatten().collect()
    }

    fn meant_by(
        &self,
        file: FileIdx,
        source: &SourceFile,
        spot: &Spot<'_>,
        reference: RefIdx,
    ) -> Result<Vec<Definition>, Error> {
        let resolved = |hit: SymbolHit| Definition {
            hit,
            evidence: Evidence::Resolved,
        };
        match self.resolver().meaning(file, reference) {
            Meaning::Symbols(symbols, rule) => {
                let evidence = match rule {
                    Rule::Exact => Evidence::Exact,
                    _ => Evidence::Resolved,
                };
                let hits = symbols.into_iter().map(|id| {
                    Ok(Definition {
                        hit: self.hit(id)?,
                        evidence,
                    })
                });
                let mut hits: Vec<Definition> = hits.collect::<Result<_, Error>>()?;
                // A definition stands for its declarations.
                hits.sort_by_key(|found| found.hit.is_declaration);
                Ok(hits)
            }
            Meaning::Local(at) => Ok(vec![resolved(source.local(source.declaration(at)))]),
            Meaning::Files(files) => files
                .iter()
                .take(MAX_CANDIDATES)
                .map(|module| Ok(resolved(self.source(*module)?.as_module(spot.name))))
                .collect(),
            Meaning::External => self.named_parameter(file, source, spot),
            Meaning::Missing | Meaning::Unknown => self.namesakes(file, reference),
        }
    }

    /// The member that a name in a pattern takes.
    fn taken_at(&self, file: FileIdx, source: &SourceFile, at: u32) -> Vec<SymbolId> {
        let references = &source.facts.references;
        let index = references.binary_search_by_key(&at, |reference| reference.at);
        let index = index.ok().filter(|index| references[*index].role == Role::Member);
        match index.map(|index| self.resolver().meaning(file, RefIdx::new(index))) {
            Some(Meaning::Symbols(members, _)) => members,
            _ => Vec::new(),
        }
    }

    fn embedded_at(&self, file: FileIdx, source: &SourceFile, at: u32) -> Option<SymbolId> {
        let references = &source.facts.references;
        let index = references.binary_search_by_key(&at, |reference| reference.at).ok()?;
        match self.resolver().meaning(file, RefIdx::new(index)) {
            Meaning::Symbols(types, _) if references[index].role == Role::Implementation => types.first().copied(),
            _ => None,
        }
    }

    /// The parameter that a call gives something by its name: `connect(timeout=3)`.
    fn named_parameter(&self, file: FileIdx, source: &SourceFile, spot: &Spot<'_>) -> Result<Vec<Definition>, Error> {
        let arguments = named_arguments(source.lang, &source.text, spot.name);
        let argument = arguments.iter().find(|argument| argument.at == spot.at);
        let references = &source.facts.references;
        let callee = argument.and_then(|argument| {
            let at = references.binary_search_by_key(&argument.callee, |reference| reference.at);
            at.ok()
        });
        let Some(Meaning::Symbols(called, _)) = callee.map(|callee| self.resolver().meaning(file, RefIdx::new(callee)))
        else {
            return Ok(Vec::new());
        };
        let functions = called.into_iter().flat_map(|id| self.resolver().called_with(id));
        let mut found = Vec::new();
        for id in functions {
            let owner = self.source(id.file)?;
            let Some(function) = owner.facts.symbols.get(id.symbol.as_usize()) else {
                continue;
            };
            let mut parameters = owner.facts.parameters(function);
            let parameter = parameters.find(|parameter| owner.facts.names.get(parameter.name) == spot.name);
            found.extend(parameter.map(|parameter| Definition {
                hit: owner.local(parameter),
                evidence: Evidence::Resolved,
            }));
        }
        Ok(found)
    }

    /// Everything that has the name and may be meant, and how likely that is.
    fn namesakes(&self, file: FileIdx, reference: RefIdx) -> Result<Vec<Definition>, Error> {
        let candidates = self.resolver().candidates(file, reference);
        let candidates = candidates.into_iter().take(MAX_CANDIDATES);
        let shown = candidates.map(|(id, confidence)| {
            Ok(Definition {
                hit: self.hit(id)?,
                evidence: Evidence::Name(confidence),
            })
        });
        shown.collect()
    }
}

impl SourceFile {
    pub fn check_line(&self, line: u32) -> Result<(), Error> {
        let count = self.facts.lines.count();
        if line == 0 || line > count {
            return Err(Error::NoSuchLine {
                path: self.path.clone(),
                line,
                count,
            });
        }
        Ok(())
    }

    /// The names that a position is about: at a column, or all on the line but local ones if there are others.
    pub(crate) fn spots_meant(&self, line: u32, column: Option<u32>, name: Option<&str>) -> Vec<Spot<'_>> {
        let span = self.facts.lines.span(line);
        let spots = self.spots(span);
        let mut meant: Vec<Spot<'_>> = match column {
            Some(column) => {
                let text = &self.text[span.range()];
                let inside = text.char_indices().nth(column.saturating_sub(1) as usize);
                let offset = span.start + inside.map_or(text.len(), |(at, _)| at) as u32;
                let touches = |spot: &&Spot<'_>| spot.at <= offset && offset <= spot.at + spot.name.len() as u32;
                let holds = |spot: &&Spot<'_>| touches(spot) && offset < spot.at + spot.name.len() as u32;
                // A caret behind a name means the name, unless another begins there; before a sign like PHP's `$`, the
                // name with that sign.
                let mut meant: Vec<Spot<'_>> = spots.iter().filter(holds).copied().collect();
                // A name inside of another is the one that is pointed at: `[key]() {}` is called what `key` says.
                let innermost = meant.iter().map(|spot| spot.at).max();
                meant.retain(|spot| Some(spot.at) == innermost);
                if meant.is_empty() {
                    meant = spots.iter().filter(touches).copied().collect();
                }
                if meant.is_empty() {
                    let behind = self.text[offset as usize..].trim_start_matches(['$', '@', '#', '\'', '`', '%']);
                    let behind = (self.text.len() - behind.len()) as u32;
                    meant = spots.iter().filter(|spot| spot.at == behind).copied().collect();
                }
                // The path before a name of PHP is one word with it: `new Expr\Closure()`.
                if meant.is_empty() {
                    let path = self.text[offset as usize..].trim_start_matches(|c| is_word_char(c) || c == '\\');
                    let end = self.text.len() - path.len();
                    meant = spots.iter().filter(|spot| spot.at > offset).copied().collect();
                    meant.retain(|spot| spot.at as usize + spot.name.len() == end);
                }
                meant
            }
            None => {
                let is_local = |spot: &&Spot<'_>| name.is_none() && matches!(spot.what, What::Binding(_));
                let others: Vec<Spot<'_>> = spots.iter().filter(|spot| !is_local(spot)).copied().collect();
                if others.is_empty() { spots } else { others }
            }
        };
        meant.retain(|spot| name.is_none_or(|name| is_named(name, spot.name)));
        meant
    }

    /// The same with the local names of a line, whatever else is there.
    pub fn spots_with_locals(&self, line: u32, column: Option<u32>, name: Option<&str>) -> Vec<Spot<'_>> {
        if column.is_some() {
            return self.spots_meant(line, column, name);
        }
        let mut spots = self.spots(self.facts.lines.span(line));
        spots.retain(|spot| name.is_none_or(|name| is_named(name, spot.name)));
        spots
    }

    /// Where the words of a line begin, or the one at a column, or those that are a name.
    fn words_meant(&self, line: u32, column: Option<u32>, name: Option<&str>) -> Vec<u32> {
        let span = self.facts.lines.span(line);
        let text = &self.text[span.range()];
        let mut at = 0;
        let mut found = Vec::new();
        for word in text.split(|c| !is_word_char(c)) {
            let first = text[..at].chars().count() as u32 + 1;
            let columns = first..=first + word.chars().count() as u32;
            let is_meant =
                column.is_none_or(|column| columns.contains(&column)) && name.is_none_or(|name| is_named(name, word));
            if is_meant && !word.is_empty() {
                found.push(span.start + at as u32);
            }
            at += word.len();
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
        found
    }

    /// Every name in a line, in the order of the text.
    pub(crate) fn spots(&self, line: Span) -> Vec<Spot<'_>> {
        let within = |at: u32| line.start <= at && at < line.end;
        let facts = &self.facts;
        let symbols = SymbolIdx::enumerate(&facts.symbols);
        let symbols = symbols.filter(|(_, symbol)| symbol.kind != SymbolKind::Impl);
        let symbols = symbols.map(|(at, symbol)| (symbol.name, symbol.name_at, What::Symbol(at)));
        let bindings = BindingIdx::enumerate(&facts.bindings).filter(|(_, binding)| self.is_declared(binding));
        let bindings = bindings.map(|(at, binding)| (binding.name, binding.at, What::Binding(at)));
        let references = RefIdx::enumerate(&facts.references);
        let references = references.filter(|(_, reference)| reference.step.is_none());
        let references = references.map(|(at, reference)| (reference.name, reference.at, What::Reference(at)));
        let all = symbols.chain(bindings).chain(references);
        let mut spots: Vec<Spot<'_>> = all
            .filter(|(_, at, _)| within(*at))
            .map(|(name, at, what)| Spot {
                name: facts.names.get(name),
                at,
                what,
            })
            .collect();
        spots.sort_by_key(|spot| spot.at);
        // What is defined at a place is not used there.
        spots.dedup_by(|later, earlier| (later.at, later.name) == (earlier.at, earlier.name));
        spots
    }

    /// Whether a binding is where its name is declared, rather than where more is said of it.
    fn is_declared(&self, binding: &Binding) -> bool {
        let references = &self.facts.references;
        let there = references.binary_search_by_key(&binding.at, |reference| reference.at);
        // What is taken out of an object by its name is a member too.
        let is_used = there.is_ok_and(|at| references[at].role == Role::Variable);
        !is_used && binding.role == BindingRole::Local
    }

    /// The declaration of a local name of which a binding says more.
    fn declaration(&self, binding: BindingIdx) -> &Binding {
        let bindings = &self.facts.bindings;
        let mut found = &bindings[binding];
        // Each is in what is around it.
        for _ in 0..16 {
            if self.is_declared(found) {
                break;
            }
            let around = bindings.iter().filter(|other| {
                let is_around = other.scope.start <= found.at && found.at < other.scope.end;
                other.name == found.name && other.at != found.at && is_around
            });
            match around.max_by_key(|other| (other.scope.start, other.at)) {
                Some(outer) => found = outer,
                None => break,
            }
        }
        found
    }

    /// From 1, in characters.
    pub fn column(&self, at: u32) -> u32 {
        let start = self.facts.lines.span(self.facts.lines.line(at)).start;
        let before = self.text.get(start as usize..at as usize);
        before.map_or(0, |before| before.chars().count()) as u32 + 1
    }

    /// A parameter or local variable, shown by the line that it is in.
    pub fn local(&self, binding: &Binding) -> SymbolHit {
        let line = self.facts.lines.line(binding.at);
        let name = self.facts.names.get(binding.name);
        SymbolHit {
            likeness: Likeness::Exact,
            name: name.to_owned(),
            qualified_name: name.to_owned(),
            kind: SymbolKind::Variable,
            visibility: None,
            signature: self.text[self.facts.lines.span(line).range()].trim().to_owned(),
            path: self.path.clone(),
            lang: self.lang.name,
            line,
            column: self.column(binding.at),
            first_line: line,
            last_line: line,
            is_test: source::is_test_path(&self.path),
            is_declaration: false,
            doc: None,
            rank: 1,
        }
    }

    /// The file itself, as what a name of a module means.
    fn as_module(&self, name: &str) -> SymbolHit {
        let last_line = self.facts.lines.count();
        SymbolHit {
            likeness: Likeness::Exact,
            name: name.to_owned(),
            qualified_name: name.to_owned(),
            kind: SymbolKind::Module,
            visibility: None,
            signature: self.path.clone(),
            path: self.path.clone(),
            lang: self.lang.name,
            line: 1,
            column: 1,
            first_line: 1,
            last_line,
            is_test: source::is_test_path(&self.path),
            is_declaration: false,
            doc: None,
            rank: 0,
        }
    }
}

/// A name may be asked for with the mark of its use.
fn is_named(asked: &str, name: &str) -> bool {
    asked == name || unmarked(asked) == Some(name)
}
