//! A syntax tree as a list of its nodes in the order of the text.
//!
//! tree-sitter's trees are made to be parsed again after an edit, and are slow to read: half of the time of reading a
//! file went to finding a node's neighbours. Ours are parsed once and read once, so the nodes are written down by one
//! pass (`flatten.c`) in which a node's children follow it. Nodes are asked as tree-sitter's are.

#![allow(unsafe_code)]

use std::{
    cell::{Cell, OnceCell},
    ffi::c_void,
    fmt,
    ops::Range,
};

use tree_sitter::{Language, Point};

use crate::parsed::{Parsed, Subtree};

/// What a thread keeps for the next file: most trees fit.
const KEPT: usize = 1 << 16;

/// Up to so many nodes in another are counted each time.
const FEW_INSIDE: u32 = 64;

const NO_PARENT: u32 = u32::MAX;

const NAMED: u8 = 1;
const EXTRA: u8 = 2;
const MISSING: u8 = 4;
const HAS_ERROR: u8 = 8;

/// tree-sitter's kind of what fits no grammar.
const ERROR: u16 = u16::MAX;

/// A node, as `flatten.c` writes it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Entry {
    start: u32,
    end: u32,
    /// The line that it begins on, from 0.
    row: u32,
    /// The first node behind all that are inside of it.
    next: u32,
    parent: u32,
    kind: u16,
    /// How many nodes are around it, as far as that can be counted.
    depth: u16,
    /// What its parent calls it, and what the parent calls a group that it is in.
    field: u8,
    outer_field: u8,
    flags: u8,
}

unsafe extern "C" {
    fn portolan_flatten(language: *const c_void, root: *const Subtree, out: *mut Entry, room: u32) -> u32;
}

/// What a grammar calls its kinds of nodes and its fields, by their numbers.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    kinds: Vec<Box<str>>,
    fields: Vec<Box<str>>,
}

impl Vocabulary {
    pub fn new(language: &Language) -> Vocabulary {
        let n_fields = language.field_count() as u16;
        assert!(n_fields <= u16::from(u8::MAX), "no grammar has so many fields");
        let kinds = (0..language.node_kind_count() as u16).map(|kind| language.node_kind_for_id(kind));
        // They are numbered from 1.
        let fields = (0..=n_fields).map(|field| language.field_name_for_id(field));
        let owned = |name: Option<&str>| name.unwrap_or_default().into();
        Vocabulary {
            kinds: kinds.map(owned).collect(),
            fields: fields.map(owned).collect(),
        }
    }
}

pub(crate) struct Tree<'t> {
    /// At least the root.
    nodes: Vec<Entry>,
    vocabulary: &'t Vocabulary,
    /// What was parsed.
    text: &'t str,
    /// How many named children each node has, once that is asked of a large one.
    named_counts: OnceCell<Vec<u32>>,
}

thread_local! {
    static SPARE: Cell<Vec<Entry>> = const { Cell::new(Vec::new()) };
}

impl<'t> Tree<'t> {
    /// `None` where there is not enough memory.
    pub fn new(parsed: &Parsed<'_>, vocabulary: &'t Vocabulary, text: &'t str) -> Option<Tree<'t>> {
        let mut nodes = SPARE.take();
        nodes.clear();
        nodes.try_reserve_exact(parsed.n_nodes as usize).ok()?;
        let language = parsed.language.clone().into_raw();
        // SAFETY: the tree is alive, `nodes` has room for so many, and so many of them were written as are said.
        unsafe {
            let n = portolan_flatten(language.cast(), parsed.root(), nodes.as_mut_ptr(), parsed.n_nodes);
            nodes.set_len(n as usize);
        }
        (!nodes.is_empty()).then_some(Tree {
            nodes,
            vocabulary,
            text,
            named_counts: OnceCell::new(),
        })
    }

    fn named_counts(&self) -> &[u32] {
        self.named_counts.get_or_init(|| {
            let mut counts = vec![0; self.nodes.len()];
            let named = self.nodes.iter().filter(|entry| entry.flags & NAMED != 0);
            for entry in named.filter(|entry| entry.parent != NO_PARENT) {
                counts[entry.parent as usize] += 1;
            }
            counts
        })
    }

    pub fn root(&self) -> Node<'_> {
        Node { tree: self, at: 0 }
    }

