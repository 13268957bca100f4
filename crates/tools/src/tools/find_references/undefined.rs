//! References to a name that nothing in the workspace defines, by the module that it comes from.

use std::{cmp::Reverse, collections::BTreeMap};

use queries::{CodeGraph, SymbolId, UndefinedUse, Use};
use serde_json::{Value, json};

use super::{Params, rows::RowMaker};
use crate::machinery::{
    answer::Answer,
    error::ToolError,
    tool::Ctx,
    units::{count, first_few, plural},
    visible::visible_name,
};

/// Modules that the first line names.
const SHOWN_MODULES: usize = 4;

/// What the uses of a name are known to come from, most uses first and those without a module last.
pub(crate) fn modules(uses: &[UndefinedUse]) -> Vec<(Option<&str>, usize)> {
    let mut counts: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for one in uses {
        *counts.entry(one.module.as_deref()).or_default() += 1;
    }
    let mut modules: Vec<(Option<&str>, usize)> = counts.into_iter().collect();
    modules.sort_by_key(|(module, count)| (module.is_none(), Reverse(*count)));
    modules
}

/// `HashMap` is not defined in this workspace; where it comes from instead, and how many of its uses say so.
pub(crate) fn head(symbol: &str, what: &str, total: usize, modules: &[(Option<&str>, usize)], unsure: usize) -> String {
    let named: Vec<String> = modules
        .iter()
        .filter_map(|(module, _)| module.map(visible_name))
        .collect();
    let bare = modules
        .iter()
        .find(|(module, _)| module.is_none())
        .map_or(0, |(_, uses)| *uses);
    let source = match (named.len(), bare) {
        (0, _) => ": no import says where it comes from, so these have the name and no more".to_owned(),
        (_, 0) => format!(", imported from {}", first_few(named.into_iter(), SHOWN_MODULES)),
        (_, bare) => format!(
            ": {} imported from {}, {} by name alone",
            count((total - bare) as u64),
            first_few(named.into_iter(), SHOWN_MODULES),
            count(bare as u64)
        ),
    };
    let besides = match unsure {
        0 => String::new(),
        uses => format!(
            "\n{} of the bare name, without an import, may be of it too",
            plural(uses, "use")
        ),
    };
    format!(
        "`{}` is not defined in this workspace. {}{source}{besides}",
        visible_name(symbol),
        plural(total, what)
    )
}

/// The modules as a field in JSON.
pub(crate) fn modules_json(modules: &[(Option<&str>, usize)]) -> Value {
    let all = modules.iter();
    all.map(|(module, count)| json!({ "module": module, "total": count }))
        .collect()
}

/// What is said below the rows.
pub(crate) const IN_TEXT: &str = "search_code with literal finds the name in comments and strings as well.";

/// Nothing if no use passes the filters.
pub(super) fn answer(ctx: &Ctx<'_>, graph: &CodeGraph<'_>, params: &Params) -> Result<Option<Answer>, ToolError> {
    let (symbol, mut uses, unsure) = params.target.undefined_uses(graph)?;
    let left_out = match &params.defined_in {
        Some(file) => Some(graph.file_at(file)?),
        None => None,
    };
    let around = |used: &Use| {
        used.enclosing.map(|symbol| SymbolId {
            file: used.file,
            symbol,
        })
    };
    uses.retain(|one| {
        let used = &one.used;
        left_out != Some(used.file)
            && params.reference_kind.is_none_or(|kind| kind.role() == used.role)
            && params.symbol_type.is_role(used.role)
            && !(params.exclude_tests && graph.is_in_tests(used.file, around(used)))
    });
    if uses.is_empty() {
        return Ok(None);
    }
    let modules = modules(&uses);
    let place = |module: Option<&str>| modules.iter().position(|(other, _)| *other == module);
    let mut order: Vec<&UndefinedUse> = uses.iter().collect();
    order.sort_by_cached_key(|one| {
        let used = &one.used;
        (
            place(one.module.as_deref()),
            graph.is_aside(used.file, around(used)),
            used.file,
            used.at,
        )
    });
    let mut titles = Vec::new();
    let mut at = 0;
    for (module, count) in &modules {
        let title = match module {
            Some(module) => format!("From {} ({count}):", visible_name(module)),
            None => format!("By name alone ({count}):"),
        };
        titles.push((at, title));
        at += count;
    }
    let mut files: Vec<&str> = order.iter().map(|one| graph.path(one.used.file)).collect();
    files.sort_unstable();
    files.dedup();
    let head = head(&symbol, "reference", order.len(), &modules, unsure);
    let shown: Vec<&Use> = order.iter().map(|one| &one.used).collect();
    let maker = RowMaker::new(graph, &shown, params.context_of(ctx, shown.len()));
    let mut answer = Answer {
        head,
        key: "references",
        total: shown.len(),
        narrower: "narrow with reference_kind or raise max_results".into(),
        ..Answer::default()
    };
    let offset = ctx.paging.offset;
    for at in (offset..shown.len()).take(params.max_results as usize) {
        let (mut row, behind) = maker.row(at)?;
        if let Some(module) = &order[at].module {
            row.json["module"] = module.as_str().into();
        }
        let is_titled = titles.iter().any(|(first, _)| *first == at);
        answer
            .behind
            .extend(behind.filter(|_| !is_titled).map(|behind| (at, behind)));
        answer.rows.push(row);
    }
    answer.titles = titles;
    answer.fact("symbol", json!({ "name": symbol, "external": true }));
    answer.fact("modules", modules_json(&modules));
    answer.fact(
        "files",
        files
            .iter()
            .take(ctx.share(super::MAX_FILES))
            .copied()
            .collect::<Vec<&str>>(),
    );
    answer.fact("files_total", files.len());
    if offset == 0 {
        answer.tail = IN_TEXT.to_owned();
    }
    answer.says_age = ctx.profile.is_some();
    Ok(Some(answer))
}
