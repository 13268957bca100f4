//! C++, and headers of either kind.

use super::{
    CONVENTIONS, Conventions, DEFAULT, Declared, Definition, Hooks, Lang, Syntax, c, is_behind, lang, macro_body,
    macro_members, macros, objc,
};
use crate::{
    extract::{Walk, given_by},
    facts::{ArgValue, CONST, Literal, Modifier, RefIdx, Shape, SymbolKind, Visibility},
    tree::Node,
};

pub(super) const LANG: Lang = lang(
    "cpp",
    &["c++", "cxx"],
    &[
        "cpp", "cc", "cxx", "c++", "h", "hpp", "hh", "hxx", "inl", "ipp", "tcc", "tpp", "txx", "cu", "cuh",
    ],
    &[],
    &[],
)
.with(&SYNTAX)
.with_conventions(Conventions {
    imports_everything: true,
    ..CONVENTIONS
});

static SYNTAX: Syntax = Syntax::new(
    tree_sitter_cpp::LANGUAGE,
    include_str!("cpp.scm"),
    Hooks {
        separator: "::",
        visibility,
        is_test: |definition| definition.kind == SymbolKind::Test || c::is_test(definition),
        kind,
        exports: namespaces_opened,
        imports: Some(imports),
        declared,
        is_definition: c::is_definition,
        words: macro_body::words,
        members: macro_members::members,
        owner,
        path: |scope, text| path_start(scope, text)..scope.end_byte(),
        name,
        masked: Some(macros::masked_with_ranges),
        has_macros: true,
        shape,
        extent,
        given,
        written,
        whole: |list, _| c::whole(list),
        has_pointers: true,
        has_operations: true,
        dialect: Some((is_objc, &objc::SYNTAX)),
        attributes: &["[["],
        reserved: RESERVED,
        ..DEFAULT
    },
);

/// Headers are of either language.
fn is_objc(text: &str) -> bool {
    let begins = |word: &str| {
        let mut found = text.match_indices(word);
        found.any(|(at, _)| at == 0 || text.as_bytes()[at - 1] == b'\n')
    };
    text.contains("@end") && (begins("@interface ") || begins("@protocol ") || begins("@implementation "))
}

/// A conversion has no node for its name alone: `operator bool` of `operator bool() const`.
fn name(name: &str) -> &str {
    match name.strip_prefix("operator ") {
        Some(rest) => {
            let mut depth = 0;
            let is_end = |c: char| {
                depth += i32::from(c == '<') - i32::from(c == '>');
                c == '(' && depth == 0
            };
            let end = rest.find(is_end).filter(|at| *at > 0).unwrap_or(rest.len());
            name[..name.len() - rest.len() + end].trim_end()
        }
        None => name,
    }
}

/// `Outer::Inner` of `Outer<T>::Inner::name`.
fn owner(scope: Node<'_>, text: &str) -> Option<String> {
    let mut parts = Vec::new();
    let mut inner = scope.parent()?;
    if inner.kind() == "template_type" {
        inner = inner.parent()?;
    }
    while let Some(outer) = inner.parent().filter(|outer| outer.kind() == "qualified_identifier") {
        let scope = outer.child_by_field_name("scope").map(c::template_name);
        parts.extend(scope.and_then(|scope| text.get(scope.byte_range())));
        inner = outer;
    }
    if parts.is_empty() {
        return None;
    }
    parts.reverse();
    parts.extend(text.get(scope.byte_range()));
    Some(parts.join("::"))
}

/// The grammar nests what a name is in to the right: `a::(b::(c::name))`.
fn path_start(scope: Node<'_>, text: &str) -> usize {
    if !is_behind(scope, text, "::") {
        return scope.start_byte();
    }
    let is_path = |node: &Node<'_>| node.kind() == "qualified_identifier";
    let outward = std::iter::successors(scope.parent(), |node| node.parent());
    let outermost = outward.take_while(is_path).last();
    outermost.map_or(scope.start_byte(), |outermost| outermost.start_byte())
}

/// How far out the walk to a class or namespace goes: through templates and preprocessor blocks.
const MAX_OUTWARD: usize = 32;

/// How many members before one are searched for `public:` and the like.
const MAX_MEMBERS: usize = 4096;

