"""What became of the constraints."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class KindReport:
    """The constraints of one kind, as rows of points.

    Attributes
    ----------
    kept, broken : ndarray of shape (m, k)
        The points of each entry (k = 2 for pairs, 3 for comparisons, 1 for labels) that the
        labels keep or break.
    ids : sequence or None
        The ids of all points: the index of the frame that was fitted, or those of the constraints.
    """

    kept: npt.NDArray[np.int64]
    broken: npt.NDArray[np.int64]
    ids: Sequence[Hashable] | None = None

    @property
    def n_kept(self) -> int:
        """How many entries are kept."""
        return len(self.kept)

    @property
    def n_broken(self) -> int:
        """How many entries are broken."""
        return len(self.broken)

    @property
    def kept_ids(self) -> list[tuple[Hashable, ...]]:
        """The entries kept, by the ids of their points; by positions where points have none."""
        return self._named(self.kept)

    @property
    def broken_ids(self) -> list[tuple[Hashable, ...]]:
        """The entries broken, by the ids of their points; by positions where points have none."""
        return self._named(self.broken)

    def _named(self, entries: npt.NDArray[np.int64]) -> list[tuple[Hashable, ...]]:
        ids = self.ids
        rows = entries.tolist()
        return [tuple(row if ids is None else (ids[point] for point in row)) for row in rows]

    def __repr__(self) -> str:
        return f"KindReport(n_kept={self.n_kept}, n_broken={self.n_broken})"


class ConstraintReport(Mapping[str, KindReport]):
    """A mapping from the kind of constraint to what was kept and broken.

    Only kinds that were given are in it. A must-link is kept when both points have the same
    cluster, a cannot-link when they have not; noise shares a cluster with nothing. A label is kept
    where the point has the cluster that most points of its label have. Of a comparison a partition
    shows only so much: an odd-one-out is broken when the odd one shares a cluster with one of the
    other two while those are apart, ``closer`` when the far point shares the anchor's cluster and
    the near one does not, ``about_equal`` when exactly two of the three share one.

    Examples
    --------
    >>> import ilk
    >>> X = [[0.0], [0.1], [5.0], [5.1]]
    >>> given = {"must_link": [[0, 1], [1, 2]], "cannot_link": [[0, 2]]}
    >>> model = ilk.MeanShift(bandwidth=1.0).fit(X, **given)
    >>> model.constraint_report_
    ConstraintReport(must_link: 1 kept, 1 broken; cannot_link: 1 kept, 0 broken)
    >>> model.constraint_report_["must_link"].broken
    array([[1, 2]])
    """

    def __init__(self, kinds: Mapping[str, KindReport]) -> None:
        self._kinds = dict(kinds)

    def __getitem__(self, kind: str) -> KindReport:
        return self._kinds[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    @property
    def n_kept(self) -> int:
        """Entries kept, of all kinds."""
        return sum(kind.n_kept for kind in self._kinds.values())

    @property
    def n_broken(self) -> int:
        """Entries broken, of all kinds."""
        return sum(kind.n_broken for kind in self._kinds.values())

    def __repr__(self) -> str:
        kinds = (f"{k}: {r.n_kept} kept, {r.n_broken} broken" for k, r in self._kinds.items())
        return f"ConstraintReport({'; '.join(kinds)})"
