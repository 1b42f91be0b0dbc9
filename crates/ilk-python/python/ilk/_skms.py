"""Semi-supervised kernel mean shift."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._base import jobs
from ._learning import LearningClusterer
from ._progress import Verbose
from ._random import RandomState
from ._rows import Metric


class SKMS(LearningClusterer):
    r"""Semi-supervised kernel mean shift: a kernel is adapted to the answers, then mean shift groups the points.

    Of all kernels that do the constraints, up to slack, the one nearest to the given kernel is found
    (:class:`LogDetKernel` says how):

    .. math:: \hat k(x, y) = k(x, y) + k(x, P)\, S\, k(P, y),

    with :math:`P` the constrained points. In its space must-linked points are near
    each other and cannot-linked ones far apart, and what lies around them goes along. There every
    point climbs to a mode of the density, by mean shift with a bandwidth of its own, its distance
    to the k-th neighbour; the must-links determine k. Points that end at one mode are
    a cluster. Labels are then refined by the nearest neighbours and with the constraints.

    Use it where clusters are curved or of different scales, where you do not know their number, and
    can give some tens of pairs, comparisons or labels. For heaps of one scale :class:`MeanShift`
    does; where you know the number of clusters try :class:`SKLR` and :class:`SKkm` beside it.

    Parameters
    ----------
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
        The neighbour whose distance is the bandwidth of a point. ``"auto"``: the must-links
        tell; without them all points have the bandwidth with the most stable clusters.
    max_dims : int, default=25
        Dimensions of the space in which mean shift runs, at most: those of most weight.
    refine : {"auto", "off", "constrained", "majority", "neighbors", "dissolve"}, default="auto"
        How far labels are refined by the neighbours and the constraints after the points are grouped:
        not at all, or up to this step; see :class:`CMS`. ``"auto"``: held-out constraints decide, also
        whether the kernel is learned.
    must_links : {"auto", "hard", "uncontradicted", "soft"}, default="auto"
        What a must-link is worth when labels are refined; see :class:`CMS`.
    filter_inconsistent : bool, default=True
        Whether pairs are left out that most other pairs contradict: where two points were both compared with
        a third, the two pairs speak for or against the two belonging together. Pairs that do not
        contradict each other are all kept. What was left out is in ``chosen_``.
    sample : int, default=5000
        Points that are shifted, at most, among them all constrained points; the others are
        placed as new points are.
    random_state : int, RandomState, Generator or None, default=None
        Seed of everything random: folds, samples, pairs from labels.
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
    n_neighbors_ : int or None
        The neighbour whose distance was the bandwidth of a point; None where all points had one
        bandwidth.
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

    Examples
    --------
    Two groups that touch, separated by three answers. So few cannot decide whether to learn a kernel;
    ``refine="off"`` learns it always:

    >>> import numpy as np
    >>> from ilk import SKMS
    >>> X = np.array([[0.0], [1.0], [2.0], [3.2], [4.2], [5.2]])
    >>> model = SKMS(refine="off", random_state=0)
    >>> model.fit(X, must_link=[[0, 2], [3, 5]], cannot_link=[[2, 3]]).labels_
    array([0, 0, 0, 1, 1, 1])
    >>> model.predict([[0.5], [4.9]])
    array([0, 1])
    >>> near, far = model.kernel_.dist_sq(X[[2]], X[[0, 3]])[0]
    >>> bool(near < far)
    True
    """

    _method: ClassVar[str] = "skms"

    n_neighbors_: int | None

    def __init__(
        self,
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
        max_dims: int = 25,
        refine: Literal["auto", "off", "constrained", "majority", "neighbors", "dissolve"] = "auto",
        must_links: Literal["auto", "hard", "uncontradicted", "soft"] = "auto",
        filter_inconsistent: bool = True,
        sample: int = 5000,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
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
        self.max_dims = max_dims
        self.refine = refine
        self.must_links = must_links
        self.filter_inconsistent = filter_inconsistent
        self.sample = sample
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _set_model(self, model: _core.Model) -> None:
        super()._set_model(model)
        chosen = {each.parameter: each.value for each in self.chosen_}
        others = max(len(self.labels_) - 1, 1)
        neighbors = chosen.get("n_neighbors", self.n_neighbors)
        self.n_neighbors_ = None if neighbors == "auto" else min(int(neighbors), others)

    def stability(self, X: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Count the clusters for numbers of neighbours around the one that was chosen.

        The paper's Fig. 6. ``n_neighbors_`` comes from the must-links and may be too small; where
        the number of clusters does not change over a long stretch of neighbours, one in the middle
        of it is a good choice. Everything else stays as it was chosen in the fit. Mean shift runs
        once for every number, and labels are not refined.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points that were fitted.

        Returns
        -------
        neighbors : ndarray of int
            The numbers that were tried, rising.
        clusters : ndarray of int
            How many clusters each of them gave.
        """
        X = self._new_points(X)
        if len(X) != len(self.labels_):
            raise ValueError(
                f"X has {len(X)} points, but {len(self.labels_)} were fitted; stability needs those"
            )
        recipe = json.loads(self._model.method)
        for each in self.chosen_:
            if each.parameter in ("sigma", "gamma", "rank", "targets"):
                text = each.value
                is_list = text.startswith("[")
                recipe["params"][each.parameter] = json.loads(text) if is_list else text
        constraints = getattr(self, "_constraints", None)
        core = None if constraints is None else constraints._core
        found = _core.stability(json.dumps(recipe), X, core, jobs(self.n_jobs))
        neighbors, clusters = (np.array(each, dtype=np.int64) for each in found)
        return neighbors, clusters
