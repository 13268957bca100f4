//! Facts as bytes: numbers of variable length, offsets as distances from the one before.

use source::{LineIndex, Span};

use crate::{
    chunk::Chunk,
    facts::{
        Annotation, ArgValue, Argument, ArgumentSlot, Binding, BindingRole, CallbackParameter, Complexity, Context,
        ContextId, FileFacts, Import, Literal, LocalKind, Modifier, NameId, Names, Note, Pattern, PatternId,
        PatternStep, Problem, Qualifier, Reference, Role, Step, Symbol, SymbolKind, Tag, TagId, TypeSource, Visibility,
    },
};

/// The bytes are no facts: cut off, or of another format.
#[derive(Debug, thiserror::Error)]
#[error("stored facts are damaged")]
pub struct Malformed;

impl FileFacts {
    /// All but the chunks, which are stored apart: searches need those of many files and nothing else of them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Out(Vec::with_capacity(
            self.references.len() * 5 + self.names.text.len() + 64,
        ));
        out.lines(&self.lines);
        out.number(self.names.text.len() as u32);
        out.0.extend_from_slice(self.names.text.as_bytes());
        out.list(&self.names.ends, |out, end, before| {
            out.number(end - before.copied().unwrap_or(0))
        });
        out.list(&self.symbols, Out::symbol);
        let mut own: u32 = 0;
        out.list(&self.references, |out, reference, before| {
            out.reference(own, reference, before);
            own += 1;
        });
        out.list(&self.arguments, Out::argument);
        out.list(&self.imports, Out::import);
        let mut last = 0;
        out.list(&self.bindings, |out, binding, before| {
            out.binding(last, binding, before);
            last = binding.value.unwrap_or(last);
        });
        out.list(&self.annotations, Out::annotation);
        out.list(&self.contexts, |out, context, _| out.context(context));
        out.list(&self.patterns, |out, pattern, _| out.pattern(pattern));
        out.list(&self.tags, |out, tag, _| {
            out.number(tag.member.0);
            out.list(&tag.values, |out, value, _| out.number(value.0));
        });
        out.number(self.comment_lines);
        out.number(self.blank_lines);
        out.option(self.problem.map(|problem| problem as u32));
        out.0
    }

    pub fn from_bytes(bytes: &[u8], chunks: Vec<Chunk>) -> Result<FileFacts, Malformed> {
        let mut bytes = In(bytes);
        let defined = bytes.definitions(chunks)?;
        let (mut own, mut last): (u32, u32) = (0, 0);
        let facts = FileFacts {
            references: bytes.list(|bytes, before| {
                let reference = bytes.reference(own, before);
                own += 1;
                reference
            })?,
            arguments: bytes.list(In::argument)?,
            imports: bytes.list(In::import)?,
            bindings: bytes.list(|bytes, before| {
                let binding = bytes.binding(last, before)?;
                last = binding.value.unwrap_or(last);
                Ok(binding)
            })?,
            annotations: bytes.list(In::annotation)?,
            contexts: bytes.list(|bytes, _| bytes.context())?,
            patterns: bytes.list(|bytes, _| bytes.pattern())?,
            tags: bytes.list(|bytes, _| {
                Ok(Tag {
                    member: NameId(bytes.number()?),
                    values: bytes.list(|bytes, _| Ok(NameId(bytes.number()?)))?,
                })
            })?,
            comment_lines: bytes.number()?,
            blank_lines: bytes.number()?,
            problem: bytes.option()?.map(|at| variant(Problem::ALL, at)).transpose()?,
            ..defined
        };
        facts.is_sound().then_some(facts).ok_or(Malformed)
    }

    /// Only the lines, chunks, names and symbols, which come first: less work for who shows what a file defines. Of a symbol
    /// it is not known whose value it has, and of its type what is written.
    pub fn definitions_from_bytes(bytes: &[u8], chunks: Vec<Chunk>) -> Result<FileFacts, Malformed> {
        let mut facts = In(bytes).definitions(chunks)?;
        for symbol in &mut facts.symbols {
            symbol.value = None;
            symbol.ty = symbol.type_expr().map(TypeSource::Expr);
        }
        facts.is_sound().then_some(facts).ok_or(Malformed)
    }

    /// Whether every index leads somewhere and every place is inside the text: the rest of the program relies on it.
    fn is_sound(&self) -> bool {
        let len = self.lines.len();
        let inside = |span: Span| span.start <= span.end && span.end <= len;
        let in_text = |context: &Context| match context {
            Context::Argument { call: at, .. } | Context::AssignedTo(at) | Context::ReturnedFrom(at) => *at <= len,
            _ => true,
        };
        let places = self.chunks.iter().all(|chunk| {
            let span = Span {
                start: chunk.start,
                end: chunk.end,
            };
            inside(span) && chunk.first_line <= chunk.last_line && chunk.last_line <= self.lines.count()
        }) && self.symbols.iter().all(|symbol| {
            inside(symbol.span) && inside(symbol.signature) && symbol.doc.is_none_or(inside) && symbol.name_at <= len
        }) && self.references.iter().all(|reference| reference.at <= len)
            && self.imports.iter().all(|import| import.at <= len)
            && self
                .bindings
                .iter()
                .all(|binding| binding.at <= len && inside(binding.scope))
            && self.annotations.iter().all(|one| one.at <= len && inside(one.scope))
            && self.contexts.iter().all(in_text);
        places && self.indexes_lead_somewhere()
    }

    fn indexes_lead_somewhere(&self) -> bool {
        let name = |id: NameId| (id.0 as usize) < self.names.len();
        let names = |id: Option<NameId>| id.is_none_or(name);
        let value = |at: Option<u32>| at.is_none_or(|at| (at as usize) < self.references.len());
        let ty = |ty: Option<TypeSource>| ty.is_none_or(|ty| self.leads_somewhere(ty));
        let mut symbols = self.symbols.iter().enumerate();
        symbols.all(|(at, symbol)| {
            name(symbol.name)
                && names(symbol.owner)
                && ty(symbol.ty)
                && value(symbol.value)
                && symbol.parent.is_none_or(|parent| (parent as usize) < at)
        }) && self.references.iter().all(|reference| {
            name(reference.name)
                && match reference.on {
                    Qualifier::Path(path) => name(path),
                    Qualifier::Value(at) => value(Some(at)),
                    Qualifier::Context(at) => self.has_context(at),
                    _ => true,
                }
        }) && self.arguments.iter().all(|argument| {
            let is_known = match argument.value {
                ArgValue::Labels(written) | ArgValue::Written(written) => name(written),
                given => given.reference().is_none_or(|at| value(Some(at))),
            };
            is_known && value(Some(argument.call))
        }) && self
            .imports
            .iter()
            .all(|import| name(import.path) && names(import.item) && names(import.alias))
            && self
                .bindings
                .iter()
                .all(|binding| name(binding.name) && ty(binding.ty) && value(binding.value))
            && self.annotations.iter().all(|one| match one.note {
                Note::Modifier(_) | Note::ArrowFunction => true,
                Note::FurtherValue(at) => value(Some(at)),
                Note::Signature(text)
                | Note::FurtherType(text)
                | Note::OpensNamespace(text)
                | Note::FileCondition(text)
                | Note::FurtherClause(text) => name(text),
                Note::LiteralTag { member, value } => name(member) && name(value),
                Note::UnnamedTypeField { name: field, ty } => name(field) && name(ty),
            })
            && self.side_tables_lead_somewhere()
    }

    fn side_tables_lead_somewhere(&self) -> bool {
        let name = |id: NameId| (id.0 as usize) < self.names.len();
        let contexts = self.contexts.iter().zip(0..).all(|(context, own)| {
            let before = |of: ContextId| of.0 < own;
            match *context {
                Context::Type(ty) => name(ty),
                Context::Argument { .. } | Context::AssignedTo(_) | Context::ReturnedFrom(_) => true,
                Context::Member { of, key } => before(of) && name(key),
                Context::Element(of) | Context::Result(of) => before(of),
                Context::Parameter(parameter) => before(parameter.of) && parameter.key.is_none_or(name),
            }
        });
        let patterns = self.patterns.iter().all(|pattern| {
            let steps = pattern.steps.iter().all(|step| match step {
                PatternStep::NamedComponent { pattern: text, .. }
                | PatternStep::As(text)
                | PatternStep::Member(text) => name(*text),
                _ => true,
            });
            let parameter = |one: CallbackParameter| self.has_context(one.of) && one.key.is_none_or(name);
            steps && pattern.of.is_none_or(parameter)
        });
        let tags = self.tags.iter();
        let tags = tags
            .into_iter()
            .all(|tag| name(tag.member) && tag.values.iter().all(|value| name(*value)));
        contexts && patterns && tags
    }

    fn has_context(&self, id: ContextId) -> bool {
        (id.0 as usize) < self.contexts.len()
    }

    fn leads_somewhere(&self, ty: TypeSource) -> bool {
        match ty {
            TypeSource::Expr(name) | TypeSource::Not(name) | TypeSource::NamedComponent { pattern: name, .. } => {
                (name.0 as usize) < self.names.len()
            }
            TypeSource::Expected(context) => self.has_context(context),
            TypeSource::Destructured(pattern) => (pattern.0 as usize) < self.patterns.len(),
            TypeSource::Tagged { tag, .. } => (tag.0 as usize) < self.tags.len(),
            TypeSource::Guarded(at) => at <= self.lines.len(),
            TypeSource::Element
            | TypeSource::Literal
            | TypeSource::Component(_)
            | TypeSource::ElementComponent(_)
            | TypeSource::Held
            | TypeSource::Range(_)
            | TypeSource::Entered => true,
        }
    }
}

