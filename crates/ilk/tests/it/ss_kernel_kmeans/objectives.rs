//! Objectives of graphs and weighted kernel k-means are the same thing.

use ilk::group::kernel_kmeans::{
    DiagonalShift, Objective, Space, WeightedKernelKMeans, weighted_kernel_dense,
    weighted_kernel_sparse,
};
use ilk::group::{GroupingInput, Label};
use ilk::observe::Silent;
use ilk::supervise::penalty::Penalty;
use proptest::prelude::*;

use super::cases::{Case, OBJECTIVES, by_definition, partitions, random_case};

const SHIFTS: [DiagonalShift; 3] =
    [DiagonalShift::Off, DiagonalShift::Bound, DiagonalShift::Eigenvalue];

/// Σ_i α_i K_ii - Σ_c Σ_{i,j in c} α_i α_j K_ij / α(c), entry by entry.
fn kmeans_by_definition(
    kernel: &ilk::ndarray::Array2<f64>,
    masses: &[f64],
    labels: &[Label],
) -> f64 {
    let n = labels.len();
    let mut sum: f64 = (0..n).map(|i| masses[i] * kernel[[i, i]]).sum();
    for cluster in 0..n {
        let members: Vec<usize> = (0..n).filter(|&i| labels[i] == Some(cluster)).collect();
        let mass: f64 = members.iter().map(|&i| masses[i]).sum();
        let mut within = 0.0;
        for &i in &members {
            for &j in &members {
                within += masses[i] * masses[j] * kernel[[i, j]];
            }
        }
        if mass > 0.0 {
            sum -= within / mass;
        }
    }
    sum
}

proptest! {
    #[test]
    fn kernel_kmeans_is_the_objective_of_the_graph_up_to_a_constant(
        n in 4_usize..10,
        seed in any::<u64>(),
        worth in 0.0..3.0_f64,
        numbers in proptest::collection::vec(0_usize..3, 10),
    ) {
        let Case { graph, dense, constraints } = random_case(n, seed);
        let penalties = Penalty::Fixed(worth).matrix(&constraints, 3);
        // Three clusters, all with nodes.
        let labels: Vec<Label> = (0..n).map(|i| Some(if i < 3 { i } else { numbers[i] })).collect();
        for objective in OBJECTIVES {
            let expected = by_definition(objective, &dense, &constraints, worth, &labels);
            for shift in SHIFTS {
                let ones = vec![1.0; n];
                let weighed = weighted_kernel_dense(objective, dense.view(), &penalties, &ones, shift).unwrap();
                let sum = kmeans_by_definition(&weighed.matrix, &weighed.masses, &labels);
                let found = weighed.terms.value(objective, sum, 3);
                prop_assert!((found - expected).abs() < 1e-10 * (1.0 + expected.abs()));

                let sparse =
                    weighted_kernel_sparse(objective, graph.matrix(), &penalties, &ones, shift).unwrap();
                prop_assert!((sparse.terms.shift - weighed.terms.shift).abs() < 1e-9);
                for i in 0..n {
                    prop_assert!((sparse.masses[i] - weighed.masses[i]).abs() < 1e-12);
                    for j in 0..n {
                        let kernel = sparse.matrix.get(i, j) / (sparse.masses[i] * sparse.masses[j]);
                        prop_assert!((kernel - weighed.matrix[[i, j]]).abs() < 1e-9);
                    }
                }
            }
        }
    }

    #[test]
    fn a_shift_makes_the_kernel_definite(n in 4_usize..10, seed in any::<u64>()) {
        let Case { dense, constraints, .. } = random_case(n, seed);
        let penalties = Penalty::Fixed(2.0).matrix(&constraints, 3);
        for objective in OBJECTIVES {
            for shift in [DiagonalShift::Bound, DiagonalShift::Eigenvalue] {
                let ones = vec![1.0; n];
                let weighed = weighted_kernel_dense(objective, dense.view(), &penalties, &ones, shift).unwrap();
                let turned = weighed.matrix.mapv(|x| -x);
                let eigen = ilk::numerics::linalg::top_eigen(turned.view(), 1, ilk::numerics::linalg::EXACT_TOLERANCE).unwrap();
                let scale = weighed.matrix.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                prop_assert!(eigen.values[0] < 1e-9 * scale, "{objective:?} {shift:?}");
            }
        }
    }

    #[test]
    fn sparse_and_dense_descents_are_the_same(
        n in 4_usize..24,
        seed in any::<u64>(),
        k in 1_usize..4,
    ) {
        descents_agree(n, seed, k);
    }
}

/// Two moves are equally good here but for rounding.
#[test]
fn sparse_and_dense_descents_may_part_at_a_tie_alone() {
    descents_agree(4, 5_443_179_219_085_880_535, 2);
}

/// Draws of noise by which a descent is tried.
const DRAWS: u64 = 4;

