//! A map of a workspace: its files, and which of their symbols tell most about it.
//!
//! Without a complete index the map comes from a walk and from as much parsing as a short time allows, so that the
//! first look at a repository does not wait for indexing.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use index::{FileRow, FileState};
use rayon::prelude::*;
use refresh::{Control, MissedFiles, Rules, WalkEntry, walk};
use rustc_hash::FxHashMap;
use source::{is_beside_path, is_binary_name, is_test_path, is_vendored_path};
use syntax::{
    ChunkOptions, Content, FileFacts, Lang, NameId, PLAINTEXT, SymbolIdx, SymbolKind, Visibility, file_facts,
    lang_by_name,
};
use workspace::{Coverage, Error, LangCounts, QueryProblem, Workspace};

use crate::{
    description,
    files::{is_end, is_module, repo_path},
    ranking::{Ranked, Ranking},
    snapshot::Snapshot,
};

/// Without an index files are parsed until so long after the beginning of the call; some are parsed in any case.
const PARSING: Duration = Duration::from_millis(550);
const PARSED_ANYHOW: usize = 24;

/// How many symbols are ranked by how often they are mentioned; what is private, nested or a test comes last.
const LOOKED_UP: usize = 20_000;

/// What is to be mapped.
#[derive(Debug, Clone)]
pub struct MapRequest<'a> {
    /// A directory or a file; everything if absent.
    pub path: Option<&'a str>,
    /// How many levels of directories are opened.
    pub depth: Option<usize>,
    pub lang: Option<&'static str>,
    /// Whether symbols are wanted, or files only.
    pub symbols: bool,
    /// More items than this cannot be shown, so no more are described.
    pub room: usize,
}

#[derive(Debug, Default)]
pub struct CodeMap {
    /// What was mapped; empty for everything.
    pub path: String,
    /// Every file in it that is not too deep, ordered by path.
    pub files: Vec<MapFile>,
    /// Directories that are not opened: too deep, or tests, examples and vendored files beside code.
    pub dirs: Vec<MapDir>,
    /// The first sentence of the documentation of what was mapped.
    pub about: Option<String>,
    /// Directories that are opened, as far as something is known about them.
    pub opened: BTreeMap<String, DirFacts>,
    /// Files in which programs start, or the roots of packages.
    pub entry_points: Vec<String>,
    /// The directories that most files outside of them import, with how many do.
    pub most_imported: Vec<(String, u32)>,
    /// What to show, most important first. A symbol needs its file and the symbols around it to be shown too.
    pub order: Vec<MapItem>,
    /// Files per language, most first.
    pub langs: Vec<(&'static str, usize)>,
    /// Of how many files the symbols are known, and of how many there are to be known; `None` if of all.
    pub parsed: Option<(usize, usize)>,
    /// The generation that the order is from, if it is older than the files; 0 if nothing was counted yet.
    pub order_from: Option<u64>,
}

impl CodeMap {
    /// How many files there are, with those that are too deep.
    pub fn n_files(&self) -> usize {
        self.files.len() + self.dirs.iter().map(|dir| dir.files).sum::<usize>()
    }
}

/// A directory that is not opened.
#[derive(Debug, Clone, PartialEq)]
pub struct MapDir {
    pub path: String,
    pub files: usize,
    /// Of its code, if known of all files.
    pub lines: Option<u64>,
    pub facts: DirFacts,
    /// Its most important files and directories, best first.
    pub parts: Vec<MapPart>,
}

#[derive(Debug, Default, Clone, PartialEq)]
pub struct DirFacts {
    /// The first sentence of its documentation.
    pub about: Option<String>,
    /// How many files outside of it import something in it.
    pub importers: u32,
}

/// A file or directory in a directory that is not opened.
#[derive(Debug, Clone, PartialEq)]
pub struct MapPart {
    /// Its name; that of a directory ends with `/`.
    pub name: String,
    pub about: Option<String>,
    /// Names of its most important symbols, best first.
    pub symbols: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MapFile {
    pub path: String,
    pub lang: &'static str,
    /// Known if it was read.
    pub lines: Option<u32>,
    /// How many symbols it has.
    pub n_symbols: usize,
    /// Why it could not be parsed, if so.
    pub problem: Option<String>,
    /// Those that may be shown, in the order of the text.
    pub symbols: Vec<MapSymbol>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MapSymbol {
    /// The symbol around it, in the same list.
    pub parent: Option<usize>,
    pub name: String,
    pub kind: SymbolKind,
    pub signature: String,
    pub doc: Option<String>,
}

/// Indexes into the fields of a `CodeMap`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MapItem {
    Dir(usize),
    /// Needs its directory to be shown too.
    Part {
        dir: usize,
        part: usize,
    },
    File(usize),
    Symbol {
        file: usize,
        symbol: usize,
    },
}

/// How directly a file shows what the software does, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    Code,
    /// Tests, benchmarks, examples and vendored code.
    Aside,
    /// Documents, data and build files.
    Document,
}

impl Tier {
    fn of(path: &str, lang: &Lang) -> Tier {
        if !lang.has_symbols() || lang.content != Content::Code {
            Tier::Document
        } else if is_aside(path) {
            Tier::Aside
        } else {
            Tier::Code
        }
    }
}

fn is_aside(path: &str) -> bool {
    is_vendored_path(path) || is_test_path(path) || is_beside_path(path)
}

/// The length of the outermost directory that makes a path that of a test, example or vendored file.
fn aside_dir(path: &str, scope: usize) -> Option<usize> {
    let extension = path
        .rsplit('/')
        .next()?
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension);
    let dirs = path.match_indices('/').map(|(at, _)| at).filter(|at| *at > scope);
    dirs.into_iter()
        .find(|at| is_aside(&format!("{}/x.{extension}", &path[..*at])))
}

/// A file with what is known of it.
struct Source<'p> {
    path: &'p str,
    /// If it is indexed.
    row: Option<&'p FileRow>,
    lang: &'static Lang,
    lines: Option<u32>,
    facts: Option<FileFacts>,
    text: Option<String>,
    /// What its path tells of its importance.
    prior: f64,
    tier: Tier,
    /// Whether the map has room for its symbols: not for those of tests or documents where there is code.
    has_room: bool,
    /// Whether tests inside of it count as symbols.
    with_tests: bool,
    /// Its symbols that belong on a map, heaviest first, as far as they were looked at; and how many there are.
    symbols: Vec<(f64, SymbolIdx)>,
    n_symbols: usize,
    /// What it weighs by itself, if that is known.
    weight: Option<f64>,
}

