//! C#.

use super::{CONVENTIONS, Conventions, DEFAULT, Definition, Hooks, Lang, Syntax, TokenSink, conditions, lang};
use crate::{
    extract::{Apart, Handed, TakenFrom, Walk, Whole, span_of},
    facts::{ArgumentSlot, Modifier, PatternStep, Role, STATIC, Shape, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang("csharp", &["c#", "cs"], &["cs", "csx"], &[], &[])
    .with(&SYNTAX)
    .with_conventions(Conventions {
        implicit_package: true,
        imports_everything: true,
        ..CONVENTIONS
    });

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_c_sharp::LANGUAGE,
    include_str!("csharp.scm"),
    Hooks {
        visibility,
        is_test,
        kind,
        is_definition,
        masked: Some(masked),
        imports: Some(imports),
        tokens,
        attributes: &["["],
        has_arity: true,
        shape,
        whole,
        handed,
        apart,
        valued,
        has_function_values: true,
        has_operators: true,
        written,
        reserved: RESERVED,
        argument_label,
        named_by_callers: |_, _| true,
        ..DEFAULT
    },
);

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    let stated = [
        ("public", Visibility::Public),
        // With `internal` or `private` beside it, it is still about derived classes.
        ("protected", Visibility::Protected),
        ("internal", Visibility::Internal),
        ("private", Visibility::Private),
        ("file", Visibility::Private),
    ];
    if let Some((_, visibility)) = stated.iter().find(|(word, _)| has_modifier(definition, word)) {
        return Some(*visibility);
    }
    let is_component = definition.node.kind() == "parameter";
    match (definition.kind, definition.parent) {
        (SymbolKind::Namespace | SymbolKind::Variant, _) => None,
        (_, Some(SymbolKind::Interface)) => Some(Visibility::Public),
        (_, Some(SymbolKind::Class | SymbolKind::Struct)) if is_component => {
            let is_record = definition.parent_head.split_whitespace().any(|word| word == "record");
            Some(if is_record {
                Visibility::Public
            } else {
                Visibility::Private
            })
        }
        // `void IDisposable.Dispose()` is called through the interface only.
        (_, Some(SymbolKind::Class | SymbolKind::Struct)) if child(definition.node, "explicit_interface_specifier") => {
            None
        }
        (_, Some(SymbolKind::Class | SymbolKind::Struct)) => Some(Visibility::Private),
        (kind, None | Some(SymbolKind::Namespace))
            if kind.is_type() || definition.node.kind() == "delegate_declaration" =>
        {
            Some(Visibility::Internal)
        }
        _ => None,
    }
}

/// What belongs to a class itself stands in for nothing.
fn shape(member: Node<'_>, text: &str) -> Option<Shape> {
    let mut modifiers = member
        .children()
        .filter(|child| child.kind() == "modifier" && &text[child.byte_range()] == STATIC);
    modifiers.next().map(|_| Shape::Modifier(Modifier::Static))
}

/// `new int[3]`, `(byte) size`, `1f`.
fn written(argument: Node<'_>, text: &str) -> Option<String> {
    let inner = argument.named_child(0).filter(|_| argument.named_child_count() == 1);
    let ty = argument.child_by_field_name("type");
    match argument.kind() {
        "argument" | "parenthesized_expression" => written(inner?, text),
        "array_creation_expression" => {
            let element = ty?.child_by_field_name("type")?;
            Some(format!("{}[]", &text[element.byte_range()]))
        }
        // What it is made of is not looked into: `new[] { first, last }`.
        "implicit_array_creation_expression" => Some("[]".to_owned()),
        "cast_expression" => ty
            .filter(|ty| ty.kind() == "predefined_type")
            .map(|ty| text[ty.byte_range()].to_owned()),
        "real_literal" => {
            let written = &text[argument.byte_range()];
            let types = [("f", "float"), ("F", "float"), ("m", "decimal"), ("M", "decimal")];
            let ty = types.iter().find(|(suffix, _)| written.ends_with(suffix))?;
            Some(ty.1.to_owned())
        }
        _ => None,
    }
}

/// Which argument of which call declares a variable: `Find(out var found)`.
fn whole(declared: Node<'_>, _: &str) -> Whole {
    let argument = declared.parent().filter(|argument| argument.kind() == "argument");
    argument.and_then(taken).unwrap_or(Whole::Unknown)
}

/// Which argument of which call it is.
fn taken(argument: Node<'_>) -> Option<Whole> {
    let list = argument.parent()?;
    let call = list.parent()?;
    let callee = call
        .child_by_field_name("function")
        .or_else(|| call.child_by_field_name("type"))?;
    let name = last_name(callee);
    let nth = place_in(list, argument)?;
    Some(Whole::Taken(name.start_byte() as u32, ArgumentSlot::Nth(nth as u32)))
}

