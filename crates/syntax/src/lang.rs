//! The languages: how each is recognised and understood. Every other place reads this table.

mod bash;
mod c;
mod clojure;
mod cmake;
mod conditions;
mod cpp;
mod csharp;
mod css;
mod dart;
mod dockerfile;
mod elixir;
mod elm;
mod erlang;
mod fortran;
mod gdscript;
mod go;
mod graphql;
mod groovy;
mod haskell;
mod hcl;
mod html;
mod java;
mod javascript;
mod jsdoc;
mod json;
mod julia;
mod kotlin;
mod lua;
mod macro_body;
mod macro_members;
pub(crate) mod macros;
mod make;
mod markdown;
mod nix;
mod objc;
mod ocaml;
mod pascal;
mod perl;
mod php;
mod powershell;
mod protobuf;
mod python;
mod r;
mod ruby;
mod rust;
mod scala;
mod solidity;
mod sql;
mod svelte;
mod swift;
mod toml;
mod typescript;
mod vue;
mod yaml;
mod zig;

use std::{borrow::Cow, ops::Range, sync::OnceLock};

use tree_sitter::Language;
use tree_sitter_language::LanguageFn;

use crate::{
    extract::{Apart, Handed, Walk, Whole},
    facts::{ArgValue, FileFacts, LocalKind, Role, Shape, Symbol, SymbolKind, Visibility},
    locals::Interpolated,
    query::Rules,
    signature_shape::SignatureShape,
    tree::{Node, Vocabulary},
};

/// One language: its name, the other names users give it, and what tells its files.
#[derive(Debug)]
pub struct Lang {
    pub id: LangId,
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// Lower case, without the dot.
    pub extensions: &'static [&'static str],
    pub filenames: &'static [&'static str],
    /// Programs that a `#!` line may name.
    pub interpreters: &'static [&'static str],
    /// Extensions that another language claims, whose files may be of this one too: a `.h` is read as C++ and may be C.
    pub shared_extensions: &'static [&'static str],
    pub content: Content,
    pub conventions: Conventions,
    /// Raised with every change of what is extracted from files of this language alone.
    version: u32,
    /// How its text is understood; `None` means as text only.
    pub(crate) syntax: Option<&'static Syntax>,
}

/// What files of a language are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    Code,
    /// Says how something is built: code that nothing else calls.
    Build,
    Data,
    /// A page: data whose text people read.
    Markup,
    /// Text for people: documentation rather than code or data.
    Prose,
}

/// How a language ties files together, as far as answers mention it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conventions {
    /// Files of one package use each other's definitions without an import.
    pub implicit_package: bool,
    /// An import always brings in everything: `#include`, `using`.
    pub imports_everything: bool,
    /// A file is a module, and its path part of the qualified names in it.
    pub file_is_module: bool,
    /// The file of a public type must have the type's name.
    pub public_type_names_file: bool,
    /// Ends of files that only declare, for others, what code elsewhere defines.
    pub declaration_files: &'static [&'static str],
    /// A name in braces may stand for a member and its value: `{ name }`.
    pub has_shorthand_members: bool,
    /// The languages into which a tool translates it.
    pub generates: &'static [LangId],
}

const CONVENTIONS: Conventions = Conventions {
    implicit_package: false,
    imports_everything: false,
    file_is_module: false,
    public_type_names_file: false,
    declaration_files: &[],
    has_shorthand_members: false,
    generates: &[],
};

/// The part of `Lang::extraction` that all languages share.
const EXTRACTION: u32 = 3;

/// A language that is recognised and searched as text.
const fn lang(
    name: &'static str,
    aliases: &'static [&'static str],
    extensions: &'static [&'static str],
    filenames: &'static [&'static str],
    interpreters: &'static [&'static str],
) -> Lang {
    Lang {
        id: LangId::Plaintext,
        name,
        aliases,
        extensions,
        filenames,
        interpreters,
        shared_extensions: &[],
        content: Content::Code,
        conventions: CONVENTIONS,
        version: 1,
        syntax: None,
    }
}

impl Lang {
    const fn with_id(mut self, id: LangId) -> Lang {
        self.id = id;
        self
    }

    const fn of_content(mut self, content: Content) -> Lang {
        self.content = content;
        self
    }

    const fn with_conventions(mut self, conventions: Conventions) -> Lang {
        self.conventions = conventions;
        self
    }

