"""k-means."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import _check_sample_weight

from . import _core
from ._base import PredictMixin, UnsupervisedClusterer, engine_json
from ._progress import Verbose
from ._random import RandomState


class KMeans(
    PredictMixin,
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]  # they have no types
    TransformerMixin,  # type: ignore[misc]
    UnsupervisedClusterer,
):
    r"""Points go to the nearest of k centres, and every centre is the mean of its points.

    The centres :math:`m` are those with the smallest

    .. math:: \sum_x w_x \min_m \lVert x - m \rVert^2 \qquad\text{or}\qquad
              \sum_x w_x \min_m (1 - \cos\angle(x, m)),

    as far as steps that alternate between points and centres find them, from several starts. Points
    that cannot have changed their cluster are not looked at, and distances are found in single
    precision first; the labels are those of the plain loop.

    Use it where you know the number of groups and they are round and of similar size, or, with
    ``distance="cosine"``, where only directions matter. It takes no answers; :class:`HMRFKMeans`
    does. :class:`KernelKMeans` with a linear kernel also moves single points: it ends lower from
    the same start and takes many times as long.

    Parameters
    ----------
    n_clusters : int, "auto" or None, default="auto"
        Number of clusters. ``"auto"`` and ``None``: chosen from the data; ``chosen_``
        says which number was taken and why.
    distance : {"euclidean", "cosine"}, default="euclidean"
        What it means to be near a centre. With ``"cosine"`` points and centres count by their
        direction alone, and a point at the origin belongs to no cluster.
    init : {"plus_plus", "max_min", "angular"} or array, default="plus_plus"
        Where the first descent starts: at points drawn by squared distance to the nearest one there
        is (also ``"k-means++"``), at the two that are farthest apart and then always the farthest,
        at those with the largest angles, or at given centres, one a row. Other descents start from
        ``"plus_plus"``. From given centres there is one descent, and clusters keep their order.
    n_init : int or "auto", default=10
        Descents from different starts, of which the best is kept; ``"auto"`` is 10.
    max_iter : int, default=300
        At most this many steps a descent.
    tol : float, default=1e-4
        A descent ends when the squared movements of all centres add up to at most this share of the
        mean variance of the columns; 0 to go on until nothing changes.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the starts.
    n_jobs : int or None, default=None
        Threads: -1 is all cores, ``None`` leaves it to ``RAYON_NUM_THREADS`` or the machine. The
        result does not depend on it.
    verbose : int or callable, default=0
        1 shows progress on stderr. A function is called with a :class:`Progress` several times a
        second; what it raises ends the fit.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres; of length 1 with ``distance="cosine"``.
    labels_ : ndarray of shape (n_samples,)
        The cluster of every point; -1 for points without a direction.
    inertia_ : float
        The sum that is minimised.
    n_clusters_ : int
        Number of clusters; fewer than asked for where there are fewer different points.
    n_iter_ : int
        Steps of the best descent.
    converged_ : bool
        Whether it ended before ``max_iter``.
    trace_ : recarray of shape (n_iter,)
        What happened in each step: points that were ``active``, and the ``movement``.
    objective_trace_ : ndarray of shape (n_iter,)
        The sum after each step, which never rises.
    constraint_report_ : ConstraintReport
        Empty, as no answers are taken.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        The names of the columns, after a fit on a data frame.
    index_ : pandas.Index
        The index, after a fit on a pandas frame; ``labels_series_`` are the labels with it.

    References
    ----------
    S. Lloyd, "Least squares quantization in PCM", 1982; D. Arthur and S. Vassilvitskii,
    "k-means++: the advantages of careful seeding", 2007; G. Hamerly, "Making k-means even faster",
    2010.

    Examples
    --------
    >>> from ilk import KMeans
    >>> X = [[0.0, 1.0], [0.0, 3.0], [1.0, 0.1], [7.0, 0.0]]
    >>> model = KMeans(n_clusters=2, random_state=0).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1])
    >>> KMeans(n_clusters=2, distance="cosine", random_state=0).fit(X).labels_
    array([0, 0, 1, 1])
    """

    _method: ClassVar[str] = "kmeans"

    cluster_centers_: npt.NDArray[np.float64]
    inertia_: float
    objective_trace_: npt.NDArray[np.float64]

    def __init__(
        self,
        n_clusters: int | Literal["auto"] | None = "auto",
        distance: Literal["euclidean", "cosine"] = "euclidean",
        init: Literal["plus_plus", "max_min", "angular"] | npt.ArrayLike = "plus_plus",
        n_init: int | Literal["auto"] = 10,
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.distance = distance
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def transform(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the distance of every point to every centre.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points.

        Returns
        -------
        distances : ndarray of shape (n_samples, n_clusters)
            Euclidean distances; with ``distance="cosine"`` 1 less the cosine of the angle, which
            is 1 for a point at the origin.
        """
        X = self._new_points(X)
        centers = self._coordinates(self.cluster_centers_)
        if self.distance == "cosine":
            lengths = np.linalg.norm(X, axis=1, keepdims=True)
            directions = np.divide(X, lengths, out=np.zeros_like(X), where=lengths > 0)
            return np.asarray(1.0 - directions @ centers.T)
        columns = [np.linalg.norm(X - center, axis=1) for center in centers]
        return np.column_stack(columns) if columns else np.empty((len(X), 0))

    def fit_transform(
        self, X: Any, y: Any = None, *, sample_weight: npt.ArrayLike | None = None
    ) -> npt.NDArray[np.float64]:
        """Find the groups and return the distance of every point to every centre.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`fit`.

        Returns
        -------
        distances : ndarray of shape (n_samples, n_clusters)
            As :meth:`transform` returns them.
        """
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def score(self, X: Any, y: Any = None, *, sample_weight: npt.ArrayLike | None = None) -> float:
        """Return the sum that is minimised, of these points, taken negative.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points.
        y : ignored
            As in scikit-learn's clusterers.
        sample_weight : array-like of shape (n_samples,), optional
            A point of weight w counts as w points.

        Returns
        -------
        score : float
            Larger is better.
        """
        distances = self.transform(X)
        if self.distance == "euclidean":
            distances = distances**2
        nearest = distances.min(axis=1)
        weights = _check_sample_weight(sample_weight, nearest, dtype=np.float64)
        return -float(weights @ nearest)

    def _by_direction(self) -> bool:
        return self.distance == "cosine"

    def _engine_json(self) -> str:
        recipe = json.loads(engine_json(self, self._method))
        params = recipe["params"]
        if params["init"] == "k-means++":
            params["init"] = "plus_plus"
        elif isinstance(params["init"], list):
            params["init"] = {"centers": params["init"]}
        if params["n_init"] == "auto":
            params["n_init"] = 10
        return json.dumps(recipe)

    @classmethod
    def _from_engine_params(cls, params: Mapping[str, Any]) -> dict[str, Any]:
        init = params["init"]
        given = isinstance(init, dict)
        return {**params, "init": np.array(init["centers"]) if given else init}

    def _set_model(self, model: _core.Model) -> None:
        super()._set_model(model)
        self.cluster_centers_ = cast(npt.NDArray[np.float64], model.modes)

    def _set_fit_attributes(self, result: _core.FitResult) -> None:
        self.objective_trace_ = cast(npt.NDArray[np.float64], result.objectives)
        self.inertia_ = float(self.objective_trace_[-1]) if len(self.objective_trace_) else 0.0
