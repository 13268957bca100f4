//! The first sentence of a directory's or file's own documentation, for a map.
//!
//! Sources are the documentation comment of a package, the `description` of a manifest, the first paragraph of a README and
//! the comment at the head of a file. Licences, badges and instructions to tools are skipped.

use std::path::Path;

/// Longer sentences are cut.
const CHARS: usize = 160;
/// Of a file only the beginning is searched for a comment.
const HEAD_LINES: usize = 120;
/// Go files of a package that are searched for its comment.
const GO_FILES: usize = 8;

/// Files that may describe a directory, best first. `paths` is sorted and holds all files.
pub(crate) fn candidates<'p>(dir: &str, paths: &[&'p str]) -> Vec<&'p str> {
    let prefix = if dir.is_empty() {
        String::new()
    } else {
        format!("{dir}/")
    };
    let start = paths.partition_point(|path| *path < prefix.as_str());
    let inside = paths[start..].iter().take_while(|path| path.starts_with(&prefix));
    let base = dir.rsplit('/').next().unwrap_or(dir).to_ascii_lowercase();
    let mut found: Vec<(u8, &'p str)> = Vec::new();
    let mut go_files = 0;
    for path in inside {
        let below = &path[prefix.len()..];
        let name = below.strip_prefix("src/").unwrap_or(below);
        if name.contains('/') {
            continue;
        }
        let lower = name.to_ascii_lowercase();
        let (stem, extension) = lower.rsplit_once('.').unwrap_or((&lower, ""));
        let class = match lower.as_str() {
            "doc.go" | "package-info.java" | "__init__.py" | "lib.rs" | "mod.rs" => 0,
            "package.json" | "cargo.toml" | "pyproject.toml" | "composer.json" | "pubspec.yaml" | "pom.xml" => 1,
            _ if stem == "readme" && matches!(extension, "" | "md" | "rst" | "txt" | "adoc" | "markdown") => 2,
            _ if stem == "readme" => continue,
            "main.rs" | "mix.exs" => 3,
            _ if is_code(extension) && (stem == base || matches!(stem, "index" | "main" | "mod")) => 3,
            _ if extension == "go" && !stem.ends_with("_test") && go_files < GO_FILES => {
                go_files += 1;
                4
            }
            _ => continue,
        };
        // What a repository is, its README says better than the comment of one of its packages.
        let class = if dir.is_empty() && class == 0 { 3 } else { class };
        found.push((class, path));
    }
    // `src/parse.rs` documents `src/parse/`.
    let sibling = format!("{dir}.rs");
    if let Ok(at) = paths.binary_search(&sibling.as_str()) {
        found.push((0, paths[at]));
    }
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

fn is_code(extension: &str) -> bool {
    !matches!(
        extension,
        "" | "md" | "txt" | "json" | "html" | "css" | "yml" | "yaml" | "toml" | "lock"
    )
}

/// What a file says about its directory.
pub(crate) fn of_directory(path: &str, text: &str) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let extension = Path::new(&name).extension().and_then(|it| it.to_str()).unwrap_or("");
    if name.starts_with("readme") {
        return first_paragraph(text);
    }
    match (name.as_str(), extension) {
        (_, "json" | "toml" | "yaml" | "xml") | ("mix.exs", _) => manifest_description(text),
        (_, "go") => head_comment(text)
            .into_iter()
            .find(|comment| comment.starts_with("Package ") || comment.starts_with("Command "))
            .and_then(|comment| first_sentence(&comment)),
        _ => of_file(text),
    }
}

/// What the comment at the head of a file says about it.
pub(crate) fn of_file(text: &str) -> Option<String> {
    let comments = head_comment(text);
    comments
        .iter()
        .find(|comment| !is_boilerplate(comment))
        .and_then(|comment| first_sentence(comment))
}

