//! Facts as a person would read them: for fixture tests, and for whoever teaches Portolan a language.

use std::{borrow::Cow, fmt::Write};

use crate::{
    extract::{self, TreeComparison},
    facts::{
        Annotation, ArgValue, ArgumentSlot, Binding, BindingRole, CallbackParameter, Context, ContextId, FileFacts,
        Import, LocalKind, NameId, Note, Pattern, PatternStep, Qualifier, RefIdx, Reference, Symbol, Tag, TypeSource,
    },
    lang::{LANGS, Lang, LangId},
    tree::Node,
};

/// The outline, the imports, and the uses of names line by line.
pub fn describe(facts: &FileFacts, text: &str) -> String {
    let mut out = String::new();
    for symbol in &facts.symbols {
        describe_symbol(&mut out, facts, symbol, text);
    }
    out.push_str("\nimports\n");
    for import in &facts.imports {
        describe_import(&mut out, facts, import);
    }
    out.push_str("\nlocal names\n");
    for binding in &facts.bindings {
        describe_binding(&mut out, facts, binding);
    }
    if !facts.annotations.is_empty() {
        out.push_str("\nnotes\n");
    }
    for annotation in &facts.annotations {
        describe_annotation(&mut out, facts, annotation);
    }
    out.push_str("\nuses\n");
    describe_uses(&mut out, facts);
    out
}

fn describe_symbol(out: &mut String, facts: &FileFacts, symbol: &Symbol, text: &str) {
    let mut depth = 0;
    let mut parent = symbol.parent;
    while let Some(at) = parent {
        depth += 1;
        parent = facts.symbols[at].parent;
    }
    let indent = "  ".repeat(depth);
    let owner = symbol
        .owner
        .map_or(String::new(), |owner| format!("{}/", facts.names.get(owner)));
    let visibility = symbol.visibility.map_or("", |visibility| visibility.as_str());
    let line = |at: u32| facts.lines.line(at);
    let (first, last) = (line(symbol.span.start), line(symbol.span.end.max(1) - 1));
    let _ = write!(
        out,
        "{indent}{} {owner}{} {first}-{last} {visibility} `{}`",
        symbol.kind.as_str(),
        facts.name(symbol),
        facts.signature(symbol, text),
    );
    if symbol.is_test {
        out.push_str(" test");
    }
    if symbol.is_declaration {
        out.push_str(" declaration");
    }
    if symbol.complexity.cyclomatic > 1 {
        let _ = write!(
            out,
            " complexity {}/{}",
            symbol.complexity.cyclomatic, symbol.complexity.cognitive
        );
    }
    describe_type_and_value(out, facts, symbol.ty, "", symbol.value);
    if let Some(doc) = facts.doc(symbol, text) {
        let _ = write!(out, " doc {:?}", doc.lines().next().unwrap_or_default());
    }
    out.push('\n');
}

fn describe_import(out: &mut String, facts: &FileFacts, import: &Import) {
    let _ = write!(out, "{}: {}", facts.lines.line(import.at), facts.names.get(import.path));
    if let Some(item) = import.item {
        let _ = write!(out, " > {}", facts.names.get(item));
    }
    if let Some(alias) = import.alias {
        let _ = write!(out, " as {}", facts.names.get(alias));
    }
    if import.wildcard {
        out.push_str(" > *");
    }
    if import.reexport {
        out.push_str(" (again for others)");
    }
    out.push('\n');
}

fn describe_binding(out: &mut String, facts: &FileFacts, binding: &Binding) {
    let _ = write!(
        out,
        "{}: {}{} until {}",
        facts.lines.line(binding.at),
        match binding.role {
            BindingRole::Local => "",
            BindingRole::NarrowedMember => "member ",
        },
        facts.names.get(binding.name),
        facts.lines.line(binding.scope.end.max(1) - 1)
    );
    let kind = match binding.kind {
        LocalKind::Plain => "",
        kind => kind.as_str(),
    };
    describe_type_and_value(out, facts, binding.ty, kind, binding.value);
    out.push('\n');
}

