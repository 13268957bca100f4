//! `map_code`: the tree of a repository with the signatures that tell most about it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    ops::Range,
};

use queries::{CodeMap, DirFacts, MapDir, MapFile, MapItem, MapPart, MapRequest, MapSymbol};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::Coverage;

use crate::{
    machinery::{
        answer::Answer,
        error::ToolError,
        paging::most_below,
        tokens,
        tool::{Ctx, Effect, Engine, SYNTAX, Tool, Toolset, default_tokens},
        units::{and_more, count, plural},
        visible::{clip, visible_name},
    },
    parts::filter::language,
};

pub(crate) struct MapCode;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// Directory or file
    path: Option<String>,
    /// Directory levels; default all
    #[schemars(range(min = 1, max = 1000))]
    depth: Option<u32>,
    /// files: line counts; full: first doc line
    #[serde(default)]
    detail: Detail,
    language: Option<String>,
    #[expect(dead_code, reason = "the dispatcher takes it; there is no cursor to go with it")]
    #[schemars(range(min = 1, max = 20000))]
    #[serde(default = "default_tokens")]
    max_tokens: u64,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Detail {
    Files,
    #[default]
    Signatures,
    Full,
}

/// Longer signatures and sentences are cut.
const SIGNATURE_CHARS: usize = 180;
const DOC_CHARS: usize = 120;
/// Directories that are named where all their files are left out.
const NAMED_DIRS: usize = 3;
const LANGS: usize = 5;

impl Tool for MapCode {
    const NAME: &'static str = "map_code";
    const TITLE: &'static str = "Map a codebase";
    const DOC: &'static str = "What a repository or directory consists of: its packages with their purpose and importers, entry points, most \
         important signatures. Use first in an unfamiliar repository; get_symbols for one file.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = "{}";
    const ENGINES: &'static [Engine] = SYNTAX;
    const CLI: Option<&'static str> = Some("map");
    const POSITIONAL: &'static [&'static str] = &["path"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("lang", "language"),
        ("max_depth", "depth"),
        ("file_path", "path"),
        ("dir", "path"),
    ];
    const PAGED: bool = false;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("files", "array"),
        ("directories", "array"),
        ("about", "string"),
        ("entry_points", "array"),
        ("most_imported", "array"),
        ("packages", "array"),
        ("shown", "object"),
        ("hidden", "object"),
        ("order_generation", "integer"),
        ("coverage", "object"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let request = MapRequest {
            path: params.path.as_deref().filter(|path| !path.trim().is_empty()),
            depth: params.depth.map(|depth| depth as usize),
            lang: params.language.as_deref().map(language).transpose()?,
            symbols: params.detail != Detail::Files,
            // Not even the shortest line costs less than two tokens.
            room: ctx.paging.max_tokens as usize / 2 + 1,
        };
        let workspace = ctx.workspace()?;
        let name = workspace.session().name.clone();
        let unindexed = queries::map_unindexed(&workspace, &request, &ctx.control).map_err(elsewhere)?;
        if let Some((map, coverage)) = unindexed {
            let answer = largest(ctx, &map, &name, params.detail, &coverage);
            return Ok(answer.by(ctx.engines).covered_by(&coverage));
        }
        ctx.answer(|snapshot| {
            let map = snapshot.map(&request).map_err(elsewhere)?;
            Ok(largest(ctx, &map, &name, params.detail, &snapshot.coverage()))
        })
    }
}

/// Another repository is not a part of this one.
fn elsewhere(error: workspace::Error) -> ToolError {
    let outside = matches!(error, workspace::Error::Outside { .. });
    let mut error = ToolError::from(error);
    if outside {
        error.hint = "give the absolute path of the other repository's directory".into();
    }
    error
}

/// With as many of the most important items as fit.
fn largest(ctx: &Ctx<'_>, map: &CodeMap, name: &str, detail: Detail, coverage: &Coverage) -> Answer {
    let tree = Tree::new(map);
    let answer = |items: usize| tree.answer(map, name, detail, &map.order[..items]);
    let fits = |items: usize| {
        ctx.paging
            .fits_whole(&answer(items).by(ctx.engines).covered_by(coverage))
    };
    answer(most_below(map.order.len() + 1, fits))
}

