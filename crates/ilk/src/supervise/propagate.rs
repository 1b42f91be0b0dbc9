//! What was said of some pairs, carried to all pairs near them: E2CP.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use rayon::prelude::*;

use crate::numerics::chebyshev::solve_damped;
use crate::numerics::linalg::{product, product_into};
use crate::numerics::sparse::Sparse;
use crate::observe::{Event, Observer};
use crate::problem::{Constraints, Graph, Pair};
use crate::similarity::MAX_BYTES;
use crate::{Error, Result};

/// Columns that are solved for together, so few that they stay in the cache; between these a run can be
/// cancelled.
const COLUMNS: usize = 8;

/// Points whose pairs are found together.
const ROWS: usize = 256;

/// Pairs propagated over a graph (E2CP; Lu and Ip, *Exhaustive and efficient constraint propagation*,
/// 2013).
///
/// With W the affinities of the graph, S = D^-1/2 W D^-1/2, and Z_ij = 1 for a must-link, -1 for a
/// cannot-link (times the weights of the pairs) and 0 elsewhere, what holds for a pair holds in part
/// for its neighbours, first down the columns of Z and then along its rows:
///
/// ```text
/// F = G Z G,   G = (1 - α) (I - αS)^-1
/// ```
///
/// F is then scaled so that the largest |F_ij| among the points of which something was said is 1, and
/// affinities rise where F is positive and fall where it is negative:
///
/// ```text
/// W~_ij = 1 - (1 - F_ij) (1 - W_ij)   for F_ij >= 0,   (1 + F_ij) W_ij   otherwise
/// ```
///
/// Z has entries for the c named points alone, so c columns of G are all that is ever solved for.
/// [`whole`](Self::whole) makes the n x n matrix W~; [`graph`](Self::graph) makes the part of it that
/// matters, in memory of about n c numbers.
///
/// ```
/// use ilk::observe::Silent;
/// use ilk::problem::{Constraints, Graph};
/// use ilk::supervise::propagate::Propagated;
///
/// // Two pairs of neighbours; one must-link between the pairs brings all four together.
/// let graph = Graph::from_edges(4, [(0, 1, 0.9), (2, 3, 0.9)])?;
/// let mut said = Constraints::new(4);
/// said.must_link(0, 2)?;
/// let propagated = Propagated::new(&graph, &said, 0.4, &Silent)?;
/// assert_eq!(propagated.value(0, 2), 1.0);
/// assert!((propagated.value(1, 3) - 0.16).abs() < 1e-12);
/// assert!(propagated.graph(0.01)?.matrix().get(1, 2) > 0.39);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Propagated<'a> {
    graph: &'a Graph,
    /// The points of which something was said, ascending.
    named: Vec<usize>,
    /// Z among the named points.
    said: Sparse,
    /// The columns of G that belong to the named points: n x c.
    reach: Array2<f64>,
    /// What F is divided by; 0 where nothing was said, or all was taken back.
    scale: f64,
}

impl<'a> Propagated<'a> {
    /// Propagates must-links and cannot-links over a graph whose weights are at most 1; its self loops
    /// count for nothing. `alpha`, from 0 to below 1, is how much of a value comes from the neighbours.
    ///
    /// # Errors
    /// [`Error::BadParameter`], [`Error::Cancelled`], [`Error::TooLarge`] where n c numbers are above
    /// [`MAX_BYTES`].
    pub fn new(
        graph: &'a Graph,
        said: &Constraints,
        alpha: f64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        if !(0.0..1.0).contains(&alpha) {
            return Err(Error::BadParameter {
                parameter: "alpha",
                value: alpha.to_string(),
                expected: "it must be a number, at least 0 and below 1".to_owned(),
            });
        }
        let ends = |pairs: &[Pair]| pairs.iter().flat_map(|pair| pair.points).collect();
        let mut named: Vec<usize> = ends(said.must_links());
        named.extend::<Vec<usize>>(ends(said.cannot_links()));
        named.sort_unstable();
        named.dedup();
        let bytes = 8 * graph.len() as u128 * named.len() as u128;
        if bytes > MAX_BYTES {
            return Err(Error::TooLarge {
                what: "the matrix of every point's share in what was said",
                bytes,
                instead: "say less, or take a sample of the points",
            });
        }
        let place = |point: usize| named.partition_point(|&p| p < point);
        let signed = |pairs: &[Pair], sign: f64| -> Vec<(usize, usize, f64)> {
            let entry = |pair: &Pair| {
                let [a, b] = pair.points;
                (place(a), place(b), sign * pair.weight)
            };
            pairs.iter().map(entry).collect()
        };
        let mut entries = signed(said.must_links(), 1.0);
        entries.extend(signed(said.cannot_links(), -1.0));
        let said = Sparse::from_entries(named.len(), entries);
        let reach = reach(graph, &named, alpha, observer)?;
        let mut propagated = Self {
            graph,
            named,
            said,
            reach,
            scale: 0.0,
        };
        propagated.scale = propagated.largest();
        Ok(propagated)
    }

