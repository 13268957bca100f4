//! Swift: a module is a directory of `Sources` or `Tests`; everything else is a library.

use crate::{
    files::{FileIdx, dir_of, name_of},
    modules::{Resolve, Rules, Site, Target},
};
use syntax::LangId;

pub(crate) const RULES: Rules = Rules {
    languages: &[LangId::Swift],
    is_manifest: |_| false,
    outline: false,
    directory_files: &[],
    new: |files, _| {
        let mut modules: Vec<(Box<str>, FileIdx)> = Vec::new();
        for file in files.all().filter(|file| files.lang(*file) == LangId::Swift) {
            // The directory just below `Sources`, however deep the file is.
            let mut dir = files.dir(file);
            while !dir.is_empty() && !matches!(name_of(dir_of(dir)), "Sources" | "Tests") {
                dir = dir_of(dir);
            }
            if !dir.is_empty() {
                modules.push((name_of(dir).into(), file));
            }
        }
        modules.sort_unstable();
        Box::new(Swift { modules })
    },
};

struct Swift {
    /// Module and file, in order.
    modules: Vec<(Box<str>, FileIdx)>,
}

impl Resolve for Swift {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let name = site.path.split('.').next().unwrap_or(site.path);
        let from = self.modules.partition_point(|(module, _)| **module < *name);
        let files = self.modules[from..].iter().take_while(|(module, _)| **module == *name);
        let files: Vec<FileIdx> = files.map(|(_, file)| *file).collect();
        if files.is_empty() {
            Target::External(name.to_owned())
        } else {
            Target::Local(files)
        }
    }
}
