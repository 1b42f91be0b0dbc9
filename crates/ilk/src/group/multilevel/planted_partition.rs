//! How likely a partition is under the model of planted groups.

use rayon::prelude::*;

use crate::group::Label;
use crate::numerics::sparse::Sparse;

/// Links between groups are taken to be at least this share of as dense as those inside, so that groups without
/// any link between them have a likelihood.
const LEAST_RATIO: f64 = 1e-3;

/// The degree-corrected planted partition model, fitted to a graph and a partition of it (Newman 2016): the links of
/// two nodes are as many as their degrees let expect by chance, times ω_in within a group and ω_out between groups.
///
/// For given ω the most likely partition is the one with the largest modularity at the resolution
/// γ = (ω_in - ω_out) / (ln ω_in - ln ω_out).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlantedPartition {
    /// Links within groups, each counted in both directions.
    inside: f64,
    /// The same as expected by chance: Σ_c W_c² / T.
    expected: f64,
    /// All links, T.
    total: f64,
    /// Σ_c S_c ln(S_c T / W_c²).
    surprise: f64,
}

impl PlantedPartition {
    /// Takes the links of a graph, the degree of every node and its group. Nodes without a group count as groups
    /// of their own.
    pub fn new(links: &Sparse, degrees: &[f64], labels: &[Label]) -> Self {
        let inside: Vec<f64> = (0..links.len())
            .into_par_iter()
            .map(|i| {
                let is_inside = |j: usize| j == i || labels[i].is_some() && labels[i] == labels[j];
                let own = links.entries(i).filter(|&(j, _)| is_inside(j));
                own.map(|(_, link)| link).sum()
            })
            .collect();
        let total: f64 = degrees.iter().sum();
        let n_clusters = labels.iter().flatten().max().map_or(0, |last| last + 1);
        let (mut masses, mut within) = (vec![0.0; n_clusters], vec![0.0; n_clusters]);
        let mut squares = 0.0;
        for ((label, degree), inside) in labels.iter().zip(degrees).zip(&inside) {
            match label {
                Some(cluster) => {
                    masses[*cluster] += degree;
                    within[*cluster] += inside;
                }
                None => squares += degree * degree,
            }
        }
        squares += masses.iter().map(|mass| mass * mass).sum::<f64>();
        let of_cluster = |(&links, mass): (&f64, &f64)| {
            if links > 0.0 { links * (links * total / (mass * mass)).ln() } else { 0.0 }
        };
        let surprise = within.iter().zip(&masses).map(of_cluster).sum();
        Self { inside: inside.iter().sum(), expected: squares / total, total, surprise }
    }

    /// ω_in and ω_out; none where all nodes are in one group, or where links prefer other groups.
    fn densities(self) -> Option<[f64; 2]> {
        let within = self.inside / self.expected;
        let between = (self.total - self.inside) / (self.total - self.expected);
        let between = between.max(LEAST_RATIO * within);
        (between.is_finite() && within > between).then_some([within, between])
    }

    /// The resolution at which modularity is the likelihood of this model; 1 where the partition says nothing.
    pub fn resolution(self) -> f64 {
        self.densities()
            .map_or(1.0, |[within, between]| (within - between) / (within.ln() - between.ln()))
    }

    /// The logarithm of the likelihood over the number of links, but for a constant that is the same for all
    /// partitions.
    pub fn log_likelihood(self) -> f64 {
        let share = self.inside / self.total;
        self.densities()
            .map_or(0.0, |[within, between]| share * within.ln() + (1.0 - share) * between.ln())
    }

    /// The same where every group has a density of its own.
    pub fn log_likelihood_of_groups(self) -> f64 {
        let share = self.inside / self.total;
        let [_, between] = self.densities().unwrap_or([1.0, 1.0]);
        self.surprise / self.total + (1.0 - share) * between.ln()
    }

    /// ω_out, 1 where the partition says nothing.
    pub fn between(self) -> f64 {
        self.densities().map_or(1.0, |[_, between]| between)
    }
}
