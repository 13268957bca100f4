//! A store directory: opening it in whatever state it is, and keeping its parts together.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

use rustc_hash::FxHashSet;
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyError, Term};

use crate::{
    aside,
    catalog::{Catalog, Changes, CommitId, Counts, Found, Head},
    error::{StoreError, StoreErrorKind},
    file_table::FileTable,
    mapped::{MappedFiles, Mapper},
    reader::Reader,
    segment::NewSegment,
    text::{self, Fields},
    vectors::{Opened, ReaderVectors, SegmentChanges, VectorSource, Vectors},
    vocabulary,
    writer::Writer,
};

/// Version of everything in the store directory. An older store is rebuilt, a newer one refused.
/// 1: files, facts (lines and chunks), text index with words, parts, cased words and trigrams.
/// 2: no trigrams; chunks that cut a word are marked.
/// 3: facts with symbols, references, imports and local names; chunks by syntax; names of symbols in the text index.
/// 4: facts with counts of arguments; blocks that add to a type in the text index.
/// 5: facts with what calls are given.
/// 6: vectors of chunks; how many names a chunk has.
/// 7: rows and facts are sealed; facts of contents that are not there any more.
/// 8: parameters of Python that take all that is left, where their type is written.
/// 9: the chunks of a file follow each other in the text index; looking for facts passes over no others.
/// 10: facts with steps to elements, tests of types, what methods of Go take.
/// 11: constants of cases, elements of C++, what `new` says of a type, methods of classes themselves.
/// 12: one vector for small neighbours; words of a path once a file.
/// 13: what calls are given in Python, TypeScript and Go; parameters without names.
/// 14: pointers in types of C++, and in what its calls are given.
/// 15: elements of values that have an indexer, and what wraps a property, in three languages.
/// 16: attributes of elements in TypeScript say whose they are; methods that are handed over in PHP.
/// 17: what a file of Lua is to others; names that `module.exports` shares.
/// 18: keys of objects, patterns in parameters of TypeScript, maps of Go, paths in macros of Rust, what classes without
/// names of Java are made with.
/// 19: what literals of TypeScript say of themselves and where they are put; fields of a class itself beside those of its values.
/// 20: what is called itself in TypeScript; what functions give back that they write out; tests of which one of several holds.
/// 21: what a function of C or C++ declares to be elsewhere is none of its own.
/// 22: steps at operators, elements of arrays and channels; tests of members; conditions of files.
/// 23: a type that a `typedef` names by the name it has; what functions without names are handed in Kotlin, C#, Scala and
/// Swift; functions of C that conditions cut through, and members that its lists name; keys of types in backticks, parts of
/// types in TypeScript that are worked out; private imports of Rust.
/// 24: what is done in a loop that a macro of C makes.
/// 25: terms that are only looked up are short.
/// 26: keys of objects that are fields of classes, or are copied or frozen; names that patterns of JavaScript bind to computed
/// keys, what functions of it are handed that take lists apart, and give back to `map`; what variables of C++ are made with
/// and given in conditions, macros that stand alone; paths of traits in Rust; imports of Bash, Clojure, Dart,
/// Elixir, Erlang, Haskell, OCaml, Perl and R; clauses of functions.
/// 27: functions of C and C++ with macros around their types, and what is in blocks that macros begin; classes that
/// calls are given in Kotlin, PHP and Swift; variables of PHP that comments and `assert` speak of; symbols of Ruby
/// that calls are given; names in Scala 2 that are words of Scala 3; types that comments of JavaScript define, import
/// and name; items in macros of Rust with parentheses or in other macros, and what heads of functions in macros are
/// given; values that variables of JavaScript and TypeScript are given behind their declaration; methods of Python
/// under any decorator that makes a property are properties.
/// 28: files that a build fills in have the language of the result; what functions that are parameters of C and C++ are
/// given is no parameter; variables of C++ with macros before their types and behind their names, and with attributes
/// before their values; macros that are types in headers; types that blocks of Rust are for; lists that Python makes one
/// by one, and what it gives several names at once; the language's own types in comments of JavaScript, and values that
/// its prototypes have; what is given by name where a class of Kotlin names its base; what symbols of Ruby are asked of.
/// 29: tuples and maps that Python writes out, names inside of patterns and behind stars, fields among several names
/// that are given a value, paths in patterns, fields of named tuples; classes of JavaScript and TypeScript that have the
/// name of what they are given to, members that are added to objects and functions, words of the language in lists of
/// exports, casts, and parts of lists that are taken apart; what macros of C are given, and casts of C++ that are
/// functions; how many values lambdas of Java take; parts of sources of C and C++ that end in `.inc`.
/// 30: the text index names no tokenizers; members that macros of C declare; other names of types of C that are said more
/// of; both values of conditions of Ruby and of those in brackets; fields of Python that are declared behind their
/// value; what calls of React's hooks are given; how many types calls of Kotlin are given, and its words
/// as names; casts of C#.
/// 31: vectors know the first letters of words that are longer than any the text index has.
/// 32: commits have a random token; keys of words are longer; files say which version of their language's extraction they
/// have; facts of contents that are gone are bounded by their size.
/// 33: facts keep what is known of places apart from local names, and steps apart from members.
/// 34: where types of names are known from is told by its kind, and what is expected of literals too.
pub const FORMAT: u32 = 34;

