//! `find_references`: every use of a symbol, and how each is known.

mod other;
mod rows;
pub(crate) mod undefined;

use std::collections::BTreeMap;

use queries::{
    CodeGraph, Implementation, LIKELY, Mention, MentionPlace, Role, Rule, Subject, SymbolId, SymbolKind, Use,
    UseOrigin, Uses,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use self::{
    other::{Category, OtherUses},
    rows::RowMaker,
};
use crate::{
    machinery::{
        alias::{Alias, PLAIN},
        answer::{Answer, Row},
        error::ToolError,
        tool::{Ctx, Effect, Engine, GRAPH, Tool, Toolset, number},
        units::{first_few, plural, rounded},
        visible::{clip_line, visible_name},
    },
    parts::{
        completeness::Completeness,
        groups::{self, Fields, MadeRow, Part, place_argument},
        risk,
        subject::{self, Each, Several, SymbolSelector, TOO_COMMON_IN_TEXT, named_place, origin_json},
    },
};

pub(crate) struct FindReferences;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    #[serde(flatten)]
    target: SymbolSelector,
    #[serde(default)]
    symbol_type: SymbolType,
    #[serde(default)]
    include_definition: bool,
    /// List comments, strings and documents that contain the name
    include_text: Option<bool>,
    /// Rows below confidence 0.5 too
    #[serde(default)]
    include_unsure: bool,
    /// List, in short, what is not a reference: uses not proven, uses through a base or override, other meanings of the name
    #[serde(default)]
    include_other: bool,
    #[serde(default)]
    exclude_tests: bool,
    /// File to leave out
    defined_in: Option<String>,
    reference_kind: Option<ReferenceKind>,
    /// Show code: 0 the line of each reference, more the lines around it; by default line numbers by function
    #[schemars(range(max = 10))]
    context_lines: Option<u32>,
    #[serde(default = "number::<50>")]
    #[schemars(range(min = 1, max = 200))]
    max_results: u32,
}

impl Params {
    /// Lines of code around each of so many rows; nothing for line numbers alone.
    fn context_of(&self, ctx: &Ctx<'_>, total: usize) -> Option<u32> {
        match self.context_lines {
            // The systems that a profile stands in for show code.
            None if ctx.profile.is_some() => Some(if total > FEW_ROWS { 0 } else { 2 }),
            context => context,
        }
    }
}

#[derive(Deserialize, JsonSchema, Clone, Copy, Default, PartialEq)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum SymbolType {
    Function,
    Type,
    Variable,
    Constant,
    #[default]
    Any,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum ReferenceKind {
    Call,
    TypeUsage,
    Import,
    MemberAccess,
    VariableRef,
    Implementation,
}

impl ReferenceKind {
    fn role(self) -> Role {
        match self {
            ReferenceKind::Call => Role::Call,
            ReferenceKind::TypeUsage => Role::Type,
            ReferenceKind::Import => Role::Import,
            ReferenceKind::MemberAccess => Role::Member,
            ReferenceKind::VariableRef => Role::Variable,
            ReferenceKind::Implementation => Role::Implementation,
        }
    }
}

impl SymbolType {
    fn allows(self, kind: SymbolKind) -> bool {
        match self {
            SymbolType::Any => true,
            SymbolType::Function => kind.is_function(),
            SymbolType::Type => kind.is_type(),
            SymbolType::Variable => {
                matches!(kind, SymbolKind::Variable | SymbolKind::Field | SymbolKind::Property)
            }
            SymbolType::Constant => matches!(kind, SymbolKind::Constant | SymbolKind::Variant),
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            SymbolType::Function => "function",
            SymbolType::Type => "type",
            SymbolType::Variable => "variable",
            SymbolType::Constant => "constant",
            SymbolType::Any => "symbol",
        }
    }

    /// Whether a use takes what it means for such a thing.
    fn is_role(self, role: Role) -> bool {
        match self {
            SymbolType::Any => true,
            SymbolType::Function => role == Role::Call,
            SymbolType::Type => matches!(role, Role::Type | Role::Implementation),
            SymbolType::Variable | SymbolType::Constant => {
                matches!(role, Role::Variable | Role::Member)
            }
        }
    }
}

