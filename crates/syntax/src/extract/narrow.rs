//! What a test says of a name, and where: `if isinstance(shape, Circle)`, `shape instanceof Circle && ...`.

use source::Span;

use super::{Walk, refer::unquoted, span_of};
use crate::{
    facts::{Annotation, Binding, BindingRole, LocalKind, NameId, Note, Tag, TagId, TypeSource},
    locals::Home,
    tree::Node,
};

/// Further out no test is looked for the place that it decides about.
const MAX_OUT: usize = 16;

/// The longest text that tells types apart.
const MAX_TAG: usize = 40;

impl<'t> Walk<'t> {
    /// A name that is local already has one of these types where the test came out as true, and none of them where it
    /// came out as false.
    pub(super) fn narrow<'n>(&mut self, test: Node<'n>, name: Node<'n>, types: &[Node<'n>]) {
        let at = span_of(name);
        let Some(text) = self.name_text(at) else { return };
        let is_path = |text: &&str| {
            text.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_.\\$".contains(&b) || b > 127)
        };
        // A member is known by how it is written, up to where it is given something else.
        let (first, member) = match text.split_once('.') {
            Some((first, _)) => (first, Some(text)),
            None => (text, None),
        };
        let first = self.intern(first);
        let is_known = self.names.get(first) == "this" && member.is_some() || self.is_bound(first, at.start);
        let is_member = !is_known && member.is_none() && self.hooks.narrows_members;
        if types.is_empty() || !(is_known || is_member) || !member.iter().all(is_path) {
            return;
        }
        let own = format!("this.{text}");
        let member = if is_member { Some(own.as_str()) } else { member };
        let (name, role) = match member {
            Some(member) => (self.intern_made(member), BindingRole::NarrowedMember),
            None => (first, BindingRole::Local),
        };
        let mut texts = Vec::new();
        for ty in types {
            match ty.kind() {
                // `(Circle, Square)`
                "tuple" => {
                    let parts = ty.named_children().filter(|part| !part.is_extra());
                    texts.extend(parts.map(|part| &self.text[part.byte_range()]));
                }
                _ => texts.push(&self.text[ty.byte_range()]),
            }
        }
        if !texts.iter().all(is_path) {
            return;
        }
        let is_not = test.child(1).is_some_and(|word| word.kind() == "!is");
        if let ([_], Some(either)) = (types, either(test, types[0], !is_not, self.text)) {
            texts.truncate(1);
            texts.extend(either.values.iter().filter(|text| is_path(text)));
            if texts.len() > either.values.len() {
                let ty = TypeSource::Expr(self.intern_made(&texts.join(" | ")));
                for scope in decided(either.test, either.outcome, self.text) {
                    self.known_as(role, name, at.start, until_given(scope, member, self.text), ty);
                }
            }
            texts.truncate(1);
        }
        let ty = self.intern_made(&texts.join(" | "));
        let (ty, not) = (TypeSource::Expr(ty), TypeSource::Not(ty));
        for scope in decided(test, !is_not, self.text) {
            self.known_as(role, name, at.start, until_given(scope, member, self.text), ty);
        }
        for scope in decided(test, is_not, self.text) {
            self.known_as(role, name, at.start, until_given(scope, member, self.text), not);
        }
    }

    /// One of a name's members was held against what tells its types apart: `shape.kind === "circle"`, `switch (shape.kind)`.
    pub(super) fn narrow_by_tag<'n>(&mut self, test: Node<'n>, name: Node<'n>, tag: Node<'n>, values: &[Node<'n>]) {
        let at = span_of(name);
        let Some(text) = self.name_text(at) else { return };
        let name = self.intern(text);
        if !self.is_bound(name, at.start) {
            return;
        }
        let key = &self.text[tag.byte_range()];
        let value_of = |value: Node<'_>| tag_value(&self.text[value.byte_range()]);
        // The values of the tag in each scope, and whether it has one of them or none.
        let mut known: Vec<(Vec<&'t str>, bool, Span)> = Vec::new();
        if let [value] = values {
            let operator = test.child_by_field_name("operator").map(|operator| operator.kind());
            let is_not = operator.is_some_and(|operator| operator.starts_with('!'));
            if let Some(value) = value_of(*value) {
                for (holds, outcome) in [(true, !is_not), (false, is_not)] {
                    let scopes = decided(test, outcome, self.text).into_iter();
                    known.extend(scopes.map(|scope| (vec![value], holds, scope)));
                }
            }
            if let (Some(own), Some(either)) = (value_of(*value), either(test, *value, !is_not, self.text)) {
                let all = [Some(own)]
                    .into_iter()
                    .chain(either.values.iter().map(|other| tag_value(other)));
                let all: Option<Vec<&str>> = all.collect();
                let scopes = decided(either.test, either.outcome, self.text);
                known.extend(
                    all.iter()
                        .flat_map(|all| scopes.iter().map(|scope| (all.clone(), true, *scope))),
                );
            }
        } else if let Some(body) = test.child_by_field_name("body") {
            // Of cases that have nothing of their own the next one is told too.
            let mut open = Some(Vec::new());
            for case in body.named_children().filter(|case| !case.is_extra()) {
                let value = case.child_by_field_name("value");
                let says = value.and_then(value_of);
                open = open.zip(says).map(|(mut open, says)| {
                    open.push(says);
                    open
                });
                if case.child_by_field_name("body").is_none() {
                    continue;
                }
                if let Some(says) = &open {
                    let span = span_of(case);
                    let start = value.map_or(span.start, |value| value.end_byte() as u32);
                    known.push((says.clone(), true, Span { start, end: span.end }));
                }
                // What goes on in the next case may be of either.
                let ends = case.named_children().last();
                open = ends.is_some_and(is_jump).then(Vec::new);
            }
        }
        let member = self.intern(key);
        for (values, holds, scope) in known {
            let values = values.into_iter().map(|value| self.intern(value)).collect();
            let tag = TagId(self.tags.len() as u32);
            self.tags.push(Tag { member, values });
            self.known_in(name, at.start, scope, TypeSource::Tagged { tag, holds });
        }
    }

    /// A function was asked about a name: what it says of it is in its signature, `shape is Circle`.
    pub(super) fn guard<'n>(&mut self, test: Node<'n>, function: Node<'n>, name: Node<'n>) {
        let says = &self.text[function.byte_range()];
        let bare = says.trim_start_matches(['$', '_']);
        if !["is", "has", "assert"].iter().any(|word| bare.starts_with(word)) {
            return;
        }
        let at = span_of(name);
        let Some(text) = self.name_text(at) else { return };
        let name = self.intern(text);
        if !self.is_bound(name, at.start) {
            return;
        }
        let ty = TypeSource::Guarded(function.start_byte() as u32);
        for scope in decided(test, true, self.text) {
            self.known_in(name, at.start, scope, ty);
        }
    }

    /// A macro that is defined here opens a namespace.
    pub(crate) fn opens(&mut self, namespace: &str, at: u32) {
        let namespace = self.intern_made(namespace);
        self.note(at, Note::OpensNamespace(namespace));
    }

    /// Keeps what is known of what is named at a place.
    pub(super) fn note(&mut self, at: u32, note: Note) {
        self.note_in(Span { start: at, end: at }, note);
    }

    /// Keeps what is known of a scope.
    pub(super) fn note_in(&mut self, scope: Span, note: Note) {
        let at = scope.start;
        self.annotations.push(Annotation { at, scope, note });
    }

    /// A variable has a type in a scope because a comment says so.
    pub(crate) fn known_by_comment(&mut self, name: &'t str, ty: &str, comment: Node<'_>, scope: Span) {
        let (name, ty) = (self.intern(name), TypeSource::Expr(self.intern_made(ty)));
        self.known_in(name, comment.start_byte() as u32, scope, ty);
    }

    /// A binding that declares nothing.
    pub(super) fn known_in(&mut self, name: NameId, at: u32, scope: Span, ty: TypeSource) {
        self.known_as(BindingRole::Local, name, at, scope, ty);
    }

    fn known_as(&mut self, role: BindingRole, name: NameId, at: u32, scope: Span, ty: TypeSource) {
        if let Some(homes) = &mut self.homes {
            homes.push(Home::narrowed(scope));
        }
        self.bindings.push(Binding {
            name,
            at,
            scope,
            ty: Some(ty),
            value: None,
            kind: LocalKind::Plain,
            role,
        });
    }
}

