//! A fitted model: places new points, and becomes bytes and files.

use std::path::PathBuf;
use std::sync::Arc;

use ilk::embed::SparseAxes;
use ilk::group::mixture::Covariances;
use ilk::group::{Label, StopReason};
use ilk::method::{AnyMethod, Method};
use ilk::ndarray::Array2;
use ilk::outcome::{Clustering, Fit};
use ilk::problem::Points;
use ilk_cli::FittedPoints;
use ilk_io::{SavedModel, Scaling};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::constraints::Constraints;
use crate::error::OrRaise;
use crate::learned::LearnedKernel;
use crate::{run, sparse};

/// Shares, means and covariances.
type Parts<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

/// Shares of components, and logarithms of densities.
type SharesAndLogs<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);

/// A fitted model with the method that made it, as a model file holds it.
#[pyclass(frozen, module = "ilk._core")]
pub(crate) struct Model {
    /// Shared with predictions, which may outlive the call that asked for them.
    saved: Arc<SavedModel>,
    /// What the fit found, without the places of points; nothing after loading.
    found: Option<Arc<Clustering>>,
}

impl Model {
    /// The model of a fit on scaled points, in columns of no name yet.
    pub(crate) fn new(method: &AnyMethod, fit: &Fit, scaling: Scaling) -> Self {
        let found = Clustering {
            final_positions: None,
            history: Vec::new(),
            partitions: None,
            ..fit.clustering.clone()
        };
        let saved = SavedModel::new(method, fit, None, scaling);
        Self { found: Some(Arc::new(found)), ..Self::of(saved) }
    }

    /// The same model for rows that were projected before they were scaled.
    pub(crate) fn with_axes(self, axes: Option<SparseAxes>) -> Self {
        Self { saved: Arc::new(SavedModel { axes, ..(*self.saved).clone() }), found: self.found }
    }

    /// The model as a file holds it.
    pub(crate) fn saved(&self) -> Arc<SavedModel> {
        Arc::clone(&self.saved)
    }

    fn of(saved: SavedModel) -> Self {
        Self { saved: Arc::new(saved), found: None }
    }
}

