//! Definitions: their names, parents, spans and signatures.

use rustc_hash::FxHashSet;
use source::Span;

use super::{
    Before, Frame, Lead, Marked, Passage, Walk, apply::Matched, bind::key_of, bind::other_branch, bind::used_in,
    span_of,
};
use crate::{
    facts::{Complexity, NameId, Note, Role, STATIC, Shape, Symbol, SymbolIdx, SymbolKind, TypeSource},
    lang::{Definition, Syntax},
    query::Capture,
    tree::Node,
};

/// Further back no member of something is looked for.
const MAX_MEMBERS: usize = 1024;

/// Words before a member's name that are looked at.
const MAX_MODIFIERS: usize = 6;

/// What one node defines: a name, or several of one kind.
struct Defining<'m, 'n> {
    matched: &'m Matched<'n, 'm>,
    kind: SymbolKind,
    names: Vec<Node<'n>>,
    /// What it says that they belong to, if that is not around them.
    owner: Option<Node<'n>>,
    ty: Option<TypeSource>,
    values: Vec<Node<'n>>,
    /// What each is given of a value that is taken apart, and the type of that.
    parts: Vec<Option<(TypeSource, Option<Node<'n>>)>>,
    has_elements: bool,
    has_keys: bool,
}

impl<'n> Defining<'_, 'n> {
    fn value_for(&self, at: usize) -> Option<Node<'n>> {
        if self.has_keys {
            key_of(self.names[at], self.matched.nodes)
        } else if let Some(Some((_, whole))) = self.parts.get(at) {
            *whole
        } else if self.has_elements {
            self.values.first().copied()
        } else if at == 0 || self.values.len() > 1 {
            self.values.get(at).copied()
        } else {
            None
        }
    }
}

/// What definitions are inside of.
#[derive(Clone, Copy)]
struct Belonging {
    parent: Option<SymbolIdx>,
    /// The function whose values they are members of, from before there were classes.
    maker: Option<NameId>,
}

/// What the names that are defined have in common: what they are inside of, and the text before and around them.
struct Head {
    belonging: Belonging,
    start: u32,
    lead_start: u32,
    doc: Option<Span>,
    /// Where a definition begins behind its description.
    head_start: u32,
    signature: Span,
    is_exported: bool,
}

