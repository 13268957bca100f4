//! A tolerant recursive-descent parser of type expressions in any language. It never fails: what it does not understand
//! becomes a node of kind `Opaque`. It reads each token once, and is as deep as `MAX_DEPTH` at most.

use super::{
    Node, Role, TypeExpr, TypeKind,
    lexer::{NONE, Name, Token, TokenKind, Tokens},
};

/// Type expressions inside of each other that are read; what is further in is opaque.
const MAX_DEPTH: u32 = 48;

/// Longer texts are opaque.
const MAX_LEN: usize = 1 << 16;

/// Words between the parameters and the arrow of a function type.
const EFFECTS: &[&str] = &["async", "rethrows", "throws"];

/// Keywords that make a type of the type behind them.
const OPERATORS: &[&str] = &["infer", "keyof", "typeof"];

/// Keywords that are types by themselves.
const NUMBERS: &[&str] = &["long", "short", "signed", "unsigned"];

/// Keywords between two types.
const INFIX: &[&str] = &["as", "extends", "in", "is", "where"];

pub(super) fn parse(text: &str) -> TypeExpr {
    let Tokens {
        all,
        names,
        is_complete,
    } = match text.len() <= MAX_LEN {
        true => Tokens::of(text),
        false => Tokens::default(),
    };
    let mut parser = Parser {
        text,
        tokens: all,
        at: 0,
        depth: 0,
        in_pattern: false,
        nodes: Vec::new(),
        names,
    };
    // The root comes first.
    parser.nodes.push(Node::new(TypeKind::Opaque, 0, text.len() as u32));
    let end = parser.tokens.len();
    if let Some(whole) = parser.item(end, |_| false) {
        parser.nodes[0] = parser.nodes[whole as usize];
        parser.rename(whole, 0);
    }
    TypeExpr {
        text: text.into(),
        nodes: parser.nodes.into(),
        names: parser.names.into(),
        is_complete,
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// Whether a question mark ends the type: behind `extends`.
    in_pattern: bool,
    nodes: Vec<Node>,
    names: Vec<Name>,
}

type Separator = fn(TokenKind) -> bool;

const COMMA: Separator = |kind| kind == TokenKind::Other(b',');
const MEMBER_END: Separator = |kind| matches!(kind, TokenKind::Other(b',' | b';'));

impl Parser<'_> {
    /// The token at a place ahead, before an end.
    fn peek(&self, ahead: usize, end: usize) -> Option<TokenKind> {
        let at = self.at + ahead;
        (at < end).then(|| self.tokens[at].kind)
    }

    fn is(&self, kind: TokenKind, end: usize) -> bool {
        self.peek(0, end) == Some(kind)
    }

    fn is_other(&self, byte: u8, end: usize) -> bool {
        self.is(TokenKind::Other(byte), end)
    }

    /// The word at a place ahead, whether it is a keyword or a name.
    fn word(&self, ahead: usize, end: usize) -> Option<&str> {
        let is_word = matches!(self.peek(ahead, end)?, TokenKind::Name | TokenKind::Keyword);
        let token = self.tokens[self.at + ahead];
        is_word.then(|| &self.text[token.start as usize..token.end as usize])
    }

    fn start(&self, end: usize) -> u32 {
        match self.at < end {
            true => self.tokens[self.at].start,
            false => self.last_end(),
        }
    }

    /// Where the token before this one ends.
    fn last_end(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |last| self.tokens[last].end)
    }

    /// Whether nothing is between a token and the one before it.
    fn is_adjacent(&self, ahead: usize, end: usize) -> bool {
        let at = self.at + ahead;
        at > 0 && at < end && self.tokens[at - 1].end == self.tokens[at].start
    }

    fn node(&mut self, kind: TypeKind, start: u32, children: &[u32]) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node::new(kind, start, self.last_end()));
        self.adopt(id, children);
        id
    }

    /// Makes nodes the children of another.
    fn adopt(&mut self, id: u32, children: &[u32]) {
        let mut before = NONE;
        for child in children {
            match before {
                NONE => self.nodes[id as usize].child = *child,
                before => self.nodes[before as usize].next = *child,
            }
            before = *child;
        }
    }

    fn with_role(&mut self, id: u32, role: Role) -> u32 {
        self.nodes[id as usize].role = role;
        id
    }

    /// Makes names that belong to a node those of another.
    fn rename(&mut self, from: u32, to: u32) {
        for name in &mut self.names {
            if name.node == from {
                name.node = to;
            }
        }
    }

    /// The rest of a group as an opaque node.
    fn opaque(&mut self, end: usize) -> u32 {
        let start = self.start(end);
        self.at = end.max(self.at);
        self.node(TypeKind::Opaque, start, &[])
    }

    /// Everything up to a separator: a type, perhaps with a label or a default, or what else is there.
    fn item(&mut self, end: usize, is_separator: Separator) -> Option<u32> {
        let start = self.start(end);
        if self.depth >= MAX_DEPTH {
            return (self.at < end).then(|| self.opaque(end));
        }
        let mut parts = Vec::new();
        let mut is_assigned = false;
        while let Some(kind) = self.peek(0, end) {
            if is_separator(kind) {
                break;
            }
            if kind == TokenKind::Other(b':') && parts.len() == 1 {
                self.at += 1;
                let label = self.with_role(parts[0], Role::Label);
                self.depth += 1;
                let labelled = self.item(end, is_separator);
                self.depth -= 1;
                let children: Vec<u32> = [label].into_iter().chain(labelled).collect();
                return Some(self.node(TypeKind::Labelled, start, &children));
            }
            is_assigned |= kind == TokenKind::Other(b'=');
            if let Some(part) = self.full(end) {
                parts.push(part);
            }
        }
        match parts[..] {
            [] => None,
            [one] if !is_assigned => Some(one),
            _ => Some(self.node(TypeKind::Sequence, start, &parts)),
        }
    }

    /// The items of the group that begins here, and moves past it.
    fn group(&mut self, is_separator: Separator) -> Vec<u32> {
        let close = self.tokens[self.at].link as usize;
        self.at += 1;
        let was_in_pattern = std::mem::replace(&mut self.in_pattern, false);
        let mut items = Vec::new();
        while self.at < close {
            items.extend(self.item(close, is_separator));
            // Past the separator.
            self.at += usize::from(self.at < close);
        }
        self.in_pattern = was_in_pattern;
        self.at = close + 1;
        items
    }

    /// A type of the lowest precedence; nothing, if no type begins here, and then the token is passed.
    fn full(&mut self, end: usize) -> Option<u32> {
        if self.depth == MAX_DEPTH {
            return Some(self.opaque(end));
        }
        self.depth += 1;
        let found = self.function_or_conditional(end);
        self.depth -= 1;
        found
    }

    fn function_or_conditional(&mut self, end: usize) -> Option<u32> {
        let start = self.start(end);
        let first = match self.peek(0, end)? {
            // `=> A` is worked out when it is asked for.
            TokenKind::FatArrow | TokenKind::ThinArrow => None,
            _ => self.union(end),
        };
        match self.peek(0, end) {
            Some(arrow @ (TokenKind::FatArrow | TokenKind::ThinArrow)) => {
                let parameter = first.map(|first| self.with_role(first, Role::Parameter));
                Some(self.function(arrow, start, parameter.into_iter().collect(), end))
            }
            Some(TokenKind::Keyword) => {
                let first = first?;
                match self.word(0, end) {
                    Some("extends") if !self.in_pattern => Some(self.conditional(first, start, end)),
                    Some("is") => Some(self.infix(TypeKind::Predicate, first, start, end)),
                    Some("as") => Some(self.infix(TypeKind::Cast, first, start, end)),
                    _ => Some(first),
                }
            }
            _ => first,
        }
    }

    fn infix(&mut self, kind: TypeKind, first: u32, start: u32, end: usize) -> u32 {
        self.at += 1;
        let second = self.full(end);
        let children: Vec<u32> = [first].into_iter().chain(second).collect();
        self.node(kind, start, &children)
    }

    /// `check extends pattern ? yes : no`, or a bound: `T extends Shape`.
    fn conditional(&mut self, check: u32, start: u32, end: usize) -> u32 {
        self.at += 1;
        let was_in_pattern = std::mem::replace(&mut self.in_pattern, true);
        let pattern = self.full(end);
        self.in_pattern = was_in_pattern;
        let mut children: Vec<u32> = [check].into_iter().chain(pattern).collect();
        if !self.is_other(b'?', end) {
            return self.node(TypeKind::Bounded, start, &children);
        }
        self.at += 1;
        children.extend(self.full(end));
        if self.is_other(b':', end) {
            self.at += 1;
            children.extend(self.full(end));
        }
        self.node(TypeKind::Conditional, start, &children)
    }

    /// A function type from its arrow on.
    fn function(&mut self, arrow: TokenKind, start: u32, mut children: Vec<u32>, end: usize) -> u32 {
        self.at += 1;
        if let Some(result) = self.full(end) {
            children.push(self.with_role(result, Role::Result));
        }
        let kind = match arrow {
            TokenKind::FatArrow => TypeKind::FatArrowFunction,
            _ => TypeKind::ThinArrowFunction,
        };
        self.node(kind, start, &children)
    }

    fn union(&mut self, end: usize) -> Option<u32> {
        self.joined(TypeKind::Union, end)
    }

    /// Types with one kind of operator between them.
    fn joined(&mut self, kind: TypeKind, end: usize) -> Option<u32> {
        let operator = match kind {
            TypeKind::Union => b'|',
            TypeKind::Intersection => b'&',
            _ => b'+',
        };
        let start = self.start(end);
        if kind == TypeKind::Union && self.is_other(operator, end) {
            self.at += 1;
        }
        let mut parts = Vec::new();
        loop {
            parts.extend(match kind {
                TypeKind::Union => self.joined(TypeKind::Intersection, end),
                TypeKind::Intersection => self.joined(TypeKind::Bounds, end),
                _ => self.operand(end),
            });
            if !self.is_other(operator, end) || self.peek(1, end).is_none() {
                break;
            }
            self.at += 1;
        }
        match parts[..] {
            [] => None,
            [one] => Some(one),
            _ => Some(self.node(kind, start, &parts)),
        }
    }

    /// A type with what is written before and behind it, and the words beside it: `const struct node *`.
    fn operand(&mut self, end: usize) -> Option<u32> {
        if self.depth == MAX_DEPTH {
            return Some(self.opaque(end));
        }
        self.depth += 1;
        let start = self.start(end);
        let mut parts: Vec<u32> = self.prefixed(end).into_iter().collect();
        while !parts.is_empty() && self.begins_operand(end) {
            parts.extend(self.prefixed(end));
        }
        self.depth -= 1;
        match parts[..] {
            [] => None,
            [one] => Some(one),
            _ => Some(self.node(TypeKind::Sequence, start, &parts)),
        }
    }

    /// Whether a further operand begins here, beside the one before.
    fn begins_operand(&self, end: usize) -> bool {
        match self.peek(0, end) {
            Some(TokenKind::Keyword) => !self.word(0, end).is_some_and(|word| INFIX.contains(&word)),
            Some(TokenKind::Name | TokenKind::Number | TokenKind::Lifetime | TokenKind::Open(_)) => true,
            _ => self.begins_pointer(end),
        }
    }

    /// Whether an asterisk or ampersand belongs to the type behind it: `chan *Shape`, `pub &'a Shape`.
    fn begins_pointer(&self, end: usize) -> bool {
        let is_type = match self.peek(1, end) {
            Some(TokenKind::Name | TokenKind::Lifetime | TokenKind::Open(b'[' | b'(')) => true,
            Some(TokenKind::Keyword) => self.word(1, end) != Some("const"),
            _ => false,
        };
        let is_mark = self.is_other(b'*', end) || self.is_other(b'&', end);
        is_mark && is_type && self.is_adjacent(1, end) && !self.is_adjacent(0, end)
    }

    /// Whether the element of a channel begins here: `chan T`, `chan<- T`.
    fn begins_element(&self, end: usize) -> bool {
        self.is_other(b'<', end) || (self.begins_operand(end) && !self.is_adjacent(0, end))
    }

    /// A type with what is written before it. If nothing is, the token is passed and there is no type.
    fn prefixed(&mut self, end: usize) -> Option<u32> {
        let start = self.start(end);
        let kind = self.prefix(end)?;
        let Some(kind) = kind else { return self.postfixed(end) };
        self.depth += 1;
        let inner = match self.depth >= MAX_DEPTH {
            true => Some(self.opaque(end)),
            false
                if self
                    .peek(0, end)
                    .is_some_and(|kind| matches!(kind, TokenKind::Other(b',' | b';' | b'|'))) =>
            {
                None
            }
            false => self.prefixed(end),
        };
        self.depth -= 1;
        let children: Vec<u32> = inner.into_iter().collect();
        Some(self.node(kind, start, &children))
    }

    /// Passes what is written before a type; nothing inside, if the type itself begins here; nothing, if none does.
    fn prefix(&mut self, end: usize) -> Option<Option<TypeKind>> {
        let token = self.peek(0, end)?;
        let kind = match token {
            TokenKind::Other(b'&') => TypeKind::Reference,
            TokenKind::Other(b'*') => TypeKind::Pointer,
            TokenKind::Other(b'?' | b'!') => TypeKind::Optional,
            TokenKind::Ellipsis => TypeKind::Rest,
            TokenKind::Lifetime => TypeKind::Modified,
            TokenKind::Other(b'@') => {
                self.at += 1 + usize::from(matches!(self.peek(1, end), Some(TokenKind::Name | TokenKind::Keyword)));
                self.skip_adjacent_group(end);
                return Some(Some(TypeKind::Modified));
            }
            TokenKind::Other(b'<') if self.peek(1, end) == Some(TokenKind::Other(b'-')) => {
                self.at += 2;
                return Some(None);
            }
            // A path that begins at the root: `\App\Model`, `::std::string`.
            TokenKind::PathSeparator | TokenKind::Other(b'\\') => {
                self.at += 1;
                return Some(None);
            }
            TokenKind::Keyword => return Some(self.prefix_word(end)),
            TokenKind::Open(b'[') => return Some(self.slice_prefix(end)),
            TokenKind::Open(_) | TokenKind::Name | TokenKind::Number => return Some(None),
            TokenKind::FatArrow | TokenKind::ThinArrow => return None,
            TokenKind::Close(_) | TokenKind::Other(_) => {
                self.at += 1;
                return None;
            }
        };
        self.at += 1;
        Some(Some(kind))
    }

    /// A keyword before a type; one that no type follows stands for itself.
    fn prefix_word(&mut self, end: usize) -> Option<TypeKind> {
        let word = self.word(0, end).unwrap_or_default();
        if matches!(word, "fn" | "func") && self.peek(1, end) == Some(TokenKind::Open(b'(')) {
            return None;
        }
        let kind = match OPERATORS.contains(&word) {
            true => TypeKind::Operator,
            false => TypeKind::Modified,
        };
        let next = self.word(1, end);
        let is_infix =
            next.is_some_and(|next| INFIX.contains(&next)) || (next == Some("const") && NUMBERS.contains(&word));
        let is_followed = match self.peek(1, end) {
            Some(TokenKind::Name | TokenKind::Keyword | TokenKind::Number | TokenKind::Lifetime) => !is_infix,
            // `long[]`
            Some(TokenKind::Open(b'[')) => !self.is_adjacent(1, end),
            Some(TokenKind::Open(_) | TokenKind::PathSeparator | TokenKind::Other(b'\\')) => true,
            // `mut *x`, and not `const *` behind a name.
            Some(TokenKind::Other(b'&' | b'*' | b'@')) => self.peek(2, end).is_some(),
            _ => false,
        };
        if is_followed {
            self.at += 1;
        }
        is_followed.then_some(kind)
    }

    /// `[]T`, `[4]T`, and not `[A, B][]`.
    fn slice_prefix(&mut self, end: usize) -> Option<TypeKind> {
        let is_adjacent = |at: usize| at < end && self.tokens[at - 1].end == self.tokens[at].start;
        let close = self.tokens[self.at].link as usize;
        let mut behind = close + 1;
        while is_adjacent(behind) && self.tokens[behind].kind == TokenKind::Open(b'[') {
            behind = self.tokens[behind].link as usize + 1;
        }
        let is_type = is_adjacent(behind)
            && match self.tokens[behind].kind {
                TokenKind::Name | TokenKind::Keyword | TokenKind::Open(b'(' | b'{') => true,
                TokenKind::Other(b'*' | b'?' | b'<') => behind + 1 < end,
                _ => false,
            };
        if is_type {
            self.at = close + 1;
        }
        is_type.then_some(TypeKind::Slice)
    }

    fn skip_adjacent_group(&mut self, end: usize) {
        if self.is(TokenKind::Open(b'('), end) && self.is_adjacent(0, end) {
            self.at = self.tokens[self.at].link as usize + 1;
        }
    }

    fn postfixed(&mut self, end: usize) -> Option<u32> {
        let start = self.start(end);
        let mut inner = self.primary(end)?;
        for _ in 0..MAX_DEPTH {
            match self.postfix(inner, start, end) {
                Some(outer) => inner = outer,
                None => break,
            }
        }
        Some(inner)
    }

    fn primary(&mut self, end: usize) -> Option<u32> {
        let start = self.start(end);
        match self.peek(0, end)? {
            TokenKind::Name => Some(self.named(end)),
            TokenKind::Keyword => {
                self.at += 1;
                Some(match self.peek(0, end) {
                    Some(TokenKind::Open(b'(')) => self.called(None, start, end),
                    _ => self.node(TypeKind::Opaque, start, &[]),
                })
            }
            TokenKind::Number => {
                self.at += 1;
                Some(self.node(TypeKind::Number, start, &[]))
            }
            TokenKind::Open(b'(') => Some(self.parenthesized(end)),
            TokenKind::Open(b'[') => {
                let items = self.group(COMMA);
                Some(self.node(TypeKind::List, start, &items))
            }
            TokenKind::Open(b'{') => Some(self.object()),
            TokenKind::Open(b'<') => {
                let mut children = self.group(COMMA);
                for one in &children {
                    self.nodes[*one as usize].role = Role::TypeParameter;
                }
                let inner = self.operand(end);
                children.extend(inner);
                Some(self.node(TypeKind::Generic, start, &children))
            }
            TokenKind::Open(_) => {
                let items = self.group(|_| false);
                Some(self.node(TypeKind::Quoted, start, &items))
            }
            _ => {
                self.at += 1;
                None
            }
        }
    }

    /// A name, perhaps with arguments.
    fn named(&mut self, end: usize) -> u32 {
        let token = self.tokens[self.at];
        self.at += 1;
        let path = &self.text[token.start as usize..token.end as usize];
        if path == "chan" && self.begins_element(end) {
            let element = self.operand(end);
            let children: Vec<u32> = element.into_iter().collect();
            return self.node(TypeKind::Channel, token.start, &children);
        }
        let is_interface = path == "interface";
        let arguments = match self.peek(0, end) {
            Some(TokenKind::Open(b'<')) => self.group(COMMA),
            _ => Vec::new(),
        };
        let named = self.node(TypeKind::Named, token.start, &arguments);
        if let Some(name) = self.names.get_mut(token.link as usize) {
            name.node = named;
        }
        if is_interface && self.is(TokenKind::Open(b'{'), end) {
            let object = self.object();
            return self.node(TypeKind::Sequence, token.start, &[named, object]);
        }
        named
    }

    /// `(A, B)`, `(A)`, or the function type that begins with that.
    fn parenthesized(&mut self, end: usize) -> u32 {
        let start = self.start(end);
        let items = self.group(COMMA);
        let mut words = 0;
        while self.word(words, end).is_some_and(|word| EFFECTS.contains(&word)) {
            words += 1;
        }
        if let Some(arrow @ (TokenKind::FatArrow | TokenKind::ThinArrow)) = self.peek(words, end) {
            self.at += words;
            for one in &items {
                self.nodes[*one as usize].role = Role::Parameter;
            }
            return self.function(arrow, start, items, end);
        }
        let is_one = matches!(items[..], [one] if self.nodes[one as usize].kind != TypeKind::Labelled);
        let kind = match is_one {
            true => TypeKind::Parenthesized,
            false => TypeKind::Tuple,
        };
        self.node(kind, start, &items)
    }

    /// What a name or word with parameters is: `fn(A) -> B`, `func(a A) B`, `void(int)`.
    fn called(&mut self, name: Option<u32>, start: u32, end: usize) -> u32 {
        let is_word = name.is_none();
        let mut children: Vec<u32> = name.into_iter().collect();
        let parameters = self.group(COMMA);
        for one in &parameters {
            self.nodes[*one as usize].role = Role::Parameter;
        }
        children.extend(parameters);
        let result = match self.peek(0, end) {
            Some(TokenKind::ThinArrow) => {
                self.at += 1;
                self.operand(end)
            }
            Some(kind) if is_word && (kind == TokenKind::Other(b'*') || self.begins_operand(end)) => self.operand(end),
            _ => None,
        };
        if let Some(result) = result {
            children.push(self.with_role(result, Role::Result));
        }
        self.node(TypeKind::Callable, start, &children)
    }

    /// One thing that is written behind a type.
    fn postfix(&mut self, inner: u32, start: u32, end: usize) -> Option<u32> {
        let is_adjacent = self.is_adjacent(0, end);
        match self.peek(0, end)? {
            TokenKind::Open(b'[') if is_adjacent => Some(self.subscript(inner, start, end)),
            TokenKind::Open(b'(') if is_adjacent && self.nodes[inner as usize].kind == TypeKind::Named => {
                Some(self.called(Some(inner), start, end))
            }
            TokenKind::Other(b'?') if self.is_optional(end) => self.suffix(TypeKind::Optional, inner, start),
            TokenKind::Other(b'!') => self.suffix(TypeKind::Optional, inner, start),
            TokenKind::Ellipsis => self.suffix(TypeKind::Rest, inner, start),
            TokenKind::Other(b'*') if !self.begins_pointer(end) => self.suffix(TypeKind::Pointer, inner, start),
            TokenKind::Other(b'&') if self.is_reference(end) && !self.begins_pointer(end) => {
                self.suffix(TypeKind::Reference, inner, start)
            }
            TokenKind::PathSeparator => self.member(inner, start, end),
            TokenKind::Other(b'.') if is_adjacent => match self.peek(1, end) {
                Some(TokenKind::Open(b'(')) => {
                    self.at += 1;
                    Some(self.function_with_receiver(inner, start, end))
                }
                Some(TokenKind::Name) => self.member(inner, start, end),
                _ => None,
            },
            TokenKind::Keyword if self.word(0, end) == Some("const") => self.suffix(TypeKind::Modified, inner, start),
            _ => None,
        }
    }

    fn suffix(&mut self, kind: TypeKind, inner: u32, start: u32) -> Option<u32> {
        self.at += 1;
        Some(self.node(kind, start, &[inner]))
    }

    /// Whether a question mark here is that of an optional type, and not of a condition.
    fn is_optional(&self, end: usize) -> bool {
        let is_adjacent = self.is_adjacent(0, end);
        let begins_type = match self.peek(1, end) {
            Some(TokenKind::Open(b'[')) => !self.is_adjacent(1, end),
            Some(TokenKind::Name | TokenKind::Keyword | TokenKind::Number | TokenKind::Open(_)) => true,
            Some(TokenKind::Other(b'-')) => true,
            _ => false,
        };
        match self.in_pattern {
            true => is_adjacent && !begins_type,
            false => !begins_type || (is_adjacent && !self.is_adjacent(1, end)),
        }
    }

    /// Whether an ampersand here is that of a reference, and not between two types.
    fn is_reference(&self, end: usize) -> bool {
        match self.peek(1, end) {
            Some(TokenKind::Name | TokenKind::Open(_) | TokenKind::Number | TokenKind::Other(b'\\')) => false,
            Some(TokenKind::Keyword) => self.word(1, end) == Some("const"),
            _ => true,
        }
    }

    /// `T[]`, `T["key"]`, `List[T]`, `map[K]V`
    fn subscript(&mut self, inner: u32, start: u32, end: usize) -> u32 {
        let items = self.group(COMMA);
        if items.is_empty() {
            return self.node(TypeKind::Array, start, &[inner]);
        }
        let is_map = self.text[start as usize..].starts_with("map[");
        let has_value = self.begins_operand(end) || self.is_other(b'*', end);
        let mut children = items;
        if is_map && has_value {
            children.extend(self.operand(end));
            return self.node(TypeKind::Map, start, &children);
        }
        children.insert(0, self.with_role(inner, Role::Object));
        self.node(TypeKind::Subscript, start, &children)
    }

    /// A type inside of another with arguments: `Map<K, V>::Entry`.
    fn member(&mut self, outer: u32, start: u32, end: usize) -> Option<u32> {
        if self.peek(1, end) != Some(TokenKind::Name) {
            return None;
        }
        self.at += 1;
        let member = self.named(end);
        let outer = self.with_role(outer, Role::Object);
        Some(self.node(TypeKind::Member, start, &[outer, member]))
    }

    /// `A.(B) -> C`
    fn function_with_receiver(&mut self, receiver: u32, start: u32, end: usize) -> u32 {
        let receiver = self.with_role(receiver, Role::Receiver);
        let parameters = self.group(COMMA);
        for one in &parameters {
            self.nodes[*one as usize].role = Role::Parameter;
        }
        let children: Vec<u32> = [receiver].into_iter().chain(parameters).collect();
        match self.peek(0, end) {
            Some(arrow @ (TokenKind::FatArrow | TokenKind::ThinArrow)) => self.function(arrow, start, children, end),
            _ => self.node(TypeKind::Callable, start, &children),
        }
    }

    /// `{ key: A; [name: string]: B }`, `{ [K in keyof T]: C }`
    fn object(&mut self) -> u32 {
        let start = self.tokens[self.at].start;
        let close = self.tokens[self.at].link as usize;
        self.at += 1;
        let was_in_pattern = std::mem::replace(&mut self.in_pattern, false);
        let mut members = Vec::new();
        while self.at < close {
            while self.word(0, close) == Some("readonly") || self.is_other(b'+', close) || self.is_other(b'-', close) {
                self.at += 1;
            }
            members.extend(match self.is_keyed_member(close) {
                true => Some(self.keyed_member(close)),
                false => self.item(close, MEMBER_END),
            });
            self.at += usize::from(self.at < close);
        }
        self.in_pattern = was_in_pattern;
        self.at = close + 1;
        self.node(TypeKind::Object, start, &members)
    }

    fn is_keyed_member(&self, end: usize) -> bool {
        if !self.is(TokenKind::Open(b'['), end) {
            return false;
        }
        let close = self.tokens[self.at].link as usize;
        let behind = self.tokens[close + 1..end].iter().map(|token| token.kind);
        let mut behind = behind.skip_while(|kind| matches!(kind, TokenKind::Other(b'?' | b'-' | b'+')));
        behind.next() == Some(TokenKind::Other(b':'))
    }

    /// `[name: string]: B`, `[K in keyof T as N]?: B`
    fn keyed_member(&mut self, end: usize) -> u32 {
        let start = self.tokens[self.at].start;
        let close = self.tokens[self.at].link as usize;
        self.at += 1;
        let is_mapped = self.word(1, close) == Some("in");
        let mut children = Vec::new();
        if is_mapped {
            let key = self.named(close);
            children.push(self.with_role(key, Role::Label));
            self.at += 1;
            children.extend(self.full(close));
        } else {
            children.extend(self.item(close, |_| false));
        }
        self.at = close + 1;
        while !self.is_other(b':', end) {
            self.at += 1;
        }
        self.at += 1;
        if let Some(value) = self.item(end, MEMBER_END) {
            children.push(self.with_role(value, Role::Result));
        }
        let kind = match is_mapped {
            true => TypeKind::MappedMember,
            false => TypeKind::KeyedMember,
        };
        self.node(kind, start, &children)
    }
}
