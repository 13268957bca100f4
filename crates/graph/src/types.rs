//! The model of types: what is known of the type of a value, types as they are written, generics.

pub(crate) mod anon_type;
pub(crate) mod function_type;
pub(crate) mod generics;
pub(crate) mod ty;
pub(crate) mod type_names;
