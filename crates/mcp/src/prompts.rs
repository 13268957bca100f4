//! The prompts: the skills of the plugin, each with what it is asked about.

use rmcp::{
    ErrorData,
    model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role},
};
use serde_json::{Map, Value};

use crate::server::clipped;

/// One text serves as prompt and as skill.
pub(crate) struct Skill {
    text: &'static str,
    arguments: &'static [Argument],
}

pub(crate) struct Argument {
    pub name: &'static str,
    description: &'static str,
    required: bool,
    pub means: Means,
}

/// What a value of the argument can be completed with.
#[derive(Clone, Copy)]
pub(crate) enum Means {
    Symbol,
    Path,
    /// Nothing that we know.
    Other,
}

const fn required(name: &'static str, description: &'static str, means: Means) -> Argument {
    Argument {
        name,
        description,
        required: true,
        means,
    }
}

const fn optional(name: &'static str, description: &'static str, means: Means) -> Argument {
    Argument {
        required: false,
        ..required(name, description, means)
    }
}

pub(crate) const SKILLS: &[Skill] = &[
    Skill {
        text: include_str!("../../../skills/explore-architecture/SKILL.md"),
        arguments: &[optional("path", "A directory; default: everything", Means::Path)],
    },
    Skill {
        text: include_str!("../../../skills/trace-call-path/SKILL.md"),
        arguments: &[
            required("from", "The function where the path begins", Means::Symbol),
            optional("to", "The function that it leads to", Means::Symbol),
        ],
    },
    Skill {
        text: include_str!("../../../skills/explore-type-hierarchy/SKILL.md"),
        arguments: &[required("symbol", "A type, trait, interface or class", Means::Symbol)],
    },
    Skill {
        text: include_str!("../../../skills/analyze-dependencies/SKILL.md"),
        arguments: &[required("path", "A file or directory", Means::Path)],
    },
    Skill {
        text: include_str!("../../../skills/review-change/SKILL.md"),
        arguments: &[optional(
            "diff",
            "A git revision or range; default: what is not committed",
            Means::Other,
        )],
    },
];

/// More than this is no name of anything.
const MAX_ARGUMENT_CHARS: usize = 500;

impl Skill {
    /// A field of the header between the two `---`.
    fn field(&self, name: &str) -> &'static str {
        let header = self.text.split("---").nth(1).unwrap_or_default();
        let mut fields = header.lines().filter_map(|line| line.split_once(": "));
        let found = fields.find(|(field, _)| *field == name);
        found.map(|(_, value)| value.trim()).unwrap_or_default()
    }

    fn name(&self) -> &'static str {
        self.field("name")
    }

    fn body(&self) -> &'static str {
        self.text.splitn(3, "---").nth(2).unwrap_or_default().trim()
    }

    pub(crate) fn argument(&self, name: &str) -> Option<&'static Argument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }

    pub(crate) fn named(name: &str) -> Result<&'static Skill, ErrorData> {
        let skill = SKILLS.iter().find(|skill| skill.name() == name);
        skill.ok_or_else(|| invalid(format!("there is no prompt `{}`", clipped(name))))
    }
}

fn invalid(message: String) -> ErrorData {
    ErrorData::invalid_params(message, None)
}

pub(crate) fn list() -> Vec<Prompt> {
    let argument = |argument: &Argument| {
        PromptArgument::new(argument.name)
            .with_description(argument.description)
            .with_required(argument.required)
    };
    let prompt = |skill: &Skill| {
        let arguments = skill.arguments.iter().map(argument).collect();
        Prompt::new(skill.name(), Some(skill.field("description")), Some(arguments))
    };
    SKILLS.iter().map(prompt).collect()
}

/// The skill's text with what it is asked about below.
pub(crate) fn get(
    name: &str,
    arguments: &Map<String, Value>,
    worded: impl Fn(&str) -> String,
) -> Result<GetPromptResult, ErrorData> {
    let skill = Skill::named(name)?;
    if let Some(unknown) = arguments.keys().find(|key| skill.argument(key).is_none()) {
        return Err(invalid(format!("`{name}` takes no argument `{}`", clipped(unknown))));
    }
    let mut text = worded(skill.body());
    for argument in skill.arguments {
        let value = match arguments.get(argument.name) {
            None | Some(Value::Null) => "",
            Some(Value::String(value)) => value.trim(),
            Some(_) => return Err(invalid(format!("`{}` must be a string", argument.name))),
        };
        if value.chars().count() > MAX_ARGUMENT_CHARS {
            let limit = MAX_ARGUMENT_CHARS;
            return Err(invalid(format!(
                "`{}` is longer than {limit} characters",
                argument.name
            )));
        }
        match (value, argument.required) {
            ("", true) => return Err(invalid(format!("`{name}` needs the argument `{}`", argument.name))),
            ("", false) => {}
            // On one line: a value must not pass for instructions of ours.
            (value, _) => {
                text += &format!(
                    "\n\n{}: {}",
                    argument.name,
                    value.split_whitespace().collect::<Vec<_>>().join(" ")
                )
            }
        }
    }
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(skill.field("description")))
}
