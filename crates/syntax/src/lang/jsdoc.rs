//! What the comments of JavaScript say of types: `@param {Suite} suite`, `@typedef {import("./suite").Suite} Suite`,
//! `/** @import { Suite } from "./suite" */`.

use std::{borrow::Cow, ops::Range};

use source::Span;

use crate::{
    extract::{Documented, Walk, span_of},
    facts::{Qualifier, Role, SymbolIdx, SymbolKind, inline_import},
    tree::Node,
};

/// The language's own types, in small letters and as some write them.
const OWN: &[&str] = &[
    "Array", "Boolean", "Function", "Number", "Object", "String", "any", "bigint", "boolean", "const", "false",
    "function", "never", "number", "object", "string", "symbol", "this", "true", "unknown", "void",
];

/// Words between types.
const WORDS: &[&str] = &[
    "asserts",
    "extends",
    "in",
    "infer",
    "is",
    "keyof",
    "new",
    "null",
    "readonly",
    "typeof",
    "undefined",
    "unique",
];

/// Nobody writes longer types, or imports of more.
const MAX_TYPE: usize = 4 << 10;

const IMPORT: &str = "import";

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// The type that a tag says a definition has or gives back, or one of its parameters has: what is named in it that is none
/// of the language's own, if there is something.
pub(super) fn doc_type<'d>(doc: &'d str, parameter: Option<&str>) -> Option<Cow<'d, str>> {
    let words: &[&str] = match parameter {
        Some(_) => &["@param", "@argument", "@arg"],
        None => &["@returns", "@return", "@type"],
    };
    let mut tags = doc.lines().filter_map(|line| {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*'));
        let tag = words.iter().find_map(|word| line.strip_prefix(word))?;
        tag.trim_start().strip_prefix('{')?.split_once('}')
    });
    let (written, _) = tags.find(|(_, behind)| {
        let name = behind.trim_start().trim_start_matches('[');
        let name = name.split(|c: char| !is_in_name(c) && c != '.').next();
        parameter.is_none() || name == parameter
    })?;
    named(written).map(Cow::Owned)
}

/// A type without the language's own and without marks, if it is no more than names.
fn named(written: &str) -> Option<String> {
    let written = with_imports(written);
    let is_made_up = written.contains(['{', '(', '\'', '"']);
    if is_made_up {
        return None;
    }
    let written = written.replace(".<", "<");
    let mut depth = 0;
    let parts = written.split(|c: char| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        c == '|' && depth == 0
    });
    let parts = parts.map(|part| {
        let part = part.trim().trim_start_matches(['?', '!']);
        part.trim_end_matches(['?', '!', '='])
    });
    let parts: Vec<&str> = parts.filter(|part| !WORDS.contains(part)).collect();
    let is_named = |part: &&str| {
        let is_named = part.starts_with(char::is_uppercase) || part.contains(['.', '$']);
        is_named && !OWN.contains(part)
    };
    let named: Vec<&str> = parts.iter().copied().filter(is_named).collect();
    if !named.is_empty() {
        return Some(named.join(" | "));
    }
    // A value that is one of these has no members of anything here.
    let plain: Option<Vec<String>> = parts.iter().map(|part| plain(part)).collect();
    plain.filter(|plain| !plain.is_empty()).map(|plain| plain.join(" | "))
}

/// A type of the language's own that has members of its own only, as the language calls it; with how many there are of it.
fn plain(part: &str) -> Option<String> {
    let one = part.trim_end_matches("[]");
    let own = match one {
        "String" | "string" => "string",
        "Number" | "number" => "number",
        "Boolean" | "boolean" | "false" | "true" => "boolean",
        "bigint" => "bigint",
        "symbol" => "symbol",
        _ => return None,
    };
    Some(format!("{own}{}", &part[one.len()..]))
}

/// A type with the names that imports inside of it have in the facts: `import("./suite").Suite`.
fn with_imports(written: &str) -> Cow<'_, str> {
    if !written.contains(IMPORT) {
        return written.into();
    }
    let mut whole = String::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = written[at..].find(IMPORT) {
        let start = at + found;
        at = start + IMPORT.len();
        if let Some(inline) = Inline::read(written, start) {
            whole.push_str(&written[done..start]);
            whole.push_str(&inline.name(written));
            done = inline.end;
            at = inline.end;
        }
    }
    whole.push_str(&written[done..]);
    whole.into()
}

