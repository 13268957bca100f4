//! The files of a snapshot as a scan reads them.

use index::FileRow;
use search::Contents;

use crate::snapshot::Snapshot;

/// For scanning: the bytes on disk now, whatever was indexed. Lines and text then always agree with the disk.
pub(crate) struct OnDisk<'s>(pub &'s Snapshot);

impl Contents for OnDisk<'_> {
    fn read(&self, row: &FileRow) -> Option<String> {
        let (bytes, _) = self
            .0
            .workspace()
            .root()
            .read(&row.path, self.0.session().config.max_file_bytes)
            .ok()?;
        // Valid UTF-8 without a mark, as nearly every file is, needs no copy.
        let plain = !bytes.contains(&0) && !bytes.starts_with(b"\xEF\xBB\xBF");
        match String::from_utf8(bytes) {
            Ok(text) if plain => Some(text),
            Ok(text) => source::decode(text.as_bytes()).map(|text| text.text.into_owned()),
            Err(error) => source::decode(error.as_bytes()).map(|text| text.text.into_owned()),
        }
    }
}
