//! `find_symbol`: definitions by name.

use queries::{FilterSpec, Snapshot, SymbolQuery};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    machinery::{
        answer::Answer,
        error::ToolError,
        tool::{Ctx, Effect, Engine, SYNTAX, Tool, Toolset, number},
        units::{count, plural},
        visible::visible_name,
    },
    parts::{
        definition::{self, kind_filter, symbol_name},
        filter::{language, no_files, of_paths},
    },
};

pub(crate) struct FindSymbol;

#[derive(Deserialize, JsonSchema, Clone)]
pub(crate) struct Params {
    /// `parse`, `Parser::parse`, `parse#function`, or a part
    #[schemars(length(min = 1, max = 500))]
    name: String,
    /// function, class, type (any type), ...
    kind: Option<String>,
    language: Option<String>,
    /// Globs or directories
    path: Option<Vec<String>>,
    #[serde(default = "number::<20>")]
    #[schemars(range(min = 1, max = 500))]
    limit: u32,
}

impl Tool for FindSymbol {
    const NAME: &'static str = "find_symbol";
    const TITLE: &'static str = "Find a symbol";
    const DOC: &'static str =
        "Where symbols are defined: exact name first, then prefix, camel humps (`pQ`) and substring.";
    const TOOLSET: Toolset = Toolset::Core;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"name": "parse_query"}"#;
    const ENGINES: &'static [Engine] = SYNTAX;
    const POSITIONAL: &'static [&'static str] = &["name", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("symbol", "name"),
        ("symbol_name", "name"),
        ("query", "name"),
        ("symbol_kind", "kind"),
        ("symbol_type", "kind"),
        ("lang", "language"),
        ("include", "path"),
        ("paths", "path"),
        ("file_pattern", "path"),
        ("file", "path"),
        ("file_path", "path"),
        ("k", "limit"),
        ("max_results", "limit"),
    ];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("definitions", "array"),
        ("total", "integer"),
        ("exact", "integer"),
        ("nearest", "array"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            definition::needs_symbols(snapshot)?;
            let mut params = params.clone();
            if let Some((file, name)) = in_file(snapshot, &params.name).filter(|_| params.path.is_none()) {
                (params.path, params.name) = (Some(vec![file]), name.to_owned());
            }
            // A part of a name is found wherever it stands in it: `*Handler` is `Handler`.
            let part = Some(params.name.trim_matches('*')).filter(|part| !part.is_empty());
            let mut name = symbol_name(part.unwrap_or(&params.name))?;
            if let Some(kind) = &params.kind {
                name.kind = Some(kind_filter(kind)?);
            }
            let filter = FilterSpec {
                lang: params.language.as_deref().map(language).transpose()?,
                ..of_paths(snapshot, params.path.as_deref(), None)?
            };
            let query = SymbolQuery {
                name: &name,
                exact: false,
                filter: &filter,
            };
            let offset = ctx.paging.offset;
            let found = snapshot.find_symbols(&query, offset, params.limit as usize)?;
            let wanted = visible_name(&params.name);
            if found.total == 0 {
                let what = params.kind.as_deref().unwrap_or("symbol");
                let head = no_files(snapshot, &filter).map_or_else(
                    || format!("No {what} like `{wanted}`"),
                    |why| format!("No {what} like `{wanted}`: {why}"),
                );
                return definition::none(snapshot, &name, &head, "definitions");
            }
            let mut head = match (found.exact, found.total - found.exact) {
                (exact, 0) => format!("{} of `{wanted}`", plural(exact, "definition")),
                (0, others) => format!("No `{wanted}`, but {}", plural(others, "similar name")),
                (exact, others) => format!(
                    "{} of `{wanted}`, then {}",
                    plural(exact, "definition"),
                    plural(others, "similar name")
                ),
            };
            if offset > 0 {
                head.push_str(&format!(", from number {}", count(offset as u64 + 1)));
            }
            let mut answer = Answer {
                head,
                key: "definitions",
                definitions: &["definitions"],
                rows: found.hits.iter().map(|hit| definition::row(hit, None)).collect(),
                total: found.total,
                narrower: "narrow with kind, path or language".into(),
                ..Answer::default()
            };
            answer.fact("exact", found.exact);
            Ok(answer)
        })
    }
}

/// A name of a certain file, as places are written: `src/a.rs#Parser::parse`, `src/a.rs:parse`.
fn in_file<'n>(snapshot: &Snapshot, given: &'n str) -> Option<(String, &'n str)> {
    let ends = given.match_indices([':', '#']).map(|(at, _)| given.split_at(at));
    let file_at = |file: &str| {
        let (path, files) = snapshot.files_at(file).ok()?;
        let is_file = files.len() == 1 && files[0] == path;
        // A module that is written with dots is not meant: `Parser.parse#method` is a name too.
        (is_file && path.ends_with(file.trim_start_matches("./"))).then_some(path)
    };
    let mut files = ends.filter(|(file, _)| file.contains(['/', '.']));
    let (path, rest) = files.find_map(|(file, rest)| Some((file_at(file)?, rest)))?;
    let name = rest.trim_start_matches([':', '#']);
    (!name.is_empty()).then_some((path, name))
}
