//! Bytes to `FileFacts`. A pure function of (language, text): nothing here reads a file or can fail.

mod chunk;
mod code;
mod codec;
mod describe;
mod extract;
mod facts;
mod lang;
mod locals;
#[cfg_attr(feature = "plain-parser", path = "parsed_plain.rs")]
mod parsed;
mod plain;
mod query;
#[cfg(not(feature = "plain-parser"))]
mod region;
mod shorthand;
mod signature_shape;
mod tree;
mod type_expr;

pub use chunk::{Chunk, ChunkOptions};
pub use code::{Code, Region};
pub use codec::{Malformed, chunks_from_bytes, chunks_to_bytes};
pub use describe::{bare_parse, compare_trees, describe, describe_tree, languages_md, n_faults};
pub use extract::TreeComparison;
pub use facts::{
    Annotation, ArgValue, Argument, ArgumentSlot, BEHIND, Binding, BindingIdx, BindingRole, CallbackParameter,
    Complexity, Context, ContextId, FileFacts, Import, ImportIdx, Literal, LocalKind, Modifier, NameId, Names, Note,
    Pattern, PatternId, PatternStep, Problem, Qualifier, RefIdx, Reference, Role, Step, Symbol, SymbolIdx, SymbolKind,
    Tag, TagId, TypeSource, Visibility, file_facts,
};
pub use lang::{
    Content, Conventions, LANGS, Lang, LangId, PLAINTEXT, TEMPLATE, detect, lang_by_name, lang_id, nearest_lang,
};
pub use locals::{Home, Interpolated, NamedArgument, homes, interpolated, named_arguments};
pub use shorthand::{Filled, filled, shorthands};
pub use signature_shape::SignatureShape;
pub use type_expr::{Conditional, FunctionType, MappedType, TypeExpr, TypeKind, TypeRef};
