//! Constraints as a Python object.

use ilk::ndarray::Array2;
use ilk::problem::{Constraint, ConstraintKind};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::conflict::{self, Contradiction};
use crate::error::OrRaise;

/// The entries of a kind: points, names (of labels only), weights, sources.
type Entries<'py> = (
    Bound<'py, PyArray2<i64>>,
    Option<Vec<String>>,
    Bound<'py, PyArray1<f64>>,
    Vec<Option<String>>,
);

/// All constraints on `n` points.
#[pyclass(module = "ilk._core", eq)]
#[derive(PartialEq)]
pub(crate) struct Constraints {
    inner: ilk::problem::Constraints,
}

impl Constraints {
    pub(crate) fn new(inner: ilk::problem::Constraints) -> Self {
        Self { inner }
    }

    pub(crate) fn engine(&self) -> &ilk::problem::Constraints {
        &self.inner
    }
}

#[pymethods]
impl Constraints {
    /// No constraints yet on `n` points, or on points with these ids.
    #[new]
    #[pyo3(signature = (n, ids=None))]
    fn empty(n: usize, ids: Option<Vec<String>>) -> PyResult<Self> {
        Ok(Self::new(match ids {
            Some(ids) => ilk::problem::Constraints::with_ids(ids).or_raise()?,
            None => ilk::problem::Constraints::new(n),
        }))
    }

    /// Adds entries of a kind, the points of one a row. Labels have names; one that is `None` is
    /// left out.
    #[pyo3(signature = (kind, points, names=None, weights=None, sources=None))]
    fn add(
        &mut self,
        kind: &str,
        points: PyReadonlyArray2<'_, i64>,
        names: Option<Vec<Option<String>>>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        sources: Option<Vec<Option<String>>>,
    ) -> PyResult<()> {
        let kind = parse(kind)?;
        for (entry, row) in points.as_array().rows().into_iter().enumerate() {
            let points = row
                .iter()
                .map(|&point| position(kind, entry, point))
                .collect::<PyResult<Vec<usize>>>()?;
            let weight = weights
                .as_ref()
                .and_then(|weights| weights.as_array().get(entry).copied())
                .unwrap_or(1.0);
            let source = sources.as_ref().and_then(|sources| sources.get(entry)?.as_deref());
            if kind != ConstraintKind::Label {
                self.inner.add(kind, &points, weight, source).or_raise()?;
            } else if let Some(name) = names.as_ref().and_then(|names| names.get(entry)?.as_deref())
            {
                self.inner.add_label(points[0], name, weight, source).or_raise()?;
            }
        }
        Ok(())
    }

    /// The same once more.
    fn copy(&self) -> Self {
        Self::new(self.inner.clone())
    }

    /// The constraints all of whose points are among these, on these points alone, in their order.
    fn among(&self, points: PyReadonlyArray1<'_, i64>) -> PyResult<Self> {
        let n = self.inner.n();
        let points = points.as_array();
        let points = points.iter().map(|&point| {
            usize::try_from(point).ok().filter(|&at| at < n).ok_or_else(|| {
                PyValueError::new_err(format!("point {point} is not one of the {n} points"))
            })
        });
        let points = points.collect::<PyResult<Vec<usize>>>()?;
        self.inner.among(&points).or_raise().map(Self::new)
    }

    /// Number of points.
    #[getter]
    fn n(&self) -> usize {
        self.inner.n()
    }

    /// How many entries of a kind there are.
    fn count(&self, kind: &str) -> PyResult<usize> {
        Ok(self.inner.count(parse(kind)?))
    }

