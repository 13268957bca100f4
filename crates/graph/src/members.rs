//! What types have: their own members, inherited ones, extensions; and which declarations are one definition.

pub(crate) mod declaration_groups;
pub(crate) mod extensions;
pub(crate) mod impl_blocks;
pub(crate) mod inherited;
pub(crate) mod own;
