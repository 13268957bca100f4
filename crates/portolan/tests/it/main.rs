//! The real binary: over stdio, over HTTP, on the command line.

mod architecture;
mod cli;
mod http;
mod protocol;
mod server;
mod tools;
