//! A workspace in which some files are already changed, and what names mean there.

use std::sync::Arc;

use graph::{Family, FileIdx, LocalUse, Locals, Meaning, Outline, Resolver, SymbolId, View, World, related};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Conflict, PROVEN, edits::Moved};
use crate::{
    code_graph::{CodeGraph, Stored},
    error::Error,
};

/// A file as it would be.
pub(super) struct Changed {
    pub text: String,
    pub view: Arc<View>,
    /// Where the sites were whose meaning is proven.
    pub proven: FxHashSet<u32>,
    pub moved: Moved,
}

struct Overlay<'o> {
    stored: &'o Stored<'o>,
    changed: &'o FxHashMap<FileIdx, Changed>,
}

impl Overlay<'_> {
    /// The files of the store, and of the changed ones those that are so.
    fn files(&self, stored: Vec<FileIdx>, is_so: impl Fn(&View) -> bool) -> Vec<FileIdx> {
        let mut files = stored;
        files.retain(|file| !self.changed.contains_key(file));
        let changed = self.changed.iter().filter(|(_, changed)| is_so(&changed.view));
        files.extend(changed.map(|(file, _)| *file));
        files.sort_unstable();
        files
    }
}

impl World for Overlay<'_> {
    fn view(&self, file: FileIdx) -> Option<Arc<View>> {
        match self.changed.get(&file) {
            Some(changed) => Some(changed.view.clone()),
            None => self.stored.view(file),
        }
    }

    fn defining(&self, name: &str) -> Vec<FileIdx> {
        self.files(self.stored.defining(name), |view| {
            view.symbols_named(name).next().is_some()
        })
    }

    fn extending(&self, name: &str) -> Vec<FileIdx> {
        self.files(self.stored.extending(name), |view| view.impls_of(name).next().is_some())
    }

    fn mentioning(&self, name: &str) -> Vec<FileIdx> {
        self.files(self.stored.mentioning(name), |view| view.has_name(name))
    }
}

/// Files with one of the two names that are looked at; a name that is in more is a common word.
const MAX_FILES: usize = 2000;

