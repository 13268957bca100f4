//! What is true of one language: its rules for names (here) and for modules (`modules::RULES`), one folder a language.
//!
//! Shared code never asks which language a file is in: it asks for a capability (`Semantics`) that several languages have,
//! or calls a method of `LanguageRules`.

pub(crate) mod c_family;
pub(crate) mod clojure;
pub(crate) mod csharp;
pub(crate) mod dart;
pub(crate) mod ecmascript;
pub(crate) mod elixir;
pub(crate) mod erlang;
pub(crate) mod fortran;
pub(crate) mod go;
pub(crate) mod haskell;
pub(crate) mod java;
pub(crate) mod julia;
pub(crate) mod jvm;
pub(crate) mod kotlin;
pub(crate) mod lua;
pub(crate) mod ocaml;
pub(crate) mod pascal;
pub(crate) mod perl;
pub(crate) mod php;
pub(crate) mod python;
pub(crate) mod r;
pub(crate) mod ruby;
pub(crate) mod rust;
pub(crate) mod scala;
pub(crate) mod shell;
pub(crate) mod solidity;
pub(crate) mod swift;
pub(crate) mod zig;

use std::{borrow::Cow, sync::LazyLock};

use syntax::{
    ArgValue, Binding, Context, Import, LangId, Literal, NameId, Qualifier, Reference, Role, Symbol, SymbolKind,
};

use crate::{
    engine::{
        meaning::{Meaning, Rule},
        resolver::{At, Global, Resolver},
    },
    files::{FileIdx, Files},
    infer::contextual::Which,
    members::own,
    overload::{
        arg_type::{Described, Shape},
        candidates::Candidate,
        rank::Fit,
    },
    queries::references::{Use, implementations::Implementation},
    scope::{imports::PathItem, lookup::Lookup, paths::Qualified},
    types::{
        generics::StandsFor,
        ty::{Base, Ty},
    },
    view::{SymbolId, View},
};

/// Where a definition can be named without a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// Where it is imported, and in its own file and package.
    Imported,
    /// In every file of the program.
    Global,
    /// In every file, but what a wildcard import brings comes first.
    GlobalAfterImports,
}

/// What several functions of one name in one place are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overloads {
    /// One function, or one that replaces another.
    None,
    /// One function with several signatures: overloads in TypeScript, `@overload` in Python.
    Signatures,
    /// Different functions, which a call tells apart by its arguments.
    Distinct,
    /// The same, and a call only means those that are visible to it.
    OfVisible,
}

/// Which definitions of one name live side by side in one scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Namespaces {
    /// None: a later one hides or replaces an earlier one.
    One,
    /// Types beside functions and values.
    Types,
    /// Types, functions and values: how a name is used tells which is meant.
    ByUse,
}

/// Where an argument or an initialiser names a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldNames {
    None,
    /// `new Point { X = 1 }`
    InInitialiser,
    /// `Point(x=1)`, where no parameter of the constructor has the name.
    OfArguments,
}

