"""Constraints on the points of a data set."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _constraint_frames as frames
from . import _core
from ._constraint_view import ConstraintView
from ._entries import (
    KINDS,
    IdIndex,
    labelled,
    listed,
    of_kind,
    positions,
    source_list,
    weight_list,
)

Weights = float | Mapping[str, float | npt.ArrayLike] | None
Sources = str | Mapping[str, str | Sequence[str | None]] | None


class Constraints(ConstraintView):
    """All constraints on ``n`` points.

    Two points belong together (a *must-link*) or do not (a *cannot-link*); of three points the
    last is the odd one out, or all are about equally different, or an anchor is closer to one than
    to the other; a point has a label. Every entry has a weight (1 unless given) and may have a
    source. Saying a thing twice, or a pair the other way round, is saying it once: the first entry
    stays, with the largest weight.

    Contradictions are kept, not refused: :meth:`check` finds them and proves each.

    Parameters
    ----------
    n : int, optional
        Number of points. May be left out where ``ids`` are given.
    must_link, cannot_link : array-like of shape (m, 2), optional
        Pairs that belong together, and pairs that do not.
    odd_one_out : array-like of shape (m, 3), optional
        Of the three, the last is the odd one: ``d(a, b) < d(a, c)`` and ``d(a, b) < d(b, c)``.
    about_equal : array-like of shape (m, 3), optional
        The three are about equally different.
    closer : array-like of shape (m, 3), optional
        Anchor, near, far: ``d(anchor, near) < d(anchor, far)``.
    labels : array-like of shape (n,) or mapping, optional
        A label a point, with -1, ``None``, NaN or ``""`` where none is known (also as ``"-1"`` and
        ``"nan"``, which numpy makes of them beside strings); or a mapping from points to labels.
    ids : sequence of n unique hashables, optional
        Names of the points, such as the index of a data frame. Where they are given, every entry
        above names its points by id, also where ids are integers.
    weights : float or mapping from kind to float or array-like of shape (m,), optional
        How much entries count: ``{"must_link": [1.0, 0.5]}``.
    sources : str or mapping from kind to str or sequence of m str or None, optional
        Who or what gave it.

    See Also
    --------
    make_constraints : constraints as an experiment draws them from known labels.

    Examples
    --------
    >>> import ilk
    >>> constraints = ilk.Constraints(5, must_link=[[0, 1], [1, 0], [1, 2]], cannot_link=[[0, 2]])
    >>> constraints
    Constraints(n=5, must_link=2, cannot_link=1)
    >>> constraints.must_link
    array([[0, 1],
           [1, 2]])
    >>> for conflict in constraints.check():
    ...     print(conflict)
    0 must-link 1 must-link 2, but 0 cannot-link 2

    With ids, all entries are given and returned as ids:

    >>> constraints = ilk.Constraints(ids=["fly", "bee", "owl"], odd_one_out=[["fly", "bee", "owl"]])
    >>> constraints.describe()
    ['of fly, bee and owl, owl is the odd one out']
    """

    def __init__(
        self,
        n: int | None = None,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
        odd_one_out: npt.ArrayLike | None = None,
        about_equal: npt.ArrayLike | None = None,
        closer: npt.ArrayLike | None = None,
        labels: npt.ArrayLike | Mapping[Any, Any] | None = None,
        *,
        ids: Iterable[Hashable] | None = None,
        weights: Weights = None,
        sources: Sources = None,
    ) -> None:
        self._index = None if ids is None else IdIndex(ids)
        n = _count(n, self._index)
        self._core = _empty(n, self._index)
        self.add(
            must_link,
            cannot_link,
            odd_one_out,
            about_equal,
            closer,
            labels,
            weights=weights,
            sources=sources,
        )

    def add(
        self,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
        odd_one_out: npt.ArrayLike | None = None,
        about_equal: npt.ArrayLike | None = None,
        closer: npt.ArrayLike | None = None,
        labels: npt.ArrayLike | Mapping[Any, Any] | None = None,
        *,
        weights: Weights = None,
        sources: Sources = None,
    ) -> Constraints:
        """Add entries, in place; all or, if one is refused, none of them.

        Parameters
        ----------
        must_link, cannot_link, odd_one_out, about_equal, closer, labels, weights, sources
            As of the class.

        Returns
        -------
        self

        Examples
        --------
        >>> import ilk
        >>> ilk.Constraints(5, must_link=[[0, 1]]).add(cannot_link=[[1, 4]], sources="ann")
        Constraints(n=5, must_link=1, cannot_link=1)
        """
        given = {
            "must_link": must_link,
            "cannot_link": cannot_link,
            "odd_one_out": odd_one_out,
            "about_equal": about_equal,
            "closer": closer,
            "labels": labels,
        }
        # Apart at first, so that messages count these entries alone, and a bad one changes nothing.
        added = self._wrap(_empty(self.n, self._index), self._index)
        for kind, entries in given.items():
            if entries is not None:
                weight = of_kind("weights", weights, kind)
                source = of_kind("sources", sources, kind)
                added._add(kind, entries, self._index, weight, source)
        self._core = self._copy()._take(added)._core
        return self

    def __add__(self, other: Constraints) -> Constraints:
        """Return the entries of both, on the points of both."""
        if not isinstance(other, Constraints):
            return NotImplemented
        if (self._index is None) != (other._index is None):
            raise ValueError("one of the two names points by id; add ids to both or to none")
        if self._index is None or other._index is None:
            if self.n != other.n:
                raise ValueError(
                    f"the first is about {self.n} points, the second about {other.n}; points that "
                    "are not the same need ids"
                )
            return self._copy()._take(other)
        known = set(self._index.ids)
        both = IdIndex([*self._index.ids, *(id_ for id_ in other._index.ids if id_ not in known)])
        return self._align(both)._copy()._take(other._align(both))

    def subset(self, points: Iterable[Hashable]) -> Constraints:
        """Return the constraints all of whose points are among these, on these points alone.

        Parameters
        ----------
        points : sequence
            Ids where there are any, such as the index of a part of a frame; else positions, or a
            mask. The result has them in this order.

        Returns
        -------
        Constraints

        Examples
        --------
        >>> import ilk
        >>> constraints = ilk.Constraints(5, must_link=[[0, 1], [3, 4]])
        >>> constraints.subset([4, 3, 2]).must_link
        array([[0, 1]])
        """
        if self._index is None:
            return self[np.asarray(listed(points))]
        rows = self._index.look_up("the subset's point", ((id_,) for id_ in IdIndex(points).ids), 1)
        return self[rows[:, 0]]

    @property
    def shape(self) -> tuple[int]:
        """``(n,)``: with it scikit-learn knows that there is a row a point, and cuts rows out."""
        return (self.n,)

    def __getitem__(self, rows: Any) -> Constraints:
        """Return the constraints among the points at these positions, or under this mask."""
        rows = rows[0] if isinstance(rows, tuple) else rows
        rows = np.arange(self.n)[rows] if isinstance(rows, slice) else np.asarray(rows)
        if rows.dtype == bool:
            if len(rows) != self.n:
                raise IndexError(f"a mask of {len(rows)} for {self.n} points")
            rows = np.flatnonzero(rows)
        if rows.size == 0:
            rows = rows.astype(np.int64)
        if rows.ndim != 1 or rows.dtype.kind not in "iu":
            raise IndexError("rows of constraints are positions in a list, a slice or a mask")
        if len(np.unique(rows)) != len(rows):
            raise ValueError("a point is named twice; constraints are on different points")
        rows = rows.astype(np.int64)
        core = self._core.among(rows)
        if self._index is None:
            return self._wrap(core)
        ids = self._index.ids
        return Constraints(ids=[ids[row] for row in rows])._take(self._wrap(core))

    def by_position(self, ids: Iterable[Hashable] | None = None) -> Constraints:
        """Return the same constraints on rows that are known by position alone.

        Constraints with ids are refused where ``X`` has none, because nothing says which row an
        id belongs to. This says it.

        Parameters
        ----------
        ids : sequence of n ids, optional
            The id of every row of ``X``. If left out, the rows are in the order of ``self.ids``.

        Returns
        -------
        Constraints
            Without ids.

        Examples
        --------
        >>> import ilk
        >>> constraints = ilk.Constraints(ids=["fly", "bee", "owl"], must_link=[["fly", "bee"]])
        >>> constraints.by_position(["owl", "bee", "fly"]).must_link
        array([[1, 2]])
        """
        ordered = self if ids is None else self._align(IdIndex(ids))
        return Constraints(ordered.n)._take(ordered)

    def to_frame(self, library: str = "pandas") -> Any:
        """Return a row an entry: kind, points ``a``, ``b``, ``c``, label, weight and source.

        Parameters
        ----------
        library : {"pandas", "polars", "arrow"}, default="pandas"
            Whose frame.

        Returns
        -------
        frame
            Points are ids where there are any, else positions.

        Examples
        --------
        >>> import ilk
        >>> constraints = ilk.Constraints(5, must_link=[[0, 1]], labels={4: "owl"})
        >>> ilk.Constraints.from_frame(constraints.to_frame(), n=5) == constraints
        True
        """
        if library not in frames.LIBRARIES:
            known = ", ".join(frames.LIBRARIES)
            raise ValueError(f"library = {library!r} is not understood: it must be one of {known}")
        return frames.LIBRARIES[library](frames.to_columns(self))

    @classmethod
    def from_frame(
        cls, frame: Any, n: int | None = None, *, ids: Iterable[Hashable] | None = None
    ) -> Constraints:
        """Read what :meth:`to_frame` returns.

        Parameters
        ----------
        frame : pandas or polars frame, or Arrow table
            With the columns ``kind``, ``a``, ``b``, and, where they are needed, ``c``, ``label``,
            ``weight`` and ``source``.
        n : int, optional
            Number of points, where the frame names them by position.
        ids : sequence of n unique hashables, optional
            Names of the points, where the frame names them by id.

        Returns
        -------
        Constraints
        """
        read = cls(n, ids=ids)
        for kind, entry in frames.read(frame):
            read._add(kind, entry["entries"], read._index, entry["weight"], entry["source"])
        return read

    def _add(
        self,
        kind: str,
        entries: Any,
        index: IdIndex | None,
        weight: Any = None,
        source: Any = None,
    ) -> None:
        """Add entries of a kind whose points are positions, or ids where there is an index."""
        names = None
        if kind == "labels":
            points, names = labelled(entries, self.n, index)
        else:
            points = positions(kind, listed(entries), index)
        weights = weight_list(kind, weight, len(points))
        sources = source_list(kind, source, len(points))
        self._core.add(kind, points, names, weights, sources)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constraints):
            return NotImplemented
        return self.ids == other.ids and self._core == other._core

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        counts = (f"{kind}={self.count(kind)}" for kind in KINDS if self.count(kind))
        return f"Constraints({', '.join((f'n={self.n}', *counts))})"

    def __getstate__(self) -> dict[str, Any]:
        entries = {kind: self._core.entries(kind) for kind in KINDS if self.count(kind)}
        return {"n": self.n, "ids": self.ids, "entries": entries}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Constraints.__init__(self, state["n"], ids=state["ids"])
        for kind, entries in state["entries"].items():
            self._core.add(kind, *entries)

    @classmethod
    def _wrap(cls, core: _core.Constraints, index: IdIndex | None = None) -> Constraints:
        wrapped = object.__new__(cls)
        wrapped._core, wrapped._index = core, index
        return wrapped

    def _copy(self) -> Constraints:
        return self._wrap(self._core.copy(), self._index)

    def _take(self, other: Constraints) -> Constraints:
        """Add the entries of constraints on the same points."""
        for kind in KINDS:
            self._core.add(kind, *other._core.entries(kind))
        return self

    def _align(self, index: IdIndex) -> Constraints:
        """Say the same things of points in the order of ``index``."""
        if self._index is None or self._index.ids == index.ids:
            return self
        aligned = Constraints(ids=index.ids)
        ids = self._index.ids
        for kind in KINDS:
            points, names, weights, sources = self._core.entries(kind)
            named = ([ids[point] for point in entry] for entry in points.tolist())
            places = index.look_up(kind, named, points.shape[1])
            aligned._core.add(kind, places, names, weights, sources)
        return aligned


def _empty(n: int, index: IdIndex | None) -> _core.Constraints:
    return _core.Constraints(n, None if index is None else [str(id_) for id_ in index.ids])


def _count(n: int | None, index: IdIndex | None) -> int:
    if index is not None:
        if n is not None and n != len(index.ids):
            raise ValueError(f"n = {n}, but there are {len(index.ids)} ids")
        return len(index.ids)
    if isinstance(n, bool) or not isinstance(n, numbers.Integral) or n < 0:
        raise ValueError(f"n = {n!r}: give the number of points, or ids")
    return int(n)