/// The uses of either name that would not mean what they do.
pub(super) fn compare(
    graph: &CodeGraph<'_>,
    family: &Family,
    changed: FxHashMap<FileIdx, Changed>,
    old: &str,
    new: &str,
) -> Result<Vec<Conflict>, Error> {
    let mut outlines = FxHashMap::default();
    for (file, changed) in &changed {
        if graph::needs_outline(graph.graph.modules.files().lang(*file))
            && let Some(id) = graph.graph.id(*file)
        {
            outlines.insert(id, Outline::of(&changed.view.facts));
        }
    }
    let modules = match outlines.is_empty() {
        true => graph.graph.modules.clone(),
        false => graph.snapshot.modules_with(graph.graph, &outlines)?,
    };
    let overlay = Overlay {
        stored: graph.stored,
        changed: &changed,
    };
    // Both sides by the same rules: what a language's own engine knows of the files on disk, it does not of these.
    let unchanged = Overlay {
        stored: graph.stored,
        changed: &FxHashMap::default(),
    };
    let (before, after) = (
        &Resolver::new(&unchanged, &graph.graph.modules),
        Resolver::new(&overlay, &modules),
    );
    let lang = |file: FileIdx| graph.graph.modules.files().lang(file);
    let mut files: Vec<FileIdx> = graph.mentioning(new);
    files.extend(graph.mentioning(old));
    files.sort_unstable();
    files.dedup();
    files.retain(|file| family.ids.iter().any(|id| related(lang(id.file), lang(*file))));
    let mut conflicts = Vec::new();
    if files.len() > MAX_FILES {
        files.retain(|file| changed.contains_key(file));
    }
    let to = |file: FileIdx, at: u32| changed.get(&file).map_or(at, |changed| changed.moved.to(at));
    let places = |resolver: &Resolver<'_>, meaning: &Meaning| -> Vec<(FileIdx, u32)> {
        let Meaning::Symbols(symbols, _) = meaning else {
            return Vec::new();
        };
        let mut places: Vec<(FileIdx, u32)> = symbols.iter().filter_map(|id| place(resolver, *id)).collect();
        places.sort_unstable();
        places
    };
    let renamed: Vec<(FileIdx, u32)> = family
        .ids
        .iter()
        .filter_map(|id| place(before, *id))
        .map(|(file, at)| (file, to(file, at)))
        .collect();
    // What is only likely to be meant was left as it is.
    let is_sure = |meaning: &Meaning| matches!(meaning, Meaning::Symbols(_, rule) if rule.confidence() > PROVEN);
    for file in files {
        let Some(view) = before.view(file) else { continue };
        let Some(view_after) = after.view(file) else { continue };
        let proven = changed.get(&file).map(|changed| &changed.proven);
        let named = view.references_named(old).iter().chain(view.references_named(new));
        for index in named {
            let at = view.facts.references[*index as usize].at;
            if changed.get(&file).is_some_and(|changed| changed.moved.is_joined(at)) {
                continue;
            }
            // Of a member and the variable that it is given under one name, one may be behind the other now.
            let role = view.facts.references[*index as usize].role;
            let now_at = to(file, at);
            let now = reference_at(&view_after, now_at).map(|first| {
                let has_role = |now: &u32| {
                    let now = view_after.facts.references.get(*now as usize);
                    now.is_some_and(|now| now.at == now_at && now.role == role)
                };
                [first, first + 1].into_iter().find(has_role).unwrap_or(first)
            });
            let is_other = now.is_some_and(|now| view_after.facts.references[now as usize].role != role);
            if view.is_shorthand(at) && is_other {
                continue;
            }
            let was = before.meaning(file, *index);
            let is_proven = proven.is_some_and(|proven| proven.contains(&at) || proven.contains(&(at + 1)));
            let Some(now) = now.map(|index| after.meaning(file, index)) else {
                if is_proven {
                    conflicts.push(conflict(graph, file, &view, at, "this would be read as something else"));
                }
                continue;
            };
            let (was_at, now_means) = (places(before, &was), places(&after, &now));
            let was_at: Vec<(FileIdx, u32)> = was_at.into_iter().map(|(file, at)| (file, to(file, at))).collect();
            // Among functions of one name it may be meant too, where nothing decides.
            let is_still = !was_at.is_empty() && was_at.iter().all(|place| now_means.contains(place));
            let is_renamed = |places: &[(FileIdx, u32)]| places.iter().any(|place| renamed.contains(place));
            let reason = if is_renamed(&was_at) && is_proven {
                match (&now, is_renamed(&now_means)) {
                    (_, true) => continue,
                    (Meaning::Symbols(..) | Meaning::Local(_) | Meaning::Files(_), _) => {
                        format!("`{new}` means something else here")
                    }
                    _ => format!("`{new}` would lead nowhere here"),
                }
            } else if is_sure(&now) && is_renamed(&now_means) && !is_renamed(&was_at) && !is_still {
                format!("`{new}` is used here for something else, and would mean the renamed one")
            } else {
                continue;
            };
            conflicts.push(conflict(graph, file, &view, at, &reason));
        }
    }
    for (file, changed) in &changed {
        let Some(view) = before.view(*file) else { continue };
        let imported = before.imported_already(family, *file, [old, new], |at| changed.proven.contains(&at));
        let reason = format!("`{new}` is imported here already");
        conflicts.extend(imported.map(|at| conflict(graph, *file, &view, at, &reason)));
    }
    Ok(conflicts)
}

