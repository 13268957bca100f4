//! `get_symbols`: the outline of a file, or of every file in a directory, with as much detail as asked for.

use std::collections::BTreeMap;

use queries::{FileFacts, Snapshot, SourceFile, Symbol, SymbolIdx, SymbolKind, SymbolName};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    machinery::{
        answer::{Answer, Body, Row},
        error::{ErrorCode, Hint, ToolError},
        tool::{Ctx, Effect, Engine, SYNTAX, Tool, Toolset, number},
        units::plural,
        visible::{clip, visible_name},
    },
    tools::read_file::of_symbol,
};

pub(crate) struct GetSymbols;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// File or directory
    #[schemars(length(min = 1, max = 4096))]
    file_path: String,
    /// Levels below the outermost
    #[serde(default = "number::<1>")]
    #[schemars(range(min = 0, max = 10))]
    max_depth: u32,
    /// Only this symbol
    #[schemars(length(min = 1, max = 500))]
    target: Option<String>,
    #[serde(default = "number::<50>")]
    #[schemars(range(min = 1, max = 500))]
    limit: u32,
    /// structure: names; minimal: signatures; full: docs, and the code of target
    #[serde(default)]
    mode: Mode,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Mode {
    Structure,
    #[default]
    Minimal,
    Full,
}

/// A symbol with more inside is told in several rows, so that each fits a page.
const ROW_SYMBOLS: usize = 24;
/// So is one where what is told of them is longer together: signatures, and a little for all else.
const ROW_CHARS: usize = 1600;
const FIELD_CHARS: usize = 40;
const SIGNATURE_CHARS: usize = 300;
const DOC_CHARS: usize = 160;
/// Names that an error offers.
const OFFERED: usize = 3;

impl Tool for GetSymbols {
    const NAME: &'static str = "get_symbols";
    const TITLE: &'static str = "Outline a file";
    const DOC: &'static str =
        "Outline of a file or directory: nested symbols with signatures and lines. Cheaper than reading it.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"file_path": "src/query.rs"}"#;
    const ENGINES: &'static [Engine] = SYNTAX;
    const CLI: Option<&'static str> = Some("symbols");
    const POSITIONAL: &'static [&'static str] = &["file_path", "target"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("path", "file_path"),
        ("file", "file_path"),
        ("symbol", "target"),
        ("depth", "max_depth"),
        ("detail", "mode"),
        ("max_results", "limit"),
    ];
    const VALUE_WORDS: &'static [(&'static str, &'static str, &'static str)] = &[("mode", "signatures", "minimal")];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("symbols", "array"),
        ("file", "string"),
        ("total", "integer"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, mut params: Params) -> Result<Answer, ToolError> {
        if let Some((file, symbol)) = member(&params.file_path).filter(|_| params.target.is_none()) {
            params = Params {
                target: Some(symbol.to_owned()),
                file_path: file.to_owned(),
                ..params
            };
        }
        let target = params.target.as_deref().map(|target| {
            SymbolName::parse(target).ok_or_else(|| ToolError::invalid(format!("`{target}` is not a symbol's name")))
        });
        let target = target.transpose()?;
        ctx.answer(|snapshot| outline(ctx, snapshot, &params, target.as_ref()))
    }
}

/// `src/a.rs#Parser::parse`
fn member(path: &str) -> Option<(&str, &str)> {
    let is_name = |symbol: &str| symbol.starts_with(|c: char| c.is_alphabetic() || c == '_') && !symbol.contains('/');
    path.split_once('#')
        .filter(|(file, symbol)| !file.is_empty() && is_name(symbol))
}