/// `import("./suite").Suite`, `import("./suite")`
struct Inline {
    path: Range<usize>,
    item: Option<Range<usize>>,
    end: usize,
}

impl Inline {
    fn read(text: &str, start: usize) -> Option<Inline> {
        let place = |rest: &str| text.len() - rest.len();
        let behind = text[start..].strip_prefix(IMPORT)?.trim_start().strip_prefix('(')?;
        let quoted = behind.trim_start();
        let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (path, behind) = quoted[1..].split_once(quote)?;
        if path.contains('\n') {
            return None;
        }
        let path = place(quoted) + 1..place(quoted) + 1 + path.len();
        let behind = behind.trim_start().strip_prefix(')')?;
        let item = behind.trim_start().strip_prefix('.').map(str::trim_start);
        let item = item.map(|item| place(item)..place(item.trim_start_matches(is_in_name)));
        let item = item.filter(|item| !item.is_empty());
        let end = item.as_ref().map_or(place(behind), |item| item.end);
        Some(Inline { path, item, end })
    }

    /// What it is called in the facts.
    fn name(&self, text: &str) -> String {
        inline_import(&text[self.path.clone()], self.item.clone().map(|item| &text[item]))
    }
}

/// Reads a comment: the imports in it, the types that it defines and those that it names.
pub(super) fn read(comment: Node<'_>, around: Option<SymbolIdx>, walk: &mut Walk<'_>) {
    let comment = span_of(comment);
    let text = &walk.whole_text()[..comment.end as usize];
    let mut at = comment.start as usize;
    let mut last = None;
    loop {
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        let line = text[at..end].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*'));
        if let Some(tag) = line.strip_prefix('@') {
            let behind = tag.trim_start_matches(char::is_alphabetic);
            let mut tag = Tag {
                text,
                comment,
                around,
                word: &tag[..tag.len() - behind.len()],
                start: end - line.len(),
                ty: None,
            };
            at = tag.read(end - behind.len(), &mut last, walk);
        }
        match text[at..].find('\n') {
            Some(end) => at += end + 1,
            None => return,
        }
    }
}

/// `@import Suite, { Test as T } from "./suite"`; where to go on.
fn imported(text: &str, start: usize, at: usize, walk: &mut Walk<'_>) -> usize {
    let near = &text[..text.floor_char_boundary(at + MAX_TYPE)];
    // A path may be of a scope: `"@types/node"`.
    let end = near[at..].find(['@', ';']).map_or(near.len(), |end| at + end);
    let Some((from, path)) = quoted(near, at).filter(|(from, _)| *from < end) else {
        return at;
    };
    let at_import = start as u32;
    let mut names = names(text, at..from).peekable();
    let mut in_braces = false;
    let mut is_all = false;
    while let Some(part) = names.next() {
        match &text[part.clone()] {
            "{" => in_braces = true,
            "}" => in_braces = false,
            "*" => is_all = true,
            "as" | "," => {}
            "from" if !in_braces => break,
            "type"
                if in_braces
                    && names
                        .peek()
                        .is_some_and(|next| !matches!(&text[next.clone()], "," | "}" | "as")) => {}
            item => {
                let alias = match names.peek().is_some_and(|next| &text[next.clone()] == "as") {
                    true => names.nth(1),
                    false => None,
                };
                let name = alias.clone().map(|alias| &text[alias]);
                match (in_braces, is_all) {
                    (true, _) => walk.import_text(&text[path.clone()], Some(item), name, false, false, at_import),
                    (false, true) => walk.import_text(&text[path.clone()], None, Some(item), false, false, at_import),
                    (false, false) => {
                        walk.import_text(
                            &text[path.clone()],
                            Some("default"),
                            Some(item),
                            false,
                            false,
                            at_import,
                        );
                    }
                }
                for name in [Some(part), alias].into_iter().flatten() {
                    walk.refer_to(name, Role::Import, Qualifier::Nothing);
                }
            }
        }
    }
    path.end
}

/// Where the first text in quotes begins, and what is in it.
fn quoted(text: &str, at: usize) -> Option<(usize, Range<usize>)> {
    let open = at + text[at..].find(['"', '\''])?;
    let quote = text[open..].chars().next()?;
    let length = text[open + 1..].find(quote)?;
    let path = open + 1..open + 1 + length;
    (!text[path.clone()].contains('\n')).then_some((open, path))
}