/// How a language looks for names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Semantics {
    pub languages: &'static [LangId],
    /// Members of the type around are named without `this`.
    pub implicit_this: bool,
    /// Where a definition can be named.
    pub visibility: Visibility,
    /// A bare name that no rule finds is defined elsewhere: in the standard library or a dependency.
    pub is_strict: bool,
    /// Members of a type may be written outside of it.
    pub has_open_types: bool,
    /// Everything that a file imports can be imported from it.
    pub imports_are_exports: bool,
    /// What a module exports is an object apart from its scope: a re-exported name is not bound in the module, only exported
    /// names can be imported, and the object can be one of its definitions (`module.exports = Shape`, Lua's `return Shape`).
    /// A path whose first name is in scope means members of that: no name is qualified by a package.
    pub has_export_object: bool,
    /// Constants of an enumeration are made by its constructors.
    pub makes_constants: bool,
    /// What several functions of one name are.
    pub overloads: Overloads,
    /// A name means a variable in all of the function or block that has it, before it is set too.
    pub hoists_variables: bool,
    /// A block that sets a name sets the variable of the function around it, if there is one.
    pub sets_outer_variables: bool,
    /// A type in brackets is a list of it.
    pub lists_in_brackets: bool,
    /// Methods of a class itself live beside those of its values.
    pub has_class_methods: bool,
    /// Which definitions of one name live side by side.
    pub namespaces: Namespaces,
    /// Where an argument or an initialiser names a field.
    pub field_names: FieldNames,
    /// Functions of the library that give a value of the same type with other fields: `point.copy(x = 1)`.
    pub copying: &'static [&'static str],
    /// A method that a type inherits from a library's base gives what the base's type arguments say:
    /// `class Jobs(list[Job])`.
    pub keeps_base_arguments: bool,
    /// Whether importing a path as a whole gives a name.
    pub path_binds: fn(&str, &str) -> bool,
    /// A list is written as `T[]` and has no members but its length.
    pub has_bare_arrays: bool,
    /// The type of what is written out.
    pub literal_type: fn(Literal) -> Option<&'static str>,
    /// The type that a function of the language's own library gives back whatever it is called on, by its name.
    pub result_type: fn(&str) -> Option<&'static str>,
    /// The type of what an operator makes of two values, by those of its sides as far as they are known.
    pub calculated: fn(&str, Option<&str>, Option<&str>) -> Option<&'static str>,
    /// How many values an interface of the library takes that a function may be given for.
    pub function_of: fn(&str) -> Option<usize>,
    /// Types that every value is assignable to, or that say less than the value does: `Object`, Python's `Literal`.
    pub any_type: &'static [&'static str],
    /// Types that nothing is derived from: first one of them, then those that take its values.
    pub widening: &'static [&'static [&'static str]],
    /// Types of the library with what others end with that are derived from them: a `LinkedHashSet` is an `Iterable`.
    pub library: &'static [(&'static str, &'static [&'static str])],
    /// Those that are derived from nothing.
    pub roots: &'static [&'static str],
    /// What types of a kind are derived from without saying so.
    pub implied: &'static [(SymbolKind, &'static str)],
    /// Types that always have a value.
    pub primitives: &'static [&'static str],
    /// Classes of the library that hold one of those, with which.
    pub boxes: &'static [(&'static str, &'static str)],
    /// The function of classes of the library that makes one of them: `Character.valueOf(c)`.
    pub boxing: Option<&'static str>,
    /// Packages are written before names as values are: with dots.
    pub dotted_packages: bool,
    /// Functions that stand by themselves can add to a type, and are seen where they are imported.
    pub has_extensions: bool,
    /// A type can have an object of its own, whose members are asked of the type.
    pub has_companions: bool,
    /// What a type's name may end with, and is left out where it is used as an attribute.
    pub implied_suffix: Option<&'static str>,
    /// A type implements an interface in a block apart from the type: `impl Shape for Circle { .. }`. The members of the block
    /// are members of that interface, and of no other.
    pub has_impl_blocks: bool,
    /// Enumerators are in scope wherever their enumeration is.
    pub has_bare_variants: bool,
    /// Methods of interfaces and fields are functions, and go by their own names where their types can be seen.
    pub has_bare_members: bool,
    /// A bare name is never looked for in modules of the file that the place is not in.
    pub has_scoped_modules: bool,
    /// The name that binds nothing: `use shapes::Area as _`.
    pub blank_name: Option<&'static str>,
    /// Modules can be declared inside of a file, and what is in one is named through it: `Shapes.area`.
    pub nests_modules: bool,
    /// Every file can name a module by its full name without importing it.
    pub has_global_modules: bool,
    /// A private definition of a file cannot be imported from it.
    pub hides_private: bool,
    /// The head of a module lists what it exports, names that it imports included: `module Shapes (area) where`.
    pub lists_exports: bool,
    /// A call on the word for the enclosing type may be of a function of the enclosing module, or of those that it extends:
    /// `__MODULE__.run()`, `$self->run`.
    pub asks_module: bool,
    /// A call of a macro may bind variables that nothing in its arguments shows.
    pub binds_in_macros: bool,
    /// Types of one thing or none, and what can be asked of them; whatever else is asked is asked of what they hold, by
    /// way of a mark that is not seen here: `?`.
    pub options: &'static [&'static str],
    pub option_members: &'static [&'static str],
    /// Patterns for what they hold.
    pub option_patterns: &'static [&'static str],
    /// Types of many things of one kind.
    pub containers: &'static [&'static str],
    /// Members of those that give back one of them, or none.
    pub picking: &'static [&'static str],
    /// Members of others' types that give back one of what they hold: `list.get(0)`.
    pub taking_out: &'static [&'static str],
    /// What the names of library methods begin with that put an element into an argument: `all.TryGetValue(key, out value)`.
    pub out_argument_prefixes: &'static [&'static str],
    /// Members of others' types that put what they are given last into them.
    pub putting: &'static [&'static str],
    /// Members of others' lists that give back a list of the same things; those that give functions one thing after the
    /// other, and which of their parameters are one.
    pub keeping: &'static [&'static str],
    /// Members of others' types that give back what a function makes of each thing that they hold; and those of them whose
    /// function gives back what holds it, too.
    pub mapping: &'static [&'static str],
    pub mapping_flat: &'static [&'static str],
    /// What members of the library's containers return, by name.
    pub library_results: &'static [(&'static str, LibraryResult)],
    /// What they pass to their callbacks, where that is not one element.
    pub library_callbacks: &'static [(&'static str, &'static [CallbackArg])],
    /// Functions of the library that make something of what they are given that holds it.
    pub makers: &'static [&'static str],
    /// Words for what a property is given, or has, in its own code.
    pub accessor_words: &'static [&'static str],
    /// Functions have types that say what they take and give, several values have one in parentheses.
    pub has_function_types: bool,
    /// What the member is called that an operator calls.
    pub operator_member: fn(&str) -> Option<&'static str>,
    /// Members of others' types that give back what an option holds.
    pub unwrapping: &'static [&'static str],
    /// Members that every type may have without saying so, and that give back what they are asked of.
    pub passing: &'static [&'static str],
    /// Words in types that put others together and have no members themselves.
    pub shapes: &'static [&'static str],
    /// Whether two files share one scope of names: a package.
    pub shares_scope: fn(&Files, FileIdx, FileIdx) -> bool,
    /// Methods that the language's own types have: a value of unknown type that has one is as likely one of those.
    pub common_members: &'static [&'static str],
    /// Types of which a value is used like what it holds: pointers that own, `Optional[Shape]`.
    pub wrappers: &'static [&'static str],
    /// What such types have themselves, so that it is not asked of what they hold.
    pub wrapper_members: &'static [&'static str],
    /// Words that mean the type around, and members that mean the type of their value.
    pub own_type: &'static [&'static str],
    /// A local name behind the call that gives its value is the parameter of a function that is handed to the call.
    pub hands_over: bool,
    /// What a path begins with that speaks of what the own type is derived from.
    pub derived_from: &'static [&'static str],
    /// Words that call the constructor of what the type around is derived from, and one of its own.
    pub delegates: (&'static [&'static str], &'static [&'static str]),
    /// The name in a package declaration is no name for the code in that file: `package shapes`.
    pub hides_package: bool,
    /// A function can stand in for an interface that has one method.
    pub has_functional_interfaces: bool,
    /// A field is read where that of a base is asked for.
    pub overrides_fields: bool,
    /// Types that have no value but null.
    pub null_types: &'static [&'static str],
    /// The type expression for the type of the receiver: `this`.
    pub receiver_type: Option<&'static str>,
    /// The member of an instance that is its class: `shape.constructor`.
    pub class_member: Option<&'static str>,
    /// The member that is called where a value is called like a function.
    pub call_member: Option<&'static str>,
    /// The last part of the names of types whose values are types: `Shape.Type`.
    pub metatypes: &'static [&'static str],
    /// The member that says what the elements of a value are, where types can have one.
    pub indexer: Option<&'static str>,
    /// Methods that make a value of their type: calls of the type are calls of them.
    pub constructors: &'static [&'static str],
}

