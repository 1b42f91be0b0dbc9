"""Kernel learning by the log-determinant divergence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._base import engine_json, jobs
from ._constraints import Constraints
from ._learned import LearnedKernel
from ._random import RandomState
from ._rows import Metric, is_cosine, unit_rows
from ._supervision import collect_constraints, pandas_index

Self = TypeVar("Self", bound="LogDetKernel")

ROWS = np.dtype([("kind", "U11"), ("i", np.int64), ("j", np.int64), ("k", np.int64)])


class CallableName(str):
    """The value of a parameter that can also be called."""

    __slots__ = ("_call",)
    _call: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the method of the parameter's name."""
        return self._call(*args, **kwargs)


class parameter_too:  # noqa: N801  # a decorator
    """A method whose name is also the name of a parameter.

    The attribute of a fitted estimator is the parameter's value, a string, and can be called.
    """

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        self._name = method.__name__

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self._method
        call = self._method.__get__(instance, owner)
        value = vars(instance).get(self._name)
        if not isinstance(value, str):
            return call
        name = CallableName(value)
        name._call = call
        return name

    def __set__(self, instance: Any, value: Any) -> None:
        vars(instance)[self._name] = value


class LogDetKernel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""A kernel that is adapted until it agrees with the constraints.

    Of all kernels, the one nearest to a given kernel :math:`K` is found that does the constraints, up
    to slack:

    .. math:: \min_{\hat K}\; D(\hat K, K) + \text{slack}, \qquad
              D(\hat K, K) = \operatorname{tr}(\hat K K^{-1}) - \log\det(\hat K K^{-1}) - n,

    where the squared distances
    :math:`\hat d^2(a, b) = \hat k(a, a) + \hat k(b, b) - 2 \hat k(a, b)` are

    - at most one target for must-links and at least another for cannot-links; what is missed costs
      ``gamma`` times its own log-determinant divergence;
    - for every answer that c is the odd one of a, b and c, ``ratio`` times smaller between a and b
      than from either to c; for *closer* (anchor, near, far) the same for one of the two; equal for
      *about equal*. What is missed costs ``penalty`` times the miss.

    The problem is convex, all kinds of answers are met at once, and the duality gap says how far
    from the optimum the result is at most. The learned kernel of any two points, whether they were
    there or not, is

    .. math:: \hat k(x, y) = k(x, y) + k(x, P)\, S\, k(P, y), \qquad S = -A + A \hat C A,

    with :math:`P` the constrained points, :math:`\hat C` the learned kernel on them
    and :math:`A` a sum over the duals. So learning does not depend on the number of points, only on
    how many of them were named.

    Use it before any method that takes features or a kernel. To find groups at once use
    :class:`SKMS`, :class:`SKLR` or :class:`SKkm`, which also choose ``sigma`` and ``rank`` by
    held-out answers; here there is no grouping to judge by, and ``"auto"`` stands for the usual
    value.

    Parameters
    ----------
    kernel : {"gaussian", "self_tuning", "linear", "precomputed"}, default="gaussian"
        The kernel :math:`k` that is adapted: ``exp(-d²/(2 sigma²))``; ``exp(-d²/(s(x) s(y)))`` with
        :math:`s` the distance to the ``n_neighbors``-th neighbour; ``x·y``; or ``X`` is a kernel
        matrix, and new points are rows of kernel values with the points that were fitted.
    sigma : float, "auto" or "divergence", default="auto"
        The width :math:`\sigma` of the Gaussian kernel. Without a number, of a grid of distances
        the one whose kernel has to change least.
    gamma : float, default=10.0
        How strongly pairs pull; ``inf`` makes their targets hard.
    rank : {"auto", "exact", "trace", "frobenius"}, str or int, default="auto"
        How much of the kernel is kept before it is adapted: all of it (``"auto"``, ``"exact"``), the
        largest eigenvalues that make up .99 of their sum or of the Frobenius norm (another share as
        ``"trace(0.9)"``), or so many. Of the self-tuning kernel the negative part is always left
        out.
    targets : "auto" or (float, float), default="auto"
        The squared distances in kernel space for must-links and cannot-links. ``"auto"``: .05 and
        1.95 times the mean of :math:`k(x, x)`, or the first and the last percentile of all squared
        distances if they are beyond.
    ratio : float, default=2.0
        How many times as far the odd one is, in squared distances.
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
        At most this many iterations.
    n_neighbors : int, default=100
        The neighbour whose distance is a point's width in the self-tuning kernel.
    warm_start : bool, default=False
        Whether another fit begins where the last one ended, for the answers that are there again.
        The result is the same, and is there sooner where a few answers were added.
    random_state : int, RandomState, Generator or None, default=None
        Seed of everything random: the pairs that labels become where there are many, and the sample
        by which the width and the targets are chosen where there are many points.
    metric : {"euclidean", "cosine"}, default="euclidean"
        What distances are. With ``"cosine"`` every row is divided by its length first, here and in
        :meth:`transform`, so that only directions count, as in embeddings of text.
    n_jobs : int or None, default=None
        Threads: -1 is all cores, ``None`` leaves it to ``RAYON_NUM_THREADS`` or the machine. The
        result does not depend on it.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (m,)
        The duals :math:`\lambda`, one for each row of the problem.
    rows_ : recarray of shape (m,)
        What each row is about: the ``kind`` of answer and the points ``i``, ``j`` and ``k`` (-1 for
        pairs). Rows come in this order: must-links, cannot-links (in either, those given before
        those that labels became), odd-one-outs (two rows each, from either of the two that belong
        together), about-equals (two rows each), closers. A comparison is about the distances of
        ``i`` and ``j`` and of ``i`` and ``k``.
    violations_ : ndarray of shape (m,)
        By how much each row is missed, in squared distances; 0 where it holds.
    unattainable_ : ndarray of int
        The rows that no kernel can attain, such as a cannot-link of two equal points.
    constrained_ : ndarray of shape (c,)
        The positions :math:`P` of the constrained points, ascending.
    correction_ : ndarray of shape (c, c)
        :math:`S`.
    sigma_ : float or None
        The width that was used; ``None`` unless the kernel is Gaussian.
    targets_ : (float, float)
        The targets that were used.
    rank_ : int or None
        Dimensions to which the kernel was cut; ``None`` where it was kept whole.
    primal_objective_, dual_objective_ : float
        The objective of the learned kernel, and a lower bound of that of any.
    duality_gap_ : float
        How far they are apart: the objective is at most this far from the optimum.
    n_iter_ : int
        Iterations done.
    converged_ : bool
        Whether the optimum was found, up to ``tol``.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        The names of the columns, after a fit on a data frame.

    References
    ----------
    S. Anand, S. Mittal, O. Tuzel and P. Meer, "Semi-supervised kernel mean shift clustering", 2014.

    E. Amid, A. Gionis and A. Ukkonen, "A kernel-learning approach to semi-supervised clustering
    with relative distance comparisons", 2015.

    B. Kulis, M. Sustik and I. Dhillon, "Low-rank kernel learning with Bregman matrix divergences",
    2009.

    Examples
    --------
    >>> import numpy as np
    >>> from ilk import LogDetKernel
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> learned = LogDetKernel(sigma=1.0).fit(X, must_link=[[0, 2]], cannot_link=[[2, 3]])
    >>> learned.dist_sq(X[[2]], X[[0, 3]]).round(2)
    array([[0.05, 1.71]])

    The kernel of new points, and features whose dot products it is:

    >>> learned.kernel([[0.5]], X).shape
    (1, 4)
    >>> F = learned.transform(X)
    >>> bool(np.allclose(F @ F.T, learned.kernel(X)))
    True
    """

    dual_coef_: npt.NDArray[np.float64]
    rows_: np.recarray[Any, Any]
    violations_: npt.NDArray[np.float64]
    unattainable_: npt.NDArray[np.int64]
    constrained_: npt.NDArray[np.int64]
    correction_: npt.NDArray[np.float64]
    sigma_: float | None
    targets_: tuple[float, float]
    rank_: int | None
    primal_objective_: float
    dual_objective_: float
    duality_gap_: float
    n_iter_: int
    converged_: bool
    n_features_in_: int
    _learned: LearnedKernel
    _constraints: Constraints
    _settings: str

    def __init__(
        self,
        kernel: Literal["gaussian", "self_tuning", "linear", "precomputed"] = "gaussian",
        sigma: float | Literal["auto", "divergence"] = "auto",
        gamma: float | str = 10.0,
        rank: int | Literal["auto", "exact", "trace", "frobenius"] = "auto",
        targets: Literal["auto"] | tuple[float, float] = "auto",
        ratio: float = 2.0,
        slack: Literal["l1", "l2", "none"] = "l1",
        penalty: float = 1.0,
        projection: Literal["dual", "sweeps", "paper"] = "dual",
        tol: float = 1e-9,
        max_iter: int = 10_000,
        n_neighbors: int = 100,
        warm_start: bool = False,
        random_state: RandomState = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
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
        self.warm_start = warm_start
        self.random_state = random_state
        self.metric = metric
        self.n_jobs = n_jobs

    def fit(
        self: Self,
        X: Any,
        y: npt.ArrayLike | None = None,
        *,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
        odd_one_out: npt.ArrayLike | None = None,
        about_equal: npt.ArrayLike | None = None,
        closer: npt.ArrayLike | None = None,
        constraints: Constraints | None = None,
    ) -> Self:
        """Learn the kernel.

        Points are named by position, or by id as in :meth:`SKMS.fit`.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points; with ``kernel="precomputed"`` the kernel matrix, (n_samples, n_samples).
        y : array-like of shape (n_samples,), optional
            Labels of some points, -1 = unknown; they become pairs.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs that belong together, and pairs that do not.
        odd_one_out : array-like of shape (m, 3), optional
            Of three points the last is the odd one.
        about_equal : array-like of shape (m, 3), optional
            Three points that are about equally different.
        closer : array-like of shape (m, 3), optional
            Anchor, near, far.
        constraints : Constraints, optional
            All of these in one object, with weights, ids and sources; what is given beside it is
            added to it.

        Returns
        -------
        self
        """
        given = {
            "must_link": must_link,
            "cannot_link": cannot_link,
            "odd_one_out": odd_one_out,
            "about_equal": about_equal,
            "closer": closer,
        }
        index = pandas_index(X)
        X = self._points(X, reset=True)
        constraints = collect_constraints(len(X), y, given, constraints, index)
        # The engine reads the learner's settings as those parameters of SKLR that are about it.
        settings = engine_json(self, "sklr", leave_out=("warm_start",))
        earlier = None
        if self.warm_start and hasattr(self, "_learned"):
            earlier = (self._constraints._core, self._settings, self.dual_coef_)
        result = _core.learn(settings, X, constraints._core, earlier, jobs(self.n_jobs))
        self._set_result(result)
        self._constraints, self._settings = constraints, settings
        return self

    def _set_result(self, result: _core.LearnResult) -> None:
        """Take over what was learned."""
        precomputed = self.get_params(deep=False)["kernel"] == "precomputed"
        self._learned = LearnedKernel(result.kernel, precomputed, jobs(self.n_jobs))
        self.dual_coef_ = result.duals
        self.rows_ = np.rec.fromarrays(
            [np.array(result.kinds, dtype="U11"), *result.points.T], dtype=ROWS
        )
        self.violations_ = result.violations
        self.unattainable_ = result.unattainable
        self.constrained_ = result.constrained
        c = len(result.constrained)
        self.correction_ = self._learned.correction_[:c, :c]
        self.sigma_ = result.sigma
        self.targets_ = result.targets
        self.rank_ = self._learned.rank_
        self.primal_objective_, self.dual_objective_ = result.objectives
        self.duality_gap_ = result.gap
        self.n_iter_ = result.iterations
        self.converged_ = result.converged

    @parameter_too
    def kernel(self, X: Any, Y: Any = None) -> npt.NDArray[np.float64]:
        """Return the learned kernel between points.

        The parameter ``kernel`` has the same name: ``est.kernel`` is its value, a string, and
        ``est.kernel(X)`` is the learned kernel.

        Parameters
        ----------
        X : array-like or data frame of shape (m, n_features)
            Points. With ``kernel="precomputed"``, rows of kernel values with the points that were
            fitted.
        Y : array-like or data frame of shape (l, n_features), optional
            Other points. If left out, ``X`` itself; with ``kernel="precomputed"`` the points that
            were fitted, so that ``est.kernel(K)`` is the learned kernel on them.

        Returns
        -------
        K : ndarray of shape (m, l)
        """
        check_is_fitted(self)
        X = self._points(X)
        return self._learned.kernel(X, None if Y is None else self._points(Y))

    def dist_sq(self, X: Any, Y: Any = None) -> npt.NDArray[np.float64]:
        """Return squared distances in the learned space.

        With ``kernel="precomputed"`` and the whole kernel there are none: a row of kernel values
        says nothing about a new point's value with itself.

        Parameters
        ----------
        X : array-like or data frame of shape (m, n_features)
            Points.
        Y : array-like or data frame of shape (l, n_features), optional
            Other points; ``X`` itself if left out.

        Returns
        -------
        D : ndarray of shape (m, l)
        """
        check_is_fitted(self)
        X = self._points(X)
        return self._learned.dist_sq(X, None if Y is None else self._points(Y))

    def transform(self, X: Any) -> npt.NDArray[np.float64]:
        """Return points in the learned space.

        Parameters
        ----------
        X : array-like or data frame of shape (m, n_features)
            Points, as in :meth:`kernel`.

        Returns
        -------
        F : ndarray of shape (m, n_components)
            Features whose dot products are the learned kernel: exactly so for the points that were
            fitted, up to 3,000 of them, and where ``rank`` cut the kernel. Of more points with the
            whole kernel, and of new points, it is the part that lies in the span of (3,000 of) the
            points that were fitted.
        """
        check_is_fitted(self)
        return self._learned.transform(self._points(X))

    def _points(self, X: Any, reset: bool = False) -> Any:
        X = validate_data(self, X, dtype=np.float64, order="C", reset=reset)
        is_matrix = vars(self)["kernel"] == "precomputed"
        return unit_rows(X) if is_cosine(self.metric, is_matrix) else X

    @property
    def _n_features_out(self) -> int:
        return self._learned.n_components_

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters.

        Parameters
        ----------
        deep : bool, default=True
            Of no effect, as no parameter has parameters.

        Returns
        -------
        dict
        """
        return {**super().get_params(deep), "kernel": vars(self)["kernel"]}

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learned")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = vars(self)["kernel"] == "precomputed"
        return tags
