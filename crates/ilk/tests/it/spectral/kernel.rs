//! Axes of kernels: what holds for any points.

use ilk::Error;
use ilk::embed::{AxisChoice, KernelAxes, KernelEmbedding, KernelMap};
use ilk::ndarray::{Array2, Axis, array};
use ilk::numerics::linalg::EXACT_TOLERANCE;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::problem::{KernelMatrix, Points};
use ilk::similarity::{Bandwidth, Gram, Kernel, KernelValues};
use proptest::prelude::*;

use super::golden::off;

const CHOICES: [AxisChoice; 3] = [
    AxisChoice::Variance { center: true },
    AxisChoice::Variance { center: false },
    AxisChoice::Entropy,
];

fn points(n: usize, dims: usize, seed: u64) -> Points {
    let mut rng = rng(seed);
    // Four groups, so that the spectrum has a top.
    let data = Array2::from_shape_fn((n, dims), |(i, d)| {
        rng.normal() + if d == 0 { 4.0 * (i % 4) as f64 } else { 0.0 }
    });
    Points::new(data).unwrap()
}

fn gram(points: &Points, h: f64) -> Gram {
    Gram::new(&Kernel::gaussian(Bandwidth::Fixed(h)), points, 0).unwrap()
}

fn fit(
    choice: AxisChoice,
    n_components: usize,
    values: &KernelValues<'_>,
) -> ilk::embed::KernelEmbedded {
    let params = KernelEmbedding { choice, n_components, ..KernelEmbedding::default() };
    params.fit(values, &Silent).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn all_axes_together_are_the_kernel(n in 1usize..40, dims in 1usize..4, h in 0.5..4.0f64, seed: u64) {
        let points = points(n, dims, seed);
        let values = KernelValues::Gram(gram(&points, h));
        let kernel = values.full().unwrap();
        let n_f = n as f64;
        for choice in CHOICES {
            let found = fit(choice, n + 3, &values);
            prop_assert_eq!(found.coordinates.dim(), (n, n));
            let mut expected = kernel.clone();
            if choice == (AxisChoice::Variance { center: true }) {
                let means = kernel.sum_axis(Axis(0)) / n_f;
                expected = &kernel - &means - means.view().insert_axis(Axis(1)) + kernel.sum() / (n_f * n_f);
            }
            let again = found.coordinates.dot(&found.coordinates.t());
            prop_assert!(off(again.view(), expected.view()) < 1e-12 * n_f);
            let entropy = found.axes.entropies.sum();
            prop_assert!((entropy - expected.sum()).abs() < 1e-9 * n_f * n_f);
        }
    }

    #[test]
    fn points_of_the_fit_are_mapped_to_where_they_are(n in 2usize..60, h in 0.5..4.0f64, max_exact in 0usize..60, seed: u64) {
        let points = points(n, 2, seed);
        let values = KernelValues::Gram(gram(&points, h));
        for choice in CHOICES {
            let params = KernelEmbedding { choice, n_components: 3, max_exact, max_rank: 40, ..KernelEmbedding::default() };
            let found = params.fit(&values, &Silent).unwrap();
            let again = found.map.transform(&points).unwrap();
            prop_assert!(off(again.view(), found.coordinates.view()) < 1e-6);
        }
    }
}

#[test]
fn the_axes_of_most_entropy_are_the_same_when_not_all_are_looked_at() {
    // Above 1,000 points few axes are found; all of them are the oracle.
    let points = points(1100, 2, 3);
    let kernel = gram(&points, 1.0).full().unwrap();
    let few =
        KernelAxes::new(kernel.view(), None, AxisChoice::Entropy, 4, EXACT_TOLERANCE).unwrap();
    let all = ilk::numerics::linalg::symmetric_eigen(kernel.view()).unwrap();
    let mut psi: Vec<(f64, usize)> =
        (0..1100).map(|j| (all.values[j] * all.vectors.column(j).sum().powi(2), j)).collect();
    psi.sort_by(|a, b| b.0.total_cmp(&a.0));
    assert!(few.is_certain);
    assert!(few.spectrum.len() < 100);
    assert_eq!(few.kept(), psi[..4].iter().map(|p| p.1).collect::<Vec<_>>());
    for (kept, (value, _)) in few.kept().iter().zip(psi) {
        assert!((few.entropies[*kept] - value).abs() < 1e-6 * value);
    }
}

