//! Overload resolution: which of several functions of one name a call means.

pub(crate) mod arg_type;
pub(crate) mod candidates;
pub(crate) mod conversions;
pub(crate) mod rank;
pub(crate) mod signatures;
