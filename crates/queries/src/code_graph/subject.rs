//! What a question is about: the things that a name, or a place in a file, can mean.

use std::cmp::Reverse;

use graph::{FileIdx, Meaning, SymbolId, View, World};
use search::SymbolName;
use syntax::{LANGS, RefIdx, Symbol, SymbolIdx, SymbolKind};
use workspace::Error;

use super::CodeGraph;
use crate::{
    definition::What,
    symbols::{SymbolHit, in_test, is_beside_sources, rank},
};

/// What a question is about.
#[derive(Debug, Clone, Copy)]
pub enum SymbolLocator<'a> {
    Name {
        name: &'a SymbolName,
        /// Only what this file declares; or, if that is nothing, what the name means there.
        path: Option<&'a str>,
    },
    /// What is defined or used at a line, or at a column of it (in characters, from 1). A name only checks.
    At {
        path: &'a str,
        line: u32,
        column: Option<u32>,
        name: Option<&'a str>,
    },
    /// What is defined around a line where nothing else is: in its comment, its signature or, with a name, its body or the
    /// lines beside it.
    Near {
        path: &'a str,
        line: u32,
        name: Option<&'a str>,
    },
}

/// Namesakes that an answer names.
const SHOWN_NAMESAKES: usize = 3;

/// One thing that a question can be about, with all its declarations.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// None of a local name.
    pub ids: Vec<SymbolId>,
    /// The definition that is shown for it.
    pub hit: SymbolHit,
    /// Its other declarations: a prototype, overloads, further parts. Behind those that `ids` has, what a file of
    /// declarations says of it to others.
    pub others: Vec<SymbolHit>,
    /// A few others of that name that were not taken to be meant: members, where a name without an owner means what has
    /// none, and what was generated or vendored.
    pub namesakes: Vec<SymbolHit>,
    pub namesakes_total: usize,
}

/// A name that more files define is looked for with what it belongs to, or not at all.
const MAX_DEFINING: usize = 300;

/// Who counts lines differs by so many at most.
const NEAR_LINES: u32 = 3;

/// So many uses of a name in a file tell what it means there.
const TELLING_USES: usize = 50;

/// Of more owners than these it is not asked what they have.
const MAX_OWNERS: usize = 30;

/// So many files are looked at without asking which of them matter.
const FEW_FILES: usize = 8;

