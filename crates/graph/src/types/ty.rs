//! What is known of the type of a value.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::{files::FileIdx, types::anon_type::AnonType, view::SymbolId};

/// Types that a value may be, or that stand in the description of its type.
const MAX_PARTS: usize = 256;

/// Types in the description of a type, inside of each other.
const MAX_SIZE: usize = 1024;

/// What members are looked for in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Base {
    /// A type, a block that adds to one, or a namespace.
    Symbol(SymbolId),
    /// One of several types, as what is declared to be one or the other.
    Any(Vec<SymbolId>),
    Files(Vec<FileIdx>),
    /// A type without a name.
    Anon(Rc<AnonType>),
    External,
    Unknown,
}

/// What is known of a value's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ty {
    pub head: Base,
    /// Other types of the workspace in its description: arguments, alternatives, what a function takes.
    pub rest: Vec<SymbolId>,
    /// What the parameters of the type stand for, in their order, as far as that is known.
    pub given: Vec<Ty>,
    /// What is written out of it beside its name: `Shape & { at: number }`.
    pub beside: Option<Rc<AnonType>>,
}

impl Ty {
    pub(crate) fn new(head: Base) -> Ty {
        Ty::holding(head, Vec::new())
    }

    pub(crate) fn holding(head: Base, rest: Vec<SymbolId>) -> Ty {
        Ty {
            head,
            rest,
            given: Vec::new(),
            beside: None,
        }
    }

    /// What others' type is given: what a list holds, or the keys and values of a map.
    pub(crate) fn list(given: Vec<Ty>) -> Ty {
        let held = given.last();
        let mut rest: Vec<SymbolId> = held.into_iter().flat_map(Ty::heads).collect();
        rest.extend(held.iter().flat_map(|held| &held.rest));
        let head = Base::External;
        Ty {
            given,
            ..Ty::holding(head, rest)
        }
    }

    /// Whether it is one type of the workspace, or one of several.
    pub fn is_known(&self) -> bool {
        matches!(self.head, Base::Symbol(_) | Base::Any(_) | Base::Anon(_))
    }

    /// The types of the workspace that it may be.
    pub(crate) fn heads(&self) -> impl Iterator<Item = SymbolId> {
        let (one, several) = match &self.head {
            Base::Symbol(one) => (Some(*one), [].as_slice()),
            Base::Any(several) => (None, several.as_slice()),
            _ => (None, [].as_slice()),
        };
        one.into_iter().chain(several.iter().copied())
    }

    /// This or the other.
    pub(crate) fn or(mut self, mut other: Ty) -> Ty {
        self.rest.append(&mut other.rest);
        self.beside = self.beside.or(other.beside.take());
        match (self.is_known(), other.is_known()) {
            (false, true) => self.given = other.given,
            (true, false) => {}
            _ if self.given == other.given => {}
            _ => self.given.clear(),
        }
        self.head = match (self.head, other.head) {
            (Base::Symbol(one), Base::Symbol(other)) => Base::Any(vec![one, other]),
            (Base::Any(mut all), Base::Symbol(one)) | (Base::Symbol(one), Base::Any(mut all)) => {
                all.push(one);
                Base::Any(all)
            }
            (Base::Any(mut all), Base::Any(others)) => {
                all.extend(others);
                Base::Any(all)
            }
            (known @ (Base::Symbol(_) | Base::Any(_)), _) | (_, known @ (Base::Symbol(_) | Base::Any(_))) => known,
            (known @ Base::Anon(_), _) | (_, known @ Base::Anon(_)) => known,
            (Base::Unknown, _) | (_, Base::Unknown) => Base::Unknown,
            (head, _) => head,
        };
        self
    }

    /// This and the other at once.
    pub(crate) fn and(self, other: Ty) -> Ty {
        let written = |ty: &Ty| match &ty.head {
            Base::Anon(written) => Some(written.clone()),
            _ => None,
        };
        let beside = written(&other).or_else(|| written(&self));
        let both = self.or(other);
        Ty {
            beside: beside.or(both.beside),
            ..both
        }
    }

    /// The same, without what is inside of so much else that nobody asks for it: a type that holds another twice, which
    /// holds another twice, and so on, would be as large as two to the power of how deep it is.
    pub(crate) fn bounded(mut self) -> Ty {
        keep_first(&mut self.rest);
        if let Base::Any(several) = &mut self.head {
            keep_first(several);
        }
        if self.size() > MAX_SIZE {
            self.given.iter_mut().for_each(|inner| inner.given.clear());
        }
        if self.size() > MAX_SIZE {
            self.given.clear();
        }
        self
    }

    fn size(&self) -> usize {
        1 + self.rest.len() + self.given.iter().map(Ty::size).sum::<usize>()
    }

    /// This, or another that says more.
    pub(crate) fn or_new(self, other: Ty) -> Ty {
        let is_new = other.is_known() && !self.heads().any(|head| other.heads().any(|one| one == head));
        if is_new { self.or(other) } else { self }
    }

    /// With members that are written where it is; perhaps, if it is not sure that they are its own.
    pub(crate) fn with(mut self, literal: SymbolId, perhaps: bool) -> Ty {
        if perhaps {
            self.rest.push(literal);
        } else {
            let others: Vec<SymbolId> = self.heads().filter(|other| *other != literal).collect();
            self.head = match others.is_empty() {
                true => Base::Symbol(literal),
                false => Base::Any([literal].into_iter().chain(others).collect()),
            };
        }
        self
    }
}

pub(crate) const UNKNOWN: Ty = Ty {
    head: Base::Unknown,
    rest: Vec::new(),
    given: Vec::new(),
    beside: None,
};

/// Of very many, most of which are the same, those that differ.
fn keep_first(parts: &mut Vec<SymbolId>) {
    if parts.len() > MAX_PARTS {
        let mut seen = FxHashSet::default();
        parts.retain(|part| seen.insert(*part));
        parts.truncate(MAX_PARTS);
    }
}
