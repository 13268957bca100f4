//! One row of each list of a report.

use queries::{Caller, ChangeKind, Role, SymbolHit, SymbolId, Use};
use serde_json::{Value, json};

use super::{dependents::Direct, diff::Changed, report::Report};
use crate::{
    machinery::{answer::Row, error::ToolError, units::plural, visible::visible_name},
    parts::{
        risk::role_word,
        subject::{named_place, origin_mark, origin_word_json, places},
    },
};

/// Lines of one function that are shown.
const SHOWN_LINES: usize = 8;
/// Places that are shown where what is gone is still used.
const SHOWN_LEFT: usize = 8;
/// Members that are shown of those that a changed one does not stand in for any more.
const SHOWN_NO_LONGER_OVERRIDDEN: usize = 3;

impl Report<'_> {
    pub fn changed_row(&self, changed: &Changed) -> Result<Row, ToolError> {
        let Changed {
            path,
            symbol,
            used,
            possible,
            left,
            moved_to,
            found_there,
            no_longer_overridden,
            ..
        } = changed;
        let kind = if symbol.is_test { "test" } else { symbol.kind.as_str() };
        let change = match (symbol.change, symbol.has_new_signature, moved_to) {
            _ if symbol.is_layout => "comment or layout only".to_owned(),
            (ChangeKind::Modified, Some(true), _) => "signature modified".to_owned(),
            (ChangeKind::Modified, Some(false), _) => "body modified".to_owned(),
            (_, _, Some((path, line))) => format!("moved to {}:{line}", visible_name(path)),
            (change, _, None) => change.as_str().to_owned(),
        };
        let used_text = match (symbol.change, used) {
            (_, Some(0)) if *found_there > 0 => format!(", {}", plural(*found_there, "use")),
            (_, Some(0)) if *possible > 0 => format!(", {}", plural(*possible, "possible use")),
            (_, Some(0)) => String::new(),
            (_, None) => ", users not looked for".to_owned(),
            (ChangeKind::Removed, Some(used)) => format!(
                ", still used in {}: {}",
                plural(*used, "place"),
                places(self.graph, left.iter().copied(), SHOWN_LEFT)
            ),
            (_, Some(used)) => format!(", {}", plural(*used, "use")),
        };
        let mut json = json!({
            "name": symbol.name,
            "qualified_name": symbol.qualified_name,
            "kind": symbol.kind.as_str(),
            "change": symbol.change.as_str(),
            "path": path,
            "line": symbol.line,
            "uses": used,
        });
        if *possible > 0 {
            json["possible_uses"] = (*possible).into();
        }
        if symbol.is_layout {
            json["layout_only"] = true.into();
        }
        if !left.is_empty() {
            let shown = left.iter().take(SHOWN_LEFT);
            let shown =
                shown.map(|(file, at)| json!({ "path": self.graph.path(*file), "line": self.graph.line(*file, *at) }));
            json["used_at"] = shown.collect();
        }
        if let Some(changed) = symbol.has_new_signature {
            json["signature_changed"] = changed.into();
        }
        if let Some((path, line)) = moved_to {
            json["moved_to"] = json!({ "path": path, "line": line });
        }
        let mut alone = String::new();
        if !no_longer_overridden.is_empty() {
            let hits = no_longer_overridden.iter().map(|id| self.graph.hit(*id));
            let hits: Vec<SymbolHit> = hits.collect::<Result<_, _>>()?;
            let shown: Vec<String> = hits.iter().take(SHOWN_NO_LONGER_OVERRIDDEN).map(named_place).collect();
            alone = format!("; does not stand in any more for {}", shown.join(", "));
            json["deserted"] = hits.iter().map(|hit| hit.qualified_name.as_str()).collect();
        }
        Ok(Row {
            text: format!(
                "{}:{} {} ({kind}) {change}{used_text}{alone}",
                visible_name(path),
                symbol.line,
                visible_name(&symbol.qualified_name),
            ),
            json: json!({ "changed": json }),
            body: None,
        })
    }

    pub fn direct_row(&self, direct: &Direct) -> Result<Row, ToolError> {
        let uses = || direct.uses.iter().map(|one| &one.used);
        let Some(best) = uses().max_by(|a, b| a.confidence.total_cmp(&b.confidence)) else {
            return Ok(Row::default());
        };
        let path = self.graph.path(direct.file);
        let mut lines: Vec<u32> = uses().map(|used| self.graph.line(used.file, used.at)).collect();
        lines.dedup();
        let Roles { words, enclosing } = self.roles(direct)?;
        let caller = direct.symbol.map(|symbol| self.graph.hit(symbol)).transpose()?;
        let name = match &caller {
            Some(hit) => {
                let call = if hit.kind.is_function() { "()" } else { "" };
                format!(" {}{call}", visible_name(&hit.qualified_name))
            }
            None => String::new(),
        };
        let shown: Vec<String> = lines.iter().take(SHOWN_LINES).map(u32::to_string).collect();
        let more = if lines.len() > shown.len() { ",..." } else { "" };
        let mark = origin_mark(best.origin, best.confidence);
        let text = format!(
            "{}:{}{more}{name}: {}{mark}",
            visible_name(path),
            shown.join(","),
            visible_name(&words)
        );
        let mut json = json!({ "path": path, "line": lines.first(), "role": words });
        if !direct.subsystem.is_empty() {
            json["subsystem"] = direct.subsystem.as_str().into();
        }
        if lines.len() > 1 {
            json["lines"] = lines.into();
        }
        let enclosing = caller.as_ref().map(|hit| hit.qualified_name.clone()).or(enclosing);
        if let Some(name) = enclosing {
            json["enclosing"] = name.into();
        }
        origin_word_json(&mut json, best.origin, best.confidence);
        let mut json = json!({ "direct": json });
        self.add_other_lists(&mut json, direct, caller, best);
        Ok(Row { text, json, body: None })
    }

    /// What the uses are, each of whose where there are several targets.
    fn roles(&self, direct: &Direct) -> Result<Roles, ToolError> {
        let mut words: Vec<String> = Vec::new();
        let mut enclosing = None;
        let targets = &self.change.targets;
        for one in &direct.uses {
            let hit = self.graph.use_hit(&one.used)?;
            let mut role = role_word(&hit.role_text).to_owned();
            if targets.len() > 1 || self.change.imports_matter.contains(&one.target) {
                role = format!("{role} of {}", targets[one.target]);
            }
            if !words.contains(&role) {
                words.push(role);
            }
            enclosing = enclosing.or(hit.enclosing.map(|(name, ..)| name));
        }
        Ok(Roles {
            words: words.join(", "),
            enclosing,
        })
    }

    /// The same under the other names that it has: one who calls, a type that is named.
    fn add_other_lists(&self, json: &mut Value, direct: &Direct, caller: Option<SymbolHit>, best: &Use) {
        let lines_of = |role: Role| -> Vec<u32> {
            let uses = direct.uses.iter().map(|one| &one.used);
            uses.filter(|used| used.role == role)
                .map(|used| self.graph.line(used.file, used.at))
                .collect()
        };
        let calls = lines_of(Role::Call);
        if let Some(hit) = caller.filter(|_| !calls.is_empty()) {
            let mut caller = json!({
                "name": hit.name,
                "path": hit.path,
                "line": hit.line,
                "sites": calls,
                "depth": 1,
            });
            origin_word_json(&mut caller, best.origin, best.confidence);
            json["callers"] = caller;
        }
        let types = lines_of(Role::Type);
        if !types.is_empty() {
            let mut named = json!({ "path": self.graph.path(direct.file), "line": types.first() });
            if types.len() > 1 {
                named["lines"] = types.into();
            }
            origin_word_json(&mut named, best.origin, best.confidence);
            json["types"] = named;
        }
    }

    /// A test that uses it directly is one of its users as well.
    pub fn test_row(&self, test: &Caller) -> Result<Row, ToolError> {
        let mut row = self.caller_row(test, "tests")?;
        if let Some(direct) = test.symbol.and_then(|symbol| self.dependents.in_tests.get(&symbol)) {
            let direct = self.direct_row(direct)?;
            for list in ["direct", "callers", "types"] {
                if let Some(item) = direct.json.get(list) {
                    row.json[list] = item.clone();
                }
            }
            // Where it is used is said there.
            if let Some(named) = row.json["tests"].as_object_mut() {
                named.shift_remove("sites");
            }
        }
        Ok(row)
    }

    pub fn caller_row(&self, caller: &Caller, list: &'static str) -> Result<Row, ToolError> {
        let Some(id) = caller.symbol else {
            return Ok(Row::default());
        };
        let hit = self.graph.hit(id)?;
        let mut text = format!(
            "{}:{} {}",
            visible_name(&hit.path),
            hit.line,
            visible_name(&hit.qualified_name)
        );
        let sites: Vec<u32> = caller
            .sites
            .iter()
            .map(|at| self.graph.line(caller.file, *at))
            .collect();
        let mut json = json!({
            "name": hit.name,
            "qualified_name": hit.qualified_name,
            "path": hit.path,
            "line": hit.line,
            "sites": sites,
            "depth": caller.depth,
        });
        match caller.depth {
            0 => text.push_str(" (changed)"),
            1 => {}
            depth => {
                let through = self.graph.hit(caller.calls)?;
                let far = if list == "tests" {
                    format!(" (level {depth})")
                } else {
                    String::new()
                };
                text.push_str(&format!(" through {}{far}", visible_name(&through.qualified_name)));
                json["through"] = through.qualified_name.into();
            }
        }
        if caller.depth > 0 {
            text.push_str(&origin_mark(caller.origin, caller.confidence));
            origin_word_json(&mut json, caller.origin, caller.confidence);
        }
        Ok(Row {
            text,
            json: json!({ list: json }),
            body: None,
        })
    }

    pub fn implementation_row(&self, id: SymbolId) -> Result<Row, ToolError> {
        let hit = self.graph.hit(id)?;
        let mut text = format!(
            "{}:{} {} ({})",
            visible_name(&hit.path),
            hit.line,
            visible_name(&hit.qualified_name),
            hit.kind.as_str()
        );
        let mut json = json!({
            "name": hit.name,
            "kind": hit.kind.as_str(),
            "path": hit.path,
            "line": hit.line,
            "origin": "resolved",
        });
        if let Some(undone) = self.change.undone.get(&id) {
            text.push_str(&format!(": {}", visible_name(undone)));
            json["undone"] = undone.as_str().into();
        }
        Ok(Row {
            text,
            json: json!({ "implementations": json }),
            body: None,
        })
    }
}

struct Roles {
    /// `call, type of Parser`
    words: String,
    /// The name of what they are in, if it has one.
    enclosing: Option<String>,
}
