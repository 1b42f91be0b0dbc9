//! Mean shift against a plain double loop, golden outputs of other programs, and properties.

mod shared;

use std::ops::ControlFlow;

use ilk::group::mean_shift::MeanShift;
use ilk::group::{Grouping, Label, StopReason};
use ilk::ndarray::{Array1, Array2};
use ilk::numerics::rng::rng;
use ilk::observe::{Event, Silent};
use ilk::problem::Points;
use ilk::similarity::{Bandwidth, Profile};
use ndarray_npy::NpzReader;
use proptest::prelude::*;
use shared::shared;

const KERNELS: [Profile; 5] = [
    Profile::Gaussian,
    Profile::Rbf,
    Profile::Truncated,
    Profile::Flat,
    Profile::Epanechnikov,
];

fn fit(params: &MeanShift, points: &Points) -> Grouping {
    params.fit(points, None, &Silent).expect("valid input").0
}

/// `k` Gaussian blobs in `dims` dimensions.
fn blobs(n: usize, dims: usize, k: usize, spread: f64, seed: u64) -> Points {
    let mut rng = rng(seed);
    let centers: Vec<f64> = (0..k * dims).map(|_| 10.0 * rng.uniform()).collect();
    let data = Array2::from_shape_fn((n, dims), |(i, d)| {
        centers[i % k * dims + d] + spread * rng.normal()
    });
    Points::new(data).expect("finite")
}

/// Shifts every point `steps` times by the definition, with nothing clever.
fn plain(
    points: &Points,
    h: &[f64],
    weights: &[f64],
    params: &MeanShift,
    steps: usize,
) -> Vec<Vec<f64>> {
    let n = points.len();
    let mut data: Vec<Vec<f64>> = (0..n).map(|i| points.row(i).to_vec()).collect();
    let mut places = data.clone();
    for _ in 0..steps {
        let next: Vec<Vec<f64>> = places
            .iter()
            .map(|x| {
                let mut total = 0.0;
                let mut sum = vec![0.0; x.len()];
                for (j, y) in data.iter().enumerate() {
                    let dist_sq: f64 = x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum();
                    let variable = if h.iter().all(|v| *v == h[0]) {
                        1.0
                    } else {
                        (h[j] / h[0]).powf(-(x.len() as f64) - 2.0)
                    };
                    let w = weights[j]
                        * variable
                        * params.kernel.weight(dist_sq, h[j], params.truncation);
                    total += w;
                    for (s, v) in sum.iter_mut().zip(y) {
                        *s += w * v;
                    }
                }
                if total > 0.0 {
                    sum.iter().map(|s| s / total).collect()
                } else {
                    x.clone()
                }
            })
            .collect();
        places = next;
        if params.blurring {
            data.clone_from(&places);
        }
    }
    places
}

/// Where `fit` puts every point after `steps` steps: each point made its own cluster by a merge
/// radius next to nothing, the modes are the places.
fn places_after(
    points: &Points,
    weights: Option<&[f64]>,
    params: &MeanShift,
    steps: usize,
) -> Vec<Vec<f64>> {
    let params = MeanShift {
        fixed_iter: Some(steps),
        merge_radius: Some(1e-12),
        ..params.clone()
    };
    let (grouping, _) = params.fit(points, weights, &Silent).expect("valid input");
    let modes = grouping.centers.expect("mean shift has modes");
    assert_eq!(grouping.stop, StopReason::FixedCount);
    assert_eq!(grouping.iterations, steps);
    grouping
        .labels
        .iter()
        .map(|l| modes.row(l.expect("no noise")).to_vec())
        .collect()
}

fn assert_close(ours: &[Vec<f64>], theirs: &[Vec<f64>], tolerance: f64) {
    for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
        for (x, y) in a.iter().zip(b) {
            assert!((x - y).abs() <= tolerance, "point {i}: {a:?} against {b:?}");
        }
    }
}

