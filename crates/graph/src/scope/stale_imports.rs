//! Stale imports: imports of a name from a module of this workspace that no longer defines it. Where a single other
//! definition has the name, it was probably moved.

use syntax::{Import, ImportIdx, Qualifier, Reference, Role};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::FileIdx,
    lang::related,
    modules::Target,
    view::{SymbolId, View},
};

/// Likelihood that a stale import means the only definition of its name: where its module exists without the name, and
/// where there is no such module, which a build step may yet generate.
const MISSING_NAME: f32 = 0.7;
const MISSING_MODULE: f32 = 0.6;

/// Why an import is stale.
enum StaleImport {
    /// The module exists and does not define the name.
    MissingName,
    /// The module does not exist.
    MissingModule,
}

impl StaleImport {
    fn confidence(&self) -> f32 {
        match self {
            StaleImport::MissingName => MISSING_NAME,
            StaleImport::MissingModule => MISSING_MODULE,
        }
    }
}

impl Resolver<'_> {
    /// The likelihood that an unresolved reference means one of the targets: it depends on a stale import, and nothing
    /// else in the workspace has the name.
    pub(crate) fn likelihood_of_stale_use(
        &self,
        (file, view): (FileIdx, &View),
        reference: &Reference,
        name: &str,
        targets: &[SymbolId],
    ) -> Option<f32> {
        // A file that defines the name may wrap a foreign one: `def run(): return _native.run()`.
        if targets.iter().any(|target| target.file == file) {
            return None;
        }
        let place = At {
            file,
            view,
            at: reference.at,
        };
        // The import may give it an alias.
        let local = view.facts.names.get(reference.name);
        let is_item = |import: &Import| import.item.is_some_and(|item| view.facts.names.get(item) == name);
        match reference.on {
            _ if reference.role == Role::Import => {
                let all = ImportIdx::enumerate(&view.facts.imports);
                let named = all.filter(|(_, import)| is_item(import));
                self.likelihood_of_stale_imports(place, named, name, targets)
            }
            Qualifier::Nothing if reference.role != Role::Member => {
                let named = self.imports_named(place, local);
                let named = named.filter(|(_, import)| local == name || is_item(import));
                self.likelihood_of_stale_imports(place, named, name, targets)
            }
            _ if local != name => None,
            Qualifier::Value(value) => {
                let asked = &view.facts.references[value];
                let base = view.facts.names.get(asked.name);
                match self.meaning(file, value) {
                    Meaning::Files(modules) => {
                        let lacks = modules.iter().all(|module| self.is_fully_known(*module));
                        (lacks && self.are_only_importable(file, name, targets)).then_some(MISSING_NAME)
                    }
                    Meaning::External | Meaning::Missing | Meaning::Unknown if asked.on == Qualifier::Nothing => {
                        self.likelihood_through_moved(place, base, name, targets)
                    }
                    _ => None,
                }
            }
            Qualifier::Path(path) => {
                let first = path_start(view.facts.names.get(path));
                self.likelihood_through_moved(place, first, name, targets)
            }
            _ => None,
        }
    }

    /// The likelihood for an unqualified name that some imports bind.
    fn likelihood_of_stale_imports<'v>(
        &self,
        place: At<'v>,
        imports: impl Iterator<Item = (ImportIdx, &'v Import)>,
        name: &str,
        targets: &[SymbolId],
    ) -> Option<f32> {
        let from = self.if_all_stale(place, imports)?;
        let is_it =
            self.are_only_importable(place.file, name, targets) || self.is_member_of_moved_type(place, name, targets);
        is_it.then(|| from.confidence())
    }

    /// The likelihood for a member of an imported module or type: `base.name`.
    fn likelihood_through_moved(&self, place: At<'_>, base: &str, name: &str, targets: &[SymbolId]) -> Option<f32> {
        let from = self.stale_imports_of(place, base)?;
        let is_it = match self.only_importable(place.file, base) {
            Some(owner) => self.has_member(owner, name, targets),
            None => self.are_only_importable(place.file, name, targets),
        };
        is_it.then(|| from.confidence())
    }

    fn has_member(&self, owner: SymbolId, name: &str, targets: &[SymbolId]) -> bool {
        self.members(owner, name).iter().any(|member| targets.contains(member))
    }

    /// Whether an import names a static member of a moved type: `import static shop.Util.price`.
    fn is_member_of_moved_type(&self, place: At<'_>, name: &str, targets: &[SymbolId]) -> bool {
        let facts = &place.view.facts;
        let mut imports = self.imports_named(place, name);
        imports.any(|(_, import)| {
            let path = facts.names.get(import.path);
            let owner = path
                .rsplit(['.', ':'])
                .next()
                .and_then(|last| self.only_importable(place.file, last));
            owner.is_some_and(|owner| self.has_member(owner, name, targets))
        })
    }

    /// Whether all imports that bind a name are stale, and why.
    fn stale_imports_of(&self, place: At<'_>, name: &str) -> Option<StaleImport> {
        self.if_all_stale(place, self.imports_named(place, name))
    }

    fn if_all_stale<'v>(
        &self,
        place: At<'v>,
        imports: impl Iterator<Item = (ImportIdx, &'v Import)>,
    ) -> Option<StaleImport> {
        let mut origins = imports.map(|(index, import)| self.why_stale(place.file, place.view, index, import));
        let first = origins.next()??;
        origins.all(|other| other.is_some()).then_some(first)
    }

    /// Whether an import is stale.
    pub(crate) fn is_lost(&self, file: FileIdx, view: &View, index: ImportIdx) -> bool {
        let import = view.facts.imports.get(index.as_usize());
        import.is_some_and(|import| self.why_stale(file, view, index, import).is_some())
    }

    /// Whether an import is stale, in a language where no macro can define the name.
    pub fn is_lacking(&self, file: FileIdx, view: &View, index: ImportIdx) -> bool {
        self.rules(file).writes_all_definitions() && self.is_lost(file, view, index)
    }

    fn why_stale(&self, file: FileIdx, view: &View, index: ImportIdx, import: &Import) -> Option<StaleImport> {
        if !matches!(self.import(file, index), Meaning::Unknown | Meaning::Missing) {
            return None;
        }
        match self.modules.resolve(file, &view.facts, import) {
            Target::Local(modules) => {
                let is_whole = modules.iter().all(|module| self.is_fully_known(*module));
                is_whole.then_some(StaleImport::MissingName)
            }
            Target::Unknown | Target::External(_) => Some(StaleImport::MissingModule),
            Target::Candidates(_) => None,
        }
    }

    /// Whether an import names a package of this workspace and the only definition of the name is in another:
    /// `shop.util.Price`, which is now `shop.money.Price`.
    pub(crate) fn is_beside(&self, place: At<'_>, path: &str, item: &str) -> bool {
        let last = path.rsplit('.').next().unwrap_or(path);
        let found = self.only_importable(place.file, item).map(|found| (found, path));
        // The item may be a member of a type: `shop.util.Price.of`.
        let found = found.or_else(|| {
            Some((
                self.only_importable(place.file, last)?,
                path.strip_suffix(last)?.trim_end_matches('.'),
            ))
        });
        // A library may have a package with the same prefix: `org.acme.io` beside the workspace's `org.acme.shop`.
        let files = self.modules.files();
        let is_there = |package: &str| {
            let mut spaces = files.all().flat_map(|file| &files.outline(file).spaces);
            spaces.any(|space| &**space == package)
        };
        found.is_some_and(|(_, package)| is_there(package))
    }

    /// Whether a name has stale imports and a single definition elsewhere, so that it need not be external.
    pub(crate) fn may_be_moved(&self, place: At<'_>, name: &str) -> bool {
        self.stale_imports_of(place, name).is_some() && self.only_importable(place.file, name).is_some()
    }

    /// Whether all names of a module are known: its syntax was parsed without problems, it has no wildcard import of an
    /// external module, and it is no data file.
    fn is_fully_known(&self, module: FileIdx) -> bool {
        let Some(view) = self.view(module) else { return false };
        let is_data = self.lang(module).lang().is_data();
        if is_data || !self.rules(module).has_fixed_exports(&view) {
            return false;
        }
        let leads_out = |import: &Import| {
            import.wildcard && !matches!(self.modules.resolve(module, &view.facts, import), Target::Local(_))
        };
        view.facts.problem.is_none() && !view.facts.imports.iter().any(leads_out)
    }

    /// The definitions that an import of a name could mean, in all files of related languages.
    fn importable(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        let defining = self.defining(name);
        if defining.len() > crate::engine::resolver::MANY_FILES {
            return Vec::new();
        }
        let files = defining.iter().copied();
        let files = files.filter(|other| related(self.lang(file), self.lang(*other)));
        files.flat_map(|other| self.outer_symbols(other, name)).collect()
    }

    /// Whether an import is stale, and the targets are the only definitions that its name could mean.
    pub(crate) fn is_moved(
        &self,
        (file, view): (FileIdx, &View),
        index: ImportIdx,
        name: &str,
        targets: &[SymbolId],
    ) -> bool {
        self.is_lost(file, view, index) && self.are_only_importable(file, name, targets)
    }

    /// Whether the targets are the only definitions that an import of a name could mean.
    fn are_only_importable(&self, file: FileIdx, name: &str, targets: &[SymbolId]) -> bool {
        let found = self.importable(file, name);
        !found.is_empty() && found.iter().all(|id| targets.contains(id))
    }

    /// The only entity that an import of a name could mean.
    fn only_importable(&self, file: FileIdx, name: &str) -> Option<SymbolId> {
        let found = self.importable(file, name);
        let first = *found.first()?;
        let same = self.same_thing(first);
        found
            .iter()
            .all(|id| *id == first || same.contains(id))
            .then_some(first)
    }
}

/// The first part of a path.
fn path_start(path: &str) -> &str {
    path.split([':', '.', '\\', '/']).next().unwrap_or(path)
}
