//! Names of symbols: what a name that someone typed may mean, best first.

use std::cmp::Ordering;

use index::{Reader, token};
use syntax::{FileFacts, Symbol, SymbolIdx, SymbolKind};

use crate::{declared::declared, parameters::Parameters};

/// A name as users write it: `parse`, `Parser::parse`, `pkg.Class.method`, `Class#method`, `parse#function`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolName {
    pub name: String,
    /// What it is inside of, outermost first.
    pub owners: Vec<String>,
    pub kind: Option<KindFilter>,
    /// What stands before the name, where that may say whose it is: `#` for a member of values, `.` for one of the class,
    /// `*` for a method that takes a pointer.
    pub mark: Option<char>,
    /// What it takes, if that is written behind it.
    pub parameters: Option<Parameters>,
}

/// Which kinds a word stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindFilter(&'static [SymbolKind]);

impl KindFilter {
    /// By the words of the languages; `function` means methods too, `type` every kind of type.
    pub fn parse(word: &str) -> Option<KindFilter> {
        use SymbolKind::*;
        const FUNCTIONS: &[SymbolKind] = &[Function, Method, Constructor];
        const TYPES: &[SymbolKind] = &[Class, Struct, Enum, Interface, Trait, Union, Object, Type];
        let word = word.trim().to_ascii_lowercase();
        let kinds = match word.as_str() {
            "function" | "fn" | "func" | "def" | "sub" => FUNCTIONS,
            "type" => TYPES,
            "class" | "record" => &[Class, Object],
            "interface" | "protocol" | "trait" => &[Interface, Trait],
            "const" => &[Constant],
            "var" | "let" | "static" => &[Variable],
            "alias" | "typedef" => &[Type],
            "mod" | "package" => &[Module, Namespace],
            "enum_member" | "case" => &[Variant],
            "ctor" => &[Constructor],
            word => {
                let kind = SymbolKind::from_word(word)?;
                let at = SymbolKind::ALL.iter().position(|known| *known == kind)?;
                &SymbolKind::ALL[at..=at]
            }
        };
        Some(KindFilter(kinds))
    }

    pub fn kinds(self) -> &'static [SymbolKind] {
        self.0
    }

    pub fn allows(self, kind: SymbolKind) -> bool {
        self.0.contains(&kind)
    }

    /// Every word for messages.
    pub fn words() -> impl Iterator<Item = &'static str> {
        SymbolKind::ALL.iter().map(|kind| kind.as_str())
    }
}

/// A name without how many it takes, or what: `get/2` of Elixir and Erlang, `setTimeout:` and `personNamed:age:` of
/// Objective-C.
fn without_arity(text: &str) -> &str {
    let is_word = |text: &str| !text.is_empty() && text.chars().all(token::is_word_char);
    if let Some((name, arity)) = text.rsplit_once('/')
        && arity.bytes().all(|byte| byte.is_ascii_digit())
        && arity.len() == 1
        && name.ends_with(token::is_word_char)
    {
        return name;
    }
    match text.strip_suffix(':') {
        Some(labels) if labels.split(':').all(is_word) => labels.split(':').next().unwrap_or(text),
        _ => text,
    }
}

/// `-[Store setTimeout:]`, `+[Store make]`: a method as Objective-C's tools write it.
fn of_message(text: &str) -> Option<String> {
    let inner = text.strip_prefix(['-', '+'])?.strip_prefix('[')?.strip_suffix(']')?;
    let (class, selector) = inner.split_once(' ')?;
    // What a category adds is the class's.
    let class = class.split('(').next().unwrap_or(class);
    Some(format!("{class}.{}", selector.split(':').next().unwrap_or(selector)))
}

/// A name without the list of what it takes: `resolve(String)`, `run()`.
fn without_parameters(text: &str) -> &str {
    let name = text
        .ends_with(')')
        .then(|| text.find('('))
        .flatten()
        .map(|at| &text[..at]);
    let is_name = |c: char| token::is_word_char(c) || matches!(c, '!' | '?');
    name.filter(|name| name.ends_with(is_name)).unwrap_or(text)
}

/// A name without the word that declares such a thing: `struct stream`, `func main`.
fn without_keyword(text: &str) -> (&str, Option<KindFilter>) {
    const KEYWORDS: &[&str] = &[
        "struct",
        "enum",
        "union",
        "class",
        "interface",
        "trait",
        "protocol",
        "fn",
        "func",
        "function",
        "def",
    ];
    let is_name = |rest: &str| rest.starts_with(token::is_word_char) && !rest.contains(char::is_whitespace);
    match text.split_once(' ') {
        Some((word, rest)) if KEYWORDS.contains(&word) && is_name(rest.trim_start()) => {
            (rest.trim_start(), KindFilter::parse(word))
        }
        _ => (text, None),
    }
}

