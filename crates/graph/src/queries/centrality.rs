//! Centrality of files and of the names that they define: PageRank over the graph of references between files.
//!
//! Every reference of every file counts, so none is resolved as for a query. A name means a definition in the imported
//! files, in the same package, or in the few files that define it at all. That is a hundredth of the work, scales with
//! the size of the files alone, and is precise enough for ranks.

use std::{hash::Hasher, num::NonZeroU64};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use syntax::{FileFacts, NameId, Qualifier, Role, Symbol, SymbolKind};

use crate::{
    files::FileIdx,
    lang::{self, imports_are_exports, related},
    modules::{Modules, Target},
};

/// The hash of a name. A collision is unlikely and harmless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameKey(NonZeroU64);

impl NameKey {
    pub fn of(name: &str) -> NameKey {
        let mut hasher = FxHasher::default();
        hasher.write(name.as_bytes());
        NameKey::from_bits(hasher.finish())
    }

    /// For storage.
    pub fn to_bits(self) -> u64 {
        self.0.get()
    }

    pub fn from_bits(bits: u64) -> NameKey {
        NameKey(NonZeroU64::new(bits).unwrap_or(NonZeroU64::MIN))
    }
}

/// The names that one file defines and references, in as little memory as possible.
#[derive(Debug, Default)]
pub struct Mentioned {
    /// Names that it defines, each with whether it is a member; without duplicates.
    defines: Vec<(NameKey, bool)>,
    uses: Vec<Used>,
    /// The imported files, and those whose names it re-exports.
    imports: Vec<FileIdx>,
    reexports: Vec<FileIdx>,
}

#[derive(Debug, Clone, Copy)]
struct Used {
    name: NameKey,
    on: UsedOn,
    weight: f32,
}

/// What the qualifier of a reference tells about the file that defines its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum UsedOn {
    Nothing,
    /// Unqualified and not imported: it is defined in the same package or outside of the workspace.
    Package,
    /// A member of a value.
    Value,
    /// A member of a value that may well be of a built-in type.
    AnyValue,
    /// Qualified by a path to this file.
    File(FileIdx),
    /// Qualified by a path that ends with this name, of a type or module.
    Owner(NameKey),
}

/// Ranks of files and of their definitions.
#[derive(Debug, Default)]
pub struct Centrality {
    /// By file; the sum is 1.
    pub files: Vec<f64>,
    /// By file: its names that other files reference, with the number of those files, each weighted by its own rank.
    pub names: Vec<Vec<(NameKey, f64)>>,
}

impl Mentioned {
    pub fn of(modules: &Modules, file: FileIdx, facts: &FileFacts) -> Mentioned {
        let mut imports: Vec<FileIdx> = modules
            .declared(file, facts)
            .iter()
            .map(|declared| declared.file)
            .collect();
        let mut reexports = Vec::new();
        let imports_are_exports = imports_are_exports(modules.files().lang(file));
        for import in &facts.imports {
            if let Target::Local(found) | Target::Candidates(found) = modules.resolve(file, facts, import) {
                if import.reexport || imports_are_exports {
                    reexports.extend_from_slice(&found);
                }
                imports.extend(found);
            }
        }
        for files in [&mut imports, &mut reexports] {
            files.retain(|other| *other != file);
            files.sort_unstable();
            files.dedup();
        }
        let names: Vec<NameKey> = (0..facts.names.len() as u32)
            .map(|id| NameKey::of(facts.names.get(NameId(id))))
            .collect();
        let key = |id: NameId| names[id.0 as usize];
        let defined = facts
            .symbols
            .iter()
            .filter(|symbol| is_visible_to_others(facts, symbol));
        let mut defines: Vec<(NameKey, bool)> = defined
            .map(|symbol| (key(symbol.name), is_member(facts, symbol)))
            .collect();
        defines.sort_unstable();
        defines.dedup();
        let uses = uses(modules, file, facts, &names);
        Mentioned {
            defines,
            uses,
            imports,
            reexports,
        }
    }
}

impl Mentioned {
    /// The files that it imports.
    pub fn imports(&self) -> &[FileIdx] {
        &self.imports
    }
}

