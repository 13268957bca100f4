//! What a repository is: paths inside it and globs over them, the text of its files, lines; and which name was meant by one
//! that is not there. No IO.

mod glob;
mod nearest;
mod path;
mod secret;
mod skip;
mod stat;
mod text;

pub use glob::{GlobError, PathGlobs};
pub use nearest::{ALIKE, likeness, nearest, nearest_few, path_likeness};
pub use path::{PathError, RepoPath, is_beside_path, is_test_path, is_vendored_path, tested_stem};
pub use secret::{is_secret_path, is_version_control_path};
pub use skip::{SkipReason, is_binary_name};
pub use stat::Stat;
pub use text::{Edit, Encoding, LineIndex, Span, Text, count_lines, decode, edited, edited_bytes};
