//! What a change of a symbol reaches, in one line.

use serde_json::{Value, json};
use workspace::{CodeGraph, FileIdx, LIKELY, Subject, SymbolId, Use, Uses, Visibility};

use crate::units::plural;

/// How far a change reaches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Summary {
    pub uses: usize,
    pub files: usize,
    /// Functions that use it and are no tests.
    pub functions: usize,
    /// Tests that use it.
    pub tests: usize,
    pub risk: Risk,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Risk {
    Low,
    Medium,
    High,
}

impl Risk {
    pub fn as_str(self) -> &'static str {
        match self {
            Risk::Low => "low",
            Risk::Medium => "medium",
            Risk::High => "high",
        }
    }
}

/// More files than these have to be looked at for a change to be of that risk.
const MEDIUM_FILES: usize = 3;
const HIGH_FILES: usize = 15;

/// What its direct uses tell.
pub(crate) fn summary(graph: &CodeGraph<'_>, subject: &Subject, uses: &Uses) -> Summary {
    let likely = || uses.uses.iter().filter(|used| used.confidence >= LIKELY);
    let mut files: Vec<FileIdx> = likely().map(|used| used.file).collect();
    files.sort_unstable();
    files.dedup();
    let around = |used: &Use| graph.function_around(used);
    let mut functions: Vec<SymbolId> = likely().filter_map(around).collect();
    functions.sort_unstable();
    functions.dedup();
    functions.retain(|function| graph.is_function(*function));
    let (tests, functions): (Vec<SymbolId>, Vec<SymbolId>) =
        functions.into_iter().partition(|function| graph.is_test(*function));
    rated(subject, likely().count(), files.len(), functions.len(), tests.len())
}

/// How risky a change is that reaches so much, and why.
pub(crate) fn rated(subject: &Subject, uses: usize, files: usize, functions: usize, tests: usize) -> Summary {
    let is_public = subject.hit.visibility == Some(Visibility::Public);
    let mut reasons = Vec::new();
    let mut risk = match files {
        files if files > HIGH_FILES => Risk::High,
        files if files > MEDIUM_FILES => Risk::Medium,
        _ => Risk::Low,
    };
    reasons.push(match files {
        0 => "nothing here uses it".to_owned(),
        files => format!("used in {}", plural(files, "file")),
    });
    if is_public {
        reasons.push("public: others may use it too".to_owned());
        risk = risk.max(if uses == 0 { Risk::Low } else { Risk::Medium });
    }
    if functions > 0 && tests == 0 {
        reasons.push("no test uses it directly".to_owned());
        if files > 1 {
            risk = risk.max(Risk::Medium);
        }
    }
    Summary {
        uses,
        files,
        functions,
        tests,
        risk,
        reason: reasons.join("; "),
    }
}

impl Summary {
    /// `Impact: 12 uses by 5 functions and 2 tests in 4 files; risk medium (...)`
    pub fn text(&self) -> String {
        format!(
            "Impact: {} by {} and {} in {}; risk {} ({})",
            plural(self.uses, "use"),
            plural(self.functions, "function"),
            plural(self.tests, "test"),
            plural(self.files, "file"),
            self.risk.as_str(),
            self.reason
        )
    }

    pub fn json(&self) -> Value {
        json!({
            "uses": self.uses,
            "files": self.files,
            "functions": self.functions,
            "tests": self.tests,
            "risk": self.risk.as_str(),
            "reason": self.reason,
        })
    }
}
