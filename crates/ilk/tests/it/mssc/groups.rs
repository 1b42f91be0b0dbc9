//! Affinities of groups, and their axes, against the definitions.

use ilk::embed::{AxisChoice, KernelAxes};
use ilk::ndarray::{Array2, Axis};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::Points;
use ilk::similarity::CauchySchwarzAffinity;
use proptest::prelude::*;

fn random_points(n: usize, dims: usize, seed: u64) -> Points {
    let mut rng = rng(seed);
    Points::new(Array2::from_shape_fn((n, dims), |_| rng.normal())).expect("finite")
}

fn kernel(points: &Points, h: f64) -> Array2<f64> {
    Array2::from_shape_fn((points.len(), points.len()), |(i, j)| {
        let pairs = points.row(i).iter().zip(points.row(j));
        let dist_sq: f64 = pairs.map(|(a, b)| (a - b).powi(2)).sum();
        (-dist_sq / (2.0 * h * h)).exp()
    })
}

/// (5.4) as it stands, with weights.
fn plain(points: &Points, weights: &[f64], groups: &[usize], h: f64) -> Array2<f64> {
    let m = groups.iter().max().expect("some") + 1;
    let kernel = kernel(points, h);
    let mut sums = Array2::<f64>::zeros((m, m));
    for ((i, j), value) in kernel.indexed_iter() {
        sums[[groups[i], groups[j]]] += weights[i] * weights[j] * value;
    }
    Array2::from_shape_fn((m, m), |(a, b): (usize, usize)| {
        sums[[a, b]] / f64::sqrt(sums[[a, a]] * sums[[b, b]])
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn affinities_are_those_of_the_double_sum(
        seed in 0u64..1000, n in 5usize..90, dims in 1usize..6, m in 1usize..5, h in 0.1f64..3.0
    ) {
        let points = random_points(n, dims, seed);
        let groups: Vec<usize> = (0..n).map(|i| i % m).collect();
        let weights: Vec<f64> = (0..n).map(|i| 0.5 + (i % 4) as f64).collect();
        let affinity = CauchySchwarzAffinity::exact(h);
        let ours = affinity.between(&points, Some(&weights), &groups, &Silent).expect("valid input");
        let theirs = plain(&points, &weights, &groups, h);
        for (ours, theirs) in ours.iter().zip(&theirs) {
            prop_assert!((ours - theirs).abs() <= 1e-12, "{} and {}", ours, theirs);
        }
    }

    /// A group of mass 3 in one place is three points there.
    #[test]
    fn axes_of_groups_are_those_of_their_points_listed_one_by_one(
        seed in 0u64..1000, m in 4usize..12, h in 0.5f64..2.0, centered in any::<bool>(), entropy in any::<bool>()
    ) {
        let places = random_points(m, 2, seed);
        let masses: Vec<usize> = (0..m).map(|a| 1 + (a + seed as usize) % 3).collect();
        let listed: Vec<usize> = (0..m).flat_map(|a| vec![a; masses[a]]).collect();
        let choice = if entropy { AxisChoice::Entropy } else { AxisChoice::Variance { center: centered } };
        let k = 3;
        let small = kernel(&places, h);
        let large = small.select(Axis(0), &listed).select(Axis(1), &listed);
        let weights: Vec<f64> = masses.iter().map(|&mass| mass as f64).collect();
        let ours = KernelAxes::new(small.view(), Some(&weights), choice, k, 1e-12).expect("valid input");
        let theirs = KernelAxes::new(large.view(), None, choice, k, 1e-12).expect("valid input");
        // Axes may be turned about, products may not.
        let own = ours.coordinates().select(Axis(0), &listed);
        let (a, b) = (own.dot(&own.t()), theirs.coordinates().dot(&theirs.coordinates().t()));
        for (a, b) in a.iter().zip(&b) {
            prop_assert!((a - b).abs() <= 1e-9, "{} and {}", a, b);
        }
        // The groups themselves, seen as new ones, are where they are.
        let again = ours.project(small.view()).expect("valid input");
        for (a, b) in again.iter().zip(&ours.coordinates()) {
            prop_assert!((a - b).abs() <= 1e-7, "{} and {}", a, b);
        }
    }
}

#[test]
fn groups_of_single_points_have_the_kernel_as_affinity() {
    let points = random_points(30, 3, 1);
    let groups: Vec<usize> = (0..30).collect();
    let affinity = CauchySchwarzAffinity::exact(0.8);
    let ours = affinity.between(&points, None, &groups, &Silent).expect("valid input");
    for (ours, theirs) in ours.iter().zip(&kernel(&points, 0.8)) {
        assert!((ours - theirs).abs() < 1e-14);
    }
}

#[test]
fn cells_of_a_tenth_of_the_bandwidth_change_affinities_by_less_than_a_thousandth() {
    let points = random_points(3000, 5, 2);
    let groups: Vec<usize> = (0..3000)
        .map(|i| usize::from(points.row(i)[0] > 0.0) + 2 * usize::from(points.row(i)[1] > 0.5))
        .collect();
    let of = |cell| {
        let affinity = CauchySchwarzAffinity { cell, ..CauchySchwarzAffinity::exact(1.5) };
        affinity.between(&points, None, &groups, &Silent).expect("valid input")
    };
    let gap = (of(0.1) - of(0.0)).iter().fold(0.0f64, |most, x| most.max(x.abs()));
    assert!(gap < 1e-3, "{gap}");
}

#[test]
fn a_cell_that_is_none_is_refused() {
    let points = random_points(3, 1, 0);
    let affinity = CauchySchwarzAffinity { cell: -1.0, ..CauchySchwarzAffinity::exact(1.0) };
    let error = affinity.between(&points, None, &[0, 0, 1], &Silent).expect_err("a negative cell");
    assert_eq!(error.to_string(), "cell = -1 is out of range: it must be a finite number from 0");
}

#[test]
fn lists_that_do_not_fit_the_points_are_refused() {
    let points = random_points(3, 1, 0);
    let message = |weights: Option<&[f64]>, groups: &[usize]| {
        let affinity = CauchySchwarzAffinity::exact(1.0);
        let found = affinity.between(&points, weights, groups, &Silent);
        found.expect_err("lists that do not fit").to_string()
    };
    assert_eq!(message(None, &[0, 1]), "the list of groups has 2 entries where 3 are needed");
    assert_eq!(
        message(Some(&[1.0]), &[0, 0, 1]),
        "the list of point weights has 1 entries where 3 are needed"
    );
    assert_eq!(
        message(Some(&[1.0, 0.0, 1.0]), &[0, 0, 1]),
        "point 1 has weight 0; weights must be positive and finite"
    );
    assert_eq!(
        message(None, &[0, 0, usize::MAX]),
        format!(
            "groups = {} is out of range: 3 points have groups from 0 to 2 at most",
            usize::MAX
        )
    );
}
