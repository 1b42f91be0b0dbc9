"""What constraints hold and imply, to read."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._entries import KINDS, IdIndex


@dataclass(frozen=True)
class Conflict:
    """A contradiction between constraints, with the proof.

    Attributes
    ----------
    kind : {"cannot_link", "labels", "comparisons"}
        What is contradicted.
    points : tuple of int
        The two points with the cannot-link; of comparisons, the two points of a distance that
        would be smaller than itself.
    chain : tuple
        The proof, as short as there is: the points from the first to the second, each linked with
        the next; or the distances (a pair of points each), each smaller than the next or about
        equal, the last being the first again.
    explanation : str
        All of this in words, with ids where there are any. Also ``str(conflict)``.
    """

    kind: str
    points: tuple[int, ...]
    chain: tuple[Any, ...]
    explanation: str

    def __str__(self) -> str:
        return self.explanation


class ConstraintView:
    """The entries of constraints, and what follows from them."""

    _core: _core.Constraints
    _index: IdIndex | None

    @property
    def n(self) -> int:
        """Number of points."""
        return self._core.n

    @property
    def ids(self) -> list[Hashable] | None:
        """The names of the points, if they have any."""
        return None if self._index is None else list(self._index.ids)

    @property
    def must_link(self) -> npt.NDArray[np.int64]:
        """Pairs of positions that belong together."""
        return self._core.entries("must_link")[0]

    @property
    def cannot_link(self) -> npt.NDArray[np.int64]:
        """Pairs of positions that do not belong together."""
        return self._core.entries("cannot_link")[0]

    @property
    def odd_one_out(self) -> npt.NDArray[np.int64]:
        """Triplets of positions; the last is the odd one."""
        return self._core.entries("odd_one_out")[0]

    @property
    def about_equal(self) -> npt.NDArray[np.int64]:
        """Triplets of positions that are about equally different."""
        return self._core.entries("about_equal")[0]

    @property
    def closer(self) -> npt.NDArray[np.int64]:
        """Triplets of positions: anchor, near, far."""
        return self._core.entries("closer")[0]

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """A label a point, as an index into :attr:`label_names`; -1 where none is known."""
        labels = np.full(self.n, -1, dtype=np.int64)
        points, names, *_ = self._core.entries("labels")
        code = {name: code for code, name in enumerate(self.label_names)}
        labels[points[:, 0]] = [code[name] for name in names or ()]
        return labels

    @property
    def label_names(self) -> list[str]:
        """The names of the labels, in the order in which they were first given."""
        return self._core.label_names()

    @property
    def constrained_points(self) -> npt.NDArray[np.int64]:
        """The sorted positions of all constrained points."""
        return self._core.constrained_points()

    def weights(self, kind: str) -> npt.NDArray[np.float64]:
        """How much each entry of a kind counts."""
        return self._core.entries(kind)[2]

    def sources(self, kind: str) -> list[str | None]:
        """Who or what gave each entry of a kind."""
        return self._core.entries(kind)[3]

    def count(self, kind: str) -> int:
        """How many entries of a kind there are."""
        return self._core.count(kind)

    def describe(self) -> list[str]:
        """Every entry as a sentence."""
        return self._core.describe()

    def check(self, limit: int | None = None) -> list[Conflict]:
        """Find contradictions, each with its proof.

        A cannot-link contradicts a chain of must-links (or of equal labels) between its two points,
        and so do two different labels; comparisons contradict each other when they form a circle
        ``d(a, b) < d(a, c) < ... < d(a, b)``.

        Parameters
        ----------
        limit : int, optional
            At most this many.

        Returns
        -------
        list of Conflict
            Empty where all can hold together.
        """
        return [
            Conflict(kind, points, tuple(chain), explanation)
            for kind, points, chain, explanation in self._core.check(limit)
        ]

    def min_clusters(self) -> int:
        """Return a number of clusters below which the constraints cannot all hold.

        It is the size of a set of points that are all apart from each other, found greedily.
        """
        return self._core.min_clusters()

    def __len__(self) -> int:
        """The number of entries of all kinds."""
        return sum(self.count(kind) for kind in KINDS)

    def __bool__(self) -> bool:
        return len(self) > 0