/// The part of a scope before a member, or what it is a member of, is given something else in it.
fn until_given(scope: Span, member: Option<&str>, text: &str) -> Span {
    let Some((outer, _)) = member.and_then(|member| member.split_once('.')) else {
        return scope;
    };
    let inside = text.get(scope.range()).unwrap_or_default();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let is_given = |path: &str, at: usize| {
        let behind = inside[at + path.len()..].trim_start_matches([' ', '\t']);
        let is_set = behind.starts_with('=') && !behind.starts_with("==") && !behind.starts_with("=>");
        is_set && !inside[..at].ends_with(is_word)
    };
    let first = |path: &str| {
        let mut all = inside.match_indices(path).map(|(at, _)| at);
        all.find(|at| is_given(path, *at))
    };
    let given = [member.and_then(first), first(outer)].into_iter().flatten().min();
    let end = given.map_or(scope.end, |at| scope.start + at as u32);
    Span { end, ..scope }
}

/// What tells types apart, as it is written; without what could be taken for a separator, or goes on for long.
pub(crate) fn tag_value(text: &str) -> Option<&str> {
    let bare = unquoted(text);
    let is_plain = |c: char| !c.is_whitespace() && !matches!(c, '|' | ',' | '=' | '`');
    let is_told = !bare.is_empty() && bare.len() <= MAX_TAG && bare.chars().all(is_plain);
    is_told.then_some(bare)
}

