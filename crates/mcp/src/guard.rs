//! What an HTTP request must get past before the protocol sees it.
//!
//! A server on this machine is reachable by every page its user opens. A page
//! that rebinds its own name to 127.0.0.1 shows in `Host`, a plain cross-site
//! request in `Origin`; other programs of the machine are kept out by the
//! token. Only then is the body read, in bounded time and memory.

use std::{
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{
            ALLOW, AUTHORIZATION, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName, ORIGIN, WWW_AUTHENTICATE,
        },
        uri::Authority,
    },
    response::{IntoResponse, Response},
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use rmcp::model::ClientJsonRpcMessage;
use subtle::ConstantTimeEq;

use crate::{
    HttpOptions,
    message::{self, Refusal},
};

pub(crate) struct Guard {
    token: Option<String>,
    /// Hosts beyond the loopback ones, as `host` or `host:port`.
    hosts: Vec<String>,
    origins: Vec<String>,
    max_body_bytes: usize,
    body_timeout: Duration,
}

/// A request that is turned away.
#[derive(Debug)]
pub(crate) struct TurnedAway {
    status: StatusCode,
    header: Option<(HeaderName, HeaderValue)>,
    body: Reason,
}

#[derive(Debug)]
enum Reason {
    Text(&'static str),
    Json(Vec<u8>),
}

impl TurnedAway {
    pub(crate) fn because(status: StatusCode, reason: &'static str) -> Self {
        TurnedAway {
            status,
            header: None,
            body: Reason::Text(reason),
        }
    }

    fn with_header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.header = Some((name, HeaderValue::from_static(value)));
        self
    }
}

impl From<Refusal> for TurnedAway {
    fn from(refusal: Refusal) -> Self {
        TurnedAway {
            status: StatusCode::BAD_REQUEST,
            header: None,
            body: Reason::Json(refusal.to_json()),
        }
    }
}

impl IntoResponse for TurnedAway {
    fn into_response(self) -> Response {
        let mut response = match self.body {
            Reason::Text(text) => (self.status, text).into_response(),
            Reason::Json(json) => (self.status, [(CONTENT_TYPE, "application/json")], json).into_response(),
        };
        let headers = response.headers_mut();
        if let Some((name, value)) = self.header {
            headers.insert(name, value);
        }
        // The rest of an unwanted body is not worth reading to keep the
        // connection.
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
        response
    }
}

impl Guard {
    pub(crate) fn new(options: &HttpOptions, bound: SocketAddr) -> Self {
        let mut hosts = options.allowed_hosts.clone();
        // Bound to one address of this machine, the server may be called by it.
        if !bound.ip().is_unspecified() {
            hosts.push(bracketed(bound.ip()));
        }
        Guard {
            token: options.token.clone(),
            hosts,
            origins: options.allowed_origins.clone(),
            max_body_bytes: options.limits.max_body_bytes,
            body_timeout: options.limits.body_timeout,
        }
    }

    /// Reads the body of an authenticated request, with the message in that body.
    pub(crate) async fn read_message(
        &self,
        request: Request,
    ) -> Result<(Request, Option<ClientJsonRpcMessage>), TurnedAway> {
        let (parts, body) = request.into_parts();
        match parts.method {
            Method::POST => {}
            Method::GET | Method::DELETE => return Ok((Request::from_parts(parts, Body::empty()), None)),
            _ => {
                let refused = TurnedAway::because(StatusCode::METHOD_NOT_ALLOWED, "method not allowed");
                return Err(refused.with_header(ALLOW, "GET, POST, DELETE"));
            }
        }
        check_content_type(&parts.headers)?;
        let body = self.read_body(&parts.headers, body).await?;
        let message =
            message::read(&body)?.ok_or_else(|| Refusal::invalid_request(None, "the body holds no message"))?;
        Ok((Request::from_parts(parts, Body::from(body)), Some(message)))
    }

    /// Reads the body of an authenticated request that is JSON, but no message of the protocol.
    pub(crate) async fn read_json(&self, request: Request) -> Result<Request, TurnedAway> {
        let (parts, body) = request.into_parts();
        check_content_type(&parts.headers)?;
        let body = self.read_body(&parts.headers, body).await?;
        Ok(Request::from_parts(parts, Body::from(body)))
    }

