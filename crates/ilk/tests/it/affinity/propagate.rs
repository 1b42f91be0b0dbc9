//! Propagated pairs against the definition, with inverses.

use std::ops::ControlFlow;

use ilk::Error;
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::{Event, Silent};
use ilk::problem::{Constraints, Graph};
use ilk::supervise::propagate::Propagated;
use proptest::prelude::*;

/// A random graph and random constraints on its nodes.
pub(super) fn case(n: usize, seed: u64) -> (Graph, Constraints) {
    let mut rng = rng(seed);
    let mut edges = Vec::new();
    for i in 0..n {
        for j in 0..i {
            if rng.uniform() < 0.3 {
                edges.push((i, j, rng.uniform()));
            }
        }
    }
    let mut constraints = Constraints::new(n);
    for _ in 0..n / 3 {
        let (a, b) = (rng.below(n), rng.below(n));
        if a != b {
            if rng.uniform() < 0.5 {
                constraints.must_link(a, b).unwrap();
            } else {
                constraints.cannot_link(a, b).unwrap();
            }
        }
    }
    (Graph::from_edges(n, edges).unwrap(), constraints)
}

/// (1 - α) (I - αS)^-1 by its series.
fn spread(graph: &Graph, alpha: f64) -> Array2<f64> {
    let n = graph.len();
    let weights = graph.matrix().to_dense();
    let degrees: Vec<f64> = weights.rows().into_iter().map(|row| row.sum()).collect();
    let s = Array2::from_shape_fn((n, n), |(i, j)| {
        if weights[[i, j]] == 0.0 {
            0.0
        } else {
            weights[[i, j]] / (degrees[i] * degrees[j]).sqrt()
        }
    });
    let mut power = Array2::eye(n);
    let mut sum = Array2::zeros((n, n));
    for _ in 0..400 {
        sum += &power;
        power = s.dot(&power) * alpha;
    }
    sum * (1.0 - alpha)
}

/// W~ by its definition.
fn by_definition(
    graph: &Graph,
    constraints: &Constraints,
    alpha: f64,
) -> (Array2<f64>, Array2<f64>) {
    let n = graph.len();
    let mut z: Array2<f64> = Array2::zeros((n, n));
    for (pairs, sign) in [(constraints.must_links(), 1.0), (constraints.cannot_links(), -1.0)] {
        for pair in pairs {
            let [a, b] = pair.points;
            z[[a, b]] += sign;
            z[[b, a]] += sign;
        }
    }
    let g = spread(graph, alpha);
    let mut f = g.dot(&z).dot(&g);
    let named = constraints.constrained_points();
    let mut largest: f64 = 0.0;
    for &i in &named {
        for &j in &named {
            largest = largest.max(f[[i, j]].abs());
        }
    }
    if largest > 1e-12 {
        f.mapv_inplace(|f| (f / largest).clamp(-1.0, 1.0));
    } else {
        f.fill(0.0);
    }
    let adjusted = Array2::from_shape_fn((n, n), |(i, j)| {
        let (w, f) = (graph.matrix().get(i, j), f[[i, j]]);
        if i == j {
            0.0
        } else if f >= 0.0 {
            1.0 - (1.0 - f) * (1.0 - w)
        } else {
            (1.0 + f) * w
        }
    });
    (f, adjusted)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn values_and_affinities_are_those_of_the_definition(
        n in 3usize..40, alpha in 0.0..0.95, seed in 0u64..1000,
    ) {
        let (graph, constraints) = case(n, seed);
        let propagated = Propagated::new(&graph, &constraints, alpha, &Silent).unwrap();
        let (f, adjusted) = by_definition(&graph, &constraints, alpha);
        let values = propagated.values().unwrap();
        let whole = propagated.whole().unwrap();
        let named = constraints.constrained_points();
        for threshold in [0.0, 0.05] {
            let part = propagated.graph(threshold).unwrap();
            for i in 0..n {
                for j in 0..n {
                    prop_assert!((values[[i, j]] - f[[i, j]]).abs() < 1e-9);
                    prop_assert!((propagated.value(i, j) - f[[i, j]]).abs() < 1e-9);
                    prop_assert!((whole[[i, j]] - adjusted[[i, j]]).abs() < 1e-9);
                    let is_edge = graph.matrix().get(i, j) > 0.0;
                    let has_named = named.contains(&i) || named.contains(&j);
                    // Values at the threshold itself may go either way.
                    if (f[[i, j]] - threshold).abs() < 1e-9 && !is_edge {
                        continue;
                    }
                    let expected = if i != j && (is_edge || has_named && f[[i, j]] > threshold) {
                        adjusted[[i, j]]
                    } else {
                        0.0
                    };
                    prop_assert!((part.matrix().get(i, j) - expected).abs() < 1e-9);
                }
            }
        }
    }
}

#[test]
fn no_constraints_and_constraints_that_cancel_change_nothing() {
    let (graph, _) = case(12, 1);
    let nothing = Constraints::new(12);
    let propagated = Propagated::new(&graph, &nothing, 0.4, &Silent).unwrap();
    assert_eq!(propagated.graph(0.01).unwrap(), graph);
    let mut constraints = Constraints::new(12);
    constraints.must_link(0, 5).unwrap().cannot_link(5, 0).unwrap();
    let propagated = Propagated::new(&graph, &constraints, 0.4, &Silent).unwrap();
    assert_eq!(propagated.graph(0.01).unwrap(), graph);
    assert_eq!(propagated.value(0, 5), 0.0);
}

#[test]
fn a_run_can_be_cancelled_and_a_bad_alpha_is_refused() {
    let (graph, constraints) = case(20, 2);
    let stop = |_: &Event| ControlFlow::Break(());
    let cancelled = Propagated::new(&graph, &constraints, 0.4, &stop).unwrap_err();
    assert_eq!(cancelled, Error::Cancelled { iterations: 1 });
    for alpha in [-0.1, 1.0, f64::NAN] {
        let refused = Propagated::new(&graph, &constraints, alpha, &Silent).unwrap_err();
        assert!(matches!(refused, Error::BadParameter { parameter: "alpha", .. }));
    }
}
