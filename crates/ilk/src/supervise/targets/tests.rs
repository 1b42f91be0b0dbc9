use ndarray::Array2;
use proptest::prelude::*;

use super::*;
use crate::problem::ConstraintKind;
use crate::similarity::{Bandwidth, Gram, Kernel};

/// Thirty points round three places. The expected numbers below were computed from the same
/// formulas with numpy and scipy: pdist, quantile, percentile and equation (35) as it is printed.
fn thirty() -> Points {
    let places = [[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]];
    let coordinates = (0..30).flat_map(|i| {
        let ([x, y], i) = (places[i % 3], i as f64);
        [x + 0.8 * (1.7 * i + 0.3).sin(), y + 0.8 * (2.9 * i).cos()]
    });
    Points::from_shape(30, 2, coordinates.collect()).expect("finite")
}

const SIGMAS: [f64; 12] = [
    0.452_686_970_775_731_2,
    1.056_973_116_260_272_2,
    1.402_161_434_856_032_5,
    1.721_755_799_431_348_8,
    2.755_846_133_504_825_4,
    3.204_273_342_135_030_2,
    3.446_574_481_041_762,
    3.768_676_517_561_178_5,
    4.066_270_093_249_393,
    4.364_316_677_345_096,
    4.635_374_255_828_473,
    5.163_282_641_501_977_5,
];

fn add(constraints: &mut Constraints, kind: ConstraintKind, points: &[usize], weight: f64) {
    constraints.add(kind, points, weight, None).expect("in range");
}

fn eight_pairs() -> Constraints {
    let mut constraints = Constraints::new(30);
    for (a, b, weight) in [(0, 3, 1.0), (3, 27, 2.0), (1, 22, 1.0), (2, 29, 0.5)] {
        add(&mut constraints, ConstraintKind::MustLink, &[a, b], weight);
    }
    for (a, b, weight) in [(0, 1, 1.0), (4, 8, 1.0), (2, 27, 3.0), (5, 28, 1.0)] {
        add(&mut constraints, ConstraintKind::CannotLink, &[a, b], weight);
    }
    constraints
}

fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let gap = (found - expected).abs() / expected.abs().max(1.0);
        assert!(gap < 1e-11, "{found} against {expected}");
    }
}

fn gaussian_targets(points: &Points, sigma: f64) -> (f64, f64) {
    let kernel = Kernel::gaussian(Bandwidth::Fixed(sigma));
    let gram = Gram::new(&kernel, points, 0).expect("a good kernel");
    let all = gram.full().expect("small");
    targets(points.len(), |rows| select(&all, rows), 0).expect("self-values of 1")
}

fn select(kernel: &Array2<f64>, rows: &[usize]) -> Array2<f64> {
    Array2::from_shape_fn((rows.len(), rows.len()), |(i, j)| kernel[[rows[i], rows[j]]])
}

#[test]
fn the_grid_is_the_quantiles_of_the_pairwise_distances() {
    assert_close(&sigma_grid(&thirty(), 0).expect("finite"), &SIGMAS);
}

#[test]
fn targets_are_bounded_by_the_percentiles_in_kernel_space() {
    let points = thirty();
    for (sigma, must, cannot) in [
        (0.05, 0.05, 2.0),
        (SIGMAS[3], 0.023_761_076_370_124_53, 1.986_372_537_530_323_2),
        (SIGMAS[11], 0.002_656_232_375_673_619_5, 1.95),
    ] {
        let (found_must, found_cannot) = gaussian_targets(&points, sigma);
        assert_close(&[found_must, found_cannot], &[must, cannot]);
    }
}

#[test]
fn a_kernel_with_other_self_values_lends_the_targets_their_mean() {
    let points = thirty();
    let mean = points.view().mean_axis(ndarray::Axis(0)).expect("not empty");
    let centred = &points.view() - &mean;
    let kernel = centred.dot(&centred.t());
    let found = targets(30, |rows| select(&kernel, rows), 0).expect("positive");
    assert_close(&[found.0, found.1], &[0.070_860_952_464_089_4, 29.578_826_706_751_833]);
    let times_seven = targets(30, |rows| 7.0 * select(&kernel, rows), 0).expect("positive");
    assert_close(&[times_seven.0, times_seven.1], &[7.0 * found.0, 7.0 * found.1]);
}

