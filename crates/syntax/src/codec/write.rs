//! Facts to bytes.

use crate::{
    chunk::Chunk,
    facts::{
        Annotation, ArgValue, Argument, ArgumentSlot, Binding, BindingRole, CallbackParameter, Context, Import, Note,
        Pattern, PatternStep, Qualifier, RefIdx, Reference, Symbol, TypeSource,
    },
};
use source::LineIndex;

use super::{NARROWED, SCOPED, STEP, zigzag};

pub(super) struct Out(pub(super) Vec<u8>);

impl Out {
    pub(super) fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// How far from `base`, in either direction.
    pub(super) fn distance(&mut self, number: u32, base: u32) {
        self.number(zigzag(number.wrapping_sub(base)));
    }

    pub(super) fn option(&mut self, number: Option<u32>) {
        self.number(number.map_or(0, |number| number + 1));
    }

    pub(super) fn list<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Out, &T, Option<&T>)) {
        self.number(items.len() as u32);
        let mut before = None;
        for item in items {
            one(self, item, before);
            before = Some(item);
        }
    }

    pub(super) fn chunks(&mut self, chunks: &[Chunk]) {
        self.list(chunks, |out, chunk, before| {
            out.distance(chunk.start, before.map_or(0, |before: &Chunk| before.end));
            out.number(chunk.end - chunk.start);
            out.distance(chunk.first_line, before.map_or(0, |before| before.last_line));
            out.number(chunk.last_line - chunk.first_line);
        });
    }

    pub(super) fn lines(&mut self, lines: &LineIndex) {
        self.number(lines.len());
        let count = lines.count();
        self.number(count);
        for line in 1..count {
            let span = lines.span(line);
            self.number(span.end - span.start);
        }
    }

    pub(super) fn symbol(&mut self, symbol: &Symbol, before: Option<&Symbol>) {
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
        self.option(symbol.parent.map(|parent| parent.0));
        self.option(symbol.owner.map(|name| name.0));
        self.ty(symbol.ty, 0);
        self.option(symbol.value.map(|value| value.0));
        self.option(symbol.doc.map(|doc| doc.end - doc.start));
        if let Some(doc) = symbol.doc {
            self.distance(doc.start, symbol.lead);
        }
        self.number(symbol.complexity.cyclomatic);
        self.number(symbol.complexity.cognitive);
    }

    /// A reference, by its own place among them.
    pub(super) fn reference(&mut self, own: u32, reference: &Reference, before: Option<&Reference>) {
        self.distance(reference.at, before.map_or(0, |before| before.at));
        self.number(reference.name.0);
        let (tag, value) = match reference.on {
            Qualifier::Nothing => (0, None),
            Qualifier::Path(path) => (1, Some(path.0)),
            // Nearly always it is a little before.
            Qualifier::Value(value) => (2, Some(zigzag(own.wrapping_sub(value.0)))),
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

    pub(super) fn argument(&mut self, argument: &Argument, before: Option<&Argument>) {
        let call = argument.call.0;
        self.number(call - before.map_or(0, |before| before.call.0));
        let (tag, value) = match argument.value {
            ArgValue::This => (0, 0),
            ArgValue::Function => (1, 0),
            ArgValue::Other => (2, 0),
            ArgValue::Literal(literal) => (3, literal as u32),
            // Nearly always it is a little behind the name of the call.
            ArgValue::Value(RefIdx(at)) if at >= call => (4, at - call),
            ArgValue::Value(RefIdx(at)) => (5, call - at),
            // Always behind it.
            ArgValue::Pointed(at) => (6, zigzag(call.wrapping_sub(at.0))),
            ArgValue::Address(at) => (7, zigzag(call.wrapping_sub(at.0))),
            ArgValue::Labels(labels) => (8, labels.0),
            ArgValue::Written(ty) => (9, ty.0),
        };
        self.number(value << 4 | tag);
    }

    pub(super) fn import(&mut self, import: &Import, before: Option<&Import>) {
        self.distance(import.at, before.map_or(0, |before| before.at));
        self.number(import.path.0);
        self.option(import.item.map(|name| name.0));
        self.option(import.alias.map(|name| name.0));
        self.0
            .push(u8::from(import.wildcard) | u8::from(import.reexport) << 1 | u8::from(import.inline) << 2);
    }

    /// A local name, and the last value that one was given before.
    pub(super) fn binding(&mut self, last: u32, binding: &Binding, before: Option<&Binding>) {
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
        self.option(binding.value.map(|value| zigzag(value.0.wrapping_sub(last))));
    }

    /// Nearly always there is none, or a type expression of a plain local name. `role` is `NARROWED` or nothing.
    pub(super) fn ty(&mut self, ty: Option<TypeSource>, role: u8) {
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

    pub(super) fn context(&mut self, context: &Context) {
        let (tag, first, second) = match *context {
            Context::Type(ty) => (0, ty.0, None),
            Context::Argument { callee_at, slot } => match slot {
                ArgumentSlot::Nth(nth) => (1, callee_at, Some(nth)),
                ArgumentSlot::Trailing => (2, callee_at, None),
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

    pub(super) fn parameter(&mut self, parameter: CallbackParameter) {
        self.number(parameter.of.0);
        self.option(parameter.key.map(|key| key.0));
        self.number(parameter.index);
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
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

    pub(super) fn annotation(&mut self, one: &Annotation, before: Option<&Annotation>) {
        self.distance(one.at, before.map_or(0, |before| before.at));
        let (tag, number, further) = match one.note {
            Note::Modifier(modifier) => (0, modifier as u32, None),
            Note::Signature(text) => (1, text.0, None),
            Note::FurtherValue(value) => (2, value.0, None),
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
