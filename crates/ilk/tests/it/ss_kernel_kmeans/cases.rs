//! Small random graphs with constraints on them, and the paper's objectives pair by pair.

use ilk::group::Label;
use ilk::group::kernel_kmeans::Objective;
use ilk::ndarray::Array2;
use ilk::numerics::rng::{Rng, rng};
use ilk::problem::{Constraints, Graph};

pub(crate) const OBJECTIVES: [Objective; 3] =
    [Objective::RatioAssociation, Objective::RatioCut, Objective::NormalizedCut];

/// A graph of `n` nodes in which every node has an edge, and three of each kind of answer.
pub(crate) struct Case {
    pub(crate) graph: Graph,
    pub(crate) dense: Array2<f64>,
    pub(crate) constraints: Constraints,
}

pub(crate) fn random_case(n: usize, seed: u64) -> Case {
    let mut rng = rng(seed);
    let mut dense = Array2::zeros((n, n));
    for i in 0..n {
        for j in i..n {
            // The ring keeps every node from being alone.
            if j == i + 1 || (i == 0 && j == n - 1) || rng.uniform() < 0.3 {
                let weight = 0.1 + rng.uniform();
                dense[[i, j]] = weight;
                dense[[j, i]] = weight;
            }
        }
    }
    let edges = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
    let edges = edges.filter(|&(i, j)| dense[[i, j]] > 0.0);
    let graph = Graph::from_edges(n, edges.map(|(i, j)| (i, j, dense[[i, j]]))).unwrap();
    Case { graph, constraints: random_constraints(n, &mut rng), dense }
}

fn random_constraints(n: usize, rng: &mut Rng) -> Constraints {
    let mut constraints = Constraints::new(n);
    for _ in 0..3 {
        let [a, b] = [0, 1].map(|at| rng.sample(n, 2)[at]);
        if a != b {
            constraints.must_link(a, b).unwrap();
        }
        let pair = rng.sample(n, 2);
        constraints.cannot_link(pair[0], pair[1]).unwrap();
    }
    constraints
}

/// Equations (7) to (9), each pair counted twice as every edge is; ratio association with its sign
/// turned.
pub(crate) fn by_definition(
    objective: Objective,
    affinity: &Array2<f64>,
    constraints: &Constraints,
    worth: f64,
    labels: &[Label],
) -> f64 {
    let n = labels.len();
    let clusters = labels.iter().flatten().max().map_or(0, |last| last + 1);
    let mut sum = 0.0;
    for cluster in 0..clusters {
        let inside = |i: usize| labels[i] == Some(cluster);
        let (mut size, mut within, mut cut) = (0.0, 0.0, 0.0);
        for i in (0..n).filter(|&i| inside(i)) {
            for j in 0..n {
                if inside(j) {
                    within += affinity[[i, j]];
                } else {
                    cut += affinity[[i, j]];
                }
            }
            size += match objective {
                Objective::NormalizedCut => affinity.row(i).sum(),
                _ => 1.0,
            };
        }
        let held = |pairs: &[ilk::problem::Pair]| {
            let both = |pair: &&ilk::problem::Pair| pair.points.iter().all(|&i| inside(i));
            2.0 * worth * pairs.iter().filter(both).count() as f64
        };
        let reward = held(constraints.must_links()) - held(constraints.cannot_links());
        sum += match objective {
            Objective::RatioAssociation => -(within + reward) / size,
            Objective::RatioCut | Objective::NormalizedCut => (cut - reward) / size,
            _ => f64::NAN,
        };
    }
    sum
}

/// Every partition of `n` nodes into exactly `k` clusters.
pub(crate) fn partitions(n: usize, k: usize) -> Vec<Vec<Label>> {
    fn go(labels: &mut Vec<Label>, used: usize, n: usize, k: usize, all: &mut Vec<Vec<Label>>) {
        if labels.len() == n {
            if used == k {
                all.push(labels.clone());
            }
            return;
        }
        for cluster in 0..k.min(used + 1) {
            labels.push(Some(cluster));
            go(labels, used.max(cluster + 1), n, k, all);
            labels.pop();
        }
    }
    let mut all = Vec::new();
    go(&mut Vec::new(), 0, n, k, &mut all);
    all
}
