//! Ragged rows.

/// Lists of numbers, one a row, stored end to end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rows {
    offsets: Vec<usize>,
    values: Vec<usize>,
}

impl Rows {
    /// Rows `0..n` from (row, value) entries in any order of rows; within a row the order of the
    /// entries is kept.
    pub(super) fn new(n: usize, entries: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let mut offsets = vec![0; n + 1];
        for (row, _) in entries.clone() {
            offsets[row + 1] += 1;
        }
        for row in 0..n {
            offsets[row + 1] += offsets[row];
        }
        let mut next = offsets.clone();
        let mut values = vec![0; offsets[n]];
        for (row, value) in entries {
            values[next[row]] = value;
            next[row] += 1;
        }
        Self { offsets, values }
    }

    pub(super) fn row(&self, row: usize) -> &[usize] {
        &self.values[self.offsets[row]..self.offsets[row + 1]]
    }
}