/// The comments before the first code, without their marks.
fn head_comment(text: &str) -> Vec<String> {
    let mut comments: Vec<String> = Vec::new();
    let mut current = String::new();
    // What closes the comment that is open.
    let mut closing: Option<&str> = None;
    for line in text.lines().take(HEAD_LINES) {
        let line = line.trim();
        if let Some(end) = closing {
            let (inner, is_closed) = match line.split_once(end) {
                Some((inner, _)) => (inner, true),
                None => (line, false),
            };
            add_line(&mut current, inner.trim_start_matches('*').trim());
            if is_closed {
                closing = None;
                comments.push(std::mem::take(&mut current));
            }
            continue;
        }
        let line_comment = ["//!", "///", "//", "#!", "##", "#", "--", ";;", "%%"]
            .iter()
            .find_map(|mark| line.strip_prefix(mark))
            .filter(|_| !line.starts_with("#!") && !is_directive(line));
        if let Some(rest) = line_comment {
            add_line(&mut current, rest.trim_matches(['-', '=', '*', '#', '/']).trim());
            continue;
        }
        if !current.is_empty() {
            comments.push(std::mem::take(&mut current));
        }
        let block = [
            ("/*", "*/"),
            ("\"\"\"", "\"\"\""),
            ("'''", "'''"),
            ("r\"\"\"", "\"\"\""),
            ("{-", "-}"),
            ("<!--", "-->"),
        ];
        let opened = block
            .iter()
            .find_map(|(open, close)| Some((line.strip_prefix(open)?, *close)));
        match opened {
            Some((rest, close)) => match rest.split_once(close) {
                Some((inner, _)) => comments.push(inner.trim_matches(['*', '!', ' ']).to_owned()),
                None => {
                    add_line(&mut current, rest.trim_matches(['*', '!', ' ', '|']));
                    closing = Some(close);
                }
            },
            None if is_before_code(line) => {}
            None => break,
        }
    }
    if !current.is_empty() && closing.is_none() {
        comments.push(current);
    }
    comments
}

fn add_line(comment: &mut String, line: &str) {
    if !comment.is_empty() {
        comment.push('\n');
    }
    comment.push_str(line);
}

/// `#include`, `#define`, `#[derive]`: not a comment, although `#` begins one elsewhere.
fn is_directive(line: &str) -> bool {
    line.strip_prefix('#')
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_lowercase() || first == '[' || first == '!'))
}

/// Lines that may come before the comment of a file.
fn is_before_code(line: &str) -> bool {
    line.is_empty()
        || line.starts_with("#!")
        || line.starts_with("<?php")
        || line.starts_with("'use ")
        || line.starts_with("\"use ")
        || line.starts_with("from __future__")
        || line.starts_with("@file:")
}

/// Licences and instructions to tools, which describe nothing.
fn is_boilerplate(comment: &str) -> bool {
    const MARKS: &[&str] = &[
        "copyright",
        "license",
        "licence",
        "spdx-",
        "eslint",
        "prettier",
        "@ts-",
        "code generated",
        "do not edit",
        "go:build",
        "+build",
        "coding:",
        "-*-",
        "vim:",
        "pylint",
        "noqa",
        "@flow",
        "jshint",
        "istanbul",
        "region",
        "todo",
        "noinspection",
        "<reference",
        "<autogenerated",
        "all rights reserved",
    ];
    let head: String = comment.chars().take(400).collect::<String>().to_lowercase();
    let first: String = head.lines().take(1).collect();
    MARKS[..4].iter().any(|mark| head.contains(mark)) || MARKS[4..].iter().any(|mark| first.contains(mark))
}

/// The value of a manifest's `description`, in JSON, TOML, YAML, XML or a program.
fn manifest_description(text: &str) -> Option<String> {
    for line in text.lines() {
        // JSON may be on one line.
        let line = line.find("\"description\"").map_or(line, |at| &line[at..]);
        let line = line.trim().trim_start_matches(['"', '\'', '<', ':']);
        let Some(rest) = line.strip_prefix("description") else {
            continue;
        };
        if !rest.starts_with(['"', '\'', ' ', ':', '=', '>']) {
            continue;
        }
        let value = rest.trim_start_matches(['"', '\'', ' ', ':', '=', '>']);
        let value = value.split("\",").next().unwrap_or(value).trim_end_matches([' ', '}']);
        let value = value
            .split("</")
            .next()
            .unwrap_or(value)
            .trim_end_matches([',', ' '])
            .trim_end_matches(['"', '\'']);
        if let Some(sentence) = first_sentence(&value.replace("\\\"", "\"")) {
            return Some(sentence);
        }
    }
    None
}