impl<'p> Source<'p> {
    fn new(path: &'p str, row: Option<&'p FileRow>, lang: &'static Lang) -> Source<'p> {
        let lines = row.and_then(|row| match row.state {
            FileState::Indexed { lines, .. } => Some(lines),
            FileState::Skipped { .. } => None,
        });
        Source {
            path,
            row,
            lang,
            lines,
            facts: None,
            text: None,
            prior: prior(path, lang),
            tier: Tier::of(path, lang),
            has_room: true,
            with_tests: true,
            symbols: Vec::new(),
            n_symbols: 0,
            weight: None,
        }
    }

    /// Why it could not be parsed, as the index or the text tells.
    fn problem(&self) -> Option<&str> {
        let indexed = self.row.and_then(FileRow::unparsed_reason);
        indexed.or_else(|| Some(self.facts.as_ref()?.problem?.as_str()))
    }

    fn symbol_prior(&self) -> f64 {
        symbol_prior(self.prior, self.lang)
    }

    /// A file without symbols is still a part of the whole.
    fn least(&self) -> f64 {
        self.prior * 0.3
    }

    /// Says what its symbols weigh, see `weighed`.
    fn weigh(&mut self, factor: impl Fn(&str, f64) -> f64) {
        let prior = self.symbol_prior();
        if let Some(facts) = self
            .facts
            .as_ref()
            .filter(|_| self.has_room || self.tier != Tier::Document)
        {
            self.symbols = weighed(facts, prior, factor);
        }
        self.n_symbols = self.symbols.len();
        if let Some(facts) = self.facts.as_ref().filter(|_| !self.with_tests) {
            self.symbols.retain(|(_, at)| !is_in_test(facts, at.as_usize()));
        }
        if !self.has_room {
            self.symbols.clear();
        }
        let heaviest = self.symbols.first().map_or(0.0, |(weight, _)| *weight);
        self.weight = self.own_weight(heaviest);
    }

    fn is_parsable(&self, request: &MapRequest<'_>) -> bool {
        self.lang.has_symbols() && (self.has_room || !request.symbols)
    }

    /// Test files beside code are counted and not shown.
    fn own_weight(&self, heaviest: f64) -> Option<f64> {
        (self.has_room || self.tier == Tier::Document).then(|| heaviest.max(self.least()))
    }
}

/// What the path of a file tells of the importance of its symbols. Manifests are worth a line, what is in them less so.
fn symbol_prior(prior: f64, lang: &Lang) -> f64 {
    if lang.is_data() { prior.min(1.0) * 0.05 } else { prior }
}

impl Snapshot {
    /// A map of the indexed files.
    pub fn map(&self, request: &MapRequest<'_>) -> Result<CodeMap, Error> {
        let rows: Vec<&FileRow> = self.reader().files().indexed().collect();
        let paths: Vec<&str> = rows.iter().map(|row| &*row.path).collect();
        let scope = Scope::new(request.path, self.workspace().root().path(), &paths)?;
        let files = rows[scope.range.clone()]
            .iter()
            .map(|row| (&*row.path, Some(*row), lang_of(row)));
        let mut sorted = Sorted::new(&scope, request, files);
        let ranking = self.ranking()?;
        let parsed = match &ranking {
            Some(ranking) => self.read_heaviest(&mut sorted, request, ranking).map(|()| None)?,
            None => self.read_for_a_while(&mut sorted.sources, request)?,
        };
        let text = |source: &Source<'_>| {
            let bytes = self.current_bytes(source.row.ok_or(Error::Stale)?)?;
            Ok(source::decode(&bytes).ok_or(Error::Stale)?.text.into_owned())
        };
        let read = |path: &str| {
            let Ok(at) = paths.binary_search(&path) else {
                return Ok(None);
            };
            let bytes = self.current_bytes(rows[at])?;
            Ok(source::decode(&bytes).map(|decoded| decoded.text.into_owned()))
        };
        let definitions = |source: &Source<'_>| match source.row {
            Some(row) => self.reader().definitions(row).map_err(Error::from),
            None => Ok(None),
        };
        if request.symbols {
            sorted.fill_parts(ranking.as_ref(), &paths, definitions, read)?;
        }
        let mut map = sorted.map(scope, request, text)?;
        if request.symbols {
            sorted.orient(&mut map, ranking.as_ref(), &paths, read)?;
        }
        map.parsed = parsed;
        let from = ranking.map_or(0, |ranking| ranking.generation);
        map.order_from = (from != self.reader().generation()).then_some(from);
        Ok(map)
    }

    /// Reads what files define, the heaviest first, as long as that can be on the map.
    fn read_heaviest(&self, sorted: &mut Sorted<'_>, request: &MapRequest<'_>, ranking: &Ranking) -> Result<(), Error> {
        let mut room = Room::new(request.room);
        sorted.dirs.values().for_each(|dir| room.fill(dir.weight));
        let mut unread: Vec<(f64, usize)> = Vec::new();
        for (at, source) in sorted.sources.iter_mut().enumerate() {
            let row = source.row.filter(|_| source.lang.has_symbols());
            let ranked = row.and_then(|row| ranking.of(source.path).filter(|ranked| ranked.is_current(row)));
            let heaviest = ranked.map(|ranked| f64::from(ranked.heaviest).max(source.least()));
            source.n_symbols = match source.has_room || source.tier != Tier::Document {
                true => ranked.map_or(0, |ranked| ranked.n_symbols as usize),
                false => 0,
            };
            match heaviest {
                Some(heaviest) if request.symbols && source.n_symbols > 0 && source.has_room => {
                    unread.push((heaviest, at))
                }
                // Nothing is known of what has changed since.
                None if row.is_some() => unread.push((f64::INFINITY, at)),
                _ => {
                    let weight = if source.has_room { heaviest.unwrap_or(0.0) } else { 0.0 };
                    source.weight = source.own_weight(weight);
                    source.weight.into_iter().for_each(|weight| room.fill(weight));
                }
            }
        }
        unread.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        for (heaviest, at) in unread {
            if room.is_filled_above(heaviest) {
                break;
            }
            let source = &mut sorted.sources[at];
            let row = source.row.ok_or(Error::Stale)?;
            source.facts = Some(self.reader().definitions(row)?.ok_or(Error::Stale)?);
            let ranked = ranking.of(source.path);
            source.weigh(|name, namesakes| by_references(ranked, name, namesakes));
            source.weight.into_iter().for_each(|weight| room.fill(weight));
            if request.symbols {
                source.symbols.iter().for_each(|(weight, _)| room.fill(*weight));
            }
        }
        Ok(())
    }

    /// Reads what the most promising files define while there is time, where nothing is known of who refers to whom. Tells
    /// of how many files that is, and of how many it could be, unless it is all of them.
    fn read_for_a_while(
        &self,
        sources: &mut [Source<'_>],
        request: &MapRequest<'_>,
    ) -> Result<Option<(usize, usize)>, Error> {
        let deadline = Instant::now() + PARSING;
        let mut promising = promising(sources, request);
        promising.retain(|at| sources[*at].is_parsable(request));
        let known: &[Source<'_>] = sources;
        let read = each_of(
            &promising,
            self.workspace().threads(),
            deadline,
            &AtomicBool::new(false),
            |at| {
                let row = known[at].row?;
                Some(self.reader().definitions(row).map_err(Error::from))
            },
        );
        let parsed = (read.len(), promising.len());
        for (at, facts) in read {
            sources[at].facts = Some(facts?.ok_or(Error::Stale)?);
        }
        let one = |name: &&str| -> Result<(String, f64), Error> {
            let spread = self.reader().spread(name);
            let (mentioned, defined) = spread.map_err(|error| QueryProblem::Scan(error.to_string()))?;
            Ok(((*name).to_owned(), mentioned as f64 / defined.max(1) as f64))
        };
        let mentions: Vec<(String, f64)> = likely(sources).par_iter().map(one).collect::<Result<_, Error>>()?;
        by_mentions(sources, &mentions.into_iter().collect());
        Ok((parsed.0 < parsed.1).then_some(parsed))
    }
}

/// So many of the heaviest items can be on a map.
struct Room {
    size: usize,
    /// The bits of weights, which are ordered as these are: none is below 0.
    taken: BinaryHeap<Reverse<u64>>,
}

impl Room {
    fn new(size: usize) -> Room {
        Room {
            size,
            taken: BinaryHeap::new(),
        }
    }

    fn fill(&mut self, weight: f64) {
        self.taken.push(Reverse(weight.max(0.0).to_bits()));
        if self.taken.len() > self.size {
            self.taken.pop();
        }
    }

    /// Whether nothing of that weight has a place any more.
    fn is_filled_above(&self, weight: f64) -> bool {
        let lightest = self.taken.peek().map_or(0.0, |Reverse(bits)| f64::from_bits(*bits));
        self.taken.len() >= self.size && weight < lightest
    }
}

impl Snapshot {
    /// The indexed files that a path means: itself, or all in the directory. With the path relative to the root, empty
    /// for everything.
    pub fn files_at(&self, path: &str) -> Result<(String, Vec<String>), Error> {
        let rows: Vec<&FileRow> = self.reader().files().indexed().collect();
        let paths: Vec<&str> = rows.iter().map(|row| &*row.path).collect();
        let scope = Scope::new(Some(path), self.workspace().root().path(), &paths);
        if matches!(scope, Err(Error::NoSuchFile { .. })) {
            // It may be there and not be indexed: then there is a reason.
            self.indexed_row(path).map_err(|error| match error {
                Error::NoSuchFile { path, .. } => Error::NoSuchFile {
                    nearest: nearest_path(&path, &paths),
                    path,
                },
                other => other,
            })?;
        }
        let scope = scope?;
        let files = paths[scope.range].iter().map(|path| (*path).to_owned()).collect();
        Ok((scope.path, files))
    }
}

/// A map for a workspace whose index is not complete, with what it has looked at; `None` if the index is. Indexing
/// goes on or begins in the background.
pub fn map_unindexed(
    workspace: &Arc<Workspace>,
    request: &MapRequest<'_>,
    control: &Control<'_>,
) -> Result<Option<(CodeMap, Coverage)>, Error> {
    let deadline = Instant::now() + PARSING;
    let reader = workspace.store().reader()?;
    if reader.complete() {
        return Ok(None);
    }
    if !workspace.root().path().is_dir() {
        return Err(Error::RootGone {
            path: workspace.root().path().to_owned(),
        });
    }
    let rules = Rules::new(workspace.root(), &workspace.session().config)?;
    let walked = walk(workspace.root().path(), &rules, workspace.threads(), control.cancelled);
    if control.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let found = walked.files.iter();
    let skipped = found.filter_map(|found| Some((found.path.as_str(), found.skip.as_ref()?)));
    let coverage = Coverage {
        generation: reader.generation(),
        digest: reader.files().digest(),
        complete: false,
        pending: None,
        behind: None,
        missed: MissedFiles::of_skipped(skipped),
        unparsed: MissedFiles::default(),
        vectors: None,
        exact: None,
        undone: workspace.undone().cloned(),
        part: workspace.path_in_repo().map(str::to_owned),
        all_left_out: false,
    };
    let files: Vec<&WalkEntry> = walked.files.iter().filter(|found| is_text(found)).collect();
    let paths: Vec<&str> = files.iter().map(|found| found.path.as_str()).collect();
    let scope = Scope::new(request.path, workspace.root().path(), &paths)?;
    let in_scope = paths[scope.range.clone()].iter().map(|path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        (*path, None, syntax::detect(name, b""))
    });
    let mut sorted = Sorted::new(&scope, request, in_scope);
    read_some(workspace, &mut sorted.sources, request, deadline, control);
    let parsed = sorted.sources.iter().filter(|source| source.facts.is_some()).count();
    let parsable = sorted
        .sources
        .iter()
        .filter(|source| source.is_parsable(request))
        .count();
    let mentions = mentions_in(&sorted.sources);
    by_mentions(&mut sorted.sources, &mentions);
    let limit = workspace.session().config.max_file_bytes;
    let read = |path: &str| {
        let is_there = paths.binary_search(&path).is_ok();
        let bytes = is_there.then(|| workspace.root().read(path, limit).ok()).flatten();
        Ok(bytes.and_then(|(bytes, _)| Some(source::decode(&bytes)?.text.into_owned())))
    };
    if request.symbols {
        sorted.fill_parts(None, &paths, |_| Ok(None), read)?;
    }
    let mut map = sorted.map(scope, request, |source| Ok(source.text.clone().unwrap_or_default()))?;
    if request.symbols {
        sorted.orient(&mut map, None, &paths, read)?;
    }
    map.parsed = (request.symbols && parsed < parsable).then_some((parsed, parsable));
    // Now, and not before: parsing here and indexing would only have slowed each other down.
    workspace.index_in_background(false)?;
    Ok(Some((map, coverage)))
}

