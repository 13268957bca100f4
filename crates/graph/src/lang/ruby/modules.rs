//! Ruby: files relative to the one that requires them, or below a directory of the load path.

use crate::{
    files::{joined, upwards},
    modules::{Resolve, Rules, Site, Target},
};
use syntax::LangId;

pub(crate) const RULES: Rules = Rules {
    languages: &[LangId::Ruby],
    is_manifest: |_| false,
    outline: false,
    directory_files: &[],
    new: |_, _| Box::new(Ruby),
};

struct Ruby;

/// Directories that are usually on the load path.
const LOAD_PATH: &[&str] = &["lib", "app", "spec", "test", ""];

impl Resolve for Ruby {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let path = site.path.strip_suffix(".rb").unwrap_or(site.path);
        if path.starts_with('.') {
            let found = joined(site.dir(), &format!("{path}.rb")).and_then(|path| site.files.at(&path));
            return found.map_or(Target::Unknown, |found| Target::Local(vec![found]));
        }
        let file = format!("{}.rb", path.trim_start_matches('/'));
        for dir in upwards(site.dir()) {
            for inner in LOAD_PATH {
                let found = joined(dir, inner).and_then(|dir| site.files.at(&joined(&dir, &file)?));
                if let Some(found) = found.filter(|found| *found != site.file) {
                    return Target::Local(vec![found]);
                }
            }
        }
        let external = Target::External(path.split('/').next().unwrap_or(path).to_owned());
        let mut found = site.files.ending(&format!("lib/{file}"));
        if found.is_empty() && path.contains('/') {
            found = site.files.ending(&file);
        }
        site.candidates(found, external)
    }
}