    /// max |F_ij| among the named points, before F is scaled.
    fn largest(&self) -> f64 {
        let among = self.reach.select(Axis(0), &self.named);
        let values = product(self.said.times(among.t()).t(), among.t());
        values.iter().fold(0.0, |most: f64, f| most.max(f.abs()))
    }

    /// F_ij, between -1 and 1.
    ///
    /// # Panics
    /// Where a point does not exist.
    pub fn value(&self, i: usize, j: usize) -> f64 {
        self.scaled(self.heard(i).dot(&self.reach.row(j)))
    }

    /// The row of G Z of a point.
    fn heard(&self, i: usize) -> Array1<f64> {
        let row = self.reach.row(i);
        let at = |p: usize| self.said.entries(p).map(|(q, z)| z * row[q]).sum();
        (0..self.named.len()).map(at).collect()
    }

    fn scaled(&self, value: f64) -> f64 {
        if self.scale > 0.0 {
            (value / self.scale).clamp(-1.0, 1.0)
        } else {
            0.0
        }
    }

    /// F between all points: n x n.
    ///
    /// # Errors
    /// [`Error::TooLarge`] above [`MAX_BYTES`].
    pub fn values(&self) -> Result<Array2<f64>> {
        let n = self.graph.len();
        let bytes = 8 * (n as u128).pow(2);
        if bytes > MAX_BYTES {
            return Err(Error::TooLarge {
                what: "the matrix of propagated pairs",
                bytes,
                instead: "ask for the graph, which keeps the pairs that matter",
            });
        }
        let heard = self.said.times(self.reach.t());
        let values = product(self.reach.view(), heard.view());
        Ok(values.mapv(|f| self.scaled(f)))
    }

    /// W~ between all points: n x n, with 0 on the diagonal.
    ///
    /// # Errors
    /// Those of [`values`](Self::values).
    pub fn whole(&self) -> Result<Array2<f64>> {
        let mut whole = self.values()?;
        let matrix = self.graph.matrix();
        for ((i, j), f) in whole.indexed_iter_mut() {
            *f = if i == j {
                0.0
            } else {
                adjusted(matrix.get(i, j), *f)
            };
        }
        Ok(whole)
    }

    /// W~ on the edges of the graph, and on those pairs with a point of which something was said for
    /// which F is above `threshold`.
    ///
    /// With a threshold of 0.01 clusters are as good as those of the whole W~ (measured on the sets of
    /// `benches/affinity.rs`): F decays fast with the distance from what was said.
    ///
    /// # Errors
    /// None that a graph could cause.
    pub fn graph(&self, threshold: f64) -> Result<Graph> {
        let n = self.graph.len();
        if self.scale == 0.0 {
            let same = (0..n).map(|i| self.edges_after(i).collect::<Vec<_>>());
            return Graph::from_edges(n, same.flatten());
        }
        let among = self.reach.select(Axis(0), &self.named);
        let among = among.t().as_standard_layout().into_owned();
        let blocks: Vec<Vec<(usize, usize, f64)>> = (0..n.div_ceil(ROWS))
            .into_par_iter()
            .map(|block| {
                let rows = block * ROWS..n.min((block + 1) * ROWS);
                self.block(rows, among.view(), threshold)
            })
            .collect();
        Graph::from_edges(n, blocks.into_iter().flatten())
    }

    /// The pairs of some points that [`graph`](Self::graph) keeps; `among` are the columns of G among
    /// the named points.
    fn block(
        &self,
        rows: std::ops::Range<usize>,
        among: ArrayView2<'_, f64>,
        threshold: f64,
    ) -> Vec<(usize, usize, f64)> {
        let mut found = Vec::new();
        let (mut near, mut heard_near) = (Vec::new(), Vec::new());
        for i in rows {
            let heard = self.heard(i);
            for (i, j, weight) in self.edges_after(i) {
                let f = self.scaled(heard.dot(&self.reach.row(j)));
                found.push((i, j, adjusted(weight, f)));
            }
            // No entry of G is above 1, so no |F| is above this.
            let most: f64 = heard.iter().map(|h| h.abs()).sum();
            if most > threshold * self.scale {
                near.push(i);
                heard_near.extend(heard);
            }
        }
        let c = self.named.len();
        let mut values = vec![0.0; near.len() * c];
        product_into(&heard_near, among, &mut values);
        for (i, row) in near.into_iter().zip(values.chunks_exact(c)) {
            found.extend(self.new_edges(i, row, threshold));
        }
        found
    }

