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
pub(crate) mod library;
pub(crate) mod lua;
pub(crate) mod ocaml;
pub(crate) mod pascal;
pub(crate) mod perl;
pub(crate) mod php;
pub(crate) mod python;
pub(crate) mod r;
pub(crate) mod ruby;
pub(crate) mod rules;
pub(crate) mod rust;
pub(crate) mod scala;
pub(crate) mod shell;
pub(crate) mod solidity;
pub(crate) mod swift;
pub(crate) mod zig;

use std::sync::LazyLock;

use syntax::{LangId, Literal};

pub(crate) use self::library::{CallbackArg, Construction, Library, LibraryResult};
pub(crate) use self::rules::{
    InferRules, Language, LanguageRules, MemberRules, OverloadRules, QueryRules, ScopeRules, TypeRules,
};
use crate::{
    engine::resolver::Resolver,
    files::{FileIdx, Files},
    overload::conversions::Conversions,
    view::SymbolId,
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
    /// A method that a type inherits from a library's base gives what the base's type arguments say:
    /// `class Jobs(list[Job])`.
    pub keeps_base_arguments: bool,
    /// Whether importing a path as a whole gives a name.
    pub path_binds: fn(&str, &str) -> bool,
    /// A list is written as `T[]` and has no members but its length.
    pub has_bare_arrays: bool,
    /// The type of what is written out.
    pub literal_type: fn(Literal) -> Option<&'static str>,
    /// The type of what an operator makes of two values, by those of its sides as far as they are known.
    pub calculated: fn(&str, Option<&str>, Option<&str>) -> Option<&'static str>,
    /// Functions of the library.
    pub library: Library,
    /// Conversions between types that no source in the workspace declares.
    pub conversions: Conversions,
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
    /// Words for what a property is given, or has, in its own code.
    pub accessor_words: &'static [&'static str],
    /// Functions have types that say what they take and give, several values have one in parentheses.
    pub has_function_types: bool,
    /// What the member is called that an operator calls.
    pub operator_member: fn(&str) -> Option<&'static str>,
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

impl Semantics {
    /// A definition in any file can be named in any other.
    pub fn is_global(&self) -> bool {
        self.visibility != Visibility::Imported
    }

    /// Functions of one name are told apart by their parameters.
    pub fn has_overloads(&self) -> bool {
        matches!(self.overloads, Overloads::Distinct | Overloads::OfVisible)
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
    keeps_base_arguments: false,
    path_binds: |path, name| path.rsplit(['.', ':', '\\', '/']).next() == Some(name),
    dotted_packages: false,
    has_extensions: false,
    has_companions: false,
    implied_suffix: None,
    literal_type: |_| None,
    calculated: |_, _, _| None,
    library: Library::NONE,
    conversions: Conversions::NONE,
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
    accessor_words: &[],
    has_function_types: false,
    operator_member: |_| None,
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
    &pascal::Pascal,
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

static SEMANTICS: LazyLock<ByLanguage<&'static Semantics>> = LazyLock::new(|| RULES.map(|rules| rules.semantics()));

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