    const fn sharing(mut self, extensions: &'static [&'static str]) -> Lang {
        self.shared_extensions = extensions;
        self
    }

    const fn with(mut self, syntax: &'static Syntax) -> Lang {
        self.syntax = Some(syntax);
        self
    }

    /// Which extraction its facts are from. An index replaces facts that have a lower number, and no others.
    ///
    /// Raise `version` of a language whose files are understood otherwise than before, `EXTRACTION` where those of all
    /// languages are. A language that is new takes files from another, mostly from plain text: raise that one's.
    pub fn extraction(&self) -> u32 {
        EXTRACTION << 16 | self.version
    }

    /// Whether its files have symbols.
    pub fn has_symbols(&self) -> bool {
        self.syntax.is_some()
    }

    /// How much is known of its files, in a word; told by what its query looks for.
    pub(crate) fn known(&self) -> &'static str {
        let Some(Syntax { query, hooks, .. }) = self.syntax else {
            return "text";
        };
        let has = |capture: &str| query.contains(capture);
        // Types are not written in all languages, nor is anything derived in C; what a query cannot say of either, `tokens`
        // does.
        let has_types = has("@reference.type") || hooks.is_untyped;
        let has_bases = has("@reference.implementation") || (has("@tokens") && has_types) || !hooks.has_supertypes;
        match has("@local") && has("@reference.member") && has_types && has_bases {
            true => "complete",
            false if has("@reference.call") => "calls",
            false => "outline",
        }
    }

    /// Checks the query against the grammar, by tree-sitter's own rules too.
    pub fn check_query(&self) -> Result<(), String> {
        let dialect = self
            .syntax
            .and_then(|syntax| syntax.hooks.dialect)
            .map(|(_, dialect)| dialect);
        for syntax in self.syntax.into_iter().chain(dialect) {
            tree_sitter::Query::new(&syntax.compiled().language, syntax.query).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// The names of the traits that the attributes of a type derive, given the source text of those attributes.
    pub fn derived<'a>(&self, attributes: &'a str) -> Vec<&'a str> {
        self.syntax
            .map_or_else(Vec::new, |syntax| (syntax.hooks.derived)(attributes))
    }

    /// The name of a symbol with what it is inside of, as the language writes it.
    pub fn qualified_name(&self, facts: &FileFacts, symbol: &Symbol) -> String {
        let path = facts.shown_path_of(symbol);
        let (separator, for_members) = self.syntax.map_or((".", None), |syntax| {
            (syntax.hooks.separator, syntax.hooks.member_separator)
        });
        let parent = symbol.parent.map(|parent| facts.symbols[parent as usize].kind);
        match (for_members, path.split_last()) {
            (Some(for_members), Some((name, outer))) if parent.is_some_and(SymbolKind::has_members) => {
                format!("{}{for_members}{name}", outer.join(separator))
            }
            _ => path.join(separator),
        }
    }

    /// Whether a word has a meaning of its own in the grammar: `class`, `async`. Some of those are names elsewhere.
    pub fn is_keyword(&self, word: &str) -> bool {
        self.syntax
            .is_some_and(|syntax| syntax.compiled().language.id_for_node_kind(word, false) != 0)
    }

    /// Whether a word can never be a name, wherever it stands: a grammar may take it for one where no other word can be.
    pub fn is_reserved(&self, word: &str) -> bool {
        let reserved = self.syntax.map_or("", |syntax| syntax.hooks.reserved);
        reserved.split_ascii_whitespace().any(|one| one == word)
    }

    /// Text for people: documentation rather than code or data.
    pub fn is_prose(&self) -> bool {
        self.content == Content::Prose
    }

    /// Holds something for a program or a reader rather than code.
    pub fn is_data(&self) -> bool {
        matches!(self.content, Content::Data | Content::Markup | Content::Prose)
    }

    /// Whether a file that is read as some language is one of this language too: a `.h` is C as well.
    pub fn includes(&self, read_as: LangId, path: &str) -> bool {
        let extension = || path.rsplit_once('.').map_or("", |(_, extension)| extension);
        self.id == read_as || self.shared_extensions.contains(&extension())
    }

    /// What can be compared of two signatures without knowing their types, where an implementation must have that of what it
    /// implements.
    pub fn signature_shape(&self, signature: &str, name: &str) -> Option<SignatureShape> {
        let syntax = self.syntax?;
        (syntax.hooks.signature_shape)(signature, name)
    }

    /// Whether callers may name a parameter as it is named inside, by what stands before and behind its name.
    pub fn is_named_by_callers(&self, before: &str, behind: &str) -> bool {
        let is_named = |syntax: &Syntax| (syntax.hooks.named_by_callers)(before, behind);
        self.syntax.is_some_and(is_named)
    }
}

impl PartialEq for Lang {
    fn eq(&self, other: &Lang) -> bool {
        self.id == other.id
    }
}

impl Eq for Lang {}

