//! Names as each language means them: a tree of files goes in; what every import stands for, and who uses every
//! definition, comes out.

mod centrality;
mod doubling;
mod fixtures;
mod languages;
mod modules;
mod order;
mod resolution;
