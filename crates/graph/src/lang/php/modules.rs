//! PHP: classes by `composer.json`'s PSR-4 directories, else by what files declare; included files by path.

use serde_json::Value;
use syntax::LangId;

use crate::{
    files::{FileIdx, Files, joined, upwards},
    modules::{Manifests, Resolve, Rules, Site, Target},
    outline::{Spaces, dotted},
};

const LANGUAGES: &[LangId] = &[LangId::Php];

pub(crate) const RULES: Rules = Rules {
    languages: LANGUAGES,
    is_manifest: |name| name == "composer.json",
    outline: true,
    directory_files: &[],
    new: |files, manifests| Box::new(Php::new(files, manifests)),
};

struct Php {
    /// Prefix, with its last backslash, and directory; the longest prefix first.
    prefixes: Vec<(String, String)>,
    spaces: Spaces,
}

impl Php {
    fn new(files: &Files, manifests: &Manifests<'_>) -> Php {
        let mut prefixes = Vec::new();
        for (dir, text) in manifests.named("composer.json") {
            let Ok(json) = serde_json::from_str::<Value>(text) else {
                continue;
            };
            for section in ["autoload", "autoload-dev"] {
                let psr4 = json[section]["psr-4"].as_object();
                for (prefix, dirs) in psr4.into_iter().flatten() {
                    let one = dirs.as_str().into_iter();
                    let several = dirs.as_array().into_iter().flatten().filter_map(Value::as_str);
                    let dirs = one.chain(several).filter_map(|inner| joined(dir, inner));
                    prefixes.extend(dirs.map(|dir| (prefix.clone(), dir)));
                }
            }
        }
        prefixes.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        Php {
            prefixes,
            spaces: Spaces::new(files, LANGUAGES),
        }
    }

    fn class(&self, site: &Site<'_>) -> Target {
        let whole = site
            .item
            .map_or(site.path.to_owned(), |item| format!("{}\\{item}", site.path));
        let whole = whole.trim_start_matches('\\');
        for (prefix, dir) in &self.prefixes {
            if let Some(rest) = whole.strip_prefix(prefix.as_str()) {
                let path = joined(dir, &format!("{}.php", rest.replace('\\', "/")));
                if let Some(found) = path.and_then(|path| site.files.at(&path)) {
                    return Target::Local(vec![found]);
                }
            }
        }
        let others = |files: &[FileIdx]| -> Vec<FileIdx> { site.files.nearest(site.file, files) };
        let name = dotted(whole);
        // Functions and constants are in files of any name.
        for found in [self.spaces.name(&name), self.spaces.space(&name)] {
            let found = others(found);
            if !found.is_empty() {
                return Target::Local(found);
            }
        }
        let first = whole.split('\\').next().unwrap_or(whole);
        let is_ours = !self.spaces.space(&dotted(site.path)).is_empty();
        if is_ours {
            return Target::Unknown;
        }
        let external = Target::External(first.to_owned());
        if !whole.contains('\\') {
            return external;
        }
        let tail = whole
            .split_once('\\')
            .map_or(whole, |(_, tail)| tail)
            .replace('\\', "/");
        if !tail.contains('/') {
            return external;
        }
        site.candidates(site.files.ending(&format!("{tail}.php")), external)
    }
}

impl Resolve for Php {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let is_file = site.item.is_none() && (site.path.contains('/') || site.path.contains('.'));
        if !is_file {
            return self.class(site);
        }
        let path = site.path.trim_start_matches('/');
        // Relative to the file, or to the directory that the program runs in.
        let found = upwards(site.dir()).find_map(|dir| site.files.at(&joined(dir, path)?));
        if let Some(found) = found {
            return Target::Local(vec![found]);
        }
        site.candidates(site.files.ending(path.trim_start_matches("./")), Target::Unknown)
    }
}
