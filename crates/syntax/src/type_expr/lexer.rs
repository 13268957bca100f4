//! The tokens of type expressions, with the names among them and the brackets matched.

/// Words in type expressions that are no names of types.
const WORDS: &[&str] = &[
    "__owned",
    "__shared",
    "as",
    "async",
    "async_trait",
    "await",
    "borrowing",
    "class",
    "co",
    "const",
    "constexpr",
    "consuming",
    "dyn",
    "enum",
    "extends",
    "extern",
    "final",
    "fn",
    "for",
    "friend",
    "func",
    "impl",
    "in",
    "infer",
    "inline",
    "inout",
    "is",
    "isolated",
    "keyof",
    "long",
    "mut",
    "mutable",
    "new",
    "out",
    "override",
    "params",
    "readonly",
    "ref",
    "register",
    "restrict",
    "return",
    "sending",
    "short",
    "signed",
    "some",
    "static",
    "struct",
    "suspend",
    "template",
    "throws",
    "typename",
    "typeof",
    "union",
    "unique",
    "unsafe",
    "unsigned",
    "var",
    "vararg",
    "virtual",
    "volatile",
    "where",
];

/// Brackets inside of each other; further ones are read as other characters.
const MAX_OPEN: usize = 256;

/// No token, node or name.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A path, as a name: `std::vector`.
    Name,
    /// A keyword: `const`.
    Keyword,
    Number,
    /// `'a`, not followed by a quote.
    Lifetime,
    /// A bracket or quote that is closed at the linked token.
    Open(u8),
    /// A bracket or quote that closes the linked token.
    Close(u8),
    /// `->`
    ThinArrow,
    /// `=>`
    FatArrow,
    /// `::`
    PathSeparator,
    /// `...`
    Ellipsis,
    /// Any other character, brackets without a counterpart among them.
    Other(u8),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
    /// The other bracket; the index of a name.
    pub link: u32,
}

/// A path in a type expression that names a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    pub start: u32,
    pub end: u32,
    /// Where the colon is behind the label of a parameter or member: `(item: Shape) => void`.
    pub colon: u32,
    /// The node of kind `Named` that begins with the name.
    pub node: u32,
}

#[derive(Default)]
pub(super) struct Tokens {
    pub all: Vec<Token>,
    pub names: Vec<Name>,
    /// Every bracket but angle brackets has a counterpart. Facts cut off the text of a long type.
    pub is_complete: bool,
}

impl Tokens {
    pub fn of(text: &str) -> Tokens {
        let mut lexer = Lexer {
            text,
            last_quotes: [b'"', b'\'', b'`'].map(|quote| text.bytes().rposition(|byte| byte == quote)),
            apostrophes: text
                .bytes()
                .enumerate()
                .filter(|(_, byte)| *byte == b'\'')
                .map(|(at, _)| at)
                .collect(),
            open: Vec::new(),
            tokens: Tokens {
                is_complete: true,
                ..Tokens::default()
            },
        };
        let mut at = 0;
        while at < text.len() {
            at = lexer.token(at);
        }
        lexer.close_all();
        lexer.tokens
    }
}

struct Lexer<'t> {
    text: &'t str,
    last_quotes: [Option<usize>; 3],
    apostrophes: Vec<usize>,
    /// Indices of the opening tokens around a place.
    open: Vec<u32>,
    tokens: Tokens,
}

