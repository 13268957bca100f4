//! Packages and namespaces: one thing that many files declare a part of.

use std::collections::BTreeMap;

use graph::{FileIdx, SymbolId, View, World};
use search::SymbolName;
use syntax::{FileFacts, LangId, Symbol, SymbolIdx, SymbolKind};
use workspace::Error;

use super::{CodeGraph, Subject, undefined::separator};

/// A name that is nearly everywhere, in more files than these, is no package that is asked about.
const MANY_PARTS: usize = 1_000;

/// A package of Java, Kotlin, Scala or Go, or a namespace of C#, PHP or C++.
#[derive(Debug, Clone, PartialEq)]
pub struct Package {
    /// `org.jsoup.nodes`, `App\Models`; of Go its import path.
    pub name: String,
    /// Its declarations, one a file.
    pub subject: Subject,
    /// The files with a part of it, tests last.
    pub files: Vec<FileIdx>,
}

/// A package or namespace that stands for the rest of its file: `package com.acme`.
fn is_of_file(facts: &FileFacts, symbol: SymbolIdx) -> bool {
    let is_inside = |one: &Symbol| one.parent == Some(symbol);
    facts.symbols.get(symbol.as_usize()).is_some_and(|one| {
        one.kind == SymbolKind::Namespace && one.parent.is_none() && !facts.symbols.iter().any(is_inside)
    })
}

/// The whole name of a declared package, outermost first. Below `package com.acme` of Scala, `package shop` declares
/// `com.acme.shop`, and then the file has no part of `com.acme` itself.
fn parts_of_package(facts: &FileFacts, symbol: SymbolIdx) -> Option<Vec<&str>> {
    if !is_of_file(facts, symbol) {
        return Some(facts.path_of(&facts.symbols[symbol]));
    }
    if is_of_file(facts, symbol.next()) {
        return None;
    }
    let above = symbol.all_before().rev();
    let first = above.take_while(|above| is_of_file(facts, *above)).last();
    let declared = &facts.symbols[first.unwrap_or(symbol).as_usize()..=symbol.as_usize()];
    Some(declared.iter().map(|one| facts.name(one)).collect())
}

impl CodeGraph<'_> {
    /// The packages that a name can mean. The whole name of a package is meant; of Go also the end of its import path.
    pub fn packages_called(&self, name: &SymbolName) -> Result<Vec<Package>, Error> {
        if !name.allows(SymbolKind::Namespace, &name.name) {
            return Ok(Vec::new());
        }
        let mut found: BTreeMap<(&str, String), Vec<SymbolId>> = BTreeMap::new();
        let spellings = name.as_modules().map(|whole| whole.name);
        for spelling in [name.name.clone()].into_iter().chain(spellings) {
            let defining = self.stored.defining(&spelling);
            if name.owners.is_empty() && self.is_everywhere(name) && defining.len() > MANY_PARTS {
                continue;
            }
            for file in defining {
                let Some(view) = self.resolver.view(file) else { continue };
                for (symbol, one) in view.symbols_named(&spelling) {
                    if one.kind != SymbolKind::Namespace {
                        continue;
                    }
                    let lang = self.graph.modules.files().lang(file).name();
                    if let Some(package) = self.package_at(file, &view, symbol, name) {
                        let parts = found.entry((lang, package)).or_default();
                        parts.push(SymbolId { file, symbol });
                    }
                }
            }
        }
        let packages = found.into_iter().map(|((_, name), mut ids)| {
            ids.sort_by_cached_key(|id| (self.is_aside(id.file, None), *id));
            let mut files: Vec<FileIdx> = ids.iter().map(|id| id.file).collect();
            files.dedup();
            let hit = self.hit(ids[0])?;
            Ok(Package {
                name,
                files,
                subject: Subject {
                    ids,
                    hit,
                    others: Vec::new(),
                    namesakes: Vec::new(),
                    namesakes_total: 0,
                },
            })
        });
        packages.collect()
    }

    /// The whole name of the package that a declaration is of, if it is the one that is asked for.
    fn package_at(&self, file: FileIdx, view: &View, symbol: SymbolIdx, name: &SymbolName) -> Option<String> {
        let asked: Vec<&str> = name.owners.iter().chain([&name.name]).map(String::as_str).collect();
        let (at, symbol) = (symbol, &view.facts.symbols[symbol]);
        if self.graph.modules.files().lang(file) == LangId::Go {
            let path = self.import_path(file);
            let parts: Vec<&str> = path.split(['.', '/']).filter(|part| !part.is_empty()).collect();
            let is_it = parts.ends_with(&asked) || asked == [view.facts.name(symbol)];
            return is_it.then_some(path);
        }
        let parts = parts_of_package(&view.facts, at)?;
        let whole: Vec<&str> = parts
            .iter()
            .flat_map(|part| part.split(['.', '\\', ':']))
            .filter(|part| !part.is_empty())
            .collect();
        let separator = separator(self.graph.modules.files().lang(file));
        (whole == asked).then(|| whole.join(separator))
    }

    /// The path that Go code imports the package of a file by; its directory where no module says more.
    fn import_path(&self, file: FileIdx) -> String {
        let path = self.path(file);
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        let packages = self.graph.modules.packages().into_iter();
        let below = packages.filter_map(|(package, root)| match root {
            "" => Some((package, root, dir)),
            root => {
                let rest = dir.strip_prefix(root)?;
                (rest.is_empty() || rest.starts_with('/')).then(|| (package, root, rest.trim_start_matches('/')))
            }
        });
        match below.max_by_key(|(_, root, _)| root.len()) {
            Some((package, _, "")) => package.to_owned(),
            Some((package, _, rest)) => format!("{package}/{rest}"),
            None => dir.to_owned(),
        }
    }

    /// What the files of a package define directly in it, tests left out; what is defined in several files once.
    pub fn in_package(&self, package: &Package) -> Vec<SymbolId> {
        let mut inside: Vec<SymbolId> = Vec::new();
        for id in &package.subject.ids {
            let (_, found) = self.resolver.inside_module(*id);
            let is_own = |id: &SymbolId| {
                self.symbol(*id, |symbol| {
                    symbol.owner.is_none() && symbol.kind != SymbolKind::Namespace
                }) == Some(true)
            };
            inside.extend(found.into_iter().filter(|id| is_own(id) && !self.is_test(*id)));
        }
        inside
    }
}
