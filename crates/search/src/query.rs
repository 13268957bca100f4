//! The query language: words, `"phrases"`, `AND`/`OR`/`NOT`, parentheses, `field:`.
//!
//! Code is welcome unescaped: only a quote or parenthesis that begins a word, an operator in capitals that stands
//! between operands, and a known `field:` mean anything special.

use std::fmt;

use index::token;

use crate::symbol::KindFilter;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Content,
    Path,
    Lang,
    Symbol,
    Kind,
}

/// Field names as users write them.
const FIELDS: &[(&str, Field)] = &[
    ("content", Field::Content),
    ("file_path", Field::Path),
    ("path", Field::Path),
    ("symbol", Field::Symbol),
    ("lang", Field::Lang),
    ("kind", Field::Kind),
];

impl Field {
    pub fn from_word(word: &str) -> Option<Field> {
        FIELDS.iter().find(|(name, _)| *name == word).map(|(_, field)| *field)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    pub field: Field,
    pub text: String,
    /// It was written in quotes.
    pub is_quoted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    Leaf(Leaf),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Not(Box<Expr>),
    /// Operands side by side: any of the words matches, all of the fields and of what is in quotes must, none of the negated
    /// ones may.
    Seq(Vec<Expr>),
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    #[error("the quote at character {at} is not closed")]
    UnclosedQuote { at: usize },
    #[error("`{prefix}:` is not a search field")]
    UnknownField { prefix: String, nearest: &'static str },
    #[error("`{text}` holds no word to search for")]
    NoWord { text: String },
    #[error("`{operator}` has nothing on one side")]
    NoOperand { operator: &'static str },
    #[error("a parenthesis is not closed, or not opened")]
    Unbalanced,
}

impl QueryError {
    /// Every valid field prefix, for messages.
    pub fn fields() -> String {
        FIELDS
            .iter()
            .map(|(name, _)| format!("{name}:"))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl Leaf {
    /// Words that may be anywhere in a text.
    pub fn of_content(text: impl Into<String>) -> Leaf {
        Leaf {
            field: Field::Content,
            text: text.into(),
            is_quoted: false,
        }
    }

    pub fn words(&self) -> Vec<&str> {
        token::words(&self.text).collect()
    }
}

impl Expr {
    /// Whether the user wrote operators, rather than just words and fields.
    pub fn is_structured(&self) -> bool {
        match self {
            Expr::Leaf(_) => false,
            Expr::And(_) | Expr::Or(_) | Expr::Not(_) => true,
            Expr::Seq(items) => items.iter().any(Expr::is_structured),
        }
    }

    /// Whether a part of it is a phrase in quotes.
    pub fn is_quoted(&self) -> bool {
        match self {
            Expr::Leaf(leaf) => leaf.is_quoted,
            Expr::Not(inner) => inner.is_quoted(),
            Expr::And(items) | Expr::Or(items) | Expr::Seq(items) => items.iter().any(Expr::is_quoted),
        }
    }

    /// Whether these are words to be found and ranked, rather than an expression that decides what matches.
    pub fn is_plain(&self) -> bool {
        match self {
            Expr::Leaf(leaf) => leaf.field == Field::Content,
            Expr::Seq(items) => items.iter().all(Expr::is_plain),
            Expr::And(_) | Expr::Or(_) | Expr::Not(_) => false,
        }
    }

    /// Every leaf that is not negated.
    pub fn positive_leaves(&self) -> Vec<&Leaf> {
        match self {
            Expr::Leaf(leaf) => vec![leaf],
            Expr::Not(_) => Vec::new(),
            Expr::And(items) | Expr::Or(items) | Expr::Seq(items) => {
                items.iter().flat_map(Expr::positive_leaves).collect()
            }
        }
    }
}

/// Shows the structure: `(a AND b)`, `[a b]` for operands side by side.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, open, items: &[Expr], between: &str, close| {
            let items: Vec<String> = items.iter().map(Expr::to_string).collect();
            write!(f, "{open}{}{close}", items.join(between))
        };
        match self {
            Expr::Leaf(Leaf {
                field: Field::Content,
                text,
                ..
            }) => f.write_str(text),
            Expr::Leaf(Leaf { field, text, .. }) => write!(f, "{field:?}:{text}"),
            Expr::And(items) => list(f, "(", items, " AND ", ")"),
            Expr::Or(items) => list(f, "(", items, " OR ", ")"),
            Expr::Not(item) => write!(f, "NOT {item}"),
            Expr::Seq(items) => list(f, "[", items, " ", "]"),
        }
    }
}

/// `None` when there is nothing in the query at all.
pub fn parse(query: &str) -> Result<Option<Expr>, QueryError> {
    let tokens = lex(query)?;
    let mut parser = Parser { tokens, at: 0 };
    let mut items = Vec::new();
    // A closing parenthesis without an opening one ends nothing: go on behind it.
    while parser.at < parser.tokens.len() {
        items.extend(parser.or(Field::Content));
        parser.at += usize::from(parser.peek() == Some(&Token::Close));
    }
    Ok(seq(items))
}

/// Whether the operators of an expression have what they join, and its parentheses are balanced. `parse` takes what does not
/// fit for words.
pub fn check(query: &str) -> Result<(), QueryError> {
    let tokens = lex(query)?;
    let is_operator = |token: &Token| matches!(token, Token::And | Token::Or | Token::Not);
    if !tokens.iter().any(is_operator) {
        return Ok(());
    }
    let mut depth = 0i32;
    // The operator or parenthesis that waits for what comes behind it.
    let mut open = Some("");
    for token in &tokens {
        let name = match token {
            Token::And => "AND",
            Token::Or => "OR",
            Token::Not => "NOT",
            _ => "",
        };
        match (token, open) {
            (Token::And | Token::Or, Some(_)) => return Err(QueryError::NoOperand { operator: name }),
            (Token::Close, Some(operator)) => return Err(unfinished(operator)),
            (Token::And | Token::Or | Token::Not, _) => open = Some(name),
            (Token::Open, _) => (depth, open) = (depth + 1, Some("")),
            (Token::Close, None) => depth -= 1,
            (Token::Prefix(_), _) => open = Some(""),
            (Token::Text(_, text), _) if text.ends_with(')') && !text.contains('(') => {
                return Err(QueryError::Unbalanced);
            }
            (Token::Text(..) | Token::Quoted(_), _) => open = None,
        }
    }
    match open {
        Some(operator) => Err(unfinished(operator)),
        None if depth != 0 => Err(QueryError::Unbalanced),
        None => Ok(()),
    }
}

fn unfinished(operator: &'static str) -> QueryError {
    match operator {
        "" => QueryError::Unbalanced,
        operator => QueryError::NoOperand { operator },
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    And,
    Or,
    Not,
    /// A field prefix whose value follows: a phrase or a group.
    Prefix(Field),
    Text(Option<Field>, String),
    Quoted(String),
}

fn lex(query: &str) -> Result<Vec<Token>, QueryError> {
    let mut tokens = Vec::new();
    let mut depth = 0usize;
    let mut rest = query.trim_start();
    while let Some(first) = rest.chars().next() {
        let at = query.len() - rest.len();
        match first {
            '"' => {
                let (phrase, behind) = quoted(&rest[1..]).ok_or_else(|| QueryError::UnclosedQuote {
                    at: query[..at].chars().count() + 1,
                })?;
                tokens.push(Token::Quoted(phrase));
                rest = behind;
            }
            '(' => {
                tokens.push(Token::Open);
                depth += 1;
                rest = &rest[1..];
            }
            ')' => {
                tokens.push(Token::Close);
                depth = depth.saturating_sub(1);
                rest = &rest[1..];
            }
            // As others write `NOT path:docs`. Before a plain word the sign may be code.
            '-' if has_field(&rest[1..]) => {
                tokens.push(Token::Not);
                rest = &rest[1..];
            }
            _ => {
                let (token, behind) = run(rest, depth)?;
                tokens.push(token);
                rest = behind;
            }
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// Whether a text begins with a field and its value.
fn has_field(text: &str) -> bool {
    let values = FIELDS
        .iter()
        .filter_map(|(name, _)| text.strip_prefix(name)?.strip_prefix(':'));
    values
        .into_iter()
        .any(|value| !value.starts_with([' ', ':']) && !value.is_empty())
}

/// The text up to the closing quote and what follows it. `\"` and `\\` stand for themselves.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut phrase = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((phrase, &text[at + 1..])),
            '\\' if text[at + 1..].starts_with(['"', '\\']) => phrase.extend(chars.next().map(|(_, c)| c)),
            c => phrase.push(c),
        }
    }
    None
}

/// A run of characters without white space: an operator, a field with its value, or plain text.
fn run(text: &str, depth: usize) -> Result<(Token, &str), QueryError> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    if let Some((field, name)) = FIELDS
        .iter()
        .filter_map(|(name, field)| text.strip_prefix(name)?.strip_prefix(':').map(|value| (*field, value)))
        .find(|(_, value)| value.starts_with(['"', '(']))
    {
        return Ok((Token::Prefix(field), name));
    }
    let mut run = &text[..end];
    // Inside a group, closing parentheses that the run did not open belong to the group.
    let mut closing = depth;
    while closing > 0 && run.ends_with(')') && run.matches(')').count() > run.matches('(').count() {
        run = &run[..run.len() - 1];
        closing -= 1;
    }
    let token = match run {
        "AND" => Token::And,
        "OR" => Token::Or,
        "NOT" => Token::Not,
        run => text_token(run)?,
    };
    Ok((token, &text[run.len()..]))
}

fn text_token(run: &str) -> Result<Token, QueryError> {
    let plain = || Token::Text(None, run.to_owned());
    let Some((name, value)) = run.split_once(':') else {
        return Ok(plain());
    };
    let identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !identifier || value.is_empty() || value.starts_with(':') {
        return Ok(plain());
    }
    if let Some((_, field)) = FIELDS.iter().find(|(field, _)| *field == name) {
        return Ok(Token::Text(Some(*field), value.to_owned()));
    }
    // `http://x`, `pkg:scope:name`, `C:\dir`, `localhost:8080`, `a:[1]` are code, `code:parse` is a wrong field.
    let word = value
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '*'));
    // So is `Picker:find`: fields are written in lower case.
    let is_name = name.chars().any(|c| c.is_ascii_uppercase());
    if !word || is_name || value.chars().all(|c| c.is_ascii_digit()) {
        return Ok(plain());
    }
    let nearest = match KindFilter::parse(name) {
        Some(_) => Some("kind"),
        None => source::nearest(name, FIELDS.iter().map(|(field, _)| *field)),
    };
    Err(QueryError::UnknownField {
        prefix: name.to_owned(),
        nearest: nearest.unwrap_or("content"),
    })
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

/// A list of one is its only member, an empty list nothing.
fn list(mut items: Vec<Expr>, make: fn(Vec<Expr>) -> Expr) -> Option<Expr> {
    match items.len() {
        0 => None,
        1 => items.pop(),
        _ => Some(make(items)),
    }
}

fn seq(items: Vec<Expr>) -> Option<Expr> {
    list(items, Expr::Seq)
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// Whether an operand begins `ahead` tokens from here.
    fn operand_at(&self, ahead: usize) -> bool {
        matches!(
            self.tokens.get(self.at + ahead),
            Some(Token::Text(..) | Token::Quoted(_) | Token::Open | Token::Prefix(_) | Token::Not)
        )
    }

    fn or(&mut self, field: Field) -> Option<Expr> {
        let mut items = Vec::new();
        items.extend(self.seq(field));
        while self.peek() == Some(&Token::Or) {
            self.at += 1;
            items.extend(self.seq(field));
        }
        list(items, Expr::Or)
    }

    fn seq(&mut self, field: Field) -> Option<Expr> {
        let mut items = Vec::new();
        loop {
            match self.peek() {
                None | Some(Token::Close) => break,
                // Between two operands it is an operator for the caller, else a word like any other.
                Some(Token::Or) if !items.is_empty() && self.operand_at(1) => break,
                _ => items.extend(self.and(field)),
            }
        }
        seq(items)
    }

    fn and(&mut self, field: Field) -> Option<Expr> {
        let mut items = Vec::new();
        items.extend(self.unary(field));
        while self.peek() == Some(&Token::And) && self.operand_at(1) && !items.is_empty() {
            self.at += 1;
            items.extend(self.unary(field));
        }
        list(items, Expr::And)
    }

    fn unary(&mut self, field: Field) -> Option<Expr> {
        if self.peek() == Some(&Token::Not) && self.operand_at(1) {
            self.at += 1;
            return self.unary(field).map(|expr| Expr::Not(Box::new(expr)));
        }
        self.primary(field)
    }

    fn primary(&mut self, field: Field) -> Option<Expr> {
        let token = self.peek()?.clone();
        self.at += 1;
        let word = |text: &str| Some(Expr::Leaf(Leaf::of_content(text)));
        match token {
            Token::Text(own, text) => Some(Expr::Leaf(Leaf {
                field: own.unwrap_or(field),
                text,
                is_quoted: false,
            })),
            Token::Quoted(text) => Some(Expr::Leaf(Leaf {
                field,
                text,
                is_quoted: true,
            })),
            Token::Prefix(own) => self.primary(own),
            Token::Open => {
                let group = self.or(field);
                self.at += usize::from(self.peek() == Some(&Token::Close));
                group
            }
            Token::And => word("AND"),
            Token::Or => word("OR"),
            Token::Not => word("NOT"),
            Token::Close => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(query: &str) -> String {
        match parse(query) {
            Ok(Some(expr)) => expr.to_string(),
            Ok(None) => "nothing".into(),
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn operators_that_join_nothing() {
        for (query, problem) in [
            ("install AND lock", ""),
            ("NOT a AND (b OR NOT c)", ""),
            ("foo(bar) baz", ""),
            ("foo(bar) AND baz", ""),
            ("and or not", ""),
            ("install AND AND lock", "`AND` has nothing on one side"),
            ("install OR", "`OR` has nothing on one side"),
            ("AND install", "`AND` has nothing on one side"),
            ("a NOT", "`NOT` has nothing on one side"),
            ("(install AND lock", "a parenthesis is not closed, or not opened"),
            ("install AND lock)", "a parenthesis is not closed, or not opened"),
            ("a AND ()", "a parenthesis is not closed, or not opened"),
        ] {
            let found = check(query).map_or_else(|error| error.to_string(), |()| String::new());
            assert_eq!(found, problem, "{query}");
        }
    }

    #[test]
    fn operators_groups_and_fields() {
        for (query, expected) in [
            ("", "nothing"),
            ("auth", "auth"),
            ("walk files", "[walk files]"),
            ("a AND b OR c", "((a AND b) OR c)"),
            ("a OR b AND c", "(a OR (b AND c))"),
            ("a b AND c", "[a (b AND c)]"),
            ("a b OR c", "([a b] OR c)"),
            (
                "patient AND (login OR authentication)",
                "(patient AND (login OR authentication))",
            ),
            ("NOT deprecated", "NOT deprecated"),
            ("auth NOT deprecated", "[auth NOT deprecated]"),
            ("a AND NOT (b OR c)", "(a AND NOT (b OR c))"),
            ("NOT NOT a", "NOT NOT a"),
            ("\"user auth\" login", "[user auth login]"),
            ("content:x file_path:auth lang:rust", "[x Path:auth Lang:rust]"),
            ("path:\"a b\" AND x", "(Path:a b AND x)"),
            ("path:(a OR b)", "(Path:a OR Path:b)"),
            ("((a))", "a"),
            ("(a OR (b AND c))", "(a OR (b AND c))"),
        ] {
            assert_eq!(shown(query), expected, "{query}");
        }
    }

    #[test]
    fn code_needs_no_escapes() {
        for (query, expected) in [
            ("foo(", "foo("),
            ("foo.bar()", "foo.bar()"),
            ("a::b", "a::b"),
            ("std::fs::read", "std::fs::read"),
            ("[", "["),
            ("http://x/{id}", "http://x/{id}"),
            ("GET /api/users/{id}", "[GET /api/users/{id}]"),
            ("pkg:scope:name", "pkg:scope:name"),
            ("localhost:8080", "localhost:8080"),
            ("else:", "else:"),
            ("fmt.Printf(\"%s\")", "fmt.Printf(\"%s\")"),
            ("a) b", "[a) b]"),
            (") b", "b"),
            ("(", "nothing"),
            ("AND", "AND"),
            ("a AND", "[a AND]"),
            ("OR b", "[OR b]"),
            ("NOT", "NOT"),
            ("x AND AND y", "[x (AND AND y)]"),
            ("(f(x) OR g())", "(f(x) OR g())"),
        ] {
            assert_eq!(shown(query), expected, "{query}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(shown("a \"unbalanced"), "error: the quote at character 3 is not closed");
        assert_eq!(
            parse("file:auth").unwrap_err(),
            QueryError::UnknownField {
                prefix: "file".into(),
                nearest: "file_path"
            }
        );
        assert_eq!(
            parse("language:rust").unwrap_err(),
            QueryError::UnknownField {
                prefix: "language".into(),
                nearest: "lang"
            }
        );
    }
}
