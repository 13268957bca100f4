//! Every setting, found in the sources that can set it.

use std::{collections::BTreeMap, fmt, path::PathBuf, time::Duration};

use models::Key;
use source::PathGlobs;

use crate::{Error, ExactSettings, IndexConfig, ModelChoice, Trusted};

/// What decided a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Default,
    File,
    Environment,
    Flag,
    /// Part of the contract; cannot be changed.
    Fixed,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::Default => "default",
            Origin::File => "file",
            Origin::Environment => "environment",
            Origin::Flag => "flag",
            Origin::Fixed => "fixed",
        })
    }
}

/// One setting as `get_config` shows it.
#[derive(Debug, Clone)]
pub struct ConfigEntry {
    /// `section.name`.
    pub key: &'static str,
    pub value: String,
    pub origin: Origin,
    /// The environment variable that sets it; none for what is fixed.
    pub variable: Option<String>,
    /// Set for settings that are lists: one item each.
    pub items: Option<Vec<String>>,
}

/// Everything that can be set.
#[derive(Debug, Clone)]
pub struct Config {
    pub index: IndexConfig,
    /// Whether a server lets the kernel tell it of changes. If not, it looks at every file before each answer.
    pub watch: bool,
    pub exact: ExactSettings,
    /// Directories whose repositories may run what they like, as they would in the user's own hands.
    pub trusted: Trusted,
    /// What makes vectors, in every session.
    pub model: ModelChoice,
    /// What a server calls the model.
    pub model_name: Option<String>,
    /// The environment variable that has the key for a server.
    pub model_key_env: String,
    /// Its value: neither stored nor shown.
    pub model_key: Option<Key>,
    /// Of an ONNX file; `None`: next to it.
    pub tokenizer: Option<PathBuf>,
    /// Where indexes and state live.
    pub home: PathBuf,
    pub log_level: String,
    pub toolsets: String,
    /// The system whose tools are listed instead; empty for none.
    pub profile: String,
    pub read_only: bool,
    pub structured: bool,
    /// How long a call waits for a first index before it answers from what there is.
    pub first_answer_secs: u64,
    pub request_timeout_secs: u64,
    /// Variables called like ours that set nothing, for people.
    pub unknown_variables: Vec<String>,
    origins: BTreeMap<&'static str, Origin>,
}

/// Where values come from. The binary fills it; nothing below reads the environment.
#[derive(Default)]
pub struct Sources {
    /// From command-line flags: key to text.
    pub flags: BTreeMap<&'static str, String>,
    /// The whole environment: which variable has a key is itself a setting.
    pub env: BTreeMap<String, String>,
    /// The text of `portolan.toml`, with its path for messages.
    pub file: Option<(PathBuf, String)>,
    /// Used when nothing says otherwise.
    pub default_home: PathBuf,
}

