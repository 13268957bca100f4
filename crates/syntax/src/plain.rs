//! Parsing with the `tree-sitter` crate as it is: a parser that each thread keeps, and trees on the heap.
//!
//! Our own parser (`parse.c`) is compared with it, and the feature `plain-parser` puts it in the place of ours.

use std::{cell::RefCell, ops::ControlFlow};

use tree_sitter::{Language, ParseOptions, Parser, Range, Tree};

/// Parses a text, or a range of it. `None` if `is_spent`, which is called after every so many steps, has stopped the parser.
pub(crate) fn parse(
    language: &Language,
    text: &str,
    range: Option<Range>,
    mut is_spent: impl FnMut() -> bool,
) -> Option<Tree> {
    thread_local! {
        static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
    }
    let mut progress = |_: &_| match is_spent() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    PARSER.with_borrow_mut(|parser| {
        parser
            .set_language(language)
            .expect("every grammar is of a known version");
        // Without a range it is the whole text again.
        parser
            .set_included_ranges(range.as_slice())
            .expect("one range is in order");
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut progress)),
        );
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}
