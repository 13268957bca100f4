//! Bytes to facts.

use crate::{
    chunk::Chunk,
    facts::{
        Annotation, ArgValue, Argument, ArgumentSlot, Binding, BindingRole, CallbackParameter, Complexity, Context,
        ContextId, FileFacts, Import, Literal, LocalKind, Modifier, NameId, Names, Note, Pattern, PatternId,
        PatternStep, Qualifier, RefIdx, Reference, Role, Step, Symbol, SymbolIdx, SymbolKind, TagId, TypeSource,
        Visibility,
    },
};
use source::{LineIndex, Span};

use super::{Malformed, NARROWED, SCOPED, STEP, unzigzag, variant};

pub(super) struct In<'b>(pub(super) &'b [u8]);

impl<'b> In<'b> {
    /// What comes first, and nothing else of the facts.
    pub(super) fn definitions(&mut self, chunks: Vec<Chunk>) -> Result<FileFacts, Malformed> {
        let (lines, names) = (self.lines()?, self.names()?);
        Ok(FileFacts {
            lines,
            chunks,
            names,
            symbols: self.list(In::symbol)?,
            ..FileFacts::default()
        })
    }

    pub(super) fn byte(&mut self) -> Result<u8, Malformed> {
        let (byte, rest) = self.0.split_first().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*byte)
    }

    #[inline]
    pub(super) fn number(&mut self) -> Result<u32, Malformed> {
        // Nearly all are small.
        match self.0 {
            [byte, rest @ ..] if *byte < 0x80 => {
                self.0 = rest;
                Ok(u32::from(*byte))
            }
            _ => self.large_number(),
        }
    }

    pub(super) fn large_number(&mut self) -> Result<u32, Malformed> {
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

    pub(super) fn distance(&mut self, base: u32) -> Result<u32, Malformed> {
        let number = self.number()?;
        Ok(base.wrapping_add(unzigzag(number)))
    }

    pub(super) fn option(&mut self) -> Result<Option<u32>, Malformed> {
        Ok(self.number()?.checked_sub(1))
    }

    pub(super) fn list<T>(
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

    pub(super) fn take(&mut self, length: u32) -> Result<&'b [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(length as usize).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn chunks(&mut self) -> Result<Vec<Chunk>, Malformed> {
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

    pub(super) fn lines(&mut self) -> Result<LineIndex, Malformed> {
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

    pub(super) fn names(&mut self) -> Result<Names, Malformed> {
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

    pub(super) fn symbol(&mut self, before: Option<&Symbol>) -> Result<Symbol, Malformed> {
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
        let parent = self.option()?.map(SymbolIdx);
        let owner = self.option()?.map(NameId);
        let (ty, _) = self.ty()?;
        let value = self.option()?.map(RefIdx);
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

    pub(super) fn reference(&mut self, own: u32, before: Option<&Reference>) -> Result<Reference, Malformed> {
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
            2 => Qualifier::Value(RefIdx(own.wrapping_sub(unzigzag(self.number()?)))),
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

    pub(super) fn argument(&mut self, before: Option<&Argument>) -> Result<Argument, Malformed> {
        let before = before.map_or(0, |before| before.call.0);
        let call = before.checked_add(self.number()?).ok_or(Malformed)?;
        let number = self.number()?;
        let value = number >> 4;
        let given = match number & 15 {
            0 => ArgValue::This,
            1 => ArgValue::Function,
            2 => ArgValue::Other,
            3 => ArgValue::Literal(variant(Literal::ALL, value)?),
            4 => ArgValue::Value(RefIdx(call.checked_add(value).ok_or(Malformed)?)),
            5 => ArgValue::Value(RefIdx(call.checked_sub(value).ok_or(Malformed)?)),
            6 => ArgValue::Pointed(RefIdx(call.wrapping_sub(unzigzag(value)))),
            7 => ArgValue::Address(RefIdx(call.wrapping_sub(unzigzag(value)))),
            8 => ArgValue::Labels(NameId(value)),
            9 => ArgValue::Written(NameId(value)),
            _ => return Err(Malformed),
        };
        Ok(Argument {
            call: RefIdx(call),
            value: given,
        })
    }

    pub(super) fn import(&mut self, before: Option<&Import>) -> Result<Import, Malformed> {
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

    pub(super) fn binding(&mut self, last: u32, before: Option<&Binding>) -> Result<Binding, Malformed> {
        let at = self.distance(before.map_or(0, |before| before.at))?;
        let name = NameId(self.number()?);
        let number = self.number()?;
        let start = at.wrapping_add(unzigzag(number >> 2));
        let end = start.checked_add(self.number()?).ok_or(Malformed)?;
        let (ty, role) = self.ty()?;
        let value = self.option()?.map(|value| RefIdx(last.wrapping_add(unzigzag(value))));
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
    pub(super) fn ty(&mut self) -> Result<(Option<TypeSource>, u8), Malformed> {
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

    pub(super) fn context(&mut self) -> Result<Context, Malformed> {
        let tag = self.byte()?;
        if tag == 8 {
            return self.parameter().map(Context::Parameter);
        }
        let first = self.number()?;
        let of = ContextId(first);
        Ok(match tag {
            0 => Context::Type(NameId(first)),
            1 => Context::Argument {
                callee_at: first,
                slot: ArgumentSlot::Nth(self.number()?),
            },
            2 => Context::Argument {
                callee_at: first,
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

    pub(super) fn parameter(&mut self) -> Result<CallbackParameter, Malformed> {
        Ok(CallbackParameter {
            of: ContextId(self.number()?),
            key: self.option()?.map(NameId),
            index: self.number()?,
        })
    }

    pub(super) fn pattern(&mut self) -> Result<Pattern, Malformed> {
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

    pub(super) fn annotation(&mut self, before: Option<&Annotation>) -> Result<Annotation, Malformed> {
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
            2 => Note::FurtherValue(RefIdx(number)),
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
