//! One walk over the tree of a file that finds everything in it.
//!
//! Nodes are visited in the order of the text. What a pattern captures is marked and dealt with when the walk gets
//! there, so that references come out in order and each is looked at once. Nothing here recurses over the tree: its
//! depth is the file's choice.

mod apply;
mod arguments;
mod around;
mod bind;
mod define;
mod document;
mod finish;
mod names;
mod narrow;
mod parse;
mod refer;

use std::{collections::VecDeque, ops::Range};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use source::{LineIndex, Span};
use tree_sitter::Range as TreeRange;

use self::{
    apply::Matched,
    document::Cast,
    finish::sorted,
    parse::{Budget, masked},
    refer::unquoted,
};
pub(crate) use self::{arguments::given_by, document::Documented, narrow::tag_value};
use crate::{
    chunk::{self, ChunkOptions, Cut},
    facts::{
        Annotation, ArgValue, Argument, ArgumentSlot, Binding, Context, ContextId, FileFacts, Import, NameId, Names,
        Note, Pattern, PatternStep, Problem, Qualifier, RefIdx, Reference, Role, Symbol, SymbolIdx, SymbolKind, Tag,
        TypeSource,
    },
    lang::{DEFAULT, Hooks, Lang, Syntax},
    locals::Home,
    query::{Capture, Captured, Says, Work},
    tree::{Node, Tree},
};

/// Nobody nests deeper; what is there is walked over, so that looking around from a node stays cheap.
const MAX_DEPTH: u32 = 1024;

/// Texts in other languages inside one file that are parsed too.
const MAX_EMBEDDED: usize = 1024;

pub(crate) fn file_facts(lang: &'static Lang, text: &str, options: ChunkOptions) -> FileFacts {
    let lines = LineIndex::new(text);
    let mut facts = FileFacts {
        blank_lines: (1..=lines.count())
            .filter(|line| is_blank(&text[lines.span(*line).range()]))
            .count() as u32,
        ..FileFacts::default()
    };
    let mut walk = Walk::new(text, &lines, options);
    match lang.syntax.map(|syntax| walk.file(syntax)) {
        None => facts.chunks = chunk::by_lines(text, options),
        Some(Err(problem)) => {
            facts.problem = Some(problem);
            facts.chunks = chunk::by_lines(text, options);
        }
        Some(Ok(())) => {
            facts.chunks = chunk::by_cuts(text, &lines, &walk.cuts, options);
            walk.finish(&mut facts);
        }
    }
    facts.lines = lines;
    facts
}

/// Where each of the local names of a text lives, in the order of `FileFacts::bindings`.
pub(crate) fn homes(lang: &'static Lang, text: &str) -> Vec<Home> {
    let lines = LineIndex::new(text);
    let mut walk = Walk::new(text, &lines, ChunkOptions { size: 512, overlap: 0 });
    walk.homes = Some(Vec::new());
    match lang.syntax.map(|syntax| walk.file(syntax)) {
        Some(Ok(())) => {
            let (order, _) = sorted(walk.bindings.len(), |at| walk.bindings[at].at);
            let homes = walk.homes.unwrap_or_default();
            order.iter().map(|at| homes[*at as usize]).collect()
        }
        _ => Vec::new(),
    }
}

/// What `read` finds in a text's tree; nothing if it has none.
pub(crate) fn with_tree<T>(lang: &'static Lang, text: &str, read: impl FnOnce(&Tree<'_>) -> T) -> Option<T> {
    let syntax = lang.syntax?.for_text(text);
    let masked = masked(syntax, text);
    let parsed = masked.as_deref().unwrap_or(text);
    parse::read(syntax, parsed, None, &mut Budget::new(text), read).ok()
}

/// Shows `see` every node of a text's tree, in the order of the text.
pub(crate) fn each_node(lang: &'static Lang, text: &str, mut see: impl FnMut(Node<'_>)) {
    with_tree(lang, text, |tree| {
        tree.nodes().for_each(&mut see);
    });
}

/// What tree-sitter by itself makes of a text.
pub(crate) fn bare_parse(lang: &'static Lang, text: &str) -> Option<tree_sitter::Tree> {
    let syntax = lang.syntax?.for_text(text);
    parse::bare(syntax, masked(syntax, text).as_deref().unwrap_or(text), None)
}

