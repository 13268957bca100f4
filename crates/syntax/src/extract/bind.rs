//! Local names: where they live, and what they are bound to.

use rustc_hash::FxHashSet;
use source::Span;

use super::{Before, Frame, Marked, Passage, Subject, Walk, apply::Matched, span_of};
use crate::{
    facts::{Binding, BindingRole, LocalKind, NameId, Note, Pattern, PatternStep, Role, TypeSource},
    locals::{Home, is_hoisted, is_parameter},
    query::Capture,
    tree::Node,
};

/// Patterns are not looked out of further than this.
const MAX_PATTERN: usize = 6;

/// Local names further back are not looked at.
const MANY_LOCALS: usize = 256;

impl<'t> Walk<'t> {
    /// What a local name is, by what is said beside it.
    pub(super) fn local_kind(&self, node: Node<'_>, nodes: &[(Capture, Node<'_>)]) -> LocalKind {
        let says = |wanted: Capture| nodes.iter().any(|(capture, _)| *capture == wanted);
        if says(Capture::Rest) {
            LocalKind::Rest
        } else if says(Capture::Optional) {
            LocalKind::Optional
        } else {
            (self.hooks.local_kind)(node, self.text)
        }
    }

    /// The local names of a match, and what is known of names that it does not declare.
    pub(super) fn bind_locals<'n>(&mut self, matched: &Matched<'n, '_>, is_definition: bool, passage: &mut Passage<'n>)
    where
        't: 'n,
    {
        // A definition's own type and value are not those of its parameters, unless it is one.
        let is_name = |node: Node<'n>| matched.all(Capture::Name).any(|name| name.id() == node.id());
        let is_definition = is_definition && !matched.all(Capture::Local).any(is_name);
        let written = matched.one(Capture::Type).filter(|_| !is_definition);
        let values = matched.nodes.iter();
        let values = values.filter(|(capture, _)| matches!(capture, Capture::Value | Capture::Element));
        let values: Vec<Node<'n>> = match is_definition {
            true => Vec::new(),
            false => values.map(|(_, node)| *node).collect(),
        };
        let ty = self.type_of_locals(matched, written, &values);
        let kind = self.local_kind(matched.node, matched.nodes);
        for generic in matched.all(Capture::Generic) {
            self.bind(generic, ty, None, LocalKind::Generic, passage);
        }
        if let (Some(nameless), Some(ty), Some(written)) = (matched.one(Capture::Nameless), ty, written) {
            let ty = self.marked_type(ty, written, None, true);
            self.bind_nameless(nameless, ty, kind, passage);
        }
        let first_bound = self.bindings.len();
        self.bind_each(matched, (ty, written, kind), &values, passage);
        // A name is not known in its own type: `func run(vm *vm)`.
        if let Some(written) = written.map(span_of) {
            for binding in &mut self.bindings[first_bound..] {
                if binding.at < written.start {
                    binding.scope.start = binding.scope.start.max(written.end).min(binding.scope.end);
                }
            }
        }
        for part in matched.all(Capture::Part) {
            let ty = ty.map(|ty| self.component_of(Some(ty), matched.span, part));
            self.bind_part(part, ty, passage);
        }
        if let (Some(ty), Some(narrow)) = (ty, matched.one(Capture::Narrow))
            && matched.all(Capture::Type).count() == 1
        {
            self.bind_again(ty, span_of(narrow), passage);
        }
        self.bind_passed(matched, ty, passage);
        for hole in matched.all(Capture::Hole) {
            self.bind_hole(hole, matched.node, passage);
        }
        if let Some(narrowed) = matched.one(Capture::Narrowed) {
            match (matched.one(Capture::Guard), matched.one(Capture::Tag)) {
                (Some(function), _) => self.guard(matched.node, function, narrowed),
                (None, Some(tag)) => self.narrow_by_tag(matched.node, narrowed, tag, &values),
                (None, None) => self.narrow(matched.node, narrowed, &values),
            }
        }
        if let (Some(given), [value]) = (matched.one(Capture::Given), &values[..]) {
            self.give(given, *value, passage);
        }
        if matched.one(Capture::Arrow).is_some() {
            self.note_in(matched.span, Note::ArrowFunction);
        }
        for outer in matched.all(Capture::Outer) {
            if let Some(frame) = passage.frames.iter().rev().find(|frame| frame.is_scope) {
                passage.outer.push((frame.end, &self.text[outer.byte_range()]));
            }
        }
    }

    /// The type that the local names of a match share.
    fn type_of_locals(
        &mut self,
        matched: &Matched<'_, '_>,
        written: Option<Node<'_>>,
        values: &[Node<'_>],
    ) -> Option<TypeSource> {
        let mut ty = written.map(|written| match written.kind() {
            "range" if !written.is_named() => TypeSource::Range(0),
            "as" if !written.is_named() => TypeSource::Entered,
            _ => TypeSource::Expr(self.type_of(written)),
        });
        if let Some(implied) = matched.one(Capture::Implied).filter(|_| ty.is_none()) {
            ty = self.implied_type(implied);
        }
        ty.or_else(|| self.type_by_values(matched.one(Capture::Element).is_some(), values))
    }

    /// The type of names that are given values, where none is written.
    pub(super) fn type_by_values(&mut self, are_elements: bool, values: &[Node<'_>]) -> Option<TypeSource> {
        // Of several names and one value the first has it, as in `a, err := f()`.
        let made = match values {
            [value] => self.made_type(*value),
            _ => None,
        };
        if !are_elements {
            return made.map(TypeSource::Expr);
        }
        // `for (const shape of all as Shape[])`
        let is_cast = |value: &Node<'_>| matches!(value.kind(), "as_expression" | "type_assertion");
        let all = made.filter(|_| values.iter().any(is_cast));
        let one = all.map(|all| {
            let steps = vec![PatternStep::As(all), PatternStep::Element];
            self.destructured(Pattern { steps, of: None })
        });
        Some(one.unwrap_or(TypeSource::Element))
    }

    /// The names that are given something here, each with its own part of that.
    fn bind_each<'n>(
        &mut self,
        matched: &Matched<'n, '_>,
        (ty, written, kind): (Option<TypeSource>, Option<Node<'n>>, LocalKind),
        values: &[Node<'n>],
        passage: &mut Passage<'n>,
    ) {
        let locals = matched.nodes.iter();
        let locals = locals.filter(|(capture, _)| matches!(capture, Capture::Local | Capture::Throughout));
        let takes_apart = matched.syntax.hooks.has_tuples && values.len() == 1 && locals.clone().count() > 1;
        let has_elements = matched.one(Capture::Element).is_some();
        let are_parts = has_elements && locals.clone().count() > 1;
        for (at, (capture, local)) in locals.enumerate() {
            if takes_apart {
                let ty = self.component_of(ty, matched.span, *local);
                self.bind(*local, Some(ty), values.first().copied(), LocalKind::Plain, passage);
                continue;
            }
            let value = if matched.says.keys {
                key_of(*local, matched.nodes)
            } else if has_elements {
                values.first().copied()
            } else if at == 0 || values.len() > 1 {
                values.get(at).copied()
            } else {
                None
            };
            let marked = ty.zip(written);
            let marked = marked.map(|(ty, written)| self.marked_type(ty, written, Some(*local), at == 0));
            let part = are_parts.then(|| self.apart(*local)).flatten().map(|(part, _)| part);
            self.bind(*local, part.or(marked).or(ty), value, kind, passage);
            let scope = passage.frames.iter().rev().find(|frame| frame.is_scope);
            if let (Capture::Throughout, Some(scope), Some(last)) = (capture, scope, self.bindings.last_mut())
                && last.at == local.start_byte() as u32
            {
                last.scope.start = scope.start;
            }
        }
    }

    /// What a call hands over first is what it is on, or a part of that; of others nothing is known.
    fn bind_passed<'n>(&mut self, matched: &Matched<'n, '_>, ty: Option<TypeSource>, passage: &mut Passage<'n>) {
        let mut passed = matched
            .all(Capture::Passed)
            .filter(|passed| passed.id() != matched.node.id());
        if let Some(first) = passed.next() {
            let call = self.call_around(passage);
            let ty = ty.or_else(|| self.callback_parameter(first).map(TypeSource::Expected));
            self.bind(first, ty, None, LocalKind::Plain, passage);
            let last = self.bindings.last_mut();
            if let Some(last) = last.filter(|last| last.at == first.start_byte() as u32) {
                last.value = call;
            }
        }
        for other in passed {
            let ty = ty.or_else(|| self.callback_parameter(other).map(TypeSource::Expected));
            self.bind(other, ty, None, LocalKind::Plain, passage);
        }
    }

    /// A name in use that stands for what a function is handed, which is all there is of the function: `_.name`.
    fn bind_hole<'n>(&mut self, hole: Node<'n>, root: Node<'n>, passage: &mut Passage<'n>) {
        let (role, on, arguments) = (Role::Variable, Before::Nothing, None);
        if hole.id() != root.id() {
            passage.mark(hole, Marked::Reference { role, on, arguments });
        }
        let span = span_of(hole);
        let (Some(parameter), Some(name)) = (self.callback_parameter(hole), self.name_text(span)) else {
            return;
        };
        let name = self.intern(name);
        self.known_in(name, span.start, span, TypeSource::Expected(parameter));
    }

    pub(super) fn bind<'n>(
        &mut self,
        local: Node<'n>,
        ty: Option<TypeSource>,
        value: Option<Node<'n>>,
        kind: LocalKind,
        passage: &mut Passage<'n>,
    ) {
        let span = span_of(local);
        let Some(name) = self.name_text(span) else { return };
        if name != "Self" && is_bounded(local) {
            // A type that is not a parameter of one here: `where Key: PartialEq<K>`.
            let name = self.intern(name);
            if !self.is_bound(name, span.start) {
                return;
            }
        }
        let scope = passage.frames.iter().rev().find(|frame| frame.is_scope);
        let end = scope.map_or(self.text.len() as u32, |frame| frame.end);
        if passage.outer.contains(&(end, name)) {
            return;
        }
        passage.mark(local, Marked::Declared);
        // What a parameter that is a function is given is named for its readers alone: `int (*next)(void *data)`.
        if span.start < passage.inner_until && !is_of_lambda(local) {
            return;
        }
        let (ty, value) = match ty.is_none().then(|| self.apart(local)).flatten() {
            Some((ty, whole)) => (Some(ty), whole),
            None => (ty, value),
        };
        let start = value.map_or(span.end, |value| self.want_value(value, span.end, passage));
        let name = self.intern(name);
        if let Some(value) = value.filter(|_| ty.is_none())
            && let Some((before, given)) = passage.given.insert((end, name), (local, value.id()))
            && may_both_hold(before, local)
        {
            self.binding_others.push((self.bindings.len(), given));
        }
        let is_told = ty.is_some();
        let is_statement = |parent: Node<'_>| parent.kind() == "variable_declarator";
        if !is_told && local.parent().is_some_and(is_statement) {
            self.open_locals.push(self.bindings.len());
        }
        let before = match ty {
            Some(ty) => passage.declared.insert((end, name), (local, ty)),
            None => passage.declared.get(&(end, name)).copied(),
        };
        let own = value.and_then(|value| self.name_text(span_of(value)));
        let is_own = |own: &&str| *own == "this" || (*own == "self" && !self.hooks.binds_at_once);
        let own = own.filter(|own| ty.is_none() && is_own(own));
        let ty = ty.or_else(|| own.map(|own| TypeSource::Expr(self.intern(own))));
        let said = self.documented_parameter(span, name, ty, passage);
        let said = said.or_else(|| self.documented_beside(span, name, ty, passage));
        let ty = said.or(ty);
        if let Some(homes) = &mut self.homes {
            homes.push(home_of(local, &passage.frames));
        }
        self.bindings.push(Binding {
            name,
            at: span.start,
            scope: Span {
                start,
                end: end.max(start),
            },
            ty,
            value: None,
            kind,
            role: BindingRole::Local,
        });
        // `def run(shape: Shape = None)`, then `if shape is None: shape = Circle()`.
        if let (Some((before, TypeSource::Expr(declared))), true) = (before, !is_told && value.is_some())
            && may_both_hold(before, local)
        {
            self.note(span.start, Note::FurtherType(declared));
        }
    }

    /// A name that a statement declares without a type may have any of the values that it is given behind it.
    fn give<'n>(&mut self, local: Node<'n>, value: Node<'n>, passage: &mut Passage<'n>) {
        let span = span_of(local);
        let Some(name) = self.name_text(span) else { return };
        let name = self.intern(name);
        let near = self.bindings.iter().enumerate().rev().take(MANY_LOCALS);
        let mut near = near.filter(|(_, known)| known.name == name && span.start < known.scope.end);
        if let Some((declared, _)) = near.find(|(at, _)| self.open_locals.binary_search(at).is_ok()) {
            passage.mark(value, Marked::Wanted);
            self.binding_others.push((declared, value.id()));
        }
    }

    /// Has the value of the next binding found out; where the name begins to mean it, which ends at `start`.
    fn want_value<'n>(&mut self, value: Node<'n>, start: u32, passage: &mut Passage<'n>) -> u32 {
        passage.mark(value, Marked::Wanted);
        self.binding_values.push((self.bindings.len(), value.id()));
        if let Some(other) = other_branch(value) {
            passage.mark(other, Marked::Wanted);
            self.binding_others.push((self.bindings.len(), other.id()));
        }
        // Until its value is complete the name means whatever it meant before.
        match self.hooks.binds_at_once {
            true => start,
            false => start.max(value.end_byte() as u32),
        }
    }

    /// The type that the comment before a function gives one of its parameters.
    fn documented_parameter(
        &mut self,
        span: Span,
        name: NameId,
        ty: Option<TypeSource>,
        passage: &Passage<'_>,
    ) -> Option<TypeSource> {
        let around = passage.frames.iter().rev().find_map(|frame| frame.symbol)?;
        let around = &self.symbols[around];
        let doc = around
            .doc
            .filter(|_| around.kind.is_function() && span.start < around.signature.end)?;
        let name = self.names.get(name).to_owned();
        self.documented(doc, Some(&name), ty)
    }

    /// What a comment says of a type, beside what the code says.
    pub(super) fn documented(
        &mut self,
        doc: Span,
        parameter: Option<&str>,
        ty: Option<TypeSource>,
    ) -> Option<TypeSource> {
        let text = &self.text[doc.range()];
        if !text.contains('@') {
            return None;
        }
        let said = (self.hooks.doc_type)(text, parameter)?;
        // The nearer one comes first; what the language itself has says less.
        let is_named = |own: &&str| own.contains(char::is_uppercase);
        let own = ty.and_then(TypeSource::expr).map(|ty| self.names.get(ty));
        let whole = match own.filter(is_named) {
            Some(own) if own != said => format!("{said}|{}", own.trim_start_matches('?')),
            _ => said.into_owned(),
        };
        Some(TypeSource::Expr(self.intern_made(&whole)))
    }

    /// A parameter that nothing can name, and that is given something all the same.
    fn bind_nameless(&mut self, of: Node<'_>, ty: TypeSource, kind: LocalKind, passage: &Passage<'_>) {
        if (of.start_byte() as u32) < passage.inner_until {
            return;
        }
        // Where nothing is that is a name of something.
        let at = of.end_byte() as u32;
        let name = self.intern_made("_");
        self.known_in(name, at, Span { start: at, end: at }, ty);
        if let Some(binding) = self.bindings.last_mut() {
            binding.kind = kind;
        }
    }

    /// Which component of a value a name in a pattern is given, by how many are before it and by the pattern's own words.
    fn component_of(&self, pattern: Option<TypeSource>, span: Span, local: Node<'_>) -> TypeSource {
        let before = &self.text[span.start as usize..local.start_byte()];
        let index = before.bytes().filter(|byte| *byte == b',').count();
        let small = u8::try_from(index).unwrap_or(u8::MAX);
        match pattern {
            Some(TypeSource::Expr(pattern)) => TypeSource::NamedComponent { pattern, index: small },
            Some(TypeSource::Range(_)) => TypeSource::Range(small),
            Some(TypeSource::Element) => TypeSource::ElementComponent(index as u32),
            _ => TypeSource::Component(index as u32),
        }
    }

    /// A name in a pattern: what it is comes out of what the pattern is held against.
    fn bind_part<'n>(&mut self, local: Node<'n>, ty: Option<TypeSource>, passage: &mut Passage<'n>) {
        let at = local.start_byte() as u32;
        // A constant or a variant; or the pattern around has said all there is to say.
        let is_constant = self.text[at as usize..].starts_with(char::is_uppercase);
        if is_constant || self.bindings.iter().rev().take(8).any(|binding| binding.at == at) {
            return;
        }
        let subject = passage.frames.iter().rev().find_map(|frame| frame.subject);
        let part = match subject {
            Some(Subject::Value { is_tuple: true, .. }) => part_of_tuple(local),
            _ => None,
        };
        let ty = match subject {
            // Such a name is the whole of its part.
            Some(Subject::Value { .. }) if part.is_none() => ty.or(Some(TypeSource::Held)),
            _ => ty,
        };
        let count = self.bindings.len();
        self.bind(local, ty, None, LocalKind::Plain, passage);
        let Some(binding) = self.bindings.get_mut(count) else {
            return;
        };
        match subject {
            Some(Subject::Value { node, span, .. }) => {
                binding.scope.start = binding.scope.start.max(span.end);
                binding.scope.end = binding.scope.end.max(binding.scope.start);
                self.binding_values.push((count, part.map_or(node, |part| part.id())));
            }
            Some(Subject::Passed(call)) => binding.value = call,
            None => {}
        }
    }

    /// Inside of one case the name that is looked into has that case's type.
    fn bind_again(&mut self, ty: TypeSource, case: Span, passage: &Passage<'_>) {
        let subject = passage.frames.iter().rev().find_map(|frame| frame.subject);
        let Some(Subject::Value {
            span, is_local: true, ..
        }) = subject
        else {
            return;
        };
        if let Some(text) = self.name_text(span) {
            let (mut name, mut role) = (self.intern(text), BindingRole::Local);
            if self.hooks.narrows_members && !self.is_bound(name, span.end) {
                name = self.intern_made(&format!("this.{text}"));
                role = BindingRole::NarrowedMember;
            }
            if let Some(homes) = &mut self.homes {
                homes.push(Home::narrowed(case));
            }
            self.bindings.push(Binding {
                name,
                at: case.start,
                scope: case,
                ty: Some(ty),
                value: None,
                kind: LocalKind::Plain,
                role,
            });
        }
    }

    /// Whether a local name covers the place; those far back are not looked at.
    pub(super) fn is_bound(&self, name: NameId, at: u32) -> bool {
        let mut near = self.bindings.iter().rev().take(MANY_LOCALS);
        let is_local = |binding: &Binding| binding.name == name && binding.role == BindingRole::Local;
        near.any(|binding| is_local(binding) && binding.at <= at && at < binding.scope.end)
    }
}

