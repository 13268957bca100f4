//! One walk over the tree of a file that finds everything in it.
//!
//! Nodes are visited in the order of the text. What a pattern captures is marked and dealt with when the walk gets
//! there, so that references come out in order and each is looked at once. Nothing here recurses over the tree: its
//! depth is the file's choice.

use std::{
    cell::RefCell,
    collections::VecDeque,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use source::{LineIndex, Span};
use tree_sitter::{Node, ParseOptions, Parser, Range, Tree};

use crate::{
    chunk::{self, ChunkOptions, Cut},
    facts::{
        Argument, Binding, Complexity, ELEMENT, FileFacts, Given, Import, Literal, LocalKind, NameId, Names, On,
        Problem, Reference, Role, Symbol, SymbolKind,
    },
    lang::{self, DEFAULT, Definition, Hooks, Lang, Syntax},
    locals::{Home, is_hoisted, is_parameter},
    query::{Capture, Captured, Work},
};

/// Larger files are indexed as text: their trees would take hundreds of megabytes.
const MAX_PARSED_BYTES: usize = 4 << 20;

/// How often the parser may report progress for this many bytes, and in all for short files, before it is stopped. It
/// reports after a fixed number of steps, so that the outcome depends on the text alone and not on the machine. The
/// most that an ordinary file of megabytes was seen to need is a ninth of this.
const BYTES_PER_STEP: usize = 8;
const FREE_STEPS: usize = 50_000;

/// Where nothing fits the grammar the parser tries every token of it at every word, and a step takes a hundred times as
/// long. Only time can tell; the most that an ordinary file was seen to need is a fifth of this.
const PATIENCE: Duration = Duration::from_secs(3);
const PATIENCE_PER_BYTE: Duration = Duration::from_micros(1);

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

pub(crate) fn tree_of(lang: &'static Lang, text: &str) -> Option<Tree> {
    let syntax = lang.syntax?;
    let syntax = syntax.for_text(text);
    let masked = masked(syntax, text);
    parse(syntax, masked.as_deref().unwrap_or(text), None, &mut Budget::new(text)).ok()
}

/// What is parsed in place of a text, if anything.
fn masked(syntax: &Syntax, text: &str) -> Option<String> {
    let masked = syntax.hooks.masked?(text)?;
    (masked.len() == text.len()).then_some(masked)
}

thread_local! {
    /// Parsers keep their buffers from file to file.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// What the parser may still spend on a file and the texts inside it.
struct Budget {
    steps: usize,
    until: Instant,
}

impl Budget {
    fn new(text: &str) -> Budget {
        Budget {
            steps: FREE_STEPS + text.len() / BYTES_PER_STEP,
            until: Instant::now() + PATIENCE + PATIENCE_PER_BYTE * text.len().min(MAX_PARSED_BYTES) as u32,
        }
    }

    fn is_spent(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps == 0 || Instant::now() > self.until
    }
}

fn parse(syntax: &'static Syntax, text: &str, range: Option<Range>, budget: &mut Budget) -> Result<Tree, Problem> {
    if text.len() > MAX_PARSED_BYTES {
        return Err(Problem::TooLarge);
    }
    PARSER.with_borrow_mut(|parser| {
        let (language, _) = syntax.compiled();
        parser
            .set_language(language)
            .expect("every grammar is of a known version");
        let whole = [Range {
            start_byte: 0,
            end_byte: usize::MAX,
            start_point: tree_sitter::Point::new(0, 0),
            end_point: tree_sitter::Point::new(usize::MAX, usize::MAX),
        }];
        let ranges = range.map_or(whole, |range| [range]);
        parser.set_included_ranges(&ranges).expect("one range is in order");
        let mut progress = |_: &_| {
            if budget.is_spent() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut progress)),
        );
        if tree.is_none() {
            parser.reset();
        }
        tree.ok_or(Problem::TooComplex)
    })
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
}

/// What stands before a name, as the pattern saw it.
#[derive(Clone, Copy)]
enum Before {
    Nothing,
    Receiver(usize),
    /// A receiver that is written behind the name.
    Later(usize),
    Path(Span),
}

/// What a call is given: the last ones in the walk's list when its name was marked.
#[derive(Clone, Copy)]
struct Arguments {
    first: u32,
    count: u8,
}

/// An argument whose value is only known when the walk is over.
struct Pending {
    /// `None` until the walk gets to the call's name.
    call: Option<u32>,
    node: usize,
    given: Given,
}

/// What an expression's value is.
#[derive(Clone, Copy)]
enum Value {
    On(On),
    /// The same as another node's.
    Same(usize),
}

/// A node around the current one that matters for what is inside.
struct Frame {
    depth: u32,
    start: u32,
    end: u32,
    symbol: Option<u32>,
    is_scope: bool,
    nests: bool,
    /// A function without a name.
    is_closure: bool,
    /// Where the name of the call is, if it is one.
    call: Option<u32>,
    subject: Option<Subject>,
    /// The type whose members are named inside.
    whole: Option<Span>,
}

/// What the patterns inside of a node take apart.
#[derive(Clone, Copy)]
enum Subject {
    Value {
        node: usize,
        span: Span,
        /// It is a name that the node around gives to something.
        is_local: bool,
    },
    /// What the call around hands to the function that it is given: an index of `references`.
    Passed(Option<u32>),
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
    range: Range,
    syntax: &'static Syntax,
    /// The symbol that it is inside of, if that is how its language sees it.
    parent: Option<u32>,
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
    references: Vec<Reference>,
    imports: Vec<Import>,
    bindings: Vec<Binding>,
    /// One for each binding, where somebody asks for them.
    homes: Option<Vec<Home>>,
    arguments: Vec<Argument>,
    pending: Vec<Pending>,
    /// Values that are only known when the walk is over: of symbols, of bindings.
    symbol_values: Vec<(usize, usize)>,
    binding_values: Vec<(usize, usize)>,
    /// References, and the nodes behind them that they are members of.
    later: Vec<(usize, usize)>,
    values: FxHashMap<usize, Value>,
    pub cuts: Vec<Cut>,
    /// The end of the last definition's signature: it stays in one piece with the comments before it.
    whole_until: u32,
    comment_lines: u32,
    last_comment_row: Option<usize>,
    embedded: Vec<Embedded>,
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
    /// The operator and end of the boolean expression that the walk is in.
    logical: Option<(&'t str, u32)>,
    /// The end of a scope, and a name that is not its own.
    outer: Vec<(u32, &'t str)>,
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
            references: Vec::with_capacity(text.len() / 16),
            imports: Vec::new(),
            bindings: Vec::new(),
            homes: None,
            arguments: Vec::new(),
            pending: Vec::new(),
            symbol_values: Vec::new(),
            binding_values: Vec::new(),
            later: Vec::new(),
            values: FxHashMap::default(),
            cuts: Vec::new(),
            whole_until: 0,
            comment_lines: 0,
            last_comment_row: None,
            embedded: Vec::new(),
            hooks: &DEFAULT,
        }
    }

    fn file(&mut self, syntax: &'static Syntax) -> Result<(), Problem> {
        let syntax = syntax.for_text(self.text);
        let masked = masked(syntax, self.text);
        let mut budget = Budget::new(self.text);
        let parsed = masked.as_deref().unwrap_or(self.text);
        self.tree(syntax, &parse(syntax, parsed, None, &mut budget)?, None);
        let mut done = 0;
        while done < MAX_EMBEDDED && done < self.embedded.len() {
            let Embedded { range, syntax, parent } = self.embedded[done];
            done += 1;
            let span = Span {
                start: range.start_byte as u32,
                end: range.end_byte as u32,
            };
            let parent = parent.map(|parent| (parent, span));
            self.tree(syntax, &parse(syntax, self.text, Some(range), &mut budget)?, parent);
        }
        Ok(())
    }

