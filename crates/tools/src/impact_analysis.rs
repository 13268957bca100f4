//! `impact_analysis`: what a change of a symbol, or a change that was made, reaches.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use workspace::{
    Bounds, Caller, ChangeKind, ChangeSet, ChangedFile, ChangedSymbol, CodeGraph, FileIdx, Gone, Implementation,
    LIKELY, Revisions, Role, Snapshot, SymbolHit, SymbolId, SymbolKind, Use, UseOrigin, Visibility,
};

use crate::{
    answer::{Answer, Row},
    definition,
    error::ToolError,
    impact::{Extent, role_word, through_text},
    subject::{self, Found, Overrides, Target, named_place, origin_text, origin_word_json},
    tool::{Ctx, Effect, GRAPH, Tool, Toolset},
    units::plural,
    visible::visible_name,
};

pub(crate) struct ImpactAnalysis;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[serde(flatten)]
    target: Target,
    /// Instead of a symbol: uncommitted, staged, or a git revision or range
    #[schemars(length(min = 1, max = 500))]
    diff: Option<String>,
    /// Levels of callers
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 5))]
    depth: u32,
}

fn one() -> u32 {
    1
}

/// How far tests are looked for, and what may be looked up for it: an answer is due in a fraction of a second.
const TEST_DEPTH: u32 = 6;
const LOOKUPS: usize = 400;
const FILES: usize = 500;
/// Files that are looked at for the users of changed definitions. One is looked for whatever it costs.
const CHANGED_FILES: usize = 500;
/// Changed definitions whose users are looked for.
const MAX_CHANGED: usize = 80;
/// Implementations whose own users are looked for.
const MAX_THROUGH: usize = 20;
/// Changed files that are named one by one; their definitions are anyway.
const MAX_FILES: usize = 20;
/// What the first page shows of each list, before the rest of any.
const FIRST: [usize; 5] = [12, 12, 8, 6, 12];
const LISTS: [List; 5] = [
    List::Changed,
    List::Direct,
    List::Callers,
    List::Implementations,
    List::Tests,
];
/// Rows that are made for one page; none has fewer than a handful of tokens.
const PAGE_ROWS: usize = 400;

