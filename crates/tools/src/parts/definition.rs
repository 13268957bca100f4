//! A definition as answers show it, and what is said where there is none.

use queries::{Evidence, KeywordError, KindFilter, Likeness, Snapshot, SymbolHit, SymbolName};
use serde_json::{Value, json};
use workspace::QueryProblem;

use crate::machinery::{
    answer::{Answer, Row},
    error::{ErrorCode, ToolError},
    units::{plural, rounded},
    visible::{clip, visible_name},
};

/// Longer signatures are cut: some languages have values in them.
const SIGNATURE_CHARS: usize = 500;
/// Names that are offered for one that is not there.
const NEAREST: usize = 5;

/// A name as users write it.
pub(crate) fn symbol_name(text: &str) -> Result<SymbolName, ToolError> {
    SymbolName::parse(text).ok_or_else(|| ToolError {
        hint: "names look like `parse`, `Parser::parse`, `pkg.Class.method` or `parse#function`".into(),
        ..ToolError::invalid(format!("`{text}` holds no name"))
    })
}

pub(crate) fn kind_filter(word: &str) -> Result<KindFilter, ToolError> {
    let unknown = || workspace::Error::Query(QueryProblem::Keyword(KeywordError::UnknownKind(word.to_owned())));
    Ok(KindFilter::parse(word).ok_or_else(unknown)?)
}

/// An index can be without symbols; that nothing is found there means nothing.
pub(crate) fn needs_symbols(snapshot: &Snapshot) -> Result<(), ToolError> {
    if snapshot.session().config.symbols {
        return Ok(());
    }
    Err(ToolError::new(
        ErrorCode::Index,
        "this index holds no symbols: `indexing.symbols` is false",
        "search_code in mode keyword and grep find names as text; get_config shows where the setting comes from",
    ))
}

/// What is in a file is not known where it could not be parsed.
pub(crate) fn needs_parsed(snapshot: &Snapshot, path: &str) -> Result<(), ToolError> {
    let unparsed = snapshot.unparsed();
    let Some(file) = unparsed.iter().find(|file| file.path == path) else {
        return Ok(());
    };
    let path = visible_name(path);
    Err(ToolError::new(
        ErrorCode::NotFound,
        format!("`{path}` is not parsed ({}), so no names are known in it", file.reason),
        "give `symbol` alone, or find the text with search_code or grep",
    ))
}

pub(crate) fn row(hit: &SymbolHit, evidence: Option<Evidence>) -> Row {
    let mut json = json(hit);
    let mut known = String::new();
    match evidence {
        Some(Evidence::Exact) => json["origin"] = "exact".into(),
        Some(Evidence::Resolved) => json["origin"] = "resolved".into(),
        Some(Evidence::Name(confidence)) => {
            let confidence = rounded(confidence);
            json["origin"] = "name".into();
            json["confidence"] = confidence.into();
            known = format!(" [by name, confidence {confidence:.2}]");
        }
        None => {}
    }
    Row {
        text: format!("{}{known}\n  {}", place(hit), signature(hit)),
        json,
        body: None,
    }
}

/// `src/query.rs:18:8 Parser::parse (method, public)`.
pub(crate) fn place(hit: &SymbolHit) -> String {
    let mut words = vec![hit.kind.as_str()];
    words.extend(hit.visibility.map(|visibility| visibility.as_str()));
    words.extend(hit.is_declaration.then_some("declaration"));
    words.extend(hit.is_test.then_some("test"));
    format!(
        "{}:{}:{} {} ({})",
        visible_name(&hit.path),
        hit.line,
        hit.column,
        visible_name(&hit.qualified_name),
        words.join(", ")
    )
}

/// On one line.
pub(crate) fn signature(hit: &SymbolHit) -> String {
    visible_name(&clip(&hit.signature, SIGNATURE_CHARS))
}

pub(crate) fn json(hit: &SymbolHit) -> Value {
    let mut json = json!({
        "name": hit.name,
        "qualified_name": hit.qualified_name,
        "kind": hit.kind.as_str(),
    });
    if let Some(visibility) = hit.visibility {
        json["visibility"] = visibility.as_str().into();
    }
    json["signature"] = clip(&hit.signature, SIGNATURE_CHARS).into();
    json["path"] = hit.path.clone().into();
    json["line"] = hit.line.into();
    json["column"] = hit.column.into();
    json["end_line"] = hit.last_line.into();
    if hit.likeness != Likeness::Exact {
        json["match"] = likeness(hit.likeness).into();
    }
    for (is_so, word) in [(hit.is_declaration, "declaration"), (hit.is_test, "test")] {
        if is_so {
            json[word] = true.into();
        }
    }
    json
}

/// What is said of a definition that is not itself asked for.
pub(crate) fn short_json(hit: &SymbolHit) -> Value {
    json!({
        "name": hit.name,
        "qualified_name": hit.qualified_name,
        "kind": hit.kind.as_str(),
        "path": hit.path,
        "line": hit.line,
        "signature": signature(hit),
    })
}

fn likeness(likeness: Likeness) -> &'static str {
    match likeness {
        Likeness::Exact => "exact",
        Likeness::Spelling => "spelling",
        Likeness::Prefix => "prefix",
        Likeness::Humps => "humps",
        Likeness::Substring => "substring",
    }
}

/// The answer where nothing has the name: which names are near.
pub(crate) fn none(snapshot: &Snapshot, name: &SymbolName, head: &str, key: &'static str) -> Result<Answer, ToolError> {
    let nearest = snapshot.similar_symbols(name, NEAREST)?;
    let mut head = format!("{head} ({} indexed).", plural(snapshot.file_count(), "file"));
    // Where something of the bare name is offered, that is what the text has.
    let is_offered = nearest.iter().any(|hit| hit.name == name.name);
    let files = match is_offered && !name.owners.is_empty() {
        true => 0,
        false => snapshot.count_with_word(&name.name)?,
    };
    if files > 0 {
        let what = match name.owners.is_empty() {
            true => "The name".to_owned(),
            false => format!("`{}`", visible_name(&name.name)),
        };
        let files = plural(files, "file");
        head.push_str(&format!(" {what} is in {files}: search_code with literal shows where."));
    }
    if !nearest.is_empty() {
        head.push_str(" Nearest names:");
        for hit in &nearest {
            head.push_str(&format!("\n- {}", place(hit)));
        }
    }
    let mut answer = Answer {
        head,
        key,
        ..Answer::default()
    };
    let nearest: Vec<Value> = nearest.iter().map(json).collect();
    answer.fact("nearest", nearest);
    Ok(answer)
}
