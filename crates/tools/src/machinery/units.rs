//! Numbers as people read them.

use std::time::Duration;

/// `12,345`.
pub(crate) fn count(n: impl TryInto<u64>) -> String {
    let digits = n.try_into().unwrap_or(u64::MAX).to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `5.20 KB`.
pub(crate) fn bytes(n: u64) -> String {
    let mut value = n as f64;
    for unit in ["bytes", "KB", "MB"] {
        if value < 1024.0 {
            return if unit == "bytes" {
                format!("{n} bytes")
            } else {
                format!("{value:.2} {unit}")
            };
        }
        value /= 1024.0;
    }
    format!("{value:.2} GB")
}

/// `2.3 s`, `14 ms`.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1e3)
    } else {
        format!("{seconds:.1} s")
    }
}

/// `2025-10-20T10:00:00Z`.
pub(crate) fn time(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds).map_or_else(|_| seconds.to_string(), |time| time.to_string())
}

/// `1 file`, `2 files`.
pub(crate) fn plural(n: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(n as u64), if n == 1 { "" } else { "s" })
}

/// `a, b and c`.
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `a, b and 3 more`.
pub(crate) fn first_few(mut names: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let shown: Vec<String> = names.by_ref().take(most).collect();
    format!("{}{}", shown.join(", "), and_more(names.len()))
}

/// ` and 3 more`, where some are left out.
pub(crate) fn and_more(left_out: usize) -> String {
    match left_out {
        0 => String::new(),
        more => format!(" and {more} more"),
    }
}

/// A confidence or score with two digits.
pub(crate) fn rounded(value: f32) -> f64 {
    (f64::from(value) * 100.0).round() / 100.0
}
