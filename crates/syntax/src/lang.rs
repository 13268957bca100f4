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
mod detect;
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
mod hooks;
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

use crate::{
    extract::Walk,
    facts::{FileFacts, Symbol, SymbolKind},
    signature_shape::SignatureShape,
};

pub use self::detect::{TEMPLATE, detect, lang_by_name, lang_id, nearest_lang};
pub(crate) use self::hooks::{
    Before, DEFAULT, Declared, Definition, Foreign, Hooks, MadeMember, Syntax, TokenSink, WordSink, is_behind,
    is_path_of_type, path_of_type, places,
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
        let parent = symbol.parent.map(|parent| facts.symbols[parent].kind);
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
