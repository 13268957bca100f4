//! How a tool says that it could not do its job: what, and what to do next.

use std::fmt;

use serde_json::{Value, json};

use crate::machinery::visible::visible;

/// What kind of failure it is, by the codes of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    InvalidParams,
    /// Workspace, session or file not found, or request refused.
    NotFound,
    Index,
    Config,
    Search,
    Internal,
}

impl ErrorCode {
    pub fn number(self) -> i32 {
        match self {
            ErrorCode::InvalidParams => -32602,
            ErrorCode::NotFound => -32001,
            ErrorCode::Index => -32002,
            ErrorCode::Config => -32003,
            ErrorCode::Search => -32004,
            ErrorCode::Internal => -32603,
        }
    }
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// The call itself is wrong. How its schema is seen depends on where the caller is.
    SeeSchema,
    /// Names that were probably meant, the likeliest first.
    DidYouMean(Vec<String>),
    Text(String),
}

impl Hint {
    /// What was probably meant, if anything is alike.
    pub(crate) fn did_you_mean(nearest: impl IntoIterator<Item = impl Into<String>>) -> Option<Hint> {
        let names: Vec<String> = nearest.into_iter().map(Into::into).collect();
        (!names.is_empty()).then_some(Hint::DidYouMean(names))
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hint::SeeSchema => f.write_str("see the tool's schema for what it takes"),
            Hint::DidYouMean(names) => write!(f, "did you mean `{}`?", names.join("`, `")),
            Hint::Text(text) => f.write_str(text),
        }
    }
}

impl From<&str> for Hint {
    fn from(text: &str) -> Hint {
        Hint::Text(text.to_owned())
    }
}

impl From<String> for Hint {
    fn from(text: String) -> Hint {
        Hint::Text(text)
    }
}

/// What callers of a tool, within this program, can do about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The call, or what it is about: it would fail again.
    Call,
    /// There is no session of the name that was given as the workspace.
    UnknownSession,
    /// A file has changed meanwhile: another try after a refresh.
    Stale,
    /// The workspace was closed meanwhile; another one may have taken its place.
    Closed,
    /// The index may be damaged.
    Damage,
}

pub(crate) const IS_A_BUG: &str = "this is a bug in Portolan: please report it with the arguments of the call";

/// A call that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    pub code: ErrorCode,
    pub message: String,
    pub hint: Hint,
    pub cause: Cause,
}

impl ToolError {
    pub fn new(code: ErrorCode, message: impl Into<String>, hint: impl Into<Hint>) -> ToolError {
        ToolError {
            code,
            message: message.into(),
            hint: hint.into(),
            cause: Cause::Call,
        }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> ToolError {
        ToolError::new(ErrorCode::InvalidParams, message, Hint::SeeSchema)
    }

    /// A panic: a bug, or an index whose contents cannot be.
    pub(crate) fn unexpected(tool: &str) -> ToolError {
        ToolError {
            cause: Cause::Damage,
            ..ToolError::new(ErrorCode::Internal, format!("{tool} failed unexpectedly"), IS_A_BUG)
        }
    }

    /// What a call says that changes something and met a damaged index, which is empty by now.
    pub(crate) fn after_mend(self) -> ToolError {
        ToolError {
            code: ErrorCode::Index,
            message: format!("{}: the index was damaged, and is made anew", self.message),
            hint: "a call that changes something is not repeated by itself: call again".into(),
            cause: Cause::Call,
        }
    }

    /// With hidden characters written out: both may have text of files and arguments in them.
    pub(crate) fn made_visible(self) -> ToolError {
        let shown = |text: String| visible(&text).into_owned();
        ToolError {
            message: shown(self.message),
            hint: match self.hint {
                Hint::SeeSchema => Hint::SeeSchema,
                Hint::DidYouMean(names) => Hint::DidYouMean(names.into_iter().map(shown).collect()),
                Hint::Text(text) => Hint::Text(shown(text)),
            },
            ..self
        }
    }

    /// What and what next, on a line each.
    pub fn text(&self) -> String {
        self.text_where(&Hint::SeeSchema.to_string())
    }

    /// The same where the schema is seen otherwise.
    pub fn text_where(&self, see_schema: &str) -> String {
        let sentence = |text: &str| format!("{text}{}", if text.ends_with(['.', '?', '!']) { "" } else { "." });
        let hint = match &self.hint {
            Hint::SeeSchema => see_schema.to_owned(),
            hint => hint.to_string(),
        };
        format!("Error: {}\nHint: {}", sentence(&self.message), sentence(&hint))
    }

    pub(crate) fn to_json(&self) -> Value {
        let hint = self.hint.to_string();
        json!({ "error": { "code": self.code.number(), "message": self.message, "hint": hint } })
    }
}
