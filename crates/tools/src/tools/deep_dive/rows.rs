//! One row of each list that tells of a symbol.

use queries::{Caller, SymbolHit, SymbolId, Use, UseOrigin};
use serde_json::{Value, json};

use super::{Depth, Dive, Entry};
use crate::{
    machinery::{
        answer::{Body, Row},
        error::ToolError,
        tokens,
        tool::Ctx,
        units::{first_few, plural},
        visible::{clip, visible_name},
    },
    parts::{
        definition, risk,
        subject::{origin_json, origin_mark},
    },
};

/// Lines of another definition's body.
const OTHER_LINES: u32 = 12;
/// Lines around a call that are shown of a longer function.
const AROUND_CALL: u32 = 2;
/// A type of more lines is told by its members.
const TYPE_LINES: u32 = 20;
const TYPE_HEAD: u32 = 6;
/// Lines of its own body that are shown however long they are.
const FEWEST_LINES: u32 = 5;
/// Characters of a signature in a list.
const LISTED_CHARS: usize = 120;
/// The same of a member in the overview.
const MEMBER_CHARS: usize = 60;

/// Lines that are shown of another definition's body.
pub(super) fn lines_shown(hit: &SymbolHit) -> u32 {
    (hit.last_line + 1 - hit.first_line).min(OTHER_LINES)
}

