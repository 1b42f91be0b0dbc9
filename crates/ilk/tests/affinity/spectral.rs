//! Spectral clustering of sparse affinities: the same as of dense ones.

use ilk::evaluate::adjusted_rand;
use ilk::group::spectral::{Normalisation, Spectral, embedding};
use ilk::ndarray::Array2;
use ilk::numerics::linalg::{EXACT, symmetric_eigen};
use ilk::numerics::rng::rng;
use ilk::numerics::sparse::Sparse;
use ilk::observe::Silent;

/// Affinities of `k` groups of `per` points, few of them between groups.
fn affinity(k: usize, per: usize, seed: u64) -> Array2<f64> {
    let n = k * per;
    let mut rng = rng(seed);
    let mut affinity = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..i {
            let likely = if i / per == j / per { 0.3 } else { 0.01 };
            if rng.uniform() < likely {
                affinity[[i, j]] = 0.1 + rng.uniform();
                affinity[[j, i]] = affinity[[i, j]];
            }
        }
    }
    affinity
}

const BOTH: [Normalisation; 2] = [Normalisation::Symmetric, Normalisation::Additive];

#[test]
fn sparse_affinities_give_what_dense_ones_give() {
    let dense = affinity(4, 60, 1);
    let sparse = Sparse::of_dense(dense.view());
    for normalisation in BOTH {
        let rows = embedding(dense.view(), 4, normalisation, EXACT).unwrap();
        let same = embedding(&sparse, 4, normalisation, EXACT).unwrap();
        // Eigenvectors are known up to their signs; dot products of rows are not.
        let (rows, same) = (rows.dot(&rows.t()), same.dot(&same.t()));
        let difference = (&rows - &same).iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        assert!(difference < 1e-8, "{normalisation:?}: {difference}");
        let params = Spectral {
            n_clusters: 4,
            normalisation,
            ..Spectral::default()
        };
        let found = params.fit(&sparse, &Silent).unwrap().labels;
        let truth: Vec<_> = (0..240).map(|i| Some(i / 60)).collect();
        assert_eq!(adjusted_rand(&found, &truth), Ok(1.0));
    }
}

#[test]
fn rows_are_those_of_the_eigenvectors_of_the_normalised_matrix() {
    let dense = affinity(3, 12, 2);
    let n = dense.nrows();
    let degrees: Vec<f64> = dense.rows().into_iter().map(|row| row.sum()).collect();
    let largest = degrees.iter().fold(0.0, |m: f64, d| m.max(*d));
    for normalisation in BOTH {
        let matrix = Array2::from_shape_fn((n, n), |(i, j)| match normalisation {
            Normalisation::Symmetric => dense[[i, j]] / (degrees[i] * degrees[j]).sqrt(),
            Normalisation::Additive if i == j => (dense[[i, j]] + largest - degrees[i]) / largest,
            Normalisation::Additive => dense[[i, j]] / largest,
        });
        let eigen = symmetric_eigen(matrix.view()).unwrap();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| eigen.values[b].total_cmp(&eigen.values[a]));
        let top = eigen.vectors.select(ilk::ndarray::Axis(1), &order[..3]);
        let found = embedding(dense.view(), 3, normalisation, EXACT).unwrap();
        for i in 0..n {
            for j in 0..n {
                let length = |i: usize| top.row(i).dot(&top.row(i)).sqrt();
                let cosine = top.row(i).dot(&top.row(j)) / (length(i) * length(j));
                assert!((found.row(i).dot(&found.row(j)) - cosine).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn points_without_affinity_take_no_eigenvector_from_the_others() {
    for normalisation in BOTH {
        let mut dense = Array2::zeros((12, 12));
        dense
            .slice_mut(ilk::ndarray::s![..10, ..10])
            .assign(&affinity(2, 5, 3).mapv(|a| a + 0.01));
        let params = Spectral {
            n_clusters: 2,
            normalisation,
            ..Spectral::default()
        };
        let sparse = Sparse::of_dense(dense.view());
        for labels in [
            params.fit(dense.view(), &Silent).unwrap().labels,
            params.fit(&sparse, &Silent).unwrap().labels,
        ] {
            assert!(labels[..10].iter().all(Option::is_some), "{labels:?}");
            assert_eq!(labels[10..], [None, None]);
        }
    }
}
