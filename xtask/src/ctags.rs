//! `cargo xtask ctags DIR`: which definitions Universal Ctags sees that `syntax` does not, and the other way round.
//!
//! Ctags is a second opinion, not the truth: a disagreement is read before it is called a fault of either.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::Path,
    process::Command,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use syntax::SymbolKind;

use crate::parsed::{Definition, Options, Parsed, bare, parse_dir, share};

/// A language that ctags reads too.
struct Peer {
    lang: &'static str,
    /// As ctags calls it.
    name: &'static str,
    options: &'static [&'static str],
    /// Ctags' kinds that are compared, and ours that mean the same.
    kinds: &'static [(&'static str, &'static [SymbolKind])],
    /// What ctags is known to mistake for a definition, by the tag and its line.
    is_mistake: fn(&Tag, &str) -> bool,
}

const NO_MISTAKES: fn(&Tag, &str) -> bool = |_, _| false;

/// Calls of macros look like functions: `TEST(Suite, name) {`.
const MACRO_CALLS: fn(&Tag, &str) -> bool = |tag, _| {
    let is_function = matches!(tag.kind.as_str(), "function" | "prototype");
    is_function && tag.name.len() > 1 && !tag.name.chars().any(|c| c.is_lowercase() || c == '~')
};

/// Ours for a language that ctags has no parser for knows no comments.
const COMMENTS: fn(&Tag, &str) -> bool = |_, line| line.starts_with(['*', '/']);

use SymbolKind::{
    Class, Constructor, Enum, Function, Impl, Interface, Macro, Method, Module, Namespace, Object, Struct, Test, Trait,
    Type, Union,
};

const FUNCTION: &[SymbolKind] = &[Function, Method, Constructor, Test];
const NAMESPACE: &[SymbolKind] = &[Module, Namespace];

