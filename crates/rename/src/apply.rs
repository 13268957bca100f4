//! A plan that is put into the files, and what became of it.

use graph::FileIdx;
use queries::{CodeGraph, Snapshot};
use sandbox::Change;
use workspace::Error;

use crate::{
    locals::check_local,
    overlay::leads_to,
    plan::{PROVEN, RenameCheck, Renaming, SiteKind},
    shorthand_log::{FileShorthands, ShorthandLog},
};

/// Puts a rename into the files: into all of them or into none.
pub fn apply(snapshot: &Snapshot, renaming: &Renaming) -> Result<(), Error> {
    let changes: Vec<Change> = renaming.files.iter().map(|file| file.change.clone()).collect();
    snapshot.workspace().write_all(&changes)?;
    let members: Vec<FileShorthands> = renaming.files.iter().filter_map(|file| file.members.clone()).collect();
    if !members.is_empty()
        && let Err(error) = ShorthandLog::keep(snapshot.workspace().session_dir(), members.into_iter())
    {
        tracing::warn!(%error, "what a rename wrote out is not remembered");
    }
    Ok(())
}

/// Looks at an applied rename in the snapshot that has it.
pub fn check(graph: &CodeGraph<'_>, renaming: &Renaming) -> Result<RenameCheck, Error> {
    let mut check = RenameCheck::default();
    if let Some(local) = &renaming.local {
        return check_local(graph, renaming, local);
    }
    let mut definitions: Vec<(FileIdx, u32)> = Vec::new();
    for file in &renaming.files {
        let own = graph.file_at(&file.change.path)?;
        let places = file.sites.iter().filter(|site| site.kind == SiteKind::Definition);
        definitions.extend(places.map(|site| (own, site.at)));
    }
    for file in &renaming.files {
        let own = graph.file_at(&file.change.path)?;
        let Some(view) = graph.resolver().view(own) else {
            continue;
        };
        let proven = file.sites.iter().filter(|site| site.confidence >= PROVEN);
        for site in proven {
            let found = match site.kind {
                // Behind a sigil, or a destructor's tilde.
                SiteKind::Definition => view.facts.symbols.iter().any(|symbol| {
                    let is_it = |at: u32| at == site.at || at + 1 == site.at;
                    is_it(symbol.name_at) || view.clauses(symbol).any(is_it)
                }),
                _ => leads_to(graph.resolver(), own, &view, site.at, &definitions),
            };
            check.known += 1;
            if found {
                check.resolved += 1;
            } else {
                let line = view.facts.lines.line(site.at);
                check.unresolved.push(format!("{}:{line}", file.change.path));
            }
        }
    }
    Ok(check)
}
