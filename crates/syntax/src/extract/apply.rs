//! What the captures of a match do, in the order in which they depend on each other.

use std::ops::Range;

use rustc_hash::FxHashSet;
use source::Span;

use super::{
    Before, Embedded, Frame, Marked, Passage, Subject, Value, Walk, Wrapper, bind::other_branch, bind::used_in,
    names::first_value, parse::between, span_of,
};
use crate::{
    facts::{Qualifier, Role, Step, SymbolKind, TypeSource},
    lang::{Foreign, Syntax},
    query::{Capture, Says},
    tree::Node,
};

/// A node that a pattern matched, what the pattern captured, and what was said of the node before the walk got there.
#[derive(Clone, Copy)]
pub(super) struct Matched<'n, 'c> {
    pub syntax: &'static Syntax,
    pub node: Node<'n>,
    pub span: Span,
    pub depth: u32,
    pub marked: Option<Marked>,
    pub is_wanted: bool,
    pub is_flat: bool,
    pub nodes: &'c [(Capture, Node<'n>)],
    pub says: Says,
}

impl<'n, 'c> Matched<'n, 'c> {
    pub fn one(&self, wanted: Capture) -> Option<Node<'n>> {
        self.all(wanted).next()
    }

    pub fn all(&self, wanted: Capture) -> impl Iterator<Item = Node<'n>> + use<'n, 'c> {
        let nodes = self.nodes.iter().filter(move |(capture, _)| *capture == wanted);
        nodes.map(|(_, node)| *node)
    }

    pub fn has(&self, is_wanted: impl Fn(&Capture) -> bool) -> bool {
        self.nodes.iter().any(|(capture, _)| is_wanted(capture))
    }

    /// What is captured of the node itself.
    fn own(&self) -> impl Iterator<Item = Capture> + use<'n, 'c> {
        let nodes = if self.says.about_root { self.nodes } else { &[] };
        let id = self.node.id();
        let own = nodes.iter().filter(move |(_, captured)| captured.id() == id);
        own.map(|(capture, _)| *capture)
    }
}