/// The name that a member, or one behind a `?`, goes by.
fn last_name(expression: Node<'_>) -> Node<'_> {
    let member = match expression.kind() {
        "conditional_access_expression" => expression.named_children().last().unwrap_or(expression),
        _ => expression,
    };
    member.child_by_field_name("name").unwrap_or(member)
}

fn place_in(list: Node<'_>, wanted: Node<'_>) -> Option<usize> {
    let mut all = list.named_children().filter(|one| !one.is_extra());
    all.position(|one| one.id() == wanted.id())
}

/// What hands a lambda its parameter.
fn handed(parameter: Node<'_>, text: &str) -> Option<Handed> {
    let declared = parameter.parent()?;
    let (lambda, nth) = match declared.kind() {
        "parameter" => {
            let list = declared.parent()?;
            (list.parent()?, place_in(list, declared)?)
        }
        _ => (declared, 0),
    };
    let holder = lambda.parent()?;
    let of_type = |ty: Node<'_>| (ty.kind() != "implicit_type").then(|| Whole::Type(span_of(ty)));
    let whole = match holder.kind() {
        "argument" => taken(holder)?,
        "assignment_expression" => Whole::Assigned(last_name(holder.child_by_field_name("left")?).start_byte() as u32),
        "variable_declarator" => of_type(holder.parent()?.child_by_field_name("type")?)?,
        "property_declaration" => of_type(holder.child_by_field_name("type")?)?,
        _ => return None,
    };
    let is_lambda = lambda.kind() == "lambda_expression" && !text[lambda.byte_range()].is_empty();
    is_lambda.then_some(Handed { whole, key: None, nth })
}

/// How deep patterns are looked out of.
const MAX_PATTERN: usize = 12;

/// `var (a, b) = pair`, `foreach (var (key, value) in map)`, `shape is { Center: var center }`
fn apart<'t>(local: Node<'t>, _: &str) -> Option<Apart<'t>> {
    let mut steps = Vec::new();
    let mut inner = local;
    for _ in 0..MAX_PATTERN {
        let outer = inner.parent()?;
        let value = match outer.kind() {
            "declaration_expression" | "declaration_pattern" | "var_pattern" | "recursive_pattern"
                if outer.child_by_field_name("name")?.id() == inner.id() =>
            {
                None
            }
            "recursive_pattern" => {
                if let Some(ty) = outer.child_by_field_name("type") {
                    steps.push(PatternStep::As(ty.byte_range()));
                }
                None
            }
            "tuple_pattern" | "tuple_expression" | "parenthesized_variable_designation" => {
                steps.push(PatternStep::Component(place_in(outer, inner)? as u32));
                None
            }
            "positional_pattern_clause" => {
                steps.push(PatternStep::Component(place_in(outer, inner)? as u32));
                None
            }
            "subpattern" => {
                let name = outer.named_child(0).filter(|name| name.kind() == "identifier");
                if let Some(name) = name.filter(|name| name.id() != inner.id()) {
                    steps.push(PatternStep::Member(name.byte_range()));
                }
                None
            }
            "argument"
            | "property_pattern_clause"
            | "constant_pattern"
            | "and_pattern"
            | "or_pattern"
            | "parenthesized_pattern"
            | "negated_pattern"
            | "switch_expression_arm"
            | "switch_section"
            | "switch_body"
            | "case_pattern_switch_label" => None,
            "is_pattern_expression" => Some(outer.child_by_field_name("expression")?),
            "switch_statement" => Some(outer.child_by_field_name("value")?),
            "switch_expression" => Some(outer.named_child(0)?),
            "assignment_expression" => Some(outer.child_by_field_name("right")?),
            "variable_declarator" if !steps.is_empty() => Some(outer.named_children().last()?),
            "foreach_statement" if !steps.is_empty() => {
                steps.push(PatternStep::Element);
                Some(outer.child_by_field_name("right")?)
            }
            _ => return None,
        };
        if let Some(value) = value {
            return Some(Apart::climbed(steps, TakenFrom::Value(value)));
        }
        inner = outer;
    }
    None
}

/// A lambda has the value of its body; an array counts as one of its elements.
fn valued(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "lambda_expression" => {
            let body = node.child_by_field_name("body")?;
            match body.kind() {
                "block" => {
                    let statements = body.named_children();
                    let returned = statements.filter(|statement| statement.kind() == "return_statement");
                    returned.last()?.named_child(0)
                }
                _ => Some(body),
            }
        }
        "switch_expression" => {
            let arms = node.named_children();
            let mut arms = arms.filter(|arm| arm.kind() == "switch_expression_arm");
            arms.find_map(|arm| {
                let value = arm.named_children().last()?;
                (!matches!(value.kind(), "throw_expression" | "null_literal")).then_some(value)
            })
        }
        "query_expression" => {
            let clauses = node.named_children();
            let selected = clauses.filter(|clause| clause.kind() == "select_clause").last()?;
            selected.named_child(0)
        }
        "implicit_array_creation_expression" => node.named_child(0)?.named_child(0),
        _ => None,
    }
}

/// What has the name of a keyword was torn apart by a `#if`.
fn is_definition(definition: &Definition<'_>) -> bool {
    !matches!(
        definition.name,
        "if" | "else" | "for" | "foreach" | "while" | "switch" | "catch" | "return" | "using" | "lock" | "new"
    )
}

