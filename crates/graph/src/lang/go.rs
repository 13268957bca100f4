//! Go.

mod literals;
pub(crate) mod modules;

use syntax::{LangId, Qualifier, Reference, Role};

use crate::{
    engine::{
        meaning::Meaning,
        resolver::{At, Resolver},
    },
    files::{FileIdx, Files},
    lang::{Built, DEFAULT, LanguageRules, Semantics, same_dir},
};

pub(crate) struct Go;

impl LanguageRules for Go {
    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    fn special_meaning(&self, resolver: &Resolver<'_>, place: At<'_>, reference: &Reference) -> Option<Meaning> {
        match (reference.role, reference.on) {
            (Role::Member, Qualifier::Path(ty)) => Some(resolver.literal_key(place, reference, ty)),
            _ => None,
        }
    }

    fn type_argument_openers(&self, _: bool) -> &'static [&'static str] {
        &["[", "[*"]
    }
}

static SEMANTICS: Semantics = Semantics {
    derived_from: &[],
    languages: &[LangId::Go],
    is_strict: true,
    has_open_types: true,
    implicit_interfaces: true,
    library_methods: LIBRARY,
    hides_package: true,
    has_defined_types: true,
    names_package: true,
    excludes,
    path_binds,
    shapes: &["chan", "interface", "map", "struct"],
    shares_scope: |files, one, other| {
        same_dir(files, one, other) && is_left_out(files, one) == is_left_out(files, other)
    },
    common_members: &[
        "Add",
        "Bytes",
        "Close",
        "Done",
        "Error",
        "Fatal",
        "Fatalf",
        "Len",
        "Lock",
        "Log",
        "Name",
        "Print",
        "Printf",
        "Read",
        "Reset",
        "Run",
        "String",
        "Unlock",
        "Wait",
        "Write",
        "WriteByte",
        "WriteString",
    ],
    ..DEFAULT
};

/// Interfaces that others are often made of.
const LIBRARY: &[(&str, &str, &[&str])] = &[
    ("", "error", &["Error"]),
    ("context", "Context", &["Deadline", "Done", "Err", "Value"]),
    ("driver", "Valuer", &["Value"]),
    ("encoding", "BinaryMarshaler", &["MarshalBinary"]),
    ("encoding", "BinaryUnmarshaler", &["UnmarshalBinary"]),
    ("encoding", "TextMarshaler", &["MarshalText"]),
    ("encoding", "TextUnmarshaler", &["UnmarshalText"]),
    ("flag", "Value", &["String", "Set"]),
    ("fmt", "Formatter", &["Format"]),
    ("fmt", "GoStringer", &["GoString"]),
    ("fmt", "Stringer", &["String"]),
    ("fs", "File", &["Stat", "Read", "Close"]),
    ("fs", "FS", &["Open"]),
    ("hash", "Hash", &["Write", "Sum", "Reset", "Size", "BlockSize"]),
    ("heap", "Interface", &["Len", "Less", "Swap", "Push", "Pop"]),
    ("http", "Handler", &["ServeHTTP"]),
    ("http", "ResponseWriter", &["Header", "Write", "WriteHeader"]),
    ("http", "RoundTripper", &["RoundTrip"]),
    ("io", "ByteReader", &["ReadByte"]),
    ("io", "ByteWriter", &["WriteByte"]),
    ("io", "Closer", &["Close"]),
    ("io", "ReadCloser", &["Read", "Close"]),
    ("io", "ReadSeeker", &["Read", "Seek"]),
    ("io", "ReadWriteCloser", &["Read", "Write", "Close"]),
    ("io", "ReadWriteSeeker", &["Read", "Write", "Seek"]),
    ("io", "ReadWriter", &["Read", "Write"]),
    ("io", "Reader", &["Read"]),
    ("io", "ReaderAt", &["ReadAt"]),
    ("io", "ReaderFrom", &["ReadFrom"]),
    ("io", "Seeker", &["Seek"]),
    ("io", "StringWriter", &["WriteString"]),
    ("io", "WriteCloser", &["Write", "Close"]),
    ("io", "WriteSeeker", &["Write", "Seek"]),
    ("io", "Writer", &["Write"]),
    ("io", "WriterAt", &["WriteAt"]),
    ("io", "WriterTo", &["WriteTo"]),
    ("json", "Marshaler", &["MarshalJSON"]),
    ("json", "Unmarshaler", &["UnmarshalJSON"]),
    ("net", "Addr", &["Network", "String"]),
    (
        "net",
        "Conn",
        &[
            "Read",
            "Write",
            "Close",
            "LocalAddr",
            "RemoteAddr",
            "SetDeadline",
            "SetReadDeadline",
            "SetWriteDeadline",
        ],
    ),
    ("net", "Error", &["Error", "Timeout", "Temporary"]),
    ("net", "Listener", &["Accept", "Close", "Addr"]),
    ("os", "FileInfo", &["Name", "Size", "Mode", "ModTime", "IsDir", "Sys"]),
    ("sort", "Interface", &["Len", "Less", "Swap"]),
    ("sql", "Scanner", &["Scan"]),
    ("sync", "Locker", &["Lock", "Unlock"]),
];

