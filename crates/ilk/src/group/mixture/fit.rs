//! Starts and restarts, from points to components and clusters.

use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;

use super::components::{Components, Covariances, Densities};
use super::model::MixtureModel;
use super::params::{CovarianceType, GaussianMixture, GivenComponents, MixtureStart};
use super::steps::{Data, Expectation, Regularisation};
use crate::group::kmeans::{self, KMeans};
use crate::group::watch::Watch;
use crate::group::{Grouping, Label, StopReason, TraceStep, in_order_of_appearance, numbers_in};
use crate::numerics::distances::dist_sq;
use crate::numerics::rng::rng_stream;
use crate::observe::{Observer, Silent};
use crate::{Error, Result};

/// Where a run ended.
struct Run {
    components: Components,
    expectation: Expectation,
    converged: bool,
    trace: Vec<TraceStep>,
}

impl GaussianMixture {
    /// Finds the components of rows of finite numbers, and the clusters, numbered in the order of
    /// their first points or, where components were given, in their order.
    ///
    /// `weights` says how many points each point counts for, 0 or more. The objective of the trace is
    /// the log-likelihood of all points with its sign turned.
    ///
    /// # Errors
    /// [`Error::TooManyClusters`] where there are fewer points than components; [`Error::Empty`],
    /// [`Error::WrongLength`], [`Error::BadParameter`] (also of components that are given),
    /// [`Error::Cancelled`].
    pub fn fit(
        &self,
        rows: ArrayView2<'_, f64>,
        weights: Option<&[f64]>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, MixtureModel)> {
        self.check()?;
        kmeans::check(rows, weights)?;
        let (n, dims) = rows.dim();
        if self.n_clusters > n {
            let k = self.n_clusters;
            return Err(Error::TooManyClusters { k, n });
        }
        let given = self.given(dims)?;
        let rows = rows.as_standard_layout();
        let ones = vec![1.0; n];
        let data = Data {
            rows: rows.as_slice().unwrap_or(&[]),
            dims,
            weights: weights.unwrap_or(&ones),
        };
        let runs = if given.is_whole() { 1 } else { self.n_init };
        let watch = Watch::new("Gaussian mixture", observer, runs);
        let regularisation = self.regularisation(&data);
        let best = (0..runs)
            .into_par_iter()
            .map(|run| {
                watch.goes_on(0)?;
                let start = self.start(rows.view(), &data, &given, regularisation, run)?;
                let found = self.run(&data, start, regularisation, &watch);
                watch.finish();
                found
            })
            .try_reduce_with(|best, run| {
                let better = run.expectation.log_likelihood > best.expectation.log_likelihood;
                Ok(if better { run } else { best })
            });
        // There is at least one run.
        let best = best.unwrap_or(Err(Error::Cancelled { iterations: 0 }))?;
        let keeps_order = self.init != MixtureStart::Kmeans;
        Ok(finish(best, keeps_order))
    }

    /// A variance that is small beside the mean variance of the coordinates.
    fn regularisation(&self, data: &Data<'_>) -> Regularisation {
        let (mass, dims) = (data.mass(), data.dims);
        let mut mean = vec![0.0; dims];
        for (row, weight) in data.rows.chunks_exact(dims).zip(data.weights) {
            mean.iter_mut()
                .zip(row)
                .for_each(|(mean, x)| *mean += weight / mass * x);
        }
        let points = data.rows.chunks_exact(dims).zip(data.weights);
        let total: f64 = points
            .map(|(row, weight)| weight * dist_sq(row, &mean))
            .sum();
        let variance = total / (mass * dims as f64);
        Regularisation {
            added: self.reg_covar,
            least: 1e-12 * if variance > 0.0 { variance } else { 1.0 },
        }
    }

    /// The components of k-means, with what is given in place of theirs.
    fn start(
        &self,
        rows: ArrayView2<'_, f64>,
        data: &Data<'_>,
        given: &Given,
        regularisation: Regularisation,
        run: usize,
    ) -> Result<Components> {
        if let Given {
            weights: Some(weights),
            means: Some(means),
            covariances: Some(covariances),
        } = given
        {
            return Ok(Components {
                weights: weights.clone(),
                means: means.clone(),
                covariances: covariances.clone(),
            });
        }
        let kmeans = KMeans {
            n_clusters: self.n_clusters,
            n_init: 1,
            seed: rng_stream(self.seed, run as u64).below_u128(1 << 64) as u64,
            ..KMeans::default()
        };
        let (clusters, _) = kmeans.fit(rows, Some(data.weights), &Silent)?;
        let k = if given.is_nothing() {
            clusters.n_clusters
        } else {
            self.n_clusters
        };
        let mut shares = Array2::zeros((data.len(), k));
        for (mut row, label) in shares.rows_mut().into_iter().zip(&clusters.labels) {
            if let Some(cluster) = *label {
                row[cluster] = 1.0;
            }
        }
        let found = data.maximise(&shares, None, self.covariance_type, regularisation);
        Ok(Components {
            weights: given.weights.clone().unwrap_or(found.weights),
            means: given.means.clone().unwrap_or(found.means),
            covariances: given.covariances.clone().unwrap_or(found.covariances),
        })
    }

