"""Rows as the engine takes them: dense, or projected where they are sparse."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from . import _core

#: What distances are.
Metric = Literal["euclidean", "cosine"]

#: The most axes onto which sparse rows are projected.
SPARSE_AXES = 100


def is_cosine(metric: str, is_matrix: bool) -> bool:
    """Say whether rows count by their direction alone; refuse what is no metric of ``X``."""
    if metric not in get_args(Metric):
        known = ", ".join(get_args(Metric))
        raise ValueError(f"metric = {metric!r} is not understood: it must be one of {known}")
    if metric == "cosine" and is_matrix:
        raise ValueError(
            "metric = 'cosine' is about points, and X is a matrix of how alike they are; leave "
            "metric out"
        )
    return metric == "cosine"


def unit_rows(X: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return every row divided by its length; rows of zeros stay as they are."""
    largest = np.abs(X).max(axis=1, keepdims=True)
    X = np.divide(X, largest, out=np.zeros_like(X), where=largest > 0)
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    unit: npt.NDArray[np.float64] = np.divide(X, lengths, out=X, where=lengths > 0)
    return unit


def compressed_rows(
    X: Any,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return a matrix as the engine takes a sparse one: offsets of rows, columns, and values."""
    from scipy.sparse import csr_array

    rows = csr_array(X, copy=True)
    rows.sum_duplicates()  # which also sorts the columns
    return (
        rows.indptr.astype(np.int64),
        rows.indices.astype(np.int64),
        rows.data.astype(np.float64),
    )


def dense(X: Any, axes: _core.SparseAxes | None, threads: int | None) -> npt.NDArray[np.float64]:
    """Return rows, sparse or not, as a model takes them that was fitted along these axes or none."""
    if axes is not None:
        return axes.transform(*compressed_rows(X), X.shape[1], threads)
    rows = X if isinstance(X, np.ndarray) else X.toarray()
    return np.ascontiguousarray(rows, dtype=np.float64)
