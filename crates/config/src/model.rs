//! Which model makes vectors.

use std::{fmt, str::FromStr};

use models::{is_address, shown_address};

/// The setting `search.model`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelChoice {
    BuiltIn,
    /// Words only.
    None,
    /// A file, or the address of a server.
    Other(String),
}

impl FromStr for ModelChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<ModelChoice, Self::Err> {
        Ok(match text {
            "" | "built-in" => ModelChoice::BuiltIn,
            "none" => ModelChoice::None,
            other => ModelChoice::Other(other.to_owned()),
        })
    }
}

impl fmt::Display for ModelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelChoice::BuiltIn => f.write_str("built-in"),
            ModelChoice::None => f.write_str("none"),
            // Who has put a password there should not see it in an answer.
            ModelChoice::Other(other) if is_address(other) => f.write_str(&shown_address(other)),
            ModelChoice::Other(other) => f.write_str(other),
        }
    }
}