/// A name as it is declared, of how traces, debuggers and code write it: `\App\Cart`, `Cart->add`, `Cart.<init>`,
/// `` List`1.Add ``, `Cart::class`, `Option$.apply`.
fn as_declared(text: &str) -> String {
    let is_name = |rest: &&str| rest.starts_with(token::is_word_char);
    let roots = ["global::", "::", "\\"];
    let rooted = roots.iter().find_map(|root| text.strip_prefix(root).filter(is_name));
    let text = rooted.unwrap_or(text);
    let classes = ["::class", ".class"];
    let class = classes.iter().find_map(|end| text.strip_suffix(end).filter(is_name));
    let text = class.unwrap_or(text);
    let constructors = [".<init>", "..ctor"];
    let made = constructors
        .iter()
        .find_map(|end| text.strip_suffix(end).filter(is_name));
    let mut text = match made {
        Some(owner) => format!("{owner}.{}", owner.rsplit(['.', ':', '$']).next().unwrap_or(owner)),
        None => text.replace("$.", "."),
    };
    if !text.contains("operator") {
        text = text.replace("->", ".");
    }
    let mut pieces = text.split('`');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |name, piece| {
        name + piece.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

/// What stands between the signs that lead from one name to the next. A member may be called a sign, or have a name that is
/// computed: `List.::`, `List.[Symbol.iterator]`.
fn parts_of(text: &str) -> Vec<&str> {
    let is_sign = |rest: &str| !rest.is_empty() && !rest.contains(token::is_word_char);
    let computed = text.find(".[").filter(|_| text.ends_with(']'));
    let sign = text.rfind(['.', '#']).filter(|at| is_sign(&text[at + 1..]));
    let (plain, last) = match computed.or(sign) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let parts = plain.split(['.', '#', '\\', '/', ':']).filter(|part| !part.is_empty());
    parts.chain(last).collect()
}

/// The head of a function as it stands in the code, up to what it takes: without `const`, a brace or a semicolon behind.
fn as_head(text: &str) -> &str {
    let head = text.trim_end_matches(|c: char| matches!(c, ';' | '{') || c.is_whitespace());
    let head = head.strip_suffix("const").map_or(head, str::trim_end);
    if head.ends_with(')') { head } else { text }
}

/// A name without the type before it, where it is written as a function: `static int *size` of `static int *size(void)`.
fn without_type(text: &str) -> &str {
    let name = text
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '*' | '&'))
        .next();
    name.filter(|name| name.starts_with(token::is_word_char))
        .unwrap_or(text)
}

impl SymbolName {
    /// `None` if there is no name in it.
    pub fn parse(text: &str) -> Option<SymbolName> {
        // As prose and types of parameters write it: `` `parse` ``, `&Parser`.
        let text = text.trim().trim_matches(['`', '"']).trim_start_matches(['&', '*']);
        let declared = declared(text);
        let text = declared.as_deref().unwrap_or(text);
        let message = of_message(text);
        let text = as_head(message.as_deref().unwrap_or(text).trim());
        let bare = without_parameters(without_arity(text));
        let (mut bare, parameters) = match bare.len() < text.len() {
            true => (bare, Parameters::parse(text)),
            false => (bare, None),
        };
        if parameters.is_some() && without_keyword(bare).1.is_none() && of_block(bare).is_none() {
            bare = without_type(bare);
        }
        let (text, keyword) = without_keyword(bare);
        let (text, kind) = match text.rsplit_once('#') {
            Some((name, word)) if !name.is_empty() => match KindFilter::parse(word) {
                Some(kind) => (name, Some(kind)),
                None => (text, keyword),
            },
            _ => (text, keyword),
        };
        // `(*Command).Execute` in Go's words, also behind a package, and JavaScript's `Reply.prototype.send`.
        let plain = match text.strip_prefix('(').or(text.contains(".(*").then_some(text)) {
            Some(receiver) if receiver.contains(").") => receiver
                .replacen(".(", ".", 1)
                .replacen(").", ".", 1)
                .replacen('*', "", 1),
            _ => text.replace(".prototype.", "."),
        };
        let is_pointed = plain.len() < text.len() && text.contains("(*");
        let plain = as_declared(&with_nested(&without_arguments(&plain)));
        let text = plain.as_str();
        let in_block = of_block(text);
        let text = in_block.as_deref().unwrap_or(text);
        // A name that begins with a sign is one (`#id`, `.class`, `~Foo`), as is one with spaces (a heading).
        let is_sign = |c: char| !token::is_word_char(c) && c != '$';
        let is_plain = text.starts_with(is_sign) || text.contains(char::is_whitespace);
        let mut parts: Vec<&str> = if is_plain { vec![text] } else { parts_of(text) };
        let name = parts.pop()?;
        let is_generic = name.ends_with('>') && name.starts_with(token::is_word_char) && !name.starts_with("operator");
        let name = name.split('<').next().filter(|_| is_generic).unwrap_or(name).to_owned();
        let before = text.trim_end_matches(['.', '#']).strip_suffix(name.as_str());
        let mark = before.and_then(|before| before.chars().last());
        let owners = parts
            .into_iter()
            .map(|owner| owner.split('<').next().unwrap_or(owner).to_owned());
        (!name.is_empty()).then(|| SymbolName {
            name,
            owners: owners.collect(),
            kind,
            mark: match is_pointed {
                true => Some('*'),
                false => mark.filter(|mark| matches!(mark, '.' | '#')),
            },
            parameters,
        })
    }

