//! What a change of a symbol reaches, in one line.

use serde_json::{Value, json};
use workspace::{CodeGraph, FileIdx, LIKELY, Subject, SymbolId, Use, Uses, Visibility};

use crate::{
    subject::{AS_OPERATOR, is_operator},
    units::plural,
};

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
/// So many subsystems, and it is nobody's own any more.
const MEDIUM_PARTS: usize = 3;

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
    Extent {
        is_public: subject.hit.visibility == Some(Visibility::Public),
        is_operator: is_operator(&subject.hit),
        uses: likely().count(),
        possible: uses.uses.len() - likely().count(),
        files: files.len(),
        functions: functions.len(),
        tests: tests.len(),
        implementations: graph.implementations(subject).len(),
        ..Extent::default()
    }
    .rated()
}

/// What is known of a change's reach.
#[derive(Debug, Default)]
pub(crate) struct Extent {
    /// It can be used without its name.
    pub is_operator: bool,
    pub is_public: bool,
    pub uses: usize,
    /// Uses of the name that may be of it.
    pub possible: usize,
    pub files: usize,
    pub functions: usize,
    pub tests: usize,
    /// Parts of the workspace, if they were told apart.
    pub subsystems: Vec<String>,
    /// Tests were also looked for behind other functions.
    pub is_deep: bool,
    /// Users whose own users were not looked for.
    pub unexplored: usize,
    /// Uses of something that is not there any more.
    pub left_over: usize,
    /// Types and members that do not fit what they are to stand in for.
    pub unfit: usize,
    /// What implements or overrides it, and has to follow.
    pub implementations: usize,
    /// Files are still being indexed, and may use it.
    pub is_partial: bool,
}

impl Extent {
    /// How risky such a change is, and why.
    pub fn rated(&self) -> Summary {
        let mut reasons = Vec::new();
        let mut risk = match self.files {
            files if files > HIGH_FILES => Risk::High,
            files if files > MEDIUM_FILES => Risk::Medium,
            _ => Risk::Low,
        };
        if self.is_partial {
            reasons.push("not all files are indexed yet".to_owned());
            risk = risk.max(Risk::Medium);
        }
        if self.left_over > 0 {
            reasons.push(format!("{} of what is gone", plural(self.left_over, "use")));
            risk = Risk::High;
        }
        if self.unfit > 0 {
            let verb = if self.unfit == 1 { "does" } else { "do" };
            reasons.push(format!(
                "{} {verb} not fit the type derived from",
                plural(self.unfit, "definition")
            ));
            risk = Risk::High;
        }
        reasons.push(match (self.files, self.subsystems.len()) {
            (0, _) if self.possible > 0 => {
                risk = risk.max(Risk::Medium);
                format!("no use is sure, {} may be of it", plural(self.possible, "use"))
            }
            (0, _) if self.unfit > 0 => String::new(),
            (0, _) if self.is_operator => {
                risk = risk.max(Risk::Medium);
                AS_OPERATOR.to_owned()
            }
            (0, _) if self.is_partial => "no use found so far".to_owned(),
            (0, _) => "nothing here uses it".to_owned(),
            (files, 0 | 1) => format!("used in {}", plural(files, "file")),
            (files, parts) => {
                let named: Vec<&str> = self.subsystems.iter().take(3).map(String::as_str).collect();
                let more = if parts > named.len() { ", ..." } else { "" };
                if parts >= MEDIUM_PARTS {
                    risk = risk.max(Risk::Medium);
                }
                format!(
                    "used in {} of {parts} subsystems ({}{more})",
                    plural(files, "file"),
                    named.join(", ")
                )
            }
        });
        if self.files > 0 && self.possible > 0 {
            reasons.push(format!("{} may be of it too", plural(self.possible, "further use")));
        }
        reasons.retain(|reason| !reason.is_empty());
        if self.implementations > 0 {
            reasons.push(plural(self.implementations, "implementation"));
            risk = risk.max(match self.implementations {
                many if many > HIGH_FILES => Risk::High,
                some if some > MEDIUM_FILES => Risk::Medium,
                _ => Risk::Low,
            });
        }
        if self.is_public {
            reasons.push("public: others may use it too".to_owned());
            risk = risk.max(if self.uses == 0 { Risk::Low } else { Risk::Medium });
        }
        if self.functions > 0 && self.tests == 0 {
            reasons.push(match self.is_deep {
                true if self.unexplored > 0 => "no test found so far".to_owned(),
                true => "no test found that reaches it".to_owned(),
                false => "no test uses it directly".to_owned(),
            });
            if self.files > 1 {
                risk = risk.max(Risk::Medium);
            }
        }
        Summary {
            uses: self.uses,
            files: self.files,
            functions: self.functions,
            tests: self.tests,
            risk,
            reason: reasons.join("; "),
        }
    }
}

/// Uses of what implements a definition, by its own name, change with it and are none of its uses.
pub(crate) fn through_text(through: usize) -> String {
    let verb = if through == 1 { "changes" } else { "change" };
    format!(
        "{} of its implementations {verb} with it: ask for references of those.",
        plural(through, "use")
    )
}

/// A name that is everywhere is looked for where its type is named.
pub(crate) fn unseen_text(files: usize) -> String {
    format!(
        "Not looked at: {} that use the name and never name its type.",
        plural(files, "file")
    )
}

pub(crate) fn unexplored_text(dependents: usize) -> String {
    format!(
        "{} not followed to their callers: more tests may reach it.",
        plural(dependents, "dependent")
    )
}

/// What a use is without whose: `call` of `call in f()`.
pub(crate) fn role_word(role_text: &str) -> &str {
    let end = [" in ", " of ", " at "]
        .iter()
        .filter_map(|word| role_text.find(word))
        .min();
    &role_text[..end.unwrap_or(role_text.len())]
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

#[cfg(test)]
mod tests {
    use super::{Extent, Risk};

    #[test]
    fn what_is_not_known_yet_is_no_low_risk() {
        let known = Extent::default().rated();
        assert_eq!((known.risk, known.reason.as_str()), (Risk::Low, "nothing here uses it"));
        let partial = Extent {
            is_partial: true,
            ..Extent::default()
        };
        let partial = partial.rated();
        assert_eq!(partial.risk, Risk::Medium);
        assert_eq!(partial.reason, "not all files are indexed yet; no use found so far");
    }
}
