//! `deep_dive`: what one needs to know of a symbol, by its kind, in as much detail as is asked for.

mod package;
mod rows;

use std::collections::{BTreeMap, BTreeSet};

use queries::{
    Bounds, Callee, Caller, CodeGraph, DependencyTarget, LIKELY, Named, Role, Snapshot, Subject, SymbolHit, SymbolId,
    SymbolKind, Use, Visibility,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    machinery::{
        answer::{Answer, Resumed, Row},
        error::ToolError,
        tool::{Ctx, DEFAULT_TOKENS, Effect, Engine, GRAPH, Tool, Toolset},
        units::{first_few, plural},
        visible::visible_name,
    },
    parts::{
        risk,
        subject::{self, Found, Overrides, SymbolSelector},
    },
};

pub(crate) struct DeepDive;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[serde(flatten)]
    target: SymbolSelector,
    /// context adds body and signatures, full other bodies and tests
    #[serde(default)]
    depth: Depth,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, Default, PartialEq, PartialOrd)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Depth {
    #[default]
    Overview,
    Context,
    Full,
}

impl Depth {
    fn as_str(self) -> &'static str {
        match self {
            Depth::Overview => "overview",
            Depth::Context => "context",
            Depth::Full => "full",
        }
    }

    /// Entries that are shown of a list.
    fn cap(self) -> usize {
        match self {
            Depth::Overview => 10,
            Depth::Context => 15,
            Depth::Full => usize::MAX,
        }
    }

    /// What the symbol's own body may take up, in tokens: most functions are shown whole.
    fn body_tokens(self) -> u64 {
        match self {
            Depth::Overview => 0,
            Depth::Context => 400,
            Depth::Full => 700,
        }
    }
}

/// Lines of code that one list shows at `full`: the bodies of its first entries. The others have one line each, so that a
/// symbol with many callers is about as long to read as one with few.
const LIST_LINES: usize = 24;

/// Entries of each list on the first page at `full`, unless there is room for more than is usual. The others follow on the
/// next pages.
const FIRST_ENTRIES: usize = 20;

/// Exports of a module that every depth shows.
const MOST_EXPORTS: usize = 20;
/// Names of what it calls outside of the workspace.
const MAX_ELSEWHERE: usize = 8;
/// Rows that are made for one page; none has fewer than a handful of tokens.
const PAGE_ROWS: usize = 400;
/// How far from the symbol a test may be that exercises it.
const TESTS_WITHIN: Bounds = Bounds {
    depth: 3,
    lookups: 40,
    files: 100,
};

impl Tool for DeepDive {
    const NAME: &'static str = "deep_dive";
    const TITLE: &'static str = "Deep dive";
    const DOC: &'static str = "All about one symbol in one call: signature, callers and callees, or members, \
                               implementations and users.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"symbol": "parse_query"}"#;
    const ENGINES: &'static [Engine] = GRAPH;
    const CLI: Option<&'static str> = Some("dive");
    const POSITIONAL: &'static [&'static str] = &["symbol", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = subject::ALIASES;
    const STEPS: &'static [&'static str] = &["depth"];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("symbol", "object"),
        ("depth", "string"),
        ("doc", "string"),
        ("body", "array"),
        ("callers", "array"),
        ("callees", "array"),
        ("elsewhere", "array"),
        ("types", "array"),
        ("fields", "array"),
        ("methods", "array"),
        ("required_methods", "array"),
        ("implements", "array"),
        ("embeds", "array"),
        ("implementations", "array"),
        ("used_by", "array"),
        ("exports", "array"),
        ("dependencies", "array"),
        ("dependents", "array"),
        ("tests", "array"),
        ("totals", "object"),
        ("summary", "object"),
        ("total", "integer"),
        ("candidates", "array"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            snapshot.graph(|graph| {
                match params.target.packages(graph)?.as_slice() {
                    [] => {}
                    [package] => {
                        return Dive::of_package(snapshot, graph, package, params.depth)?.answer(ctx);
                    }
                    packages => {
                        let hits = packages.iter().map(|package| &package.subject.hit);
                        return Ok(params.target.several(hits, packages.len()));
                    }
                }
                if let Some(module) = params.target.module(graph)? {
                    return Dive::new(snapshot, graph, &module, params.depth)?.answer(ctx);
                }
                match params.target.find(snapshot, graph, "symbols")? {
                    Found::One(subject) => Dive::new(snapshot, graph, &subject, params.depth)?.answer(ctx),
                    Found::Other(answer) => Ok(*answer),
                }
            })
        })
    }
}