/// A grammar, the query that reads its trees, and what a query cannot say.
pub(crate) struct Syntax {
    grammar: LanguageFn,
    query: &'static str,
    pub hooks: Hooks,
    compiled: OnceLock<Compiled>,
}

/// What is made of a grammar and its query when they are first used.
pub(crate) struct Compiled {
    pub language: Language,
    pub vocabulary: Vocabulary,
    pub rules: Rules,
}

/// What a query cannot say of a language. Each has a default that fits most.
#[derive(Clone, Copy)]
pub(crate) struct Hooks {
    /// Between the parts of a qualified name.
    pub separator: &'static str,
    /// Before the name of a member, where that is another.
    pub member_separator: Option<&'static str>,
    /// Words that are never names, of which the grammar takes some for names.
    pub reserved: &'static str,
    pub visibility: fn(&Definition<'_>) -> Option<Visibility>,
    pub is_test: fn(&Definition<'_>) -> bool,
    /// Whether what the query found is a definition after all.
    pub is_definition: fn(&Definition<'_>) -> bool,
    /// A better kind than the query could tell.
    pub kind: fn(&Definition<'_>) -> SymbolKind,
    /// Describes an import statement by calls of `Walk::import`.
    pub imports: Option<fn(Node<'_>, &mut Walk<'_>)>,
    /// Describes what an `@offer` offers to others under which names, by calls of `Walk::import` without a path.
    pub exports: fn(Node<'_>, &mut Walk<'_>),
    /// The name inside a `@declarator`.
    pub declared: for<'t> fn(Node<'t>) -> Option<Declared<'t>>,
    /// The names in `@tokens`, by what stands around each.
    pub tokens: for<'t> fn(Node<'t>, &mut TokenSink<'_, 't>),
    /// The names in `@text`; the reference whose value the whole of it has, if it is one value.
    pub words: fn(&str, &mut WordSink<'_>) -> Option<u32>,
    /// The members that `@text` declares for whatever type it is used in.
    pub members: fn(&str) -> Vec<MadeMember>,
    /// The names of the traits that the attributes of a type derive: `Debug` for `#[derive(Debug)]`.
    pub derived: for<'a> fn(&'a str) -> Vec<&'a str>,
    /// What a parameter is to its function where its own node does not tell.
    pub local_kind: fn(Node<'_>, &str) -> LocalKind,
    /// What tells a member apart from others of its name: its modifier, or, where that decides what it overrides, the types
    /// that it takes and returns.
    pub shape: fn(Node<'_>, &str) -> Option<Shape>,
    /// Whose members a literal names, which is a `@whole` itself.
    pub whole: fn(Node<'_>, &str) -> Whole,
    /// The members of such a literal whose values tell which of several types it is of, with those values.
    pub tags: for<'t> fn(Node<'_>, &'t str) -> Vec<(&'t str, &'t str)>,
    /// What hands a function this parameter of it.
    pub handed: fn(Node<'_>, &str) -> Option<Handed>,
    /// What a name is taken out of that is one of several in a pattern.
    pub apart: for<'t> fn(Node<'t>, &str) -> Option<Apart<'t>>,
    /// The part of an expression that it has its value of, where a pattern cannot tell: the last one in a block.
    pub valued: for<'t> fn(Node<'t>) -> Option<Node<'t>>,
    /// What functions give back that are handed to a call tells what comes of the call.
    pub has_function_values: bool,
    /// Types say what operators make of their values.
    pub has_operators: bool,
    /// What is no local name may be a member, and what a test finds of it is said of the member.
    pub narrows_members: bool,
    /// The type of an argument, where it is written there and no reference tells it.
    pub written: fn(Node<'_>, &str) -> Option<String>,
    /// What an argument is, where its kind does not tell.
    pub given: fn(Node<'_>, &str) -> Option<ArgValue>,
    /// The type that the comment before a definition says it has or gives back, or that one of its parameters has.
    pub doc_type: for<'d> fn(&'d str, Option<&str>) -> Option<Cow<'d, str>>,
    /// Reads a comment that says something of types, by the definition that it is inside of.
    pub comment: Option<fn(Node<'_>, Option<u32>, &mut Walk<'_>)>,
    /// What must hold for a whole file to be part of the program.
    pub condition: for<'t> fn(&'t str) -> Option<&'t str>,
    /// Where the type of a value is written in the value, with what it holds.
    pub made_type: fn(Node<'_>, &str) -> Option<Range<usize>>,
    /// The owner of a definition as others write it, where that is more than its own node: `Outer::Inner`.
    pub owner: fn(Node<'_>, &str) -> Option<String>,
    /// The path that a `@qualifier` is part of.
    pub path: fn(Node<'_>, &str) -> Range<usize>,
    /// The language of an `@embed`.
    pub embedded: fn(Node<'_>, &str) -> Option<&'static Lang>,
    /// The lists in an `@embed` that its language does not know.
    pub foreign: for<'n> fn(Node<'n>, &str) -> Vec<Foreign<'n>>,
    /// A name as others write it: without the colon of a Ruby symbol.
    pub name: for<'a> fn(&'a str) -> &'a str,
    /// Where a definition ends that goes on behind its node.
    pub extent: fn(Node<'_>, &str) -> Option<usize>,
    /// Definitions of one name in a row are clauses of one function.
    pub has_clauses: bool,
    /// A bare name that is no local variable is a call.
    pub has_bare_calls: bool,
    /// What is called is written with the module that it is in as one word: `Shop::Util::sum(1)`.
    pub has_long_calls: bool,
    /// Nothing is written of what functions take, so that what they are given tells nothing.
    pub is_untyped: bool,
    /// What calls are given is of interest where a type is written there, and only there.
    pub only_written: bool,
    /// Several names that are given one value take a part of it each: the binding's type is `#` and which one.
    pub has_tuples: bool,
    /// What is before a type may be part of it, and so is what stands around the name: `const char *name`.
    pub has_pointers: bool,
    /// What calculations and elements are tells functions of one name apart.
    pub has_operations: bool,
    /// What is given a literal has the members of the language's own types and no others.
    pub has_plain_literals: bool,
    /// What `masked` leaves out are macros, which are used there.
    pub has_macros: bool,
    /// Functions may make values, and members are added to them where they stand.
    pub has_prototypes: bool,
    /// How many types a name is given is part of it.
    pub has_arity: bool,
    /// What a call is given and what that is called, where this is part of what is called; `_` is no name.
    pub labelled: Option<Labelled>,
    /// What the parameters of a function are called by those that call it; with a `?` if they may be left out.
    pub labels: fn(Node<'_>, &str) -> Option<String>,
    /// A local variable is known by its name in its own value.
    pub binds_at_once: bool,
    /// What is parsed in place of the text, as long as it is: with macros blanked out that the grammar cannot know.
    pub masked: Option<fn(&str) -> Option<String>>,
    /// Another syntax, for the texts of which this is true: one language may have several grammars.
    pub dialect: Option<Dialect>,
    /// Types can be derived from others.
    pub has_supertypes: bool,
    /// The name by which an argument is given: `name` of `f(name=1)`.
    pub argument_label: for<'t> fn(Node<'t>) -> Option<Node<'t>>,
    /// Whether callers may name a parameter as it is named inside, by what stands before and behind its name.
    pub named_by_callers: fn(&str, &str) -> bool,
    /// Where a string names a variable, which its grammar does not see.
    pub interpolated: for<'t> fn(Node<'t>, &str, &str) -> Vec<Interpolated>,
    /// What stands before the name of an interpolated variable; nothing if there are none that the grammar does not see.
    pub interpolation_mark: Option<char>,
    /// What can be compared of two signatures without knowing their types.
    pub signature_shape: fn(&str, &str) -> Option<SignatureShape>,
    /// How attributes begin that are part of a definition and not of its signature: `@`, `[`.
    pub attributes: &'static [&'static str],
}

/// A list in a text of another language that is not of that language.
pub(crate) struct Foreign<'n> {
    pub list: Node<'n>,
    /// What in it is read as tokens where it stands.
    pub expressions: Vec<Range<usize>>,
    /// What the embedded language is given in place of a range, the rest of which is blank.
    pub replaced: Vec<(Range<usize>, &'static str)>,
}

pub(crate) const DEFAULT: Hooks = Hooks {
    separator: ".",
    member_separator: None,
    reserved: "",
    visibility: |_| None,
    is_test: |_| false,
    is_definition: |_| true,
    kind: |definition| definition.kind,
    imports: None,
    exports: |_, _| {},
    declared: |_| None,
    tokens: |_, _| {},
    words: |_, _| None,
    members: |_| Vec::new(),
    derived: |_| Vec::new(),
    local_kind: |_, _| LocalKind::Plain,
    shape: |_, _| None,
    written: |_, _| None,
    given: |_, _| None,
    doc_type: |_, _| None,
    comment: None,
    condition: |_| None,
    made_type: |_, _| None,
    whole: |_, _| Whole::Unknown,
    tags: |_, _| Vec::new(),
    handed: |_, _| None,
    apart: |_, _| None,
    valued: |_| None,
    has_function_values: false,
    has_operators: false,
    narrows_members: false,
    owner: |_, _| None,
    path: |node, _| node.byte_range(),
    embedded: |_, _| None,
    foreign: |_, _| Vec::new(),
    name: |name| name,
    extent: |_, _| None,
    has_clauses: false,
    has_bare_calls: false,
    has_long_calls: false,
    is_untyped: false,
    only_written: false,
    has_tuples: false,
    has_pointers: false,
    has_operations: false,
    has_macros: false,
    has_prototypes: false,
    has_plain_literals: false,
    has_arity: false,
    labelled: None,
    labels: |_, _| None,
    binds_at_once: false,
    masked: None,
    dialect: None,
    has_supertypes: true,
    argument_label: |_| None,
    named_by_callers: |_, _| false,
    interpolated: |_, _, _| Vec::new(),
    interpolation_mark: None,
    signature_shape: |_, _| None,
    attributes: &[],
};

impl std::fmt::Debug for Syntax {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Syntax").finish_non_exhaustive()
    }
}

/// A definition, as the functions of a language see it.
pub(crate) struct Definition<'a> {
    pub node: Node<'a>,
    pub name: &'a str,
    pub kind: SymbolKind,
    /// Of the symbol around it.
    pub parent: Option<SymbolKind>,
    /// The signature of the symbol around it.
    pub parent_head: &'a str,
    /// It stands inside an `@export`.
    pub is_exported: bool,
    /// Its leading comments and attributes.
    pub lead: &'a str,
    /// From its beginning, decorators included, to its body.
    pub head: &'a str,
    /// Where in it the name begins.
    pub name_in_head: usize,
    /// The whole file.
    pub text: &'a str,
}

/// A syntax and the texts it is for.
pub(crate) type Dialect = (fn(&str) -> bool, &'static Syntax);

pub(crate) type Labelled = for<'t, 's> fn(Node<'t>, &'s str) -> Vec<(&'s str, Node<'t>)>;

/// Takes a name, its role, and the receiver or path before it.
pub(crate) type TokenSink<'a, 't> = dyn FnMut(Node<'t>, Role, Option<Node<'t>>, Option<Node<'t>>) + 'a;

/// Whether a text is the name of a type, perhaps with those of the types that it is in.
fn is_path_of_type(text: &str) -> bool {
    text.starts_with(char::is_uppercase) && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
}

/// `a.b` of the type `a.b.C`, by its last part: there is no node for it.
fn path_of_type(last: Node<'_>, text: &str) -> Range<usize> {
    if !is_behind(last, text, ".") {
        return last.byte_range();
    }
    let whole = last.parent().filter(|whole| whole.kind() == "user_type");
    whole.map_or(last.start_byte(), |whole| whole.start_byte())..last.end_byte()
}

/// Where a word is in a text, which may be a whole file: several times faster than the standard library's search.
pub(crate) fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    memchr::memmem::find_iter(text.as_bytes(), word)
}

/// Whether a sign stands before a node. Asking the tree for what is around a node begins at its top: the text tells at once
/// where there is nothing to ask.
pub(crate) fn is_behind(node: Node<'_>, text: &str, sign: &str) -> bool {
    let before = text.get(..node.start_byte());
    before.is_some_and(|before| before.trim_end().ends_with(sign))
}

/// A member that a macro declares; where in its text.
pub(crate) struct MadeMember {
    pub ty: Range<usize>,
    pub name: Range<usize>,
    pub end: usize,
}

/// Takes where a name is in a text, its role, and what stands before it. What it gives back is the reference it became.
pub(crate) type WordSink<'a> = dyn FnMut(Range<usize>, Role, Before) -> Option<u32> + 'a;

/// What stands before a name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Before {
    Nothing,
    Path(Range<usize>),
    /// The value of another reference, or of something that is none.
    Value(Option<u32>),
}

pub(crate) struct Declared<'t> {
    pub name: Node<'t>,
    pub owner: Option<Node<'t>>,
}

impl Syntax {
    const fn new(grammar: LanguageFn, query: &'static str, hooks: Hooks) -> Syntax {
        Syntax {
            grammar,
            query,
            hooks,
            compiled: OnceLock::new(),
        }
    }

    /// The syntax for a text: this one or its dialect.
    pub fn for_text(&'static self, text: &str) -> &'static Syntax {
        match self.hooks.dialect {
            Some((is_dialect, dialect)) if is_dialect(text) => dialect,
            _ => self,
        }
    }

    /// The grammar and its query, made ready on first use: nobody pays for languages that they do not have.
    pub fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| {
            let language = Language::new(self.grammar);
            Compiled {
                vocabulary: Vocabulary::new(&language),
                rules: Rules::compile(&language, self.query),
                language,
            }
        })
    }
}

impl Definition<'_> {
    /// The words of the head before the name: modifiers and the like.
    fn modifiers(&self) -> impl Iterator<Item = &str> {
        let before = self.head.get(..self.name_in_head).unwrap_or(self.head);
        before
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '@'))
            .filter(|word| !word.is_empty())
    }

    /// The visibility that a modifier says, in the words that most languages share.
    fn stated_visibility(&self) -> Option<Visibility> {
        self.modifiers().find_map(|word| match word {
            "public" | "open" | "pub" => Some(Visibility::Public),
            "protected" => Some(Visibility::Protected),
            "internal" | "package" => Some(Visibility::Internal),
            "private" | "fileprivate" => Some(Visibility::Private),
            _ => None,
        })
    }
}

