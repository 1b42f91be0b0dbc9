//! Spectral clustering of sparse affinities: the same as of dense ones.

use ilk::embed::{Laplacian, spectral_rows};
use ilk::evaluate::adjusted_rand;
use ilk::group::GroupingAlgorithm;
use ilk::group::spectral::Spectral;
use ilk::ndarray::Array2;
use ilk::numerics::linalg::{EXACT_TOLERANCE, symmetric_eigen};
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

const BOTH: [Laplacian; 2] = [Laplacian::Sym, Laplacian::Unnormalized];

/// Rows of unit length, as they are grouped.
fn unit(mut rows: Array2<f64>) -> Array2<f64> {
    for mut row in rows.rows_mut() {
        let length = row.dot(&row).sqrt();
        row /= length;
    }
    rows
}

#[test]
fn sparse_affinities_give_what_dense_ones_give() {
    let dense = affinity(4, 60, 1);
    let sparse = Sparse::from_dense(dense.view());
    for laplacian in BOTH {
        let rows = unit(spectral_rows(dense.view(), laplacian, 4, EXACT_TOLERANCE).unwrap());
        let same = unit(spectral_rows(&sparse, laplacian, 4, EXACT_TOLERANCE).unwrap());
        // Eigenvectors are known up to their signs; dot products of rows are not.
        let (rows, same) = (rows.dot(&rows.t()), same.dot(&same.t()));
        let difference = (&rows - &same).iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        assert!(difference < 1e-8, "{laplacian:?}: {difference}");
        let params = Spectral { n_clusters: 4, laplacian, ..Spectral::default() };
        let found = params.group(&sparse, &Silent).unwrap().0.labels;
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
    for laplacian in BOTH {
        let matrix = Array2::from_shape_fn((n, n), |(i, j)| match laplacian {
            Laplacian::Unnormalized if i == j => (dense[[i, j]] + largest - degrees[i]) / largest,
            Laplacian::Unnormalized => dense[[i, j]] / largest,
            _ => dense[[i, j]] / (degrees[i] * degrees[j]).sqrt(),
        });
        let eigen = symmetric_eigen(matrix.view()).unwrap();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| eigen.values[b].total_cmp(&eigen.values[a]));
        let top = eigen.vectors.select(ilk::ndarray::Axis(1), &order[..3]);
        let found = unit(spectral_rows(dense.view(), laplacian, 3, EXACT_TOLERANCE).unwrap());
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
    for laplacian in BOTH {
        let mut dense = Array2::zeros((12, 12));
        dense.slice_mut(ilk::ndarray::s![..10, ..10]).assign(&affinity(2, 5, 3).mapv(|a| a + 0.01));
        let params = Spectral { n_clusters: 2, laplacian, ..Spectral::default() };
        let sparse = Sparse::from_dense(dense.view());
        for labels in [
            params.group(dense.view(), &Silent).unwrap().0.labels,
            params.group(&sparse, &Silent).unwrap().0.labels,
        ] {
            assert!(labels[..10].iter().all(Option::is_some), "{labels:?}");
            assert_eq!(labels[10..], [None, None]);
        }
    }
}

#[test]
fn of_more_components_than_clusters_the_largest_are_clusters() {
    let sizes = [3, 6, 2, 5];
    let component: Vec<usize> = (0..4).flat_map(|c| vec![c; sizes[c]]).collect();
    let n = component.len();
    let dense = Array2::from_shape_fn((n, n), |(i, j)| {
        f64::from(u8::from(i != j && component[i] == component[j]))
    });
    for laplacian in BOTH {
        let params = Spectral { n_clusters: 2, laplacian, ..Spectral::default() };
        let expected: Vec<_> =
            component.iter().map(|c| [None, Some(0), None, Some(1)][*c]).collect();
        let sparse = Sparse::from_dense(dense.view());
        for found in [
            params.group(dense.view(), &Silent).unwrap().0,
            params.group(&sparse, &Silent).unwrap().0,
        ] {
            assert_eq!((&found.labels, found.n_clusters), (&expected, 2));
        }
    }
}
