//! From partitions to clusters.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use ndarray::{Array2, Axis};

use super::bandwidth::Partitioned;
use super::{Mssc, RowDistance};
use crate::Result;
use crate::embed::{
    AxisChoice, CLUSTERING_TOLERANCE, KernelAxes, Laplacian, LaplacianAxes, SpectralEmbedding,
};
use crate::group::Label;
use crate::group::kmeans::KMeans;
use crate::group::spectral::{RowComparison, group_rows};
use crate::numerics::extrema::heaviest;
use crate::observe::Observer;
use crate::problem::{Constraints, KernelMatrix, with_labels_as_pairs};
use crate::similarity::graph::{OneSided, neighbor_graph_of_affinities};
use crate::supervise::propagate::Propagated;

/// Partitions near one over which constraints are propagated from it.
const NEIGHBORS: usize = 10;

impl Mssc {
    /// The clusters of partitions with these affinities, which were [adjusted](Self::supervised) to the constraints.
    pub(super) fn clusters(
        &self,
        embedding: SpectralEmbedding,
        affinity: &Array2<f64>,
        found: &Partitioned<'_>,
        observer: &dyn Observer,
    ) -> Result<Vec<usize>> {
        let Partitioned { masses, sizes, constraints, .. } = found;
        let m = masses.len();
        let k = self.n_clusters.resolved().min(m);
        let mut kept: Vec<usize> = (0..m).filter(|&a| sizes[a] >= self.min_size).collect();
        if kept.len() < k {
            // The largest, where too few are large.
            kept = (0..m).collect();
            kept.sort_by_key(|&a| Reverse(sizes[a]));
            kept.truncate(k);
            kept.sort_unstable();
        }
        let inner = affinity.select(Axis(0), &kept).select(Axis(1), &kept);
        let heavy: Vec<f64> = kept.iter().map(|&a| masses[a]).collect();
        let ones = vec![1.0; kept.len()];
        let counts = if self.weighted { &heavy } else { &ones };
        let kmeans = KMeans {
            n_clusters: k.into(),
            n_init: self.n_init,
            seed: self.seed,
            ..KMeans::default()
        };
        let rest: Vec<usize> = (0..m).filter(|a| kept.binary_search(a).is_err()).collect();
        let to_kept = affinity.select(Axis(0), &rest).select(Axis(1), &kept);
        let choice = match embedding {
            SpectralEmbedding::Keca => Some(AxisChoice::Entropy),
            SpectralEmbedding::Kpca => Some(AxisChoice::Variance { center: true }),
            SpectralEmbedding::Laplacian => None,
        };
        let (rows, projected, compare) = if let Some(choice) = choice {
            let axes = KernelAxes::for_coordinates(
                inner.view(),
                Some(counts),
                choice,
                k,
                CLUSTERING_TOLERANCE,
                observer,
            )?;
            let projected = axes.project(to_kept.view())?;
            (axes.coordinates(), projected, RowComparison::from(choice))
        } else {
            let axes = match self.n_neighbors {
                0 => LaplacianAxes::new(inner.view(), Laplacian::Sym, k, CLUSTERING_TOLERANCE)?,
                n => {
                    let inner = KernelMatrix::new(inner)?;
                    let graph = neighbor_graph_of_affinities(&inner, n, OneSided::Kept)?;
                    LaplacianAxes::new(&graph, Laplacian::Sym, k, CLUSTERING_TOLERANCE)?
                }
            };
            let projected = axes.transform(to_kept.view())?;
            let compare = RowComparison::from(Laplacian::Sym);
            (axes.eigenvectors().clone(), projected, compare)
        };
        let compare = match self.distance {
            RowDistance::Auto => compare,
            RowDistance::Euclidean => RowComparison::Distance,
            RowDistance::Cosine => RowComparison::Angle,
        };
        let (grouping, model) = group_rows(rows.view(), Some(counts), compare, &kmeans, observer)?;
        let mut labels: Vec<Label> = vec![None; m];
        for (&a, &label) in kept.iter().zip(&grouping.labels) {
            labels[a] = label;
        }
        for (&a, label) in rest.iter().zip(model.assign(projected.view())?) {
            labels[a] = label;
        }
        let mut clusters = placed(&labels, affinity);
        unify_must_linked(&mut clusters, masses, constraints);
        Ok(clusters)
    }

    /// The affinities raised and lowered by the constraints on partitions.
    pub(super) fn supervised(
        &self,
        affinity: Array2<f64>,
        constraints: &Constraints,
        observer: &dyn Observer,
    ) -> Result<Array2<f64>> {
        if constraints.is_empty() {
            return Ok(affinity);
        }
        let pairs = with_labels_as_pairs(constraints, self.seed)?;
        let matrix = KernelMatrix::new(affinity)?;
        let graph = neighbor_graph_of_affinities(&matrix, NEIGHBORS, OneSided::Halved)?;
        let propagated = Propagated::new(&graph, &pairs, self.alpha, observer)?;
        let affinity = matrix.view();
        let mut adjusted = propagated.adjust(|a, b| affinity[[a, b]])?;
        adjusted.diag_mut().fill(1.0);
        Ok(adjusted)
    }
}

/// Clusters for all: a partition that lies in no direction goes with the one it has most affinity with.
fn placed(labels: &[Label], affinity: &Array2<f64>) -> Vec<usize> {
    let known: Vec<usize> = (0..labels.len()).filter(|&a| labels[a].is_some()).collect();
    let nearest = |a: usize| {
        let best = known
            .iter()
            .copied()
            .reduce(|best, b| if affinity[[a, b]] > affinity[[a, best]] { b } else { best });
        best.and_then(|b| labels[b])
    };
    (0..labels.len()).map(|a| labels[a].or_else(|| nearest(a)).unwrap_or(0)).collect()
}

/// Gives must-linked partitions the cluster that most of their mass has, unless the constraints contradict
/// each other.
fn unify_must_linked(clusters: &mut [usize], masses: &[f64], constraints: &Constraints) {
    let closure = constraints.closure();
    let contradicted = closure.contradicted(constraints);
    for component in 0..closure.n_components() {
        let members = closure.members(component);
        if members.len() < 2 || contradicted[component] {
            continue;
        }
        let mut mass_of: BTreeMap<usize, f64> = BTreeMap::new();
        for &a in members {
            *mass_of.entry(clusters[a]).or_default() += masses[a];
        }
        if let Some(cluster) = heaviest(mass_of) {
            for &a in members {
                clusters[a] = cluster;
            }
        }
    }
}
