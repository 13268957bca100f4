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

/// Every tool, in the order an agent should read them.
pub(crate) const TOOLS: &[Entry] = &[
    Entry::of::<map_code::MapCode>(),
    Entry::of::<search_code::SearchCode>(),
    Entry::of::<find_symbol::FindSymbol>(),
    Entry::of::<get_symbols::GetSymbols>(),
    Entry::of::<deep_dive::DeepDive>(),
    Entry::of::<find_references::FindReferences>(),
    Entry::of::<find_callers::FindCallers>(),
    Entry::of::<impact_analysis::ImpactAnalysis>(),
    Entry::of::<extract_code::ExtractCode>(),
    Entry::of::<index_status::IndexStatus>(),
    Entry::of::<find_definition::FindDefinition>(),
    Entry::of::<find_callees::FindCallees>(),
    Entry::of::<find_implementations::FindImplementations>(),
    Entry::of::<get_call_graph::GetCallGraph>(),
    Entry::of::<find_path::FindPath>(),
    Entry::of::<get_dependencies::GetDependencies>(),
    Entry::of::<analyze_complexity::AnalyzeComplexity>(),
    Entry::of::<grep::Grep>(),
    Entry::of::<read_file::ReadFile>(),
    Entry::of::<find_file::FindFile>(),
    Entry::of::<list_files::ListFiles>(),
    Entry::of::<preview_chunk::PreviewChunk>(),
    Entry::of::<find_similar::FindSimilar>(),
    Entry::of::<rename_symbol::RenameSymbol>(),
    Entry::of::<checkpoint::Checkpoint>(),
    Entry::of::<recall::Recall>(),
    Entry::of::<plan::Plan>(),
    Entry::of::<index_repository::IndexRepository>(),
    Entry::of::<list_sessions::ListSessions>(),
    Entry::of::<get_session_info::GetSessionInfo>(),
    Entry::of::<reindex_session::ReindexSession>(),
    Entry::of::<upgrade_session::UpgradeSession>(),
    Entry::of::<delete_session::DeleteSession>(),
    Entry::of::<manage_workspace::ManageWorkspace>(),
    Entry::of::<health_check::HealthCheck>(),
    Entry::of::<get_server_info::GetServerInfo>(),
    Entry::of::<get_config::GetConfig>(),
];
