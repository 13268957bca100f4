//! The protocol's requests, answered from [`Tools`].

use std::sync::{Arc, OnceLock};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod,
        CompleteRequestParams, CompleteResult, ConstString, ContentBlock, CustomRequest, CustomResult, DiscoverResult,
        ErrorCode, Implementation, InitializeRequestParams, InitializeResult, ListPromptsRequestMethod,
        ListPromptsResult, ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod,
        ListResourcesResult, ListToolsResult, MetaObject, PaginatedRequestParams, ProgressNotificationParam,
        ProgressToken, ProtocolVersion, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::{NotificationContext, Peer, RequestContext},
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tools::{Outcome, Progress, ToolInfo, UnknownTool};

use crate::{
    Identity, Tools,
    calls::{Calls, NoOutcome},
    roots,
};

/// How long a client may keep what a server of one version always answers.
const CACHE_TTL_MS: u64 = 5 * 60 * 1000;

const SERVER_INFO_META: &str = "io.modelcontextprotocol/serverInfo";
const ALWAYS_LOAD_META: &str = "anthropic/alwaysLoad";
const ELAPSED_META: &str = "portolan/elapsed_ms";

/// Every method we answer that has parameters to get wrong.
const METHODS_WITH_PARAMS: [&str; 3] = ["initialize", "server/discover", "tools/call"];

/// How much of a name that a client sent comes back in a message.
const ECHOED_CHARS: usize = 64;

/// Whether the client's roots say what to serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientRoots {
    Follow,
    /// Several clients share the server, and may be on other machines.
    Ignore,
}

/// One server, shared by all its connections.
#[derive(Clone)]
pub(crate) struct Server {
    shared: Arc<Shared>,
}

struct Shared {
    identity: Identity,
    tools: Arc<dyn Tools>,
    calls: Calls,
    client_roots: ClientRoots,
    /// Built on first use: the list is the same for every connection.
    listed: OnceLock<Vec<Tool>>,
}

impl Server {
    /// `stop` ends the running calls.
    pub(crate) fn new(
        tools: Arc<dyn Tools>,
        identity: Identity,
        client_roots: ClientRoots,
        stop: CancellationToken,
    ) -> Self {
        let calls = Calls::new(tools.clone(), stop);
        let shared = Shared {
            identity,
            tools,
            calls,
            client_roots,
            listed: OnceLock::new(),
        };
        Server {
            shared: Arc::new(shared),
        }
    }

    fn listed(&self) -> &[Tool] {
        self.shared.listed.get_or_init(|| {
            let structured = self.shared.tools.structured();
            self.shared
                .tools
                .listed()
                .into_iter()
                .map(|info| to_tool(info, structured))
                .collect()
        })
    }

    fn implementation(&self) -> Implementation {
        let Identity {
            name,
            title,
            version,
            description,
            website,
        } = self.shared.identity;
        let implementation = Implementation::new(name, version)
            .with_title(title)
            .with_description(description);
        match website {
            Some(website) => implementation.with_website_url(website),
            None => implementation,
        }
    }

    /// The metadata of a result; only the stateless protocol has the server
    /// introduce itself in each.
    fn result_meta(&self, context: &Lifecycle) -> MetaObject {
        let mut meta = MetaObject::new();
        if context.stateless {
            let server_info = serde_json::to_value(self.implementation()).unwrap_or(Value::Null);
            meta.insert(SERVER_INFO_META.to_owned(), server_info);
        }
        meta
    }

    async fn adopt_client_root(&self, peer: &Peer<RoleServer>) {
        if self.shared.client_roots == ClientRoots::Follow {
            roots::adopt_client_root(self.shared.tools.clone(), peer).await;
        }
    }
}

/// What the request's lifecycle means for its answer.
struct Lifecycle {
    /// 2026-07-28 or later: the request carries its own context.
    stateless: bool,
}

