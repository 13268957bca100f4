//! A text as our build of tree-sitter's parser (`parse.c`) reads it.

#![allow(unsafe_code)]

use std::{
    ffi::{c_char, c_void},
    marker::PhantomData,
};

use tree_sitter::{Language, Point, Range, ffi::TSRange};

use crate::region::Region;

/// The parser's own form of a tree, in memory of the region.
pub(crate) struct Parsed<'r> {
    root: Subtree,
    /// Nodes that are seen.
    pub n_nodes: u32,
    pub language: &'r Language,
    region: PhantomData<&'r Region>,
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

impl<'r> Parsed<'r> {
    /// Parses a text, or a range of it. `None` if `is_spent`, which is asked after so many steps, has put an end to it.
    pub fn new<F: FnMut() -> bool>(
        _: &'r Region,
        language: &'r Language,
        text: &str,
        range: Option<Range>,
        mut is_spent: F,
    ) -> Option<Parsed<'r>> {
        unsafe extern "C" fn ask<F: FnMut() -> bool>(is_spent: *mut c_void) -> bool {
            // SAFETY: it is what `portolan_parse` was given with this function.
            (unsafe { &mut *is_spent.cast::<F>() })()
        }
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
            region: PhantomData,
        })
    }

    pub fn root(&self) -> *const Subtree {
        &raw const self.root
    }
}
