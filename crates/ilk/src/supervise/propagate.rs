//! Constraint propagation over a graph: E2CP.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use rayon::prelude::*;

use crate::error::{check_memory, matrix_bytes};
use crate::numerics::chebyshev::chebyshev_solve;
use crate::numerics::linalg::{product, product_into};
use crate::numerics::{extrema::heaviest, sparse::Sparse};
use crate::observe::{Event, Observer, report};
use crate::problem::{Constraints, Graph};
use crate::{Error, Result};

/// Columns that are solved for together: few, so that they stay in the cache. A run can be cancelled between
/// them.
const COLUMNS: usize = 8;

/// Rows of one task.
const ROWS: usize = 256;

/// Pairs propagated over a graph (E2CP; Lu and Ip, *Exhaustive and efficient constraint propagation*,
/// 2013).
///
/// With W the affinities of the graph, S = D^-1/2 W D^-1/2, and Z_ij = 1 for a must-link, -1 for a
/// cannot-link (times the weights of the pairs) and 0 elsewhere, the pairs are
/// propagated to their neighbours, first down the columns of Z and then along its rows:
///
/// ```text
/// F = G Z G,   G = (1 - α) (I - αS)^-1
/// ```
///
/// F is then scaled so that the largest |F_ij| among the constrained points is 1, and
/// affinities rise where F is positive and fall where it is negative:
///
/// ```text
/// W~_ij = 1 - (1 - F_ij) (1 - W_ij)   for F_ij >= 0,   (1 + F_ij) W_ij   otherwise
/// ```
///
/// Z has entries for the c constrained points alone, so only c columns of G are solved for.
/// [`whole`](Self::whole) makes the n x n matrix W~; [`graph`](Self::graph) makes its large entries alone,
/// in memory of about n c numbers.
///
/// ```
/// use ilk::observe::Silent;
/// use ilk::problem::{Constraints, Graph};
/// use ilk::supervise::propagate::Propagated;
///
/// // Two pairs of neighbours; one must-link between the pairs brings all four together.
/// let graph = Graph::from_edges(4, [(0, 1, 0.9), (2, 3, 0.9)])?;
/// let mut constraints = Constraints::new(4);
/// constraints.must_link(0, 2)?;
/// let propagated = Propagated::new(&graph, &constraints, 0.4, &Silent)?;
/// assert_eq!(propagated.value(0, 2), 1.0);
/// assert!((propagated.value(1, 3) - 0.16).abs() < 1e-12);
/// assert!(propagated.graph(0.01)?.matrix().get(1, 2) > 0.39);
/// # Ok::<(), ilk::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Propagated<'a> {
    graph: &'a Graph,
    /// The constrained points, ascending.
    constrained: Vec<usize>,
    /// Z among the constrained points.
    constraints: Sparse,
    /// The columns of G that belong to the constrained points: n x c.
    columns: Array2<f64>,
    /// What F is divided by; 0 without constraints, or where they cancel each other.
    scale: f64,
}

impl<'a> Propagated<'a> {
    /// Propagates must-links and cannot-links over a graph whose weights are at most 1; its self loops
    /// are ignored. `alpha`, from 0 to below 1, is how much of a value comes from the neighbours.
    ///
    /// # Errors
    /// [`Error::BadParameter`], [`Error::Cancelled`], [`Error::TooLarge`] where n c numbers are above
    /// [`MAX_BYTES`](crate::error::MAX_BYTES).
    pub fn new(
        graph: &'a Graph,
        constraints: &Constraints,
        alpha: f64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        if !(0.0..1.0).contains(&alpha) {
            let expected = "it must be a number, at least 0 and below 1";
            return Err(Error::bad_parameter("alpha", alpha, expected));
        }
        let pairs = constraints.signed_pairs();
        let mut constrained: Vec<usize> = pairs.flat_map(|(points, _)| points).collect();
        constrained.sort_unstable();
        constrained.dedup();
        check_memory(
            "the matrix of propagated columns",
            matrix_bytes(graph.len(), constrained.len()),
            "use fewer constraints, or a sample of the points",
        )?;
        let position = |point: usize| constrained.partition_point(|&p| p < point);
        let pairs = constraints.signed_pairs();
        let entries = pairs.map(|([a, b], weight)| (position(a), position(b), weight));
        let constraints = Sparse::from_entries(constrained.len(), entries);
        let columns = columns_of_g(graph, &constrained, alpha, observer)?;
        let mut propagated = Self { graph, constrained, constraints, columns, scale: 0.0 };
        propagated.scale = propagated.largest();
        Ok(propagated)
    }

