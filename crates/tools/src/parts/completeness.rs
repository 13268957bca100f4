//! Whether an answer about uses is exact or a lower bound, and why.

use queries::{CodeGraph, SymbolHit, Uses};
use serde_json::{Map, Value};

use crate::{machinery::units::plural, parts::subject};

/// A use that is this unsure is of something else, nearly always.
const UNLIKELY: f32 = 0.2;

/// The reasons why there may be more than an answer lists; none where it is exact.
#[derive(Debug, Default)]
pub(crate) struct Completeness {
    reasons: Vec<String>,
}

impl Completeness {
    /// What is known of the files that were looked at. What was found in them is added by each tool.
    pub fn of(graph: &CodeGraph<'_>, hit: &SymbolHit, uses: &Uses) -> Completeness {
        let mut reasons = Vec::new();
        if graph.is_partial() {
            reasons.push("files are still being indexed".to_owned());
        }
        match graph.n_unparsed() {
            0 => {}
            n => reasons.push(format!("{} with the name not parsed", plural(n, "file"))),
        }
        match uses.unseen {
            0 => {}
            n => reasons.push(format!("{} with that common name not looked at", plural(n, "file"))),
        }
        if subject::is_operator(hit) {
            reasons.push("uses as an operator are not looked for".to_owned());
        }
        Completeness { reasons }
    }

    /// Uses of the name that nothing resolves and that may be of the definition, each with its confidence.
    pub fn unproven(&mut self, confidences: impl Iterator<Item = f32>) {
        let (count, most) = confidences.fold((0, 0.0f32), |(n, most), one| (n + 1, most.max(one)));
        let uses = match count {
            0 => return,
            1 => "1 use of the name is not proven".to_owned(),
            n => format!("{n} uses of the name are not proven"),
        };
        let likely = match most < UNLIKELY {
            true => "probably of something else, ",
            false => "",
        };
        self.reasons
            .push(format!("{uses} ({likely}confidence at most {most:.2})"));
    }

    /// Another reason.
    pub fn add(&mut self, reason: impl Into<String>) {
        self.reasons.push(reason.into());
    }

    /// `Exact: every use of the name is resolved`; nothing where nothing is listed and no reason known.
    pub fn text(&self, listed: usize) -> Option<String> {
        match (self.reasons.is_empty(), listed) {
            (true, 0) => None,
            (true, _) => Some("Exact: every use of the name is resolved".to_owned()),
            (false, _) => Some(format!("Lower bound: {}", self.reasons.join("; "))),
        }
    }

    /// `completeness`, and the reasons if it is a lower bound.
    pub fn tell(&self, facts: &mut Map<String, Value>) {
        let word = if self.reasons.is_empty() {
            "exact"
        } else {
            "lower_bound"
        };
        facts.insert("completeness".to_owned(), word.into());
        if !self.reasons.is_empty() {
            facts.insert("lower_bound_because".to_owned(), self.reasons.clone().into());
        }
    }
}
