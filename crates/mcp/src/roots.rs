//! The client's own roots, for a server that was started without one.
//!
//! Roots are deprecated and exist only in the `initialize` lifecycle. They are
//! asked for in the background; only the calls that follow wait for them, briefly.

use std::{path::PathBuf, time::Duration};

use rmcp::{RoleServer, service::Peer};

use crate::uri::percent_decoded;

const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Asks the client for its roots: those that are local, in its order. `None` if it does not tell.
#[expect(deprecated, reason = "clients of the older protocol versions still offer roots")]
pub(crate) async fn ask(peer: &Peer<RoleServer>) -> Option<Vec<PathBuf>> {
    let client = peer.peer_info()?;
    client.capabilities.roots.as_ref()?;
    let asked = peer.list_roots();
    match tokio::time::timeout(ANSWER_TIMEOUT, asked).await {
        Ok(Ok(answer)) => Some(answer.roots.iter().filter_map(|root| local_path(&root.uri)).collect()),
        Ok(Err(error)) => {
            tracing::debug!(%error, "the client did not tell its roots");
            None
        }
        Err(_) => {
            tracing::debug!("the client did not tell its roots in time");
            None
        }
    }
}

/// The path in a `file://` URI of this machine.
fn local_path(uri: &str) -> Option<PathBuf> {
    let (scheme, rest) = uri.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let path = &rest[rest.find('/')?..];
    let host = &rest[..rest.len() - path.len()];
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return None;
    }
    let path = percent_decoded(path)?;
    if path.contains(&0) {
        return None;
    }
    path_from_bytes(path)
}

#[cfg(unix)]
fn path_from_bytes(path: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(PathBuf::from(std::ffi::OsString::from_vec(path)))
}

/// `/C:/dir` is `C:/dir` here; without a drive it is no local path.
#[cfg(not(unix))]
fn path_from_bytes(path: Vec<u8>) -> Option<PathBuf> {
    let path = String::from_utf8(path).ok()?;
    let path = path.strip_prefix('/')?;
    let drive = path.as_bytes();
    let has_drive = drive.len() > 1 && drive[0].is_ascii_alphabetic() && drive[1] == b':';
    has_drive.then(|| PathBuf::from(path))
}
