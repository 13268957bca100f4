//! What the sources of settings say together.

use std::{collections::BTreeMap, path::PathBuf};

use config::{Config, IndexConfig, Origin, OwnConfig, Sources, refused_keys};

fn sources(flag: Option<&str>, variable: Option<&str>, file: Option<&str>) -> Sources {
    let key = "indexing.chunk_size";
    Sources {
        flags: flag.map(|text| (key, text.to_owned())).into_iter().collect(),
        env: variable
            .map(|text| ("PORTOLAN_CHUNK_SIZE".to_owned(), text.to_owned()))
            .into_iter()
            .collect::<BTreeMap<_, _>>(),
        file: file.map(|text| (PathBuf::from("/etc/portolan.toml"), text.to_owned())),
        default_home: PathBuf::from("/home/someone/portolan"),
    }
}

fn fails(sources: &Sources) -> String {
    Config::load(sources).unwrap_err().to_string()
}

#[test]
fn the_strongest_source_decides() {
    let file = Some("[indexing]\nchunk_size = 200\n");
    for (sources, size, origin) in [
        (sources(Some("400"), Some("300"), file), 400, Origin::Flag),
        (sources(None, Some("300"), file), 300, Origin::Environment),
        // Clients pass on what a person has not filled in as an empty text.
        (sources(None, Some(" "), file), 200, Origin::File),
        (sources(None, None, None), 512, Origin::Default),
    ] {
        let config = Config::load(&sources).unwrap();
        assert_eq!(config.index.chunk_size, size);
        let entries = config.entries();
        let entry = entries.iter().find(|entry| entry.key == "indexing.chunk_size").unwrap();
        assert_eq!(
            (entry.origin, entry.value.as_str()),
            (origin, format!("{size} characters").as_str())
        );
    }
}

#[test]
fn what_cannot_be_set_is_refused_by_its_name() {
    let misspelt = sources(None, None, Some("[indexing]\nchunk_sise = 200\n"));
    let message = fails(&misspelt);
    assert!(
        message
            .contains("/etc/portolan.toml: `indexing.chunk_sise` is not a setting; did you mean indexing.chunk_size?"),
        "{message}"
    );
    assert_eq!(
        fails(&sources(None, Some("many"), None)),
        "configuration: indexing.chunk_size (PORTOLAN_CHUNK_SIZE) cannot be `many`: it must be a whole number"
    );
    assert_eq!(
        fails(&sources(Some("20"), None, None)),
        "configuration: chunk_size is 20, it must be from 100 to 2000"
    );
}

#[test]
fn a_repository_can_only_narrow() {
    let settings = IndexConfig::default();
    let repo_file = "[index]\nexclude = [\"gen/**\"]\nmax_file_size_mb = 1\n[search]\nmodel = \"https://elsewhere\"\n";
    let (narrowed, exclude) = settings.narrowed(repo_file).unwrap();
    assert_eq!(exclude, ["gen/**"]);
    assert_eq!(narrowed.max_file_bytes, 1 << 20);
    assert_eq!(
        IndexConfig {
            max_file_bytes: settings.max_file_bytes,
            ..narrowed
        },
        settings
    );
    assert_eq!(refused_keys(repo_file), ["search.model"]);
    let (wider, _) = settings.narrowed("[index]\nmax_file_size_mb = 1000\n").unwrap();
    assert_eq!(wider, settings);
    assert!(settings.narrowed("[index").is_err());
}

#[test]
fn what_a_session_was_given_goes_before_the_settings() {
    let own = OwnConfig {
        chunk_size: Some(1000),
        ..OwnConfig::default()
    };
    let settings = IndexConfig {
        chunk_size: 200,
        overlap: 10,
        ..IndexConfig::default()
    };
    let config = own.over(&settings);
    assert_eq!((config.chunk_size, config.overlap), (1000, 10));
    assert_eq!(own.names(), ["chunk_size"]);
    assert_eq!(OwnConfig::of_earlier(&own.over(&IndexConfig::default())), own);
}