impl Tool for ImpactAnalysis {
    const NAME: &'static str = "impact_analysis";
    const TITLE: &'static str = "Impact analysis";
    const DOC: &'static str = "What a change of a symbol, or a change made, can break: uses by subsystem, callers, \
                               implementations, tests to run, risk.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const ENGINES: &'static [&'static str] = GRAPH;
    const CLI: Option<&'static str> = Some("impact");
    const POSITIONAL: &'static [&'static str] = &["symbol", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = subject::ALIASES;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("summary", "object"),
        ("symbol", "object"),
        ("diff", "object"),
        ("changed", "array"),
        ("direct", "array"),
        ("callers", "array"),
        ("types", "array"),
        ("implementations", "array"),
        ("tests", "array"),
        ("total", "integer"),
        ("candidates", "array"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let diff = params.diff.as_deref().map(str::trim).filter(|diff| *diff != "false");
        if diff.is_some() && (params.target.symbol.is_some() || params.target.line.is_some()) {
            return Err(ToolError {
                hint: "leave one of them out; with `diff`, `file` narrows to one file".into(),
                ..ToolError::invalid("`diff` and a symbol are two questions")
            });
        }
        if diff.is_none() && params.target.is_empty() {
            return Err(ToolError::invalid("give `symbol`, `file` and `line`, or `diff`"));
        }
        ctx.answer(|snapshot| {
            snapshot.graph(|graph| match diff {
                Some(diff) => of_diff(ctx, snapshot, graph, diff, &params),
                None => match params.target.find(snapshot, graph, "direct")? {
                    Found::One(subject) => {
                        let uses = graph.uses(&subject);
                        let mut report = Report::new(graph, params.depth);
                        report.targets.push(subject.hit.name.clone());
                        report.ids.clone_from(&subject.ids);
                        report.is_public = subject.hit.visibility == Some(Visibility::Public);
                        report.unseen = uses.unseen;
                        report.implementations = graph.implementations(&subject);
                        let standing_in = report.implementations.clone();
                        let of_others = uses.of_others;
                        report.uses.extend(uses.uses.into_iter().map(|used| (used, 0)));
                        report.take_through(&of_others, &standing_in)?;
                        report.is_type = subject.hit.kind.is_type();
                        report.look();
                        let overrides = Overrides::of(graph, &subject)?;
                        let head = subject::heading(&subject) + &overrides.text();
                        report.answer(ctx, snapshot, &head, |answer| {
                            let mut json = subject::json_of(&subject);
                            overrides.tell(&mut json);
                            answer.fact("symbol", json);
                        })
                    }
                    Found::Other(answer) => Ok(answer),
                },
            })
        })
    }
}

fn of_diff(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    graph: &CodeGraph<'_>,
    diff: &str,
    params: &Params,
) -> Result<Answer, ToolError> {
    definition::needs_symbols(snapshot)?;
    let (revisions, what, range) = match diff.to_ascii_lowercase().trim_start_matches("--") {
        "true" | "uncommitted" | "yes" | "1" => {
            (Revisions::Uncommitted, "Uncommitted change".to_owned(), "uncommitted")
        }
        "staged" | "cached" => (Revisions::Staged, "Staged change".to_owned(), "staged"),
        _ => {
            let revisions = Revisions::parse(diff);
            let shown = visible_name(diff);
            let what = match revisions {
                Revisions::Since(_) => format!("Change from {shown} to the working tree"),
                _ => format!("Change {shown}"),
            };
            (revisions, what, diff)
        }
    };
    let mut set = graph.changes(&revisions)?;
    if let Some(file) = &params.target.file {
        let wanted = file.trim_start_matches("./");
        set.files.retain(|changed| changed.path == wanted);
    }
    let mut report = Report::new(graph, params.depth);
    let unknown = report.take_changes(&set)?;
    report.look();
    let mut head = format!(
        "{what}: {} (+{} -{} lines), {}",
        plural(set.files.len(), "file"),
        set.files.iter().map(|file| file.added_lines).sum::<u32>(),
        set.files.iter().map(|file| file.removed_lines).sum::<u32>(),
        plural(report.changed.len(), "definition"),
    );
    if set.files.is_empty() {
        head.push_str(": nothing differs");
    }
    if unknown > 0 {
        head.push_str(&format!(
            "; users of {unknown} not looked for: too many, or names that are everywhere"
        ));
    }
    if set.unread > 0 {
        head.push_str(&format!("; {} not looked into", plural(set.unread, "further file")));
    }
    // What is told of either would be news to who looks at the other.
    let is_apart = |symbol: &ChangedSymbol| (symbol.change == ChangeKind::Removed) == symbol.id.is_some();
    if set.is_elsewhere && set.files.iter().flat_map(|file| &file.symbols).any(is_apart) {
        head.push_str(
            "\nThe working tree is another: what is changed is told by the change, who uses it by the working tree",
        );
    }
    report.answer(ctx, snapshot, &head, |answer| {
        let files = set.files.iter().take(MAX_FILES);
        let files: Vec<Value> = files
            .map(|file| json!({ "path": file.path, "change": file.kind.as_str() }))
            .collect();
        answer.fact(
            "diff",
            json!({ "range": range, "files_total": set.files.len() + set.unread, "files": files }),
        );
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    Changed,
    Direct,
    Callers,
    Implementations,
    Tests,
}

/// Where a title stands in its list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    /// Behind other rows of the list.
    Inside,
    /// Behind rows of other lists.
    Further,
}

/// The uses in one function, or outside of any in one file.
struct Direct {
    file: FileIdx,
    symbol: Option<SymbolId>,
    /// Each with what is used.
    uses: Vec<(Use, usize)>,
    subsystem: String,
}

/// A definition that was changed.
struct Changed {
    path: String,
    symbol: ChangedSymbol,
    /// How often it is used, where that was looked for.
    used: Option<usize>,
    /// Where what is gone has come up again.
    moved_to: Option<(String, u32)>,
    /// How often it is used from there.
    found_there: usize,
    /// What it does not stand in for any more.
    deserted: Vec<SymbolId>,
}

struct Report<'r> {
    graph: &'r CodeGraph<'r>,
    depth: u32,
    /// The names of what is changed, and those among them whose imports have to be looked at.
    targets: Vec<String>,
    told: BTreeSet<usize>,
    ids: Vec<SymbolId>,
    uses: Vec<(Use, usize)>,
    implementations: Vec<Implementation>,
    /// What a change leaves to be done in some of them.
    undone: BTreeMap<SymbolId, String>,
    /// Path, line, name and number of uses of what is not handed on any more.
    withheld: Vec<(String, u32, String, usize)>,
    changed: Vec<Changed>,
    is_public: bool,
    is_type: bool,
    left_over: usize,
    /// Uses of implementations.
    through: usize,
    // What was found.
    direct: Vec<Direct>,
    imports: usize,
    possible: usize,
    unseen: usize,
    callers: Vec<Caller>,
    tests: Vec<Caller>,
    unexplored: usize,
    /// Direct uses by tests, which are shown with the test.
    in_tests: BTreeMap<SymbolId, Direct>,
    functions: usize,
    /// Files with code that depends on it, and those with anything that is listed.
    files: usize,
    listed_files: usize,
}

impl<'r> Report<'r> {
    fn new(graph: &'r CodeGraph<'r>, depth: u32) -> Report<'r> {
        Report {
            graph,
            depth,
            targets: Vec::new(),
            told: BTreeSet::new(),
            ids: Vec::new(),
            uses: Vec::new(),
            implementations: Vec::new(),
            undone: BTreeMap::new(),
            withheld: Vec::new(),
            changed: Vec::new(),
            is_public: false,
            is_type: false,
            left_over: 0,
            through: 0,
            direct: Vec::new(),
            imports: 0,
            possible: 0,
            unseen: 0,
            callers: Vec::new(),
            tests: Vec::new(),
            unexplored: 0,
            in_tests: BTreeMap::new(),
            functions: 0,
            files: 0,
            listed_files: 0,
        }
    }

