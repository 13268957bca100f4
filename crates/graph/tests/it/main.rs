//! Imports as each language means them: a tree of files goes in, what every import of it stands for comes out.

mod modules;
