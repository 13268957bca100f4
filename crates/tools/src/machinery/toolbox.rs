//! The dispatcher: from a name and arguments to the answer of a tool.
//!
//! What all tools share happens here: names and aliases, lenient arguments, budgets and cursors, errors, panics, time.

use std::{
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use serde_json::{Map, Value};
use workspace::{Control, Workspaces};

use crate::{
    machinery::{
        alias, args,
        error::{Cause, ErrorCode, ToolError},
        listing::{Listing, ToolInfo},
        paging::{Page, PageStart, Paging, Sent},
        tool::{Ctx, Effect, Entry},
        within::Within,
    },
    profile::{Profile, Wording},
    tools::{self, TOOLS},
};

/// Every tool over one set of workspaces.
pub struct Toolbox {
    pub(crate) workspaces: Workspaces,
    listing: Listing,
}

impl Toolbox {
    pub fn new(workspaces: Workspaces, listing: Listing) -> Toolbox {
        Toolbox { workspaces, listing }
    }

    /// The tools that `tools/list` shows.
    pub fn listed(&self) -> Vec<ToolInfo> {
        self.listing.tools()
    }

    /// What the server tells a client about itself on connecting.
    pub fn instructions(&self) -> String {
        self.listing.instructions()
    }

    /// A text about our tools, in the names that this server lists.
    pub fn worded(&self, text: &str) -> String {
        match self.listing.profile {
            Some(profile) => profile.worded(text),
            None => text.to_owned(),
        }
    }

    /// Whether results carry `structuredContent` next to the text.
    pub fn structured(&self) -> bool {
        self.listing.structured
    }

    /// The client's own roots, of which the first is meant where nothing is said; used when the server was started without
    /// `--root`.
    pub fn set_client_roots(&self, roots: Vec<PathBuf>) {
        self.workspaces.set_client_roots(roots);
    }

    /// True when `--root` was given, so that the client need not be asked for roots.
    pub fn has_explicit_root(&self) -> bool {
        self.workspaces.has_explicit_root()
    }

    /// Ends all work in the background and waits for it. Calls that come later, or wait for such work, fail.
    pub fn close(&self) {
        self.workspaces.close();
    }

    /// Runs one tool. Blocking; never panics.
    pub fn call(&self, name: &str, arguments: Map<String, Value>, call: &Call) -> Result<Outcome, UnknownTool> {
        self.call_as(self.listing.profile, name, arguments, call)
    }

    /// The same by the tool's own name and parameters, whichever system is stood in for.
    pub fn call_own(&self, name: &str, arguments: Map<String, Value>, call: &Call) -> Result<Outcome, UnknownTool> {
        self.call_as(None, name, arguments, call)
    }

    fn call_as(
        &self,
        profile: Option<&'static Profile>,
        name: &str,
        arguments: Map<String, Value>,
        call: &Call,
    ) -> Result<Outcome, UnknownTool> {
        let started = Instant::now();
        let foreign = profile.and_then(|profile| Some((profile, profile.tool(name)?)));
        let (canonical, arguments) = match foreign {
            Some((_, tool)) => (tool.alias.to.to_owned(), arguments),
            None => alias::resolve(&TOOLS, name, arguments),
        };
        let Some(entry) = tools::entry_of(&canonical) else {
            return Err(UnknownTool {
                name: name.to_owned(),
                nearest: args::nearest_tool(name, &TOOLS).map(str::to_owned),
            });
        };
        let arguments = match foreign {
            Some((_, tool)) => tool.arguments(entry, arguments),
            None => Ok(arguments),
        };
        let wording = foreign.map(|(profile, tool)| Wording::new(profile, tool, entry));
        let work = || {
            guarded(entry.name, || {
                self.run((profile, wording.as_ref()), entry, arguments.clone()?, call)
            })
        };
        let mend = || {
            let wanted = arguments.as_ref().ok().and_then(|arguments| arguments.get("workspace"));
            mended(&self.workspaces, wanted.and_then(Value::as_str))
        };
        let answered = with_mended_index(entry.effect, work, mend);
        let elapsed = started.elapsed();
        let outcome = match answered {
            Ok((page, json)) => {
                let text = if json { page.json.to_string() } else { page.text };
                Outcome {
                    text,
                    structured: page.json,
                    error: None,
                    protocol_error: false,
                    elapsed,
                }
            }
            Err(error) => {
                let error = match &wording {
                    Some(wording) => wording.error(error),
                    None => error,
                };
                let error = error.made_visible();
                Outcome {
                    text: error.text(),
                    structured: error.to_json(),
                    error: Some(error),
                    protocol_error: profile.is_some_and(|profile| profile.fails_by_protocol),
                    elapsed,
                }
            }
        };
        tracing::info!(
            tool = entry.name,
            ms = elapsed.as_secs_f64() * 1e3,
            error = outcome.is_error(),
            "call"
        );
        Ok(outcome)
    }

    /// The directory of another repository that a call under a profile has named. Paths in the answer begin there, and its
    /// other tools take no directory: they take those paths in full.
    fn named_elsewhere<'c>(&self, profile: Option<&Profile>, common: &'c args::Common) -> Option<&'c str> {
        let named = common.workspace.as_deref().filter(|_| profile.is_some())?;
        self.workspaces.other_root_of(Path::new(named)).map(|_| named)
    }

    /// The root of the other repository in which everything is that a call names.
    fn elsewhere(&self, entry: &Entry, arguments: &Map<String, Value>) -> Option<String> {
        let mut roots = args::places(arguments).map(|place| self.workspaces.other_root_of(Path::new(place)));
        let first = roots.next().filter(|_| entry.scoped)??;
        let is_the_same = roots.all(|root| root.as_ref() == Some(&first));
        is_the_same.then(|| first.to_str().map(str::to_owned)).flatten()
    }

    /// The page, and whether JSON was asked for.
    fn run(
        &self,
        (profile, wording): (Option<&'static Profile>, Option<&Wording>),
        entry: &Entry,
        given: Map<String, Value>,
        call: &Call,
    ) -> Result<(Page, bool), ToolError> {
        if !self.listing.allows(entry) {
            let message = format!("{} writes, and this server was started with --read-only", entry.name);
            return Err(ToolError::new(
                ErrorCode::NotFound,
                message,
                "start it without --read-only",
            ));
        }
        let (mut arguments, mut common) = args::normalise(entry, given)?;
        let progress = |progress: workspace::Progress| {
            let message = match progress.total {
                Some(total) => format!("indexing: {} of {total} {}", progress.done, progress.unit),
                None => "looking for files".to_owned(),
            };
            (call.progress)(Progress {
                done: progress.done,
                total: progress.total,
                message,
            });
        };
        let about = words(&arguments);
        let control = Control {
            cancelled: &call.cancelled,
            progress: &progress,
            about: &about,
        };
        let within = match (profile, &common.workspace) {
            (Some(_), Some(named)) if entry.effect == Effect::Reads => Within::of(&self.workspaces, named, &control),
            _ => None,
        };
        if let Some(within) = &within {
            within.apply(entry, &mut arguments);
            common.workspace = Some(within.root.clone());
        }
        let elsewhere = common
            .workspace
            .is_none()
            .then(|| self.elsewhere(entry, &arguments))
            .flatten();
        let identity = fingerprint(entry.name, common.workspace.as_deref(), &arguments);
        let place = common.cursor.as_deref().map(|cursor| place_of(cursor, &identity));
        let place = place.transpose()?.unwrap_or_default();
        let max_tokens = common.max_tokens.unwrap_or(entry.default_tokens);
        let mut ctx = Ctx {
            workspaces: &self.workspaces,
            control,
            within: within.as_ref(),
            workspace: common.workspace.as_deref().or(elsewhere.as_deref()),
            paging: Paging {
                offset: place.offset,
                skip: place.skip,
                before: place.before,
                identity: &identity,
                cursor_name: wording
                    .and_then(|wording| wording.name_of("cursor"))
                    .unwrap_or("cursor"),
                max_tokens,
                sent: match (common.json, self.listing.structured) {
                    (true, _) => Sent::Json,
                    (false, true) => Sent::Both,
                    (false, false) => Sent::Text,
                },
            },
            engines: entry.engines,
            tools: &TOOLS,
            tool: entry.name,
            profile,
        };
        let mut answer = (entry.run)(&ctx, Value::Object(arguments))?;
        match &within {
            Some(within) => within.tell(&mut answer),
            None => {
                if let Some(root) = elsewhere.as_deref().or_else(|| self.named_elsewhere(profile, &common)) {
                    answer.tell_workspace(root);
                }
            }
        }
        if !common.notes.is_empty() {
            let notes = common.notes.iter().map(String::as_str);
            let head = Some(answer.head.as_str()).filter(|head| !head.is_empty());
            answer.head = notes.chain(head).collect::<Vec<_>>().join("\n");
            answer.fact("notes", common.notes.clone());
        }
        let json = common.json || answer.only_json;
        if json {
            ctx.paging.sent = Sent::Json;
        }
        // What was done is told, however little room there is: an error would say that it was not.
        let brief = (!entry.effect.is_read_only()).then(|| answer.brief());
        if ctx.profile.is_some() {
            // The documents that profiles are made after show plain code.
            let bodies = answer.rows.iter_mut().filter_map(|row| row.body.as_mut());
            bodies.for_each(|body| body.first_line = None);
        }
        if let Some(wording) = wording {
            answer.narrower = wording.narrower(&answer.narrower).into();
            answer.head = wording.text(&answer.head);
            answer.tail = wording.text(&answer.tail);
        }
        let page = ctx.paging.page(answer);
        let page = match (page, brief) {
            (Err(error), Some(brief)) if error.code == ErrorCode::InvalidParams => ctx.paging.whole(&brief),
            (page, _) => page?,
        };
        Ok((page, json))
    }
}

