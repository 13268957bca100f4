//! The on-disk store of one workspace: which files there are, their facts, the text index over their chunks, and the
//! chunks' vectors.
//!
//! The catalog's (SQLite's) transaction is the truth. Each commit has a generation number that the text index
//! repeats in its own commit; where the two differ, `Store` brings them together before anyone reads. Files of vectors are
//! written before the transaction that names them.
//! Whoever writes holds the lock file for the length of one `Writer`. Nothing outside the given directory is touched.

mod aside;
mod catalog;
mod doc_files;
mod error;
mod exact;
mod file_system;
mod file_table;
mod heads;
mod leaves;
mod mapped;
mod memory;
mod packed;
mod reader;
mod segment;
mod store;
mod text;
pub mod token;
mod vectors;
mod vocabulary;
mod writer;

pub use catalog::{Counts, FileRow, FileState, NOTES, TEXT_ONLY};
pub use doc_files::{DocFiles, InOrder};
pub use error::{StoreError, StoreErrorKind};
pub use exact::ExactRow;
pub use file_system::FileSystem;
pub use file_table::{FileTable, Totals};
pub use heads::{Heads, file_words};
pub use memory::{MEMORY_FILE, Memory, MemoryFilter, MemoryLink, MemoryStore};
pub use reader::Reader;
pub use store::{FORMAT, Store, VectorTurn, create_private_dir, dir_size};
pub use text::Fields;
pub use vectors::{Near, VectorSource};
pub use vocabulary::Places;
pub use writer::{NewFile, Writer, content_hash};
