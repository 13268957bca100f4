//! The languages' query files, compiled to tables that a walk over the tree can ask node by node.
//!
//! The files are tree-sitter queries, and a test has tree-sitter check each against its grammar. They are not run by
//! tree-sitter: its matcher tracks every pattern at every depth at once, and ours are about nearly every identifier. They
//! are rooted: a pattern is tried where a node of its root's kind is visited, the first that matches counts, and nothing
//! is tracked in between. Of the query language that needs node patterns, fields, `!field`, alternatives, `?`, `*`, the
//! leading anchor, and the predicates `#eq?`, `#any-of?`, `#match?` for how a word is written, and their opposites.

use tree_sitter::Language;

use crate::{
    facts::{Role, SymbolKind},
    tree::Node,
};

/// What a capture in a query file says of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capture {
    /// A definition as a whole; `@name` (one or more) is in it.
    Definition(SymbolKind),
    Name,
    /// What declares a name inside other declarators: C's `*f(int)`. The language's `declared` finds the name.
    Declarator,
    /// The type that a definition belongs to by its own words.
    Owner,
    /// A declared or returned type.
    Type,
    /// Where the signature ends.
    Body,
    /// Documentation inside a definition.
    Doc,
    /// What a definition or local variable is given.
    Value,
    /// What a local variable is an element of.
    Element,
    /// A name in use.
    Reference(Role),
    /// The expression that a member is asked of.
    Receiver,
    /// The path before a name.
    Qualifier,
    /// An expression's value is that of this part: parentheses, `await`.
    Through,
    This,
    Super,
    Literal,
    /// A region with local names of its own.
    Scope,
    /// The name of a parameter or local variable.
    Local,
    /// A local name that stands for a type.
    Generic,
    /// The type of a parameter that has no name.
    Nameless,
    /// The parameters of a function's type, which are none of the function's that it stands in.
    Inner,
    /// What says that a parameter need not be given; a `Value` says so too.
    Optional,
    /// What says that a parameter takes any number of arguments.
    Rest,
    /// The parameter of a function that is handed to a call: what it is depends on what that call is on. Or all of its
    /// parameters, in which each name is a `@part`.
    Passed,
    /// A name in use that is itself the parameter of a function which has no other words for it: `_.name`.
    Hole,
    /// A pattern that takes apart what a function is handed.
    Handed,
    /// The expression that patterns inside of the node take apart.
    Subject,
    /// A name in such a pattern; `@type` is what the pattern says.
    Part,
    /// A case in which the subject, a name, has the case's type.
    Narrow,
    /// The type whose members are named inside of the node: of a struct's literal.
    Whole,
    /// What a name stands on that is written without it: `whole` of the language finds its type.
    Implied,
    /// A local name that is known in all of the scope around it, before it too: `[x for x in y]`.
    Throughout,
    /// A local name that is tested: of the `@value`, or of what the `@guard` says of it.
    Narrowed,
    /// A function that is asked about a name.
    Guard,
    /// The member of a name that is tested.
    Tag,
    /// The token that makes the function that the node is one without a `this` of its own.
    Arrow,
    /// A name that a function shares with what is around it: it is assigned to, and not its own.
    Outer,
    /// A local name that is given the `@value`, and was declared elsewhere.
    Given,
    /// What a function gives back.
    Return,
    /// What a call's values come of: what the function gives back that it is given, or what it puts into something.
    Mapped,
    /// A function without a name: what it gives back is not what the one around it does.
    Closure,
    /// A name that stands for the member of that name of the `@value`: `a` in `const { a } = b`.
    Key,
    /// The arguments of a call, to be counted and told apart; or one that stands outside of the list.
    Arguments,
    /// Belongs to the definition inside: `export`, decorators.
    Wrapper,
    /// A wrapper that makes public.
    Export,
    /// Offers names to others: given to the language's `exports`.
    Offer,
    Comment,
    /// Stands before a definition and belongs to it.
    Attribute,
    /// One more path: counts for both complexities and nests.
    Branch,
    /// One more path, as part of a switch.
    Case,
    /// Nests and is hard to follow, but each case is a path of its own.
    Switch,
    /// The other side of a branch.
    Else,
    /// A further condition with a node of its own: `elif`.
    Elif,
    /// A further condition that is an `if` inside the `else`: it does not nest.
    Flat,
    /// `&&` and the like, on the whole binary expression.
    Logical,
    /// Nests without a decision: a function in a function.
    Nest,
    /// An import as a whole: given to the language's `imports`, else described by the next four.
    Import,
    Path,
    Item,
    Alias,
    Wildcard,
    /// A name that is no use of anything: the label of an argument.
    Ignore,
    /// Nothing inside is looked at.
    Skip,
    /// A type in quotes: the names in it are used.
    Quoted,
    /// Text in another language.
    Embed,
    /// Tokens without structure: given to the language's `tokens`.
    Tokens,
    /// Code that the grammar leaves as text: given to the language's `words`.
    Text,
    /// Only for predicates.
    Unnamed,
}

