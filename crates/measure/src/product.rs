//! The product as its users run it: a command, or a server that speaks MCP on stdio.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// Longer than any index takes.
const INDEXING: Duration = Duration::from_secs(600);

pub struct Portolan {
    binary: PathBuf,
    config: PathBuf,
}

impl Portolan {
    pub fn new(binary: &Path, scratch: &Path) -> Result<Portolan> {
        // Without one of its own, the settings of whoever runs the benchmark would be measured.
        let config = scratch.join("portolan.toml");
        // What exact Rust costs is stated apart (`bench rust`).
        std::fs::write(&config, "[rust]\nenabled = false\n")?;
        Ok(Portolan {
            binary: binary.to_owned(),
            config,
        })
    }

    /// With other settings than the default ones, as `portolan.toml` has them.
    pub fn configure(&self, settings: &str) -> Result<()> {
        Ok(std::fs::write(&self.config, settings)?)
    }

    /// A command whose indexes live in `home`.
    pub fn command(&self, home: &Path) -> Command {
        let mut command = Command::new(&self.binary);
        for (key, _) in std::env::vars_os() {
            if key.to_string_lossy().starts_with("PORTOLAN_") {
                command.env_remove(key);
            }
        }
        command.env("PORTOLAN_HOME", home).env("PORTOLAN_CONFIG", &self.config);
        command
    }

    pub fn serve(&self, home: &Path, root: &Path, toolsets: &str) -> Result<Server> {
        let mut command = self.command(home);
        command
            .arg("serve")
            .arg("--root")
            .arg(root)
            .args(["--toolsets", toolsets]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let to_server = child.stdin.take().context("no stdin")?;
        let from_server = BufReader::new(child.stdout.take().context("no stdout")?);
        Ok(Server {
            child,
            to_server: Some(to_server),
            from_server,
            last_id: 0,
        })
    }
}

/// What a tool says.
pub struct Answer {
    pub elapsed: Duration,
    pub text: String,
    pub is_error: bool,
    pub structured: Value,
}

/// A running server and the client's end of its pipes.
pub struct Server {
    child: Child,
    to_server: Option<ChildStdin>,
    from_server: BufReader<ChildStdout>,
    last_id: u64,
}

impl Server {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn initialize(&mut self) -> Result<Value> {
        let client = json!({ "name": "bench", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        let (_, hello) = self.request("initialize", params)?;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(hello)
    }

    pub fn discover(&mut self) -> Result<Value> {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
        });
        Ok(self.request("server/discover", json!({ "_meta": meta }))?.1)
    }

    /// The result, and the time from writing the request to having read the answer's line.
    pub fn request(&mut self, method: &str, params: Value) -> Result<(Duration, Value)> {
        self.last_id += 1;
        let id = self.last_id;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let started = Instant::now();
        self.send(&request)?;
        loop {
            let mut line = String::new();
            if self.from_server.read_line(&mut line)? == 0 {
                bail!("the server ended while it was asked for {method}");
            }
            let elapsed = started.elapsed();
            let mut message: Value = serde_json::from_str(&line)?;
            if message["id"] != id {
                continue; // A notification.
            }
            if let Some(error) = message.get("error") {
                bail!("{method} is refused: {error}");
            }
            return Ok((elapsed, message["result"].take()));
        }
    }

    /// Calls a tool; an error of the tool is an answer.
    pub fn ask(&mut self, tool: &str, arguments: &Value) -> Result<Answer> {
        let params = json!({ "name": tool, "arguments": arguments });
        let (elapsed, mut result) = self.request("tools/call", params)?;
        Ok(Answer {
            elapsed,
            text: result["content"][0]["text"].as_str().unwrap_or_default().to_owned(),
            is_error: result["isError"] == true,
            structured: result["structuredContent"].take(),
        })
    }

    /// Calls a tool that must not fail; the answer is its structured content.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<(Duration, Value)> {
        let answer = self.ask(tool, arguments)?;
        if answer.is_error {
            bail!("{tool} {arguments} fails: {}", answer.text);
        }
        Ok((answer.elapsed, answer.structured))
    }

    /// The same with the text of the answer, which is what an agent reads.
    pub fn call_with_text(&mut self, tool: &str, arguments: &Value) -> Result<(Duration, String, Value)> {
        let answer = self.ask(tool, arguments)?;
        if answer.is_error {
            bail!("{tool} {arguments} fails: {}", answer.text);
        }
        Ok((answer.elapsed, answer.text, answer.structured))
    }

    /// Waits until everything is indexed: answers may come before.
    pub fn complete(&mut self) -> Result<()> {
        let started = Instant::now();
        while started.elapsed() < INDEXING {
            let (_, answer) = self.call("search_code", &json!({ "query": "warm" }))?;
            if answer["coverage"]["complete"] == true {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        bail!("the index does not become complete");
    }

    /// The rows of all pages joined.
    pub fn all_rows(&mut self, tool: &str, arguments: &Value, key: &str) -> Result<Vec<Value>> {
        let mut arguments = arguments.clone();
        let mut rows = Vec::new();
        loop {
            let (_, mut page) = self.call(tool, &arguments)?;
            match page[key].take() {
                Value::Array(more) => rows.extend(more),
                _ => bail!("the answer of {tool} {arguments} has no `{key}`"),
            }
            if page["next_cursor"].is_null() {
                return Ok(rows);
            }
            arguments["cursor"] = page["next_cursor"].take();
        }
    }

    /// Files that the product says it does not search, such as those whose name says that they hold secrets.
    pub fn skipped_files(&mut self) -> Result<BTreeSet<String>> {
        let rows = self.all_rows("index_status", &json!({}), "skipped")?;
        Ok(rows
            .iter()
            .filter_map(|row| row["path"].as_str().map(str::to_owned))
            .collect())
    }

    /// Ends it as clients do, and waits until it has put everything in order.
    pub fn finish(mut self) -> Result<()> {
        self.to_server = None;
        let status = self.child.wait()?;
        if !status.success() {
            bail!("the server ended with {status}");
        }
        Ok(())
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let to_server = self.to_server.as_mut().context("the server was told to end")?;
        to_server.write_all(format!("{message}\n").as_bytes())?;
        Ok(to_server.flush()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // How servers end is tested elsewhere; here none may outlive its temporary directory.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
