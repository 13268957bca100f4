//! Tests of `embed`.

mod encoder;
mod model;
mod segment;
mod tiny;
