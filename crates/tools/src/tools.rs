//! The tools: one file each, and their list.

mod analyze_complexity;
mod checkpoint;
mod deep_dive;
mod delete_session;
mod extract_code;
mod find_callees;
mod find_callers;
mod find_definition;
mod find_file;
mod find_implementations;
mod find_path;
mod find_references;
mod find_similar;
mod find_symbol;
mod get_call_graph;
mod get_config;
mod get_dependencies;
mod get_server_info;
mod get_session_info;
mod get_symbols;
mod grep;
mod health_check;
mod impact_analysis;
mod index_repository;
mod index_status;
mod list_files;
mod list_sessions;
mod manage_workspace;
mod map_code;
mod plan;
mod preview_chunk;
mod read_file;
mod recall;
mod reindex_session;
mod rename_symbol;
mod search_code;
mod upgrade_session;

use crate::machinery::tool::Entry;

macro_rules! tools {
    ($($tool:path,)*) => {
        /// Every tool, in the order an agent should read them.
        pub(crate) static TOOLS: [Entry; [$(stringify!($tool)),*].len()] = [$(Entry::of::<$tool>()),*];
    };
}

tools! {
    map_code::MapCode,
    search_code::SearchCode,
    find_symbol::FindSymbol,
    get_symbols::GetSymbols,
    deep_dive::DeepDive,
    find_references::FindReferences,
    find_callers::FindCallers,
    impact_analysis::ImpactAnalysis,
    extract_code::ExtractCode,
    index_status::IndexStatus,
    find_definition::FindDefinition,
    find_callees::FindCallees,
    find_implementations::FindImplementations,
    get_call_graph::GetCallGraph,
    find_path::FindPath,
    get_dependencies::GetDependencies,
    analyze_complexity::AnalyzeComplexity,
    grep::Grep,
    read_file::ReadFile,
    find_file::FindFile,
    list_files::ListFiles,
    preview_chunk::PreviewChunk,
    find_similar::FindSimilar,
    rename_symbol::RenameSymbol,
    checkpoint::Checkpoint,
    recall::Recall,
    plan::Plan,
    index_repository::IndexRepository,
    list_sessions::ListSessions,
    get_session_info::GetSessionInfo,
    reindex_session::ReindexSession,
    upgrade_session::UpgradeSession,
    delete_session::DeleteSession,
    manage_workspace::ManageWorkspace,
    health_check::HealthCheck,
    get_server_info::GetServerInfo,
    get_config::GetConfig,
}

/// A tool by its own name.
pub(crate) fn entry_of(name: &str) -> Option<&'static Entry> {
    TOOLS.iter().find(|entry| entry.name == name)
}

/// What a server says about them to the model behind the client. `{changes}` and `{unlisted}` follow from the definitions.
pub(crate) const INSTRUCTIONS: &str = "\
Portolan answers questions about the code in this workspace from an index that is brought up to date before every \
answer. Nothing in the repository is run, and {changes}. Use it before shell grep, find and cat:

- Where is something done, or where must a request be implemented: search_code with the whole request, issue or error \
message as `query`. Functions, types and sections, best first, with line ranges and code; the likeliest with who calls \
them and what they call. A name leads with its definition. literal: true lists every line with an exact text.
- Every use of a symbol: find_references, best by `file` and `line` of its definition. Resolved by the rules of the \
language, so uses of a namesake are not among them; include_other lists those. No second search is needed.
- Code: extract_code shows whole definitions with line numbers, several in one call: by name, `file:line`, range, or from \
pasted compiler output, stack trace or diff. get_symbols outlines a file, find_symbol finds a definition by part of its name.
- What a change affects: find_callers, impact_analysis (tests_only: the tests to run), deep_dive.
- An unknown repository: map_code.

\"No match\" with a complete index means there is none; \"Partial\" means ask again later. What does not fit is counted, \
with a cursor; max_tokens sets the size.{unlisted} All take `workspace` (a session name or a directory) to ask about \
another repository.";
