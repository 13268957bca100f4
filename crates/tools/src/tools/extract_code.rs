//! `extract_code`: whole definitions by place or name, also for every place that pasted output names.

mod piece;
mod unresolved;

use std::collections::BTreeMap;

use queries::{
    Block, FilterSpec, Likeness, Snapshot, SourceFile, SymbolHit, SymbolIdx, SymbolKind, SymbolName, SymbolQuery,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use workspace::Error;

use self::{
    piece::{Piece, parts},
    unresolved::Unresolved,
};
use crate::{
    machinery::{
        answer::{Answer, PagingMode},
        args::snake_case,
        error::{ErrorCode, Hint, ToolError},
        tool::{Ctx, Effect, Engine, SYNTAX, Tool, Toolset},
        units::{and_more, first_few, plural},
        visible::visible_name,
    },
    parts::locations::{self, Hunk, Place, SourceLocation},
};

pub(crate) struct ExtractCode;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// `file`, `file:10`, `file:10-50`, `file#symbol`, `Type::method`
    targets: Option<Vec<String>>,
    /// Compiler output, stack trace or diff: the code at each place in it
    #[schemars(length(max = 200000))]
    text: Option<String>,
    #[serde(default)]
    #[schemars(range(min = 0, max = 100))]
    context_lines: u32,
}

/// How other tools take a place.
const PLACE_KEYS: &[&str] = &[
    "file",
    "file_path",
    "symbol",
    "line",
    "start_line",
    "line_number",
    "end_line",
];

const MAX_TARGETS: usize = 200;
/// Of each list of what was not found.
const SHOWN: usize = 10;
/// Names that are offered for one that is not there.
const NEAREST: usize = 3;
const CANDIDATES: usize = 6;
/// So many definitions of one name are all shown.
const SHOWN_ALL: usize = 3;

impl Tool for ExtractCode {
    const NAME: &'static str = "extract_code";
    const TITLE: &'static str = "Extract code";
    const DOC: &'static str =
        "Read whole functions and types, several at once: by symbol, file:line, or pasted output.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"targets": ["src/query.rs:10"]}"#;
    const ALWAYS_LOADED: bool = true;
    const ENGINES: &'static [Engine] = SYNTAX;
    const CLI: Option<&'static str> = Some("extract");
    const POSITIONAL: &'static [&'static str] = &["targets"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("files", "targets"),
        ("file", "targets"),
        ("file_path", "targets"),
        ("target", "targets"),
        ("symbol", "targets"),
        ("symbols", "targets"),
        ("path", "workspace"),
        ("input", "text"),
        ("diff", "text"),
        ("context", "context_lines"),
    ];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("blocks", "array"),
        ("total", "integer"),
        ("unresolved", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn adapt(arguments: &mut Map<String, Value>) {
        if let Some(target) = joined_place(arguments) {
            arguments.retain(|key, _| !PLACE_KEYS.contains(&snake_case(key).as_str()));
            arguments.insert("targets".to_owned(), target.into());
        }
    }

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let mut targets: Vec<SourceLocation> = Vec::new();
        for target in params
            .targets
            .iter()
            .flatten()
            .filter(|target| !target.trim().is_empty())
        {
            targets.extend(locations::parse(target));
        }
        if let Some(text) = &params.text {
            let found = locations::pasted(text);
            if found.is_empty() && targets.is_empty() && !text.trim().is_empty() {
                return Err(ToolError {
                    hint: "give output with places such as `src/lib.rs:10`, a diff, or `targets`".into(),
                    ..ToolError::invalid("`text` names no place in a file")
                });
            }
            targets.extend(found);
        }
        if targets.is_empty() {
            return Err(ToolError {
                hint: "give `targets`, e.g. [\"src/lib.rs:10\", \"Type::method\"], or `text` with compiler output"
                    .into(),
                ..ToolError::invalid("`targets` is missing")
            });
        }
        let left_out = targets.len().saturating_sub(MAX_TARGETS);
        targets.truncate(MAX_TARGETS);
        ctx.answer(|snapshot| {
            let mut extraction = Extraction {
                snapshot,
                context: params.context_lines,
                files: BTreeMap::new(),
                pieces: Vec::new(),
                unresolved: Vec::new(),
                taken: None,
            };
            for target in &targets {
                extraction.add(target)?;
            }
            extraction.answer(targets.len(), left_out, ctx.paging.offset)
        })
    }
}

