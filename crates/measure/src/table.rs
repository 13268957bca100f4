//! A Markdown table that is also a table on a terminal.

use std::fmt;

pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<'h>(head: impl IntoIterator<Item = &'h str>) -> Table {
        Table {
            rows: vec![head.into_iter().map(str::to_owned).collect()],
        }
    }

    /// Adds a row with as many cells as the head has.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.rows[0].len());
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_columns = self.rows[0].len();
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..n_columns).map(width).collect();
        for (at, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            writeln!(f, "| {} |", cells.collect::<Vec<_>>().join(" | "))?;
            if at == 0 {
                let rulers = widths.iter().map(|width| "-".repeat(*width));
                writeln!(f, "| {} |", rulers.collect::<Vec<_>>().join(" | "))?;
            }
        }
        Ok(())
    }
}
