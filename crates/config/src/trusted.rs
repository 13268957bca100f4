//! Repositories that may run what they like.

use std::path::Path;

use source::PathGlobs;

use crate::Error;

/// The directories of `rust.trusted`, or globs for them: they and what is below.
#[derive(Debug, Clone)]
pub struct Trusted {
    items: Vec<String>,
    globs: PathGlobs,
}

impl Trusted {
    pub(crate) fn new(items: Vec<String>) -> Result<Trusted, Error> {
        let is_absolute = |item: &&String| item.starts_with('/') || Path::new(item).is_absolute();
        if let Some(relative) = items.iter().find(|item| !is_absolute(item)) {
            return Err(Error::Invalid(format!(
                "rust.trusted has `{relative}`, which is not an absolute path"
            )));
        }
        let globs: Vec<String> = items.iter().map(|item| item.replace('\\', "/")).collect();
        Ok(Trusted {
            globs: PathGlobs::new(&globs)?,
            items,
        })
    }

    pub(crate) fn items(&self) -> &[String] {
        &self.items
    }

    pub fn has(&self, root: &Path) -> bool {
        let root = root.to_string_lossy().replace('\\', "/");
        !self.items.is_empty() && self.globs.matches(root.trim_start_matches('/'))
    }
}
