"""A consensus of many fits, which chooses method, settings and number of clusters itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils import ClassifierTags

from . import _core
from ._base import PredictMixin, jobs
from ._graph_input import GraphInput
from ._progress import Verbose
from ._random import RandomState
from ._rows import Metric


class Member(NamedTuple):
    """A method with its settings that took part in a consensus."""

    #: The name of the method, as on the command line.
    method: str
    #: The number of clusters that it was given.
    n_clusters: int | None
    #: Its other settings.
    settings: dict[str, str]
    #: How far its clusters agree with constraints that it was not given, from -1 over 0 (chance) to 1.
    score: float | None
    #: Its share of the votes.
    weight: float


class ClusterCount(NamedTuple):
    """What speaks for a number of clusters."""

    #: The number.
    n_clusters: int
    #: The mean adjusted Rand index of every two methods that looked for so many without constraints.
    agreement: float
    #: The mean silhouette of k-means' clusters, or the modularity of those of a graph.
    separation: float
    #: How far the consensus, cut into so many, agrees with constraints that it was not given.
    score: float | None


class Auto(PredictMixin, GraphInput):
    r"""Clusters without a choice of method, width or number of clusters.

    Many methods are run at many settings and numbers of clusters, each with a part of the constraints
    held out in turn. A member :math:`m` at :math:`k` clusters whose clusters agree with held-out
    constraints with the score :math:`s_m` has the weight

    .. math:: w_m \propto \exp\Bigl(\frac{4 n}{\sqrt{n + 5}}\, s_m + a_k\Bigr),

    where :math:`n` is the number of pairs of the scarcer kind and :math:`a_k` grows with the agreement of
    the methods without constraints at :math:`k` clusters and with how well these are separated. Points
    are joined by the weight of the members in which they share a cluster. Without constraints it is the
    consensus of the methods that need none.

    Use it first. It costs some tens of fits; ``leaderboard_`` names the single methods that did best, for
    when one plain method is wanted.

    Parameters
    ----------
    n_clusters : int or "auto", default="auto"
        Number of clusters. ``"auto"``: found.
    input : {"points", "graph", "kernel"}, default="points"
        What ``X`` is: points; the adjacency matrix of an undirected graph, dense or a scipy sparse
        matrix; or a kernel matrix, as with ``kernel="precomputed"``. New nodes of a graph cannot be
        placed.
    kernel : {"gaussian", "precomputed"}, default="gaussian"
        The kernels of the members: Gaussians of several widths; or ``X`` is a kernel matrix, and new
        points are rows of kernel values with the points that were fitted.
    budget : float, default=20.0
        Seconds after half of which no further round of methods is tried; after three quarters methods
        that are still being tried are dropped, except for the quickest. Members that cannot be fitted
        with all constraints by the end are left out. What is tried before is always the same, so a
        fast machine and a small problem give repeatable results.
    n_fits : int or "auto", default="auto"
        Methods with settings that are tried at most, the likeliest first, whatever the time: then results
        repeat for a ``random_state`` on every machine. ``"auto"``: all that the budget allows.
    members : list of str or None, default=None
        The methods that may be members, as the shell names them: ``"skkm"``, ``"e2cp"``,
        ``"ss-kernel-kmeans"``, ``"spectral-learning"``, ``"kmeans"``, ``"kernel-kmeans"``,
        ``"gaussian-mixture"``, ``"spectral"``, ``"mssc"``. ``None`` and ``"auto"``: all that the input
        allows.
    sample : int, default=1500
        Points on which the consensus is formed, at most, constrained ones first; the others are placed
        as new points are.
    random_state : int, RandomState, Generator or None, default=None
        Seed of everything random.
    metric : {"euclidean", "cosine"}, default="euclidean"
        What distances are. With ``"cosine"`` every row is divided by its length first, here and in
        :meth:`predict`, so that only directions count, as in embeddings of text.
    n_jobs : int or None, default=None
        Threads: -1 is all cores, ``None`` leaves it to ``RAYON_NUM_THREADS`` or the machine. The
        result does not depend on it, as long as the budget is not used up.
    verbose : int or callable, default=0
        1 shows progress on stderr. A function is called with a :class:`Progress` several times a
        second; what it raises ends the fit.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of every point.
    n_clusters_ : int
        Number of clusters.
    confidence_ : ndarray of shape (n_samples,)
        The probability of every point's cluster, by the votes of the members, made honest by held-out
        constraints. After a fit on a kernel matrix :meth:`predict_proba` counts the votes of those
        members alone that can place a new row.
    runner_up_ : ndarray of shape (n_samples,)
        The next likeliest cluster; -1 where there is no other.
    leaderboard_ : list of Member
        The members of the consensus, those with the largest weights first.
    cluster_counts_ : list of ClusterCount
        What speaks for the numbers of clusters that were tried, the smallest first.
    n_iter_ : int
        Members of the consensus.
    converged_ : bool
        Always true.
    trace_ : recarray of shape (0,)
        Empty: a consensus has no iterations.
    chosen_ : list of Chosen
        What was left open, what it became, and by what it was chosen.
    constraint_report_ : ConstraintReport
        Constraints kept and broken, per kind.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        The names of the columns, after a fit on a data frame.
    index_ : pandas.Index
        The index, after a fit on a pandas frame; ``labels_series_`` are the labels with it.

    References
    ----------
    A. Fred and A. Jain, "Combining multiple clusterings using evidence accumulation", 2005.
    T. van Craenendonck and H. Blockeel, "Constraint-based clustering selection", 2017.

    Examples
    --------
    >>> import ilk
    >>> X, truth = ilk.datasets.make_moons(200, random_state=0)
    >>> constraints = ilk.make_constraints(truth, n_pairs=60, random_state=0)
    >>> model = ilk.Auto(n_fits=12, random_state=0).fit(X, constraints=constraints)
    >>> ilk.metrics.adjusted_rand_score(truth, model.labels_) > 0.8
    True
    >>> model.confidence_.shape
    (200,)
    """

    _method: ClassVar[str] = "auto"
    _matrix_parameter: ClassVar[str] = "kernel"

    confidence_: npt.NDArray[np.float64]
    runner_up_: npt.NDArray[np.int64]
    leaderboard_: list[Member]
    cluster_counts_: list[ClusterCount]

    def __init__(
        self,
        n_clusters: int | Literal["auto"] = "auto",
        input: Literal["points", "graph", "kernel"] = "points",
        kernel: Literal["gaussian", "precomputed"] = "gaussian",
        budget: float = 20.0,
        n_fits: int | Literal["auto"] = "auto",
        members: Sequence[str] | Literal["auto"] | None = None,
        sample: int = 1500,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.input = input
        self.kernel = kernel
        self.budget = budget
        self.n_fits = n_fits
        self.members = members
        self.sample = sample
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the probability of every cluster for each point.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points; for a kernel matrix their rows of kernel values with the points of the fit.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_clusters)
            Rows add up to 1.
        """
        X = self._new_points(X)
        return self._model.probabilities(X, jobs(self.n_jobs))

    def _engine_json(self) -> str:
        recipe = json.loads(super()._engine_json())
        recipe["params"]["members"] = _names(self.members)
        return json.dumps(recipe)

    @classmethod
    def _from_engine_params(cls, params: Mapping[str, Any]) -> dict[str, Any]:
        params = dict(params)
        members = params.get("members", "auto")
        params["members"] = None if members == "auto" else members.split(",")
        return super()._from_engine_params(params)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # It has probabilities, and labels may be of any number of classes.
        tags.classifier_tags = ClassifierTags()
        return tags

    def _set_fit_attributes(self, result: _core.FitResult) -> None:
        n = len(self.labels_)
        found = result.confidence
        self.confidence_, self.runner_up_ = (np.ones(n), np.full(n, -1)) if found is None else found
        self.leaderboard_ = [
            Member(method, k, dict(settings), score, weight)
            for method, k, settings, score, weight in result.leaderboard
        ]
        self.cluster_counts_ = [ClusterCount(*each) for each in result.cluster_counts]


def _names(members: Any) -> str:
    """Return the names of methods as the engine reads them."""
    if members is None or isinstance(members, str):
        return members or "auto"
    try:
        return ",".join(members)
    except TypeError as error:
        message = (
            f"members = {members!r} is not understood: give a list of names of methods, or None"
        )
        raise ValueError(message) from error
