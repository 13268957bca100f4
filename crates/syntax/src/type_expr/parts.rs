//! What consumers ask of type expressions: arguments, alternatives, functions, and the operators of TypeScript.

use std::borrow::Cow;

use super::{Role, TypeExpr, TypeKind, TypeRef};

/// Types whose values have no members.
const NOTHING: &[&str] = &["None", "null", "undefined", "never", "nil", "void"];

/// The parts of a function type.
pub struct FunctionType<'t> {
    pub type_parameters: Vec<TypeRef<'t>>,
    /// `A` in `A.(B) -> C`.
    pub receiver: Option<TypeRef<'t>>,
    /// With their labels.
    pub parameters: Vec<TypeRef<'t>>,
    pub result: Option<TypeRef<'t>>,
}

/// `check extends pattern ? yes : no`
pub struct Conditional<'t> {
    pub check: TypeRef<'t>,
    pub pattern: TypeRef<'t>,
    pub yes: TypeRef<'t>,
    /// Missing where the text was cut off.
    pub no: Option<TypeRef<'t>>,
}

/// `{ [name in keyof T as renamed]: value }`
pub struct MappedType<'t> {
    pub name: &'t str,
    /// `T`; several of `keyof T | keyof U`.
    pub of: Vec<TypeRef<'t>>,
    pub renamed: Option<TypeRef<'t>>,
    pub value: Option<TypeRef<'t>>,
}

