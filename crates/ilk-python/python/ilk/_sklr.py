"""Kernel learning from comparisons."""

from __future__ import annotations

from typing import ClassVar, Literal

from ._learning import FixedKClusterer
from ._progress import Verbose
from ._random import RandomState
from ._rows import Metric


class SKLR(FixedKClusterer):
    r"""Kernel learning from comparisons: of three points that one is the odd one out.

    Of all kernels in which the odd one is at least ``ratio`` times as far, up to slack, the one
    nearest to the given kernel is found (:class:`LogDetKernel` says how),

    .. math:: \min_{\hat K}\; D(\hat K, K) + C \sum \xi \quad\text{where}\quad
              \rho\, \hat d^2(a, b) \le \hat d^2(a, c) + \xi,\;
              \rho\, \hat d^2(a, b) \le \hat d^2(b, c) + \xi

    for every answer that c is the odd one of a, b and c, with :math:`D` the log-determinant
    divergence and :math:`C` the ``penalty``. The kernel to begin with is self-tuning, so that no
    width has to be chosen, and kernel k-means finds the groups. Pairs and labels adapt the same
    kernel.

    Use it where people find it easier to compare than to say whether two things belong together,
    and you know the number of clusters. A comparison does not say at which resolution to look, so
    one kernel serves several numbers: :meth:`regroup`.

    Parameters
    ----------
    n_clusters : int, "auto" or None, default="auto"
        Number of clusters. ``"auto"`` and ``None``: chosen from the constraints and the data;
        ``chosen_`` says which number was taken and why.
    kernel : {"gaussian", "self_tuning", "linear", "precomputed"}, default="self_tuning"
        The kernel :math:`k` that is adapted: ``exp(-d²/(2 sigma²))``; ``exp(-d²/(s(x) s(y)))`` with
        :math:`s` the distance to the ``n_neighbors``-th neighbour; ``x·y``; or ``X`` is a kernel
        matrix, and new points are rows of kernel values with the points that were fitted.
    sigma : float, "auto" or "divergence", default="auto"
        The width :math:`\sigma` of the Gaussian kernel. ``"divergence"``: of a grid of distances,
        the one whose kernel has to change least. ``"auto"``: held-out answers choose, or, where
        there are too few of them, as ``"divergence"``.
    gamma : float, "auto" or "two_fold", default=10.0
        How strongly pairs pull, the SKMS paper's :math:`\gamma`; ``inf`` makes their targets hard.
        ``"auto"``: held-out answers choose; ``"two_fold"``: two folds of them, as in the paper.
    rank : {"auto", "exact", "trace", "frobenius"}, str or int, default="auto"
        How much of the kernel is kept before it is adapted: all of it, the largest eigenvalues that
        make up .99 of their sum or of the Frobenius norm (another share as ``"trace(0.9)"``), or so
        many. ``"auto"``: held-out answers choose, or, where there are too few, all is kept.
    targets : "auto" or (float, float), default="auto"
        The squared distances in kernel space below which must-links are pulled and above which
        cannot-links are pushed. ``"auto"``: near the smallest and the largest there are.
    ratio : float, default=2.0
        How many times as far the odd one is as the other two are from each other, in squared
        distances; the SKLR paper's :math:`\gamma`.
    slack : {"l1", "l2", "none"}, default="l1"
        How comparisons give way when they cannot all hold: in proportion, with the square, or not.
    penalty : float, default=1.0
        What a comparison that does not hold costs.
    projection : {"dual", "sweeps", "paper"}, default="dual"
        ``"dual"``: to the optimum, which does not depend on the order of the answers. ``"sweeps"``:
        the same without second-order steps. ``"paper"``: the papers' own procedures, whose result
        depends on that order.
    tol : float, default=1e-9
        The duality gap, relative to the objective, at which learning stops.
    max_iter : int, default=10000
        At most this many sweeps over the constraints.
    n_neighbors : int, default=100
        The neighbour whose distance is a point's width in the self-tuning kernel.
    grouping : {"kernel_kmeans", "mean_shift", "spectral"}, default="kernel_kmeans"
        How groups are found in the learned space; mean shift finds their number itself.
    n_init : int, default=10
        Descents from different starts, of which the best is kept.
    filter_inconsistent : bool, default=True
        Whether pairs are left out that most other pairs contradict: where two points were both compared with
        a third, the two pairs speak for or against the two belonging together. Pairs that do not
        contradict each other are all kept. What was left out is in ``chosen_``.
    refine : {"auto", "off", "constrained", "majority", "neighbors", "dissolve"}, default="auto"
        How far labels are refined by the neighbours and the constraints after the points are grouped:
        not at all, or up to this step; see :class:`CMS`. ``"auto"``: held-out constraints decide, also
        whether the kernel is learned.
    sample : int, default=5000
        Points that are grouped, at most, among them all constrained points; the others are
        placed as new points are.
    random_state : int, RandomState, Generator or None, default=None
        Seed of everything random: starts, folds, samples, pairs from labels.
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
    cluster_centers_ : ndarray of shape (n_clusters, n_components)
        The centres, in the learned space.
    kernel_ : LearnedKernel
        The learned kernel, for points old and new.
    chosen_ : list of Chosen
        What was left open, what it became, and by what it was chosen.
    sigma_ : float or None
        The width that was used; ``None`` unless the kernel is Gaussian.
    gamma_ : float
        How strongly pairs pulled.
    rank_ : int or None
        Dimensions to which the kernel was cut; ``None`` where it was kept whole.
    n_iter_ : int
        Iterations of the grouping.
    converged_ : bool
        Whether the grouping ended because nothing changed any more.
    trace_ : recarray of shape (n_iter,)
        What happened in each iteration of the grouping: what was ``active``, and the largest
        ``movement``, in the learned space.
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
    E. Amid, A. Gionis and A. Ukkonen, "A kernel-learning approach to semi-supervised clustering
    with relative distance comparisons", 2015.

    Examples
    --------
    >>> import numpy as np
    >>> from ilk import SKLR
    >>> X = np.array([[0.0], [1.0], [2.0], [5.0], [6.0], [9.0]])
    >>> model = SKLR(n_clusters=2, random_state=0)
    >>> model.fit(X, odd_one_out=[[0, 2, 3], [3, 5, 2], [3, 4, 5]]).labels_
    array([0, 0, 0, 1, 1, 1])

    The same learned space at a finer resolution:

    >>> model.regroup(X, n_clusters=3).labels_
    array([0, 0, 0, 1, 1, 2])
    """

    _method: ClassVar[str] = "sklr"

    def __init__(
        self,
        n_clusters: int | Literal["auto"] | None = "auto",
        kernel: Literal["gaussian", "self_tuning", "linear", "precomputed"] = "self_tuning",
        sigma: float | Literal["auto", "divergence"] = "auto",
        gamma: float | Literal["auto", "two_fold"] = 10.0,
        rank: int | Literal["auto", "exact", "trace", "frobenius"] = "auto",
        targets: Literal["auto"] | tuple[float, float] = "auto",
        ratio: float = 2.0,
        slack: Literal["l1", "l2", "none"] = "l1",
        penalty: float = 1.0,
        projection: Literal["dual", "sweeps", "paper"] = "dual",
        tol: float = 1e-9,
        max_iter: int = 10_000,
        n_neighbors: int = 100,
        grouping: Literal["kernel_kmeans", "mean_shift", "spectral"] = "kernel_kmeans",
        n_init: int = 10,
        filter_inconsistent: bool = True,
        refine: Literal["auto", "off", "constrained", "majority", "neighbors", "dissolve"] = "auto",
        sample: int = 5000,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.sigma = sigma
        self.gamma = gamma
        self.rank = rank
        self.targets = targets
        self.ratio = ratio
        self.slack = slack
        self.penalty = penalty
        self.projection = projection
        self.tol = tol
        self.max_iter = max_iter
        self.n_neighbors = n_neighbors
        self.grouping = grouping
        self.n_init = n_init
        self.filter_inconsistent = filter_inconsistent
        self.refine = refine
        self.sample = sample
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose
