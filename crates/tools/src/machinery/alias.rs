//! Tool names of other servers that mean one of ours.

use serde_json::{Map, Value};

use crate::machinery::tool::Entry;

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

/// The tool that a name means, and the arguments in its terms. The first alias that fits is meant.
pub(crate) fn resolve(tools: &[Entry], name: &str, arguments: Map<String, Value>) -> (String, Map<String, Value>) {
    let fits = |alias: &&Alias| alias.name == name && alias.when.is_none_or(|key| arguments.contains_key(key));
    match tools.iter().flat_map(|entry| entry.other_names).find(fits) {
        Some(alias) => (alias.to.to_owned(), alias.applied(arguments)),
        None => (name.to_owned(), arguments),
    }
}
