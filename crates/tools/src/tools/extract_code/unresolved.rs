//! Targets that give nothing.

use queries::SymbolHit;
use serde_json::{Value, json};

use crate::{
    machinery::visible::visible_name,
    parts::{definition, locations::SourceLocation},
};

/// Of a target that was not found.
const SHOWN_CHARS: usize = 120;

/// A target that gives no block, and why.
pub(super) struct Unresolved {
    pub target: String,
    pub reason: String,
    pub nearest: Vec<String>,
    pub candidates: Vec<SymbolHit>,
    /// How many there are.
    pub total: usize,
    /// A file of a library, or of another machine: nothing to mend.
    pub is_foreign: bool,
}

impl Unresolved {
    pub fn new(target: &SourceLocation, reason: impl Into<String>) -> Unresolved {
        let mut written: String = target.written.chars().take(SHOWN_CHARS).collect();
        if written.len() < target.written.len() {
            written.push_str("...");
        }
        Unresolved {
            target: written,
            reason: reason.into(),
            nearest: Vec::new(),
            candidates: Vec::new(),
            total: 0,
            is_foreign: false,
        }
    }

    pub fn near(mut self, nearest: Vec<String>) -> Unresolved {
        self.nearest = nearest;
        self
    }

    /// For the text.
    pub fn line(&self) -> String {
        let nearest = match self.nearest.as_slice() {
            [] => String::new(),
            names => {
                let names: Vec<String> = names.iter().map(|name| format!("`{}`", visible_name(name))).collect();
                format!(" (near: {})", names.join(", "))
            }
        };
        format!(
            "`{}`: {}{nearest}",
            visible_name(&self.target),
            visible_name(&self.reason)
        )
    }

    pub fn json(&self) -> Value {
        let mut json = json!({ "target": self.target, "reason": self.reason });
        if !self.nearest.is_empty() {
            json["nearest"] = self.nearest.clone().into();
        }
        if !self.candidates.is_empty() {
            let candidates = self.candidates.iter().map(|hit| {
                json!({
                    "name": hit.name,
                    "qualified_name": hit.qualified_name,
                    "kind": hit.kind.as_str(),
                    "signature": definition::signature(hit),
                    "path": hit.path,
                    "line": hit.line,
                    "column": hit.column,
                })
            });
            json["candidates"] = candidates.collect();
            json["candidates_total"] = self.total.into();
        }
        json
    }
}
