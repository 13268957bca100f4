//! What is in a client's file before, and after.

mod clients;
mod files;
mod instructions;
mod kit;
mod texts;
