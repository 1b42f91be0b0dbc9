//! A graph in the plane, by forces.

use ilk::group::Label;
use ilk::numerics::rng::rng;
use ilk::problem::Graph;
use rayon::prelude::*;

use crate::text::{count, counted};

/// Nodes up to which a graph is laid out. Every node pushes every other, and a plot of more
/// shows nothing.
const MAX_NODES: usize = 4_000;
/// Rounds in which all nodes move.
const ROUNDS: usize = 300;
/// Sums that are taken side by side.
const LANES: usize = 8;
/// How strongly an edge between clusters pulls, beside one within.
const BETWEEN: f64 = 0.25;
/// How strongly the middle pulls, so that parts that no edge joins stay in sight.
const GRAVITY: f64 = 0.03;

/// Why a graph is not laid out, if so.
pub(crate) fn refuses(graph: &Graph) -> Option<String> {
    (graph.len() > MAX_NODES).then(|| {
        format!(
            "of {}, more than {}, it would show nothing but ink",
            counted(graph.len(), "node"),
            count(MAX_NODES)
        )
    })
}

/// Places for the nodes of a graph: those that edges join near each other, all others apart (after
/// Fruchterman and Reingold 1991, whose edges pull with the square of their length).
///
/// Nodes push each other with force 1 / d at distance d, and an edge of weight w pulls its ends with
/// force w d / W, where W is the mean degree. In every round each node goes where the forces on it point,
/// for a step that shrinks from round to round. An edge between two clusters pulls less, so that clusters are seen apart;
/// noise counts as a cluster. The same graph and clusters always get the same places.
pub(crate) fn of(graph: &Graph, labels: &[Label]) -> Vec<[f64; 2]> {
    let n = graph.len();
    let weights = graph.matrix().values().iter().copied();
    // By the heaviest first: sums of weights may be beyond what a float holds.
    let heaviest = weights.clone().fold(f64::MIN_POSITIVE, f64::max);
    let degree = weights.map(|weight| weight / heaviest).sum::<f64>() / n as f64;
    let radius = (n as f64).sqrt();
    let mut places = scattered(n, radius);
    for round in 0..ROUNDS {
        let left = 1.0 - round as f64 / ROUNDS as f64;
        let longest = 0.1 * radius * left * left;
        let (xs, ys): (Vec<f64>, Vec<f64>) = places.iter().map(|&[x, y]| (x, y)).unzip();
        places = (0..n)
            .into_par_iter()
            .map(|node| {
                let at = places[node];
                let push = push(at, &xs, &ys);
                let mut force = [0, 1].map(|axis| push[axis] - GRAVITY * at[axis]);
                let (neighbors, weights) = graph.edges(node);
                for (&neighbor, &weight) in neighbors.iter().zip(weights) {
                    let neighbor = neighbor as usize;
                    let share = if labels[node] == labels[neighbor] { 1.0 } else { BETWEEN };
                    let (to, pull) = (places[neighbor], share * weight / heaviest / degree);
                    for axis in 0..2 {
                        force[axis] += pull * (to[axis] - at[axis]);
                    }
                }
                let strength = force[0].hypot(force[1]).max(f64::MIN_POSITIVE);
                let step = longest.min(strength) / strength;
                [0, 1].map(|axis| at[axis] + step * force[axis])
            })
            .collect();
    }
    places
}

/// Random places in a square, the same for ever.
fn scattered(n: usize, side: f64) -> Vec<[f64; 2]> {
    let mut rng = rng(0);
    (0..n).map(|_| [0; 2].map(|_| side * (rng.uniform() - 0.5))).collect()
}

/// How all nodes together push one of them. The sums are taken in lanes, which processors add side by
/// side.
fn push([x, y]: [f64; 2], xs: &[f64], ys: &[f64]) -> [f64; 2] {
    // The node itself is at distance 0, where nothing pushes.
    let by = |other_x: f64, other_y: f64| {
        let (dx, dy) = (x - other_x, y - other_y);
        let share = 1.0 / (dx * dx + dy * dy + 1e-9);
        [dx * share, dy * share]
    };
    let (mut across, mut up) = ([0.0; LANES], [0.0; LANES]);
    let ((xs, last_xs), (ys, last_ys)) = (xs.as_chunks::<LANES>(), ys.as_chunks::<LANES>());
    for (xs, ys) in xs.iter().zip(ys) {
        for lane in 0..LANES {
            let push = by(xs[lane], ys[lane]);
            across[lane] += push[0];
            up[lane] += push[1];
        }
    }
    for (lane, (&other_x, &other_y)) in last_xs.iter().zip(last_ys).enumerate() {
        let push = by(other_x, other_y);
        across[lane] += push[0];
        up[lane] += push[1];
    }
    [across.iter().sum(), up.iter().sum()]
}

#[cfg(test)]
mod tests;
