//! Why a file is not searched.

use std::fmt;

/// Why a file that was found is not indexed. Stored as its text, which is also what people read: `parse` is the inverse of
/// `to_string`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// A part of git or of another version control system.
    VersionControl,
    /// Its name is one of those that secrets have.
    Secret,
    BinaryName,
    BinaryContent,
    SymbolicLink,
    NotRegular,
    LeadsOutside,
    NotUtf8Name,
    EndlessIgnoreRules,
    PermissionDenied,
    TooLarge(TooLarge),
    /// What the system said, or what is stored and this version does not know.
    Other(Box<str>),
}

/// A size and the limit that it exceeds, as they are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooLarge(Box<str>);

const TOO_LARGE: &str = "too large: ";

/// The reasons that need no more than their name.
const TEXTS: [(SkipReason, &str); 10] = [
    (SkipReason::VersionControl, "belongs to version control itself"),
    (SkipReason::Secret, "may hold secrets, by its name"),
    (SkipReason::BinaryName, "binary: by its name"),
    (SkipReason::BinaryContent, "binary: it contains NUL bytes"),
    (SkipReason::SymbolicLink, "a symbolic link"),
    (SkipReason::NotRegular, "not a regular file"),
    (SkipReason::LeadsOutside, "it leads out of the workspace"),
    (SkipReason::NotUtf8Name, "its name is not valid UTF-8"),
    (
        SkipReason::EndlessIgnoreRules,
        "its ignore rules are not in a regular file",
    ),
    (SkipReason::PermissionDenied, "permission denied"),
];

impl SkipReason {
    pub fn too_large(size: u64, limit: u64) -> SkipReason {
        let (size, limit) = (size as f64 / f64::from(1 << 20), limit >> 20);
        SkipReason::TooLarge(TooLarge(format!("{size:.1} MB, the limit is {limit} MB").into()))
    }

    /// The reason with a text; any other is kept as it is.
    pub fn parse(text: &str) -> SkipReason {
        if let Some((reason, _)) = TEXTS.iter().find(|(_, known)| *known == text) {
            return reason.clone();
        }
        match text.strip_prefix(TOO_LARGE) {
            Some(sizes) => SkipReason::TooLarge(TooLarge(sizes.into())),
            None => SkipReason::Other(text.into()),
        }
    }

    /// Whether the file could have held what was asked for. Nobody misses a picture or a link, or what is left out on
    /// purpose.
    pub fn is_missed(&self) -> bool {
        use SkipReason::*;
        !matches!(
            self,
            VersionControl | Secret | BinaryName | BinaryContent | SymbolicLink | NotRegular
        )
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SkipReason::TooLarge(TooLarge(sizes)) => write!(f, "{TOO_LARGE}{sizes}"),
            SkipReason::Other(text) => f.write_str(text),
            known => {
                let text = TEXTS.iter().find(|(reason, _)| reason == known);
                f.write_str(text.map_or("not indexed", |(_, text)| text))
            }
        }
    }
}

/// Endings of files that are no text.
const BINARY: &str = "7z a avi bin bmp bz2 class db dll dylib eot exe gguf gif gz ico iso jar jpeg jpg lib mov mp3 mp4 npy npz \
o onnx otf parquet pdf pkl png pt pyc rlib safetensors so sqlite tar tgz tif tiff ttf wasm wav webp whl woff woff2 xz zip zst";

/// Whether a file is no text, by the ending of its name.
pub fn is_binary_name(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    BINARY.split(' ').any(|one| ending.eq_ignore_ascii_case(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_read_back_from_its_text() {
        let more = [
            SkipReason::too_large(3 << 20, 2 << 20),
            SkipReason::Other("cannot be read: some error".into()),
        ];
        for reason in TEXTS.iter().map(|(reason, _)| reason).chain(&more) {
            assert_eq!(SkipReason::parse(&reason.to_string()), *reason);
        }
        assert_eq!(more[0].to_string(), "too large: 3.0 MB, the limit is 2 MB");
        assert!(more[0].is_missed() && !SkipReason::parse("binary: by its name").is_missed());
    }
}
