//! A map of a workspace: its files, and which of their symbols tell most about it.
//!
//! Without a complete index the map comes from a walk and from as much parsing as a short time allows, so that the
//! first look at a repository does not wait for indexing.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use index::{FileRow, FileState};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use source::{is_beside_path, is_test_path, is_vendored_path};
use syntax::{ChunkOptions, FileFacts, Lang, NameId, PLAINTEXT, SymbolKind, Visibility, file_facts, lang_by_name};

use crate::{
    error::{Error, QueryProblem},
    files::repo_path,
    job::Control,
    langs::LangCounts,
    ranking::Ranking,
    snapshot::{Coverage, Snapshot},
    walk::{Found, MissedFiles, Rules, walk},
    workspace::Workspace,
};

/// Without an index files are parsed until so long after the beginning of the call; some are parsed in any case.
const PARSING: Duration = Duration::from_millis(550);
const PARSED_ANYHOW: usize = 24;

/// How many symbols are ranked by how often they are mentioned; what is private, nested or a test comes last.
const LOOKED_UP: usize = 20_000;

/// Names of data files are not read to find out that they are no text.
const BINARY: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "ico", "webp", "bmp", "pdf", "zip", "gz", "xz", "bz2", "zst", "tar", "7z", "jar",
    "class", "so", "a", "o", "dll", "dylib", "exe", "wasm", "bin", "dat", "woff", "woff2", "ttf", "otf", "eot", "mp3",
    "mp4", "parquet", "sqlite", "db", "pyc", "rlib",
];

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
    /// Directories that are too deep, and how many files each has.
    pub dirs: Vec<(String, usize)>,
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
        self.files.len() + self.dirs.iter().map(|(_, files)| files).sum::<usize>()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct MapFile {
    pub path: String,
    pub lang: &'static str,
    /// Known if it was read.
    pub lines: Option<u32>,
    /// How many symbols it has.
    pub n_symbols: usize,
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
    File(usize),
    Symbol { file: usize, symbol: usize },
}

/// A file with what is known of it.
struct Source {
    path: String,
    lang: &'static Lang,
    lines: Option<u32>,
    facts: Option<FileFacts>,
    text: Option<String>,
    /// What its path tells of its importance.
    prior: f64,
}

impl Source {
    /// What its path tells of the importance of its symbols. Manifests are worth a line, what is in them less so.
    fn symbol_prior(&self) -> f64 {
        if self.lang.is_data() {
            self.prior.min(1.0) * 0.05
        } else {
            self.prior
        }
    }

    fn new(path: &str, lang: &'static Lang, lines: Option<u32>) -> Source {
        Source {
            path: path.to_owned(),
            lang,
            lines,
            facts: None,
            text: None,
            prior: prior(path, lang),
        }
    }
}

