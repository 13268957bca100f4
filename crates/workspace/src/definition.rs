//! What a name means where it is used, as far as one file and the names of all others tell.

use search::{FilterSpec, Likeness, SymbolName};
use source::Span;
use syntax::{Binding, On, Reference, Role, Symbol, SymbolKind};

use crate::{
    error::Error,
    snapshot::Snapshot,
    symbols::{SourceFile, SymbolHit, SymbolQuery, in_test},
};

/// How an answer is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Evidence {
    /// By the rules of scopes.
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
    /// Every name on the line, with its column.
    pub on_line: Vec<(String, u32)>,
}

/// Definitions of one name that are looked at; more tell nothing.
const MAX_CANDIDATES: usize = 50;

/// Languages in which members of the own type are named without `this`.
const IMPLICIT_THIS: &[&str] = &[
    "cpp", "csharp", "dart", "groovy", "java", "kotlin", "ruby", "scala", "solidity", "swift",
];

/// Languages that use each other's definitions.
const FAMILIES: &[&[&str]] = &[
    &["javascript", "typescript", "vue", "svelte"],
    &["c", "cpp", "objc"],
    &["java", "kotlin", "scala", "groovy"],
];

/// A name at a place.
#[derive(Clone, Copy)]
struct Spot<'f> {
    name: &'f str,
    at: u32,
    what: What<'f>,
}

