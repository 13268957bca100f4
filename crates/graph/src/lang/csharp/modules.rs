//! C#: namespaces by what files declare, wherever the files are.

use crate::{
    files::FileIdx,
    modules::{Resolve, Rules, Site, Target},
    outline::{Spaces, dotted},
};
use syntax::LangId;

const LANGUAGES: &[LangId] = &[LangId::CSharp];

pub(crate) const RULES: Rules = Rules {
    languages: LANGUAGES,
    is_manifest: |_| false,
    outline: true,
    directory_files: &[],
    new: |files, _| {
        Box::new(CSharp {
            spaces: Spaces::new(files, LANGUAGES),
        })
    },
};

struct CSharp {
    spaces: Spaces,
}

impl Resolve for CSharp {
    fn resolve(&self, site: &Site<'_>) -> Target {
        let path = dotted(site.path.trim_start_matches("global::"));
        let whole = site.item.map_or(path.clone(), |item| format!("{path}.{item}"));
        let others = |files: &[FileIdx]| -> Vec<FileIdx> {
            let others = files.iter().copied().filter(|file| *file != site.file);
            let others: Vec<FileIdx> = others.collect();
            // A file that names what is only its own.
            if others.is_empty() { files.to_vec() } else { others }
        };
        // Names may begin in any namespace around them.
        let mut prefixes = vec![String::new()];
        for space in &site.files.outline(site.file).spaces {
            let mut around = Some(&**space);
            while let Some(space) = around {
                prefixes.push(format!("{space}."));
                around = space.rsplit_once('.').map(|(outer, _)| outer);
            }
        }
        for prefix in prefixes {
            let whole = format!("{prefix}{whole}");
            let space = self.spaces.space(&whole);
            if !space.is_empty() {
                return Target::Local(others(space));
            }
            // A type, which may be written in parts.
            let defined = self.spaces.around(&whole);
            if !defined.is_empty() {
                return Target::Local(others(defined));
            }
        }
        if !self.spaces.space(&path).is_empty() {
            return Target::Unknown;
        }
        Target::External(path)
    }
}
