//! What a change of a symbol reaches, in one line.

use queries::{CodeGraph, FileIdx, LIKELY, Subject, SymbolId, Use, UseOrigin, Uses, Visibility};
use serde_json::{Value, json};

use crate::{
    machinery::units::plural,
    parts::subject::{AS_OPERATOR, is_operator},
};

/// How far a change reaches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Summary {
    pub uses: usize,
    /// Uses of what it overrides, which may reach it; not among the uses.
    pub dispatched: usize,
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

    /// Of a change after which so many have to be looked at.
    fn of_many(many: usize) -> Risk {
        match many {
            many if many > HIGH => Risk::High,
            many if many > MEDIUM => Risk::Medium,
            _ => Risk::Low,
        }
    }
}

/// More files or implementations than these have to be looked at for a change to be of that risk.
const MEDIUM: usize = 3;
const HIGH: usize = 15;
/// So many subsystems, and it is nobody's own any more.
const MEDIUM_PARTS: usize = 3;

/// What its direct uses tell.
pub(crate) fn summary(graph: &CodeGraph<'_>, subject: &Subject, uses: &Uses) -> Summary {
    let is_dispatched = |used: &&Use| used.origin == UseOrigin::Dispatch;
    let likely = || {
        let direct = uses.uses.iter().filter(|used| !is_dispatched(used));
        direct.filter(|used| used.confidence >= LIKELY)
    };
    let dispatched = uses.uses.iter().filter(is_dispatched).count();
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
        dispatched,
        possible: uses.uses.len() - likely().count() - dispatched,
        files: files.len(),
        functions: functions.len(),
        tests: tests.len(),
        implementations: graph.implementations(subject).len(),
        unparsed: graph.n_unparsed(),
        ..Extent::default()
    }
    .rated()
}

/// What is known of a change's reach.
#[derive(Debug, Default)]
pub(crate) struct Extent {
    /// Only comments and white space are changed.
    pub is_layout: bool,
    /// It can be used without its name.
    pub is_operator: bool,
    pub is_public: bool,
    pub uses: usize,
    /// Uses of what it overrides, which may reach it.
    pub dispatched: usize,
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
    /// Files of a change that were not looked into.
    pub unread: usize,
    pub unread_submodules: usize,
    /// Nothing is changed.
    pub is_nothing: bool,
    /// Files that mention it and could not be parsed.
    pub unparsed: usize,
}

impl Extent {
    /// How risky such a change is, and why.
    pub fn rated(&self) -> Summary {
        let mut rating = Rating {
            risk: Risk::of_many(self.files),
            reasons: Vec::new(),
        };
        if self.is_partial {
            rating.add(Risk::Medium, "not all files are indexed yet");
        }
        if self.unread > 0 {
            let files = plural(self.unread, "changed file");
            rating.add(Risk::Medium, format!("{files} not looked into"));
        }
        if self.unread_submodules > 0 {
            let submodules = plural(self.unread_submodules, "submodule");
            rating.add(Risk::Medium, format!("{submodules} not looked into"));
        }
        if self.unparsed > 0 {
            let files = plural(self.unparsed, "file");
            rating.add(Risk::Medium, format!("{files} with its name not parsed"));
        }
        if self.left_over > 0 {
            rating.add(Risk::High, format!("{} of what is gone", plural(self.left_over, "use")));
        }
        if self.unfit > 0 {
            let verb = if self.unfit == 1 { "does" } else { "do" };
            let unfit = plural(self.unfit, "definition");
            rating.add(Risk::High, format!("{unfit} {verb} not fit the type derived from"));
        }
        match self.files {
            0 => self.rate_without_use(&mut rating),
            _ => self.rate_use(&mut rating),
        }
        if self.implementations > 0 {
            let risk = Risk::of_many(self.implementations);
            rating.add(risk, plural(self.implementations, "implementation"));
        }
        if self.is_public {
            let risk = if self.uses == 0 { Risk::Low } else { Risk::Medium };
            rating.add(risk, "public: others may use it too");
        }
        if self.functions > 0 && self.tests == 0 {
            let risk = if self.files > 1 { Risk::Medium } else { Risk::Low };
            rating.add(
                risk,
                match self.is_deep {
                    true if self.unexplored > 0 => "no test found so far",
                    true => "no test found that reaches it",
                    false => "no test uses it directly",
                },
            );
        }
        if self.dispatched > 0 {
            let uses = plural(self.dispatched, "use");
            rating.add(
                Risk::of_many(self.dispatched),
                format!("{uses} of what it overrides may reach it"),
            );
        }
        Summary {
            uses: self.uses,
            dispatched: self.dispatched,
            files: self.files,
            functions: self.functions,
            tests: self.tests,
            risk: rating.risk,
            reason: rating.reasons.join("; "),
        }
    }

    fn rate_without_use(&self, rating: &mut Rating) {
        if self.dispatched > 0 {
            // That is told with all others.
        } else if self.possible > 0 {
            let possible = plural(self.possible, "use");
            rating.add(Risk::Medium, format!("no use is sure, {possible} may be of it"));
        } else if self.is_layout {
            rating.add(Risk::Low, "only comments or layout changed");
        } else if self.unfit > 0 {
            // That says enough.
        } else if self.is_operator {
            rating.add(Risk::Medium, AS_OPERATOR);
        } else if self.is_nothing {
            rating.add(Risk::Low, "nothing is changed");
        } else if self.is_partial || self.unread + self.unread_submodules > 0 {
            rating.add(Risk::Low, "no use found so far");
        } else if self.unparsed > 0 {
            rating.add(Risk::Low, "nothing that is parsed uses it");
        } else {
            rating.add(Risk::Low, "nothing here uses it");
        }
    }

    fn rate_use(&self, rating: &mut Rating) {
        let files = plural(self.files, "file");
        match self.subsystems.len() {
            0 | 1 => rating.add(Risk::Low, format!("used in {files}")),
            parts => {
                let named: Vec<&str> = self.subsystems.iter().take(3).map(String::as_str).collect();
                let more = if parts > named.len() { ", ..." } else { "" };
                let risk = if parts >= MEDIUM_PARTS { Risk::Medium } else { Risk::Low };
                let named = named.join(", ");
                rating.add(risk, format!("used in {files} of {parts} subsystems ({named}{more})"));
            }
        }
        if self.possible > 0 {
            let possible = plural(self.possible, "further use");
            rating.add(Risk::Low, format!("{possible} may be of it too"));
        }
    }
}

/// A risk on the way to a summary.
struct Rating {
    risk: Risk,
    reasons: Vec<String>,
}

impl Rating {
    /// A reason, and the risk that there is at least for it.
    fn add(&mut self, at_least: Risk, reason: impl Into<String>) {
        self.risk = self.risk.max(at_least);
        self.reasons.push(reason.into());
    }
}

/// Uses of what implements a definition, by its own name, change with it and are none of its uses.
pub(crate) fn through_text(through: usize, implementations: &str) -> String {
    let verb = if through == 1 { "changes" } else { "change" };
    let of_those = match implementations {
        "" => String::new(),
        places => format!(": find_references of {places}"),
    };
    format!(
        "{} of its implementations {verb} with it{of_those}.",
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
        let mut json = json!({
            "uses": self.uses,
            "files": self.files,
            "functions": self.functions,
            "tests": self.tests,
            "risk": self.risk.as_str(),
            "reason": self.reason,
        });
        if self.dispatched > 0 {
            json["dispatched"] = self.dispatched.into();
        }
        json
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
