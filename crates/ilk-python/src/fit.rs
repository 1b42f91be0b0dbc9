//! One fit for every method.

use ilk::group::Snapshot;
use ilk::method::{AnyMethod, Method};
use ilk::ndarray::{Array3, Axis};
use ilk::observe::Observer;
use ilk::outcome::{Chosen, ConstraintReport, Fit};
use ilk::problem::{Graph, InputKind, Points, Problem};
use ilk_io::{Scale, Scaling};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyReadonlyArray1, PyReadonlyArray2, ToPyArray,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::constraints::{self, Constraints};
use crate::error::OrRaise;
use crate::model::{Model, label_array};
use crate::run::{self, Watch};
use crate::sparse::{SparseAxes, places};
use crate::{recipe, weights};

/// The part of every point, and the affinities of parts.
type Partitions = (Py<PyArray1<i64>>, Py<PyArray2<f64>>);

/// The probability of every point's cluster, and the next likeliest cluster.
type PointConfidence = (Py<PyArray1<f64>>, Py<PyArray1<i64>>);

/// A member of a consensus: method, number of clusters, settings by parameter, score and weight.
type MemberReport = (String, Option<usize>, Vec<(String, String)>, Option<f64>, f64);

/// A number of clusters: agreement of methods, separation, and agreement with held-out constraints.
type ClusterCount = (usize, f64, f64, Option<f64>);