/// Files of one name that are looked at to tell which is meant.
const MAX_COMPARED: usize = 16;

/// The function that a trace says a line is in, if it is elsewhere in the file: the file is another one by now.
fn moved(file: &SourceFile, line: u32, function: &str) -> Option<SymbolIdx> {
    let facts = &file.facts;
    let named = SymbolIdx::enumerate(&facts.symbols);
    let named = named.filter(|(_, symbol)| facts.name(symbol) == function && symbol.kind != SymbolKind::Namespace);
    let named: Vec<SymbolIdx> = named.map(|(index, _)| index).collect();
    let holds = |index: &SymbolIdx| {
        let block = file.block_of(*index);
        (block.first_line..=block.last_line).contains(&line)
    };
    named.first().copied().filter(|_| !named.iter().any(holds))
}

/// What looking for a target comes to: only trouble that ends the call is an error.
type Resolved<T> = Result<Result<T, Unresolved>, ToolError>;

/// Passes on why there is nothing.
macro_rules! found {
    ($resolved:expr) => {
        match $resolved? {
            Ok(found) => found,
            Err(unresolved) => return Ok(Err(unresolved)),
        }
    };
}

struct Extraction<'s> {
    snapshot: &'s Snapshot,
    context: u32,
    files: BTreeMap<String, SourceFile>,
    pieces: Vec<Piece>,
    unresolved: Vec<Unresolved>,
    /// The path from elsewhere that the present target has and that was taken for one of ours.
    taken: Option<String>,
}

