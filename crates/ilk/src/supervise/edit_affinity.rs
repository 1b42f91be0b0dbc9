//! Affinities set by must-links and cannot-links.

use std::collections::BTreeMap;

use crate::{Result, problem::Constraints, problem::Graph};

/// The graph with the largest affinity between must-linked points, and no edge between those with a
/// cannot-link (Spectral Learning; Kamvar, Klein and Manning 2003):
///
/// ```text
/// A_ij = 1 for a must-link,   A_ij = 0 for a cannot-link
/// ```
///
/// Affinities are between 0 and 1. A pair whose weight is below 1 moves the affinity by that share only,
/// and a pair with both a must-link and a cannot-link is left as it is. Labels and comparisons are not read; see
/// [`with_labels_as_pairs`](crate::problem::with_labels_as_pairs). A pair changes no
/// other pair; [`propagate`](super::propagate) extends it to the neighbours.
///
/// ```
/// use ilk::problem::{Constraints, Graph};
/// use ilk::supervise::edit_affinity::edited;
///
/// let graph = Graph::from_edges(3, [(0, 1, 0.5), (1, 2, 0.25)])?;
/// let mut constraints = Constraints::new(3);
/// constraints.must_link(0, 2)?.cannot_link(0, 1)?;
/// let edited = edited(&graph, &constraints)?;
/// assert_eq!(edited.edges(0), (&[2][..], &[1.0][..]));
/// assert_eq!(edited.edges(1), (&[2][..], &[0.25][..]));
/// # Ok::<(), ilk::Error>(())
/// ```
pub fn edited(graph: &Graph, constraints: &Constraints) -> Result<Graph> {
    let mut changed: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for ([a, b], weight) in constraints.signed_pairs() {
        changed
            .entry([a.min(b), a.max(b)])
            .and_modify(|share| *share = 0.0)
            .or_insert(weight.clamp(-1.0, 1.0));
    }
    let matrix = graph.matrix();
    let kept = graph.each_edge();
    let kept = kept.filter(|&(i, j, _)| !changed.contains_key(&[i, j]));
    let new = changed.iter().map(|(&[i, j], &share)| {
        let before = matrix.get(i, j);
        let weight =
            if share >= 0.0 { before + share * (1.0 - before) } else { before * (1.0 + share) };
        (i, j, weight)
    });
    Graph::from_edges(graph.len(), kept.chain(new))
}
