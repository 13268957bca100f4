//! Names that are asked of a module of this workspace that has them no more: what was moved, and is still imported from
//! where it was.

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

/// How likely it is that the only definition of a name is meant where a module does not have it any more, and where there
/// is no such module any more: that may as well be one that is made by the build.
const FROM_MODULE: f32 = 0.7;
const FROM_NOWHERE: f32 = 0.6;

/// Where a name is asked for in vain.
enum AskedOf {
    /// A module of this workspace.
    Module,
    /// One that should be of this workspace, and is not there.
    Nowhere,
}

impl AskedOf {
    fn confidence(&self) -> f32 {
        match self {
            AskedOf::Module => FROM_MODULE,
            AskedOf::Nowhere => FROM_NOWHERE,
        }
    }
}

impl Resolver<'_> {
    /// How likely a use that leads nowhere means one of some definitions: it asks for the name where that is not any
    /// more, and nothing else here has the name.
    pub(crate) fn likelihood_of_stale_use(
        &self,
        (file, view): (FileIdx, &View),
        reference: &Reference,
        name: &str,
        targets: &[SymbolId],
    ) -> Option<f32> {
        // Who has it does not have it from elsewhere: `def run(): return _native.run()`.
        if targets.iter().any(|target| target.file == file) {
            return None;
        }
        let place = At {
            file,
            view,
            at: reference.at,
        };
        // It may have another name here.
        let local = view.facts.names.get(reference.name);
        let is_item = |import: &Import| import.item.is_some_and(|item| view.facts.names.get(item) == name);
        match reference.on {
            _ if reference.role == Role::Import => {
                let all = ImportIdx::enumerate(&view.facts.imports);
                let named = all.filter(|(_, import)| is_item(import));
                self.imported_where_it_was(place, named, name, targets)
            }
            Qualifier::Nothing if reference.role != Role::Member => {
                let named = self.imports_named(place, local);
                let named = named.filter(|(_, import)| local == name || is_item(import));
                self.imported_where_it_was(place, named, name, targets)
            }
            _ if local != name => None,
            Qualifier::Value(value) => {
                let asked = &view.facts.references[value];
                let base = view.facts.names.get(asked.name);
                match self.meaning(file, value) {
                    Meaning::Files(modules) => {
                        let lacks = modules.iter().all(|module| self.is_fully_known(*module));
                        (lacks && self.are_all(file, name, targets)).then_some(FROM_MODULE)
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

    /// The same of a name that some imports bring in.
    fn imported_where_it_was<'v>(
        &self,
        place: At<'v>,
        imports: impl Iterator<Item = (ImportIdx, &'v Import)>,
        name: &str,
        targets: &[SymbolId],
    ) -> Option<f32> {
        let from = self.dangle(place, imports)?;
        let is_it = self.are_all(place.file, name, targets) || self.is_taken_from_moved(place, name, targets);
        is_it.then(|| from.confidence())
    }

    /// The same of what is asked of an imported module or type.
    fn likelihood_through_moved(&self, place: At<'_>, base: &str, name: &str, targets: &[SymbolId]) -> Option<f32> {
        let from = self.dangles(place, base)?;
        let is_it = match self.only(place.file, base) {
            Some(owner) => self.has_any(owner, name, targets),
            None => self.are_all(place.file, name, targets),
        };
        is_it.then(|| from.confidence())
    }

    fn has_any(&self, owner: SymbolId, name: &str, targets: &[SymbolId]) -> bool {
        self.members(owner, name).iter().any(|member| targets.contains(member))
    }

    /// Whether an import takes a member of a type by its name, which is elsewhere now: `import static shop.Util.price`.
    fn is_taken_from_moved(&self, place: At<'_>, name: &str, targets: &[SymbolId]) -> bool {
        let facts = &place.view.facts;
        let mut imports = self.imports_named(place, name);
        imports.any(|(_, import)| {
            let path = facts.names.get(import.path);
            let owner = path
                .rsplit(['.', ':'])
                .next()
                .and_then(|last| self.only(place.file, last));
            owner.is_some_and(|owner| self.has_any(owner, name, targets))
        })
    }

    /// Whether a name is known by imports alone that ask a module of this workspace for what it has no more.
    fn dangles(&self, place: At<'_>, name: &str) -> Option<AskedOf> {
        self.dangle(place, self.imports_named(place, name))
    }

    fn dangle<'v>(&self, place: At<'v>, imports: impl Iterator<Item = (ImportIdx, &'v Import)>) -> Option<AskedOf> {
        let mut origins = imports.map(|(index, import)| self.lost_by(place.file, place.view, index, import));
        let first = origins.next()??;
        origins.all(|other| other.is_some()).then_some(first)
    }

    /// Whether an import asks for what is not there, in a module of this workspace or in one that should be.
    pub(crate) fn is_lost(&self, file: FileIdx, view: &View, index: ImportIdx) -> bool {
        let import = view.facts.imports.get(index.as_usize());
        import.is_some_and(|import| self.lost_by(file, view, index, import).is_some())
    }

    /// The same where nothing else than what is written can define a name: no macro does.
    pub fn is_lacking(&self, file: FileIdx, view: &View, index: ImportIdx) -> bool {
        self.rules(file).writes_all_definitions() && self.is_lost(file, view, index)
    }

    fn lost_by(&self, file: FileIdx, view: &View, index: ImportIdx, import: &Import) -> Option<AskedOf> {
        if !matches!(self.import(file, index), Meaning::Unknown | Meaning::Missing) {
            return None;
        }
        match self.modules.resolve(file, &view.facts, import) {
            Target::Local(modules) => {
                let is_whole = modules.iter().all(|module| self.is_fully_known(*module));
                is_whole.then_some(AskedOf::Module)
            }
            Target::Unknown | Target::External(_) => Some(AskedOf::Nowhere),
            Target::Candidates(_) => None,
        }
    }

    /// Whether an import asks a package of this workspace for the only definition of a name, which is in another:
    /// `shop.util.Price`, which is `shop.money.Price` now.
    pub(crate) fn is_beside(&self, place: At<'_>, path: &str, item: &str) -> bool {
        let last = path.rsplit('.').next().unwrap_or(path);
        let found = self.only(place.file, item).map(|found| (found, path));
        // A member of a type.
        let found = found.or_else(|| {
            Some((
                self.only(place.file, last)?,
                path.strip_suffix(last)?.trim_end_matches('.'),
            ))
        });
        // What has a package of its own here may have another of its name elsewhere: `org.acme.io` beside `org.acme.shop`.
        let files = self.modules.files();
        let is_there = |package: &str| {
            let mut spaces = files.all().flat_map(|file| &files.outline(file).spaces);
            spaces.any(|space| &**space == package)
        };
        found.is_some_and(|(_, package)| is_there(package))
    }

    /// Whether a name is imported from where it was, and what it means is elsewhere: nothing says that it is from outside.
    pub(crate) fn may_be_moved(&self, place: At<'_>, name: &str) -> bool {
        self.dangles(place, name).is_some() && self.only(place.file, name).is_some()
    }

    /// Whether all names of a module are known: it was parsed, takes none from outside without naming them, and is no data.
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

    /// The definitions of a name that an import can ask for, in all files of related languages.
    fn importable(&self, file: FileIdx, name: &str) -> Vec<SymbolId> {
        let defining = self.defining(name);
        if defining.len() > crate::engine::resolver::MANY_FILES {
            return Vec::new();
        }
        let files = defining.iter().copied();
        let files = files.filter(|other| related(self.lang(file), self.lang(*other)));
        files.flat_map(|other| self.outer_symbols(other, name)).collect()
    }

    /// Whether an import asks for definitions where they are no more.
    pub(crate) fn is_moved(
        &self,
        (file, view): (FileIdx, &View),
        index: ImportIdx,
        name: &str,
        targets: &[SymbolId],
    ) -> bool {
        self.is_lost(file, view, index) && self.are_all(file, name, targets)
    }

    /// Whether definitions are all that an import can mean by a name.
    fn are_all(&self, file: FileIdx, name: &str, targets: &[SymbolId]) -> bool {
        let found = self.importable(file, name);
        !found.is_empty() && found.iter().all(|id| targets.contains(id))
    }

    /// The only thing that an import can mean by a name.
    fn only(&self, file: FileIdx, name: &str) -> Option<SymbolId> {
        let found = self.importable(file, name);
        let first = *found.first()?;
        let same = self.same_thing(first);
        found
            .iter()
            .all(|id| *id == first || same.contains(id))
            .then_some(first)
    }
}

/// The first name of a path.
fn path_start(path: &str) -> &str {
    path.split([':', '.', '\\', '/']).next().unwrap_or(path)
}
