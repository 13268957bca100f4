//! No text is too odd for any language.

use std::{fs, path::Path};

use proptest::{collection::vec, prelude::*, test_runner::Config};
use syntax::{ChunkOptions, FileFacts, LANGS, Lang, Problem, compare_trees, detect, file_facts};

use crate::sound;

const OPTIONS: ChunkOptions = ChunkOptions { size: 200, overlap: 40 };

/// Up to so many bytes are also parsed as tree-sitter does it by itself.
const COMPARED: usize = 32_000;

fn languages() -> impl Iterator<Item = &'static Lang> {
    LANGS.iter().filter(|lang| lang.has_symbols())
}

/// The facts, after everything that must hold for them was checked.
#[track_caller]
fn checked(lang: &'static Lang, text: &str) -> FileFacts {
    let facts = file_facts(lang, text, OPTIONS);
    sound::check(&facts, text, OPTIONS);
    if text.len() <= COMPARED && facts.problem.is_none() {
        assert_eq!(compare_trees(lang, text).difference, None, "{}: {text:?}", lang.name);
    }
    let stored = FileFacts::from_bytes(&facts.to_bytes(), facts.chunks.clone()).expect(lang.name);
    assert!(stored == facts, "{}: facts change when stored", lang.name);
    let defined = FileFacts::definitions_from_bytes(&facts.to_bytes(), facts.chunks.clone()).expect(lang.name);
    let kinds = |facts: &FileFacts| facts.symbols.iter().map(|symbol| symbol.kind).collect::<Vec<_>>();
    assert!(
        (&defined.lines, &defined.chunks, &defined.names) == (&facts.lines, &facts.chunks, &facts.names)
            && kinds(&defined) == kinds(&facts),
        "{}: definitions are others than those of the facts",
        lang.name
    );
    facts
}

/// The fixtures of all languages.
fn fixtures() -> Vec<(&'static Lang, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut paths: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension != "txt"));
    let fixtures = paths.iter().map(|path| {
        let text = fs::read_to_string(path).unwrap();
        (
            detect(path.file_name().unwrap().to_str().unwrap(), text.as_bytes()),
            text,
        )
    });
    fixtures.collect()
}

/// Line ends, a mark at the beginning, no end of the last line, cut short, written twice.
#[test]
fn every_fixture_can_be_written_in_odd_ways() {
    for (lang, text) in fixtures() {
        let plain = checked(lang, &text);
        let names = |facts: &FileFacts| -> Vec<String> {
            let symbols = facts.symbols.iter();
            symbols.map(|symbol| facts.name(symbol).to_owned()).collect()
        };
        let with_crlf = text.replace('\n', "\r\n");
        assert!(
            names(&checked(lang, &with_crlf)).len() * 10 >= plain.symbols.len() * 9,
            "{}: CRLF",
            lang.name
        );
        checked(lang, &format!("\u{FEFF}{text}"));
        checked(lang, text.trim_end());
        checked(lang, &text.repeat(2));
        checked(lang, &text.replace('\n', " "));
        checked(lang, &text.replace(['e', 'E'], "é"));
        let cut = text.len() / 2;
        let (before, behind) = text.split_at(text.floor_char_boundary(cut));
        checked(lang, before);
        checked(lang, behind);
        checked(lang, &format!("{behind}{before}"));
    }
}

#[test]
fn nothing_and_next_to_nothing() {
    for lang in LANGS {
        for text in [
            "",
            "\n",
            " ",
            "\r\n",
            "\u{FEFF}",
            "\0",
            "a",
            "é",
            "\n\n\n",
            "\"",
            "/*",
            "// a",
            "# é\n# é",
            "-- a\n",
            "<!-- a -->",
        ] {
            checked(lang, text);
        }
    }
}

/// Deeper than any stack.
#[test]
fn deep_nesting() {
    for open in ["(", "[", "{", "{\"a\":", "if(", "<a>", "- "] {
        for lang in languages() {
            checked(lang, &open.repeat(1_000));
        }
    }
    for lang in languages().filter(|lang| matches!(lang.name, "rust" | "javascript" | "json" | "python" | "c")) {
        for open in ["(", "[", "{"] {
            checked(lang, &open.repeat(100_000));
        }
    }
}

#[test]
fn a_level_a_line() {
    for (open, unit) in [("if (a) {", " "), ("a:", " "), ("- a:", " "), ("<ul>", " ")] {
        let lines = (0..400).map(|depth| format!("{}{open}\n", unit.repeat(depth)));
        let text: String = lines.collect();
        for lang in languages() {
            checked(lang, &text);
        }
    }
}