/// Of languages that are translated to C.
const C_SOURCES: Conventions = Conventions {
    generates: &[LangId::C, LangId::Cpp],
    ..CONVENTIONS
};

/// Whatever is text and nothing else.
pub static PLAINTEXT: Lang = lang(
    "plaintext",
    &["text", "txt"],
    &["txt", "text", "log"],
    &["LICENSE", "COPYING"],
    &[],
)
.of_content(Content::Prose);

/// Declares the languages, in the order in which they are listed: one line each.
macro_rules! languages {
    ($($id:ident => $lang:expr,)*) => {
        /// A language, by its place in `LANGS`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum LangId { $($id,)* Plaintext }

        pub static LANGS: &[Lang] = &[$($lang.with_id(LangId::$id),)*];
    };
}

// Those without a module of their own: name, aliases, extensions, file names, interpreters.
#[rustfmt::skip]
languages! {
    Rust => rust::LANG,
    Python => python::LANG,
    TypeScript => typescript::LANG,
    JavaScript => javascript::LANG,
    Go => go::LANG,
    Java => java::LANG,
    C => c::LANG,
    Cpp => cpp::LANG,
    CSharp => csharp::LANG,
    Ruby => ruby::LANG,
    Php => php::LANG,
    Kotlin => kotlin::LANG,
    Swift => swift::LANG,
    Scala => scala::LANG,
    Bash => bash::LANG,
    Fish => lang("fish", &[], &["fish"], &[], &["fish"]),
    PowerShell => powershell::LANG,
    Batch => lang("batch", &["bat", "cmd"], &["bat", "cmd"], &[], &[]),
    Lua => lua::LANG,
    Perl => perl::LANG,
    Elixir => elixir::LANG,
    Erlang => erlang::LANG,
    Haskell => haskell::LANG,
    OCaml => ocaml::LANG,
    FSharp => lang("fsharp", &["f#", "fs"], &["fs", "fsi", "fsx"], &[], &[]),
    Zig => zig::LANG,
    Dart => dart::LANG,
    R => r::LANG,
    Julia => julia::LANG,
    ObjC => objc::LANG,
    Clojure => clojure::LANG,
    Elm => elm::LANG,
    Groovy => groovy::LANG,
    Solidity => solidity::LANG,
    GdScript => gdscript::LANG,
    Fortran => fortran::LANG,
    Pascal => pascal::LANG,
    Ada => lang("ada", &[], &["adb", "ads"], &[], &[]),
    D => lang("d", &["dlang"], &["d"], &[], &[]),
    Nim => lang("nim", &[], &["nim", "nims"], &[], &["nim"]),
    Crystal => lang("crystal", &["cr"], &["cr"], &[], &["crystal"]),
    CommonLisp => lang("commonlisp", &["lisp"], &["lisp", "lsp", "cl", "asd"], &[], &["sbcl"]),
    Elisp => lang("elisp", &["emacs-lisp"], &["el"], &[], &[]),
    Scheme => lang("scheme", &[], &["scm", "ss", "rkt"], &[], &["racket", "guile"]),
    Tcl => lang("tcl", &[], &["tcl", "tm"], &[], &["tclsh", "wish"]),
    Awk => lang("awk", &[], &["awk"], &[], &["awk", "gawk"]),
    Jq => lang("jq", &[], &["jq"], &[], &["jq"]),
    Yacc => lang("yacc", &["bison"], &["y", "yy", "ypp"], &[], &[]).with_conventions(C_SOURCES),
    Lex => lang("lex", &["flex"], &["l", "lex", "lpp"], &[], &[]).with_conventions(C_SOURCES),
    Antlr => lang("antlr", &[], &["g4"], &[], &[]),
    Verilog => lang("verilog", &["systemverilog"], &["v", "sv", "svh"], &[], &[]),
    Vhdl => lang("vhdl", &[], &["vhd", "vhdl"], &[], &[]),
    Asm => lang("asm", &["assembly"], &["s", "asm", "nasm"], &[], &[]),
    Glsl => lang("glsl", &[], &["glsl", "vert", "frag", "comp", "geom"], &[], &[]),
    Sql => sql::LANG,
    Html => html::LANG,
    Css => css::LANG,
    Scss => lang("scss", &["sass", "less"], &["scss", "sass", "less"], &[], &[]).of_content(Content::Data),
    Vue => vue::LANG,
    Svelte => svelte::LANG,
    Astro => lang("astro", &[], &["astro"], &[], &[]),
    Markdown => markdown::LANG,
    RestructuredText => lang("restructuredtext", &["rst"], &["rst"], &[], &[]).of_content(Content::Prose),
    AsciiDoc => lang("asciidoc", &["adoc"], &["adoc", "asciidoc"], &[], &[]).of_content(Content::Prose),
    Latex => lang("latex", &["tex"], &["tex", "sty", "cls", "bib"], &[], &[]).of_content(Content::Prose),
    Json => json::LANG,
    Yaml => yaml::LANG,
    Toml => toml::LANG,
    Ini => lang("ini", &["conf", "cfg", "properties"], &["ini", "cfg", "conf", "properties"], &[".editorconfig", ".gitconfig", ".gitmodules"], &[]).of_content(Content::Data),
    Xml => lang("xml", &[], &["xml", "xsd", "xsl", "xslt", "svg", "plist", "csproj", "vcxproj", "pom"], &[], &[]).of_content(Content::Data),
    Hcl => hcl::LANG,
    Protobuf => protobuf::LANG,
    GraphQl => graphql::LANG,
    Thrift => lang("thrift", &[], &["thrift"], &[], &[]),
    Dockerfile => dockerfile::LANG,
    Make => make::LANG,
    Cmake => cmake::LANG,
    Starlark => lang("starlark", &["bazel"], &["bzl", "bazel", "star"], &["BUILD", "WORKSPACE", "BUILD.bazel", "WORKSPACE.bazel", "MODULE.bazel"], &[]),
    Nix => nix::LANG,
    Just => lang("just", &[], &["just"], &["justfile", "Justfile"], &["just"]),
    Vim => lang("vim", &["vimscript"], &["vim"], &[".vimrc"], &[]),
    Diff => lang("diff", &["patch"], &["diff", "patch"], &[], &[]).of_content(Content::Data),
}