impl Snapshot {
    /// A map of the indexed files.
    pub fn map(&self, request: &MapRequest<'_>) -> Result<CodeMap, Error> {
        let rows: Vec<&FileRow> = self.reader.files().indexed().collect();
        let paths: Vec<&str> = rows.iter().map(|row| &*row.path).collect();
        let scope = Scope::new(request.path, self.workspace.root.path(), &paths)?;
        let mut sorted = Sorted::default();
        for row in &rows[scope.range.clone()] {
            let lang = lang_by_name(row.lang).unwrap_or(&PLAINTEXT);
            let lines = match row.state {
                FileState::Indexed { lines, .. } => Some(lines),
                FileState::Skipped { .. } => None,
            };
            sorted.add(&scope, request, &row.path, lang, lines);
        }
        let read = |source: &mut Source| {
            if source.lang.has_symbols()
                && let Some(row) = self.reader.files().by_path(&source.path)
            {
                source.facts = Some(self.reader.definitions(row)?.ok_or(Error::Stale)?);
            }
            Ok::<_, Error>(())
        };
        // On threads that end: what others free of a thread's memory goes back to the system when it is gone.
        let share = sorted.sources.len().div_ceil(self.workspace.threads.max(1)).max(1);
        std::thread::scope(|scope| {
            let parts = sorted.sources.chunks_mut(share);
            let threads: Vec<_> = parts
                .map(|part| scope.spawn(|| part.iter_mut().try_for_each(read)))
                .collect();
            threads.into_iter().try_for_each(|thread| match thread.join() {
                Ok(read) => read,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        let ranking = if request.symbols { self.ranking()? } else { None };
        let mentions = |names: Vec<&str>| -> Result<FxHashMap<String, f64>, Error> {
            let one = |name: &&str| -> Result<(String, f64), Error> {
                let spread = self.reader.spread(name);
                let (mentioned, defined) = spread.map_err(|error| QueryProblem::Scan(error.to_string()))?;
                Ok(((*name).to_owned(), mentioned as f64 / defined.max(1) as f64))
            };
            let found: Vec<(String, f64)> = names.par_iter().map(one).collect::<Result<_, Error>>()?;
            Ok(found.into_iter().collect())
        };
        let text = |source: &Source| {
            let row = self.reader.files().by_path(&source.path).ok_or(Error::Stale)?;
            let bytes = self.current_bytes(row)?;
            Ok(source::decode(&bytes).ok_or(Error::Stale)?.text.into_owned())
        };
        let mut map = sorted.map(scope, request, ranking.as_ref(), mentions, text)?;
        let from = ranking.map_or(0, |ranking| ranking.generation);
        let is_current = from == self.reader.generation() || !request.symbols;
        map.order_from = (!is_current).then_some(from);
        Ok(map)
    }
}

impl Snapshot {
    /// The indexed files that a path means: itself, or all in the directory. With the path relative to the root, empty
    /// for everything.
    pub fn files_at(&self, path: &str) -> Result<(String, Vec<String>), Error> {
        let rows: Vec<&FileRow> = self.reader.files().indexed().collect();
        let paths: Vec<&str> = rows.iter().map(|row| &*row.path).collect();
        let scope = Scope::new(Some(path), self.workspace.root.path(), &paths);
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

impl Workspace {
    /// A map for a workspace whose index is not complete, with what it has looked at; `None` if the index is. Indexing
    /// goes on or begins in the background.
    pub fn map_unindexed(
        self: &Arc<Self>,
        request: &MapRequest<'_>,
        control: &Control<'_>,
    ) -> Result<Option<(CodeMap, Coverage)>, Error> {
        let deadline = Instant::now() + PARSING;
        let reader = self.store.reader()?;
        if reader.complete() {
            return Ok(None);
        }
        if !self.root.path().is_dir() {
            return Err(Error::RootGone {
                path: self.root.path().to_owned(),
            });
        }
        let rules = Rules::new(&self.root, &self.session().config)?;
        let walked = walk(self.root.path(), &rules, self.threads, control.cancelled);
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let found = walked.files.iter();
        let skipped = found.filter_map(|found| Some((found.path.as_str(), found.skip.as_deref()?)));
        let coverage = Coverage {
            generation: reader.generation(),
            digest: reader.files().digest(),
            complete: false,
            pending: None,
            behind: None,
            missed: MissedFiles::among(skipped),
            vectors: None,
            exact: None,
            undone: self.undone().cloned(),
            part: self.part().map(str::to_owned),
            all_left_out: false,
        };
        let files: Vec<&Found> = walked.files.iter().filter(|found| is_text(found)).collect();
        let paths: Vec<&str> = files.iter().map(|found| found.path.as_str()).collect();
        let scope = Scope::new(request.path, self.root.path(), &paths)?;
        let mut sorted = Sorted::default();
        for path in &paths[scope.range.clone()] {
            let name = path.rsplit('/').next().unwrap_or(path);
            sorted.add(&scope, request, path, syntax::detect(name, b""), None);
        }
        self.read_some(&mut sorted.sources, request, deadline, control);
        let parsed = sorted.sources.iter().filter(|source| source.facts.is_some()).count();
        let parsable = sorted.sources.iter().filter(|source| source.lang.has_symbols()).count();
        let counts = mentions_in(&sorted.sources);
        let mut map = sorted.map(
            scope,
            request,
            None,
            |names| {
                let of = |name: &str| counts.get(name).copied().unwrap_or_default();
                Ok(names.into_iter().map(|name| (name.to_owned(), of(name))).collect())
            },
            |source| Ok(source.text.clone().unwrap_or_default()),
        )?;
        map.parsed = (request.symbols && parsed < parsable).then_some((parsed, parsable));
        // Now, and not before: parsing here and indexing would only have slowed each other down.
        self.index_in_background(false)?;
        Ok(Some((map, coverage)))
    }

    /// Reads, and parses where symbols are wanted, the most promising files while there is time.
    fn read_some(&self, sources: &mut [Source], request: &MapRequest<'_>, deadline: Instant, control: &Control<'_>) {
        let mut promising: Vec<usize> = (0..sources.len())
            .filter(|at| !request.symbols || sources[*at].lang.has_symbols())
            .collect();
        let promise = |source: &Source| match request.symbols {
            true => source.symbol_prior(),
            false => source.prior,
        };
        promising.sort_by(|a, b| {
            promise(&sources[*b])
                .total_cmp(&promise(&sources[*a]))
                .then_with(|| a.cmp(b))
        });
        promising.truncate(request.room);
        let parse = request.symbols && self.session().config.symbols;
        let options = ChunkOptions {
            size: self.session().config.chunk_size,
            overlap: self.session().config.overlap,
        };
        let limit = self.session().config.max_file_bytes;
        let next = AtomicUsize::new(0);
        let read = Mutex::new(Vec::new());
        let known: &[Source] = sources;
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let late = at >= PARSED_ANYHOW && Instant::now() >= deadline;
                let Some(number) = promising.get(at).filter(|_| !late && !control.is_cancelled()) else {
                    return;
                };
                let source = &known[*number];
                let Ok((bytes, _)) = self.root.read(&source.path, limit) else {
                    continue;
                };
                let Some(text) = source::decode(&bytes).map(|decoded| decoded.text.into_owned()) else {
                    continue;
                };
                let facts = parse.then(|| file_facts(source.lang, &text, options));
                read.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push((*number, text, facts));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work);
            }
            work();
        });
        for (number, text, facts) in read.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let source = &mut sources[number];
            source.lines = Some(source::count_lines(&text));
            source.text = Some(text);
            source.facts = facts;
        }
    }
}

fn is_text(found: &Found) -> bool {
    let name = found.path.rsplit('/').next().unwrap_or(&found.path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    found.skip.is_none() && !BINARY.iter().any(|binary| extension.eq_ignore_ascii_case(binary))
}

/// For each name, in how many of the files it is mentioned, divided by how many symbols have it.
fn mentions_in(sources: &[Source]) -> FxHashMap<&str, f64> {
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
    counts.into_iter().map(|(name, counts)| (name, ratio(counts))).collect()
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

/// The file or directory that was probably meant.
fn nearest_path(path: &str, paths: &[&str]) -> Option<String> {
    let mut dirs: Vec<&str> = paths
        .iter()
        .flat_map(|file| file.match_indices('/').map(|(at, _)| &file[..at]))
        .collect();
    dirs.sort_unstable();
    dirs.dedup();
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let wanted = name(path);
    let likeness = |other: &str| {
        let own = name(other);
        let same = if own == wanted { 1.0 } else { 0.0 };
        same + strsim::jaro_winkler(&own, &wanted) + strsim::jaro_winkler(other, path) / 10.0
    };
    let all = dirs.into_iter().chain(paths.iter().copied());
    let scored = all.map(|other| (likeness(other), other));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))?;
    (best.0 > 0.85).then(|| best.1.to_owned())
}

/// Where in `MapFile::symbols` a symbol of a file is.
type Places = FxHashMap<(usize, usize), usize>;

/// Files and directories of a scope.
#[derive(Default)]
struct Sorted {
    sources: Vec<Source>,
    dirs: BTreeMap<String, (usize, f64)>,
    langs: LangCounts,
}

impl Sorted {
    fn add(&mut self, scope: &Scope, request: &MapRequest<'_>, path: &str, lang: &'static Lang, lines: Option<u32>) {
        if request
            .lang
            .is_some_and(|wanted| !search::is_of_lang(wanted, lang.name, path))
        {
            return;
        }
        self.langs.add(lang.name, path);
        let below = scope.below(path);
        let too_deep = request
            .depth
            .and_then(|depth| below.match_indices('/').nth(depth.saturating_sub(1)));
        match too_deep {
            None => self.sources.push(Source::new(path, lang, lines)),
            Some((at, _)) => {
                let dir = &path[..path.len() - below.len() + at];
                let (files, weight) = self.dirs.entry(dir.to_owned()).or_default();
                *files += 1;
                *weight = weight.max(prior(path, lang));
            }
        }
    }