    /// Whether something of a kind can be meant under its own name: `name!` is a macro, or a function that is used as one,
    /// unless the mark is part of the name.
    pub fn allows(&self, kind: SymbolKind, own: &str) -> bool {
        let is_marked = self.name.ends_with('!') && own != self.name;
        self.kind.is_none_or(|wanted| wanted.allows(kind)) && (!is_marked || USED_AS_MACROS.contains(&kind))
    }

    /// A module whose name is all of what was asked for: `Shop::Base`, `app.store`.
    pub fn as_modules(&self) -> impl Iterator<Item = SymbolName> {
        let separators = ["::", ".", "\\", ":"].iter().filter(|_| !self.owners.is_empty());
        separators.map(|separator| SymbolName {
            name: format!("{}{separator}{}", self.owners.join(separator), self.name),
            owners: Vec::new(),
            kind: self.kind,
            mark: None,
            parameters: None,
        })
    }

    /// What it is inside of a package that it begins with, or with the end of: `tsdb.Head` of `example.com/prom/tsdb.Head`
    /// and of `prom/tsdb.Head`.
    pub fn inside(&self, package: &str) -> Option<SymbolName> {
        let parts: Vec<&str> = package.split(['.', '/', ':']).filter(|part| !part.is_empty()).collect();
        let begins = |from: &usize| {
            let end = &parts[*from..];
            self.owners.len() >= end.len() && end.iter().zip(&self.owners).all(|(part, owner)| part == owner)
        };
        let from = (0..parts.len()).find(begins)?;
        Some(SymbolName {
            owners: self.owners[parts.len() - from..].to_vec(),
            ..self.clone()
        })
    }

    /// The name as it is written and, where that may be a mark of its use, without that: a macro of Rust is called as
    /// `name!`, a method of Ruby is `name!`; a property of PHP is `$name`, a variable of JavaScript is `$name`.
    pub fn spellings(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(unmarked(&self.name))
    }

    pub fn is_named(&self, name: &str) -> bool {
        self.spellings().any(|spelling| spelling == name)
    }

    /// Whether a symbol of a file is what was asked for, by what it is inside of: other symbols, files, and the namespace that
    /// is declared for the rest of the file.
    pub fn fits_symbol(&self, facts: &FileFacts, symbol: &Symbol, file: &str) -> bool {
        self.fits(&facts.path_of(symbol), file) || self.fits_namespace(facts, symbol)
    }

    /// Whether only a directory or file is called what the symbol was asked for as being inside of.
    pub fn fits_by_path(&self, facts: &FileFacts, symbol: &Symbol) -> bool {
        !self.fits(&facts.path_of(symbol), "") && !self.fits_namespace(facts, symbol)
    }

