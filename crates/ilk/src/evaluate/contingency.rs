//! The contingency table of two labellings.

use std::collections::HashMap;
use std::hash::Hash;

use crate::{Error, Result};

/// The points that have one label in the truth and one in the prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContingencyCell {
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
    cells: Vec<ContingencyCell>,
    class_sizes: Vec<u64>,
    cluster_sizes: Vec<u64>,
}

impl Contingency {
    /// Counts the labels of `truth` against those of `predicted`.
    pub fn new<T: Eq + Hash, P: Eq + Hash>(truth: &[T], predicted: &[P]) -> Result<Self> {
        check_same_length(truth.len(), predicted.len())?;
        let (classes, class_sizes) = numbered(truth);
        let (clusters, cluster_sizes) = numbered(predicted);
        let mut counts: HashMap<(usize, usize), u64> = HashMap::new();
        for cell in classes.into_iter().zip(clusters) {
            *counts.entry(cell).or_default() += 1;
        }
        let mut cells: Vec<ContingencyCell> = counts
            .into_iter()
            .map(|((class, cluster), count)| ContingencyCell { class, cluster, count })
            .collect();
        cells.sort_unstable_by_key(|cell| (cell.class, cell.cluster));
        Ok(Self { n: truth.len() as u64, cells, class_sizes, cluster_sizes })
    }

    /// Number of points.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The cells that are not 0, by class and then cluster.
    pub fn cells(&self) -> &[ContingencyCell] {
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

/// Refuses labellings of different lengths.
pub(super) fn check_same_length(left: usize, right: usize) -> Result<()> {
    if left == right {
        return Ok(());
    }
    Err(Error::LengthMismatch { left, right })
}

/// The number of every label, by first appearance, and how often each occurs.
fn numbered<L: Eq + Hash>(labels: &[L]) -> (Vec<usize>, Vec<u64>) {
    let (mut numbers, mut sizes) = (HashMap::new(), Vec::new());
    let number = |label| {
        let number = *numbers.entry(label).or_insert(sizes.len());
        if number == sizes.len() {
            sizes.push(0);
        }
        sizes[number] += 1;
        number
    };
    (labels.iter().map(number).collect(), sizes)
}