/// What is said of vectors that are missing or not as they were written.
const VECTORS: &str = "a file of vectors";

/// How long a reader waits for another process that is between its two commits.
const SETTLE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(2);
/// How often a reader begins anew: one that was there while another process did so may do it once more.
const MAX_BEGINNINGS: usize = 3;
/// How many times longer than it took to make a snapshot of an unfinished index is used.
const COST_TO_AGE: u32 = 10;

pub struct Store {
    pub(crate) dir: PathBuf,
    fingerprint: String,
    /// Which beginning of the catalog this process knows of; see `start_over`.
    beginning: Mutex<Option<String>>,
    /// The connection of readers. A writer has its own, so that no reader waits for what it stages.
    pub(crate) catalog: Arc<Mutex<Catalog>>,
    /// Held by whoever makes a commit visible, and by whoever opens one: the parts agree while it is held.
    visibility: Mutex<()>,
    pub(crate) text: Index,
    pub(crate) fields: Fields,
    reader: IndexReader,
    /// Absent where no model is there to make them: those of an earlier one then stay as they are.
    pub(crate) vectors: Option<Vectors>,
    mapper: Mapper,
    /// A file of vectors was thrown away, and what it held is not made anew yet.
    lost_vectors: AtomicBool,
    /// The snapshot of the newest generation that this process has seen.
    current: Mutex<Option<Current>>,
    /// Someone waits for the last commit of an unfinished index.
    awaited: AtomicBool,
    /// The files of the newest generation that this process has read or written.
    files: Mutex<Option<(Head, Arc<FileTable>)>>,
    /// Says to others that somebody works with it, as long as it lives; absent where files cannot be locked.
    _used: Option<File>,
}

struct Current {
    reader: Arc<Reader>,
    made: Instant,
    /// How long that took.
    cost: Duration,
}

/// The right to write. Ends with the process that holds it, however that ends.
pub(crate) struct WriteLock {
    _file: File,
}

/// See `Store::vector_turn`.
pub struct VectorTurn {
    _held: WriteLock,
}

impl Current {
    /// Whether it is the newest commit, or as good as that: while a first index is made each commit is a part of it, and
    /// looking at each costs more than all are worth.
    fn will_do(&self, head: Head, is_awaited: bool) -> bool {
        let is_part = !head.complete && !self.reader.head.complete && self.reader.head.id.generation > 0 && !is_awaited;
        self.reader.head == head || (is_part && self.made.elapsed() < self.cost * COST_TO_AGE)
    }
}

impl Store {
    /// Opens the store in `dir`, creating it if it is not there. `fingerprint` stands for the settings that shape its
    /// content: a store made with others, by an older version, or damaged, is emptied and will be filled again. So are
    /// files without vectors, if `vectors` says that all have some.
    pub fn open(dir: &Path, fingerprint: &str, vectors: Option<VectorSource>) -> Result<Store, StoreError> {
        Self::open_inner(dir, fingerprint, vectors).map_err(|kind| kind.at(dir))
    }