impl CodeGraph<'_> {
    /// The things that a question can be about: none, the one, or several to choose from, in the order of `find_symbol`.
    /// Overloads and declarations in one place are one thing unless a position says which, as is what a package defines once
    /// for each system. The first `limit` of them, and how many there are.
    pub fn subjects(&self, asked: SymbolLocator<'_>, limit: usize) -> Result<(Vec<Subject>, usize), Error> {
        let mut namesakes = Vec::new();
        let mut groups = match asked {
            SymbolLocator::Name { name, path } => {
                let path = path.map(|path| self.file_at(path)).transpose()?;
                let mut groups = self.groups_meant(name, path);
                if let Some(path) = path.filter(|_| groups.is_empty()) {
                    groups = self.groups_used_in(path, name);
                }
                if name.kind.is_none() {
                    self.without_packages(&mut groups);
                }
                self.without_declarations(&mut groups);
                let copies = self.without_copies(&mut groups);
                // A module says only where to look, not whose member is meant.
                if name.owners.is_empty() || groups.iter().all(|group| self.is_by_path(group, name)) {
                    namesakes = self.without_members(&mut groups);
                }
                // Who has to choose is shown all of them.
                match groups.len() {
                    1 => namesakes.extend(copies.iter().map(|group| group[0])),
                    _ => groups.extend(copies),
                }
                groups
            }
            SymbolLocator::At {
                path,
                line,
                column,
                name,
            } => self.groups_at(path, line, column, name)?,
            SymbolLocator::Near { path, line, name } => self.groups_near(path, line, name)?,
        };
        self.depend_on(asked, &groups);
        let total = groups.len();
        if total > 1 {
            groups.sort_by_cached_key(|ids| ids.first().is_some_and(|id| is_beside_sources(self.path(id.file))));
        }
        let mut subjects = Vec::new();
        for ids in groups.into_iter().take(limit) {
            subjects.extend(self.subject(ids)?);
        }
        if let [subject] = subjects.as_mut_slice() {
            subject.namesakes_total = namesakes.len();
            for id in namesakes.into_iter().take(SHOWN_NAMESAKES) {
                subject.namesakes.push(self.hit(id)?);
            }
        }
        Ok((subjects, total))
    }

    /// What has no definition may have one in any file that could not be parsed; what has one may be used in those whose
    /// language can name it.
    fn depend_on(&self, asked: SymbolLocator<'_>, groups: &[Vec<SymbolId>]) {
        for id in groups.iter().filter_map(|group| group.first()) {
            self.depends_on(*id);
        }
        if let (SymbolLocator::Name { name, path: None }, []) = (asked, groups) {
            self.snapshot.depends_on(&name.name, |_| true);
        }
    }

    /// The definitions that a path from the root of a crate names.
    pub(crate) fn meant_publicly(&self, name: &SymbolName) -> Result<Vec<SymbolHit>, Error> {
        let groups = self.groups_public(name);
        groups.iter().flatten().map(|id| self.hit(*id)).collect()
    }

    /// The definitions that a qualified name means by its package or by what its owner has, and not by what it is written in.
    pub(crate) fn meant_indirectly(&self, name: &SymbolName) -> Result<Vec<SymbolHit>, Error> {
        let groups = self.groups_indirect(name, None);
        groups.iter().flatten().map(|id| self.hit(*id)).collect()
    }

    /// What a name can mean: what is written inside of its owners, a module that is called all of it, or what its owner has
    /// without being written around it.
    fn groups_meant(&self, name: &SymbolName, path: Option<FileIdx>) -> Vec<Vec<SymbolId>> {
        let groups = |name: &SymbolName| match path {
            Some(path) => self.groups_named(name, vec![path]),
            None => self.groups_anywhere(name),
        };
        let public = match path {
            None => self.groups_public(name),
            Some(_) => Vec::new(),
        };
        if !public.is_empty() {
            return public;
        }
        let written = groups(name);
        if !written.is_empty() {
            return written;
        }
        let mut modules = name.as_modules().map(|name| groups(&name));
        let module = modules.find(|found| !found.is_empty());
        module.unwrap_or_else(|| self.groups_indirect(name, path))
    }

    fn groups_indirect(&self, name: &SymbolName, path: Option<FileIdx>) -> Vec<Vec<SymbolId>> {
        let packages = self.graph.modules.packages().into_iter();
        let mut packaged = packages.map(|(package, dir)| self.groups_packaged(name, package, dir, path));
        let found = packaged.find(|found| !found.is_empty());
        let found = found.unwrap_or_else(|| self.groups_owned(name, path));
        match found.is_empty() {
            true => self.groups_renamed(name, path),
            false => found,
        }
    }

    /// The one thing that a path from the root of a crate names, whatever else has the name: `shapes::round::make`.
    fn groups_public(&self, name: &SymbolName) -> Vec<Vec<SymbolId>> {
        let Some((package, inner)) = name.owners.split_first() else {
            return Vec::new();
        };
        let roots = self.graph.modules.roots();
        let mut roots = roots.iter().filter(|(root, _)| root == package);
        let (Some((_, root)), None) = (roots.next(), roots.next()) else {
            return Vec::new();
        };
        let path: Vec<&str> = ["crate"].into_iter().chain(inner.iter().map(String::as_str)).collect();
        let spelling = self.spelling(name);
        let mut found = self.resolver.public_path(*root, &path.join("::"), spelling);
        found.retain(|id| self.symbol(*id, |symbol| name.allows(symbol.kind, spelling)) == Some(true));
        self.grouped(found)
    }

    /// What is handed on under another name: `pub use Circle as Round;`.
    fn groups_renamed(&self, name: &SymbolName, path: Option<FileIdx>) -> Vec<Vec<SymbolId>> {
        let is_meant = |file: FileIdx| match path {
            Some(path) => path == file,
            None => name.fits(&[name.name.as_str()], self.path(file)),
        };
        let mut found = self.resolver.reexported_as(&name.name, is_meant);
        found.retain(|id| self.symbol(*id, |symbol| name.allows(symbol.kind, &name.name)) == Some(true));
        self.grouped(found)
    }

    /// Definitions with all that is one thing with each.
    fn grouped(&self, found: Vec<SymbolId>) -> Vec<Vec<SymbolId>> {
        let mut groups: Vec<Vec<SymbolId>> = Vec::new();
        for id in found {
            if groups.iter().any(|group| group.contains(&id)) {
                continue;
            }
            let mut group = self.resolver.same_thing(id);
            if let Some(view) = self.resolver.view(id.file) {
                let overloads = overloads(&view, id.symbol);
                group.extend(overloads.map(|symbol| SymbolId { file: id.file, symbol }));
            }
            group.sort_unstable();
            group.dedup();
            groups.push(group);
        }
        groups
    }

    /// What a name means that begins with that of a package, which no directory need be called.
    fn groups_packaged(
        &self,
        name: &SymbolName,
        package: &str,
        dir: &str,
        path: Option<FileIdx>,
    ) -> Vec<Vec<SymbolId>> {
        let Some(inner) = name.inside(package) else {
            return Vec::new();
        };
        let is_free = inner.owners.is_empty();
        if is_free && self.is_everywhere(&inner) {
            return Vec::new();
        }
        let is_below = |file: FileIdx| {
            let rest = self.path(file).strip_prefix(dir);
            rest.is_some_and(|rest| dir.is_empty() || rest.starts_with('/'))
        };
        let mut groups = self.groups_meant(&inner, path);
        groups.retain(|group| group.iter().any(|id| is_below(id.file)));
        if is_free {
            retain_any(&mut groups, |group| self.is_free(group));
        }
        groups
    }

    /// What is asked for as a member of a variable, or of a type that inherits it: `notifier.batch`, `Square.area`.
    fn groups_owned(&self, name: &SymbolName, path: Option<FileIdx>) -> Vec<Vec<SymbolId>> {
        let Some((owner, outer)) = name.owners.split_last() else {
            return Vec::new();
        };
        let owner = SymbolName {
            name: owner.clone(),
            owners: outer.to_vec(),
            kind: None,
            mark: None,
            parameters: None,
        };
        if self.is_everywhere(&owner) {
            return Vec::new();
        }
        let owners = self.groups_meant(&owner, path);
        if owners.len() > MAX_OWNERS {
            return Vec::new();
        }
        let spelling = self.spelling(name);
        let allows = |id: &SymbolId| self.symbol(*id, |symbol| name.allows(symbol.kind, spelling)) == Some(true);
        let mut groups: Vec<Vec<SymbolId>> = Vec::new();
        for owner in owners.iter().flatten() {
            let members = self.resolver.members_under(*owner, spelling).into_iter();
            let mut group: Vec<SymbolId> = members.filter(&allows).collect();
            group = group.iter().flat_map(|id| self.resolver.same_thing(*id)).collect();
            group.sort_unstable();
            group.dedup();
            if !group.is_empty() && !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups
    }

    fn subject(&self, ids: Vec<SymbolId>) -> Result<Option<Subject>, Error> {
        let mut hits = Vec::with_capacity(ids.len());
        for id in &ids {
            hits.push(self.hit(*id)?);
        }
        // A definition stands for its declarations, and what does something for the namespace beside it.
        let is_told = |at: &usize| !hits[*at].is_declaration && hits[*at].kind != SymbolKind::Namespace;
        let mut told: Vec<usize> = (0..hits.len()).filter(is_told).collect();
        told.dedup_by_key(|at| &hits[*at].path);
        // Where several files define it, those that stand in for it elsewhere do little.
        let lines = |hit: &SymbolHit| hit.last_line - hit.first_line;
        let main = told
            .into_iter()
            .min_by_key(|at| (hits[*at].is_aside(), Reverse(lines(&hits[*at]))));
        let main = main
            .or_else(|| hits.iter().position(|hit| !hit.is_declaration))
            .unwrap_or(0);
        if hits.is_empty() {
            return Ok(None);
        }
        let hit = hits.remove(main);
        for id in self.declared_for_others(&ids) {
            hits.push(self.hit(id)?);
        }
        Ok(Some(Subject {
            ids,
            hit,
            others: hits,
            namesakes: Vec::new(),
            namesakes_total: 0,
        }))
    }

    /// What a package tells others of definitions that are code, in a file of declarations: `types.d.ts`.
    fn declared_for_others(&self, ids: &[SymbolId]) -> Vec<SymbolId> {
        let is_code = |id: &&SymbolId| {
            let declarations = self
                .graph
                .modules
                .files()
                .lang(id.file)
                .lang()
                .conventions
                .declaration_files;
            !declarations.is_empty() && !is_declarations(self.path(id.file))
        };
        let Some(id) = ids.iter().find(is_code) else {
            return Vec::new();
        };
        let Some(view) = self.resolver.view(id.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[id.symbol];
        let name = view.facts.name(symbol);
        let mut files = self.stored.defining(name);
        files.retain(|file| is_declarations(self.path(*file)));
        files.retain(|file| self.package(*file) == self.package(id.file));
        let mut found = Vec::new();
        for file in files {
            let Some(other) = self.resolver.view(file) else {
                continue;
            };
            let same = other.symbols_named(name);
            let same = same.filter(|(_, one)| path_in_module(&other, one) == path_in_module(&view, symbol));
            found.extend(same.map(|(symbol, _)| SymbolId { file, symbol }));
        }
        found
    }

    /// What only declares something for others is not meant where its code has the name too.
    fn without_declarations(&self, groups: &mut Vec<Vec<SymbolId>>) {
        if groups.len() < 2 {
            return;
        }
        let declared: Vec<SymbolId> = groups.iter().flat_map(|ids| self.declared_for_others(ids)).collect();
        groups.retain(|group| !group.iter().all(|id| declared.contains(id)));
    }

    /// Whether so many files define a name that looking at all of them takes its time, and tells nothing.
    pub fn is_everywhere(&self, name: &SymbolName) -> bool {
        self.stored.defining(self.spelling(name)).len() > MAX_DEFINING
    }

    fn groups_anywhere(&self, name: &SymbolName) -> Vec<Vec<SymbolId>> {
        let spelling = self.spelling(name);
        let mut files = self.stored.defining(spelling);
        if let Some(owner) = name.owners.last().filter(|_| files.len() > FEW_FILES) {
            // A member of a type is mostly known with its type; then the many others of that name need not be looked at.
            let groups = self.groups_named(name, self.stored.members(owner, spelling));
            if !groups.is_empty() {
                return groups;
            }
            // Or its owner is a module, which a file is named after.
            if files.len() > MAX_DEFINING {
                files.retain(|file| name.fits(&[spelling], self.path(*file)));
            }
        }
        self.groups_named(name, files)
    }

    /// The name as it is defined.
    fn spelling<'n>(&self, name: &'n SymbolName) -> &'n str {
        let mut defined = name.spellings().filter(|one| !self.stored.defining(one).is_empty());
        defined.next().unwrap_or(&name.name)
    }

    fn groups_named(&self, name: &SymbolName, files: Vec<FileIdx>) -> Vec<Vec<SymbolId>> {
        let mut groups: Vec<Vec<SymbolId>> = Vec::new();
        let mut order = Vec::new();
        let spelling = self.spelling(name);
        for file in files {
            let Some(view) = self.resolver.view(file) else { continue };
            let path = self.path(file);
            for (index, symbol) in view.symbols_named(spelling) {
                if !name.allows(symbol.kind, spelling) || !name.fits_symbol(&view.facts, symbol, path) {
                    continue;
                }
                let id = SymbolId { file, symbol: index };
                if groups.iter().any(|group| group.contains(&id)) {
                    continue;
                }
                let mut group = self.resolver.same_thing(id);
                let overloads = overloads(&view, index).map(|symbol| SymbolId { file, symbol });
                // Those of a class itself are no overloads of what its values have.
                group.extend(overloads.filter(|other| self.resolver.is_static(*other) == self.resolver.is_static(id)));
                group.extend(self.resolver.built_instead(id));
                group.sort_unstable();
                group.dedup();
                // Another declaration of it was found before.
                let known = groups
                    .iter_mut()
                    .find(|known| known.iter().any(|one| group.contains(one)));
                match known {
                    Some(known) => {
                        known.extend(group);
                        known.sort_unstable();
                        known.dedup();
                    }
                    None => {
                        let is_test = source::is_test_path(path) || in_test(&view.facts, symbol);
                        order.push((is_test, rank(&view.facts, symbol), groups.len()));
                        groups.push(group);
                    }
                }
            }
        }
        order.sort_unstable();
        // What a name is for people comes first; headings and keys only count where there is no code of that name.
        let best = order.iter().map(|(_, rank, _)| *rank).min().unwrap_or(0);
        let kept = order.into_iter().filter(|(_, rank, _)| *rank < 2 || best >= 2);
        let mut groups: Vec<Vec<SymbolId>> = kept.map(|(_, _, at)| std::mem::take(&mut groups[at])).collect();
        self.without_constructors(&mut groups);
        // Outer names may be left out; who gives them all means that one.
        if !name.owners.is_empty() {
            retain_any(&mut groups, |group| self.is_whole(group, name));
            retain_any(&mut groups, |group| !self.is_by_path(group, name));
        }
        if spelling != name.name {
            let is_macro = |id: &SymbolId| self.symbol(*id, |symbol| symbol.kind) == Some(SymbolKind::Macro);
            retain_any(&mut groups, |group| group.iter().any(is_macro));
        }
        if let Some(mark) = name.mark {
            retain_any(&mut groups, |group| {
                group.iter().any(|id| self.resolver.fits_mark(*id, mark))
            });
        }
        if let Some(parameters) = &name.parameters {
            let takes = |id: &SymbolId| parameters.fits(&self.resolver.parameter_types(*id));
            retain_any(&mut groups, |group| group.iter().any(takes));
            groups.iter_mut().for_each(|group| self.retain_taking(group, takes));
        }
        groups
    }

    /// Of functions of one name leaves those that take what was written, with what declares them; all if none does.
    fn retain_taking(&self, group: &mut Vec<SymbolId>, takes: impl Fn(&SymbolId) -> bool) {
        let taking = group.iter().copied().filter(takes);
        let mut taking: Vec<SymbolId> = taking.flat_map(|id| self.resolver.same_thing(id)).collect();
        taking.retain(|id| group.contains(id));
        taking.sort_unstable();
        taking.dedup();
        if !taking.is_empty() {
            *group = taking;
        }
    }

    /// A type and its constructors have one name, which means the type.
    fn without_constructors(&self, groups: &mut Vec<Vec<SymbolId>>) {
        let kind = |id: &SymbolId| {
            let view = self.resolver.view(id.file)?;
            Some(view.facts.symbols[id.symbol].kind)
        };
        let is = |group: &[SymbolId], of: fn(SymbolKind) -> bool| group.iter().any(|id| kind(id).is_some_and(of));
        if groups.iter().any(|group| is(group, SymbolKind::is_type)) {
            groups.retain(|group| !is(group, |kind| kind == SymbolKind::Constructor));
        }
    }

    /// The clause that says which package a file is part of is hardly meant where something else has the name.
    fn without_packages(&self, groups: &mut Vec<Vec<SymbolId>>) {
        let is_package = |group: &Vec<SymbolId>| {
            let mut kinds = group.iter().map(|id| self.symbol(*id, |symbol| symbol.kind));
            kinds.all(|kind| kind == Some(SymbolKind::Namespace))
        };
        if !groups.iter().all(is_package) {
            groups.retain(|group| !is_package(group));
        }
    }

    /// What was generated from the sources or taken over from others is not meant where the sources have the name too;
    /// leaves those, and gives what it takes away.
    fn without_copies(&self, groups: &mut Vec<Vec<SymbolId>>) -> Vec<Vec<SymbolId>> {
        let is_own = |group: &Vec<SymbolId>| group.iter().any(|id| !source::is_vendored_path(self.path(id.file)));
        if !groups.iter().any(is_own) {
            return Vec::new();
        }
        groups.extract_if(.., |group| !is_own(group)).collect()
    }

    /// Where one function or type of the product has a name for itself, the name alone means that; leaves it, and gives
    /// the members that have the name too.
    fn without_members(&self, groups: &mut Vec<Vec<SymbolId>>) -> Vec<SymbolId> {
        let mut free = (0..groups.len()).filter(|at| self.is_free(&groups[*at]));
        let (Some(only), None) = (free.next(), free.next()) else {
            return Vec::new();
        };
        let only = groups.swap_remove(only);
        let members = std::mem::replace(groups, vec![only]);
        let mut members: Vec<SymbolId> = members.iter().map(|group| group[0]).collect();
        members.sort_unstable();
        members
    }

    fn is_free(&self, group: &[SymbolId]) -> bool {
        group.iter().any(|id| {
            let Some(view) = self.resolver.view(id.file) else {
                return false;
            };
            let symbol = &view.facts.symbols[id.symbol];
            let mut outer = view.outwards(symbol.parent);
            // A module of Ruby has methods, which are called on it.
            rank(&view.facts, symbol) == 0
                && symbol.kind != SymbolKind::Method
                && !self.is_test(*id)
                && symbol.owner.is_none()
                && outer.all(|(_, one)| matches!(one.kind, SymbolKind::Module | SymbolKind::Namespace))
        })
    }

    /// Whether what was asked for is only a part of where its files are.
    fn is_by_path(&self, group: &[SymbolId], name: &SymbolName) -> bool {
        group.iter().all(|id| {
            let view = self.resolver.view(id.file);
            view.is_none_or(|view| name.fits_by_path(&view.facts, &view.facts.symbols[id.symbol]))
        })
    }

    fn is_whole(&self, group: &[SymbolId], name: &SymbolName) -> bool {
        group.iter().any(|id| {
            let Some(view) = self.resolver.view(id.file) else {
                return false;
            };
            let path = view.facts.path_of(&view.facts.symbols[id.symbol]);
            let steps = path[..path.len() - 1]
                .iter()
                .flat_map(|part| part.split(['.', '\\', ':']));
            steps
                .filter(|step| !step.is_empty())
                .eq(name.owners.iter().map(String::as_str))
        })
    }

    fn groups_at(
        &self,
        path: &str,
        line: u32,
        column: Option<u32>,
        name: Option<&str>,
    ) -> Result<Vec<Vec<SymbolId>>, Error> {
        let file = self.file_at(path)?;
        let source = self.source(file)?;
        source.check_line(line)?;
        // Where a definition is told to begin it is meant, not the decorator that stands there.
        let begins = |symbol: &Symbol| source.facts.lines.line(symbol.span.start) == line;
        let is_called = |symbol: &Symbol| name.is_none_or(|name| source.facts.name(symbol) == name);
        let is_decorated = |symbol: &Symbol| source.facts.lines.line(symbol.name_at) > line;
        let mut symbols = SymbolIdx::enumerate(&source.facts.symbols);
        let decorated = symbols.find(|(_, one)| begins(one) && is_decorated(one) && is_called(one));
        if let Some((symbol, _)) = decorated.filter(|_| column.is_none()) {
            return Ok(vec![self.resolver.same_thing(SymbolId { file, symbol })]);
        }
        let spots = source.spots_meant(line, column, name);
        let mut groups: Vec<Vec<SymbolId>> = Vec::new();
        let mut used: Vec<Vec<SymbolId>> = Vec::new();
        // What a function's own line declares inside of it is a part of how it is declared.
        let mut defined = spots.iter().filter_map(|spot| match spot.what {
            What::Symbol(at) => Some(&source.facts.symbols[at]),
            _ => None,
        });
        let first = defined
            .next()
            .filter(|first| first.kind.is_function() && column.is_none());
        let is_function =
            first.is_some_and(|first| defined.all(|other| first.span.range().contains(&(other.name_at as usize))));
        for spot in spots {
            match spot.what {
                What::Symbol(_) if is_function && !groups.is_empty() => {}
                What::Symbol(at) => groups.push(self.resolver.same_thing(SymbolId { file, symbol: at })),
                What::Binding(_) => {}
                What::Reference(at) => used.extend(self.group_used(file, at)),
            }
        }
        // What is defined on a line is meant before what is used there.
        if groups.is_empty() {
            groups = used;
        }
        groups.sort();
        groups.dedup();
        Ok(groups)
    }

    /// What a use of a name means.
    fn group_used(&self, file: FileIdx, reference: RefIdx) -> Option<Vec<SymbolId>> {
        let Meaning::Symbols(symbols, _) = self.resolver.meaning(file, reference) else {
            return None;
        };
        let same = symbols.iter().flat_map(|id| self.resolver.same_thing(*id));
        let mut same: Vec<SymbolId> = same.collect();
        same.sort_unstable();
        same.dedup();
        Some(same)
    }

    /// What a name means in a file that does not define it.
    fn groups_used_in(&self, file: FileIdx, name: &SymbolName) -> Vec<Vec<SymbolId>> {
        let Some(view) = self.resolver.view(file) else {
            return Vec::new();
        };
        let fits = |id: &SymbolId| {
            let view = self.resolver.view(id.file);
            view.is_some_and(|view| {
                let symbol = &view.facts.symbols[id.symbol];
                name.kind.is_none_or(|kind| kind.allows(symbol.kind))
                    && name.is_named(view.facts.name(symbol))
                    && name.fits_symbol(&view.facts, symbol, self.path(id.file))
            })
        };
        let uses = view.references_named(self.spelling(name)).iter().take(TELLING_USES);
        let used = uses.filter_map(|at| self.group_used(file, *at));
        let mut groups: Vec<Vec<SymbolId>> = used.filter(|group| group.iter().any(fits)).collect();
        groups.sort();
        groups.dedup();
        groups
    }

    fn groups_near(&self, path: &str, line: u32, name: Option<&str>) -> Result<Vec<Vec<SymbolId>>, Error> {
        let file = self.file_at(path)?;
        let source = self.source(file)?;
        let line_of = |at: u32| source.facts.lines.line(at);
        let is_called = |symbol: &Symbol| name.is_none_or(|name| source.facts.name(symbol) == name);
        // How far the line is from what is meant, and how much else that holds.
        let distance = |symbol: &Symbol| {
            let last = match name {
                Some(_) => symbol.span.end,
                None => symbol.signature.end,
            };
            let lines = line_of(symbol.lead)..=line_of(last.saturating_sub(1));
            let off = match name {
                Some(_) => line
                    .abs_diff(line_of(symbol.name_at))
                    .min(line.abs_diff(*lines.start())),
                None => u32::MAX,
            };
            let is_inside = lines.contains(&line);
            (is_inside || off <= NEAR_LINES).then(|| (!is_inside, if is_inside { lines.count() as u32 } else { off }))
        };
        let symbols = SymbolIdx::enumerate(&source.facts.symbols);
        let symbols = symbols.filter(|(_, symbol)| symbol.kind != SymbolKind::Impl && is_called(symbol));
        let near = symbols.filter_map(|(at, symbol)| Some((distance(symbol)?, at)));
        let nearest = near.min().map(|(_, symbol)| SymbolId { file, symbol });
        Ok(nearest.map(|id| self.resolver.same_thing(id)).into_iter().collect())
    }
}

