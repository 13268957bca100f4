//! How long and for what the exact analysis of a language works.

use std::time::Duration;

#[derive(Debug, Clone, Copy)]
pub struct ExactSettings {
    pub is_enabled: bool,
    /// How long one answer waits.
    pub wait: Duration,
    /// An analysis that nobody has asked for so long is dropped.
    pub idle: Duration,
    /// Workspaces with more of the language are not analysed.
    pub max_bytes: u64,
}

impl ExactSettings {
    pub const DEFAULT_WAIT: Duration = Duration::from_millis(1500);
}