/// What a member of a container of the library returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LibraryResult {
    /// The receiver, or another container of the same: `filter`.
    Receiver,
    /// An element; of a map, a key with its value: `first`.
    Element,
    /// The value of a key: `get`.
    Value,
    /// What the callback returns: `fold`.
    CallbackResult,
    /// A list of that: `map`.
    CallbackResults,
    /// One of the receiver's type arguments: `component1` of a pair.
    TypeArgument(usize),
    /// A list of those: `keys`.
    TypeArguments(usize),
    /// A map whose keys the callback returns, from elements: `associateBy`.
    MapByCallback,
    /// A map from elements to what the callback returns: `associateWith`.
    MapToCallback,
    /// A map from what the callback returns to lists of elements: `groupBy`.
    Groups,
    /// A map with the receiver's keys, and values that the callback returns: `mapValues`.
    MappedValues,
    /// Two containers of the same: `partition`.
    Pair,
    /// Pairs with elements of the argument: `zip`.
    Zipped,
    /// Pairs with an index, which comes first or last: `withIndex`, `zipWithIndex`.
    IndexFirst,
    IndexLast,
    /// A list of such containers: `chunked`.
    Nested,
    /// Nothing of the workspace: `count`.
    External,
}

/// What such a member passes to its callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallbackArg {
    /// The receiver itself: `let`.
    Receiver,
    Element,
    /// The key of an element.
    Key,
    /// An element of the argument that stands beside the callback.
    OtherElement,
    /// The initial value: `fold(initial) { .. }`.
    Initial,
    Unknown,
}

impl Semantics {
    /// A definition in any file can be named in any other.
    pub fn is_global(&self) -> bool {
        self.visibility != Visibility::Imported
    }

    /// Functions of one name are told apart by their parameters.
    pub fn has_overloads(&self) -> bool {
        matches!(self.overloads, Overloads::Distinct | Overloads::OfVisible)
    }

    pub fn library_result(&self, name: &str) -> Option<LibraryResult> {
        let found = self.library_results.iter().find(|(member, _)| *member == name);
        found.map(|(_, gives)| *gives)
    }

    pub fn callback_arg(&self, name: &str, nth: usize) -> CallbackArg {
        match self.library_callbacks.iter().find(|(member, _)| *member == name) {
            Some((_, hands)) => hands.get(nth).copied().unwrap_or(CallbackArg::Unknown),
            None if nth == 0 => CallbackArg::Element,
            None => CallbackArg::Unknown,
        }
    }

    /// Whether a member of others' types gives back what a function makes of what they hold.
    pub fn makes_of_each(&self, name: &str) -> bool {
        self.mapping.contains(&name) || self.mapping_flat.contains(&name)
    }
}

const DEFAULT: Semantics = Semantics {
    languages: &[],
    visibility: Visibility::Imported,
    overloads: Overloads::None,
    namespaces: Namespaces::One,
    field_names: FieldNames::None,
    implicit_this: false,
    is_strict: false,
    has_open_types: false,
    imports_are_exports: false,
    has_export_object: false,
    makes_constants: false,
    hoists_variables: false,
    sets_outer_variables: false,
    lists_in_brackets: false,
    has_class_methods: false,
    has_bare_arrays: false,
    copying: &[],
    keeps_base_arguments: false,
    path_binds: |path, name| path.rsplit(['.', ':', '\\', '/']).next() == Some(name),
    dotted_packages: false,
    has_extensions: false,
    has_companions: false,
    implied_suffix: None,
    literal_type: |_| None,
    result_type: |_| None,
    calculated: |_, _, _| None,
    function_of: |_| None,
    any_type: &[],
    widening: &[],
    library: &[],
    roots: &[],
    implied: &[],
    primitives: &[],
    boxes: &[],
    boxing: None,
    has_impl_blocks: false,
    has_bare_variants: false,
    has_bare_members: false,
    has_scoped_modules: false,
    blank_name: None,
    nests_modules: false,
    has_global_modules: false,
    hides_private: false,
    lists_exports: false,
    asks_module: false,
    binds_in_macros: false,
    options: &[],
    option_members: &[],
    option_patterns: &[],
    containers: &[],
    picking: &[],
    taking_out: &[],
    out_argument_prefixes: &[],
    putting: &[],
    keeping: &[],
    mapping: &[],
    mapping_flat: &[],
    library_results: &[],
    library_callbacks: &[],
    makers: &[],
    accessor_words: &[],
    has_function_types: false,
    operator_member: |_| None,
    unwrapping: &[],
    passing: &[],
    shapes: &[],
    shares_scope: |_, _, _| false,
    common_members: &[],
    wrappers: &[],
    wrapper_members: &[],
    own_type: &["this"],
    hands_over: true,
    derived_from: &["super"],
    delegates: (&[], &[]),
    constructors: &[],
    indexer: None,
    metatypes: &[],
    call_member: None,
    null_types: &[],
    receiver_type: None,
    class_member: None,
    overrides_fields: false,
    hides_package: false,
    has_functional_interfaces: false,
};

/// For languages without rules of their own: names are looked for everywhere.
static ANY: Semantics = Semantics {
    visibility: Visibility::Global,
    implicit_this: true,
    has_open_types: true,
    own_type: &["Self", "self", "static", "this"],
    ..DEFAULT
};

/// Every language with rules of its own, one line each.
const ALL: &[&dyn LanguageRules] = &[
    &rust::Rust,
    &python::Python,
    &ecmascript::TYPESCRIPT,
    &ecmascript::JAVASCRIPT,
    &go::Go,
    &java::Java,
    &kotlin::Kotlin,
    &lua::SEMANTICS,
    &scala::Scala,
    &csharp::CSharp,
    &c_family::C,
    &c_family::CPP,
    &c_family::OBJC,
    &ruby::Ruby,
    &php::Php,
    &swift::Swift,
    &clojure::SEMANTICS,
    &dart::SEMANTICS,
    &elixir::SEMANTICS,
    &erlang::Erlang,
    &fortran::SEMANTICS,
    &haskell::SEMANTICS,
    &julia::SEMANTICS,
    &ocaml::OCaml,
    &pascal::SEMANTICS,
    &perl::SEMANTICS,
    &r::SEMANTICS,
    &shell::SEMANTICS,
    &solidity::SEMANTICS,
    &zig::SEMANTICS,
];

/// Languages that use each other's definitions.
const FAMILIES: &[&[LangId]] = &[
    &[LangId::JavaScript, LangId::TypeScript, LangId::Vue, LangId::Svelte],
    &[LangId::C, LangId::Cpp, LangId::ObjC],
    &[LangId::Java, LangId::Kotlin, LangId::Scala, LangId::Groovy],
];