fn visibility(definition: &Definition<'_>) -> Option<Visibility> {
    match definition.parent {
        _ if matches!(
            definition.kind,
            SymbolKind::Variant | SymbolKind::Macro | SymbolKind::Test
        ) =>
        {
            None
        }
        Some(SymbolKind::Class | SymbolKind::Struct | SymbolKind::Union) => access(definition),
        // Members are as visible as their declaration in the class says.
        None | Some(SymbolKind::Namespace) if is_outside(definition) => None,
        None | Some(SymbolKind::Namespace) if is_unnamed(definition.node) => Some(Visibility::Private),
        _ => c::visibility(definition),
    }
}

/// `Type::name`, defined outside of its class.
fn is_outside(definition: &Definition<'_>) -> bool {
    let declarator = definition.node.child_by_field_name("declarator");
    declarator
        .and_then(c::declared)
        .is_some_and(|declared| declared.owner.is_some())
}

/// Inside a namespace without a name.
fn is_unnamed(definition: Node<'_>) -> bool {
    let outward = std::iter::successors(definition.parent(), |node| node.parent());
    let mut namespaces = outward
        .take(MAX_OUTWARD)
        .filter(|node| node.kind() == "namespace_definition");
    namespaces.any(|namespace| namespace.child_by_field_name("name").is_none())
}

/// By the last `public:`, `protected:` or `private:` before a member, else by what kind of type it is in.
fn access(definition: &Definition<'_>) -> Option<Visibility> {
    let mut member = definition.node;
    for _ in 0..MAX_OUTWARD {
        let around = member.parent()?;
        if let Some(stated) = stated_before(around, member, definition.text) {
            return Some(stated);
        }
        let is_list = matches!(around.kind(), "field_declaration_list" | "compound_statement");
        member = around;
        if is_list {
            break;
        }
    }
    let specifier = member.parent()?;
    // A macro before the name makes a class look like a function of that type.
    let specifier = match specifier.kind() {
        "function_definition" => specifier.child_by_field_name("type")?,
        _ => specifier,
    };
    Some(match specifier.kind() {
        "class_specifier" => Visibility::Private,
        _ => Visibility::Public,
    })
}

fn stated_before(around: Node<'_>, member: Node<'_>, text: &str) -> Option<Visibility> {
    let children = around.named_children();
    let before = children
        .take(MAX_MEMBERS)
        .take_while(|child| child.start_byte() <= member.start_byte());
    let stated = before.filter_map(|child| {
        let word = match child.kind() {
            "access_specifier" => child,
            "labeled_statement" => child.child_by_field_name("label")?,
            _ => return None,
        };
        match text.get(word.byte_range())? {
            "public" => Some(Visibility::Public),
            "protected" => Some(Visibility::Protected),
            "private" => Some(Visibility::Private),
            _ => None,
        }
    });
    stated.last()
}

fn kind(definition: &Definition<'_>) -> SymbolKind {
    let node = definition.node;
    let is_friend = || {
        node.parent()
            .is_some_and(|parent| parent.kind() == "friend_declaration")
    };
    match definition.kind {
        SymbolKind::Method if is_friend() => SymbolKind::Function,
        SymbolKind::Method if is_constructor(definition) => SymbolKind::Constructor,
        // What could be a variable with arguments, but is not inside a function.
        SymbolKind::Variable if declares_function(node) => SymbolKind::Function,
        SymbolKind::Field if node.kind() == "declaration" && declares_function(node) => SymbolKind::Method,
        SymbolKind::Field if definition.head.contains("static ") && c::is_constant(definition) => SymbolKind::Constant,
        _ => c::kind(definition),
    }
}

/// Named like its class, and without a type.
fn is_constructor(definition: &Definition<'_>) -> bool {
    if definition.node.child_by_field_name("type").is_some() {
        return false;
    }
    let declarator = definition.node.child_by_field_name("declarator");
    let owner = declarator.and_then(c::declared).and_then(|declared| declared.owner);
    match owner {
        Some(owner) => definition.text.get(owner.byte_range()) == Some(definition.name),
        None => definition
            .parent_head
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|word| word == definition.name),
    }
}

fn declares_function(node: Node<'_>) -> bool {
    node.child_by_field_name("declarator")
        .filter(|declarator| declarator.kind() == "function_declarator")
        .and_then(|declarator| declarator.child_by_field_name("declarator"))
        .is_some_and(|name| name.kind() == "identifier")
}

