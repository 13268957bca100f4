//! What names mean in a workspace in which some files are already changed.

use std::sync::Arc;

use graph::{Family, FileIdx, LocalUse, Locals, Meaning, Outline, Resolver, SymbolId, View, related};
use queries::CodeGraph;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{BindingIdx, RefIdx, Role};
use workspace::Error;

use crate::{
    edits::Moved,
    plan::{Conflict, PROVEN},
};

/// A file as it would be.
pub(crate) struct Changed {
    pub text: String,
    pub view: Arc<View>,
    /// Where the sites were whose meaning is proven.
    pub proven: FxHashSet<u32>,
    pub moved: Moved,
}

/// Where a name is.
type Place = (FileIdx, u32);

fn views(changed: &FxHashMap<FileIdx, Changed>) -> FxHashMap<FileIdx, Arc<View>> {
    let views = changed.iter().map(|(file, changed)| (*file, changed.view.clone()));
    views.collect()
}

/// Files with one of the two names that are looked at; a name that is in more is a common word.
const MAX_FILES: usize = 2000;

/// The uses of either name that would not mean what they do.
pub(crate) fn compare(
    graph: &CodeGraph<'_>,
    family: &Family,
    changed: FxHashMap<FileIdx, Changed>,
    old: &str,
    new: &str,
) -> Result<Vec<Conflict>, Error> {
    let mut outlines = FxHashMap::default();
    for (file, changed) in &changed {
        if graph::needs_outline(graph.modules().files().lang(*file)) {
            outlines.insert(*file, Outline::of(&changed.view.facts));
        }
    }
    let has_other_modules = !outlines.is_empty();
    let modules = match has_other_modules {
        true => graph.modules_with(outlines)?,
        false => graph.modules().clone(),
    };
    let overlay = graph.overlay(views(&changed), has_other_modules);
    // Both sides by the same rules: what a language's own engine knows of the files on disk, it does not of these.
    let unchanged = graph.overlay(FxHashMap::default(), false);
    let (before, after) = (
        &Resolver::new(&unchanged, graph.modules()),
        Resolver::new(&overlay, &modules),
    );
    let lang = |file: FileIdx| graph.modules().files().lang(file);
    let mut files: Vec<FileIdx> = graph.mentioning(new);
    files.extend(graph.mentioning(old));
    files.sort_unstable();
    files.dedup();
    files.retain(|file| family.ids.iter().any(|id| related(lang(id.file), lang(*file))));
    if files.len() > MAX_FILES {
        files.retain(|file| changed.contains_key(file));
    }
    let comparison = Comparison::new(before, &after, &changed, family, new);
    let mut conflicts = Vec::new();
    for file in files {
        let Some(view) = before.view(file) else { continue };
        let Some(view_after) = after.view(file) else { continue };
        let named = view.references_named(old).iter().chain(view.references_named(new));
        for index in named {
            if let Some(reason) = comparison.difference(file, &view, &view_after, *index) {
                let at = view.facts.references[*index].at;
                conflicts.push(conflict(graph, file, &view, at, &reason));
            }
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

/// What names mean, and what they would.
struct Comparison<'c> {
    before: &'c Resolver<'c>,
    after: &'c Resolver<'c>,
    changed: &'c FxHashMap<FileIdx, Changed>,
    /// Where the definitions will be that get the new name.
    renamed: Vec<Place>,
    new: &'c str,
}

impl<'c> Comparison<'c> {
    fn new(
        before: &'c Resolver<'c>,
        after: &'c Resolver<'c>,
        changed: &'c FxHashMap<FileIdx, Changed>,
        family: &Family,
        new: &'c str,
    ) -> Comparison<'c> {
        let mut comparison = Comparison {
            before,
            after,
            changed,
            renamed: Vec::new(),
            new,
        };
        let definitions = family.ids.iter().filter_map(|id| place(before, *id));
        comparison.renamed = definitions.map(|place| comparison.moved(place)).collect();
        comparison
    }

    /// Where a place will be.
    fn moved(&self, (file, at): Place) -> Place {
        (file, self.changed.get(&file).map_or(at, |changed| changed.moved.to(at)))
    }

    fn is_renamed(&self, places: &[Place]) -> bool {
        places.iter().any(|place| self.renamed.contains(place))
    }

    /// Why a use of either name would not mean what it does.
    fn difference(&self, file: FileIdx, view: &View, view_after: &View, index: RefIdx) -> Option<String> {
        let used = &view.facts.references[index];
        let (at, changed) = (used.at, self.changed.get(&file));
        if changed.is_some_and(|changed| changed.moved.is_joined(at)) {
            return None;
        }
        let (_, at_after) = self.moved((file, at));
        let index_after = same_reference(view_after, at_after, used.role);
        let is_other = index_after.is_some_and(|now| view_after.facts.references[now].role != used.role);
        if view.is_shorthand(at) && is_other {
            return None;
        }
        let is_proven =
            changed.is_some_and(|changed| changed.proven.contains(&at) || changed.proven.contains(&(at + 1)));
        let Some(index_after) = index_after else {
            return is_proven.then(|| "this would be read as something else".to_owned());
        };
        let (was, now) = (self.before.meaning(file, index), self.after.meaning(file, index_after));
        let was_at = places(self.before, &was);
        let was_at: Vec<Place> = was_at.into_iter().map(|place| self.moved(place)).collect();
        let now_at = places(self.after, &now);
        let new = self.new;
        if self.is_renamed(&was_at) && is_proven {
            return match (&now, self.is_renamed(&now_at)) {
                (_, true) => None,
                (Meaning::Symbols(..) | Meaning::Local(_) | Meaning::Files(_), _) => {
                    Some(format!("`{new}` means something else here"))
                }
                _ => Some(format!("`{new}` would lead nowhere here")),
            };
        }
        // What is only likely to be meant was left as it is.
        let is_sure = matches!(now, Meaning::Symbols(_, rule) if rule.confidence() > PROVEN);
        // Among functions of one name it may be meant too, where nothing decides.
        let is_still = !was_at.is_empty() && was_at.iter().all(|place| now_at.contains(place));
        let is_taken = is_sure && self.is_renamed(&now_at) && !self.is_renamed(&was_at) && !is_still;
        is_taken.then(|| format!("`{new}` is used here for something else, and would mean the renamed one"))
    }
}

/// The use at a place. Of a member and the variable that it is given under one name, one may be behind the other now.
fn same_reference(view: &View, at: u32, role: Role) -> Option<RefIdx> {
    let first = reference_at(view, at)?;
    let is_same = |index: &RefIdx| {
        let found = view.facts.references.get(index.as_usize());
        found.is_some_and(|found| found.at == at && found.role == role)
    };
    Some([first, first.next()].into_iter().find(is_same).unwrap_or(first))
}

/// The places of the names that are meant.
fn places(resolver: &Resolver<'_>, meaning: &Meaning) -> Vec<Place> {
    let Meaning::Symbols(symbols, _) = meaning else {
        return Vec::new();
    };
    let mut places: Vec<Place> = symbols.iter().filter_map(|id| place(resolver, *id)).collect();
    places.sort_unstable();
    places
}

/// The uses of either name in the file of a local one that would not mean what they do.
pub(crate) fn compare_locals(
    graph: &CodeGraph<'_>,
    file: FileIdx,
    changed: &FxHashMap<FileIdx, Changed>,
    names: [&str; 2],
) -> Result<Vec<Conflict>, Error> {
    let overlay = graph.overlay(views(changed), false);
    let unchanged = graph.overlay(FxHashMap::default(), false);
    let modules = graph.modules();
    let (before, after) = (Resolver::new(&unchanged, modules), Resolver::new(&overlay, modules));
    let source = graph.source(file)?;
    let (Some(now), Some(view)) = (changed.get(&file), before.view(file)) else {
        return Ok(Vec::new());
    };
    let locals = graph.locals_of(file, &source).ok_or(Error::Stale)?;
    let Some(locals_now) = Locals::new(source.lang, &now.text, now.view.clone()) else {
        return Ok(vec![conflict(
            graph,
            file,
            &view,
            0,
            "the file would be read as something else",
        )]);
    };
    let comparison = LocalComparison {
        file,
        before: (&before, &locals, &view),
        after: (&after, &locals_now, &now.view),
        moved: &now.moved,
        new: names[1],
    };
    let mut conflicts = Vec::new();
    for name in names {
        for index in view.references_named(name) {
            if let Some(reason) = comparison.use_difference(*index) {
                let at = view.facts.references[*index].at;
                conflicts.push(conflict(graph, file, &view, at, &reason));
            }
        }
        for index in view.bindings_named(name) {
            if let Some(reason) = comparison.declaration_difference(*index) {
                let at = view.facts.bindings[*index].at;
                conflicts.push(conflict(graph, file, &view, at, &reason));
            }
        }
    }
    Ok(conflicts)
}

/// The same for the local names of one file. A variable is where it is declared first, once everything is where it will be.
struct LocalComparison<'c> {
    file: FileIdx,
    before: (&'c Resolver<'c>, &'c Locals, &'c View),
    after: (&'c Resolver<'c>, &'c Locals, &'c View),
    moved: &'c Moved,
    new: &'c str,
}

