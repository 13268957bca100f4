//! Types that are worked out of others: `T extends Shape ? A : B`, `{ [K in keyof T]: .. }`, `T[keyof T]`.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use syntax::{LocalKind, SymbolKind};

use crate::{
    engine::resolver::{At, Resolver},
    types::{
        generics::StandsFor,
        ty::{Base, Ty, UNKNOWN},
        type_names::indexed_by,
        type_text::{is_string_literal, split_at_top, type_arguments, type_paths},
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
    pub(super) fn conditional(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Option<Ty> {
        if !text.contains(" extends ") {
            return None;
        }
        Condition::read(without_parentheses(text))?;
        let mut condition = FxHasher::default();
        (place.file, text).hash(&mut condition);
        let worked_out = self
            .trail
            .in_condition(condition.finish(), MAX_CONDITIONS, || self.branches(place, text, known));
        Some(worked_out.unwrap_or(UNKNOWN))
    }

    fn branches(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Ty {
        let mut found: Vec<Ty> = Vec::new();
        let mut rest = Some(text);
        while let Some(text) = rest {
            let Some(condition) = Condition::read(without_parentheses(text)) else {
                found.push(self.type_with(place, text, known));
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

    fn decided(&self, place: At<'_>, condition: &Condition<'_>, known: &[StandsFor]) -> Decision {
        let Condition { check, pattern, .. } = *condition;
        if is_string_literal(check) && split_at_top(pattern, '|').all(|one| is_string_literal(one.trim())) {
            let is_it = split_at_top(pattern, '|').any(|one| bare(one.trim()) == bare(check));
            return if is_it { Decision::Yes(Vec::new()) } else { Decision::No };
        }
        if pattern.contains("infer ") {
            let found = self.found_by_pattern(place, condition, known);
            return if found.is_empty() {
                Decision::No
            } else {
                Decision::Yes(found)
            };
        }
        if type_paths(check).next() != Some(check) || type_paths(pattern).next() != Some(pattern) {
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

    /// What the names stand for that a pattern looks for: `Promise<infer U>`, `(event: infer E) => void`.
    fn found_by_pattern(&self, place: At<'_>, condition: &Condition<'_>, known: &[StandsFor]) -> Vec<StandsFor> {
        let pattern = condition.pattern.replace("infer ", "");
        let names = condition.pattern.split("infer ").skip(1);
        let names = names.filter_map(|behind| type_paths(behind).next());
        // Of what is itself decided, the first is what is meant.
        let check = without_parentheses(condition.check);
        let check = Condition::read(check).map_or(check, |inner| inner.yes);
        let is_named = |text: &str, name: &str| type_paths(text).any(|path| path == name);
        let found = names.filter_map(|name| {
            let arrow = pattern.rfind("=>");
            let taken = arrow.map_or("", |arrow| pattern[..arrow].trim());
            let ty = match is_named(taken, name) {
                true => {
                    let taken = taken.strip_prefix('(')?.strip_suffix(')')?;
                    let nth = split_at_top(taken, ',').position(|one| is_named(one, name))?;
                    self.parameter_of_type(place, check, nth.into(), known)?
                }
                false => {
                    let value = self.type_with(place, check, known);
                    self.matched(place.file, &pattern, name, &value)?
                }
            };
            (ty != UNKNOWN).then(|| (name.to_owned(), ty))
        });
        found.collect()
    }

    /// The type that an operator of the type language makes of others: tuples, `Extract<..>`, mapped and indexed types.
    pub(super) fn type_of_operator(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Option<Ty> {
        if let Some(tuple) = self.tuple(place, text, known) {
            return Some(tuple);
        }
        // `Extract<Shape, Round>["size"]` is that member.
        if indexed_by(text).is_some() {
            return None;
        }
        self.extracted(place, text, known)
            .or_else(|| self.mapped(place, text, known))
            .or_else(|| self.keyed(place, text, known))
    }

    /// A tuple type: `[key: Key, value?: Value]`.
    fn tuple(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Option<Ty> {
        let text = text.strip_prefix("readonly ").unwrap_or(text);
        let inside = text.strip_prefix('[')?.strip_suffix(']')?;
        if split_at_top(inside, ']').count() > 1 {
            return None;
        }
        let parts = split_at_top(inside, ',').filter(|part| !part.trim().is_empty());
        let parts = parts.map(|part| {
            let is_rest = part.trim_start().starts_with("...");
            let part = split_at_top(part, ':').nth(1).unwrap_or(part).trim();
            let ty = self.type_with(place, part.trim_start_matches("...").trim_end_matches('?'), known);
            if is_rest { self.indexed(ty) } else { ty }
        });
        let mut ty = Ty::list(parts.collect());
        ty.rest = ty.given.iter().flat_map(Ty::heads).collect();
        Some(ty)
    }

    /// Some alternatives of a union, by the values of a member: `Extract<Shape, { kind: 'circle' }>`.
    fn extracted(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Option<Ty> {
        let (name, _) = text.split_once('<')?;
        let (_, holds) = FILTERS.iter().find(|(filter, _)| *filter == name)?;
        let mut arguments = type_arguments(text);
        let ty = self.type_with(place, arguments.next()?, known);
        let said = arguments.next().unwrap_or_default();
        let said = said.strip_prefix('{').and_then(|said| said.strip_suffix('}'));
        let mut keys = said.into_iter().flat_map(|said| split_at_top(said, ';'));
        let key = keys.next().and_then(|key| key.split_once(':'));
        let Some((key, values)) = key.filter(|_| keys.all(|other| other.trim().is_empty())) else {
            return Some(ty);
        };
        let values = values.split('|').map(str::trim);
        if !values.clone().all(|value| value.starts_with(['"', '\''])) {
            return Some(ty);
        }
        let values: Vec<&str> = values.map(|value| value.trim_matches(['"', '\''])).collect();
        Some(self.tagged(ty, key.trim(), &values, *holds))
    }

    /// A mapped type has the members of another: `{ [K in keyof T]: .. }`.
    fn mapped(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Option<Ty> {
        let (of, outer) = mapped_from(text)?;
        let ty = self.type_with(place, outer.unwrap_or(of), known);
        Some(ty)
    }

    /// An indexed access type whose key is no literal: `T[keyof T]`, `T[number]`, `Events[K]`.
    fn keyed(&self, place: At<'_>, text: &str, known: &[StandsFor]) -> Option<Ty> {
        let (outer, key) = keyed_by(text)?;
        if key == "number" {
            return Some(self.indexed(self.type_with(place, outer, known)));
        }
        let local = place.view.binding_at(key, place.at);
        let is_open = local.is_some_and(|(_, binding)| binding.kind == LocalKind::Generic);
        if !key.starts_with("keyof ") && !is_open {
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
fn members_within(view: &View, of: u32) -> impl Iterator<Item = u32> {
    let all = &view.facts.symbols;
    let end = all[of as usize].span.end;
    let inside = all.iter().zip(0..).skip(of as usize + 1);
    let inside = inside.take_while(move |(one, _)| one.span.start < end);
    let is_member = |kind| matches!(kind, SymbolKind::Property | SymbolKind::Field | SymbolKind::Method);
    inside
        .filter(move |(one, _)| one.parent == Some(of) && is_member(one.kind))
        .map(|(_, at)| at)
}

/// `check extends pattern ? yes : no`
struct Condition<'t> {
    check: &'t str,
    pattern: &'t str,
    yes: &'t str,
    /// Missing where the text was cut off.
    no: Option<&'t str>,
}

impl Condition<'_> {
    fn read(text: &str) -> Option<Condition<'_>> {
        let (mut depth, mut open) = (0, 0);
        let mut quote = None;
        let mut before = ' ';
        let (mut extends, mut holds, mut otherwise) = (None, None, None);
        for (at, c) in text.char_indices() {
            let last = std::mem::replace(&mut before, c);
            if quote.is_some() {
                quote = quote.filter(|quote| *quote != c);
                continue;
            }
            match c {
                '"' | '\'' | '`' => quote = Some(c),
                '(' | '[' | '{' | '<' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                '>' if last != '=' => depth -= 1,
                // It is what a function gives back that is decided.
                '>' if depth == 0 && extends.is_none() => return None,
                ' ' if depth == 0 && extends.is_none() && text[at..].starts_with(" extends ") => extends = Some(at),
                '?' if depth == 0 && extends.is_some() && holds.is_none() => holds = Some(at),
                '?' if depth == 0 && holds.is_some() => open += 1,
                ':' if depth == 0 && holds.is_some() && open > 0 => open -= 1,
                ':' if depth == 0 && holds.is_some() => {
                    otherwise = Some(at);
                    break;
                }
                _ => {}
            }
        }
        let (extends, holds) = (extends?, holds?);
        Some(Condition {
            check: text[..extends].trim(),
            pattern: text[extends + " extends ".len()..holds].trim(),
            yes: text[holds + 1..otherwise.unwrap_or(text.len())].trim(),
            no: otherwise.map(|at| text[at + 1..].trim()),
        })
    }
}

fn without_parentheses(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'))
        && split_at_top(&text[1..], ')').next() == Some(inner)
    {
        text = inner.trim();
    }
    text
}

fn bare(literal: &str) -> &str {
    literal.trim_matches(['"', '\''])
}

/// A type and what it is asked for in brackets: `Events` and `K` in `Events[K]`.
fn keyed_by(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_suffix(']')?;
    let mut depth = 0;
    let open = inner.char_indices().rev().find(|(_, c)| {
        depth += i32::from(matches!(c, ']' | ')' | '}')) - i32::from(matches!(c, '[' | '(' | '{'));
        depth < 0
    });
    let (open, _) = open.filter(|(open, c)| *c == '[' && *open > 0)?;
    let (outer, key) = (inner[..open].trim(), inner[open + 1..].trim());
    (!outer.is_empty() && !key.is_empty()).then_some((outer, key))
}

/// The type that another has all members of: `Shape` in `{ readonly [K in keyof Shape]?: Shape[K] }`; and the same again
/// as it is written where their types are taken from it.
fn mapped_from(text: &str) -> Option<(&str, Option<&str>)> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?.trim();
    let inside = inside.trim_start_matches(['+', '-']);
    let inside = inside.strip_prefix("readonly").unwrap_or(inside).trim_start();
    let key = split_at_top(inside.strip_prefix('[')?, ']').next()?;
    let value = &inside[key.len() + 2..];
    let (name, of) = key.split_once(" in keyof ")?;
    // Under other names they are others.
    let (of, renamed) = of.split_once(" as ").unwrap_or((of, ""));
    let (_, value) = value.split_once(':')?;
    let value = value.trim_matches(|c: char| c.is_whitespace() || matches!(c, ';' | ','));
    let taken = value.strip_suffix(']').and_then(|value| value.rsplit_once('['));
    let taken = taken.filter(|(outer, inner)| {
        inner.trim() == name.trim() && type_paths(outer).next() == type_paths(of).next() && !outer.contains("=>")
    });
    (!renamed.contains('`')).then_some((of.trim(), taken.map(|(outer, _)| outer)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions() {
        let cases = [
            ("T extends A ? B : C", "T | A | B | C"),
            (
                "T extends A ? U extends B ? X : Y : Z",
                "T | A | U extends B ? X : Y | Z",
            ),
            (
                "[T] extends [never] ? {} : { meta?: T }",
                "[T] | [never] | {} | { meta?: T }",
            ),
            (
                "T extends (k: infer I) => void ? I : never",
                "T | (k: infer I) => void | I | never",
            ),
            ("T extends \"a:b\" ? B: C", "T | \"a:b\" | B | C"),
            ("(k: T) => T extends A ? B : C", ""),
            ("<T extends A>(of: T) => void", ""),
            ("Pick<T, K>", ""),
        ];
        for (text, expected) in cases {
            let read = Condition::read(text).map_or(String::new(), |one| {
                [one.check, one.pattern, one.yes, one.no.unwrap_or("?")].join(" | ")
            });
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn keys() {
        let cases = [
            ("T[keyof T]", Some(("T", "keyof T"))),
            ("All<T[]>[K]", Some(("All<T[]>", "K"))),
            ("T['a']['b']", Some(("T['a']", "'b'"))),
            ("T[]", None),
            ("[T]", None),
        ];
        for (text, expected) in cases {
            assert_eq!(keyed_by(text), expected, "{text}");
        }
        let mapped = [
            (
                "{ readonly [K in keyof Shape]?: Shape[K] }",
                Some(("Shape", Some("Shape"))),
            ),
            (
                "{ [K in keyof All]: All<boolean>[K] }",
                Some(("All", Some("All<boolean>"))),
            ),
            ("{ [K in keyof Shape]: () => void }", Some(("Shape", None))),
            ("{ [K in keyof T as `get${K}`]: T[K] }", None),
            ("{ [key: string]: Shape }", None),
        ];
        for (text, expected) in mapped {
            assert_eq!(mapped_from(text), expected, "{text}");
        }
    }
}