fn describe_annotation(out: &mut String, facts: &FileFacts, annotation: &Annotation) {
    let _ = write!(out, "{}: ", facts.lines.line(annotation.at));
    let name = |id| facts.names.get(id);
    let _ = match annotation.note {
        Note::Modifier(modifier) => write!(out, "{}", modifier.as_str()),
        Note::Signature(signature) => write!(out, "signature `{}`", name(signature)),
        Note::FurtherValue(value) => write!(out, "or value {}", shown(facts, &facts.references[value])),
        Note::FurtherType(ty) => write!(out, "or type `{}`", name(ty)),
        Note::ArrowFunction => write!(out, "arrow function"),
        Note::LiteralTag { member, value } => write!(out, "literal with {} = {}", name(member), name(value)),
        Note::OpensNamespace(namespace) => write!(out, "opens namespace {}", name(namespace)),
        Note::FileCondition(condition) => write!(out, "file if `{}`", name(condition)),
        Note::FurtherClause(function) => write!(out, "further clause of {}", name(function)),
        Note::UnnamedTypeField { name: field, ty } => {
            write!(out, "field {} of an unnamed type `{}`", name(field), name(ty))
        }
    };
    if annotation.scope.start < annotation.scope.end {
        let _ = write!(out, " until {}", facts.lines.line(annotation.scope.end.max(1) - 1));
    }
    out.push('\n');
}

fn describe_type_and_value(
    out: &mut String,
    facts: &FileFacts,
    ty: Option<TypeSource>,
    kind: &str,
    value: Option<RefIdx>,
) {
    if let Some(ty) = ty {
        out.push_str(" type ");
        describe_type(out, facts, ty);
    }
    if !kind.is_empty() {
        let _ = write!(out, " {kind}");
    }
    if let Some(value) = value {
        let _ = write!(out, " value {}", shown(facts, &facts.references[value]));
    }
}

fn describe_type(out: &mut String, facts: &FileFacts, ty: TypeSource) {
    let name = |id| facts.names.get(id);
    let _ = match ty {
        TypeSource::Expr(expr) => write!(out, "`{}`", name(expr)),
        TypeSource::Element => write!(out, "of an element"),
        TypeSource::Literal => write!(out, "of a literal"),
        TypeSource::Expected(context) => write!(out, "expected of {}", shown_context(facts, context)),
        TypeSource::Destructured(pattern) => {
            let Pattern { steps, of } = facts.pattern(pattern);
            let steps: Vec<String> = steps.iter().map(|step| shown_step(facts, step)).collect();
            let of = of.map(|parameter| format!(" of {}", shown_parameter(facts, parameter)));
            write!(out, "by pattern [{}]{}", steps.join(", "), of.unwrap_or_default())
        }
        TypeSource::Component(index) => write!(out, "of component {index}"),
        TypeSource::ElementComponent(index) => write!(out, "of component {index} of an element"),
        TypeSource::NamedComponent { pattern, index } => write!(out, "of component {index} of `{}`", name(pattern)),
        TypeSource::Held => write!(out, "of what is held"),
        TypeSource::Range(0) => write!(out, "of a key"),
        TypeSource::Range(_) => write!(out, "of what is at a key"),
        TypeSource::Entered => write!(out, "of what is entered"),
        TypeSource::Not(expr) => write!(out, "not `{}`", name(expr)),
        TypeSource::Guarded(at) => write!(out, "by the guard in line {}", facts.lines.line(at)),
        TypeSource::Tagged { tag, holds } => {
            let Tag { member, values } = facts.tag(tag);
            let values: Vec<&str> = values.iter().map(|value| name(*value)).collect();
            let holds = if holds { "" } else { "not " };
            write!(out, "{holds}with {} = {}", name(*member), values.join(" or "))
        }
    };
}