    /// Takes the definitions of a change as what is asked about. Tells for how many of them users were not looked for.
    fn take_changes(&mut self, set: &ChangeSet) -> Result<usize, ToolError> {
        let all = set
            .files
            .iter()
            .flat_map(|file| file.symbols.iter().map(move |symbol| (file, symbol)));
        let mut all: Vec<_> = all.collect();
        // What is gone matters most, then what others may rely on; what is new is used by nobody else yet.
        all.sort_by_key(|(_, symbol)| (symbol.is_test, symbol.change));
        let broken = self.take_files(set);
        self.take_withheld(set);
        let moves = moves(&all);
        let moved: BTreeSet<usize> = moves.values().copied().collect();
        let mut files = CHANGED_FILES;
        let mut unknown = 0;
        for (at, (file, symbol)) in all.iter().copied().enumerate() {
            let target = self.targets.len();
            let mut used = Some(0);
            // What was moved is one row: where it was.
            if moved.contains(&at) {
                continue;
            }
            let moved_to = moves.get(&at).map(|to| all[*to]);
            let mut deserted = Vec::new();
            let mut found_there = 0;
            let there = moved_to.and_then(|(_, symbol)| symbol.id);
            if let Some(id) = there.filter(|id| target < MAX_CHANGED && self.graph.weight(*id) <= files) {
                files -= self.graph.weight(id);
                let (ids, uses) = self.graph.uses_of(id);
                self.ids.extend(ids);
                found_there = self.take_uses(uses.uses);
                self.targets.push(symbol.name.clone());
            }
            let target = self.targets.len();
            match symbol.id {
                // Who uses what is new is new or changed as well; who has to have it may be neither.
                Some(id) if symbol.change == ChangeKind::Added && target < MAX_CHANGED => {
                    let lacking = self.graph.lacking(id)?;
                    let undone = lacking
                        .iter()
                        .map(|one| (one.symbol, format!("has no {}", symbol.name)));
                    self.undone.extend(undone);
                    self.implementations.extend(lacking);
                }
                _ if symbol.change == ChangeKind::Added => {}
                _ if symbol.is_test => {}
                _ if target >= MAX_CHANGED => used = None,
                // Of a member that is gone nothing can be told by its name alone.
                None if symbol.kind == SymbolKind::Field => {}
                // Where the change leads it is there, and so are its users.
                None if symbol.change == ChangeKind::Modified => {}
                None => {
                    let owner = symbol.qualified_name.strip_suffix(&symbol.name).unwrap_or_default();
                    let owner = owner.trim_end_matches(['.', ':', '#', '\\']);
                    let owner = owner
                        .rsplit(['.', ':', '#', '\\'])
                        .next()
                        .filter(|owner| !owner.is_empty());
                    let uses = self.graph.left_over(&Gone {
                        name: &symbol.name,
                        owner,
                        path: &file.path,
                        lang: file.lang,
                    });
                    used = uses.map(|mut uses| {
                        // An import of the file that it was in is told as that.
                        let is_told = |used: &Use| broken.contains(&(file.path.as_str(), used.file));
                        uses.retain(|used| used.role != Role::Import || !is_told(used));
                        self.told.insert(target);
                        self.take_uses(uses)
                    });
                    self.left_over += used.unwrap_or(0);
                    self.targets.push(symbol.name.clone());
                }
                Some(id) => {
                    let weight = self.graph.weight(id);
                    if weight > files && target > 0 {
                        used = None;
                    } else {
                        files = files.saturating_sub(weight);
                        let (ids, uses) = self.graph.uses_of(id);
                        let standing_in = self.graph.implementations_of(&ids);
                        self.implementations.extend(standing_in.iter().copied());
                        if symbol.has_new_signature != Some(false) {
                            let was = symbol.old_shape.as_deref();
                            let behind = self.graph.left_behind(&ids, was);
                            let undone = behind
                                .iter()
                                .map(|one| (one.symbol, "does not fit any more".to_owned()));
                            self.undone.extend(undone);
                            self.implementations.extend(behind);
                            deserted = self.graph.deserted(&ids, was);
                        }
                        self.is_public |=
                            self.graph.symbol(id, |symbol| symbol.visibility) == Some(Some(Visibility::Public));
                        self.unseen += uses.unseen;
                        self.ids.extend(ids);
                        let of_others = uses.of_others;
                        let mut uses = uses.uses;
                        let is_gone = symbol.change == ChangeKind::Removed;
                        if is_gone {
                            uses.retain(|used| !self.has_let_go(set, used, &symbol.name));
                        }
                        if symbol.kind == SymbolKind::Constructor && symbol.has_new_signature == Some(true) {
                            // What was given before may fit none any more.
                            uses.extend(self.graph.constructions(id));
                            uses.sort_by_key(|used| (used.file, used.at));
                            uses.dedup_by_key(|used| (used.file, used.at));
                        }
                        let taken = self.take_uses(uses);
                        used = Some(taken);
                        self.left_over += if is_gone { taken } else { 0 };
                        self.targets.push(symbol.name.clone());
                        if symbol.has_new_signature == Some(true) {
                            self.take_through(&of_others, &standing_in)?;
                        }
                    }
                }
            }
            if symbol.is_test {
                self.ids.extend(symbol.id.filter(|id| self.graph.runs_as_test(*id)));
            }
            unknown += usize::from(used.is_none());
            self.changed.push(Changed {
                path: file.path.clone(),
                symbol: symbol.clone(),
                used,
                moved_to: moved_to.map(|(file, symbol)| (file.path.clone(), symbol.line)),
                found_there,
                deserted,
            });
        }
        self.implementations.sort_by_key(|one| (one.symbol, one.distance));
        self.implementations.dedup_by_key(|one| one.symbol);
        Ok(unknown)
    }

    /// Whether a change that leads elsewhere takes a use of a name away too.
    fn has_let_go(&self, set: &ChangeSet, used: &Use, name: &str) -> bool {
        let path = self.graph.path(used.file);
        let changed = set.files.iter().find(|file| file.path == path);
        changed.is_some_and(|file| file.uses.as_ref().is_some_and(|uses| !uses.contains(name)))
    }