const PEERS: &[Peer] = &[
    Peer {
        lang: "rust",
        name: "Rust",
        options: &[],
        kinds: &[
            ("function", &[Function, Test]),
            ("method", &[Method, Constructor, Test]),
            ("struct", &[Struct, Union]),
            ("enum", &[Enum]),
            ("interface", &[Trait]),
            ("implementation", &[Impl]),
            ("module", &[Module]),
            ("typedef", &[Type]),
            ("macro", &[Macro]),
        ],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "python",
        name: "Python",
        options: &[],
        kinds: &[
            ("class", &[Class, Enum]),
            ("function", &[Function, Test]),
            ("member", &[Method, Constructor, Test, SymbolKind::Property]),
        ],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "typescript",
        name: "TypeScript",
        options: &[],
        kinds: &[
            ("class", &[Class]),
            ("interface", &[Interface]),
            ("enum", &[Enum]),
            ("namespace", NAMESPACE),
            ("alias", &[Type]),
            ("function", &[Function, Test]),
            ("generator", FUNCTION),
            ("method", &[Method, Constructor]),
        ],
        // `import { type Name }`.
        is_mistake: |tag, line| tag.kind == "alias" && !line.contains("type ") || is_imported(&tag.name, line),
    },
    Peer {
        lang: "javascript",
        name: "JavaScript",
        options: &[],
        kinds: &[
            ("class", &[Class]),
            ("function", &[Function, Test]),
            ("generator", FUNCTION),
            ("method", &[Method, Constructor, Function]),
            ("getter", &[Method, SymbolKind::Property]),
            ("setter", &[Method, SymbolKind::Property]),
        ],
        // An object with functions in it.
        is_mistake: |tag, line| tag.kind == "class" && !line.contains("class "),
    },
    Peer {
        lang: "go",
        name: "Go",
        options: &[],
        kinds: &[
            ("package", NAMESPACE),
            ("func", FUNCTION),
            ("methodSpec", &[Method]),
            ("struct", &[Struct]),
            ("interface", &[Interface]),
            ("type", &[Type]),
            ("talias", &[Type]),
        ],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "java",
        name: "Java",
        options: &[],
        kinds: &[
            ("package", NAMESPACE),
            ("class", &[Class]),
            ("interface", &[Interface]),
            ("annotation", &[Interface, SymbolKind::Type]),
            ("enum", &[Enum]),
            ("method", &[Method, Constructor, Test]),
        ],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "c",
        name: "C",
        options: &["--kinds-C=+p"],
        kinds: &[
            ("function", FUNCTION),
            ("prototype", FUNCTION),
            ("struct", &[Struct]),
            ("union", &[Union]),
            ("enum", &[Enum]),
            ("typedef", &[Type, Struct, Union, Enum]),
            ("macro", &[Macro, SymbolKind::Constant]),
        ],
        is_mistake: MACRO_CALLS,
    },
    Peer {
        lang: "cpp",
        name: "C++",
        options: &["--kinds-C++=+p"],
        kinds: &[
            ("namespace", NAMESPACE),
            ("class", &[Class]),
            ("struct", &[Struct]),
            ("union", &[Union]),
            ("enum", &[Enum]),
            ("function", FUNCTION),
            ("prototype", FUNCTION),
            ("typedef", &[Type, Struct, Union, Enum]),
            ("macro", &[Macro, SymbolKind::Constant]),
        ],
        is_mistake: MACRO_CALLS,
    },
    Peer {
        lang: "csharp",
        name: "C#",
        options: &[],
        kinds: &[
            ("namespace", NAMESPACE),
            ("class", &[Class]),
            ("struct", &[Struct]),
            ("interface", &[Interface]),
            ("enum", &[Enum]),
            ("method", &[Method, Constructor, Test]),
            ("property", &[SymbolKind::Property]),
            ("event", &[SymbolKind::Event]),
        ],
        // `where T : class, Name`.
        is_mistake: |tag, line| {
            matches!(tag.kind.as_str(), "class" | "struct" | "interface")
                && !line.contains(&format!("{} {}", tag.kind, tag.name))
        },
    },
    Peer {
        lang: "ruby",
        name: "Ruby",
        options: &[],
        kinds: &[
            ("module", NAMESPACE),
            ("class", &[Class]),
            ("method", FUNCTION),
            ("singletonMethod", FUNCTION),
        ],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "php",
        name: "PHP",
        options: &[],
        kinds: &[
            ("namespace", NAMESPACE),
            ("class", &[Class]),
            ("interface", &[Interface]),
            ("trait", &[Trait]),
            ("function", FUNCTION),
        ],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "kotlin",
        name: "Kotlin",
        options: &[],
        kinds: &[
            ("package", NAMESPACE),
            ("class", &[Class, Enum]),
            ("interface", &[Interface]),
            ("object", &[Object]),
            ("typealias", &[Type]),
            ("method", FUNCTION),
        ],
        // The parameters of a lambda.
        is_mistake: |tag, line| tag.kind == "method" && !line.contains("fun "),
    },
    // Ctags has no parsers for the next two; single lines are enough for a second opinion.
    Peer {
        lang: "swift",
        name: "Swift",
        options: &[
            "--langdef=Swift",
            "--kinddef-Swift=f,function,functions",
            "--kinddef-Swift=i,initializer,initializers",
            "--kinddef-Swift=c,class,classes",
            "--kinddef-Swift=s,struct,structures",
            "--kinddef-Swift=e,enum,enumerations",
            "--kinddef-Swift=p,protocol,protocols",
            "--kinddef-Swift=x,extension,extensions",
            "--kinddef-Swift=t,typealias,aliases",
            r"--regex-Swift=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\([a-z]+\))?[ \t]+)*func[ \t]+`?([A-Za-z0-9_]+)/\4/f/",
            r"--regex-Swift=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\([a-z]+\))?[ \t]+)*(init)[?!]?[ \t]*[(<].*[{,(]$/\4/i/",
            r"--regex-Swift=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\([a-z]+\))?[ \t]+)*(class|actor)[ \t]+([A-Z][A-Za-z0-9_]*)/\5/c/",
            r"--regex-Swift=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\([a-z]+\))?[ \t]+)*struct[ \t]+([A-Za-z0-9_]+)/\4/s/",
            r"--regex-Swift=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\([a-z]+\))?[ \t]+)*enum[ \t]+([A-Za-z0-9_]+)/\4/e/",
            r"--regex-Swift=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\([a-z]+\))?[ \t]+)*protocol[ \t]+([A-Za-z0-9_]+)/\4/p/",
            r"--regex-Swift=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\([a-z]+\))?[ \t]+)*extension[ \t]+([A-Za-z0-9_.]+)/\4/x/",
            r"--regex-Swift=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\([a-z]+\))?[ \t]+)*typealias[ \t]+([A-Za-z0-9_]+)/\4/t/",
        ],
        kinds: &[
            ("function", FUNCTION),
            ("initializer", &[Constructor]),
            ("class", &[Class]),
            ("struct", &[Struct]),
            ("enum", &[Enum]),
            ("protocol", &[Interface, Trait]),
            ("extension", &[Impl]),
            ("typealias", &[Type]),
        ],
        is_mistake: COMMENTS,
    },
    Peer {
        lang: "scala",
        name: "Scala",
        options: &[
            "--langdef=Scala",
            "--kinddef-Scala=m,method,methods",
            "--kinddef-Scala=c,class,classes",
            "--kinddef-Scala=t,trait,traits",
            "--kinddef-Scala=o,object,objects",
            "--kinddef-Scala=T,type,types",
            r"--regex-Scala=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\[[^]]*\])?[ \t]+)*def[ \t]+([A-Za-z0-9_$]+(_[!?=+~:-]+)?)/\4/m/",
            r"--regex-Scala=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\[[^]]*\])?[ \t]+)*class[ \t]+([A-Za-z0-9_$]+)/\4/c/",
            r"--regex-Scala=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\[[^]]*\])?[ \t]+)*trait[ \t]+([A-Za-z0-9_]+)/\4/t/",
            r"--regex-Scala=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\[[^]]*\])?[ \t]+)*object[ \t]+([A-Za-z0-9_]+)/\4/o/",
            r"--regex-Scala=/^[ \t]*(@[A-Za-z]+(\([^)]*\))?[ \t]+|[a-z]+(\[[^]]*\])?[ \t]+)*type[ \t]+([A-Za-z0-9_]+)/\4/T/",
        ],
        kinds: &[
            ("method", FUNCTION),
            ("class", &[Class]),
            ("trait", &[Trait]),
            ("object", &[Object]),
            ("type", &[Type]),
        ],
        is_mistake: COMMENTS,
    },
    Peer {
        lang: "bash",
        name: "Sh",
        options: &[],
        kinds: &[("function", &[Function])],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "lua",
        name: "Lua",
        options: &[],
        kinds: &[("function", FUNCTION)],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "perl",
        name: "Perl",
        options: &[],
        kinds: &[("package", &[Module, Namespace, Class]), ("subroutine", FUNCTION)],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "objc",
        name: "ObjectiveC",
        options: &[],
        kinds: &[
            ("interface", &[Class, Interface]),
            ("implementation", &[Class, Impl]),
            ("protocol", &[Interface]),
            ("method", &[Method]),
            ("class", &[Method]),
            ("function", &[Function]),
        ],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "elixir",
        name: "Elixir",
        options: &[],
        kinds: &[
            ("module", NAMESPACE),
            ("function", FUNCTION),
            ("protocol", &[Interface, Trait]),
            ("macro", &[Macro]),
        ],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "erlang",
        name: "Erlang",
        options: &[],
        kinds: &[
            ("module", NAMESPACE),
            ("function", FUNCTION),
            ("record", &[Struct, Class, Type]),
            ("type", &[Type]),
            ("macro", &[Macro, SymbolKind::Constant]),
        ],
        is_mistake: NO_MISTAKES,
    },
    Peer {
        lang: "protobuf",
        name: "Protobuf",
        options: &[],
        kinds: &[
            ("message", &[Struct, Class]),
            ("enum", &[Enum]),
            ("service", &[Interface, Class]),
            ("rpc", &[Method, Function]),
        ],
        is_mistake: NO_MISTAKES,
    },
];