impl LangId {
    /// How many there are.
    pub const COUNT: usize = LangId::Plaintext as usize + 1;

    pub fn lang(self) -> &'static Lang {
        LANGS.get(self as usize).unwrap_or(&PLAINTEXT)
    }

    pub fn name(self) -> &'static str {
        self.lang().name
    }
}

/// How the names of files end that a build fills in, and that are named as the result but for it: `config.h.in`.
pub const TEMPLATE: &str = ".in";

/// The language of a file: by its name, else its extension, else the interpreter in its first line.
pub fn detect(file_name: &str, first_line: &[u8]) -> &'static Lang {
    let made = || file_name.strip_suffix(TEMPLATE);
    by_file_name(file_name)
        .or_else(|| by_extension(file_name))
        .or_else(|| by_extension(made()?))
        .or_else(|| by_interpreter(first_line))
        .or_else(|| by_beginning(file_name, first_line))
        .unwrap_or(&PLAINTEXT)
}

/// The id of a language by its exact name; plain text if there is none of that name.
pub fn lang_id(name: &str) -> LangId {
    let known = LANGS.iter().find(|lang| lang.name == name);
    known.map_or(LangId::Plaintext, |lang| lang.id)
}

/// A language by its name, an alias or an extension, in any case: `TypeScript`, `ts`, `c++`.
pub fn lang_by_name(name: &str) -> Option<&'static Lang> {
    // As it is written in the index, and asked for most.
    if let Some(lang) = LANGS.iter().find(|lang| lang.name == name) {
        return Some(lang);
    }
    let name = name.trim().trim_start_matches('.').to_ascii_lowercase();
    let all = || LANGS.iter().chain([&PLAINTEXT]);
    all()
        .find(|lang| lang.name == name || lang.aliases.contains(&name.as_str()))
        .or_else(|| all().find(|lang| lang.extensions.contains(&name.as_str())))
}

