//! Objects by name: each in a file of its own, or in packs.

use std::{
    cell::RefCell,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    rc::Rc,
};

use cap_std::fs::Dir;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

use crate::{
    error::Error,
    object::{Id, Kind, Object},
    pack::Pack,
};

/// Larger objects are no source code.
pub(crate) const MAX_OBJECT: u64 = 64 << 20;
/// The longest header of a loose object: a word, a space, digits, a zero.
const HEADER: usize = 32;
/// More packs than these are not looked into.
const MAX_PACKS: usize = 500;

/// A directory of git's that files are opened beneath.
pub(crate) struct Beneath {
    pub dir: Dir,
    pub path: PathBuf,
}

impl Beneath {
    pub fn open(path: &Path) -> Result<Beneath, Error> {
        let dir = Dir::open_ambient_dir(path, cap_std::ambient_authority()).map_err(|source| Error::Io {
            path: path.to_owned(),
            source,
        })?;
        Ok(Beneath {
            dir,
            path: path.to_owned(),
        })
    }

    /// A regular file; nothing if there is none.
    pub fn file(&self, path: &str) -> Result<Option<std::fs::File>, Error> {
        let mut options = cap_std::fs::OpenOptions::new();
        options.read(true);
        // Opening a pipe must not wait for its writer.
        #[cfg(target_os = "linux")]
        cap_std::fs::OpenOptionsExt::custom_flags(&mut options, 0o4000);
        #[cfg(all(unix, not(target_os = "linux")))]
        cap_std::fs::OpenOptionsExt::custom_flags(&mut options, 0x0004);
        let failed = |source: std::io::Error| Error::Io {
            path: self.path.join(path),
            source,
        };
        let file = match self.dir.open_with(path, &options) {
            Ok(file) => file.into_std(),
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(failed(error)),
        };
        let is_file = file.metadata().map_err(failed)?.is_file();
        Ok(is_file.then_some(file))
    }

    /// The bytes of a file of at most `limit` bytes.
    pub fn read(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, Error> {
        let Some(file) = self.file(path)? else { return Ok(None) };
        let mut bytes = Vec::new();
        let read = file.take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|source| Error::Io {
            path: self.path.join(path),
            source,
        })?;
        if bytes.len() as u64 > limit {
            return Err(Error::TooLarge { what: path.to_owned() });
        }
        Ok(Some(bytes))
    }

    /// A short text file without the white space around it.
    pub fn line(&self, path: &str) -> Result<Option<String>, Error> {
        let bytes = self.read(path, 64 << 10)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()))
    }
}

pub(crate) struct Store {
    packs: RefCell<Option<Rc<Vec<Pack>>>>,
}

impl Store {
    pub fn new() -> Store {
        Store {
            packs: RefCell::default(),
        }
    }

    pub fn object(&self, common: &Beneath, id: Id) -> Result<Object, Error> {
        if let Some(object) = loose(common, id)? {
            return Ok(object);
        }
        for pack in self.packs(common)?.iter() {
            if let Some(offset) = pack.find(id)? {
                return pack.object(offset);
            }
        }
        Err(Error::Missing { id })
    }

    /// The objects whose names begin with some hexadecimal digits; two are enough to know that it is not one.
    pub fn beginning_with(&self, common: &Beneath, digits: &str) -> Result<Vec<Id>, Error> {
        let mut found = Vec::new();
        let digits = digits.to_ascii_lowercase();
        let (dir, rest) = digits.split_at(2);
        if let Ok(entries) = common.dir.read_dir(format!("objects/{dir}")) {
            for entry in entries.flatten() {
                let name = entry.file_name();
                let id = name.to_str().filter(|name| name.starts_with(rest));
                found.extend(id.and_then(|name| Id::from_hex(&format!("{dir}{name}"))));
            }
        }
        for pack in self.packs(common)?.iter() {
            pack.beginning_with(&digits, &mut found)?;
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn packs(&self, common: &Beneath) -> Result<Rc<Vec<Pack>>, Error> {
        if let Some(packs) = &*self.packs.borrow() {
            return Ok(packs.clone());
        }
        let mut names = Vec::new();
        if let Ok(entries) = common.dir.read_dir("objects/pack") {
            for entry in entries.flatten() {
                let name = entry.file_name();
                let name = name.to_str().and_then(|name| name.strip_suffix(".idx"));
                names.extend(name.map(str::to_owned));
            }
        }
        names.sort();
        names.truncate(MAX_PACKS);
        let mut packs = Vec::new();
        for name in names {
            packs.extend(Pack::open(common, &name)?);
        }
        let packs = Rc::new(packs);
        *self.packs.borrow_mut() = Some(packs.clone());
        Ok(packs)
    }
}

fn loose(common: &Beneath, id: Id) -> Result<Option<Object>, Error> {
    let name = id.to_string();
    let path = format!("objects/{}/{}", &name[..2], &name[2..]);
    let Some(packed) = common.read(&path, MAX_OBJECT)? else {
        return Ok(None);
    };
    let damaged = || Error::damaged(format!("object {name}"));
    let mut head = [0; HEADER];
    // As much as fits; that there is more is no mistake.
    let _ = decompress_slice_iter_to_slice(&mut head, std::iter::once(&packed[..]), true, true);
    let end = head.iter().position(|byte| *byte == 0).ok_or_else(damaged)?;
    let mut words = head[..end].split(|byte| *byte == b' ');
    let kind = words.next().and_then(Kind::from_word).ok_or_else(damaged)?;
    let size = words
        .next()
        .and_then(|size| std::str::from_utf8(size).ok()?.parse().ok());
    let size: u64 = size.ok_or_else(damaged)?;
    let whole = inflate(&packed, size + end as u64 + 1, || format!("object {name}"))?;
    Ok(Some(Object {
        kind,
        data: whole[end + 1..].into(),
    }))
}

/// The content of a deflated piece whose size is known.
pub(crate) fn inflate(packed: &[u8], size: u64, what: impl Fn() -> String) -> Result<Vec<u8>, Error> {
    if size > MAX_OBJECT {
        return Err(Error::TooLarge { what: what() });
    }
    let mut data = vec![0; size as usize];
    let done = decompress_slice_iter_to_slice(&mut data, std::iter::once(packed), true, false);
    match done {
        Ok(length) if length as u64 == size => Ok(data),
        _ => Err(Error::damaged(what())),
    }
}

/// `length` bytes at a place of a file, or as many as there are.
pub(crate) fn read_at(file: &mut std::fs::File, at: u64, length: usize) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::with_capacity(length.min(1 << 20));
    file.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
