//! The protocol's requests, answered from [`Tools`].

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
        CompletionInfo, ContentBlock, CustomRequest, CustomResult, DiscoverResult, ErrorCode, GetPromptRequestParams,
        GetPromptResponse, Implementation, InitializeRequestParams, InitializeResult, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, MetaObject, PaginatedRequestParams,
        ProgressNotificationParam, ProgressToken, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
        ReadResourceResult, Reference, ResourceContents, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::{NotificationContext, Peer, RequestContext},
};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tools::{Outcome, Progress, ToolError, ToolInfo, UnknownTool};

use crate::{
    Identity, Tools,
    calls::{Calls, Names, NoOutcome},
    prompts::{self, Means, Skill},
    resources::{self, ToolCall},
    roots,
};

/// How long a client may keep what a server of one version always answers.
const CACHE_TTL_MS: u64 = 5 * 60 * 1000;

const SERVER_INFO_META: &str = "io.modelcontextprotocol/serverInfo";
const ALWAYS_LOAD_META: &str = "anthropic/alwaysLoad";
const ELAPSED_META: &str = "portolan/elapsed_ms";

/// Every method we answer that has parameters to get wrong.
const METHODS_WITH_PARAMS: [&str; 6] = [
    "initialize",
    "server/discover",
    "tools/call",
    "prompts/get",
    "resources/read",
    "completion/complete",
];