/// Names for "did you mean" when `lang_by_name` knows nothing.
pub fn nearest_lang(name: &str, distance: impl Fn(&str, &str) -> f64) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let scored = LANGS.iter().map(|lang| (distance(lang.name, &name), lang.name));
    scored
        .filter(|(score, _)| *score > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

fn by_file_name(file_name: &str) -> Option<&'static Lang> {
    let whole = LANGS
        .iter()
        .chain([&PLAINTEXT])
        .find(|lang| lang.filenames.contains(&file_name));
    // `Dockerfile.dev`, `Makefile.am`: a known name with a suffix, unless the suffix is an extension of its own.
    whole.or_else(|| {
        let (stem, suffix) = file_name.split_once('.')?;
        let known = LANGS.iter().find(|lang| lang.filenames.contains(&stem))?;
        LANGS
            .iter()
            .all(|lang| !lang.extensions.contains(&suffix))
            .then_some(known)
    })
}

fn by_extension(file_name: &str) -> Option<&'static Lang> {
    let (_, extension) = file_name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    LANGS
        .iter()
        .chain([&PLAINTEXT])
        .find(|lang| lang.extensions.contains(&extension.as_str()))
}

fn by_interpreter(first_line: &[u8]) -> Option<&'static Lang> {
    let line = first_line.strip_prefix(b"#!")?;
    let line = line.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line.get(..line.len().min(200))?).ok()?;
    let mut words = line
        .split_whitespace()
        .filter(|word| !word.starts_with('-') && !word.contains('='));
    let program = words.next()?.rsplit('/').next()?;
    let program = if program == "env" {
        words.next()?.rsplit('/').next()?
    } else {
        program
    };
    // `python3.11` is `python3`.
    let program = program.split('.').next()?;
    LANGS.iter().find(|lang| lang.interpreters.contains(&program))
}

