//! The explorer: one page for people, and the calls that it makes.
//!
//! The page holds no data and is served to whoever asks by the right name. What it shows it asks for with the token, on a
//! path of its own: there a call needs no session, and always answers with JSON.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{Request, State},
    http::{
        HeaderName, Method, StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
            X_FRAME_OPTIONS,
        },
    },
    response::{IntoResponse, Response},
    routing::{get, post},
};
use picture::{Drawing, Graph};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use tools::Progress;

use crate::{
    Tools,
    calls::{Calls, Names, NoOutcome},
};

const CALL: &str = "/explorer/call";

/// The page and what it loads: path, type, text.
const PAGES: [(&str, &str, &str); 5] = [
    ("/", "text/html; charset=utf-8", include_str!("explorer/index.html")),
    (
        "/explorer.css",
        "text/css; charset=utf-8",
        include_str!("explorer/explorer.css"),
    ),
    (
        "/explorer.js",
        "text/javascript; charset=utf-8",
        include_str!("explorer/explorer.js"),
    ),
    ("/picture.css", "text/css; charset=utf-8", picture::STYLE),
    ("/picture.js", "text/javascript; charset=utf-8", picture::VIEWER),
];

/// Nothing but these files is loaded or run, nobody else is asked, no text becomes a script, and no page frames this one.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

const HEADERS: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (CACHE_CONTROL, "no-store"),
];

/// The tools that the page uses. None of them writes.
const TOOLS: [&str; 8] = [
    "deep_dive",
    "get_call_graph",
    "get_dependencies",
    "get_symbols",
    "index_status",
    "map_code",
    "read_file",
    "search_code",
];

/// What a request is about.
pub(crate) enum Wanted {
    Page,
    Call,
    Other,
}

pub(crate) fn wanted(request: &Request) -> Wanted {
    let path = request.uri().path();
    match *request.method() {
        Method::GET | Method::HEAD if PAGES.iter().any(|(page, ..)| *page == path) => Wanted::Page,
        Method::POST if path == CALL => Wanted::Call,
        _ => Wanted::Other,
    }
}

/// `stop` ends the running calls.
pub(crate) fn router(tools: Arc<dyn Tools>, stop: CancellationToken) -> Router {
    let calls = Arc::new(Calls::new(tools, stop));
    let mut router = Router::new().route(CALL, post(answer).with_state(calls));
    for (path, kind, text) in PAGES {
        router = router.route(
            path,
            get(move || async move { (HEADERS, [(CONTENT_TYPE, kind)], text) }),
        );
    }
    router
}

#[derive(Deserialize)]
struct Asked {
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
    /// Where its parts are in a picture, instead of the answer.
    #[serde(default)]
    draw: bool,
}

async fn answer(State(calls): State<Arc<Calls>>, body: Bytes) -> Response {
    let asked: Asked = match serde_json::from_slice(&body) {
        Ok(asked) => asked,
        Err(_) => return told(StatusCode::BAD_REQUEST, "the body is no call"),
    };
    if !TOOLS.contains(&asked.tool.as_str()) {
        return told(StatusCode::NOT_FOUND, "the explorer has no such tool");
    }
    let report = None::<fn(Progress) -> std::future::Ready<()>>;
    let never = CancellationToken::new();
    let outcome = match calls.run(Names::Own, asked.tool, asked.arguments, &never, report).await {
        Ok(outcome) => outcome,
        Err(NoOutcome::UnknownTool(_)) => return told(StatusCode::NOT_FOUND, "there is no such tool"),
        Err(NoOutcome::Crashed) => return told(StatusCode::INTERNAL_SERVER_ERROR, "the tool failed"),
        Err(NoOutcome::Cancelled | NoOutcome::Stopping) => {
            return told(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping");
        }
    };
    let structured = outcome.structured;
    let graph = match asked.draw {
        true => Graph::of_calls(&structured).or_else(|| Graph::of_modules(&structured)),
        false => None,
    };
    let json = match graph {
        // In columns of many boxes this takes its time.
        Some(graph) => match tokio::task::spawn_blocking(move || Drawing::new(&graph).to_json()).await {
            Ok(drawing) => json!({ "drawing": drawing }),
            Err(_) => return told(StatusCode::INTERNAL_SERVER_ERROR, "the picture failed"),
        },
        None => structured,
    };
    (HEADERS, [(CONTENT_TYPE, "application/json")], json.to_string()).into_response()
}

fn told(status: StatusCode, text: &'static str) -> Response {
    (status, HEADERS, text).into_response()
}
