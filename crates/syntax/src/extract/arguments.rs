//! What calls are given.

use super::{Arguments, Before, Marked, Passage, Pending, Value, Walk};
use crate::{
    facts::{ArgValue, BEHIND, Literal, OPERATORS, Role},
    query::Capture,
    tree::Node,
};

/// Parts of an expression that are looked at for its type.
const MAX_PARTS: usize = 16;

/// Numbers, from the narrowest.
const WIDTHS: [Literal; 3] = [Literal::Integer, Literal::Long, Literal::Float];

impl<'t> Walk<'t> {
    /// Remembers what a call is given until the values are known.
    pub(super) fn arguments<'n>(
        &mut self,
        name: Node<'n>,
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
        let is_written = |argument: Node<'n>| (self.hooks.written)(argument, self.text).is_some();
        if self.hooks.only_written && !lists.clone().any(|list| list.named_children().any(is_written)) {
            return None;
        }
        lists.peek()?;
        let first = self.pending.len();
        for list in lists {
            // A function may be handed over behind the list, or be all there is.
            if given_by(list, self.text) == ArgValue::Function || list.kind().contains("block") {
                self.trailing_function(name, list, passage);
                continue;
            }
            // Beside an operator that is a name there is but one.
            if list.parent().is_some_and(|outer| outer.kind() == "infix_expression") {
                self.argument(name, list, passage);
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
                        given: ArgValue::Labels(labels),
                    });
                    for argument in arguments {
                        if !is_full(self) {
                            self.argument(name, argument, passage);
                        }
                    }
                }
                None => {
                    for argument in list.named_children().filter(|argument| !argument.is_extra()) {
                        self.argument(name, argument, passage);
                        if is_full(self) {
                            break;
                        }
                    }
                }
            }
        }
        let is_one = |pending: &&Pending| !matches!(pending.given, ArgValue::Labels(_));
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

    /// A function that is passed behind the list of arguments.
    fn trailing_function<'n>(&mut self, name: Node<'n>, list: Node<'n>, passage: &mut Passage<'n>) {
        if self.hooks.labelled.is_some() {
            let labels = self.intern_made(BEHIND);
            self.pending.push(Pending {
                call: None,
                node: list.id(),
                given: ArgValue::Labels(labels),
            });
        }
        self.pending.push(Pending {
            call: None,
            node: list.id(),
            given: ArgValue::Function,
        });
        self.function_given(name, list, passage);
    }

    /// What comes of a call may be what a function gives back that it is given.
    fn function_given<'n>(&mut self, name: Node<'n>, function: Node<'n>, passage: &mut Passage<'n>) {
        if self.hooks.has_function_values {
            passage.mark(function, Marked::Wanted);
            self.list_others.push((name.start_byte() as u32, function.id()));
        }
    }

    fn argument<'n>(&mut self, name: Node<'n>, argument: Node<'n>, passage: &mut Passage<'n>)
    where
        't: 'n,
    {
        // What reads like a parameter without a name: `Shape shape(size);`.
        let argument = match argument.kind() {
            "parameter_declaration" => argument.child_by_field_name("type").unwrap_or(argument),
            _ => argument,
        };
        let given = match (self.hooks.written)(argument, self.text) {
            Some(ty) => ArgValue::Written(self.intern_made(&ty)),
            None => (self.hooks.given)(argument, self.text).unwrap_or_else(|| given_by(argument, self.text)),
        };
        let has_operations = self.hooks.has_operations;
        let given = match given {
            // Both sides tell.
            ArgValue::Literal(literal) if has_operations && is_calculated(argument) && WIDTHS.contains(&literal) => {
                ArgValue::Other
            }
            given => given,
        };
        let argument = match given {
            ArgValue::Other if has_operations => without_sign(argument),
            ArgValue::Other => deciding(argument, self.text),
            _ => argument,
        };
        if given == ArgValue::Function {
            self.function_given(name, argument, passage);
        }
        // What is given is a function, and not what that gives back.
        let is_function = matches!(argument.kind(), "arrow_function" | "function_expression");
        let is_of_value = !is_function && (given == ArgValue::Other || given.reference().is_some());
        if is_of_value && (has_operations || !is_element(argument)) {
            passage.mark(argument, Marked::Wanted);
        }
        self.pending.push(Pending {
            call: None,
            node: argument.id(),
            given,
        });
    }
}