    fn fits_namespace(&self, facts: &FileFacts, symbol: &Symbol) -> bool {
        let path = facts.path_of(symbol);
        let inner = &path[..path.len() - 1];
        let Some((outer, own)) = self
            .owners
            .split_at_checked(self.owners.len().saturating_sub(inner.len()))
        else {
            return false;
        };
        let is_around = |(at, one): &(SymbolIdx, &Symbol)| {
            matches!(one.kind, SymbolKind::Namespace | SymbolKind::Module)
                && one.parent.is_none()
                && one.span.end <= symbol.span.start
                && !facts.symbols.iter().any(|inner| inner.parent == Some(*at))
        };
        let namespaces = SymbolIdx::enumerate(&facts.symbols).filter(is_around);
        let names = namespaces.flat_map(|(_, one)| facts.name(one).split(['.', '\\', ':']));
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        let is_same = |(one, other): (&String, &&str)| one == other;
        own.len() == inner.len()
            && own.iter().zip(inner).all(is_same)
            && !outer.is_empty()
            && outer.len() <= names.len()
            && outer.iter().zip(&names[names.len() - outer.len()..]).all(is_same)
    }

    /// The namespaces of what was asked for that a definition outside of its type leaves out, if it is that otherwise:
    /// `Crypto` for `Session::encrypt`.
    pub fn left_out_by(&self, facts: &FileFacts, symbol: &Symbol) -> Option<String> {
        symbol.owner?;
        let path = facts.path_of(symbol);
        let inner = path[..path.len() - 1].iter().flat_map(|part| part.split("::"));
        let inner: Vec<&str> = inner.filter(|part| !part.is_empty()).collect();
        let (outer, own) = self
            .owners
            .split_at_checked(self.owners.len().checked_sub(inner.len())?)?;
        (!outer.is_empty() && own.iter().eq(&inner)).then(|| outer.join("::"))
    }

    /// Whether a symbol's path, outermost first and its own name last, is inside of what was asked for. Outer parts may
    /// be left out; those of modules and packages that are no symbols of the file are not known here, so owners that the
    /// path does not have are looked for in the file's path.
    pub fn fits(&self, path: &[&str], file: &str) -> bool {
        let steps = path.iter().rev().skip(1).flat_map(|part| part.rsplit(['.', '\\', ':']));
        let mut symbols = steps.filter(|step| !step.is_empty());
        let mut owners = self.owners.iter().rev().peekable();
        while let Some(owner) = owners.peek() {
            if symbols.any(|symbol| symbol == owner.as_str()) {
                owners.next();
            } else {
                break;
            }
        }
        // The innermost owner must be a symbol unless all are modules.
        let all_in_file = owners.peek().is_some() && owners.len() == self.owners.len() && path.len() == 1;
        let rest: Vec<&String> = owners.collect();
        rest.is_empty()
            || ((all_in_file || rest.len() < self.owners.len()) && rest.iter().all(|part| in_path(file, part)))
    }
}

const USED_AS_MACROS: &[SymbolKind] = &[SymbolKind::Macro, SymbolKind::Function];

/// A path as backtraces of Rust write it, without what types and functions are given: `<Circle as Shape>::area` and
/// `Circle<T, U>::area` are `Circle::area`.
fn without_arguments(text: &str) -> String {
    if !text.contains("::") || text.contains("operator") {
        return text.to_owned();
    }
    let whole = match text
        .strip_prefix('<')
        .and_then(|cast| Some((cast, end_of_arguments(cast)?)))
    {
        Some((cast, close)) if cast[close..].starts_with(">::") => {
            let ty = &cast[..close];
            // `as` outside of what the type is given.
            let is_apart = |at: &usize| ty[..*at].matches('<').count() == ty[..*at].matches('>').count();
            let at = ty.match_indices(" as ").map(|(at, _)| at).find(is_apart);
            let ty = ty[..at.unwrap_or(ty.len())].trim_start_matches('&');
            format!("{}{}", ty.strip_prefix("mut ").unwrap_or(ty), &cast[close + 1..])
        }
        _ => text.to_owned(),
    };
    let mut bare = String::with_capacity(whole.len());
    let mut rest = whole.as_str();
    while let Some(open) = rest.find('<') {
        let Some(close) = end_of_arguments(&rest[open + 1..]).map(|close| open + 1 + close) else {
            break;
        };
        let behind = &rest[close + 1..];
        let before = rest[..open].trim_end_matches("::");
        if !before.ends_with(token::is_word_char) || !(behind.is_empty() || behind.starts_with("::")) {
            break;
        }
        bare.push_str(before);
        rest = behind;
    }
    bare + rest
}

/// Where the bracket closes that was open before a text.
fn end_of_arguments(text: &str) -> Option<usize> {
    let mut depth = 1;
    let mut before = ' ';
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '<') - i32::from(c == '>' && before != '-');
        before = c;
        (depth == 0).then_some(at)
    })
}

