//! Types that are worked out of others: `T extends Shape ? A : B`, `{ [K in keyof T]: .. }`, `T[keyof T]`.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use syntax::{Conditional, LocalKind, SymbolIdx, SymbolKind, TypeKind, TypeRef};

use crate::{
    engine::resolver::{At, Resolver},
    types::{
        generics::StandsFor,
        ty::{Base, Ty, UNKNOWN},
    },
    view::{SymbolId, View},
};

/// Conditions inside of conditions that are gone through: aliases may come back to themselves.
const MAX_CONDITIONS: usize = 4;

/// Members of a type whose types are put together.
const MAX_MEMBERS: usize = 128;

/// Utility types that pick alternatives of a union, and whether those are the ones that match.
const FILTERS: &[(&str, bool)] = &[("Extract", true), ("Exclude", false)];

/// Whether a name is that of a utility type that picks alternatives of a union.
pub(super) fn is_filter(name: &str) -> bool {
    FILTERS.iter().any(|(filter, _)| *filter == name)
}

/// What a condition comes to.
enum Decision {
    /// It holds, and this is what its pattern has found.
    Yes(Vec<StandsFor>),
    No,
    /// Either.
    Open,
}

impl Resolver<'_> {
    /// The type that a conditional type comes to: `T extends Promise<infer U> ? U : T`.
    pub(super) fn conditional(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        ty.conditional()?;
        let mut condition = FxHasher::default();
        (place.file, ty.text()).hash(&mut condition);
        let worked_out = self
            .trail
            .in_condition(condition.finish(), MAX_CONDITIONS, || self.branches(place, ty, known));
        Some(worked_out.unwrap_or(UNKNOWN))
    }

    fn branches(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Ty {
        let mut found: Vec<Ty> = Vec::new();
        let mut rest = Some(ty);
        while let Some(ty) = rest {
            let Some(condition) = ty.conditional() else {
                found.push(self.type_with(place, ty, known));
                break;
            };
            rest = condition.no;
            match self.decided(place, &condition, known) {
                Decision::Yes(mut more) => {
                    more.extend_from_slice(known);
                    found.push(self.type_with(place, condition.yes, &more));
                    break;
                }
                Decision::No => {}
                Decision::Open => found.push(self.type_with(place, condition.yes, known)),
            }
        }
        found.into_iter().reduce(Ty::or).unwrap_or(UNKNOWN)
    }

    fn decided(&self, place: At<'_>, condition: &Conditional<'_>, known: &[StandsFor]) -> Decision {
        let Conditional { check, pattern, .. } = *condition;
        if let (Some(check), Some(strings)) = (check.string(), strings(pattern)) {
            return match strings.contains(&check) {
                true => Decision::Yes(Vec::new()),
                false => Decision::No,
            };
        }
        if pattern.descendants().any(|one| one.operand_of("infer").is_some()) {
            let found = self.found_by_pattern(place, condition, known);
            return if found.is_empty() {
                Decision::No
            } else {
                Decision::Yes(found)
            };
        }
        if !check.is_name() || !pattern.is_name() {
            return Decision::Open;
        }
        let checked = self.type_with(place, check, known);
        let wanted = self.type_with(place, pattern, known);
        match (checked.head, wanted.head) {
            (Base::Symbol(own), Base::Symbol(other)) if own == other || self.is_derived(own, other) => {
                Decision::Yes(Vec::new())
            }
            _ => Decision::Open,
        }
    }

    /// What the names stand for that a pattern infers: `Promise<infer U>`, `(event: infer E) => void`.
    fn found_by_pattern(&self, place: At<'_>, condition: &Conditional<'_>, known: &[StandsFor]) -> Vec<StandsFor> {
        let Conditional { check, pattern, .. } = *condition;
        let names = pattern
            .descendants()
            .filter_map(|one| one.operand_of("infer")?.first_name());
        // Of what is itself decided, the first is what is meant.
        let check = check.unparenthesized();
        let check = check.conditional().map_or(check, |inner| inner.yes);
        let function = pattern.function();
        let found = names.filter_map(|name| {
            let parameters = function.as_ref().map_or(&[][..], |function| &function.parameters);
            let ty = match parameters.iter().position(|one| one.has_name(name)) {
                Some(nth) => self.parameter_of_type(place, check, nth.into(), known)?,
                None => {
                    let value = self.type_with(place, check, known);
                    self.matched(place.file, pattern, name, &value)?
                }
            };
            (ty != UNKNOWN).then(|| (name.to_owned(), ty))
        });
        found.collect()
    }

    /// The type that an operator of the type language makes of others: tuples, `Extract<..>`, mapped and indexed types.
    pub(super) fn type_of_operator(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        if let Some(tuple) = self.tuple(place, ty, known) {
            return Some(tuple);
        }
        // `Extract<Shape, Round>["size"]` is that member.
        if ty.member_by_name().is_some() {
            return None;
        }
        self.extracted(place, ty, known)
            .or_else(|| self.mapped(place, ty, known))
            .or_else(|| self.keyed(place, ty, known))
    }

    /// A tuple type: `[key: Key, value?: Value]`.
    fn tuple(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        let list = ty.inside_of(|kind| kind == TypeKind::Modified);
        let parts = list.is(TypeKind::List).then(|| list.items())?;
        let parts = parts.map(|part| {
            let element = part.unlabelled();
            let element = element.inside_of(|kind| matches!(kind, TypeKind::Rest | TypeKind::Optional));
            let ty = self.type_with(place, element, known);
            if part.is_rest() { self.indexed(ty) } else { ty }
        });
        let mut ty = Ty::list(parts.collect());
        ty.rest = ty.given.iter().flat_map(Ty::heads).collect();
        Some(ty)
    }

    /// Some alternatives of a union, by the values of a member: `Extract<Shape, { kind: 'circle' }>`.
    fn extracted(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        let (_, holds) = FILTERS.iter().find(|(filter, _)| ty.path() == Some(filter))?;
        let mut arguments = ty.arguments();
        let ty = self.type_with(place, arguments.next()?, known);
        let object = arguments.next().filter(|argument| argument.is(TypeKind::Object));
        let member = object.and_then(TypeRef::item);
        let tag = member.and_then(|member| Some((member.label_text()?, strings(member.unlabelled())?)));
        Some(match tag {
            Some((key, values)) => self.narrow_by_literal_member(ty, key, &values, *holds),
            None => ty,
        })
    }

    /// A mapped type has the members of another: `{ [K in keyof T]: .. }`.
    fn mapped(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        let types = mapped_from(ty)?.into_iter();
        types.map(|ty| self.type_with(place, ty, known)).reduce(Ty::or)
    }

    /// An indexed access type whose key is no literal: `T[keyof T]`, `T[number]`, `Events[K]`.
    fn keyed(&self, place: At<'_>, ty: TypeRef<'_>, known: &[StandsFor]) -> Option<Ty> {
        let (outer, key) = ty.indexed()?;
        if key.text() == "number" {
            return Some(self.indexed(self.type_with(place, outer, known)));
        }
        let local = place.view.binding_at(key.text(), place.at);
        let is_open = local.is_some_and(|(_, binding)| binding.kind == LocalKind::Generic);
        if key.operand_of("keyof").is_none() && !is_open {
            return None;
        }
        Some(self.types_of_members(&self.type_with(place, outer, known)))
    }

    /// What any of the members of a type is.
    fn types_of_members(&self, ty: &Ty) -> Ty {
        let mut found: Vec<Ty> = Vec::new();
        for part in ty.heads().flat_map(|own| self.same_thing(own)) {
            let Some(view) = self.view(part.file) else { continue };
            let members = members_within(&view, part.symbol).take(MAX_MEMBERS - found.len().min(MAX_MEMBERS));
            let types = members.map(|symbol| {
                let id = SymbolId { symbol, ..part };
                self.trail.deeper(UNKNOWN, || {
                    let given = self.of_value(id, ty);
                    given.unwrap_or_else(|| self.value_of_symbol(id, None))
                })
            });
            found.extend(types);
        }
        found.into_iter().reduce(Ty::or).unwrap_or(UNKNOWN)
    }
}

