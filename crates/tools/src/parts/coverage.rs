//! What an answer has looked at, as it says so.

use queries::Snapshot;
use serde_json::{Value, json};
use workspace::{Coverage, ExactState, MissedFiles};

use crate::machinery::{
    answer::Answer,
    tool::Engine,
    units::{count, plural},
    visible::visible_name,
};

impl Answer {
    /// Says what was looked at; in the text only what a reader must know.
    pub fn covering(self, snapshot: &Snapshot) -> Answer {
        self.covered_by(&snapshot.coverage())
    }

    pub fn covered_by(mut self, coverage: &Coverage) -> Answer {
        self.files = coverage.digest as u16;
        let partly = coverage.vectors.filter(|_| self.engines.contains(&Engine::Vectors));
        let vectors = partly.map(|(chunks, of)| {
            format!(
                "Partial: vectors: {} of {} chunks; the others are not compared by meaning.",
                count(chunks),
                count(of)
            )
        });
        let part = coverage.part.as_ref().filter(|_| self.engines.contains(&Engine::Graph));
        let part = part.map(|part| {
            let part = visible_name(part);
            format!("This workspace is `{part}` of its repository: nothing outside of that was looked at.")
        });
        let is_current = self.says_age && coverage.behind.is_none() && coverage.complete;
        let age = is_current.then(|| format!("Index: generation {}, up to date", coverage.generation));
        let asks_symbols = self
            .engines
            .iter()
            .any(|engine| matches!(engine, Engine::Syntax | Engine::Graph));
        let unparsed = Some(&coverage.unparsed).filter(|files| asks_symbols && files.total > 0);
        let undone = coverage.undone.as_ref().filter(|undone| undone.is_news());
        let undone = undone.map(|undone| visible_name(&undone.text()));
        self.warning = unfinished_line(coverage).unwrap_or_default();
        for line in coverage_lines(coverage)
            .into_iter()
            .chain(unparsed.map(unparsed_line))
            .chain(vectors)
            .chain(undone.clone())
            .chain(part)
            .chain(age)
        {
            if !self.tail.is_empty() {
                self.tail.push('\n');
            }
            self.tail.push_str(&line);
        }
        let mut json = coverage_json(coverage);
        if let Some(unparsed) = unparsed {
            json["complete"] = false.into();
            let mut skipped = files_json(&coverage.missed);
            skipped.extend(files_json(unparsed));
            json["skipped"] = skipped.into();
            json["unparsed"] = unparsed.total.into();
        }
        if let Some(undone) = undone {
            json["undone"] = undone.into();
        }
        if let Some((chunks, of)) = partly {
            json["vectors"] = json!({ "chunks": chunks, "of": of });
        }
        let mut engines: Vec<&str> = self.engines.iter().map(|engine| engine.name()).collect();
        engines.extend(
            coverage
                .exact
                .iter()
                .filter(|exact| exact.answered > 0)
                .map(|exact| exact.engine),
        );
        json["engines"] = json!(engines);
        self.coverage = Some(json);
        self
    }
}

/// Why there is nothing to find where there are files.
pub(crate) const ALL_LEFT_OUT: &str = "Nothing here is indexed: every file is ignored (.gitignore, .ignore), hidden and not \
                                       tracked by git, or left out by the settings.";

/// Why the answer is not about all files as they are on disk.
fn unfinished_line(coverage: &Coverage) -> Option<String> {
    if let Some(reason) = &coverage.behind {
        return Some(format!(
            "Behind: the index could not be brought up to date ({reason}); this is as of generation {}.",
            coverage.generation
        ));
    }
    if coverage.complete {
        return None;
    }
    Some(match pending(coverage) {
        Some((left, total)) => format!(
            "Partial: {} of {} files are still to be indexed, those with words of the question come first; ask again for the \
             rest.",
            count(left),
            count(total)
        ),
        None => "Partial: the index is still being built; ask again for the rest.".to_owned(),
    })
}

/// How many files are still to be indexed, of how many.
fn pending(coverage: &Coverage) -> Option<(u64, u64)> {
    let progress = coverage.pending?;
    let total = progress.total?;
    let left = total.saturating_sub(progress.done);
    (left > 0).then_some((left, total))
}

fn coverage_lines(coverage: &Coverage) -> Vec<String> {
    let mut lines = Vec::new();
    if coverage.behind.is_some() {
        return lines;
    }
    if coverage.all_left_out {
        lines.push(ALL_LEFT_OUT.into());
    }
    if coverage.missed.total > 0 {
        lines.push(format!("Not searched: {}.", named(&coverage.missed)));
    }
    if let Some(exact) = coverage.exact.as_ref().filter(|exact| exact.late > 0) {
        let line = match &exact.state {
            ExactState::Failed(reason) => format!("{} does not help here: {reason}.", exact.engine),
            _ => format!("{} is still loading: repeat the call for exact results.", exact.engine),
        };
        lines.push(line);
    }
    lines
}

/// `a.c (too large) and 3 more; see index_status`
fn named(MissedFiles { shown, total }: &MissedFiles) -> String {
    let named = shown
        .iter()
        .map(|file| format!("{} ({})", visible_name(&file.path), file.reason));
    let named: Vec<String> = named.collect();
    let more = match total - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more; see index_status"),
    };
    format!("{}{more}", named.join(", "))
}

/// What is not known since files that mention what was asked about could not be parsed.
fn unparsed_line(files: &MissedFiles) -> String {
    let (verb, whose) = match files.total {
        1 => ("mentions", "it defines and uses"),
        _ => ("mention", "they define and use"),
    };
    format!(
        "Not parsed: {} that {verb} the name, so what {whose} is not known (grep shows the lines): {}.",
        plural(files.total, "file"),
        named(files)
    )
}

fn files_json(files: &MissedFiles) -> Vec<Value> {
    let shown = files.shown.iter();
    shown
        .map(|file| json!({ "path": file.path, "reason": file.reason }))
        .collect()
}

fn coverage_json(coverage: &Coverage) -> Value {
    let mut json = json!({ "generation": coverage.generation, "complete": coverage.complete });
    if let Some((left, total)) = pending(coverage) {
        json["pending"] = left.into();
        json["pending_of"] = total.into();
    }
    if coverage.missed.total > 0 {
        json["skipped"] = files_json(&coverage.missed).into();
    }
    if let Some(part) = &coverage.part {
        json["part"] = json!(part);
    }
    if let Some(exact) = &coverage.exact {
        json["exact"] = json!({ "engine": exact.engine, "answered": exact.answered, "late": exact.late });
        if let ExactState::Ready(loaded) = &exact.state {
            json["exact"]["missing"] = json!(loaded.missing.len());
            json["exact"]["standard_library"] = json!(loaded.has_standard_library);
        }
    }
    json
}