    /// A request for a page without data needs no token, but the name of this server.
    pub(crate) fn check_page(&self, headers: &HeaderMap) -> Result<(), TurnedAway> {
        self.check_host(headers)?;
        self.check_origin(headers)
    }

    /// Whoever wants data names this server, comes from no other site, and has the token.
    pub(crate) fn authenticate(&self, headers: &HeaderMap) -> Result<(), TurnedAway> {
        self.check_page(headers)?;
        self.check_token(headers)
    }

    fn check_host(&self, headers: &HeaderMap) -> Result<(), TurnedAway> {
        let refused = || TurnedAway::because(StatusCode::FORBIDDEN, "this Host is not allowed");
        let host = only(headers, HOST).ok_or_else(refused)?;
        let authority = authority(host).ok_or_else(refused)?;
        let named = |allowed: &String| {
            allowed.eq_ignore_ascii_case(authority.as_str()) || allowed.eq_ignore_ascii_case(authority.host())
        };
        if is_loopback(authority.host()) || self.hosts.iter().any(named) {
            Ok(())
        } else {
            Err(refused())
        }
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), TurnedAway> {
        if !headers.contains_key(ORIGIN) {
            return Ok(());
        }
        let refused = || TurnedAway::because(StatusCode::FORBIDDEN, "this Origin is not allowed");
        let origin = only(headers, ORIGIN).ok_or_else(refused)?;
        let listed = self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin));
        // By a name that is allowed, the explorer's own calls come from that name.
        let own = ["http://", "https://"]
            .iter()
            .find_map(|scheme| origin.strip_prefix(scheme));
        let is_own = own.is_some() && own == only(headers, HOST);
        if listed || is_own || is_loopback_origin(origin) {
            Ok(())
        } else {
            Err(refused())
        }
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<(), TurnedAway> {
        let Some(expected) = &self.token else { return Ok(()) };
        let given = only(headers, AUTHORIZATION)
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map_or("", |(_, token)| token.trim());
        if bool::from(expected.as_bytes().ct_eq(given.as_bytes())) {
            Ok(())
        } else {
            let refused = TurnedAway::because(StatusCode::UNAUTHORIZED, "a bearer token is needed");
            Err(refused.with_header(WWW_AUTHENTICATE, "Bearer realm=\"mcp\""))
        }
    }

    async fn read_body(&self, headers: &HeaderMap, body: Body) -> Result<Bytes, TurnedAway> {
        let too_large = || TurnedAway::because(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large");
        let announced = only(headers, CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
        let limit = u64::try_from(self.max_body_bytes).unwrap_or(u64::MAX);
        if announced.is_some_and(|length| length > limit) {
            return Err(too_large());
        }
        let read = Limited::new(body, self.max_body_bytes).collect();
        match tokio::time::timeout(self.body_timeout, read).await {
            Ok(Ok(body)) => Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
            Ok(Err(_)) => Err(TurnedAway::because(
                StatusCode::BAD_REQUEST,
                "the body could not be read",
            )),
            Err(_) => Err(TurnedAway::because(
                StatusCode::REQUEST_TIMEOUT,
                "the body did not come in time",
            )),
        }
    }
}

fn check_content_type(headers: &HeaderMap) -> Result<(), TurnedAway> {
    let media_type = only(headers, CONTENT_TYPE).map_or("", |value| value.split(';').next().unwrap_or(value));
    if media_type.trim().eq_ignore_ascii_case("application/json") {
        Ok(())
    } else {
        Err(TurnedAway::because(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be application/json",
        ))
    }
}

/// The value of a header that occurs once. Two values may be two opinions: one
/// for the guard, one for whoever reads the header next.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// `null`, the origin of sandboxed frames and local files, is not one.
fn is_loopback_origin(origin: &str) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else {
        return false;
    };
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    is_web && self::authority(authority).is_some_and(|authority| is_loopback(authority.host()))
}

/// A host with or without a port. A user name before it would only mislead.
fn authority(text: &str) -> Option<Authority> {
    text.parse().ok().filter(|_| !text.contains('@'))
}

fn is_loopback(host: &str) -> bool {
    let address = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    let is_address = address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    is_address || host.eq_ignore_ascii_case("localhost")
}

/// An address the way it is written in a `Host` header.
fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}
