//! The answer: one row per measurement, with its target and whether it is met.

use std::fmt;

/// What a measurement must reach.
#[derive(Clone, Copy)]
pub enum Target {
    AtMost(f64, &'static str),
    AtLeast(f64, &'static str),
}

impl Target {
    fn met_by(self, value: f64) -> bool {
        match self {
            Target::AtMost(limit, _) => value <= limit,
            Target::AtLeast(limit, _) => value >= limit,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::AtMost(limit, unit) => write!(f, "<= {limit}{unit}"),
            Target::AtLeast(limit, unit) => write!(f, ">= {limit}{unit}"),
        }
    }
}

pub struct Row {
    what: String,
    ours: String,
    floor: String,
    ratio: Option<f64>,
    target: Option<(Target, f64)>,
}

impl Row {
    pub fn new(what: impl Into<String>, ours: impl Into<String>) -> Row {
        Row {
            what: what.into(),
            ours: ours.into(),
            floor: String::new(),
            ratio: None,
            target: None,
        }
    }

    /// What it is compared with.
    pub fn next_to(mut self, floor: impl Into<String>, ratio: f64) -> Row {
        self.floor = floor.into();
        self.ratio = Some(ratio);
        self
    }

    /// Rows without a target inform, and never fail.
    pub fn must(mut self, target: Target, measured: f64) -> Row {
        self.target = Some((target, measured));
        self
    }

    fn failed(&self) -> bool {
        self.target.is_some_and(|(target, measured)| !target.met_by(measured))
    }
}

#[derive(Default)]
pub struct Table {
    rows: Vec<Row>,
    /// Shown below the table, such as answers that differ.
    notes: Vec<String>,
}

impl Table {
    pub fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The rows that miss their target.
    pub fn failed(&self) -> Vec<&str> {
        let failed = self.rows.iter().filter(|row| row.failed());
        failed.map(|row| row.what.as_str()).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| | Portolan | next to | ratio | target | |\n|---|---|---|---|---|---|"
        )?;
        for row in &self.rows {
            let ratio = row.ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
            let target = row.target.map_or(String::new(), |(target, _)| target.to_string());
            let verdict = match row.target {
                None => "",
                Some(_) if row.failed() => "FAIL",
                Some(_) => "pass",
            };
            let Row { what, ours, floor, .. } = row;
            writeln!(f, "| {what} | {ours} | {floor} | {ratio} | {target} | {verdict} |")?;
        }
        for note in &self.notes {
            writeln!(f, "\n- {note}")?;
        }
        Ok(())
    }
}
