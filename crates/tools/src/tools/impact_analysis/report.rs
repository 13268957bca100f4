//! What a change reaches, as pages of lists: what is changed, who uses it, who stands in for it, which tests to run.

use std::collections::{BTreeMap, BTreeSet};

use queries::{CodeGraph, LIKELY, Snapshot, Subject, SymbolId};
use serde_json::Value;

use super::{
    LISTS as LISTS_OF_SYMBOL,
    change::Change,
    dependents::{Dependents, count_uses},
    diff::Effort,
    subsystem::{self, TESTS},
};
use crate::{
    machinery::{
        answer::{Answer, Resumed, Row},
        error::ToolError,
        tool::Ctx,
        units::plural,
        visible::visible_name,
    },
    parts::{
        groups::Part,
        risk::{Extent, Summary, through_text, unexplored_text, unseen_text},
        subject,
    },
};

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
/// Places that are told of uses that may be of something else.
const SHOWN_POSSIBLE: usize = 5;
/// Names that are told not to be handed on any more.
const SHOWN_REMOVED_REEXPORTS: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum List {
    Changed,
    Direct,
    Callers,
    Implementations,
    Tests,
}

/// Rows below one title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group<'r> {
    Changed,
    /// In one subsystem.
    Direct(&'r str),
    /// On one level.
    Callers(u32),
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

/// Which row of which list.
type Entry = (List, usize);

pub(super) struct Report<'r> {
    pub graph: &'r CodeGraph<'r>,
    pub change: Change<'r>,
    pub dependents: Dependents,
}

impl<'r> Report<'r> {
    /// With callers up to a level.
    pub fn new(change: Change<'r>, depth: u32, effort: Effort) -> Report<'r> {
        Report {
            graph: change.graph,
            dependents: Dependents::of(&change, depth, effort),
            change,
        }
    }

    /// List after list if all of it fits; otherwise some of each list first, so that a short page has the tests too.
    pub fn answer(
        &self,
        ctx: &Ctx<'_>,
        snapshot: &Snapshot,
        head: &str,
        facts: impl Fn(&mut Answer),
    ) -> Result<Answer, ToolError> {
        let is_partial = !snapshot.is_complete();
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
        plan: &[Entry],
        is_partial: bool,
        facts: &impl Fn(&mut Answer),
    ) -> Result<Answer, ToolError> {
        let subsystems = self.subsystems();
        let summary = self.summary(&subsystems, is_partial);
        let mut rows = Vec::new();
        for entry in plan.iter().skip(ctx.paging.offset).take(PAGE_ROWS) {
            rows.push(self.row(*entry)?);
        }
        let mut answer = Answer {
            head: format!("{head}\n{}", self.summary_lines(&summary)),
            rows,
            lists: LISTS_OF_SYMBOL.to_vec(),
            titles: self.titles(plan),
            resumed: self.resumed(plan),
            total: plan.len(),
            tail: self.notes().join("\n"),
            narrower: "raise max_tokens".into(),
            ..Answer::default()
        };
        facts(&mut answer);
        if answer.facts.contains_key("diff") {
            answer.lists.insert(0, "changed");
            answer.definitions = &["changed"];
        }
        answer.fact("summary", self.summary_json(&summary, subsystems));
        Ok(answer)
    }

    /// The same as one of several definitions.
    pub fn part(&self, subject: &Subject, is_partial: bool) -> Part<'_> {
        let subsystems = self.subsystems();
        let summary = self.summary(&subsystems, is_partial);
        let plan = self.plan(FIRST);
        let titles = self.titles(&plan);
        let resumed = self.resumed(&plan);
        let total = plan.len();
        let counted = (total, plural(summary.uses, "use"));
        let row = move |at: usize| Ok((self.row(plan[at])?, None));
        let mut part = Part::new(subject, counted, &self.summary_lines(&summary), total, row);
        part.titles = titles;
        part.resumed = resumed;
        let summary = self.summary_json(&summary, subsystems);
        part.facts.insert("summary".to_owned(), summary);
        part
    }

    fn summary_lines(&self, summary: &Summary) -> String {
        format!(
            "Risk {}: {}\nAffected: {}, {}, {}",
            summary.risk.as_str(),
            summary.reason,
            plural(self.dependents.listed_files, "file"),
            plural(summary.functions, "function"),
            plural(summary.tests, "test"),
        )
    }

