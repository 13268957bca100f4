//! What the protocol's conformance suite asks of every server: tools, prompts and resources with given names and answers.
//!
//! They are served beside the real ones when a flag that help does not show says so, over the same transport and behind
//! the same guard. What each of them does is data, in `conformance.json`:
//!
//! - `logs` and `progress` are sent while it runs, `result` is its answer; `${name}` in a text is an argument, `${answers}`
//!   what the client was asked for.
//! - `asks` are rounds of requests to the client: sent to it in the `initialize` lifecycle, handed out as the result that
//!   asks for input in the stateless one. A `stateful` fixture says in which round it is, and takes no other word for it.
//! - `needs` is a capability that the client must have declared.

use std::{sync::LazyLock, time::Duration};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
        CustomRequest, CustomResult, DiscoverResult, ErrorCode, GetPromptRequestParams, GetPromptResponse,
        GetPromptResult, InitializeRequestParams, InitializeResult, InputRequiredResult, InputResponses, JsonObject,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig,
        ServerNotification, ServerRequest, SubscribeRequestParams, Tool, UnsubscribeRequestParams,
    },
    service::{NotificationContext, RequestContext},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::server::Server;

static TABLE: LazyLock<Value> = LazyLock::new(|| {
    // Part of the program, like the code: read by every run of the suite.
    serde_json::from_str(include_str!("conformance.json")).expect("the table of fixtures is JSON")
});

/// Between two reports: the suite wants to see them come one by one.
const PAUSE: Duration = Duration::from_millis(50);
const MISSING_CAPABILITY: ErrorCode = ErrorCode(-32021);

/// A [`Server`] with the fixtures in front.
#[derive(Clone)]
pub(crate) struct Conformance(pub(crate) Server);

impl Conformance {
    fn capabilities(&self) -> ServerCapabilities {
        let mut capabilities = self.0.get_info().capabilities;
        capabilities.prompts.get_or_insert_default();
        capabilities.resources.get_or_insert_default();
        capabilities.completions.get_or_insert_default();
        capabilities.logging.get_or_insert_default();
        capabilities
    }
}

