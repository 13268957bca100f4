//! How a tool says that it could not do its job: what, and what to do next.

use queries::{KeywordError, PathError, QueryError};
use serde_json::{Value, json};
use workspace::{Error, GitError, QueryProblem, RefreshError};

use crate::machinery::args;

/// Codes of the contract.
pub(crate) mod code {
    pub const INVALID_PARAMS: i32 = -32602;
    /// Workspace, session or file not found, or request refused.
    pub const NOT_FOUND: i32 = -32001;
    pub const INDEX: i32 = -32002;
    pub const CONFIG: i32 = -32003;
    pub const SEARCH: i32 = -32004;
    pub const INTERNAL: i32 = -32603;
}

/// The hint where a call itself is wrong; on the command line there is a better one.
pub const SEE_SCHEMA: &str = "see the tool's schema for what it takes";

const ROOT_GONE: &str = "the repository was moved or deleted: index it where it is now, or delete_session; `portolan memory \
export` has what was noted";
const GLOBS: &str = "globs look like `src/**/*.rs` or `*.{ts,tsx}`";
const BROKEN_STORE: &str = "health_check tells more; reindex_session with force: true rebuilds it";
const BAD_DIRECTORY: &str = "check permissions and free space of the index directory";
const BAD_SETTING: &str = "correct the value and try again";
const CANCELLED: &str = "call again to go on";
const IS_A_BUG: &str = "this is a bug in Portolan: please report it with the arguments of the call";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolError {
    pub code: i32,
    pub message: String,
    pub hint: String,
    /// Worth another try after a refresh.
    pub stale: bool,
    /// The workspace was closed meanwhile; another one may have taken its place.
    pub closed: bool,
    /// The index may be damaged.
    pub suspect: bool,
}

impl ToolError {
    pub fn new(code: i32, message: impl Into<String>, hint: impl Into<String>) -> ToolError {
        ToolError {
            code,
            message: message.into(),
            hint: hint.into(),
            stale: false,
            closed: false,
            suspect: false,
        }
    }

    pub fn invalid(message: impl Into<String>) -> ToolError {
        ToolError::new(code::INVALID_PARAMS, message, SEE_SCHEMA)
    }

    /// A panic: a bug, or an index whose contents cannot be.
    pub fn unexpected(tool: &str) -> ToolError {
        ToolError {
            suspect: true,
            ..ToolError::new(code::INTERNAL, format!("{tool} failed unexpectedly"), IS_A_BUG)
        }
    }

    /// What a call says that changes something and met a damaged index, which is empty by now.
    pub fn after_mend(self) -> ToolError {
        ToolError {
            code: code::INDEX,
            message: format!("{}: the index was damaged, and is made anew", self.message),
            hint: "a call that changes something is not repeated by itself: call again".to_owned(),
            suspect: false,
            ..self
        }
    }

    pub fn text(&self) -> String {
        let sentence = |text: &str| format!("{text}{}", if text.ends_with(['.', '?', '!']) { "" } else { "." });
        format!("Error: {}\nHint: {}", sentence(&self.message), sentence(&self.hint))
    }

    pub fn to_json(&self) -> Value {
        json!({ "error": { "code": self.code, "message": self.message, "hint": self.hint } })
    }

    pub fn from_workspace(error: &Error) -> ToolError {
        use code::*;
        let message = error.to_string();
        let or_else = |hint: &Option<String>, other: &str| match hint {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => other.to_owned(),
        };
        let (code, hint): (i32, String) = match error {
            Error::NoSuchSession { nearest, .. } => (
                NOT_FOUND,
                or_else(nearest, "list_sessions shows what there is; a directory path works too"),
            ),
            Error::UnreadableSession { .. } => (INTERNAL, "index its directory again: nothing that was noted is lost".into()),
            Error::NotADirectory { .. } => (
                INVALID_PARAMS,
                "the workspace is a directory; to look at one file of it give that as `path`".into(),
            ),
            Error::NoSuchDirectory { .. } => {
                (INVALID_PARAMS, "give the absolute path of an existing directory".into())
            }
            Error::RootGone { .. } => (NOT_FOUND, ROOT_GONE.into()),
            Error::UnlikelyRoot { .. } => (
                INVALID_PARAMS,
                "start the server with --root DIR, or pass `workspace` with a project directory".into(),
            ),
            Error::BadSessionName { .. } => (INVALID_PARAMS, "choose another name, e.g. `my-project`".into()),
            Error::SessionTaken { .. } => (
                INVALID_PARAMS,
                "choose another session name, or delete_session that one first".into(),
            ),
            Error::BadPath { .. } => (INVALID_PARAMS, "give a path relative to the workspace root".into()),
            Error::Outside { .. } => (
                NOT_FOUND,
                "give a path inside the workspace, or the absolute path of a file in another repository".into(),
            ),
            Error::Confined { .. } => (
                NOT_FOUND,
                "name a directory below that root, or a session of list_sessions; whoever runs the server can index more"
                    .into(),
            ),
            Error::NoSuchFile { path, .. } if path.contains('*') => {
                (NOT_FOUND, "find_file lists the files that a glob matches".into())
            }
            Error::NoSuchFile { nearest, .. } => (NOT_FOUND, or_else(nearest, "find_file finds paths by pattern")),
            Error::NotYetIndexed { .. } => (
                INDEX,
                "the index is still being built: ask again, or read_file".into(),
            ),
            Error::IsDirectory { .. } => (
                NOT_FOUND,
                "map_code and get_symbols take directories; find_file lists what is in one: `dir/**`".into(),
            ),
            Error::Refused { .. } => (
                NOT_FOUND,
                "choose another file; index_status lists skipped files".into(),
            ),
            Error::NoSuchChunk { .. } => (NOT_FOUND, "chunk indexes count from 0; search_code shows them".into()),
            Error::NoSuchLine { .. } => (INVALID_PARAMS, "lines count from 1; read_file shows the file".into()),
            Error::BadGlob(_) => (INVALID_PARAMS, GLOBS.into()),
            Error::BadRegex { .. } => (
                INVALID_PARAMS,
                "escape special characters with `\\`, or use search_code with literal: true".into(),
            ),
            Error::UnknownLang { nearest, .. } => (
                INVALID_PARAMS,
                or_else(
                    &nearest.map(str::to_owned),
                    "index_status lists this workspace's languages",
                ),
            ),
            Error::Query(problem) => query_problem(problem),
            Error::Store(_) => (INDEX, BROKEN_STORE.into()),
            Error::Io { .. } => (INDEX, BAD_DIRECTORY.into()),
            Error::BadName { .. } => (INVALID_PARAMS, "choose another name".into()),
            Error::Write(_) => (NOT_FOUND, "see to the file and call again".into()),
            Error::Setting(_) => (INVALID_PARAMS, BAD_SETTING.into()),
            Error::IndexingPanicked => (INTERNAL, IS_A_BUG.into()),
            Error::Stale => (INDEX, "try again when the files have come to rest".into()),
            Error::NoRepository { .. } => (NOT_FOUND, "without git, ask about a `symbol`, or `file` and `line`".into()),
            Error::Git(GitError::NoSuchRevision { .. } | GitError::Ambiguous { .. }) => (
                INVALID_PARAMS,
                "`diff` is `uncommitted`, `staged`, a revision (`HEAD~3`, a branch, tag or commit), a range (`main..HEAD`, `main...HEAD`), or one commit (`HEAD^!`)"
                    .into(),
            ),
            Error::Git(_) => (INDEX, "without its history, ask about a `symbol`, or `file` and `line`".into()),
            Error::Cancelled => (NOT_FOUND, CANCELLED.into()),
            Error::Closed => (NOT_FOUND, "call again".into()),
            Error::Shared(error) => failed_refresh(error),
        };
        ToolError {
            stale: matches!(error, Error::Stale),
            closed: matches!(error, Error::Closed),
            suspect: error.is_suspect(),
            ..ToolError::new(code, message, hint)
        }
    }
}

