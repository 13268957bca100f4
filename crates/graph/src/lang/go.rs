//! Go.

mod builds;
mod embedding;
mod interfaces;
mod literals;
pub(crate) mod modules;
mod types;

use syntax::{LangId, Qualifier, RefIdx, Reference, Role, Symbol, SymbolKind, TypeRef};

use crate::{
    infer::symbol::has_anonymous_struct,
    lang::{ImplicitInterfaces, prelude::*, same_dir},
    types::generics::StandsFor,
};

pub(crate) struct Go;

impl Language for Go {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ScopeRules for Go {
    fn special_meaning(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        reference: &Reference,
        _: RefIdx,
    ) -> Option<Meaning> {
        match (reference.role, reference.on) {
            (Role::Member, Qualifier::Path(ty)) => Some(resolver.literal_key(place, reference, ty)),
            _ => None,
        }
    }

    fn in_one_program(&self, resolver: &Resolver<'_>, one: FileIdx, other: FileIdx) -> bool {
        resolver.is_one_package(one, other) && !resolver.excludes_each_other(one, other)
    }

    fn replace_candidates(&self, resolver: &Resolver<'_>, _: At<'_>, reference: &Reference, found: Meaning) -> Meaning {
        match found {
            // A method is called, as a rule; what is not may be a field of a type without a name.
            Meaning::Symbols(_, Rule::Element) if reference.role == Role::Member => {
                resolver.without_functions(found).unwrap_or(Meaning::Unknown)
            }
            found => found,
        }
    }
}

impl TypeRules for Go {
    fn type_operator(
        &self,
        resolver: &Resolver<'_>,
        place: At<'_>,
        ty: TypeRef<'_>,
        known: &[StandsFor],
    ) -> Option<Ty> {
        resolver.type_literal(place, ty, known)
    }

    fn is_anonymous_type(&self, ty: TypeRef<'_>) -> bool {
        ty.text().starts_with("struct") && has_anonymous_struct(ty)
    }
}

impl MemberRules for Go {
    fn may_add_members(&self, files: &Files, own: FileIdx, other: FileIdx) -> bool {
        // Methods of a type are in its package.
        (SEMANTICS.shares_scope)(files, own, other)
    }
}

impl InferRules for Go {
    fn may_embed_member(&self, ty: TypeRef<'_>, name: &str) -> bool {
        !ty.has_name(name)
    }

    fn underlying_type(&self, resolver: &Resolver<'_>, own: SymbolId, arguments: &[Ty]) -> Option<Ty> {
        resolver.type_of_definition(own, arguments)
    }

    fn defined_type(&self, id: SymbolId, symbol: &Symbol, ty: &Ty) -> Option<Ty> {
        if symbol.kind != SymbolKind::Type || symbol.value.is_some() {
            return None;
        }
        // What it is defined as gives it elements, and no methods.
        let other = match ty.head {
            Base::Symbol(other) => Some(other),
            _ => None,
        };
        let held = other.into_iter().chain(ty.rest.iter().copied());
        Some(Ty::holding(Base::Symbol(id), held.collect()))
    }

    fn implied_constant(&self, resolver: &Resolver<'_>, id: SymbolId, symbol: &Symbol) -> Option<Ty> {
        let is_constant = symbol.kind == SymbolKind::Constant;
        is_constant.then(|| resolver.repeated_constant(id, symbol))
    }

    fn rest_parameter(&self, written: Ty) -> Ty {
        Ty::list(vec![written])
    }

    fn destructured_part(&self, _: &Resolver<'_>, value: Ty, nth: Option<usize>) -> Ty {
        match nth {
            // `shape, ok := shapes[name]`
            Some(1) => Ty::new(Base::External),
            _ => value,
        }
    }
}

impl OverloadRules for Go {}

impl QueryRules for Go {
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
}

static SEMANTICS: Semantics = Semantics {
    super_words: &[],
    languages: &[LangId::Go],
    type_argument_openers: (&["[", "[*"], &["[", "[*"]),
    is_strict: true,
    has_open_types: true,
    hides_package: true,
    path_binds,
    type_keywords: &["chan", "interface", "map", "struct"],
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