/// Reads, and parses where symbols are wanted, the most promising files while there is time.
fn read_some(
    workspace: &Workspace,
    sources: &mut [Source<'_>],
    request: &MapRequest<'_>,
    deadline: Instant,
    control: &Control<'_>,
) {
    let mut promising = promising(sources, request);
    promising.truncate(request.room);
    let parse = request.symbols && workspace.session().config.symbols;
    let options = ChunkOptions {
        size: workspace.session().config.chunk_size,
        overlap: workspace.session().config.overlap,
    };
    let limit = workspace.session().config.max_file_bytes;
    let known: &[Source<'_>] = sources;
    let read = each_of(&promising, workspace.threads(), deadline, control.cancelled, |at| {
        let source = &known[at];
        let (bytes, _) = workspace.root().read(source.path, limit).ok()?;
        let text = source::decode(&bytes)?.text.into_owned();
        let facts = parse.then(|| file_facts(source.lang, &text, options));
        Some((text, facts))
    });
    for (at, (text, facts)) in read {
        let source = &mut sources[at];
        source.lines = Some(source::count_lines(&text));
        source.text = Some(text);
        source.facts = facts;
    }
}

/// The files whose symbols are wanted, or all where only files are, the most promising first.
fn promising(sources: &[Source<'_>], request: &MapRequest<'_>) -> Vec<usize> {
    let mut promising: Vec<usize> = (0..sources.len())
        .filter(|at| !request.symbols || sources[*at].is_parsable(request))
        .collect();
    let promise = |at: usize| match request.symbols {
        true => sources[at].symbol_prior(),
        false => sources[at].prior,
    };
    promising.sort_by(|a, b| promise(*b).total_cmp(&promise(*a)).then_with(|| a.cmp(b)));
    promising
}

/// What `read` tells of some things, in their order, by several threads; of those that there is time for.
fn each_of<T: Send>(
    wanted: &[usize],
    threads: usize,
    deadline: Instant,
    cancelled: &AtomicBool,
    read: impl Fn(usize) -> Option<T> + Sync,
) -> Vec<(usize, T)> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let late = at >= PARSED_ANYHOW && Instant::now() >= deadline;
            let Some(one) = wanted.get(at).filter(|_| !late && !cancelled.load(Ordering::Relaxed)) else {
                return;
            };
            if let Some(found) = read(*one) {
                all.lock().unwrap_or_else(PoisonError::into_inner).push((*one, found));
            }
        }
    };
    // On threads that end: what others free of a thread's memory goes back to the system when it is gone.
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn is_text(found: &WalkEntry) -> bool {
    let name = found.path.rsplit('/').next().unwrap_or(&found.path);
    found.skip.is_none() && !is_binary_name(name)
}

/// For each name, in how many of the files it is mentioned, divided by how many symbols have it.
fn mentions_in(sources: &[Source<'_>]) -> FxHashMap<String, f64> {
    let mut counts: FxHashMap<&str, (u32, u32)> = FxHashMap::default();
    for facts in sources.iter().filter_map(|source| source.facts.as_ref()) {
        for name in (0..facts.names.len() as u32).map(|id| facts.names.get(NameId(id))) {
            counts.entry(name).or_default().0 += 1;
        }
        for symbol in &facts.symbols {
            counts.entry(facts.name(symbol)).or_default().1 += 1;
        }
    }
    let ratio = |(mentioned, defined): (u32, u32)| f64::from(mentioned) / f64::from(defined.max(1));
    let of = |name: &str| ratio(counts.get(name).copied().unwrap_or_default());
    likely(sources)
        .into_iter()
        .map(|name| (name.to_owned(), of(name)))
        .collect()
}

/// The part of a sorted list of paths that a user's path means.
struct Scope {
    path: String,
    range: std::ops::Range<usize>,
}

impl Scope {
    fn new(path: Option<&str>, root: &Path, paths: &[&str]) -> Result<Scope, Error> {
        let path = match path.map(|path| repo_path(root, path)) {
            None
            | Some(Err(Error::BadPath {
                source: source::PathError::Empty,
                ..
            })) => String::new(),
            Some(path) => path?.to_string(),
        };
        if path.is_empty() {
            return Ok(Scope {
                path,
                range: 0..paths.len(),
            });
        }
        if let Ok(at) = paths.binary_search(&path.as_str()) {
            return Ok(Scope {
                path,
                range: at..at + 1,
            });
        }
        let dir = format!("{path}/");
        let start = paths.partition_point(|other| *other < dir.as_str());
        let len = paths[start..].partition_point(|other| other.starts_with(&dir));
        if len == 0 && !root.join(&path).is_dir() {
            // It may begin below the root, unless there is something that is only not indexed.
            let is_there = root.join(&path).symlink_metadata().is_ok();
            let meant = match ending(&path, paths)[..] {
                [] => module(&path, paths),
                [only] => Some(only),
                _ => None,
            };
            if let Some(meant) = meant.filter(|_| !is_there) {
                return Scope::new(Some(meant), root, paths);
            }
            let nearest = nearest_path(&path, paths);
            return Err(Error::NoSuchFile { path, nearest });
        }
        Ok(Scope {
            path,
            range: start..start + len,
        })
    }

    /// A path without what was asked for.
    fn below<'p>(&self, path: &'p str) -> &'p str {
        let below = path
            .strip_prefix(&self.path)
            .and_then(|rest| match self.path.is_empty() {
                true => Some(rest),
                false => rest.strip_prefix('/'),
            });
        below.unwrap_or_else(|| path.rsplit('/').next().unwrap_or(path))
    }
}

