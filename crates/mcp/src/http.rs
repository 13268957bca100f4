//! Streamable HTTP on one path, and beside it the explorer.
//!
//! `rmcp` serves the protocol, its sessions and its event streams. Every
//! request passes the guard first. `rmcp`'s own checks of `Host` and `Origin`
//! are switched off: they would come after the body, and know no loopback
//! names beyond a fixed list.

use std::{
    collections::{HashMap, VecDeque},
    convert::Infallible,
    io,
    net::SocketAddr,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::{Duration, Instant},
};

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use rmcp::{
    ServerHandler,
    model::{ClientJsonRpcMessage, ClientRequest},
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        streamable_http_server::{SessionId, SessionManager, session::local::LocalSessionManager},
    },
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::{
    Identity, ServeError, Tools,
    conformance::Conformance,
    explorer::{self, Wanted},
    guard::{Guard, TurnedAway},
    server::{ClientRoots, Server},
    signals::Signals,
};

/// The one path that speaks the protocol.
const ENDPOINT: &str = "/mcp";

/// Sessions of clients that speak the older protocol versions; the one that is unused for longest makes room.
const MAX_SESSIONS: usize = 256;
const SESSION_IDLE: Duration = Duration::from_secs(30 * 60);

/// How long open connections may take to end when the server stops.
const STOP_GRACE: Duration = Duration::from_secs(1);
/// The pause after a failed accept, which is most often a lack of files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Not `Debug`: the token must not end up in a log.
#[derive(Clone)]
pub struct HttpOptions {
    pub addr: SocketAddr,
    /// The bearer token that every request must carry; `None` asks for none.
    pub token: Option<String>,
    /// `Host` values to accept beside the loopback ones: `host` or `host:port`.
    pub allowed_hosts: Vec<String>,
    /// `Origin` values to accept beside the loopback ones: `https://host:port`.
    pub allowed_origins: Vec<String>,
    pub limits: HttpLimits,
    /// Serve what the protocol's conformance suite asks for beside the tools.
    pub conformance_fixtures: bool,
}

/// What a client may take of the server.
#[derive(Clone, Copy, Debug)]
pub struct HttpLimits {
    pub max_body_bytes: usize,
    /// Open connections, each with at most one request. When there are so many, the oldest that has not authenticated
    /// makes room; if all have, others wait to be accepted.
    pub max_connections: usize,
    /// How long a connection may stay open without a request that is authenticated, whatever else it asks for.
    pub authentication_timeout: Duration,
    /// How long a client may take to send the head of a request, the first or the next one.
    pub head_timeout: Duration,
    /// How long it may take to send one body.
    pub body_timeout: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        HttpLimits {
            max_body_bytes: 4 << 20,
            max_connections: 256,
            authentication_timeout: Duration::from_secs(60),
            head_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(30),
        }
    }
}

/// Serves HTTP until a termination signal; `on_bound` learns the address.
///
/// As with stdio, calls that were given up may still block threads when this
/// returns: end the runtime with `Runtime::shutdown_background`.
pub async fn serve_http(
    tools: Arc<dyn Tools>,
    identity: Identity,
    options: HttpOptions,
    on_bound: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let signals = Signals::install().map_err(ServeError::Signals)?;
    let (listener, bound) = bind(options.addr).await.map_err(|source| ServeError::Bind {
        addr: options.addr,
        source,
    })?;
    on_bound(bound);
    serve_listener(tools, identity, options, listener, bound, signals).await;
    Ok(())
}

async fn bind(addr: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(addr).await?;
    let bound = listener.local_addr()?;
    Ok((listener, bound))
}

async fn serve_listener(
    tools: Arc<dyn Tools>,
    identity: Identity,
    options: HttpOptions,
    listener: TcpListener,
    bound: SocketAddr,
    mut signals: Signals,
) {
    let stop = CancellationToken::new();
    let _stop_on_drop = stop.clone().drop_guard();
    let explorer = explorer::router(tools.clone(), stop.clone());
    let server = Server::new(tools, identity, ClientRoots::Ignore, stop.clone());
    let app = app(server, explorer, &options, bound, &stop);
    let limits = options.limits;
    let mut connections = JoinSet::new();
    tokio::select! {
        never = accept(listener, app, limits, &stop, &mut connections) => match never {},
        () = signals.received() => {}
    }
    stop.cancel();
    let all_closed = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(STOP_GRACE, all_closed).await.is_err() {
        tracing::debug!("some connections did not end in time");
    }
}

/// The guard in front of `rmcp`'s service and the explorer.
fn app(server: Server, explorer: Router, options: &HttpOptions, bound: SocketAddr, stop: &CancellationToken) -> Router {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(SESSION_IDLE);
    let sessions = Arc::new(sessions);
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_json_response(true)
        .with_max_request_body_bytes(options.limits.max_body_bytes)
        .with_cancellation_token(stop.child_token());
    let gate = Arc::new(Gate {
        guard: Guard::new(options, bound),
        sessions: sessions.clone(),
        used: Mutex::default(),
    });
    let router = match options.conformance_fixtures {
        false => router(server, sessions, config),
        true => router(Conformance(server), sessions, config),
    };
    router.merge(explorer).layer(middleware::from_fn_with_state(gate, pass))
}

fn router<H: ServerHandler + Clone + Send + Sync + 'static>(
    handler: H,
    sessions: Arc<LocalSessionManager>,
    config: StreamableHttpServerConfig,
) -> Router {
    let service = StreamableHttpService::new(move || Ok(handler.clone()), sessions, config);
    Router::new().route_service(ENDPOINT, service)
}