/// Whether a file is of no package: the compiler passes over such names, which templates of other files have.
pub(crate) fn is_left_out(files: &Files, file: FileIdx) -> bool {
    files.stem(file).starts_with(['_', '.'])
}

/// The systems that a file's name or a condition can speak of, those that are `unix` first, and the processors.
const UNIX: &[&str] = &[
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "linux",
    "netbsd",
    "openbsd",
    "solaris",
];
const OTHER_SYSTEMS: &[&str] = &["js", "nacl", "plan9", "wasip1", "windows", "zos"];
const PROCESSORS: &[&str] = &[
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64",
    "s390x", "wasm",
];

/// Conditions with more words are not looked at.
const MAX_WORDS: usize = 10;

/// Whether what must hold for two files cannot hold at once: `//go:build linux` and `//go:build !linux`.
fn excludes(one: Built<'_>, other: Built<'_>) -> bool {
    let (one, other) = (needs(one), needs(other));
    if one.is_empty() || other.is_empty() {
        return false;
    }
    let all: Vec<&str> = one.iter().chain(&other).map(String::as_str).collect();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut words: Vec<&str> = all.iter().flat_map(|need| need.split(|c| !is_word(c))).collect();
    words.sort_unstable();
    words.dedup();
    words.retain(|word| !word.is_empty());
    let holds_at_once = |which: usize| {
        let holds = |word: &str| {
            words
                .iter()
                .position(|one| *one == word)
                .is_some_and(|at| which >> at & 1 == 1)
        };
        is_possible(&words, &holds) && all.iter().all(|need| Condition(need).any(&holds))
    };
    words.len() <= MAX_WORDS && !(0..1 << words.len()).any(holds_at_once)
}

/// What must hold for a file by its name and by what is written in it.
fn needs((path, condition): Built<'_>) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.strip_suffix(".go").unwrap_or(name);
    let mut parts = stem
        .strip_suffix("_test")
        .unwrap_or(stem)
        .split('_')
        .skip(1)
        .collect::<Vec<_>>();
    let is_system = |part: &&str| UNIX.contains(part) || OTHER_SYSTEMS.contains(part);
    let processor = parts.pop_if(|part| PROCESSORS.contains(part));
    let system = parts.pop_if(|part| is_system(&&**part));
    let by_name = processor.into_iter().chain(system).map(str::to_owned);
    by_name.chain(condition.map(str::to_owned)).collect()
}

/// Whether some words can be true and all others not: a program is made for one system and one processor, and by one
/// version of the language, which is also all that were before it.
fn is_possible(words: &[&str], holds: &impl Fn(&str) -> bool) -> bool {
    let count = |of: &[&str]| of.iter().filter(|word| holds(word)).count();
    let (unix, others) = (count(UNIX), count(OTHER_SYSTEMS));
    let is_unix = !words.contains(&"unix") || (unix == 0 || holds("unix")) && (others == 0 || !holds("unix"));
    let versions = words
        .iter()
        .filter_map(|word| Some((*word, word.strip_prefix("go1.")?.parse::<u32>().ok()?)));
    let is_before = |(word, version): (&str, u32)| {
        let mut later = versions.clone().filter(|(_, other)| *other > version);
        holds(word) || later.all(|(word, _)| !holds(word))
    };
    unix + others <= 1 && count(PROCESSORS) <= 1 && is_unix && versions.clone().all(is_before)
}

/// A condition, of which the beginning is read off.
struct Condition<'t>(&'t str);

impl Condition<'_> {
    fn any(&mut self, holds: &impl Fn(&str) -> bool) -> bool {
        let mut is_true = self.all(holds);
        while self.takes("||") {
            is_true |= self.all(holds);
        }
        is_true
    }

    fn all(&mut self, holds: &impl Fn(&str) -> bool) -> bool {
        let mut is_true = self.one(holds);
        while self.takes("&&") {
            is_true &= self.one(holds);
        }
        is_true
    }

    fn one(&mut self, holds: &impl Fn(&str) -> bool) -> bool {
        if self.takes("!") {
            return !self.one(holds);
        }
        if self.takes("(") {
            let is_true = self.any(holds);
            self.takes(")");
            return is_true;
        }
        let rest = self.0.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.'));
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.0 = rest;
        holds(word)
    }

    fn takes(&mut self, mark: &str) -> bool {
        match self.0.trim_start().strip_prefix(mark) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }
}

/// Whether a package is likely called so, by its path: the last part, without a version or what says that it is Go.
fn path_binds(path: &str, name: &str) -> bool {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let is_version = last.len() > 1 && last.starts_with('v') && last[1..].bytes().all(|byte| byte.is_ascii_digit());
    let last = if is_version { parts.next().unwrap_or(last) } else { last };
    let bare = last.split(".v").next().unwrap_or(last);
    bare == name || bare.trim_start_matches("go-").trim_end_matches("-go").replace('-', "") == name
}
