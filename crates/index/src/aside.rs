//! Bytes that are read through now and then, laid aside in a file without a name. The system can take back the memory of what
//! nobody reads, which it cannot where they are a process' own; and nobody else can cut the file short.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};

/// Fewer bytes are not worth a file.
const MANY_BYTES: usize = 2 << 20;

/// How the names end that files have until they are mapped.
const ENDING: &str = ".aside";

/// The bytes, in a file if they are many and the directory takes one.
pub(crate) fn laid_aside(dir: &Path, bytes: Vec<u8>) -> OwnedBytes {
    // A file that is mapped cannot lose its name on other systems.
    let mapped = (cfg!(unix) && bytes.len() >= MANY_BYTES).then(|| mapped(dir, &bytes));
    match mapped {
        Some(Ok(mapped)) if mapped.len() == bytes.len() => mapped,
        _ => OwnedBytes::new(bytes),
    }
}

fn mapped(dir: &Path, bytes: &[u8]) -> io::Result<OwnedBytes> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}-{number}{ENDING}", std::process::id());
    let path = dir.join(&name);
    let written = File::create_new(&path).and_then(|mut file| file.write_all(bytes));
    let mapped = written.and_then(|()| {
        let dir = MmapDirectory::open(dir).map_err(io::Error::other)?;
        dir.open_read(Path::new(&name)).map_err(io::Error::other)?.read_bytes()
    });
    fs::remove_file(&path)?;
    mapped
}

/// Deletes what a process left that ended in between. One that is just about to map its file keeps the bytes itself.
pub(crate) fn sweep(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().ends_with(ENDING) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_behind() {
        let dir = std::env::temp_dir().join(format!("portolan-aside-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("a directory for the test");
        fs::write(dir.join(format!("1-1{ENDING}")), "of a process that ended").expect("a file");
        sweep(&dir);
        let many: Vec<u8> = (0..MANY_BYTES).map(|at| at as u8).collect();
        let aside = laid_aside(&dir, many.clone());
        assert!(*aside == *many);
        assert_eq!(fs::read_dir(&dir).expect("the directory").count(), 0);
        fs::remove_dir_all(&dir).expect("it can be deleted");
        // What was mapped stays, and where nothing can be written the bytes are kept as they are.
        assert!(*aside == *many);
        assert!(*laid_aside(&dir, many.clone()) == *many);
    }
}