/// Whether a parameter is one of a function that is written where it is used, as opposed to one that is only described.
fn is_of_lambda(parameter: Node<'_>) -> bool {
    let mut around = std::iter::successors(parameter.parent(), |outer| outer.parent());
    let list = around.find(|outer| outer.kind() == "parameter_list");
    let function = list.and_then(|list| list.parent()?.parent());
    function.is_some_and(|function| function.kind() == "lambda_expression")
}

/// Which of several values a name in a pattern is held against: `a` for `x` in `(Some(x), y) = (a, b)`.
fn part_of_tuple(local: Node<'_>) -> Option<Node<'_>> {
    let mut inner = local;
    let mut around = std::iter::successors(local.parent(), |node| node.parent()).take(MAX_PATTERN);
    let (pattern, holder) = loop {
        let outer = around.next()?;
        let holder = outer.parent().filter(|_| outer.kind() == "tuple_pattern");
        match holder.map(|holder| (holder, holder.kind())) {
            Some((holder, "let_condition" | "let_declaration")) => break (outer, holder),
            // The pattern of an arm, the arm, all of them.
            Some((holder, "match_pattern")) => break (outer, holder.parent()?.parent()?.parent()?),
            _ => inner = outer,
        }
    };
    let nth = pattern
        .named_children()
        .filter(|part| !part.is_extra())
        .position(|part| part.id() == inner.id())?;
    let value = holder.child_by_field_name("value")?;
    value.named_child(nth).filter(|_| value.kind() == "tuple_expression")
}

/// Where a local name lives, inside of what is around it.
pub(super) fn home_of(local: Node<'_>, frames: &[Frame]) -> Home {
    let is_wide = is_hoisted(local);
    let is_home = |frame: &&Frame| frame.is_scope && (!is_wide || frame.symbol.is_some() || frame.is_closure);
    let frame = frames.iter().rev().find(is_home);
    Home {
        frame: frame.map(|frame| Span {
            start: frame.start,
            end: frame.end,
        }),
        is_declared: true,
        is_parameter: is_parameter(local),
    }
}

/// The `@key` that a name gets its value from: itself, or the one before it that has no name of its own.
pub(super) fn key_of<'n>(name: Node<'n>, nodes: &[(Capture, Node<'n>)]) -> Option<Node<'n>> {
    let is_part = |(capture, _): &&(Capture, Node<'n>)| *capture == Capture::Key;
    let own = nodes.iter().filter(is_part).find(|(_, part)| part.id() == name.id());
    let before = || {
        let at = nodes.iter().position(|(_, node)| node.id() == name.id())?;
        let part = nodes[..at].last().filter(is_part)?;
        // Not one whose value is taken apart in turn: `{ size: { width }, ...others }`.
        let is_around = part.1.parent().is_some_and(|pair| name.end_byte() <= pair.end_byte());
        let part = Some(part).filter(|_| is_around)?;
        let is_name = nodes[..at - 1].last().is_some_and(|(_, node)| node.id() == part.1.id());
        Some(part).filter(|_| !is_name)
    };
    own.or_else(before).map(|(_, part)| *part)
}

/// The captured nodes that are names in use. Most definitions have none of them.
pub(super) fn used_in(nodes: &[(Capture, Node<'_>)]) -> FxHashSet<usize> {
    let used = nodes
        .iter()
        .filter(|(capture, _)| matches!(capture, Capture::Reference(_) | Capture::Key));
    used.map(|(_, node)| node.id()).collect()
}

/// What a value is if a condition in it does not hold: `b` in `x ? a : b`.
pub(super) fn other_branch(value: Node<'_>) -> Option<Node<'_>> {
    let mut value = value;
    while matches!(value.kind(), "parenthesized_expression" | "parenthesized_statements") {
        value = value.named_child(0)?;
    }
    match value.kind() {
        "ternary_expression" | "conditional" => value.child_by_field_name("alternative"),
        // Python's has no names for its parts.
        "conditional_expression" => value
            .child_by_field_name("alternative")
            .or_else(|| value.named_child(2)),
        _ => None,
    }
}

/// Whether it is said of a type, and not where that is declared, what it must be.
fn is_bounded(local: Node<'_>) -> bool {
    let is_predicate = |parent: Node<'_>| parent.kind() == "where_predicate";
    local.kind() == "type_identifier" && local.parent().is_some_and(is_predicate)
}

/// Whether a name that is given a value at two places, one behind the other, may have either afterwards: the later one is in a
/// block that the earlier one is not in.
fn may_both_hold(earlier: Node<'_>, later: Node<'_>) -> bool {
    let mut outer = std::iter::successors(later.parent(), |node| node.parent()).take(8);
    let block = outer.find(|node| {
        let kind = node.kind();
        let is_branch = matches!(kind, "then" | "else" | "when" | "body_statement");
        is_branch || kind.ends_with("block") || kind.ends_with("compound_statement")
    });
    block.is_some_and(|block| {
        // The body of a function comes behind its parameters whatever happens.
        let of = block.parent().map_or(0, |of| of.start_byte());
        earlier.start_byte() < block.start_byte() && earlier.start_byte() < of
    })
}