/// Our trees of a text and of the texts in other languages inside of it, compared with those of tree-sitter by itself.
#[derive(Debug, Default)]
pub struct TreeComparison {
    /// Texts in other languages that were parsed, as ranges of the text.
    pub n_embedded: usize,
    /// The first node that differs.
    pub difference: Option<String>,
}

pub(crate) fn compare_trees(lang: &'static Lang, text: &str) -> TreeComparison {
    const GAVE_UP: &str = "one of the parsers gave up";
    let Some(syntax) = lang.syntax else {
        return TreeComparison::default();
    };
    let lines = LineIndex::new(text);
    let (mut n_trees, mut n_embedded, mut difference) = (0, 0, None);
    let mut compare = |syntax: &'static Syntax, text: &str, range: Option<TreeRange>, tree: &Tree<'_>| {
        n_trees += 1;
        n_embedded += usize::from(range.is_some());
        let find = || match parse::bare(syntax, text, range) {
            Some(theirs) => tree.difference(&theirs),
            None => Some(GAVE_UP.to_owned()),
        };
        difference = difference.take().or_else(find);
    };
    let mut walk = Walk::new(text, &lines, ChunkOptions { size: 512, overlap: 0 });
    let outcome = walk.each_tree(syntax, &mut compare);
    if n_trees == 0 && outcome.is_err() && bare_parse(lang, text).is_some() {
        difference = Some(GAVE_UP.to_owned());
    }
    TreeComparison { n_embedded, difference }
}

/// Is shown what was parsed: the language, the text, the range of it, and the tree.
type SeeTree<'s> = dyn FnMut(&'static Syntax, &str, Option<TreeRange>, &Tree<'_>) + 's;

/// What was said of a node before the walk got there: what it is, and beside that whether its value is wanted, whether it
/// goes on with the branch around it, and whether it is dealt with.
#[derive(Default)]
struct Expected {
    marked: Option<Marked>,
    is_wanted: bool,
    is_flat: bool,
    is_skipped: bool,
}

/// Something that a pattern said of a node that the walk has not reached.
#[derive(Clone, Copy)]
struct Mark {
    node: usize,
    /// Where the node begins.
    at: u32,
    what: Marked,
}

#[derive(Clone, Copy)]
enum Marked {
    /// The name of a definition or of a local variable: no reference.
    Declared,
    Reference {
        role: Role,
        on: Before,
        arguments: Option<Arguments>,
    },
    /// Some reference or definition needs to know its value.
    Wanted,
    /// A definition that is nothing but its name.
    Define(SymbolKind),
    /// An `if` that goes on with an `else`: it is not nested in the one before.
    Flat,
    /// Nothing in it is a use of anything.
    Skipped,
}

/// What stands before a name, as the pattern saw it.
#[derive(Clone, Copy)]
enum Before {
    Nothing,
    Receiver(usize),
    /// A receiver that is written behind the name.
    Later(usize),
    Path(Span),
    /// A path that is not written there.
    Made(NameId),
    Context(ContextId),
}

/// What a call is given: the last ones in the walk's list when its name was marked.
#[derive(Clone, Copy)]
struct Arguments {
    first: u32,
    /// With what is said of them as a whole.
    all: u8,
    count: u8,
}

/// An argument whose value is only known when the walk is over.
struct Pending {
    /// `None` until the walk gets to the call's name.
    call: Option<RefIdx>,
    node: usize,
    given: ArgValue,
}

/// What an expression's value is.
#[derive(Clone, Copy)]
enum Value {
    Known(Qualifier),
    /// The same as another node's.
    Same(usize),
}

/// A node around the current one that matters for what is inside.
struct Frame {
    depth: u32,
    start: u32,
    end: u32,
    symbol: Option<SymbolIdx>,
    is_scope: bool,
    nests: bool,
    /// A function without a name.
    is_closure: bool,
    /// Where the name of the call is, if it is one.
    call: Option<u32>,
    subject: Option<Subject>,
    /// The type whose members are named inside.
    whole: Option<Before>,
}

/// What a function is passed to or assigned to, under which name if it is one of several, and which of its parameters is
/// meant.
pub(crate) struct Handed {
    pub whole: Whole,
    pub key: Option<Range<usize>>,
    pub nth: usize,
}

/// One step to a name in a pattern, with the ranges of names in the text.
pub(crate) type TextStep = PatternStep<Range<usize>>;

/// Where a name in a pattern gets its value.
pub(crate) struct Apart<'t> {
    /// From the whole to the name.
    pub steps: Vec<TextStep>,
    pub whole: TakenFrom<'t>,
}