/// One entry of a list, before it is made into a row.
enum Entry {
    Body(SymbolId),
    Caller(Caller),
    Callee(Callee, SymbolId),
    /// A type that is named, defined here.
    Type(Named, SymbolId),
    /// One that is not.
    Name(Named),
    Member(SymbolId),
    Implementation(SymbolId),
    User {
        symbol: SymbolId,
        used: Use,
        sites: Vec<u32>,
    },
    Export(SymbolId),
    Dependency {
        path: String,
        names: Vec<String>,
    },
    /// A directory with files that import a package.
    Dependent {
        dir: String,
        files: usize,
    },
    Test(Caller),
}

impl Entry {
    /// The definition whose body `full` shows.
    fn other(&self) -> Option<SymbolId> {
        match self {
            Entry::Caller(caller) => caller.symbol,
            Entry::Callee(_, id) | Entry::Type(_, id) | Entry::Implementation(id) => Some(*id),
            Entry::User { symbol, .. } => Some(*symbol),
            _ => None,
        }
    }
}

struct Dive<'d> {
    snapshot: &'d Snapshot,
    graph: &'d CodeGraph<'d>,
    subject: &'d Subject,
    depth: Depth,
    heading: String,
    /// The directory of a package whose files are all in one: rows of exports leave it out.
    dir: Option<&'d str>,
    /// Each with the field of its list.
    entries: Vec<(&'static str, Entry)>,
    lists: Vec<&'static str>,
    titles: Vec<(usize, String)>,
    /// See `Answer`.
    resumed: BTreeMap<usize, Resumed>,
    /// Lists that have nothing in them, for the text.
    empty: Vec<&'static str>,
    totals: Map<String, Value>,
    notes: Vec<String>,
    facts: Map<String, Value>,
}