impl Lifecycle {
    /// Refuses a request that neither follows an `initialize` nor carries its
    /// own context: nobody knows which protocol its sender speaks.
    fn of(context: &RequestContext<RoleServer>) -> Result<Lifecycle, ErrorData> {
        match context.protocol_version() {
            Some(version) => Ok(Lifecycle {
                stateless: !version.has_initialize(),
            }),
            None => Err(ErrorData::invalid_params(
                "send `initialize` first, or give each request its \
                 `io.modelcontextprotocol/protocolVersion` and \
                 `io.modelcontextprotocol/clientCapabilities` in `params._meta`",
                None,
            )),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let config = ServerConfig::new(capabilities).with_server_info(self.implementation());
        let instructions = self.shared.tools.instructions();
        if instructions.is_empty() {
            config
        } else {
            config.with_instructions(instructions)
        }
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let result = self.negotiate_initialize(&request)?;
        let mut client = request;
        client.protocol_version = result.protocol_version.clone();
        context.peer.set_peer_info(client);
        Ok(result)
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = ProtocolVersion::KNOWN_VERSIONS.to_vec();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(CACHE_TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let lifecycle = Lifecycle::of(&context)?;
        let cursor = request.and_then(|request| request.cursor);
        if cursor.is_some_and(|cursor| !cursor.is_empty()) {
            return Err(ErrorData::invalid_params("the list has one page and no cursors", None));
        }
        let mut result = ListToolsResult::with_all_items(self.listed().to_vec());
        if lifecycle.stateless {
            result.meta = Some(self.result_meta(&lifecycle));
            result.ttl_ms = Some(CACHE_TTL_MS);
            result.cache_scope = Some(CacheScope::Private);
        }
        Ok(result)
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        none_listed::<_, ListPromptsRequestMethod>(&context)
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        none_listed::<_, ListResourcesRequestMethod>(&context)
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        none_listed::<_, ListResourceTemplatesRequestMethod>(&context)
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.listed().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let lifecycle = Lifecycle::of(&context)?;
        let peer = &context.peer;
        let report = context
            .meta
            .get_progress_token()
            .map(|token| move |step| send_progress(peer.clone(), token.clone(), step));
        let name = request.name.into_owned();
        let arguments = request.arguments.unwrap_or_default();
        let outcome = self.shared.calls.run(name, arguments, &context.ct, report).await;
        let mut meta = self.result_meta(&lifecycle);
        let result = match outcome {
            Ok(outcome) => {
                meta.insert(ELAPSED_META.to_owned(), elapsed_ms(&outcome).into());
                to_result(outcome, self.shared.tools.structured())
            }
            Err(NoOutcome::Crashed) => CallToolResult::error(vec![ContentBlock::text(
                "The tool failed because of a fault in the server. \
                 The server goes on; other calls are not affected.",
            )]),
            Err(NoOutcome::UnknownTool(unknown)) => return Err(unknown_tool(&unknown)),
            Err(NoOutcome::Cancelled) => {
                return Err(ErrorData::internal_error("the call was cancelled", None));
            }
            Err(NoOutcome::Stopping) => {
                return Err(ErrorData::internal_error("the server is stopping", None));
            }
        };
        Ok(with_meta(result, meta).into())
    }

    /// What `rmcp` could not read as one of the requests it knows: a method
    /// that does not exist, or one whose parameters are wrong.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        let is_stateless = Lifecycle::of(&context).is_ok_and(|lifecycle| lifecycle.stateless);
        let was_removed = is_stateless && method == "initialize";
        if METHODS_WITH_PARAMS.contains(&method) && !was_removed {
            let reason = params_fault(&request);
            let message = format!("invalid params for `{method}`: {reason}");
            return Err(ErrorData::invalid_params(message, None));
        }
        let message = format!("there is no method `{}`", clipped(method));
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.adopt_client_root(&context.peer).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.adopt_client_root(&context.peer).await;
    }
}

/// The list of a kind of thing we do not have. That kind is not declared, so a
/// request for it is a mistake; but clients of the older protocol versions are
/// known to make it, and some take an error for a broken server.
fn none_listed<L: Default, M: ConstString>(context: &RequestContext<RoleServer>) -> Result<L, ErrorData> {
    match Lifecycle::of(context)?.stateless {
        true => Err(ErrorData::method_not_found::<M>()),
        false => Ok(L::default()),
    }
}

fn to_tool(info: ToolInfo, structured: bool) -> Tool {
    let mut annotations = ToolAnnotations::new().read_only(info.read_only).open_world(false);
    // What does not write has nothing to destroy or repeat: saying so would only cost the reader tokens.
    if !info.read_only {
        annotations = annotations.destructive(info.destructive).idempotent(info.idempotent);
    }
    // Names say what titles would.
    let mut tool = Tool::new(info.name, info.description, info.listed_input).with_annotations(annotations);
    if structured {
        tool = tool.with_raw_output_schema(Arc::new(info.listed_output));
    }
    if info.always_load {
        let mut meta = MetaObject::new();
        meta.insert(ALWAYS_LOAD_META.to_owned(), true.into());
        tool = tool.with_meta(meta);
    }
    tool
}

fn to_result(outcome: Outcome, structured: bool) -> CallToolResult {
    let content = vec![ContentBlock::text(outcome.text)];
    let mut result = match outcome.is_error {
        true => CallToolResult::error(content),
        false => CallToolResult::success(content),
    };
    if structured && !outcome.structured.is_null() {
        result.structured_content = Some(outcome.structured);
    }
    result
}

fn with_meta(mut result: CallToolResult, meta: MetaObject) -> CallToolResult {
    result.meta = (!meta.is_empty()).then_some(meta);
    result
}

fn elapsed_ms(outcome: &Outcome) -> u64 {
    u64::try_from(outcome.elapsed.as_millis()).unwrap_or(u64::MAX)
}

fn unknown_tool(unknown: &UnknownTool) -> ErrorData {
    let name = clipped(&unknown.name);
    match &unknown.nearest {
        Some(nearest) => ErrorData::invalid_params(
            format!("there is no tool `{name}`; the nearest is `{nearest}`"),
            Some(json!({ "nearest": nearest })),
        ),
        None => ErrorData::invalid_params(format!("there is no tool `{name}`"), None),
    }
}

fn params_fault(request: &CustomRequest) -> String {
    let fault = match request.method.as_str() {
        "tools/call" => request.params_as::<CallToolRequestParams>().map(drop),
        "initialize" => request.params_as::<InitializeRequestParams>().map(drop),
        _ => Ok(()),
    };
    match (fault, &request.params) {
        (Err(error), _) => error.to_string(),
        (Ok(()), None) => "`params` is missing".to_owned(),
        (Ok(()), Some(_)) => "`params` has the wrong shape".to_owned(),
    }
}

fn clipped(name: &str) -> String {
    let mut clipped: String = name.chars().take(ECHOED_CHARS).collect();
    if clipped.len() < name.len() {
        clipped.push('…');
    }
    clipped
}

async fn send_progress(peer: Peer<RoleServer>, token: ProgressToken, step: Progress) {
    // The protocol counts in floating point; nothing here counts beyond 2^53.
    let mut params = ProgressNotificationParam::new(token, step.done as f64);
    params.total = step.total.map(|total| total as f64);
    params.message = (!step.message.is_empty()).then_some(step.message);
    if let Err(error) = peer.notify_progress(params).await {
        tracing::debug!(%error, "a progress report was not sent");
    }
}
