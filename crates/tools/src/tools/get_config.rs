//! `get_config`: every setting, its value and where it comes from.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::machinery::{
    answer::{Answer, Row},
    error::ToolError,
    tool::{Ctx, Effect, Tool, Toolset},
};

pub(crate) struct GetConfig;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// List variables and all patterns too
    #[serde(default)]
    detailed: bool,
}

impl Tool for GetConfig {
    const NAME: &'static str = "get_config";
    const TITLE: &'static str = "Configuration";
    const DOC: &'static str = "Settings in force, each with its source: default, file, environment, flag or fixed.";
    const TOOLSET: Toolset = Toolset::Index;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = "{}";
    const IN_INSTRUCTIONS: bool = false;
    const CLI: Option<&'static str> = Some("config");
    const SCOPED: bool = false;
    const OUTPUT: &'static [(&'static str, &'static str)] = &[("settings", "array"), ("total", "integer")];

    type Params = Params;

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        let entries = ctx.workspaces.settings();
        let total = entries.len();
        let rows = entries.into_iter().skip(ctx.paging.offset).map(|entry| {
            let mut text = format!("{}: {} ({})", entry.key, entry.value, entry.origin);
            let mut json = json!({ "key": entry.key, "value": entry.value, "source": entry.origin.to_string() });
            if let Some(variable) = entry.variable {
                if params.detailed {
                    text.push_str(&format!("\n- variable {variable}"));
                }
                json["variable"] = variable.into();
            }
            if let Some(items) = entry.items.filter(|_| params.detailed) {
                for item in &items {
                    text.push_str(&format!("\n- {item}"));
                }
                json["items"] = items.into();
            }
            Row { text, json, body: None }
        });
        let rows = rows.collect();
        Ok(Answer {
            head: "Configuration".into(),
            key: "settings",
            rows,
            total,
            ..Answer::default()
        })
    }
}
