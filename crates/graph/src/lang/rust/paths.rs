//! Paths of Rust: of modules, of types, and those that begin with a type in angle brackets.

use syntax::{Role, SymbolKind, TypeExpr, TypeKind, TypeRef};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Resolver, sorted},
    },
    files::{FileIdx, name_of},
    modules::Target,
    scope::{
        imports::{PathItem, modules_around},
        paths::{Along, Qualified, without_arguments},
    },
    types::ty::UNKNOWN,
    view::SymbolId,
};

/// First parts of a path that name the current module, its parent or the root of the crate.
pub(super) const ROOTS: &[&str] = &["crate", "self", "super", "$crate"];

impl Resolver<'_> {
    /// A name behind a path, which is one of modules: it leads to what is meant or to nothing.
    pub(super) fn rust_path(&self, place: At<'_>, qualified: &Qualified<'_>) -> Meaning {
        let Qualified { path, name, role } = *qualified;
        if let Some(found) = self.behind_type_in_brackets(place, path, name) {
            return found;
        }
        let bare = without_arguments(path);
        let parts: Vec<&str> = bare.split([':', '.', '\\']).filter(|part| !part.is_empty()).collect();
        let Some(first) = parts.first() else {
            return self.at_outermost(place, name, role);
        };
        let is_relative = ROOTS.contains(first);
        // The argument of a macro: `$type::name`.
        if first.starts_with('$') && !is_relative {
            return Meaning::Unknown;
        }
        let told = match is_relative {
            true => Meaning::Unknown,
            false => match self.along_members(place, &parts, name) {
                Along::Leads(found) => return found,
                Along::Ends { told, .. } => told,
            },
        };
        let told = match self.at_modules(place, &bare, name) {
            found if found.is_found() => return found,
            Meaning::External if told == Meaning::Unknown => Meaning::External,
            Meaning::Unknown if role == Role::Call && parts.len() == 1 => match self.macro_of_crate(place, &bare, name)
            {
                Some(found) => return found,
                None => told,
            },
            _ => told,
        };
        match told {
            Meaning::Unknown if !is_relative && self.is_defined_nowhere(place, first) => Meaning::External,
            told => told,
        }
    }

    /// An exported macro is at the root of its crate, wherever it is defined: `geo::shape!()`.
    fn macro_of_crate(&self, place: At<'_>, krate: &str, name: &str) -> Option<Meaning> {
        let At { file, view, at } = place;
        match self.modules.resolve_path(file, &view.facts, krate, Some(name), at) {
            Target::Local(_) => Meaning::of(self.macros(file, name), Rule::Path),
            _ => None,
        }
    }

    /// A name behind a type in angle brackets: `<dyn Shape>::name`, `<T as Shape>::name`.
    fn behind_type_in_brackets(&self, place: At<'_>, path: &str, name: &str) -> Option<Meaning> {
        let qualified = path.starts_with('<').then(|| TypeExpr::parse(path))?;
        let ty = qualified.root().type_parameters().next()?;
        // `<T as Shape>::Unit::name`
        let behind = qualified.root().item().and_then(TypeRef::path).unwrap_or_default();
        let names = behind.split("::").filter(|part| !part.is_empty());
        let mut names: Vec<&str> = names.chain([name]).collect();
        let first = names.remove(0);
        let mut found = self.member_of_qualified_type(place, ty, first);
        for name in names {
            let of = self.trail.deeper(UNKNOWN, || self.ty_of(place, &found));
            found = self.member_of(&of, name);
        }
        Some(match found {
            Meaning::Symbols(symbols, Rule::Member) => Meaning::Symbols(symbols, Rule::Path),
            found => found,
        })
    }

    /// A member of a type, or of a trait as a type implements it: `T as Shape`.
    fn member_of_qualified_type(&self, place: At<'_>, ty: TypeRef<'_>, name: &str) -> Meaning {
        let mut parts = ty.items();
        let (true, Some(own), Some(of)) = (ty.is(TypeKind::Cast), parts.next(), parts.next()) else {
            return self.member_of(&self.type_from(place, ty), name);
        };
        let (own, of) = (self.type_from(place, own), self.type_from(place, of));
        let is_of = |id: &SymbolId| {
            let block = self.block_of(*id);
            block.is_some_and(|block| of.heads().any(|of| block.known.contains(&of)))
        };
        let members = own.heads().flat_map(|own| self.members(own, name)).filter(is_of);
        Meaning::of(members.collect(), Rule::Path).unwrap_or_else(|| self.member_of(&of, name))
    }

    /// What the last name of a path leads to in the files that the names before it lead to.
    pub(super) fn item_of_modules(&self, place: At<'_>, item: &PathItem<'_>) -> Meaning {
        let PathItem {
            files,
            path,
            name,
            rule,
        } = *item;
        if let [file] = files {
            // What another crate's module is called here has nothing of what is beside that name.
            if let Some(last) = path.rsplit("::").next()
                && !self.is_module_named(*file, last)
                && self.is_only_imported_from_outside(*file, last)
            {
                return Meaning::External;
            }
            if let Some(found) = self.associated_item(*file, item) {
                return found;
            }
        }
        // A module does not contain itself.
        let inside = files.iter().filter(|file| !self.is_module_itself(**file, path, name));
        let found: Vec<SymbolId> = inside.flat_map(|file| self.exported(*file, name)).collect();
        let found = self.in_written_module(sorted(found), place, path);
        if let Some(found) = Meaning::of(found, rule) {
            return found;
        }
        // A function or macro of the module's name may be beside it: `pub use shape::shape;`.
        if let [file] = files
            && self.is_module_itself(*file, path, name)
        {
            let beside = self.beside_module(place, path, name);
            return Meaning::of(beside, rule).unwrap_or(Meaning::Files(files.to_vec()));
        }
        if let Some(found) = self.member_of_path(item) {
            return found;
        }
        if let [file] = files {
            match self.private_import(place, *file, path, name) {
                None | Some(Meaning::Unknown) => {}
                Some(found) => return found,
            }
            if let Some(found) = self.behind_import(place, *file, item) {
                return found;
            }
        }
        self.module_of_name(item)
    }

    /// An item behind the name of a type is a member of it, and nothing that is beside it: `crate::Shape::Circle`.
    fn associated_item(&self, file: FileIdx, item: &PathItem<'_>) -> Option<Meaning> {
        let last = item.path.rsplit("::").next()?;
        if self.is_module_named(file, last) {
            return None;
        }
        let mut types = self.exported(file, last);
        types.retain(|id| self.kind_of(*id).is_some_and(SymbolKind::is_type));
        let members = types.iter().flat_map(|owner| self.members(*owner, item.name));
        Meaning::of(members.collect(), item.rule)
    }

    /// An item of a module or type that a file imports under the last name of a path: `pub use crate::shapes::round;`,
    /// then `crate::round::Circle`.
    fn behind_import(&self, place: At<'_>, file: FileIdx, item: &PathItem<'_>) -> Option<Meaning> {
        let PathItem { path, name, rule, .. } = *item;
        let last = path
            .rsplit("::")
            .next()
            .filter(|last| !self.is_module_named(file, last))?;
        let view = self.view(file)?;
        let outside = At {
            file,
            view: &view,
            at: 0,
        };
        let imported = match self.by_import(outside, last) {
            Meaning::Unknown => self.private_import(place, file, path, last)?,
            found => found,
        };
        match imported {
            Meaning::Files(inner) if !inner.contains(&file) => {
                let item = PathItem {
                    files: &inner,
                    path: last,
                    name,
                    rule,
                };
                Some(self.item_of_modules(place, &item)).filter(Meaning::is_found)
            }
            Meaning::Symbols(types, _) => {
                let members = types.into_iter().flat_map(|own| self.members(own, name));
                Meaning::of(sorted(members.collect()), rule)
            }
            _ => None,
        }
    }

    /// What a path leads to under the name of a module, if that is more than the module.
    fn beside_module(&self, place: At<'_>, path: &str, name: &str) -> Vec<SymbolId> {
        let facts = &place.view.facts;
        let Target::Local(around) = self.modules.resolve_path(place.file, facts, path, None, place.at) else {
            return Vec::new();
        };
        let found: Vec<SymbolId> = around.iter().flat_map(|file| self.exported(*file, name)).collect();
        let found = self.in_written_module(sorted(found), place, path);
        match found.iter().all(|id| self.kind_of(*id) == Some(SymbolKind::Module)) {
            true => Vec::new(),
            false => found,
        }
    }

    /// Whether all that a file has under a name is an import from outside of the workspace.
    fn is_only_imported_from_outside(&self, file: FileIdx, name: &str) -> bool {
        self.view(file).is_some_and(|view| {
            let outside = At {
                file,
                view: &view,
                at: 0,
            };
            view.symbols_named(name).next().is_none() && self.by_import(outside, name) == Meaning::External
        })
    }

    /// Whether a file is the module that a path and a name behind it lead to, and not the one that the path leads to.
    fn is_module_itself(&self, file: FileIdx, path: &str, name: &str) -> bool {
        self.is_module_named(file, name) && path.rsplit("::").next() != Some(name)
    }

    /// Whether a file is a module of a name.
    pub(super) fn is_module_named(&self, file: FileIdx, name: &str) -> bool {
        let files = self.modules.files();
        match files.stem(file) {
            "mod" => name_of(files.dir(file)) == name,
            stem => stem == name,
        }
    }

    /// Of several definitions of a file those in the inline module that a path leads to.
    pub(super) fn in_written_module(&self, found: Vec<SymbolId>, place: At<'_>, path: &str) -> Vec<SymbolId> {
        if found.len() < 2 {
            return found;
        }
        let mut module = modules_around(place.view, place.view.facts.enclosing(place.at));
        for part in path.split("::") {
            match part {
                "self" => {}
                "super" => drop(module.pop()),
                "crate" => module.clear(),
                part => module.push(part.to_owned()),
            }
        }
        self.in_module_of(found, &module)
    }
}
