"""Clusters in the axes of a kernel's space, or in the eigenvectors of a Laplacian."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeVar

import numpy as np

from . import _core
from ._base import Clusterer, PredictMixin, jobs
from ._constraints import Constraints
from ._progress import Callback, Verbose
from ._random import RandomState
from ._rows import Metric, compressed_rows

Self = TypeVar("Self", bound="SpectralClustering")


class SpectralClustering(PredictMixin, Clusterer):
    r"""Points are grouped by coordinates that an eigenproblem gives them, as many as clusters.

    ``embedding="keca"`` takes the axes of a kernel's space that hold most entropy (:class:`KECA`)
    and groups by angle, because groups lie in different directions from the origin.
    ``embedding="kpca"`` takes those of most variance (:class:`KernelPCA`) and groups by distance.
    ``embedding="laplacian"`` takes the eigenvectors of the Laplacian of a graph of neighbours
    (:class:`LaplacianEigenmaps`), with rows scaled to length 1 for ``laplacian="sym"``.

    KECA and KPCA decompose the kernel matrix of up to 6,000 points, and a factor of at most 500
    columns of more. The Laplacian of nearest neighbours needs memory for the edges alone. New points
    are placed by their coordinates for KECA and KPCA, and by a vote of their neighbours for the
    Laplacian. Nothing that a person says is used; for that see :class:`E2CP` and
    :class:`SpectralLearning`.

    Parameters
    ----------
    n_clusters : int, "auto" or None, default="auto"
        Number of clusters. ``"auto"`` and ``None``: chosen from the data; ``chosen_``
        says which number was taken and why.
    embedding : {"keca", "kpca", "laplacian"}, default="keca"
        By which coordinates points are grouped.
    affinity : {"gaussian", "precomputed"}, default="gaussian"
        How alike two points are: a Gaussian of their distance; or ``X`` is a matrix, the kernel for
        KECA and KPCA, and affinities (dense or sparse) for the Laplacian.
    sigma : float or "auto", default="auto"
        The width of the Gaussian, ``exp(-d²/(2 sigma²))``. ``"auto"``: twice the median distance of a
        point to its 7th neighbour, but at least the 5% quantile of all distances; for the Laplacian
        the first of these, not doubled.
    center : bool, default=True
        Whether the mean of the points is moved to the origin of the kernel's space, for KPCA.
    laplacian : {"sym", "rw", "unnormalized"}, default="sym"
        Which Laplacian.
    graph : {"knn", "mutual_knn", "epsilon", "full"}, default="knn"
        Which points have an edge, for the Laplacian.
    n_neighbors : int, default=10
        Nearest neighbours of a point.
    epsilon : float, default=1.0
        Up to which squared distance points have an edge, for ``graph="epsilon"``.
    weight : {"heat", "unit"}, default="heat"
        What an edge weighs: the Gaussian, or 1.
    n_init : int, default=10
        Descents of k-means from different starts, of which the one of lowest cost is kept.
    random_state : int, RandomState, Generator or None, default=None
        Seed of everything random: the starts.
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
        The cluster of every point; -1 for a point that lies along none of the axes.
    n_clusters_ : int
        Number of clusters.
    n_iter_ : int
        Steps of k-means in its best descent.
    converged_ : bool
        Whether that ended because nothing changed any more.
    trace_ : recarray of shape (n_iter,)
        What happened in each step: points that were ``active``, and the ``movement``.
    chosen_ : list of Chosen
        What was left open, and what it was chosen by.
    constraint_report_ : ConstraintReport
        Empty.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        The names of the columns, after a fit on a data frame.
    index_ : pandas.Index
        The index, after a fit on a pandas frame; ``labels_series_`` are the labels with it.

    References
    ----------
    R. Jenssen, "Kernel entropy component analysis", 2010.

    U. von Luxburg, "A tutorial on spectral clustering", 2007.

    Examples
    --------
    Two rings and a dense group, which no straight line tells apart:

    >>> import ilk
    >>> X, truth = ilk.datasets.make_rings_and_blob(random_state=0)
    >>> model = ilk.SpectralClustering(n_clusters=3, random_state=0).fit(X)
    >>> ilk.metrics.adjusted_rand_score(truth, model.labels_)
    1.0
    """

    _method: ClassVar[str] = "spectral"

    def __init__(
        self,
        n_clusters: int | Literal["auto"] | None = "auto",
        embedding: Literal["keca", "kpca", "laplacian"] = "keca",
        affinity: Literal["gaussian", "precomputed"] = "gaussian",
        sigma: float | Literal["auto"] = "auto",
        center: bool = True,
        laplacian: Literal["sym", "rw", "unnormalized"] = "sym",
        graph: Literal["knn", "mutual_knn", "epsilon", "full"] = "knn",
        n_neighbors: int = 10,
        epsilon: float = 1.0,
        weight: Literal["heat", "unit"] = "heat",
        n_init: int = 10,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.embedding = embedding
        self.affinity = affinity
        self.sigma = sigma
        self.center = center
        self.laplacian = laplacian
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.epsilon = epsilon
        self.weight = weight
        self.n_init = n_init
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(  # type: ignore[override]  # no answers are taken
        self: Self, X: Any, y: Any = None
    ) -> Self:
        """Find the groups.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The points; with ``affinity="precomputed"`` the matrix, (n_samples, n_samples).
        y : ignored
            As in scikit-learn's clusterers.

        Returns
        -------
        self
        """
        return self._fit(X, None, {}, None)

    def _is_matrix(self) -> bool:
        return self.affinity == "precomputed"

    def _takes_sparse(self) -> bool:
        return not self._is_matrix() or self.embedding == "laplacian"

    def _run(
        self, X: Any, weights: Any, constraints: Constraints, callback: Callback
    ) -> _core.FitResult:
        if isinstance(X, np.ndarray) or not self._is_matrix():
            return super()._run(X, weights, constraints, callback)
        links = compressed_rows(X)
        threads = jobs(self.n_jobs)
        return _core.fit_graph(
            self._engine_json(), *links, weights, constraints._core, threads, callback
        )