    /// The edges of a point with later ones.
    fn edges_after(&self, i: usize) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let entries = self.graph.matrix().entries(i);
        entries
            .filter(move |&(j, _)| j > i)
            .map(move |(j, weight)| (i, j, weight))
    }

    /// Pairs of a point with named ones that are no edges yet; of two named points, with later ones.
    fn new_edges<'b>(
        &'b self,
        i: usize,
        row: &'b [f64],
        threshold: f64,
    ) -> impl Iterator<Item = (usize, usize, f64)> + 'b {
        let is_named = self.named.binary_search(&i).is_ok();
        let others = self.named.iter().zip(row);
        others.filter_map(move |(&p, &f)| {
            let f = self.scaled(f);
            let is_new = p != i && (p > i || !is_named) && f > threshold;
            (is_new && self.graph.matrix().get(i, p) == 0.0).then(|| (i, p, adjusted(0.0, f)))
        })
    }
}

/// The columns of (1 - α)(I - αS)^-1 that belong to the named points.
fn reach(
    graph: &Graph,
    named: &[usize],
    alpha: f64,
    observer: &dyn Observer,
) -> Result<Array2<f64>> {
    let n = graph.len();
    let normalised = normalised(graph);
    let mut reach = Array2::zeros((n, named.len()));
    for (block, points) in named.chunks(COLUMNS).enumerate() {
        let mut right = Array2::zeros((n, points.len()));
        for (column, &point) in points.iter().enumerate() {
            right[[point, column]] = 1.0 - alpha;
        }
        let solved = solve_damped(alpha, right.view(), |x| normalised.times(x));
        let from = block * COLUMNS;
        let done = from + points.len();
        reach.slice_mut(s![.., from..done]).assign(&solved);
        let event = Event::new("propagating", block + 1, done, named.len());
        if observer.event(&event).is_break() {
            return Err(Error::Cancelled {
                iterations: block + 1,
            });
        }
    }
    Ok(reach)
}

/// S = D^-1/2 W D^-1/2, without self loops.
fn normalised(graph: &Graph) -> Sparse {
    let without_loops = graph
        .matrix()
        .clone()
        .map(|i, j, weight| if i == j { 0.0 } else { weight });
    let scale: Vec<f64> = without_loops
        .row_sums()
        .into_iter()
        .map(|degree| {
            if degree == 0.0 {
                0.0
            } else {
                degree.sqrt().recip()
            }
        })
        .collect();
    without_loops.map(|i, j, weight| weight * scale[i] * scale[j])
}

/// How far labels are carried, where they are all that counts: nearly without a loss, so that they reach
/// every point that has a path to one.
const FAR: f64 = 0.99;

/// Labels carried over a graph (Zhou, Bousquet, Lal, Weston and Schölkopf, *Learning with local and global
/// consistency*, 2004): with y_c = 1 / (points labelled c) for those and 0 elsewhere, a point has the label
/// whose (I - αS)^-1 y_c is largest there, α = 0.99; none where no label reaches it. `labels` has the label
/// of some points, from 0.
///
/// ```
/// use ilk::problem::Graph;
/// use ilk::supervise::propagate::carried;
///
/// let path = Graph::from_edges(6, [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 0.1), (3, 4, 1.0)])?;
/// let labels = carried(&path, &[Some(0), None, None, None, Some(1), None]);
/// assert_eq!(labels, [Some(0), Some(0), Some(0), Some(1), Some(1), None]);
/// # Ok::<(), ilk::Error>(())
/// ```
pub fn carried(graph: &Graph, labels: &[Option<usize>]) -> Vec<Option<usize>> {
    let classes = labels.iter().flatten().max().map_or(0, |last| last + 1);
    let mut sizes = vec![0.0; classes];
    for &label in labels.iter().flatten() {
        sizes[label] += 1.0;
    }
    let mut right = Array2::zeros((graph.len(), classes));
    for (point, label) in labels.iter().enumerate().take(graph.len()) {
        if let Some(label) = *label {
            right[[point, label]] = 1.0 / sizes[label];
        }
    }
    let normalised = normalised(graph);
    let reached = solve_damped(FAR, right.view(), |x| normalised.times(x));
    let strongest = |row: ndarray::ArrayView1<'_, f64>| {
        let mut best: Option<(usize, f64)> = None;
        for (label, &value) in row.iter().enumerate() {
            if value > best.map_or(0.0, |(_, most)| most) {
                best = Some((label, value));
            }
        }
        best.map(|(label, _)| label)
    };
    reached.rows().into_iter().map(strongest).collect()
}

/// An affinity between 0 and 1, raised or lowered by F.
fn adjusted(weight: f64, f: f64) -> f64 {
    if f >= 0.0 {
        1.0 - (1.0 - f) * (1.0 - weight)
    } else {
        (1.0 + f) * weight
    }
}