/// The chunks of a file's facts.
pub fn chunks_to_bytes(chunks: &[Chunk]) -> Vec<u8> {
    let mut out = Out(Vec::with_capacity(chunks.len() * 6 + 2));
    out.chunks(chunks);
    out.0
}

pub fn chunks_from_bytes(bytes: &[u8]) -> Result<Vec<Chunk>, Malformed> {
    In(bytes).chunks()
}

fn variant<T: Copy>(all: &[T], at: u32) -> Result<T, Malformed> {
    all.get(at as usize).copied().ok_or(Malformed)
}

/// A difference in either direction as a small number.
fn zigzag(difference: u32) -> u32 {
    let difference = difference as i32;
    (difference << 1 ^ difference >> 31) as u32
}

fn unzigzag(number: u32) -> u32 {
    number >> 1 ^ (number & 1).wrapping_neg()
}

/// Where a reference has its role: it is a member, and a step besides.
const STEP: u8 = 7;

/// Where a binding has the kind of its type: it is no local name, but a member that was tested.
const NARROWED: u8 = 1 << 7;

/// Where an annotation has its kind: it holds in a scope, and not only for what is named at its place.
const SCOPED: u8 = 1 << 7;

struct Out(Vec<u8>);

impl Out {
    fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// How far from `base`, in either direction.
    fn distance(&mut self, number: u32, base: u32) {
        self.number(zigzag(number.wrapping_sub(base)));
    }