impl Config {
    pub fn load(sources: &Sources) -> Result<Config, Error> {
        let file = match &sources.file {
            None => toml::Table::new(),
            Some((path, text)) => text
                .parse()
                .map_err(|error: toml::de::Error| Error::Invalid(format!("{}: {}", path.display(), error.message())))?,
        };
        let mut pick = Picker {
            sources,
            file,
            known: Vec::new(),
            origins: BTreeMap::new(),
        };
        let defaults = IndexConfig::default();
        let index = IndexConfig {
            chunk_size: pick.value("indexing.chunk_size", defaults.chunk_size)?,
            overlap: pick.value("indexing.overlap", defaults.overlap)?,
            max_file_bytes: pick
                .value::<u64>("indexing.max_file_size_mb", defaults.max_file_bytes >> 20)?
                .saturating_mul(1 << 20),
            include: pick.list("indexing.include_patterns")?.unwrap_or(defaults.include),
            exclude: pick.list("indexing.exclude_patterns")?,
            symbols: pick.value("indexing.symbols", defaults.symbols)?,
        };
        index.check().map_err(Error::Invalid)?;
        let watch = pick.value("indexing.watch", true)?;
        let exact = ExactSettings {
            is_enabled: pick.value("rust.enabled", true)?,
            wait: Duration::from_millis(pick.value("rust.wait_ms", ExactSettings::DEFAULT_WAIT.as_millis() as u64)?),
            idle: Duration::from_secs(pick.value("rust.idle_secs", 600)?),
            max_bytes: pick.value::<u64>("rust.max_source_mb", 160)?.saturating_mul(1 << 20),
        };
        let trusted = Trusted::new(pick.items("rust.trusted").unwrap_or_default())?;
        let home: String = pick.value("storage.home", sources.default_home.to_string_lossy().into_owned())?;
        // A path that begins nowhere would be inside of a repository.
        let home = std::path::absolute(home.trim())
            .map_err(|error| Error::Invalid(format!("storage.home cannot be `{home}`: {error}")))?;
        let model_key_env: String = pick.value("search.model_key_env", "PORTOLAN_MODEL_KEY".to_owned())?;
        let key = sources.env.get(&model_key_env).map(|key| key.trim());
        let config = Config {
            index,
            model_name: pick.optional("search.model_name"),
            model_key: key.filter(|key| !key.is_empty()).map(|key| Key(key.to_owned())),
            model_key_env,
            watch,
            tokenizer: pick.optional("search.tokenizer").map(PathBuf::from),
            exact,
            trusted,
            model: pick.value("search.model", ModelChoice::BuiltIn)?,
            // What the system says of paths below it is compared with it.
            home,
            log_level: pick.log_level()?,
            toolsets: pick.value("server.toolsets", "core".to_owned())?,
            profile: pick.value("server.profile", String::new())?,
            read_only: pick.value("server.read_only", false)?,
            structured: pick.value("server.structured", true)?,
            first_answer_secs: pick.value("limits.first_answer_secs", 10)?,
            request_timeout_secs: pick.value("limits.request_timeout_secs", 300)?,
            unknown_variables: Vec::new(),
            origins: BTreeMap::new(),
        };
        pick.reject_unknown()?;
        Ok(Config {
            unknown_variables: pick.unknown_variables(&config.model_key_env),
            origins: pick.origins,
            ..config
        })
    }

    /// Every setting with its value and source, in a fixed order.
    pub fn entries(&self) -> Vec<ConfigEntry> {
        let entry = |key: &'static str, value: String| ConfigEntry {
            key,
            value,
            origin: self.origins.get(key).copied().unwrap_or(Origin::Fixed),
            variable: self.origins.contains_key(key).then(|| variables(key)[0].clone()),
            items: None,
        };
        let list = |key: &'static str, items: Vec<String>| ConfigEntry {
            items: Some(items.clone()),
            ..entry(
                key,
                format!("{} pattern{}", items.len(), if items.len() == 1 { "" } else { "s" }),
            )
        };
        vec![
            entry("logging.log_level", self.log_level.clone()),
            entry("indexing.chunk_size", format!("{} characters", self.index.chunk_size)),
            entry("indexing.overlap", format!("{} characters", self.index.overlap)),
            entry(
                "indexing.max_file_size_mb",
                format!("{} MB", self.index.max_file_bytes >> 20),
            ),
            list("indexing.include_patterns", self.index.include.clone()),
            list("indexing.exclude_patterns", self.index.excluded()),
            entry("indexing.symbols", self.index.symbols.to_string()),
            entry("indexing.watch", self.watch.to_string()),
            entry("storage.home", self.home.display().to_string()),
            entry("search.model", self.model.to_string()),
            entry(
                "search.model_name",
                self.model_name.clone().unwrap_or_else(|| "not set".into()),
            ),
            entry("search.model_key_env", self.model_key_env.clone()),
            entry(
                "search.tokenizer",
                self.tokenizer
                    .as_ref()
                    .map_or_else(|| "next to the model".into(), |path| path.display().to_string()),
            ),
            entry("search.default_k", "10".into()),
            entry("search.max_k", "100".into()),
            entry("search.max_query_length", "500".into()),
            entry("rust.enabled", self.exact.is_enabled.to_string()),
            entry("rust.wait_ms", format!("{} ms", self.exact.wait.as_millis())),
            entry("rust.idle_secs", format!("{} s", self.exact.idle.as_secs())),
            entry("rust.max_source_mb", format!("{} MB", self.exact.max_bytes >> 20)),
            list("rust.trusted", self.trusted.items().to_vec()),
            entry("server.toolsets", self.toolsets.clone()),
            entry(
                "server.profile",
                if self.profile.is_empty() { "none" } else { &self.profile }.to_owned(),
            ),
            entry("server.read_only", self.read_only.to_string()),
            entry("server.structured", self.structured.to_string()),
            entry("limits.max_concurrent_indexes", "1 per workspace".into()),
            entry("limits.first_answer_secs", format!("{} s", self.first_answer_secs)),
            entry(
                "limits.request_timeout_secs",
                format!("{} s", self.request_timeout_secs),
            ),
            entry("limits.default_max_tokens", "4000".into()),
            entry("limits.hard_max_tokens", "20000".into()),
        ]
    }
}

