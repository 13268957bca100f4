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
        doc: "",
        params,
    }
}

const LANGUAGE_ONLY: &str = "Only files of this language";
const REPOSITORY: &str = "A repository, or a directory in it: absolute, or from the root";
const SEARCHED: &str = "The directory to search: absolute, or from the root, which is `.`";
const MOST_TOKENS: &str = "Most tokens of the answer";
const LINE_OF: &str = "The line of its definition or of a use";
const FILE_OF: &str = "As search results have it, absolute, or from the root";
const WORKSPACE: &str = "`primary`, a session or a directory; by default the root";

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
        doc: "",
        params: &[
            text("query").needed().says("A question, words or a name"),
            text("language").says(LANGUAGE_ONLY),
            whole("limit").or("10").says("Files in the answer"),
        ],
    }
    .about("Finds code by meaning: functions and sections that a question is about, with their lines."),
    same("index_status", &[]),
    same(
        "find_symbol",
        &[
            text("name").needed(),
            text("kind"),
            whole("limit").or("20").says("Symbols in the answer"),
        ],
    ),
    ProfileTool {
        alias: Alias {
            name: "list_files",
            to: "list_files",
            fixed: &[("limit", "500")],
            ..PLAIN
        },
        doc: "",
        params: &[text("language").says(LANGUAGE_ONLY)],
    },
    same(
        "read_file",
        &[text("path").needed().says("From the root, or absolute"), OFFSET],
    ),
    ProfileTool {
        alias: Alias {
            name: "reindex",
            to: "index_repository",
            fixed: &[("force", "true"), ("background", "true")],
            ..PLAIN
        },
        doc: "",
        params: &[],
    }
    .about("Indexes everything again, in the background. Answers are up to date without it."),
    same(
        "find_similar",
        &[
            text("code").needed(),
            text("language").says(LANGUAGE_ONLY),
            whole("limit").or("10").says("Places in the answer"),
        ],
    )
    .about("Code that does something like a snippet, or what a sentence describes."),
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
        doc: "",
        params: &[
            text("keyword").needed().says("A question, words or a name"),
            text("directory").needed().says(REPOSITORY),
        ],
    }
    .about("Finds code by words and by meaning, best first, with line numbers and code."),
    ProfileTool {
        alias: Alias {
            name: "get_similar_code",
            to: "find_similar",
            rename: &[("query", "code")],
            ..PLAIN
        },
        doc: "",
        params: &[
            text("query").needed(),
            text("directory").needed().says(REPOSITORY),
            whole("limit").or("5").says("Snippets in the answer"),
        ],
    }
    .about("Code that does something like a snippet, or what a sentence describes."),
    same(
        "find_definition",
        &[
            text("symbol_name").needed(),
            text("directory").needed().says(REPOSITORY),
        ],
    )
    .about("Where symbols of exactly this name are defined."),
    ProfileTool {
        alias: Alias {
            name: "find_references",
            to: "find_references",
            fixed: &[("include_definition", "true")],
            ..PLAIN
        },
        doc: "",
        params: &[
            text("symbol_name").needed(),
            text("directory").needed().says(REPOSITORY),
            INCLUDE_UNSURE,
        ],
    }
    .about("Every use of a symbol with its definition, resolved by the rules of the language."),
    same(
        "get_dependencies",
        &[text("file_path")
            .needed()
            .says("A file, or a directory: how its modules import each other")],
    ),
    same(
        "get_call_graph",
        &[
            text("file_path")
                .needed()
                .says("The file of the function; alone: all calls in it"),
            text("symbol_name").says("Only what this function calls"),
        ],
    )
    .about("What the functions of a file call, or one of them."),
    same(
        "analyze_complexity",
        &[text("file_path").needed().says("A file, or a directory")],
    ),
    ProfileTool {
        alias: Alias {
            name: "read_file_content",
            to: "read_file",
            rename: &[("file_path", "path")],
            ..PLAIN
        },
        doc: "",
        params: &[text("file_path").needed().says("Absolute, or from the root"), OFFSET],
    },
    ProfileTool {
        alias: Alias {
            name: "index_codebase",
            to: "index_repository",
            rename: &[("directory", "path"), ("force_reindex", "force")],
            ..PLAIN
        },
        doc: "",
        params: &[
            text("directory").needed().says("Absolute, or from the root"),
            flag("force_reindex", false),
        ],
    }
    .about("Brings the index of a directory up to date. Answers are up to date without it."),
    same(
        "health_check",
        &[text("directory").says("The repository; by default the one that the server was started for")],
    ),
];

