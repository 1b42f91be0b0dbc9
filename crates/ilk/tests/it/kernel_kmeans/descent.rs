//! What a descent promises: the objective is what it is defined to be and never rises, and the means
//! place the points where the fit did.

use ilk::group::kernel_kmeans::{KernelKMeansInit, Space, WeightedKernelKMeans};
use ilk::group::{GroupingAlgorithm, GroupingInput, StopReason};
use ilk::observe::Silent;
use proptest::prelude::*;

use super::cases::{fit, gaussian, indefinite, objective, random, random_weights, with_clusters};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_objective_is_that_of_the_definition(
        n in 2usize..40, k in 1usize..7, seed in 0u64..1000, weighted: bool, sigma in 0.1f64..4.0,
    ) {
        let points = random(n, 3, seed);
        let weights = random_weights(n, seed);
        let weights = weighted.then_some(&weights[..]);
        let params = WeightedKernelKMeans { n_init: 3, ..with_clusters(k.min(n)) };
        let kernels = [gaussian(&points, sigma), points.dot(&points.t()), indefinite(n, seed)];
        for kernel in &kernels {
            let found = fit(&params, Space::Kernel(kernel.view()), weights);
            let expected = objective(kernel.view(), weights, &found.labels);
            let scale = kernel.iter().fold(0.0f64, |max, x| max.max(x.abs())) * n as f64;
            prop_assert!((found.objective - expected).abs() <= 1e-12 * scale);
        }
        let found = fit(&params, Space::Features(points.view()), weights);
        let expected = objective(kernels[1].view(), weights, &found.labels);
        prop_assert!((found.objective - expected).abs() <= 1e-10 * (1.0 + expected));
    }

    #[test]
    fn the_objective_falls_from_step_to_step(
        n in 2usize..80, k in 1usize..9, seed in 0u64..1000, farthest: bool, local_search: bool,
    ) {
        let points = random(n, 2, seed);
        let init = if farthest { KernelKMeansInit::FarthestFirst } else { KernelKMeansInit::PlusPlus };
        let params = WeightedKernelKMeans { init, local_search, n_init: 2, ..with_clusters(k.min(n)) };
        let (kernel, wild) = (gaussian(&points, 0.7), indefinite(n, seed));
        let spaces = [
            Space::Features(points.view()),
            Space::Kernel(kernel.view()),
            Space::Kernel(wild.view()),
        ];
        for space in spaces {
            let trace = fit(&params, space, None).trace;
            prop_assert!(trace.windows(2).all(|pair| pair[1] < pair[0]), "{trace:?}");
        }
    }

    #[test]
    fn means_place_the_points_of_the_fit_where_the_fit_did(
        n in 2usize..80, k in 1usize..9, seed in 0u64..1000, weighted: bool, local_search: bool,
        max_iter in 1usize..40,
    ) {
        let points = random(n, 2, seed);
        let weights = random_weights(n, seed);
        let weights = weighted.then_some(&weights[..]);
        let params = WeightedKernelKMeans { n_init: 2, local_search, max_iter, ..with_clusters(k.min(n)) };
        let kernel = gaussian(&points, 0.7);
        for space in [Space::Features(points.view()), Space::Kernel(kernel.view())] {
            let (rows, found) = match space {
                Space::Features(rows) | Space::Kernel(rows) => (rows, fit(&params, space, weights)),
                Space::Graph(_) => unreachable!("there is none above"),
            };
            prop_assert_eq!(found.means.assign(rows).unwrap(), found.labels);
        }
    }

    #[test]
    fn where_no_move_helps_a_batch_step_changes_nothing(
        n in 2usize..80, k in 1usize..9, seed in 0u64..1000, weighted: bool,
    ) {
        let points = random(n, 2, seed);
        let weights = random_weights(n, seed);
        let weights = weighted.then_some(&weights[..]);
        let params = WeightedKernelKMeans { n_init: 1, ..with_clusters(k.min(n)) };
        let space = Space::Features(points.view());
        let (grouping, _) = params.group(GroupingInput::new(space).with_weights(weights), &Silent).unwrap();
        prop_assert_eq!(grouping.stop, StopReason::Converged);
        let lloyd = WeightedKernelKMeans { local_search: false, ..params };
        let (again, _) = lloyd.group_from(GroupingInput::new(space).with_weights(weights), std::slice::from_ref(&grouping.labels), &Silent).unwrap();
        prop_assert_eq!(again.labels, grouping.labels);
        prop_assert_eq!(again.iterations, 1);
    }
}
