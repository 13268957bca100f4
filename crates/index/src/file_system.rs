//! What kind of file system a directory is on. Where files are kept by another machine or by a program, two things that
//! hold for a local disk do not: the kernel tells of every change, and processes can share memory that is mapped there.

use std::path::Path;

/// What may be relied on in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSystem {
    Local,
    /// Files may change without an event of this kernel, and SQLite's WAL mode is not supported.
    Shared {
        name: &'static str,
    },
}

impl FileSystem {
    /// That of an existing directory. One that cannot be told is taken for local, as most are.
    pub fn of(dir: &Path) -> FileSystem {
        match shared_name(dir) {
            Some(name) => FileSystem::Shared { name },
            None => FileSystem::Local,
        }
    }

    /// That of a directory with everything mounted below it: `Shared` if any part is.
    pub fn of_tree(dir: &Path) -> FileSystem {
        match FileSystem::of(dir) {
            FileSystem::Local => shared_mount_below(dir),
            shared => shared,
        }
    }

    /// `local`, or what people call it.
    pub fn name(self) -> &'static str {
        match self {
            FileSystem::Local => "local",
            FileSystem::Shared { name } => name,
        }
    }
}

/// The numbers of Linux's `statfs(2)`.
#[cfg(any(target_os = "linux", test))]
const SHARED_MAGIC: &[(u32, &str)] = &[
    (0x0000_6969, "NFS"),
    (0x0000_517b, "SMB"),
    (0xfe53_4d42, "SMB"),
    (0xff53_4d42, "CIFS"),
    (0x0102_1997, "9p"),
    (0x6573_5546, "FUSE"),
    (0x5346_414f, "AFS"),
    (0x6b41_4653, "AFS"),
    (0x7375_7245, "Coda"),
    (0x00c3_6400, "Ceph"),
    (0x0bd0_0bd3, "Lustre"),
    (0x0116_1970, "GFS2"),
    (0x7461_636f, "OCFS2"),
    (0x4750_4653, "GPFS"),
    (0x786f_4256, "VirtualBox shared folder"),
    (0xbacb_acbc, "VMware shared folder"),
    (0x7c7c_6673, "Parallels shared folder"),
];

/// Types of mounts, as systems name them; those of FUSE have the program behind a dot.
const SHARED_TYPES: &[(&str, &str)] = &[
    ("nfs", "NFS"),
    ("nfs4", "NFS"),
    ("smb3", "SMB"),
    ("smbfs", "SMB"),
    ("cifs", "CIFS"),
    ("9p", "9p"),
    ("fuse", "FUSE"),
    ("fuseblk", "FUSE"),
    ("macfuse", "FUSE"),
    ("osxfuse", "FUSE"),
    ("virtiofs", "virtiofs"),
    ("afs", "AFS"),
    ("afpfs", "AFP"),
    ("webdav", "WebDAV"),
    ("coda", "Coda"),
    ("ceph", "Ceph"),
    ("lustre", "Lustre"),
    ("gfs2", "GFS2"),
    ("ocfs2", "OCFS2"),
    ("gpfs", "GPFS"),
    ("vboxsf", "VirtualBox shared folder"),
    ("vmhgfs", "VMware shared folder"),
    ("prl_fs", "Parallels shared folder"),
];

#[cfg(any(target_os = "linux", test))]
fn of_magic(magic: u32) -> Option<&'static str> {
    let shared = SHARED_MAGIC.iter().find(|(shared, _)| *shared == magic);
    shared.map(|(_, name)| *name)
}

#[cfg_attr(windows, allow(dead_code, reason = "Windows has no types of mounts"))]
fn of_type(kind: &str) -> Option<&'static str> {
    let program = kind.split('.').next().unwrap_or(kind);
    let shared = SHARED_TYPES.iter().find(|(shared, _)| *shared == program);
    shared.map(|(_, name)| *name)
}

