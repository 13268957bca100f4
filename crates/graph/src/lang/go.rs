//! Go.

mod builds;
mod embedding;
mod interfaces;
mod literals;
pub(crate) mod modules;

use syntax::{LangId, Qualifier, Reference, Role};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::{FileIdx, Files},
    lang::{DEFAULT, ImplicitInterfaces, LanguageRules, Semantics, same_dir},
    view::SymbolId,
};

pub(crate) struct Go;

impl LanguageRules for Go {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    fn special_meaning(&self, resolver: &Resolver<'_>, place: At<'_>, reference: &Reference) -> Option<Meaning> {
        match (reference.role, reference.on) {
            (Role::Member, Qualifier::Path(ty)) => Some(resolver.literal_key(place, reference, ty)),
            _ => None,
        }
    }

    fn in_one_program(&self, resolver: &Resolver<'_>, one: FileIdx, other: FileIdx) -> bool {
        resolver.is_one_package(one, other) && !resolver.excludes_each_other(one, other)
    }

    fn may_add_members(&self, files: &Files, own: FileIdx, other: FileIdx) -> bool {
        // Methods of a type are in its package.
        (SEMANTICS.shares_scope)(files, own, other)
    }

    fn build_variants(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<SymbolId> {
        resolver.of_other_builds(id)
    }

    fn implicit_interfaces(&self) -> Option<&'static dyn ImplicitInterfaces> {
        Some(&interfaces::MethodSets)
    }

    fn renamed_together(&self, resolver: &Resolver<'_>, id: SymbolId) -> Vec<SymbolId> {
        let mut found = resolver.fields_that_embed(id);
        found.extend(resolver.embedded_type(id));
        found
    }

    fn type_argument_openers(&self, _: bool) -> &'static [&'static str] {
        &["[", "[*"]
    }
}

static SEMANTICS: Semantics = Semantics {
    derived_from: &[],
    languages: &[LangId::Go],
    is_strict: true,
    has_open_types: true,
    hides_package: true,
    has_defined_types: true,
    path_binds,
    shapes: &["chan", "interface", "map", "struct"],
    shares_scope: |files, one, other| {
        same_dir(files, one, other) && is_left_out(files, one) == is_left_out(files, other)
    },
    common_members: &[
        "Add",
        "Bytes",
        "Close",
        "Done",
        "Error",
        "Fatal",
        "Fatalf",
        "Len",
        "Lock",
        "Log",
        "Name",
        "Print",
        "Printf",
        "Read",
        "Reset",
        "Run",
        "String",
        "Unlock",
        "Wait",
        "Write",
        "WriteByte",
        "WriteString",
    ],
    ..DEFAULT
};

/// Whether a file is of no package: the compiler passes over such names, which templates of other files have.
pub(crate) fn is_left_out(files: &Files, file: FileIdx) -> bool {
    files.stem(file).starts_with(['_', '.'])
}

/// Whether a package is likely called so, by its path: the last part, without a version or what says that it is Go.
fn path_binds(path: &str, name: &str) -> bool {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let is_version = last.len() > 1 && last.starts_with('v') && last[1..].bytes().all(|byte| byte.is_ascii_digit());
    let last = if is_version { parts.next().unwrap_or(last) } else { last };
    let bare = last.split(".v").next().unwrap_or(last);
    bare == name || bare.trim_start_matches("go-").trim_end_matches("-go").replace('-', "") == name
}
