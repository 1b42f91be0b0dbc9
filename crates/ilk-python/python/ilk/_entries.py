"""What users pass for constraints (arrays, frames, lists, ids) as arrays of positions."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import DataConversionWarning

#: The kinds that compare points, with the number of points an entry names.
ARITY: dict[str, int] = {
    "must_link": 2,
    "cannot_link": 2,
    "odd_one_out": 3,
    "about_equal": 3,
    "closer": 3,
}
#: What numpy makes of -1 and NaN beside strings.
UNKNOWN_AS_TEXT = ("", "-1", "-1.0", "nan")
#: All kinds, in the order in which reports list them.
KINDS: tuple[str, ...] = (*ARITY, "labels")


class IdIndex:
    """Unique ids and the position of each."""

    def __init__(self, ids: Iterable[Hashable]) -> None:
        self.ids: list[Hashable] = list(_values(ids))
        self._position: dict[Hashable, int] = {}
        for row, id_ in enumerate(self.ids):
            first = self._position.setdefault(id_, row)
            if first != row:
                raise ValueError(f"id {id_!r} stands in rows {first} and {row}; ids must be unique")

    def look_up(
        self, kind: str, entries: Iterable[Iterable[Hashable]], arity: int
    ) -> npt.NDArray[np.int64]:
        """Return the positions of entries that name their points by id, a row each."""
        rows = []
        for number, entry in enumerate(entries):
            row = []
            for id_ in entry:
                position = self._position.get(id_)
                if position is None:
                    raise ValueError(
                        f"{kind} {number} names id {id_!r}, which is not in the data; constraints "
                        "on some of their points are constraints.subset(ids)"
                    )
                row.append(position)
            if len(row) != arity:
                raise ValueError(f"{kind} {number} names {len(row)} points; {arity} are needed")
            rows.append(row)
        return np.array(rows, dtype=np.int64).reshape(-1, arity)


def listed(entries: Any) -> Any:
    """Return entries of any iterable; an iterator is gone through once, so it becomes a list."""
    if hasattr(entries, "to_pydict"):  # an Arrow table, whose rows are no sequence
        return list(zip(*entries.to_pydict().values(), strict=True))
    if isinstance(entries, Mapping) or not isinstance(entries, Iterable):
        raise ValueError(
            f"constraints are rows of points, such as [[0, 1], [2, 3]]; got {type(entries).__name__}"
        )
    if isinstance(entries, (set, frozenset)):  # whose order is not always the same
        return sorted(entries, key=repr)
    return entries if hasattr(entries, "__getitem__") else list(entries)


def holds_integers(entries: Any) -> bool:
    """Whether entries hold integers only."""
    return np.asarray(entries).dtype.kind in "iu"


def positions(kind: str, entries: Any, index: IdIndex | None) -> npt.NDArray[np.int64]:
    """Return entries of a kind as positions, a row each; entries are ids if there is an index."""
    arity = ARITY[kind]
    if index is not None:
        return index.look_up(kind, _values(entries), arity)
    array = np.asarray(entries)
    if array.size == 0:
        return np.empty((0, arity), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != arity:
        raise ValueError(
            f"{kind} must have shape (m, {arity}), {arity} points a row; got {array.shape}"
        )
    if array.dtype.kind not in "iu":
        raise ValueError(
            f"{kind} must hold integers, the positions of points; got {array.dtype}. To name "
            "points by id use ilk.Constraints(ids=...), or a pandas frame whose index holds the ids"
        )
    return np.ascontiguousarray(array, dtype=np.int64)


def labelled(
    labels: Any, n: int, index: IdIndex | None
) -> tuple[npt.NDArray[np.int64], list[str | None]]:
    """Return the positions of points and the names of their labels; ``None`` is unknown."""
    if isinstance(labels, Mapping):
        if index is not None:
            points = index.look_up("labels", ((point,) for point in labels), 1)
        elif labels and not holds_integers(list(labels)):
            raise ValueError("labels must map positions of points, which are integers, to labels")
        else:
            points = np.array(list(labels), dtype=np.int64)
        values = list(labels.values())
    else:
        values = label_list(labels)
        points = np.arange(n, dtype=np.int64)
        if len(values) != n:
            raise ValueError(f"there are {len(values)} labels for {n} points; give one a point")
    return points.reshape(-1, 1), [_label_name(value) for value in values]


def label_list(labels: Any) -> list[Any]:
    """Return labels as a list. A column is ravelled, with scikit-learn's warning."""
    values = _values(labels)
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ValueError(f"y should be a 1d array, got {values!r} instead.")
    values = list(values)
    rows = [value for value in values if isinstance(value, (list, tuple, np.ndarray))]
    if not rows:
        return values
    lengths = {len(row) for row in rows}
    inner = (value for row in rows for value in row)
    is_column = len(rows) == len(values) and lengths == {1}
    if not is_column or any(isinstance(value, (list, tuple, np.ndarray)) for value in inner):
        raise ValueError(
            "y should be a 1d array, a label a point, got rows of "
            f"{' or '.join(map(str, sorted(lengths)))} values instead."
        )
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y "
        "to (n_samples, ), for example using ravel().",
        DataConversionWarning,
        stacklevel=7,
    )
    return [row[0] for row in rows]


