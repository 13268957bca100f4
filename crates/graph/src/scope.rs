//! Name resolution: from a name to its definition, through local scopes, files, imports, packages and paths. Start at
//! `lookup` (unqualified names) and `reference`.

pub(crate) mod bare_names;
pub(crate) mod exports;
pub(crate) mod imports;
pub(crate) mod lookup;
pub(crate) mod paths;
pub(crate) mod public_path;
pub(crate) mod reference;
pub(crate) mod stale_imports;
pub(crate) mod wildcards;