impl<'t> Apart<'t> {
    /// By the steps from the name outwards, as a tree is climbed.
    pub fn climbed(mut steps: Vec<TextStep>, whole: TakenFrom<'t>) -> Apart<'t> {
        steps.reverse();
        Apart { steps, whole }
    }
}

/// What a pattern takes apart.
pub(crate) enum TakenFrom<'t> {
    Value(Node<'t>),
    /// What a function is handed.
    Handed(Handed),
}

/// Whose members are named in a literal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// Of a type that is written.
    Type(Span),
    /// Of what a call takes, by where its name is, as which argument.
    Taken(u32, ArgumentSlot),
    /// Of what is given a value, by where its name is.
    Assigned(u32),
    /// Of a member of such, by where its name is written.
    Member(Box<Whole>, Range<usize>),
    /// Of an element of such.
    Element(Box<Whole>),
    /// Of what such a function gives back.
    Result(Box<Whole>),
    /// Of nothing but what a function gives back, by where the function's name is.
    Returned(u32),
    /// Not told.
    Unknown,
}

/// What the patterns inside of a node take apart.
#[derive(Clone, Copy)]
enum Subject {
    Value {
        node: usize,
        span: Span,
        /// It is a name that the node around gives to something.
        is_local: bool,
        /// It is several values: `(a, b)`.
        is_tuple: bool,
    },
    /// What the call around hands to the function that it is given.
    Passed(Option<RefIdx>),
}

impl Frame {
    fn new(depth: u32, span: Span) -> Frame {
        Frame {
            depth,
            start: span.start,
            end: span.end,
            symbol: None,
            is_scope: false,
            nests: false,
            is_closure: false,
            call: None,
            subject: None,
            whole: None,
        }
    }

    /// Whether it matters for what is inside.
    fn says(&self) -> bool {
        self.symbol.is_some()
            || self.is_scope
            || self.nests
            || self.call.is_some()
            || self.subject.is_some()
            || self.whole.is_some()
    }
}

/// Comments and attributes that may belong to the definition that follows.
#[derive(Clone, Copy, Default)]
struct Lead {
    start: u32,
    /// The last line, from 0; the lead belongs to what begins on the same or the next.
    last_row: Option<usize>,
    doc: Option<Span>,
}

#[derive(Clone, Copy)]
struct Wrapper {
    depth: u32,
    start: u32,
    end: u32,
    lead: Lead,
    exports: bool,
    /// Only the first definition inside begins where the wrapper does.
    used: bool,
}

/// A text inside the text that is read by itself.
#[derive(Clone, Copy)]
struct Embedded {
    range: TreeRange,
    syntax: &'static Syntax,
    /// The symbol that it is inside of, if that is how its language sees it.
    parent: Option<SymbolIdx>,
}

pub(crate) struct Walk<'t> {
    text: &'t str,
    lines: &'t LineIndex,
    chunk_bytes: u32,
    interned: FxHashMap<&'t str, NameId>,
    /// Names that are not in the text as such.
    made: FxHashMap<String, NameId>,
    names: Names,
    symbols: Vec<Symbol>,
    /// The fields among them, by what they are part of and their name.
    fields: FxHashMap<(SymbolIdx, NameId), Vec<SymbolIdx>>,
    references: Vec<Reference>,
    imports: Vec<Import>,
    bindings: Vec<Binding>,
    annotations: Vec<Annotation>,
    contexts: Vec<Context>,
    context_ids: FxHashMap<Context, ContextId>,
    patterns: Vec<Pattern>,
    tags: Vec<Tag>,
    /// One for each binding, where somebody asks for them.
    homes: Option<Vec<Home>>,
    arguments: Vec<Argument>,
    pending: Vec<Pending>,
    /// Values that are only known when the walk is over: of symbols, of bindings.
    symbol_values: Vec<(usize, usize)>,
    binding_values: Vec<(usize, usize)>,
    /// By where a list ends, others than the first of its values; by where a call's name is, what its function gives back.
    list_others: Vec<(u32, usize)>,
    /// Further values of local names.
    binding_others: Vec<(usize, usize)>,
    /// Local names that a statement declares without a type: they may be given values behind it.
    open_locals: Vec<usize>,
    /// References, and the nodes behind them that they are members of.
    later: Vec<(usize, usize)>,
    values: FxHashMap<usize, Value>,
    pub cuts: Vec<Cut>,
    /// The end of the last definition's signature: it stays in one piece with the comments before it.
    whole_until: u32,
    comment_lines: u32,
    last_comment_row: Option<usize>,
    embedded: Vec<Embedded>,
    /// Names that comments have for any type.
    type_parameters: FxHashSet<&'t str>,
    cast: Option<Cast>,
    /// What an embedded text has elsewhere in place of a range.
    replaced: Vec<(Range<usize>, &'static str)>,
    /// Of the tree that is walked.
    hooks: &'static Hooks,
}