/// The directories of some files.
fn dirs_of<'p>(paths: &[&'p str]) -> Vec<&'p str> {
    let dirs = paths
        .iter()
        .flat_map(|file| file.match_indices('/').map(|(at, _)| &file[..at]));
    let mut dirs: Vec<&str> = dirs.collect();
    dirs.sort_unstable();
    dirs.dedup();
    dirs
}

/// The files and directories whose paths end so, tests last, those that are least deep first.
fn ending<'p>(path: &str, paths: &[&'p str]) -> Vec<&'p str> {
    let all = dirs_of(paths).into_iter().chain(paths.iter().copied());
    let mut ending: Vec<&str> = all.filter(|other| is_end(other, path)).collect();
    ending.sort_by_key(|other| (is_test_path(other), other.matches('/').count()));
    ending
}

/// The only directory that is a module of this name, or else the only file.
fn module<'p>(name: &str, paths: &[&'p str]) -> Option<&'p str> {
    let called = |all: &[&'p str]| -> Vec<&'p str> {
        let called = all.iter().copied().filter(|path| is_module(path, name));
        called.take(2).collect()
    };
    let dirs = called(&dirs_of(paths));
    let found = if dirs.is_empty() { called(paths) } else { dirs };
    found.first().copied().filter(|_| found.len() == 1)
}

