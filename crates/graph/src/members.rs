//! Members of types (own, inherited, extensions), and which declarations belong to one definition.

pub(crate) mod declaration_groups;
pub(crate) mod extensions;
pub(crate) mod impl_blocks;
pub(crate) mod inherited;
pub(crate) mod own;
