//! How fast, how large and how short: the built binary as its users run it, next to what it is to be compared with on the
//! same files in the same run. `portolan bench` measures a repository, `cargo xtask bench` the product.
//!
//! Machines differ and are noisy: what counts are ratios. All that is written is below a directory that the caller names.

mod corpus;
mod grep;
mod indexing;
mod product;
mod report;
mod repository;
mod sample;
mod serving;
mod sources;
mod stats;
mod table;
mod tasks;

pub use corpus::{Copied, Corpus, size_of};
pub use grep::{Line, Pattern, grep};
pub use indexing::{Parsing, Run, index, status_bytes};
pub use product::{Answer, Portolan, Server};
pub use report::{Report, tokens_text};
pub use repository::{Options, measure};
pub use sample::{Definitions, Sample, Stratum};
pub use serving::{Changes, Greeting, QUESTIONS, Question, answer_times, change, grep_times, start};
pub use sources::{Source, Sources, n_threads};
pub use stats::{median, ms, percentile, ratio, show_mb, show_ms, show_times};
pub use table::Table;
pub use tasks::{Task, Tokens, listing, tokens};