#[pymethods]
impl Model {
    /// A model from the bytes of a model file.
    #[new]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        SavedModel::from_bytes(bytes).or_raise().map(Self::of)
    }

    /// A model from a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| ilk_io::load_model(path).or_raise()).map(Self::of)
    }

    /// Writes the model to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| ilk_io::save_model(path, &self.saved).or_raise())
    }

    /// The same model with names for the columns it was fitted on.
    fn with_features(&self, features: Vec<String>) -> Self {
        let features = Some(features);
        let found = self.found.clone();
        Self { found, ..Self::of(SavedModel { features, ..(*self.saved).clone() }) }
    }

    /// The report of the fit on these points, a page of HTML.
    #[allow(clippy::too_many_arguments, reason = "each is a part of the report")]
    fn report(
        &self,
        py: Python<'_>,
        x: PyReadonlyArray2<'_, f64>,
        ids: Vec<String>,
        features: Vec<String>,
        constraints: Option<PyRef<'_, Constraints>>,
        name: String,
        command: String,
        seconds: f64,
    ) -> PyResult<String> {
        let points = Points::new(x.as_array().to_owned()).or_raise()?;
        let Some(found) = &self.found else {
            let message = "a model that was loaded does not keep what a report tells; fit again";
            return Err(PyValueError::new_err(message));
        };
        let fitted = FittedPoints {
            name,
            constraints: constraints.map_or_else(
                || ilk::problem::Constraints::new(points.len()),
                |constraints| constraints.engine().clone(),
            ),
            points,
            ids,
            feature_names: features,
            scaling: self.saved.scaling.clone(),
            method: self.saved.method.clone(),
            fit: Fit { clustering: (**found).clone(), model: self.saved.model.clone() },
            seconds,
            command,
        };
        py.detach(|| ilk_cli::report(fitted))
            .map_err(|error| PyValueError::new_err(format!("{error:#}")))
    }

    /// For pickle: the arguments that make the same model again.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        let bytes = py.detach(|| self.saved.to_bytes().or_raise())?;
        Ok((PyBytes::new(py, &bytes),))
    }

    /// The method and its parameters, as JSON.
    #[getter]
    fn method(&self) -> PyResult<String> {
        serde_json::to_string(&self.saved.method)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The names of the columns it was fitted on, if they had any.
    #[getter]
    fn features(&self) -> Option<Vec<String>> {
        self.saved.features.clone()
    }

    /// The clusters of the points it was fitted on; -1 for noise.
    #[getter]
    fn labels(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        label_array(py, &self.saved.labels)
    }

    /// Number of clusters.
    #[getter]
    fn n_clusters(&self) -> usize {
        self.saved.model.n_clusters()
    }

    /// Number of columns that new points must have.
    #[getter]
    fn n_features(&self) -> usize {
        self.saved.dims()
    }

    /// The axes onto which sparse rows are projected before they are predicted.
    #[getter]
    fn axes(&self) -> Option<sparse::SparseAxes> {
        self.saved.axes.clone().map(sparse::SparseAxes::from)
    }

    /// Whether rows count by their direction alone.
    #[getter]
    fn is_cosine(&self) -> bool {
        self.saved.scaling.unit_rows
    }

    /// One row a cluster, in the units of the data, for methods that have centres.
    #[getter]
    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let modes = match &self.saved.model {
            ilk::outcome::AnyModel::MeanShift(model) => model.modes(),
            ilk::outcome::AnyModel::KMeans(model) => model.centers(),
            _ => return Ok(None),
        };
        let mut modes = self.saved.scaling.undo(modes).or_raise()?;
        if let Some(axes) = &self.saved.axes {
            modes = axes.restore(modes.view());
        }
        Ok(Some(modes.into_pyarray(py)))
    }

    /// Shares, means and covariances of a mixture, in the units of the data; a row of covariances is
    /// a matrix row by row, or variances.
    #[getter]
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Option<Parts<'py>>> {
        let ilk::outcome::AnyModel::Mixture(model) = &self.saved.model else {
            return Ok(None);
        };
        let components = model.components();
        let means = self.saved.scaling.undo(&components.means).or_raise()?;
        let covariances = unscaled(&components.covariances, &self.saved.scaling.factor);
        Ok(Some((
            components.weights.clone().into_pyarray(py),
            means.into_pyarray(py),
            covariances.into_pyarray(py),
        )))
    }

    /// The bandwidth that was used, for methods with one.
    #[getter]
    fn bandwidth(&self) -> Option<f64> {
        self.saved.bandwidth
    }

    /// The kernel that was learned, for methods that learn one.
    #[getter]
    fn kernel(&self) -> Option<LearnedKernel> {
        match &self.saved.model {
            ilk::outcome::AnyModel::LearnedKernel(model) => {
                Some(LearnedKernel::of(model, &self.saved.scaling))
            }
            _ => None,
        }
    }

    /// What the method chose by itself: the name of the parameter, the value, and by what.
    #[getter]
    fn chosen(&self) -> Vec<(String, String, String)> {
        let chosen = self.saved.chosen.iter().cloned();
        chosen.map(|chosen| (chosen.parameter, chosen.value, chosen.by)).collect()
    }

    /// Iterations done by the fit.
    #[getter]
    fn iterations(&self) -> usize {
        self.saved.iterations
    }

    /// Whether the fit ended because nothing moved any more.
    #[getter]
    fn converged(&self) -> bool {
        self.saved.stop == StopReason::Converged
    }

    /// The clusters of new points; -1 for noise.
    #[pyo3(signature = (x, n_jobs=None))]
    fn predict(
        &self,
        py: Python<'_>,
        x: PyReadonlyArray2<'_, f64>,
        n_jobs: Option<isize>,
    ) -> PyResult<Py<PyArray1<i64>>> {
        let points = Points::new(x.as_array().to_owned()).or_raise()?;
        let saved = Arc::clone(&self.saved);
        let labels = run::cancellable(py, n_jobs, move |observer| -> ilk_io::Result<_> {
            let scaled = saved.scaling.apply(&points)?;
            Ok(saved.model.predict_observed(&scaled, observer)?)
        })?
        .or_raise()?;
        Ok(label_array(py, &labels))
    }

    /// The probabilities of the clusters of new points, by the votes of a consensus.
    #[pyo3(signature = (x, n_jobs=None))]
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'_, f64>,
        n_jobs: Option<isize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let points = Points::new(x.as_array().to_owned()).or_raise()?;
        let saved = Arc::clone(&self.saved);
        let found = run::cancellable(py, n_jobs, move |observer| -> ilk_io::Result<_> {
            let scaled = saved.scaling.apply(&points)?;
            if let ilk::outcome::AnyModel::Consensus(model) = &saved.model {
                return Ok(model.predict_confidence(&scaled, observer)?.probabilities);
            }
            // Without votes, where every point was labelled, all that is known is the cluster.
            let labels = saved.model.predict_observed(&scaled, observer)?;
            let mut certain = Array2::zeros((labels.len(), saved.model.n_clusters()));
            for (point, label) in labels.iter().enumerate() {
                if let Some(cluster) = *label {
                    certain[[point, cluster]] = 1.0;
                }
            }
            Ok(certain)
        })?
        .or_raise()?;
        Ok(found.into_pyarray(py))
    }

    /// The shares of a mixture's components in new points, and the logarithms of the points'
    /// densities in the units of the data.
    #[pyo3(signature = (x, n_jobs=None))]
    fn densities<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'_, f64>,
        n_jobs: Option<isize>,
    ) -> PyResult<SharesAndLogs<'py>> {
        let points = Points::new(x.as_array().to_owned()).or_raise()?;
        let saved = Arc::clone(&self.saved);
        let (shares, logs) = run::cancellable(py, n_jobs, move |_| -> ilk_io::Result<_> {
            let ilk::outcome::AnyModel::Mixture(model) = &saved.model else {
                return Err(ilk::Error::Unsupported {
                    method: saved.method.info().name,
                    what: "densities".to_owned(),
                    alternatives: "gaussian-mixture has them".to_owned(),
                }
                .into());
            };
            let scaled = saved.scaling.apply(&points)?;
            let (shares, mut logs) = model.densities(scaled.view())?;
            let volume: f64 = saved.scaling.factor.iter().map(|factor| factor.ln()).sum();
            logs.mapv_inplace(|log| log - volume);
            Ok((shares, logs))
        })?
        .or_raise()?;
        Ok((shares.into_pyarray(py), logs.into_pyarray(py)))
    }
}

/// Covariances in the units of the data, one row a component. A ball in scaled columns is taken back by
/// their mean factor.
fn unscaled(covariances: &Covariances, factor: &[f64]) -> Array2<f64> {
    let dims = factor.len();
    match covariances {
        Covariances::Full(each) => Array2::from_shape_fn((each.len(), dims * dims), |(c, at)| {
            let (i, j) = (at / dims, at % dims);
            each[c][[i, j]] * factor[i] * factor[j]
        }),
        Covariances::Diag(each) => {
            Array2::from_shape_fn(each.dim(), |(c, i)| each[[c, i]] * factor[i] * factor[i])
        }
        Covariances::Spherical(each) => {
            let mean = factor.iter().map(|f| f * f).sum::<f64>() / dims as f64;
            Array2::from_shape_fn((each.len(), 1), |(c, _)| each[c] * mean)
        }
    }
}

/// Labels as scikit-learn writes them: -1 is noise.
pub(crate) fn label_array(py: Python<'_>, labels: &[Label]) -> Py<PyArray1<i64>> {
    let labels: Vec<i64> =
        labels.iter().map(|label| label.map_or(-1, |cluster| cluster as i64)).collect();
    labels.into_pyarray(py).unbind()
}
