//! A learned kernel is one kernel: on points old and new, from points or from a matrix, as values or
//! as features.

use ilk::evaluate::adjusted_rand;
use ilk::method::{Ksc, Method};
use ilk::ndarray::{Array2, Axis, concatenate};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::parameter::AutoOr;
use ilk::problem::{Constraints, Input, KernelMatrix, Points, Problem};
use ilk::similarity::{Bandwidth, Gram, Kernel, KernelName};
use ilk::supervise::kernel_learning::{Gamma, Rank, Sigma, TargetRule};
use ilk::supervise::logdet::Targets;
use ilk::supervise::{KernelLearning, LearnedKernel};
use proptest::prelude::*;

const SIGMA: f64 = 1.3;

fn points(n: usize, dims: usize, seed: u64) -> Points {
    let mut rng = rng(seed);
    Points::new(Array2::from_shape_fn((n, dims), |_| rng.normal())).expect("finite")
}

/// Answers of every kind about the first `c` of `n` points.
fn drawn_constraints(n: usize, c: usize, seed: u64) -> Constraints {
    let mut rng = rng(seed ^ 0xA);
    let mut constraints = Constraints::new(n);
    for _ in 0..c {
        let three = rng.sample(c, 3);
        let _ = constraints.must_link(three[0], three[1]);
        let _ = constraints.cannot_link(three[1], three[2]);
        let _ = constraints.odd_one_out(three[0], three[2], three[1]);
        let _ = constraints.closer(three[2], three[0], three[1]);
    }
    let three = rng.sample(c, 3);
    constraints.about_equal(three[0], three[1], three[2]).expect("three points");
    constraints
}

fn learning(rank: Rank) -> KernelLearning {
    KernelLearning {
        sigma: Sigma::Fixed(SIGMA),
        gamma: Gamma::Fixed(3.0),
        rank,
        // Not read off the data, which differ in what follows.
        targets: TargetRule::Fixed(Targets { must: 0.05, cannot: 1.95 }),
        ..KernelLearning::default()
    }
}

fn learned(input: &Input, constraints: &Constraints, rank: Rank) -> LearnedKernel {
    let how = KernelLearning {
        kernel: match input {
            Input::Kernel(_) => KernelName::Precomputed,
            _ => KernelName::Gaussian,
        },
        ..learning(rank)
    };
    how.learn(input, constraints, &Silent).expect("it can be learned").kernel
}

fn gaussian(points: &Points) -> Array2<f64> {
    let kernel = Kernel::gaussian(Bandwidth::Fixed(SIGMA));
    Gram::new(&kernel, points, 0).expect("a kernel").full().expect("small")
}

fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn unconstrained_points_do_not_change_what_is_learned(
        n in 4usize..14, more in 1usize..10, seed: u64,
    ) {
        let all = points(n + more, 3, seed);
        let few = all.select(&(0..n).collect::<Vec<_>>());
        let rest = all.select(&(n..n + more).collect::<Vec<_>>());
        let from_few = learned(&few.into(), &drawn_constraints(n, n, seed), Rank::Exact);
        let from_all = learned(&all.clone().into(), &drawn_constraints(n + more, n, seed), Rank::Exact);
        let (a, b) = (from_few.block(&rest, &all).unwrap(), from_all.block(&rest, &all).unwrap());
        prop_assert!(largest(&(a - b)) < 1e-10);
    }

    #[test]
    fn a_kernel_matrix_teaches_what_its_points_teach(n in 4usize..20, seed: u64) {
        let points = points(n, 2, seed);
        let matrix = KernelMatrix::new(gaussian(&points)).unwrap();
        let constraints = drawn_constraints(n, n, seed);
        let by_points = learned(&points.clone().into(), &constraints, Rank::Exact);
        let by_matrix = learned(&matrix.clone().into(), &constraints, Rank::Exact);
        let rows = Points::new(matrix.view().to_owned()).unwrap();
        let (a, b) = (by_points.block(&points, &points).unwrap(), by_matrix.with_training(&rows).unwrap());
        prop_assert!(largest(&(a - b)) < 1e-8);
        prop_assert!(by_matrix.block(&rows, &rows).is_err());
        prop_assert!(by_points.with_training(&points).is_err());
    }

    #[test]
    fn features_are_the_kernel_for_old_points_and_new(n in 5usize..20, seed: u64, is_cut: bool) {
        let (old, new) = (points(n, 3, seed), points(4, 3, !seed));
        let constraints = drawn_constraints(n, n, seed);
        let how = learning(if is_cut { Rank::Trace(0.9) } else { Rank::Exact });
        let input = Input::from(old.clone());
        let base = how.base(&input, &constraints, &Silent).unwrap();
        let learned = base.learn(&constraints, None, &Silent).unwrap();
        let embedding = base.embed(&learned, None, &Silent).unwrap();
        let kernel = &learned.kernel;

        let on_old = kernel.block(&old, &old).unwrap();
        let features = &embedding.features;
        prop_assert!(largest(&(features.dot(&features.t()) - &on_old)) < 1e-7);
        prop_assert!(largest(&(embedding.map.transform(&old).unwrap() - features)) < 1e-6);
        // New points with old ones; two new ones may differ by what old points do not span.
        let mapped = embedding.map.transform(&new).unwrap();
        prop_assert!(largest(&(mapped.dot(&features.t()) - kernel.block(&new, &old).unwrap())) < 1e-5);
        if is_cut {
            prop_assert!(largest(&(mapped.dot(&mapped.t()) - kernel.block(&new, &new).unwrap())) < 1e-7);
        }
    }

    #[test]
    fn distances_and_single_values_are_those_of_the_block(n in 4usize..12, seed: u64) {
        let all = points(n, 2, seed);
        let kernel = learned(&all.clone().into(), &drawn_constraints(n, n, seed), Rank::Exact);
        let block = kernel.block(&all, &all).unwrap();
        let dist_sq = kernel.dist_sq(&all, &all).unwrap();
        for ((i, j), found) in dist_sq.indexed_iter() {
            let expected = block[[i, i]] + block[[j, j]] - 2.0 * block[[i, j]];
            prop_assert!((found - expected.max(0.0)).abs() < 1e-10);
            let value = kernel.value(all.row(i), all.row(j)).unwrap();
            prop_assert!((value - block[[i, j]]).abs() < 1e-12);
        }
    }

    #[test]
    fn a_stored_kernel_is_the_same_kernel(n in 4usize..12, seed: u64, is_cut: bool) {
        let all = points(n, 2, seed);
        let rank = if is_cut { Rank::Dimensions(3) } else { Rank::Exact };
        let kernel = learned(&all.clone().into(), &drawn_constraints(n, n, seed), rank);
        let bytes = rmp_serde::to_vec_named(&kernel).unwrap();
        let again: LearnedKernel = rmp_serde::from_slice(&bytes).unwrap();
        prop_assert_eq!(again.block(&all, &all).unwrap(), kernel.block(&all, &all).unwrap());
    }
}

