//! Graphs of code as pictures: a call graph or a map of modules, as the tools answer it, laid out and drawn.
//!
//! [`Graph`] is read from an answer, [`Drawing`] says where everything is, and `svg`, `html` and [`Drawing::to_json`] are
//! three forms of it. Names come from repositories that nobody vouches for: they are escaped where they are written
//! (`xml`), and nowhere before.

mod drawing;
mod graph;
mod html;
mod layout;
mod svg;
mod xml;

pub use drawing::Drawing;
pub use graph::{Edge, Graph, Node};

/// What pages need that draw a [`Drawing`] by themselves: the style of boxes and arrows, and moving and zooming.
pub const STYLE: &str = svg::STYLE;
pub const VIEWER: &str = html::VIEWER;
