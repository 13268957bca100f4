//! Tool names of other servers that mean one of ours.

use serde_json::{Map, Value};

/// Another name for a tool, with what it implies.
#[derive(Debug)]
pub(crate) struct Alias {
    pub name: &'static str,
    pub to: &'static str,
    /// Only for calls that have this argument.
    pub when: Option<&'static str>,
    pub rename: &'static [(&'static str, &'static str)],
    /// Arguments that the name stands for; given ones win.
    pub fixed: &'static [(&'static str, &'static str)],
    /// Values of an argument (by its new name) that are called otherwise here.
    pub values: &'static [(&'static str, &'static str, &'static str)],
}

pub(crate) const PLAIN: Alias = Alias {
    name: "",
    to: "",
    when: None,
    rename: &[],
    fixed: &[],
    values: &[],
};

/// The first that fits is meant.
pub(crate) const ALIASES: &[Alias] = &[
    Alias {
        name: "search",
        to: "search_code",
        when: Some("keyword"),
        rename: &[("keyword", "query"), ("limit", "k")],
        fixed: &[("mode", "hybrid")],
        ..PLAIN
    },
    Alias {
        name: "search",
        to: "search_code",
        rename: &[("limit", "k")],
        fixed: &[("mode", "semantic")],
        ..PLAIN
    },
    Alias {
        name: "fast_search",
        to: "search_code",
        rename: &[("search_target", "mode"), ("file_pattern", "path"), ("limit", "k")],
        values: &[("mode", "content", "auto")],
        ..PLAIN
    },
    Alias {
        name: "fast_refs",
        to: "find_references",
        rename: &[("limit", "max_results")],
        fixed: &[("include_definition", "true")],
        ..PLAIN
    },
    Alias {
        name: "get_similar_code",
        to: "find_similar",
        rename: &[("query", "code")],
        fixed: &[("limit", "5")],
        ..PLAIN
    },
    Alias {
        name: "read_file_content",
        to: "read_file",
        rename: &[("file_path", "path")],
        ..PLAIN
    },
    Alias {
        name: "list_dir",
        to: "list_files",
        ..PLAIN
    },
    Alias {
        name: "reindex",
        to: "index_repository",
        fixed: &[("force", "true"), ("background", "true")],
        ..PLAIN
    },
    Alias {
        name: "index_codebase",
        to: "index_repository",
        rename: &[("directory", "path"), ("force_reindex", "force")],
        ..PLAIN
    },
];

impl Alias {
    /// The arguments in the terms of the tool that is meant.
    pub fn applied(&self, mut arguments: Map<String, Value>) -> Map<String, Value> {
        for (from, to) in self.rename {
            if let Some(value) = arguments.shift_remove(*from) {
                arguments.entry(*to).or_insert(value);
            }
        }
        for (key, from, to) in self.values {
            if arguments.get(*key).and_then(Value::as_str) == Some(from) {
                arguments.insert((*key).to_owned(), (*to).into());
            }
        }
        for (key, value) in self.fixed {
            arguments.entry(*key).or_insert_with(|| (*value).into());
        }
        arguments
    }
}

/// The tool that a name means, and the arguments in its terms.
pub(crate) fn resolve(name: &str, arguments: Map<String, Value>) -> (String, Map<String, Value>) {
    let fits = |alias: &&Alias| alias.name == name && alias.when.is_none_or(|key| arguments.contains_key(key));
    match ALIASES.iter().find(fits) {
        Some(alias) => (alias.to.to_owned(), alias.applied(arguments)),
        None => (name.to_owned(), arguments),
    }
}
