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
pub(crate) mod prelude;
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

use syntax::{LangId, Literal, SymbolKind};

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
    /// In every file, and after what wildcard imports bind.
    GlobalAfterImports,
}

/// What a file exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exports {
    /// Its definitions, and what it re-exports.
    Definitions,
    /// Everything in its scope: what it imports too.
    WithImports,
    /// What the head of the module lists, imported names included: `module Shapes (area) where`.
    Listed,
    /// The members of an object apart from its scope: a re-exported name is not bound in the module, only exported names can
    /// be imported, and the object can be one of its definitions (`module.exports = Shape`, Lua's `return Shape`). A path
    /// whose first name is in scope means members of that: no name is qualified by a package.
    Object,
}

/// What several functions of one name in one scope are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overloads {
    /// One function, or one that replaces another.
    None,
    /// One function with several signatures: overloads in TypeScript, `@overload` in Python.
    Signatures,
    /// Different functions, which a call tells apart by its arguments.
    Distinct,
    /// The same, and private ones are no candidates where they are not accessible.
    OfVisible,
}

/// Which definitions of one name can exist in one scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Namespaces {
    /// One: a later definition hides or replaces an earlier one.
    One,
    /// A type, and a function or value.
    Types,
    /// A type, a function and a value: a call means the function, a type expression the type.
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

