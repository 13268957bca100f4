//! From a name to its definitions.

use syntax::{Binding, BindingIdx, Context, Import, RefIdx, Reference, Role, Symbol, SymbolIdx, SymbolKind};

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
    /// The candidates of one step of a lookup that the name can mean in its role.
    fn usable_candidates(&self, lookup: &Lookup<'_>, candidates: Vec<SymbolId>, rule: Rule) -> Option<Meaning> {
        let Lookup {
            resolver, place, role, ..
        } = *lookup;
        Meaning::of(resolver.fitting(place.file, candidates, role, false), rule)
    }

    /// Whether a member of this kind hides definitions in outer scopes from a name in this role.
    fn hides_outer(&self, _: SymbolKind, _: Role) -> bool {
        true
    }

    /// What a name means that hides the members of the enclosing types: a member of the receiver of a lambda
    /// (`with(shape) { area() }`), a `using` declaration.
    fn before_members(&self, _: &Lookup<'_>) -> Option<Meaning> {
        None
    }

    /// A member of an enclosing type, named without a receiver. The definition is the type or a method of it.
    fn member_of_enclosing(
        &self,
        lookup: &Lookup<'_>,
        outer: (SymbolIdx, &Symbol),
        innermost: bool,
    ) -> Option<Meaning> {
        lookup.in_members(outer, innermost)
    }

    /// The members that a bare name can mean in the body of a type.
    fn members_in_body(&self, resolver: &Resolver<'_>, own: SymbolId, name: &str) -> Vec<SymbolId> {
        resolver.members(own, name)
    }

    /// The definitions that a name means, by those at the top of its file.
    fn top_level_definitions(&self, lookup: &Lookup<'_>, found: Vec<SymbolId>) -> Vec<SymbolId> {
        lookup.resolver.own_file(lookup.place, found)
    }

    /// What a name means in every file, whatever that imports: a definition of a program without modules, an ambient
    /// declaration.
    fn without_import(&self, lookup: &Lookup<'_>) -> Option<Meaning> {
        lookup.anywhere()
    }

    /// Of the definitions of a name in the whole program those that are visible at a place.
    fn visible_globals(&self, _: &Resolver<'_>, _: At<'_>, globals: &[Global]) -> Vec<SymbolId> {
        globals.iter().map(|one| one.id).collect()
    }

    /// Whether a global definition is visible only in files that include its file: `static int count;`.
    fn needs_include(&self, _: &Resolver<'_>, _: FileIdx, _: &View, _: &Symbol) -> bool {
        false
    }

    /// Whether a definition names its namespace: `class shapes::Circle {`.
    fn is_in_named_namespace(&self, _: &Resolver<'_>, _: &View, _: &Symbol) -> bool {
        false
    }

    /// Whether a definition in a type is in scope, without a qualifier, where its type is: an enumerator.
    fn is_visible_outside_type(&'static self, view: &View, symbol: &Symbol) -> bool {
        own::is_open_inside(view, symbol, self.semantics())
    }

    /// The definition that `::name` means.
    fn global_name(&self, lookup: &Lookup<'_>) -> Meaning {
        lookup.meaning()
    }

    /// Replaces aliases of namespaces in a path: `namespace fs = std::filesystem`, `global::Geo`.
    fn expand_path<'v>(&self, _: &Resolver<'_>, _: At<'v>, _: &mut Vec<&'v str>) {}

    /// The member that the last name of a path is. None if it may be a definition that is no member.
    fn member_in_path(&self, resolver: &Resolver<'_>, base: &Ty, name: &str) -> Option<Meaning> {
        let found = resolver.member_of(base, name);
        (found.is_found() || found == Meaning::Missing).then_some(found)
    }

    /// Whether a namespace can be declared for all of a file: `namespace Shapes;`.
    fn has_file_namespaces(&self) -> bool {
        true
    }

    /// Of the definitions at a path those that are visible in a file.
    fn visible_qualified(&self, _: &Resolver<'_>, _: FileIdx, found: Vec<SymbolId>) -> Vec<SymbolId> {
        found
    }

    /// Definitions at a path without the parts that macros make: `API_NAMESPACE::Shape`.
    fn qualified_fallback(&self, _: &Resolver<'_>, _: FileIdx, _path: &[&str], _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The definition of a name behind a path where none was found.
    fn path_fallback(&self, _: &Lookup<'_>, _path: &str, found: Meaning) -> Meaning {
        found
    }

    /// The definitions of a name behind an imported path that is no module: `using shapes::Circle`.
    fn unresolved_import(&self, _: &Resolver<'_>, _: FileIdx, _path: &[&str], _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The definition that a name in an import statement means, where no import binds it.
    fn name_in_import(&self, _: &Resolver<'_>, _: At<'_>, _name: &str) -> Option<Meaning> {
        None
    }

    /// The candidates of a reference, with others in their place where the language says so; asked before they are narrowed to
    /// those that fit the role and the arguments.
    fn replace_candidates(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, found: Meaning) -> Meaning {
        found
    }

    /// The final meaning of a reference: what was found, or what else it may be.
    fn fallback(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, found: Meaning) -> Meaning {
        found
    }

    /// The meaning of a use of a library definition, which extensions in the workspace may make uncertain.
    fn external_use(&self, _: &Resolver<'_>, _: At<'_>, _reference: RefIdx) -> Meaning {
        Meaning::External
    }

    /// The meaning of a call none of whose candidates takes its arguments.
    fn unmatched_call(&self, _: &Reference) -> Meaning {
        Meaning::Missing
    }

    /// The meaning of a name in an import of members of a value: `import service.run`.
    fn imported_from_value(&self, _: &Resolver<'_>, _: At<'_>, _: &str) -> Option<Meaning> {
        None
    }

    /// A definition that belongs to the enclosing package and to none of its files: a member of a package object.
    fn package_member(&self, _: &Resolver<'_>, _: At<'_>, _: &str) -> Option<Meaning> {
        None
    }

    /// Members that are visible in a type by its self-type: `trait Parsing { this: Compiler => .. }`.
    fn members_of_self_type(&self, _: &Resolver<'_>, _: SymbolId, _: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// What a reference means by a rule of this language alone, asked before the common ones: a field in a struct literal,
    /// `.none` in Swift. The index is that of the reference.
    fn special_meaning(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, _index: RefIdx) -> Option<Meaning> {
        None
    }

    /// The local name that is visible at a place and can have this role: in Ruby, a call with arguments is of no variable.
    fn local_at<'v>(&self, place: At<'v>, name: &str, _: Role) -> Option<(BindingIdx, &'v Binding)> {
        place.view.binding_at(name, place.at)
    }

    /// Members of a type that are visible directly in its body, and not in its methods: of a Python class.
    fn body_members(&self, _: &Resolver<'_>, _: At<'_>, _body: SymbolId, _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The meaning of a name that is visible though its file neither defines nor imports it: a loaded submodule.
    fn implicit_name(&self, _: &Resolver<'_>, _: At<'_>, _name: &str, _: Role) -> Option<Meaning> {
        None
    }

    /// The place whose enclosing type is that of the current object: outside of nested functions and decorators.
    fn receiver_at(&self, place: At<'_>) -> u32 {
        place.at
    }

    /// The meaning of an import that leads to some files and is no item of them: a submodule.
    fn imported_module(&self, _: &Resolver<'_>, _: At<'_>, _: &Import, _files: &[FileIdx], _: Rule) -> Option<Meaning> {
        None
    }

    /// The files of a submodule, by its name and the file of its package.
    fn submodule(&self, _: &Resolver<'_>, _package: FileIdx, _name: &str) -> Option<Vec<FileIdx>> {
        None
    }

    /// Whether a name that no rule finds can only be a library's.
    fn is_foreign(&self, resolver: &Resolver<'_>, place: At<'_>, _name: &str, _: Role) -> bool {
        resolver.semantics(place.file).is_strict
    }

    /// The type whose constructor calls one without the type's name: `super(..)`, `new`. Unknown if the call at this place
    /// is of no constructor: in Ruby, `super` calls the method of the same name.
    fn constructed_type(&self, resolver: &Resolver<'_>, place: At<'_>, _is_super: bool) -> Base {
        resolver.own_type(place)
    }

    /// Whether the exports of a module are known from its text: it has no `__getattr__`.
    fn has_fixed_exports(&self, _: &View) -> bool {
        true
    }

    /// Whether a call looks for its function in outer scopes, because what was found cannot be called with its arguments.
    fn skips_uncallable(&self, _: &Resolver<'_>, _: At<'_>, _: &Meaning) -> bool {
        false
    }

    /// The extension that a bare name (of the reference with this index) means, of a receiver that the code does not name.
    fn implicit_receiver_extension(&self, _: &Resolver<'_>, _: At<'_>, _: RefIdx) -> Option<Meaning> {
        None
    }

    /// Whether a wildcard import of a path binds the members of a type, and not the definitions beside it: `using static
    /// Geo.Shapes;`.
    fn imports_members_only(&self, _: &Resolver<'_>, _: FileIdx, _: &str) -> bool {
        false
    }

    /// The meaning of a name behind a path: `shapes::Circle`.
    fn qualified_name(&self, resolver: &Resolver<'_>, place: At<'_>, qualified: &Qualified<'_>) -> Meaning {
        resolver.by_path(place, qualified)
    }

    /// The meaning of the last name of a path, in the files that the names before it lead to.
    fn path_item(&self, resolver: &Resolver<'_>, place: At<'_>, item: &PathItem<'_>) -> Meaning {
        resolver.item_of_files(place, item)
    }

    /// The meaning of an import. The place is that of the import.
    fn imported_meaning(&self, resolver: &Resolver<'_>, place: At<'_>, import: &Import) -> Meaning {
        resolver.imported_by(place, import)
    }

    /// The meaning of a name by one wildcard import.
    fn wildcard_meaning(&self, resolver: &Resolver<'_>, place: At<'_>, import: &Import, name: &str) -> Meaning {
        let in_file = |file| resolver.wildcard_in_file(place, file, import, name);
        resolver.by_files(place, import, name, in_file)
    }

    /// What an import means that comes before the definitions of the file: `fn f() { use shapes::*; .. }`,
    /// `import service._`.
    fn inner_import(&self, _: &Lookup<'_>) -> Option<Meaning> {
        None
    }

    /// Whether two files that share a scope can be in one build of the program.
    fn in_one_program(&self, _: &Resolver<'_>, _: FileIdx, _: FileIdx) -> bool {
        true
    }

    /// Of several definitions of one name those in the namespace of a role: types, values, members.
    fn in_namespace(&self, _: &Resolver<'_>, found: Vec<SymbolId>, _: Role, _is_member: bool) -> Vec<SymbolId> {
        found
    }

    /// Whether a part of an import path is relative to the importing file and names no directory: `super` in `super::prices`.
    fn is_relative_path_part(&self, _part: &str) -> bool {
        false
    }

    /// Whether all definitions are in the text, so that an import of another name is an error: no macro makes any.
    fn writes_all_definitions(&self) -> bool {
        true
    }

    /// The definition that a key of a literal means: `width` in `{ width: 3 }`. The context is the literal's.
    fn key_of_literal(&self, _: &Resolver<'_>, _: At<'_>, _: Context, _name: &str) -> Option<Meaning> {
        None
    }

    /// The definitions among those found that the reference with this index can mean, by more than role and arguments: by
    /// the number of type arguments, by whether the receiver is a class. None if it can only be another one, of a library.
    fn narrow_candidates(
        &self,
        _: &Resolver<'_>,
        _: At<'_>,
        _index: RefIdx,
        found: Vec<SymbolId>,
    ) -> Option<Vec<SymbolId>> {
        Some(found)
    }
}

impl ScopeRules for Semantics {}
