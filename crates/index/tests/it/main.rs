//! The store as `workspace` uses it: several of them on one directory, as several processes are.

mod commit;
mod growth;
mod kit;
mod shared;
