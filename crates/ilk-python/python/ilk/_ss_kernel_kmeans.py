"""Semi-supervised kernel k-means."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, cast

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._base import PredictMixin, WeightedClusterer, jobs
from ._graph_input import GraphInput
from ._progress import Verbose
from ._random import RandomState
from ._rows import Metric

#: What groups should be like.
Objective = Literal[
    "auto",
    "ratio_association",
    "ratio_cut",
    "normalized_cut",
    "hmrf",
    "modularity",
    "likelihood",
]


class SSKernelKMeans(PredictMixin, GraphInput, WeightedClusterer):
    r"""Clusters of points, of a kernel matrix or of a graph, with rewards and penalties for answers.

    With :math:`A` the affinities (the kernel between points, or the weights of edges) and
    :math:`W_{ij} = w` for a must-link, :math:`-w` for a cannot-link and 0 otherwise, the groups
    :math:`G` have the largest

    .. math:: \sum_G \frac{\sum_{i, j \in G} A_{ij} + W_{ij}}{\alpha(G)}

    or the smallest cut in place of :math:`A` inside. :math:`\alpha(G)` is the number of points
    or, in the normalized cut, the sum of their affinities. All of these are weighted kernel k-means
    with some kernel, which finds them by batch steps, starting from the constraints. Must-links hold
    unless they are soft, and in a graph cannot-links hold wherever they can.

    Two objectives of graphs are of another kind, and found by moves of single nodes: modularity, and
    the likelihood of the degree-corrected block model, in which every group has a density of its own.
    The likelihood finds planted groups, large and small, where the normalized cut takes off a small
    piece that hangs on few edges.

    Use it where the number of clusters is known and the data is a graph, or points whose clusters a
    kernel or their neighbours can tell apart. A kernel between points is n x n; a graph stays sparse.

    Parameters
    ----------
    n_clusters : int, "auto" or None, default="auto"
        Number of clusters. ``"auto"`` and ``None``: chosen from the constraints and the data;
        ``chosen_`` says which number was taken and why.
    objective : str, default="auto"
        One of ``"auto"``, ``"ratio_association"``, ``"ratio_cut"``, ``"normalized_cut"``, ``"hmrf"``,
        ``"modularity"`` and ``"likelihood"``. What groups should be like: many links within over their
        size, few links to others over their size, few links to others over the sum of their
        affinities, or near to their means whatever the kernel (HMRF-KMeans with penalties over the
        size of groups); more links within than chance, or the most likely groups. ``"auto"``: the
        likelihood for a graph, also one of neighbours, the ratio association for kernels.
    kernel : {"gaussian", "self_tuning", "linear", "precomputed"}, default="gaussian"
        The kernel between points: ``exp(-d²/(2 sigma²))``; ``exp(-d²/(s(x) s(y)))`` with :math:`s` the
        distance to the ``n_neighbors``-th neighbour; ``x·y``; or as ``input="kernel"``.
    affinity : {"auto", "all", "neighbors"}, default="auto"
        Between which points there is affinity: every two; or each point and its 10 nearest neighbours,
        as in a graph of neighbours. ``"auto"``: held-out answers choose, or, where there are too few of
        them, ``"neighbors"``; ``"all"`` where ``kernel``, ``sigma`` or ``objective`` is given.
    sigma : float or "auto", default="auto"
        The width of the Gaussian kernel, or of the weights between neighbours. ``"auto"``: held-out
        answers choose, or, where there are too few of them, 0.7 times the median distance between
        points; between neighbours each point has its own.
    n_neighbors : int, default=7
        The neighbour whose distance is a point's width in the self-tuning kernel.
    input : {"points", "graph", "kernel"}, default="points"
        What ``X`` is: points; the adjacency matrix of an undirected graph, dense or a scipy sparse
        matrix, with weights from 0; or a symmetric kernel matrix.
    must_links : {"auto", "hard", "uncontradicted", "soft"}, default="auto"
        Whether must-links always hold: points that they join move as one; but for those that a
        cannot-link or two labels contradict; or breaking one has its price. ``"auto"``: as
        ``"uncontradicted"``.
    penalty : float, "auto" or "paper", default="auto"
        The worth :math:`w` of an answer. ``"auto"``: in graphs the mean links of a node, and no
        move may break more cannot-links; elsewhere as ``"paper"``. ``"paper"``: n / (k C) with n points, k clusters, C
        answers.
    resolution : float or "auto", default="auto"
        Resolution of modularity; the larger, the more even the clusters. ``"auto"``: that of the most
        likely planted groups.
    shift : {"off", "bound", "eigenvalue"}, default="off"
        What is added to the diagonal to make the kernel definite. The best groups stay the best, but
        points move less.
    search : {"auto", "near", "thorough"}, default="auto"
        What is kept of descents from many starts, with moves of single points after the batch steps
        and without. ``"auto"``: what breaks least of the constraints, and then has the best value.
        ``"thorough"``: what has the best value, which may put the constraints into small groups of
        its own. ``"near"``: one start that knows the constraints, and batch steps alone, as in the paper.
    multilevel : {"auto", "on", "off"}, default="auto"
        Whether a graph is coarsened first, which is what makes millions of edges a matter of seconds.
        Must-links then hold, and where there are no more labels than clusters labelled nodes stay in
        the clusters of their labels. ``"auto"``: graphs of more than 5,000 nodes.
    coarsening : {"region_growing", "heavy_edge_matching"}, default="region_growing"
        Which nodes become one when a graph is coarsened: parts that grow from random nodes, or
        pairs of nodes with the heaviest edges, which finds smaller cuts where a few nodes have very
        many links and takes longer.
    refine : {"auto", "off", "constrained", "majority", "neighbors", "dissolve"}, default="auto"
        How far labels are refined by the neighbours and the constraints after the points are grouped:
        not at all, or up to this step; see :class:`CMS`. ``"auto"``: held-out constraints decide, also
        whether the kernel is changed by the constraints.
    n_init : int, default=10
        Starts from which descents go; ``"near"`` has one.
    max_iter : int, default=300
        At most this many steps a descent.
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
        The cluster of every point; -1 for nodes without edges without constraints.
    n_clusters_ : int
        Number of clusters.
    objective_trace_ : ndarray of shape (n_iter,)
        The objective after each step, which never rises: cuts less rewards, squared distances less
        rewards, or, with the sign turned, association and rewards.
    n_iter_ : int
        Steps of the best descent.
    converged_ : bool
        Whether it ended because no point changed its cluster any more.
    trace_ : recarray of shape (n_iter,)
        What happened in each step: points that were ``active``, and the ``movement``.
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
    B. Kulis, S. Basu, I. Dhillon and R. Mooney, "Semi-supervised graph clustering: a kernel
    approach", 2009.

    Examples
    --------
    Two triangles, and a node between them with a must-link to the second:

    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> from ilk import SSKernelKMeans
    >>> u, v = np.array([[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [2, 6], [6, 3]]).T
    >>> edges = csr_array((np.ones(8), (u, v)), shape=(7, 7))
    >>> model = SSKernelKMeans(n_clusters=2, input="graph", random_state=0)
    >>> model.fit(edges + edges.T, must_link=[[6, 5]]).labels_
    array([0, 0, 0, 1, 1, 1, 1])
    """

    _method: ClassVar[str] = "ss-kernel-kmeans"
    _matrix_parameter: ClassVar[str] = "kernel"

    objective_trace_: npt.NDArray[np.float64]

    def __init__(
        self,
        n_clusters: int | Literal["auto"] | None = "auto",
        objective: Objective = "auto",
        kernel: Literal["gaussian", "self_tuning", "linear", "precomputed"] = "gaussian",
        affinity: Literal["auto", "all", "neighbors"] = "auto",
        sigma: float | Literal["auto"] = "auto",
        n_neighbors: int = 7,
        input: Literal["points", "graph", "kernel"] = "points",
        must_links: Literal["auto", "hard", "uncontradicted", "soft"] = "auto",
        penalty: float | Literal["auto", "paper"] = "auto",
        resolution: float | Literal["auto"] = "auto",
        shift: Literal["off", "bound", "eigenvalue"] = "off",
        search: Literal["auto", "near", "thorough"] = "auto",
        multilevel: Literal["auto", "on", "off"] = "auto",
        coarsening: Literal["region_growing", "heavy_edge_matching"] = "region_growing",
        refine: Literal["auto", "off", "constrained", "majority", "neighbors", "dissolve"] = "auto",
        n_init: int = 10,
        max_iter: int = 300,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.objective = objective
        self.kernel = kernel
        self.affinity = affinity
        self.sigma = sigma
        self.n_neighbors = n_neighbors
        self.input = input
        self.must_links = must_links
        self.penalty = penalty
        self.resolution = resolution
        self.shift = shift
        self.search = search
        self.multilevel = multilevel
        self.coarsening = coarsening
        self.refine = refine
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def predict(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the clusters of new points: the vote of their neighbours.

        For a graph or a kernel matrix a new point is the row of its affinities with all points that
        were fitted, and goes to the nearest mean, whatever the constraints.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The points, or their affinities.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            -1 for noise.
        """
        if self.input != "graph":
            return super().predict(X)
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False)
        rows = X if isinstance(X, np.ndarray) else X.toarray()
        return self._model.predict(np.ascontiguousarray(rows), jobs(self.n_jobs))

    def _set_fit_attributes(self, result: _core.FitResult) -> None:
        self.objective_trace_ = cast(npt.NDArray[np.float64], result.objectives)