    /// The files with tests that reach the change, and those of the change itself that have tests.
    pub fn test_files(&self) -> BTreeSet<&str> {
        let tests = self.dependents.tests.iter().map(|test| self.graph.path(test.file));
        // Tests that no definition is around: those of frameworks that take functions without a name.
        let direct = self.dependents.direct.iter();
        let direct = direct.filter(|one| self.graph.is_in_tests(one.file, one.symbol));
        let changed = self.change.changed.iter().filter(|one| one.symbol.is_test);
        let changed = changed.map(|one| one.path.as_str());
        tests
            .chain(direct.map(|one| self.graph.path(one.file)))
            .chain(changed)
            .collect()
    }

    /// Which row comes when: so many of each list, then the rest of each.
    fn plan(&self, first: [usize; 5]) -> Vec<Entry> {
        let length = |list: List| match list {
            List::Changed => self.change.changed.len(),
            List::Direct => self.dependents.direct.len(),
            List::Callers => self.dependents.callers.len(),
            List::Implementations => self.change.implementations.len(),
            List::Tests => self.dependents.tests.len(),
        };
        let lists = || LISTS.iter().zip(first);
        let begin = lists().flat_map(|(list, most)| (0..length(*list).min(most)).map(|at| (*list, at)));
        let rest = lists().flat_map(|(list, most)| (most..length(*list)).map(|at| (*list, at)));
        begin.chain(rest).collect()
    }

    fn row(&self, (list, at): Entry) -> Result<Row, ToolError> {
        match list {
            List::Changed => self.changed_row(&self.change.changed[at]),
            List::Direct => self.direct_row(&self.dependents.direct[at]),
            List::Callers => self.caller_row(&self.dependents.callers[at], "callers"),
            List::Implementations => self.implementation_row(self.change.implementations[at].symbol),
            List::Tests => self.test_row(&self.dependents.tests[at]),
        }
    }

