//! Spectral clustering: components, points without affinity, negative affinities.

use ilk::Error;
use ilk::embed::{Laplacian, spectral_rows};
use ilk::evaluate::adjusted_rand;
use ilk::group::spectral::Spectral;
use ilk::group::{GroupingAlgorithm, Label};
use ilk::ndarray::{Array2, array};
use ilk::numerics::linalg::EXACT_TOLERANCE;
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use proptest::prelude::*;

use super::cases::{gaussian, random};

fn with_clusters(n_clusters: usize) -> Spectral {
    Spectral { n_clusters, ..Spectral::default() }
}

/// Random affinities within groups, `between` times those across.
fn blocks(groups: &[usize], between: f64, seed: u64) -> Array2<f64> {
    let n = groups.len();
    let mut rng = rng(seed);
    let mut affinity = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..i {
            let scale = if groups[i] == groups[j] { 1.0 } else { between };
            affinity[[i, j]] = scale * (0.1 + rng.uniform());
            affinity[[j, i]] = affinity[[i, j]];
        }
    }
    affinity
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn components_of_the_graph_are_clusters(k in 1usize..6, per in 2usize..9, seed in 0u64..500) {
        let mut groups: Vec<usize> = (0..k * per).map(|i| i % k).collect();
        rng(seed).shuffle(&mut groups);
        let truth: Vec<Label> = groups.iter().map(|&g| Some(g)).collect();
        for between in [0.0, 1e-3] {
            let affinity = blocks(&groups, between, seed);
            let (found, ()) = with_clusters(k).group(affinity.view(), &Silent).unwrap();
            prop_assert_eq!(adjusted_rand(&found.labels, &truth), Ok(1.0));
            prop_assert_eq!(found.n_clusters, k);
        }
    }

    #[test]
    fn every_point_with_affinity_has_a_direction(n in 2usize..30, k in 1usize..5, seed in 0u64..500) {
        let affinity = gaussian(&random(n, 2, seed), 0.8);
        let rows = spectral_rows(affinity.view(), Laplacian::Sym, k.min(n), EXACT_TOLERANCE).unwrap();
        for row in rows.rows() {
            prop_assert!(row.dot(&row).sqrt() > 1e-6, "{row}");
        }
    }
}

#[test]
fn a_point_without_affinity_belongs_to_no_cluster() {
    let mut affinity = blocks(&[0, 1, 0, 1, 0, 1, 0], 0.0, 1);
    affinity.row_mut(2).fill(0.0);
    affinity.column_mut(2).fill(0.0);
    let (found, ()) = with_clusters(2).group(affinity.view(), &Silent).unwrap();
    let expected = [Some(0), Some(1), None, Some(1), Some(0), Some(1), Some(0)];
    assert_eq!(found.labels, expected);
    let none = with_clusters(2).group(Array2::zeros((3, 3)).view(), &Silent);
    let (none, ()) = none.unwrap();
    assert_eq!((none.labels, none.n_clusters), (vec![None; 3], 0));
}

#[test]
fn negative_affinities_count_as_zero() {
    let groups = [0, 0, 1, 1, 0, 1];
    let mut affinity = blocks(&groups, 0.05, 2);
    let clipped = affinity.clone();
    for (i, j) in [(0, 2), (4, 5)] {
        affinity[[i, j]] = -3.0;
        affinity[[j, i]] = -3.0;
    }
    let mut zeroed = clipped;
    for (i, j) in [(0, 2), (2, 0), (4, 5), (5, 4)] {
        zeroed[[i, j]] = 0.0;
    }
    for how in [Laplacian::Sym, Laplacian::Unnormalized] {
        assert_eq!(
            spectral_rows(affinity.view(), how, 2, EXACT_TOLERANCE),
            spectral_rows(zeroed.view(), how, 2, EXACT_TOLERANCE)
        );
    }
    // Features in opposite directions have negative dot products.
    let features = array![[1.0, 0.1], [0.9, -0.1], [-1.0, 0.2], [-0.8, 0.0]];
    let found = with_clusters(2).fit_features(features.view(), &Silent);
    assert_eq!(found.unwrap().labels, [0, 0, 1, 1].map(Some));
}

#[test]
fn misshapen_affinities_and_too_many_clusters_are_refused() {
    let refused = |k: usize, affinity: Array2<f64>| {
        let fitted = with_clusters(k).group(affinity.view(), &Silent);
        fitted.unwrap_err()
    };
    assert_eq!(refused(4, Array2::eye(3)), Error::TooManyClusters { k: 4, n: 3 });
    assert_eq!(refused(1, Array2::zeros((2, 3))), Error::NotSquare { rows: 2, columns: 3 });
    assert_eq!(refused(1, Array2::zeros((0, 0))), Error::Empty { rows: 0, columns: 0 });
    assert!(matches!(
        refused(0, Array2::eye(3)),
        Error::BadParameter { parameter: "n_clusters", .. }
    ));
    assert_eq!(refused(1, Array2::from_elem((2, 2), f64::NAN)), Error::NoConvergence);
}