impl LocalComparison<'_> {
    fn was(&self, variable: BindingIdx) -> u32 {
        let (_, _, view) = self.before;
        self.moved.to(view.facts.bindings[variable].at)
    }

    fn is(&self, variable: BindingIdx) -> u32 {
        let (_, _, view) = self.after;
        view.facts.bindings[variable].at
    }

    /// Why a use of either name would not mean what it does.
    fn use_difference(&self, index: RefIdx) -> Option<String> {
        let ((before, locals, view), (after, locals_now, view_now)) = (self.before, self.after);
        let at = view.facts.references[index].at;
        // A declaration is compared as one.
        if self.moved.is_joined(at) || locals.declared_at(at).is_some() {
            return None;
        }
        let meant = match before.local_use(self.file, locals, index) {
            LocalUse::Of(variable) => Some(self.was(variable)),
            _ => None,
        };
        let found = reference_at(view_now, self.moved.to(at));
        let means = found.map(|index| match after.local_use(self.file, locals_now, index) {
            LocalUse::Of(variable) => Some(self.is(variable)),
            _ => None,
        });
        let new = self.new;
        match (meant, means) {
            (Some(_), None) => Some("this would be read as something else".to_owned()),
            (Some(_), Some(means)) if meant != means => Some(format!("`{new}` means something else here")),
            (None, Some(Some(_))) => Some(format!(
                "`{new}` is used here for something else, and would mean the renamed one"
            )),
            _ => None,
        }
    }

    /// Why a declaration of either name would not be that of its variable.
    fn declaration_difference(&self, index: BindingIdx) -> Option<String> {
        let ((_, locals, view), (_, locals_now, _)) = (self.before, self.after);
        let at = self.moved.to(view.facts.bindings[index].at);
        let means = locals_now.declared_at(at);
        let means = means.map(|index| self.is(locals_now.variable(index)));
        let differs = locals.home(index).is_declared && means != Some(self.was(locals.variable(index)));
        differs.then(|| format!("`{}` is declared here already, or would be another variable", self.new))
    }
}

fn conflict(graph: &CodeGraph<'_>, file: FileIdx, view: &View, at: u32, reason: &str) -> Conflict {
    Conflict {
        path: graph.path(file).to_owned(),
        line: view.facts.lines.line(at),
        reason: reason.to_owned(),
    }
}

fn place(resolver: &Resolver<'_>, id: SymbolId) -> Option<Place> {
    let view = resolver.view(id.file)?;
    Some((id.file, view.facts.symbols.get(id.symbol.as_usize())?.name_at))
}

fn reference_at(view: &View, at: u32) -> Option<RefIdx> {
    // Behind a sigil or a quote.
    let places = [at, at.saturating_sub(1)].into_iter();
    places.into_iter().find_map(|at| view.reference_at(at))
}

/// Whether the use at a place means one of some definitions, given by where their names are.
pub(crate) fn leads_to(resolver: &Resolver<'_>, file: FileIdx, view: &View, at: u32, definitions: &[Place]) -> bool {
    let Some(index) = reference_at(view, at) else {
        return false;
    };
    let places: Vec<Place> = match resolver.meaning(file, index) {
        Meaning::Symbols(symbols, _) => symbols.iter().filter_map(|id| place(resolver, *id)).collect(),
        // A parameter that is a member too.
        Meaning::Local(binding) => vec![(file, view.facts.bindings[binding].at)],
        _ => return false,
    };
    places
        .into_iter()
        .any(|place| definitions.contains(&place) || definitions.contains(&(place.0, place.1 + 1)))
}