/// A name without what may be a mark of its use.
pub fn unmarked(name: &str) -> Option<&str> {
    let bare = name.strip_suffix('!').or_else(|| name.strip_prefix('$'));
    bare.filter(|bare| !bare.is_empty())
}

/// `CSVFormat$Builder`, as the JVM calls a type inside of another, in the words of its language.
fn with_nested(text: &str) -> String {
    let is_type = |part: &str| part.starts_with(char::is_uppercase);
    let is_nested = |word: &str| word.contains('$') && word.split('$').all(is_type);
    let words = text.split_inclusive(['.', '#']);
    let words = words.map(|word| match is_nested(word) {
        true => word.replace('$', "."),
        false => word.to_owned(),
    });
    words.collect()
}

/// A member as editors show it: `impl Display for Circle<'a>.fmt` is `Circle.fmt`, and a namespace without a name is none.
fn of_block(text: &str) -> Option<String> {
    let text = text.replace("(anonymous namespace)", "");
    let rest = match text.strip_prefix("impl") {
        Some(rest) if rest.starts_with([' ', '<']) => rest,
        _ if text.contains("..") => return Some(text.replace("..", ".")),
        _ => return None,
    };
    let mut depth = 0;
    let mut bare = String::new();
    for c in rest.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            c if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    let of = bare.rsplit_once(" for ").map_or(bare.as_str(), |(_, of)| of);
    Some(of.trim().trim_start_matches('&').to_owned())
}

/// Whether a module or package name is part of a file's path.
fn in_path(file: &str, part: &str) -> bool {
    // Where files are modules the module may begin with a capital: `Path` is `path.ml`.
    let is_stem = |step: &str| {
        let stem = step.split('.').next().unwrap_or(step);
        let mut lower = part.chars();
        let first = lower.next().into_iter().flat_map(char::to_lowercase);
        stem == part || first.chain(lower).eq(stem.chars())
    };
    let is_named = |step: &str| step == part || is_stem(step) || step.replace('-', "_") == part;
    matches!(part, "crate" | "self" | "super") || file.split('/').any(is_named)
}

/// How a name answers what was typed; the order is the order of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Likeness {
    Exact,
    /// But for case and underscores.
    Spelling,
    Prefix,
    /// The beginnings of its parts: `pQ` is `parseQuery`.
    Humps,
    Substring,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameMatch {
    pub likeness: Likeness,
    pub name: String,
    pub kind: SymbolKind,
    /// The segments of the index that have it.
    pub segments: Vec<u32>,
}

/// The names in the index that may be meant, best first: by likeness, then shorter names, then by name and kind. None is
/// less like what was typed than `farthest`.
pub fn symbol_names(
    reader: &Reader,
    wanted: &str,
    kind: Option<KindFilter>,
    farthest: Likeness,
) -> tantivy::Result<Vec<NameMatch>> {
    let allowed = |of: &SymbolKind| *of != SymbolKind::Impl && kind.is_none_or(|kind| kind.allows(*of));
    let exact = |of: SymbolKind| -> tantivy::Result<Option<NameMatch>> {
        let segments = reader.segments_defining(wanted, of)?;
        Ok((!segments.is_empty()).then(|| NameMatch {
            likeness: Likeness::Exact,
            name: wanted.to_owned(),
            kind: of,
            segments,
        }))
    };
    let mut found = Vec::new();
    if let Some(bare) = unmarked(wanted) {
        for of in SymbolKind::ALL {
            if kind.is_none_or(|kind| kind.allows(*of)) {
                found.extend(exact(*of)?);
            }
        }
        if !found.is_empty() {
            return Ok(found);
        }
        if kind.is_some() || !wanted.ends_with('!') {
            return symbol_names(reader, bare, kind, farthest);
        }
        for of in USED_AS_MACROS.chunks(1) {
            found = symbol_names(reader, bare, Some(KindFilter(of)), farthest)?;
            if !found.is_empty() {
                break;
            }
        }
        return Ok(found);
    }
    if farthest <= Likeness::Spelling {
        // One look into the dictionary for each kind, instead of reading all of it.
        for of in SymbolKind::ALL.iter().copied().filter(allowed) {
            found.extend(exact(of)?);
        }
        // Another spelling is only asked for where nobody wrote this one.
        let is_spelled = || reader.defines_word(&token::fold(wanted));
        if farthest == Likeness::Exact || !found.is_empty() || !is_spelled()? {
            return Ok(found);
        }
    }
    let folded = token::fold(wanted);
    let parts: Vec<String> = token::parts(wanted).map(token::fold).collect();
    let found = reader.each_symbol_name_like(&folded, |segment, names| {
        let (mut found, mut buffer) = (Vec::new(), String::new());
        for (name, kind) in names {
            // Most names are told apart by their first letter; only few are worth a closer look.
            if farthest == Likeness::Spelling && !token::folds_to(name, &folded) && name != wanted {
                continue;
            }
            buffer.clear();
            token::fold_onto(name, &mut buffer);
            let likeness = likeness(name, &buffer, wanted, &folded, &parts);
            let likeness = likeness.filter(|likeness| *likeness <= farthest);
            found.extend(likeness.filter(|_| allowed(&kind)).map(|likeness| NameMatch {
                likeness,
                name: name.to_owned(),
                kind,
                segments: vec![segment],
            }));
        }
        found
    })?;
    let mut found: Vec<NameMatch> = found.into_iter().flatten().collect();
    // What begins or ends with what parts words is a part of more.
    let is_part = wanted.starts_with('_') || wanted.ends_with('_');
    found.sort_by(|a, b| {
        let key = |one: &NameMatch| (is_part && !one.name.contains(wanted), one.likeness, one.name.len());
        key(a)
            .cmp(&key(b))
            .then_with(|| (&a.name, a.kind).cmp(&(&b.name, b.kind)))
    });
    // The same name of several segments; of one segment it may have come twice.
    found.dedup_by(|other, first| {
        let is_same = (&other.name, other.kind) == (&first.name, first.kind);
        if is_same && first.segments.last() != other.segments.last() {
            first.segments.append(&mut other.segments);
        }
        is_same
    });
    Ok(found)
}