#[derive(Clone, Copy)]
enum What<'f> {
    Symbol(&'f Symbol),
    Binding(&'f Binding),
    Reference(&'f Reference),
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
        let file = self.source_file(path)?;
        let count = file.facts.lines.count();
        if line == 0 || line > count {
            return Err(Error::NoSuchLine {
                path: file.path,
                line,
                count,
            });
        }
        let span = file.facts.lines.span(line);
        let spots = file.spots(span);
        let mut answer = DefinitionsAt {
            path: file.path.clone(),
            is_parsed: file.lang.has_symbols() && file.facts.problem.is_none(),
            ..DefinitionsAt::default()
        };
        for spot in &spots {
            let entry = (spot.name.to_owned(), file.column(spot.at));
            if !answer.on_line.contains(&entry) {
                answer.on_line.push(entry);
            }
        }
        let meant: Vec<Spot<'_>> = match column {
            Some(column) => {
                let text = &file.text[span.range()];
                let inside = text.char_indices().nth(column.saturating_sub(1) as usize);
                let offset = span.start + inside.map_or(text.len(), |(at, _)| at) as u32;
                let touches = |spot: &&Spot<'_>| spot.at <= offset && offset <= spot.at + spot.name.len() as u32;
                let holds = |spot: &&Spot<'_>| touches(spot) && offset < spot.at + spot.name.len() as u32;
                // A caret behind a name means the name, unless another begins there.
                let held: Vec<Spot<'_>> = spots.iter().filter(holds).copied().collect();
                if held.is_empty() {
                    spots.iter().filter(touches).copied().collect()
                } else {
                    held
                }
            }
            None => {
                let is_local = |spot: &&Spot<'_>| name.is_none() && matches!(spot.what, What::Binding(_));
                let others: Vec<Spot<'_>> = spots.iter().filter(|spot| !is_local(spot)).copied().collect();
                if others.is_empty() { spots } else { others }
            }
        };
        for spot in meant.iter().filter(|spot| name.is_none_or(|name| name == spot.name)) {
            let found = self.meaning(&file, spot)?;
            if found.is_empty() && !answer.undefined.iter().any(|name| name == spot.name) {
                answer.undefined.push(spot.name.to_owned());
            }
            for definition in found {
                if !answer.definitions.iter().any(|known| known.hit == definition.hit) {
                    answer.definitions.push(definition);
                }
            }
        }
        let defined = |name: &String| answer.definitions.iter().any(|definition| definition.hit.name == *name);
        answer.undefined.retain(|name| !defined(name));
        Ok(answer)
    }

    fn meaning(&self, file: &SourceFile, spot: &Spot<'_>) -> Result<Vec<Definition>, Error> {
        let resolved = |hit: SymbolHit| Definition {
            hit,
            evidence: Evidence::Resolved,
        };
        let reference = match spot.what {
            What::Symbol(symbol) => return Ok(vec![resolved(file.hit(symbol, Likeness::Exact))]),
            What::Binding(binding) => return Ok(vec![resolved(file.local(binding))]),
            What::Reference(reference) => reference,
        };
        if reference.on == On::Literal {
            return Ok(Vec::new());
        }
        if let Some(binding) = file.binding_of(reference) {
            return Ok(vec![resolved(file.local(binding))]);
        }
        let here: Vec<Definition> = file
            .symbols_of(reference)
            .map(|symbol| resolved(file.hit(symbol, Likeness::Exact)))
            .collect();
        if here.is_empty() {
            self.by_name(file, reference)
        } else {
            Ok(here)
        }
    }

    /// Everything that has the name, and what speaks for it.
    fn by_name(&self, file: &SourceFile, reference: &Reference) -> Result<Vec<Definition>, Error> {
        let (name, owners) = file.named(reference);
        let wanted = SymbolName {
            name,
            owners: Vec::new(),
            kind: None,
        };
        let everywhere = FilterSpec::default();
        let query = SymbolQuery {
            name: &wanted,
            exact: true,
            filter: &everywhere,
        };
        let mut hits = self.find_symbols(&query, 0, MAX_CANDIDATES)?.hits;
        hits.retain(|hit| hit.is_code() && related(hit.lang, file.lang.name));
        // Code does not use its tests.
        let around = file.facts.enclosing(reference.at);
        let in_test = source::is_test_path(&file.path)
            || around.is_some_and(|around| in_test(&file.facts, &file.facts.symbols[around as usize]));
        if !in_test {
            hits.retain(|hit| !hit.is_test);
        }
        let on_value = matches!(reference.on, On::Value(_) | On::Other | On::This | On::Super);
        // What follows a dot is a member if there is one of that name.
        let is_member = |hit: &SymbolHit| hit.qualified_name != hit.name;
        if on_value && hits.iter().any(is_member) {
            hits.retain(is_member);
        }
        let fits = |hit: &SymbolHit| {
            let separator = file.lang.separator();
            let path: Vec<&str> = hit.qualified_name.split(separator).collect();
            let full = SymbolName {
                owners: owners.clone(),
                ..wanted.clone()
            };
            full.fits(&path, &hit.path)
        };
        let placed = !owners.is_empty() && hits.iter().any(fits);
        if placed {
            hits.retain(fits);
        }
        let sure = match (placed, on_value) {
            (true, _) => 0.9,
            (false, false) if owners.is_empty() => 0.8,
            (false, false) => 0.4,
            (false, true) => 0.7,
        };
        let confidence = (sure / hits.len().max(1) as f32).max(0.05);
        Ok(hits
            .into_iter()
            .map(|hit| Definition {
                hit,
                evidence: Evidence::Name(confidence),
            })
            .collect())
    }
}

fn related(one: &str, other: &str) -> bool {
    one == other
        || FAMILIES
            .iter()
            .any(|family| family.contains(&one) && family.contains(&other))
}

/// The steps of a path in any language's spelling, without those that only say where it begins.
fn steps(path: &str) -> Vec<String> {
    path.split("::")
        .flat_map(|part| part.split(['.', '/', '\\']))
        .map(|part| part.split('<').next().unwrap_or(part).trim_matches(['"', '\'']))
        .filter(|part| !part.is_empty() && !matches!(*part, "crate" | "self" | "super" | "Self" | "this" | "@"))
        .map(str::to_owned)
        .collect()
}

impl SourceFile {
    /// Every name in a line, in the order of the text.
    fn spots(&self, line: Span) -> Vec<Spot<'_>> {
        let within = |at: u32| line.start <= at && at < line.end;
        let facts = &self.facts;
        let symbols = facts.symbols.iter().filter(|symbol| symbol.kind != SymbolKind::Impl);
        let symbols = symbols.map(|symbol| (symbol.name, symbol.name_at, What::Symbol(symbol)));
        let bindings = facts.bindings.iter();
        let bindings = bindings.map(|binding| (binding.name, binding.at, What::Binding(binding)));
        let references = facts.references.iter();
        let references = references.map(|reference| (reference.name, reference.at, What::Reference(reference)));
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

