//! The bandwidth of affinities between partitions, and the embedding of these.

use std::collections::{BTreeMap, BTreeSet};

use ndarray::Array2;

use super::Mssc;
use crate::Result;
use crate::embed::SpectralEmbedding;
use crate::numerics::rng::rng;
use crate::observe::Observer;
use crate::parameter::AutoOr;
use crate::problem::{Constraints, Points};
use crate::similarity::graph::{EdgeRule, EdgeWeight, OneSided, neighbor_graph};
use crate::similarity::{Bandwidth, CauchySchwarzAffinity};

/// The bandwidths that are tried, as shares of the median distance between points: rings need a small one,
/// round groups in many dimensions a large one. The rule that chooses, and before it a fixed share of 0.7,
/// were compared by ARI on 16 sets, iris, wine and breast cancer among them, so what it reaches on these is not
/// held out.
const SHARES: [f64; 8] = [0.1, 0.14, 0.2, 0.28, 0.4, 0.55, 0.7, 1.0];

/// Bandwidths are tried on at most this many points, and one of every partition.
const SAMPLE: usize = 3000;

/// Neighbours among which clusters should cut little.
const NEIGHBORS: usize = 10;

/// Of more points than this those of a partition that are near each other are pooled for the affinities.
const EXACT: usize = 20_000;

/// The side of the cells in which they are, in bandwidths, unless more than `EXACT` are left.
const CELL: f64 = 0.1;

/// The cut of a Laplacian's clusters as a share of that of the clusters along axes of entropy, below which they are
/// taken. A Laplacian nearly minimises this cut, so a cut that is a little smaller says nothing.
const MUCH_SMALLER: f64 = 0.7;

/// Points in partitions, and the constraints on these.
pub(super) struct Partitioned<'a> {
    pub(super) points: &'a Points,
    pub(super) weights: Option<&'a [f64]>,
    pub(super) of_point: &'a [usize],
    /// The weight of the points of every partition.
    pub(super) masses: &'a [f64],
    /// How many points were given of every partition, whatever they weigh.
    pub(super) sizes: &'a [usize],
    pub(super) constraints: Constraints,
}

/// How partitions are clustered, and by what that was chosen.
pub(super) struct SpectralSettings {
    pub(super) bandwidth: f64,
    pub(super) embedding: SpectralEmbedding,
    pub(super) by: &'static str,
    /// The clusters and affinities that this gives, where choosing took those of all points.
    pub(super) clusters: Option<(Vec<usize>, Array2<f64>)>,
}

impl SpectralSettings {
    fn new(bandwidth: f64, embedding: SpectralEmbedding, by: &'static str) -> Self {
        Self { bandwidth, embedding, by, clusters: None }
    }
}

impl Partitioned<'_> {
    /// The affinities of partitions.
    pub(super) fn affinity(&self, bandwidth: f64, observer: &dyn Observer) -> Result<Array2<f64>> {
        let mut affinity = CauchySchwarzAffinity::exact(bandwidth);
        if self.points.len() > EXACT {
            (affinity.cell, affinity.max_members) = (CELL, EXACT);
        }
        affinity.between(self.points, self.weights, self.of_point, observer)
    }

    /// Which points bandwidths are tried on.
    fn sample(&self, seed: u64) -> Vec<usize> {
        let n = self.points.len();
        if n <= SAMPLE {
            return (0..n).collect();
        }
        let mut chosen: BTreeSet<usize> = rng(seed).sample(n, SAMPLE).into_iter().collect();
        let mut is_met = vec![false; self.masses.len()];
        for (point, &partition) in self.of_point.iter().enumerate() {
            if !std::mem::replace(&mut is_met[partition], true) {
                chosen.insert(point);
            }
        }
        chosen.into_iter().collect()
    }
}

impl Mssc {
    /// The bandwidth of affinities and the embedding: for each embedding the bandwidth whose clusters violate fewest
    /// constraints and then have the smallest normalized cut in the graph of nearest neighbours. The second embedding is
    /// taken where it violates no more constraints and its cut is [much smaller](MUCH_SMALLER).
    pub(super) fn spectral_settings(
        &self,
        found: &Partitioned<'_>,
        observer: &dyn Observer,
    ) -> Result<SpectralSettings> {
        let embeddings = match self.embedding.fixed() {
            Some(embedding) => vec![embedding],
            None => vec![SpectralEmbedding::Keca, SpectralEmbedding::Laplacian],
        };
        let (usual, bandwidths) = match self.spectral_bandwidth {
            AutoOr::Fixed(bandwidth) => {
                (SpectralSettings::new(bandwidth, embeddings[0], "its caller"), vec![bandwidth])
            }
            AutoOr::Auto => {
                let median = Bandwidth::Percentile(0.5).resolve(found.points, self.seed)?;
                if median.is_degenerate() {
                    let by = "nothing: all points coincide";
                    return Ok(SpectralSettings::new(1.0, embeddings[0], by));
                }
                let median = median.of(0);
                let usual = SpectralSettings::new(median, embeddings[0], "the median distance");
                (usual, SHARES.map(|share| share * median).to_vec())
            }
        };
        let is_open = bandwidths.len() > 1 || embeddings.len() > 1;
        if !is_open || found.masses.len() <= self.n_clusters.resolved() {
            return Ok(usual);
        }
        let best = self.best_of_each(&bandwidths, &embeddings, found, observer)?;
        let better = best.into_iter().reduce(|first, second| {
            let is_no_worse = second.0.broken <= first.0.broken;
            let cuts_less = second.0.cut < MUCH_SMALLER * first.0.cut;
            if is_no_worse && cuts_less { second } else { first }
        });
        Ok(better.map_or(usual, |(_, settings)| settings))
    }

