//! Answers that outlive the process, for as long as the contents stay the same.

use std::sync::Arc;

use index::ExactRow;
use rustc_hash::FxHashMap;

use super::{About, ExactMeaning, Place, State};
use crate::snapshot::IndexSnapshot;

/// What is to be stored; it is from now on.
pub(super) fn unsaved(state: &mut State) -> Vec<ExactRow> {
    let places = std::mem::take(&mut state.unsaved);
    let row = |place: &Place, target: &str, target_at: u32| ExactRow {
        path: place.0.to_string(),
        at: place.1,
        target: target.to_owned(),
        target_at,
    };
    let mut rows = Vec::new();
    for place in &places {
        match state.answers.get(place) {
            Some(ExactMeaning::Definitions(all)) => rows.extend(all.iter().map(|(path, at)| row(place, path, *at))),
            Some(ExactMeaning::Elsewhere) => rows.push(row(place, "", ELSEWHERE)),
            Some(ExactMeaning::Unknown) => rows.push(row(place, "", UNKNOWN)),
            None => {}
        }
    }
    rows
}

/// What a row without a target says.
const UNKNOWN: u32 = 0;
const ELSEWHERE: u32 = 1;

pub(super) fn from_rows(rows: Vec<ExactRow>) -> FxHashMap<Place, ExactMeaning> {
    let mut answers: FxHashMap<Place, ExactMeaning> = FxHashMap::default();
    for row in rows {
        let place = (Arc::from(row.path), row.at);
        match (row.target.is_empty(), row.target_at) {
            (true, ELSEWHERE) => {
                answers.insert(place, ExactMeaning::Elsewhere);
            }
            (true, _) => {
                answers.insert(place, ExactMeaning::Unknown);
            }
            (false, at) => match answers.entry(place).or_insert(ExactMeaning::Definitions(Vec::new())) {
                ExactMeaning::Definitions(all) => all.push((row.target, at)),
                other => *other = ExactMeaning::Definitions(vec![(row.target, at)]),
            },
        }
    }
    answers
}

pub(super) fn save(about: &About, rows: &[ExactRow]) {
    let Some(workspace) = about.workspace.upgrade() else {
        return;
    };
    // They can be found out again.
    if let Err(error) = workspace.store().keep_exact(&about.key, rows) {
        tracing::debug!(%error, "exact answers are not kept");
    }
}

impl IndexSnapshot {
    /// Stores what was found out, for a process that ends with its answer.
    pub fn keep_exact(&self) {
        let Some(exact) = self.workspace.exact.as_ref().filter(|_| !self.workspace.is_server()) else {
            return;
        };
        let (about, rows) = {
            let mut state = exact.state();
            let Some(about) = state.about.clone() else { return };
            (about, unsaved(&mut state))
        };
        if !rows.is_empty() {
            save(&about, &rows);
        }
    }
}