/// The capabilities of a language: what several languages do alike. What one language does alone is a method of its rules.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Semantics {
    /// The languages that have these rules.
    pub languages: &'static [LangId],

    // Scopes and modules
    /// Where a definition can be named without a path.
    pub visibility: Visibility,
    /// Which definitions of one name can exist in one scope.
    pub namespaces: Namespaces,
    /// A bare name that no rule finds is the standard library's or a dependency's.
    pub is_strict: bool,
    /// Members of the enclosing type are named without `this`.
    pub implicit_this: bool,
    /// A variable is in scope in all of its function or block, also before its declaration.
    pub hoists_variables: bool,
    /// An assignment in a block sets a variable of the enclosing function, if there is one of that name.
    pub sets_outer_variables: bool,
    /// A name can be bound behind its value: `with open(path) as file`, `foreach ($shapes as $shape)`. Elsewhere a name behind
    /// a call is a parameter of a callback of the call.
    pub binds_behind_values: bool,
    /// A macro call may bind variables that its arguments do not show.
    pub binds_in_macros: bool,
    /// The name that binds nothing: `use shapes::Area as _`.
    pub blank_name: Option<&'static str>,
    /// Kinds of definitions whose bodies see no name from outside: `mod shapes { .. }`.
    pub isolated_scopes: &'static [SymbolKind],
    /// Names in another module of the same file are not in scope.
    pub has_scoped_modules: bool,
    /// Modules are declared inside of files, and their definitions are named through them: `Shapes.area`.
    pub nests_modules: bool,
    /// A module can be named by its full name without an import.
    pub has_global_modules: bool,
    /// A call on the word for the current object or module may mean a function of the enclosing module or of those that it
    /// extends: `__MODULE__.run()`, `$self->run`.
    pub module_is_receiver: bool,
    /// Whether two files share one scope of top-level names: a package.
    pub shares_scope: fn(&Files, FileIdx, FileIdx) -> bool,
    /// Packages are named with the separator of members: `com.example.Shape`, so that `com` may be a package or a value.
    pub dotted_packages: bool,
    /// The name that a file declares as its package is not bound in the file: `package shapes`.
    pub hides_package: bool,
    /// Whether an import of a path as a whole binds a name: `import com.example.Shape` binds `Shape`.
    pub path_binds: fn(&str, &str) -> bool,
    /// What can be imported from a file beside its own definitions.
    pub exports: Exports,
    /// A private definition cannot be imported from its file.
    pub hides_private: bool,

    // Types and members
    /// Words for the enclosing type or the current object, and members that mean the type of their value.
    pub own_type: &'static [&'static str],
    /// Words for the supertype at the beginning of a path: `super`, `base`.
    pub super_words: &'static [&'static str],
    /// Names of methods that are constructors: a call of the type calls them.
    pub constructors: &'static [&'static str],
    /// Words that call a constructor of the supertype, and one of the enclosing type: `super(..)`, `this(..)`.
    pub constructor_words: (&'static [&'static str], &'static [&'static str]),
    /// Members of a type can be written outside of its body.
    pub has_open_types: bool,
    /// Functions outside of a type can be called like its members where they are imported.
    pub has_extensions: bool,
    /// The kind of a definition that adds members to a library type, and stands for that type: `extension Int { .. }`.
    pub library_extension: Option<SymbolKind>,
    /// A type can have a companion object, whose members are accessed through the type's name.
    pub has_companions: bool,
    /// A type implements an interface in a block of its own: `impl Shape for Circle { .. }`. The block's members are members of
    /// that interface, and of no other.
    pub has_impl_blocks: bool,
    /// A class can have a static and an instance member of one name.
    pub separates_static_members: bool,
    /// Enumerators are in scope, without a qualifier, wherever their enumeration is.
    pub has_bare_variants: bool,
    /// Fields and methods of interfaces are functions, in scope where their type is: `area shape`.
    pub has_bare_members: bool,
    /// Enumerators call a constructor of their enumeration: `LARGE(10)`.
    pub enumerators_call_constructors: bool,
    /// A field overrides the field of its name in a supertype.
    pub overrides_fields: bool,
    /// Kinds of definitions that have members, beside those that do in every language: modules, where they are mixed into
    /// classes.
    pub kinds_with_members: &'static [SymbolKind],
    /// A suffix of names that a use may omit: `[Serializable]` is `SerializableAttribute`, `shape.size = 3` calls Ruby's
    /// `size=`.
    pub implied_suffix: Option<&'static str>,
    /// The member of an instance that is its class: `shape.constructor`.
    pub class_member: Option<&'static str>,
    /// The member that is called where a value is called like a function: `invoke`.
    pub call_member: Option<&'static str>,
    /// The member that is called by an index: `subscript`.
    pub indexer: Option<&'static str>,
    /// The method that an operator calls: `plus` for `+`.
    pub operator_member: fn(&str) -> Option<&'static str>,
    /// Names for the value of a property inside of its accessors: `field`, `newValue`.
    pub accessor_words: &'static [&'static str],
    /// Where an argument or an initialiser names a field.
    pub field_names: FieldNames,

    // Type expressions and inference
    /// Type expressions are parsed for functions and tuples: `(Shape) -> Point`, `(Shape, Point)`.
    pub has_function_types: bool,
    /// A type in brackets is a list: `[Shape]`.
    pub lists_in_brackets: bool,
    /// Arrays are types of their own, `Shape[]`, with no members but their length.
    pub has_array_types: bool,
    /// What may be between a name and its first type argument, for names of types and of called functions: `Vec<Shape>`,
    /// `make::<Shape>()`.
    pub type_argument_openers: (&'static [&'static str], &'static [&'static str]),
    /// Words in type expressions that combine other types and have no members: `chan`, `map`.
    pub type_keywords: &'static [&'static str],
    /// The type expression for the type of the receiver: `this`.
    pub receiver_type: Option<&'static str>,
    /// The last parts of types whose values are types: `Shape.Type`.
    pub metatypes: &'static [&'static str],
    /// Types whose only value is null: `None`, `undefined`.
    pub null_types: &'static [&'static str],
    /// Types whose values have the members of their type argument: smart pointers, `Optional[Shape]`.
    pub wrappers: &'static [&'static str],
    /// Members that wrappers have themselves: `Arc::clone`.
    pub wrapper_members: &'static [&'static str],
    /// A method inherited from a library type returns what the type arguments of that say: `get` in `class Jobs(list[Job])`
    /// returns a `Job`.
    pub keeps_base_arguments: bool,
    /// The type of a literal.
    pub literal_type: fn(Literal) -> Option<&'static str>,
    /// The type of an operator's result, by the operator and the types of its operands as far as they are known.
    pub operator_result_type: fn(&str, Option<&str>, Option<&str>) -> Option<&'static str>,
    /// Functions of the library.
    pub library: Library,
    /// Methods of the language's own types: on a receiver of unknown type, they are as likely meant as those of the workspace.
    pub common_members: &'static [&'static str],
    /// Members of the library's containers, where they differ from `common_members`.
    pub container_members: Option<&'static [&'static str]>,

    // Overloads
    /// What several functions of one name in one scope are.
    pub overloads: Overloads,
    /// Conversions between types that no source in the workspace declares.
    pub conversions: Conversions,
    /// A function can be passed where an interface with one method is expected.
    pub has_functional_interfaces: bool,
    /// How many arguments a constructor call passes that has no list of them: `new Point { X = 1 }`.
    pub arguments_of_bare_constructor: Option<u8>,
    /// The most overloads that one undecided call is counted to mean: where conversions leave many undecided, the call is still
    /// one of few.
    pub max_open_overloads: f32,
}

impl Semantics {
    /// Whether a definition in any file can be named in any other without an import.
    pub fn is_global(&self) -> bool {
        self.visibility != Visibility::Imported
    }

