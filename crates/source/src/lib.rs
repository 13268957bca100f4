//! What a repository is: paths inside it, the text of its files, lines. No IO.

mod path;
mod secret;
mod text;

pub use path::{PathError, RepoPath, is_beside_path, is_test_path, is_vendored_path, tested_stem};
pub use secret::{is_secret_path, is_version_control_path};
pub use text::{Edit, Encoding, LineIndex, Span, Text, count_lines, decode, edited, edited_bytes};