def label_codes(labels: Any) -> npt.NDArray[np.int64]:
    """Return labels as numbers from 0 in the order in which they appear; -1 is unknown."""
    code: dict[str | None, int] = {None: -1}
    names = [_label_name(value) for value in label_list(labels)]
    return np.array([code.setdefault(name, len(code) - 1) for name in names], dtype=np.int64)


def weight_list(kind: str, weights: Any, m: int) -> npt.NDArray[np.float64] | None:
    """Return one weight an entry, from one for all or from m."""
    if weights is None:
        return None
    array = np.asarray(weights, dtype=np.float64)
    array = np.full(m, array) if array.ndim == 0 else array.ravel()
    _check_length("weights", kind, array, m)
    return array


def source_list(kind: str, sources: Any, m: int) -> list[str | None] | None:
    """Return one source an entry, from one for all or from m."""
    if sources is None:
        return None
    listed = [sources] * m if isinstance(sources, str) else list(sources)
    _check_length("sources", kind, listed, m)
    return listed


def of_kind(what: str, values: Any, kind: str) -> Any:
    """Return what ``values``, one for all kinds or a mapping from kinds, says of a kind."""
    if not isinstance(values, Mapping):
        return values
    unknown = sorted(str(key) for key in set(values) - set(KINDS))
    if unknown:
        raise ValueError(f"{what} name {', '.join(unknown)}; known kinds: {', '.join(KINDS)}")
    return values.get(kind)


def _check_length(what: str, kind: str, values: Any, m: int) -> None:
    if len(values) != m:
        raise ValueError(f"{what} of {kind}: there are {len(values)} for {m} entries")


def _values(values: Any) -> Any:
    """Python's own values of a sequence, an array, a series or an index; the rows of a frame."""
    if hasattr(values, "itertuples"):
        return values.itertuples(index=False, name=None)
    if hasattr(values, "rows"):
        return values.rows()
    if hasattr(values, "tolist"):
        return values.tolist()
    return np.asarray(values).tolist() if hasattr(values, "__array__") else values


def _label_name(label: Any) -> str | None:
    """The engine's name of a label; ``None`` for -1, ``None``, NaN, NA and what numpy spells so."""
    if label is None or isinstance(label, str):
        return None if label is None or label in UNKNOWN_AS_TEXT else str(label)
    try:
        unknown = bool(label != label) or label == -1
    except TypeError:  # pandas.NA has no truth value
        return None
    if unknown:
        return None
    if isinstance(label, numbers.Real) and not isinstance(label, numbers.Integral):
        if not float(label).is_integer():
            raise ValueError(
                f"label {label} is not a class: labels are whole numbers or strings, -1 = unknown"
            )
        return str(int(float(label)))
    return str(label)
