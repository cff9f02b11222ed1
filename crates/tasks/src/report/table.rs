//! Tables in columns.

use std::io::{Result, Write};

/// Rows of cells; the first row is the head.
pub struct Table {
    /// Columns of words, which begin at the left, as those without a head do; all others hold numbers.
    words: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table whose first `words` columns hold words.
    pub fn new(words: usize, head: &[&str]) -> Self {
        Table { words, rows: vec![head.iter().map(|name| (*name).to_owned()).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Whether there is nothing under the head.
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// Prints it, each line behind two spaces.
    pub fn write(&self, out: &mut impl Write) -> Result<()> {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.rows[0].len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let width = widths[column];
                line += &match column < self.words || self.rows[0][column].is_empty() {
                    true => format!("  {cell:<width$}"),
                    false => format!("  {cell:>width$}"),
                };
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