/// One directory's entries by name.
#[derive(Default)]
struct Tree<'m> {
    entries: BTreeMap<&'m str, Node<'m>>,
    /// What is in it, as it follows each other in `CodeMap::files` and `CodeMap::dirs`.
    files: Range<usize>,
    dirs: Range<usize>,
}

enum Node<'m> {
    Dir(Tree<'m>),
    /// An index into `CodeMap::dirs`.
    Closed(usize),
    /// An index into `CodeMap::files`.
    File(usize),
}

/// What is shown: symbols of a file by their index.
#[derive(Default)]
struct Chosen {
    /// With those of their parts that are shown.
    dirs: BTreeMap<usize, BTreeSet<usize>>,
    files: BTreeMap<usize, BTreeSet<usize>>,
}

impl Chosen {
    fn new(map: &CodeMap, items: &[MapItem]) -> Chosen {
        let mut chosen = Chosen::default();
        for item in items {
            match *item {
                MapItem::Dir(dir) => {
                    chosen.dirs.entry(dir).or_default();
                }
                MapItem::Part { dir, part } => {
                    chosen.dirs.entry(dir).or_default().insert(part);
                }
                MapItem::File(file) => {
                    chosen.files.entry(file).or_default();
                }
                MapItem::Symbol { file, symbol } => {
                    let symbols = chosen.files.entry(file).or_default();
                    let mut next = Some(symbol);
                    while let Some(symbol) = next {
                        symbols.insert(symbol);
                        next = map.files[file].symbols[symbol].parent;
                    }
                }
            }
        }
        chosen
    }

    fn n_symbols(&self) -> usize {
        self.files.values().map(BTreeSet::len).sum()
    }

    /// Says at the end of a text how much it shows, and how many tokens the whole is.
    fn sign(&self, text: &mut String, notes: &str) -> u64 {
        let footer = |tokens: u64| {
            format!(
                "\n[{}, {}, {tokens} tokens]{notes}",
                plural(self.files.len(), "file"),
                plural(self.n_symbols(), "symbol"),
            )
        };
        // The number is part of what it counts.
        let mut tokens = 0;
        for _ in 0..4 {
            tokens = tokens::count(&(text.clone() + &footer(tokens)));
        }
        text.push_str(&footer(tokens));
        tokens
    }
}

/// Lines below the tree: what its marks mean, and what is not known yet.
fn notes(map: &CodeMap, detail: Detail, hidden: &Hidden) -> String {
    let mut notes = String::new();
    if !hidden.is_nothing() {
        notes.push_str(match detail {
            Detail::Files => "\n(+n) counts what is not shown. For more: path, depth, language or a larger max_tokens.",
            _ => {
                "\n(+n) counts what is not shown. For more: path, depth, language, detail files, get_symbols or a \
                 larger max_tokens."
            }
        });
    }
    if let Some((parsed, of)) = map.parsed {
        let _ = write!(
            notes,
            "\nSymbols are known of {} of {} so far.",
            count(parsed as u64),
            plural(of, "file")
        );
    }
    match map.order_from {
        None => {}
        Some(0) => notes.push_str("\nThe order is by names and paths so far: who refers to whom is being counted."),
        Some(generation) => {
            let _ = write!(
                notes,
                "\nThe order is that of index generation {generation}, before the last changes."
            );
        }
    }
    notes
}