impl Extraction<'_> {
    fn add(&mut self, target: &SourceLocation) -> Result<(), ToolError> {
        self.taken = None;
        match self.resolve(target)? {
            Ok(pieces) => {
                for mut piece in pieces {
                    piece.notes.extend(self.taken.clone());
                    self.put(piece);
                }
            }
            Err(unresolved) => self.unresolved.push(unresolved),
        }
        Ok(())
    }

    fn resolve(&mut self, target: &SourceLocation) -> Resolved<Vec<Piece>> {
        match &target.place {
            Place::Lines { path, first, last } => {
                let found = match self.file(target, path)? {
                    Ok(found) if !target.is_pasted || self.files[&found].line_count() >= *first => Ok(found),
                    found => self.only_with_line(path, *first)?.map_or(found, Ok),
                };
                match found {
                    Ok(path) => self.lines(target, &path, *first, *last),
                    Err(unresolved) => self.compiled(target, path, unresolved),
                }
            }
            Place::Member { path, symbol } => {
                let path = found!(self.file(target, path));
                self.member(target, &path, symbol)
            }
            Place::Name(name) => self.name(target, name),
            Place::Hunk(hunk) => self.hunk(target, hunk),
        }
    }

    /// The indexed file that a path means.
    fn file(&mut self, target: &SourceLocation, path: &str) -> Resolved<String> {
        let error = match self.open(path) {
            Ok(path) => return Ok(Ok(path)),
            Err(Error::Stale) => return Err(Error::Stale.into()),
            Err(error) => error,
        };
        let like = match &error {
            Error::NoSuchFile { path: inside, .. } => self.snapshot.files_like(inside, target.is_pasted),
            Error::Outside { .. } | Error::BadPath { .. } => self.snapshot.files_like(path, target.is_pasted),
            _ => Vec::new(),
        };
        match like.as_slice() {
            [only] => {
                let found = self.open(only)?;
                if !found.ends_with(path) {
                    self.taken = Some(format!("for {}", visible_name(path)));
                }
                Ok(Ok(found))
            }
            [] => {
                let (reason, nearest) = match error {
                    Error::IsDirectory { .. } => ("it is a directory: map_code shows what is in it".to_owned(), None),
                    Error::NoSuchFile { nearest, .. } => (format!("there is no file `{path}`"), nearest),
                    error => (error.to_string(), None),
                };
                let mut unresolved = Unresolved::new(target, reason);
                unresolved.is_foreign = target.is_pasted;
                if !target.is_pasted {
                    unresolved.nearest.extend(nearest);
                }
                Ok(Err(unresolved))
            }
            several => {
                let reason = format!("{} files end in it", several.len());
                Ok(Err(
                    Unresolved::new(target, reason).near(several.iter().take(CANDIDATES).cloned().collect())
                ))
            }
        }
    }

    /// Of the files whose paths end so the one that is long enough.
    fn only_with_line(&mut self, path: &str, line: u32) -> Result<Option<String>, ToolError> {
        let mut long = Vec::new();
        for path in self.snapshot.files_like(path, true).into_iter().take(MAX_COMPARED) {
            let path = self.open(&path)?;
            if self.files[&path].line_count() >= line {
                long.push(path);
            }
        }
        Ok(long.pop().filter(|_| long.is_empty()))
    }

    /// What a trace names in a file that a compiler wrote is looked for by name in what that was made of: its lines are
    /// others.
    fn compiled(&mut self, target: &SourceLocation, path: &str, mut unresolved: Unresolved) -> Resolved<Vec<Piece>> {
        let sources = self.snapshot.sources_of(path);
        let mut found = Vec::new();
        for source in &sources {
            let source = self.open(source)?;
            let facts = &self.files[&source].facts;
            let function = target.function.as_deref();
            let named = facts
                .symbols
                .iter()
                .position(|one| Some(facts.name(one)) == function && !one.is_declaration);
            found.extend(named.map(|symbol| (source, SymbolIdx::new(symbol))));
        }
        if let [(source, symbol)] = found.as_slice() {
            let mut piece = Piece::new(target, source, self.files[source].block_of(*symbol));
            let path = visible_name(path);
            piece
                .notes
                .push(format!("by name: {path} is compiled, its lines are others"));
            return Ok(Ok(vec![piece]));
        }
        if let [source] = sources.as_slice() {
            unresolved.reason = format!("it seems to be compiled from `{source}`, which has other lines");
            unresolved.is_foreign = false;
            unresolved.nearest = vec![source.clone()];
        }
        Ok(Err(unresolved))
    }

    fn is_directory(&self, path: &str) -> bool {
        self.snapshot.files_at(path).is_ok_and(|(path, files)| files != [path])
    }

    /// Reads a file once; tells its path from the root.
    fn open(&mut self, path: &str) -> Result<String, Error> {
        let path = self.snapshot.repo_path(path)?.to_string();
        if !self.files.contains_key(&path) {
            let file = self.snapshot.source_file(&path)?;
            self.files.insert(path.clone(), file);
        }
        Ok(path)
    }

    fn lines(&self, target: &SourceLocation, path: &str, first: u32, last: u32) -> Resolved<Vec<Piece>> {
        let file = &self.files[path];
        let count = file.line_count();
        // Lines drift from version to version, names do not.
        if let Some(function) = &target.function
            && let Some(named) = moved(file, first, function)
        {
            let mut piece = Piece::new(target, path, file.block_of(named));
            let name = visible_name(function);
            piece.notes.push(format!(
                "the trace says `{name}`, in which line {first} is not any more"
            ));
            return Ok(Ok(vec![piece]));
        }
        if first > count {
            let reason = format!("`{path}` has {}", plural(count as usize, "line"));
            return Ok(Err(Unresolved::new(target, reason)));
        }
        let last = last.min(count);
        let block = match first == last {
            true => file.block_at(first),
            false => file.block_between(first, last),
        };
        let mut piece = Piece::new(target, path, block);
        if first == last {
            piece.lines.push(first);
        }
        Ok(Ok(vec![piece]))
    }

    fn member(&mut self, target: &SourceLocation, path: &str, symbol: &str) -> Resolved<Vec<Piece>> {
        let file = &self.files[path];
        let hits: Vec<SymbolHit> = match SymbolName::parse(symbol) {
            Some(name) => {
                let symbols = file.facts.symbols.iter().filter(|one| {
                    name.is_named(file.facts.name(one))
                        && name.kind.is_none_or(|kind| kind.allows(one.kind))
                        && name.fits_symbol(&file.facts, one, path)
                });
                symbols.map(|one| file.hit(one, Likeness::Exact)).collect()
            }
            None => Vec::new(),
        };
        if hits.is_empty() {
            let last = symbol.rsplit(['.', ':', '#']).next().unwrap_or(symbol);
            let mut names: Vec<&str> = file.facts.symbols.iter().map(|one| file.facts.name(one)).collect();
            names.sort_unstable();
            names.dedup();
            let reason = format!("`{path}` defines no `{symbol}`");
            let nearest = source::nearest_few(last, names, NEAREST);
            let nearest = nearest.into_iter().map(str::to_owned).collect();
            return Ok(Err(Unresolved::new(target, reason).near(nearest)));
        }
        let total = hits.len();
        self.choose(target, hits, total)
    }

    /// A symbol, or a file by its path or the end of it.
    fn name(&mut self, target: &SourceLocation, name: &str) -> Resolved<Vec<Piece>> {
        match self.open(name) {
            Ok(path) => return Ok(Ok(vec![self.whole(target, &path)])),
            Err(Error::Stale) => return Err(Error::Stale.into()),
            Err(error @ Error::Refused { .. }) => {
                return Ok(Err(Unresolved::new(target, error.to_string())));
            }
            Err(_) => {}
        }
        if name.contains(['/', '.']) && !self.snapshot.files_like(name, false).is_empty() {
            let path = found!(self.file(target, name));
            return Ok(Ok(vec![self.whole(target, &path)]));
        }
        let is_path = name.contains('/') && !name.contains("::");
        let Some(parsed) = SymbolName::parse(name).filter(|_| !is_path) else {
            let path = found!(self.file(target, name));
            return Ok(Ok(vec![self.whole(target, &path)]));
        };
        let filter = FilterSpec::default();
        let query = SymbolQuery {
            name: &parsed,
            exact: true,
            filter: &filter,
        };
        let found = self.snapshot.find_symbols(&query, 0, MAX_TARGETS)?;
        if found.total > 0 {
            return self.choose(target, found.hits, found.total);
        }
        if self.is_directory(name) {
            return Ok(Err(Unresolved::new(
                target,
                "it is a directory: map_code shows what is in it",
            )));
        }
        let near = self.snapshot.similar_symbols(&parsed, 3)?;
        let mut nearest: Vec<String> = near.into_iter().map(|hit| hit.qualified_name).collect();
        nearest.dedup();
        let is_file = std::path::Path::new(name).extension().is_some() && !name.contains("::") && nearest.is_empty();
        if is_file {
            let path = found!(self.file(target, name));
            return Ok(Ok(vec![self.whole(target, &path)]));
        }
        let mut unresolved = Unresolved::new(target, "no symbol or file has this name");
        // A trace names what is of libraries too.
        unresolved.is_foreign = target.is_pasted;
        if !target.is_pasted {
            unresolved = unresolved.near(nearest);
        }
        Ok(Err(unresolved))
    }

    fn whole(&self, target: &SourceLocation, path: &str) -> Piece {
        let block = Block {
            first_line: 1,
            last_line: self.files[path].line_count().max(1),
            symbol: None,
            is_symbol: false,
        };
        Piece::new(target, path, block)
    }

    /// The definition that is meant; a few where nothing tells which; or more of them, to choose from.
    fn choose(&mut self, target: &SourceLocation, hits: Vec<SymbolHit>, total: usize) -> Resolved<Vec<Piece>> {
        let mut best: Vec<&SymbolHit> = Vec::new();
        for hit in &hits {
            // A constructor has the name of its class and is part of it.
            let is_inside = best.iter().any(|outer| {
                outer.path == hit.path && outer.first_line <= hit.first_line && hit.last_line <= outer.last_line
            });
            match best.first().map(|first| standing(hit).cmp(&standing(first))) {
                _ if is_inside => {}
                Some(std::cmp::Ordering::Greater) => {}
                Some(std::cmp::Ordering::Less) => best = vec![hit],
                _ => best.push(hit),
            }
        }
        // Targets of one call belong together.
        let is_wanted = |hit: &&SymbolHit| self.pieces.iter().any(|piece| piece.path == hit.path);
        if best.iter().any(is_wanted) {
            best.retain(is_wanted);
        }
        if best.len() > SHOWN_ALL {
            let reason = format!("{total} definitions; name one by `path:line`, `file#symbol` or `Type::symbol`");
            return Ok(Err(Unresolved {
                total,
                candidates: best.into_iter().take(CANDIDATES).cloned().collect(),
                ..Unresolved::new(target, reason)
            }));
        }
        let mut pieces = Vec::new();
        for hit in &best {
            let mut piece = self.definition(target, hit)?;
            if best.len() > 1 {
                piece.notes.push(format!("one of {total} definitions of this name"));
            }
            pieces.push(piece);
        }
        let others: Vec<String> = hits
            .iter()
            .filter(|hit| !best.contains(hit))
            .take(3)
            .map(|hit| format!("{} {}:{}", hit.kind.as_str(), visible_name(&hit.path), hit.line))
            .collect();
        if let Some(first) = pieces.first_mut().filter(|_| !others.is_empty()) {
            let more = and_more(total - best.len() - others.len());
            first.notes.push(format!("also {}{more}", others.join(", ")));
        }
        Ok(Ok(pieces))
    }

    fn definition(&mut self, target: &SourceLocation, hit: &SymbolHit) -> Result<Piece, ToolError> {
        let path = self.open(&hit.path)?;
        let file = &self.files[&path];
        let symbol = file.symbol_named_at(&hit.name, hit.line).ok_or(Error::Stale)?;
        let mut piece = Piece::new(target, &path, file.block_of(symbol));
        // What a type can do is written elsewhere in some languages.
        let blocks = SymbolIdx::enumerate(&file.facts.symbols)
            .filter(|(_, one)| one.kind == SymbolKind::Impl && hit.kind.is_type() && file.facts.name(one) == hit.name);
        let blocks: Vec<String> = blocks
            .map(|(index, _)| file.block_of(index))
            .map(|block| format!("{}-{}", block.first_line, block.last_line))
            .collect();
        if !blocks.is_empty() {
            piece.notes.push(format!("impl at {}", blocks.join(", ")));
        }
        Ok(piece)
    }

    /// Where the changes of a diff are now: it may have been applied or not.
    fn hunk(&mut self, target: &SourceLocation, hunk: &Hunk) -> Resolved<Vec<Piece>> {
        let mut opened = None;
        let mut failed = Unresolved::new(target, "the diff names no file");
        for side in [&hunk.after, &hunk.before] {
            if side.path.is_empty() || opened.as_ref().is_some_and(|(_, _, fits)| *fits) {
                continue;
            }
            match self.file(target, &side.path)? {
                Err(unresolved) => failed = unresolved,
                Ok(path) => {
                    let last = side.start + (side.lines.len() as u32).saturating_sub(1);
                    let fits = !side.lines.is_empty() && self.files[&path].lines(side.start, last) == side.lines;
                    if fits || opened.is_none() {
                        opened = Some((path, side, fits));
                    }
                }
            }
        }
        let Some((path, side, fits)) = opened else {
            return Ok(Err(failed));
        };
        let file = &self.files[&path];
        let count = file.line_count().max(1);
        let mut pieces = Vec::new();
        for (first, last) in &side.changed {
            let (first, last) = ((*first).min(count), (*last).min(count));
            let mut blocks = vec![file.block_at(first)];
            if first < last {
                blocks.extend([file.block_between(first, last), file.block_at(last)]);
            }
            for block in blocks {
                let mut piece = Piece::new(target, &path, block);
                if !fits {
                    piece
                        .notes
                        .push("the file is not as the diff has it: lines may have moved".to_owned());
                } else if std::ptr::eq(side, &hunk.before) {
                    piece.notes.push("the diff is not applied".to_owned());
                }
                pieces.push(piece);
            }
        }
        Ok(Ok(pieces))
    }

    /// Adds a piece, together with those that it overlaps, in the place of the first of them.
    fn put(&mut self, mut piece: Piece) {
        let count = self.files[&piece.path].line_count().max(1);
        if self.context > 0 {
            let block = &mut piece.block;
            block.first_line = block.first_line.saturating_sub(self.context).max(1);
            block.last_line = (block.last_line + self.context).min(count);
        }
        let mut at = self.pieces.len();
        while let Some(other) = self.pieces.iter().position(|other| other.overlaps(&piece)) {
            piece = self.pieces.remove(other).join(piece);
            at = at.min(other);
        }
        self.pieces.insert(at.min(self.pieces.len()), piece);
    }

    fn answer(self, targets: usize, left_out: usize, offset: usize) -> Result<Answer, ToolError> {
        if self.pieces.is_empty() && self.unresolved.iter().all(|one| one.candidates.is_empty()) {
            return Err(self.nothing());
        }
        // What is left of long blocks comes when each has been seen.
        let (mut rows, mut rest) = (Vec::new(), Vec::new());
        for piece in &self.pieces {
            let mut parts = parts(piece, &self.files[&piece.path]).into_iter();
            rows.extend(parts.next());
            rest.extend(parts);
        }
        rows.extend(rest);
        let total = rows.len();
        let mut answer = Answer {
            key: "blocks",
            rows: rows.into_iter().skip(offset).collect(),
            total,
            narrower: "raise max_tokens".into(),
            mode: PagingMode::Body,
            ..Answer::default()
        };
        // What was not found is said once.
        if offset == 0 {
            answer.head = self.head(targets, left_out);
            if !self.unresolved.is_empty() {
                let shown = self.unresolved.iter().take(SHOWN).map(Unresolved::json);
                answer.fact("unresolved", shown.collect::<Vec<Value>>());
                answer.fact("unresolved_total", self.unresolved.len());
            }
        }
        Ok(answer)
    }

    fn head(&self, targets: usize, left_out: usize) -> String {
        let mut lines = Vec::new();
        if targets > 1 {
            let left_out = match left_out {
                0 => String::new(),
                n => format!("; {n} more targets were not looked at"),
            };
            lines.push(format!(
                "{} for {targets} targets{left_out}",
                plural(self.pieces.len(), "block")
            ));
        }
        let (foreign, missing): (Vec<&Unresolved>, Vec<&Unresolved>) =
            self.unresolved.iter().partition(|one| one.is_foreign);
        if !missing.is_empty() {
            lines.push("Not resolved:".to_owned());
            for one in missing.iter().take(SHOWN) {
                lines.push(format!("- {}", one.line()));
                for hit in &one.candidates {
                    lines.push(format!(
                        "  {}:{} {} {}",
                        visible_name(&hit.path),
                        hit.line,
                        hit.kind.as_str(),
                        visible_name(&hit.signature)
                    ));
                }
                if one.total > one.candidates.len() {
                    lines.push(format!("  ... and {} more", one.total - one.candidates.len()));
                }
            }
            if missing.len() > SHOWN {
                lines.push(format!("- ... and {} more", missing.len() - SHOWN));
            }
        }
        if !foreign.is_empty() {
            let names = foreign.iter().map(|one| visible_name(&one.target));
            lines.push(format!("Not in this workspace: {}", first_few(names, 3)));
        }
        lines.join("\n")
    }

    /// No target gives anything.
    fn nothing(&self) -> ToolError {
        let lines: Vec<String> = self.unresolved.iter().take(SHOWN).map(Unresolved::line).collect();
        let more = match self.unresolved.len().saturating_sub(SHOWN) {
            0 => String::new(),
            n => format!("; and {n} more"),
        };
        let nearest = self.unresolved.iter().find_map(|one| one.nearest.first());
        let hint = match Hint::did_you_mean(nearest) {
            _ if !self.snapshot.is_complete() => "the index is still being built: ask again in a moment".into(),
            Some(nearest) => nearest,
            None => "search_code and find_file find places; give `path:line`, `file#symbol` or a symbol's name".into(),
        };
        ToolError::new(ErrorCode::NotFound, format!("{}{more}", lines.join("; ")), hint)
    }
}

/// What is meant by a name that several things have: the lower, the likelier.
fn standing(hit: &SymbolHit) -> u8 {
    let kind = match hit.kind {
        SymbolKind::Impl | SymbolKind::Namespace => 2,
        _ if hit.is_item() => 0,
        _ if hit.is_code() => 1,
        _ => 3,
    };
    kind + if hit.is_test { 4 } else { 0 } + if hit.is_declaration { 8 } else { 0 }
}

/// A file and what of it, as other tools take them, in one text: `src/a.rs:12`.
fn joined_place(given: &Map<String, Value>) -> Option<String> {
    let one = |names: &[&str]| {
        let found = given.iter().find(|(key, _)| names.contains(&snake_case(key).as_str()));
        found.and_then(|(_, value)| match value {
            Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    };
    let file = one(&["file", "file_path"])?;
    let line = one(&["line", "start_line", "line_number"]);
    match (line, one(&["end_line"]), one(&["symbol"])) {
        (Some(line), Some(end), _) => Some(format!("{file}:{line}-{end}")),
        (Some(line), None, _) => Some(format!("{file}:{line}")),
        (None, _, Some(symbol)) => Some(format!("{file}#{symbol}")),
        (None, _, None) => None,
    }
}