impl<'t> Walk<'t> {
    /// Deals with a match; whether to look inside of its node.
    pub(super) fn apply<'n>(&mut self, matched: &Matched<'n, '_>, passage: &mut Passage<'n>) -> bool
    where
        't: 'n,
    {
        let says = matched.says;
        let mut frame = Frame::new(matched.depth, matched.span);
        let (definition, mut inside) = self.apply_own(matched, &mut frame, passage);
        if says.keys {
            self.mark_keys(matched, passage);
        }
        if let Some(kind) = definition {
            self.define(kind, matched, &mut frame, passage);
        }
        if says.marks {
            mark_others(matched, passage);
        }
        let main = if says.references {
            self.mark_references(matched, &mut frame, passage)
        } else {
            None
        };
        self.value_of_match(matched, main, passage);
        self.finish_frame(matched, frame, passage);
        // A name may be made of another: `~Type`.
        if matches!(matched.marked, Some(Marked::Declared)) && main.is_none() {
            inside = false;
        }
        if says.locals {
            self.bind_locals(matched, definition.is_some(), passage);
        }
        if says.returns {
            self.give_back(matched, passage);
        }
        inside
    }

    /// What the pattern says of the node itself: the kind of definition that it is, and whether to look inside.
    fn apply_own<'n>(
        &mut self,
        matched: &Matched<'n, '_>,
        frame: &mut Frame,
        passage: &mut Passage<'n>,
    ) -> (Option<SymbolKind>, bool)
    where
        't: 'n,
    {
        let Matched {
            syntax,
            node,
            span,
            depth,
            ..
        } = *matched;
        let mut definition = None;
        let mut inside = true;
        for capture in matched.own() {
            match capture {
                Capture::Definition(kind) => definition = Some(kind),
                Capture::Scope => frame.is_scope = true,
                Capture::Wrapper | Capture::Export => wrap(span, depth, capture == Capture::Export, passage),
                Capture::Comment => {
                    self.comment(node, span, passage);
                    inside = false;
                }
                Capture::Attribute => self.attribute(matched, passage),
                Capture::Branch if matched.is_flat => self.decision(Capture::Case, passage),
                Capture::Branch | Capture::Switch | Capture::Nest => {
                    frame.nests = true;
                    self.decision(capture, passage);
                }
                Capture::Case | Capture::Else | Capture::Elif => self.decision(capture, passage),
                Capture::Logical => self.logical(node, span, passage),
                Capture::Import => {
                    passage.import_until = span.end;
                    match syntax.hooks.imports {
                        Some(imports) => imports(node, self),
                        None => self.plain_import(matched.nodes, span),
                    }
                }
                Capture::Offer => (syntax.hooks.exports)(node, self),
                // The function that a definition gives its name to is that definition.
                Capture::Closure => {
                    let around = passage.frames.last();
                    let is_named = around.is_some_and(|outer| outer.symbol.is_some() && outer.depth + 1 == depth);
                    frame.is_closure = !is_named;
                }
                Capture::Skip => inside = false,
                Capture::Tokens if inside => self.mark_tokens(matched, passage),
                Capture::Text => {
                    let around = passage.frames.iter().rev().find_map(|frame| frame.symbol);
                    let whole = self.words(span, around);
                    if let (true, Some(whole)) = (matched.is_wanted, whole) {
                        self.values.insert(node.id(), Value::Known(Qualifier::Value(whole)));
                    }
                }
                // Braces hold more of the same, which is all there is to it.
                Capture::Embed => inside &= !self.embed(syntax, node, span, passage),
                Capture::This | Capture::Super | Capture::Literal if matched.is_wanted => {
                    let on = match capture {
                        Capture::This => Qualifier::This,
                        Capture::Super => Qualifier::Super,
                        _ => Qualifier::Literal,
                    };
                    self.values.insert(node.id(), Value::Known(on));
                }
                _ => {}
            }
        }
        (definition, inside)
    }

    /// Belongs to the definition that it stands before. One that stands inside its definition is part of that one's signature.
    fn attribute<'n>(&mut self, matched: &Matched<'n, '_>, passage: &mut Passage<'n>) {
        let span = matched.span;
        let around = passage.frames.iter().rev().find_map(|frame| frame.symbol);
        let is_inside = around.is_some_and(|at| {
            let signature = self.symbols[at].signature;
            signature.start <= span.start && span.start < signature.end
        });
        if !is_inside {
            let doc = matched.one(Capture::Doc).map(span_of);
            self.lead(matched.node, span, doc, passage);
        }
    }

    /// The uses among tokens that the grammar does not take apart.
    fn mark_tokens<'n>(&mut self, matched: &Matched<'n, '_>, passage: &mut Passage<'n>) {
        let Matched { syntax, node, .. } = *matched;
        (syntax.hooks.tokens)(node, &mut |name, role, receiver, qualifier| {
            let on = match (receiver, qualifier) {
                (Some(receiver), _) => {
                    passage.mark(receiver, Marked::Wanted);
                    Before::Receiver(receiver.id())
                }
                (None, Some(path)) => self.path_before(syntax, path),
                (None, None) => Before::Nothing,
            };
            let arguments = None;
            passage.mark(name, Marked::Reference { role, on, arguments });
        });
        // A list of values counts as its first one.
        if matched.is_wanted
            && let Some(first) = first_value(node)
        {
            passage.mark(first, Marked::Wanted);
            self.values.insert(node.id(), Value::Same(first.id()));
        }
    }

    fn path_before(&self, syntax: &'static Syntax, qualifier: Node<'_>) -> Before {
        let path = (syntax.hooks.path)(qualifier, self.text);
        Before::Path(Span {
            start: path.start as u32,
            end: path.end as u32,
        })
    }

    /// Notes a text in another language; whether it is in brackets that hold nothing else.
    fn embed<'n>(&mut self, syntax: &'static Syntax, node: Node<'n>, span: Span, passage: &mut Passage<'n>) -> bool {
        let lang = (syntax.hooks.embedded)(node, self.text);
        let Some(inner) = lang.and_then(|lang| lang.syntax) else {
            return false;
        };
        let in_braces = node.child(0).is_some_and(|first| matches!(first.kind(), "{" | "("));
        let around = passage.frames.iter().rev().find_map(|frame| frame.symbol);
        self.embedded.push(Embedded {
            range: if in_braces { between(node.range()) } else { node.range() },
            syntax: inner.for_text(&self.text[span.range()]),
            parent: around.filter(|_| in_braces),
        });
        let foreign = (syntax.hooks.foreign)(node, self.text);
        let is_whole = foreign.is_empty();
        if !is_whole {
            self.skip_all_but(node, &foreign, passage);
        }
        self.replaced.extend(foreign.into_iter().flat_map(|one| one.replaced));
        in_braces && is_whole
    }

    /// What is of the embedded language is told there.
    fn skip_all_but<'n>(&mut self, node: Node<'n>, foreign: &[Foreign<'n>], passage: &mut Passage<'n>) {
        for child in node.children() {
            let Some(foreign) = foreign.iter().find(|one| one.list.id() == child.id()) else {
                passage.mark(child, Marked::Skipped);
                continue;
            };
            for token in child.children() {
                let is_inside = |range: &Range<usize>| range.contains(&token.start_byte());
                if !foreign.expressions.iter().any(is_inside) {
                    passage.mark(token, Marked::Skipped);
                }
            }
        }
    }

    /// What a pattern takes out of a value is named as a member of it.
    fn mark_keys<'n>(&mut self, matched: &Matched<'n, '_>, passage: &mut Passage<'n>) {
        if let Some(whole) = matched.one(Capture::Value) {
            passage.mark(whole, Marked::Wanted);
            // What a case names may be a constant of any kind.
            let is_case = matched.has(|capture| *capture == Capture::Switch);
            let (role, arguments) = (if is_case { Role::Variable } else { Role::Member }, None);
            for part in matched.all(Capture::Key) {
                let on = Before::Later(whole.id());
                passage.mark(part, Marked::Reference { role, on, arguments });
                if matches!(Step::of_token(part.kind()), Some(Step::List | Step::Map)) {
                    self.also_listed(matched.node, whole, part, passage);
                }
            }
        }
        // What is taken out of a parameter is of the type that is written for it, or that the function is handed:
        // `({ name }: { name: string }) => name`, `all.map(({ name }) => name)`.
        let handed = matched
            .one(Capture::Handed)
            .and_then(|pattern| self.callback_parameter(pattern));
        let written = || {
            matched
                .one(Capture::Whole)
                .filter(|whole| whole.id() != matched.node.id())
        };
        let written = || written().map(|written| Before::Path(span_of(written)));
        if let Some(on) = handed.map(Before::Context).or_else(written) {
            let (role, arguments) = (Role::Member, None);
            for part in matched.all(Capture::Key) {
                passage.mark(part, Marked::Reference { role, on, arguments });
                passage.mark(part, Marked::Wanted);
            }
        }
    }

    /// The names that the match uses; the last of them.
    fn mark_references<'n>(
        &mut self,
        matched: &Matched<'n, '_>,
        frame: &mut Frame,
        passage: &mut Passage<'n>,
    ) -> Option<Node<'n>>
    where
        't: 'n,
    {
        // What stands before a name comes before it in the pattern too.
        let mut on = Before::Nothing;
        let mut main = None;
        let mut is_used = false;
        for (capture, captured) in matched.nodes {
            match *capture {
                Capture::Receiver => {
                    passage.mark(*captured, Marked::Wanted);
                    on = Before::Receiver(captured.id());
                }
                Capture::Qualifier => on = self.path_before(matched.syntax, *captured),
                Capture::Reference(role) if captured.id() == matched.node.id() => {
                    is_used |= self.refer_to_own(matched, role, is_used, passage);
                }
                Capture::Reference(role) => {
                    let on = std::mem::replace(&mut on, Before::Nothing);
                    if let Some(role) = self.mark_reference(matched, *captured, role, on, passage) {
                        main = Some(*captured);
                        if role == Role::Call && matched.syntax.compiled().rules.passes {
                            frame.call = Some(captured.start_byte() as u32);
                        }
                    }
                }
                Capture::Quoted if !matches!(matched.marked, Some(Marked::Declared)) => {
                    if let Some(named) = self.quoted(span_of(*captured)) {
                        self.values.insert(captured.id(), Value::Known(Qualifier::Value(named)));
                    }
                }
                _ => {}
            }
        }
        if let Some((call, mapped)) = main.zip(matched.one(Capture::Mapped)) {
            passage.mark(mapped, Marked::Wanted);
            self.list_others.push((call.start_byte() as u32, mapped.id()));
        }
        main
    }

    /// The node is a name itself; whether this is the first use that it is.
    fn refer_to_own(&mut self, matched: &Matched<'_, '_>, role: Role, is_used: bool, passage: &Passage<'_>) -> bool {
        let Matched {
            node, span, is_wanted, ..
        } = *matched;
        match matched.marked {
            Some(Marked::Declared) => {}
            Some(Marked::Reference { role, on, arguments }) => {
                self.refer(node, span, (role, on, arguments), is_wanted);
            }
            _ if span.start < passage.import_until => {
                self.refer(node, span, (Role::Import, Before::Nothing, None), is_wanted);
            }
            // Beside a variable of the same name, which is what it is given.
            _ if role == Role::Member && is_used => {
                let on = passage.named_in();
                if !matches!(on, Before::Nothing) {
                    self.refer(node, span, (role, on, None), false);
                }
            }
            _ => {
                self.refer(node, span, (role, Before::Nothing, None), is_wanted);
                return true;
            }
        }
        false
    }

    /// Marks a name in the match as a reference of the role that this returns; not one that is defined there and is a
    /// member of nothing that is known.
    fn mark_reference<'n>(
        &mut self,
        matched: &Matched<'n, '_>,
        name: Node<'n>,
        role: Role,
        mut on: Before,
        passage: &mut Passage<'n>,
    ) -> Option<Role>
    where
        't: 'n,
    {
        let is_import = matched.span.start < passage.import_until && role != Role::Implementation;
        let role = if is_import { Role::Import } else { role };
        // It may stand behind a name that is alone.
        if matched.says.is_late && matches!(on, Before::Nothing) {
            let behind = |what| matched.one(what).filter(|other| other.start_byte() > name.start_byte());
            on = match (behind(Capture::Receiver), behind(Capture::Qualifier)) {
                (Some(receiver), _) => Before::Later(receiver.id()),
                (None, Some(mark)) => Before::Path(span_of(mark)),
                (None, None) => on,
            };
        }
        if role == Role::Member && matches!(on, Before::Nothing) {
            on = passage.named_in();
        }
        if let (Before::Nothing, Some(implied)) = (&on, matched.one(Capture::Implied)) {
            on = self.held_against(implied);
        }
        // A function in an object is also a member of the object's type, if that has one.
        let is_defined = |at: usize| self.symbols.iter().rev().take(8).any(|one| one.name_at == at as u32);
        if role == Role::Member
            && matches!(on, Before::Nothing)
            && matched.all(Capture::Name).any(|defined| defined.id() == name.id())
            && is_defined(name.start_byte())
        {
            passage.mark(name, Marked::Declared);
            return None;
        }
        let declares = matched.has(|capture| *capture == Capture::Definition(SymbolKind::Variable));
        let arguments = match role {
            Role::Call if !declares => self.arguments(name, matched.nodes, passage),
            Role::Implementation | Role::Member => self.arguments(name, matched.nodes, passage),
            // The type of a variable that is made by a constructor. What could be one is a function elsewhere.
            Role::Type if declares => {
                let list = matched.one(Capture::Arguments).map(|list| list.kind());
                let is_here = !self.text[matched.span.range()].starts_with("extern ");
                let is_made = is_here && (list != Some("parameter_list") || self.is_local(passage.frames.iter().rev()));
                is_made.then(|| self.arguments(name, matched.nodes, passage)).flatten()
            }
            _ => None,
        };
        passage.mark(name, Marked::Reference { role, on, arguments });
        Some(role)
    }

    /// The value of the node is that of its last name.
    fn value_of_match<'n>(&mut self, matched: &Matched<'n, '_>, main: Option<Node<'n>>, passage: &mut Passage<'n>)
    where
        't: 'n,
    {
        let Matched {
            node, span, is_wanted, ..
        } = *matched;
        if main.is_none()
            && let Some(Marked::Reference { role, on, arguments }) = matched.marked
            && !matched.has(|capture| matches!(capture, Capture::Reference(_)))
        {
            self.refer(node, span, (role, on, arguments), is_wanted);
        }
        if !is_wanted || matched.has(|capture| matches!(capture, Capture::This | Capture::Super)) {
            return;
        }
        if self.is_cast(matched) {
            return;
        }
        match matched.one(Capture::Through).or(main) {
            Some(same) => {
                passage.mark(same, Marked::Wanted);
                self.values.insert(node.id(), Value::Same(same.id()));
            }
            None if self.operation(node, passage) || self.valued(node, passage) => {}
            None => {
                self.values.entry(node.id()).or_insert(Value::Known(Qualifier::Other));
            }
        }
    }

    /// Whether it has its value of a part that no pattern tells.
    pub(super) fn valued<'n>(&mut self, node: Node<'n>, passage: &mut Passage<'n>) -> bool {
        let Some(part) = (self.hooks.valued)(node) else {
            return false;
        };
        passage.mark(part, Marked::Wanted);
        self.values.insert(node.id(), Value::Same(part.id()));
        true
    }

    /// Keeps what the node says of what is inside of it.
    fn finish_frame<'n>(&mut self, matched: &Matched<'n, '_>, mut frame: Frame, passage: &mut Passage<'n>) {
        if let Some(subject) = matched.one(Capture::Subject) {
            passage.mark(subject, Marked::Wanted);
            let is_tuple = matched.syntax.hooks.has_tuples && subject.kind() == "tuple_expression";
            if is_tuple {
                let parts = subject.named_children();
                parts.for_each(|part| passage.mark(part, Marked::Wanted));
            }
            frame.subject = Some(Subject::Value {
                node: subject.id(),
                span: span_of(subject),
                is_tuple,
                is_local: matched.nodes.iter().any(|(capture, node)| {
                    matches!(capture, Capture::Local | Capture::Narrowed) && node.id() == subject.id()
                }),
            });
        } else if matched.says.about_root && matched.has(|capture| *capture == Capture::Passed) {
            frame.subject = Some(Subject::Passed(self.call_around(passage)));
        }
        frame.whole = matched
            .one(Capture::Whole)
            .map(|whole| match whole.id() == matched.node.id() {
                true => self.held_against(matched.node),
                false => Before::Path(span_of(whole)),
            });
        if frame.says() {
            passage.frames.push(frame);
        }
    }

    /// What the function around gives back.
    fn give_back<'n>(&mut self, matched: &Matched<'n, '_>, passage: &mut Passage<'n>) {
        let function = self.returning(passage);
        let Some(function) = function.filter(|function| self.symbols[*function].ty.is_none()) else {
            return;
        };
        for returned in matched.all(Capture::Return) {
            // What a method gives back is what it is asked of.
            let own = self.name_text(span_of(returned));
            if let Some(own) = own.filter(|own| matches!(*own, "self" | "this")) {
                self.symbols[function.as_usize()].ty = Some(TypeSource::Expr(self.intern(own)));
                break;
            }
            for value in [Some(returned), other_branch(returned)].into_iter().flatten() {
                passage.mark(value, Marked::Wanted);
                self.symbol_values.push((function.as_usize(), value.id()));
            }
        }
    }
}

