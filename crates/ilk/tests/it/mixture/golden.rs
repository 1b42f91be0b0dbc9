//! A recorded run of another program: `spectral/gmm_em.npz` of the golden cases.

use std::fs::File;

use ilk::group::mixture::{Covariances, GaussianMixture, InitialComponents, MixtureInit};
use ilk::group::{GroupingAlgorithm, Label};
use ilk::ndarray::{Array0, Array1, Array2, Array3};
use ilk::observe::Silent;
use ilk::parameter::AutoOr;
use ndarray_npy::NpzReader;

use crate::shared::shared;

fn close<'a>(a: impl IntoIterator<Item = &'a f64>, b: impl IntoIterator<Item = &'a f64>) {
    for (a, b) in a.into_iter().zip(b) {
        assert!((a - b).abs() <= 1e-10 * (1.0 + b.abs()), "{a} {b}");
    }
}

#[test]
fn every_step_from_a_given_start_is_as_recorded() {
    let Some(path) = shared("golden/spectral/gmm_em.npz") else {
        return;
    };
    let mut npz = NpzReader::new(File::open(path).expect("a readable file")).expect("an archive");
    let points: Array2<f64> = npz.by_name("X").unwrap();
    let means: Array2<f64> = npz.by_name("mu0").unwrap();
    let covariances: Array3<f64> = npz.by_name("cov0").unwrap();
    let weights: Array1<f64> = npz.by_name("p0").unwrap();
    let iterations: Array0<i64> = npz.by_name("iters").unwrap();
    let params = GaussianMixture {
        n_clusters: weights.len().into(),
        reg_covar: AutoOr::Fixed(0.0),
        tol: 0.0,
        max_iter: usize::try_from(iterations.into_scalar()).unwrap(),
        init: MixtureInit::Components(InitialComponents {
            weights: Some(weights.to_vec()),
            means: Some(means.rows().into_iter().map(|row| row.to_vec()).collect()),
            covariances: Some(
                covariances.outer_iter().map(|matrix| matrix.iter().copied().collect()).collect(),
            ),
        }),
        ..GaussianMixture::default()
    };
    let (found, model) = params.group(points.view(), &Silent).unwrap();

    let logs: Array1<f64> = npz.by_name("loglik").unwrap();
    let objectives: Vec<f64> = found.trace.iter().map(|step| -step.objective.unwrap()).collect();
    assert_eq!(objectives.len() + 1, logs.len());
    close(&objectives, logs.iter().skip(1));
    let means: Array2<f64> = npz.by_name("mu").unwrap();
    close(&model.components().means, &means);
    let weights: Array1<f64> = npz.by_name("p").unwrap();
    close(&model.components().weights, &weights);
    let covariances: Array3<f64> = npz.by_name("cov").unwrap();
    let Covariances::Full(each) = &model.components().covariances else {
        panic!("full covariances were asked for");
    };
    close(each.iter().flatten(), &covariances);
    let shares: Array2<f64> = npz.by_name("resp").unwrap();
    close(&model.probabilities(points.view()).unwrap(), &shares);
    let labels: Array1<i64> = npz.by_name("labels").unwrap();
    let labels: Vec<Label> = labels.iter().map(|&l| usize::try_from(l).ok()).collect();
    assert_eq!(found.labels, labels);
}
