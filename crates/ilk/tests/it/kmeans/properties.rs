//! What must hold whatever the points are.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use ilk::Error;
use ilk::evaluate::adjusted_rand;
use ilk::group::kmeans::{Distance, KMeans, KMeansInit};
use ilk::group::{Grouping, GroupingAlgorithm, GroupingInput, Label, StopReason};
use ilk::ndarray::{Array2, Axis, array};
use ilk::numerics::rng::rng;
use ilk::observe::{Event, Observer, Silent};
use proptest::prelude::*;

use super::plain::{given, heaps};

fn objectives(grouping: &Grouping) -> Vec<f64> {
    let each = grouping.trace.iter().map(|step| step.objective.unwrap());
    each.collect()
}

fn points() -> impl Strategy<Value = Array2<f64>> {
    let coordinate = prop_oneof![
        3 => -10.0..10.0f64,
        2 => (-2i8..3).prop_map(f64::from),
    ];
    (1usize..30, 1usize..4).prop_flat_map(move |(n, dims)| {
        prop::collection::vec(coordinate.clone(), n * dims)
            .prop_map(move |values| Array2::from_shape_vec((n, dims), values).unwrap())
    })
}

/// The same with at most `n` clusters.
fn at_most(params: KMeans, n: usize) -> KMeans {
    let k = params.n_clusters.fixed().unwrap().min(n);
    KMeans { n_clusters: k.into(), ..params }
}

fn params() -> impl Strategy<Value = KMeans> {
    let distance = prop_oneof![Just(Distance::Euclidean), Just(Distance::Cosine)];
    let init = prop_oneof![
        Just(KMeansInit::PlusPlus),
        Just(KMeansInit::MaxMin),
        Just(KMeansInit::Angular)
    ];
    (distance, init, 1usize..6, 0u64..100).prop_map(|(distance, init, n_clusters, seed)| KMeans {
        n_clusters: n_clusters.into(),
        distance,
        init,
        n_init: 2,
        tol: 0.0,
        seed,
        ..KMeans::default()
    })
}

proptest! {
    #[test]
    fn the_objective_never_rises_and_the_centres_place_the_points_where_the_fit_did(
        points in points(), params in params(), max_iter in 1usize..30,
    ) {
        let params = at_most(KMeans { max_iter, ..params }, points.nrows());
        let (found, model) = params.group(points.view(), &Silent).unwrap();
        prop_assert!(objectives(&found).windows(2).all(|pair| pair[1] <= pair[0]));
        prop_assert_eq!(model.assign(points.view()).unwrap(), found.labels.clone());
        for (row, label) in points.rows().into_iter().zip(&found.labels) {
            let is_lost = params.distance == Distance::Cosine && row.iter().all(|&x| x == 0.0);
            prop_assert_eq!(label.is_none(), is_lost);
        }
        let used: std::collections::BTreeSet<usize> = found.labels.iter().flatten().copied().collect();
        prop_assert_eq!(used, (0..found.n_clusters).collect());
    }

    #[test]
    fn a_weight_is_as_good_as_so_many_equal_points(
        points in points(), params in params(), seed in 0u64..50,
    ) {
        let mut rng = rng(seed);
        let mut counts: Vec<usize> = (0..points.nrows()).map(|_| rng.below(4)).collect();
        counts[0] = 1;
        let repeats: Vec<usize> = (0..points.nrows())
            .flat_map(|i| std::iter::repeat_n(i, counts[i]))
            .collect();
        let params = at_most(params, repeats.len().min(points.nrows()));
        let repeated = points.select(Axis(0), &repeats);
        let weights: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let (many, _) = params.group(repeated.view(), &Silent).unwrap();
        let (few, _) = params.group(GroupingInput::new(points.view()).with_weights(Some(&weights)), &Silent).unwrap();
        let spread: Vec<Label> = repeats.iter().map(|&i| few.labels[i]).collect();
        // Where no direction is given all labels are none.
        prop_assert_eq!(adjusted_rand(&spread, &many.labels), adjusted_rand(&many.labels, &many.labels));
        let both = objectives(&few).into_iter().zip(objectives(&many));
        for (few, many) in both {
            prop_assert!((few - many).abs() <= 1e-9 * (1.0 + many), "{few} {many}");
        }
    }

    #[test]
    fn permuting_the_points_permutes_the_labels(points in points(), params in params()) {
        let n = points.nrows();
        let params = at_most(params, n);
        let k = params.n_clusters.fixed().unwrap();
        let centers = points.select(Axis(0), &(0..k).collect::<Vec<_>>());
        let has_directions = centers.rows().into_iter().all(|row| row.iter().any(|&x| x != 0.0));
        prop_assume!(params.distance == Distance::Euclidean || has_directions);
        let params = KMeans { init: given(&centers), ..params };
        // Of equally far points the first refills an empty cluster, so the order may matter then.
        let (plain, _) = params.group(points.view(), &Silent).unwrap();
        prop_assume!(plain.n_clusters == k);
        let order: Vec<usize> = (0..n).rev().collect();
        let turned = points.select(Axis(0), &order);
        let (found, _) = params.group(turned.view(), &Silent).unwrap();
        let last = |grouping: &Grouping| objectives(grouping).last().copied().unwrap_or(0.0);
        if found.trace.len() == plain.trace.len() && (last(&found) - last(&plain)).abs() < 1e-12 {
            let back: Vec<Label> = order.iter().map(|&i| plain.labels[i]).collect();
            prop_assert_eq!(adjusted_rand(&found.labels, &back), adjusted_rand(&back, &back));
        }
    }
}