impl<'t> TypeRef<'t> {
    /// Without the parentheses around all of it.
    pub fn unparenthesized(self) -> TypeRef<'t> {
        self.inside_of(|kind| kind == TypeKind::Parenthesized)
    }

    /// The type inside of marks and keywords: `Shape` of `const Shape *`.
    pub fn unmarked(self) -> TypeRef<'t> {
        self.inside_of(|kind| {
            matches!(
                kind,
                TypeKind::Modified | TypeKind::Optional | TypeKind::Pointer | TypeKind::Reference | TypeKind::Quoted
            )
        })
    }

    /// The innermost type that is reached through nodes of some kinds.
    pub fn inside_of(self, is_around: impl Fn(TypeKind) -> bool) -> TypeRef<'t> {
        let mut inner = self;
        while is_around(inner.kind())
            && let Some(item) = inner.item()
        {
            inner = item;
        }
        inner
    }

    /// The arguments of a type: `A` and `B<C>` in `&Map<A, B<C>>` and in `Map[A, B<C>]`.
    pub fn arguments(self) -> impl Iterator<Item = TypeRef<'t>> + Clone {
        let inner = self.inside_of(|kind| {
            matches!(
                kind,
                TypeKind::Modified
                    | TypeKind::Operator
                    | TypeKind::Optional
                    | TypeKind::Pointer
                    | TypeKind::Quoted
                    | TypeKind::Reference
                    | TypeKind::Rest
            )
        });
        let inner = match inner.kind() {
            TypeKind::Sequence => inner.items().last().unwrap_or(inner),
            _ => inner,
        };
        let has_arguments = match inner.kind() {
            TypeKind::Named => true,
            TypeKind::Subscript => inner.object().is_some_and(TypeRef::is_name),
            _ => false,
        };
        inner.items().filter(move |one| has_arguments && !one.is_lifetime())
    }

    fn is_lifetime(self) -> bool {
        self.is(TypeKind::Modified) && self.text().starts_with('\'') && self.items().next().is_none()
    }

    /// The types that a value of a type may have: of `Optional["Shape | Box"]` those are `Shape` and `Box`, where `Optional`
    /// is one of those that stand for their arguments.
    pub fn alternatives(self, is_wrapper: impl Fn(&str) -> bool) -> Vec<TypeRef<'t>> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(one) = open.pop() {
            let one = one.inside_of(|kind| matches!(kind, TypeKind::Quoted | TypeKind::Parenthesized));
            let is_wrapped = || {
                let inner = one.inside_of(|kind| kind == TypeKind::Modified);
                let head = inner.object().unwrap_or(inner);
                head.path().is_some_and(&is_wrapper)
            };
            if one.is(TypeKind::Union) {
                let first = open.len();
                open.extend(one.items());
                open[first..].reverse();
            } else if NOTHING.contains(&one.text()) {
                continue;
            } else if one.arguments().next().is_some() && is_wrapped() {
                let first = open.len();
                open.extend(one.arguments());
                open[first..].reverse();
            } else {
                found.push(one);
            }
        }
        found
    }

    /// The text of a string literal type: `close` of `'close'`.
    pub fn string(self) -> Option<&'t str> {
        let text = self.text();
        let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (self.is(TypeKind::Quoted) && !inside.contains(['"', '\''])).then_some(inside)
    }

    /// The parts of a function type with an arrow, which may be in parentheses, optional or have attributes.
    pub fn function(self) -> Option<FunctionType<'t>> {
        let mut inner = self;
        let mut type_parameters = Vec::new();
        while matches!(
            inner.kind(),
            TypeKind::Parenthesized | TypeKind::Optional | TypeKind::Modified | TypeKind::Generic
        ) {
            type_parameters.extend(inner.of_role(Role::TypeParameter));
            inner = inner.item()?;
        }
        let is_function = matches!(inner.kind(), TypeKind::ThinArrowFunction | TypeKind::FatArrowFunction);
        is_function.then(|| FunctionType {
            type_parameters,
            receiver: inner.of_role(Role::Receiver).next(),
            parameters: inner.parameters().collect(),
            result: inner.result(),
        })
    }

    /// The parameters of a function type or `Callable`, with their labels.
    pub fn parameters(self) -> impl Iterator<Item = TypeRef<'t>> + Clone {
        self.of_role(Role::Parameter)
    }

    /// The result of a function type or `Callable`, or the value of a member with a key in brackets.
    pub fn result(self) -> Option<TypeRef<'t>> {
        self.of_role(Role::Result).next()
    }

    /// A conditional type, perhaps in parentheses.
    pub fn conditional(self) -> Option<Conditional<'t>> {
        let inner = self.unparenthesized();
        let mut parts = inner.is(TypeKind::Conditional).then(|| inner.items())?;
        Some(Conditional {
            check: parts.next()?,
            pattern: parts.next()?,
            yes: parts.next()?,
            no: parts.next(),
        })
    }

    /// A type and what stands in brackets behind it: `Events` and `K` in `Events[K]`.
    pub fn indexed(self) -> Option<(TypeRef<'t>, TypeRef<'t>)> {
        let index = self.is(TypeKind::Subscript).then(|| self.item())??;
        Some((self.object()?, index))
    }

    /// A type and the name of its member: `Shape["kind"]`.
    pub fn member_by_name(self) -> Option<(TypeRef<'t>, &'t str)> {
        let (object, index) = self.indexed()?;
        let inside = index.text().get(1..index.text().len().saturating_sub(1))?;
        index.is(TypeKind::Quoted).then_some((object, inside))
    }

    /// A type that has the members of another: `{ [K in keyof T]: .. }`.
    pub fn mapped(self) -> Option<MappedType<'t>> {
        let member = self.is(TypeKind::Object).then(|| self.items().next())??;
        if !member.is(TypeKind::MappedMember) {
            return None;
        }
        let constraint = member.items().next()?;
        let (keys, renamed) = match constraint.kind() {
            TypeKind::Cast => (constraint.items().next()?, constraint.items().nth(1)),
            _ => (constraint, None),
        };
        let keys = match keys.kind() {
            TypeKind::Union => keys.items().collect(),
            _ => vec![keys],
        };
        let of: Vec<TypeRef<'t>> = keys.into_iter().filter_map(|keys| keys.operand_of("keyof")).collect();
        if of.is_empty() {
            return None;
        }
        Some(MappedType {
            name: member.label()?.path()?,
            of,
            renamed,
            value: member.result(),
        })
    }

    /// The type behind an operator: `T` of `keyof T`.
    pub fn operand_of(self, operator: &str) -> Option<TypeRef<'t>> {
        let behind = self
            .is(TypeKind::Operator)
            .then(|| self.text().strip_prefix(operator))?;
        behind.filter(|behind| behind.starts_with(char::is_whitespace))?;
        self.item()
    }

    /// The type of any member, where that is all that an object says: `{ [name: string]: Shape }`.
    pub fn value_of_any_key(self) -> Option<TypeRef<'t>> {
        let member = self.is(TypeKind::Object).then(|| self.item())??;
        member.is(TypeKind::KeyedMember).then(|| member.result())?
    }

    /// All parts of a type, itself among them.
    pub fn descendants(self) -> impl Iterator<Item = TypeRef<'t>> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let next = open.pop()?;
            let first = open.len();
            open.extend(next.children());
            open[first..].reverse();
            Some(next)
        })
    }

    /// Whether a type that is written out has a member of this name, in itself or further in.
    pub fn declares(self, name: &str) -> bool {
        self.descendants().any(|one| {
            let key = match one.kind() {
                TypeKind::Labelled => one.label(),
                TypeKind::Callable => Some(one),
                _ => None,
            };
            key.is_some_and(|key| key.declared_name() == Some(name))
        })
    }

    /// The name of a label or key: `size` of `readonly size?`, `run` of `run(): void`.
    fn declared_name(self) -> Option<&'t str> {
        let mut key = self;
        loop {
            key = match key.kind() {
                TypeKind::Optional | TypeKind::Modified => key.item()?,
                TypeKind::Callable => key.items().next()?,
                TypeKind::Sequence => key.items().last()?,
                TypeKind::Named => return key.path(),
                _ => return key.string().or(Some(key.text())),
            };
        }
    }

    /// `Map<K, V>` of `Map<K, V>::Entry`, which may have marks.
    pub fn outer_type(self) -> Option<TypeRef<'t>> {
        let inner = self.unmarked();
        inner.object().filter(|_| inner.is_nested_type())
    }

    fn is_nested_type(self) -> bool {
        let before = |member: TypeRef<'_>| {
            self.expr.text[..member.node().start as usize]
                .trim_end()
                .ends_with("::")
        };
        self.is(TypeKind::Member) && self.item().is_some_and(before)
    }

    /// The names and how many arguments stand behind each. The arguments of an outer type come behind the type inside of
    /// it: `Map::Entry`, `K` and `V` of `Map<K, V>::Entry`.
    pub fn names_with_arity(self) -> Vec<(Cow<'t, str>, usize)> {
        let nested = self.descendants().find(|one| one.is_nested_type());
        let parts = nested.and_then(|one| Some((one.object()?, one.item()?)));
        let parts = parts
            .and_then(|(outer, inner)| Some((outer.node().start, outer.path()?, inner.node().start, inner.path()?)));
        let names = self
            .own_names()
            .filter(|name| parts.is_none_or(|(_, _, inner_at, _)| name.start != inner_at));
        let names = names.map(|name| {
            let path = match parts {
                Some((at, outer, _, inner)) if at == name.start => Cow::Owned(format!("{outer}::{inner}")),
                _ => Cow::Borrowed(self.expr.path(name)),
            };
            let named = self.expr.nodes.get(name.node as usize).map(|_| TypeRef {
                node: name.node,
                ..self
            });
            (path, named.map_or(0, |named| named.items().count()))
        });
        names.collect()
    }

    /// The result of a function type with a fat arrow, which may be a constructor or have type parameters.
    pub fn result_of_fat_arrow(self) -> Option<TypeRef<'t>> {
        let inner = self.inside_of(|kind| matches!(kind, TypeKind::Modified | TypeKind::Generic));
        inner.is(TypeKind::FatArrowFunction).then(|| inner.result())?
    }

    /// The element of a list: `A` of `A[]`, `[]A` and `readonly A[]`.
    pub fn element(self) -> Option<TypeRef<'t>> {
        let inner = self.inside_of(|kind| kind == TypeKind::Modified);
        matches!(inner.kind(), TypeKind::Array | TypeKind::Slice).then(|| inner.item())?
    }

    /// Whether it consists of names, marks and keywords, without brackets and arrows.
    pub fn is_flat(self) -> bool {
        self.descendants().all(|one| match one.kind() {
            TypeKind::Named => one.is_name(),
            TypeKind::Bounded
            | TypeKind::Bounds
            | TypeKind::Intersection
            | TypeKind::Modified
            | TypeKind::Opaque
            | TypeKind::Operator
            | TypeKind::Optional
            | TypeKind::Pointer
            | TypeKind::Quoted
            | TypeKind::Reference
            | TypeKind::Rest
            | TypeKind::Union => true,
            _ => false,
        })
    }

    /// The parts of a type that no brackets are around, itself among them.
    pub fn unbracketed(self) -> impl Iterator<Item = TypeRef<'t>> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let next = open.pop()?;
            let is_around = matches!(
                next.kind(),
                TypeKind::Array
                    | TypeKind::Bounds
                    | TypeKind::Conditional
                    | TypeKind::FatArrowFunction
                    | TypeKind::Generic
                    | TypeKind::Intersection
                    | TypeKind::Modified
                    | TypeKind::Operator
                    | TypeKind::Optional
                    | TypeKind::Pointer
                    | TypeKind::Reference
                    | TypeKind::Rest
                    | TypeKind::Sequence
                    | TypeKind::Slice
                    | TypeKind::Union
            );
            let first = open.len();
            open.extend(
                next.children()
                    .filter(|child| is_around && matches!(child.node().role, Role::Item | Role::Result)),
            );
            open[first..].reverse();
            Some(next)
        })
    }

    /// Whether its text begins with a part of a kind: `{ a: A } | B` with an object.
    pub fn begins_with(self, kind: TypeKind) -> bool {
        let start = self.node().start;
        let mut first = self.descendants().take_while(|one| one.node().start == start);
        first.any(|one| one.is(kind))
    }

    /// Whether a parameter or element takes any number of values: `...all: A[]`.
    pub fn is_rest(self) -> bool {
        self.is(TypeKind::Rest) || self.label().is_some_and(|label| label.is(TypeKind::Rest))
    }

    /// The words of a label without marks: `of` of `of?: A`.
    pub fn label_text(self) -> Option<&'t str> {
        let label = self.label()?;
        Some(
            label
                .inside_of(|kind| matches!(kind, TypeKind::Rest | TypeKind::Optional))
                .text(),
        )
    }

    /// The text with other names: `vector<string>` of `std::vector<std::string>`, if only the last parts of paths are left.
    pub fn text_with_names<'n>(self, name: impl Fn(&'t str) -> &'n str) -> String
    where
        't: 'n,
    {
        self.respelled(|path| Some(name(path)))
            .unwrap_or_else(|| self.text().to_owned())
    }

    /// The text with some names replaced; nothing, if none is.
    fn respelled<'n>(self, replacement: impl Fn(&'t str) -> Option<&'n str>) -> Option<String> {
        let text = &self.expr.text;
        let mut result = String::new();
        let start = self.node().start;
        let mut done = start;
        for name in self.own_names() {
            if let Some(with) = replacement(self.expr.path(name)) {
                result.push_str(&text[done as usize..name.start as usize]);
                result.push_str(with);
                done = name.end;
            }
        }
        if done == start {
            return None;
        }
        result.push_str(&text[done as usize..self.node().end as usize]);
        Some(result)
    }

    /// The keyword, lifetime or attribute of a `Modified` type: `const` of `const char` and of `char const`.
    pub fn modifier(self) -> &'t str {
        let text = self.text();
        let Some(inner) = self.item().map(|inner| inner.node()) else {
            return text;
        };
        let node = self.node();
        let before = &text[..(inner.start - node.start) as usize];
        let behind = &text[(inner.end - node.start) as usize..];
        if before.is_empty() {
            behind.trim()
        } else {
            before.trim()
        }
    }

    /// What stands in angle brackets before a type: `T as Shape` of `<T as Shape>::Unit`.
    pub fn type_parameters(self) -> impl Iterator<Item = TypeRef<'t>> {
        self.of_role(Role::TypeParameter)
    }

    /// Whether every bracket of the whole expression is closed. Facts cut off the text of a long type.
    pub fn is_complete(self) -> bool {
        self.expr.is_complete
    }

    /// The type with others in place of some of its names: `Events[K]` with `K` as `'close'`. Nothing, if it has none of
    /// those names.
    pub fn substituted(self, substitutes: &[(&str, TypeRef<'_>)]) -> Option<TypeExpr> {
        let substitute = |path: &str| {
            let found = substitutes.iter().find(|(name, _)| *name == path);
            found.map(|(_, with)| with.text())
        };
        let text = self.respelled(substitute)?;
        Some(TypeExpr::parse(&text))
    }

    /// The type without the objects in it, unless they have the members of another type: `{ [K in keyof T]: .. }`.
    pub fn without_objects(self) -> TypeExpr {
        let text = &self.expr.text;
        let mut result = String::new();
        let mut done = self.node().start;
        for one in self.descendants() {
            let node = one.node();
            if one.is(TypeKind::Object) && node.start >= done && one.mapped().is_none() {
                result.push_str(&text[done as usize..node.start as usize]);
                done = node.end;
            }
        }
        result.push_str(&text[done as usize..self.node().end as usize]);
        TypeExpr::parse(&result)
    }

    /// A copy of this part alone.
    pub fn to_expr(self) -> TypeExpr {
        TypeExpr::parse(self.text())
    }
}
