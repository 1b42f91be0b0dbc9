//! EM from several starts: from rows to components and clusters.

use ndarray::{Array2, ArrayView2, s};

use super::components::{Components, Covariances, Densities};
use super::model::MixtureModel;
use super::params::{CovarianceType, GaussianMixture, InitialComponents, MixtureInit};
use super::steps::{Expectation, Regularisation, WeightedRows};
use crate::error::{check_memory, matrix_bytes};
use crate::group::{
    Grouping, GroupingAlgorithm, GroupingInput, Label, Renumbering, StopReason, TraceStep,
    checks::check_rows_and_weights, kmeans::KMeans, restarts::best_of,
};
use crate::numerics::{distances::dist_sq, rng::rng_stream, rows_of};
use crate::observe::{Observer, Progress};
use crate::parameter::AutoOr;
use crate::{Error, Result};

/// The share of the variance of a coordinate that is added to its variance in each component. It is the
/// number that scikit-learn adds, for coordinates of variance 1.
const SHARE_ADDED: f64 = 1e-6;

/// The result of one run.
struct Estimate {
    components: Components,
    expectation: Expectation,
    converged: bool,
    trace: Vec<TraceStep>,
}

impl GroupingAlgorithm for GaussianMixture {
    type Input<'a> = GroupingInput<'a, ArrayView2<'a, f64>>;
    type Model = MixtureModel;

    /// Finds the components of rows of finite numbers, and the clusters, numbered in the order of
    /// their first points or, where components were given, in their order.
    ///
    /// A weight is 0 or more. The objective of the trace is the negative log-likelihood of all points.
    fn group<'a>(
        &self,
        input: impl Into<Self::Input<'a>>,
        observer: &dyn Observer,
    ) -> Result<(Grouping, MixtureModel)> {
        let input = input.into();
        let (rows, weights) = (input.data, input.weights);
        self.check()?;
        check_rows_and_weights(rows, weights)?;
        let (n, dims) = rows.dim();
        let k = self.n_clusters.given_n_clusters(n)?;
        if self.covariance_type == CovarianceType::Full {
            // Of every component the covariance, the one before and its factor, and a product of a block of points.
            let bytes = (3 * k as u128 + 1) * matrix_bytes(dims, dims);
            let instead =
                "take covariance_type=diag, or fewer columns, such as principal components";
            check_memory("the covariance matrices", bytes, instead)?;
        }
        let given = self.given(dims)?;
        let rows = rows.as_standard_layout();
        let ones = vec![1.0; n];
        let data = WeightedRows { rows: rows_of(&rows), dims, weights: weights.unwrap_or(&ones) };
        let is_whole = matches!(given, (Some(_), Some(_), Some(_)));
        let runs = if is_whole { 1 } else { self.n_init };
        let progress = Progress::new(observer, "Gaussian mixture", runs);
        let regularisation = self.regularisation(&data);
        let run = |run: usize| {
            let start = self.start(rows.view(), &data, &given, &regularisation, run, &progress)?;
            self.run(&data, start, &regularisation, &progress)
        };
        let best = best_of(runs, &progress, run, |run| -run.expectation.log_likelihood)?;
        let keeps_order = self.init != MixtureInit::Kmeans;
        Ok(finish(best, keeps_order))
    }
}

impl GaussianMixture {
    /// What is added to variances, a number or a share of the variance of each coordinate, and the smallest
    /// variance, which is relative to the mean of these. A constant coordinate is regularised as the mean one is.
    fn regularisation(&self, data: &WeightedRows<'_>) -> Regularisation {
        let (mass, dims) = (data.mass(), data.dims);
        let points = data.rows.chunks_exact(dims).zip(data.weights);
        let mut mean = vec![0.0; dims];
        for (row, weight) in points.clone() {
            let each = mean.iter_mut().zip(row);
            each.for_each(|(mean, x)| *mean += weight / mass * x);
        }
        let mut variances = vec![0.0; dims];
        for (row, weight) in points {
            for ((variance, x), mean) in variances.iter_mut().zip(row).zip(&mean) {
                *variance += weight / mass * (x - mean) * (x - mean);
            }
        }
        let total: f64 = variances.iter().sum();
        let variance = if total > 0.0 { total / dims as f64 } else { 1.0 };
        let added = |own: f64| match self.reg_covar {
            AutoOr::Fixed(added) => added,
            AutoOr::Auto => SHARE_ADDED * if own > 0.0 { own } else { variance },
        };
        Regularisation {
            added: variances.into_iter().map(added).collect(),
            least: 1e-12 * variance,
        }
    }

