//! Whether a function still fits what it implements: by the shapes of their signatures, where a language requires that.

use graph::{Implementation, SymbolId};
use syntax::{SignatureShape, lang_id};
use workspace::Error;

use super::CodeGraph;

impl CodeGraph<'_> {
    /// Implementations of changed definitions whose signatures do not fit any more.
    pub(super) fn unlike(&self, ids: &[SymbolId]) -> Result<Vec<Implementation>, Error> {
        let mut found = Vec::new();
        for id in ids {
            let Some(wanted) = self.signature_shape(*id)? else {
                continue;
            };
            for one in self.resolver.implementations(&[*id]) {
                if self
                    .signature_shape(one.symbol)?
                    .is_some_and(|shape| !shape.fits(&wanted))
                {
                    found.push(one);
                }
            }
        }
        Ok(found)
    }

    /// Definitions that changed ones implement although their signatures do not fit any more.
    pub(super) fn unlike_outer(&self, ids: &[SymbolId]) -> Result<Vec<SymbolId>, Error> {
        let mut found = Vec::new();
        for id in ids {
            let Some(own) = self.signature_shape(*id)? else {
                continue;
            };
            for outer in self.resolver.overridden(&[*id]) {
                if self.signature_shape(outer)?.is_some_and(|wanted| !own.fits(&wanted)) {
                    found.push(outer);
                }
            }
        }
        Ok(found)
    }

    fn signature_shape(&self, id: SymbolId) -> Result<Option<SignatureShape>, Error> {
        let hit = self.hit(id)?;
        let lang = lang_id(hit.lang).lang();
        let shape = || lang.signature_shape(&hit.signature, &hit.name);
        Ok(hit.kind.is_function().then(shape).flatten())
    }
}
