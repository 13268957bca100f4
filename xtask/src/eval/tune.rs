//! The weights of a ranking: those under which what answers a query is the likeliest of all that was found. What they are
//! worth is told by repositories that they were not fitted to.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::search::score;

/// A query with what was found for it.
pub struct Example {
    pub repo: String,
    pub candidates: Vec<Candidate>,
    pub n_targets: usize,
}

/// Something that was found: what it is like, and which targets it is.
pub struct Candidate {
    pub features: BTreeMap<String, f64>,
    pub targets: Vec<usize>,
}

const FOLDS: usize = 5;
const ROUNDS: usize = 1_500;
const RATE: f64 = 0.02;
/// How much large weights cost.
const DECAY: f64 = 2e-3;

impl Candidate {
    /// `features` as an answer lists them.
    pub fn new(features: &Value, targets: Vec<usize>) -> Candidate {
        let features = features.as_object().into_iter().flatten();
        let features = features.map(|(name, value)| (name.clone(), value.as_f64().unwrap_or(0.0)));
        Candidate {
            features: features.collect(),
            targets,
        }
    }
}

struct Data<'e> {
    example: &'e Example,
    rows: Vec<Vec<f64>>,
}

/// Fits weights to all examples and prints them, with the score of weights that were fitted without the repositories they
/// are scored on.
pub fn tune(examples: &[Example]) {
    let names: BTreeSet<&String> = examples
        .iter()
        .flat_map(|one| one.candidates.iter().flat_map(|candidate| candidate.features.keys()))
        .collect();
    let names: Vec<&String> = names.into_iter().collect();
    let data: Vec<Data<'_>> = examples
        .iter()
        .map(|example| {
            let row = |known: &BTreeMap<String, f64>| {
                names
                    .iter()
                    .map(|name| known.get(*name).copied().unwrap_or(0.0))
                    .collect()
            };
            let rows = example.candidates.iter().map(|one| row(&one.features)).collect();
            Data { example, rows }
        })
        .collect();
    let repos: BTreeSet<&str> = examples.iter().map(|one| one.repo.as_str()).collect();
    let fold_of = |repo: &str| repos.iter().position(|one| *one == repo).unwrap_or(0) % FOLDS;
    let mut held_out: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for fold in 0..FOLDS {
        let rest: Vec<&Data<'_>> = data.iter().filter(|one| fold_of(&one.example.repo) != fold).collect();
        let weights = fit(&rest, names.len());
        for one in data.iter().filter(|one| fold_of(&one.example.repo) == fold) {
            held_out.entry(&one.example.repo).or_default().push(ndcg(one, &weights));
        }
    }
    let all: Vec<&Data<'_>> = data.iter().collect();
    let weights = fit(&all, names.len());
    let mut fitted: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for one in &data {
        fitted.entry(&one.example.repo).or_default().push(ndcg(one, &weights));
    }
    let overall =
        |by: &BTreeMap<&str, Vec<f64>>| score::mean(by.values().map(|rows| score::mean(rows.iter().copied())));
    println!(
        "held out {:.4}, fitted {:.4}; weights of all:",
        overall(&held_out),
        overall(&fitted)
    );
    for (name, weight) in names.iter().zip(&weights) {
        println!("  {name}: {weight:.2},");
    }
}

fn scores(one: &Data<'_>, weights: &[f64]) -> Vec<f64> {
    let score = |row: &Vec<f64>| row.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    one.rows.iter().map(score).collect()
}

fn ndcg(one: &Data<'_>, weights: &[f64]) -> f64 {
    let scores = scores(one, weights);
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let rank = |target: usize| {
        order
            .iter()
            .take(score::N)
            .position(|at| one.example.candidates[*at].targets.contains(&target))
    };
    let ranks: Vec<Option<usize>> = (0..one.example.n_targets)
        .map(|target| rank(target).map(|at| at + 1))
        .collect();
    score::ndcg(&ranks)
}

/// Makes the targets as likely as can be, if the chance of each is the exponential of its score. A repository counts as one,
/// however many queries it has.
fn fit(data: &[&Data<'_>], n: usize) -> Vec<f64> {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    for one in data {
        *counts.entry(&one.example.repo).or_default() += 1.0;
    }
    let (mut weights, mut mean, mut square) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for round in 1..=ROUNDS {
        let mut slope = vec![0.0; n];
        for one in data {
            let scores = scores(one, &weights);
            let top = scores.iter().copied().fold(f64::MIN, f64::max);
            let chances: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
            let total: f64 = chances.iter().sum();
            let is_target = |at: usize| !one.example.candidates[at].targets.is_empty();
            let wanted: f64 = (0..chances.len())
                .filter(|at| is_target(*at))
                .map(|at| chances[at])
                .sum();
            if wanted == 0.0 {
                continue;
            }
            let n_wanted = (0..chances.len()).filter(|at| is_target(*at)).count() as f64;
            let share = 1.0 / (counts[one.example.repo.as_str()] * counts.len() as f64);
            for (at, row) in one.rows.iter().enumerate() {
                // Each target as likely as the others, against all that was found.
                let is = if is_target(at) { 1.0 / n_wanted } else { 0.0 };
                let error = share * (is - chances[at] / total);
                for (slope, value) in slope.iter_mut().zip(row) {
                    *slope += error * value;
                }
            }
        }
        let rate = RATE * (1.0 - round as f64 / (ROUNDS as f64 + 1.0));
        for at in 0..n {
            let slope = slope[at] - DECAY * weights[at];
            mean[at] = 0.9 * mean[at] + 0.1 * slope;
            square[at] = 0.999 * square[at] + 0.001 * slope * slope;
            let (mean, square) = (
                mean[at] / (1.0 - 0.9f64.powi(round as i32)),
                square[at] / (1.0 - 0.999f64.powi(round as i32)),
            );
            weights[at] += rate * 5.0 * mean / (square.sqrt() + 1e-9);
        }
    }
    weights
}