fn outline(
    ctx: &Ctx<'_>,
    snapshot: &Snapshot,
    params: &Params,
    target: Option<&SymbolName>,
) -> Result<Answer, ToolError> {
    let (path, files) = snapshot
        .files_at(&params.file_path)
        .map_err(|error| of_symbol(error, &params.file_path))?;
    let is_file = files.len() == 1 && files[0] == path;
    let mut outline = Outline::default();
    for file in &files {
        outline.add(ctx, snapshot, params, target, file, is_file)?;
    }
    if let (Some(target), 0) = (target, outline.total) {
        return Err(no_target(snapshot, params, target, &path, &files, &outline.unparsed));
    }
    let mut head = if is_file {
        let source = snapshot.source_file(&path)?;
        if outline.total == 0 && !source.lang.has_symbols() {
            outline.unparsed.push(format!(
                "{} ({} is searched as text only)",
                visible_name(&path),
                source.lang.name
            ));
        }
        file_head(&source)
    } else {
        let name = if path.is_empty() { "." } else { &path };
        format!("{}: {}", visible_name(name), plural(files.len(), "file"))
    };
    head.push_str(&match outline.n_symbols {
        0 => "; no symbols".to_owned(),
        found => format!(", {}", plural(found, "symbol")),
    });
    if let Some(target) = &params.target {
        head.push_str(&format!(" at `{}`", visible_name(target)));
    }
    let mut answer = Answer {
        head,
        key: "symbols",
        rows: outline.rows,
        repeated: outline.repeated,
        total: outline.total,
        narrower: "narrow with target, max_depth or mode structure".into(),
        ..Answer::default()
    };
    if !outline.unparsed.is_empty() {
        let whose = if outline.unparsed.len() > 1 { "their" } else { "its" };
        answer.tail = format!(
            "Not parsed, so {whose} symbols are not known: {}.",
            outline.unparsed.join(", ")
        );
        answer.fact("not_parsed", outline.unparsed);
    }
    answer.fact("file", if path.is_empty() { "." } else { &path });
    Ok(answer)
}

/// The symbols of one file after another.
#[derive(Default)]
struct Outline {
    /// Those of this page; `total` are there on all.
    rows: Vec<Row>,
    total: usize,
    /// See `Answer`.
    repeated: BTreeMap<usize, usize>,
    n_symbols: usize,
    /// Files whose symbols are not known, and why.
    unparsed: Vec<String>,
}

impl Outline {
    fn add(
        &mut self,
        ctx: &Ctx<'_>,
        snapshot: &Snapshot,
        params: &Params,
        target: Option<&SymbolName>,
        file: &str,
        is_file: bool,
    ) -> Result<(), ToolError> {
        let facts = snapshot.facts_of(file)?;
        if let Some(problem) = facts.problem {
            let unparsed = format!("{} ({})", visible_name(file), problem.as_str());
            self.unparsed.push(unparsed);
        }
        let pieces = pieces(&facts, file, deepest(&facts, params), params.mode, target);
        let new = pieces.iter().map(|piece| piece.symbols.len() - piece.repeated);
        self.n_symbols += new.sum::<usize>();
        let page = ctx.paging.offset..ctx.paging.offset + params.limit as usize;
        let numbered = (self.total..).zip(&pieces);
        let wanted: Vec<&Piece> = numbered
            .filter(|(number, _)| page.contains(number))
            .map(|(_, piece)| piece)
            .collect();
        self.total += pieces.len();
        if wanted.is_empty() {
            return Ok(());
        }
        let source = snapshot.source_file(file)?;
        for (at, piece) in wanted.into_iter().enumerate() {
            let header = (!is_file && at == 0).then(|| file_head(&source));
            if piece.repeated > 0 && header.is_none() {
                let number = ctx.paging.offset + self.rows.len();
                self.repeated.insert(number, piece.repeated);
            }
            let row = row(&source, piece, params, !is_file, target.is_some(), header);
            self.rows.push(row);
        }
        Ok(())
    }
}

fn file_head(source: &SourceFile) -> String {
    format!(
        "{} ({}, {})",
        visible_name(&source.path),
        source.lang.name,
        plural(source.facts.lines.count() as usize, "line")
    )
}

/// A row: symbols of one outermost symbol in the order of the text, with their level.
struct Piece {
    symbols: Vec<(usize, u32)>,
    /// How many of the first were in the row before and only say where the others are.
    repeated: usize,
    /// Of what is told of the others.
    chars: usize,
    /// The level of the innermost symbols that are shown.
    deepest: u32,
}

/// The level of the innermost symbols that are shown. A namespace around all there is is no level of its own.
fn deepest(facts: &FileFacts, params: &Params) -> u32 {
    let mut levels = params.max_depth;
    if levels == 0 || params.target.is_some() {
        return levels;
    }
    let mut around: Vec<Option<SymbolIdx>> = vec![None];
    loop {
        let inside = SymbolIdx::enumerate(&facts.symbols);
        let inside: Vec<(SymbolIdx, &Symbol)> = inside.filter(|(_, symbol)| around.contains(&symbol.parent)).collect();
        let is_space = |(_, symbol): &(SymbolIdx, &Symbol)| symbol.kind == SymbolKind::Namespace;
        if inside.is_empty() || !inside.iter().all(is_space) {
            return levels;
        }
        levels += 1;
        around = inside.into_iter().map(|(at, _)| Some(at)).collect();
    }
}