impl<'t> Walk<'t> {
    /// Whether a variable is one that a function or a block keeps for itself, by what is around it from the inside out.
    pub(super) fn is_local<'f>(&self, mut frames: impl Iterator<Item = &'f Frame>) -> bool {
        let nearest = frames.find(|frame| frame.is_scope || frame.symbol.is_some());
        let runs = |symbol: SymbolIdx| self.symbols[symbol].runs();
        nearest.is_some_and(|frame| frame.is_scope && frame.symbol.is_none_or(runs))
    }

    pub(super) fn define<'n>(
        &mut self,
        kind: SymbolKind,
        matched: &Matched<'n, '_>,
        frame: &mut Frame,
        passage: &mut Passage<'n>,
    ) where
        't: 'n,
    {
        let node = matched.node;
        // `a = b = value`: what is given a value first is not inside of the other.
        let last = passage.frames.last().and_then(|frame| frame.symbol);
        let is_chained = node.kind() == "assignment"
            && last.is_some_and(|at| {
                matches!(
                    self.symbols[at].kind,
                    SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field
                )
            })
            && node.parent().is_some_and(|outer| outer.kind() == "assignment");
        let frames = || passage.frames.iter().rev().skip(usize::from(is_chained));
        let around = frames().find_map(|frame| frame.symbol);
        let is_local = self.is_local(frames());
        let defining = self.defining(kind, matched);
        if matches!(kind, SymbolKind::Variable | SymbolKind::Constant) && is_local {
            self.define_locals(&defining, passage);
            return;
        }
        let Some(belonging) = self.belonging(&defining, around, passage) else {
            return;
        };
        let parent_kind = belonging.parent.map(|at| self.symbols[at].kind);
        let in_type = parent_kind.is_some_and(|kind| kind.has_members()) || defining.owner.is_some();
        let kind = match kind {
            SymbolKind::Function if in_type => SymbolKind::Method,
            SymbolKind::Variable if in_type => SymbolKind::Field,
            kind => kind,
        };
        let defining = Defining { kind, ..defining };
        let head = self.head(&defining, belonging, passage);
        self.whole_until = self.whole_until.max(head.signature.end);
        let used = used_in(matched.nodes);
        let mut earlier = FxHashSet::default();
        for (at, name_node) in defining.names.iter().enumerate() {
            let Some(name) = self.name_text(span_of(*name_node)) else {
                continue;
            };
            if defining.names.len() > 1 && !earlier.insert(name) {
                passage.mark(*name_node, again(kind));
                continue;
            }
            if kind == SymbolKind::Field
                && let Some(known) = self.known_field(belonging.parent, name, node)
            {
                if let Some(marked) = self.declared_late(known, *name_node) {
                    passage.mark(*name_node, marked);
                }
                self.know_more(known, defining.ty, defining.value_for(at), passage);
                continue;
            }
            // A name may be defined by being used.
            let is_used = used.contains(&name_node.id());
            if let Some((symbol, is_first)) = self.define_one(&defining, at, is_used, &head, passage)
                && (at == 0 || !is_first)
            {
                frame.symbol = Some(symbol);
                frame.is_scope |= kind.is_function();
            }
        }
    }

    fn defining<'m, 'n>(&mut self, kind: SymbolKind, matched: &'m Matched<'n, '_>) -> Defining<'m, 'n>
    where
        't: 'n,
    {
        let mut owner = matched.one(Capture::Owner);
        let mut names: Vec<Node<'n>> = matched.all(Capture::Name).collect();
        for declarator in matched.all(Capture::Declarator) {
            let Some(declared) = (matched.syntax.hooks.declared)(declarator) else {
                continue;
            };
            owner = owner.or(declared.owner);
            names.push(declared.name);
        }
        let values: Vec<Node<'n>> = matched
            .all(Capture::Value)
            .chain(matched.all(Capture::Element))
            .collect();
        let has_elements = matched.one(Capture::Element).is_some();
        let ty = matched.one(Capture::Type).map(|ty| TypeSource::Expr(self.type_of(ty)));
        let ty = ty.or_else(|| self.type_by_values(has_elements, &values));
        let taken_apart: &[Node<'n>] = if has_elements { &names } else { &[] };
        let parts = taken_apart.iter().map(|name| self.apart(*name)).collect();
        Defining {
            matched,
            kind,
            names,
            owner,
            ty,
            values,
            parts,
            has_elements,
            has_keys: matched.has(|capture| *capture == Capture::Key),
        }
    }

    /// The type of one of several names, which may have marks of its own: `int *a, b;`.
    fn type_at<'n>(&mut self, defining: &Defining<'_, 'n>, at: usize) -> Option<TypeSource>
    where
        't: 'n,
    {
        let ty = defining.ty?;
        if let Some(Some((part, _))) = defining.parts.get(at) {
            return Some(*part);
        }
        let written = defining.matched.one(Capture::Type);
        let marked = written.map(|written| self.marked_type(ty, written, Some(defining.names[at]), at == 0));
        Some(marked.unwrap_or(ty))
    }

    /// Variables of a function or a block.
    fn define_locals<'n>(&mut self, defining: &Defining<'_, 'n>, passage: &mut Passage<'n>)
    where
        't: 'n,
    {
        let Matched {
            node,
            span,
            depth,
            nodes,
            ..
        } = *defining.matched;
        let doc = self.doc_of_locals(node, depth, passage);
        if let Some(wrapper) = &mut passage.wrapper {
            wrapper.used = true;
        }
        // `extern int count;` in a function is none of its own.
        let written = self.text.get(span.range()).unwrap_or_default();
        if written.starts_with("extern ") {
            let names = defining.names.iter();
            names.for_each(|name| passage.mark(*name, Marked::Declared));
            return;
        }
        let kind = self.local_kind(node, nodes);
        let written = defining.matched.one(Capture::Type).map(|ty| ty.end_byte() as u32);
        for (at, name) in defining.names.iter().enumerate() {
            let first = self.bindings.len();
            let ty = self.type_at(defining, at);
            let said = doc.filter(|_| at == 0).and_then(|doc| self.documented(doc, None, ty));
            let ty = said.or(ty);
            self.bind(*name, ty, defining.value_for(at), kind, passage);
            if let (Some(binding), Some(written)) = (self.bindings.get_mut(first), written) {
                binding.scope.start = binding.scope.start.max(written).min(binding.scope.end);
            }
        }
    }

    /// What definitions are inside of; nothing where they are no new ones.
    fn belonging<'n>(
        &mut self,
        defining: &Defining<'_, 'n>,
        around: Option<SymbolIdx>,
        passage: &mut Passage<'n>,
    ) -> Option<Belonging>
    where
        't: 'n,
    {
        let node = defining.matched.node;
        let parent = match defining.kind {
            SymbolKind::Field => return self.belonging_of_field(defining, around, passage),
            // A function that a constructor gives to `this` is the class's.
            SymbolKind::Method if node.kind() == "assignment_expression" => {
                let mut outer = std::iter::successors(around, |at| self.symbols[*at].parent);
                let class = outer.find(|at| !self.symbols[*at].runs());
                class.filter(|at| self.symbols[*at].kind.has_members()).or(around)
            }
            // The preprocessor knows no scopes.
            SymbolKind::Macro if node.kind().starts_with("preproc_") => None,
            _ => around,
        };
        Some(Belonging { parent, maker: None })
    }

    fn belonging_of_field<'n>(
        &mut self,
        defining: &Defining<'_, 'n>,
        inner: Option<SymbolIdx>,
        passage: &mut Passage<'n>,
    ) -> Option<Belonging>
    where
        't: 'n,
    {
        let Matched { syntax, node, .. } = *defining.matched;
        let mut around = inner;
        while let Some(at) = around
            && self.symbols[at].runs()
        {
            around = self.symbols[at].parent;
        }
        let mut maker = None;
        if syntax.hooks.has_prototypes {
            let is_free = around.is_none() && passage.frames.is_empty();
            let given = defining.owner.and_then(|owner| self.name_text(span_of(owner)));
            let given = given.map(|owner| self.intern(owner));
            maker = match given {
                // What is given to what others define is a use of it.
                Some(owner) if !is_free || !self.is_defined(owner) => return None,
                Some(owner) => Some(owner),
                None if around.is_none() => self.maker_around(inner),
                None => None,
            };
        }
        let known = maker.zip(defining.names.first()).and_then(|(maker, name)| {
            let name = self.name_text(span_of(*name))?;
            self.known_member(maker, name)
        });
        if let Some(known) = known {
            self.know_more(known, None, defining.value_for(0), passage);
            return None;
        }
        if maker.is_some() {
            around = inner;
        } else if around.is_none() && !passage.frames.is_empty() {
            if node.kind() == "field_declaration" {
                self.fields_of_unnamed(defining, passage);
            }
            return None;
        }
        if let [name] = defining.names[..]
            && let Some(name) = self.name_text(span_of(name))
            && let Some(known) = self.known_field(around, name, node)
        {
            self.know_more(known, defining.ty, defining.value_for(0), passage);
            return None;
        }
        Some(Belonging { parent: around, maker })
    }

    /// A field may have been declared without saying what it is, or have begun as nothing.
    fn know_more<'n>(
        &mut self,
        field: usize,
        ty: Option<TypeSource>,
        value: Option<Node<'n>>,
        passage: &mut Passage<'n>,
    ) {
        self.symbols[field].ty = self.symbols[field].ty.or(ty);
        if let Some(value) = value {
            passage.mark(value, Marked::Wanted);
            self.symbol_values.push((field, value.id()));
        }
    }

    /// Members of something that has no type here; where one is declared it is no use of another, unless it is named after
    /// its type.
    fn fields_of_unnamed<'n>(&mut self, defining: &Defining<'_, 'n>, passage: &mut Passage<'n>)
    where
        't: 'n,
    {
        let used = used_in(defining.matched.nodes);
        for name in &defining.names {
            let span = span_of(*name);
            if let (Some(TypeSource::Expr(ty)), Some(name)) = (defining.ty, self.name_text(span)) {
                let name = self.intern(name);
                self.note(span.start, Note::UnnamedTypeField { name, ty });
            }
            if !used.contains(&name.id()) {
                passage.mark(*name, Marked::Declared);
            }
        }
    }

    /// Where definitions begin, with what is written before them, and how they are signed.
    fn head(&mut self, defining: &Defining<'_, '_>, belonging: Belonging, passage: &mut Passage<'_>) -> Head {
        let Matched { node, span, depth, .. } = *defining.matched;
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
            node.row()
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
        let doc = defining.matched.one(Capture::Doc).map(span_of);
        let doc = doc.or(lead.and_then(|lead| lead.doc));
        if depth <= passage.big_depth + 1 || wrapper.is_some() {
            self.definition_cut(lead_start, depth);
        }
        let names = &defining.names;
        let name_end = names.last().map_or(span.start, |name| span_of(*name).end);
        let signature_end = match defining.matched.one(Capture::Body) {
            Some(body) => self.head_end(name_end, body.start_byte() as u32),
            None => self.first_line_end(span, name_end, defining.kind.is_function()),
        };
        // A description may stand before everything else in a definition.
        let head_start = doc.filter(|doc| doc.start == start).map_or(start, |doc| doc.end);
        let name_start = names.first().map_or(span.start, |name| name.start_byte() as u32);
        let signature_start = self.behind_attributes(head_start, name_start);
        Head {
            belonging,
            start,
            lead_start,
            doc,
            head_start,
            signature: Span {
                start: signature_start,
                end: signature_end.max(signature_start),
            },
            is_exported: wrapper.is_some_and(|wrapper| wrapper.exports),
        }
    }

    /// The symbol of one name, and whether it is a new one.
    fn define_one<'n>(
        &mut self,
        defining: &Defining<'_, 'n>,
        at: usize,
        is_used: bool,
        head: &Head,
        passage: &mut Passage<'n>,
    ) -> Option<(SymbolIdx, bool)>
    where
        't: 'n,
    {
        let Matched { syntax, node, span, .. } = *defining.matched;
        let Belonging { parent, maker } = head.belonging;
        let name_node = defining.names[at];
        let name_span = span_of(name_node);
        let name = self.name_text(name_span)?;
        let body = defining.matched.one(Capture::Body);
        let runs = defining.kind.is_function();
        let definition = self.definition_of(defining, (name, name_span), head, parent);
        if !(syntax.hooks.is_definition)(&definition) {
            return None;
        }
        let visibility = (syntax.hooks.visibility)(&definition);
        let is_test = (syntax.hooks.is_test)(&definition);
        let kind = (syntax.hooks.kind)(&definition);
        // An `impl` speaks of a type that is defined elsewhere.
        if kind != SymbolKind::Impl && !is_used {
            passage.mark(name_node, Marked::Declared);
        }
        let name = self.intern(name);
        let owner = defining.owner.and_then(|owner| self.name_of_owner(syntax, owner));
        if syntax.hooks.has_clauses
            && let Some(first) = self.clause_of(name, kind, parent)
        {
            let clause = &mut self.symbols[first.as_usize()];
            clause.span.end = span.end;
            clause.is_declaration &= body.is_none();
            self.note(name_span.start, Note::FurtherClause(name));
            return Some((first, false));
        }
        let index = SymbolIdx::new(self.symbols.len());
        let value = defining.value_for(at);
        let ty = self.type_and_value(defining, at, head, passage);
        if let Some(parent) = parent.filter(|_| kind == SymbolKind::Field) {
            self.fields.entry((parent, name)).or_default().push(index);
        }
        self.symbols.push(Symbol {
            name,
            kind,
            visibility,
            parent,
            owner: owner.or(maker),
            name_at: name_span.start,
            span: Span {
                start: head.start,
                end: (syntax.hooks.extent)(node, self.text).map_or(span.end, |end| end as u32),
            },
            lead: head.lead_start,
            doc: head.doc,
            signature: head.signature,
            ty,
            value: None,
            is_test,
            is_declaration: (runs || kind.is_function()) && body.is_none() && value.is_none(),
            complexity: Complexity {
                cyclomatic: u32::from(runs),
                cognitive: 0,
            },
        });
        self.shape(syntax, node, kind, name_span.end);
        Some((index, true))
    }

    /// The type of a definition, as declared, documented or by its last expression; its values are looked at later.
    fn type_and_value<'n>(
        &mut self,
        defining: &Defining<'_, 'n>,
        at: usize,
        head: &Head,
        passage: &mut Passage<'n>,
    ) -> Option<TypeSource>
    where
        't: 'n,
    {
        let index = self.symbols.len();
        let body = defining.matched.one(Capture::Body);
        let runs = defining.kind.is_function();
        let value = defining.value_for(at);
        let mut ty = self.type_at(defining, at);
        if let Some(said) = head.doc.and_then(|doc| self.documented(doc, None, ty)) {
            ty = Some(said);
        }
        // What a body ends with is what it gives.
        let last = match runs && self.hooks.has_bare_calls && value.is_none() {
            true => body.and_then(|body| body.named_children().last()),
            false => None,
        };
        if let Some(last) = last.filter(|last| last.kind() == "self") {
            ty = self
                .name_text(span_of(last))
                .map(|own| TypeSource::Expr(self.intern(own)));
        }
        let last = last.filter(|last| last.kind() != "self");
        for value in [last, value, value.and_then(other_branch)].into_iter().flatten() {
            passage.mark(value, Marked::Wanted);
            self.symbol_values.push((index, value.id()));
        }
        ty
    }

    /// What the language is asked about.
    fn definition_of<'d, 'n>(
        &'d self,
        defining: &Defining<'_, 'n>,
        (name, name_span): (&'d str, Span),
        head: &Head,
        parent: Option<SymbolIdx>,
    ) -> Definition<'d>
    where
        'n: 'd,
    {
        let parent = parent.map(|at| &self.symbols[at]);
        let (head_start, head_end) = (head.head_start, head.signature.end);
        Definition {
            node: defining.matched.node,
            name,
            kind: defining.kind,
            parent: parent.map(|parent| parent.kind),
            parent_head: parent.map_or("", |parent| &self.text[parent.signature.range()]),
            is_exported: head.is_exported,
            lead: &self.text[head.lead_start as usize..head.start as usize],
            head: &self.text[head_start as usize..head_end as usize],
            name_in_head: (name_span.start.clamp(head_start, head_end) - head_start) as usize,
            text: self.text,
        }
    }

    /// The type that a definition says it belongs to.
    fn name_of_owner(&mut self, syntax: &'static Syntax, owner: Node<'_>) -> Option<NameId> {
        match (syntax.hooks.owner)(owner, self.text) {
            Some(whole) => Some(self.intern_made(&whole)),
            None => self.name_text(span_of(owner)).map(|owner| self.intern(owner)),
        }
    }

    /// Keeps what tells a member apart from others of its name, behind its name.
    fn shape(&mut self, syntax: &'static Syntax, node: Node<'_>, kind: SymbolKind, at: u32) {
        let shape = match kind {
            _ if kind.is_function() && syntax.hooks.labelled.is_some() => {
                (syntax.hooks.labels)(node, self.text).map(Shape::Signature)
            }
            SymbolKind::Method | SymbolKind::Property | SymbolKind::Object => (syntax.hooks.shape)(node, self.text),
            SymbolKind::Field if is_class_field(node) => (syntax.hooks.shape)(node, self.text),
            _ => None,
        };
        match shape {
            Some(Shape::Modifier(modifier)) => self.note(at, Note::Modifier(modifier)),
            Some(Shape::Signature(signature)) => {
                let signature = self.intern_made(&signature);
                self.note(at, Note::Signature(signature));
            }
            None => {}
        }
    }

    /// The symbol that a further clause of a function belongs to.
    pub(super) fn clause_of(&self, name: NameId, kind: SymbolKind, parent: Option<SymbolIdx>) -> Option<SymbolIdx> {
        let first = parent.map_or(0, |parent| parent.next().as_usize());
        let siblings = self.symbols.get(first..)?;
        let last = first + siblings.iter().rposition(|symbol| symbol.parent == parent)?;
        let symbol = &self.symbols[last];
        (symbol.name == name && symbol.kind == kind).then(|| SymbolIdx::new(last))
    }

    /// The function whose values a function that is inside of it, or added to it, speaks of as `this`; from before there were
    /// classes.
    fn maker_around(&self, inner: Option<SymbolIdx>) -> Option<NameId> {
        let outer = std::iter::successors(inner, |at| self.symbols[*at].parent);
        let mut outer = outer.map(|at| &self.symbols[at]);
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
    pub(super) fn known_field(&self, parent: Option<SymbolIdx>, name: &str, node: Node<'_>) -> Option<usize> {
        let name = self.interned.get(name).or_else(|| self.made.get(name))?;
        let mut fields = self.fields.get(&(parent?, *name))?.iter().map(|at| at.as_usize());
        let is_static = |span: Span| {
            let mut words = self.text[span.range()].split_whitespace().take(MAX_MODIFIERS);
            words.any(|word| word == STATIC)
        };
        fields.find(|at| !is_class_field(node) || is_static(self.symbols[*at].signature) == is_static(span_of(node)))
    }

    /// A field that a class declares behind the method that makes it is that one: `self.pages = pages`, then `pages: list`.
    /// No scope says so.
    fn declared_late(&self, known: usize, name: Node<'_>) -> Option<Marked> {
        let known = &self.symbols[known];
        let is_asked_of_a_value = self.text.as_bytes().get((known.name_at as usize).checked_sub(1)?) == Some(&b'.');
        let is_alone = name.kind() == "identifier" && name.parent()?.kind() == "assignment";
        let owner = &self.symbols[known.parent?];
        (is_asked_of_a_value && is_alone).then_some(Marked::Reference {
            role: Role::Variable,
            on: Before::Made(owner.name),
            arguments: None,
        })
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
            text.trim_start_matches([' ', ')', '?'])
        } else {
            text
        };
        // Those of type come before the others: `map<T>(each: (one: T) => void): void`.
        let is_generic = is_function && behind.starts_with('<') && behind.contains(">(");
        let has_parameters = behind.starts_with('(') || is_generic;
        let (mut before, mut depth, mut is_quoted) = (' ', 0, false);
        let is_end = |c: char| {
            let last = std::mem::replace(&mut before, c);
            let opens = c == '{' && last != '$';
            match c {
                '"' => is_quoted = !is_quoted,
                '(' if has_parameters => depth += 1,
                '<' if is_generic => depth += 1,
                '>' if is_generic && depth > 0 && !matches!(last, '=' | '-') => depth -= 1,
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

/// What a name is that one node defines twice: `typedef struct item { .. } item;` names the type that it has defined.
fn again(kind: SymbolKind) -> Marked {
    if !kind.is_type() {
        return Marked::Declared;
    }
    Marked::Reference {
        role: Role::Type,
        on: Before::Nothing,
        arguments: None,
    }
}