    fn open_inner(dir: &Path, fingerprint: &str, vectors: Option<VectorSource>) -> Result<Store, StoreErrorKind> {
        create_cache_dir(dir)?;
        let used = hold(dir);
        aside::sweep(dir);
        let catalog = match open_catalog(dir, fingerprint, None) {
            Err(kind) if kind.is_damage() => {
                tracing::warn!(dir = %dir.display(), error = %kind, "the catalog is damaged and is made anew");
                let held = lock(dir, SETTLE)?;
                // Another process may have made it anew meanwhile.
                if open_catalog(dir, fingerprint, Some(&held)).is_err_and(|kind| kind.is_damage()) {
                    remove_files(dir)?;
                }
                open_catalog(dir, fingerprint, Some(&held))?
            }
            opened => opened?,
        };
        let mapper = Mapper::default();
        let open = || -> Result<(Index, Fields, IndexReader), StoreErrorKind> {
            let (text, fields) = text::open(&dir.join("text"))?;
            mapper.open(text::files(&text, dir)?, &text::meta(dir), |path| {
                text::is_sound(&text, path)
            })?;
            // This opens every segment, so one that is missing or cut short is noticed here.
            let reader = text::contained(|| text.reader_builder().reload_policy(ReloadPolicy::Manual).try_into())?;
            Ok((text, fields, reader))
        };
        let there = if text::meta(dir).exists() {
            open()
        } else {
            Err(StoreErrorKind::Damaged { what: "the text index" })
        };
        let (text, fields, reader) = match there {
            Ok(opened) => opened,
            Err(kind) if !kind.is_damage() => return Err(kind),
            Err(_) => {
                let _lock = lock(dir, SETTLE)?;
                // One that is not there is begun now. Another process may have done so meanwhile.
                match open() {
                    Err(kind) if kind.is_damage() => {
                        tracing::warn!(dir = %dir.display(), error = %kind, "the text index is damaged and is made anew");
                        remove_dir(&dir.join("text"))?;
                        open()?
                    }
                    opened => opened?,
                }
            }
        };
        let vectors = vectors
            .map(|source| Vectors::open(dir.join("vectors"), source))
            .transpose()?;
        Ok(Store {
            dir: dir.to_owned(),
            fingerprint: fingerprint.to_owned(),
            beginning: Mutex::new(catalog.beginning()?),
            catalog: Arc::new(Mutex::new(catalog)),
            visibility: Mutex::new(()),
            text,
            fields,
            reader,
            vectors,
            mapper,
            lost_vectors: AtomicBool::new(false),
            current: Mutex::new(None),
            awaited: AtomicBool::new(false),
            files: Mutex::new(None),
            _used: used,
        })
    }

    /// The newest commit. Never half of one: while a writer is between its two halves this waits, and finishes the
    /// work of a writer that died there.
    ///
    /// What is damaged is thrown away: the reader is then an empty one, to be filled again.
    pub fn reader(&self) -> Result<Arc<Reader>, StoreError> {
        let mut reader = self.reader_inner();
        for _ in 0..MAX_BEGINNINGS {
            match reader {
                Err(kind) if kind.is_damage() => reader = self.start_over(&kind).and_then(|()| self.reader_inner()),
                _ => break,
            }
        }
        reader.map_err(|kind| kind.at(&self.dir))
    }

    /// Opens a commit, if none is open, for whoever asks next. What is wrong with it is left to them.
    pub fn open_ahead(&self) {
        let is_open = self.current.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if !is_open {
            let _ = self.reader_inner();
        }
    }

