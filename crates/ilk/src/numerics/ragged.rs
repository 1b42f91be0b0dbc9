//! Ragged rows.

/// Lists of values, one a row, stored end to end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RaggedRows<T = usize> {
    offsets: Vec<usize>,
    values: Vec<T>,
}

impl<T: Copy + Default> RaggedRows<T> {
    /// Rows `0..n` from (row, value) entries in any order of rows; within a row the order of the
    /// entries is kept.
    pub(crate) fn new(n: usize, entries: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut offsets = vec![0; n + 1];
        for (row, _) in entries.clone() {
            offsets[row + 1] += 1;
        }
        for row in 0..n {
            offsets[row + 1] += offsets[row];
        }
        let mut next = offsets.clone();
        let mut values = vec![T::default(); offsets[n]];
        for (row, value) in entries {
            values[next[row]] = value;
            next[row] += 1;
        }
        Self { offsets, values }
    }

    /// Where every row begins, the end of the last, and all values.
    pub(crate) fn into_parts(self) -> (Vec<usize>, Vec<T>) {
        (self.offsets, self.values)
    }

    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.values[self.offsets[row]..self.offsets[row + 1]]
    }
}