#[test]
fn every_kernel_matches_the_plain_loop_blurring_or_not() {
    for (seed, dims) in [(1, 1), (2, 2), (3, 5), (4, 13)] {
        let points = blobs(90, dims, 4, 1.0, seed);
        let h = 1.1 * (dims as f64).sqrt();
        for kernel in KERNELS {
            for blurring in [false, true] {
                let params = MeanShift {
                    bandwidth: Bandwidth::Fixed(h),
                    kernel,
                    blurring,
                    ..MeanShift::default()
                };
                for steps in [1, 2, 7] {
                    let ours = places_after(&points, None, &params, steps);
                    let theirs = plain(&points, &[h; 90], &[1.0; 90], &params, steps);
                    assert_close(&ours, &theirs, 1e-9);
                }
            }
        }
    }
}

#[test]
fn weights_count_as_copies_of_a_point() {
    let points = blobs(60, 3, 3, 1.0, 5);
    let mut rng = rng(6);
    let weights: Vec<f64> = (0..60).map(|_| 0.5 + rng.uniform()).collect();
    for kernel in KERNELS {
        for blurring in [false, true] {
            let params = MeanShift {
                bandwidth: Bandwidth::Fixed(2.0),
                kernel,
                blurring,
                ..MeanShift::default()
            };
            let ours = places_after(&points, Some(&weights), &params, 4);
            assert_close(
                &ours,
                &plain(&points, &[2.0; 60], &weights, &params, 4),
                1e-9,
            );
        }
    }
}

#[test]
fn per_point_bandwidths_match_the_plain_loop() {
    for (dims, narrowest) in [(2, 0.5), (7, 1.5)] {
        let points = blobs(80, dims, 3, 1.0, 7);
        let mut rng = rng(8);
        let h: Vec<f64> = (0..80).map(|_| narrowest + 2.0 * rng.uniform()).collect();
        for kernel in KERNELS {
            for blurring in [false, true] {
                let params = MeanShift {
                    bandwidth: Bandwidth::PerPoint(h.clone()),
                    kernel,
                    blurring,
                    ..MeanShift::default()
                };
                let ours = places_after(&points, None, &params, 3);
                assert_close(&ours, &plain(&points, &h, &[1.0; 80], &params, 3), 1e-9);
            }
        }
    }
}

#[test]
fn a_point_exactly_on_the_edge_of_a_flat_kernel_counts() {
    // Whole numbers: many distances equal the bandwidth, where single precision decides nothing.
    // A point far out makes the band that it leaves open wide.
    let dims = 6;
    for (seed, outlier) in [(1, 0.0), (2, 4096.0), (3, 65536.0), (4, 4_194_304.0)] {
        let mut rng = rng(seed);
        let mut data = Array2::from_shape_fn((200, dims), |_| (4.0 * rng.uniform()).floor());
        data[[199, 0]] = outlier;
        let points = Points::new(data).expect("finite");
        for h in [1.0, 2.0, 3.0] {
            let params = MeanShift {
                bandwidth: Bandwidth::Fixed(h),
                kernel: Profile::Flat,
                ..MeanShift::default()
            };
            let ours = places_after(&points, None, &params, 1);
            let theirs = plain(&points, &[h; 200], &[1.0; 200], &params, 1);
            assert_close(&ours, &theirs, 1e-9);
        }
    }
}

#[test]
fn far_from_the_origin_no_digits_are_lost() {
    let points = blobs(100, 2, 3, 0.5, 9);
    let moved = Points::new(&points.view() + 1e6).expect("finite");
    for kernel in KERNELS {
        let params = MeanShift {
            bandwidth: Bandwidth::Fixed(1.0),
            kernel,
            ..MeanShift::default()
        };
        let (here, there) = (fit(&params, &points), fit(&params, &moved));
        assert_eq!(here.labels, there.labels, "{kernel:?}");
        assert_eq!(there.stop, StopReason::Converged);
    }
}

