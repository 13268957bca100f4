//! Java, Kotlin, Scala and Groovy: packages by what files declare, and by their directories. They share one world.

mod accessors;

use crate::{
    files::FileIdx,
    modules::{Resolve, Rules, Site, Target},
    outline::Spaces,
};
use syntax::LangId;

const LANGUAGES: &[LangId] = &[LangId::Java, LangId::Kotlin, LangId::Scala, LangId::Groovy];

pub(crate) const RULES: Rules = Rules {
    languages: LANGUAGES,
    is_manifest: |_| false,
    outline: true,
    directory_files: &[],
    new: |files, _| {
        Box::new(Jvm {
            spaces: Spaces::new(files, LANGUAGES),
        })
    },
};

struct Jvm {
    spaces: Spaces,
}

impl Resolve for Jvm {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let path = site.path.trim_start_matches("_root_.");
        let whole = site.item.map_or(path.to_owned(), |item| format!("{path}.{item}"));
        // Scala's imports may begin in any package around them.
        let own = site.files.outline(site.file).spaces.last();
        let is_scala = site.files.lang(site.file) == LangId::Scala;
        let mut around = own.filter(|_| is_scala).map(|own| &**own);
        let mut prefixes = vec![String::new()];
        while let Some(package) = around {
            prefixes.push(format!("{package}."));
            around = package.rsplit_once('.').map(|(outer, _)| outer);
        }
        for prefix in &prefixes {
            let whole = format!("{prefix}{whole}");
            let defined = self.spaces.around(&whole);
            // Everything in a package, and in the object that has its name.
            let package = self.spaces.space(&whole);
            if site.wildcard && !package.is_empty() {
                let object = self.spaces.name(&whole).iter();
                let all = package.iter().chain(object).copied().filter(|file| *file != site.file);
                return Target::Local(all.collect());
            }
            if !defined.is_empty() {
                return Target::Local(site.files.nearest(site.file, defined)).or_self(site);
            }
            if !package.is_empty() {
                return Target::Local(package.iter().copied().filter(|file| *file != site.file).collect());
            }
        }
        self.by_directory(site, &whole).unwrap_or_else(|| {
            if self.spaces.space(path).is_empty() {
                Target::External(path.to_owned())
            } else {
                // The package is ours, and does not have it: generated, perhaps.
                Target::Unknown
            }
        })
    }
}

impl Jvm {
    /// For files that do not say their package: `org.example.Base` is in `org/example/Base.groovy`.
    fn by_directory(&self, site: &Site<'_>, whole: &str) -> Option<Target> {
        let path = whole.replace('.', "/");
        if site.wildcard {
            let dirs = site.files.dirs_ending(&path);
            let files = dirs.iter().flat_map(|dir| site.files.in_dir(dir));
            let files: Vec<FileIdx> = files
                .copied()
                .filter(|file| LANGUAGES.contains(&site.files.lang(*file)))
                .collect();
            return (path.contains('/') && !files.is_empty()).then(|| site.candidates(&files, Target::Unknown));
        }
        let mut path = path.as_str();
        while path.contains('/') {
            for extension in ["java", "kt", "scala", "groovy"] {
                let found = site
                    .files
                    .nearest(site.file, site.files.ending(&format!("{path}.{extension}")));
                if !found.is_empty() {
                    return Some(Target::Candidates(found));
                }
            }
            path = path.rsplit_once('/').map_or("", |(outer, _)| outer);
        }
        None
    }
}

impl Target {
    /// A file that names itself is its own target.
    fn or_self(self, site: &Site<'_>) -> Target {
        match self {
            Target::Local(files) if files.is_empty() => Target::Local(vec![site.file]),
            other => other,
        }
    }
}