/// The variables that set a key. Names of one section are words of their own and do without it, those of a language are not.
fn variables(key: &str) -> Vec<String> {
    let whole = key.replace('.', "_");
    let name = match key.split_once('.') {
        Some((section, name)) if section != "rust" => name,
        _ => whole.as_str(),
    };
    let mut variables: Vec<String> = [name, whole.as_str()]
        .iter()
        .map(|name| format!("{PREFIX}{}", name.to_ascii_uppercase()))
        .collect();
    variables.dedup();
    variables
}

const PREFIX: &str = "PORTOLAN_";
/// Those that are no settings; the last is that of the tests.
const OTHER_VARIABLES: &[&str] = &["PORTOLAN_CONFIG", "PORTOLAN_TOKEN", "PORTOLAN_TEST_SCALE"];
const LOG_LEVELS: &[&str] = &["off", "error", "warn", "info", "debug", "trace"];

/// `; did you mean X?`, where something is similar enough.
fn did_you_mean<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> String {
    let nearest = source::nearest(wrong, names);
    nearest.map_or_else(String::new, |name| format!("; did you mean {name}?"))
}

/// What a setting can be, from a text.
trait FromText: Sized {
    /// `a whole number`
    const WANTED: &'static str;

    fn from_text(text: &str) -> Option<Self>;
}

macro_rules! parsed {
    ($($kind:ty: $wanted:literal),*) => {$(
        impl FromText for $kind {
            const WANTED: &'static str = $wanted;

            fn from_text(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )*};
}

parsed!(u32: "a whole number", u64: "a whole number", String: "a text", ModelChoice: "a model");

impl FromText for bool {
    const WANTED: &'static str = "true or false";

    fn from_text(text: &str) -> Option<bool> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        }
    }
}

struct Picker<'s> {
    sources: &'s Sources,
    file: toml::Table,
    known: Vec<&'static str>,
    origins: BTreeMap<&'static str, Origin>,
}

/// What was found for a setting.
struct Given {
    text: String,
    /// Where, for people.
    from: String,
}

