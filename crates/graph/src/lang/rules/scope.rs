//! From a name to its definitions.

use syntax::{Binding, Context, Import, Reference, Role, Symbol, SymbolKind};

use crate::lang::{Language, Semantics};
use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Global, Resolver},
    },
    files::FileIdx,
    members::own,
    scope::{imports::PathItem, lookup::Lookup, paths::Qualified},
    types::ty::{Base, Ty},
    view::{SymbolId, View},
};

/// From a name to its definitions.
pub(crate) trait ScopeRules: Language {
    /// The candidates of one step of a lookup as a meaning, as far as the name can mean them in its role.
    fn applicable(&self, lookup: &Lookup<'_>, candidates: Vec<SymbolId>, rule: Rule) -> Option<Meaning> {
        let Lookup {
            resolver, place, role, ..
        } = *lookup;
        Meaning::of(resolver.fitting(place.file, candidates, role, false), rule)
    }

    /// Whether a local name that is no type parameter may be a type.
    fn local_may_be_type(&self, _: &Binding) -> bool {
        true
    }

    /// Whether a member of this kind hides definitions further out from a name in this role.
    fn hides_outer(&self, _: SymbolKind, _: Role) -> bool {
        true
    }

    /// What hides the members of the types around a place.
    fn before_members(&self, _: &Lookup<'_>) -> Option<Meaning> {
        None
    }

    /// A member of the type that an enclosing definition is or belongs to, named without a receiver.
    fn members_around(&self, lookup: &Lookup<'_>, outer: (u32, &Symbol), innermost: bool) -> Option<Meaning> {
        lookup.in_members(outer, innermost)
    }

    /// What a bare name can mean in the body of a type: its members.
    fn names_in_type(&self, resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Vec<SymbolId> {
        resolver.members(own, name)
    }

    /// The definitions at the top of a file that a name in it means, by those that the file has.
    fn in_own_file(&self, lookup: &Lookup<'_>, found: Vec<SymbolId>) -> Vec<SymbolId> {
        lookup.resolver.own_file(lookup.place, found)
    }

    /// What a name means in every file, whatever that imports.
    fn without_import(&self, lookup: &Lookup<'_>) -> Option<Meaning> {
        lookup.anywhere()
    }

    /// Of the program's definitions of a name those that a place sees.
    fn visible_globals(&self, _: &Resolver<'_>, _: At<'_>, globals: &[Global]) -> Vec<SymbolId> {
        globals.iter().map(|one| one.id).collect()
    }

    /// Whether only files that include the file of a global definition see it.
    fn needs_include(&self, _: &Resolver<'_>, _: FileIdx, _: &View, _: &Symbol) -> bool {
        false
    }

    /// Whether a definition names the namespace that it is in: `class shapes::circle {`.
    fn is_in_named_namespace(&self, _: &Resolver<'_>, _: &View, _: &Symbol) -> bool {
        false
    }

    /// Whether what is inside of a type can be named without it wherever the file is seen: enumerators.
    fn is_open_inside(&'static self, view: &View, symbol: &Symbol) -> bool {
        own::is_open_inside(view, symbol, self.semantics())
    }

    /// What an unqualified name means, where that is not what a lookup finds.
    fn unqualified(&self, _: &Resolver<'_>, _: At<'_>, _reference: u32) -> Option<Meaning> {
        None
    }

    /// What `::name` means.
    fn global_name(&self, lookup: &Lookup<'_>) -> Meaning {
        lookup.meaning()
    }

    /// Replaces aliases of namespaces in a path: `namespace fs = std::filesystem`, `global::Geo`.
    fn expand_path<'v>(&self, _: &Resolver<'_>, _: At<'v>, _: &mut Vec<&'v str>) {}

    /// The member that the last name of a path is; nothing if definitions that are not members may be meant.
    fn member_in_path(&self, resolver: &Resolver<'_>, base: &Ty, name: &str) -> Option<Meaning> {
        let found = resolver.member_of(base, name);
        (found.is_found() || found == Meaning::Missing).then_some(found)
    }

    /// Whether a file can say of all that is in it that it is in a namespace: `namespace Shapes;`.
    fn has_file_namespaces(&self) -> bool {
        true
    }

    /// Of definitions at one path those that a file sees.
    fn visible_qualified(&self, _: &Resolver<'_>, _: FileIdx, found: Vec<SymbolId>) -> Vec<SymbolId> {
        found
    }

