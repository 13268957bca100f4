//! A server process and a client that talks to it in lines.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Long enough for a slow machine; nothing waits for it when all is well.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Where clients keep their files; none of this user's may be touched.
const CLIENT_DIRS: [&str; 3] = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"];

/// The binary with nothing of this user's: no settings, no home, no project, no clients.
pub fn portolan(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portolan"));
    for (name, _) in std::env::vars_os() {
        let ours = name.to_str().is_some_and(|name| name.starts_with("PORTOLAN_"));
        if ours || name == "CLAUDE_PROJECT_DIR" || CLIENT_DIRS.iter().any(|dir| name == *dir) {
            command.env_remove(name);
        }
    }
    command
        .env("PORTOLAN_HOME", home)
        .env("HOME", home)
        .env("USERPROFILE", home)
        .env("APPDATA", home.join("config"))
        .env("PATH", "")
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_DATA_HOME", home.join("data"))
        // What is exact depends on the sources that a machine has; `rust.rs` asks for it.
        .env("PORTOLAN_RUST_ENABLED", "false");
    command
}

/// How many times as many cases as usual: `PORTOLAN_TEST_SCALE`.
pub fn scale() -> u32 {
    let scale = std::env::var("PORTOLAN_TEST_SCALE").ok();
    scale.and_then(|scale| scale.parse().ok()).unwrap_or(1)
}

pub fn home() -> TempDir {
    TempDir::with_prefix("home-").expect("a temporary directory can be made")
}

pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    reader: Option<JoinHandle<()>>,
    /// Messages that came while another was waited for.
    set_aside: VecDeque<Value>,
    next_id: u64,
    _home: Option<TempDir>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// A server that nobody has greeted yet, with a home of its own.
    pub fn start(root: &Path, flags: &[&str]) -> Server {
        Server::start_with(root, flags, &[])
    }

    pub fn start_with(root: &Path, flags: &[&str], env: &[(&str, &str)]) -> Server {
        let home = home();
        let mut server = Server::spawn(home.path(), root, flags, env);
        server._home = Some(home);
        server
    }

    fn spawn(home: &Path, root: &Path, flags: &[&str], env: &[(&str, &str)]) -> Server {
        let mut child = portolan(home)
            .envs(env.iter().copied())
            .arg("serve")
            .args(["--root".as_ref(), root.as_os_str()])
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().expect("stdout is a pipe"));
        let (sender, lines) = channel();
        let reader = std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                match stdout.read_until(b'\n', &mut line) {
                    Ok(1..) if sender.send(line).is_ok() => {}
                    _ => return,
                }
            }
        });
        Server {
            child,
            stdin,
            lines,
            reader: Some(reader),
            set_aside: VecDeque::new(),
            next_id: 1,
            _home: None,
        }
    }

    /// A server that has shaken hands.
    pub fn initialized(root: &Path, flags: &[&str]) -> Server {
        Server::initialized_with(root, flags, &[])
    }

    pub fn initialized_with(root: &Path, flags: &[&str], env: &[(&str, &str)]) -> Server {
        Server::start_with(root, flags, env).greeted()
    }

    /// A server that has shaken hands and shares its home with others.
    pub fn at_home(home: &Path, root: &Path) -> Server {
        Server::spawn(home, root, &[], &[]).greeted()
    }

    /// One that rather answers late than with a part of the index: for machines with other things to do.
    pub fn patient(home: &Path, root: &Path) -> Server {
        Server::spawn(home, root, &[], &[("PORTOLAN_FIRST_ANSWER_SECS", "60")]).greeted()
    }

    fn greeted(self) -> Server {
        let mut server = self;
        let answer = server.ask("initialize", initialize("2025-11-25"));
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        server.tell("notifications/initialized", json!({}));
        server
    }

    /// Ends it without warning.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin
            .write_all(bytes)
            .and_then(|()| stdin.flush())
            .expect("the server reads");
    }

    pub fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes());
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request without waiting; its id.
    pub fn request(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The next message, or `None` if none comes in time.
    pub fn receive_within(&mut self, patience: Duration) -> Option<Value> {
        let line = match self.lines.recv_timeout(patience) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => panic!("the server is gone"),
        };
        let text = String::from_utf8(line).expect("stdout is UTF-8");
        assert!(text.ends_with('\n'), "a whole line, not {text:?}");
        let message: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("stdout is JSON, not {text:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        Some(message)
    }

    /// The next message, of those set aside first.
    pub fn receive(&mut self) -> Value {
        match self.set_aside.pop_front() {
            Some(message) => message,
            None => self.receive_within(PATIENCE).expect("a message in time"),
        }
    }

    /// The answer to a request; what else comes is set aside.
    pub fn answer(&mut self, id: u64) -> Value {
        let is_answer = |message: &Value| message["id"] == id && message.get("method").is_none();
        if let Some(at) = self.set_aside.iter().position(is_answer) {
            return self.set_aside.remove(at).expect("there is one at that place");
        }
        loop {
            let message = self.receive_within(PATIENCE).expect("an answer in time");
            if is_answer(&message) {
                return message;
            }
            self.set_aside.push_back(message);
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.answer(id)
    }

    /// The result of a tool call.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer.get("error").is_none(), "{tool}: {answer}");
        answer["result"].clone()
    }

    pub fn assert_alive(&mut self) {
        assert_eq!(self.ask("ping", json!({}))["result"], json!({}));
    }

    /// Closes the input; what was set aside and what still comes until the output ends, and how the process ended.
    pub fn finish(mut self) -> (Vec<Value>, ExitStatus) {
        drop(self.stdin.take());
        self.ended()
    }

    /// The same for a server that ends although its input is open.
    pub fn ended(mut self) -> (Vec<Value>, ExitStatus) {
        let start = Instant::now();
        let status = loop {
            // Waiting must not close the input, as `Child::wait` does.
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        if let Some(reader) = self.reader.take() {
            reader.join().expect("the reader ends with the output");
        }
        let mut rest: Vec<Value> = self.set_aside.drain(..).collect();
        while let Ok(line) = self.lines.try_recv() {
            rest.push(serde_json::from_slice(&line).expect("stdout is JSON to the end"));
        }
        (rest, status)
    }
}

pub fn initialize(version: &str) -> Value {
    json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } })
}

/// Parameters that carry their own context, as the stateless protocol has it.
pub fn stateless(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    });
    params
}