    /// Takes the imports of files that are gone as uses of those, and tells which file had one of which. What a file does
    /// when it is loaded concerns those who import it as well.
    fn take_files<'s>(&mut self, set: &'s ChangeSet) -> BTreeSet<(&'s str, FileIdx)> {
        let mut broken = BTreeSet::new();
        let files = set.files.iter();
        let files = files.filter(|file| file.kind == ChangeKind::Removed || file.is_loose);
        for file in files.take(MAX_FILES) {
            let imports = self.graph.imports_of(&file.path, file.lang).unwrap_or_default();
            if imports.is_empty() {
                continue;
            }
            let is_gone = file.kind == ChangeKind::Removed;
            if is_gone {
                broken.extend(imports.iter().map(|used| (file.path.as_str(), used.file)));
            }
            let taken = self.take_uses(imports);
            self.left_over += if is_gone { taken } else { 0 };
            self.told.insert(self.targets.len());
            self.targets.push(file.path.clone());
        }
        broken
    }

    /// Takes the names that files do not hand on any more, each as something that is gone from there.
    fn take_withheld(&mut self, set: &ChangeSet) {
        let withheld = set
            .files
            .iter()
            .flat_map(|file| file.withheld.iter().map(move |one| (file, one)));
        for (file, (name, line)) in withheld.take(MAX_FILES) {
            let uses = self.graph.left_over(&Gone {
                name,
                owner: None,
                path: &file.path,
                lang: file.lang,
            });
            // Who has the name from elsewhere does not miss it.
            let imports = self.graph.imports_of(&file.path, file.lang).unwrap_or_default();
            let place = |used: &Use| (used.file, self.graph.line(used.file, used.at));
            let imports: BTreeSet<(FileIdx, u32)> = imports.iter().map(place).collect();
            let uses = uses.into_iter().flatten();
            let misses_it = |used: &Use| imports.contains(&place(used)) || !self.graph.is_from_outside(used);
            let uses = uses.filter(|used| used.role == Role::Import && misses_it(used));
            let uses = uses.collect();
            let used = self.take_uses(uses);
            if used == 0 {
                continue;
            }
            self.left_over += used;
            self.told.insert(self.targets.len());
            self.targets.push(name.clone());
            self.withheld.push((file.path.clone(), *line, name.clone(), used));
        }
    }

    /// Takes the uses of what implements or overrides something: what it takes, they give.
    fn take_through(
        &mut self,
        of_others: &BTreeMap<SymbolId, usize>,
        standing_in: &[Implementation],
    ) -> Result<(), ToolError> {
        let used = |one: &&Implementation| of_others.contains_key(&one.symbol);
        for (at, one) in standing_in.iter().filter(used).enumerate() {
            if at >= MAX_THROUGH {
                self.through += of_others[&one.symbol];
                continue;
            }
            let (_, uses) = self.graph.uses_of(one.symbol);
            let name = self.graph.hit(one.symbol)?.qualified_name;
            let mut uses = uses.uses;
            uses.retain(|used| used.origin != UseOrigin::Dispatch);
            self.take_uses(uses);
            self.targets.push(name);
        }
        Ok(())
    }

    /// Takes the likely ones of a target's uses, and tells how many there are.
    fn take_uses(&mut self, uses: Vec<Use>) -> usize {
        let target = self.targets.len();
        let before = self.uses.len();
        let likely = uses.into_iter().filter(|used| used.confidence >= LIKELY);
        self.uses.extend(likely.map(|used| (used, target)));
        self.uses.len() - before
    }

    fn look(&mut self) {
        self.possible = self.uses.iter().filter(|(used, _)| used.confidence < LIKELY).count();
        self.uses.retain(|(used, _)| used.confidence >= LIKELY);
        // A declaration and its definition have the same uses.
        let targets = &self.targets;
        let key = |(used, target): &(Use, usize)| (used.file, used.at, targets.get(*target));
        self.uses.sort_by(|one, other| key(one).cmp(&key(other)));
        self.uses.dedup_by(|one, other| key(one) == key(other));
        let changed: BTreeSet<SymbolId> = self.changed.iter().filter_map(|one| one.symbol.id).collect();
        let mut direct: Vec<Direct> = Vec::new();
        let mut places: BTreeMap<(FileIdx, Option<SymbolId>), usize> = BTreeMap::new();
        for (used, target) in &self.uses {
            let symbol = match used.role {
                Role::Import => None,
                _ => self.graph.function_around(used),
            };
            // What is used inside of itself was changed with it.
            if symbol.is_some_and(|symbol| changed.contains(&symbol) && self.ids.contains(&symbol)) {
                continue;
            }
            let at = *places.entry((used.file, symbol)).or_insert(direct.len());
            if at == direct.len() {
                direct.push(Direct {
                    file: used.file,
                    symbol,
                    uses: Vec::new(),
                    subsystem: String::new(),
                });
            }
            direct[at].uses.push((used.clone(), *target));
        }
        let mut files: BTreeSet<FileIdx> = direct.iter().map(|one| one.file).collect();
        // An import says nothing where the name is used as well, unless it has to be mended.
        let busy: BTreeSet<FileIdx> = direct
            .iter()
            .filter(|one| one.symbol.is_some())
            .map(|one| one.file)
            .collect();
        let is_import = |one: &Direct| one.uses.iter().all(|(used, _)| used.role == Role::Import);
        let count = |direct: &[Direct]| direct.iter().map(|one| one.uses.len()).sum::<usize>();
        let before = count(&direct);
        for one in direct
            .iter_mut()
            .filter(|one| is_import(one) && busy.contains(&one.file))
        {
            one.uses.retain(|(_, target)| self.told.contains(target));
        }
        direct.retain(|one| !one.uses.is_empty());
        self.imports = before - count(&direct);
        // Implementations have a list of their own.
        let is_base = |one: &Direct| one.uses.iter().all(|(used, _)| used.role == Role::Implementation);
        direct.retain(|one| self.implementations.is_empty() || !is_base(one));

        let uses: Vec<Use> = self.uses.iter().map(|(used, _)| used.clone()).collect();
        let bounds = Bounds {
            depth: self.depth.max(TEST_DEPTH),
            lookups: LOOKUPS,
            files: FILES,
        };
        let reach = self.graph.reach(&self.ids, &uses, bounds);
        self.unexplored = reach.unexplored.len();
        self.tests = self.graph.tests_among(&reach);
        // Tests that are part of the change are to be run as well.
        for id in self.ids.iter().filter(|id| self.graph.runs_as_test(**id)) {
            self.tests.push(Caller {
                file: id.file,
                symbol: Some(*id),
                sites: Vec::new(),
                depth: 0,
                calls: *id,
                origin: UseOrigin::Name,
                confidence: 1.0,
            });
        }
        let key = |one: &Caller| (one.depth, one.file, one.symbol);
        self.tests.sort_by_key(key);
        let near = reach.dependents.into_iter().filter(|one| one.depth <= self.depth);
        let near: Vec<Caller> = near
            .filter(|one| one.symbol.is_some_and(|id| !self.graph.is_test(id)))
            .collect();
        let is_function = |one: &&Caller| one.symbol.is_some_and(|id| self.graph.is_function(id));
        self.functions = near.iter().filter(is_function).count();
        files.extend(near.iter().map(|one| one.file));
        self.files = files.len();
        files.extend(self.tests.iter().map(|test| test.file));
        files.extend(self.implementations.iter().map(|one| one.symbol.file));
        self.listed_files = files.len();
        self.callers = near.into_iter().filter(|one| one.depth > 1).collect();

        let is_test = |one: &Direct| {
            one.symbol.map_or_else(
                || workspace::is_test_path(self.graph.path(one.file)),
                |symbol| self.graph.is_test(symbol),
            )
        };
        let code: Vec<FileIdx> = direct.iter().filter(|one| !is_test(one)).map(|one| one.file).collect();
        let packages: BTreeSet<&str> = code.iter().map(|file| self.graph.package(*file)).collect();
        let paths: Vec<&str> = code.iter().map(|file| self.graph.path(*file)).collect();
        let around = common_dir(&paths);
        for one in &mut direct {
            let package = self.graph.package(one.file);
            one.subsystem = if is_test(one) {
                TESTS.to_owned()
            } else if packages.len() > 1 && !package.is_empty() {
                package.to_owned()
            } else if packages.len() > 1 {
                subsystem("", self.graph.path(one.file))
            } else {
                subsystem(&around, self.graph.path(one.file))
            };
        }
        let tests: BTreeSet<SymbolId> = self.tests.iter().filter_map(|test| test.symbol).collect();
        for one in std::mem::take(&mut direct) {
            let test = one
                .symbol
                .and_then(|symbol| self.graph.test_around(symbol).or(Some(symbol)));
            match test.filter(|test| tests.contains(test)) {
                Some(test) => match self.in_tests.get_mut(&test) {
                    Some(known) => known.uses.extend(one.uses),
                    None => drop(self.in_tests.insert(test, one)),
                },
                None => direct.push(one),
            }
        }
        direct.sort_by(|a, b| {
            let key = |one: &Direct| (one.subsystem == TESTS, one.subsystem.clone(), one.file);
            key(a).cmp(&key(b))
        });
        self.direct = direct;
    }

    fn subsystems(&self) -> Vec<String> {
        let mut names: Vec<String> = self.direct.iter().map(|one| one.subsystem.clone()).collect();
        names.retain(|name| name != TESTS);
        names.dedup();
        names.iter().map(|name| named_subsystem(name)).collect()
    }

    /// List after list if all of it fits; otherwise some of each list first, so that a short page has the tests too.
    fn answer(
        &self,
        ctx: &Ctx<'_>,
        snapshot: &Snapshot,
        head: &str,
        facts: impl Fn(&mut Answer),
    ) -> Result<Answer, ToolError> {
        let is_partial = !snapshot.coverage().complete;
        let whole = self.plan([usize::MAX; 5]);
        if ctx.paging.offset == 0 && whole.len() <= PAGE_ROWS {
            let made = || self.page(ctx, head, &whole, is_partial, &facts);
            if ctx.paging.fits_whole(&made()?.by(ctx.engines).covering(snapshot)) {
                return made();
            }
        }
        self.page(ctx, head, &self.plan(FIRST), is_partial, &facts)
    }

    fn page(
        &self,
        ctx: &Ctx<'_>,
        head: &str,
        plan: &[(List, usize)],
        is_partial: bool,
        facts: &impl Fn(&mut Answer),
    ) -> Result<Answer, ToolError> {
        let mut head = head.to_owned();
        let subsystems = self.subsystems();
        let is_operator = |id: &SymbolId| self.graph.hit(*id).is_ok_and(|hit| subject::is_operator(&hit));
        let summary = Extent {
            is_public: self.is_public,
            is_operator: self.uses.is_empty() && self.ids.iter().take(1).any(is_operator),
            uses: self.uses.len(),
            possible: self.possible,
            files: self.files,
            functions: self.functions,
            tests: self.tests.len(),
            subsystems: subsystems.iter().map(|name| visible_name(name)).collect(),
            is_deep: true,
            unexplored: self.unexplored,
            left_over: self.left_over,
            unfit: self.undone.len() + self.changed.iter().filter(|one| !one.deserted.is_empty()).count(),
            implementations: self.implementations.len(),
            is_partial,
        }
        .rated();
        head.push_str(&format!(
            "\nRisk {}: {}\nAffected: {}, {}, {}",
            summary.risk.as_str(),
            summary.reason,
            plural(self.listed_files, "file"),
            plural(summary.functions, "function"),
            plural(summary.tests, "test"),
        ));
        let mut titles = Vec::new();
        let mut last = None;
        let mut begun: Vec<List> = Vec::new();
        for (at, (list, index)) in plan.iter().enumerate() {
            let group = match list {
                List::Direct => (*list, self.direct[*index].subsystem.as_str(), 0),
                List::Callers => (*list, "", self.callers[*index].depth),
                _ => (*list, "", 0),
            };
            if last != Some(group) {
                let place = match last {
                    Some((list, ..)) if list == group.0 => Place::Inside,
                    _ if begun.contains(&group.0) => Place::Further,
                    _ => Place::First,
                };
                titles.push((at, self.title(group.0, group.1, group.2, place)));
                begun.push(group.0);
                last = Some(group);
            }
        }
        let mut rows = Vec::new();
        for (list, index) in plan.iter().skip(ctx.paging.offset).take(PAGE_ROWS) {
            rows.push(match list {
                List::Changed => self.changed_row(*index)?,
                List::Direct => self.direct_row(&self.direct[*index])?,
                List::Callers => self.caller_row(&self.callers[*index], "callers")?,
                List::Implementations => self.implementation_row(*index)?,
                List::Tests => self.test_row(&self.tests[*index])?,
            });
        }
        let mut answer = Answer {
            head,
            rows,
            lists: vec!["direct", "callers", "types", "implementations", "tests"],
            titles,
            total: plan.len(),
            tail: self.notes().join("\n"),
            narrower: "raise max_tokens",
            ..Answer::default()
        };
        facts(&mut answer);
        if answer.facts.contains_key("diff") {
            answer.lists.insert(0, "changed");
        }
        let mut json = summary.json();
        json["files"] = self.listed_files.into();
        json["subsystems"] = subsystems.into();
        if self.unexplored > 0 {
            json["unexplored"] = self.unexplored.into();
        }
        if self.unseen > 0 {
            json["unseen_files"] = self.unseen.into();
        }
        answer.fact("summary", json);
        Ok(answer)
    }

    /// Which row comes when: so many of each list, then the rest of each.
    fn plan(&self, first: [usize; 5]) -> Vec<(List, usize)> {
        let length = |list: List| match list {
            List::Changed => self.changed.len(),
            List::Direct => self.direct.len(),
            List::Callers => self.callers.len(),
            List::Implementations => self.implementations.len(),
            List::Tests => self.tests.len(),
        };
        let lists = || LISTS.iter().zip(first);
        let begin = lists().flat_map(|(list, most)| (0..length(*list).min(most)).map(|at| (*list, at)));
        let rest = lists().flat_map(|(list, most)| (most..length(*list)).map(|at| (*list, at)));
        begin.chain(rest).collect()
    }

    fn title(&self, list: List, subsystem: &str, depth: u32, place: Place) -> String {
        let more = if place == Place::Further { ", further" } else { "" };
        match list {
            List::Changed => format!("Changed ({}){more}:", self.changed.len()),
            List::Direct => {
                let here = self.direct.iter().filter(|one| one.subsystem == subsystem);
                let here: usize = here.map(|one| one.uses.len()).sum();
                let name = visible_name(&named_subsystem(subsystem));
                let all: usize = self.direct.iter().map(|one| one.uses.len()).sum();
                let tested: usize = self.in_tests.values().map(|one| one.uses.len()).sum();
                let tested = if tested > 0 {
                    format!(", and {tested} by tests below")
                } else {
                    String::new()
                };
                match place {
                    Place::Inside => format!("{name} ({here}):"),
                    _ => format!("Direct use ({all}{tested}){more}\n{name} ({here}):"),
                }
            }
            List::Callers => {
                let here = self.callers.iter().filter(|one| one.depth == depth).count();
                format!("Callers, level {depth} ({here}):")
            }
            List::Implementations => format!("Implementations ({}){more}:", self.implementations.len()),
            List::Tests => format!("Tests to run ({}){more}:", self.tests.len()),
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let withheld = self.withheld.iter().take(10).map(|(path, line, name, used)| {
            let places = plural(*used, "place");
            format!(
                "{}:{line} does not hand on `{}` any more, imported in {places}.",
                visible_name(path),
                visible_name(name)
            )
        });
        notes.extend(withheld);
        if self.is_type {
            notes.push("Uses of its members are not among these: ask for them by name.".to_owned());
        }
        if self.through > 0 {
            notes.push(through_text(self.through));
        }
        if self.imports > 0 {
            notes.push(format!("{} in these files not listed.", plural(self.imports, "import")));
        }
        if self.possible > 0 {
            notes.push(format!(
                "{} of the name below confidence {LIKELY}: see find_references.",
                plural(self.possible, "further use")
            ));
        }
        if self.unseen > 0 {
            notes.push(format!(
                "Not looked at: {} that use the name and never name its type.",
                plural(self.unseen, "file")
            ));
        }
        if self.unexplored > 0 {
            notes.push(format!(
                "{} not followed to their callers: more tests may reach it.",
                plural(self.unexplored, "dependent")
            ));
        }
        notes
    }

    fn changed_row(&self, index: usize) -> Result<Row, ToolError> {
        let Changed {
            path,
            symbol,
            used,
            moved_to,
            found_there,
            deserted,
        } = &self.changed[index];
        let kind = if symbol.is_test { "test" } else { symbol.kind.as_str() };
        let change = match (symbol.change, symbol.has_new_signature) {
            (ChangeKind::Modified, Some(true)) => "signature modified".to_owned(),
            (ChangeKind::Modified, Some(false)) => "body modified".to_owned(),
            (change, _) => match moved_to {
                Some((path, line)) => format!("moved to {}:{line}", visible_name(path)),
                None => change.as_str().to_owned(),
            },
        };
        let used_text = match (symbol.change, used) {
            (_, Some(0)) if *found_there > 0 => format!(", {}", plural(*found_there, "use")),
            (_, Some(0)) => String::new(),
            (_, None) => ", users not looked for".to_owned(),
            (ChangeKind::Removed, Some(used)) => format!(", still used in {}", plural(*used, "place")),
            (_, Some(used)) => format!(", {}", plural(*used, "use")),
        };
        let mut json = json!({
            "name": symbol.name,
            "qualified_name": symbol.qualified_name,
            "kind": symbol.kind.as_str(),
            "change": symbol.change.as_str(),
            "path": path,
            "line": symbol.line,
            "uses": used,
        });
        if let Some(changed) = symbol.has_new_signature {
            json["signature_changed"] = changed.into();
        }
        if let Some((path, line)) = moved_to {
            json["moved_to"] = json!({ "path": path, "line": line });
        }
        let deserted = deserted.iter().map(|id| self.graph.hit(*id));
        let deserted: Vec<SymbolHit> = deserted.collect::<Result<_, _>>()?;
        let mut alone = String::new();
        if !deserted.is_empty() {
            let named: Vec<String> = deserted.iter().take(3).map(named_place).collect();
            alone = format!("; does not stand in any more for {}", named.join(", "));
            let named = deserted.iter().map(|hit| hit.qualified_name.as_str());
            json["deserted"] = named.collect();
        }
        Ok(Row {
            text: format!(
                "{}:{} {} ({kind}) {change}{used_text}{alone}",
                visible_name(path),
                symbol.line,
                visible_name(&symbol.qualified_name),
            ),
            json: json!({ "changed": json }),
            body: None,
        })
    }

    fn direct_row(&self, one: &Direct) -> Result<Row, ToolError> {
        let path = self.graph.path(one.file);
        let best = one.uses.iter().max_by(|a, b| a.0.confidence.total_cmp(&b.0.confidence));
        let Some((best, _)) = best else {
            return Ok(Row::default());
        };
        let mut lines: Vec<u32> = one
            .uses
            .iter()
            .map(|(used, _)| self.graph.line(one.file, used.at))
            .collect();
        lines.dedup();
        let mut roles: Vec<String> = Vec::new();
        let mut enclosing = None;
        for (used, target) in &one.uses {
            let hit = self.graph.use_hit(used)?;
            let mut role = role_word(&hit.role_text).to_owned();
            if self.targets.len() > 1 || self.told.contains(target) {
                role = format!("{role} of {}", self.targets[*target]);
            }
            if !roles.contains(&role) {
                roles.push(role);
            }
            enclosing = enclosing.or(hit.enclosing.map(|(name, ..)| name));
        }
        let caller = one.symbol.map(|symbol| self.graph.hit(symbol)).transpose()?;
        let name = match &caller {
            Some(hit) => {
                let call = if hit.kind.is_function() { "()" } else { "" };
                format!(" {}{call}", visible_name(&hit.qualified_name))
            }
            None => String::new(),
        };
        let shown: Vec<String> = lines.iter().take(8).map(u32::to_string).collect();
        let more = if lines.len() > shown.len() { ",..." } else { "" };
        let mark = match best.origin {
            UseOrigin::Resolved(_) => String::new(),
            origin => format!(" [{}]", origin_text(origin, best.confidence)),
        };
        let text = format!(
            "{}:{}{more}{name}: {}{mark}",
            visible_name(path),
            shown.join(","),
            visible_name(&roles.join(", "))
        );
        let mut direct = json!({
            "path": path,
            "line": lines.first(),
            "role": roles.join(", "),
        });
        if !one.subsystem.is_empty() {
            direct["subsystem"] = one.subsystem.as_str().into();
        }
        if lines.len() > 1 {
            direct["lines"] = lines.clone().into();
        }
        let enclosing = caller.as_ref().map(|hit| hit.qualified_name.clone()).or(enclosing);
        if let Some(name) = enclosing {
            direct["enclosing"] = name.into();
        }
        origin_word_json(&mut direct, best.origin, best.confidence);
        let mut json = json!({ "direct": direct });
        // The same under the other names that it has: one who calls, a type that is named.
        let of = |role: Role| one.uses.iter().filter(move |(used, _)| used.role == role);
        let sites = |role: Role| -> Vec<u32> { of(role).map(|(used, _)| self.graph.line(one.file, used.at)).collect() };
        if let Some(hit) = caller.filter(|_| of(Role::Call).next().is_some()) {
            let mut caller = json!({
                "name": hit.name,
                "path": hit.path,
                "line": hit.line,
                "sites": sites(Role::Call),
                "depth": 1,
            });
            origin_word_json(&mut caller, best.origin, best.confidence);
            json["callers"] = caller;
        }
        if of(Role::Type).next().is_some() {
            let lines = sites(Role::Type);
            let mut named = json!({ "path": path, "line": lines.first() });
            if lines.len() > 1 {
                named["lines"] = lines.into();
            }
            origin_word_json(&mut named, best.origin, best.confidence);
            json["types"] = named;
        }
        Ok(Row { text, json, body: None })
    }

    /// A test that uses it directly is one of its users as well.
    fn test_row(&self, test: &Caller) -> Result<Row, ToolError> {
        let mut row = self.caller_row(test, "tests")?;
        if let Some(direct) = test.symbol.and_then(|symbol| self.in_tests.get(&symbol)) {
            let direct = self.direct_row(direct)?;
            for list in ["direct", "callers", "types"] {
                if let Some(item) = direct.json.get(list) {
                    row.json[list] = item.clone();
                }
            }
            // Where it is used is said there.
            if let Some(named) = row.json["tests"].as_object_mut() {
                named.shift_remove("sites");
            }
        }
        Ok(row)
    }

    fn caller_row(&self, caller: &Caller, list: &'static str) -> Result<Row, ToolError> {
        let Some(id) = caller.symbol else {
            return Ok(Row::default());
        };
        let hit = self.graph.hit(id)?;
        let mut text = format!(
            "{}:{} {}",
            visible_name(&hit.path),
            hit.line,
            visible_name(&hit.qualified_name)
        );
        let sites: Vec<u32> = caller
            .sites
            .iter()
            .map(|at| self.graph.line(caller.file, *at))
            .collect();
        let mut json = json!({
            "name": hit.name,
            "qualified_name": hit.qualified_name,
            "path": hit.path,
            "line": hit.line,
            "sites": sites,
            "depth": caller.depth,
        });
        match caller.depth {
            0 => text.push_str(" (changed)"),
            1 => {}
            depth => {
                let through = self.graph.hit(caller.calls)?;
                let far = if list == "tests" {
                    format!(" (level {depth})")
                } else {
                    String::new()
                };
                text.push_str(&format!(" through {}{far}", visible_name(&through.qualified_name)));
                json["through"] = through.qualified_name.into();
            }
        }
        if caller.depth > 0 {
            if !matches!(caller.origin, UseOrigin::Resolved(_)) {
                text.push_str(&format!(" [{}]", origin_text(caller.origin, caller.confidence)));
            }
            origin_word_json(&mut json, caller.origin, caller.confidence);
        }
        Ok(Row {
            text,
            json: json!({ list: json }),
            body: None,
        })
    }

    fn implementation_row(&self, index: usize) -> Result<Row, ToolError> {
        let id = self.implementations[index].symbol;
        let hit = self.graph.hit(id)?;
        let mut text = format!(
            "{}:{} {} ({})",
            visible_name(&hit.path),
            hit.line,
            visible_name(&hit.qualified_name),
            hit.kind.as_str()
        );
        let mut json = json!({
            "name": hit.name,
            "kind": hit.kind.as_str(),
            "path": hit.path,
            "line": hit.line,
            "origin": "resolved",
        });
        if let Some(undone) = self.undone.get(&id) {
            text.push_str(&format!(": {}", visible_name(undone)));
            json["undone"] = undone.as_str().into();
        }
        Ok(Row {
            text,
            json: json!({ "implementations": json }),
            body: None,
        })
    }
}