fn descent<'a>(
    params: &WeightedKernelKMeans,
    start: &[Vec<Label>],
    space: Space<'a>,
    masses: &'a [f64],
) -> ilk::group::Grouping {
    let input = GroupingInput::new(space).with_weights(Some(masses));
    params.group_from(input, start, &Silent).unwrap().0
}

/// Checks that both forms of the kernel have the same objective, and that descents from the same start end with the same
/// clusters, unless noise of the size of rounding leads them elsewhere too.
fn descents_agree(n: usize, seed: u64, k: usize) {
    let Case { graph, dense, constraints } = random_case(n, seed);
    let penalties = Penalty::Paper.matrix(&constraints, k);
    let params = WeightedKernelKMeans { n_clusters: k, ..WeightedKernelKMeans::default() };
    let starts = params.starts(Space::Graph(graph.matrix()), None, &constraints.closure()).unwrap();
    let ones = vec![1.0; n];
    let off = DiagonalShift::Off;
    for objective in OBJECTIVES {
        let sparse =
            weighted_kernel_sparse(objective, graph.matrix(), &penalties, &ones, off).unwrap();
        let weighed =
            weighted_kernel_dense(objective, dense.view(), &penalties, &ones, off).unwrap();
        for start in starts.chunks(1) {
            let by_links = descent(&params, start, Space::Graph(&sparse.matrix), &sparse.masses);
            let kernel = Space::Kernel(weighed.matrix.view());
            let by_kernel = descent(&params, start, kernel, &weighed.masses);
            for found in [&by_links, &by_kernel] {
                let objectives: Vec<f64> =
                    found.trace.iter().filter_map(|step| step.objective).collect();
                assert!(objectives.windows(2).all(|two| two[1] <= two[0]));
                let expected =
                    kmeans_by_definition(&weighed.matrix, &weighed.masses, &found.labels);
                let last = objectives.last().unwrap();
                assert!((last - expected).abs() < 1e-9 * (1.0 + expected.abs()));
            }
            let with_noise = |draw: u64| {
                let mut rng = ilk::numerics::rng::rng(draw);
                let mut near = weighed.matrix.clone();
                for i in 0..n {
                    for j in 0..=i {
                        near[[i, j]] += 1e-9 * (rng.uniform() - 0.5);
                        near[[j, i]] = near[[i, j]];
                    }
                }
                descent(&params, start, Space::Kernel(near.view()), &weighed.masses).labels
            };
            if (0..DRAWS).all(|draw| with_noise(draw) == by_kernel.labels) {
                assert_eq!(by_links.labels, by_kernel.labels);
            }
        }
    }
}

#[test]
fn restarts_reach_the_best_of_all_partitions_of_tiny_graphs() {
    let mut reached = 0;
    let mut runs = 0;
    for seed in 0..20 {
        let Case { graph, dense, constraints } = random_case(8, seed);
        for objective in OBJECTIVES {
            for k in [2, 3] {
                let worth = 8.0
                    / (k * (constraints.must_links().len() + constraints.cannot_links().len()))
                        as f64;
                let penalties = Penalty::Paper.matrix(&constraints, k);
                let ones = vec![1.0; 8];
                let weighed = weighted_kernel_sparse(
                    objective,
                    graph.matrix(),
                    &penalties,
                    &ones,
                    DiagonalShift::Off,
                )
                .unwrap();
                let params = WeightedKernelKMeans {
                    n_clusters: k,
                    n_init: 40,
                    chain: 8,
                    ..WeightedKernelKMeans::default()
                };
                let starts = params
                    .starts(Space::Graph(graph.matrix()), None, &constraints.closure())
                    .unwrap();
                let space = Space::Graph(&weighed.matrix);
                let (found, _) = params
                    .group_from(
                        GroupingInput::new(space).with_weights(Some(&weighed.masses)),
                        &starts,
                        &Silent,
                    )
                    .unwrap();
                let value = |labels: &[Label]| {
                    by_definition(objective, &dense, &constraints, worth, labels)
                };
                let best = partitions(8, k)
                    .iter()
                    .map(|labels| value(labels))
                    .fold(f64::INFINITY, f64::min);
                let ours = value(&found.labels);
                assert!(ours >= best - 1e-9);
                runs += 1;
                reached += usize::from(ours < best + 1e-9);
            }
        }
    }
    assert_eq!(reached, runs);
}

#[test]
fn normalized_cut_refuses_affinities_that_add_up_to_less_than_nothing() {
    let affinity = ilk::ndarray::array![[1.0, -3.0], [-3.0, 1.0]];
    let nothing = ilk::numerics::sparse::Sparse::empty(2);
    let refused = weighted_kernel_dense(
        Objective::NormalizedCut,
        affinity.view(),
        &nothing,
        &[1.0, 1.0],
        DiagonalShift::Off,
    );
    assert_eq!(
        refused.unwrap_err().to_string(),
        "the affinities of point 0 add up to -2, and normalized_cut divides by such sums; use an affinity \
         without negative values, such as a Gaussian kernel, or objective=ratio_association"
    );
}