/// Runs something that may have a bug, or read what cannot be.
pub(crate) fn guarded<T>(tool: &str, run: impl FnOnce() -> Result<T, ToolError>) -> Result<T, ToolError> {
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(run));
    outcome.unwrap_or_else(|_| Err(ToolError::unexpected(tool)))
}

/// Runs a call. If it fails because the index was damaged, which `mend` tells and makes good, one that only reads is run
/// again; one that changes something may have done so before it failed.
pub(crate) fn with_mended_index<T>(
    effect: Effect,
    run: impl Fn() -> Result<T, ToolError>,
    mend: impl FnOnce() -> bool,
) -> Result<T, ToolError> {
    match run() {
        Err(error) if error.cause == Cause::Damage && mend() => match effect.is_retried() {
            true => run(),
            false => Err(error.after_mend()),
        },
        answered => answered,
    }
}

/// Whether the index of a workspace was damaged. It is empty now.
pub(crate) fn mended(workspaces: &Workspaces, wanted: Option<&str>) -> bool {
    let holding = wanted.and_then(|wanted| workspaces.holding(wanted));
    let root = holding.as_ref().and_then(|(root, _)| root.to_str());
    let mend = || {
        workspaces
            .resolve(root.or(wanted))
            .and_then(|workspace| workspace.mend())
    };
    std::panic::catch_unwind(AssertUnwindSafe(mend)).is_ok_and(|mended| mended.unwrap_or(false))
}