/// The outermost symbols and what is inside, each cut into pieces that fit a page.
fn pieces(facts: &FileFacts, file: &str, max_depth: u32, mode: Mode, target: Option<&SymbolName>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    // The level of each symbol that is shown.
    let mut levels: Vec<Option<u32>> = Vec::with_capacity(facts.symbols.len());
    for (at, symbol) in facts.symbols.iter().enumerate() {
        let inside = symbol.parent.and_then(|parent| levels[parent.as_usize()]);
        let level = match (inside, target) {
            (Some(outer), _) => (outer < max_depth).then_some(outer + 1),
            (None, None) => symbol.parent.is_none().then_some(0),
            (None, Some(target)) => is_target(facts, symbol, file, target).then_some(0),
        };
        levels.push(level);
        let Some(level) = level else { continue };
        let mut symbols = vec![(at, level)];
        let mut parent = symbol.parent.filter(|_| level > 0);
        while let Some((outer, level)) = parent.and_then(|at| Some((at.as_usize(), levels[at.as_usize()]?))) {
            symbols.push((outer, level));
            parent = facts.symbols[outer].parent.filter(|_| level > 0);
        }
        symbols.reverse();
        let chars = match mode {
            Mode::Structure => 0,
            Mode::Minimal => FIELD_CHARS + symbol.signature.range().len().min(SIGNATURE_CHARS),
            Mode::Full => FIELD_CHARS + symbol.signature.range().len().min(SIGNATURE_CHARS) + DOC_CHARS,
        };
        let fits = |piece: &&mut Piece| {
            piece.symbols[0] == symbols[0]
                && piece.symbols.len() - piece.repeated < ROW_SYMBOLS
                && piece.chars + chars <= ROW_CHARS
        };
        match pieces.last_mut().filter(fits) {
            Some(last) => {
                last.symbols.push((at, level));
                last.chars += chars;
            }
            None => {
                let repeated = symbols.len() - 1;
                pieces.push(Piece {
                    symbols,
                    repeated,
                    chars,
                    deepest: max_depth,
                });
            }
        }
    }
    pieces
}

fn is_target(facts: &FileFacts, symbol: &Symbol, file: &str, target: &SymbolName) -> bool {
    target.is_named(facts.name(symbol))
        && target.kind.is_none_or(|kind| kind.allows(symbol.kind))
        && target.fits_symbol(facts, symbol, file)
}

fn row(
    source: &SourceFile,
    piece: &Piece,
    params: &Params,
    in_dir: bool,
    with_body: bool,
    header: Option<String>,
) -> Row {
    let body = (with_body && params.mode == Mode::Full && piece.repeated == 0).then(|| {
        let symbol = &source.facts.symbols[piece.symbols[0].0];
        // From the beginning of its line, so that it is indented as in the file.
        let first = source
            .facts
            .lines
            .span(source.facts.lines.line(symbol.span.start))
            .start;
        let text = source.text.get(first as usize..symbol.span.end as usize);
        Body {
            field: "body",
            first_line: None,
            is_continued: false,
            numbered_in: None,
            lang: source.lang.name,
            text: text.unwrap_or_default().to_owned(),
        }
    });
    // One that is asked for by name is shown without what it is in.
    let around = source.facts.path_of(&source.facts.symbols[piece.symbols[0].0]);
    let around = &around[..around.len() - 1];
    let owner = (with_body && !around.is_empty()).then(|| around.join("."));
    let mut lines: Vec<String> = header.into_iter().collect();
    for (number, (at, level)) in piece.symbols.iter().enumerate() {
        let indent = "  ".repeat(*level as usize + usize::from(in_dir));
        // The code that follows has the signature.
        let with_signature = params.mode != Mode::Structure && !(number == 0 && body.is_some());
        let mut line = format!("{indent}{}", described(source, *at, params.mode, with_signature));
        if number < piece.repeated {
            line.push_str(" (continued)");
        }
        if let Some(owner) = owner.as_ref().filter(|_| number == 0) {
            line.push_str(&format!(" (in {})", visible_name(owner)));
        }
        let hidden = inside(&source.facts, *at).count();
        if hidden > 0 && *level == piece.deepest {
            line.push_str(&format!(" (+{hidden} inside)"));
        }
        lines.push(line);
    }
    let mut json = nested(source, piece, params, 0).remove(0);
    if let Some(owner) = owner {
        json["owner"] = owner.into();
    }
    if in_dir {
        json["file"] = source.path.as_str().into();
    }
    Row {
        text: lines.join("\n"),
        json,
        body,
    }
}