    fn option(&mut self, number: Option<u32>) {
        self.number(number.map_or(0, |number| number + 1));
    }

    fn list<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Out, &T, Option<&T>)) {
        self.number(items.len() as u32);
        let mut before = None;
        for item in items {
            one(self, item, before);
            before = Some(item);
        }
    }

    fn chunks(&mut self, chunks: &[Chunk]) {
        self.list(chunks, |out, chunk, before| {
            out.distance(chunk.start, before.map_or(0, |before: &Chunk| before.end));
            out.number(chunk.end - chunk.start);
            out.distance(chunk.first_line, before.map_or(0, |before| before.last_line));
            out.number(chunk.last_line - chunk.first_line);
        });
    }

    fn lines(&mut self, lines: &LineIndex) {
        self.number(lines.len());
        let count = lines.count();
        self.number(count);
        for line in 1..count {
            let span = lines.span(line);
            self.number(span.end - span.start);
        }
    }

    fn symbol(&mut self, symbol: &Symbol, before: Option<&Symbol>) {
        self.distance(symbol.span.start, before.map_or(0, |before| before.span.start));
        self.number(symbol.span.end - symbol.span.start);
        self.number(symbol.span.start - symbol.lead);
        self.distance(symbol.name_at, symbol.span.start);
        self.distance(symbol.signature.start, symbol.span.start);
        self.number(symbol.signature.end - symbol.signature.start);
        self.number(symbol.name.0);
        self.0.push(symbol.kind as u8);
        let visibility = symbol.visibility.map_or(0, |visibility| visibility as u8 + 1);
        self.0
            .push(u8::from(symbol.is_test) | u8::from(symbol.is_declaration) << 1 | visibility << 2);
        self.option(symbol.parent);
        self.option(symbol.owner.map(|name| name.0));
        self.ty(symbol.ty, 0);
        self.option(symbol.value);
        self.option(symbol.doc.map(|doc| doc.end - doc.start));
        if let Some(doc) = symbol.doc {
            self.distance(doc.start, symbol.lead);
        }
        self.number(symbol.complexity.cyclomatic);
        self.number(symbol.complexity.cognitive);
    }

    /// A reference, by its own place among them.
    fn reference(&mut self, own: u32, reference: &Reference, before: Option<&Reference>) {
        self.distance(reference.at, before.map_or(0, |before| before.at));
        self.number(reference.name.0);
        let (tag, value) = match reference.on {
            Qualifier::Nothing => (0, None),
            Qualifier::Path(path) => (1, Some(path.0)),
            // Nearly always it is a little before.
            Qualifier::Value(value) => (2, Some(zigzag(own.wrapping_sub(value)))),
            Qualifier::This => (3, None),
            Qualifier::Super => (4, None),
            Qualifier::Literal => (5, None),
            Qualifier::Other => (6, None),
            Qualifier::Context(context) => (7, Some(context.0)),
        };
        let counted = u8::from(reference.arguments.is_some());
        let given = u8::from(reference.arity > 0);
        let role = reference.step.map_or(reference.role as u8, |_| STEP);
        self.0.push(role | tag << 3 | counted << 6 | given << 7);
        self.0.extend(reference.step.map(|step| step as u8));
        if let Some(value) = value {
            self.number(value);
        }
        self.0.extend(reference.arguments);
        self.0.extend(Some(reference.arity).filter(|arity| *arity > 0));
    }

    fn argument(&mut self, argument: &Argument, before: Option<&Argument>) {
        self.number(argument.call - before.map_or(0, |before| before.call));
        let (tag, value) = match argument.value {
            ArgValue::This => (0, 0),
            ArgValue::Function => (1, 0),
            ArgValue::Other => (2, 0),
            ArgValue::Literal(literal) => (3, literal as u32),
            // Nearly always it is a little behind the name of the call.
            ArgValue::Value(at) if at >= argument.call => (4, at - argument.call),
            ArgValue::Value(at) => (5, argument.call - at),
            // Always behind it.
            ArgValue::Pointed(at) => (6, zigzag(argument.call.wrapping_sub(at))),
            ArgValue::Address(at) => (7, zigzag(argument.call.wrapping_sub(at))),
            ArgValue::Labels(labels) => (8, labels.0),
            ArgValue::Written(ty) => (9, ty.0),
        };
        self.number(value << 4 | tag);
    }

    fn import(&mut self, import: &Import, before: Option<&Import>) {
        self.distance(import.at, before.map_or(0, |before| before.at));
        self.number(import.path.0);
        self.option(import.item.map(|name| name.0));
        self.option(import.alias.map(|name| name.0));
        self.0
            .push(u8::from(import.wildcard) | u8::from(import.reexport) << 1 | u8::from(import.inline) << 2);
    }

    /// A local name, and the last value that one was given before.
    fn binding(&mut self, last: u32, binding: &Binding, before: Option<&Binding>) {
        self.distance(binding.at, before.map_or(0, |before| before.at));
        self.number(binding.name.0);
        let distance = zigzag(binding.scope.start.wrapping_sub(binding.at));
        self.number(distance << 2 | binding.kind as u32);
        self.number(binding.scope.end - binding.scope.start);
        let role = match binding.role {
            BindingRole::Local => 0,
            BindingRole::NarrowedMember => NARROWED,
        };
        self.ty(binding.ty, role);
        // In the order of the text, mostly.
        self.option(binding.value.map(|value| zigzag(value.wrapping_sub(last))));
    }

    /// Nearly always there is none, or a type expression of a plain local name. `role` is `NARROWED` or nothing.
    fn ty(&mut self, ty: Option<TypeSource>, role: u8) {
        let (tag, number) = match ty {
            None if role == 0 => return self.number(0),
            Some(TypeSource::Expr(expr)) if role == 0 => return self.number(expr.0 + 2),
            None => (0, 0),
            Some(TypeSource::Expr(expr)) => (1, expr.0),
            Some(TypeSource::Element) => (2, 0),
            Some(TypeSource::Literal) => (3, 0),
            Some(TypeSource::Expected(context)) => (4, context.0),
            Some(TypeSource::Destructured(pattern)) => (5, pattern.0),
            Some(TypeSource::Component(index)) => (6, index),
            Some(TypeSource::ElementComponent(index)) => (7, index),
            Some(TypeSource::NamedComponent { pattern, .. }) => (8, pattern.0),
            Some(TypeSource::Held) => (9, 0),
            Some(TypeSource::Range(index)) => (10, u32::from(index)),
            Some(TypeSource::Entered) => (11, 0),
            Some(TypeSource::Not(expr)) => (12, expr.0),
            Some(TypeSource::Guarded(at)) => (13, at),
            Some(TypeSource::Tagged { tag, holds }) => (if holds { 14 } else { 15 }, tag.0),
        };
        self.number(1);
        self.0.push(tag | role);
        self.number(number);
        if let Some(TypeSource::NamedComponent { index, .. }) = ty {
            self.0.push(index);
        }
    }

    fn context(&mut self, context: &Context) {
        let (tag, first, second) = match *context {
            Context::Type(ty) => (0, ty.0, None),
            Context::Argument { call, slot } => match slot {
                ArgumentSlot::Nth(nth) => (1, call, Some(nth)),
                ArgumentSlot::Trailing => (2, call, None),
            },
            Context::AssignedTo(at) => (3, at, None),
            Context::ReturnedFrom(at) => (4, at, None),
            Context::Member { of, key } => (5, of.0, Some(key.0)),
            Context::Element(of) => (6, of.0, None),
            Context::Result(of) => (7, of.0, None),
            Context::Parameter(parameter) => {
                self.0.push(8);
                return self.parameter(parameter);
            }
        };
        self.0.push(tag);
        self.number(first);
        second.into_iter().for_each(|second| self.number(second));
    }

    fn parameter(&mut self, parameter: CallbackParameter) {
        self.number(parameter.of.0);
        self.option(parameter.key.map(|key| key.0));
        self.number(parameter.index);
    }

    fn pattern(&mut self, pattern: &Pattern) {
        self.0.push(u8::from(pattern.of.is_some()));
        if let Some(parameter) = pattern.of {
            self.parameter(parameter);
        }
        self.list(&pattern.steps, |out, step, _| {
            let (tag, number) = match *step {
                PatternStep::Component(index) => (0, index),
                PatternStep::ElementComponent(index) => (1, index),
                PatternStep::ListElement(index) => (2, index),
                PatternStep::NamedComponent { pattern, .. } => (3, pattern.0),
                PatternStep::Element => (4, 0),
                PatternStep::As(ty) => (5, ty.0),
                PatternStep::Member(member) => (6, member.0),
            };
            out.0.push(tag);
            out.number(number);
            if let PatternStep::NamedComponent { index, .. } = *step {
                out.number(index);
            }
        });
    }

    fn annotation(&mut self, one: &Annotation, before: Option<&Annotation>) {
        self.distance(one.at, before.map_or(0, |before| before.at));
        let (tag, number, further) = match one.note {
            Note::Modifier(modifier) => (0, modifier as u32, None),
            Note::Signature(text) => (1, text.0, None),
            Note::FurtherValue(value) => (2, value, None),
            Note::FurtherType(ty) => (3, ty.0, None),
            Note::ArrowFunction => (4, 0, None),
            Note::LiteralTag { member, value } => (5, member.0, Some(value.0)),
            Note::OpensNamespace(name) => (6, name.0, None),
            Note::FileCondition(condition) => (7, condition.0, None),
            Note::FurtherClause(name) => (8, name.0, None),
            Note::UnnamedTypeField { name, ty } => (9, name.0, Some(ty.0)),
        };
        match (one.scope.start, one.scope.end) == (one.at, one.at) {
            true => self.0.push(tag),
            false => {
                self.0.push(tag | SCOPED);
                self.distance(one.scope.start, one.at);
                self.number(one.scope.end - one.scope.start);
            }
        }
        self.number(number);
        further.into_iter().for_each(|further| self.number(further));
    }
}

