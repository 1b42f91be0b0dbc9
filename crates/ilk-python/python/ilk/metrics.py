"""How good a labelling is, measured against the truth.

Two labellings of the same points are compared; what the labels are called does not matter, only
who is with whom. Noise (-1) counts as a cluster, as in scikit-learn.

A method that was given the answer for some points should be judged on the others: every function
takes ``ignore``, the constraints that were given (or positions of points), and leaves those points
out.

Examples
--------
>>> from ilk import Constraints, metrics
>>> truth = ["cat", "cat", "dog", "dog"]
>>> metrics.adjusted_rand_score(truth, [1, 1, 0, 2])
0.571...
>>> constraints = Constraints(4, must_link=[[2, 3]])
>>> metrics.adjusted_rand_score(truth, [1, 1, 0, 2], ignore=constraints)
1.0
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._constraints import Constraints

__all__ = [
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "clustering_accuracy",
    "completeness_score",
    "homogeneity_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "pair_f_score",
    "pair_precision_score",
    "pair_recall_score",
    "rand_score",
    "v_measure_score",
]

Ignore = Constraints | npt.ArrayLike | None


def adjusted_rand_score(
    labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike, *, ignore: Ignore = None
) -> float:
    """Rand index adjusted for chance.

    ``(R - E[R]) / (max R - E[R])`` over pairs of points, where the expectation is over random
    labellings with the same cluster sizes: 1 for equal partitions, about 0 for random ones.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        The truth and the labelling to judge: numbers or strings.
    ignore : Constraints or array-like of int, optional
        Points to leave out: those that constraints name, or positions.

    Returns
    -------
    float

    Examples
    --------
    >>> adjusted_rand_score([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return _score("adjusted_rand", labels_true, labels_pred, ignore)


def rand_score(
    labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike, *, ignore: Ignore = None
) -> float:
    """Share of pairs of points on which the labellings agree.

    Parameters and result as in :func:`adjusted_rand_score`.

    Examples
    --------
    >>> rand_score([0, 0, 1], [0, 0, 0])
    0.333...
    """
    return _score("rand", labels_true, labels_pred, ignore)


def mutual_info_score(
    labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike, *, ignore: Ignore = None
) -> float:
    r"""Mutual information in nats, :math:`\sum_{ij} p_{ij} \ln \frac{p_{ij}}{p_i p_j}`.

    Parameters and result as in :func:`adjusted_rand_score`.

    Examples
    --------
    >>> mutual_info_score([0, 0, 1, 1], [1, 1, 0, 0])
    0.693...
    """
    return _score("mutual_info", labels_true, labels_pred, ignore)


def normalized_mutual_info_score(
    labels_true: npt.ArrayLike,
    labels_pred: npt.ArrayLike,
    *,
    average: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic",
    ignore: Ignore = None,
) -> float:
    """Mutual information over an average of the two entropies.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        The truth and the labelling to judge: numbers or strings.
    average : {"arithmetic", "geometric", "min", "max"}, default="arithmetic"
        How the two entropies become one number.
    ignore : Constraints or array-like of int, optional
        Points to leave out: those that constraints name, or positions.

    Returns
    -------
    float

    Examples
    --------
    >>> normalized_mutual_info_score([0, 0, 1, 1], [0, 0, 1, 2], average="max")
    0.666...
    """
    return _score("normalized_mutual_info", labels_true, labels_pred, ignore, average=average)


def adjusted_mutual_info_score(
    labels_true: npt.ArrayLike,
    labels_pred: npt.ArrayLike,
    *,
    average: str = "arithmetic",
    ignore: Ignore = None,
) -> float:
    """Mutual information adjusted for chance: ``(MI - E[MI]) / (average(H) - E[MI])``.

    Parameters and result as in :func:`normalized_mutual_info_score`.

    Examples
    --------
    >>> adjusted_mutual_info_score([0, 0, 1, 1], [0, 0, 1, 1])
    1.0
    """
    return _score("adjusted_mutual_info", labels_true, labels_pred, ignore, average=average)


def homogeneity_score(
    labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike, *, ignore: Ignore = None
) -> float:
    """How far every cluster holds one class only: ``1 - H(class | cluster) / H(class)``.

    Parameters and result as in :func:`adjusted_rand_score`.

    Examples
    --------
    >>> round(homogeneity_score([0, 0, 1, 1], [0, 1, 2, 2]), 9)
    1.0
    """
    return _score("homogeneity", labels_true, labels_pred, ignore)


def completeness_score(
    labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike, *, ignore: Ignore = None
) -> float:
    """How far every class lies in one cluster: ``1 - H(cluster | class) / H(cluster)``.

    Parameters and result as in :func:`adjusted_rand_score`.

    Examples
    --------
    >>> completeness_score([0, 0, 1, 1], [0, 0, 0, 0])
    1.0
    """
    return _score("completeness", labels_true, labels_pred, ignore)


def v_measure_score(
    labels_true: npt.ArrayLike,
    labels_pred: npt.ArrayLike,
    *,
    beta: float = 1.0,
    ignore: Ignore = None,
) -> float:
    """Harmonic mean of homogeneity and completeness.

    ``(1 + beta) h c / (beta h + c)``: a ``beta`` above 1 weighs completeness more.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        The truth and the labelling to judge: numbers or strings.
    beta : float, default=1.0
        Weight of completeness, at least 0.
    ignore : Constraints or array-like of int, optional
        Points to leave out: those that constraints name, or positions.

    Returns
    -------
    float

    Examples
    --------
    >>> round(v_measure_score([0, 0, 1, 1], [0, 0, 1, 2]), 9)
    0.8
    """
    if not (np.isfinite(beta) and beta >= 0):
        raise ValueError(f"beta = {beta} is out of range: a number at least 0")
    return _score("v_measure", labels_true, labels_pred, ignore, beta=float(beta))


def pair_precision_score(
    labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike, *, ignore: Ignore = None
) -> float:
    """Of the pairs of points that the labelling joins, the share that belongs together.

    Parameters and result as in :func:`adjusted_rand_score`.

    Examples
    --------
    >>> pair_precision_score([0, 0, 1], [0, 0, 0])
    0.333...
    """
    return _score("pair_precision", labels_true, labels_pred, ignore)


def pair_recall_score(
    labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike, *, ignore: Ignore = None
) -> float:
    """Of the pairs of points that belong together, the share that the labelling joins.

    Parameters and result as in :func:`adjusted_rand_score`.

    Examples
    --------
    >>> pair_recall_score([0, 0, 1], [0, 0, 0])
    1.0
    """
    return _score("pair_recall", labels_true, labels_pred, ignore)


def pair_f_score(
    labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike, *, ignore: Ignore = None
) -> float:
    """Harmonic mean of :func:`pair_precision_score` and :func:`pair_recall_score`.

    Parameters and result as in :func:`adjusted_rand_score`.

    Examples
    --------
    >>> pair_f_score([0, 0, 1], [0, 0, 0])
    0.5
    """
    return _score("pair_f", labels_true, labels_pred, ignore)


def clustering_accuracy(
    labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike, *, ignore: Ignore = None
) -> float:
    """Share of points that are right under the best one-to-one matching of clusters to classes.

    Parameters and result as in :func:`adjusted_rand_score`.

    Examples
    --------
    >>> clustering_accuracy(["a", "a", "b", "b"], [5, 5, 3, 5])
    0.75
    """
    return _score("accuracy", labels_true, labels_pred, ignore)


def _score(
    metric: str,
    labels_true: npt.ArrayLike,
    labels_pred: npt.ArrayLike,
    ignore: Ignore,
    **options: Any,
) -> float:
    truth, predicted = _codes("labels_true", labels_true), _codes("labels_pred", labels_pred)
    if len(truth) != len(predicted):
        raise ValueError(
            f"the labellings have different lengths: {len(truth)} and {len(predicted)}"
        )
    if ignore is not None:
        keep = _kept(ignore, len(truth))
        truth, predicted = truth[keep], predicted[keep]
    return _core.score(metric, truth, predicted, **options)


def _codes(name: str, labels: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Labels as integers, equal where they are equal."""
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional; got shape {array.shape}")
    if array.dtype.kind in "iu" and array.dtype != np.uint64:
        return np.ascontiguousarray(array, dtype=np.int64)
    return np.unique(array, return_inverse=True)[1].astype(np.int64).reshape(array.shape)


def _kept(ignore: Any, n: int) -> npt.NDArray[np.bool_]:
    """Whether each of ``n`` points is judged."""
    if isinstance(ignore, Constraints):
        if ignore.n != n:
            raise ValueError(f"ignore speaks of {ignore.n} points, but the labellings of {n}")
        points = ignore.constrained_points
    else:
        points = np.asarray(ignore)
        if points.size and points.dtype.kind not in "iu":
            raise ValueError(f"ignore must hold positions of points, not {points.dtype}")
        points = points.astype(np.int64).ravel()
        outside = points[(points < 0) | (points >= n)]
        if len(outside):
            raise ValueError(f"ignore names point {outside[0]}, but there are only {n} points")
    keep = np.ones(n, dtype=bool)
    keep[points] = False
    return keep