    /// Every node, in the order of the text.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        self.root().with_inside()
    }

    /// The first node that is another one in a tree of tree-sitter's.
    pub fn difference(&self, theirs: &tree_sitter::Tree) -> Option<String> {
        let mut cursor = theirs.walk();
        for ours in self.nodes() {
            let node = cursor.node();
            let flags = (node.is_named(), node.is_extra(), node.is_missing(), node.has_error());
            let is_same = node.kind_id() == ours.kind_id()
                && node.byte_range() == ours.byte_range()
                && node.start_position().row == ours.row()
                && flags == (ours.is_named(), ours.is_extra(), ours.is_missing(), ours.has_error())
                && cursor.depth() == ours.depth()
                && cursor.field_name() == ours.field_name();
            if !is_same {
                return Some(format!("{ours:?}, theirs {node:?}"));
            }
            if !cursor.goto_first_child() {
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        let is_last = ours.following().is_none();
                        return (!is_last).then(|| format!("behind {ours:?} there are more"));
                    }
                }
            }
        }
        Some(format!("theirs has more: {:?}", cursor.node()))
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        if self.nodes.capacity() <= KEPT {
            SPARE.set(std::mem::take(&mut self.nodes));
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    tree: &'t Tree<'t>,
    at: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.at == other.at
    }
}

impl Eq for Node<'_> {}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({} {:?})", self.kind(), self.byte_range())
    }
}

impl<'t> Node<'t> {
    #[inline]
    fn entry(self) -> &'t Entry {
        &self.tree.nodes[self.at as usize]
    }

    fn at(self, at: u32) -> Node<'t> {
        Node { at, ..self }
    }

    /// Tells it from all others of its tree.
    pub fn id(self) -> usize {
        self.at as usize
    }

    /// The first node behind all that are inside of it, if there is any.
    pub fn behind(self) -> Option<Node<'t>> {
        let next = self.entry().next;
        ((next as usize) < self.tree.nodes.len()).then(|| self.at(next))
    }

    /// The next in the order of the text: its first child, or what is behind it.
    pub fn following(self) -> Option<Node<'t>> {
        ((self.at as usize + 1) < self.tree.nodes.len()).then(|| self.at(self.at + 1))
    }

    /// It and every node inside of it, in the order of the text.
    pub fn with_inside(self) -> impl Iterator<Item = Node<'t>> {
        (self.at..self.entry().next).map(move |at| self.at(at))
    }

    pub fn kind_id(self) -> u16 {
        self.entry().kind
    }

    pub fn kind(self) -> &'t str {
        let kinds = &self.tree.vocabulary.kinds;
        kinds.get(self.entry().kind as usize).map_or("ERROR", |kind| kind)
    }

    pub fn depth(self) -> u32 {
        u32::from(self.entry().depth)
    }

    pub fn is_named(self) -> bool {
        self.entry().flags & NAMED != 0
    }

    /// Whether it may stand anywhere, as comments do.
    pub fn is_extra(self) -> bool {
        self.entry().flags & EXTRA != 0
    }

    pub fn is_error(self) -> bool {
        self.entry().kind == ERROR
    }

    /// Whether the parser put it where the text should have had it.
    pub fn is_missing(self) -> bool {
        self.entry().flags & MISSING != 0
    }

    /// Whether it or anything inside of it is an error.
    pub fn has_error(self) -> bool {
        self.entry().flags & HAS_ERROR != 0
    }

    pub fn start_byte(self) -> usize {
        self.entry().start as usize
    }

    pub fn end_byte(self) -> usize {
        self.entry().end as usize
    }

    pub fn byte_range(self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    /// The line that it begins on, from 0.
    pub fn row(self) -> usize {
        self.entry().row as usize
    }

    /// The last line with any of its text, from 0.
    pub fn last_row(self) -> usize {
        let text = self.tree.text.as_bytes().get(self.byte_range()).unwrap_or_default();
        // A comment may include its line break.
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        self.row() + memchr::memchr_iter(b'\n', text).count()
    }

    /// Whether it is the first of its line.
    pub fn begins_line(self) -> bool {
        let before = self.start_byte().checked_sub(1);
        before.is_none_or(|before| self.tree.text.as_bytes().get(before) == Some(&b'\n'))
    }

    pub fn range(self) -> tree_sitter::Range {
        let Range { start, end } = self.byte_range();
        let inside = self.tree.text.as_bytes().get(start..end).unwrap_or_default();
        let end_row = self.row() + memchr::memchr_iter(b'\n', inside).count();
        tree_sitter::Range {
            start_byte: start,
            end_byte: end,
            start_point: Point::new(self.row(), start - line_start(self.tree.text, start)),
            end_point: Point::new(end_row, end - line_start(self.tree.text, end)),
        }
    }

    pub fn parent(self) -> Option<Node<'t>> {
        let parent = self.entry().parent;
        (parent != NO_PARENT).then(|| self.at(parent))
    }

    /// What its parent calls it.
    pub fn field_id(self) -> Option<u16> {
        let field = u16::from(self.entry().field);
        (field != 0).then_some(field)
    }

    pub fn field_name(self) -> Option<&'t str> {
        Some(&self.tree.vocabulary.fields[self.field_id()? as usize])
    }

    pub fn children(self) -> Children<'t> {
        Children {
            parent: self,
            next: self.at + 1,
            end: self.entry().next,
        }
    }

    pub fn named_children(self) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(|child| child.is_named())
    }

    pub fn child_count(self) -> usize {
        self.children().count()
    }

    /// Each of thousands of children may ask it of its parent.
    pub fn named_child_count(self) -> usize {
        if self.entry().next - self.at <= FEW_INSIDE {
            return self.named_children().count();
        }
        self.tree.named_counts()[self.at as usize] as usize
    }

    pub fn child(self, n: usize) -> Option<Node<'t>> {
        self.children().nth(n)
    }

    pub fn named_child(self, n: usize) -> Option<Node<'t>> {
        self.named_children().nth(n)
    }

    pub fn child_by_field_id(self, field: u16) -> Option<Node<'t>> {
        self.children().find(|child| {
            let entry = child.entry();
            u16::from(entry.field) == field || u16::from(entry.outer_field) == field
        })
    }

    pub fn child_by_field_name(self, field: &str) -> Option<Node<'t>> {
        let fields = &self.tree.vocabulary.fields;
        self.children().find(|child| {
            let entry = child.entry();
            let is_called = |called: u8| called != 0 && *fields[called as usize] == *field;
            is_called(entry.field) || is_called(entry.outer_field)
        })
    }

    pub fn children_by_field_name(self, field: &str) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(move |child| child.field_name() == Some(field))
    }

    pub fn next_sibling(self) -> Option<Node<'t>> {
        let next = self.entry().next;
        let end = self.parent()?.entry().next;
        (next < end).then(|| self.at(next))
    }

    pub fn prev_sibling(self) -> Option<Node<'t>> {
        let parent = self.entry().parent;
        let before = self.at.checked_sub(1).filter(|before| *before != parent)?;
        // What is written before it is the end of the sibling.
        std::iter::successors(Some(self.at(before)), |node| node.parent()).find(|node| node.entry().parent == parent)
    }

    pub fn next_named_sibling(self) -> Option<Node<'t>> {
        std::iter::successors(self.next_sibling(), |node| node.next_sibling()).find(|node| node.is_named())
    }

    pub fn prev_named_sibling(self) -> Option<Node<'t>> {
        std::iter::successors(self.prev_sibling(), |node| node.prev_sibling()).find(|node| node.is_named())
    }
}