impl<'m> Tree<'m> {
    fn new(map: &'m CodeMap) -> Tree<'m> {
        let mut tree = Tree::default();
        for (at, file) in map.files.iter().enumerate() {
            tree.insert(below(map, &file.path), Node::File(at));
        }
        for (at, dir) in map.dirs.iter().enumerate() {
            tree.insert(below(map, &dir.path), Node::Closed(at));
        }
        tree
    }

    fn insert(&mut self, path: &'m str, node: Node<'m>) {
        let mut tree = self;
        let mut rest = path;
        tree.extend(&node);
        while let Some((dir, below)) = rest.split_once('/') {
            let entry = tree.entries.entry(dir).or_insert_with(|| Node::Dir(Tree::default()));
            let Node::Dir(inner) = entry else { return };
            (tree, rest) = (inner, below);
            tree.extend(&node);
        }
        tree.entries.insert(rest, node);
    }

    /// Takes in what comes next in the order of paths.
    fn extend(&mut self, node: &Node<'_>) {
        let (range, at) = match node {
            Node::File(at) => (&mut self.files, *at),
            Node::Closed(at) => (&mut self.dirs, *at),
            Node::Dir(_) => return,
        };
        let start = if range.start < range.end { range.start } else { at };
        *range = start..at + 1;
    }

    fn answer(&self, map: &CodeMap, name: &str, detail: Detail, items: &[MapItem]) -> Answer {
        let chosen = Chosen::new(map, items);
        let hidden = Hidden::new(map, detail, &chosen);
        let what = match map.path.as_str() {
            "" => name.to_owned(),
            path => visible_name(path),
        };
        let mut head = match map.n_files() {
            0 => format!("{what}: no files"),
            total => format!("{what}: {} ({})", plural(total, "file"), langs(map)),
        };
        for line in orientation(map) {
            let _ = write!(head, "\n{line}");
        }
        let unopened = self.print(map, detail, &chosen, &map.path, 0, &mut head);
        if !hidden.is_nothing() {
            let _ = write!(head, "\n... ({hidden}{unopened})");
        }
        let tokens = chosen.sign(&mut head, &notes(map, detail, &hidden));
        let files: Vec<Value> = chosen
            .files
            .iter()
            .map(|(file, symbols)| file_json(&map.files[*file], symbols, detail))
            .collect();
        let mut facts = json!({
            "path": if map.path.is_empty() { "." } else { &map.path },
            "files": files,
            "shown": { "files": chosen.files.len(), "symbols": chosen.n_symbols() },
            "hidden": { "files": hidden.files, "symbols": hidden.symbols },
            "tokens": tokens,
        });
        if !chosen.dirs.is_empty() {
            let dirs = chosen.dirs.iter();
            facts["directories"] = dirs.map(|(dir, parts)| dir_json(&map.dirs[*dir], parts)).collect();
        }
        if let Some(about) = &map.about {
            facts["about"] = about.as_str().into();
        }
        if !map.entry_points.is_empty() {
            facts["entry_points"] = map.entry_points.clone().into();
        }
        if !map.most_imported.is_empty() {
            let imported = map.most_imported.iter();
            facts["most_imported"] = imported
                .map(|(path, importers)| json!({ "path": path, "imported_by": importers }))
                .collect();
        }
        let packages = self.opened(map, &chosen);
        if !packages.is_empty() {
            facts["packages"] = packages.into();
        }
        if let Some((parsed, _)) = map.parsed {
            facts["parsed_files"] = parsed.into();
        }
        if let Some(generation) = map.order_from {
            facts["order_generation"] = generation.into();
        }
        Answer::of(head, facts)
    }

    /// The opened directories of which something is known and something shown.
    fn opened(&self, map: &CodeMap, chosen: &Chosen) -> Vec<Value> {
        let files = chosen.files.keys().map(|file| map.files[*file].path.as_str());
        let dirs = chosen.dirs.keys().map(|dir| map.dirs[*dir].path.as_str());
        let shown: Vec<&str> = files.chain(dirs).collect();
        let is_shown = |dir: &str| {
            let inside = |path: &&str| path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'));
            shown.iter().any(inside)
        };
        let known = map.opened.iter().filter(|(_, facts)| **facts != DirFacts::default());
        known
            .filter(|(dir, _)| is_shown(dir))
            .map(|(dir, facts)| with_facts(json!({ "path": dir }), facts))
            .collect()
    }

    /// The entries that are shown, those of which nothing but the name is known on one line. Returns a remark on those that
    /// are not shown.
    fn print(
        &self,
        map: &CodeMap,
        detail: Detail,
        chosen: &Chosen,
        place: &str,
        level: usize,
        out: &mut String,
    ) -> String {
        let indent = "  ".repeat(level);
        let mut names: Vec<String> = Vec::new();
        for (raw, node) in self.shown(chosen) {
            let name = visible_name(raw);
            match node {
                Node::Closed(dir) => {
                    let parts = &chosen.dirs[dir];
                    let dir = &map.dirs[*dir];
                    let _ = write!(out, "\n{indent}{name}/ ({})", size(dir));
                    if let Some(about) = &dir.facts.about {
                        let _ = write!(out, ": {}", visible_name(about));
                    }
                    for part in parts {
                        let _ = write!(out, "\n{indent}  {}", part_line(&dir.parts[*part]));
                    }
                }
                Node::File(file) => {
                    let symbols = &chosen.files[file];
                    let file = &map.files[*file];
                    let more = file.n_symbols - symbols.len();
                    let is_bare = symbols.is_empty() && more == 0 && file.problem.is_none();
                    if detail != Detail::Files && is_bare {
                        names.push(name);
                        continue;
                    }
                    let _ = write!(out, "\n{indent}{name}");
                    match (detail, file.lines) {
                        (Detail::Files, Some(lines)) => {
                            let _ = write!(out, " ({})", plural(lines as usize, "line"));
                        }
                        (Detail::Signatures | Detail::Full, _) if more > 0 => {
                            let _ = write!(out, " (+{more})");
                        }
                        _ => {}
                    }
                    if let Some(problem) = &file.problem {
                        let _ = write!(out, " (not parsed: {problem})");
                    }
                    for line in symbol_lines(file, symbols, detail) {
                        let _ = write!(out, "\n{indent}  {line}");
                    }
                }
                Node::Dir(tree) => {
                    let _ = write!(out, "\n{indent}{name}");
                    let mut path = join(place, raw);
                    let mut known = map.opened.get(&path);
                    let (mut tree, mut hidden) = (tree, tree.hidden_here(map, chosen));
                    // A directory of which only a directory is shown is worth no line of its own.
                    while let [(name, Node::Dir(only))] = tree.shown(chosen).collect::<Vec<_>>()[..] {
                        let _ = write!(out, "/{}", visible_name(name));
                        path = join(&path, name);
                        let inner = map.opened.get(&path);
                        // What the outer one is said to be holds for the inner one too, unless that has its own.
                        known = inner.filter(|inner| inner.about.is_some()).or(known).or(inner);
                        tree = only;
                        hidden += tree.hidden_here(map, chosen);
                    }
                    let mut inside = String::new();
                    let unopened = tree.print(map, detail, chosen, &path, level + 1, &mut inside);
                    out.push('/');
                    let mut remarks = Vec::new();
                    if let Some(facts) = known.filter(|facts| facts.importers > 0) {
                        remarks.push(importers(facts));
                    }
                    if hidden > 0 {
                        remarks.push(format!("+{}{unopened}", count(hidden as u64)));
                    }
                    if !remarks.is_empty() {
                        let _ = write!(out, " ({})", remarks.join("; "));
                    }
                    if let Some(about) = known.and_then(|facts| facts.about.as_ref()) {
                        let _ = write!(out, ": {}", visible_name(about));
                    }
                    out.push_str(&inside);
                }
            }
        }
        if !names.is_empty() {
            let _ = write!(out, "\n{indent}{}", names.join(", "));
        }
        let is_unopened = |(_, node): &(&&str, &Node<'_>)| !matches!(node, Node::File(_)) && !node.is_shown(chosen);
        let dirs: Vec<String> = self
            .entries
            .iter()
            .filter(is_unopened)
            .map(|(name, _)| visible_name(name) + "/")
            .collect();
        let mut remark = String::new();
        let named = if level == 0 { 2 * NAMED_DIRS } else { NAMED_DIRS };
        if !dirs.is_empty() {
            let more = and_more(dirs.len().saturating_sub(named));
            let _ = write!(
                remark,
                "; not opened: {}{more}",
                dirs[..dirs.len().min(named)].join(" ")
            );
        }
        remark
    }

    fn shown(&self, chosen: &Chosen) -> impl Iterator<Item = (&&'m str, &Node<'m>)> {
        self.entries.iter().filter(|(_, node)| node.is_shown(chosen))
    }

    /// How many files are left out that have no directory shown below this one.
    fn hidden_here(&self, map: &CodeMap, chosen: &Chosen) -> usize {
        let hidden = self.entries.values().filter(|node| !node.is_shown(chosen));
        hidden.map(|node| node.files(map)).sum()
    }
}

impl Node<'_> {
    fn is_shown(&self, chosen: &Chosen) -> bool {
        match self {
            Node::Dir(tree) => {
                let mut files = chosen.files.range(tree.files.clone());
                let mut dirs = chosen.dirs.range(tree.dirs.clone());
                files.next().is_some() || dirs.next().is_some()
            }
            Node::Closed(dir) => chosen.dirs.contains_key(dir),
            Node::File(file) => chosen.files.contains_key(file),
        }
    }

    fn files(&self, map: &CodeMap) -> usize {
        match self {
            Node::Dir(tree) => {
                let closed = map.dirs[tree.dirs.clone()].iter();
                tree.files.len() + closed.map(|dir| dir.files).sum::<usize>()
            }
            Node::Closed(dir) => map.dirs[*dir].files,
            Node::File(_) => 1,
        }
    }
}

/// How much is not shown.
struct Hidden {
    files: usize,
    symbols: usize,
}

impl Hidden {
    fn new(map: &CodeMap, detail: Detail, chosen: &Chosen) -> Hidden {
        let in_shown_dirs: usize = chosen.dirs.keys().map(|dir| map.dirs[*dir].files).sum();
        let all_symbols: usize = map.files.iter().map(|file| file.n_symbols).sum();
        Hidden {
            files: map.n_files() - chosen.files.len() - in_shown_dirs,
            symbols: match detail {
                Detail::Files => 0,
                _ => all_symbols - chosen.n_symbols(),
            },
        }
    }