/// Below this a name is something else.
const LEAST_SIMILAR: f64 = 0.6;

/// The names in the index that are written most similarly, for who has mistyped one; best first.
pub fn similar_names(
    reader: &Reader,
    wanted: &str,
    kind: Option<KindFilter>,
    limit: usize,
) -> tantivy::Result<Vec<String>> {
    let wanted = Similar::new(wanted);
    let found = reader.each_symbol_name(|_, names| {
        let mut allowed = names.filter(|(_, of)| kind.is_none_or(|kind| kind.allows(*of)));
        wanted.most_similar(&mut allowed, limit)
    })?;
    let mut found: Vec<(f64, String)> = found.into_iter().flatten().collect();
    found.sort_by(better);
    found.dedup();
    found.truncate(limit);
    Ok(found.into_iter().map(|(_, name)| name).collect())
}

/// More similar names first, then shorter ones.
fn better(a: &(f64, String), b: &(f64, String)) -> Ordering {
    let by_length = a.1.len().cmp(&b.1.len());
    b.0.total_cmp(&a.0).then(by_length).then_with(|| a.1.cmp(&b.1))
}

/// A name to compare others with.
struct Similar {
    folded: String,
    length: usize,
    /// How often it has each ASCII letter, if it has no others.
    letters: Option<[u8; 128]>,
}

impl Similar {
    fn new(wanted: &str) -> Similar {
        let folded = token::fold(wanted);
        let mut letters = [0u8; 128];
        let is_plain = folded.is_ascii() && folded.len() < 256;
        for byte in folded.bytes().filter(|_| is_plain) {
            letters[usize::from(byte)] += 1;
        }
        Similar {
            length: folded.chars().count(),
            folded,
            letters: is_plain.then_some(letters),
        }
    }

    fn most_similar(&self, names: &mut dyn Iterator<Item = (&str, SymbolKind)>, limit: usize) -> Vec<(f64, String)> {
        let mut found: Vec<(f64, String)> = Vec::new();
        let mut least = LEAST_SIMILAR;
        let mut other = String::new();
        for (name, _) in names {
            if self.at_most(name) < least || found.last().is_some_and(|(_, last)| last == name) {
                continue;
            }
            other.clear();
            token::fold_onto(name, &mut other);
            let similarity = strsim::normalized_damerau_levenshtein(&other, &self.folded);
            if similarity >= least {
                found.push((similarity, name.to_owned()));
            }
            if found.len() > 4 * limit {
                found.sort_by(better);
                found.dedup();
                found.truncate(limit);
                least = found.last().map_or(least, |(similarity, _)| *similarity);
            }
        }
        found.sort_by(better);
        found.dedup();
        found.truncate(limit);
        found
    }