    /// From 1, in characters.
    fn column(&self, at: u32) -> u32 {
        let start = self.facts.lines.span(self.facts.lines.line(at)).start;
        let before = self.text.get(start as usize..at as usize);
        before.map_or(0, |before| before.chars().count()) as u32 + 1
    }

    /// A parameter or local variable, shown by the line that it is in.
    fn local(&self, binding: &Binding) -> SymbolHit {
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

    /// The innermost local name that a reference can mean; of several in one scope the last one before it.
    fn binding_of(&self, reference: &Reference) -> Option<&Binding> {
        if reference.on != On::Nothing || matches!(reference.role, Role::Import | Role::Member) {
            return None;
        }
        let covers = |binding: &&Binding| {
            binding.name == reference.name
                && binding.scope.start <= reference.at
                && reference.at < binding.scope.end
                && binding.at <= reference.at
        };
        let bindings = self.facts.bindings.iter().filter(covers);
        bindings.max_by_key(|binding| (binding.scope.start, binding.at))
    }

    /// The symbols of this file that a reference means by the rules of scopes.
    fn symbols_of<'f>(&'f self, reference: &'f Reference) -> impl Iterator<Item = &'f Symbol> {
        let facts = &self.facts;
        let own_type = self.type_around(reference.at);
        let path = match reference.on {
            On::Path(path) => facts.names.get(path),
            _ => "",
        };
        let on_own = reference.on == On::This || matches!(path, "Self" | "self" | "static" | "this");
        let qualifier = steps(path).pop();
        let implicit_this = IMPLICIT_THIS.contains(&self.lang.name);
        facts.symbols.iter().filter(move |symbol| {
            if symbol.name != reference.name || symbol.kind == SymbolKind::Impl || reference.role == Role::Import {
                return false;
            }
            let path = facts.path_of(symbol);
            let owner = path.len().checked_sub(2).map(|owner| path[owner]);
            let parent = symbol.parent.map(|parent| &facts.symbols[parent as usize]);
            let in_type = symbol.owner.is_some() || parent.is_some_and(|parent| parent.kind.has_members());
            if on_own {
                return in_type && owner.is_some() && owner == own_type;
            }
            match reference.on {
                On::Path(_) => owner.is_some() && owner == qualifier.as_deref(),
                On::Nothing if reference.role == Role::Member => false,
                On::Nothing if in_type => implicit_this && owner.is_some() && owner == own_type,
                On::Nothing => {
                    parent.is_none_or(|parent| parent.span.start <= reference.at && reference.at < parent.span.end)
                }
                _ => false,
            }
        })
    }

    /// The name of the type that a place is inside of.
    fn type_around(&self, at: u32) -> Option<&str> {
        let facts = &self.facts;
        let mut inner = facts.enclosing(at);
        while let Some(index) = inner {
            let symbol = &facts.symbols[index as usize];
            if let Some(owner) = symbol.owner {
                return Some(facts.names.get(owner));
            }
            if symbol.kind.has_members() {
                return Some(facts.name(symbol));
            }
            inner = symbol.parent;
        }
        None
    }

    /// The name to look for elsewhere and what it is inside of there, by imports and by what is written before it.
    fn named(&self, reference: &Reference) -> (String, Vec<String>) {
        let facts = &self.facts;
        let name = facts.names.get(reference.name);
        if let On::Path(path) = reference.on {
            return (name.to_owned(), steps(facts.names.get(path)));
        }
        let import = facts.imports.iter().find(|import| {
            let path = facts.names.get(import.path);
            let own = import.alias.or(import.item).map(|own| facts.names.get(own));
            own.map_or_else(|| steps(path).pop().as_deref() == Some(name), |own| own == name)
        });
        match import.filter(|_| matches!(reference.on, On::Nothing)) {
            Some(import) => {
                let mut owners = steps(facts.names.get(import.path));
                let item = import
                    .item
                    .map(|item| facts.names.get(item).to_owned())
                    .or_else(|| owners.pop());
                (item.unwrap_or_else(|| name.to_owned()), owners)
            }
            None => (name.to_owned(), Vec::new()),
        }
    }
}
