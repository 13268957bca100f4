//! Uses of names, and what they stand on.

use source::Span;

use super::{Arguments, Before, Marked, Passage, Value, Walk};
use crate::{
    facts::{
        ArgValue, Argument, Complexity, Note, OPERATORS, Qualifier, RefIdx, Reference, Role, Step, Symbol, SymbolIdx,
        SymbolKind, TypeSource,
    },
    lang::{self, macros},
    query::Capture,
    tree::Node,
};

/// Values of a list that are looked at, beside the first.
const MAX_LISTED: usize = 7;

/// Longer lists of types are none.
const MAX_TYPES: usize = 400;

impl<'t> Walk<'t> {
    /// The function that a `return` here gives its value.
    pub(super) fn returning(&self, passage: &Passage<'_>) -> Option<SymbolIdx> {
        let frames = passage.frames.iter().rev().take_while(|frame| !frame.is_closure);
        let mut symbols = frames.filter_map(|frame| frame.symbol);
        symbols.find(|symbol| self.symbols[*symbol].complexity.cyclomatic > 0)
    }

    pub(super) fn add_reference(&mut self, reference: Reference) -> RefIdx {
        self.references.push(reference);
        RefIdx::new(self.references.len() - 1)
    }

    /// The call that the function around the current node is an argument of.
    pub(super) fn call_around(&self, passage: &Passage<'_>) -> Option<RefIdx> {
        let mut scopes = 0;
        let mut inside = passage.frames.iter().rev().take_while(|frame| {
            // One that has a name, or is inside another, is not handed over here.
            scopes += u32::from(frame.is_scope);
            frame.call.is_some() || (scopes < 2 && frame.symbol.is_none())
        });
        let at = inside.find_map(|frame| frame.call)?;
        let before = self.references.partition_point(|reference| reference.at < at);
        let is_it = |reference: &&Reference| reference.at == at && reference.role == Role::Call;
        self.references.get(before).filter(is_it).map(|_| RefIdx::new(before))
    }