/// What is worth naming when only we know it.
const OF_INTEREST: &[SymbolKind] = &[
    Function,
    Method,
    Constructor,
    Test,
    Class,
    Struct,
    Enum,
    Interface,
    Trait,
    Union,
    Object,
    Type,
    Module,
    Namespace,
    Macro,
    Impl,
];

/// A definition that ctags sees.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tag {
    path: String,
    /// From 1.
    line: u32,
    name: String,
    kind: String,
}

pub fn run(options: &Options) -> Result<()> {
    check_ctags()?;
    let parsed = parse_dir(&options.dir, options.lang)?;
    let mut by_lang: BTreeMap<&str, Vec<&Parsed>> = BTreeMap::new();
    for file in &parsed {
        by_lang.entry(file.lang.name).or_default().push(file);
    }
    let mut sums = String::new();
    for (lang, files) in by_lang {
        let Some(peer) = PEERS.iter().find(|peer| peer.lang == lang) else {
            continue;
        };
        let tags = tags(peer, &options.dir, &files)?;
        let comparison = Comparison::new(peer, &files, &tags);
        print!("{}", comparison.page(lang, files.len(), options.n_shown));
        let n_problems = files.iter().filter(|file| file.has_problem).count();
        if n_problems > 0 {
            println!("{n_problems} files were not parsed.\n");
        }
        sums.push_str(&comparison.sum(lang, files.len()));
    }
    if sums.is_empty() {
        bail!("{}: no file is in a language that both know", options.dir.display());
    }
    println!(
        "## All\n\n| language | files | ctags | found | recall | other kind | only ours | set aside |\n|---|--:|--:|--:|--:|--:|--:|--:|"
    );
    print!("{sums}");
    Ok(())
}