    /// max |F_ij| among the constrained points, before F is scaled.
    fn largest(&self) -> f64 {
        let among = self.columns.select(Axis(0), &self.constrained);
        let values = product(self.constraints.times(among.t()).t(), among.t());
        values.iter().fold(0.0, |most: f64, f| most.max(f.abs()))
    }

    /// F_ij, between -1 and 1.
    ///
    /// # Panics
    /// Where a point does not exist.
    pub fn value(&self, i: usize, j: usize) -> f64 {
        self.scaled(self.row_of_gz(i).dot(&self.columns.row(j)))
    }

    /// The row of G Z of a point.
    fn row_of_gz(&self, i: usize) -> Array1<f64> {
        let row = self.columns.row(i);
        let at = |p: usize| self.constraints.entries(p).map(|(q, z)| z * row[q]).sum();
        (0..self.constrained.len()).map(at).collect()
    }

    fn scaled(&self, value: f64) -> f64 {
        if self.scale > 0.0 { (value / self.scale).clamp(-1.0, 1.0) } else { 0.0 }
    }

    /// F between all points: n x n.
    ///
    /// # Errors
    /// [`Error::TooLarge`] above [`MAX_BYTES`](crate::error::MAX_BYTES).
    pub fn values(&self) -> Result<Array2<f64>> {
        let n = self.graph.len();
        check_memory(
            "the matrix of propagated pairs",
            matrix_bytes(n, n),
            "use the graph, which holds the large entries alone",
        )?;
        let zg = self.constraints.times(self.columns.t());
        let values = product(self.columns.view(), zg.view());
        Ok(values.mapv(|f| self.scaled(f)))
    }

    /// W~ between all points: n x n, with 0 on the diagonal.
    pub fn whole(&self) -> Result<Array2<f64>> {
        let matrix = self.graph.matrix();
        let mut whole = self.adjust(|i, j| matrix.get(i, j))?;
        whole.diag_mut().fill(0.0);
        Ok(whole)
    }

    /// W~ for other affinities than those of the graph that the pairs were propagated over, such as all affinities
    /// where the graph has those of near points alone. They lie between 0 and 1.
    pub(crate) fn adjust(&self, affinity: impl Fn(usize, usize) -> f64) -> Result<Array2<f64>> {
        let mut whole = self.values()?;
        for ((i, j), f) in whole.indexed_iter_mut() {
            *f = adjusted(affinity(i, j), *f);
        }
        Ok(whole)
    }

    /// W~ on the edges of the graph, and on those pairs with a constrained point for which F is above
    /// `threshold`.
    ///
    /// With a threshold of 0.01 clusters are as good as those of the whole W~ (measured on the sets of
    /// `benches/affinity.rs`): F decays fast with the distance from the constraints.
    pub fn graph(&self, threshold: f64) -> Result<Graph> {
        let n = self.graph.len();
        if self.scale == 0.0 {
            return Graph::from_edges(n, self.graph.each_edge().filter(|&(i, j, _)| i != j));
        }
        let among = self.columns.select(Axis(0), &self.constrained);
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
    /// the constrained points.
    fn block(
        &self,
        rows: std::ops::Range<usize>,
        among: ArrayView2<'_, f64>,
        threshold: f64,
    ) -> Vec<(usize, usize, f64)> {
        let mut found = Vec::new();
        let (mut near, mut near_rows) = (Vec::new(), Vec::new());
        for i in rows {
            let row = self.row_of_gz(i);
            for (j, weight) in self.graph.matrix().entries(i).filter(|&(j, _)| j > i) {
                let f = self.scaled(row.dot(&self.columns.row(j)));
                found.push((i, j, adjusted(weight, f)));
            }
            // No entry of G is above 1, so no |F| is above this.
            let most: f64 = row.iter().map(|h| h.abs()).sum();
            if most > threshold * self.scale {
                near.push(i);
                near_rows.extend(row);
            }
        }
        let c = self.constrained.len();
        let mut values = vec![0.0; near.len() * c];
        product_into(&near_rows, among, &mut values);
        for (i, row) in near.into_iter().zip(values.chunks_exact(c)) {
            found.extend(self.new_edges(i, row, threshold));
        }
        found
    }

    /// Pairs of a point with constrained ones that are no edges yet; of two constrained points, with later ones.
    fn new_edges<'b>(
        &'b self,
        i: usize,
        row: &'b [f64],
        threshold: f64,
    ) -> impl Iterator<Item = (usize, usize, f64)> + 'b {
        let is_constrained = self.constrained.binary_search(&i).is_ok();
        let others = self.constrained.iter().zip(row);
        others.filter_map(move |(&p, &f)| {
            let f = self.scaled(f);
            let is_new = p != i && (p > i || !is_constrained) && f > threshold;
            (is_new && self.graph.matrix().get(i, p) == 0.0).then(|| (i, p, adjusted(0.0, f)))
        })
    }
}

