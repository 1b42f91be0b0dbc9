//! All partitions of a few points.

use ilk::group::Label;
use ilk::group::kernel_kmeans::{KernelKMeansInit, Space, WeightedKernelKMeans};
use ilk::ndarray::{Array2, ArrayView2};

use super::cases::{fit, gaussian, indefinite, objective, random, random_weights, with_clusters};

/// The lowest objective over all partitions into exactly `k` clusters.
fn lowest(kernel: ArrayView2<'_, f64>, weights: Option<&[f64]>, k: usize) -> f64 {
    fn go(
        labels: &mut Vec<Label>,
        used: usize,
        k: usize,
        kernel: ArrayView2<'_, f64>,
        weights: Option<&[f64]>,
    ) -> f64 {
        if labels.len() == kernel.nrows() {
            return if used == k { objective(kernel, weights, labels) } else { f64::INFINITY };
        }
        let mut best = f64::INFINITY;
        for cluster in 0..k.min(used + 1) {
            labels.push(Some(cluster));
            best = best.min(go(labels, used.max(cluster + 1), k, kernel, weights));
            labels.pop();
        }
        best
    }
    go(&mut Vec::new(), 0, k, kernel, weights)
}

/// (runs, runs that found the optimum) over many small problems.
fn runs_that_find_the_optimum(
    params: &WeightedKernelKMeans,
    kernel_of: impl Fn(&Array2<f64>, u64) -> Array2<f64>,
) -> (usize, usize) {
    let (mut runs, mut optimal) = (0, 0);
    for n in 3..=8 {
        for k in 2..=3 {
            for seed in 0..6 {
                let points = random(n, 2, 100 * n as u64 + seed);
                let kernel = kernel_of(&points, seed);
                let weights = random_weights(n, seed);
                for weights in [None, Some(&weights[..])] {
                    let params = WeightedKernelKMeans { n_clusters: k, ..params.clone() };
                    let found = fit(&params, Space::Kernel(kernel.view()), weights).objective;
                    let best = lowest(kernel.view(), weights, k);
                    let slack = 1e-10 * (1.0 + best.abs());
                    assert!(found >= best - slack, "n {n} k {k} seed {seed}: {found} below {best}");
                    runs += 1;
                    optimal += usize::from(found <= best + slack);
                }
            }
        }
    }
    (runs, optimal)
}

#[test]
fn restarts_find_the_best_partition_of_a_few_points_nearly_always() {
    // Farthest-first starts differ by their first point alone; and with a narrow kernel nearly all
    // points are equally far from each other, so that a descent learns little on its way.
    let wide_share = [(KernelKMeansInit::PlusPlus, 98), (KernelKMeansInit::FarthestFirst, 95)];
    let narrow_share = [(KernelKMeansInit::PlusPlus, 95), (KernelKMeansInit::FarthestFirst, 90)];
    let settings = [(10, 1.0, wide_share), (10, 3.0, wide_share), (30, 0.3, narrow_share)];
    for (n_init, sigma, shares) in settings {
        for (init, share) in shares {
            let params = WeightedKernelKMeans { init, n_init, ..WeightedKernelKMeans::default() };
            let (runs, optimal) =
                runs_that_find_the_optimum(&params, |points, _| gaussian(points, sigma));
            assert!(100 * optimal >= share * runs, "{init:?}, {sigma}: {optimal} of {runs}");
        }
    }
}

#[test]
fn ten_restarts_of_plain_k_means_find_the_best_partition_of_a_few_points() {
    let (runs, optimal) =
        runs_that_find_the_optimum(&WeightedKernelKMeans::default(), |points, _| {
            points.dot(&points.t())
        });
    assert_eq!(optimal, runs);
}

#[test]
fn the_best_partition_under_an_indefinite_kernel_is_found_mostly() {
    let params = WeightedKernelKMeans { n_init: 30, ..WeightedKernelKMeans::default() };
    let (runs, optimal) =
        runs_that_find_the_optimum(&params, |points, seed| indefinite(points.nrows(), seed));
    assert!(100 * optimal >= 90 * runs, "{optimal} of {runs}");
}

/// Nodes with the same neighbours have equal rows, and are not the same node for that.
#[test]
fn the_best_cuts_of_small_graphs_are_found_mostly() {
    let complete_bipartite =
        Array2::from_shape_fn((4, 4), |(i, j)| f64::from(u8::from(i % 2 != j % 2)));
    let found = fit(&with_clusters(2), Space::Kernel(complete_bipartite.view()), None);
    assert_eq!(found.objective, -2.0);

    let params = WeightedKernelKMeans { n_init: 30, ..WeightedKernelKMeans::default() };
    let (runs, optimal) = runs_that_find_the_optimum(&params, |points, seed| {
        let noise = indefinite(points.nrows(), seed);
        Array2::from_shape_fn(noise.dim(), |(i, j)| {
            f64::from(u8::from(i != j && noise[[i, j]] > 0.0))
        })
    });
    assert!(100 * optimal >= 90 * runs, "{optimal} of {runs}");
}

#[test]
fn moves_of_single_points_leave_optima_of_the_batch_steps() {
    let mut better = 0;
    for seed in 0..20 {
        let points = random(60, 2, seed);
        let space = Space::Features(points.view());
        let once = WeightedKernelKMeans { n_init: 1, seed, ..with_clusters(6) };
        let batch = WeightedKernelKMeans { local_search: false, ..once.clone() };
        let (moved, batched) =
            (fit(&once, space, None).objective, fit(&batch, space, None).objective);
        assert!(moved <= batched * (1.0 + 1e-12), "seed {seed}: {moved} above {batched}");
        better += usize::from(moved < batched * (1.0 - 1e-9));
    }
    assert!(better >= 10, "{better} of 20");
}
