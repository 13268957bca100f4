//! NDCG@10 as the scorer of the queries has it: gains are binary, targets are files (some with lines), and later chunks of
//! a file gain nothing but occupy ranks.

use serde_json::Value;

/// Results that count.
pub const N: usize = 10;

/// For each target the rank of the first result that hits it, from 1.
pub fn ranks(results: &[Value], targets: &[&Value]) -> Vec<Option<usize>> {
    let rank = |target: &&Value| {
        results
            .iter()
            .take(N)
            .position(|result| hits(result, target))
            .map(|i| i + 1)
    };
    targets.iter().map(rank).collect()
}

/// The same file and, where the target has lines, some of them.
pub fn hits(result: &Value, target: &Value) -> bool {
    let text = |value: &Value| value["path"].as_str().unwrap_or_default().to_owned();
    if !same_path(&text(result), &text(target)) {
        return false;
    }
    let line = |value: &Value, key: &str| value[key].as_u64();
    match (
        line(target, "start"),
        line(target, "end"),
        line(result, "start"),
        line(result, "end"),
    ) {
        (Some(start), Some(end), Some(from), Some(to)) => from <= end && to >= start,
        _ => true,
    }
}

/// Equal, or one is the end of the other.
fn same_path(one: &str, other: &str) -> bool {
    let is_end = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    is_end(one, other) || is_end(other, one)
}

/// Two targets hit by the same result share its gain.
pub fn ndcg(ranks: &[Option<usize>]) -> f64 {
    let gain = |rank: usize| 1.0 / ((rank + 1) as f64).log2();
    let mut hit: Vec<usize> = ranks.iter().copied().flatten().collect();
    hit.sort_unstable();
    hit.dedup();
    let best: f64 = (1..=ranks.len().min(N)).map(gain).sum();
    if best == 0.0 {
        return 0.0;
    }
    hit.into_iter().map(gain).sum::<f64>() / best
}

pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values {
        sum += value;
        count += 1;
    }
    sum / count as f64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ndcg, ranks};

    #[test]
    fn later_chunks_occupy_ranks() {
        let row = |path: &str, start: u64| json!({ "path": path, "start": start, "end": start + 9 });
        let results = [row("src/a.rs", 1), row("src/a.rs", 11), row("src/b.rs", 1)];
        let [a, b, lines, c] = [
            json!({ "path": "src/a.rs" }),
            json!({ "path": "b.rs" }),
            json!({ "path": "src/a.rs", "start": 15, "end": 16 }),
            json!({ "path": "rc/b.rs" }),
        ];
        let found = ranks(&results, &[&a, &b, &lines, &c]);
        assert_eq!(found, [Some(1), Some(3), Some(2), None]);
        assert!((ndcg(&found[..1]) - 1.0).abs() < 1e-9);
        assert!((ndcg(&found[1..2]) - 0.5).abs() < 1e-9);
        // (1 + 1/2) of (1 + 1/log2(3))
        assert!((ndcg(&found[..2]) - 0.919_720_8).abs() < 1e-6);
    }
}
