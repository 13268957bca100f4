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

    /// The names, the outer type's arguments behind a type inside of it: `Map::Entry`, `K` and `V` of `Map<K, V>::Entry`.
    pub fn qualified_names(self) -> Vec<Cow<'t, str>> {
        let nested = self.descendants().find(|one| one.is(TypeKind::Member));
        let parts = nested.and_then(|one| Some((one.object()?, one.item()?)));
        let parts = parts
            .and_then(|(outer, member)| Some((outer.node().start, outer.path()?, member.node().start, member.path()?)));
        let Some((outer_at, outer, member_at, member)) = parts else {
            return self.names().map(Cow::Borrowed).collect();
        };
        let names = self.own_names().filter(|name| name.start != member_at);
        let names = names.map(|name| match name.start == outer_at {
            true => Cow::Owned(format!("{outer}::{member}")),
            false => Cow::Borrowed(self.expr.path(name)),
        });
        names.collect()
    }

    /// How many arguments stand behind each of the names.
    pub fn names_with_arity(self) -> impl Iterator<Item = (&'t str, usize)> {
        self.own_names().map(move |name| {
            let node = self.expr.nodes.get(name.node as usize);
            let named = node.map(|_| TypeRef {
                node: name.node,
                ..self
            });
            (self.expr.path(name), named.map_or(0, |named| named.items().count()))
        })
    }

    /// The type with others in place of some of its names: `Events[K]` with `K` as `'close'`. Nothing, if it has none of
    /// those names.
    pub fn substituted(self, substitutes: &[(&str, TypeRef<'_>)]) -> Option<TypeExpr> {
        let text = &self.expr.text;
        let mut result = String::new();
        let mut done = self.node().start;
        for name in self.own_names() {
            let path = self.expr.path(name);
            if let Some((_, with)) = substitutes.iter().find(|(name, _)| *name == path) {
                result.push_str(&text[done as usize..name.start as usize]);
                result.push_str(with.text());
                done = name.end;
            }
        }
        if result.is_empty() && done == self.node().start {
            return None;
        }
        result.push_str(&text[done as usize..self.node().end as usize]);
        Some(TypeExpr::parse(&result))
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

    /// The part as a type by itself.
    pub fn to_expr(self) -> TypeExpr {
        TypeExpr::parse(self.text())
    }
}
