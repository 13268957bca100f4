//! C#: namespaces by what files declare, wherever the files are.

use super::{Resolve, Rules, Site, Target};
use crate::{
    files::FileIdx,
    outline::{Spaces, dotted},
};

const LANGUAGES: &[&str] = &["csharp"];

pub(super) const RULES: Rules = Rules {
    languages: LANGUAGES,
    is_manifest: |_| false,
    outline: true,
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
        let others =
            |files: &[FileIdx]| -> Vec<FileIdx> { files.iter().copied().filter(|file| *file != site.file).collect() };
        let space = self.spaces.space(&whole);
        if !space.is_empty() {
            return Target::Local(others(space));
        }
        // A type, which may be written in parts.
        let defined = self.spaces.around(&whole);
        if !defined.is_empty() {
            return Target::Local(others(defined));
        }
        if !self.spaces.space(&path).is_empty() {
            return Target::Unknown;
        }
        Target::External(path)
    }
}