/// What a fit found, and how.
#[pyclass(frozen, get_all, module = "ilk._core")]
pub(crate) struct FitResult {
    /// The groups, and what places new points.
    model: Py<Model>,
    /// Kind of constraint to the points of the entries kept and of those broken.
    report: Py<PyDict>,
    /// What a user should know of the fit: the name of each warning, and its message.
    warnings: Vec<(&'static str, String)>,
    /// For every iteration, the centres still active, and the largest movement.
    trace: (Py<PyArray1<i64>>, Py<PyArray1<f64>>),
    /// What the run minimises, after every iteration, for methods with such a number.
    objectives: Option<Py<PyArray1<f64>>>,
    /// The bandwidth of every iteration, for methods that change it.
    bandwidths: Option<Py<PyArray1<f64>>>,
    /// One row a cluster: its centre, in the space in which the groups were found.
    centers: Option<Py<PyArray2<f64>>>,
    /// Where the centre of every point ended, for methods that move one for each.
    final_positions: Option<Py<PyArray2<f64>>>,
    /// The part of every point, and the affinities of parts, for methods whose clusters are made of parts.
    partitions: Option<Partitions>,
    /// The probability of every point's cluster, and the next likeliest cluster (-1 where there is none), for methods
    /// that estimate it.
    confidence: Option<PointConfidence>,
    /// The members of a consensus: method, number of clusters, settings, score and weight.
    leaderboard: Vec<MemberReport>,
    /// What speaks for the numbers of clusters that a consensus tried; empty for other methods.
    cluster_counts: Vec<ClusterCount>,
    /// The centres on the way, and after how many iterations each was taken; none were asked for if
    /// it is empty.
    history: (Py<PyArray3<f64>>, Py<PyArray1<i64>>),
}

/// Fits a method, given as JSON with its parameters, to points.
#[pyfunction]
#[pyo3(signature = (method, x, weights=None, constraints=None, n_jobs=None, callback=None, cosine=false, axes=None))]
#[allow(clippy::too_many_arguments, reason = "each is a part of the fit")]
pub(crate) fn fit(
    py: Python<'_>,
    method: &str,
    x: PyReadonlyArray2<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    constraints: Option<PyRef<'_, Constraints>>,
    n_jobs: Option<isize>,
    callback: Option<Py<PyAny>>,
    cosine: bool,
    axes: Option<PyRef<'_, SparseAxes>>,
) -> PyResult<FitResult> {
    let method = recipe::method(method)?;
    let (points, scaling) = points(&x, cosine)?;
    let given = given(constraints, points.len());
    let recipe = method.clone();
    let watch = watch_of(&method, n_jobs, callback);
    let fit = if let Some(weights) = weights {
        let (weights, given) = (weights.as_array().to_vec(), given.clone());
        run::watched(py, watch, move |observer| {
            weights::fit(&recipe, &points, &weights, &given, observer)
        })
    } else {
        let problem = Problem::new(points, given.clone()).or_raise()?;
        run::watched(py, watch, move |observer| recipe.fit(&problem, observer))
    };
    let mut fit = fit?.or_raise()?;
    let axes = axes.map(|axes| axes.engine());
    fit.clustering.chosen.extend(axes.as_deref().map(|axes| Chosen {
        parameter: "axes".to_owned(),
        value: axes.n_axes().to_string(),
        by: format!("sparse rows, of whose squared lengths they keep {:.0}%", 100.0 * axes.share()),
    }));
    let model = Model::new(&method, &fit, scaling).with_axes(axes.as_deref().cloned());
    FitResult::new(py, model, &fit, &given)
}

/// A warning of a fit that will take long, before it starts, by fits on two samples of its rows.
#[pyfunction]
#[pyo3(signature = (method, x, constraints=None, n_jobs=None, cosine=false))]
pub(crate) fn long_fit(
    py: Python<'_>,
    method: &str,
    x: PyReadonlyArray2<'_, f64>,
    constraints: Option<PyRef<'_, Constraints>>,
    n_jobs: Option<isize>,
    cosine: bool,
) -> PyResult<Option<String>> {
    if x.as_array().nrows() < ilk_cli::LONG_FIT_ROWS {
        return Ok(None);
    }
    let method = recipe::method(method)?;
    let points = points(&x, cosine)?.0;
    let problem = Problem::new(points.clone(), given(constraints, points.len())).or_raise()?;
    let name = method.info().class;
    let work = move |observer: &dyn Observer| ilk_cli::long_fit(&method, &problem, observer);
    let long = run::cancellable(py, n_jobs, work)?.or_raise()?;
    Ok(long.map(|long| long.told(name, LONG_FIT_ADVICE)))
}

/// What to do instead of a fit that will take long.
const LONG_FIT_ADVICE: &str = "take Auto, which groups a sample within its budget and places all rows, or fit a part of \
                               the rows and predict the others";

/// Points, scaled to unit length where only their directions count.
fn points(x: &PyReadonlyArray2<'_, f64>, cosine: bool) -> PyResult<(Points, Scaling)> {
    let points = Points::new(x.as_array().to_owned()).or_raise()?;
    let scaling = if cosine { Scale::Unit } else { Scale::None }.fit(&points);
    let points = if scaling.is_identity() { points } else { scaling.apply(&points).or_raise()? };
    Ok((points, scaling))
}

/// How a fit by a method is watched: a consensus that is interrupted is worth having.
fn watch_of(method: &AnyMethod, n_jobs: Option<isize>, callback: Option<Py<PyAny>>) -> Watch {
    Watch { n_jobs, callback, keeps_best: matches!(method, AnyMethod::Auto(_)) }
}

/// A graph from its compressed sparse rows.
pub(crate) fn graph(
    offsets: &PyReadonlyArray1<'_, i64>,
    neighbors: &PyReadonlyArray1<'_, i64>,
    values: &PyReadonlyArray1<'_, f64>,
) -> PyResult<Graph> {
    let values = values.as_array().to_vec();
    Graph::from_parts(&places(offsets)?, &places(neighbors)?, &values).or_raise()
}

/// Fits a method to a graph, given by its compressed sparse rows.
#[pyfunction]
#[pyo3(signature = (method, offsets, neighbors, values, weights=None, constraints=None, n_jobs=None, callback=None))]
#[allow(clippy::too_many_arguments, reason = "a sparse matrix is three arrays")]
pub(crate) fn fit_graph(
    py: Python<'_>,
    method: &str,
    offsets: PyReadonlyArray1<'_, i64>,
    neighbors: PyReadonlyArray1<'_, i64>,
    values: PyReadonlyArray1<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    constraints: Option<PyRef<'_, Constraints>>,
    n_jobs: Option<isize>,
    callback: Option<Py<PyAny>>,
) -> PyResult<FitResult> {
    let method = recipe::method(method)?;
    let graph = graph(&offsets, &neighbors, &values)?;
    let given = given(constraints, graph.len());
    let mut problem = Problem::new(graph, given.clone()).or_raise()?;
    if let Some(weights) = weights {
        problem = problem.with_weights(weights.as_array().to_vec()).or_raise()?;
    }
    let recipe = method.clone();
    let watch = watch_of(&method, n_jobs, callback);
    let fit = run::watched(py, watch, move |observer| recipe.fit(&problem, observer))?;
    let fit = fit.or_raise()?;
    let scaling = Scaling::identity(fit.model.dims());
    FitResult::new(py, Model::new(&method, &fit, scaling), &fit, &given)
}

/// Groups the points of an earlier fit again, in the space that it learned, by a method that has
/// another number of clusters.
#[pyfunction]
#[pyo3(signature = (method, learned, x, constraints=None, n_jobs=None))]
pub(crate) fn regroup(
    py: Python<'_>,
    method: &str,
    learned: PyRef<'_, Model>,
    x: PyReadonlyArray2<'_, f64>,
    constraints: Option<PyRef<'_, Constraints>>,
    n_jobs: Option<isize>,
) -> PyResult<FitResult> {
    let method = recipe::method(method)?;
    let points = Points::new(x.as_array().to_owned()).or_raise()?;
    let given = given(constraints, points.len());
    let saved = learned.saved();
    let (recipe, about) = (method.clone(), given.clone());
    let fit = run::cancellable(py, n_jobs, move |observer| -> ilk_io::Result<_> {
        let problem = Problem::new(saved.scaling.apply(&points)?, about)?;
        let mut fit = recipe.regroup(&saved.model, &problem, observer)?;
        fit.clustering.chosen.clone_from(&saved.chosen);
        Ok((fit, saved))
    })?;
    let (fit, saved) = fit.or_raise()?;
    let model = Model::new(&method, &fit, saved.scaling.clone()).with_axes(saved.axes.clone());
    FitResult::new(py, model, &fit, &given)
}

/// The numbers of neighbours around the one that was chosen, and how many clusters each gives. `method`
/// is semi-supervised kernel mean shift.
#[pyfunction]
#[pyo3(signature = (method, x, constraints=None, n_jobs=None))]
pub(crate) fn stability(
    py: Python<'_>,
    method: &str,
    x: PyReadonlyArray2<'_, f64>,
    constraints: Option<PyRef<'_, Constraints>>,
    n_jobs: Option<isize>,
) -> PyResult<(Vec<usize>, Vec<usize>)> {
    let AnyMethod::Skms(skms) = recipe::method(method)? else {
        return Err(PyValueError::new_err("stability is about SKMS alone"));
    };
    let points = Points::new(x.as_array().to_owned()).or_raise()?;
    let given = given(constraints, points.len());
    let problem = Problem::new(points, given).or_raise()?;
    let found = run::cancellable(py, n_jobs, move |observer| skms.stability(&problem, observer))?;
    let found = found.or_raise()?;
    Ok((found.neighbors, found.clusters))
}

/// Constraints; nothing of any of the `n` points where nothing is given.
fn given(constraints: Option<PyRef<'_, Constraints>>, n: usize) -> ilk::problem::Constraints {
    constraints.map_or_else(|| ilk::problem::Constraints::new(n), |c| c.engine().clone())
}

/// The methods there are: name, class, summary, paper, what each takes, and its parameters.
#[pyfunction]
pub(crate) fn methods(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let words =
        |kinds: &[InputKind]| -> Vec<String> { kinds.iter().map(ToString::to_string).collect() };
    let describe = |info: &ilk::method::MethodInfo| {
        let dict = PyDict::new(py);
        dict.set_item("name", info.name)?;
        dict.set_item("class", info.class)?;
        dict.set_item("summary", info.summary)?;
        dict.set_item("paper", info.paper)?;
        dict.set_item("inputs", words(info.inputs))?;
        let supervision: Vec<_> = info.supervision.iter().map(|&k| constraints::name(k)).collect();
        dict.set_item("supervision", supervision)?;
        dict.set_item("takes_clusters", info.takes_clusters)?;
        dict.set_item("predicts", words(info.predicts))?;
        dict.set_item("supports_weights", words(info.supports_weights))?;
        let parameters = PyDict::new(py);
        for parameter in info.parameters {
            let text = format!(
                "{} {}; default {}.",
                parameter.doc,
                parameter.expected(),
                parameter.default()
            );
            parameters.set_item(parameter.name, text)?;
        }
        dict.set_item("parameters", parameters)?;
        Ok(dict)
    };
    AnyMethod::ALL.iter().map(|info| describe(info)).collect()
}

impl FitResult {
    fn new(
        py: Python<'_>,
        model: Model,
        fit: &Fit,
        given: &ilk::problem::Constraints,
    ) -> PyResult<Self> {
        let found = &fit.clustering;
        let steps = found.trace.iter();
        let (active, movement): (Vec<i64>, Vec<f64>) =
            steps.map(|step| (step.active as i64, step.movement)).unzip();
        let objectives: Option<Vec<f64>> = found.trace.iter().map(|step| step.objective).collect();
        let bandwidths: Option<Vec<f64>> = found.trace.iter().map(|step| step.bandwidth).collect();
        let (n, dims) = (found.labels.len(), fit.model.dims());
        let iterations = found.history.iter().map(|snapshot| snapshot.iteration as i64);
        let iterations: Vec<i64> = iterations.collect();
        Ok(Self {
            model: Py::new(py, model)?,
            report: report(py, &found.report, given)?,
            warnings: found
                .warnings(given)
                .into_iter()
                .map(|warning| (warning.name(), warning.to_string()))
                .collect(),
            trace: (active.into_pyarray(py).unbind(), movement.into_pyarray(py).unbind()),
            objectives: objectives.map(|each| each.into_pyarray(py).unbind()),
            bandwidths: bandwidths.map(|each| each.into_pyarray(py).unbind()),
            centers: found.modes.as_ref().map(|centers| centers.to_pyarray(py).unbind()),
            final_positions: found
                .final_positions
                .as_ref()
                .map(|final_positions| final_positions.to_pyarray(py).unbind()),
            partitions: found.partitions.as_ref().map(|partitions| {
                let of_point = partitions.of_point.iter().map(|&part| part as i64);
                let of_point: Vec<i64> = of_point.collect();
                (of_point.into_pyarray(py).unbind(), partitions.affinity.to_pyarray(py).unbind())
            }),
            confidence: found.confidence.as_ref().map(|of_points| {
                let sure = of_points.confidence.to_pyarray(py).unbind();
                (sure, label_array(py, &of_points.runner_up))
            }),
            leaderboard: found.leaderboard.iter().cloned().map(member).collect(),
            cluster_counts: found
                .cluster_counts
                .iter()
                .map(|of| (of.n_clusters, of.agreement, of.separation, of.score))
                .collect(),
            history: (
                stacked(&found.history, n, dims).into_pyarray(py).unbind(),
                iterations.into_pyarray(py).unbind(),
            ),
        })
    }
}

fn member(report: ilk::outcome::MemberReport) -> MemberReport {
    (report.method, report.n_clusters, report.settings, report.score, report.weight)
}

/// Snapshots of `n` centres as one array, the first one first.
fn stacked(history: &[Snapshot], n: usize, dims: usize) -> Array3<f64> {
    let mut stack = Array3::zeros((history.len(), n, dims));
    for (mut layer, snapshot) in stack.axis_iter_mut(Axis(0)).zip(history) {
        layer.assign(&snapshot.centers);
    }
    stack
}

fn report(
    py: Python<'_>,
    report: &ConstraintReport,
    given: &ilk::problem::Constraints,
) -> PyResult<Py<PyDict>> {
    let dict = PyDict::new(py);
    for kind in &report.kinds {
        let points = constraints::points(given, kind.kind);
        let take = |entries: &[usize]| points.select(Axis(0), entries);
        let (kept, broken) = (take(&kind.kept), take(&kind.broken));
        dict.set_item(
            constraints::name(kind.kind),
            (kept.into_pyarray(py), broken.into_pyarray(py)),
        )?;
    }
    Ok(dict.unbind())
}
