//! Type inference: the types of expressions, definitions and local names.

pub(crate) mod containers;
pub(crate) mod contextual;
pub(crate) mod expr;
pub(crate) mod library;
pub(crate) mod literal_fields;
pub(crate) mod local;
pub(crate) mod operators;
pub(crate) mod symbol;
