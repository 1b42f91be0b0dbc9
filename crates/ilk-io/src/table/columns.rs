//! The text of a table's own columns.

/// Cells of text, stored end to end: a cell costs its letters and eight bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    names: Vec<String>,
    text: String,
    ends: Vec<usize>,
}

impl Columns {
    pub(crate) fn new(names: Vec<String>) -> Self {
        Self { names, text: String::new(), ends: Vec::new() }
    }

    /// Adds the next cell of the current row, left to right.
    pub(crate) fn push(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(self.text.len());
    }

    /// The rows that are not left out.
    pub(crate) fn without(&self, left_out: &[bool]) -> Self {
        let mut kept = Self::new(self.names.clone());
        for (row, _) in left_out.iter().enumerate().filter(|(_, left_out)| !**left_out) {
            let cells = (0..self.names.len()).filter_map(|column| self.cell(row, column));
            cells.for_each(|cell| kept.push(cell));
        }
        kept
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.ends.len() / self.names.len().max(1)
    }

    /// The text of a cell, if there is such a row and column.
    pub fn cell(&self, row: usize, column: usize) -> Option<&str> {
        if column >= self.names.len() {
            return None;
        }
        let cell = row * self.names.len() + column;
        let start = match cell {
            0 => 0,
            _ => *self.ends.get(cell - 1)?,
        };
        self.text.get(start..*self.ends.get(cell)?)
    }
}
