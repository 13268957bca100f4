//! A parsed text, as the `tree-sitter` crate parses it: `parsed.rs` with the feature `plain-parser`.

use tree_sitter::{Language, Range};

use crate::plain;

/// The library's form of a tree.
pub(crate) struct Parsed<'l> {
    tree: tree_sitter::Tree,
    /// Visible nodes.
    pub n_nodes: u32,
    pub language: &'l Language,
}

/// A pointer, or a short leaf.
pub(crate) type Subtree = u64;

impl<'l> Parsed<'l> {
    /// Parses a text, or a range of it. `None` if `is_spent`, which is called after every so many steps, has stopped the
    /// parser.
    pub fn new(
        language: &'l Language,
        text: &str,
        range: Option<Range>,
        is_spent: impl FnMut() -> bool,
    ) -> Option<Parsed<'l>> {
        let tree = plain::parse(language, text, range, is_spent)?;
        Some(Parsed {
            n_nodes: u32::try_from(tree.root_node().descendant_count()).ok()?,
            tree,
            language,
        })
    }

    pub fn root(&self) -> *const Subtree {
        // The id of a node is the address of its subtree, and the root's is in the tree.
        self.tree.root_node().id() as *const Subtree
    }
}
