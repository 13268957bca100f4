//! `portolan serve`: the tools behind MCP.

use std::{
    env::VarError,
    io::{self, Write},
    net::SocketAddr,
    path::PathBuf,
    process::ExitCode,
    sync::{
        Arc,
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use clap::ArgMatches;
use config::Config;
use mcp::{HttpLimits, HttpOptions, Identity};
use tools::{Listing, Toolbox};

use crate::usage;

const IDENTITY: Identity = Identity {
    name: "portolan",
    title: "Portolan",
    version: env!("CARGO_PKG_VERSION"),
    description: "Code intelligence: find the code, understand it, know what breaks if it changes.",
    website: None,
};

/// Background work looks at its stop flag far more often than that, except in a large commit.
const LAST_WORK: Duration = Duration::from_secs(10);

pub(crate) fn run(config: Config, matches: &ArgMatches) -> ExitCode {
    let listing = match Listing::new(&config.toolsets, config.read_only, config.structured) {
        Ok(listing) => listing,
        Err(unknown) => {
            let known: Vec<&str> = tools::Toolset::ALL.iter().map(|toolset| toolset.name()).collect();
            return usage(&format!(
                "there is no toolset `{}`; there are {} and all",
                unknown.name,
                known.join(", ")
            ));
        }
    };
    let listing = match config.profile.as_str() {
        "" => listing,
        name => match listing.with_profile(name) {
            Ok(listing) => listing,
            Err(unknown) => {
                let known = tools::profiles().join(", ");
                return usage(&format!("there is no profile `{}`; there are {known}", unknown.name));
            }
        },
    };
    let root = matches
        .get_one::<String>("root")
        .map(PathBuf::from)
        .or_else(client_directory);
    if let Some(root) = root.as_ref().filter(|root| !root.is_dir()) {
        return usage(&format!("--root {} is not a directory", root.display()));
    }
    let mut workspaces = crate::workspaces(config, root, true);
    // On stdio the caller is the user, who can read those files anyway.
    if matches.contains_id("http") {
        workspaces = workspaces.confined();
    }
    let toolbox = Arc::new(Toolbox::new(workspaces, listing));
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // The allocator keeps what a thread has freed until that thread ends.
        .thread_keep_alive(Duration::from_millis(100))
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return usage(&format!("cannot start: {error}")),
    };
    let served = match matches.get_one::<SocketAddr>("http") {
        None => runtime.block_on(mcp::serve_stdio(toolbox.clone(), IDENTITY)),
        Some(addr) => {
            let (options, fresh) = match http_options(*addr, matches) {
                Ok(options) => options,
                Err(message) => return usage(&message),
            };
            runtime.block_on(mcp::serve_http(toolbox.clone(), IDENTITY, options, |addr| {
                let page = page(addr, fresh.as_deref());
                // Whoever started it may have stopped listening.
                let _ = writeln!(io::stderr(), "serving MCP at http://{addr}/mcp\nexplore at {page}");
            }))
        }
    };
    // A blocked read of stdin, or a call that was given up on, must not keep the process.
    runtime.shutdown_background();
    close(toolbox);
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Ends the work in the background and waits for it, but not for longer than `LAST_WORK`: whatever was not committed then is
/// done again by the next process.
fn close(toolbox: Arc<Toolbox>) {
    let (sender, closed) = channel();
    let close = move || {
        toolbox.close();
        // A temporary home goes with it.
        drop(toolbox);
        let _ = sender.send(());
    };
    let spawned = thread::Builder::new().name("close".into()).spawn(close);
    if spawned.is_ok() && closed.recv_timeout(LAST_WORK) == Err(RecvTimeoutError::Timeout) {
        tracing::warn!("work in the background does not end; the process ends without it");
    }
}

/// Claude Code tells its servers where the project is, wherever it starts them.
fn client_directory() -> Option<PathBuf> {
    std::env::var_os("CLAUDE_PROJECT_DIR")
        .map(PathBuf::from)
        .filter(|dir| dir.is_dir())
}

/// Where a person looks. A token that was just made is in the part that browsers send to nobody; one that was given is
/// its owner's to keep.
fn page(addr: SocketAddr, fresh: Option<&str>) -> String {
    let host = match addr.ip() {
        ip if !ip.is_unspecified() => addr.to_string(),
        _ => format!("localhost:{}", addr.port()),
    };
    let token = fresh.map_or(String::new(), |token| format!("#token={token}"));
    format!("http://{host}/{token}")
}

/// The options, and the token if it was made here.
fn http_options(addr: SocketAddr, matches: &ArgMatches) -> Result<(HttpOptions, Option<String>), String> {
    let many = |id: &str| matches.get_many::<String>(id).into_iter().flatten().cloned().collect();
    let given = given_token(matches)?;
    let mut fresh = None;
    let token = match (given, matches.get_flag("no_token")) {
        (Some(_), true) => return Err("--no-token and a token exclude each other".into()),
        (Some(token), false) => Some(token),
        (None, true) if !addr.ip().is_loopback() => {
            return Err("--no-token is only for loopback addresses: anyone on the network could read the code".into());
        }
        (None, true) => None,
        (None, false) => {
            let token =
                fresh_token().map_err(|error| format!("cannot make a token: {error}; give one with --token"))?;
            eprintln!("bearer token: {token}");
            fresh = Some(token.clone());
            Some(token)
        }
    };
    let options = HttpOptions {
        addr,
        token,
        allowed_hosts: many("allow_host"),
        allowed_origins: many("allow_origin"),
        limits: HttpLimits::default(),
        conformance_fixtures: matches.get_flag("conformance_fixtures"),
    };
    Ok((options, fresh))
}

/// The token of the flag, else of the environment, without the white space that files and commands put around it.
fn given_token(matches: &ArgMatches) -> Result<Option<String>, String> {
    let given = match matches.get_one::<String>("token") {
        Some(token) => Some(token.clone()),
        None => match std::env::var("PORTOLAN_TOKEN") {
            Ok(token) => Some(token),
            Err(VarError::NotPresent) => None,
            Err(VarError::NotUnicode(_)) => return Err("PORTOLAN_TOKEN is not valid UTF-8".into()),
        },
    };
    let Some(token) = given.as_deref().map(str::trim) else {
        return Ok(None);
    };
    if token.is_empty() {
        return Err("the token is empty".into());
    }
    // It travels in a header, and nothing else arrives there as it was sent.
    match token.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(Some(token.to_owned())),
        false => Err("the token must be visible ASCII characters without spaces".into()),
    }
}

/// 256 bits from the operating system.
fn fresh_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
