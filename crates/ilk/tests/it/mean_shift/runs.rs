//! How a run behaves, and what new points get.

use std::ops::ControlFlow;

use ilk::group::mean_shift::MeanShift;
use ilk::group::{GroupingAlgorithm, GroupingInput, StopReason};
use ilk::ndarray::Array2;
use ilk::observe::{Event, Silent};
use ilk::problem::Points;
use ilk::similarity::Bandwidth;

use super::cases::{KERNELS, blobs, fit};

#[test]
fn predict_agrees_with_fit_on_the_training_points() {
    for seed in 0..6 {
        let points = blobs(300, 1 + seed as usize % 4, 5, 1.3, 20 + seed);
        for kernel in KERNELS {
            for blurring in [false, true] {
                for fixed_iter in [None, Some(3)] {
                    let params = MeanShift { kernel, blurring, fixed_iter, ..MeanShift::default() };
                    let (grouping, model) = params.group(&points, &Silent).expect("valid input");
                    let predicted = model.predict(&points).expect("same columns");
                    assert_eq!(predicted, grouping.labels, "{kernel:?}, blurring {blurring}");
                }
            }
        }
    }
}

#[test]
fn single_precision_on_the_way_does_not_change_the_answer() {
    // Weighted climbs are in double precision throughout; these weights change nothing else.
    for seed in 0..8 {
        let dims = 1 + seed as usize % 5;
        let points = blobs(500, dims, 6, 1.0, 40 + seed);
        let params = MeanShift {
            bandwidth: Bandwidth::Fixed(0.9 * (dims as f64).sqrt()),
            ..MeanShift::default()
        };
        let single = fit(&params, &points);
        let mut weights = vec![1.0; 500];
        weights[0] += f64::EPSILON;
        let double = params
            .group(GroupingInput::new(&points).with_weights(Some(&weights)), &Silent)
            .expect("valid input")
            .0;
        assert_eq!(single.labels, double.labels);
        let gap = (single.centers.expect("modes") - double.centers.expect("modes"))
            .iter()
            .fold(0.0f64, |a, b| a.max(b.abs()));
        assert!(gap < 1e-5, "modes differ by {gap}");
    }
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let sets = [blobs(700, 3, 6, 1.2, 30), blobs(700, 6, 6, 1.2, 31)];
    for (points, kernel) in sets.iter().flat_map(|set| KERNELS.map(|kernel| (set, kernel))) {
        for blurring in [false, true] {
            let params = MeanShift { kernel, blurring, ..MeanShift::default() };
            let run = |threads: usize| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .expect("a pool")
                    .install(|| params.group(points, &Silent).expect("valid input"))
            };
            let one = run(1);
            assert_eq!(one, run(2), "{kernel:?}, blurring {blurring}");
            assert_eq!(one, run(8), "{kernel:?}, blurring {blurring}");
        }
    }
}

#[test]
fn a_saddle_is_left() {
    // Two equal heaps: the midpoint is a saddle, and a point exactly there would rest for ever.
    let data = vec![vec![-2.0], vec![-2.2], vec![-1.8], vec![0.0], vec![1.8], vec![2.0], vec![2.2]];
    let points = Points::from_rows(&data).expect("finite");
    let params = MeanShift { bandwidth: Bandwidth::Fixed(1.2), ..MeanShift::default() };
    let grouping = fit(&params, &points);
    assert_eq!(grouping.n_clusters, 2, "{:?}", grouping.centers);
    assert_ne!(grouping.labels[0], grouping.labels[6]);
    assert_eq!(grouping, fit(&params, &points));
}

#[test]
fn a_far_new_point_is_placed() {
    let points = blobs(50, 2, 2, 0.3, 31);
    for kernel in KERNELS {
        let params = MeanShift { bandwidth: Bandwidth::Fixed(0.8), kernel, ..MeanShift::default() };
        let (_, model) = params.group(&points, &Silent).expect("valid input");
        let far = Points::from_rows(&[vec![1e4, -1e4], vec![1e8, 1e8]]).expect("finite");
        assert!(model.predict(&far).expect("same columns").iter().all(Option::is_some));
    }
}

#[test]
fn identical_points_are_one_cluster() {
    for n in [1, 2, 33, 100] {
        let points = Points::new(Array2::from_elem((n, 3), 4.2)).expect("finite");
        for kernel in KERNELS {
            for blurring in [false, true] {
                let grouping =
                    fit(&MeanShift { kernel, blurring, ..MeanShift::default() }, &points);
                assert_eq!(grouping.n_clusters, 1);
                assert_eq!(grouping.labels, vec![Some(0); n]);
                assert_eq!(grouping.stop, StopReason::Converged);
            }
        }
    }
}

#[test]
fn an_observer_sees_iterations_and_can_cancel() {
    let points = blobs(400, 2, 4, 1.0, 32);
    for kernel in KERNELS {
        for blurring in [false, true] {
            let params = MeanShift { kernel, blurring, ..MeanShift::default() };
            let seen = std::sync::atomic::AtomicUsize::new(0);
            let observer = |event: &Event| {
                assert!(event.finished <= event.total && event.iteration > 0);
                seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                ControlFlow::Continue(())
            };
            params.group(&points, &observer).expect("valid input");
            assert!(seen.into_inner() > 1);
            let stop = |_: &Event| ControlFlow::Break(());
            assert!(matches!(params.group(&points, &stop), Err(ilk::Error::Cancelled { .. })));
        }
    }
}

#[test]
fn the_limit_of_iterations_is_reported() {
    let points = blobs(200, 2, 3, 1.0, 33);
    let params =
        MeanShift { bandwidth: Bandwidth::Fixed(1.0), max_iter: 2, ..MeanShift::default() };
    let grouping = fit(&params, &points);
    assert_eq!(grouping.stop, StopReason::MaxIterations);
    assert_eq!(grouping.iterations, 2);
    let once = fit(&MeanShift { max_iter: 1, ..params }, &points);
    assert_eq!((once.iterations, once.trace.len()), (1, 1));
}
