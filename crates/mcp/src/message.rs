//! From the text of one message to a typed message, or to the JSON-RPC error
//! that answers it.
//!
//! `rmcp` alone would drop what is not JSON without a word and answer every
//! other fault without the request's id; a client then waits for its timeout.

use rmcp::model::{ClientJsonRpcMessage, ErrorCode, RequestId};
use serde_json::{Map, Value, json};

const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";

/// A message that cannot be handled, and what the sender is told about it.
#[derive(Debug)]
pub(crate) struct Refusal {
    id: Option<RequestId>,
    code: ErrorCode,
    message: String,
}

impl Refusal {
    pub(crate) fn invalid_request(id: Option<RequestId>, message: impl Into<String>) -> Self {
        Refusal {
            id,
            code: ErrorCode::INVALID_REQUEST,
            message: message.into(),
        }
    }

    fn invalid_params(id: RequestId, message: impl Into<String>) -> Self {
        Refusal {
            id: Some(id),
            code: ErrorCode::INVALID_PARAMS,
            message: message.into(),
        }
    }

    fn parse_error(message: impl Into<String>) -> Self {
        Refusal {
            id: None,
            code: ErrorCode::PARSE_ERROR,
            message: message.into(),
        }
    }

    /// The JSON-RPC error response. An unknown id is an explicit `null`, as
    /// JSON-RPC asks.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        let id = self.id.clone().map_or(Value::Null, RequestId::into_json_value);
        json!({
            "jsonrpc": "2.0",
            "id": id,
            "error": { "code": self.code.0, "message": self.message },
        })
        .to_string()
        .into_bytes()
    }
}

/// Reads one message. `None` is what needs no answer: a blank line, or a
/// response to us that we cannot read.
pub(crate) fn read(text: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
    let text = text.strip_prefix(UTF8_BOM).unwrap_or(text).trim_ascii();
    if text.is_empty() {
        return Ok(None);
    }
    let text = std::str::from_utf8(text)
        .map_err(|error| Refusal::parse_error(format!("the message is not UTF-8: {error}")))?;
    let value = serde_json::from_str(text)
        .or_else(|error| with_whole_characters(text).map_or(Err(error), |text| serde_json::from_str(&text)))
        .map_err(|error| Refusal::parse_error(format!("the message is not JSON: {error}")))?;
    match value {
        Value::Object(object) => read_object(object),
        Value::Array(_) => Err(Refusal::invalid_request(
            None,
            "batches are not part of MCP; send one message at a time",
        )),
        _ => Err(Refusal::invalid_request(None, "a message is a JSON object")),
    }
}

/// The text with halves of characters replaced, if there are any: a client that cuts its strings writes such halves, and
/// waits for an answer nonetheless.
fn with_whole_characters(text: &str) -> Option<String> {
    const REPLACEMENT: &str = "\\ufffd";
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let is_high = |unit: u16| (0xd800..0xdc00).contains(&unit);
    let is_low = |unit: u16| (0xdc00..0xe000).contains(&unit);
    let mut out = String::new();
    let (mut at, mut kept) = (0, 0);
    while let Some(found) = text[at..].find('\\') {
        at += found;
        at += match (unit(at), unit(at + 6)) {
            (Some(high), Some(low)) if is_high(high) && is_low(low) => 12,
            (Some(half), _) if is_high(half) || is_low(half) => {
                out.push_str(&text[kept..at]);
                out.push_str(REPLACEMENT);
                kept = at + 6;
                6
            }
            (Some(_), _) => 6,
            // A backslash and what it escapes.
            (None, _) => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    out.push_str(&text[kept..]);
    (kept > 0).then_some(out)
}

fn read_object(mut object: Map<String, Value>) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
    let is_answer = object.contains_key("result") || object.contains_key("error");
    if is_answer && !object.contains_key("method") {
        // Never answer an answer: two servers wired together would not stop.
        return Ok(serde_json::from_value(Value::Object(object)).ok());
    }
    let id = match object.get("id") {
        None => None,
        Some(id) => Some(
            serde_json::from_value::<RequestId>(id.clone())
                .map_err(|_| Refusal::invalid_request(None, "`id` must be a string or an integer"))?,
        ),
    };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(Refusal::invalid_request(id, "`jsonrpc` must be \"2.0\""));
    }
    match object.get("method") {
        Some(Value::String(_)) if !is_answer => {}
        Some(Value::String(_)) => {
            return Err(Refusal::invalid_request(id, "a request carries no `result` or `error`"));
        }
        Some(_) => return Err(Refusal::invalid_request(id, "`method` must be a string")),
        None => return Err(Refusal::invalid_request(id, "`method` is missing")),
    }
    match object.get("params") {
        None | Some(Value::Object(_)) => {}
        Some(Value::Null) => {
            object.remove("params");
        }
        // A notification has no id to answer to, and nobody waits for it.
        Some(_) => {
            return match id {
                Some(id) => Err(Refusal::invalid_params(id, "`params` must be an object")),
                None => Ok(None),
            };
        }
    }
    serde_json::from_value(Value::Object(object))
        .map(Some)
        .map_err(|error| Refusal::invalid_request(id, error.to_string()))
}