    /// Initial components: those of the clusters of k-means, except for what is given.
    fn start(
        &self,
        rows: ArrayView2<'_, f64>,
        data: &WeightedRows<'_>,
        given: &Given,
        regularisation: &Regularisation,
        run: usize,
        progress: &Progress<'_>,
    ) -> Result<Components> {
        if let (Some(weights), Some(means), Some(covariances)) = given.clone() {
            return Ok(Components { weights, means, covariances });
        }
        let kmeans = KMeans {
            n_clusters: self.n_clusters,
            n_init: 1,
            seed: rng_stream(self.seed, run as u64).below_u128(1 << 64) as u64,
            ..KMeans::default()
        };
        let input = GroupingInput::new(rows).with_weights(Some(data.weights));
        let (clusters, _) = kmeans.group(input, &progress.of_parts())?;
        let (weights, means, covariances) = given.clone();
        let k = if matches!(given, (None, None, None)) {
            clusters.n_clusters
        } else {
            self.n_clusters.resolved()
        };
        let mut shares = Array2::zeros((data.len(), k));
        for (mut row, label) in shares.rows_mut().into_iter().zip(&clusters.labels) {
            if let Some(cluster) = *label {
                row[cluster] = 1.0;
            }
        }
        let found = data.maximise(&shares, None, self.covariance_type, regularisation);
        Ok(Components {
            weights: weights.unwrap_or(found.weights),
            means: means.unwrap_or(found.means),
            covariances: covariances.unwrap_or(found.covariances),
        })
    }

    fn run(
        &self,
        data: &WeightedRows<'_>,
        start: Components,
        regularisation: &Regularisation,
        progress: &Progress<'_>,
    ) -> Result<Estimate> {
        let mass = data.mass();
        let mut components = start;
        let mut expectation = data.expect(&components)?;
        let mut trace = Vec::new();
        let mut converged = false;
        while trace.len() < self.max_iter && !converged {
            let (shares, kind) = (&expectation.shares, self.covariance_type);
            let next = data.maximise(shares, Some(&components), kind, regularisation);
            let before = expectation.log_likelihood;
            expectation = data.expect(&next)?;
            let step = TraceStep::new(next.len(), movement(&components, &next));
            trace.push(step.with_objective(-expectation.log_likelihood));
            components = next;
            progress.step(trace.len())?;
            converged = (expectation.log_likelihood - before).abs() < self.tol * mass;
        }
        Ok(Estimate { components, expectation, converged, trace })
    }

    /// The given initial parameters, checked.
    fn given(&self, dims: usize) -> Result<Given> {
        let MixtureInit::Components(InitialComponents { weights, means, covariances }) = &self.init
        else {
            return Ok(Given::default());
        };
        let k = self.n_clusters.resolved();
        let bad = |value: &str, expected: String| Error::bad_parameter("init", value, expected);
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
        let means = means.as_ref().map(|rows| table(rows, dims, "means to start from"));
        let width = match self.covariance_type {
            CovarianceType::Full => dims * dims,
            CovarianceType::Diag => dims,
            CovarianceType::Spherical => 1,
        };
        let what = "covariances to start from";
        let covariances = covariances.as_ref().map(|rows| table(rows, width, what));
        let covariances = covariances.transpose()?.map(|rows| self.shaped(rows, dims));
        let means = means.transpose()?;
        if let Some(covariances) = &covariances {
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
        Ok((weights.clone(), means, covariances))
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

/// The initial weights, means and covariances that are given.
type Given = (Option<Vec<f64>>, Option<Array2<f64>>, Option<Covariances>);

/// The largest movement of a mean.
fn movement(before: &Components, after: &Components) -> f64 {
    let means = before.means.rows().into_iter().zip(after.means.rows());
    let moved_sq = means.map(|(a, b)| dist_sq(&a.to_vec(), &b.to_vec()));
    moved_sq.fold(0.0, f64::max).sqrt()
}

/// The clusters: the components with the largest responsibility for some point. They are numbered
/// before the components without points.
fn finish(run: Estimate, keeps_order: bool) -> (Grouping, MixtureModel) {
    let k = run.components.len();
    let shares = run.expectation.shares.rows().into_iter();
    let largest: Vec<usize> = shares
        .map(|row| (0..k).fold(0, |best, c| if row[c] > row[best] { c } else { best }))
        .collect();
    let numbers = Renumbering::of(largest.iter().copied(), keeps_order);
    let n_clusters = numbers.n_clusters();
    let labels: Vec<Label> = largest.iter().map(|&c| numbers.get(c)).collect();
    let mut order = numbers.order.clone();
    order.extend((0..k).filter(|&c| numbers.get(c).is_none()));
    let model = MixtureModel::new(run.components.select(&order), n_clusters);
    let centers = model.components().means.slice(s![..n_clusters, ..]);
    let stop = StopReason::of_descent(run.converged);
    let grouping = Grouping {
        centers: Some(centers.to_owned()),
        ..Grouping::new(labels, n_clusters, stop, run.trace)
    };
    (grouping, model)
}