/// The first sentence of a README's first paragraph of prose.
fn first_paragraph(text: &str) -> Option<String> {
    let mut paragraph = String::new();
    let (mut in_code, mut in_front_matter, mut in_html) = (false, text.starts_with("---\n"), false);
    let mut lines = text.lines().take(HEAD_LINES).enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        let line = line.trim();
        if in_front_matter {
            in_front_matter = at == 0 || line != "---";
            continue;
        }
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        in_html |= line.starts_with("<!--");
        if in_html {
            in_html = !line.contains("-->");
            continue;
        }
        let is_underlined = lines
            .peek()
            .is_some_and(|(_, next)| is_rule(next.trim()) && next.trim().len() > 2);
        let plain = if in_code || is_underlined || is_markup(line) {
            String::new()
        } else {
            plain_text(line)
        };
        if plain.is_empty() {
            if is_prose(&paragraph) {
                break;
            }
            paragraph.clear();
            continue;
        }
        add_line(&mut paragraph, &plain);
    }
    first_sentence(&paragraph).filter(|_| is_prose(&paragraph))
}

/// A sentence and not a label.
fn is_prose(paragraph: &str) -> bool {
    paragraph
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphabetic))
        .count()
        >= 4
}

/// The line under a heading, or between parts.
fn is_rule(line: &str) -> bool {
    !line.is_empty() && line.chars().all(|one| matches!(one, '=' | '-' | '~' | '^' | '*' | '_'))
}

fn is_markup(line: &str) -> bool {
    is_rule(line)
        || line.starts_with(['#', '|', '<', '>', ':'])
        || line.starts_with(".. ")
        || line.starts_with("* ")
        || line.starts_with("- ")
        || line.starts_with("[!")
        || line.starts_with("![")
}

/// A line of Markdown or reStructuredText without tags, images and the targets of links.
fn plain_text(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['[', '<', '!', '`', '*']) {
        out.push_str(&rest[..at]);
        let (mark, tail) = (&rest[at..=at], &rest[at + 1..]);
        rest = tail;
        match mark {
            "[" => {
                if let Some((label, after)) = tail.split_once(']') {
                    out.push_str(label);
                    rest = match (after.strip_prefix('('), after.strip_prefix('[')) {
                        (Some(link), _) => link.split_once(')').map_or("", |(_, after)| after),
                        (_, Some(link)) => link.split_once(']').map_or("", |(_, after)| after),
                        _ => after,
                    };
                }
            }
            "!" if tail.starts_with('[') => {
                rest = tail.split_once(')').map_or("", |(_, after)| after);
            }
            "!" => out.push('!'),
            "<" => rest = tail.split_once('>').map_or("", |(_, after)| after),
            _ => {}
        }
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// The first sentence on one line, cut where it is long.
fn first_sentence(text: &str) -> Option<String> {
    let lines = text
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty() || is_rule(line));
    let paragraph: Vec<&str> = lines
        .map(|line| line.trim_start_matches("@fileoverview ").trim_start_matches("# "))
        .take_while(|line| !line.is_empty() && !is_rule(line) && !line.starts_with('@'))
        .collect();
    let paragraph = paragraph.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    let is_end = |at: usize| {
        let (before, after) = (&paragraph[..at], &paragraph[at + 1..]);
        let is_abbreviation = ["e.g", "i.e", "etc", "vs", "cf", "resp"]
            .iter()
            .any(|end| before.ends_with(end));
        !is_abbreviation && (after.is_empty() || after.starts_with(' '))
    };
    let end = paragraph.match_indices('.').map(|(at, _)| at).find(|at| is_end(*at));
    let sentence = paragraph[..end.unwrap_or(paragraph.len())].trim_end_matches(':').trim();
    let words = sentence.chars().filter(|one| one.is_alphabetic()).count();
    if words < 4 {
        return None;
    }
    match sentence.char_indices().nth(CHARS) {
        None => Some(sentence.to_owned()),
        Some((at, _)) => {
            let cut = sentence[..at].rfind(' ').unwrap_or(at);
            Some(format!("{} ...", &sentence[..cut]))
        }
    }
}
