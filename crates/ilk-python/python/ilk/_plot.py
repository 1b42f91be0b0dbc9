"""A fitted clustering as a plot of matplotlib, which is not needed for anything else."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

#: The colours of the plots and reports of the command ``ilk``.
COLOURS = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#8B5A2B",
    "#3300FF",
    "#33DD00",
    "#FF66FF",
    "#FF0077",
    "#990088",
    "#335500",
    "#FFBB88",
    "#0066FF",
    "#AACC55",
    "#991122",
    "#44DDDD",
    "#BB88EE",
    "#664488",
)
NOISE = "#9AA0A6"
#: Shapes change after every seven clusters, whose colours differ for colour-blind eyes too.
SHAPES = "o^sDvXP"


def plot(
    X: npt.NDArray[np.float64],
    labels: npt.NDArray[np.int64],
    names: list[str],
    confidence: npt.NDArray[np.float64] | None,
    ax: Any,
) -> Any:
    """Draw the points in the colours of their clusters, on two columns or principal axes."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot draws with matplotlib: pip install matplotlib") from error
    if ax is None:
        _, ax = plt.subplots()
    places, axes = _plane(X, names)
    for cluster in np.unique(labels):
        members = labels == cluster
        looks: dict[str, Any] = {"color": NOISE, "marker": ".", "label": "in no cluster"}
        if cluster >= 0:
            looks = {
                "color": COLOURS[cluster % len(COLOURS)],
                "marker": SHAPES[cluster // len(SHAPES) % len(SHAPES)],
                "label": f"cluster {cluster}",
            }
        # Paler where the cluster is uncertain, as in the plots of the command.
        sure = np.ones(members.sum()) if confidence is None else confidence[members]
        alpha = np.clip(0.25 + 0.75 * (sure - 0.45) / 0.5, 0.25, 1.0)
        ax.scatter(*places[members].T, s=16, linewidths=0, alpha=alpha, **looks)
        if cluster >= 0:
            middle = np.median(places[members], axis=0)
            ax.annotate(str(cluster), middle, ha="center", va="center", weight="bold")
    ax.set_xlabel(axes[0])
    ax.set_ylabel(axes[1])
    if len(np.unique(labels)) <= len(COLOURS):
        ax.legend(markerscale=1.5, frameon=False, fontsize="small")
    return ax


def _plane(
    X: npt.NDArray[np.float64], names: list[str]
) -> tuple[npt.NDArray[np.float64], tuple[str, str]]:
    """Return the places of the points in the plane, and what the axes show."""
    if X.shape[1] == 1:
        return np.column_stack([X[:, 0], np.arange(len(X))]), (names[0], "row")
    if X.shape[1] == 2:
        return X, (names[0], names[1])
    centred = X - X.mean(axis=0)
    _, spread, axes = np.linalg.svd(centred, full_matrices=False)
    shares = 100 * spread**2 / max(float((spread**2).sum()), np.finfo(float).tiny)
    # The entry of largest magnitude is positive, as in the plots of the command.
    signs = [np.sign(axis[np.abs(axis).argmax()]) or 1.0 for axis in axes[:2]]
    places = centred @ (axes[:2] * np.array(signs)[:, np.newaxis]).T
    if places.shape[1] < 2:
        places = np.column_stack([places, np.zeros(len(X))])
        shares = np.append(shares, 0.0)
    words = [
        f"{which} principal component ({share:.0f}% of the variance)"
        for which, share in zip(("first", "second"), shares, strict=False)
    ]
    return places, (words[0], words[1])