/// A profile's answers with more rows than these have one line of code each.
const FEW_ROWS: usize = 12;
/// Rows of comments and documents that are shown.
const MAX_MENTIONS: usize = 10;
/// Files that are named for who changes the symbol.
const MAX_FILES: usize = 40;
/// Uses that are less sure are counted, and this many of them shown.
const MAX_POSSIBLE: usize = 10;
/// Places that are named in a sentence.
const SHOWN_PLACES: usize = 5;
/// So many unsure uses are shown with their lines.
const SHOWN_WITH_CODE: usize = 5;
/// Other meanings of the name that are named in a sentence.
const SHOWN_MEANINGS: usize = 3;

impl Tool for FindReferences {
    const NAME: &'static str = "find_references";
    const TITLE: &'static str = "Find references";
    const DOC: &'static str = "Every use of a symbol (by file and line: of a local name too), resolved by the rules of its language, with role \
         and confidence; files to update.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"symbol": "parse_query"}"#;
    const ALWAYS_LOADED: bool = true;
    const ENGINES: &'static [Engine] = GRAPH;
    const CLI: Option<&'static str> = Some("refs");
    const POSITIONAL: &'static [&'static str] = &["symbol", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = subject::ALIASES;
    const OTHER_NAMES: &'static [Alias] = &[Alias {
        name: "fast_refs",
        to: Self::NAME,
        rename: &[("limit", "max_results")],
        fixed: &[("include_definition", "true")],
        ..PLAIN
    }];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("references", "array"),
        ("groups", "array"),
        ("total", "integer"),
        ("symbol", "object"),
        ("modules", "array"),
        ("completeness", "string"),
        ("other", "array"),
        ("files", "array"),
        ("possible", "array"),
        ("mentions", "array"),
        ("summary", "object"),
        ("candidates", "array"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn instead_of(parameter: &str) -> Option<&'static str> {
        match parameter {
            "include_tests" => Some("exclude_tests: true leaves tests out"),
            _ => None,
        }
    }

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            let is_kind = |kind| params.symbol_type.allows(kind);
            snapshot.graph(
                |graph| match params.target.each_of(snapshot, graph, "references", is_kind)? {
                    Each::One(subject) => {
                        let uses = graph.uses(&subject);
                        References::new(ctx, graph, &subject, &uses, &params)?.answer()
                    }
                    Each::Local(local) => {
                        let uses = rename::local_uses(graph, &local)?;
                        References::new(ctx, graph, &local.subject, &uses, &params)?.answer()
                    }
                    Each::Several(several) => of_several(ctx, graph, &several, &params),
                    Each::Undefined(none) => Ok(undefined::answer(ctx, graph, &params)?.unwrap_or(none)),
                    Each::Other(answer) => Ok(answer),
                },
            )
        })
    }
}

/// The references of each of several definitions.
fn of_several(ctx: &Ctx<'_>, graph: &CodeGraph<'_>, several: &Several, params: &Params) -> Result<Answer, ToolError> {
    let uses: Vec<Uses> = several.subjects.iter().map(|subject| graph.uses(subject)).collect();
    let all = several.subjects.iter().zip(&uses);
    let all = all.map(|(subject, uses)| References::new(ctx, graph, subject, uses, params));
    let all: Vec<References<'_>> = all.collect::<Result<_, _>>()?;
    let makers: Vec<RowMaker<'_>> = all.iter().map(References::row_maker).collect();
    let parts: Vec<Part<'_>> = all.iter().zip(&makers).map(|(one, maker)| one.part(maker)).collect();
    let fields = Fields::Key("references");
    let mut answer = groups::answer(ctx, several, &parts, fields, params.max_results as usize)?;
    if let Some(first) = several.subjects.first() {
        if !answer.tail.is_empty() {
            answer.tail.push('\n');
        }
        answer.tail.push_str(&format!(
            "Files to update, impact and other meanings of the name: find_references of one place, such as {}",
            place_argument(&first.hit)
        ));
    }
    answer.says_age = ctx.profile.is_some();
    Ok(answer)
}

