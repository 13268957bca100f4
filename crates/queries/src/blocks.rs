//! The piece of a file that is worth reading around a place, and the file that a path from elsewhere means.

use syntax::{Lang, PLAINTEXT, Symbol, SymbolIdx, SymbolKind, lang_by_name};
use workspace::Error;

use crate::{snapshot::Snapshot, symbols::SourceFile};

/// Whole lines of a file, from 1, inclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub first_line: u32,
    pub last_line: u32,
    /// What it is, or what it is inside of.
    pub symbol: Option<SymbolIdx>,
    /// The block is exactly that symbol.
    pub is_symbol: bool,
}

/// Longer types, modules and sections are not shown whole because of one line in them.
const LONG_CONTAINER: u32 = 150;
/// Longer functions are not shown whole because of a range in them.
const LONG_FUNCTION: u32 = 300;

impl SourceFile {
    pub fn line_count(&self) -> u32 {
        self.facts.lines.count()
    }

    /// A definition with the comments and attributes before it.
    pub fn block_of(&self, symbol: SymbolIdx) -> Block {
        let (first_line, last_line) = self.lines_of(&self.facts.symbols[symbol]);
        Block {
            first_line,
            last_line,
            symbol: Some(symbol),
            is_symbol: true,
        }
    }

    /// The smallest definition around a line that makes sense by itself: a function, a type, a top-level value, a
    /// section. A line of a long type or module that is in none of its parts, or in no symbol at all, gives the chunk
    /// of the index around it.
    pub fn block_at(&self, line: u32) -> Block {
        let at = self.text_start(line);
        let holds = |symbol: &Symbol| symbol.lead.min(symbol.span.start) <= at && at < symbol.span.end;
        let around = SymbolIdx::enumerate(&self.facts.symbols).rev();
        let mut around = around.filter(|(_, symbol)| holds(symbol));
        match around.find(|(_, symbol)| self.is_worth_reading(symbol, line)) {
            Some((index, _)) => self.block_of(index),
            None => self.chunk_around(line),
        }
    }

    /// A range inside one block gives that block; one that spans several, or is a part of a very long function, is
    /// itself.
    pub fn block_between(&self, first_line: u32, last_line: u32) -> Block {
        let block = self.block_at(first_line);
        let length = block.last_line - block.first_line;
        if block.is_symbol
            && block.last_line >= last_line
            && length < LONG_FUNCTION
            && block == self.block_at(last_line)
        {
            return block;
        }
        let (first, last) = (self.text_start(first_line), self.text_start(last_line));
        let inside = |symbol: &Symbol| symbol.span.start <= first && last < symbol.span.end;
        Block {
            first_line,
            last_line,
            symbol: self.facts.symbols.iter().rposition(inside).map(SymbolIdx::new),
            is_symbol: false,
        }
    }

    /// The symbol whose name is at a place, as `SymbolHit` gives it.
    pub fn symbol_named_at(&self, name: &str, line: u32) -> Option<SymbolIdx> {
        let mut found = SymbolIdx::enumerate(&self.facts.symbols).filter(|(_, symbol)| self.facts.name(symbol) == name);
        found
            .find(|(_, symbol)| self.facts.lines.line(symbol.name_at) == line)
            .map(|(index, _)| index)
    }

    /// Lines without their line breaks.
    pub fn lines(&self, first_line: u32, last_line: u32) -> Vec<String> {
        let last_line = last_line.min(self.line_count());
        crate::chunk_view::lines_between(&self.text, &self.facts.lines, first_line, last_line)
    }

    fn lines_of(&self, symbol: &Symbol) -> (u32, u32) {
        let lines = &self.facts.lines;
        (
            lines.line(symbol.lead.min(symbol.span.start)),
            lines.line(symbol.span.end.max(1) - 1),
        )
    }