/// The part of a walk that belongs to one tree.
struct Passage<'t> {
    /// By where the node begins, which tells those that were passed over, and then in the order they were made.
    marks: VecDeque<Mark>,
    frames: Vec<Frame>,
    lead: Lead,
    wrapper: Option<Wrapper>,
    captured: Captured<'t>,
    /// Every node up to this depth around the current one is larger than a chunk.
    big_depth: u32,
    /// The end of the last import: before it, names are imported.
    import_until: u32,
    /// The end of the last function's type.
    inner_until: u32,
    /// The operator and end of the boolean expression that the walk is in.
    logical: Option<(&'t str, u32)>,
    /// The end of a scope, and a name that is not its own.
    outer: Vec<(u32, &'t str)>,
    /// By the end of the scope and the name: where a local name was given its last value, and that value.
    given: FxHashMap<(u32, NameId), (Node<'t>, usize)>,
    /// What local names were said to be, by the end of their scope.
    declared: FxHashMap<(u32, NameId), (Node<'t>, TypeSource)>,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str, lines: &'t LineIndex, options: ChunkOptions) -> Walk<'t> {
        Walk {
            text,
            lines,
            chunk_bytes: options.size,
            interned: FxHashMap::with_capacity_and_hasher(text.len() / 48, FxBuildHasher),
            made: FxHashMap::default(),
            names: Names::default(),
            symbols: Vec::new(),
            fields: FxHashMap::default(),
            references: Vec::with_capacity(text.len() / 16),
            imports: Vec::new(),
            bindings: Vec::new(),
            annotations: Vec::new(),
            contexts: Vec::new(),
            context_ids: FxHashMap::default(),
            patterns: Vec::new(),
            tags: Vec::new(),
            homes: None,
            arguments: Vec::new(),
            pending: Vec::new(),
            symbol_values: Vec::new(),
            binding_values: Vec::new(),
            list_others: Vec::new(),
            binding_others: Vec::new(),
            open_locals: Vec::new(),
            later: Vec::new(),
            values: FxHashMap::default(),
            cuts: Vec::new(),
            whole_until: 0,
            comment_lines: 0,
            last_comment_row: None,
            embedded: Vec::new(),
            type_parameters: FxHashSet::default(),
            cast: None,
            replaced: Vec::new(),
            hooks: &DEFAULT,
        }
    }

    fn file(&mut self, syntax: &'static Syntax) -> Result<(), Problem> {
        self.each_tree(syntax, &mut |_, _, _, _| {})
    }

    /// Walks over the tree of the file and those of the texts in other languages inside of it, and shows each to `see`.
    fn each_tree(&mut self, syntax: &'static Syntax, see: &mut SeeTree<'_>) -> Result<(), Problem> {
        let syntax = syntax.for_text(self.text);
        let masked = masked(syntax, self.text);
        let mut budget = Budget::new(self.text);
        let parsed = masked.as_deref().unwrap_or(self.text);
        parse::read(syntax, parsed, None, &mut budget, |tree| {
            see(syntax, parsed, None, tree);
            self.tree(syntax, tree, None);
        })?;
        if let Some(condition) = (syntax.hooks.condition)(self.text) {
            let condition = self.intern_made(condition);
            self.note(0, Note::FileCondition(condition));
        }
        if let Some(masked) = masked.as_deref().filter(|_| syntax.hooks.has_macros) {
            self.refer_to_masked(masked);
        }
        let mut done = 0;
        while done < MAX_EMBEDDED && done < self.embedded.len() {
            let Embedded { range, syntax, parent } = self.embedded[done];
            done += 1;
            let span = Span {
                start: range.start_byte as u32,
                end: range.end_byte as u32,
            };
            let parent = parent.map(|parent| (parent, span));
            let readable = self.with_replaced(span);
            let text = readable.as_deref().unwrap_or(self.text);
            parse::read(syntax, text, Some(range), &mut budget, |tree| {
                see(syntax, text, Some(range), tree);
                self.tree(syntax, tree, parent);
            })?;
        }
        Ok(())
    }

    /// The text as the language of an embedded part of it understands it, if that is another.
    fn with_replaced(&self, part: Span) -> Option<String> {
        let part = part.range();
        let is_inside = |at: &Range<usize>| part.start <= at.start && at.end <= part.end;
        let mut replaced = self.replaced.iter().filter(|(at, _)| is_inside(at)).peekable();
        replaced.peek()?;
        let mut bytes = self.text.as_bytes().to_vec();
        for (at, word) in replaced {
            for byte in bytes[at.clone()].iter_mut().filter(|byte| **byte != b'\n') {
                *byte = b' ';
            }
            bytes[at.start..at.start + word.len()].copy_from_slice(word.as_bytes());
        }
        String::from_utf8(bytes).ok()
    }

    fn tree(&mut self, syntax: &'static Syntax, tree: &Tree<'_>, around: Option<(SymbolIdx, Span)>) {
        self.hooks = &syntax.hooks;
        // Nodes of another tree may have the same ids.
        self.values.clear();
        // An embedded text must not take away the cuts of what is around it.
        let outer_cuts = std::mem::take(&mut self.cuts);
        self.whole_until = 0;
        let mut passage = Passage {
            marks: VecDeque::new(),
            frames: Vec::new(),
            lead: Lead::default(),
            wrapper: None,
            captured: Captured::default(),
            big_depth: 0,
            import_until: 0,
            inner_until: 0,
            logical: None,
            outer: Vec::new(),
            given: FxHashMap::default(),
            declared: FxHashMap::default(),
        };
        let mut depth = 0;
        if let Some((symbol, span)) = around {
            passage.frames.push(Frame {
                symbol: Some(symbol),
                ..Frame::new(depth, span)
            });
            depth += 1;
        }
        let mut next = Some(tree.root());
        while let Some(node) = next {
            let inside = self.visit(syntax, node, depth + node.depth(), &mut passage);
            next = if inside { node.following() } else { node.behind() };
        }
        self.resolve_values();
        self.cuts.extend(outer_cuts);
    }

    /// Deals with one node; whether to look inside.
    fn visit<'n>(&mut self, syntax: &'static Syntax, node: Node<'n>, depth: u32, passage: &mut Passage<'n>) -> bool
    where
        't: 'n,
    {
        if depth > MAX_DEPTH {
            return true;
        }
        let kind = node.kind_id();
        let rules = &syntax.compiled().rules;
        let near_top = depth <= passage.big_depth + 1;
        let work = rules.work(kind);
        if passage.marks.is_empty() && !near_top && work == Work::Nothing {
            return true;
        }
        let span = span_of(node);
        while passage.marks.front().is_some_and(|mark| mark.at < span.start) {
            passage.marks.pop_front();
        }
        let is_unmarked = passage.marks.front().is_none_or(|mark| mark.at > span.start);
        if is_unmarked && !near_top && work == Work::Nothing {
            return true;
        }
        while passage
            .frames
            .last()
            .is_some_and(|frame| frame.depth >= depth || frame.end <= span.start)
        {
            passage.frames.pop();
        }
        if near_top {
            self.consider_cut(node, span, depth, passage);
        }
        if let Work::Refer(role) = work
            && is_unmarked
        {
            let role = if span.start < passage.import_until {
                Role::Import
            } else {
                role
            };
            self.refer(node, span, (role, Before::Nothing, None), false);
            return true;
        }
        let said = match is_unmarked {
            true => Expected::default(),
            false => passage.expected(node, span.start),
        };
        if said.is_skipped {
            return false;
        }
        let mut matched = Matched {
            syntax,
            node,
            span,
            depth,
            marked: said.marked,
            is_wanted: said.is_wanted,
            is_flat: said.is_flat,
            nodes: &[(Capture::Name, node)],
            says: Says::default(),
        };
        if let Some(Marked::Define(kind)) = said.marked {
            self.define(kind, &matched, &mut Frame::new(depth, span), passage);
            // Its own name is dealt with.
            passage.take_marks(node, span.start, |_| {});
            return true;
        }
        if work == Work::Nothing || !rules.apply(node, kind, self.text, &mut passage.captured) {
            return self.unmatched(&matched, passage);
        }
        let mut captured = std::mem::take(&mut passage.captured);
        (matched.nodes, matched.says) = (&captured.nodes, captured.says);
        let inside = self.apply(&matched, passage);
        captured.nodes.clear();
        passage.captured = captured;
        inside
    }

    /// Deals with a node that no pattern begins with, if something was said of it: the capture itself says that it is a name.
    fn unmatched<'n>(&mut self, unmatched: &Matched<'n, '_>, passage: &mut Passage<'n>) -> bool
    where
        't: 'n,
    {
        let Matched {
            node,
            span,
            marked,
            is_wanted,
            ..
        } = *unmatched;
        if let Some(Marked::Reference { role, on, arguments }) = marked {
            self.refer(node, span, (role, on, arguments), is_wanted);
        } else if is_wanted && !self.operation(node, passage) && !self.valued(node, passage) {
            self.values.entry(node.id()).or_insert(Value::Known(Qualifier::Other));
        }
        !matches!(marked, Some(Marked::Declared))
    }

    /// For the languages' `imports`: one name that an import brings in.
    pub(crate) fn import(
        &mut self,
        path: Node<'_>,
        item: Option<Node<'_>>,
        alias: Option<Node<'_>>,
        wildcard: bool,
        reexport: bool,
        at: u32,
    ) {
        let path = self.text(path).to_owned();
        let item = item.map(|item| self.text(item).to_owned());
        let alias = alias.map(|alias| self.text(alias).to_owned());
        self.import_text(&path, item.as_deref(), alias.as_deref(), wildcard, reexport, at);
    }

    pub(crate) fn import_text(
        &mut self,
        path: &str,
        item: Option<&str>,
        alias: Option<&str>,
        wildcard: bool,
        reexport: bool,
        at: u32,
    ) {
        let path = self.intern_made(unquoted(path));
        let item = item.map(|item| self.intern_made(unquoted(item)));
        let alias = alias.map(|alias| self.intern_made(unquoted(alias)));
        self.imports.push(Import {
            path,
            item,
            alias,
            wildcard,
            reexport,
            inline: false,
            at,
        });
    }

    /// For one that is written in a type.
    pub(crate) fn inline_import(&mut self, path: &str, item: Option<&str>, alias: &str, at: u32) {
        self.import_text(path, item, Some(alias), false, false, at);
        if let Some(import) = self.imports.last_mut() {
            import.inline = true;
        }
    }

    /// The text of the file.
    pub(crate) fn whole_text(&self) -> &'t str {
        self.text
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }
}