struct In<'b>(&'b [u8]);

impl<'b> In<'b> {
    /// What comes first, and nothing else of the facts.
    fn definitions(&mut self, chunks: Vec<Chunk>) -> Result<FileFacts, Malformed> {
        let (lines, names) = (self.lines()?, self.names()?);
        Ok(FileFacts {
            lines,
            chunks,
            names,
            symbols: self.list(In::symbol)?,
            ..FileFacts::default()
        })
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        let (byte, rest) = self.0.split_first().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*byte)
    }

    #[inline]
    fn number(&mut self) -> Result<u32, Malformed> {
        // Nearly all are small.
        match self.0 {
            [byte, rest @ ..] if *byte < 0x80 => {
                self.0 = rest;
                Ok(u32::from(*byte))
            }
            _ => self.large_number(),
        }
    }

    fn large_number(&mut self) -> Result<u32, Malformed> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Malformed)
    }

    fn distance(&mut self, base: u32) -> Result<u32, Malformed> {
        let number = self.number()?;
        Ok(base.wrapping_add(unzigzag(number)))
    }

    fn option(&mut self) -> Result<Option<u32>, Malformed> {
        Ok(self.number()?.checked_sub(1))
    }

    fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut In<'b>, Option<&T>) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let count = self.number()? as usize;
        // Every item has at least a byte, so damage cannot ask for more memory than there is data.
        if count > self.0.len() {
            return Err(Malformed);
        }
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            let item = one(self, items.last())?;
            items.push(item);
        }
        Ok(items)
    }

    fn take(&mut self, length: u32) -> Result<&'b [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(length as usize).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn chunks(&mut self) -> Result<Vec<Chunk>, Malformed> {
        self.list(|bytes, before: Option<&Chunk>| {
            let start = bytes.distance(before.map_or(0, |before| before.end))?;
            let end = start.checked_add(bytes.number()?).ok_or(Malformed)?;
            let first_line = bytes.distance(before.map_or(0, |before| before.last_line))?;
            let last_line = first_line.checked_add(bytes.number()?).ok_or(Malformed)?;
            Ok(Chunk {
                start,
                end,
                first_line,
                last_line,
            })
        })
    }

    fn lines(&mut self) -> Result<LineIndex, Malformed> {
        let len = self.number()?;
        let count = self.number()?;
        if count as usize > self.0.len() + 1 {
            return Err(Malformed);
        }
        let mut starts = Vec::with_capacity(count.max(1) as usize);
        let mut at: u32 = 0;
        starts.push(0);
        for _ in 1..count {
            let length = self.number()?;
            at = at
                .checked_add(length)
                .filter(|at| length > 0 && *at < len)
                .ok_or(Malformed)?;
            starts.push(at);
        }
        Ok(LineIndex::from_starts(starts, len))
    }

    fn names(&mut self) -> Result<Names, Malformed> {
        let length = self.number()?;
        let text = std::str::from_utf8(self.take(length)?)
            .map_err(|_| Malformed)?
            .to_owned();
        let ends = self.list(|bytes, before: Option<&u32>| {
            let end = before.copied().unwrap_or(0).checked_add(bytes.number()?);
            end.filter(|end| text.is_char_boundary(*end as usize)).ok_or(Malformed)
        })?;
        Ok(Names { text, ends })
    }

    fn symbol(&mut self, before: Option<&Symbol>) -> Result<Symbol, Malformed> {
        let start = self.distance(before.map_or(0, |before| before.span.start))?;
        let end = start.checked_add(self.number()?).ok_or(Malformed)?;
        let lead = start.checked_sub(self.number()?).ok_or(Malformed)?;
        let name_at = self.distance(start)?;
        let signature_start = self.distance(start)?;
        let signature_end = signature_start.checked_add(self.number()?).ok_or(Malformed)?;
        let name = NameId(self.number()?);
        let kind = variant(SymbolKind::ALL, u32::from(self.byte()?))?;
        let flags = self.byte()?;
        let visibility = match flags >> 2 {
            0 => None,
            at => Some(variant(Visibility::ALL, u32::from(at) - 1)?),
        };
        let parent = self.option()?;
        let owner = self.option()?.map(NameId);
        let (ty, _) = self.ty()?;
        let value = self.option()?;
        let doc = match self.option()? {
            None => None,
            Some(length) => {
                let start = self.distance(lead)?;
                let end = start.checked_add(length).ok_or(Malformed)?;
                Some(Span { start, end })
            }
        };
        Ok(Symbol {
            name,
            kind,
            visibility,
            parent,
            owner,
            name_at,
            span: Span { start, end },
            lead,
            doc,
            signature: Span {
                start: signature_start,
                end: signature_end,
            },
            ty,
            value,
            is_test: flags & 1 != 0,
            is_declaration: flags & 2 != 0,
            complexity: Complexity {
                cyclomatic: self.number()?,
                cognitive: self.number()?,
            },
        })
    }

    fn reference(&mut self, own: u32, before: Option<&Reference>) -> Result<Reference, Malformed> {
        let at = self.distance(before.map_or(0, |before| before.at))?;
        let name = NameId(self.number()?);
        let tag = self.byte()?;
        let (role, step) = match tag & 7 {
            STEP => (Role::Member, Some(variant(Step::ALL, u32::from(self.byte()?))?)),
            role => (variant(Role::ALL, u32::from(role))?, None),
        };
        let on = match tag >> 3 & 7 {
            0 => Qualifier::Nothing,
            1 => Qualifier::Path(NameId(self.number()?)),
            2 => Qualifier::Value(own.wrapping_sub(unzigzag(self.number()?))),
            3 => Qualifier::This,
            4 => Qualifier::Super,
            5 => Qualifier::Literal,
            6 => Qualifier::Other,
            _ => Qualifier::Context(ContextId(self.number()?)),
        };
        let arguments = match tag >> 6 & 1 {
            0 => None,
            _ => Some(self.byte()?),
        };
        let arity = match tag >> 7 {
            0 => 0,
            _ => self.byte()?,
        };
        Ok(Reference {
            name,
            at,
            role,
            step,
            on,
            arguments,
            arity,
        })
    }

    fn argument(&mut self, before: Option<&Argument>) -> Result<Argument, Malformed> {
        let before = before.map_or(0, |before| before.call);
        let call = before.checked_add(self.number()?).ok_or(Malformed)?;
        let number = self.number()?;
        let value = number >> 4;
        let given = match number & 15 {
            0 => ArgValue::This,
            1 => ArgValue::Function,
            2 => ArgValue::Other,
            3 => ArgValue::Literal(variant(Literal::ALL, value)?),
            4 => ArgValue::Value(call.checked_add(value).ok_or(Malformed)?),
            5 => ArgValue::Value(call.checked_sub(value).ok_or(Malformed)?),
            6 => ArgValue::Pointed(call.wrapping_sub(unzigzag(value))),
            7 => ArgValue::Address(call.wrapping_sub(unzigzag(value))),
            8 => ArgValue::Labels(NameId(value)),
            9 => ArgValue::Written(NameId(value)),
            _ => return Err(Malformed),
        };
        Ok(Argument { call, value: given })
    }

    fn import(&mut self, before: Option<&Import>) -> Result<Import, Malformed> {
        let at = self.distance(before.map_or(0, |before| before.at))?;
        let path = NameId(self.number()?);
        let item = self.option()?.map(NameId);
        let alias = self.option()?.map(NameId);
        let flags = self.byte()?;
        Ok(Import {
            path,
            item,
            alias,
            wildcard: flags & 1 != 0,
            reexport: flags & 2 != 0,
            inline: flags & 4 != 0,
            at,
        })
    }

    fn binding(&mut self, last: u32, before: Option<&Binding>) -> Result<Binding, Malformed> {
        let at = self.distance(before.map_or(0, |before| before.at))?;
        let name = NameId(self.number()?);
        let number = self.number()?;
        let start = at.wrapping_add(unzigzag(number >> 2));
        let end = start.checked_add(self.number()?).ok_or(Malformed)?;
        let (ty, role) = self.ty()?;
        let value = self.option()?.map(|value| last.wrapping_add(unzigzag(value)));
        Ok(Binding {
            name,
            at,
            scope: Span { start, end },
            ty,
            value,
            kind: variant(LocalKind::ALL, number & 3)?,
            role: match role {
                0 => BindingRole::Local,
                _ => BindingRole::NarrowedMember,
            },
        })
    }

    /// The type, and `NARROWED` or nothing.
    fn ty(&mut self) -> Result<(Option<TypeSource>, u8), Malformed> {
        match self.number()? {
            0 => return Ok((None, 0)),
            1 => {}
            expr => return Ok((Some(TypeSource::Expr(NameId(expr - 2))), 0)),
        }
        let tag = self.byte()?;
        let number = self.number()?;
        let ty = match tag & !NARROWED {
            0 => None,
            1 => Some(TypeSource::Expr(NameId(number))),
            2 => Some(TypeSource::Element),
            3 => Some(TypeSource::Literal),
            4 => Some(TypeSource::Expected(ContextId(number))),
            5 => Some(TypeSource::Destructured(PatternId(number))),
            6 => Some(TypeSource::Component(number)),
            7 => Some(TypeSource::ElementComponent(number)),
            8 => Some(TypeSource::NamedComponent {
                pattern: NameId(number),
                index: self.byte()?,
            }),
            9 => Some(TypeSource::Held),
            10 => Some(TypeSource::Range(number.try_into().map_err(|_| Malformed)?)),
            11 => Some(TypeSource::Entered),
            12 => Some(TypeSource::Not(NameId(number))),
            13 => Some(TypeSource::Guarded(number)),
            tag @ (14 | 15) => Some(TypeSource::Tagged {
                tag: TagId(number),
                holds: tag == 14,
            }),
            _ => return Err(Malformed),
        };
        Ok((ty, tag & NARROWED))
    }

    fn context(&mut self) -> Result<Context, Malformed> {
        let tag = self.byte()?;
        if tag == 8 {
            return self.parameter().map(Context::Parameter);
        }
        let first = self.number()?;
        let of = ContextId(first);
        Ok(match tag {
            0 => Context::Type(NameId(first)),
            1 => Context::Argument {
                call: first,
                slot: ArgumentSlot::Nth(self.number()?),
            },
            2 => Context::Argument {
                call: first,
                slot: ArgumentSlot::Trailing,
            },
            3 => Context::AssignedTo(first),
            4 => Context::ReturnedFrom(first),
            5 => Context::Member {
                of,
                key: NameId(self.number()?),
            },
            6 => Context::Element(of),
            7 => Context::Result(of),
            _ => return Err(Malformed),
        })
    }

    fn parameter(&mut self) -> Result<CallbackParameter, Malformed> {
        Ok(CallbackParameter {
            of: ContextId(self.number()?),
            key: self.option()?.map(NameId),
            index: self.number()?,
        })
    }

    fn pattern(&mut self) -> Result<Pattern, Malformed> {
        let of = match self.byte()? {
            0 => None,
            _ => Some(self.parameter()?),
        };
        let steps = self.list(|bytes, _| {
            let tag = bytes.byte()?;
            let number = bytes.number()?;
            Ok(match tag {
                0 => PatternStep::Component(number),
                1 => PatternStep::ElementComponent(number),
                2 => PatternStep::ListElement(number),
                3 => PatternStep::NamedComponent {
                    pattern: NameId(number),
                    index: bytes.number()?,
                },
                4 => PatternStep::Element,
                5 => PatternStep::As(NameId(number)),
                6 => PatternStep::Member(NameId(number)),
                _ => return Err(Malformed),
            })
        })?;
        Ok(Pattern { steps, of })
    }

    fn annotation(&mut self, before: Option<&Annotation>) -> Result<Annotation, Malformed> {
        let at = self.distance(before.map_or(0, |before| before.at))?;
        let tag = self.byte()?;
        let start = match tag & SCOPED {
            0 => at,
            _ => self.distance(at)?,
        };
        let end = match tag & SCOPED {
            0 => at,
            _ => start.checked_add(self.number()?).ok_or(Malformed)?,
        };
        let number = self.number()?;
        let text = NameId(number);
        let note = match tag & !SCOPED {
            0 => Note::Modifier(variant(Modifier::ALL, number)?),
            1 => Note::Signature(text),
            2 => Note::FurtherValue(number),
            3 => Note::FurtherType(text),
            4 => Note::ArrowFunction,
            5 => Note::LiteralTag {
                member: text,
                value: NameId(self.number()?),
            },
            6 => Note::OpensNamespace(text),
            7 => Note::FileCondition(text),
            8 => Note::FurtherClause(text),
            9 => Note::UnnamedTypeField {
                name: text,
                ty: NameId(self.number()?),
            },
            _ => return Err(Malformed),
        };
        let scope = Span { start, end };
        Ok(Annotation { at, scope, note })
    }
}
