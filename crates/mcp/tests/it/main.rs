//! The protocol over both transports, with a few tools that need no index.

mod fake;
mod http;
mod stdio;
