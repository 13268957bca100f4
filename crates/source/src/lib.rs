//! What a repository is: paths inside it, the text of its files, lines. No IO.

mod path;
mod text;

pub use path::{PathError, RepoPath, is_beside_path, is_secret_name, is_test_path, is_vendored_path, tested_stem};
pub use text::{Edit, Encoding, LineIndex, Span, Text, count_lines, decode, edited, edited_bytes};