/// The file or directory that was probably meant; several, with quotes between them, where their paths end so.
fn nearest_path(path: &str, paths: &[&str]) -> Option<String> {
    const SHOWN: usize = 3;
    let ending = ending(path, paths);
    if !ending.is_empty() {
        return Some(ending[..ending.len().min(SHOWN)].join("`, `"));
    }
    let dirs = dirs_of(paths);
    let all = dirs.into_iter().chain(paths.iter().copied());
    let scored = all.filter_map(|other| Some((source::path_likeness(other, path)?, other)));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))?;
    Some(best.1.to_owned())
}

/// Where in `MapFile::symbols` a symbol of a file is.
type Places = FxHashMap<(usize, usize), usize>;

/// Files and directories of a scope.
#[derive(Default)]
struct Sorted<'p> {
    sources: Vec<Source<'p>>,
    dirs: BTreeMap<String, Closed<'p>>,
    langs: LangCounts,
}

/// A directory that is not opened.
#[derive(Default)]
struct Closed<'p> {
    weight: f64,
    members: Vec<Source<'p>>,
    is_aside: bool,
    facts: DirFacts,
    parts: Vec<MapPart>,
}

/// Parts of a directory that are named, symbols of a part, and the files in which these are looked for.
const PARTS: usize = 6;
const NAMES: usize = 5;
const READ: usize = 3;
/// Directories that are described; files that are searched for it.
const DESCRIBED: usize = 120;
const CANDIDATES: usize = 6;
const ENTRY_POINTS: usize = 6;
const IMPORTED: usize = 8;
/// Fewer importers do not make a directory stand out.
const FEW_IMPORTERS: u32 = 3;

impl<'p> Sorted<'p> {
    fn new(
        scope: &Scope,
        request: &MapRequest<'_>,
        files: impl Iterator<Item = (&'p str, Option<&'p FileRow>, &'static Lang)>,
    ) -> Sorted<'p> {
        let of_lang = |path: &str, lang: &Lang| {
            let wanted = request.lang;
            wanted.is_none_or(|wanted| search::is_of_lang(wanted, lang.name, path))
        };
        let files: Vec<_> = files.filter(|(path, _, lang)| of_lang(path, lang)).collect();
        // Whoever asks for a directory of tests or documents wants to see these.
        let tiers = files.iter().map(|(path, _, lang)| Tier::of(path, lang));
        let best = tiers.min().unwrap_or(Tier::Document);
        let mut sorted = Sorted::default();
        for (path, row, lang) in files {
            sorted.langs.add(lang.name, path);
            let mut source = Source::new(path, row, lang);
            if request.symbols {
                source.has_room = source.tier <= best;
                source.with_tests = best != Tier::Code;
            }
            sorted.add(scope, request, source, best);
        }
        sorted
    }

    fn add(&mut self, scope: &Scope, request: &MapRequest<'_>, source: Source<'p>, best: Tier) {
        let path = source.path;
        let below = scope.below(path);
        let start = path.len() - below.len();
        let too_deep = request
            .depth
            .and_then(|depth| below.match_indices('/').nth(depth.saturating_sub(1)))
            .map(|(at, _)| start + at);
        let aside = (request.symbols && best == Tier::Code)
            .then(|| aside_dir(path, start))
            .flatten();
        let Some(at) = too_deep.into_iter().chain(aside).min() else {
            self.sources.push(source);
            return;
        };
        let dir = self.dirs.entry(path[..at].to_owned()).or_default();
        dir.weight = dir.weight.max(source.prior);
        dir.is_aside = aside == Some(at);
        dir.members.push(source);
    }

