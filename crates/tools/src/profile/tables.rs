//! What each system lists, in its order.

use super::{Param, Profile, ProfileTool, choice, flag, number, param, text, texts, whole};
use crate::machinery::alias::{Alias, PLAIN};

pub(crate) const PROFILES: &[Profile] = &[
    Profile {
        name: "claudevil",
        tools: CLAUDEVIL,
        order: "Begin with search; find_symbol and list_files tell where things are, read_file shows them, find_similar looks for more of the kind.",
        fails_by_protocol: false,
        checks_queries: false,
        by_confidence: false,
    },
    Profile {
        name: "rust-code-mcp",
        tools: RUST_CODE_MCP,
        order: "Begin with search; find_definition and find_references follow a symbol, get_dependencies, get_call_graph and analyze_complexity describe a file, read_file_content shows it.",
        fails_by_protocol: false,
        checks_queries: false,
        by_confidence: false,
    },
    Profile {
        name: "probe",
        tools: PROBE,
        order: "Work in this order: map_code for an unknown repository, search_code to find what matters, extract_code to read it, then find_callers, find_callees, find_references, find_implementations or impact_analysis to see what hangs together.",
        fails_by_protocol: false,
        checks_queries: false,
        by_confidence: false,
    },
    Profile {
        name: "shebe",
        tools: SHEBE,
        order: "Index a repository once (index_repository), then search_code by keywords; find_references before renaming anything, find_file and list_dir for paths, read_file and preview_chunk for text.",
        fails_by_protocol: true,
        checks_queries: true,
        by_confidence: true,
    },
    Profile {
        name: "julie",
        tools: JULIE,
        order: "Begin with fast_search, get_symbols before reading a file, deep_dive before changing a symbol, fast_refs for its uses, rename_symbol to rename it; recall and plan at the beginning, checkpoint when something is done.",
        fails_by_protocol: false,
        checks_queries: false,
        by_confidence: false,
    },
];

/// A tool that is called the same here.
const fn same(name: &'static str, params: &'static [Param]) -> ProfileTool {
    ProfileTool {
        alias: Alias {
            name,
            to: name,
            ..PLAIN
        },
        params,
    }
}

/// Not in the documents, which have no way to what is behind the first piece of a file.
const OFFSET: Param = whole("offset").or("0");

/// Not in the documents, which show uses of low confidence unasked.
const INCLUDE_UNSURE: Param = flag("include_unsure", false);

/// Not in the document, which renames whatever it finds.
const FORCE: Param = flag("force", false);

const CLAUDEVIL: &[ProfileTool] = &[
    ProfileTool {
        alias: Alias {
            name: "search",
            to: "search_code",
            rename: &[("limit", "k")],
            fixed: &[("mode", "semantic")],
            ..PLAIN
        },
        params: &[text("query").needed(), text("language"), whole("limit").or("10")],
    },
    same("index_status", &[]),
    same(
        "find_symbol",
        &[text("name").needed(), text("kind"), whole("limit").or("20")],
    ),
    ProfileTool {
        alias: Alias {
            name: "list_files",
            to: "list_files",
            fixed: &[("limit", "500")],
            ..PLAIN
        },
        params: &[text("language")],
    },
    same("read_file", &[text("path").needed(), OFFSET]),
    ProfileTool {
        alias: Alias {
            name: "reindex",
            to: "index_repository",
            fixed: &[("force", "true"), ("background", "true")],
            ..PLAIN
        },
        params: &[],
    },
    same(
        "find_similar",
        &[text("code").needed(), text("language"), whole("limit").or("10")],
    ),
];

const RUST_CODE_MCP: &[ProfileTool] = &[
    ProfileTool {
        alias: Alias {
            name: "search",
            to: "search_code",
            rename: &[("keyword", "query")],
            fixed: &[("mode", "hybrid")],
            ..PLAIN
        },
        params: &[text("keyword").needed(), text("directory").needed()],
    },
    ProfileTool {
        alias: Alias {
            name: "get_similar_code",
            to: "find_similar",
            rename: &[("query", "code")],
            ..PLAIN
        },
        params: &[
            text("query").needed(),
            text("directory").needed(),
            whole("limit").or("5"),
        ],
    },
    same(
        "find_definition",
        &[text("symbol_name").needed(), text("directory").needed()],
    ),
    ProfileTool {
        alias: Alias {
            name: "find_references",
            to: "find_references",
            fixed: &[("include_definition", "true")],
            ..PLAIN
        },
        params: &[text("symbol_name").needed(), text("directory").needed(), INCLUDE_UNSURE],
    },
    same("get_dependencies", &[text("file_path").needed()]),
    same("get_call_graph", &[text("file_path").needed(), text("symbol_name")]),
    same("analyze_complexity", &[text("file_path").needed()]),
    ProfileTool {
        alias: Alias {
            name: "read_file_content",
            to: "read_file",
            rename: &[("file_path", "path")],
            ..PLAIN
        },
        params: &[text("file_path").needed(), OFFSET],
    },
    ProfileTool {
        alias: Alias {
            name: "index_codebase",
            to: "index_repository",
            rename: &[("directory", "path"), ("force_reindex", "force")],
            ..PLAIN
        },
        params: &[text("directory").needed(), flag("force_reindex", false)],
    },
    same("health_check", &[text("directory")]),
];