#[test]
fn a_factor_of_low_rank_gives_the_axes_of_the_kernel_that_it_stands_for() {
    let points = points(400, 2, 7);
    let values = KernelValues::Gram(gram(&points, 2.0));
    for choice in CHOICES {
        let params = KernelEmbedding {
            choice,
            n_components: 4,
            max_exact: 100,
            max_rank: 200,
            ..KernelEmbedding::default()
        };
        let low = params.fit(&values, &Silent).unwrap();
        let whole = fit(choice, 4, &values);
        assert!(low.trace_share > 0.9999 && low.trace_share < 1.0);
        let allowed = 10.0 * (1.0 - low.trace_share) * 400.0;
        assert!(off(low.coordinates.view(), whole.coordinates.view()) < allowed);
        let values = (&low.axes.eigenvalues - &whole.axes.eigenvalues).mapv(f64::abs);
        assert!(values.iter().all(|&d| d < allowed));
    }
}

#[test]
fn an_axis_without_extent_has_zeros() {
    let same = Points::new(Array2::from_elem((5, 2), 1.5)).unwrap();
    let values = KernelValues::Gram(gram(&same, 1.0));
    for choice in CHOICES {
        let found = fit(choice, 2, &values);
        assert!(found.coordinates.column(1).iter().all(|&x| x == 0.0));
        let again = found.map.transform(&same).unwrap();
        assert!(off(again.view(), found.coordinates.view()) < 1e-12);
    }
}

#[test]
fn negative_eigenvalues_are_zeros() {
    let matrix = KernelMatrix::new(array![[0.0, 2.0], [2.0, 0.0]]).unwrap();
    let found = fit(CHOICES[1], 2, &KernelValues::Matrix(&matrix));
    assert_eq!(found.axes.eigenvalues[1], 0.0);
    assert!((found.axes.eigenvalues[0] - 2.0).abs() < 1e-14);
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let points = points(1300, 3, 2);
    for (choice, max_exact) in CHOICES.into_iter().flat_map(|c| [(c, 6000), (c, 500)]) {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let values = KernelValues::Gram(gram(&points, 1.0));
                let params = KernelEmbedding {
                    choice,
                    n_components: 5,
                    max_exact,
                    max_rank: 100,
                    ..KernelEmbedding::default()
                };
                params.fit(&values, &Silent).unwrap()
            })
        };
        assert_eq!(run(1), run(3));
    }
}

#[test]
fn what_cannot_be_done_is_refused() {
    let axes = |matrix: &Array2<f64>, count| {
        KernelAxes::new(matrix.view(), None, CHOICES[0], count, EXACT_TOLERANCE).unwrap_err()
    };
    assert_eq!(axes(&Array2::zeros((0, 0)), 1), Error::Empty { rows: 0, columns: 0 });
    assert_eq!(axes(&Array2::zeros((2, 3)), 1), Error::NotSquare { rows: 2, columns: 3 });
    assert_eq!(axes(&array![[f64::NAN]], 1), Error::NoConvergence);
    assert_eq!(
        axes(&Array2::eye(3), 0).to_string(),
        "n_components = 0 is out of range: at least one is needed"
    );
    let points = points(9, 2, 1);
    let found = fit(CHOICES[0], 2, &KernelValues::Gram(gram(&points, 1.0)));
    let other = Points::new(Array2::zeros((2, 3))).unwrap();
    assert_eq!(
        found.map.transform(&other).unwrap_err(),
        Error::WrongDimensions { found: 3, expected: 2 }
    );
    let json = serde_json::to_string(&found.map).unwrap();
    assert_eq!(serde_json::from_str::<KernelMap>(&json).unwrap(), found.map);
    let damaged = json.replace("\"offset\":[", "\"offset\":[0.0,");
    assert!(serde_json::from_str::<KernelMap>(&damaged).is_err());
}