/// The rules of one language, or of a family that shares them.
///
/// What several languages do alike is a capability in `Semantics`, and shared code asks for that. What one language does
/// and no other is a method here: its default is what most languages do, the override and what only it needs are in that
/// language's folder.
pub(crate) trait LanguageRules: Sync {
    /// The capabilities.
    fn semantics(&'static self) -> &'static Semantics;

    // Scope: from a name to its definitions.

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

    // Types: type expressions and what they mean.

    /// The type of a type expression that decides between others, before it is split into alternatives.
    fn conditional_type(&self, _: &Resolver<'_>, _: At<'_>, _text: &str, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// The type of an alias with type arguments. `text` is the type expression that begins with the alias at `path`.
    fn expanded_alias(&self, _: &Resolver<'_>, _: At<'_>, (_path, _text): (&str, &str), _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// Whether a type expression is a type without a name whose members are definitions: `{ width: number }`.
    fn is_anonymous_type(&self, _text: &str) -> bool {
        false
    }

    /// The type that a name means in a type expression although it is not in scope.
    fn type_out_of_scope(&self, _: &Resolver<'_>, _: At<'_>, _path: &str) -> Option<Ty> {
        None
    }

    /// The end of the text in which a definition declares its type parameters.
    fn end_of_type_parameters(&self, symbol: &Symbol) -> u32 {
        symbol.signature.end
    }

    /// A type expression of a function's signature with the literals of a call in place of the type parameters that they
    /// decide.
    fn with_literal_types<'t>(
        &self,
        _: &Resolver<'_>,
        _: SymbolId,
        text: &'t str,
        _call: (FileIdx, u32),
    ) -> Cow<'t, str> {
        text.into()
    }

    // Members.

    /// The first of the extensions of a library type, which stands for the type: `extension Int { .. }`.
    fn library_extension(&self, _: &Resolver<'_>, _: FileIdx, _name: &str) -> Option<SymbolId> {
        None
    }

    /// Whether a definition of this kind may be such an extension.
    fn may_extend_library(&self, _: SymbolKind) -> bool {
        false
    }

    /// Whether an extension adds a member of a name to a library type.
    fn adds_to_library(&self, _: &Resolver<'_>, _: FileIdx, _name: &str) -> bool {
        false
    }

    /// The type that an extension is written for, where its head has a path: `extension Outer.Inner`.
    fn extended_type(&self, _: &Resolver<'_>, _: At<'_>, _extension: &Symbol, _path: &str) -> Option<Meaning> {
        None
    }

    /// The other declarations of something that may be declared in several places: `partial class Shape`, `shape.mli` beside
    /// `shape.ml`. The declaration itself may be among them.
    fn partial_declarations(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// All declarations whose supertypes and members a type has; none where that is only its own.
    fn declarations_of_type(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// How many type parameters a definition has, where that is part of its identity: `List` and `List<T>`.
    fn generic_arity(&self, _: &Resolver<'_>, _: SymbolId) -> usize {
        0
    }

    /// The definitions of one name that have so many type parameters.
    fn narrow_by_arity(&self, _: &Resolver<'_>, found: Vec<SymbolId>, _: usize) -> Vec<SymbolId> {
        found
    }

    /// Whether definitions of a kind have members.
    fn has_members(&self, kind: SymbolKind) -> bool {
        kind.has_members()
    }

    /// The declaration that stands for a type which may be declared in several places.
    fn first_piece(&self, _: &Resolver<'_>, id: SymbolId) -> SymbolId {
        id
    }

    /// Members that a type neither declares nor inherits, and has by a convention.
    fn members_by_convention(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Puts supertypes, which are in the order of the text, in the order in which members are looked for.
    fn order_supertypes(&self, _: &Resolver<'_>, _: &mut [SymbolId]) {}

    /// The fields that the value of a property is kept in, where only its name says so.
    fn backing_fields(&self, _: &Resolver<'_>, _property: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Puts the supertypes that have a member in the order in which `super` looks for it, which is that of declaration in
    /// most languages.
    fn order_for_super(&self, _: &mut [Vec<SymbolId>]) {}

    /// The definition in a supertype that an assignment of a field belongs to.
    fn inherited_field(&self, _: &Resolver<'_>, _: SymbolId, _: &Symbol) -> Option<SymbolId> {
        None
    }

    /// The declaration in a supertype that the members of a name, which are found in a type, repeat without saying as much.
    fn inherited_declaration(
        &self,
        _: &Resolver<'_>,
        _own: SymbolId,
        _found: &[SymbolId],
        _name: &str,
    ) -> Option<Vec<SymbolId>> {
        None
    }

    /// Of the members of one name that several supertypes have, in the order of those, the ones that are inherited.
    fn first_inherited(&self, _: &Resolver<'_>, found: Vec<Vec<SymbolId>>) -> Vec<SymbolId> {
        found.into_iter().next().unwrap_or_default()
    }

    /// A member of what a value holds, where its type has none of the name.
    fn member_of_element(&self, _: &Resolver<'_>, _: &Ty, _own: SymbolId, _name: &str) -> Option<Meaning> {
        None
    }

    /// The functions or types that a variable is another name for.
    fn alias_target(&self, _: &Resolver<'_>, _variable: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// A member that a related language declares under another name: Kotlin's `shape.name` is Java's `getName()`.
    fn related_language_member(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, found: Meaning) -> Meaning {
        found
    }

    /// The names that related languages use for a member.
    fn names_in_related_languages(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<String> {
        Vec::new()
    }

    /// The fields among some members that have an implicit method of their name: `record Point(int x)` has `x()`.
    fn fields_with_accessors(&self, _: &Resolver<'_>, _: &[SymbolId]) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The members of a type that it has neither itself nor from its supertypes.
    fn delegated_members(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Whether a file may have members of a type that another file defines.
    fn may_add_members(&self, _: &Files, _own: FileIdx, _other: FileIdx) -> bool {
        true
    }

    /// Whether definitions of these kinds that have one name and one scope can be declarations of one thing.
    fn may_be_one(&self, _: SymbolKind, _: SymbolKind) -> bool {
        true
    }

    /// The type of an alias with type arguments among the supertypes of a type.
    fn alias_in_clause(&self, _: &Resolver<'_>, _own: (SymbolId, &View), _clause: u32, _alias: SymbolId) -> Option<Ty> {
        None
    }

    /// The members of a name that a definition itself declares, where the language has rules of its own for that.
    fn own_members(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Option<Vec<SymbolId>> {
        None
    }

    /// Members of the library's containers, which are not members of what they hold.
    fn container_members(&'static self) -> &'static [&'static str] {
        self.semantics().common_members
    }

    /// Whether a function makes instances that have the members assigned to `this` in it.
    fn is_constructor_function(&self, _: &Resolver<'_>, _: SymbolId) -> bool {
        false
    }

    // Inference.

    /// The type of a parameter of a callback that is passed one value after the other, where it may take a value apart.
    fn spread_element(&self, _element: &Ty, _nth: usize) -> Option<Ty> {
        None
    }

    /// How many type arguments a path in the text of a type has, where that tells types of one name apart.
    fn written_arity(&self, _: &str, _: &str) -> usize {
        0
    }

    /// Whether a type is another name of the type that it is declared with.
    fn is_alias(&self, resolver: &Resolver<'_>, id: SymbolId) -> bool {
        resolver.kind_of(id) == Some(SymbolKind::Type)
    }

    /// The type of the variable of a loop over a value; binding and value by their places in the file's lists.
    fn loop_variable(&self, resolver: &Resolver<'_>, place: At<'_>, _binding: u32, value: u32) -> Ty {
        let iterable = resolver.value(place.file, value);
        match resolver.semantics(place.file).has_function_types {
            true => resolver.each_of(iterable),
            false => self.iterated_type(resolver, iterable),
        }
    }

    /// The type of a use that leads out of the workspace, where that is another than the library's.
    fn foreign_value(&self, _: &Reference) -> Option<Ty> {
        None
    }

    /// Whether a name of a function calls it, so that its value is the function's result: `shape.area`.
    fn calls_without_parentheses(&self) -> bool {
        false
    }

    /// The type of a call of a value whose type is the library's.
    fn type_of_called_library_value(&self, _: &Resolver<'_>, ty: Ty) -> Ty {
        ty
    }

    /// The type of an expression that the language itself defines, asked before anything else; with the type of its
    /// receiver.
    fn built_in_value(&self, _: &Resolver<'_>, _: At<'_>, _reference: u32, _on: Option<&Ty>) -> Option<Ty> {
        None
    }

    /// The type of a local name that has neither a type nor a value: a parameter to which a framework gives a value by its
    /// name, a name in a pattern.
    fn undeclared_type(&self, _: &Resolver<'_>, _: At<'_>, _name: &str) -> Option<Ty> {
        None
    }

    /// The type of a variable that a test has found to be of a library's type.
    fn narrowed_to_library(&self, _: &Resolver<'_>, _: At<'_>, _binding: u32, known: Ty) -> Ty {
        known
    }

    /// The type of what a block binds that is entered with a value.
    fn entered_type(&self, _: &Resolver<'_>, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of a field that is read, where the value in the field decides that.
    fn read_type(&self, _: &Resolver<'_>, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of a part of a value by a constant index.
    fn subscript(&self, _: &Resolver<'_>, _on: &Ty, _nth: usize) -> Option<Ty> {
        None
    }

    /// The type of one of several targets that a value is unpacked to, or each of its elements by a loop.
    fn unpacked(&self, _: &Resolver<'_>, _whole: &Ty, _nth: usize, _is_loop: bool) -> Option<Ty> {
        None
    }

    /// The type of an element of a value whose type is a definition.
    fn element_type(&self, _: &Resolver<'_>, _own: SymbolId, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of `value[0]`.
    fn subscript_type(&self, resolver: &Resolver<'_>, _: FileIdx, _: &Reference, value: Ty) -> Ty {
        resolver.indexed(value)
    }

    /// The type of a loop's variable, by that of the value that it iterates over.
    fn iterated_type(&self, resolver: &Resolver<'_>, value: Ty) -> Ty {
        resolver.element_of(value)
    }

    /// The type of what a macro expands to where it is used.
    fn expansion_type(&self, _: &Resolver<'_>, _: At<'_>, _reference: u32, _macros: &[SymbolId]) -> Option<Ty> {
        None
    }

    /// The type of what an index gives of such a value.
    fn indexed_type(&self, _: &Resolver<'_>, _own: SymbolId, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type parameters of a definition that declares none in brackets.
    fn type_variables(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<String> {
        Vec::new()
    }

    /// Whether a name is what a method calls the type of its receiver.
    fn is_receiver_type(&self, _: &View, _: &Symbol, _name: &str) -> bool {
        false
    }

    /// The type of `this` where that is not the enclosing type.
    fn type_of_this(&self, _: &Resolver<'_>, _: At<'_>) -> Option<Ty> {
        None
    }

    /// The type that a test around a place has given to a member that is named without its receiver.
    fn narrowed_member(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference) -> Option<Ty> {
        None
    }

    /// The type of a call of a library function that no table describes. The receiver's type is given, if it has one.
    fn library_call_type(&self, _: &Resolver<'_>, _: At<'_>, _: u32, _: Option<&Ty>) -> Option<Ty> {
        None
    }

    /// The type of a field of a library type that has the name of a method in `library_results`.
    fn library_field_type(&self, _: &str, _: &Ty) -> Option<Ty> {
        None
    }

    /// Whether such a type may have a member of a type that is embedded in it.
    fn may_embed_member(&self, _text: &str, _name: &str) -> bool {
        false
    }

    /// The type that a type is defined as, with the type arguments of that, if it has elements.
    fn underlying_type(&self, _: &Resolver<'_>, _own: SymbolId, _arguments: &[Ty]) -> Option<Ty> {
        None
    }

    /// The type of a definition that makes a new type of another, whose type is given. None where it is an alias of that.
    fn defined_type(&self, _: SymbolId, _: &Symbol, _: &Ty) -> Option<Ty> {
        None
    }

    /// The type of a constant that has neither a type nor a value of its own.
    fn implied_constant(&self, _: &Resolver<'_>, _: SymbolId, _: &Symbol) -> Option<Ty> {
        None
    }

    /// The type of a rest parameter whose written type is given.
    fn rest_parameter(&self, written: Ty) -> Ty {
        written
    }

    /// The type of a name that is given a value together with others, at its place among them, or an item of the value.
    fn destructured_part(&self, resolver: &Resolver<'_>, value: Ty, nth: Option<usize>) -> Ty {
        match value.head {
            Base::Symbol(own) if nth.is_none() => self.iterator_item(resolver, own).unwrap_or(value),
            _ => value,
        }
    }

    /// What may stand between the name of a function or type and its first type argument: a bracket, and marks.
    fn type_argument_openers(&self, _is_call: bool) -> &'static [&'static str] {
        &["<"]
    }

    /// What a type parameter must be, by all that says so. The binding is where one of those is.
    fn type_parameter_bounds(&self, _: &Resolver<'_>, _: At<'_>, _binding: u32) -> Option<Ty> {
        None
    }

    /// The type of what a type's values yield when they are iterated.
    fn iterator_item(&self, _: &Resolver<'_>, _own: SymbolId) -> Option<Ty> {
        None
    }

    /// The type of what a call passes to the function that it is given.
    fn callback_parameter(&self, _: &Resolver<'_>, _: At<'_>, _call: u32) -> Option<Ty> {
        None
    }

    /// The type of a call of a function that is not in the workspace, before all that is guessed of such.
    fn unresolved_call(&self, _: &Resolver<'_>, _: At<'_>, _call: u32) -> Option<Ty> {
        None
    }

    /// The type of a call without a receiver whose function nobody wrote, because the compiler or a library makes it.
    fn generated_function(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference) -> Option<Ty> {
        None
    }

    /// The type of a use whose name has a meaning of its own in the language.
    fn type_of_use(&self, _: &Resolver<'_>, _: At<'_>, _index: u32, _receiver: Option<&Ty>) -> Option<Ty> {
        None
    }

    /// The type of a member of a workspace type that is no definition.
    fn type_of_undeclared(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> Option<Ty> {
        None
    }

    /// The type of a definition whose declared type is not known.
    fn instead_of_unknown(&self, _: &Resolver<'_>, _: SymbolId) -> Option<Ty> {
        None
    }

    /// Whether a function without a declared result returns an object that has members.
    fn returns_object(&self, _: &View, _: &Symbol) -> bool {
        false
    }

    /// Whether definitions that a use means are of different alternatives of its receiver's type, so that its type is that
    /// of any of them.
    fn are_alternatives(&self, _: &Resolver<'_>, _: &[SymbolId]) -> bool {
        false
    }

    /// The type of a parameter of a callback, by what the called function of the library passes.
    fn callback_argument(&self, _: &Resolver<'_>, _: FileIdx, _call: u32, _nth: usize) -> Option<Ty> {
        None
    }

    /// The type of a parameter of a callback, by where it stands: under a key of the object in a context, or in the context.
    fn contextual_parameter(
        &self,
        _: &Resolver<'_>,
        _: At<'_>,
        (_key, _context): (Option<NameId>, Context),
        _: Which,
    ) -> Option<Ty> {
        None
    }

    /// The types that components of a user interface take, for an element that lists their attributes: `<Box dense />`. None
    /// if the call is no element.
    fn taken_by_element(&self, _: &Resolver<'_>, _: At<'_>, _call: u32, _: &[SymbolId]) -> Option<Vec<Ty>> {
        None
    }

    // Overloads.

    /// The functions whose parameters have the labels that a call gives its arguments: `remove(at: 3)`.
    fn narrow_by_labels(&self, _: &Resolver<'_>, found: Vec<SymbolId>, _: FileIdx, _call: u32) -> Vec<SymbolId> {
        found
    }

    /// The parameter of each argument of a call, where labels say so.
    fn labelled_parameters(&self, _: &Resolver<'_>, _: FileIdx, _call: u32, _: SymbolId) -> Option<Vec<usize>> {
        None
    }

    /// Whether a function may be called with so many arguments.
    fn accepts_count(&self, resolver: &Resolver<'_>, id: SymbolId, count: usize) -> bool {
        resolver.takes_count(id, count)
    }

    /// Whether the receiver of a call is passed as the first argument: to an extension method.
    fn passes_receiver(&self, _: &Resolver<'_>, _: SymbolId, _: FileIdx, _: &Reference) -> bool {
        false
    }

    /// How many arguments a constructor call passes that has no list of them: `new Point { X = 1 }`.
    fn arguments_of_bare_constructor(&self) -> Option<u8> {
        None
    }

    /// Whether an argument may be converted to a parameter's type in a way that the ranks do not know: by a user-defined
    /// conversion.
    fn may_convert(&self, _: &Resolver<'_>, _: &Described, _: &Described) -> bool {
        false
    }

    /// Whether so many arguments may be passed to so many parameters by other means than one for each: as a tuple.
    fn may_adapt_arguments(&self, _: usize, _: usize) -> bool {
        false
    }

    /// The rank of the phase in which a candidate is applicable: Java tries fixed arity before variable arity. It counts
    /// more than the ranks of all arguments together.
    fn phase_rank(&self, _: &Resolver<'_>, _: FileIdx, _: &[Described], _: &Candidate<'_>) -> Fit {
        0
    }

    /// How well an argument fits a parameter; nothing if it cannot be passed.
    fn fit(&self, resolver: &Resolver<'_>, file: FileIdx, argument: &Described, parameter: &Described) -> Option<Fit> {
        resolver.fit_of_subtype(file, argument, parameter)
    }

    /// A written type as that of an argument or parameter, where that is not what most languages make of it.
    fn described_type(&self, _: &Resolver<'_>, _: At<'_>, _text: &str) -> Option<Described> {
        None
    }

    /// A type of the language or its library as that of an argument.
    fn library_type(&self, name: &str) -> Described {
        Described {
            is_array: name.ends_with("[]"),
            ..Described::plain(Shape::Named(name.trim_end_matches("[]").to_owned()))
        }
    }

    /// An element of an array, where the types of arguments say what is one.
    fn described_element(&'static self, array: Described) -> Option<Described> {
        self.semantics().has_bare_arrays.then(|| array.element())
    }

    /// The argument that a call of a macro expands to.
    fn expanded_argument(&self, _: &Resolver<'_>, _: (FileIdx, &View), _call: u32) -> Option<ArgValue> {
        None
    }

    /// Whether a call gives type arguments whose number is not known.
    fn gives_type_arguments(&self, _: &Resolver<'_>, _: (FileIdx, &View), _call: u32) -> bool {
        false
    }

    /// Whether one type parameter can stand for the types of two arguments.
    fn may_deduce_one(&self, _: &Resolver<'_>, _: &Described, _: &Described) -> bool {
        true
    }

    /// Whether two parameters may have one type, as far as that is known.
    fn may_be_one_type(&self, _: &Resolver<'_>, one: &Described, other: &Described) -> bool {
        let is_open = |one: &Described| matches!(one.shape, Shape::Generic | Shape::Unknown);
        one == other || is_open(one) || is_open(other)
    }

    /// Of overloads that take the same arguments those for a receiver.
    fn narrow_by_receiver(
        &self,
        _: &Resolver<'_>,
        _: At<'_>,
        found: Vec<SymbolId>,
        _receiver: Qualifier,
    ) -> Vec<SymbolId> {
        found
    }

    /// The type of the result of an operator.
    fn operator_type(&self, _: &Resolver<'_>, _: (FileIdx, &View), _step: u32) -> Ty {
        Ty::new(Base::External)
    }

    /// The result of an operator as an argument, where `Semantics::calculated` does not tell it.
    fn described_operation(
        &self,
        _: &Resolver<'_>,
        _: (FileIdx, &View),
        _step: u32,
        _operands: &[Described],
    ) -> Option<Described> {
        None
    }

    /// Whether a member may override one of a supertype that has its name and takes the same.
    fn may_override(&self, _: &Resolver<'_>, _: SymbolId, _: SymbolId) -> bool {
        true
    }

    /// Whether several functions of one name are told apart by their arguments.
    fn counts_arguments(&'static self) -> bool {
        self.semantics().has_overloads()
    }

    // Members.

    /// A definition with its other declarations, where those are not found by their name and place alone.
    fn declaration_group(&self, _: &Resolver<'_>, _: SymbolId) -> Option<Vec<SymbolId>> {
        None
    }

    /// Whether a member that has the name of a type as its owner is of this type.
    fn is_member_of(&self, _: &Resolver<'_>, _member: SymbolId, _own: SymbolId) -> bool {
        true
    }

    /// Whether a type has what it inherits under a name beside its own members of that name.
    fn keeps_inherited(&self, _: &Resolver<'_>, _own: SymbolId, _name: &str) -> bool {
        false
    }

    /// Macros in the body of a type whose members are the type's.
    fn macros_in_body(&self, _: &Resolver<'_>, _own: SymbolId, _: &View) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The type that a definition outside of it names as its owner: a qualifier and a name.
    fn named_owner(&self, resolver: &Resolver<'_>, place: At<'_>, (_, name): (&str, &str)) -> Meaning {
        resolver.lookup(place, name, Role::Type)
    }

    // Types.

    /// The type that an operator on types gives.
    fn type_operator(&self, _: &Resolver<'_>, _: At<'_>, _text: &str, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// The type that a path names inside of a generic type, by that one's type arguments.
    fn nested_type(&self, _: &Resolver<'_>, _: At<'_>, (_path, _text): (&str, &str), _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// The type of a member that is written as an alias of its type, by the type's type arguments.
    fn member_alias(&self, _: &Resolver<'_>, _member: SymbolId, _text: &str, _: &[StandsFor]) -> Option<Ty> {
        None
    }

    /// Whether the first type argument of a library container is the element, and the others say how it is kept.
    fn holds_first_argument(&self, _container: &str) -> bool {
        false
    }

    // Queries.

    /// How types implement interfaces that they do not name. None where they declare their supertypes.
    fn implicit_interfaces(&self) -> Option<&'static dyn ImplicitInterfaces> {
        None
    }

    /// The definitions that stand in for one in other builds of the program, as for another operating system.
    fn build_variants(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// Definitions that always have the name of another: a field has that of the type which it embeds.
    fn renamed_together(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<SymbolId> {
        Vec::new()
    }

    /// How many functions a call may mean, if so many overloads remain beside the wanted one: as a divisor of its
    /// likelihood.
    fn weight_of_overloads(&self, others: usize) -> f32 {
        1.0 + 0.7 * others as f32
    }

    /// The type that a block is a part of, where all its blocks are one definition.
    fn type_of_block(&self, _: &Resolver<'_>, _block: SymbolId) -> Base {
        Base::Unknown
    }

    /// The types that a clause may name to derive from a type: its declarations, and aliases.
    fn names_of_base(&'static self, resolver: &Resolver<'_>, declarations: Vec<SymbolId>) -> Vec<SymbolId> {
        match self.semantics().has_overloads() {
            true => resolver.with_aliases(&declarations),
            false => declarations,
        }
    }

    /// Whether two functions cannot have one name in one place; unknown where that is no matter of their parameters.
    fn functions_collide(&'static self, resolver: &Resolver<'_>, one: SymbolId, other: SymbolId) -> Option<bool> {
        let has_overloads = self.semantics().has_overloads();
        has_overloads.then(|| resolver.takes_the_same(one, other))
    }

    /// The type that a qualifier names, where that excludes members of other types.
    fn type_of_qualifier(&self, _: &Resolver<'_>, _: At<'_>, _path: &str) -> Base {
        Base::Unknown
    }

    /// Whether a reference is asked of the current object.
    fn is_asked_of_self(&self, reference: &Reference) -> bool {
        reference.on == Qualifier::This
    }

    /// Whether a use that is no call in form calls some definitions: `shape.size = 3`.
    fn is_setter_call(&self, _: &Resolver<'_>, _: &Reference, _targets: &[SymbolId]) -> bool {
        false
    }

    /// Files beside those of a type and its subtypes in which a word, not the type's name, calls its constructor.
    fn constructor_callers(&self, _: &Resolver<'_>, _owner: SymbolId) -> Vec<FileIdx> {
        Vec::new()
    }

    /// The name of a receiver that is written as a symbol, and is no reference itself.
    fn symbolic_receiver<'v>(&self, _: &'v View, _: &Reference) -> Option<&'v str> {
        None
    }

    /// Whether the spelling of a receiver says that it is a class.
    fn is_class_name(&self, _receiver: &str) -> bool {
        false
    }

    /// Whether the mark before a method's name, as people write it, can stand for this one: `Job#run` is one of values.
    fn fits_mark(&self, resolver: &Resolver<'_>, id: SymbolId, mark: char) -> bool {
        mark != '#' || !resolver.is_static(id)
    }

    /// The variables that are another name for some definitions.
    fn alias_variables(&self, _: &Resolver<'_>, _targets: &[SymbolId]) -> Vec<SymbolId> {
        Vec::new()
    }

    /// The parameters that a framework gives what some functions return; on request with the uses of those parameters.
    fn injections(&self, _: &Resolver<'_>, _targets: &[SymbolId], _with_uses: bool) -> Vec<Use> {
        Vec::new()
    }

    /// Whether a use only defines what it names.
    fn is_declaration(&self, _: &Resolver<'_>, _: FileIdx, _reference: u32) -> bool {
        false
    }

    /// Whether a type has the constructor of one of its supertypes.
    fn inherits_constructor(&self, resolver: &Resolver<'_>, own: SymbolId, constructor: SymbolId) -> bool {
        let name = resolver.name_of(constructor);
        resolver.members(own, &name).contains(&constructor)
    }

    /// Whether a call of a type that inherits a constructor means that one.
    fn calls_inherited(
        &self,
        _: &Resolver<'_>,
        _own: SymbolId,
        _constructor: SymbolId,
        _: FileIdx,
        _call: u32,
    ) -> bool {
        true
    }

    /// The functions that a call of a type means, as far as it may mean a constructor.
    fn constructors_called(
        &self,
        _: &Resolver<'_>,
        found: &[SymbolId],
        _constructor: SymbolId,
        _: FileIdx,
        _call: u32,
    ) -> Vec<SymbolId> {
        found.to_vec()
    }

    /// Whether a qualifier before a name in this role is no path, but a place in the code that implies the receiver.
    fn implies_receiver(&self, _: Role) -> bool {
        false
    }

    /// Whether a member that has the name of its type is renamed with it, as constructors are.
    fn follows_type_name(&self, resolver: &Resolver<'_>, member: SymbolId) -> bool {
        resolver.kind_of(member) == Some(SymbolKind::Constructor)
    }

    /// How likely a use of a member that its receiver's type does not have is one of some definitions.
    fn likelihood_of_missing(&self, _: &Resolver<'_>, _: At<'_>, _: &Reference, _: &[SymbolId]) -> Option<f32> {
        None
    }

    /// Whether a local name that is declared again in one scope is another variable.
    fn shadows_in_scope(&self, _name: &str) -> bool {
        false
    }

    /// Whether code often works with values of a type that it never names: `bind(from).to(into)`.
    fn uses_unnamed_types(&self) -> bool {
        true
    }

    /// Whether definitions of two kinds may have one name in one scope.
    fn may_coexist(&self, _: SymbolKind, _: SymbolKind) -> bool {
        false
    }

    /// Literals that implement an interface, or a member of one, at a distance from it.
    fn implementing_objects(&self, _: &Resolver<'_>, _: SymbolId, _distance: u32) -> Vec<Implementation> {
        Vec::new()
    }

    /// Where literals that are no definitions implement an interface or a member of one.
    fn unnamed_implementing(&self, _: &Resolver<'_>, _: SymbolId) -> Vec<(FileIdx, u32)> {
        Vec::new()
    }

    /// How likely an unresolved key of a literal is a field of a type of the workspace.
    fn likelihood_of_key(&self, _: &View, _: &Reference) -> f32 {
        1.0
    }
}

/// How types of a language implement interfaces by their methods alone.
pub(crate) trait ImplicitInterfaces: Sync {
    /// The types that have all methods of an interface, or all but one.
    fn implementers(&self, _: &Resolver<'_>, interface: SymbolId, except: Option<&str>) -> Vec<SymbolId>;

    /// The interfaces of the workspace that a type implements.
    fn interfaces_of(&self, _: &Resolver<'_>, own: SymbolId) -> Vec<SymbolId>;

    /// Whether a type has all methods of an interface, or all but one.
    fn conforms(&self, _: &Resolver<'_>, own: SymbolId, interface: SymbolId, except: Option<&str>) -> bool;

    /// Members of a member's name, with their types, that had its signature when that was another one.
    fn formerly_alike(&self, _: &Resolver<'_>, member: SymbolId, was: Option<&str>) -> Vec<(SymbolId, SymbolId)>;
}

/// A language that needs no rules beyond its capabilities.
impl LanguageRules for Semantics {
    fn semantics(&'static self) -> &'static Semantics {
        self
    }
}

type ByLanguage<T> = [T; LangId::COUNT];

static RULES: LazyLock<ByLanguage<&'static dyn LanguageRules>> = LazyLock::new(|| {
    let mut all: ByLanguage<&'static dyn LanguageRules> = [&ANY; LangId::COUNT];
    for rules in ALL {
        for lang in rules.semantics().languages {
            all[*lang as usize] = *rules;
        }
    }
    all
});

static SEMANTICS: LazyLock<ByLanguage<&'static Semantics>> = LazyLock::new(|| RULES.map(LanguageRules::semantics));

/// The rules of a language.
pub(crate) fn rules(lang: LangId) -> &'static dyn LanguageRules {
    RULES[lang as usize]
}

/// The capabilities of a language.
pub(crate) fn of(lang: LangId) -> &'static Semantics {
    SEMANTICS[lang as usize]
}

/// Whether names of a language are found by rules of its own.
pub fn has_rules(lang: LangId) -> bool {
    of(lang).languages.contains(&lang)
}

/// Whether what a file imports can be imported from it.
pub fn imports_are_exports(lang: LangId) -> bool {
    of(lang).imports_are_exports
}

/// Whether functions of one name are told apart by what they are given.
pub fn counts_arguments(lang: LangId) -> bool {
    rules(lang).counts_arguments()
}

/// Whether code in one language can name what another defines.
pub fn related(one: LangId, other: LangId) -> bool {
    one == other
        || FAMILIES
            .iter()
            .any(|family| family.contains(&one) && family.contains(&other))
}

/// Files of one directory.
fn same_dir(files: &Files, one: FileIdx, other: FileIdx) -> bool {
    files.dir(one) == files.dir(other)
}

/// Files that say the same package, or neither any.
fn same_space(files: &Files, one: FileIdx, other: FileIdx) -> bool {
    let space = |file| files.outline(file).spaces.first();
    space(one) == space(other)
}