/// Its document has it for every tool.
const FORMAT: Param = choice("format", &["text", "json"]).or("\"text\"");

const PROBE: &[ProfileTool] = &[
    ProfileTool {
        alias: Alias {
            name: "search_code",
            to: "search_code",
            rename: &[("exact", "literal"), ("session", "cursor")],
            ..PLAIN
        },
        params: &[
            text("path").needed().directory(),
            text("query").needed(),
            flag("exact", false),
            text("session"),
            FORMAT,
        ],
    },
    ProfileTool {
        alias: Alias {
            name: "extract_code",
            to: "extract_code",
            rename: &[("path", "workspace"), ("files", "targets")],
            ..PLAIN
        },
        params: &[text("path").needed().directory(), texts("files").needed(), FORMAT],
    },
    same(
        "grep",
        &[
            text("pattern").needed(),
            texts("paths"),
            flag("ignore_case", false),
            flag("count", false),
            whole("context"),
            FORMAT,
        ],
    ),
    same(
        "map_code",
        &[
            text("path").needed(),
            number("depth"),
            choice("detail", &["files", "signatures", "full"]).or("\"signatures\""),
            text("language"),
            number("maxTokens").or("4000"),
            FORMAT,
        ],
    ),
    same(
        "find_callers",
        &[
            text("file"),
            number("line"),
            text("symbol"),
            number("depth").or("1"),
            number("maxResults").or("20"),
            FORMAT,
        ],
    ),
    same(
        "find_callees",
        &[
            text("file"),
            number("line"),
            text("symbol"),
            number("depth").or("1"),
            number("maxResults").or("30"),
            FORMAT,
        ],
    ),
    ProfileTool {
        alias: Alias {
            name: "find_references",
            to: "find_references",
            rename: &[("includeDeclaration", "include_definition")],
            ..PLAIN
        },
        params: &[
            text("file"),
            number("line"),
            text("symbol"),
            flag("includeDeclaration", false),
            number("maxResults").or("30"),
            INCLUDE_UNSURE,
            FORMAT,
        ],
    },
    same(
        "find_implementations",
        &[
            text("file"),
            number("line"),
            text("symbol"),
            number("maxResults").or("20"),
            FORMAT,
        ],
    ),
    same(
        "impact_analysis",
        &[
            text("file"),
            number("line"),
            text("symbol"),
            number("depth").or("1"),
            number("maxTokens").or("4000"),
            FORMAT,
        ],
    ),
];

/// What an index leaves out where nothing else is said, as JSON.
const EXCLUDED: &str = r#"["**/target/**", "**/node_modules/**", "**/.git/**", "**/dist/**", "**/build/**", "**/*.pyc", "**/__pycache__/**"]"#;

const SESSION: Param = text("session").needed();