fn shown_step(facts: &FileFacts, step: &PatternStep) -> String {
    let name = |id: &NameId| facts.names.get(*id);
    match step {
        PatternStep::Component(index) => format!("component {index}"),
        PatternStep::ElementComponent(index) => format!("component {index} of an element"),
        PatternStep::ListElement(index) => format!("element {index}"),
        PatternStep::NamedComponent { pattern, index } => format!("component {index} of `{}`", name(pattern)),
        PatternStep::Element => "an element".to_owned(),
        PatternStep::As(ty) => format!("as `{}`", name(ty)),
        PatternStep::Member(member) => format!("member {}", name(member)),
    }
}

fn shown_context(facts: &FileFacts, context: ContextId) -> String {
    let of = |context| shown_context(facts, context);
    let line = |at: u32| facts.lines.line(at);
    match facts.context(context) {
        Context::Type(ty) => format!("`{}`", facts.names.get(ty)),
        Context::Argument { callee_at, slot } => match slot {
            ArgumentSlot::Nth(nth) => format!("argument {nth} of the call in line {}", line(callee_at)),
            ArgumentSlot::Trailing => format!("the block behind the call in line {}", line(callee_at)),
        },
        Context::AssignedTo(at) => format!("what is assigned in line {}", line(at)),
        Context::ReturnedFrom(at) => format!("what is returned from line {}", line(at)),
        Context::Member { of: outer, key } => format!("member {} of {}", facts.names.get(key), of(outer)),
        Context::Element(outer) => format!("an element of {}", of(outer)),
        Context::Result(outer) => format!("the result of {}", of(outer)),
        Context::Parameter(parameter) => shown_parameter(facts, parameter),
    }
}

fn shown_parameter(facts: &FileFacts, parameter: CallbackParameter) -> String {
    let CallbackParameter { of, key, index } = parameter;
    let key = key.map(|key| format!("member {} of ", facts.names.get(key)));
    format!(
        "parameter {index} of {}{}",
        key.unwrap_or_default(),
        shown_context(facts, of)
    )
}

fn describe_uses(out: &mut String, facts: &FileFacts) {
    let mut last = 0;
    for (index, reference) in RefIdx::enumerate(&facts.references) {
        let line = facts.lines.line(reference.at);
        if line != last {
            if last != 0 {
                out.push('\n');
            }
            let _ = write!(out, "{line}:");
            last = line;
        } else {
            out.push(';');
        }
        let _ = write!(out, " {}", shown(facts, reference));
        let given: Vec<Cow<'_, str>> = facts.given(index).map(|given| shown_given(facts, given)).collect();
        if !given.is_empty() {
            let _ = write!(out, "({})", given.join(", "));
        }
    }
    out.push('\n');
}

fn shown(facts: &FileFacts, reference: &Reference) -> String {
    let mut name = facts.names.get(reference.name).to_owned();
    if let Some(count) = reference.arguments {
        let _ = write!(name, "/{count}");
    }
    let role = reference.role.as_str();
    match reference.on {
        Qualifier::Nothing => format!("{role} {name}"),
        Qualifier::Path(path) => format!("{role} {name} in {}", facts.names.get(path)),
        Qualifier::Value(at) => format!("{role} {name} on {}", facts.names.get(facts.references[at].name)),
        Qualifier::This => format!("{role} {name} on this"),
        Qualifier::Super => format!("{role} {name} on super"),
        Qualifier::Literal => format!("{role} {name} on a literal"),
        Qualifier::Context(context) => format!("{role} {name} of {}", shown_context(facts, context)),
        Qualifier::Other => format!("{role} {name} on something"),
    }
}