/// Several tests that are alike but for what they ask for, of which one comes out in a way: `shape instanceof Circle ||
/// shape instanceof Square`.
struct Either<'n, 't> {
    /// All of them.
    test: Node<'n>,
    outcome: bool,
    /// What the others ask for.
    values: Vec<&'t str>,
}

fn either<'n, 't>(test: Node<'n>, value: Node<'n>, outcome: bool, text: &'t str) -> Option<Either<'n, 't>> {
    let (mut first, mut holds) = (test, outcome);
    let mut outer = std::iter::successors(test.parent(), |node| node.parent()).take(MAX_OUT);
    let mut parent = outer.next()?;
    loop {
        match parent.kind() {
            "parenthesized_expression" => {}
            "not_operator" => holds = !holds,
            "unary_expression" if parent.child(0).is_some_and(|first| first.kind() == "!") => holds = !holds,
            _ => break,
        }
        first = parent;
        parent = outer.next()?;
    }
    let before = &text[first.start_byte()..value.start_byte()];
    let behind = &text[value.end_byte()..first.end_byte()];
    let mut values = Vec::new();
    let mut all = first;
    // What is asked next is to the right of all that was asked before.
    while matches!(parent.kind(), "boolean_operator" | "binary_expression") {
        let of = |field: &str| parent.child_by_field_name(field);
        let is_either = match of("operator").map(|operator| operator.kind()) {
            Some("or" | "||") => holds,
            Some("and" | "&&") => !holds,
            _ => false,
        };
        if !is_either || of("left").is_none_or(|left| left.id() != all.id()) {
            break;
        }
        let other = &text[of("right")?.byte_range()];
        values.push(other.strip_prefix(before)?.strip_suffix(behind)?.trim());
        all = parent;
        parent = outer.next()?;
    }
    (!values.is_empty()).then_some(Either {
        test: all,
        outcome: holds,
        values,
    })
}

/// Where a test is known to have come out in this way.
fn decided(test: Node<'_>, outcome: bool, text: &str) -> Vec<Span> {
    let mut places = Vec::new();
    let (mut node, mut holds) = (test, outcome);
    for _ in 0..MAX_OUT {
        let Some(parent) = node.parent() else { break };
        match in_condition(node, parent, holds, text) {
            Some((outer, outcome, asked_next)) => {
                places.extend(asked_next.map(span_of));
                (node, holds) = (outer, outcome);
            }
            None => {
                places.extend(decided_by(node, parent, holds).into_iter().flatten());
                break;
            }
        }
    }
    places
}

/// The condition that a test is part of, how it has come out if the test has come out so, and what is asked only then.
fn in_condition<'n>(
    test: Node<'n>,
    parent: Node<'n>,
    holds: bool,
    text: &str,
) -> Option<(Node<'n>, bool, Option<Node<'n>>)> {
    let of = |field: &str| parent.child_by_field_name(field);
    match parent.kind() {
        "parenthesized_expression" | "condition_clause" => Some((parent, holds, None)),
        "not_operator" => Some((parent, !holds, None)),
        "unary_expression" | "unary_op_expression" => match parent.child(0)?.kind() {
            "!" => Some((parent, !holds, None)),
            _ => None,
        },
        // The right side is asked only if the left one leaves it open.
        "boolean_operator" | "binary_expression" => {
            let goes_on = match of("operator")?.kind() {
                "and" | "&&" => true,
                "or" | "||" => false,
                _ => return None,
            };
            let is_left = of("left").is_some_and(|left| left.id() == test.id());
            (holds == goes_on).then(|| (parent, holds, of("right").filter(|_| is_left)))
        }
        "argument" if is_first(parent, test) => Some((parent, holds, None)),
        // JavaScript: `invariant(shape instanceof Circle)`.
        "arguments" if is_first(parent, test) => {
            let call = parent.parent().filter(|call| asserts(*call, text))?;
            Some((call, holds, None))
        }
        _ => None,
    }
}

