//! The real binary: over stdio, over HTTP, on the command line.

mod architecture;
mod bench;
mod cli;
#[cfg(target_os = "linux")]
mod cut_off;
mod daily;
mod doctor;
mod documented;
mod explorer;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(unix)]
mod hostile;
mod http;
mod install;
mod many;
mod packages;
mod pictures;
mod promises;
mod prompts;
mod protocol;
mod resources;
#[cfg(feature = "rust-analyzer")]
mod rust;
mod server;
#[cfg(target_os = "linux")]
mod threads;
mod tools;