const SHEBE: &[ProfileTool] = &[
    same(
        "search_code",
        &[
            text("query").needed().within(1, 500),
            SESSION,
            whole("k").or("10").within(1, 100),
            flag("literal", false),
        ],
    ),
    same("list_sessions", &[]),
    same("get_session_info", &[SESSION]),
    same(
        "index_repository",
        &[
            text("path").needed(),
            text("session").needed().within(1, 64),
            texts("include_patterns"),
            texts("exclude_patterns").or(EXCLUDED),
            whole("chunk_size").or("512").within(100, 2000),
            whole("overlap").or("64").within(0, 1999),
            flag("force", false),
        ],
    ),
    same("get_server_info", &[]),
    same("get_config", &[flag("detailed", false)]),
    ProfileTool {
        alias: Alias {
            name: "read_file",
            to: "read_file",
            rename: &[("file_path", "path")],
            ..PLAIN
        },
        params: &[SESSION, text("file_path").needed().within(1, 4096).rooted(), OFFSET],
    },
    ProfileTool {
        alias: Alias {
            name: "list_dir",
            to: "list_files",
            ..PLAIN
        },
        params: &[
            SESSION,
            whole("limit").or("100").within(1, 500).lowered(),
            choice("sort", &["alpha", "size", "indexed"]).or("\"alpha\""),
        ],
    },
    same("delete_session", &[SESSION, param("confirm", "boolean").needed()]),
    same(
        "find_file",
        &[
            SESSION,
            text("pattern").needed().within(1, 4096),
            choice("pattern_type", &["glob", "regex"]).or("\"glob\""),
            whole("limit").or("100").within(1, 10_000),
        ],
    ),
    same(
        "find_references",
        &[
            text("symbol").needed().within(2, 200),
            SESSION,
            choice("symbol_type", &["function", "type", "variable", "constant", "any"]).or("\"any\""),
            text("defined_in").rooted(),
            flag("include_definition", false),
            whole("context_lines").or("2").within(0, 10),
            whole("max_results").or("50").within(1, 200),
            INCLUDE_UNSURE,
        ],
    ),
    same(
        "preview_chunk",
        &[
            SESSION,
            text("file_path").needed().rooted(),
            whole("chunk_index").needed(),
            whole("context_lines").or("10").within(0, 100),
        ],
    ),
    same(
        "reindex_session",
        &[
            SESSION,
            whole("chunk_size").within(100, 2000),
            whole("overlap").within(0, 500),
            flag("force", false),
        ],
    ),
    same("upgrade_session", &[SESSION]),
];

const JULIE: &[ProfileTool] = &[
    ProfileTool {
        alias: Alias {
            name: "fast_search",
            to: "search_code",
            rename: &[("search_target", "mode"), ("file_pattern", "path"), ("limit", "k")],
            values: &[("mode", "content", "auto")],
            ..PLAIN
        },
        params: &[
            text("query").needed(),
            choice("search_target", &["content", "definitions"]).or("\"content\""),
            text("language"),
            text("file_pattern"),
            whole("limit").or("10"),
            text("workspace"),
        ],
    },
    same(
        "get_symbols",
        &[
            text("file_path").needed(),
            whole("max_depth").or("1"),
            text("target"),
            whole("limit").or("50"),
            choice("mode", &["structure", "minimal", "full"]).or("\"minimal\""),
            text("workspace"),
        ],
    ),
    ProfileTool {
        alias: Alias {
            name: "fast_refs",
            to: "find_references",
            rename: &[("limit", "max_results")],
            ..PLAIN
        },
        params: &[
            text("symbol").needed(),
            flag("include_definition", true),
            whole("limit").or("50"),
            choice(
                "reference_kind",
                &[
                    "call",
                    "type_usage",
                    "import",
                    "member_access",
                    "variable_ref",
                    "implementation",
                ],
            ),
            text("workspace"),
            INCLUDE_UNSURE,
        ],
    },
    same(
        "deep_dive",
        &[
            text("symbol").needed(),
            choice("depth", &["overview", "context", "full"]).or("\"overview\""),
            text("context_file"),
            text("workspace"),
        ],
    ),
    same(
        "rename_symbol",
        &[
            text("old_name").needed(),
            text("new_name").needed(),
            text("scope").or("\"workspace\""),
            flag("dry_run", true),
            text("workspace"),
            FORCE,
        ],
    ),
    same(
        "manage_workspace",
        &[
            choice(
                "operation",
                &["index", "list", "add", "remove", "stats", "clean", "refresh", "health"],
            )
            .needed(),
            text("path"),
            text("name"),
            flag("force", false),
            flag("confirm", false),
        ],
    ),
    same(
        "checkpoint",
        &[
            text("description").needed(),
            texts("tags"),
            choice("type", &["checkpoint", "decision", "learning", "observation"]).or("\"checkpoint\""),
        ],
    ),
    same(
        "recall",
        &[
            text("query"),
            whole("limit").or("10"),
            text("since"),
            text("until"),
            choice("type", &["checkpoint", "decision", "learning", "observation"]),
        ],
    ),
    same(
        "plan",
        &[
            choice("action", &["save", "get", "list", "activate", "update", "complete"]).needed(),
            text("title"),
            text("id"),
            text("content"),
            text("status"),
            flag("activate", true),
        ],
    ),
];
