//! Clusters from embeddings.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use ilk::Error;
use ilk::datasets::NestedBlobs;
use ilk::embed::Laplacian;
use ilk::embed::{Embedding, Keca};
use ilk::evaluate::adjusted_rand;
use ilk::group::Label;
use ilk::group::kmeans::KMeans;
use ilk::group::spectral::{RowComparison, group_rows};
use ilk::method::{AnyMethod, Method, SpectralClustering, SpectralEmbedding};
use ilk::ndarray::{Array1, Array2, array};
use ilk::observe::{Event, Silent};
use ilk::outcome::Fit;
use ilk::parameter::AutoOr;
use ilk::problem::{Graph, KernelMatrix, Points, Problem};

use super::golden::open;

const EMBEDDINGS: [SpectralEmbedding; 3] =
    [SpectralEmbedding::Keca, SpectralEmbedding::Kpca, SpectralEmbedding::Laplacian];

fn fit(params: SpectralClustering, problem: &Problem) -> Fit {
    AnyMethod::SpectralClustering(params).fit(problem, &Silent).unwrap()
}

fn with(embedding: SpectralEmbedding, k: usize) -> SpectralClustering {
    SpectralClustering { n_clusters: AutoOr::Fixed(k), embedding, ..SpectralClustering::default() }
}

fn rings() -> Option<(Points, Vec<Label>)> {
    let mut npz = open("golden/spectral/rings_44.npz")?;
    let labels: Array1<i64> = npz.by_name("labels").unwrap();
    let points = Points::new(npz.by_name("X").unwrap()).unwrap();
    let labels = labels.iter().map(|&l| usize::try_from(l).ok()).collect();
    Some((points, labels))
}

/// Four groups far apart, and the group of every point.
fn groups() -> (Points, Vec<Label>) {
    let set = NestedBlobs { subgroups: 1, per_subgroup: 40, ..NestedBlobs::default() };
    let set = set.generate(2).unwrap();
    let points = Points::new(set.points().unwrap().clone()).unwrap();
    (points, set.labels.iter().map(|&l| Some(l)).collect())
}

#[test]
fn the_thesis_s_rings_are_separated_without_an_error() {
    let Some((points, labels)) = rings() else {
        return;
    };
    let problem = Problem::unsupervised(points);
    for sigma in [AutoOr::Fixed(3.7), AutoOr::Fixed(4.5), AutoOr::Auto] {
        let n_clusters = AutoOr::Fixed(3);
        let params = SpectralClustering { n_clusters, sigma, ..SpectralClustering::default() };
        assert_eq!(fit(params, &problem).clustering.labels, labels, "{sigma}");
    }
}

#[test]
fn groups_far_apart_are_found_from_any_input_by_any_embedding() {
    let (points, labels) = groups();
    let n = points.len();
    let dist_sq = |i: usize, j: usize| -> f64 {
        let pairs = points.row(i).iter().zip(points.row(j));
        pairs.map(|(a, b)| (a - b) * (a - b)).sum()
    };
    let kernel = Array2::from_shape_fn((n, n), |(i, j)| (-0.5 * dist_sq(i, j)).exp());
    let edges = (0..n).flat_map(|j| (0..j).map(move |i| (i, j)));
    let graph = Graph::from_edges(n, edges.map(|(i, j)| (i, j, kernel[[i, j]]))).unwrap();
    let problems = [
        Problem::unsupervised(points.clone()),
        Problem::unsupervised(KernelMatrix::new(kernel).unwrap()),
        Problem::unsupervised(graph),
    ];
    let count = labels.iter().flatten().max().unwrap() + 1;
    for problem in &problems {
        for embedding in EMBEDDINGS {
            let found = fit(with(embedding, count), problem).clustering;
            assert_eq!(found.labels, labels, "{embedding:?}");
            let auto = SpectralClustering { n_clusters: AutoOr::Auto, ..with(embedding, 1) };
            let found = fit(auto, problem).clustering;
            assert_eq!(found.n_clusters, count, "{embedding:?}");
            assert_eq!(found.chosen[0].parameter, "n_clusters");
            assert_eq!(found.chosen[0].value, count.to_string());
        }
        for laplacian in [Laplacian::Sym, Laplacian::Rw, Laplacian::Unnormalized] {
            let params =
                SpectralClustering { laplacian, ..with(SpectralEmbedding::Laplacian, count) };
            let found = fit(params, problem).clustering.labels;
            assert_eq!(adjusted_rand(&found, &labels), Ok(1.0), "{laplacian:?}");
        }
    }
}

#[test]
fn axes_are_found_once_where_the_number_of_clusters_is_left_open() {
    let (points, _) = groups();
    let problem = Problem::unsupervised(points);
    for embedding in EMBEDDINGS {
        let params = SpectralClustering { n_clusters: AutoOr::Auto, ..with(embedding, 1) };
        let found = AtomicUsize::new(0);
        let count = |event: &Event| {
            if ["axes of the kernel", "Laplacian eigenmaps"].contains(&event.stage) {
                found.fetch_add(1, Ordering::Relaxed);
            }
            ControlFlow::Continue(())
        };
        AnyMethod::SpectralClustering(params).fit(&problem, &count).unwrap();
        assert_eq!(found.into_inner(), 1, "{embedding:?}");
    }
}

