"""Coordinates from the graph of neighbours."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.utils.validation import validate_data

from . import _core
from ._base import jobs
from ._embedding import Embedder
from ._rows import Metric, compressed_rows


class LaplacianEigenmaps(Embedder):
    r"""Coordinates in which points with strong edges between them are close together.

    With :math:`W` the weights of the edges of a graph and :math:`D` their row sums, coordinates are
    the eigenvectors with the smallest eigenvalues of

    .. math::

       L_{sym} = I - D^{-1/2} W D^{-1/2}, \quad L_{rw} = I - D^{-1} W, \quad L = D - W.

    The eigenvalue 0 comes once for each part of the graph that no edge joins to the rest; its
    vectors are the indicators of the parts, the largest part first. Those of :math:`L_{rw}` are
    scaled to :math:`y^T D y = 1`, the others to unit length, and the entry of largest magnitude is
    positive.

    A point that lies on one that was fitted has its coordinates. A new one is joined to the graph as
    the others are, and has the coordinates that the equation of the eigenvectors then gives it
    (Nyström), such as :math:`\sum_j w_j y_j / (d (1 - \lambda))` for :math:`L_{rw}`, with :math:`d`
    the sum of its weights; the nearer it is to a point of the fit, the more of that point's; without
    edges, those of the nearest point.

    Parameters
    ----------
    n_components : int, default=2
        Number of coordinates; no more than there are points.
    laplacian : {"sym", "rw", "unnormalized"}, default="sym"
        Which Laplacian.
    affinity : {"gaussian", "precomputed"}, default="gaussian"
        Whether the graph is made from points, or ``X`` is a matrix of affinities, dense or sparse.
        Then a new point is the row of its affinities to all points.
    graph : {"knn", "mutual_knn", "epsilon", "full"}, default="knn"
        Which points have an edge: one is among the nearest of the other; both are; their squared
        distance is at most ``epsilon``; all.
    n_neighbors : int, default=10
        Nearest neighbours of a point.
    epsilon : float, default=1.0
        Up to which squared distance points have an edge, for ``graph="epsilon"``.
    weight : {"heat", "unit"}, default="heat"
        What an edge weighs: ``exp(-d²/(2 sigma²))``, or 1.
    sigma : float or "auto", default="auto"
        Width of the heat kernel. ``"auto"``: the median distance of a point to its 7th neighbour.
    drop_first : bool, default=False
        Whether the first eigenvector is left out where the graph is connected. Of ``"rw"`` and
        ``"unnormalized"`` it is the same for all points then, of ``"sym"`` the root of the degree:
        leave it out for plots, keep it for clusters.
    metric : {"euclidean", "cosine"}, default="euclidean"
        What distances are. With ``"cosine"`` every row is divided by its length first, here and in
        :meth:`transform`, so that only directions count, as in embeddings of text.
    n_jobs : int or None, default=None
        Threads: -1 is all cores, ``None`` leaves it to ``RAYON_NUM_THREADS`` or the machine. The
        result does not depend on it.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates of the points that were fitted.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalue of every coordinate, rising.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        The same as ``embedding_``.
    n_connected_components_ : int
        Parts of the graph that no edge joins to the rest.
    sigma_ : float or None
        The width that was used, if any.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        The names of the columns, after a fit on a data frame.

    References
    ----------
    M. Belkin and P. Niyogi, "Laplacian eigenmaps for dimensionality reduction and data
    representation", 2003.

    Examples
    --------
    >>> from ilk import LaplacianEigenmaps
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1]]
    >>> model = LaplacianEigenmaps(laplacian="unnormalized", graph="epsilon", epsilon=0.1)
    >>> model.fit_transform(X).round(2)
    array([[0.58, 0.  ],
           [0.58, 0.  ],
           [0.58, 0.  ],
           [0.  , 0.71],
           [0.  , 0.71]])
    >>> model.n_connected_components_
    2
    """

    _embedding_name: ClassVar[str] = "laplacian-eigenmaps"
    _matrix: ClassVar[str] = "affinity"

    n_connected_components_: int

    def __init__(
        self,
        n_components: int = 2,
        laplacian: Literal["sym", "rw", "unnormalized"] = "sym",
        affinity: Literal["gaussian", "precomputed"] = "gaussian",
        graph: Literal["knn", "mutual_knn", "epsilon", "full"] = "knn",
        n_neighbors: int = 10,
        epsilon: float = 1.0,
        weight: Literal["heat", "unit"] = "heat",
        sigma: float | Literal["auto"] = "auto",
        drop_first: bool = False,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.laplacian = laplacian
        self.affinity = affinity
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.epsilon = epsilon
        self.weight = weight
        self.sigma = sigma
        self.drop_first = drop_first
        self.metric = metric
        self.n_jobs = n_jobs

    def _validated(self, X: Any, reset: bool) -> Any:
        accept = "csr" if self.affinity == "precomputed" else False
        return self._scaled(
            validate_data(self, X, dtype=np.float64, accept_sparse=accept, order="C", reset=reset)
        )

    def _run(self, X: Any) -> _core.EmbedResult:
        if isinstance(X, np.ndarray):
            return super()._run(X)
        return _core.embed_graph(self._settings(), *compressed_rows(X), jobs(self.n_jobs))

    def _set_fit_attributes(self, result: _core.EmbedResult) -> None:
        assert result.n_connected_components is not None
        self.n_connected_components_ = result.n_connected_components

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.affinity == "precomputed"
        return tags