/// What sources of many languages include ends in `.inc`; that of C and C++ begins with a comment or a directive.
fn by_beginning(file_name: &str, text: &[u8]) -> Option<&'static Lang> {
    let begins = |word: &&[u8]| text.trim_ascii_start().starts_with(word);
    let signs: [&[u8]; 7] = [b"//", b"/*", b"#include", b"#if", b"#define", b"#pragma", b"#undef"];
    let is_c = file_name.ends_with(".inc") && signs.iter().any(begins);
    is_c.then(|| LangId::Cpp.lang())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn files_are_recognised_by_name_extension_and_shebang() {
        for (name, first_line, expected) in [
            ("main.rs", "", "rust"),
            ("App.TSX", "", "typescript"),
            ("util.jsx", "", "javascript"),
            ("a.h", "", "cpp"),
            ("Makefile", "", "make"),
            ("Makefile.am", "", "make"),
            ("Dockerfile.dev", "", "dockerfile"),
            ("config.h.in", "", "cpp"),
            ("requirements.in", "", "plaintext"),
            ("README.md", "", "markdown"),
            ("grammar.y", "", "yacc"),
            ("run", "#!/usr/bin/env -S python3.11 -u\n", "python"),
            ("run", "#!/bin/sh -e\n", "bash"),
            ("run", "#!/opt/odd\n", "plaintext"),
            ("notes.txt", "#!/bin/sh", "plaintext"),
            ("x.unknown", "", "plaintext"),
            ("table.inc", "\n// Made by hand.\n", "cpp"),
            ("table.inc", "#ifndef TABLE\n", "cpp"),
            ("recipe.inc", "# A part of a recipe\n", "plaintext"),
            ("page.inc", "<?php\n", "plaintext"),
            ("LICENSE", "", "plaintext"),
        ] {
            assert_eq!(
                detect(name, first_line.as_bytes()).name,
                expected,
                "{name} {first_line}"
            );
        }
    }

    #[test]
    fn a_language_answers_to_its_names() {
        for (asked, expected) in [
            ("TypeScript", "typescript"),
            ("tsx", "typescript"),
            ("c++", "cpp"),
            (".py", "python"),
        ] {
            assert_eq!(lang_by_name(asked).map(|lang| lang.name), Some(expected));
        }
        assert_eq!(lang_by_name("klingon"), None);
    }

    #[test]
    fn no_two_languages_claim_the_same_sign() {
        let mut claimed: HashMap<String, &str> = HashMap::new();
        for lang in LANGS.iter().chain([&PLAINTEXT]) {
            let extensions = lang.extensions.iter().map(|sign| format!(".{sign}"));
            let filenames = lang.filenames.iter().map(|sign| format!("name {sign}"));
            let interpreters = lang.interpreters.iter().map(|sign| format!("#!{sign}"));
            for sign in extensions.chain(filenames).chain(interpreters) {
                assert_eq!(claimed.insert(sign.clone(), lang.name), None, "{sign} is claimed twice");
            }
        }
    }
}
