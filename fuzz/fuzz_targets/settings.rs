//! Any text as a repository's `.portolan.toml` and as the user's own settings: the first takes files away and never adds
//! one, the second is valid or an error says why not.

#![no_main]

use std::{collections::BTreeSet, path::PathBuf, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use test_fixture::Repo;
use config::{Config, Sources};

#[allow(dead_code, reason = "the tools' own tests use the rest")]
#[path = "../../crates/tools/tests/it/kit.rs"]
mod kit;

static FIXTURE: LazyLock<(Repo, kit::Kit, BTreeSet<String>)> = LazyLock::new(|| {
    let repo = Repo::new(
        "//- /a.rs\nfn a() {}\n//- /src/b.py\nb = 1\n//- /.gitignore\nc.rs\n//- /c.rs\nfn c() {}\n//- /.env\nKEY=1\n",
    );
    let kit = kit::Kit::new(&repo.root());
    let files = kit.files().into_iter().collect();
    (repo, kit, files)
});

fuzz_target!(|data: &[u8]| {
    let (repo, kit, all) = &*FIXTURE;
    repo.write(".portolan.toml", data);
    let files: BTreeSet<String> = kit.files().into_iter().collect();
    assert!(files.is_subset(all), "{files:?}");
    let sources = Sources {
        file: Some((
            PathBuf::from("portolan.toml"),
            String::from_utf8_lossy(data).into_owned(),
        )),
        default_home: "never-made".into(),
        ..Sources::default()
    };
    match Config::load(&sources) {
        Ok(config) => {
            assert!(config.index.check().is_ok());
            config.entries();
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