    /// Where the text of a line begins, behind its indentation.
    fn text_start(&self, line: u32) -> u32 {
        let span = self.facts.lines.span(line);
        let text = &self.text[span.range()];
        span.start + (text.len() - text.trim_start().len()).min(text.trim_end_matches('\n').len()) as u32
    }

    fn is_worth_reading(&self, symbol: &Symbol, line: u32) -> bool {
        let (first, last) = self.lines_of(symbol);
        let is_long = last - first >= LONG_CONTAINER;
        let is_one_line = first == last;
        let parents = std::iter::successors(symbol.parent, |parent| self.facts.symbols[*parent].parent);
        let mut parents = parents.map(|parent| self.facts.symbols[parent].kind);
        let has_own_line =
            self.facts.lines.line(symbol.name_at) == line || line < self.facts.lines.line(symbol.span.start);
        match symbol.kind {
            kind if kind.is_function() => !(is_one_line && parents.any(SymbolKind::is_function)),
            kind if kind.has_members() => !is_long || has_own_line,
            SymbolKind::Module | SymbolKind::Namespace => !is_long,
            SymbolKind::Field | SymbolKind::Variant | SymbolKind::Event => false,
            SymbolKind::Property => !is_one_line,
            SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Type => {
                !parents.any(|kind| kind.is_function() || (kind.has_members() && is_one_line))
            }
            _ => !is_one_line && !is_long,
        }
    }

    fn chunk_around(&self, line: u32) -> Block {
        let chunks = self.facts.chunks.iter();
        let mut chunks = chunks.filter(|chunk| (chunk.first_line..=chunk.last_line).contains(&line));
        let (first_line, last_line) = chunks
            .next()
            .map_or((line, line), |chunk| (chunk.first_line, chunk.last_line));
        Block {
            first_line,
            last_line,
            symbol: self.facts.enclosing(self.text_start(line)),
            is_symbol: false,
        }
    }
}

const NODE_MODULES: &str = "/node_modules/";

/// What compilers write, and what they read for it.
const COMPILED: &[(&str, &[&str])] = &[
    ("js", &["ts", "tsx", "jsx"]),
    ("jsx", &["tsx"]),
    ("mjs", &["mts", "ts", "tsx"]),
    ("cjs", &["cts", "ts", "tsx"]),
];

/// Where compilers write to.
const OUTPUTS: &[&str] = &[
    "build", "cjs", "compiled", "dist", "es", "esm", "lib", "out", "output", "umd",
];

/// How alike the directories of a compiled file and of one that it may be made of are: how many are the same but for one, in
/// which compilers write what they read in another, and how few the other has besides. Nothing if they are not.
fn alike_dirs(compiled: &[&str], source: &str) -> Option<(usize, std::cmp::Reverse<usize>)> {
    let source: Vec<&str> = source.split('/').filter(|dir| !dir.is_empty()).collect();
    let same = |a: &[&str], b: &[&str]| a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let inner = same(compiled, &source);
    let (compiled, source) = (&compiled[..compiled.len() - inner], &source[..source.len() - inner]);
    let (output, compiled) = compiled.split_last()?;
    let source = source.split_last().map_or(source, |(_, outer)| outer);
    let outer = same(compiled, source);
    let is_alike = inner + outer > 0 || OUTPUTS.contains(output);
    is_alike.then_some((inner + outer, std::cmp::Reverse(source.len() - outer)))
}

/// Where libraries are installed: such a file is not one of the workspace, however its path ends.
const FOREIGN: &[&str] = &[
    NODE_MODULES,
    "/site-packages/",
    "/dist-packages/",
    "/registry/src/",
    "/gems/",
    "/rustc/",
    "/.rustup/",
    "/usr/include/",
    "/usr/lib/",
    "/usr/lib64/",
    "/usr/local/go/",
    "/usr/local/include/",
    "/usr/local/lib/",
    "/usr/share/",
    "/GOROOT/",
    "/pkg/mod/",
];

