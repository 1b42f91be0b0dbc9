//! Graphs of neighbours against their definition.

use std::ops::ControlFlow;

use ilk::Error;
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::Event;
use ilk::problem::{Constraints, Graph, KernelMatrix, Points};
use ilk::similarity::graph::{
    EdgeRule, EdgeWeight, OneSided, neighbor_graph, neighbor_graph_observed,
    neighbor_graph_of_affinities,
};
use ilk::supervise::edit_affinity::edited;
use proptest::prelude::*;

fn random(n: usize, dims: usize, seed: u64) -> Array2<f64> {
    let mut rng = rng(seed);
    Array2::from_shape_fn((n, dims), |_| rng.normal())
}

fn dist_sq(points: &Array2<f64>, i: usize, j: usize) -> f64 {
    let difference = &points.row(i) - &points.row(j);
    difference.dot(&difference)
}

/// Whether j is among the k nearest of i, counted one by one.
fn is_near(points: &Array2<f64>, i: usize, j: usize, k: usize) -> bool {
    let own = (dist_sq(points, i, j), j);
    let nearer = (0..points.nrows()).filter(|&l| l != i && (dist_sq(points, i, l), l) < own);
    i != j && nearer.count() < k
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn nearest_neighbors_have_edges(n in 1usize..30, k in 1usize..12, seed in 0u64..1000) {
        let data = random(n, 2, seed);
        let points = Points::new(data.clone()).unwrap();
        for (one_sided, share) in [
            (OneSided::Halved, 0.5),
            (OneSided::Kept, 1.0),
            (OneSided::Dropped, 0.0),
        ] {
            let edges = EdgeRule::Nearest { neighbors: k, one_sided };
            let weight = EdgeWeight::Gaussian { sigma: 0.7 };
            let graph = neighbor_graph(&points, edges, weight).unwrap();
            let affinity = KernelMatrix::new(Array2::from_shape_fn((n, n), |(i, j)| {
                (-dist_sq(&data, i, j) / (2.0 * 0.49)).exp()
            }));
            let same = neighbor_graph_of_affinities(&affinity.unwrap(), k, one_sided).unwrap();
            for i in 0..n {
                for j in 0..n {
                    let share = match (is_near(&data, i, j, k), is_near(&data, j, i, k)) {
                        (true, true) => 1.0,
                        (false, false) => 0.0,
                        _ => share,
                    };
                    let expected = share * (-dist_sq(&data, i, j) / (2.0 * 0.49)).exp();
                    prop_assert!((graph.matrix().get(i, j) - expected).abs() < 1e-14);
                    prop_assert!((same.matrix().get(i, j) - expected).abs() < 1e-14);
                }
            }
        }
    }

    #[test]
    fn components_are_what_walks_reach(n in 1usize..25, edges in 0usize..25, seed in 0u64..1000) {
        let mut rng = rng(seed);
        let edges: Vec<_> = (0..edges).map(|_| (rng.below(n), rng.below(n), 1.0)).collect();
        let graph = Graph::from_edges(n, edges).unwrap();
        let mut reached = vec![vec![false; n]; n];
        for (start, reached) in reached.iter_mut().enumerate() {
            let mut open = vec![start];
            while let Some(node) = open.pop() {
                if !reached[node] {
                    reached[node] = true;
                    open.extend(graph.edges(node).0.iter().map(|&next| next as usize));
                }
            }
        }
        let (component, count) = graph.components();
        for i in 0..n {
            for j in 0..n {
                prop_assert_eq!(component[i] == component[j], reached[i][j]);
            }
        }
        let alone: Vec<usize> = (0..n).filter(|&i| reached[i].iter().filter(|&&r| r).count() == 1).collect();
        prop_assert_eq!(graph.isolated(), alone);
        prop_assert_eq!(component.iter().max().unwrap() + 1, count);
    }
}

