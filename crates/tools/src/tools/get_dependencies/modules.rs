//! The map of a directory's modules, as `get_dependencies` answers it.

use queries::{ModuleLink, ModuleMap};
use serde_json::{Value, json};

use crate::machinery::{
    answer::{Answer, Row},
    units::plural,
    visible::visible_name,
};

/// Modules that an answer speaks of, those with the most imports.
const MAX_MODULES: usize = 40;

/// One row a link, most imports first.
pub(crate) fn answer(map: &ModuleMap) -> Answer {
    let shown = map.modules.len().min(MAX_MODULES);
    let links: Vec<&ModuleLink> = map
        .links
        .iter()
        .filter(|link| link.from < shown && link.to < shown)
        .collect();
    let imports: usize = map.links.iter().map(|link| link.imports).sum();
    let name = match map.path.as_str() {
        "" => "The workspace".to_owned(),
        path => visible_name(path),
    };
    let what = if map.level.is_some() { "directory" } else { "file" };
    let mut head = match map.links.len() {
        0 => format!("{name}: no part imports another"),
        all => format!(
            "{name} by {what}: {}, {}, {}",
            plural(map.modules.len(), "module"),
            plural(all, "link"),
            plural(imports, "import")
        ),
    };
    if shown < map.modules.len() {
        head.push_str(&format!("; here the {shown} with the most imports"));
    }
    let mut answer = Answer {
        head,
        key: "links",
        rows: links.iter().map(|link| row(map, link)).collect(),
        ..Answer::default()
    };
    answer.fact("path", if map.path.is_empty() { "." } else { &map.path });
    let modules = map.modules[..shown].iter().map(|module| {
        let mut json = json!({ "path": dir(&module.path), "files": module.files });
        for (is_so, word) in [(module.is_file, "is_file"), (module.is_test, "test")] {
            if is_so {
                json[word] = true.into();
            }
        }
        json
    });
    answer.fact("modules", modules.collect::<Vec<Value>>());
    answer.fact("modules_total", map.modules.len());
    answer.fact("links_total", map.links.len());
    answer.fact("without_links", map.without_links);
    if map.without_links > 0 {
        let alone = plural(map.without_links, "more module");
        answer.tail = format!("{alone} without such imports.");
    }
    answer
}

/// Files of the directory itself are a module too.
fn dir(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

fn row(map: &ModuleMap, link: &ModuleLink) -> Row {
    let [from, to] = [link.from, link.to].map(|module| dir(&map.modules[module].path));
    let perhaps = if link.is_sure { "" } else { "perhaps " };
    let mut json = json!({ "from": from, "to": to, "imports": link.imports, "files": link.files });
    if !link.is_sure {
        json["resolved"] = "candidates".into();
    }
    Row {
        text: format!(
            "{perhaps}{} -> {}: {} in {}",
            visible_name(from),
            visible_name(to),
            plural(link.imports, "import"),
            plural(link.files, "file")
        ),
        json,
        body: None,
    }
}
