"""Mean shift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal, cast

import numpy as np
import numpy.typing as npt

from . import _core
from ._base import PredictMixin, WeightedClusterer
from ._progress import Verbose
from ._random import RandomState
from ._rows import Metric


class MeanShift(PredictMixin, WeightedClusterer):
    r"""Points climb to the modes of their density; a mode is a cluster.

    Every point :math:`x` moves to the weighted mean of the points around it,

    .. math:: x \leftarrow \frac{\sum_i w_i\, k(\lVert x - x_i\rVert / h_i)\, x_i}
                                {\sum_i w_i\, k(\lVert x - x_i\rVert / h_i)},

    again and again. That climbs the kernel density estimate of the data, and points that end at the
    same mode are a cluster, however far apart they started. A point belongs to the mode that *it*
    reaches, not to the one that is nearest, and :meth:`predict` lets new points climb the same
    density. The number of clusters is not asked for: the bandwidth :math:`h` decides it, and must-
    and cannot-links or a few labels can decide the bandwidth. With such constraints, held-out ones
    decide how far labels are refined afterwards by the neighbours and the constraints; see ``refine``
    of :class:`CMS`.

    Parameters
    ----------
    bandwidth : float, array-like of shape (n_samples,), str or None, default=None
        The bandwidth :math:`h` of the kernel, in units of the data: one number, one a point, or a rule:
        ``"percentile(0.1)"`` (a share of all pairwise distances is smaller), ``"neighbor(10)"``
        (each point's distance to its k-th neighbour) or ``"silverman"``. ``None`` (``"auto"``)
        chooses by the pairs and labels if there are any, else by the percentile rule.
    kernel : {"gaussian", "rbf", "truncated", "flat", "epanechnikov"}, default="gaussian"
        The shape :math:`k(t)` of the kernel: ``exp(-t²/2)``, ``exp(-t²)``, the same but 0 where
        below ``truncation``, 1 up to t = 1 (scikit-learn's), ``1 - t²`` up to t = 1.
    truncation : float, default=0.2
        Values of the truncated kernel below this are 0.
    blurring : bool, default=False
        Whether the data move along with the centres. Faster, and a method of its own.
    cell : float, default=1e-10
        While blurring, centres that share a grid cell of this many bandwidths become one. From 1e-4
        on steps are taken in single precision, to a tenth of a cell, which is many times faster for
        many points. Cells from 0.01 on grow, up to one bandwidth, while more than 100,000 centres are left
        after a step.
    max_iter : int, default=300
        At most this many iterations.
    fixed_iter : int or None, default=None
        Exactly this many iterations, with no test of convergence.
    tol : float or None, default=None
        A centre has arrived when it moves at most this share of the bandwidth. ``None``: 1e-3 for
        the flat kernel, 1e-7 otherwise.
    merge_radius : float or None, default=None
        Modes closer than this share of the bandwidth are one. ``None``: 1 for the flat kernel, 0.01
        otherwise.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the tiny push off saddle points, and of the sample from which a bandwidth is
        estimated when there are many points.
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
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The modes, or the means of the clusters where labels were refined; a model that was loaded has
        the modes alone.
    bandwidth_ : float
        The bandwidth that was used; the median where every point has its own.
    n_iter_ : int
        Iterations done.
    converged_ : bool
        Whether the run ended because nothing moved any more.
    trace_ : recarray of shape (n_iter,)
        What happened in each iteration: ``active`` centres that still moved, and the largest
        ``movement``, in units of the data.
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
    K. Fukunaga and L. Hostetler, "The estimation of the gradient of a density function", 1975.

    D. Comaniciu and P. Meer, "Mean shift: a robust approach toward feature space analysis", 2002.

    Examples
    --------
    >>> import numpy as np
    >>> from ilk import MeanShift
    >>> X = np.array([[1.0, 1.0], [2.0, 1.0], [1.0, 0.0], [4.0, 7.0], [3.0, 5.0], [3.0, 6.0]])
    >>> model = MeanShift(bandwidth=1.0).fit(X)
    >>> model.n_clusters_
    2
    >>> same = model.labels_ == model.labels_[0]
    >>> same
    array([ True,  True,  True, False, False, False])
    >>> bool(model.predict([[3.5, 6.0]])[0] == model.labels_[3])
    True
    """

    _method: ClassVar[str] = "mean-shift"

    cluster_centers_: npt.NDArray[np.float64]
    bandwidth_: float

    def __init__(
        self,
        bandwidth: float | str | Sequence[float] | None = None,
        kernel: Literal["gaussian", "rbf", "truncated", "flat", "epanechnikov"] = "gaussian",
        truncation: float = 0.2,
        blurring: bool = False,
        cell: float = 1e-10,
        max_iter: int = 300,
        fixed_iter: int | None = None,
        tol: float | None = None,
        merge_radius: float | None = None,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.truncation = truncation
        self.blurring = blurring
        self.cell = cell
        self.max_iter = max_iter
        self.fixed_iter = fixed_iter
        self.tol = tol
        self.merge_radius = merge_radius
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _set_model(self, model: _core.Model) -> None:
        super()._set_model(model)
        self.__dict__.pop("cluster_centers_", None)
        if model.modes is not None:
            self.cluster_centers_ = model.modes
        self.bandwidth_ = cast(float, model.bandwidth)

    def _set_fit_attributes(self, result: _core.FitResult) -> None:
        if result.centers is not None:
            self.cluster_centers_ = result.centers