/// A refresh that several callers have waited for.
fn failed_refresh(error: &RefreshError) -> (i32, String) {
    use code::*;
    let (code, hint) = match error {
        RefreshError::RootGone { .. } => (NOT_FOUND, ROOT_GONE),
        RefreshError::Io { .. } => (INDEX, BAD_DIRECTORY),
        RefreshError::Glob(_) => (INVALID_PARAMS, GLOBS),
        RefreshError::Store(_) => (INDEX, BROKEN_STORE),
        RefreshError::Threads(_) => (INVALID_PARAMS, BAD_SETTING),
        RefreshError::Cancelled => (NOT_FOUND, CANCELLED),
        RefreshError::Panicked => (INTERNAL, IS_A_BUG),
    };
    (code, hint.to_owned())
}

fn query_problem(problem: &QueryProblem) -> (i32, String) {
    use code::*;
    match problem {
        QueryProblem::Syntax(QueryError::UnclosedQuote { .. }) => (
            SEARCH,
            "close the quote, or use literal: true to search for the text as it is".into(),
        ),
        QueryProblem::Syntax(QueryError::NoOperand { .. } | QueryError::Unbalanced) => (
            SEARCH,
            "mend the expression, or use literal: true to search for the text as it is".into(),
        ),
        QueryProblem::Syntax(QueryError::UnknownField { nearest, .. }) => (
            INVALID_PARAMS,
            format!(
                "did you mean `{nearest}:`? Valid are {}. In quotes it is plain text",
                QueryError::fields()
            ),
        ),
        QueryProblem::Syntax(QueryError::NoWord { .. }) | QueryProblem::Keyword(KeywordError::NoWord(_)) => {
            (SEARCH, "use literal: true to search for punctuation".into())
        }
        QueryProblem::Keyword(KeywordError::UnknownLang(name)) => {
            let nearest = queries::nearest_lang(name, strsim::normalized_damerau_levenshtein);
            let hint = nearest.map_or("index_status lists this workspace's languages".into(), |nearest| {
                format!("did you mean `{nearest}`?")
            });
            (INVALID_PARAMS, hint)
        }
        QueryProblem::Keyword(KeywordError::UnknownKind(word)) => {
            let kinds: Vec<&str> = queries::KindFilter::words().collect();
            let hint = match args::nearest(word, kinds.iter().copied()) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("kinds are {}", kinds.join(", ")),
            };
            (INVALID_PARAMS, hint)
        }
        QueryProblem::Keyword(KeywordError::Glob(_)) => (INVALID_PARAMS, GLOBS.into()),
        QueryProblem::Keyword(KeywordError::Index(_)) | QueryProblem::Scan(_) => {
            (SEARCH, "try literal: true, or a shorter query".into())
        }
    }
}

impl From<PathError> for ToolError {
    fn from(error: PathError) -> ToolError {
        ToolError::new(
            code::INVALID_PARAMS,
            error.to_string(),
            "give a path relative to the workspace root",
        )
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Nobody can correct a value that they have not given.
    #[test]
    fn a_panic_while_indexing_is_a_bug() {
        let shared = Error::Shared(Arc::new(RefreshError::Panicked));
        for error in [Error::IndexingPanicked, shared] {
            let told = ToolError::from(error);
            assert_eq!((told.code, told.suspect), (code::INTERNAL, true));
            assert!(told.hint.contains("please report it"));
        }
    }
}
