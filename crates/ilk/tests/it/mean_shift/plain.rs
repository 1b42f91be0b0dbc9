//! Every step against the definition.

use ilk::group::mean_shift::MeanShift;
use ilk::group::{Label, StopReason};
use ilk::ndarray::Array2;
use ilk::numerics::rng::rng;
use ilk::problem::Points;
use ilk::similarity::{Bandwidth, Profile};
use proptest::prelude::*;

use super::cases::{KERNELS, assert_close, blobs, fit, places_after, plain};

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
            assert_close(&ours, &plain(&points, &[2.0; 60], &weights, &params, 4), 1e-9);
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
        let params = MeanShift { bandwidth: Bandwidth::Fixed(1.0), kernel, ..MeanShift::default() };
        let (here, there) = (fit(&params, &points), fit(&params, &moved));
        assert_eq!(here.labels, there.labels, "{kernel:?}");
        assert_eq!(there.stop, StopReason::Converged);
    }
}

#[test]
fn converged_modes_are_fixed_points_of_the_plain_step() {
    let points = blobs(250, 2, 4, 1.0, 34);
    for kernel in [Profile::Gaussian, Profile::Rbf, Profile::Epanechnikov] {
        let params = MeanShift { bandwidth: Bandwidth::Fixed(1.5), kernel, ..MeanShift::default() };
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
