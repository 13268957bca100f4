//! Questions about the graph: who uses, calls and implements definitions drawn from the corpus.

use std::time::Duration;

use anyhow::Result;
use measure::{QUESTIONS, Server, answer_times, median, ms, show_times};

use super::{
    Bench, say,
    table::{Row, Table, Target},
};

/// More than any tool needs.
const MOST: Duration = Duration::from_secs(60);

/// The median that tools must keep to, in ms: those that are not named, and others.
const MEDIAN: f64 = 20.0;
const MEDIANS: &[(&str, f64)] = &[("impact_analysis", 300.0), ("map_code", 1000.0)];

pub fn measure(bench: &Bench<'_>, server: &mut Server, table: &mut Table) -> Result<()> {
    say("asking about symbols");
    // Searches have rows of their own.
    let questions = QUESTIONS
        .iter()
        .filter(|one| !matches!(one.tool, "search_code" | "grep"));
    for question in questions {
        let times = answer_times(server, question, &bench.samples, MOST)?;
        let most = MEDIANS.iter().find(|(tool, _)| *tool == question.tool);
        let most = most.map_or(MEDIAN, |(_, most)| *most);
        let row = Row::new(question.name, show_times(&times));
        table.push(row.must(Target::AtMost(most, " ms"), ms(median(&times))));
    }
    Ok(())
}