    fn reader_inner(&self) -> Result<Arc<Reader>, StoreErrorKind> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + SETTLE;
        let mut is_awaited = false;
        loop {
            self.follow()?;
            // Before the head, which then is what is waited for, or later.
            is_awaited |= self.awaited.swap(false, Ordering::SeqCst);
            let head = self.catalog().head()?;
            if let Some(known) = current.as_ref().filter(|known| known.will_do(head, is_awaited)) {
                if !known.reader.mapped.are_as_they_were() {
                    *current = None;
                    return Err(StoreErrorKind::Damaged {
                        what: "a file of the index",
                    });
                }
                return Ok(known.reader.clone());
            }
            let began = Instant::now();
            let previous = current.as_ref().map(|known| &*known.reader);
            if let Some(reader) = self.try_snapshot(previous, true)? {
                let reader = Arc::new(reader);
                let made = Instant::now();
                *current = Some(Current {
                    reader: reader.clone(),
                    made,
                    cost: made - began,
                });
                return Ok(reader);
            }
            match lock(&self.dir, Duration::ZERO) {
                Ok(held) => self.reconcile(&held)?,
                Err(StoreErrorKind::Busy) if Instant::now() < deadline => std::thread::sleep(POLL),
                // Someone holds the lock for long in between: the last whole commit is still true to itself.
                Err(StoreErrorKind::Busy) if current.is_some() => {
                    let known = current.as_ref().expect("checked by the guard");
                    return Ok(known.reader.clone());
                }
                // Another process, without our model, is at work: words can be searched until it is our turn.
                Err(StoreErrorKind::Busy) => {
                    let reader = self.try_snapshot(None, false)?;
                    return reader.map(Arc::new).ok_or(StoreErrorKind::Busy);
                }
                Err(kind) => return Err(kind),
            }
        }
    }

    /// The next reader is of the last commit, even if the index is unfinished.
    pub fn await_commit(&self) {
        self.awaited.store(true, Ordering::SeqCst);
    }

    /// A snapshot, if all parts are of one commit. It shares what the previous one knows of their segments.
    fn try_snapshot(&self, previous: Option<&Reader>, with_vectors: bool) -> Result<Option<Reader>, StoreErrorKind> {
        // Reading the files of a large repository may take longer than the next batch of a first index: the commit that
        // follows waits for it, or there would never be a snapshot.
        let _visible = self.visibility.lock().unwrap_or_else(PoisonError::into_inner);
        let mut catalog = self.catalog();
        let (head, files) = self.files_in(&mut catalog)?;
        if text::commit_id(&self.text)? != head.id {
            return Ok(None);
        }
        let vectors = match self.vectors.as_ref().filter(|_| with_vectors) {
            None => None,
            Some(vectors) => {
                let (id, rows) = catalog.vectors()?;
                if id != head.id {
                    return Ok(None);
                }
                let Opened { usable, unusable } = vectors.segments(&rows);
                if !unusable.is_empty() || vectors.have_lost(&files, &usable, previous) {
                    return Ok(None);
                }
                Some(ReaderVectors {
                    source: vectors.source.clone(),
                    segments: usable,
                })
            }
        };
        let mapped = self.mapped(vectors.as_ref())?;
        text::contained(|| self.reader.reload())?;
        // Unchanged before and after the reload: what was loaded is this commit.
        if text::commit_id(&self.text)? != head.id {
            return Ok(None);
        }
        let searcher = self.reader.searcher();
        let memos = vocabulary::of_segments(&searcher, previous);
        Ok(Some(Reader {
            head,
            mapped,
            files,
            searcher,
            fields: self.fields,
            memos,
            vectors,
            catalog: self.catalog.clone(),
            dir: self.dir.clone(),
        }))
    }

    /// The files that a reader of the last commit maps.
    fn mapped(&self, vectors: Option<&ReaderVectors>) -> Result<MappedFiles, StoreErrorKind> {
        let mut paths = text::files(&self.text, &self.dir)?;
        if let (Some(vectors), Some(of)) = (&self.vectors, vectors) {
            paths.extend(vectors.paths(&of.segments));
        }
        let is_sound = |path: &Path| {
            let of_vectors = self.vectors.as_ref().and_then(|vectors| vectors.is_sound(path));
            of_vectors.unwrap_or_else(|| text::is_sound(&self.text, path))
        };
        self.mapper.open(paths, &text::meta(&self.dir), is_sound)
    }

    /// Reads everything and compares it with what was written. True if it was not so: then the store is empty now, and
    /// will be filled again.
    pub fn mend(&self) -> Result<bool, StoreError> {
        let damage = match self.verify() {
            Ok(()) => return Ok(false),
            Err(kind) if kind.is_damage() => kind,
            Err(kind) => return Err(kind.at(&self.dir)),
        };
        self.start_over(&damage).map_err(|kind| kind.at(&self.dir))?;
        Ok(true)
    }

    fn verify(&self) -> Result<(), StoreErrorKind> {
        self.follow()?;
        self.catalog().verify()?;
        if !self.text.validate_checksum()?.is_empty() {
            return Err(StoreErrorKind::Damaged { what: "the text index" });
        }
        let rows = match &self.vectors {
            Some(_) => self.catalog().vectors()?.1,
            None => Vec::new(),
        };
        if let Some(vectors) = &self.vectors {
            let segments = vectors.segments(&rows).usable;
            let is_gone = vectors.paths(&segments).iter().any(|path| !path.exists());
            // Another process may have merged them meanwhile.
            let is_lost = is_gone && self.catalog().vectors()?.1 == rows;
            if is_lost || segments.iter().any(|segment| segment.verify().is_err()) {
                return Err(StoreErrorKind::Damaged { what: VECTORS });
            }
        }
        Ok(())
    }

    /// Whether a file of vectors was missing or damaged, and the index is not complete again yet.
    pub fn has_lost_vectors(&self) -> bool {
        self.lost_vectors.load(Ordering::Relaxed)
    }

    /// Another process may have begun with a new catalog.
    fn follow(&self) -> Result<(), StoreErrorKind> {
        let path = self.dir.join("catalog.db");
        let mut catalog = self.catalog();
        if !catalog.is_at(&path) {
            create_cache_dir(&self.dir)?;
            match Catalog::open(&path, FORMAT)? {
                Found::Current(opened) => *catalog = opened,
                Found::Older(..) => return Err(StoreErrorKind::Damaged { what: "the catalog" }),
            }
            if catalog.fingerprint()?.is_none() {
                catalog.reset(FORMAT, &self.fingerprint)?;
            }
            *self.known_files() = None;
        }
        Ok(())
    }

    /// Throws everything away that can be made again, unless another process has done so since this one last looked: then
    /// the damage is what was seen of that.
    fn start_over(&self, damage: &StoreErrorKind) -> Result<(), StoreErrorKind> {
        let _lock = lock(&self.dir, SETTLE)?;
        let is_followed = self.follow().is_ok();
        let beginning = self.catalog().beginning();
        let mut known = self.beginning.lock().unwrap_or_else(PoisonError::into_inner);
        match beginning {
            Ok(beginning) if is_followed && beginning != *known => *known = beginning,
            _ => {
                drop(known);
                return self.throw_away(damage);
            }
        }
        drop(known);
        self.forget();
        Ok(())
    }

    /// Only while the lock is held.
    fn throw_away(&self, damage: &StoreErrorKind) -> Result<(), StoreErrorKind> {
        tracing::warn!(dir = %self.dir.display(), error = %damage, "the index is damaged and is made anew");
        if matches!(damage, StoreErrorKind::Damaged { what: VECTORS }) {
            self.lost_vectors.store(true, Ordering::Relaxed);
        }
        let mut catalog = self.catalog();
        self.begin_anew(&mut catalog)?;
        *self.beginning.lock().unwrap_or_else(PoisonError::into_inner) = catalog.beginning()?;
        drop(catalog);
        self.forget();
        Ok(())
    }

    /// What this process knows of an index that is no more.
    fn forget(&self) {
        self.mapper.forget();
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = None;
        *self.known_files() = None;
    }

    /// Only while the lock is held.
    fn begin_anew(&self, catalog: &mut Catalog) -> Result<(), StoreErrorKind> {
        let path = self.dir.join("catalog.db");
        if catalog.reset(FORMAT, &self.fingerprint).is_err() || catalog.verify().is_err() {
            // Closed before its files go: closing deletes files by name.
            *catalog = Catalog::nowhere()?;
            remove_files(&self.dir)?;
            if let Found::Current(opened) = Catalog::open(&path, FORMAT)? {
                *catalog = opened;
            }
            catalog.reset(FORMAT, &self.fingerprint)?;
        }
        remove_dir(&self.dir.join("text"))?;
        text::open(&self.dir.join("text"))?;
        Ok(())
    }

    /// Brings the parts together after a writer died between them, or one was damaged: what not all of them know is
    /// forgotten, so that the next refresh indexes it again. Nothing to do where all parts are of one commit.
    fn reconcile(&self, _held: &WriteLock) -> Result<(), StoreErrorKind> {
        let (head, files) = self.files()?;
        let text_commit = text::commit_id(&self.text)?;
        let is_same_commit = text_commit == head.id;
        if is_same_commit && self.has_opened(head) {
            return Ok(());
        }
        let (mut segments, mut unvectored) = (SegmentChanges::default(), FxHashSet::default());
        if let Some(vectors) = &self.vectors {
            let Opened { usable, unusable } = vectors.segments(&self.catalog().vectors()?.1);
            segments.dropped = unusable;
            unvectored = vectors.lost(&files, &usable);
        }
        if !segments.dropped.is_empty() {
            self.lost_vectors.store(true, Ordering::Relaxed);
        }
        if is_same_commit && segments.dropped.is_empty() && unvectored.is_empty() {
            return Ok(());
        }
        // One that was emptied since it was made with other settings has nothing to lose.
        if !files.is_empty() {
            tracing::warn!(dir = %self.dir.display(), commit = %head.id, "mending an index whose parts differ");
        }
        let mut writer = text::writer(&self.text)?;
        let mut catalog = self.write_catalog()?;
        // Between two commits that follow each other an id means the same content. Between any others it need not.
        let known = match is_same_commit || text_commit == catalog.parent()? {
            true => {
                self.reader.reload()?;
                self.ids_in_text()?
            }
            false => {
                writer.delete_all_documents()?;
                FxHashSet::default()
            }
        };
        let is_gone = |id: &&u64| files.by_id(**id).is_none() || unvectored.contains(id);
        for id in known.iter().filter(is_gone) {
            writer.delete_term(Term::from_field_u64(self.fields.file, *id));
        }
        let lost = files
            .indexed()
            .filter(|row| row.chunks() > 0 && (!known.contains(&row.id) || unvectored.contains(&row.id)))
            .map(|row| row.id)
            .collect();
        let changes = Changes {
            id: CommitId::new(head.id.generation + 1),
            removed: lost,
            next_id: catalog.next_id()?,
            complete: false,
            ..Changes::default()
        };
        self.commit_all(&mut catalog, &mut writer, Vec::new(), Some(&files), &changes, || {
            Ok(segments)
        })?;
        writer.wait_merging_threads()?;
        Ok(())
    }

    /// Whether this process has a snapshot of that commit, so that its parts are known to agree. Does not wait: whoever is
    /// opening one may wait for the lock that the caller holds.
    fn has_opened(&self, head: Head) -> bool {
        let current = self.current.try_lock();
        current.is_ok_and(|current| current.as_ref().is_some_and(|known| known.reader.head == head))
    }

    /// The connection of a writer. Only while the lock is held: the catalog is not replaced then.
    pub(crate) fn write_catalog(&self) -> Result<Catalog, StoreErrorKind> {
        match Catalog::open(&self.dir.join("catalog.db"), FORMAT)? {
            Found::Current(catalog) => Ok(catalog),
            Found::Older(..) => Err(StoreErrorKind::Damaged { what: "the catalog" }),
        }
    }

    /// Vectors, the catalog, the text index, in this order: the catalog decides whether the commit happened. Given the
    /// files before it, this process need not read those after it.
    pub(crate) fn commit_all(
        &self,
        catalog: &mut Catalog,
        writer: &mut IndexWriter,
        new: Vec<NewSegment>,
        files: Option<&FileTable>,
        changes: &Changes,
        write_vectors: impl FnOnce() -> Result<SegmentChanges, StoreErrorKind>,
    ) -> Result<SegmentChanges, StoreErrorKind> {
        let head = Head {
            id: changes.id,
            complete: changes.complete,
            committed_at: changes.committed_at,
        };
        // The others write while the text index writes its segments: a first index spends a while on all of them.
        std::thread::scope(|scope| {
            let text = scope.spawn(|| text::prepare(writer, new));
            let vectors = write_vectors();
            let staged = vectors.and_then(|vectors| Ok((catalog.stage(changes, &vectors)?, vectors)));
            let after = files.map(|files| (head, Arc::new(files.after(changes))));
            let mut prepared = text
                .join()
                .map_err(|_| TantivyError::ErrorInThread("preparing a commit".into()))??;
            prepared.set_payload(&changes.id.to_string());
            let _visible = self.visibility.lock().unwrap_or_else(PoisonError::into_inner);
            match staged.and_then(|(staged, vectors)| Ok((staged.commit()?, vectors))) {
                Ok(((), vectors)) => {
                    *self.known_files() = after;
                    prepared.commit()?;
                    if changes.complete {
                        self.lost_vectors.store(false, Ordering::Relaxed);
                    }
                    Ok(vectors)
                }
                Err(kind) => {
                    prepared.abort()?;
                    Err(kind)
                }
            }
        })
    }

    fn ids_in_text(&self) -> Result<FxHashSet<u64>, StoreErrorKind> {
        let searcher = self.reader.searcher();
        let mut ids = FxHashSet::default();
        for segment in searcher.segment_readers() {
            let column = segment.fast_fields().u64("file")?;
            for doc in segment.doc_ids_alive() {
                ids.extend(column.first(doc));
            }
        }
        Ok(ids)
    }

    /// The format of the store in `dir`; `None` if there is none that can be read.
    pub fn format_in(dir: &Path) -> Option<u32> {
        let path = dir.join("catalog.db");
        path.exists().then(|| Catalog::format_of(&path).ok()).flatten()
    }

    /// What the settings are called that the store in `dir` was made with; `None` if there is none that can be read.
    pub fn fingerprint_in(dir: &Path) -> Option<String> {
        let path = dir.join("catalog.db");
        let catalog = path.exists().then(|| Catalog::open_to_read(&path, FORMAT)).flatten();
        catalog?.fingerprint().ok()?
    }

    /// What the store in `dir` holds, without opening its text index; `None` if there is none that can be read.
    pub fn counts_in(dir: &Path) -> Option<Counts> {
        let path = dir.join("catalog.db");
        let catalog = path.exists().then(|| Catalog::open_to_read(&path, FORMAT)).flatten();
        catalog?.counts().ok()
    }

    /// Changes with every commit to the store in `dir`: what was counted of it holds for as long as this is the same.
    pub fn stamp_of(dir: &Path) -> Vec<(u64, Option<SystemTime>)> {
        let files = ["catalog.db", "catalog.db-wal"].map(|name| std::fs::metadata(dir.join(name)));
        let stamps = files.into_iter().flatten();
        stamps.map(|file| (file.len(), file.modified().ok())).collect()
    }

    /// Whether somebody has the store in `dir` open, this process or another.
    pub fn is_used(dir: &Path) -> bool {
        let file = File::options().write(true).open(dir.join(USED));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// When somebody opened the store in `dir` last. Versions that did not note that have written the catalog.
    pub fn used_at(dir: &Path) -> Option<SystemTime> {
        let metadata = std::fs::metadata(dir.join(USED)).or_else(|_| std::fs::metadata(dir.join("catalog.db")));
        metadata.ok()?.modified().ok()
    }

    /// The right to make vectors that are brought later; `None` if another process is at it.
    pub fn vector_turn(&self) -> Result<Option<VectorTurn>, StoreError> {
        match lock_file(&self.dir, "vectors.lock", Duration::ZERO) {
            Ok(held) => Ok(Some(VectorTurn { _held: held })),
            Err(StoreErrorKind::Busy) => Ok(None),
            Err(kind) => Err(kind.at(&self.dir)),
        }
    }

    /// Takes the writer lock, waiting at most `patience`, and begins a commit.
    pub fn writer(&self, patience: Duration) -> Result<Writer<'_>, StoreError> {
        let held = lock(&self.dir, patience).map_err(|kind| kind.at(&self.dir))?;
        let begin = || {
            self.follow()?;
            // Readers have it open, and need not notice that it was deleted.
            if !text::meta(&self.dir).exists() {
                self.throw_away(&StoreErrorKind::Damaged { what: "the text index" })?;
            }
            // The last writer may have died between the parts of its commit, and nobody has read since.
            self.reconcile(&held)?;
            Writer::begin(self, held)
        };
        begin().map_err(|kind| kind.at(&self.dir))
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Bytes on disk.
    pub fn size(&self) -> u64 {
        dir_size(&self.dir)
    }

    /// The head and its files, read only if another process has made them.
    pub(crate) fn files(&self) -> Result<(Head, Arc<FileTable>), StoreErrorKind> {
        self.files_in(&mut self.catalog())
    }

    fn files_in(&self, catalog: &mut Catalog) -> Result<(Head, Arc<FileTable>), StoreErrorKind> {
        let head = catalog.head()?;
        let mut known = self.known_files();
        if let Some((_, files)) = known.as_ref().filter(|(known, _)| *known == head) {
            return Ok((head, files.clone()));
        }
        let (head, files) = catalog.load()?;
        let files = Arc::new(files);
        *known = Some((head, files.clone()));
        Ok((head, files))
    }

    fn known_files(&self) -> MutexGuard<'_, Option<(Head, Arc<FileTable>)>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn catalog(&self) -> MutexGuard<'_, Catalog> {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the last commit was the end of an indexing run, without opening it.
    pub fn is_complete(&self) -> Result<bool, StoreError> {
        let head = self.follow().and_then(|()| self.head());
        Ok(head.map_err(|kind| kind.at(&self.dir))?.complete)
    }

    pub(crate) fn head(&self) -> Result<Head, StoreErrorKind> {
        self.catalog().head()
    }
}

/// The catalog in `dir`, emptied if it was made by an older version or with other settings.
fn open_catalog(dir: &Path, fingerprint: &str, held: Option<&WriteLock>) -> Result<Catalog, StoreErrorKind> {
    let (mut catalog, stale) = match Catalog::open(&dir.join("catalog.db"), FORMAT)? {
        Found::Current(catalog) => {
            let stale = catalog.fingerprint()?.as_deref() != Some(fingerprint);
            (catalog, stale)
        }
        Found::Older(catalog, found) => {
            tracing::info!(dir = %dir.display(), found, "the index has an older format and is made anew");
            (catalog, true)
        }
    };
    if stale {
        if held.is_none() {
            // Looked at again: another process may have emptied it meanwhile, and be filling it.
            return open_catalog(dir, fingerprint, Some(&lock(dir, SETTLE)?));
        }
        catalog.reset(FORMAT, fingerprint)?;
        remove_dir(&dir.join("text"))?;
    }
    Ok(catalog)
}

/// Whoever has the store open shares the lock of this file.
const USED: &str = "used";

fn hold(dir: &Path) -> Option<File> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(dir.join(USED))
        .ok()?;
    // That it was opened counts, also where nobody can be told that it still is.
    let _ = file.set_modified(SystemTime::now());
    file.lock_shared().ok()?;
    Some(file)
}