/// Everything that the arguments say in words.
fn words(arguments: &Map<String, Value>) -> String {
    let mut words = String::new();
    let mut open: Vec<&Value> = arguments.values().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => {
                words.push_str(text);
                words.push('\n');
            }
            Value::Array(values) => open.extend(values),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    words
}

/// Stands for a call without its page, so that a cursor cannot continue another call.
fn fingerprint(name: &str, workspace: Option<&str>, arguments: &Map<String, Value>) -> String {
    let mut sorted: Vec<_> = arguments.iter().collect();
    sorted.sort_by_key(|(key, _)| key.as_str());
    let text = format!("{name}\0{workspace:?}\0{sorted:?}");
    blake3::hash(text.as_bytes()).to_hex()[..8].to_owned()
}

fn place_of(cursor: &str, identity: &str) -> Result<PageStart, ToolError> {
    let fail = |message: &str| ToolError {
        hint: "repeat the call that gave the cursor with the same arguments, or leave the cursor out".into(),
        ..ToolError::invalid(message)
    };
    match PageStart::parse(cursor) {
        None => Err(fail("`cursor` was not issued by this server")),
        Some((_, other)) if other != identity => Err(fail("`cursor` belongs to a call with other arguments")),
        Some((place, _)) => Ok(place),
    }
}

/// The caller's side of one call.
pub struct Call {
    pub cancelled: Arc<AtomicBool>,
    pub progress: Box<dyn Fn(Progress) + Send + Sync>,
}

#[derive(Debug, Clone)]
pub struct Progress {
    pub done: u64,
    pub total: Option<u64>,
    pub message: String,
}

/// What one call answered.
pub struct Outcome {
    pub text: String,
    pub structured: Value,
    /// Why the tool could not do its job.
    pub error: Option<ToolError>,
    /// A failure that the profile's system reports as an error of the protocol.
    pub protocol_error: bool,
    pub elapsed: Duration,
}

impl Outcome {
    pub fn is_error(&self) -> bool {
        self.error.is_some()
    }
}

/// The one failure that is the protocol's business, not the tool's.
#[derive(Debug)]
pub struct UnknownTool {
    pub name: String,
    pub nearest: Option<String>,
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn only_what_reads_is_run_again() {
        let damage = || Err::<(), ToolError>(ToolError::unexpected("a_tool"));
        for (effect, was_damaged, runs) in [
            (Effect::Reads, true, 2),
            (Effect::Reads, false, 1),
            (Effect::WritesIndex, true, 1),
            (Effect::WritesMemory, true, 1),
            (Effect::WritesRepository, true, 1),
            (Effect::Deletes, true, 1),
        ] {
            let count = Cell::new(0);
            let run = || {
                count.set(count.get() + 1);
                damage()
            };
            let error = with_mended_index(effect, run, || was_damaged).unwrap_err();
            assert_eq!(count.get(), runs, "{effect:?}");
            let is_told = error.hint.to_string().contains("call again");
            assert_eq!(is_told, was_damaged && effect != Effect::Reads, "{effect:?}");
        }
    }
}