impl Capture {
    fn parse(name: &str) -> Option<Capture> {
        if let Some(kind) = name.strip_prefix("definition.") {
            return SymbolKind::from_word(kind).map(Capture::Definition);
        }
        if let Some(role) = name.strip_prefix("reference.") {
            let role = match role {
                "call" => Role::Call,
                "type" => Role::Type,
                "import" => Role::Import,
                "member" => Role::Member,
                "variable" => Role::Variable,
                "implementation" => Role::Implementation,
                _ => return None,
            };
            return Some(Capture::Reference(role));
        }
        Some(match name {
            "name" => Capture::Name,
            "declarator" => Capture::Declarator,
            "owner" => Capture::Owner,
            "type" => Capture::Type,
            "body" => Capture::Body,
            "doc" => Capture::Doc,
            "value" => Capture::Value,
            "element" => Capture::Element,
            "receiver" => Capture::Receiver,
            "qualifier" => Capture::Qualifier,
            "through" => Capture::Through,
            "this" => Capture::This,
            "super" => Capture::Super,
            "literal" => Capture::Literal,
            "scope" => Capture::Scope,
            "local" => Capture::Local,
            "throughout" => Capture::Throughout,
            "generic" => Capture::Generic,
            "nameless" => Capture::Nameless,
            "inner" => Capture::Inner,
            "optional" => Capture::Optional,
            "rest" => Capture::Rest,
            "passed" => Capture::Passed,
            "handed" => Capture::Handed,
            "hole" => Capture::Hole,
            "subject" => Capture::Subject,
            "part" => Capture::Part,
            "narrow" => Capture::Narrow,
            "whole" => Capture::Whole,
            "implied" => Capture::Implied,
            "narrowed" => Capture::Narrowed,
            "guard" => Capture::Guard,
            "tag" => Capture::Tag,
            "arrow" => Capture::Arrow,
            "outer" => Capture::Outer,
            "given" => Capture::Given,
            "return" => Capture::Return,
            "mapped" => Capture::Mapped,
            "closure" => Capture::Closure,
            "key" => Capture::Key,
            "arguments" => Capture::Arguments,
            "wrapper" => Capture::Wrapper,
            "export" => Capture::Export,
            "offer" => Capture::Offer,
            "comment" => Capture::Comment,
            "attribute" => Capture::Attribute,
            "branch" => Capture::Branch,
            "case" => Capture::Case,
            "switch" => Capture::Switch,
            "else" => Capture::Else,
            "elif" => Capture::Elif,
            "flat" => Capture::Flat,
            "logical" => Capture::Logical,
            "nest" => Capture::Nest,
            "import" => Capture::Import,
            "path" => Capture::Path,
            "item" => Capture::Item,
            "alias" => Capture::Alias,
            "wildcard" => Capture::Wildcard,
            "ignore" => Capture::Ignore,
            "skip" => Capture::Skip,
            "quoted" => Capture::Quoted,
            "embed" => Capture::Embed,
            "tokens" => Capture::Tokens,
            "text" => Capture::Text,
            name if name.starts_with('_') => Capture::Unnamed,
            _ => return None,
        })
    }
}

