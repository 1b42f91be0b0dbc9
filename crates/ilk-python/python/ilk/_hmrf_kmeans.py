"""k-means in which broken pairs cost."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._base import Clusterer, PredictMixin
from ._progress import Verbose
from ._random import RandomState
from ._rows import Metric


class HMRFKMeans(PredictMixin, Clusterer):
    r"""k-means in which every broken pair costs a penalty.

    The groups are those with the smallest

    .. math:: \sum_i \lVert x_i - m_{l_i} \rVert^2
              + \sum_{(i,j) \in M,\ l_i \ne l_j} w_{ij} + \sum_{(i,j) \in C,\ l_i = l_j} w_{ij}

    with :math:`m` the means, :math:`l` the labels, :math:`M` the must-links, :math:`C` the cannot-links
    and :math:`w` their weights times the penalty. Starts come from components of must-links. Points
    take the label of least cost in random order until all stay, then the means follow. Labels become
    pairs. Held-out constraints decide whether the pairs count in this, and whether labels are refined
    by the neighbours and the constraints afterwards; see ``refine`` of :class:`CMS`. New points go to
    the nearest mean; so do points that were fitted, even those that a pair holds elsewhere. After a
    refinement that moved points they get the label that most of their neighbours have.

    Use it where groups are round and you know their number, and where some answers may be wrong.

    Parameters
    ----------
    n_clusters : int, "auto" or None, default="auto"
        Number of clusters. ``"auto"`` and ``None``: chosen from the constraints and the data;
        ``chosen_`` says which number was taken and why.
    penalty : float or "auto", default="auto"
        What a broken pair costs, in squared distance. ``"auto"``: all pairs together weigh about as
        much as the distances, ``v n / (k C)`` for ``C`` pairs and ``v`` the mean squared distance of
        points to their mean.
    n_init : int, default=10
        Runs from different starts, of which the best is kept.
    max_iter : int, default=300
        At most this many steps a run.
    random_state : int, RandomState, Generator or None, default=None
        Seed of everything random: starts, the order of points, pairs from labels.
    metric : {"euclidean", "cosine"}, default="euclidean"
        What distances are. With ``"cosine"`` every row is divided by its length first, here and in
        :meth:`predict`, so that only directions count, as in embeddings of text.
    n_jobs : int or None, default=None
        Threads: -1 is all cores, ``None`` leaves it to ``RAYON_NUM_THREADS`` or the machine. The
        result does not depend on it.
    verbose : int or callable, default=0
        1 shows progress on stderr. A function is called with a :class:`Progress` several times a
        second; what it raises ends the fit.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of every point.
    n_clusters_ : int
        Number of clusters.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The means.
    n_iter_ : int
        Steps of the best run.
    converged_ : bool
        Whether it ended because no point changed its cluster any more.
    trace_ : recarray of shape (n_iter,)
        What happened in each step: points that were ``active``, and the largest ``movement`` of a
        mean.
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
    S. Basu, M. Bilenko and R. Mooney, "A probabilistic framework for semi-supervised clustering", 2004.

    Examples
    --------
    >>> from ilk import HMRFKMeans
    >>> X = [[0.0], [0.2], [2.0], [5.0], [5.2]]
    >>> HMRFKMeans(n_clusters=2, random_state=0).fit(X, must_link=[[2, 3]]).labels_
    array([0, 0, 1, 1, 1])
    """

    _method: ClassVar[str] = "hmrf-kmeans"

    cluster_centers_: npt.NDArray[np.float64]

    def __init__(
        self,
        n_clusters: int | Literal["auto"] | None = "auto",
        penalty: float | Literal["auto"] = "auto",
        n_init: int = 10,
        max_iter: int = 300,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.penalty = penalty
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _set_fit_attributes(self, result: _core.FitResult) -> None:
        if result.centers is not None:
            self.cluster_centers_ = result.centers