    fn tree(&mut self, syntax: &'static Syntax, tree: &Tree, around: Option<(u32, Span)>) {
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
            logical: None,
            outer: Vec::new(),
        };
        let mut matching = tree.walk();
        let mut cursor = tree.walk();
        let mut depth = 0;
        if let Some((symbol, span)) = around {
            passage.frames.push(Frame {
                symbol: Some(symbol),
                ..Frame::new(depth, span)
            });
            depth += 1;
        }
        loop {
            let inside = self.visit(syntax, cursor.node(), depth, &mut matching, &mut passage);
            if inside && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    self.resolve_values();
                    self.cuts.extend(outer_cuts);
                    return;
                }
                depth -= 1;
            }
        }
    }

    /// Deals with one node; whether to look inside.
    fn visit<'n>(
        &mut self,
        syntax: &'static Syntax,
        node: Node<'n>,
        depth: u32,
        matching: &mut tree_sitter::TreeCursor<'n>,
        passage: &mut Passage<'n>,
    ) -> bool
    where
        't: 'n,
    {
        if depth > MAX_DEPTH {
            return true;
        }
        let kind = node.kind_id();
        let (_, rules) = syntax.compiled();
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
        let mut marked = None;
        let (mut is_wanted, mut is_flat) = (false, false);
        if !is_unmarked {
            passage.take_marks(node, span.start, |what| match what {
                Marked::Wanted => is_wanted = true,
                Marked::Flat => is_flat = true,
                what => marked = marked.or(Some(what)),
            });
        }
        if let Some(Marked::Define(kind)) = marked {
            let mut frame = Frame::new(depth, span);
            self.define(
                syntax,
                kind,
                node,
                span,
                depth,
                &[(Capture::Name, node)],
                &mut frame,
                passage,
            );
            // Its own name is dealt with.
            passage.take_marks(node, span.start, |_| {});
            return true;
        }
        if work == Work::Nothing || !rules.apply(node, kind, self.text, matching, &mut passage.captured) {
            // A mark on a kind that no pattern begins with: the capture itself says that it is a name.
            if let Some(Marked::Reference { role, on, arguments }) = marked {
                self.refer(node, span, (role, on, arguments), is_wanted);
            } else if is_wanted {
                self.values.insert(node.id(), Value::On(On::Other));
            }
            return !matches!(marked, Some(Marked::Declared));
        }
        let mut captured = std::mem::take(&mut passage.captured);
        let inside = self.apply(
            syntax,
            node,
            span,
            depth,
            (marked, is_wanted, is_flat),
            &captured,
            passage,
        );
        captured.nodes.clear();
        passage.captured = captured;
        inside
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one visit")]
    fn apply<'n>(
        &mut self,
        syntax: &'static Syntax,
        node: Node<'n>,
        span: Span,
        depth: u32,
        (marked, is_wanted, is_flat): (Option<Marked>, bool, bool),
        captured: &Captured<'n>,
        passage: &mut Passage<'n>,
    ) -> bool
    where
        't: 'n,
    {
        let nodes = &captured.nodes;
        let one = |wanted: Capture| {
            nodes
                .iter()
                .find(|(capture, _)| *capture == wanted)
                .map(|(_, node)| *node)
        };
        let mut frame = Frame::new(depth, span);
        let mut inside = true;
        let mut definition = None;
        let says = captured.says;
        let own = if says.about_root { nodes.as_slice() } else { &[] };
        for (capture, _) in own.iter().filter(|(_, captured)| captured.id() == node.id()) {
            match capture {
                Capture::Definition(kind) => definition = Some(*kind),
                Capture::Scope => frame.is_scope = true,
                Capture::Wrapper | Capture::Export => {
                    let outer = passage.wrapper_of(span, depth).filter(|outer| !outer.used);
                    let start = outer.map_or(span.start, |outer| outer.start);
                    passage.wrapper = Some(Wrapper {
                        depth,
                        start,
                        end: span.end,
                        lead: outer.map_or_else(|| passage.lead, |outer| outer.lead),
                        exports: *capture == Capture::Export || outer.is_some_and(|outer| outer.exports),
                        used: false,
                    });
                }
                Capture::Comment => {
                    self.comment(node, span, passage);
                    inside = false;
                }
                Capture::Attribute => {
                    // One that stands inside its definition is part of that one's signature.
                    let around = passage.frames.iter().rev().find_map(|frame| frame.symbol);
                    let is_inside = around.is_some_and(|at| {
                        let signature = self.symbols[at as usize].signature;
                        signature.start <= span.start && span.start < signature.end
                    });
                    if !is_inside {
                        let doc = one(Capture::Doc).map(span_of);
                        self.lead(node, span, doc, passage);
                    }
                }
                Capture::Branch if is_flat => self.decision(Capture::Case, passage),
                Capture::Branch | Capture::Switch | Capture::Nest => {
                    frame.nests = true;
                    self.decision(*capture, passage);
                }
                Capture::Case | Capture::Else | Capture::Elif => self.decision(*capture, passage),
                Capture::Logical => self.logical(node, span, passage),
                Capture::Import => {
                    passage.import_until = span.end;
                    match syntax.hooks.imports {
                        Some(imports) => imports(node, self),
                        None => self.plain_import(nodes, span),
                    }
                }
                Capture::Offer => (syntax.hooks.exports)(node, self),
                // The function that a definition gives its name to is that definition.
                Capture::Closure => {
                    let around = passage.frames.last();
                    let is_named = around.is_some_and(|outer| outer.symbol.is_some() && outer.depth + 1 == depth);
                    frame.is_closure = !is_named;
                }
                Capture::Skip => inside = false,
                Capture::Tokens if !inside => {}
                Capture::Tokens => (syntax.hooks.tokens)(node, &mut |name, role, receiver, qualifier| {
                    let on = match (receiver, qualifier) {
                        (Some(receiver), _) => {
                            passage.mark(receiver, Marked::Wanted);
                            Before::Receiver(receiver.id())
                        }
                        (None, Some(path)) => Before::Path(span_of(path)),
                        (None, None) => Before::Nothing,
                    };
                    passage.mark(
                        name,
                        Marked::Reference {
                            role,
                            on,
                            arguments: None,
                        },
                    );
                }),
                Capture::Text => {
                    let whole = self.words(span);
                    if let (true, Some(whole)) = (is_wanted, whole) {
                        self.values.insert(node.id(), Value::On(On::Value(whole)));
                    }
                }
                Capture::Embed => {
                    let lang = (syntax.hooks.embedded)(node, self.text);
                    if let Some(inner) = lang.and_then(|lang| lang.syntax) {
                        let inner = inner.for_text(&self.text[span.range()]);
                        let in_braces = node.child(0).is_some_and(|first| first.kind() == "{");
                        let around = passage.frames.iter().rev().find_map(|frame| frame.symbol);
                        self.embedded.push(Embedded {
                            range: if in_braces { between(node.range()) } else { node.range() },
                            syntax: inner,
                            parent: around.filter(|_| in_braces),
                        });
                        // Braces hold more of the same, which is all there is to it.
                        inside &= !in_braces;
                    }
                }
                Capture::This | Capture::Super | Capture::Literal if is_wanted => {
                    let on = match capture {
                        Capture::This => On::This,
                        Capture::Super => On::Super,
                        _ => On::Literal,
                    };
                    self.values.insert(node.id(), Value::On(on));
                }
                _ => {}
            }
        }
        if says.keys
            && let Some(whole) = one(Capture::Value)
        {
            passage.mark(whole, Marked::Wanted);
            for (_, part) in nodes.iter().filter(|(capture, _)| *capture == Capture::Key) {
                let on = Before::Later(whole.id());
                let (role, arguments) = (Role::Member, None);
                passage.mark(*part, Marked::Reference { role, on, arguments });
            }
        }
        if let Some(kind) = definition {
            self.define(syntax, kind, node, span, depth, nodes, &mut frame, passage);
        }
        let is_this = is_wanted
            && nodes
                .iter()
                .any(|(capture, _)| matches!(capture, Capture::This | Capture::Super));
        let ignores = nodes.iter().any(|(capture, _)| *capture == Capture::Ignore);
        let used = if ignores { used_in(nodes) } else { FxHashSet::default() };
        for (capture, captured) in if says.marks { nodes.as_slice() } else { &[] } {
            match capture {
                Capture::Flat => passage.mark(*captured, Marked::Flat),
                // The others of several: `method: (a)* @ignore method: (a) @reference.call`.
                Capture::Ignore if used.contains(&captured.id()) => {}
                Capture::Ignore => passage.mark(*captured, Marked::Declared),
                Capture::Definition(kind) if captured.id() != node.id() => {
                    passage.mark(*captured, Marked::Define(*kind));
                }
                _ => {}
            }
        }
        // What stands before a name comes before it in the pattern too; the value of this node is that of its last name.
        let mut on = Before::Nothing;
        let mut main = None;
        for (capture, captured) in if says.references { nodes.as_slice() } else { &[] } {
            match *capture {
                Capture::Receiver => {
                    passage.mark(*captured, Marked::Wanted);
                    on = Before::Receiver(captured.id());
                }
                Capture::Qualifier => {
                    let start = (syntax.hooks.path_start)(*captured) as u32;
                    let end = captured.end_byte() as u32;
                    on = Before::Path(Span { start, end });
                }
                Capture::Reference(role) if captured.id() == node.id() => match marked {
                    Some(Marked::Declared) => {}
                    Some(Marked::Reference { role, on, arguments }) => {
                        self.refer(node, span, (role, on, arguments), is_wanted);
                    }
                    _ if span.start < passage.import_until => {
                        self.refer(node, span, (Role::Import, Before::Nothing, None), is_wanted);
                    }
                    _ => self.refer(node, span, (role, Before::Nothing, None), is_wanted),
                },
                Capture::Reference(role) => {
                    let is_import = span.start < passage.import_until && role != Role::Implementation;
                    let role = if is_import { Role::Import } else { role };
                    let mut on = std::mem::replace(&mut on, Before::Nothing);
                    if role == Role::Member && matches!(on, Before::Nothing) {
                        let whole = passage.frames.iter().rev().find_map(|frame| frame.whole);
                        on = whole.map_or(on, Before::Path);
                    }
                    let arguments = match role {
                        Role::Call => self.arguments(nodes, passage),
                        _ => None,
                    };
                    passage.mark(*captured, Marked::Reference { role, on, arguments });
                    if role == Role::Call && syntax.compiled().1.passes {
                        frame.call = Some(captured.start_byte() as u32);
                    }
                    main = Some(*captured);
                }
                Capture::Quoted if matches!(marked, Some(Marked::Declared)) => {}
                Capture::Quoted => self.quoted(span_of(*captured)),
                _ => {}
            }
        }
        if main.is_none()
            && let Some(Marked::Reference { role, on, arguments }) = marked
            && !nodes
                .iter()
                .any(|(capture, _)| matches!(capture, Capture::Reference(_)))
        {
            self.refer(node, span, (role, on, arguments), is_wanted);
        }
        if is_wanted && !is_this {
            let same = one(Capture::Through).or(main);
            match same {
                Some(same) => {
                    passage.mark(same, Marked::Wanted);
                    self.values.insert(node.id(), Value::Same(same.id()));
                }
                None => {
                    self.values.entry(node.id()).or_insert(Value::On(On::Other));
                }
            }
        }
        if let Some(subject) = one(Capture::Subject) {
            passage.mark(subject, Marked::Wanted);
            frame.subject = Some(Subject::Value {
                node: subject.id(),
                span: span_of(subject),
                is_local: nodes
                    .iter()
                    .any(|(capture, node)| *capture == Capture::Local && node.id() == subject.id()),
            });
        } else if says.about_root && own.iter().any(|(capture, _)| *capture == Capture::Passed) {
            frame.subject = Some(Subject::Passed(self.call_around(passage)));
        }
        frame.whole = one(Capture::Whole).map(span_of);
        if frame.says() {
            passage.frames.push(frame);
        }
        // A name may be made of another: `~Type`.
        if matches!(marked, Some(Marked::Declared)) && main.is_none() {
            inside = false;
        }
        if says.locals {
            // A definition's own type and value are not those of its parameters.
            let is_definition = definition.is_some();
            let mut ty = one(Capture::Type).filter(|_| !is_definition).map(|ty| self.type_of(ty));
            if ty.is_none() && one(Capture::Element).is_some() {
                ty = Some(self.intern_made(ELEMENT));
            }
            let values = nodes
                .iter()
                .filter(|(capture, _)| matches!(capture, Capture::Value | Capture::Element) && !is_definition);
            let values: Vec<Node<'n>> = values.map(|(_, node)| *node).collect();
            let kind = self.local_kind(node, nodes);
            let generics = nodes.iter().filter(|(capture, _)| *capture == Capture::Generic);
            for (_, generic) in generics {
                self.bind(*generic, ty, None, LocalKind::Generic, passage);
            }
            let locals = nodes
                .iter()
                .filter(|(capture, _)| matches!(capture, Capture::Local | Capture::Throughout));
            let takes_apart = syntax.hooks.has_tuples && values.len() == 1 && locals.clone().count() > 1;
            for (at, (capture, local)) in locals.enumerate() {
                if takes_apart {
                    let ty = self.part_of(ty, span, *local);
                    self.bind(*local, Some(ty), values.first().copied(), LocalKind::Plain, passage);
                    continue;
                }
                let value = if says.keys {
                    key_of(*local, nodes)
                } else if at == 0 || values.len() > 1 {
                    values.get(at).copied()
                } else {
                    None
                };
                self.bind(*local, ty, value, kind, passage);
                let scope = passage.frames.iter().rev().find(|frame| frame.is_scope);
                if let (Capture::Throughout, Some(scope), Some(last)) = (capture, scope, self.bindings.last_mut())
                    && last.at == local.start_byte() as u32
                {
                    last.scope.start = scope.start;
                }
            }
            for (_, part) in nodes.iter().filter(|(capture, _)| *capture == Capture::Part) {
                let ty = ty.map(|ty| self.part_of(Some(ty), span, *part));
                self.bind_part(*part, ty, passage);
            }
            if let (Some(ty), Some(narrow)) = (ty, one(Capture::Narrow))
                && nodes.iter().filter(|(capture, _)| *capture == Capture::Type).count() == 1
            {
                self.bind_again(ty, span_of(narrow), passage);
            }
            let mut passed = nodes
                .iter()
                .filter(|(capture, captured)| *capture == Capture::Passed && captured.id() != node.id());
            // What a call hands over first is what it is on, or a part of that; of others nothing is known.
            if let Some((_, first)) = passed.next() {
                let call = self.call_around(passage);
                self.bind(*first, ty, None, LocalKind::Plain, passage);
                if let Some(last) = self
                    .bindings
                    .last_mut()
                    .filter(|last| last.at == first.start_byte() as u32)
                {
                    last.value = call;
                }
            }
            for (_, other) in passed {
                self.bind(*other, ty, None, LocalKind::Plain, passage);
            }
            if let Some(narrowed) = one(Capture::Narrowed) {
                let region = one(Capture::Scope).filter(|region| region.id() != node.id());
                self.narrow(narrowed, values.first().copied(), region, passage);
            }
            for (_, outer) in nodes.iter().filter(|(capture, _)| *capture == Capture::Outer) {
                if let Some(frame) = passage.frames.iter().rev().find(|frame| frame.is_scope) {
                    passage.outer.push((frame.end, &self.text[outer.byte_range()]));
                }
            }
        }
        if says.returns
            && let Some(function) = self.returning(passage)
            && self.symbols[function as usize].ty.is_none()
        {
            for (_, returned) in nodes.iter().filter(|(capture, _)| *capture == Capture::Return) {
                // What a method gives back is what it is asked of.
                if let Some(own) = self
                    .name_text(span_of(*returned))
                    .filter(|own| matches!(*own, "self" | "this"))
                {
                    self.symbols[function as usize].ty = Some(self.intern(own));
                    break;
                }
                passage.mark(*returned, Marked::Wanted);
                self.symbol_values.push((function as usize, returned.id()));
            }
        }
        inside
    }

    /// What a local name is, by what is said beside it.
    fn local_kind(&self, node: Node<'_>, nodes: &[(Capture, Node<'_>)]) -> LocalKind {
        let says = |wanted: Capture| nodes.iter().any(|(capture, _)| *capture == wanted);
        if says(Capture::Rest) {
            LocalKind::Rest
        } else if says(Capture::Optional) {
            LocalKind::Optional
        } else {
            (self.hooks.local_kind)(node, self.text)
        }
    }

    /// Remembers what a call is given until the values are known.
    fn arguments<'n>(&mut self, nodes: &[(Capture, Node<'n>)], passage: &mut Passage<'n>) -> Option<Arguments>
    where
        't: 'n,
    {
        let mut lists = nodes
            .iter()
            .filter(|(capture, _)| *capture == Capture::Arguments)
            .map(|(_, list)| *list)
            .peekable();
        lists.peek()?;
        let first = self.pending.len();
        for list in lists {
            // A function may be handed over behind the list, or be all there is.
            if given_by(list, self.text) == Given::Function || list.kind().contains("block") {
                self.pending.push(Pending {
                    call: None,
                    node: list.id(),
                    given: Given::Function,
                });
                continue;
            }
            let mut cursor = list.walk();
            for argument in list.named_children(&mut cursor).filter(|argument| !argument.is_extra()) {
                let given = given_by(argument, self.text);
                if given == Given::Other && !is_element(argument) {
                    passage.mark(argument, Marked::Wanted);
                }
                self.pending.push(Pending {
                    call: None,
                    node: argument.id(),
                    given,
                });
                if self.pending.len() - first == usize::from(u8::MAX) {
                    break;
                }
            }
        }
        Some(Arguments {
            first: first as u32,
            count: (self.pending.len() - first).min(usize::from(u8::MAX)) as u8,
        })
    }

    /// The function that a `return` here gives its value.
    fn returning(&self, passage: &Passage<'_>) -> Option<u32> {
        let frames = passage.frames.iter().rev().take_while(|frame| !frame.is_closure);
        let mut symbols = frames.filter_map(|frame| frame.symbol);
        symbols.find(|symbol| self.symbols[*symbol as usize].complexity.cyclomatic > 0)
    }

    /// The call that the function around the current node is an argument of.
    fn call_around(&self, passage: &Passage<'_>) -> Option<u32> {
        let mut scopes = 0;
        let mut inside = passage.frames.iter().rev().take_while(|frame| {
            // One that has a name, or is inside another, is not handed over here.
            scopes += u32::from(frame.is_scope);
            frame.call.is_some() || (scopes < 2 && frame.symbol.is_none())
        });
        let at = inside.find_map(|frame| frame.call)?;
        let before = self.references.partition_point(|reference| reference.at < at);
        let is_it = |reference: &&Reference| reference.at == at && reference.role == Role::Call;
        self.references.get(before).filter(is_it).map(|_| before as u32)
    }

    #[expect(clippy::too_many_arguments, reason = "the state of one visit")]
    fn define<'n>(
        &mut self,
        syntax: &'static Syntax,
        kind: SymbolKind,
        node: Node<'n>,
        span: Span,
        depth: u32,
        nodes: &[(Capture, Node<'n>)],
        frame: &mut Frame,
        passage: &mut Passage<'n>,
    ) where
        't: 'n,
    {
        let one = |wanted: Capture| {
            nodes
                .iter()
                .find(|(capture, _)| *capture == wanted)
                .map(|(_, node)| *node)
        };
        let many = |wanted: Capture| {
            nodes
                .iter()
                .filter(move |(capture, _)| *capture == wanted)
                .map(|(_, node)| *node)
        };
        let mut owner = one(Capture::Owner);
        let mut named: Vec<Node<'n>> = many(Capture::Name).collect();
        for declarator in many(Capture::Declarator) {
            let Some(declared) = (syntax.hooks.declared)(declarator) else {
                continue;
            };
            owner = owner.or(declared.owner);
            named.push(declared.name);
        }
        let around = passage.frames.iter().rev().find_map(|frame| frame.symbol);
        let mut ty = one(Capture::Type).map(|ty| self.type_of(ty));
        if ty.is_none() && one(Capture::Element).is_some() {
            ty = Some(self.intern_made(ELEMENT));
        }
        // Several names and one value: the first name has it, as in `a, err := f()`.
        let values: Vec<Node<'n>> = many(Capture::Value).chain(many(Capture::Element)).collect();
        let has_keys = nodes.iter().any(|(capture, _)| *capture == Capture::Key);
        let value_for = |at: usize| {
            if has_keys {
                key_of(named[at], nodes)
            } else if at == 0 || values.len() > 1 {
                values.get(at).copied()
            } else {
                None
            }
        };
        // What a function or a block keeps for itself is no symbol.
        let mut around_it = passage.frames.iter().rev();
        let nearest = around_it.find(|frame| frame.is_scope || frame.symbol.is_some());
        let runs = |symbol: u32| self.symbols[symbol as usize].runs();
        let is_local = nearest.is_some_and(|frame| frame.is_scope && frame.symbol.is_none_or(runs));
        if matches!(kind, SymbolKind::Variable | SymbolKind::Constant) && is_local {
            if let Some(wrapper) = &mut passage.wrapper {
                wrapper.used = true;
            }
            let kind = self.local_kind(node, nodes);
            for (at, name) in named.iter().enumerate() {
                self.bind(*name, ty, value_for(at), kind, passage);
            }
            return;
        }
        let parent = match kind {
            SymbolKind::Field => {
                let mut around = around;
                while let Some(at) = around
                    && self.symbols[at as usize].runs()
                {
                    around = self.symbols[at as usize].parent;
                }
                if around.is_none() && !passage.frames.is_empty() {
                    // A member of something that has no type here.
                    return;
                }
                if let [name] = named[..]
                    && let Some(name) = self.name_text(span_of(name))
                    && let Some(known) = self.known_field(around, name)
                {
                    // It may have been declared without saying what it is, or have begun as nothing.
                    self.symbols[known].ty = self.symbols[known].ty.or(ty);
                    if let Some(value) = value_for(0) {
                        passage.mark(value, Marked::Wanted);
                        self.symbol_values.push((known, value.id()));
                    }
                    return;
                }
                around
            }
            _ => around,
        };
        let parent_kind = parent.map(|at| self.symbols[at as usize].kind);
        let in_type = parent_kind.is_some_and(|kind| kind.has_members()) || owner.is_some();
        let kind = match kind {
            SymbolKind::Function if in_type => SymbolKind::Method,
            SymbolKind::Variable if in_type => SymbolKind::Field,
            kind => kind,
        };
        let row = node.start_position().row;
        let wrapper = passage.wrapper_of(span, depth);
        let is_first = wrapper.is_some_and(|wrapper| !wrapper.used);
        let (start, lead) = match wrapper {
            Some(wrapper) if is_first => (wrapper.start, wrapper.lead),
            _ => (span.start, passage.lead),
        };
        if let Some(wrapper) = &mut passage.wrapper {
            wrapper.used |= is_first;
        }
        let first_row = if start == span.start {
            row
        } else {
            self.lines.line(start) as usize - 1
        };
        let lead = Some(lead).filter(|lead| {
            lead.start < start
                && lead
                    .last_row
                    .is_some_and(|last| last + 1 >= first_row && last <= first_row)
        });
        let lead_start = lead.map_or(start, |lead| lead.start);
        if lead.is_some() {
            passage.lead = Lead::default();
        }
        let doc = one(Capture::Doc).map(span_of).or(lead.and_then(|lead| lead.doc));
        if depth <= passage.big_depth + 1 || wrapper.is_some() {
            self.definition_cut(lead_start, depth);
        }
        let body = one(Capture::Body);
        let signature_end = body.map_or_else(
            || self.first_line_end(span, named.last().map_or(span.start, |name| span_of(*name).end)),
            |body| body.start_byte() as u32,
        );
        // A description may stand before everything else in a definition.
        let head_start = doc.filter(|doc| doc.start == start).map_or(start, |doc| doc.end);
        let name_start = named.first().map_or(span.start, |name| name.start_byte() as u32);
        let signature_start = self.behind_attributes(head_start, name_start);
        let signature = Span {
            start: signature_start,
            end: signature_end.max(signature_start),
        };
        let used = used_in(nodes);
        let mut earlier = FxHashSet::default();
        self.whole_until = self.whole_until.max(signature.end);
        for (at, name_node) in named.iter().enumerate() {
            let name_span = span_of(*name_node);
            let Some(name) = self.name_text(name_span) else {
                continue;
            };
            if named.len() > 1 && !earlier.insert(name) {
                passage.mark(*name_node, Marked::Declared);
                continue;
            }
            if kind == SymbolKind::Field
                && let Some(known) = self.known_field(parent, name)
            {
                // It may have begun as nothing.
                self.symbols[known].ty = self.symbols[known].ty.or(ty);
                if let Some(value) = value_for(at) {
                    passage.mark(value, Marked::Wanted);
                    self.symbol_values.push((known, value.id()));
                }
                continue;
            }
            let definition = Definition {
                node,
                name,
                kind,
                parent: parent_kind,
                parent_head: parent.map_or("", |at| &self.text[self.symbols[at as usize].signature.range()]),
                is_exported: wrapper.is_some_and(|wrapper| wrapper.exports),
                lead: &self.text[lead_start as usize..start as usize],
                head: &self.text[head_start as usize..signature.end as usize],
                name_in_head: (name_span.start.clamp(head_start, signature.end) - head_start) as usize,
                text: self.text,
            };
            if !(syntax.hooks.is_definition)(&definition) {
                continue;
            }
            let visibility = (syntax.hooks.visibility)(&definition);
            let is_test = (syntax.hooks.is_test)(&definition);
            let runs = kind.is_function();
            let kind = (syntax.hooks.kind)(&definition);
            // An `impl` speaks of a type that is defined elsewhere, and a name may be defined by being used.
            if kind != SymbolKind::Impl && !used.contains(&name_node.id()) {
                passage.mark(*name_node, Marked::Declared);
            }
            let name = self.intern(name);
            let owner = owner.and_then(|owner| match (syntax.hooks.owner)(owner, self.text) {
                Some(whole) => Some(self.intern_made(&whole)),
                None => self.name_text(span_of(owner)).map(|owner| self.intern(owner)),
            });
            if syntax.hooks.has_clauses
                && let Some(first) = self.clause_of(name, kind, parent)
            {
                let clause = &mut self.symbols[first as usize];
                clause.span.end = span.end;
                clause.is_declaration &= body.is_none();
                frame.symbol = Some(first);
                frame.is_scope |= runs;
                continue;
            }
            let index = self.symbols.len();
            let value = value_for(at);
            let mut ty = ty;
            if runs && self.hooks.has_bare_calls && value.is_none() {
                // What a body ends with is what it gives.
                let last = body.and_then(|body| body.named_child(body.named_child_count().checked_sub(1)? as u32));
                if last.is_some_and(|last| last.kind() == "self") {
                    ty = last
                        .and_then(|last| self.name_text(span_of(last)))
                        .map(|own| self.intern(own));
                } else if let Some(last) = last {
                    passage.mark(last, Marked::Wanted);
                    self.symbol_values.push((index, last.id()));
                }
            }
            if let Some(value) = value {
                passage.mark(value, Marked::Wanted);
                self.symbol_values.push((index, value.id()));
            }
            self.symbols.push(Symbol {
                name,
                kind,
                visibility,
                parent,
                owner,
                name_at: name_span.start,
                span: Span {
                    start,
                    end: (syntax.hooks.extent)(node, self.text).map_or(span.end, |end| end as u32),
                },
                lead: lead_start,
                doc,
                signature,
                ty,
                value: None,
                is_test,
                is_declaration: (runs || kind.is_function()) && body.is_none() && value.is_none(),
                complexity: Complexity {
                    cyclomatic: u32::from(runs),
                    cognitive: 0,
                },
            });
            if at == 0 {
                frame.symbol = Some(index as u32);
                frame.is_scope |= runs;
            }
        }
    }

    /// The symbol that a further clause of a function belongs to.
    fn clause_of(&self, name: NameId, kind: SymbolKind, parent: Option<u32>) -> Option<u32> {
        let first = parent.map_or(0, |parent| parent as usize + 1);
        let siblings = self.symbols.get(first..)?;
        let last = first + siblings.iter().rposition(|symbol| symbol.parent == parent)?;
        let symbol = &self.symbols[last];
        (symbol.name == name && symbol.kind == kind).then_some(last as u32)
    }

    /// `__init__` and other methods set the same field; the first counts.
    fn known_field(&self, parent: Option<u32>, name: &str) -> Option<usize> {
        let first = parent? as usize + 1;
        let siblings = self.symbols.iter().enumerate().skip(first);
        let mut fields = siblings.filter(|(_, symbol)| symbol.kind == SymbolKind::Field && symbol.parent == parent);
        let found = fields.find(|(_, field)| self.names.get(field.name) == name);
        found.map(|(at, _)| at)
    }

    fn bind<'n>(
        &mut self,
        local: Node<'n>,
        ty: Option<NameId>,
        value: Option<Node<'n>>,
        kind: LocalKind,
        passage: &mut Passage<'n>,
    ) {
        let span = span_of(local);
        let Some(name) = self.name_text(span) else { return };
        let scope = passage.frames.iter().rev().find(|frame| frame.is_scope);
        let end = scope.map_or(self.text.len() as u32, |frame| frame.end);
        if passage.outer.contains(&(end, name)) {
            return;
        }
        passage.mark(local, Marked::Declared);
        let mut start = span.end;
        if let Some(value) = value {
            // Until its value is complete the name means whatever it meant before.
            if !self.hooks.binds_at_once {
                start = start.max(value.end_byte() as u32);
            }
            passage.mark(value, Marked::Wanted);
            self.binding_values.push((self.bindings.len(), value.id()));
        }
        let name = self.intern(name);
        let own = value.and_then(|value| self.name_text(span_of(value)));
        let own = own.filter(|own| ty.is_none() && matches!(*own, "self" | "this"));
        let ty = ty.or_else(|| own.map(|own| self.intern(own)));
        if let Some(homes) = &mut self.homes {
            homes.push(home_of(local, &passage.frames));
        }
        self.bindings.push(Binding {
            name,
            at: span.start,
            scope: Span {
                start,
                end: end.max(start),
            },
            ty,
            value: None,
            kind,
        });
    }

    /// Which part of a value a name in a pattern is given: the pattern's own words, `#`, and how many are before it.
    fn part_of(&mut self, pattern: Option<NameId>, span: Span, local: Node<'_>) -> NameId {
        let before = &self.text[span.start as usize..local.start_byte()];
        let place = before.bytes().filter(|byte| *byte == b',').count();
        let pattern = pattern.map_or("", |pattern| self.names.get(pattern));
        let part = format!("{pattern}#{place}");
        self.intern_made(&part)
    }

    /// A name in a pattern: what it is comes out of what the pattern is held against.
    fn bind_part<'n>(&mut self, local: Node<'n>, ty: Option<NameId>, passage: &mut Passage<'n>) {
        let at = local.start_byte() as u32;
        // A constant or a variant; or the pattern around has said all there is to say.
        let is_constant = self.text[at as usize..].starts_with(char::is_uppercase);
        if is_constant || self.bindings.iter().rev().take(8).any(|binding| binding.at == at) {
            return;
        }
        let subject = passage.frames.iter().rev().find_map(|frame| frame.subject);
        let ty = match subject {
            Some(Subject::Value { .. }) => ty.or_else(|| Some(self.intern_made("#"))),
            _ => ty,
        };
        let count = self.bindings.len();
        self.bind(local, ty, None, LocalKind::Plain, passage);
        let Some(binding) = self.bindings.get_mut(count) else {
            return;
        };
        match subject {
            Some(Subject::Value { node, span, .. }) => {
                binding.scope.start = binding.scope.start.max(span.end);
                binding.scope.end = binding.scope.end.max(binding.scope.start);
                self.binding_values.push((count, node));
            }
            Some(Subject::Passed(call)) => binding.value = call,
            None => {}
        }
    }

    /// Inside of one case the name that is looked into has that case's type.
    fn bind_again(&mut self, ty: NameId, case: Span, passage: &Passage<'_>) {
        let subject = passage.frames.iter().rev().find_map(|frame| frame.subject);
        let Some(Subject::Value {
            span, is_local: true, ..
        }) = subject
        else {
            return;
        };
        if let Some(name) = self.name_text(span) {
            let name = self.intern(name);
            if let Some(homes) = &mut self.homes {
                homes.push(Home::narrowed(case));
            }
            self.bindings.push(Binding {
                name,
                at: case.start,
                scope: case,
                ty: Some(ty),
                value: None,
                kind: LocalKind::Plain,
            });
        }
    }

    /// Says more of a name that is local already: `isinstance(name, Circle)`.
    fn narrow<'n>(
        &mut self,
        name: Node<'n>,
        value: Option<Node<'n>>,
        region: Option<Node<'n>>,
        passage: &mut Passage<'n>,
    ) {
        let span = span_of(name);
        let (Some(value), Some(text)) = (value, self.name_text(span)) else {
            return;
        };
        let name = self.intern(text);
        if !self.is_bound(name, span.start) {
            return;
        }
        let scope = passage.frames.iter().rev().find(|frame| frame.is_scope);
        let scope = match region {
            Some(region) => span_of(region),
            None => Span {
                start: value.end_byte() as u32,
                end: scope.map_or(self.text.len() as u32, |frame| frame.end),
            },
        };
        passage.mark(value, Marked::Wanted);
        self.binding_values.push((self.bindings.len(), value.id()));
        if let Some(homes) = &mut self.homes {
            homes.push(Home::narrowed(scope));
        }
        self.bindings.push(Binding {
            name,
            at: span.start,
            scope,
            ty: None,
            value: None,
            kind: LocalKind::Plain,
        });
    }

    /// The names in a type that is written as a text: `"shapes.Circle | None"`.
    fn quoted(&mut self, span: Span) {
        let Some(written) = self.text.get(span.range()) else {
            return;
        };
        // Longer texts are prose.
        if written.len() > 200 || written.contains('\n') {
            return;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut path_start = 0;
        let mut at = 0;
        while let Some(start) = written[at..].find(is_word).map(|found| at + found) {
            let end = written[start..]
                .find(|c| !is_word(c))
                .map_or(written.len(), |found| start + found);
            let goes_on = start > 0 && start == at && written[..start].ends_with('.');
            if !goes_on {
                path_start = start;
            }
            if !written[start..].starts_with(|c: char| c.is_ascii_digit()) {
                let place = |at: usize| span.start + at as u32;
                let on = match goes_on {
                    true => On::Path(self.type_name(Span {
                        start: place(path_start),
                        end: place(start - 1),
                    })),
                    false => On::Nothing,
                };
                let name = self.intern(&self.text[place(start) as usize..place(end) as usize]);
                self.references.push(Reference {
                    name,
                    at: place(start),
                    role: Role::Type,
                    on,
                    arguments: None,
                });
            }
            at = end;
            if written[at..].starts_with('.') {
                at += 1;
            }
        }
    }

    fn refer(
        &mut self,
        node: Node<'_>,
        span: Span,
        (role, on, arguments): (Role, Before, Option<Arguments>),
        is_wanted: bool,
    ) {
        let Some(name) = self.name_text(span) else { return };
        let name = self.intern(name);
        let on = match on {
            Before::Nothing => On::Nothing,
            Before::Path(path) => On::Path(self.type_name(path)),
            Before::Receiver(receiver) => self.value_of(receiver).unwrap_or(On::Other),
            Before::Later(receiver) => {
                self.later.push((self.references.len(), receiver));
                On::Other
            }
        };
        let is_bare = self.hooks.has_bare_calls && role == Role::Variable && on == On::Nothing;
        // Constants begin with a capital, fields and globals with a mark.
        let is_bare = is_bare && self.names.get(name).starts_with(|c: char| c.is_lowercase() || c == '_');
        let role = if is_bare && !self.is_bound(name, span.start) {
            Role::Call
        } else {
            role
        };
        if is_wanted {
            let index = self.references.len() as u32;
            self.values.insert(node.id(), Value::On(On::Value(index)));
        }
        if let Some(arguments) = arguments {
            let first = arguments.first as usize;
            let call = self.references.len() as u32;
            let own = &mut self.pending[first..first + arguments.count as usize];
            own.iter_mut().for_each(|argument| argument.call = Some(call));
        }
        self.references.push(Reference {
            name,
            at: span.start,
            role,
            on,
            arguments: arguments.map(|arguments| arguments.count),
        });
    }

    /// The names in code that the grammar leaves as text; the reference whose value the whole of it has.
    fn words(&mut self, span: Span) -> Option<u32> {
        let text = self.text.get(span.range())?;
        let words = self.hooks.words;
        words(text, &mut |range, role, before| {
            let name = self.intern(text.get(range.clone())?);
            let at = span.start + range.start as u32;
            // What a parameter stands for is not known here.
            if before == lang::Before::Nothing && self.is_bound(name, at) {
                return None;
            }
            let on = match before {
                lang::Before::Nothing => On::Nothing,
                lang::Before::Path(path) => On::Path(self.type_name(Span {
                    start: span.start + path.start as u32,
                    end: span.start + path.end as u32,
                })),
                lang::Before::Value(value) => value.map_or(On::Other, On::Value),
            };
            self.references.push(Reference {
                name,
                at,
                role,
                on,
                arguments: None,
            });
            Some(self.references.len() as u32 - 1)
        })
    }

    /// Whether a local name covers the place; those far back are not looked at.
    fn is_bound(&self, name: NameId, at: u32) -> bool {
        let mut near = self.bindings.iter().rev().take(256);
        near.any(|binding| binding.name == name && binding.at <= at && at < binding.scope.end)
    }

    fn value_of(&self, mut node: usize) -> Option<On> {
        // Wrappers around wrappers; more than this is nobody's code.
        for _ in 0..64 {
            match self.values.get(&node)? {
                Value::On(on) => return Some(*on),
                Value::Same(same) => node = *same,
            }
        }
        None
    }

    fn resolve_values(&mut self) {
        let value = |walk: &Self, node| match walk.value_of(node) {
            Some(On::Value(reference)) => Some(reference),
            _ => None,
        };
        for (symbol, node) in std::mem::take(&mut self.symbol_values) {
            // The first value that is known: a function may give back several.
            if self.symbols[symbol].value.is_none() {
                self.symbols[symbol].value = value(self, node);
            }
            if self.symbols[symbol].kind.is_function()
                && self.symbols[symbol].ty.is_none()
                && self.value_of(node) == Some(On::This)
            {
                self.symbols[symbol].ty = Some(self.intern_made("this"));
            }
        }
        for (binding, node) in std::mem::take(&mut self.binding_values) {
            self.bindings[binding].value = value(self, node);
        }
        for (reference, node) in std::mem::take(&mut self.later) {
            self.references[reference].on = self.value_of(node).unwrap_or(On::Other);
        }
        for pending in std::mem::take(&mut self.pending) {
            let Some(call) = pending.call else { continue };
            let given = match self.value_of(pending.node) {
                Some(On::Value(reference)) if pending.given == Given::Other => Given::Value(reference),
                Some(On::This) => Given::This,
                _ => pending.given,
            };
            self.arguments.push(Argument { call, given });
        }
        // Nodes of another tree may have the same ids.
        self.values.clear();
    }

    /// Comments count as lines, and as documentation of what follows if they have their lines to themselves.
    fn comment<'n>(&mut self, node: Node<'n>, span: Span, passage: &mut Passage<'n>) {
        let first = node.start_position().row;
        let last = last_row(node);
        let counted = self.last_comment_row.map_or(first, |row| first.max(row + 1));
        if last >= counted {
            self.comment_lines += (last - counted) as u32 + 1;
            self.last_comment_row = Some(last);
        }
        self.lead(node, span, Some(span), passage);
    }

    fn lead<'n>(&mut self, node: Node<'n>, span: Span, doc: Option<Span>, passage: &mut Passage<'n>) {
        let row = node.start_position().row;
        let line_start = self.lines.span(row as u32 + 1).start;
        let own_line = self.text[line_start as usize..span.start as usize].trim().is_empty();
        let goes_on = passage.lead.last_row.is_some_and(|last| row <= last + 1);
        if !own_line && !goes_on {
            return;
        }

        if goes_on {
            let lead = &mut passage.lead;
            lead.doc = match (lead.doc, doc) {
                (Some(before), Some(doc)) => Some(Span {
                    start: before.start,
                    end: doc.end,
                }),
                (before, doc) => before.or(doc),
            };
        } else {
            passage.lead = Lead {
                start: span.start,
                last_row: None,
                doc,
            };
        }
        passage.lead.last_row = Some(last_row(node));
    }

    fn decision(&mut self, capture: Capture, passage: &Passage<'_>) {
        let Some((at, function)) = self.function_around(passage) else {
            return;
        };
        let nesting = passage.frames[at..].iter().filter(|frame| frame.nests).count() as u32;
        let complexity = &mut self.symbols[function as usize].complexity;
        match capture {
            Capture::Branch => {
                complexity.cyclomatic += 1;
                complexity.cognitive += 1 + nesting;
            }
            Capture::Switch => complexity.cognitive += 1 + nesting,
            Capture::Case => complexity.cyclomatic += 1,
            Capture::Else => complexity.cognitive += 1,
            Capture::Elif => {
                complexity.cyclomatic += 1;
                complexity.cognitive += 1;
            }
            _ => {}
        }
    }

    /// Each operator is a path; only a change of operators makes a condition harder to follow.
    fn logical<'n>(&mut self, node: Node<'n>, span: Span, passage: &mut Passage<'n>)
    where
        't: 'n,
    {
        let Some((_, function)) = self.function_around(passage) else {
            return;
        };
        let operator = node.child_by_field_name("operator").or_else(|| node.child(1));
        let operator = operator.map_or("", |operator| &self.text[operator.byte_range()]);
        let goes_on = passage
            .logical
            .is_some_and(|(outer, end)| span.start < end && outer == operator);
        let complexity = &mut self.symbols[function as usize].complexity;
        complexity.cyclomatic += 1;
        if !goes_on {
            complexity.cognitive += 1;
        }
        passage.logical = Some((operator, span.end));
    }

    /// The innermost function, and which frame it is.
    fn function_around(&self, passage: &Passage<'_>) -> Option<(usize, u32)> {
        let frames = passage.frames.iter().enumerate().rev();
        let mut symbols = frames.filter_map(|(at, frame)| Some((at, frame.symbol?)));
        symbols.find(|(_, symbol)| self.symbols[*symbol as usize].runs())
    }

    fn plain_import(&mut self, nodes: &[(Capture, Node<'_>)], span: Span) {
        let one = |wanted: Capture| {
            nodes
                .iter()
                .find(|(capture, _)| *capture == wanted)
                .map(|(_, node)| *node)
        };
        let alias = one(Capture::Alias);
        let wildcard = one(Capture::Wildcard).is_some();
        let items: Vec<Option<Node<'_>>> = nodes
            .iter()
            .filter(|(capture, _)| *capture == Capture::Item)
            .map(|(_, node)| Some(*node))
            .collect();
        let items = if items.is_empty() { vec![None] } else { items };
        for (_, path) in nodes.iter().filter(|(capture, _)| *capture == Capture::Path) {
            for item in &items {
                self.import(*path, *item, alias, wildcard, false, span.start);
            }
        }
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
            at,
        });
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// A name without quotes; nothing if there is nothing in it or it goes on for pages.
    fn name_text(&self, span: Span) -> Option<&'t str> {
        let written = self.text.get(span.range())?;
        // Nearly all names are plain words; only others can have white space or quotes around.
        let is_plain = written.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
        let bare = if is_plain { written } else { unquoted(written.trim()) };
        let text = (self.hooks.name)(bare);
        (!text.is_empty() && text.len() <= 256).then_some(text)
    }

    fn type_of(&mut self, node: Node<'_>) -> NameId {
        self.type_name(span_of(node))
    }

    /// A path or type without white space, so that it reads the same however it is laid out.
    fn type_name(&mut self, span: Span) -> NameId {
        let text = self.text.get(span.range()).unwrap_or_default();
        let text = text.trim_start_matches([':', ' ']);
        let text = &text[..text.floor_char_boundary(256)];
        if text.contains(char::is_whitespace) {
            let words: Vec<&str> = text.split_whitespace().collect();
            self.intern_made(&words.join(" "))
        } else {
            self.intern(text)
        }
    }

    fn intern(&mut self, name: &'t str) -> NameId {
        if let Some(id) = self.interned.get(name) {
            return *id;
        }
        let id = match self.made.get(name) {
            Some(id) => *id,
            None => self.add_name(name),
        };
        self.interned.insert(name, id);
        id
    }

    fn intern_made(&mut self, name: &str) -> NameId {
        let known = self.interned.get(name).or_else(|| self.made.get(name)).copied();
        known.unwrap_or_else(|| {
            let id = self.add_name(name);
            self.made.insert(name.to_owned(), id);
            id
        })
    }

    fn add_name(&mut self, name: &str) -> NameId {
        self.names.text.push_str(name);
        self.names.ends.push(self.names.text.len() as u32);
        NameId(self.names.ends.len() as u32 - 1)
    }

    /// The first offset behind the attributes at `start`; what holds the name is none, whatever it looks like.
    fn behind_attributes(&self, start: u32, name: u32) -> u32 {
        let mut rest = &self.text[start.min(name) as usize..name as usize];
        while let Some(behind) = self.hooks.attributes.iter().find_map(|open| skip_attribute(rest, open)) {
            rest = behind.trim_start();
        }
        name - rest.len() as u32
    }

    /// Where a definition without a body stops telling what it is.
    fn first_line_end(&self, span: Span, name_end: u32) -> u32 {
        let text = &self.text[name_end.min(span.end) as usize..span.end as usize];
        let mut before = ' ';
        let is_end = |c: char| {
            let opens = c == '{' && before != '$';
            before = c;
            opens || c == '\n'
        };
        let end = text.find(is_end).unwrap_or(text.len());
        name_end + text.floor_char_boundary(end.min(200)) as u32
    }

    /// Remembers where a chunk may begin: at nodes on lines of their own inside nodes that are too large for one.
    fn consider_cut(&mut self, node: Node<'_>, span: Span, depth: u32, passage: &mut Passage<'_>) {
        if span.end - span.start > self.chunk_bytes {
            passage.big_depth = depth;
        } else {
            passage.big_depth = passage.big_depth.min(depth.saturating_sub(1));
        }
        let line_start = self.lines.span(node.start_position().row as u32 + 1).start;
        let is_known = line_start < self.whole_until || self.cuts.last().is_some_and(|cut| cut.at >= line_start);
        if !is_known && self.text[line_start as usize..span.start as usize].trim().is_empty() {
            self.cuts.push(Cut {
                at: line_start,
                depth,
                is_definition: false,
            });
        }
    }

    /// A definition begins with its comments; there is no cut between the two.
    fn definition_cut(&mut self, lead: u32, depth: u32) {
        let line_start = self.lines.span(self.lines.line(lead)).start;
        while self.cuts.last().is_some_and(|cut| cut.at > line_start) {
            self.cuts.pop();
        }
        match self.cuts.last_mut().filter(|cut| cut.at == line_start) {
            Some(cut) => {
                cut.is_definition = true;
                cut.depth = cut.depth.min(depth);
            }
            None => {
                if self.text[line_start as usize..lead as usize].trim().is_empty() {
                    self.cuts.push(Cut {
                        at: line_start,
                        depth,
                        is_definition: true,
                    });
                }
            }
        }
    }

    fn finish(mut self, facts: &mut FileFacts) {
        // Embedded languages come after their surroundings, and fields after the method that sets them.
        if !self.symbols.is_sorted_by_key(|symbol| symbol.span.start) {
            self.sort_symbols();
        }
        if !self.references.is_sorted_by_key(|reference| reference.at) {
            self.sort_references();
        }
        // Those of an inner call are marked after those of the one around it.
        self.arguments.sort_by_key(|argument| argument.call);
        self.imports.sort_by_key(|import| import.at);
        self.bindings.sort_by_key(|binding| binding.at);
        facts.names = self.names;
        facts.symbols = self.symbols;
        facts.references = self.references;
        facts.arguments = self.arguments;
        facts.imports = self.imports;
        facts.bindings = self.bindings;
        facts.comment_lines = self.comment_lines;
    }

    fn sort_references(&mut self) {
        let (order, place) = sorted(self.references.len(), |at| self.references[at].at);
        let references = order.iter().map(|old| {
            let mut reference = self.references[*old as usize];
            if let On::Value(value) = &mut reference.on {
                *value = place[*value as usize];
            }
            reference
        });
        self.references = references.collect();
        let symbols = self.symbols.iter_mut().filter_map(|symbol| symbol.value.as_mut());
        let bindings = self.bindings.iter_mut().filter_map(|binding| binding.value.as_mut());
        symbols
            .chain(bindings)
            .for_each(|value| *value = place[*value as usize]);
        for argument in &mut self.arguments {
            argument.call = place[argument.call as usize];
            if let Given::Value(value) = &mut argument.given {
                *value = place[*value as usize];
            }
        }
    }

    fn sort_symbols(&mut self) {
        let (order, place) = sorted(self.symbols.len(), |at| self.symbols[at].span.start);
        let symbols = order.iter().map(|old| {
            let mut symbol = self.symbols[*old as usize].clone();
            symbol.parent = symbol.parent.map(|parent| place[parent as usize]);
            symbol
        });
        self.symbols = symbols.collect();
    }
}

