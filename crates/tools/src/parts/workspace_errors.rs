//! What a failure of the workspace means to a caller: its code, and what to do next.

use queries::{KeywordError, PathError, QueryError};
use workspace::{Error, GitError, QueryProblem, RefreshError};

use crate::machinery::error::{Cause, ErrorCode, Hint, IS_A_BUG, ToolError};

const ROOT_GONE: &str = "the repository was moved or deleted: index it where it is now, or delete_session; `portolan memory \
export` has what was noted";
const GLOBS: &str = "globs look like `src/**/*.rs` or `*.{ts,tsx}`";
const BROKEN_STORE: &str = "health_check tells more; reindex_session with force: true rebuilds it";
const BAD_DIRECTORY: &str = "check permissions and free space of the index directory";
const BAD_SETTING: &str = "correct the value and try again";
const CANCELLED: &str = "call again to go on";

/// `Cause::Stale` never reaches a caller that goes through `Ctx::answer`, so tools can use `?`.
impl From<Error> for ToolError {
    fn from(error: Error) -> ToolError {
        ToolError::from_workspace(&error)
    }
}

impl ToolError {
    /// A file has changed, and the index cannot follow.
    pub(crate) fn behind(reason: &str) -> ToolError {
        ToolError::new(
            ErrorCode::Index,
            format!("a file has changed, and the index could not be brought up to date: {reason}"),
            "check free space and permissions of the index directory; read_file and grep read the disk",
        )
    }

    fn from_workspace(error: &Error) -> ToolError {
        use ErrorCode::*;
        let message = error.to_string();
        let or_else = |nearest: &Option<String>, other: &str| match nearest {
            Some(nearest) => Hint::DidYouMean(vec![nearest.clone()]),
            None => other.into(),
        };
        let (code, hint): (ErrorCode, Hint) = match error {
            Error::NoSuchSession { nearest, .. } => (
                NotFound,
                or_else(nearest, "list_sessions shows what there is; a directory path works too"),
            ),
            Error::UnreadableSession { .. } => (Internal, "index its directory again: nothing that was noted is lost".into()),
            Error::NotADirectory { .. } => (
                InvalidParams,
                "the workspace is a directory; to look at one file of it give that as `path`".into(),
            ),
            Error::NoSuchDirectory { .. } => {
                (InvalidParams, "give the absolute path of an existing directory".into())
            }
            Error::RootGone { .. } => (NotFound, ROOT_GONE.into()),
            Error::UnlikelyRoot { .. } => (
                InvalidParams,
                "start the server with --root DIR, or pass `workspace` with a project directory".into(),
            ),
            Error::BadSessionName { .. } => (InvalidParams, "choose another name, e.g. `my-project`".into()),
            Error::SessionTaken { .. } => (
                InvalidParams,
                "choose another session name, or delete_session that one first".into(),
            ),
            Error::BadPath { .. } => (InvalidParams, "give a path relative to the workspace root".into()),
            Error::Outside { .. } => (
                NotFound,
                "give a path inside the workspace, or the absolute path of a file in another repository".into(),
            ),
            Error::Confined { .. } => (
                NotFound,
                "name a directory below that root, or a session of list_sessions; whoever runs the server can index more"
                    .into(),
            ),
            Error::NoSuchFile { path, .. } if path.contains('*') => {
                (NotFound, "find_file lists the files that a glob matches".into())
            }
            Error::NoSuchFile { nearest, .. } => (NotFound, or_else(nearest, "find_file finds paths by pattern")),
            Error::NotYetIndexed { .. } => (
                Index,
                "the index is still being built: ask again, or read_file".into(),
            ),
            Error::IsDirectory { .. } => (
                NotFound,
                "map_code and get_symbols take directories; find_file lists what is in one: `dir/**`".into(),
            ),
            Error::Refused { .. } => (
                NotFound,
                "choose another file; index_status lists skipped files".into(),
            ),
            Error::NoSuchChunk { .. } => (NotFound, "chunk indexes count from 0; search_code shows them".into()),
            Error::NoSuchLine { .. } => (InvalidParams, "lines count from 1; read_file shows the file".into()),
            Error::BadGlob(_) => (InvalidParams, GLOBS.into()),
            Error::BadRegex { .. } => (
                InvalidParams,
                "escape special characters with `\\`, or use search_code with literal: true".into(),
            ),
            Error::UnknownLang { nearest, .. } => (
                InvalidParams,
                or_else(
                    &nearest.map(str::to_owned),
                    "index_status lists this workspace's languages",
                ),
            ),
            Error::Query(problem) => query_problem(problem),
            Error::Store(_) => (Index, BROKEN_STORE.into()),
            Error::Io { .. } => (Index, BAD_DIRECTORY.into()),
            Error::BadName { .. } => (InvalidParams, "choose another name".into()),
            Error::Write(_) => (NotFound, "see to the file and call again".into()),
            Error::Setting(_) => (InvalidParams, BAD_SETTING.into()),
            Error::Stale => (Index, "try again when the files have come to rest".into()),
            Error::NoRepository { .. } => (NotFound, "without git, ask about a `symbol`, or `file` and `line`".into()),
            Error::Git(GitError::NoSuchRevision { .. } | GitError::Ambiguous { .. }) => (
                InvalidParams,
                "`diff` is `uncommitted`, `staged`, a revision (`HEAD~3`, a branch, tag or commit), a range (`main..HEAD`, `main...HEAD`), or one commit (`HEAD^!`)"
                    .into(),
            ),
            Error::Git(_) => (Index, "without its history, ask about a `symbol`, or `file` and `line`".into()),
            Error::Cancelled => (NotFound, CANCELLED.into()),
            Error::Closed => (NotFound, "call again".into()),
            Error::IndexingPanicked => (Internal, IS_A_BUG.into()),
            Error::Shared(error) => failed_refresh(error),
        };
        let cause = match error {
            Error::NoSuchSession { .. } => Cause::UnknownSession,
            Error::Stale => Cause::Stale,
            Error::Closed => Cause::Closed,
            error if error.is_suspect() => Cause::Damage,
            _ => Cause::Call,
        };
        ToolError {
            cause,
            ..ToolError::new(code, message, hint)
        }
    }
}