#[test]
fn one_thread_and_eight_give_the_same_bits() {
    let points = heaps(3000, 20, 12, 1.5, &mut rng(3));
    let params = KMeans { n_clusters: 12.into(), n_init: 3, ..KMeans::default() };
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| params.group(points.view(), &Silent).unwrap())
    };
    assert_eq!(fit(1), fit(8));
}

#[test]
fn an_empty_cluster_gets_the_point_farthest_from_its_centre() {
    let points = array![[0.0], [1.0], [2.0], [10.0]];
    let centers = array![[1.0], [-50.0]];
    let params =
        KMeans { n_clusters: 2.into(), init: given(&centers), max_iter: 1, ..KMeans::default() };
    let (found, _) = params.group(points.view(), &Silent).unwrap();
    assert_eq!(found.labels, [0, 0, 0, 1].map(Some));
    assert_eq!(found.stop, StopReason::MaxIterations);
    assert_eq!(objectives(&found), [2.0]);
}

#[test]
fn distant_centres_are_distinguished_as_in_the_plain_loop() {
    let points = array![[0.0, 1.0], [3.0, 3.0], [1.0, 0.0]];
    let centers = array![[1e200, 0.0], [-1e30, 0.0], [0.0, 1e25]];
    let params =
        KMeans { n_clusters: 3.into(), init: given(&centers), tol: 0.0, ..KMeans::default() };
    let (found, _) = params.group(points.view(), &Silent).unwrap();
    assert_eq!(found.n_clusters, 3);
}

#[test]
fn points_with_no_weight_get_a_label_and_move_nothing() {
    let points = array![[100.0], [0.0], [1.0], [10.0], [11.0]];
    let params = KMeans { n_clusters: 2.into(), ..KMeans::default() };
    let weights = [0.0, 1.0, 1.0, 1.0, 1.0];
    let (found, model) = params
        .group(GroupingInput::new(points.view()).with_weights(Some(&weights)), &Silent)
        .unwrap();
    assert_eq!(found.labels, [0, 1, 1, 0, 0].map(Some));
    assert_eq!(*model.centers(), array![[10.5], [0.5]]);
}

#[test]
fn more_clusters_than_different_points_give_as_many_as_there_are() {
    let points = array![[0.0], [0.0], [1.0], [1.0], [1.0]];
    for init in [KMeansInit::PlusPlus, KMeansInit::MaxMin, KMeansInit::Angular] {
        let params = KMeans { n_clusters: 4.into(), init, ..KMeans::default() };
        let (found, _) = params.group(points.view(), &Silent).unwrap();
        assert_eq!(found.labels, [0, 0, 1, 1, 1].map(Some));
    }
}

#[test]
fn points_that_are_all_at_the_origin_have_no_direction_and_no_cluster() {
    let points = Array2::zeros((3, 2));
    let params = KMeans { n_clusters: 2.into(), distance: Distance::Cosine, ..KMeans::default() };
    let (found, model) = params.group(points.view(), &Silent).unwrap();
    assert_eq!((found.labels, found.n_clusters), (vec![None; 3], 0));
    assert_eq!(model.assign(array![[1.0, 0.0]].view()).unwrap(), [None]);
}

/// Cancels when it is asked for the n-th time, and counts how often it is.
struct CancelAt(usize, AtomicUsize);

impl Observer for CancelAt {
    fn event(&self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn is_cancelled(&self) -> bool {
        self.1.fetch_add(1, Ordering::Relaxed) >= self.0
    }
}

#[test]
fn the_choice_of_starts_asks_for_every_cluster_whether_it_is_cancelled() {
    let rows = Array2::from_shape_fn((300, 2), |(i, j)| ((i * (7 + j)) % 101) as f64);
    let kmeans = KMeans { n_clusters: 40.into(), n_init: 1, ..KMeans::default() };
    let asked = CancelAt(usize::MAX, AtomicUsize::new(0));
    kmeans.group(rows.view(), &asked).expect("not cancelled");
    let questions = asked.1.into_inner();
    assert!(questions >= 39, "{questions}");
    for at in [0, 1, 20, 38] {
        let cancelled = kmeans.group(rows.view(), &CancelAt(at, AtomicUsize::new(0)));
        assert_eq!(cancelled.expect_err("cancelled"), Error::Cancelled { iterations: 0 });
    }
}
