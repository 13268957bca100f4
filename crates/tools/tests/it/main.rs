//! The tools as their callers see them: arguments in, answers out, over real directories.

mod answers;
mod budget;
mod call_graph;
mod complexity;
mod crash;
mod damage;
mod definitions;
mod dependencies;
mod dive;
mod endpoint;
mod errors;
mod extract;
mod freshness;
mod impact;
mod incremental;
mod kit;
mod lenient;
mod listing;
mod literal;
mod odd_files;
mod outline;
mod query;
mod ranked;
mod ranking;
mod references;
mod similar;