    /// A similarity that a name does not exceed, told without comparing letter by letter: what one has and the other has not
    /// must be changed.
    fn at_most(&self, name: &str) -> f64 {
        let (length, common) = match self.letters {
            Some(mut letters) if name.is_ascii() => {
                let (mut length, mut common) = (0, 0);
                for byte in name.bytes().filter(|byte| *byte != b'_') {
                    let left = &mut letters[usize::from(byte.to_ascii_lowercase())];
                    length += 1;
                    common += usize::from(*left > 0);
                    *left = left.saturating_sub(1);
                }
                (length, common)
            }
            // Names of other lengths cannot be similar enough.
            _ => {
                let length = folded_chars(name).count();
                (length, length.min(self.length))
            }
        };
        let longer = length.max(self.length);
        1.0 - (longer - common) as f64 / longer as f64
    }
}

fn likeness(name: &str, name_folded: &str, wanted: &str, folded: &str, parts: &[String]) -> Option<Likeness> {
    if name == wanted {
        return Some(Likeness::Exact);
    }
    if folded.is_empty() {
        return name.contains(wanted).then_some(Likeness::Substring);
    }
    if name_folded == folded {
        return Some(Likeness::Spelling);
    }
    if name_folded.starts_with(folded) {
        return Some(Likeness::Prefix);
    }
    if is_humps(name, folded, parts) {
        return Some(Likeness::Humps);
    }
    name_folded.contains(folded).then_some(Likeness::Substring)
}

/// Each part typed begins the next part of the name; or all letters typed are the first letters of its parts.
fn is_humps(name: &str, folded: &str, parts: &[String]) -> bool {
    // Either way the name begins with the first letter typed: that leaves few to be taken apart.
    let begins = |part: &str, letter: Option<char>| folded_chars(part).next() == letter;
    if !begins(name, folded.chars().next()) {
        return false;
    }
    let begins_with = |part: &str, wanted: &str| {
        let mut letters = folded_chars(part);
        wanted.chars().all(|letter| letters.next() == Some(letter))
    };
    let by_parts = || {
        let mut own = token::parts(name);
        let all = parts
            .iter()
            .all(|wanted| own.next().is_some_and(|part| begins_with(part, wanted)));
        parts.len() >= 2 && all
    };
    let letters = || {
        let mut own = token::parts(name);
        let all = folded
            .chars()
            .all(|letter| own.next().is_some_and(|part| begins(part, Some(letter))));
        folded.chars().nth(1).is_some() && all
    };
    by_parts() || letters()
}

