"""Mean shift spectral clustering."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._base import PredictMixin, WeightedClusterer
from ._progress import Verbose
from ._random import RandomState
from ._rows import Metric


class MSSC(PredictMixin, WeightedClusterer):
    r"""Points collapse into partitions, and partitions are clustered by the spectrum of affinities.

    1. Blurring mean shift with a small bandwidth puts points into partitions, many more than there
       are clusters.
    2. The affinity of partitions :math:`C_a, C_b` is the cosine of the angle between their
       densities,

       .. math:: A_{ab} = V_{ab} / \sqrt{V_{aa} V_{bb}}, \qquad
                 V_{ab} = \sum_{i \in C_a} \sum_{j \in C_b} e^{-|x_i - x_j|^2 / (2 h^2)}

       with a bandwidth of its own.
    3. The partitions are clustered by their coordinates along the axes of most entropy (KECA) or
       variance (KPCA), or in the Laplacian of their affinities. A partition counts as its points do.

    A partition that holds points that must be apart is divided first, so none does unless must-links
    say the opposite. Partitions with must-linked points share a cluster where no constraint
    contradicts it. Cannot-links between partitions are propagated to those near them and lower their
    affinities, which does not guarantee that they hold.

    Use it for many points of few dimensions, such as pixels, and for groups that are not round.

    Parameters
    ----------
    n_clusters : int, "auto" or None, default="auto"
        Number of clusters. ``"auto"`` and ``None``: chosen from the constraints and the data;
        ``chosen_`` says which number was taken and why.
    embedding : {"auto", "keca", "kpca", "laplacian"}, default="auto"
        By which coordinates partitions are grouped. ``"auto"``: ``"keca"``, or ``"laplacian"`` where its
        clusters cut less than 0.7 as much in the graph of nearest neighbours.
    n_neighbors : int, default=10
        In the Laplacian a partition has affinity with this many others, those of largest affinity. 0:
        with all, as in the thesis.
    bandwidth : float or "auto", default="auto"
        Bandwidth of the shift. ``"auto"``: 0.3 of Silverman's; wider where that gives more than 2,500
        partitions, narrower where it gives fewer than three for each cluster.
    spectral_bandwidth : float or "auto", default="auto"
        Bandwidth of the affinities. ``"auto"``: of eight, from a tenth of the median distance to all of
        it, the one whose clusters cut least in the graph of nearest neighbours.
    first_stage : {"mean_shift", "kmeans", "mixture"}, default="mean_shift"
        How points become partitions.
    blurring : bool, default=True
        Whether the data move along with the centres of the shift.
    n_partitions : int or None, default=None
        Number of partitions for ``"kmeans"`` and ``"mixture"``. ``None``: twice the root of the number
        of points, at least ten for each cluster.
    max_iter : int, default=50
        At most this many steps of the shift.
    cell : float, default=1e-4
        While blurring, centres that share a grid cell of this many bandwidths become one. Cells from 0.01
        on grow while more than 100,000 centres are left after a step.
    pool : int, default=500_000
        More points than this are pooled by k-means first, into a hundredth of this.
    weighted : bool, default=True
        Whether a partition counts as its points do; in the thesis all count alike.
    distance : {"auto", "euclidean", "cosine"}, default="auto"
        How the coordinates of partitions are compared. ``"auto"``: by angle for KECA, by distance for
        the others.
    min_size : int, default=1
        Partitions of fewer points have no say in the axes and are placed afterwards.
    refine : {"auto", "off", "constrained", "majority", "neighbors", "dissolve"}, default="auto"
        How far labels are refined by the neighbours and the constraints after the points are grouped:
        not at all, or up to this step; see :class:`CMS`. ``"auto"``: held-out constraints decide, also
        whether partitions are clustered by the constraints.
    alpha : float, default=0.6
        How far pairs are propagated: the share of a value that comes from the neighbours.
    n_init : int, default=10
        Descents of k-means from different starts, of which the best is kept.
    random_state : int, RandomState, Generator or None, default=None
        Seed of everything random.
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
    partitions_ : ndarray of shape (n_samples,)
        The partition of every point; not there if every point was labelled.
    affinity_ : ndarray of shape (n_partitions, n_partitions)
        The affinities of partitions, after the constraints; not there if every point was labelled.
    n_iter_ : int
        Steps of the shift.
    converged_ : bool
        Whether it ended because nothing moved any more.
    trace_ : recarray of shape (n_iter,)
        What happened in each step: centres that were ``active``, and the ``movement``.
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
    U. Ozertem, D. Erdogmus and R. Jenssen, "Mean shift spectral clustering", 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from ilk import MSSC
    >>> X = np.array([[0.0], [0.2], [0.1], [5.0], [5.2], [4.8]])
    >>> model = MSSC(n_clusters=2, random_state=0).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    >>> model.predict([[4.0]])
    array([1])
    """

    _method: ClassVar[str] = "mssc"

    partitions_: npt.NDArray[np.int64]
    affinity_: npt.NDArray[np.float64]

    def __init__(
        self,
        n_clusters: int | Literal["auto"] | None = "auto",
        embedding: Literal["auto", "keca", "kpca", "laplacian"] = "auto",
        n_neighbors: int = 10,
        bandwidth: float | Literal["auto"] = "auto",
        spectral_bandwidth: float | Literal["auto"] = "auto",
        first_stage: Literal["mean_shift", "kmeans", "mixture"] = "mean_shift",
        blurring: bool = True,
        n_partitions: int | None = None,
        max_iter: int = 50,
        cell: float = 1e-4,
        pool: int = 500_000,
        weighted: bool = True,
        distance: Literal["auto", "euclidean", "cosine"] = "auto",
        min_size: int = 1,
        refine: Literal["auto", "off", "constrained", "majority", "neighbors", "dissolve"] = "auto",
        alpha: float = 0.6,
        n_init: int = 10,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.embedding = embedding
        self.n_neighbors = n_neighbors
        self.bandwidth = bandwidth
        self.spectral_bandwidth = spectral_bandwidth
        self.first_stage = first_stage
        self.blurring = blurring
        self.n_partitions = n_partitions
        self.max_iter = max_iter
        self.cell = cell
        self.pool = pool
        self.weighted = weighted
        self.distance = distance
        self.min_size = min_size
        self.refine = refine
        self.alpha = alpha
        self.n_init = n_init
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _set_fit_attributes(self, result: _core.FitResult) -> None:
        for name in ("partitions_", "affinity_"):
            self.__dict__.pop(name, None)
        if result.partitions is not None:
            self.partitions_, self.affinity_ = result.partitions
