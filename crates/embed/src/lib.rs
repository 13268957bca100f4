//! Text to vector, files of vectors, and the nearest of them.
//!
//! A [`Model`] is a table of a vector per word, made by `model/` and built into the binary. An [`Encoder`] adds up the
//! rows of a text's words. A [`Segment`] is a file of such [`Vector`]s that is written once and scanned.
//!
//! Nothing here opens a file: a segment is read from bytes, whoever holds them. The same text gives the same vector and
//! the same scores every time, whatever the processor can do: sums of floats are made in one order, and products of
//! vectors are integers.

mod encoder;
mod kernel;
mod model;
mod segment;
mod vector;
mod words;

pub use encoder::Encoder;
pub use model::{Model, ModelError};
pub use segment::{Hit, Segment, SegmentError, SegmentInfo, Written, scan};
pub use vector::Vector;
