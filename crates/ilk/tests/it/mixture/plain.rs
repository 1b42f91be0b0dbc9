//! Expectation maximisation by its formulas: determinants and inverses by elimination, densities
//! without logarithms.

use ilk::group::mixture::{
    Components, CovarianceType, Covariances, GaussianMixture, InitialComponents, MixtureInit,
};
use ilk::group::{GroupingAlgorithm, GroupingInput};
use ilk::ndarray::{Array2, ArrayView1, Axis};
use ilk::numerics::rng::rng;
use ilk::observe::Silent;
use ilk::parameter::AutoOr;

/// The inverse and the determinant, by Gauss and Jordan, without pivoting.
fn inverse(matrix: &Array2<f64>) -> (Array2<f64>, f64) {
    let n = matrix.nrows();
    let (mut a, mut inverse) = (matrix.clone(), Array2::eye(n));
    let mut determinant = 1.0;
    for i in 0..n {
        let pivot = a[[i, i]];
        determinant *= pivot;
        a.row_mut(i).mapv_inplace(|x| x / pivot);
        inverse.row_mut(i).mapv_inplace(|x| x / pivot);
        for j in (0..n).filter(|&j| j != i) {
            let factor = a[[j, i]];
            let (row, unit) = (a.row(i).to_owned(), inverse.row(i).to_owned());
            a.row_mut(j).scaled_add(-factor, &row);
            inverse.row_mut(j).scaled_add(-factor, &unit);
        }
    }
    (inverse, determinant)
}

fn matrices(components: &Components) -> Vec<Array2<f64>> {
    let dims = components.dims();
    match &components.covariances {
        Covariances::Full(each) => each.clone(),
        Covariances::Diag(each) => {
            each.rows().into_iter().map(|row| Array2::from_diag(&row)).collect()
        }
        Covariances::Spherical(each) => {
            each.iter().map(|&variance| Array2::from_diag_elem(dims, variance)).collect()
        }
    }
}

fn density(x: ArrayView1<'_, f64>, mean: ArrayView1<'_, f64>, covariance: &Array2<f64>) -> f64 {
    let (inverse, determinant) = inverse(covariance);
    let difference = &x - &mean;
    let square = difference.dot(&inverse.dot(&difference));
    let volume = (2.0 * std::f64::consts::PI).powf(x.len() as f64) * determinant;
    (-0.5 * square).exp() / volume.sqrt()
}

/// One step, and the log-likelihood before it.
fn step(
    points: &Array2<f64>,
    weights: &[f64],
    components: &Components,
    regularisation: f64,
) -> (Components, f64) {
    let (n, dims) = points.dim();
    let k = components.len();
    let before = matrices(components);
    let mut shares = Array2::from_shape_fn((n, k), |(i, c)| {
        let mean = components.means.row(c);
        components.weights[c] * density(points.row(i), mean, &before[c])
    });
    let sums = shares.sum_axis(Axis(1));
    let log: f64 = sums.iter().zip(weights).map(|(p, w)| w * p.ln()).sum();
    for (mut row, (sum, weight)) in shares.rows_mut().into_iter().zip(sums.iter().zip(weights)) {
        row.mapv_inplace(|p| weight * p / sum);
    }
    let masses = shares.sum_axis(Axis(0));
    let mut means = shares.t().dot(points);
    for (mut mean, mass) in means.rows_mut().into_iter().zip(&masses) {
        mean /= *mass;
    }
    let full: Vec<Array2<f64>> = (0..k)
        .map(|c| {
            let mut covariance = Array2::eye(dims) * regularisation;
            for i in 0..n {
                let difference = (&points.row(i) - &means.row(c)).insert_axis(Axis(1));
                covariance.scaled_add(shares[[i, c]] / masses[c], &difference.dot(&difference.t()));
            }
            covariance
        })
        .collect();
    let variances = |c: usize| full[c].diag().to_vec();
    let covariances = match components.covariances.kind() {
        CovarianceType::Full => Covariances::Full(full),
        CovarianceType::Diag => {
            Covariances::Diag(Array2::from_shape_fn((k, dims), |(c, d)| variances(c)[d]))
        }
        CovarianceType::Spherical => {
            let mean = |c: usize| variances(c).iter().sum::<f64>() / dims as f64;
            Covariances::Spherical((0..k).map(mean).collect())
        }
    };
    let total: f64 = weights.iter().sum();
    let next = Components {
        weights: masses.iter().map(|mass| mass / total).collect(),
        means,
        covariances,
    };
    (next, log)
}

