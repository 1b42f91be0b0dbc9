"""Embeddings by a kernel: principal components, and components of most entropy."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._base import jobs, plain
from ._rows import Metric, is_cosine, unit_rows

Self = TypeVar("Self", bound="Embedder")


class Embedder(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]  # they have no types
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """An embedding of the engine as a scikit-learn transformer.

    A subclass names the engine's embedding and lists its parameters, under the engine's names, in
    ``__init__``.
    """

    _embedding_name: ClassVar[str]
    #: The parameter that says whether ``X`` is a matrix.
    _matrix: ClassVar[str]

    embedding_: npt.NDArray[np.float64]
    eigenvalues_: npt.NDArray[np.float64]
    eigenvectors_: npt.NDArray[np.float64]
    sigma_: float | None
    n_features_in_: int
    metric: Metric

    def fit(self: Self, X: Any, y: None = None) -> Self:
        """Find the coordinates of points.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points, or a matrix of (n_samples, n_samples).
        y : None
            Ignored.

        Returns
        -------
        self
        """
        del y
        X = self._validated(X, reset=True)
        result = self._run(X)
        self._map = result.embedding
        self.embedding_ = result.coordinates
        self.eigenvalues_ = result.eigenvalues
        self.eigenvectors_ = result.eigenvectors
        self.sigma_ = result.sigma
        self._set_fit_attributes(result)
        return self

    def fit_transform(self, X: Any, y: None = None) -> npt.NDArray[np.float64]:
        """Find the coordinates of points, and return them.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The points, or a matrix of (n_samples, n_samples).
        y : None
            Ignored.

        Returns
        -------
        Y : ndarray of shape (n_samples, n_components)
        """
        return self.fit(X, y).embedding_.copy()

    def transform(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the coordinates of points, new or old.

        Parameters
        ----------
        X : array-like or data frame of shape (m, n_features)
            The points. Where a matrix was fitted, rows of its values between them and the points
            that were fitted, (m, n_samples).

        Returns
        -------
        Y : ndarray of shape (m, n_components)
        """
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        dense = X if isinstance(X, np.ndarray) else np.ascontiguousarray(X.toarray())
        return self._map.transform(dense, jobs(self.n_jobs))

    def _validated(self, X: Any, reset: bool) -> Any:
        return self._scaled(validate_data(self, X, dtype=np.float64, order="C", reset=reset))

    def _scaled(self, X: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return points as the metric takes them."""
        is_matrix = getattr(self, self._matrix) == "precomputed"
        return unit_rows(X) if is_cosine(self.metric, is_matrix) else X

    def _run(self, X: Any) -> _core.EmbedResult:
        return _core.embed(self._settings(), X, jobs(self.n_jobs))

    def _set_fit_attributes(self, result: _core.EmbedResult) -> None:
        """Take over what only some embeddings have."""

    def _settings(self) -> str:
        """Return the embedding and its parameters as the engine reads them."""
        params = {k: plain(k, v) for k, v in self.get_params(deep=False).items() if k not in ("n_jobs", "metric")}
        return json.dumps({"embedding": self._embedding_name, "params": params})

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_map")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = getattr(self, self._matrix) == "precomputed"
        return tags


class KernelEmbedder(Embedder):
    """What both embeddings by a kernel have."""

    _matrix: ClassVar[str] = "kernel"

    spectrum_: npt.NDArray[np.float64]
    psi_: npt.NDArray[np.float64]
    order_: npt.NDArray[np.int64]
    trace_share_: float
    is_certain_: bool

    def _set_fit_attributes(self, result: _core.EmbedResult) -> None:
        assert result.spectrum is not None
        assert result.quality is not None
        self.spectrum_, self.psi_, self.order_ = result.spectrum
        self.trace_share_, self.is_certain_ = result.quality


class KernelPCA(KernelEmbedder):
    r"""Coordinates along the axes of most variance in the space of a kernel.

    With the (centred) kernel matrix :math:`K = E \Lambda E^T`, eigenvalues falling, points have the
    rows of :math:`E \Lambda^{1/2}` as coordinates, and new points :math:`k(x, X) E \Lambda^{-1/2}`,
    with the kernel centred as that of the fit was. An axis is turned so that its eigenvector's entry
    of largest magnitude is positive.

    Up to ``max_exact`` points the kernel matrix is decomposed itself. For more a pivoted Cholesky
    factor of at most ``max_rank`` columns stands for it; ``trace_share_`` tells how much it holds.

    Parameters
    ----------
    n_components : int, default=2
        Number of coordinates; no more than there are points.
    kernel : {"gaussian", "precomputed"}, default="gaussian"
        ``exp(-d²/(2 sigma²))`` between points, or ``X`` is a kernel matrix.
    sigma : float or "auto", default="auto"
        Width of the Gaussian. ``"auto"``: twice the median distance of a point to its 7th
        neighbour, but at least the 5% quantile of all distances.
    center : bool, default=True
        Whether the mean of the points is moved to the origin of the kernel's space.
    max_exact : int, default=6000
        Up to this many points the whole kernel matrix is decomposed.
    max_rank : int, default=500
        At most so many columns stand for the kernel of more points.
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
        The eigenvalues of the kernel matrix (not divided by the number of points) along the axes
        kept. Negative ones, and rounding, are 0.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        The eigenvectors, of unit length.
    spectrum_ : ndarray
        All eigenvalues that were looked at: of up to 1,000 points all.
    psi_ : ndarray
        The entropy that each of the same axes holds, see :class:`KECA`.
    order_ : ndarray of int
        The same axes in the order in which they are chosen.
    trace_share_ : float
        The share of the kernel's trace that was decomposed; 1 up to ``max_exact`` points.
    is_certain_ : bool
        Always true here; see :class:`KECA`.
    sigma_ : float or None
        The width that was used; ``None`` for a kernel matrix.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        The names of the columns, after a fit on a data frame.

    References
    ----------
    B. Schölkopf, A. Smola and K.-R. Müller, "Nonlinear component analysis as a kernel eigenvalue
    problem", 1998.

    Examples
    --------
    >>> from ilk import KernelPCA
    >>> X = [[0.0], [0.2], [5.0], [5.2]]
    >>> model = KernelPCA(n_components=1, sigma=1.0)
    >>> model.fit_transform(X).round(2)
    array([[ 0.7],
           [ 0.7],
           [-0.7],
           [-0.7]])
    >>> model.transform([[4.8]]).round(2)
    array([[-0.68]])
    """

    _embedding_name: ClassVar[str] = "kernel-pca"

    def __init__(
        self,
        n_components: int = 2,
        kernel: Literal["gaussian", "precomputed"] = "gaussian",
        sigma: float | Literal["auto"] = "auto",
        center: bool = True,
        max_exact: int = 6000,
        max_rank: int = 500,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.sigma = sigma
        self.center = center
        self.max_exact = max_exact
        self.max_rank = max_rank
        self.metric = metric
        self.n_jobs = n_jobs


class KECA(KernelEmbedder):
    r"""Coordinates along the axes of a kernel's space that hold most entropy.

    The quadratic Renyi entropy of the density that a kernel estimates is, up to a logarithm, the mean
    of the kernel matrix :math:`K = E \Lambda E^T`, to which the axis j gives

    .. math:: \psi_j = (\sqrt{\lambda_j}\, e_j^T 1)^2.

    Kernel entropy component analysis keeps the axes with the largest :math:`\psi`, which need not be
    those of the largest eigenvalues. Groups lie in different directions from the origin, so compare
    points by angle. New points have :math:`k(x, X) E \Lambda^{-1/2}` as coordinates.

    Of up to 1,000 points all axes are looked at. Of more, up to ``max_exact``, those of the largest
    eigenvalues are, until the rest cannot hold more than the last one kept (``is_certain_``), the
    second half of them added none, or one in 20 was looked at. For more points a pivoted Cholesky
    factor of at most ``max_rank`` columns stands for the kernel.

    Parameters
    ----------
    n_components : int, default=2
        Number of coordinates; no more than there are points.
    kernel : {"gaussian", "precomputed"}, default="gaussian"
        ``exp(-d²/(2 sigma²))`` between points, or ``X`` is a kernel matrix.
    sigma : float or "auto", default="auto"
        Width of the Gaussian. ``"auto"``: twice the median distance of a point to its 7th
        neighbour, but at least the 5% quantile of all distances.
    max_exact : int, default=6000
        Up to this many points the whole kernel matrix is decomposed.
    max_rank : int, default=500
        At most so many columns stand for the kernel of more points.
    metric : {"euclidean", "cosine"}, default="euclidean"
        What distances are. With ``"cosine"`` every row is divided by its length first, here and in
        :meth:`transform`, so that only directions count, as in embeddings of text.
    n_jobs : int or None, default=None
        Threads: -1 is all cores, ``None`` leaves it to ``RAYON_NUM_THREADS`` or the machine. The
        result does not depend on it.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates of the points that were fitted, the axis of most entropy first.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues of the kernel matrix (not divided by the number of points) along the axes
        kept. Negative ones, and rounding, are 0.
    eigenvectors_ : ndarray of shape (n_samples, n_components)
        The eigenvectors, of unit length.
    spectrum_ : ndarray
        All eigenvalues that were looked at, falling.
    psi_ : ndarray
        :math:`\psi` of the same axes.
    order_ : ndarray of int
        The same axes by falling :math:`\psi`; the first of these are those that were kept.
    trace_share_ : float
        The share of the kernel's trace that was decomposed; 1 up to ``max_exact`` points.
    is_certain_ : bool
        Whether no axis that was not looked at can be one of those to be kept.
    sigma_ : float or None
        The width that was used; ``None`` for a kernel matrix.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        The names of the columns, after a fit on a data frame.

    References
    ----------
    R. Jenssen, "Kernel entropy component analysis", 2010.

    Examples
    --------
    >>> from ilk import KECA
    >>> X = [[0.0], [0.2], [0.4], [5.0], [5.2]]
    >>> model = KECA(n_components=2, sigma=1.0)
    >>> model.fit_transform(X).round(2)
    array([[ 0.98, -0.  ],
           [ 1.  , -0.  ],
           [ 0.98, -0.  ],
           [ 0.  ,  1.  ],
           [ 0.  ,  1.  ]])
    >>> model.order_[:2]
    array([0, 1])
    """

    _embedding_name: ClassVar[str] = "keca"

    def __init__(
        self,
        n_components: int = 2,
        kernel: Literal["gaussian", "precomputed"] = "gaussian",
        sigma: float | Literal["auto"] = "auto",
        max_exact: int = 6000,
        max_rank: int = 500,
        metric: Metric = "euclidean",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.sigma = sigma
        self.max_exact = max_exact
        self.max_rank = max_rank
        self.metric = metric
        self.n_jobs = n_jobs