    /// Finds out what is in the directories that are not opened, and what these are.
    fn fill_parts(
        &mut self,
        ranking: Option<&Ranking>,
        paths: &[&str],
        definitions: impl Fn(&Source<'_>) -> Result<Option<FileFacts>, Error>,
        read: impl Fn(&str) -> Result<Option<String>, Error>,
    ) -> Result<(), Error> {
        for (path, dir) in &mut self.dirs {
            dir.facts.importers = ranking.map_or(0, |ranking| ranking.importers(path));
            if !dir.is_aside {
                let importers = f64::from(dir.facts.importers).ln_1p();
                let code = dir.members.iter().filter(|source| source.tier == Tier::Code).count();
                dir.weight *= 3.0 * (1.0 + 0.3 * importers + 0.1 * (code as f64).ln_1p());
            }
        }
        let mut by_weight: Vec<(&String, &mut Closed<'_>)> = self.dirs.iter_mut().collect();
        by_weight.sort_by(|a, b| b.1.weight.total_cmp(&a.1.weight).then_with(|| a.0.cmp(b.0)));
        for (path, dir) in by_weight.into_iter().take(DESCRIBED) {
            dir.facts.about = describe(path, paths, &read)?;
            if dir.is_aside {
                continue;
            }
            let mut parts: BTreeMap<&str, Vec<(f64, &Source<'_>)>> = BTreeMap::new();
            let shown = dir
                .members
                .iter()
                .filter(|source| source.has_room && source.tier != Tier::Document);
            for source in shown {
                let below = &source.path[path.len() + 1..];
                let end = below.find('/').map_or(below.len(), |at| at + 1);
                let ranked = ranking.and_then(|ranking| ranking.of(source.path));
                let weight = ranked.map_or(source.least(), |ranked| f64::from(ranked.heaviest));
                parts.entry(&below[..end]).or_default().push((weight, source));
            }
            let mut parts: Vec<_> = parts
                .into_iter()
                .map(|(name, mut sources)| {
                    sources.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(b.1.path)));
                    let importers = match (ranking, name.strip_suffix('/')) {
                        (Some(ranking), Some(name)) => ranking.importers(&format!("{path}/{name}")),
                        _ => 0,
                    };
                    let weight = sources[0].0 * (1.0 + 0.3 * f64::from(importers).ln_1p());
                    (weight * (1.0 + 0.1 * (sources.len() as f64).ln()), name, sources)
                })
                .collect();
            parts.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
            for (_, name, sources) in parts.into_iter().take(PARTS) {
                let about = match name.strip_suffix('/') {
                    Some(name) => describe(&format!("{path}/{name}"), paths, &read)?,
                    None => read(&format!("{path}/{name}"))?.and_then(|text| description::of_file(&text)),
                };
                let mut symbols: Vec<(f64, String)> = Vec::new();
                for (_, source) in sources.into_iter().take(READ) {
                    let Some(facts) = definitions(source)? else { continue };
                    let ranked = ranking.and_then(|ranking| ranking.of(source.path));
                    let weighed = weighed(&facts, source.symbol_prior(), |name, namesakes| {
                        by_references(ranked, name, namesakes)
                    });
                    let named = weighed
                        .into_iter()
                        .filter(|(_, at)| is_named_alone(&facts, at.as_usize()));
                    symbols.extend(
                        named
                            .take(NAMES)
                            .map(|(weight, at)| (weight, facts.name(&facts.symbols[at]).to_owned())),
                    );
                }
                symbols.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
                let mut names: Vec<String> = Vec::new();
                for (_, name) in symbols {
                    if names.len() < NAMES && !names.contains(&name) {
                        names.push(name);
                    }
                }
                dir.parts.push(MapPart {
                    name: name.to_owned(),
                    about: about.filter(|about| dir.facts.about.as_ref() != Some(about)),
                    symbols: names,
                });
            }
        }
        Ok(())
    }

    /// Adds what helps to find the way: what the whole and its directories are, where programs start, and which directories
    /// others import.
    fn orient(
        &self,
        map: &mut CodeMap,
        ranking: Option<&Ranking>,
        paths: &[&str],
        read: impl Fn(&str) -> Result<Option<String>, Error>,
    ) -> Result<(), Error> {
        if paths.binary_search(&map.path.as_str()).is_ok() {
            let text = read(&map.path)?;
            map.about = text.and_then(|text| description::of_file(&text));
            return Ok(());
        }
        if map.n_files() == 0 {
            return Ok(());
        }
        map.about = describe(&map.path, paths, &read)?;
        let scope = if map.path.is_empty() { 0 } else { map.path.len() + 1 };
        for item in &map.order {
            let path = match *item {
                MapItem::Dir(dir) | MapItem::Part { dir, .. } => map.dirs[dir].path.as_str(),
                MapItem::File(file) | MapItem::Symbol { file, .. } => map.files[file].path.as_str(),
            };
            for (at, _) in path.match_indices('/').filter(|(at, _)| *at > scope) {
                let dir = &path[..at];
                if map.opened.len() < DESCRIBED && !map.opened.contains_key(dir) {
                    let facts = DirFacts {
                        about: describe(dir, paths, &read)?,
                        importers: ranking.map_or(0, |ranking| ranking.importers(dir)),
                    };
                    map.opened.insert(dir.to_owned(), facts);
                }
            }
        }
        let members = self.dirs.values().flat_map(|dir| &dir.members);
        let code = || {
            self.sources
                .iter()
                .chain(members.clone())
                .filter(|source| source.tier == Tier::Code)
        };
        let starts = |source: &&Source<'_>| match ranking.and_then(|ranking| ranking.of(source.path)) {
            Some(ranked) => ranked.has_main,
            None => source.facts.as_ref().is_some_and(|facts| has_main(source.path, facts)),
        };
        let mut entry_points: Vec<&Source<'_>> = code().filter(starts).collect();
        if entry_points.is_empty() {
            entry_points = code().filter(|source| is_entry_stem(source.path)).collect();
            entry_points.sort_by_key(|source| (source.path.matches('/').count(), source.path));
        } else {
            // The largest program is rarely a helper.
            entry_points.sort_by_key(|source| (Reverse(source.lines), source.path));
        }
        entry_points.truncate(ENTRY_POINTS);
        map.entry_points = entry_points.into_iter().map(|source| source.path.to_owned()).collect();
        map.most_imported = ranking.map_or_else(Vec::new, |ranking| most_imported(ranking, code(), scope));
        Ok(())
    }