    /// The entries of a kind: points, names (of labels only), weights, sources.
    fn entries<'py>(&self, py: Python<'py>, kind: &str) -> PyResult<Entries<'py>> {
        let kind = parse(kind)?;
        let constraints = &self.inner;
        let (weights, sources) = weights_and_sources(constraints, kind).into_iter().unzip();
        let weights: Vec<f64> = weights;
        let names = (kind == ConstraintKind::Label).then(|| {
            let names = constraints.label_names();
            let labels = constraints.labels().iter();
            labels.map(|label| names[label.label].clone()).collect()
        });
        let points = points(constraints, kind).into_pyarray(py);
        Ok((points, names, weights.into_pyarray(py), sources))
    }

    /// The names of the labels, in the order in which they were first given.
    fn label_names(&self) -> Vec<String> {
        self.inner.label_names().to_vec()
    }

    /// The sorted constrained points.
    fn constrained_points<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let points = self.inner.constrained_points().into_iter();
        points.map(|p| p as i64).collect::<Vec<_>>().into_pyarray(py)
    }

    /// At most `limit` contradictions, each with its proof.
    #[pyo3(signature = (limit=None))]
    fn check(&self, py: Python<'_>, limit: Option<usize>) -> Vec<Contradiction> {
        py.detach(|| conflict::list(&self.inner.check(), limit.unwrap_or(usize::MAX)))
    }

    /// A lower bound on the number of clusters: points that are all apart from each other.
    fn min_clusters(&self, py: Python<'_>) -> usize {
        py.detach(|| self.inner.check().min_clusters())
    }

    /// Every entry as a sentence.
    fn describe(&self) -> Vec<String> {
        let every = ConstraintKind::ALL.into_iter();
        every
            .flat_map(|kind| (0..self.inner.count(kind)).map(move |entry| (kind, entry)))
            .filter_map(|(kind, entry)| self.inner.describe(kind, entry))
            .collect()
    }
}

/// The weight and the source of every entry of a kind.
fn weights_and_sources(
    constraints: &ilk::problem::Constraints,
    kind: ConstraintKind,
) -> Vec<(f64, Option<String>)> {
    fn owned(weight: f64, source: Option<&str>) -> (f64, Option<String>) {
        (weight, source.map(str::to_owned))
    }
    fn each<const K: usize>(entries: &[Constraint<K>]) -> Vec<(f64, Option<String>)> {
        let entries = entries.iter();
        entries.map(|entry| owned(entry.weight, entry.source.as_deref())).collect()
    }
    match kind {
        ConstraintKind::MustLink => each(constraints.must_links()),
        ConstraintKind::CannotLink => each(constraints.cannot_links()),
        ConstraintKind::OddOneOut => each(constraints.odd_one_outs()),
        ConstraintKind::AboutEqual => each(constraints.about_equals()),
        ConstraintKind::Closer => each(constraints.closers()),
        ConstraintKind::Label => {
            let labels = constraints.labels().iter();
            labels.map(|label| owned(label.weight, label.source.as_deref())).collect()
        }
    }
}

fn position(kind: ConstraintKind, entry: usize, point: i64) -> PyResult<usize> {
    usize::try_from(point).map_err(|_| {
        PyValueError::new_err(format!(
            "{} {entry} names point {point}; points are counted from 0",
            name(kind)
        ))
    })
}

/// The kind of this name.
fn parse(kind: &str) -> PyResult<ConstraintKind> {
    let known = ConstraintKind::ALL.into_iter().find(|&k| name(k) == kind);
    known.ok_or_else(|| {
        let names = ConstraintKind::ALL.map(name).join(", ");
        PyValueError::new_err(format!(
            "there is no kind of constraint {kind:?}; known kinds: {names}"
        ))
    })
}

/// The name of a kind as Python's arguments spell it.
pub(crate) fn name(kind: ConstraintKind) -> &'static str {
    match kind {
        ConstraintKind::MustLink => "must_link",
        ConstraintKind::CannotLink => "cannot_link",
        ConstraintKind::OddOneOut => "odd_one_out",
        ConstraintKind::AboutEqual => "about_equal",
        ConstraintKind::Closer => "closer",
        ConstraintKind::Label => "labels",
    }
}

/// The points of all entries of a kind, an entry a row.
pub(crate) fn points(constraints: &ilk::problem::Constraints, kind: ConstraintKind) -> Array2<i64> {
    let m = constraints.count(kind);
    Array2::from_shape_fn((m, kind.arity()), |(entry, place)| {
        constraints.points_of(kind, entry).map_or(-1, |points| points[place] as i64)
    })
}
