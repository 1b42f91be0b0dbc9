"""Learned kernels, and what a method chose by itself."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from . import _core


class Chosen(NamedTuple):
    """A setting that was left open, and what it was chosen by.

    Attributes
    ----------
    parameter : str
        The name of the setting.
    value : str
        The value, as it could be given.
    by : str
        What it was chosen by.
    """

    parameter: str
    value: str
    by: str

    def __str__(self) -> str:
        return f"{self.parameter} = {self.value}, chosen by {self.by}"


class LearnedKernel:
    r"""A kernel that was adapted to the constraints, for points old and new.

    .. math:: \hat k(x, y) = k(x, y) + k(x, P)\, S\, k(P, y),

    where :math:`P` are the constrained points. Methods that learn a kernel have one
    in ``kernel_``; to learn one without grouping anything use :class:`LogDetKernel`.

    Attributes
    ----------
    correction_ : ndarray of shape (c, c)
        :math:`S`, a row and column for each constrained point, in their order.
    rank_ : int or None
        Dimensions to which :math:`k` was cut before it was adapted; ``None`` where it was kept whole.
    n_components_ : int
        Columns of what :meth:`transform` returns.
    n_features_in_ : int
        Number of columns that points must have.

    Examples
    --------
    >>> from ilk import SKMS
    >>> X = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]]
    >>> model = SKMS(random_state=0).fit(X, must_link=[[0, 2], [3, 5]], cannot_link=[[2, 3]])
    >>> near, far = model.kernel_.dist_sq([[0.0]], [[2.0], [9.0]])[0]
    >>> bool(near < far)
    True
    """

    def __init__(self, core: _core.LearnedKernel, precomputed: bool, n_jobs: int | None) -> None:
        self._core = core
        self._precomputed = precomputed
        self._n_jobs = n_jobs

    @property
    def correction_(self) -> npt.NDArray[np.float64]:
        """The matrix S."""
        return self._core.correction

    @property
    def rank_(self) -> int | None:
        """Dimensions to which the kernel was cut; ``None`` where it was kept whole."""
        return self._core.rank

    @property
    def n_components_(self) -> int:
        """Columns of what :meth:`transform` returns."""
        return self._core.n_components

    @property
    def n_features_in_(self) -> int:
        """Number of columns that points must have."""
        return self._core.n_features

    def kernel(self, X: Any, Y: Any = None) -> npt.NDArray[np.float64]:
        """Return the learned kernel between points.

        Parameters
        ----------
        X : array-like of shape (m, n_features)
            Points. Of a kernel that was given as a matrix, rows of its values with the points that
            were fitted.
        Y : array-like of shape (l, n_features), optional
            Other points. If left out, ``X`` itself; of a kernel that was given as a matrix, the
            points that were fitted, so that ``kernel(K)`` is the learned kernel on them.

        Returns
        -------
        K : ndarray of shape (m, l)
        """
        X = _points(X)
        if Y is None and self._precomputed:
            return self._core.with_training(X, self._n_jobs)
        return self._core.block(X, X if Y is None else _points(Y), self._n_jobs)

    def dist_sq(self, X: Any, Y: Any = None) -> npt.NDArray[np.float64]:
        """Return squared distances in the learned space.

        A whole kernel that was given as a matrix has none to offer: a row of its values says
        nothing about a point's value with itself.

        Parameters
        ----------
        X : array-like of shape (m, n_features)
            Points.
        Y : array-like of shape (l, n_features), optional
            Other points; ``X`` itself if left out.

        Returns
        -------
        D : ndarray of shape (m, l)
        """
        X = _points(X)
        return self._core.dist_sq(X, X if Y is None else _points(Y), self._n_jobs)

    def transform(self, X: Any) -> npt.NDArray[np.float64]:
        """Return points in the learned space.

        Parameters
        ----------
        X : array-like of shape (m, n_features)
            Points, as in :meth:`kernel`.

        Returns
        -------
        F : ndarray of shape (m, n_components)
            Features whose dot products are the learned kernel, as far as so many can express it.
        """
        return self._core.transform(_points(X), self._n_jobs)


def _points(X: Any) -> Any:
    return check_array(X, dtype=np.float64, order="C")