impl Picker<'_> {
    /// The text of a setting from the strongest source that has it. Nothing but a list can be set to nothing by a variable:
    /// clients pass on what a person has not filled in as an empty text.
    fn given(&mut self, key: &'static str, is_list: bool) -> Option<Given> {
        self.known.push(key);
        let (section, name) = key.split_once('.').unwrap_or(("", key));
        let flag = || {
            let text = self.sources.flags.get(key)?.clone();
            let from = "the command line".to_owned();
            Some((Origin::Flag, Given { text, from }))
        };
        let env = || {
            let mut names = variables(key).into_iter();
            let set = names.find_map(|from| {
                let text = self.sources.env.get(&from)?.clone();
                (is_list || !text.trim().is_empty()).then_some(Given { text, from })
            });
            Some((Origin::Environment, set?))
        };
        let file = || {
            let text = match self.file.get(section)?.get(name)? {
                toml::Value::String(text) => text.clone(),
                toml::Value::Array(items) => {
                    let items: Vec<&str> = items.iter().filter_map(toml::Value::as_str).collect();
                    items.join(",")
                }
                other => other.to_string(),
            };
            Some((
                Origin::File,
                Given {
                    text,
                    from: self.file_name(),
                },
            ))
        };
        let found = flag().or_else(env).or_else(file);
        let origin = found.as_ref().map_or(Origin::Default, |(origin, _)| *origin);
        self.origins.insert(key, origin);
        found.map(|(_, given)| given)
    }

    fn file_name(&self) -> String {
        let path = self.sources.file.as_ref().map(|(path, _)| path.display().to_string());
        path.unwrap_or_else(|| "portolan.toml".to_owned())
    }

    fn value<T: FromText>(&mut self, key: &'static str, default: T) -> Result<T, Error> {
        match self.given(key, false) {
            None => Ok(default),
            Some(Given { text, from }) => T::from_text(text.trim())
                .ok_or_else(|| Error::Invalid(format!("{key} ({from}) cannot be `{text}`: it must be {}", T::WANTED))),
        }
    }

    /// One of the levels, or what says it for each part of the program.
    fn log_level(&mut self) -> Result<String, Error> {
        let level: String = self.value("logging.log_level", "warn".to_owned())?;
        match level.contains('=') || LOG_LEVELS.contains(&level.to_ascii_lowercase().as_str()) {
            true => Ok(level),
            false => Err(Error::Invalid(format!(
                "logging.log_level cannot be `{level}`: it must be one of {}",
                LOG_LEVELS.join(", ")
            ))),
        }
    }

    fn optional(&mut self, key: &'static str) -> Option<String> {
        let text = self.given(key, false)?.text.trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    fn items(&mut self, key: &'static str) -> Option<Vec<String>> {
        let text = self.given(key, true)?.text;
        let items = text.split(',').map(|item| item.trim().to_owned());
        Some(items.filter(|item| !item.is_empty()).collect())
    }

    fn list(&mut self, key: &'static str) -> Result<Option<Vec<String>>, Error> {
        let items = self.items(key);
        PathGlobs::new(items.as_deref().unwrap_or_default())?;
        Ok(items)
    }

    /// A misspelt key would otherwise be a setting that silently does nothing.
    fn reject_unknown(&self) -> Result<(), Error> {
        for (section, values) in &self.file {
            let names = values
                .as_table()
                .map(|table| table.keys().collect::<Vec<_>>())
                .unwrap_or_default();
            let file = self.file_name();
            if names.is_empty() && !values.is_table() {
                return Err(Error::Invalid(format!("{file}: `{section}` is not a section")));
            }
            for name in names {
                let key = format!("{section}.{name}");
                if !self.known.contains(&key.as_str()) {
                    let nearest = did_you_mean(&key, self.known.iter().copied());
                    return Err(Error::Invalid(format!(
                        "{file}: `{key}` is not a setting{nearest}; known are {}",
                        self.known.join(", ")
                    )));
                }
            }
        }
        Ok(())
    }

    /// Others may have variables of that name for purposes of their own: no reason to refuse to work.
    fn unknown_variables(&self, model_key: &str) -> Vec<String> {
        let known: Vec<String> = self.known.iter().flat_map(|key| variables(key)).collect();
        let is_ours = |name: &str| {
            name == model_key || OTHER_VARIABLES.contains(&name) || known.iter().any(|variable| variable == name)
        };
        let set = self.sources.env.keys().map(String::as_str);
        let unknown = set.filter(|name| name.starts_with(PREFIX) && !is_ours(name));
        let told = unknown.map(|name| {
            let nearest = did_you_mean(name, known.iter().map(String::as_str));
            format!("{name} is not a setting{nearest}")
        });
        told.collect()
    }
}