fn check_ctags() -> Result<()> {
    const HOW: &str = "install Universal Ctags with JSON output (Debian: universal-ctags)";
    let features = Command::new("ctags").arg("--list-features").output();
    let features = features.with_context(|| format!("cannot run ctags; {HOW}"))?;
    if !String::from_utf8_lossy(&features.stdout).contains("json") {
        bail!("this ctags cannot write JSON; {HOW}");
    }
    Ok(())
}

fn tags(peer: &Peer, dir: &Path, files: &[&Parsed]) -> Result<Vec<Tag>> {
    let list = tempfile::NamedTempFile::new()?;
    let paths: String = files.iter().map(|file| format!("{}\n", file.path)).collect();
    fs::write(list.path(), paths)?;
    let output = Command::new("ctags")
        .current_dir(dir)
        .args(["--options=NONE", "--quiet", "--output-format=json", "--sort=no"])
        .args(peer.options)
        .args(["--fields=NFnzl", &format!("--language-force={}", peer.name), "-f", "-"])
        .arg("-L")
        .arg(list.path())
        .output()?;
    if !output.status.success() {
        bail!("ctags failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let lines = String::from_utf8_lossy(&output.stdout);
    let tags: BTreeSet<Tag> = lines.lines().filter_map(|line| tag(line, peer.name)).collect();
    Ok(tags.into_iter().collect())
}

/// `import { type Name, type Other as Name }`.
fn is_imported(name: &str, line: &str) -> bool {
    let Some((_, behind)) = line.split_once(&format!("type {name}")) else {
        return false;
    };
    let behind = behind.trim_start();
    behind.is_empty() || behind.starts_with([',', '}']) || behind.starts_with("as ") || behind.starts_with("from ")
}

/// One line of ctags' output, if it is about a named definition in this language.
fn tag(line: &str, language: &str) -> Option<Tag> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let name = text("name")?;
    (text("language") == Some(language) && !is_made_up(name)).then_some(())?;
    Some(Tag {
        path: text("path")?.to_owned(),
        line: value.get("line")?.as_u64()? as u32,
        name: name.to_owned(),
        kind: text("kind")?.to_owned(),
    })
}

/// Ctags names the nameless with a word and a number or hash.
fn is_made_up(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "__anon",
        "anonymousFunction",
        "AnonymousFunction",
        "anonymousClass",
        "AnonymousClass",
    ];
    let mut behind = WORDS.iter().filter_map(|word| name.strip_prefix(word));
    behind.any(|rest| rest.chars().all(|c| c.is_ascii_hexdigit())) || name == "<lambda>"
}

#[derive(Default)]
struct Count {
    /// Left out as mistakes of ctags: told, since it raises the recall.
    set_aside: usize,
    tags: usize,
    found: usize,
    missing: Vec<String>,
    /// Our kind, and where.
    other_kind: BTreeMap<&'static str, Vec<String>>,
}