    fn is_nothing(&self) -> bool {
        self.files + self.symbols == 0
    }
}

impl std::fmt::Display for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let more = |n: usize, noun: &str| plural(n, &format!("more {noun}"));
        match (self.files, self.symbols) {
            (0, symbols) => f.write_str(&more(symbols, "symbol")),
            (files, 0) => f.write_str(&more(files, "file")),
            (files, symbols) => write!(f, "{}, {}", more(files, "file"), more(symbols, "symbol")),
        }
    }
}

/// Lines above the tree: what this is, where programs start, and what the rest is built on.
fn orientation(map: &CodeMap) -> Vec<String> {
    let mut lines: Vec<String> = map.about.iter().map(|about| visible_name(about)).collect();
    let names = |names: Vec<String>| names.join(", ");
    if !map.entry_points.is_empty() {
        let paths = map.entry_points.iter().map(|path| visible_name(path)).collect();
        lines.push(format!("Entry points: {}", names(paths)));
    }
    if !map.most_imported.is_empty() {
        let dirs = map.most_imported.iter();
        let dirs = dirs.map(|(dir, importers)| format!("{}/ ({})", visible_name(dir), count(u64::from(*importers))));
        lines.push(format!(
            "Most imported, with the number of importing files: {}",
            names(dirs.collect())
        ));
    }
    lines
}