fn uses(modules: &Modules, file: FileIdx, facts: &FileFacts, names: &[NameKey]) -> Vec<Used> {
    let key = |id: NameId| names[id.0 as usize];
    let local: FxHashSet<NameId> = facts.bindings.iter().map(|binding| binding.name).collect();
    let rules = lang::rules(modules.files().lang(file));
    let semantics = rules.semantics();
    let common = semantics.common_members;
    let mut brought: FxHashMap<NameId, NameId> = FxHashMap::default();
    for import in &facts.imports {
        if let Some(name) = import.alias.or(import.item) {
            brought.insert(name, import.item.unwrap_or(name));
        }
    }
    let has_wildcards = facts.imports.iter().any(|import| import.wildcard);
    let mut paths: FxHashMap<(NameId, NameId), UsedOn> = FxHashMap::default();
    let mut counts: FxHashMap<(NameId, UsedOn), u32> = FxHashMap::default();
    for reference in &facts.references {
        let name = facts.names.get(reference.name);
        let on = match reference.on {
            // `new Name()` and `::Name` have no qualifier that leads to a file.
            Qualifier::Path(path) if leads_to_no_file(facts.names.get(path)) => Qualifier::Nothing,
            on => on,
        };
        let on = match on {
            Qualifier::Literal => continue,
            Qualifier::Nothing if reference.role == Role::Member => UsedOn::AnyValue,
            Qualifier::Context(_) => UsedOn::AnyValue,
            Qualifier::Path(_) if rules.implies_receiver(reference.role) => UsedOn::AnyValue,
            Qualifier::Nothing => {
                let may_be_local = matches!(reference.role, Role::Call | Role::Variable);
                if may_be_local && local.contains(&reference.name) {
                    continue;
                }
                let is_brought = brought.contains_key(&reference.name) || reference.role == Role::Import;
                if is_brought || has_wildcards || semantics.is_global() {
                    UsedOn::Nothing
                } else {
                    UsedOn::Package
                }
            }
            Qualifier::Path(path) => *paths.entry((path, reference.name)).or_insert_with(|| {
                let path = facts.names.get(path).trim_end_matches('\\');
                match modules.resolve_path(file, facts, path, Some(name), reference.at) {
                    Target::Local(files) if files.len() == 1 => UsedOn::File(files[0]),
                    _ => {
                        let last = path.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
                        UsedOn::Owner(NameKey::of(last.unwrap_or(path)))
                    }
                }
            }),
            Qualifier::Value(_) | Qualifier::This | Qualifier::Super | Qualifier::Other
                if common.contains(&name) || name.starts_with("__") =>
            {
                UsedOn::AnyValue
            }
            Qualifier::Value(_) | Qualifier::This | Qualifier::Super | Qualifier::Other => UsedOn::Value,
        };
        let name = match on {
            UsedOn::Nothing => brought.get(&reference.name).copied().unwrap_or(reference.name),
            _ => reference.name,
        };
        *counts.entry((name, on)).or_default() += 1;
    }
    let uses = counts.into_iter().map(|((name, on), count)| Used {
        name: key(name),
        on,
        // Ten references in one file count more than one, but not ten times as much.
        weight: (count as f32).sqrt(),
    });
    let mut uses: Vec<Used> = uses.collect();
    uses.sort_unstable_by_key(|used| (used.name, used.on));
    uses
}

fn leads_to_no_file(path: &str) -> bool {
    path == "new" || !path.contains(|c: char| c.is_alphanumeric() || c == '_')
}

/// Whether another file can reference a definition by its name.
fn is_visible_to_others(facts: &FileFacts, symbol: &Symbol) -> bool {
    use SymbolKind::*;
    let mut around = std::iter::successors(symbol.parent, |parent| facts.symbols[*parent].parent);
    !matches!(symbol.kind, Impl | Heading | Key | Selector | Element)
        && !around.any(|outer| facts.symbols[outer].kind.is_function())
}

fn is_member(facts: &FileFacts, symbol: &Symbol) -> bool {
    let parent = symbol.parent.map(|parent| facts.symbols[parent].kind);
    symbol.owner.is_some() || parent.is_some_and(|kind| kind.has_members())
}

