//! A store in a temporary directory, and small files that are added to it.

use std::{fs, path::Path, time::Duration};

use index::{NewFile, Store, Writer, content_hash};
use source::Stat;
use syntax::{ChunkOptions, file_facts, lang_by_name};
use tantivy::Term;

pub const PATIENCE: Duration = Duration::from_secs(10);

pub fn open(dir: &Path) -> Store {
    Store::open(dir, "settings", None).expect("the store opens")
}

/// Adds a file of Rust, or puts it in the place of what has that path.
pub fn put(writer: &Writer<'_>, path: &str, text: &str) {
    let lang = lang_by_name("rust").expect("Rust is known");
    let facts = file_facts(lang, text, ChunkOptions { size: 512, overlap: 64 });
    if let Some(old) = writer.files().by_path(path) {
        writer.remove(old);
    }
    let stat = Stat {
        size: text.len() as u64,
        mtime_ns: 1,
        ctime_ns: 1,
        inode: 1,
    };
    let added = writer.add(NewFile {
        id: writer.reserve_ids(1),
        path,
        lang,
        stat,
        checked_ns: i64::MAX,
        hash: content_hash(lang, text.as_bytes()),
        body: Ok((text, &facts, None)),
    });
    added.expect("a file is added");
}

/// One commit with one file.
pub fn commit(store: &Store, path: &str, text: &str) {
    let mut writer = store.writer(PATIENCE).expect("nobody else writes");
    put(&writer, path, text);
    writer.commit(true, 0).expect("it commits");
    writer.finish().expect("it ends");
}

/// The paths that the catalog has, each of which the text index must have too.
pub fn searchable(store: &Store) -> Vec<String> {
    let reader = store.reader().expect("the store can be read");
    let rows = reader.files().indexed().filter(|row| row.chunks() > 0);
    let paths = rows.map(|row| {
        let of_file = Term::from_field_u64(reader.fields().file, row.id);
        let n_docs = reader
            .searcher()
            .doc_freq(&of_file)
            .expect("the text index can be read");
        assert!(n_docs > 0, "{} is in the catalog and cannot be searched", row.path);
        row.path.to_string()
    });
    paths.collect()
}

pub fn replace(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    copy(from, to);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let to = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &to),
            false => drop(fs::copy(&path, &to).expect("a file")),
        }
    }
}