/// `TEST(Suite, Name)` reads like a function with parameters; else as in C.
fn declared<'t>(declarator: Node<'t>) -> Option<Declared<'t>> {
    if declarator.kind() != "parameter_list" {
        return c::declared(declarator);
    }
    let mut arguments = declarator
        .named_children()
        .filter_map(|argument| argument.child_by_field_name("type"));
    let first = arguments.next()?;
    Some(match arguments.next() {
        Some(name) => Declared {
            name,
            owner: Some(first),
        },
        None => Declared {
            name: first,
            owner: None,
        },
    })
}

/// The body of a test that a macro names by a text stands behind it: `TEST_CASE("opens") { .. }`.
fn extent(node: Node<'_>, _: &str) -> Option<usize> {
    let body = node
        .next_named_sibling()
        .filter(|_| node.kind() == "expression_statement")?;
    (body.kind() == "compound_statement").then(|| body.end_byte())
}

/// A method that leaves its object as it is may stand beside another one of the same parameters.
fn shape(method: Node<'_>, text: &str) -> Option<Shape> {
    let mut node = method;
    while node.kind() != "function_declarator" {
        node = match node.kind() {
            "reference_declarator" => node.named_child(0)?,
            _ => node.child_by_field_name("declarator")?,
        };
    }
    let mut qualifiers = node.children().filter(|child| child.kind() == "type_qualifier");
    let is_const = qualifiers.any(|qualifier| &text[qualifier.byte_range()] == CONST);
    is_const.then_some(Shape::Modifier(Modifier::Const))
}

/// What tells functions of one name apart: pointers, and numbers of all kinds.
fn given(argument: Node<'_>, text: &str) -> Option<ArgValue> {
    let written = &text[argument.byte_range()];
    let literal = match argument.kind() {
        "pointer_expression" if written.starts_with('*') => return Some(ArgValue::Pointed(RefIdx::UNKNOWN)),
        "pointer_expression" | "new_expression" => return Some(ArgValue::Address(RefIdx::UNKNOWN)),
        "unary_expression" if written.starts_with('!') => Literal::Boolean,
        "number_literal" => {
            let is_hex = written.starts_with("0x") || written.starts_with("0X");
            match written.contains('.') || (!is_hex && written.contains(['e', 'E'])) {
                true => Literal::Float,
                false => return None,
            }
        }
        "sizeof_expression" => Literal::Long,
        "parenthesized_expression" => return given(argument.named_child(0)?, text),
        "conditional_expression" => {
            let first = argument.child_by_field_name("consequence")?;
            let first = given(first, text).unwrap_or_else(|| given_by(first, text));
            return matches!(first, ArgValue::Literal(_)).then_some(first);
        }
        // Of wider characters.
        "char_literal" | "string_literal" | "raw_string_literal" if !written.starts_with(['\'', '"', 'R']) => {
            return Some(ArgValue::Other);
        }
        // `int(x)`, `(int)x`, `static_cast<int>(x)`
        "call_expression" => {
            let function = argument.child_by_field_name("function")?;
            match function.kind() {
                "primitive_type" => plain(&text[function.byte_range()])?,
                "template_function" => {
                    let name = function.child_by_field_name("name")?;
                    let is_cast = text[name.byte_range()].ends_with("_cast");
                    let arguments = function.child_by_field_name("arguments").filter(|_| is_cast)?;
                    return cast_to(arguments.named_child(0)?, text);
                }
                _ => return None,
            }
        }
        "cast_expression" => return cast_to(argument.child_by_field_name("type")?, text),
        _ => return None,
    };
    Some(ArgValue::Literal(literal))
}