    fn map(
        &self,
        scope: Scope,
        request: &MapRequest<'_>,
        ranking: Option<&Ranking>,
        mentions: impl FnOnce(Vec<&str>) -> Result<FxHashMap<String, f64>, Error>,
        text: impl Fn(&Source) -> Result<String, Error>,
    ) -> Result<CodeMap, Error> {
        let ranked = rank(&self.sources, ranking, mentions)?;
        let order = self.order(request, &ranked);
        let (files, places) = self.files(&order, &ranked, text)?;
        let order = order.into_iter().map(|item| match item {
            MapItem::Symbol { file, symbol } => MapItem::Symbol {
                file,
                symbol: places[&(file, symbol)],
            },
            other => other,
        });
        let dirs = self.dirs.iter().map(|(dir, (files, _))| (dir.clone(), *files));
        Ok(CodeMap {
            path: scope.path,
            order: order.collect(),
            files,
            dirs: dirs.collect(),
            langs: self.langs.most_first(),
            parsed: None,
            order_from: None,
        })
    }

    /// As much as there is room for, most important first. Symbols are numbered as in their file.
    fn order(&self, request: &MapRequest<'_>, ranked: &[Vec<(f64, u32)>]) -> Vec<MapItem> {
        let mut order: Vec<(f64, MapItem)> = Vec::new();
        for (at, (_, weight)) in self.dirs.values().enumerate() {
            order.push((*weight, MapItem::Dir(at)));
        }
        for (file, (source, symbols)) in self.sources.iter().zip(ranked).enumerate() {
            let best = symbols.first().map_or(0.0, |(weight, _)| *weight);
            // A file without symbols is still a part of the whole.
            order.push((best.max(source.prior * 0.3), MapItem::File(file)));
            if request.symbols {
                let items = symbols.iter().map(|(weight, symbol)| {
                    let symbol = *symbol as usize;
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
        ranked: &[Vec<(f64, u32)>],
        text: impl Fn(&Source) -> Result<String, Error>,
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
                            .and_then(|parent| places.get(&(file, parent as usize)).copied()),
                        name: facts.name(symbol).to_owned(),
                        kind: symbol.kind,
                        signature: facts.signature(symbol, &text),
                        doc: facts.doc(symbol, &text),
                    });
                }
            }
            files.push(MapFile {
                path: source.path.clone(),
                lang: source.lang.name,
                lines: source.lines,
                n_symbols: ranked[file].len(),
                symbols,
            });
        }
        Ok((files, places))
    }
}