fn shown_given(facts: &FileFacts, given: ArgValue) -> Cow<'_, str> {
    let name = |at: RefIdx| facts.names.get(facts.references[at].name);
    match given {
        ArgValue::Value(at) => name(at).into(),
        ArgValue::Pointed(at) => format!("*{}", name(at)).into(),
        ArgValue::Address(at) => format!("&{}", name(at)).into(),
        ArgValue::This => "this".into(),
        ArgValue::Labels(written) | ArgValue::Written(written) => facts.names.get(written).into(),
        ArgValue::Literal(literal) => literal.as_str().into(),
        ArgValue::Function => "function".into(),
        ArgValue::Other => "?".into(),
    }
}

/// Parses and does nothing with the tree: what the speed of extraction is measured against.
pub fn bare_parse(lang: &'static Lang, text: &str) -> bool {
    extract::bare_parse(lang, text).is_some()
}

/// Compares the trees of a text, and of the texts in other languages inside of it, with those that the `tree-sitter` crate makes.
/// They are the same: `parse.c` is only quicker.
pub fn compare_trees(lang: &'static Lang, text: &str) -> TreeComparison {
    extract::compare_trees(lang, text)
}

/// In how many places a text is not what its grammar knows; not told of a language without one.
pub fn n_faults(lang: &'static Lang, text: &str) -> Option<usize> {
    extract::with_tree(lang, text, |tree| {
        let is_fault = |node: &Node<'_>| node.is_error() || node.is_missing();
        tree.nodes().filter(is_fault).count()
    })
}

/// The syntax tree as its grammar sees it, one node a line: what queries are written against.
pub fn describe_tree(lang: &'static Lang, text: &str) -> Option<String> {
    extract::with_tree(lang, text, |tree| {
        let mut out = String::new();
        for node in tree.nodes() {
            let depth = node.depth() as usize;
            if node.is_named() {
                let field = node.field_name().map_or(String::new(), |field| format!("{field}: "));
                let line: String = text[node.byte_range()]
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .chars()
                    .take(60)
                    .collect();
                let _ = writeln!(out, "{}{field}({}) {line}", "  ".repeat(depth), node.kind());
            } else if let Some(field) = node.field_name() {
                let _ = writeln!(out, "{}{field}: {:?}", "  ".repeat(depth), node.kind());
            }
        }
        out
    })
}

const LANGUAGES: &str = "\
# Languages

<!-- Generated by `cargo xtask docs` from the language table; a test fails when it is out of date. -->

What Portolan knows of a file depends on its language:

- **complete**: definitions with kind, signature, visibility, documentation and owner; every use of a name with its role \
(call, type, import, member, variable, implementation) and what it stands on; imports; local names; complexity; tests.
- **calls**: definitions, calls and imports, and other uses where they come for free.
- **outline**: definitions only, which also shape the chunks that search shows.
- **text**: recognised and searched as text. There is no grammar for it that builds here.

What a name means is found by its language's rules where the table says `rules`: by scopes, imports, modules and what is \
known of types. In the others it is taken for any definition of that name in the workspace.

A file is of a language by its name or the end of it, else by the interpreter in its first line. A template that a build \
fills in is read as what it becomes: `config.h.in` as a header.

Every language's chunks, symbols and uses are shown by a fixture in `crates/syntax/tests/fixtures`, and who uses what by one in \
`crates/graph/tests/fixtures`.

| language | known | names by | files |
|---|---|---|---|
";

/// `docs/languages.md`, made from the language table and which languages have rules for names.
pub fn languages_md(has_rules: impl Fn(LangId) -> bool) -> String {
    let mut out = LANGUAGES.to_owned();
    for lang in LANGS {
        let extensions = lang.extensions.iter().map(|extension| format!("`.{extension}`"));
        let names = lang.filenames.iter().map(|name| format!("`{name}`"));
        let signs: Vec<String> = extensions.chain(names).collect();
        let names = match lang.known() {
            "complete" | "calls" if has_rules(lang.id) => "rules",
            "complete" | "calls" => "name",
            _ => "",
        };
        let _ = writeln!(
            out,
            "| {} | {} | {names} | {} |",
            lang.name,
            lang.known(),
            signs.join(", ")
        );
    }
    out
}