pub(crate) fn lock(dir: &Path, patience: Duration) -> Result<WriteLock, StoreErrorKind> {
    lock_file(dir, "lock", patience)
}

fn lock_file(dir: &Path, name: &str, patience: Duration) -> Result<WriteLock, StoreErrorKind> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(dir.join(name))?;
    let deadline = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(WriteLock { _file: file }),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => std::thread::sleep(POLL),
            Err(TryLockError::WouldBlock) => return Err(StoreErrorKind::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}

/// Makes a directory that only its owner can read: index contents are as private as the code they come from.
pub fn create_private_dir(dir: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// A private directory that says it can be made anew: backups and indexers, this one too, pass over it.
fn create_cache_dir(dir: &Path) -> std::io::Result<()> {
    create_private_dir(dir)?;
    let tag = dir.join("CACHEDIR.TAG");
    match tag.exists() {
        true => Ok(()),
        false => std::fs::write(
            tag,
            "Signature: 8a477f597d28d172789f06886806bc55\n# A code index of Portolan's.\n",
        ),
    }
}

fn remove_files(dir: &Path) -> Result<(), StoreErrorKind> {
    for name in ["catalog.db", "catalog.db-wal", "catalog.db-shm"] {
        match std::fs::remove_file(dir.join(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    remove_dir(&dir.join("text"))
    // Vectors that no catalog knows are deleted by the next writer.
}

fn remove_dir(dir: &Path) -> Result<(), StoreErrorKind> {
    use std::io::ErrorKind::{DirectoryNotEmpty, NotFound, PermissionDenied};
    // Readers of other processes make lock files there, and on Windows keep a file that they have open from being deleted.
    let may_pass =
        |error: &std::io::Error| error.kind() == DirectoryNotEmpty || cfg!(windows) && error.kind() == PermissionDenied;
    let deadline = Instant::now() + SETTLE;
    loop {
        match std::fs::remove_dir_all(dir) {
            Err(error) if may_pass(&error) && Instant::now() < deadline => std::thread::sleep(POLL),
            Err(error) if error.kind() != NotFound => return Err(error.into()),
            _ => return Ok(()),
        }
    }
}

/// Bytes of all files below a directory.
pub fn dir_size(dir: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(dir) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => dir_size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}