impl Lexer<'_> {
    /// Reads a token or a space, and returns where it ends.
    fn token(&mut self, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at..];
        let (kind, len) = match rest {
            [b'-', b'>', ..] => (TokenKind::ThinArrow, 2),
            [b'=', b'>', ..] => (TokenKind::FatArrow, 2),
            [b':', b':', ..] => (TokenKind::PathSeparator, 2),
            [b'.', b'.', b'.', ..] => (TokenKind::Ellipsis, 3),
            // `<-chan T`, `N <= 64`, `T <: Bound`, `T >: Bound`
            [byte @ b'<', b'-' | b'=', ..] => (TokenKind::Other(*byte), 1),
            [byte @ (b'<' | b'>'), b':', next, ..] if *next != b':' => (TokenKind::Other(*byte), 1),
            [byte, ..] if is_word(*byte) => return self.word(at),
            [byte, ..] if byte.is_ascii_whitespace() => return at + 1,
            // Facts have no line breaks in a type, so that nobody knows where the comment ends.
            [b'/', ..] => return at + 1,
            [byte @ (b'(' | b'[' | b'{' | b'<'), ..] => {
                self.open(at, *byte);
                return at + 1;
            }
            [byte @ (b')' | b']' | b'}' | b'>'), ..] => {
                self.close(at, *byte);
                return at + 1;
            }
            [byte @ (b'"' | b'\'' | b'`'), ..] => return self.quote(at, *byte),
            [byte, ..] => (TokenKind::Other(*byte), 1),
            [] => return at + 1,
        };
        self.push(kind, at, at + len);
        at + len
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        let (start, end) = (start as u32, end as u32);
        self.tokens.all.push(Token {
            kind,
            start,
            end,
            link: NONE,
        });
    }

    fn open(&mut self, at: usize, byte: u8) {
        if self.open.len() == MAX_OPEN {
            self.push(TokenKind::Other(byte), at, at + 1);
            return;
        }
        self.open.push(self.tokens.all.len() as u32);
        self.push(TokenKind::Open(byte), at, at + 1);
    }

    fn opened(&self, open: u32) -> u8 {
        match self.tokens.all[open as usize].kind {
            TokenKind::Open(byte) => byte,
            _ => 0,
        }
    }

    fn unmatch(&mut self, open: u32) {
        let byte = self.opened(open);
        self.tokens.all[open as usize].kind = TokenKind::Other(byte);
    }

    fn close(&mut self, at: usize, byte: u8) {
        let opener = match byte {
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            b'>' => b'<',
            quote => quote,
        };
        // Angle brackets that are open inside of other brackets are none, nor is any bracket that is open inside of quotes.
        let inside = self.open.iter().rev().map(|open| self.opened(*open));
        let mut inside =
            inside.take_while(|open| *open == opener || (byte != b'>' && (*open == b'<' || is_quote(byte))));
        let Some(depth) = inside.position(|open| open == opener) else {
            self.tokens.is_complete &= byte == b'>';
            self.push(TokenKind::Other(byte), at, at + 1);
            return;
        };
        for _ in 0..depth {
            if let Some(open) = self.open.pop() {
                self.unmatch(open);
            }
        }
        let Some(open) = self.open.pop() else { return };
        let close = self.tokens.all.len() as u32;
        self.push(TokenKind::Close(byte), at, at + 1);
        self.tokens.all[close as usize].link = open;
        self.tokens.all[open as usize].link = close;
    }

    /// Brackets that are still open end with the text; angle brackets and quotes are none.
    fn close_all(&mut self) {
        let end = self.text.len();
        while let Some(open) = self.open.pop() {
            let closer = match self.opened(open) {
                b'(' => b')',
                b'[' => b']',
                b'{' => b'}',
                _ => {
                    self.unmatch(open);
                    continue;
                }
            };
            self.tokens.is_complete = false;
            let close = self.tokens.all.len() as u32;
            self.push(TokenKind::Close(closer), end, end);
            self.tokens.all[close as usize].link = open;
            self.tokens.all[open as usize].link = close;
        }
    }

    fn quote(&mut self, at: usize, quote: u8) -> usize {
        let is_open = self.open.iter().rev().any(|open| self.opened(*open) == quote);
        // `"""A | B"""`: Python writes long types in such strings.
        let is_triple = self.text.as_bytes()[at..].starts_with(&[quote; 3]);
        if is_open {
            self.close(at, quote);
            return if is_triple { at + 3 } else { at + 1 };
        }
        let at = if is_triple { at + 2 } else { at };
        if quote == b'\'' && !self.is_string(at) {
            let behind = self.text.as_bytes()[at + 1..].iter();
            let end = at + 1 + behind.take_while(|byte| is_word(**byte)).count();
            self.push(TokenKind::Lifetime, at, end);
            return end;
        }
        let nth = [b'"', b'\'', b'`'].iter().position(|one| *one == quote);
        let last = nth.and_then(|nth| self.last_quotes[nth]);
        match last.is_some_and(|last| last > at) {
            true => self.open(at, quote),
            false => self.push(TokenKind::Other(quote), at, at + 1),
        }
        at + 1
    }

    /// Whether an apostrophe begins a string, and not a lifetime: only a lifetime's is followed by a word.
    fn is_string(&self, at: usize) -> bool {
        let next = self.apostrophes.partition_point(|one| *one <= at);
        let next = self.apostrophes.get(next);
        next.is_some_and(|next| !self.text.as_bytes().get(next + 1).is_some_and(|byte| is_word(*byte)))
    }

    /// Reads a path, a keyword or a number.
    fn word(&mut self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = start;
        loop {
            while at < bytes.len() && is_word(bytes[at]) {
                at += 1;
            }
            let joint = if bytes[at..].starts_with(b"::") {
                2
            } else {
                usize::from(at < bytes.len() && matches!(bytes[at], b'.' | b'\\'))
            };
            match bytes.get(at + joint) {
                Some(next) if joint > 0 && is_word(*next) => at += joint,
                _ => break,
            }
        }
        let path = &self.text[start..at];
        let behind = self.text[at..].trim_start();
        if path.starts_with(|c: char| c.is_ascii_digit()) {
            self.push(TokenKind::Number, start, at);
            return at;
        }
        // `any Sequence`
        let is_any = path == "any" && behind.len() < self.text.len() - at && behind.starts_with(char::is_alphabetic);
        if WORDS.contains(&path) || (is_any && !behind.starts_with("extends ")) {
            self.push(TokenKind::Keyword, start, at);
            return at;
        }
        let is_label = behind.strip_prefix(':').is_some_and(|rest| !rest.starts_with(':'));
        let colon = if is_label {
            (self.text.len() - behind.len()) as u32
        } else {
            NONE
        };
        self.push(TokenKind::Name, start, at);
        if let Some(token) = self.tokens.all.last_mut() {
            token.link = self.tokens.names.len() as u32;
        }
        let (start, end) = (start as u32, at as u32);
        let node = NONE;
        self.tokens.names.push(Name {
            start,
            end,
            colon,
            node,
        });
        at
    }
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}
