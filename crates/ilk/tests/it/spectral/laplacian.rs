//! Laplacians: what holds for any graph.

use std::ops::ControlFlow;

use ilk::Error;
use ilk::embed::{Eigenmaps, Embedding};
use ilk::embed::{
    GraphKind, Laplacian, LaplacianAxes, LaplacianEigenmaps, LaplacianMap, Weighting,
};
use ilk::ndarray::{Array2, ArrayView2, s};
use ilk::numerics::linalg::EXACT_TOLERANCE;
use ilk::numerics::rng::rng;
use ilk::numerics::sparse::Sparse;
use ilk::observe::{Event, Silent};
use ilk::problem::{Graph, KernelMatrix, Points};
use proptest::prelude::*;

use super::golden::off;

const LAPLACIANS: [Laplacian; 3] = [Laplacian::Sym, Laplacian::Rw, Laplacian::Unnormalized];
const GRAPHS: [GraphKind; 4] =
    [GraphKind::Knn, GraphKind::MutualKnn, GraphKind::Epsilon, GraphKind::Full];

fn points(n: usize, seed: u64) -> Points {
    let mut rng = rng(seed);
    Points::new(Array2::from_shape_fn((n, 2), |_| rng.normal())).unwrap()
}

/// A random graph of which some points have no edges.
fn graph(n: usize, share: f64, seed: u64) -> Array2<f64> {
    let mut rng = rng(seed);
    let mut affinity = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..i {
            if rng.uniform() < share {
                affinity[[i, j]] = rng.uniform();
                affinity[[j, i]] = affinity[[i, j]];
            }
        }
        affinity[[i, i]] = rng.uniform();
    }
    affinity
}