    fn map(
        &self,
        scope: Scope,
        request: &MapRequest<'_>,
        text: impl Fn(&Source<'_>) -> Result<String, Error>,
    ) -> Result<CodeMap, Error> {
        let order = self.order(request);
        let (files, places) = self.files(&order, text)?;
        let order = order.into_iter().map(|item| match item {
            MapItem::Symbol { file, symbol } => MapItem::Symbol {
                file,
                symbol: places[&(file, symbol)],
            },
            other => other,
        });
        let dirs = self.dirs.iter().map(|(path, dir)| MapDir {
            path: path.clone(),
            files: dir.members.len(),
            lines: dir.lines(),
            facts: dir.facts.clone(),
            parts: dir.parts.clone(),
        });
        Ok(CodeMap {
            path: scope.path,
            order: order.collect(),
            files,
            dirs: dirs.collect(),
            langs: self.langs.most_first(),
            ..CodeMap::default()
        })
    }

    /// As much as there is room for, most important first. Symbols are numbered as in their file.
    fn order(&self, request: &MapRequest<'_>) -> Vec<MapItem> {
        let mut order: Vec<(f64, MapItem)> = Vec::new();
        for (at, dir) in self.dirs.values().enumerate() {
            order.push((dir.weight, MapItem::Dir(at)));
            let parts = (0..dir.parts.len()).map(|part| {
                let weight = 0.5 * dir.weight / (1.0 + 0.3 * part as f64);
                (weight, MapItem::Part { dir: at, part })
            });
            order.extend(parts);
        }
        for (file, source) in self.sources.iter().enumerate() {
            order.extend(source.weight.map(|weight| (weight, MapItem::File(file))));
            if request.symbols {
                let items = source.symbols.iter().map(|(weight, symbol)| {
                    let symbol = symbol.as_usize();
                    (*weight, MapItem::Symbol { file, symbol })
                });
                order.extend(items);
            }
        }
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        order.truncate(request.room);
        order.into_iter().map(|(_, item)| item).collect()
    }

    /// The files with those of their symbols that are on the map.
    fn files(
        &self,
        order: &[MapItem],
        text: impl Fn(&Source<'_>) -> Result<String, Error>,
    ) -> Result<(Vec<MapFile>, Places), Error> {
        let mut wanted: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for item in order {
            if let MapItem::Symbol { file, symbol } = item {
                wanted.entry(*file).or_default().push(*symbol);
            }
        }
        let mut files = Vec::with_capacity(self.sources.len());
        let mut places = Places::default();
        for (file, source) in self.sources.iter().enumerate() {
            let mut symbols = Vec::new();
            if let (Some(wanted), Some(facts)) = (wanted.get(&file), &source.facts) {
                let text = text(source)?;
                for at in with_parents(facts, wanted) {
                    let symbol = &facts.symbols[at];
                    places.insert((file, at), symbols.len());
                    symbols.push(MapSymbol {
                        parent: symbol
                            .parent
                            .and_then(|parent| places.get(&(file, parent.as_usize())).copied()),
                        name: facts.name(symbol).to_owned(),
                        kind: symbol.kind,
                        signature: facts.signature(symbol, &text),
                        doc: facts.doc(symbol, &text),
                    });
                }
            }
            files.push(MapFile {
                path: source.path.to_owned(),
                lang: source.lang.name,
                lines: source.lines,
                n_symbols: source.n_symbols,
                problem: source.problem().map(str::to_owned),
                symbols,
            });
        }
        Ok((files, places))
    }
}

impl Closed<'_> {
    /// How many lines of code it has, if that is known.
    fn lines(&self) -> Option<u64> {
        let code = self.members.iter().filter(|source| source.tier != Tier::Document);
        code.map(|source| source.lines.map(u64::from))
            .sum::<Option<u64>>()
            .filter(|lines| *lines > 0)
    }
}

/// The first sentence about a directory, from the files in it that may have one.
fn describe(
    dir: &str,
    paths: &[&str],
    read: impl Fn(&str) -> Result<Option<String>, Error>,
) -> Result<Option<String>, Error> {
    for path in description::candidates(dir, paths).into_iter().take(CANDIDATES) {
        if let Some(about) = read(path)?.and_then(|text| description::of_directory(path, &text)) {
            return Ok(Some(about));
        }
    }
    Ok(None)
}

/// The directories of some files that most files import. One whose importers all want the same directory in it is left out.
fn most_imported<'s>(
    ranking: &Ranking,
    code: impl Iterator<Item = &'s Source<'s>>,
    scope: usize,
) -> Vec<(String, u32)> {
    let files: Vec<&str> = code.map(|source| source.path).collect();
    let dirs = dirs_of(&files).into_iter().filter(|dir| dir.len() > scope);
    let mut dirs: Vec<(&str, u32)> = dirs.map(|dir| (dir, ranking.importers(dir))).collect();
    dirs.retain(|(_, importers)| *importers >= FEW_IMPORTERS);
    let is_container = |outer: &str, importers: u32| {
        dirs.iter().any(|(inner, other)| {
            let is_inside = inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
            is_inside && *other * 10 >= importers * 9
        })
    };
    let mut most: Vec<(&str, u32)> = dirs
        .iter()
        .copied()
        .filter(|(dir, importers)| !is_container(dir, *importers))
        .collect();
    most.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    most.truncate(IMPORTED);
    most.into_iter()
        .map(|(dir, importers)| (dir.to_owned(), importers))
        .collect()
}

/// Whether a program starts in a file.
pub(crate) fn has_main(path: &str, facts: &FileFacts) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_main = |symbol: &syntax::Symbol| {
        let parent = symbol.parent.map(|parent| &facts.symbols[parent]);
        let is_outside = parent.is_none_or(|parent| parent.parent.is_none() && !parent.kind.is_function());
        symbol.kind.is_function() && !symbol.is_test && is_outside && matches!(facts.name(symbol), "main" | "Main")
    };
    name == "__main__.py" || facts.symbols.iter().any(is_main)
}

/// Whether a symbol tells something by its name alone: a type or function that is not inside of a function or test.
fn is_named_alone(facts: &FileFacts, at: usize) -> bool {
    use SymbolKind::*;
    let symbol = &facts.symbols[at];
    let is_outside = symbol
        .parent
        .is_none_or(|parent| matches!(facts.symbols[parent].kind, Module | Namespace));
    let tells = !matches!(
        symbol.kind,
        Impl | Method
            | Constructor
            | Variable
            | Property
            | Field
            | Variant
            | Test
            | Module
            | Namespace
            | Target
            | Stage
            | Block
            | Heading
    );
    let is_plain = facts
        .name(symbol)
        .starts_with(|first: char| first.is_alphanumeric() || first == '_');
    is_outside && tells && is_plain && !is_in_test(facts, at)
}

fn is_in_test(facts: &FileFacts, at: usize) -> bool {
    let mut next = Some(at);
    while let Some(at) = next {
        let symbol = &facts.symbols[at];
        let is_tests = symbol.kind == SymbolKind::Module && matches!(facts.name(symbol), "test" | "tests");
        if symbol.is_test || is_tests {
            return true;
        }
        next = symbol.parent.map(SymbolIdx::as_usize);
    }
    false
}

/// Whether a file is called as those are called where programs or packages begin.
fn is_entry_stem(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    matches!(
        stem,
        "main" | "lib" | "mod" | "index" | "app" | "cli" | "server" | "__init__" | "__main__" | "program" | "api"
    )
}

