//! What tells whether a file has changed without reading it.

/// What the file system says about a file without reading it. Equal stats mean an unchanged file, unless it was
/// checked within the clock's granularity of its modification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    pub size: u64,
    pub mtime_ns: i64,
    /// When anything about the file changed, permissions included; 0 where the system does not tell.
    pub ctime_ns: i64,
    pub inode: u64,
}
