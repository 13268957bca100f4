//! A pack: many objects in one file, most of them as differences from others, and the list of where each is.

use std::{cell::RefCell, fs::File, path::PathBuf, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    error::Error,
    object::{Id, Kind, Object},
    store::{Beneath, MAX_OBJECT, inflate, read_at},
};

/// Git makes chains of 50, or of 4095 when told to.
const MAX_CHAIN: usize = 5000;
/// Objects that others may be differences from, kept while they are small.
const CACHE_BYTES: usize = 16 << 20;

pub(crate) struct Pack {
    path: PathBuf,
    list: RefCell<File>,
    pack: RefCell<File>,
    pack_size: u64,
    /// How many objects have a name whose first byte is at most this.
    fanout: [u32; 256],
    cache: RefCell<(FxHashMap<u64, Object>, usize)>,
}

const FANOUT_AT: u64 = 8;
const NAMES_AT: u64 = FANOUT_AT + 256 * 4;

impl Pack {
    /// Nothing if one of the two files is gone: git packs again at any time.
    pub fn open(common: &Beneath, name: &str) -> Result<Option<Pack>, Error> {
        let list = common.file(&format!("objects/pack/{name}.idx"))?;
        let pack = common.file(&format!("objects/pack/{name}.pack"))?;
        let (Some(mut list), Some(pack)) = (list, pack) else {
            return Ok(None);
        };
        let path = common.path.join("objects/pack").join(name);
        let failed = |source| Error::Io {
            path: path.clone(),
            source,
        };
        let head = read_at(&mut list, 0, NAMES_AT as usize).map_err(failed)?;
        if head.len() < NAMES_AT as usize || head[..8] != *b"\xfftOc\0\0\0\x02" {
            return Err(Error::Unsupported {
                what: "this version of git's pack index",
            });
        }
        let mut fanout = [0; 256];
        for (count, bytes) in fanout.iter_mut().zip(head[FANOUT_AT as usize..].chunks_exact(4)) {
            *count = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        if !fanout.is_sorted() {
            return Err(Error::damaged(path.display().to_string()));
        }
        let pack_size = pack.metadata().map_err(failed)?.len();
        Ok(Some(Pack {
            path,
            list: list.into(),
            pack: pack.into(),
            pack_size,
            fanout,
            cache: RefCell::default(),
        }))
    }

    fn failed(&self, source: std::io::Error) -> Error {
        Error::Io {
            path: self.path.clone(),
            source,
        }
    }

    fn damaged(&self) -> Error {
        Error::damaged(self.path.display().to_string())
    }

    /// The names that begin with a byte, and the place of the first in the list.
    fn bucket(&self, first: u8) -> Result<(u32, Vec<u8>), Error> {
        let from = match first {
            0 => 0,
            first => self.fanout[first as usize - 1],
        };
        let count = self.fanout[first as usize] - from;
        let at = NAMES_AT + u64::from(from) * 20;
        let names = read_at(&mut self.list.borrow_mut(), at, count as usize * 20);
        let names = names.map_err(|source| self.failed(source))?;
        if names.len() != count as usize * 20 {
            return Err(self.damaged());
        }
        Ok((from, names))
    }

    /// Where an object is.
    pub fn find(&self, id: Id) -> Result<Option<u64>, Error> {
        let (from, names) = self.bucket(id.0[0])?;
        let (names, _) = names.as_chunks::<20>();
        let Ok(at) = names.binary_search(&id.0) else {
            return Ok(None);
        };
        let count = u64::from(self.fanout[255]);
        let at = u64::from(from) + at as u64;
        // Behind the names is a checksum for each.
        let offsets = NAMES_AT + count * 24;
        let offset = u64::from(self.number(offsets + at * 4)?);
        if offset & 0x8000_0000 == 0 {
            return Ok(Some(offset));
        }
        let large = offsets + count * 4 + (offset & 0x7fff_ffff) * 8;
        let high = u64::from(self.number(large)?);
        let low = u64::from(self.number(large + 4)?);
        Ok(Some(high << 32 | low))
    }

    fn number(&self, at: u64) -> Result<u32, Error> {
        let bytes = read_at(&mut self.list.borrow_mut(), at, 4).map_err(|source| self.failed(source))?;
        let bytes: [u8; 4] = bytes.try_into().map_err(|_| self.damaged())?;
        Ok(u32::from_be_bytes(bytes))
    }

    pub fn beginning_with(&self, digits: &str, found: &mut Vec<Id>) -> Result<(), Error> {
        let first = u8::from_str_radix(&digits[..2], 16).map_err(|_| self.damaged())?;
        let (_, names) = self.bucket(first)?;
        let ids = names.as_chunks::<20>().0.iter().map(|name| Id(*name));
        found.extend(ids.filter(|id| id.begins_with(digits)));
        Ok(())
    }

    /// The object at a place.
    pub fn object(&self, offset: u64) -> Result<Object, Error> {
        // From the wanted one down to one that is whole; then up again.
        let mut chain: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut length = 0;
        let mut at = offset;
        let mut object = loop {
            if let Some(known) = self.cache.borrow().0.get(&at) {
                break known.clone();
            }
            let entry = self.entry(at)?;
            // Differences of differences, in a circle perhaps.
            length += entry.data.len() as u64;
            if chain.len() > MAX_CHAIN || length > 2 * MAX_OBJECT {
                return Err(self.damaged());
            }
            let base = match entry.base {
                Base::Whole(kind) => {
                    let object = Object {
                        kind,
                        data: entry.data.into(),
                    };
                    self.keep(at, &object);
                    break object;
                }
                Base::Before(distance) => at.checked_sub(distance),
                // What is on disk has its bases with it; only what travels may leave them out.
                Base::Named(id) => self.find(id)?,
            };
            chain.push((at, entry.data));
            at = base.ok_or_else(|| self.damaged())?;
        };
        while let Some((at, difference)) = chain.pop() {
            object = Object {
                kind: object.kind,
                data: apply(&object.data, &difference).ok_or_else(|| self.damaged())?.into(),
            };
            self.keep(at, &object);
        }
        Ok(object)
    }

    fn keep(&self, at: u64, object: &Object) {
        let (known, bytes) = &mut *self.cache.borrow_mut();
        if *bytes > CACHE_BYTES {
            known.clear();
            *bytes = 0;
        }
        if object.data.len() < CACHE_BYTES / 16 {
            *bytes += object.data.len();
            known.insert(at, object.clone());
        }
    }

    fn entry(&self, at: u64) -> Result<PackEntry, Error> {
        let head = self.bytes(at, 64)?;
        let mut bytes = head.iter().copied();
        let mut next = || bytes.next().ok_or_else(|| self.damaged());
        let first = next()?;
        let mut size = u64::from(first & 0x0f);
        let mut shift = 4;
        let mut byte = first;
        let mut used = 1;
        while byte & 0x80 != 0 {
            byte = next()?;
            used += 1;
            if shift > 57 {
                return Err(self.damaged());
            }
            size |= u64::from(byte & 0x7f) << shift;
            shift += 7;
        }
        let base = match first >> 4 & 7 {
            1 => Base::Whole(Kind::Commit),
            2 => Base::Whole(Kind::Tree),
            3 => Base::Whole(Kind::Blob),
            4 => Base::Whole(Kind::Tag),
            6 => {
                let mut byte = next()?;
                used += 1;
                let mut distance = u64::from(byte & 0x7f);
                while byte & 0x80 != 0 {
                    byte = next()?;
                    used += 1;
                    let more = distance.checked_add(1).filter(|more| *more < 1 << 56);
                    distance = more.ok_or_else(|| self.damaged())? << 7 | u64::from(byte & 0x7f);
                }
                Base::Before(distance)
            }
            7 => {
                let id = head.get(used..used + 20).and_then(Id::from_bytes);
                used += 20;
                Base::Named(id.ok_or_else(|| self.damaged())?)
            }
            _ => return Err(self.damaged()),
        };
        if size > MAX_OBJECT {
            return Err(Error::TooLarge {
                what: self.path.display().to_string(),
            });
        }
        // Deflating never makes anything longer than this.
        let longest = size as usize + size as usize / 1000 + 128;
        let packed = self.bytes(at + used as u64, longest)?;
        let data = inflate(&packed, size, || self.path.display().to_string())?;
        Ok(PackEntry { base, data })
    }

    fn bytes(&self, at: u64, length: usize) -> Result<Vec<u8>, Error> {
        if at >= self.pack_size {
            return Err(self.damaged());
        }
        read_at(&mut self.pack.borrow_mut(), at, length).map_err(|source| self.failed(source))
    }
}

struct PackEntry {
    base: Base,
    data: Vec<u8>,
}

enum Base {
    Whole(Kind),
    /// A difference from what is so many bytes before.
    Before(u64),
    Named(Id),
}

/// What a difference makes of its base.
fn apply(base: &Rc<[u8]>, difference: &[u8]) -> Option<Vec<u8>> {
    let mut rest = difference;
    let mut size = || -> Option<u64> {
        let (mut size, mut shift) = (0u64, 0);
        loop {
            let (byte, more) = rest.split_first()?;
            rest = more;
            size |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(size);
            }
            shift += 7;
            if shift > 56 {
                return None;
            }
        }
    };
    let (from, to) = (size()?, size()?);
    if from != base.len() as u64 || to > MAX_OBJECT {
        return None;
    }
    let mut out = Vec::with_capacity(to as usize);
    while let Some((code, more)) = rest.split_first() {
        rest = more;
        if code & 0x80 != 0 {
            let mut number = |bits: u8, from: u32| -> Option<usize> {
                let mut value = 0;
                for bit in 0..bits {
                    if code >> (from + u32::from(bit)) & 1 != 0 {
                        let (byte, more) = rest.split_first()?;
                        rest = more;
                        value |= usize::from(*byte) << (8 * bit);
                    }
                }
                Some(value)
            };
            let offset = number(4, 0)?;
            let length = match number(3, 4)? {
                0 => 0x10000,
                length => length,
            };
            out.extend_from_slice(base.get(offset..offset.checked_add(length)?)?);
        } else if *code != 0 {
            let (added, more) = rest.split_at_checked(usize::from(*code))?;
            rest = more;
            out.extend_from_slice(added);
        } else {
            return None;
        }
        if out.len() as u64 > to {
            return None;
        }
    }
    (out.len() as u64 == to).then_some(out)
}
