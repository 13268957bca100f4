//! One row of each list that tells of a symbol.

use serde_json::{Value, json};
use workspace::{Caller, SymbolHit, SymbolId, Use, UseOrigin};

use super::{Depth, Dive, Entry};
use crate::{
    answer::{Body, Row},
    definition,
    error::ToolError,
    impact,
    subject::{origin_json, origin_mark},
    units::first_few,
    visible::visible_name,
};

/// Lines of the bodies around it.
const OTHER_LINES: u32 = 16;
/// Lines around a call that are shown of a longer function.
const AROUND_CALL: u32 = 3;
/// A type of more lines is told by its members.
const TYPE_LINES: u32 = 30;
const TYPE_HEAD: u32 = 8;

impl Dive<'_> {
    pub fn row(&self, list: &str, entry: &Entry) -> Result<Row, ToolError> {
        let row = match entry {
            Entry::Body(id) => {
                let hit = self.graph.hit(*id)?;
                let json = json!({ "path": hit.path, "line": hit.first_line, "end_line": hit.last_line });
                let length = hit.last_line + 1 - hit.first_line;
                let most = match self.depth {
                    Depth::Context if hit.kind.is_type() && length > TYPE_LINES => TYPE_HEAD,
                    depth => depth.lines(),
                };
                Row {
                    text: String::new(),
                    json,
                    body: Some(self.body(*id, &hit, most)?),
                }
            }
            Entry::Caller(caller) | Entry::Test(caller) => self.caller(caller, matches!(entry, Entry::Test(_)))?,
            Entry::Callee(callee, id) => {
                let mut row = self.other(*id)?;
                let lines = callee.sites.iter().map(|at| self.graph.line(callee.caller.file, *at));
                row.json["sites"] = lines.collect();
                known(&mut row, callee.origin, callee.confidence);
                row
            }
            Entry::Type(named, id) => {
                let hit = self.graph.hit(*id)?;
                let mut row = self.other(*id)?;
                if self.depth == Depth::Overview {
                    row.text.push_str(&format!(" {}", hit.kind.as_str()));
                }
                known(&mut row, named.origin, named.confidence);
                row
            }
            Entry::Name(named) => {
                let mut json = json!({ "name": named.name, "external": true });
                origin_json(&mut json, named.origin, named.confidence);
                line(visible_name(&named.name), json)
            }
            Entry::Member(id) => self.member(*id)?,
            Entry::Implementation(id) => {
                let mut row = self.other(*id)?;
                row.json["origin"] = "resolved".into();
                row
            }
            Entry::User { symbol, used, sites } => self.user(*symbol, used, sites)?,
            Entry::Export(id) => {
                let hit = self.graph.hit(*id)?;
                let shown = match self.depth {
                    Depth::Overview => format!("{} {}", hit.kind.as_str(), visible_name(&hit.name)),
                    _ => definition::signature(&hit),
                };
                let mut json = self.plain(&hit);
                json["origin"] = "resolved".into();
                line(format!("{}:{} {shown}", visible_name(&hit.path), hit.line), json)
            }
            Entry::Dependency { path, names } => {
                let shown = first_few(names.iter().map(|name| visible_name(name)), 10);
                let json = json!({ "path": path, "names": names, "origin": "resolved" });
                line(format!("{} {shown}", visible_name(path)), json)
            }
        };
        Ok(Row {
            json: json!({ list: row.json }),
            ..row
        })
    }

    fn plain(&self, hit: &SymbolHit) -> Value {
        let mut json = json!({
            "name": hit.name,
            "qualified_name": hit.qualified_name,
            "kind": hit.kind.as_str(),
            "path": hit.path,
            "line": hit.line,
        });
        if self.depth > Depth::Overview {
            json["signature"] = definition::signature(hit).into();
        }
        if hit.is_test {
            json["test"] = true.into();
        }
        json
    }

    /// Another definition: where it is, with its signature or its body if the depth asks for them.
    fn other(&self, id: SymbolId) -> Result<Row, ToolError> {
        let hit = self.graph.hit(id)?;
        let call = if hit.kind.is_function() { "()" } else { "" };
        let place = format!("{}:{}", visible_name(&hit.path), hit.line);
        let name = visible_name(&hit.qualified_name);
        let text = match self.depth {
            Depth::Context => format!("{place} {}", self.signature(&hit)),
            Depth::Overview | Depth::Full => format!("{place} {name}{call}"),
        };
        let body = match self.depth {
            Depth::Full => Some(self.body(id, &hit, OTHER_LINES)?),
            Depth::Overview | Depth::Context => None,
        };
        Ok(Row {
            text,
            json: self.plain(&hit),
            body,
        })
    }

    /// One that uses the symbol in some lines: of a long body those are shown.
    fn using(&self, id: SymbolId, lines: &[u32]) -> Result<Row, ToolError> {
        let mut row = self.other(id)?;
        let hit = self.graph.hit(id)?;
        let is_long = hit.last_line + 1 - hit.first_line > OTHER_LINES;
        let Some(body) = row.body.as_mut().filter(|_| is_long) else {
            return Ok(row);
        };
        let mut shown: Vec<u32> = vec![hit.first_line];
        for line in lines {
            let from = line.saturating_sub(AROUND_CALL).max(hit.first_line);
            shown.extend(from..=line.saturating_add(AROUND_CALL).min(hit.last_line));
        }
        shown.sort_unstable();
        shown.dedup();
        shown.truncate(OTHER_LINES as usize);
        let source = self.graph.source(id.file)?;
        let mut written = String::new();
        let mut next = hit.first_line;
        for line in shown.into_iter().chain([hit.last_line + 1]) {
            if line > next {
                written.push_str(&format!("... ({} lines)\n", line - next));
            }
            if line <= hit.last_line {
                let span = source.facts.lines.span(line);
                written.push_str(source.text.get(span.range()).unwrap_or_default().trim_end());
                written.push('\n');
            }
            next = line + 1;
        }
        body.text = written;
        Ok(row)
    }

    /// A signature says whose it is.
    fn signature(&self, hit: &SymbolHit) -> String {
        let signature = definition::signature(hit);
        if hit.qualified_name == hit.name {
            signature
        } else {
            format!("{}: {signature}", visible_name(&hit.qualified_name))
        }
    }

    fn body(&self, id: SymbolId, hit: &SymbolHit, most: u32) -> Result<Body, ToolError> {
        let source = self.graph.source(id.file)?;
        let last = hit.last_line.min(hit.first_line + most - 1);
        let from = source.facts.lines.span(hit.first_line).start as usize;
        let to = source.facts.lines.span(last).end as usize;
        let mut text = source.text.get(from..to).unwrap_or_default().trim_end().to_owned();
        if last < hit.last_line {
            text.push_str(&format!("\n... ({} more lines)", hit.last_line - last));
        }
        Ok(Body {
            field: "text",
            first_line: Some(hit.first_line),
            is_continued: false,
            is_numbered: false,
            lang: source.lang.name,
            text,
        })
    }

    fn caller(&self, caller: &Caller, is_test: bool) -> Result<Row, ToolError> {
        let sites: Vec<u32> = caller
            .sites
            .iter()
            .map(|at| self.graph.line(caller.file, *at))
            .collect();
        let mut row = match caller.symbol {
            Some(id) if is_test => {
                let hit = self.graph.hit(id)?;
                let mut text = format!(
                    "{}:{} {}",
                    visible_name(&hit.path),
                    hit.line,
                    visible_name(&hit.qualified_name)
                );
                if caller.depth > 1 {
                    let through = self.graph.hit(caller.calls)?;
                    text.push_str(&format!(" through {}", visible_name(&through.name)));
                }
                let mut json = self.plain(&hit);
                json["depth"] = caller.depth.into();
                line(text, json)
            }
            Some(id) => self.using(id, &sites)?,
            None => {
                let path = self.graph.path(caller.file);
                let at = sites.first().copied().unwrap_or(1);
                let json = json!({ "name": "", "path": path, "line": at });
                line(format!("{}:{at} (top level)", visible_name(path)), json)
            }
        };
        row.json["sites"] = sites.into();
        known(&mut row, caller.origin, caller.confidence);
        Ok(row)
    }

    /// A member, in the type's own file without its path.
    fn member(&self, id: SymbolId) -> Result<Row, ToolError> {
        let hit = self.graph.hit(id)?;
        let mut json = self.plain(&hit);
        json["signature"] = definition::signature(&hit).into();
        json["origin"] = "resolved".into();
        let place = if hit.path == self.subject.hit.path {
            format!(":{}", hit.line)
        } else {
            format!("{}:{}", visible_name(&hit.path), hit.line)
        };
        let signature = definition::signature(&hit);
        let cut = match self.depth {
            Depth::Overview => signature.floor_char_boundary(80),
            _ => signature.len(),
        };
        let dots = if cut < signature.len() { "..." } else { "" };
        Ok(line(format!("{place} {}{dots}", &signature[..cut]), json))
    }

    fn user(&self, symbol: SymbolId, used: &Use, sites: &[u32]) -> Result<Row, ToolError> {
        let lines: Vec<u32> = sites.iter().map(|at| self.graph.line(used.file, *at)).collect();
        let role = self.graph.use_hit(used)?.role_text;
        let mut row = self.using(symbol, &lines)?;
        if self.depth == Depth::Overview {
            row.text.push_str(&format!(" {}", impact::role_word(&role)));
        }
        row.json["role"] = role.into();
        row.json["sites"] = lines.into();
        known(&mut row, used.origin, used.confidence);
        Ok(row)
    }
}

fn known(row: &mut Row, origin: UseOrigin, confidence: f32) {
    row.text.push_str(&origin_mark(origin, confidence));
    origin_json(&mut row.json, origin, confidence);
}

fn line(text: String, json: Value) -> Row {
    Row { text, json, body: None }
}
