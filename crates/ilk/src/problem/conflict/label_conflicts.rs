//! Different labels inside one component.

use super::super::{Closure, Constraints};

/// All pairs of labels that share a component.
///
/// A component with L labels has L (L - 1) / 2 pairs, so only the labels are stored, component by
/// component, and a pair is found from its number: label i of a component heads a row of the pairs
/// with the labels after it.
#[derive(Debug)]
pub(super) struct LabelClashes {
    /// Labels of components with more than one, sorted by component, then by label.
    labels: Vec<usize>,
    /// The number of the first pair that each of `labels` heads, and the total.
    first_pair: Vec<usize>,
}

impl LabelClashes {
    pub(super) fn new(constraints: &Constraints, closure: &Closure) -> Self {
        let mut component_of = vec![0; constraints.label_names().len()];
        for labelled in constraints.labels() {
            component_of[labelled.label] = closure.component_of(labelled.point);
        }
        let mut by_component: Vec<usize> = (0..component_of.len()).collect();
        by_component.sort_by_key(|&label| component_of[label]);

        let mut labels = Vec::new();
        let mut first_pair = vec![0];
        for block in by_component.chunk_by(|&a, &b| component_of[a] == component_of[b]) {
            if block.len() == 1 {
                continue;
            }
            for (i, &label) in block.iter().enumerate() {
                labels.push(label);
                let pairs = block.len() - 1 - i;
                first_pair.push(first_pair[first_pair.len() - 1] + pairs);
            }
        }
        Self { labels, first_pair }
    }

    /// Number of pairs.
    pub(super) fn len(&self) -> usize {
        self.first_pair[self.labels.len()]
    }

    /// The pair of a number, in the order of [`Constraints::label_names`].
    pub(super) fn get(&self, pair: usize) -> Option<(usize, usize)> {
        if pair >= self.len() {
            return None;
        }
        // The last label of a component heads an empty row, which this steps over.
        let head = self.first_pair.partition_point(|&first| first <= pair) - 1;
        let second = head + 1 + (pair - self.first_pair[head]);
        Some((self.labels[head], self.labels[second]))
    }
}
