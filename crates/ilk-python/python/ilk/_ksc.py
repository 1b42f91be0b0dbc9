"""Spectral clustering with a learned kernel."""

from __future__ import annotations

from typing import ClassVar, Literal

from ._learning import FixedKClusterer
from ._progress import Verbose
from ._random import RandomState
from ._rows import Metric


class KSC(FixedKClusterer):
    r"""Spectral clustering with a learned kernel.

    As :class:`SKMS`, but the number of clusters is given, and the learned kernel (its positive
    values) is the affinity :math:`W` of points with their neighbours: the leading eigenvectors of

    .. math:: D^{-1/2} W D^{-1/2}, \qquad D = \operatorname{diag}(W 1),

    are the coordinates in which k-means finds the groups. New points get the label that most of
    their neighbours in the learned space have.

    Use it where you know the number of clusters, and groups hold together by chains of neighbours
    and not by a common centre; otherwise :class:`SKkm` is simpler.

    Parameters
    ----------
    n_clusters : int, "auto" or None, default="auto"
        Number of clusters. ``"auto"`` and ``None``: chosen from the constraints and the data;
        ``chosen_`` says which number was taken and why.
    kernel : {"gaussian", "self_tuning", "linear", "precomputed"}, default="gaussian"
        The kernel :math:`k` that is adapted: ``exp(-d²/(2 sigma²))``; ``exp(-d²/(s(x) s(y)))`` with
        :math:`s` the distance to the 100th neighbour; ``x·y``; or ``X`` is a kernel matrix,
        and new points are rows of kernel values with the points that were fitted.
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
    n_neighbors : int or "auto", default="auto"
        Neighbours in the learned space with which a point has affinity; 0 is all points, as in the
        paper. ``"auto"``: 10 or 0, by held-out answers, or, where there are too few of them, 10.
    n_init : int, default=10
        Descents of the last step from different starts, of which the best is kept.
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
        The means of the clusters, in the learned space.
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
    S. Anand, S. Mittal, O. Tuzel and P. Meer, "Semi-supervised kernel mean shift clustering", 2014.

    A. Ng, M. Jordan and Y. Weiss, "On spectral clustering: analysis and an algorithm", 2001.

    Examples
    --------
    >>> import numpy as np
    >>> from ilk import KSC
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0], [5.0], [6.0]])
    >>> model = KSC(n_clusters=2, random_state=0)
    >>> model.fit(X, must_link=[[0, 2], [3, 5]], cannot_link=[[2, 3]]).labels_
    array([0, 0, 0, 1, 1, 1])
    """

    _method: ClassVar[str] = "ksc"

    def __init__(
        self,
        n_clusters: int | Literal["auto"] | None = "auto",
        kernel: Literal["gaussian", "self_tuning", "linear", "precomputed"] = "gaussian",
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
        n_neighbors: int | Literal["auto"] = "auto",
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
        self.n_init = n_init
        self.filter_inconsistent = filter_inconsistent
        self.refine = refine
        self.sample = sample
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose
