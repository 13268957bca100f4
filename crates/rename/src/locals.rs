//! Parameters and local variables, and names that stand for a type: where they are used, and another name for them.

use std::rc::Rc;

use graph::{Exact, FileIdx, LocalUse, Meaning, Origin, Resolver, Rule, SymbolId, Use, Uses, related};
use queries::{CodeGraph, Mention, MentionPlace, SourceFile, Subject, What, is_code, mention_place, places_of};
use syntax::{BindingIdx, RefIdx, Role, interpolated, named_arguments};
use workspace::Error;

use crate::{
    edits::{Written, written},
    plan::{Conflict, LeftUse, PROVEN, Rename, RenameCheck, RenameRequest, Renaming, SiteKind},
};

/// A parameter or local variable.
#[derive(Debug)]
pub struct Local {
    /// As it is shown: no definition that other files could know of.
    pub subject: Subject,
    pub(crate) file: FileIdx,
    /// One of its bindings.
    binding: BindingIdx,
}

/// A place that is one with a variable.
pub(crate) struct LocalSite {
    pub file: FileIdx,
    pub at: u32,
    pub kind: SiteKind,
    pub confidence: f32,
}

/// Everything that has to do with a variable.
#[derive(Default)]
pub(crate) struct LocalSites {
    pub sites: Vec<LocalSite>,
    /// Uses that may mean it; those in its own file would be cut off from it.
    pub unsure: Vec<LocalSite>,
    pub notes: Vec<String>,
}

/// How sure it is that `"{name}"` in a macro that is not known means the variable.
const CAPTURE: f32 = 0.6;

/// How sure it is that a name that no rule explains means the variable around it.
const UNEXPLAINED: f32 = 0.5;

/// How sure it is that an argument of a name is given to the parameter, if it is not known what is called.
const ARGUMENT: f32 = 0.5;

/// Files that call a function that are read for the names of its arguments.
const MAX_CALLING: usize = 2000;

/// The local names that are meant at a line, or anywhere in a file; nothing where something else is meant.
pub fn locals(
    graph: &CodeGraph<'_>,
    path: &str,
    line: Option<u32>,
    column: Option<u32>,
    name: Option<&str>,
) -> Result<Vec<Local>, Error> {
    let file = graph.file_at(path)?;
    let source = graph.source(file)?;
    let Some(locals) = graph.locals_of(file, &source) else {
        return Ok(Vec::new());
    };
    let facts = &source.facts;
    let (mut declared, mut used, mut is_other) = (Vec::new(), Vec::new(), false);
    match (line, name) {
        (Some(line), _) => {
            source.check_line(line)?;
            for spot in source.spots_with_locals(line, column, name) {
                match spot.what {
                    What::Symbol(_) => return Ok(Vec::new()),
                    What::Binding(binding) => declared.push(locals.variable(binding)),
                    What::Reference(reference) => match graph.resolver().local_use(file, &locals, reference) {
                        LocalUse::Of(variable) => used.push(variable),
                        _ => is_other |= matches!(graph.resolver().meaning(file, reference), Meaning::Symbols(..)),
                    },
                }
            }
        }
        (None, Some(name)) => {
            let all = BindingIdx::enumerate(&facts.bindings);
            let all = all.filter(|(_, binding)| facts.names.get(binding.name) == name);
            declared.extend(all.map(|(index, _)| locals.variable(index)));
        }
        (None, None) => {}
    }
    // What is declared on a line is meant before what is used there, and what is known elsewhere before a local name.
    let mut meant = match (declared.is_empty(), is_other) {
        (false, _) => declared,
        (true, true) => Vec::new(),
        (true, false) => used,
    };
    meant.sort_unstable();
    meant.dedup();
    let local = |binding: BindingIdx| Local {
        subject: Subject {
            ids: Vec::new(),
            hit: source.local(&facts.bindings[binding]),
            others: Vec::new(),
            namesakes: Vec::new(),
            namesakes_total: 0,
        },
        file,
        binding,
    };
    Ok(meant.into_iter().map(local).collect())
}

/// The uses of a local name, in the order of the files; the place where it is first declared is none.
pub fn local_uses(graph: &CodeGraph<'_>, local: &Local) -> Result<Uses, Error> {
    let source = graph.source(local.file)?;
    let found = local_sites(graph, local.file, &source, local.binding)?;
    let declared = source.facts.bindings[local.binding].at;
    let mut uses = Uses::default();
    for site in found.sites.iter().chain(&found.unsure) {
        if site.file == local.file && site.at == declared {
            continue;
        }
        let source = graph.source(site.file)?;
        let references = &source.facts.references;
        let reference = references.binary_search_by_key(&site.at, |reference| reference.at);
        uses.uses.push(Use {
            file: site.file,
            reference: reference.ok().map(RefIdx::new),
            at: site.at,
            role: match site.kind {
                SiteKind::Use(role) => role,
                _ => Role::Variable,
            },
            enclosing: source.facts.enclosing(site.at),
            origin: match site.confidence < PROVEN {
                true => Origin::Name,
                false => Origin::Resolved(Rule::Scope),
            },
            confidence: site.confidence,
        });
    }
    uses.uses.sort_by_key(|used| (used.file, used.at));
    Ok(uses)
}