#[test]
fn points_that_coincide_do_not_make_a_target_of_0() {
    // Half of all pairs coincide.
    let coordinates = (0..40).map(|i| f64::from(i % 2)).collect();
    let points = Points::from_shape(40, 1, coordinates).expect("finite");
    let distance = 2.0 - 2.0 * (-0.5_f64 / 9.0).exp();
    let (must, cannot) = gaussian_targets(&points, 3.0);
    assert_close(&[must, cannot], &[0.05, 1.95]);
    let (must, _) = gaussian_targets(&points, 9.0);
    assert!(must > 0.01 && must < distance, "{must}");
    // With nothing but copies the paper's numbers are left.
    let copies = Points::from_shape(5, 1, vec![1.0; 5]).expect("finite");
    assert_eq!(gaussian_targets(&copies, 1.0), (0.05, 1.95));
    assert_eq!(sigma_grid(&copies, 0), Ok(vec![1.0]));
}

#[test]
fn a_kernel_without_positive_self_values_is_refused() {
    let refused = targets(2, |_| Array2::zeros((2, 2)), 0).expect_err("no scale");
    assert_eq!(
        refused.to_string(),
        "kernel = a mean self-value of 0 is out of range: the values k(x, x) must be finite, and above 0 on average"
    );
}

#[test]
fn the_divergence_of_pairs_is_that_of_equation_35_one_sided() {
    let (points, constraints) = (thirty(), eight_pairs());
    let choice = best_sigma(&points, &constraints, &SIGMAS, None, 2.0, 0).expect("a grid");
    assert_close(
        &choice.divergences,
        &[
            12.158_227_479_850_556,
            9.791_422_199_779_806,
            9.587_912_799_054_255,
            10.071_469_149_551_849,
            12.092_838_452_803_015,
            13.562_172_885_196_274,
            14.537_237_160_725_795,
            16.037_593_056_934_35,
            17.633_757_615_386_926,
            19.435_556_289_727_543,
            21.250_698_835_903_07,
            25.266_124_025_350_713,
        ],
    );
    assert_eq!(choice.sigma, SIGMAS[2]);

    let fixed =
        best_sigma(&points, &constraints, &SIGMAS, Some((0.05, 1.95)), 2.0, 0).expect("a grid");
    assert_close(&fixed.divergences[3..5], &[6.921_035_937_367_811, 5.314_814_685_073_87]);
    assert_eq!(fixed.sigma, SIGMAS[4]);
}

#[test]
fn comparisons_are_measured_by_the_statements_that_do_not_hold() {
    let mut constraints = Constraints::new(30);
    for (points, weight) in [([0, 3, 1], 1.0), ([1, 22, 2], 2.0), ([0, 1, 3], 1.0)] {
        add(&mut constraints, ConstraintKind::OddOneOut, &points, weight);
    }
    add(&mut constraints, ConstraintKind::Closer, &[5, 8, 3], 1.0);
    add(&mut constraints, ConstraintKind::Closer, &[4, 0, 7], 0.5);
    add(&mut constraints, ConstraintKind::AboutEqual, &[0, 1, 2], 1.0);
    let choice = best_sigma(&thirty(), &constraints, &SIGMAS, None, 2.0, 0).expect("a grid");
    assert_close(
        &choice.divergences[..4],
        &[
            2.648_602_871_236_829_2,
            2.962_957_597_569_846,
            5.220_626_559_502_013,
            8.109_112_514_574_315,
        ],
    );
    assert_eq!(choice.sigma, SIGMAS[0]);
}

#[test]
fn without_constraints_the_scale_is_the_median_of_the_grid() {
    let constraints = Constraints::new(30);
    let choice = best_sigma(&thirty(), &constraints, &SIGMAS, None, 2.0, 0).expect("a grid");
    assert_eq!(choice.divergences, [0.0; 12]);
    assert_eq!(choice.sigma, SIGMAS[5]);
}