    /// Members of the library's containers, which are not members of what they hold.
    pub fn container_members(&self) -> &'static [&'static str] {
        self.container_members.unwrap_or(self.common_members)
    }

    /// Whether everything that a file imports can be imported from it.
    pub fn imports_are_exports(&self) -> bool {
        self.exports == Exports::WithImports
    }

    pub fn has_export_object(&self) -> bool {
        self.exports == Exports::Object
    }

    pub fn lists_exports(&self) -> bool {
        self.exports == Exports::Listed
    }

    /// Whether functions of one name with different parameters are different functions.
    pub fn has_overloads(&self) -> bool {
        matches!(self.overloads, Overloads::Distinct | Overloads::OfVisible)
    }
}

pub(crate) const DEFAULT: Semantics = Semantics {
    languages: &[],
    visibility: Visibility::Imported,
    overloads: Overloads::None,
    namespaces: Namespaces::One,
    field_names: FieldNames::None,
    implicit_this: false,
    is_strict: false,
    has_open_types: false,
    exports: Exports::Definitions,
    enumerators_call_constructors: false,
    hoists_variables: false,
    sets_outer_variables: false,
    lists_in_brackets: false,
    separates_static_members: false,
    has_array_types: false,
    keeps_base_arguments: false,
    path_binds: |path, name| path.rsplit(['.', ':', '\\', '/']).next() == Some(name),
    dotted_packages: false,
    has_extensions: false,
    has_companions: false,
    implied_suffix: None,
    literal_type: |_| None,
    operator_result_type: |_, _, _| None,
    library: Library::NONE,
    conversions: Conversions::NONE,
    has_impl_blocks: false,
    has_bare_variants: false,
    has_bare_members: false,
    has_scoped_modules: false,
    kinds_with_members: &[],
    library_extension: None,
    max_open_overloads: f32::INFINITY,
    arguments_of_bare_constructor: None,
    type_argument_openers: (&["<"], &["<"]),
    isolated_scopes: &[],
    blank_name: None,
    nests_modules: false,
    has_global_modules: false,
    hides_private: false,
    module_is_receiver: false,
    binds_in_macros: false,
    accessor_words: &[],
    has_function_types: false,
    operator_member: |_| None,
    type_keywords: &[],
    shares_scope: |_, _, _| false,
    common_members: &[],
    container_members: None,
    wrappers: &[],
    wrapper_members: &[],
    own_type: &["this"],
    binds_behind_values: false,
    super_words: &["super"],
    constructor_words: (&[], &[]),
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

/// For languages without rules of their own: every definition is visible everywhere.
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

/// Languages whose code can use each other's definitions.
const FAMILIES: &[&[LangId]] = &[
    &[LangId::JavaScript, LangId::TypeScript, LangId::Vue, LangId::Svelte],
    &[LangId::C, LangId::Cpp, LangId::ObjC],
    &[LangId::Java, LangId::Kotlin, LangId::Scala, LangId::Groovy],
];

/// Structural interfaces: a type implements an interface if it has the methods.
pub(crate) trait ImplicitInterfaces: Sync {
    /// The types that have all methods of an interface, `except` one.
    fn implementers(&self, _: &Resolver<'_>, interface: SymbolId, except: Option<&str>) -> Vec<SymbolId>;

    /// The interfaces of the workspace that a type implements.
    fn interfaces_of(&self, _: &Resolver<'_>, own: SymbolId) -> Vec<SymbolId>;

    /// Whether a type has all methods of an interface, `except` one.
    fn conforms(&self, _: &Resolver<'_>, own: SymbolId, interface: SymbolId, except: Option<&str>) -> bool;

    /// Members with their types that have a member's name, and the signature that it had before: `was`.
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

/// Whether a language has rules of its own.
pub fn has_rules(lang: LangId) -> bool {
    of(lang).languages.contains(&lang)
}

/// Whether what a file imports can be imported from it.
pub fn imports_are_exports(lang: LangId) -> bool {
    of(lang).imports_are_exports()
}

/// Whether functions of one name differ by their parameters.
pub fn counts_arguments(lang: LangId) -> bool {
    rules(lang).distinguishes_overloads()
}

/// Whether code in one language can name what another defines.
pub fn related(one: LangId, other: LangId) -> bool {
    one == other
        || FAMILIES
            .iter()
            .any(|family| family.contains(&one) && family.contains(&other))
}

/// Whether two files are in one directory.
fn same_dir(files: &Files, one: FileIdx, other: FileIdx) -> bool {
    files.dir(one) == files.dir(other)
}

/// Whether two files declare the same package, or neither declares one.
fn same_space(files: &Files, one: FileIdx, other: FileIdx) -> bool {
    let space = |file| files.outline(file).spaces.first();
    space(one) == space(other)
}
