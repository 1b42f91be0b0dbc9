//! How often each label of one labelling meets each label of the other.

use std::collections::HashMap;
use std::hash::Hash;

use crate::{Error, Result};

/// The points that have one label in the truth and one in the prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The class: the truth's label, numbered by first appearance.
    pub class: usize,
    /// The cluster: the predicted label, numbered by first appearance.
    pub cluster: usize,
    /// How many points have both; at least one.
    pub count: u64,
}

/// The contingency table `n_ij` of two labellings: only the cells that are not 0, so that memory
/// is linear in the number of points however many labels there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contingency {
    n: u64,
    cells: Vec<Cell>,
    class_sizes: Vec<u64>,
    cluster_sizes: Vec<u64>,
}

impl Contingency {
    /// Counts the labels of `truth` against those of `predicted`.
    pub fn new<T: Eq + Hash, P: Eq + Hash>(truth: &[T], predicted: &[P]) -> Result<Self> {
        if truth.len() != predicted.len() {
            return Err(Error::LengthMismatch {
                left: truth.len(),
                right: predicted.len(),
            });
        }
        let mut classes = Coder::default();
        let mut clusters = Coder::default();
        let mut counts: HashMap<(usize, usize), u64> = HashMap::new();
        for (t, p) in truth.iter().zip(predicted) {
            let cell = (classes.count(t), clusters.count(p));
            *counts.entry(cell).or_default() += 1;
        }
        let mut cells: Vec<Cell> = counts
            .into_iter()
            .map(|((class, cluster), count)| Cell {
                class,
                cluster,
                count,
            })
            .collect();
        cells.sort_unstable_by_key(|cell| (cell.class, cell.cluster));
        Ok(Self {
            n: truth.len() as u64,
            cells,
            class_sizes: classes.sizes,
            cluster_sizes: clusters.sizes,
        })
    }

    /// Number of points.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The cells that are not 0, by class and then cluster.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The number of points of each class: the sums of the rows.
    pub fn class_sizes(&self) -> &[u64] {
        &self.class_sizes
    }

    /// The number of points of each cluster: the sums of the columns.
    pub fn cluster_sizes(&self) -> &[u64] {
        &self.cluster_sizes
    }

    /// Whether the two labellings are the same up to the names.
    pub fn is_bijection(&self) -> bool {
        self.cells.len() == self.class_sizes.len() && self.cells.len() == self.cluster_sizes.len()
    }
}

/// Numbers labels by first appearance and counts them.
struct Coder<'a, L> {
    codes: HashMap<&'a L, usize>,
    sizes: Vec<u64>,
}

impl<L> Default for Coder<'_, L> {
    fn default() -> Self {
        Self {
            codes: HashMap::new(),
            sizes: Vec::new(),
        }
    }
}

impl<'a, L: Eq + Hash> Coder<'a, L> {
    fn count(&mut self, label: &'a L) -> usize {
        let code = *self.codes.entry(label).or_insert(self.sizes.len());
        if code == self.sizes.len() {
            self.sizes.push(0);
        }
        self.sizes[code] += 1;
        code
    }
}