fn size(dir: &MapDir) -> String {
    let mut size = plural(dir.files, "file");
    if let Some(lines) = dir.lines {
        let _ = write!(size, ", {}", plural(lines as usize, "line"));
    }
    if dir.facts.importers > 0 {
        let _ = write!(size, "; {}", importers(&dir.facts));
    }
    size
}

fn importers(facts: &DirFacts) -> String {
    format!("imported by {}", plural(facts.importers as usize, "file"))
}

/// A file or directory in one that is not opened: what it is, and what it defines.
fn part_line(part: &MapPart) -> String {
    let mut line = part.name.clone();
    if let Some(about) = &part.about {
        let _ = write!(line, ": {about}");
    }
    if !part.symbols.is_empty() {
        let _ = write!(line, " [{}]", part.symbols.join(", "));
    }
    visible_name(&line)
}

fn dir_json(dir: &MapDir, parts: &BTreeSet<usize>) -> Value {
    let mut json = with_facts(json!({ "path": dir.path, "files": dir.files }), &dir.facts);
    if let Some(lines) = dir.lines {
        json["lines"] = lines.into();
    }
    if !parts.is_empty() {
        let part = |part: &MapPart| {
            let mut json = json!({ "name": part.name });
            if let Some(about) = &part.about {
                json["about"] = about.as_str().into();
            }
            if !part.symbols.is_empty() {
                json["symbols"] = part.symbols.clone().into();
            }
            json
        };
        json["parts"] = parts.iter().map(|at| part(&dir.parts[*at])).collect();
    }
    json
}