/// From here on a row counts as sure.
const HIGH: f32 = 0.8;

/// The references of one symbol or local name.
struct References<'r> {
    ctx: &'r Ctx<'r>,
    graph: &'r CodeGraph<'r>,
    subject: &'r Subject,
    params: &'r Params,
    uses: &'r Uses,
    /// Those that are rows: high before medium before low, of each those in tests and examples last, else by file and
    /// function.
    sure: Vec<&'r Use>,
    /// Those that may be of it, or may reach it through what it overrides.
    possible: Vec<&'r Use>,
    /// Where it is given by its name, which is not written there as a use of it.
    given: Vec<&'r Use>,
    /// Uses in tests, where those are not wanted.
    in_tests: usize,
}

impl<'r> References<'r> {
    fn new(
        ctx: &'r Ctx<'r>,
        graph: &'r CodeGraph<'r>,
        subject: &'r Subject,
        uses: &'r Uses,
        params: &'r Params,
    ) -> Result<References<'r>, ToolError> {
        // A `symbol_type` that is not the definition's kind filters uses by their role: `Locker(` calls a type like a function.
        let used_as = Some(params.symbol_type).filter(|asked| !asked.allows(subject.hit.kind));
        let left_out = match &params.defined_in {
            Some(file) => Some(graph.file_at(file)?),
            None => None,
        };
        let is_asked = |used: &&Use| {
            left_out != Some(used.file)
                && params.reference_kind.is_none_or(|kind| kind.role() == used.role)
                && used_as.is_none_or(|asked| asked.is_role(used.role))
        };
        let around = |used: &Use| {
            used.enclosing.map(|symbol| SymbolId {
                file: used.file,
                symbol,
            })
        };
        let is_excluded = |used: &&Use| params.exclude_tests && graph.is_in_tests(used.file, around(used));
        let (in_tests, wanted): (Vec<&Use>, Vec<&Use>) = uses.uses.iter().filter(is_asked).partition(is_excluded);
        let is_given = |used: &&Use| used.origin == UseOrigin::Resolved(Rule::Injected);
        let is_sure =
            |used: &&Use| (used.confidence >= LIKELY || params.include_unsure) && used.origin != UseOrigin::Dispatch;
        let (given, written): (Vec<&Use>, Vec<&Use>) = wanted.into_iter().partition(is_given);
        let (mut sure, possible): (Vec<&Use>, Vec<&Use>) = written.into_iter().partition(is_sure);
        let mut begins: BTreeMap<_, u32> = BTreeMap::new();
        for used in &sure {
            let begin = begins.entry((used.file, graph.container(used))).or_insert(used.at);
            *begin = used.at.min(*begin);
        }
        // All uses in one function follow each other.
        sure.sort_by_cached_key(|used| {
            (
                used.confidence < HIGH,
                used.confidence < LIKELY,
                graph.is_aside(used.file, around(used)),
                used.file,
                begins[&(used.file, graph.container(used))],
                used.at,
            )
        });
        Ok(References {
            ctx,
            graph,
            subject,
            params,
            uses,
            sure,
            possible,
            given,
            in_tests: in_tests.len(),
        })
    }

    fn is_local(&self) -> bool {
        self.subject.ids.is_empty()
    }

    fn answer(&self) -> Result<Answer, ToolError> {
        let mut files: Vec<&str> = self.sure.iter().map(|used| self.graph.path(used.file)).collect();
        files.sort_unstable();
        files.dedup();
        let others = self.params.include_other && !self.is_local();
        let others = if others { self.others()? } else { Vec::new() };
        let maker = self.row_maker();
        let n_others: usize = others.iter().map(|one| one.files.len()).sum();
        let counted = self.total();
        let mut answer = Answer {
            head: format!(
                "{}\n{}",
                subject::heading(self.subject),
                self.counted_lines(files.len())
            ),
            key: "references",
            total: counted + n_others,
            narrower: "narrow with reference_kind or raise max_results".into(),
            ..Answer::default()
        };
        let offset = self.ctx.paging.offset;
        for at in (offset..counted).take(self.params.max_results as usize) {
            let (row, behind) = self.made_row(&maker, at)?;
            answer.rows.push(row);
            answer.behind.extend(behind.map(|behind| (at, behind)));
        }
        if self.params.include_other {
            answer.counted = Some(counted);
            self.add_others(&mut answer, &others);
        }
        if self.ctx.profile.is_some_and(|profile| profile.by_confidence) {
            answer.titles.splice(0..0, self.confidence_titles());
        }
        answer.fact("symbol", subject::json_of(self.subject));
        self.completeness().tell(&mut answer.facts);
        // What is known of all of them was said on the first page.
        if offset == 0 {
            self.tell_besides(&mut answer, files)?;
        }
        Ok(answer)
    }

    /// Headings above the references of high, medium and low confidence, which follow each other.
    fn confidence_titles(&self) -> Vec<(usize, String)> {
        let low = self.sure.partition_point(|used| used.confidence >= LIKELY);
        let medium = self.sure[..low].partition_point(|used| used.confidence >= HIGH);
        let groups = [
            ("High", 0, medium),
            ("Medium", medium, low),
            ("Low", low, self.sure.len()),
        ];
        let first = usize::from(self.params.include_definition);
        let groups = groups.into_iter().filter(|(_, from, to)| from < to);
        groups
            .map(|(word, from, to)| (first + from, format!("{word} confidence ({}):", to - from)))
            .collect()
    }

    fn total(&self) -> usize {
        self.sure.len() + usize::from(self.params.include_definition)
    }

    fn row_maker(&self) -> RowMaker<'_> {
        let context = self.params.context_of(self.ctx, self.total());
        RowMaker::new(self.graph, &self.sure, context)
    }

    /// One row of all, with its text behind the row before it.
    fn made_row(&self, maker: &RowMaker<'_>, at: usize) -> Result<MadeRow, ToolError> {
        match (self.params.include_definition, at) {
            (true, 0) => Ok((definition_row(self.subject), None)),
            (has_definition, at) => maker.row(at - usize::from(has_definition)),
        }
    }

    /// The same as one of several definitions.
    fn part<'p>(&'p self, maker: &'p RowMaker<'p>) -> Part<'p> {
        let total = self.total();
        let mut files: Vec<&str> = self.sure.iter().map(|used| self.graph.path(used.file)).collect();
        files.sort_unstable();
        files.dedup();
        let mut part = Part::new(
            self.subject,
            (total, plural(self.sure.len(), "reference")),
            &self.counted_lines(files.len()),
            total,
            |at| self.made_row(maker, at),
        );
        self.completeness().tell(&mut part.facts);
        let dispatched = self.dispatched_uses().count();
        for (field, count) in [
            ("possible_total", self.possible.len() - dispatched),
            ("dispatch_total", dispatched),
        ] {
            if count > 0 {
                part.facts.insert(field.to_owned(), count.into());
            }
        }
        part
    }

    /// Why there may be more references than are listed.
    fn completeness(&self) -> Completeness {
        let mut known = match self.is_local() {
            true => Completeness::default(),
            false => Completeness::of(self.graph, &self.subject.hit, self.uses),
        };
        let unproven = self.possible.iter().filter(|used| used.origin != UseOrigin::Dispatch);
        known.unproven(unproven.map(|used| used.confidence));
        known
    }

    fn dispatched_uses(&self) -> impl Iterator<Item = &'r Use> {
        let is_dispatched = |used: &&Use| used.origin == UseOrigin::Dispatch;
        self.possible.iter().copied().filter(is_dispatched)
    }

    /// What the name means where it does not mean this definition, and where it is not known.
    fn others(&self) -> Result<Vec<OtherUses>, ToolError> {
        let unproven = self.possible.iter().copied();
        let unproven = unproven.filter(|used| used.origin != UseOrigin::Dispatch);
        let mut found = other::of_uses(self.graph, Category::Unproven, unproven)?;
        found.extend(other::of_uses(self.graph, Category::Dispatch, self.dispatched_uses())?);
        found.extend(other::of_places(self.graph, &self.uses.other_uses)?);
        Ok(found)
    }

    /// Rows behind the references.
    fn add_others(&self, answer: &mut Answer, others: &[OtherUses]) {
        for row in &mut answer.rows {
            row.json = json!({ "references": row.json.take() });
        }
        answer.key = "";
        answer.lists = vec!["references", "other"];
        let counted = self.total();
        let offset = self.ctx.paging.offset;
        let mut at = counted;
        for one in others {
            answer.titles.push((at, one.title()));
            for (path, lines) in &one.files {
                if at >= offset && answer.rows.len() < self.params.max_results as usize {
                    answer.rows.push(one.row(path, lines));
                }
                at += 1;
            }
        }
    }

    fn counted_lines(&self, files: usize) -> String {
        let counted = match (self.sure.len(), self.possible.len()) {
            (0, 0) if !self.given.is_empty() => {
                "Nothing in this workspace names it but those that it is given to".to_owned()
            }
            (0, 0) if self.in_tests > 0 && self.in_tests == self.uses.uses.len() => "Only tests use it".to_owned(),
            (0, 0) if !self.uses.uses.is_empty() => format!(
                "No such reference; {} that the filter leaves out",
                plural(self.uses.uses.len(), "use")
            ),
            (0, 0) if subject::is_operator(&self.subject.hit) => capitalised(subject::AS_OPERATOR),
            (0, 0) if self.is_local() => "Nothing uses it".to_owned(),
            (0, 0) => format!("Nothing in {} uses it", subject::looked_at(self.graph)),
            (0, _) => "No reference is sure".to_owned(),
            (count, _) => {
                let high = self.sure.iter().filter(|used| used.confidence >= HIGH).count();
                let low = self.sure.iter().filter(|used| used.confidence < LIKELY).count();
                let low_text = if low > 0 { format!(", {low} low") } else { String::new() };
                let sure = match count - high {
                    0 if self.ctx.profile.is_none() => String::new(),
                    rest => format!(" ({high} high, {} medium{low_text} confidence)", rest - low),
                };
                let mut lines: Vec<_> = self
                    .sure
                    .iter()
                    .map(|used| (used.file, self.graph.line_at(used.file, used.at)))
                    .collect();
                lines.sort_unstable();
                lines.dedup();
                let on_lines = match lines.len() == count {
                    true => String::new(),
                    false => format!(" on {}", plural(lines.len(), "line")),
                };
                format!(
                    "{}{on_lines} in {}{sure}",
                    plural(count, "reference"),
                    plural(files, "file")
                )
            }
        };
        let mut left_out = match self.in_tests {
            0 => String::new(),
            n => format!("; {n} in tests left out"),
        };
        let asked = self.params.symbol_type;
        if !asked.allows(self.subject.hit.kind) {
            let kind = self.subject.hit.kind.as_str();
            left_out.push_str(&format!(
                "; it is a {kind}: only its uses as a {} count",
                asked.as_str()
            ));
        }
        let known = self.completeness().text(self.sure.len());
        let known = known.map(|known| format!("\n{known}")).unwrap_or_default();
        format!("{counted}{left_out}{known}")
    }

    /// What is known besides the references: who may mean it too, where it is only mentioned, what a change reaches.
    fn tell_besides(&self, answer: &mut Answer, files: Vec<&str>) -> Result<(), ToolError> {
        let standing_in = self.graph.implementations(self.subject);
        let mentions = self.mentions()?;
        let named = mentions.iter().flatten().flatten();
        let named: Vec<&Mention> = named.filter(|one| one.place == MentionPlace::Path).collect();
        let n_listed = files.len();
        let files = self.files_to_update(files, &standing_in, &named);
        let listed = files.iter().take(self.ctx.share(MAX_FILES));
        answer.fact("files", listed.copied().collect::<Vec<&str>>());
        answer.fact("files_total", files.len());
        let mut tail = Vec::new();
        tail.extend(self.given_to(answer));
        tail.extend(self.dispatched(answer)?);
        tail.extend(self.by_name(answer));
        tail.extend(self.unseen(answer));
        tail.extend(self.of_others(answer, &standing_in)?);
        match &mentions {
            Some(Some(mentions)) if !mentions.is_empty() => tail.extend(text_mentions(self.ctx, answer, mentions)),
            Some(None) if self.includes_text() == Some(true) => tail.push(TOO_COMMON_IN_TEXT.to_owned()),
            _ => {}
        }
        if !self.is_local() {
            let summary = risk::summary(self.graph, self.subject, self.uses);
            let is_filtered = summary.uses != self.sure.len() + self.given.len();
            let which = if is_filtered { " of all uses" } else { "" };
            if self.ctx.profile.is_some() {
                tail.push(summary.text().replacen("Impact", &format!("Impact{which}"), 1));
            }
            answer.fact("summary", summary.json());
        }
        if !files.is_empty() && (!self.is_local() || files != [self.subject.hit.path.as_str()]) {
            // Those of the references are there already; the systems that a profile stands in for list all.
            let (also, others) = match self.ctx.profile {
                Some(_) => ("", files.as_slice()),
                None => ("also ", &files[n_listed..]),
            };
            if !others.is_empty() {
                let names = others.iter().map(|path| visible_name(path));
                let shown = first_few(names, self.ctx.share(MAX_FILES));
                let own = match others == [self.subject.hit.path.as_str()] && self.ctx.profile.is_none() {
                    true => " (its definition)",
                    false => "",
                };
                tail.push(format!("Files to update {also}: {shown}{own}").replace(" :", ":"));
            }
        }
        answer.tail = tail.join("\n");
        answer.says_age = self.ctx.profile.is_some();
        Ok(())
    }

    /// A change goes on where it is declared as well, where others stand in for it, and where its path is written out.
    fn files_to_update<'f>(
        &'f self,
        mut files: Vec<&'f str>,
        standing_in: &[Implementation],
        named: &[&'f Mention],
    ) -> Vec<&'f str> {
        let own = self.subject.hit.path.as_str();
        let mut also: Vec<&str> = vec![own];
        also.extend(self.possible_files());
        also.extend(self.given.iter().map(|used| self.graph.path(used.file)));
        also.extend(self.subject.others.iter().map(|other| other.path.as_str()));
        also.extend(named.iter().map(|one| one.path.as_str()));
        if !self.subject.hit.kind.is_type() {
            also.extend(standing_in.iter().map(|one| self.graph.path(one.symbol.file)));
        }
        also.sort_unstable();
        also.dedup();
        also.retain(|path| !files.contains(path));
        if !files.is_empty() || also != [own] {
            files.extend(also);
        }
        files
    }

    fn given_to(&self, answer: &mut Answer) -> Option<String> {
        if self.given.is_empty() {
            return None;
        }
        let shown = self.given.iter().take(self.ctx.share(MAX_POSSIBLE));
        let shown: Vec<Value> = shown.map(|used| subject::use_place_json(self.graph, used)).collect();
        answer.fact("given_to", shown);
        answer.fact("given_to_total", self.given.len());
        Some(format!(
            "Given by its name to {}: {}",
            plural(self.given.len(), "parameter"),
            self.places(&self.given)
        ))
    }

    /// The files where it may be reached by what it overrides: they change with it.
    fn possible_files(&self) -> impl Iterator<Item = &str> {
        self.dispatched_uses().map(|used| self.graph.path(used.file))
    }

    fn dispatched(&self, answer: &mut Answer) -> Result<Option<String>, ToolError> {
        let dispatched = self.dispatched_uses().count();
        if dispatched == 0 {
            return Ok(None);
        }
        answer.fact("dispatch_total", dispatched);
        let bases = self.graph.overridden(self.subject)?;
        let listed = match bases.as_slice() {
            [] => "include_other lists them".to_owned(),
            [base] => format!("find_references of {} lists them", place_argument(base)),
            bases => format!(
                "find_references of each lists them: {}",
                first_few(bases.iter().map(place_argument), SHOWN_PLACES)
            ),
        };
        let of = match bases.first() {
            Some(base) if bases.len() == 1 => named_place(base),
            _ => "what it overrides".to_owned(),
        };
        Ok(Some(format!(
            "{} of {of} may reach it, and {} not among these; {listed}",
            plural(dispatched, "use"),
            if dispatched == 1 { "is" } else { "are" },
        )))
    }

    fn by_name(&self, answer: &mut Answer) -> Option<String> {
        let possible = self.possible.iter().copied();
        let by_name: Vec<&Use> = possible.filter(|used| used.origin != UseOrigin::Dispatch).collect();
        if by_name.is_empty() {
            return None;
        }
        let shown = by_name.iter().take(self.ctx.share(MAX_POSSIBLE)).map(|used| {
            let mut json = subject::use_place_json(self.graph, used);
            json["kind"] = used.role.as_str().into();
            origin_json(&mut json, used.origin, used.confidence);
            json
        });
        answer.fact("possible", shown.collect::<Vec<Value>>());
        answer.fact("possible_total", by_name.len());
        let counted = format!(
            "{} of that name below confidence {LIKELY}, where the receiver's type or the overload is not known",
            plural(by_name.len(), "further use")
        );
        // The source line usually shows which definition is meant, so that the reader need not search for it.
        if by_name.len() <= self.ctx.share(SHOWN_WITH_CODE) && self.ctx.profile.is_none() {
            let lines = by_name.iter().map(|used| {
                let line = self.graph.line_at(used.file, used.at);
                let (_, code) = self.graph.lines_around(used.file, line, 0).ok()?;
                let code = clip_line(code.first()?.trim(), 0);
                Some(format!(
                    "\n  {}:{line}: {code}",
                    visible_name(self.graph.path(used.file))
                ))
            });
            return Some(format!("{counted}:{}", lines.flatten().collect::<String>()));
        }
        let more = match by_name.len() > self.ctx.share(SHOWN_PLACES) {
            true => "; include_unsure lists them all",
            false => "",
        };
        Some(format!("{counted}: {}{more}", self.places(&by_name)))
    }

    fn unseen(&self, answer: &mut Answer) -> Option<String> {
        let unseen = self.uses.unseen;
        if unseen == 0 {
            return None;
        }
        answer.fact("unseen_files", unseen);
        Some(format!(
            "Not looked at: {} with that common name in which its type is not named.",
            plural(unseen, "file")
        ))
    }

    /// What the other uses of the name are of.
    fn of_others(&self, answer: &mut Answer, standing_in: &[Implementation]) -> Result<Vec<String>, ToolError> {
        let of_one = |one: &Implementation| self.uses.of_others.get(&one.symbol).copied().unwrap_or(0);
        let through: usize = standing_in.iter().map(of_one).sum();
        let mut told = Vec::new();
        if through > 0 {
            let used = standing_in.iter().filter(|one| of_one(one) > 0);
            let used = used.map(|one| self.graph.hit(one.symbol).map(|hit| place_argument(&hit)));
            let used: Vec<String> = used.collect::<Result<_, _>>()?;
            told.push(risk::through_text(through, &first_few(used.into_iter(), SHOWN_PLACES)));
            answer.fact("through_implementations", through);
        }
        if self.uses.others > through {
            answer.fact("other_total", self.uses.others - through);
            let mut groups = other::of_places(self.graph, &self.uses.other_uses)?;
            groups.retain(|one| {
                one.id
                    .is_none_or(|id| standing_in.iter().all(|standing| standing.symbol != id))
            });
            let shown = groups.iter().map(|one| format!("{} {}", one.count, one.label()));
            let listed = if self.params.include_other {
                ""
            } else {
                "; include_other lists them"
            };
            told.push(format!(
                "Uses of the name that mean something else: {} ({}){listed}",
                self.uses.others - through,
                first_few(shown, SHOWN_MEANINGS),
            ));
        }
        Ok(told)
    }

    /// The systems that a profile stands in for list text unless they are told not to.
    fn includes_text(&self) -> Option<bool> {
        let of_profile = self.ctx.profile.map(|_| true);
        self.params.include_text.or(of_profile)
    }

    /// Where it is named by its path in text, and where text contains its name if that is asked for; nothing if its name is
    /// too common for that.
    fn mentions(&self) -> Result<Option<Option<Vec<Mention>>>, ToolError> {
        if self.includes_text() == Some(false) || self.params.reference_kind.is_some() || self.is_local() {
            return Ok(None);
        }
        let mut mentions = self.graph.mentions(self.subject)?;
        if let Some(mentions) = &mut mentions {
            let is_asked = self.includes_text() == Some(true);
            mentions.retain(|one| is_asked || one.place == MentionPlace::Path);
            mentions.sort_by_key(|one| one.place != MentionPlace::Path);
        }
        Ok(Some(mentions))
    }

    /// The first of some places.
    fn places(&self, uses: &[&Use]) -> String {
        subject::use_places(self.graph, uses, self.ctx.share(SHOWN_PLACES))
    }
}

