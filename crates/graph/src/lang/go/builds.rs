//! Which files of a package are built together: by their names, and by `//go:build` lines.

use crate::{
    engine::resolver::{Resolver, ids},
    files::FileIdx,
    lang::related,
    members::declaration_groups::whole_path,
    view::SymbolId,
};
use syntax::SymbolKind;

/// A file by its path, with its build constraint.
type File<'f> = (&'f str, Option<&'f str>);

impl Resolver<'_> {
    /// Whether two files state the same package.
    pub(super) fn is_one_package(&self, one: FileIdx, other: FileIdx) -> bool {
        match (self.view(one), self.view(other)) {
            (Some(one), Some(other)) => one.package() == other.package(),
            _ => true,
        }
    }

    /// Whether two files can never be in one build.
    pub(super) fn excludes_each_other(&self, one: FileIdx, other: FileIdx) -> bool {
        let paths = self.modules.files();
        match (self.view(one), self.view(other)) {
            (Some(view), Some(other_view)) => excludes(
                (paths.path(one), view.condition()),
                (paths.path(other), other_view.condition()),
            ),
            _ => false,
        }
    }

    /// What a package defines under a definition's name for other builds: `open_linux.go`, `open_windows.go`.
    pub(super) fn of_other_builds(&self, id: SymbolId) -> Vec<SymbolId> {
        let Some(view) = self.view(id.file) else {
            return Vec::new();
        };
        let symbol = &view.facts.symbols[id.symbol];
        let name = view.facts.name(symbol);
        let (files, semantics) = (self.modules.files(), self.semantics(id.file));
        // A package has as many of these as it likes.
        if matches!(name, "init" | "_") || symbol.kind == SymbolKind::Namespace {
            return Vec::new();
        }
        let path = whole_path(&view, symbol);
        let defining = self.defining(name);
        let others = defining.iter().filter(|other| {
            **other != id.file
                && related(self.lang(id.file), self.lang(**other))
                && (semantics.shares_scope)(files, id.file, **other)
        });
        let instead = others.filter_map(|other| {
            let view = self.view(*other)?;
            let is_excluded = self.excludes_each_other(id.file, *other);
            let alike = view.symbols_named(name).filter(|(_, one)| {
                is_excluded
                    && one.kind.is_function() == symbol.kind.is_function()
                    && one.kind.is_type() == symbol.kind.is_type()
                    && whole_path(&view, one) == path
            });
            Some(ids(*other, alike))
        });
        instead.flatten().collect()
    }
}

/// The systems that a file's name or a condition can speak of, those that are `unix` first, and the processors.
const UNIX: &[&str] = &[
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "linux",
    "netbsd",
    "openbsd",
    "solaris",
];
const OTHER_SYSTEMS: &[&str] = &["js", "nacl", "plan9", "wasip1", "windows", "zos"];
const PROCESSORS: &[&str] = &[
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64",
    "s390x", "wasm",
];

/// Conditions with more words are not looked at.
const MAX_WORDS: usize = 10;

/// Whether what must hold for two files cannot hold at once: `//go:build linux` and `//go:build !linux`.
fn excludes(one: File<'_>, other: File<'_>) -> bool {
    let (one, other) = (needs(one), needs(other));
    if one.is_empty() || other.is_empty() {
        return false;
    }
    let all: Vec<&str> = one.iter().chain(&other).map(String::as_str).collect();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut words: Vec<&str> = all.iter().flat_map(|need| need.split(|c| !is_word(c))).collect();
    words.sort_unstable();
    words.dedup();
    words.retain(|word| !word.is_empty());
    let holds_at_once = |which: usize| {
        let holds = |word: &str| {
            words
                .iter()
                .position(|one| *one == word)
                .is_some_and(|at| which >> at & 1 == 1)
        };
        is_possible(&words, &holds) && all.iter().all(|need| Condition(need).any(&holds))
    };
    words.len() <= MAX_WORDS && !(0..1 << words.len()).any(holds_at_once)
}

/// What must hold for a file by its name and by what is written in it.
fn needs((path, condition): File<'_>) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.strip_suffix(".go").unwrap_or(name);
    let mut parts = stem
        .strip_suffix("_test")
        .unwrap_or(stem)
        .split('_')
        .skip(1)
        .collect::<Vec<_>>();
    let is_system = |part: &&str| UNIX.contains(part) || OTHER_SYSTEMS.contains(part);
    let processor = parts.pop_if(|part| PROCESSORS.contains(part));
    let system = parts.pop_if(|part| is_system(&&**part));
    let by_name = processor.into_iter().chain(system).map(str::to_owned);
    by_name.chain(condition.map(str::to_owned)).collect()
}

/// Whether some words can be true and all others not: a program is made for one system and one processor, and by one
/// version of the language, which is also all that were before it.
fn is_possible(words: &[&str], holds: &impl Fn(&str) -> bool) -> bool {
    let count = |of: &[&str]| of.iter().filter(|word| holds(word)).count();
    let (unix, others) = (count(UNIX), count(OTHER_SYSTEMS));
    let is_unix = !words.contains(&"unix") || (unix == 0 || holds("unix")) && (others == 0 || !holds("unix"));
    let versions = words
        .iter()
        .filter_map(|word| Some((*word, word.strip_prefix("go1.")?.parse::<u32>().ok()?)));
    let is_before = |(word, version): (&str, u32)| {
        let mut later = versions.clone().filter(|(_, other)| *other > version);
        holds(word) || later.all(|(word, _)| !holds(word))
    };
    unix + others <= 1 && count(PROCESSORS) <= 1 && is_unix && versions.clone().all(is_before)
}

/// A condition, of which the beginning is read off.
struct Condition<'t>(&'t str);

impl Condition<'_> {
    fn any(&mut self, holds: &impl Fn(&str) -> bool) -> bool {
        let mut is_true = self.all(holds);
        while self.takes("||") {
            is_true |= self.all(holds);
        }
        is_true
    }

    fn all(&mut self, holds: &impl Fn(&str) -> bool) -> bool {
        let mut is_true = self.one(holds);
        while self.takes("&&") {
            is_true &= self.one(holds);
        }
        is_true
    }

    fn one(&mut self, holds: &impl Fn(&str) -> bool) -> bool {
        if self.takes("!") {
            return !self.one(holds);
        }
        if self.takes("(") {
            let is_true = self.any(holds);
            self.takes(")");
            return is_true;
        }
        let rest = self.0.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.'));
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.0 = rest;
        holds(word)
    }

    fn takes(&mut self, mark: &str) -> bool {
        match self.0.trim_start().strip_prefix(mark) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }
}
