//! What holds for the facts of every text in every language. The fuzz targets check the same.

use source::Span;
use syntax::{
    ChunkOptions, Context, ContextId, FileFacts, NameId, Note, PatternStep, Qualifier, RefIdx, TypeExpr, TypeSource,
};

/// Panics if something is said of a place that the text does not have.
pub fn check(facts: &FileFacts, text: &str, options: ChunkOptions) {
    let offset = |at: u32, what: &str| assert!(text.is_char_boundary(at as usize), "{what} at {at}");
    let span = |span: Span, what: &str| {
        assert!(span.start <= span.end, "{what} ends before it begins: {span:?}");
        offset(span.start, what);
        offset(span.end, what);
    };
    let mut covered = 0;
    for chunk in &facts.chunks {
        offset(chunk.start, "chunk");
        offset(chunk.end, "chunk");
        assert!(chunk.start <= covered && chunk.end > covered, "a hole before {chunk:?}");
        assert!(
            text[chunk.range()].chars().count() <= options.size as usize,
            "{chunk:?}"
        );
        assert_eq!(facts.lines.line(chunk.start), chunk.first_line);
        assert_eq!(facts.lines.line(chunk.end - 1), chunk.last_line);
        covered = chunk.end;
    }
    assert_eq!(covered as usize, text.len(), "chunks cover the text");
    let mut last = 0;
    for symbol in &facts.symbols {
        assert!(last <= symbol.span.start, "symbols are in order");
        last = symbol.span.start;
        span(symbol.span, "symbol");
        span(symbol.signature, "signature");
        if let Some(doc) = symbol.doc {
            span(doc, "doc");
        }
        offset(symbol.name_at, "name");
        offset(symbol.lead, "lead");
        assert!(symbol.lead <= symbol.span.start, "a lead is before its symbol");
        facts.signature(symbol, text);
        facts.doc(symbol, text);
    }
    let mut last = 0;
    for reference in &facts.references {
        assert!(last <= reference.at, "references are in order");
        last = reference.at;
        offset(reference.at, "reference");
    }
    facts.imports.iter().for_each(|import| offset(import.at, "import"));
    for binding in &facts.bindings {
        offset(binding.at, "binding");
        span(binding.scope, "scope");
    }
    let mut last = 0;
    for annotation in &facts.annotations {
        assert!(last <= annotation.at, "annotations are in order");
        last = annotation.at;
        offset(annotation.at, "annotation");
        span(annotation.scope, "annotated scope");
    }
    assert!(facts.comment_lines <= facts.lines.count());
    assert!(facts.blank_lines <= facts.lines.count());
    walk(facts);
}

/// Panics if a part of a type has no text, or has names that the type does not have.
fn type_expr(text: &str) {
    let parsed = TypeExpr::parse(text);
    for part in parsed.root().descendants() {
        assert!(text.contains(part.text()), "{text}");
        assert!(part.first_name().is_none_or(|name| text.contains(name)), "{text}");
        assert!(part.arguments().count() <= text.len(), "{text}");
    }
}

/// Panics if an index leads nowhere.
pub fn walk(facts: &FileFacts) {
    let name = |id: NameId| facts.names.get(id).len();
    let names = |id: Option<NameId>| id.map_or(0, name);
    let value = |at: Option<RefIdx>| assert!(at.is_none_or(|at| at.as_usize() < facts.references.len()));
    let context = |at: ContextId| assert!((at.0 as usize) < facts.contexts.len());
    let ty = |ty: Option<TypeSource>| match ty {
        Some(TypeSource::Expr(text) | TypeSource::Not(text) | TypeSource::NamedComponent { pattern: text, .. }) => {
            name(text);
            type_expr(facts.names.get(text));
        }
        Some(TypeSource::Expected(at)) => context(at),
        Some(TypeSource::Destructured(at)) => {
            let pattern = &facts.patterns[at.0 as usize];
            pattern.of.into_iter().for_each(|parameter| context(parameter.of));
            for step in &pattern.steps {
                match *step {
                    PatternStep::NamedComponent { pattern: text, .. }
                    | PatternStep::As(text)
                    | PatternStep::Member(text) => drop(name(text)),
                    _ => {}
                }
            }
        }
        Some(TypeSource::Tagged { tag, .. }) => {
            let tag = &facts.tags[tag.0 as usize];
            for value in &tag.values {
                name(*value);
            }
            name(tag.member);
        }
        _ => {}
    };
    for (at, one) in facts.contexts.iter().enumerate() {
        match *one {
            Context::Type(ty) => drop(name(ty)),
            Context::Member { of, key } => {
                name(key);
                assert!((of.0 as usize) < at, "what a context is part of comes first");
            }
            Context::Element(of) | Context::Result(of) => {
                assert!((of.0 as usize) < at, "what a context is part of comes first");
            }
            Context::Parameter(parameter) => {
                names(parameter.key);
                assert!((parameter.of.0 as usize) < at, "what a context is part of comes first");
            }
            Context::Argument { .. } | Context::AssignedTo(_) | Context::ReturnedFrom(_) => {}
        }
    }
    for (at, symbol) in facts.symbols.iter().enumerate() {
        name(symbol.name);
        names(symbol.owner);
        ty(symbol.ty);
        value(symbol.value);
        assert!(
            symbol.parent.is_none_or(|parent| parent.as_usize() < at),
            "a parent comes first"
        );
    }
    for reference in &facts.references {
        name(reference.name);
        match reference.on {
            Qualifier::Path(path) => drop(name(path)),
            Qualifier::Value(at) => value(Some(at)),
            Qualifier::Context(at) => context(at),
            _ => {}
        }
    }
    for import in &facts.imports {
        name(import.path);
        names(import.item);
        names(import.alias);
    }
    for binding in &facts.bindings {
        name(binding.name);
        ty(binding.ty);
        value(binding.value);
    }
    for annotation in &facts.annotations {
        match annotation.note {
            Note::Modifier(_) | Note::ArrowFunction => {}
            Note::FurtherValue(at) => value(Some(at)),
            Note::Signature(text)
            | Note::FurtherType(text)
            | Note::OpensNamespace(text)
            | Note::FileCondition(text)
            | Note::FurtherClause(text) => drop(name(text)),
            Note::LiteralTag { member, value } => drop((name(member), name(value))),
            Note::UnnamedTypeField { name: field, ty } => drop((name(field), name(ty))),
        }
    }
    for line in 1..=facts.lines.count() {
        let span = facts.lines.span(line);
        assert!(span.start <= span.end && span.end <= facts.lines.len());
        assert!(line == facts.lines.count() || facts.lines.line(span.start) == line);
    }
    if let Some(symbol) = facts.symbols.last() {
        facts.path_of(symbol);
        facts.enclosing(symbol.span.start);
    }
}