/// Numbers whose type is written beside them: `1U`, `1.5f`, `static_cast<float>(n)`, `unsigned(n)`, `int64_t(n)`.
fn written(argument: Node<'_>, text: &str) -> Option<String> {
    let of = |node: Node<'_>| text[node.byte_range()].trim().to_owned();
    let is_number = |ty: &String| {
        let is_plain = plain(ty).is_some();
        let is_named = ty.ends_with("_t")
            || ["float", "short", "signed", "unsigned"]
                .iter()
                .any(|word| ty.contains(word));
        !is_plain
            && is_named
            && ty
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_ :".contains(&byte))
    };
    match argument.kind() {
        "number_literal" => {
            let number = of(argument).to_ascii_lowercase();
            if number.starts_with("0x") {
                return None;
            }
            let ty =
                match number.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '\'' | 'e' | '-')) {
                    "f" => "float",
                    "u" => "unsigned int",
                    "ul" | "lu" => "unsigned long",
                    "ull" | "llu" => "unsigned long long",
                    "ll" => "long long",
                    _ => return None,
                };
            Some(ty.to_owned())
        }
        "call_expression" => {
            let function = argument.child_by_field_name("function")?;
            let ty = match function.kind() {
                "primitive_type" | "sized_type_specifier" | "identifier" | "qualified_identifier" => of(function),
                "template_function" => {
                    let name = of(function.child_by_field_name("name")?);
                    let arguments = function.child_by_field_name("arguments")?;
                    of(arguments.named_child(0).filter(|_| name.ends_with("_cast"))?)
                }
                _ => return None,
            };
            Some(ty).filter(is_number)
        }
        _ => None,
    }
}

/// What a cast to a type gives, where that is not what the type's own name says.
fn cast_to(ty: Node<'_>, text: &str) -> Option<ArgValue> {
    let written = &text[ty.byte_range()];
    let written = written.strip_prefix(CONST).unwrap_or(written).trim();
    if let Some(pointed) = written.strip_suffix('*') {
        return Some(match plain(pointed.trim()) {
            Some(Literal::Character) => ArgValue::Literal(Literal::Text),
            Some(_) => ArgValue::Other,
            None => ArgValue::Address(RefIdx::UNKNOWN),
        });
    }
    plain(written).map(ArgValue::Literal)
}

fn plain(ty: &str) -> Option<Literal> {
    Some(match ty {
        "bool" => Literal::Boolean,
        "char" => Literal::Character,
        "int" => Literal::Integer,
        "long" => Literal::Long,
        "double" => Literal::Float,
        _ => return None,
    })
}

fn imports(node: Node<'_>, walk: &mut Walk<'_>) {
    let at = node.start_byte() as u32;
    let compact = |node: Node<'_>, walk: &Walk<'_>| walk.text(node).split_whitespace().collect::<String>();
    match node.kind() {
        "using_declaration" => {
            let is_namespace = node.children().any(|child| child.kind() == "namespace");
            let Some(name) = node.named_child(node.named_child_count().saturating_sub(1) as _) else {
                return;
            };
            let name = compact(name, walk);
            let name = name.trim_start_matches("::");
            match name.rsplit_once("::") {
                _ if is_namespace => walk.import_text(name, None, None, true, false, at),
                Some((path, item)) => walk.import_text(path, Some(item), None, false, false, at),
                None => walk.import_text(name, None, None, false, false, at),
            }
        }
        "namespace_alias_definition" => {
            let alias = node.child_by_field_name("name").map(|name| walk.text(name).to_owned());
            let target = node.named_child(node.named_child_count().saturating_sub(1) as _);
            if let Some(target) = target {
                let target = compact(target, walk);
                walk.import_text(&target, None, alias.as_deref(), false, false, at);
            }
        }
        _ => c::includes(node, walk),
    }
}

/// A macro that opens namespaces, which the grammar cannot see: what is in them is not found to be in any, and a path
/// through them leads to the same as one without them. `#define BEGIN_SHAPES namespace shapes { namespace detail {`
fn namespaces_opened(define: Node<'_>, walk: &mut Walk<'_>) {
    let Some(body) = define.child_by_field_name("value").map(|body| walk.text(body)) else {
        return;
    };
    if !body.contains('{') {
        return;
    }
    for part in body.split("namespace").skip(1) {
        let Some((path, _)) = part.split_once('{') else {
            continue;
        };
        for name in path.split("::").map(str::trim) {
            if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                walk.opens(name, define.start_byte() as u32);
            }
        }
    }
}

/// Words that no name can be.
pub(super) const RESERVED: &str = "\
    alignas alignof and asm auto bool break case catch char class co_await co_return co_yield const const_cast \
    consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit export \
    extern false float for friend goto if inline int long mutable namespace new noexcept not nullptr operator or \
    private protected public register reinterpret_cast return short signed sizeof static static_assert static_cast \
    struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual \
    void volatile while xor";