/// Files that say what a package is called.
const MANIFESTS: &[&str] = &[
    "go.mod",
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "composer.json",
];

/// That are read for one path.
const MAX_MANIFESTS: usize = 200;

/// The package that a path below a place of installed ones is in, and the path inside of it: `example.com/shop@v1.2.0/cart.go`,
/// `index-1cd66030c949c28d/shop-1.2.0/src/cart.rs`, `@acme/shop/src/cart.ts`, `shop-1.2.0/lib/cart.rb`.
fn package_of(installed: &str) -> Option<(&str, &str)> {
    if let Some((package, behind)) = installed.split_once('@').filter(|(package, _)| !package.is_empty()) {
        return Some((package, behind.split_once('/')?.1));
    }
    let (first, rest) = installed.split_once('/')?;
    if first.starts_with('@') {
        let end = first.len() + 1 + rest.find('/')?;
        return Some((&installed[..end], &installed[end + 1..]));
    }
    // Cargo has a directory for each registry, by name and hash.
    let hash = first.rsplit_once('-').map_or("", |(_, hash)| hash);
    let is_registry = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (versioned, inside) = rest.split_once('/').filter(|_| is_registry).unwrap_or((first, rest));
    let is_version = |(_, version): &(&str, &str)| {
        version.starts_with(|c: char| c.is_ascii_digit()) && (is_registry || version.contains('.'))
    };
    let package = versioned.rsplit_once('-').filter(is_version);
    Some((package.map_or(versioned, |(package, _)| package), inside))
}

/// `module example.com/shop`, `name = "shop"`, `"name": "@acme/shop"`, `s.name = "shop"`.
fn is_manifest_of(text: &str, package: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches(['{', ' ', '\t']);
        // Ruby's block may call what it describes anything.
        let line = match line.split_once('.') {
            Some((_, field)) if field.starts_with("name ") => field,
            _ => line,
        };
        let names = line.starts_with("module ") || line.starts_with("name") || line.starts_with("\"name\"");
        let mut words = line.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ':' | '='));
        names && words.any(|word| word == package)
    })
}

