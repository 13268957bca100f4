//! Many times as one figure.

use std::time::Duration;

/// The value below which the given share of the times lies.
pub fn percentile(times: &[Duration], share: f64) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = (sorted.len() as f64 * share) as usize;
    sorted
        .get(at.min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}

pub fn median(times: &[Duration]) -> Duration {
    percentile(times, 0.5)
}

pub fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

pub fn show_ms(time: Duration) -> String {
    format!("{:.2} ms", ms(time))
}

/// Median, and what 95 of 100 stay below.
pub fn show_times(times: &[Duration]) -> String {
    format!("{} (p95 {})", show_ms(median(times)), show_ms(percentile(times, 0.95)))
}

pub fn show_mb(n_bytes: u64) -> String {
    format!("{:.1} MB", n_bytes as f64 / 1e6)
}

pub fn ratio(ours: Duration, floor: Duration) -> f64 {
    ours.as_secs_f64() / floor.as_secs_f64().max(1e-9)
}
