"""Constraints as rows of a data frame, and back."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from ._entries import ARITY, KINDS

if TYPE_CHECKING:
    from ._constraints import Constraints

#: The points of a row, by column.
POINTS = ("a", "b", "c")
#: All columns.
COLUMNS = ("kind", *POINTS, "label", "weight", "source")


def to_columns(constraints: Constraints) -> dict[str, list[Any]]:
    """Return a row an entry: its kind, points (ids where there are any), weight and source."""
    ids = constraints.ids
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for kind in KINDS:
        points, names, weights, sources = constraints._core.entries(kind)
        for entry, row in enumerate(points.tolist()):
            named: list[Hashable] = row if ids is None else [ids[point] for point in row]
            columns["kind"].append(kind)
            for place, column in enumerate(POINTS):
                columns[column].append(named[place] if place < len(named) else None)
            columns["label"].append(None if names is None else names[entry])
            columns["weight"].append(float(weights[entry]))
            columns["source"].append(sources[entry])
    return columns


def _pandas(columns: dict[str, list[Any]]) -> Any:
    import pandas as pd

    frame = pd.DataFrame(columns)
    for column in POINTS:
        # A missing third point would turn integers into floats.
        if all(value is None or isinstance(value, numbers.Integral) for value in columns[column]):
            frame[column] = pd.array(columns[column], dtype="Int64")
    return frame


def _polars(columns: dict[str, list[Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(columns)


def _arrow(columns: dict[str, list[Any]]) -> Any:
    import pyarrow as pa

    return pa.table(columns)


#: How each library makes a frame of columns.
LIBRARIES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": _pandas,
    "polars": _polars,
    "arrow": _arrow,
}


def read(frame: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return, for every kind in a frame, its entries, weights and sources."""
    columns = _columns_of(frame)
    missing = [name for name in ("kind", "a") if name not in columns]
    if missing:
        raise ValueError(
            f"the frame has no column {missing[0]!r}; constraints have the columns "
            f"{', '.join(COLUMNS)}"
        )
    kinds = columns["kind"]
    n = len(kinds)
    rows: dict[str, list[int]] = {}
    for row, kind in enumerate(kinds):
        if kind not in KINDS:
            known = ", ".join(KINDS)
            raise ValueError(f"row {row} of the frame has the kind {kind!r}; known kinds: {known}")
        rows.setdefault(kind, []).append(row)
    nothing: list[Any] = [None] * n

    def cells(name: str, of: list[int]) -> list[Any]:
        column = columns.get(name, nothing)
        return [None if _is_missing(column[row]) else column[row] for row in of]

    def points(name: str, of: list[int]) -> list[Any]:
        for row, value in zip(of, named := cells(name, of), strict=True):
            if value is None:
                raise ValueError(f"row {row} of the frame, a {kinds[row]}, has no point {name!r}")
        # pandas makes floats of a column of integers with gaps.
        return [int(v) if isinstance(v, float) and v.is_integer() else v for v in named]

    found = []
    for kind, of in rows.items():
        entries: Any
        if kind == "labels":
            named = points("a", of)
            entries = dict(zip(named, cells("label", of), strict=True))
            if len(entries) < len(named):
                twice = next(point for at, point in enumerate(named) if point in named[:at])
                raise ValueError(f"the frame labels {twice!r} twice; give a point one label")
        else:
            entries = list(zip(*(points(name, of) for name in POINTS[: ARITY[kind]]), strict=True))
        weights = [1.0 if weight is None else float(weight) for weight in cells("weight", of)]
        found.append((kind, {"entries": entries, "weight": weights, "source": cells("source", of)}))
    return found


def _columns_of(frame: Any) -> dict[str, list[Any]]:
    if hasattr(frame, "to_pydict"):  # Arrow
        return dict(frame.to_pydict())
    if hasattr(frame, "get_columns"):  # polars
        return dict(frame.to_dict(as_series=False))
    if hasattr(frame, "to_dict"):
        return dict(frame.to_dict("list"))
    raise TypeError(f"a pandas or polars frame or an Arrow table is needed, not {type(frame).__name__}")


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA has no truth value
        return True
