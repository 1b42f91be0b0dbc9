//! Neighbour graphs.

use serde::{Deserialize, Serialize};

use super::kernel::Profile;
use crate::error::{MAX_BYTES, check_memory, check_memory_limit};
use crate::numerics::distances::dot;
use crate::numerics::neighbors::{Neighbors, SelfNeighbor};
use crate::observe::{Event, Observer, Silent, report};
use crate::problem::{Graph, KernelMatrix, Points};
use crate::{Error, Result};

/// What becomes of an edge whose ends are neighbours in one direction only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum OneSided {
    /// It has half of its weight: the mean of both directions.
    #[default]
    Halved,
    /// It is an edge as any other.
    Kept,
    /// It is none: neighbours are mutual.
    Dropped,
}

/// Which points have an edge between them. No point has one with itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EdgeRule {
    /// Every point with the nearest others, ties by index.
    Nearest {
        /// How many others; all, if there are fewer.
        neighbors: usize,
        /// What becomes of an edge of which only one end is among the nearest of the other.
        one_sided: OneSided,
    },
    /// Every point with all that are at most this far away.
    Within(f64),
}

/// How strong an edge is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EdgeWeight {
    /// 1.
    Unit,
    /// exp(-d²/(2σ²)) at distance d. Where that is 0 to the last bit there is no edge.
    Gaussian {
        /// σ.
        sigma: f64,
    },
    /// exp(-d²/(s_i s_j)), with s a point's distance to this neighbour (the last, if there are
    /// fewer): the width adapts to the local density (Zelnik-Manor and Perona 2004).
    SelfTuning {
        /// Which neighbour, counted from 1.
        neighbors: usize,
    },
    /// The dot product of the two points: the value of the kernel whose space they lie in. Where it is not above 0 there
    /// is no edge.
    DotProduct,
}

impl EdgeWeight {
    /// The width of a point is the distance to its 7th neighbour: Zelnik-Manor and Perona's choice. What
    /// other neighbours give is in `docs/similarity.md`.
    pub const SELF_TUNING: Self = Self::SelfTuning { neighbors: 7 };
}

/// The graph of points that are near each other. It takes O(n k) memory for k neighbours.
///
/// ```
/// use ilk::problem::Points;
/// use ilk::similarity::graph::{EdgeWeight, EdgeRule, OneSided, neighbor_graph};
///
/// let points = Points::from_rows(&[[0.0], [1.0], [3.0]].map(Vec::from))?;
/// let edges = EdgeRule::Nearest { neighbors: 1, one_sided: OneSided::Halved };
/// let graph = neighbor_graph(&points, edges, EdgeWeight::Unit)?;
/// // 0 and 1 are nearest to each other; 1 is nearest to 2 but not the other way round.
/// assert_eq!(graph.edges(1), (&[0, 2][..], &[1.0, 0.5][..]));
/// # Ok::<(), ilk::Error>(())
/// ```
///
/// # Errors
/// [`Error::BadParameter`] for no neighbours at all, a radius that is negative or not a number, and
/// a σ that is not a finite number above 0; [`Error::TooLarge`] for so many neighbours, or so large a
/// radius, that the graph would be above [`MAX_BYTES`].
pub fn neighbor_graph(points: &Points, edges: EdgeRule, weight: EdgeWeight) -> Result<Graph> {
    neighbor_graph_observed(points, edges, weight, &Silent)
}

/// As [`neighbor_graph`]; the observer sees how many points have their neighbours, and can cancel.
///
/// # Errors
/// Those of [`neighbor_graph`], and [`Error::Cancelled`].
pub fn neighbor_graph_observed(
    points: &Points,
    edges: EdgeRule,
    weight: EdgeWeight,
    observer: &dyn Observer,
) -> Result<Graph> {
    check(edges, weight)?;
    check_size(points.len(), edges)?;
    let index = Neighbors::new(points.view());
    let nearest = match edges {
        EdgeRule::Nearest { neighbors, .. } => neighbors,
        EdgeRule::Within(_) => 0,
    };
    let widest = match weight {
        EdgeWeight::SelfTuning { neighbors } => neighbors,
        _ => 0,
    };
    let step = |done: usize| report(observer, &Event::new("neighbours", 1, done, points.len()));
    let table = index.try_nearest_all(nearest.max(widest), SelfNeighbor::Excluded, step)?;
    let width = |i: usize| table.kth_sq(i, widest).sqrt();
    let widths: Vec<f64> = (0..points.len()).map(width).collect();
    let strength = |i: usize, j: usize, dist_sq: f64| match weight {
        EdgeWeight::Unit => 1.0,
        EdgeWeight::Gaussian { sigma } => Profile::Gaussian.weight(dist_sq, sigma, 0.0),
        EdgeWeight::SelfTuning { .. } => {
            Profile::Rbf.weight(dist_sq, (widths[i] * widths[j]).sqrt(), 0.0)
        }
        EdgeWeight::DotProduct => dot(points.row(i), points.row(j)).max(0.0),
    };
    let strength = &strength;
    match edges {
        EdgeRule::Nearest { one_sided, .. } => {
            let asked = (0..points.len()).flat_map(|i| {
                let row = table.row(i).iter().take(nearest);
                row.map(move |near| (i, near.index, strength(i, near.index, near.dist_sq)))
            });
            joined(points.len(), asked, one_sided)
        }
        EdgeRule::Within(radius) => {
            let pairs = pairs_within(points, &index, radius, MAX_BYTES, observer)?;
            let edges = pairs.into_iter().map(|(i, j, dist_sq)| {
                let (i, j) = (i as usize, j as usize);
                (i, j, strength(i, j, dist_sq))
            });
            Graph::from_edges(points.len(), edges)
        }
    }
}