/// As `token::fold` writes them.
fn folded_chars(word: &str) -> impl Iterator<Item = char> {
    word.chars().filter(|c| *c != '_').flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_whose_a_member_is() {
        for (text, expected) in [
            ("run", None),
            ("Job::run", None),
            ("Job#run", Some('#')),
            ("Job.run", Some('.')),
            ("Shop::Job.run(item)", Some('.')),
            ("Job#function", None),
            ("(*Job).Run", Some('*')),
            ("work.(*Job).Run", Some('*')),
        ] {
            assert_eq!(SymbolName::parse(text).unwrap().mark, expected, "{text}");
        }
    }

    #[test]
    fn names_are_read_in_every_spelling() {
        let parsed = |text: &str| {
            let name = SymbolName::parse(text).unwrap();
            format!(
                "{} > {}{}",
                name.owners.join(" "),
                name.name,
                if name.kind.is_some() { " kind" } else { "" }
            )
        };
        assert_eq!(parsed("parse_query"), " > parse_query");
        assert_eq!(parsed("Processor::process"), "Processor > process");
        assert_eq!(parsed("pkg.Class.method()"), "pkg Class > method");
        assert_eq!(parsed("Class#run"), "Class > run");
        assert_eq!(parsed("Parser#struct"), " > Parser kind");
        assert_eq!(parsed("a::Parser<T>::parse#fn"), "a Parser > parse kind");
        assert_eq!(parsed("<Circle<'_> as shapes::Shape>::area"), "Circle > area");
        assert_eq!(parsed("<&mut a::Circle<T, U> as Shape<V>>::area"), "a Circle > area");
        assert_eq!(parsed("a::Circle<fn(T) -> U, V>::area::<W>"), "a Circle > area");
        assert_eq!(parsed("a::Circle::operator<"), "a Circle > operator<");
        assert_eq!(parsed("impl<'a> Display for Circle<'a>.fmt"), "Circle > fmt");
        assert_eq!(parsed("impl Circle.new"), "Circle > new");
        assert_eq!(parsed("db.(anonymous namespace).Env"), "db > Env");
        assert_eq!(parsed("$Registry.clear"), "$Registry > clear");
        assert_eq!(parsed("org.Format$Builder.build"), "org Format Builder > build");
        assert_eq!(parsed("ready$"), " > ready$");
        assert_eq!(parsed("model.(*folder).scan"), "model folder > scan");
        assert_eq!(parsed("(*Command).Execute"), "Command > Execute");
        assert_eq!(parsed("Url#resolve(String, int)"), "Url > resolve");
        assert_eq!(parsed("void add(db *db, robj *key);"), " > add");
        assert_eq!(parsed("static entry *Table::find(int key) const {"), "Table > find");
        assert_eq!(parsed("struct stream"), " > stream kind");
        assert_eq!(parsed("Shop.Store.get/2"), "Shop Store > get");
        assert_eq!(parsed("personNamed:age:"), " > personNamed");
        assert_eq!(parsed("-[Store setTimeout:]"), "Store > setTimeout");
        assert_eq!(parsed("+[Store(Extra) make]"), "Store > make");
        assert_eq!(parsed("func main"), " > main kind");
        assert_eq!(parsed("~Foo"), " > ~Foo");
        assert_eq!(parsed("Cart.save!()"), "Cart > save!");
        assert_eq!(parsed("db.List.[Symbol.iterator]"), "db List > [Symbol.iterator]");
        assert_eq!(parsed("`Job::run`"), "Job > run");
        assert_eq!(parsed("&Reader"), " > Reader");
        assert_eq!(parsed("Reader<T>"), " > Reader");
        assert_eq!(parsed("\\App\\Cart::add"), "App Cart > add");
        assert_eq!(parsed("Cart->add()"), "Cart > add");
        assert_eq!(parsed("::Shop::Base"), "Shop > Base");
        assert_eq!(parsed("global::Shop.Base"), "Shop > Base");
        assert_eq!(parsed("Shop.List`1.Add"), "Shop List > Add");
        assert_eq!(parsed("Shop.Cart..ctor"), "Shop Cart > Cart");
        assert_eq!(parsed("Cart.<init>"), "Cart > Cart");
        assert_eq!(parsed("Cart::class"), " > Cart");
        assert_eq!(parsed("scala.Option$.apply"), "scala Option > apply");
        assert_eq!(parsed("List.::"), "List > ::");
        assert_eq!(parsed("Item#<=>"), "Item > <=>");
        assert_eq!(parsed("Box::operator->"), "Box > operator->");
        assert_eq!(parsed("How to install"), " > How to install");
        assert_eq!(SymbolName::parse("  "), None);
    }

    #[test]
    fn similarity_is_never_more_than_letters_allow() {
        let names = [
            "parseQuery",
            "parse_query",
            "PraseQuery",
            "query",
            "p",
            "größe",
            "Größe_x",
            "aaaa",
            "_",
        ];
        for wanted in names {
            let similar = Similar::new(wanted);
            for name in names {
                let exactly = strsim::normalized_damerau_levenshtein(&token::fold(name), &similar.folded);
                let at_most = similar.at_most(name);
                assert!(
                    at_most.is_nan() || at_most >= exactly,
                    "{wanted} {name}: {at_most} {exactly}"
                );
            }
        }
        assert!(Similar::new("parseQuery").at_most("zzzzzzzzzz") < LEAST_SIMILAR);
    }

    #[test]
    fn likeness_orders_names() {
        let like = |name: &str, wanted: &str| {
            let parts: Vec<String> = token::parts(wanted).map(token::fold).collect();
            likeness(name, &token::fold(name), wanted, &token::fold(wanted), &parts)
        };
        assert_eq!(like("parseQuery", "parseQuery"), Some(Likeness::Exact));
        assert_eq!(like("parse_query", "parseQuery"), Some(Likeness::Spelling));
        assert_eq!(like("parseQueryFast", "parseQ"), Some(Likeness::Prefix));
        assert_eq!(like("parseQuery", "pQ"), Some(Likeness::Humps));
        assert_eq!(like("parse_query_fast", "paQu"), Some(Likeness::Humps));
        assert_eq!(like("parse_query", "pq"), Some(Likeness::Humps));
        assert_eq!(like("reparseQuery", "parse"), Some(Likeness::Substring));
        assert_eq!(like("query", "parse"), None);
    }
}
