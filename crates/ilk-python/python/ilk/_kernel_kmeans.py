"""Kernel k-means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from ._base import PredictMixin, UnsupervisedClusterer
from ._constraints import Constraints
from ._progress import Verbose
from ._random import RandomState
from ._rows import Metric

Self = TypeVar("Self", bound="KernelKMeans")


class KernelKMeans(PredictMixin, UnsupervisedClusterer):
    r"""Points go to the nearest of k means in the space of a kernel.

    The groups :math:`G` are those with the smallest

    .. math:: \sum_G \sum_{x \in G} w_x \lVert \varphi(x) - m_G \rVert^2, \qquad
              m_G = \frac{\sum_{x \in G} w_x\, \varphi(x)}{\sum_{x \in G} w_x},

    where dot products of :math:`\varphi` are the kernel's values, which is all that is needed: the
    means themselves are never computed. Batch steps are followed by moves of single points, which
    leave poor optima behind.

    Use it where groups are not linearly separated but compact in the space of a kernel, and you
    know their number. With a linear kernel it is k-means. It takes no answers; :class:`SKkm` does.
    All kernels but the linear one need their n x n matrix.

    Parameters
    ----------
    n_clusters : int, "auto" or None, default="auto"
        Number of clusters. ``"auto"`` and ``None``: chosen from the data; ``chosen_``
        says which number was taken and why.
    kernel : {"gaussian", "self_tuning", "linear", "precomputed"}, default="gaussian"
        The kernel: ``exp(-d²/(2 sigma²))``; ``exp(-d²/(s(x) s(y)))`` with :math:`s` the distance
        to the ``n_neighbors``-th neighbour; ``x·y``; or ``X`` is a kernel matrix, and new points
        are rows of kernel values with the points that were fitted.
    sigma : float or "auto", default="auto"
        The width of the Gaussian kernel. ``"auto"``: the median distance between points.
    n_neighbors : int, default=7
        The neighbour whose distance is a point's width in the self-tuning kernel.
    n_init : int, default=10
        Descents from different starts, of which the best is kept.
    init : {"plus_plus", "farthest_first"}, default="plus_plus"
        How the first means are chosen: drawn by squared distance to the nearest one there is, or
        always the farthest point.
    max_iter : int, default=300
        At most this many steps a descent.
    local_search : bool, default=True
        Whether single points are moved after the batch steps.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the starts.
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
    n_iter_ : int
        Steps of the best descent.
    converged_ : bool
        Whether it ended because no point changed its cluster any more.
    trace_ : recarray of shape (n_iter,)
        What happened in each step: points that were ``active``, and the ``movement``.
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
    I. Dhillon, Y. Guan and B. Kulis, "Kernel k-means, spectral clustering and normalized cuts",
    2004.

    Examples
    --------
    >>> from ilk import KernelKMeans
    >>> X = [[0.0], [0.2], [0.1], [5.0], [5.2]]
    >>> model = KernelKMeans(n_clusters=2, random_state=0).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1])
    >>> model.predict([[4.0]])
    array([1])
    """

    _method: ClassVar[str] = "kernel-kmeans"

    def __init__(
        self,
        n_clusters: int | Literal["auto"] | None = "auto",
        kernel: Literal["gaussian", "self_tuning", "linear", "precomputed"] = "gaussian",
        sigma: float | Literal["auto"] = "auto",
        n_neighbors: int = 7,
        n_init: int = 10,
        init: Literal["plus_plus", "farthest_first"] = "plus_plus",
        max_iter: int = 300,
        local_search: bool = True,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.sigma = sigma
        self.n_neighbors = n_neighbors
        self.n_init = n_init
        self.init = init
        self.max_iter = max_iter
        self.local_search = local_search
        self.random_state = random_state
        self.metric = metric
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
        is_given = self.kernel == "precomputed"
        if is_given and sample_weight is not None and not np.all(np.asarray(sample_weight)):
            raise ValueError(
                "sample_weight holds 0: with kernel='precomputed' leave such points out of the "
                "matrix, and predict them"
            )
        return super()._fit(X, y, given, constraints, sample_weight)

    def _is_matrix(self) -> bool:
        return self.kernel == "precomputed"