fn golden(path: &str) -> Option<NpzReader<std::fs::File>> {
    Some(
        NpzReader::new(std::fs::File::open(shared(path)?).expect("readable")).expect("an npz file"),
    )
}

#[test]
fn variable_bandwidth_matches_the_golden_case() {
    let Some(mut file) = golden("golden/logdet/meanshift_small.npz") else {
        return;
    };
    let points = Points::new(file.by_name("Z").expect("Z")).expect("finite");
    let h: Array1<f64> = file.by_name("h").expect("h");
    let modes: Array2<f64> = file.by_name("modes").expect("modes");
    let labels: Array1<i64> = file.by_name("labels").expect("labels");
    let params = MeanShift {
        bandwidth: Bandwidth::PerPoint(h.to_vec()),
        kernel: Profile::Gaussian,
        max_iter: 5000,
        tol: Some(1e-10),
        ..MeanShift::default()
    };
    let grouping = fit(&params, &points);
    let ours = grouping.centers.expect("modes");
    for (i, label) in grouping.labels.iter().enumerate() {
        let ours = ours.row(label.expect("no noise"));
        let gap: f64 = ours
            .iter()
            .zip(modes.row(i))
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        assert!(gap < 1e-4, "point {i}: {ours} against {}", modes.row(i));
    }
    same_partition(&grouping.labels, &labels.to_vec());
}

/// Two labellings that differ in names only.
fn same_partition(ours: &[Label], theirs: &[i64]) {
    for i in 0..ours.len() {
        for j in 0..i {
            assert_eq!(
                ours[i] == ours[j],
                theirs[i] == theirs[j],
                "points {i} and {j}"
            );
        }
    }
}

#[test]
fn positions_after_t_steps_match_the_golden_case() {
    let Some(mut file) = golden("golden/spectral/meanshift_80.npz") else {
        return;
    };
    let points = Points::new(file.by_name("X").expect("X")).expect("finite");
    let h = file
        .by_name::<ndarray::OwnedRepr<f64>, ndarray::Ix0>("h")
        .expect("h")
        .into_scalar();
    for (name, blurring) in [("nonblur", false), ("blur", true)] {
        let params = MeanShift {
            bandwidth: Bandwidth::Fixed(h),
            blurring,
            ..MeanShift::default()
        };
        for steps in [1, 2, 5, 10, 30, 100, 200] {
            let theirs: Array2<f64> = file
                .by_name(&format!("{name}_T{steps}"))
                .expect("positions");
            let theirs: Vec<Vec<f64>> = theirs.rows().into_iter().map(|r| r.to_vec()).collect();
            assert_close(&places_after(&points, None, &params, steps), &theirs, 1e-9);
            let labels: Array1<i64> = file
                .by_name(&format!("{name}_fix_T{steps}"))
                .expect("labels");
            let grouping = fit(
                &MeanShift {
                    fixed_iter: Some(steps),
                    ..params.clone()
                },
                &points,
            );
            same_partition(&grouping.labels, &labels.to_vec());
        }
    }
}

#[test]
fn new_points_follow_the_golden_case() {
    let Some(mut file) = golden("golden/spectral/meanshift_80.npz") else {
        return;
    };
    let points = Points::new(file.by_name("X").expect("X")).expect("finite");
    let new = Points::new(file.by_name("Xnew").expect("Xnew")).expect("finite");
    let h = file
        .by_name::<ndarray::OwnedRepr<f64>, ndarray::Ix0>("h")
        .expect("h")
        .into_scalar();
    for (blurring, steps, all, theirs) in [
        (false, 200, "nonblur_fix_T200", "new_labels"),
        (true, 30, "blur30_labels", "new_blur_labels"),
    ] {
        let params = MeanShift {
            bandwidth: Bandwidth::Fixed(h),
            blurring,
            fixed_iter: Some(steps),
            ..MeanShift::default()
        };
        let (grouping, model) = params.fit(&points, None, &Silent).expect("valid input");
        let old: Array1<i64> = file.by_name(all).expect("labels");
        let new_labels: Array1<i64> = file.by_name(theirs).expect("labels");
        let ours: Vec<Label> = grouping
            .labels
            .iter()
            .copied()
            .chain(model.predict(&new).expect("same columns"))
            .collect();
        let theirs: Vec<i64> = old.iter().chain(&new_labels).copied().collect();
        same_partition(&ours, &theirs);
    }
}

