//! `get_dependencies`: what a file imports and from where, or who imports it; how the parts of a directory do.

mod modules;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use queries::{Dependency, DependencyTarget, Dependents, FileDependencies, Snapshot, lang_id};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::machinery::{
    answer::{Answer, Row},
    error::ToolError,
    tool::{Ctx, Effect, Engine, GRAPH, Tool, Toolset},
    units::plural,
    visible::visible_name,
};

pub(crate) struct GetDependencies;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Params {
    /// A directory: how its modules import each other
    #[schemars(length(min = 1, max = 4096))]
    file_path: String,
    /// Who imports the file, or from outside what is in the directory
    #[serde(default)]
    reverse: bool,
    /// Levels of directories that are modules
    #[schemars(range(min = 1, max = 100))]
    depth: Option<u32>,
}

/// Imports in one row; more of the same become another.
const ROW_IMPORTS: usize = 40;
/// Files of one import that are named; a package may have any number.
const ROW_FILES: usize = 20;
const TEXT_FILES: usize = 3;
/// No importer is told in fewer tokens.
const ROW_TOKENS: usize = 8;

impl Tool for GetDependencies {
    const NAME: &'static str = "get_dependencies";
    const TITLE: &'static str = "Get dependencies";
    const DOC: &'static str = "Imports of a file, each resolved to files.";
    const TOOLSET: Toolset = Toolset::Graph;
    const EFFECT: Effect = Effect::Reads;
    const EXAMPLE: &'static str = r#"{"file_path": "src/main.rs"}"#;
    const ENGINES: &'static [Engine] = GRAPH;
    const CLI: Option<&'static str> = Some("deps");
    const POSITIONAL: &'static [&'static str] = &["file_path"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[("path", "file_path"), ("file", "file_path")];
    const OUTPUT: &'static [(&'static str, &'static str)] = &[
        ("file", "string"),
        ("dependencies", "array"),
        ("importers", "array"),
        ("modules", "array"),
        ("links", "array"),
        ("total", "integer"),
        ("coverage", "object"),
        ("next_cursor", "string"),
    ];

    type Params = Params;

    fn instead_of(parameter: &str) -> Option<&'static str> {
        match parameter {
            "direction" => Some("reverse: true lists who imports the file"),
            _ => None,
        }
    }

    fn run(ctx: &Ctx<'_>, params: Params) -> Result<Answer, ToolError> {
        ctx.answer(|snapshot| {
            let (path, files) = snapshot.files_at(&params.file_path)?;
            let is_dir = files != [path.as_str()];
            let mut answer = match (is_dir, params.reverse) {
                (true, false) => {
                    let depth = params.depth.map(|depth| depth as usize);
                    modules::answer(&snapshot.module_map(&path, depth)?)
                }
                (_, true) => return importers(ctx, snapshot, &snapshot.dependents(&path)?),
                (false, false) => dependencies(&snapshot.dependencies(&path)?),
            };
            answer.total = answer.rows.len();
            answer.rows.drain(..ctx.paging.offset.min(answer.total));
            Ok(answer)
        })
    }
}

fn dependencies(file: &FileDependencies) -> Answer {
    let name = visible_name(&file.path);
    let mut answer = Answer {
        key: "dependencies",
        ..Answer::default()
    };
    answer.fact("file", file.path.as_str());
    answer.fact("imports_total", file.imports.len());
    if let Some(problem) = file.problem.filter(|_| file.imports.is_empty()) {
        answer.head = format!("The imports of {name} are not known ({problem}, {})", file.lang);
        answer.fact("note", problem);
        return answer;
    }
    if file.imports.is_empty() {
        answer.head = format!("{name} imports nothing");
        return answer;
    }
    // What imports have in common, in the order of their first appearance; what is local first.
    let mut groups: BTreeMap<usize, (usize, Vec<&Dependency>)> = BTreeMap::new();
    for (at, import) in file.imports.iter().enumerate() {
        let same = groups.values_mut().find(|(_, group)| is_same(group[0], import));
        match same {
            Some((_, group)) => group.push(import),
            None => {
                groups.insert(at, (order(import), vec![import]));
            }
        }
    }
    let mut groups: Vec<(usize, Vec<&Dependency>)> = groups.into_values().collect();
    groups.sort_by_key(|(order, _)| *order);
    let mut counts = [0; 4];
    for import in &file.imports {
        counts[order(import)] += 1;
    }
    let counts: Vec<String> = ["local", "probably local", "external", "unresolved"]
        .iter()
        .zip(counts)
        .filter(|(_, count)| *count > 0)
        .map(|(what, count)| format!("{count} {what}"))
        .collect();
    answer.head = format!(
        "{name}: {} ({})",
        plural(file.imports.len(), "import"),
        counts.join(", ")
    );
    let parts = groups.iter().flat_map(|(_, group)| group.chunks(ROW_IMPORTS));
    answer.rows = parts.map(|imports| row(file, imports)).collect();
    answer
}