/// Symbols and those around them, in the order of the text.
fn with_parents(facts: &FileFacts, wanted: &[usize]) -> Vec<usize> {
    let mut all = wanted.to_vec();
    for at in wanted {
        let mut parent = facts.symbols[*at].parent;
        while let Some(outer) = parent {
            all.push(outer.as_usize());
            parent = facts.symbols[outer].parent;
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The symbols of a file that belong on a map, heaviest first. `factor` tells how much more one weighs by its name, which so
/// many in the file have.
fn weighed(facts: &FileFacts, prior: f64, factor: impl Fn(&str, f64) -> f64) -> Vec<(f64, SymbolIdx)> {
    let mut namesakes: FxHashMap<NameId, f64> = FxHashMap::default();
    for symbol in &facts.symbols {
        *namesakes.entry(symbol.name).or_default() += 1.0;
    }
    let mut symbols = Vec::new();
    for (at, symbol) in facts.symbols.iter().enumerate() {
        if let Some(weight) = plain_weight(facts, at) {
            let factor = factor(facts.name(symbol), namesakes[&symbol.name]);
            symbols.push((weight * prior * factor, SymbolIdx::new(at)));
        }
    }
    symbols.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    // Something of many files tells more than all of a few.
    for (at, (weight, _)) in symbols.iter_mut().enumerate() {
        *weight /= 1.0 + 0.15 * at as f64;
    }
    symbols
}

/// How many symbols of a file belong on a map, and a weight that none of them exceeds.
pub(crate) fn symbols_on_map(row: &FileRow, facts: &FileFacts, ranked: &Ranked) -> (u32, f32) {
    let lang = lang_of(row);
    let prior = symbol_prior(prior(&row.path, lang), lang);
    let symbols = weighed(facts, prior, |name, namesakes| {
        by_references(Some(ranked), name, namesakes)
    });
    let heaviest = symbols.first().map_or(0.0, |(weight, _)| *weight);
    let rounded = heaviest as f32;
    let is_less = f64::from(rounded) < heaviest;
    (symbols.len() as u32, if is_less { rounded.next_up() } else { rounded })
}

pub(crate) fn lang_of(row: &FileRow) -> &'static Lang {
    lang_by_name(row.lang).unwrap_or(&PLAINTEXT)
}

/// How much more a symbol weighs that other files refer to.
fn by_references(ranked: Option<&Ranked>, name: &str, namesakes: f64) -> f64 {
    let share = ranked.map_or(0.0, |ranked| ranked.of(name)) / namesakes;
    1.0 + share.ln_1p()
}

/// The names that are likely to be on a map.
fn likely<'s>(sources: &'s [Source<'_>]) -> Vec<&'s str> {
    let mut likely: Vec<(f64, &str)> = Vec::new();
    for source in sources {
        let Some(facts) = &source.facts else { continue };
        for (at, symbol) in facts.symbols.iter().enumerate() {
            let weight = plain_weight(facts, at).map(|weight| weight * source.symbol_prior());
            likely.extend(weight.map(|weight| (weight, facts.name(symbol))));
        }
    }
    likely.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    likely.truncate(LOOKED_UP);
    let mut names: Vec<&str> = likely.into_iter().map(|(_, name)| name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Symbols weigh more that are mentioned more often.
fn by_mentions(sources: &mut [Source<'_>], mentions: &FxHashMap<String, f64>) {
    for source in sources {
        source.weigh(|name, _| 1.0 + mentions.get(name).copied().unwrap_or_default().ln_1p());
    }
}

/// How much a symbol matters by what it is; `None` if it has no place on a map.
fn plain_weight(facts: &FileFacts, at: usize) -> Option<f64> {
    use SymbolKind::*;
    let symbol = &facts.symbols[at];
    let (mut depth, mut in_function, mut in_test) = (0, false, symbol.is_test);
    let mut parent = symbol.parent;
    while let Some(outer) = parent {
        let outer = &facts.symbols[outer];
        depth += 1;
        in_function |= outer.kind.is_function();
        in_test |= outer.is_test || (outer.kind == Module && matches!(facts.name(outer), "test" | "tests"));
        parent = outer.parent;
    }
    let kind = match symbol.kind {
        Class | Struct | Enum | Interface | Trait | Union | Object | Type => 1.0,
        Function | Macro | Table | View => 0.9,
        Method | Constructor => 0.6,
        Target | Stage | Block | Event => 0.4,
        Module | Namespace => 0.3,
        Constant => 0.25,
        Impl => 0.2,
        Variable | Property | Index | Test => 0.15,
        Field | Variant => 0.08,
        Heading if depth <= 1 => 0.1,
        Heading | Key | Selector | Element => return None,
    };
    let visibility = match symbol.visibility {
        Some(Visibility::Public) => 1.0,
        Some(Visibility::Internal) => 0.7,
        None => 0.7,
        Some(Visibility::Protected) => 0.5,
        Some(Visibility::Private) => 0.35,
    };
    let hidden = if in_function { 0.1 } else { 1.0 };
    let test = if in_test { 0.1 } else { 1.0 };
    Some(kind * visibility * hidden * test)
}

/// How important a file is by its path.
fn prior(path: &str, lang: &Lang) -> f64 {
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    let lower = name.to_ascii_lowercase();
    let stem = lower.split('.').next().unwrap_or(&lower);
    let depth = if dir.is_empty() { 0 } else { dir.split('/').count() };
    let place = if is_vendored_path(path) {
        0.03
    } else if is_test_path(path) {
        0.1
    } else if is_beside_path(path) {
        0.25
    } else {
        1.0
    };
    let manifest = stem == "readme"
        || matches!(
            lower.as_str(),
            "cargo.toml"
                | "package.json"
                | "pyproject.toml"
                | "setup.py"
                | "go.mod"
                | "pom.xml"
                | "makefile"
                | "build.gradle"
                | "build.gradle.kts"
                | "gemfile"
                | "composer.json"
                | "cmakelists.txt"
                | "dockerfile"
                | "mix.exs"
                | "package.swift"
                | "build.zig"
                | "pubspec.yaml"
        );
    if manifest {
        // One tells what the whole is; those of its parts are like each other.
        return place * if depth == 0 { 10.0 } else { 0.6 / depth as f64 };
    }
    let kind = match lang.has_symbols() && !lang.is_data() {
        true => 1.0,
        false => 0.2,
    };
    let entry = if is_entry_stem(path) && kind == 1.0 { 1.4 } else { 1.0 };
    place * kind * entry / (1.0 + 0.1 * depth as f64)
}