#[test]
fn predict_agrees_with_fit_on_the_training_points() {
    for seed in 0..6 {
        let points = blobs(300, 1 + seed as usize % 4, 5, 1.3, 20 + seed);
        for kernel in KERNELS {
            for blurring in [false, true] {
                for fixed_iter in [None, Some(3)] {
                    let params = MeanShift {
                        kernel,
                        blurring,
                        fixed_iter,
                        ..MeanShift::default()
                    };
                    let (grouping, model) =
                        params.fit(&points, None, &Silent).expect("valid input");
                    let predicted = model.predict(&points).expect("same columns");
                    assert_eq!(
                        predicted, grouping.labels,
                        "{kernel:?}, blurring {blurring}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_long_blurring_is_followed_though_its_model_stays_small() {
    // A row of points so far apart that they drift for long before they meet.
    let n = 40;
    let data = Array2::from_shape_fn((n, 2), |(i, k)| if k == 0 { 2.2 * i as f64 } else { 0.0 });
    let points = Points::new(data).expect("finite");
    let params = MeanShift {
        bandwidth: Bandwidth::Fixed(1.0),
        blurring: true,
        fixed_iter: Some(100),
        ..MeanShift::default()
    };
    let (grouping, model) = params.fit(&points, None, &Silent).expect("valid input");
    assert!(grouping.n_clusters > 1, "or every answer would be right");
    let moving: usize = grouping.trace.iter().map(|step| step.active).sum();
    assert!(moving > 30 * n, "only {moving} centres: not long");
    assert_eq!(
        model.predict(&points).expect("valid input"),
        grouping.labels
    );
    let bytes = rmp_serde::to_vec(&model).expect("serializable").len();
    let data_bytes = n * 3 * 9;
    assert!(bytes < 18 * data_bytes, "{bytes} bytes");
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
            .fit(&points, Some(&weights), &Silent)
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
    for (points, kernel) in sets
        .iter()
        .flat_map(|set| KERNELS.map(|kernel| (set, kernel)))
    {
        for blurring in [false, true] {
            let params = MeanShift {
                kernel,
                blurring,
                ..MeanShift::default()
            };
            let run = |threads: usize| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .expect("a pool")
                    .install(|| params.fit(points, None, &Silent).expect("valid input"))
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
    let data = vec![
        vec![-2.0],
        vec![-2.2],
        vec![-1.8],
        vec![0.0],
        vec![1.8],
        vec![2.0],
        vec![2.2],
    ];
    let points = Points::from_rows(&data).expect("finite");
    let params = MeanShift {
        bandwidth: Bandwidth::Fixed(1.2),
        ..MeanShift::default()
    };
    let grouping = fit(&params, &points);
    assert_eq!(grouping.n_clusters, 2, "{:?}", grouping.centers);
    assert_ne!(grouping.labels[0], grouping.labels[6]);
    assert_eq!(grouping, fit(&params, &points));
}

#[test]
fn a_far_new_point_is_placed() {
    let points = blobs(50, 2, 2, 0.3, 31);
    for kernel in KERNELS {
        let params = MeanShift {
            bandwidth: Bandwidth::Fixed(0.8),
            kernel,
            ..MeanShift::default()
        };
        let (_, model) = params.fit(&points, None, &Silent).expect("valid input");
        let far = Points::from_rows(&[vec![1e4, -1e4], vec![1e8, 1e8]]).expect("finite");
        assert!(
            model
                .predict(&far)
                .expect("same columns")
                .iter()
                .all(Option::is_some)
        );
    }
}

#[test]
fn identical_points_are_one_cluster() {
    for n in [1, 2, 33, 100] {
        let points = Points::new(Array2::from_elem((n, 3), 4.2)).expect("finite");
        for kernel in KERNELS {
            for blurring in [false, true] {
                let grouping = fit(
                    &MeanShift {
                        kernel,
                        blurring,
                        ..MeanShift::default()
                    },
                    &points,
                );
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
            let params = MeanShift {
                kernel,
                blurring,
                ..MeanShift::default()
            };
            let seen = std::sync::atomic::AtomicUsize::new(0);
            let watch = |event: &Event| {
                assert!(event.finished <= event.total && event.iteration > 0);
                seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                ControlFlow::Continue(())
            };
            params.fit(&points, None, &watch).expect("valid input");
            assert!(seen.into_inner() > 1);
            let stop = |_: &Event| ControlFlow::Break(());
            assert!(matches!(
                params.fit(&points, None, &stop),
                Err(ilk::Error::Cancelled { .. })
            ));
        }
    }
}

#[test]
fn the_limit_of_iterations_is_reported() {
    let points = blobs(200, 2, 3, 1.0, 33);
    let params = MeanShift {
        bandwidth: Bandwidth::Fixed(1.0),
        max_iter: 2,
        ..MeanShift::default()
    };
    let grouping = fit(&params, &points);
    assert_eq!(grouping.stop, StopReason::MaxIterations);
    assert_eq!(grouping.iterations, 2);
    let once = fit(
        &MeanShift {
            max_iter: 1,
            ..params
        },
        &points,
    );
    assert_eq!((once.iterations, once.trace.len()), (1, 1));
}

#[test]
fn converged_modes_are_fixed_points_of_the_plain_step() {
    let points = blobs(250, 2, 4, 1.0, 34);
    for kernel in [Profile::Gaussian, Profile::Rbf, Profile::Epanechnikov] {
        let params = MeanShift {
            bandwidth: Bandwidth::Fixed(1.5),
            kernel,
            ..MeanShift::default()
        };
        let modes = fit(&params, &points).centers.expect("modes");
        for mode in modes.rows() {
            let (mut total, mut sum) = (0.0, [0.0; 2]);
            for j in 0..points.len() {
                let y = points.row(j);
                let dist_sq = (mode[0] - y[0]).powi(2) + (mode[1] - y[1]).powi(2);
                let w = kernel.weight(dist_sq, 1.5, 0.2);
                total += w;
                sum[0] += w * y[0];
                sum[1] += w * y[1];
            }
            let step =
                ((sum[0] / total - mode[0]).powi(2) + (sum[1] / total - mode[1]).powi(2)).sqrt();
            assert!(step <= 1.5e-7 + 1e-12, "{kernel:?}: step {step}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn permuting_the_points_permutes_the_answer(seed in 0u64..1000, dims in 1usize..4, kernel in 0usize..5) {
        let points = blobs(120, dims, 4, 1.0, seed);
        let mut order: Vec<usize> = (0..120).collect();
        rng(seed + 1).shuffle(&mut order);
        let permuted = points.select(&order);
        let params = MeanShift {
            kernel: KERNELS[kernel],
            bandwidth: Bandwidth::Fixed(1.2 * (dims as f64).sqrt()),
            ..MeanShift::default()
        };
        let (a, b) = (fit(&params, &points), fit(&params, &permuted));
        let expected: Vec<Label> = order.iter().map(|&i| a.labels[i]).collect();
        prop_assert_eq!(expected, b.labels);
        prop_assert_eq!(a.centers, b.centers);
    }
}