/// The members that are written in a definition.
fn members_within(view: &View, of: SymbolIdx) -> impl Iterator<Item = SymbolIdx> {
    let all = &view.facts.symbols;
    let end = all[of].span.end;
    let inside = SymbolIdx::enumerate_from(all, of.next().as_usize());
    let inside = inside.take_while(move |(_, one)| one.span.start < end);
    let is_member = |kind| matches!(kind, SymbolKind::Property | SymbolKind::Field | SymbolKind::Method);
    inside
        .filter(move |(_, one)| one.parent == Some(of) && is_member(one.kind))
        .map(|(at, _)| at)
}

/// The values of a union of string literal types.
fn strings(ty: TypeRef<'_>) -> Option<Vec<&str>> {
    match ty.is(TypeKind::Union) {
        true => ty.items().map(TypeRef::string).collect(),
        false => ty.string().map(|one| vec![one]),
    }
}

/// The types that another has all members of: `Shape` in `{ readonly [K in keyof Shape]?: Shape[K] }`, as it is written
/// where their types are taken from it.
fn mapped_from(ty: TypeRef<'_>) -> Option<Vec<TypeRef<'_>>> {
    let mapped = ty.mapped()?;
    // Under other names they are others.
    if mapped.renamed.is_some_and(|renamed| renamed.text().contains('`')) {
        return None;
    }
    let source = mapped.value.and_then(TypeRef::indexed);
    let source = source.filter(|(object, key)| {
        let is_same = |of: &TypeRef<'_>| of.first_name() == object.first_name();
        key.text() == mapped.name && mapped.of.iter().any(is_same)
    });
    Some(source.map_or(mapped.of, |(object, _)| vec![object]))
}

#[cfg(test)]
mod tests {
    use syntax::TypeExpr;

    use super::*;

    #[test]
    fn mapped_types() {
        let cases = [
            ("{ readonly [K in keyof Shape]?: Shape[K] }", Some("Shape")),
            ("{ [K in keyof All]: All<boolean>[K] }", Some("All<boolean>")),
            ("{ [K in keyof Shape]: () => void }", Some("Shape")),
            (
                "{ [k in keyof A | keyof B]: k extends keyof A ? A[k] : B[k] }",
                Some("A, B"),
            ),
            ("{ [K in keyof T as `get${K}`]: T[K] }", None),
            ("{ [key: string]: Shape }", None),
        ];
        for (text, expected) in cases {
            let parsed = TypeExpr::parse(text);
            let found = mapped_from(parsed.root());
            let found = found.map(|found| found.into_iter().map(TypeRef::text).collect::<Vec<_>>().join(", "));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
