//! Definitions: their names, parents, spans and signatures.

use rustc_hash::FxHashSet;
use source::Span;
use tree_sitter::Node;

use super::{Frame, Lead, Marked, Passage, Walk, bind::key_of, bind::other_branch, bind::used_in, span_of};
use crate::{
    facts::{Complexity, LocalKind, NameId, SHAPE, STATIC, Symbol, SymbolKind, UNNAMED},
    lang::{Definition, Syntax},
    query::Capture,
};

/// Further back no member of something is looked for.
const MAX_MEMBERS: usize = 1024;

/// Words before a member's name that are looked at.
const MAX_MODIFIERS: usize = 6;

impl<'t> Walk<'t> {
    #[expect(clippy::too_many_arguments, reason = "the state of one visit")]
    pub(super) fn define<'n>(
        &mut self,
        syntax: &'static Syntax,
        kind: SymbolKind,
        node: Node<'n>,
        span: Span,
        depth: u32,
        nodes: &[(Capture, Node<'n>)],
        frame: &mut Frame,
        passage: &mut Passage<'n>,
    ) where
        't: 'n,
    {
        let one = |wanted: Capture| {
            nodes
                .iter()
                .find(|(capture, _)| *capture == wanted)
                .map(|(_, node)| *node)
        };
        let many = |wanted: Capture| {
            nodes
                .iter()
                .filter(move |(capture, _)| *capture == wanted)
                .map(|(_, node)| *node)
        };
        let mut owner = one(Capture::Owner);
        let mut named: Vec<Node<'n>> = many(Capture::Name).collect();
        for declarator in many(Capture::Declarator) {
            let Some(declared) = (syntax.hooks.declared)(declarator) else {
                continue;
            };
            owner = owner.or(declared.owner);
            named.push(declared.name);
        }
        // `a = b = value`: what is given a value first is not inside of the other.
        let last = passage.frames.last().and_then(|frame| frame.symbol);
        let is_chained = node.kind() == "assignment"
            && last.is_some_and(|at| {
                matches!(
                    self.symbols[at as usize].kind,
                    SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field
                )
            })
            && node.parent().is_some_and(|outer| outer.kind() == "assignment");
        let frames = || passage.frames.iter().rev().skip(usize::from(is_chained));
        let around = frames().find_map(|frame| frame.symbol);
        let values: Vec<Node<'n>> = many(Capture::Value).chain(many(Capture::Element)).collect();
        let has_elements = one(Capture::Element).is_some();
        let ty = one(Capture::Type).map(|ty| self.type_of(ty));
        let ty = ty.or_else(|| self.type_by_values(has_elements, &values));
        let has_keys = nodes.iter().any(|(capture, _)| *capture == Capture::Key);
        let value_for = |at: usize| {
            if has_keys {
                key_of(named[at], nodes)
            } else if has_elements {
                values.first().copied()
            } else if at == 0 || values.len() > 1 {
                values.get(at).copied()
            } else {
                None
            }
        };
        // What a function or a block keeps for itself is no symbol.
        let nearest = frames().find(|frame| frame.is_scope || frame.symbol.is_some());
        let runs = |symbol: u32| self.symbols[symbol as usize].runs();
        let is_local = nearest.is_some_and(|frame| frame.is_scope && frame.symbol.is_none_or(runs));
        if matches!(kind, SymbolKind::Variable | SymbolKind::Constant) && is_local {
            if let Some(wrapper) = &mut passage.wrapper {
                wrapper.used = true;
            }
            // `extern int count;` in a function is none of its own.
            let written = self.text.get(span.range()).unwrap_or_default();
            if written.starts_with("extern ") {
                named.iter().for_each(|name| passage.mark(*name, Marked::Declared));
                return;
            }
            let kind = self.local_kind(node, nodes);
            for (at, name) in named.iter().enumerate() {
                let first = self.bindings.len();
                let marked = ty.zip(one(Capture::Type));
                let marked = marked.map(|(ty, written)| self.marked_type(ty, written, Some(*name), at == 0));
                self.bind(*name, marked.or(ty), value_for(at), kind, passage);
                if let (Some(binding), Some(written)) = (self.bindings.get_mut(first), one(Capture::Type)) {
                    let written = written.end_byte() as u32;
                    binding.scope.start = binding.scope.start.max(written).min(binding.scope.end);
                }
            }
            return;
        }
        let mut maker = None;
        let parent = match kind {
            SymbolKind::Field => {
                let inner = around;
                let mut around = around;
                while let Some(at) = around
                    && self.symbols[at as usize].runs()
                {
                    around = self.symbols[at as usize].parent;
                }
                if syntax.hooks.has_prototypes {
                    let is_free = around.is_none() && passage.frames.is_empty();
                    let given = owner.and_then(|owner| self.name_text(span_of(owner)));
                    let given = given.map(|owner| self.intern(owner));
                    maker = match given {
                        // What is given to what others define is a use of it.
                        Some(owner) if !is_free || !self.is_defined(owner) => return,
                        Some(owner) => Some(owner),
                        None if around.is_none() => self.maker_around(inner),
                        None => None,
                    };
                }
                let known = maker.zip(named.first()).and_then(|(maker, name)| {
                    let name = self.name_text(span_of(*name))?;
                    self.known_member(maker, name)
                });
                if let Some(known) = known {
                    if let Some(value) = value_for(0) {
                        passage.mark(value, Marked::Wanted);
                        self.symbol_values.push((known, value.id()));
                    }
                    return;
                }
                if maker.is_some() {
                    around = inner;
                } else if around.is_none() && !passage.frames.is_empty() {
                    // A member of something that has no type here; where it is declared it is no use of another, unless it
                    // is named after its type.
                    if node.kind() == "field_declaration" {
                        let used = used_in(nodes);
                        for name in &named {
                            let span = span_of(*name);
                            if let (Some(ty), Some(name)) = (ty, self.name_text(span)) {
                                let name = self.intern_made(&format!("{UNNAMED}{name}"));
                                self.said_of(name, span, ty);
                            }
                            if !used.contains(&name.id()) {
                                passage.mark(*name, Marked::Declared);
                            }
                        }
                    }
                    return;
                }
                if let [name] = named[..]
                    && let Some(name) = self.name_text(span_of(name))
                    && let Some(known) = self.known_field(around, name, node)
                {
                    // It may have been declared without saying what it is, or have begun as nothing.
                    self.symbols[known].ty = self.symbols[known].ty.or(ty);
                    if let Some(value) = value_for(0) {
                        passage.mark(value, Marked::Wanted);
                        self.symbol_values.push((known, value.id()));
                    }
                    return;
                }
                around
            }
            // A function that a constructor gives to `this` is the class's.
            SymbolKind::Method if node.kind() == "assignment_expression" => {
                let mut outer = std::iter::successors(around, |at| self.symbols[*at as usize].parent);
                let class = outer.find(|at| !self.symbols[*at as usize].runs());
                class
                    .filter(|at| self.symbols[*at as usize].kind.has_members())
                    .or(around)
            }
            // The preprocessor knows no scopes.
            SymbolKind::Macro if node.kind().starts_with("preproc_") => None,
            _ => around,
        };
        let parent_kind = parent.map(|at| self.symbols[at as usize].kind);
        let in_type = parent_kind.is_some_and(|kind| kind.has_members()) || owner.is_some();
        let kind = match kind {
            SymbolKind::Function if in_type => SymbolKind::Method,
            SymbolKind::Variable if in_type => SymbolKind::Field,
            kind => kind,
        };
        let row = node.start_position().row;
        let wrapper = passage.wrapper_of(span, depth);
        let is_first = wrapper.is_some_and(|wrapper| !wrapper.used);
        let (start, lead) = match wrapper {
            Some(wrapper) if is_first => (wrapper.start, wrapper.lead),
            _ => (span.start, passage.lead),
        };
        if let Some(wrapper) = &mut passage.wrapper {
            wrapper.used |= is_first;
        }
        let first_row = if start == span.start {
            row
        } else {
            self.lines.line(start) as usize - 1
        };
        let lead = Some(lead).filter(|lead| {
            lead.start < start
                && lead
                    .last_row
                    .is_some_and(|last| last + 1 >= first_row && last <= first_row)
        });
        let lead_start = lead.map_or(start, |lead| lead.start);
        if lead.is_some() {
            passage.lead = Lead::default();
        }
        let doc = one(Capture::Doc).map(span_of).or(lead.and_then(|lead| lead.doc));
        if depth <= passage.big_depth + 1 || wrapper.is_some() {
            self.definition_cut(lead_start, depth);
        }
        let body = one(Capture::Body);
        let name_end = named.last().map_or(span.start, |name| span_of(*name).end);
        let signature_end = body.map_or_else(
            || self.first_line_end(span, name_end, kind.is_function()),
            |body| self.head_end(name_end, body.start_byte() as u32),
        );
        // A description may stand before everything else in a definition.
        let head_start = doc.filter(|doc| doc.start == start).map_or(start, |doc| doc.end);
        let name_start = named.first().map_or(span.start, |name| name.start_byte() as u32);
        let signature_start = self.behind_attributes(head_start, name_start);
        let signature = Span {
            start: signature_start,
            end: signature_end.max(signature_start),
        };
        let used = used_in(nodes);
        let mut earlier = FxHashSet::default();
        self.whole_until = self.whole_until.max(signature.end);
        for (at, name_node) in named.iter().enumerate() {
            let name_span = span_of(*name_node);
            let Some(name) = self.name_text(name_span) else {
                continue;
            };
            if named.len() > 1 && !earlier.insert(name) {
                passage.mark(*name_node, Marked::Declared);
                continue;
            }
            if kind == SymbolKind::Field
                && let Some(known) = self.known_field(parent, name, node)
            {
                // It may have begun as nothing.
                self.symbols[known].ty = self.symbols[known].ty.or(ty);
                if let Some(value) = value_for(at) {
                    passage.mark(value, Marked::Wanted);
                    self.symbol_values.push((known, value.id()));
                }
                continue;
            }
            let definition = Definition {
                node,
                name,
                kind,
                parent: parent_kind,
                parent_head: parent.map_or("", |at| &self.text[self.symbols[at as usize].signature.range()]),
                is_exported: wrapper.is_some_and(|wrapper| wrapper.exports),
                lead: &self.text[lead_start as usize..start as usize],
                head: &self.text[head_start as usize..signature.end as usize],
                name_in_head: (name_span.start.clamp(head_start, signature.end) - head_start) as usize,
                text: self.text,
            };
            if !(syntax.hooks.is_definition)(&definition) {
                continue;
            }
            let visibility = (syntax.hooks.visibility)(&definition);
            let is_test = (syntax.hooks.is_test)(&definition);
            let runs = kind.is_function();
            let kind = (syntax.hooks.kind)(&definition);
            // An `impl` speaks of a type that is defined elsewhere, and a name may be defined by being used.
            if kind != SymbolKind::Impl && !used.contains(&name_node.id()) {
                passage.mark(*name_node, Marked::Declared);
            }
            let name = self.intern(name);
            let owner = owner.and_then(|owner| match (syntax.hooks.owner)(owner, self.text) {
                Some(whole) => Some(self.intern_made(&whole)),
                None => self.name_text(span_of(owner)).map(|owner| self.intern(owner)),
            });
            let owner = owner.or(maker);
            if syntax.hooks.has_clauses
                && let Some(first) = self.clause_of(name, kind, parent)
            {
                let clause = &mut self.symbols[first as usize];
                clause.span.end = span.end;
                clause.is_declaration &= body.is_none();
                frame.symbol = Some(first);
                frame.is_scope |= runs;
                continue;
            }
            let index = self.symbols.len();
            let value = value_for(at);
            let marked = ty.zip(one(Capture::Type));
            let marked = marked.map(|(ty, written)| self.marked_type(ty, written, Some(*name_node), at == 0));
            let mut ty = marked.or(ty);
            if let Some(said) = doc.and_then(|doc| self.documented(doc, None, ty)) {
                ty = Some(said);
            }
            if runs && self.hooks.has_bare_calls && value.is_none() {
                // What a body ends with is what it gives.
                let last = body.and_then(|body| body.named_child(body.named_child_count().checked_sub(1)? as u32));
                if last.is_some_and(|last| last.kind() == "self") {
                    ty = last
                        .and_then(|last| self.name_text(span_of(last)))
                        .map(|own| self.intern(own));
                } else if let Some(last) = last {
                    passage.mark(last, Marked::Wanted);
                    self.symbol_values.push((index, last.id()));
                }
            }
            for value in value.into_iter().chain(value.and_then(other_branch)) {
                passage.mark(value, Marked::Wanted);
                self.symbol_values.push((index, value.id()));
            }
            self.symbols.push(Symbol {
                name,
                kind,
                visibility,
                parent,
                owner,
                name_at: name_span.start,
                span: Span {
                    start,
                    end: (syntax.hooks.extent)(node, self.text).map_or(span.end, |end| end as u32),
                },
                lead: lead_start,
                doc,
                signature,
                ty,
                value: None,
                is_test,
                is_declaration: (runs || kind.is_function()) && body.is_none() && value.is_none(),
                complexity: Complexity {
                    cyclomatic: u32::from(runs),
                    cognitive: 0,
                },
            });
            let shape = match kind {
                _ if kind.is_function() && syntax.hooks.labelled.is_some() => (syntax.hooks.labels)(node, self.text),
                SymbolKind::Method | SymbolKind::Property => (syntax.hooks.shape)(node, self.text),
                SymbolKind::Field if is_class_field(node) => (syntax.hooks.shape)(node, self.text),
                _ => None,
            };
            if let Some(shape) = shape {
                let (name, shape) = (self.intern_made(SHAPE), self.intern_made(&shape));
                let at = name_span.end;
                self.known_in(name, at, Span { start: at, end: at }, shape);
                if let Some(binding) = self.bindings.last_mut() {
                    // No parameter.
                    binding.kind = LocalKind::Generic;
                }
            }
            if at == 0 {
                frame.symbol = Some(index as u32);
                frame.is_scope |= runs;
            }
        }
    }

    /// The symbol that a further clause of a function belongs to.
    pub(super) fn clause_of(&self, name: NameId, kind: SymbolKind, parent: Option<u32>) -> Option<u32> {
        let first = parent.map_or(0, |parent| parent as usize + 1);
        let siblings = self.symbols.get(first..)?;
        let last = first + siblings.iter().rposition(|symbol| symbol.parent == parent)?;
        let symbol = &self.symbols[last];
        (symbol.name == name && symbol.kind == kind).then_some(last as u32)
    }

    /// The function whose values a function that is inside of it, or added to it, speaks of as `this`; from before there were
    /// classes.
    fn maker_around(&self, inner: Option<u32>) -> Option<NameId> {
        let outer = std::iter::successors(inner, |at| self.symbols[*at as usize].parent);
        let mut outer = outer.map(|at| &self.symbols[at as usize]);
        outer.find_map(|symbol| {
            let makes =
                symbol.kind == SymbolKind::Function && self.names.get(symbol.name).starts_with(char::is_uppercase);
            symbol.owner.or(makes.then_some(symbol.name))
        })
    }

    fn is_defined(&self, name: NameId) -> bool {
        let mut near = self.symbols.iter().rev().take(MAX_MEMBERS);
        near.any(|symbol| symbol.name == name && symbol.owner.is_none())
    }

    /// A field that something has already.
    fn known_member(&self, owner: NameId, name: &str) -> Option<usize> {
        let is_it = |symbol: &Symbol| {
            symbol.kind == SymbolKind::Field && symbol.owner == Some(owner) && self.names.get(symbol.name) == name
        };
        let mut near = self.symbols.iter().enumerate().rev().take(MAX_MEMBERS);
        near.find(|(_, symbol)| is_it(symbol)).map(|(at, _)| at)
    }

    /// `__init__` and other methods set the same field; the first counts.
    /// One of a class itself may stand beside one of its values.
    pub(super) fn known_field(&self, parent: Option<u32>, name: &str, node: Node<'_>) -> Option<usize> {
        let first = parent? as usize + 1;
        let siblings = self.symbols.iter().enumerate().skip(first);
        let mut fields = siblings.filter(|(_, symbol)| symbol.kind == SymbolKind::Field && symbol.parent == parent);
        let is_static = |span: Span| {
            let mut words = self.text[span.range()].split_whitespace().take(MAX_MODIFIERS);
            words.any(|word| word == STATIC)
        };
        let found = fields.find(|(_, field)| {
            self.names.get(field.name) == name
                && (!is_class_field(node) || is_static(field.signature) == is_static(span_of(node)))
        });
        found.map(|(at, _)| at)
    }

    /// The first offset behind the attributes at `start`; what holds the name is none, whatever it looks like.
    pub(super) fn behind_attributes(&self, start: u32, name: u32) -> u32 {
        let mut rest = &self.text[start.min(name) as usize..name as usize];
        while let Some(behind) = self.hooks.attributes.iter().find_map(|open| skip_attribute(rest, open)) {
            rest = behind.trim_start();
        }
        name - rest.len() as u32
    }

    /// Where a definition without a body stops telling what it is.
    pub(super) fn first_line_end(&self, span: Span, name_end: u32, is_function: bool) -> u32 {
        let text = &self.text[name_end.min(span.end) as usize..span.end as usize];
        // Parameters may go on in the next line: `int (count) (int a,`.
        let behind = if is_function {
            text.trim_start_matches([' ', ')'])
        } else {
            text
        };
        let has_parameters = behind.starts_with('(');
        let (mut before, mut depth, mut is_quoted) = (' ', 0, false);
        let is_end = |c: char| {
            let opens = c == '{' && before != '$';
            before = c;
            match c {
                '"' => is_quoted = !is_quoted,
                '(' if has_parameters => depth += 1,
                ')' if depth > 0 => depth -= 1,
                _ => {}
            }
            depth <= 0 && (opens && !is_quoted || c == '\n')
        };
        let end = text.find(is_end).unwrap_or(text.len());
        let most = if has_parameters && is_function { 1000 } else { 200 };
        name_end + text.floor_char_boundary(end.min(most)) as u32
    }

    /// Where the head of a definition ends whose body begins at `body`: before it, and before comments between them.
    fn head_end(&self, name_end: u32, body: u32) -> u32 {
        let head = self.text.get(name_end as usize..body as usize).unwrap_or_default();
        let is_comment = |rest: &str| rest.starts_with('#') && !rest.starts_with("#[");
        let mut depth = 0;
        for (at, c) in head.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                '\n' if depth == 0 && is_comment(head[at..].trim_start()) => return name_end + at as u32,
                _ => {}
            }
        }
        body
    }
}

/// What follows an attribute at the beginning of a text: `@name`, `@name(..)`, `[..]`, `#[..]`.
pub(super) fn skip_attribute<'t>(text: &'t str, open: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(open)?;
    let inner = if open == "@" {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        // `@interface` declares one.
        if name == "interface" {
            return None;
        }
        match behind.strip_prefix('(') {
            Some(arguments) => arguments,
            None => return Some(behind),
        }
    } else {
        rest
    };
    let mut depth = 1;
    for (at, c) in inner.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(inner[at + 1..].trim_start_matches(']'));
        }
    }
    None
}

/// A field that is declared in a class body of ECMAScript.
fn is_class_field(node: Node<'_>) -> bool {
    matches!(node.kind(), "public_field_definition" | "field_definition")
}