/// The words and signs of a part of a comment, without the stars that its lines begin with.
fn names(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = within.start;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..within.end];
            let c = rest.chars().next()?;
            let start = at;
            if is_in_name(c) {
                at = within.end - rest.trim_start_matches(is_in_name).len();
                return Some(start..at);
            }
            at += c.len_utf8();
            let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
            let is_margin = c == '*' && line > within.start && text[line..start].trim().is_empty();
            if !c.is_whitespace() && !is_margin {
                return Some(start..at);
            }
        }
    })
}

/// A tag that is followed by a type or a name.
struct Tag<'t> {
    text: &'t str,
    comment: Span,
    around: Option<SymbolIdx>,
    word: &'t str,
    start: usize,
    /// What is in its braces.
    ty: Option<Range<usize>>,
}

impl Tag<'_> {
    /// Where to go on. `last` is the type that was defined last, whose properties may follow.
    fn read(&mut self, at: usize, last: &mut Option<SymbolIdx>, walk: &mut Walk<'_>) -> usize {
        let behind = self.text[at..].trim_start_matches([' ', '\t']);
        let open = self.text.len() - behind.len();
        let ty = behind.starts_with('{').then(|| closing(self.text, open)).flatten();
        self.ty = ty.map(|close| open + 1..close);
        if self.word == IMPORT {
            return imported(self.text, self.start, at, walk);
        }
        let mut at = self.ty.as_ref().map_or(open, |ty| ty.end + 1);
        if self.word == "typedef" && self.import_as(&mut at, walk) {
            *last = None;
            return at;
        }
        if let Some(ty) = self.ty.clone() {
            let value = refer_to_types(self.text, ty, walk);
            if self.word == "type" {
                walk.cast(self.comment.end, value);
            }
        }
        match self.word {
            "typedef" | "callback" => *last = self.define(&mut at, SymbolKind::Type, None, walk),
            "property" | "prop" if last.is_some() => {
                self.define(&mut at, SymbolKind::Property, *last, walk);
            }
            "template" => {
                let line = self.text[at..].lines().next().unwrap_or_default();
                let end = at + line.find(['-', '=']).unwrap_or(line.len());
                names(self.text, at..end).for_each(|name| walk.stands_for_type(name));
            }
            _ => {}
        }
        at
    }

    /// The name behind its type, and where that ends.
    fn name(&self, at: usize) -> Option<Range<usize>> {
        let name = self.text[at..].trim_start_matches([' ', '\t', '[']);
        let start = self.text.len() - name.len();
        let name = start..self.text.len() - name.trim_start_matches(is_in_name).len();
        let is_part = self.text[name.end..].starts_with('.');
        (!name.is_empty() && !is_part).then_some(name)
    }

    fn define(
        &self,
        at: &mut usize,
        kind: SymbolKind,
        of: Option<SymbolIdx>,
        walk: &mut Walk<'_>,
    ) -> Option<SymbolIdx> {
        let name = self.name(*at)?;
        *at = name.end;
        let ty = self
            .ty
            .clone()
            .map(|ty| with_imports(self.text[ty].trim_end_matches('=')));
        let is_plain = ty.as_deref().is_some_and(|ty| matches!(ty.trim(), "Object" | "object"));
        // What has properties is described by them.
        let has_members = kind == SymbolKind::Type && (is_plain || ty.is_none()) && self.word == "typedef";
        Some(walk.define_documented(Documented {
            name,
            kind: if has_members { SymbolKind::Interface } else { kind },
            start: self.start,
            doc: self.comment,
            ty: ty.filter(|_| !has_members).as_deref(),
            around: self.around,
            of,
        }))
    }

    /// `@typedef {import("./suite").Suite} Suite`: another file's type, which this one offers, too.
    fn import_as(&self, at: &mut usize, walk: &mut Walk<'_>) -> bool {
        let Some(ty) = self.ty.clone() else { return false };
        let start = ty.end - self.text[ty.clone()].trim_start().len();
        let inline = Inline::read(&self.text[..ty.end], start);
        let (Some(inline), Some(name)) = (inline, self.name(*at)) else {
            return false;
        };
        let rest = self.text[inline.end..ty.end].trim();
        if !rest.is_empty() && !rest.starts_with('<') {
            return false;
        }
        let (path, alias) = (&self.text[inline.path], &self.text[name.clone()]);
        let item = inline.item.clone().map(|item| &self.text[item]);
        let start = self.start as u32;
        walk.import_text(path, item, Some(alias), false, false, start);
        walk.import_text("", Some(alias), None, false, true, start);
        if let Some(item) = inline.item {
            walk.refer_to(item, Role::Import, Qualifier::Nothing);
        }
        refer_to_types(self.text, inline.end..ty.end, walk);
        walk.refer_to(name.clone(), Role::Import, Qualifier::Nothing);
        *at = name.end;
        true
    }
}