impl Dive<'_> {
    /// `with_body`: where this depth shows bodies, whether it shows this one's.
    pub fn row(&self, ctx: &Ctx<'_>, list: &str, entry: &Entry, with_body: bool) -> Result<Row, ToolError> {
        let row = match entry {
            Entry::Body(id) => {
                let hit = self.graph.hit(*id)?;
                let json = json!({ "path": hit.path, "line": hit.first_line, "end_line": hit.last_line });
                let length = hit.last_line + 1 - hit.first_line;
                let most = match hit.kind.is_type() && length > TYPE_LINES {
                    true => TYPE_HEAD,
                    false => self.lines_within(*id, &hit, self.depth.body_tokens())?,
                };
                Row {
                    text: String::new(),
                    json,
                    body: Some(self.body(*id, &hit, most, &rest_call(ctx, &hit, hit.first_line + most))?),
                }
            }
            Entry::Caller(caller) | Entry::Test(caller) => {
                self.caller(caller, matches!(entry, Entry::Test(_)), with_body)?
            }
            Entry::Callee(callee, id) => {
                let mut row = self.other(*id, with_body)?;
                let lines = callee.sites.iter().map(|at| self.graph.line(callee.caller.file, *at));
                row.json["sites"] = lines.collect();
                known(&mut row, callee.origin, callee.confidence);
                row
            }
            Entry::Type(named, id) => {
                let hit = self.graph.hit(*id)?;
                let mut row = self.other(*id, with_body)?;
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
                let mut row = self.other(*id, with_body)?;
                row.json["origin"] = "resolved".into();
                row
            }
            Entry::User { symbol, used, sites } => self.user(*symbol, used, sites, with_body)?,
            Entry::Export(id) => {
                let hit = self.graph.hit(*id)?;
                let shown = match self.depth {
                    Depth::Overview => format!("{} {}", hit.kind.as_str(), visible_name(&hit.name)),
                    _ => definition::signature(&hit),
                };
                let mut json = self.plain(&hit);
                json["origin"] = "resolved".into();
                let below = self.dir.and_then(|dir| hit.path.strip_prefix(dir));
                let path = below.map_or(hit.path.as_str(), |path| path.trim_start_matches('/'));
                line(format!("{}:{} {shown}", visible_name(path), hit.line), json)
            }
            Entry::Dependency { path, names } => {
                let shown = first_few(names.iter().map(|name| visible_name(name)), 10);
                let json = json!({ "path": path, "names": names, "origin": "resolved" });
                line(format!("{} {shown}", visible_name(path)).trim_end().to_owned(), json)
            }
            Entry::Dependent { dir, files } => {
                let json = json!({ "path": dir, "files": files, "origin": "resolved" });
                line(format!("{} {}", visible_name(dir), plural(*files, "file")), json)
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
    fn other(&self, id: SymbolId, with_body: bool) -> Result<Row, ToolError> {
        let hit = self.graph.hit(id)?;
        let call = if hit.kind.is_function() { "()" } else { "" };
        let place = format!("{}:{}", visible_name(&hit.path), hit.line);
        let name = visible_name(&hit.qualified_name);
        let text = match self.depth {
            Depth::Context => format!("{place} {}", self.signature(&hit)),
            Depth::Overview | Depth::Full => format!("{place} {name}{call}"),
        };
        let body = match with_body {
            true => Some(self.body(id, &hit, OTHER_LINES, "")?),
            false => None,
        };
        Ok(Row {
            text,
            json: self.plain(&hit),
            body,
        })
    }

    /// One that uses the symbol in some lines: of a long body those are shown.
    fn using(&self, id: SymbolId, lines: &[u32], with_body: bool) -> Result<Row, ToolError> {
        let mut row = self.other(id, with_body)?;
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
                let code = source.text.get(span.range()).unwrap_or_default().trim_end();
                written.push_str(&format!("{line}: {code}\n"));
            }
            next = line + 1;
        }
        // The numbers are part of the text, since lines are left out between them.
        body.text = written;
        body.first_line = None;
        Ok(row)
    }

    /// A signature says whose it is.
    fn signature(&self, hit: &SymbolHit) -> String {
        let signature = clip(&definition::signature(hit), LISTED_CHARS);
        if hit.qualified_name == hit.name {
            signature
        } else {
            format!("{}: {signature}", visible_name(&hit.qualified_name))
        }
    }

    /// How many of a definition's first lines so many tokens hold; a few in any case.
    fn lines_within(&self, id: SymbolId, hit: &SymbolHit, tokens: u64) -> Result<u32, ToolError> {
        let source = self.graph.source(id.file)?;
        let mut left = tokens;
        for line in hit.first_line..=hit.last_line {
            let span = source.facts.lines.span(line);
            let code = source.text.get(span.range()).unwrap_or_default();
            let cost = tokens::count(&format!("{line}: {code}"));
            let n_before = line - hit.first_line;
            if cost > left && n_before >= FEWEST_LINES {
                return Ok(n_before);
            }
            left = left.saturating_sub(cost);
        }
        Ok(hit.last_line + 1 - hit.first_line)
    }

    /// The first lines; `rest` says how to read the others.
    fn body(&self, id: SymbolId, hit: &SymbolHit, most: u32, rest: &str) -> Result<Body, ToolError> {
        let source = self.graph.source(id.file)?;
        let last = hit.last_line.min(hit.first_line + most - 1);
        let from = source.facts.lines.span(hit.first_line).start as usize;
        let to = source.facts.lines.span(last).end as usize;
        let mut text = source.text.get(from..to).unwrap_or_default().trim_end().to_owned();
        if last < hit.last_line {
            let more = hit.last_line - last;
            text.push_str(&format!("\n... ({}{rest})", plural_more(more)));
        }
        Ok(Body {
            field: "text",
            first_line: Some(hit.first_line),
            is_continued: false,
            numbered_in: None,
            lang: source.lang.name,
            text,
        })
    }

    fn caller(&self, caller: &Caller, is_test: bool, with_body: bool) -> Result<Row, ToolError> {
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
            Some(id) => self.using(id, &sites, with_body)?,
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

    fn member(&self, id: SymbolId) -> Result<Row, ToolError> {
        let hit = self.graph.hit(id)?;
        let mut json = self.plain(&hit);
        json["signature"] = definition::signature(&hit).into();
        json["origin"] = "resolved".into();
        let most = match self.depth {
            Depth::Overview => MEMBER_CHARS,
            _ => LISTED_CHARS,
        };
        let signature = clip(&definition::signature(&hit), most);
        Ok(line(
            format!("{}:{} {signature}", visible_name(&hit.path), hit.line),
            json,
        ))
    }

    fn user(&self, symbol: SymbolId, used: &Use, sites: &[u32], with_body: bool) -> Result<Row, ToolError> {
        let lines: Vec<u32> = sites.iter().map(|at| self.graph.line(used.file, *at)).collect();
        let role = self.graph.use_hit(used)?.role_text;
        let mut row = self.using(symbol, &lines, with_body)?;
        if self.depth == Depth::Overview {
            row.text.push_str(&format!(" {}", risk::role_word(&role)));
        }
        row.json["role"] = role.into();
        row.json["sites"] = lines.into();
        known(&mut row, used.origin, used.confidence);
        Ok(row)
    }
}

/// `1 more line`, `12 more lines`.
fn plural_more(lines: u32) -> String {
    let word = if lines == 1 { "line" } else { "lines" };
    format!("{lines} more {word}")
}

/// The tool that shows code, of those that are listed.
pub(super) fn reader(ctx: &Ctx<'_>) -> Option<&'static str> {
    let lists = |tool: &str| {
        ctx.profile
            .is_none_or(|profile| profile.tools.iter().any(|one| one.alias.to == tool))
    };
    ["extract_code", "get_symbols"].into_iter().find(|tool| lists(tool))
}

/// The call that shows a definition's lines from one on.
fn rest_call(ctx: &Ctx<'_>, hit: &SymbolHit, from: u32) -> String {
    let path = visible_name(&hit.path);
    match reader(ctx) {
        Some("extract_code") => format!(": extract_code {path}:{from}-{}", hit.last_line),
        Some(tool) => format!(
            ": {tool} of {path} with target {} and mode full",
            visible_name(&hit.name)
        ),
        None => String::new(),
    }
}

fn known(row: &mut Row, origin: UseOrigin, confidence: f32) {
    row.text.push_str(&origin_mark(origin, confidence));
    origin_json(&mut row.json, origin, confidence);
}

fn line(text: String, json: Value) -> Row {
    Row { text, json, body: None }
}