/// Whether two imports mean the same files or the same package.
fn is_same(a: &Dependency, b: &Dependency) -> bool {
    a.target == b.target && a.defined_in == b.defined_in && a.target != DependencyTarget::Unknown
}

fn order(import: &Dependency) -> usize {
    match import.target {
        DependencyTarget::Local(_) => 0,
        DependencyTarget::Candidates(_) => 1,
        DependencyTarget::External(_) => 2,
        DependencyTarget::Missing(_) | DependencyTarget::Unknown => 3,
    }
}

/// Imports of the same files.
fn row(file: &FileDependencies, imports: &[&Dependency]) -> Row {
    let first = imports[0];
    let written = written(file.lang, imports);
    let mut json = Map::new();
    let text = match &first.target {
        DependencyTarget::Local(files) => {
            json.insert("resolved".into(), "local".into());
            if first.defined_in.is_empty() {
                name_files(&mut json, "files", files);
                let is_own = *files == [file.path.as_str()];
                let files = if is_own {
                    "this file".to_owned()
                } else {
                    shown_files(files)
                };
                format!("{files}: {written}")
            } else {
                name_files(&mut json, "files", &first.defined_in);
                name_files(&mut json, "via", files);
                format!(
                    "{} via {}: {written}",
                    shown_files(&first.defined_in),
                    shown_files(files)
                )
            }
        }
        DependencyTarget::Candidates(files) => {
            json.insert("resolved".into(), "candidates".into());
            name_files(&mut json, "files", files);
            format!("perhaps {}: {written}", shown_files(files))
        }
        DependencyTarget::External(package) => {
            json.insert("resolved".into(), "external".into());
            json.insert("package".into(), package.as_str().into());
            format!("external: {written}")
        }
        DependencyTarget::Missing(files) => {
            json.insert("resolved".into(), "unresolved".into());
            name_files(&mut json, "missing_in", files);
            format!("unresolved: {written}, not in {}", shown_files(files))
        }
        DependencyTarget::Unknown => {
            json.insert("resolved".into(), "unresolved".into());
            format!("unresolved: {written}")
        }
    };
    json.insert(
        "imports".into(),
        imports.iter().map(|import| import_json(import)).collect(),
    );
    Row {
        text,
        json: Value::Object(json),
        body: None,
    }
}

fn importers(ctx: &Ctx<'_>, snapshot: &Snapshot, found: &Dependents<'_>) -> Result<Answer, ToolError> {
    let name = match found.path.as_str() {
        "" => "the workspace".to_owned(),
        path => visible_name(path),
    };
    let outside = if found.is_dir { " outside of it" } else { "" };
    let imports: usize = found.files().map(|file| file.n_imports()).sum();
    let mut answer = Answer {
        key: "importers",
        head: match found.files().count() {
            0 => format!(
                "No file{outside} imports {name} ({} looked at)",
                plural(snapshot.file_count(), "file")
            ),
            1 => format!("1 file{outside} imports {name} ({})", plural(imports, "import")),
            files => format!("{files} files{outside} import {name} ({})", plural(imports, "import")),
        },
        ..Answer::default()
    };
    answer.fact("file", found.path.as_str());
    answer.fact("imports_total", imports);
    if lang_id(found.lang).lang().conventions.implicit_package {
        let note = format!("files of the same package use it without an import in {}", found.lang);
        answer.tail = format!("Note: {note}.");
        answer.fact("note", note);
    }
    let mut via: BTreeSet<String> = BTreeSet::new();
    for file in found.files().filter(|file| file.is_behind_another()) {
        let imports = file.read()?.imports;
        let named = imports.iter().flat_map(|import| handed_on(&found.path, import));
        via.extend(named.map(str::to_owned));
    }
    if !via.is_empty() {
        let via: Vec<String> = via.into_iter().collect();
        let _ = write!(answer.head, "; re-exported by {}", shown_files(&via));
    }
    // A header may be imported by thousands of files: those that are not on the page are not read.
    let page = ctx.paging.offset..ctx.paging.offset + ctx.paging.max_tokens as usize / ROW_TOKENS + 1;
    for file in found.files() {
        let rows = answer.total..answer.total + file.n_imports().div_ceil(ROW_IMPORTS);
        answer.total = rows.end;
        if rows.start < page.end && page.start < rows.end {
            let file = file.read()?;
            let imports: Vec<&Dependency> = file.imports.iter().collect();
            let parts = rows.zip(imports.chunks(ROW_IMPORTS));
            let shown = parts.filter(|(row, _)| page.contains(row));
            let shown = shown.map(|(_, imports)| importer(&found.path, &file, imports));
            answer.rows.extend(shown);
        }
    }
    Ok(answer)
}