#[cfg(target_os = "linux")]
fn shared_name(dir: &Path) -> Option<&'static str> {
    // The field is signed on some architectures, the numbers are of 32 bits on all.
    of_magic(rustix::fs::statfs(dir).ok()?.f_type as u32)
}

#[cfg(target_vendor = "apple")]
fn shared_name(dir: &Path) -> Option<&'static str> {
    let kind = rustix::fs::statfs(dir).ok()?.f_fstypename;
    let kind: Vec<u8> = kind
        .iter()
        .map(|byte| *byte as u8)
        .take_while(|byte| *byte != 0)
        .collect();
    of_type(std::str::from_utf8(&kind).ok()?)
}

/// A path that the system has resolved names the server, also where the directory has a letter of its own.
#[cfg(windows)]
fn shared_name(dir: &Path) -> Option<&'static str> {
    use std::path::{Component, Prefix};
    let resolved = dir.canonicalize().ok()?;
    match resolved.components().next()? {
        Component::Prefix(prefix) => {
            matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..)).then_some("network share")
        }
        _ => None,
    }
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple", windows)))]
fn shared_name(_: &Path) -> Option<&'static str> {
    None
}

#[cfg(target_os = "linux")]
fn shared_mount_below(dir: &Path) -> FileSystem {
    let mounts = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
    let shared = mounts.split(|byte| *byte == b'\n').find_map(|line| {
        let (path, kind) = mount(line)?;
        let name = of_type(&kind)?;
        path.starts_with(dir).then_some(name)
    });
    shared.map_or(FileSystem::Local, |name| FileSystem::Shared { name })
}

/// Elsewhere events are not relied on, so what is mounted below changes nothing.
#[cfg(not(target_os = "linux"))]
fn shared_mount_below(_: &Path) -> FileSystem {
    FileSystem::Local
}

/// The directory and the type in a line of `mountinfo`: `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`.
#[cfg(target_os = "linux")]
fn mount(line: &[u8]) -> Option<(std::path::PathBuf, String)> {
    use std::os::unix::ffi::OsStringExt;
    let mut fields = line.split(|byte| *byte == b' ');
    let path = unescape(fields.nth(4)?);
    let kind = fields.skip_while(|field| *field != b"-").nth(1)?;
    let path = std::ffi::OsString::from_vec(path);
    Some((path.into(), String::from_utf8_lossy(kind).into_owned()))
}

/// Blanks and backslashes are written as three octal digits: `/with\040blank`.
#[cfg(target_os = "linux")]
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, behind)) = rest.split_first() {
        let escaped = behind.get(..3).filter(|_| *first == b'\\');
        let byte = escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        out.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &behind[3..] } else { behind };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_file_systems_are_known_by_number_and_by_type() {
        assert_eq!(of_magic(0x6969), Some("NFS"));
        assert_eq!(of_magic(0x0102_1997), Some("9p"));
        assert_eq!(of_magic(0x6573_5546), Some("FUSE"));
        // ext4, tmpfs, overlayfs, btrfs
        for local in [0xef53, 0x0102_1994, 0x794c_7630, 0x9123_683e] {
            assert_eq!(of_magic(local), None);
        }
        assert_eq!(of_type("fuse.sshfs"), Some("FUSE"));
        assert_eq!(of_type("nfs4"), Some("NFS"));
        for local in ["ext4", "tmpfs", "overlay", "apfs", "nfsd", "fusectl"] {
            assert_eq!(of_type(local), None, "{local}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn lines_of_mountinfo_are_read() {
        let line = br"36 35 98:0 / /home/a\040b/src rw,noatime shared:1 master:1 - fuse.sshfs host:/ rw";
        let (path, kind) = mount(line).unwrap();
        assert_eq!(
            (path.as_path(), kind.as_str()),
            (Path::new("/home/a b/src"), "fuse.sshfs")
        );
        assert_eq!(mount(b"36 35 98:0 / /mnt rw"), None);
        assert_eq!(unescape(br"\x\134\04"), br"\x\\04");
    }
}