/// Symbols and those around them, in the order of the text.
fn with_parents(facts: &FileFacts, wanted: &[usize]) -> Vec<usize> {
    let mut all = wanted.to_vec();
    for at in wanted {
        let mut parent = facts.symbols[*at].parent;
        while let Some(outer) = parent {
            all.push(outer as usize);
            parent = facts.symbols[outer as usize].parent;
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// For each file its symbols that belong on a map, most important first: what other files refer to, or else what they
/// mention.
fn rank(
    sources: &[Source],
    ranking: Option<&Ranking>,
    mentions: impl FnOnce(Vec<&str>) -> Result<FxHashMap<String, f64>, Error>,
) -> Result<Vec<Vec<(f64, u32)>>, Error> {
    let mut ranked: Vec<Vec<(f64, u32)>> = Vec::with_capacity(sources.len());
    for source in sources {
        let mut own = Vec::new();
        if let Some(facts) = &source.facts {
            for at in 0..facts.symbols.len() {
                if let Some(weight) = plain_weight(facts, at) {
                    own.push((weight * source.symbol_prior(), at as u32));
                }
            }
        }
        ranked.push(own);
    }
    match ranking {
        Some(ranking) => by_references(sources, &mut ranked, ranking),
        None => by_mentions(sources, &mut ranked, mentions)?,
    }
    for symbols in &mut ranked {
        symbols.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        // Something of many files tells more than all of a few.
        for (at, (weight, _)) in symbols.iter_mut().enumerate() {
            *weight /= 1.0 + 0.15 * at as f64;
        }
    }
    Ok(ranked)
}

fn by_references(sources: &[Source], ranked: &mut [Vec<(f64, u32)>], ranking: &Ranking) {
    for (source, symbols) in sources.iter().zip(ranked) {
        let Some(facts) = &source.facts else { continue };
        let mut namesakes: FxHashMap<NameId, f64> = FxHashMap::default();
        for symbol in &facts.symbols {
            *namesakes.entry(symbol.name).or_default() += 1.0;
        }
        for (weight, at) in symbols.iter_mut() {
            let symbol = &facts.symbols[*at as usize];
            let count = namesakes.get(&symbol.name).copied().unwrap_or(1.0);
            let share = ranking.of(&source.path, facts.name(symbol)) / count;
            *weight *= 1.0 + share.ln_1p();
        }
    }
}

fn by_mentions(
    sources: &[Source],
    ranked: &mut [Vec<(f64, u32)>],
    mentions: impl FnOnce(Vec<&str>) -> Result<FxHashMap<String, f64>, Error>,
) -> Result<(), Error> {
    let mut likely: Vec<(f64, &str)> = Vec::new();
    for (source, symbols) in sources.iter().zip(ranked.iter()) {
        let Some(facts) = &source.facts else { continue };
        let named = symbols.iter();
        likely.extend(named.map(|(weight, at)| (*weight, facts.name(&facts.symbols[*at as usize]))));
    }
    likely.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    likely.truncate(LOOKED_UP);
    let mut names: Vec<&str> = likely.into_iter().map(|(_, name)| name).collect();
    names.sort_unstable();
    names.dedup();
    let mentions = mentions(names)?;
    for (source, symbols) in sources.iter().zip(ranked) {
        let Some(facts) = &source.facts else { continue };
        for (weight, at) in symbols.iter_mut() {
            let name = facts.name(&facts.symbols[*at as usize]);
            *weight *= 1.0 + mentions.get(name).copied().unwrap_or_default().ln_1p();
        }
    }
    Ok(())
}

/// How much a symbol matters by what it is; `None` if it has no place on a map.
fn plain_weight(facts: &FileFacts, at: usize) -> Option<f64> {
    use SymbolKind::*;
    let symbol = &facts.symbols[at];
    let (mut depth, mut in_function, mut in_test) = (0, false, symbol.is_test);
    let mut parent = symbol.parent;
    while let Some(outer) = parent {
        let outer = &facts.symbols[outer as usize];
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
    let entry = matches!(
        stem,
        "main" | "lib" | "mod" | "index" | "app" | "cli" | "server" | "__init__" | "__main__" | "program" | "api"
    );
    let entry = if entry && kind == 1.0 { 1.4 } else { 1.0 };
    place * kind * entry / (1.0 + 0.1 * depth as f64)
}
