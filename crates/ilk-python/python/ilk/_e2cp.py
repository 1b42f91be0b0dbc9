"""Pairs propagated over a graph of neighbours."""

from __future__ import annotations

from typing import ClassVar, Literal

from ._base import PredictMixin
from ._graph_input import GraphInput
from ._progress import Verbose
from ._random import RandomState
from ._rows import Metric


class E2CP(PredictMixin, GraphInput):
    r"""Constraints of pairs is propagated to the pairs near them; spectral clustering follows.

    With :math:`W` the affinities of points with their nearest neighbours,
    :math:`S = D^{-1/2} W D^{-1/2}`, and :math:`Z_{ij}` 1 for a must-link, -1 for a cannot-link and 0
    elsewhere,

    .. math:: F = G Z G, \qquad G = (1 - \alpha)(I - \alpha S)^{-1},

    says of every pair how much speaks for or against it. :math:`F` is scaled to at most 1, and

    .. math:: \tilde W_{ij} = \begin{cases} 1 - (1 - F_{ij})(1 - W_{ij}) & F_{ij} \ge 0 \\
              (1 + F_{ij}) W_{ij} & \text{otherwise} \end{cases}

    are the affinities that are clustered. Labels become pairs; where clusters leave most of two labels
    together although every cluster has a label, the labels themselves are propagated over the graph. New
    points get the label that most of their neighbours have.

    Use it where you know the number of clusters, groups hold together by chains of neighbours, and few
    pairs are known: each says something about all points around it. Nothing n x n is held.

    Parameters
    ----------
    n_clusters : int, "auto" or None, default="auto"
        Number of clusters. ``"auto"`` and ``None``: chosen from the constraints and the data;
        ``chosen_`` says which number was taken and why.
    affinity : {"gaussian", "precomputed"}, default="gaussian"
        How alike two points are: a Gaussian of their distance; or ``X`` is a matrix of affinities,
        of which those above 0 between different points count. New points cannot be placed then.
    input : {"points", "graph", "kernel"}, default="points"
        What ``X`` is: points; the adjacency matrix of an undirected graph, dense or a scipy sparse
        matrix, with weights from 0, whose edges are taken as they are; or a matrix of affinities, as
        with ``affinity="precomputed"``. New nodes cannot be placed.
    sigma : float or "auto", default="auto"
        The width of the Gaussian, ``exp(-d²/(2 sigma²))``. ``"auto"``: every point has its own, the
        distance :math:`s` to its 7th neighbour, in ``exp(-d²/(s(x) s(y)))``.
    n_neighbors : int, default=10
        Neighbours with which a point has affinity; half of it where only one of two points is among
        the nearest of the other. As many as there are points: all have affinity.
    alpha : float, default=0.6
        How far pairs are propagated, :math:`\alpha`: the share of a value that comes from the
        neighbours.
    refine : {"auto", "off", "constrained", "majority", "neighbors", "dissolve"}, default="auto"
        How far labels are refined by the neighbours and the constraints after the points are grouped:
        not at all, or up to this step; see :class:`CMS`. ``"auto"``: held-out constraints decide, also
        whether affinities are adapted to the constraints.
    n_init : int, default=10
        Descents of the last step from different starts, of which the best is kept.
    random_state : int, RandomState, Generator or None, default=None
        Seed of everything random: starts, pairs from labels.
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
        The cluster of every point; -1 for a point without affinity to any.
    n_clusters_ : int
        Number of clusters.
    n_iter_ : int
        Steps of k-means in its best descent.
    converged_ : bool
        Whether that ended because no point changed its cluster any more.
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
    Z. Lu and H. Ip, "Exhaustive and efficient constraint propagation: a graph-based learning approach
    and its applications", 2013.

    Examples
    --------
    >>> import ilk
    >>> X, truth = ilk.datasets.make_two_circles(random_state=0)
    >>> constraints = ilk.make_constraints(truth, per_class=5, random_state=0)
    >>> model = ilk.E2CP(n_clusters=2, random_state=0).fit(X, constraints=constraints)
    >>> ilk.metrics.adjusted_rand_score(truth, model.labels_) > 0.9
    True
    """

    _method: ClassVar[str] = "e2cp"
    _matrix_parameter: ClassVar[str] = "affinity"

    def __init__(
        self,
        n_clusters: int | Literal["auto"] | None = "auto",
        affinity: Literal["gaussian", "precomputed"] = "gaussian",
        input: Literal["points", "graph", "kernel"] = "points",
        sigma: float | Literal["auto"] = "auto",
        n_neighbors: int = 10,
        alpha: float = 0.6,
        refine: Literal["auto", "off", "constrained", "majority", "neighbors", "dissolve"] = "auto",
        n_init: int = 10,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.input = input
        self.sigma = sigma
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.refine = refine
        self.n_init = n_init
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose
