"""What all estimators share: input, constraints, the call of the engine, save and load."""

from __future__ import annotations

import json
import math
import numbers
import os
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from . import _core
from ._constraints import Constraints
from ._explanation import Explanation, explanation_of
from ._learned import Chosen
from ._plot import plot
from ._progress import Callback, progress_of
from ._random import seed_from
from ._report import ConstraintReport, KindReport
from ._rows import SPARSE_AXES, compressed_rows, dense, is_cosine, unit_rows
from ._supervision import collect_constraints, pandas_index
from ._warnings import warn_of, warn_of_long_fit

Self = TypeVar("Self", bound="Clusterer")

TRACE = np.dtype([("active", np.int64), ("movement", np.float64)])

#: Every estimator of the package by the engine's name of its method.
ESTIMATORS: dict[str, type[Clusterer]] = {}


class Clusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]  # they have no types
    """A clustering method of the engine as a scikit-learn estimator.

    A subclass names the engine's method and lists its parameters, under the engine's names, in
    ``__init__``; ``random_state`` becomes the engine's ``seed``. Everything else is here.
    """

    _method: ClassVar[str]

    labels_: npt.NDArray[np.int64]
    n_clusters_: int
    n_iter_: int
    converged_: bool
    n_features_in_: int
    chosen_: list[Chosen]
    constraint_report_: ConstraintReport
    trace_: np.recarray[Any, Any]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "_method" in vars(cls):  # a user's subclass of an estimator is not the estimator
            ESTIMATORS[cls._method] = cls

    def fit(
        self: Self,
        X: Any,
        y: npt.ArrayLike | None = None,
        *,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
        odd_one_out: npt.ArrayLike | None = None,
        about_equal: npt.ArrayLike | None = None,
        closer: npt.ArrayLike | None = None,
        constraints: Constraints | None = None,
    ) -> Self:
        """Find the groups.

        Points are named by position. If ``X`` is a pandas frame, entries that are not integers are
        looked up in its index; to name points by integer ids pass ``constraints`` made with
        ``ids``, which are looked up there too. Constraints with ids and an ``X`` without are
        refused: see :meth:`Constraints.by_position`.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points.
        y : array-like of shape (n_samples,), optional
            Labels of some points, -1 = unknown (scikit-learn's semi-supervised convention). A
            pandas series is aligned by index with a frame ``X``.
            **They guide the result**: leave out true labels that are only meant for scoring.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs that belong together, and pairs that do not.
        odd_one_out : array-like of shape (m, 3), optional
            Of three points the last is the odd one.
        about_equal : array-like of shape (m, 3), optional
            Three points that are about equally different.
        closer : array-like of shape (m, 3), optional
            Anchor, near, far.
        constraints : Constraints, optional
            All of these in one object, with weights, ids and sources; what is given beside it is
            added to it.

        Returns
        -------
        self
        """
        given = {
            "must_link": must_link,
            "cannot_link": cannot_link,
            "odd_one_out": odd_one_out,
            "about_equal": about_equal,
            "closer": closer,
        }
        return self._fit(X, y, given, constraints)

    def _fit(
        self: Self,
        X: Any,
        y: npt.ArrayLike | None,
        given: Mapping[str, Any],
        constraints: Constraints | None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> Self:
        """Do what ``fit`` says."""
        index = pandas_index(X)
        X = self._validated(X)
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True
            )
        constraints = collect_constraints(X.shape[0], y, given, constraints, index)
        start = time.perf_counter()
        with progress_of(self.verbose, type(self).__name__) as callback:
            result = self._run(X, weights, constraints, callback)
        self._seconds = time.perf_counter() - start
        self._set_result(result, constraints.ids if index is None else list(index))
        warn_of(result)
        self._constraints = constraints
        if index is not None:
            self.index_ = index
        elif hasattr(self, "index_"):
            del self.index_
        return self

    def _validated(self, X: Any) -> Any:
        """Return the input, checked: an array, or sparse rows where those are taken."""
        accept = "csr" if self._takes_sparse() else False
        return validate_data(self, X, dtype=np.float64, accept_sparse=accept, order="C")

    def _is_matrix(self) -> bool:
        """Say whether ``X`` is a graph or a matrix of similarities instead of points."""
        return False

    def _takes_sparse(self) -> bool:
        """Say whether ``X`` may be sparse."""
        return not self._is_matrix()

    def _by_direction(self) -> bool:
        """Say whether only the directions of points count."""
        return is_cosine(getattr(self, "metric", "euclidean"), self._is_matrix())

    def _run(
        self, X: Any, weights: Any, constraints: Constraints, callback: Callback
    ) -> _core.FitResult:
        """Let the engine find the groups."""
        threads, axes = jobs(self.n_jobs), None
        by_direction = self._by_direction()
        if not isinstance(X, np.ndarray):
            rows = compressed_rows(X)
            axes, X = _core.SparseAxes.fit(*rows, X.shape[1], SPARSE_AXES, by_direction, threads)
        method, given = self._engine_json(), constraints._core
        by_direction = by_direction and hasattr(self, "metric")
        if not self._is_matrix():
            warn_of_long_fit(_core.long_fit(method, X, given, threads, by_direction))
        return _core.fit(method, X, weights, given, threads, callback, by_direction, axes)

    def _set_result(self, result: _core.FitResult, ids: list[Hashable] | None) -> None:
        """Take over everything that a fit found on points with these ids."""
        self._set_model(result.model)
        self._set_fit_attributes(result)
        self.trace_ = np.rec.fromarrays(result.trace, dtype=TRACE)
        self.constraint_report_ = ConstraintReport(
            {kind: KindReport(*entries, ids) for kind, entries in result.report.items()}
        )

    def fit_predict(
        self, X: Any, y: npt.ArrayLike | None = None, **kwargs: Any
    ) -> npt.NDArray[np.int64]:
        """Find the groups and return the cluster of every point.

        Parameters
        ----------
        X, y, **kwargs
            As in :meth:`fit`.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        return self.fit(X, y, **kwargs).labels_

    def explain(self, X: Any) -> Explanation:
        """Say what the clusters are: typical rows, the features that set them apart, silhouettes.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points that were fitted, in the same order; they are not kept.

        Returns
        -------
        explanation : Explanation
            Records that pandas and polars take, and rows between clusters and far from all others.
        """
        X, names = self._fitted_points(X)
        X = unit_rows(X) if self._model.is_cosine else X
        rows = list(self.index_) if hasattr(self, "index_") else range(len(X))
        return explanation_of(X, self.labels_, rows, names)

    def plot(self, X: Any, ax: Any = None) -> Any:
        """Draw the points in the colours of their clusters, with matplotlib.

        Two columns are drawn as they are, more on the two principal axes. Where the method tells how
        sure a cluster is (``confidence_``), points are paler the less sure it is.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points that were fitted, in the same order; they are not kept.
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default axes of their own.

        Returns
        -------
        ax : matplotlib.axes.Axes
        """
        X, names = self._fitted_points(X)
        X = unit_rows(X) if self._model.is_cosine else X
        return plot(X, self.labels_, names, getattr(self, "confidence_", None), ax)

    def report(self, path: str | os.PathLike[str], X: Any) -> None:
        """Write a report that any browser opens, the page of ``ilk cluster --report``.

        Parameters
        ----------
        path : path-like
            Where to write it.
        X : array-like or data frame of shape (n_samples, n_features)
            The points that were fitted, in the same order; they are not kept.
        """
        X, names = self._fitted_points(X)
        rows = list(self.index_) if hasattr(self, "index_") else range(len(X))
        constraints = getattr(self, "_constraints", None)
        name = type(self).__name__
        page = self._model.report(
            X,
            [str(row) for row in rows],
            names,
            None if constraints is None else constraints._core,
            name,
            f"ilk.{self!r}.fit(X)",
            getattr(self, "_seconds", 0.0),
        )
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def _fitted_points(self, X: Any) -> tuple[npt.NDArray[np.float64], list[str]]:
        """Return the points that were fitted, and the names of their columns."""
        X = self._new_points(X)
        if len(X) != len(self.labels_):
            raise ValueError(
                f"X has {len(X)} rows, but {len(self.labels_)} were fitted; pass the X of the fit"
            )
        if self._model.axes is not None:
            return X, [f"axis {i + 1}" for i in range(X.shape[1])]
        names = getattr(self, "feature_names_in_", None)
        return X, [f"x{i}" for i in range(X.shape[1])] if names is None else list(map(str, names))

    def _new_points(self, X: Any) -> npt.NDArray[np.float64]:
        """Return points as the model takes them: those of the fit, or new ones."""
        check_is_fitted(self)
        accept = "csr" if self._takes_sparse() else False
        X = validate_data(
            self, X, dtype=np.float64, accept_sparse=accept, order="C", reset=False
        )
        return self._coordinates(X)

    def _coordinates(self, X: Any) -> npt.NDArray[np.float64]:
        """Return rows along the axes of the model, where sparse rows were fitted."""
        return dense(X, self._model.axes, jobs(self.n_jobs))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file that :func:`ilk.load` and the command line read.

        Parameters
        ----------
        path : path-like
            Where to write it.
        """
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        model = self._model if names is None else self._model.with_features(list(names))
        model.save(os.fspath(path))

    @property
    def labels_series_(self) -> Any:
        """The labels as a pandas series with the index of the frame that was fitted."""
        if not hasattr(self, "index_"):
            raise AttributeError("labels_series_ exists after a fit on a pandas frame only")
        import pandas as pd

        return pd.Series(self.labels_, index=self.index_, name="cluster")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_matrix()
        tags.input_tags.sparse = self._takes_sparse()
        return tags

    def _set_model(self, model: _core.Model) -> None:
        """Take over what a model says of its fit."""
        self._model = model
        self.labels_ = model.labels
        self.n_clusters_ = model.n_clusters
        self.n_iter_ = model.iterations
        self.converged_ = model.converged
        self.chosen_ = [Chosen(*each) for each in model.chosen]

    def _set_fit_attributes(self, result: _core.FitResult) -> None:
        """Take over what only a fit knows, and a saved model does not; for subclasses."""

    def _engine_json(self) -> str:
        """Return the method and its parameters as the engine reads them."""
        return engine_json(self, self._method)

    @classmethod
    def _from_engine_params(cls, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the engine's parameters under the names and in the forms of this class."""
        return dict(params)


class WeightedClusterer(Clusterer):
    """A method that counts a point as often as its weight says."""

    def fit(
        self: Self,
        X: Any,
        y: npt.ArrayLike | None = None,
        *,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
        odd_one_out: npt.ArrayLike | None = None,
        about_equal: npt.ArrayLike | None = None,
        closer: npt.ArrayLike | None = None,
        constraints: Constraints | None = None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> Self:
        """Find the groups.

        Points are named by position. If ``X`` is a pandas frame, entries that are not integers are
        looked up in its index; to name points by integer ids pass ``constraints`` made with
        ``ids``, which are looked up there too. Constraints with ids and an ``X`` without are
        refused: see :meth:`Constraints.by_position`.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points.
        y : array-like of shape (n_samples,), optional
            Labels of some points, -1 = unknown (scikit-learn's semi-supervised convention). A
            pandas series is aligned by index with a frame ``X``.
            **They guide the result**: leave out true labels that are only meant for scoring.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs that belong together, and pairs that do not.
        odd_one_out : array-like of shape (m, 3), optional
            Of three points the last is the odd one.
        about_equal : array-like of shape (m, 3), optional
            Three points that are about equally different.
        closer : array-like of shape (m, 3), optional
            Anchor, near, far.
        constraints : Constraints, optional
            All of these in one object, with weights, ids and sources; what is given beside it is
            added to it.
        sample_weight : array-like of shape (n_samples,), optional
            A point of weight w counts as w points; a point of weight 0 has no part in the result
            and is placed as a new point would be.

        Returns
        -------
        self
        """
        given = {
            "must_link": must_link,
            "cannot_link": cannot_link,
            "odd_one_out": odd_one_out,
            "about_equal": about_equal,
            "closer": closer,
        }
        return self._fit(X, y, given, constraints, sample_weight)


class UnsupervisedClusterer(Clusterer):
    """A method that takes weights of points and no constraints."""

    def fit(  # type: ignore[override]  # no constraints are taken
        self: Self, X: Any, y: Any = None, *, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Find the groups.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points; for a precomputed kernel its matrix, (n_samples, n_samples).
        y : ignored
            As in scikit-learn's clusterers.
        sample_weight : array-like of shape (n_samples,), optional
            A point of weight w counts as w points; a point of weight 0 has no part in the result
            and is placed as a new point would be.

        Returns
        -------
        self
        """
        return self._fit(X, None, {}, None, sample_weight)


class PredictMixin:
    """``predict`` for methods that have a meaning for new points."""

    _model: _core.Model
    n_jobs: int | None
    _new_points: Callable[[Any], npt.NDArray[np.float64]]

    def predict(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the clusters of new points. Points that were fitted get their own labels.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            -1 for noise.
        """
        X = self._new_points(X)
        return self._model.predict(X, jobs(self.n_jobs))


def engine_json(estimator: Any, method: str, leave_out: tuple[str, ...] = ()) -> str:
    """Return the parameters of an estimator as the engine reads those of a method."""
    params = {k: plain(k, v) for k, v in estimator.get_params(deep=False).items()}
    for name in ("n_jobs", "verbose", "metric", *leave_out):
        params.pop(name, None)
    if "random_state" in params:
        params.pop("random_state")
        params["seed"] = seed_from(estimator.random_state)
    return json.dumps({"method": method, "params": params})


def jobs(n_jobs: Any) -> int | None:
    """Return a number of threads as the engine takes it."""
    if n_jobs is None or isinstance(n_jobs, numbers.Integral):
        return None if n_jobs is None else int(n_jobs)
    raise ValueError(f"n_jobs = {n_jobs!r} is not understood: give None or a whole number")


def plain(name: str, value: Any) -> Any:
    """Return a parameter as JSON has it; infinity, where it has a meaning, as text."""
    if name == "n_clusters" and value is None:
        return "auto"
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(name, entry) for entry in value]
    if name == "gamma" and value == math.inf:
        return "inf"
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} = {value} is out of range: a finite number is needed")
    return value
