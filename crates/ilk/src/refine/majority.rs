//! Clusters are merged where most constraints between them are must-links.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use crate::group::Label;
use crate::problem::Constraints;

/// Merges clusters with a positive net weight between them, the largest first.
///
/// The net weight S(a, b) is the weight of the must-links between clusters a and b less that of the
/// cannot-links, as they were given. The pair with the largest S > 0 is merged, of equal ones the one
/// with the smaller numbers, until none is left. A label counts as a virtual point in a cluster of
/// its own: a labelled point has a must-link with the virtual point of its label and cannot-links
/// with those of the others. So a label of m points costs m links and not m². Clusters with the
/// virtual points of two labels are never merged.
///
/// `labels` are below `n_clusters`. Returns, for each cluster, the smallest number of those that it
/// was merged with. O(m log² m) for m constraints.
pub(super) fn merge_by_majority(
    labels: &[Label],
    n_clusters: usize,
    constraints: &Constraints,
) -> Vec<usize> {
    let mut clusters = MergedClusters::new(labels, n_clusters, constraints);
    let mut merges = Vec::new();
    while let Some([a, b]) = clusters.next_pair() {
        merges.push(clusters.merge(a, b));
    }
    // The last merge has the final root, so reading backwards finds the root of every cluster.
    let mut root: Vec<usize> = (0..clusters.links.len()).collect();
    for &(child, parent) in merges.iter().rev() {
        root[child] = root[parent];
    }
    let mut smallest = vec![usize::MAX; root.len()];
    for cluster in (0..n_clusters).rev() {
        smallest[root[cluster]] = cluster;
    }
    root[..n_clusters].iter().map(|&r| smallest[r]).collect()
}

/// A pair of clusters that may be merged, and its net weight when it was found.
struct ClusterMerge {
    net_weight: f64,
    clusters: [usize; 2],
}

impl Ord for ClusterMerge {
    fn cmp(&self, other: &Self) -> Ordering {
        self.net_weight
            .total_cmp(&other.net_weight)
            .then_with(|| other.clusters.cmp(&self.clusters))
    }
}

impl PartialOrd for ClusterMerge {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ClusterMerge {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for ClusterMerge {}

/// Clusters, then the virtual points of the labels, as they are merged.
struct MergedClusters {
    /// Must-links less cannot-links between two clusters, plus twice the weight of the labelled
    /// points that one has of the other's label: their must-links, and the cannot-links that
    /// `labelled` counts too many.
    links: Vec<BTreeMap<usize, f64>>,
    is_merged: Vec<bool>,
    /// The weight of the labelled points.
    labelled: Vec<f64>,
    /// Whether it holds the virtual point of a label.
    has_virtual_point: Vec<bool>,
    /// Every pair with a positive net weight, with at least that weight.
    candidates: BinaryHeap<ClusterMerge>,
}

impl MergedClusters {
    fn new(labels: &[Label], n_clusters: usize, constraints: &Constraints) -> Self {
        let len = n_clusters + constraints.label_names().len();
        let mut clusters = Self {
            links: vec![BTreeMap::new(); len],
            is_merged: vec![false; len],
            labelled: vec![0.0; len],
            has_virtual_point: (0..len).map(|cluster| cluster >= n_clusters).collect(),
            candidates: BinaryHeap::new(),
        };
        for ([a, b], weight) in constraints.net_weights(|point| labels[point]) {
            clusters.link(a, b, weight);
        }
        for labelled in constraints.labels() {
            if let Some(cluster) = labels[labelled.point] {
                let virtual_point = n_clusters + labelled.label;
                clusters.link(cluster, virtual_point, 2.0 * labelled.weight);
                clusters.labelled[cluster] += labelled.weight;
            }
        }
        for a in 0..len {
            let others: Vec<usize> = clusters.links[a].range(a..).map(|(&b, _)| b).collect();
            for b in others {
                clusters.push_candidate(a, b);
            }
        }
        clusters
    }

    fn link(&mut self, a: usize, b: usize, weight: f64) {
        *self.links[a].entry(b).or_default() += weight;
        *self.links[b].entry(a).or_default() += weight;
    }

    /// S(a, b).
    fn net_weight(&self, a: usize, b: usize) -> f64 {
        let against = |labelled: usize, other: usize| {
            if self.has_virtual_point[other] { self.labelled[labelled] } else { 0.0 }
        };
        match self.links[a].get(&b) {
            Some(_) if self.has_virtual_point[a] && self.has_virtual_point[b] => f64::NEG_INFINITY,
            Some(links) => links - against(a, b) - against(b, a),
            None => 0.0,
        }
    }

    fn push_candidate(&mut self, a: usize, b: usize) {
        let net_weight = self.net_weight(a, b);
        if net_weight > 0.0 {
            self.candidates.push(ClusterMerge { net_weight, clusters: [a.min(b), a.max(b)] });
        }
    }

    /// The pair with the largest net weight, if any is positive.
    fn next_pair(&mut self) -> Option<[usize; 2]> {
        while let Some(candidate) = self.candidates.pop() {
            let [a, b] = candidate.clusters;
            if self.is_merged[a] || self.is_merged[b] {
                continue;
            }
            let net_weight = self.net_weight(a, b);
            if net_weight == candidate.net_weight {
                return Some(candidate.clusters);
            }
            // A weight that has risen was pushed when it rose; one that has fallen is not in the
            // heap yet.
            if net_weight < candidate.net_weight {
                self.push_candidate(a, b);
            }
        }
        None
    }

    /// Merges the cluster with fewer links into the other. Returns (child, parent).
    fn merge(&mut self, a: usize, b: usize) -> (usize, usize) {
        let (child, parent) =
            if self.links[a].len() < self.links[b].len() { (a, b) } else { (b, a) };
        self.is_merged[child] = true;
        self.has_virtual_point[parent] |= self.has_virtual_point[child];
        self.labelled[parent] += self.labelled[child];
        self.links[parent].remove(&child);
        for (other, weight) in std::mem::take(&mut self.links[child]) {
            if other != parent {
                self.links[other].remove(&child);
                self.link(parent, other, weight);
                self.push_candidate(parent, other);
            }
        }
        (child, parent)
    }
}