/// A name that is not imported is ignored if more files than this define it: it could mean any of them.
const FEW: usize = 3;
/// Chains of re-exports that are followed.
const MAX_STEPS: usize = 3;
/// The weight of a reference that is matched by name alone, relative to an imported one.
const BY_NAME: f64 = 0.4;
/// The same for a member access: it is as likely one of a built-in type.
const BY_MEMBER: f64 = 0.15;
/// The weight of an import by itself, relative to a reference.
const BY_IMPORT: f64 = 0.5;
/// The weight of references in tests and examples, relative to those of the program itself.
const TEST_WEIGHT: f64 = 0.3;
/// The damping factor and the number of iterations of PageRank. Damping is lower than the usual 0.85: otherwise two
/// files that reference little but each other accumulate all the rank that reaches one of them.
const DAMPING: f64 = 0.6;
const ROUNDS: usize = 16;

/// A reference of a file to another file: to one of its names, or to the file as a whole.
struct Edge {
    to: FileIdx,
    name: Option<NameKey>,
    /// The confidence that this file is meant.
    surety: f64,
    /// The share of the referencing file's rank that flows along the edge.
    share: f64,
}

/// The files that define each name, either at the top level or as a member. Sorted arrays: a hash map would take five
/// times the memory.
struct Defining {
    /// Sorted; parallel to `files`.
    names: Vec<NameKey>,
    files: Vec<FileIdx>,
    /// The index of the first name for each prefix of `FIRST_BITS` bits.
    starts: Vec<u32>,
}

/// The length of the prefix that is indexed.
const FIRST_BITS: u32 = 16;