/// What is around a definition and is part of it.
fn wrap(span: Span, depth: u32, exports: bool, passage: &mut Passage<'_>) {
    let outer = passage.wrapper_of(span, depth).filter(|outer| !outer.used);
    let start = outer.map_or(span.start, |outer| outer.start);
    passage.wrapper = Some(Wrapper {
        depth,
        start,
        end: span.end,
        lead: outer.map_or_else(|| passage.lead, |outer| outer.lead),
        exports: exports || outer.is_some_and(|outer| outer.exports),
        used: false,
    });
}

/// What the match says of other nodes than its own.
fn mark_others<'n>(matched: &Matched<'n, '_>, passage: &mut Passage<'n>) {
    let ignores = matched.has(|capture| *capture == Capture::Ignore);
    let used = if ignores {
        used_in(matched.nodes)
    } else {
        FxHashSet::default()
    };
    for (capture, captured) in matched.nodes {
        match capture {
            Capture::Flat => passage.mark(*captured, Marked::Flat),
            Capture::Skip if captured.id() != matched.node.id() => passage.mark(*captured, Marked::Skipped),
            Capture::Inner => passage.inner_until = passage.inner_until.max(captured.end_byte() as u32),
            // The others of several: `method: (a)* @ignore method: (a) @reference.call`.
            Capture::Ignore if used.contains(&captured.id()) => {}
            Capture::Ignore => passage.mark(*captured, Marked::Declared),
            Capture::Definition(kind) if captured.id() != matched.node.id() => {
                passage.mark(*captured, Marked::Define(*kind));
            }
            _ => {}
        }
    }
}