impl<'t> Walk<'t> {
    /// A calculation is a step at its operator, which is given both sides. Whether it is one.
    pub(super) fn operation<'n>(&mut self, node: Node<'n>, passage: &mut Passage<'n>) -> bool
    where
        't: 'n,
    {
        let is_told = match self.hooks.has_operators {
            true => [
                "binary_expression",
                "infix_expression",
                "additive_expression",
                "multiplicative_expression",
            ]
            .contains(&node.kind()),
            false => self.hooks.has_operations && is_calculated(node),
        };
        if !is_told {
            return false;
        }
        let part = |name, short| {
            node.child_by_field_name(name)
                .or_else(|| node.child_by_field_name(short))
        };
        let parts = (part("left", "lhs"), part("operator", "op"), part("right", "rhs"));
        let (Some(left), Some(operator), Some(right)) = parts else {
            return false;
        };
        if !OPERATORS.contains(&&self.text[operator.byte_range()]) {
            return false;
        }
        let first = self.pending.len() as u32;
        self.argument(operator, left, passage);
        self.argument(operator, right, passage);
        let mark = Marked::Reference {
            role: Role::Member,
            on: Before::Receiver(left.id()),
            arguments: Some(Arguments {
                first,
                all: 2,
                count: 2,
            }),
        };
        passage.mark(operator, mark);
        passage.mark(operator, Marked::Wanted);
        self.values.insert(node.id(), Value::Same(operator.id()));
        true
    }
}

/// Whether an expression is made of two by an operator that does not compare them.
fn is_calculated(expression: Node<'_>) -> bool {
    expression.kind() == "binary_expression" && {
        let operator = expression.child_by_field_name("operator");
        operator.is_some_and(|operator| OPERATORS.contains(&operator.kind()))
    }
}

/// `1` of `-1`.
fn without_sign(expression: Node<'_>) -> Node<'_> {
    let mut bare = expression;
    for _ in 0..MAX_PARTS {
        if is_plain(bare.kind()) || !bare.kind().contains("unary_expression") {
            break;
        }
        let sign = bare.child(0).map(|sign| sign.kind());
        let last = bare.named_child_count().checked_sub(1);
        let inner = last.and_then(|last| bare.named_child(last));
        match (sign, inner) {
            (Some("-" | "+" | "~"), Some(inner)) => bare = inner,
            _ => break,
        }
    }
    bare
}

/// Most arguments are of these kinds, which say nothing: the words in them need not be looked for.
fn is_plain(kind: &str) -> bool {
    matches!(
        kind,
        "argument_list"
            | "arguments"
            | "call_expression"
            | "field_expression"
            | "identifier"
            | "member_expression"
            | "name"
            | "object"
            | "scoped_identifier"
            | "simple_identifier"
            | "variable_name"
    )
}

/// What an argument is, as far as its kind tells: grammars agree on the words in these names.
pub(crate) fn given_by(argument: Node<'_>, text: &str) -> ArgValue {
    if is_plain(argument.kind()) {
        return ArgValue::Other;
    }
    let mut argument = argument;
    // `argument` and the like hold nothing but the expression; with a label, what is given is not what stands there.
    while argument.kind().ends_with("argument") && argument.child_count() == 1 {
        match argument.named_child(0) {
            Some(inner) => argument = inner,
            None => break,
        }
    }
    argument = without_sign(argument);
    let kind = argument.kind();
    let has = |word| kind.contains(word);
    let literal = if has("lambda")
        || has("closure")
        || has("anonymous_function")
        || has("anonymous_method")
        || has("method_reference")
    {
        return ArgValue::Function;
    } else if is_combined(kind) {
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
        return ArgValue::Other;
    };
    ArgValue::Literal(literal)
}

/// Whether it is an element of something: its type is not that of the whole.
pub(super) fn is_element(argument: Node<'_>) -> bool {
    let kind = argument.kind();
    ["array_access", "element_access", "subscript", "indexing"]
        .iter()
        .any(|word| kind.contains(word))
}

/// What decides of which type a calculation with a number is: `size` in `size + 1`.
fn deciding<'n>(argument: Node<'n>, text: &str) -> Node<'n> {
    let mut deciding = argument;
    for _ in 0..MAX_PARTS {
        deciding = without_sign(deciding);
        if deciding.kind() != "binary_expression" {
            break;
        }
        let part = |name| deciding.child_by_field_name(name);
        let (Some(left), Some(operator), Some(right)) = (part("left"), part("operator"), part("right")) else {
            break;
        };
        if !matches!(operator.kind(), "+" | "-" | "*" | "/" | "%") {
            break;
        }
        let is_small = |side: Node<'_>| given_by(side, text) == ArgValue::Literal(Literal::Integer);
        deciding = match (is_small(left), is_small(right)) {
            (false, true) => left,
            (true, false) => right,
            _ => break,
        };
    }
    deciding
}