/// The brace that closes the one at a place.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.as_bytes()[open..].iter().take(MAX_TYPE).enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(open + at);
        }
    }
    None
}

/// The names in a type. What a value of it is: the reference to the one type that is named, `Qualifier::Other` where that is the
/// language's own.
fn refer_to_types(text: &str, within: Range<usize>, walk: &mut Walk<'_>) -> Option<Qualifier> {
    let mut at = within.start;
    let mut is_queried = false;
    let mut first = None;
    while at < within.end {
        let c = text[at..].chars().next()?;
        if matches!(c, '"' | '\'' | '`') {
            let length = text[at + 1..within.end].find(c);
            at = length.map_or(within.end, |length| at + 1 + length + 1);
            continue;
        }
        if !is_in_name(c) || c.is_ascii_digit() {
            at += c.len_utf8();
            continue;
        }
        let (end, named) = match Inline::read(&text[..within.end], at) {
            Some(inline) => {
                let name = inline.name(text);
                let path = &text[inline.path];
                let item = inline.item.clone().map(|item| &text[item]);
                walk.inline_import(path, item, &name, at as u32);
                let item = inline
                    .item
                    .map(|item| walk.refer_to(item, Role::Import, Qualifier::Nothing));
                (inline.end, item.map(Qualifier::Value))
            }
            None => refer_to_path(text, at..within.end, is_queried, walk),
        };
        first = first.or_else(|| named.map(|named| (at, named, end)));
        is_queried = &text[at..end] == "typeof";
        at = end;
    }
    let (start, named, end) = first?;
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '?' | '!' | '|' | '=');
    let before = text[within.start..start].trim_matches(is_mark);
    let behind = text[end..within.end].trim_matches(is_mark);
    let is_one =
        |rest: &str| rest.is_empty() || rest.split('|').all(|part| matches!(part.trim(), "null" | "undefined"));
    let is_given = behind.trim_start_matches('.').starts_with('<') && behind.ends_with('>') && !behind.contains('|');
    (is_one(before) && (is_one(behind) || is_given)).then_some(named)
}

/// `Suite`, `suite.Suite`: where it ends, and what a value of it is.
fn refer_to_path(
    text: &str,
    within: Range<usize>,
    is_queried: bool,
    walk: &mut Walk<'_>,
) -> (usize, Option<Qualifier>) {
    let start = within.start;
    let mut at = start;
    let mut value = None;
    loop {
        let end = within.end - text[at..within.end].trim_start_matches(is_in_name).len();
        let (name, behind) = (&text[at..end], &text[end..within.end]);
        let next = behind.strip_prefix('.').filter(|next| next.starts_with(is_in_name));
        if at == start && next.is_none() {
            // The name of a parameter or of a member.
            let is_label = behind.strip_prefix('?').unwrap_or(behind).starts_with(':');
            if is_label || WORDS.contains(&name) || walk.is_type_parameter(name) {
                return (end, None);
            }
            if OWN.contains(&name) {
                return (end, Some(Qualifier::Other));
            }
        }
        let role = if is_queried || (next.is_some() && at == start) {
            Role::Variable
        } else {
            Role::Type
        };
        let on = match at > start {
            true => walk.path_on(start..at - 1),
            false => Qualifier::Nothing,
        };
        value = Some(Qualifier::Value(walk.refer_to(at..end, role, on)))
            .filter(|_| !is_queried)
            .or(value);
        match next {
            Some(_) => at = end + 1,
            None => return (end, value),
        }
    }
}
