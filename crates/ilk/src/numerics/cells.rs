//! Rows that lie in one cell of a grid.

use std::collections::HashMap;

/// A grid whose cells are numbered in the order of their first use: rows that nearly coincide get the
/// same number in one pass.
///
/// The origin is the middle of a cell, so that values that should be 0 share a cell whatever their
/// sign. Two rows on either side of an edge have different cells, however close they are: a grid may
/// miss rows that nearly coincide, but never joins rows that are farther apart than the diagonal of a
/// cell.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    side: f64,
    /// By the bits of the cell's number in every dimension. Floats, unlike integers, do not overflow
    /// where cells are small compared with the extent of the data.
    numbers: HashMap<Vec<u64>, usize>,
}

/// Rows of which those in one cell were merged.
#[derive(Debug, Clone)]
pub(crate) struct MergedRows {
    /// One row a cell, one after the other.
    pub(crate) rows: Vec<f64>,
    /// The sum of the weights in each cell.
    pub(crate) weights: Vec<f64>,
    /// The first row in each cell.
    pub(crate) first: Vec<usize>,
    /// The cell of each row.
    pub(crate) cell_of: Vec<usize>,
}

/// Two rows of one cell, of which the first is to stand for both.
#[derive(Debug)]
pub(crate) struct Merge<'a> {
    /// The row that stands for the cell so far.
    pub(crate) kept: &'a mut [f64],
    /// Its weight: that of all rows that it stands for.
    pub(crate) kept_weight: f64,
    /// Another row of the cell.
    pub(crate) row: &'a [f64],
    /// Its weight.
    pub(crate) weight: f64,
}

impl Cells {
    /// A grid with cells of this side, above 0.
    pub(crate) fn new(side: f64) -> Self {
        Self { side, numbers: HashMap::new() }
    }

    /// The number of the cell of `row`, counted from 0 in the order of first use.
    pub(crate) fn number(&mut self, row: &[f64]) -> usize {
        self.number_tagged(row, None)
    }

    /// As [`number`](Self::number), where rows of one cell have to have equal tags, too.
    fn number_tagged(&mut self, row: &[f64], tag: Option<f64>) -> usize {
        let along = row.iter().map(|x| (x / self.side).round());
        // Adding 0 turns -0 into 0.
        let key = along.chain(tag).map(|x| (x + 0.0).to_bits()).collect();
        let next = self.numbers.len();
        *self.numbers.entry(key).or_insert(next)
    }

    /// Merges rows that share a cell and a tag. The first of them stands for the cell, and `merge`
    /// changes it by each of the others.
    pub(crate) fn merge_rows(
        &mut self,
        (rows, dims): (&[f64], usize),
        weights: &[f64],
        tag: impl Fn(usize) -> Option<f64>,
        merge: impl Fn(Merge<'_>),
    ) -> MergedRows {
        let mut merged = MergedRows {
            rows: Vec::with_capacity(rows.len()),
            weights: Vec::with_capacity(weights.len()),
            first: Vec::new(),
            cell_of: Vec::with_capacity(weights.len()),
        };
        for (i, (row, &weight)) in rows.chunks_exact(dims).zip(weights).enumerate() {
            let cell = self.number_tagged(row, tag(i));
            merged.cell_of.push(cell);
            if cell == merged.weights.len() {
                merged.rows.extend_from_slice(row);
                merged.weights.push(weight);
                merged.first.push(i);
            } else {
                merge(Merge {
                    kept: &mut merged.rows[cell * dims..(cell + 1) * dims],
                    kept_weight: merged.weights[cell],
                    row,
                    weight,
                });
                merged.weights[cell] += weight;
            }
        }
        merged
    }

    /// Forgets all cells.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
    }
}

#[cfg(test)]
mod tests;