/// What another name for a local one would change.
pub fn plan_local(graph: &CodeGraph<'_>, local: &Local, request: &RenameRequest<'_>) -> Result<Renaming, Error> {
    let mut rename = Rename::new(graph, &local.subject, request);
    rename.check_name()?;
    let source = graph.source(local.file)?;
    let found = local_sites(graph, local.file, &source, local.binding)?;
    rename.local = Some(local.file);
    rename.found.local = Some(source.path.clone());
    for site in found.sites.iter().chain(&found.unsure) {
        let source = graph.source(site.file)?;
        let is_unsure = site.confidence < request.least;
        match written(&source.text, site.at, &local.subject.hit.name, None) {
            Written::Name(offset) if !is_unsure => {
                rename.add(site.file, &source, site.at + offset, site.kind, site.confidence);
            }
            Written::Name(_) => {
                rename.found.left.push(LeftUse {
                    path: source.path.clone(),
                    line: source.facts.lines.line(site.at),
                    column: source.column(site.at),
                    kind: site.kind,
                    confidence: site.confidence,
                });
                if site.kind != SiteKind::Argument {
                    rename.unproven(&source, site.at);
                }
            }
            _ => {}
        }
    }
    // What a method is called on has a name of its own in the facts, and no uses by it.
    if matches!(local.subject.hit.name.as_str(), "self" | "cls" | "this") {
        rename.found.conflicts.push(Conflict {
            path: source.path.clone(),
            line: local.subject.hit.line,
            reason: "it stands for what the method is called on: its uses are not looked at".to_owned(),
        });
    }
    rename.found.notes.extend(found.notes);
    rename.check_scope()?;
    rename.finish()
}

/// Whether what was renamed is one variable still, with everything that belongs to it.
pub(crate) fn check_local(graph: &CodeGraph<'_>, renaming: &Renaming, path: &str) -> Result<RenameCheck, Error> {
    let mut check = RenameCheck::default();
    let file = graph.file_at(path)?;
    let source = graph.source(file)?;
    let own = renaming.files.iter().find(|renamed| renamed.change.path == path);
    let mut declared = own.into_iter().flat_map(|own| &own.sites);
    let declared = declared.find(|site| site.kind == SiteKind::Definition);
    let locals = graph.locals_of(file, &source);
    let binding = declared
        .zip(locals)
        .and_then(|(site, locals)| locals.declared_at(site.at));
    let found = match binding {
        Some(binding) => local_sites(graph, file, &source, binding)?,
        None => LocalSites::default(),
    };
    for renamed in &renaming.files {
        let file = graph.file_at(&renamed.change.path)?;
        let lines = &graph.source(file)?.facts.lines;
        for site in renamed.sites.iter().filter(|site| site.confidence >= PROVEN) {
            let is_it = |one: &LocalSite| one.file == file && (one.at == site.at || one.at + 1 == site.at);
            check.known += 1;
            if found.sites.iter().any(is_it) {
                check.resolved += 1;
            } else {
                let line = lines.line(site.at);
                check.unresolved.push(format!("{}:{line}", renamed.change.path));
            }
        }
    }
    Ok(check)
}

/// Every place that is one with the variable that a binding is of.
fn local_sites(
    graph: &CodeGraph<'_>,
    file: FileIdx,
    source: &SourceFile,
    binding: BindingIdx,
) -> Result<LocalSites, Error> {
    let mut found = LocalSites::default();
    let Some(locals) = graph.locals_of(file, source) else {
        return Err(Error::Stale);
    };
    let variable = locals.variable(binding);
    let facts = &source.facts;
    let name = facts.names.get(facts.bindings[variable].name);
    let frame = locals.home(variable).frame;
    if frame.is_none() {
        let note = "It is known in all of its file: others that take it from there are not looked at.";
        found.notes.push(note.to_owned());
    }
    let site = |at: u32, kind: SiteKind, confidence: f32| LocalSite {
        file,
        at,
        kind,
        confidence,
    };
    let bindings = locals.bindings(variable).into_iter();
    let declared = bindings.filter(|index| locals.home(*index).is_declared);
    found
        .sites
        .extend(declared.map(|index| site(facts.bindings[index].at, SiteKind::Definition, 1.0)));
    let is_known = |found: &LocalSites, at: u32| found.sites.iter().any(|site| site.at == at);
    let view = locals.view();
    let named = view.references_named(name);
    let mut places = named.iter().map(|index| facts.references[*index].at);
    graph.expect_exact(file, &mut places);
    for index in named {
        let used = facts.references[*index];
        if is_known(&found, used.at) {
            continue;
        }
        let is_inside = || frame.is_some_and(|frame| frame.start <= used.at && used.at < frame.end);
        let kind = SiteKind::Use(used.role);
        match graph.resolver().local_use(file, &locals, *index) {
            LocalUse::Of(of) if of == variable => {
                found.sites.push(site(used.at, kind, Rule::Scope.confidence()));
            }
            LocalUse::Unknown if is_inside() => found.unsure.push(site(used.at, kind, UNEXPLAINED)),
            _ => {}
        }
    }
    for capture in interpolated(source.lang, &source.text, name) {
        let exact = graph.exact(file, capture.at);
        let is_it = match &exact {
            Some(Exact::Names(names)) => names.iter().any(|(other, at)| *other == file && is_known(&found, *at)),
            Some(Exact::Elsewhere) => false,
            None => locals.covering(name, capture.at) == Some(variable),
        };
        if !is_it || is_known(&found, capture.at) {
            continue;
        }
        if exact.is_some() || capture.is_sure {
            let confidence = exact.map_or(Rule::Scope, |_| Rule::Exact).confidence();
            found.sites.push(site(capture.at, SiteKind::Interpolation, confidence));
        } else {
            found.unsure.push(site(capture.at, SiteKind::Interpolation, CAPTURE));
        }
    }
    if let Some(function) = locals.function_of(variable)
        && is_named_by_callers(source, facts.bindings[variable].at, name)
    {
        let function = SymbolId { file, symbol: function };
        add_arguments(graph, function, name, &mut found)?;
    }
    Ok(found)
}