impl<'n> Passage<'n> {
    /// The wrapper that a node is directly inside of.
    fn wrapper_of(&self, span: Span, depth: u32) -> Option<Wrapper> {
        self.wrapper
            .filter(|wrapper| wrapper.depth + 1 == depth && span.start < wrapper.end)
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

/// The old places in their new order, and the new place of each old one.
fn sorted(count: usize, key: impl Fn(usize) -> u32) -> (Vec<u32>, Vec<u32>) {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by_key(|at| key(*at as usize));
    let mut place = vec![0; count];
    for (new, old) in order.iter().enumerate() {
        place[*old as usize] = new as u32;
    }
    (order, place)
}

/// Where a local name lives, inside of what is around it.
fn home_of(local: Node<'_>, frames: &[Frame]) -> Home {
    let is_wide = is_hoisted(local);
    let is_home = |frame: &&Frame| frame.is_scope && (!is_wide || frame.symbol.is_some() || frame.is_closure);
    let frame = frames.iter().rev().find(is_home);
    Home {
        frame: frame.map(|frame| Span {
            start: frame.start,
            end: frame.end,
        }),
        is_declared: true,
        is_parameter: is_parameter(local),
    }
}

/// The `@key` that a name gets its value from: itself, or the one before it that has no name of its own.
fn key_of<'n>(name: Node<'n>, nodes: &[(Capture, Node<'n>)]) -> Option<Node<'n>> {
    let is_part = |(capture, _): &&(Capture, Node<'n>)| *capture == Capture::Key;
    let own = nodes.iter().filter(is_part).find(|(_, part)| part.id() == name.id());
    let before = || {
        let at = nodes.iter().position(|(_, node)| node.id() == name.id())?;
        let part = nodes[..at].last().filter(is_part)?;
        let is_name = nodes[..at - 1].last().is_some_and(|(_, node)| node.id() == part.1.id());
        Some(part).filter(|_| !is_name)
    };
    own.or_else(before).map(|(_, part)| *part)
}

/// The captured nodes that are names in use. Most definitions have none of them.
fn used_in(nodes: &[(Capture, Node<'_>)]) -> FxHashSet<usize> {
    let used = nodes
        .iter()
        .filter(|(capture, _)| matches!(capture, Capture::Reference(_) | Capture::Key));
    used.map(|(_, node)| node.id()).collect()
}

/// What is between the braces at a text's ends.
fn between(mut range: Range) -> Range {
    range.start_byte += 1;
    range.start_point.column += 1;
    range.end_byte -= 1;
    range.end_point.column = range.end_point.column.saturating_sub(1);
    range
}

/// What an argument is, as far as its kind tells: grammars agree on the words in these names.
fn given_by(argument: Node<'_>, text: &str) -> Given {
    let mut argument = argument;
    // `argument` and the like hold nothing but the expression; with a label, what is given is not what stands there.
    while argument.kind().ends_with("argument") && argument.child_count() == 1 {
        match argument.named_child(0) {
            Some(inner) => argument = inner,
            None => break,
        }
    }
    let kind = argument.kind();
    let has = |word| kind.contains(word);
    let literal = if has("lambda")
        || has("closure")
        || has("anonymous_function")
        || has("anonymous_method")
        || has("method_reference")
    {
        return Given::Function;
    } else if has("binary_expression") || has("infix_expression") || has("additive_expression") {
        return combined(argument, text);
    } else if has("string") {
        Literal::Text
    } else if has("character") || has("char_literal") {
        Literal::Character
    } else if has("float") || has("real_literal") {
        Literal::Float
    } else if has("integer") || has("number_literal") || has("long_literal") {
        Literal::Integer
    } else if has("bool") || matches!(kind, "true" | "false" | "comparison_expression" | "equality_expression") {
        Literal::Boolean
    } else if has("null") && has("literal") || matches!(kind, "null" | "nil" | "nullptr") {
        Literal::Null
    } else {
        return Given::Other;
    };
    Given::Literal(literal)
}

/// Whether it is an element of something: its type is not that of the whole.
fn is_element(argument: Node<'_>) -> bool {
    let kind = argument.kind();
    ["array_access", "element_access", "subscript", "indexing"]
        .iter()
        .any(|word| kind.contains(word))
}

/// A text with something added is a text; what is compared is true or false.
fn combined(expression: Node<'_>, text: &str) -> Given {
    let operator = expression
        .child_by_field_name("operator")
        .or_else(|| expression.child(1));
    let operator = operator.map_or("", |operator| &text[operator.byte_range()]);
    match operator {
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" | "===" | "!==" => Given::Literal(Literal::Boolean),
        "+" => {
            // `a + b + c` is a tree to the left.
            let mut left = expression;
            for _ in 0..16 {
                let mut cursor = left.walk();
                let mut parts = left.named_children(&mut cursor);
                let Some(first) = parts.next() else { break };
                if first.kind().contains("string") || parts.any(|part| part.kind().contains("string")) {
                    return Given::Literal(Literal::Text);
                }
                left = first;
            }
            Given::Other
        }
        _ => Given::Other,
    }
}

fn span_of(node: Node<'_>) -> Span {
    Span {
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
    }
}

fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii_whitespace())
}

/// The last line with any of the node's text, from 0.
fn last_row(node: Node<'_>) -> usize {
    let end = node.end_position();
    // A comment may include its line break.
    if end.column == 0 {
        end.row.saturating_sub(1)
    } else {
        end.row
    }
}

fn unquoted(text: &str) -> &str {
    for quote in ['"', '\'', '`'] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner;
        }
    }
    text
}

/// What follows an attribute at the beginning of a text: `@name`, `@name(..)`, `[..]`, `#[..]`.
fn skip_attribute<'t>(text: &'t str, open: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(open)?;
    let inner = if open == "@" {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        // `@interface` declares one.
        if name == "interface" {
            return None;
        }
        match behind.strip_prefix('(') {
            Some(arguments) => arguments,
            None => return Some(behind),
        }
    } else {
        rest
    };
    let mut depth = 1;
    for (at, c) in inner.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(inner[at + 1..].trim_start_matches(']'));
        }
    }
    None
}