impl Snapshot {
    /// The indexed files that a path means which is not one of them: the end of their path, or, if it comes from
    /// another machine or program, a path that ends with theirs.
    pub fn files_like(&self, path: &str, is_from_elsewhere: bool) -> Vec<String> {
        let path = path.replace('\\', "/");
        let parts: Vec<&str> = path
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."))
            .collect();
        if parts.is_empty() {
            return Vec::new();
        }
        let ending = format!("/{}", parts.join("/"));
        let files = || self.reader().files().indexed().map(|row| &*row.path);
        let is_absolute = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
        if !is_absolute {
            let found: Vec<String> = files()
                .filter(|file| file.ends_with(&ending) || **file == ending[1..])
                .map(str::to_owned)
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        // Swift's traces name the module instead of where it is.
        if let Some((module, name)) = path.split_once('/').filter(|(_, name)| name.ends_with(".swift"))
            && is_from_elsewhere
            && !module.is_empty()
            && !name.contains('/')
        {
            let ending = format!("/{name}");
            return files()
                .filter(|file| file.ends_with(&ending))
                .map(str::to_owned)
                .collect();
        }
        let installed = FOREIGN
            .iter()
            .filter_map(|place| ending.rfind(place).map(|at| at + place.len()))
            .max();
        // A package of this workspace may be installed as well.
        if let Some(at) = installed {
            let inside = format!("/{}", &ending[at..]);
            let is_it = |file: &&str| inside[1..].contains('/') && (file.ends_with(&inside) || **file == inside[1..]);
            let own: Vec<String> = files().filter(is_it).map(str::to_owned).collect();
            return match own.is_empty() {
                true => self.installed_file(&ending[at..]).into_iter().collect(),
                false => own,
            };
        }
        let root = self.session().root.file_name().and_then(|name| name.to_str());
        let own = files().filter(|file| {
            let Some(before) = ending.strip_suffix(*file).and_then(|before| before.strip_suffix('/')) else {
                return false;
            };
            let outer = before.rsplit('/').next();
            is_absolute || (is_from_elsewhere && file.contains('/')) || (outer.is_some() && outer == root)
        });
        // The longest is the one meant.
        let longest = own.max_by_key(|file| file.len());
        longest.map(str::to_owned).into_iter().collect()
    }

    /// The file of a package of this workspace that was installed, by its path below where packages are.
    fn installed_file(&self, installed: &str) -> Option<String> {
        let (package, inside) = package_of(installed)?;
        let rows = self.reader().files();
        let has_file = |dir: &str| {
            let row = rows.by_path(&format!("{dir}{inside}"));
            row.is_some_and(|row| row.skip_reason().is_none())
        };
        let dir = self.package_dir(package, has_file)?;
        Some(format!("{dir}{inside}"))
    }

    /// The directory of a package of this workspace, by its name and what the directory has.
    fn package_dir(&self, package: &str, is_it: impl Fn(&str) -> bool) -> Option<String> {
        let manifests = self.reader().files().indexed().filter(|row| {
            let name = row.path.rsplit('/').next().unwrap_or(&row.path);
            MANIFESTS.contains(&name) || name.ends_with(".gemspec")
        });
        manifests.take(MAX_MANIFESTS).find_map(|row| {
            let dir = row.path.rfind('/').map_or("", |end| &row.path[..=end]);
            if !is_it(dir) {
                return None;
            }
            let text = String::from_utf8(self.current_bytes(row).ok()?).ok()?;
            is_manifest_of(&text, package).then(|| dir.to_owned())
        })
    }

    /// The files that one may be made of which a compiler wrote: `src/shapes/circle.ts` for `lib/shapes/circle.js`. Those in
    /// the directories that are most like its own.
    pub fn sources_of(&self, compiled: &str) -> Vec<String> {
        let compiled = format!("/{}", compiled.replace('\\', "/"));
        let Some((stem, extension)) = compiled.rsplit_once('.') else {
            return Vec::new();
        };
        let Some((_, sources)) = COMPILED.iter().find(|(made, _)| *made == extension) else {
            return Vec::new();
        };
        let (mut dir, mut inside) = (String::new(), stem);
        if let Some(at) = stem.rfind(NODE_MODULES).map(|at| at + NODE_MODULES.len()) {
            let Some((package, below)) = package_of(&stem[at..]) else {
                return Vec::new();
            };
            let Some(own) = self.package_dir(package, |_| true) else {
                return Vec::new();
            };
            (dir, inside) = (own, below);
        }
        let parts: Vec<&str> = inside
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."))
            .collect();
        let Some((name, dirs)) = parts.split_last() else {
            return Vec::new();
        };
        let mut best: Vec<String> = Vec::new();
        let mut highest = None;
        for row in self.reader().files().indexed() {
            let file = row.path.strip_prefix(&*dir).and_then(|below| below.rsplit_once('.'));
            let Some((file, _)) = file.filter(|(_, extension)| sources.contains(extension)) else {
                continue;
            };
            let (own_dirs, own_name) = file.rsplit_once('/').unwrap_or(("", file));
            let Some(alike) = alike_dirs(dirs, own_dirs).filter(|_| own_name == *name) else {
                continue;
            };
            if highest.is_none_or(|highest| alike > highest) {
                best.clear();
                highest = Some(alike);
            }
            if highest == Some(alike) {
                best.push(row.path.to_string());
            }
        }
        best
    }

    /// The language of an indexed file.
    pub fn lang_of(&self, path: &str) -> Result<&'static Lang, Error> {
        Ok(lang_by_name(self.indexed_row(path)?.lang).unwrap_or(&PLAINTEXT))
    }
}