fn capitalised(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}

/// What is said of them: those that are the path to it, which a rename would break, before all others.
fn text_mentions(ctx: &Ctx<'_>, answer: &mut Answer, mentions: &[Mention]) -> Vec<String> {
    let rows: Vec<Value> = mentions
        .iter()
        .take(ctx.share(MAX_MENTIONS))
        .map(|mention| {
            json!({
                "path": mention.path,
                "line": mention.line,
                "column": mention.column,
                "role": mention.place.as_str(),
                "origin": if mention.place.is_exact() { "exact" } else { "text" },
                "confidence": rounded(mention.confidence),
            })
        })
        .collect();
    answer.fact("mentions", rows);
    answer.fact("mentions_total", mentions.len());
    let (named, others): (Vec<&Mention>, Vec<&Mention>) =
        mentions.iter().partition(|one| one.place == MentionPlace::Path);
    let also = match others.iter().any(|one| one.place == MentionPlace::Unparsed) {
        true => "Also in text (comments, strings, documents, files that are not parsed; low confidence)",
        false => "Also in text (comments, strings, documents; low confidence)",
    };
    let groups = [("Named by its path in strings or settings", named), (also, others)];
    let groups = groups.into_iter().filter(|(_, mentions)| !mentions.is_empty());
    let told = groups.map(|(title, mentions)| {
        let places = plural(mentions.len(), "place");
        format!("{title}, {places}: {}", places_by_file(ctx, &mentions))
    });
    told.collect()
}

fn places_by_file(ctx: &Ctx<'_>, mentions: &[&Mention]) -> String {
    let mut by_file: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for mention in mentions {
        let lines = by_file.entry(&mention.path).or_default();
        if lines.last() != Some(&mention.line) {
            lines.push(mention.line);
        }
    }
    let shown: Vec<String> = by_file
        .iter()
        .take(ctx.share(10))
        .map(|(path, lines)| {
            let more = if lines.len() > 5 { ",..." } else { "" };
            let lines: Vec<String> = lines.iter().take(5).map(u32::to_string).collect();
            format!("{}:{}{more}", visible_name(path), lines.join(","))
        })
        .collect();
    let more = match by_file.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more files"),
    };
    format!("{}{more}", shown.join("; "))
}

fn definition_row(subject: &Subject) -> Row {
    let hit = &subject.hit;
    Row {
        text: format!("{}:{}:{} definition", visible_name(&hit.path), hit.line, hit.column),
        json: json!({
            "path": hit.path,
            "line": hit.line,
            "column": hit.column,
            "role": "definition",
            "origin": "resolved",
            "confidence": 1.0,
        }),
        body: None,
    }
}
