//! Facts as bytes: numbers of variable length, offsets as distances from the one before.

mod read;
mod write;

use source::Span;

use crate::{
    chunk::Chunk,
    facts::{
        ArgValue, CallbackParameter, Context, ContextId, FileFacts, NameId, Note, PatternStep, Problem, Qualifier,
        RefIdx, Tag, TypeSource,
    },
};

use self::{read::In, write::Out};

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
            last = binding.value.map_or(last, |value| value.0);
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
                last = binding.value.map_or(last, |value| value.0);
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
            Context::Argument { callee_at: at, .. } | Context::AssignedTo(at) | Context::ReturnedFrom(at) => *at <= len,
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
        let value = |at: Option<RefIdx>| at.is_none_or(|at| at.as_usize() < self.references.len());
        let ty = |ty: Option<TypeSource>| ty.is_none_or(|ty| self.leads_somewhere(ty));
        let mut symbols = self.symbols.iter().enumerate();
        symbols.all(|(at, symbol)| {
            name(symbol.name)
                && names(symbol.owner)
                && ty(symbol.ty)
                && value(symbol.value)
                && symbol.parent.is_none_or(|parent| parent.as_usize() < at)
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
