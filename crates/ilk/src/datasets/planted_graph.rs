//! A random graph with blocks that are denser inside than between.

use super::canvas::{check_size, even_sizes};
use super::generator::{count, parameters};
use super::{Data, Dataset};
use crate::numerics::rng::{Rng, rng};
use crate::{Result, error::check_n_clusters, parameter::Range};

parameters! {
    /// A random graph with planted blocks: the stochastic block model.
    ///
    /// Two nodes of one block are joined with probability `p_in`, two of different blocks with
    /// `p_out`, all independently. Time and memory are linear in nodes and edges: the gap to the
    /// next edge is drawn from its geometric distribution (Batagelj and Brandes 2005) instead of
    /// every pair being tried. For an expected degree of c inside blocks of size m, take
    /// `p_in` = c / (m - 1).
    PlantedGraph: "planted-graph", "make_planted_graph", "semi-supervised graph clustering; the stochastic block model";
    /// Number of nodes, shared out evenly; the first blocks have one more where that leaves some.
    n: usize = 1000 in count(1);
    /// Number of blocks.
    blocks: usize = 4 in count(1);
    /// Probability of an edge inside a block.
    p_in: f64 = 0.05 in Range::SHARE;
    /// Probability of an edge between blocks.
    p_out: f64 = 0.005 in Range::SHARE;
}

impl PlantedGraph {
    /// Makes the graph.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        self.check()?;
        check_n_clusters(self.blocks, self.n)?;
        let sizes: Vec<usize> = even_sizes(self.n, self.blocks).collect();
        let expected = self.p_out * pairs(self.n)
            + self.p_in * sizes.iter().map(|&size| pairs(size)).sum::<f64>();
        check_size(2 * expected as u128 + self.n as u128)?;

        let mut labels = Vec::with_capacity(self.n);
        for (block, &size) in sizes.iter().enumerate() {
            labels.resize(labels.len() + size, block);
        }
        let mut rng = rng(seed);
        let mut edges = Vec::new();
        let mut first = 0;
        for &size in &sizes {
            each_edge(size, self.p_in, &mut rng, |u, v| {
                edges.push([first + u, first + v]);
            });
            first += size;
        }
        // Over all pairs, leaving out those inside a block: cheaper than going through all pairs
        // of blocks, of which there may be more than edges.
        each_edge(self.n, self.p_out, &mut rng, |u, v| {
            if labels[u] != labels[v] {
                edges.push([u, v]);
            }
        });
        edges.sort_unstable();
        Ok(Dataset { name: Self::INFO.name, data: Data::Edges(edges), labels, coarse: None })
    }
}

fn pairs(n: usize) -> f64 {
    0.5 * n as f64 * (n as f64 - 1.0)
}

/// Calls `edge(u, v)`, u < v, for every pair of `n` nodes that is joined with probability `p`.
fn each_edge(n: usize, p: f64, rng: &mut Rng, mut edge: impl FnMut(usize, usize)) {
    if p <= 0.0 {
        return;
    }
    let log_miss = (-p).ln_1p();
    // Pairs are numbered (0, 1), (0, 2), (1, 2), (0, 3), ...: row v has the v pairs (u, v).
    let (mut u, mut v) = (0_u64, 1_u64);
    let n = n as u64;
    loop {
        // P(gap >= g) = (1 - p)^g; the cast saturates where the gap outgrows any graph.
        let gap = ((1.0 - rng.uniform()).ln() / log_miss) as u64;
        u = u.saturating_add(gap);
        while u >= v && v < n {
            u -= v;
            v += 1;
        }
        if v >= n {
            return;
        }
        edge(u as usize, v as usize);
        u += 1;
    }
}