fn has_modifier(definition: &Definition<'_>, word: &str) -> bool {
    let mut modifiers = definition.node.children().filter(|child| child.kind() == "modifier");
    modifiers.any(|modifier| &definition.text[modifier.byte_range()] == word)
}

fn child(node: Node<'_>, kind: &str) -> bool {
    node.children().any(|child| child.kind() == kind)
}

/// xUnit, NUnit, MSTest.
fn is_test(definition: &Definition<'_>) -> bool {
    match definition.kind {
        // xUnit has no attribute for classes.
        SymbolKind::Class if definition.name.ends_with("Tests") || definition.name.ends_with("Test") => return true,
        SymbolKind::Class | SymbolKind::Method => {}
        _ => return false,
    }
    let lists = definition.node.children();
    lists.filter(|child| child.kind() == "attribute_list").any(|list| {
        list.named_children()
            .filter_map(|attribute| attribute.child_by_field_name("name"))
            .any(|name| {
                let path = &definition.text[name.byte_range()];
                let name = path.rsplit('.').next().unwrap_or(path);
                matches!(
                    name.strip_suffix("Attribute").unwrap_or(name),
                    "Fact"
                        | "Theory"
                        | "Test"
                        | "TestCase"
                        | "TestCaseSource"
                        | "TestFixture"
                        | "TestMethod"
                        | "DataTestMethod"
                        | "TestClass"
                        | "Benchmark"
                )
            })
    })
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    match definition.node.kind() {
        "delegate_declaration" => SymbolKind::Type,
        "property_declaration" | "indexer_declaration" => SymbolKind::Property,
        "field_declaration" if has_modifier(definition, "const") => SymbolKind::Constant,
        "field_declaration" | "parameter" => SymbolKind::Field,
        _ => definition.kind,
    }
}

/// `using A.B;`, `using static A.B;`, `using C = A.B;`, `global using A;`
fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let name = node.child_by_field_name("name");
    let mut children = node.named_children();
    let path = children.find(|child| name.is_none_or(|name| name.id() != child.id()) && !child.is_extra());
    let is_global = child(node, "global");
    match (path, name) {
        // The alias is a name for a namespace or for a type: `Map` for `System.Collections.Dictionary<..>`.
        (Some(path), Some(alias)) => match (path.child_by_field_name("qualifier"), path.child_by_field_name("name")) {
            (Some(qualifier), Some(item)) => {
                let item = item
                    .named_child(0)
                    .filter(|_| item.kind() == "generic_name")
                    .unwrap_or(item);
                walk.import(qualifier, Some(item), Some(alias), false, is_global, at);
            }
            _ => walk.import(path, None, Some(alias), false, is_global, at),
        },
        // Everything in a namespace, or every static member of a type.
        (Some(path), None) => walk.import(path, None, None, true, is_global, at),
        // `extern alias A;`
        (None, Some(name)) => walk.import(name, None, None, false, false, at),
        (None, None) => {}
    }
}

/// In `new { a.B, Total = b }` a name before `=` is a member.
fn tokens<'t>(node: Node<'t>, sink: &mut TokenSink<'_, 't>) {
    let children: Vec<Node<'t>> = node.children().collect();
    for pair in children.windows(2) {
        if pair[0].kind() == "identifier" && pair[1].kind() == "=" {
            sink(pair[0], Role::Member, None, None);
        }
    }
}

/// Words that no name can be.
const RESERVED: &str = "\
    abstract as base bool break byte case catch char checked class const continue decimal default delegate do double \
    else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal \
    is lock long namespace new null object operator out override params private protected public readonly ref return \
    sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked \
    unsafe ushort using virtual void volatile while";

/// Without conditions that hide nothing, and with one branch of those whose branches are no whole pieces.
fn masked(text: &str) -> Option<String> {
    let plain = without_pointers(text);
    let text = plain.as_deref().unwrap_or(text);
    let whole = conditions::with_whole_branches(text);
    let masked = conditions::without_conditions(whole.as_deref().unwrap_or(text), true).or(whole);
    masked.or(plain)
}

/// The grammar loses its way at what a cast pointer leads to, `*(uint*)data`: without the cast it is found again.
fn without_pointers(text: &str) -> Option<String> {
    let mut masked: Option<Vec<u8>> = None;
    for (at, _) in text.match_indices("*(") {
        let inside = &text[at + 2..];
        let is_type = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ' ' | '*');
        let end = inside.find(|c| !is_type(c)).unwrap_or(0);
        if inside[end..].starts_with(')') && inside[..end].trim_end().ends_with('*') {
            let masked = masked.get_or_insert_with(|| text.as_bytes().to_vec());
            masked[at..at + 2 + end + 1].fill(b' ');
        }
    }
    masked.and_then(|masked| String::from_utf8(masked).ok())
}

/// `f(name: 1)`
fn argument_label(node: Node<'_>) -> Option<Node<'_>> {
    (node.kind() == "argument").then(|| node.child_by_field_name("name"))?
}
