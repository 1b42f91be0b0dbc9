"""The graph of points that are near each other."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.utils.validation import check_array

from . import _core
from ._base import jobs
from ._rows import Metric, is_cosine, unit_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: What may become of an edge that only one of its ends asks for.
ONE_SIDED = ("halved", "kept", "dropped")


def neighbors_graph(
    X: Any,
    n_neighbors: int = 10,
    *,
    radius: float | None = None,
    one_sided: Literal["halved", "kept", "dropped"] = "halved",
    sigma: float | Literal["auto"] | None = "auto",
    metric: Metric = "euclidean",
    n_jobs: int | None = None,
) -> csr_array:
    r"""Return the graph of points with their nearest others, as ``input="graph"`` takes it.

    Unlike scikit-learn's ``kneighbors_graph`` it is symmetric, and nearer neighbours weigh more.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        The points.
    n_neighbors : int, default=10
        Each point has edges with this many of the nearest others.
    radius : float, optional
        Each point has edges with all others that are at most this far away instead.
    one_sided : {"halved", "kept", "dropped"}, default="halved"
        What becomes of an edge of which only one end is among the nearest of the other: it has half
        its weight, all of it, or is left out (neighbours are then mutual).
    sigma : float, "auto" or None, default="auto"
        Weights are ``exp(-d²/(2 sigma²))`` at distance d; for ``"auto"`` ``exp(-d²/(s(x) s(y)))`` with
        s the distance to the 7th neighbour; 1 for ``None``.
    metric : {"euclidean", "cosine"}, default="euclidean"
        What distances are. With ``"cosine"`` every row is divided by its length first.
    n_jobs : int or None, default=None
        Threads: -1 is all cores, ``None`` leaves it to ``RAYON_NUM_THREADS`` or the machine.

    Returns
    -------
    graph : scipy.sparse.csr_array of shape (n_samples, n_samples)
        The weights of the edges. ``scipy.sparse.csgraph.connected_components`` tells its parts.

    Examples
    --------
    >>> import ilk
    >>> X, truth = ilk.datasets.make_moons(random_state=0)
    >>> graph = ilk.neighbors_graph(X, 10)
    >>> model = ilk.SSKernelKMeans(2, "normalized_cut", input="graph", random_state=0)
    >>> ilk.metrics.adjusted_rand_score(truth, model.fit(graph).labels_)
    1.0
    """
    from scipy.sparse import csr_array

    points = np.ascontiguousarray(check_array(X, dtype=np.float64, order="C"))
    if is_cosine(metric, is_matrix=False):
        points = unit_rows(points)
    if one_sided not in ONE_SIDED:
        raise ValueError(
            f"one_sided = {one_sided!r} is not understood: it must be one of {', '.join(ONE_SIDED)}"
        )
    if not isinstance(n_neighbors, numbers.Integral) or n_neighbors < 1:
        raise ValueError(f"n_neighbors = {n_neighbors!r} is out of range: a whole number from 1")
    if sigma is None:
        weight, width = "unit", 1.0
    elif isinstance(sigma, str):
        if sigma != "auto":
            raise ValueError(
                f"sigma = {sigma!r} is not understood: it must be a number, 'auto' or None"
            )
        weight, width = "self_tuning", 1.0
    else:
        weight, width = "gaussian", float(sigma)
    offsets, columns, values = _core.neighbors_graph(
        points,
        int(n_neighbors),
        None if radius is None else float(radius),
        one_sided,
        weight,
        width,
        jobs(n_jobs),
    )
    n = len(points)
    return csr_array((values, columns, offsets), shape=(n, n))
