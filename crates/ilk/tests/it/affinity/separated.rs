//! Labels that must be separated.

use ilk::method::{AnyMethod, E2cp, Method, SpectralLearning};
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::{Constraints, Points, Problem};
use ilk::supervise::propagate::propagated;
use proptest::prelude::*;

use super::propagate::case;

/// Two heaps far apart, of which one holds both labels: the clusters of least cut are the heaps, and separate
/// no labels.
#[test]
fn two_labels_in_one_heap_are_in_two_clusters() {
    let mut draw = rng(3);
    let rows: Vec<Vec<f64>> = (0..120)
        .map(|i| {
            let place = if i < 80 { 0.0 } else { 40.0 };
            vec![place + draw.normal(), draw.normal()]
        })
        .collect();
    let [left, right] = [-1.0, 1.0].map(|side| {
        let farthest =
            |a: &&usize, b: &&usize| (side * rows[**a][0]).total_cmp(&(side * rows[**b][0]));
        *(0..80).collect::<Vec<_>>().iter().max_by(farthest).expect("80 points")
    });
    let points = Points::from_rows(&rows).expect("finite");
    let mut constraints = Constraints::new(120);
    constraints.label(left, "left").expect("a point");
    constraints.label(right, "right").expect("a point");
    let problem = Problem::new(points, constraints).expect("a problem");
    let methods = [
        AnyMethod::E2cp(E2cp { n_clusters: 2.into(), ..E2cp::default() }),
        AnyMethod::SpectralLearning(SpectralLearning {
            n_clusters: 2.into(),
            ..SpectralLearning::default()
        }),
    ];
    for method in methods {
        let found = method.fit(&problem, &Silent).expect("a fit").clustering;
        assert_eq!(found.n_clusters, 2);
        assert_ne!(found.labels[left], found.labels[right], "{}", method.info().name);
        assert!(found.labels.iter().all(Option::is_some));
    }
}

proptest! {
    /// Against (I - αS)^-1 as the sum of its series.
    #[test]
    fn labels_are_propagated_as_defined(n in 2usize..12, seed in 0u64..1000) {
        let (graph, _) = case(n, seed);
        let weights = graph.matrix().to_dense();
        let mut labels = vec![None; n];
        labels[0] = Some(0);
        labels[n - 1] = Some(1);
        labels[n / 2] = Some(1);
        let degree: Vec<f64> = weights.rows().into_iter().map(|row| row.sum()).collect();
        let scaled = Array2::from_shape_fn((n, n), |(i, j)| {
            if weights[[i, j]] > 0.0 { weights[[i, j]] / (degree[i] * degree[j]).sqrt() } else { 0.0 }
        });
        let mut right = Array2::zeros((n, 2));
        for class in 0..2 {
            let of_class: Vec<usize> = (0..n).filter(|&i| labels[i] == Some(class)).collect();
            for &i in &of_class {
                right[[i, class]] = 1.0 / of_class.len() as f64;
            }
        }
        let mut reached = right.clone();
        for _ in 0..5000 {
            reached = 0.99 * scaled.dot(&reached) + &right;
        }
        for (i, found) in propagated(&graph, &labels).into_iter().enumerate() {
            let [a, b] = [reached[[i, 0]], reached[[i, 1]]];
            if (a - b).abs() > 1e-9 {
                prop_assert_eq!(found, Some(usize::from(b > a)));
            } else if a.max(b) == 0.0 {
                prop_assert_eq!(found, None);
            }
        }
    }
}