/// The most bytes that a pair takes while it becomes an edge.
const PAIR: u128 = 56;

/// The pairs of points that are at most this far apart, each once, and their squared distances. More
/// than fit into `most` bytes are refused as soon as they are seen.
pub(super) fn pairs_within(
    points: &Points,
    index: &Neighbors,
    radius: f64,
    most: u128,
    observer: &dyn Observer,
) -> Result<Vec<(u32, u32, f64)>> {
    /// Points between two events.
    const EVENT: usize = 1_024;
    let mut pairs = Vec::new();
    for i in 0..points.len() {
        if i % EVENT == 0 {
            report(observer, &Event::new("neighbours", 1, i, points.len()))?;
        }
        let near = index.within(points.row(i), radius);
        let later = near.iter().filter(|near| near.index > i);
        pairs.extend(later.map(|near| (i as u32, near.index as u32, near.dist_sq)));
        check_memory_limit(
            "part of the graph of points within this distance",
            PAIR * pairs.len() as u128,
            most,
            "take a smaller distance, or the nearest neighbours",
        )?;
    }
    Ok(pairs)
}

/// The graph in which every point has edges with those of largest affinity, and with all whose affinity
/// is that of the last of them: points that are equally close are treated alike. Affinities that are not
/// above 0 are none, and a point's affinity with itself does not count.
///
/// # Errors
/// [`Error::BadParameter`] for no neighbours at all.
pub fn neighbor_graph_of_affinities(
    affinity: &KernelMatrix,
    neighbors: usize,
    one_sided: OneSided,
) -> Result<Graph> {
    let edges = EdgeRule::Nearest { neighbors, one_sided };
    check(edges, EdgeWeight::Unit)?;
    let affinity = affinity.view();
    let n = affinity.nrows();
    let asked = (0..n).flat_map(|i| {
        let row = affinity.row(i);
        let mut others: Vec<usize> = (0..n).filter(|&j| j != i && row[j] > 0.0).collect();
        if others.len() > neighbors {
            let by_affinity = |&a: &usize, &b: &usize| row[b].total_cmp(&row[a]);
            let (_, &mut last, _) = others.select_nth_unstable_by(neighbors - 1, by_affinity);
            others.retain(|&j| row[j] >= row[last]);
        }
        others.into_iter().map(move |j| (i, j, affinity[[i, j]]))
    });
    joined(n, asked, one_sided)
}

/// Makes undirected edges of directed ones: (from, to, weight).
fn joined(
    n: usize,
    asked: impl Iterator<Item = (usize, usize, f64)>,
    one_sided: OneSided,
) -> Result<Graph> {
    let mut asked: Vec<(u32, u32, f64)> =
        asked.map(|(i, j, weight)| (i.min(j) as u32, i.max(j) as u32, weight)).collect();
    asked.sort_unstable_by_key(|&(i, j, _)| (i, j));
    let edges = asked.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(|same| {
        let (i, j, weight) = same[0];
        let share = match (one_sided, same.len()) {
            (OneSided::Kept, _) | (_, 2..) => 1.0,
            (OneSided::Halved, _) => 0.5,
            (OneSided::Dropped, _) => 0.0,
        };
        (i as usize, j as usize, share * weight)
    });
    Graph::from_edges(n, edges)
}

/// A neighbour takes 16 bytes in the table of neighbours and 24 as an edge.
fn check_size(n: usize, edges: EdgeRule) -> Result<()> {
    let EdgeRule::Nearest { neighbors, .. } = edges else {
        return Ok(());
    };
    let bytes = 40 * n as u128 * neighbors.min(n) as u128;
    check_memory("the graph of neighbours", bytes, "ask for fewer neighbours")
}

fn check(edges: EdgeRule, weight: EdgeWeight) -> Result<()> {
    let (parameter, value, expected) = match (edges, weight) {
        (EdgeRule::Nearest { neighbors: 0, .. }, _) => {
            ("n_neighbors", 0.0, "at least one is needed")
        }
        (EdgeRule::Within(radius), _) if radius.is_nan() || radius < 0.0 => {
            ("radius", radius, "it must be a number, at least 0")
        }
        (_, EdgeWeight::SelfTuning { neighbors: 0 }) => {
            ("neighbors", 0.0, "they are counted from 1")
        }
        (_, EdgeWeight::Gaussian { sigma }) if !(sigma.is_finite() && sigma > 0.0) => {
            ("sigma", sigma, "it must be a finite number above 0")
        }
        _ => return Ok(()),
    };
    Err(Error::bad_parameter(parameter, value, expected))
}