/// How long calls wait for the client's roots, at first and after each change of them.
const ROOTS_WAIT: Duration = Duration::from_millis(500);

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
    /// How often the client has yet to tell its roots.
    roots_awaited: watch::Sender<usize>,
    /// How often it was asked for them.
    roots_asked: AtomicU64,
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
            roots_awaited: watch::Sender::new(0),
            roots_asked: AtomicU64::new(0),
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

    /// A call of one of our own tools, whose progress nobody has asked for.
    async fn quiet_call(&self, call: ToolCall, context: &RequestContext<RoleServer>) -> Result<Outcome, ErrorData> {
        self.roots_told().await;
        let report = None::<fn(Progress) -> std::future::Ready<()>>;
        let outcome = self
            .shared
            .calls
            .run(Names::Own, call.tool.to_owned(), call.arguments, &context.ct, report);
        outcome.await.map_err(|none| no_outcome(&none))
    }

    fn follows_roots(&self) -> bool {
        self.shared.client_roots == ClientRoots::Follow && !self.shared.tools.has_explicit_root()
    }

    /// To be told before whatever follows the notice that the roots are others: handlers run side by side.
    pub(crate) fn expect_roots(&self) {
        if self.follows_roots() {
            self.shared.roots_awaited.send_modify(|awaited| *awaited += 1);
        }
    }

    /// Asks for what `expect_roots` has announced.
    async fn adopt_client_roots(&self, peer: &Peer<RoleServer>) {
        if !self.follows_roots() {
            return;
        }
        let turn = self.shared.roots_asked.fetch_add(1, Ordering::SeqCst) + 1;
        let told = roots::ask(peer).await;
        // Who was asked again since will tell something newer.
        let is_last = self.shared.roots_asked.load(Ordering::SeqCst) == turn;
        if let Some(roots) = told.filter(|_| is_last) {
            let tools = self.shared.tools.clone();
            // The toolbox may look at the disk to adopt them.
            let adopted = tokio::task::spawn_blocking(move || tools.set_client_roots(roots)).await;
            if let Err(error) = adopted {
                tracing::warn!(%error, "failed to adopt the client's roots");
            }
        }
        let awaited = &self.shared.roots_awaited;
        awaited.send_modify(|awaited| *awaited = awaited.saturating_sub(1));
    }

    /// A client that has roots means them from its first call on, and others from when it says so. One that does not tell
    /// them in time is answered without.
    async fn roots_told(&self) {
        let mut awaited = self.shared.roots_awaited.subscribe();
        let told = awaited.wait_for(|awaited| *awaited == 0);
        if tokio::time::timeout(ROOTS_WAIT, told).await.is_err() {
            self.shared.roots_awaited.send_replace(0);
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

/// Adds what the stateless protocol wants in a result that can be kept. The results have the same fields, but no trait.
macro_rules! keepable {
    ($server:expr, $lifecycle:expr, $ttl_ms:expr, $result:expr) => {{
        let mut result = $result;
        if $lifecycle.stateless {
            result.meta = Some($server.result_meta(&$lifecycle));
            (result.ttl_ms, result.cache_scope) = (Some($ttl_ms), Some(CacheScope::Private));
        }
        result
    }};
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_completions()
            .build();
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
        let has_roots = client.capabilities.roots.is_some();
        let awaited = usize::from(has_roots && self.follows_roots());
        self.shared.roots_awaited.send_replace(awaited);
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
        let lifecycle = one_page(request, &context)?;
        let all = ListToolsResult::with_all_items(self.listed().to_vec());
        Ok(keepable!(self, lifecycle, CACHE_TTL_MS, all))
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let lifecycle = one_page(request, &context)?;
        let all = ListPromptsResult::with_all_items(prompts::list());
        Ok(keepable!(self, lifecycle, CACHE_TTL_MS, all))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let lifecycle = Lifecycle::of(&context)?;
        let mut result = prompts::get(&request.name, &request.arguments.unwrap_or_default(), |text| {
            self.shared.tools.worded(text)
        })?;
        result.meta = lifecycle.stateless.then(|| self.result_meta(&lifecycle));
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let lifecycle = one_page(request, &context)?;
        let all = ListResourcesResult::with_all_items(resources::list());
        Ok(keepable!(self, lifecycle, CACHE_TTL_MS, all))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let lifecycle = one_page(request, &context)?;
        let all = ListResourceTemplatesResult::with_all_items(resources::templates());
        Ok(keepable!(self, lifecycle, CACHE_TTL_MS, all))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let lifecycle = Lifecycle::of(&context)?;
        let not_found = |reason: String| {
            let uri = clipped(&request.uri);
            ErrorData::resource_not_found(reason, Some(json!({ "uri": uri })))
        };
        let Some(call) = resources::call_for(&request.uri) else {
            return Err(not_found(format!("there is no resource `{}`", clipped(&request.uri))));
        };
        let outcome = self.quiet_call(call, &context).await?;
        if let Some(error) = outcome.error {
            return Err(match error.code {
                // `rmcp` has an `ErrorCode` too.
                tools::ErrorCode::NotFound | tools::ErrorCode::InvalidParams => not_found(outcome.text),
                _ => ErrorData::internal_error(outcome.text, None),
            });
        }
        let contents = ResourceContents::text(outcome.text, &request.uri);
        let result = ReadResourceResult::new(vec![contents.with_mime_type(resources::MIME_TYPE)]);
        // The next change of a file makes it old.
        Ok(keepable!(self, lifecycle, 0, result).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let lifecycle = Lifecycle::of(&context)?;
        let (name, begun) = (&request.argument.name, &request.argument.value);
        let means = match &request.r#ref {
            Reference::Prompt(prompt) => Skill::named(&prompt.name)?
                .argument(name)
                .map(|argument| argument.means),
            Reference::Resource(resource) if resource.uri == resources::OUTLINE_TEMPLATE => {
                (name == "path").then_some(Means::Path)
            }
            Reference::Resource(resource) => {
                let message = format!("there is no resource template `{}`", clipped(&resource.uri));
                return Err(ErrorData::invalid_params(message, None));
            }
            _ => None,
        };
        let Some(means) = means else {
            let message = format!("there is no argument `{}`", clipped(name));
            return Err(ErrorData::invalid_params(message, None));
        };
        let (values, total) = match resources::completion(means, begun) {
            None => (Vec::new(), Some(0)),
            Some(call) => {
                let outcome = self.quiet_call(call, &context).await?;
                // A name that is not finished may be no name at all yet.
                resources::completed(&outcome.structured)
            }
        };
        let total = total.unwrap_or(values.len() as u64).max(values.len() as u64);
        let mut completion = CompletionInfo::default();
        completion.has_more = Some(total > values.len() as u64);
        completion.total = u32::try_from(total).ok();
        completion.values = values;
        let mut result = CompleteResult::new(completion);
        result.meta = lifecycle.stateless.then(|| self.result_meta(&lifecycle));
        Ok(result)
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
        self.roots_told().await;
        let outcome = self
            .shared
            .calls
            .run(Names::Listed, name, arguments, &context.ct, report)
            .await;
        let mut meta = self.result_meta(&lifecycle);
        let result = match outcome {
            Ok(Outcome {
                protocol_error: true,
                error: Some(error),
                ..
            }) => return Err(failed(&error)),
            Ok(outcome) => {
                meta.insert(ELAPSED_META.to_owned(), elapsed_ms(&outcome).into());
                to_result(outcome, self.shared.tools.structured())
            }
            Err(NoOutcome::Crashed) => CallToolResult::error(vec![ContentBlock::text(
                "The tool failed because of a fault in the server. \
                 The server goes on; other calls are not affected.",
            )]),
            Err(none) => return Err(no_outcome(&none)),
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
        self.adopt_client_roots(&context.peer).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.adopt_client_roots(&context.peer).await;
    }
}

/// Our lists are short.
fn one_page(
    request: Option<PaginatedRequestParams>,
    context: &RequestContext<RoleServer>,
) -> Result<Lifecycle, ErrorData> {
    let lifecycle = Lifecycle::of(context)?;
    let cursor = request.and_then(|request| request.cursor);
    match cursor.is_some_and(|cursor| !cursor.is_empty()) {
        true => Err(ErrorData::invalid_params("the list has one page and no cursors", None)),
        false => Ok(lifecycle),
    }
}

fn to_tool(info: ToolInfo, structured: bool) -> Tool {
    let is_read_only = info.effect.is_read_only();
    let mut annotations = ToolAnnotations::new().read_only(is_read_only).open_world(false);
    // What does not write has nothing to destroy or repeat: saying so would only cost the reader tokens.
    if !is_read_only {
        let effect = info.effect;
        annotations = annotations
            .destructive(effect.is_destructive())
            .idempotent(effect.is_idempotent());
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
    let is_error = outcome.is_error();
    let content = vec![ContentBlock::text(outcome.text)];
    let mut result = match is_error {
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

/// A failed call as an error of the protocol.
fn failed(error: &ToolError) -> ErrorData {
    let hint = error.hint.to_string();
    // Many clients show the message alone.
    let message = format!("{}. {hint}", error.message);
    ErrorData::new(ErrorCode(error.code.number()), message, Some(json!({ "hint": hint })))
}

fn no_outcome(none: &NoOutcome) -> ErrorData {
    match none {
        NoOutcome::UnknownTool(unknown) => unknown_tool(unknown),
        NoOutcome::Crashed => ErrorData::internal_error("the tool failed because of a fault in the server", None),
        NoOutcome::Cancelled => ErrorData::internal_error("the call was cancelled", None),
        NoOutcome::Stopping => ErrorData::internal_error("the server is stopping", None),
    }
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
        "prompts/get" => request.params_as::<GetPromptRequestParams>().map(drop),
        "resources/read" => request.params_as::<ReadResourceRequestParams>().map(drop),
        "completion/complete" => request.params_as::<CompleteRequestParams>().map(drop),
        _ => Ok(()),
    };
    match (fault, &request.params) {
        (Err(error), _) => error.to_string(),
        (Ok(()), None) => "`params` is missing".to_owned(),
        (Ok(()), Some(_)) => "`params` has the wrong shape".to_owned(),
    }
}

pub(crate) fn clipped(name: &str) -> String {
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