#[test]
fn edges_by_dot_products_are_those_above_zero() {
    let data = random(25, 3, 6);
    let points = Points::new(data.clone()).unwrap();
    let edges = EdgeRule::Nearest { neighbors: 6, one_sided: OneSided::Kept };
    let graph = neighbor_graph(&points, edges, EdgeWeight::DotProduct).unwrap();
    let mut n_without = 0;
    for i in 0..25 {
        for j in 0..i {
            let are_near = is_near(&data, i, j, 6) || is_near(&data, j, i, 6);
            let product = data.row(i).dot(&data.row(j));
            n_without += usize::from(are_near && product <= 0.0);
            let expected = if are_near { product.max(0.0) } else { 0.0 };
            assert!((graph.matrix().get(i, j) - expected).abs() < 1e-13);
        }
    }
    assert!(n_without > 0, "some neighbours are on the other side of 0");
}

#[test]
fn a_width_of_its_own_is_the_distance_to_a_neighbor() {
    let data = random(25, 3, 4);
    let points = Points::new(data.clone()).unwrap();
    let edges = EdgeRule::Nearest { neighbors: 24, one_sided: OneSided::Kept };
    let graph = neighbor_graph(&points, edges, EdgeWeight::SelfTuning { neighbors: 7 }).unwrap();
    let width = |i: usize| {
        let mut all: Vec<f64> = (0..25).map(|j| dist_sq(&data, i, j).sqrt()).collect();
        all.sort_by(f64::total_cmp);
        all[7]
    };
    for i in 0..25 {
        for j in 0..i {
            let expected = (-dist_sq(&data, i, j) / (width(i) * width(j))).exp();
            assert!((graph.matrix().get(i, j) - expected).abs() < 1e-13);
        }
    }
}

#[test]
fn what_makes_no_graph_is_refused() {
    let points = Points::new(random(4, 2, 0)).unwrap();
    let nearest = |neighbors| EdgeRule::Nearest { neighbors, one_sided: OneSided::Kept };
    for (edges, weight, parameter) in [
        (nearest(0), EdgeWeight::Unit, "n_neighbors"),
        (EdgeRule::Within(-1.0), EdgeWeight::Unit, "radius"),
        (EdgeRule::Within(f64::NAN), EdgeWeight::Unit, "radius"),
        (nearest(2), EdgeWeight::Gaussian { sigma: 0.0 }, "sigma"),
        (nearest(2), EdgeWeight::SelfTuning { neighbors: 0 }, "neighbors"),
    ] {
        let refused = neighbor_graph(&points, edges, weight).unwrap_err();
        assert!(
            matches!(refused, Error::BadParameter { parameter: named, .. } if named == parameter)
        );
    }
    let many = Points::new(Array2::zeros((100_000, 1))).unwrap();
    let refused = neighbor_graph(&many, nearest(usize::MAX), EdgeWeight::Unit).unwrap_err();
    assert!(matches!(refused, Error::TooLarge { .. }));
}

#[test]
fn pairs_are_edited_by_their_weight_and_contradictions_are_not() {
    let graph = Graph::from_edges(4, [(0, 1, 0.5), (1, 2, 0.4), (2, 3, 0.8), (0, 0, 1.0)]).unwrap();
    let mut constraints = Constraints::new(4);
    constraints.add(ilk::problem::ConstraintKind::MustLink, &[1, 0], 0.5, None).unwrap();
    constraints.add(ilk::problem::ConstraintKind::CannotLink, &[3, 2], 0.25, None).unwrap();
    constraints.cannot_link(1, 2).unwrap().must_link(1, 2).unwrap();
    constraints.must_link(0, 3).unwrap();
    let edited = edited(&graph, &constraints).unwrap();
    let expected =
        [[1.0, 0.75, 0.0, 1.0], [0.75, 0.0, 0.4, 0.0], [0.0, 0.4, 0.0, 0.6], [1.0, 0.0, 0.6, 0.0]];
    for (i, row) in expected.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            assert!((edited.matrix().get(i, j) - value).abs() < 1e-15);
        }
    }
}

#[test]
fn a_search_for_neighbors_is_cancelled_in_the_middle() {
    let points = Points::new(random(6_000, 3, 9)).unwrap();
    let nearest = EdgeRule::Nearest { neighbors: 5, one_sided: OneSided::Kept };
    for edges in [nearest, EdgeRule::Within(0.1)] {
        let stop = |event: &Event| {
            assert_eq!((event.stage, event.total), ("neighbours", 6_000));
            if event.finished > 2_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let ended = neighbor_graph_observed(&points, edges, EdgeWeight::Unit, &stop);
        assert!(matches!(ended, Err(Error::Cancelled { .. })));
    }
}