/// A language's compiled query.
#[derive(Debug)]
pub(crate) struct Rules {
    patterns: Vec<Pattern>,
    /// By kind of node: the patterns to try, in the order of the file.
    by_kind: Vec<Box<[u16]>>,
    /// By kind of node: what there is to do, told without looking at any pattern.
    work: Vec<Work>,
    /// What each capture of the query means.
    captures: Vec<Capture>,
    /// Whether it matters which call a name is inside of.
    pub passes: bool,
}

/// What a kind of node asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    Nothing,
    /// It is a name in use and nothing else: most nodes that ask for anything.
    Refer(Role),
    Match,
}

#[derive(Debug)]
struct Pattern {
    root: NodePattern,
    predicates: Vec<Predicate>,
    says: Says,
}

/// What a pattern has to say, so that nobody looks for what is not there.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Says {
    /// Something of the node that it begins with, other than that it is a name.
    pub about_root: bool,
    pub references: bool,
    pub locals: bool,
    pub returns: bool,
    pub keys: bool,
    /// Something for nodes inside that have yet to be visited.
    pub marks: bool,
    /// What the only name in use stands on is written behind it.
    pub is_late: bool,
}

#[derive(Debug)]
struct NodePattern {
    /// `None`: any named node.
    kind: Option<u16>,
    absent: Vec<u16>,
    items: Vec<Item>,
    /// Indexes into `Rules::captures`.
    captures: Vec<u16>,
}

/// A child that a node must have, may have, or may have many of.
#[derive(Debug)]
struct Item {
    field: Option<u16>,
    /// Only the first named child will do.
    first: bool,
    repeat: Repeat,
    alternatives: Vec<NodePattern>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeat {
    Once,
    Optional,
    /// None will do too.
    Any,
    /// One at least.
    Many,
}

impl Repeat {
    fn is_many(self) -> bool {
        matches!(self, Repeat::Any | Repeat::Many)
    }
}

/// All nodes under a capture have, or have not, one of these texts or such a first letter.
#[derive(Debug, Clone)]
struct Predicate {
    capture: u16,
    wanted: bool,
    test: Test,
}

#[derive(Debug, Clone)]
enum Test {
    AnyOf(Vec<String>),
    /// `"^[A-Z]"`
    Upper,
    /// `"^[A-Z_]*TEST[A-Z_]*$"`: a macro that makes tests.
    Tests,
    /// `"^[a-z_]"`
    Lower,
    /// `"^[a-z]"`
    Letter,
}

impl Test {
    fn fits(&self, word: &str) -> bool {
        match self {
            Test::AnyOf(values) => values.iter().any(|value| value == word),
            Test::Upper => word.starts_with(char::is_uppercase),
            Test::Tests => word.contains("TEST") && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'),
            Test::Lower => word.starts_with(|c: char| c.is_lowercase() || c == '_'),
            Test::Letter => word.starts_with(char::is_lowercase),
        }
    }
}

/// The nodes that a match captured, in the order of the pattern. Made once and used for every match.
#[derive(Default)]
pub(crate) struct Captured<'t> {
    raw: Vec<(u16, Node<'t>)>,
    pub nodes: Vec<(Capture, Node<'t>)>,
    pub says: Says,
}

impl Rules {
    /// Panics on a query that does not fit its grammar: a test compiles all of them.
    pub fn compile(language: &Language, query: &str) -> Rules {
        let mut parser = QueryParser {
            language,
            rest: query,
            names: Vec::new(),
        };
        let mut patterns = parser.patterns();
        let mut by_kind = vec![Vec::new(); language.node_kind_count()];
        for (at, pattern) in patterns.iter().enumerate() {
            let kind = pattern.root.kind.expect("a pattern begins with a kind of node");
            by_kind[kind as usize].push(at as u16);
        }
        let captures = parser.names.iter().map(|name| {
            let capture = Capture::parse(name);
            capture.unwrap_or_else(|| panic!("no such capture: @{name}"))
        });
        let captures: Vec<Capture> = captures.collect();
        for pattern in &mut patterns {
            pattern.says = pattern.root.says(&captures, true);
            pattern.says.is_late = pattern.root.is_late(&captures);
        }
        let work = by_kind.iter().map(|at| match at[..] {
            [] => Work::Nothing,
            [only] => patterns[only as usize]
                .plain_role(&captures)
                .map_or(Work::Match, Work::Refer),
            _ => Work::Match,
        });
        Rules {
            passes: captures.contains(&Capture::Passed),
            work: work.collect(),
            patterns,
            by_kind: by_kind.into_iter().map(Vec::into_boxed_slice).collect(),
            captures,
        }
    }

    #[inline]
    pub fn work(&self, kind: u16) -> Work {
        // Errors have a kind beyond the grammar's own.
        self.work.get(kind as usize).copied().unwrap_or(Work::Nothing)
    }

    /// Tries the patterns for a node; the first that matches fills `found`.
    pub fn apply<'t>(&self, node: Node<'t>, kind: u16, text: &str, found: &mut Captured<'t>) -> bool {
        found.nodes.clear();
        let Some(patterns) = self.by_kind.get(kind as usize) else {
            return false;
        };
        for at in patterns {
            let pattern = &self.patterns[*at as usize];
            found.raw.clear();
            if inside_fits(&pattern.root, node, &mut found.raw) && holds(&pattern.predicates, &found.raw, text) {
                let captures = found.raw.iter().map(|(at, node)| (self.captures[*at as usize], *node));
                found.nodes.extend(captures);
                found.says = pattern.says;
                return true;
            }
        }
        false
    }
}

impl NodePattern {
    fn is_kind_of(&self, node: Node<'_>) -> bool {
        match self.kind {
            Some(kind) => node.kind_id() == kind,
            None => node.is_named(),
        }
    }