#[test]
fn without_constraints_the_kernel_stays_as_it_was() {
    let all = points(9, 2, 1);
    let kernel = learned(&all.clone().into(), &Constraints::new(9), Rank::Exact);
    assert!(largest(&(kernel.block(&all, &all).unwrap() - gaussian(&all))) < 1e-14);
}

#[test]
fn a_few_directions_hold_most_of_the_kernel() {
    let all = points(60, 2, 3);
    let constraints = drawn_constraints(60, 12, 3);
    let input = Input::from(all.clone());
    let base = learning(Rank::Exact).base(&input, &constraints, &Silent).unwrap();
    let learned = base.learn(&constraints, None, &Silent).unwrap();
    let whole = learned.kernel.block(&all, &all).unwrap();
    let mut missing = f64::INFINITY;
    for dims in [1, 3, 8, 20] {
        let embedding = base.embed(&learned, Some(dims), &Silent).unwrap();
        assert_eq!(embedding.features.ncols(), dims);
        let left = largest(&(embedding.features.dot(&embedding.features.t()) - &whole));
        assert!(left < missing);
        missing = left;
    }
    assert!(missing < 1e-2);
}

#[test]
fn new_points_with_another_number_of_columns_are_refused() {
    let all = points(9, 2, 1);
    let kernel = learned(&all.into(), &drawn_constraints(9, 6, 1), Rank::Exact);
    let wide = points(2, 3, 1);
    let error = kernel.block(&wide, &wide).unwrap_err().to_string();
    assert_eq!(error, "the new points have 3 columns, but the model was fitted on 2");
    let both = concatenate![Axis(0), points(2, 2, 1).view(), points(2, 2, 2).view()];
    assert_eq!(kernel.self_values(&Points::new(both).unwrap()).unwrap().len(), 4);
}

/// Three arms of a spiral hold together by neighbours, not by all points.
#[test]
fn spectral_clustering_of_a_learned_kernel_goes_by_neighbours() {
    let arm = |i: usize| i % 3;
    let at = |i: usize| {
        let t = 1.0 + 0.02 * (i / 3) as f64;
        let angle = 1.5 * t + arm(i) as f64 * std::f64::consts::TAU / 3.0;
        vec![t * angle.cos(), t * angle.sin()]
    };
    let rows: Vec<Vec<f64>> = (0..450).map(at).collect();
    let problem = Problem::unsupervised(Points::from_rows(&rows).expect("finite"));
    let truth: Vec<Option<usize>> = (0..450).map(|i| Some(arm(i))).collect();
    let agreement = |n_neighbors: AutoOr<usize>| {
        let ksc = Ksc { n_clusters: 3.into(), n_neighbors, ..Ksc::default() };
        let found = ksc.fit(&problem, &Silent).expect("a fit").clustering;
        adjusted_rand(&found.labels, &truth).expect("as many labels")
    };
    assert_eq!(agreement(AutoOr::Auto), 1.0);
    assert!(agreement(AutoOr::Fixed(0)) < 0.5, "all points have affinity in the paper");
}