impl ServerHandler for Conformance {
    fn get_info(&self) -> ServerConfig {
        let mut info = self.0.get_info();
        info.capabilities = self.capabilities();
        info
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.0.initialize(request, context).await?;
        result.capabilities = self.capabilities();
        // Only this lifecycle has subscriptions to resources that end without a word.
        result.capabilities.resources.get_or_insert_default().subscribe = Some(true);
        Ok(result)
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let mut result = self.0.discover(context).await?;
        result.capabilities = self.capabilities();
        Ok(result)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut result = self.0.list_tools(request, context).await?;
        result.tools.extend(listed("tools")?);
        Ok(result)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let caching = caching(&context);
        let mut result = self.0.list_prompts(request, context).await.unwrap_or_default();
        result.prompts.extend(listed("prompts")?);
        (result.ttl_ms, result.cache_scope) = caching;
        Ok(result)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let caching = caching(&context);
        let mut result = self.0.list_resources(request, context).await.unwrap_or_default();
        result.resources.extend(listed("resources")?);
        (result.ttl_ms, result.cache_scope) = caching;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let caching = caching(&context);
        let mut result = self
            .0
            .list_resource_templates(request, context)
            .await
            .unwrap_or_default();
        result.resource_templates.extend(listed("templates")?);
        (result.ttl_ms, result.cache_scope) = caching;
        Ok(result)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let fixture = find("tools", "name", name).and_then(|fixture| read(fixture["listed"].clone()).ok());
        fixture.or_else(|| self.0.get_tool(name))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(fixture) = find("tools", "name", &request.name) else {
            return self.0.call_tool(request, context).await;
        };
        let asked = Asked {
            arguments: request.arguments.unwrap_or_default(),
            responses: request.input_responses.unwrap_or_default(),
            state: request.request_state,
        };
        Ok(match play(fixture, asked, &context).await? {
            Played::Asks(input) => input.into(),
            Played::Done(result) => read::<CallToolResult>(result)?.into(),
        })
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let Some(fixture) = find("prompts", "name", &request.name) else {
            return self.0.get_prompt(request, context).await;
        };
        let asked = Asked {
            arguments: request.arguments.unwrap_or_default(),
            responses: request.input_responses.unwrap_or_default(),
            state: request.request_state,
        };
        Ok(match play(fixture, asked, &context).await? {
            Played::Asks(input) => input.into(),
            Played::Done(result) => read::<GetPromptResult>(result)?.into(),
        })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let mut values = Map::new();
        let fixture = find("resources", "uri", &request.uri).or_else(|| {
            let template = TABLE["templates"].get(0)?;
            let (before, after) = template["listed"]["uriTemplate"].as_str()?.split_once("{id}")?;
            let id = request.uri.strip_prefix(before)?.strip_suffix(after)?;
            values.insert("id".to_owned(), id.into());
            Some(template)
        });
        let Some(fixture) = fixture else {
            return self.0.read_resource(request, context).await;
        };
        let mut result: ReadResourceResult = read(answer(fixture, &values))?;
        (result.ttl_ms, result.cache_scope) = caching(&context);
        Ok(result.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(self.0.complete(request, context).await.unwrap_or_default())
    }

    #[expect(deprecated, reason = "the suite asks for it in the older protocol versions")]
    async fn set_level(
        &self,
        _: rmcp::model::SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        self.0.on_custom_request(request, context).await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.0.on_initialized(context).await;
    }
}

/// What a client has sent to a fixture.
struct Asked {
    arguments: JsonObject,
    responses: InputResponses,
    state: Option<String>,
}

enum Played {
    Asks(InputRequiredResult),
    Done(Value),
}

async fn play(fixture: &Value, asked: Asked, context: &RequestContext<RoleServer>) -> Result<Played, ErrorData> {
    let client = serde_json::to_value(context.client_capabilities()).unwrap_or_default();
    if let Some(needed) = fixture["needs"].as_str().filter(|needed| client.get(needed).is_none()) {
        let data = json!({ "requiredCapabilities": { needed: {} } });
        return Err(ErrorData::new(
            MISSING_CAPABILITY,
            format!("the client lacks {needed}"),
            Some(data),
        ));
    }
    report(fixture, context).await;
    let rounds: Vec<Map<String, Value>> = rounds(fixture, &asked.arguments, &client);
    let mut values = asked.arguments;
    if is_stateless(context) {
        let name = fixture["listed"]["name"].as_str().unwrap_or_default();
        let state = |round: usize| format!("{name}, round {round}");
        let answered = match &asked.state {
            None => 0,
            Some(given) => (0..rounds.len())
                .find(|&round| state(round) == *given)
                .ok_or_else(|| ErrorData::invalid_params("this request state is none of ours", None))?,
        };
        let complete = |round: &Map<String, Value>| {
            round
                .keys()
                .all(|key| asked.responses.get(key).is_some_and(Value::is_object))
        };
        let next = answered + usize::from(rounds.get(answered).is_some_and(complete));
        if let Some(requests) = rounds.get(next) {
            let mut input = json!({ "resultType": "input_required", "inputRequests": requests });
            if fixture["stateful"] == true {
                input["requestState"] = state(next).into();
            }
            return read(input).map(Played::Asks);
        }
        values.insert("answers".to_owned(), json!(asked.responses).to_string().into());
    } else {
        let mut answers = Vec::new();
        for request in rounds.into_iter().flat_map(|round| round.into_iter()) {
            let request: ServerRequest = read(request.1)?;
            let answer = context.peer.send_request(request).await;
            let answer = answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            answers.push(serde_json::to_value(answer).unwrap_or_default());
        }
        values.insert("answers".to_owned(), json!(answers).to_string().into());
    }
    Ok(Played::Done(answer(fixture, &values)))
}

/// What a fixture asks the client for, as far as that client can be asked.
fn rounds(fixture: &Value, arguments: &JsonObject, client: &Value) -> Vec<Map<String, Value>> {
    let capability = |request: &Value| {
        let method = request["method"].as_str().unwrap_or_default();
        method.split('/').next().is_some_and(|name| client.get(name).is_some())
    };
    let rounds = fixture["asks"].as_array().into_iter().flatten();
    let rounds = rounds.filter_map(|round| filled(round, arguments).as_object().cloned());
    rounds
        .map(|round| round.into_iter().filter(|(_, request)| capability(request)).collect())
        .collect()
}

/// Sends what a fixture has to say before it answers.
async fn report(fixture: &Value, context: &RequestContext<RoleServer>) {
    let wants_logs = !is_stateless(context) || context.meta.log_level().is_some();
    let logs = fixture["logs"].as_array().into_iter().flatten().filter(|_| wants_logs);
    let logs = logs.map(|line| {
        json!({ "method": "notifications/message", "params": { "level": "info", "logger": "conformance", "data": line } })
    });
    let token = context.meta.get_progress_token();
    let steps = fixture["progress"].as_array().into_iter().flatten();
    let steps = steps.filter_map(|step| {
        let token = token.as_ref()?;
        Some(json!({ "method": "notifications/progress", "params": { "progressToken": token, "progress": step, "total": 100 } }))
    });
    for notification in logs.chain(steps) {
        if let Ok(notification) = read::<ServerNotification>(notification) {
            let _ = context.peer.send_notification(notification).await;
            tokio::time::sleep(PAUSE).await;
        }
    }
}

fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| !version.has_initialize())
}

fn caching(context: &RequestContext<RoleServer>) -> (Option<u64>, Option<CacheScope>) {
    match is_stateless(context) {
        true => (Some(0), Some(CacheScope::Private)),
        false => (None, None),
    }
}

fn find(kind: &str, key: &str, name: &str) -> Option<&'static Value> {
    let mut fixtures = TABLE[kind].as_array()?.iter();
    fixtures.find(|fixture| fixture["listed"][key] == name)
}

fn listed<T: DeserializeOwned>(kind: &str) -> Result<Vec<T>, ErrorData> {
    let fixtures = TABLE[kind].as_array().into_iter().flatten();
    fixtures.map(|fixture| read(fixture["listed"].clone())).collect()
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn answer(fixture: &Value, values: &Map<String, Value>) -> Value {
    let mut result = filled(&fixture["result"], values);
    // Taken out again for clients that do not know it.
    result["resultType"] = "complete".into();
    result
}

/// `value` with every `${name}` in its texts replaced.
fn filled(value: &Value, values: &Map<String, Value>) -> Value {
    match value {
        Value::String(text) => {
            let mut text = text.clone();
            for (name, value) in values {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                text = text.replace(&format!("${{{name}}}"), &value);
            }
            text.into()
        }
        Value::Array(items) => items.iter().map(|item| filled(item, values)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, field)| (key.clone(), filled(field, values)))
            .collect(),
        other => other.clone(),
    }
}
