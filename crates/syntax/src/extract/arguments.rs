//! What calls are given.

use tree_sitter::Node;

use super::{Arguments, Marked, Passage, Pending, Walk};
use crate::{
    facts::{Given, Literal},
    query::Capture,
};

impl<'t> Walk<'t> {
    /// Remembers what a call is given until the values are known.
    pub(super) fn arguments<'n>(
        &mut self,
        nodes: &[(Capture, Node<'n>)],
        passage: &mut Passage<'n>,
    ) -> Option<Arguments>
    where
        't: 'n,
    {
        if self.hooks.is_untyped {
            return None;
        }
        let mut lists = nodes
            .iter()
            .filter(|(capture, _)| *capture == Capture::Arguments)
            .map(|(_, list)| *list)
            .peekable();
        lists.peek()?;
        let first = self.pending.len();
        for list in lists {
            // A function may be handed over behind the list, or be all there is.
            if given_by(list, self.text) == Given::Function || list.kind().contains("block") {
                self.pending.push(Pending {
                    call: None,
                    node: list.id(),
                    given: Given::Function,
                });
                continue;
            }
            let is_full = |walk: &Self| walk.pending.len() - first >= usize::from(u8::MAX);
            match self.hooks.labelled {
                Some(labelled) => {
                    let (labels, arguments): (Vec<&str>, Vec<Node<'n>>) = labelled(list, self.text).into_iter().unzip();
                    let labels = self.intern_made(&labels.join(","));
                    self.pending.push(Pending {
                        call: None,
                        node: list.id(),
                        given: Given::Labels(labels),
                    });
                    for argument in arguments {
                        if !is_full(self) {
                            self.argument(argument, passage);
                        }
                    }
                }
                None => {
                    let mut cursor = list.walk();
                    for argument in list.named_children(&mut cursor).filter(|argument| !argument.is_extra()) {
                        self.argument(argument, passage);
                        if is_full(self) {
                            break;
                        }
                    }
                }
            }
        }
        let is_one = |pending: &&Pending| !matches!(pending.given, Given::Labels(_));
        Some(Arguments {
            first: first as u32,
            all: (self.pending.len() - first).min(usize::from(u8::MAX)) as u8,
            count: self.pending[first..]
                .iter()
                .filter(is_one)
                .count()
                .min(usize::from(u8::MAX)) as u8,
        })
    }

    fn argument<'n>(&mut self, argument: Node<'n>, passage: &mut Passage<'n>)
    where
        't: 'n,
    {
        let given = match (self.hooks.written)(argument, self.text) {
            Some(ty) => Given::Written(self.intern_made(&ty)),
            None => (self.hooks.given)(argument, self.text).unwrap_or_else(|| given_by(argument, self.text)),
        };
        let is_of_value = given == Given::Other || given.reference().is_some();
        if is_of_value && (self.hooks.has_pointers || !is_element(argument)) {
            passage.mark(argument, Marked::Wanted);
        }
        self.pending.push(Pending {
            call: None,
            node: argument.id(),
            given,
        });
    }
}

/// What an argument is, as far as its kind tells: grammars agree on the words in these names.
pub(crate) fn given_by(argument: Node<'_>, text: &str) -> Given {
    let mut argument = argument;
    // `argument` and the like hold nothing but the expression; with a label, what is given is not what stands there.
    while argument.kind().ends_with("argument") && argument.child_count() == 1 {
        match argument.named_child(0) {
            Some(inner) => argument = inner,
            None => break,
        }
    }
    let kind = argument.kind();
    let has = |word| kind.contains(word);
    let literal = if has("lambda")
        || has("closure")
        || has("anonymous_function")
        || has("anonymous_method")
        || has("method_reference")
    {
        return Given::Function;
    } else if has("unary_expression")
        && argument
            .child(0)
            .is_some_and(|sign| matches!(sign.kind(), "-" | "+" | "~"))
    {
        // `-1`
        let last = argument.named_child_count().checked_sub(1);
        return match last.and_then(|last| argument.named_child(last as u32)) {
            Some(inner) => given_by(inner, text),
            None => Given::Other,
        };
    } else if has("binary_expression") || has("infix_expression") || has("additive_expression") {
        return combined(argument, text);
    } else if has("class_literal") || has("typeof_expression") {
        Literal::Class
    } else if has("string") {
        Literal::Text
    } else if has("character") || has("char_literal") {
        Literal::Character
    } else if has("float") || has("real_literal") {
        Literal::Float
    } else if has("integer") || has("number_literal") || has("long_literal") || kind == "number" {
        match text[argument.byte_range()].ends_with(['L', 'l']) {
            true => Literal::Long,
            false => Literal::Integer,
        }
    } else if has("bool") || matches!(kind, "true" | "false" | "comparison_expression" | "equality_expression") {
        Literal::Boolean
    } else if has("null") && has("literal") || matches!(kind, "null" | "nil" | "nullptr") {
        Literal::Null
    } else {
        return Given::Other;
    };
    Given::Literal(literal)
}

/// Whether it is an element of something: its type is not that of the whole.
pub(super) fn is_element(argument: Node<'_>) -> bool {
    let kind = argument.kind();
    ["array_access", "element_access", "subscript", "indexing"]
        .iter()
        .any(|word| kind.contains(word))
}

/// A text with something added is a text; what is compared is true or false.
pub(super) fn combined(expression: Node<'_>, text: &str) -> Given {
    let operator = expression
        .child_by_field_name("operator")
        .or_else(|| expression.child(1));
    let operator = operator.map_or("", |operator| &text[operator.byte_range()]);
    match operator {
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" | "===" | "!==" => Given::Literal(Literal::Boolean),
        "+" => {
            // `a + b + c` is a tree to the left.
            let mut left = expression;
            for _ in 0..16 {
                let mut cursor = left.walk();
                let mut parts = left.named_children(&mut cursor);
                let Some(first) = parts.next() else { break };
                if first.kind().contains("string") || parts.any(|part| part.kind().contains("string")) {
                    return Given::Literal(Literal::Joined);
                }
                left = first;
            }
            Given::Other
        }
        _ => Given::Other,
    }
}
