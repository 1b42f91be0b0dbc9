"""Gaussian mixtures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt

from . import _core
from ._base import PredictMixin, UnsupervisedClusterer, engine_json, jobs, plain
from ._constraints import Constraints
from ._progress import Verbose
from ._random import RandomState

Self = TypeVar("Self", bound="GaussianMixture")


class GaussianMixture(PredictMixin, UnsupervisedClusterer):
    r"""Points belong to the likeliest of k normal distributions.

    The density of points is taken to be

    .. math:: p(x) = \sum_c \pi_c\, \mathcal N(x; \mu_c, \Sigma_c),

    and the shares :math:`\pi`, means :math:`\mu` and covariances :math:`\Sigma` are those that make
    the points most likely, as far as expectation maximisation finds them.

    Use it where groups are ellipsoids of different sizes that overlap, and where it matters how
    sure a label is. It takes no answers. Where all groups are balls of one size, :class:`KMeans`
    does as well, faster.

    Parameters
    ----------
    n_components : int, "auto" or None, default="auto"
        Number of normal distributions. ``"auto"`` and ``None``: chosen from the data; ``chosen_``
        says which number was taken and why.
    covariance_type : {"full", "diag", "spherical"}, default="full"
        Their shape: any ellipsoids, ellipsoids along the axes, or balls.
    tol : float, default=1e-3
        A run ends when the mean log-likelihood of a point changes by less than this.
    reg_covar : float or "auto", default="auto"
        Added to all variances. ``"auto"``: a millionth of the variance of each column, so that the
        unit of a column does not matter. Where it is too little to keep a covariance invertible, as
        much more is added as does.
    max_iter : int, default=100
        At most this many steps a run.
    n_init : int, default=1
        Runs from different starts, of which the likeliest is kept.
    init_params : {"kmeans"}, default="kmeans"
        Where runs start, but for what is given: at the clusters of k-means.
    weights_init : array-like of shape (n_components,), optional
        Shares to start from. What starts from anything given keeps the order of the components.
    means_init : array-like of shape (n_components, n_features), optional
        Means to start from.
    precisions_init : array-like, optional
        Inverses of covariances to start from, in the form of ``covariances_``.
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
    weights_ : ndarray of shape (n_components,)
        The share of each component. Those that are largest for no point come last and are no
        clusters.
    means_ : ndarray of shape (n_components, n_features)
        Their means.
    covariances_ : ndarray
        Their covariances: (n_components, n_features, n_features) with ``"full"``, (n_components,
        n_features) with ``"diag"``, (n_components,) with ``"spherical"``.
    lower_bound_ : float
        The mean log-likelihood of a point that was fitted.
    objective_trace_ : ndarray of shape (n_iter,)
        The log-likelihood of all points after each step, with its sign turned.
    labels_ : ndarray of shape (n_samples,)
        The cluster of every point.
    n_clusters_ : int
        Number of clusters.
    n_iter_ : int
        Steps of the best run.
    converged_ : bool
        Whether it ended before ``max_iter``.
    trace_ : recarray of shape (n_iter,)
        What happened in each step: components that were ``active``, and the ``movement``.
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
    A. Dempster, N. Laird and D. Rubin, "Maximum likelihood from incomplete data via the EM
    algorithm", 1977.

    Examples
    --------
    >>> from ilk import GaussianMixture
    >>> X = [[0.0], [0.2], [0.1], [5.0], [5.9]]
    >>> model = GaussianMixture(n_components=2, random_state=0).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1])
    >>> model.predict_proba([[5.0]]).round(3)
    array([[0., 1.]])
    """

    _method: ClassVar[str] = "gaussian-mixture"
    _engine_names: ClassVar[dict[str, str]] = {
        "n_components": "n_clusters",
        "init_params": "init",
    }
    _given: ClassVar[tuple[str, ...]] = ("weights_init", "means_init", "precisions_init")

    weights_: npt.NDArray[np.float64]
    means_: npt.NDArray[np.float64]
    covariances_: npt.NDArray[np.float64]
    lower_bound_: float
    objective_trace_: npt.NDArray[np.float64]

    def __init__(
        self,
        n_components: int | Literal["auto"] | None = "auto",
        covariance_type: Literal["full", "diag", "spherical"] = "full",
        tol: float = 1e-3,
        reg_covar: float | Literal["auto"] = "auto",
        max_iter: int = 100,
        n_init: int = 1,
        init_params: Literal["kmeans"] = "kmeans",
        weights_init: npt.ArrayLike | None = None,
        means_init: npt.ArrayLike | None = None,
        precisions_init: npt.ArrayLike | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit(
        self: Self,
        X: Any,
        y: npt.ArrayLike | None,
        given: Mapping[str, Any],
        constraints: Constraints | None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> Self:
        super()._fit(X, y, given, constraints, sample_weight)
        weights = np.ones(len(self.labels_)) if sample_weight is None else np.asarray(sample_weight)
        # One number stands for as many equal ones.
        mass = float(np.broadcast_to(weights, self.labels_.shape).sum())
        self.lower_bound_ = -float(self.objective_trace_[-1]) / mass
        return self

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the share of every component in each point.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points.

        Returns
        -------
        shares : ndarray of shape (n_samples, n_components)
            Rows add up to 1.
        """
        return self._densities(X)[0]

    def score_samples(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the logarithm of the density at each point.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points.

        Returns
        -------
        log_density : ndarray of shape (n_samples,)
        """
        return self._densities(X)[1]

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean logarithm of the density at these points.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points.
        y : ignored
            As in scikit-learn's mixtures.

        Returns
        -------
        score : float
            Larger is better.
        """
        return float(self.score_samples(X).mean())

    def bic(self, X: Any) -> float:
        """Return the Bayesian information criterion of the model on these points.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points.

        Returns
        -------
        bic : float
            Smaller is better.
        """
        logs = self.score_samples(X)
        return -2 * float(logs.sum()) + self._n_parameters() * float(np.log(len(logs)))

    def aic(self, X: Any) -> float:
        """Return the Akaike information criterion of the model on these points.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points.

        Returns
        -------
        aic : float
            Smaller is better.
        """
        return -2 * float(self.score_samples(X).sum()) + 2 * self._n_parameters()

    def _n_parameters(self) -> int:
        """Return the number of free parameters: shares, means and covariances."""
        k, dims = self.means_.shape
        of_covariance = {"full": dims * (dims + 1) // 2, "diag": dims, "spherical": 1}
        return int(k * (dims + of_covariance[self.covariance_type]) + k - 1)

    def _takes_sparse(self) -> bool:
        # Densities along axes say nothing of those of the points.
        return False

    def _densities(self, X: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        X = self._new_points(X)
        return self._model.densities(X, jobs(self.n_jobs))

    def _engine_json(self) -> str:
        recipe = json.loads(engine_json(self, self._method, leave_out=self._given))
        params = recipe["params"]
        for ours, theirs in self._engine_names.items():
            params[theirs] = plain(theirs, params.pop(ours))
        given = {
            "weights": plain("weights_init", self.weights_init),
            "means": plain("means_init", self.means_init),
            "covariances": self._covariances_init(),
        }
        if params["init"] == "kmeans" and any(part is not None for part in given.values()):
            params["init"] = {"components": given}
        return json.dumps(recipe)

    def _covariances_init(self) -> list[list[float]] | None:
        """Return the inverses of the precisions given, one row a component."""
        if self.precisions_init is None:
            return None
        precisions = np.asarray(self.precisions_init, dtype=np.float64)
        if self.covariance_type == "full" and precisions.ndim == 3:
            try:
                inverses = np.linalg.inv(precisions)
            except np.linalg.LinAlgError as error:
                raise ValueError("precisions_init holds a matrix that is not invertible") from error
            each = (inverses + inverses.transpose(0, 2, 1)) / 2
        else:
            with np.errstate(divide="ignore"):
                each = 1.0 / precisions
        rows = each.reshape(len(each), -1) if each.ndim else each.reshape(1, 1)
        if not np.isfinite(rows).all():
            raise ValueError("precisions_init holds values that have no finite inverse")
        return rows.tolist()

    @classmethod
    def _from_engine_params(cls, params: Mapping[str, Any]) -> dict[str, Any]:
        params = dict(params)
        for ours, theirs in cls._engine_names.items():
            params[ours] = params.pop(theirs)
        if isinstance(params["init_params"], dict):
            given = params["init_params"]["components"]
            params["init_params"] = "kmeans"
            params["weights_init"] = given["weights"]
            params["means_init"] = given["means"]
            if given["covariances"] is not None:
                each = _shaped(np.array(given["covariances"]), params["covariance_type"])
                full = params["covariance_type"] == "full"
                params["precisions_init"] = np.linalg.inv(each) if full else 1.0 / each
        return params

    def _set_model(self, model: _core.Model) -> None:
        super()._set_model(model)
        components = model.components
        if components is not None:
            self.weights_, self.means_, rows = components
            self.covariances_ = _shaped(rows, self.covariance_type)

    def _set_fit_attributes(self, result: _core.FitResult) -> None:
        self.objective_trace_ = cast(npt.NDArray[np.float64], result.objectives)


def _shaped(rows: npt.NDArray[np.float64], covariance_type: str) -> npt.NDArray[np.float64]:
    """Return covariances, one row a component, in their own shape."""
    if covariance_type == "full":
        dims = round(rows.shape[1] ** 0.5)
        return rows.reshape(len(rows), dims, dims)
    return rows if covariance_type == "diag" else rows[:, 0]