/// Whether a file says what code elsewhere has.
fn is_declarations(path: &str) -> bool {
    let conventions = LANGS.iter().map(|lang| lang.conventions);
    let mut ends = conventions.flat_map(|conventions| conventions.declaration_files);
    ends.any(|end| path.ends_with(end))
}

/// The names of what a definition is inside of, and its own, without modules around.
fn path_in_module<'v>(view: &'v View, symbol: &'v Symbol) -> Vec<&'v str> {
    let is_module = |one: &&Symbol| matches!(one.kind, SymbolKind::Module | SymbolKind::Namespace);
    let around = view.outwards(symbol.parent).map(|(_, one)| one).filter(is_module);
    view.facts.path_of(symbol).split_off(around.count())
}

/// Leaves those that are so, or all if none is.
fn retain_any(groups: &mut Vec<Vec<SymbolId>>, is_so: impl Fn(&[SymbolId]) -> bool) {
    if groups.iter().any(|group| is_so(group)) {
        groups.retain(|group| is_so(group));
    }
}

/// The definitions of one name in one place: a caller by name means all of them.
fn overloads(view: &View, of: SymbolIdx) -> impl Iterator<Item = SymbolIdx> {
    let facts = &view.facts;
    let symbol = &facts.symbols[of];
    let same = view.symbols_named(facts.name(symbol)).filter(move |(_, other)| {
        other.parent == symbol.parent
            && other.owner == symbol.owner
            && other.kind.is_function() == symbol.kind.is_function()
            && (other.kind == SymbolKind::Macro) == (symbol.kind == SymbolKind::Macro)
    });
    same.map(|(at, _)| at)
}