/// The Laplacian by its definition.
fn matrix(affinity: ArrayView2<'_, f64>, laplacian: Laplacian) -> Array2<f64> {
    let n = affinity.nrows();
    let mut w = affinity.to_owned();
    w.diag_mut().fill(0.0);
    let degrees: Vec<f64> = (0..n).map(|i| w.row(i).sum()).collect();
    Array2::from_shape_fn((n, n), |(i, j)| {
        let whole = if i == j { degrees[i] } else { 0.0 } - w[[i, j]];
        match laplacian {
            Laplacian::Unnormalized => whole,
            _ if degrees[i] == 0.0 || degrees[j] == 0.0 => 0.0,
            Laplacian::Sym => whole / (degrees[i] * degrees[j]).sqrt(),
            Laplacian::Rw => whole / degrees[i],
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn eigenvectors_satisfy_their_equation_and_are_the_smallest(
        n in 1usize..40, share in 0.0..0.3f64, count in 1usize..45, seed: u64,
    ) {
        let affinity = graph(n, share, seed);
        for laplacian in LAPLACIANS {
            let matrix = matrix(affinity.view(), laplacian);
            let symmetric = if laplacian == Laplacian::Rw { Laplacian::Sym } else { laplacian };
            let all = ilk::numerics::linalg::symmetric_eigen(
                self::matrix(affinity.view(), symmetric).view(),
            ).unwrap();
            let dense = LaplacianAxes::new(affinity.view(), laplacian, count, EXACT_TOLERANCE).unwrap();
            let sparse = Sparse::from_dense(affinity.view());
            let sparse = LaplacianAxes::new(&sparse, laplacian, count, EXACT_TOLERANCE).unwrap();
            for axes in [&dense, &sparse] {
                let found = axes.eigenvectors();
                prop_assert_eq!(found.dim(), (n, count.min(n)));
                let image = matrix.dot(found);
                prop_assert!(off(image.view(), (found * axes.eigenvalues()).view()) < 1e-10);
                let mut smallest = all.values.to_vec();
                smallest.reverse();
                for (value, expected) in axes.eigenvalues().iter().zip(smallest) {
                    prop_assert!((value - expected).abs() < 1e-10);
                }
                let nulls = axes.eigenvalues().iter().filter(|v| **v < 1e-10).count();
                prop_assert_eq!(nulls, axes.n_connected_components().min(count.min(n)));
                if laplacian != Laplacian::Rw {
                    let inner = found.t().dot(found);
                    prop_assert!(off(inner.view(), Array2::eye(found.ncols()).view()) < 1e-9);
                }
            }
        }
    }

    #[test]
    fn rows_of_the_affinities_are_mapped_to_where_their_points_are(n in 4usize..40, seed: u64) {
        let mut affinity = graph(n, 0.4, seed);
        affinity.diag_mut().fill(0.0);
        for laplacian in LAPLACIANS {
            let axes = LaplacianAxes::new(affinity.view(), laplacian, 3, EXACT_TOLERANCE).unwrap();
            let again = axes.transform(affinity.view()).unwrap();
            for (i, (row, expected)) in again.rows().into_iter().zip(axes.eigenvectors().rows()).enumerate() {
                let degree = affinity.row(i).sum();
                for ((x, y), value) in row.iter().zip(expected).zip(axes.eigenvalues()) {
                    let whole = if laplacian == Laplacian::Unnormalized { degree } else { 1.0 };
                    if degree > 0.0 && (whole - value).abs() > 1e-2 * whole {
                        prop_assert!((x - y).abs() < 1e-8);
                    }
                }
            }
        }
    }

    #[test]
    fn points_of_the_fit_have_their_coordinates(n in 2usize..50, seed: u64) {
        let points = points(n, seed);
        for (laplacian, graph) in LAPLACIANS.into_iter().flat_map(|l| GRAPHS.map(|g| (l, g))) {
            let params = LaplacianEigenmaps { laplacian, graph, n_neighbors: 4, ..LaplacianEigenmaps::default() };
            let map = params.fit(&points, &Silent).unwrap();
            prop_assert_eq!(&map.transform(&points).unwrap(), map.axes().eigenvectors());
        }
    }

    #[test]
    fn beside_a_point_of_the_fit_coordinates_are_nearly_its_own(n in 3usize..50, copies in 0usize..3, seed: u64) {
        let some = points(n, seed);
        let rows: Vec<usize> = (0..n).chain((0..copies).flat_map(|_| 0..n.min(5))).collect();
        let points = some.select(&rows);
        let beside = Points::new(some.view().mapv(|x| x + 1e-12)).unwrap();
        for (laplacian, graph) in LAPLACIANS.into_iter().flat_map(|l| GRAPHS.map(|g| (l, g))) {
            let params = LaplacianEigenmaps { laplacian, graph, n_neighbors: 4, ..LaplacianEigenmaps::default() };
            let map = params.fit(&points, &Silent).unwrap();
            let (at, near) = (map.transform(&some).unwrap(), map.transform(&beside).unwrap());
            let size = at.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
            prop_assert!(off(at.view(), near.view()) < 1e-3 * size, "{laplacian:?} {graph:?}");
        }
    }
}

#[test]
fn a_new_point_is_near_those_that_it_lies_between() {
    let line = |x: f64| vec![x, 0.0];
    let points: Vec<Vec<f64>> = (0..60).map(|i| line(f64::from(i))).collect();
    let points = Points::from_rows(&points).unwrap();
    let new = Points::from_rows(&[line(20.5), line(33.25)]).unwrap();
    for (laplacian, graph) in LAPLACIANS.into_iter().flat_map(|l| GRAPHS.map(|g| (l, g))) {
        let params = LaplacianEigenmaps {
            laplacian,
            graph,
            epsilon: 26.0,
            n_neighbors: 10,
            sigma: Some(3.0),
            n_components: 2,
            drop_first: true,
            ..LaplacianEigenmaps::default()
        };
        let map = params.fit(&points, &Silent).unwrap();
        assert_eq!(map.axes().n_connected_components(), 1);
        let found = map.transform(&new).unwrap();
        let vectors = map.axes().eigenvectors();
        let step = (vectors[[20, 0]] - vectors[[21, 0]]).abs();
        for (row, at) in [(0, 20), (1, 33)] {
            let between = f64::midpoint(vectors[[at, 0]], vectors[[at + 1, 0]]);
            let name = format!("{laplacian:?} {graph:?}");
            assert!((found[[row, 0]] - between).abs() < 2.0 * step, "{name}");
        }
    }
}

#[test]
fn a_new_point_without_edges_is_where_the_nearest_is() {
    let points = points(30, 4);
    let far = Points::from_rows(&[vec![1e6, 1e6]]).unwrap();
    for graph in [GraphKind::MutualKnn, GraphKind::Epsilon, GraphKind::Full] {
        let params = LaplacianEigenmaps { graph, ..LaplacianEigenmaps::default() };
        let map = params.fit(&points, &Silent).unwrap();
        let found = map.transform(&far).unwrap();
        let rows = map.axes().eigenvectors().rows();
        assert!(rows.into_iter().any(|row| row == found.row(0)));
    }
}

#[test]
fn a_new_point_has_edges_with_those_of_its_nearest_that_it_would_be_a_neighbour_of() {
    let points = Points::from_rows(&[0.0, 1.0, 2.0, 10.0].map(|x| vec![x])).unwrap();
    let params = LaplacianEigenmaps {
        graph: GraphKind::MutualKnn,
        n_neighbors: 2,
        weight: Weighting::Unit,
        laplacian: Laplacian::Unnormalized,
        n_components: 4,
        ..LaplacianEigenmaps::default()
    };
    let map = params.fit(&points, &Silent).unwrap();
    let axes = map.axes();
    let found = |x: f64| {
        let new = Points::from_rows(&[vec![x]]).unwrap();
        map.transform(&new).unwrap().row(0).to_owned()
    };
    let with = |edges: [f64; 4]| {
        let edges = ilk::ndarray::aview1(&edges).insert_axis(ilk::ndarray::Axis(0));
        axes.transform(edges).unwrap().row(0).to_owned()
    };
    // The nearest of 3.2 are 2 and 1. The second neighbour of 2 is further away than it, that of 1 is not.
    let share = 1.0 - 1.2 / 2.2;
    let of_nearest = axes.eigenvectors().row(2).to_owned() * share;
    let expected = of_nearest + with([0.0, 0.0, 1.0, 0.0]) * (1.0 - share);
    assert!((found(3.2) - expected).iter().all(|off| off.abs() < 1e-12));
    // 0.5 is as near to 0 as to 1.
    assert_eq!(found(0.5), with([1.0, 1.0, 0.0, 0.0]));
    let json = serde_json::to_string(&map).unwrap();
    assert_eq!(serde_json::from_str::<LaplacianMap>(&json).unwrap(), map, "{json}");
}

#[test]
fn the_width_has_the_scale_of_the_data_where_most_points_are_copies() {
    let sigma = |scale: f64| {
        let rows: Vec<Vec<f64>> = (0..40).map(|i| vec![scale * f64::from(i / 10)]).collect();
        let points = Points::from_rows(&rows).unwrap();
        let map = LaplacianEigenmaps::default().fit(&points, &Silent).unwrap();
        map.sigma().unwrap()
    };
    // The smallest distance between points that differ.
    assert_eq!(sigma(1.0), 1.0);
    assert_eq!(sigma(1024.0), 1024.0);
}

#[test]
fn components_are_separated_by_the_first_eigenvectors_the_largest_first() {
    let rows: Vec<Vec<f64>> = [0.0, 0.1, 5.0, 5.1, 5.2, 9.0].map(|x| vec![x]).to_vec();
    let points = Points::from_rows(&rows).unwrap();
    let params = LaplacianEigenmaps {
        graph: GraphKind::Epsilon,
        epsilon: 0.25,
        weight: Weighting::Unit,
        laplacian: Laplacian::Unnormalized,
        n_components: 3,
        drop_first: true,
        ..LaplacianEigenmaps::default()
    };
    let map = params.fit(&points, &Silent).unwrap();
    assert_eq!(map.axes().n_connected_components(), 3);
    let expected = ilk::ndarray::array![
        [0.0, 0.5_f64.sqrt(), 0.0],
        [0.0, 0.5_f64.sqrt(), 0.0],
        [(1.0_f64 / 3.0).sqrt(), 0.0, 0.0],
        [(1.0_f64 / 3.0).sqrt(), 0.0, 0.0],
        [(1.0_f64 / 3.0).sqrt(), 0.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    assert!(off(map.axes().eigenvectors().view(), expected.view()) < 1e-15);
}

#[test]
fn the_first_eigenvector_is_dropped_where_it_is_the_same_for_all() {
    let points = points(40, 8);
    let with = |drop_first, n_components| {
        let params = LaplacianEigenmaps {
            drop_first,
            n_components,
            graph: GraphKind::Full,
            laplacian: Laplacian::Rw,
            ..LaplacianEigenmaps::default()
        };
        params.fit(&points, &Silent).unwrap().axes().eigenvectors().to_owned()
    };
    let (all, rest) = (with(false, 3), with(true, 3));
    assert_eq!(rest.ncols(), 3);
    assert!(off(all.slice(s![.., 1..]), rest.slice(s![.., ..2])) < 1e-12);
    assert_eq!(with(true, usize::MAX).ncols(), 39);
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let points = points(3000, 1);
    for graph in [GraphKind::Knn, GraphKind::Epsilon] {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let params = LaplacianEigenmaps {
                    graph,
                    epsilon: 0.05,
                    n_components: 4,
                    ..LaplacianEigenmaps::default()
                };
                params.fit(&points, &Silent).unwrap()
            })
        };
        assert_eq!(run(1), run(3));
    }
}

#[test]
fn what_cannot_be_done_is_refused() {
    let points = points(9, 1);
    let refused =
        |params: LaplacianEigenmaps| params.fit(&points, &Silent).unwrap_err().to_string();
    assert_eq!(
        refused(LaplacianEigenmaps { n_components: 0, ..LaplacianEigenmaps::default() }),
        "n_components = 0 is out of range: at least one is needed"
    );
    assert_eq!(
        refused(LaplacianEigenmaps { n_neighbors: 0, ..LaplacianEigenmaps::default() }),
        "n_neighbors = 0 is out of range: at least one is needed"
    );
    assert_eq!(
        refused(LaplacianEigenmaps { sigma: Some(-1.0), ..LaplacianEigenmaps::default() }),
        "sigma = -1 is out of range: it must be a finite number above 0"
    );
    assert_eq!(
        refused(LaplacianEigenmaps {
            graph: GraphKind::Epsilon,
            epsilon: 0.0,
            ..LaplacianEigenmaps::default()
        }),
        "epsilon = 0 is out of range: it must be a finite number above 0"
    );
    let map = LaplacianEigenmaps::default().fit(&points, &Silent).unwrap();
    let other = Points::new(Array2::zeros((2, 3))).unwrap();
    let wrong = Error::WrongDimensions { found: 3, expected: 2 };
    assert_eq!(map.transform(&other).unwrap_err(), wrong);
    let axes = LaplacianAxes::new(
        Array2::from_elem((2, 2), f64::NAN).view(),
        Laplacian::Sym,
        1,
        EXACT_TOLERANCE,
    );
    assert_eq!(axes.unwrap_err(), Error::NoConvergence);
}

#[test]
fn a_full_graph_that_would_not_fit_into_memory_is_refused_whatever_its_edges_weigh() {
    let points = points(30_000, 1);
    for weight in [Weighting::Heat, Weighting::Unit] {
        let params =
            LaplacianEigenmaps { graph: GraphKind::Full, weight, ..LaplacianEigenmaps::default() };
        let refused = params.fit(&points, &Silent).unwrap_err().to_string();
        assert!(refused.contains("would need 21600000000 bytes"), "{weight:?}: {refused}");
    }
}

#[test]
fn eigenmaps_of_any_input_can_be_cancelled() {
    let points = points(9, 1);
    let affinity = KernelMatrix::new(graph(9, 0.5, 1)).unwrap();
    let edges = Graph::from_edges(3, [(0, 1, 1.0), (1, 2, 1.0)]).unwrap();
    let stop = |_: &Event| ControlFlow::Break(());
    for input in [points.into(), affinity.into(), edges.into()] {
        let embedding = Embedding::LaplacianEigenmaps(Eigenmaps::default());
        let cancelled = embedding.fit(&input, &stop).unwrap_err();
        assert_eq!(cancelled, Error::Cancelled { iterations: 1 });
    }
}