    fn run(
        &self,
        data: &Data<'_>,
        start: Components,
        regularisation: Regularisation,
        watch: &Watch<'_>,
    ) -> Result<Run> {
        let mass = data.mass();
        let mut components = start;
        let mut expectation = data.expect(&components)?;
        let mut trace = Vec::new();
        let mut converged = false;
        while trace.len() < self.max_iter && !converged {
            let next = data.maximise(
                &expectation.shares,
                Some(&components),
                self.covariance_type,
                regularisation,
            );
            let before = expectation.log_likelihood;
            expectation = data.expect(&next)?;
            trace.push(TraceStep {
                active: next.len(),
                movement: movement(&components, &next),
                bandwidth: None,
                objective: Some(-expectation.log_likelihood),
            });
            components = next;
            watch.step(trace.len())?;
            converged = (expectation.log_likelihood - before).abs() < self.tol * mass;
        }
        Ok(Run {
            components,
            expectation,
            converged,
            trace,
        })
    }

    /// What is given to start from, checked.
    fn given(&self, dims: usize) -> Result<Given> {
        let MixtureStart::Components(GivenComponents {
            weights,
            means,
            covariances,
        }) = &self.init
        else {
            return Ok(Given::default());
        };
        let k = self.n_clusters;
        if let Some(weights) = weights {
            let sum: f64 = weights.iter().sum();
            let is_share = |x: &f64| *x >= 0.0 && *x <= 1.0;
            if weights.len() != k || !weights.iter().all(is_share) || (sum - 1.0).abs() > 1e-6 {
                let expected = format!("they must be {k} numbers of at least 0 that add up to 1");
                return Err(bad("weights to start from", expected));
            }
        }
        let table = |rows: &[Vec<f64>], width: usize, what: &str| {
            let fits = |row: &Vec<f64>| row.len() == width && row.iter().all(|x| x.is_finite());
            if rows.len() != k || !rows.iter().all(fits) {
                let expected = format!("they must be {k} rows of {width} finite numbers");
                return Err(bad(what, expected));
            }
            Array2::from_shape_vec((k, width), rows.concat())
                .map_err(|error| bad(what, error.to_string()))
        };
        let means = means
            .as_ref()
            .map(|rows| table(rows, dims, "means to start from"));
        let width = match self.covariance_type {
            CovarianceType::Full => dims * dims,
            CovarianceType::Diag => dims,
            CovarianceType::Spherical => 1,
        };
        let what = "covariances to start from";
        let covariances = covariances.as_ref().map(|rows| table(rows, width, what));
        let covariances = covariances.transpose()?.map(|rows| self.shaped(rows, dims));
        let given = Given {
            weights: weights.clone(),
            means: means.transpose()?,
            covariances,
        };
        if let Some(covariances) = &given.covariances {
            let components = Components {
                weights: vec![1.0; k],
                means: Array2::zeros((k, dims)),
                covariances: covariances.clone(),
            };
            let is_positive = match covariances {
                Covariances::Full(_) => Densities::new(&components).is_ok(),
                Covariances::Diag(each) => each.iter().all(|&x| x > 0.0),
                Covariances::Spherical(each) => each.iter().all(|&x| x > 0.0),
            };
            if !is_positive {
                return Err(bad(what, "they must be positive definite".to_owned()));
            }
        }
        Ok(given)
    }

    fn shaped(&self, rows: Array2<f64>, dims: usize) -> Covariances {
        match self.covariance_type {
            CovarianceType::Diag => Covariances::Diag(rows),
            CovarianceType::Spherical => Covariances::Spherical(rows.into_iter().collect()),
            CovarianceType::Full => Covariances::Full(
                rows.rows()
                    .into_iter()
                    .map(|row| Array2::from_shape_fn((dims, dims), |(i, j)| row[i * dims + j]))
                    .collect(),
            ),
        }
    }
}

/// What is given to start from.
#[derive(Default)]
struct Given {
    weights: Option<Vec<f64>>,
    means: Option<Array2<f64>>,
    covariances: Option<Covariances>,
}

impl Given {
    fn is_whole(&self) -> bool {
        self.weights.is_some() && self.means.is_some() && self.covariances.is_some()
    }

    fn is_nothing(&self) -> bool {
        self.weights.is_none() && self.means.is_none() && self.covariances.is_none()
    }
}

fn bad(value: &str, expected: String) -> Error {
    Error::BadParameter {
        parameter: "init",
        value: value.to_owned(),
        expected,
    }
}

/// The largest movement of a mean.
fn movement(before: &Components, after: &Components) -> f64 {
    let means = before.means.rows().into_iter().zip(after.means.rows());
    let moved_sq = means.map(|(a, b)| dist_sq(&a.to_vec(), &b.to_vec()));
    moved_sq.fold(0.0, f64::max).sqrt()
}

/// The clusters: components that have the largest share of a point. They come before the others.
fn finish(run: Run, keeps_order: bool) -> (Grouping, MixtureModel) {
    let k = run.components.len();
    let shares = run.expectation.shares.rows().into_iter();
    let largest: Vec<usize> = shares
        .map(|row| (0..k).fold(0, |best, c| if row[c] > row[best] { c } else { best }))
        .collect();
    let mut order = in_order_of_appearance(largest.iter().copied());
    if keeps_order {
        order.sort_unstable();
    }
    let n_clusters = order.len();
    let number = numbers_in(&order);
    order.extend((0..k).filter(|c| !number.contains_key(c)));
    let labels: Vec<Label> = largest.iter().map(|c| Some(number[c])).collect();
    let model = MixtureModel::new(run.components.select(&order), n_clusters);
    let centers = model
        .components()
        .means
        .select(ndarray::Axis(0), &(0..n_clusters).collect::<Vec<_>>());
    let grouping = Grouping {
        labels,
        n_clusters,
        centers: Some(centers),
        rest: None,
        bandwidth: None,
        iterations: run.trace.len(),
        stop: if run.converged {
            StopReason::Converged
        } else {
            StopReason::MaxIterations
        },
        trace: run.trace,
        history: Vec::new(),
    };
    (grouping, model)
}
