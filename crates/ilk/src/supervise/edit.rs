//! Affinities edited to what was said.

use std::collections::BTreeMap;

use crate::Result;
use crate::problem::{Constraints, Graph};

/// The graph with must-linked points as close as points can be, and no edge between those that a
/// cannot-link keeps apart (Spectral Learning; Kamvar, Klein and Manning 2003):
///
/// ```text
/// A_ij = 1 for a must-link,   A_ij = 0 for a cannot-link
/// ```
///
/// Affinities are between 0 and 1. A pair whose weight is below 1 goes that share of the way only, and
/// one that was said both ways is left as it is. Labels and comparisons are not read; see
/// [`with_labels_as_pairs`](super::labels::with_labels_as_pairs). What is said of a pair touches no
/// other pair; [`propagate`](super::propagate) carries it to the neighbours.
///
/// ```
/// use ilk::problem::{Constraints, Graph};
/// use ilk::supervise::edit::edited;
///
/// let graph = Graph::from_edges(3, [(0, 1, 0.5), (1, 2, 0.25)])?;
/// let mut said = Constraints::new(3);
/// said.must_link(0, 2)?.cannot_link(0, 1)?;
/// let edited = edited(&graph, &said)?;
/// assert_eq!(edited.edges(0), (&[2][..], &[1.0][..]));
/// assert_eq!(edited.edges(1), (&[2][..], &[0.25][..]));
/// # Ok::<(), ilk::Error>(())
/// ```
///
/// # Errors
/// None that checked constraints about the graph's nodes run into.
pub fn edited(graph: &Graph, said: &Constraints) -> Result<Graph> {
    let mut changed: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for (pairs, sign) in [(said.must_links(), 1.0), (said.cannot_links(), -1.0)] {
        for pair in pairs {
            let [a, b] = pair.points;
            let share = sign * pair.weight.min(1.0);
            changed
                .entry([a.min(b), a.max(b)])
                .and_modify(|before| *before = 0.0)
                .or_insert(share);
        }
    }
    let matrix = graph.matrix();
    let kept = (0..graph.len()).flat_map(|i| {
        let later = matrix.entries(i).filter(move |&(j, _)| j >= i);
        later.map(move |(j, weight)| (i, j, weight))
    });
    let kept = kept.filter(|&(i, j, _)| !changed.contains_key(&[i, j]));
    let new = changed.iter().map(|(&[i, j], &share)| {
        let before = matrix.get(i, j);
        let weight = if share >= 0.0 {
            before + share * (1.0 - before)
        } else {
            before * (1.0 + share)
        };
        (i, j, weight)
    });
    Graph::from_edges(graph.len(), kept.chain(new))
}