    /// The names in a type that is written as a text: `"shapes.Circle | None"`; the type, if it is but one.
    pub(super) fn quoted(&mut self, span: Span) -> Option<RefIdx> {
        let written = self.text.get(span.range())?;
        // Longer texts are prose.
        if written.len() > 200 || written.contains('\n') {
            return None;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut path_start = 0;
        let mut at = 0;
        while let Some(start) = written[at..].find(is_word).map(|found| at + found) {
            let end = written[start..]
                .find(|c| !is_word(c))
                .map_or(written.len(), |found| start + found);
            let goes_on = start > 0 && start == at && written[..start].ends_with('.');
            if !goes_on {
                path_start = start;
            }
            if !written[start..].starts_with(|c: char| c.is_ascii_digit()) {
                let place = |at: usize| span.start + at as u32;
                let on = match goes_on {
                    true => Qualifier::Path(self.type_name(Span {
                        start: place(path_start),
                        end: place(start - 1),
                    })),
                    false => Qualifier::Nothing,
                };
                let name = self.intern(&self.text[place(start) as usize..place(end) as usize]);
                self.add_reference(Reference {
                    name,
                    at: place(start),
                    role: Role::Type,
                    step: None,
                    on,
                    arguments: None,
                    arity: 0,
                });
            }
            at = end;
            if written[at..].starts_with('.') {
                at += 1;
            }
        }
        let is_one = !written.is_empty() && written.chars().all(|c| is_word(c) || c == '.');
        is_one.then(|| RefIdx::new(self.references.len() - 1))
    }

    pub(super) fn refer(
        &mut self,
        node: Node<'_>,
        span: Span,
        (role, on, arguments): (Role, Before, Option<Arguments>),
        is_wanted: bool,
    ) {
        let (span, on) = match on {
            Before::Nothing if role == Role::Call && self.hooks.has_long_calls => self.behind_module(span),
            on => (span, on),
        };
        let Some(name) = self.name_text(span) else { return };
        let name = self.intern(name);
        let on = match on {
            Before::Nothing => Qualifier::Nothing,
            Before::Path(path) => Qualifier::Path(self.type_name(path)),
            Before::Made(path) => Qualifier::Path(path),
            Before::Context(context) => Qualifier::Context(context),
            Before::Receiver(receiver) => self.value_of(receiver).unwrap_or(Qualifier::Other),
            Before::Later(receiver) => {
                self.later.push((self.references.len(), receiver));
                Qualifier::Other
            }
        };
        let is_bare = self.hooks.has_bare_calls && role == Role::Variable && on == Qualifier::Nothing;
        // Constants begin with a capital, fields and globals with a mark.
        let is_bare = is_bare && self.names.get(name).starts_with(|c: char| c.is_lowercase() || c == '_');
        let role = if is_bare && !self.is_bound(name, span.start) {
            Role::Call
        } else {
            role
        };
        let has_operands = arguments.is_some_and(|all| all.count == 2);
        let step = match role {
            Role::Member if has_operands && OPERATORS.contains(&self.names.get(name)) => Some(Step::Operator),
            Role::Member if !node.is_named() => Step::of_token(node.kind()),
            _ => None,
        };
        if is_wanted {
            let index = RefIdx::new(self.references.len());
            self.values.insert(node.id(), Value::Known(Qualifier::Value(index)));
        }
        if let Some(arguments) = arguments {
            let first = arguments.first as usize;
            let call = RefIdx::new(self.references.len());
            let own = &mut self.pending[first..first + arguments.all as usize];
            own.iter_mut().for_each(|argument| argument.call = Some(call));
        }
        self.add_reference(Reference {
            name,
            at: span.start,
            role,
            step,
            on,
            arguments: arguments.map(|arguments| arguments.count),
            arity: self.arity(span),
        });
    }

    /// What is called, without the module that is written before it.
    fn behind_module(&self, span: Span) -> (Span, Before) {
        let written = self.text.get(span.range()).unwrap_or_default();
        // A package begins with a capital: `new Shop::Cart(1)`.
        let is_package = |at: usize| written[at + 2..].starts_with(char::is_uppercase);
        match written.rfind("::") {
            Some(at) if at > 0 && !is_package(at) => {
                let (end, start) = (span.start + at as u32, span.start + at as u32 + 2);
                (Span { start, ..span }, Before::Path(Span { end, ..span }))
            }
            _ => (span, Before::Nothing),
        }
    }

    /// Macros that the tree does not have are used all the same.
    pub(super) fn refer_to_masked(&mut self, masked: &str) {
        let (text, masked) = (self.text.as_bytes(), masked.as_bytes());
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let mut at = 0;
        while let Some(offset) = text[at..]
            .iter()
            .zip(&masked[at..])
            .position(|(one, other)| one != other)
        {
            let mut start = at + offset;
            // A keyword that was written instead may begin as the macro does.
            if masked[start] == macros::QUIET {
                start -= text[..start].iter().rev().take_while(|byte| is_word(byte)).count();
            }
            let length = text[start..].iter().take_while(|byte| is_word(byte)).count();
            at = start + length.max(1);
            let is_whole = start == 0 || !is_word(&text[start - 1]);
            let instead = &masked[start..start + length];
            let keyword = [&b"if"[..], b"for"].into_iter().find(|word| instead.starts_with(word));
            let instead = &instead[keyword.map_or(0, <[u8]>::len)..];
            let is_gone = |by: u8| instead.iter().all(|byte| *byte == by);
            let is_loud = || keyword.is_none() && macros::is_loud(&text[start..start + length]);
            if !is_whole || length == 0 || !(is_gone(macros::QUIET) || is_gone(b' ') && is_loud()) {
                continue;
            }
            let name = self.intern(&self.text[start..start + length]);
            let is_called = text[start + length..].iter().find(|byte| !matches!(byte, b' ' | b'\t')) == Some(&b'(');
            self.add_reference(Reference {
                name,
                at: start as u32,
                role: if is_called { Role::Call } else { Role::Variable },
                step: None,
                on: Qualifier::Nothing,
                arguments: None,
                arity: 0,
            });
        }
    }

    /// How many types stand in angle brackets behind a name.
    fn arity(&self, name: Span) -> u8 {
        let behind = &self.text.as_bytes()[name.end as usize..];
        if !self.hooks.has_arity || behind.first() != Some(&b'<') {
            return 0;
        }
        let (mut depth, mut count, mut before) = (0, 1, b' ');
        for byte in behind.iter().take(MAX_TYPES) {
            match byte {
                // `(Int) -> Int`
                b'>' if before == b'-' => {}
                b'<' | b'(' | b'[' => depth += 1,
                b'>' | b')' | b']' => depth -= 1,
                b',' if depth == 1 => count += 1,
                b';' | b'{' | b'&' | b'|' | b'=' | b'"' => return 0,
                _ => {}
            }
            if depth == 0 {
                return count;
            }
            before = *byte;
        }
        0
    }

    /// The names in code that the grammar leaves as text; the reference whose value the whole of it has.
    pub(super) fn words(&mut self, span: Span, around: Option<SymbolIdx>) -> Option<RefIdx> {
        let text = self.text.get(span.range())?;
        let members = (self.hooks.members)(text);
        for member in &members {
            self.define_made(text, span.start, member, around);
        }
        let words = self.hooks.words;
        words(text, &mut |range, role, before| {
            if members.iter().any(|member| member.name.start == range.start) {
                return None;
            }
            let is_type = members.iter().any(|member| member.ty.contains(&range.start));
            let role = if is_type && role == Role::Variable {
                Role::Type
            } else {
                role
            };
            let name = self.intern(text.get(range.clone())?);
            let at = span.start + range.start as u32;
            // What a parameter stands for is not known here; one that stands for a type says what comes of a call.
            if before == lang::Before::Nothing && role != Role::Type && self.is_bound(name, at) {
                return None;
            }
            let on = match before {
                lang::Before::Nothing => Qualifier::Nothing,
                lang::Before::Path(path) => Qualifier::Path(self.type_name(Span {
                    start: span.start + path.start as u32,
                    end: span.start + path.end as u32,
                })),
                lang::Before::Value(value) => value.map_or(Qualifier::Other, Qualifier::Value),
            };
            Some(self.add_reference(Reference {
                name,
                at,
                role,
                step: None,
                on,
                arguments: None,
                arity: 0,
            }))
        })
    }

    /// A member that a macro declares is in the macro.
    fn define_made(&mut self, text: &'t str, start: u32, member: &lang::MadeMember, parent: Option<SymbolIdx>) {
        let span = Span {
            start: start + member.ty.start as u32,
            end: start + member.end as u32,
        };
        let words: Vec<&str> = text[member.ty.clone()].split(['\\', ' ', '\t', '\n', '\r']).collect();
        let ty = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>();
        let ty = self.intern_made(&ty.join(" "));
        let name = self.intern(&text[member.name.clone()]);
        self.symbols.push(Symbol {
            name,
            kind: SymbolKind::Field,
            visibility: None,
            parent,
            owner: None,
            name_at: start + member.name.start as u32,
            span,
            lead: span.start,
            doc: None,
            signature: span,
            ty: Some(TypeSource::Expr(ty)),
            value: None,
            is_test: false,
            is_declaration: false,
            complexity: Complexity::default(),
        });
    }

    pub(super) fn value_of(&self, mut node: usize) -> Option<Qualifier> {
        // Wrappers around wrappers; more than this is nobody's code.
        for _ in 0..64 {
            match self.values.get(&node)? {
                Value::Known(on) => return Some(*on),
                Value::Same(same) => node = *same,
            }
        }
        None
    }

    pub(super) fn resolve_values(&mut self) {
        let value = |walk: &Self, node| match walk.value_of(node) {
            Some(Qualifier::Value(reference)) => Some(reference),
            _ => None,
        };
        for (symbol, node) in std::mem::take(&mut self.symbol_values) {
            let given = value(self, node);
            match self.symbols[symbol].value {
                None => self.symbols[symbol].value = given,
                // A function may give back several, and a field be given them.
                Some(first) => {
                    if let Some(given) = given.filter(|given| *given != first && self.symbols[symbol].ty.is_none()) {
                        self.also(self.symbols[symbol].name_at, given);
                    }
                }
            }
            if self.symbols[symbol].kind.is_function()
                && self.symbols[symbol].ty.is_none()
                && self.value_of(node) == Some(Qualifier::This)
            {
                self.symbols[symbol].ty = Some(TypeSource::Expr(self.intern_made("this")));
            }
        }
        for (binding, node) in std::mem::take(&mut self.binding_values) {
            self.bindings[binding].value = value(self, node);
            let told = match self.value_of(node) {
                // `const self = this;`
                Some(Qualifier::This) => Some(TypeSource::Expr(self.intern_made("this"))),
                Some(Qualifier::Literal) if self.hooks.has_plain_literals => Some(TypeSource::Literal),
                _ => None,
            };
            let binding = &mut self.bindings[binding];
            binding.ty = binding.ty.or(told);
        }
        for (binding, node) in std::mem::take(&mut self.binding_others) {
            match (value(self, node), self.bindings[binding].value) {
                (Some(other), Some(first)) if other != first => self.also(self.bindings[binding].at, other),
                (Some(other), None) => self.bindings[binding].value = Some(other),
                _ => {}
            }
        }
        for (at, node) in std::mem::take(&mut self.list_others) {
            if let Some(other) = value(self, node) {
                self.also(at, other);
            }
        }
        for (reference, node) in std::mem::take(&mut self.later) {
            self.references[reference].on = self.value_of(node).unwrap_or(Qualifier::Other);
        }
        for pending in std::mem::take(&mut self.pending) {
            let Some(call) = pending.call else { continue };
            let given = match self.value_of(pending.node) {
                Some(Qualifier::Value(reference)) => pending.given.of(reference),
                Some(Qualifier::This) if pending.given != ArgValue::Function => ArgValue::This,
                _ if pending.given.reference().is_some() => ArgValue::Other,
                _ => pending.given,
            };
            self.arguments.push(Argument { call, value: given });
        }
        // Nodes of another tree may have the same ids.
        self.values.clear();
    }

    /// The values of a list beside the first one.
    pub(super) fn also_listed<'n>(
        &mut self,
        list: Node<'n>,
        first: Node<'n>,
        end: Node<'n>,
        passage: &mut Passage<'n>,
    ) {
        let at = end.start_byte() as u32;
        let others = list.named_children().filter(|other| !other.is_extra());
        let others = others.map(|other| match other.kind() {
            "pair" => other.child_by_field_name("value").unwrap_or(other),
            _ => other,
        });
        for other in others.filter(|other| other.id() != first.id()).take(MAX_LISTED) {
            passage.mark(other, Marked::Wanted);
            self.list_others.push((at, other.id()));
        }
    }

    /// What is named at a place may have this value too.
    fn also(&mut self, at: u32, given: RefIdx) {
        self.note(at, Note::FurtherValue(given));
    }

    pub(super) fn plain_import(&mut self, nodes: &[(Capture, Node<'_>)], span: Span) {
        let one = |wanted: Capture| {
            nodes
                .iter()
                .find(|(capture, _)| *capture == wanted)
                .map(|(_, node)| *node)
        };
        let alias = one(Capture::Alias);
        let wildcard = one(Capture::Wildcard).is_some();
        let items: Vec<Option<Node<'_>>> = nodes
            .iter()
            .filter(|(capture, _)| *capture == Capture::Item)
            .map(|(_, node)| Some(*node))
            .collect();
        let items = if items.is_empty() { vec![None] } else { items };
        for (_, path) in nodes.iter().filter(|(capture, _)| *capture == Capture::Path) {
            for item in &items {
                self.import(*path, *item, alias, wildcard, false, span.start);
            }
        }
    }
}

pub(super) fn unquoted(text: &str) -> &str {
    for quote in ['"', '\'', '`'] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner;
        }
    }
    text
}