/// The uses of either name in the file of a local one that would not mean what they do.
pub(super) fn compare_locals(
    graph: &CodeGraph<'_>,
    file: FileIdx,
    changed: &FxHashMap<FileIdx, Changed>,
    names: [&str; 2],
) -> Result<Vec<Conflict>, Error> {
    let overlay = Overlay {
        stored: graph.stored,
        changed,
    };
    let unchanged = Overlay {
        stored: graph.stored,
        changed: &FxHashMap::default(),
    };
    let modules = &graph.graph.modules;
    let (before, after) = (Resolver::new(&unchanged, modules), Resolver::new(&overlay, modules));
    let source = graph.source(file)?;
    let (Some(now), Some(view)) = (changed.get(&file), before.view(file)) else {
        return Ok(Vec::new());
    };
    let locals = Locals::new(source.lang, &source.text, view.clone()).ok_or(Error::Stale)?;
    let Some(locals_now) = Locals::new(source.lang, &now.text, now.view.clone()) else {
        return Ok(vec![conflict(
            graph,
            file,
            &view,
            0,
            "the file would be read as something else",
        )]);
    };
    // A variable by where it is declared first, once everything is where it will be.
    let (facts, facts_now) = (&view.facts, &now.view.facts);
    let was = |variable: u32| now.moved.to(facts.bindings[variable as usize].at);
    let is = |variable: u32| facts_now.bindings[variable as usize].at;
    let new = names[1];
    let mut conflicts = Vec::new();
    for name in names {
        for index in view.references_named(name) {
            let at = facts.references[*index as usize].at;
            if now.moved.is_joined(at) {
                continue;
            }
            // A declaration is compared as one.
            if facts.bindings.binary_search_by_key(&at, |binding| binding.at).is_ok() {
                continue;
            }
            let meant = match before.local_use(file, &locals, *index) {
                LocalUse::Of(variable) => Some(was(variable)),
                _ => None,
            };
            let found = reference_at(&now.view, now.moved.to(at));
            let means = found.map(|index| match after.local_use(file, &locals_now, index) {
                LocalUse::Of(variable) => Some(is(variable)),
                _ => None,
            });
            let reason = match (meant, means) {
                (Some(_), None) => "this would be read as something else".to_owned(),
                (meant, Some(means)) if meant != means => match meant {
                    Some(_) => format!("`{new}` means something else here"),
                    None => format!("`{new}` is used here for something else, and would mean the renamed one"),
                },
                _ => continue,
            };
            conflicts.push(conflict(graph, file, &view, at, &reason));
        }
        for index in view.bindings_named(name) {
            let at = facts.bindings[*index as usize].at;
            let now_at = now.moved.to(at);
            let found = facts_now.bindings.binary_search_by_key(&now_at, |binding| binding.at);
            let means = found.ok().map(|index| is(locals_now.variable(index as u32)));
            if locals.home(*index).is_declared && means != Some(was(locals.variable(*index))) {
                let reason = format!("`{new}` is declared here already, or would be another variable");
                conflicts.push(conflict(graph, file, &view, at, &reason));
            }
        }
    }
    Ok(conflicts)
}

fn conflict(graph: &CodeGraph<'_>, file: FileIdx, view: &View, at: u32, reason: &str) -> Conflict {
    Conflict {
        path: graph.path(file).to_owned(),
        line: view.facts.lines.line(at),
        reason: reason.to_owned(),
    }
}

fn place(resolver: &Resolver<'_>, id: SymbolId) -> Option<(FileIdx, u32)> {
    let view = resolver.view(id.file)?;
    Some((id.file, view.facts.symbols.get(id.symbol as usize)?.name_at))
}

fn reference_at(view: &View, at: u32) -> Option<u32> {
    // Behind a sigil or a quote.
    let places = [at, at.saturating_sub(1)].into_iter();
    places.into_iter().find_map(|at| view.reference_at(at))
}

/// Whether the use at a place means one of some definitions, given by where their names are.
pub(super) fn leads_to(
    resolver: &Resolver<'_>,
    file: FileIdx,
    view: &View,
    at: u32,
    definitions: &[(FileIdx, u32)],
) -> bool {
    let Some(index) = reference_at(view, at) else {
        return false;
    };
    let places: Vec<(FileIdx, u32)> = match resolver.meaning(file, index) {
        Meaning::Symbols(symbols, _) => symbols.iter().filter_map(|id| place(resolver, *id)).collect(),
        // A parameter that is a member too.
        Meaning::Local(binding) => vec![(file, view.facts.bindings[binding as usize].at)],
        _ => return false,
    };
    places
        .into_iter()
        .any(|place| definitions.contains(&place) || definitions.contains(&(place.0, place.1 + 1)))
}