/// Many of one thing side by side: nothing may look at all of them for each.
#[test]
fn width() {
    const MANY: usize = 150;
    let many = |one: fn(usize) -> String| (0..MANY).map(one).collect::<String>();
    let texts = [
        format!(
            "{{{}\"z\": 1}}",
            many(|at| format!("\"key{at}\": {{\"a\": [1, 2]}},\n"))
        ),
        many(|at| format!("key{at}:\n  a: 1\n")),
        format!("var {}z = 1;", many(|at| format!("a{at} = {at}, "))),
        format!("enum A {{ {} }}", many(|at| format!("A{at}, "))),
        format!("f({}z)", many(|at| format!("a{at}, "))),
        format!("import {{ {} z }} from 'x';", many(|at| format!("a{at}, "))),
        many(|at| format!("void f{at}() {{ if (a) {{ g(a.b.c); }} }}")),
    ];
    for text in &texts {
        for lang in languages() {
            checked(lang, text);
        }
    }
}

/// A minified program is one line of a megabyte, and a dump of a database one statement of several.
#[test]
fn large_texts() {
    let program: String = (0..12_000)
        .map(|at| format!("function f{at}(a,b){{var c=a+b*{at};if(c>2){{return g(c,\"s\")}}else{{h.i.j(c)}}}}"))
        .collect();
    assert!(program.len() > 1 << 19);
    let javascript = languages().find(|lang| lang.name == "javascript").unwrap();
    let facts = checked(javascript, &program);
    assert_eq!((facts.problem, facts.symbols.len()), (None, 12_000));
    // Nothing may look at all of them for each: these would take minutes.
    let getters = "get a() {}\n".repeat(30_000);
    let fields: String = (0..30_000).map(|at| format!("this.x{at} = 1;")).collect();
    let facts = checked(javascript, &format!("class A {{ {getters} b() {{ {fields} }} }}"));
    assert_eq!((facts.problem, facts.symbols.len()), (None, 60_002));
    let keys: String = (0..60_000).map(|at| format!("\"k{at}\": {{\"a\": 1}},\n")).collect();
    let json = languages().find(|lang| lang.name == "json").unwrap();
    let facts = checked(json, &format!("{{{keys}\"z\": 1}}"));
    assert_eq!((facts.problem, facts.symbols.len()), (None, 0));
    let rows: String = (0..200_000).map(|at| format!("({at}, 'a name', 3.5),\n")).collect();
    let sql = languages().find(|lang| lang.name == "sql").unwrap();
    let facts = checked(sql, &format!("INSERT INTO t VALUES\n{rows}(0, '', 0);\n"));
    assert_eq!(facts.problem, Some(Problem::TooLarge));
}

proptest! {
    #![proptest_config(Config { cases: 60, failure_persistence: None, ..Config::default() })]

    #[test]
    fn random_bytes(pick in 0..LANGS.len(), bytes in vec(any::<u8>(), 0..600)) {
        checked(&LANGS[pick], &String::from_utf8_lossy(&bytes));
    }

    /// Lines of one fixture are dropped, doubled and mixed with those of another.
    #[test]
    fn mutated_fixtures(first in any::<prop::sample::Index>(), second in any::<prop::sample::Index>(), seed in vec(any::<u16>(), 8..40)) {
        let fixtures = fixtures();
        let (lang, text) = first.get(&fixtures);
        let (_, other) = second.get(&fixtures);
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let others: Vec<&str> = other.split_inclusive('\n').collect();
        for step in seed {
            let at = usize::from(step >> 3) % lines.len();
            match step & 7 {
                0 | 1 => drop(lines.remove(at)),
                2 => lines.insert(at, lines[at]),
                3 => lines.insert(at, others[at % others.len()]),
                4 => lines.swap(0, at),
                5 => lines[at] = &lines[at][..lines[at].floor_char_boundary(lines[at].len() / 2)],
                6 => lines[at] = &lines[at][lines[at].ceil_char_boundary(lines[at].len() / 3)..],
                _ => lines.truncate(at.max(lines.len() / 2)),
            }
            if lines.is_empty() {
                break;
            }
        }
        checked(lang, &lines.concat());
    }

    /// Damaged facts are refused or sound.
    #[test]
    fn damaged_facts(pick in any::<prop::sample::Index>(), flips in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4), cut in any::<prop::sample::Index>()) {
        let fixtures = fixtures();
        let (lang, text) = pick.get(&fixtures);
        let facts = file_facts(lang, text, OPTIONS);
        let mut bytes = facts.to_bytes();
        let cut = cut.index(bytes.len());
        prop_assert!(FileFacts::from_bytes(&bytes[..cut], facts.chunks.clone()).is_err(), "cut at {}", cut);
        for (at, byte) in &flips {
            let at = at.index(bytes.len());
            bytes[at] ^= byte;
        }
        if let Ok(facts) = FileFacts::from_bytes(&bytes, facts.chunks) {
            sound::walk(&facts);
        }
    }
}