/// Its document has it for every tool.
const FORMAT: Param = choice("format", &["text", "json"])
    .or("\"text\"")
    .says("The same facts as JSON, or as text");

const PROBE: &[ProfileTool] = &[
    ProfileTool {
        alias: Alias {
            name: "search_code",
            to: "search_code",
            rename: &[("exact", "literal"), ("session", "cursor")],
            ..PLAIN
        },
        doc: "",
        params: &[
            text("path").needed().directory().says(SEARCHED),
            text("query").needed(),
            flag("exact", false),
            text("session").says("What the page before gave to go on with"),
            FORMAT,
        ],
    }
    .about("Finds code by words, phrases and operators, best first, with line numbers and code."),
    ProfileTool {
        alias: Alias {
            name: "extract_code",
            to: "extract_code",
            rename: &[("path", "workspace"), ("files", "targets")],
            ..PLAIN
        },
        doc: "",
        params: &[
            text("path")
                .needed()
                .directory()
                .says("The directory that files begin in"),
            texts("files").needed(),
            FORMAT,
        ],
    },
    same(
        "grep",
        &[
            text("pattern").needed(),
            texts("paths"),
            flag("ignore_case", false).says("Small letters and capitals are the same"),
            flag("count", false),
            whole("context").says("Lines around each match"),
            FORMAT,
        ],
    ),
    same(
        "map_code",
        &[
            text("path").needed(),
            number("depth"),
            choice("detail", &["files", "signatures", "full"]).or("\"signatures\""),
            text("language").says(LANGUAGE_ONLY),
            number("maxTokens").or("4000").says(MOST_TOKENS),
            FORMAT,
        ],
    )
    .about("What a directory consists of: packages, entry points, most important signatures. Use first."),
    same(
        "find_callers",
        &[
            text("file"),
            number("line").says(LINE_OF),
            text("symbol"),
            number("depth").or("1").says("Levels of callers"),
            number("maxResults").or("20").says("Callers in the answer"),
            FORMAT,
        ],
    ),
    same(
        "find_callees",
        &[
            text("file"),
            number("line").says(LINE_OF),
            text("symbol"),
            number("depth").or("1").says("Levels of callees"),
            number("maxResults").or("30").says("Callees in the answer"),
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
        doc: "",
        params: &[
            text("file"),
            number("line").says(LINE_OF),
            text("symbol"),
            flag("includeDeclaration", false).says("List the definition too"),
            number("maxResults").or("30").says("References in the answer"),
            INCLUDE_UNSURE,
            FORMAT,
        ],
    }
    .about("Every use of a symbol, by its name or place, resolved by the rules of its language."),
    same(
        "find_implementations",
        &[
            text("file"),
            number("line").says(LINE_OF),
            text("symbol"),
            number("maxResults").or("20").says("Implementations in the answer"),
            FORMAT,
        ],
    ),
    same(
        "impact_analysis",
        &[
            text("file"),
            number("line").says(LINE_OF),
            text("symbol"),
            number("depth").or("1"),
            number("maxTokens").or("4000").says(MOST_TOKENS),
            FORMAT,
        ],
    )
    .about("What changing a symbol could break: uses, callers, implementations, tests to run, risk."),
];

/// What an index leaves out where nothing else is said, as JSON.
const EXCLUDED: &str = r#"["**/target/**", "**/node_modules/**", "**/.git/**", "**/dist/**", "**/build/**", "**/*.pyc", "**/__pycache__/**"]"#;

const SESSION: Param = text("session").needed().says("Name of the session");

const SHEBE: &[ProfileTool] = &[
    same(
        "search_code",
        &[
            text("query").needed().within(1, 500),
            SESSION,
            whole("k").or("10").within(1, 100).says("Results in the answer"),
            flag("literal", false),
        ],
    )
    .about("Finds code in a session by words, phrases and operators, best first."),
    same("list_sessions", &[]),
    same("get_session_info", &[SESSION]),
    same(
        "index_repository",
        &[
            text("path").needed(),
            text("session").needed().within(1, 64),
            texts("include_patterns"),
            texts("exclude_patterns").or(EXCLUDED).says("Globs of what is left out"),
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
        doc: "",
        params: &[
            SESSION,
            text("file_path").needed().within(1, 4096).rooted().says(FILE_OF),
            OFFSET,
        ],
    },
    ProfileTool {
        alias: Alias {
            name: "list_dir",
            to: "list_files",
            ..PLAIN
        },
        doc: "",
        params: &[
            SESSION,
            whole("limit")
                .or("100")
                .within(1, 500)
                .lowered()
                .says("Files in the answer"),
            choice("sort", &["alpha", "size", "indexed"])
                .or("\"alpha\"")
                .says("alpha: by path; size: largest first; indexed: in the order of indexing"),
        ],
    },
    same("delete_session", &[SESSION, param("confirm", "boolean").needed()])
        .about("Deletes a session's index for good. The repository is not touched."),
    same(
        "find_file",
        &[
            SESSION,
            text("pattern").needed().within(1, 4096),
            choice("pattern_type", &["glob", "regex"])
                .or("\"glob\"")
                .says("What the pattern is"),
            whole("limit").or("100").within(1, 10_000).says("Files in the answer"),
        ],
    ),
    same(
        "find_references",
        &[
            text("symbol").needed().within(2, 200),
            SESSION,
            choice("symbol_type", &["function", "type", "variable", "constant", "any"])
                .or("\"any\"")
                .says("Only uses as such a thing"),
            text("defined_in").rooted(),
            flag("include_definition", false).says("List the definition too"),
            whole("context_lines")
                .or("2")
                .within(0, 10)
                .says("Lines of code around each"),
            whole("max_results")
                .or("50")
                .within(1, 200)
                .says("References in the answer"),
            INCLUDE_UNSURE,
        ],
    )
    .about("Every use of a symbol by confidence, and the files to update."),
    same(
        "preview_chunk",
        &[
            SESSION,
            text("file_path").needed().rooted().says(FILE_OF),
            whole("chunk_index").needed(),
            whole("context_lines")
                .or("10")
                .within(0, 100)
                .says("Lines before and behind"),
        ],
    ),
    same(
        "reindex_session",
        &[
            SESSION,
            whole("chunk_size")
                .within(100, 2000)
                .says("Characters per chunk; by default as before"),
            whole("overlap")
                .within(0, 500)
                .says("Less than chunk_size; by default as before"),
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
        doc: "",
        params: &[
            text("query").needed(),
            choice("search_target", &["content", "definitions"])
                .or("\"content\"")
                .says("content: everything; definitions: where a name is defined, with its signature"),
            text("language").says(LANGUAGE_ONLY),
            text("file_pattern"),
            whole("limit").or("10").says("Files in the answer"),
            text("workspace").says(WORKSPACE),
        ],
    }
    .about("Finds code by words, phrases and operators, best first, or where a name is defined."),
    same(
        "get_symbols",
        &[
            text("file_path").needed(),
            whole("max_depth").or("1"),
            text("target"),
            whole("limit").or("50").says("Symbols in the answer"),
            choice("mode", &["structure", "minimal", "full"]).or("\"minimal\""),
            text("workspace").says(WORKSPACE),
        ],
    ),
    ProfileTool {
        alias: Alias {
            name: "fast_refs",
            to: "find_references",
            rename: &[("limit", "max_results")],
            ..PLAIN
        },
        doc: "",
        params: &[
            text("symbol").needed(),
            flag("include_definition", true).says("List the definition too"),
            whole("limit").or("50").says("References in the answer"),
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
            )
            .says("Only uses of this kind"),
            text("workspace").says(WORKSPACE),
            INCLUDE_UNSURE,
        ],
    }
    .about("Every use of a symbol, resolved by the rules of its language."),
    same(
        "deep_dive",
        &[
            text("symbol").needed(),
            choice("depth", &["overview", "context", "full"]).or("\"overview\""),
            text("context_file").says("The file of the one that is meant, where several have the name"),
            text("workspace").says(WORKSPACE),
        ],
    ),
    same(
        "rename_symbol",
        &[
            text("old_name").needed(),
            text("new_name").needed().says("What it is called then"),
            text("scope").or("\"workspace\""),
            flag("dry_run", true),
            text("workspace").says(WORKSPACE),
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
            .says("What to do")
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
            texts("tags").says("Words to find it by"),
            choice("type", &["checkpoint", "decision", "learning", "observation"])
                .or("\"checkpoint\"")
                .says("What kind of note it is"),
        ],
    ),
    same(
        "recall",
        &[
            text("query"),
            whole("limit").or("10").says("Notes in the answer"),
            text("since"),
            text("until").says("Like since, for the newest"),
            choice("type", &["checkpoint", "decision", "learning", "observation"]).says("Only notes of this kind"),
        ],
    ),
    same(
        "plan",
        &[
            choice("action", &["save", "get", "list", "activate", "update", "complete"])
                .needed()
                .says("What to do"),
            text("title").says("Of a plan that is saved"),
            text("id"),
            text("content"),
            text("status"),
            flag("activate", true),
        ],
    ),
];