/// The symbols directly inside of one.
fn inside(facts: &FileFacts, at: usize) -> impl Iterator<Item = usize> {
    let behind = facts.symbols.iter().enumerate().skip(at + 1);
    let end = facts.symbols[at].span.end;
    let within = behind.take_while(move |(_, symbol)| symbol.span.start < end);
    within
        .filter(move |(_, symbol)| symbol.parent == Some(SymbolIdx::new(at)))
        .map(|(at, _)| at)
}

fn lines_of(source: &SourceFile, symbol: &Symbol) -> (u32, u32) {
    let lines = &source.facts.lines;
    (lines.line(symbol.span.start), lines.line(symbol.span.end.max(1) - 1))
}

/// `12-40 pub fn parse(text: &str) -> Tree`.
fn described(source: &SourceFile, at: usize, mode: Mode, with_signature: bool) -> String {
    let facts = &source.facts;
    let symbol = &facts.symbols[at];
    let (first, last) = lines_of(source, symbol);
    let mut line = match first == last {
        true => format!("{first} "),
        false => format!("{first}-{last} "),
    };
    let signature = facts.signature(symbol, &source.text);
    if !with_signature || signature.is_empty() {
        line.push_str(&format!("{} {}", symbol.kind.as_str(), facts.name(symbol)));
    } else {
        line.push_str(&clip(&signature, SIGNATURE_CHARS));
    }
    if let Some(doc) = first_doc_line(source, symbol).filter(|_| mode == Mode::Full) {
        line.push_str(&format!(" // {doc}"));
    }
    visible_name(&line)
}

fn first_doc_line(source: &SourceFile, symbol: &Symbol) -> Option<String> {
    let doc = source.facts.doc(symbol, &source.text)?;
    Some(clip(doc.lines().next()?, DOC_CHARS))
}

/// The symbols of a piece from `from` on that are on one level, with theirs inside.
fn nested(source: &SourceFile, piece: &Piece, params: &Params, from: usize) -> Vec<Value> {
    let facts = &source.facts;
    let Some((_, level)) = piece.symbols.get(from).copied() else {
        return Vec::new();
    };
    let behind = piece.symbols.iter().enumerate().skip(from);
    let siblings = behind
        .take_while(|(_, (_, other))| *other >= level)
        .filter(|(_, (_, other))| *other == level);
    let mut out = Vec::new();
    for (number, (at, _)) in siblings {
        let symbol = &facts.symbols[*at];
        let (first, last) = lines_of(source, symbol);
        let mut json = json!({ "name": facts.name(symbol), "kind": symbol.kind.as_str() });
        if params.mode != Mode::Structure {
            if let Some(visibility) = symbol.visibility {
                json["visibility"] = visibility.as_str().into();
            }
            json["signature"] = clip(&facts.signature(symbol, &source.text), SIGNATURE_CHARS).into();
        }
        json["start_line"] = first.into();
        json["end_line"] = last.into();
        if params.mode == Mode::Full
            && let Some(doc) = first_doc_line(source, symbol)
        {
            json["doc"] = doc.into();
        }
        if number < piece.repeated {
            json["continued"] = true.into();
        }
        let hidden = inside(facts, *at).count();
        if hidden > 0 && level == piece.deepest {
            json["more_children"] = hidden.into();
        }
        let has_children = piece.symbols.get(number + 1).is_some_and(|(_, next)| *next > level);
        json["children"] = match has_children {
            true => nested(source, piece, params, number + 1).into(),
            false => json!([]),
        };
        out.push(json);
    }
    out
}

/// Names the symbols that were probably meant.
fn no_target(
    snapshot: &Snapshot,
    params: &Params,
    target: &SymbolName,
    path: &str,
    files: &[String],
    unparsed: &[String],
) -> ToolError {
    let mut names: Vec<(f64, String)> = Vec::new();
    for file in files {
        let Ok(facts) = snapshot.facts_of(file) else {
            continue;
        };
        for symbol in &facts.symbols {
            let name = facts.name(symbol);
            let likeness = source::likeness(name, &target.name);
            if likeness > source::ALIKE {
                names.push((likeness, facts.path_of(symbol).join("::")));
            }
        }
    }
    names.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    names.dedup();
    let nearest = names.into_iter().take(OFFERED).map(|(_, name)| name);
    let hint = Hint::did_you_mean(nearest).unwrap_or_else(|| match unparsed {
        [] => "leave target out to see all; find_symbol looks everywhere".into(),
        files => format!("not parsed: {}; search_code looks into the text", files.join(", ")).into(),
    });
    let place = if path.is_empty() { "the workspace" } else { path };
    let name = params.target.as_deref().unwrap_or(&target.name);
    ToolError::new(ErrorCode::NotFound, format!("no symbol `{name}` in {place}"), hint)
}