    /// For each embedding the best bandwidth, tried on a sample.
    fn best_of_each(
        &self,
        bandwidths: &[f64],
        embeddings: &[SpectralEmbedding],
        found: &Partitioned<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<(Quality, SpectralSettings)>> {
        let chosen = found.sample(self.seed);
        let is_whole = chosen.len() == found.points.len();
        let of_point: Vec<usize> = chosen.iter().map(|&i| found.of_point[i]).collect();
        let weights: Option<Vec<f64>> =
            found.weights.map(|weights| chosen.iter().map(|&i| weights[i]).collect());
        let few = Partitioned {
            points: &found.points.select(&chosen),
            weights: weights.as_deref(),
            of_point: &of_point,
            masses: found.masses,
            sizes: found.sizes,
            constraints: Constraints::new(found.masses.len()),
        };
        let links = Links::new(&few)?;
        let mut best: Vec<(Quality, SpectralSettings)> = Vec::new();
        for &bandwidth in bandwidths {
            let affinity = few.affinity(bandwidth, observer)?;
            let affinity = self.supervised(affinity, &found.constraints, observer)?;
            for (at, &embedding) in embeddings.iter().enumerate() {
                let clusters = self.clusters(embedding, &affinity, found, observer)?;
                let quality = Quality {
                    broken: broken(&found.constraints, &clusters),
                    cut: links.cut(&clusters, self.n_clusters.resolved()),
                };
                if best.get(at).is_some_and(|(least, _)| !quality.is_better_than(least)) {
                    continue;
                }
                let by = "the cut of their clusters among neighbours";
                let settings = SpectralSettings {
                    clusters: is_whole.then(|| (clusters, affinity.clone())),
                    ..SpectralSettings::new(bandwidth, embedding, by)
                };
                match best.get_mut(at) {
                    Some(best) => *best = (quality, settings),
                    None => best.push((quality, settings)),
                }
            }
        }
        Ok(best)
    }
}

/// How good clusters of partitions are without knowing the truth.
struct Quality {
    /// Violated constraints.
    broken: usize,
    /// The normalized cut among neighbours.
    cut: f64,
}

impl Quality {
    fn is_better_than(&self, other: &Self) -> bool {
        self.broken < other.broken || self.broken == other.broken && self.cut < other.cut
    }
}

/// How many cannot-links and labels of partitions clusters break.
fn broken(constraints: &Constraints, clusters: &[usize]) -> usize {
    let pairs = constraints.cannot_links().iter();
    let pairs = pairs.filter(|pair| clusters[pair.points[0]] == clusters[pair.points[1]]);
    let mut labels: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for labelled in constraints.labels() {
        labels.entry(clusters[labelled.point]).or_default().insert(labelled.label);
    }
    pairs.count() + labels.values().map(|of| of.len() - 1).sum::<usize>()
}

/// The edges of a graph of neighbours, between partitions.
struct Links {
    between: Vec<(usize, usize, f64)>,
}

impl Links {
    fn new(found: &Partitioned<'_>) -> Result<Self> {
        let edges = EdgeRule::Nearest { neighbors: NEIGHBORS, one_sided: OneSided::Halved };
        let graph = neighbor_graph(found.points, edges, EdgeWeight::SELF_TUNING)?;
        let mut sums: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (i, j, weight) in graph.each_edge() {
            *sums.entry((found.of_point[i], found.of_point[j])).or_default() += weight;
        }
        let between = sums.into_iter().map(|((a, b), weight)| (a, b, weight));
        Ok(Self { between: between.collect() })
    }

    /// Σ over clusters of what leaves them, as a share of all that they have; 1 for a cluster that has
    /// nothing, or of `k` is missing.
    fn cut(&self, clusters: &[usize], k: usize) -> f64 {
        let (mut whole, mut inside) = (vec![0.0; k], vec![0.0; k]);
        for &(a, b, weight) in &self.between {
            let (a, b) = (clusters[a], clusters[b]);
            whole[a] += weight;
            whole[b] += weight;
            if a == b {
                inside[a] += 2.0 * weight;
            }
        }
        let shares = whole.iter().zip(&inside);
        shares.map(|(&whole, inside)| if whole > 0.0 { 1.0 - inside / whole } else { 1.0 }).sum()
    }
}