/// What is gone in one place and new in another, of the same name and kind, was moved: from which of the list to which.
fn moves(all: &[(&ChangedFile, &ChangedSymbol)]) -> BTreeMap<usize, usize> {
    type Places = (Vec<usize>, Vec<usize>);
    let mut places: BTreeMap<(&str, &str, bool), Places> = BTreeMap::new();
    for (at, (_, symbol)) in all.iter().enumerate() {
        let key = (symbol.qualified_name.as_str(), symbol.kind.as_str(), symbol.is_test);
        let (gone, new) = places.entry(key).or_default();
        match symbol.change {
            ChangeKind::Removed => gone.push(at),
            ChangeKind::Added => new.push(at),
            ChangeKind::Modified => {}
        }
    }
    let moves = places
        .into_values()
        .filter_map(|(gone, new)| match (&gone[..], &new[..]) {
            ([from], [to]) => Some((*from, *to)),
            _ => None,
        });
    moves.collect()
}

/// The subsystem of what belongs to tests.
const TESTS: &str = "tests";

/// What lies beside all directories has a name too.
fn named_subsystem(name: &str) -> String {
    match name {
        "" => "(root)".to_owned(),
        name => name.to_owned(),
    }
}

/// The directory that all paths are below, with a slash behind it.
fn common_dir(paths: &[&str]) -> String {
    let mut dirs = paths
        .iter()
        .map(|path| path.rsplit_once('/').map_or("", |(dir, _)| dir));
    let Some(first) = dirs.next() else { return String::new() };
    let mut common: Vec<&str> = first.split_terminator('/').collect();
    for dir in dirs {
        let same = common
            .iter()
            .zip(dir.split_terminator('/'))
            .take_while(|(a, b)| **a == *b)
            .count();
        common.truncate(same);
    }
    common.iter().map(|part| format!("{part}/")).collect()
}

/// The part of the workspace that a file belongs to: the first directory below the one that all are in.
fn subsystem(around: &str, path: &str) -> String {
    let below = path.strip_prefix(around).unwrap_or(path);
    match below.split_once('/') {
        Some((dir, _)) => format!("{around}{dir}"),
        None => around.trim_end_matches('/').to_owned(),
    }
}
