//! A text as our build of tree-sitter's parser (`parse.c`) reads it.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_void};

use tree_sitter::{Language, Point, Range, ffi::TSRange};

use crate::region::Region;

/// The parser's own form of a tree, in memory of its region. A thread has one at a time.
pub(crate) struct Parsed<'l> {
    root: Subtree,
    /// Visible nodes.
    pub n_nodes: u32,
    pub language: &'l Language,
    _region: Region,
}

/// A pointer, or a short leaf.
pub(crate) type Subtree = u64;

unsafe extern "C" {
    fn portolan_parse(
        language: *const c_void,
        text: *const c_char,
        length: u32,
        range: *const TSRange,
        is_spent: unsafe extern "C" fn(*mut c_void) -> bool,
        budget: *mut c_void,
        root: *mut Subtree,
    ) -> u32;
}

const WHOLE: Range = Range {
    start_byte: 0,
    end_byte: u32::MAX as usize,
    start_point: Point { row: 0, column: 0 },
    end_point: Point {
        row: u32::MAX as usize,
        column: u32::MAX as usize,
    },
};

impl<'l> Parsed<'l> {
    /// Parses a text, or a range of it. `None` if `is_spent`, which is called after every so many steps, has stopped the
    /// parser.
    ///
    /// # Panics
    /// If another one is alive on this thread.
    pub fn new<F: FnMut() -> bool>(
        language: &'l Language,
        text: &str,
        range: Option<Range>,
        mut is_spent: F,
    ) -> Option<Parsed<'l>> {
        unsafe extern "C" fn ask<F: FnMut() -> bool>(is_spent: *mut c_void) -> bool {
            // SAFETY: it is what `portolan_parse` was given with this function.
            (unsafe { &mut *is_spent.cast::<F>() })()
        }
        let region = Region::new();
        let range = TSRange::from(range.unwrap_or(WHOLE));
        let mut root = 0;
        let raw = language.clone().into_raw();
        // SAFETY: text, range and `is_spent` live as long as the call, which keeps none of them; a language that is compiled
        // into the program lives as long as that.
        let n_nodes = unsafe {
            portolan_parse(
                raw.cast(),
                text.as_ptr().cast(),
                u32::try_from(text.len()).ok()?,
                &raw const range,
                ask::<F>,
                (&raw mut is_spent).cast(),
                &raw mut root,
            )
        };
        (n_nodes > 0).then_some(Parsed {
            root,
            n_nodes,
            language,
            _region: region,
        })
    }

    pub fn root(&self) -> *const Subtree {
        &raw const self.root
    }
}