#[test]
fn cannot_links_between_copies_leave_the_choice_to_the_others() {
    let points = thirty();
    let twice: Vec<usize> = (0..30).chain([0]).collect();
    let mut constraints = Constraints::new(31);
    for pair in eight_pairs().must_links() {
        add(&mut constraints, ConstraintKind::MustLink, &pair.points, pair.weight);
    }
    for pair in eight_pairs().cannot_links() {
        add(&mut constraints, ConstraintKind::CannotLink, &pair.points, pair.weight);
    }
    add(&mut constraints, ConstraintKind::CannotLink, &[0, 30], 1.0);
    add(&mut constraints, ConstraintKind::Closer, &[1, 5, 22], 1.0);
    add(&mut constraints, ConstraintKind::Closer, &[0, 1, 30], 1.0);
    add(&mut constraints, ConstraintKind::AboutEqual, &[0, 1, 30], 1.0);
    let choice =
        best_sigma(&points.select(&twice), &constraints, &SIGMAS, None, 2.0, 0).expect("a grid");
    assert!(choice.divergences.iter().all(|d| d.is_finite()));
    assert!(SIGMAS[1..4].contains(&choice.sigma), "{}", choice.sigma);
}

#[test]
fn bad_grids_are_refused_with_the_scale() {
    let (points, constraints) = (thirty(), Constraints::new(30));
    let message = |grid: &[f64]| {
        let refused =
            best_sigma(&points, &constraints, grid, None, 2.0, 0).expect_err("a bad grid");
        refused.to_string()
    };
    assert_eq!(message(&[]), "sigma grid = [] is out of range: give at least one scale");
    assert_eq!(
        message(&[1.0, 0.0]),
        "sigma = 0 is out of range: a scale must be a finite number above 0"
    );
    let far = Points::from_shape(2, 1, vec![-1e200, 1e200]).expect("finite");
    assert_eq!(
        sigma_grid(&far, 0).expect_err("an overflow").to_string(),
        "sigma = inf is out of range: the coordinates are so large that squared distances overflow; scale the data"
    );
}

proptest! {
    #[test]
    fn a_divergence_is_0_exactly_where_everything_holds(
        distances in prop::collection::vec(0.001..2.0f64, 6),
    ) {
        // Points 0 to 3; distances by pair.
        let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let dist_sq = |a: usize, b: usize| {
            let at = pairs.iter().position(|&pair| pair == [a.min(b), a.max(b)]);
            distances[at.unwrap()]
        };
        let mut constraints = Constraints::new(4);
        constraints.must_link(0, 1)?.cannot_link(0, 2)?.odd_one_out(1, 2, 3)?.closer(3, 0, 1)?;
        let holds = dist_sq(0, 1) <= 0.7
            && dist_sq(0, 2) >= 0.9
            && 1.1 * dist_sq(1, 2) <= dist_sq(1, 3)
            && 1.1 * dist_sq(1, 2) <= dist_sq(2, 3)
            && 1.1 * dist_sq(0, 3) <= dist_sq(1, 3);
        let found = divergence_of(&constraints, (0.7, 0.9), 1.1, dist_sq);
        prop_assert!(found >= 0.0);
        prop_assert_eq!(found == 0.0, holds, "{}", found);
    }

    #[test]
    fn the_scale_does_not_depend_on_the_order_of_the_points(
        order in Just((0..30usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut constraints = eight_pairs();
        constraints.odd_one_out(7, 10, 2)?.about_equal(9, 4, 14)?.closer(20, 23, 1)?;
        let mut place = vec![0; 30];
        for (now, &before) in order.iter().enumerate() {
            place[before] = now;
        }
        let mut moved = Constraints::new(30);
        for kind in ConstraintKind::ALL {
            for entry in 0..constraints.count(kind) {
                let points: Vec<usize> =
                    constraints.points_of(kind, entry).unwrap().iter().map(|&p| place[p]).collect();
                let weight = match kind {
                    ConstraintKind::MustLink => constraints.must_links()[entry].weight,
                    ConstraintKind::CannotLink => constraints.cannot_links()[entry].weight,
                    _ => 1.0,
                };
                moved.add(kind, &points, weight, None)?;
            }
        }
        let points = thirty();
        let before = best_sigma(&points, &constraints, &SIGMAS, None, 2.0, 0)?;
        let after = best_sigma(&points.select(&order), &moved, &SIGMAS, None, 2.0, 0)?;
        prop_assert_eq!(before, after);
    }
}