/// A refresh that several callers have waited for.
fn failed_refresh(error: &RefreshError) -> (ErrorCode, Hint) {
    use ErrorCode::*;
    let (code, hint) = match error {
        RefreshError::RootGone { .. } => (NotFound, ROOT_GONE),
        RefreshError::Io { .. } => (Index, BAD_DIRECTORY),
        RefreshError::Glob(_) => (InvalidParams, GLOBS),
        RefreshError::Store(_) => (Index, BROKEN_STORE),
        RefreshError::Threads(_) => (InvalidParams, BAD_SETTING),
        RefreshError::Cancelled => (NotFound, CANCELLED),
        RefreshError::Panicked => (Internal, IS_A_BUG),
    };
    (code, hint.into())
}

fn query_problem(problem: &QueryProblem) -> (ErrorCode, Hint) {
    use ErrorCode::*;
    match problem {
        QueryProblem::Syntax(QueryError::UnclosedQuote { .. }) => (
            Search,
            "close the quote, or use literal: true to search for the text as it is".into(),
        ),
        QueryProblem::Syntax(QueryError::NoOperand { .. } | QueryError::Unbalanced) => (
            Search,
            "mend the expression, or use literal: true to search for the text as it is".into(),
        ),
        QueryProblem::Syntax(QueryError::UnknownField { nearest, .. }) => (
            InvalidParams,
            format!(
                "did you mean `{nearest}:`? Valid are {}. In quotes it is plain text",
                QueryError::fields()
            )
            .into(),
        ),
        QueryProblem::Syntax(QueryError::NoWord { .. }) | QueryProblem::Keyword(KeywordError::NoWord(_)) => {
            (Search, "use literal: true to search for punctuation".into())
        }
        QueryProblem::Keyword(KeywordError::UnknownLang(name)) => {
            let hint = Hint::did_you_mean(queries::nearest_lang(name));
            let all = || "index_status lists this workspace's languages".into();
            (InvalidParams, hint.unwrap_or_else(all))
        }
        QueryProblem::Keyword(KeywordError::UnknownKind(word)) => {
            let hint = Hint::did_you_mean(source::nearest(word, queries::KindFilter::words()));
            let all = || {
                let kinds: Vec<&str> = queries::KindFilter::words().collect();
                format!("kinds are {}", kinds.join(", ")).into()
            };
            (InvalidParams, hint.unwrap_or_else(all))
        }
        QueryProblem::Keyword(KeywordError::Glob(_)) => (InvalidParams, GLOBS.into()),
        QueryProblem::Keyword(KeywordError::Index(_)) | QueryProblem::Scan(_) => {
            (Search, "try literal: true, or a shorter query".into())
        }
    }
}

impl From<PathError> for ToolError {
    fn from(error: PathError) -> ToolError {
        ToolError::new(
            ErrorCode::InvalidParams,
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
            assert_eq!((told.code, told.cause), (ErrorCode::Internal, Cause::Damage));
            assert!(told.hint.to_string().contains("please report it"));
        }
    }
}
