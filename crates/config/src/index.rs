//! What shapes an index: settings, what a session was given of its own, and what a repository may take away.

use serde::{Deserialize, Serialize};

/// Left out unless a session says otherwise: never anybody's own source. Build output is left out by the repository's
/// ignore files, or because it is tagged as a cache; names such as `build` and `dist` alone tell nothing.
const DEFAULT_EXCLUDE: &[&str] = &["**/node_modules/**", "**/.git/**", "**/*.pyc", "**/__pycache__/**"];

/// The settings that a repository brings along.
pub const REPO_FILE: &str = ".portolan.toml";
/// A longer one is not read.
pub const REPO_FILE_LIMIT: u64 = 256 << 10;

/// What shapes an index. A session remembers what it was made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexConfig {
    pub chunk_size: u32,
    pub overlap: u32,
    pub include: Vec<String>,
    /// Besides what is left out anyway; see `IndexConfig::excluded`.
    pub exclude: Option<Vec<String>>,
    pub max_file_bytes: u64,
    /// Whether code is parsed. Without, everything is searched as text: quicker to index, and no tool knows symbols.
    #[serde(default = "yes")]
    pub symbols: bool,
}

fn yes() -> bool {
    true
}

impl Default for IndexConfig {
    fn default() -> Self {
        IndexConfig {
            chunk_size: 512,
            overlap: 64,
            include: vec!["**/*".into()],
            exclude: None,
            max_file_bytes: 10 << 20,
            symbols: true,
        }
    }
}

impl IndexConfig {
    /// Chunk sizes that can be indexed; the message is for the user.
    pub fn check(&self) -> Result<(), String> {
        if !(100..=2000).contains(&self.chunk_size) {
            return Err(format!(
                "chunk_size is {}, it must be from 100 to 2000",
                self.chunk_size
            ));
        }
        if self.overlap >= self.chunk_size {
            return Err(format!(
                "overlap is {}, it must be from 0 to {} (less than chunk_size)",
                self.overlap,
                self.chunk_size - 1
            ));
        }
        Ok(())
    }

    /// The globs of what is left out: those that are given beside the built-in ones. An empty list stands for none at all.
    pub fn excluded(&self) -> Vec<String> {
        let built_in = DEFAULT_EXCLUDE.iter().filter(|_| self.leaves_out_built_in());
        let given = self.exclude.iter().flatten().map(String::as_str);
        built_in.copied().chain(given).map(str::to_owned).collect()
    }

    /// Whether `DEFAULT_EXCLUDE` counts, and directories that are tagged as caches are left out.
    pub fn leaves_out_built_in(&self) -> bool {
        self.exclude.as_ref().is_none_or(|given| !given.is_empty())
    }

    /// With what the repository's own `.portolan.toml` takes away. It can add exclusions and lower the size limit,
    /// nothing else, since whoever wrote the repository is not whoever runs Portolan. The error is for people: what cannot
    /// be parsed takes nothing away.
    pub fn narrowed(&self, repo_file: &str) -> Result<(IndexConfig, Vec<String>), String> {
        #[derive(Deserialize, Default)]
        struct RepoFile {
            #[serde(default)]
            index: RepoIndex,
        }
        #[derive(Deserialize, Default)]
        struct RepoIndex {
            #[serde(default)]
            exclude: Vec<String>,
            max_file_size_mb: Option<u64>,
        }
        let file: RepoFile = toml::from_str(repo_file).map_err(|error| error.message().to_owned())?;
        let mut config = self.clone();
        if let Some(limit) = file.index.max_file_size_mb {
            config.max_file_bytes = config.max_file_bytes.min(limit.saturating_mul(1 << 20));
        }
        Ok((config, file.index.exclude))
    }
}

/// What a repository's own `.portolan.toml` has that is not its to set, for people.
pub fn refused_keys(repo_file: &str) -> Vec<String> {
    let Ok(table) = repo_file.parse::<toml::Table>() else {
        return vec!["it cannot be read".to_owned()];
    };
    let is_own = |section: &str, key: &str| section == "index" && matches!(key, "exclude" | "max_file_size_mb");
    let keys = table.iter().flat_map(|(section, values)| {
        let keys = values.as_table().into_iter().flatten();
        keys.map(move |(key, _)| (section.as_str(), key.as_str()))
    });
    let refused = keys.filter(|(section, key)| !is_own(section, key));
    refused.map(|(section, key)| format!("{section}.{key}")).collect()
}

/// What a session was given by the call that indexed it. It goes before the settings, which may change any time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnConfig {
    pub chunk_size: Option<u32>,
    pub overlap: Option<u32>,
    pub include: Option<Vec<String>>,
    pub exclude: Option<Vec<String>>,
}

impl OwnConfig {
    /// Earlier versions did not tell what a session was given from what was set then: what is not the default is its own.
    pub fn of_earlier(config: &IndexConfig) -> OwnConfig {
        let usual = IndexConfig::default();
        OwnConfig {
            chunk_size: Some(config.chunk_size).filter(|size| *size != usual.chunk_size),
            overlap: Some(config.overlap).filter(|overlap| *overlap != usual.overlap),
            include: Some(config.include.clone()).filter(|include| *include != usual.include),
            exclude: config.exclude.clone(),
        }
    }

    pub fn over(&self, settings: &IndexConfig) -> IndexConfig {
        IndexConfig {
            chunk_size: self.chunk_size.unwrap_or(settings.chunk_size),
            overlap: self.overlap.unwrap_or(settings.overlap),
            include: self.include.clone().unwrap_or_else(|| settings.include.clone()),
            exclude: self.exclude.clone().or_else(|| settings.exclude.clone()),
            ..settings.clone()
        }
    }

    /// The names of what is given.
    pub fn names(&self) -> Vec<&'static str> {
        let given = [
            ("chunk_size", self.chunk_size.is_some()),
            ("overlap", self.overlap.is_some()),
            ("include_patterns", self.include.is_some()),
            ("exclude_patterns", self.exclude.is_some()),
        ];
        given
            .iter()
            .filter(|(_, is_given)| *is_given)
            .map(|(name, _)| *name)
            .collect()
    }
}
