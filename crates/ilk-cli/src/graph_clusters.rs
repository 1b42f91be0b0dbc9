//! What the clusters of a graph are: how much of their edges they keep, and their busiest nodes.

use ilk::group::Label;
use ilk::problem::Graph;

/// Nodes of a cluster that are named.
const MAX_NODES: usize = 3;

/// The clusters of a graph. With A the matrix of edge weights and 2m the sum of all its entries.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GraphClusters {
    /// The clusters, by number.
    pub(crate) clusters: Vec<GraphCluster>,
    /// The weight of the edges between different clusters, or between a cluster and a node in none.
    pub(crate) cut: f64,
    /// The modularity (Newman and Girvan 2004), the sum of that of the clusters.
    pub(crate) modularity: f64,
}

/// One cluster of a graph.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GraphCluster {
    pub(crate) size: usize,
    /// The nodes with most weight inside the cluster, the heaviest first.
    pub(crate) central: Vec<usize>,
    /// The weight of its edges to other nodes.
    pub(crate) cut: f64,
    /// The cut over the volume, the sum of the rows of A, of the cluster or of all other nodes, whichever is less.
    pub(crate) conductance: f64,
    /// w / 2m - (v / 2m)², with w the sum of A inside the cluster and v its volume.
    pub(crate) modularity: f64,
}

impl GraphClusters {
    pub(crate) fn new(graph: &Graph, labels: &[Label], n_clusters: usize) -> Self {
        let matrix = graph.matrix();
        let mut within = vec![0.0; labels.len()];
        let (mut volumes, mut insides) = (vec![0.0; n_clusters], vec![0.0; n_clusters]);
        let (mut total, mut between) = (0.0, 0.0);
        for (node, label) in labels.iter().enumerate() {
            for (other, weight) in matrix.entries(node) {
                total += weight;
                let is_inside = label.is_some() && *label == labels[other];
                if is_inside {
                    within[node] += weight;
                } else {
                    between += weight;
                }
                if let Some(cluster) = *label {
                    volumes[cluster] += weight;
                    insides[cluster] += if is_inside { weight } else { 0.0 };
                }
            }
        }
        let mut members = vec![Vec::new(); n_clusters];
        for (node, label) in labels.iter().enumerate() {
            if let Some(cluster) = *label {
                members[cluster].push(node);
            }
        }
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let clusters = members.into_iter().enumerate().map(|(cluster, mut members)| {
            let size = members.len();
            members.sort_by(|&a, &b| within[b].total_cmp(&within[a]).then(a.cmp(&b)));
            members.truncate(MAX_NODES);
            let (volume, inside) = (volumes[cluster], insides[cluster]);
            let cut = volume - inside;
            GraphCluster {
                size,
                central: members,
                cut,
                conductance: share(cut, volume.min(total - volume)),
                modularity: share(inside, total) - share(volume, total).powi(2),
            }
        });
        let clusters: Vec<GraphCluster> = clusters.collect();
        let modularity = clusters.iter().map(|cluster| cluster.modularity).sum();
        // Every such edge is seen from both its ends.
        Self { clusters, cut: between / 2.0, modularity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triangles_with_an_edge_between_them() {
        let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)];
        let graph = Graph::from_edges(6, edges.map(|(u, v)| (u, v, 1.0))).expect("a graph");
        let labels = [0, 0, 0, 1, 1, 1].map(Some);
        let found = GraphClusters::new(&graph, &labels, 2);
        // Half of 14 entries each, of which 6 are inside: 6/14 - 1/4, twice (Newman and Girvan's example).
        assert!((found.modularity - 5.0 / 14.0).abs() < 1e-12);
        assert_eq!(found.cut, 1.0);
        for cluster in &found.clusters {
            assert_eq!((cluster.size, cluster.cut), (3, 1.0));
            assert!((cluster.conductance - 1.0 / 7.0).abs() < 1e-12);
        }
        assert_eq!(found.clusters[1].central, [3, 4, 5]);
    }
}
