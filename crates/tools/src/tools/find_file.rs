//! `find_file`: paths by glob or regular expression.

use queries::FoundFiles;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::machinery::{
    answer::{Answer, Row},
    error::ToolError,
    tool::{Ctx, Effect, Tool, Toolset, number},
    units::{count, first_few},
    visible::visible_name,
};

pub(crate) struct FindFile;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// `*.rs`, `src/**/*.ts`, or a regular expression
    #[schemars(length(min = 1, max = 1000))]
    pattern: String,
    #[serde(default)]
    pattern_type: PatternType,
    #[serde(default = "number::<100>")]
    #[schemars(range(min = 1, max = 10000))]
    limit: u32,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum PatternType {
    #[default]
    Glob,
    Regex,
}

impl Tool for FindFile {
    const NAME: &'static str = "find_file";
    const TITLE: &'static str = "Find files";
    const DOC: &'static str = "Indexed files whose path matches.";
    const TOOLSET: Toolset = Toolset::Files;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"pattern": "*.md"}"#;
    const POSITIONAL: &'static [&'static str] = &["pattern", "workspace"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("max_results", "limit"),
        ("query", "pattern"),
        ("name", "pattern"),
        ("path", "pattern"),
        ("file", "pattern"),
        ("glob", "pattern"),
    ];
    const VERBATIM: &'static [&'static str] = &["pattern"];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("files", "array"),
        ("total", "integer"),
        ("of", "integer"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            let found = match params.pattern_type {
                PatternType::Glob => snapshot.find_by_glob(&params.pattern)?,
                PatternType::Regex => snapshot.find_by_regex(&params.pattern)?,
            };
            let total = found.paths.len();
            let mut head = format!(
                "{} of {} files match `{}`",
                count(total as u64),
                count(found.of as u64),
                visible_name(&found.pattern)
            );
            if total == 0 {
                head.push_str(&instead(&found));
            }
            let page = found
                .paths
                .into_iter()
                .skip(ctx.paging.offset)
                .take(params.limit as usize);
            let rows = page
                .map(|path| Row {
                    text: visible_name(&path),
                    json: path.into(),
                    body: None,
                })
                .collect();
            let mut answer = Answer {
                head,
                key: "files",
                rows,
                total,
                narrower: "a narrower pattern".into(),
                ..Answer::default()
            };
            answer.fact("of", found.of);
            Ok(answer)
        })
    }
}

/// What there is where nothing matches: files that are not searched, or one that was probably meant.
fn instead(found: &FoundFiles) -> String {
    const SHOWN: usize = 5;
    let mut text = String::new();
    if !found.skipped.is_empty() {
        let skipped = found.skipped.iter();
        let skipped = skipped.map(|file| format!("{} ({})", visible_name(&file.path), file.reason));
        text.push_str(&format!("; there and not indexed: {}", first_few(skipped, SHOWN)));
    } else if let Some(nearest) = &found.nearest {
        text.push_str(&format!("; did you mean `{}`?", visible_name(nearest)));
    }
    text
}
