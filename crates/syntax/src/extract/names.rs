//! Names are written once a file.

use std::ops::Range;

use source::Span;

use super::{Apart, Before, Handed, TakenFrom, Walk, Whole, refer::unquoted, span_of};
use crate::{
    facts::{CONST, CallbackParameter, Context, ContextId, NameId, Note, Pattern, PatternId, TypeSource},
    lang::is_behind,
    tree::Node,
};

/// Longer types are cut.
const MAX_TYPE: usize = 1024;

impl<'t> Walk<'t> {
    /// A name without quotes; nothing if there is nothing in it or it goes on for pages.
    pub(super) fn name_text(&self, span: Span) -> Option<&'t str> {
        let written = self.text.get(span.range())?;
        // Nearly all names are plain words; only others can have white space or quotes around.
        let is_plain = written.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
        let bare = if is_plain { written } else { unquoted(written.trim()) };
        let text = (self.hooks.name)(bare);
        (!text.is_empty() && text.len() <= 256).then_some(text)
    }

    pub(super) fn type_of(&mut self, node: Node<'_>) -> NameId {
        let mut span = span_of(node);
        if self.hooks.has_pointers
            && is_behind(node, self.text, CONST)
            && let Some(before) = node.prev_sibling()
            && before.kind() == "type_qualifier"
            && self.name_text(span_of(before)) == Some(CONST)
        {
            span.start = before.start_byte() as u32;
        }
        let ty = self.type_name(span);
        // `char const* text`
        let has_behind = self.hooks.has_pointers
            && self
                .text
                .get(node.end_byte()..)
                .is_some_and(|behind| behind.trim_start().starts_with(CONST))
            && node.next_sibling().is_some_and(|behind| {
                behind.kind() == "type_qualifier" && self.name_text(span_of(behind)) == Some(CONST)
            });
        if has_behind && !self.names.get(ty).starts_with("const ") {
            let ty = format!("{CONST} {}", self.names.get(ty));
            return self.intern_made(&ty);
        }
        ty
    }

    /// The type of a name with what is written around the name: `char*` of `char *name` and of `char name[8]`.
    pub(super) fn marked_type(
        &mut self,
        ty: TypeSource,
        written: Node<'_>,
        name: Option<Node<'_>>,
        is_first: bool,
    ) -> TypeSource {
        let TypeSource::Expr(expr) = ty else { return ty };
        if !self.hooks.has_pointers {
            return ty;
        }
        let mut marks = String::new();
        let behind = match name {
            // Of several names each has its own.
            Some(name) if !is_first => {
                let before = self.text[..name.start_byte()].bytes().rev();
                let before = before.take_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b'*' | b'&'));
                marks.extend(before.filter(|byte| !byte.is_ascii_whitespace()).map(char::from));
                &self.text[name.end_byte()..]
            }
            _ => {
                let mut rest = &self.text[written.end_byte()..];
                loop {
                    rest = rest.trim_start();
                    let word = ["const", "volatile", "__restrict"];
                    if let Some(marked) = rest.strip_prefix(['*', '&']) {
                        marks.push_str(&rest[..rest.len() - marked.len()]);
                        rest = marked;
                    } else if let Some(behind) = word.iter().find_map(|word| rest.strip_prefix(word)) {
                        rest = behind;
                    } else {
                        break;
                    }
                }
                let behind = name.map_or(rest, |name| &self.text[name.end_byte()..]);
                // `const char (&text)[N]`
                let is_wrapped = rest.starts_with('(');
                behind.strip_prefix(')').filter(|_| is_wrapped).unwrap_or(behind)
            }
        };
        if behind.trim_start().starts_with('[') {
            marks.push('*');
        }
        if marks.is_empty() {
            return ty;
        }
        let text = format!("{}{marks}", self.names.get(expr));
        TypeSource::Expr(self.intern_made(&text))
    }

    /// The type that a value says it is of, with what that holds: `new Map<string, Shape>()`.
    pub(super) fn made_type(&mut self, value: Node<'_>) -> Option<NameId> {
        let written = (self.hooks.made_type)(value, self.text)?;
        Some(self.type_name(Span {
            start: written.start as u32,
            end: written.end as u32,
        }))
    }

    /// The type that is wanted where a name is declared: `Find(out var found)`.
    pub(super) fn implied_type(&mut self, declared: Node<'_>) -> Option<TypeSource> {
        match (self.hooks.whole)(declared, self.text) {
            Whole::Type(span) => Some(TypeSource::Expr(self.type_name(span))),
            whole => self.context_of(&whole).map(TypeSource::Expected),
        }
    }

    /// The type that a literal is held against, and what it says of itself.
    pub(super) fn held_against(&mut self, literal: Node<'_>) -> Before {
        let whole = (self.hooks.whole)(literal, self.text);
        if !matches!(whole, Whole::Unknown | Whole::Returned(_)) {
            for (member, value) in (self.hooks.tags)(literal, self.text) {
                let (member, value) = (self.intern(member), self.intern(value));
                self.note_in(span_of(literal), Note::LiteralTag { member, value });
            }
        }
        match whole {
            Whole::Type(span) => Before::Path(span),
            whole => self.context_of(&whole).map_or(Before::Nothing, Before::Context),
        }
    }

    /// What tells the type that is expected of a literal.
    fn context_of(&mut self, whole: &Whole) -> Option<ContextId> {
        let context = match whole {
            Whole::Type(span) => Context::Type(self.type_name(*span)),
            Whole::Taken(callee_at, slot) => Context::Argument {
                callee_at: *callee_at,
                slot: *slot,
            },
            Whole::Assigned(at) => Context::AssignedTo(*at),
            Whole::Member(of, key) => Context::Member {
                of: self.context_of(of)?,
                key: self.key(key.clone()),
            },
            Whole::Element(of) => Context::Element(self.context_of(of)?),
            Whole::Result(of) => Context::Result(self.context_of(of)?),
            Whole::Returned(at) => Context::ReturnedFrom(*at),
            Whole::Unknown => return None,
        };
        Some(self.intern_context(context))
    }

    fn intern_context(&mut self, context: Context) -> ContextId {
        let next = ContextId(self.contexts.len() as u32);
        let id = *self.context_ids.entry(context).or_insert(next);
        if id == next {
            self.contexts.push(context);
        }
        id
    }

    /// The name of a member that an object literal has.
    fn key(&mut self, key: Range<usize>) -> NameId {
        let text = self.text;
        self.intern(unquoted(&text[key]))
    }

    /// The parameter of a callback whose type is told by what takes the callback.
    pub(super) fn callback_parameter(&mut self, parameter: Node<'_>) -> Option<ContextId> {
        let handed = (self.hooks.handed)(parameter, self.text)?;
        let parameter = self.parameter_of(handed)?;
        Some(self.intern_context(Context::Parameter(parameter)))
    }

    fn parameter_of(&mut self, handed: Handed) -> Option<CallbackParameter> {
        Some(CallbackParameter {
            of: self.context_of(&handed.whole)?,
            key: handed.key.map(|key| self.key(key)),
            index: handed.nth as u32,
        })
    }

    /// The type of a name in a pattern, and the value that the pattern takes apart.
    pub(super) fn apart<'n>(&mut self, local: Node<'n>) -> Option<(TypeSource, Option<Node<'n>>)> {
        let Apart { steps, whole } = (self.hooks.apart)(local, self.text)?;
        let (of, value) = match whole {
            TakenFrom::Value(value) => (None, Some(value)),
            TakenFrom::Handed(handed) => (Some(self.parameter_of(handed)?), None),
        };
        let text = self.text;
        let steps = steps.into_iter();
        let steps = steps
            .map(|step| step.with_names(|name| self.intern(&text[name])))
            .collect();
        Some((self.destructured(Pattern { steps, of }), value))
    }

    pub(super) fn destructured(&mut self, pattern: Pattern) -> TypeSource {
        let id = PatternId(self.patterns.len() as u32);
        self.patterns.push(pattern);
        TypeSource::Destructured(id)
    }

    /// A path or type without white space, so that it reads the same however it is laid out.
    pub(super) fn type_name(&mut self, span: Span) -> NameId {
        let text = self.text.get(span.range()).unwrap_or_default();
        let text = text.trim_start_matches([':', ' ']);
        let text = &text[..text.floor_char_boundary(MAX_TYPE)];
        if text.contains(char::is_whitespace) {
            let words: Vec<&str> = text.split_whitespace().collect();
            self.intern_made(&words.join(" "))
        } else {
            self.intern(text)
        }
    }

    pub(super) fn intern(&mut self, name: &'t str) -> NameId {
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

    pub(super) fn intern_made(&mut self, name: &str) -> NameId {
        let known = self.interned.get(name).or_else(|| self.made.get(name)).copied();
        known.unwrap_or_else(|| {
            let id = self.add_name(name);
            self.made.insert(name.to_owned(), id);
            id
        })
    }

    pub(super) fn add_name(&mut self, name: &str) -> NameId {
        self.names.text.push_str(name);
        self.names.ends.push(self.names.text.len() as u32);
        NameId(self.names.ends.len() as u32 - 1)
    }
}

/// The name whose value the first of several has that a macro is given: `new` in `vec![Shape::new(1), other]`.
pub(super) fn first_value(tokens: Node<'_>) -> Option<Node<'_>> {
    if tokens.kind() != "token_tree" {
        return None;
    }
    let first = tokens.children().take_while(|token| !matches!(token.kind(), "," | ";"));
    first.filter(|token| token.kind() == "identifier").last()
}