#[test]
fn every_step_is_that_of_the_formulas_for_all_covariances_and_with_weights() {
    for (dims, seed) in [(1, 1), (2, 2), (4, 3)] {
        for kind in [CovarianceType::Full, CovarianceType::Diag, CovarianceType::Spherical] {
            let mut rng = rng(seed);
            let points =
                Array2::from_shape_fn((90, dims), |(i, _)| (i % 3) as f64 * 1.5 + rng.normal());
            let weights: Vec<f64> = (0..90).map(|i| 0.5 + f64::from(i % 4)).collect();
            let variance = 1.5;
            let given: Vec<Vec<f64>> = match kind {
                CovarianceType::Full => {
                    let matrix: Array2<f64> = Array2::from_diag_elem(dims, variance);
                    vec![matrix.into_iter().collect(); 3]
                }
                CovarianceType::Diag => vec![vec![variance; dims]; 3],
                CovarianceType::Spherical => vec![vec![variance]; 3],
            };
            let means: Vec<Vec<f64>> = (0..3).map(|i| points.row(i).to_vec()).collect();
            let params = GaussianMixture {
                n_clusters: 3.into(),
                covariance_type: kind,
                reg_covar: AutoOr::Fixed(1e-3),
                tol: 0.0,
                max_iter: 12,
                init: MixtureInit::Components(InitialComponents {
                    weights: Some(vec![0.5, 0.25, 0.25]),
                    means: Some(means.clone()),
                    covariances: Some(given),
                }),
                ..GaussianMixture::default()
            };
            let (found, model) = params
                .group(GroupingInput::new(points.view()).with_weights(Some(&weights)), &Silent)
                .unwrap();
            let mut components = Components {
                weights: vec![0.5, 0.25, 0.25],
                means: Array2::from_shape_vec((3, dims), means.concat()).unwrap(),
                covariances: match kind {
                    CovarianceType::Full => {
                        Covariances::Full(vec![Array2::from_diag_elem(dims, variance); 3])
                    }
                    CovarianceType::Diag => {
                        Covariances::Diag(Array2::from_elem((3, dims), variance))
                    }
                    CovarianceType::Spherical => Covariances::Spherical(vec![variance; 3]),
                },
            };
            let mut logs = Vec::new();
            for _ in 0..12 {
                let (next, log) = step(&points, &weights, &components, 1e-3);
                components = next;
                logs.push(log);
            }
            for (step, log) in found.trace.iter().zip(&logs[1..]) {
                let error = (-step.objective.unwrap() - log).abs();
                assert!(error < 1e-9 * log.abs(), "{dims} {kind:?}: {error}");
            }
            let ours = model.components();
            let pairs = matrices(ours).into_iter().zip(matrices(&components));
            for (a, b) in pairs {
                assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9));
            }
            let pairs = ours.means.iter().zip(&components.means);
            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-9));
            let expected: Vec<f64> = points
                .rows()
                .into_iter()
                .map(|x| {
                    let each = matrices(ours);
                    let terms =
                        (0..3).map(|c| ours.weights[c] * density(x, ours.means.row(c), &each[c]));
                    terms.sum::<f64>().ln()
                })
                .collect();
            let (_, logs) = model.densities(points.view()).unwrap();
            assert!(logs.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}