    fn is_late(&self, captures: &[Capture]) -> bool {
        let mut order = Vec::new();
        self.in_order(captures, &mut order);
        let is_name = |capture: &Capture| matches!(capture, Capture::Reference(_));
        let names = order.iter().filter(|capture| is_name(capture)).count();
        let mut behind = order.iter().skip_while(|capture| !is_name(capture));
        names == 1 && behind.any(|capture| matches!(capture, Capture::Receiver | Capture::Qualifier))
    }

    fn in_order(&self, captures: &[Capture], order: &mut Vec<Capture>) {
        order.extend(self.captures.iter().map(|at| captures[*at as usize]));
        for inner in self.items.iter().flat_map(|item| &item.alternatives) {
            inner.in_order(captures, order);
        }
    }

    fn says(&self, captures: &[Capture], is_root: bool) -> Says {
        let mut says = Says::default();
        for capture in &self.captures {
            match captures[*capture as usize] {
                Capture::Unnamed => {}
                Capture::Reference(_) => says.references = true,
                Capture::Receiver | Capture::Qualifier | Capture::Quoted | Capture::Mapped => says.references = true,
                Capture::Passed if is_root => says.about_root = true,
                Capture::Local | Capture::Generic | Capture::Nameless => says.locals = true,
                Capture::Passed | Capture::Part | Capture::Hole | Capture::Arrow => says.locals = true,
                Capture::Narrow => (says.locals, says.about_root) = (true, true),
                Capture::Throughout | Capture::Narrowed | Capture::Outer | Capture::Given => says.locals = true,
                Capture::Return => says.returns = true,
                Capture::Key => says.keys = true,
                Capture::Flat | Capture::Ignore | Capture::Inner => says.marks = true,
                Capture::Definition(_) | Capture::Skip if !is_root => says.marks = true,
                _ => says.about_root |= is_root,
            }
        }
        for inner in self.items.iter().flat_map(|item| &item.alternatives) {
            let inner = inner.says(captures, false);
            says.references |= inner.references;
            says.locals |= inner.locals;
            says.returns |= inner.returns;
            says.keys |= inner.keys;
            says.marks |= inner.marks;
        }
        says
    }
}

impl Pattern {
    /// The role, if the pattern says nothing but that the node is a name in use.
    fn plain_role(&self, captures: &[Capture]) -> Option<Role> {
        let root = &self.root;
        let is_plain = self.predicates.is_empty() && root.items.is_empty() && root.absent.is_empty();
        match root.captures[..] {
            [only] if is_plain => match captures[only as usize] {
                Capture::Reference(role) => Some(role),
                _ => None,
            },
            _ => None,
        }
    }
}

fn fits<'t>(pattern: &NodePattern, node: Node<'t>, out: &mut Vec<(u16, Node<'t>)>) -> bool {
    pattern.is_kind_of(node) && inside_fits(pattern, node, out)
}

/// As `fits`, for a node whose kind is known to be right.
fn inside_fits<'t>(pattern: &NodePattern, node: Node<'t>, out: &mut Vec<(u16, Node<'t>)>) -> bool {
    let has = |field: &u16| node.child_by_field_id(*field).is_some();
    if pattern.absent.iter().any(has) {
        return false;
    }
    let before = out.len();
    out.extend(pattern.captures.iter().map(|capture| (*capture, node)));
    let mut after = 0;
    let fits = pattern.items.iter().all(|item| item_fits(item, node, &mut after, out));
    if !fits {
        out.truncate(before);
    }
    fits
}

/// Whether one of the children fits, or, where many may, which of them do. Children without a field come in the order
/// of the pattern: `after` is where the last one ended.
fn item_fits<'t>(item: &Item, node: Node<'t>, after: &mut usize, out: &mut Vec<(u16, Node<'t>)>) -> bool {
    let mut one_fits = |child| {
        let mut alternatives = item.alternatives.iter();
        alternatives.any(|alternative| fits(alternative, child, out))
    };
    let is_optional = matches!(item.repeat, Repeat::Optional | Repeat::Any);
    if let (Some(field), false) = (item.field, item.repeat.is_many()) {
        return node.child_by_field_id(field).is_some_and(one_fits) || is_optional;
    }
    let mut found = false;
    for child in node.children().filter(|child| !child.is_extra()) {
        let in_field = item.field.is_none_or(|field| child.field_id() == Some(field));
        if !in_field || (item.first && !child.is_named()) {
            continue;
        }
        let is_behind = item.field.is_some() || child.start_byte() >= *after;
        if is_behind && one_fits(child) {
            found = true;
            if item.field.is_none() {
                *after = child.end_byte();
            }
        }
        if item.first || (found && !item.repeat.is_many()) {
            break;
        }
    }
    found || is_optional
}

fn holds(predicates: &[Predicate], captured: &[(u16, Node<'_>)], text: &str) -> bool {
    predicates.iter().all(|predicate| {
        let mut under = captured.iter().filter(|(capture, _)| *capture == predicate.capture);
        under.all(|(_, node)| {
            let word = text.get(node.byte_range()).unwrap_or_default();
            predicate.test.fits(word) == predicate.wanted
        })
    })
}

struct QueryParser<'q> {
    language: &'q Language,
    rest: &'q str,
    names: Vec<&'q str>,
}

impl<'q> QueryParser<'q> {
    fn patterns(&mut self) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        while self.peek().is_some() {
            let mut predicates = Vec::new();
            // A group holds one pattern and its predicates.
            let is_group = self.peek() == Some('(') && self.rest[1..].trim_start().starts_with(['(', '[', '"']);
            if is_group {
                self.expect('(');
            }
            let roots = self.alternatives(&mut predicates);
            if is_group {
                self.predicates(&mut predicates);
                self.expect(')');
            }

            for root in roots {
                patterns.push(Pattern {
                    root,
                    predicates: predicates.clone(),
                    says: Says::default(),
                });
            }
        }
        patterns
    }

    /// One node pattern or `[several]`, with the captures behind.
    fn alternatives(&mut self, predicates: &mut Vec<Predicate>) -> Vec<NodePattern> {
        let mut nodes = if self.eat('[') {
            let mut nodes = Vec::new();
            while !self.eat(']') {
                nodes.extend(self.alternatives(predicates));
            }
            nodes
        } else {
            vec![self.node(predicates)]
        };
        while self.eat('@') {
            let capture = self.capture();
            nodes.iter_mut().for_each(|node| node.captures.push(capture));
        }
        nodes
    }

    fn node(&mut self, predicates: &mut Vec<Predicate>) -> NodePattern {
        let mut pattern = NodePattern {
            kind: None,
            absent: Vec::new(),
            items: Vec::new(),
            captures: Vec::new(),
        };
        if self.peek() == Some('"') {
            let kind = self.string();
            pattern.kind = Some(self.kind(&kind, false));
            return pattern;
        }
        self.expect('(');
        let kind = self.word();
        pattern.kind = (kind != "_").then(|| self.kind(kind, true));
        let mut first = false;
        while !self.eat(')') {
            if self.eat('!') {
                let field = self.word();
                pattern.absent.push(self.field(field));
            } else if self.eat('.') {
                first = true;
            } else if self.at_predicate() {
                self.predicates(predicates);
            } else {
                let field = match self.peek() {
                    Some('(' | '[' | '"') => None,
                    _ => {
                        let field = self.word();
                        self.expect(':');
                        Some(self.field(field))
                    }
                };
                let mut alternatives = self.alternatives(predicates);
                let repeat = if self.eat('?') {
                    Repeat::Optional
                } else if self.eat('*') {
                    Repeat::Any
                } else if self.eat('+') {
                    Repeat::Many
                } else {
                    Repeat::Once
                };
                while self.eat('@') {
                    let capture = self.capture();
                    alternatives.iter_mut().for_each(|node| node.captures.push(capture));
                }
                pattern.items.push(Item {
                    field,
                    first: std::mem::take(&mut first),
                    repeat,
                    alternatives,
                });
            }
        }
        pattern
    }

    fn at_predicate(&mut self) -> bool {
        self.peek() == Some('(') && self.rest[1..].trim_start().starts_with('#')
    }

    fn predicates(&mut self, out: &mut Vec<Predicate>) {
        while self.at_predicate() {
            self.expect('(');
            self.expect('#');
            let name = self.word();
            self.expect('?');
            let wanted = match name {
                "eq" | "any-of" | "match" => true,
                "not-eq" | "not-any-of" | "not-match" => false,
                other => panic!("no such predicate: #{other}?"),
            };
            self.expect('@');
            let capture = self.capture();
            let mut values = Vec::new();
            while !self.eat(')') {
                values.push(self.string());
            }
            let test = match (name, values.first().map(String::as_str)) {
                ("match" | "not-match", Some("^[A-Z]")) => Test::Upper,
                ("match" | "not-match", Some("^[A-Z_]*TEST[A-Z_]*$")) => Test::Tests,
                ("match" | "not-match", Some("^[a-z_]")) => Test::Lower,
                ("match" | "not-match", Some("^[a-z]")) => Test::Letter,
                ("match" | "not-match", other) => panic!("only the first letter can be asked for: {other:?}"),
                _ => Test::AnyOf(values),
            };
            out.push(Predicate { capture, wanted, test });
        }
    }

    fn capture(&mut self) -> u16 {
        let name = self.word();
        let known = self.names.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        }) as u16
    }

    fn kind(&self, kind: &str, named: bool) -> u16 {
        let id = self.language.id_for_node_kind(kind, named);
        assert!(id != 0, "no such kind of node: {kind}");
        id
    }

    fn field(&self, field: &str) -> u16 {
        let id = self.language.field_id_for_name(field);
        id.unwrap_or_else(|| panic!("no such field: {field}")).get()
    }

    /// Passes white space and comments.
    fn peek(&mut self) -> Option<char> {
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix(';') {
                Some(comment) => self.rest = comment.find('\n').map_or("", |end| &comment[end..]),
                None => return self.rest.chars().next(),
            }
        }
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.rest = &self.rest[wanted.len_utf8()..];
        }
        found
    }

    fn expect(&mut self, wanted: char) {
        let found = self.eat(wanted);
        assert!(found, "expected {wanted:?} before {:?}", self.rest.lines().next());
    }

    fn word(&mut self) -> &'q str {
        self.peek();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        assert!(end > 0, "expected a word before {:?}", self.rest.lines().next());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn string(&mut self) -> String {
        self.expect('"');
        let mut value = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return value;
                }
                '\\' => value.extend(chars.next().map(|(_, c)| c)),
                c => value.push(c),
            }
        }
        panic!("a string has no end: {value:?}")
    }
}
