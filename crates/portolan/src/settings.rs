//! Where settings come from on this machine: flags, environment, `portolan.toml`.

use std::path::PathBuf;

use clap::ArgMatches;
use config::{Config, Sources};
use etcetera::BaseStrategy;

pub(crate) fn load(matches: &ArgMatches) -> Result<Config, String> {
    let base = etcetera::choose_base_strategy().ok();
    let mut sources = Sources {
        env: std::env::vars_os()
            .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
            .collect(),
        default_home: base.as_ref().map_or_else(
            || std::env::temp_dir().join("portolan"),
            |base| base.data_dir().join("portolan"),
        ),
        ..Sources::default()
    };
    let given = sources.env.get("PORTOLAN_CONFIG").filter(|path| !path.is_empty());
    let is_given = given.is_some();
    let path = match given {
        Some(path) => Some(PathBuf::from(path)),
        None => base.map(|base| base.config_dir().join("portolan").join("portolan.toml")),
    };
    if let Some(path) = path {
        match std::fs::read_to_string(&path) {
            Ok(text) => sources.file = Some((path, text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !is_given => {}
            Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
        }
    }
    if let Some(level) = matches.get_one::<String>("log_level") {
        sources.flags.insert("logging.log_level", level.clone());
    }
    if let Some(("serve", serve)) = matches.subcommand() {
        if let Some(toolsets) = serve.get_one::<String>("toolsets") {
            sources.flags.insert("server.toolsets", toolsets.clone());
        }
        if let Some(profile) = serve.get_one::<String>("profile") {
            sources.flags.insert("server.profile", profile.clone());
        }
        for (flag, key, value) in [
            ("read_only", "server.read_only", "true"),
            ("no_structured", "server.structured", "false"),
        ] {
            if serve.get_flag(flag) {
                sources.flags.insert(key, value.to_owned());
            }
        }
    }
    Config::load(&sources).map_err(|error| error.to_string())
}