fn importer(target: &str, file: &FileDependencies, imports: &[&Dependency]) -> Row {
    let mut text = format!("{}: {}", visible_name(&file.path), written(file.lang, imports));
    if imports
        .iter()
        .all(|import| matches!(import.target, DependencyTarget::Candidates(_)))
    {
        text.insert_str(0, "perhaps ");
    }
    if imports.iter().any(|import| handed_on(target, import).next().is_some()) {
        text.push_str(" re-exported");
    }
    let imports = imports.iter().map(|import| {
        let mut json = import_json(import);
        let via: Vec<&str> = handed_on(target, import).collect();
        if !via.is_empty() {
            json["via"] = via.into();
        }
        if matches!(import.target, DependencyTarget::Candidates(_)) {
            json["resolved"] = "candidates".into();
        }
        json
    });
    Row {
        json: json!({ "path": file.path, "imports": imports.collect::<Vec<_>>() }),
        text,
        body: None,
    }
}

/// The files that an import names instead of the one that it gets something from.
fn handed_on<'d>(target: &str, import: &'d Dependency) -> impl Iterator<Item = &'d str> {
    let is_of_target = |file: &String| {
        let below = file.strip_prefix(target);
        below.is_some_and(|below| below.is_empty() || target.is_empty() || below.starts_with('/'))
    };
    let files = match &import.target {
        DependencyTarget::Local(files) if !files.iter().any(is_of_target) => files.as_slice(),
        _ => &[],
    };
    files.iter().map(String::as_str)
}

/// `crate::answer {Answer, Row as R} (9), std::fs (3, 4)`.
fn written(lang: &str, imports: &[&Dependency]) -> String {
    // Before the names, the names, and the lines.
    let mut paths: Vec<(String, Vec<String>, Vec<u32>)> = Vec::new();
    for import in imports {
        let alias = import
            .alias
            .as_ref()
            .map_or(String::new(), |alias| format!(" as {alias}"));
        let (path, name) = match &import.item {
            Some(item) => (import.path.clone(), Some(format!("{item}{alias}"))),
            // Where an import always brings in everything, saying so tells nothing.
            None if import.wildcard && !lang_id(lang).lang().conventions.imports_everything => {
                (format!("{} *", import.path), None)
            }
            None => (format!("{}{alias}", import.path), None),
        };
        let same = paths
            .iter()
            .position(|(known, names, _)| *known == path && names.is_empty() == name.is_none());
        let at = same.unwrap_or_else(|| {
            paths.push((path, Vec::new(), Vec::new()));
            paths.len() - 1
        });
        paths[at].1.extend(name);
        if paths[at].2.last() != Some(&import.line) {
            paths[at].2.push(import.line);
        }
    }
    let written = paths.iter().map(|(path, names, lines)| {
        let names = if names.is_empty() {
            String::new()
        } else {
            format!(" {{{}}}", names.join(", "))
        };
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        visible_name(&format!("{path}{names} ({})", lines.join(", ")))
    });
    written.collect::<Vec<_>>().join(", ")
}

fn import_json(import: &Dependency) -> Value {
    let mut json = json!({ "line": import.line, "path": import.path });
    if let Some(item) = &import.item {
        json["item"] = item.as_str().into();
    }
    if let Some(alias) = &import.alias {
        json["alias"] = alias.as_str().into();
    }
    for (key, is_set) in [("wildcard", import.wildcard), ("reexport", import.reexport)] {
        if is_set {
            json[key] = true.into();
        }
    }
    json
}

fn shown_files(files: &[String]) -> String {
    let shown: Vec<String> = files.iter().take(TEXT_FILES).map(|file| visible_name(file)).collect();
    match files.len().saturating_sub(TEXT_FILES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more files", shown.join(", ")),
    }
}

fn name_files(json: &mut Map<String, Value>, key: &str, files: &[String]) {
    json.insert(key.to_owned(), files.iter().take(ROW_FILES).cloned().collect());
    if files.len() > ROW_FILES {
        json.insert(format!("{key}_total"), files.len().into());
    }
}