/// The arguments that calls of a function give by a parameter's name.
fn add_arguments(graph: &CodeGraph<'_>, function: SymbolId, name: &str, found: &mut LocalSites) -> Result<(), Error> {
    let resolver: &Resolver<'_> = graph.resolver();
    let family = resolver.family(&[function]);
    let mut targets = resolver.same_thing(function);
    let owner = resolver.constructed(function);
    targets.extend(owner);
    let called = graph.hit(owner.unwrap_or(function))?.name;
    let mut files = graph.mentioning(&called);
    let naming = graph.mentioning(name);
    let lang = |file: FileIdx| graph.modules().files().lang(file);
    files.retain(|file| related(lang(function.file), lang(*file)) && naming.contains(file));
    if files.len() > MAX_CALLING {
        let note = format!(
            "{} files call it and have the name: their arguments are not looked at.",
            files.len()
        );
        found.notes.push(note);
        return Ok(());
    }
    for file in files {
        let source: Rc<SourceFile> = graph.source(file)?;
        for argument in named_arguments(source.lang, &source.text, name) {
            let references = &source.facts.references;
            let callee = references.binary_search_by_key(&argument.callee, |reference| reference.at);
            let meaning = match callee {
                Ok(index) => resolver.meaning(file, RefIdx::new(index)),
                Err(_) => Meaning::Unknown,
            };
            let is_called = written(&source.text, argument.callee, &called, None) == Written::Name(0);
            let confidence = match meaning {
                Meaning::Symbols(ids, rule) if ids.iter().any(|id| targets.contains(id)) => rule.confidence(),
                // It may be called by way of what it overrides, or its override by way of it.
                Meaning::Symbols(ids, _) if ids.iter().any(|id| family.ids.contains(id)) => ARGUMENT,
                Meaning::Unknown | Meaning::Missing if is_called => ARGUMENT,
                _ => continue,
            };
            let site = LocalSite {
                file,
                at: argument.at,
                kind: SiteKind::Argument,
                confidence,
            };
            found.sites.push(site);
        }
    }
    Ok(())
}

/// Words of a local name in comments and strings, and in code that is not understood, where it is known.
pub(crate) fn local_mentions(
    graph: &CodeGraph<'_>,
    file: FileIdx,
    name: &str,
    sites: &[u32],
) -> Result<Vec<Mention>, Error> {
    let source = graph.source(file)?;
    let facts = &source.facts;
    let first = sites.first().copied().unwrap_or_default();
    let view = graph.resolver().view(file).ok_or(Error::Stale)?;
    let function = view.around(first).find(|(_, symbol)| symbol.runs());
    let (from, until) = function.map_or((0, source.text.len() as u32), |(_, symbol)| {
        (symbol.lead, symbol.span.end)
    });
    let places = places_of(&source.text, name).filter(|at| from <= *at && *at < until);
    let places = places.filter(|at| !is_code(facts, *at) && !sites.contains(at));
    let mention = |at: u32| {
        let place = mention_place(&source, at);
        Mention {
            path: source.path.clone(),
            line: facts.lines.line(at),
            column: source.column(at),
            place,
            confidence: if place == MentionPlace::Text { 0.3 } else { 0.4 },
        }
    };
    Ok(places.map(mention).collect())
}

impl Rename<'_, '_> {
    /// A name that may be of the variable cannot stay behind.
    pub(crate) fn unproven(&mut self, source: &SourceFile, at: u32) {
        let reason = format!("it is not known whether `{}` means it here", self.subject.hit.name);
        self.found.conflicts.push(Conflict {
            path: source.path.clone(),
            line: source.facts.lines.line(at),
            reason,
        });
    }
}

/// Whether callers may name a parameter as it is named inside.
fn is_named_by_callers(source: &SourceFile, at: u32, name: &str) -> bool {
    let before = source.text[..at as usize].trim_end();
    let behind = &source.text[at as usize + name.len()..];
    source.lang.is_named_by_callers(before, behind)
}
