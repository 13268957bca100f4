//! `list_files`: what is indexed.

use queries::{FilterSpec, SortFiles};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    machinery::{
        alias::{Alias, PLAIN},
        answer::{Answer, Row},
        error::ToolError,
        tool::{Ctx, Effect, Tool, Toolset, number},
        units::plural,
        visible::visible_name,
    },
    parts::filter::{language, no_files, of_paths},
};

pub(crate) struct ListFiles;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    language: Option<String>,
    /// Globs or directories
    path: Option<Vec<String>>,
    #[serde(default = "number::<100>")]
    #[schemars(range(min = 1, max = 500))]
    limit: u32,
    #[serde(default)]
    sort: Sort,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Sort {
    #[default]
    Alpha,
    Size,
    Indexed,
}

impl Tool for ListFiles {
    const NAME: &'static str = "list_files";
    const TITLE: &'static str = "List indexed files";
    const DOC: &'static str = "Indexed files with their number of chunks.";
    const TOOLSET: Toolset = Toolset::Files;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = "{}";
    const POSITIONAL: &'static [&'static str] = &["workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("lang", "language"),
        ("max_results", "limit"),
        ("paths", "path"),
        ("pattern", "path"),
        ("glob", "path"),
        ("include", "path"),
        ("file_pattern", "path"),
    ];
    const OTHER_NAMES: &'static [Alias] = &[Alias {
        name: "list_dir",
        to: Self::NAME,
        ..PLAIN
    }];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("files", "array"),
        ("total", "integer"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let lang = params.language.as_deref().map(language).transpose()?;
        let sort = match params.sort {
            Sort::Alpha => SortFiles::Alpha,
            Sort::Size => SortFiles::Size,
            Sort::Indexed => SortFiles::Indexed,
        };
        ctx.answer(|snapshot| {
            let filter = FilterSpec {
                lang,
                ..of_paths(snapshot, params.path.as_deref(), None)?
            };
            let files = snapshot.list_files(&filter, sort);
            let (total, offset) = (files.len(), ctx.paging.offset);
            let mut head = format!("{}: {}", snapshot.session().name, plural(total, "file"));
            if let Some(why) = no_files(snapshot, &filter) {
                head.push_str(&format!("; {why}"));
            }
            let page = files
                .into_iter()
                .skip(offset)
                .take(params.limit as usize)
                .map(|(path, chunks)| Row {
                    text: format!(
                        "{} ({chunks} chunk{})",
                        visible_name(&path),
                        if chunks == 1 { "" } else { "s" }
                    ),
                    json: json!({ "path": path, "chunks": chunks }),
                    body: None,
                });
            let rows = page.collect();
            let narrower = "narrow with path or language".into();
            Ok(Answer {
                head,
                key: "files",
                rows,
                total,
                narrower,
                warn: true,
                ..Answer::default()
            })
        })
    }
}
