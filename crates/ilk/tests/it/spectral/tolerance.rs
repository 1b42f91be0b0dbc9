//! How exactly eigenvectors must be known.

use ilk::datasets::{NestedBlobs, PlantedGraph};
use ilk::embed::{Affinity, CLUSTERING_TOLERANCE, Laplacian, LaplacianAxes, spectral_rows};
use ilk::group::Label;
use ilk::group::kmeans::KMeans;
use ilk::group::spectral::{RowComparison, group_rows};
use ilk::ndarray::Array2;
use ilk::numerics::linalg::{EXACT_TOLERANCE, top_eigen_of};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::{Graph, Points};
use ilk::similarity::graph::{EdgeRule, EdgeWeight, OneSided, neighbor_graph};

fn grouped(rows: &Array2<f64>, k: usize) -> Vec<Label> {
    let kmeans = KMeans { n_clusters: k.into(), ..KMeans::default() };
    let found = group_rows(rows.view(), None, RowComparison::UnitDistance, &kmeans, &Silent);
    found.unwrap().0.labels
}

/// Graphs with clusters that touch, and how many.
fn graphs() -> Vec<(Graph, usize)> {
    let planted = PlantedGraph { n: 2000, blocks: 8, ..PlantedGraph::default() };
    let planted = planted.generate(1).unwrap();
    let links = planted.edges().unwrap().iter().map(|&[u, v]| (u, v, 1.0));
    let planted = Graph::from_edges(2000, links).unwrap();
    let blobs = NestedBlobs { subgroups: 3, per_subgroup: 250, ..NestedBlobs::default() };
    let blobs = blobs.generate(1).unwrap();
    let points = Points::new(blobs.points().unwrap().clone()).unwrap();
    let edges = EdgeRule::Nearest { neighbors: 10, one_sided: OneSided::Kept };
    let near = neighbor_graph(&points, edges, EdgeWeight::Unit).unwrap();
    vec![(planted, 8), (near, 9)]
}

#[test]
fn labels_are_those_of_exact_eigenvectors() {
    for (graph, k) in graphs() {
        assert!(graph.len() >= 2000);
        for laplacian in [Laplacian::Sym, Laplacian::Unnormalized] {
            let rows = |tolerance| spectral_rows(&graph, laplacian, k, tolerance).unwrap();
            let (loose, exact) = (rows(CLUSTERING_TOLERANCE), rows(EXACT_TOLERANCE));
            assert_ne!(loose, exact, "the tolerance is of no effect");
            assert_eq!(grouped(&loose, k), grouped(&exact, k), "{laplacian:?}");
        }
        for laplacian in [Laplacian::Sym, Laplacian::Rw] {
            let rows = |tolerance| {
                let axes = LaplacianAxes::new(Affinity::from(&graph), laplacian, k, tolerance);
                axes.unwrap().eigenvectors().clone()
            };
            assert_eq!(grouped(&rows(CLUSTERING_TOLERANCE), k), grouped(&rows(EXACT_TOLERANCE), k));
        }
    }
}

#[test]
fn residuals_are_below_the_tolerance() {
    let n = 600;
    let mut rng = rng(4);
    let half = Array2::from_shape_fn((n, n), |_| rng.normal());
    let matrix = &half + &half.t();
    for tolerance in [1e-3, 1e-6, 1e-9, EXACT_TOLERANCE] {
        let found = top_eigen_of(n, 5, tolerance, |x| matrix.dot(&x)).unwrap();
        let left = matrix.dot(&found.vectors) - &found.vectors * &found.values;
        let scale = found.values[0];
        for column in left.columns() {
            assert!(column.dot(&column).sqrt() <= 2.0 * tolerance * scale + 1e-12 * scale);
        }
        let loosest = left.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(tolerance < 1e-8 || loosest > 1e-13 * scale, "more was done than asked for");
    }
}