struct Comparison {
    /// In the order of the peer's kinds.
    kinds: Vec<(&'static str, Count)>,
    only_ours: BTreeMap<&'static str, Vec<String>>,
}

impl Comparison {
    fn new(peer: &Peer, files: &[&Parsed], tags: &[Tag]) -> Comparison {
        let mut ours: BTreeMap<(&str, String), Vec<&Definition>> = BTreeMap::new();
        for file in files {
            for definition in &file.definitions {
                let mut entry = |name: String| ours.entry((&file.path, name)).or_default().push(definition);
                match definition.kind {
                    // Ctags has a tag for each part of `namespace a::b`.
                    Module | Namespace => definition.name.split("::").map(bare).for_each(entry),
                    _ => entry(bare(&definition.name)),
                }
            }
        }
        let lines: BTreeMap<&str, Vec<&str>> = files
            .iter()
            .map(|file| (file.path.as_str(), file.text.lines().map(str::trim).collect()))
            .collect();
        let mut kinds: Vec<(&'static str, Count)> =
            peer.kinds.iter().map(|(kind, _)| (*kind, Count::default())).collect();
        let mut theirs: BTreeSet<(&str, String, u32)> = BTreeSet::new();
        for tag in tags {
            let name = bare(&tag.name);
            theirs.insert((&tag.path, name.clone(), tag.line));
            let Some(at) = peer.kinds.iter().position(|(kind, _)| *kind == tag.kind) else {
                continue;
            };
            let line = lines
                .get(tag.path.as_str())
                .and_then(|lines| lines.get(tag.line as usize - 1));
            let count = &mut kinds[at].1;
            if (peer.is_mistake)(tag, line.copied().unwrap_or_default()) {
                count.set_aside += 1;
                continue;
            }
            count.tags += 1;
            let place = format!("{}:{} {}", tag.path, tag.line, tag.name);
            let same = ours.get(&(tag.path.as_str(), name)).into_iter().flatten();
            // `typedef struct a { .. } a;` is one for us, and two for ctags.
            let ends_here = |one: &Definition| tag.kind == "typedef" && one.kind.is_type() && one.last_line == tag.line;
            let is_near = |one: &&&Definition| one.line.abs_diff(tag.line) <= 1 || ends_here(one);
            let near: Vec<_> = same.filter(is_near).collect();
            let Some(nearest) = near.iter().min_by_key(|one| one.line.abs_diff(tag.line)) else {
                count.missing.push(place);
                continue;
            };
            count.found += 1;
            if !near.iter().any(|one| peer.kinds[at].1.contains(&one.kind)) {
                let kind = nearest.kind.as_str();
                count.other_kind.entry(kind).or_default().push(place);
            }
        }
        let mut only_ours: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for file in files {
            for definition in &file.definitions {
                let is_theirs = |line: u32| theirs.contains(&(file.path.as_str(), bare(&definition.name), line));
                let line = definition.line;
                let known = is_theirs(line) || is_theirs(line + 1) || is_theirs(line - 1);
                if OF_INTEREST.contains(&definition.kind) && !known {
                    let place = format!("{}:{line} {}", file.path, definition.name);
                    only_ours.entry(definition.kind.as_str()).or_default().push(place);
                }
            }
        }
        Comparison { kinds, only_ours }
    }

    fn page(&self, lang: &str, n_files: usize, n_shown: usize) -> String {
        let mut out = format!("## {lang}, {n_files} files\n\n");
        out.push_str("| ctags kind | ctags | found | recall | other kind | set aside |\n|---|--:|--:|--:|--:|--:|\n");
        for (kind, count) in self.kinds.iter().filter(|(_, count)| count.tags + count.set_aside > 0) {
            let other: usize = count.other_kind.values().map(Vec::len).sum();
            let recall = share(count.found, count.tags);
            let _ = writeln!(
                out,
                "| {kind} | {} | {} | {recall} | {other} |",
                count.tags, count.found
            );
        }
        out.push('\n');
        for (kind, count) in &self.kinds {
            list(&mut out, &format!("{kind}: missing in ours"), &count.missing, n_shown);
            for (ours, places) in &count.other_kind {
                list(&mut out, &format!("{kind}: {ours} in ours"), places, n_shown);
            }
        }
        for (kind, places) in &self.only_ours {
            list(&mut out, &format!("{kind}: only ours"), places, n_shown);
        }
        out
    }

    fn sum(&self, lang: &str, n_files: usize) -> String {
        let total = |of: fn(&Count) -> usize| self.kinds.iter().map(|(_, count)| of(count)).sum::<usize>();
        let (tags, found) = (total(|count| count.tags), total(|count| count.found));
        let other = total(|count| count.other_kind.values().map(Vec::len).sum());
        let only_ours: usize = self.only_ours.values().map(Vec::len).sum();
        let set_aside = total(|count| count.set_aside);
        let recall = share(found, tags);
        format!("| {lang} | {n_files} | {tags} | {found} | {recall} | {other} | {only_ours} | {set_aside} |\n")
    }
}

/// A heading with the count, and the first places.
fn list(out: &mut String, title: &str, places: &[String], n_shown: usize) {
    if places.is_empty() || n_shown == 0 {
        return;
    }
    let _ = writeln!(out, "{title} ({})", places.len());
    for place in places.iter().take(n_shown) {
        let _ = writeln!(out, "    {place}");
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peer_is_a_language_of_ours() {
        for peer in PEERS {
            assert!(syntax::lang_by_name(peer.lang).is_some_and(|lang| lang.name == peer.lang));
        }
    }

    #[test]
    fn nameless_and_foreign_tags_are_left_out() {
        let line = |name: &str| {
            format!(
                r#"{{"_type": "tag", "name": "{name}", "path": "a.c", "language": "C", "line": 3, "kind": "struct"}}"#
            )
        };
        assert_eq!(tag(&line("__anon12"), "C"), None);
        assert_eq!(tag(&line("anonymousFunction0c1f"), "C"), None);
        assert_eq!(tag(&line("point"), "C++"), None);
        let point = tag(&line("point"), "C").unwrap();
        assert_eq!(
            (point.name.as_str(), point.line, point.kind.as_str()),
            ("point", 3, "struct")
        );
    }
}