/// The columns of (1 - α)(I - αS)^-1 that belong to the constrained points.
fn columns_of_g(
    graph: &Graph,
    constrained: &[usize],
    alpha: f64,
    observer: &dyn Observer,
) -> Result<Array2<f64>> {
    let n = graph.len();
    let normalised = normalised(graph);
    let mut columns = Array2::zeros((n, constrained.len()));
    for (block, points) in constrained.chunks(COLUMNS).enumerate() {
        let mut right = Array2::zeros((n, points.len()));
        for (column, &point) in points.iter().enumerate() {
            right[[point, column]] = 1.0 - alpha;
        }
        let solved = chebyshev_solve(alpha, right.view(), |x| normalised.times(x));
        let from = block * COLUMNS;
        let done = from + points.len();
        columns.slice_mut(s![.., from..done]).assign(&solved);
        let event = Event::new("propagating", block + 1, done, constrained.len());
        report(observer, &event)?;
    }
    Ok(columns)
}

/// S = D^-1/2 W D^-1/2, without self loops.
fn normalised(graph: &Graph) -> Sparse {
    let without_loops =
        graph.matrix().clone().map(|i, j, weight| if i == j { 0.0 } else { weight });
    let degrees = without_loops.row_sums().into_iter();
    let scale: Vec<f64> = degrees
        .map(|degree| match degree {
            0.0 => 0.0,
            degree => degree.sqrt().recip(),
        })
        .collect();
    without_loops.map(|i, j, weight| weight * scale[i] * scale[j])
}

/// α for the propagation of labels: near 1, so that they get to every point that has a path to one.
const LABEL_ALPHA: f64 = 0.99;

/// Labels propagated over a graph (Zhou, Bousquet, Lal, Weston and Schölkopf, *Learning with local and global
/// consistency*, 2004): with y_c = 1 / (points labelled c) for those and 0 elsewhere, a point has the label
/// whose (I - αS)^-1 y_c is largest there, α = 0.99; none where it has no path to a label. `labels` has the label
/// of some points, from 0.
///
/// ```
/// use ilk::problem::Graph;
/// use ilk::supervise::propagate::propagated;
///
/// let path = Graph::from_edges(6, [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 0.1), (3, 4, 1.0)])?;
/// let labels = propagated(&path, &[Some(0), None, None, None, Some(1), None]);
/// assert_eq!(labels, [Some(0), Some(0), Some(0), Some(1), Some(1), None]);
/// # Ok::<(), ilk::Error>(())
/// ```
pub fn propagated(graph: &Graph, labels: &[Option<usize>]) -> Vec<Option<usize>> {
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
    let reached = chebyshev_solve(LABEL_ALPHA, right.view(), |x| normalised.times(x));
    let strongest = |row: ArrayView1<'_, f64>| {
        heaviest(row.iter().copied().enumerate().filter(|&(_, x)| x > 0.0))
    };
    reached.rows().into_iter().map(strongest).collect()
}

/// An affinity between 0 and 1, raised or lowered by F.
fn adjusted(weight: f64, f: f64) -> f64 {
    if f >= 0.0 { 1.0 - (1.0 - f) * (1.0 - weight) } else { (1.0 + f) * weight }
}