impl<'n> Passage<'n> {
    /// The wrapper that a node is directly inside of.
    fn wrapper_of(&self, span: Span, depth: u32) -> Option<Wrapper> {
        self.wrapper
            .filter(|wrapper| wrapper.depth + 1 == depth && span.start < wrapper.end)
    }

    /// What a member stands on that is named in a literal.
    fn named_in(&self) -> Before {
        let whole = self.frames.iter().rev().find_map(|frame| frame.whole);
        whole.unwrap_or(Before::Nothing)
    }

    fn mark(&mut self, node: Node<'n>, what: Marked) {
        let at = node.start_byte() as u32;
        let mark = Mark {
            node: node.id(),
            at,
            what,
        };
        // Nearly always it is behind all others, or before all but a few.
        if self.marks.back().is_none_or(|last| last.at <= at) {
            self.marks.push_back(mark);
        } else {
            let place = self.marks.partition_point(|earlier| earlier.at <= at);
            self.marks.insert(place, mark);
        }
    }

    /// What was said of a node before the walk got there.
    fn expected(&mut self, node: Node<'n>, start: u32) -> Expected {
        let mut expected = Expected::default();
        self.take_marks(node, start, |what| match what {
            Marked::Wanted => expected.is_wanted = true,
            Marked::Flat => expected.is_flat = true,
            Marked::Skipped => expected.is_skipped = true,
            what => expected.marked = expected.marked.or(Some(what)),
        });
        expected
    }

    /// Takes what is said of a node, in the order it was said. What was said of nodes before it is gone already.
    fn take_marks(&mut self, node: Node<'n>, start: u32, mut take: impl FnMut(Marked)) {
        let mut place = 0;
        while let Some(mark) = self.marks.get(place).filter(|mark| mark.at == start) {
            if mark.node == node.id() {
                take(mark.what);
                self.marks.remove(place);
            } else {
                place += 1;
            }
        }
    }
}

pub(crate) fn span_of(node: Node<'_>) -> Span {
    Span {
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
    }
}

fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii_whitespace())
}