/// What is reached only if a condition has come out so.
fn decided_by(condition: Node<'_>, parent: Node<'_>, holds: bool) -> [Option<Span>; 2] {
    let of = |field: &str| parent.child_by_field_name(field);
    let is = |field: &str| of(field).is_some_and(|child| child.id() == condition.id());
    let if_so = |place: Option<Span>| [place.filter(|_| holds), None];
    match parent.kind() {
        "ternary_expression" if is("condition") => {
            let side = of(if holds { "consequence" } else { "alternative" });
            [side.map(span_of), None]
        }
        // Python: `a if test else b`.
        "conditional_expression" => {
            let mut middle = parent.named_child(1).into_iter();
            let is_condition = middle.any(|middle| middle.id() == condition.id());
            let side = parent.named_child(if holds { 0 } else { 2 });
            [side.filter(|_| is_condition).map(span_of), None]
        }
        // Python: what is made of those for which the test holds.
        "if_clause" => {
            let made = parent.parent().and_then(|made| made.child_by_field_name("body"));
            if_so(made.map(span_of))
        }
        "assert_statement" | "expression_statement" => if_so(after(parent)),
        "while_statement" if is("condition") => if_so(of("body").map(span_of)),
        // Kotlin: neither side has a name.
        "if_expression" if is("condition") => {
            let mut sides = node_sides(parent, condition);
            let (then, otherwise) = (sides.next(), sides.next());
            let goes_on = !holds && otherwise.is_none() && then.is_some_and(is_jump);
            let side = if holds { then } else { otherwise };
            [side.map(span_of), after(parent).filter(|_| goes_on)]
        }
        "when_entry" if is("condition") => if_so(node_sides(parent, condition).last().map(span_of)),
        "if_statement" | "elif_clause" | "else_if_clause" if is("condition") => {
            let then = of("consequence").or_else(|| of("body"));
            if holds {
                return [then.map(span_of), None];
            }
            let otherwise = of("alternative").map(|first| Span {
                start: first.start_byte() as u32,
                end: parent.end_byte() as u32,
            });
            // Kept in mind until the end of the block if the other side does not go on.
            let goes_on = parent.kind() == "if_statement" && then.is_some_and(is_jump);
            [otherwise, after(parent).filter(|_| goes_on)]
        }
        _ => [None; 2],
    }
}

fn is_first(list: Node<'_>, node: Node<'_>) -> bool {
    list.named_child(0).is_some_and(|first| first.id() == node.id())
}

/// Whether a call does not come back if what it is given first does not hold.
fn asserts(call: Node<'_>, text: &str) -> bool {
    let called = call
        .child_by_field_name("function")
        .map(|called| &text[called.byte_range()]);
    called.is_some_and(|called| called.starts_with("assert") || called.ends_with("nvariant"))
}

/// What a condition decides about, in its order.
fn node_sides<'n>(parent: Node<'n>, condition: Node<'n>) -> impl Iterator<Item = Node<'n>> {
    let behind = std::iter::successors(condition.next_named_sibling(), |node| node.next_named_sibling());
    behind.filter(move |side| !side.is_extra() && side.end_byte() <= parent.end_byte())
}

/// What follows a statement in its block.
fn after(statement: Node<'_>) -> Option<Span> {
    Some(Span {
        start: statement.end_byte() as u32,
        end: statement.parent()?.end_byte() as u32,
    })
}

/// Whether what follows a block is not reached from it.
fn is_jump(block: Node<'_>) -> bool {
    let last = block.named_children().filter(|child| !child.is_extra()).last();
    [Some(block), last].into_iter().flatten().any(|node| {
        let is_thrown = |node: Node<'_>| {
            node.named_child(0)
                .is_some_and(|inner| inner.kind() == "throw_expression")
        };
        matches!(
            node.kind(),
            "return_expression"
                | "throw_expression"
                | "return_statement"
                | "throw_statement"
                | "raise_statement"
                | "continue_statement"
                | "break_statement"
        ) || (node.kind() == "expression_statement" && is_thrown(node))
    })
}