impl Defining {
    fn new(files: &[Mentioned], member: bool) -> Defining {
        let mut all: Vec<(NameKey, FileIdx)> = Vec::new();
        for (file, mentioned) in (0..).map(FileIdx).zip(files) {
            let defined = mentioned.defines.iter().filter(|(_, is_member)| *is_member == member);
            all.extend(defined.map(|(name, _)| (*name, file)));
        }
        all.sort_unstable();
        let (names, files): (Vec<NameKey>, Vec<FileIdx>) = all.into_iter().unzip();
        let mut starts = vec![0; (1 << FIRST_BITS) + 1];
        for name in &names {
            starts[first_bits(*name) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Defining { names, files, starts }
    }

    fn of(&self, name: NameKey) -> &[FileIdx] {
        let first = first_bits(name);
        let (start, end) = (self.starts[first] as usize, self.starts[first + 1] as usize);
        let near = &self.names[start..end];
        let from = near.partition_point(|other| *other < name);
        let len = near[from..].partition_point(|other| *other == name);
        &self.files[start + from..start + from + len]
    }
}

fn first_bits(name: NameKey) -> usize {
    (name.to_bits() >> (u64::BITS - FIRST_BITS)) as usize
}

impl Centrality {
    /// `files` are all files of the workspace, by index. `is_beside`: files that are not the program itself, such as
    /// tests and examples.
    pub fn new(modules: &Modules, mut files: Vec<Mentioned>, is_beside: impl Fn(FileIdx) -> bool) -> Centrality {
        let defining = [false, true].map(|member| Defining::new(&files, member));
        for mentioned in &mut files {
            mentioned.defines = Vec::new();
        }
        let all = (0..files.len() as u32).map(FileIdx);
        // Frees the references of each file once its edges are known: both together would not fit in memory for large
        // workspaces.
        let edges = all.clone().map(|file| {
            let uses = std::mem::take(&mut files[file.0 as usize].uses);
            edges(modules, &files, &uses, &defining, file)
        });
        let edges: Vec<Vec<Edge>> = edges.collect();
        drop(defining);
        let own: Vec<f64> = all
            .map(|file| if is_beside(file) { TEST_WEIGHT } else { 1.0 })
            .collect();
        let total: f64 = own.iter().sum();
        let own: Vec<f64> = own.iter().map(|own| own / total).collect();
        let mut ranks = own.clone();
        for _ in 0..ROUNDS {
            let mut next = vec![0.0; files.len()];
            let mut kept = 0.0;
            for (rank, edges) in ranks.iter().zip(&edges) {
                for edge in edges {
                    next[edge.to.0 as usize] += rank * edge.share;
                }
                if edges.is_empty() {
                    kept += rank;
                }
            }
            // The rank of files without outgoing edges is spread over all files.
            for (next, own) in next.iter_mut().zip(&own) {
                *next = DAMPING * (*next + kept * own) + (1.0 - DAMPING) * own;
            }
            ranks = next;
        }
        let mut references: Vec<FxHashMap<NameKey, f64>> = vec![FxHashMap::default(); files.len()];
        for (file, edges) in edges.iter().enumerate() {
            let own = own[file] * total;
            let weight = own * (ranks[file] * files.len() as f64).sqrt();
            for edge in edges {
                if let Some(name) = edge.name {
                    *references[edge.to.0 as usize].entry(name).or_default() += weight * edge.surety;
                }
            }
        }
        let names = references.into_iter().map(|names| {
            let mut names: Vec<(NameKey, f64)> = names.into_iter().collect();
            names.sort_unstable_by_key(|(name, _)| *name);
            names
        });
        Centrality {
            files: ranks,
            names: names.collect(),
        }
    }
}

/// The outgoing edges of a file, with shares that add up to 1.
fn edges(modules: &Modules, files: &[Mentioned], uses: &[Used], defining: &[Defining; 2], file: FileIdx) -> Vec<Edge> {
    let own = &files[file.0 as usize];
    let name = modules.files().lang(file);
    let semantics = lang::of(name);
    let shares_scope = semantics.shares_scope;
    let imported = imported_files(files, own);
    let mut found: Vec<Edge> = Vec::new();
    let is_known = |to: &FileIdx| *to == file || imported.contains(to) || shares_scope(modules.files(), file, *to);
    for used in uses {
        let [outer, members] = defining.each_ref().map(|defining| defining.of(used.name));
        let known = |all: &[FileIdx]| -> Vec<FileIdx> {
            let all = all.iter().copied();
            all.filter(|to| is_known(to)).take(2 * FEW + 1).collect()
        };
        let few = |all: &[FileIdx], most: usize| -> Vec<FileIdx> {
            let all = all
                .iter()
                .copied()
                .filter(|to| related(name, modules.files().lang(*to)));
            let found: Vec<FileIdx> = all.take(most + 1).collect();
            if found.len() > most { Vec::new() } else { found }
        };
        let (meant, factor) = match used.on {
            UsedOn::Nothing if semantics.is_global() => match known(outer) {
                found if found.is_empty() => (few(outer, FEW), BY_NAME),
                found => (found, 1.0),
            },
            UsedOn::Nothing => (known(outer), 1.0),
            UsedOn::Package => {
                let near = outer.iter().copied();
                let near = near.filter(|to| *to == file || shares_scope(modules.files(), file, *to));
                (near.take(2 * FEW + 1).collect(), 1.0)
            }
            UsedOn::File(to) => {
                let is_there = outer.contains(&to) || members.contains(&to);
                (is_there.then_some(to).into_iter().collect(), 1.0)
            }
            UsedOn::Owner(owner) => {
                let owners = known(defining[0].of(owner));
                let both = outer.iter().chain(members).copied();
                (both.filter(|to| owners.contains(to)).take(2 * FEW + 1).collect(), 1.0)
            }
            UsedOn::Value | UsedOn::AnyValue => {
                let factor = if used.on == UsedOn::Value { 1.0 } else { BY_NAME };
                match (known(members), known(outer)) {
                    // A function of a module: `shapes.area()`.
                    (found, outer) if found.is_empty() && !outer.is_empty() => (outer, 1.0),
                    (found, _) if found.is_empty() && used.on == UsedOn::Value => (few(members, 1), BY_MEMBER),
                    (found, _) => (found, factor),
                }
            }
        };
        if meant.contains(&file) || meant.len() > 2 * FEW {
            continue;
        }
        let surety = factor / meant.len() as f64;
        found.extend(meant.into_iter().map(|to| Edge {
            to,
            name: Some(used.name),
            surety,
            share: surety * f64::from(used.weight),
        }));
    }
    found.extend(own.imports.iter().map(|to| Edge {
        to: *to,
        name: None,
        surety: 1.0,
        share: BY_IMPORT,
    }));
    let total: f64 = found.iter().map(|edge| edge.share).sum();
    for edge in &mut found {
        edge.share /= total;
    }
    found.shrink_to_fit();
    found
}

/// The files that a file imports, and those whose names they re-export.
fn imported_files(files: &[Mentioned], own: &Mentioned) -> FxHashSet<FileIdx> {
    let mut reached: FxHashSet<FileIdx> = own.imports.iter().copied().collect();
    let mut level: Vec<FileIdx> = own.imports.clone();
    for _ in 0..MAX_STEPS {
        let next = level.iter().flat_map(|file| &files[file.0 as usize].reexports);
        level = next.copied().filter(|file| reached.insert(*file)).collect();
    }
    reached
}
