//! What the grammar of a language and its query say, and the functions for what a query cannot say.

use std::{borrow::Cow, ops::Range, sync::OnceLock};

use tree_sitter::Language;
use tree_sitter_language::LanguageFn;

use crate::{
    extract::{Apart, Handed, Walk, Whole},
    facts::{ArgValue, LocalKind, RefIdx, Role, Shape, SymbolIdx, SymbolKind, Visibility},
    locals::Interpolated,
    query::Rules,
    signature_shape::SignatureShape,
    tree::{Node, Vocabulary},
};

use super::Lang;

/// A grammar, the query that reads its trees, and what a query cannot say.
pub(crate) struct Syntax {
    grammar: LanguageFn,
    pub(super) query: &'static str,
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
    pub words: fn(&str, &mut WordSink<'_>) -> Option<RefIdx>,
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
    pub comment: Option<fn(Node<'_>, Option<SymbolIdx>, &mut Walk<'_>)>,
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
pub(crate) fn is_path_of_type(text: &str) -> bool {
    text.starts_with(char::is_uppercase) && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
}

/// `a.b` of the type `a.b.C`, by its last part: there is no node for it.
pub(crate) fn path_of_type(last: Node<'_>, text: &str) -> Range<usize> {
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
pub(crate) type WordSink<'a> = dyn FnMut(Range<usize>, Role, Before) -> Option<RefIdx> + 'a;

/// What stands before a name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Before {
    Nothing,
    Path(Range<usize>),
    /// The value of another reference, or of something that is none.
    Value(Option<RefIdx>),
}

pub(crate) struct Declared<'t> {
    pub name: Node<'t>,
    pub owner: Option<Node<'t>>,
}

impl Syntax {
    pub(crate) const fn new(grammar: LanguageFn, query: &'static str, hooks: Hooks) -> Syntax {
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
    pub(super) fn modifiers(&self) -> impl Iterator<Item = &str> {
        let before = self.head.get(..self.name_in_head).unwrap_or(self.head);
        before
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '@'))
            .filter(|word| !word.is_empty())
    }

    /// The visibility that a modifier says, in the words that most languages share.
    pub(super) fn stated_visibility(&self) -> Option<Visibility> {
        self.modifiers().find_map(|word| match word {
            "public" | "open" | "pub" => Some(Visibility::Public),
            "protected" => Some(Visibility::Protected),
            "internal" | "package" => Some(Visibility::Internal),
            "private" | "fileprivate" => Some(Visibility::Private),
            _ => None,
        })
    }
}