impl<'d> Dive<'d> {
    fn new(
        snapshot: &'d Snapshot,
        graph: &'d CodeGraph<'d>,
        subject: &'d Subject,
        depth: Depth,
    ) -> Result<Dive<'d>, ToolError> {
        let mut dive = Dive::empty(snapshot, graph, subject, depth);
        dive.look()?;
        Ok(dive)
    }

    fn empty(snapshot: &'d Snapshot, graph: &'d CodeGraph<'d>, subject: &'d Subject, depth: Depth) -> Dive<'d> {
        Dive {
            snapshot,
            graph,
            subject,
            depth,
            heading: subject::heading(subject),
            dir: None,
            entries: Vec::new(),
            lists: Vec::new(),
            titles: Vec::new(),
            resumed: BTreeMap::new(),
            empty: Vec::new(),
            totals: Map::new(),
            notes: Vec::new(),
            facts: Map::new(),
        }
    }

    fn look(&mut self) -> Result<(), ToolError> {
        if self.subject.ids.is_empty() {
            return self.module_file();
        }
        let kind = self.subject.hit.kind;
        let is_module = matches!(kind, SymbolKind::Module | SymbolKind::Namespace);
        if self.depth > Depth::Overview && !is_module {
            let shown = self.id_of(&self.subject.hit);
            self.lists.push("body");
            self.entries.push(("body", Entry::Body(shown)));
        }
        let uses = self.graph.uses(self.subject);
        match kind {
            kind if kind.is_function() => {
                let callers = self.graph.direct_callers(self.subject, &uses);
                let calling: Vec<SymbolId> = callers.iter().filter_map(|caller| caller.symbol).collect();
                self.callers(callers);
                // Who calls it too has been told of.
                let graph = self.graph;
                self.users(&uses.uses, "used_by", "Passed on by", |used| {
                    let calls = graph
                        .function_around(used)
                        .is_some_and(|around| calling.contains(&around));
                    !matches!(used.role, Role::Call | Role::Import) && !calls
                });
                self.callees();
                self.implementations("Overridden by")?;
                self.types();
            }
            SymbolKind::Trait | SymbolKind::Interface => {
                self.members_of_interface();
                self.bases("Extends");
                self.implementations("Implementations")?;
                if self.depth > Depth::Overview {
                    self.users(&uses.uses, "used_by", "Used by", is_use);
                }
            }
            SymbolKind::Module | SymbolKind::Namespace => self.module()?,
            kind if kind.is_type() => {
                self.members_of_type();
                self.implemented();
                self.implementations("Derived from it")?;
                self.users(&uses.uses, "used_by", "Used by", is_use);
            }
            _ => {
                self.users(&uses.uses, "used_by", "Used by", |used| used.role != Role::Import);
                self.types();
            }
        }
        if self.depth == Depth::Full && !is_module {
            self.tests(&uses);
        }
        if uses.unseen > 0 {
            self.notes.push(risk::unseen_text(uses.unseen));
        }
        let summary = risk::summary(self.graph, self.subject, &uses);
        self.notes.push(summary.text());
        self.facts.insert("summary".to_owned(), summary.json());
        Ok(())
    }

    /// The subject's definition that is shown.
    fn id_of(&self, hit: &SymbolHit) -> SymbolId {
        let is_it = |id: &&SymbolId| {
            self.graph.path(id.file) == hit.path
                && self
                    .graph
                    .symbol(**id, |symbol| self.graph.line(id.file, symbol.name_at))
                    == Some(hit.line)
        };
        let ids = &self.subject.ids;
        *ids.iter().find(is_it).unwrap_or(&ids[0])
    }

    /// Adds a list, cut to what this depth shows.
    fn list(&mut self, key: &'static str, title: &'static str, entries: Vec<Entry>) {
        if !self.lists.contains(&key) {
            self.lists.push(key);
        }
        let total = entries.len();
        self.totals.insert(key.to_owned(), total.into());
        let most = match key {
            // A package is asked about for what it offers.
            "exports" => self.depth.cap().max(MOST_EXPORTS),
            _ => self.depth.cap(),
        };
        let shown = total.min(most);
        let count = match total {
            0 => return self.empty.push(title),
            total if shown < total => format!("{shown} of {total}"),
            total => total.to_string(),
        };
        self.titles.push((self.entries.len(), format!("{title} ({count}):")));
        self.entries
            .extend(entries.into_iter().take(shown).map(|entry| (key, entry)));
    }

    /// A list that is left out where there is nothing in it.
    fn list_if_any(&mut self, key: &'static str, title: &'static str, entries: Vec<Entry>) {
        if !entries.is_empty() {
            self.list(key, title, entries);
        }
    }

    fn callers(&mut self, mut callers: Vec<Caller>) {
        let is_test = |caller: &Caller| caller.symbol.is_some_and(|id| self.graph.is_test(id));
        callers.sort_by_cached_key(|caller| (is_test(caller), caller.confidence < 0.8));
        // Tests have a list of their own there.
        if self.depth == Depth::Full && callers.iter().any(|caller| !is_test(caller)) {
            callers.retain(|caller| !is_test(caller));
        }
        self.list("callers", "Callers", callers.into_iter().map(Entry::Caller).collect());
    }

    fn callees(&mut self) {
        let mut here = Vec::new();
        let mut elsewhere: Vec<String> = Vec::new();
        for callee in self.graph.callees(self.subject, 1) {
            let defined = callee
                .symbols
                .iter()
                .find(|id| self.graph.symbol(**id, |symbol| symbol.is_declaration) == Some(false));
            match defined.or(callee.symbols.first()).copied() {
                Some(id) => here.push(Entry::Callee(callee, id)),
                None if !elsewhere.contains(&callee.name) => elsewhere.push(callee.name),
                None => {}
            }
        }
        self.list("callees", "Callees", here);
        if !elsewhere.is_empty() {
            let shown = first_few(elsewhere.iter().map(|name| visible_name(name)), MAX_ELSEWHERE);
            self.notes.push(format!("Calls outside or unresolved: {shown}"));
            elsewhere.truncate(50);
            self.facts.insert("elsewhere".to_owned(), elsewhere.into());
        }
    }

    fn types(&mut self) {
        let named = self.graph.types_in_signature(self.subject).into_iter();
        let here = named.filter_map(|named| {
            let id = *named.symbols.first()?;
            (!self.subject.ids.contains(&id)).then_some(Entry::Type(named, id))
        });
        let here = here.collect();
        self.list_if_any("types", "Types", here);
    }

    fn members_of_type(&mut self) {
        let (methods, fields): (Vec<SymbolId>, Vec<SymbolId>) = self
            .graph
            .members(self.subject)
            .into_iter()
            .partition(|id| self.kind(*id).is_function());
        let fields = fields.into_iter().filter(|id| !self.kind(*id).is_type());
        let fields: Vec<Entry> = fields.map(Entry::Member).collect();
        let title = match self.subject.hit.kind {
            SymbolKind::Enum => "Variants",
            _ => "Fields",
        };
        self.list_if_any("fields", title, fields);
        self.list_if_any("methods", "Methods", self.by_visibility(methods));
    }

    /// Who reads a summary wants to know what can be used from outside first.
    fn by_visibility(&self, mut members: Vec<SymbolId>) -> Vec<Entry> {
        let is_private =
            |id: &SymbolId| self.graph.symbol(*id, |symbol| symbol.visibility) == Some(Some(Visibility::Private));
        if members.len() > self.depth.cap() {
            members.sort_by_key(is_private);
        }
        members.into_iter().map(Entry::Member).collect()
    }

    fn members_of_interface(&mut self) {
        let all = self.graph.members(self.subject);
        let (methods, others): (Vec<SymbolId>, Vec<SymbolId>) =
            all.into_iter().partition(|id| self.kind(*id).is_function());
        let is_required = |id: &SymbolId| {
            self.graph
                .symbol(*id, |symbol| symbol.is_declaration || symbol.complexity.cyclomatic == 0)
                .unwrap_or(true)
        };
        let (required, provided): (Vec<SymbolId>, Vec<SymbolId>) = methods.into_iter().partition(is_required);
        let entries = |ids: Vec<SymbolId>| ids.into_iter().map(Entry::Member).collect();
        self.list("required_methods", "Required methods", entries(required));
        self.list_if_any("methods", "Provided methods", entries(provided));
        let others = others.into_iter().filter(|id| !self.kind(*id).has_members()).collect();
        self.list_if_any("fields", "Other members", entries(others));
    }

    fn kind(&self, id: SymbolId) -> SymbolKind {
        self.graph
            .symbol(id, |symbol| symbol.kind)
            .unwrap_or(SymbolKind::Variable)
    }

    /// What a type is to others. Where it need not say so, what it names is in it.
    fn implemented(&mut self) {
        match self.graph.interfaces_of(self.subject) {
            Some(interfaces) => {
                self.list_if_any("implements", "Implements", named(interfaces));
                let embedded = self.graph.bases(self.subject);
                self.list_if_any("embeds", "Embeds", named(embedded));
            }
            None => self.bases("Implements"),
        }
    }

    fn bases(&mut self, title: &'static str) {
        let bases = self.graph.bases(self.subject);
        self.list_if_any("implements", title, named(bases));
    }

    fn implementations(&mut self, title: &'static str) -> Result<(), ToolError> {
        let found = self.graph.implementations(self.subject).into_iter();
        let entries: Vec<Entry> = found.map(|one| Entry::Implementation(one.symbol)).collect();
        let unnamed = self.graph.unnamed(self.subject)?.len();
        if unnamed > 0 {
            let noun = match entries.is_empty() {
                true => "implementation",
                false => "more implementation",
            };
            self.notes.push(format!(
                "{} without a name; find_implementations lists them",
                plural(unnamed, noun)
            ));
        }
        let wanted = matches!(self.subject.hit.kind, SymbolKind::Trait | SymbolKind::Interface);
        if wanted {
            self.list("implementations", title, entries);
        } else {
            self.list_if_any("implementations", title, entries);
        }
        Ok(())
    }

    /// The functions and other definitions that some uses are in.
    fn users(&mut self, uses: &[Use], key: &'static str, title: &'static str, is_meant: impl Fn(&Use) -> bool) {
        let own = |symbol: SymbolId| self.graph.is_part(symbol, self.subject);
        let mut users: Vec<(SymbolId, &Use, Vec<u32>)> = Vec::new();
        let mut places: BTreeMap<SymbolId, usize> = BTreeMap::new();
        for used in uses.iter().filter(|used| used.confidence >= LIKELY && is_meant(used)) {
            let Some(symbol) = self.graph.function_around(used).filter(|symbol| !own(*symbol)) else {
                continue;
            };
            let at = *places.entry(symbol).or_insert(users.len());
            match users.get_mut(at) {
                Some((_, best, sites)) => {
                    sites.push(used.at);
                    if used.confidence > best.confidence {
                        *best = used;
                    }
                }
                None => users.push((symbol, used, vec![used.at])),
            }
        }
        users.sort_by_cached_key(|(symbol, used, _)| (self.graph.is_test(*symbol), used.confidence < 0.8));
        let entries: Vec<Entry> = users
            .into_iter()
            .map(|(symbol, used, sites)| Entry::User {
                symbol,
                used: used.clone(),
                sites,
            })
            .collect();
        if self.subject.hit.kind.is_function() {
            return self.list_if_any(key, title, entries);
        }
        let mut importing: Vec<_> = uses
            .iter()
            .filter(|used| used.role == Role::Import)
            .map(|used| used.file)
            .collect();
        importing.dedup();
        if entries.is_empty() && !importing.is_empty() {
            self.notes
                .push(format!("Imported in {} all the same.", plural(importing.len(), "file")));
        }
        self.list(key, title, entries);
    }

    fn module(&mut self) -> Result<(), ToolError> {
        let (files, mut inside) = self.graph.module(self.subject);
        if inside.len() > self.depth.cap() {
            inside.sort_by_key(|id| !self.kind(*id).is_function() && !self.kind(*id).is_type());
        }
        let mut exports = Vec::new();
        for id in inside {
            let shown = self.graph.symbol(id, |symbol| {
                symbol.visibility != Some(Visibility::Private) && !symbol.is_test && symbol.kind != SymbolKind::Variable
                    || symbol.visibility == Some(Visibility::Public)
            });
            if shown == Some(true) {
                exports.push(Entry::Export(id));
            }
        }
        let mut needed: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in files {
            let own = self.graph.path(file).to_owned();
            let dependencies = self.snapshot.dependencies(&own)?;
            for import in dependencies.imports {
                let DependencyTarget::Local(paths) = import.target else {
                    continue;
                };
                let from = if import.defined_in.is_empty() {
                    paths
                } else {
                    import.defined_in
                };
                let name = match import.item {
                    Some(item) => item,
                    None if import.wildcard => "*".to_owned(),
                    None => import.path,
                };
                for path in from.into_iter().filter(|path| *path != own) {
                    let names = needed.entry(path).or_default();
                    if !names.contains(&name) {
                        names.push(name.clone());
                    }
                }
            }
        }
        self.list("exports", "Public exports", exports);
        let needed = needed.into_iter();
        let needed = needed.map(|(path, names)| Entry::Dependency { path, names }).collect();
        self.list("dependencies", "Dependencies", needed);
        Ok(())
    }

    /// A file that is a module: who imports it is what is known of its users.
    fn module_file(&mut self) -> Result<(), ToolError> {
        self.module()?;
        let path = self.subject.hit.path.as_str();
        if let Some((dir, _)) = path.rsplit_once("/__init__.") {
            self.notes.push(format!(
                "A package: it offers what it imports, too. get_symbols of {} lists its modules.",
                visible_name(dir)
            ));
        }
        let importing = self.snapshot.dependents(path)?.files().count();
        self.notes.push(match importing {
            0 => "No file here imports it.".to_owned(),
            _ => format!(
                "Imported in {}: get_dependencies with reverse lists them.",
                plural(importing, "file")
            ),
        });
        Ok(())
    }

    fn tests(&mut self, uses: &queries::Uses) {
        let reach = self.graph.reach(&self.subject.ids, &uses.uses, TESTS_WITHIN);
        let tests = self.graph.tests_among(&reach).into_iter();
        let tests = tests.map(Entry::Test).collect();
        self.list("tests", "Tests", tests);
        if !reach.unexplored.is_empty() {
            self.notes.push(risk::unexplored_text(reach.unexplored.len()));
        }
    }

    /// The entries of each list whose bodies are shown.
    fn with_bodies(&self) -> Result<BTreeSet<usize>, ToolError> {
        let mut shown = BTreeSet::new();
        if self.depth < Depth::Full {
            return Ok(shown);
        }
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, (list, entry)) in self.entries.iter().enumerate() {
            let left = left.entry(list).or_insert(LIST_LINES);
            let Some(id) = entry.other().filter(|_| *left > 0) else {
                continue;
            };
            let hit = self.graph.hit(id)?;
            *left = left.saturating_sub(rows::lines_shown(&hit) as usize);
            shown.insert(at);
        }
        Ok(shown)
    }

    /// The path of an entry that a list has one line for, if that line begins with it.
    fn path_of(&self, entry: &Entry) -> Option<&str> {
        let file = match entry {
            Entry::Caller(caller) | Entry::Test(caller) => caller.symbol.map_or(caller.file, |id| id.file),
            Entry::Callee(_, id) | Entry::Type(_, id) => id.file,
            Entry::Member(id) | Entry::Implementation(id) | Entry::Export(id) => id.file,
            Entry::User { symbol, .. } => symbol.file,
            Entry::Body(_) | Entry::Name(_) | Entry::Dependency { .. } | Entry::Dependent { .. } => return None,
        };
        Some(self.graph.path(file))
    }

    /// What is left of a line without its path, where the line before it or, for members, the heading names the file.
    fn without_path(&self, at: usize, row: &Row) -> Option<String> {
        let (list, entry) = &self.entries[at];
        let path = self.path_of(entry).filter(|_| row.body.is_none())?;
        let before = at.checked_sub(1).map(|before| &self.entries[before]);
        let before = before.filter(|(other, _)| other == list);
        let known = match before {
            Some((_, before)) => self.path_of(before),
            None if matches!(entry, Entry::Member(_)) => Some(self.subject.hit.path.as_str()),
            None => None,
        };
        let rest = row.text.strip_prefix(&visible_name(path));
        rest.filter(|_| known == Some(path)).map(str::to_owned)
    }

    /// Puts the rest of long lists behind the beginnings of all. How many entries those beginnings have.
    fn put_first(&mut self) -> usize {
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        let mut titles = Vec::new();
        // The title of each rest, where that begins, and the entry that it goes on behind.
        let mut resumed: Vec<(String, usize, usize)> = Vec::new();
        let mut left = usize::MAX;
        let mut title = None;
        for (at, entry) in std::mem::take(&mut self.entries).into_iter().enumerate() {
            if let Ok(begun) = self.titles.binary_search_by_key(&at, |(first, _)| *first) {
                titles.push((first.len(), self.titles[begun].1.clone()));
                (left, title) = (FIRST_ENTRIES, Some(begun));
            }
            if left > 0 {
                left -= 1;
                first.push(entry);
                continue;
            }
            if let Some(begun) = title.take() {
                resumed.push((self.titles[begun].1.clone(), rest.len(), first.len() - 1));
            }
            rest.push(entry);
        }
        let count = first.len();
        for (title, at, behind) in resumed {
            let (title_there, text) = (None, None);
            titles.push((count + at, title));
            self.resumed.insert(
                count + at,
                Resumed {
                    behind,
                    title: title_there,
                    text,
                },
            );
        }
        first.append(&mut rest);
        (self.entries, self.titles) = (first, titles);
        count
    }

    fn answer(mut self, ctx: &Ctx<'_>) -> Result<Answer, ToolError> {
        let n_first = match self.depth {
            Depth::Full => self.put_first(),
            _ => self.entries.len(),
        };
        let overrides = Overrides::of(self.graph, self.subject)?;
        let mut head = self.heading.clone() + &overrides.text();
        let doc = self.subject.hit.doc.as_deref().and_then(|doc| doc.lines().next());
        if let Some(doc) = doc.filter(|_| self.depth > Depth::Overview) {
            let end = doc.floor_char_boundary(200);
            head.push_str(&format!("\n  {}", visible_name(&doc[..end])));
        }
        if !self.empty.is_empty() {
            head.push_str(&format!("\n{}: none", in_one(&self.empty)));
        }
        let with_bodies = self.with_bodies()?;
        let n_bodies = self.entries.iter().filter(|(_, entry)| entry.other().is_some()).count();
        let mut notes = self.notes.clone();
        if self.depth == Depth::Full && with_bodies.len() < n_bodies {
            notes.push(format!(
                "Code of {} of {n_bodies}; {} shows the others'.",
                with_bodies.len(),
                rows::reader(ctx).unwrap_or("deep_dive")
            ));
        }
        let offset = ctx.paging.offset;
        // Who has more room wants more.
        let most = match offset < n_first && ctx.paging.max_tokens <= DEFAULT_TOKENS {
            true => n_first - offset,
            false => PAGE_ROWS,
        };
        let mut rows: Vec<Row> = Vec::new();
        let mut behind = BTreeMap::new();
        for (at, (list, entry)) in self.entries.iter().enumerate().skip(offset).take(most.min(PAGE_ROWS)) {
            let mut row = self.row(ctx, list, entry, with_bodies.contains(&at))?;
            if let Some(text) = self.without_path(at, &row) {
                let follows_code = rows.last().is_some_and(|before| before.body.is_some());
                match entry {
                    // The heading is on every page.
                    Entry::Member(id) if self.graph.path(id.file) == self.subject.hit.path => row.text = text,
                    _ if !follows_code => {
                        behind.insert(at, format!("\n{text}"));
                    }
                    _ => {}
                }
            }
            rows.push(row);
        }
        let mut answer = Answer {
            head,
            rows,
            lists: self.lists,
            titles: self.titles,
            behind,
            total: self.entries.len(),
            tail: notes.join("\n"),
            resumed: self.resumed,
            narrower: "raise max_tokens".into(),
            ..Answer::default()
        };
        let mut symbol = subject::json_of(self.subject);
        overrides.tell(&mut symbol);
        answer.fact("symbol", symbol);
        answer.fact("depth", self.depth.as_str());
        if let Some(doc) = doc {
            answer.fact("doc", doc);
        }
        answer.fact("totals", self.totals);
        answer.facts.extend(self.facts);
        Ok(answer)
    }
}

/// What a type is used for, beside that its name is brought in or it is implemented.
fn named(all: Vec<Named>) -> Vec<Entry> {
    let entries = all.into_iter().map(|named| match named.symbols.first().copied() {
        Some(id) => Entry::Type(named, id),
        None => Entry::Name(named),
    });
    entries.collect()
}

fn is_use(used: &Use) -> bool {
    !matches!(used.role, Role::Import | Role::Implementation)
}

/// `Callees, types`
fn in_one(titles: &[&str]) -> String {
    let mut text = titles.join(", ").to_lowercase();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