#[derive(Clone)]
pub(crate) struct Children<'t> {
    parent: Node<'t>,
    next: u32,
    end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    #[inline]
    fn next(&mut self) -> Option<Node<'t>> {
        if self.next >= self.end {
            return None;
        }
        let child = self.parent.at(self.next);
        self.next = child.entry().next;
        Some(child)
    }
}

fn line_start(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memrchr(b'\n', before).map_or(0, |line_break| line_break + 1)
}

#[cfg(test)]
mod tests {
    use std::{collections::HashMap, fs, path::Path};

    use tree_sitter::Parser;

    use super::{Node, Tree};
    use crate::lang::{Lang, detect};
    use crate::{extract::compare_trees, parsed::Parsed};

    /// What is read out of the parser's memory is what the parser says of its trees: for every language, as it is written
    /// and with something in the middle that fits no grammar.
    #[test]
    fn a_tree_is_the_parsers_own() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let mut paths: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let mut n_compared = 0;
        for path in paths {
            let name = path.file_name().unwrap().to_str().unwrap();
            let text = fs::read_to_string(&path).unwrap();
            let lang = detect(name, text.as_bytes());
            let middle = (text.len() / 2..).find(|at| text.is_char_boundary(*at)).unwrap();
            let broken = format!("\n{}) ]= '{}", &text[..middle], &text[middle..]);
            for text in [text.as_str(), &broken, ""] {
                n_compared += compare(lang, text, name);
            }
        }
        assert!(n_compared > 20_000, "{n_compared}");
    }

    /// A text in another language is a range of the text around it: scripts in pages, code in documents.
    #[test]
    fn the_tree_of_a_range_is_the_parsers_own() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let mut paths: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let mut embedding = Vec::new();
        for path in paths {
            let name = path.file_name().unwrap().to_str().unwrap();
            let text = fs::read_to_string(&path).unwrap();
            let lang = detect(name, text.as_bytes());
            // Also where the range ends in the middle of something, behind what is more than one byte, and at other line ends.
            let middle = text.floor_char_boundary(text.len() / 2);
            let torn = format!("{}é{{\"", &text[..middle]);
            let broken = format!("{} ]= '\u{fe0f}{}", &text[..middle], &text[middle..]);
            for text in [&text, &torn, &broken, &text.replace('\n', "\r\n")] {
                let compared = compare_trees(lang, text);
                assert_eq!(compared.difference, None, "{name}");
                if compared.n_embedded > 0 && embedding.last() != Some(&lang.name) {
                    embedding.push(lang.name);
                }
            }
        }
        assert_eq!(embedding, ["html", "rust", "svelte", "vue"]);
    }

    fn compare(lang: &'static Lang, text: &str, name: &str) -> usize {
        let Some(syntax) = lang.syntax else {
            return 0;
        };
        let compiled = syntax.compiled();
        let mut parser = Parser::new();
        parser.set_language(&compiled.language).unwrap();
        let theirs = parser.parse(text, None).unwrap();
        let parsed = Parsed::new(&compiled.language, text, None, || false).unwrap();
        let tree = Tree::new(&parsed, &compiled.vocabulary, text).unwrap();
        drop(parsed);
        let by_id: HashMap<usize, Node<'_>> = in_order(&theirs).map(|node| node.id()).zip(tree.nodes()).collect();
        let ours = |node: Option<tree_sitter::Node<'_>>| node.map(|node| by_id[&node.id()]);
        assert_eq!(in_order(&theirs).count(), tree.nodes().count(), "{name}");
        let mut cursor = theirs.walk();
        for (theirs, node) in in_order(&theirs).zip(tree.nodes()) {
            let what = format!("{name}: {theirs:?}");
            assert_eq!(theirs.kind(), node.kind(), "{what}");
            assert_eq!(theirs.kind_id(), node.kind_id(), "{what}");
            assert_eq!(theirs.range(), node.range(), "{what}");
            let flags = (theirs.is_named(), theirs.is_extra(), theirs.is_missing());
            assert_eq!(flags, (node.is_named(), node.is_extra(), node.is_missing()), "{what}");
            let faults = (theirs.is_error(), theirs.has_error());
            assert_eq!(faults, (node.is_error(), node.has_error()), "{what}");
            assert_eq!(ours(theirs.parent()), node.parent(), "{what}");
            cursor.reset(theirs);
            let mut children = Vec::new();
            let mut is_there = cursor.goto_first_child();
            while is_there {
                children.push((ours(Some(cursor.node())).unwrap(), cursor.field_name()));
                is_there = cursor.goto_next_sibling();
            }
            let found: Vec<_> = node.children().map(|child| (child, child.field_name())).collect();
            assert_eq!(children, found, "{what}");
            for pair in found.windows(2) {
                let ((before, _), (after, _)) = (pair[0], pair[1]);
                assert_eq!(before.next_sibling(), Some(after), "{what}");
                assert_eq!(after.prev_sibling(), Some(before), "{what}");
            }
            for field in 1..=compiled.language.field_count() as u16 {
                // Theirs may look into a node that has a name only where it stands.
                let theirs = ours(theirs.child_by_field_id(field)).filter(|child| child.parent() == Some(node));
                if theirs.is_some() {
                    assert_eq!(theirs, node.child_by_field_id(field), "{what}");
                }
            }
        }
        tree.nodes().count()
    }

    fn in_order(parsed: &tree_sitter::Tree) -> impl Iterator<Item = tree_sitter::Node<'_>> {
        let mut cursor = parsed.walk();
        let mut is_done = false;
        std::iter::from_fn(move || {
            let node = (!is_done).then(|| cursor.node());
            if !cursor.goto_first_child() {
                while !is_done && !cursor.goto_next_sibling() {
                    is_done = !cursor.goto_parent();
                }
            }
            node
        })
    }
}
