//! The block of instructions in AGENTS.md, CLAUDE.md and GEMINI.md, and the subagent that explores with Portolan.

use std::{collections::BTreeSet, path::Path};

use crate::{Action, Client, Outcome, Problem, Report, Request, change, clients::Place, file};

const BEGIN: &str = "<!-- portolan:begin -->";
const END: &str = "<!-- portolan:end -->";

const BLOCK: &str = "\
Ask the `portolan` MCP server about this code before you grep or read whole files: `map_code` shows what is here,
`search_code` finds it by a question, a name or an exact text, `extract_code` shows whole definitions.
`deep_dive` tells all about one symbol, `find_references` and `find_callers` where it is used.
Before a change ask `impact_analysis` what it breaks, and before a commit which tests to run.
Subagents have the same tools: tell them so when you send them to look for something.
";

/// The front matter and prompt above the block in the subagent's file. Uninstalling deletes the file if this is unchanged.
const AGENT: &str = "\
---
name: portolan
description: Finds code and explains it with the portolan MCP server. Use it to explore this repository, to find where
  something must be changed, and to find out what a change breaks.
---
Answer with places (`path:line`) and the code that matters, nothing else.
";

/// One report for each file that the clients read.
pub(crate) fn apply(project: &Path, clients: &[&'static Client], request: &Request) -> Vec<Report> {
    let names: BTreeSet<&'static str> = clients.iter().map(|client| client.instructions).collect();
    let agents: BTreeSet<&'static str> = clients.iter().filter_map(|client| client.agent).collect();
    let files = names.into_iter().map(|name| (name, ""));
    let files = files.chain(agents.into_iter().map(|name| (name, AGENT)));
    let mut seen = BTreeSet::new();
    let mut reports = Vec::new();
    for (name, head) in files {
        let place = Place {
            base: project.to_owned(),
            path: project.join(name),
        };
        // CLAUDE.md is often a link to AGENTS.md.
        if file::resolve(&place.base, &place.path).is_ok_and(|path| !seen.insert(path)) {
            continue;
        }
        match request.action {
            Action::Install => reports.push(change(name, &place, request.dry_run, |text| {
                with_block(text.unwrap_or(head)).map(Some)
            })),
            Action::Uninstall => {
                let report = change(name, &place, request.dry_run, |text| match text {
                    Some(text) => Ok(without_block(text)?.filter(|left| head.is_empty() || left != head)),
                    None => Ok(None),
                });
                match report.outcome {
                    Outcome::Unchanged => {}
                    Outcome::Failed(_) => reports.push(report),
                    _ => reports.push(Report {
                        outcome: Outcome::Removed,
                        ..report
                    }),
                }
            }
        }
    }
    reports
}

/// What stands before the block, and what behind it. `None`: there is no block.
fn around(text: &str) -> Result<Option<(&str, &str)>, Problem> {
    let counts = (text.matches(BEGIN).count(), text.matches(END).count());
    match (counts, text.split_once(BEGIN)) {
        ((0, 0), _) => Ok(None),
        ((1, 1), Some((before, rest))) => match rest.split_once(END) {
            Some((_, after)) => Ok(Some((before, after))),
            None => Err(Problem::HalfBlock),
        },
        _ => Err(Problem::HalfBlock),
    }
}

fn with_block(text: &str) -> Result<String, Problem> {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block = format!("{BEGIN}\n{BLOCK}{END}").replace('\n', line_end);
    Ok(match around(text)? {
        Some((before, after)) => format!("{before}{block}{after}"),
        None if text.is_empty() => format!("{block}{line_end}"),
        // An empty line before it, so that it begins a paragraph; the line end that the text may lack goes with it again.
        None => format!("{text}{line_end}{block}{line_end}"),
    })
}

/// `None`: nothing is left.
fn without_block(text: &str) -> Result<Option<String>, Problem> {
    let Some((before, after)) = around(text)? else {
        return Ok(Some(text.to_owned()));
    };
    let one_line_end = |text: &str| {
        let rest = text.strip_suffix('\n').unwrap_or(text);
        rest.strip_suffix('\r').unwrap_or(rest).len()
    };
    let after = after
        .strip_prefix("\r\n")
        .or_else(|| after.strip_prefix('\n'))
        .unwrap_or(after);
    let left = format!("{}{after}", &before[..one_line_end(before)]);
    Ok((!left.trim().is_empty()).then_some(left))
}