/// A text with something added is a text; what is compared is true or false; of numbers the wider one tells.
pub(super) fn combined(expression: Node<'_>, text: &str) -> ArgValue {
    let operator = expression
        .child_by_field_name("operator")
        .or_else(|| expression.child(1));
    let operator = operator.map_or("", |operator| &text[operator.byte_range()]);
    match operator {
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" | "===" | "!==" => ArgValue::Literal(Literal::Boolean),
        "+" => {
            // `a + b + c` is a tree to the left.
            let mut left = expression;
            for _ in 0..MAX_PARTS {
                let mut parts = left.named_children();
                let Some(first) = parts.next() else { break };
                if first.kind().contains("string") || parts.any(|part| part.kind().contains("string")) {
                    return ArgValue::Literal(Literal::Joined);
                }
                if !is_combined(first.kind()) {
                    break;
                }
                left = first;
            }
            calculated(expression, text)
        }
        "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" => calculated(expression, text),
        _ => ArgValue::Other,
    }
}

/// The type of numbers that are calculated with, by those that are written out: all of them, or the widest there is.
fn calculated(expression: Node<'_>, text: &str) -> ArgValue {
    let width = |side: Node<'_>| {
        let literal = Some(side).filter(|side| !is_combined(side.kind()));
        let given = literal.map(|side| given_by(side, text));
        WIDTHS.iter().position(|one| given == Some(ArgValue::Literal(*one)))
    };
    let (mut widest, mut are_all) = (0, true);
    // `a - b - c` is a tree to the left.
    let mut rest = expression;
    for _ in 0..MAX_PARTS {
        let side = |field: &str| rest.child_by_field_name(field);
        let (Some(left), Some(right)) = (side("left"), side("right")) else {
            return ArgValue::Other;
        };
        are_all &= width(right).is_some();
        widest = widest.max(width(right).unwrap_or(0));
        if !is_combined(left.kind()) {
            are_all &= width(left).is_some();
            widest = widest.max(width(left).unwrap_or(0));
            break;
        }
        rest = left;
    }
    match are_all || widest > 0 {
        true => ArgValue::Literal(WIDTHS[widest]),
        false => ArgValue::Other,
    }
}

fn is_combined(kind: &str) -> bool {
    ["binary_expression", "infix_expression", "additive_expression"]
        .iter()
        .any(|word| kind.contains(word))
}
