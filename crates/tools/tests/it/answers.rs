//! What an agent sees: the text of every tool, and the JSON of a few.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use test_fixture::Repo;

use crate::kit::Kit;

const REPO: &str = "
//- /.gitignore
ignored.txt
//- /ignored.txt
walk nothing
//- /README.md
# Walker

Walks files.
//- /src/walk.rs
//! Where are files walked?

pub fn walk_files(root: &Path) -> Vec<File> {
    let walker = Walker::new(root);
    walker.run()
}
//- /src/walker.py
class Walker:
    def run(self):
        return self.walkFiles()
//- /tls.key
hush
";

fn indexed() -> (Repo, Kit) {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    kit.json("index_repository", json!({ "session": "walks" }));
    (repo, kit)
}

fn check(kit: &Kit, tool: &str, arguments: Value, expected: Expect) {
    expected.assert_eq(&kit.text(tool, arguments));
}

fn check_json(kit: &Kit, tool: &str, arguments: Value, expected: Expect) {
    let answer = kit.json(tool, arguments);
    let pretty = serde_json::to_string_pretty(&answer).unwrap();
    expected.assert_eq(&kit.steady(&pretty));
}

#[test]
fn search_code() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "search_code",
        json!({ "query": "walk_files" }),
        expect![[r#"
            Definition found: walk_files
              src/walk.rs:3:8 walk_files (function, public)
                pub fn walk_files(root: &Path) -> Vec<File>

            Other matches:
            src/walk.rs
              3-6 function walk_files
                3: pub fn walk_files(root: &Path) -> Vec<File> {
                4:     let walker = Walker::new(root);
                5:     walker.run()
                6: }
            src/walker.py:2-3 method Walker.run
            README.md:1-3 heading Walker"#]],
    );
    check(
        &kit,
        "search_code",
        json!({ "query": "walker NOT lang:rust", "k": 1 }),
        expect![[r#"
            2 chunks for `walker NOT lang:rust`

            src/walker.py:1-3 (class Walker, chunk 0, score 1.48)
            ```python
            class Walker:
                def run(self):
                    return self.walkFiles()
            ```

            1 more: cursor "p1.b67196ee.2.dd02", or narrow with path, language or AND"#]],
    );
    check(
        &kit,
        "search_code",
        json!({ "query": "self.walkFiles()", "context_lines": 1 }),
        expect![[r#"
            1 chunk for `self.walkFiles()`

            src/walker.py:1-3 (class Walker, chunk 0, score 4.14)
            ```python
            class Walker:
                def run(self):
                    return self.walkFiles()
            ```"#]],
    );
    check(
        &kit,
        "search_code",
        json!({ "query": "Walker", "literal": true, "path": "src" }),
        expect![[r#"
            2 lines for `Walker` (in 2 files)
            src/walk.rs
              4:     let walker = Walker::new(root);
            src/walker.py
              1: class Walker:"#]],
    );
    check(
        &kit,
        "search_code",
        json!({ "query": "[" }),
        expect!["No match for `[` (3 files indexed) (no words in the query, so it is taken literally)"],
    );
    check(
        &kit,
        "search_code",
        json!({ "query": "root run", "mode": "semantic", "language": "rust" }),
        expect![[r#"
            Best places for `root run`
            src/walk.rs
              3-6 function walk_files
                3: pub fn walk_files(root: &Path) -> Vec<File> {
                4:     let walker = Walker::new(root);
                5:     walker.run()
                6: }"#]],
    );
    check(
        &kit,
        "search_code",
        json!({ "query": "absent" }),
        expect!["No match for `absent` (3 files indexed)"],
    );
    check_json(
        &kit,
        "search_code",
        json!({ "query": "walks AND files" }),
        expect![[r##"
            {
              "results": [
                {
                  "path": "README.md",
                  "start_line": 1,
                  "end_line": 3,
                  "score": 2.52,
                  "language": "markdown",
                  "symbol": "Walker",
                  "kind": "heading",
                  "chunk_index": 0,
                  "snippet": "# Walker\n\nWalks files."
                }
              ],
              "total": 1,
              "coverage": {
                "generation": <n>,
                "complete": true,
                "engines": [
                  "text"
                ]
              }
            }"##]],
    );
}

#[test]
fn grep() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "grep",
        json!({ "pattern": r"\bwalk\w*", "ignore_case": true }),
        expect![[r#"
            8 lines in 3 files for `\bwalk\w*`
            README.md
              1: # Walker
              3: Walks files.
            src/walk.rs
              1: //! Where are files walked?
              3: pub fn walk_files(root: &Path) -> Vec<File> {
              4:     let walker = Walker::new(root);
              5:     walker.run()
            src/walker.py
              1: class Walker:
              3:         return self.walkFiles()"#]],
    );
    check(
        &kit,
        "grep",
        json!({ "pattern": "walker", "context": 1, "paths": "*.rs" }),
        expect![[r#"
            2 lines in 1 file for `walker`
            src/walk.rs
              3- pub fn walk_files(root: &Path) -> Vec<File> {
              4:     let walker = Walker::new(root);
              5-     walker.run()
              6- }"#]],
    );
    check(
        &kit,
        "grep",
        json!({ "pattern": "[Ww]alk", "count": true }),
        expect![[r#"
            8 lines in 3 files for `[Ww]alk`
            README.md: 2
            src/walk.rs: 4
            src/walker.py: 2"#]],
    );
    check_json(
        &kit,
        "grep",
        json!({ "pattern": "def", "language": "python", "context": 1 }),
        expect![[r#"
            {
              "matches": [
                {
                  "path": "src/walker.py",
                  "line": 2,
                  "column": 5,
                  "text": "    def run(self):",
                  "before": [
                    "class Walker:"
                  ],
                  "after": [
                    "        return self.walkFiles()"
                  ]
                }
              ],
              "total": 1,
              "files_total": 1,
              "coverage": {
                "generation": <n>,
                "complete": true,
                "engines": [
                  "text"
                ]
              }
            }"#]],
    );
}

#[test]
fn files() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "list_files",
        json!({}),
        expect![[r#"
            walks: 3 files
            README.md (1 chunk)
            src/walk.rs (1 chunk)
            src/walker.py (1 chunk)"#]],
    );
    check(
        &kit,
        "list_files",
        json!({ "limit": 1, "sort": "size" }),
        expect![[r#"
            walks: 3 files
            WARNING: truncated to 1 of 3; not shown: 2
            src/walk.rs (1 chunk)

            2 more: cursor "p1.779c36d7.3.dd02", or narrow with path or language"#]],
    );
    check(
        &kit,
        "find_file",
        json!({ "pattern": "src/*.rs" }),
        expect![[r#"
            1 of 3 files match `src/*.rs`
            src/walk.rs"#]],
    );
    check(
        &kit,
        "find_file",
        json!({ "pattern": r"\.(py|md)$", "pattern_type": "regex" }),
        expect![[r#"
            2 of 3 files match `\.(py|md)$`
            README.md
            src/walker.py"#]],
    );
    check(
        &kit,
        "read_file",
        json!({ "path": "README.md" }),
        expect![[r#"
        README.md (markdown, 23 bytes, 3 lines)
        ```markdown
        # Walker

        Walks files.
        ```"#]],
    );
    check(
        &kit,
        "read_file",
        json!({ "path": "README.md", "start_line": 3, "line_numbers": true }),
        expect![[r#"
            README.md (markdown, 23 bytes, 3 lines)
            Lines 3-3:
            ```markdown
            3: Walks files.
            ```"#]],
    );
    check(
        &kit,
        "read_file",
        json!({ "path": "src/walk.rs", "offset": 30, "length": 40 }),
        expect![[r#"
            src/walk.rs (rust, 130 bytes, 6 lines)
            WARNING: truncated: showing characters 31-70 of 130 (30.8%), from line 3; not shown: 90. Next: offset 70.
            ```rust
            ub fn walk_files(root: &Path) -> Vec<Fil
            ```"#]],
    );
    check_json(
        &kit,
        "read_file",
        json!({ "path": "README.md", "length": 3 }),
        expect![[r##"
            {
              "path": "README.md",
              "language": "markdown",
              "bytes": 23,
              "lines": 3,
              "characters": 23,
              "offset": 0,
              "length": 3,
              "first_line": 1,
              "text": "# W",
              "next_offset": 3
            }"##]],
    );
    check(
        &kit,
        "preview_chunk",
        json!({ "file_path": "src/walk.rs", "chunk_index": 0 }),
        expect![[r#"
            src/walk.rs:1-6 (chunk 0 of 1, bytes 0-130; lines 1-6 shown)
            ```rust
            1 | //! Where are files walked?  <-- chunk starts here
            2 | 
            3 | pub fn walk_files(root: &Path) -> Vec<File> {
            4 |     let walker = Walker::new(root);
            5 |     walker.run()
            6 | }  <-- chunk ends here
            ```"#]],
    );
}

#[test]
fn index() {
    let repo = Repo::new(REPO);
    let kit = Kit::new(&repo.root());
    check(
        &kit,
        "index_status",
        json!({}),
        expect!["repo ($ROOT): not indexed yet; the first search does it, or index_repository."],
    );
    check(
        &kit,
        "index_repository",
        json!({ "path": repo.root() }),
        expect![[r#"
        Indexed $ROOT as `repo` in <duration>
        - files: 3 (3 indexed now, 0 unchanged, 0 removed, 1 skipped)
        - chunks: 3 (3 created now)
        - index size: <size>
        - throughput: <n> files/s
        Skipped:
        - tls.key: may hold secrets, by its name"#]],
    );
    check(
        &kit,
        "index_status",
        json!({}),
        expect![[r#"
            repo ($ROOT): Ready
            - 3 files, 3 chunks, 12 lines, 218 bytes of source; index <size>
            - generation <n>, committed <time>; every call looks at every file
            - languages: markdown 1, python 1, rust 1
            - 3 vectors of <model>

            Skipped (1 file):
            - tls.key: may hold secrets, by its name"#]],
    );
    repo.write("new.txt", "new");
    repo.remove("README.md");
    check(
        &kit,
        "index_repository",
        json!({}),
        expect![[r#"
        Indexed $ROOT as `repo` in <duration>
        - files: 3 (1 indexed now, 2 unchanged, 1 removed, 1 skipped)
        - chunks: 3 (1 created now)
        - index size: <size>
        - throughput: <n> files/s
        Skipped:
        - tls.key: may hold secrets, by its name"#]],
    );
    check(
        &kit,
        "reindex_session",
        json!({ "session": "repo", "chunk_size": 1024, "overlap": 100 }),
        expect![[r#"
            Indexed $ROOT as `repo` in <duration>
            - files: 3 (3 indexed now, 0 unchanged, 0 removed, 1 skipped)
            - chunks: 3 (3 created now)
            - index size: <size>
            - throughput: <n> files/s
            Skipped:
            - tls.key: may hold secrets, by its name
            Configuration changes:
            - chunk_size: 512 -> 1024
            - overlap: 64 -> 100"#]],
    );
    check(
        &kit,
        "upgrade_session",
        json!({ "session": "repo" }),
        expect!["Session `repo` already has format 34, the current one. Nothing to upgrade."],
    );
}

#[test]
fn sessions() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "list_sessions",
        json!({}),
        expect![[r#"
        Sessions (1):
        - walks ($ROOT): 3 files, 3 chunks, <size>, created <time>"#]],
    );
    check(
        &kit,
        "get_session_info",
        json!({ "session": "walks" }),
        expect![[r#"
        Session: walks
        - root: $ROOT
        - status: Ready
        - files: 3
        - chunks: 3
        - size: <size>
        - created: <time>
        - indexed: <time> (generation <n>)
        Configuration
        - chunk size: 512 characters
        - overlap: 64 characters
        - include: **/*
        - exclude: default
        Statistics
        - chunks per file: 1.00
        - chunk size on average: 72 bytes"#]],
    );
    check(
        &kit,
        "manage_workspace",
        json!({ "operation": "stats" }),
        expect![[r#"
        Session: walks
        - root: $ROOT
        - status: Ready
        - files: 3
        - chunks: 3
        - size: <size>
        - created: <time>
        - indexed: <time> (generation <n>)
        Configuration
        - chunk size: 512 characters
        - overlap: 64 characters
        - include: **/*
        - exclude: default
        Statistics
        - chunks per file: 1.00
        - chunk size on average: 72 bytes"#]],
    );
    check(
        &kit,
        "manage_workspace",
        json!({ "operation": "clean" }),
        expect!["Nothing to clean: no session's directory was deleted or moved."],
    );
    check(
        &kit,
        "manage_workspace",
        json!({ "operation": "refresh" }),
        expect![[r#"
        Indexed $ROOT as `walks` in <duration>
        - files: 3 (0 indexed now, 3 unchanged, 0 removed, 1 skipped)
        - chunks: 3 (0 created now)
        - index size: <size>
        Skipped:
        - tls.key: may hold secrets, by its name"#]],
    );
    check(
        &kit,
        "delete_session",
        json!({ "session": "walks", "confirm": true }),
        expect!["Deleted session `walks` for good: 3 files, 3 chunks, <size> freed. The repository was not touched."],
    );
    check(
        &kit,
        "list_sessions",
        json!({}),
        expect!["No sessions yet: the first search in a directory makes one."],
    );
}

#[test]
fn server() {
    let (_repo, kit) = indexed();
    check(
        &kit,
        "health_check",
        json!({}),
        expect![[r#"
            System status: HEALTHY
            - text_index: healthy, 3 chunks of 3 files (<duration>)
            - change_tracking: healthy, every call looks at every file (<duration>)
            - vector_index: healthy, 3 vectors of <model> (<duration>)
            - graph: healthy, names are resolved when asked for (<duration>)"#]],
    );
    check(
        &kit,
        "get_server_info",
        json!({}),
        expect![[r#"
            Portolan 0.1.0: code intelligence over MCP and on the command line
            - protocol: MCP 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05
            - index format: 34
            - Rust: <version>
            Tools:
            - map_code [core]: What a repository or directory consists of: its packages with their purpose and importers, entry points, most important signatures
            - search_code [core]: Where something is: the functions and sections that a question, an issue, a name or an exact string is about, with line numbers and code
            - find_symbol [core]: Where symbols are defined: exact name first, then prefix, camel humps (`pQ`) and substring
            - get_symbols [core]: Outline of a file or directory: nested symbols with signatures and lines
            - deep_dive [core]: All about one symbol in one call: signature, callers and callees, or members, implementations and users
            - find_references [core]: Every use of a symbol (by file and line: of a local name too), resolved by the rules of its language, with role and confidence; files to update
            - find_callers [core]: Which functions call a symbol, by level, with signatures and call lines; apart from those, which may reach it by dispatch
            - impact_analysis [core]: What changing a symbol, or a given diff, could break: uses by subsystem, callers, implementations, tests to run, risk
            - extract_code [core]: Read whole functions and types, several at once: by symbol, file:line, or pasted output
            - index_status [core]: What is indexed and how fresh: counts, languages, progress, skipped files and why
            - find_definition [graph]: Definitions of exactly this symbol, or of what is used at file and line
            - find_callees [graph]: What a function calls, by level
            - find_implementations [graph]: What implements or extends a type, or overrides a method
            - get_call_graph [graph]: Who calls whom around a symbol, or in a file
            - find_path [graph]: Shortest path of calls from one symbol to another, else of any references
            - get_dependencies [graph]: Imports of a file, each resolved to files
            - analyze_complexity [graph]: Lines, symbols, calls, cyclomatic and cognitive complexity; worst functions first
            - grep [files]: Every line that a regular expression matches, with exact totals
            - read_file [files]: Text of a file as it is on disk now, up to 20,000 characters per answer
            - find_file [files]: Indexed files whose path matches
            - list_files [files]: Indexed files with their number of chunks
            - preview_chunk [files]: A search result with numbered lines around it
            - find_similar [similar]: Code that does something like a snippet, or like the function at file and line
            - rename_symbol [refactor]: Rename a symbol, parameter or local variable and every proven use of it, imports and overrides included: a diff first; dry_run: false writes all files or none and checks the result
            - checkpoint [memory]: Note what was done, decided or learnt, with commit and branch, for later sessions to recall
            - recall [memory]: What checkpoint and plan noted in earlier sessions, by words and meaning, with whether the code that it speaks of is still there
            - plan [memory]: Keep a working plan from session to session: save, get, list, activate, update or complete one
            - index_repository [index]: Index a directory or refresh its index
            - list_sessions [index]: Indexed workspaces: files, chunks, size, when created
            - get_session_info [index]: One session: status, counts, configuration, averages
            - reindex_session [index]: Index a session again with other chunk sizes, or from scratch with force
            - upgrade_session [index]: Rebuild a session's index in the current format
            - delete_session [index]: Delete a session's index for good
            - manage_workspace [index]: Workspaces: index, list, add, remove, refresh, stats, health; clean forgets those whose directory is gone
            - health_check [index]: Whether the text index, vectors, change tracking and graph work, with latencies
            - get_server_info [index]: Version, protocol versions, index format and every tool of this server
            - get_config [index]: Settings in force, each with its source: default, file, environment, flag or fixed"#]],
    );
    check(
        &kit,
        "get_config",
        json!({}),
        expect![[r#"
            Configuration
            logging.log_level: warn (default)
            indexing.chunk_size: 512 characters (default)
            indexing.overlap: 64 characters (default)
            indexing.max_file_size_mb: 10 MB (default)
            indexing.include_patterns: 1 pattern (default)
            indexing.exclude_patterns: 4 patterns (default)
            indexing.symbols: true (default)
            indexing.watch: true (default)
            storage.home: $HOME (default)
            search.model: built-in (default)
            search.model_name: not set (default)
            search.model_key_env: PORTOLAN_MODEL_KEY (default)
            search.tokenizer: next to the model (default)
            search.default_k: 10 (fixed)
            search.max_k: 100 (fixed)
            search.max_query_length: 500 (fixed)
            server.toolsets: core (default)
            server.profile: none (default)
            server.read_only: false (default)
            server.structured: true (default)
            limits.max_concurrent_indexes: 1 per workspace (fixed)
            limits.first_answer_secs: <duration> (default)
            limits.request_timeout_secs: <duration> (default)
            limits.default_max_tokens: 4000 (fixed)
            limits.hard_max_tokens: 20000 (fixed)"#]],
    );
}