fn with_facts(mut json: Value, facts: &DirFacts) -> Value {
    if let Some(about) = &facts.about {
        json["about"] = about.as_str().into();
    }
    if facts.importers > 0 {
        json["imported_by"] = facts.importers.into();
    }
    json
}

fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() {
        name.to_owned()
    } else {
        format!("{dir}/{name}")
    }
}

/// A path without what was asked for.
fn below<'p>(map: &CodeMap, path: &'p str) -> &'p str {
    match path.strip_prefix(&map.path) {
        Some("") | None => path.rsplit('/').next().unwrap_or(path),
        Some(rest) => rest.trim_start_matches('/'),
    }
}

fn langs(map: &CodeMap) -> String {
    let named = map.langs.iter().take(LANGS);
    let mut langs: Vec<String> = named
        .map(|(lang, files)| format!("{lang} {}", count(*files as u64)))
        .collect();
    if map.langs.len() > LANGS {
        let others: usize = map.langs[LANGS..].iter().map(|(_, files)| files).sum();
        langs.push(format!("other {}", count(others as u64)));
    }
    langs.join(", ")
}

/// One line a symbol, indented by what it is inside of.
fn symbol_lines(file: &MapFile, shown: &BTreeSet<usize>, detail: Detail) -> Vec<String> {
    let mut lines = Vec::with_capacity(shown.len());
    for at in shown {
        let symbol = &file.symbols[*at];
        let mut level = 0;
        let mut parent = symbol.parent;
        while let Some(outer) = parent {
            level += 1;
            parent = file.symbols[outer].parent;
        }
        let mut line = "  ".repeat(level) + &signature(symbol);
        let doc = symbol.doc.as_deref().and_then(|doc| doc.lines().next());
        if let Some(doc) = doc.filter(|_| detail == Detail::Full) {
            let _ = write!(line, " // {}", clip(doc, DOC_CHARS));
        }
        lines.push(visible_name(&line));
    }
    lines
}

fn signature(symbol: &MapSymbol) -> String {
    if symbol.signature.is_empty() {
        return format!("{} {}", symbol.kind.as_str(), symbol.name);
    }
    clip(&symbol.signature, SIGNATURE_CHARS)
}

fn file_json(file: &MapFile, symbols: &BTreeSet<usize>, detail: Detail) -> Value {
    let mut json = json!({ "path": file.path });
    if let Some(problem) = &file.problem {
        json["not_parsed"] = problem.as_str().into();
    }
    if detail == Detail::Files {
        if let Some(lines) = file.lines {
            json["lines"] = lines.into();
        }
        return json;
    }
    if !symbols.is_empty() {
        json["symbols"] = symbol_lines(file, symbols, detail).into();
    }
    if file.n_symbols > symbols.len() {
        json["more"] = (file.n_symbols - symbols.len()).into();
    }
    json
}