    fn group(&self, (list, at): Entry) -> Group<'_> {
        match list {
            List::Changed => Group::Changed,
            List::Direct => Group::Direct(&self.dependents.direct[at].subsystem),
            List::Callers => Group::Callers(self.dependents.callers[at].depth),
            List::Implementations => Group::Implementations,
            List::Tests => Group::Tests,
        }
    }

    /// A title wherever another group begins.
    fn titles(&self, plan: &[Entry]) -> Vec<(usize, String)> {
        let mut titles = Vec::new();
        let mut last: Option<(List, Group<'_>)> = None;
        let mut begun: Vec<List> = Vec::new();
        for (at, entry) in plan.iter().enumerate() {
            let (list, group) = (entry.0, self.group(*entry));
            if last == Some((list, group)) {
                continue;
            }
            let place = match last {
                Some((last, _)) if last == list => Place::Inside,
                _ if begun.contains(&list) => Place::Further,
                _ => Place::First,
            };
            titles.push((at, self.title(group, place)));
            begun.push(list);
            last = Some((list, group));
        }
        titles
    }

    /// Where the rest of each list begins, which its first rows are apart from.
    fn resumed(&self, plan: &[Entry]) -> BTreeMap<usize, Resumed> {
        let mut resumed = BTreeMap::new();
        let mut last: BTreeMap<List, usize> = BTreeMap::new();
        for (at, entry) in plan.iter().enumerate() {
            if let Some(behind) = last.insert(entry.0, at).filter(|behind| behind + 1 < at) {
                let group = self.group(*entry);
                let is_same = group == self.group(plan[behind]);
                let title = (!is_same).then(|| self.title(group, Place::Inside));
                let text = None;
                resumed.insert(at, Resumed { behind, title, text });
            }
        }
        resumed
    }

    fn title(&self, group: Group<'_>, place: Place) -> String {
        let Report { change, dependents, .. } = self;
        let more = if place == Place::Further { ", further" } else { "" };
        match group {
            Group::Changed => format!("Changed ({}){more}:", change.changed.len()),
            Group::Direct(subsystem) => {
                let here = dependents.direct.iter().filter(|one| one.subsystem == subsystem);
                let here = count_uses(here);
                let name = visible_name(subsystem::named(subsystem));
                let all = count_uses(&dependents.direct);
                let dispatched = match change.dispatched() {
                    0 => String::new(),
                    n => format!(", {n} of them of what it overrides"),
                };
                let tested = match count_uses(dependents.in_tests.values()) {
                    0 => String::new(),
                    tested => format!(", and {tested} by tests below"),
                };
                match place {
                    Place::Inside => format!("{name} ({here}):"),
                    _ => format!("Direct use ({all}{tested}{dispatched}){more}\n{name} ({here}):"),
                }
            }
            Group::Callers(depth) => {
                let here = dependents.callers.iter().filter(|one| one.depth == depth).count();
                format!("Callers, level {depth} ({here}):")
            }
            Group::Implementations => {
                format!("Implementations ({}){more}:", change.implementations.len())
            }
            Group::Tests => format!("Tests to run ({}){more}:", dependents.tests.len()),
        }
    }

    /// The names of the subsystems that use it, but for tests.
    fn subsystems(&self) -> Vec<&str> {
        let direct = self.dependents.direct.iter();
        let mut names: Vec<&str> = direct.map(|one| one.subsystem.as_str()).collect();
        names.retain(|name| *name != TESTS);
        names.dedup();
        names.into_iter().map(subsystem::named).collect()
    }

    fn summary(&self, subsystems: &[&str], is_partial: bool) -> Summary {
        let Report { change, dependents, .. } = self;
        let is_operator = |id: &SymbolId| self.graph.hit(*id).is_ok_and(|hit| subject::is_operator(&hit));
        let extent = Extent {
            is_public: change.is_public,
            is_layout: change.is_layout(),
            is_operator: change.uses.is_empty() && change.ids.first().is_some_and(is_operator),
            uses: change.uses.len() - change.dispatched(),
            dispatched: change.dispatched(),
            possible: change.possible().len(),
            unread: change.unread,
            unread_submodules: change.unread_submodules,
            is_nothing: change.is_nothing,
            files: dependents.files,
            functions: dependents.functions,
            tests: dependents.tests.len(),
            subsystems: subsystems.iter().map(|name| visible_name(name)).collect(),
            is_deep: true,
            unexplored: dependents.unexplored,
            left_over: change.left_over,
            unfit: change.unfit(),
            implementations: change.implementations.len(),
            is_partial,
            unparsed: self.graph.n_unparsed(),
        };
        extent.rated()
    }

    fn summary_json(&self, summary: &Summary, subsystems: Vec<&str>) -> Value {
        let mut json = summary.json();
        json["files"] = self.dependents.listed_files.into();
        json["subsystems"] = subsystems.into();
        if self.dependents.unexplored > 0 {
            json["unexplored"] = self.dependents.unexplored.into();
        }
        if self.change.unseen > 0 {
            json["unseen_files"] = self.change.unseen.into();
        }
        json
    }

    /// What may be a use too, and where that is looked up.
    fn possible_note(&self) -> Option<String> {
        let possible = self.change.possible();
        let uses = match possible.len() {
            0 => return None,
            n => plural(n, "further use"),
        };
        let places = subject::places(self.graph, possible.into_iter(), SHOWN_POSSIBLE);
        let name = if self.change.targets.len() > 1 {
            "these names"
        } else {
            "the name"
        };
        Some(format!(
            "{uses} of {name} below confidence {LIKELY}: {places}; find_references with include_unsure lists them."
        ))
    }

    fn notes(&self) -> Vec<String> {
        let Report { change, dependents, .. } = self;
        let removed_reexports = change
            .removed_reexports
            .iter()
            .take(SHOWN_REMOVED_REEXPORTS)
            .map(|one| {
                format!(
                    "{}:{} does not hand on `{}` any more, imported in {}.",
                    visible_name(&one.path),
                    one.line,
                    visible_name(&one.name),
                    plural(one.uses, "place")
                )
            });
        let mut notes: Vec<String> = removed_reexports.collect();
        if change.is_type {
            notes.push("Uses of its members are not among these: ask for them by name.".to_owned());
        }
        if change.through > 0 {
            notes.push(through_text(change.through, ""));
        }
        if dependents.imports > 0 {
            notes.push(format!(
                "{} in these files not listed.",
                plural(dependents.imports, "import")
            ));
        }
        notes.extend(self.possible_note());
        if change.unasked > 0 {
            notes.push(unasked_text(change.unasked));
        }
        if change.unseen > 0 {
            notes.push(unseen_text(change.unseen));
        }
        if dependents.unexplored > 0 {
            notes.push(unexplored_text(dependents.unexplored));
        }
        notes
    }
}

fn unasked_text(unasked: usize) -> String {
    let files = if unasked == 1 { "file or name" } else { "files or names" };
    format!("{unasked} further changed {files} may be imported: who does was not looked for.")
}