struct Gate {
    guard: Guard,
    sessions: Arc<LocalSessionManager>,
    /// When each session was last used.
    used: Mutex<HashMap<SessionId, Instant>>,
}

async fn pass(
    State(gate): State<Arc<Gate>>,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
    next: Next,
) -> Response {
    let request = match gate.admit(request, &connection).await {
        Ok(request) => request,
        Err(turned_away) => return turned_away.into_response(),
    };
    if let Some(session) = session_of(request.headers())
        && let Some(used) = gate.used().get_mut(session)
    {
        *used = Instant::now();
    }
    let response = next.run(request).await;
    // Named by us: what clients call a session need not be one.
    if let Some(session) = session_of(response.headers()) {
        gate.used().insert(session.into(), Instant::now());
    }
    response
}

fn session_of(headers: &HeaderMap) -> Option<&str> {
    headers.get("mcp-session-id")?.to_str().ok()
}

impl Gate {
    /// Lets a request through, its body read.
    async fn admit(&self, request: Request, connection: &Connection) -> Result<Request, TurnedAway> {
        let wanted = explorer::wanted(&request);
        if let Wanted::Page = wanted {
            self.guard.check_page(request.headers())?;
            return Ok(request);
        }
        self.guard.authenticate(request.headers())?;
        connection.authenticated.cancel();
        match wanted {
            Wanted::Call => self.guard.read_json(request).await,
            Wanted::Page | Wanted::Other => self.read_message(request).await,
        }
    }

    async fn read_message(&self, request: Request) -> Result<Request, TurnedAway> {
        let (request, message) = self.guard.read_message(request).await?;
        let opens_session = message.is_some_and(|message| {
            matches!(message, ClientJsonRpcMessage::Request(request)
                if matches!(request.request, ClientRequest::InitializeRequest(_)))
        });
        if opens_session {
            self.make_room().await?;
        }
        Ok(request)
    }

    /// Ends the session that nobody has used for longest if there are too many. Clients come and go without a word; one
    /// that comes back opens another.
    async fn make_room(&self) -> Result<(), TurnedAway> {
        let open: Vec<SessionId> = self.sessions.sessions.read().await.keys().cloned().collect();
        let longest_unused = {
            let mut used = self.used();
            used.retain(|session, _| open.contains(session));
            // One that has no time yet is just being opened.
            used.iter()
                .min_by_key(|(_, at)| **at)
                .map(|(session, _)| session.clone())
        };
        if open.len() < MAX_SESSIONS {
            return Ok(());
        }
        let full = || TurnedAway::because(StatusCode::SERVICE_UNAVAILABLE, "too many sessions are open");
        let session = longest_unused.ok_or_else(full)?;
        self.sessions.close_session(&session).await.map_err(|_| full())
    }

    fn used(&self) -> MutexGuard<'_, HashMap<SessionId, Instant>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is known of an open connection.
#[derive(Default)]
struct Connection {
    /// Cancelled once a request was authenticated: from then on the connection keeps its slot.
    authenticated: CancellationToken,
    /// Cancelled to end the connection at once.
    evicted: CancellationToken,
}

async fn accept(
    listener: TcpListener,
    app: Router,
    limits: HttpLimits,
    stop: &CancellationToken,
    connections: &mut JoinSet<()>,
) -> Infallible {
    let slots = Arc::new(Semaphore::new(limits.max_connections));
    let mut open: VecDeque<Weak<Connection>> = VecDeque::new();
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "failed to accept a connection");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        if slots.available_permits() == 0 {
            evict_unauthenticated(&open);
        }
        let slot = slots.clone().acquire_owned().await;
        while connections.try_join_next().is_some() {}
        let connection = Arc::new(Connection::default());
        open.retain(|connection| connection.strong_count() > 0);
        open.push_back(Arc::downgrade(&connection));
        let served = serve_connection(stream, app.clone(), connection, limits, stop.clone());
        connections.spawn(async move {
            let _slot = slot;
            served.await;
        });
    }
}

/// Ends the oldest connection that has not authenticated: whoever opens many without the token must not keep others out.
fn evict_unauthenticated(open: &VecDeque<Weak<Connection>>) {
    let mut open = open.iter().filter_map(Weak::upgrade);
    let oldest = open.find(|connection| !connection.authenticated.is_cancelled() && !connection.evicted.is_cancelled());
    if let Some(connection) = oldest {
        connection.evicted.cancel();
    }
}

async fn serve_connection(
    stream: TcpStream,
    app: Router,
    connection: Arc<Connection>,
    limits: HttpLimits,
    stop: CancellationToken,
) {
    let app = app.layer(Extension(connection.clone()));
    // Answers are small and awaited: sending them must not wait for more.
    let _ = stream.set_nodelay(true);
    let served = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app));
    let mut served = pin!(served);
    // A client that takes no answer in, or asks for one page after the other, does not get to keep its slot either.
    let unauthenticated = async {
        let in_time = tokio::time::timeout(limits.authentication_timeout, connection.authenticated.cancelled());
        if in_time.await.is_ok() {
            std::future::pending::<()>().await;
        }
    };
    let ended = tokio::select! {
        ended = served.as_mut() => ended,
        () = connection.evicted.cancelled() => return,
        () = unauthenticated => return,
        () = stop.cancelled() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection failed");
    }
}