    /// Definitions at a path that is not that of any definition.
    fn qualified_fallback(&self, _: &Resolver<'_>, _: FileIdx, _path: &[&str], _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// What a name behind a path means that was not found.
    fn path_fallback(&self, _: &Lookup<'_>, _path: &str, found: Meaning) -> Meaning {
        found
    }

    /// What an import of a name from a path means that is no module.
    fn unresolved_import(&self, _: &Resolver<'_>, _: FileIdx, _path: &[&str], _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// What a name in an import means, where that is no matter of modules.
    fn name_in_import(&self, _: &Resolver<'_>, _: At<'_>, _name: &str) -> Option<Meaning> {
        None
    }

    /// Replaces what a reference may mean, before that is narrowed to what can be used in its place.
    fn replace_candidates(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, found: Meaning) -> Meaning {
        found
    }

    /// What a reference means that nothing else was found for; otherwise what was found.
    fn fallback(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, found: Meaning) -> Meaning {
        found
    }

    /// The definitions among those found that the reference with this index can mean, by more than role and arguments.
    fn narrow_candidates(&self, _: &Resolver<'_>, _: At<'_>, _: u32, found: Vec<SymbolId>) -> Vec<SymbolId> {
        found
    }

    /// What a use means whose definition is not in the workspace, where extensions here may add to that.
    fn external_use(&self, _: &Resolver<'_>, _: At<'_>, _reference: u32) -> Meaning {
        Meaning::External
    }

    /// What a call means none of whose candidates takes its arguments.
    fn unmatched_call(&self, _: &Reference) -> Meaning {
        Meaning::Missing
    }

    /// What a name in an import is that takes members from a value: `import service.run`.
    fn imported_from_value(&self, _: &Resolver<'_>, _: At<'_>, _: &str) -> Option<Meaning> {
        None
    }

    /// A bare name as a member of a value that an import before the place names.
    fn member_of_imported_value(&self, _: &Resolver<'_>, _: At<'_>, _: &str) -> Option<Meaning> {
        None
    }

    /// A bare name as a definition that belongs to the package around as a whole, and to no file of it.
    fn package_member(&self, _: &Resolver<'_>, _: At<'_>, _: &str) -> Option<Meaning> {
        None
    }

    /// Members that code inside of a type sees although the type does not have them: `trait Parsing { this: Compiler => .. }`.
    fn members_of_self_type(&self, _: &Resolver<'_>, _: SymbolId, _: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// A name behind `this` that the enclosing type does not have.
    fn missing_on_this(&self, _: &Resolver<'_>, _: At<'_>, _: &str, _: Role) -> Option<Meaning> {
        None
    }

    /// What a reference means by a rule of this language alone, asked before the common ones.
    fn special_meaning(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference) -> Option<Meaning> {
        None
    }

    /// The local variable that a name may stand for at a place in this role.
    fn local_at<'v>(&self, place: At<'v>, name: &str, _: Role) -> Option<(u32, &'v Binding)> {
        place.view.binding_at(name, place.at)
    }

    /// Members that code directly in the body of a type names without a qualifier, where its methods do not.
    fn body_members(&self, _: &Resolver<'_>, _: At<'_>, _body: SymbolId, _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// What a name means that is visible though its file neither defines nor imports it.
    fn implicit_name(&self, _: &Resolver<'_>, _: At<'_>, _name: &str, _: Role) -> Option<Meaning> {
        None
    }

    /// The place whose enclosing type is the one that the word for the receiver stands for.
    fn receiver_at(&self, place: At<'_>) -> u32 {
        place.at
    }

    /// What an import stands for that leads to some files, where that is not an item of those files.
    fn imported_module(&self, _: &Resolver<'_>, _: At<'_>, _: &Import, _files: &[FileIdx], _: Rule) -> Option<Meaning> {
        None
    }

    /// A module that is named as a member of the file that stands for its package.
    fn submodule(&self, _: &Resolver<'_>, _package: FileIdx, _name: &str) -> Option<Vec<FileIdx>> {
        None
    }

    /// A name behind a path, by a rule of this language alone; asked before the common ones.
    fn at_path(&self, _: &Resolver<'_>, _: At<'_>, _path: &str, _name: &str) -> Option<Meaning> {
        None
    }

    /// Whether a name that no rule finds can only be defined by a library.
    fn is_foreign(&self, resolver: &Resolver<'_>, place: At<'_>, _name: &str, _: Role) -> bool {
        resolver.semantics(place.file).is_strict
    }

    /// The type that a call of a constructor without the type's name makes: `super(..)`, `new`.
    fn constructed_type(&self, resolver: &Resolver<'_>, place: At<'_>) -> Base {
        resolver.own_type(place)
    }

    /// Whether a call of the word for the supertype calls its constructor at this place.
    fn super_is_constructor(&self, _: &Resolver<'_>, _: At<'_>) -> bool {
        true
    }

    /// Whether all names that a module offers are written in it.
    fn has_fixed_exports(&self, _: &View) -> bool {
        true
    }

    /// Whether code at a place sees a local name whose scope contains it.
    fn sees_local(&self, _: At<'_>, _: &Binding) -> bool {
        true
    }

    /// Whether a call looks further out than a definition, because that cannot be called with its arguments.
    fn skips_uncallable(&self, _: &Resolver<'_>, _: At<'_>, _: &Meaning) -> bool {
        false
    }

    /// A bare name as a member of a receiver that the code does not name: `with(shape) { area() }`.
    fn implicit_receiver_member(&self, _: &Resolver<'_>, _: At<'_>, _: &str) -> Option<Meaning> {
        None
    }

    /// A bare name (of the reference with this index) as an extension of such a receiver.
    fn implicit_receiver_extension(&self, _: &Resolver<'_>, _: At<'_>, _: u32) -> Option<Meaning> {
        None
    }

    /// Whether a wildcard import of a path in a file brings the members of a type, and nothing beside the type:
    /// `using static Geo.Shapes;`.
    fn imports_members_only(&self, _: &Resolver<'_>, _: FileIdx, _: &str) -> bool {
        false
    }

    /// What a name means behind a path.
    fn qualified_name(&self, resolver: &Resolver<'_>, place: At<'_>, qualified: &Qualified<'_>) -> Meaning {
        resolver.by_path(place, qualified)
    }

    /// What the last name of a path means in the files that the names before it lead to.
    fn path_item(&self, resolver: &Resolver<'_>, place: At<'_>, item: &PathItem<'_>) -> Meaning {
        resolver.item_of_files(place, item)
    }

    /// What an import stands for. The place is that of the import.
    fn import(&self, resolver: &Resolver<'_>, place: At<'_>, import: &Import) -> Meaning {
        resolver.imported_by(place, import)
    }

    /// What one wildcard import brings in under a name.
    fn wildcard(&self, resolver: &Resolver<'_>, place: At<'_>, import: &Import, name: &str) -> Meaning {
        let in_file = |file| resolver.wildcard_in_file(place, file, import, name);
        resolver.by_files(place, import, name, in_file)
    }

    /// What the wildcard imports of the function around a place bring in, where they come before the definitions of the file.
    fn wildcards_of_function(&self, _: &Resolver<'_>, _: At<'_>, _: &str) -> Meaning {
        Meaning::Unknown
    }

    /// Whether two files that share a scope can be part of one program.
    fn in_one_program(&self, _: &Resolver<'_>, _: FileIdx, _: FileIdx) -> bool {
        true
    }

    /// Whether a name in this role may be that of a local variable.
    fn may_name_local(&self, _name: &str, _: Role) -> bool {
        true
    }

    /// Whether code in a definition of this kind sees nothing of what is around the definition.
    fn hides_outer_scopes(&self, _: SymbolKind) -> bool {
        false
    }

    /// Of several definitions of one name those in the namespace that a role asks for: of types, of values, of members.
    fn in_namespace(&self, _: &Resolver<'_>, found: Vec<SymbolId>, _: Role, _is_member: bool) -> Vec<SymbolId> {
        found
    }

    /// Whether all definitions are in the text, so that an import of anything else is wrong: no macro makes any.
    fn writes_all_definitions(&self) -> bool {
        true
    }

    /// Declarations of a name that every file sees without an import.
    fn ambient_names(&self, _: &Resolver<'_>, _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// What the workspace declares an external module, or an item of one, to be.
    fn declared_module(&self, _: &Resolver<'_>, _path: &str, _item: Option<&str>) -> Option<Meaning> {
        None
    }

    /// What a key of a literal means: `width` in `{ width: 3 }`. The context says where the literal stands.
    fn key_of_literal(&self, _: &Resolver<'_>, _: At<'_>, _: Context, _name: &str) -> Option<Meaning> {
        None
    }

    /// Of definitions that a member access may mean, those that its receiver has. None if it can only be another one, of a
    /// library.
    fn of_receiver(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, symbols: Vec<SymbolId>) -> Option<Vec<SymbolId>> {
        Some(symbols)
    }
}

impl ScopeRules for Semantics {}
