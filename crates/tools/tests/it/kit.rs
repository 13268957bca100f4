//! A toolbox over a directory, with a home of its own that nothing else uses.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
};

use config::{Config, Sources};
use serde_json::{Map, Value};
use tempfile::TempDir;
use tools::{Call, Listing, Outcome, Progress, Toolbox};
use workspace::{ExactEngine, Workspaces};

pub struct Kit {
    home: Arc<TempDir>,
    root: PathBuf,
    watch: bool,
    flags: Vec<(&'static str, String)>,
    env: BTreeMap<String, String>,
    engine: Option<Arc<dyn ExactEngine>>,
    toolbox: Toolbox,
}

impl Kit {
    pub fn new(root: &Path) -> Kit {
        Kit::with(root, false, &[])
    }

    pub fn watching(root: &Path) -> Kit {
        Kit::with(root, true, &[])
    }

    /// Small chunks, so that small files have several.
    pub fn with_small_chunks(root: &Path) -> Kit {
        Kit::with(
            root,
            false,
            &[("indexing.chunk_size", "100"), ("indexing.overlap", "20")],
        )
    }

    pub fn with(root: &Path, watch: bool, flags: &[(&'static str, &str)]) -> Kit {
        Kit::with_engine(root, watch, flags, None)
    }

    /// With an analysis that knows a language exactly.
    pub fn with_engine(
        root: &Path,
        watch: bool,
        flags: &[(&'static str, &str)],
        engine: Option<Arc<dyn ExactEngine>>,
    ) -> Kit {
        let home = Arc::new(TempDir::with_prefix("home-").expect("a temporary directory can be made"));
        let flags: Vec<_> = flags.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        let toolbox = toolbox(&home, Some(root), watch, &flags, &BTreeMap::new(), engine.clone());
        Kit {
            home,
            root: root.to_owned(),
            watch,
            flags,
            env: BTreeMap::new(),
            engine,
            toolbox,
        }
    }

    /// As over HTTP: for callers who are not the user.
    pub fn confined(root: &Path) -> Kit {
        let kit = Kit::new(root);
        let config = config(&kit.home, &kit.flags, &kit.env);
        let listing = Listing::new("all", false, config.structured).expect("the toolset exists");
        let workspaces = Workspaces::new(config, Some(root.to_owned()), false).confined();
        Kit {
            toolbox: Toolbox::new(workspaces, listing),
            ..kit
        }
    }

    /// With `--read-only`.
    pub fn read_only(root: &Path) -> Kit {
        let kit = Kit::new(root);
        let config = config(&kit.home, &kit.flags, &kit.env);
        let listing = Listing::new("all", true, config.structured).expect("the toolset exists");
        let workspaces = Workspaces::new(config, Some(root.to_owned()), false);
        Kit {
            toolbox: Toolbox::new(workspaces, listing),
            ..kit
        }
    }

    /// A server that was started without a root, by a client that has some.
    pub fn of_client(roots: &[PathBuf]) -> Kit {
        let kit = Kit::new(&roots[0]);
        let toolbox = toolbox(&kit.home, None, false, &[], &BTreeMap::new(), None);
        toolbox.set_client_roots(roots.to_vec());
        Kit { toolbox, ..kit }
    }

    /// A second process with the same home, as it were.
    pub fn beside(&self, watch: bool) -> Kit {
        let toolbox = toolbox(
            &self.home,
            Some(&self.root),
            watch,
            &self.flags,
            &self.env,
            self.engine.clone(),
        );
        Kit {
            home: self.home.clone(),
            root: self.root.clone(),
            watch,
            flags: self.flags.clone(),
            env: self.env.clone(),
            engine: self.engine.clone(),
            toolbox,
        }
    }

    /// The same home in another process, as it were.
    pub fn reopened(self) -> Kit {
        let (flags, env) = (self.flags.clone(), self.env.clone());
        self.reopened_as(flags, env)
    }

    /// The same home in another process, with other settings.
    pub fn reopened_with(self, flags: &[(&'static str, &str)]) -> Kit {
        let flags = flags.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        let env = self.env.clone();
        self.reopened_as(flags, env)
    }

    /// The same home in another process, with another environment.
    pub fn reopened_with_env(self, env: &[(&str, &str)]) -> Kit {
        let env = env.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let (flags, env) = (self.flags.clone(), env.collect());
        self.reopened_as(flags, env)
    }

    fn reopened_as(self, flags: Vec<(&'static str, String)>, env: BTreeMap<String, String>) -> Kit {
        let Kit {
            home,
            root,
            watch,
            engine,
            toolbox: old,
            ..
        } = self;
        drop(old);
        let toolbox = toolbox(&home, Some(&root), watch, &flags, &env, engine.clone());
        Kit {
            home,
            root,
            watch,
            flags,
            env,
            engine,
            toolbox,
        }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The directory of the only session's index.
    pub fn index_dir(&self) -> PathBuf {
        let sessions = self.home().join("workspaces");
        let mut dirs = std::fs::read_dir(sessions).expect("there is a session");
        let dir = dirs.next().expect("there is a session").expect("it can be read");
        dir.path().join("index")
    }

    /// Runs a tool that exists.
    pub fn call(&self, tool: &str, arguments: Value) -> Outcome {
        self.try_call(tool, arguments).0
    }

    /// Also tells the progress that was reported.
    pub fn try_call(&self, tool: &str, arguments: Value) -> (Outcome, Vec<Progress>) {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = seen.clone();
        let call = Call {
            cancelled: Arc::new(AtomicBool::new(false)),
            progress: Box::new(move |progress| sink.lock().unwrap_or_else(PoisonError::into_inner).push(progress)),
        };
        let outcome = self
            .toolbox
            .call(tool, object(arguments), &call)
            .unwrap_or_else(|unknown| panic!("there is no tool {}", unknown.name));
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (outcome, seen)
    }

    /// The tool that is offered instead of one that does not exist.
    pub fn nearest_tool(&self, tool: &str) -> Option<String> {
        let call = Call {
            cancelled: Arc::new(AtomicBool::new(false)),
            progress: Box::new(|_| {}),
        };
        let called = self.toolbox.call(tool, serde_json::Map::new(), &call);
        called.err().and_then(|unknown| unknown.nearest)
    }

    pub fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }

    /// The structured answer of a call that succeeds.
    pub fn json(&self, tool: &str, arguments: Value) -> Value {
        let outcome = self.call(tool, arguments.clone());
        assert!(!outcome.is_error(), "{tool} {arguments}: {}", outcome.text);
        outcome.structured
    }

    /// The text of a call that succeeds, without what differs from run to run.
    pub fn text(&self, tool: &str, arguments: Value) -> String {
        let outcome = self.call(tool, arguments.clone());
        assert!(!outcome.is_error(), "{tool} {arguments}: {}", outcome.text);
        self.steady(&outcome.text)
    }

    /// Paths, times, durations and sizes on disk made the same for every run.
    pub fn steady(&self, text: &str) -> String {
        let home = self.home().canonicalize().expect("the home exists");
        let mut text = text.to_owned();
        for (path, name) in [(self.root.as_path(), "$ROOT"), (&home, "$HOME"), (self.home(), "$HOME")] {
            text = text.replace(&*path.to_string_lossy(), name);
        }
        if let Some(parent) = self.root.parent() {
            text = text.replace(&*parent.to_string_lossy(), "$PARENT");
        }
        for (pattern, with) in [
            (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "<time>"),
            (r"\b(\d+|\d+\.\d) (ms|s)\b", "<duration>"),
            (r"index \d[\d.]* (bytes|[KM]B)", "index <size>"),
            (r"size: \d[\d.]* (bytes|[KM]B)", "size: <size>"),
            (r", \d[\d.]* (bytes|[KM]B)(, created| freed)", ", <size>$2"),
            (r"throughput: [\d,]+", "throughput: <n>"),
            (r"Rust: \d+\.\d+\.\d+\S*", "Rust: <version>"),
            (r"\b[\w.-]+-[0-9a-f]{12}\b", "<model>"),
            // A file that was just written is looked at again once the clock has moved on.
            (r#"(generation"?:?) \d+"#, "$1 <n>"),
            (
                r#""(duration_ms|files_per_second|index_bytes|size_bytes|freed_bytes|latency_ms)":[\d.]+"#,
                r#""$1":<n>"#,
            ),
        ] {
            let pattern = regex::Regex::new(pattern).expect("the pattern is valid");
            text = pattern.replace_all(&text, with).into_owned();
        }
        text
    }

    /// The rows of every page, following `next_cursor`, and the pages.
    pub fn pages(&self, tool: &str, arguments: &Value, key: &str) -> Result<(Vec<Value>, Vec<Outcome>), Box<Outcome>> {
        let mut arguments = arguments.clone();
        let (mut rows, mut pages) = (Vec::new(), Vec::new());
        loop {
            let page = self.call(tool, arguments.clone());
            if page.is_error() {
                return Err(Box::new(page));
            }
            let shown = page.structured[key].as_array().expect("a list of rows");
            rows.extend(shown.iter().cloned());
            let next = page.structured["next_cursor"].clone();
            assert!(
                !shown.is_empty() || next.is_null(),
                "{tool} {arguments}: a page of nothing"
            );
            pages.push(page);
            if next.is_null() {
                return Ok((rows, pages));
            }
            arguments["cursor"] = next;
        }
    }

    /// Every row of a call whose pages fit.
    pub fn rows(&self, tool: &str, arguments: &Value, key: &str) -> Vec<Value> {
        match self.pages(tool, arguments, key) {
            Ok((rows, _)) => rows,
            Err(failed) => panic!("{tool} {arguments}: {}", failed.text),
        }
    }

    /// The paths that a search for a text finds, in order.
    pub fn paths_with(&self, text: &str) -> Vec<String> {
        let arguments = serde_json::json!({ "query": text, "literal": true, "k": 100, "max_tokens": 20000 });
        let mut paths: Vec<String> = self
            .rows("search_code", &arguments, "results")
            .iter()
            .map(|row| string(&row["path"]))
            .collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// The paths of all indexed files.
    pub fn files(&self) -> Vec<String> {
        let rows = self.rows("list_files", &serde_json::json!({}), "files");
        rows.iter().map(|row| string(&row["path"])).collect()
    }

    /// Path and reason of every skipped file.
    pub fn skipped(&self) -> Vec<(String, String)> {
        let rows = self.rows("index_status", &serde_json::json!({}), "skipped");
        rows.iter()
            .map(|row| (string(&row["path"]), string(&row["reason"])))
            .collect()
    }
}

fn config(home: &TempDir, flags: &[(&'static str, String)], env: &BTreeMap<String, String>) -> Config {
    let sources = Sources {
        default_home: home.path().to_owned(),
        flags: flags.iter().cloned().collect(),
        env: env.clone(),
        ..Sources::default()
    };
    Config::load(&sources).expect("the settings are valid")
}

fn toolbox(
    home: &TempDir,
    root: Option<&Path>,
    watch: bool,
    flags: &[(&'static str, String)],
    env: &BTreeMap<String, String>,
    engine: Option<Arc<dyn ExactEngine>>,
) -> Toolbox {
    let config = config(home, flags, env);
    let listing = Listing::new("all", false, config.structured).expect("the toolset exists");
    let mut workspaces = Workspaces::new(config, root.map(Path::to_owned), watch);
    if let Some(engine) = engine {
        workspaces = workspaces.with_exact(engine);
    }
    Toolbox::new(workspaces, listing)
}

pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is not an object"),
    }
}

pub fn string(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// How many times as many cases as usual: `PORTOLAN_TEST_SCALE`.
pub fn scale() -> u32 {
    let scale = std::env::var("PORTOLAN_TEST_SCALE").ok();
    scale.and_then(|scale| scale.parse().ok()).unwrap_or(1)
}