#[test]
fn widths_are_read_off_distinct_places() {
    let (points, _) = groups();
    let copies: Vec<usize> = (0..points.len()).chain([0; 200]).collect();
    let copied = points.select(&copies);
    for embedding in EMBEDDINGS {
        let chosen = |points: &Points| {
            let problem = Problem::unsupervised(points.clone());
            fit(with(embedding, 3), &problem).clustering.chosen
        };
        assert_eq!(chosen(&points), chosen(&copied), "{embedding:?}");
    }
    let sigma = |points: &Points| {
        let embedded = Embedding::Keca(Keca::default()).fit(&points.clone().into(), &Silent);
        embedded.unwrap().sigma
    };
    assert_eq!(sigma(&points), sigma(&copied));
}

#[test]
fn new_points_go_with_those_around_them() {
    let (points, labels) = groups();
    let new = Points::new(&points.view() + 0.01).unwrap();
    for embedding in EMBEDDINGS {
        let model = fit(with(embedding, 3), &Problem::unsupervised(points.clone())).model;
        assert_eq!(model.predict(&points).unwrap(), labels, "{embedding:?}");
        assert_eq!(model.predict(&new).unwrap(), labels, "{embedding:?}");
    }
}

#[test]
fn more_points_than_are_decomposed_whole_are_grouped_by_a_factor_of_low_rank() {
    let set = NestedBlobs { subgroups: 1, per_subgroup: 2100, ..NestedBlobs::default() };
    let set = set.generate(2).unwrap();
    let points = Points::new(set.points().unwrap().clone()).unwrap();
    assert!(points.len() > 6000);
    let labels: Vec<Label> = set.labels.iter().map(|&l| Some(l)).collect();
    for embedding in [SpectralEmbedding::Keca, SpectralEmbedding::Kpca] {
        let params = SpectralClustering { sigma: AutoOr::Fixed(3.0), ..with(embedding, 3) };
        let found = fit(params, &Problem::unsupervised(points.clone()));
        assert_eq!(found.clustering.labels, labels);
    }
}

#[test]
fn a_graph_has_a_kernel_matrix_up_to_the_limit_of_every_other() {
    // Two stars: the first eigenvectors of their matrix are far from all others.
    let hub = |i: usize| if i < 4000 { 0 } else { 4000 };
    let edges = (0..6100).filter(|&i| i != hub(i)).map(|i| (hub(i), i, 1.0));
    let problem = Problem::unsupervised(Graph::from_edges(6100, edges).unwrap());
    let found = fit(with(SpectralEmbedding::Keca, 2), &problem).clustering;
    let stars: Vec<Label> = (0..6100).map(|i| Some(hub(i) / 4000)).collect();
    assert_eq!(found.labels, stars);
}

#[test]
fn rows_without_direction_belong_to_no_cluster() {
    let rows = array![[1.0, 0.0], [0.0, 0.0], [0.0, 2.0], [3.0, 0.1], [1e-12, 0.0]];
    let kmeans = KMeans { n_clusters: 2.into(), ..KMeans::default() };
    let labels = |compare| {
        let (grouping, model) = group_rows(rows.view(), None, compare, &kmeans, &Silent).unwrap();
        assert_eq!(model.assign(rows.view()).unwrap(), grouping.labels);
        grouping.labels
    };
    for compare in [RowComparison::Angle, RowComparison::UnitDistance] {
        assert_eq!(labels(compare), [Some(0), None, Some(1), Some(0), None]);
    }
    assert!(labels(RowComparison::Distance).iter().all(Option::is_some));
    let nowhere = Array2::zeros((3, 2));
    for compare in [RowComparison::Angle, RowComparison::UnitDistance] {
        let found = group_rows(nowhere.view(), None, compare, &kmeans, &Silent).unwrap();
        assert_eq!(found.0.labels, [None; 3]);
        assert_eq!(found.1.n_clusters(), 0);
    }
}

#[test]
fn rows_need_a_weight_each() {
    // One row has no direction, so that weights are picked.
    let rows = array![[1.0, 0.0], [0.0, 0.0], [0.0, 2.0]];
    let kmeans = KMeans { n_clusters: 2.into(), ..KMeans::default() };
    for compare in [RowComparison::Distance, RowComparison::Angle, RowComparison::UnitDistance] {
        let refused = group_rows(rows.view(), Some(&[1.0; 2]), compare, &kmeans, &Silent);
        let wrong = Error::WrongLength { what: "the list of point weights", found: 2, expected: 3 };
        assert_eq!(refused.map(|_| ()).unwrap_err(), wrong);
    }
}

#[test]
fn what_cannot_be_a_number_of_clusters_is_refused() {
    let problem = Problem::unsupervised(groups().0);
    let zero = AnyMethod::SpectralClustering(with(SpectralEmbedding::Keca, 0));
    assert_eq!(
        zero.fit(&problem, &Silent).map(|_| ()).unwrap_err().to_string(),
        "n_clusters = 0 is out of range: it must be a whole number, at least 1, or auto"
    );
    assert_eq!(
        "some".parse::<AutoOr<usize>>().unwrap_err().to_string(),
        "\"some\" is not a whole number, at least 0, or auto"
    );
    let edges = (0..23_170).map(|i| (i, i + 1, 1.0));
    let large = Problem::unsupervised(Graph::from_edges(23_171, edges).unwrap());
    let refused =
        AnyMethod::SpectralClustering(with(SpectralEmbedding::Keca, 2)).fit(&large, &Silent);
    assert!(refused.map(|_| ()).unwrap_err().to_string().contains("use embedding=laplacian"));
}
