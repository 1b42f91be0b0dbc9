"""What the clusters of a fitted model are."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core

Record = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Explanation:
    """What every cluster is, as records that ``pandas.DataFrame`` and ``polars.DataFrame`` take.

    Rows are named by the index of the frame that was fitted, or by position.

    Attributes
    ----------
    clusters : list of dict
        For every cluster its ``cluster`` number, ``size`` and ``share``, the ``silhouette`` of its
        rows, the ``mean_distance`` between two of them, the ``nearest`` cluster and the
        ``nearest_distance``, the mean between a row of the one and a row of the other, and
        ``typical`` rows, those with the smallest mean distance to the others.
    features : list of dict
        For every ``cluster`` and ``feature`` the ``difference`` of its ``mean`` from the
        ``mean_elsewhere``, in standard deviations of all rows; the largest difference of a cluster
        comes first.
    boundary : list of dict
        Rows between clusters: ``row``, ``cluster``, the ``share`` of its nearest rows that are in
        its cluster, and the ``other`` cluster that most of the rest are in.
    outliers : list of dict
        Rows far from all others: ``row``, ``cluster``, and the ``ratio`` of the distance to its
        nearest rows and the median of all rows.
    silhouette : float or None
        The mean silhouette of all rows that have a cluster.
    n_compared : int
        How many rows were compared with each other: a sample, where it is less than there are.
    """

    clusters: list[Record]
    features: list[Record]
    boundary: list[Record]
    outliers: list[Record]
    silhouette: float | None
    n_compared: int

    def to_frame(self, part: str = "clusters") -> Any:
        """Return a part of it as a pandas frame.

        Parameters
        ----------
        part : {"clusters", "features", "boundary", "outliers"}, default="clusters"
            Which part.

        Returns
        -------
        frame : pandas.DataFrame
        """
        if part not in _COLUMNS:
            known = ", ".join(_COLUMNS)
            raise ValueError(f"part = {part!r} is not understood: it must be one of {known}")
        import pandas as pd

        return pd.DataFrame(getattr(self, part), columns=list(_COLUMNS[part]))

    def __str__(self) -> str:
        lines = []
        for cluster in self.clusters:
            number = cluster["cluster"]
            head = f"cluster {number}: {cluster['size']} rows ({100 * cluster['share']:.1f}%)"
            if cluster["silhouette"] is not None:
                head += f", silhouette {cluster['silhouette']:.2f}"
            if cluster["nearest"] is not None:
                head += f", nearest cluster {cluster['nearest']}"
            lines.append(f"{head}; typical {', '.join(map(str, cluster['typical']))}")
            lines += [
                f"  {it['feature']}: {it['difference']:+.2f} sd "
                f"({it['mean']:.4g}, elsewhere {it['mean_elsewhere']:.4g})"
                for it in [it for it in self.features if it["cluster"] == number][:SHOWN]
            ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Explanation({len(self.clusters)} clusters)\n{self}"

    def _repr_html_(self) -> str:
        return str(self.to_frame()._repr_html_())


#: Features of a cluster that the text shows.
SHOWN = 5

_COLUMNS = {
    "clusters": (
        "cluster",
        "size",
        "share",
        "silhouette",
        "mean_distance",
        "nearest",
        "nearest_distance",
        "typical",
    ),
    "features": ("cluster", "feature", "difference", "mean", "mean_elsewhere"),
    "boundary": ("row", "cluster", "share", "other"),
    "outliers": ("row", "cluster", "ratio"),
}


def explanation_of(
    X: npt.NDArray[np.float64],
    labels: npt.NDArray[np.int64],
    rows: Sequence[Hashable],
    names: Sequence[str],
) -> Explanation:
    """Return what the clusters of ``labels`` are."""
    found = _core.explain(X, labels)
    clusters, features = [], []
    for cluster in found["clusters"]:
        described = {**cluster, "share": cluster["size"] / len(labels)}
        described["typical"] = [rows[row] for row in cluster["typical"]]
        clusters.append({column: described[column] for column in _COLUMNS["clusters"]})
        features += [
            {
                "cluster": cluster["cluster"],
                "feature": names[feature],
                "difference": difference,
                "mean": mean,
                "mean_elsewhere": elsewhere,
            }
            for feature, difference, mean, elsewhere in cluster["features"]
        ]
    return Explanation(
        clusters,
        features,
        [
            {"row": rows[row], "cluster": int(labels[row]), "share": share, "other": other}
            for row, share, other in found["boundary"]
        ],
        [
            {"row": rows[row], "cluster": int(labels[row]), "ratio": ratio}
            for row, ratio in found["outliers"]
        ],
        found["silhouette"],
        found["n_compared"],
    )
