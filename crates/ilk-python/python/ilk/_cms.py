"""Constrained mean shift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal, cast

import numpy as np
import numpy.typing as npt

from . import _core
from ._base import Clusterer, PredictMixin
from ._progress import Verbose
from ._rows import Metric


class CMS(PredictMixin, Clusterer):
    r"""Constrained mean shift: cannot-links keep centres apart while they climb.

    Every point :math:`i` has a centre :math:`t_i`, which starts at the point and moves to a
    weighted mean of the sampling points :math:`s_j` (the data, or the centres themselves if
    ``blurring``),

    .. math:: t_i \leftarrow \frac{\sum_j k(\lVert s_j - t_i\rVert / h)\, w_{ij}\, s_j}
                                  {\sum_j k(\lVert s_j - t_i\rVert / h)\, w_{ij}},
              \qquad
              w_{ij} = \prod_{(x, y)} 1 - k\Bigl(\frac{\lVert t_x - t_i\rVert}{h_{xy}}\Bigr)
                                          k\Bigl(\frac{\lVert t_y - t_j\rVert}{h_{xy}}\Bigr).

    The product is over all cannot-links :math:`(x, y)`, in both directions: a centre near one end
    of a cannot-link does not see the points whose centres are near its other end. How near is a
    matter of the length of the link, :math:`h_{xy} = \min(h, \lambda\lVert t_x - t_y\rVert)`, and
    both ends move. The bandwidth :math:`h` grows from iteration to iteration, so that points gather
    in small heaps first, and heaps join until only cannot-links keep them apart.

    Use it when you can tell pairs that do *not* belong together (or have a few labels, which say as
    much) and do not know the number of clusters. Where nothing is kept apart it is a mean shift of
    growing bandwidth, and :class:`MeanShift` does that better. Answers that contradict each other
    are no error; ``constraint_report_`` tells what was broken.

    Parameters
    ----------
    bandwidth : "linear", float, (float, float) or sequence of float, default="linear"
        The bandwidth :math:`h` of every iteration, in units of the data. ``"linear"``: in equal
        steps from the smallest distance between two points to the largest; where nothing is kept
        apart, in ``mode="best"``, to twice the usual one of :class:`MeanShift`, since otherwise all
        would end in one cluster. A number: always the same. Two numbers: in equal steps from the
        first to the second. More: one an iteration, and the last one stays.
    max_iter : int, default=80
        Number of iterations, :math:`u_{max}`. Unless ``early_stop`` ends the run before, all are
        done.
    kernel : {"truncated", "ball", "rbf"}, default="truncated"
        The shape :math:`k(t)` of the kernel: ``exp(-t²)``, but 0 where that is below
        ``truncation``; 1 up to t = 1 and 0 beyond; ``exp(-t²)``.
    truncation : float, default=0.2
        Values of the truncated kernel below this are 0; the paper's :math:`c`.
    blurring : bool, default=False
        Whether the sampling points are the centres themselves, which move, and not the data.
    constraint_scale : float, default=0.5
        The range of a cannot-link by its own length; the paper's :math:`\lambda`.
    merge_kernel : float, default=0.99
        Centres are close if the kernel of their distance, at the last bandwidth, is above this.
        Close centres that see each other are one cluster (``mode="paper"``); the run may stop early
        when all that see each other are close.
    merge_weight : float, default=0.1
        Centres see each other if :math:`w_{ij}` is above this.
    closure : bool, default=True
        Whether must-links spread cannot-links: what cannot be with a point cannot be with any that
        is joined to it either. Without it must-links have no say in how centres move.
    early_stop : bool, default=True
        Whether to stop when nothing moves and nothing can any more.
    history : int, default=0
        About how many snapshots of the centres to keep, spread evenly over the iterations;
        ``history=max_iter`` keeps all. They take ``8 * history * n_samples * n_features`` bytes. With
        any, groups are found among the points as they are, never in a space learned from constraints.
    mode : {"best", "paper"}, default="best"
        How labels are read from the centres. ``"best"``: points whose centres ended in one place
        are a cluster, and labels are then refined by the nearest neighbours and the constraints:
        must-links hold, fragments join the cluster around them. ``"paper"``: exactly
        as the authors' program reads them, connected components of centres that are close and see
        each other; there must-links have a say through ``closure`` alone.
    refine : {"auto", "off", "constrained", "majority", "neighbors", "dissolve"}, default="auto"
        How far labels are refined in ``mode="best"``. ``"off"``: they stay as they are.
        ``"constrained"``: constrained points alone move, to the label that their neighbours and the
        constraints support. ``"majority"``: clusters that most constraints connect are merged, and
        must-linked points get one label. ``"neighbors"``: then all points move to the label that
        their neighbours and the constraints support. ``"dissolve"``: then small clusters dissolve
        into those around them. ``"auto"``: held-out constraints decide, also whether the shift uses
        the constraints.
    must_links : {"auto", "hard", "uncontradicted", "soft"}, default="auto"
        What a must-link is worth in ``mode="best"``. ``"hard"``: it always holds.
        ``"uncontradicted"``: it holds where no cannot-link contradicts it. ``"soft"``: it has a
        price, as a cannot-link has, and the neighbours may outweigh it. ``"auto"``:
        uncontradicted, unless the neighbours contradict more of them than right answers would
        leave; then soft.
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
    modes_ : ndarray of shape (n_samples, n_features)
        Where the centre of every point ended; not there if every point was labelled.
    bandwidths_ : ndarray of shape (n_iter,)
        The bandwidth of every iteration that was done; not there if every point was labelled.
    n_iter_ : int
        Iterations done.
    converged_ : bool
        Whether the run ended because nothing moved any more, before ``max_iter``.
    trace_ : recarray of shape (n_iter,)
        What happened in each iteration: distinct centres that were ``active``, and the largest
        ``movement``, in units of the data.
    history_ : ndarray of shape (n_snapshots, n_samples, n_features)
        The centres on the way; only if ``history`` is above 0.
    history_iter_ : ndarray of shape (n_snapshots,)
        After how many iterations each snapshot was taken; only if ``history`` is above 0.
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
    M. Schier, C. Reinders and B. Rosenhahn, "Constrained mean shift clustering", 2022.

    Examples
    --------
    Six points in a row, with nothing but an answer to tell two groups apart:

    >>> import numpy as np
    >>> from ilk import CMS
    >>> X = np.arange(6.0).reshape(-1, 1)
    >>> model = CMS().fit(X, cannot_link=[[0, 5]])
    >>> model.n_clusters_
    2
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    >>> model.constraint_report_
    ConstraintReport(cannot_link: 1 kept, 0 broken)
    >>> model.predict([[0.4], [4.6]])
    array([0, 1])
    """

    _method: ClassVar[str] = "cms"

    modes_: npt.NDArray[np.float64]
    bandwidths_: npt.NDArray[np.float64]
    history_: npt.NDArray[np.float64]
    history_iter_: npt.NDArray[np.int64]

    def __init__(
        self,
        bandwidth: float | Literal["linear"] | Sequence[float] = "linear",
        max_iter: int = 80,
        kernel: Literal["truncated", "ball", "rbf"] = "truncated",
        truncation: float = 0.2,
        blurring: bool = False,
        constraint_scale: float = 0.5,
        merge_kernel: float = 0.99,
        merge_weight: float = 0.1,
        closure: bool = True,
        early_stop: bool = True,
        history: int = 0,
        mode: Literal["best", "paper"] = "best",
        refine: Literal["auto", "off", "constrained", "majority", "neighbors", "dissolve"] = "auto",
        must_links: Literal["auto", "hard", "uncontradicted", "soft"] = "auto",
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
        verbose: Verbose = 0,
    ) -> None:
        self.bandwidth = bandwidth
        self.max_iter = max_iter
        self.kernel = kernel
        self.truncation = truncation
        self.blurring = blurring
        self.constraint_scale = constraint_scale
        self.merge_kernel = merge_kernel
        self.merge_weight = merge_weight
        self.closure = closure
        self.early_stop = early_stop
        self.history = history
        self.mode = mode
        self.refine = refine
        self.must_links = must_links
        self.metric = metric
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _set_fit_attributes(self, result: _core.FitResult) -> None:
        for name in ("modes_", "bandwidths_", "history_", "history_iter_"):
            self.__dict__.pop(name, None)
        if result.final_positions is not None:
            self.modes_ = result.final_positions
            self.bandwidths_ = cast(npt.NDArray[np.float64], result.bandwidths)
        if self.history:
            self.history_, self.history_iter_ = result.history
