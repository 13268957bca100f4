//! Which language a file or a name means.

use super::{LANGS, Lang, LangId, PLAINTEXT};

/// How the names of files end that a build fills in, and that are named as the result but for it: `config.h.in`.
pub const TEMPLATE: &str = ".in";

/// The language of a file: by its name, else its extension, else the interpreter in its first line.
pub fn detect(file_name: &str, first_line: &[u8]) -> &'static Lang {
    let made = || file_name.strip_suffix(TEMPLATE);
    by_file_name(file_name)
        .or_else(|| by_extension(file_name))
        .or_else(|| by_extension(made()?))
        .or_else(|| by_interpreter(first_line))
        .or_else(|| by_beginning(file_name, first_line))
        .unwrap_or(&PLAINTEXT)
}

/// The id of a language by its exact name; plain text if there is none of that name.
pub fn lang_id(name: &str) -> LangId {
    let known = LANGS.iter().find(|lang| lang.name == name);
    known.map_or(LangId::Plaintext, |lang| lang.id)
}

/// A language by its name, an alias or an extension, in any case: `TypeScript`, `ts`, `c++`.
pub fn lang_by_name(name: &str) -> Option<&'static Lang> {
    // As it is written in the index, and asked for most.
    if let Some(lang) = LANGS.iter().find(|lang| lang.name == name) {
        return Some(lang);
    }
    let name = name.trim().trim_start_matches('.').to_ascii_lowercase();
    let all = || LANGS.iter().chain([&PLAINTEXT]);
    all()
        .find(|lang| lang.name == name || lang.aliases.contains(&name.as_str()))
        .or_else(|| all().find(|lang| lang.extensions.contains(&name.as_str())))
}

/// Names for "did you mean" when `lang_by_name` knows nothing.
pub fn nearest_lang(name: &str) -> Option<&'static str> {
    source::nearest(name, LANGS.iter().map(|lang| lang.name))
}

fn by_file_name(file_name: &str) -> Option<&'static Lang> {
    let whole = LANGS
        .iter()
        .chain([&PLAINTEXT])
        .find(|lang| lang.filenames.contains(&file_name));
    // `Dockerfile.dev`, `Makefile.am`: a known name with a suffix, unless the suffix is an extension of its own.
    whole.or_else(|| {
        let (stem, suffix) = file_name.split_once('.')?;
        let known = LANGS.iter().find(|lang| lang.filenames.contains(&stem))?;
        LANGS
            .iter()
            .all(|lang| !lang.extensions.contains(&suffix))
            .then_some(known)
    })
}

fn by_extension(file_name: &str) -> Option<&'static Lang> {
    let (_, extension) = file_name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    LANGS
        .iter()
        .chain([&PLAINTEXT])
        .find(|lang| lang.extensions.contains(&extension.as_str()))
}

fn by_interpreter(first_line: &[u8]) -> Option<&'static Lang> {
    let line = first_line.strip_prefix(b"#!")?;
    let line = line.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line.get(..line.len().min(200))?).ok()?;
    let mut words = line
        .split_whitespace()
        .filter(|word| !word.starts_with('-') && !word.contains('='));
    let program = words.next()?.rsplit('/').next()?;
    let program = if program == "env" {
        words.next()?.rsplit('/').next()?
    } else {
        program
    };
    // `python3.11` is `python3`.
    let program = program.split('.').next()?;
    LANGS.iter().find(|lang| lang.interpreters.contains(&program))
}

/// What sources of many languages include ends in `.inc`; that of C and C++ begins with a comment or a directive.
fn by_beginning(file_name: &str, text: &[u8]) -> Option<&'static Lang> {
    let begins = |word: &&[u8]| text.trim_ascii_start().starts_with(word);
    let signs: [&[u8]; 7] = [b"//", b"/*", b"#include", b"#if", b"#define", b"#pragma", b"#undef"];
    let is_c = file_name.ends_with(".inc") && signs.iter().any(begins);
    is_c.then(|| LangId::Cpp.lang())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn files_are_recognised_by_name_extension_and_shebang() {
        for (name, first_line, expected) in [
            ("main.rs", "", "rust"),
            ("App.TSX", "", "typescript"),
            ("util.jsx", "", "javascript"),
            ("a.h", "", "cpp"),
            ("Makefile", "", "make"),
            ("Makefile.am", "", "make"),
            ("Dockerfile.dev", "", "dockerfile"),
            ("config.h.in", "", "cpp"),
            ("requirements.in", "", "plaintext"),
            ("README.md", "", "markdown"),
            ("grammar.y", "", "yacc"),
            ("run", "#!/usr/bin/env -S python3.11 -u\n", "python"),
            ("run", "#!/bin/sh -e\n", "bash"),
            ("run", "#!/opt/odd\n", "plaintext"),
            ("notes.txt", "#!/bin/sh", "plaintext"),
            ("x.unknown", "", "plaintext"),
            ("table.inc", "\n// Made by hand.\n", "cpp"),
            ("table.inc", "#ifndef TABLE\n", "cpp"),
            ("recipe.inc", "# A part of a recipe\n", "plaintext"),
            ("page.inc", "<?php\n", "plaintext"),
            ("LICENSE", "", "plaintext"),
        ] {
            assert_eq!(
                detect(name, first_line.as_bytes()).name,
                expected,
                "{name} {first_line}"
            );
        }
    }

    #[test]
    fn a_language_answers_to_its_names() {
        for (asked, expected) in [
            ("TypeScript", "typescript"),
            ("tsx", "typescript"),
            ("c++", "cpp"),
            (".py", "python"),
        ] {
            assert_eq!(lang_by_name(asked).map(|lang| lang.name), Some(expected));
        }
        assert_eq!(lang_by_name("klingon"), None);
    }

    #[test]
    fn no_two_languages_claim_the_same_sign() {
        let mut claimed: HashMap<String, &str> = HashMap::new();
        for lang in LANGS.iter().chain([&PLAINTEXT]) {
            let extensions = lang.extensions.iter().map(|sign| format!(".{sign}"));
            let filenames = lang.filenames.iter().map(|sign| format!("name {sign}"));
            let interpreters = lang.interpreters.iter().map(|sign| format!("#!{sign}"));
            for sign in extensions.chain(filenames).chain(interpreters) {
                assert_eq!(claimed.insert(sign.clone(), lang.name), None, "{sign} is claimed twice");
            }
        }
    }
}
