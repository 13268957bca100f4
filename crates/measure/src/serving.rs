//! What a server takes: to start, to answer about symbols, to see a change.

use std::{
    fs::OpenOptions,
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::{
    corpus::Corpus,
    grep::{Pattern, grep},
    product::{Portolan, Server},
    sample::Sample,
};

/// One way of asking about a symbol.
pub struct Question {
    /// The tool, and what tells it from others of the same tool.
    pub name: &'static str,
    pub tool: &'static str,
    pub arguments: fn(&Sample) -> Value,
}

/// The tools that agents use most.
pub const QUESTIONS: &[Question] = &[
    Question {
        name: "search_code, a name",
        tool: "search_code",
        arguments: |sample| json!({ "query": sample.name }),
    },
    Question {
        name: "search_code, a question",
        tool: "search_code",
        arguments: |sample| json!({ "query": format!("how does {} work", words(&sample.name)), "mode": "hybrid" }),
    },
    Question {
        name: "grep",
        tool: "grep",
        arguments: |sample| json!({ "pattern": format!(r"\b{}\b", sample.name) }),
    },
    Question {
        name: "find_symbol",
        tool: "find_symbol",
        arguments: |sample| json!({ "name": sample.name }),
    },
    Question {
        name: "find_definition",
        tool: "find_definition",
        arguments: Sample::place,
    },
    Question {
        name: "extract_code",
        tool: "extract_code",
        arguments: |sample| json!({ "targets": [format!("{}:{}", sample.path, sample.line)] }),
    },
    Question {
        name: "find_references",
        tool: "find_references",
        arguments: Sample::place,
    },
    Question {
        name: "find_callers",
        tool: "find_callers",
        arguments: Sample::place,
    },
    Question {
        name: "find_callees",
        tool: "find_callees",
        arguments: Sample::place,
    },
    Question {
        name: "find_implementations",
        tool: "find_implementations",
        arguments: Sample::place,
    },
    Question {
        name: "get_call_graph",
        tool: "get_call_graph",
        arguments: Sample::place,
    },
    Question {
        name: "deep_dive",
        tool: "deep_dive",
        arguments: Sample::place,
    },
    Question {
        name: "impact_analysis",
        tool: "impact_analysis",
        arguments: Sample::place,
    },
    Question {
        name: "map_code",
        tool: "map_code",
        arguments: |_| json!({}),
    },
];

/// `parse_query` and `parseQuery` as two words.
fn words(name: &str) -> String {
    let mut words = String::new();
    let mut before = '_';
    for c in name.chars() {
        let begins = c == '_' || (c.is_ascii_uppercase() && before.is_ascii_lowercase());
        if begins && !words.ends_with(' ') {
            words.push(' ');
        }
        if c != '_' {
            words.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.trim().to_owned()
}

/// How long the answers to a question take, one for each sample until the time is up; an error is an answer.
pub fn answer_times(
    server: &mut Server,
    question: &Question,
    samples: &[Sample],
    at_most: Duration,
) -> Result<Vec<Duration>> {
    // The first call of a server finds out what later ones know.
    if let Some(first) = samples.first() {
        server.ask(question.tool, &(question.arguments)(first))?;
    }
    let started = Instant::now();
    let mut times = Vec::new();
    for sample in samples {
        times.push(server.ask(question.tool, &(question.arguments)(sample))?.elapsed);
        if started.elapsed() > at_most {
            break;
        }
    }
    Ok(times)
}

/// How long `grep -w` takes for the same names.
pub fn grep_times(dir: &Path, samples: &[Sample], at_most: Duration) -> Result<Vec<Duration>> {
    let started = Instant::now();
    let mut times = Vec::new();
    for sample in samples {
        times.push(grep(dir, Pattern::Word(&sample.name))?.0);
        if started.elapsed() > at_most {
            break;
        }
    }
    Ok(times)
}

/// Which message a client sends first.
pub type Greeting = fn(&mut Server) -> Result<Value>;

/// From starting the process to its first answer.
pub fn start(portolan: &Portolan, home: &Path, dir: &Path, greeting: Greeting) -> Result<Duration> {
    let started = Instant::now();
    let mut server = portolan.serve(home, dir, "core")?;
    greeting(&mut server)?;
    Ok(started.elapsed())
}

/// Changes of files, each asked for at once.
pub struct Changes {
    pub times: Vec<Duration>,
    /// Words that were not found, with their files.
    pub missed: Vec<(String, String)>,
}

/// Appends a new word to each file and asks for it.
pub fn change(server: &mut Server, corpus: &Corpus, files: &[&str]) -> Result<Changes> {
    let mut changes = Changes {
        times: Vec::new(),
        missed: Vec::new(),
    };
    for (number, file) in files.iter().enumerate() {
        let word = format!("xqzjvkwyedit{number}");
        let mut opened = OpenOptions::new().append(true).open(corpus.dir.join(file))?;
        writeln!(opened, "\n{word}")?;
        drop(opened);
        let started = Instant::now();
        let (_, answer) = server.call("search_code", &json!({ "query": word }))?;
        changes.times.push(started.elapsed());
        let Some(results) = answer["results"].as_array() else {
            bail!("search_code answers without results");
        };
        if !results.iter().any(|result| result["path"] == **file) {
            changes.missed.push((word, (*file).to_owned()));
        }
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        for (name, expected) in [
            ("parse_query", "parse query"),
            ("parseQuery", "parse query"),
            ("HTTPServer", "httpserver"),
            ("__init__", "init"),
            ("run", "run"),
        ] {
            assert_eq!(words(name), expected);
        }
    }
}
